"""Recorded hands: reading, writing and replaying them."""
