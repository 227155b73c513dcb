"""Nothing is sent before it is on disk: frames wait for their entry, go out in order, and a crash undoes only waits."""

from pitboss.arena.journal.records import Settings
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import Parlour, state

TWO = Settings(seats=2)


def kinds(messages: list[wire.ServerMessage]) -> list[str]:
    """What came, in words."""
    return [type(message).__name__ for message in messages]


def test_no_message_is_sent_before_its_commit() -> None:
    parlour = Parlour(TWO, seed=1)
    guests = parlour.seat(2)
    spectator = parlour.watch()
    before = [len(who.inbox) for who in (*guests, spectator)]
    with parlour.held():
        parlour.play("CALL")
        late = parlour.watch()
        back = parlour.join("A")
        assert [len(who.inbox) for who in (*guests, spectator)] == before
        assert late.inbox == back.inbox == []
        assert guests[0].end() is None, "closing waits too, so that all is sent first"
    assert kinds(guests[1].inbox[before[1] :]) == ["CallMessage", "Act", "Lobby"]
    assert guests[0].end() is not None
    assert "CallMessage" in kinds(late.inbox)
    assert back.got(wire.Snapshot)


def test_commit_of_some_entries_releases_exactly_their_messages() -> None:
    parlour = Parlour(Settings(seats=3, start_at=3), seed=1)
    with parlour.held():
        first, second = parlour.join("A"), parlour.join("B")
        assert len(parlour.waiting) == 2
        parlour.commit(1)
        assert kinds(first.inbox) == ["Welcome", "Lobby"]
        assert len(first.last(wire.Lobby).players) == 1, "of the second team nobody knows yet"
        assert second.inbox == []
        parlour.commit(1)
        assert kinds(first.inbox) == ["Welcome", "Lobby", "Lobby"]
        assert kinds(second.inbox) == ["Welcome", "Lobby"]


def test_a_hand_ends_before_the_next_begins_also_for_a_slow_disk() -> None:
    parlour = Parlour(TWO, seed=1)
    guest = parlour.seat(2)[0]
    with parlour.held():
        guest.news()
        parlour.play("FOLD")
        assert len(parlour.waiting) == 2, "the fold that ends the hand, and the next hand's cards"
        parlour.commit(1)
        assert kinds(guest.news()) == ["FoldMessage", "Refund", "PotAward", "EndHand"]
        parlour.commit(1)
        assert kinds(guest.news())[:2] == ["StartHand", "PostBlinds"]


def test_errors_wait_for_earlier_messages() -> None:
    parlour = Parlour(TWO, seed=1)
    guest = parlour.seat(2)[1]
    with parlour.held():
        guest.news()
        parlour.play("CALL")
        guest.say("garbage")
        assert guest.news() == []
    assert kinds(guest.news()) == ["CallMessage", "Act", "Error"]


def test_entries_not_on_disk_at_a_crash_have_no_effect() -> None:
    parlour = Parlour(TWO, seed=1)
    parlour.seat(2)
    before = state(parlour.match)
    parlour.holding = True
    parlour.play("FOLD")
    assert parlour.history.hands == 2
    parlour.holding = False
    parlour.restart()
    assert state(parlour.match) == before
    guest = parlour.join("A")
    assert guest.last(wire.Snapshot).next_actor == 0
    guest.answer("CALL")
    assert guest.got(wire.CallMessage)


def test_entries_on_disk_at_a_crash_count_even_if_unsent() -> None:
    parlour = Parlour(TWO, seed=1)
    parlour.seat(2)
    parlour.holding = True
    parlour.play("CALL")
    after = state(parlour.match)
    parlour.holding = False
    parlour.restart(survived=1)
    assert state(parlour.match) == after
    guest = parlour.join("A")
    guest.answer("CALL", turn=3, hand_id=parlour.room.match.hand_id)
    assert guest.last(wire.Error).code == "ACTION_TOO_LATE", "what it sends again is not done again"
    assert parlour.stacks[0] == 9900


def test_the_same_cards_after_a_restart_in_every_street() -> None:
    parlour = Parlour(TWO, seed=1)
    parlour.seat(2)
    for move in ("CALL", "CHECK", "CHECK", "CHECK", "CHECK", "CHECK", "CHECK"):
        assert parlour.hand is not None
        hand = parlour.hand
        parlour.restart()
        assert parlour.hand == hand
        snapshots = [parlour.join(team).last(wire.Snapshot) for team in "AB"]
        assert [snapshot.you.hole for snapshot in snapshots] == [hand.holes[1], hand.holes[0]]
        assert snapshots[0].community == hand.board
        parlour.play(move)


def test_the_turns_number_survives_a_restart() -> None:
    parlour = Parlour(TWO, seed=1)
    guest = parlour.seat(2)[0]
    turn = guest.last(wire.Act).turn
    parlour.restart()
    back = parlour.join("A")
    assert back.last(wire.Snapshot).turn == turn
    back.answer("CALL", turn=turn)
    assert back.got(wire.CallMessage)


def test_hand_is_finished_although_all_players_have_gone() -> None:
    parlour = Parlour(TWO, seed=1)
    parlour.seat(2)
    parlour.restart()
    parlour.pass_time(1000.0)
    assert (parlour.history.hands, parlour.hand) == (1, None), "and no other is started"


def test_a_clock_starts_when_its_own_question_is_on_disk_and_not_before() -> None:
    parlour = Parlour(Settings(seats=3, start_at=2), seed=1)
    parlour.seat(2)
    with parlour.held():
        parlour.join("C")
        parlour.play("CALL")
        parlour.commit(1)
        parlour.pass_time(1000)
        assert len(parlour.waiting) == 1, "nobody was timed out for a question that nobody has seen"
    acts = len(parlour.witness.acts)
    parlour.pass_time(TWO.move_time_ms / 1000 - 0.1)
    assert len(parlour.witness.acts) == acts
    parlour.pass_time(0.2)
    assert len(parlour.witness.acts) == acts + 1
