"""The whole tree of a game as rows of numbers, built by playing all moves of the engine. Parents precede children."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import perm
from typing import Any, NamedTuple

from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.lab import codes
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.program import plain_program
from pitboss.lab.engine.sight import is_secret
from pitboss.lab.engine.state import FLAGS, NUMBERS, ROWS, GameState
from pitboss.lab.genome import Genome, deck_size
from pitboss.lab.phases import kinds as phases
from pitboss.lab.solver.information import SEATS, Event, Memory, Sight
from pitboss.lab.solver.shuffles import Shuffle, all_shuffles, count_orders, count_shuffles, dealt_places, last_is_shown

Keys = tuple[int, ...]
Resolved = tuple[Fraction, GameState, int]

CERTAIN = Fraction(1)
MOST_WAYS = 50_000  #: maximum number of ways to draw the cards of one move
MOST_NODES = 2_000_000
MOST_DEALS = 200_000
MOST_STATES = 1000
"""The maximum number of information sets for which a position is stored. Policies later choose moves in them."""
PROBES, MORE_PROBES = 100, 400
CLEARLY = 20
"""The tree is probed more often if its estimated size is within this factor of the limit."""
TOO_MANY = 10**15  #: a probe stops at this size
CHANCE, OVER = -1, -2  #: in place of a seat
ROOT = 0
STEP = 1000


class SolverError(PitbossError, ValueError):
    """A game cannot be solved. The message is one sentence with the reason.

    >>> from pitboss.lab import load, solve
    >>> solve(load("kuhn"), 0)
    Traceback (most recent call last):
    pitboss.lab.SolverError: iterations: expected a whole number of at least 1, got 0
    """


class Position(NamedTuple):
    """The engine's state, the number of cards in the deck that are decided, and what each seat has seen."""

    state: GameState
    decided: int
    keys: Keys


class Outcome(NamedTuple):
    """A chance outcome with its probability."""

    odds: Fraction
    position: Position


class MoveChoice(NamedTuple):
    """A move that a seat can distinguish, one of the engine's moves for it, and their number."""

    label: int
    move: int
    copies: int


class OpenPosition(NamedTuple):
    """A position with its chance outcomes or its choices. If it has neither, the game is over."""

    position: Position
    outcomes: Sequence[Outcome] = ()
    choices: Sequence[MoveChoice] = ()


