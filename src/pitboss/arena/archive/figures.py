"""Results of the teams at a table, counted hand by hand from the journal with the definitions of `pitboss.study`.

The results do not depend on cards that were not shown, so expected winnings are left out.
"""

from msgspec import Struct, field

from pitboss.arena.archive.reader import outcome_of, record_of
from pitboss.arena.journal.history import HandHistory
from pitboss.arena.rooms.team_stats import TeamStats
from pitboss.records.replay import ReplayError
from pitboss.study.marks import CHIPS, PlayerMarks, mark_hand
from pitboss.study.rows import make_row
from pitboss.study.tally import PlayerTally

BIGGEST = 5
"""The number of a team's biggest pots that are listed."""


class BigPot(Struct, frozen=True):
    """One of the biggest pots that a team won or lost chips in."""

    number: int
    pot: int
    delta: int


class TimeUsed(Struct, frozen=True):
    """The time used by a team's turns."""

    turns: int
    ms: int
    longest_ms: int


class TeamFigures(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The figures of one team. Shares are from 0 to 1, and absent if the team never had the opportunity."""

    seat: int
    team: str
    hands: int
    won: int
    per_100: float | None = None  #: big blinds won per hundred hands; points if the game has no blinds
    per_100_low: float | None = None  #: start of the 95 % confidence interval; the next field is its end
    per_100_high: float | None = None
    vpip: float | None = None
    pfr: float | None = None
    aggression: float | None = None
    wtsd: float | None = None
    wsd: float | None = None
    won_at_showdown: int | None = None
    won_without_showdown: int | None = None
    turns: int
    timeouts: int
    joined: int = 0  #: hands of the table before the team's first one
    pots: tuple[BigPot, ...]
    line: tuple[tuple[int, float, float], ...]  #: hands so far, their result, and their result at showdown
    time: TimeUsed | None = None  #: this field and the next one count only hands since the server started
    errors: int | None = None


class TableFigures(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All teams of a table over its finished hands.

    If not all hands are counted yet, `read` is the number of those that are.
    """

    hands: int
    finished: int
    unit: str  #: of rates and lines: `bb` or `points`
    teams: tuple[TeamFigures, ...]
    since: int  #: the first hand with known times and errors
    read: int | None = None


class LiveFigures(Struct, frozen=True):
    """Figures that are not in the journal: the time used and the errors of each seat, from hand `since` on."""

    since: int = 1
    seats: dict[int, tuple[TimeUsed, int]] = {}

    @classmethod
    def of(cls, stats: TeamStats) -> "LiveFigures":
        """Return the time used and the errors in the hands that were shown."""
        sums = stats.sums()
        return cls(
            stats.since,
            {seat: (TimeUsed(each.turns, each.ms, each.longest_ms), each.errors) for seat, each in sums.items()},
        )


class _Team(Struct):
    """The counts of one team."""

    seat: int  #: its last seat
    joined: int
    tally: PlayerTally = field(default_factory=PlayerTally)
    won: int = 0
    at_showdown: int = 0
    turns: int = 0
    timeouts: int = 0
    pots: list[BigPot] = field(default_factory=list)


class TableTally:
    """The figures of a table so far; hands are counted in order."""

    def __init__(self) -> None:
        self.counted = 0  #: the number of the last hand that was counted
        self.hands = 0
        self._poker = False
        self._teams: dict[str, _Team] = {}
        self._seats: dict[int, str] = {}  # in the last hand

    def count(self, hand: HandHistory, table: str) -> None:
        """Count one hand. A void hand is not counted."""
        self.counted = hand.started.number
        if hand.void:
            return
        outcome = outcome_of(hand)
        self._seats = dict(hand.teams)
        for seat, delta in outcome.delta.items():
            team = self._teams.setdefault(hand.teams[seat], _Team(seat, self.hands))
            team.seat = seat
            team.won += delta
            if delta:
                found = [*team.pots, BigPot(outcome.number, outcome.pot, delta)]
                team.pots = sorted(found, key=lambda big: (-big.pot, big.number))[:BIGGEST]
        for act in hand.acts:
            self._teams[hand.teams[act.seat]].turns += 1
            self._teams[hand.teams[act.seat]].timeouts += act.cause == "timeout"
        self.hands += 1
        self._count_marks(hand, table, outcome.delta)

    def _count_marks(self, hand: HandHistory, table: str, delta: dict[int, int]) -> None:
        record = record_of(hand, table, cards=True)
        if record is None:  # in games other than poker only winnings are known
            for seat, won in delta.items():
                self._teams[hand.teams[seat]].tally.count(PlayerMarks(won=won, adjusted=won), CHIPS, 1)
            return
        self._poker = True
        try:
            marked = mark_hand(record, expected=False)
        except ReplayError:
            return  # the chips of this hand are counted elsewhere
        for seat, marks in zip(hand.order, marked.players, strict=True):
            team = self._teams[hand.teams[seat]]
            team.tally.count(marks, marked.currency, marked.big)
            if marks.showdown:
                team.at_showdown += delta[seat]

    def figures(self, finished: int, live: LiveFigures) -> TableFigures:
        """Return the figures so far; `finished` is the number of finished hands."""
        return TableFigures(
            hands=self.hands,
            finished=finished,
            unit="bb" if self._poker else "points",
            teams=tuple([self._team(name, live) for name in sorted(self._teams, key=self._place)]),
            since=live.since,
            read=None if self.counted >= finished else self.counted,
        )

    def _place(self, name: str) -> tuple[int, int]:
        """Return the sort key of a team: its seat, then the time of its arrival."""
        team = self._teams[name]
        return team.seat, team.joined

    def _team(self, name: str, live: LiveFigures) -> TeamFigures:
        team, poker = self._teams[name], self._poker
        row = make_row(name, None, team.tally)
        sits_here = self._seats.get(team.seat, name) == name
        time, errors = live.seats.get(team.seat, (None, 0)) if sits_here else (None, 0)
        return TeamFigures(
            seat=team.seat,
            team=name,
            hands=row.hands,
            won=team.won,
            per_100=row.bb_per_100,
            per_100_low=row.bb_per_100_low,
            per_100_high=row.bb_per_100_high,
            vpip=row.vpip,
            pfr=row.pfr,
            aggression=row.aggression,
            wtsd=row.wtsd,
            wsd=row.wsd,
            won_at_showdown=team.at_showdown if poker else None,
            won_without_showdown=team.won - team.at_showdown if poker else None,
            turns=team.turns,
            timeouts=team.timeouts,
            joined=team.joined,
            pots=tuple(team.pots),
            line=_line(team.tally),
            time=time,
            errors=errors,
        )


def _line(tally: PlayerTally) -> tuple[tuple[int, float, float], ...]:
    """Return the running sums of winnings."""
    hands, won, shown = 0, 0.0, 0.0
    points = []
    for point in tally.line:
        hands, won, shown = hands + point.hands, won + point.won, shown + point.at_showdown
        points.append((hands, round(won, 3), round(shown, 3)))
    return tuple(points)
