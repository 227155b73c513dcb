"""Verify whether a match was honest."""
