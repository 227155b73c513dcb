"""The solver agrees with counting out: every order of the deck, every move, what a seat sees taken from its view."""

from itertools import combinations, count

import pytest
from msgspec.structs import replace

from pitboss.lab.game import LabGame
from pitboss.lab.genome import Deck, Setup, TurnStructure, problems
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.solver.information import Sight, suits_matter
from pitboss.lab.solver.shuffles import all_shuffles, count_orders, count_shuffles, dealt_places
from pitboss.lab.solver.solver import solve
from pitboss.lab.solver.tree import SolverError
from tests.support.for_each import for_each
from tests.support.lab.tiny_games import TINY, Line, best_answer, dealt, information_sets, random_game, uniform

pytestmark = pytest.mark.check


@pytest.mark.parametrize("name", TINY)
def test_uniform_play_and_information_sets_are_as_counted_out(name: str) -> None:
    game = TINY[name]
    assert problems(game) == ()
    lines = dealt(game)
    best = (best_answer(lines, 0) + best_answer(lines, 1)) / 2
    distinguished, by_rank = solve(game, 1, suits=True), solve(game, 1)
    assert distinguished.information_sets == len(information_sets(lines)) >= by_rank.information_sets
    for solved in (distinguished, by_rank):
        assert solved.uniform_value == uniform(lines)
        assert solved.uniform_exploitability == pytest.approx(float(best), abs=1e-9)


def minimax(line: Line) -> int:
    """What seat 0 wins if both know all cards and play as well as can be."""
    if line.to_act is None:
        return line.payoff
    values = [minimax(line.after(move)) for move in line.moves]
    return max(values) if line.to_act == 0 else min(values)


@pytest.mark.parametrize("follow", [True, False])
@pytest.mark.parametrize("trump", [None, "h"])
def test_where_all_cards_are_known_the_value_is_that_of_minimax(follow: bool, trump: str | None) -> None:
    """With the whole deck dealt, both players know the other's cards."""
    game = replace(
        TINY["tricks"],
        setup=Setup(cards_per_player=3, initial_deck=Deck(ranks="234", suits="hs"), trump_suit=trump),
        turn_structure=TurnStructure(phases=(TrickPhase(follow=follow),), order="rounds", rounds=3),
    )
    cards = [rank + suit for rank in "234" for suit in "hs"]
    values = []
    for hand in combinations(cards, 3):
        other = [card for card in cards if card not in hand]
        deck = [card for pair in zip(hand, other, strict=True) for card in pair]
        values.append(minimax(Line(LabGame.dealt(game, deck=deck))))
    solved = solve(game, 200)
    assert len(values) == solved.deals == 20
    assert solved.value == pytest.approx(sum(values) / len(values), abs=1e-3)
    assert solved.bounds[0] - 1e-9 <= sum(values) / len(values) <= solved.bounds[1] + 1e-9


@for_each("suits", [False, True])
@for_each("name", TINY)
def test_deals_are_all_there_once(name: str, suits: bool) -> None:
    game = TINY[name]
    sight = Sight(game, suits=suits)
    shuffles = list(all_shuffles(game, sight))
    seen = set()
    for shuffle in shuffles:
        assert sorted(shuffle.deck) == list(range(len(shuffle.deck)))
        row = sight.row(shuffle.deck[: dealt_places(game)])
        per_seat = 2 * game.setup.cards_per_player
        hands = [row[seat:per_seat:2] if sight.ordered else tuple(sorted(row[seat:per_seat:2])) for seat in range(2)]
        last = shuffle.deck[-1] if game.setup.trump_suit == "random" else None
        seen.add((*hands, row[per_seat:], last))
    assert len(seen) == len(shuffles) == count_shuffles(game, sight)
    assert sum(shuffle.weight for shuffle in shuffles) == count_orders(game, sight)


def test_cards_are_dealt_in_turn() -> None:
    """What the solver takes for granted when it puts deals together that differ only in the order of a hand."""
    game = replace(TINY["stuck"], setup=replace(TINY["stuck"].setup, cards_per_player=2, initial_tableau_count=1))
    game = replace(game, setup=replace(game.setup, initial_deck=Deck(ranks="238", suits="hs")), effects=())
    begun = LabGame.dealt(game, deck=("2h", "3s", "8h", "2s", "3h", "8s"))
    assert begun.hands == (("2h", "8h"), ("3s", "2s"))
    assert begun.discards == ("3h",)
    assert begun.tableau == ("8s",)


@for_each(
    "name, matter",
    [
        ("pairs", False),
        ("exchange", False),
        ("tricks", True),
        ("cheat", True),
        ("two of a rank", True),
        ("turned up", False),
    ],
)
def test_suits_matter_where_a_rule_or_a_memory_needs_them(name: str, matter: bool) -> None:
    game = TINY[name]
    deck = Deck(ranks=game.setup.deck.ranks, suits="hs")
    assert suits_matter(replace(game, setup=replace(game.setup, initial_deck=deck))) is matter


def test_random_games_agree_too() -> None:
    """The first that have a choice to make and are small enough."""
    compared = 0
    for game in map(random_game, count()):
        try:
            solved = solve(game, 1, most=300)
        except SolverError:
            continue
        if solved.information_sets:
            lines = dealt(game)
            assert solved.uniform_value == uniform(lines), game
            best = (best_answer(lines, 0) + best_answer(lines, 1)) / 2
            assert solved.uniform_exploitability == pytest.approx(float(best), abs=1e-9), game
            compared += 1
            if compared == 8:
                return
