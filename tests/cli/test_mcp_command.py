"""`pitboss mcp` as a client starts it, over both transports, with the SDK's own client."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.arena.mcp_players import Client, play_match
from tests.support.arena.servers import PITBOSS, served, within

GAMES = [("no_limit_holdem", "calling", ("CHECK", "CALL")), ("leduc", "random", ("0",))]
HANDS = 50


def played_over_stdio(url: str, moves: tuple[str, ...], folder: Path) -> tuple[dict[str, object], int]:
    """Start the server as a client does, and play a match."""
    from mcp import StdioServerParameters

    command = StdioServerParameters(
        command=sys.executable, args=[*PITBOSS[1:], "mcp", "--arena", url], env={"XDG_STATE_HOME": str(folder)}
    )

    async def play() -> tuple[dict[str, object], int]:
        async with Client(command) as client:
            return await play_match(client, moves)

    return within(play(), 240)


@pytest.mark.check
@pytest.mark.parametrize(("game", "house", "moves"), GAMES)
def test_a_match_over_standard_input_and_output(tmp_path: Path, game: str, house: str, moves: tuple[str, ...]) -> None:
    with served(tmp_path, "--house", house, "--seats", "2", "--max-hands", "3", "--game", game) as process:
        result, played = played_over_stdio(process.http, moves, tmp_path)
    assert (result["reason"], played >= 3) == ("max_hands", True)


@pytest.mark.check
@pytest.mark.parametrize(("game", "house", "moves"), GAMES)
def test_a_match_over_http(tmp_path: Path, game: str, house: str, moves: tuple[str, ...]) -> None:
    with served(tmp_path, "--house", house, "--seats", "2", "--max-hands", "3", "--game", game) as process:
        command = [*PITBOSS, "mcp", "--http", "0", "--arena", process.http]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={"XDG_STATE_HOME": str(tmp_path)})
        try:
            assert server.stderr is not None
            address = re.search(r"http://127\.0\.0\.1:\d+/mcp", server.stderr.readline())
            assert address

            async def play() -> tuple[dict[str, object], int]:
                async with Client(address[0]) as client:
                    return await play_match(client, moves)

            result, played = within(play(), 120)
        finally:
            server.terminate()
            _, errors = server.communicate(timeout=30)
    assert (result["reason"], played >= 3) == ("max_hands", True)
    assert "Traceback" not in errors


@pytest.mark.slow
def test_an_mcp_client_plays_fifty_hands(tmp_path: Path) -> None:
    options = ("--house", "tight", "--seats", "2", "--max-hands", str(HANDS), "--stack", "100000")
    with served(tmp_path, *options) as process:
        result, played = played_over_stdio(process.http, ("CHECK", "CALL"), tmp_path)
    assert (result["reason"], played >= HANDS // 2) == ("max_hands", True)


def run(*words: str, code: str = "from pitboss.cli.main import main; main()") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, "mcp", *words], capture_output=True, text=True, timeout=60, check=False, input=""
    )


def test_the_missing_extra_is_one_sentence_with_the_command() -> None:
    done = run(code="import sys; sys.modules['mcp'] = None; from pitboss.cli.main import main; main()")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"pitboss: this needs mcp: .*install.*mcp.*\n", done.stderr), done.stderr


def test_a_wrong_address_and_a_wrong_port_are_refused_in_one_sentence() -> None:
    sentence = run("--arena", "nowhere").stderr
    assert sentence.startswith("pitboss mcp: --arena nowhere: expected an address such as http://")
    assert "--http" in run("--http", "70000").stderr


def test_the_end_of_the_input_ends_the_server() -> None:
    done = run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
