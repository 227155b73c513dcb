"""A match built up again from what a participant was sent: single questions that whole records seldom ask."""

from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from pitboss.arena.hosts.poker import PlayedHand
from pitboss.arena.journal.commitment import bind_number
from pitboss.arena.journal.records import Settings
from pitboss.arena.verify.reconstruction import ObservedCards, OwnCards, ReconstructedMatch
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import BoundNumber, Mix, OpenedNumber
from pitboss.hand.games import DEUCE_TO_SEVEN_TRIPLE_DRAW

HELD = ("2c", "3c", "4c", "5c", "7d")
STARTED = wire.StartHand(
    hand_id="H-2026-11-16-00001",
    seed=0,
    button=0,
    stacks=tuple([wire.SeatStack(seat=seat, stack=100) for seat in range(3)]),
    commit="00" * 32,
    seq=2,
)
MIX = Mix(
    hand_id=STARTED.hand_id,
    attempt=1,
    commit=bind_number(bytes(32)),
    numbers=(BoundNumber(seat=1, commit=bind_number(bytes(32))),),
    seats=(0, 1, 2),
    seq=1,
)


@pytest.mark.parametrize(("drawn", "known"), [(21, True), (22, True), (23, False)])
def test_later_cards_of_others_are_known_until_discards_return(drawn: int, known: bool) -> None:
    rebuilt = ReconstructedMatch("T-1", Settings(seats=6, game="deuce_to_seven_triple_draw"), 0)
    rebuilt._seen = ObservedCards(own=[OwnCards(9, 0, HELD, 0)], shown={3: HELD}, drawn=drawn)
    open = SimpleNamespace(order=range(6), hand=SimpleNamespace(structure=DEUCE_TO_SEVEN_TRIPLE_DRAW))
    assert rebuilt._coming(cast(PlayedHand, open), 3) == (HELD if known else None)
    assert rebuilt._coming(cast(PlayedHand, open), 0) == HELD, "one's own cards always"


@pytest.mark.parametrize(
    ("started", "faults"),
    [
        (STARTED, ["the hand uses no numbers, although seats committed to numbers for it"]),
        (replace(STARTED, withheld=(1,)), []),
        (replace(STARTED, numbers=(OpenedNumber(seat=1, number="00" * 32),)), []),
        (
            replace(STARTED, numbers=(OpenedNumber(seat=1, number="11" * 32),)),
            ["the opened numbers do not match their commitments"],
        ),
    ],
)
def test_bound_numbers_are_opened_or_withheld(started: wire.StartHand, faults: list[str]) -> None:
    rebuilt = ReconstructedMatch("T-1", Settings(), 0)
    rebuilt._mixing = MIX
    assert [*rebuilt._mixed(started, None)] == faults
    assert [*rebuilt._mixed(started, None)] == [], "each once"
