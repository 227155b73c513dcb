"""Statistics as rows, one per player, and as DataFrames of pandas and polars."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from math import lcm, nan
from typing import Any, Literal

from msgspec import Struct

from pitboss.fast.compiled import NotInstalled
from pitboss.records.money import Amount
from pitboss.stats import Mean
from pitboss.study.marks import POSITIONS
from pitboss.study.tally import By, LinePoint, MoneyTally, PlayerTally, Tallies

_HUNDRED = 100
DECIMAL_PLACES = 6  # of shares and rates in text
_MEASURED = (
    *("won", "bb_per_100", "bb_per_100_low", "bb_per_100_high", "all_in_adjusted", "all_in_adjusted_bb_per_100"),
    *("vpip", "pfr", "three_bet", "c_bet", "aggression", "wtsd", "wsd"),
)
"""The columns that are always floats in a frame, even if all values are unknown or whole numbers."""


Sort = Literal["result", "hands"]
"""The order of players: by winnings, or by the number of hands."""


class PlayerStatistics(Struct, frozen=True, kw_only=True):
    """The statistics of one player. A share is a number from 0 to 1; it is None if the player had no chance.

    >>> from pitboss import Record, statistics
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> [(row.player, row.won) for row in statistics(record)]
    [('Bo', 2), ('Ann', -2)]
    """

    player: str
    group: str | None = None  #: the position, stake or day, if rows are grouped
    hands: int
    won: Amount | None  #: None if the hands have several currencies
    currency: str | None  #: "chips" if the hands name none; None if they have several
    won_by_currency: dict[str, Amount]
    bb_per_100: float | None
    bb_per_100_low: float | None  #: start of the 95 % confidence interval; the next field is its end
    bb_per_100_high: float | None
    all_in_adjusted: Amount | None  #: `won`, with the expected result of hands that were all-in before the last card
    all_in_adjusted_bb_per_100: float | None
    all_in_hands: int  #: the number of adjusted hands
    vpip: float | None
    vpip_hands: int
    pfr: float | None
    three_bet: float | None
    three_bet_hands: int
    c_bet: float | None
    c_bet_hands: int
    aggression: float | None
    aggression_actions: int
    wtsd: float | None
    wtsd_hands: int
    wsd: float | None
    wsd_hands: int


class SkippedHand(Struct, frozen=True):
    """A hand or a file that was skipped, and the reason. Line 0 means the whole file.

    >>> from pitboss import SkippedHand
    >>> print(SkippedHand("x.txt", 7, "no amount"))
    x.txt, line 7: no amount
    """

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        where = ", ".join(part for part in (self.file, f"line {self.line}" if self.line else "") if part)
        return f"{where}: {self.reason}" if where else self.reason


class Statistics(Sequence[PlayerStatistics]):
    """The statistics of all players: one row per player or group, the skipped hands, and the lines of winnings.

    >>> from pitboss import Record, statistics
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> counted = statistics(record)
    >>> counted.hands, len(counted), counted.skipped
    (1, 2, ())
    """

    def __init__(
        self,
        tallies: Tallies,
        *,
        by: By | None = None,
        hands: int = 0,
        skipped: Sequence[SkippedHand] = (),
        sort: Sort = "result",
    ) -> None:
        self.by = by
        self.hands = hands  #: the number of hands counted
        self.skipped = tuple(skipped)
        total = _results(tallies) if sort == "result" else _hands(tallies)
        keys = sorted(tallies, key=lambda key: (-total[key[0]], key[0], _place(key[1])))
        self._rows = tuple([make_row(key[0], key[1], tallies[key]) for key in keys])
        self._lines = tuple([tuple(tallies[key].line) for key in keys])

    def __getitem__(self, index: Any) -> Any:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[PlayerStatistics]:
        return iter(self._rows)

    def __repr__(self) -> str:
        return f"<Statistics of {self.hands} hands, {len(self)} rows>"

    def line(self, index: int) -> tuple[LinePoint, ...]:
        """Return the winnings of a row from hand to hand, in big blinds."""
        return self._lines[index]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return every row as a dictionary; the key of the group is its kind: position, stake or day."""
        return [self._named(row) for row in self._rows]

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame; unknown values are NaN."""
        columns = self._columns()
        for name in _MEASURED:
            columns[name] = [nan if value is None else value for value in columns[name]]
        return _package("pandas").DataFrame(columns)

    def to_polars(self) -> Any:
        """Return the rows as a polars DataFrame; unknown values are null."""
        polars = _package("polars")
        return polars.DataFrame(self._columns(), schema_overrides=dict.fromkeys(_MEASURED, polars.Float64))

    def _named(self, row: PlayerStatistics) -> dict[str, Any]:
        fields = {name: getattr(row, name) for name in row.__struct_fields__}
        group = fields.pop("group")
        return fields if self.by is None else {"player": fields.pop("player"), self.by: group, **fields}

    def _columns(self) -> dict[str, list[Any]]:
        """Return flat columns: counts as integers, other numbers as floats, several currencies as text."""
        rows = [{name: flatten(value) for name, value in row.items()} for row in self.to_dicts()]
        names = list(rows[0]) if rows else [name for name in PlayerStatistics.__struct_fields__ if name != "group"]
        columns = {name: [row[name] for row in rows] for name in names}
        for name in _MEASURED:
            columns[name] = [None if value is None else float(value) for value in columns[name]]
        return columns


def _hands(tallies: Tallies) -> dict[str, Fraction]:
    """Return the number of hands of each player."""
    total: dict[str, Fraction] = {}
    for (player, _), tally in tallies.items():
        total[player] = total.get(player, Fraction(0)) + tally.hands
    return total


def _results(tallies: Tallies) -> dict[str, Fraction]:
    """Return the winnings of each player: in the only currency, or in big blinds if there are several."""
    currencies = {currency for tally in tallies.values() for currency, _ in tally.money}
    total: dict[str, Fraction] = {}
    for (player, _), tally in tallies.items():
        for (_, big), money in tally.money.items():
            won = Fraction(money.won) if len(currencies) == 1 else _in_blinds(money.won, big)
            total[player] = total.get(player, Fraction(0)) + won
    return total


def flatten(value: Any) -> Any:
    """Return a value as it is written in a frame or a table of text.

    >>> flatten({"USD": Decimal("1.50"), "EUR": 2}), flatten(Decimal("0.25"))
    ('USD 1.50; EUR 2', 0.25)
    """
    if isinstance(value, dict):
        return "; ".join(f"{name} {amount}" for name, amount in value.items())
    return float(value) if isinstance(value, Decimal) else value


def make_row(player: str, group: str | None, tally: PlayerTally) -> PlayerStatistics:
    """Return the row of one tally."""
    won, adjusted = _by_currency(tally, "won"), _by_currency(tally, "adjusted")
    one = next(iter(won)) if len(won) == 1 else None
    rate, low, high = _per_100(list(tally.money.items()))
    expected = sum([_in_blinds(money.adjusted, big) for (_, big), money in tally.money.items()], Fraction(0))
    acts = tally.aggressive + tally.passive
    return PlayerStatistics(
        player=player,
        group=group,
        hands=tally.hands,
        won=None if one is None else won[one],
        currency=one,
        won_by_currency=won,
        bb_per_100=rate,
        bb_per_100_low=low,
        bb_per_100_high=high,
        all_in_adjusted=None if one is None else adjusted[one],
        all_in_adjusted_bb_per_100=float(_HUNDRED * expected / tally.hands),
        all_in_hands=tally.all_in,
        vpip=_share(tally.vpip, tally.asked),
        vpip_hands=tally.asked,
        pfr=_share(tally.pfr, tally.asked),
        three_bet=_share(tally.three_bet, tally.three_bet_chance),
        three_bet_hands=tally.three_bet_chance,
        c_bet=_share(tally.c_bet, tally.c_bet_chance),
        c_bet_hands=tally.c_bet_chance,
        aggression=_share(tally.aggressive, acts),
        aggression_actions=acts,
        wtsd=_share(tally.showdown, tally.saw_second),
        wtsd_hands=tally.saw_second,
        wsd=_share(tally.won_showdown, tally.showdown),
        wsd_hands=tally.showdown,
    )


def _share(done: int, chances: int) -> float | None:
    return done / chances if chances else None


def _by_currency(tally: PlayerTally, name: str) -> dict[str, Amount]:
    sums: dict[str, Amount] = {}
    for (currency, _), money in sorted(tally.money.items(), key=lambda item: (item[0][0], Decimal(item[0][1]))):
        sums[currency] = sums.get(currency, 0) + getattr(money, name)
    return {currency: int(amount) if amount == int(amount) else amount for currency, amount in sums.items()}


def _per_100(money: Sequence[tuple[tuple[str, Amount], MoneyTally]]) -> tuple[float | None, float | None, float | None]:
    """Return the big blinds won per hundred hands, and the ends of their confidence interval."""
    hands = sum([tally.hands for _, tally in money])
    total = sum([_in_blinds(tally.won, big) for (_, big), tally in money], Fraction(0))
    squares = sum([_in_blinds(_in_blinds(tally.squares, big), big) for (_, big), tally in money], Fraction(0))
    unit = lcm(total.denominator, squares.denominator)
    mean = Mean.of_sums(hands, int(total * unit), int(squares * unit * unit))
    rate = _HUNDRED * mean.mean / unit
    if hands < 2:
        return rate, None, None
    low, high = mean.interval()
    return rate, _HUNDRED * low / unit, _HUNDRED * high / unit


def _in_blinds(amount: Amount | Fraction, big: Amount) -> Fraction:
    return Fraction(amount) / Fraction(big) if big else Fraction(0)


def _place(group: str | None) -> tuple[int, str]:
    """Return the sort key of a group: positions in their order, other groups by name."""
    if group is None:
        return len(POSITIONS) + 1, ""
    return (POSITIONS.index(group), "") if group in POSITIONS else (len(POSITIONS), group)


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise NotInstalled(f"{name} is not installed: pip install {name}, or use to_dicts()") from None
