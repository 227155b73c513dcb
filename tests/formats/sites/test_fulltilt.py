"""Full Tilt text: invented hands of every kind of game, and what is noted or refused."""

from decimal import Decimal

import pytest

from pitboss.formats.scan import HandFound, Note
from pitboss.formats.sites.fulltilt import FULL_TILT
from pitboss.records.lenient import replay_leniently
from pitboss.records.record import Record
from pitboss.records.replay import replay

CASH = """\
Full Tilt Poker Game #700: Table Elm Wood (6 max, deep) - $0.50/$1 - No Limit Hold'em - 21:04:05 ET - 2011/02/03
Seat 1: Ann B ($50.50)
Seat 3: Bo ($1,020)
Seat 4: Cy ($40)
Seat 6: Di ($10), is sitting out
Bo posts the small blind of $0.50
Cy posts the big blind of $1
The button is in seat #1
*** HOLE CARDS ***
Dealt to Ann B [As Kd]
Ann B has 15 seconds left to act
Ann B raises to $3
Eve (Observer): go go
Bo folds
Cy calls $2
*** FLOP *** [Ah 7c 2d] (Total Pot: $6.50, 2 Players)
Cy checks
Ann B bets $4
Cy raises to $37, and is all in
Ann B calls $33
Cy shows [7h 7d]
Ann B shows [As Kd]
*** TURN *** [Ah 7c 2d] [9s] (Total Pot: $80.50, 2 Players, 1 All-In)
*** RIVER *** [Ah 7c 2d 9s] [3h] (Total Pot: $80.50, 2 Players, 1 All-In)
Ann B shows a pair of Aces
Cy shows three of a kind, Sevens
Cy wins the pot ($77.50) with three of a kind, Sevens
*** SUMMARY ***
Total pot $80.50 | Rake $3
Board: [Ah 7c 2d 9s 3h]
Seat 1: Ann B (button) showed [As Kd] and lost with a pair of Aces
Seat 3: Bo (small blind) folded before the Flop
Seat 4: Cy (big blind) showed [7h 7d] and won ($77.50) with three of a kind, Sevens
Seat 6: Di is sitting out
"""
STUD = """\
Full Tilt Poker Game #701: Table Yew - $2/$4 Ante $0.40 - Limit Stud Hi - 13:14:27 ET - 2010/06/10
Seat 1: Ann ($17.40)
Seat 2: Bo ($77.20)
Ann antes $0.40
Bo antes $0.40
*** 3RD STREET ***
Dealt to Ann [9c]
Dealt to Bo [Ac 9h] [3s]
Bo is low with [3s]
Bo brings in for $0.50
Ann completes it to $2
Bo calls $1.50
*** 4TH STREET ***
Dealt to Ann [9c] [9d]
Dealt to Bo [Ac 9h 3s] [8d]
Ann bets $4
Bo folds
Uncalled bet of $4 returned to Ann
Ann mucks
Ann wins the pot ($4.80)
*** SUMMARY ***
Total pot $4.80 | Rake $0
Seat 1: Ann collected ($4.80), mucked
Seat 2: Bo folded on 4th St.
"""
DRAW = """\
Full Tilt Poker Game #702: $9 Sit & Go (4711), Table 1 - 10/20 - Limit 2-7 Triple Draw - 10:00:00 ET - 2010/01/02
Seat 1: Ann (500)
Seat 2: Bo (500)
Ann posts the small blind of 5
Bo posts the big blind of 10
The button is in seat #1
*** HOLE CARDS ***
Dealt to Bo [2c 3d 7h 8s Kd]
Ann calls 5
Bo checks
*** FIRST DRAW *** (Pot: 20)
Bo discards 1 card [Kd]
Ann stands pat
Bo is dealt 1 card
Dealt to Bo [2c 3d 7h 8s] [4h]
Bo bets 10
Ann folds
Uncalled bet of 10 returned to Bo
Bo mucks
Bo wins the pot (20)
*** SUMMARY ***
Total pot 20 | Rake 0
Seat 1: Ann (button) folded after the 1st Draw
Seat 2: Bo (big blind) collected (20), mucked
"""
TWICE = """\
Full Tilt Poker Game #703: Table Fir - NL Hold'em - $1/$2 - 18:30:23 UTC - 2013/05/24 [14:30:23 ET - 2013/05/24]
Seat 1: Ann ($50)
Seat 2: Bo ($50)
Ann posts the small blind of $1
Bo posts the big blind of $2
The button is in seat #1
*** HOLE CARDS ***
Dealt to Ann [As Ah]
Ann raises to $50, and is all in
Bo calls $48, and is all in
Players agree to Run It Twice
Ann shows [As Ah]
Bo shows [Ks Kh]
*** FLOP 1 *** [2c 3d 4h] (Total Pot: $100, 2 Players, 2 All-In)
*** TURN 1 *** [2c 3d 4h] [9c] (Total Pot: $100, 2 Players, 2 All-In)
*** RIVER 1 *** [2c 3d 4h 9c] [9d] (Total Pot: $100, 2 Players, 2 All-In)
*** FLOP 2 *** [Kc 7d 8h] (Total Pot: $100, 2 Players, 2 All-In)
*** TURN 2 *** [Kc 7d 8h] [Tc] (Total Pot: $100, 2 Players, 2 All-In)
*** RIVER 2 *** [Kc 7d 8h Tc] [Td] (Total Pot: $100, 2 Players, 2 All-In)
*** SHOW DOWN 1 ***
Ann shows two pair, Aces and Nines
*** SHOW DOWN 2 ***
Bo shows a full house, Kings full of Tens
Ann wins pot 1 ($50) with two pair, Aces and Nines
Bo wins pot 2 ($50) with a full house, Kings full of Tens
*** SUMMARY ***
Total pot $100 | Rake $0
*** SUMMARY 1 ***
Pot 1 $50
Board: [2c 3d 4h 9c 9d]
Seat 1: Ann (button) showed [As Ah] and won ($50) with two pair, Aces and Nines
Seat 2: Bo (big blind) showed [Ks Kh] and lost with two pair, Kings and Nines
"""
OFF = """\
Full Tilt Poker Game #704: Table Fir - $1/$2 - No Limit Hold'em - 18:30:23 ET - 2010/05/24
Seat 1: Ann ($50)
Seat 2: Bo ($50)
Ann posts the small blind of $1
Bo is sitting out
*** SUMMARY ***
Total pot $0 | Rake $0
Seat 1: Ann is sitting out
"""


