"""What makes games different: their structure, which is all but names and numbers, and their kind, still coarser."""

from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.lab.genome.parts import Genome, Phase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.wins.best_hand import BestHand


def nameless(genome: Genome) -> Genome:
    """The game itself: what it is called makes no difference."""
    return replace(genome, name="unnamed")


def structure(genome: Genome) -> str:
    """A game without names, numbers and the letters of its cards: two games of one structure are twins.

    >>> from pitboss.lab.files import load
    >>> structure(load("kuhn")) == structure(load("highest_card"))
    True
    >>> structure(load("kuhn")) == structure(load("leduc"))
    False
    """
    return msgspec.json.encode(_bare(msgspec.to_builtins(nameless(genome)))).decode()


def _bare(written: Any) -> Any:
    if isinstance(written, dict):
        letters = ("name", "initial_deck", "trump_suit", "wild", "rank", "cards")
        return {name: _bare(part) for name, part in written.items() if name not in letters}
    if isinstance(written, list | tuple):
        return [_bare(part) for part in written]
    return 0 if isinstance(written, int | float) and not isinstance(written, bool) else written


def kind(genome: Genome) -> tuple[str, ...]:
    """What a player would call the same kind of game: the steps in any order, what they do, and what wins.

    >>> from pitboss.lab.files import load
    >>> kind(load("leduc"))
    ('rounds', 'Betting', 'Betting', 'Community', 'BestHand poker')
    >>> kind(load("whist"))
    ('rounds', 'Trick following', 'trumps', 'MostTricks')
    """
    aim, trump = genome.win_conditions[0], genome.setup.trump_suit
    last = f"{type(aim).__name__} {aim.ranking}" if isinstance(aim, BestHand) else type(aim).__name__
    rules = sorted({type(rule).__name__ for rule in (*genome.effects, *genome.scoring)})
    words = sorted(map(_word, genome.turn_structure.phases))
    return (genome.turn_structure.order, *words, *(["trumps"] if trump else []), *rules, last)


def _word(phase: Phase) -> str:
    """A step in a word or two."""
    name = type(phase).__name__.removesuffix("Phase")
    match phase:
        case DrawPhase():
            return f"{name} {phase.source}"
        case DiscardPhase() if phase.replace:
            return "Exchange"
        case PlayPhase() if phase.capture != "none":
            return f"{name} {phase.capture}"
        case PlayPhase():
            many = " several" if phase.most > 1 else ""
            return f"{name} {'up' if phase.clear_after_passes else 'fitting'}{many}"
        case ClaimPhase():
            return f"{name} {'several' if phase.most > 1 else 'one'}"
        case TrickPhase():
            return f"{name} {'following' if phase.follow else 'freely'}"
        case _:
            return name
