"""What a designer gets of a run: a map of its games, a page and a printed rulebook for each."""
