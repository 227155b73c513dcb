"""Solve a spot, and walk through the solution: what each hand does at a decision, and what it wins."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from os import PathLike
from typing import Any, BinaryIO

from msgspec import Struct

from pitboss.cards import Card
from pitboss.fast.threads import available_cores
from pitboss.solver.boards import Hands, rename
from pitboss.solver.engine import MEGABYTE, Engine, meetings
from pitboss.solver.files import SavedFigures, read_engine, save_engine
from pitboss.solver.interrupts import Interrupts
from pitboss.solver.locks import FixedHands, Locks, Place, Shares, hand_names, read_shares
from pitboss.solver.schedule import steps
from pitboss.solver.sizes import SEATS, Sizes, SpotError
from pitboss.solver.snapshot import BestSoFar
from pitboss.solver.spot import Spot, card_number
from pitboss.solver.tree import LEAF, NODE, Decision, Forest

FIRST_CHECK, GROWTH, PATIENCE = 20, 1.25, 0.3
"""The first iteration after which the exploitability is measured, the most by which the number then grows, and the
longest time in seconds between two looks at the clock."""


class Progress(Struct, frozen=True):
    """How far a solve is."""

    iterations: int
    seconds: float
    exploitability: float


class HandValues(Mapping[str, float]):
    """A number for each hand of a player, by its name in either order, such as `AhKh`, or by class, such as `AKs`."""

    def __init__(self, names: list[str], array: Any, weights: Any) -> None:
        """Keep the numbers in `array`; the mean of several hands counts each by its weight."""
        self.names, self.array, self.weights = names, array, weights
        self._number = {name: number for number, name in enumerate(names)}

    def __getitem__(self, hand: str) -> float:
        import numpy as np

        if hand in self._number:
            return float(self.array[self._number[hand]])
        numbers = [self._number[name] for name in hand_names(hand) if name in self._number]
        if not numbers:
            raise KeyError(hand)
        weights = self.weights[numbers]
        return float(np.average(self.array[numbers], weights=weights if weights.sum() else None))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def mean(self) -> float:
        """The mean over all hands, counted by their weights."""
        import numpy as np

        known = np.isfinite(self.array) & (self.weights > 0)
        return float(np.average(self.array[known], weights=self.weights[known])) if known.any() else float("nan")


class Strategy(Mapping[str, dict[str, float]]):
    """How often each hand takes each action. `array` has a row per hand and a column per action."""

    def __init__(self, actions: tuple[str, ...], names: list[str], array: Any, weights: Any) -> None:
        """Keep the frequencies; the mean of several hands counts each by its weight."""
        self.actions, self.array, self.names = actions, array, names
        self._columns = [HandValues(names, array[:, number], weights) for number in range(len(actions))]

    def __getitem__(self, hand: str) -> dict[str, float]:
        return {action: column[hand] for action, column in zip(self.actions, self._columns, strict=True)}

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def mean(self) -> dict[str, float]:
        """How often each action is taken with all hands."""
        return {action: column.mean for action, column in zip(self.actions, self._columns, strict=True)}


class Seat:
    """What one player has at a node."""

    def __init__(self, node: "Node", player: int) -> None:
        """Look at a node as the player 0 (out of position) or 1."""
        self._node, self._player = node, player

    @cached_property
    def range(self) -> HandValues:
        """How often the player still has each hand."""
        weights = self._node._actual(self._player, self._node._reaches[self._player])
        return HandValues(self.names, weights, weights)

    @cached_property
    def ev(self) -> HandValues:
        """The chips that each hand wins on average from here on; folding wins 0. With prizes, what it is worth."""
        return HandValues(self.names, self._node._actual(self._player, self._node._ev(self._player)), self._met)

    @cached_property
    def equity(self) -> HandValues:
        """The share of the pot that each hand wins on average if no one bets any more."""
        return HandValues(self.names, self._node._actual(self._player, self._node._equities[self._player]), self._met)

    @property
    def names(self) -> list[str]:
        """All hands of the range, in the order of the arrays."""
        return self._node.solution.engine.hands[self._player].names

    @cached_property
    def _met(self) -> Any:
        """The weight of each hand, by how often it is held and meets a hand of the other player."""
        node, player = self._node, self._player
        return node._actual(player, node._reaches[player] * node._meetings(player))


class Node:
    """A place in a solution: a decision, a card to deal, or the end of the hand."""

    def __init__(self, solution: "SpotSolution", tree: int, at: Any, **state: Any) -> None:
        """Use `SpotSolution.root`, `play` and `deal` instead."""
        self.solution, self._tree, self._at = solution, tree, at
        self._turn: int = state["turn"]  # the place of the turn card among those that are solved
        self._block: int = state["block"]  # the index of this board within its tree's stored data
        self._suits: tuple[int, ...] = state["suits"]  # turns the cards of the solved board into those of this one
        self._reaches: tuple[Any, Any] = state["reaches"]  # of both players, on the solved board
        self._entry: tuple[int, tuple[Any, Any]] = state["entry"]  # how the street began: the root and the reaches
        self.board: tuple[Card, ...] = state["board"]
        self.line: tuple[str, ...] = state["line"]

    @property
    def _forest(self) -> Forest:
        return self.solution.engine.forests[self._tree]

    @property
    def _decision(self) -> Decision | None:
        return self._forest.nodes[self._at.number] if self._at.kind == NODE else None

    def _needed(self) -> Decision:
        if self._decision is None:
            what = "a card has to be dealt, as in .deal('5c')" if self._at.kind == LEAF else "the hand is over"
            raise SpotError(f"{self.name}: expected a decision, but {what}")
        return self._decision

    @property
    def name(self) -> str:
        """The line in words, for errors."""
        return f"after {', '.join(self.line)}" if self.line else "at the root"

    @property
    def street(self) -> str:
        """The street: flop, turn or river."""
        return self._forest.street

    @property
    def player(self) -> str | None:
        """The seat that decides, `oop` or `ip`, or None."""
        return SEATS[self._decision.player] if self._decision else None

    @property
    def can_deal(self) -> bool:
        """Whether a card follows."""
        return bool(self._at.kind == LEAF)

    @property
    def is_reached(self) -> bool:
        """Whether both players come here with hands that can meet."""
        return bool((self._reaches[0] * self._meetings(0)).sum() > 0)

    @property
    def actions(self) -> tuple[str, ...]:
        """What the player may do, such as `("check", "bet 94")`; empty if no one decides."""
        return tuple(self._decision.actions) if self._decision else ()

    @property
    def chips(self) -> tuple[int, int]:
        """What both players have added to the pot since the start of the spot."""
        if self._at.kind == LEAF:
            both = self._forest.leaves[self._at.number].chips
            return both, both
        return self._decision.chips if self._decision else self._at.chips

    @property
    def pot(self) -> int:
        """The chips in the pot, with all bets."""
        return self.solution.spot.pot + sum(self.chips)

    # --- walking

    def play(self, *actions: str) -> "Node":
        """Return the node after some actions, such as `play("check", "bet 94", "call")`."""
        node = self
        for action in actions:
            node = node._after(action)
        return node

    def _after(self, action: str) -> "Node":
        decision = self._needed()
        wanted = " ".join(str(action).lower().split())
        if wanted in ("all in", "all-in", "allin"):
            street = self._entry_chips()
            wanted = next(
                (name for name in decision.actions if name.endswith(f" {self.solution.spot.stack - street}")), wanted
            )
        if wanted not in decision.actions:
            raise SpotError(f"{self.name}: expected {' or '.join(decision.actions)}, got {action!r:.40}")
        number = decision.actions.index(wanted)
        played = self._frequencies(decision)[number]
        reaches = list(self._reaches)
        reaches[decision.player] = reaches[decision.player] * played
        return self._moved(at=decision.ends[number], reaches=tuple(reaches), line=(*self.line, wanted))

    def _entry_chips(self) -> int:
        """Return what each player had added when this street began."""
        root = self._forest.roots[self._entry[0]]
        return self._forest.nodes[root.number].chips[0] if root.kind == NODE else self.solution.spot.stack

    def _moved(self, **changes: Any) -> "Node":
        state = {
            "tree": self._tree,
            "at": self._at,
            "turn": self._turn,
            "block": self._block,
            "suits": self._suits,
            "reaches": self._reaches,
            "entry": self._entry,
            "board": self.board,
            "line": self.line,
        }
        return Node(self.solution, **{**state, **changes})

    def deal(self, card: Card) -> "Node":
        """Return the node after a card of the turn or river."""
        engine, number = self.solution.engine, self._card(card)
        orbits = engine.orbits
        first = self.street == "flop"
        solved = rename(number, _inverse(self._suits))
        choices = orbits.turns if first else orbits.rivers
        start, end = (0, len(choices)) if first else orbits.river_from[self._turn : self._turn + 2]
        place, image = next(
            (place, image)
            for place in range(start, end)
            for image in choices[place].images
            if rename(choices[place].card, orbits.suits[image]) == solved
        )
        suits = orbits.suits[image]
        reaches = []
        for player in (0, 1):
            hands = engine.hands[player]
            held = self._reaches[player][engine.sides[player].renamed[image]]
            known = choices[place].card
            reaches.append(held * ((hands.high != known) & (hands.low != known)))
        leaf = self._at.number
        tree = 1 + 2 * leaf if first else self._tree + 1
        entry = 0 if first else leaf
        return self._moved(
            tree=tree,
            at=engine.forests[tree].roots[entry],
            turn=place if first else self._turn,
            block=place,
            suits=tuple([self._suits[suits[suit]] for suit in range(4)]),
            reaches=(reaches[0], reaches[1]),
            entry=(entry, (reaches[0], reaches[1])),
            board=(*self.board, card),
            line=(*self.line, card),
        )

    def _card(self, card: Card) -> int:
        if self._at.kind != LEAF:
            raise SpotError(f"{self.name}: expected no card here, got {card!r:.20}")
        if card not in self.solution.spot.setting[1] or card in self.board:
            raise SpotError(f"{self.name}: expected a card of the deck that is not on the board, got {card!r:.20}")
        return card_number(card)

    def walk(self, line: str) -> "Node":
        """Return the node after a line such as `check, bet 94, call, 5c`."""
        node = self
        for part in filter(None, [part.strip() for part in line.split(",")]):
            node = node.deal(part[0].upper() + part[1:].lower()) if len(part) == 2 else node.play(part)
        return node

    def place(self) -> Place:
        """Return where the solution keeps this decision. Boards that differ only in suits share a place."""
        return Place(self._needed().player, self._tree, self._block, self._at.number)

    def stored(self, hands: FixedHands) -> FixedHands:
        """Return locked hands of this board as hands of the board that is solved for it."""
        places = _renamed_places(self.solution.engine.hands[self._needed().player], self._suits)
        return FixedHands(hands.mask[places], hands.shares[:, places])

    # --- figures

    def seat(self, name: str) -> Seat:
        """Return what a player has here: `oop` or `ip`."""
        if name not in SEATS:
            raise SpotError(f"seat: expected oop or ip, got {name!r:.20}")
        return Seat(self, SEATS.index(name))

    @cached_property
    def strategy(self) -> Strategy:
        """How often each hand of the player who decides takes each action."""
        decision = self._needed()
        shown = [self._actual(decision.player, row) for row in self._frequencies(decision)]
        import numpy as np

        return Strategy(self.actions, self._own.names, np.stack(shown, axis=1), self._own.range.array)

    @cached_property
    def _own(self) -> Seat:
        return Seat(self, self._needed().player)

    @property
    def range(self) -> HandValues:
        """How often the player who decides still has each hand."""
        return self._own.range

    @property
    def ev(self) -> HandValues:
        """The chips that each hand of the player who decides wins from here on; folding wins 0."""
        return self._own.ev

    @property
    def equity(self) -> HandValues:
        """The share of the pot that each hand of the player who decides wins if no one bets any more."""
        return self._own.equity

    def columns(self) -> dict[str, Any]:
        """Return the figures of the player who decides as columns, by name: one row per hand that the player can have.

        `pandas.DataFrame(node.columns())` and `polars.DataFrame(node.columns())` make a frame.
        """
        import numpy as np

        self._needed()
        shown = np.nonzero(self.range.array > 0)[0]
        found: dict[str, Any] = {
            "hand": [self._own.names[number] for number in shown],
            "weight": self.range.array[shown],
        }
        found |= {action: self.strategy.array[shown, number] for number, action in enumerate(self.actions)}
        return found | {"ev": self.ev.array[shown], "equity": self.equity.array[shown]}

    def _frequencies(self, decision: Decision) -> Any:
        """Return the average strategy, a row per action, for the hands in the order of the range."""
        return self.solution.engine.average(decision.player, self._tree, self._block, self._at.number)

    def _actual(self, player: int, array: Any) -> Any:
        """Return numbers of the solved board for the hands of this board."""
        import numpy as np

        hands = self.solution.engine.hands[player]
        moved = np.zeros_like(array)
        moved[_renamed_places(hands, self._suits)] = array
        return moved

    def _meetings(self, player: int) -> Any:
        engine = self.solution.engine
        return meetings(engine.hands, engine.alike, player, self._reaches[1 - player].astype(float))

    def _ev(self, player: int) -> Any:
        """Return what each hand wins, for the hands in the order of the range."""
        import numpy as np

        engine, decision = self.solution.engine, self._needed()
        plan = engine.plans[player]
        root, reaches = self._entry
        entries = np.zeros((len(self._forest.roots), len(reaches[1 - player])), np.float32)
        entries[root] = reaches[1 - player]
        values, _ = engine.look(player, self._tree, self._block, entries)
        value = engine.natural(player, self._tree, self._block, values[self._at.number])
        _ = plan
        met = self._meetings(player)
        spot = self.solution.spot
        start = 0.0 if spot.icm is not None else spot.pot / 2 + decision.chips[player]
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.where(met > 0, value / met + start, np.nan)
        return np.where(self._reaches[player] >= 0, found, np.nan)

    @cached_property
    def _equities(self) -> tuple[Any, Any]:
        """Return both players' equities, in the order of the range, on the solved board."""
        inverse = _inverse(self._suits)
        board = [_card_name(rename(card_number(card), inverse)) for card in self.board]
        return equities(self.solution.spot, board, self.solution.engine.hands, self._reaches)


