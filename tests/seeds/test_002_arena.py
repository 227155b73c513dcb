"""002, the arena: the seed's "Test Coverage Summary" line by line, then lifecycle, timers, engine and reconnects."""

import json

import pytest
from msgspec.structs import replace

from pitboss.arena.journal.records import Settings
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import Guest, Parlour, deal_where, ranked
from tests.support.for_each import for_each

TWO = Settings(seats=2)
THREE = Settings(seats=3, stack=1000, start_at=3)


def table(settings: Settings = TWO, *secrets: bytes) -> Parlour:
    """A table with all players connected."""
    parlour = Parlour(settings, seed=3, secrets=secrets)
    parlour.seat(settings.seats)
    return parlour


def kinds(guest: Guest) -> list[str]:
    """What came, in words."""
    return [type(message).__name__ for message in guest.inbox]


def awards(guest: Guest) -> list[tuple[int, int, int]]:
    """Who won how much of which pot."""
    return [(award.pot, award.seat, award.amount) for award in guest.got(wire.PotAward)]


# --- the Test Coverage Summary


def test_002_button_and_blind_setup_and_legal_action_payload_integrity() -> None:
    parlour = table(THREE)
    guest = parlour.at[0]
    start, blinds, asked = guest.last(wire.StartHand), guest.last(wire.PostBlinds), guest.last(wire.Act)
    assert (start.button, blinds.sb_seat, blinds.bb_seat) == (0, 1, 2)
    assert (blinds.sb, blinds.bb) == (50, 100)
    assert (asked.seat, asked.phase, asked.you.to_call) == (0, "PRE_FLOP", 100)
    assert (asked.legal, asked.call_amount) == (("FOLD", "CALL", "RAISE_TO"), 100)
    assert (asked.min_raise_to, asked.max_raise_to) == (200, 1000)
    assert {player.seat: player.committed for player in asked.players} == {0: 0, 1: 50, 2: 100}
    assert {player.seat: player.stack for player in asked.players} == {0: 1000, 1: 950, 2: 900}


def test_002_button_and_blind_setup_heads_up() -> None:
    blinds = table().at[0].last(wire.PostBlinds)
    assert (blinds.sb_seat, blinds.bb_seat) == (0, 1), "the button posts the small blind (N8)"


def test_002_raise_updates_pot_and_pending_callers() -> None:
    parlour = table(THREE)
    parlour.play(("RAISE_TO", 300))
    assert parlour.at[1].last(wire.Act).pot == 450
    parlour.play("CALL")
    parlour.play(("RAISE_TO", 800))
    asked = parlour.at[0].last(wire.Act)
    assert (asked.pot, asked.call_amount) == (300 + 300 + 800, 500), "everybody is asked again"
    parlour.play("CALL")
    assert parlour.match.to_act == 1
    parlour.play("CALL")
    assert parlour.at[1].last(wire.Act).phase == "FLOP"


def test_002_fold_to_win_results_in_immediate_pot_award_and_no_extra_prompts() -> None:
    parlour = table(replace(THREE, max_hands=1))
    parlour.play("FOLD", "FOLD")
    guest = parlour.at[2]
    assert kinds(guest)[-6:] == ["FoldMessage", "Refund", "PotAward", "EndHand", "Reveal", "MatchEnd"]
    assert not guest.got(wire.Act), "the winner was never asked"
    assert awards(guest) == [(0, 2, 100)]
    assert parlour.stacks == {0: 1000, 1: 950, 2: 1050}


def test_002_all_in_side_pots_distribute_chips_correctly() -> None:
    """Stacks 500, 950 and 1,550: seat 2, the shortest, has the best hand and seat 1 the next."""
    parlour = table(THREE, bytes(32), deal_where(3, ranked(0, 2, 1)))
    parlour.play(("RAISE_TO", 500), "FOLD", "CALL", "FOLD")
    assert {seat.seat: seat.stack for seat in parlour.at[0].last(wire.StartHand).stacks} == {0: 1550, 1: 950, 2: 500}
    guest = parlour.at[0]
    parlour.play(("RAISE_TO", 950), "CALL", "CALL")
    assert awards(guest)[1:] == [(0, 2, 1500), (1, 1, 900)]
    assert {seat.seat: seat.stack for seat in guest.last(wire.EndHand).stacks} == {0: 600, 1: 900, 2: 1500}


