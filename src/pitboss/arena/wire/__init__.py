"""The messages of protocol v1."""
