"""A betting round by itself: the one that plays as its file is run."""

import pytest

from pitboss.betting.round import _demo


def test_the_round_that_is_shown_ends_as_it_should(capsys: pytest.CaptureFixture[str]) -> None:
    _demo()
    asked = capsys.readouterr().out.splitlines()
    assert asked[0].startswith("place 2: Offer(fold=True, check=False, call=20")
    assert asked[3:] == [
        "Posted(place=0, amount=10, live=True, all_in=False)",
        "Posted(place=1, amount=20, live=True, all_in=False)",
        "Raised(place=2, amount=30, to=30, opening=False, all_in=True)",
        "Called(place=0, amount=20, all_in=False)",
        "Called(place=1, amount=10, all_in=False)",
    ]
