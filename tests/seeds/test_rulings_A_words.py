"""Rulings A2, A3, A7 and A9: what amounts mean, what is legal, teams and their codes, bounded matches and numbers."""

import hmac
import json
from typing import Any

import pytest

from pitboss.arena.journal.records import Lock, Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import CODE, Guest, Parlour, deal_where, ranked
from tests.support.for_each import for_each

TWO = Settings(seats=2, stack=10_000)
THREE = Settings(seats=3, stack=10_000, start_at=3)


def table(settings: Settings = TWO, **more: Any) -> Parlour:
    """A table with all players connected."""
    parlour = Parlour(settings, seed=3, **more)
    parlour.seat(settings.seats)
    return parlour


def facts(message: wire.ServerMessage, *names: str) -> tuple[Any, ...]:
    """Some fields of a message."""
    return tuple(getattr(message, name) for name in names)


# --- A2: amounts


def test_ruling_A2_variant_stays_HUNL() -> None:
    assert json.loads(table(THREE).at[0].frames[0])["config"]["variant"] == "HUNL"


def test_ruling_A2_BET_covers_raises_amount_is_the_payment_and_to_the_street_total() -> None:
    parlour = table()
    guest = parlour.at[0]
    parlour.play(("RAISE_TO", 300), ("RAISE_TO", 900), "CALL")
    parlour.play(("RAISE_TO", 500), ("RAISE_TO", 1500))
    bets = [facts(bet, "seat", "amount", "to") for bet in guest.got(wire.BetMessage)]
    assert bets == [(0, 250, 300), (1, 800, 900), (1, 500, 500), (0, 1500, 1500)]
    assert facts(guest.last(wire.CallMessage), "seat", "amount") == (0, 600)


def test_ruling_A2_neither_is_ever_more_than_the_seat_had() -> None:
    """Seat 0 has 9,900 and seat 1 has 10,100: seat 1 bets all of it, and seat 0 calls what it has."""
    parlour = table()
    parlour.play(("RAISE_TO", 200), "CALL", "CHECK", "FOLD")
    guest = parlour.at[0]
    before = {seat.seat: seat.stack for seat in guest.last(wire.StartHand).stacks}
    parlour.play(("RAISE_TO", before[1]), "CALL")
    assert facts(guest.last(wire.BetMessage), "amount", "to") == (before[1] - 50, before[1])
    assert guest.last(wire.CallMessage).amount == before[0] - 100
    assert guest.last(wire.Refund).amount == before[1] - before[0]


def test_ruling_A2_POST_BLINDS_states_the_chips_actually_posted() -> None:
    parlour = table(Settings(seats=2, stack=130))
    guest = parlour.at[0]
    blinds = ("sb_seat", "bb_seat", "sb", "bb", "sb_posted", "bb_posted")
    assert facts(guest.last(wire.PostBlinds), *blinds) == (0, 1, 50, 100, 50, 100)
    parlour.play("FOLD")
    assert facts(guest.last(wire.PostBlinds), *blinds) == (1, 0, 50, 100, 50, 80)
    asked = parlour.at[1].last(wire.Act)
    assert (asked.you.to_call, asked.call_amount) == (50, 50), "a short big blind does not lower the price (N1)"


def test_ruling_A2_a_small_blind_may_be_short_too() -> None:
    """Seat 0 is left with 20, doubles up as the big blind without a word, and has 40 for its small blind of 50."""
    parlour = table(Settings(seats=2, stack=1000), secrets=[bytes(32), deal_where(2, ranked(0, 1))])
    parlour.play(("RAISE_TO", 980), "CALL", "CHECK", "FOLD")
    posted = [facts(blinds, "sb_seat", "sb_posted", "bb_posted") for blinds in parlour.at[0].got(wire.PostBlinds)]
    assert posted[:3] == [(0, 50, 100), (1, 50, 20), (0, 40, 100)]
    assert len(parlour.at[0].got(wire.Act)) == 2, "never asked again: there was nothing left to decide"


