"""The full-screen table without a screen: scenes played with keys, and what can be read on it then."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

from pitboss.cli.sting.playthrough import Playthrough
from pitboss.cli.sting.screen import StingApp
from pitboss.sting.cards import CardSet, Role, default_cards
from pitboss.sting.run import Run


class Watched(StingApp):
    """The table, which remembers its notices."""

    def __init__(self, playthrough: Playthrough, saved: Run | None) -> None:
        super().__init__(playthrough, saved)
        self.notices: list[str] = []

    def notify(self, message: str, *args: Any, **settings: Any) -> None:
        self.notices.append(message)
        super().notify(message, *args, **settings)


class Seat:
    """A user at the table, who presses keys and reads."""

    def __init__(self, app: Watched, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until all that follows from them is on the screen."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    def is_showing(self, screen: type[Screen[Any]]) -> bool:
        """Whether a question or the rules are in front."""
        return isinstance(self.app.screen, screen)

    def shown(self, name: str) -> str:
        """Return the text of a panel with its title."""
        panel = self.app.panel(name)
        text = str(panel.render())
        return "\n".join(filter(None, [str(panel.border_title or ""), text, str(panel.border_subtitle or "")]))

    @property
    def screen(self) -> str:
        """All that is really visible, as the terminal shows it."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    @property
    def log(self) -> list[str]:
        """What has happened, line by line."""
        return [strip.text.rstrip() for strip in self.app.log_panel.lines]

    @property
    def run(self) -> Run:
        """The current run."""
        return self.app.playthrough.playing


def at_table(
    save: Path,
    scene: Callable[[Seat], Awaitable[None]],
    *,
    seed: int = 3,
    deck: str | None = "corner",
    difficulty: str | None = "printed",
    pace: float = 0.0,
    saved: Run | None = None,
    size: tuple[int, int] = (80, 24),
    cards: CardSet | None = None,
) -> Watched:
    """Play a scene at a table of this size; return the app when it has been left.

    Without a pace no step waits for a clock; with a high one each step waits until a key ends it.
    """
    decks: dict[Role, str] = {"player": deck} if deck else {}
    cards = cards or default_cards()
    app = Watched(Playthrough(save, cards=cards, seed=seed, decks=decks, difficulty=difficulty), saved)
    app.pace = pace

    async def play() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await scene(Seat(app, pilot))

    asyncio.run(play())
    return app
