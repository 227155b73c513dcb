"""Blinds belong to a number of players: those made for another are refused where they would change who posts what."""

import pytest

from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Post
from pitboss.hand.hand import Hand
from pitboss.hand.structure import NO_LIMIT_HOLDEM, Stakes, blinds


def start(posts: tuple[Post, ...], players: int, *, deck: bool = True) -> Hand:
    """A hand with these posts."""
    stakes = Stakes(min_bet=2, posts=posts)
    cards = NO_LIMIT_HOLDEM.deck if deck else None
    return Hand.start(NO_LIMIT_HOLDEM, stacks=(100,) * players, stakes=stakes, deck=cards)[0]


def test_blinds_for_three_are_refused_for_two() -> None:
    with pytest.raises(SetupError, match="with 2 players heads-up the button, place 1, posts the small blind"):
        start(blinds(3, 1, 2), 2)
    with pytest.raises(SetupError, match="with 2 players heads-up"):
        start((*blinds(3, 1, 2), Post(0, 1, live=False)), 2)


def test_blinds_for_two_are_refused_for_three() -> None:
    with pytest.raises(SetupError, match="with 3 players place 0 posts the small blind"):
        start(blinds(2, 1, 2), 3)


def test_a_post_at_a_place_that_is_not_there_is_refused() -> None:
    with pytest.raises(SetupError, match="a post at place 2, but places are 0 to 1"):
        start(blinds(3, 1, 2, 4), 2)


@pytest.mark.parametrize("amounts", [(1, 2, 4), (1, 2, 4, 8)])
def test_more_blinds_than_players_are_refused(amounts: tuple[int, ...]) -> None:
    with pytest.raises(SetupError, match=f"{len(amounts)} blinds and straddles for 2 players"):
        blinds(2, *amounts)


@pytest.mark.parametrize(
    ("posts", "players"),
    [
        (blinds(2, 1, 2), 2),
        (blinds(2, 2, 2), 2),
        (blinds(2, 0, 2), 2),
        (blinds(6, 1, 2), 3),  # the same places post whatever the number beyond two
        (blinds(3, 1, 2, 4), 3),
        ((*blinds(2, 1, 2), Post(1, 4, option=True)), 2),  # a straddle from the button
        ((Post(2, 2, option=True),), 3),
        ((), 2),
    ],
)
def test_what_fits_is_taken(posts: tuple[Post, ...], players: int) -> None:
    assert sum(start(posts, players).round.bets) == sum({post.place: post.amount for post in posts}.values())


def test_a_record_is_replayed_as_it_was_played() -> None:
    assert start(blinds(3, 1, 2), 2, deck=False).round.bets == (1, 2)
