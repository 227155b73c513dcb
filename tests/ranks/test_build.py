"""The shipped tables are what the builder writes, and nothing but the promised names is public."""

from importlib.resources import files

import pytest

from pitboss import ranks
from pitboss.ranks.build import build_tables
from pitboss.ranks.layout import SHORT, STANDARD, Layout

pytestmark = pytest.mark.check


@pytest.mark.parametrize("layout", [STANDARD, SHORT], ids=lambda layout: layout.file)
def test_shipped_tables_are_the_built_ones(layout: Layout) -> None:
    assert files(ranks).joinpath(layout.file).read_bytes() == build_tables(layout)


def test_public_names() -> None:
    orders = ["ace_to_five", "badugi", "deuce_to_seven", "high", "low", "short"]
    names = [name for order in orders for name in (order, f"{order}_name")]
    assert ranks.__all__ == sorted(["Rank", "from_two", "showing_high", "showing_low", *names])
