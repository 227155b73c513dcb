"""How fast pitboss is, and how much faster than PokerKit: `make bench`, or `python -m benchmarks`."""
