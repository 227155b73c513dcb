"""A table as a state machine: people come, wish, top up and go, hands are played or not, and no chip is lost."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pitboss.chance import Chance
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.table.chairs import State, TableError
from pitboss.table.levels import TableStakes
from pitboss.table.table import Moving, Table

STATES: tuple[State, ...] = ("plays", "waits", "pauses", "leaves")


class TableMachine(RuleBasedStateMachine):
    """A table, the hand on it, and how many chips were brought."""

    table: Table

    @initialize(
        structure=st.sampled_from(sorted(STRUCTURES)),
        moving=st.sampled_from(("big_blind", "button")),
        half=st.integers(1, 10),
        ante=st.integers(0, 3),
    )
    def open(self, structure: str, moving: Moving, half: int, ante: int) -> None:
        """An empty table."""
        stakes = TableStakes(small_blind=half, big_blind=2 * half, ante=ante)
        found = STRUCTURES[structure]
        self.table = Table.open(stakes, structure=found, moving=moving, seat_count=6, least_buy_in=1)
        self.hand: Hand | None = None
        self.names = 0

    @rule(chips=st.integers(-1, 300), seat=st.none() | st.integers(-1, 7), state=st.sampled_from(STATES))
    def sit(self, chips: int, seat: int | None, state: State) -> None:
        """Somebody sits down, or is refused and nothing has changed."""
        before = self.table
        try:
            self.table = self.table.sit(f"n{self.names}", chips, seat=seat, state=state)
        except TableError:
            assert self.table == before
            return
        self.names += 1
        assert len(self.table.chairs) == len(before.chairs) + 1
        assert chips > 0

    @rule(who=st.integers(-1, 12), state=st.sampled_from(STATES))
    def wish(self, who: int, state: State) -> None:
        """Somebody wishes something."""
        before = self.table
        try:
            self.table = self.table.wish(f"n{who}", state)
        except TableError:
            assert self.table == before

    @rule(who=st.integers(-1, 12), chips=st.integers(-1, 300))
    def top_up(self, who: int, chips: int) -> None:
        """Somebody brings chips."""
        before = self.table
        try:
            self.table = self.table.top_up(f"n{who}", chips)
        except TableError:
            assert self.table == before
            return
        assert chips > 0

    @precondition(lambda self: self.hand is None)
    @rule(seed=st.integers(0, 2**32))
    def next_hand(self, seed: int) -> None:
        """The next hand is set up, and dealt where enough are there."""
        before = self.table
        self.table = self.table.next()
        if self.table.phase == "ready":
            assert self.table.hand == before.hand + 1
            dealt = self.table.deal(Chance(seed).shuffled(self.table.structure.deck))
            self.table, self.hand = dealt.table, dealt.hand

    @precondition(lambda self: self.hand is not None)
    @rule(at=st.integers(0, 100), times=st.integers(1, 12))
    def act(self, at: int, times: int) -> None:
        """Those in the hand act."""
        for step in range(times):
            assert self.hand is not None
            if self.hand.over:
                break
            legal = self.hand.legal()
            self.hand, _ = self.hand.act(legal[(at + step) % len(legal)])
        if self.hand is not None and self.hand.over:
            self.table, self.hand = self.table.finish(self.hand), None

    @invariant()
    def no_chip_is_lost_or_made(self) -> None:
        """All that was brought is there."""
        self.table.audit(self.hand)

    @invariant()
    def seats_are_taken_once(self) -> None:
        """Nobody shares a seat or a name, and nobody has less than nothing."""
        chairs = self.table.chairs
        assert len({chair.seat for chair in chairs}) == len(chairs) == len({chair.who for chair in chairs})
        assert all(0 <= chair.seat < 6 and chair.chips >= 0 and chair.owes >= 0 for chair in chairs)


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
