"""Every English word of the page, in one place.

`PAGE` is for what Python writes, `SCRIPT` for what the page says as it is used, `TRIPOD` and `CHECKLIST` for the
checklist. Names of columns, categories and classes are only ever filled in, never part of a string.
"""

from gnbayes.reporting.strings.markup import PAGE
from gnbayes.reporting.strings.script import SCRIPT
from gnbayes.reporting.strings.tripod import CHECKLIST, TRIPOD

__all__ = ["CHECKLIST", "PAGE", "SCRIPT", "TRIPOD"]
