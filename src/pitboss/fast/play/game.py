"""What the loops know of a game: what tells one flop game from another, and which games are none.

Nothing here asks for a game's name: hole cards, streets, deck and rankings decide.
"""

from itertools import accumulate
from typing import Any, NamedTuple

from msgspec import NODEFAULT
from msgspec.structs import fields

from pitboss.betting.refusals import SetupError
from pitboss.betting.rules import Opposition
from pitboss.cards import DECK
from pitboss.fast.play.flop import BOARD, MOST_HOLE, TRIOS
from pitboss.hand.structure import Ranking, Stakes, Street, Structure
from pitboss.ranks import lows

HIGHS = ("high", "short")
KNOWN: dict[type, tuple[str, ...]] = {
    Structure: ("name", "code", "keys", "deck", "streets", "betting", "showdown"),
    Street: ("name", "hole", "board", "big"),
    Ranking: ("order", "from_two"),
    Stakes: ("min_bet", "big_bet", "posts", "antes", "dead", "equal_antes", "price", "opener"),
}
"""The settings that compiled hands follow; with others they are refused, unless these say nothing."""

WITHOUT = {
    "rake": "a rake",
    "bring_in": "a bring-in",
    "runs": "a second run of the board",
    "bomb": "bomb pots",
    "may_muck": "mucking: all who are left show their cards",
}


class FlopGame(NamedTuple):
    """A flop game as the loops read it, in rows.

    How many hole cards, cards and streets there are is how long a row is: of an array the loops look that up, and of a
    row within a record it is part of the type, which the compiler knows. So one loop plays all games, and another,
    compiled from the same source, hold'em alone and faster.
    """

    hole: Any  # one number a card that is dealt to each
    deck: Any  # in order
    steps: Any  # by street, the least bet
    board: Any  # by street, the cards of the board that lie
    trios: Any  # one number for each choice of three cards of the board; a single one: all cards count
    rankings: Any  # one number for each part of the pot: the high, and perhaps the low
    low_bits: Any  # by card, its bit among the ranks that a low is made of
    lows: Any  # by those bits, the strength of a low

    @classmethod
    def of(cls, structure: Structure, stakes: Stakes) -> "FlopGame":
        """The rows of a game that `check_game` has let through."""
        streets = structure.streets
        return cls(
            hole=list(range(streets[0].hole)),
            deck=[DECK.index(card) for card in structure.deck],
            steps=[stakes.step(street) for street in streets],
            board=list(accumulate([street.board for street in streets])),
            trios=list(range(TRIOS if structure.showdown[0].from_two else 1)),
            rankings=list(range(len(structure.showdown))),
            low_bits=[lows.BITS[card] for card in DECK],
            lows=list(lows.LOWS),
        )


def is_holdem(structure: Structure) -> bool:
    """Whether hands are two cards of the whole deck and the best five of seven win, as the house's policies think."""
    return (
        structure.streets[0].hole == 2
        and structure.deck == DECK
        and [(ranking.order, ranking.from_two) for ranking in structure.showdown] == [("high", False)]
    )


def check_game(structure: Structure, stakes: Stakes) -> None:
    """Refuse games whose dealing, showdown or betting the compiled loops do not know."""
    if not _is_flop_game(structure):
        raise SetupError(
            "compiled hands are flop games (hold'em, short-deck hold'em and Omaha of two to six hole cards, high or "
            f"hi-lo), not {structure.name}"
        )
    for setting in _unknown(stakes):
        raise SetupError(f"compiled hands are played without {WITHOUT.get(setting, setting)}")
    rules = structure.betting
    if not rules.matching or rules.opposition != Opposition.ABLE or rules.only_short_all_in:
        raise SetupError("compiled hands are poker: bets are matched, and nobody is asked whom no one can answer")


def _is_flop_game(structure: Structure) -> bool:
    """Cards to everybody once, five to the board, and a high to win by, perhaps with a low beside it."""
    first, *later = structure.streets
    orders = [ranking.order for ranking in structure.showdown]
    both = {ranking.from_two for ranking in structure.showdown}
    return (
        not any(_unknown(entry) for entry in (structure, *structure.streets, *structure.showdown))
        and structure.deck == DECK[len(DECK) - len(structure.deck) :]
        and 2 <= first.hole <= (MOST_HOLE if both == {True} else 2)
        and not any(street.hole for street in later)
        and sum(street.board for street in structure.streets) == BOARD
        and orders[0] in HIGHS
        and orders[1:] in ([], ["low"])
        and len(both) == 1
    )


def _unknown(record: Any) -> list[str]:
    """The settings of a record that compiled hands do not follow, and that say something."""
    return [
        field.name
        for field in fields(record)
        if field.name not in KNOWN[type(record)]
        and (field.default is NODEFAULT or getattr(record, field.name) != field.default)
    ]
