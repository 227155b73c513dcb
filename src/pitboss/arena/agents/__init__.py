"""Seats for language models: settings, the endpoint, prompts, answers, and the player that uses them."""
