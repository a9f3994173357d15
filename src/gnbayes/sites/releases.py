"""Check which releases may be merged: same features, none twice, and the same steps from every site."""

from __future__ import annotations

from collections.abc import Sequence

from gnbayes.sites.counts_file import release_id
from gnbayes.sites.site_counts import SiteCounts
from gnbayes.sites.site_features import SiteFeatures


def steps_of(releases: Sequence[SiteCounts]) -> list[list[SiteCounts]]:
    """Group releases by step: each list has releases of the same tables, one per site.

    Raises
    ------
    ValueError
        If features differ, a release is given twice, a site has two noisy releases for one step, or a site has left out
        a step.
    """
    if not releases:
        raise ValueError("there are no counts to learn from.")
    for at, release in enumerate(releases[1:], 2):
        if release.features.fingerprint != releases[0].features.fingerprint:
            raise ValueError(
                f"the counts of release {at} were made with other Features than those of release 1 "
                f"({_difference(releases[0].features, release.features)}); count both with the same Features file."
            )
    _check_once(releases)
    steps: dict[tuple[object, ...], list[int]] = {}
    for at, release in enumerate(releases):
        wanted = tuple(table for table in release.tables if table)
        steps.setdefault((release.what, wanted), []).append(at)
    for members in steps.values():
        _check_sites(releases, members)
    _check_complete(releases, list(steps.values()))
    return [[releases[at] for at in members] for members in steps.values()]


def _check_once(releases: Sequence[SiteCounts]) -> None:
    seen: dict[str, int] = {}
    for at, release in enumerate(releases, 1):
        first = seen.setdefault(release_id(release), at)
        if first != at and (release.cells.any() or release.site is not None):
            raise ValueError(
                f"releases {first} and {at} are the same release ({_short(release_id(release))}); give each once."
            )


def _check_sites(releases: Sequence[SiteCounts], members: Sequence[int]) -> None:
    seen: dict[str, int] = {}
    for at in members:
        site = releases[at].site
        if site is None:
            continue
        first = seen.setdefault(site, at)
        if first != at:
            raise ValueError(
                f"releases {first + 1} and {at + 1} are both of site {site[:12]} and of the same step "
                f"({releases[at].what}); its rows would count twice: give one of them."
            )


def _check_complete(releases: Sequence[SiteCounts], steps: Sequence[Sequence[int]]) -> None:
    """Check that every step has releases of the same sites."""
    if len(steps) == 1:
        return
    names = " and ".join(dict.fromkeys(repr(releases[members[0]].what) for members in steps))
    if any(release.site is None for release in releases):
        raise ValueError(
            f"these releases count different tables ({names}), and some do not name their site; count the "
            "same at all sites, or name the sites."
        )
    sites = [{releases[at].site for at in members} for members in steps]
    for other in sites[1:]:
        if other != sites[0]:
            lacking = sorted(str(site) for site in other ^ sites[0])[0]
            raise ValueError(
                f"site {lacking[:12]} has not released the same tables ({names}) as the others; every site must take "
                "part in every step."
            )


def _short(identifier: str) -> str:
    """Abbreviate an id for messages."""
    return identifier.removeprefix("sha256:")[:12]


def _difference(mine: SiteFeatures, theirs: SiteFeatures) -> str:
    if mine.target != theirs.target:
        return f"targets {mine.target!r} and {theirs.target!r}"
    if mine.classes.tolist() != theirs.classes.tolist():
        return "other classes"
    for feature, other in zip(mine.features, theirs.features, strict=False):
        if feature != other:
            return f"column {feature.name!r}"
    return "other columns"
