"""The words of protocol v1."""
