"""Reading PHH: what is accepted, and the one sentence for each fault."""

import datetime as dt
import pickle
from decimal import Decimal

import pytest

from pitboss.formats.phh import PhhError, read_phh, read_phhs, scan
from pitboss.formats.phh.fields import REQUIRED_FIELDS
from pitboss.records.record import EXPECTED_VARIANT, Record
from tests.support.for_each import for_each

HAND = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, -1]
min_bet = 1
starting_stacks = [110.00, inf, 78]
actions = ['d dh p1 ????', 'p3 cc # thinks']
"""
STUD = """\
variant = 'F7S'
antes = [1, 1]
bring_in = 1
small_bet = 2
big_bet = 4
starting_stacks = [50, 50]
actions = []
"""


def table(number: int, hand: str = HAND) -> str:
    return f"[{number}]\n{hand}\n"


def changed(field: str, value: str, hand: str = HAND) -> str:
    others = [line for line in hand.splitlines() if not line.startswith(f"{field} =")]
    return "\n".join([*others, f"{field} = {value}", ""])


def without(field: str, hand: str = HAND) -> str:
    return "\n".join(line for line in hand.splitlines() if not line.startswith(f"{field} ="))


def test_amounts_keep_their_written_digits_and_actions_their_commentary() -> None:
    record = read_phh(HAND)
    assert record == Record(
        variant="NT",
        antes=(0, 0, 0),
        blinds_or_straddles=(Decimal("0.50"), 1, -1),
        min_bet=1,
        starting_stacks=(Decimal(110), Decimal("Infinity"), 78),
        actions=("d dh p1 ????", "p3 cc # thinks"),
    )
    assert [str(stack) for stack in record.starting_stacks] == ["110.00", "Infinity", "78"]
    assert [type(blind) for blind in record.blinds_or_straddles or ()] == [Decimal, int, int]


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        read_phh(HAND).variant = "PO"  # type: ignore[misc]  # the point of the test


def test_every_optional_field_is_read() -> None:
    more = """\
