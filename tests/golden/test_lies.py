"""Golden lies: the verdicts of `verify` on forged records and journals, word for word."""

import pytest

from tests.golden.lies import FOLDER, LIES, lies

pytestmark = pytest.mark.check


@pytest.mark.parametrize("name", LIES)
def test_verify_reports_forgeries_as_before(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    hint = f"if verifying was changed on purpose: python -m tests.golden.lies {name}, and say why"
    for number, (now, then) in enumerate(zip(lies(name).splitlines(), recorded, strict=True), 1):
        assert now == then, f"{name}.txt, line {number}; {hint}"
