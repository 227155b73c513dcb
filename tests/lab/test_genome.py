"""What makes a genome unplayable is said in one sentence that names the field; what passes can be played and ends."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from pitboss.lab.files import known_games, load, write_genome
from pitboss.lab.game import LabGame
from pitboss.lab.genome import (
    CardEffect,
    CardPoints,
    Deck,
    Genome,
    GenomeError,
    LaySets,
    Phase,
    Setup,
    TrickPoints,
    TurnStructure,
    WinCondition,
    check,
    problems,
    warnings,
)
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.capture_all import CaptureAll
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.first_to_score import FirstToScore
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.least_deadwood import LeastDeadwood
from pitboss.lab.wins.low_score import LowScore
from pitboss.lab.wins.most_tricks import MostTricks
from tests.support.for_each import for_each

PLAIN = Genome(
    name="plain",
    setup=Setup(cards_per_player=3),
    turn_structure=TurnStructure(phases=(PlayPhase(),)),
    win_conditions=(EmptyHand(),),
)
BETS = load("simple_poker")


def changed(genome: Genome, **fields: Any) -> Genome:
    """The genome with these fields; those of the setup are found by themselves."""
    inner = {name: fields.pop(name) for name in tuple(fields) if name in Setup.__struct_fields__}
    return replace(genome, setup=replace(genome.setup, **inner), **fields)


def plain(
    phases: Phase | tuple[Phase, ...] = (), wins: WinCondition | tuple[WinCondition, ...] = (), **fields: Any
) -> Genome:
    """The plain game with other phases and win conditions."""
    if phases:
        fields["turn_structure"] = TurnStructure(phases=phases if isinstance(phases, tuple) else (phases,))
    if wins:
        fields["win_conditions"] = wins if isinstance(wins, tuple) else (wins,)
    return changed(PLAIN, **fields)


def bets(*phases: Phase, **fields: Any) -> Genome:
    """Poker with these phases."""
    if phases:
        fields["turn_structure"] = replace(BETS.turn_structure, phases=phases)
    return changed(BETS, **fields)


JQK = Deck(ranks="JQK", suits="s")
UNPLAYABLE: list[tuple[Genome, str]] = [
    # numbers
    (plain(name=""), "name: expected 1 to 60 printable characters, got ''"),
    (plain(name="a\nb"), "name: expected 1 to 60 printable characters, got 'a\\nb'"),
    (plain(player_count=1), "player_count: expected 2 to 6, got 1"),
    (plain(player_count=7), "player_count: expected 2 to 6, got 7"),
    (plain(max_turns=0), "max_turns: expected 1 to 100,000, got 0"),
    (plain(max_turns=100_001), "max_turns: expected 1 to 100,000, got 100001"),
    (plain(deals=0), "setup.deals: expected 1 to 100, got 0"),
    (plain(deals=101), "setup.deals: expected 1 to 100, got 101"),
    (plain(cards_per_player=-1), "setup.cards_per_player: expected 0 to 52, got -1"),
    (plain(initial_discard_count=-1), "setup.initial_discard_count: expected 0 to 52, got -1"),
    (plain(initial_tableau_count=-1), "setup.initial_tableau_count: expected 0 to 52, got -1"),
    (bets(starting_chips=-5), "setup.starting_chips: expected 0 to 1,000,000,000, got -5"),
    (bets(starting_chips=10**9 + 1), "setup.starting_chips: expected 0 to 1,000,000,000, got 1000000001"),
    (bets(ante=-1), "setup.ante: expected 0 to 1,000,000,000, got -1"),
    (
        changed(PLAIN, turn_structure=replace(PLAIN.turn_structure, rounds=-1)),
        "turn_structure.rounds: expected 0 to 100,000, got -1",
    ),
    (bets(BettingPhase(min_bet=0)), "turn_structure.phases[0].min_bet: expected 1 to 1,000,000,000, got 0"),
    (
        bets(BettingPhase(), BettingPhase(min_bet=-10)),
        "turn_structure.phases[1].min_bet: expected 1 to 1,000,000,000, got -10",
    ),
    (bets(BettingPhase(max_raises=-1)), "turn_structure.phases[0].max_raises: expected 0 to 1,000, got -1"),
    (plain(PlayPhase(most=0)), "turn_structure.phases[0].most: expected 1 to 4, got 0"),
    (plain(PlayPhase(most=5)), "turn_structure.phases[0].most: expected 1 to 4, got 5"),
    (plain(ClaimPhase(most=5)), "turn_structure.phases[0].most: expected 1 to 4, got 5"),
    (plain((PlayPhase(), DrawPhase(count=0))), "turn_structure.phases[1].count: expected 1 to 52, got 0"),
    (plain((PlayPhase(), DiscardPhase(count=-1))), "turn_structure.phases[1].count: expected 1 to 52, got -1"),
    (plain((PlayPhase(), CommunityPhase(count=53))), "turn_structure.phases[1].count: expected 1 to 52, got 53"),
    (plain(scoring=(TrickPoints(points=10**7),)), "scoring[0].points: expected -1,000,000 to 1,000,000, got 10000000"),
    (plain(wins=BestHand(ranking="points", bust=-1)), "win_conditions[0].bust: expected 0 to 1,000,000, got -1"),
    (plain(wins=FirstToScore(target=0)), "win_conditions[0].target: expected 1 to 1,000,000, got 0"),
    (plain(wins=LeastDeadwood(knock=-1)), "win_conditions[0].knock: expected 0 to 1,000,000, got -1"),
    # letters
    (plain(initial_deck=Deck(ranks="23X")), "setup.initial_deck.ranks: expected only ranks (23456789TJQKA), got 'X'"),
    (
        plain(initial_deck=Deck(ranks="2233445566")),
        "setup.initial_deck.ranks: expected each letter once, got '2' twice",
    ),
    (plain(initial_deck=Deck(suits="cdz")), "setup.initial_deck.suits: expected only suits (cdhs), got 'z'"),
    (plain(initial_deck=Deck(suits="cc")), "setup.initial_deck.suits: expected each letter once, got 'c' twice"),
    (plain(initial_deck=Deck(ranks="")), "setup.initial_deck.ranks: expected at least one rank, got none"),
    (plain(initial_deck=Deck(suits="")), "setup.initial_deck.suits: expected at least one suit, got none"),
    (plain(trump_suit="x"), "setup.trump_suit: expected null, \"random\" or one of 'cdhs', got 'x'"),
    (
        plain(trump_suit="h", initial_deck=Deck(suits="cs")),
        "setup.trump_suit: expected null, \"random\" or one of 'cs', got 'h'",
    ),
    (plain(trump_suit=""), "setup.trump_suit: expected null, \"random\" or one of 'cdhs', got ''"),
    (
        plain(PlayPhase(wild="X")),
        "turn_structure.phases[0].wild: expected only ranks of the deck (23456789TJQKA), got 'X'",
    ),
    (
        plain(PlayPhase(wild="8"), initial_deck=Deck(ranks="9TJQKA")),
        "turn_structure.phases[0].wild: expected only ranks of the deck (9TJQKA), got '8'",
    ),
    (plain(PlayPhase(wild="88")), "turn_structure.phases[0].wild: expected each letter once, got '8' twice"),
    (
        plain(effects=(CardEffect(rank="1", effect="skip"),)),
        "effects[0].rank: expected one of '23456789TJQKA', got '1'",
    ),
    (plain(effects=(CardEffect(rank="", effect="skip"),)), "effects[0].rank: expected one of '23456789TJQKA', got ''"),
    (
        plain(effects=(CardEffect(rank="23", effect="skip"),)),
        "effects[0].rank: expected one of '23456789TJQKA', got '23'",
    ),
    (
        plain(scoring=(CardPoints(cards="1h"),)),
        'scoring[0].cards: expected a rank and a suit of the deck such as "Qs", or "*" for any, got \'1h\'',
    ),
    (
        plain(scoring=(CardPoints(cards="h*"),)),
        'scoring[0].cards: expected a rank and a suit of the deck such as "Qs", or "*" for any, got \'h*\'',
    ),
    (
        plain(scoring=(CardPoints(cards="Q"),)),
        'scoring[0].cards: expected a rank and a suit of the deck such as "Qs", or "*" for any, got \'Q\'',
    ),
    # too many, too few, twice
    (
        changed(PLAIN, turn_structure=TurnStructure(phases=())),
        "turn_structure.phases: expected at least one phase, got none",
    ),
    (plain((PlayPhase(),) * 13), "turn_structure.phases: expected at most 12, got 13"),
    (changed(PLAIN, win_conditions=()), "win_conditions: expected at least one win condition, got none"),
    (plain(wins=(EmptyHand(),) * 5), "win_conditions: expected at most 4, got 5"),
    (plain(scoring=(TrickPoints(),) * 53), "scoring: expected at most 52, got 53"),
    (
        plain(effects=(LaySets(), LaySets(size=3))),
        "effects[1]: expected at most one effect that lays sets, got a second one",
    ),
    (
        plain(effects=(CardEffect(rank="8", effect="skip"), CardEffect(rank="8", effect="again"))),
        "effects[1].rank: expected one effect per rank, got a second one for '8'",
    ),
    (plain(effects=(LaySets(size=1),)), "effects[0].size: expected 2 up to the number of suits (4), got 1"),
    (plain(effects=(LaySets(size=5),)), "effects[0].size: expected 2 up to the number of suits (4), got 5"),
    (
        plain(effects=(LaySets(size=3),), initial_deck=Deck(suits="cs")),
        "effects[0].size: expected 2 up to the number of suits (2), got 3",
    ),
    (
        plain(PlayPhase(match=())),
        'turn_structure.phases[0].match: expected at least one way to fit, got none; with "any" every card fits',
    ),
    (
        plain(PlayPhase(capture="sum")),
        'turn_structure.phases[0].capture: expected "none" unless target is "tableau", got "sum"',
    ),
    # cards
    (plain(cards_per_player=27), "setup.cards_per_player: 54 cards are dealt, but the deck has only 52"),
    (
        plain(cards_per_player=1, initial_discard_count=1, initial_tableau_count=1, initial_deck=JQK),
        "setup.cards_per_player: 4 cards are dealt, but the deck has only 3",
    ),
    (
        bets(BettingPhase(), CommunityPhase(count=3), CommunityPhase(), cards_per_player=25, starting_chips=50),
        "turn_structure.phases: 4 community cards, but after the deal the deck has only 2",
    ),
    # chips
    (plain(starting_chips=100), "setup.starting_chips: expected 0, since the game has no betting phase, got 100"),
    (
        bets(starting_chips=0, ante=0),
        "setup.starting_chips: expected at least 1, since there is a betting phase, got 0",
    ),
    (bets(ante=201), "setup.ante: expected at most the 200 starting chips, got 201"),
    (plain(ante=1), "setup.ante: expected at most the 0 starting chips, got 1"),
    (
        bets(BettingPhase(), BettingPhase(min_bet=201)),
        "turn_structure.phases[1].min_bet: expected at most the 200 starting chips, got 201",
    ),
    # what leads nowhere
    (
        plain((PlayPhase(), DrawPhase(only_if_stuck=True))),
        "turn_structure.phases[1].only_if_stuck: expected a play phase after this phase, found none",
    ),
    (plain(cards_per_player=0), "setup.cards_per_player: no player ever holds a card, so nothing can happen"),
    (
        plain(DrawPhase(), HighCard(), cards_per_player=26),
        "turn_structure.phases: there is never a card to draw, so nothing can happen",
    ),
    (plain(DrawPhase(source="discard"), HighCard()), "turn_structure.phases: there is never a card to draw"),
    (
        bets(BettingPhase(), CommunityPhase(count=5), cards_per_player=0),
        "win_conditions[0]: expected a game in which players hold cards, got none",
    ),
    (
        plain((PlayPhase(), DrawPhase()), cards_per_player=0),
        "win_conditions[0]: expected cards_per_player of at least 1, got 0",
    ),
    (
        plain((TrickPhase(), DrawPhase()), CaptureAll(), cards_per_player=0),
        "win_conditions[0]: expected cards_per_player of at least 1, got 0",
    ),
    (plain(DrawPhase()), "win_conditions[0]: expected a phase in which cards leave hands, got none"),
    (plain(DiscardPhase(replace=True)), "win_conditions[0]: expected a phase in which cards leave hands, got none"),
    (
        bets(win_conditions=(CaptureAll(),)),
        "win_conditions[0]: expected a phase in which cards leave or enter hands, got none",
    ),
    (plain(wins=MostTricks()), "win_conditions[0]: expected a phase with tricks and cards to play them, got none"),
    (plain(wins=HighScore()), "win_conditions[0]: expected a way to make points, got none"),
    (plain(wins=LowScore(), scoring=(TrickPoints(),)), "win_conditions[0]: expected a way to make points, got none"),
    (plain(wins=HighScore(), scoring=(CardPoints(),)), "win_conditions[0]: expected a way to make points, got none"),
    (
        plain(wins=HighScore(), effects=(LaySets(points=0),)),
        "win_conditions[0]: expected a way to make points, got none",
    ),
    (plain(wins=(EmptyHand(), FirstToScore())), "win_conditions[1]: expected a way to make points, got none"),
    (
        plain(TrickPhase(to="hand"), HighScore(), scoring=(CardPoints(where="captured"),)),
        "win_conditions[0]: expected a way to make points, got none",
    ),
    (
        plain(TrickPhase(), FirstToScore(target=5), scoring=(TrickPoints(points=-1),)),
        "win_conditions[0].target: expected points that go up, to reach 5, but they only go down",
    ),
    (
        plain(wins=LeastDeadwood(knock=30)),
        "win_conditions[0].knock: expected at most 29, got 30; every hand would end the deal at once",
    ),
]


@for_each("genome, sentence", UNPLAYABLE, ids=[sentence for _, sentence in UNPLAYABLE])
def test_an_unplayable_genome_is_rejected_with_the_field_named(genome: Genome, sentence: str) -> None:
    found = problems(genome)
    assert any(problem.startswith(sentence) for problem in found), found
    assert all("\n" not in problem and not problem.endswith(".") for problem in found)
    with pytest.raises(GenomeError) as error:
        check(genome)
    assert str(error.value) == found[0]


def test_every_problem_is_reported_once() -> None:
    genome = bets(BettingPhase(min_bet=0), BettingPhase(min_bet=-1, max_raises=-1), ante=-1)
    assert [problem.split(":")[0] for problem in problems(genome)] == [
        "setup.ante",
        "turn_structure.phases[0].min_bet",
        "turn_structure.phases[1].min_bet",
        "turn_structure.phases[1].max_raises",
    ]
    genome = bets(BettingPhase(min_bet=300), BettingPhase(min_bet=500), ante=201)
    assert len(problems(genome)) == 3


@for_each("name", sorted(known_games()))
def test_known_games_have_no_problem(name: str) -> None:
    genome = load(name)
    assert problems(genome) == ()
    assert check(genome) is genome


# --- bounds are tight: a value just inside is playable


@for_each(
    "genome",
    [
        plain(player_count=6),
        plain(cards_per_player=26),
        plain(max_turns=1),
        plain(max_turns=100_000),
        plain(deals=100),
        plain(PlayPhase(most=4)),
        plain((PlayPhase(),) * 12),
        plain(wins=(EmptyHand(), CaptureAll(), HighCard(), BestHand())),
        bets(BettingPhase(min_bet=200), ante=0),
        bets(BettingPhase(min_bet=200, max_raises=0), ante=200),
        bets(BettingPhase(min_bet=1, max_raises=1000)),
        bets(starting_chips=10**9),
        plain(initial_deck=Deck(ranks="A", suits="cdhs"), cards_per_player=2),
        plain(DrawPhase(), HighCard(), cards_per_player=0),
        plain(DrawPhase(source="opponent")),
        plain(wins=LeastDeadwood(knock=29)),
        plain(effects=(LaySets(size=2),), initial_deck=Deck(suits="cs")),
        plain((DrawPhase(only_if_stuck=True), DiscardPhase(), PlayPhase())),
        plain(TrickPhase(), LowScore(), scoring=(CardPoints(points=-1),)),
        plain(trump_suit="random"),
        plain(PlayPhase(target="tableau", capture="rank"), HighScore(), scoring=(CardPoints(),)),
        plain(wins=HighScore(), scoring=(CardPoints(where="hand"),)),
        bets(BettingPhase(), CommunityPhase(count=2), cards_per_player=25),
    ],
)
def test_values_just_inside_the_bounds_are_playable(genome: Genome) -> None:
    assert problems(genome) == ()
    ends(genome, seed=1)


def ends(genome: Genome, seed: int) -> None:
    """Play at random and see that the turn limit holds and no chip is lost."""
    game = LabGame.dealt(genome, seed=seed)
    steps = 0
    while not game.over:
        assert game.moves
        game = game.after(game.moves[(seed + steps * 7) % len(game.moves)])
        steps += 1
        assert steps <= genome.max_turns
    assert game.winners
    assert sum(game.chips) == genome.player_count * genome.setup.starting_chips


@given(st.sampled_from(sorted(known_games())), st.data())
def test_betting_is_allowed_anywhere_in_any_game(name: str, data: st.DataObject) -> None:
    """Success criterion 1: once or several times, in whichever place."""
    genome = load(name)
    phases = list(genome.turn_structure.phases)
    for _ in range(data.draw(st.integers(1, 12 - len(phases)))):
        phase = BettingPhase(min_bet=data.draw(st.integers(1, 40)), max_raises=data.draw(st.integers(0, 4)))
        phases.insert(data.draw(st.integers(0, len(phases))), phase)
    chips = data.draw(st.integers(40, 400))
    genome = changed(
        genome,
        starting_chips=max(chips, genome.setup.starting_chips),
        turn_structure=replace(genome.turn_structure, phases=tuple(phases)),
        max_turns=min(genome.max_turns, 300),
        deals=min(genome.setup.deals, 3),
    )
    assert problems(genome) == ()
    ends(genome, seed=data.draw(st.integers(0, 1000)))


# --- loading


def test_a_known_name_is_loaded_before_a_file() -> None:
    assert load("kuhn").name == "kuhn"


def test_a_file_is_loaded_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(write_genome(PLAIN), encoding="utf-8")
    assert load(str(path)) == PLAIN
    path.write_text(write_genome(plain(player_count=9)), encoding="utf-8")
    with pytest.raises(GenomeError, match=r"mine\.json: player_count: expected 2 to 6, got 9"):
        load(str(path))


@pytest.mark.parametrize("given_name", ["bridge", "no/such/file.json", "KUHN", ""])
def test_an_unknown_name_lists_the_known_ones(given_name: str) -> None:
    with pytest.raises(GenomeError) as error:
        load(given_name)
    assert "kuhn" in str(error.value) or "cannot be read" in str(error.value)


def test_unreadable_genomes_are_reported(tmp_path: Path) -> None:
    for given_name in (str(tmp_path), "a\0b"):
        with pytest.raises(GenomeError, match="cannot be read"):
            load(given_name)


def test_every_struct_of_a_genome_is_frozen() -> None:
    def parts(kind: type[Struct]) -> list[type[Struct]]:
        return [kind, *[deeper for child in kind.__subclasses__() for deeper in parts(child)]]

    rooms = ("pitboss.lab.genome", "pitboss.lab.phases.", "pitboss.lab.wins.")
    kinds = [kind for kind in parts(Struct) if kind.__module__.startswith(rooms)]
    assert len(kinds) > 20
    assert all(kind.__struct_config__.frozen for kind in kinds)


def test_ruling_F5_betting_without_an_ante_gives_a_warning() -> None:
    game = bets(ante=0)
    assert problems(game) == ()
    (warning,) = warnings(game)
    assert warning.startswith("setup.ante: there is betting but no ante. ")
    assert [warnings(load(name)) for name in known_games()] == [()] * len(known_games())
