"""Changes genomes, crosses them, draws them at random and makes them valid."""
