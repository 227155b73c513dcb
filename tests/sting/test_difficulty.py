"""The rulings of a run: the effects of a night, a fold, an idle hand, a bust, Heat, the shop and growth."""

import pytest

from pitboss.betting.refusals import Refused
from pitboss.sting.cards import CardsError, default_cards, read_cards_file
from pitboss.sting.events import (
    Banked,
    Bought,
    Buy,
    Continue,
    Ending,
    FoldPaid,
    Grown,
    HandBegun,
    IdlePaid,
    Insured,
    NextHand,
    Pressed,
    PutAway,
    RunEnded,
    RunEvent,
    Seized,
    ShopOpened,
    StingCheck,
    StingFold,
    StingRaise,
)
from pitboss.sting.run import Run
from pitboss.sting.text import at_stake
from tests.support.for_each import for_each
from tests.support.sting.tables import PLAYER

GAME = """
[cards]
"Blank" = { kind = "evidence" }
"Tip" = { kind = "evidence", evidence = 2 }
"Tea" = { kind = "product", price = 100, heat = 20 }
"Ice" = { kind = "cover", heat = -40 }
"Shield" = { kind = "insurance", cost = 1000, penalty = 5 }
"Writ" = { kind = "conviction", threshold = 20 }
[decks.narc]
quiet = { "Blank" = 9 }
loud = { "Tip" = 9 }
court = { "Writ" = 9 }
[decks.customer]
only = { "Blank" = 9 }
[decks.player]
tea = { "Tea" = 12 }
ice = { "Ice" = 12 }
shield = { "Shield" = 12 }
[shop]
"Ice" = 30
"Shield" = 500
[difficulty.test]
cash = 80
"""


def begin(settings: str, deck: str = "tea", narc: str = "quiet") -> tuple[Run, tuple[RunEvent, ...]]:
    cards = read_cards_file(GAME + settings)
    return Run.start(seed=1, cards=cards, decks={"player": deck, "narc": narc}, difficulty="test")


def play(run: Run, *, plays: bool = True) -> tuple[Run, list[RunEvent]]:
    """Play one card, or none, then only go on, to the end of the hand."""
    events: list[RunEvent] = []
    while not run.hand.over:
        if run.hand.offer.continue_:
            run, happened = run.act(Continue())
        elif plays:
            run, happened = run.act(StingRaise(run.hand.hands[PLAYER][0]))
            plays = False
        else:
            run, happened = run.act(StingCheck())
        events += happened
    return run, events


def test_a_night_ends_with_its_last_hand_won_with_the_target_and_else_lost() -> None:
    endings: tuple[tuple[int, Ending], ...] = ((180, "target"), (181, "night_over"))
    for target, ending in endings:
        run, _ = begin(f"hands = 1\ntarget = {target}")
        run, events = play(run)
        assert events[-1] == RunEnded(ending, 180)
        assert (run.over, run.won) == (True, ending == "target")
        assert run.legal() == ()


def test_a_fold_costs_cash_and_heat_and_does_not_cool() -> None:
    run, _ = begin("fold_cash = [15, 20, 30]\nfold_heat = [6, 7, 8]\nfold_cools = false", deck="ice")
    run, _ = play_to_decision(run)
    assert at_stake(run).fold_heat == 6
    run, events = run.act(StingFold())
    assert FoldPaid(15, 6) in events
    assert (run.cash, run.heat) == (65, 6)


def test_leaving_at_a_decision_point_is_cheaper_than_folding_and_dearer_later() -> None:
    run, _ = begin("fold_cash = [20, 30, 50]\nfold_heat = [4, 6, 9]\nleaves = 50")
    paid, reckoned = [], []
    for number in (1, 2, 3):
        for deciding in (False, True)[: 1 if number == 3 else 2]:
            if deciding:
                while not run.hand.offer.continue_:
                    run, _ = run.act(StingCheck())
            assert run.hand.number == number
            now = at_stake(run)
            after, events = run.act(StingFold())
            [price] = [event for event in events if isinstance(event, FoldPaid)]
            assert run.cash - after.cash == price.cash == now.fold_cash
            paid.append((price.cash, price.heat))
            reckoned.append(now.fold_next)
        if number < 3:
            run, _ = run.act(Continue())
    assert paid == [(20, 4), (10, 2), (30, 6), (15, 3), (50, 9)]
    assert reckoned == [10, 30, 15, 50, None]


