"""Writing PHH: the canonical spelling, and the law that what is written is read back the same."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.formats.phh import PhhError, read_phh, read_phhs, write_phh, write_phhs
from pitboss.formats.phh.fields import REQUIRED_FIELDS
from pitboss.formats.phh.reader import NAN
from pitboss.records.record import Anchor, Comments, Record, written_fields
from tests.support.for_each import for_each

RECORD = Record(
    variant="NT",
    antes=(0, 0),
    blinds_or_straddles=(1, 2),
    min_bet=2,
    starting_stacks=(110, 110),
    actions=("d dh p1 AsKd", "p2 f"),
)

texts = st.text(max_size=8) | st.sampled_from(
    ["'", '"', "'''", '"""', "\\", "\n", "\r\n", "\t", "#", "ünï ♠", "\x7f\0"]
)
decimals = st.decimals(allow_nan=False, allow_infinity=False, min_value=0, max_value=10**9, places=2) | st.builds(
    Decimal,
    st.sampled_from(["0.50", "0E-9", "1E+3", "1.5E+7", "0.0000001", "1E-30", "100", "0", "12345678901234567890.1"]),
)
amounts = st.integers(0, 10**20) | decimals
stacks = amounts | st.just(Decimal("Infinity"))
zones = st.none() | st.builds(dt.timezone, st.integers(-1439, 1439).map(lambda minutes: dt.timedelta(minutes=minutes)))
scalars = (
    texts
    | st.integers()
    | st.booleans()
    | decimals
    | decimals.filter(bool).map(lambda number: number.copy_negate())
    | st.sampled_from([Decimal("Infinity"), Decimal("-Infinity"), NAN])
    | st.dates()
    | st.times()
    | zones.flatmap(lambda zone: st.datetimes(timezones=st.just(zone)))
)
toml = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
remarks = st.text(st.characters(exclude_categories=("Cc", "Cs")) | st.just("\t"), max_size=8) | st.just("# x 'y' \"z")


def several(entries: st.SearchStrategy[Any], size: int) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(entries, min_size=size, max_size=size).map(tuple)


@st.composite
def fields(draw: st.DrawFn) -> dict[str, Any]:
    variant = draw(st.sampled_from(list(REQUIRED_FIELDS)))
    players = draw(st.integers(1, 4))
    positive = amounts.filter(bool)
    chosen: dict[str, st.SearchStrategy[Any]] = {
        "antes": several(amounts, players),
        "blinds_or_straddles": several(amounts | amounts.map(lambda amount: -amount), players),
        **dict.fromkeys(("bring_in", "small_bet", "big_bet", "min_bet"), positive),
    }
    made = {name: draw(chosen[name]) for name in REQUIRED_FIELDS[variant]} | {"variant": variant}
    made |= {"starting_stacks": draw(several(stacks, players)), "actions": draw(st.lists(texts, max_size=4).map(tuple))}
    optional = {
        "ante_trimming_status": st.booleans(),
        **dict.fromkeys(("author", "event", "venue", "time_zone_abbreviation"), texts),
        **dict.fromkeys(("hand", "table"), texts | st.integers()),
        "time": st.times(),
        "year": st.integers(),
        "month": st.integers(1, 12),
        "seats": several(st.integers(0, 10), players),
        "players": several(texts, players),
        **dict.fromkeys(("finishing_stacks", "time_banks"), several(stacks, players)),
        "winnings": several(amounts, players),
        "time_limit": stacks,
    }
    return made | {name: draw(optional[name]) for name in draw(st.sets(st.sampled_from(sorted(optional))))}


@st.composite
def records(draw: st.DrawFn) -> Record:
    own = draw(st.dictionaries(texts.map(lambda text: "_" + text), toml, max_size=3))
    record = Record(**draw(fields()), user=own)
    return replace(record, comments=draw(comments_of(record)))


@st.composite
def comments_of(draw: st.DrawFn, record: Record) -> Comments:
    anchors = [Anchor("top"), Anchor("end")]
    for name, value in written_fields(record).items():
        anchors += [Anchor("before", name), Anchor("beside", name)]
        if isinstance(value, tuple):
            anchors.append(Anchor("end", name))
            anchors += [Anchor(place, name, item) for item in range(len(value)) for place in ("before", "beside")]
    made = {}
    for anchor in draw(st.lists(st.sampled_from(anchors), unique=True, max_size=6)):
        most = 1 if anchor.place == "beside" else 3
        made[anchor] = draw(st.lists(remarks, min_size=1, max_size=most).map(tuple))
    return made


