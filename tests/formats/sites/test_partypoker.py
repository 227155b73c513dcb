"""PartyPoker text: invented hands in the spellings of many years, and what is noted or refused."""

from decimal import Decimal

import pytest

from pitboss.formats.scan import HandFound
from pitboss.formats.sites.partypoker import PARTY_POKER
from pitboss.records.record import Record
from pitboss.records.replay import replay
from tests.support.for_each import for_each

CASH = """\
Game #900 starts.

#Game No : 900
***** Hand History for Game 900 *****
$25 USD NL Texas Hold'em - Thursday, March 01, 05:18:55 EST 2012
Table Oak (Real Money)
Seat 4 is the button
Total number of players : 3/6
Seat 2: Ann ( $25 USD )
Seat 4: Bo ( $1,030.50 USD )
Seat 1: Cy ( $12,40 USD )
Cy posts small blind [$0.10 USD].
Ann posts big blind [$0.25 USD].
** Dealing down cards **
Dealt to Bo [  As Kd ]
Bo raises [$1 USD]
Cy folds
Ann calls [$0.75 USD]
** Dealing Flop ** [ Ah, 7c, 2d ]
Ann checks
Ann: hm
Bo bets [$1.50 USD]
Ann calls [$1.50 USD]
** Dealing Turn ** [ 9s ]
Ann checks
Bo bets [$4 USD]
Ann folds
Bo does not show cards.
Bo wins $8.85 USD
"""
SHOWDOWN = """\
***** Hand History for Game 901 *****
€0.10/€0.25 EUR NL Texas Hold'em - Sunday,December 9, 14:29:49 CET 2012
Table Ash ( Real Money )
Seat 1 is the button
Total number of players : 2/2
seat 1: Ann ( €10 EUR )
seat 2: Bo ( €4 EUR )
Ann posts small blind [€0.10 EUR].
Bo posts big blind [€0.25 EUR].
** Dealing down cards **
Dealt to Ann [ Ks, Kh ]
Ann raises [ €9.90 EUR ]
Bo is all-In  [€3.75 EUR]
** Dealing Flop ** [ 2c, 3d, 4h ]
** Dealing Turn ** [ 9c ]
** Dealing River ** [ 9d ]
Ann shows [ Ks, Kh ]two pairs, Kings and Nines.
Bo doesn't show [ Qs, Qh ]two pairs, Queens and Nines.
Ann wins €6 EUR from the side pot 1 with two pairs, Kings and Nines.
Ann wins €7.60 EUR from the main pot with two pairs, Kings and Nines.
"""
UNPOSTED = """\
***** Hand History for Game 902 *****
NL Texas Hold'em $3 USD Buy-in Trny: 55 Level: 3  Blinds(50/100) - Sunday, October 11, 13:50:04 EDT 2009
Table Elder (77) Table #1 (Real Money)
Seat 2 is the button
Total number of players : 3
Seat 1: Ann ( 1,500 )
Seat 2: Bo ( 1,500 )
Seat 3: Cy ( 1,500 )
Trny: 55 Level: 4
Blinds(100/200)
** Dealing down cards **
Dealt to Bo [  7s Ah ]
Bo folds
Cy calls [100]
Ann checks
** Dealing Flop ** [ 2c, 3d, 4h ]
Cy bets [200]
Ann folds
Cy does not show cards.
Cy wins 600 chips
"""
NEWER = """\
***** Hand History For Game 16x9 *****
20/40 Tourney Texas Holdem Game Table (NL) (SNG Tournament #41) (Buyin $0.23 + $0.02) - Thu Dec 05 18:57:46 EST 2019
Table (41) Table #1 (Real Money) -- Seat 2 is the button
Total number of players : 2/3
Seat 2: Ann (300)
Seat 3: Bo (1200)
Ann posts small blind (20)
Bo posts big blind (40)
** Dealing down cards **
Dealt to Bo [ Ah, Ks ]
Ann raises 280 to 300
Ann is all-In.
Bo calls (260)
Creating Main Pot with 600 with Ann
** Dealing Flop ** : [ 2c, 6h, Jc ]
** Dealing Turn ** : [ Ad ]
** Dealing River ** : [ 9s ]
** Summary **
Main Pot: 600
Board: [ 2c, 6h, Jc, Ad, 9s ]
Ann balance 0, lost 300[ Qs, Qh ] [ a pair of queens -- Ad,Qs,Qh,Jc,9s ]
Bo balance 1500, bet 300, collected 600, net +300[ Ah, Ks ] [ a pair of aces -- Ah,Ad,Ks,Jc,9s ]
"""


