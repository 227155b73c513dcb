"""What strict reading refuses with its line, lenient reading notes and passes over; a broken hand costs itself."""

from collections.abc import Iterator

import pytest

from pitboss.formats.scan import HandFound
from pitboss.formats.sites.ggpoker import GGPOKER
from pitboss.formats.sites.pokerstars import POKERSTARS, PokerStarsError
from pitboss.records.replay import replay
from tests.formats.sites.test_games import GG
from tests.formats.sites.test_pokerstars import CASH, TOURNAMENT, replaced
from tests.support.for_each import for_each


def scan(text: str, *, lenient: bool) -> list[HandFound]:
    return list(POKERSTARS.scan(enumerate(text.splitlines(), 1), "h.txt", lenient))


@for_each(
    "old, new, line, note",
    [
        ("Ann: folds", "Table leave user\nAnn: folds", 11, "unknown line in a PokerStars hand; skipped: 'Table"),
        ("Ann: folds", "Zed: folds\nAnn: folds", 11, "'Zed' has no seat; line skipped: 'Zed: folds'"),
        (
            "Ann: folds",
            "Dealt to Zed [2c 3c]\nAnn: folds",
            11,
            "'Zed' has no seat; line skipped: 'Dealt to Zed",
        ),
        ("Board [", "Odd words\nBoard [", 26, "unknown line in a summary; skipped: 'Odd words'"),
        ("Cid ($99.50 in chips)", "Cid ($99.50 in chips) asleep", 5, "behind the stack, got 'asleep'"),
        ("raises $2 to $3", "raises $1.50 to $3", 10, "a raise by 1.50 over 1 is not a raise to 3"),
        ("Seat 1: Ann (small", "Seat 1: Amy (small", 27, "expected the seat and name of a player listed above"),
        ("Board [2c", "Board [3c", 26, "differs from the board that was dealt"),
        ("Total pot $81", "Total pot $79", 25, "pot: expected 79, got"),
        ("Bob: calls $2", "Bob: calls $2 and is all-in", 12, "Bob is all-in according to the text, but has 37.25 left"),
        ("Dealt to Cid [As Kd]", "Dealt to Cid [As Ko]", 9, "unknown card 'Ko'"),
    ],
)
def test_lenient_reading_notes_the_errors_of_strict_reading(old: str, new: str, line: int, note: str) -> None:
    text = replaced(CASH, (old, new))
    (strict,) = scan(text, lenient=False)
    assert isinstance(strict.error, PokerStarsError)
    assert (strict.record, strict.error.line, strict.error.name) == (None, line, "h.txt")
    (lenient,) = scan(text, lenient=True)
    assert lenient.error is None
    assert lenient.record is not None
    (plain,) = scan(CASH, lenient=False)
    assert plain.record is not None
    assert lenient.record.actions == plain.record.actions
    assert [(said.line, note in said.sentence) for said in lenient.notes] == [(line, True)]


@for_each("lenient", [False, True])
@for_each(
    "old, new, reason",
    [
        ("Cid collected $79", "Cid collected $78", "pot: expected"),
        ("Rake $2", "Rake $3", "pot: expected"),
        ("Bob: calls $2", "Bob: calls $1", "call: expected a total of 3"),
        ("Bob: checks", "Bob: checks\nHand cancelled", "the hand was cancelled"),
    ],
)
def test_chips_must_add_up_in_both_modes(old: str, new: str, reason: str, lenient: bool) -> None:
    (found,) = scan(replaced(CASH, (old, new)), lenient=lenient)
    assert found.record is None
    assert reason in str(found.error)


@pytest.mark.parametrize("lenient", [False, True])
def test_a_hand_cut_off_in_the_middle_of_a_line_costs_itself_alone(lenient: bool) -> None:
    for cut in ("*** FLOP *** [2c 7", "Bob: ch", "Table 'Euni", "Cid colle", "Bob: "):
        half = CASH[: CASH.index(cut) + len(cut)]
        first, second = scan(half + "\n\n\n" + TOURNAMENT, lenient=lenient)
        number = half.count("\n") + 1
        assert str(first.error).startswith(f"h.txt, line {number}: the hand is cut off: it ends here")
        assert second.record is not None
        glued, second = scan(half + TOURNAMENT, lenient=lenient)
        assert (glued.error is not None, glued.error and glued.error.line) == (True, number)
        assert second.line == number
        assert second.record is not None


def test_a_head_in_the_chat_begins_no_hand() -> None:
    chat = 'Bob said, "PokerStars Hand #1:  Hold\'em No Limit"\nAnn: folds'
    (found,) = scan(replaced(CASH, ("Ann: folds", chat)), lenient=False)
    assert found.record is not None


def test_old_texts_omit_returned_uncalled_bets() -> None:
    for text in (
        replaced(TOURNAMENT, ("Uncalled bet (25) returned to Ann\n", "")),
        replaced(
            CASH, ("to $37.25 and is all-in", "to $37.25 and is all-in"), ("calls $33.25", "raises $9.25 to $46.50")
        ),
    ):
        (found,) = scan(text, lenient=False)
        assert found.error is None
        assert found.notes == ()
        assert found.record is not None


