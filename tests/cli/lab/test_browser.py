"""`lab play --browser` and `sting play --browser`: a server on a free port, its page, and the end by Ctrl-C."""

import os
import signal
import subprocess
import sys
import urllib.request

import pytest


@pytest.mark.parametrize("game", [("lab", "play", "leduc"), ("sting", "play")])
def test_the_page_of_a_game_is_served_until_ctrl_c(game: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "pitboss", *game, "--browser"]
    environment = os.environ | {"BROWSER": "true"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as playing:
        assert playing.stdout is not None
        address = playing.stdout.readline().removeprefix("Play at ").partition(";")[0]
        assert b"<html" in urllib.request.urlopen(address, timeout=60).read()
        playing.send_signal(signal.SIGINT)
        assert playing.stdout.read() == "You have left the game.\n"
    assert playing.returncode == 0
