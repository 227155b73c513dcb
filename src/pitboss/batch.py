"""Thousands of hands in lockstep on NumPy arrays, for training agents."""

from collections.abc import Sequence
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

from pitboss import chance
from pitboss.betting import core
from pitboss.betting.refusals import Refused, SetupError, refused
from pitboss.chance import MASK
from pitboss.errors import PitbossError
from pitboss.fast.compiled import compiled_entry, numba
from pitboss.fast.play import flop, loops
from pitboss.fast.play.loops import NO_VERB
from pitboss.fast.play.packed import PACKED
from pitboss.fast.play.policies import by_the_pot, give_up, stay
from pitboss.fast.play.setup import DEFAULT_STACK, RunSetup, setup, whole_number
from pitboss.hand.games import USUAL_GAME, AnyGame, find_game, given_game
from pitboss.hand.structure import Stakes
from pitboss.signatures import brief

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Small = NDArray[np.uint8]

__all__ = [
    "ALL_IN",
    "BET",
    "CALL",
    "CHECK",
    "FOLD",
    "RAISE",
    "Batch",
    "BatchError",
    "Observation",
    "by_the_pot",
    "chance",
    "core",
    "give_up",
    "stay",
]

FOLD, CHECK, CALL, BET, RAISE, ALL_IN = core.FOLD, core.CHECK, core.CALL, core.BET, core.RAISE, core.ALL_IN


class BatchError(PitbossError, ValueError):
    """Verbs or totals that do not fit the tables of a batch.

    >>> from pitboss import Batch
    >>> Batch(2).step([1])
    Traceback (most recent call last):
    pitboss.BatchError: verbs: expected one number per table, 2 in total, got an array of shape (1,)
    """


class Observation(NamedTuple):
    """The cards, betting and legal actions of the player to act at each table.

    The next step overwrites these arrays, so copy the values that you keep. The second index of an array is the place
    (the last place has the button), except for winnings, where it is the seat.

    >>> from pitboss.batch import Batch
    >>> seen = Batch(3, seats=2).observe()
    >>> seen.cards.shape, seen.stacks.tolist()[0]
    ((3, 7), [9900, 9950])
    """

    hand: "NDArray[np.uint64]"  #: the hand's number
    place: "Numbers"  #: the place to act
    seat: "Numbers"  #: the seat of that place
    street: "Numbers"  #: 0 before the flop, 3 on the river
    cards: "Small"  #: own cards, then five of the board, as numbers in `pitboss.DECK`; 52 for a card not dealt yet
    stacks: "Numbers"
    bets: "Numbers"  #: street totals
    folded: "Small"
    pot: "Numbers"  #: all chips in the middle
    legal: "Small"  #: by verb: FOLD, CHECK, CALL, BET, RAISE, ALL_IN
    call: "Numbers"  #: chips that a call adds
    least: "Numbers"  #: the smallest street total of a bet or raise; 0 if none is legal
    most: "Numbers"
    pot_sized: "Numbers"  #: a raise by the pot, limited to `least` and `most`
    done: "Numbers"  #: number of hands that ended in the last step
    winnings: "Numbers"  #: winnings of these hands, by seat


class Hidden(NamedTuple):
    """The full state of all tables, hidden from players."""

    states: Any
    dealers: Any
    notes: Any
    hands: Any  # the number of each table's hand
    stride: Any


