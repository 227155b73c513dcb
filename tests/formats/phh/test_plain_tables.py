"""A plain table is read as the TOML reader reads it, and one that is not plain is left to it."""

import re
import tomllib
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.formats.phh import PhhError, read_phh, read_phhs, reader, scan
from pitboss.formats.phh.fields import _all_chips, _all_texts, _amount, _each, _of
from pitboss.formats.phh.reader import read_plain
from pitboss.records.moves import MoveError, read_move
from tests.support.for_each import for_each

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "phh"
FILES = sorted(DATA.glob("*.phhs"))
HAND = """\
variant = 'NT'
ante_trimming_status = true
antes = [0, 0]
blinds_or_straddles = [0.50, 1]
min_bet = 1
starting_stacks = [110.00, inf]
actions = ['d dh p1 ????', 'd dh p2 AsKd # hm', 'p2 cbr 3', 'p1 f']
venue = 'Jackpot #13'
time = 11:31:34
day = 22
seats = [2, 1]
players = ['', ', ']
_mine = -0.0
_none = []
"""
PARTS = [*"[]{}\"'#=,.\n\\_-+ \t:0", ", ", "', '", "'''", " = ", "\r", "\r\n", "\0", "\x7f", "\u2028", "é", "٣", "1_0"]
PARTS += ["[1]", "[1]\n", "['1']\n", "nan", "inf", "-inf", "true", "00", "1e5", "0x1", "9" * 19, "24:00:00", "1:00:00"]
PARTS += ["variant = 'NT'\n", "_a.b = 1\n", "é = 1\n", "'_a' = 1\n", "_a = [[1]]\n", "_a = {}\n", "# c\n", "1979-05-27"]


@st.composite
def tables(draw: st.DrawFn) -> str:
    """A hand with pieces put in, left out and exchanged, mostly few enough that it stays TOML."""
    text = HAND
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(text)))
        length = draw(st.sampled_from([0, 0, 1, 1, 2, 5, 30]))
        piece = draw(st.sampled_from(PARTS) | st.text(max_size=3) | st.just(""))
        text = text[:place] + piece + text[place + length :]
    return text


def tuples(value: Any) -> Any:
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def by_toml(text: str) -> str:
    """The fields by the TOML reader alone, spelled out: 1, 1.0 and True are not the same, nor are 0.5 and 0.50."""
    return repr({name: tuples(value) for name, value in tomllib.loads(text, parse_float=Decimal).items()})


def without_plain(read_it: Callable[[], Any]) -> Any:
    """What is read where no table counts as plain."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "read_plain", lambda text, table: None)
        return read_it()


def outcomes(text: str) -> list[tuple[str, str]]:
    return [(table, repr(outcome)) for table, outcome in scan(text, "x.phhs")]


def outcome(text: str) -> str:
    try:
        return repr(read_phh(text, "x.phh"))
    except PhhError as error:
        return repr(error)


def test_a_plain_table_has_the_values_of_toml() -> None:
    assert repr(read_plain(HAND, None)) == by_toml(HAND)
    assert repr(read_plain(f"[a-1]\n\n{HAND}", "a-1")) == by_toml(HAND)
    assert outcome(HAND) == without_plain(lambda: outcome(HAND))
    assert outcome(HAND).startswith("Record(variant='NT'")


@for_each(
    "line",
    [
        *(
            'a = "b"',
            "a = 'b' # c",
            "# c",
            "a =1",
            "a = 1 ",
            " a = 1",
            "a = +1",
            "a = 01",
            "a = 1_0",
            "a = 1e5",
            "a = nan",
        ),
        *("a = [1,2]", "a = [1, 2,]", "a = ['b',", "a = [[1]]", "a = {}", "a = '''b'''", "a = 'b'c'", "a = ['b', 1]"),
        *("a.b = 1", "'a' = 1", "é = 1", "a = ٣", "a = 1.", "a = .5", "a = 'b\x7f'", "a = 'b\rc'", "a", "a = ", " = 1"),
        *(
            "variant = 'NT'",
            "a = 24:00:00",
            "a = 1979-05-27",
            f"a = {'9' * 19}",
            "[b]",
            "a = True",
            "a = tru",
            "a = []]",
        ),
    ],
)
def test_anything_else_is_not_plain(line: str) -> None:
    assert read_plain(f"variant = 'NT'\n{line}\n", None) is None


@for_each("header", ["[ 1 ]", "['1']", "[1] # one", "", " [1]", "# c\n[1]", "[[1]]", "[2]"])
def test_a_header_that_is_not_plain(header: str) -> None:
    assert read_plain(f"{header}\nvariant = 'NT'\n", "1") is None


def test_header_that_is_not_toml_is_not_plain() -> None:
    assert read_plain("[\"\\q\"]\nvariant = 'NT'\n", '"\\q"') is None


@given(tables())
def test_plain_tables_read_like_toml(text: str) -> None:
    text = text.replace("\r\n", "\n")
    plain = read_plain(text, None)
    if plain is not None:
        assert repr(plain) == by_toml(text)


@given(tables())
def test_records_and_faults_are_the_same_as_without_it(text: str) -> None:
    assert outcome(text) == without_plain(lambda: outcome(text))
    many = f"[1]\n{HAND}\n[2]\n{text}\n[3]\n{text}"
    assert outcomes(many) == without_plain(lambda: outcomes(many))


@pytest.mark.check
@pytest.mark.skipif(not FILES, reason=f"no recorded hands: {DATA} is absent")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_recorded_hands_are_the_same_as_without_it(file: Path) -> None:
    text = file.read_bytes().decode()
    hands = read_phhs(text)
    same = repr(hands) == repr(without_plain(lambda: read_phhs(text)))
    assert same
    if file.stem != "historic":  # whose hands are annotated
        tables = re.split(r"^(?=\[)", text, flags=re.MULTILINE)[1:]
        assert [at for at, table in enumerate(tables) if read_plain(table, str(at + 1)) is None] == []


ENTRIES = st.lists(st.integers(-2, 3) | st.booleans() | st.decimals(-1, 2, places=1) | st.text(max_size=1), max_size=4)


@given(ENTRIES.map(tuple))
def test_an_array_that_looks_fine_at_once_is_fine_entry_by_entry(values: tuple[object, ...]) -> None:
    for entry, fine in ((_amount(), _all_chips), (_amount(negative=True), _all_chips), (_of(int), _all_chips)):
        assert _each(entry, fine)(values) == _each(entry)(values)
    assert _each(_of(str), _all_texts)(values) == _each(_of(str))(values)


def test_a_cached_move_depends_on_the_number_of_players() -> None:
    assert read_move("p6 f", 6) == read_move("p6 f", 6)
    for _ in range(2):
        with pytest.raises(MoveError, match="expected a player from p1 to p5, got p6"):
            read_move("p6 f", 5)
    for _ in range(2):
        with pytest.raises(MoveError, match="unknown card 'Xx'"):
            read_move("d db Xx", 6)
    long = "p6 cbr 2.50 # " + "hopes " * 20
    assert repr(read_move(long, 6)) == repr(read_move("p6 cbr 2.50", 6))
