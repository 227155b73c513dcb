"""A bot's file that plays for the house: one seat, one process, and a thread that waits for it and for nobody else."""

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue

from msgspec.structs import replace

from pitboss.arena.bots.runner import BotFailure, BotNotReady, BotRunner
from pitboss.arena.v1.answers import read_answer, safe_action
from pitboss.arena.v1.messages import Act, Action, write

log = logging.getLogger("pitboss.arena")

MARGIN_MS, MARGIN_SHARE = 500, 5
"""Of a seat's time so much is not the bot's: half a second, or the fifth part where that is less."""


class FileSeat:
    """Asks one bot, question by question; `answered` is called from its thread. For a bot that fails it is safe."""

    def __init__(self, name: str, start: Callable[[], BotRunner], answered: Callable[[str], None]) -> None:
        self._name, self._start, self._answered = name, start, answered
        self._waiting: SimpleQueue[Act | None] = SimpleQueue()
        self._runner: BotRunner | None = None
        self._lost: str | None = None
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"house {name}", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int | None:
        """The bot's process, if there is one."""
        runner = self._runner
        return runner.pid if runner is not None else None

    def ask(self, act: Act) -> None:
        """Have the bot answer; returns at once."""
        self._waiting.put(act)

    def close(self) -> None:
        """Ask no more."""
        self._closing = True
        self._waiting.put(None)
        runner = self._runner
        if runner is not None:
            runner.close()
        self._thread.join()

    def _run(self) -> None:
        while (act := self._waiting.get()) is not None and not self._closing:
            self._answered(write(self._answer(act)))
        if self._runner is not None:
            self._runner.close()

    def _answer(self, act: Act) -> Action:
        if self._lost is None:
            try:
                self._runner = self._runner or self._start()
                return read_answer(self._runner(_hurried(act)), act)
            except (BotFailure, BotNotReady, ValueError) as error:
                if not self._closing:
                    log.warning("the bot %s %s", self._name, error)
                if isinstance(error, BotNotReady):
                    self._lost = str(error)
                elif self._runner is not None:
                    self._lost = self._runner.out
        return safe_action(act)


def _hurried(act: Act) -> Act:
    """The question with the time that is the bot's."""
    time_ms = act.you.time_ms
    return replace(act, you=replace(act.you, time_ms=max(1, time_ms - min(MARGIN_MS, time_ms // MARGIN_SHARE))))
