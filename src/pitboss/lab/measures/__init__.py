"""Measures of what makes a game worth playing, each with its interval and without an overall score."""