def test_002_all_in_side_pots_the_folded_players_chips_stay_in() -> None:
    """Seat 0 calls 300 and folds on the flop; what it paid belongs to the pots of those who are left."""
    parlour = table(THREE, bytes(32), deal_where(3, ranked(0, 2, 1)))
    parlour.play(("RAISE_TO", 500), "FOLD", "CALL", "FOLD")
    guest = parlour.at[0]
    parlour.play(("RAISE_TO", 300), "CALL", "CALL")
    parlour.play(("RAISE_TO", 200), "FOLD", "CALL")
    assert awards(guest)[1:] == [(0, 2, 1300)]


def test_002_multiway_splits_distribute_chips_correctly() -> None:
    """Three tie for 328 chips: 109 each, and the odd one goes to the first from the button's left."""
    secret = deal_where(4, lambda deal: len(set(deal.strengths[1:])) == 1)
    parlour = table(Settings(seats=4, stack=1000, small_blind=25, big_blind=101, start_at=4), secret)
    guest = parlour.at[0]
    parlour.play("CALL", "CALL", "FOLD", "CHECK", *["CHECK"] * 9)
    assert awards(guest) == [(0, 2, 110), (0, 3, 109), (0, 0, 109)]


def test_002_min_raise_cap_when_stack_equals_required_amount() -> None:
    parlour = table(Settings(seats=2, stack=200))
    asked = parlour.at[0].last(wire.Act)
    assert (asked.min_raise_to, asked.max_raise_to) == (200, 200)
    parlour.play(("RAISE_TO", 200))
    assert (parlour.stacks[0], parlour.at[0].last(wire.BetMessage).to) == (0, 200)
    asked = parlour.at[1].last(wire.Act)
    assert (asked.legal, asked.call_amount) == (("FOLD", "CALL"), 100)


def test_002_min_raise_cap_when_stack_is_below_required_amount() -> None:
    parlour = table(Settings(seats=2, stack=150))
    asked = parlour.at[0].last(wire.Act)
    assert (asked.min_raise_to, asked.max_raise_to) == (150, 150)


def test_002_zero_to_call_allows_check_with_call_amount_omitted() -> None:
    parlour = table()
    parlour.play("CALL")
    asked = json.loads(next(frame for frame in reversed(parlour.at[1].frames) if '"act"' in frame))
    assert asked["legal"] == ["CHECK", "RAISE_TO", "FOLD"]
    assert asked["you"]["to_call"] == 0
    assert "call_amount" not in asked
    parlour.play("CHECK")
    assert parlour.at[1].got(wire.Flop)


def test_002_post_flop_fold_cascade_ends_hand_without_dealing_new_streets() -> None:
    parlour = table(THREE)
    parlour.play("CALL", "CALL", "CHECK")
    parlour.play(("RAISE_TO", 200), "FOLD", "FOLD")
    guest = parlour.at[0]
    assert guest.got(wire.Flop)
    assert not guest.got(wire.TurnCard)
    assert not guest.got(wire.Showdown)
    assert awards(guest) == [(0, 1, 300)]
    assert len(guest.got(wire.EndHand)) == 1


def test_002_match_end_detection_when_opponent_busts() -> None:
    parlour = table(TWO, deal_where(2, ranked(1, 0)))
    guest = parlour.at[0]
    parlour.play(("RAISE_TO", 10_000), "CALL")
    assert kinds(guest)[-4:] == ["Eliminated", "EndHand", "Reveal", "MatchEnd"]
    assert guest.last(wire.Eliminated).seat == 1
    assert guest.last(wire.MatchEnd).winner == wire.Winner(seat=0, team="A")
    assert guest.last(wire.MatchEnd).reason == "last_standing"


def test_002_snapshot_contains_legal_details_when_reconnecting_actor() -> None:
    parlour = table()
    parlour.play(("RAISE_TO", 300))
    parlour.pass_time(5.0)
    parlour.at[1].leave()
    snapshot = parlour.join("B").last(wire.Snapshot)
    assert (snapshot.next_actor, snapshot.time_ms_remaining) == (1, 10_000)
    assert (snapshot.legal, snapshot.call_amount) == (("FOLD", "CALL", "RAISE_TO"), 200)
    assert (snapshot.min_raise_to, snapshot.max_raise_to) == (500, 10_000)
    parlour.at[1].answer("CALL", turn=None)
    assert parlour.at[1].got(wire.CallMessage)


