"""Compiled play, equities and evaluation measured against every peer, in turn, on one core unless it says otherwise."""

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from benchmarks.fast_evaluators import EVALUATORS, Hand, hands
from benchmarks.fast_peers import PEERS, Peer
from benchmarks.fast_processes import measure_cores, measure_processes
from benchmarks.fast_report import (
    ALL_CORES,
    COMPILED,
    ONE_CALL,
    ONE_CORE,
    PLAIN,
    REFERENCE,
    EquityFigures,
    FastReport,
    Growth,
    Line,
)
from benchmarks.players import PLAYERS, pitboss
from benchmarks.reference import NoReference, Reference
from benchmarks.rules import Spread
from pitboss import __version__
from pitboss.cards import DECK
from pitboss.fast.equity.equity import equity
from pitboss.fast.evaluate import evaluate
from pitboss.fast.play.simulate import simulate

ACES, KINGS = "AhAd", "KsKc"


class Size(Struct, frozen=True, kw_only=True):
    """How much is measured."""

    rounds: int = 7
    compiled: bool = True  #: also where so few pieces would not be worth compiling for
    hands: int = 1_000_000  #: a round, compiled and in C++
    plain_hands: int = 3000
    share: float = 1.0  #: of what the peers usually play a round
    compared: int = 1_000_000  #: hands whose stacks the reference must give too
    evaluations: int = 100_000
    repeats: int = 20  #: calls timed together where one is too short
    growing_hands: tuple[int, ...] = (10_000, 100_000, 1_000_000, 10_000_000)
    growing_seats: tuple[int, ...] = tuple(range(2, 11))
    cores_hands: int = 4_000_000
    memory: tuple[int, int] = (1_000_000, 8_000_000)
    start_hands: int = 100_000
    first_starts: int = 2
    later_starts: int = 5


QUICK = Size(
    rounds=1,
    compiled=False,
    hands=1000,
    plain_hands=20,
    share=0.005,
    compared=500,
    evaluations=200,
    repeats=1,
    growing_hands=(100, 1000),
    growing_seats=(2, 6, 10),
    cores_hands=1000,
    memory=(100, 200),
    start_hands=100,
    first_starts=1,
    later_starts=1,
)
"""Enough to see that it runs."""


class Entrant(Struct, frozen=True):
    """An entrant that does some pieces of work per round, given the round's number."""

    name: str
    pieces: int
    work: Callable[[int], object]


def race(entrants: Sequence[Entrant], rounds: int, clock: Callable[[], float] = time.process_time) -> list[list[float]]:
    """Let all entrants work in turn, starting with another one each round; pieces per second by entrant and round."""
    rates: list[list[float]] = [[] for _ in entrants]
    for number in range(1, rounds + 1):
        for which in range(len(entrants)):
            at = (which + number) % len(entrants)
            begun = clock()
            entrants[at].work(number)
            rates[at].append(entrants[at].pieces / (clock() - begun))
    return rates


