"""Every kind of game from a site's text: streets, up-cards, changed cards, several boards; and each hand replays."""

from decimal import Decimal

import pytest

from pitboss.formats.phh import read_phh, write_phh
from pitboss.formats.sites.ggpoker import GGPOKER
from pitboss.formats.sites.pokerstars import PokerStarsError
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.records.record import Record
from pitboss.records.replay import replay
from tests.support.formats.pokerstars import read_pokerstars


def read(text: str) -> Record:
    """The only hand of a PokerStars text, which replays by the rules to the chips of the text."""
    (record,) = read_pokerstars(text)
    assert read_pokerstars(write_pokerstars(record)) == [record]
    return played(record)


def played(record: Record) -> Record:
    assert replay(record).finishing_stacks == record.finishing_stacks
    assert read_phh(write_phh(record)) == record
    return record


def read_gg(text: str) -> Record:
    (found,) = GGPOKER.scan(enumerate(text.splitlines(), 1))
    assert found.error is None
    assert found.record is not None
    return played(found.record)


LIMIT = """\
PokerStars Hand #11:  Hold'em Limit ($2/$4 USD) - 2020/05/01 1:02:03 ET
Table 'Fixed' 6-max Seat #1 is the button
Seat 1: Ann ($60 in chips)
Seat 2: Bob ($60 in chips)
Seat 3: Cid ($60 in chips)
Bob: posts small blind $1
Cid: posts big blind $2
*** HOLE CARDS ***
Ann: raises $2 to $4
Bob: folds
Cid: raises $2 to $6
Ann: calls $2
*** FLOP *** [2c 7d Kh]
Cid: bets $2
Ann: calls $2
*** TURN *** [2c 7d Kh] [9s]
Cid: bets $4
Ann: folds
Uncalled bet ($4) returned to Cid
Cid collected $17 from pot
Cid: doesn't show hand
*** SUMMARY ***
Total pot $17 | Rake $0
Board [2c 7d Kh 9s]
Seat 1: Ann (button) folded on the Turn
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cid (big blind) collected ($17)
"""


def test_limit_games_have_their_bets_in_the_head() -> None:
    record = read(LIMIT)
    assert record.variant == "FT"
    assert (record.small_bet, record.big_bet, record.min_bet) == (2, 4, None)
    assert record.blinds_or_straddles == (1, 2, 0)
    assert record.actions[3:6] == ("p3 cbr 4", "p1 f", "p2 cbr 6")
    assert record.user["_pokerstars"] == {"title": "Hand"}


OMAHA = """\
PokerStars Hand #12:  Omaha Hi/Lo Pot Limit ($1/$2 USD) - 2020/05/01 1:02:03 ET
Table 'Split' 6-max Seat #2 is the button
Seat 1: Ann ($40 in chips)
Seat 2: Bob ($40 in chips)
Bob: posts small blind $1
Ann: posts big blind $2
*** HOLE CARDS ***
Dealt to Bob [Ks Kd Qs Qd]
Bob: raises $4 to $6
Ann: calls $4
*** FLOP *** [2c 3d Kh]
Ann: checks
Bob: bets $12
Ann: raises $22 to $34 and is all-in
Bob: calls $22 and is all-in
*** TURN *** [2c 3d Kh] [8s]
*** RIVER *** [2c 3d Kh 8s] [Jd]
*** SHOW DOWN ***
Ann: shows [As 4s 5h 9c] (HI: high card Ace; LO: 8,4,3,2,A)
Bob: shows [Ks Kd Qs Qd] (HI: three of a kind, Kings)
Bob collected $40 from pot
Ann collected $40 from pot
*** SUMMARY ***
Total pot $80 | Rake $0
Board [2c 3d Kh 8s Jd]
Seat 1: Ann (big blind) showed [As 4s 5h 9c] and won ($40) with HI: high card Ace; LO: 8,4,3,2,A
Seat 2: Bob (button) (small blind) showed [Ks Kd Qs Qd] and won ($40) with HI: three of a kind, Kings
"""


def test_omaha_hi_lo() -> None:
    record = read(OMAHA)
    assert record.variant == "PO/8"
    assert record.actions[:2] == ("d dh p1 As4s5h9c", "d dh p2 KsKdQsQd")
    assert record.winnings == (40, 40)