def exactly(value: object) -> object:
    """Something that differs where a type or a written digit does; only a whole Decimal may become an integer."""
    match value:
        case bool() | str():
            return repr(value)
        case int() | Decimal():
            return str(value)
        case tuple():
            return tuple(map(exactly, value))
        case dict():
            return {key: exactly(item) for key, item in value.items()}
    return value


@given(records())
def test_read_of_write_is_the_record(record: Record) -> None:
    again = read_phh(write_phh(record))
    assert again == record
    assert exactly(written_fields(again)) == exactly(written_fields(record))
    assert write_phh(again) == write_phh(record)


@given(st.dictionaries(texts, records(), max_size=3), st.sampled_from(["", "\n", "\n\n"]))
def test_read_of_write_is_every_record_under_its_name(hands: dict[str, Record], end: str) -> None:
    named = list(hands.items())
    assert read_phhs(write_phhs(named, end=end)) == named


def test_the_canonical_spelling() -> None:
    record = replace(
        RECORD,
        ante_trimming_status=True,
        starting_stacks=(Decimal("9.50"), Decimal("Infinity")),
        players=("O'Neill", 'a "b"'),
        time=dt.time(7, 5),
        time_zone_abbreviation="ET",
        currency_symbol="$",
        user={"_b c": {"d": (1, True)}, "_a": Decimal("1E-7")},
    )
    assert write_phh(record).splitlines() == [
        "variant = 'NT'",
        "ante_trimming_status = true",
        "antes = [0, 0]",
        "blinds_or_straddles = [1, 2]",
        "min_bet = 2",
        "starting_stacks = [9.50, inf]",
        "actions = ['d dh p1 AsKd', 'p2 f']",
        "time = 07:05:00",
        """players = ["O'Neill", 'a "b"']""",
        "currency_symbol = '$'",
        "time_zone_abbreviation = 'ET'",
        "'_b c' = {d = [1, true]}",
        "_a = 0.0000001",
    ]


def test_tables_are_numbered_unless_named() -> None:
    hand = write_phh(RECORD)
    assert write_phhs([RECORD, ("x", RECORD), RECORD]) == f"[1]\n{hand}\n[x]\n{hand}\n[3]\n{hand}\n"
    assert write_phhs([RECORD], end="") == f"[1]\n{hand}".removesuffix("\n")
    assert write_phhs([]) == ""
    with pytest.raises(PhhError, match=r"^table 2: expected different table names, got this one twice$"):
        write_phhs([("2", RECORD), RECORD])


@for_each(
    "change, sentence",
    [
        ({"antes": (0,)}, "field antes: expected 2 entries, one per player, got 1"),
        ({"antes": [0, 0]}, "field antes: expected an array"),
        ({"antes": (0, 0.5)}, "field antes: entry 2: expected a number, got a Python float"),
        ({"antes": (0, Decimal("1E+9999"))}, "field antes: entry 2: expected a number up to"),
        ({"min_bet": None}, "field min_bet: missing"),
        ({"time": dt.time(1, tzinfo=dt.UTC)}, "field time: expected a time without a zone"),
        ({"user": {"mine": 1}}, "field mine: must begin with _"),
        ({"user": {"antes": (1, 1)}}, "field antes: must begin with _"),
        ({"user": {"_a": None}}, "field _a: expected a TOML value, got a Python NoneType"),
        ({"user": {"_a": (1, 0.5)}}, "field _a: expected a TOML value, got a Python float"),
        ({"user": {"_a": {1: 2}}}, "field _a: expected a table whose keys are strings"),
        ({"user": {"_a": Decimal("1E-999999999")}}, "field _a: expected numbers with an exponent of at most"),
        (
            {"user": {"_a": dt.datetime(2000, 1, 1, tzinfo=dt.timezone(dt.timedelta(seconds=1)))}},
            "field _a: expected a time zone in whole minutes",
        ),
    ],
)
def test_unreadable_record_is_not_written(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PhhError, match="^" + sentence):
        write_phh(replace(RECORD, **change))
    with pytest.raises(PhhError, match="^table 1, " + sentence):
        write_phhs([replace(RECORD, **change)])


def test_integer_too_long_for_decimal_digits_is_written() -> None:
    record = replace(RECORD, user={"_a": 16**4000})
    assert read_phh(write_phh(record)) == record


def test_nesting_beyond_all_reason_is_not_written() -> None:
    deep: Any = 1
    for _ in range(2000):
        deep = (deep,)
    with pytest.raises(PhhError, match="expected at most 40 levels of nesting"):
        write_phh(replace(RECORD, user={"_a": deep}))