def test_raise_can_be_given_by_its_total_alone() -> None:
    (found,) = scan(replaced(CASH, ("raises $2 to $3", "raises $3 to $3")), lenient=False)
    assert found.record == scan(CASH, lenient=False)[0].record


def test_call_after_a_short_blind_is_the_amount_put_in() -> None:
    text = """\
PokerStars Hand #1: Tournament #77, $5 Hold'em No Limit - Level IV (300/600) - 2016/03/01 1:29:41 ET
Table '77 2' 9-max Seat #3 is the button
Seat 1: Ann (1600 in chips)
Seat 2: Bob (360 in chips)
Seat 3: Cid (480 in chips)
Ann: posts small blind 300
Bob: posts big blind 360 and is all-in
*** HOLE CARDS ***
Cid: calls 480 and is all-in
Ann: calls 180
*** FLOP *** [2c 7d Kh]
*** TURN *** [2c 7d Kh] [8s]
*** RIVER *** [2c 7d Kh 8s] [9d]
*** SHOW DOWN ***
Ann: shows [As Ah] (a pair of Aces)
Cid: shows [Js Jh] (a pair of Jacks)
Ann collected 240 from side pot
Bob: shows [Ts Th] (a pair of Tens)
Ann collected 1080 from main pot
*** SUMMARY ***
Total pot 1320 Main pot 1080. Side pot 240. | Rake 0
"""
    (found,) = scan(text, lenient=False)
    assert found.record is not None
    assert replay(found.record).finishing_stacks == found.record.finishing_stacks == (2440, 0, 0)


def test_headers_of_another_room_are_read_with_their_venue() -> None:
    head = "Run It Once Poker Hand #7:  Hold'em No Limit ($0.50/$1) - 2019/06/25 15:55 UTC [2019/06/25 16:55 CET]\n"
    text = head + CASH.split("\n", 1)[1].replace("Table 'Eunike II' 6-max", "Table ID '302' 6-Max")
    (found,) = scan(text.replace("Bob: shows [Qh Qs] (", "Bob shows [Qh Qs] for ("), lenient=False)
    assert found.record is not None
    assert (found.record.venue, found.record.table) == ("Run It Once", "302")


LATE_POST = """\
PokerStars Hand #9:  Hold'em No Limit ($1/$2 USD) - 2016/03/01 1:29:41 ET
Table 'Late' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Seat 3: Cid ($50 in chips)
Seat 4: Dot ($50 in chips)
Bob: posts small blind $1
Cid: posts big blind $2
Dot: posts small blind $1
*** HOLE CARDS ***
Dot: calls $2
Ann: folds
Bob: folds
Cid: checks
*** FLOP *** [2c 7d Kh]
Cid: bets $3
Dot: folds
Uncalled bet ($3) returned to Cid
Cid collected $6 from pot
*** SUMMARY ***
Total pot $6 | Rake $0
"""


def test_dead_post_on_pokerstars_counts_if_the_call_includes_it() -> None:
    (dead,) = scan(LATE_POST, lenient=False)
    live_text = replaced(LATE_POST, ("Dot: calls $2", "Dot: calls $1"), ("$6", "$5"))
    (live,) = scan(live_text, lenient=False)
    assert dead.record is not None
    assert live.record is not None
    assert dead.record.user["_deadPosts"] == (0, 0, 1, 0)
    assert dead.record.blinds_or_straddles == (1, 2, 0, 0)
    assert "_deadPosts" not in live.record.user
    assert live.record.blinds_or_straddles == (1, 2, -1, 0)
    for record in (dead.record, live.record):
        assert replay(record).finishing_stacks == record.finishing_stacks


def test_lines_are_taken_one_at_a_time() -> None:
    """However long a file is: by the time a hand is given only the next one's first line has been taken."""
    taken = 0

    def lines() -> Iterator[tuple[int, str]]:
        nonlocal taken
        for number in range(1000):
            for text in (CASH + "\n\n").split("\n"):
                taken += 1
                yield number + 1, text

    found = POKERSTARS.scan(lines(), "h.txt", False)
    next(found)
    assert taken < 2 * (CASH.count("\n") + 3)


def test_ggpoker_texts_are_refused_with_their_line() -> None:
    broken = GG.replace("2b3c: folds", "2b3c: fouls")
    first, second = GGPOKER.scan(enumerate((broken + "\n\n" + GG).splitlines(), 1), "g.txt")
    assert str(first.error) == "g.txt, line 15: unknown line in a GGPoker hand: '2b3c: fouls'"
    assert second.record is not None
    (lenient,) = GGPOKER.scan(enumerate(GG.replace("Hero: Pays", "Odd words\nHero: Pays").splitlines(), 1), "g", True)
    assert [note.line for note in lenient.notes] == [26]
    (other,) = GGPOKER.scan(enumerate(GG.replace("Hold'em No Limit", "AoF Chinese").splitlines(), 1), "g", True)
    assert "expected the first line of a hand in a supported game" in str(other.error)
