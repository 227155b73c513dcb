"""Files that play a little when they are run say what they play."""

import runpy
import warnings

import pytest


@pytest.mark.parametrize(
    ("module", "last"),
    [
        ("pitboss.betting.round", "Called(place=1, amount=10, all_in=False)"),
        ("pitboss.table.table", "hand 3, button 1: {'ann': 100, 'bob': 100, 'cleo': 100}"),
    ],
)
def test_a_file_that_is_run_plays(module: str, last: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # that it was loaded before
        runpy.run_module(module, run_name="pitboss")
        assert capsys.readouterr().out == ""
        runpy.run_module(module, run_name="__main__")
    assert capsys.readouterr().out.splitlines()[-1] == last
