"""Strengths and equities, exactly by counting or sampled."""
