"""Golden dialogues: what `pitboss lab play` shows in a small terminal, line for line."""

import pytest

from tests.lab.golden.regenerate import DIALOGUES, FOLDER, WIDTH, dialogue


@pytest.mark.parametrize("name", DIALOGUES)
def test_golden_dialogue(name: str) -> None:
    golden = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    hint = f"if it changed on purpose: python -m tests.lab.golden.regenerate {name}, and say why"
    assert dialogue(name).splitlines() == golden.splitlines(), hint
    assert max(map(len, golden.splitlines())) <= WIDTH


def test_golden_dialogues_are_explained() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(DIALOGUES)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [name for name in DIALOGUES if f"`{name}`" not in readme] == []