def test_ruling_A2_SHOWDOWN_hand_board_and_rank_in_words() -> None:
    secret = deal_where(2, lambda deal: deal.strengths[0] > deal.strengths[1])
    parlour = table(secrets=[secret])
    parlour.play_hand("CALL")
    shows = parlour.at[0].got(wire.Showdown)
    assert [show.seat for show in shows] == [1, 0]
    for show in shows:
        assert (len(show.hand), len(show.board)) == (2, 5)
        assert show.rank in RANKS
    assert {show.hand for show in shows} == {
        act.you.hole for seat in (0, 1) for act in parlour.at[seat].got(wire.Act)[:1]
    }


RANKS = {
    *("high_card", "pair", "two_pair", "three_of_a_kind", "straight"),
    *("flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush"),
}


def test_ruling_A2_rank_of_two_pair_is_as_printed() -> None:
    found = set()
    for number in range(200):
        parlour = table(secrets=[number.to_bytes(32, "big")])
        parlour.play_hand("CALL")
        found |= {show.rank for show in parlour.at[0].got(wire.Showdown)}
        if "two_pair" in found:
            break
    assert "two_pair" in found
    assert found <= RANKS


# --- A3: what is legal; the referee checks every single question in any test


def bounds(guest: Guest) -> tuple[Any, ...]:
    """What the last question offers."""
    return facts(guest.question(), "legal", "call_amount", "min_raise_to", "max_raise_to")


def test_ruling_A3_min_raise_to_is_the_price_and_the_last_full_raise() -> None:
    parlour = table()
    assert bounds(parlour.at[0]) == (("FOLD", "CALL", "RAISE_TO"), 50, 200, 10_000)
    parlour.play(("RAISE_TO", 300))
    assert bounds(parlour.at[1]) == (("FOLD", "CALL", "RAISE_TO"), 200, 500, 10_000)
    parlour.play(("RAISE_TO", 1000))
    assert bounds(parlour.at[0]) == (("FOLD", "CALL", "RAISE_TO"), 700, 1700, 10_000)


def test_ruling_A3_max_raise_to_is_stack_and_committed() -> None:
    parlour = table()
    parlour.play("CALL", "CHECK")
    assert bounds(parlour.at[1]) == (("CHECK", "RAISE_TO", "FOLD"), None, 100, 9900)


def test_ruling_A3_or_the_all_in_total_where_that_is_less() -> None:
    parlour = table(Settings(seats=2, stack=1000))
    parlour.play(("RAISE_TO", 700))
    assert bounds(parlour.at[1]) == (("FOLD", "CALL", "RAISE_TO"), 600, 1000, 1000)
    parlour.at[1].answer("RAISE_TO", 1000)
    assert parlour.at[0].last(wire.BetMessage).to == 1000


def test_ruling_A3_a_full_raise_reopens_raising() -> None:
    parlour = table(THREE)
    parlour.play(("RAISE_TO", 300), "FOLD", ("RAISE_TO", 500))
    assert bounds(parlour.at[0]) == (("FOLD", "CALL", "RAISE_TO"), 200, 700, 10_000)


def test_ruling_A3_player_who_has_acted_may_only_call_or_fold_an_incomplete_raise() -> None:
    parlour = table(Settings(seats=3, stack=1000, start_at=3))
    parlour.play(("RAISE_TO", 500), "FOLD", "CALL", "FOLD")
    parlour.play(("RAISE_TO", 400), ("RAISE_TO", 500))  # seat 2 all-in for 500: 100 more, where 300 is full
    assert parlour.stacks[2] == 0
    parlour.play("CALL")
    assert parlour.match.to_act == 1
    assert bounds(parlour.at[1]) == (("FOLD", "CALL"), 100, None, None)
    guest = parlour.at[1]
    guest.news()
    guest.answer("RAISE_TO", 950)
    assert guest.error() == "INVALID_ACTION"


def test_ruling_A3_raise_that_no_opponent_can_answer_is_not_offered() -> None:
    parlour = table()
    parlour.play(("RAISE_TO", 10_000))
    assert bounds(parlour.at[1]) == (("FOLD", "CALL"), 9900, None, None)


def test_ruling_A3_FOLD_first_when_something_is_owed_last_when_checking_is_free() -> None:
    parlour = table()
    assert (parlour.at[0].question().legal or ())[0] == "FOLD"
    parlour.play("CALL")
    legal = parlour.at[1].question().legal or ()
    assert (legal[0], legal[-1]) == ("CHECK", "FOLD")
    parlour.play("FOLD")
    assert parlour.at[0].got(wire.EndHand), "and folding for free is accepted (N5)"


