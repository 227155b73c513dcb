"""The rulebook: golden for every known game, changed by every field that matters, and readable by people."""

import re
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from msgspec import Struct
from msgspec.structs import replace

from pitboss.lab import genome as genome_module
from pitboss.lab.english import cards, chips, listed, number, points, ranks_of, some, times
from pitboss.lab.files import known_games, load
from pitboss.lab.game import LabGame
from pitboss.lab.genome import (
    CardEffect,
    CardPoints,
    Deck,
    Genome,
    LaySets,
    Phase,
    Setup,
    TrickPoints,
    TurnStructure,
    WinCondition,
    check,
)
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.rulebook import WIDTH, rulebook
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.first_to_score import FirstToScore
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.least_deadwood import LeastDeadwood
from pitboss.lab.wins.low_score import LowScore
from pitboss.lab.wins.most_tricks import MostTricks
from tests.lab.rulebooks.regenerate import FOLDER
from tests.support.for_each import for_each

NAMES = sorted(known_games())


# --- golden for every known game


@for_each("name", NAMES)
def test_a_known_games_rulebook_is_kept(name: str) -> None:
    golden = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    hint = f"if it reads better now: python -m tests.lab.rulebooks.regenerate {name}"
    assert rulebook(load(name)).splitlines() == golden.splitlines(), hint


def test_no_rulebook_is_left_over() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.md")) == NAMES


# --- readable by people


@for_each("name", NAMES)
def test_a_rulebook_reads_like_one(name: str) -> None:
    text = rulebook(load(name))
    lines = text.splitlines()
    assert lines[0].startswith("# ")
    assert lines[0][2:].lower().replace(" ", "_") == name
    assert max(map(len, lines)) <= WIDTH
    headings = [line[3:] for line in lines if line.startswith("## ")]
    assert headings[:3] == ["What you need", "The deal", "Play"]
    assert headings[-1] == "The game"
    assert ("Betting" in headings) == ("The pot" in headings) == bool(load(name).betting_phases)
    assert not re.search(r"genome|phase|[a-z]_[a-z]|None|True|False", text)
    assert not re.search(r"\b(1|one) (cards|chips|points|raises|rounds|deals|moves)\b|\ba [aei][a-z]", text)
    assert "  " not in re.sub(r"^ +", "", text, flags=re.MULTILINE)


@for_each("name", NAMES)
def test_no_line_becomes_a_list_by_accident(name: str) -> None:
    """A line that begins with a number and a dot is a step of the list, in order."""
    steps = re.findall(r"^(\d+)\. (.)", rulebook(load(name)), re.MULTILINE)
    assert [int(number) for number, _ in steps] == list(range(1, len(steps) + 1))
    assert {first for _, first in steps} <= {"*"}
    assert len(steps) in (0, len(load(name).turn_structure.phases))


@for_each("name", NAMES)
def test_all_of_betting_is_spelt_out(name: str) -> None:
    genome = load(name)
    text = rulebook(genome)
    words = ("**check**", "**bet**", "**call**", "**fold**")
    assert all(word in text for word in words) == bool(genome.betting_phases)
    assert ("**go all-in**" in text) == (bool(genome.betting_phases) and name not in ("kuhn", "leduc"))
    assert ("**raise**" in text) == any(bet.max_raises for bet in genome.betting_phases)
    for bet in genome.betting_phases:
        assert chips(bet.min_bet) in text
    if genome.setup.ante:
        assert f"an ante of {chips(genome.setup.ante)}" in " ".join(text.split())


# --- changed by every field that matters


@dataclass
class Case:
    """A game in which a field matters, and the same game with another value there."""

    kind: type[Struct]
    field: str
    one: Genome
    other: Genome


BASE = Genome(
    name="base",
    player_count=3,
    setup=Setup(cards_per_player=5, initial_discard_count=1),
    turn_structure=TurnStructure(phases=(DrawPhase(), PlayPhase(match=("suit",)))),
    win_conditions=(EmptyHand(),),
)
POKER = load("draw_poker")
TRICKS = load("whist")


