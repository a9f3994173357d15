"""The page as an object."""

import pytest

import gnbayes


def test_save_writes_the_page(binary, tmp_path):
    page = gnbayes.report(binary[0], pos_label="ill")
    page.save(tmp_path / "heart.html")
    assert (tmp_path / "heart.html").read_text(encoding="utf-8") == page.html
    assert page.html.startswith("<!doctype html>")


def test_a_failed_save_leaves_nothing_behind(binary, tmp_path):
    with pytest.raises(OSError, match="no-folder"):
        gnbayes.report(binary[0], pos_label="ill").save(tmp_path / "no-folder" / "heart.html")
    assert list(tmp_path.iterdir()) == []


def test_a_notebook_shows_it_in_a_frame(binary):
    shown = gnbayes.report(binary[0], pos_label="ill")._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts allow-modals"')
    assert shown.count('"') == 12  # the page itself is escaped


def test_repr(binary):
    assert (
        repr(gnbayes.report(binary[0], pos_label="ill"))
        == "<gnbayes report 'ill or well'; .save('page.html') writes it>"
    )
