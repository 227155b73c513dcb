"""Hands by the million, equities exactly: the rules compiled, for people who simulate, study and train.

Numba and NumPy are imported only when a job is large enough to need them.
"""
