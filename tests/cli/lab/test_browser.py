"""`lab play --browser` and `sting play --browser`: a server on a free port, its page, and the end by Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.lab.runs import run_with_leduc


@contextmanager
def playing(*game: str) -> Iterator[str]:
    """The address of the page, until Ctrl-C."""
    command = [sys.executable, "-m", "pitboss", *game, "--browser"]
    environment = os.environ | {"BROWSER": "true"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        yield process.stdout.readline().removeprefix("Play at ").partition(";")[0]
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "You have left the game.\n"
    assert process.returncode == 0


@pytest.mark.parametrize("game", [("lab", "play", "leduc"), ("sting", "play")])
def test_the_page_of_a_game_is_served_until_ctrl_c(game: tuple[str, ...]) -> None:
    with playing(*game) as address:
        assert b"<html" in urllib.request.urlopen(address, timeout=60).read()


@pytest.mark.parametrize(("options", "asks"), [((), True), (("--no-rate",), False)])
def test_the_page_asks_how_a_game_of_a_run_was(tmp_path: Path, options: tuple[str, ...], asks: bool) -> None:
    with playing("lab", "play", str(run_with_leduc(tmp_path)), *options) as address:
        about = json.load(urllib.request.urlopen(f"{address.partition('?')[0]}api/arena", timeout=60))
    assert about["ratings"] is asks
