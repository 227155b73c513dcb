"""Spectators learn nothing before their delayed stream shows it, neither from the list nor from a restart."""

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


def test_repeated_reconnections_cause_at_most_two_lobbies_a_second() -> None:
    parlour = Parlour(Settings(seats=2, start_at=2))
    players = parlour.seat(2)
    spectator = parlour.watch()
    parlour.pass_time(1.0)
    spectator.news()
    for _ in range(20):
        parlour.pass_time(0.1)
        players[0].say('{"type":"leave","v":1}')
        players[0].say('{"type":"number","v":1,"hand_id":"x","number":"00"}')
        players[0].say('{"type":"hello","v":1,"team":"x","join_code":"y"}')
    shown = [message for message in spectator.news() if isinstance(message, wire.Lobby)]
    assert 3 <= len(shown) <= 5, "in two seconds"
    parlour.pass_time(1.0)
    assert spectator.last(wire.Lobby) == parlour.room.spectators.lobby
    assert [player.away for player in spectator.last(wire.Lobby).players] == [False, False]


def test_a_lobby_that_waits_shows_the_chips_of_the_hands_that_spectators_have_seen() -> None:
    for delay in (0.0, DELAY):
        parlour = Parlour(Settings(seats=2, start_at=2, max_hands=4), limits=Limits(delay=delay))
        players = parlour.seat(2)
        spectator = parlour.watch()
        while not parlour.match.over:
            players[0].say('{"type":"leave","v":1}')
            parlour.play_hand()
        parlour.pass_time(2 * DELAY)
        stacks = {0: 10_000, 1: 10_000}
        for message in spectator.inbox:
            if isinstance(message, wire.EndHand):
                stacks = {each.seat: each.stack for each in message.stacks}
            if isinstance(message, wire.Lobby) and len(message.players) == 2:
                assert {player.seat: player.stack for player in message.players} == stacks
        assert len(spectator.got(wire.Lobby)) >= 2


def test_player_that_requests_turns_receives_those_of_others() -> None:
    table = Parlour(Settings(start_at=3))
    watching = table.watch()
    follower, *others = table.join("A", turns=True), table.join("B"), table.join("C")
    for _ in range(3):
        table.play_hand("CALL")
    turns = [(turn.hand_id, turn.seat) for turn in watching.got(wire.Turn)]
    assert {seat for _, seat in turns} == {0, 1, 2}
    assert [(turn.hand_id, turn.seat) for turn in follower.got(wire.Turn)] == [
        (hand_id, seat) for hand_id, seat in turns if seat != follower.seat
    ]
    assert not any(other.got(wire.Turn) for other in others)
    follower.leave()
    again = table.join("A")
    table.play_hand("CALL")
    assert not again.got(wire.Turn)
