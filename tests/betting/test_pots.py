"""Pots from what everybody paid: what makes no sense is refused by a sentence."""

import pytest

from pitboss.betting.pots import PotError, pots


@pytest.mark.parametrize(
    ("paid", "folded", "sentence"),
    [
        ([10, 10], [False], "2 payments for 1 players"),
        ([10], [False, True], "1 payments for 2 players"),
        ([10, -1], [False, False], "payments are chips from 0 on"),
    ],
)
def test_payments_that_make_no_sense_are_refused(paid: list[int], folded: list[bool], sentence: str) -> None:
    with pytest.raises(PotError, match=sentence):
        pots(paid, folded)
