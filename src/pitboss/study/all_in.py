"""The expected winnings of all-in players at the last decision, by exact equity."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from pitboss.betting.pots import Pot
from pitboss.cards import Card, is_known
from pitboss.fast.compiled import NotInstalled
from pitboss.fast.equity.equity import equity
from pitboss.fast.equity.forms import form
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand

_SHARE_PARTS = 10**12
SAMPLES = 20_000
"""If counting takes too long; the standard error of a share is then at most 0.0035 of the pot."""
_COUNTS_BEFORE_COMPILING = 5
"""The number of matches counted by plain code after which compiled code is loaded."""


def expected_chips(hand: Hand, holes: Sequence[Sequence[Card]], paid_out: int) -> Mapping[int, Fraction] | None:
    """Return what each live player could expect of the chips paid out, when the betting was over.

    None if a live hand was never shown or the game has cards to come besides the board. Folded cards count as unknown,
    even if the record has them, and the rake is taken from all pots in proportion.
    """
    live = hand.round.live
    if not _is_counted(hand) or not all(map(is_known, [card for place in live for card in holes[place]])):
        return None
    whole = sum([pot.amount for pot in hand.pots])
    if not whole:
        return None
    expected = dict.fromkeys(live, Fraction(0))
    for pot in hand.pots:
        for place, share in _shares(hand, pot, holes).items():
            expected[place] += share * Fraction(pot.amount * paid_out, whole)
    return expected


def _is_counted(hand: Hand) -> bool:
    """Return whether only board cards can be to come in this game, unlike in stud and draw games."""
    structure = hand.structure
    return structure.hole_by_street[0] == structure.hole_by_street[-1] and not structure.draws


def _shares(hand: Hand, pot: Pot, holes: Sequence[Sequence[Card]]) -> Mapping[int, Fraction]:
    """Return the share of a pot of each player who can win it."""
    if len(pot.places) == 1:
        return {pot.places[0]: Fraction(1)}
    hands = [tuple(holes[place]) for place in pot.places]
    dead = tuple([card for place in hand.round.live if place not in pot.places for card in holes[place]])
    order = sorted(range(len(hands)), key=lambda at: _by_rank(hands[at]))
    relabelled = _relabel([*[hands[at] for at in order], hand.board, dead])
    parts = count_parts(hand.structure.code, tuple(relabelled[:-2]), relabelled[-2], relabelled[-1])
    return {pot.places[at]: Fraction(part, _SHARE_PARTS) for at, part in zip(order, parts, strict=True)}


def _by_rank(cards: Sequence[Card]) -> list[str]:
    return sorted([card[0] for card in cards])


def _relabel(groups: Sequence[Sequence[Card]]) -> list[str]:
    """Return groups of cards with their suits renamed in order, so that equivalent matches are counted once."""
    suits: dict[str, str] = {}
    names = iter("cdhs")
    texts = []
    for cards in groups:
        ordered = sorted(cards, key=lambda card: card[0])
        for card in ordered:
            if card[1] not in suits:
                suits[card[1]] = next(names)
        texts.append("".join(sorted([card[0] + suits[card[1]] for card in ordered])))
    return texts


@lru_cache(maxsize=1 << 16)
def count_parts(game: str, hands: tuple[str, ...], board: str, dead: str) -> tuple[int, ...]:
    """Return the share of each hand in a game, given by its code, in parts that add up to 10**12.

    All boards are counted, but before the flop three or more hands of games other than hold'em are sampled.

    >>> count_parts("NT", ("AhAd", "KsKc"), "", "")
    (812554896794, 187445103206)
    """
    structure = STRUCTURES[game]
    two = structure.hole_by_street[0] == 2
    if two and not board and count_parts.cache_info().misses > _COUNTS_BEFORE_COMPILING:
        _load_compiled()
    exact = two or bool(board) or len(hands) == 2
    given: dict[str, Any] = {"exact": True} if exact else {"samples": SAMPLES}
    shares = equity(*hands, structure=structure, board=board, dead=dead, cores=1, **given).equity
    parts = [round(share * _SHARE_PARTS) for share in shares]
    parts[-1] = _SHARE_PARTS - sum(parts[:-1])
    return tuple(parts)


@cache
def _load_compiled() -> None:
    """Load the compiled loops if Numba is installed; they are a hundred times as fast."""
    with suppress(NotInstalled):
        form(compiled=True)
