"""The data of the page as one short text: JSON, and separately its long lists of integers; deflated, in base64.

Integers are stored in planes: the lowest bytes of all numbers of a list, then the next bytes. Numbers of a list have
about the same size, so the planes of their high bytes are nearly constant and compress well.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np

# Shorter lists stay in JSON.
_SHORTEST = 256
# The slowest and shortest level of deflate; no header.
_LEVEL, _RAW = 9, -15


def pack(data: dict[str, Any]) -> str:
    """The text that the script of the page reads; see assets/unpack.js.

    Parameters
    ----------
    data : dict
        Dicts with text keys, lists, text, finite numbers, booleans and None.

    Returns
    -------
    text : str
        In base64: the length of the JSON in four bytes, the JSON, then the planes, to which ``{"packed": [position,
        number of numbers, bytes of each]}`` in the JSON refers.

    Examples
    --------
    >>> from gnbayes.reporting.packing import pack
    >>> len(pack({"rows": [3] * 1000})) < 100
    True
    """
    planes = bytearray()
    text = json.dumps(_without_numbers(data, planes), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    encoded = text.encode("utf-8")
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW)
    whole = len(encoded).to_bytes(4, "little") + encoded + planes
    return base64.b64encode(compressor.compress(whole) + compressor.flush()).decode("ascii")


def _without_numbers(node: Any, planes: bytearray) -> Any:
    """The data with long lists of integers moved to the planes."""
    if isinstance(node, dict):
        return {key: _without_numbers(part, planes) for key, part in node.items()}
    if not isinstance(node, list):
        return node
    if len(node) < _SHORTEST or not all(type(part) is int for part in node):
        return [_without_numbers(part, planes) for part in node]
    start = len(planes)
    width = _append(planes, node)
    return {"packed": [start, len(node), width]}


def _append(planes: bytearray, numbers: list[int]) -> int:
    """Add the planes of a list: 0, -1, 1, -2, ... become 0, 1, 2, 3, ..."""
    signed = np.array(numbers, dtype=np.int64)
    plain = ((signed << 1) ^ (signed >> 63)).astype("<u8")
    width = max(1, -(-int(plain.max()).bit_length() // 8))
    planes += plain.view(np.uint8).reshape(-1, 8)[:, :width].T.tobytes()
    return width
