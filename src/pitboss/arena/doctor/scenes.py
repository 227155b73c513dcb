"""The doctor's examination as data: one hand a scene, what is odd about it, and what a bot should do about that."""

import json
from typing import Literal

from msgspec import Struct

from pitboss.arena.doctor.table import Style
from pitboss.arena.v1.messages import Error, Phase, write


class Scene(Struct, frozen=True, kw_only=True):
    """One hand of the examination; the oddity comes before or with the bot's first question in it."""

    name: str
    advice: str  #: what to do where it goes wrong
    style: Style = "quiet"
    noise: tuple[str | bytes, ...] = ()  #: frames before the question
    grown: bool = False  #: every message has fields that v1 does not know
    stale: bool = False  #: events of the hand before are sent again
    twice: bool = False  #: the question is sent twice
    voided: bool = False  #: a hand is begun and taken back first
    pause: bool = False  #: another seat takes its time
    refused: Error | None = None  #: what the first answer is answered with
    drop: Literal["before", "in turn"] | None = None
    until: Phase | None = None  #: while the bot is away its clock plays until this phase
    theirs: bool = False  #: when it comes back it is somebody else's turn
    short: bool = False  #: little time
    exacting: bool = False  #: it is about what is on offer, so that a wrong answer fails it


NEWS = (
    json.dumps({"type": "weather", "v": 1, "sky": ["blue", None], "wind": {"from": "west", "knots": 12.5}}),
    json.dumps({"type": "event", "v": 1, "ev": "RABBIT_HUNT", "hand_id": "H-0", "seq": 1, "cards": ["2c"]}),
)
GARBAGE: tuple[str | bytes, ...] = (
    "",
    "no JSON",
    '{"type":',
    "[]",
    "null",
    "{}",
    '{"type":7,"v":1}',
    b"\x00\xffbinary",
)
ERRORS = (
    write(Error(code="OUT_OF_TURN", msg="seat 3 is asked")),
    write(Error(code="ACTION_TOO_LATE", msg="turn 1 is over")),
    write(Error(code="UNKNOWN_TYPE", msg="no message of a client is called 'chat'")),
    write(Error(code="BAD_SCHEMA", msg="Object missing required field `hand_id`")),
    write(Error(code="RESUME_AHEAD", msg="you have seen message 9, but this table has sent only 8")),
    json.dumps({"type": "error", "v": 1, "code": "TEA_BREAK", "msg": "a code that is not invented yet"}),
)
RETRY_AFTER_MS = 150

# The button goes round 5, 0, 2, 3: the bot has the big blind, the small blind, the button, the first word, and so on.
SCENES: tuple[Scene, ...] = (
    Scene(
        name="free check",
        advice="where CHECK is on offer nothing is owed, and `call_amount` is absent",
        exacting=True,
    ),
    Scene(
        name="unknown messages",
        advice="skip types, events and fields that you do not know: the protocol may grow",
        noise=NEWS,
        grown=True,
    ),
    Scene(
        name="garbage",
        advice="skip frames that are no message of the protocol and go on reading",
        noise=GARBAGE,
        style="raise",
    ),
    Scene(
        name="errors",
        advice="an `error` changes nothing: log it and go on",
        noise=ERRORS,
    ),
    Scene(
        name="duplicate act",
        advice="an `act` with the `turn` of the one before is the same question: answer it once",
        twice=True,
        stale=True,
    ),
    Scene(
        name="voided hand",
        advice="HAND_VOIDED ends the hand, and the chips it began with are back",
        voided=True,
    ),
    Scene(
        name="refused answer",
        advice="after INVALID_ACTION the turn and the clock go on: answer again, legally",
        refused=Error(code="INVALID_ACTION", msg="the doctor refuses the first answer, whatever it is"),
        style="raise",
    ),
    Scene(
        name="rate limit",
        advice="after RATE_LIMITED wait `retry_after_ms`, then send the answer again",
        refused=Error(code="RATE_LIMITED", msg="too many frames", retry_after_ms=RETRY_AFTER_MS),
    ),
    Scene(
        name="reconnect between hands",
        advice="connect again with the same team and join_code, and play on when you are asked",
        drop="before",
        until="FLOP",
        theirs=True,
    ),
    Scene(
        name="reconnect in mid-turn",
        advice="a `snapshot` with `legal` is your turn: answer it like an `act`, with its `at_hand_id` and `turn`",
        drop="in turn",
    ),
    Scene(
        name="snapshot on the turn",
        advice="while you were away the clock played for you: answer from the `snapshot`",
        drop="before",
        until="TURN",
    ),
    Scene(
        name="snapshot on the river",
        advice="while you were away the clock played for you: answer from the `snapshot`",
        drop="before",
        until="RIVER",
    ),
    Scene(
        name="one raise size",
        advice="where min_raise_to equals max_raise_to the only raise is all you have",
        style="squeeze",
        exacting=True,
    ),
    Scene(
        name="short time",
        advice="`you.time_ms` says how long there is: a quick answer is better than none",
        short=True,
    ),
    Scene(
        name="somebody else's turn",
        advice="say nothing until an `act` or a `snapshot` with `legal` asks you",
        pause=True,
    ),
    Scene(
        name="quiet hand",
        advice="an `act` is answered with an `action`",
    ),
    Scene(
        name="call for less",
        advice="CALL is legal with fewer chips than the price: `call_amount` is what it costs",
        style="shove",
        exacting=True,
    ),
)

IN_ANY_GAME: tuple[Scene, ...] = tuple(
    scene
    for scene in SCENES
    if scene.style == "quiet" and scene.until is None and scene.drop != "before" and not scene.exacting
)
"""Those that need neither the streets of hold'em nor its bets."""

Refusal = Literal["TEAM_TAKEN", "TEAM_UNKNOWN", "TABLE_FULL"]
REFUSED_HELLOS: dict[Refusal, str] = {
    "TEAM_TAKEN": "another client has this team's name",
    "TEAM_UNKNOWN": "the organiser's list has no such team",
    "TABLE_FULL": "every seat is taken",
}