def game(base: Genome, *phases: Phase, wins: WinCondition | None = None, **fields: Any) -> Genome:
    """A valid game with these phases and fields."""
    if phases:
        fields["turn_structure"] = replace(base.turn_structure, phases=phases)
    if wins:
        fields["win_conditions"] = (wins,)
    return check(replace(base, **fields))


def of_phase(
    base: Genome, one: Phase, after: tuple[Phase, ...] = (), wins: WinCondition | None = None, **change: Any
) -> Case:
    """A phase with one of its fields changed."""
    [field] = change
    first, second = game(base, one, *after, wins=wins), game(base, replace(one, **change), *after, wins=wins)
    return Case(type(one), field, first, second)


def of_setup(base: Genome, **change: Any) -> Case:
    [field] = change
    return Case(Setup, field, base, game(base, setup=replace(base.setup, **change)))


def of_genome(base: Genome, kind: type[Struct], field: str, **change: Any) -> Case:
    return Case(kind, field, base, game(base, **change))


def of_win(base: Genome, one: WinCondition, **change: Any) -> Case:
    [field] = change
    return Case(type(one), field, game(base, wins=one), game(base, wins=replace(one, **change)))


SCORED = game(TRICKS, wins=HighScore(), scoring=(CardPoints(),))
SETS = game(BASE, wins=HighScore(), effects=(LaySets(size=3, points=1),))
SKIPS = game(BASE, effects=(CardEffect(rank="8", effect="skip"),))
PLAY = PlayPhase(match=("rank",))
CAPTURE = PlayPhase(target="tableau", capture="rank")
EFFECTS: tuple[Literal["reverse", "draw_two", "again"], ...] = ("reverse", "draw_two", "again")
CASES = [
    of_genome(BASE, Genome, "name", name="other"),
    of_genome(BASE, Genome, "player_count", player_count=4),
    of_genome(BASE, Genome, "max_turns", max_turns=7),
    of_genome(BASE, Genome, "effects", effects=(LaySets(),)),
    of_genome(SETS, Genome, "scoring", scoring=(CardPoints(where="hand"),)),
    of_genome(BASE, Genome, "win_conditions", wins=HighCard()),
    Case(Genome, "win_conditions", BASE, replace(BASE, win_conditions=(HighCard(), EmptyHand()))),
    of_setup(BASE, cards_per_player=6),
    of_setup(BASE, initial_deck=Deck(ranks="789TJQKA")),
    of_setup(BASE, initial_deck=Deck(suits="chs")),
    of_setup(BASE, initial_deck=Deck(ranks="A23456789TJQK")),
    of_setup(BASE, initial_discard_count=2),
    of_setup(BASE, initial_discard_count=0),
    of_setup(BASE, initial_tableau_count=1),
    of_setup(TRICKS, trump_suit=None),
    of_setup(TRICKS, trump_suit="h"),
    of_setup(POKER, starting_chips=300),
    of_setup(POKER, ante=0),
    of_setup(POKER, ante=1),
    of_setup(POKER, pots="side"),
    of_setup(POKER, deals=2),
    of_setup(BASE, deals=2),
    *[
        Case(Deck, field, BASE, game(BASE, setup=replace(BASE.setup, initial_deck=Deck(**{field: letters}))))
        for field, letters in (("ranks", "TJQKA"), ("suits", "cdh"))
    ],
    Case(TurnStructure, "phases", BASE, game(BASE, PlayPhase(match=("suit",)), DrawPhase())),
    Case(TurnStructure, "order", BASE, replace(BASE, turn_structure=replace(BASE.turn_structure, order="rounds"))),
    Case(TurnStructure, "rounds", BASE, replace(BASE, turn_structure=replace(BASE.turn_structure, rounds=1))),
    Case(TurnStructure, "rounds", BASE, replace(BASE, turn_structure=replace(BASE.turn_structure, rounds=9))),
    *[of_phase(BASE, DrawPhase(), (PLAY,), source=source) for source in ("discard", "either", "opponent", "ask")],
    of_phase(BASE, DrawPhase(), (PLAY,), count=2),
    of_phase(BASE, DrawPhase(source="ask"), (PLAY,), count=2),
    of_phase(BASE, DrawPhase(), (PLAY,), optional=True),
    of_phase(BASE, DrawPhase(count=2), (PLAY,), optional=True),
    of_phase(BASE, DrawPhase(source="ask"), (PLAY,), optional=True),
    of_phase(BASE, DrawPhase(source="ask", count=2), (PLAY,), optional=True),
    of_phase(BASE, DrawPhase(), (PLAY,), only_if_stuck=True),
    of_phase(BASE, PLAY, target="tableau"),
    *[of_phase(BASE, PLAY, match=(match,)) for match in ("any", "suit", "higher", "higher_or_equal")],
    of_phase(BASE, PLAY, match=("rank", "suit")),
    of_phase(BASE, PLAY, wild="8"),
    of_phase(BASE, PLAY, most=2),
    of_phase(BASE, PLAY, optional=True),
    of_phase(BASE, PLAY, clear_after_passes=True),
    of_phase(BASE, replace(PLAY, optional=True), clear_after_passes=True),
    of_phase(BASE, CAPTURE, capture="none"),
    of_phase(BASE, CAPTURE, capture="sum"),
    of_phase(BASE, DiscardPhase(), count=2),
    of_phase(BASE, DiscardPhase(), optional=True),
    of_phase(BASE, DiscardPhase(), (PLAY,), replace=True),
    of_phase(TRICKS, TrickPhase(), follow=False),
    of_phase(TRICKS, TrickPhase(), blind=True),
    of_phase(TRICKS, TrickPhase(), to="hand"),
    of_phase(TRICKS, TrickPhase(blind=True), to="hand"),
    of_phase(TRICKS, TrickPhase(blind=True), ties="stay"),
    of_phase(BASE, ClaimPhase(), most=3),
    of_phase(POKER, CommunityPhase(), (BettingPhase(),), count=2),
    of_phase(POKER, BettingPhase(), min_bet=7),
    of_phase(POKER, BettingPhase(), max_raises=1),
    of_phase(POKER, BettingPhase(), max_raises=0),
    of_phase(POKER, BettingPhase(), (BettingPhase(),), min_bet=7),
    *[
        Case(CardEffect, "effect", SKIPS, game(BASE, effects=(CardEffect(rank="8", effect=effect),)))
        for effect in EFFECTS
    ],
    Case(CardEffect, "rank", SKIPS, game(BASE, effects=(CardEffect(rank="9", effect="skip"),))),
    Case(LaySets, "size", SETS, game(SETS, effects=(LaySets(size=4, points=1),))),
    Case(LaySets, "points", SETS, game(SETS, effects=(LaySets(size=3, points=-2),))),
    *[
        Case(CardPoints, "cards", SCORED, game(SCORED, scoring=(CardPoints(cards=which),)))
        for which in ("Qs", "*h", "J*")
    ],
    Case(CardPoints, "points", SCORED, game(SCORED, scoring=(CardPoints(points=-1),))),
    Case(CardPoints, "where", SCORED, game(SCORED, scoring=(CardPoints(where="hand"),))),
    Case(TrickPoints, "points", game(SCORED, scoring=(TrickPoints(),)), game(SCORED, scoring=(TrickPoints(points=2),))),
    of_win(POKER, BestHand(), ranking="points"),
    of_win(POKER, BestHand(ranking="points"), bust=21),
    of_win(BASE, BestHand(ranking="points", bust=21), bust=31),
    Case(FirstToScore, "target", game(SETS, wins=FirstToScore(target=5)), game(SETS, wins=FirstToScore(target=6))),
    of_win(BASE, LeastDeadwood(), knock=10),
]