@pytest.mark.parametrize(
    ("name", "code", "more"),
    [
        ("Omaha Pot Limit", "PO", ""),
        ("5 Card Omaha Pot Limit", "PO5", " 6c"),
        ("6 Card Omaha Pot Limit", "PO6", " 6c 6d"),
        ("5 Card Omaha Hi/Lo Pot Limit", "PO5/8", " 6c"),
    ],
)
def test_the_omahas(name: str, code: str, more: str) -> None:
    text = OMAHA.replace("Omaha Hi/Lo Pot Limit", name).replace("Ks Kd Qs Qd", f"Ks Kd Qs Qd{more}")
    text = text.replace("As 4s 5h 9c", f"As 4s 5h 9c{more.replace('6', '7')}")
    if "Hi/Lo" not in name:
        text = text.replace("Bob collected $40", "Bob collected $80").replace("Ann collected $40 from pot\n", "")
    assert read(text).variant == code


SHORT = """\
PokerStars Hand #13:  6+ Hold'em No Limit (Button Blind $2 - Ante $1  USD) - 2020/05/01 1:02:03 ET
Table 'Short' 6-max Seat #1 is the button
Seat 1: Ann ($60 in chips)
Seat 2: Bob ($60 in chips)
Seat 3: Cid ($60 in chips)
Ann: posts the ante $1
Bob: posts the ante $1
Cid: posts the ante $1
Ann: posts button blind $2
*** HOLE CARDS ***
Bob: calls $2
Cid: folds
Ann: checks
*** FLOP *** [7c 8d Kh]
Bob: bets $2
Ann: folds
Uncalled bet ($2) returned to Bob
Bob collected $7 from pot
*** SUMMARY ***
Total pot $7 | Rake $0
Board [7c 8d Kh]
"""


def test_short_deck_has_antes_and_a_blind_on_the_button() -> None:
    record = read(SHORT)
    assert record.variant == "NS"
    assert (record.antes, record.blinds_or_straddles, record.min_bet) == ((1, 1, 1), (0, 0, 2), 2)


STUD = """\
PokerStars Hand #14:  8-Game (7 Card Stud Limit, $20/$40 USD) - 2020/05/01 1:02:03 ET
Table 'Stud' 6-max
Seat 1: Ann ($600 in chips)
Seat 3: Bob ($600 in chips)
Seat 4: Cid ($600 in chips)
Ann: posts the ante $3
Bob: posts the ante $3
Cid: posts the ante $3
*** 3rd STREET ***
Dealt to Ann [2d]
Dealt to Bob [9h Tc Ks]
Dealt to Cid [4h]
Ann: brings in for $6
Bob: raises $14 to $20
Cid: folds
Ann: calls $14
*** 4th STREET ***
Dealt to Ann [2d] [2h]
Dealt to Bob [9h Tc Ks] [3c]
Pair on board - a double bet is allowed
Ann: bets $40
Bob: calls $40
*** 5th STREET ***
Dealt to Ann [2d 2h] [5c]
Dealt to Bob [9h Tc Ks 3c] [Jd]
Ann: checks
Bob: checks
*** 6th STREET ***
Dealt to Ann [2d 2h 5c] [6c]
Dealt to Bob [9h Tc Ks 3c Jd] [Qd]
Ann: checks
Bob: bets $40
Ann: calls $40
*** RIVER ***
Dealt to Bob [9h Tc Ks 3c Jd Qd] [Ac]
Ann: checks
Bob: checks
*** SHOW DOWN ***
Ann: shows [7h 8s 2d 2h 5c 6c As] (a pair of Deuces)
Bob: shows [9h Tc Ks 3c Jd Qd Ac] (a straight, Ten to Ace)
Bob collected $209 from pot
*** SUMMARY ***
Total pot $209 | Rake $0
Seat 1: Ann showed [7h 8s 2d 2h 5c 6c As] and lost with a pair of Deuces
Seat 3: Bob showed [9h Tc Ks 3c Jd Qd Ac] and won ($209) with a straight, Ten to Ace
Seat 4: Cid folded on the 3rd Street (didn't bet)
"""


