"""Comments in PHH: each has an anchor, and is written back there."""

import pytest
from msgspec.structs import replace

from pitboss.formats.phh import PhhError, read_phh, read_phhs, write_phh, write_phhs
from pitboss.records.record import Anchor, Comments
from tests.support.for_each import for_each

PLAIN = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [110, 110]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']
"""
ANNOTATED = """\
# A hand,
#  for show.
#

# which game
variant = 'NT'  # no limit
antes = [0, 0]
# first
# second
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [
  110,  # short
  110,
]
# what happened
actions = [
  # Pre-flop

  'd dh p1 ????',  # Bob
  'd dh p2 ????',

  # Betting
  # without end

  'p2 f # sighs',  # Alice

  # Over
]  # all of it
author = 'Me #1'
_own = {a = '#'}  # mine
# The end
# really
"""


def test_each_comment_has_its_anchor() -> None:
    assert read_phh(ANNOTATED).comments == {
        Anchor("top"): ("A hand,", " for show.", ""),
        Anchor("before", "variant"): ("which game",),
        Anchor("beside", "variant"): ("no limit",),
        Anchor("before", "blinds_or_straddles"): ("first", "second"),
        Anchor("beside", "starting_stacks", 0): ("short",),
        Anchor("before", "actions"): ("what happened",),
        Anchor("before", "actions", 0): ("Pre-flop",),
        Anchor("beside", "actions", 0): ("Bob",),
        Anchor("before", "actions", 2): ("Betting", "without end"),
        Anchor("beside", "actions", 2): ("Alice",),
        Anchor("end", "actions"): ("Over",),
        Anchor("beside", "actions"): ("all of it",),
        Anchor("beside", "_own"): ("mine",),
        Anchor("end"): ("The end", "really"),
    }


def test_the_annotated_hand_is_written_as_it_stood() -> None:
    assert write_phh(read_phh(ANNOTATED)) == ANNOTATED
    hands = [("1", read_phh(ANNOTATED)), ("x y", read_phh(ANNOTATED))]
    assert write_phhs(hands) == f"[1]\n{ANNOTATED}\n['x y']\n{ANNOTATED}\n"
    assert read_phhs(write_phhs(hands)) == hands


def test_hash_inside_a_string_is_not_a_comment() -> None:
    strings = "'#'", '"\\"#"', "'''\n#'''", '"""\n#\\"""#""#"""', '"""#"""""', "''''#'''''", '""""#"""', '"#\\\\"'
    for string in strings:
        record = read_phh(f"{PLAIN}_own = {string}\n_many = [{string}, {string},\n{string}]")
        assert record.comments == {}, string
        assert "#" in str(record.user["_own"])
        marked = read_phh(f"{PLAIN}_own = {string} # c\n_many = [{string}, {string}, # d\n{string}] # e")
        assert marked.comments == {
            Anchor("beside", "_own"): ("c",),
            Anchor("beside", "_many", 1): ("d",),
            Anchor("beside", "_many"): ("e",),
        }


@for_each(
    "array, expected",
    [
        ("[ # c\n'a', 'b']", {Anchor("before", "actions", 0): ("c",)}),
        ("['a', # c\n'b']", {Anchor("beside", "actions", 0): ("c",)}),
        ("['a' # c\n, 'b']", {Anchor("beside", "actions", 0): ("c",)}),
        ("['a'\n# c\n, 'b']", {Anchor("before", "actions", 1): ("c",)}),
        ("['a' # c\n, # d\n'b']", {Anchor("beside", "actions", 0): ("c",), Anchor("before", "actions", 1): ("d",)}),
        ("['a'\n# c\n, # d\n'b']", {Anchor("before", "actions", 1): ("c", "d")}),
        ("['a', 'b', # c\n# d\n]", {Anchor("beside", "actions", 1): ("c",), Anchor("end", "actions"): ("d",)}),
        ("[ # c\n]", {Anchor("end", "actions"): ("c",)}),
        ("[#c\n#d\n]#e", {Anchor("end", "actions"): ("c", "d"), Anchor("beside", "actions"): ("e",)}),
    ],
)
def test_comments_inside_an_array(array: str, expected: Comments) -> None:
    text = "\n".join([*PLAIN.splitlines()[:-1], f"actions = {array}"])
    record = read_phh(text)
    assert record.comments == expected
    assert read_phh(write_phh(record)) == record
    assert [read_phhs("[1]\n" + text)] == [[("1", record)]]


