"""Evolution of games: a run, its archive and its map."""
