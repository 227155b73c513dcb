"""002, the messages: each is sent with its fields and types as printed, and each error code when it is due."""

import json
from typing import Any, get_args

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import Parlour, deal_where, ranked
from tests.support.arena.seed_messages import ERRORS, FIRST
from tests.support.for_each import for_each

ADDED: dict[str, set[str]] = {
    "config": {"timeout_policy", "max_hands", "games", "away_pace_ms"},
    "start_hand": {"commit", "seq"},
    "act": {"pot", "turn"},
    "snapshot": {"table", "pot", "turn", "seq"},
    "end_hand": {"chain", "seq"},
    "match_end": {"reason", "seq"},
    "final_stacks": {"place"},
    "error": {"retry_after_ms"},
    "POST_BLINDS": {"sb_posted", "bb_posted", "pots"},
    "BET": {"to", "pots"},
    "CALL": {"auto", "pots"},
    "CHECK": {"auto"},
    "FOLD": {"auto", "pots"},
    "FLOP": {"opened", "hands"},
    "TURN": {"opened", "hands"},
    "RIVER": {"opened", "hands"},
    "SHOWDOWN": {"opened"},
    "POT_AWARD": {"pot"},
}
"""What the rulings add; every event also has `hand_id` and `seq`."""

OPTIONAL = {
    "act": {"call_amount", "min_raise_to", "max_raise_to"},
    "snapshot": {"call_amount", "min_raise_to", "max_raise_to", "legal"},
}
"""Fields that are only sent if they have a value."""


@pytest.fixture(scope="module")
def sent() -> dict[str, list[dict[str, Any]]]:
    """Every frame of a short match, by kind: two hands, with everything that can happen in them."""
    wins = deal_where(3, ranked(2, 0, 1))
    parlour = Parlour(Settings(seats=3, stack=1000, start_at=3), secrets=[wins, wins, deal_where(2, ranked(0, 1))])
    guests = parlour.seat(3)
    guests[0].answer("CHECK")
    parlour.play("CALL", "CALL", "CHECK", "CHECK", "CHECK", ("RAISE_TO", 200), "CALL", "FOLD")
    again = parlour.join("A")
    parlour.play_hand("CALL")
    while not parlour.witness.over:
        parlour.play(("RAISE_TO", most) if (most := parlour.to_act.question().max_raise_to) else "CALL")
    frames = [json.loads(frame) for guest in (*guests, again) for frame in guest.frames]
    kinds: dict[str, list[dict[str, Any]]] = {}
    for frame in frames:
        kinds.setdefault(frame.get("ev", frame["type"]), []).append(frame)
    return kinds


@for_each("kind", [kind for kind in FIRST if kind not in ("hello", "action")])
def test_002_message_has_its_fields_and_types_as_printed(kind: str, sent: dict[str, list[dict[str, Any]]]) -> None:
    assert sent.get(kind), f"no {kind} was ever sent"
    for frame in sent[kind]:
        added = ADDED.get(kind, set()) | ({"hand_id", "seq"} if frame["type"] == "event" else set())
        assert_like(frame, FIRST[kind], kind, added)


def assert_like(frame: Any, printed: Any, where: str, added: set[str]) -> None:
    """A frame has the printed fields, each of the printed type, and besides only what was added."""
    if isinstance(printed, dict):
        assert isinstance(frame, dict), where
        missing = set(printed) - set(frame)
        assert missing <= OPTIONAL.get(where, set()), f"{where} lacks {missing}"
        assert set(frame) - set(printed) <= added, f"{where} has {set(frame) - set(printed) - added}"
        for name in set(printed) & set(frame):
            assert_like(frame[name], printed[name], f"{where}.{name}", ADDED.get(name, set()))
    elif isinstance(printed, list):
        assert isinstance(frame, list), where
        for item in frame if printed else ():
            assert_like(item, printed[0], f"{where}[]", ADDED.get(where.rpartition(".")[2], set()))
    elif where in ("snapshot.at_hand_id", "snapshot.next_actor", "snapshot.time_ms_remaining") and frame is None:
        pass  # between hands
    else:
        assert type(frame) is type(printed), f"{where}: {frame!r} where {printed!r} is printed"


def test_002_every_frame_has_the_envelope(sent: dict[str, list[dict[str, Any]]]) -> None:
    for frames in sent.values():
        for frame in frames:
            assert isinstance(frame["type"], str)
            assert frame["v"] == 1
            assert isinstance(frame.get("ts", ""), str)


def test_002_every_event_of_the_enumeration_was_seen(sent: dict[str, list[dict[str, Any]]]) -> None:
    events = {kind for kind in FIRST if kind.isupper()}
    assert events <= set(sent)
    assert {kind for kind in sent if kind.isupper()} - events <= {"REFUND"}, "an event that nobody has ruled"


def test_002_act_as_printed_field_by_field() -> None:
    parlour = Parlour(Settings(seats=4, stack=10_000, start_at=4), seed=5)
    guests = parlour.seat(4)
    parlour.play("CALL", "CALL", "CALL", "CHECK", ("RAISE_TO", 200))
    asked = json.loads(next(frame for frame in reversed(guests[2].frames) if '"act"' in frame))
    dealt = parlour.witness.hands[asked["hand_id"]]
    assert asked.pop("turn") > 0
    assert asked == {
        "type": "act",
        "v": 1,
        "hand_id": "H-2026-11-15-00001",
        "seat": 2,
        "phase": "FLOP",
        "you": {"hole": list(dealt.holes[2]), "stack": 9900, "to_call": 200, "time_ms": 15_000},
        "table": {"sb": 50, "bb": 100, "seats": 4, "button": 0},
        "players": [
            {"seat": 0, "stack": 9900, "has_folded": False, "committed": 0},
            {"seat": 1, "stack": 9700, "has_folded": False, "committed": 200},
            {"seat": 2, "stack": 9900, "has_folded": False, "committed": 0},
            {"seat": 3, "stack": 9900, "has_folded": False, "committed": 0},
        ],
        "community": list(guests[0].last(wire.Flop).cards),
        "legal": ["FOLD", "CALL", "RAISE_TO"],
        "call_amount": 200,
        "min_raise_to": 400,
        "max_raise_to": 9900,
        "pot": 600,
    }


