"""Hands by the million: simulation for people who study, lockstep arrays for people who train."""
