"""Records frame by frame: which frames belong together, which numbers are missing, and what a gap may be explained by.

A record is written in words, one a frame: `h1@1` is the start of hand 1 with number 1, `end1@3` its end, `e@2` an
event.
"""

import json
from typing import Any

import msgspec

from pitboss.arena.verify.frames import RecordLine, _is_cut_off, read_frames, split_by_table
from pitboss.arena.verify.transcript import read_transcript
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import Mix
from tests.support.arena.matches import played
from tests.support.for_each import for_each

CONFIG = wire.Config(variant="no_limit_holdem", seats=2, starting_stack=100, sb=1, bb=2, move_time_ms=1000)
YOU: dict[str, Any] = {"hole": [], "stack": 100, "to_call": 0}
SHOWN: dict[str, Any] = {"v": 1, "at_hand_id": None, "next_actor": None, "time_ms_remaining": None}
TABLE: dict[str, Any] = {"players": [], "community": [], "pot": 0}
SNAPSHOT = {"type": "snapshot", "phase": "WAITING", "you": {"seat": 0, **YOU}, **TABLE, **SHOWN}
GAME_VIEW = {"type": "view", "seat": 0, "place": None, "learned": [], "stacks": [], **SHOWN}
BLINDS = {"sb": 1, "bb": 2, "seats": 2, "button": 0}
ACT = {
    "type": "act",
    "v": 1,
    "seat": 0,
    "phase": "PRE_FLOP",
    "you": {"time_ms": 1, **YOU},
    "table": BLINDS,
    "legal": [],
}


def frame(word: str) -> wire.ServerMessage:
    """A frame of which nothing matters but what the word says."""
    name, _, number = word.partition("@")
    kind, digits, other = name.rstrip("0123456789'"), name.strip("abcdefghijklmnopqrstuvwxyz'"), name.endswith("'")
    seq, hand = int(number or 0), f"H-{digits}" if digits else ""
    match kind:
        case "welcome":
            return wire.Welcome(table_id="T-2" if other else "T-1", seat=int(digits), config=CONFIG)
        case "table":
            return wire.TableMessage(table_id="T-2" if other else "T-1", config=CONFIG)
        case "lobby":
            return wire.Lobby(players=())
        case "view" if other:
            return msgspec.convert(GAME_VIEW | {"seq": seq}, wire.GameView)
        case "view":
            return msgspec.convert(SNAPSHOT | {"seq": seq}, wire.Snapshot)
        case "act":
            return msgspec.convert(ACT | TABLE | {"hand_id": hand, "turn": seq}, wire.Act)
        case "ask":
            return wire.Ask(hand_id=hand, seat=0, place=0, learned=(), legal=(), time_ms=1000, turn=seq)
        case "mix":
            return Mix(hand_id=hand, attempt=1, seats=(), commit="00" * 32, numbers=(), seq=seq)
        case "h":
            commit = ("11" if other else "00") * 32
            return wire.StartHand(hand_id=hand, seed=0, button=0, stacks=(), commit=commit, seq=seq)
        case "e":
            return wire.CheckMessage(hand_id=hand, seat=int(other), seq=seq)
        case "void":
            return wire.VoidMessage(hand_id=hand, reason="", seq=seq)
        case "end":
            return wire.EndHand(hand_id=hand, stacks=(), chain="00" * 32, seq=seq)
        case "over":
            return wire.MatchEnd(winner=None, final_stacks=(), reason="max_hands", seq=seq)
        case "reveal":
            hands = [wire.RevealedHand(hand_id=f"H-{digit}", secret="00" * 32, deck="") for digit in digits]
            return wire.Reveal(hands=tuple(hands))
        case "turn":
            return wire.Turn(hand_id=hand, seat=0, time_ms=1000)
        case "error":
            return wire.Error(code="BAD_SCHEMA", msg="")
    raise ValueError(word)


