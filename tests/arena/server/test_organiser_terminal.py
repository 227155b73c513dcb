"""What an organiser reads in the terminal: who came, who is missing, and how a match ended, at a glance."""

import errno
import socket
import sqlite3
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pitboss.arena.connections.addresses import reachable_name
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.output import Output
from pitboss.cli.arena.serve import ServerAddress
from tests.support.arena.rooms import Parlour
from tests.support.arena.servers import served
from tests.support.cli.runs import run
from tests.support.for_each import for_each

NARROW = 60


def notes_of(parlour: Parlour) -> list[str]:
    """Everything that a table has logged from now on."""
    noted: list[str] = []
    plain = parlour._deliver

    def deliver(out: Output) -> None:
        noted.extend(out.notes)
        plain(out)

    parlour._deliver = deliver  # type: ignore[method-assign]  # a test's ear
    return noted


def test_terminal_counts_listed_teams_and_names_missing_ones() -> None:
    parlour = Parlour(Settings(seats=3, start_at=3), teams={"Alpha": "a", "Beta": "b", "Gamma": "c"})
    noted = notes_of(parlour)
    parlour.join("Beta", "b")
    parlour.join("Alpha", "a")
    parlour.join("Gamma", "c")
    assert noted[:3] == [
        "T-1: 'Beta' takes seat 0; 1 of 3 teams have come, missing: 'Alpha', 'Gamma'",
        "T-1: 'Alpha' takes seat 1; 2 of 3 teams have come, missing: 'Gamma'",
        "T-1: 'Gamma' takes seat 2; all 3 teams have come",
    ]


def test_open_table_counts_seats_and_names_some_of_many_missing_teams() -> None:
    parlour = Parlour(Settings(seats=4, start_at=4))
    noted = notes_of(parlour)
    parlour.join("Alpha")
    assert noted == ["T-1: 'Alpha' takes seat 0; 1 of 4 seats are taken"]
    many = Parlour(Settings(seats=10, start_at=10), teams={f"Team {number}": "x" for number in range(10)})
    noted = notes_of(many)
    many.join("Team 0", "x")
    (line,) = noted
    assert "; 1 of 10 teams have come, missing: 'Team 1', 'Team 2'" in line
    assert line.endswith("'Team 5' and 4 more")


def test_the_end_of_a_match_is_a_small_table_that_a_narrow_terminal_shows_whole() -> None:
    parlour = Parlour(Settings(seats=3, start_at=3, max_hands=1))
    noted = notes_of(parlour)
    for team in ("Alpha", "Beta", "Gamma"):
        parlour.join(team)
    parlour.play_hand()
    end = noted[noted.index(next(note for note in noted if "over" in note)) :]
    assert end == [
        "T-1: the match is over after 1 hand: 'Gamma' (seat 2) has won",
        "T-1:    1.       10,050  Gamma",
        "T-1:    2.       10,000  Alpha",
        "T-1:    3.        9,950  Beta",
    ]
    assert max(map(len, end[1:])) < NARROW


def test_a_tie_reads_as_one() -> None:
    parlour = Parlour(Settings(seats=3, start_at=3, max_hands=1, small_blind=0, big_blind=1))
    noted = notes_of(parlour)
    for team in ("Alpha", "Beta", "Gamma"):
        parlour.join(team)
    history = parlour.match.history
    for taken in history.seats.values():
        taken.stack = 5
    out = Output()
    parlour.room._log.over(out, history.ranking())
    assert "tie for the win" in out.notes[0]
    assert [line.split()[1] for line in out.notes[1:]] == ["1=", "1=", "1="]
    assert noted


def test_start_message_names_missing_teams_and_how_to_join(tmp_path: Path) -> None:
    options = ("--team", "Alpha:a", "--team", "Beta:b")
    with served(tmp_path, *options) as process:
        assert process.process.stdout is not None
        begin, seat = [process.process.stdout.readline().decode() for _ in range(2)]
        assert begin == "begin a bot: pitboss arena new my_bot.py\n"
        assert seat == f"take a seat: pitboss arena join my_bot.py {process.ws()} --team NAME --code CODE\n"
        assert process.end() == 0
    assert "T-1: 0 of 2 teams have come, missing: 'Alpha', 'Beta'\n" in process.said


def test_full_table_does_not_offer_seats(tmp_path: Path) -> None:
    with served(tmp_path, "--freeze-out", "--house", "folding,calling", "--max-hands", "1") as process:
        assert process.process.stdout is not None
        assert process.process.stdout.readline().decode().startswith("begin a bot: ")
        process.process.terminate()
        assert process.process.stdout.read() == b""
        assert process.wait() == 0
    assert "T-1: the house bots begin this freeze-out at once, so no other team gets a seat;" in process.said


@pytest.mark.parametrize("host", ["0.0.0.0", "::", ""])
def test_on_all_addresses_one_is_printed_that_others_can_use(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    ServerAddress(host).announce(8765, "pitboss.db")
    said = capsys.readouterr()
    bots = urlsplit(said.out.split()[1])
    assert bots.hostname == reachable_name(host).lower()
    assert bots.hostname not in (None, "", "0.0.0.0", "::")
    assert (
        said.err
        == f"if others cannot find this machine as {reachable_name(host)}, give its address with --public-url\n"
    )
    ServerAddress(host, ("https://arena.example",)).announce(8765, "pitboss.db")
    said = capsys.readouterr()
    assert said.out.startswith("bots: wss://arena.example/ws ")
    assert said.err == ""


def test_a_machine_without_a_way_out_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(self: socket.socket, address: object) -> None:
        raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", connect)
    assert reachable_name("0.0.0.0") == socket.gethostname()


@for_each("kind", ["hands.phh", "picture.png", "empty", "other.jsonl", "other.db", "notes.md"])
def test_verify_names_a_file_of_another_kind_in_one_line(kind: str, tmp_path: Path) -> None:
    path = tmp_path / kind
    if kind == "other.db":
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE other (x)")
        database.close()
    else:
        texts = {"hands.phh": b'variant = "NT"\n', "picture.png": b"\x89PNG\xff", "other.jsonl": b'{"a": 1}\n{}\n'}
        path.write_bytes(texts.get(kind, b"" if kind == "empty" else b"# Notes\n\nwords\n"))
    done = run("arena", "verify", str(path))
    assert done.exit_code == 1
    assert len(done.output.splitlines()) == 1
    assert done.output.startswith("pitboss arena verify: ")
    assert kind in done.output
