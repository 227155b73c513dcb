"""Compiled play's figures for people: lines of a table, pictures, and a section of docs/benchmarks.md."""

import datetime as dt

from benchmarks.fast_report import (
    ALL_CORES,
    COMPILED,
    IDLE,
    ONE_CALL,
    REFERENCE,
    FastReport,
    Goal,
    Line,
)
from benchmarks.page import machine_in_words, markdown
from benchmarks.pictures import Axis, Curve, chart, rounded_marks, tenfold_marks
from benchmarks.players import BIG_BLIND, PLAYERS, SMALL_BLIND, STACK
from benchmarks.rules import Spread

HEADINGS = ("compiled play", "measured", "goal", "")
PICTURES = "pictures"
DIFFERENCES = (
    "All choose with equal chances: fold to a bet, check or call, the minimum raise, the pot, all-in.",
    "If a library lacks one of these choices, its nearest one is used, so compare the actions per hand.",
    "The C++ reference is the same algorithm, translated by hand and compiled for this processor.",
    "Evaluators rank the same hands, with cards prepared in the fastest way for each.",
    "No other library takes an array of hands: it is called once per hand, with `map` or `starmap`.",
    "Hands and equities are timed by processor time on one core; evaluation, cores and processes by wall time.",
)

Row = tuple[str, str, str, str]


def groups(report: FastReport) -> dict[str, list[Row]]:
    """A line for each figure, by what they are about."""
    goals = report.goals()
    single = [line for line in report.single if line.name == ONE_CALL]
    return {
        "hands a second": [*[_rate(line, COMPILED) for line in _ordered(report.play)], *map(_goal, goals[:3])],
        "seven cards ranked a second": [
            *[_rate(line, ALL_CORES) for line in _ordered((*report.evaluate, *single))],
            *map(_goal, goals[3:5]),
        ],
        "exact equity of two hands": [*_equity(report), _goal(goals[5])],
        "cores and processes": [*_cores(report), *map(_goal, goals[6:])],
    }


def rows(report: FastReport) -> list[Row]:
    """All lines."""
    return [row for group in groups(report).values() for row in group]


def headline(report: FastReport) -> str:
    """What was measured."""
    return (
        f"{PLAYERS}-handed no-limit hold'em, blinds {SMALL_BLIND}/{BIG_BLIND}, stacks {STACK:,}, random play;"
        f" {report.rounds} rounds in turn"
    )


def section(report: FastReport, today: dt.date) -> str:
    """Compiled play's part of the page."""
    lines = [
        "## Compiled play",
        "",
        f'`make bench ARGS="fast --write"` wrote this on {today.isoformat()}: {machine_in_words()}.',
        "",
        f"{headline(report)}.",
        f"The machine's load before was {report.load:.1f}; {_others(report)}.",
        _reference(report),
        _verdict(report),
        "",
    ]
    for name, group in groups(report).items():
        lines += [*markdown((name, *HEADINGS[1:]), group), ""]
    lines += ["What is called, and the differences:", ""]
    lines += [f"- {difference}" for difference in DIFFERENCES]
    lines += [f"- {_named(line)}: {line.called}." for line in (*report.play, *report.evaluate, report.single[0])]
    lines += ["", "How cost grows, on one core unless stated:", ""]
    lines += [f"![{title}]({PICTURES}/{name})" for name, title in TITLES.items()]
    return "\n".join(lines) + "\n"


# --- pictures

TITLES = {
    "fast-hands.svg": "Seconds by number of hands",
    "fast-seats.svg": "Hands a second by number of seats",
    "fast-cores.svg": "Times one core's hands by number of cores",
}


def pictures(report: FastReport) -> dict[str, str]:
    """Drawings by file name."""
    drawn = (_by_hands(report), _by_seats(report), _by_cores(report))
    return {name: chart(title, *parts) for (name, title), parts in zip(TITLES.items(), drawn, strict=True)}


def _by_hands(report: FastReport) -> tuple[Axis, Axis, list[Curve]]:
    hands, seconds = report.growth.hands, report.growth.seconds
    across = Axis("hands", tenfold_marks(hands[0], hands[-1]), tenfold=True)
    up = Axis("seconds", tenfold_marks(min(seconds), max(seconds)), tenfold=True)
    return across, up, [Curve(COMPILED, list(zip(hands, seconds, strict=True)))]


