"""Every bot that a page prints passes the doctor as it is printed: in the README, the protocol page, the tutorial."""

import asyncio
import re
import shutil
import subprocess
import sys
from asyncio.subprocess import DEVNULL
from pathlib import Path

import pytest

from pitboss.arena.doctor.endpoint import examine
from pitboss.arena.doctor.verdicts import ExamReport
from tests.support.arena.docs import DOCS, blocks
from tests.support.cli.runs import clean, lines, run

pytestmark = pytest.mark.check

ROOT = DOCS.parent
PRINTED = re.compile(r"ws://127\.0\.0\.1:\d+/ws")
"""The address in every printed bot."""


def printed_bots(page: Path) -> list[str]:
    """What a page prints in Python that has a `decide` for the client, without how it is started."""
    found = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    bots = [code for code in found if re.search(r"^def decide\(act", code, re.MULTILINE) and "aiohttp" not in code]
    return [bot.partition("\n\nif __name__")[0].replace(", play, ", ", ").strip() for bot in bots]


PAGES = {page.name: printed_bots(page) for page in sorted([ROOT / "README.md", *DOCS.rglob("*.md")])}
BOTS = {bot: "F2L3D" if '"DRAW"' in bot else "no_limit_holdem" for bots in PAGES.values() for bot in bots}
"""Each printed bot once, with the game that it plays."""


def test_the_readme_the_tutorial_and_the_protocol_page_print_bots() -> None:
    assert PAGES["README.md"] == PAGES["bots.md"]
    assert len(PAGES["README.md"]) == len(PAGES["protocol.md"]) == 1


@pytest.mark.parametrize(("bot", "game"), BOTS.items(), ids=BOTS.values())
def test_a_printed_bot_of_the_client_passes_the_doctor(bot: str, game: str, tmp_path: Path) -> None:
    file = tmp_path / "printed.py"
    file.write_text(bot, encoding="utf-8")
    result = run("arena", "doctor", str(file), "--game", game, "--json")
    (found,) = lines(result.stdout)
    assert [check for check in found["checks"] if check["verdict"] != "pass"] == []
    assert result.exit_code == 0


def examined(*command: str, file: Path) -> ExamReport:
    """The doctor's report on a program that is restarted for each part of the examination."""

    async def start(url: str) -> object:
        file.write_text(PRINTED.sub(url, file.read_text(encoding="utf-8")), encoding="utf-8")
        process = await asyncio.create_subprocess_exec(*command, str(file), stdout=DEVNULL, stderr=DEVNULL, env=clean())
        try:
            return await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    return asyncio.run(examine(start))


def short_and_robust(language: str, connects: str) -> tuple[str, str]:
    """The two bots that the page prints in a language: the one at its beginning, and the one that reconnects."""
    short, robust = (block for block in blocks(language) if connects in block and "decide(" in block)
    assert "resume_from" in robust
    assert "resume_from" not in short
    return short, robust


def states_that_only_reconnecting_is_missing(found: ExamReport) -> None:
    """State that a bot passes everything until the doctor sends garbage, and after that does not come back."""
    failed = {check.name: check for check in found.checks if check.verdict != "pass"}
    assert set(failed) == {"garbage", "examination"}
    assert "did not come back" in failed["examination"].sentence


def test_the_protocol_pages_short_bot_in_python_plays_but_does_not_reconnect(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(short_and_robust("python", "ws_connect")[0], encoding="utf-8")
    states_that_only_reconnecting_is_missing(examined(sys.executable, file=file))


def test_the_protocol_pages_short_bot_in_javascript_plays_but_does_not_reconnect(tmp_path: Path) -> None:
    command = node()
    file = tmp_path / "bot.mjs"
    file.write_text(short_and_robust("js", "new WebSocket")[0], encoding="utf-8")
    states_that_only_reconnecting_is_missing(examined(*command, file=file))


def test_the_protocol_pages_robust_bot_in_python_passes_the_doctor(tmp_path: Path) -> None:
    _, bot = short_and_robust("python", "ws_connect")
    file = tmp_path / "bot.py"
    file.write_text(bot, encoding="utf-8")
    assert PRINTED.search(bot)
    found = examined(sys.executable, file=file)
    assert [check for check in found.checks if check.verdict != "pass"] == []


def node() -> list[str]:
    """How the page says to start its bot with the Node that is here."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed, which runs the page's JavaScript")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, timeout=60).stdout
    major = int(version.lstrip("v").partition(".")[0])
    if major < 20:
        pytest.skip(f"node {version.strip()} has no WebSocket, which the page's JavaScript needs: 20 has")
    return [program, "--experimental-websocket"] if major < 22 else [program]


def test_the_protocol_pages_robust_bot_in_javascript_passes_the_doctor(tmp_path: Path) -> None:
    command = node()
    _, bot = short_and_robust("js", "new WebSocket")
    file = tmp_path / "bot.mjs"
    file.write_text(bot, encoding="utf-8")
    assert PRINTED.search(bot)
    found = examined(*command, file=file)
    assert [check for check in found.checks if check.verdict != "pass"] == []
