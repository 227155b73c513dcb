"""The hands in the frames that a participant received, as the page's viewer takes them, with all cards he knows.

His own cards come with his questions. Once the match was over every deck was revealed, and with it what was dealt to
everybody before the first card was changed.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from pitboss.cards import read_written_cards
from pitboss.hand.games import STRUCTURES

Message = dict[str, Any]


def is_transcript(line: bytes) -> bool:
    """Whether a file that begins so is a record of frames."""
    try:
        frame = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return False
    return isinstance(frame, dict) and isinstance(frame.get("type"), str) and "v" in frame


def transcript_hands(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The hands that were seen from start to end, as they come; the decks of a match that is over come after them."""
    table: Message | None = None
    lobby: Message = {"type": "lobby", "players": []}
    hand: dict[str, Any] | None = None
    seat = number = 0
    for line in lines:
        frame = _frame(line)
        match frame.get("type"):
            case "welcome" | "table":
                table = {"type": "table", "table_id": frame["table_id"], "config": frame["config"]}
                seat = frame.get("seat", -1)
            case "lobby":
                lobby = frame
            case "start_hand" if table is not None:
                hand = {"before": [table, lobby], "messages": [frame], "label": frame["hand_id"]}
            case "event" | "end_hand" if hand is not None and frame.get("hand_id") == hand["label"]:
                if frame.get("seq", 0) > hand["messages"][-1].get("seq", 0):
                    hand["messages"].append(frame)
                if frame["type"] == "end_hand":
                    number += 1
                    yield {"number": number, **hand}
                    hand = None
            case "act" if hand is not None and frame.get("hand_id") == hand["label"]:
                _hold(hand["messages"], seat, frame.get("you", {}).get("hole", []))
            case "reveal":
                for revealed in frame.get("hands", ()):
                    yield {"reveals": revealed["hand_id"], "deck": revealed["deck"]}


def open_cards(hand: dict[str, Any], deck: str) -> None:
    """Add to a hand what its deck says that everybody was dealt, where cards do not lie face up."""
    start = hand["messages"][0]
    code = start.get("variant") or hand["before"][0]["config"]["variant"]
    structure = STRUCTURES.get("NT" if code == "HUNL" else code)
    if structure is None or structure.faces:
        return
    seats = sorted(stack["seat"] for stack in start["stacks"] if stack["stack"] > 0)
    if start["button"] not in seats:
        return
    first = seats.index(start["button"]) + 1
    order = [*seats[first:], *seats[:first]]
    cards, n = read_written_cards(deck), len(order)
    known = {message["seat"] for message in hand["messages"] if message["type"] == "held"}
    holds = {seat: [cards[k * n + p] for k in range(structure.streets[0].hole)] for p, seat in enumerate(order)}
    changes = [k for k, message in enumerate(hand["messages"]) if message.get("ev") == "DRAW" and message["count"]]
    for k in reversed(changes):
        if (seat := hand["messages"][k]["seat"]) not in known:
            hand["messages"].insert(k + 1, _holds(start["hand_id"], seat, []))
    hand["messages"][1:1] = [_holds(start["hand_id"], seat, held) for seat, held in holds.items() if seat not in known]


def _frame(line: bytes) -> Message:
    try:
        frame = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return {}
    return frame if isinstance(frame, dict) else {}


def _hold(messages: list[Message], seat: int, hole: list[str]) -> None:
    """Say what a seat holds where that is news; its first cards are known from the start."""
    if not hole or any("?" in card for card in hole):
        return
    before = [message for message in messages if message["type"] == "held" and message["seat"] == seat]
    if not before:
        messages.insert(1, _holds(messages[0]["hand_id"], seat, hole))
    elif before[-1]["cards"] != hole:
        messages.append(_holds(messages[0]["hand_id"], seat, hole))


def _holds(hand_id: str, seat: int, cards: list[str]) -> Message:
    return {"type": "held", "hand_id": hand_id, "seat": seat, "cards": cards}
