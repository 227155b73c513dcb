"""Betting arithmetic is only in betting/core.py, so that plain and compiled play cannot drift apart.

What counts as betting arithmetic, read off the syntax tree:

- two of a round's numbers combined or put in order, one of them the price, the level, the step or the count of raises
  (`s.level + s.step`, `bets[p] < price`); reading one off, or asking whether it is 0, is free;
- where rounds are at hand, also one of these combined with anything (`round.price + 10`);
- where rounds are at hand, stacks and bets changed in place (`stacks[p] -= 10`): chips move through `core`.

Names alone are not enough: a confidence has a level, a range a step, a card a price.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pitboss
from tests.support.for_each import for_each

SOURCE = Path(pitboss.__file__).parent
CORE = SOURCE / "betting" / "core.py"

RULED = {"price", "level", "step", "raises"}
OPEN = RULED - {"level"}  # blind levels are counted too, and no betting
CHIPS = RULED | {"stack", "stacks", "bet", "bets", "pot", "paid", "owed", "debt"}
HELD = {"stacks", "bets"}

AT_HAND = ("pitboss.betting", "pitboss.fast")
ROOMS = ("betting", "hand", "fast")
COMBINED = ast.Add | ast.Sub | ast.Mult | ast.Div | ast.FloorDiv | ast.Mod
ORDERED = ast.Lt | ast.LtE | ast.Gt | ast.GtE
SEEN_THROUGH = {"sum", "max", "min", "abs", "int"}


def word(node: ast.expr) -> str:
    """The last name of `x`, `a.x`, `a.x[i]`, or nothing."""
    if isinstance(node, ast.Subscript):
        return word(node.value)
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def amounts(node: ast.expr) -> Iterator[ast.expr]:
    """The numbers an expression is made of; what a function makes of its arguments is the function's affair."""
    if isinstance(node, ast.BinOp):
        yield from amounts(node.left)
        yield from amounts(node.right)
    elif isinstance(node, ast.UnaryOp):
        yield from amounts(node.operand)
    elif isinstance(node, ast.IfExp):
        yield from amounts(node.body)
        yield from amounts(node.orelse)
    elif isinstance(node, ast.Call) and word(node.func) in SEEN_THROUGH:
        for argument in node.args:
            yield from amounts(argument)
    else:
        yield node


def words(*nodes: ast.expr) -> set[str]:
    """The words for chips that occur among the numbers."""
    return {word(amount) for node in nodes for amount in amounts(node)} & CHIPS


def is_ruled(*nodes: ast.expr) -> bool:
    """Whether two of a round's numbers meet, at least one of them ruled by the arithmetic."""
    return len(words(*nodes)) > 1 and bool(words(*nodes) & RULED)


def is_open(*nodes: ast.expr) -> bool:
    """Whether a price, a step or a number of raises is among these values."""
    return any(isinstance(a, ast.Attribute) and a.attr in OPEN for node in nodes for a in amounts(node))


def is_held(node: ast.expr) -> bool:
    """Whether this is one place's stack or bet."""
    return isinstance(node, ast.Subscript) and word(node) in HELD


def has_rounds(tree: ast.Module) -> bool:
    """Whether a module imports what holds a round's numbers."""
    modules = [
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""])
    ]
    with_numbers = [name for name in modules if name != "pitboss.betting.refusals"]
    return any(name == room or name.startswith(f"{room}.") for name in with_numbers for room in AT_HAND)


def is_betting(node: ast.AST, room: str, at_hand: bool) -> bool:
    """Whether this piece of a module of this room is betting arithmetic."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            return isinstance(op, COMBINED) and (is_ruled(left, right) or (at_hand and is_open(left, right)))
        case ast.AugAssign(target=target, value=value):
            return is_ruled(target, value) or (at_hand and (is_held(target) or is_open(target)))
        case ast.Assign(targets=targets, value=ast.BinOp() as value):
            return at_hand and any(is_held(target) and word(target) in words(value) for target in targets)
        case ast.Compare(left=left, ops=ops, comparators=others) if room != "betting":
            return any(isinstance(op, ORDERED) for op in ops) and is_ruled(left, *others)
    return False


def arithmetic(tree: ast.Module, room: str) -> list[str]:
    """Every piece of betting arithmetic in a module of this room, as ``line: text``."""
    at_hand = room in ROOMS or has_rounds(tree)
    nodes = [node for node in ast.walk(tree) if is_betting(node, room, at_hand)]
    return [f"{getattr(node, 'lineno', 0)}: {ast.unparse(node)}" for node in nodes]


def found(path: Path) -> list[str]:
    """Betting arithmetic in a file."""
    name = path.relative_to(SOURCE)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [f"{name.as_posix()}:{line}" for line in arithmetic(tree, name.parts[0])]


@pytest.mark.check
def test_betting_arithmetic_is_written_once() -> None:
    files = [path for path in SOURCE.rglob("*.py") if path != CORE]
    assert files
    assert [line for path in files for line in found(path)] == []


def test_core_is_where_it_is() -> None:
    """Otherwise the test above would look for the wrong things."""
    assert len(found(CORE)) > 10


AT_A_ROUND = "from pitboss.betting.round import Round\n"


@for_each(
    "planted",
    [
        "least = s.level + s.step",
        "owed = price - bets[p]",
        "owed = max(0, round.price - round.bets[p])",
        "pot_raise = 2 * price - bets[p] + pot",
        "facing = bets[p] < s.price",
        "short = min(stacks[p], 40) >= step",
        AT_A_ROUND + "to = round.price + 10",
        AT_A_ROUND + "to = 3 * hand.round.price",
        AT_A_ROUND + "left = rules.cap - s.raises",
        AT_A_ROUND + "s.raises += 1",
        AT_A_ROUND + "stacks[p] -= amount",
        AT_A_ROUND + "s.bets[p] += amount",
        AT_A_ROUND + "s.stacks[p] = s.stacks[p] - amount",
        "from pitboss.fast import compiled\nstates[i].stacks[p] -= 1",
    ],
)
def test_planted_arithmetic_is_found(planted: str) -> None:
    assert arithmetic(ast.parse(planted), "arena")


@for_each(
    "innocent",
    [
        "upper = (1 + level) / 2",
        "total = card.price * multiplier + modifier.price",
        "at += step",
        "after = record.level + 1",
        AT_A_ROUND + "after = record.level + 1",
        AT_A_ROUND + "opening = round.price == 0",
        AT_A_ROUND + "middle = round.pot + sum(round.bets)",
        AT_A_ROUND + "step = stakes.step(street)",
        AT_A_ROUND + "low = core.least(rules, s, p) - s.bets[p]",
        AT_A_ROUND + "alone = sum(1 for p in live if stacks[p]) < 2",
    ],
)
def test_other_words_stay_free(innocent: str) -> None:
    assert not arithmetic(ast.parse(innocent), "arena")
