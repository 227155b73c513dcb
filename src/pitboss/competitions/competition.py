"""A competition in its folder: begun, continued after a crash, and finished.

A match is finished if its folder has `match.json`, which is written last. Every other match starts again from its first
hand.
"""

import fcntl
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec.structs import replace

from pitboss.arena.agents.models import PREFIX, find_model
from pitboss.arena.bots.runner import BotNotReady
from pitboss.client.bots import bot_file
from pitboss.competitions.certificate import certify
from pitboss.competitions.forms import RoundPlan, RoundPlayed
from pitboss.competitions.matches import BotHost, MatchTask, PlayedMatch, commit_to, key_of, start_entrant
from pitboss.competitions.outcome import results_of
from pitboss.competitions.plan import (
    COMMITMENTS,
    LOCK,
    PLAN,
    Commitments,
    CompetitionError,
    CompetitionPlan,
    match_name,
    match_names,
    planned_matches,
    settings_fields,
)
from pitboss.competitions.report import write_report
from pitboss.competitions.results import (
    JOURNAL,
    MATCH,
    MATCHES,
    RECORD,
    RESULTS,
    TABLE,
    CompetitionRecord,
    CompetitionResult,
    MatchResult,
    csv_of,
    read_json,
    write_bytes,
    write_json,
)
from pitboss.competitions.settings import CompetitionFile, CompetitionSettings
from pitboss.errors import PitbossError
from pitboss.jobs.pool import OrderedMap

LOGS = "logs"
RESTARTS = 3
"""How often new workers are started after one died."""


class Competition:
    """A competition and its folder, which this process holds."""

    def __init__(self, folder: Path, plan: CompetitionPlan, host: BotHost) -> None:
        self.folder, self.plan, self._host = folder, plan, host
        self.matches: list[MatchResult] = []
        self.byes: list[tuple[int, str]] = []

    @property
    def total(self) -> int:
        """The number of matches."""
        return self.plan.form.matches

    def run(self, play: OrderedMap[MatchTask, PlayedMatch], watching: Callable[[MatchResult], object]) -> None:
        """Play all matches that are not finished; call `watching` after each match."""
        played: list[RoundPlayed] = []
        while (upcoming := self.plan.form.next_round(played)) is not None:
            rounds = [upcoming]
            if self.plan.form.form in ("round_robin", "table_round_robin"):  # all rounds at once keep workers busy
                rounds = self._all_rounds()
            results = self._play(rounds, play, watching)
            for round in rounds:
                chips = tuple([tuple([seat.net for seat in results[name].seats]) for name in match_names(round)])
                played.append(RoundPlayed(round, chips))
                self.byes += [(round.number, self.plan.settings.entrants[bye].name) for bye in round.byes]

    def _all_rounds(self) -> list[RoundPlan]:
        played: list[RoundPlayed] = []
        while (upcoming := self.plan.form.next_round(played)) is not None:
            played.append(RoundPlayed(upcoming, ()))
        return [round.plan for round in played]

    def _play(
        self,
        rounds: Sequence[RoundPlan],
        play: OrderedMap[MatchTask, PlayedMatch],
        watching: Callable[[MatchResult], object],
    ) -> dict[str, MatchResult]:
        tasks = [task for round in rounds for task in self._tasks(round)]
        results: dict[str, MatchResult] = {}
        for task in tasks:
            if (found := self._finished(task)) is not None:
                results[task.id] = found
                watching(found)
        left = [task for task in tasks if task.id not in results]
        for task, played in zip(left, play(left), strict=True):
            self._write(played)
            results[task.id] = played.result
            watching(played.result)
        self.matches += [results[task.id] for task in tasks]
        return results

    def _tasks(self, round: RoundPlan) -> Iterator[MatchTask]:
        settings, host = self.plan.settings, self._host
        for number, table in enumerate(round.tables, 1):
            name = match_name(round.number, number)
            yield MatchTask(
                id=name,
                round=round.number,
                table=number,
                players=tuple([settings.entrants[each] for each in table]),
                key=key_of(self.plan.seed, name),
                settings=replace(settings, seed=None, entrants=()),
                host=host,
            )

    def _finished(self, task: MatchTask) -> MatchResult | None:
        """Return the result of a match that was finished earlier."""
        file = self.folder / MATCHES / task.id / MATCH
        if not file.exists():
            return None
        result = read_json(file, MatchResult)
        names = tuple([player.name for player in task.players])
        if (result.id, result.names, result.key) != (task.id, names, task.key):
            raise CompetitionError(f"{file}: was altered: it does not belong to this competition")
        return result

    def _write(self, played: PlayedMatch) -> None:
        folder = self.folder / MATCHES / played.result.id
        folder.mkdir(parents=True, exist_ok=True)
        write_bytes(folder / JOURNAL, played.journal.encode())
        for seat, log in enumerate(played.logs, 1):
            if log:
                write_bytes(folder / f"seat{seat}.log", log.encode("utf-8", "backslashreplace"))
        write_json(folder / MATCH, played.result)

    def record(self) -> CompetitionRecord:
        """Return everything that the report is made from."""
        settings = self.plan.settings
        return CompetitionRecord(
            form=settings.form,
            game=settings.game,
            settings=settings_fields(settings),
            entrants=settings.entrants,
            matches=tuple(self.matches),
            byes=tuple(self.byes),
            notices=self.plan.notices,
            version=self.plan.version,
        )

    def write_logs(self) -> None:
        """Write each entrant's log, from the logs of its matches."""
        folder = self.folder / LOGS
        folder.mkdir(exist_ok=True)
        for at, entrant in enumerate(self.plan.settings.entrants):
            lines = list[str]()
            for match in self.matches:
                if entrant.name in match.names:
                    own = self.folder / MATCHES / match.id / f"seat{match.names.index(entrant.name) + 1}.log"
                    with suppress(FileNotFoundError):
                        text = own.read_text(encoding="utf-8", errors="replace")
                        lines.append(f"--- match {match.id}\n{text}")
            write_bytes(folder / log_name(at, entrant.name), "".join(lines).encode())


