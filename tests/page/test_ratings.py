"""After a game of a run the page asks how it was, and the answer is stored in the run."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pitboss.lab.ratings import read_ratings
from tests.support.arena.servers import served
from tests.support.lab.runs import run_with_leduc
from tests.support.page.access import complaints_of
from tests.support.page.browser import expect, open_page
from tests.support.page.keys import play_to_the_end, sit_down

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OPTIONS = ("--seats", "2", "--house", "random", "--max-hands", "1", "--house-think-ms", "0", "--move-time-ms", "60000")


@pytest.mark.check
def test_the_form_stores_an_answer_in_the_run_once(browser: "Browser", tmp_path: Path) -> None:
    file = run_with_leduc(tmp_path / "run")
    with served(tmp_path, "--game", str(file), *OPTIONS) as place:
        address = f"{place.http}/?view=play"  # its console has the refusals
        with open_page(browser, address, complaints=True, reduced_motion="reduce") as page:
            sit_down(page)
            expect(page.locator(".rating")).hidden()
            play_to_the_end(page)
            form, said = page.locator(".rating form"), page.locator(".rating .rated")
            expect(form).visible()
            assert complaints_of(page) == []
            form.locator("button").click()
            expect(said).text("Choose a number from 1 to 5.")
            form.locator("label", has_text="4").click()
            form.locator("input[name=word]").fill("a\u202eb")
            form.locator("button").click()
            expect(said).text("Not stored: word: expected no control or invisible characters, got U+202E")
            form.locator("input[name=word]").fill("<b>tense</b>")
            form.locator("button").click()
            expect(said).text("Thank you. Your answer helps to find better games.")
            expect(form).hidden()
            (rating,) = read_ratings(tmp_path / "run").given
            assert (rating.game, rating.stars, rating.word) == ("evolved_leduc", 4, "<b>tense</b>")
            assert rating.by == "Ada"
            page.reload()
            form.locator("label", has_text="5").click()
            form.locator("button").click()
            expect(said).text("Not stored: Ada has already rated this game")
        assert place.end() == 0
    assert len(read_ratings(tmp_path / "run").given) == 1


@pytest.mark.check
def test_a_server_with_no_rate_does_not_ask(browser: "Browser", tmp_path: Path) -> None:
    file = run_with_leduc(tmp_path / "run")
    with served(tmp_path, "--game", str(file), *OPTIONS, "--no-rate") as place:
        with open_page(browser, f"{place.http}/?view=play", reduced_motion="reduce") as page:
            sit_down(page)
            play_to_the_end(page)
            expect(page.locator(".rating")).hidden()
        assert place.end() == 0
