"""PokerStars text becomes records: each kind of line, each mark of the table, each fault named with its line."""

import datetime as dt
from decimal import Decimal

import pytest

from pitboss.formats.phh import read_phh, write_phh
from pitboss.formats.sites.pokerstars import PokerStarsError
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.records.record import Record
from pitboss.records.replay import replay
from tests.support.for_each import for_each
from tests.support.formats.pokerstars import decode_pokerstars, read_pokerstars, scan_pokerstars

CASH = """\
PokerStars Hand #12345:  Hold'em No Limit ($0.50/$1 USD) - 2016/03/01 1:29:41 ET
Table 'Eunike II' 6-max Seat #3 is the button
Seat 1: Ann ($100 in chips)
Seat 2: Bob ($40.25 in chips)
Seat 3: Cid ($99.50 in chips)
Ann: posts small blind $0.50
Bob: posts big blind $1
*** HOLE CARDS ***
Dealt to Cid [As Kd]
Cid: raises $2 to $3
Ann: folds
Bob: calls $2
*** FLOP *** [2c 7d Kh]
Bob: checks
Cid: bets $4
Bob: raises $33.25 to $37.25 and is all-in
Cid: calls $33.25
*** TURN *** [2c 7d Kh] [9s]
*** RIVER *** [2c 7d Kh 9s] [9d]
*** SHOW DOWN ***
Bob: shows [Qh Qs] (two pair, Queens and Nines)
Cid: shows [As Kd] (two pair, Kings and Nines)
Cid collected $79 from pot
*** SUMMARY ***
Total pot $81 | Rake $2
Board [2c 7d Kh 9s 9d]
Seat 1: Ann (small blind) folded before Flop
Seat 2: Bob (big blind) showed [Qh Qs] and lost with two pair, Queens and Nines
Seat 3: Cid (button) showed [As Kd] and won ($79) with two pair, Kings and Nines
"""
TOURNAMENT = """\
PokerStars Hand #1: Tournament #77, $4.60+$0.40 EUR Hold'em No Limit - Level IV (25/50) - 2016/03/01 1:29:41 ET
Table '77 2' 9-max Seat #4 is the button
Seat 2: Ann (1000 in chips)
Seat 4: Bob (1000 in chips)
Ann: posts the ante 5
Bob: posts the ante 5
Bob: posts small blind 25
Ann: posts big blind 50
*** HOLE CARDS ***
Bob: folds
Uncalled bet (25) returned to Ann
Ann collected 60 from pot
Ann: doesn't show hand
*** SUMMARY ***
Total pot 60 | Rake 0
Seat 2: Ann (big blind) collected (60)
Seat 4: Bob (button) (small blind) folded before Flop
"""


def read(text: str) -> Record:
    (record,) = read_pokerstars(text)
    return record