def said(case: Case) -> str:
    return f"{case.kind.__name__}.{case.field}"


@for_each("case", CASES, ids=said)
def test_a_field_that_matters_changes_the_text(case: Case) -> None:
    assert case.one != case.other
    assert rulebook(case.one) != rulebook(case.other)


def test_every_field_of_a_genome_is_tried() -> None:
    kinds = [kind for kind in vars(genome_module).values() if isinstance(kind, type) and issubclass(kind, Struct)]
    written = [kind for kind in kinds if kind.__module__ == genome_module.__name__ and kind is not genome_module.Traits]
    fields = {f"{kind.__name__}.{field}" for kind in written for field in kind.__struct_fields__}
    parts = {"Genome.setup", "Genome.turn_structure"}  # what they are made of is tried
    assert fields - {said(case) for case in CASES} == parts


@for_each("win", [BestHand(), HighCard(), LowScore(), MostTricks(), EmptyHand(), LeastDeadwood()])
def test_every_win_condition_reads_differently(win: WinCondition) -> None:
    others = [
        other
        for other in (BestHand(), HighCard(), LowScore(), MostTricks(), EmptyHand(), LeastDeadwood())
        if other != win
    ]
    text = rulebook(replace(SCORED, win_conditions=(win,)))
    assert all(text != rulebook(replace(SCORED, win_conditions=(other,))) for other in others)


