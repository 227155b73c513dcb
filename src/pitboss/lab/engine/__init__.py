"""The engine: a genome as numbers, the state of a game, and its steps; all of it can be compiled."""
