"""GGPoker hand histories, whose lines are PokerStars' but for the head and a few more: read into records."""

from pitboss.notation.ggpoker.read import GGPOKER, scan_ggpoker

__all__ = ["GGPOKER", "scan_ggpoker"]
