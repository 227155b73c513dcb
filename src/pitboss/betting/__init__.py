"""Betting: rules as settings, the arithmetic of a round, a round as a value, and pots."""