def test_stud_deals_cards_up_and_down_and_names_its_part_of_a_mixed_game() -> None:
    record = read(STUD)
    assert record.variant == "F7S"
    assert (record.antes, record.bring_in, record.small_bet, record.big_bet) == ((3, 3, 3), 6, 20, 40)
    assert record.blinds_or_straddles is None
    assert record.actions[:3] == ("d dh p1 7h8s2d", "d dh p2 9hTcKs", "d dh p3 ????4h")
    assert record.actions[3:7] == ("p1 pb", "p2 cbr 20", "p3 f", "p1 cc")
    assert record.actions[7:11] == ("d dh p1 2h", "d dh p2 3c", "p1 cbr 40", "p2 cc")
    assert record.actions[-2:] == ("p1 sm 7h8s2d2h5c6cAs", "p2 sm 9hTcKs3cJdQdAc")
    assert record.user["_openPair"] is True
    assert record.user["_pokerstars"] == {"title": "Hand", "mix": "8-Game", "dealt": "1 3 4"}


def test_razz_is_brought_in_by_the_highest_card_and_may_be_completed_at_once() -> None:
    text = """\
PokerStars Hand #15: Tournament #7, $5+$1 USD HORSE (Razz Limit) - Level II (20/40) - 2020/05/01 1:02:03 ET
Table '7 1' 8-max
Seat 1: Ann (600 in chips)
Seat 3: Bob (600 in chips)
Ann: posts the ante 3
Bob: posts the ante 3
*** 3rd STREET ***
Dealt to Ann [Qd]
Dealt to Bob [9h Tc 4s]
Ann: bets 20
Bob: folds
Uncalled bet (20) returned to Ann
Ann collected 6 from pot
*** SUMMARY ***
Total pot 6 | Rake 0
"""
    record = read(text)
    assert record.variant == "FR"
    assert (record.event, record.level) == ("Tournament #7, $5+$1 USD", 2)
    assert record.bring_in == 6  # it was not paid: three tenths of the small bet
    assert record.actions == ("d dh p1 ????Qd", "d dh p2 9hTc4s", "p1 cbr 20", "p2 f")


DRAW = """\
PokerStars Game #16:  Triple Draw 2-7 Lowball Limit ($2/$4 USD) - 2009/11/25 14:12:58 ET
Table 'Draw' 6-max Seat #1 is the button
Seat 1: Ann ($40 in chips)
Seat 2: Bob ($40 in chips)
Bob: posts big blind $2
Ann: posts small blind $1
*** DEALING HANDS ***
Dealt to Ann [2h 3h 4h Kd Ks]
Ann: raises $2 to $4
Bob: calls $2
*** FIRST DRAW ***
Bob: discards 3 cards
Ann: discards 2 cards [Kd Ks]
Dealt to Ann [2h 3h 4h] [7c 9s]
Bob: checks
Ann: bets $2
Bob: calls $2
*** SECOND DRAW ***
Bob: discards 1 card
Ann: stands pat on [2h 3h 4h 7c 9s]
Bob: checks
Ann: checks
The deck is reshuffled
*** THIRD DRAW ***
Bob: stands pat
Ann: discards 1 card [9s]
Dealt to Ann [2h 3h 4h 7c] [8d]
Bob: bets $4
Ann: raises $4 to $8
Betting is capped
Bob: calls $4
*** SHOW DOWN ***
Ann: shows [2h 3h 4h 7c 8d] (Lo: 8,7,4,3,2)
Bob: shows [2c 5c 6c 7d 9d] (Lo: 9,7,6,5,2)
Ann collected $28 from pot
*** SUMMARY ***
Total pot $28 | Rake $0
Seat 1: Ann (button) (small blind) showed [2h 3h 4h 7c 8d] and won ($28) with Lo: 8,7,4,3,2
Seat 2: Bob (big blind) showed [2c 5c 6c 7d 9d] and lost with Lo: 9,7,6,5,2
"""


