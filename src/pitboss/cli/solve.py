"""`pitboss solve`: the best play of two ranges after the flop, and what a saved solution says."""

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from pitboss.cli.histories import open_hands
from pitboss.cli.output import echo, fail
from pitboss.cli.progress import print_table
from pitboss.errors import PitbossError
from pitboss.fast.equity.ranges import HAND_CLASSES
from pitboss.solver.engine import MEGABYTE, STORAGES, Engine, free_memory
from pitboss.solver.files import NEW_SPOT, read_spot, write_spot
from pitboss.solver.from_hand import spot_of
from pitboss.solver.locks import hand_names
from pitboss.solver.sizes import SEATS, STREETS, SpotError
from pitboss.solver.solution import Node, Progress, SpotSolution, load_solution
from pitboss.solver.solution import solve as solve_spot
from pitboss.solver.spot import Spot
from pitboss.solver.viewer import write_viewer

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
      pitboss solve --from hand.phh --street river
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
@click.option("--html", metavar="FILE", help="Write a web page that shows the first street.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--estimate", "only_estimate", is_flag=True, help="Print the memory and the time it would need, and stop."
)
@click.option("--from", "hand_file", metavar="FILE", help="Solve a spot of a recorded hand, in any format.")
@click.option("--hand", type=click.IntRange(1), default=1, show_default=True, help="With --from: the hand in the file.")
@click.option(
    "--street", type=click.Choice(STREETS), default="river", show_default=True, help="With --from: the street."
)
@click.option("--oop", default="random", show_default=True, help="With --from: the range of the first to act.")
@click.option("--ip", default="random", show_default=True, help="With --from: the range of the other player.")
def spot_command(
    file: str | None,
    new: str | None,
    target: float,
    out: str | None,
    html: str | None,
    as_json: bool,
    only_estimate: bool,
    hand_file: str | None,
    **options: Any,
) -> None:
    """Solve a spot; the word `spot` can be left out.

    With --from, the pot, stacks and board are those of a recorded hand when its street began, in chips such as cents.
    --new SPOT.toml then writes that spot, so that you can change the ranges and sizes.

    \b
    Examples:
      pitboss solve SPOT.toml --target 0.1% --seconds 60 --out spot.npz
      pitboss solve --from hand.phh --street river --oop "22+, A2s+" --ip "TT-77, KTs+"
      pitboss solve --from hand.phh --street turn --new SPOT.toml
    """
    choosing = {name: options.pop(name) for name in ("hand", "street", "oop", "ip")}
    if new is not None and hand_file is None:
        _write_new(new, NEW_SPOT)
        return
    if (file is None) == (hand_file is None):
        raise click.UsageError(
            "expected a spot: pitboss solve SPOT.toml; pitboss solve --new SPOT.toml writes an example, and "
            "--from takes the spot of a recorded hand"
        )
    for path, name in ((out, "--out"), (html, "--html")):
        if path is not None and not Path(path).absolute().parent.is_dir():
            fail("solve", f"{name}: expected a file in a folder that exists, got {path}: create the folder first")
    try:
        found = read_spot(Path(file).read_bytes()) if file is not None else _recorded_spot(str(hand_file), **choosing)
        if new is not None:
            _write_new(new, write_spot(found))
            return
        if only_estimate:
            _print_estimate(found, target, options, as_json)
            return
        with _progress() as report:
            solution = solve_spot(found, target, progress=report, **options)
        if out is not None:
            solution.save(out)
        if html is not None:
            write_page(solution, solution.root, html)
    except PitbossError as error:
        fail("solve", f"{file or hand_file}: {error}")
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


def _recorded_spot(file: str, *, hand: int, **choosing: Any) -> Spot:
    with open_hands(file, lenient=True, key=None, game_def=None, so_far=lambda _position: None) as opened:
        found = next(islice(opened.hands, hand - 1, None), None)
    if found is None or found.record is None:
        raise SpotError(f"expected hand {hand} to be readable, got {found.error if found else 'fewer hands'}")
    return spot_of(found.record, **choosing)


def _print_estimate(spot: Spot, target: float, options: dict[str, Any], as_json: bool) -> None:
    engine = Engine(spot, options["storage"], threads=options["threads"] or 1)
    megabytes, seconds = engine.estimate() / MEGABYTE, engine.estimated_seconds(target)
    if as_json:
        echo(msgspec.json.encode({"memory_mb": round(megabytes, 3), "seconds": round(seconds, 3)}))
    else:
        free = free_memory() / MEGABYTE
        echo(
            f"about {megabytes:,.1f} MB and {seconds:,.1f} s to {100 * target:g} % of the pot; {free:,.0f} MB are free"
        )


def write_page(solution: SpotSolution, node: Node, path: str) -> None:
    """Write the page of a solution, in the colours of the other pages."""
    colours = resources.files("pitboss.arena").joinpath("page/colours.css").read_text(encoding="utf-8")
    Path(path).write_text(write_viewer(solution, colours, node), encoding="utf-8")
    echo(f"wrote {path}", err=True)


def _write_new(path: str, text: str) -> None:
    if Path(path).exists():
        fail("solve", f"{path} exists already: give another name")
    Path(path).write_text(text, encoding="utf-8")
    echo(f"wrote {path}; solve it with pitboss solve {path}")


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None]]:
    """Show the iterations, the time and the exploitability on a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _state: None
        return
    with console.status("building the tree; the first solve of all compiles for half a minute") as status:

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
@click.option("--csv", "as_csv", is_flag=True, help="Print one line per hand, as comma-separated values.")
@click.option("--html", metavar="FILE", help="Write a web page that shows the street from this decision on.")
def show(file: str, line: str, hand: str | None, as_json: bool, as_csv: bool, html: str | None) -> None:
    """Show one decision of a saved solution: how often each hand takes each action, its EV and equity.

    \b
    Examples:
      pitboss solve show spot.npz
      pitboss solve show spot.npz --line "check, bet 90" --hand AhKh
      pitboss solve show spot.npz --line "check, check, 5c" --json
      pitboss solve show spot.npz --line "check, check, 5c" --html river.html
    """
    try:
        node = load_solution(file).root.walk(line)
        if hand is not None and node.player and not _shown_hands(node, hand):
            fail("solve show", f"--hand: expected a hand of the range such as AhKh or AKs, got {hand!r}")
        if html is not None:
            write_page(node.solution, node, html)
            return
        if as_json:
            echo(msgspec.json.encode(_node_json(node, hand)))
        elif as_csv:
            _print_csv(node, hand)
        else:
            _print_node(node, hand)
    except PitbossError as error:
        fail("solve show", error)


def _print_csv(node: Node, hand: str | None) -> None:
    text = StringIO()
    columns = node.columns()
    names = None if hand is None else _shown_hands(node, hand)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for name, *numbers in zip(*columns.values(), strict=True):
        if names is None or name in names:
            writer.writerow([name, *["" if number != number else round(float(number), PLACES) for number in numbers]])
    echo(text.getvalue().rstrip("\n"))


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
