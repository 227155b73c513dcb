"""What no verifying can notice, and why: the whole list, which docs/arena.md prints and a test holds to the facts.

A pattern means forgeries by their names (`forgeries.py`). Of each at least one must really pass; what passes and is not
listed fails the test.
"""

from typing import Literal

from msgspec import Struct

Where = Literal["journal", "journal and record", "record", "record of another game", "record and journal"]

HEADINGS: dict[Where, str] = {
    "journal": "A journal alone, by whoever can write the file and computes all its hashes again",
    "journal and record": "A journal, held against a participant's record",
    "record": "A participant's record alone, of poker",
    "record of another game": "A participant's record alone, of a game that is no poker",
    "record and journal": "A participant's record, held against the journal",
}


class Unknowable(Struct, frozen=True):
    """One thing that passes: where, by which forgeries, and why."""

    where: tuple[Where, ...]
    patterns: tuple[str, ...]
    says: str


LAST_DAY = "hand_started.hand_id: other day"
"""Passes only in a match's last hand, which a test that forges the first ones does not come to."""
HALF_MISSED = ("*, act: swapped", "reveal.hands: shortened")
"""Pass only after a hand of which the beginning was missed, to which not every stormy match comes."""
_RECORDS: tuple[Where, ...] = ("record", "record of another game", "record and journal")

UNKNOWABLE = (
    Unknowable(
        ("journal",),
        ("seated.team: other text",),
        "Another name for a team: nothing else hangs on it.",
    ),
    Unknowable(
        ("journal",),
        ("seated.lock.*: other hash",),
        "The hash of a join code.",
    ),
    Unknowable(
        ("journal",),
        ("*: this and all after it dropped", "match_ended: dropped"),
        "An end that is cut off: the rest is a shorter match. The witness beside the journal and any record show it.",
    ),
    Unknowable(
        ("journal",),
        ("table_opened.rules: other text",),
        "The version of the rules. A journal of other rules that this version's do not fit is only summed up, so check "
        "it by the version that it names.",
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
        "A setting that never decided anything in the match: the time for a turn, an empty chair, a bound that was not "
        "reached, a limit that nobody ran into.",
    ),
    Unknowable(
        ("journal",),
        ("table_opened.settings.small_blind: *", "table_opened.settings.big_blind: *"),
        "The blinds of a game that has none.",
    ),
    Unknowable(
        ("journal",),
        ("acted.cause: other word",),
        "Whether a seat did something itself, or it was done for it when its time was up, where both come to the same.",
    ),
    Unknowable(
        ("journal",),
        ("hand_voided.reason: *",),
        "The words that say why a hand is void; that something was lost is checked, not what.",
    ),
    Unknowable(
        ("journal",),
        (LAST_DAY,),
        "The day on which the last hands were played.",
    ),
    Unknowable(
        ("journal",),
        ("acted, seated: swapped",),
        "When in a hand that it is not in somebody sat down.",
    ),
    Unknowable(
        ("journal and record",),
        (),
        "Nothing, up to the last frame of the record; what came after it is as in a journal alone.",
    ),
    Unknowable(
        _RECORDS,
        ("*: this and all after it dropped", "match_end: dropped"),
        "That a record ends early: it says nothing of what came later.",
    ),
    Unknowable(
        _RECORDS,
        ("*: field added",),
        "A field that this version does not know: it is not read.",
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
        "Whether the layout of the game, the pots and the hands of a run-out were sent: older arenas do not send them.",
    ),
    Unknowable(
        _RECORDS,
        ("lobby: dropped", "lobby: twice", "lobby, *: swapped", "*, lobby: swapped", "lobby.players: shortened"),
        "When exactly a lobby was sent, and so whether it named the last to sit down already: it has no number.",
    ),
    Unknowable(
        _RECORDS,
        ("lobby.players.*.connected: turned",),
        "Whether somebody else was connected: the journal does not say.",
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
        "The first of the frames that are sent again after a reconnect, or of a record without the journal: it may "
        "have been missed.",
    ),
    Unknowable(
        ("record", "record and journal"),
        ("CHECK: dropped", "BET: dropped"),
        "The last frame before a reconnect, of a hand that is void by then: it may have been missed.",
    ),
    Unknowable(
        ("record", "record of another game"),
        ("end_hand.chain: other hash",),
        "The heads of the hash chain: the journal alone has them.",
    ),
    Unknowable(
        ("record", "record of another game"),
        ("welcome.table_id: other text",),
        "The table's name.",
    ),
    Unknowable(
        ("record",),
        ("HAND_VOIDED.reason: *", *HALF_MISSED),
        "In and after a hand that was missed in part or is void: why, and what only its beginning would show.",
    ),
    Unknowable(
        ("record",),
        ("welcome.config.*: *",),
        "A setting that never decided anything in the hands that were seen.",
    ),
    Unknowable(
        ("record of another game",),
        (
            "HAPPENED.event*",
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
        "What happens in the game and to its points: others' moves are not all sent, so that only the journal can be "
        "played again. The secret is held against its commitment, and chips from hand to hand.",
    ),
)


def format_unknowable() -> str:
    """The list as docs/arena.md prints it."""
    parts = []
    for where, heading in HEADINGS.items():
        rows = [f"- {one.says}" for one in UNKNOWABLE if where in one.where]
        parts.append("\n".join([f"*{heading}:*", *rows]))
    return "\n\n".join(parts)
