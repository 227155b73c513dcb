"""Formats of recorded hands: PHH, Open Hand History, ACPC logs, and the texts of poker sites."""
