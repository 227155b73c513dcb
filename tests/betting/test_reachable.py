"""Numbers that no betting leads to: one change to honest ones at a time, and the sentence that names it."""

from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.betting.core import Numbers
from pitboss.betting.reachable import betting_faults, earlier_faults, forced_faults, paid_faults
from pitboss.betting.rules import Rules, fixed_limit

NO_LIMIT = Rules()
LIMIT = fixed_limit(cap=4)
BET = Numbers(  # a later street: the first checks, the second bets 20 where 10 is the least, the third is asked
    n=3,
    stacks=[100, 80, 100],
    bets=[0, 20, 0],
    paid=[10, 10, 10],
    folded=[False, False, False],
    acted=[False, True, False],
    price=20,
    level=20,
    step=20,
    raises=1,
    pot=30,
    opener=0,
    holder=1,
    turn=2,
)
LEAST = replace(BET, stacks=[100, 90, 100], bets=[0, 10, 0], price=10, level=10, step=10)
UNOPENED = replace(BET, bets=[0, 0, 0], acted=[False] * 3, price=0, level=0, step=10, raises=0, opener=1, turn=1)
BLINDS = replace(  # the first street: the third has called the big blind, and the small blind is asked
    LEAST, stacks=[95, 90, 90], bets=[5, 10, 10], paid=[0] * 3, acted=[False, False, True], raises=0, opener=2, turn=0
)
FOLDED = replace(BLINDS, folded=[True, False, False], acted=[True, False, True], turn=1)


def found(rules: Rules, s: Numbers, forced: int = 0, level: int | None = None) -> list[str]:
    """What cannot be, where 10 is the least bet."""
    level = s.price if level is None else level
    return [*betting_faults(rules, s, step=10, forced=forced, level=level, counted=0)]


@pytest.mark.parametrize(
    ("rules", "s", "forced"),
    [
        *((NO_LIMIT, BET, 0), (NO_LIMIT, LEAST, 0), (NO_LIMIT, UNOPENED, 0), (NO_LIMIT, BLINDS, 10)),
        *((LIMIT, LEAST, 0), (LIMIT, UNOPENED, 0), (LIMIT, BLINDS, 10), (NO_LIMIT, FOLDED, 10)),
    ],
)
def test_honest_numbers_can_be(rules: Rules, s: Numbers, forced: int) -> None:
    assert found(rules, s, forced) == []


@pytest.mark.parametrize(
    ("s", "changes", "sentence"),
    [
        (BET, {"level": 21}, "a price of 20 and a level of 21 do not go together"),
        (BET, {"step": 9}, "no bet or raise of 9 has been made, and the least is 10"),
        (BET, {"step": 30}, "no bet or raise of 30 has been made, and the least is 10"),
        (UNOPENED, {"raises": 1}, "there are 1 raises and no bet"),
        (BET, {"acted": [True, False, False]}, "nobody has acted who has made the bet of 20"),
        (BET, {"acted": [True, True, False]}, "{0} has acted and owes 20, though nobody is all-in for more"),
        (LEAST, {"bets": [0, 9, 0], "price": 9, "level": 9}, "a bet of 9 is below the least, 10"),
        (BET, {"raises": 0}, "there are 0 raises, which are too few"),
        (BET, {"raises": 2}, "2 raises, the last of 20, make more than the price of 20"),
        (BET, {"step": 15}, "1 raises, none of more than 15, do not make the price of 20"),
        (
            BET,
            {"folded": [True, False, False], "stacks": [0, 80, 100]},
            "{0} has no chips left, and nobody folds who is all-in",
        ),
        (
            BET,
            {"folded": [True, False, False], "bets": [30, 20, 0]},
            "{0} has folded after a bet of 30, which nobody has raised",
        ),
        (
            BET,
            {"stacks": [100, 80, 0], "acted": [False, True, True]},
            "{2} was all-in before this street, and so does not speak on it",
        ),
        (BET, {"turn": 0}, "it is not {0}'s turn"),
        (UNOPENED, {"turn": 0}, "it is not {0}'s turn"),
    ],
)
def test_what_no_betting_leads_to_is_named(s: Numbers, changes: dict[str, Any], sentence: str) -> None:
    assert sentence in found(NO_LIMIT, replace(s, **changes), level=changes.get("level"))


def test_in_limit_raises_are_counted_and_a_bet_may_be_measured_from_less() -> None:
    assert found(LIMIT, replace(LEAST, raises=5))[0] == "there are 5 raises, and 4 are allowed"
    assert found(LIMIT, replace(LEAST, step=11)) != []
    short = replace(LEAST, bets=[0, 4, 0], stacks=[100, 0, 100], price=4, level=0, raises=0)
    assert found(LIMIT, short, level=4) == []
    assert found(NO_LIMIT, short, level=4) == ["a price of 4 and a level of 0 do not go together"]


def test_who_has_acted_on_the_blinds_has_paid_them() -> None:
    unpaid = replace(BLINDS, acted=[True, False, True], turn=1)
    assert "{0} has acted and owes 5, though nobody is all-in for more" in found(NO_LIMIT, unpaid, forced=10)
    pushed = replace(unpaid, bets=[5, 30, 10], stacks=[95, 0, 90], acted=[True, True, True], price=30, level=30)
    assert "{0} has acted and has not paid the price of 10" in found(NO_LIMIT, pushed, forced=10)


def test_whoever_has_chips_has_paid_what_others_did_and_posted_what_he_owed() -> None:
    posts = {0: 5, 1: 10}
    assert [*forced_faults(BLINDS, (), posts)] == []
    assert [*forced_faults(replace(BLINDS, paid=[1, 1, 1]), (1, 1, 1), posts)] == []
    assert [*forced_faults(replace(BLINDS, paid=[0, 0, 1]), (), posts)] == [
        "{2} has paid 1 before the first street's betting"
    ]
    assert [*forced_faults(replace(BLINDS, bets=[4, 10, 10]), (), posts)] == ["{0} has chips and has not posted 5"]
    assert [*forced_faults(replace(BLINDS, bets=[4, 10, 10], stacks=[0, 90, 90]), (), posts)] == []
    assert [*forced_faults(replace(BLINDS, acted=[False] * 3), (), posts)] == ["{2} has bet 10, and nobody has acted"]
    assert [*paid_faults(BET, ())] == []
    assert [*paid_faults(replace(BET, paid=[10, 9, 10]), ())] == ["{1} has chips and has paid 9, where others paid 10"]
    assert [*paid_faults(replace(BET, paid=[10, 9, 10]), (1, 2, 1))] == [], "by antes of several sizes"


def test_who_folded_on_an_earlier_street_is_silent_and_blinds_are_paid_by_whoever_has_chips() -> None:
    gone = replace(BET, folded=[True, False, False], paid=[5, 10, 10])
    assert [*earlier_faults(gone, (), {0: 5})] == []
    silent = "{0} has folded on an earlier street, and so does not speak on this one"
    assert [*earlier_faults(replace(gone, acted=[True, True, False]), (), {})] == [silent]
    assert [*earlier_faults(replace(gone, bets=[5, 20, 0]), (), {})] == [silent]
    assert [*earlier_faults(gone, (), {0: 6})] == ["{0} has chips and has paid 5, and had to post 6"]
    assert [*earlier_faults(replace(gone, stacks=[0, 80, 100]), (), {0: 6})] == []
