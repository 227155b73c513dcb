"""Table views for the page's tests: seats, zones and moves of a made-up game, and the messages around them."""

import json
from typing import Any

from tests.support.page.scripts import HAND, HASH

View = dict[str, Any]
TEAMS = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")


def seat(number: int, **more: Any) -> dict[str, Any]:
    """A seat with nothing to be said about."""
    nothing: dict[str, Any] = {"role": None, "status": "in", "stack": None, "bet": None, "score": None, "facts": []}
    return {"seat": number, **nothing, **more}


def zone(name: str, layout: str, cards: list[Any], *, seat: int | None = None, count: int | None = None) -> View:
    """A zone; its title is its name."""
    cards_there = len(cards) if count is None else count
    return {
        "name": name,
        "title": name.capitalize(),
        "seat": seat,
        "layout": layout,
        "cards": cards,
        "count": cards_there,
    }


def trick(*played: tuple[str, int]) -> View:
    """A trick with these cards, each with its seat."""
    return zone("trick", "trick", [{"card": card, "seat": at} for card, at in played])


def view(*zones: View, seats: int = 4, turn: int | None = 0, **more: Any) -> View:
    """A game with these zones."""
    plain = {"seats": [seat(number) for number in range(seats)], "pots": [], "facts": []}
    return {"game": "made_up", "title": "Made up", "turn": turn, "zones": list(zones), **plain, **more}


def shown(table: View, seq: int = 2) -> str:
    """The message that shows a view."""
    return json.dumps({"type": "table_view", "v": 1, "hand_id": HAND, "table": table, "seq": seq})


def happened(text: str, seq: int) -> str:
    """The message about an event in words."""
    return json.dumps(
        {"type": "event", "v": 1, "ev": "HAPPENED", "hand_id": HAND, "seq": seq, "event": {}, "text": text}
    )


def before(seats: int = 4, stack: int = 1_000) -> list[str]:
    """A table of another game, its lobby, and the start of a hand."""
    config = {"variant": "made_up", "seats": seats, "starting_stack": stack, "sb": 0, "bb": 0, "move_time_ms": 15_000}
    players = [{"seat": k, "team": TEAMS[k], "connected": True, "stack": stack} for k in range(seats)]
    stacks = [{"seat": k, "stack": stack} for k in range(seats)]
    start = {"type": "start_hand", "hand_id": HAND, "seed": 1, "button": 0, "stacks": stacks, "commit": HASH, "seq": 1}
    messages: list[dict[str, Any]] = [
        {"type": "table", "table_id": "T-1", "config": config},
        {"type": "lobby", "players": players},
        start,
    ]
    return [json.dumps({"v": 1, **message}) for message in messages]


def over(*stacks: int, seq: int = 90) -> str:
    """The end of the hand, with these chips or points."""
    after = [{"seat": k, "stack": stack} for k, stack in enumerate(stacks)]
    return json.dumps({"type": "end_hand", "v": 1, "hand_id": HAND, "stacks": after, "chain": HASH, "seq": seq})