def test_discards_precede_new_cards_and_unprinted_cards_are_unknown() -> None:
    record = read(DRAW)
    assert record.variant == "F2L3D"
    assert record.actions == (
        *("d dh p1 ??????????", "d dh p2 2h3h4hKdKs", "p2 cbr 4", "p1 cc"),
        *("p1 sd ??????", "p2 sd KdKs", "d dh p1 ??????", "d dh p2 7c9s", "p1 cc", "p2 cbr 2", "p1 cc"),
        *("p1 sd ??", "p2 sd", "d dh p1 ??", "p1 cc", "p2 cc"),
        *("p1 sd", "p2 sd 9s", "d dh p2 8d", "p1 cbr 4", "p2 cbr 8", "p1 cc"),
        *("p2 sm 2h3h4h7c8d", "p1 sm 2c5c6c7d9d"),
    )


@pytest.mark.parametrize(
    ("name", "code"),
    [("Single Draw 2-7 Lowball No Limit", "N2L1D"), ("5 Card Draw No Limit", "N5D"), ("5 Card Draw Pot Limit", "P5D")],
)
def test_a_single_draw_has_no_headline(name: str, code: str) -> None:
    text = f"""\
PokerStars Game #17:  {name} ($1/$2 USD) - 2010/09/20 20:50:00 PT [2010/09/20 23:50:00 ET]
Table 'Draw' 6-max Seat #1 is the button
Seat 1: Ann ($40 in chips)
Seat 2: Bob ($40 in chips)
Ann: posts small blind $1
Bob: posts big blind $2
*** DEALING HANDS ***
Dealt to Bob [2h 3h 4h Kd Ks]
Ann: calls $1
Bob: checks
Bob: discards 3 cards [2h 3h 4h]
Dealt to Bob [Kd Ks] [Kc 7h 9s]
Ann: stands pat
Bob: bets $2
Ann: folds
Uncalled bet ($2) returned to Bob
Bob collected $4 from pot
Bob: shows [Kd Ks Kc 7h 9s] (three of a kind, Kings)
*** SUMMARY ***
Total pot $4 | Rake $0
"""
    record = read(text)
    assert record.variant == code
    assert record.actions[2:] == ("p2 cc", "p1 cc", "p1 sd 2h3h4h", "p2 sd", "d dh p1 Kc7h9s", "p1 cbr 2", "p2 f")


TWICE = """\
PokerStars Hand #18:  Hold'em No Limit ($1/$2 USD) - 2020/05/01 1:02:03 ET
Table 'Twice' 6-max Seat #2 is the button
Seat 1: Ann ($40 in chips)
Seat 2: Bob ($40 in chips)
Bob: posts small blind $1
Ann: posts big blind $2
*** HOLE CARDS ***
Bob: raises $4 to $6
Ann: calls $4
*** FLOP *** [2c 3d Kh]
Ann: bets $34 and is all-in
Bob: calls $34 and is all-in
*** FIRST TURN *** [2c 3d Kh] [8s]
*** FIRST RIVER *** [2c 3d Kh 8s] [Jd]
*** SECOND TURN *** [2c 3d Kh] [4s]
*** SECOND RIVER *** [2c 3d Kh 4s] [Qd]
*** FIRST SHOW DOWN ***
Ann: shows [Qs Qc] (a pair of Queens)
Bob: shows [As Ks] (a pair of Kings)
Bob collected $40 from pot
*** SECOND SHOW DOWN ***
Ann: shows [Qs Qc] (three of a kind, Queens)
Bob: shows [As Ks] (a pair of Kings)
Ann collected $40 from pot
*** SUMMARY ***
Total pot $80 | Rake $0
Hand was run twice
FIRST Board [2c 3d Kh 8s Jd]
SECOND Board [2c 3d Kh 4s Qd]
Seat 1: Ann (big blind) showed [Qs Qc] and lost with a pair of Queens, and won ($40) with three of a kind, Queens
Seat 2: Bob (button) (small blind) showed [As Ks] and won ($40) with a pair of Kings, and lost with a pair of Kings
"""


def test_a_board_may_be_run_twice() -> None:
    record = read(TWICE)
    assert record.user["_runs"] == 2
    assert record.actions[-6:] == ("d db 8s", "d db Jd", "d db 4s", "d db Qd", "p1 sm QsQc", "p2 sm AsKs")
    assert record.winnings == (40, 40)


