"""What `pitboss lab play` prints: events in their order, every chip of a pot, every skipped step, every prompt."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from pitboss.cards import UNKNOWN
from pitboss.chance import Chance
from pitboss.lab.events import (
    CardsMoved,
    CardsShown,
    ChipsPut,
    DealBegun,
    DealEnded,
    DealJudged,
    HandShown,
    LabEvent,
    MoveMade,
    PhaseBegun,
    Remark,
    StepSkipped,
    TurnAgain,
    TurnMissed,
)
from pitboss.lab.files import known_games, load
from pitboss.lab.game import LabGame, view_event
from pitboss.lab.genome import Genome
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.text import GameText
from pitboss.lab.wins.first_to_score import FirstToScore
from tests.support.for_each import for_each
from tests.support.lab.genomes import some_genome

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
PAID = re.compile(r"(?:the (?:main |side )?pot(?: \d)? of|gets?) (\d+)")
RANDOM = [f"random {number}" for number in range(12)]
RACE = ", as a race to a point"
MOST_MOVES = 150


class Moment(Struct):
    """The result of a move, as seat 0 learns it, with the lines about it and the state before the next move."""

    items: list[LabEvent | Remark]
    lines: list[str]
    after: LabGame


@cache
def genome_of(name: str) -> Genome:
    genome = some_genome(11, int(name.split()[1])) if name.startswith("random ") else load(name.removesuffix(RACE))
    if name.endswith(RACE):
        genome = replace(genome, win_conditions=(FirstToScore(target=1),))
    return replace(genome, setup=replace(genome.setup, deals=min(genome.setup.deals, 3)))


@cache
def moments_of(name: str) -> list[Moment]:
    """A random game, to its end or to a limit; games that run long without decisions are left out."""
    genome, chance, moments = genome_of(name), Chance(5), list[Moment]()
    formatter = GameText(genome, 0, ["random"] * genome.player_count, 1000)
    step = LabGame.start_with_remarks(genome, 5)
    while True:
        game, events, remarks = step
        seen = [view_event(event, 0) for event in events]
        items: list[LabEvent | Remark] = []
        for at, event in enumerate(seen):
            items += [remark for place, remark in remarks if place == at]
            items.append(event)
        items += [remark for place, remark in remarks if place == len(events)]
        lines = [line.strip() for line in formatter.happened(seen, remarks)]
        moments.append(Moment(items, lines, game))
        if game.over or len(moments) > MOST_MOVES:
            return moments
        step = game.act_with_remarks(chance.choice(game.moves))


def whole(moment: Moment) -> bool:
    return not any("lines without a decision" in line for line in moment.lines)


def cards_of(item: LabEvent | Remark) -> set[str]:
    match item:
        case CardsMoved(cards=cards) | CardsShown(cards=cards) | HandShown(cards=cards):
            return set(cards)
        case MoveMade(move=move):
            return set(CARD.findall(move))
        case DealJudged(community=cards):
            return set(cards)
        case _:
            return set()


@for_each("name", [*sorted(known_games()), *RANDOM])
def test_every_line_follows_from_events_in_their_order(name: str) -> None:
    for moment in filter(whole, moments_of(name)):
        at = 0
        for line in moment.lines:
            missing = set(CARD.findall(line))
            while missing:
                assert at < len(moment.items), (line, moment.lines)
                missing -= cards_of(moment.items[at])
                at += bool(missing)


@for_each("name", [*sorted(known_games()), *RANDOM])
def test_no_card_that_is_seen_to_move_is_passed_over(name: str) -> None:
    for moment in filter(whole, moments_of(name)):
        named, dealing = set(CARD.findall(" ".join(moment.lines))), False
        for item in moment.items:
            if isinstance(item, DealBegun | PhaseBegun | MoveMade):
                dealing = isinstance(item, DealBegun)
            if isinstance(item, CardsMoved) and not dealing and item.source.name != "pile":
                assert set(item.cards) - {UNKNOWN} <= named, (item, moment.lines)


@for_each("name", [name for name in (*known_games(), *RANDOM) if genome_of(name).betting_phases])
def test_narrated_payouts_add_up_to_the_payments(name: str) -> None:
    put, paid, deals = 0, 0, 0
    for moment in moments_of(name):
        assert whole(moment)
        paid += sum([int(amount) for line in moment.lines for amount in PAID.findall(line)])
        put += sum([item.amount for item in moment.items if isinstance(item, ChipsPut)])
        deals += sum(isinstance(item, DealEnded) for item in moment.items)
        assert paid == put - (0 if moment.after.over else moment.after.pot)
    assert deals


@for_each("name", [*sorted(known_games()), *RANDOM, f"scopa{RACE}"])
def test_every_end_of_a_deal_gives_its_reason(name: str) -> None:
    for moment in filter(whole, moments_of(name)):
        ends = sum(isinstance(item, DealEnded) for item in moment.items)
        assert len([line for line in moment.lines if re.fullmatch(r"the deal is over: \w.*", line)]) == ends


@for_each("name", [*sorted(known_games()), *RANDOM])
def test_every_prompt_names_its_step(name: str) -> None:
    genome = genome_of(name)
    steps = len(genome.turn_structure.phases)
    for moment in moments_of(name):
        game = moment.after
        if game.player is None:
            continue
        formatter = GameText(genome, game.player, ["random"] * genome.player_count, 1000)
        prompt = formatter.table(game.view(game.player))[-1]
        assert prompt.startswith(f"Step {game.state.phase + 1} of {steps}: ") == (steps > 1)
        assert re.search(r"\b(draw|ask|play|discard|exchange|lead|add|put|believe|bet)\b", prompt.lower()), prompt


def passed(moments: list[Moment]) -> Iterator[list[tuple[int, int | None]]]:
    """The steps of each deal that were gone through or told to be skipped, in their order, with whose they were."""
    steps = list[tuple[int, int | None]]()
    for moment in moments:
        for item in moment.items:
            match item:
                case DealBegun():
                    steps = []
                case PhaseBegun(phase=phase, place=place) | StepSkipped(phase=phase, place=place):
                    steps.append((phase, place))
                case TurnMissed(place=place):
                    steps += [(phase, place) for phase in range(len(moment.after.genome.turn_structure.phases))]
                case TurnAgain():
                    steps = []  # the player begins the turn again
                case DealEnded():
                    yield steps
    yield steps


@for_each("name", ["crazy_eights", "mau_mau", "president", "gin", "rummy", "old_maid", "go_fish", "cheat"])
def test_no_step_of_a_turn_is_silent(name: str) -> None:
    genome, checked = genome_of(name), 0
    phases, n = genome.turn_structure.phases, genome.player_count
    assert genome.turn_structure.order == "turns"
    assert not any(phase.everybodys for phase in phases)
    for steps in passed(moments_of(name)):
        for (phase, place), (next_phase, next_place) in pairwise(steps):
            assert place is not None
            between = range(phase + 1, next_phase) if place == next_place else [*range(phase + 1, len(phases))]
            if place != next_place:
                between = [*between, *range(next_phase)]
                assert next_place in ((place + 1) % n, (place - 1) % n)
            silent = [phases[at] for at in between]
            assert all(isinstance(each, DrawPhase) and each.only_if_stuck for each in silent)
            checked += 1
    assert checked > 10
