"""The ladder's games: players of every strength against each other, written to be compiled."""
