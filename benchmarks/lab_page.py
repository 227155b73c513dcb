"""The lab's figures for people: lines of a table, pictures, and a section of docs/benchmarks.md."""

import datetime as dt

from benchmarks.fast_page import PICTURES
from benchmarks.fast_report import Goal
from benchmarks.lab import ANSWERS, BETTING_WAR, LONG, LabReport, Solved
from benchmarks.page import machine_in_words, markdown
from benchmarks.pictures import Axis, Curve, chart, rounded_marks, tenfold_marks
from benchmarks.rules import Spread
from pitboss.lab.english import times

HEADINGS = ("the lab", "measured", "goal", "")
DIFFERENCES = (
    "All games are played by random players, compiled, on one core, with `pitboss lab simulate`; processor time.",
    "In 'all known games' each is played equally often, so slow games count most.",
    "darwindeck states 2,472 games a second in Go for War, 600 to 1,000 for mixed populations, on its own machine.",
    "Solving includes the tree, the value of uniform play, CFR+ and the best responses; wall time.",
)

Row = tuple[str, str, str, str]


def groups(report: LabReport) -> dict[str, list[Row]]:
    """A line for each figure, by what they are about."""
    goals = report.goals()
    known = [
        (played.name, f"{played.per_second.median:,.0f}", "", f"{_spread(played.per_second)}; {_lengths(*lengths)}")
        for played in sorted(report.known, key=lambda played: -played.per_second.median)
        for lengths in [(played.turns, played.decisions)]
    ]
    solved = [row for each in report.solved for row in _solved(each)]
    return {
        "games a second": [*map(_goal, goals[:2]), *known],
        "growth": [_goal(goal) for goal in goals[2:4]],
        "solving": [*map(_goal, goals[4:]), *solved],
    }


def rows(report: LabReport) -> list[Row]:
    """All lines."""
    return [row for group in groups(report).values() for row in group]


def headline(report: LabReport) -> str:
    """What was measured."""
    how = "compiled" if report.compiled else "in plain Python, too few for the compiler"
    return f"random games of the lab, {how}, one core, measured {times(report.rounds)}; Kuhn and Leduc solved"


def section(report: LabReport, today: dt.date) -> str:
    """The lab's part of the page."""
    sentence = headline(report)
    missed = report.missed()
    lines = [
        "## The lab",
        "",
        f'`make bench ARGS="lab --write"` wrote this on {today.isoformat()}: {machine_in_words()}.',
        "",
        f"{sentence[:1].upper()}{sentence[1:]}.",
        f"The machine's load before was {report.load:.1f}.",
        f"Not all goals are met: {'; '.join(missed)}." if missed else "All goals are met.",
        "",
    ]
    for name, group in groups(report).items():
        lines += [*markdown((name, *HEADINGS[1:]), group), ""]
    lines += [*[f"- {difference}" for difference in DIFFERENCES], "", "How cost grows, on one core:", ""]
    lines += [f"![{title}]({PICTURES}/{name})" for name, title in TITLES.items()]
    return "\n".join(lines) + "\n"


# --- pictures

TITLES = {"lab-games.svg": "Seconds by number of games", "lab-turns.svg": "Microseconds a game by its turns"}


def pictures(report: LabReport) -> dict[str, str]:
    """Drawings by file name."""
    growth = report.growth
    games, seconds = growth.games, growth.seconds
    by_games = (
        Axis("games", tenfold_marks(games[0], games[-1]), tenfold=True),
        Axis("seconds", tenfold_marks(min(seconds), max(seconds)), tenfold=True),
        [Curve(BETTING_WAR, list(zip(games, seconds, strict=True)))],
    )
    by_turns = (
        Axis("turns a game", rounded_marks(max(growth.turns))),
        Axis("microseconds a game", rounded_marks(max(growth.microseconds))),
        [Curve(f"{LONG}, its turn limit moved", list(zip(growth.turns, growth.microseconds, strict=True)))],
    )
    return {
        name: chart(title, *parts) for (name, title), parts in zip(TITLES.items(), (by_games, by_turns), strict=True)
    }


# --- lines


def _goal(goal: Goal) -> Row:
    assert goal.found is not None
    found = goal.found
    note = f"{goal.number(found.low)} to {goal.number(found.high)}" if found.low < found.high else ""
    return goal.name, goal.number(found.median), goal.target, note


def _solved(solved: Solved) -> list[Row]:
    answer = next(answer for answer in ANSWERS if answer.name == solved.name)
    size = f"{solved.information_sets} information sets"
    return [
        (f"{solved.name}: value", f"{solved.value:.7f}", "", f"known: {answer.value:.7f}; {size}"),
        (f"{solved.name}: both uniform", solved.uniform_value, answer.uniform, "exactly"),
        (
            f"{solved.name}: exploitability",
            f"{solved.exploitability:.7f}",
            "",
            f"after {solved.iterations:,} iterations; of uniform play {solved.uniform_exploitability:.6f}",
        ),
    ]


def _spread(spread: Spread) -> str:
    return f"{spread.low:,.0f} to {spread.high:,.0f}"


def _lengths(turns: float, decisions: float) -> str:
    return f"{turns:,.1f} turns and {decisions:,.1f} decisions a game"
