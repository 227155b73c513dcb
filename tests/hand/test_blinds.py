"""Blinds belong to a number of players: those made for another are refused."""

import pytest

from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Post, Round
from pitboss.betting.rules import no_limit
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds
from tests.support.for_each import for_each


def start(posts: tuple[Post, ...], players: int, *, deck: bool = True) -> Hand:
    """A hand with these posts."""
    stakes = Stakes(min_bet=2, posts=posts)
    cards = NO_LIMIT_HOLDEM.deck if deck else None
    return Hand.start(NO_LIMIT_HOLDEM, stacks=(100,) * players, stakes=stakes, deck=cards)[0]


def test_blinds_for_three_are_refused_for_two() -> None:
    with pytest.raises(SetupError, match="posts: expected posts for 2 players, got 1 of place 0 for 3"):
        start(blinds(3, 1, 2), 2)


@for_each("deck", [True, False])
@for_each(
    "posts, players",
    [
        (blinds(3, 1, 2), 2),
        (blinds(3, 2, 2), 2),
        (blinds(3, 0, 2), 2),
        ((*blinds(3, 1, 2), Post(0, 1, live=False)), 2),
        (blinds(2, 1, 2), 3),
        (blinds(2, 2, 2), 3),
        (blinds(6, 1, 2), 3),
    ],
)
def test_blinds_for_another_number_of_players_are_refused(posts: tuple[Post, ...], players: int, deck: bool) -> None:
    with pytest.raises(SetupError, match=f"posts: expected posts for {players} players"):
        start(posts, players, deck=deck)
    with pytest.raises(SetupError, match=f"posts: expected posts for {players} players"):
        Round.start(no_limit(), stacks=(100,) * players, step=2, posts=posts)


def test_a_post_at_a_place_that_is_not_there_is_refused() -> None:
    for place in (-1, 2):
        with pytest.raises(SetupError, match=f"posts: expected places from 0 to 1, got {place}"):
            start((Post(place, 2),), 2)
        with pytest.raises(SetupError, match=f"posts: expected places from 0 to 1, got {place}"):
            Round.start(no_limit(), stacks=(100, 100), step=2, posts=(Post(place, 2),))


@pytest.mark.parametrize("amounts", [(1, 2, 4), (1, 2, 4, 8)])
def test_more_blinds_than_players_are_refused(amounts: tuple[int, ...]) -> None:
    with pytest.raises(SetupError, match=f"blinds: expected at most 2, one per player, got {len(amounts)}"):
        blinds(2, *amounts)


@for_each(
    "posts, players",
    [
        (blinds(2, 1, 2), 2),
        (blinds(2, 2, 2), 2),
        (blinds(2, 0, 2), 2),
        (blinds(3, 1, 2, 4), 3),
        ((*blinds(2, 1, 2), Post(1, 4, option=True)), 2),  # a straddle from the button
        ((Post(2, 2, option=True),), 3),
        ((), 2),
    ],
)
def test_valid_blinds_are_accepted(posts: tuple[Post, ...], players: int) -> None:
    assert sum(start(posts, players).round.bets) == sum({post.place: post.amount for post in posts}.values())


def test_a_record_is_replayed_as_it_was_played() -> None:
    recorded = (Post(0, 1, option=True), Post(1, 2, option=True))
    assert start(recorded, 2, deck=False).round.bets == (1, 2)
