"""Laws of whole poker hands: chips, turns, offers, secrets, pots and replays, at tables drawn at random."""

from collections import Counter
from dataclasses import replace as alter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import pitboss.betting.round
import pitboss.hand.hand
import pitboss.hand.view
from pitboss.betting import core
from pitboss.betting.core import Numbers
from pitboss.betting.events import Fold
from pitboss.betting.pots import Pot, pots, share
from pitboss.betting.round import Post
from pitboss.cards import Card
from pitboss.chance import Chance
from pitboss.hand import hand as hand_module
from pitboss.hand import showdown
from pitboss.hand.events import Event
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.state import Draw
from pitboss.hand.structure import Rake, Stakes, blinds
from pitboss.ranks import badugi
from pitboss.ranks.orders import ORDERS
from tests.laws import random_play
from tests.laws.random_play import play, play_table
from tests.support.laws.laws import LawBroken
from tests.support.laws.many import chunks, play_all
from tests.support.laws.payouts import one_by_one
from tests.support.laws.tables import REOPENINGS, some_table

SEEDS = st.integers(0, 2**64 - 1)
ORPHANED = 830  # a hand of seed 8 in which all who paid for the highest layer fold: one in two thousand


@pytest.mark.parametrize("code", STRUCTURES)
def test_hands_keep_the_laws(code: str) -> None:
    counts: Counter[str] = Counter()
    for number in range(16):
        chance = Chance(7).fork(number)
        reopening = REOPENINGS[number % len(REOPENINGS)]
        counts += play_table(some_table(chance, STRUCTURES[code], reopening, house=number % 4 > 0), chance)
    assert counts[f"hands of {code}"] == 16
    assert counts["pots"] > 16
    assert counts["moments in two worlds"] > 32
    assert ("cards changed" in counts) == STRUCTURES[code].draws


@given(seed=SEEDS)
def test_any_hand_keeps_the_laws(seed: int) -> None:
    play(seed, 0)


@given(seed=SEEDS)
def test_seed_replays_a_hand(seed: int) -> None:
    assert some_table(Chance(seed)) == some_table(Chance(seed))
    assert play(seed, 1) == play(seed, 1)


def test_every_hand_of_a_run_has_one_number() -> None:
    assert [number for part in chunks(250) for number in part] == list(range(250))
    assert play_all(play, 3, range(6)) == play_all(play, 3, range(2)) + play_all(play, 3, range(2, 6))


def test_chip_by_chip() -> None:
    assert one_by_one(8, 3) == [3, 3, 2]


def test_ruling_N7_chips_of_folded_players_belong_to_claimants_of_the_layer_below() -> None:
    """The small blind does not act against an all-in of its size: chips left behind give it no further claim."""
    stakes = Stakes(min_bet=2, posts=(*blinds(3, 1, 2), Post(2, 2)))
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(10, 1, 10), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    hand, _ = hand.act(Fold(), 2)
    assert hand.round.paid == (1, 1, 2)
    assert hand.paid_pots == (Pot(4, (0, 1)),)


# --- that this proves something


@pytest.mark.check
def test_random_play_reaches_rare_cases() -> None:
    counts = play_all(play, 8, range(8 * len(STRUCTURES))) + play(8, ORPHANED)
    assert {"free folds", "refunds", "side pots", "split pots", "orphaned layers", "raked hands", "mucked"} <= set(
        counts
    )
    assert {"bomb pots", "further runs", "bring-ins completed", "last cards for all", "open pairs"} <= set(counts)
    assert {"cards changed", "decks that ran out"} <= set(counts)
    assert [counts[f"hands of {code}"] for code in STRUCTURES].count(8) >= len(STRUCTURES) - 1, "as many of each"


def play_until_noticed(hands: int) -> None:
    """Play hands until a law is broken."""
    for number in range(hands):
        play(9, number)


def lowered_price(s: Numbers, p: int, amount: int) -> int:
    """A blind whose price is what was really posted."""
    moved = core.pay(s, p, amount)
    s.price = s.level = max(s.price, s.bets[p])
    return moved


def claimed_dead(s: Numbers, p: int, amount: int) -> int:
    """Dead money that counts toward a claim."""
    moved = core.pay(s, p, amount)
    s.bets[p] -= moved
    s.pot += moved
    s.paid[p] += moved
    return moved


@pytest.mark.check
@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("answerable", lambda *_: True),
        ("opposed", lambda *_: True),
        ("reopens", lambda *_: True),
        ("uncalled", lambda *_: (-1, 0)),
        ("post", lowered_price),
        ("post_ante", core.post_dead),
        ("post_dead", claimed_dead),
        ("pot_raise", lambda s, _: s.price),
    ],
)
def test_a_slip_in_the_betting_would_be_noticed(name: str, wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, name, wrong)
    with pytest.raises(LawBroken):
        play_until_noticed(300)


def test_a_slip_in_the_pots_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pitboss.betting.round, "pots", lambda paid, folded, dead, _: pots(paid, folded, dead))
    with pytest.raises(LawBroken):
        play_until_noticed(50)


DEAL_STREET, REPLACEMENTS = hand_module.deal_street, hand_module.replacements


def from_below(deck: tuple[Card, ...], draw: Draw, count: int) -> tuple[tuple[Card, ...], tuple[Card, ...], Draw]:
    """New cards from the bottom of the deck."""
    given, left, draw = REPLACEMENTS(deck[::-1], draw, count)
    return given, left[::-1], draw


def turned_over(hand: Hand) -> tuple[Hand, tuple[Event, ...]]:
    """A deck that is turned over after every deal."""
    after, events = DEAL_STREET(hand)
    return replace(after, deck=(after.deck or ())[::-1]), events


@pytest.mark.check
@pytest.mark.parametrize(
    ("where", "name", "wrong"),
    [
        (hand_module, "_BEST", {**hand_module._BEST, "low_card": hand_module._BEST["high_card"]}),
        (hand_module, "_BEST", {**hand_module._BEST, "high_hand": hand_module._BEST["low_hand"]}),
        (hand_module, "_BEST", {**hand_module._BEST, "low_hand": lambda cards: -hand_module._BEST["high_hand"](cards)}),
        (pitboss.hand.hand, "shows_pair", lambda hand: False),
        (pitboss.hand.hand, "deal_street", turned_over),
        (hand_module, "replacements", from_below),
        (core, "brings_in", lambda rules, s: False),
        (showdown, "share", lambda amount, winners: share(amount, winners)[::-1]),
        (hand_module, "share", lambda amount, winners: share(amount, winners)[::-1]),
        (showdown, "ORDERS", {**ORDERS, "badugi": alter(ORDERS["badugi"], rank=lambda cards: badugi([*cards][:3]))}),
        (showdown, "ORDERS", {**ORDERS, "deuce_to_seven": ORDERS["ace_to_five"]}),
        (showdown, "ORDERS", {**ORDERS, "ace_to_five": ORDERS["high"]}),
        (Rake, "taken", lambda rake, found, first_street: (0,) * len(found)),
        (Draw, "hidden", lambda draw: draw),
        (pitboss.hand.view, "_turned_down", lambda hole, faces: hole),
    ],
)
def test_a_slip_in_any_game_would_be_noticed(
    where: object, name: str, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises(LawBroken):
        play_until_noticed(20 * len(STRUCTURES))


def test_a_leak_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hand, "view", lambda hand, _: hand)
    with pytest.raises(LawBroken, match="view"):
        play(9, 0)


def test_an_event_that_leaks_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_play, "view_event", lambda event, _: event)
    with pytest.raises(LawBroken, match="events show no hidden card"):
        play(9, 0)
