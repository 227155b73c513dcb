"""Single rules of a game in words, without what a rulebook says around them, and what measures are called."""

import re

from msgspec import Struct

from pitboss.cards import RANKS, SUITS
from pitboss.lab.base.english import (
    RANK_NAMES,
    SUIT_NAMES,
    capital,
    chips,
    listed,
    number,
    plural,
    points,
    ranks_of,
    some,
)
from pitboss.lab.genome.parts import Deck, Effect, Genome, LaySets, Scoring
from pitboss.lab.rulebook.extras import effect_sentence, scored_thing, set_sentence
from pitboss.lab.rulebook.possible import scoring_rules

LABELS = {
    "decisions": "choices",
    "mattered": "weight of choices",
    "lead_changes": "lead changes",
    "comeback": "comebacks",
    "seat_advantage": "seat advantage",
    "start_advantage": "starter's advantage",
    "decisive": "clear winners",
    "draws": "shared games",
    "all_ins": "all-ins",
    "pot": "size of pots",
    "chips_follow_cards": "chips that follow cards",
    "open_bets": "bets on a known winner",
    "bet_share": "share of bets",
    "complexity": "words of rules",
    "rule_use": "use of rules",
}
"""What measures are called where their own names would not be understood."""


def label(measure: str) -> str:
    """What a measure is called.

    >>> label("mattered"), label("tension"), label("some_new_one")
    ('weight of choices', 'tension', 'some new one')
    """
    return LABELS.get(measure, measure.replace("_", " "))


APART = 1.0
"""How far games are apart of which one has a step that the other has not; all else is measured by it."""


class Fact(Struct, frozen=True):
    """Something every game has one of; no words where it does not matter."""

    name: str
    words: str
    weight: float  #: how far games are apart that differ in it


def facts_of(genome: Genome) -> list[Fact]:
    """What every game has exactly one of."""
    setup, turns = genome.setup, genome.turn_structure
    bets = setup.starting_chips > 0
    tricks = any(phase.tricks and phase.looks for phase in turns.phases)
    trump = setup.trump_suit if tricks else None
    return [
        Fact("Players", number(genome.player_count), 0.3),
        Fact("Deck", _deck(setup.deck), 0.4),
        Fact("Cards for each player", number(setup.cards_per_player), 0.2),
        Fact("Cards on the discards at first", _count(setup.initial_discard_count), 0.2),
        Fact("Cards on the table at first", _count(setup.initial_tableau_count), 0.3),
        Fact("Trumps", "no suit" if trump is None else SUIT_NAMES.get(trump, "a suit by chance"), 0.4),
        Fact("Chips", "some for everybody" if bets else "none", APART),
        Fact("Chips for each player", chips(setup.starting_chips) if bets else "", 0.1),
        Fact("Ante", (chips(setup.ante) if setup.ante else "none") if bets else "", 0.2),
        Fact("Pots", ("side pots for who is all-in" if setup.pots == "side" else "one pot") if bets else "", 0.1),
        Fact("Deals", number(setup.deals), 0.2),
        Fact("Order", _order(genome), 0.5),
        Fact("Rounds in a deal", number(turns.rounds) if turns.rounds else "as many as it takes", 0.2),
    ]


def _count(n: int) -> str:
    return number(n) if n else "none"


def _deck(deck: Deck) -> str:
    size = len(deck.ranks) * len(deck.suits)
    ranks = "two to ace" if deck.ranks == RANKS else ranks_of(deck)
    if len(deck.suits) == len(SUITS):
        return f"{some(size, 'card')} ({ranks})"
    return f"{some(size, 'card')} ({ranks}; {listed([SUIT_NAMES[suit] for suit in deck.suits])})"


def _order(genome: Genome) -> str:
    if all(phase.everybodys for phase in genome.turn_structure.phases):
        return "all take part together"
    return "all steps in one turn" if genome.turn_structure.order == "turns" else "each step by everybody in turn"


def plain(step: str) -> str:
    """A step of the rulebook without its marks, and without words about where else to look.

    >>> plain("**Bet.** A round of betting, as told below: a bet is 1 chip, and nobody may raise it.")
    'Bet. A round of betting: a bet is 1 chip, and nobody may raise it.'
    """
    return step.replace("**", "").replace(", as told below", "")


def heading(step: str) -> str:
    """The bold word of a step.

    >>> heading("**Play a trick.** Everybody turns up a card.")
    'Play a trick'
    """
    return step.partition("**")[2].partition("**")[0].rstrip(".")


def sentences(step: str) -> list[str]:
    """The sentences of a step after its bold word.

    >>> sentences("**Draw.** Take a card. If there is none, you pass.")
    ['Take a card.', 'If there is none, you pass.']
    """
    return re.split(r"(?<=[.:;]) ", plain(step.rpartition("** ")[2]))


def effect_words(effect: Effect, genome: Genome) -> str:
    """What an effect does; nothing where it cannot matter."""
    if isinstance(effect, LaySets):
        return set_sentence(effect, genome)
    text = effect_sentence(effect, genome)
    return f"{capital(plural(RANK_NAMES[effect.rank]))}: {text}" if text else ""


def scoring_words(rule: Scoring) -> str:
    """What gives how many points."""
    return f"{capital(scored_thing(rule))}: {points(rule.points)}."


def rules_of(genome: Genome) -> list[str]:
    """All that a game's rules say, a sentence each, for comparing them with another's."""
    first = genome.win_conditions[0]
    steps = [plain(phase.step(genome, at)) for at, phase in enumerate(genome.turn_structure.phases)]
    ends = [f"A deal ends as soon as {end}." for win in genome.win_conditions if (end := win.ends(genome))]
    effects = [words for effect in genome.effects if (words := effect_words(effect, genome))]
    scored = [scoring_words(rule) for rule in scoring_rules(genome)]
    facts = [f"{fact.name}: {fact.words}." for fact in facts_of(genome) if fact.words]
    return list(dict.fromkeys([*facts, *steps, *ends, f"The winner: {first.best()}.", *effects, *scored]))
