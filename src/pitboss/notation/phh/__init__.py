"""Recorded hands in the PHH format: ``.phh`` holds one hand, ``.phhs`` many as tables ``[1]``, ``[2]``, and so on."""

from pitboss.notation.phh.check import PhhError
from pitboss.notation.phh.read import read_phh, read_phhs, scan
from pitboss.notation.phh.write import foreign_words, write_phh, write_phhs

__all__ = ["PhhError", "foreign_words", "read_phh", "read_phhs", "scan", "write_phh", "write_phhs"]
