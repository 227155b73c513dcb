"""A betting round by itself, from the forced bets to the events of its end."""

from pitboss.betting.events import AllIn, Call, Called, Posted, Raised
from pitboss.betting.round import Post, Round
from pitboss.betting.rules import no_limit


def test_a_short_all_in_is_called_by_both_blinds() -> None:
    posts = (Post(0, 10, option=True), Post(1, 20, option=True))
    round, events = Round.start(no_limit(), stacks=(1000, 1000, 30), step=20, posts=posts)
    assert (round.turn, round.offer.check, round.offer.call) == (2, False, 20)
    for action in (AllIn(), Call(), Call()):
        round, happened = round.act(action)
        events += happened
    closed, returned = round.close(step=20)
    assert (*events, *returned) == (
        Posted(0, 10, True, False),
        Posted(1, 20, True, False),
        Raised(place=2, amount=30, to=30, opening=False, all_in=True),
        Called(0, 20, False),
        Called(1, 10, False),
    )
    assert (closed.pot, closed.stacks) == (90, (970, 970, 0))
