"""Open Hand History: hands as JSON objects, read into records and written from them."""

from pitboss.formats.ohh.reader import read_ohh, scan_ohh
from pitboss.formats.ohh.values import OhhError, recognise_ohh
from pitboss.formats.ohh.writer import write_ohh

__all__ = ["OhhError", "read_ohh", "recognise_ohh", "scan_ohh", "write_ohh"]