def test_ruling_A3_call_amount_is_absent_when_no_chips_are_owed() -> None:
    parlour = table()
    parlour.play("CALL")
    frame = next(frame for frame in reversed(parlour.at[1].frames) if '"type":"act"' in frame)
    assert "call_amount" not in json.loads(frame)
    assert json.loads(frame)["you"]["to_call"] == 0


def test_ruling_A3_call_amount_is_never_above_the_stack() -> None:
    parlour = table()
    parlour.play(("RAISE_TO", 200), "CALL", "CHECK", "FOLD")
    parlour.play(("RAISE_TO", 10_200))
    asked = parlour.at[0].question()
    assert (asked.call_amount, asked.you.stack, asked.you.to_call) == (9700, 9700, 9700)


# --- A7: teams


def test_ruling_A7_a_table_is_open_and_the_first_hello_locks_a_seat() -> None:
    parlour = Parlour(THREE)
    first, second = parlour.join("Alpha", "one"), parlour.join("Beta", "two")
    assert (first.last(wire.Welcome).seat, second.last(wire.Welcome).seat) == (0, 1)
    first.leave()
    assert parlour.join("Alpha", "one").last(wire.Welcome).seat == 0, "the same seat again"


def test_ruling_A7_wrong_code_for_a_known_team_is_TEAM_TAKEN_connected_or_not() -> None:
    parlour = Parlour(THREE)
    guest = parlour.join("Alpha", "one")
    assert parlour.join("Alpha", "two").error() == "TEAM_TAKEN"
    guest.leave()
    assert parlour.join("Alpha", "two").error() == "TEAM_TAKEN"
    parlour.restart()
    assert parlour.join("Alpha", "two").error() == "TEAM_TAKEN"
    assert parlour.join("Alpha", "one").got(wire.Welcome)


def test_ruling_A7_where_there_is_a_list_any_other_team_is_TEAM_UNKNOWN() -> None:
    parlour = Parlour(THREE, teams={"Alpha": "one", "Beta": "two"})
    assert parlour.join("Gamma", "one").error() == "TEAM_UNKNOWN"
    assert parlour.join("alpha", "one").error() == "TEAM_UNKNOWN"
    assert parlour.join("Alpha", "two").error() == "TEAM_TAKEN"
    assert parlour.join("Alpha", "one").got(wire.Welcome)
    parlour.restart()
    assert parlour.join("Gamma", "one").error() == "TEAM_UNKNOWN"
    assert parlour.join("Beta", "two").got(wire.Welcome)


def test_ruling_A7_TABLE_FULL() -> None:
    parlour = table()
    assert parlour.join("C").error() == "TABLE_FULL"


def test_ruling_A7_a_busted_seat_stays_its_teams() -> None:
    parlour = table(THREE, secrets=[deal_where(3, ranked(2, 0, 1))])
    parlour.play(("RAISE_TO", 10_000), "CALL", "FOLD")
    assert parlour.stacks[1] == 0
    assert parlour.join("D").error() == "TABLE_FULL"


@for_each(
    "frame, field",
    [
        ({"type": "hello", "v": 1, "team": "A"}, "join_code"),
        ({"type": "hello", "v": 1, "join_code": "x"}, "team"),
        ({"type": "hello", "v": 2, "team": "A", "join_code": "x"}, "$.v"),
        ({"type": "hello", "v": 1, "team": 7, "join_code": "x"}, "team"),
        ({"type": "hello", "v": 1, "team": "", "join_code": "x"}, "team"),
        ({"type": "hello", "v": 1, "team": "A", "join_code": "x", "resume_from": "1"}, "resume_from"),
        ({"v": 1, "team": "A", "join_code": "x"}, "type"),
    ],
)
def test_ruling_A7_BAD_SCHEMA_names_the_field(frame: dict[str, Any], field: str) -> None:
    parlour = Parlour(THREE)
    guest = parlour.connect("A")
    guest.say(frame)
    assert field in guest.last(wire.Error).msg
    assert guest.error() == "BAD_SCHEMA"
    assert not parlour.history.seats


