"""The report of a run: a map of its games, and a page and a printed rulebook for each game."""