def test_comments_within_a_line_are_written_before_the_field() -> None:
    own = """\
_a.b = 1 # one
_a.c = [ # two
  2 ]
_d = [ [ # three
  3 ], {e = [ # four
  4 ]} ]
_f = {g = [ # five
  5 ]} # six
# seven
[_h] # eight
# nine
i = 1 # ten
# eleven
"""
    record = read_phh(PLAIN + own)
    assert record.comments == {
        Anchor("before", "_a"): ("one", "two"),
        Anchor("before", "_d", 0): ("three",),
        Anchor("before", "_d", 1): ("four",),
        Anchor("before", "_f"): ("five",),
        Anchor("beside", "_f"): ("six",),
        Anchor("before", "_h"): ("seven", "eight", "nine", "ten"),
        Anchor("end"): ("eleven",),
    }
    assert read_phh(write_phh(record)) == record
    in_table = read_phhs("[1]\n" + PLAIN + own.replace("[_h]", "[ 1 . '_h' ]"))
    assert in_table == [("1", record)]


def test_comments_around_headers() -> None:
    text = f"# file\n\n# one\n[1] # two\n# three\n\n# four\n{PLAIN}# five\n\n# six\n[2]\n{PLAIN}\n# seven\n"
    hands = read_phhs(text)
    assert [record.comments for _, record in hands] == [
        {
            Anchor("top"): ("file", "one", "two", "three"),
            Anchor("before", "variant"): ("four",),
            Anchor("end"): ("five",),
        },
        {Anchor("top"): ("six",), Anchor("end"): ("seven",)},
    ]
    assert read_phhs(write_phhs(hands)) == hands


def test_a_string_that_ends_like_a_comment_above_a_header_stays_whole() -> None:
    text = f"[1]\n{PLAIN}_own = '''\n# all'''\n[2]\n{PLAIN}"
    assert [record.user for _, record in read_phhs(text)] == [{"_own": "# all"}, {}]


def test_fields_in_another_order_take_their_comments_along() -> None:
    lines = PLAIN.splitlines()
    text = "# top\n\n" + "\n".join(f"# {line.split()[0]}\n{line}" for line in reversed(lines)) + "\n"
    expected = "# top\n\n" + "\n".join(f"# {line.split()[0]}\n{line}" for line in lines) + "\n"
    assert write_phh(read_phh(text)) == expected


@for_each(
    "anchor, lines, sentence",
    [
        (Anchor("top", "antes"), ("x",), "expected the anchor of a comment, got"),
        (Anchor("before"), ("x",), "expected the anchor of a comment, got"),
        (Anchor("before", "author"), ("x",), "expected a comment at a field that exists"),
        (Anchor("before", "antes", 2), ("x",), "expected the anchor of a comment, got"),
        (Anchor("before", "antes", -1), ("x",), "expected the anchor of a comment, got"),
        (Anchor("before", "variant", 0), ("x",), "expected the anchor of a comment, got"),
        (Anchor("end", "variant"), ("x",), "expected the anchor of a comment, got"),
        (Anchor("end", "antes", 0), ("x",), "expected the anchor of a comment, got"),
        (Anchor("under", "antes"), ("x",), "expected the anchor of a comment, got"),  # type: ignore[arg-type]  # no such place
        (Anchor("beside", "antes"), ("x", "y"), "expected one line in the comment 'beside', got 2"),
        (Anchor("before", "antes"), (), "expected a line in the comment 'before', got 0"),
        (Anchor("before", "antes"), ("x\ny",), "expected a comment without line breaks"),
        (Anchor("before", "antes"), ("\x7f",), "expected a comment without line breaks"),
    ],
)
def test_a_comment_that_could_not_be_read_back_is_refused(
    anchor: Anchor, lines: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(PhhError, match=sentence):
        write_phh(replace(read_phh(PLAIN), comments={anchor: lines}))