def test_ruling_A7_UNKNOWN_TYPE() -> None:
    guest = Parlour(THREE).connect("A")
    guest.say({"type": "chat", "v": 1, "text": "nice hand"})
    assert guest.error() == "UNKNOWN_TYPE"


def test_ruling_A7_RATE_LIMITED_states_when_to_retry() -> None:
    parlour = Parlour(THREE)
    guest = parlour.join("A")
    for _ in range(60):
        guest.say("x")
    limited = [error for error in guest.got(wire.Error) if error.code == "RATE_LIMITED"]
    assert limited
    assert 0 < (limited[0].retry_after_ms or 0) <= 1000
    parlour.pass_time((limited[0].retry_after_ms or 0) / 1000)
    guest.news()
    guest.say("x")
    assert guest.error() == "BAD_SCHEMA", "heard again"


def test_ruling_A7_codes_are_stored_hashed() -> None:
    parlour = table(THREE)
    parlour.restart()
    parlour.join("A", CODE + "A")
    written = b"".join(row.body for row in parlour.disk.rows["T-1"])
    assert CODE.encode() not in written
    assert CODE.encode().hex().encode() not in written
    listed = Parlour(THREE, teams={"Alpha": "a-very-secret-code"})
    listed.join("Alpha", "a-very-secret-code")
    assert b"a-very-secret" not in b"".join(row.body for row in listed.disk.rows["T-1"])


def test_ruling_A7_two_teams_with_the_same_code_have_different_hashes() -> None:
    parlour = Parlour(THREE)
    parlour.join("A", "same")
    parlour.join("B", "same")
    assert parlour.history.seats[0].lock != parlour.history.seats[1].lock


def test_ruling_A7_codes_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def compare(one: str, other: str) -> bool:
        compared.append((len(one), len(other)))
        return one == other

    monkeypatch.setattr(hmac, "compare_digest", compare)
    lock = Lock.on("right", bytes(16))
    assert lock.opens("right")
    assert not lock.opens("a wrong one that is longer")
    assert compared == [(64, 64), (64, 64)], "hashes of one length, whatever the code"


def test_ruling_A7_no_error_ever_repeats_a_code() -> None:
    parlour = Parlour(THREE, teams={"Alpha": "right-code"})
    for team in ("Alpha", "Beta"):
        guest = parlour.join(team, "tried-code")
        assert "code" not in guest.last(wire.Error).msg.replace("join_code", "")


# --- A9: bounded matches, numbers


def test_ruling_A9_a_match_may_be_bounded() -> None:
    parlour = table(Settings(seats=2, max_hands=3))
    guest = parlour.at[0]
    assert guest.last(wire.Welcome).config.max_hands == 3
    for _ in range(3):
        parlour.play_hand()
    assert guest.last(wire.MatchEnd).reason == "max_hands"
    assert [row.stack for row in guest.last(wire.MatchEnd).final_stacks] == [10_050, 9_950]
    assert guest.last(wire.MatchEnd).winner == wire.Winner(seat=1, team="B")
    assert guest.last(wire.MatchEnd).winners is None


@pytest.mark.parametrize("restarts", [False, True])
def test_ruling_A9_final_stacks_are_in_reverse_order_of_elimination(restarts: bool) -> None:
    parlour = table(THREE, secrets=[deal_where(3, ranked(2, 0, 1)), deal_where(2, ranked(0, 1))])
    parlour.play(("RAISE_TO", 10_000), "CALL", "FOLD")
    if restarts:
        parlour.restart()
        for team in "ABC":
            parlour.join(team)
    parlour.play(("RAISE_TO", parlour.to_act.question().max_raise_to or 0), "CALL")
    final = parlour.at[0].last(wire.MatchEnd).final_stacks
    assert [(row.team, row.stack, row.place) for row in final] == [("A", 30_000, 1), ("C", 0, 2), ("B", 0, 3)]


def test_ruling_A9_by_default_it_is_not() -> None:
    assert Settings().max_hands is None
    parlour = table()
    assert "max_hands" not in parlour.at[0].frames[0]
    for _ in range(30):
        parlour.play_hand()
    assert not parlour.witness.over


