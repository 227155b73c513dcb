"""The figures for people: a table in the terminal, and docs/benchmarks.md, section by section."""

import datetime as dt
import os
import platform
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

from rich.table import Table

from benchmarks.players import BIG_BLIND, DIFFERENCES, PLAYERS, SMALL_BLIND, STACK
from benchmarks.rules import GOAL, RECORDED_GOAL, STUD_GOAL, Comparison, Rate, RecordedHands, Report, Spread
from benchmarks.stud import ANTE, BIG_BET, BRING_IN, SMALL_BET

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
HEADINGS = ("a second", "median", "lowest to highest", "")


def rows(report: Report) -> list[tuple[str, str, str, str]]:
    """A line for each figure."""
    lines = [
        *_comparison("", report.play, f"goal: {GOAL}"),
        *_comparison("plain stud ", report.stud, f"goal: {STUD_GOAL}"),
        *_comparison("random stud ", report.random_stud, ""),
        *_recorded(report.recorded),
    ]
    for what, rate in (("recorded hands replayed", report.replay), ("recorded hands read", report.read)):
        lines.append(
            (what, *_spread(rate.per_second), _pieces(rate)) if rate else (what, "–", "–", "no recorded hands")
        )
    lines.append(("best of seven cards ranked", *_spread(report.high.per_second), _pieces(report.high)))
    return lines


def _comparison(game: str, play: Comparison, goal: str) -> list[tuple[str, str, str, str]]:
    lines = [
        (
            f"{game}hands, {name}",
            *_spread(side.hands_per_second),
            _length(side.actions_per_hand, side.microseconds_per_action),
        )
        for name, side in (("pitboss", play.pitboss), (f"PokerKit {version('pokerkit')}", play.pokerkit))
    ]
    return [*lines, (f"times as many {game}hands", *_spread(play.ratio, digits=1), goal)]


def _recorded(found: RecordedHands | None) -> list[tuple[str, str, str, str]]:
    if found is None:
        return []
    hands = f"{found.hands:,} a round"
    return [
        ("recorded hands read and replayed, pitboss", *_spread(found.pitboss), hands),
        (f"recorded hands read and replayed, PokerKit {version('pokerkit')}", *_spread(found.pokerkit), hands),
        ("times as many recorded hands", *_spread(found.ratio, digits=1), f"goal: {RECORDED_GOAL}"),
    ]


def machine() -> dict[str, str | int | None]:
    """The kind of machine, nothing that tells which."""
    return {
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def machine_in_words() -> str:
    """The same, in a line."""
    kind = machine()
    return f"{kind['python']}, {kind['cores']} cores, {kind['processor']}, {kind['system']}"


def load_in_words() -> str:
    """The load at the end of a measurement, which is itself about 1."""
    return f"The machine's load was {os.getloadavg()[0]:.1f}."


def table(title: str, headings: Sequence[str], lines: Iterable[Sequence[str]]) -> Table:
    """Figures as a table for the terminal."""
    found = Table(title=title, title_justify="left")
    for number, heading in enumerate(headings):
        found.add_column(heading, justify="right" if number in (1, 2) else "left")
    for line in lines:
        found.add_row(*line)
    return found


def markdown(headings: Sequence[str], lines: Iterable[Sequence[str]]) -> list[str]:
    """The same for the page."""
    return [
        f"| {' | '.join(headings)} |",
        "| --- | --: | --: | --- |",
        *(f"| {' | '.join(line)} |" for line in lines),
    ]


def headline(report: Report) -> str:
    """What was measured."""
    return (
        f"{PLAYERS}-handed no-limit hold'em, blinds {SMALL_BLIND}/{BIG_BLIND}, stacks {STACK:,}, random play; "
        f"{report.play.rounds} rounds in turn"
    )


def section(report: Report, today: dt.date) -> str:
    """The rules' part of the page."""
    lines = [
        "## The rules",
        "",
        f'`make bench ARGS="rules --write"` wrote this on {today.isoformat()}: {machine_in_words()}. {load_in_words()}',
        "",
        f"{headline(report)}, processor time.",
        f"The goal is {GOAL} times as many hands as PokerKit plays, and {STUD_GOAL} times as many of limit stud (ante",
        f"{ANTE}, bring-in {BRING_IN}, bets {SMALL_BET}/{BIG_BET}) that are called and checked to the showdown;",
        f"{RECORDED_GOAL} times as many recorded hands read and replayed. `make bench` fails below.",
        "",
        *markdown(HEADINGS, rows(report)),
        "",
        "Both choose with equal chances, from the same seeds: fold to a bet, check or call, the minimum raise, a",
        "pot-sized raise, all-in. Differences:",
        "",
        *(f"- {difference}" for difference in DIFFERENCES),
    ]
    return "\n".join(lines) + "\n"


def with_section(page: str, new: str) -> str:
    r"""The page with one section written anew, its introduction and all other sections left as they are.

    >>> with_section("# Benchmarks\n\nRead this.\n\n## A\n\nold\n\n## B\n\nkept\n", "## A\n\nnew\n")
    '# Benchmarks\n\nRead this.\n\n## A\n\nnew\n\n## B\n\nkept\n'
    """
    first, *parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    sections = {part.splitlines()[0]: part.strip() for part in parts}
    sections[new.splitlines()[0]] = new.strip()
    return "\n\n".join([first.strip() or "# Benchmarks", *sections.values()]) + "\n"


def _spread(spread: Spread, digits: int = 0) -> tuple[str, str]:
    return f"{spread.median:,.{digits}f}", f"{spread.low:,.{digits}f} to {spread.high:,.{digits}f}"


def _length(actions: float, microseconds: float) -> str:
    return f"{actions:.2f} actions a hand, {microseconds:,.0f} µs each"


def _pieces(rate: Rate) -> str:
    return f"{rate.pieces:,} a round"