# --- what follows from several fields together


def rules_of(genome: Genome) -> str:
    """The rulebook with every line break a space."""
    return " ".join(rulebook(genome).split())


def test_patterns_that_cannot_be_are_not_spoken_of() -> None:
    assert "A pair (two of one rank) beats a hand without one." in rules_of(load("leduc"))
    three = rules_of(load("three_card_poker"))
    assert "three of a kind" in three
    assert not re.search("straight|flush|full house|two pairs|four of", three)
    five = rules_of(load("simple_poker"))
    assert all(
        name in five for name in ("straight flush", "four of a kind", "full house", "an ace can also come below a two")
    )
    assert "best five" not in five
    twos_high = replace(POKER.setup, initial_deck=Deck(ranks="3456789TJQKA2"))
    assert "can also come below" not in rules_of(replace(POKER, setup=twos_high))
    assert "Only the best five of your cards and those in the middle count." in rules_of(load("community_poker"))


def test_straights_name_an_unusual_order_of_ranks() -> None:
    poker = load("simple_poker")
    assert "a straight (five in a row)" in rules_of(poker)
    ace_low = replace(poker.setup, initial_deck=Deck(ranks="A23456789TJQK"))
    text = rules_of(replace(poker, setup=ace_low))
    assert "a straight (five that follow each other in the order of ranks above)" in text
    assert "- The ranks, from lowest to highest: ace, two to ten, jack, queen, king. -" in text


def test_missing_cards_are_spoken_of_only_where_hands_can_differ() -> None:
    missing = "If one hand runs out of cards to compare, the other is better."
    poker = load("draw_poker")
    assert missing not in rules_of(poker)
    for phase in (DrawPhase(), DiscardPhase(), DiscardPhase(count=2, optional=True, replace=True)):
        assert missing not in rules_of(game(poker, phase, *poker.turn_structure.phases))
    for uneven in (DrawPhase(optional=True), DrawPhase(count=30), DiscardPhase(optional=True), PLAY):
        assert missing in rules_of(game(poker, uneven, *poker.turn_structure.phases))


def test_blind_cards_are_not_looked_at() -> None:
    assert "Do not look at them" in rules_of(load("betting_war"))
    assert "Do not look" not in rules_of(load("hearts"))


def test_the_deck_is_renewed_only_if_there_are_discards() -> None:
    assert "shuffle the discards without their top card" in rules_of(load("crazy_eights"))
    assert "When the deck is empty, no more cards are taken from it." in rules_of(load("go_fish"))


def test_effects_on_turns_are_only_in_rulebooks_with_turns() -> None:
    rounds = replace(SKIPS, turn_structure=replace(SKIPS.turn_structure, order="rounds"))
    assert "misses a turn" in rules_of(SKIPS)
    assert "Special cards" not in rules_of(rounds)


