"""How a hand is looked at and spoken to: as a text, as a picture, as a line and back, in words. No rules stand here."""
