"""PartyPoker hand histories, read into records."""

from pitboss.errors import show_by_public_name
from pitboss.notation.partypoker.read import PartyPokerError, recognise_partypoker, scan_partypoker

__all__ = ["PartyPokerError", "recognise_partypoker", "scan_partypoker"]

show_by_public_name(__name__, globals(), __all__)