def test_a_second_win_condition_is_explained_if_it_can_end_the_deal() -> None:
    text = rules_of(replace(BASE, win_conditions=(HighCard(), EmptyHand())))
    assert "The player who holds the highest card wins the deal." in text
    assert (
        "But if the deal is over because a player has no cards left, the player with the fewest cards in hand wins it."
        in text
    )


@pytest.mark.parametrize(
    ("table", "taken"),
    [
        ("4c Ac 2c 5c", {"4c", "2c"}),
        ("Kc 3c 3d 3h", {"3c", "3d"}),
        ("5c 2c Ac 4d", {"5c", "Ac"}),
        ("3c 6c 3d 6d", {"6c"}),
    ],
)
def test_capture_follows_the_rulebook(table: str, taken: set[str]) -> None:
    """By rank the leftmost; else of several pairs the one with the leftmost card, and with its leftmost partner."""
    text = rules_of(load("scopa"))
    assert "if there are several, the leftmost of them: put both in front of you." in text
    assert "take the one whose left card is leftmost and, among those, whose right card is leftmost." in text
    game = LabGame.dealt(load("scopa"), deck=["6s", "Kd", "7s", "Kh", "7h", "Ks", *table.split()])
    assert set(game.after("play 6s").captured[0]) == taken | {"6s"}


def test_laid_sets_count_as_won_if_cards_do() -> None:
    sets = (LaySets(size=2),)
    assert "They are out of play and count as won." in rules_of(replace(load("war"), effects=sets))
    assert "count as won" not in rules_of(replace(load("rummy"), effects=sets))


def test_rules_that_score_the_same_card_are_one_line() -> None:
    twice = (CardPoints(cards="*h"), CardPoints(cards="*h", points=2), CardPoints(cards="Qs"), TrickPoints())
    text = rules_of(replace(load("hearts"), scoring=(*twice, TrickPoints(points=-1))))
    assert "- Each heart in front of you: 3 points. - The queen of spades in front of you: 1 point. ##" in text
    assert "counts in each of them" not in text


def test_rulebook_mentions_points_over_all_deals() -> None:
    hearts = load("hearts")
    assert "of all deals" not in rules_of(hearts)
    assert "The points of all deals so far count." in rules_of(replace(hearts, setup=replace(hearts.setup, deals=2)))


@pytest.mark.parametrize(
    ("name", "short"),
    [
        (
            "mau_mau",
            "**A turn in short:** draw a card if you cannot play, then play a card that fits on the discards. ",
        ),
        (
            "betting_war",
            "**A round in short:** bet, then turn up a card each for a trick. This goes on until ten rounds ",
        ),
        ("draw_poker", "exchange up to three cards, or none, then bet. After one round the deal is decided."),
    ],
)
def test_a_rulebook_begins_with_a_turn_in_short(name: str, short: str) -> None:
    assert short in rules_of(load(name)).partition("## What you need")[0]


# --- words


def test_numbers_and_things_in_words() -> None:
    assert [number(n) for n in (0, 1, 12, 13, 1500)] == ["no", "one", "twelve", "13", "1,500"]
    assert [some(1, "six"), some(2, "six"), some(2, "card")] == ["one six", "two sixes", "two cards"]
    assert [chips(1), chips(1000)] == ["1 chip", "1,000 chips"]
    assert [points(1), points(-1), points(-4)] == ["1 point", "−1 point", "−4 points"]
    assert [times(1), times(2), times(3)] == ["once", "twice", "three times"]
    assert [listed([]), listed(["a"]), listed(["a", "b"], "or")] == ["", "a", "a or b"]
    assert cards("6*") == "each six"


def test_ranks_in_words() -> None:
    assert ranks_of(Deck()) == "two to ten, jack, queen, king, ace"
    assert ranks_of(Deck(ranks="3456789TJQKA2")) == "three to ten, jack, queen, king, ace, two"
    assert ranks_of(Deck(ranks="23")) == "two, three"
    assert ranks_of(Deck(ranks="QJ")) == "queen, jack"
