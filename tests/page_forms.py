"""Filling in the form of a page, and reading its result."""

from __future__ import annotations

import base64
import json
import re
import time
import zlib

import numpy as np
from mixed_tables import patients

# Fill the form as a person does, field by field, and read what the page says: one list of probabilities per patient.
FILL = """
(patients) => patients.map((values) => {
  values.forEach((value, j) => {
    const field = document.getElementById(`f${j}`), box = document.getElementById(`n${j}`);
    if (field.tagName === "INPUT") {
      const isBox = value === "na" && box !== null;
      if (box && box.checked !== isBox) box.click();
      if (isBox) return;
      field.value = value === null ? "" : String(value);
      field.dispatchEvent(new Event("input", { bubbles: true }));
      return;
    }
    const buttons = [...field.querySelectorAll("input")];
    const last = (buttons.length || field.options.length) - 1;
    const at = value === null ? last : value === "na" ? last - 1 : value;
    if (buttons.length) return buttons[at].click();
    field.value = String(at);
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
  return JSON.parse(document.getElementById("risk").dataset.values);
})
"""


def entries(clf, frame):
    """What to put into the fields, in the order of the model: numbers, positions of choices, "na", or nothing."""
    lines = []
    for _, row in frame.iterrows():
        line = []
        for j in clf.tree_.order:
            feature, value = clf.features_[j], row.iloc[j]
            if value is None or value != value:
                line.append("na" if feature.has_missing else None)
            elif feature.kind == "interval":
                line.append(repr(float(value)))
            else:
                line.append(list(feature.categories).index(value))
        lines.append(line)
    return lines


def half_known(clf, frame, n):
    """Rows of which about half is known, and what to type."""
    some = patients(frame, n, seed=11)
    lines = entries(clf, some)
    rng = np.random.default_rng(5)
    is_unknown = rng.random((n, len(clf.features_))) < 0.5
    is_unknown |= np.array(
        [[value is None or value != value for value in row] for row in some.to_numpy(dtype=object)]
    ) & ~np.array([feature.has_missing for feature in clf.features_])
    lines = [
        [None if is_unknown[at, j] else value for j, value in zip(clf.tree_.order, line, strict=True)]
        for at, line in enumerate(lines)
    ]
    return some.astype(dict.fromkeys(some, object)).infer_objects(), is_unknown, lines


def shares(page):
    """The probabilities that the page shows."""
    return json.loads(page.get_attribute("#risk", "data-values"))


def position(clf, name):
    """Place of a column in the order of the model, which numbers its field."""
    return [clf.features_[j].name for j in clf.tree_.order].index(name)


def plain(text):
    """Text without the signs that keep names apart."""
    return text.replace("\u2068", "").replace("\u2069", "")


def until(page, condition):
    """Wait for a condition; Playwright's own way of waiting is forbidden by the page's policy."""
    end = time.monotonic() + 30
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(20)


def page_json(html):
    """What the script of a page reads, as JSON, from the text of the page."""
    whole = zlib.decompress(base64.b64decode(re.search(r'id="data">([^<]*)</script>', html).group(1)), wbits=-15)
    stop = 4 + int.from_bytes(whole[:4], "little")

    def numbers(part):
        if set(part) != {"packed"}:
            return part
        start, n, width = part["packed"]
        planes = whole[stop + start : stop + start + n * width]
        plain = [int.from_bytes(planes[at::n], "little") for at in range(n)]
        return [value // 2 if value % 2 == 0 else -(value + 1) // 2 for value in plain]

    return json.dumps(json.loads(whole[4:stop].decode("utf-8"), object_hook=numbers), ensure_ascii=False)