def test_002_timeout_preference_order_check_then_call_then_fold() -> None:
    parlour = table()
    parlour.pass_time(15.0)
    parlour.pass_time(15.0)
    guest = parlour.at[0]
    assert [kind for kind in kinds(guest) if kind in ("CallMessage", "CheckMessage", "FoldMessage")] == [
        "CallMessage",
        "CheckMessage",
    ]
    assert all(getattr(message, "auto", True) for message in guest.inbox), "and it is told that time was up"
    folds = table(replace(TWO, timeout_policy="check_fold"))
    folds.pass_time(15.0)
    assert folds.at[0].got(wire.FoldMessage)[0].auto


def test_002_multi_hand_rotation_carries_correct_button_and_stacks() -> None:
    parlour = table(replace(THREE, max_hands=7))
    for _ in range(7):
        parlour.play_hand()
    guest = parlour.at[0]
    starts, ends, blinds = guest.got(wire.StartHand), guest.got(wire.EndHand), guest.got(wire.PostBlinds)
    assert [start.button for start in starts] == [0, 1, 2, 0, 1, 2, 0]
    assert [(post.sb_seat, post.bb_seat) for post in blinds[:4]] == [(1, 2), (2, 0), (0, 1), (1, 2)]
    assert [start.stacks for start in starts[1:]] == [end.stacks for end in ends[:-1]]
    assert {seat.seat: seat.stack for seat in ends[2].stacks} == {0: 1000, 1: 1000, 2: 1000}


def test_002_multi_hand_rotation_skips_busted_seats() -> None:
    parlour = table(THREE, deal_where(3, ranked(2, 0, 1)))
    parlour.play(("RAISE_TO", 1000), "CALL", "FOLD")
    parlour.play_hand()
    parlour.play_hand()
    assert [start.button for start in parlour.at[0].got(wire.StartHand)] == [0, 2, 0, 2]


# --- overview and defaults


def test_002_defaults() -> None:
    settings = Settings()
    assert (settings.seats, settings.stack, settings.move_time_ms) == (6, 10_000, 15_000)
    assert (settings.small_blind, settings.big_blind) == (50, 100)


@for_each("seats", [2, 3, 6, 9, 10])
def test_002_two_to_ten_seats_play(seats: int) -> None:
    parlour = table(Settings(seats=seats, start_at=seats))
    parlour.play_hand("CALL")
    assert len(parlour.at[0].got(wire.Showdown)) == seats


@pytest.mark.parametrize("seats", [1, 11, 0, -2])
def test_002_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="expected 2 to 10"):
        Settings(seats=seats)


def test_002_blinds_are_fixed() -> None:
    parlour = table()
    for _ in range(20):
        parlour.play_hand()
    assert {(post.sb, post.bb) for post in parlour.at[0].got(wire.PostBlinds)} == {(50, 100)}


# --- identity and lifecycle


def test_002_lifecycle_sends_hello_welcome_and_lobby_to_all() -> None:
    parlour = Parlour(THREE)
    first = parlour.join("Alpha", "KF7Q9C")
    assert kinds(first) == ["Welcome", "Lobby"]
    second = parlour.join("Beta", "x")
    for guest in (first, second):
        assert [
            (player.seat, player.team, player.connected, player.stack) for player in guest.last(wire.Lobby).players
        ] == [
            (0, "Alpha", True, 1000),
            (1, "Beta", True, 1000),
        ]


def test_002_lifecycle_lobby_is_broadcast_on_disconnects_too() -> None:
    parlour = Parlour(THREE)
    first, second = parlour.join("Alpha"), parlour.join("Beta")
    second.leave()
    assert [player.connected for player in first.last(wire.Lobby).players] == [True, False]
    assert len(first.last(wire.Lobby).players) == 2, "the seat stays"


def test_002_lifecycle_a_hand_starts_when_two_stacks_are_there_and_not_before() -> None:
    parlour = Parlour()
    first = parlour.join("Alpha")
    parlour.pass_time(100.0)
    assert not first.got(wire.StartHand)
    parlour.join("Beta")
    assert kinds(first)[-3:] == ["StartHand", "PostBlinds", "Act"]


def test_002_lifecycle_a_third_team_joins_from_the_next_hand_on() -> None:
    parlour = Parlour()
    parlour.seat(2)
    third = parlour.join("C")
    assert "Snapshot" not in kinds(third)
    parlour.play("FOLD")
    assert [seat.seat for seat in third.last(wire.StartHand).stacks] == [0, 1, 2]


