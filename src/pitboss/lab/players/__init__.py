"""Who plays in the lab, and many games between them."""
