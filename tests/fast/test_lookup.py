"""What compiled ranking takes for granted about sums of cards."""

import pytest

from pitboss.fast import lookup
from pitboss.ranks.highs import SHORT_TABLES, STANDARD_TABLES, Tables
from pitboss.ranks.layout import MOST


@pytest.mark.parametrize("tables", [STANDARD_TABLES, SHORT_TABLES], ids=["standard", "short"])
def test_no_seven_cards_come_to_more_than_the_compiler_is_told_even_if_all_are_the_same(tables: Tables) -> None:
    assert lookup.START + MOST * max(tables.keys.values()) < lookup.NO_TOTAL