def _renamed_places(hands: Hands, suits: tuple[int, ...]) -> Any:
    """Return the number of the hand that each hand becomes."""
    number = {frozenset((int(a), int(b))): n for n, (a, b) in enumerate(zip(hands.high, hands.low, strict=True))}
    return [
        number[frozenset((rename(int(a), suits), rename(int(b), suits)))]
        for a, b in zip(hands.high, hands.low, strict=True)
    ]


def _inverse(suits: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([suits.index(suit) for suit in range(4)])


def _card_name(number: int) -> Card:
    from pitboss.cards import DECK

    return DECK[number]


def equities(spot: Spot, board: list[Card], hands: tuple[Hands, Hands], reaches: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the equity of each hand against the other player's reaches, if all cards are dealt without bets."""
    import numpy as np

    from pitboss.solver.loops.kernels import AVERAGE

    cards = [card_number(card) for card in board]
    left, places = [], []
    for held, reach in zip(hands, reaches, strict=True):
        free = ~(np.isin(held.high, cards) | np.isin(held.low, cards))
        place = np.nonzero(free)[0]
        places.append(place)
        weights = np.asarray(reach, np.float32)[place]
        left.append(Hands([held.names[number] for number in place], held.high[place], held.low[place], weights))
    bare = Spot(oop="random", ip="random", board=board, pot=2, stack=0, sizes=Sizes(), game=spot.game)
    engine = Engine(bare, hands=(left[0], left[1])).allocate()
    found = []
    for player in (0, 1):
        value = engine.values_by_hand(player, AVERAGE).astype(float)
        met = meetings(engine.hands, engine.alike, player, engine.hands[1 - player].weights.astype(float))
        whole = np.full(len(hands[player].names), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            whole[places[player]] = np.where(met > 0, (value / met + 1) / 2, np.nan)
        found.append(whole)
    return found[0], found[1]


class SpotSolution:
    """A spot that is being solved, or is solved.

    >>> spot = Spot(oop="AA,QQ", ip="KK", board="2c2d7h8s9c", pot=100, stack=100, sizes=Sizes(river="a"))
    >>> solve(spot, 0.01, progress=lambda state: None).root.actions
    ('check', 'bet 100')
    """

    def __init__(self, engine: Engine) -> None:
        """Use `solve` or `load_solution` instead."""
        self.engine, self.spot = engine, engine.spot
        self.seconds = 0.0
        self.can_resume = True
        self.locks: list[tuple[tuple[str, ...], dict[str, dict[str, float]]]] = []
        """The line and the hands of each lock, in the order in which they were made."""
        self._locks = Locks(engine)
        self._exploitability: float | None = None

    @property
    def iterations(self) -> int:
        """How often both players have learned."""
        return self.engine.iterations

    @property
    def memory_mb(self) -> float:
        """The memory of the regrets and average strategies."""
        return float(self.engine.memory / MEGABYTE)

    def solve(
        self, target: float = 0.003, seconds: float | None = None, progress: Callable[[Progress], None] | None = None
    ) -> "SpotSolution":
        """Continue until the exploitability is at most `target`, a share of the pot, or the time is over.

        Ctrl-C stops earlier, after the present step. The best strategies that were measured are kept.
        """
        _check_goal(target, seconds)
        if not self.can_resume and self.iterations:
            raise SpotError("this solution was saved without what a longer solve needs: solve the spot again")
        report = progress or (_print_progress if sys.stderr.isatty() else lambda _state: None)
        begun, before = time.monotonic(), self.seconds
        snapshot = BestSoFar(self.engine)
        if self.iterations:
            snapshot.offer(self.exploitability)

        def measure() -> None:
            found = self.engine.exploitability()
            self.seconds = before + time.monotonic() - begun
            snapshot.offer(found, final=found <= target)
            self._exploitability = found
            report(Progress(self.iterations, self.seconds, found))

        with Interrupts() as interrupts:

            def is_over() -> bool:
                interrupts.ready = self.iterations > 0
                return interrupts.seen or (seconds is not None and time.monotonic() - begun >= seconds)

            try:
                check = max(self.iterations, FIRST_CHECK)
                while True:
                    snapshot.set_aside()
                    self._learn_until(check, is_over)
                    measure()
                    if self.exploitability <= target or is_over():
                        break
                    check = _next_check(self.iterations, self.exploitability, target)
            except KeyboardInterrupt:
                if not snapshot.has_any:
                    raise
            finally:
                report_end(progress)
            self._exploitability = snapshot.restore()
        self.can_resume, self._values = True, None
        return self

    _values: list[float] | None = None

    def _learn_until(self, check: int, is_over: Callable[[], bool]) -> None:
        """Learn, and look at the clock after each third of a second."""
        count = 1
        while self.iterations < check and not (is_over() and self.iterations):
            number, begun = self.iterations, time.monotonic()
            self.engine.learn(steps(number, min(number + count, check)))
            if time.monotonic() - begun < PATIENCE / 2:
                count *= 2
            elif time.monotonic() - begun > PATIENCE and count > 1:
                count //= 2

    # --- locks

    def lock(self, node: Node, hands: Shares) -> None:
        """Lock what hands do at a node; `solve` then finds the best play of all others around it.

        `hands` has shares for each hand (`AhKh`), class (`AKs`) or, with `"*"`, for all hands. The next solve begins
        anew. The lock also holds on boards that differ only in suits that both ranges treat alike.

        >>> spot = Spot(oop="AA,QQ", ip="KK", board="2c2d7h8s9c", pot=100, stack=100, sizes=Sizes(river="a"))
        >>> solution = solve(spot, 0.01, progress=lambda state: None)
        >>> solution.lock(solution.root.play("bet 100"), {"KK": {"call": 1.0}})
        >>> round(solution.solve(0.001, progress=lambda state: None).value[0])
        100
        """
        if getattr(node, "solution", None) is not self:
            raise SpotError(f"lock: expected a node of this solution, such as solution.root, got {node!r:.40}")
        place, names, actions = node.place(), node.seat(str(node.player)).names, node.actions
        actual = read_shares(hands, names, actions, node.name)
        self._locks.add(place, node.stored(actual), node.name)
        self.locks.append((node.line, {hand: dict(shares) for hand, shares in hands.items()}))
        self._values, self._exploitability = None, None

    def unlock(self) -> None:
        """Remove all locks; the next solve begins anew."""
        self._locks.clear()
        self.locks.clear()
        self._values, self._exploitability = None, None

    @property
    def exploitability(self) -> float:
        """The mean gain of the two best responses, as a share of the pot, measured. Locked hands cannot gain."""
        if self._exploitability is None:
            self._exploitability = self.engine.exploitability()
        return self._exploitability

    @exploitability.setter
    def exploitability(self, found: float) -> None:
        self._exploitability = found

    @property
    def value(self) -> tuple[float, float]:
        """What both players win on average, in chips of the pot; with prizes, what their stacks are worth."""
        from pitboss.solver.loops.kernels import AVERAGE

        if self._values is None:
            self._values = self.engine.values(AVERAGE)
        start = 0.0 if self.spot.icm is not None else self.spot.pot / 2
        return self._values[0] + start, self._values[1] + start

    @cached_property
    def equity(self) -> tuple[float, float]:
        """The share of the pot that both players win on average if no one bets."""
        oop = self.root.seat("oop").equity.mean
        return oop, 1 - oop

    @property
    def root(self) -> Node:
        """The first decision."""
        weights = (self.engine.hands[0].weights.astype(float), self.engine.hands[1].weights.astype(float))
        return Node(
            self,
            0,
            self.engine.forests[0].roots[0],
            turn=0,
            block=0,
            suits=(0, 1, 2, 3),
            reaches=weights,
            entry=(0, weights),
            board=self.spot.cards,
            line=(),
        )

    def save(self, path: Any, resume: bool = True) -> None:
        """Save the solution as `.npz`. Without `resume` the file is smaller, and the solve cannot be continued."""
        resume = resume and self.can_resume
        locks = [(", ".join(line), hands) for line, hands in self.locks]
        figures = SavedFigures(self.iterations, self.seconds, self.exploitability, resume, locks)
        save_engine(self.engine, figures, path)


def _next_check(iterations: int, now: float, target: float) -> int:
    """Return when to measure next. The exploitability falls about with the power 1.5 of the iterations."""
    guess = iterations * min((now / max(target, 1e-9)) ** (1 / 1.5), GROWTH)
    return max(iterations + 1, int(guess))


def _check_goal(target: Any, seconds: Any) -> None:
    for name, given in (("target", target), ("seconds", seconds)):
        number = isinstance(given, int | float) and not isinstance(given, bool)
        if not (given is None and name == "seconds") and not (number and given >= 0):
            raise SpotError(f"{name}: expected a number from 0, got {given!r:.20}")
    if target == 0 and seconds is None:
        raise SpotError("target: expected a share of the pot above 0, such as 0.003, or seconds")


def _print_progress(state: Progress) -> None:
    text = f"{state.iterations:,} iterations, {state.seconds:.1f} s, exploitability {100 * state.exploitability:.3f} %"
    print(f"\r{text}   ", end="", file=sys.stderr, flush=True)


def report_end(progress: object) -> None:
    """End the line of progress."""
    if progress is None and sys.stderr.isatty():
        print(file=sys.stderr)


def solve(
    spot: Spot,
    target: float = 0.003,
    seconds: float | None = None,
    *,
    threads: int | None = None,
    storage: str = "float",
    progress: Callable[[Progress], None] | None = None,
) -> SpotSolution:
    """Solve a spot until its exploitability is at most `target`, a share of the pot, or `seconds` have passed.

    `threads` are all cores by default. `storage="16-bit"` halves the memory. Ctrl-C stops early.

    >>> spot = Spot(oop="AA,QQ", ip="KK", board="2c2d7h8s9c", pot=100, stack=100, sizes=Sizes(river="a"))
    >>> round(solve(spot, 0.001, progress=lambda state: None).value[0])
    75
    """
    if not isinstance(spot, Spot):
        raise SpotError(f"expected a Spot, got {spot!r:.40}")
    if threads is not None and (type(threads) is not int or not 1 <= threads <= 256):
        raise SpotError(f"threads: expected a whole number from 1, got {threads!r:.20}")
    _check_goal(target, seconds)
    if not spot.stack:
        raise SpotError("stack: expected chips behind, got 0, so there is nothing to decide")
    solution = SpotSolution(Engine(spot, storage, threads=threads or available_cores()).allocate())
    for line, hands in spot.locks.items():
        solution.lock(solution.root.walk(line), hands)
    return solution.solve(target, seconds, progress)


def load_solution(path: str | PathLike[str], threads: int = 1) -> SpotSolution:
    """Read a solution that `SpotSolution.save` wrote.

    >>> load_solution("missing.npz")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'missing.npz'
    """
    with open(path, "rb") as file:
        return read_solution(file, str(path), threads)


def read_solution(file: BinaryIO, name: str = "solution", threads: int = 1) -> SpotSolution:
    """Read the file of a solution; `name` is for errors."""
    engine, figures = read_engine(file, name, threads)
    solution = SpotSolution(engine)
    solution.seconds, solution.exploitability = figures.seconds, figures.exploitability
    solution.can_resume = figures.resume
    for line, hands in figures.locks:
        solution.lock(solution.root.walk(line), hands)
    if figures.locks:
        engine.iterations, solution.exploitability = figures.iterations, figures.exploitability
    return solution
