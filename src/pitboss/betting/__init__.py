"""Betting: rules as settings, the arithmetic of a round, rounds and pots."""
