"""Models from the counts of sites that may not share rows: files, suppression, differential privacy."""

from gnbayes.scale import SiteFileError, load_summary, save_summary
from gnbayes.sites.counts_file import load_counts, save_counts
from gnbayes.sites.features_file import load_features, save_features
from gnbayes.sites.merging import fit_sites
from gnbayes.sites.noise import add_noise
from gnbayes.sites.site_counts import Privacy, SiteCounts, count_site
from gnbayes.sites.site_features import SiteFeatures, propose_features
from gnbayes.sites.suppression import suppress

__all__ = [
    "Privacy",
    "SiteCounts",
    "SiteFeatures",
    "SiteFileError",
    "add_noise",
    "count_site",
    "fit_sites",
    "load_counts",
    "load_features",
    "load_summary",
    "propose_features",
    "save_counts",
    "save_features",
    "save_summary",
    "suppress",
]
