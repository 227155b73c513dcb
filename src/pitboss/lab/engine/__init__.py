"""The engine: a genome as numbers, the state of a game, and the steps of a game. All functions can be compiled."""
