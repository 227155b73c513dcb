"""Every game in numbers: a fixed numbering of actions, observations of a fixed length, and no hidden cards in them."""

from typing import Any

import pytest

from pitboss import Chance, PokerType, Stakes, blinds
from pitboss.arena.bots.game_bots import deal_hidden_cards
from pitboss.arena.hosts.games import find_game, hosted
from pitboss.game import GameType, PlayersTurn, action_mask
from pitboss.hand.games import STRUCTURES, file_games
from pitboss.lab.game import LabGame
from tests.support.for_each import for_each

KINDS = {structure.key: structure for structure in (*STRUCTURES.values(), *file_games())}
POKER = list(KINDS)
LAB = [name for name in hosted() if name != "sting"]
MOST_MOVES = 60
"""The number of moves after which a game is left."""


def game_type(name: str) -> GameType[Any, Any, Any]:
    """Return a game by name; poker for three players."""
    if name not in POKER:
        return find_game(name)
    return PokerType(name, stacks=(200, 200, 200), stakes=stakes_of(name))


def stakes_of(name: str) -> Stakes:
    structure = KINDS[name]
    if structure.betting.bring_in:
        return Stakes(min_bet=4, antes=(1, 1, 1), bring_in=2)
    return Stakes(min_bet=4, posts=blinds(3, 2, 4))


def played(kind: GameType[Any, Any, Any], chance: Chance) -> Any:
    """Yield the states of a random game."""
    game, _ = kind.start(kind.places.start, chance)
    for _ in range(MOST_MOVES):
        if not isinstance(game.turn, PlayersTurn):
            break
        yield game
        game, _ = game.act(chance.choice(list(kind.numbered(game).values())))
    yield game


@for_each("name", [*POKER, *LAB, "sting"])
def test_actions_have_fixed_numbers_and_observations_a_fixed_length(name: str) -> None:
    kind, chance = game_type(name), Chance(5)
    for game in played(kind, chance):
        numbered = kind.numbered(game)
        assert len(set(map(repr, numbered.values()))) == len(numbered)
        assert all(0 <= number < kind.action_count for number in numbered)
        assert sum(action_mask(kind.action_count, numbered)) == len(numbered)
        assert bool(numbered) == isinstance(game.turn, PlayersTurn)
        for place in (None, *range(kind.places.start)):
            assert len(kind.observe(game, place)) == kind.observation_size
        for action in numbered.values():
            again, _ = game.act(action)
            assert again is not game


@for_each("name", [*LAB, "sting"])
def test_every_legal_move_of_a_game_has_a_number(name: str) -> None:
    kind = game_type(name)
    for game in played(kind, Chance(6)):
        if isinstance(game.turn, PlayersTurn):
            assert sorted(map(repr, kind.numbered(game).values())) == sorted({repr(move) for move in game.legal()})


# --- two worlds


@for_each("name", LAB)
def test_two_worlds_that_look_the_same_have_the_same_data_words_and_numbers(name: str) -> None:
    kind, chance = game_type(name), Chance(7)
    for game in played(kind, chance):
        for place in range(kind.places.start):
            view = game.view(place)
            state = deal_hidden_cards(view, chance)
            other = LabGame(game.genome, game.program, state)
            assert looks(kind, other, place) == looks(kind, game, place)


@for_each("name", [*POKER, "sting"])
def test_all_that_a_place_is_shown_comes_from_its_view(name: str) -> None:
    kind = game_type(name)
    for game in played(kind, Chance(8)):
        for place in (None, *range(kind.places.start)):
            assert looks(kind, game.view(place), place) == looks(kind, game, place)


def looks(kind: GameType[Any, Any, Any], game: Any, place: int | None) -> tuple[Any, ...]:
    """Return everything that a place is shown of a game: data, words and numbers."""
    return kind.table_view(game, place), kind.describe(game, place), kind.observe(game, place)


def test_a_card_that_changes_is_seen_in_the_numbers_of_its_owner_only() -> None:
    kind = game_type("leduc")
    seen = set()
    for seed in range(40):
        game, _ = kind.start(2, Chance(seed))
        seen.add((game.hands[0][0][0], game.hands[1][0][0], kind.observe(game, 0), kind.observe(game, 1)))
    assert len({own for *_, own, _ in [(a, b, c, d) for a, b, c, d in seen]}) == 3 * 2
    for mine, _, own, _ in seen:
        assert {other[2] for other in seen if other[0] != mine}.isdisjoint({own})


def test_the_menu_has_the_sizes_of_the_pot() -> None:
    kind = game_type("no_limit_holdem")
    game, _ = kind.start(3, Chance(1))
    sizes = {number: getattr(action, "to", None) for number, action in kind.numbered(game).items()}
    assert sizes[0] is None
    assert (sizes[3], sizes[10]) == (8, 200)
    assert sizes[7] == 4 + (6 + 4)  # the pot after a call


@pytest.mark.parametrize("name", ["deuce_to_seven_triple_draw", "pineapple"])
def test_each_set_of_cards_to_change_has_a_number(name: str) -> None:
    kind = game_type(name)
    draws = [game for seed in range(6) for game in played(kind, Chance(seed)) if game.phase == "draw"]
    assert draws
    for game in draws:
        numbered = kind.numbered(game)
        held = len(game.holes[game.turn.place])
        assert len(numbered) == (2**held if game.offer.discard is None else held)
