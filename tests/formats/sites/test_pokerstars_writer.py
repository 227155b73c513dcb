"""Records become PokerStars text: what a record does not say is left out, what a text cannot say is refused."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.formats.sites.pokerstars import PokerStarsError
from pitboss.formats.sites.pokerstars_writer import name_best_hand, write_pokerstars
from pitboss.records.record import Record
from tests.support.for_each import for_each
from tests.support.formats.pokerstars import read_pokerstars

PLAYED = Record(
    variant="NT",
    antes=(0, 0, 0),
    blinds_or_straddles=(50, 100, 0),
    min_bet=100,
    starting_stacks=(10000, 400, 10000),
    actions=(
        *("d dh p1 TcQc", "d dh p2 8s8c", "d dh p3 AhAd", "p3 cbr 300", "p1 cc", "p2 cbr 400", "p3 cc", "p1 cc"),
        *("d db 7d5h9d", "p1 cc", "p3 cbr 1000", "p1 cc", "d db 7c", "p1 cc", "p3 cc", "d db Qh", "p1 cbr 230"),
        *("p3 cc", "p1 sm TcQc", "p3 sm AhAd", "p2 sm 8s8c"),
    ),
)
WRITTEN = """\
PokerStars Hand #0:  Hold'em No Limit (50/100)
Table '' Seat #3 is the button
Seat 1: p1 (10000 in chips)
Seat 2: p2 (400 in chips)
Seat 3: p3 (10000 in chips)
p1: posts small blind 50
p2: posts big blind 100
*** HOLE CARDS ***
Dealt to p1 [Tc Qc]
Dealt to p2 [8s 8c]
Dealt to p3 [Ah Ad]
p3: raises 200 to 300
p1: calls 250
p2: raises 100 to 400 and is all-in
p3: calls 100
p1: calls 100
*** FLOP *** [7d 5h 9d]
p1: checks
p3: bets 1000
p1: calls 1000
*** TURN *** [7d 5h 9d] [7c]
p1: checks
p3: checks
*** RIVER *** [7d 5h 9d 7c] [Qh]
p1: bets 230
p3: calls 230
*** SHOW DOWN ***
p1: shows [Tc Qc] (two pair, Queens and Sevens)
p3: shows [Ah Ad] (two pair, Aces and Sevens)
p2: shows [8s 8c] (two pair, Eights and Sevens)
p3 collected 2460 from side pot
p3 collected 1200 from main pot
*** SUMMARY ***
Total pot 3660 Main pot 1200. Side pot 2460. | Rake 0
Board [7d 5h 9d 7c Qh]
Seat 1: p1 (small blind) showed [Tc Qc] and lost with two pair, Queens and Sevens
Seat 2: p2 (big blind) showed [8s 8c] and lost with two pair, Eights and Sevens
Seat 3: p3 (button) showed [Ah Ad] and won (3660) with two pair, Aces and Sevens
"""


def back(record: Record) -> Record:
    (read,) = read_pokerstars(write_pokerstars(record))
    return read


def test_a_bare_record() -> None:
    assert write_pokerstars(PLAYED) == WRITTEN
    assert back(PLAYED).actions == PLAYED.actions


def test_rake_is_deducted_from_the_winnings() -> None:
    record = replace(PLAYED, winnings=(0, 0, 3600))
    written = write_pokerstars(record)
    assert "p3 collected 2400 from side pot\np3 collected 1200 from main pot\n" in written
    assert "| Rake 60\n" in written
    assert back(record).winnings == record.winnings
    assert back(replace(PLAYED, finishing_stacks=(8370, 0, 11970))).user["_rake"] == 60


@pytest.mark.parametrize("winnings", [(0, 0, 9999), (3660, 0, 0), (0, 0, 0)])
def test_winnings_that_cannot_be_are_passed_over(winnings: tuple[int, ...]) -> None:
    assert back(replace(PLAYED, winnings=winnings)).winnings == (0, 0, 3660)


def test_recorded_winners_are_kept_if_the_rake_completes_the_pot() -> None:
    record = replace(PLAYED, winnings=(3600, 0, 0), user={"_rake": 60})
    assert "p1 collected 3600 from main pot\n" in write_pokerstars(record)
    assert back(record).finishing_stacks == (8370 + 3600, 0, 8370)


def test_a_bet_before_any_blind() -> None:
    record = replace(PLAYED, blinds_or_straddles=(0, 0, 0), actions=(*PLAYED.actions[:3], "p1 cbr 100", "p2 f", "p3 f"))
    written = write_pokerstars(record)
    assert "p1: bets 100\n" in written
    assert "Uncalled bet (100) returned to p1\n" in written
    assert back(record).blinds_or_straddles == (0, 0, 0)


def test_cards_turned_up_before_the_board_are_shown_after_it() -> None:
    record = replace(
        PLAYED,
        starting_stacks=(400, 400, 400),
        actions=(
            *(*PLAYED.actions[:3], "p3 cbr 400", "p1 f", "p2 cc", "p3 sm AhAd", "p2 sm 8s8c"),
            *("d db 7d5h9d", "d db 7c", "d db Qh"),
        ),
    )
    assert back(record).actions == (*record.actions[:6], *record.actions[8:], *record.actions[6:8])


@for_each(
    "change, head",
    [
        ({"hand": 5, "day": 1, "month": 2, "year": 2009}, "Hand #5:  Hold'em No Limit (50/100) - 2009/02/01"),
        (
            {"hand": "7", "day": 1, "month": 2, "year": 2009, "time": dt.time(3, 4, 5)},
            "Hand #7:  Hold'em No Limit (50/100) - 2009/02/01 3:04:05",
        ),
        ({"hand": "R5-3", "year": 2009}, "Hand #0:  Hold'em No Limit (50/100)"),
        ({"day": 31, "month": 2, "year": 2009}, "Hand #0:  Hold'em No Limit (50/100)"),
        ({"event": "World Series", "level": 3}, "Hand #0:  Hold'em No Limit (50/100)"),
        ({"event": "Tournament #5", "level": 3}, "Hand #0: Tournament #5 Hold'em No Limit - Level III (50/100)"),
        ({"currency_symbol": "$", "currency": "USD"}, "Hand #0:  Hold'em No Limit ($50/$100 USD)"),
        ({"currency_symbol": "1 x", "currency": "dollars"}, "Hand #0:  Hold'em No Limit (50/100)"),
        ({"user": {"_pokerstars": {"title": "x", "stakes": "5/10"}}}, "Hand #0:  Hold'em No Limit (50/100)"),
        ({"user": {"_pokerstars": 3}}, "Hand #0:  Hold'em No Limit (50/100)"),
    ],
)
def test_heads(change: dict[str, Any], head: str) -> None:
    record = replace(PLAYED, **change)
    assert write_pokerstars(record).splitlines()[0] == f"PokerStars {head}"
    assert back(record).actions == PLAYED.actions


@for_each(
    "change, reason",
    [
        ({"variant": "PO"}, "cannot be replayed: action 4"),
        ({"variant": "XY"}, "expected a game that PokerStars has, got XY"),
        ({"user": {"_bomb": True}}, "PokerStars text does not support _bomb"),
        ({"starting_stacks": (10000, Decimal("Infinity"), 10000)}, "unknown stacks"),
        ({"players": ("a", "a", "b")}, "'a' cannot be distinguished"),
        ({"players": ("a", " b", "c")}, "' b' cannot be distinguished"),
        ({"players": ("a", "", "c")}, "'' cannot be distinguished"),
        ({"players": ("a", "b\nc", "c")}, "line break"),
        ({"table": "x\ry"}, "line break"),
        ({"seats": (1, 3, 2)}, "seats: expected clockwise order"),
        ({"seats": (1, 2, 2)}, "seats: expected clockwise order"),
        ({"seats": (1, 2, 1000)}, "from 0 to 999"),
        ({"actions": ("p1 f",)}, "cannot be replayed: action 1"),
        ({"actions": ("p7 f",)}, "cannot be replayed: action 1"),
        ({"user": {"_inactive": (1,)}}, "cannot be replayed: _inactive"),
        ({"user": {"_deadMoney": Decimal("nan")}}, "cannot be replayed: _deadMoney"),
        ({"antes": (300, 300, 300), "starting_stacks": (200, 900, 900), "actions": ()}, "antes: expected a full ante"),
        (
            {"user": {"_inactive": (0, 1, 0)}, "actions": ("d dh p1 AsAd", "d dh p3 KsKd", "p3 f")},
            "a hand without a big blind",
        ),
    ],
)
def test_inexpressible_hand_is_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(PokerStarsError, match=reason):
        write_pokerstars(replace(PLAYED, **change))


def test_unseen_board_is_refused() -> None:
    actions = tuple("d db ??????" if action == "d db 7d5h9d" else action for action in PLAYED.actions[:-3])
    with pytest.raises(PokerStarsError, match="unknown board cards"):
        write_pokerstars(replace(PLAYED, actions=actions))


def test_a_table_document_names_its_own_button() -> None:
    record = replace(PLAYED, seats=(2, 4, 6), user={"_button": 0}, blinds_or_straddles=(0, 50, 100))
    record = replace(record, actions=(*PLAYED.actions[:3], "p1 f", "p2 f"))
    written = write_pokerstars(record)
    assert "Seat #2 is the button\n" in written
    assert "p2: posts small blind 50\np3: posts big blind 100\n" in written
    assert back(record).players == ("p2", "p3", "p1")


@for_each(
    "cards, words",
    [
        ("As Kd 9c 7h 2s", "high card Ace"),
        ("6s 6d 9c 7h 2s 4d", "a pair of Sixes"),
        ("2s 2d Kc Kh 4s 4d As", "two pair, Kings and Fours"),
        ("9s 9d 9c 7h 2s 4d As", "three of a kind, Nines"),
        ("As 2d 3c 4h 5s Kd Qs", "a straight, Ace to Five"),
        ("As 2d 3c 4h 5s 6d Qs", "a straight, Deuce to Six"),
        ("Ts Jd Qc Kh As 9d 8s", "a straight, Ten to Ace"),
        ("2s 9s Js 4s 5s Ad Ah", "a flush, Jack high"),
        ("3s 3d 3c Jh Js 6h 6d", "a full house, Threes full of Jacks"),
        ("4s 4d 4c 4h Js", "four of a kind, Fours"),
        ("5s 6s 7s 8s 9s Td Jd", "a straight flush, Five to Nine"),
        ("As 2s 3s 4s 5s 6d 7d", "a straight flush, Ace to Five"),
        ("Ts Js Qs Ks As 9s 8s", "a Royal Flush"),
        ("As Kd", ""),
        ("As ?? 9c 7h 2s", ""),
    ],
)
def test_hands_have_names(cards: str, words: str) -> None:
    assert name_best_hand(tuple(cards.split())) == words
