"""The backend for few hands: the loops as plain Python, on lists."""

from typing import Any

from pitboss.cards import DECK
from pitboss.fast.compiled import Function, PlainRecords
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import loops
from pitboss.fast.play.flop import SEEN, TRIOS, UNSEEN
from pitboss.fast.play.interface import FLAGS, NUMBERS, ROWS, Backend, Lockstep, LoopTable, Scratch, fill, run_with
from pitboss.fast.play.setup import MOST_SEATS, PolicyError, RunSetup, Team

CHOICE = ("a verb", "a total", "the state of chance")


class HandState:
    """The numbers of one hand."""

    __slots__ = NUMBERS + ROWS + FLAGS

    def __init__(self) -> None:
        for name in NUMBERS:
            setattr(self, name, 0)
        for name in ROWS + FLAGS:
            setattr(self, name, [0] * MOST_SEATS)


class SeenCards:
    """The cards that one place sees, and its number of hole cards."""

    __slots__ = ("cards", "hole")

    def __init__(self, hole: int = 2) -> None:
        self.cards, self.hole = [UNSEEN] * SEEN, hole


class Dealer:
    """The deck, as `flop.py` explains it."""

    __slots__ = ("deck",)

    def __init__(self) -> None:
        self.deck = [0] * len(DECK)


class ShowdownNotes:
    """The working memory of a showdown: all strengths, high and low, and the sums of three board cards each."""

    __slots__ = ("bits", "keys", "strengths")

    def __init__(self) -> None:
        self.strengths = [[0] * MOST_SEATS, [0] * MOST_SEATS]
        self.keys, self.bits = [0] * TRIOS, [0] * TRIOS


def plain_run(team: Team, _: RunSetup) -> Function:
    """Return the loop for these policies; it checks what a caller's policies return."""
    functions = [getattr(function, "py_func", function) for function in team.functions]

    def decide(kind: int, *seen: Any) -> Any:
        chosen = functions[kind](*seen)
        if not isinstance(chosen, tuple | list) or len(chosen) != len(CHOICE):
            name = team.names[team.kinds.index(kind)]
            raise PolicyError(f"policy {name!r}: expected {', '.join(CHOICE)}, got {chosen!r}")
        return chosen

    return run_with(decide=decide) if functions else loops.run


def plain_table(setup: RunSetup) -> LoopTable:
    """Return the setup as lists and plain objects."""
    templates = [HandState() for _ in setup.buttons]
    for template, button in zip(templates, setup.buttons, strict=True):
        fill(template, setup.opened(button))
    return LoopTable([setup.structure.betting], [setup.game], templates, setup.places, setup.stacks)


def _scratch(setup: RunSetup, count: int) -> Scratch:
    return Scratch(
        PlainRecords([HandState() for _ in range(count)]),
        [Dealer() for _ in range(count)],
        [SeenCards(len(setup.game.hole)) for _ in range(count)],
        [ShowdownNotes()],
    )


PLAIN = Backend(
    compiled=False,
    run=plain_run,
    lockstep=lambda _: Lockstep(*[getattr(loops, name) for name in Lockstep._fields]),
    ranks=lambda setup: [plain_ranks(setup.ranking)],
    table=plain_table,
    scratch=_scratch,
    row=lambda given: [0] * given if isinstance(given, int) else list(given),
    number=int,
    numbers=lambda numbers: numbers,
    most=None,
)
