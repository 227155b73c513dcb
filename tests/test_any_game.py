"""Every public function that takes a game takes it by name, by code, as a file, and as a record or another object."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pitboss
import pitboss.table
from pitboss import (
    Chance,
    GameAtStakes,
    Hand,
    Mixed,
    PokerType,
    Record,
    SetupError,
    Stakes,
    Structure,
    Table,
    TableStakes,
    blinds,
    documents,
    equity,
    evaluate,
    find_game,
    read_game,
    secure_deck,
    simulate,
    write_game,
)
from pitboss.hand.game_file import OWN_CODE
from tests.support.for_each import for_each

HOMES = (pitboss, pitboss.table, documents)
STAKES = TableStakes(small_blind=1, big_blind=2)
HAND_STAKES = Stakes(min_bet=2, posts=blinds(2, 1, 2))
HOLE, OTHER, BOARD = "AhKd7c5s", "QsQc5h6d", "Ac9c4d3s2h"


def in_list(game: Any) -> Table:
    """Return a table where the player with the button chooses between this game and another."""
    return Table.open(STAKES, game=Mixed("two", (GameAtStakes(game), GameAtStakes("no_limit_badugi")), choice=True))


def chosen(game: Any) -> object:
    return in_list("omaha").choose(game).chosen


def after(game: Any) -> object:
    return in_list("omaha").sit("a", 90).sit("b", 90).after({0: 80, 1: 100}, hand=1, button=0, game=game).game


def dealt_as(game: Any) -> object:
    table = in_list("omaha").sit("a", 90).sit("b", 90)
    return table.dealt_as({0, 1}, hand=1, button=0, blinds=(0, 1), owes={}, game=game).game


CALLS: dict[str, Callable[[Any], object]] = {
    "Batch": lambda game: pitboss.Batch(2, game=game).setup.structure,
    "GameAtStakes": lambda game: GameAtStakes(game).structure,
    "Hand.deal": lambda game: Hand.deal(game=game, stacks=(50, 50), blinds=(1, 2), seed=3)[0],
    "Hand.start": lambda game: Hand.start(game=game, stacks=(50, 50), stakes=HAND_STAKES)[0],
    "Mixed.index": in_list("omaha").games.index,
    "PokerType": lambda game: PokerType(game, stacks=(50, 50), stakes=HAND_STAKES).start(2, Chance(1)),
    "Table.after": after,
    "Table.choose": chosen,
    "Table.dealt_as": dealt_as,
    "Table.open": lambda game: Table.open(STAKES, game=game),
    "equity": lambda game: equity(HOLE, OTHER, game=game, board=BOARD).equity,
    "evaluate": lambda game: evaluate(HOLE, game=game, board=BOARD),
    "find_game": find_game,
    "open_document": lambda game: documents.open_document(big_blind=2, seat_count=2, game=game),
    "secure_deck": lambda game: sorted(secure_deck(game)),
    "simulate": lambda game: simulate(3, seats=2, game=game).seats,
    "write_game": write_game,
}
"""A call of every function, method and class with an argument for a game."""
RENAMED: dict[str, Callable[[Any], object]] = {
    "Batch": lambda game: pitboss.Batch(2, structure=game).setup.structure,
    "Table.open": lambda game: Table.open(STAKES, structure=game),
    "equity": lambda game: equity(HOLE, OTHER, structure=game, board=BOARD).equity,
    "evaluate": lambda game: evaluate(HOLE, structure=game, board=BOARD),
    "simulate": lambda game: simulate(3, seats=2, structure=game).seats,
}
"""The same calls with the older name of the argument."""
OTHER_ARGUMENTS = {
    "GameType.default_action": "a state of a game",
    "GameType.describe": "a state of a game",
    "GameType.table_view": "a state of a game",
    "GameType.numbered": "a state of a game",
    "GameType.observe": "a state of a game",
    "PokerType.numbered": "a hand",
    "PokerType.observe": "a hand",
    "PokerType.describe": "a hand",
    "PokerType.table_view": "a hand",
    "Spot": "one of the few games that the solver solves",
    "GameType.result": "a state of a game",
    "PokerType.default_action": "a hand",
    "PokerType.result": "a hand",
    "Hand": "fields of a state, which pitboss makes",
    "HandSetup": "fields of a hand that a table sets up",
    "Stakes.in_game": "below the list of games",
    "Table": "fields of a state, which pitboss makes; `game` is a number",
    "TableStakes.in_game": "the same as Stakes.in_game",
    "find_structure": "only finds names, so that it can receive text from strangers",
}
"""Names with an argument of such a name that is not a game in every form, and the reason."""


def arguments() -> Iterator[tuple[str, str]]:
    """Yield the path and the argument of every public callable with an argument for a game."""
    values = {name: getattr(home, name) for home in HOMES for name in home.__all__}
    for name, value in values.items():
        if not callable(value):
            continue
        yield from ((name, argument) for argument in parameters(value))
        if inspect.isclass(value):
            for method in sorted(name for name in vars(value) if not name.startswith("_")):
                called = getattr(value, method)
                if inspect.isroutine(called):
                    yield from ((f"{name}.{method}", argument) for argument in parameters(called))


def parameters(called: Any) -> list[str]:
    try:
        found = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):  # an alias of types
        return []
    return [one.name for one in found if one.name in ("game", "structure", "variant") or one.annotation is Structure]


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The same game in every form."""
    file = tmp_path_factory.mktemp("games") / "mine.toml"
    file.write_text(write_game("omaha"), encoding="utf-8")
    hand, events = Hand.deal("omaha", stacks=(50, 50), blinds=(1, 2), seed=3)
    return {
        "structure": pitboss.OMAHA,
        "name": "omaha",
        "code": "PO",
        "file": str(file),
        "path": file,
        "record": Record.from_hand(hand, events),
        "hand": hand,
        "table": Table.open(STAKES, game="omaha"),
    }


