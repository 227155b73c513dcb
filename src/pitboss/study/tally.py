"""The counts of a player over many hands. The sum of several tallies does not depend on how the hands were divided."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec import Struct, field

from pitboss.records.money import Amount
from pitboss.study.marks import MarkedHand, PlayerMarks

By = Literal["position", "stake", "day"]
Key = tuple[str, str | None]
"""A player, and the position, stake or day of the tally."""
Tallies = dict[Key, "PlayerTally"]

MOST_POINTS = 256
"""The approximate maximum number of points of a line of winnings; neighbours are joined if there are more."""


class MoneyTally(Struct):
    """The winnings in one currency at one size of the big blind."""

    hands: int = 0
    won: Amount = 0
    squares: Amount = 0  #: the sum of the squared winnings of each hand
    adjusted: Amount = 0

    def add(self, other: "MoneyTally") -> None:
        """Add another tally."""
        self.hands += other.hands
        self.won += other.won
        self.squares += other.squares
        self.adjusted += other.adjusted


class LinePoint(NamedTuple):
    """A stretch of a line of winnings: a number of hands, and their winnings in big blinds."""

    hands: int
    won: float
    at_showdown: float
    adjusted: float


class PlayerTally(Struct):
    """Everything counted for one player."""

    hands: int = 0
    all_in: int = 0
    asked: int = 0
    vpip: int = 0
    pfr: int = 0
    three_bet_chance: int = 0
    three_bet: int = 0
    c_bet_chance: int = 0
    c_bet: int = 0
    aggressive: int = 0
    passive: int = 0
    saw_second: int = 0
    showdown: int = 0
    won_showdown: int = 0
    money: dict[tuple[str, Amount], MoneyTally] = field(default_factory=dict)
    line: list[LinePoint] = field(default_factory=list)

    def count(self, marks: PlayerMarks, currency: str, big: Amount) -> None:
        """Count one hand."""
        self.hands += 1
        for name in COUNTED:
            done = getattr(marks, name)
            if done:
                setattr(self, name, getattr(self, name) + done)
        money = self.money.get((currency, big))
        if money is None:
            money = self.money[currency, big] = MoneyTally()
        won, adjusted = marks.won, marks.adjusted
        money.hands += 1
        if won or adjusted:
            money.won += won
            money.squares += won * won
            money.adjusted += adjusted
        blinds = float(won / big) if big else 0.0
        expected = blinds if adjusted is won else float(adjusted / big) if big else 0.0
        self.line.append(LinePoint(1, blinds, blinds if marks.showdown else 0.0, expected))
        if len(self.line) > 2 * MOST_POINTS:
            self.line = join_neighbours(self.line)

    def add(self, other: "PlayerTally") -> None:
        """Add another tally, whose hands are later."""
        self.hands += other.hands
        for name in COUNTED:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for key, money in other.money.items():
            self.money.setdefault(key, MoneyTally()).add(money)
        self.line += other.line
        if len(self.line) > 2 * MOST_POINTS:
            self.line = join_neighbours(self.line)


COUNTED = tuple(name for name in PlayerTally.__struct_fields__ if name not in ("hands", "money", "line"))
"""The marks that are added up."""


def join_neighbours(points: Sequence[LinePoint]) -> list[LinePoint]:
    """Join neighbouring points that cover few hands; return a line of at most `MOST_POINTS` + 1 points."""
    most = -(-2 * sum(point.hands for point in points) // MOST_POINTS)
    joined: list[LinePoint] = []
    for point in points:
        if joined and joined[-1].hands + point.hands <= most:
            last = joined[-1]
            joined[-1] = LinePoint(
                last.hands + point.hands,
                last.won + point.won,
                last.at_showdown + point.at_showdown,
                last.adjusted + point.adjusted,
            )
        else:
            joined.append(point)
    return joined


def count_hand(tallies: Tallies, hand: MarkedHand, by: By | None = None) -> None:
    """Add the marks of one hand to the tallies of all its players."""
    for marks in hand.players:
        key = (marks.name, _group(hand, marks, by))
        tally = tallies.get(key)
        if tally is None:
            tally = tallies[key] = PlayerTally()
        tally.count(marks, hand.currency, hand.big)


def add_tallies(total: Tallies, others: Tallies) -> None:
    """Add the tallies of later hands."""
    for key, tally in others.items():
        if key in total:
            total[key].add(tally)
        else:
            total[key] = tally


def _group(hand: MarkedHand, marks: PlayerMarks, by: By | None) -> str | None:
    if by == "position":
        return marks.position
    if by == "stake":
        return hand.stake
    return hand.day.isoformat() if by == "day" and hand.day is not None else None
