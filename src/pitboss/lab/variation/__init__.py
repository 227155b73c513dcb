"""Changing genomes, crossing them, drawing them at random and making them valid."""
