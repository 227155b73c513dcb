"""Why nothing happened in a step, who was paid what out of which pot, and why a deal is over: remarks for people."""

from collections.abc import Sequence
from typing import Any

from pitboss.fast import paying
from pitboss.lab.base.english import some
from pitboss.lab.base.piles import live_count
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.state import GameState
from pitboss.lab.events import PotPaid
from pitboss.lab.genome.parts import Genome, Phase
from pitboss.lab.phases import draw
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.wins import kinds as wins

NOTHING_TO_DRAW = {
    "deck": "the deck is empty",
    "discard": "there are no discards",
    "either": "there is no card to take",
    "opponent": "nobody else has a card",
    "ask": "there is nobody to ask, and the deck is empty",
}


def why_skipped(genome: Genome, g: Any, s: GameState, at: int, place: int) -> str:
    """Why nothing has happened in this phase of that place; nothing where there was nothing to be done."""
    phase = genome.turn_structure.phases[at]
    if phase.everybodys:
        return _why_without_all(g, s, phase)
    if s.folded[place]:
        return ""
    if isinstance(phase, DrawPhase):
        return _why_undrawn(g, s, phase, at, place)
    return "no card fits" if phase.plays and s.held[place] else "no card left"


def _why_without_all(g: Any, s: GameState, phase: Phase) -> str:
    """Why a step that is everybody's did not take place."""
    live = [place for place in range(g.n) if not s.folded[place]]
    if phase.turned_up:
        return "the deck is empty"
    what, able = ("chips", s.stacks) if phase.bets else ("cards", s.held)
    count = sum(able[place] > 0 for place in live)
    return f"{'nobody has' if count == 0 else 'only one player has'} {what} left"


def _why_undrawn(g: Any, s: GameState, phase: DrawPhase, at: int, place: int) -> str:
    if draw.is_spared(g, s, place, at):
        return ""
    if wins.went_over(g, s, 0, place):
        return "over the limit already"
    return NOTHING_TO_DRAW[phase.source]


def payments(g: Any, s: GameState, taken: Sequence[int]) -> tuple[PotPaid, ...]:
    """Who was paid what out of which pot when this deal was settled; `taken` is what everybody got in all."""
    if not any(taken):
        return ()
    if not g.side:
        return (PotPaid("pot", tuple(taken)),)
    pots = _layers(g, s)
    back = [amount - sum(shares[place] for shares in pots) for place, amount in enumerate(taken)]
    names = ["pot"] if len(pots) == 1 else ["main pot", *_side_pots(len(pots) - 1)]
    paid = [PotPaid(name, shares) for name, shares in zip(names, pots, strict=True)]
    return (*([PotPaid("", tuple(back))] if any(back) else []), *paid)


def _side_pots(count: int) -> list[str]:
    return ["side pot"] if count == 1 else [f"side pot {number}" for number in range(1, count + 1)]


def _layers(g: Any, s: GameState) -> list[tuple[int, ...]]:
    """What everybody gets out of each layer, by paying once more what was paid in, pot by pot."""
    again, pots = s.copy(), list[tuple[int, ...]]()
    again.pot = sum(s.paid[: g.n])
    ceiling, counted = -1, paying.uncounted(again)
    while again.pot > 0:
        before = again.stacks[: g.n]
        ceiling, amount, counted = paying.next_layer(again, ceiling, counted)
        paying.share(again, again.tally, ceiling, amount, again.starter)
        pots.append(tuple([now - then for now, then in zip(again.stacks, before, strict=False)]))
    return pots


def why_over(genome: Genome, g: Any, s: GameState) -> str:
    """Why the deal that was just settled is over."""
    if live_count(s) < 2:
        return "all others have folded"
    ended = engine.end_of_deal(g, s)
    if ended >= 0 and (said := genome.win_conditions[ended].ends(genome)):
        return said  # else it is a target that the deal's own points have reached, and not why it is over
    if ended == engine.GOES_ON:
        return "the limit of moves is reached"
    rounds = genome.turn_structure.rounds
    if 0 < rounds <= s.round:
        return "the round is over" if rounds == 1 else f"{some(rounds, 'round')} have been played"
    if s.idle < 0:
        return "nothing has moved any more"
    return "all cards are played" if any(s.held[place] for place in range(g.n)) else "nobody has a card left"