def find(text: str, *, lenient: bool = False) -> list[HandFound]:
    return list(PARTY_POKER.scan(enumerate(text.split("\n"), 1), "x.txt", lenient))


def read_one(text: str, *, lenient: bool = False) -> Record:
    (found,) = find(text, lenient=lenient)
    assert found.error is None, found.error
    assert found.record is not None
    return found.record


def test_cash_hand_without_printed_pot_and_rake() -> None:
    record = read_one(CASH)
    assert (record.variant, record.venue, record.hand, record.table) == ("NT", "PartyPoker", 900, "Oak")
    assert (record.blinds_or_straddles, record.min_bet) == ((Decimal("0.10"), Decimal("0.25"), 0), Decimal("0.25"))
    assert record.players == ("Cy", "Ann", "Bo")
    assert record.starting_stacks == (Decimal("12.40"), 25, Decimal("1030.50"))
    assert record.user["_rake"] == Decimal("0.25")
    assert record.winnings == (0, 0, Decimal("4.85"))
    assert (record.year, record.month, record.day, record.time_zone_abbreviation) == (2012, 3, 1, "EST")


@pytest.mark.parametrize("text", [CASH, SHOWDOWN, UNPOSTED, NEWER])
def test_every_spelling_replays_to_the_printed_result(text: str) -> None:
    record = read_one(text)
    assert replay(record).finishing_stacks == record.finishing_stacks


def test_uncalled_part_is_returned_and_all_in_is_a_call_or_raise() -> None:
    record = read_one(SHOWDOWN)
    assert record.actions[2:4] == ("p2 cbr 10", "p1 cc")
    assert record.finishing_stacks == (0, Decimal("13.60"))
    assert record.user["_rake"] == Decimal("0.40")


def test_blinds_that_are_not_printed_are_posted_at_the_level_of_the_deal() -> None:
    record = read_one(UNPOSTED)
    assert (record.blinds_or_straddles, record.players) == ((100, 200, 0), ("Cy", "Ann", "Bo"))
    assert record.finishing_stacks == (1700, 1300, 1500)


def test_late_player_has_an_unknown_stack() -> None:
    text = CASH.replace("** Dealing down", "Di has joined the table.\nDi posts big blind [$0.25 USD].\n** Dealing down")
    text = (
        text.replace("Bo raises", "Di checks\nBo raises")
        .replace("Cy folds", "Cy folds")
        .replace("Ann calls [$0.75 USD]", "Ann calls [$0.75 USD]\nDi folds")
        .replace("$8.85", "$9.10")
    )
    assert "Di posts without a seat" in str(find(text)[0].error)
    record = read_one(text, lenient=True)
    assert record.players is not None
    assert record.starting_stacks[record.players.index("Di")] == Decimal("Infinity")


@for_each(
    "old, new, sentence",
    [
        ("Texas Hold'em", "Bridge", "line 5: game Bridge is not supported"),
        ("wins $8.85", "wins $9.85", "rake: -0.75 is not possible"),
        ("wins $8.85", "wins $4.85", "rake: 4.25 is not possible"),
        ("calls [$0.75", "calls [$0.70", "line 18: call: expected a total of 1 or all-in, got 0.95"),
        ("calls [$0.75", "calls [$0..75", "line 18: expected an amount, got '$0..75 USD'"),
        ("Ann checks\nAnn: hm", "Ann juggles", "line 20: unknown line in a PartyPoker hand: 'Ann juggles'"),
        (
            "Ann checks\nAnn: hm",
            "Zed checks",
            "line 20: 'Zed' has no seat: add a seat line, or use lenient reading",
        ),
        ("Bo wins $8.85 USD\n", "", "the hand is cut off"),
    ],
)
def test_nonsense_is_one_sentence_with_file_and_line(old: str, new: str, sentence: str) -> None:
    (found,) = find(CASH.replace(old, new))
    assert str(found.error).startswith("x.txt, line ")
    assert sentence in str(found.error)


def test_one_broken_hand_costs_that_hand_only() -> None:
    found = find(CASH + "\n" + UNPOSTED.replace("Cy wins 600", "Cy wins 900") + "\n" + NEWER)
    assert [one.record is not None for one in found] == [True, False, True]


def test_a_file_is_known_by_its_beginning() -> None:
    assert PARTY_POKER.recognise(CASH)
    assert not PARTY_POKER.recognise("PokerStars Hand #1: Hold'em No Limit ($1/$2)")
