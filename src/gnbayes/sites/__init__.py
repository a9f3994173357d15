"""Models from the counts of sites that may not share rows: files, suppression, differential privacy."""

from gnbayes.scale import SiteFileError, load_summary, save_summary
from gnbayes.sites.counts_file import load_counts, release_id, save_counts
from gnbayes.sites.features_file import load_features, save_features
from gnbayes.sites.ledger import Ledger, begin_ledger, load_ledger, release
from gnbayes.sites.merging import choose_tree, fit_sites
from gnbayes.sites.noise import add_noise
from gnbayes.sites.persons import Persons
from gnbayes.sites.privacy import NoisePart, Privacy
from gnbayes.sites.site_counts import SiteCounts, count_site
from gnbayes.sites.site_features import SiteFeatures, propose_features, with_middles
from gnbayes.sites.site_report import SiteReport
from gnbayes.sites.site_tree import SiteTree
from gnbayes.sites.suppression import suppress
from gnbayes.sites.tree_file import load_tree, save_tree
from gnbayes.sites.wording import reveals

__all__ = [
    "Ledger",
    "NoisePart",
    "Persons",
    "Privacy",
    "SiteCounts",
    "SiteFeatures",
    "SiteFileError",
    "SiteReport",
    "SiteTree",
    "add_noise",
    "begin_ledger",
    "choose_tree",
    "count_site",
    "fit_sites",
    "load_counts",
    "load_features",
    "load_ledger",
    "load_summary",
    "load_tree",
    "propose_features",
    "release",
    "release_id",
    "reveals",
    "save_counts",
    "save_features",
    "save_summary",
    "save_tree",
    "suppress",
    "with_middles",
]
