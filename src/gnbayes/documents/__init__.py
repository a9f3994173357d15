"""Files that contain one document: the envelope around its content, safe reading, atomic writing."""

from gnbayes.documents._cells import escape_formula
from gnbayes.documents._checking import need, part
from gnbayes.documents._envelope import DocumentError, checksum, document_of, parse_document
from gnbayes.documents._reading import read_bytes
from gnbayes.documents._writing import complete_file, readable, write_atomically

__all__ = [
    "DocumentError",
    "checksum",
    "complete_file",
    "document_of",
    "escape_formula",
    "need",
    "parse_document",
    "part",
    "read_bytes",
    "readable",
    "write_atomically",
]
