"""The short evolution loop: its score, its selection, what it counts and keeps, and that one seed decides all of it."""

from collections import Counter
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.fast.compiled import NotInstalled
from pitboss.lab.evolution import evolve as evolving
from pitboss.lab.evolution.evolve import (
    CROSSOVER,
    ELITE,
    WORTH_COMPILING,
    Evolution,
    Parts,
    Survivor,
    evolve,
    kind,
    rate,
    read_archive,
    write_archive,
)
from pitboss.lab.files import load
from pitboss.lab.genome.known import known_games
from pitboss.lab.genome.parts import Genome
from pitboss.lab.genome.validity import problems
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.policies import simulate as play
from pitboss.lab.policies.simulate import Averaged, Simulated, simulate
from pitboss.lab.variation.edits import with_phases
from pitboss.lab.variation.mutations import OPERATORS


def scored(score: float) -> Parts:
    """A judgement that comes to this score."""
    return Parts(choices=1.0, share=1.0, length=score, ends=1.0)


def by_betting(genome: Genome) -> Parts:
    """A judge that likes betting, and nothing else."""
    return scored(len(genome.betting_phases) / 12)


def by_chance(genome: Genome) -> Parts:
    """A judge whose likes nobody understands, and that never changes its mind."""
    encoded = msgspec.json.encode(replace(genome, name="unnamed"))
    return scored(round(Chance(int.from_bytes(encoded[-400:], "big")).uniform(), 6))


def ran(generations: int = 6, population: int = 12, seed: int = 3) -> Evolution:
    """A run that plays no game."""
    return evolve(generations, population, 1, seed, judge=by_chance)


# --- the score


@cache
def some_play() -> Simulated:
    return simulate(load("kuhn"), games=2)


def played(*, turns: float, decisions: float, choices: float = 2.0, stopped: int = 0, games: int = 100) -> Simulated:
    """What came of games as long and as full of choices as this."""
    return replace(
        some_play(),
        games=games,
        stopped=stopped,
        turns=Averaged(turns, (turns, turns)),
        decisions=Averaged(decisions, (decisions, decisions)),
        choices=choices,
    )


def test_the_score_is_what_the_page_says() -> None:
    parts = rate(played(turns=400, decisions=40, choices=3.5, stopped=25))
    assert parts == Parts(choices=0.8, share=0.1, length=0.5, ends=0.75)
    assert parts.score == round((0.8 * 0.1) ** 0.5 * 0.5 * 0.75, 6)


def test_more_choices_score_higher() -> None:
    scores = [rate(played(turns=60, decisions=count)).score for count in (0, 5, 10, 30, 60)]
    assert scores == sorted(set(scores))
    assert scores[0] == 0


def test_a_decision_without_another_move_is_none() -> None:
    assert rate(played(turns=50, decisions=50, choices=1.0)).score == 0
    half, whole = (rate(played(turns=50, decisions=50, choices=choices)).share for choices in (1.5, 2.0))
    assert (half, whole) == (0.5, 1.0)
    assert rate(played(turns=50, decisions=50, choices=9.0)) == rate(played(turns=50, decisions=50, choices=2.0))


def test_endless_games_score_lower() -> None:
    scores = [rate(played(turns=turns, decisions=turns)).score for turns in (200, 400, 4000)]
    assert scores == sorted(scores, reverse=True)
    assert rate(played(turns=200, decisions=9)).length == 1


def test_games_that_are_stopped_score_lower() -> None:
    scores = [rate(played(turns=50, decisions=50, stopped=stopped)).score for stopped in (0, 50, 100)]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] == 0


def test_a_game_in_which_nobody_is_ever_asked_scores_nothing() -> None:
    assert rate(played(turns=0, decisions=0, choices=0.0)) == Parts(choices=0, share=0, length=1, ends=1)
    assert rate(simulate(replace(load("war"), max_turns=60), games=3)).score == 0


def test_betting_costs_a_game_nothing_on_average() -> None:
    """Random players fold often and end deals early; the score must not mind."""
    names = ("betting_war", "kuhn", "draw_poker", "crazy_eights", "hearts", "whist", "president", "scopa", "old_maid")
    plain = with_betting = 0.0
    for number, name in enumerate(names):
        for seed in range(3):
            child = OPERATORS["AddBettingPhase"](load(name), Chance(10 * number + seed))
            assert child is not None
            plain += rate(simulate(load(name), games=6, seed=seed)).score
            with_betting += rate(simulate(child, games=6, seed=seed)).score
    assert with_betting > plain


