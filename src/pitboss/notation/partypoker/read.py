"""PartyPoker text into records: where its hands begin, and what is left to be worked out at their end.

A hand prints neither pot nor rake: the house's part is what was put in and nobody was paid.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from pitboss.notation.found import HandFound, ReadError
from pitboss.notation.partypoker.lines import read_line
from pitboss.notation.sites.ending import settle
from pitboss.notation.sites.scan import Line, Site, scan_site
from pitboss.notation.sites.state import HandSoFar, note_uncalled

_BEGINS = r"\*{5} Hand History [Ff]or Game (?P<hand>\w{1,40}) \*{5}.*"
_HEAD = re.compile(_BEGINS)
_ANYWHERE = re.compile(rf"^\s*{_BEGINS}", re.MULTILINE)
_BETWEEN = re.compile(r"Game #\S+ starts\.|#Game No : .*|Game Id: .*|#Game .*")
_MOST_RAKE = Decimal("0.12")


class PartyPokerError(ReadError):
    """A hand of a PartyPoker text that cannot be read."""


def recognise_partypoker(head: str) -> bool:
    """Whether a file that begins so is a PartyPoker text.

    >>> recognise_partypoker("***** Hand History for Game 77 *****"), recognise_partypoker("Game over")
    (True, False)
    """
    return _ANYWHERE.search(head) is not None


def scan_partypoker(lines: Iterable[Line], name: str = "", lenient: bool = False) -> Iterator[HandFound]:
    """Every hand of numbered lines, in flat memory."""
    return scan_site(PARTY_POKER, lines, name, lenient=lenient)


def _find_head(line: str) -> int:
    found = _HEAD.search(line)
    return found.start() if found else -1


def _read_head(hand: HandSoFar, text: str) -> None:
    found = _HEAD.fullmatch(text)
    if not found:
        raise ReadError("a hand does not begin so")
    digits = found["hand"]
    hand.number = int(digits) if digits.isdigit() and len(digits) < 19 else digits
    hand.venue, hand.section = "PartyPoker", "head"


def _finish(hand: HandSoFar) -> None:
    """Give back what nobody called, which the winner is said to win, and take what is missing for the house's part."""
    note_uncalled(hand)
    winner = hand.bettor
    won = sum(player.won for player in hand.players)
    if winner is not None and winner.won >= hand.beyond and not _is_known_pot(hand, won):
        winner.won -= hand.beyond
        hand.pot -= hand.beyond
        won -= hand.beyond
    elif winner is not None and hand.pot - hand.beyond >= won:
        winner.left += hand.beyond
        hand.pot -= hand.beyond
    hand.returned = True
    rake = hand.pot - won
    most = 0 if hand.event else hand.pot * _MOST_RAKE + hand.dropped
    if not 0 <= rake <= most:
        raise ReadError(f"{hand.pot} were put in and {won} won: the house cannot have taken {rake}")
    settle(hand, hand.pot, rake)


def _is_known_pot(hand: HandSoFar, won: object) -> bool:
    """Whether what was won is the pot as a summary prints it, without what nobody called."""
    return bool(hand.total) and hand.total == won


PARTY_POKER = Site(
    key="partypoker",
    find_head=_find_head,
    read_head=_read_head,
    read_line=read_line,
    ends=lambda line: False,
    belongs=lambda line: True,
    is_between=lambda line: _BETWEEN.fullmatch(line) is not None,
    finish=_finish,
    error=PartyPokerError,
)
