"""A solution as one HTML file: a grid of hands for each decision of a street, and tables of the cards that follow."""

from importlib import resources
from typing import Any

from pitboss.cards import write_cards
from pitboss.fast.equity.ranges import HAND_CLASSES, class_of
from pitboss.pages import write_frame
from pitboss.solver.solution import Node, SpotSolution

MOST_NODES, MOST_CARD_TABLES = 300, 12
"""The most decisions and the most tables of cards on a page. A page of this size has a few megabytes."""
PLACES = 3


def write_viewer(solution: SpotSolution, colours: str, node: Node | None = None) -> str:
    """Return a page with the decisions from a node to the end of its street; `colours` is the style of the design."""
    first = solution.root if node is None else node
    data = page_data(solution, first)
    title = f"{write_cards(first.board)}, pot {first.pot}"
    body = '<main id="solution"></main>\n<noscript><p>This page needs JavaScript, which is switched off.</p></noscript>'
    style = "\n".join((colours, _resource("viewer.css")))
    return write_frame(title, body, style=style, script=_resource("viewer.js"), data=data)


def _resource(name: str) -> str:
    return resources.files("pitboss.solver").joinpath(name).read_text(encoding="utf-8")


def page_data(solution: SpotSolution, first: Node) -> dict[str, Any]:
    """Return what the page shows."""
    spot, hands = solution.spot, solution.engine.hands
    nodes: list[dict[str, Any]] = []
    waiting, left_out, tables = [first], 0, 0
    numbers = {first.line: 0}
    for node in waiting:  # grows while it is read
        after = []
        for action in node.actions:
            following = node.play(action)
            if not (following.player or following.can_deal) or not following.is_reached:
                after.append(-1)
            elif len(waiting) >= MOST_NODES:
                after.append(-1)
                left_out += 1
            else:
                numbers[following.line] = len(waiting)
                after.append(len(waiting))
                waiting.append(following)
        table = node.player is None and tables < MOST_CARD_TABLES
        tables += table
        nodes.append({**_node(node), "after": after, "cards": _cards(node) if table else []})
    return {
        "spot": {
            "board": list(first.board),
            "pot": spot.pot,
            "stack": spot.stack,
            "prizes": spot.icm is not None,
            "line": list(first.line),
            "iterations": solution.iterations,
            "exploitability": round(solution.exploitability, 6),
            "locked": len(solution.locks),
        },
        "classes": list(HAND_CLASSES),
        "hands": [held.names for held in hands],
        "groups": [[HAND_CLASSES.index(class_of(name)) for name in held.names] for held in hands],
        "nodes": nodes,
        "left_out": left_out,
    }


def _node(node: Node) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "line": list(node.line),
        "street": node.street,
        "player": node.player,
        "actions": list(node.actions),
        "pot": node.pot,
    }
    seats = [node.seat(name) for name in ("oop", "ip")]
    fields["reach"] = [round(float(seat.range.array.sum()), PLACES) for seat in seats]
    if node.player:
        acting = node.seat(node.player)
        fields["range"] = _rounded(acting.range.array, PLACES)
        fields["strategy"] = [_rounded(column, 4) for column in node.strategy.array.T]
        weights = acting.ev.weights
        fields["met"] = _rounded(weights / max(float(weights.max()), 1e-30), 5)  # how often a hand meets another
        fields["ev"] = _rounded(acting.ev.array, 2)
        fields["equity"] = _rounded(acting.equity.array, PLACES)
        fields["means"] = {
            "actions": [round(share, 4) for share in node.strategy.mean.values()],
            "ev": [_known(seat.ev.mean, 2) for seat in seats],
            "equity": [_known(seat.equity.mean, 4) for seat in seats],
        }
    return fields


def _cards(node: Node) -> list[dict[str, Any]]:
    """Return how the next street begins after each card."""
    rows = []
    for card in node.solution.spot.setting[1]:
        if card in node.board:
            continue
        after = node.deal(card)
        row: dict[str, Any] = {"card": card, "actions": list(after.actions), "means": [], "ev": []}
        if after.player and after.is_reached:
            row["means"] = [round(share, 3) for share in after.strategy.mean.values()]
            row["ev"] = [_known(after.seat(name).ev.mean, 2) for name in ("oop", "ip")]
        rows.append(row)
    return rows


def _rounded(numbers: Any, places: int) -> list[float | None]:
    return [_known(float(number), places) for number in numbers]


def _known(number: float, places: int) -> float | None:
    """Return a rounded number, or None for the value of a hand that meets no other hand."""
    return None if number != number else round(number, places)
