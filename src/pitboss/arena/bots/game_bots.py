"""House bots for games other than poker: the lab's policies and Sting's opponents.

A bot receives the game as its seat sees it. The lab's policies need a whole game, so hidden cards are dealt at random.
"""

import pickle
from typing import Any

from pitboss.arena.wire.messages import Ask
from pitboss.chance import Chance
from pitboss.lab.codes import MOST_CARDS
from pitboss.lab.game import HIDDEN, LabGame
from pitboss.lab.policies.choice import NAMES, decide
from pitboss.lab.policies.knowledge import plain_work
from pitboss.sting.hand import StingHand
from pitboss.sting.policies import OPPONENTS, PLAYERS

PLAYER_POLICY = "counter"
"""The policy of Sting's Player."""


class GameHouseBot:
    """A house bot at an offline table: it receives the game as its seat sees it, then the question."""

    def __init__(self, name: str, chance: Chance) -> None:
        self._name, self._chance = name, chance
        self._view: Any = None

    def on_position(self, view: bytes) -> None:
        """Receive the game as the seat sees it."""
        self._view = pickle.loads(view)

    def __call__(self, ask: Ask) -> int:
        """Return the number of the move."""
        return choose(self._name, self._view, self._chance.fork(ask.turn))


def choose(bot: str, view: Any, chance: Chance) -> int:
    """Return the number of the bot's move in the legal moves of the game, which the bot's seat sees."""
    if isinstance(view, StingHand):
        policy = OPPONENTS.get(view.to_act, PLAYERS[PLAYER_POLICY])
        return view.legal().index(policy(view, chance))
    assert isinstance(view, LabGame)
    state = deal_hidden_cards(view, chance)
    work, program, numbers = plain_work(), view.program, view.numbers
    moves = [*numbers, *[0] * (len(work.moves[0]) - len(numbers))]
    work.states[0] = state
    kind = NAMES.index(bot)
    move, _ = decide(kind, program.games[0], program.rules, state, moves, len(numbers), work, chance.state)
    return numbers.index(move)


def deal_hidden_cards(view: LabGame, chance: Chance) -> Any:
    """Return the state of a view, in which each hidden card is one of the unseen cards."""
    g, state = view.program.games[0], view.state.copy()
    state.chance = chance.fork(0).state
    rows = [(state.deck, state.drawn, state.undrawn)]
    for row, count in (("discards", "discarded"), ("tableau", "tabled"), ("pile", "piled"), ("trick", "tricked")):
        rows.append((getattr(state, row), 0, getattr(state, count)))
    rows.append((state.community, 0, state.shared))
    for place in range(g.n):
        first = place * MOST_CARDS
        rows.append((state.hands, first, first + state.held[place]))
        rows.append((state.captured, first, first + state.won[place]))
    known = {row[at] for row, first, end in rows for at in range(first, end)}
    unseen = list(chance.fork(1).shuffled([card for card in range(g.cards) if card not in known]))
    for row, first, end in rows:
        for at in range(first, end):
            if row[at] == HIDDEN:
                row[at] = unseen.pop()
    return state
