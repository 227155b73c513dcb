"""The solver for small games."""
