"""Reading PHH raises no other error than PhhError, and what it accepts it writes and reads back the same."""

from hypothesis import given
from hypothesis import strategies as st

from pitboss.formats.phh import PhhError, read_phh, read_phhs, scan, write_phh, write_phhs
from pitboss.records.record import Record

HAND = """\
# An example
# Link: https://example.org

variant = "NT"
ante_trimming_status = true
antes = [0, 0]
blinds_or_straddles = [0.50, -1]
min_bet = 1_0.0e0
starting_stacks = [110.00, inf]
actions = [ # Pre-flop
  # Deal
  "d dh p1 ????",  # Bob
  'd dh p2 AsKd', 'p2 cbr 3 # hm',

  # End
] # done
time = 11:31:34.5
players = ['''O'Neill''', \"\"\"
Alice\\n\"\"\"]
_a.b = {c = [1979-05-27T07:32:00-08:00, nan], 'd e' = "\\u00e9"} # mine
_rows = [
[1],
["[2]"],
]
# the end
"""
PARTS = [*"[]{}\"'#=,.\n\\_-+ \t", '"""', "'''", "[1]\n", "[2]\n", "\r\n", "\r", "\0", "nan", "1e9999", "0x", "é", "[["]
PARTS += [
    "antes",
    "actions = [",
    "_x = ",
    "[1._a]\n",
    "[[_a]]\n",
    "# c\n",
    "true",
    "-1",
    "1979-13-45",
    "_a = 1\n",
    "\ufeff",
]


def once(hand: str) -> str:
    return f"# file\n\n[1] # one\n{hand}\n[1._sub] # own\na = 1\n\n# next\n[2]\n{hand}"


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(text)))
        length = draw(st.sampled_from([0, 0, 1, 1, 2, 5, 30, 200]))
        piece = draw(st.sampled_from(PARTS) | st.text(max_size=3) | st.just(text[place : place + length]))
        text = text[:place] + piece + text[place + length :]
    return text


def attempt(text: str, name: str) -> Record | PhhError:
    try:
        return read_phh(text, name)
    except PhhError as error:
        return error


@given(mutated(HAND) | st.text())
def test_a_hand_is_read_or_refused(text: str) -> None:
    outcome = attempt(text, "x.phh")
    if isinstance(outcome, PhhError):
        assert str(outcome).startswith("x.phh")
        assert len(str(outcome).split("\n")) == 1
        return
    assert read_phh(write_phh(outcome)) == outcome
    spoken = [line for lines in outcome.comments.values() for line in lines]
    assert len(spoken) <= text.count("#")


@given(mutated(once(HAND)) | st.text())
def test_tables_are_read_or_refused(text: str) -> None:
    outcomes = list(scan(text, "x.phhs"))
    hands = [(table, outcome) for table, outcome in outcomes if isinstance(outcome, Record)]
    assert read_phhs(write_phhs(hands)) == hands
    for _, outcome in outcomes:
        assert isinstance(outcome, Record) or str(outcome).startswith("x.phhs")
    if len(hands) == len(outcomes):
        assert read_phhs(text) == hands


@given(mutated(HAND))
def test_a_broken_table_costs_no_other(broken: str) -> None:
    """Unless it closes what it opened further on, or brings tables of its own, as the mutations may."""
    text = f"[a]\n{HAND}\n[b]\n{broken}\n\n[c]\nvariant = 'NT'\n\n[d]\n{HAND}"
    outcomes = list(scan(text))
    names = [table for table, _ in outcomes]
    assert names[:2] == ["a", "b"]
    assert names[-1] == "d"
    assert isinstance(outcomes[0][1], Record)
    assert isinstance(outcomes[-1][1], Record)


def test_the_unmutated_hand_is_read() -> None:
    assert len(read_phh(HAND).comments) == 7
    assert [len(record.comments) for _, record in read_phhs(once(HAND))] == [7, 7]