class Unfolding:
    """Finds the positions that can follow a position, in a game of two players and one deal."""

    def __init__(self, game: Genome, *, suits: bool = False) -> None:
        refuse(game)
        program = plain_program(game)
        self.game, self.sight = game, Sight(game, suits=suits)
        self.memory = Memory(self.sight)
        self.g: Any = program.games[0]
        self.rules = program.rules
        self._end = deck_size(game) - last_is_shown(game, self.sight)

    def begin(self, deck: Sequence[int]) -> OpenPosition:
        """Deal from a deck in this order. The cards that are not dealt are not yet decided."""
        state = GameState()
        state.deck[: len(deck)] = deck
        decided = min(dealt_places(self.game), self._end)
        return self._open(self._seen(None, Event(), self._resolve(state, decided, None)))

    def follow(self, position: Position, move: int) -> OpenPosition:
        """Make a move of the seat to act."""
        return self._open(self._moved(position, move))

    def reopen(self, position: Position) -> OpenPosition:
        """Continue after a chance outcome."""
        return self._open([Outcome(CERTAIN, position)])

    def payoff(self, s: GameState) -> int:
        """Return what seat 0 has won from seat 1: chips or, in a game without chips, 1 for a win and -1 for a loss."""
        if self.g.chips:
            return int(s.stacks[0] - self.g.chips)
        return {1: 1, 2: -1}.get(s.winners, 0)

    # --- moves

    def _open(self, found: Sequence[Outcome]) -> OpenPosition:
        """Go on to the next chance outcomes or the next choice."""
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
        event = Event(before.to_act, self.g.kind[before.phase], label, is_secret(self.g, before, move), shown)
        return self._seen(position.keys, event, self._resolve(before, position.decided, move))

    def _seen(self, before: Keys | None, event: Event, found: Sequence[Resolved]) -> list[Outcome]:
        """Return the outcomes of an event, with what the seats have then seen unless the game is over."""
        seen = self.memory.seen
        return [
            Outcome(odds, Position(s, decided, () if s.over else seen(before, event, s))) for odds, s, decided in found
        ]

    # --- chance

    def _resolve(self, before: GameState, decided: int, move: int | None) -> list[Resolved]:
        """Make a move, or deal, once for each possible order of the cards that it draws."""
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
                "setup: expected a deck that lasts for the whole deal, got a second shuffle; "
                "the solver can only solve games without one"
            )
        if s.chance != before.chance:
            raise SolverError(
                "turn_structure.phases: expected only the deck as chance, got cards that are taken unseen from a hand; "
                "the solver can only solve games without them"
            )
        if s.drawn <= decided or decided == self._end:
            return [(CERTAIN, s, decided)]
        places: dict[int, list[int]] = {}
        for place in range(decided, self._end):
            places.setdefault(self.sight.label(before.deck[place]), []).append(place)
        drawn = min(s.drawn, self._end) - decided
        ways = min(perm(self._end - decided, drawn), len(places) ** drawn)
        if ways > MOST_WAYS:
            raise SolverError(_too_many(f"ways to draw {drawn} cards at once", MOST_WAYS, f"{ways:,}"))
        found = []
        for same in places.values():
            odds, branch = Fraction(len(same), self._end - decided), before.copy()
            branch.deck[decided], branch.deck[same[0]] = branch.deck[same[0]], branch.deck[decided]
            found += [(odds * more, s, known) for more, s, known in self._tried(branch, decided + 1, move)]
        return found

    def _signature(self, s: GameState, decided: int) -> Any:
        """Return a value that is equal for positions whose differences no longer matter."""
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
    """Raise `SolverError` if the solver does not support the game."""
    if game.player_count != SEATS:
        raise SolverError(
            f"player_count: expected 2, got {game.player_count}; the solver can only solve games for two players"
        )
    if game.setup.deals != 1:
        raise SolverError(
            f"setup.deals: expected 1, got {game.setup.deals}; the solver can only solve games of one deal"
        )
    for at, phase in enumerate(game.turn_structure.phases):
        if phase.traits.unsolvable:
            raise SolverError(f"turn_structure.phases[{at}]: {phase.traits.unsolvable}")


StageProgress = Callable[[str, int, int], object]
"""A function that is called with the task, the amount done and the approximate total."""


class Nodes(NamedTuple):
    """The tree for the loops of `solver.py`, in lists or in arrays.

    A slot is a move of an information set. The slots of a set are consecutive.
    """

    up: Any  #: the parent node; the root is its own parent
    seat: Any  #: the seat that decides at the node, or CHANCE or OVER
    edge: Any  #: the slot that leads to the node, or -1 for chance
    odds: Any  #: the probability of the chance outcome; 1 after a decision
    size: Any  #: the number of nodes in the subtree
    payoff: Any  #: if the game is over, what seat 0 wins
    set: Any  #: if a seat decides, the information set
    owner: Any  #: by set: its seat
    first: Any  #: by set: its first slot
    count: Any  #: by set: its number of slots
    sample: Any  #: by set: the first node in it
    copies: Any  #: by slot: the number of equal moves of the engine


