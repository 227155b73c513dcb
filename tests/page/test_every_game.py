"""Games of every kind, played to the end in a browser by keyboard alone, while a spectator sees each move."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.arena.servers import served
from tests.support.page.browser import expect, open_page
from tests.support.page.keys import play_to_the_end, sit_down

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OPTIONS = ("--max-hands", "1", "--house-think-ms", "0", "--move-time-ms", "60000")
POKER = ("no_limit_holdem", "omaha", "razz", "triple_draw")
QUICK = {"leduc": 2}
LONG = {"sting": 3, "hearts": 4, "whist": 4, "scopa": 2, "crazy_eights": 2, "go_fish": 3, "president": 4}


def play(browser: "Browser", folder: Path, game: str, seats: int) -> None:
    """Play one game to the end, and state that spectators and the replay saw it."""
    house = ",".join(["random" if game not in POKER else "calling"] * (seats - 1))
    with served(folder, "--game", game, "--seats", str(seats), "--house", house, *OPTIONS) as place:
        with (
            open_page(browser, f"{place.http}/?view=play", reduced_motion="reduce") as page,
            open_page(browser, place.http, reduced_motion="reduce") as spectator,
        ):
            sit_down(page)
            assert play_to_the_end(page) >= 1
            assert page.locator(".own .trouble").text_content() == ""
            expect(spectator.locator(".crown").first).visible()
            spectator.goto(f"{place.http}/?view=replay&table=T-1&hand=1")
            expect(spectator.locator(".title")).text("Hand 1 of T-1")
            assert int(spectator.locator(".position").get_attribute("max") or 0) >= 2
            spectator.keyboard.press("End")
            expect(spectator.locator(".seat[data-seat='0'] .name")).text(re.compile("."))
        assert place.end() == 0


@pytest.mark.check
@pytest.mark.parametrize("game", QUICK)
def test_a_short_game_is_played_to_the_end_by_keyboard(browser: "Browser", tmp_path: Path, game: str) -> None:
    play(browser, tmp_path, game, QUICK[game])


@pytest.mark.slow
@pytest.mark.parametrize("game", LONG)
def test_a_long_game_is_played_to_the_end_by_keyboard(browser: "Browser", tmp_path: Path, game: str) -> None:
    play(browser, tmp_path, game, LONG[game])


@pytest.mark.slow
@pytest.mark.parametrize("game", POKER)
def test_a_poker_game_is_played_to_the_end_by_keyboard(browser: "Browser", tmp_path: Path, game: str) -> None:
    play(browser, tmp_path, game, 2)


@pytest.mark.check
def test_spectators_can_read_the_rules(browser: "Browser", tmp_path: Path) -> None:
    with served(tmp_path, "--game", "leduc", "--seats", "2", "--house", "random,random", *OPTIONS) as place:
        with open_page(browser, place.http, reduced_motion="reduce") as page:
            page.locator(".rules-open").click()
            expect(page.locator("dialog.rules h2")).text("Rules of Leduc")
            expect(page.locator("dialog.rules p").first).text(re.compile("player"))
        assert place.end() == 0
