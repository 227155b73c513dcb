"""The counts of betting: by hand in small games, and only on request."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from pitboss.lab import codes
from pitboss.lab.engine import steps
from pitboss.lab.engine.program import plain_program
from pitboss.lab.files import load
from pitboss.lab.game import LabGame
from pitboss.lab.genome import Genome

NAMES = ("BETS", "RAISES", "CALLS", "FOLDS", "ALL_INS", "DEALS", "SHOWDOWNS", "POTS", "LARGEST", "STEALS", "TO_BEST")


def counted(genome: Genome, deck: Sequence[str], moves: str) -> dict[str, int]:
    """Play these moves, and say what was counted, without what never happened."""
    game = LabGame.dealt(genome, deck=deck)
    program, state = plain_program(genome), game.state.copy()
    state.counts[codes.COUNTING] = 1
    for word in moves.split():
        offered = [0] * codes.MOST_MOVES
        steps.legal(program.games[0], program.rules, state, offered)
        words = LabGame(genome, program, state).moves
        steps.apply(program.games[0], program.rules, state, offered[words.index(word)])
    found = {name: state.counts[getattr(codes, name)] for name in NAMES}
    return {name: number for name, number in found.items() if number}


@pytest.mark.parametrize(
    ("deck", "moves", "expected"),
    [
        ("Js Ks", "bet fold", {"BETS": 1, "FOLDS": 1, "ALL_INS": 1, "DEALS": 1, "POTS": 2, "LARGEST": 2, "STEALS": 1}),
        ("Ks Js", "bet fold", {"BETS": 1, "FOLDS": 1, "ALL_INS": 1, "DEALS": 1, "POTS": 2, "LARGEST": 2, "TO_BEST": 2}),
        ("Js Ks", "check check", {"DEALS": 1, "SHOWDOWNS": 1, "POTS": 2, "LARGEST": 2, "TO_BEST": 2}),
        (
            "Qs Ks",
            "check bet call",
            {"BETS": 1, "CALLS": 1, "ALL_INS": 2, "DEALS": 1, "SHOWDOWNS": 1, "POTS": 4, "LARGEST": 4, "TO_BEST": 4},
        ),
    ],
)
def test_betting_in_kuhn_is_counted(deck: str, moves: str, expected: dict[str, int]) -> None:
    assert counted(load("kuhn"), deck.split(), moves) == expected


@pytest.mark.parametrize(
    ("chips", "moves", "expected"),
    [
        (2, "all_in call", {"BETS": 1, "CALLS": 1, "ALL_INS": 2, "POTS": 4}),
        (5, "bet raise call", {"BETS": 1, "RAISES": 1, "CALLS": 1, "ALL_INS": 2, "POTS": 10}),
        (7, "bet raise call all_in call", {"BETS": 2, "RAISES": 1, "CALLS": 2, "ALL_INS": 2, "POTS": 14}),
    ],
)
def test_an_all_in_counts_as_a_bet_raise_or_call(chips: int, moves: str, expected: dict[str, int]) -> None:
    genome = load("leduc")
    short = replace(genome, setup=replace(genome.setup, starting_chips=chips))
    found = counted(short, ("Kh", "Qs", "Jh"), moves)
    assert {name: found[name] for name in expected} == expected


def test_player_without_chips_before_the_deal_has_no_best_cards() -> None:
    genome = load("three_card_poker")
    several = replace(genome, setup=replace(genome.setup, deals=3, starting_chips=20, cards_per_player=1))
    deck = ("Ah", "Kh", "Qh")
    found = counted(several, deck, "bet call call")  # two are out, and the game is over
    assert found["TO_BEST"] == found["POTS"] == 60


def test_counts_are_made_only_on_request() -> None:
    game = LabGame.dealt(load("leduc"), seed=1)
    while not game.over:
        game = game.after(game.moves[-1])
    assert not any(game.state.counts)
