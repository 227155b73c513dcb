"""A game's tree, one step at a time: what can follow a position, through the engine that plays it.

Chance is the order of the deck and nothing else. Of that order only what has been drawn is decided: where a move draws
a card that is not decided yet, every card it can be is tried, and outcomes that come to the same are put together.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import perm
from typing import Any, NamedTuple

from pitboss.errors import PitbossError
from pitboss.lab.base import codes
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.program import plain_program
from pitboss.lab.engine.sight import is_secret
from pitboss.lab.engine.state import FLAGS, NUMBERS, ROWS, GameState
from pitboss.lab.genome.parts import Genome
from pitboss.lab.phases import kinds as phases
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.solver.shuffles import dealt_places, deck_size, last_is_shown
from pitboss.lab.solver.sight import SEATS, Event, Memory, Sight

Keys = tuple[int, ...]
Resolved = tuple[Fraction, GameState, int]

CERTAIN = Fraction(1)
MOST_WAYS = 50_000  #: in which the cards of one draw can lie


class SolverError(PitbossError, ValueError):
    """A game that the solver does not take; the message is a sentence that says why."""


class Position(NamedTuple):
    """A position: the engine's state, how many of the deck's cards are decided, and what each seat has seen."""

    state: GameState
    decided: int
    keys: Keys


class Outcome(NamedTuple):
    """One thing that chance can bring, and how likely it is."""

    odds: Fraction
    position: Position


class MoveChoice(NamedTuple):
    """A move as its seat tells it from others, one of the engine's moves that do it, and how many do."""

    label: int
    move: int
    copies: int


class OpenPosition(NamedTuple):
    """A position with what can follow: outcomes of chance, choices of the seat that is asked, or nothing any more."""

    position: Position
    outcomes: Sequence[Outcome] = ()
    choices: Sequence[MoveChoice] = ()


