"""What happens while the engine plays, as events, and as remarks for people."""
