"""The summaries of a run's hands add up to the run."""

import pytest

from pitboss.chance import Chance
from pitboss.sting.events import Buy
from pitboss.sting.run import Run
from pitboss.sting.saves import history, summaries


@pytest.mark.parametrize("seed", range(4))
def test_every_hand_has_a_summary_and_the_last_matches_the_run(seed: int) -> None:
    run, events = Run.start(seed=seed)
    chance, seen = Chance(seed), list(events)
    while not run.over and len(run.actions) < 80:
        run, events = run.act(chance.choice(run.legal()))
        seen += events
    assert history(run) == tuple(seen)
    hands = summaries(seen)
    assert [hand.number for hand in hands] == list(range(1, run.number + 1))
    assert all(hand.outcome is not None for hand in hands[:-1])
    assert hands[-1].cash == run.cash
    assert sum(len(hand.bought) for hand in hands) == sum(isinstance(action, Buy) for action in run.actions)
