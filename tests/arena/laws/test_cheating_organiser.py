"""An organiser with an own client gets no better decks than chance against one honest client, or is caught."""

import math

import pytest

from tests.support.arena.cheats import (
    CHANCE_OF_ACE,
    FRIEND,
    HONEST,
    AsksAgain,
    Cheated,
    CheatedTable,
    DealsAnother,
    Denies,
    DrawsOften,
    Organiser,
    SwapsHisFriendsNumber,
    SwapsHisNumber,
    Withholds,
    faults_of,
)

HANDS = 1000
SIX_SIGMA = 6.0


def played(organiser: type[Organiser], *, hands: int = HANDS, seed: int = 1, mixes: bool = True) -> Cheated:
    """A match under an organiser."""
    return CheatedTable(organiser, hands=hands, seed=seed, mixes=mixes).result


def is_chance(aces: int, hands: int) -> bool:
    """Whether this many aces can be chance: fewer than six deviations off."""
    mean, deviation = hands * CHANCE_OF_ACE, math.sqrt(hands * CHANCE_OF_ACE * (1 - CHANCE_OF_ACE))
    return abs(aces - mean) < SIX_SIGMA * deviation


def caught(cheated: Cheated) -> dict[str, bool]:
    """Who has noticed: the honest client while it played, its transcript, the journal."""
    return {
        "client": bool(cheated.complaints),
        "transcript": bool(faults_of(cheated.received)),
        "journal": bool(cheated.problems),
    }


NOBODY = {"client": False, "transcript": False, "journal": False}


def test_an_honest_organiser_is_not_accused() -> None:
    cheated = played(Organiser)
    assert len(cheated.started) == HANDS
    assert all(set(hand.numbers) == {HONEST, FRIEND} for hand in cheated.started)
    assert is_chance(cheated.aces, HANDS)
    assert caught(cheated) == NOBODY
    assert not cheated.named


def test_without_mixing_redrawn_decks_are_undetectable() -> None:
    cheated = played(DrawsOften, mixes=False)
    assert cheated.aces > HANDS / 2
    assert caught(cheated) == NOBODY


def test_with_one_honest_client_redrawing_decks_gains_nothing() -> None:
    cheated = played(DrawsOften)
    assert all(HONEST in hand.numbers for hand in cheated.started)
    assert is_chance(cheated.aces, HANDS)


@pytest.mark.parametrize("organiser", [SwapsHisNumber, SwapsHisFriendsNumber, DealsAnother])
def test_another_number_or_deck_than_was_bound_is_caught(organiser: type[Organiser]) -> None:
    cheated = played(organiser, hands=60)
    assert cheated.aces > 30  # it works
    found = caught(cheated)
    assert found["journal"]
    assert found["client"] or found["transcript"]
    assert found["client"] == (organiser is not SwapsHisNumber)  # which cannot be seen before it is revealed


def test_every_hand_with_another_number_of_the_server_is_found_in_the_transcript() -> None:
    cheated = played(SwapsHisNumber, hands=60)
    assert len({fault.split(":")[0] for fault in faults_of(cheated.received)}) == 60


def test_friend_that_withholds_is_named_once_and_gets_an_unknown_deck() -> None:
    matches = [played(Withholds, hands=4, seed=seed) for seed in range(250)]
    again = [bound for cheated in matches for bound in cheated.bound if bound.attempt > 1]
    refused = sum(bool(cheated.named) for cheated in matches)
    assert refused > 200  # it is hard to like four decks in a row
    assert len(again) == refused  # once a match
    assert all(cheated.named <= {FRIEND} for cheated in matches)
    assert all(caught(cheated) == NOBODY for cheated in matches)  # only what is sent to all
    fresh = {(id(cheated), bound.hand_id) for cheated in matches for bound in cheated.bound if bound.attempt > 1}
    hands = [(id(cheated), hand) for cheated in matches for hand in cheated.started]
    swapped = [hand for match, hand in hands if (match, hand.hand_id) in fresh]
    assert is_chance(Cheated(started=swapped).aces, len(swapped))
    after = [hand for _, hand in hands if set(hand.numbers) == {HONEST}]
    assert is_chance(Cheated(started=after).aces, len(after))


def test_server_that_denies_a_number_is_detected_by_its_sender() -> None:
    cheated = played(Denies, hands=30)
    assert "but it was sent" in cheated.complaints[0]
    assert HONEST in cheated.named
    assert len(cheated.complaints) == 1


def test_server_that_asks_for_a_second_number_is_refused_and_reported() -> None:
    cheated = played(AsksAgain, hands=30)
    assert "but no seat withheld one" in cheated.complaints[0]
    assert cheated.problems
    opened = {hand.numbers[HONEST] for hand in cheated.started if HONEST in hand.numbers}
    assert len(opened) == sum(HONEST in hand.numbers for hand in cheated.started)
