"""What recorded hands say about their players: who won how much, and how each of them plays."""