def test_002_act_is_private() -> None:
    parlour = Parlour(Settings(seats=2), seed=5)
    guests = parlour.seat(2)
    spectator = parlour.watch()
    parlour.play("CALL")
    assert [act.seat for act in guests[0].got(wire.Act)] == [0]
    assert [act.seat for act in guests[1].got(wire.Act)] == [1]
    assert not spectator.got(wire.Act)


def test_002_snapshot_legal_fields_only_if_the_recipient_is_next() -> None:
    parlour = Parlour(Settings(seats=2), seed=5)
    parlour.seat(2)
    for team, asked in (("A", True), ("B", False)):
        parlour.join(team)
        frame = next(frame for frame in parlour.at["AB".index(team)].frames if '"snapshot"' in frame)
        fields = {"legal", "call_amount", "min_raise_to", "max_raise_to"}
        assert fields & set(json.loads(frame)) == (fields if asked else set())
        assert json.loads(frame)["next_actor"] == 0


def test_002_start_hand_stacks_include_forced_bets() -> None:
    parlour = Parlour(Settings(seats=2), seed=5)
    guest = parlour.seat(2)[0]
    assert [seat.stack for seat in guest.last(wire.StartHand).stacks] == [10_000, 10_000]


def test_002_match_end_names_the_winner_and_everybodys_stack() -> None:
    parlour = Parlour(Settings(seats=2), secrets=[deal_where(2, ranked(0, 1))])
    guest = parlour.seat(2)[0]
    parlour.play(("RAISE_TO", 10_000), "CALL")
    end = json.loads(guest.frames[-1])
    assert end["winner"] == {"seat": 1, "team": "B"}
    assert end["final_stacks"] == [
        {"seat": 1, "team": "B", "stack": 20_000, "place": 1},
        {"seat": 0, "team": "A", "stack": 0, "place": 2},
    ]


# --- errors


def test_002_error_BAD_SCHEMA() -> None:
    parlour = Parlour()
    guest = parlour.connect()
    for frame in ("", "no json", "[]", '{"type":"hello"}', '{"type":"action","v":1,"hand_id":7,"action":"CALL"}'):
        guest.say(frame)
        assert guest.error() == "BAD_SCHEMA"


def test_002_error_TEAM_TAKEN() -> None:
    parlour = Parlour()
    parlour.join("Alpha", "KF7Q9C")
    assert parlour.join("Alpha", "another").error() == "TEAM_TAKEN"


def test_002_error_TEAM_UNKNOWN() -> None:
    assert Parlour(teams={"Alpha": "KF7Q9C"}).join("Beta", "KF7Q9C").error() == "TEAM_UNKNOWN"


@for_each(
    "word, amount",
    [
        ("CHECK", None),
        ("RAISE_TO", 0),
        ("RAISE_TO", 100),
        ("RAISE_TO", 199),
        ("RAISE_TO", 10_001),
        ("RAISE_TO", 2**53 - 1),
    ],
)
def test_002_error_INVALID_ACTION(word: str, amount: int | None) -> None:
    parlour = Parlour(Settings(seats=2))
    guest = parlour.seat(2)[0]
    guest.news()
    guest.answer(word, amount)
    sentence = guest.last(wire.Error).msg
    assert sentence
    assert guest.error() == "INVALID_ACTION"
    assert parlour.match.to_act == 0


def test_002_error_INVALID_ACTION_call_without_a_bet() -> None:
    parlour = Parlour(Settings(seats=2))
    parlour.seat(2)
    parlour.play("CALL")
    guest = parlour.at[1]
    guest.news()
    guest.answer("CALL")
    assert guest.error() == "INVALID_ACTION"


def test_002_error_OUT_OF_TURN() -> None:
    parlour = Parlour(Settings(seats=2))
    guest = parlour.seat(2)[1]
    guest.news()
    guest.answer("CALL", hand_id=parlour.room.match.hand_id, turn=None)
    assert guest.error() == "OUT_OF_TURN"


def test_002_error_OUT_OF_TURN_before_hello() -> None:
    parlour = Parlour(Settings(seats=2))
    parlour.seat(2)
    stranger = parlour.connect()
    stranger.answer("FOLD", hand_id=parlour.room.match.hand_id, turn=None)
    assert stranger.error() == "OUT_OF_TURN"


def test_002_error_ACTION_TOO_LATE() -> None:
    parlour = Parlour(Settings(seats=2, move_time_ms=1000))
    guest = parlour.seat(2)[0]
    asked = guest.last(wire.Act)
    parlour.pass_time(1.0)
    guest.news()
    guest.answer("FOLD", hand_id=asked.hand_id, turn=asked.turn)
    assert guest.error() == "ACTION_TOO_LATE"


def test_002_every_printed_error_code_is_one_of_ours() -> None:
    ours = {"UNKNOWN_TYPE", "TABLE_FULL", "RATE_LIMITED", "RESUME_AHEAD"}
    cash = {"BUY_IN_OUT_OF_RANGE", "NOT_SEATED", "TOP_UP_OUT_OF_RANGE"}
    assert set(get_args(wire.ErrorCode)) == ERRORS | ours | cash
