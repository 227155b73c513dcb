"""The mutations of a genome, by name: each changes one part and gives a valid game that is another one, or nothing.

>>> from pitboss.chance import Chance
>>> from pitboss.lab.files import load
>>> child = OPERATORS["AddBettingPhase"](load("war"), Chance(1))
>>> len(child.betting_phases), child.setup.starting_chips >= child.betting_phases[0].min_bet
(1, True)
"""

from collections.abc import Callable
from typing import TypeAlias

from pitboss.chance import Chance
from pitboss.lab.genome.parts import Genome
from pitboss.lab.genome.validity import problems
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.variation import ends as vary_ends
from pitboss.lab.variation import phases as vary_phases
from pitboss.lab.variation import setup as vary_setup
from pitboss.lab.variation.crossover import crossover
from pitboss.lab.variation.edits import Change, DoesNotApply
from pitboss.lab.variation.invent import random_genome
from pitboss.lab.variation.repair import repair
from pitboss.lab.variation.values import CARD_PHASES

Operator: TypeAlias = Callable[[Genome, Chance], Genome | None]

TRIES = 8
"""How often an operator draws anew when repair takes its change back."""


def child_of(name: str, genome: Genome, chance: Chance) -> Genome:
    """The child by the operator of this name: repaired, and never the parent again; `DoesNotApply` says why not."""
    reason = ""
    for _ in range(TRIES):
        changed = _CHANGES[name](genome, chance)
        child = repair(changed)
        if child != genome:
            return child
        reason = "".join([f" ({problem})" for problem in problems(changed)[:1]])
    raise DoesNotApply(f"what it changes has to be changed back for the game to be playable{reason}")


def _operator(name: str) -> Operator:
    def vary(genome: Genome, chance: Chance) -> Genome | None:
        try:
            return child_of(name, genome, chance)
        except DoesNotApply:
            return None

    vary.__doc__ = _CHANGES[name].__doc__
    return vary


_CHANGES: dict[str, Change] = {
    "AddBettingPhase": vary_phases.add_betting,
    "RemoveBettingPhase": vary_phases.remove_betting,
    "MutateBettingPhase": vary_phases.changing(BettingPhase),
    "MutateStartingChips": vary_setup.starting_chips,
    "MutateAnte": vary_setup.ante,
    "MutatePots": vary_setup.pots,
    "MutateDeals": vary_setup.deals,
    "MutatePlayerCount": vary_setup.player_count,
    "MutateDeck": vary_setup.deck,
    "MutateCardsPerPlayer": vary_setup.cards_per_player,
    "MutateDiscardCount": vary_setup.discard_count,
    "MutateTableauCount": vary_setup.tableau_count,
    "MutateTrump": vary_setup.trump,
    "AddPhase": vary_phases.add,
    "RemovePhase": vary_phases.remove,
    "ReplacePhase": vary_phases.exchange,
    "SwapPhases": vary_phases.swap,
    "DuplicatePhase": vary_phases.double,
    **{f"Mutate{kind.__name__}": vary_phases.changing(kind) for kind in CARD_PHASES},
    "MutateOrder": vary_phases.order,
    "MutateRounds": vary_phases.rounds,
    "AddEffect": vary_ends.add_effect,
    "RemoveEffect": vary_ends.removing("effects"),
    "MutateEffect": vary_ends.changing("effects"),
    "AddScoring": vary_ends.adding("scoring", vary_ends.SCORINGS, vary_ends.MOST_SCORING),
    "RemoveScoring": vary_ends.removing("scoring"),
    "MutateScoring": vary_ends.changing("scoring"),
    "AddWinCondition": vary_ends.add_win,
    "RemoveWinCondition": vary_ends.removing("win_conditions"),
    "ReplaceWinCondition": vary_ends.exchange_win,
    "MutateWinCondition": vary_ends.changing("win_conditions"),
    "SwapWinConditions": vary_ends.first_win,
    "MutateTurnLimit": vary_ends.turn_limit,
}

OPERATORS: dict[str, Operator] = {name: _operator(name) for name in _CHANGES}
"""Every mutation by its name; one that does not apply to a genome gives None."""


def mutate(genome: Genome, chance: Chance) -> tuple[Genome, str]:
    """A child by an operator drawn among all, and the operator's name; those that do not apply are passed over."""
    for name in chance.shuffled(OPERATORS):
        child = OPERATORS[name](genome, chance)
        if child is not None:
            return child, name
    raise AssertionError("the turn limit can always be changed")


__all__ = ["OPERATORS", "DoesNotApply", "Operator", "child_of", "crossover", "mutate", "random_genome", "repair"]
