"""Variations of a genome's turn structure: phases put in, taken out, swapped, doubled and changed; order and rounds.

Each is a plain change, not yet a valid game: `mutations.py` has every child repaired.
"""

from pitboss.chance import Chance
from pitboss.lab.genome.parts import MOST_PHASES, Genome, Phase
from pitboss.lab.phases.betting import AMOUNTS, BettingPhase
from pitboss.lab.variation.edits import NO_OTHER, Change, DoesNotApply, put, with_phases, with_setup, with_structure
from pitboss.lab.variation.values import CARD_PHASES, ROUNDS, STACKS, another, build, change

# --- betting


def add_betting(genome: Genome, chance: Chance) -> Genome:
    """A betting phase anywhere; a game without chips or ante gets them."""
    phases = _with_room(genome)
    if not genome.setup.starting_chips:
        genome = with_setup(genome, starting_chips=chance.choice(STACKS))
    phase = build(BettingPhase, genome, chance)
    if not genome.setup.ante:  # or nothing would be lost by checking for ever
        genome = with_setup(genome, ante=chance.choice([amount for amount in AMOUNTS if amount <= phase.min_bet]))
    return with_phases(genome, put(phases, chance.below(len(phases) + 1), phase))


def remove_betting(genome: Genome, chance: Chance) -> Genome:
    """One betting phase less; with the last of them go chips and ante."""
    child = _without_one(genome, chance, (BettingPhase,))
    if child.betting_phases:
        return child
    return with_setup(child, starting_chips=0, ante=0, pots="single")


# --- all others


def add(genome: Genome, chance: Chance) -> Genome:
    """A phase with cards, anywhere."""
    phases = _with_room(genome)
    phase = build(chance.choice(CARD_PHASES), genome, chance)
    return with_phases(genome, put(phases, chance.below(len(phases) + 1), phase))


def remove(genome: Genome, chance: Chance) -> Genome:
    """One phase with cards less."""
    return _without_one(genome, chance, CARD_PHASES)


def exchange(genome: Genome, chance: Chance) -> Genome:
    """A phase with cards of another kind instead of one."""
    place = _place(genome, chance, CARD_PHASES)
    phases = genome.turn_structure.phases
    kinds = [kind for kind in CARD_PHASES if kind is not type(phases[place])]
    return with_phases(genome, put(phases, place, build(chance.choice(kinds), genome, chance), instead_of=1))


def swap(genome: Genome, chance: Chance) -> Genome:
    """Two phases that are not the same change places."""
    phases = genome.turn_structure.phases
    pairs = [(i, j) for j in range(len(phases)) for i in range(j) if phases[i] != phases[j]]
    if not pairs:
        raise DoesNotApply("no two phases differ")
    i, j = chance.choice(pairs)
    return with_phases(genome, put(put(phases, i, phases[j], instead_of=1), j, phases[i], instead_of=1))


def double(genome: Genome, chance: Chance) -> Genome:
    """A phase stands a second time, anywhere."""
    phases = _with_room(genome)
    return with_phases(genome, put(phases, chance.below(len(phases) + 1), chance.choice(phases)))


def changing(kind: type[Phase]) -> Change:
    """The variation that changes a field of a phase of this kind."""

    def vary(genome: Genome, chance: Chance) -> Genome:
        return _changed(genome, chance, kind)

    vary.__doc__ = f"Another value in a field of a {_name((kind,))}."
    return vary


def order(genome: Genome, chance: Chance) -> Genome:
    """Turns instead of rounds, or the other way round."""
    flipped = "rounds" if genome.turn_structure.order == "turns" else "turns"
    return with_structure(genome, order=flipped)


def rounds(genome: Genome, chance: Chance) -> Genome:
    """Another number of rounds a deal."""
    return with_structure(genome, rounds=another(chance, ROUNDS, genome.turn_structure.rounds))


def _with_room(genome: Genome) -> tuple[Phase, ...]:
    """The phases, if there may be one more."""
    phases = genome.turn_structure.phases
    if len(phases) >= MOST_PHASES:
        raise DoesNotApply(f"there are {len(phases)} phases already")
    return phases


def _name(kinds: tuple[type[Phase], ...]) -> str:
    """What phases of these kinds are called: "draw phase"."""
    return f"{kinds[0].__name__.removesuffix('Phase').lower()} phase" if len(kinds) == 1 else "phase with cards"


def _place(genome: Genome, chance: Chance, kinds: tuple[type[Phase], ...]) -> int:
    """Where a phase of one of these kinds stands."""
    places = [place for place, phase in enumerate(genome.turn_structure.phases) if isinstance(phase, kinds)]
    if not places:
        raise DoesNotApply(f"there is no {_name(kinds)}")
    return chance.choice(places)


def _changed(genome: Genome, chance: Chance, kind: type[Phase]) -> Genome:
    place, phases = _place(genome, chance, (kind,)), genome.turn_structure.phases
    changed = change(phases[place], genome, chance)
    if changed is None:
        raise DoesNotApply(NO_OTHER)
    return with_phases(genome, put(phases, place, changed, instead_of=1))


def _without_one(genome: Genome, chance: Chance, kinds: tuple[type[Phase], ...]) -> Genome:
    place, phases = _place(genome, chance, kinds), genome.turn_structure.phases
    if len(phases) == 1:
        raise DoesNotApply("it is the only phase")
    return with_phases(genome, put(phases, place, instead_of=1))
