"""A card game as data: its parts, the games that come with pitboss, and what makes one unplayable."""
