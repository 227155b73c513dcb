"""Play a game in the browser: a server for one table on a free port, until Ctrl-C."""

import re
import signal
import subprocess
import sys
import webbrowser
from pathlib import Path
from tempfile import TemporaryDirectory

from pitboss.cli.output import echo, fail

_PAGE = re.compile(r"page: (\S+)")


def play_in_browser(command: str, game: str, house: list[str], seats: int, *more: str) -> None:
    """Host a game with these house bots, open its page, and wait for the end of the server or Ctrl-C.

    `more` are other options of `pitboss arena serve`.
    """
    with TemporaryDirectory() as folder:
        journal = str(Path(folder) / "journal.db")
        options = ["--game", game, "--seats", str(seats), "--house", ",".join(house), "--port", "0", "--db", journal]
        server = subprocess.Popen(
            [sys.executable, "-m", "pitboss", "arena", "serve", *options, *more],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C reaches only this process, which then ends the server
        )
        try:
            _open(command, server)
            server.wait()
        except KeyboardInterrupt:
            echo("You have left the game.")
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate()


def _open(command: str, server: "subprocess.Popen[str]") -> None:
    """Open the page as soon as the server has printed its address."""
    assert server.stdout is not None
    for line in server.stdout:
        if found := _PAGE.search(line):
            echo(f"Play at {found[1]}; Ctrl-C ends the game.")
            webbrowser.open(found[1])
            return
    fail(command, "the server did not start; its message is above")
