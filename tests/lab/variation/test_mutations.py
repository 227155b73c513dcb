"""Variation: every mutation, crossover and random game is valid, another game, and decided by its chance alone."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.files import known_games, load, read_genome, write_genome
from pitboss.lab.genome import MOST_PHASES, MOST_WINS, CardEffect, Deck, Genome, Phase, TrickPoints, problems
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.variation.edits import CARD_PHASES, WINS, splice, with_phases, with_setup
from pitboss.lab.variation.mutations import OPERATORS, crossover, mutate, random_genome
from pitboss.lab.variation.repair import repair
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.low_score import LowScore
from tests.support.for_each import for_each

BETTING = ("AddBettingPhase", "RemoveBettingPhase", "MutateBettingPhase", "MutateStartingChips")
CHAIN = 200


def phases_of(genome: Genome, kind: type[Phase]) -> Iterator[Phase]:
    return (phase for phase in genome.turn_structure.phases if isinstance(phase, kind))


def lister(kind: type[Phase]) -> Callable[[Genome], object]:
    return lambda genome: list(phases_of(genome, kind))


PARTS: dict[str, Callable[[Genome], object]] = {
    "AddBettingPhase": lambda g: len(g.betting_phases),
    "RemoveBettingPhase": lambda g: len(g.betting_phases),
    "MutateBettingPhase": lambda g: g.betting_phases,
    "MutateStartingChips": lambda g: g.setup.starting_chips,
    "MutateAnte": lambda g: g.setup.ante,
    "MutatePots": lambda g: g.setup.pots,
    "MutateDeals": lambda g: g.setup.deals,
    "MutatePlayerCount": lambda g: g.player_count,
    "MutateDeck": lambda g: g.setup.deck,
    "MutateCardsPerPlayer": lambda g: g.setup.cards_per_player,
    "MutateDiscardCount": lambda g: g.setup.initial_discard_count,
    "MutateTableauCount": lambda g: g.setup.initial_tableau_count,
    "MutateTrump": lambda g: g.setup.trump_suit,
    "AddPhase": lambda g: len(g.turn_structure.phases),
    "RemovePhase": lambda g: len(g.turn_structure.phases),
    "ReplacePhase": lambda g: [type(phase) for phase in g.turn_structure.phases],
    "SwapPhases": lambda g: g.turn_structure.phases,
    "DuplicatePhase": lambda g: len(g.turn_structure.phases),
    **{f"Mutate{kind.__name__}": lister(kind) for kind in CARD_PHASES},
    "MutateOrder": lambda g: g.turn_structure.order,
    "MutateRounds": lambda g: g.turn_structure.rounds,
    "AddEffect": lambda g: len(g.effects),
    "RemoveEffect": lambda g: len(g.effects),
    "MutateEffect": lambda g: g.effects,
    "AddScoring": lambda g: len(g.scoring),
    "RemoveScoring": lambda g: len(g.scoring),
    "MutateScoring": lambda g: g.scoring,
    "AddWinCondition": lambda g: len(g.win_conditions),
    "RemoveWinCondition": lambda g: len(g.win_conditions),
    "ReplaceWinCondition": lambda g: [type(win) for win in g.win_conditions],
    "MutateWinCondition": lambda g: g.win_conditions,
    "SwapWinConditions": lambda g: g.win_conditions[0],
    "MutateTurnLimit": lambda g: g.max_turns,
}
"""What each operator is for: the part of a genome that is never the same afterwards."""


def seeded(name: str) -> Chance:
    """A stream for each known game."""
    return Chance(1000 + list(known_games()).index(name))


@cache
def games() -> tuple[Genome, ...]:
    """The known games, and some far from them, so that every operator finds what it needs."""
    found = list(map(load, known_games()))
    return (*found, *[chain(genome.name, 25)[-1][0] for genome in found], *map(random_genome, map(Chance, range(20))))


def chain(name: str, length: int) -> list[tuple[Genome, str]]:
    """A known game, mutated again and again."""
    chance, genome, found = seeded(name), load(name), []
    for _ in range(length):
        genome, operator = mutate(genome, chance)
        found.append((genome, operator))
    return found


def assert_playable(genome: Genome) -> None:
    assert problems(genome) == ()
    chips = genome.setup.starting_chips
    assert all(0 < phase.min_bet <= chips for phase in genome.betting_phases)
    assert (chips > 0) == bool(genome.betting_phases)


# --- the seed's four


@for_each("name", known_games())
def test_a_betting_phase_can_be_added_to_every_known_game(name: str) -> None:
    parent = load(name)
    phases, places = parent.turn_structure.phases, set()
    for seed in range(60):
        child = OPERATORS["AddBettingPhase"](parent, Chance(seed))
        assert child is not None
        assert_playable(child)
        assert len(child.betting_phases) == len(parent.betting_phases) + 1
        new = child.turn_structure.phases
        places |= {place for place in range(len(new)) if splice(new, place, instead_of=1) == phases}
        chips = child.setup.starting_chips
        assert chips == parent.setup.starting_chips or parent.setup.starting_chips == 0
        assert child.setup.ante > 0, "or checking for ever would be best (F5)"
        assert replace(child, setup=parent.setup, turn_structure=parent.turn_structure) == parent
    assert places == set(range(len(phases) + 1))


@for_each("name", known_games())
def test_betting_parameter_validation(name: str) -> None:
    """Mutations don't produce invalid configs (min_bet > chips)."""
    chance, genome = seeded(name), load(name)
    for _ in range(CHAIN):
        child = OPERATORS[chance.choice(BETTING)](genome, chance)
        genome = genome if child is None else child
        assert_playable(genome)
        assert genome.setup.ante <= genome.setup.starting_chips