def log_name(at: int, name: str) -> str:
    """Return the name of an entrant's log.

    >>> log_name(0, "Ann & Bo"), log_name(1, "../x")
    ('01-Ann-Bo.log', '02--x.log')
    """
    return f"{at + 1:02d}-{re.sub(r'[^A-Za-z0-9]+', '-', name)}.log"


# --- the folder


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder, so that no other process runs the competition there at the same time."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CompetitionError(f"{folder}: another process runs the competition there") from None
        yield


def begin(folder: Path, plan: CompetitionPlan, host: BotHost) -> Competition:
    """Write the plan and the commitments, unless they are there, and return the competition."""
    if not (folder / PLAN).exists():
        commitments = Commitments({name: commit_to(key_of(plan.seed, name)) for name in planned_matches(plan)})
        write_json(folder / COMMITMENTS, commitments)
        write_json(folder / PLAN, plan)
        os.chmod(folder / PLAN, 0o600)
    return Competition(folder, plan, host)


def check_bots(file: CompetitionFile, host: BotHost) -> None:
    """Start each bot once. Raise `CompetitionError` if one does not load, or if a model's settings are missing."""
    for entrant, place in zip(file.settings.entrants, file.places, strict=True):
        try:
            if entrant.kind == "llm":
                find_model(f"{PREFIX}{entrant.spec}", host.models or None)
            elif entrant.kind != "house":
                start_entrant(entrant, host, lambda _: None).close()
        except (BotNotReady, PitbossError) as error:
            raise CompetitionError(f"{place}: {entrant.name} does not load: {error}") from None


def hidden_paths(settings: CompetitionSettings, *others: Path) -> tuple[str, ...]:
    """Return the paths that no bot sees: the other bots' files, the settings and the folder."""
    found = [bot_file(one.spec) for one in settings.entrants if one.kind in ("path", "command")]
    return tuple([str(path) for path in [*filter(None, found), *[other.resolve() for other in others]]])


def finish(competition: Competition) -> CompetitionResult:
    """Write the results, the report, the logs and the certificate; return the results."""
    folder, record = competition.folder, competition.record()
    results = results_of(record)
    competition.write_logs()
    write_json(folder / RESULTS, results)
    write_bytes(folder / TABLE, csv_of(results.entrants).encode())
    write_json(folder / RECORD, record)
    write_report(folder)
    os.chmod(folder / PLAN, 0o644)  # the seed is no secret any more
    certify(folder)
    return results
