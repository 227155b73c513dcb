"""The command: measure, print, and fail below the goals."""

import datetime as dt
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks import arena_page, fast_page, lab_page, ompeval, page, solver
from benchmarks.arena import QUICK, ArenaReport, Size, measure_arena
from benchmarks.fast import QUICK as QUICK_FAST
from benchmarks.fast import Size as FastSize
from benchmarks.fast import measure_fast
from benchmarks.fast_page import PICTURES
from benchmarks.fast_report import FastReport
from benchmarks.lab import QUICK as QUICK_LAB
from benchmarks.lab import LabReport, measure_lab
from benchmarks.lab import Size as LabSize
from benchmarks.ompeval import QUICK as QUICK_SMALL
from benchmarks.ompeval import Amount, SmallReport
from benchmarks.page import PAGE, machine, table, with_section
from benchmarks.players import DIFFERENCES
from benchmarks.rules import GOAL, RECORDED, RECORDED_GOAL, STUD_GOAL, Report, measure
from benchmarks.solver import SolverReport, measure_solver


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice(["rules", "arena", "fast", "lab", "solver", "small"]))
@click.option("--rounds", default=11, show_default=True, type=click.IntRange(1), help="Rounds, each library in turn.")
@click.option("--hands", default=2000, show_default=True, type=click.IntRange(2), help="Hands a round, pitboss.")
@click.option(
    "--pokerkit-hands", default=150, show_default=True, type=click.IntRange(2), help="Hands a round, PokerKit."
)
@click.option(
    "--evaluations", default=50_000, show_default=True, type=click.IntRange(1), help="Holdings ranked a round."
)
@click.option("--quick", is_flag=True, help="All but the rules in seconds: shows that they run, not how fast.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--write", is_flag=True, help=f"Write {PAGE.parent.name}/{PAGE.name}.")
def main(parts: Sequence[str], quick: bool, as_json: bool, write: bool, **sizes: int) -> None:
    """Measure the rules against PokerKit, the arena against a server without a game, compiled play against every peer
    that is installed and C++, the lab and the solver against their goals, and small jobs, beside OMPEval where OMPEVAL
    names the folder of its sources; all six, unless some are named.

    Exits with 1 where a goal is missed, or where pitboss and PokerKit play hands of different length, so that nothing
    was compared.

    \b
    Examples:
      make bench
      make bench ARGS="rules --rounds 21 --json"
      make bench ARGS="arena --write"
      make bench ARGS="fast --write"
      make bench ARGS="lab --write"
      make bench ARGS="solver --write"
      OMPEVAL=DIR make bench ARGS="small --write"
    """
    found: dict[str, Any] = {"goal": GOAL, "machine": machine()}
    missed: list[str] = []
    today = dt.date.today()
    if "rules" in parts or not parts:
        rules = measure(**sizes, recorded=RECORDED)
        found |= msgspec.to_builtins(rules)
        missed += _rules(rules, today, show=not as_json, write=write)
    if "arena" in parts or not parts:
        arena = measure_arena(QUICK if quick else Size(), lambda line: click.echo(line, err=True))
        found["arena"] = msgspec.to_builtins(arena)
        missed += _arena(arena, today, show=not as_json, write=write)
    if "fast" in parts or not parts:
        fast = measure_fast(QUICK_FAST if quick else FastSize(), lambda line: click.echo(line, err=True))
        found["fast"] = msgspec.to_builtins(fast)
        missed += _fast(fast, today, show=not as_json, write=write)
    if "lab" in parts or not parts:
        lab = measure_lab(QUICK_LAB if quick else LabSize(), lambda line: click.echo(line, err=True))
        found["lab"] = msgspec.to_builtins(lab)
        missed += _lab(lab, today, show=not as_json, write=write)
    if "solver" in parts or not parts:
        solved = measure_solver(solver.QUICK if quick else solver.Amount(), lambda line: click.echo(line, err=True))
        found["solver"] = msgspec.to_builtins(solved)
        missed += _solver(solved, today, show=not as_json, write=write)
    if "small" in parts or not parts:
        small = ompeval.measure_all(QUICK_SMALL if quick else Amount(), os.environ.get("OMPEVAL"))
        found["small"] = msgspec.to_builtins(small)
        missed += _small(small, today, show=not as_json, write=write)
    if as_json:
        click.echo(msgspec.json.encode(found))
    for sentence in missed:
        click.echo(sentence, err=True)
    sys.exit(bool(missed))


