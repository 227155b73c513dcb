"""The loops of the solver. They have a folder of their own, so that other changes do not make Numba compile again."""
