"""The policies of the lab (random, greedy and search), and games between them."""
