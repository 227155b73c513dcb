"""PartyPoker hand histories, read into records."""

from pitboss.notation.partypoker.read import PartyPokerError, recognise_partypoker, scan_partypoker

__all__ = ["PartyPokerError", "recognise_partypoker", "scan_partypoker"]
