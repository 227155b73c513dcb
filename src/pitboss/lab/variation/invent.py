"""Games drawn at random: any deck, phases and aims, with betting put in anywhere, made valid."""

from typing import TypeVar

from msgspec import Struct

from pitboss.cards import RANKS, SUITS
from pitboss.chance import Chance
from pitboss.lab.genome.parts import (
    MOST_PLAYERS,
    CardEffect,
    CardPoints,
    Deck,
    Genome,
    LaySets,
    Setup,
    TrickPoints,
    TurnStructure,
)
from pitboss.lab.phases.betting import AMOUNTS, BettingPhase
from pitboss.lab.variation.edits import put
from pitboss.lab.variation.repair import repair
from pitboss.lab.variation.values import CARD_PHASES, ROUNDS, STACKS, TURN_LIMITS, WINS, build
from pitboss.lab.wins.high_card import HighCard

P = TypeVar("P", bound=Struct)

MOST_CARD_PHASES, MOST_BETTING_PHASES, MOST_RULES, MOST_AIMS = 4, 3, 2, 3


def random_genome(chance: Chance) -> Genome:
    """A valid game in which betting stands in one to three places.

    >>> game = random_genome(Chance(1))
    >>> 1 <= len(game.betting_phases) <= 3
    True
    """
    frame = Genome(
        name="random",
        player_count=2 + chance.below(MOST_PLAYERS - 1),
        setup=_setup(chance),
        turn_structure=TurnStructure(phases=()),
        win_conditions=(HighCard(),),
    )
    phases = _some(chance, MOST_CARD_PHASES, CARD_PHASES, frame)
    for _ in range(1 + chance.below(MOST_BETTING_PHASES)):
        phases = put(phases, chance.below(len(phases) + 1), build(BettingPhase, frame, chance))
    aims = chance.shuffled(WINS, 1 + chance.below(MOST_AIMS))
    drawn = Genome(
        name=frame.name,
        player_count=frame.player_count,
        setup=frame.setup,
        turn_structure=TurnStructure(
            phases=phases, order=chance.choice(("turns", "rounds")), rounds=chance.choice(ROUNDS)
        ),
        effects=_some(chance, MOST_RULES, (CardEffect, LaySets), frame),
        scoring=_some(chance, MOST_RULES, (CardPoints, TrickPoints), frame),
        win_conditions=tuple([build(aim, frame, chance) for aim in aims]),
        max_turns=chance.choice(TURN_LIMITS),
    )
    return repair(drawn)


def _setup(chance: Chance) -> Setup:
    """A third of the decks are standard ones; chips are for short and for long games."""
    deck = Deck(ranks=RANKS[chance.below(len(RANKS) - 1) :], suits=SUITS[chance.below(len(SUITS)) :])
    stack = chance.choice(STACKS)
    return Setup(
        cards_per_player=chance.below(8),
        initial_deck=deck if chance.below(3) else "standard_52",
        initial_discard_count=chance.below(3),
        initial_tableau_count=chance.below(5),
        trump_suit=chance.choice((None, "random", *deck.suits)),
        starting_chips=stack,
        ante=chance.choice([0, *[amount for amount in AMOUNTS if amount <= stack]]),
        pots=chance.choice(("single", "side")),
        deals=1 + chance.below(4),
    )


def _some(chance: Chance, most: int, kinds: tuple[type[P], ...], frame: Genome) -> tuple[P, ...]:
    """Up to so many parts of these kinds."""
    return tuple([build(chance.choice(kinds), frame, chance) for _ in range(chance.below(most + 1))])
