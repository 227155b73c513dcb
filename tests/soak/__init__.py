"""Hours of play with faults, to see whether anything grows or is lost."""
