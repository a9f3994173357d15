"""Reading of tables from many file formats, and from standard input."""

from gnbayes.cli.reading.opening import Opened, open_table, read_table
from gnbayes.cli.reading.source import MISSING, Source

__all__ = ["MISSING", "Opened", "Source", "open_table", "read_table"]