class Batch:
    """Many tables that act in lockstep. When a hand ends, it is paid and the next one is dealt in the same step.

    `stacks` is one number of chips, or one per seat. `stakes` replaces the blinds of 50 and 100. With `button`, this
    seat keeps the button. `structure` is an older name of `game`.

    >>> import numpy as np
    >>> batch = Batch(1000, seats=3, seed=4)
    >>> seen = batch.observe()
    >>> seen = batch.step(np.where(seen.legal[:, CALL], CALL, CHECK))
    >>> int(seen.street.max()), int(seen.pot[0])
    (0, 250)
    """

    @brief("self", "tables", "seats", "game", "seed")
    def __init__(
        self,
        tables: int,
        *,
        seats: int = 6,
        seed: int = 0,
        stacks: int | Sequence[int] = DEFAULT_STACK,
        stakes: Stakes | None = None,
        game: AnyGame = USUAL_GAME,
        button: int | None = None,
        structure: AnyGame | None = None,
    ) -> None:
        numba()
        import numpy as np

        tables = whole_number(tables, "tables")
        if tables < 1:
            raise SetupError(f"tables: expected 1 or more, got {tables}")
        self.setup = setup(seats, stacks, stakes, find_game(given_game(game, structure)), button)

        self._table = PACKED.table(self.setup)
        if all(template.turn < 0 for template in self._table.templates):
            raise SetupError("the forced bets take all chips, so no player would ever act")
        self._seed = np.uint64(whole_number(seed, "seed") & MASK)
        scratch = PACKED.scratch(self.setup, tables)
        self._hidden = Hidden(
            scratch.states,
            scratch.dealers,
            scratch.notes,
            np.arange(tables, dtype=np.uint64),
            np.array([_stride(tables, len(self.setup.buttons))], np.uint64),
        )
        self._seen = _blank(tables, self.setup)
        self._totals = np.zeros(tables, np.int64)
        self._parts = self._table, PACKED.ranks(self.setup), self._seed, self._hidden, self._seen
        self._memory, loops = PACKED.memory(), PACKED.lockstep(self._parts)
        loops.start_all(*self._parts)
        loops.store_parts(self._memory, self._parts)
        self._step = compiled_entry(loops.checked_step, self._memory, self._totals, self._totals)

    def observe(self) -> Observation:
        """Return the current observation."""
        return self._seen

    def step(self, verbs: Any, totals: Any = None) -> Observation:
        """Carry out one action at every table and return the new observation.

        `totals` are street totals for bets and raises; other verbs ignore them. If an action is refused, no table has
        changed, and `Refused` names the table and the rule.
        """
        tables = len(self._totals)
        chosen = _whole_numbers("verbs", verbs, tables)
        sizes = self._totals if totals is None else _whole_numbers("totals", totals, tables)
        at, code = self._step(self._memory, chosen, sizes)
        if at >= 0:
            raise self._refusal(at, code, int(chosen[at]), int(sizes[at]))
        return self._seen

    def _refusal(self, at: int, code: int, verb: int, to: int) -> Refused:
        if code == NO_VERB:
            return Refused("unknown_action", f"at table {at}: expected a verb of pitboss.betting.core, got {verb}")
        s = self._hidden.states[at]
        total = to if verb in (BET, RAISE) else s.bets[s.turn] + s.stacks[s.turn]
        why = refused(code, self.setup.structure.betting, s, total)
        sentence = why.format().partition(": ")[2]
        return Refused(why.rule, f"at table {at}: {sentence}")


def _stride(tables: int, buttons: int) -> int:
    """Return the step between the hand numbers of a table, so that the button visits every seat."""
    stride = tables
    while gcd(stride, buttons) > 1:
        stride += 1
    return stride


def _whole_numbers(what: str, given: Any, tables: int) -> Any:
    import numpy as np

    array = np.asarray(given)
    if array.shape != (tables,):
        raise BatchError(
            f"{what}: expected one number per table, {tables} in total, got an array of shape {array.shape}"
        )
    if array.dtype.kind not in "iub":
        raise BatchError(f"{what}: expected whole numbers, got {array.dtype}")
    return array.astype(np.int64, order="C", copy=False)  # compiled code expects exactly one type


def _blank(tables: int, setup: RunSetup) -> Observation:
    import numpy as np

    shapes = {"cards": (tables, len(setup.game.hole) + flop.BOARD), "legal": (tables, loops.VERBS)}
    shapes |= dict.fromkeys(("stacks", "bets", "folded", "winnings"), (tables, setup.seats))
    small = {"cards", "legal", "folded"}
    return Observation(
        *[
            np.zeros(
                shapes.get(name, (tables,)), np.uint8 if name in small else np.uint64 if name == "hand" else np.int64
            )
            for name in Observation._fields
        ]
    )
