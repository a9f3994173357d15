"""axe-core, the common checker of accessibility, finds nothing, in light and dark, wide and narrow."""

from __future__ import annotations

import json

import pytest


@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["binary", "many_classes", "weighted", "weighted_many"])
def test_axe_finds_nothing(kind, scheme, width, request, axe, open_page, page_of):
    clf, frame, labels = request.getfixturevalue(kind)
    parts = {"by": ["sex", "age"], "bootstrap": 2} if len(clf.classes_) == 2 else {}
    age = {"label": "Age at the time of the first examination", "unit": "years", "second_unit": "months"}
    dictionary = {"columns": {"age": {**age, "factor": 1 / 12, "group": "Person"}}}
    report = page_of(clf, frame[:200], labels[:200], rows=2, dictionary=dictionary, **parts)
    page = open_page(report, viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    while page.is_visible("#effects-more"):
        page.click("#effects-more")
    page.evaluate(axe)
    for row in ("", "0"):
        page.select_option("#row", row)
        bad = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
        assert not bad, json.dumps([(v["id"], [node["html"][:200] for node in v["nodes"][:3]]) for v in bad], indent=1)
