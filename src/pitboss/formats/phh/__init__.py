"""Recorded hands in the PHH format: a ``.phh`` file has one hand, a ``.phhs`` file many, as tables ``[1]``, ``[2]``."""

from pitboss.formats.phh.fields import PhhError
from pitboss.formats.phh.reader import read_phh, read_phhs, scan
from pitboss.formats.phh.writer import foreign_words, write_phh, write_phhs

__all__ = ["PhhError", "foreign_words", "read_phh", "read_phhs", "scan", "write_phh", "write_phhs"]