def play_to_decision(run: Run) -> tuple[Run, tuple[RunEvent, ...]]:
    run, events = run.act(StingRaise(run.hand.hands[PLAYER][0]))
    while not run.hand.offer.continue_:
        run, events = run.act(StingCheck())
    return run, events


def test_a_hand_played_to_its_end_without_a_sale_costs_and_one_with_a_sale_does_not() -> None:
    run, _ = begin("idle = 25")
    sold, events = play(run)
    assert not any(isinstance(event, IdlePaid) for event in events)
    assert sold.cash == 180
    idle, events = play(run, plays=False)
    assert IdlePaid(25) in events
    assert idle.cash == 55


def test_a_bust_takes_its_share_of_the_cash() -> None:
    run, _ = begin("lost = 75", narc="loud")
    assert at_stake(run).bust_cash == 60
    run, events = play(run, plays=False)
    assert (run.ending, run.cash) == ("busted", 20)
    assert events[-3:] == [Seized(60), Banked(run.heat, 20), RunEnded("busted", 20)]


def test_heat_cools_between_hands_but_not_below_a_floor_that_rises() -> None:
    run, _ = begin("cools = 12\npress = 5")
    run, _ = play(run)
    assert run.heat == 20
    run, events = run.act(NextHand())
    assert events[:2] == (HandBegun(2, 8, 180), Pressed(5, 8))
    run, _ = play(run, plays=False)
    run, events = run.act(NextHand())
    assert Pressed(10, 10) in events
    assert run.heat == 10


@pytest.mark.parametrize(
    ("settings", "plays", "heat"),
    [
        ("conviction_cools = false", True, 20),  # Heat 20 is reached
        ("conviction_cools = false", False, 0),  # and here it is not
        ("", True, 8),
    ],
)
def test_heat_does_not_cool_after_a_hand_with_a_conviction_that_holds(settings: str, plays: bool, heat: int) -> None:
    run, _ = begin(f"cools = 12\nnarc = {{ raises = [100, 100, 100] }}\n{settings}", narc="court")
    run, _ = play(run, plays=plays)
    assert run.convicted == plays
    run, _ = run.act(NextHand())
    assert run.heat == heat


def test_unplayed_cards_are_put_away_and_a_fold_keeps_them() -> None:
    run, _ = begin("clears = true")
    played, _ = play(run)
    held = played.hand.hands[PLAYER]
    assert held
    after, events = played.act(NextHand())
    assert PutAway(held) in events
    assert sum(map(len, after.discards)) + len(after.hand.decks[PLAYER]) + 3 >= 12
    folded, _ = run.act(StingFold())
    still = folded.hand.hands[PLAYER]
    again, events = folded.act(NextHand())
    assert not any(isinstance(event, PutAway) for event in events)
    assert again.hand.hands[PLAYER] == still


def test_an_insurance_takes_at_most_its_share_of_the_cash() -> None:
    printed, _ = play(begin("", deck="shield", narc="loud")[0])
    assert printed.ending == "busted"  # 1000 cannot be paid
    run, events = play(begin("lawyer = 50", deck="shield", narc="loud")[0])
    assert [event.cost for event in events if isinstance(event, Insured)] == [40]
    assert (run.ending, run.cash) == (None, 40)
    assert len(run.listed[PLAYER]) == 11  # the card is burnt


# --- the shop


