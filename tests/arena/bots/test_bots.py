"""The house bots: legal in every spot, the same from the same chance, and each as its sentence says."""

import pytest
from msgspec.structs import replace

from pitboss.arena.bots import ABOUT, HOUSE, Bot, sharp, simple
from pitboss.arena.bots.toolkit import acts_last, betting_order, pot_raise_total, raise_about
from pitboss.arena.wire import poker
from pitboss.arena.wire.answers import Answer, read_answer
from pitboss.betting.events import BettingAction
from pitboss.chance import Chance
from pitboss.hand.games import NO_LIMIT_HOLDEM
from tests.support.arena.bot_spots import answer, ask, deal, played, spots
from tests.support.for_each import for_each
from tests.support.laws.tables import TEMPERS, some_action, some_table


@pytest.fixture
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that sample only a few deals: their answers must be legal however good they are."""
    monkeypatch.setattr(simple, "DEALS", 4)
    monkeypatch.setattr(sharp, "DEALS", 4)


# --- every bot


@pytest.mark.check
@pytest.mark.parametrize("name", HOUSE)
@pytest.mark.usefixtures("few_deals")
def test_whatever_a_bot_answers_is_on_offer(name: str) -> None:
    """At some tables one bot plays every seat; sometimes a new one without memory replaces it."""
    asked = 0
    bots: dict[int, Bot] = {}
    for seed in range(150 if name == "sharp" else 600):
        for hand, act in spots(seed):
            if act.turn % 7 == 3:
                bots.pop(act.seat, None)
            bot = bots.setdefault(act.seat, HOUSE[name](Chance(act.seat)))
            hand.act(poker.requested_action(read_answer(bot(act), act), hand), hand.round.turn)
            asked += 1
    assert asked > 1000


@for_each("name", HOUSE)
@pytest.mark.usefixtures("few_deals")
def test_a_bot_plays_legally_through_whole_hands_of_its_own(name: str) -> None:
    """Here the hands go the way its own answers lead, which random play seldom does."""
    bots = [HOUSE[name](Chance(seat)) for seat in range(10)]
    for seed in range(40):
        hand, _ = some_table(Chance(seed), NO_LIMIT_HOLDEM).deal()
        for turn in range(200):
            if hand.over:
                break
            act = ask(hand, range(hand.round.n), f"H-{seed}", turn)
            hand, _ = hand.act(poker.requested_action(read_answer(bots[act.seat](act), act), hand))
        assert hand.over


@for_each("name", HOUSE)
@pytest.mark.usefixtures("few_deals")
def test_the_same_chance_gives_the_same_answers(name: str) -> None:
    def answers(seed: int) -> list[Answer]:
        bot = HOUSE[name](Chance(seed))
        return [bot(act) for number in range(12) for _, act in spots(number)]

    assert answers(1) == answers(1)


@pytest.mark.usefixtures("few_deals")
def test_chance_matters_only_to_bots_that_use_it() -> None:
    acts = [act for seed in range(12) for _, act in spots(seed)]
    for name in ("random", "equity", "sharp"):
        assert len({str([bot(act) for act in acts]) for bot in (HOUSE[name](Chance(seed)) for seed in range(4))}) > 1


def test_every_bot_describes_itself_in_a_sentence() -> None:
    assert list(ABOUT) == list(HOUSE) == ["sharp", "equity", "tight", "calling", "random", "folding"]
    assert all(sentence.endswith(".") and len(sentence) < 120 for sentence in ABOUT.values())
    assert len(set(ABOUT.values())) == len(ABOUT)


# --- single bots


def test_folding_checks_where_it_is_free_and_folds_where_it_is_not() -> None:
    opened = deal("2c7d", "AsAh")
    assert answer("folding", opened) == "FOLD"
    assert answer("folding", played(opened, "CALL")) == "CHECK"


def test_calling_never_raises_and_never_folds() -> None:
    for seed in range(60):
        for _, act in spots(seed):
            assert HOUSE["calling"](Chance(1))(act) == ("CHECK" if act.you.to_call == 0 else "CALL")


def test_random_takes_every_one_of_its_five() -> None:
    hand = deal("2c7d", "AsAh", "KsKh")
    bot = HOUSE["random"](Chance(3))
    act = ask(hand, range(3))
    assert {bot(act) for _ in range(100)} == {
        "FOLD",
        "CALL",
        ("RAISE_TO", 200),
        ("RAISE_TO", 350),
        ("RAISE_TO", 10_000),
    }


def test_tight_waits_for_good_cards() -> None:
    assert answer("tight", deal("2c7d", "AsAh", "AcAd")) == ("RAISE_TO", 350)
    assert answer("tight", deal("AsAh", "AcAd", "2c7d")) == "FOLD"
    assert answer("tight", played(deal("AsAh", "2c7d"), "CALL")) == ("RAISE_TO", 300)


def test_tight_requires_its_own_cards() -> None:
    paired_board = played(deal("3c4d", "AsAh", board="KsKdQh9c2s"), "CALL", "CHECK")
    assert answer("tight", paired_board) == "CHECK"
    trips = played(deal("Kc4d", "AsAh", board="KsKdQh9c2s"), "CALL", "CHECK")
    assert answer("tight", trips) == ("RAISE_TO", 200)


def test_equity_bets_unbeatable_hands_and_folds_hopeless_ones() -> None:
    royal = played(deal("AsKs", "2c2d", board="QsJsTs4h4d"), "CALL", "CHECK")
    assert answer("equity", royal) == ("RAISE_TO", 200)
    drawing_dead = played(deal("2c2d", "AsKs", board="QsJsTs4h4d"), "CALL", "CHECK", "CHECK", "200")
    assert answer("equity", drawing_dead) == "FOLD"


# --- what a bot reads off an act


def test_order_before_and_after_the_flop() -> None:
    six = deal(*["2c7d", "2d7h", "2h7s", "2s7c", "3c8d", "3d8h"])
    seats = [4, 5, 7, 0, 1, 2]  # the button is seat 2
    assert betting_order(ask(six, seats)) == [7, 0, 1, 2, 4, 5]
    flop = played(six, "FOLD", "FOLD", "FOLD", "FOLD", "CALL", "CHECK")
    assert betting_order(ask(flop, seats)) == seats
    two = deal("2c7d", "AsAh")
    assert betting_order(ask(two, [3, 1])) == [1, 3]
    assert betting_order(ask(played(two, "CALL", "CHECK"), [3, 1])) == [3, 1]


def test_last_to_act_has_no_live_opponent_behind() -> None:
    three = deal("2c7d", "2d7h", "2h7s")
    assert acts_last(ask(three, range(3)))
    assert not acts_last(ask(played(three, "CALL"), range(3)))
    assert not acts_last(ask(played(three, "FOLD"), range(3)))
    assert acts_last(ask(played(three, "FOLD", "CALL"), range(3)))


def test_a_raise_by_a_part_of_the_pot_counts_the_call_first() -> None:
    hand = played(deal("2c7d", "2d7h", "2h7s"), "300")  # 450 in the middle, the small blind owes 250
    act = ask(hand, range(3))
    assert pot_raise_total(act, 1) == 300 + 700
    assert pot_raise_total(act, 0.5) == 300 + 350


def test_lift_stays_within_the_bounds_and_stays_where_raising_is_not_on_offer() -> None:
    act = ask(deal("2c7d", "2d7h"), range(2))
    assert raise_about(act, 0) == ("RAISE_TO", 200)
    assert raise_about(act, 10**12) == ("RAISE_TO", 10_000)
    assert raise_about(act, 333.9) == ("RAISE_TO", 333)
    none = replace(act, legal=("FOLD", "CALL"), min_raise_to=None, max_raise_to=None)
    assert raise_about(none, 500) == "CALL"


def test_betting_actions_are_those_of_the_tests() -> None:
    """The generated hands hold every kind of action, else the tests above would see too little."""
    kinds: set[type[BettingAction]] = set()
    chance = Chance(1)
    for seed in range(30):
        for hand, _ in spots(seed):
            kinds.add(type(some_action(hand.offer, chance, TEMPERS[4], exact=hand.round.rules.second_step > 0)))
    assert {kind.__name__ for kind in kinds} >= {"Fold", "Check", "Call", "Bet", "Raise", "AllIn"}
