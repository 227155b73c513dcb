"""The arena's figures for people: lines of a table, and a section of docs/benchmarks.md."""

import datetime as dt

from benchmarks.arena import CONNECTIONS_MIB, LEAST_RATIO, SLOWEST_MS, TABLE_KIB, THINK, ArenaReport
from benchmarks.arena_bare import SEATS
from benchmarks.page import machine_in_words, markdown
from benchmarks.rules import Spread

HEADINGS = ("the arena", "measured", "goal", "")
DIFFERENCES = (
    "Both are one process with aiohttp, the same event loop and WebSocket settings; bots are not counted.",
    "The bare server answers an action with the next frames of a recording of the arena.",
    "It reads no message, has no game and no journal, and sends each frame to each client with `send_str`.",
    "The arena checks and plays the action, writes it to disk, and makes and numbers the frames.",
    "It encodes a message once for all, writes a connection's frames together, and counts its journal's thread.",
    "It handles a player's short frame when it arrives; the bare server's go through aiohttp's queue.",
)


def rows(report: ArenaReport) -> list[tuple[str, str, str, str]]:
    """A line for each figure."""
    paced, flat, memory = report.paced, report.flat_out, report.memory
    return [
        ("turns lost", f"{paced.lost:,}", "0", f"of {paced.actions:,} in {paced.seconds:g} s"),
        (
            "action to next message, p99",
            f"{paced.p99_ms:.0f} ms",
            f"under {SLOWEST_MS} ms",
            f"half within {paced.p50_ms:.0f} ms, the slowest {paced.max_ms:.0f} ms",
        ),
        ("messages a second", f"{paced.messages_per_second:,.0f}", "", f"{paced.processor:.0%} of one core"),
        ("flat out, messages per CPU-second", f"{flat.arena.median:,.0f}", "", _range(flat.arena)),
        ("the same, a bare server", f"{flat.bare.median:,.0f}", "", _range(flat.bare)),
        ("share of the bare server's", f"{flat.ratio.median:.2f}", f"at least {LEAST_RATIO}", _range(flat.ratio, 2)),
        (
            "an idle table",
            f"{memory.kib_per_table:.0f} KiB",
            f"under {TABLE_KIB} KiB",
            f"{memory.tables:,} tables against one, without clients",
        ),
        (
            "a table that plays, with its connections",
            f"{paced.kib_per_table:.0f} KiB",
            "",
            f"{paced.tables:,} tables, {SEATS} connections each",
        ),
        (
            "idle connections",
            f"{memory.connections_mib:.0f} MiB",
            f"under {CONNECTIONS_MIB} MiB",
            f"{memory.connections:,}: half players, half spectators",
        ),
    ]


def headline(report: ArenaReport) -> str:
    """What was measured."""
    paced, flat = report.paced, report.flat_out
    return (
        f"{paced.tables} tables of {SEATS} bots that think {1000 * THINK:.0f} ms, on the loopback address, journal in "
        f"SQLite; {flat.tables} tables of bots that answer at once, {flat.rounds} rounds in turn with a bare server"
    )


def section(report: ArenaReport, today: dt.date) -> str:
    """The arena's part of the page."""
    flat = report.flat_out
    lines = [
        "## The arena",
        "",
        f'`make bench ARGS="arena --write"` wrote this on {today.isoformat()}: {machine_in_words()}.',
        "",
        f"{headline(report)}.",
        f"The disk takes {report.sync_ms:.1f} ms to keep a page; the machine's load before was {report.load:.1f}.",
        "Messages are those that the server sends and receives:",
        f"an action is followed by {flat.frames_per_action:.1f} frames of {flat.bytes_per_frame:.0f} bytes on average.",
        _verdict(report),
        "",
        *markdown(HEADINGS, rows(report)),
        "",
        "Differences between the arena and the bare server:",
        "",
        *(f"- {difference}" for difference in DIFFERENCES),
    ]
    return "\n".join(lines) + "\n"


def _verdict(report: ArenaReport) -> str:
    missed = report.missed()
    return f"Not all goals are met: {'; '.join(missed)}." if missed else "All goals are met."


def _range(spread: Spread, digits: int = 0) -> str:
    return f"{spread.low:,.{digits}f} to {spread.high:,.{digits}f}"
