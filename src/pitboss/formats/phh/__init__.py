"""Recorded hands in the PHH format: ``.phh`` holds one hand, ``.phhs`` many as tables ``[1]``, ``[2]``, and so on."""

from pitboss.formats.phh.fields import PhhError
from pitboss.formats.phh.reader import read_phh, read_phhs, scan
from pitboss.formats.phh.writer import foreign_words, write_phh, write_phhs

__all__ = ["PhhError", "foreign_words", "read_phh", "read_phhs", "scan", "write_phh", "write_phhs"]