def test_ruling_A9_every_event_carries_hand_id_and_a_running_seq_over_a_whole_match() -> None:
    parlour = table(Settings(seats=2, stack=500), secrets=[deal_where(2, ranked(0, 1))] * 9)
    guest = parlour.at[0]
    while not parlour.witness.over:
        parlour.play_hand(("RAISE_TO", parlour.to_act.question().max_raise_to or 0))
    numbered = [json.loads(frame) for frame in guest.frames if '"seq"' in frame]
    assert [frame["seq"] for frame in numbered] == list(range(1, len(numbered) + 1))
    assert all(frame["hand_id"] for frame in numbered if frame["type"] == "event")
    assert numbered[-1]["type"] == "match_end"


def test_ruling_A9_seq_has_no_gap_across_restarts() -> None:
    parlour = table(Settings(seats=2, max_hands=6))
    story: list[int] = []
    while not parlour.witness.over:
        for team in "AB":
            if team not in {guest.team for guest in parlour.at.values()}:
                parlour.join(team, resume_from=story[-1] if story and team == "A" else None)
        legal = parlour.to_act.question().legal or ()
        parlour.play("CHECK" if "CHECK" in legal else "CALL")
        story += numbers(next(guest for guest in parlour.guests.values() if guest.team == "A"), story)
        if not parlour.witness.over:
            parlour.restart()
    assert story == list(range(1, len(story) + 1))


def numbers(guest: Guest, story: list[int]) -> list[int]:
    """What a guest was sent that it had not been sent before."""
    known = set(story)
    sent = [
        message.seq for message in guest.inbox if not isinstance(message, wire.Snapshot) and hasattr(message, "seq")
    ]
    assert known.isdisjoint(sent) or not story, "told again what it had seen"
    return sent


def test_ruling_A9_resume_from_repeats_exactly_the_missed_frames() -> None:
    parlour = table()
    guest = parlour.at[1]
    parlour.play("CALL")
    seen = guest.last(wire.CallMessage).seq
    guest.leave()
    parlour.pass_time(15.0)
    assert parlour.match.to_act == 0, "B was away by then, and was not waited for on the flop"
    parlour.play("CHECK")
    back = parlour.join("B", resume_from=seen)
    kinds = [type(message) for message in back.inbox]
    assert kinds == [
        wire.Welcome,
        wire.CheckMessage,
        wire.Flop,
        wire.CheckMessage,
        wire.CheckMessage,
        wire.TurnCard,
        wire.CheckMessage,
        wire.Snapshot,
        wire.Lobby,
    ]
    again = parlour.join("B", resume_from=back.last(wire.CheckMessage).seq)
    assert [type(message) for message in again.inbox] == [wire.Welcome, wire.Snapshot, wire.Lobby]


def test_ruling_A9_resume_from_reaches_back_into_the_hand_before() -> None:
    parlour = table()
    guest = parlour.at[1]
    seen = guest.last(wire.PostBlinds).seq
    guest.leave()
    parlour.play("FOLD")
    back = parlour.join("B", resume_from=seen)
    numbered = [message for message in back.inbox if hasattr(message, "seq") and not isinstance(message, wire.Snapshot)]
    assert [message.seq for message in numbered] == list(range(seen + 1, parlour.room.match.seq + 1))
    assert isinstance(numbered[0], wire.FoldMessage)


@pytest.mark.parametrize("ahead", [1, 2**52])
def test_ruling_A9_resume_from_beyond_the_end_is_recognised_and_repeats_no_frame(ahead: int) -> None:
    parlour = table()
    back = parlour.join("B", resume_from=parlour.room.match.seq + ahead)
    assert [type(message) for message in back.inbox] == [wire.Welcome, wire.Error, wire.Snapshot, wire.Lobby]
    assert back.last(wire.Error).code == "RESUME_AHEAD"
    level = parlour.join("A", resume_from=parlour.room.match.seq)
    assert wire.Error not in [type(message) for message in level.inbox]


def test_ruling_A9_hand_ids_are_unique_and_count_up() -> None:
    parlour = table(limits=Limits())
    for _ in range(4):
        parlour.play_hand()
    ids = [start.hand_id for start in parlour.at[0].got(wire.StartHand)]
    assert ids == [f"H-2026-11-15-0000{number}" for number in range(1, 6)]
