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
from gnbayes.reporting.tripod import checklist


class Report:
    """One offline HTML page about a fitted model.

    Parameters
    ----------
    summary : dict
        The content of the page as plain dicts, lists, text and numbers.

    Attributes
    ----------
    html : str
        The whole page; it makes no network requests.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB, report
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = GeneralizedNB(weighting=None).fit(X, y)
    >>> page = report(clf, title="Iris")
    >>> page.summary["title"]
    'Iris'
    >>> page.save("iris.html")  # doctest: +SKIP
    """

    def __init__(self, summary: dict[str, Any]) -> None:
        self.summary = summary

    @cached_property
    def html(self) -> str:
        """The whole page."""
        return render(self.summary)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is replaced only when the page is complete.

        Parameters
        ----------
        path : path
            By convention it ends with ``.html``.
        """
        write_atomically(Path(path), self.html)

    def tripod(self, page: str = "report.html") -> str:
        """The TRIPOD+AI checklist as Markdown: where the page reports each of its 27 items.

        Parameters
        ----------
        page : str, default="report.html"
            Name of the page, for the heading.

        Returns
        -------
        checklist : str
        """
        return checklist(self.summary, page)

    def _repr_html_(self) -> str:
        """The page in a frame of its own, for notebooks."""
        return (
            '<iframe sandbox="allow-scripts allow-modals" allow="clipboard-write" title="gnbayes report" '
            f'width="100%" height="900" srcdoc="{html.escape(self.html)}"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<gnbayes report {self.summary['title']!r}; .save('page.html') writes it>"


def report(
    clf: GeneralizedNB,
    X: Any = None,
    y: Any = None,
    *,
    dictionary: Any = None,
    groups: Any = None,
    by: Any = None,
    bootstrap: int | None = None,
    rows: Any = 0,
    title: str | None = None,
    pos_label: Any = None,
    new_rows: bool = False,
    verbose: int = 0,
) -> Report:
    """A fitted model as one HTML page that works offline: a calculator, the evidence for it, and a model card.

    The calculator computes in the page what `predict_proba` computes, from the same tables. Needs jinja2, and pyyaml
    for a YAML dictionary (``pip install 'gnbayes[report]'``).

    Parameters
    ----------
    clf : GeneralizedNB
        Fitted.
    X : array-like or data frame of shape (n, d), optional
        Rows to measure the model on: the rows it was fitted to, or rows it has not seen. The rows it was fitted to are
        recognized and scored by cross-validation, which fits up to five more models.
    y : array-like of shape (n,), optional
        Their classes; without them nothing is measured, and the page shows the scores stored with the model (see
        `save`), if any.
    dictionary : path, mapping or Dictionary, optional
        Labels, units, codes and possible values of columns, meaning of the classes, and texts for the page: a YAML or
        CSV file, or a mapping with the same content. ``gnbayes dictionary`` writes a draft.
    groups : array-like of shape (n,), optional
        The person, or whatever else, that each row belongs to. Rows of a group stay together in cross-validation and
        in bootstrap samples.
    by : str, sequence of str or mapping, optional
        Columns that define subgroups to evaluate, such as ``["sex", "age"]``; or values for each row by name. Numbers
        are divided into three groups of about the same size.
    bootstrap : int, optional
        Number of refits to bootstrap samples, which show how much a risk depends on the sample; 0 for none. By default
        as many as 60 seconds allow, from 20 to 200. They need the rows to which the model was fitted.
    rows : int or sequence of int, default=0
        Rows of X to write into the page, so that they can be loaded into the calculator: this many from the start, or
        these positions. None by default: then the page holds counts, scores and ranges, but no row of the data.
    title : str, optional
        The dictionary's title, or the classes, by default.
    pos_label : optional
        The event: the class whose risk is shown. Two classes need one, unless the dictionary names it, a class is
        called yes, true, positive or case, or they are 0 and 1, which are shown as they are.
    new_rows : bool, default=False
        Whether to state that no row of X was used in training. A model from a file cannot know this: unless it is
        stated, its scores are marked "valid only for rows not used in training". Rows recognized as training rows are
        cross-validated in any case.
    verbose : int, default=0
        1 shows the progress of the refits.

    Returns
    -------
    report : Report
        Has a method `save(path)`, and is displayed in notebooks.

    See Also
    --------
    GeneralizedNB.explain : The same for one row, in Python.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sklearn.datasets import load_breast_cancer
    >>> import gnbayes
    >>> data = load_breast_cancer(as_frame=True)
    >>> X, y = data.data, data.target_names[data.target]
    >>> clf = gnbayes.GeneralizedNB().fit(X[:400], y[:400])
    >>> page = gnbayes.report(clf, X[400:], y[400:], title="Breast cancer", pos_label="malignant")
    >>> page
    <gnbayes report 'Breast cancer'; .save('page.html') writes it>
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cancer.html"
    >>> page.save(path)
    >>> path.stat().st_size < 1_500_000
    True
    """
    import_jinja()  # fail early if it is missing
    summary = summarize(
        clf,
        X,
        y,
        dictionary=dictionary,
        groups=groups,
        by=by,
        bootstrap=bootstrap,
        rows=rows,
        title=title,
        pos_label=pos_label,
        new_rows=new_rows,
        verbose=verbose,
    )
    return Report(summary)