# --- one seed


def test_the_same_seed_gives_the_same_file() -> None:
    one, other = (write_archive(evolve(2, 6, 3, 11).archive) for _ in range(2))
    assert one == other
    assert one != write_archive(evolve(2, 6, 3, 12).archive)


def test_a_run_can_go_on_where_it_stood() -> None:
    whole, parts = ran(generations=5), Evolution(population=12, games=1, seed=3, judge=by_chance)
    for _ in range(5):
        parts.run(1)
    assert parts.members == whole.members
    assert write_archive(parts.archive) == write_archive(whole.archive)
    assert parts.operators == whole.operators


# --- the population


@pytest.mark.parametrize("population", [1, 2, 5, 40])
def test_a_population_keeps_its_size_and_stands_best_first(population: int) -> None:
    evolution = Evolution(population=population, games=1, seed=1, judge=by_chance)
    for generation in range(4):
        evolution.run(1 if generation else 0)
        scores = [member.score for member in evolution.members]
        assert len(scores) == population
        assert scores == sorted(scores, reverse=True)
        assert evolution.generation == generation


def test_the_first_games_are_the_known_ones_and_then_their_children() -> None:
    evolution = Evolution(population=50, games=1, seed=1, judge=by_chance)
    evolution.run(0)
    first = [member for member in evolution.members if len(member.history) == 1]
    assert {member.history for member in first} == {(name,) for name in known_games()}
    assert all(member.genome == load(member.history[0]) for member in first)
    assert {len(member.history) for member in evolution.members} >= {1, 2}
    few = Evolution(population=5, games=1, seed=1, judge=by_chance)
    few.run(0)
    assert len({member.history for member in few.members}) == 5


def test_the_elite_lives_on() -> None:
    evolution = Evolution(population=10, games=1, seed=2, judge=by_chance)
    evolution.run(0)
    for _ in range(8):
        best = evolution.members[:ELITE]
        evolution.run(1)
        assert set(best) <= set(evolution.members)


def test_selection_finds_what_the_judge_likes() -> None:
    evolution = evolve(25, 30, 1, 5, judge=by_betting)
    liked = [len(member.genome.betting_phases) for member in evolution.members]
    assert max(liked) >= 8
    assert sum(liked) / len(liked) > 4


def test_parents_are_the_best_of_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """The more of them compete, the more the next generation is what the judge likes."""

    def mean(competing: int) -> float:
        monkeypatch.setattr(evolving, "TOURNAMENT", competing)
        runs = [evolve(4, 30, 1, seed, judge=by_betting) for seed in range(4)]
        return sum(member.score for run in runs for member in run.members) / 120

    tournament = evolving.TOURNAMENT
    assert tournament > 1
    assert mean(tournament) > 1.2 * mean(1)


def test_no_game_lives_twice() -> None:
    evolution = Evolution(population=60, games=1, seed=1, seeds=[load("kuhn")], judge=by_chance)
    for generation in range(4):
        evolution.run(1 if generation else 0)
        assert len({replace(member.genome, name="same") for member in evolution.members}) == 60


def test_children_are_valid_and_have_names_of_their_own() -> None:
    evolution = ran(generations=10, population=20)
    names = [member.genome.name for member in evolution.members]
    assert len(set(names)) == len(names)
    assert all(problems(member.genome) == () for member in (*evolution.members, *evolution.archive))
    young = [member for member in evolution.members if len(member.history) > 1]
    assert all(member.genome.name.startswith(f"{member.history[0]}_") for member in young)


def test_a_long_name_stays_a_name() -> None:
    seed = replace(load("kuhn"), name=60 * "x")
    evolution = evolve(3, 5, 1, 1, seeds=[seed], judge=by_chance)
    assert all(problems(member.genome) == () for member in evolution.members)


def test_a_game_is_judged_once_whatever_it_is_called() -> None:
    seen: Counter[Genome] = Counter()

    def judge(genome: Genome) -> Parts:
        seen[replace(genome, name="same")] += 1
        return by_chance(genome)

    twin = replace(load("kuhn"), name="twin")
    evolution = evolve(10, 8, 1, 1, seeds=[load("kuhn"), twin], judge=judge)
    assert set(seen.values()) == {1}
    assert evolution.judged == len(seen)


