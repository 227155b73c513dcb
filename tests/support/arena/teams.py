"""An honest table and the bad clients it has to put up with."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

from pitboss.arena.connections.admission import Capacity
from pitboss.arena.rooms.logins import Limits
from tests.support.arena.journals import check_bots, read_journal
from tests.support.arena.raw_bots import HonestTable, Rude, honest_table
from tests.support.arena.servers import GENEROUS, Arena, arena, within

Trouble = Callable[[Arena, HonestTable], Awaitable[None]]
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def beside(
    folder: Path,
    trouble: Trouble | None,
    *rude: type[Rude],
    limits: Limits = GENEROUS,
    hands: int = 2,
    capacity: Capacity | None = None,
) -> list[Rude]:
    """Let three honest bots play, make trouble, and see that they play on and that it moved no chip.

    Without a trouble of its own, it is made by the rude bots at the table.
    """

    async def scene() -> list[Rude]:
        seats = 3 + len(rude)
        async with arena(folder, limits=limits, capacity=capacity, seats=seats, start_at=seats, stack=100_000) as place:
            crowd = [bot(f"Rude {k}", Random(k)) for k, bot in enumerate(rude)]
            for k, bot in enumerate(crowd):
                bot.partner = crowd[k - 1]
            async with honest_table(place, rude=crowd) as table:
                await table.play(hands)
                if trouble is not None:
                    await trouble(place, table)
                for bot in crowd:
                    await table.until(bot.done.wait())
                await table.play(hands)
                table.check()
        journal = read_journal(place.db)
        check_bots(journal, [*table.bots, *[bot for bot in crowd if bot.on_record]])
        assert {acted.cause for acted in journal.answers.values()} == {"client"}, "somebody lost a turn"
        check_log("\n".join(place.logged), journal.secrets)
        return crowd

    return within(scene())


def check_log(log: str, secrets: set[str]) -> None:
    """A log holds no code, no card, no deck and no secret of one."""
    assert "-opens-sesame" not in log
    assert not CARD.search(log)
    assert not [secret for secret in secrets if secret in log]
