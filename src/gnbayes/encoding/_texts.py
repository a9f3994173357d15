"""A column of text as integers and the distinct texts they stand for, if the frame provides this form."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Texts:
    """A column of text.

    Parameters
    ----------
    places : ndarray of shape (n,)
        Position of each value in `values`; -1 for missing.
    values : tuple of str
        Distinct texts, each of which occurs.

    Examples
    --------
    >>> import numpy as np
    >>> from gnbayes.encoding import Texts
    >>> texts = Texts(np.array([0, 1, -1, 0]), ("no", "yes"))
    >>> texts.has_missing, texts.objects.tolist()
    (True, ['no', 'yes', None, 'no'])
    """

    places: NDArray[np.signedinteger[Any]]
    values: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.places)

    @property
    def has_missing(self) -> bool:
        """Whether values are missing."""
        return bool(len(self.places) and self.places.min() < 0)

    @property
    def objects(self) -> NDArray[Any]:
        """The column as an array of text, None for missing."""
        values = np.empty(len(self.values) + 1, dtype=object)
        values[:-1] = self.values
        return values[self.places]

    def codes(self, lookup: Mapping[Hashable, int], missing: int, unseen: int) -> NDArray[np.intp]:
        """The code of every value, shape (n,)."""
        of_values = [*(lookup.get(value, unseen) for value in self.values), missing]
        return np.array(of_values, dtype=np.intp)[self.places]


def read_texts(series: nw.Series[Any]) -> Texts | None:
    """A pyarrow column that holds text or text categories; None for any other.

    Examples
    --------
    >>> import narwhals.stable.v1 as nw
    >>> import pyarrow as pa
    >>> from gnbayes.encoding import read_texts
    >>> texts = read_texts(nw.from_native(pa.chunked_array([["no", "yes", None]]), series_only=True))
    >>> texts.places.tolist(), texts.values
    ([0, 1, -1], ('no', 'yes'))
    """
    if not series.implementation.is_pyarrow():
        return None
    import pyarrow as pa

    column = series.to_native()
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return None
    encoded = column.dictionary_encode().unify_dictionaries()
    chunks = [chunk.indices.fill_null(-1).to_numpy() for chunk in encoded.chunks if len(chunk)]
    places = np.concatenate(chunks) if chunks else np.zeros(0, dtype=np.int32)
    texts = encoded.chunk(0).dictionary.to_pylist() if chunks else []
    is_used = np.bincount(places + 1, minlength=len(texts) + 1)[1:] > 0
    if is_used.all():
        return Texts(places, tuple(texts))
    new = np.append(np.cumsum(is_used) - 1, -1)
    return Texts(new[places], tuple(text for text, used in zip(texts, is_used.tolist(), strict=True) if used))


def ordered_dictionary(column: Any) -> list[Any] | None:
    """The ordered values of a pyarrow column of an ordered dictionary type; otherwise None."""
    import pyarrow as pa

    if not (pa.types.is_dictionary(column.type) and column.type.ordered and column.num_chunks):
        return None
    return column.unify_dictionaries().chunk(0).dictionary.to_pylist()