def find(text: str, *, lenient: bool = False) -> list[HandFound]:
    return list(FULL_TILT.scan(enumerate(text.split("\n"), 1), "x.txt", lenient))


def read_one(text: str) -> Record:
    (found,) = find(text)
    assert found.error is None, found.error
    assert found.record is not None
    return found.record


def test_a_cash_hand() -> None:
    record = read_one(CASH)
    assert (record.variant, record.venue, record.hand, record.table) == ("NT", "Full Tilt", 700, "Elm Wood")
    assert record.players == ("Bo", "Cy", "Di", "Ann B")
    assert record.user["_inactive"] == (0, 0, 1, 0)
    assert record.starting_stacks == (1020, 40, 10, Decimal("50.50"))
    assert record.finishing_stacks == (Decimal("1019.50"), Decimal("77.50"), 10, Decimal("10.50"))
    assert record.user["_rake"] == 3
    assert (record.year, record.month, record.day, record.time_zone_abbreviation) == (2011, 2, 3, "ET")
    assert replay(record).finishing_stacks == record.finishing_stacks


@pytest.mark.parametrize(("text", "variant"), [(STUD, "F7S"), (DRAW, "F2L3D"), (TWICE, "NT")])
def test_other_games_replay_to_the_printed_results(text: str, variant: str) -> None:
    record = read_one(text)
    assert record.variant == variant
    assert replay(record).finishing_stacks == record.finishing_stacks


def test_stud_s_open_pair_draws_and_boards_run_twice() -> None:
    assert read_one(STUD).user["_openPair"] is True
    assert read_one(STUD).actions[:3] == ("d dh p1 ????9c", "d dh p2 Ac9h3s", "p2 pb")
    assert "p1 sd Kd" in read_one(DRAW).actions
    assert read_one(TWICE).user["_runs"] == 2


def test_winner_named_only_in_the_summary() -> None:
    text = STUD.replace("Ann wins the pot ($4.80)\n", "")
    assert read_one(text).finishing_stacks == read_one(STUD).finishing_stacks


def test_text_without_a_hand_and_unknown_lines_are_noted() -> None:
    assert str(find(OFF)[0].error).startswith("x.txt, line 7: the hand was cancelled before any card was dealt")
    (found,) = find(OFF, lenient=True)
    assert (found.record, found.error) == (None, None)
    assert found.notes == (Note(1, "the hand was cancelled before any card was dealt"),)
    strange = CASH.replace("Bo folds\n", "Bo folds\nBo juggles\n")
    assert "line 15: unknown line in a Full Tilt hand: 'Bo juggles'" in str(find(strange)[0].error)
    (found,) = find(strange, lenient=True)
    assert [note.line for note in found.notes] == [15]


def test_line_of_a_player_without_a_seat_is_reported_with_advice() -> None:
    text = CASH.replace("Bo folds\n", "Bo folds\nZed folds\n")
    sentence = "x.txt, line 15: 'Zed' has no seat: add a seat line, or use lenient reading to skip this line"
    assert str(find(text)[0].error) == f"{sentence}: 'Zed folds'"
    (found,) = find(text, lenient=True)
    assert found.record is not None
    assert found.notes == (Note(15, "'Zed' has no seat; line skipped: 'Zed folds'"),)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("No Limit Hold'em", "No Limit Irish", "line 1: game Irish is not supported"),
        ("($77.50) with", "($70) with", "line 29: pot: expected 80.50, got 80.50 put in, and 70 collected"),
        ("calls $33", "calls $30", "line 20: call: expected a total of 37 or all-in, got 34"),
        ("*** SUMMARY", "*** SUMMIT", "line 28: section SUMMIT is not supported"),
    ],
)
def test_nonsense_is_one_sentence_with_file_and_line(old: str, new: str, sentence: str) -> None:
    (found,) = find(CASH.replace(old, new))
    assert str(found.error).startswith("x.txt, line ")
    assert sentence in str(found.error)


def test_a_street_that_only_the_summary_has() -> None:
    cut = "\n".join(line for line in CASH.split("\n") if not line.startswith("*** RIVER"))
    assert "board: expected the cards of all streets in the summary" in str(find(cut)[0].error)
    (found,) = find(cut, lenient=True)
    assert found.record is not None
    assert replay_leniently(found.record).finishing_stacks == read_one(CASH).finishing_stacks


def test_one_broken_hand_costs_that_hand_only() -> None:
    found = find(CASH + "\n\n" + STUD.replace("brings in for", "sings in for") + "\n\n" + DRAW)
    assert [one.record is not None for one in found] == [True, False, True]


def test_a_file_is_known_by_its_beginning() -> None:
    assert FULL_TILT.recognise(CASH)
    assert FULL_TILT.recognise("Full Tilt Poker Tournament Summary Nightly (12) Hold'em")
    assert not FULL_TILT.recognise("PokerStars Hand #1: Hold'em No Limit ($1/$2)")
