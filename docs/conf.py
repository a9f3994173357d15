"""The documentation site: `make docs` builds it into docs/_build/html, with warnings as errors and without network."""

import re
import warnings

import matplotlib as mpl
from sphinx_gallery.sorting import FileNameSortKey

import gnbayes

project = "gnbayes"
author = "The gnbayes developers"
copyright = author  # noqa: A001, a name of Sphinx
version = release = gnbayes.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]
suppress_warnings = ["config.cache"]  # the settings of the gallery hold a class

# Pages in Markdown link to headings as they do on GitHub.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

# The reference: a room's `__all__` decides what is in it, and a docstring says it. What scikit-learn's bases bring is
# described there.
autosummary_ignore_module_all = False
autosummary_imported_members = True
autosummary_context = {"at_the_top": frozenset(gnbayes.__all__)}
# Not every file system tells Report from report.
autosummary_filename_map = {"gnbayes.report": "gnbayes.report-function"}
autodoc_typehints = "none"
autodoc_default_options = {
    "exclude-members": "set_fit_request, set_partial_fit_request, set_score_request, set_predict_request, "
    "set_predict_proba_request, set_predict_log_proba_request, set_decision_function_request, "
    "set_transform_request, set_inverse_transform_request"
}
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"[\\/]plot_",
    "within_subsection_order": FileNameSortKey,
    "abort_on_example_error": True,
    "backreferences_dir": None,
    "capture_repr": ("_repr_html_", "__repr__"),
    "download_all_examples": False,
    # The picture says it; an address in memory would differ from build to build.
    "ignore_repr_types": r"Display|matplotlib",
    "min_reported_time": 5,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
}
# Examples run as tests do: a warning is an error.
warnings.filterwarnings("error", module="gnbayes")
mpl.use("Agg")

html_theme = "pydata_sphinx_theme"
html_title = f"gnbayes {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_sidebars = {"index": []}
html_theme_options = {
    "github_url": "https://github.com/gnbayes/gnbayes",
    "navbar_align": "left",
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    "use_edit_page_button": False,
    "footer_start": ["copyright"],
    "footer_end": [],
}

MARKED = re.compile(r"(`+[^`]*`+|\*\*?[^*]+\*\*?)")


def escape_names(app, what, name, obj, options, lines):
    """Docstrings are read in terminals first: there, `classes_` is no link and P(x|y) no substitution."""
    in_doctest = False
    for number, line in enumerate(lines):
        in_doctest = line.lstrip().startswith(">>>") or (in_doctest and bool(line.strip()))
        if in_doctest or line.lstrip().startswith(".. "):
            continue
        parts = MARKED.split(line)
        parts[::2] = [re.sub(r"(?<=\w)_(?!\w)|\|", r"\\\g<0>", part) for part in parts[::2]]
        lines[number] = "".join(parts)


def setup(app):
    """After numpydoc, whose priority is 500."""
    app.connect("autodoc-process-docstring", escape_names, priority=600)
