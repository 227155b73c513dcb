"""A genome in JSON: both ways, with defaults for what is absent and a sentence for what is wrong."""

import json
from typing import Any

import pytest

from pitboss.lab.files import read_genome, write_genome
from pitboss.lab.genome import Deck, Genome, GenomeError, Setup, TurnStructure
from pitboss.lab.phases import kinds as phases
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.kinds import TYPES as WINS
from tests.support.for_each import for_each

SMALL: dict[str, Any] = {
    "setup": {"cards_per_player": 2},
    "turn_structure": {"phases": [{"type": "DrawPhase"}]},
    "win_conditions": [{"type": "high_card"}],
}


def with_fields(path: str = "", **fields: Any) -> str:
    """The small game with these fields in the part at this path."""
    game = json.loads(json.dumps(SMALL))
    part = game
    for key in path.split():
        part = part[int(key) if key.isdigit() else key]
    part.update(fields)
    return json.dumps(game)


def refused(text: str | bytes) -> str:
    with pytest.raises(GenomeError) as error:
        read_genome(text)
    sentence = str(error.value)
    assert "\n" not in sentence
    return sentence


def test_a_genome_with_betting_is_read_back_as_it_was_written() -> None:
    genome = Genome(
        name="bets",
        player_count=4,
        setup=Setup(cards_per_player=5, starting_chips=500, ante=5, pots="side"),
        turn_structure=TurnStructure(phases=(BettingPhase(), DrawPhase(), BettingPhase(min_bet=20, max_raises=1))),
        win_conditions=(BestHand(),),
    )
    assert read_genome(write_genome(genome)) == genome
    written = json.loads(write_genome(genome))["turn_structure"]["phases"]
    assert written[0] == {"type": "BettingPhase", "min_bet": 10, "max_raises": 3}
    assert genome.betting_phases == (BettingPhase(), BettingPhase(min_bet=20, max_raises=1))


def test_an_older_file_loads_with_defaults() -> None:
    genome = read_genome(json.dumps(SMALL))
    assert genome.setup == Setup(cards_per_player=2, starting_chips=0, ante=0, pots="single", deals=1)
    assert genome.player_count == 2
    assert genome.betting_phases == ()
    assert genome.win_conditions == (HighCard(),)
    [phase] = read_genome(with_fields("turn_structure", phases=[{"type": "BettingPhase"}])).betting_phases
    assert phase == BettingPhase(min_bet=10, max_raises=3)


def test_a_deck_is_standard_or_ranks_and_suits() -> None:
    assert read_genome(json.dumps(SMALL)).setup.deck == Deck(ranks="23456789TJQKA", suits="cdhs")
    small = read_genome(with_fields("setup", initial_deck={"ranks": "JQK", "suits": "s"}))
    assert small.setup.deck == Deck(ranks="JQK", suits="s")


def test_every_field_is_written() -> None:
    written = json.loads(write_genome(read_genome(json.dumps(SMALL))))
    assert list(written) == list(Genome.__struct_fields__)
    assert list(written["setup"]) == list(Setup.__struct_fields__)
    phase = {"type": "DrawPhase", "source": "deck", "count": 1, "optional": False, "only_if_stuck": False}
    assert written["turn_structure"]["phases"] == [phase]


@for_each(
    "text, sentence",
    [
        (with_fields(blinds=2), f"unknown field `blinds`; expected one of {', '.join(Genome.__struct_fields__)}"),
        (
            with_fields("setup", chips=2),
            f"setup: unknown field `chips`; expected one of {', '.join(Setup.__struct_fields__)}",
        ),
        (
            with_fields("turn_structure phases 0", max_bet=2),
            (
                "turn_structure.phases[0]: unknown field `max_bet`; "
                "expected one of type, source, count, optional, only_if_stuck"
            ),
        ),
        (
            with_fields(effects=[{"rank": "K", "effect": "skip"}]),
            "effects[0]: missing field `type`; expected one of CardEffect, LaySets",
        ),
        (
            with_fields("turn_structure phases 0", type="BidPhase"),
            (
                f"turn_structure.phases[0].type: expected one of {', '.join([t.__name__ for t in phases.TYPES])}; "
                "got 'BidPhase'"
            ),
        ),
        (
            with_fields("win_conditions 0", type="luck"),
            (
                f"win_conditions[0].type: expected one of {', '.join([str(t.__struct_config__.tag) for t in WINS])}; "
                "got 'luck'"
            ),
        ),
        (with_fields(effects=[{"type": "CardEffect", "effect": "skip"}]), "effects[0]: missing field `rank`"),
        (with_fields("setup", ante="5"), "setup.ante: expected `int`, got `str`"),
        (with_fields(player_count=2.5), "player_count: expected `int`, got `float`"),
        (with_fields(player_count=True), "player_count: expected `int`, got `bool`"),
        (with_fields("setup", pots="main"), "setup.pots: expected one of side, single; got 'main'"),
        (
            with_fields(
                "turn_structure", phases=[{"type": "DrawPhase"}, {"type": "PlayPhase", "match": ["rank", "x"]}]
            ),
            "turn_structure.phases[1].match[1]: expected one of any, higher, higher_or_equal, rank, suit; got 'x'",
        ),
        (
            with_fields("setup", initial_deck="standard_53"),
            "setup.initial_deck: expected one of standard_52, an object; got 'standard_53'",
        ),
        ('{"setup": {}}', "setup: missing field `cards_per_player`"),
        ("{}", "missing field `setup`"),
        ("[]", "expected `object`, got `array`; for an example, run `pitboss lab show kuhn`"),
        ("null", "expected `object`, got `null`; for an example, run `pitboss lab show kuhn`"),
    ],
)
def test_an_error_names_the_wrong_field(text: str, sentence: str) -> None:
    assert refused(text) == sentence


@for_each("text", ["", "{", "name: war", b"\xff\xfe", json.dumps(SMALL) + "x", "[" * 100_000])
def test_text_that_is_not_json_is_refused(text: str | bytes) -> None:
    assert refused(text)


def test_a_genome_cannot_be_changed() -> None:
    genome = read_genome(json.dumps(SMALL))
    with pytest.raises(AttributeError):
        genome.name = "other"  # type: ignore[misc]  # that is the point
