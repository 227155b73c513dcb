"""Games that are small enough, solved."""