class Tree:
    """A complete game tree."""

    def __init__(self, unfolding: Unfolding, deals: int) -> None:
        self.unfolding, self.deals = unfolding, deals
        self.nodes = Nodes(*[[] for _ in Nodes._fields])
        self.chances: dict[int, Fraction] = {}  #: by node: the exact probability, if it is not 1
        self.keys: list[int] = []  #: by set: its key
        self.labels: list[tuple[int, ...]] = []  #: by set: its moves
        self.kinds: list[int] = []  #: by set: the kind of phase
        self.states: list[GameState] = []  #: by set: a position in it, for the first MOST_STATES sets
        self._sets: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.nodes.up)

    @property
    def information_sets(self) -> int:
        """The number of information sets with a choice."""
        return len(self.keys)

    def add(self, up: int, edge: int, odds: Fraction | None, opened: OpenPosition) -> int:
        """Add a child node. Return its number."""
        nodes, here = self.nodes, len(self)
        state = opened.position.state
        seat = CHANCE if opened.outcomes else state.to_act if opened.choices else OVER
        if odds is not None and odds != 1:
            self.chances[here] = odds
        nodes.up.append(up)
        nodes.seat.append(seat)
        nodes.edge.append(edge)
        nodes.odds.append(1.0 if odds is None else float(odds))
        nodes.size.append(1)
        nodes.payoff.append(self.unfolding.payoff(state) if seat == OVER else 0)
        nodes.set.append(self._set(here, seat, opened) if seat >= 0 else -1)
        return here

    def _set(self, here: int, seat: int, opened: OpenPosition) -> int:
        """Return the number of the information set of a decision. A new set gets the next number."""
        state, labels = opened.position.state, tuple([choice.label for choice in opened.choices])
        number = self._sets.setdefault(opened.position.keys[seat], len(self._sets))
        if number == len(self.keys):
            self.keys.append(opened.position.keys[seat])
            self.labels.append(labels)
            self.kinds.append(self.unfolding.g.kind[state.phase])
            if number < MOST_STATES:
                self.states.append(state)
            self.nodes.owner.append(seat)
            self.nodes.first.append(len(self.nodes.copies))
            self.nodes.count.append(len(labels))
            self.nodes.sample.append(here)
            self.nodes.copies.extend([choice.copies for choice in opened.choices])
        assert self.labels[number] == labels, "an information set has the same moves in all its nodes"
        return number

    def measure(self) -> None:
        """Calculate the size of every subtree."""
        up, size = self.nodes.up, self.nodes.size
        for node in range(len(self) - 1, 0, -1):
            size[up[node]] += size[node]

    def set_words(self, number: int) -> str:
        """Return what the seat of an information set has seen, in words."""
        return self.unfolding.memory.words(self.keys[number])

    def move_words(self, number: int) -> list[str]:
        """Return the moves of an information set, in words."""
        sight, kind = self.unfolding.sight, self.kinds[number]
        return [sight.move_word(kind, label) for label in self.labels[number]]


class PendingNode(NamedTuple):
    """A node to add: a deal, a move from a position, or a position after a chance outcome."""

    odds: Fraction | None = None
    deck: tuple[int, ...] = ()
    position: Position | None = None
    choice: int = -1
    move: int = -1

    def open(self, unfolding: Unfolding) -> OpenPosition:
        """Return the position of the node."""
        if self.position is None:
            return unfolding.begin(self.deck)
        return unfolding.reopen(self.position) if self.choice < 0 else unfolding.follow(self.position, self.move)


def pending_nodes(opened: OpenPosition) -> list[PendingNode]:
    """Return the nodes to add below a node."""
    if opened.outcomes:
        return [PendingNode(odds=odds, position=position) for odds, position in opened.outcomes]
    position = opened.position
    return [PendingNode(position=position, choice=at, move=choice.move) for at, choice in enumerate(opened.choices)]


