"""A person who plays by keyboard alone: the next key of any game, until the match is over."""

from typing import TYPE_CHECKING

from tests.support.page.browser import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

ASKED = ".playing.ready, .acting.ready, .crown"
MOST = 400  #: moves after which a game has gone wrong


def sit_down(page: "Page", name: str = "Ada") -> None:
    """Take a seat with this name."""
    page.locator(".joining input[name=team]").focus()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page.locator(".own")).visible()


def play_to_the_end(page: "Page") -> int:
    """Answer every question by keyboard until the match is over; return the number of answers."""
    for answers in range(MOST):
        page.locator(ASKED).locator("visible=true").first.wait_for()
        if page.locator(".crown").count():
            return answers
        if page.locator(".playing.ready").is_visible():
            answer_by_card_or_button(page)
        else:
            answer_in_poker(page)
    raise AssertionError(f"the match is not over after {MOST} moves")


def answer_by_card_or_button(page: "Page") -> None:
    """Play the card that has the focus, or choose it and take the first button, or take the first button."""
    if page.locator(".my-hand button.legal").count():
        if page.locator(".my-hand button:focus").count() == 0:
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        if page.locator(".my-hand button.chosen").count() == 0:
            return
    page.keyboard.press("1")
    if page.locator(".sized input:focus").count():
        page.keyboard.press("Enter")


def answer_in_poker(page: "Page") -> None:
    """Check or call, or keep all cards."""
    page.keyboard.press("d" if page.locator(".drawing").is_visible() else "c")
