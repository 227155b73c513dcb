"""The messages of 002 as they are printed there, shortened lists left short: what v1's first text had."""

from typing import Any, Final

FIRST: Final[dict[str, dict[str, Any]]] = {
    "hello": {"type": "hello", "v": 1, "team": "Alpha", "join_code": "KF7Q9C"},
    "action": {"type": "action", "v": 1, "hand_id": "H-2025-10-17-00123", "action": "RAISE_TO", "amount": 1200},
    "welcome": {
        "type": "welcome",
        "v": 1,
        "table_id": "T-1",
        "seat": 3,
        "config": {"variant": "HUNL", "seats": 8, "starting_stack": 10000, "sb": 50, "bb": 100, "move_time_ms": 15000},
    },
    "lobby": {
        "type": "lobby",
        "v": 1,
        "players": [{"seat": 0, "team": "Alpha", "connected": True, "stack": 10000}],
    },
    "start_hand": {
        "type": "start_hand",
        "v": 1,
        "hand_id": "H-2025-10-17-00123",
        "seed": 987654321,
        "button": 2,
        "stacks": [{"seat": 0, "stack": 10000}],
    },
    "act": {
        "type": "act",
        "v": 1,
        "hand_id": "H-2025-10-17-00123",
        "seat": 3,
        "phase": "FLOP",
        "you": {"hole": ["Ah", "Ad"], "stack": 9600, "to_call": 200, "time_ms": 15000},
        "table": {"sb": 50, "bb": 100, "seats": 4, "button": 2},
        "players": [{"seat": 0, "stack": 10450, "has_folded": False, "committed": 100}],
        "community": ["7h", "2d", "Qs"],
        "legal": ["FOLD", "CALL", "RAISE_TO"],
        "call_amount": 200,
        "min_raise_to": 600,
        "max_raise_to": 9600,
    },
    "end_hand": {
        "type": "end_hand",
        "v": 1,
        "hand_id": "H-2025-10-17-00123",
        "stacks": [{"seat": 0, "stack": 10450}],
    },
    "snapshot": {
        "type": "snapshot",
        "v": 1,
        "at_hand_id": "H-2025-10-17-00123",
        "phase": "TURN",
        "you": {"seat": 3, "hole": ["Ah", "Ad"], "stack": 9400, "to_call": 400},
        "players": [],
        "community": ["7h", "2d", "Qs", "9c"],
        "next_actor": 1,
        "time_ms_remaining": 3200,
        "legal": ["FOLD", "CALL", "RAISE_TO"],
        "call_amount": 400,
        "min_raise_to": 1200,
        "max_raise_to": 9400,
    },
    "match_end": {
        "type": "match_end",
        "v": 1,
        "winner": {"seat": 6, "team": "GammaBot"},
        "final_stacks": [{"seat": 6, "team": "GammaBot", "stack": 80000}],
    },
    "error": {"type": "error", "v": 1, "code": "INVALID_ACTION", "msg": "Raise below min"},
    "POST_BLINDS": {"type": "event", "v": 1, "ev": "POST_BLINDS", "sb_seat": 0, "bb_seat": 1, "sb": 50, "bb": 100},
    "BET": {"type": "event", "v": 1, "ev": "BET", "seat": 3, "amount": 1200},
    "CALL": {"type": "event", "v": 1, "ev": "CALL", "seat": 3, "amount": 1200},
    "CHECK": {"type": "event", "v": 1, "ev": "CHECK", "seat": 3},
    "FOLD": {"type": "event", "v": 1, "ev": "FOLD", "seat": 3},
    "FLOP": {"type": "event", "v": 1, "ev": "FLOP", "cards": ["7h", "2d", "Qs"]},
    "TURN": {"type": "event", "v": 1, "ev": "TURN", "card": "9c"},
    "RIVER": {"type": "event", "v": 1, "ev": "RIVER", "card": "3s"},
    "SHOWDOWN": {
        "type": "event",
        "v": 1,
        "ev": "SHOWDOWN",
        "seat": 3,
        "hand": ["Ah", "Ad"],
        "board": ["7h", "2d", "Qs", "9c", "3s"],
        "rank": "pair",
    },
    "POT_AWARD": {"type": "event", "v": 1, "ev": "POT_AWARD", "seat": 3, "amount": 1200},
    "ELIMINATED": {"type": "event", "v": 1, "ev": "ELIMINATED", "seat": 3},
}

ERRORS: Final = {"BAD_SCHEMA", "TEAM_TAKEN", "TEAM_UNKNOWN", "INVALID_ACTION", "OUT_OF_TURN", "ACTION_TOO_LATE"}

ENVELOPE: Final = {"type", "v", "ts", "ev"}
