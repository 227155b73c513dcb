"""Repair: whatever has the shape of a genome becomes a game that can be played, and no more changes than must."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from pitboss.lab.files import known_games, load
from pitboss.lab.genome import (
    MOST_CHIPS,
    MOST_PHASES,
    MOST_TURNS,
    MOST_WINS,
    CardEffect,
    CardPoints,
    Deck,
    Genome,
    GenomeError,
    LaySets,
    Setup,
    TrickPoints,
    TurnStructure,
    problems,
)
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.variation import repair as repair_module
from pitboss.lab.variation.edits import with_phases, with_setup, with_structure
from pitboss.lab.variation.repair import repair
from pitboss.lab.wins.capture_all import CaptureAll
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.first_to_score import FirstToScore
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.least_deadwood import LeastDeadwood
from pitboss.lab.wins.most_tricks import MostTricks
from tests.support.for_each import for_each
from tests.support.lab.any_genome import any_genome

Change = Callable[[Genome], Genome]


def changes(before: Genome, after: Genome) -> set[str]:
    """The fields of setup, turn structure and genome that are not the same."""

    def flat(genome: Genome) -> dict[str, Any]:
        written: dict[str, Any] = msgspec.to_builtins(genome)
        return {**written.pop("setup"), **written.pop("turn_structure"), **written}

    one, other = flat(before), flat(after)
    return {field for field in one if one[field] != other[field]}


# --- what must hold for everything


@for_each("name", known_games())
def test_a_valid_genome_is_returned_as_it_is(name: str) -> None:
    genome = load(name)
    assert repair(genome) is genome


@settings(max_examples=300)
@given(any_genome)
def test_whatever_has_the_shape_of_a_genome_becomes_valid(genome: Genome) -> None:
    mended = repair(genome)
    assert problems(mended) == ()
    assert repair(mended) is mended
    assert repair(genome) == mended
    assert all(0 < phase.min_bet <= mended.setup.starting_chips for phase in mended.betting_phases)


# --- the least change


BROKEN: dict[str, tuple[str, Change, set[str]]] = {
    "an ante above the chips": ("kuhn", lambda g: with_setup(g, ante=9), {"ante"}),
    "a negative ante": ("kuhn", lambda g: with_setup(g, ante=-1), {"ante"}),
    "a bet above the chips": ("kuhn", lambda g: with_phases(g, (BettingPhase(min_bet=3),)), {"phases"}),
    "a bet of nothing": ("kuhn", lambda g: with_phases(g, (BettingPhase(min_bet=0),)), {"phases"}),
    "raises below 0": ("kuhn", lambda g: with_phases(g, (BettingPhase(min_bet=1, max_raises=-1),)), {"phases"}),
    "betting without chips": ("kuhn", lambda g: with_setup(g, starting_chips=0, ante=0), {"starting_chips"}),
    "chips without betting": ("war", lambda g: with_setup(g, starting_chips=100), {"starting_chips"}),
    "an ante without betting": ("war", lambda g: with_setup(g, ante=1), {"ante"}),
    "chips and ante without betting": (
        "war",
        lambda g: with_setup(g, starting_chips=9, ante=2),
        {"starting_chips", "ante"},
    ),
    "too many chips": ("kuhn", lambda g: with_setup(g, starting_chips=10**10), {"starting_chips"}),
    "one player": ("war", lambda g: replace(g, player_count=1), {"player_count"}),
    "a trump that the deck has not": (
        "whist",
        lambda g: with_setup(g, initial_deck=Deck(suits="cdh"), trump_suit="s", cards_per_player=9),
        {"trump_suit"},
    ),
    "a rank twice": ("kuhn", lambda g: with_setup(g, initial_deck=Deck(ranks="JQKJ", suits="s")), {"initial_deck"}),
    "no suits": ("leduc", lambda g: with_setup(g, initial_deck=Deck(ranks="JQK", suits="")), {"initial_deck"}),
    "too many cards dealt": ("kuhn", lambda g: with_setup(g, cards_per_player=2), {"cards_per_player"}),
    "too many community cards": (
        "leduc",
        lambda g: with_phases(g, (*g.turn_structure.phases[:1], CommunityPhase(count=9))),
        {"phases"},
    ),
    "no deals": ("kuhn", lambda g: with_setup(g, deals=0), {"deals"}),
    "no rounds, and less": ("kuhn", lambda g: with_structure(g, rounds=-1), {"rounds"}),
    "no turns": ("kuhn", lambda g: replace(g, max_turns=0), {"max_turns"}),
    "no phases": ("kuhn", lambda g: with_phases(g, ()), {"phases"}),
    "too many phases": ("kuhn", lambda g: with_phases(g, 13 * g.turn_structure.phases), {"phases"}),
    "no win condition": ("kuhn", lambda g: replace(g, win_conditions=()), {"win_conditions"}),
    "too many win conditions": ("kuhn", lambda g: replace(g, win_conditions=5 * (HighCard(),)), {"win_conditions"}),
    "stuck where nothing is played": (
        "kuhn",
        lambda g: with_phases(g, (*g.turn_structure.phases, DrawPhase(only_if_stuck=True))),
        {"phases"},
    ),
    "captures from the discards": ("scopa", lambda g: with_phases(g, (PlayPhase(capture="rank"),)), {"phases"}),
    "nothing that fits": ("president", lambda g: with_phases(g, (PlayPhase(match=()),)), {"phases"}),
    "a wild rank that is none": ("crazy_eights", lambda g: with_phases(g, (PlayPhase(wild="1"),)), {"phases"}),
    "an effect of a rank that is none": (
        "crazy_eights",
        lambda g: replace(g, effects=(*g.effects, CardEffect(rank="1", effect="skip"))),
        {"effects"},
    ),
    "two bad effects alike": (
        "crazy_eights",
        lambda g: replace(g, effects=2 * (CardEffect(rank="1", effect="skip"),)),
        {"effects"},
    ),
    "a set too large": ("rummy", lambda g: replace(g, effects=(LaySets(size=5),)), {"effects"}),
    "points for no cards": (
        "hearts",
        lambda g: replace(g, scoring=(*g.scoring, CardPoints(cards="1h"))),
        {"scoring"},
    ),
    "points without a rule": ("war", lambda g: replace(g, win_conditions=(HighScore(),)), {"scoring"}),
    "points that only go down": (
        "whist",
        lambda g: replace(g, scoring=(TrickPoints(points=-1),), win_conditions=(FirstToScore(),)),
        {"win_conditions"},
    ),
    "tricks that nobody plays": ("president", lambda g: replace(g, win_conditions=(MostTricks(),)), {"win_conditions"}),
    "tricks, and more than one aim": (
        "president",
        lambda g: replace(g, win_conditions=(MostTricks(), EmptyHand())),
        {"win_conditions"},
    ),
    "a knock that all can": (
        "gin",
        lambda g: replace(g, win_conditions=(LeastDeadwood(knock=999),)),
        {"win_conditions"},
    ),
    "nobody holds a card": ("kuhn", lambda g: with_setup(g, cards_per_player=0), {"cards_per_player"}),
    "out before the start": (
        "war",
        lambda g: replace(
            with_phases(with_setup(g, cards_per_player=0), (DrawPhase(), TrickPhase())), win_conditions=(CaptureAll(),)
        ),
        {"cards_per_player"},
    ),
    "a name of two lines": ("kuhn", lambda g: replace(g, name="a\nb"), {"name"}),
}


@for_each("what", BROKEN)
def test_repair_changes_only_invalid_fields(what: str) -> None:
    name, change, fields = BROKEN[what]
    broken = change(load(name))
    assert problems(broken)
    mended = repair(broken)
    assert problems(mended) == ()
    assert changes(broken, mended) == fields


def test_numbers_are_moved_to_the_nearest_valid_value() -> None:
    kuhn = load("kuhn")
    assert repair(with_setup(kuhn, ante=9)).setup.ante == 2
    assert repair(with_phases(kuhn, (BettingPhase(min_bet=9),))).betting_phases[0].min_bet == 2
    assert repair(with_phases(kuhn, (BettingPhase(min_bet=-9),))).betting_phases[0].min_bet == 1
    assert repair(with_setup(kuhn, starting_chips=10**10)).setup.starting_chips == MOST_CHIPS
    assert repair(replace(kuhn, max_turns=10**9)).max_turns == MOST_TURNS
    assert repair(replace(kuhn, player_count=9)).player_count == 3  # six would be nearer, but there are three cards
    assert len(repair(with_phases(kuhn, 20 * kuhn.turn_structure.phases)).turn_structure.phases) == MOST_PHASES
    assert len(repair(replace(kuhn, win_conditions=9 * (HighCard(),))).win_conditions) == MOST_WINS


def test_forgotten_chips_are_enough_for_every_bet_and_the_ante() -> None:
    leduc = load("leduc")
    assert repair(with_setup(leduc, starting_chips=0)).setup.starting_chips == 80  # twenty of the greater bet
    assert repair(with_setup(leduc, starting_chips=0, ante=500)).setup.starting_chips == 500


def test_a_part_that_another_needs_is_put_in_where_it_can_count() -> None:
    hand, tricks = load("crazy_eights"), load("war")
    assert repair(replace(hand, win_conditions=(HighScore(),))).scoring == (CardPoints(where="hand"),)
    assert repair(replace(tricks, win_conditions=(HighScore(),))).scoring == (TrickPoints(),)


def test_unreachable_aim_is_removed_if_there_is_another() -> None:
    president = load("president")
    assert repair(replace(president, win_conditions=(MostTricks(), EmptyHand()))).win_conditions == (EmptyHand(),)
    assert repair(replace(president, win_conditions=(MostTricks(),))).win_conditions == (HighCard(),)


def test_repairs_prefer_fewer_cards_then_fewer_players_then_another_deck() -> None:
    def dealt(players: int, cards: int, discards: int, ranks: str, suits: str) -> tuple[int, int, int, Deck]:
        setup = Setup(
            cards_per_player=cards, initial_discard_count=discards, initial_deck=Deck(ranks=ranks, suits=suits)
        )
        structure = TurnStructure(phases=(PlayPhase(),))
        mended = repair(
            Genome(player_count=players, setup=setup, turn_structure=structure, win_conditions=(HighCard(),))
        )
        return mended.player_count, mended.setup.cards_per_player, mended.setup.initial_discard_count, mended.setup.deck

    eight, two, one = Deck(ranks="JQKA", suits="sh"), Deck(ranks="KA", suits="s"), Deck(ranks="A", suits="s")
    assert dealt(4, 5, 3, "JQKA", "sh") == (4, 1, 3, eight)
    assert dealt(4, 5, 6, "JQKA", "sh") == (4, 2, 0, eight)
    assert dealt(4, 5, 0, "KA", "s") == (2, 1, 0, two)
    assert dealt(4, 5, 0, one.ranks, one.suits) == (4, 5, 0, Deck())


def test_an_unrepairable_problem_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair_module, "problems", lambda genome: ("mood: the game is dull",))
    with pytest.raises(GenomeError, match=r"cannot be repaired: mood: the game is dull"):
        repair(load("war"))


def test_repair_terminates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each mend brings another problem."""
    count = iter(range(10**6))
    monkeypatch.setattr(repair_module, "problems", lambda genome: (f"max_turns: number {next(count)}",))
    with pytest.raises(GenomeError, match="cannot be repaired: max_turns"):
        repair(load("war"))
