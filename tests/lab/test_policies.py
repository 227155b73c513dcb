"""The policies of the lab: legal on any genome, reproducible, blind to what they may not see, and ever better."""

import pytest
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.base import codes
from pitboss.lab.base.notes import WIDTH
from pitboss.lab.engine import steps as engine
from pitboss.lab.files import load
from pitboss.lab.game import LabGame
from pitboss.lab.genome.known import known_games
from pitboss.lab.genome.parts import Genome
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.policies import choose as policies
from pitboss.lab.policies.simulate import SeatedGame, seat_players, simulate
from pitboss.lab.policies.work import plain_work
from pitboss.lab.variation.edits import with_phases
from pitboss.lab.variation.invent import random_genome
from tests.lab.test_laws import hidden_places

THINKING = ("greedy", "search")
POKER = ("kuhn", "leduc", "simple_poker", "highest_card")


def chosen(game: LabGame, kind: str, stream: int, iterations: int = 25) -> int:
    """What a player does here, in plain Python."""
    moves = [0] * codes.MOST_MOVES
    g, rules = game.program.games[0], game.program.rules
    count = engine.legal(g, rules, game.state, moves)
    number = policies.NAMES.index(kind)
    move, _ = policies.choose(number, g, rules, game.state.copy(), moves, count, plain_work(iterations), stream)
    return move


@pytest.mark.parametrize("decisions", [3, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", sorted(known_games()))
def test_permuting_hidden_cards_changes_no_choice(name: str, decisions: int) -> None:
    chance = Chance(len(name)).fork(sum(map(ord, name)))
    game = LabGame.dealt(load(name), seed=chance.below(1000))
    for _ in range(decisions):
        if game.over:
            break
        seat, stream = game.state.asked, chance.bits()
        before = {kind: chosen(game, kind, stream) for kind in THINKING}
        places = hidden_places(game, seat)
        others = chance.shuffled([row[at] for row, at in places])
        for (row, at), card in zip(places, others, strict=True):
            row[at] = card
        game.state.chance = chance.bits()
        assert {kind: chosen(game, kind, stream) for kind in THINKING} == before
        game = game.after(chance.choice(game.moves))


@pytest.mark.parametrize("bet", [1, 7, 50])
def test_the_greedy_policy_takes_the_size_of_a_bet_for_no_number_of_cards(bet: int) -> None:
    """Opposing holdings are as large as one's own, whatever a bet is."""
    genome = load("highest_card")
    phases = (BettingPhase(min_bet=bet),)
    game = LabGame.dealt(with_phases(replace(genome, setup=replace(genome.setup, starting_chips=100)), phases), seed=1)
    work = plain_work()
    g, rules, moves = game.program.games[0], game.program.rules, [0] * codes.MOST_MOVES
    count = engine.legal(g, rules, game.state, moves)
    policies.choose(policies.GREEDY, g, rules, game.state, moves, count, work, 1)
    assert work.facts[WIDTH] == genome.setup.cards_per_player


def both(genome: Genome, seated: tuple[str, ...], games: int) -> tuple[list[list[int]], list[list[int]]]:
    """What is written of the same games, played plain and compiled."""
    plain, compiled = (SeatedGame(genome, seated, 3, compiled=compiled) for compiled in (False, True))
    return plain.play(range(games)).tolist(), compiled.play(range(games)).tolist()


@pytest.mark.parametrize("name", sorted(known_games()))
def test_greedy_decides_alike_plain_and_compiled(name: str) -> None:
    genome = replace(load(name), max_turns=60)
    plain, compiled = both(genome, seat_players("greedy,random", genome.player_count), 4)
    assert plain == compiled


@pytest.mark.parametrize("name", ["kuhn", "leduc", "highest_card"])
def test_search_decides_alike_plain_and_compiled(name: str) -> None:
    plain, compiled = both(load(name), ("search", "greedy"), 2)
    assert plain == compiled


@pytest.mark.parametrize("name", sorted(known_games()))
def test_greedy_and_random_play_every_known_game_legally(name: str) -> None:
    result = simulate(load(name), games=300, players="greedy,random", seed=3, cores=1)
    assert result.illegal == 0
    assert result.chips_start == result.chips_end


def test_what_comes_of_it_does_not_depend_on_cores() -> None:
    results = [simulate(load("leduc"), games=60, players="search,greedy", seed=9, cores=cores) for cores in (1, 2, 3)]
    assert len({replace(result, seconds=0.0, cores=0) for result in results}) == 1


@pytest.mark.parametrize("number", range(12))
def test_all_players_are_legal_on_any_genome(number: int) -> None:
    genome: Genome = replace(random_genome(Chance(31).fork(number)), max_turns=40)
    result = simulate(genome, games=3, players=("search", "greedy"), seed=number)
    assert (result.illegal, result.finished) == (0, 3)


@pytest.mark.parametrize("name", POKER)
@pytest.mark.parametrize(("better", "worse", "deals"), [("greedy", "random", 20_000), ("search", "greedy", 1_500)])
def test_in_both_seat_orders_search_beats_greedy_beats_random(name: str, better: str, worse: str, deals: int) -> None:
    games = deals // load(name).setup.deals
    first = simulate(load(name), games=games, players=(better, worse), seed=11).chips_won[0]
    second = simulate(load(name), games=games, players=(worse, better), seed=12).chips_won[1]
    reach = ((first.mean - first.interval[0]) ** 2 + (second.mean - second.interval[0]) ** 2) ** 0.5
    assert first.mean + second.mean > reach


def test_a_single_move_is_taken_at_once() -> None:
    game = LabGame.dealt(load("whist"), seed=1)
    while len(game.numbers) > 1:
        game = game.after(game.moves[0])
    assert chosen(game, "search", 1, iterations=10**6) == game.numbers[0]