def test_every_public_argument_for_a_game_is_listed() -> None:
    found = {path for path, _ in arguments()} - OTHER_ARGUMENTS.keys()
    assert found == CALLS.keys() | {"Record", "Document"}, "Record and Document have the code of their game as a field"
    old = {path for path, argument in arguments() if argument == "structure"} - OTHER_ARGUMENTS.keys()
    assert {"GameAtStakes", "PokerType"} <= old <= {*RENAMED, "GameAtStakes", "PokerType"}, "signatures may hide it"


@for_each("name", sorted(CALLS.keys() - {"Batch"}))
def test_a_game_is_given_in_every_form(forms: dict[str, Any], name: str) -> None:
    results = {form: CALLS[name](game) for form, game in forms.items()}
    assert [form for form, result in results.items() if repr(result) != repr(results["structure"])] == []


@for_each("name", sorted(RENAMED.keys() - {"Batch"}))
def test_structure_is_an_older_name_of_game(name: str) -> None:
    assert repr(RENAMED[name]("omaha")) == repr(CALLS[name]("omaha")) != repr(CALLS[name]("omaha_hi_lo"))


@pytest.mark.check
def test_a_batch_takes_a_game_in_every_form(forms: dict[str, Any]) -> None:
    pytest.importorskip("numba")
    assert all(CALLS["Batch"](game) == pitboss.OMAHA for game in forms.values())
    assert RENAMED["Batch"]("omaha") == pitboss.OMAHA


def test_both_names_of_the_argument_are_refused() -> None:
    for call in (lambda **given: simulate(1, **given), lambda **given: equity("AA", "KK", **given)):
        with pytest.raises(SetupError, match=r"^structure: is the older name of game; expected only one of the two$"):
            call(game="razz", structure="omaha")


def test_an_own_game_is_given_by_a_file_and_by_its_record(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    text = write_game("omaha").replace('name = "omaha"', 'name = "mine"')
    lines = [line for line in text.splitlines() if not line.startswith(("code", "aliases"))]
    file.write_text("\n".join(lines), encoding="utf-8")
    hand, events = Hand.deal(file, stacks=(50, 50), blinds=(1, 2), seed=3)
    record = Record.from_hand(hand, events)
    assert record.variant == OWN_CODE
    assert find_game(record) == read_game(file) == record.structure
    assert simulate(3, seats=2, game=record).seats == simulate(3, seats=2, game="omaha").seats


def test_a_record_without_a_known_game_is_refused() -> None:
    record = Record(variant="??", antes=(0, 0), starting_stacks=(9, 9), actions=())
    with pytest.raises(pitboss.PitbossError, match=r"^variant: expected a code of PHH"):
        find_game(record)
