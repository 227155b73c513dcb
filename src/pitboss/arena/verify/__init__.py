"""Whether a match was honest."""
