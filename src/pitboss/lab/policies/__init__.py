"""The policies of the lab: random, greedy and search, and many games between them."""
