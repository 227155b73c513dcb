"""Golden games: what the house's bots answer from a seed, answer for answer, so that none plays otherwise unnoticed."""

import pytest

from tests.golden.bots import FOLDER, GAMES, hands


@pytest.mark.parametrize("name", GAMES)
def test_the_bots_play_as_they_did(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    hint = f"if a bot was changed on purpose: python -m tests.golden.bots {name}, and say why"
    for number, (now, then) in enumerate(zip(hands(name).splitlines(), recorded, strict=True), 1):
        assert now == then, f"{name}.txt, hand {number}; {hint}"
