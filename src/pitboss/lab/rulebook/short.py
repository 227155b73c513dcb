"""A turn, or a round, of a game in one sentence, for who reads twenty rulebooks."""

from pitboss.lab.base.english import listed, number, some
from pitboss.lab.genome.parts import Genome, Phase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase


def in_short(genome: Genome) -> str:
    """What one does, step by step, and until when."""
    turns = genome.turn_structure
    steps = ", then ".join([_brief(phase) for phase in turns.phases])
    heading = "A turn in short" if turns.order == "turns" else "A round in short"
    return f"**{heading}:** {steps}. {_until(genome)}"


def _until(genome: Genome) -> str:
    """When the deal is decided, as a rule."""
    rounds = genome.turn_structure.rounds
    ends = [end for win in genome.win_conditions if (end := win.ends(genome))]
    if rounds == 1 and not ends:
        return "After one round the deal is decided."
    if rounds:
        ends.append("the round is over" if rounds == 1 else f"{some(rounds, 'round')} have been played")
    return f"This goes on until {listed(ends or ['all cards are played'], 'or')}."


def _brief(phase: Phase) -> str:
    """A step in a few words."""
    match phase:
        case DrawPhase():
            return _draw(phase)
        case PlayPhase():
            return _play(phase)
        case DiscardPhase():
            verb = "exchange" if phase.replace else "discard"
            return f"{verb} {'up to ' if phase.optional and phase.count > 1 else ''}{_cards(phase.count)}{_if(phase)}"
    if phase.turned_up:
        return f"turn up {_cards(phase.turned_up)} for all"
    if phase.tricks:
        return "play a trick" if phase.looks else "turn up a card each for a trick"
    return "bet" if phase.bets else "put cards face down under a rank, which others may doubt"


def _draw(phase: DrawPhase) -> str:
    up_to = "up to " if phase.optional and phase.count > 1 else ""
    what = {
        "deck": f"draw {up_to}{_cards(phase.count)}",
        "discard": f"take {up_to}{_cards(phase.count)} from the discards",
        "either": f"draw {up_to}{_cards(phase.count)} from the deck or the discards",
        "opponent": f"take {up_to}{_cards(phase.count)} unseen from the next player",
        "ask": "ask the next player for a rank",
    }[phase.source]
    return f"{what}{' if you cannot play' if phase.only_if_stuck else ''}{_if(phase)}"


def _play(phase: PlayPhase) -> str:
    what = (
        "a card" if phase.most == 1 else f"one {'or' if phase.most == 2 else 'to'} {number(phase.most)} cards of a rank"
    )
    fits = "" if "any" in phase.match else " that fits" if phase.most == 1 else " that fit"
    where = "on the discards" if phase.target == "discard" else "on the table"
    taking = ", which may capture others" if phase.captures else ""
    return f"play {what}{fits} {where}{taking}{', or pass' if phase.optional else ''}"


def _if(phase: DrawPhase | DiscardPhase) -> str:
    return " if you like" if phase.optional else ""


def _cards(count: int) -> str:
    return "a card" if count == 1 else some(count, "card")
