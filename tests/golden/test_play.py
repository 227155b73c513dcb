"""Golden play: what every package that decides chips does from fixed seeds, so that no rule changes unnoticed."""

import pytest

import pitboss
from tests.golden.play import FILES, FOLDER


@pytest.mark.parametrize("name", FILES)
def test_games_are_played_as_they_were(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    hint = f"if a rule changed on purpose: python -m tests.golden.play {name}, and a new version in docs/rules.md"
    for number, (now, then) in enumerate(zip(FILES[name]().splitlines(), recorded, strict=True), 1):
        assert now == then, f"{name}.txt, line {number}; {hint}"


def test_000_9_the_rules_page_ends_with_the_version_of_the_rules() -> None:
    page = (FOLDER.parents[2] / "docs" / "rules.md").read_text(encoding="utf-8").splitlines()
    versions = [line.split(" | ")[0].removeprefix("| ") for line in page if line.startswith("| ") and line[2].isdigit()]
    assert [int(version.partition("-")[0]) for version in versions] == list(range(1, len(versions) + 1))
    assert versions[-1] == pitboss.RULES_VERSION
    assert page[-1].startswith(f"| {versions[-1]} | ")
