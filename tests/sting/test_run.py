"""A run of hands: what is carried over, what ends it, and how it is saved and read again."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.betting.refusals import Refused
from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.sting.cards import HIDDEN, CardSet, Role, read_cards_file
from pitboss.sting.events import (
    Banked,
    Bought,
    Continue,
    Drawn,
    Grown,
    HandBegun,
    Insured,
    NextHand,
    Reshuffled,
    Resolved,
    RunAction,
    RunEnded,
    RunEvent,
    StingCheck,
    StingFold,
    StingRaise,
    StingRaised,
)
from pitboss.sting.policies import PLAYERS
from pitboss.sting.run import Run, view_events
from pitboss.sting.saves import SaveError, read_save, write_save
from tests.support.for_each import for_each
from tests.support.sting.tables import PLAYER, SEEDS, actions_on_offer, all_cards

QUIET = """
[cards]
"Blank" = { kind = "evidence" }
"Tip" = { kind = "evidence", evidence = 2, heat = 1 }
"Tea" = { kind = "product", price = 10, heat = 30 }
"Ice" = { kind = "cover", heat = -40 }
"Shield" = { kind = "insurance", cost = 10, penalty = 5 }
"Loss" = { kind = "product", price = -7 }
[decks.narc]
quiet = { "Blank" = 9 }
loud = { "Tip" = 9 }
[decks.customer]
only = { "Blank" = 9 }
[decks.player]
tea = { "Tea" = 12 }
ice = { "Ice" = 12 }
shield = { "Shield" = 12 }
loss = { "Loss" = 12 }
[run]
cash = 15
"""


def begin(deck: str, narc: str = "quiet", seed: int = 1, cards: CardSet | None = None) -> Run:
    return Run.start(seed=seed, cards=cards or read_cards_file(QUIET), decks={"player": deck, "narc": narc})[0]


def sells(run: Run) -> tuple[Run, list[RunEvent]]:
    """Play one card, then only go on, to the end of the hand."""
    events: list[RunEvent] = []
    [first] = set(run.hand.hands[PLAYER])
    action: RunAction = StingRaise(first)
    while not run.hand.over:
        run, happened = run.act(action)
        events += happened
        action = Continue() if run.hand.offer.continue_ else StingCheck()
    return run, events


def random_run(seed: int, deck: str | None = None, most: int = 400) -> list[tuple[Run, tuple[RunEvent, ...]]]:
    """A random run to its end or some actions; every state with what led to it."""
    decks: dict[Role, str] = {"player": deck} if deck else {}
    states, chance = [Run.start(seed=seed, decks=decks)], Chance(seed)
    while not states[-1][0].over and len(states) < most:
        run = states[-1][0]
        if run.hand.over:
            states.append(run.act(chance.choice(run.legal())))
        else:
            states.append(run.act(PLAYERS["coin"](run.hand.view(PLAYER), chance)))
    return states


# --- what is carried over


def test_profit_is_banked_and_heat_carried_over() -> None:
    run, events = sells(begin("tea"))
    assert (run.cash, run.heat, run.ending) == (25, 30, None)
    assert events[-1] == Banked(heat=30, cash=25)
    run, events_of_next = run.act(NextHand())
    assert events_of_next[0] == HandBegun(2, heat=30, cash=25)
    run, _ = sells(run)
    assert (run.cash, run.heat, run.number) == (35, 60, 2)


def test_loss_is_taken_from_the_cash_which_can_be_negative() -> None:
    run = begin("loss")
    for cash in (8, 1, -6):
        run, _ = sells(run)
        assert run.cash == cash
        run, _ = run.act(NextHand())


def test_heat_is_never_negative() -> None:
    run, _ = sells(begin("ice"))
    assert run.hand.totals.heat == -40
    assert run.heat == 0


def test_folding_keeps_the_unplayed_cards_and_the_cash() -> None:
    run = begin("tea", seed=4)
    held = run.hand.hands[PLAYER]
    run, events = run.act(StingFold())
    assert Resolved("fold", 0, 0) in events
    run, _ = run.act(NextHand())
    assert (run.hand.hands[PLAYER], run.cash, run.heat, run.number) == (held, 15, 0, 2)


def test_insurance_is_paid_from_the_cash_and_its_card_is_removed() -> None:
    run = begin("shield", narc="loud")
    before = sum(all_cards(run.hand).values())
    run, _ = sells(run)
    assert run.hand.outcome == "success"
    assert run.cash == 15 - 10
    assert run.hand.cost == 10
    assert run.heat == run.hand.totals.margin * -1 + 5 + sum(card == "Tip" for _, card in run.hand.table)
    assert "Shield" not in run.discards[PLAYER]
    assert sum(map(len, (*run.hand.hands, *run.hand.decks, *run.discards))) == before - 1
    run, _ = run.act(NextHand())
    run, _ = sells(run)
    assert (run.hand.outcome, run.ending) == ("bust", "busted")  # the cash does not reach for another


def test_played_cards_return_when_the_deck_is_short() -> None:
    run, reshuffled = begin("ice"), []
    for _ in range(12):
        run, _ = sells(run)
        run, events = run.act(NextHand())
        reshuffled += [event for event in events if isinstance(event, Reshuffled) and event.place == PLAYER]
        assert len(run.hand.hands[PLAYER]) == 3
    assert reshuffled
    assert all(event.cards > 0 for event in reshuffled)


# --- what ends it


def test_a_bust_ends_the_run() -> None:
    run, events = sells(begin("tea", narc="loud", seed=3))
    assert run.hand.outcome == "bust"
    assert (run.ending, run.over, run.cash) == ("busted", True, 15)
    assert events[-1] == RunEnded("busted", 15)
    with pytest.raises(Refused, match="run_over"):
        run.act(NextHand())


def test_heat_at_the_limit_ends_the_run_with_the_profit_banked() -> None:
    cards = read_cards_file(QUIET.replace("cash = 15", "caught_at = 60"))
    run, _ = sells(begin("tea", cards=cards))
    assert (run.heat, run.over) == (30, False)
    run, events = sells(run.act(NextHand())[0])
    assert (run.heat, run.ending, run.cash) == (60, "caught", 20)
    assert events[-1] == RunEnded("caught", 20)


# --- what is refused


def test_next_hand_follows_this_one() -> None:
    run = begin("tea")
    with pytest.raises(Refused, match="hand_not_over"):
        run.act(NextHand())
    run, _ = run.act(StingFold())
    with pytest.raises(Refused, match="hand_over"):
        run.act(StingCheck())


def test_a_refused_action_is_not_recorded() -> None:
    run = begin("tea")
    with pytest.raises(Refused):
        run.act(StingRaise("Blank"))
    assert run.actions == ()


def test_an_unknown_deck_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown player deck 'x'"):
        begin("x")


# --- laws


@given(SEEDS, st.sampled_from(["corner", "ghost", "kingpin"]))
def test_a_run_waits_for_the_player_and_loses_no_card(seed: int, deck: str) -> None:
    burnt: Counter[str] = Counter()
    states = random_run(seed, deck, most=80)
    whole = states[0][0]
    owned = all_cards(whole.hand)
    for run, events in states:
        assert run.over or run.hand.over or run.hand.to_act == PLAYER
        assert events
        if run.hand.over:
            lying = Counter(card for pile in run.hand.hands + run.hand.decks + run.discards for card in pile)
            lying.update(run.bought)
            lying.update(card for place, card in run.hand.down if place != PLAYER)
        else:
            lying = all_cards(run.hand) + Counter(card for pile in run.discards for card in pile)
        burnt.update(event.card for event in events if isinstance(event, Insured))
        owned.update(event.card for event in events if isinstance(event, Grown | Bought))
        assert lying + burnt == owned
        assert lying == Counter(card for pile in run.listed for card in pile)


@given(SEEDS)
def test_same_seed_and_actions_same_run(seed: int) -> None:
    assert random_run(seed, most=40) == random_run(seed, most=40)


@given(SEEDS)
def test_events_as_the_player_sees_them_name_no_hidden_card(seed: int) -> None:
    for _, events in random_run(seed, most=40):
        shown = view_events(events)
        assert len(shown) == len(events)
        for event in shown:
            if isinstance(event, Drawn) and event.place != PLAYER:
                assert set(event.cards) <= {HIDDEN}
            if isinstance(event, StingRaised):
                assert (event.card == HIDDEN) == (event.place != PLAYER)


@given(SEEDS, st.sampled_from(Answers), st.integers(0, 60))
def test_a_saved_run_is_read_as_it_was(seed: int, answers: Answers, actions: int) -> None:
    run, _ = Run.start(seed=seed, decks={"player": "ghost", "narc": "detective"}, answers=answers)
    chance = Chance(seed)
    for _ in range(actions):
        if run.over:
            break
        run, _ = run.act(NextHand() if run.hand.over else chance.choice(actions_on_offer(run.hand)))
    assert read_save(write_save(run)) == run


def test_saved_run_continues_identically() -> None:
    run = random_run(7, most=3)[-1][0]
    read = read_save(write_save(run))
    assert not run.over
    while not run.over:
        action: RunAction = NextHand() if run.hand.over else PLAYERS["eager"](run.hand.view(PLAYER), Chance(0))
        run, events = run.act(action)
        read, same_events = read.act(action)
        assert (read, same_events) == (run, events)


# --- broken saves


def changed(**fields: Any) -> bytes:
    """A good save with some fields changed; None takes one out."""
    run = random_run(5, most=6)[-1][0]
    save = {**json.loads(write_save(run)), **fields}
    return json.dumps({name: value for name, value in save.items() if value is not None}).encode()


def test_the_save_that_is_broken_below_is_good() -> None:
    assert read_save(changed()).seed == 5


@for_each(
    "text, sentence",
    [
        (b"", "not a saved run: "),
        (b"{}", "not a saved run: Object missing required field `version`"),
        (b"\xff\xfe", "not a saved run: "),
        (b"[" * 100_000, "not a saved run: "),
        (changed()[:-20], "not a saved run: "),
        (changed(version=1), "unsupported version: expected 2, got 1"),
        (changed(game="poker"), "not a saved run: Invalid enum value 'poker'"),
        (changed(seed="x"), "not a saved run: Expected `int`, got `str`"),
        (changed(seed=None), "missing required field `seed`"),
        (changed(extra=1), "unknown field `extra`"),
        (changed(seed=6), "the replayed run differs from the file"),
        (changed(deeds=["raise Jackpot"]), "cannot be replayed: unknown_card: unknown card 'Jackpot'"),
        (changed(deeds=["dance"]), "cannot be replayed: unknown_action"),
        (changed(deeds=["next"]), "cannot be replayed: hand_not_over"),
        (changed(decks={"player": "x"}), "cannot be replayed: unknown player deck 'x'"),
        (changed(cards="[cards]"), "cannot be replayed: cards: expected at least one card"),
        (changed(cash=1_000_000), "the replayed run differs from the file in hand, Heat or cash"),
    ],
)
def test_a_broken_save_is_refused_in_one_sentence(text: bytes, sentence: str) -> None:
    with pytest.raises(SaveError) as caught:
        read_save(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_run_saved_by_an_earlier_pitboss_is_refused_in_a_sentence() -> None:
    text = Path(__file__).with_name("saves").joinpath("version_1.json").read_bytes()
    with pytest.raises(SaveError, match="unsupported version: expected 2, got 1"):
        read_save(text)
