"""Everything that changes while a game is played, as plain objects with lists or as packed records of the same names.

Piles of cards are rows of card numbers with a count; those of players lie one after another, MOST_CARDS apart. What one
kind of phase alone writes down is named and explained in its module.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pitboss.fast.compiled import PlainRecords, record
from pitboss.lab.codes import COUNTED, MOST_CARDS, MOST_PLAYERS, RANKS, SUITS
from pitboss.lab.phases import kinds as phases

BETTING = {
    "n": "how many play",
    "price": "what staying costs in total",
    "level": "what the next raise is measured from",
    "step": "the size of a bet or raise",
    "raises": "how many counted toward the cap",
    "pot": "chips in the middle from before this round",
    "opener": "who spoke first",
    "holder": "who holds the initiative; always -1 here",
    "turn": "who is asked to bet; -1: nobody",
}
COUNTS = {
    "drawn": "how many of the deck's cards are drawn: its next one stands at this place",
    "undrawn": "where the deck ends",
    "discarded": "how many cards lie on the discards",
    "tabled": "how many cards lie on the tableau",
    "piled": "how many claimed cards lie face down",
    "tricked": "how many cards lie in the trick, also those left from tied ones",
    "shared": "how many community cards there are",
}
PLACE = {
    "player": "whose turn it is",
    "asked": "who has to decide",
    "next": "whom a phase asks next, where it asks all one after another",
    "phase": "the present phase",
    "stage": "whether it has begun: TO_ENTER or ENTERED",
    "left": "how many cards or answers the phase still waits for",
    "gone": "how many have gone through the phase (in rounds) or all phases (in turns) since this round began",
    "round": "how many rounds of this deal are done",
    "deal": "how many deals are done",
    "starter": "who started this deal",
    "direction": "1: clockwise; -1: the other way",
    "skip": "how many players the turn passes over next",
    "again": "whether whoever's turn it is has another one",
    "trump": "this deal's trump suit, or NO_TRUMP",
}
GAME = {
    "turns": "actions so far, and phases that passed without one",
    "quiet": "1 until somebody does something in this phase",
    "moved": "whether a card (where there is only betting, a chip) has moved since this turn (in turns) or round began",
    "idle": "how many turns or rounds in a row nothing has moved; -1: enough of them to end the deal",
    "decisions": "how often somebody was asked",
    "choices": "how many moves there were to choose from, over all decisions",
    "over": "whether the game is over",
    "stopped": "whether the turn limit decided it",
    "judge": "the number of the win condition that decided the last deal",
    "winners": "who won the last deal or, once it is over, the game: a bit a player",
    "arranged": "whether the deck lies as it is to be dealt, so that it is not shuffled",
}
FIELDS = {**BETTING, **COUNTS, **PLACE, **GAME, **phases.STATE}
FLAGS = {
    "folded": "who is out of the deal",
    "acted": "who has acted since raising was last reopened",
}
BY_PLAYER = {
    "stacks": "chips behind",
    "bets": "what everybody has bet in this betting phase",
    "paid": "what antes and earlier betting phases of this deal took",
    "held": "how many cards everybody holds",
    "won": "how many cards lie before everybody",
    "tricks": "tricks taken in this deal",
    "score": "points, over all deals",
    "deals_won": "deals won, also those shared",
}
PILES = {
    "deck": "the deck, its drawn cards first",
    "discards": "the discards, the top card last",
    "tableau": "the cards on the tableau, as they were laid",
    "pile": "the claimed cards, the last ones on top",
    "trick": "the cards of the trick, as they were played",
    "community": "the community cards",
}
PLAYERS_PILES = {
    "hands": "everybody's cards, the bottom one last",
    "captured": "what lies before everybody",
}
SCRATCH = {
    "tally": ("how often each rank occurs, while cards are compared", RANKS),
    "masks": ("each suit's ranks as bits, while cards are compared", SUITS),
    "strengths": ("what everybody's position is worth, while a deal is settled", MOST_PLAYERS),
    "counts": ("what has been counted of the betting, where it is asked for", COUNTED),
}

NUMBERS, ROWS = tuple(FIELDS), tuple(BY_PLAYER)


class GameState:
    """One game at one moment, in plain Python; `chance` is the stream from which all chance to come is drawn."""

    __slots__ = (*FIELDS, *FLAGS, *BY_PLAYER, *PILES, *PLAYERS_PILES, *SCRATCH, "chance")

    def __init__(self) -> None:
        self.chance = 0
        for name in FIELDS:
            setattr(self, name, 0)
        for name, size in _sizes():
            setattr(self, name, [0] * size)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def copy(self) -> "GameState":
        """Another state that is the same."""
        twin = GameState.__new__(GameState)
        for name in GameState.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if isinstance(value, list) else value)
        return twin


class PlainStates(PlainRecords[GameState]):
    """So many states in a row."""

    def __init__(self, count: int) -> None:
        super().__init__(GameState() for _ in range(count))


def packed_states(count: int) -> Any:
    """An array of so many states, as records."""
    import numpy as np

    small = {*FLAGS, *PILES, *PLAYERS_PILES}
    columns: list[tuple[Any, ...]] = [("chance", np.uint64), *[(name, np.int64) for name in FIELDS]]
    columns += [(name, np.uint8 if name in small else np.int64, size) for name, size in _sizes()]
    return np.zeros(count, record(columns))


def _sizes() -> Iterable[tuple[str, int]]:
    yield from [(name, MOST_PLAYERS) for name in (*FLAGS, *BY_PLAYER)]
    yield from [(name, MOST_CARDS) for name in PILES]
    yield from [(name, MOST_PLAYERS * MOST_CARDS) for name in PLAYERS_PILES]
    yield from [(name, size) for name, (_, size) in SCRATCH.items()]
