"""Hints: they see what the Player sees, are the same for the same seed, and name the clearly best choice."""

from collections import Counter

import pytest
from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.sting.cards import HIDDEN
from pitboss.sting.events import NextHand, StingCheck, StingFold
from pitboss.sting.hand import PLAYER
from pitboss.sting.policies import RUN_PLAYERS
from pitboss.sting.run import Run
from pitboss.sting.sharp import Hint, hint, sample, sharp
from pitboss.sting.text import hint_lines


def states(seed: int, most: int = 40) -> list[Run]:
    """A run by chance, state by state."""
    run, _ = Run.start(seed=seed, decks={"player": "kingpin", "narc": "detective"})
    chance = Chance(seed)
    found: list[Run] = []
    while not run.over and len(found) < most:
        found.append(run)
        run, _ = run.act(sharp(run.view(), chance) if chance.below(3) else chance.choice(run.legal()))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_sample_looks_like_the_run_and_has_the_same_cards(seed: int) -> None:
    for run in states(seed):
        sampled = sample(run.view(), Chance(seed))
        assert replace(sampled.view(), seed=0, chance=0) == run.view()
        assert HIDDEN not in [card for pile in (*sampled.hand.hands, *sampled.hand.decks) for card in pile]
        for place in range(3):
            assert _all_of(sampled, place) == _all_of(run, place)


def _all_of(run: Run, place: int) -> Counter[str]:
    cards = Counter([*run.hand.hands[place], *run.hand.decks[place], *run.discards[place]])
    played = (
        run.hand.down if run.hand.over and place != PLAYER else () if run.hand.over else run.hand.table + run.hand.down
    )
    return cards + Counter(card for owner, card in played if owner == place)


def test_a_hint_and_the_best_policy_do_not_peek() -> None:
    for run in states(3, most=12):
        other = sample(run.view(), Chance(99))
        assert hint(run, 1, trials=3) == hint(other, 1, trials=3)
        for policy in RUN_PLAYERS.values():
            assert policy(run.view(), Chance(5)) == policy(other.view(), Chance(5))


def test_a_hint_names_an_action_on_offer_and_compares_all() -> None:
    run = states(2)[4]
    said = hint(run, 1, trials=5)
    assert said.action in run.legal()
    assert {each.action for each in said.tried} == set(run.legal())
    assert [each.cash for each in said.tried] == sorted([each.cash for each in said.tried], reverse=True)


def test_a_hint_sees_a_hand_that_is_lost() -> None:
    """More Evidence than any card in hand can cover, in the last round, with much to lose."""
    run, _ = Run.start(seed=1)
    hand = replace(run.hand, number=3, table=((0, "Surveillance"),) * 6, hands=(*run.hand.hands[:2], ("Weed",) * 3))
    listed = ((*run.listed[0], *("Surveillance",) * 6), run.listed[1], (*run.listed[2], *("Weed",) * 3))
    lost = replace(run, hand=hand, cash=400, listed=listed)
    said = hint(lost, 1, trials=8)
    assert [each.bust for each in said.tried if each.action == StingCheck()] == [1.0]
    assert said.tried[-1].action == StingCheck()
    assert [each.cash for each in said.tried if each.action == StingFold()] == [said.tried[0].cash]


def test_a_hint_for_a_finished_run_is_refused() -> None:
    run = states(1, most=400)[-1]
    while not run.over:
        run, _ = run.act(NextHand() if run.hand.over else StingFold())
    with pytest.raises(Refused, match="the run is over"):
        hint(run, 1)


def test_hint_for_the_last_hand_states_how_often_it_wins() -> None:
    """With the target in hand a fold wins, and a bust does not."""
    run, _ = Run.start(seed=1)
    stakes = run.difficulty
    hand = replace(run.hand, number=3, table=((0, "Surveillance"),) * 6, hands=(*run.hand.hands[:2], ("Weed",) * 3))
    listed = ((*run.listed[0], *("Surveillance",) * 6), run.listed[1], (*run.listed[2], *("Weed",) * 3))
    last = replace(run, hand=hand, number=stakes.hands, cash=stakes.target + stakes.fold_cash[2], listed=listed)
    said = hint(last, 1, trials=8)
    assert {
        each.action: (each.won, each.bust) for each in said.tried if each.action in (StingFold(), StingCheck())
    } == {
        StingFold(): (1.0, 0.0),
        StingCheck(): (0.0, 1.0),
    }
    assert f"fold {stakes.target} (win 100 %)" in hint_lines(said)[1]


def test_hint_between_two_hands_recommends_to_continue() -> None:
    run, _ = Run.start(seed=3)
    run, _ = run.act(StingFold())
    [after] = [each for each in hint(run, 1, trials=2).tried if each.action == NextHand()]
    first, expected = hint_lines(Hint(NextHand(), True, (after, after)))
    assert first == "Hint: go on. About as good: go on."
    assert expected.startswith("Expected cash at the end: go on ")
