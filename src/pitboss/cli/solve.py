"""`pitboss solve`: the best play of two ranges after the flop, and what a saved solution says."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from pitboss.cli.output import echo, fail
from pitboss.cli.progress import print_table
from pitboss.errors import PitbossError
from pitboss.fast.equity.ranges import HAND_CLASSES
from pitboss.solver.engine import STORAGES
from pitboss.solver.files import NEW_SPOT, read_spot
from pitboss.solver.locks import hand_names
from pitboss.solver.sizes import SEATS
from pitboss.solver.solution import Node, Progress, SpotSolution, load_solution
from pitboss.solver.solution import solve as solve_spot

PLACES = 6


class SolveGroup(click.Group):
    """Reads `solve SPOT.toml` as a solve, and `solve show FILE` as a command of its own."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Take every first argument that is not a command as the file of a spot."""
        if args and args[0] not in self.commands:
            return super().resolve_command(ctx, ["spot", *args])
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give options in front of the file to the command that solves."""
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = ["spot", *args]
        return super().parse_args(ctx, args)


def _percent(_context: click.Context, _option: click.Parameter, given: str) -> float:
    text = given.strip()
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        raise click.BadParameter(f"expected a share of the pot such as 0.3% or 0.003, got {given!r}")
    return share


@click.group(cls=SolveGroup)
def solve() -> None:
    """Solve a spot after the flop between two players: pitboss solve SPOT.toml.

    SPOT.toml has both ranges, the board, the pot, the stack and the bet sizes; --new writes an example. The solve stops
    when the best responses win less than the target, or when the time is over. Ctrl-C stops and keeps the best so far.
    `pitboss solve spot --help` lists the options of solving.

    \b
    Examples:
      pitboss solve --new SPOT.toml
      pitboss solve SPOT.toml
      pitboss solve SPOT.toml --target 0.1% --seconds 60 --out spot.npz
      pitboss solve SPOT.toml --json
      pitboss solve show spot.npz --line "check, bet 90" --hand AhKh
    """


@solve.command(name="spot")
@click.argument("file", required=False, metavar="SPOT.toml")
@click.option("--new", "new", metavar="SPOT.toml", help="Write a commented spot that is solved in seconds, and stop.")
@click.option(
    "--target",
    default="0.3%",
    show_default=True,
    callback=_percent,
    help="Exploitability to reach, in shares of the pot.",
)
@click.option("--seconds", type=click.FloatRange(0), help="Stop after this time.")
@click.option("--threads", type=click.IntRange(1, 256), help="Threads to use; default all cores.")
@click.option(
    "--storage", type=click.Choice(list(STORAGES)), default="float", show_default=True, help="16-bit halves the memory."
)
@click.option("--out", metavar="FILE", help="Save the solution as FILE (.npz).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def spot_command(
    file: str | None,
    new: str | None,
    target: float,
    seconds: float | None,
    threads: int | None,
    storage: str,
    out: str | None,
    as_json: bool,
) -> None:
    """Solve a spot; the word `spot` can be left out.

    \b
    Examples:
      pitboss solve SPOT.toml --target 0.1% --seconds 60 --out spot.npz
    """
    if new is not None:
        _write_new(new)
        return
    if file is None:
        raise click.UsageError(
            "expected a spot: pitboss solve SPOT.toml; pitboss solve --new SPOT.toml writes an example"
        )
    if out is not None and not Path(out).absolute().parent.is_dir():
        fail("solve", f"--out: expected a file in a folder that exists, got {out}: create the folder first")
    try:
        found = read_spot(Path(file).read_bytes())
        with _progress() as report:
            solution = solve_spot(found, target, seconds, threads=threads, storage=storage, progress=report)
        if out is not None:
            solution.save(out)
    except PitbossError as error:
        fail("solve", f"{file}: {error}")
    except KeyboardInterrupt:
        fail("solve", "stopped before the first iteration, so there is nothing to keep")
    if solution.exploitability > target:
        echo(f"pitboss solve: stopped before the target of {100 * target:g} % was reached", err=True)
    if as_json:
        echo(msgspec.json.encode(_as_json(solution)))
    else:
        _print_solution(solution)
        if out is not None:
            echo(f"saved; pitboss solve show {out} --line check shows one decision")


def _write_new(path: str) -> None:
    if Path(path).exists():
        fail("solve", f"{path} exists already: give another name")
    Path(path).write_text(NEW_SPOT, encoding="utf-8")
    echo(f"wrote {path}; solve it with pitboss solve {path}")


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None]]:
    """Show the iterations, the time and the exploitability on a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _state: None
        return
    with console.status("building the tree") as status:

        def report(state: Progress) -> None:
            status.update(
                f"{state.iterations:,} iterations, {state.seconds:.1f} s, "
                f"exploitability {100 * state.exploitability:.3f} % of the pot"
            )

        yield report