def times(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """How many times as much, round by round."""
    return Spread.of([a / b for a, b in zip(ours, theirs, strict=True)])


def measure_fast(size: Size, say: Callable[[str], None]) -> FastReport:
    """Measure everything; what is not installed is named, not left out."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder:
        reference: Reference | None = None
        why: str | None = None
        try:
            reference = Reference.build(Path(folder))
        except NoReference as error:
            why = str(error)
        say(f"fast: {reference.compiler if reference else why}")
        same = reference is None or agree(reference, size.compared)
        say("fast: cores")
        cores = measure_cores(size.cores_hands, size.rounds)
        say("fast: hands a second, everybody in turn")
        play = measure_play(size, reference, why)
        say("fast: seven cards")
        array, single = measure_evaluate(size)
        say("fast: equity")
        figures = measure_equity(size, reference)
        say("fast: processes")
        processes = measure_processes(
            size.memory, size.start_hands, first_starts=size.first_starts, later_starts=size.later_starts
        )
        say("fast: growth")
        return FastReport(
            load=load,
            compiler=reference.compiler if reference else None,
            no_reference=why,
            compared=size.compared if reference else 0,
            same=same,
            rounds=size.rounds,
            play=play,
            evaluate=array,
            single=single,
            equity=figures,
            cores=cores,
            processes=processes,
            growth=measure_growth(size, reference),
        )


# --- hands


def agree(reference: Reference, count: int, seats: int = PLAYERS, seed: int = 1) -> bool:
    """Whether the reference plays the same hands: actions, and by seat the means and intervals of all winnings."""
    ours, theirs = simulate(count, seats=seats, seed=seed, cores=1), reference.simulate(count, seats, seed)
    won = [(seat.mean, seat.interval) for seat in ours.seats]
    return ours.actions == theirs.actions and won == [(m.mean, m.interval()) for m in theirs.winnings(count)]


def measure_play(size: Size, reference: Reference | None, why: str | None) -> tuple[Line, ...]:
    """Run all installed entrants."""
    actions: dict[str, float] = {}
    entrants = [
        Entrant(COMPILED, size.hands, partial(_simulate, size.hands, PLAYERS)),
        Entrant(PLAIN, size.plain_hands, lambda seed: pitboss(seed, size.plain_hands)),
    ]
    actions[COMPILED] = simulate(size.hands, seats=PLAYERS, seed=0, cores=1).actions / size.hands
    actions[PLAIN] = sum(pitboss(0, size.plain_hands)) / size.plain_hands
    if reference:
        entrants.append(Entrant(REFERENCE, size.hands, partial(reference.simulate, size.hands, PLAYERS)))
        actions[REFERENCE] = reference.simulate(size.hands, PLAYERS, 0).actions / size.hands
    for peer in PEERS:
        if peer.version:
            count = max(2, round(size.share * peer.hands))
            entrants.append(_entrant(peer, count))
            actions[peer.name] = _actions(peer, count) / count
    rates = dict(zip([entrant.name for entrant in entrants], race(entrants, size.rounds), strict=True))
    lines = [
        _line(COMPILED, "`pitboss.fast.play.simulate`", __version__, rates, entrants, actions),
        _line(PLAIN, "`Hand.start`, `offer` and `act`", __version__, rates, entrants, actions),
        _line(REFERENCE, "benchmarks/reference.cpp, through ctypes", None, rates, entrants, actions, why),
        *[_line(p.name, p.called, p.version, rates, entrants, actions, _absent(p)) for p in PEERS],
    ]
    return tuple(lines)


def _entrant(peer: Peer, count: int) -> Entrant:
    play = peer.load()
    return Entrant(peer.name, count, lambda seed: play(seed, count))


def _actions(peer: Peer, count: int) -> int:
    """Count the actions of some hands; this also warms the library up."""
    return int((peer.counted or peer.load)()(0, count) or 0)


def _absent(peer: Peer) -> str | None:
    return None if peer.version else f"{peer.package} is not installed"


def _line(
    name: str,
    called: str,
    version: str | None,
    rates: dict[str, list[float]],
    entrants: Sequence[Entrant],
    actions: dict[str, float],
    absent: str | None = None,
) -> Line:
    """A line of the table; the first entrant is the one the others are held against."""
    if name not in rates:
        return Line(name, called, version, absent)
    pieces = next(entrant.pieces for entrant in entrants if entrant.name == name)
    against = None if name == entrants[0].name else times(rates[entrants[0].name], rates[name])
    return Line(name, called, version, None, pieces, Spread.of(rates[name]), against, actions.get(name))


# --- cards


def measure_evaluate(size: Size) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The same hands ranked by all entrants, compared with pitboss's array of them and with its single calls."""
    given = hands(size.evaluations)
    peers = [peer for peer in EVALUATORS if peer.version]
    entrants = _own_rankings(size, given)
    entrants += [Entrant(peer.name, size.evaluations, _ranking(peer, given)) for peer in peers]
    names = [entrant.name for entrant in entrants]
    rates = dict(zip(names, race(entrants, size.rounds, time.perf_counter), strict=True))
    found = []
    for first, others in ((ALL_CORES, [ONE_CORE]), (ONE_CALL, [])):
        entrants.sort(key=lambda entrant: entrant.name != first)  # called at once
        lines = [_line(name, CALLED[name], __version__, rates, entrants, {}) for name in (first, *others)]
        lines += [_line(p.name, p.called, p.version, rates, entrants, {}, _absent(p)) for p in EVALUATORS]
        found.append(tuple(lines))
    return found[0], found[1]


CALLED = {
    ALL_CORES: "`pitboss.fast.evaluate` on an array of card numbers, the hands over and over, on all cores",
    ONE_CORE: "the same on an array so small that it stays on one core",
    ONE_CALL: "`pitboss.fast.evaluate` on a tuple of card numbers",
}


def _own_rankings(size: Size, given: Sequence[Hand]) -> list[Entrant]:
    import numpy as np

    places = {card: number for number, card in enumerate(DECK)}
    numbers = [tuple([places[card] for card in hand]) for hand in given]
    array = np.array(numbers, np.uint8)
    big = np.tile(array, (size.repeats, 1))
    evaluate(big)  # once unmeasured: compiled, or loaded
    return [
        Entrant(ALL_CORES, len(big), lambda _: evaluate(big)),
        Entrant(ONE_CORE, len(big), lambda _: [evaluate(array) for _ in range(size.repeats)]),
        Entrant(ONE_CALL, size.evaluations, lambda _: list(map(evaluate, numbers))),
    ]


def _ranking(peer: Peer, given: Sequence[Hand]) -> Callable[[int], object]:
    rank = peer.load(given)
    return lambda _: rank()


# --- equity


def measure_equity(size: Size, reference: Reference | None) -> EquityFigures:
    """One question, asked many times."""
    deal = [DECK.index(card) for hand in (ACES, KINGS) for card in (hand[:2], hand[2:])]
    if size.compiled:
        equity(ACES, KINGS, samples=1_000_000)  # enough to load compiled code, which is then used
    answer = equity(ACES, KINGS, cores=1, exact=True)
    count = size.repeats
    entrants = [Entrant("", count, lambda _: [equity(ACES, KINGS, cores=1, exact=True) for _ in range(count)])]
    if reference:
        built = reference
        entrants.append(Entrant("", count, lambda _: [built.dealt(deal) for _ in range(count)]))
        entrants.append(Entrant("", count, lambda _: [built.counted(deal) for _ in range(count)]))
    rates = race(entrants, size.rounds)
    ours, *others = [Spread.of([1000 / rate for rate in each]) for each in rates]
    others += [times(each, rates[0]) for each in rates[1:]]
    return EquityFigures(answer.equity[0], answer.boards, ours, *others)


# --- growth


def measure_growth(size: Size, reference: Reference | None) -> Growth:
    """More hands, and more seats."""
    seconds = []
    for count in size.growing_hands:
        begun = time.process_time()
        simulate(count, seats=PLAYERS, cores=1)
        seconds.append(time.process_time() - begun)
    count = max(1000, size.hands // 5)
    ours, theirs = [], []
    for seats in size.growing_seats:
        entrants = [Entrant("", count, partial(_simulate, count, seats))]
        if reference:
            entrants.append(Entrant("", count, partial(reference.simulate, count, seats)))
        rates = [Spread.of(each).median for each in race(entrants, min(3, size.rounds))]
        ours.append(rates[0])
        theirs += rates[1:]
    return Growth(size.growing_hands, tuple(seconds), size.growing_seats, tuple(ours), tuple(theirs))


def _simulate(count: int, seats: int, seed: int) -> object:
    return simulate(count, seats=seats, seed=seed, cores=1)
