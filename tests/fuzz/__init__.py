"""Inputs from a fuzzer, which is guided by the code they reach, and those that it kept."""
