"""Finished hands out of the journal, for whoever watches: lists, single hands as they were shown, and PHH."""
