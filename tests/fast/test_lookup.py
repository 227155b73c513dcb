"""Bounds on sums of cards that compiled ranking relies on."""

import pytest

from pitboss.fast import lookup
from pitboss.ranks.highs import SHORT_TABLES, STANDARD_TABLES, Tables
from pitboss.ranks.layout import MOST


@pytest.mark.parametrize("tables", [STANDARD_TABLES, SHORT_TABLES], ids=["standard", "short"])
def test_no_sum_of_seven_cards_reaches_the_bound_given_to_the_compiler(tables: Tables) -> None:
    assert lookup.START + MOST * max(tables.keys.values()) < lookup.NO_TOTAL