def _by_seats(report: FastReport) -> tuple[Axis, Axis, list[Curve]]:
    growth = report.growth
    curves = [Curve(COMPILED, list(zip(growth.seats, growth.per_second, strict=True)))]
    if growth.reference:
        curves.append(Curve(REFERENCE, list(zip(growth.seats, growth.reference, strict=True))))
    up = Axis("hands a second", rounded_marks(max(*growth.per_second, *growth.reference)))
    return Axis("seats", growth.seats), up, curves


def _by_cores(report: FastReport) -> tuple[Axis, Axis, list[Curve]]:
    cores = report.cores.cores
    found = [(float(count), spread.median) for count, spread in zip(cores, report.cores.times, strict=True)]
    even = [(float(count), float(count)) for count in cores]
    across = Axis("cores", [float(count) for count in cores])
    return (
        across,
        Axis("times one core", rounded_marks(cores[-1])),
        [Curve(COMPILED, found), Curve("in proportion", even)],
    )


# --- lines


def _ordered(lines: tuple[Line, ...]) -> list[Line]:
    """The fastest first, those that were not measured last."""
    return sorted(lines, key=lambda line: -line.per_second.median if line.per_second else 0)


def _named(line: Line) -> str:
    """With its version, unless it is of this very repository."""
    library, *which = line.name.split(",", 1)
    return line.name if library == "pitboss" or not line.version else ",".join([f"{library} {line.version}", *which])


def _rate(line: Line, first: str) -> Row:
    name = _named(line)
    if line.per_second is None:
        return name, "–", "", line.absent or "not measured"
    notes = [_spread(line.per_second)]
    if line.actions is not None:
        notes.append(f"{line.actions:.2f} actions a hand")
    if line.times is not None:
        notes.append(f"{first}: {_times(line.times.median)} times as many")
    return name, f"{line.per_second.median:,.0f}", "", "; ".join(notes)


def _goal(goal: Goal) -> Row:
    if goal.found is None:
        return goal.name, "–", goal.target, f"not judged: {goal.absent}"
    found, notes = goal.found, []
    if found.low < found.high:
        notes.append(f"{goal.number(found.low)} to {goal.number(found.high)}")
    if goal.note:
        notes.append(goal.note)
    return goal.name, goal.number(found.median), goal.target, "; ".join(notes)


def _equity(report: FastReport) -> list[Row]:
    figures = report.equity
    answer = f"{figures.equity:.6f} over {figures.boards:,} boards"
    lines = [
        ("AhAd against KsKc, pitboss", figures.milliseconds, f"the whole call; {answer}"),
        ("C++ reference, every board dealt", figures.dealt, "without reading the question"),
        ("C++, pitboss's algorithm", figures.counted, _longer(figures.times_counted)),
    ]
    return [
        (name, f"{spread.median:.2f} ms", "", f"{spread.low:.2f} to {spread.high:.2f} ms; {note}")
        if spread
        else (name, "–", "", report.no_reference or "")
        for name, spread, note in lines
    ]


def _longer(spread: Spread | None) -> str:
    return f"the whole call of pitboss takes {spread.median:.1f} times as long" if spread else ""


def _cores(report: FastReport) -> list[Row]:
    cores = report.cores
    return [
        (f"hands a second, {_count(count)}", f"{spread.median:,.0f}", "", _spread(spread))
        for count, spread in zip(cores.cores, cores.per_second, strict=True)
    ]


def _count(cores: int) -> str:
    return "1 core" if cores == 1 else f"{cores} cores"


def _spread(spread: Spread) -> str:
    return f"{spread.low:,.0f} to {spread.high:,.0f}"


def _times(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 10 else f"{figure:.2f}"


def _others(report: FastReport) -> str:
    others = report.cores.others
    if others is None:
        return "what other processes took meanwhile, this system does not tell"
    return f"while cores were measured, others took {others:.0%} of it (two cores are judged below {IDLE:.0%})"


def _reference(report: FastReport) -> str:
    if report.no_reference:
        return f"There is no C++ reference: {report.no_reference}."
    same = "the same" if report.same else "NOT the same"
    return (
        f"The reference, built by {report.compiler}, played {report.compared:,} hands from the same seed: actions, and"
        f" every seat's winnings and the sum of their squares, were {same}."
    )


def _verdict(report: FastReport) -> str:
    missed, unjudged = report.missed(), report.unjudged()
    said = f"Not all goals are met: {'; '.join(missed)}." if missed else "All goals are met."
    return f"{said} {'; '.join(unjudged)}." if unjudged else said
