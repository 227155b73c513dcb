"""The effect of a rule follows from the numbers: a clear one is printed with its interval, others are not."""

from collections.abc import Sequence

import pytest

from pitboss.lab.files import load
from pitboss.lab.genome import problems
from pitboss.lab.measures.figures import Measure
from pitboss.lab.measures.measure import NAMES, Measured
from pitboss.lab.report.differences import MEASURED, Change, RuleWorth, changes, rule_ablations
from pitboss.stats import Mean
from tests.support.for_each import for_each


def measured(tension: float) -> Measured:
    """A game of which all is nothing but its tension."""
    measures = {name: Measure(0.0, 0.0, 0.0) for name in NAMES} | {"tension": Measure(tension, 0, 1)}
    return Measured(measures=measures, tension=(), lead=(), rules={}, solved=None, ladder=())


def tension_change(before: Sequence[float], after: Sequence[float]) -> tuple[Change, ...]:
    found = changes([measured(one) for one in before], [measured(one) for one in after])
    assert {change.measure for change in found} == set(MEASURED)
    return found


def test_a_sentence_follows_from_its_numbers() -> None:
    before, after = (0.50, 0.52, 0.48, 0.51, 0.49, 0.50), (0.38, 0.39, 0.37, 0.41, 0.36, 0.37)
    found = tension_change(before, after)
    low, high = Mean([new - old for old, new in zip(before, after, strict=True)]).interval()
    carried = RuleWorth("the ante", False, found)
    assert carried.sentence == f"Without the ante tension drops 0.12 ± {(high - low) / 2:.2f}."
    assert [change.measure for change in carried.clear] == ["tension"]


@pytest.mark.parametrize(
    ("after", "why"),
    [
        ((0.2, 0.9, 0.1, 0.8, 0.3, 0.6), "it is as likely chance"),
        ((0.49, 0.49, 0.49, 0.49, 0.49, 0.491), "it is too little for a word"),
    ],
)
def test_unclear_changes_are_not_reported(after: tuple[float, ...], why: str) -> None:
    carried = RuleWorth("step 2", True, tension_change((0.5,) * 6, after))
    expected = "Without step 2 (and with the changes that this requires) no measure changes clearly."
    assert carried.sentence == expected, why


def test_plural_measures_drop() -> None:
    assert Change("bluffs", 0.2, 0.05, True).sentence == "bluffs rise 0.20 ± 0.05"
    assert Change("mattered", 0.2, 0.05, True).sentence == "weight of choices rises 0.20 ± 0.05"
    assert Change("complexity", -9.0, 1.0, True).sentence.startswith("words of rules drop 9")


@for_each("name", ["leduc", "rummy", "mau_mau", "knaves", "kuhn"])
def test_each_rule_is_removed_once_and_the_rest_is_playable(name: str) -> None:
    genome = load(name)
    found = list(rule_ablations(genome))
    assert found
    assert len({without.rule for without in found}) == len(found)
    for without in found:
        assert list(problems(without.genome)) == []
        assert without.genome != genome


def test_the_removed_rule_is_named() -> None:
    rules = [without.rule for without in rule_ablations(load("leduc"))]
    assert rules == ["step 1 (bet)", "step 2 (turn up)", "step 3 (bet)", "the ante"]
