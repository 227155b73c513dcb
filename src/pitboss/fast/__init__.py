"""The rules in compiled loops: simulated hands, equities and hand strengths.

Numba and NumPy are imported only when a job is large enough to need them.
"""
