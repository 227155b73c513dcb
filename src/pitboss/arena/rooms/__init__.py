"""Seats, clocks, takeover and spectators, for any game."""
