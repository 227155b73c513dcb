"""Equities, counted exactly or sampled."""
