"""Spectators who lag behind learn nothing sooner than their stream says it, neither by the list nor by a restart."""

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import Parlour

DELAY = 5.0


def lagging(max_hands: int | None = None) -> Parlour:
    """A table for two whose spectators lag behind."""
    parlour = Parlour(Settings(seats=2, start_at=2, max_hands=max_hands), limits=Limits(delay=DELAY))
    parlour.seat(2)
    return parlour


def test_a_match_is_over_in_the_list_when_spectators_have_seen_its_end() -> None:
    parlour = lagging(max_hands=1)
    spectator = parlour.watch()
    parlour.play_hand()
    assert parlour.match.over
    assert not parlour.room.summary().over
    parlour.pass_time(DELAY - 0.1)
    assert not parlour.room.summary().over
    parlour.pass_time(0.2)
    assert spectator.got(wire.MatchEnd)
    assert parlour.room.summary().over


def test_after_a_restart_the_chips_of_the_last_hands_are_shown_no_sooner() -> None:
    parlour = lagging()
    parlour.play_hand()
    parlour.restart()
    spectator = parlour.watch()
    assert spectator.last(wire.Lobby).players == ()
    assert parlour.room.summary().players == ()
    parlour.pass_time(DELAY - 0.1)
    assert spectator.last(wire.Lobby).players == ()
    parlour.pass_time(0.2)
    assert [player.stack for player in spectator.last(wire.Lobby).players] == [9_950, 10_050]
    assert [player.stack for player in parlour.room.summary().players] == [9_950, 10_050]


def test_after_a_restart_a_match_that_was_over_is_shown_in_its_time() -> None:
    parlour = lagging(max_hands=1)
    parlour.play_hand()
    parlour.restart()
    assert not parlour.room.summary().over
    parlour.pass_time(DELAY)
    assert parlour.room.summary().over
