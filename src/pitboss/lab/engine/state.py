"""The state of a game, as plain objects with lists or as packed records with the same names.

A pile of cards is a row of card numbers with a count. The same piles of all players are in one row: each player has
MOST_CARDS places. The module of a kind of phase explains the values that only this kind uses.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pitboss.fast.compiled import PlainRecords, record
from pitboss.lab.codes import COUNTED, MOST_CARDS, MOST_PLAYERS, RANKS, SUITS
from pitboss.lab.phases import kinds as phases

BETTING = {
    "n": "number of players",
    "price": "the total that a player must have bet in this round to stay in",
    "level": "the total from which the next raise is counted",
    "step": "the size of a bet or raise",
    "raises": "number of raises that count toward the cap",
    "pot": "chips that were in the pot before this round",
    "opener": "the player who acted first",
    "holder": "the player with the initiative; always -1 here",
    "turn": "the player to bet, or -1 for none",
}
COUNTS = {
    "drawn": "number of cards drawn from the deck, and the index of the next card",
    "undrawn": "the index after the last card of the deck",
    "discarded": "number of cards on the discards",
    "tabled": "number of cards on the tableau",
    "piled": "number of claimed cards on the pile",
    "tricked": "number of cards in the trick, including those left from tied tricks",
    "shared": "number of community cards",
}
PLACE = {
    "player": "the player whose turn it is",
    "to_act": "the player to act",
    "next": "the next player to act, in a phase in which all players act",
    "phase": "the current phase",
    "stage": "whether the current phase has begun: TO_ENTER or ENTERED",
    "left": "number of cards or answers that the phase still needs",
    "gone": "number of players who have finished the phase (in rounds) or all phases (in turns)",
    "round": "number of finished rounds of this deal",
    "deal": "number of finished deals",
    "starter": "the player who started this deal",
    "direction": "1 for clockwise, -1 for the other way",
    "skip": "number of players who miss their next turn",
    "again": "whether the player has another turn",
    "trump": "this deal's trump suit, or NO_TRUMP",
}
GAME = {
    "turns": "number of actions so far; a phase without an action counts as one",
    "quiet": "1 until a player acts in this phase",
    "moved": "whether a card (in games with only betting, a chip) has moved in this turn (in turns) or round",
    "idle": "number of turns or rounds in a row in which nothing moved; -1 if they end the deal",
    "decisions": "number of decisions",
    "choices": "number of legal moves in all decisions together",
    "over": "whether the game is over",
    "stopped": "whether the turn limit decided the game",
    "judge": "the number of the win condition that decided the last deal",
    "winners": "winners of the last deal or, if the game is over, of the game: one bit per player",
    "arranged": "whether the deck is in a given order and not shuffled",
}
FIELDS = {**BETTING, **COUNTS, **PLACE, **GAME, **phases.STATE}
FLAGS = {
    "folded": "whether the player is out of the deal",
    "acted": "whether the player has acted since raising was last reopened",
}
BY_PLAYER = {
    "stacks": "chips that the player has not bet",
    "bets": "chips that the player has bet in this betting phase",
    "paid": "chips paid in antes and earlier betting phases of this deal",
    "held": "number of cards in hand",
    "won": "number of captured cards",
    "tricks": "number of tricks taken in this deal",
    "score": "points of all deals together",
    "deals_won": "number of deals won, including shared deals",
}
PILES = {
    "deck": "the deck; drawn cards are first",
    "discards": "the discards; the top card is last",
    "tableau": "the cards on the tableau, in the order in which they were laid",
    "pile": "the claimed cards; the top card is last",
    "trick": "the cards of the trick, in the order in which they were played",
    "community": "the community cards",
}
PLAYERS_PILES = {"hands": "the players' hands; the bottom card is last", "captured": "the players' captured cards"}
SCRATCH = {
    "tally": ("the number of cards of each rank, while cards are compared", RANKS),
    "masks": ("the ranks of each suit as bits, while cards are compared", SUITS),
    "strengths": ("the value of each player's position, while a deal is settled", MOST_PLAYERS),
    "counts": ("betting counts, if betting is counted", COUNTED),
}

NUMBERS, ROWS = tuple(FIELDS), tuple(BY_PLAYER)


class GameState:
    """The state of a game in plain Python. `chance` is the random state."""

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
        """Return a copy of the state."""
        twin = GameState.__new__(GameState)
        for name in GameState.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if isinstance(value, list) else value)
        return twin


class PlainStates(PlainRecords[GameState]):
    """A list of states."""

    def __init__(self, count: int) -> None:
        super().__init__(GameState() for _ in range(count))


def packed_states(count: int) -> Any:
    """Return an array of states, as records."""
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
