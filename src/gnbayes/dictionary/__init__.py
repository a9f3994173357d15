"""Data dictionaries: labels, units, codes and possible values of columns, and what a page should say about a model."""

from gnbayes.dictionary.draft import MOST_CODES, Seen, draft_csv, draft_yaml
from gnbayes.dictionary.entries import Column, Dictionary, PageText, Target
from gnbayes.dictionary.failure import DictionaryError
from gnbayes.dictionary.matching import (
    Known,
    check_columns,
    code_intervals,
    find_event,
    match_codes,
    name_classes,
)
from gnbayes.dictionary.reading import read_dictionary

__all__ = [
    "MOST_CODES",
    "Column",
    "Dictionary",
    "DictionaryError",
    "Known",
    "PageText",
    "Seen",
    "Target",
    "check_columns",
    "code_intervals",
    "draft_csv",
    "draft_yaml",
    "find_event",
    "match_codes",
    "name_classes",
    "read_dictionary",
]
