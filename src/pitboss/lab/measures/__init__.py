"""Measures that show whether a game is worth playing. Each has an interval. They are not combined into one score."""