def _as_json(solution: SpotSolution) -> dict[str, Any]:
    return {
        "value": [round(value, PLACES) for value in solution.value],
        "exploitability": round(solution.exploitability, PLACES + 2),
        "iterations": solution.iterations,
        "seconds": round(solution.seconds, 3),
        "memory_mb": round(solution.memory_mb, 3),
    }


def _print_solution(solution: SpotSolution) -> None:
    oop, ip = solution.value
    share, other = solution.equity
    what = "chips" if solution.spot.icm is None else "prizes"
    echo(
        f"exploitability {100 * solution.exploitability:.3f} % of the pot after {solution.iterations:,} iterations, "
        f"{solution.seconds:.1f} s and {solution.memory_mb:,.0f} MB"
    )
    echo(f"out of position: EV {oop:.2f} {what}, equity {100 * share:.2f} %")
    echo(f"in position:     EV {ip:.2f} {what}, equity {100 * other:.2f} %")
    _print_node(solution.root, None)


@solve.command(name="show")
@click.argument("file", metavar="FILE")
@click.option("--line", default="", metavar="LINE", help='Actions and cards, as in "check, bet 94, call, 5c".')
@click.option("--hand", metavar="HAND", help="Only this hand (AhKh) or class (AKs).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(file: str, line: str, hand: str | None, as_json: bool) -> None:
    """Show one decision of a saved solution: how often each hand takes each action, its EV and equity.

    \b
    Examples:
      pitboss solve show spot.npz
      pitboss solve show spot.npz --line "check, bet 90" --hand AhKh
      pitboss solve show spot.npz --line "check, check, 5c" --json
    """
    try:
        node = load_solution(file).root.walk(line)
        if hand is not None and node.player and not _shown_hands(node, hand):
            fail("solve show", f"--hand: expected a hand of the range such as AhKh or AKs, got {hand!r}")
        if as_json:
            echo(msgspec.json.encode(_node_json(node, hand)))
        else:
            _print_node(node, hand)
    except PitbossError as error:
        fail("solve show", error)


def _shown_hands(node: Node, hand: str) -> list[str]:
    return [name for name in hand_names(hand) if name in node.range and node.range[name] > 0]


def _node_json(node: Node, hand: str | None) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "street": node.street,
        "board": list(node.board),
        "pot": node.pot,
        "line": list(node.line),
        "player": node.player,
        "actions": list(node.actions),
    }
    if node.player:
        names = _shown_hands(node, hand) if hand else [name for name in node.range if node.range[name] > 0]
        strategy, ev, equity = node.strategy, node.ev, node.equity
        fields["mean"] = {action: round(share, PLACES) for action, share in strategy.mean.items()}
        fields["hands"] = [
            {
                "hand": name,
                "weight": round(node.range[name], PLACES),
                "strategy": {action: round(share, PLACES) for action, share in strategy[name].items()},
                "ev": _number(ev[name]),
                "equity": _number(equity[name]),
            }
            for name in names
        ]
    return fields


def _number(value: float) -> float | None:
    return None if value != value else round(value, PLACES)  # a hand that meets no other hand has no EV


def _print_node(node: Node, hand: str | None) -> None:
    board = " ".join(node.board)
    if node.player is None:
        ask = 'a card follows, as in --line "..., 5c"' if node.street != "river" else "the hand is over"
        echo(f"{board}, pot {node.pot}: {ask}")
        return
    seat = dict(zip(SEATS, ("out of position", "in position"), strict=True))[node.player]
    echo(f"{board}, pot {node.pot}, {seat} to act")
    strategy, weights, ev, equity = node.strategy, node.range, node.ev, node.equity
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("hand", "combos", *[f"{action} %" for action in node.actions], "EV", "equity %"):
        table.add_column(heading, justify="left" if heading == "hand" else "right", no_wrap=True)
    rows: list[tuple[str, float, dict[str, float], float, float]] = []
    if hand is None:
        rows.append(("all", float(weights.array.sum()), strategy.mean, ev.mean, equity.mean))
        names = [name for name in HAND_CLASSES if _combos(node, name)]
    else:
        names = _shown_hands(node, hand)
    rows += [(name, _combos(node, name), strategy[name], ev[name], equity[name]) for name in names]
    for name, count, shares, value, share in rows:
        actions = [f"{100 * shares[action]:.1f}" for action in node.actions]
        table.add_row(name, f"{count:.2f}", *actions, f"{value:.2f}", f"{100 * share:.1f}")
    print_table(table)


def _combos(node: Node, name: str) -> float:
    return sum(node.range[hand] for hand in _shown_hands(node, name))