def looked_through(record: str) -> list[str]:
    """One line per session with its lines and gaps; below it, its faults."""
    found, homeless = split_by_table([RecordLine(number, frame(word)) for number, word in enumerate(record.split(), 1)])
    said = list(homeless)
    for sitting in found:
        lines = ",".join(str(line.number) for line in sitting.lines)
        later = "".join(f" later {type(message).__name__}" for message in sitting.later)
        said.append(f"{sitting.table} {lines}{''.join(f' gap {a}-{b}' for a, b in sitting.gaps)}{later}")
        said += [problem.partition(": frames are hidden")[0] for problem in sitting.problems]
    return said


@for_each(
    "record, expected",
    [
        (
            "error lobby welcome0 error lobby h1@1",
            [
                "line 2: expected welcome or table first, got lobby",
                "T-1 3,4,5,6",
            ],
        ),
        (
            "h1@1 e@2",
            [
                "line 1: expected welcome or table first, got start_hand of H-1",
                "line 2: expected welcome or table first, got CHECK",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@3",
            [
                "T-1 1,2,3,4",
                "line 4: expected frame 2, got frame 3",
                "line 4: frame 2 was missing, and no reconnect explains the gap",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 e@2",
            [
                "T-1 1,2,3,4,5",
                "line 5: expected frame 3, got frame 2",
                "line 5: frame 2 was sent again after frame 2, without a reconnect",
            ],
        ),
        (
            "welcome0 lobby h1@3 e@4",
            [
                "T-1 1,2,3,4 gap 1-2",
            ],
        ),
        (
            "welcome0 lobby mix1@1 h1@2 e@3",
            [
                "T-1 1,2,3,4,5",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 void1@9 end1@10",
            [
                "T-1 1,2,3,4,5,6 gap 3-8",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@4 void1@9",
            [
                "T-1 1,2,3,4,5 gap 5-8",
                "line 4: expected frame 2, got frame 4",
                "line 4: frames 2 to 3 were missing, and no reconnect explains the gap",
            ],
        ),
        (
            "welcome0 lobby h1@1 void1@1",
            [
                "T-1 1,2,3,4",
                "line 4: expected frame 2, got frame 1",
                "line 4: frame 1 was sent again after frame 1, without a reconnect",
                (
                    "line 4: frame 1 differs from the first time it was sent "
                    "(expected start_hand of H-1, got HAND_VOIDED of H-1)"
                ),
            ],
        ),
        (
            "welcome0 view@0 lobby h1@1 e@2 welcome0 view@4 lobby e@5",
            [
                "T-1 1,2,3,4,5,6,7,8,9 gap 3-4",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0 view@2 lobby e@3",
            [
                "T-1 1,2,3,4,5,6,7,8",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0 view@1 lobby e@2",
            [
                "T-1 1,2,3,4,5,6,7,8",
                "line 6: expected a snapshot at frame 2 or later, got one at frame 1",
                "line 8: frame 2 was sent again after frame 2, without a reconnect",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0 view'@4 lobby e@5",
            [
                "T-1 1,2,3,4,5,6,7,8 gap 3-4",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0 lobby e@3",
            [
                "T-1 1,2,3,4",
                "T-1 5,6,7 gap 1-2",
                "line 5: expected a snapshot after seat 0 reconnected, got none",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0 lobby e@5 over@6 reveal1",
            [
                "T-1 1,2,3,4 later MatchEnd later Reveal",
                "T-1 5,6,7,8,9 gap 1-4",
                "line 9: the deck of H-1 is revealed out of order",
                "line 5: expected a snapshot after seat 0 reconnected, got none",
            ],
        ),
        (
            "welcome0 lobby h1@1 over@2 welcome0 lobby h1@3",
            [
                "T-1 1,2,3,4",
                "T-1 5,6,7 gap 1-2",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0 lobby h1@1 e@2",
            [
                "T-1 1,2,3,4",
                "T-1 5,6,7,8",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome1 lobby e@5",
            [
                "T-1 1,2,3,4",
                "T-1 5,6,7 gap 1-4",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0' lobby e@3",
            [
                "T-1 1,2,3,4",
                "T-2 5,6,7 gap 1-2",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0' lobby h1@1 welcome0 view@2 lobby e@3",
            [
                "T-1 1,2,3,4,8,9,10,11",
                "T-2 5,6,7",
            ],
        ),
        (
            "welcome0 lobby h1@1 view@1 e@2",
            [
                "T-1 1,2,3,4,5",
                "line 4: expected a welcome before this snapshot",
            ],
        ),
        (
            "welcome0 lobby h1@1 welcome0 e@2 view@2 e@3",
            [
                "T-1 1,2,3,4,5,6,7",
            ],
        ),
        (
            "welcome0 lobby h1@1 welcome0 e@2 view@3 e@4",
            [
                "T-1 1,2,3,4,5,6,7 gap 3-3",
                "line 6: expected a snapshot at frame 2, got one at frame 3",
            ],
        ),
        (
            "welcome0 lobby h1@1 welcome0 void1@5 end1@6 view@9 lobby h2@10",
            [
                "T-1 1,2,3,4,5,6,7,8,9 gap 2-4 gap 7-9",
            ],
        ),
        (
            "welcome0 lobby h1@1 welcome0 void1@5 e@6 view@9 lobby h2@10",
            [
                "T-1 1,2,3,4,5,6,7,8,9 gap 2-4 gap 7-9",
                "line 7: expected a snapshot at frame 6, got one at frame 9",
            ],
        ),
        (
            "welcome0 lobby h1@1 welcome0 act@3 view@1",
            [
                "T-1 1,2,3",
                "T-1 4,5,6 gap 1-1",
            ],
        ),
        (
            "welcome0 lobby act@2 act@3 act@3 ask@2 ask@4",
            [
                "T-1 1,2,3,4,5,6,7",
                "line 5: expected a turn above 3, got turn 3",
                "line 6: expected a turn above 3, got turn 2",
            ],
        ),
        (
            "table lobby h1@5 e@6 e@7",
            [
                "T-1 1,2,3,4,5 gap 1-4",
            ],
        ),
        (
            "table lobby h1@1 e@2 table lobby h1@1 e@2 e@3",
            [
                "T-1 1,2,3,4,5,6,7,8,9",
            ],
        ),
        (
            "table lobby h1@1 e@2 table lobby h1@1 e'@2 e@3",
            [
                "T-1 1,2,3,4,5,6,7,8,9",
                "line 8: frame 2 differs from the first time it was sent (seat: expected 0, got 1)",
            ],
        ),
        (
            "table lobby h1@1 e@2 table lobby h1@1 e@2 e@4 e@5",
            [
                "T-1 1,2,3,4,5,6,7,8,9,10 gap 3-3",
                "line 9: expected frame 3, got frame 4",
            ],
        ),
        (
            "table lobby h1@1 e@2 end1@3 table lobby h3@8 e@9 e@11",
            [
                "T-1 1,2,3,4,5,6,7,8,9,10 gap 4-7",
                "line 10: expected frame 10, got frame 11",
                "line 10: frame 10 was missing, and no reconnect explains the gap",
            ],
        ),
        (
            "table lobby h1@1 e@2 table lobby h1'@1 e@2",
            [
                "T-1 1,2,3,4",
                "T-1 5,6,7,8",
            ],
        ),
        (
            "table lobby h1@1 e@2 table lobby h2@5 e@6",
            [
                "T-1 1,2,3,4,5,6,7,8 gap 3-4",
            ],
        ),
        (
            "table lobby h1@1 over@2 table lobby over@2",
            [
                "T-1 1,2,3,4,5,6,7",
            ],
        ),
        (
            "table lobby h1@1 over@2 table lobby h1@1 over@2",
            [
                "T-1 1,2,3,4,5,6,7,8",
            ],
        ),
        (
            "table lobby h1@1 over@2 table lobby h2@3",
            [
                "T-1 1,2,3,4",
                "T-1 5,6,7 gap 1-2",
            ],
        ),
        (
            "table lobby h1@1 over@2 table lobby h1@1",
            [
                "T-1 1,2,3,4,5,6,7",
            ],
        ),
        (
            "table lobby h1@1 over@2 table lobby",
            [
                "T-1 1,2,3,4",
                "T-1 5,6",
            ],
        ),
        (
            "table lobby e@5 table lobby h1@1",
            [
                "T-1 1,2,3,4,5,6 gap 1-4",
            ],
        ),
        (
            "table lobby h1@1 e@2 welcome0 lobby e@3",
            [
                "T-1 1,2,3,4",
                "T-1 5,6,7 gap 1-2",
            ],
        ),
        (
            "welcome0 lobby h1@1 end1@2 over@3 reveal1 welcome0 view@1 lobby",
            [
                "T-1 1,2,3,4,5,6,7,8,9",
                "line 6: the deck of H-1 is revealed out of order",
                "line 8: expected a snapshot at frame 3 or later, got one at frame 1",
            ],
        ),
        (
            "welcome0 lobby h1@1 h2@2 reveal2 over@3",
            [
                "T-1 1,2,3,4,5,6",
            ],
        ),
        (
            "welcome0 lobby h1@1 h2@2 reveal12 over@3",
            [
                "T-1 1,2,3,4,5,6",
            ],
        ),
        (
            "welcome0 lobby h1@1 h2@2 reveal21 over@3",
            [
                "T-1 1,2,3,4,5,6",
                "line 5: the deck of H-1 is revealed out of order",
            ],
        ),
        (
            "welcome0 lobby h1@1 h2@2 reveal1 reveal1 over@3",
            [
                "T-1 1,2,3,4,5,6,7",
                "line 6: the deck of H-1 is revealed out of order",
            ],
        ),
        (
            "welcome0 lobby h1@1 h2@2 over@3 reveal1",
            [
                "T-1 1,2,3,4,5,6",
                "line 6: the deck of H-1 is revealed out of order",
            ],
        ),
        (
            "welcome0 lobby h1@1 reveal1 e@2",
            [
                "T-1 1,2,3,4,5",
                "line 5: decks were revealed before this frame, but the match was not over",
            ],
        ),
        (
            "welcome0 lobby h1@1 turn error e@2 turn e@3",
            [
                "T-1 1,2,3,4,5,6,7,8",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0 view@2 turn lobby e@4",
            [
                "T-1 1,2,3,4,5,6,7,8,9",
                "line 9: expected frame 3, got frame 4",
                "line 9: frame 3 was missing, and no reconnect explains the gap",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0 turn lobby view@2 e@3",
            [
                "T-1 1,2,3,4",
                "T-1 5,6,7,8,9 gap 1-2",
                "line 8: expected a welcome before this snapshot",
            ],
        ),
        (
            "table lobby h1@3 over@4 welcome0 lobby over@4",
            [
                "T-1 1,2,3,4 gap 1-2",
                "T-1 5,6,7 gap 1-3",
            ],
        ),
        (
            "welcome0 lobby h1@1 welcome0 lobby h2@5 welcome0 lobby h3@9 over@10 reveal1",
            [
                "T-1 1,2,3 later MatchEnd later Reveal",
                "T-1 4,5,6 gap 1-4 later MatchEnd later Reveal",
                "line 4: expected a snapshot after seat 0 reconnected, got none",
                "T-1 7,8,9,10,11 gap 1-8",
                "line 11: the deck of H-1 is revealed out of order",
                "line 7: expected a snapshot after seat 0 reconnected, got none",
                "line 7: expected a snapshot after seat 0 reconnected, got none",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 end1@3 reveal1 over@4",
            [
                "T-1 1,2,3,4,5,6,7",
            ],
        ),
        (
            "welcome0 lobby h1@1 end1@2 reveal1 over@3 welcome0 view@2 reveal1 over@3 lobby",
            [
                "T-1 1,2,3,4,5,6,7,8,9,10,11",
            ],
        ),
        (
            "welcome0 lobby h1@1 end1@2 reveal1 over@3 welcome0 view@3 reveal1 over@3 lobby",
            [
                "T-1 1,2,3,4,5,6,7,8,9,10,11",
                "line 10: expected frame 4, got frame 3",
            ],
        ),
        (
            "welcome0 lobby h1@1 end1@2 reveal1 over@3 welcome0 view@1 reveal1 over@3 lobby",
            [
                "T-1 1,2,3,4,5,6,7,8,9,10,11",
                "line 8: expected a snapshot at frame 3 or later, got one at frame 1",
                "line 10: expected frame 2, got frame 3",
            ],
        ),
        (
            "welcome0 lobby h1@1 end1@2 reveal1 over@3 welcome0 view@2 reveal1 over@3 lobby h2@4",
            [
                "T-1 1,2,3,4,5,6,7,8,9,10,11,12",
            ],
        ),
        (
            "table lobby h1@1 end1@2 reveal1 over@3 table lobby reveal1 over@3",
            [
                "T-1 1,2,3,4,5,6,7,8,9,10",
            ],
        ),
        (
            "table lobby h1@1 e@2 table lobby turn h1@1 e@2 table lobby h1@1 e@2 e@3",
            [
                "T-1 1,2,3,4,5,6,7,8,9,10,11,12,13,14",
            ],
        ),
        (
            "welcome0 lobby h1@1 e@2 welcome0 void1@5 end1@6 view@6 lobby welcome0 view@6 lobby h2@7",
            [
                "T-1 1,2,3,4,5,6,7,8,9,10,11,12,13 gap 3-4",
            ],
        ),
    ],
)
def test_transcript_is_recognised_and_checked_for_gaps(record: str, expected: list[str]) -> None:
    assert looked_through(record) == expected


def test_invalid_lines_are_named_and_torn_ones_explained_by_a_reconnection() -> None:
    welcome, lobby, error = (wire.write(frame(word)) for word in ("welcome0", "lobby", "error"))
    torn, other, bare = lobby[:-3], '{"type":"weather","v":1}', "lobby"

    def read(*lines: str) -> tuple[list[int], list[str], list[str]]:
        frames, problems, notes = read_frames(lines)
        return [line.number for line in frames], problems, notes

    none, torn_first = "line {} is not a protocol message ({})", "line {} is not a protocol message (it is cut off)"
    weather = "Invalid value 'weather' - at `$.type`"
    malformed = "JSON is malformed: invalid character (byte 0)"
    assert read(welcome, "", "  ", lobby) == ([1, 4], [], [])
    assert read(welcome, torn) == ([1], [], ["line 2, the last line, is cut off"])
    for begins in (welcome, wire.write(frame("table")), error):
        note = "line 2 is cut off; a new connection begins in line 3"
        assert read(welcome, torn, begins) == ([1, 3], [], [note])
    assert read(welcome, torn, lobby) == ([1, 3], [torn_first.format(2)], [])
    assert read(welcome, torn, torn) == ([1], [torn_first.format(2)], ["line 3, the last line, is cut off"])
    assert read(torn, other) == ([], [torn_first.format(1), none.format(2, weather)], [])
    faults = [none.format(2, weather), none.format(3, malformed), none.format(4, malformed)]
    assert read(welcome, other, bare, bare[1:], lobby) == ([1, 5], faults, [])


@for_each(
    "line, cut_off",
    [
        ('{"type":', True),
        ('{"type":"lobby"', True),
        ('{"type" "lobby"}', False),
        ('["type",', False),
        ("truncated", False),
    ],
)
def test_only_the_beginning_of_a_frame_is_a_line_that_was_cut_off(line: str, cut_off: bool) -> None:
    assert _is_cut_off(line) is cut_off


def test_transcript_begins_at_number_one_or_without_a_number() -> None:
    frames = played(4).frames
    first = next(at for at, frame in enumerate(frames) if json.loads(frame).get("seq") is not None)
    for heard, begins in ((frames[:first], True), (frames, True), ([frames[0], *frames[first + 1 :]], False)):
        (sitting, *_) = read_transcript("me", heard).sittings
        assert sitting.from_its_beginning is begins
