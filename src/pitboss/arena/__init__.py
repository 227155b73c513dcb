"""Where bots meet; for now, the players of the house."""
