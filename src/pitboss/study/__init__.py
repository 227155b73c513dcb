"""Statistics of recorded hands: what each player won, and how they play."""