def test_removing_the_last_betting_takes_chips_and_ante_with_it() -> None:
    child = OPERATORS["RemoveBettingPhase"](load("betting_war"), Chance(0))
    assert child is not None
    assert (child.betting_phases, child.setup.starting_chips, child.setup.ante) == ((), 0, 0)
    leduc = OPERATORS["RemoveBettingPhase"](load("leduc"), Chance(0))
    assert leduc is not None
    assert len(leduc.betting_phases) == 1
    assert leduc.setup == load("leduc").setup


def test_game_of_one_betting_phase_keeps_it() -> None:
    assert OPERATORS["RemoveBettingPhase"](load("kuhn"), Chance(0)) is None


@for_each("operator", [*BETTING[1:], "MutateAnte", "MutatePots"])
def test_betting_operators_do_not_apply_without_betting(operator: str) -> None:
    assert {OPERATORS[operator](load("war"), Chance(seed)) for seed in range(20)} == {None}


def test_chips_never_fall_below_a_bet_or_the_ante() -> None:
    game = with_phases(load("kuhn"), (BettingPhase(min_bet=2, max_raises=0), BettingPhase(min_bet=30)))
    game = with_setup(game, starting_chips=40, ante=35)
    found = [OPERATORS["MutateStartingChips"](game, Chance(seed)) for seed in range(80)]
    stacks = {child.setup.starting_chips for child in found if child is not None}
    assert min(stacks) == 35
    assert max(stacks) > 40
    assert {child and child.turn_structure for child in found} == {game.turn_structure}


# --- all of them


def test_there_are_the_four_and_many_others() -> None:
    assert set(BETTING) < set(OPERATORS)
    assert len(OPERATORS) >= 16
    assert set(PARTS) == set(OPERATORS)


@for_each("name", OPERATORS)
def test_an_operator_changes_its_part_and_gives_a_valid_game(name: str) -> None:
    operator, part, applied = OPERATORS[name], PARTS[name], 0
    for number, parent in enumerate(games()):
        before = write_genome(parent)
        for seed in range(5):
            child = operator(parent, Chance(100 * number + seed))
            if child is None:
                continue
            applied += 1
            assert_playable(child)
            assert part(child) != part(parent)
            assert child.name == parent.name
        assert write_genome(parent) == before
    assert applied >= 10


@for_each("name", OPERATORS)
def test_an_operator_is_decided_by_its_chance(name: str) -> None:
    one, other = ([OPERATORS[name](game, Chance(7)) for game in games()] for _ in range(2))
    assert one == other
    different = [OPERATORS[name](game, Chance(seed)) for game in games() for seed in (8, 9, 10)]
    assert len({child and write_genome(child) for child in different}) > 2


