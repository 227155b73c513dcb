"""The state of a game, as plain objects with lists or as packed records with the same names.

Piles of cards are rows of card numbers with a count. The piles of players are in one row, MOST_CARDS apart. The values
that only one kind of phase uses are explained in its module.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pitboss.fast.compiled import PlainRecords, record
from pitboss.lab.codes import COUNTED, MOST_CARDS, MOST_PLAYERS, RANKS, SUITS
from pitboss.lab.phases import kinds as phases

BETTING = {
    "n": "number of players",
    "price": "total bet of this round that stays in",
    "level": "the base of the next raise",
    "step": "the size of a bet or raise",
    "raises": "raises that count toward the cap",
    "pot": "chips in the pot from before this round",
    "opener": "the player who acted first",
    "holder": "the player with the initiative; always -1 here",
    "turn": "the player to bet; -1 for none",
}
COUNTS = {
    "drawn": "cards drawn from the deck, which is the index of the next one",
    "undrawn": "the end of the deck",
    "discarded": "cards on the discards",
    "tabled": "cards on the tableau",
    "piled": "claimed cards face down on the pile",
    "tricked": "cards in the trick, including those left from tied tricks",
    "shared": "number of community cards",
}
PLACE = {
    "player": "the player whose turn it is",
    "asked": "the player to act",
    "next": "the next player to act, in a phase in which all players act",
    "phase": "the current phase",
    "stage": "whether it has begun: TO_ENTER or ENTERED",
    "left": "cards or answers that the phase still waits for",
    "gone": "players who have finished the phase (in rounds) or all phases (in turns) in this round",
    "round": "finished rounds of this deal",
    "deal": "finished deals",
    "starter": "the player who started this deal",
    "direction": "1: clockwise; -1: the other way",
    "skip": "players who miss their next turn",
    "again": "whether the player has another turn",
    "trump": "this deal's trump suit, or NO_TRUMP",
}
GAME = {
    "turns": "actions so far, and phases that passed without one",
    "quiet": "1 until a player moves in this phase",
    "moved": "whether a card (or a chip, if there is only betting) has moved in this turn (in turns) or round",
    "idle": "turns or rounds in a row in which nothing moved; -1 if they end the deal",
    "decisions": "number of decisions",
    "choices": "sum of the legal moves of all decisions",
    "over": "whether the game is over",
    "stopped": "whether the turn limit decided it",
    "judge": "the number of the win condition that decided the last deal",
    "winners": "winners of the last deal or, when it is over, the game: one bit per player",
    "arranged": "whether the deck is in a given order and not shuffled",
}
FIELDS = {**BETTING, **COUNTS, **PLACE, **GAME, **phases.STATE}
FLAGS = {
    "folded": "whether the player is out of the deal",
    "acted": "whether the player has acted since raising was last reopened",
}
BY_PLAYER = {
    "stacks": "chips behind",
    "bets": "chips bet in this betting phase",
    "paid": "chips paid in antes and earlier betting phases of this deal",
    "held": "cards in hand",
    "won": "captured cards",
    "tricks": "tricks taken in this deal",
    "score": "points, over all deals",
    "deals_won": "deals won, including shared ones",
}
PILES = {
    "deck": "the deck, its drawn cards first",
    "discards": "the discards, the top card last",
    "tableau": "the cards on the tableau, in the order in which they were laid",
    "pile": "the claimed cards, the last ones on top",
    "trick": "the cards of the trick, in the order in which they were played",
    "community": "the community cards",
}
PLAYERS_PILES = {"hands": "the players' hands, the bottom card last", "captured": "the players' captured cards"}
SCRATCH = {
    "tally": ("how often each rank occurs, while cards are compared", RANKS),
    "masks": ("each suit's ranks as bits, while cards are compared", SUITS),
    "strengths": ("the value of each position, while a deal is settled", MOST_PLAYERS),
    "counts": ("betting counts, if they are wanted", COUNTED),
}

NUMBERS, ROWS = tuple(FIELDS), tuple(BY_PLAYER)


class GameState:
    """The state of a game in plain Python; `chance` is the state of its random stream."""

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
        """A copy of the state."""
        twin = GameState.__new__(GameState)
        for name in GameState.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if isinstance(value, list) else value)
        return twin


class PlainStates(PlainRecords[GameState]):
    """A row of states."""

    def __init__(self, count: int) -> None:
        super().__init__(GameState() for _ in range(count))


def packed_states(count: int) -> Any:
    """An array of states, as records."""
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
