"""A table as a state machine: people come, wish, top up and go, hands are played or not, and no chip is lost."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pitboss.chance import Chance
from pitboss.hand.games import STRUCTURES, NoSuchStructure
from pitboss.hand.hand import Hand
from pitboss.table.mixed import GameAtStakes, Mixed
from pitboss.table.rotation import State, TableError
from pitboss.table.stakes import Kill, TableStakes
from pitboss.table.table import Moving, Table

STATES: tuple[State, ...] = ("plays", "waits", "pauses", "leaves")


class TableMachine(RuleBasedStateMachine):
    """A table, the hand on it, and how many chips were brought."""

    table: Table

    @initialize(
        codes=st.lists(st.sampled_from(sorted(STRUCTURES)), min_size=1, max_size=3),
        moving=st.sampled_from(("big_blind", "button")),
        half=st.integers(1, 10),
        ante=st.none() | st.integers(0, 3),
        kill=st.sampled_from((None, "half", "full")),
        runs=st.integers(1, 4),
        may_muck=st.booleans(),
        bomb_every=st.sampled_from((0, 0, 3)),
        choice=st.booleans(),
    )
    def open(
        self,
        codes: list[str],
        moving: Moving,
        half: int,
        ante: int | None,
        kill: Kill | None,
        runs: int,
        may_muck: bool,
        bomb_every: int,
        choice: bool,
    ) -> None:
        """An empty table of one game or several."""
        stakes = TableStakes(
            small_blind=half,
            big_blind=2 * half,
            ante=ante,
            kill=kill,
            runs=runs,
            may_muck=may_muck,
            bomb_every=bomb_every,
        )
        games = Mixed("some", tuple([GameAtStakes(STRUCTURES[code]) for code in codes]), choice=choice)
        self.table = Table.open(stakes, game=games, moving=moving, seat_count=6, least_buy_in=1)
        self.hand: Hand | None = None
        self.names = 0

    @rule(chips=st.integers(-1, 300), seat=st.none() | st.integers(-1, 7), state=st.sampled_from(STATES))
    def sit(self, chips: int, seat: int | None, state: State) -> None:
        """A player sits down, or is refused and nothing has changed."""
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
        """A player changes their wish."""
        before = self.table
        try:
            self.table = self.table.wish(f"n{who}", state)
        except TableError:
            assert self.table == before

    @rule(who=st.integers(-1, 12), chips=st.integers(-1, 300))
    def top_up(self, who: int, chips: int) -> None:
        """A player adds chips."""
        before = self.table
        try:
            self.table = self.table.top_up(f"n{who}", chips)
        except TableError:
            assert self.table == before
            return
        assert chips > 0

    @rule(ante=st.none() | st.integers(-1, 60), code=st.none() | st.sampled_from(sorted(STRUCTURES)))
    def ask_for(self, ante: int | None, code: str | None) -> None:
        """A player asks for a bomb pot or chooses a game, or is not allowed to."""
        before = self.table
        try:
            self.table = self.table.bomb(ante) if code is None else self.table.choose(code)
        except (TableError, NoSuchStructure):
            assert self.table == before

    @precondition(lambda self: self.hand is None)
    @rule(
        seed=st.integers(0, 2**32), straddles=st.lists(st.tuples(st.integers(-1, 6), st.integers(-1, 90)), max_size=3)
    )
    def next_hand(self, seed: int, straddles: list[tuple[int, int]]) -> None:
        """The next hand is set up, and dealt if enough players are there; a player can straddle before."""
        before = self.table
        self.table = self.table.next()
        if self.table.phase == "ready":
            assert self.table.hand == before.hand + 1
            for seat, amount in straddles:
                set_up = self.table
                try:
                    self.table = self.table.straddle(seat, amount)
                except TableError:
                    assert self.table == set_up
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
        """No two players share a seat or a name, and no player has fewer than 0 chips."""
        chairs = self.table.chairs
        assert len({chair.seat for chair in chairs}) == len(chairs) == len({chair.who for chair in chairs})
        assert all(0 <= chair.seat < 6 and chair.chips >= 0 and chair.owes >= 0 for chair in chairs)


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