def _rules(report: Report, today: dt.date, *, show: bool, write: bool) -> list[str]:
    """Show and keep the rules' figures; what is wrong with them."""
    if show:
        _print(table(page.headline(report), page.HEADINGS, page.rows(report)), DIFFERENCES)
    if write:
        _write(page.section(report, today))
    if report.replay is None:
        click.echo(f"recorded hands not measured: {RECORDED.name} is absent", err=True)
    missed = []
    figures = (("", report.play, GOAL), ("plain stud ", report.stud, STUD_GOAL), ("stud ", report.random_stud, 0))
    for game, play, goal in figures:
        if not play.similar:
            missed.append(f"the two play {game}hands of different length: their policies are not the same")
        elif play.ratio.median < goal:
            missed.append(f"{play.ratio.median:.1f} times PokerKit's {game}hands; the goal is {goal}")
    if report.recorded and not report.recorded.same:
        missed.append("the two replay recorded hands to different stacks")
    elif report.recorded and report.recorded.ratio.median < RECORDED_GOAL:
        times = f"{report.recorded.ratio.median:.1f}"
        missed.append(f"{times} times PokerKit's recorded hands; the goal is {RECORDED_GOAL}")
    return missed


def _arena(report: ArenaReport, today: dt.date, *, show: bool, write: bool) -> list[str]:
    """Show and keep the arena's figures; what is wrong with them."""
    if show:
        lines = table(arena_page.headline(report), arena_page.HEADINGS, arena_page.rows(report))
        _print(lines, arena_page.DIFFERENCES)
    if write:
        _write(arena_page.section(report, today))
    return report.missed()


def _fast(report: FastReport, today: dt.date, *, show: bool, write: bool) -> list[str]:
    """Show and keep the figures of compiled play; what is wrong with them."""
    if show:
        lines = table(fast_page.headline(report), fast_page.HEADINGS, fast_page.rows(report))
        _print(lines, fast_page.DIFFERENCES)
    if write:
        _write(fast_page.section(report, today), fast_page.pictures(report))
    for sentence in report.unjudged():
        click.echo(sentence, err=True)
    return report.missed()


def _lab(report: LabReport, today: dt.date, *, show: bool, write: bool) -> list[str]:
    """Show and keep the lab's figures; what is wrong with them."""
    if show:
        _print(table(lab_page.headline(report), lab_page.HEADINGS, lab_page.rows(report)), lab_page.DIFFERENCES)
    if write:
        _write(lab_page.section(report, today), lab_page.pictures(report))
    return report.missed()


def _solver(report: SolverReport, today: dt.date, *, show: bool, write: bool) -> list[str]:
    """Show and keep the solver's figures; what is wrong with them."""
    if show:
        _print(table(solver.headline(), solver.HEADINGS, solver.rows(report)), ())
    if write:
        _write(solver.section(report, today))
    return report.missed()


def _small(report: SmallReport, today: dt.date, *, show: bool, write: bool) -> list[str]:
    """Show and keep the figures of small jobs; what is wrong with them."""
    for line in report.lines if show else ():
        click.echo(line)
    if report.left_out:
        click.echo(report.left_out, err=True)
    if write:
        _write(ompeval.section(report, today))
    return list(report.missed)


def _print(lines: Table, differences: Sequence[str]) -> None:
    console = Console()
    console.print(lines)
    for difference in differences:
        console.print(f"- {difference}")


def _write(section: str, pictures: Mapping[str, str] | None = None) -> None:
    """Write a section of the page, and the drawings it shows."""
    PAGE.parent.mkdir(exist_ok=True)
    before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    PAGE.write_text(with_section(before, section), encoding="utf-8")
    folder = PAGE.parent / PICTURES
    for name, drawing in (pictures or {}).items():
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