def build_tree(
    game: Genome,
    *,
    suits: bool = False,
    most: int = MOST_NODES,
    sets: int | None = None,
    progress: StageProgress | None = None,
) -> Tree:
    """Build the whole tree of a game. Raise `SolverError` if it is too large or the game is not supported.

    >>> from pitboss.lab import load
    >>> tree = build_tree(load("kuhn"))
    >>> len(tree), tree.information_sets, tree.set_words(1), tree.move_words(1)
    (55, 12, 'seat 1, Q: check', ['check', 'bet'])
    """
    unfolding = Unfolding(game, suits=suits)
    deals = count_shuffles(game, unfolding.sight)
    if deals > MOST_DEALS:
        raise SolverError(_too_many("ways to deal the cards", MOST_DEALS, f"{deals:,}"))
    shuffles = list(all_shuffles(game, unfolding.sight))
    expected = estimate(unfolding, shuffles, enough=CLEARLY * most if sets is None else most)
    if sets is None and most < expected * CLEARLY < most * CLEARLY**2:
        expected = estimate(unfolding, shuffles, MORE_PROBES, enough=CLEARLY * most)
    if expected > most:
        raise SolverError(_too_many_nodes(most, expected))
    return _grown(unfolding, shuffles, (most, most if sets is None else sets), max(expected, 1), progress)


def _too_many_nodes(most: int, expected: int) -> str:
    much = "more than" if expected >= min(TOO_MANY, CLEARLY * most) else "about"
    return _too_many("nodes in the game tree", most, f"{much} {expected:,}")


def _too_many(what: str, most: int, got: str) -> str:
    """Return the message for a game that is too large."""
    return f"expected at most {most:,} {what}, got {got}; the solver can only solve smaller games"


def _grown(
    unfolding: Unfolding,
    shuffles: list[Shuffle],
    limits: tuple[int, int],
    expected: int,
    progress: StageProgress | None,
) -> Tree:
    tree, (most, most_sets) = Tree(unfolding, len(shuffles)), limits
    stack = [(ROOT, waiting) for waiting in reversed(_deals(unfolding, shuffles))]
    if len(stack) > 1:
        _root(tree)
    while stack:
        up, waiting = stack.pop()
        opened = waiting.open(unfolding)
        edge = -1 if waiting.choice < 0 else tree.nodes.first[tree.nodes.set[up]] + waiting.choice
        here = tree.add(up, edge, waiting.odds, opened)
        stack += [(here, below) for below in reversed(pending_nodes(opened))]
        if len(tree) > most:
            raise SolverError(_too_many_nodes(most, max(expected, most + 1)))
        if tree.information_sets > most_sets:
            raise SolverError(_too_many("information sets", most_sets, f"more than {most_sets:,}"))
        if progress and here % STEP == 0:
            progress("unfolding", here, max(expected, here))
    tree.measure()
    return tree


def _deals(unfolding: Unfolding, shuffles: list[Shuffle]) -> list[PendingNode]:
    orders = count_orders(unfolding.game, unfolding.sight)
    return [PendingNode(odds=Fraction(shuffle.weight, orders), deck=shuffle.deck) for shuffle in shuffles]


def _root(tree: Tree) -> None:
    """Add the root. It is the deal."""
    for name, value in {"up": ROOT, "seat": CHANCE, "edge": -1, "odds": 1.0, "size": 1, "payoff": 0, "set": -1}.items():
        getattr(tree.nodes, name).append(value)


def estimate(unfolding: Unfolding, shuffles: list[Shuffle], probes: int = PROBES, *, enough: int | None = None) -> int:
    """Estimate the number of nodes of a tree by Knuth's method: the mean of the estimates from random paths.

    The estimate stops early when the result is certain to be above `enough`.
    """
    chance, total = Chance(0), 0
    for _ in range(probes):
        for wide in _probe(unfolding, PendingNode(deck=chance.choice(shuffles).deck), chance):
            total += wide
            if enough is not None and total * len(shuffles) // probes > enough:
                return min(TOO_MANY, total * len(shuffles) // probes)
    return min(TOO_MANY, total * len(shuffles) // probes)


def _probe(unfolding: Unfolding, waiting: PendingNode, chance: Chance) -> Iterator[int]:
    """Yield the estimated number of nodes at each depth, from one random path."""
    wide = 1
    while wide < TOO_MANY:
        yield wide
        below = pending_nodes(waiting.open(unfolding))
        if not below:
            return
        wide *= len(below)
        waiting = chance.choice(below)
    yield TOO_MANY * MOST_DEALS
