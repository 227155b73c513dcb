"""Sting: a small game of three rounds whose raises commit cards and whose first raiser holds the initiative."""
