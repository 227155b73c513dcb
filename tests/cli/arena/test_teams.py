"""Lists of teams: what a TOML file contains, which codes are generated, and who can read them."""

import os
import stat
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pitboss.cli.arena import serve as arena_serve
from pitboss.cli.arena.teams import CODE_LENGTH, LETTERS, read_teams
from pitboss.cli.main import cli
from tests.support.arena.servers import refused, served, visit, within
from tests.support.for_each import for_each

THREE = """
[[team]]
name = "Alpha"
code = "KF7Q9C"

[[team]]
name = "Beta \\"the\\" second"

[[team]]
name = "Команда"
"""


def listed(folder: Path, text: str, name: str = "teams.toml") -> Path:
    """A file with a list."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_missing_codes_are_created_for_the_owner_only_and_reused(tmp_path: Path) -> None:
    path = listed(tmp_path, THREE)
    first = read_teams((), path)
    assert first is not None
    assert list(first.teams) == ["Alpha", 'Beta "the" second', "Команда"]
    assert first.teams["Alpha"] == "KF7Q9C"
    assert not (tmp_path / "teams.codes.toml").exists(), "nothing is written before the server listens"
    old = os.umask(0)
    try:
        said = first.write()
    finally:
        os.umask(old)
    codes = tmp_path / "teams.codes.toml"
    assert said == f"2 codes were generated and saved in {codes}, which only you can read"
    assert stat.S_IMODE(codes.stat().st_mode) == 0o600
    written = {team["name"]: team["code"] for team in tomllib.loads(codes.read_text(encoding="utf-8"))["team"]}
    assert written == {name: code for name, code in first.teams.items() if name != "Alpha"}
    assert all(len(code) == CODE_LENGTH and set(code) <= set(LETTERS) for code in written.values())
    again = read_teams((), path)
    assert again is not None
    assert again.teams == first.teams
    assert (again.write(), again.made) == (None, {})
    assert set(tmp_path.iterdir()) == {path, codes}


def test_a_team_that_is_added_gets_a_code_and_the_others_keep_theirs(tmp_path: Path) -> None:
    path = listed(tmp_path, THREE)
    first = read_teams((), path)
    assert first is not None
    first.write()
    listed(tmp_path, THREE + '\n[[team]]\nname = "Delta"\n')
    second = read_teams((), path)
    assert second is not None
    assert list(second.made) == ["Delta"]
    second.write()
    third = read_teams((), path)
    assert third is not None
    assert third.teams == {**first.teams, "Delta": second.made["Delta"]}


def test_a_file_of_codes_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    path = listed(tmp_path, '[[team]]\nname = "Alpha"\n')
    codes = listed(tmp_path, '[[team]]\nname = "Alpha"\ncode = "Sesame"\n', "teams.codes.toml")
    codes.chmod(0o644)
    found = read_teams((), path)
    assert found is not None
    assert found.teams == {"Alpha": "Sesame"}
    assert (
        found.write()
        == f"{codes}: other users could read this file; its permissions were changed, and only you can now"
    )
    assert stat.S_IMODE(codes.stat().st_mode) == 0o600


@for_each(
    "text, sentence",
    [
        ("[[team]\nname = 1", "not valid TOML: .*line 1"),
        ("", "expected at least one team"),
        ("x = 1", "entries, got 'x'"),
        ("team = 1", "entries, got team"),
        ('[[team]]\nname = "A"\n\n[[team]]\ncode = "x"', "line 4: expected the name of the team"),
        ("[[team]]\nname = 7", "line 1: expected the name of the team"),
        ('[[team]]\nname = "A"\ncolour = "red"', "line 1: expected name and code, got 'colour'"),
        ('[[team]]\nname = "A"\ncode = 7', "line 1: expected a text as the code of 'A'"),
        ('[[team]]\nname = "A"\ncode = ""', "line 1: expected a text as the code of 'A'"),
        ('[[team]]\nname = "A"\n[[team]]\nname = "A"', "line 3: team 'A' is given twice"),
        ('[[team]]\nname = "Alpha"\n\n\n[[team]]\nname = "ALPHA"', "line 5: team 'ALPHA' looks like 'Alpha'"),
        ('[[team]]\nname = "Al\\u200bpha"', "line 1: team .* has an invisible character"),
        ('[[team]]\nname = ""', "line 1: team '' is only spaces"),
        ('[[team]]\nname = "' + "x" * 500 + '"', "name or code not valid"),
    ],
)
def test_a_file_that_is_not_a_list_of_teams_is_refused_with_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    path = listed(tmp_path, text)
    with pytest.raises(click.UsageError, match=sentence) as error:
        read_teams((), path)
    assert str(path) in error.value.message
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_file_and_a_file_that_is_not_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(click.UsageError, match="cannot be read: No such file"):
        read_teams((), tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(click.UsageError, match="not text in UTF-8"):
        read_teams((), tmp_path / "bytes.toml")


def test_any_other_file_has_a_team_per_line_and_the_old_option_still_takes_toml(tmp_path: Path) -> None:
    lines = listed(tmp_path, "# a comment\n\nAlpha:KF7Q9C\nBeta: the second:x\n", "teams.txt")
    found = read_teams((), lines)
    assert found is not None
    assert found.teams == {"Alpha": "KF7Q9C", "Beta: the second": "x"}
    assert (found.write(), found.made) == (None, {})
    for name, old in (("TEAMS.TOML", False), ("teams.list", True)):
        found = read_teams((), listed(tmp_path, THREE, name), toml=old)
        assert found is not None
        assert len(found.teams) == 3


def test_the_old_option_is_an_alias_that_help_does_not_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Path, bool]] = []

    def read(texts: object, file: Path, *, toml: bool) -> None:
        asked.append((file, toml))
        raise click.UsageError("read")

    monkeypatch.setattr(arena_serve, "read_teams", read)
    for option, other in (("--teams", "--team-file"), ("--team-file", "--teams")):
        assert "Error: read" in CliRunner().invoke(cli, ["arena", "serve", option, "teams.toml"]).output
        both = CliRunner().invoke(cli, ["arena", "serve", option, "a.toml", other, "b.toml"])
        assert (both.exit_code, "old name of --teams" in both.output) == (2, True)
    assert asked == [(Path("teams.toml"), False), (Path("teams.toml"), True)]
    shown = CliRunner().invoke(cli, ["arena", "serve", "--help"]).output
    assert "--teams" in shown
    assert "--team-file" not in shown


def test_teams_of_the_command_line_and_of_the_file_are_one_list(tmp_path: Path) -> None:
    path = listed(tmp_path, THREE)
    found = read_teams(["Zeta:z"], path)
    assert found is not None
    assert next(iter(found.teams)) == "Zeta"
    with pytest.raises(click.UsageError, match="team 'Alpha' is given twice"):
        read_teams(["Alpha:z"], path)


@pytest.mark.check
def test_the_server_admits_the_teams_by_the_codes_it_wrote_also_after_a_restart(tmp_path: Path) -> None:
    listed(tmp_path, THREE)

    async def comes(team: str, code: str) -> str:
        async with visit(process.ws()) as peer:
            await peer.hello(team, code)
            answer = await peer.receive("welcome", "error")
            return str(answer.get("code", answer["type"]))

    for _ in range(2):
        with served(tmp_path, "--teams", "teams.toml", "--seats", "4", "--start-at", "3") as process:
            codes = tomllib.loads((tmp_path / "teams.codes.toml").read_text(encoding="utf-8"))["team"]
            assert within(comes("Команда", codes[1]["code"])) == "welcome"
            assert within(comes("Alpha", "wrong")) == "TEAM_TAKEN"
            assert within(comes("Nobody", "x")) == "TEAM_UNKNOWN"
            assert process.end() == 0
            assert codes[0]["code"] not in process.said


@pytest.mark.check
def test_port_in_use_creates_no_file(tmp_path: Path) -> None:
    other, here = tmp_path / "other", tmp_path / "here"
    other.mkdir()
    here.mkdir()
    path = listed(here, THREE)
    with served(other) as process:
        status, said = refused(here, "--port", str(process.port), "--teams", "teams.toml")
        assert (status, "is in use" in said) == (1, True)
        assert list(here.iterdir()) == [path]
        process.end()


def test_a_stack_below_the_big_blind_is_refused(tmp_path: Path) -> None:
    status, said = refused(tmp_path, "--stack", "99")
    assert (status, "--stack: expected at least 100, the big blind, got 99" in said) == (2, True)
