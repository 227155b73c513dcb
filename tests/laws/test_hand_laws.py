"""Laws of whole poker hands: chips, turns, offers, secrets, pots and replays, at tables drawn at random."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pitboss.betting.round
from pitboss.betting import core
from pitboss.betting.actions import Fold
from pitboss.betting.numbers import Numbers
from pitboss.betting.pots import Pot, pots
from pitboss.betting.round import Post
from pitboss.betting.rules import Reopening
from pitboss.chance import Chance
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds
from tests.laws.random_play import one_by_one, play, play_table
from tests.support.laws.laws import LawBroken
from tests.support.laws.many import chunks, play_all
from tests.support.laws.tables import REOPENINGS, some_table

SEEDS = st.integers(0, 2**64 - 1)
ORPHANED = 1888  # a hand of seed 8 in which all who paid for the highest layer fold: one in two thousand


@pytest.mark.parametrize("reopening", REOPENINGS, ids=lambda reopening: reopening.name.lower())
@pytest.mark.parametrize("code", STRUCTURES)
def test_hands_keep_the_laws(code: str, reopening: Reopening) -> None:
    counts: Counter[str] = Counter()
    for number in range(25):
        chance = Chance(7).fork(number)
        counts += play_table(some_table(chance, STRUCTURES[code], reopening), chance)
    assert counts[f"hands of {code}"] == 25
    assert counts["free folds"] > 0
    assert counts["pots"] > 25


@given(seed=SEEDS)
def test_any_hand_keeps_the_laws(seed: int) -> None:
    play(seed, 0)


@given(seed=SEEDS)
def test_a_seed_replays_everything(seed: int) -> None:
    assert some_table(Chance(seed)) == some_table(Chance(seed))
    assert play(seed, 1) == play(seed, 1)


def test_every_hand_of_a_run_has_one_number() -> None:
    assert [number for part in chunks(250) for number in part] == list(range(250))
    assert play_all(play, 3, range(6)) == play_all(play, 3, range(2)) + play_all(play, 3, range(2, 6))


def test_chip_by_chip() -> None:
    assert one_by_one(8, 3) == [3, 3, 2]


def test_ruling_N7_chips_of_the_folded_belong_to_all_who_claim_the_layer_below() -> None:
    """The small blind is not asked against an all-in of his size; having chips left gives him no claim of his own."""
    stakes = Stakes(min_bet=2, posts=(*blinds(3, 1, 2), Post(2, 2)))
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(10, 1, 10), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    hand, _ = hand.act(Fold(), 2)
    assert hand.round.paid == (1, 1, 2)
    assert hand.paid_pots == (Pot(4, (0, 1)),)


# --- that this proves something


def test_play_reaches_what_is_rare() -> None:
    counts = play_all(play, 8, range(250)) + play(8, ORPHANED)
    assert {"free folds", "refunds", "side pots", "split pots", "orphaned layers"} <= set(counts)
    assert {f"hands of {code}" for code in STRUCTURES} <= set(counts)


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
    with pytest.raises(AssertionError, match="LawBroken"):
        play_all(play, 9, range(300))


def test_a_slip_in_the_pots_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pitboss.betting.round, "pots", lambda paid, folded, dead, _: pots(paid, folded, dead))
    with pytest.raises(AssertionError, match="LawBroken"):
        play_all(play, 9, range(50))


def test_a_leak_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hand, "view", lambda hand, _: hand)
    with pytest.raises(LawBroken, match="view"):
        play(9, 0)
