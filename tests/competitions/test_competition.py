"""A competition in its folder: the same results for any number of workers and after any crash, and a certificate."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.competitions.certificate import CERTIFICATE, Certificate, certify, verify_folder
from pitboss.competitions.competition import begin, check_bots, finish, held
from pitboss.competitions.matches import BotHost, MatchTask, play_match
from pitboss.competitions.plan import PLAN, CompetitionError, load_plan, make_plan
from pitboss.competitions.results import RESULTS, CompetitionResult, MatchResult, read_json
from pitboss.competitions.settings import CompetitionFile, parse_settings
from pitboss.jobs.pool import worker_pool

HOUSE = ("calling", "random", "folding", "tight")


def cup(*bots: str, **fields: object) -> CompetitionFile:
    """Return the settings of a small competition of house bots."""
    keys = {"seed": 5, "hands": 12, **fields}
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    lines += [f'[[entrants]]\nname = "{at} {bot}"\nhouse = "{bot}"' for at, bot in enumerate(bots or HOUSE)]
    return parse_settings("\n".join(lines))


def one_by_one(tasks: Sequence[MatchTask]) -> Any:
    return map(play_match, tasks)


def run(
    folder: Path,
    file: CompetitionFile,
    play: Callable[[Sequence[MatchTask]], Any] = one_by_one,
    watching: Callable[[MatchResult], object] = lambda _: None,
) -> CompetitionResult:
    """Run or continue a competition, and return its results."""
    with held(folder):
        plan = make_plan(file.settings, load_plan(folder), folder, trusted=False, notices=())
        competition = begin(folder, plan, BotHost())
        competition.run(play, watching)
        return finish(competition)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished competition, which tests must copy before they change it."""
    folder = tmp_path_factory.mktemp("cup")
    run(folder, cup())
    return folder


def test_the_folder_has_results_as_the_contract_says(finished: Path) -> None:
    found = json.loads((finished / RESULTS).read_text())
    assert [*found] == ["form", "game", "hands", "entrants", "pairs"]
    assert (found["form"], found["game"], found["hands"]) == ("round_robin", "no_limit_holdem", 72)
    assert [*found["entrants"][0]] == [
        *("name", "place", "tied_with", "bb_per_100", "low", "high", "adjusted", "hands", "matches"),
        *("illegal", "timeouts", "crashes"),
    ]
    assert [*found["entrants"][0]["adjusted"]] == ["bb_per_100", "low", "high"]
    assert [*found["pairs"][0]] == ["a", "b", "hands", "bb_per_100", "low", "high", "decided"]
    assert [entrant["place"] for entrant in found["entrants"]] == [1, 2, 3, 4]
    assert {(entrant["hands"], entrant["matches"]) for entrant in found["entrants"]} == {(36, 3)}
    assert len(found["pairs"]) == 6
    assert abs(sum(entrant["bb_per_100"] for entrant in found["entrants"])) < 0.01
    for entrant in found["entrants"]:
        low, rate, high = [entrant["adjusted"][key] for key in ("low", "bb_per_100", "high")]
        assert low <= rate <= high
    assert any(entrant["adjusted"]["bb_per_100"] != entrant["bb_per_100"] for entrant in found["entrants"])
    rows = (finished / "results.csv").read_text().splitlines()
    assert len(rows) == 5
    assert rows[0].startswith("name,place,tied_with,bb_per_100,low,high,adjusted_bb_per_100")