def test_a_board_of_which_every_card_is_run_three_times() -> None:
    before, after = TWICE.split("*** FLOP ***")[0], TWICE[TWICE.index("*** FIRST SHOW") :]
    before = before.replace("raises $4 to $6", "raises $38 to $40 and is all-in")
    before = before.replace("calls $4", "calls $38 and is all-in")
    third = "Ann collected $27 from pot\n*** THIRD SHOW DOWN ***\nBob collected $26 from pot"
    after = after.replace("Bob collected $40", "Bob collected $27").replace("Ann collected $40 from pot", third)
    boards = {"FIRST": "2c 3d Kh 8s Jd", "SECOND": "2d 3h 9h 4s Qd", "THIRD": "2s 3s 9s 5c Td"}
    runs = ""
    for word, cards in boards.items():
        runs += f"*** {word} FLOP *** [{cards[:8]}]\n*** {word} TURN *** [{cards[:8]}] [{cards[9:11]}]\n"
        runs += f"*** {word} RIVER *** [{cards[:11]}] [{cards[12:]}]\n"
    record = read(before + runs + after)
    assert record.user["_runs"] == 3
    assert [action[5:].replace(" ", "") for action in record.actions if action.startswith("d db")][3:6] == [
        "2d3h9h",
        "4s",
        "Qd",
    ]
    assert record.winnings == (27, 53)


CASHED_OUT = """\
PokerStars Hand #19:  Hold'em No Limit ($1/$2 USD) - 2020/05/01 1:02:03 ET
Table 'Out' 6-max Seat #2 is the button
Seat 1: Ann ($40 in chips)
Seat 2: Bob ($40 in chips)
Bob: posts small blind $1
Ann: posts big blind $2
*** HOLE CARDS ***
Bob: raises $38 to $40 and is all-in
Ann: calls $38 and is all-in
*** FLOP *** [2c 3d Kh]
*** TURN *** [2c 3d Kh] [8s]
*** RIVER *** [2c 3d Kh 8s] [Jd]
*** SHOW DOWN ***
Ann: shows [Qs Qc] (a pair of Queens)
Bob: shows [As Ks] (a pair of Kings)
Bob cashed out the hand for $37.10 | Cash Out Fee $0.37
*** SUMMARY ***
Total pot $80 | Rake $0
Board [2c 3d Kh 8s Jd]
Seat 1: Ann (big blind) showed [Qs Qc] and lost with a pair of Queens
Seat 2: Bob (button) (small blind) showed [As Ks] and won ($80) with Kings (pot not awarded as player cashed out)
"""


def test_a_cash_out_is_the_houses_and_the_hand_ends_as_the_cards_have_it() -> None:
    record = read(CASHED_OUT)
    assert record.user["_cashedOut"] == (0, Decimal("37.1"))
    assert record.winnings == (0, 80)


def test_a_loser_may_cash_out_too() -> None:
    text = CASHED_OUT.replace("Bob cashed out", "Bob collected $80 from pot\nAnn cashed out").replace(
        " (pot not awarded as player cashed out)", ""
    )
    record = read(text)
    assert record.user["_cashedOut"] == (Decimal("37.1"), 0)
    assert record.winnings == (0, 80)


def test_chips_that_do_not_add_up_around_a_cash_out_are_refused() -> None:
    with pytest.raises(PokerStarsError, match="pot: expected"):
        read_pokerstars(CASHED_OUT.replace("won ($80)", "won ($70)"))


# --- GGPoker

GG = """\
Poker Hand #RC77: Hold'em No Limit ($1/$2) - 2023/05/01 01:02:03
Table 'Rush1' 6-max Seat #3 is the button
Seat 1: Hero ($1,040 in chips)
Seat 2: 2b3c ($1,040 in chips)
Seat 3: 4d5e ($1,040 in chips)
Cash Drop to Pot : total $10
Hero: posts small blind $1
2b3c: posts big blind $2
4d5e: straddle $4
*** HOLE CARDS ***
Dealt to Hero [As Ad]
Dealt to 2b3c
Dealt to 4d5e
Hero: raises $8 to $12
2b3c: folds
4d5e: raises $1,028 to $1,040 and is all-in
Hero: calls $1,028 and is all-in
Hero: Chooses to EV Cashout
*** FLOP *** [2c 3d Kh]
*** TURN *** [3d 2c Kh] [8s]
*** RIVER *** [3d 2c Kh 8s] [Jd]
Hero: shows [Ad As] (Pair of Aces)
4d5e: shows [Qs Qc] (Pair of Queens)
*** SHOWDOWN ***
Hero collected $2,084 from pot
Hero: Pays Cashout Risk ($350.5)
*** SUMMARY ***
Total pot $2,092 | Rake $3 | Jackpot $5 | Bingo $0 | Fortune $0 | Tax $0
Board [2c 3d Kh 8s Jd]
Seat 1: Hero (small blind) showed [As Ad] and won ($2,084) with Pair of Aces
Seat 2: 2b3c (big blind) folded before Flop
Seat 3: 4d5e (button) showed [Qs Qc] and lost with Pair of Queens
"""


