"""Stud's open pair: on fourth street either limit may be bet, and raises follow the larger bet made."""

import pytest
from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.cards import DECK, read_cards
from pitboss.hand.games import SEVEN_CARD_STUD
from pitboss.hand.hand import Hand
from pitboss.hand.position import read_position, write_position
from pitboss.hand.text import allowed
from pitboss.records.replay import replay
from tests.formats.sites.test_games import STUD
from tests.support.for_each import for_each
from tests.support.formats.pokerstars import read_pokerstars

PAIRED = list(read_cards("2c 7d 3h 3c 8d 4h Kh 9s 5s Ks 9h 6d"))  # p1 and p2 show a pair on fourth street


def fourth_street(*said: str, stacks: tuple[int, ...] = (1000, 1000, 1000)) -> Hand:
    """A 20/40 hand on fourth street, after these words."""
    deck = PAIRED + [card for card in DECK if card not in PAIRED]
    hand, _ = Hand.deal(
        replace(SEVEN_CARD_STUD, open_pair=True), stacks=stacks, ante=2, bring_in=5, min_bet=20, deck=deck
    )
    for words in ("bring in", "call", "call", *said):
        hand, _ = hand.act(words)
    assert hand.street_name == "FOURTH_STREET"
    return hand


@for_each(
    "said, offered",
    [
        ("", "fold, check or bet 20 or 40"),
        ("check", "fold, check or bet 20 or 40"),
        ("bet 20", "fold, call 20 or raise to 40 or 60"),
        ("bet 40", "fold, call 40 or raise to 80"),
        ("bet 20; raise to 40", "fold, call 40 or raise to 60 or 80"),
        ("bet 20; raise to 60", "fold, call 60 or raise to 100"),
        ("bet", "fold, call 20 or raise to 40 or 60"),
    ],
)
def test_raises_follow_the_larger_bet_made(said: str, offered: str) -> None:
    hand = fourth_street(*[words for words in said.split("; ") if words])
    assert allowed(hand) == offered


def test_a_bet_between_the_limits_is_refused() -> None:
    hand = fourth_street()
    with pytest.raises(Refused, match=r"^two_sizes: expected 20 or 40, got 30$"):
        hand.act("bet 30")
    assert fourth_street(stacks=(35, 1000, 1000)).act("bet 28")[0].round.level == 28  # all-in


def test_fifth_street_has_the_big_bet_only() -> None:
    hand = fourth_street("check", "check")
    hand, _ = hand.act("check")
    assert hand.street_name == "FIFTH_STREET"
    assert hand.offer.bet is not None
    assert (hand.offer.bet.min_to, hand.offer.bet.max_to) == (40, 40)


@for_each("said", [(), ("bet 20",), ("bet 40",), ("bet 20", "raise to 60")])
def test_a_position_keeps_both_limits(said: tuple[str, ...]) -> None:
    hand = fourth_street(*said)
    assert read_position(write_position(hand)) == hand


def test_a_recorded_small_bet_at_an_open_pair_replays() -> None:
    raised = "Ann: bets $20\nBob: raises $40 to $60\nAnn: calls $40\n*** 5th"
    small = STUD.replace("Ann: bets $40\nBob: calls $40\n*** 5th", raised).replace("$209", "$249")
    [record] = read_pokerstars(small)
    assert replay(record).finishing_stacks == record.finishing_stacks
