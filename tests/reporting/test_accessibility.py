"""axe-core, the common checker of accessibility, finds nothing, in light and dark, wide and narrow."""

from __future__ import annotations

import json

import pytest

import gnbayes


@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["binary", "many_classes", "weighted", "weighted_many"])
def test_axe_finds_nothing(kind, scheme, width, request, axe, open_page):
    clf, frame, labels = request.getfixturevalue(kind)
    report = gnbayes.report(clf, frame, labels, rows=2)
    page = open_page(report, viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    page.evaluate(axe)
    for row in ("", "0"):
        page.select_option("#row", row)
        bad = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
        assert not bad, json.dumps([(v["id"], [node["html"][:200] for node in v["nodes"][:3]]) for v in bad], indent=1)
