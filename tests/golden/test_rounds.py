"""Golden rounds: what the betting kernel offers, refuses and does from a seed, so that no rule changes unnoticed."""

from tests.golden.rounds import FOLDER, GAMES, games
from tests.support.for_each import for_each


@for_each("name", GAMES)
def test_rounds_match_their_golden_files(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    hint = f"if a rule was changed on purpose: python -m tests.golden.rounds {name}, and say which"
    for number, (now, then) in enumerate(zip(games(name).splitlines(), recorded, strict=True), 1):
        assert now == then, f"{name}.txt, game {number}; {hint}"