def replaced(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def returns(record: Record) -> None:
    """Writing and reading again changes nothing, nor does the detour through PHH."""
    assert read(write_pokerstars(record)) == record
    assert read_phh(write_phh(record)) == record


# --- fields


def test_a_cash_hand() -> None:
    record = read(CASH)
    assert record == Record(
        variant="NT",
        antes=(0, 0, 0),
        blinds_or_straddles=(Decimal("0.5"), 1, 0),
        min_bet=1,
        starting_stacks=(100, Decimal("40.25"), Decimal("99.5")),
        actions=(
            *("d dh p1 ????", "d dh p2 QhQs", "d dh p3 AsKd", "p3 cbr 3", "p1 f", "p2 cc"),
            *("d db 2c7dKh", "p2 cc", "p3 cbr 4", "p2 cbr 37.25", "p3 cc"),
            *("d db 9s", "d db 9d", "p2 sm QhQs", "p3 sm AsKd"),
        ),
        venue="PokerStars",
        time=dt.time(1, 29, 41),
        day=1,
        month=3,
        year=2016,
        hand=12345,
        seats=(1, 2, 3),
        seat_count=6,
        table="Eunike II",
        players=("Ann", "Bob", "Cid"),
        finishing_stacks=(Decimal("99.5"), 0, Decimal("138.25")),
        winnings=(0, 0, 79),
        currency="USD",
        currency_symbol="$",
        time_zone_abbreviation="ET",
        user={"_rake": 2, "_pokerstars": {"title": "Hand", "dealt": "3"}},
    )
    returns(record)


def test_amounts_are_exact_and_whole_where_they_can_be() -> None:
    stacks = read(replaced(CASH, ("$100 in", "$100.00 in"))).starting_stacks
    assert [type(stack) for stack in stacks] == [int, Decimal, Decimal]
    assert str(stacks[1]) == "40.25"


def test_a_tournament_hand_heads_up_lists_forced_bets_in_the_order_they_are_posted() -> None:
    record = read(TOURNAMENT)
    assert record.event == "Tournament #77, $4.60+$0.40 EUR"
    assert record.level == 4
    assert record.table == "77 2"
    assert record.players == ("Ann", "Bob")
    assert record.blinds_or_straddles == (25, 50)
    assert record.antes == (5, 5)
    assert record.actions == ("d dh p1 ????", "d dh p2 ????", "p2 f")
    assert record.currency is None
    assert record.finishing_stacks == (1030, 970)
    assert replay(record).finishing_stacks == record.finishing_stacks
    returns(record)


@for_each(
    "head, expected",
    [
        ("Game #5:  Hold'em No Limit ($0.50/$1) - 2008/09/02 - 03:17:01 (ET)", {"title": "Game"}),
        ("Zoom Hand #5:  Hold'em No Limit ($0.50/$1) - 2017/01/08 21:10:13 ET", {"title": "Zoom Hand"}),
        (
            "Home Game Hand #5: {Club #12}  Hold'em No Limit ($0.50/$1 USD) - 2017/01/08 21:10:13 ET",
            {"title": "Home Game Hand", "club": "Club #12"},
        ),
        (
            "Hand #5:  Hold'em No Limit ($0.50/$1 USD) - 2018/03/09 23:36:32 CET [2018/03/09 17:36:32 ET]",
            {"title": "Hand", "also": "2018/03/09 17:36:32 ET"},
        ),
        (
            "Hand #5:  Hold'em No Limit ($0.50/$1 - $0.20 Ante - USD) - 2018/03/09 23:36:32 CET",
            {"title": "Hand", "stakes": "$0.50/$1 - $0.20 Ante - USD"},
        ),
        ("Hand #5:  Hold'em No Limit ($0.50/$1 USD)", {"title": "Hand"}),
    ],
)
def test_heads_of_cash_games(head: str, expected: dict[str, str]) -> None:
    record = read("PokerStars " + head + CASH[CASH.index("\n") :])
    assert record.hand == 5
    assert record.user["_pokerstars"] == expected | {"dealt": "3"}
    assert record.min_bet == 1
    returns(record)


@pytest.mark.parametrize(
    ("game", "event", "level"),
    [
        ("Tournament #77, Freeroll  Hold'em No Limit - Level XIX (25/50)", "Tournament #77, Freeroll", 19),
        ("Tournament #77, $1+$1+$0.20 USD Hold'em No Limit - Level 7 (25/50)", "Tournament #77, $1+$1+$0.20 USD", 7),
        ("Tournament #77, 300+20 Hold'em No Limit - Match Round II, Level I (25/50)", "Tournament #77, 300+20", 1),
        ("Tournament #77, Hold'em No Limit - Last Level (25/50)", "Tournament #77", None),
    ],
)
def test_heads_of_tournaments(game: str, event: str, level: int | None) -> None:
    head = f"PokerStars Hand #1: {game} - 2016/03/01 1:29:41 ET"
    record = read(head + TOURNAMENT[TOURNAMENT.index("\n") :])
    assert record.event == event
    assert record.level == level
    returns(record)


@pytest.mark.parametrize(("symbol", "code"), [("€", " EUR"), ("£", " GBP"), ("", ""), ("₹", " INR")])
def test_currencies(symbol: str, code: str) -> None:
    record = read(replaced(CASH, ("$", symbol), (" USD", code)))
    assert record.currency_symbol == (symbol or None)
    assert record.currency == (code.strip() or None)
    returns(record)


def test_play_money() -> None:
    text = replaced(CASH, ("$", ""), (" USD", ""), ("6-max Seat", "6-max (Play Money) Seat"))
    record = read(text)
    assert record.user["_pokerstars"] == {"title": "Hand", "money": "(Play Money)", "dealt": "3"}
    returns(record)


# --- who plays


def test_ruling_T10_player_who_sits_out_is_inactive_and_keeps_the_seat() -> None:
    text = replaced(
        CASH,
        ("Seat 3: Cid ($99.50 in chips)", "Seat 3: Cid ($99.50 in chips)\nSeat 5: Dot ($7 in chips) is sitting out"),
        ("Ann: posts small", "Eve: sits out\nDot will be allowed to play after the button\nAnn: posts small"),
    )
    record = read(text)
    assert record.players == ("Ann", "Bob", "Cid", "Dot")
    assert record.user["_inactive"] == (0, 0, 0, 1)
    assert record.starting_stacks[3] == 7
    assert record.finishing_stacks == (Decimal("99.5"), 0, Decimal("138.25"), 7)
    assert record.blinds_or_straddles == (Decimal("0.5"), 1, 0, 0)
    assert "Seat 5: Dot ($7 in chips) is sitting out\n" in write_pokerstars(record)
    returns(record)


def test_absent_tournament_player_is_dealt_in() -> None:
    record = read(replaced(TOURNAMENT, ("Bob (1000 in chips)", "Bob (1000 in chips) is sitting out")))
    assert "_inactive" not in record.user
    assert record.user["_pokerstars"] == {"title": "Hand", "away": "4"}
    returns(record)


def test_button_at_an_empty_seat_is_kept() -> None:
    record = read(replaced(CASH, ("Seat #3 is the", "Seat #5 is the"), ("Cid (button)", "Cid")))
    assert record.players == ("Ann", "Bob", "Cid")
    assert record.user["_pokerstars"] == {"title": "Hand", "button": "5", "dealt": "3"}
    assert "_button" not in record.user
    returns(record)


def test_seats_can_be_in_any_order() -> None:
    first, second = "Seat 1: Ann ($100 in chips)\n", "Seat 2: Bob ($40.25 in chips)\n"
    assert read(replaced(CASH, (first + second, second + first))) == read(CASH)


LATE = """\
PokerStars Hand #9:  Hold'em No Limit ($0.50/$1 USD) - 2016/03/01 1:29:41 ET
Table 'Late' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Seat 3: Cid ($50 in chips)
Seat 4: Dot ($50 in chips)
Seat 5: Eve ($50 in chips)
Seat 6: Fay ($50 in chips)
Bob: posts small blind $0.50
Cid: posts big blind $1
Dot: posts big blind $1
Eve: posts small & big blinds $1.50
Fay: posts small blind $0.50
*** HOLE CARDS ***
Dot: checks
Eve: checks
Fay: calls $1
Ann: folds
Bob: calls $0.50
Cid: checks
*** FLOP *** [2c 7d Kh]
Bob: bets $3
Cid: folds
Dot: folds
Eve: folds
Fay: folds
Uncalled bet ($3) returned to Bob
Bob collected $5.70 from pot
Bob: doesn't show hand
*** SUMMARY ***
Total pot $6 | Rake $0.30
Board [2c 7d Kh]
"""


def test_ruling_T10_extra_blinds_are_dead_or_posted_out_of_turn() -> None:
    record = read(LATE)
    assert record.players == ("Bob", "Cid", "Dot", "Eve", "Fay", "Ann")
    assert record.blinds_or_straddles == (Decimal("0.5"), 1, -1, -1, 0, 0)
    assert record.user["_deadPosts"] == (0, 0, 0, Decimal("0.5"), Decimal("0.5"), 0)
    played = replay(record)
    assert played.finishing_stacks == (Decimal("54.7"), 49, 49, Decimal("48.5"), Decimal("48.5"), 50)
    assert record.finishing_stacks == played.finishing_stacks
    returns(record)


def test_posts_survive_a_round_trip() -> None:
    written = write_pokerstars(read(LATE))
    for line in LATE.splitlines():
        if "posts" in line:
            assert line in written


def test_with_no_small_blind_a_later_one_is_dead() -> None:
    text = replaced(
        CASH,
        ("Ann: posts small blind $0.50\n", ""),
        ("Bob: posts big blind $1\n", "Bob: posts big blind $1\nCid: posts small blind $0.50\n"),
    )
    record = read(text)
    assert record.blinds_or_straddles == (0, 1, 0)
    assert record.user["_deadPosts"] == (0, 0, Decimal("0.5"))
    assert record.user["_pokerstars"] == {"title": "Hand", "stakes": "$0.50/$1 USD", "dealt": "3"}
    returns(record)


SHORT_CALL = """\
PokerStars Hand #10:  Hold'em No Limit ($0.50/$1 USD) - 2016/03/01 1:29:41 ET
Table 'Short' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Seat 3: Cid ($50 in chips)
Seat 4: Dot ($1 in chips)
Bob: posts small blind $0.50
Cid: posts big blind $1
Dot: posts small blind $0.50
*** HOLE CARDS ***
Dot: calls $0.50 and is all-in
Ann: folds
Bob: folds
Uncalled bet ($0.50) returned to Cid
*** FLOP *** [2c 7d Kh]
*** TURN *** [2c 7d Kh] [3c]
*** RIVER *** [2c 7d Kh 3c] [4c]
*** SHOW DOWN ***
Cid: shows [Ah As] (a pair of Aces)
Dot: mucks hand
Cid collected $2 from pot
*** SUMMARY ***
Total pot $2 | Rake $0
Board [2c 7d Kh 3c 4c]
"""


def test_a_last_chip_that_falls_short_by_a_dead_post_does_not_make_it_live() -> None:
    record = read(SHORT_CALL)
    assert record.blinds_or_straddles == (Decimal("0.5"), 1, 0, 0)
    assert record.user["_deadPosts"] == (0, 0, Decimal("0.5"), 0)
    assert replay(record).finishing_stacks == record.finishing_stacks
    returns(record)


def test_a_call_that_falls_short_by_a_post_with_chips_left_shows_that_it_was_live() -> None:
    text = replaced(
        SHORT_CALL,
        ("Dot ($1 in", "Dot ($9 in"),
        (" and is all-in", ""),
        ("Uncalled bet ($0.50) returned to Cid", "Cid: checks"),
        ("$2 from pot", "$2.50 from pot"),
        ("pot $2 ", "pot $2.50 "),
        *((f"{street}]\n", f"{street}]\nCid: checks\nDot: checks\n") for street in ("7d Kh", "[3c", "[4c")),
    )
    record = read(text)
    assert record.blinds_or_straddles == (Decimal("0.5"), 1, Decimal("-0.5"), 0)
    assert replay(record).finishing_stacks == record.finishing_stacks


def test_the_small_blind_may_be_posted_after_the_big_one() -> None:
    small, big = "Ann: posts small blind $0.50\n", "Bob: posts big blind $1\n"
    assert read(replaced(CASH, (small + big, big + small))) == read(CASH)


def test_player_who_posts_twice_is_accepted() -> None:
    twice = "Bob: posts big blind $1\nBob: posts small & big blinds $1\nAnn: posts small blind $0.50\n"
    text = replaced(CASH, ("Ann: posts small blind $0.50\nBob: posts big blind $1\n", twice))
    (found,) = [found for _, found in scan_pokerstars(text)]
    assert isinstance(found, PokerStarsError)


def test_a_short_blind_is_recorded_as_it_was_due() -> None:
    text = replaced(
        TOURNAMENT,
        ("Ann (1000 in chips)", "Ann (35 in chips)"),
        ("posts big blind 50", "posts big blind 30 and is all-in"),
        ("(25) returned", "(5) returned"),
    )
    record = read(text)
    assert record.blinds_or_straddles == (25, 50)
    assert replay(record).finishing_stacks == record.finishing_stacks == (65, 970)
    returns(record)


def test_player_all_in_by_the_ante_still_has_the_big_blind() -> None:
    text = """\
PokerStars Hand #1: Tournament #77, $5 Hold'em No Limit - Level IV (25/50) - 2016/03/01 1:29:41 ET
Table '77 2' 9-max Seat #3 is the button
Seat 1: Ann (1000 in chips)
Seat 2: Bob (4 in chips)
Seat 3: Cid (1000 in chips)
Ann: posts the ante 5
Bob: posts the ante 4 and is all-in
Cid: posts the ante 5
Ann: posts small blind 25
*** HOLE CARDS ***
Cid: calls 50
Ann: calls 25
*** FLOP *** [2c 7d Kh]
Ann: checks
Cid: checks
*** TURN *** [2c 7d Kh] [8s]
Ann: checks
Cid: checks
*** RIVER *** [2c 7d Kh 8s] [9d]
Ann: checks
Cid: checks
*** SHOW DOWN ***
Ann: shows [As Ah] (a pair of Aces)
Ann collected 102 from side pot
Cid: mucks hand
Bob: shows [Ks Kd] (three of a kind, Kings)
Bob collected 12 from main pot
*** SUMMARY ***
Total pot 114 Main pot 12. Side pot 102. | Rake 0
Board [2c 7d Kh 8s 9d]
"""
    record = read(text)
    assert record.blinds_or_straddles == (25, 50, 0)
    assert record.antes == (5, 5, 5)
    assert record.ante_trimming_status is True
    assert record.actions[-3:] == ("p1 sm AsAh", "p3 sm", "p2 sm KsKd")
    assert replay(record).finishing_stacks == record.finishing_stacks == (1047, 12, 945)
    written = write_pokerstars(record)
    assert "Total pot 114 Main pot 12. Side pot 102. | Rake 0\n" in written
    assert "Ann collected 102 from side pot\nBob collected 12 from main pot\n" in written
    returns(record)


def test_a_straddle_is_a_third_blind() -> None:
    text = replaced(
        LATE,
        ("Dot: posts big blind $1\nEve: posts small & big blinds $1.50\nFay: posts small blind $0.50\n", ""),
        ("*** HOLE", "Dot: posts straddle $2\n*** HOLE"),
        ("Dot: checks\nEve: checks\nFay: calls $1\nAnn: folds\nBob: calls $0.50\nCid: checks\n", ""),
        ("*** FLOP", "Eve: folds\nFay: folds\nAnn: folds\nBob: calls $1.50\nCid: folds\nDot: checks\n*** FLOP"),
        ("Cid: folds\nDot: folds\nEve: folds\nFay: folds\nUncalled", "Dot: folds\nUncalled"),
        ("$5.70", "$4.70"),
        ("pot $6", "pot $5"),
    )
    record = read(text)
    assert record.blinds_or_straddles == (Decimal("0.5"), 1, 2, 0, 0, 0)
    assert replay(record).hand.over
    returns(record)


# --- reports on the way


NOISE = """\
Ann has timed out
Ann has timed out while disconnected
Bob is disconnected
Bob is connected
Cid has returned
Stranger joins the table at seat #6
Stranger leaves the table
Stranger will be allowed to play after the button
Stranger was removed from the table for failing to post
Stranger: is sitting out
Bob said, "gg: folds"
Bob said, "*** FLOP *** [2c"
Ann finished the tournament in 4th place and received $5.11.
Ann wins the tournament and receives $9 - congratulations!
Bob wins the $1.50 bounty for eliminating Ann
Ann re-buys and receives 1500 chips for $1
"""


@for_each("before", ["Ann: folds", "Bob: checks", "*** SHOW DOWN ***", "*** SUMMARY ***", "Board ["])
def test_chat_and_connection_lines_are_ignored(before: str) -> None:
    assert read(replaced(CASH, (before, NOISE + before))) == read(CASH)


@for_each("end", ["\n", "\r\n", "\r", " \r\n", "\t\n", "\n\n"])
def test_line_ends_and_trailing_blanks_are_ignored(end: str) -> None:
    assert read("\ufeff" + CASH.replace("\n", end)) == read(CASH)


def test_a_winner_may_show_freely() -> None:
    text = replaced(TOURNAMENT, ("Ann: doesn't show hand", "Ann: shows [Ac Ad] (a pair of Aces)"))
    record = read(text)
    assert record.actions == ("d dh p1 AcAd", "d dh p2 ????", "p2 f")
    assert record.user["_pokerstars"] == {"title": "Hand", "shows": "2"}
    assert "Ann collected 60 from pot\nAnn: shows [Ac Ad]\n*** SUMMARY" in write_pokerstars(record)
    returns(record)


def test_one_card_may_be_shown() -> None:
    record = read(replaced(TOURNAMENT, ("Bob: folds", "Bob: folds [7c]")))
    assert record.actions == ("d dh p1 ????", "d dh p2 7c??", "p2 f")
    returns(record)


def test_mucked_cards_are_read_from_the_summary() -> None:
    text = replaced(
        CASH,
        ("Bob: shows [Qh Qs] (two pair, Queens and Nines)\n", "Bob: mucks hand\n"),
        ("showed [Qh Qs] and lost with two pair, Queens and Nines", "mucked [Qh Qs]"),
    )
    record = read(text)
    assert record.actions[1] == "d dh p2 QhQs"
    assert record.actions[-2:] == ("p3 sm AsKd", "p2 sm")
    assert replay(record).hand.over
    returns(record)


def test_three_at_a_showdown_keep_their_order() -> None:
    text = replaced(
        CASH,
        ("Ann: folds", "Ann: calls $2.50"),
        ("Bob: checks\nCid: bets", "Ann: checks\nBob: checks\nCid: bets"),
        ("Bob: raises $33.25 to $37.25 and is all-in\nCid: calls $33.25", "Ann: calls $4\nBob: calls $4"),
        ("*** RIVER", "Ann: checks\nBob: checks\nCid: checks\n*** RIVER"),
        ("*** SHOW DOWN ***\n", "Ann: checks\nBob: checks\nCid: checks\n*** SHOW DOWN ***\nAnn: mucks hand\n"),
        ("$81", "$21"),
        ("$79", "$19"),
    )
    record = read(text)
    assert record.actions[-3:] == ("p1 sm", "p2 sm QhQs", "p3 sm AsKd")
    assert replay(record).hand.over
    returns(record)


def test_the_text_owner_may_be_marked_me() -> None:
    record = read(replaced(CASH, ("Seat 3: Cid ($", "Seat 3: Cid [ME] ($")))
    assert record == read(CASH)


@for_each(
    "name",
    [
        "a b",
        "Ann: folds",
        "x (button)",
        "(1 in chips)",
        "[x]",
        "] [",
        "Bo",
        "Bob 2",
        "Dealt to",
        "é中",
        "'",
        '"',
        "*** a",
    ],
)
def test_odd_names(name: str) -> None:
    record = read(CASH.replace("Ann", name))
    assert record.players == (name, "Bob", "Cid")
    assert record.actions == read(CASH).actions
    returns(record)


def test_old_files_are_in_one_byte_letters() -> None:
    assert decode_pokerstars("Ass'e bastò".encode("cp1252")) == "Ass'e bastò"
    assert decode_pokerstars("Ass'e bastò".encode()) == "Ass'e bastò"


# --- faults


@for_each(
    "old, new, line, reason",
    [
        ("Hold'em No", "Chinese No", 1, "game Chinese is not supported"),
        ("Hold'em No Limit", "Hold'em", 1, "expected the first line of a hand"),
        ("Hold'em No", "Omaha No", 9, "expected 4 hole cards, got 2"),
        ("2016/03/01", "2016/13/01", 1, "expected a valid date, got '2016/13/01"),
        ("($0.50/$1 USD)", "($0.50/1 USD)", 1, "expected an amount in $, got '1'"),
        ("Table 'Eunike", "Tisch 'Eunike", 2, "with table and button"),
        ("Seat 2: Bob (", "Seat 1: Bob (", 4, "is already taken"),
        ("Seat 2: Bob (", "Seat 2: Ann (", 4, "is already taken"),
        ("Cid ($99.50 in chips)", "Cid ($99.50 in chips) asleep", 5, "'asleep'"),
        ("Bob: posts big blind $1", "Bob: posts big blind $1.005", 7, "at most two decimals, got '$1.005'"),
        ("Bob: posts", "Rob: posts", 7, "'Rob' has no seat: add a seat line, or use lenient reading"),
        ("big blind $1", "big blind €1", 7, "expected an amount in $, got '€1'"),
        ("*** HOLE CARDS ***", "*** HOLES ***", 8, "not supported"),
        ("[As Kd]\nCid", "[As Kx]\nCid", 9, "unknown card 'Kx'"),
        ("raises $2 to $3", "raises $2 to $4", 10, "a raise by 2 over 1 is not a raise to 4"),
        ("raises $2 to $3", "raises $99 to $100", 10, "expected at most 99.50, the rest of the stack, got 100"),
        ("Bob: calls $2", "Bob: calls $1", 12, "call: expected a total of 3 or all-in, got 2"),
        ("Bob: calls $2", "Bob: checks", 12, "Bob cannot check: expected a call of 2, a raise or a fold"),
        ("Bob: checks", "Ann: checks", 14, "has already folded"),
        ("$33.25 to $37.25 and", "$30 to $34 and", 16, "is all-in according to the text, but has 3.25 left"),
        ("*** TURN *** [2c 7d Kh]", "*** TURN *** [2c 7d Ks]", 18, "board: expected 2c 7d Kh and the new cards"),
        ("*** TURN ***", "*** FLOP ***", 18, "FLOP cannot follow FLOP"),
        ("*** TURN ***", "*** LAST TURN ***", 18, "not supported"),
        ("*** TURN ***", "*** SECOND TURN ***", 18, "before the board that it follows"),
        ("*** TURN ***", "*** RIVER ***", 18, "expected the next street of the game"),
        ("Cid: shows [As Kd]", "Cid: shows [As Kc]", 22, "expected As Kd, as shown before, got As Kc"),
        ("Cid collected $79", "Cid collected $78", 25, "got 81.00 put in, and 78 collected with a rake of 2"),
        ("Rake $2", "Rake $3", 25, "pot: expected 81, got"),
        ("Total pot $81", "Total pot $99", 25, "pot: expected 99, got 81.00 put in, and 79 collected"),
        ("As Kd", "As 7d", 13, "card 7d appears twice a second time"),
        ("Qh Qs", "Qh As", 21, "card As appears twice a second time"),
        ("Board [2c", "Board [3c", 26, "differs from the board that was dealt"),
        ("Seat 1: Ann (small", "Seat 1: Bob (small", 27, "expected the seat and name of a player listed above"),
        ("Board [2c 7d Kh 9s 9d]", "What?", 26, "unknown line in a summary"),
        ("Total pot $81 | Rake $2\n", "", 28, "without a total pot"),
    ],
)
def test_faults_are_named_with_their_line(old: str, new: str, line: int, reason: str) -> None:
    broken = replaced(CASH, (old, new))
    with pytest.raises(PokerStarsError) as caught:
        read_pokerstars(broken, "h.txt")
    assert caught.value.line == line
    assert reason in str(caught.value)
    assert str(caught.value).startswith(f"h.txt, line {line}: ")
    assert str(caught.value).endswith(repr(caught.value.text))
    assert caught.value.text == broken.splitlines()[line - 1]


def test_a_card_twice_is_refused() -> None:
    text = replaced(CASH, ("Kd", "9d"))
    with pytest.raises(PokerStarsError, match="card 9d appears twice"):
        read_pokerstars(text)


def test_a_hand_cut_off_is_refused() -> None:
    with pytest.raises(PokerStarsError, match="without a total pot: 'Bob: checks'"):
        read_pokerstars(CASH[: CASH.index("Cid: bets")])


def test_one_broken_hand_among_many() -> None:
    broken = replaced(CASH, ("Bob: checks", "Bob: chex"))
    text = "\n\n\n".join([CASH, broken, TOURNAMENT])
    found = list(scan_pokerstars(text, "h.txt"))
    assert [number for number, _ in found] == [1, 33, 65]
    assert found[0][1] == read(CASH)
    assert found[2][1] == read(TOURNAMENT)
    error = found[1][1]
    assert isinstance(error, PokerStarsError)
    assert str(error) == "h.txt, line 46: unknown line in a PokerStars hand: 'Bob: chex'"


@pytest.mark.parametrize("spoilt", ["PokerStarz Hand", "Hand", "x"])
def test_hand_with_a_spoilt_first_line_does_not_spoil_the_previous_one(spoilt: str) -> None:
    text = "\n".join([CASH, CASH.replace("PokerStars Hand", spoilt), TOURNAMENT])
    found = [one for _, one in scan_pokerstars(text)]
    assert [isinstance(one, PokerStarsError) for one in found] == [False, True, False]
    assert "expected the first line of a hand" in str(found[1])


def test_hands_need_no_blank_line_between_them_and_may_be_numbered() -> None:
    assert len(read_pokerstars(CASH + TOURNAMENT)) == 2
    assert len(read_pokerstars(f"*********** # 1 **************\n{CASH}\n*********** # 2 **************\n{CASH}")) == 2


def test_a_text_without_hands() -> None:
    assert read_pokerstars("") == []
    assert read_pokerstars("\n \r\n") == []
    with pytest.raises(PokerStarsError, match="line 2: expected the first line of a hand: 'hello'"):
        read_pokerstars("\nhello\n")
