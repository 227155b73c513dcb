"""Bots to begin from, as `pitboss arena new` writes them: each file is one, and plays as it stands."""
