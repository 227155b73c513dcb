"""Pots from what each player paid: impossible input is refused with a sentence."""

import pytest

from pitboss.betting.pots import PotError, pots


@pytest.mark.parametrize(
    ("paid", "folded", "sentence"),
    [
        ([10, 10], [False], "paid: expected 1 payments, one per player, got 2"),
        ([10], [False, True], "paid: expected 2 payments, one per player, got 1"),
        ([10, -1], [False, False], "paid: expected whole numbers of chips from 0, got -1"),
    ],
)
def test_payments_that_make_no_sense_are_refused(paid: list[int], folded: list[bool], sentence: str) -> None:
    with pytest.raises(PotError, match=sentence):
        pots(paid, folded)