ante_trimming_status = false
author = 'A'
event = 'E'
url = 'https://example.org'
venue = 'V'
address = 'Street 1'
city = 'C'
region = 'R'
postal_code = '1'
country = 'N'
time = 11:31:34
time_zone = 'America/Toronto'
time_zone_abbreviation = 'EDT'
day = 31
month = 12
year = 2009
hand = 'R5-1'
level = 3
seats = [4, 5, 6]
seat_count = 9
table = 7
players = ['a', '', "c"]
finishing_stacks = [0, inf, 78.5]
winnings = [0, 1.5, 0]
currency = 'USD'
currency_symbol = '$'
time_limit = inf
time_banks = [30, 30.5, inf]
_mine = {a = [1, {b = 1979-05-27}], 'c d' = nan}
"""
    record = read_phh(HAND + more)
    assert None not in [getattr(record, line.split(" =")[0]) for line in more.splitlines()[:-1]]
    assert record.time == dt.time(11, 31, 34)
    assert record.user["_mine"]["a"] == (1, {"b": dt.date(1979, 5, 27)})  # type: ignore[index,call-overload]  # a table, as the text says
    assert record == read_phh(HAND + more), "even with nan"


@for_each("variant", REQUIRED_FIELDS)
def test_each_variant_needs_its_stakes_and_takes_no_others(variant: str) -> None:
    stakes = {"antes": "[0, 0]", "blinds_or_straddles": "[1, 2]", "bring_in": "1"}
    stakes |= {"small_bet": "2", "big_bet": "4", "min_bet": "2"}
    rest = f"variant = '{variant}'\nstarting_stacks = [9, 9]\nactions = []\n"
    needed = REQUIRED_FIELDS[variant]
    good = rest + "".join(f"{name} = {stakes[name]}\n" for name in needed)
    assert read_phh(good).variant == variant
    for name in needed:
        with pytest.raises(PhhError, match=f"^field {name}: missing; variant {variant} requires it"):
            read_phh(without(name, good))
    for name in stakes.keys() - set(needed):
        with pytest.raises(PhhError, match=f"^field {name}: not a field of variant {variant}; remove it"):
            read_phh(f"{good}{name} = {stakes[name]}")


@for_each(
    "field, value, sentence",
    [
        ("antes", "[0, 0]", "expected 3 entries, one per player, got 2"),
        ("antes", "[0]", "expected 3 entries, one per player, got 1"),
        ("antes", "[0, 0, -1]", "entry 3: expected 0 or more"),
        ("antes", "[0, true, 0]", "entry 2: expected a number, got a boolean"),
        ("antes", "[0, [0], 0]", "entry 2: expected a number, got an array"),
        ("antes", "[0, nan, 0]", "entry 2: expected a number, got nan"),
        ("antes", "[0, inf, 0]", "entry 2: expected a finite number"),
        ("antes", "0", "expected an array, got an integer"),
        ("blinds_or_straddles", "[1, 2, 0, 0]", "expected 3 entries, one per player, got 4"),
        ("blinds_or_straddles", "[1, 2, -inf]", "entry 3: expected a finite number"),
        ("starting_stacks", "[1, 2, -0.01]", "entry 3: expected 0 or more"),
        ("starting_stacks", "[1, 2, -inf]", "entry 3: expected 0 or more"),
        ("starting_stacks", "[]", "expected at least one entry"),
        ("starting_stacks", "[1]", None),
        ("min_bet", "true", "expected a number, got a boolean"),
        ("min_bet", "0", "expected a number above 0, got 0"),
        ("min_bet", "'1'", "expected a number, got a string"),
        ("actions", "['d db AsKsQs', 3]", "entry 2: expected a string, got an integer"),
        ("actions", "'p1 f'", "expected an array, got a string"),
        ("variant", "'XX'", f"{EXPECTED_VARIANT}, got XX"),
        ("variant", "5", "expected a string, got an integer"),
        ("players", "['a', 'b']", "expected 3 entries, one per player, got 2"),
        ("players", "['a', 'b', 3]", "entry 3: expected a string, got an integer"),
        ("seats", "[1, 2, 3.0]", "entry 3: expected an integer, got a float"),
        ("finishing_stacks", "[0, 0]", "expected 3 entries, one per player, got 2"),
        ("finishing_stacks", "[0, 0, -1]", "entry 3: expected 0 or more"),
        ("winnings", "[0, 0, 0, 0]", "expected 3 entries, one per player, got 4"),
        ("time_banks", "[]", "expected 3 entries, one per player, got 0"),
        ("time", "'noon'", "expected a time, got a string"),
        ("time", "1979-05-27T07:32:00Z", "expected a time, got a date and time"),
        ("day", "32", "expected 1 to 31, got 32"),
        ("month", "true", "expected an integer, got a boolean"),
        ("hand", "1.5", "expected a string or an integer, got a float"),
        ("table", "{a = 1}", "expected a string or an integer, got a table"),
        ("ante_trimming_status", "1", "expected a boolean, got an integer"),
        ("rake", "1", "expected a field of the standard, or a name that begins with _"),
        ("''", "1", "expected a field of the standard, or a name that begins with _"),
    ],
)
def test_a_fault_names_file_table_field_and_line(field: str, value: str, sentence: str | None) -> None:
    text = changed(field, value)
    if sentence is None:
        sentence, field, line = "expected 1 entry, one per player, got 3", "antes", 2
    else:
        line = text.count("\n")
    with pytest.raises(PhhError) as alone:
        read_phh(text, "hand.phh")
    assert str(alone.value) == f"hand.phh, field {field}: {sentence} (line {line})"
    with pytest.raises(PhhError) as among:
        read_phhs(table(1) + table(3, text), "hands.phhs")
    line += table(1).count("\n") + 1
    assert str(among.value) == f"hands.phhs, table 3, field {field}: {sentence} (line {line})"


def test_an_error_knows_its_parts_and_travels() -> None:
    with pytest.raises(PhhError) as caught:
        read_phhs(table(1, changed("day", "0")), "x.phhs")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (error.name, error.table, error.field, error.line) == ("x.phhs", "1", "day", 8)
        assert str(error) == "x.phhs, table 1, field day: expected 1 to 31, got 0 (line 8)"


def test_a_missing_field_of_a_table_is_reported_with_the_line_of_its_header() -> None:
    with pytest.raises(PhhError, match=r"^x, table 2, field min_bet: missing; variant NT requires it \(line 9\)$"):
        read_phhs(table(1) + table(2, without("min_bet")), "x")


@for_each(
    "broken",
    [
        without("actions") + "\nactions = ['p1 f'",
        without("antes") + "\nantes = [0, 0, 0",
        HAND + "author = '''never closed",
        HAND + 'author = """never closed',
        HAND + "author = 'never closed",
        HAND + "_mine = {a = 1",
        HAND + "_mine = {a = [",
        HAND + "what is this",
        HAND + "_big = 1e99999999999999999999",
        HAND + "_big = 1e500",
        HAND + f"_big = {'9' * 5000}",
        without("starting_stacks") + f"\nstarting_stacks = [0x{'f' * 4000}, 200, 200]",
        without("min_bet") + f"\nmin_bet = 0x{'f' * 4000}",
        HAND + f"_deep = {'[' * 300}{']' * 300}",
        HAND + f"_deep = {'[' * 3000}{']' * 3000}",
        HAND + "antes = [0, 0, 0]",
        HAND + "[2.more]\n_a = 1",
        without("variant"),
        "",
    ],
)
def test_scan_continues_after_a_broken_table(broken: str) -> None:
    text = table(1) + table(2, broken) + table(3, STUD) + table(4, HAND + "author = '''\nme'''") + table(5)
    outcomes = dict(scan(text, "x.phhs"))
    assert list(outcomes) == ["1", "2", "3", "4", "5"]
    assert [name for name, outcome in outcomes.items() if isinstance(outcome, PhhError)] == ["2"]
    assert str(outcomes["2"]).startswith("x.phhs, table 2")
    assert "(line " in str(outcomes["2"])
    assert "\n" not in str(outcomes["2"])
    with pytest.raises(PhhError, match="table 2"):
        read_phhs(text)


