"""What makes a game worth playing, measured: each measure with its interval, apart from any score."""
