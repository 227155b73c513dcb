"""Whose turn it is, what is on offer, what happened since, and what a player can take away."""

from decimal import Decimal
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.betting.events import Called, Folded, Posted
from pitboss.cards import UNKNOWN
from pitboss.chance import Chance
from pitboss.documents import (
    Document,
    DocumentError,
    act,
    auto,
    cash_out,
    deal,
    events_since,
    join,
    leave,
    merge,
    next_hand,
    offer,
    open_document,
    personalize,
    turn,
)
from pitboss.documents.play import play_actions
from pitboss.hand.events import HoleDealt
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from tests.support.for_each import for_each

HALF: Any = Decimal("0.5")  # events have integers in chips and decimals in money
DECK = Chance(1).shuffled(NO_LIMIT_HOLDEM.deck)


def table(*names: str, variant: str = "NT") -> Document:
    """A table with blinds of 0.5 and 1, the first hand not dealt yet."""
    game = STRUCTURES[variant]
    small = 0 if game.betting.bring_in else 0.5
    document = open_document(small_blind=small, big_blind=1, seat_count=6, variant=variant)
    for name in names:
        document = join(document, name, 100)
    return next_hand(document)


def gone(document: Document, name: str) -> Document:
    """The document after a player has left."""
    return merge(document, leave(document, name), name).document


def test_turn_moves_clockwise_and_is_none_without_a_player_to_act() -> None:
    document = table("ann", "bob", "cleo")
    assert turn(document) is None
    document = deal(document, DECK)
    seen = []
    while (name := turn(document)) is not None:
        seen.append(name)
        document = act(document, name, "cc")
    assert seen == ["cleo", "ann", "bob"]
    assert turn(open_document(small_blind=1, big_blind=2, seat_count=6)) is None
    assert turn(table("ann")) is None
    assert turn(replace(document, finishing_stacks=document.stacks)) is None


def test_turn_skips_a_player_who_left() -> None:
    document = deal(table("ann", "bob", "cleo"), DECK)
    assert turn(gone(document, "cleo")) == "ann"


@for_each("variant", ["NT", "PO", "FT", "F7S", "FR", "N2L1D", "F2L3D", "FB"])
def test_offer_is_that_of_the_hand_in_the_documents_money(variant: str) -> None:
    document = table("ann", "bob", "cleo", variant=variant)
    deck = Chance(2).shuffled(STRUCTURES[variant].deck)
    asked = 0
    while not (playback := play_actions(document)).hand.over:
        name = turn(document)
        if name is None:
            document = deal(document, deck)
            continue
        mine, theirs, unit = offer(document, name), playback.hand.offer, playback.unit
        assert (mine.fold, mine.check, mine.show, mine.muck, mine.draw) == (
            *(theirs.fold, theirs.check, theirs.show, theirs.muck),
            theirs.draw,
        )
        for ours, chips in ((mine.call, theirs.call), (mine.all_in, theirs.all_in)):
            assert (ours is None) == (chips is None)
            assert chips is None or ours == unit.amount(chips)
        for bounds, counted in ((mine.bet, theirs.bet), (mine.raise_, theirs.raise_)):
            assert (bounds is None) == (counted is None)
            assert bounds is None or counted is None or bounds.min_to == unit.amount(counted.min_to)
        for other in set(document.players) - {name}:
            assert offer(document, other) == type(mine)()
        document = auto(document, check_when_free=True) if mine.check or mine.muck else act_on(document, name)
        asked += 1
    assert asked > 1


def act_on(document: Document, name: str) -> Document:
    """Call, or stand pat."""
    return act(document, name, "sd" if offer(document, name).draw is not None else "cc")


def test_offer_of_a_name_that_is_not_at_the_table_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"^players: expected one of ann, bob, got 'zoe'$"):
        offer(table("ann", "bob"), "zoe")


def test_events_since_contains_each_event_once() -> None:
    document = deal(table("ann", "bob", "cleo"), DECK)
    seen_events = list(events_since(document, 0))
    assert seen_events[:2] == [Posted(0, HALF, live=True), Posted(1, 1, live=True)]
    while turn(document) is not None or not play_actions(document).hand.over:
        seen, name = len(document.actions), turn(document)
        document = deal(document, DECK) if name is None else auto(document, check_when_free=True)
        seen_events += events_since(document, seen)
    assert seen_events == list(events_since(document, 0))
    assert events_since(document, len(document.actions)) == ()


def test_events_since_show_a_viewer_no_hidden_card() -> None:
    document = deal(table("ann", "bob"), DECK)
    dealt = [event for event in events_since(personalize(document, "ann"), 0) if isinstance(event, HoleDealt)]
    assert [set(event.cards) == {UNKNOWN} for event in dealt] == [False, True]


def test_events_since_includes_the_folds_of_players_who_left() -> None:
    document = deal(table("ann", "bob", "cleo"), DECK)
    seen = len(document.actions)
    assert events_since(gone(document, "cleo"), seen) == (Folded(2),)
    called = act(gone(document, "cleo"), "ann", "cc")
    assert events_since(called, seen) == (Folded(2), Called(0, HALF))


@for_each("number", [-1, 99, True, None, 1.0])
def test_events_since_refuse_a_number_of_actions_that_were_not_seen(number: int) -> None:
    with pytest.raises(DocumentError, match=r"^number: expected 0 to 3"):
        events_since(deal(table("ann", "bob", "cleo"), DECK), number)


def test_cash_out_is_the_amount_taken_away() -> None:
    document = table("ann", "bob", "cleo")
    assert cash_out(document, "ann") == 100
    dealt = deal(document, DECK)
    with pytest.raises(DocumentError, match=r"^'ann' is still in the hand: finish it first$"):
        cash_out(dealt, "ann")
    folded = act(act(dealt, "cleo", "f"), "ann", "f")
    assert [cash_out(folded, name) for name in ("ann", "bob", "cleo")] == [Decimal("99.5"), Decimal("100.5"), 100]
    assert all(type(cash_out(folded, name)) is Decimal for name in folded.players)
    between = act(dealt, "cleo", "f")
    assert cash_out(between, "cleo") == 100
    late = join(between, "dora", 40)
    assert cash_out(late, "dora") == 40
    assert cash_out(replace(dealt, finishing_stacks=(90, 110, 100)), "bob") == 110