def test_every_birth_is_told() -> None:
    calls: list[None] = []
    evolution = Evolution(population=7, games=1, seed=1, judge=by_chance)
    evolution.run(3, lambda: calls.append(None))
    assert len(calls) == evolution.births(3) == 7 + 3 * (7 - ELITE)


@pytest.mark.parametrize(("population", "games"), [(0, 1), (1, 0)])
def test_nobody_and_nothing_are_refused(population: int, games: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        Evolution(population=population, games=games, seed=0)


# --- operators


def test_operators_are_counted_and_told() -> None:
    births: list[Survivor] = []
    evolution = Evolution(population=30, games=1, seed=9, judge=by_chance)
    evolution.run(0)
    parents = set(evolution.members)
    for _ in range(30):
        evolution.run(1)
        births += [member for member in evolution.members if member not in parents]
        parents = set(evolution.members)
    assert set(evolution.operators) == {*OPERATORS, CROSSOVER}
    assert {name for birth in births for name in birth.history[1:]} == {*OPERATORS, CROSSOVER}
    assert evolution.operators.total() >= len(births)


def test_histories_say_every_operator_of_a_line() -> None:
    """From one parent that has no history, after one generation: all that was counted is named."""
    evolution = Evolution(population=2, games=1, seed=4, seeds=[load("kuhn"), load("war")], judge=by_chance)
    evolution.run(1)
    named = Counter(name for member in evolution.members for name in member.history[1:])
    assert named == evolution.operators


# --- the archive


def test_the_archive_keeps_the_best_of_each_kind_best_first() -> None:
    judged: dict[tuple[object, ...], float] = {}

    def judge(genome: Genome) -> Parts:
        parts = by_chance(genome)
        judged[kind(genome)] = max(judged.get(kind(genome), 0), parts.score)
        return parts

    evolution = evolve(3, 40, 1, 6, seeds=[load("kuhn")], judge=judge)
    assert len(judged) < evolution.judged / 1.5  # many are of a kind
    scores = [survivor.score for survivor in evolution.archive]
    assert scores == sorted(judged.values(), reverse=True)[:40]
    assert len({kind(survivor.genome) for survivor in evolution.archive}) == len(scores)
    assert all(survivor.score == judged[kind(survivor.genome)] for survivor in evolution.archive)


def test_a_kind_is_the_phases_their_order_and_the_first_aim() -> None:
    kuhn = load("kuhn")
    assert kind(kuhn) == kind(with_phases(replace(kuhn, name="x", max_turns=9), (BettingPhase(min_bet=2),)))
    assert kind(kuhn) != kind(with_phases(kuhn, 2 * kuhn.turn_structure.phases))
    assert kind(kuhn) != kind(load("simple_poker"))


def test_the_archive_reads_back() -> None:
    evolution = ran()
    text = write_archive(evolution.archive)
    assert read_archive(text) == evolution.archive
    assert text.endswith("]\n")
    assert list(msgspec.json.decode(text)[0]) == ["score", "parts", "history", "genome"]


# --- compiled play


@pytest.mark.parametrize(("games", "asked"), [(1, False), (WORTH_COMPILING, True)])
def test_play_is_compiled_where_it_pays(monkeypatch: pytest.MonkeyPatch, games: int, asked: bool) -> None:
    calls: list[None] = []
    outcome = some_play()
    monkeypatch.setattr(play, "compiled_run", lambda: calls.append(None))
    monkeypatch.setattr(play, "simulate", lambda *_, **__: outcome)
    evolve(1, 2, games, 0)
    assert bool(calls) is asked


def test_without_the_compiler_it_only_takes_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise NotInstalled("not here")

    outcome = some_play()
    monkeypatch.setattr(play, "simulate", lambda *_, **__: outcome)
    monkeypatch.setattr(play, "compiled_run", missing)
    assert len(evolve(1, 2, WORTH_COMPILING, 0).archive) == 2


def test_scores_come_from_random_play_with_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []
    outcome = some_play()

    def noted(genome: Genome, **how: object) -> Simulated:
        asked.append(how)
        return outcome

    monkeypatch.setattr(play, "simulate", noted)
    evolution = evolve(0, 3, 7, 21)
    assert asked == 3 * [{"games": 7, "players": ("random",), "seed": 21}]
    assert {member.parts for member in evolution.members} == {rate(outcome)}