def test_ggpoker_with_a_cash_drop_a_straddle_and_an_insured_hand() -> None:
    (found,) = GGPOKER.scan(enumerate(GG.splitlines(), 1))
    record = found.record
    assert found.error is None
    assert record is not None
    assert (record.venue, record.hand, record.variant) == ("GGPoker", "RC77", "NT")
    assert record.blinds_or_straddles == (1, 2, 4)
    assert record.user["_deadMoney"] == 10
    assert record.user["_rake"] == 8
    assert record.user["_cashedOut"] == (Decimal("-350.5"), 0, 0)
    assert record.finishing_stacks == (2084, 1038, 0)


def test_ggpoker_a_straddle_is_a_total_that_includes_an_earlier_post() -> None:
    text = """\
Poker Hand #RC78: Hold'em No Limit ($1/$2) - 2023/05/01 01:02:03
Table 'Rush1' 6-max Seat #4 is the button
Seat 1: Hero ($100 in chips)
Seat 2: 2b3c ($100 in chips)
Seat 3: 4d5e ($100 in chips)
Seat 4: 6f7a ($100 in chips)
Hero: posts small blind $1
2b3c: posts big blind $2
6f7a: posts missed blind $1
6f7a: posts big blind $2
6f7a: straddle $4
*** HOLE CARDS ***
Dealt to Hero [As Ad]
Hero: folds
2b3c: calls $2
4d5e: folds
6f7a: checks
*** FLOP *** [2c 3d Kh]
2b3c: checks
6f7a: bets $4
2b3c: folds
Uncalled bet ($4) returned to 6f7a
*** SHOWDOWN ***
6f7a collected $10 from pot
*** SUMMARY ***
Total pot $10
"""
    record = read_gg(text)
    assert record.blinds_or_straddles == (1, 2, 0, 4)
    assert record.user["_deadPosts"] == (0, 0, 0, 1)
    assert record.finishing_stacks == (99, 96, 100, 105)
    (found,) = GGPOKER.scan(enumerate(text.replace("6f7a: straddle $4", "6f7a: straddle $2").splitlines(), 1))
    assert "line 11" in str(found.error)
    assert "straddle: expected more than the 2 that 6f7a posted, got 2" in str(found.error)


def test_ggpoker_tournaments_short_decks_and_missed_blinds() -> None:
    head = "Poker Hand #TM5: Tournament #9, Cup [A], $5 GTD Hold'em No Limit - Level12(200/400) - 2023/05/01 01:02:03"
    text = f"""\
{head}
Table '74' 8-max Seat #1 is the button
Seat 1: Hero (9,000 in chips)
Seat 2: 2b3c (9,000 in chips)
Seat 3: 4d5e (9,000 in chips)
Seat 4: 6f7a (9,000 in chips)
2b3c: posts small blind 200
4d5e: posts big blind 400
6f7a: posts missed blind 200
6f7a: posts big blind 400
*** HOLE CARDS ***
Dealt to Hero [As Ad]
6f7a: checks
Hero: folds
2b3c: folds
4d5e: bets 800
6f7a: folds
Uncalled bet (800) returned to 4d5e
*** SHOWDOWN ***
4d5e collected 1,200 from pot
*** SUMMARY ***
Total pot 1,200
"""
    record = read_gg(text)
    assert (record.event, record.level) == ("Tournament #9, Cup [A], $5 GTD", 12)
    assert record.blinds_or_straddles == (200, 400, -400, 0)
    assert record.user["_deadPosts"] == (0, 0, 200, 0)
