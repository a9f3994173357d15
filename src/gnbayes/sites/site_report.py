"""A report on what was merged, how much noise it contains, and how much was lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gnbayes.sites.estimate import Estimate
from gnbayes.sites.site_counts import SiteCounts, Table
from gnbayes.sites.suppression import lost_shares, shown
from gnbayes.structure import Tree


@dataclass(frozen=True)
class SiteReport:
    """What a merged model was learned from.

    Parameters
    ----------
    n_releases : int
    n_rows : float
        Number of rows, exact or estimated.
    epsilon : str, optional
        The largest epsilon of a release.
    n_edges : int
        Number of edges of the model's tree.
    n_columns : int
    lost_share : float, optional
        With suppression, a lower bound on the share of rows missing from the model's tables, on average.
    worst_table : tuple of str
        The columns of the table with the most missing rows.
    worst_share : float
        The share of rows missing from it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from gnbayes import GeneralizedNB
    >>> from gnbayes.scale import summarize
    >>> from gnbayes.sites import add_noise, count_site, fit_sites, propose_features
    >>> table = load_iris(as_frame=True).frame
    >>> features = propose_features(summarize(table, "target"), "target")
    >>> parts = [add_noise(count_site(features, [table[at::2]]), 10, seed=at) for at in range(2)]
    >>> report = fit_sites(GeneralizedNB(weighting=None), parts).site_report_
    >>> report.n_releases, report.epsilon, report.n_columns
    (2, '10', 4)
    """

    n_releases: int
    n_rows: float
    epsilon: str | None
    n_edges: int
    n_columns: int
    lost_share: float | None = None
    worst_table: tuple[str, ...] = ()
    worst_share: float = 0.0

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Labels and texts of the report."""
        about = "" if self.epsilon is None and self.lost_share is None else "about "
        lines = [("releases", f"{self.n_releases}, of {about}{self.n_rows:.0f} rows")]
        if self.epsilon is not None:
            lines.append(("noise", f"epsilon at most {self.epsilon} per release"))
            lines.append(("edges", f"{self.n_edges} of at most {self.n_columns - 1} stand out from the noise"))
        if self.lost_share is not None:
            average = f"suppression hides at least {self.lost_share:.1%} of the rows, averaged over the model's tables"
            names = " and ".join(self.worst_table)
            worst = f"; most, {self.worst_share:.1%}, in the table of {names}" if names else ""
            lines.append(("lost", average + worst))
        return lines

    def __str__(self) -> str:
        return "\n".join(f"{label:10}{text}" for label, text in self.lines)


def report_of(sites: Sequence[SiteCounts], found: Estimate | None, tree: Tree) -> SiteReport:
    """The report on releases from which a model with this tree was learned."""
    spent = [site.privacy.epsilon for site in sites if site.privacy.epsilon is not None]
    n_rows = sum(shown(site).classes.sum() for site in sites) if found is None else found.n
    lost, worst, most = _lost(sites, tree)
    return SiteReport(
        len(sites),
        float(n_rows),
        max(spent, key=Fraction, default=None),
        len(tree.edges),
        tree.n_features,
        lost,
        worst,
        most,
    )


def _lost(sites: Sequence[SiteCounts], tree: Tree) -> tuple[float | None, tuple[str, ...], float]:
    """The share of rows missing from a model's tables, and the table with the most missing rows."""
    suppressed = [site for site in sites if site.privacy.suppressed_below is not None]
    if not suppressed:
        return None, (), 0.0
    rows = {id(site): float(shown(site).classes.sum()) for site in suppressed}
    total = sum(rows.values())
    if not total:
        return 1.0, (), 1.0
    missed: dict[Table, float] = {}
    for site in suppressed:
        for table, share in lost_shares(site).items():
            missed[table] = missed.get(table, 0.0) + share * rows[id(site)] / total
    edges = {tuple(edge) for edge in tree.edges.tolist()}
    used = {table: share for table, share in missed.items() if table in edges} or missed
    worst = max(used, key=lambda table: used[table])
    names = tuple(sites[0].features.names[j] for j in worst)
    return sum(used.values()) / len(used), names, used[worst]
