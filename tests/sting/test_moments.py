"""Events carried on from view to view lead to what the Player really sees."""

from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.sting.hand import PLAYER, StingHand
from pitboss.sting.run import Run, list_moments, view_events
from tests.support.for_each import for_each


@for_each("seed", range(12))
def test_the_last_moment_is_the_view_itself(seed: int) -> None:
    run, events = Run.start(seed=seed, decks={"narc": "detective"})
    before: StingHand | None = None
    chance = Chance(seed)
    for _ in range(60):
        moments = list_moments(before, view_events(events), run)
        assert [moment.event for moment in moments] == list(view_events(events))
        seen, really = moments[-1].hand, run.hand.view(PLAYER)
        if really.over:  # opponents take back what they had face down, which changes how much their decks hold
            seen = replace(seen, decks=really.decks)
        assert seen == really
        if run.over:
            break
        before = run.hand
        run, events = run.act(chance.choice(run.legal()))


def test_a_turn_is_marked_before_it_is_played_and_hides_the_card() -> None:
    run, events = Run.start(seed=3, decks={"player": "corner"})
    moments = list_moments(None, view_events(events), run)
    assert [(type(moment.event).__name__, moment.hand.to_act) for moment in moments] == [
        ("HandBegun", -1),
        ("Drawn", -1),
        ("Drawn", -1),
        ("Drawn", 0),
        ("StingRaised", 1),
        ("StingChecked", 2),
    ]
    assert moments[4].hand.down == ((0, "??"),)
