"""The house bots beside a server: they think in a process of their own, asked by a thread of their own.

`python -m pitboss.arena.bots.house` is that process: a line with a question in, a line with the answer out, until the
input ends; so it ends with the server, however that ends.
"""

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import TextIO

import msgspec
from msgspec import Struct

from pitboss.arena.bots import HOUSE, Bot
from pitboss.arena.v1.answers import read_answer, safe_action
from pitboss.arena.v1.messages import Act, AskMessage, MoveMessage, read_server, write
from pitboss.chance import Chance


class HouseQuestion(Struct):
    """A bot at some seat is asked."""

    session: int
    bot: str
    seed: int
    act: str


def teams(bots: Sequence[str]) -> list[str]:
    """A team's name for every house bot, all different.

    >>> teams(["tight", "calling", "tight"])
    ['tight (house)', 'calling (house)', 'tight 2 (house)']
    """
    seen = [list(bots[:k]).count(bot) for k, bot in enumerate(bots)]
    return [
        f"{bot} {before + 1} (house)" if before else f"{bot} (house)" for bot, before in zip(bots, seen, strict=True)
    ]


def bot_of(team: str) -> str:
    """The bot that plays for such a team.

    >>> bot_of("tight 2 (house)")
    'tight'
    """
    return team.partition(" ")[0]


class House:
    """Asks the bots one after the other, off everybody else's way; `answered` is called from its thread."""

    def __init__(self, answered: Callable[[int, str], None]) -> None:
        self._answered = answered
        self._waiting: SimpleQueue[HouseQuestion | None] = SimpleQueue()
        self._child: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._run, name="house", daemon=True)

    def ask(self, question: HouseQuestion) -> None:
        """Have a bot answer; returns at once."""
        if self._thread.ident is None:
            self._thread.start()
        self._waiting.put(question)

    def close(self) -> None:
        """Ask no more."""
        self._waiting.put(None)
        child = self._child
        if child is not None:
            child.kill()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while (question := self._waiting.get()) is not None:
            line = msgspec.json.encode(question).decode()
            answer = self._exchange(line) or self._exchange(line)  # once more, should the process have ended
            self._answered(question.session, answer or _safe(question))
        if self._child is not None:
            self._child.kill()
            self._child.communicate()

    def _exchange(self, line: str) -> str:
        try:
            if self._child is None or self._child.poll() is not None:
                self._child = _start()
            assert self._child.stdin is not None
            assert self._child.stdout is not None
            self._child.stdin.write(line + "\n")
            self._child.stdin.flush()
            return self._child.stdout.readline().strip()
        except (OSError, ValueError):
            return ""


def _start() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "pitboss.arena.bots.house"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is the server's to handle
    )


def _safe(question: HouseQuestion) -> str:
    message = read_server(question.act)
    if isinstance(message, AskMessage):
        return _move(question, message)
    assert isinstance(message, Act)
    return write(safe_action(message))


def _move(question: HouseQuestion, ask: AskMessage) -> str:
    """A move of a game that is no poker, by chance; the same question gets the same answer."""
    move = Chance(question.seed).fork(ask.turn).choice(ask.legal)
    return write(MoveMessage(v=1, hand_id=ask.hand_id, move=move, turn=ask.turn))


def answer(question: HouseQuestion, bots: dict[int, Bot]) -> str:
    """A bot's answer as a frame; a bot that fails checks or folds."""
    act = read_server(question.act)
    if isinstance(act, AskMessage):
        return _move(question, act)
    assert isinstance(act, Act)
    if question.session not in bots:
        bots[question.session] = HOUSE[question.bot](Chance(question.seed))
    try:
        return write(read_answer(bots[question.session](act), act))
    except Exception as error:  # whatever a bot does wrong, the table goes on
        print(f"house bot {question.bot}: {error!r}", file=sys.stderr)
        return _safe(question)


def main(lines: TextIO, out: TextIO) -> None:
    """Answer every question until there are no more."""
    bots: dict[int, Bot] = {}
    decoder = msgspec.json.Decoder(HouseQuestion)
    with suppress(BrokenPipeError):  # the server is gone
        for line in lines:
            print(answer(decoder.decode(line), bots), file=out, flush=True)


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)