def test_bought_cards_are_paid_for_and_put_on_top_of_the_deck() -> None:
    run, _ = begin("offer = 2\nclears = true")
    run, events = play(run)
    shop = [event for event in events if isinstance(event, ShopOpened)]
    assert [sorted(event.cards) for event in shop] == [[("Ice", 30), ("Shield", 500)]]
    assert run.offer.buy == ("Ice",)  # the other is too dear
    run, bought = run.act(Buy("Ice"))
    assert bought == (Bought("Ice", 30, 150),)
    assert run.legal() == (NextHand(),)
    run, _ = run.act(NextHand())
    assert "Ice" in run.hand.hands[PLAYER]
    assert run.listed[PLAYER].count("Ice") == 1
    assert run.shop == ()


@pytest.mark.parametrize(
    ("action", "rule"),
    [(Buy("Shield"), "too_dear"), (Buy("Tea"), "not_on_offer"), (StingCheck(), "hand_over")],
)
def test_refused_purchase_changes_nothing(action: Buy | StingCheck, rule: str) -> None:
    run, _ = play(begin("offer = 2")[0])
    with pytest.raises(Refused) as caught:
        run.act(action)
    assert caught.value.rule == rule


def test_shop_is_closed_during_a_hand() -> None:
    with pytest.raises(Refused, match="hand_not_over"):
        begin("offer = 2")[0].act(Buy("Ice"))


def test_opponent_grows_before_the_announced_hand() -> None:
    run, events = begin('grows = [{ hand = 2, role = "narc", card = "Tip" }]')
    assert not any(isinstance(event, Grown) for event in events)
    run, _ = play(run)
    run, events = run.act(NextHand())
    assert Grown(0, "Tip") in events
    assert run.listed[0].count("Tip") == 1


def test_example_run_has_no_difficulty_rules() -> None:
    printed = default_cards().difficulty("printed")
    assert (printed.hands, printed.fold_cash, printed.fold_heat, printed.idle) == (0, (0, 0, 0), (0, 0, 0), 0)
    assert (printed.press, printed.conviction_cools) == (0, True)
    assert (printed.lost, printed.lawyer, printed.offer, printed.clears, printed.cools) == (0, 0, 0, False, 0)
    assert (printed.narc.raises, printed.customer.raises, printed.grows) == ((40, 60, 80), (0, 0, 70), ())


# --- broken files


@for_each(
    "text, sentence",
    [
        ("hands = -1", "difficulty.test, field 'hands': expected a whole number from 0 to 1000, got -1"),
        ("lost = 101", "difficulty.test, field 'lost': expected a whole number from 0 to 100, got 101"),
        ("leaves = 101", "difficulty.test, field 'leaves': expected a whole number from 0 to 100, got 101"),
        ("fold_cash = 20", "difficulty.test: Expected `array`, got `int`"),
        (
            "fold_heat = [1, -2, 3]",
            "difficulty.test, field 'fold_heat': expected a whole number from 0 to 1000000, got -2",
        ),
        ("luck = 1", "difficulty.test has no field 'luck': expected one of hands, target"),
        ("hands = 'x'", "difficulty.test: Expected `int`, got `str`"),
        ("narc = { rises = [1, 2, 3] }", "difficulty.test: Object contains unknown field `rises`"),
        ('grows = [{ hand = 2, role = "narc", card = "X" }]', "unknown card 'X'"),
        ('grows = [{ hand = 2, role = "player", card = "Tip" }]', "expected narc or customer, got 'player'"),
        ("[difficulty.printed]", "difficulty.printed: the printed game has no settings"),
    ],
)
def test_a_broken_difficulty_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(CardsError) as caught:
        begin(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("shop", "sentence"),
    [
        ('"X" = 1', "shop: unknown card 'X'"),
        ('"Tea" = -1', "shop, field 'Tea': expected a whole number from 0 to 1000000, got -1"),
    ],
)
def test_a_broken_shop_is_one_sentence(shop: str, sentence: str) -> None:
    with pytest.raises(CardsError) as caught:
        read_cards_file(GAME.replace('"Ice" = 30', shop))
    assert sentence in str(caught.value)


def test_an_unknown_difficulty_names_those_there_are() -> None:
    with pytest.raises(CardsError, match="unknown difficulty 'x': expected one of easy, normal, hard, printed"):
        Run.start(seed=1, difficulty="x")
