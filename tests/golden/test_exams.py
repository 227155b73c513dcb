"""Golden exams: what the doctor does with a healthy bot, step by step, and its report on every faulty one."""

import pytest

from tests.golden.exams import FOLDER, NAMES, exams


@pytest.mark.parametrize("name", NAMES)
def test_bots_are_examined_as_they_were(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    hint = f"if the doctor was changed on purpose: python -m tests.golden.exams {name}, and say why"
    for number, (now, then) in enumerate(zip(exams(name).splitlines(), recorded, strict=True), 1):
        assert now == then, f"{name}.txt, line {number}; {hint}"
