"""Every change that `arena verify` cannot notice, and why. docs/durability.md prints the list; a test checks it.

A pattern selects forgeries by their names (`forgeries.py`). At least one of each pattern must really pass, and the test
fails if a forgery passes that is not listed.
"""

from typing import Literal

from msgspec import Struct

Where = Literal["journal", "journal and record", "record", "record of another game", "record and journal"]

COLUMNS: tuple[Where, ...] = ("record", "record of another game", "record and journal")
"""The columns of the records' table on the page."""


class Unknowable(Struct, frozen=True):
    """One change that is not noticed: where, by which forgeries, and why."""

    where: tuple[Where, ...]
    patterns: tuple[str, ...]
    says: str


LAST_DAY = "hand_started.hand_id: other day"
"""Passes only in a match's last hand, which a test that forges the first ones does not reach."""
HALF_MISSED = ("*, act: swapped", "reveal.hands: shortened")
"""Pass only after a hand whose beginning was missed, which not every stormy match has."""
_RECORDS: tuple[Where, ...] = ("record", "record of another game", "record and journal")

UNKNOWABLE = (
    Unknowable(
        ("journal",),
        ("seated.team: other text",),
        "The name of a team.",
    ),
    Unknowable(
        ("journal",),
        ("seated.lock.*: other hash",),
        "The hash of a join code.",
    ),
    Unknowable(
        ("journal",),
        ("*: this and all after it dropped", "match_ended: dropped"),
        "A cut-off end: the rest is a shorter match. The witness and any record show it.",
    ),
    Unknowable(
        ("journal",),
        ("table_opened.rules: other text",),
        "The version of the rules. If the rules of this version do not fit, the journal is only summed up: check it "
        "with the version that it names.",
    ),
    Unknowable(
        ("journal",),
        (
            "table_opened.settings.seats: *",
            "table_opened.settings.start_at: *",
            "table_opened.settings.max_hands: *",
            "table_opened.settings.move_time_ms: *",
            "table_opened.settings.timeout_policy: *",
            "table_opened.settings.reopening: *",
            "table_opened.settings.game: *",
        ),
        "A setting that never mattered in the match, such as a limit that was not reached.",
    ),
    Unknowable(
        ("journal",),
        ("table_opened.settings.small_blind: *", "table_opened.settings.big_blind: *"),
        "The blinds of a game without blinds.",
    ),
    Unknowable(
        ("journal",),
        ("acted.cause: other word",),
        "Whether a seat acted itself or ran out of time, if the action is the same.",
    ),
    Unknowable(
        ("journal",),
        ("hand_voided.reason: *",),
        "The reason given for a void hand. That something was lost is checked.",
    ),
    Unknowable(
        ("journal",),
        (LAST_DAY,),
        "The day of the last hands.",
    ),
    Unknowable(
        ("journal",),
        ("acted, seated: swapped",),
        "When a team sat down during a hand in which it did not play.",
    ),
    Unknowable(
        ("journal and record",),
        (),
        "Nothing, up to the last frame of the record.",
    ),
    Unknowable(
        _RECORDS,
        ("*: this and all after it dropped", "match_end: dropped"),
        "That the record ends early.",
    ),
    Unknowable(
        _RECORDS,
        ("*: field added",),
        "A field that this version does not know.",
    ),
    Unknowable(
        ("record", "record and journal"),
        (
            "welcome.config.games: shortened",
            "*.pots: shortened",
            "FLOP.hands: shortened",
            "TURN.hands: shortened",
            "RIVER.hands: shortened",
        ),
        "Whether the game's layout, the pots and the hands of an all-in were sent: older servers do not send them.",
    ),
    Unknowable(
        _RECORDS,
        ("lobby: dropped", "lobby: twice", "lobby, *: swapped", "*, lobby: swapped", "lobby.players: shortened"),
        "When exactly a `lobby` was sent: it has no number.",
    ),
    Unknowable(
        _RECORDS,
        ("lobby.players.*.connected: turned",),
        "Whether other teams were connected.",
    ),
    Unknowable(
        _RECORDS,
        ("act.you.time_ms: -1", "ask.time_ms: *", "snapshot.time_ms_remaining: -1", "view.time_ms_remaining: -1"),
        "How much of a turn's time was left.",
    ),
    Unknowable(
        _RECORDS,
        ("welcome: twice", "*, welcome: swapped", "welcome, HAND_VOIDED: swapped"),
        "At which of two neighbouring frames a connection broke.",
    ),
    Unknowable(
        ("record", "record and journal"),
        ("HAND_VOIDED: dropped", "POST_BLINDS: dropped", "start_hand: dropped"),
        "The first frame, or the first of those sent again after a reconnect: it may have been missed.",
    ),
    Unknowable(
        ("record", "record and journal"),
        ("CHECK: dropped", "BET: dropped"),
        "The last frame before a reconnect, in a hand that is void by then: it may have been missed.",
    ),
    Unknowable(
        ("record", "record of another game"),
        ("end_hand.chain: other hash",),
        "The hashes of the chain: only the journal has the entries.",
    ),
    Unknowable(
        ("record", "record of another game"),
        ("welcome.table_id: other text",),
        "The name of the table.",
    ),
    Unknowable(
        ("record",),
        ("HAND_VOIDED.reason: *", *HALF_MISSED),
        "In and after a hand that was partly missed or is void: the reason, and what only its beginning shows.",
    ),
    Unknowable(
        ("record",),
        ("welcome.config.*: *",),
        "A setting that never mattered in the hands of the record.",
    ),
    Unknowable(
        ("record of another game",),
        (
            "HAPPENED.event*",
            "HAPPENED.text: other text",
            "HAPPENED, ask: swapped",
            "ask, HAPPENED: swapped",
            "ask.*",
            "ask: dropped",
            "start_hand.*",
            "start_hand: dropped",
            "end_hand.stacks*",
            "lobby.players*",
            "match_end.reason: *",
            "welcome.config.*",
            "welcome.seat: *",
        ),
        "The moves and points within a hand: a seat is not sent all moves. The secret is checked against its "
        "commitment, and chips from hand to hand.",
    ),
)


def format_unknowable() -> str:
    """Return the list as docs/durability.md prints it."""
    journal = [f"- {one.says}" for one in UNKNOWABLE if "journal" in one.where]
    rows = [
        f"| {one.says} | " + " | ".join("passes" if where in one.where else "" for where in COLUMNS) + " |"
        for one in UNKNOWABLE
        if set(one.where) & set(COLUMNS)
    ]
    head = "| a participant's record | alone, poker | alone, other games | with the journal |"
    return "\n".join(["In a journal alone:", "", *journal, "", head, "| --- | --- | --- | --- |", *rows])