def test_002_lifecycle_events_are_broadcast_and_the_next_hand_follows_by_itself() -> None:
    parlour = table()
    parlour.play("CALL", "CHECK", "CHECK", "CHECK")
    one, other = [[frame for frame in parlour.at[seat].frames if '"seq"' in frame] for seat in (0, 1)]
    assert one == other
    parlour.play("FOLD")
    assert len(parlour.at[0].got(wire.StartHand)) == 2


def test_002_lifecycle_no_hand_is_started_for_an_empty_room() -> None:
    parlour = table(Settings(seats=2, away_pace_ms=0))
    for guest in list(parlour.at.values()):
        guest.leave()
    parlour.pass_time(3600.0)
    assert parlour.history.hands == 1, "the open hand was played out, and nobody is there for another"
    assert parlour.hand is None
    parlour.join("A")
    assert parlour.history.hands == 3, "B is away: its small blind is folded at once, and A is asked in the next hand"
    assert parlour.match.to_act == 0


def test_002_phases_are_named_as_printed() -> None:
    parlour = table()
    parlour.play("CALL")
    phases = []
    for _ in range(6):
        phases.append(parlour.to_act.last(wire.Act).phase)
        parlour.play("CHECK")
    assert phases == ["PRE_FLOP", "FLOP", "FLOP", "TURN", "TURN", "RIVER"]


def test_002_streets_deal_three_one_and_one() -> None:
    parlour = table()
    parlour.play_hand("CALL")
    guest = parlour.at[0]
    board = (*guest.last(wire.Flop).cards, guest.last(wire.TurnCard).card, guest.last(wire.RiverCard).card)
    assert len(set(board)) == 5
    assert guest.last(wire.Showdown).board == board


# --- timing and reconnect


def test_002_timer_is_announced_and_configurable() -> None:
    parlour = table(replace(TWO, move_time_ms=2500))
    assert parlour.at[0].last(wire.Act).you.time_ms == 2500
    assert parlour.at[0].last(wire.Welcome).config.move_time_ms == 2500
    parlour.pass_time(2.499)
    assert not parlour.at[0].got(wire.CallMessage)
    parlour.pass_time(0.001)
    assert parlour.at[0].got(wire.CallMessage)


def test_002_duplicate_and_late_actions_change_nothing() -> None:
    parlour = table()
    guest = parlour.at[0]
    asked = guest.last(wire.Act)
    guest.answer("CALL")
    chips = parlour.stacks
    for _ in range(3):
        guest.answer("CALL", turn=asked.turn, hand_id=asked.hand_id)
        guest.answer("RAISE_TO", 500, turn=asked.turn, hand_id=asked.hand_id)
    assert parlour.stacks == chips
    assert parlour.match.to_act == 1


def test_002_a_disconnected_seat_keeps_its_stack_and_its_seat() -> None:
    parlour = table(THREE)
    parlour.play("CALL", "CALL", "CHECK")
    parlour.at[1].leave()
    assert parlour.stacks[1] == 900
    parlour.pass_time(15.0)
    back = parlour.join("B")
    assert (back.last(wire.Welcome).seat, back.last(wire.Snapshot).you.stack) == (1, 900)


def test_002_the_timer_continues_while_disconnected() -> None:
    parlour = table()
    parlour.pass_time(10.0)
    parlour.at[0].leave()
    parlour.pass_time(4.9)
    assert not parlour.at[1].got(wire.CallMessage)
    parlour.pass_time(0.1)
    assert parlour.at[1].got(wire.CallMessage)


def test_002_reconnecting_triggers_a_snapshot_with_the_remaining_time() -> None:
    parlour = table()
    parlour.at[0].leave()
    parlour.pass_time(11.75)
    back = parlour.join("A")
    assert back.last(wire.Snapshot).time_ms_remaining == 3250
    assert kinds(back)[:2] == ["Welcome", "Snapshot"]


def test_002_a_snapshot_shows_the_table_as_it_is() -> None:
    parlour = table(THREE)
    parlour.play(("RAISE_TO", 200), "CALL", "FOLD", ("RAISE_TO", 300))
    snapshot = parlour.join("C").last(wire.Snapshot)
    held = parlour.witness.hands[snapshot.at_hand_id or ""].holes[2]
    assert (snapshot.phase, snapshot.next_actor, snapshot.pot) == ("FLOP", 0, 800)
    assert snapshot.you == wire.SnapshotYou(seat=2, hole=held, stack=900, to_call=0)
    assert [(player.stack, player.has_folded, player.committed) for player in snapshot.players] == [
        (800, False, 0),
        (500, False, 300),
        (900, True, 0),
    ]
