"""Compiled hands: simulation between policies, and batches in lockstep."""
