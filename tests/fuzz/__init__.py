"""Bytes from outside that a fuzzer makes up, guided by what they reach, and those that it found worth keeping."""
