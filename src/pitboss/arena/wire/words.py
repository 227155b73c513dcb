"""The words of the protocol: actions, phases of a hand, and codes of errors."""

from typing import Literal

Word = Literal["FOLD", "CHECK", "CALL", "RAISE_TO", "DRAW", "RUNS"]
Phase = Literal[
    "WAITING",
    "PRE_FLOP",
    "FLOP",
    "TURN",
    "RIVER",
    "SECOND_STREET",
    "THIRD_STREET",
    "FOURTH_STREET",
    "FIFTH_STREET",
    "SIXTH_STREET",
    "SEVENTH_STREET",
    "PRE_DRAW",
    "DRAW_1",
    "DRAW_2",
    "DRAW_3",
    "SHOWDOWN",
]
ErrorCode = Literal[
    "BAD_SCHEMA",
    "UNKNOWN_TYPE",
    "TEAM_TAKEN",
    "TEAM_UNKNOWN",
    "TABLE_FULL",
    "INVALID_ACTION",
    "OUT_OF_TURN",
    "ACTION_TOO_LATE",
    "RATE_LIMITED",
    "RESUME_AHEAD",
    "BUY_IN_OUT_OF_RANGE",
    "NOT_SEATED",
    "TOP_UP_OUT_OF_RANGE",
]