@for_each("kind", CARD_PHASES)
def test_a_phase_that_is_not_there_cannot_be_changed(kind: type[Phase]) -> None:
    operator = OPERATORS[f"Mutate{kind.__name__}"]
    absent = [game for game in games() if not any(phases_of(game, kind))]
    assert {operator(game, Chance(1)) for game in absent} == {None}
    assert all(operator(load(name), Chance(1)) for name in known_games() if any(phases_of(load(name), kind)))


@pytest.mark.parametrize("name", ["AddBettingPhase", "AddPhase", "DuplicatePhase"])
def test_a_full_turn_structure_takes_no_more_phases(name: str) -> None:
    full = with_phases(load("kuhn"), MOST_PHASES * load("kuhn").turn_structure.phases)
    assert OPERATORS[name](full, Chance(0)) is None
    assert OPERATORS[name](with_phases(full, full.turn_structure.phases[1:]), Chance(0)) is not None


def test_parts_that_are_needed_are_not_removed_or_moved() -> None:
    """The only phase, the only win condition, a scoring rule that the win condition needs, equal phases."""
    lone = with_phases(load("president"), (PlayPhase(),))
    assert OPERATORS["RemovePhase"](lone, Chance(0)) is None
    assert OPERATORS["SwapPhases"](with_phases(lone, (PlayPhase(), PlayPhase())), Chance(0)) is None
    assert OPERATORS["RemoveWinCondition"](lone, Chance(0)) is None
    assert OPERATORS["SwapWinConditions"](lone, Chance(0)) is None
    scored = replace(load("war"), scoring=(TrickPoints(),), win_conditions=(HighScore(),))
    assert OPERATORS["RemoveScoring"](scored, Chance(0)) is None
    assert OPERATORS["RemoveScoring"](replace(scored, win_conditions=(HighCard(),)), Chance(0)) is not None
    crowded = replace(scored, win_conditions=(HighScore(), HighCard(), EmptyHand(), LowScore())[:MOST_WINS])
    assert problems(crowded) == ()
    assert OPERATORS["AddWinCondition"](crowded, Chance(0)) is None


@pytest.mark.parametrize("name", ["MutateCardsPerPlayer", "MutateDiscardCount", "MutateTableauCount"])
def test_community_cards_are_not_dealt_away(name: str) -> None:
    """Leduc's six cards: a card each, and four for all."""
    betting = BettingPhase(min_bet=1)
    tight, loose = (with_phases(load("leduc"), (betting, CommunityPhase(count=count))) for count in (4, 2))
    assert {OPERATORS[name](tight, Chance(seed)) for seed in range(20)} == {None}
    child = OPERATORS[name](loose, Chance(0))
    assert child is not None
    assert child.turn_structure == loose.turn_structure


def test_trumps_are_for_tricks() -> None:
    assert OPERATORS["MutateTrump"](load("president"), Chance(0)) is None
    suits = [OPERATORS["MutateTrump"](load("whist"), Chance(seed)) for seed in range(60)]
    found = {child and child.setup.trump_suit for child in suits}
    assert found | {load("whist").setup.trump_suit} == {None, "random", *"cdhs"}


def test_a_rank_has_one_effect_and_sets_are_laid_once() -> None:
    game = load("president")
    for seed in range(40):
        chance, child = Chance(seed), game
        for _ in range(4):
            child = OPERATORS["AddEffect"](child, chance) or child
        ranks = [effect.rank for effect in child.effects if isinstance(effect, CardEffect)]
        assert len(child.effects) == 4
        assert len(set(ranks)) == len(ranks) >= 3


def test_decks_lose_and_gain_ranks_and_suits_and_become_standard_again() -> None:
    small = with_setup(load("president"), initial_deck=Deck(ranks="89TJQKA", suits="hs"), cards_per_player=3)
    found = [OPERATORS["MutateDeck"](small, Chance(seed)) for seed in range(80)]
    decks = [child.setup.deck for child in found if child is not None]
    assert {len(deck.ranks) for deck in decks} >= {6, 7, 8, 13}
    assert {len(deck.suits) for deck in decks} >= {1, 2, 3, 4}
    assert Deck(ranks="9TJQKA8", suits="hs") in decks
    assert "standard_52" in {child.setup.initial_deck for child in found if child is not None}
    ordered = [deck for deck in decks if len(deck.ranks) == 8]
    assert all(sorted(deck.ranks, key=Deck().ranks.index) == list(deck.ranks) for deck in ordered)