def test_toml_faults_are_reported_with_the_line_of_the_file() -> None:
    text = table(1) + table(2, without("antes") + "\nantes = [0 0]") + table(3)
    outcome = dict(scan(text, "x"))["2"]
    assert isinstance(outcome, PhhError)
    assert outcome.line == text[: text.index("[0 0]")].count("\n") + 1
    assert str(outcome).startswith("x, table 2: not TOML, ")


def test_header_inside_arrays_and_strings_is_ignored() -> None:
    own = "_a = [\n[1],\n  [2], # c\n[['x']]\n]\n_b = '''\n[7]\nvariant = 1\n# d'''\n[8]\n"
    text = table(1) + table(2, HAND + own.removesuffix("[8]\n") + '_c = """\n[9]\n"""') + table(3)
    hands = read_phhs(text)
    assert [name for name, _ in hands] == ["1", "2", "3"]
    assert hands[1][1].user == {"_a": ((1,), (2,), (("x",),)), "_b": "[7]\nvariant = 1\n# d", "_c": "[9]\n"}


def test_a_field_fault_behind_a_long_string_does_not_undo_the_string() -> None:
    text = table(1) + table(2, changed("day", "0") + "_a = '''\n[1]\n'''") + table(3)
    outcomes = list(scan(text))
    assert [name for name, _ in outcomes] == ["1", "2", "3"]
    assert str(outcomes[1][1]) == "table 2, field day: expected 1 to 31, got 0 (line 16)"


def test_a_hand_may_have_tables_of_its_own_with_headers() -> None:
    own = "[{}_mine]\na = 1\n[{}_mine.deep]\nb = 2\n[[{}_rows]]\nc = 3\n"
    expected = {"_mine": {"a": 1, "deep": {"b": 2}}, "_rows": ({"c": 3},)}
    assert read_phh(HAND + own.replace("{}", "")).user == expected
    hands = read_phhs(table(1, HAND + own.replace("{}", "1.")) + table(2))
    assert [record.user for _, record in hands] == [expected, {}]


def test_tables_may_have_any_name_but_only_once() -> None:
    text = f'[a-b]\n{HAND}\n[\'c d\']\n{HAND}\n[ "\\u0065" ] # x\n{HAND}\n[""]\n{HAND}'
    assert [name for name, _ in read_phhs(text)] == ["a-b", "c d", "e", ""]
    outcomes = list(scan(table(1) + table(2) + table(1), "x"))
    assert isinstance(outcomes[1][1], Record)
    assert str(outcomes[2][1]) == "x, table 1: expected different table names, got this one twice (line 17)"


def test_text_of_the_other_kind_is_recognised() -> None:
    with pytest.raises(PhhError, match=r"^x.phh, field 1: expected a field of the standard"):
        read_phh(table(1), "x.phh")
    with pytest.raises(PhhError, match=r"^x.phhs: expected a table header such as.* \(line 3\)$"):
        read_phhs("# hello\n\n" + HAND, "x.phhs")


def test_windows_line_ends_byte_order_marks_and_empty_text() -> None:
    text = table(1) + table(2)
    assert read_phhs("\ufeff" + text.replace("\n", "\r\n")) == read_phhs(text)
    assert read_phhs("") == read_phhs("# nothing yet\n") == []


def test_many_broken_tables_cost_no_more_than_their_length() -> None:
    opened = (without("antes") + "\nantes = [", HAND + "_a = '''x", HAND + '_a = """x', HAND + "_a = {b = [")
    text = "".join(table(number, opened[number % 4]) for number in range(1200)) + table(1200)
    outcomes = list(scan(text))
    assert len(outcomes) == 1201
    assert isinstance(outcomes[-1][1], Record)
    assert sum(isinstance(outcome, Record) for _, outcome in outcomes) == 1
