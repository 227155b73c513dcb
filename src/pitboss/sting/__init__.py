"""Sting: a small card game of three rounds. A raise plays a card, and the first player to raise has the initiative."""