FORMS: dict[str, dict[str, object]] = {
    "knock_out": {"form": "knock_out"},
    "swiss": {"form": "swiss", "rounds": 3},
    "table_round_robin": {"form": "table_round_robin", "seats": 3},
    "razz": {"game": "razz"},
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_is_played_and_verified(tmp_path: Path, name: str) -> None:
    bots = ("calling", "random", "folding", "calling", "random")
    results = run(tmp_path, cup(*bots, **FORMS[name]))
    assert [entrant.place for entrant in results.entrants] == [1, 2, 3, 4, 5]
    assert verify_folder(tmp_path) == []


def test_the_winner_of_a_knock_out_is_first_and_the_other_finalist_second(tmp_path: Path) -> None:
    results = run(tmp_path, cup("calling", "folding", "random", "calling", "folding", form="knock_out", hands=20))
    last = json.loads((tmp_path / "matches" / "r03-t001" / "match.json").read_text())
    finalists = sorted(last["seats"], key=lambda seat: -seat["net"])
    assert [entrant.name for entrant in results.entrants[:2]] == [seat["name"] for seat in finalists]


@pytest.mark.check
def test_any_number_of_workers_gives_the_same_results(finished: Path, tmp_path: Path) -> None:
    with worker_pool(play_match, 2, piece=1) as play:
        run(tmp_path, cup(), play)
    for name in (RESULTS, "results.csv"):
        assert (tmp_path / name).read_bytes() == (finished / name).read_bytes()


class Crash(Exception):
    """The program ends at this moment."""


@pytest.mark.parametrize("matches", [0, 1, 4])
def test_a_crash_keeps_finished_matches_and_changes_no_result(finished: Path, tmp_path: Path, matches: int) -> None:
    played = list[str]()

    def play_some(tasks: Sequence[MatchTask]) -> Any:
        for task in tasks[:matches]:
            yield play_match(task)
        raise Crash

    def play_rest(tasks: Sequence[MatchTask]) -> Any:
        for task in tasks:
            played.append(task.id)
            yield play_match(task)

    with pytest.raises(Crash):
        run(tmp_path, cup(), play_some)
    assert not (tmp_path / RESULTS).exists()
    run(tmp_path, cup(), play_rest)
    assert len(played) == 6 - matches
    assert (tmp_path / RESULTS).read_bytes() == (finished / RESULTS).read_bytes()
    assert verify_folder(tmp_path) == []


def test_a_half_written_match_is_played_again(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "cup")
    (folder / "matches" / "r02-t001" / "match.json").unlink()
    (folder / "matches" / "r02-t001" / "hands.phhs").write_text("half a")
    run(folder, cup())
    assert (folder / RESULTS).read_bytes() == (finished / RESULTS).read_bytes()
    assert verify_folder(folder) == []


def test_a_seed_of_its_own_is_kept_over_a_crash(tmp_path: Path) -> None:
    file = cup(hands=8)
    seedless = CompetitionFile(replace(file.settings, seed=None), file.places)
    first = run(tmp_path, seedless)
    shutil.rmtree(tmp_path / "matches" / "r01-t001")
    assert run(tmp_path, seedless) == first


def test_another_competition_in_the_folder_is_refused(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "cup")
    with pytest.raises(CompetitionError, match="hands differs from the competition that began there"):
        run(folder, cup(hands=14))
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").touch()
    with pytest.raises(CompetitionError, match="the folder has files, but no competition"):
        run(other, cup())


def test_a_changed_bot_is_refused(tmp_path: Path) -> None:
    bot = tmp_path / "ann.py"
    bot.write_text("def decide(act): return 'FOLD'")
    text = f'hands = 8\n[[entrants]]\nname = "Ann"\npath = "{bot}"\n[[entrants]]\nname = "Bo"\nhouse = "folding"'
    file = parse_settings(text)
    out = tmp_path / "cup"
    with held(out):
        begin(out, make_plan(file.settings, None, out, trusted=True, notices=()), BotHost())
    bot.write_text("def decide(act): return 'CALL'")
    with pytest.raises(CompetitionError, match="the file of Ann has changed"):
        make_plan(file.settings, load_plan(out), out, trusted=True, notices=())


def test_two_processes_cannot_run_the_same_competition(tmp_path: Path) -> None:
    with (
        held(tmp_path),
        pytest.raises(CompetitionError, match="another process runs the competition there"),
        held(tmp_path),
    ):
        pass


@pytest.mark.check
def test_a_bot_that_does_not_load_is_named_with_its_line_before_anything_starts(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def decide(act) return 1\n")
    text = f'[[entrants]]\nname = "Ann"\nhouse = "folding"\n[[entrants]]\nname = "Bo"\npath = "{tmp_path}/broken.py"'
    with pytest.raises(CompetitionError, match=r"cup.toml, line 4, entrants\[2\]: Bo does not load: .* is not Python"):
        check_bots(parse_settings(text, "cup.toml"), BotHost())


# --- the certificate


def altered(finished: Path, folder: Path, name: str, old: str, new: str) -> list[str]:
    """Return what verify finds if a text in a file is replaced and a new certificate written."""
    shutil.copytree(finished, folder)
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
    first = verify_folder(folder)
    assert first == [f"{name}: was altered: its hash differs from the certificate"]
    certify(folder)
    return verify_folder(folder)


def test_an_untouched_folder_is_all_right(finished: Path) -> None:
    assert verify_folder(finished) == []


def test_an_altered_result_is_named_even_with_a_new_certificate(finished: Path, tmp_path: Path) -> None:
    found = altered(finished, tmp_path / "cup", RESULTS, '"place": 1', '"place": 2')
    assert found == ["results.json: differs from the results of the matches"]


def test_an_altered_journal_is_named_even_with_a_new_certificate(finished: Path, tmp_path: Path) -> None:
    name = "matches/r01-t002/hands.phhs"
    text = (finished / name).read_text()
    cards = text.split("d dh p1 ")[1][:4]
    found = altered(finished, tmp_path / "cup", name, f"d dh p1 {cards}", f"d dh p1 {cards[2:]}{cards[:2]}")
    assert len(found) == 1
    assert found[0].startswith(f"{name}: ")


def test_an_altered_commitment_is_named(finished: Path, tmp_path: Path) -> None:
    commitment = read_json(finished / "matches" / "r01-t001" / "match.json", MatchResult).commit
    found = altered(finished, tmp_path / "cup", "commitments.json", commitment, "0" * 64)
    assert found == ["matches/r01-t001/match.json: its decks are not those of commitments.json"]


def test_a_missing_and_a_strange_file_are_named(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "cup")
    (folder / "results.csv").unlink()
    (folder / "extra.txt").touch()
    assert verify_folder(folder) == ["results.csv: is missing", "extra.txt: is not in the certificate"]
    (folder / CERTIFICATE).unlink()
    assert "certificate.json: cannot be read" in verify_folder(folder)[0]


def test_the_seed_is_private_until_the_end(tmp_path: Path) -> None:
    modes = list[int]()
    run(tmp_path, cup(hands=8), watching=lambda _: modes.append((tmp_path / PLAN).stat().st_mode & 0o777))
    assert set(modes) == {0o600}
    assert read_json(tmp_path / CERTIFICATE, Certificate).files.keys() >= {PLAN, RESULTS}
