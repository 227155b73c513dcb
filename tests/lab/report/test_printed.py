"""A printed rulebook is two pages of PDF, the same for the same game, whatever the game is called."""

import re

import pytest
from msgspec.structs import replace

from pitboss.lab.files import load
from pitboss.lab.report.printed import card, write_pdf
from tests.support.lab.report_run import HOSTILE


@pytest.mark.parametrize("name", ["community_poker", "kuhn"])
def test_a_pdf_has_two_pages(name: str) -> None:
    written = write_pdf(replace(load(name), name=f"{HOSTILE} ♠ 名"))
    assert written.startswith(b"%PDF")
    assert written.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"/Type /Page\b(?!s)", written)) == 2
    assert written == write_pdf(replace(load(name), name=f"{HOSTILE} ♠ 名"))


def test_the_card_has_steps_moves_ranks_and_payouts() -> None:
    pieces = card(load("leduc"))
    headings = [piece.items[0] for piece in pieces if piece.kind == "h2"]
    assert headings == ["A round", "Bets", "Ranks, from low to high", "Who wins a deal", "The pot", "The game"]
    text = " ".join([item for piece in pieces for item in piece.items])
    assert "Jack, queen, king. Suits: hearts and spades." in text
    assert "13 chips each, ante 1 chip" in text
