"""The page as an object: save it, or show it in a notebook."""

from __future__ import annotations

import html
import os
from functools import cached_property
from pathlib import Path
from typing import Any

from gnbayes.documents import write_atomically
from gnbayes.estimator import GeneralizedNB
from gnbayes.reporting.render import import_jinja, render
from gnbayes.reporting.summarize import summarize


class Report:
    """One offline HTML page about a fitted model.

    Parameters
    ----------
    summary : dict
        What `report` found; plain dicts, lists, text and numbers.

    Attributes
    ----------
    html : str
        The whole page; it asks the network for nothing.
    """

    def __init__(self, summary: dict[str, Any]) -> None:
        self.summary = summary

    @cached_property
    def html(self) -> str:
        """The whole page."""
        return render(self.summary)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file; until it is complete, what was there before stays.

        Parameters
        ----------
        path : path
            By custom it ends with ``.html``.
        """
        write_atomically(Path(path), self.html)

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""
        return (
            '<iframe sandbox="allow-scripts allow-modals" allow="clipboard-write" title="gnbayes report" '
            f'width="100%" height="900" srcdoc="{html.escape(self.html)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<gnbayes report {self.summary['title']!r}; .save('page.html') writes it>"


def report(
    clf: GeneralizedNB, X: Any = None, y: Any = None, *, rows: Any = 0, title: str | None = None, pos_label: Any = None
) -> Report:
    """A fitted model as one HTML page that works offline: how it thinks, how good it is, and a risk calculator.

    The calculator computes in the page what `predict_proba` computes, from the same tables. Needs jinja2
    (``pip install 'gnbayes[report]'``).

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    X : array-like or data frame of shape (n, d), optional
        Rows to look at, best those the model was not learned from. The rows it was learned from are recognised, and
        each is then scored by a model that has not seen it: by leaving it out, or with `weighting` by five-fold
        cross-validation, which fits five more models.
    y : array-like of shape (n,), optional
        Their classes; without them the page has no scores.
    rows : int or sequence of int, default=0
        Rows of X to write into the page, so that they can be loaded into the calculator: this many from the start, or
        these positions. None by default: then the page holds counts and scores, but no row of the data.
    title : str, optional
        The classes by default.
    pos_label : optional
        The class whose risk is shown; the last by default.

    Returns
    -------
    report : Report
        With `save(path)`; shows itself in a notebook.

    See Also
    --------
    GeneralizedNB.explain : The same for one row, in Python.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sklearn.datasets import load_breast_cancer
    >>> import gnbayes
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = gnbayes.GeneralizedNB().fit(X[:400], y[:400])
    >>> page = gnbayes.report(clf, X[400:], y[400:], title="Breast cancer")
    >>> page
    <gnbayes report 'Breast cancer'; .save('page.html') writes it>
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cancer.html"
    >>> page.save(path)
    >>> path.stat().st_size < 2_000_000
    True
    """
    import_jinja()  # say at once that it is missing
    return Report(summarize(clf, X, y, rows=rows, title=title, pos_label=pos_label))
