"""Tables of each variant in a real arena: random bots of the house, one `kill -9`, all verified, exported and replayed.

Outside CI: `python -m tests.arena.variants --hands 1000`; with `--all` the sisters that PHH has no code for too, and
the mixed games.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner
from msgspec import Struct

from pitboss.cli.main import cli
from pitboss.formats.phh import read_phhs
from pitboss.hand.games import PHH_CODES, STRUCTURES, file_games
from pitboss.records.replay import replay
from pitboss.table.mixed import MIXED, find_games
from tests.support.arena.servers import Process, served, visit, within
from tests.support.figures import write_row

SEATS = 5
MAX_HANDS = 50
"""Without a limit, a match of random bots is mostly decided before this."""
TABLES = 20
"""At a time."""
PATIENCE = 900.0


class VariantRun(Struct, kw_only=True):
    """What tables of one variant came to."""

    code: str
    matches: int = 0
    hands: int = 0
    killed_at: int = 0  #: hands that were begun when the server was killed
    replayed: int = 0
    seconds: float = 0.0
    problems: list[str] = []

    def line(self) -> str:
        """It in a line."""
        verdict = "all right" if not self.problems else "; ".join(self.problems[:3])
        return (
            f"{self.code:<10} {self.hands:>6} hands in {self.matches:>4} matches, killed at {self.killed_at:>4}, "
            f"{self.replayed:>6} replayed, {self.seconds:>6.1f} s: {verdict}"
        )


def play_variant(code: str, hands: int, folder: Path) -> VariantRun:
    """Play this many hands of a variant at real tables, and check all of them."""
    run, begun = VariantRun(code=code, problems=[]), time.perf_counter()
    seats = min(SEATS, find_games(code).most_players)
    bots = ",".join(["random"] * seats)
    rounds = 0
    while run.hands < hands and not run.problems:
        rounds += 1
        tables = min(TABLES, -(-(hands - run.hands) // 10))
        table = f"--game {code} --tables {tables} --seats {seats} --start-at {seats} --max-hands {MAX_HANDS}"
        options = f"{table} --house {bots} --house-think-ms 0".split()
        db = f"{rounds}.db"
        if rounds == 1:
            with served(folder, *options, db=db) as first:
                run.killed_at = within(_until(first, tables, begun=tables * 4), PATIENCE)
                first.kill()
        with served(folder, *options, db=db) as server:
            within(_until(server, tables), PATIENCE)
            if server.end() != 0:
                run.problems.append(f"the server ended badly: {server.said[-300:]}")
        _check(run, folder, db)
    run.seconds = time.perf_counter() - begun
    return run


async def _until(server: Process, tables: int, begun: int = 0) -> int:
    """Watch all tables until their matches are over or this many hands have begun; return the number of those seen."""
    seen, enough = 0, asyncio.Event()

    async def watch(table: str) -> None:
        nonlocal seen
        async with visit(server.watch(table)) as spectator:
            while (await spectator.receive("start_hand", "match_end"))["type"] == "start_hand":
                spectator.heard.clear()
                seen += 1
                if seen == begun:
                    enough.set()

    async def watch_all() -> None:
        await asyncio.gather(*[watch(f"T-{number}") for number in range(1, tables + 1)])

    watching = asyncio.ensure_future(watch_all())
    watching.add_done_callback(lambda _: enough.set())
    await enough.wait()
    if watching.done():
        watching.result()
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    return seen


def _check(run: VariantRun, folder: Path, db: str) -> None:
    """Verify a journal, export it, and replay the export strictly."""
    out = folder / f"{db}.hands"
    verified = CliRunner().invoke(cli, ["arena", "verify", str(folder / db), "--json"])
    reports = [json.loads(line) for line in verified.stdout.splitlines()]
    if not reports:
        run.problems.append(f"verify said {verified.output[-200:]!r}")
    for report in reports:
        run.problems += report["problems"]
        if report["voided"]:
            run.problems.append(f"{report['name']}: {report['voided']} hands are void")
    exported = CliRunner().invoke(cli, ["arena", "export", str(folder / db), str(out)])
    if exported.exit_code:
        run.problems.append(f"export said {exported.output[-200:]!r}")
    for file in sorted(out.glob("*.phhs")):
        for _, record in read_phhs(file.read_text(encoding="utf-8")):
            if replay(record).finishing_stacks != record.finishing_stacks:
                run.problems.append(f"{file.name}: a hand replays otherwise")
            run.replayed += 1
    run.matches += len(reports)
    run.hands += sum(report["hands"] for report in reports)
    if run.replayed != run.hands:
        run.problems.append(f"of {run.hands} hands {run.replayed} were exported")


def main(given: Sequence[str] | None = None) -> int:
    """Play them all, and print one line each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("variants", nargs="*", help="codes or names; without any, those of PHH and the files")
    parser.add_argument("--hands", type=int, default=1000, help="of each variant")
    parser.add_argument("--all", action="store_true", help="those that PHH has no code for too")
    options = parser.parse_args(given)
    own = [game.key for game in file_games()]
    codes = options.variants or ([*STRUCTURES, *MIXED, *own] if options.all else [*PHH_CODES, *own])
    runs = []
    for code in codes:
        with tempfile.TemporaryDirectory() as folder:
            runs.append(play_variant(code, options.hands, Path(folder)))
        print(runs[-1].line(), flush=True)
    failed = [run.code for run in runs if run.problems]
    hands, matches = sum(run.hands for run in runs), sum(run.matches for run in runs)
    print(f"{len(runs)} variants, {hands} hands in {matches} matches, {len(failed)} failed")
    if not failed and not options.variants and options.hands >= 1000:  # a trial is not evidence
        write_row("variants-served", variants=len(runs), hands=hands, matches=matches, kills=len(runs))
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
