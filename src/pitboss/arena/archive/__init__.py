"""Finished hands out of the journal, for spectators: lists, single hands as they were shown, and PHH."""
