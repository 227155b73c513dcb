"""An invalid setting is refused where it is given, with a sentence that names the valid ones."""

from collections.abc import Callable
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import pitboss
from pitboss import (
    NO_LIMIT_HOLDEM,
    OMAHA,
    Chance,
    ChanceError,
    NoSuchStructure,
    PhhError,
    PitbossError,
    PotError,
    Rake,
    Ranking,
    SetupError,
    Stakes,
    Structure,
    Table,
    TableStakes,
    blinds,
    find_structure,
    no_limit,
    pots,
    read_phh,
    read_phhs,
)
from pitboss.table import Level, StakesError, TableError
from tests.support.for_each import for_each

STAKES = TableStakes(small_blind=1, big_blind=2)


def structure(**settings: Any) -> Structure:
    """Hold'em with some settings of one's own."""
    given = {"streets": NO_LIMIT_HOLDEM.streets, "betting": no_limit(), "showdown": NO_LIMIT_HOLDEM.showdown}
    return Structure(name="x", code="X", **{**given, **settings})


def table_stakes(**settings: Any) -> TableStakes:
    """Blinds of 1 and 2 with some settings more."""
    return TableStakes(small_blind=1, big_blind=2, **settings)


def opened(**settings: Any) -> Table:
    """A table with some settings of one's own."""
    return Table.open(**{"stakes": STAKES, **settings})


REFUSED: tuple[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], type[PitbossError], str], ...] = (
    (Ranking, ("lowest",), {}, SetupError, "order: expected 'high' or 'short' or 'low' or 'ace_to_five' or"),
    (Ranking, ("high", "yes"), {}, SetupError, "from_two: expected True or False, got 'yes'"),
    (structure, (), {"betting": "no_limit"}, SetupError, "betting: expected Rules such as no_limit(), got 'no_limit'"),
    (structure, (), {"showdown": ("high",)}, SetupError, "showdown: expected a tuple of one Ranking or more"),
    (structure, (), {"showdown": ()}, SetupError, "showdown: expected a tuple of one Ranking or more"),
    (structure, (), {"streets": 4}, SetupError, "streets: expected a tuple of one Street or more, got 4"),
    (
        Rake,
        (),
        {"thousandths": 50, "no_flop_no_drop": "no"},
        SetupError,
        "no_flop_no_drop: expected True or False, got 'no'",
    ),
    (Stakes, (), {"min_bet": "x"}, SetupError, "min_bet: expected at least one chip, got 'x'"),
    (Stakes, (), {"min_bet": 0}, SetupError, "min_bet: expected at least one chip, got 0"),
    (Stakes, (), {"min_bet": 2, "big_bet": 0}, SetupError, "min_bet: expected at least one chip, got 0"),
    (Stakes, (), {"min_bet": 20, "big_bet": 5}, SetupError, "big_bet: expected at least the minimum bet of 20, got 5"),
    (Stakes, (), {"min_bet": 2, "equal_antes": "no"}, SetupError, "equal_antes: expected True or False, got 'no'"),
    (Stakes, (), {"min_bet": 2, "rake": 5}, SetupError, "rake: expected a Rake or None, got 5"),
    (table_stakes, (), {"least_bet": -3}, StakesError, "least_bet: expected a whole number of chips from 1, got -3"),
    (table_stakes, (), {"big_bet": -3}, StakesError, "big_bet: expected a whole number of chips from 1, got -3"),
    (table_stakes, (), {"big_bet": 1}, StakesError, "big_bet: expected at least the minimum bet of 2, got 1"),
    (table_stakes, (), {"straddles": 4}, StakesError, "straddles: expected a tuple of chips, got 4"),
    (table_stakes, (), {"levels": ("x",)}, StakesError, "levels: expected a tuple of Level"),
    (table_stakes, (), {"levels": Level(from_hand=2, small_blind=1, big_blind=2)}, StakesError, "a tuple of Level"),
    (table_stakes, (), {"rake": 5}, StakesError, "rake: expected a Rake or None, got 5"),
    (opened, (), {"moving": "foo"}, TableError, "moving: expected 'big_blind' or 'button' or 'dead_button', got 'foo'"),
    (opened, (), {"structure": "poker"}, NoSuchStructure, "no game is called 'poker'"),
    (opened, (), {"structure": 5}, NoSuchStructure, "no game is called '5'"),
    (opened, (), {"stakes": Stakes(min_bet=2)}, TableError, "stakes: expected TableStakes"),
    (opened, (), {"seat_count": "6"}, TableError, "seat_count: expected a whole number from 1, got '6'"),
    (
        opened,
        (),
        {"least_buy_in": 50, "most_buy_in": 40},
        TableError,
        "most_buy_in: expected at least the minimum buy-in of 50, got 40",
    ),
    (
        opened().sit,
        ("a", 100),
        {"state": "sleeps"},
        TableError,
        "state: expected 'plays' or 'waits' or 'pauses' or 'leaves'",
    ),
    (opened().sit("a", 100).wish, ("a", "sleeps"), {}, TableError, "state: expected 'plays' or 'waits' or 'pauses'"),
    (Chance, ("x",), {}, ChanceError, "seed: expected a whole number, got 'x'"),
    (Chance(1).fork, ("x",), {}, ChanceError, "label: expected a whole number, got 'x'"),
    (find_structure, (5,), {}, NoSuchStructure, "no game is called '5'"),
    (blinds, ("x", 1), {}, SetupError, "places: expected a whole number of players, got 'x'"),
    (blinds, (2, "a", "b"), {}, SetupError, "blind: expected a whole number of chips from 0, got 'a'"),
    (blinds, (2, -1, 2), {}, SetupError, "blind: expected a whole number of chips from 0, got -1"),
    (read_phh, (b"\xff",), {}, PhhError, "expected text, got bytes"),
    (read_phhs, (b"\xff",), {}, PhhError, "expected text, got bytes"),
    (pots, ([-1], [False]), {}, PotError, "paid: expected whole numbers of chips from 0, got -1"),
)


@for_each("make, given, settings, kind, sentence", REFUSED)
def test_unknown_settings_are_refused(
    make: Callable[..., Any], given: tuple[Any, ...], settings: dict[str, Any], kind: type[PitbossError], sentence: str
) -> None:
    with pytest.raises(kind) as refusal:
        make(*given, **settings)
    assert sentence in str(refusal.value)


def test_a_tables_structure_may_be_named() -> None:
    assert opened(game="omaha").structure is OMAHA


def test_a_table_is_shown_in_a_line() -> None:
    table = opened().sit("ann", 100).sit("bob", 60, state="pauses")
    assert repr(table) == "<Table of no_limit_holdem, hand 0 between, button None: 0 ann 100 plays, 1 bob 60 pauses>"


def test_an_error_is_shown_by_the_name_of_the_outermost_package_that_exports_it() -> None:
    exported: dict[type[PitbossError], list[str]] = {}
    names = [module.name for module in walk_packages(pitboss.__path__, "pitboss.") if module.ispkg]
    for package in map(import_module, ("pitboss", *names)):
        for name in getattr(package, "__all__", ()):
            value = getattr(package, name)
            if isinstance(value, type) and issubclass(value, PitbossError):
                exported.setdefault(value, []).append(package.__name__)
    assert len(exported) > 20
    assert {kind: kind.__module__ for kind in exported} == {kind: min(at, key=len) for kind, at in exported.items()}
