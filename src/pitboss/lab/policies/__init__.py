"""What decides in the lab: random, greedy and searching policies, and many games between them."""