# --- chains


def test_chains_of_mutations_stay_valid_and_use_every_operator() -> None:
    used: Counter[str] = Counter()
    for name in known_games():
        parent = load(name)
        for child, operator in chain(name, CHAIN):
            assert_playable(child)
            assert child != parent
            assert PARTS[operator](child) != PARTS[operator](parent)
            parent = child
            used[operator] += 1
    assert set(used) == set(OPERATORS)
    assert used.total() == CHAIN * len(known_games())
    assert min(used.values()) > 10


def test_a_chain_reads_back_as_written() -> None:
    for child, _ in chain("scopa", 50):
        assert read_genome(write_genome(child)) == child


def test_operators_that_do_not_apply_are_passed_over() -> None:
    kuhn = load("kuhn")
    names = {mutate(kuhn, Chance(seed))[1] for seed in range(300)}
    assert names.isdisjoint({"RemoveBettingPhase", "MutateDrawPhase", "RemoveScoring", "MutateTrump"})
    assert names == {name for name in OPERATORS if any(OPERATORS[name](kuhn, Chance(seed)) for seed in range(5))}


# --- crossover


@for_each("name", known_games())
def test_crossover_with_every_known_game_is_valid(name: str) -> None:
    chance, one = seeded(name), load(name)
    for other in games():
        for child in (crossover(one, other, chance), crossover(other, one, chance)):
            assert_playable(child)


def test_crossover_takes_parts_of_both() -> None:
    one, other = load("hearts"), load("betting_war")
    children = [crossover(one, other, Chance(seed)) for seed in range(80)]
    for part in ("player_count", "max_turns", "win_conditions", "effects"):
        assert {getattr(child, part) for child in children} <= {getattr(one, part), getattr(other, part)} | {
            (HighCard(),)
        }
    assert {child.player_count for child in children} == {one.player_count, other.player_count}
    assert {child.setup.cards_per_player for child in children} >= {13, 10}
    whole = {phase for parent in (one, other) for phase in parent.turn_structure.phases}
    kinds = {tuple(map(type, child.turn_structure.phases)) for child in children}
    assert {type(phase) for child in children for phase in child.turn_structure.phases} == set(map(type, whole))
    assert len(kinds) >= 4
    assert {bool(child.betting_phases) for child in children} == {True, False}
    assert {child.name for child in children} == {"hearts"}


def test_crossover_depends_on_its_seed_and_keeps_common_parts() -> None:
    one, other = load("leduc"), load("cheat")
    assert crossover(one, other, Chance(4)) == crossover(one, other, Chance(4))
    assert len({write_genome(crossover(one, other, Chance(seed))) for seed in range(20)}) > 5
    for seed in range(20):
        child = crossover(one, one, Chance(seed))
        assert with_phases(child, one.turn_structure.phases) == one


def test_crossover_of_two_long_games_is_not_too_long() -> None:
    one = with_phases(load("cheat"), MOST_PHASES * (ClaimPhase(),))
    lengths = {len(crossover(one, one, Chance(seed)).turn_structure.phases) for seed in range(60)}
    assert max(lengths) == MOST_PHASES
    assert min(lengths) >= 1


# --- random games


def test_random_games_are_valid_have_betting_and_are_of_every_sort() -> None:
    found = [random_genome(Chance(seed)) for seed in range(600)]
    for genome in found:
        assert_playable(genome)
        assert 1 <= len(genome.betting_phases) <= 3
        assert repair(genome) is genome
    assert {type(phase) for genome in found for phase in genome.turn_structure.phases} == {*CARD_PHASES, BettingPhase}
    assert {type(win) for genome in found for win in genome.win_conditions} == set(WINS)
    assert {genome.player_count for genome in found} == {2, 3, 4, 5, 6}
    assert {genome.setup.pots for genome in found} == {"single", "side"}
    assert {genome.turn_structure.order for genome in found} == {"turns", "rounds"}
    assert {isinstance(genome.turn_structure.phases[0], BettingPhase) for genome in found} == {True, False}
    assert len({msgspec.json.encode(genome) for genome in found}) == len(found)


def test_a_random_game_is_decided_by_its_chance() -> None:
    assert random_genome(Chance(5)) == random_genome(Chance(5)) != random_genome(Chance(6))
