"""What a holding is worth and who wins."""