class Unfolding:
    """What can follow what, in a game of two players and one deal."""

    def __init__(self, game: Genome, *, suits: bool = False) -> None:
        refuse(game)
        program = plain_program(game)
        self.game, self.sight = game, Sight(game, suits=suits)
        self.memory = Memory(self.sight)
        self.g: Any = program.games[0]
        self.rules = program.rules
        self._end = deck_size(game) - last_is_shown(game, self.sight)

    def begin(self, deck: Sequence[int]) -> OpenPosition:
        """Deal from a deck in this order; what is not dealt from it is not decided yet."""
        state = GameState()
        state.deck[: len(deck)] = deck
        decided = min(dealt_places(self.game), self._end)
        return self._open(self._seen(None, Event(), self._resolve(state, decided, None)))

    def follow(self, position: Position, move: int) -> OpenPosition:
        """Let the seat that is asked do a move."""
        return self._open(self._moved(position, move))

    def reopen(self, position: Position) -> OpenPosition:
        """Go on from what chance has brought."""
        return self._open([Outcome(CERTAIN, position)])

    def payoff(self, s: GameState) -> int:
        """What seat 0 has won and seat 1 has lost: chips or, in a game without them, one for the win."""
        if self.g.chips:
            return int(s.stacks[0] - self.g.chips)
        return {1: 1, 2: -1}.get(s.winners, 0)

    # --- moves

    def _open(self, found: Sequence[Outcome]) -> OpenPosition:
        """Go on while there is neither chance nor a choice."""
        while True:
            position = found[0].position
            if len(found) > 1:
                return OpenPosition(position, outcomes=found)
            choices = [] if position.state.over else self._choices(position.state)
            if len(choices) != 1:
                return OpenPosition(position, choices=choices)
            found = self._moved(position, choices[0].move)

    def _choices(self, s: GameState) -> list[MoveChoice]:
        moves = [0] * codes.MOST_MOVES
        count = engine.legal(self.g, self.rules, s, moves)
        return [MoveChoice(label, same[0], len(same)) for label, same in self.sight.choices(moves[:count]).items()]

    def _moved(self, position: Position, move: int) -> list[Outcome]:
        before = position.state
        label = self.sight.label(move) if move < codes.MOST_CARDS else move
        shown = self.sight.row(before.pile[before.piled - phases.revealed(self.g, before, move) : before.piled])
        event = Event(before.asked, self.g.kind[before.phase], label, is_secret(self.g, before, move), shown)
        return self._seen(position.keys, event, self._resolve(before, position.decided, move))

    def _seen(self, before: Keys | None, event: Event, found: Sequence[Resolved]) -> list[Outcome]:
        """What came of an event, with what the seats know then, unless it is all over."""
        seen = self.memory.seen
        return [
            Outcome(odds, Position(s, decided, () if s.over else seen(before, event, s))) for odds, s, decided in found
        ]

    # --- chance

    def _resolve(self, before: GameState, decided: int, move: int | None) -> list[Resolved]:
        """Do a move, or deal, for each way in which the cards it draws can lie."""
        found = self._tried(before, decided, move)
        if len(found) == 1:
            return found
        merged: dict[Any, Resolved] = {}
        for odds, s, decided in found:
            same = self._signature(s, decided)
            merged[same] = (odds + merged[same][0], *merged[same][1:]) if same in merged else (odds, s, decided)
        return list(merged.values())

    def _tried(self, before: GameState, decided: int, move: int | None) -> list[Resolved]:
        s = before.copy()
        if move is None:
            s.arranged = 1
            engine.start(self.g, self.rules, s)
        else:
            engine.apply(self.g, self.rules, s, move)
        if s.undrawn != self.g.cards:
            raise SolverError(
                "the deck runs out and is made anew from the discards, and the solver takes one shuffle only"
            )
        if s.chance != before.chance:
            raise SolverError("cards are taken unseen from a hand, and the solver takes no chance but the deck's order")
        if s.drawn <= decided or decided == self._end:
            return [(CERTAIN, s, decided)]
        places: dict[int, list[int]] = {}
        for place in range(decided, self._end):
            places.setdefault(self.sight.label(before.deck[place]), []).append(place)
        drawn = min(s.drawn, self._end) - decided
        ways = min(perm(self._end - decided, drawn), len(places) ** drawn)
        if ways > MOST_WAYS:
            raise SolverError(f"{drawn} cards come at once, in {ways:,} ways, and the solver takes up to {MOST_WAYS:,}")
        found = []
        for same in places.values():
            odds, branch = Fraction(len(same), self._end - decided), before.copy()
            branch.deck[decided], branch.deck[same[0]] = branch.deck[same[0]], branch.deck[decided]
            found += [(odds * more, s, known) for more, s, known in self._tried(branch, decided + 1, move)]
        return found

    def _signature(self, s: GameState, decided: int) -> Any:
        """Equal where positions differ in nothing that matters from here on."""
        sight, numbers = self.sight, [getattr(s, name) for name in NUMBERS if name != "trump"]
        rows = [tuple(getattr(s, name)) for name in (*FLAGS, *ROWS)]
        hands = [sight.hand(s, seat) for seat in range(SEATS)]
        hidden = (
            sight.row(s.pile[: s.piled]),
            sight.row(s.deck[s.drawn : decided]),
            sight.row(s.deck[self._end : s.undrawn]),
        )
        return (sight.public(s), *numbers, *rows, *hands, hidden)


def refuse(game: Genome) -> None:
    """Raise `SolverError` for what the solver never takes."""
    if game.player_count != SEATS:
        raise SolverError(f"player_count: {game.player_count} players, and the solver takes two")
    if game.setup.deals != 1:
        raise SolverError(f"setup.deals: {game.setup.deals} deals, and the solver takes one")
    for at, phase in enumerate(game.turn_structure.phases):
        if isinstance(phase, TrickPhase) and phase.blind and phase.to == "hand":
            why = "cards turned up blindly go into a hand, and the solver takes games only where they lie open"
            raise SolverError(f"turn_structure.phases[{at}]: {why}")
