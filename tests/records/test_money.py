"""Money converts to whole chips and back exactly, in every unit."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from pitboss.hand.state import BOTTOMLESS
from pitboss.records.money import Amount, Unit
from tests.support.for_each import for_each

INF = Decimal("Infinity")


@st.composite
def decimals(draw: st.DrawFn, digits: int = 9) -> Decimal:
    """Generate exact amounts of up to `digits` digits, with or without trailing zeros."""
    number = draw(st.integers(0, 10**digits - 1))
    return Decimal((0, tuple(map(int, str(number))), draw(st.integers(-digits, 2))))


amounts = st.integers(0, 10**12) | decimals()


@given(st.lists(amounts, min_size=1, max_size=8))
def test_amounts_convert_back_exactly(several: list[Amount]) -> None:
    unit = Unit.finest(several)
    for amount in several:
        assert unit.amount(unit.chips(amount)) == amount


@given(st.lists(decimals(60), min_size=1, max_size=3))
def test_amounts_of_many_digits_convert_back_exactly(several: list[Decimal]) -> None:
    """Decimal arithmetic rounds to 28 digits by default."""
    unit = Unit.finest(several)
    for amount in several:
        assert unit.amount(unit.chips(amount)) == amount


@given(st.lists(amounts, min_size=1, max_size=8), st.integers(0, 10**15))
def test_chips_convert_back_exactly(several: list[Amount], chips: int) -> None:
    unit = Unit.finest(several)
    assert unit.chips(unit.amount(chips)) == chips


@given(st.lists(amounts, min_size=1, max_size=8))
def test_unit_is_not_smaller_than_needed(several: list[Amount]) -> None:
    scale = Unit.finest(several).scale
    assert scale == 1 or any((Fraction(amount) * (scale // 10)).denominator > 1 for amount in several)


@given(st.lists(amounts, min_size=2, max_size=8))
def test_sums_of_chips_are_sums_of_money(several: list[Amount]) -> None:
    unit = Unit.finest(several)
    assert Fraction(unit.amount(sum(map(unit.chips, several)))) == sum(map(Fraction, several))


@for_each(
    "several, scale",
    [
        ([], 1),
        ([1, 2, 3], 1),
        ([Decimal("2.00")], 1),
        ([Decimal("1E+3")], 1),
        ([Decimal("0.50")], 10),
        ([Decimal("0.05"), Decimal("0.5"), 7], 100),
        ([INF], 1),
        ([INF, Decimal("0.125")], 1000),
        ([Decimal("-0.25")], 100),
    ],
)
def test_the_finest_unit(several: list[Amount], scale: int) -> None:
    assert Unit.finest(several) == Unit(scale)


def test_whole_amounts_are_integers() -> None:
    unit = Unit(100)
    assert [(unit.amount(chips), type(unit.amount(chips))) for chips in (100, 150)] == [
        (1, int),
        (Decimal("1.5"), Decimal),
    ]


def test_unknown_stack_is_more_than_any_bet() -> None:
    assert Unit(100).chips(INF) == BOTTOMLESS * 100
