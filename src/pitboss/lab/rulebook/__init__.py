"""A game's rules in plain English."""
