"""Finished hands from the journal, for spectators: lists, single hands as they were shown, and PHH."""
