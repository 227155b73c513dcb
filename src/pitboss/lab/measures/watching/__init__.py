"""Games watched: the loop behind every measure, written to be compiled."""
