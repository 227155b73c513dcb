"""What counts as a bot: a function of an `act`, or a class or an object with one method `act`."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from pitboss.arena.v1.answers import Answer
from pitboss.arena.v1.messages import Act, ServerMessage
from pitboss.client.errors import NotABot


class Actor(Protocol):
    """A bot with a memory: `act` answers; a method `on_message`, if there is one, hears every message first."""

    def act(self, act: Act, /) -> Answer | Awaitable[Answer]:
        """Answer."""
        ...


Bot: TypeAlias = Callable[[Act], Answer] | Callable[[Act], Awaitable[Answer]] | Actor | type[Actor]


class ReadyBot(Struct, frozen=True):
    """A bot made ready to be asked; what it answers is not yet checked, and may have to be awaited."""

    ask: Callable[[Act], object]
    hear: Callable[[ServerMessage], object] | None = None


def prepare_bot(bot: object) -> ReadyBot:
    """A bot, whatever its form; a class is instantiated without arguments.

    >>> prepare_bot(lambda act: "FOLD").hear is None
    True
    >>> prepare_bot("fold")
    Traceback (most recent call last):
    pitboss.client.NotABot: 'fold' is no bot: give a function decide(act), or a class with a method act(self, act)
    """
    check_bot(bot)
    if isinstance(bot, type):
        bot = _started(bot)
    hear: Any = getattr(bot, "on_message", None)
    ask: Any = getattr(bot, "act", None) or bot
    return ReadyBot(ask, hear if callable(hear) else None)


def check_bot(bot: object) -> None:
    """Refuse, in one sentence, what cannot be a bot; nothing of it is started."""
    if isinstance(bot, type):
        if not callable(getattr(bot, "act", None)):
            raise NotABot(f"the class {bot.__name__} is no bot: it needs a method act(self, act)")
        try:
            inspect.signature(bot).bind()
        except TypeError as error:
            raise NotABot(f"the class {bot.__name__} must start without arguments: {error}") from None
    elif not callable(getattr(bot, "act", None) or bot):
        raise NotABot(f"{bot!r} is no bot: give a function decide(act), or a class with a method act(self, act)")


def _started(bot: type) -> object:
    try:
        made: object = bot()
    except Exception as error:
        raise NotABot(f"the class {bot.__name__} raises {type(error).__name__} when it starts: {error}") from error
    return made
