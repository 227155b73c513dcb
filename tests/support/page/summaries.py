"""Entries of `/api/tables` for the page's tests."""

from typing import Any


def summary(table_id: str, *teams: str, stack: int = 10_000, **changes: Any) -> dict[str, Any]:
    """A table at which these teams sit, waiting for its first hand unless the changes say otherwise."""
    players = [{"seat": seat, "team": team, "connected": True, "stack": stack} for seat, team in enumerate(teams)]
    config = {"variant": "HUNL", "seats": 6, "starting_stack": stack, "sb": 50, "bb": 100, "move_time_ms": 15_000}
    entry = {"table_id": table_id, "config": config, "players": players, "hand_id": None, "phase": "WAITING"}
    return {**entry, "over": False, "open": True, "free": 6 - len(teams), "missing": [], **changes}
