"""What follows from a genome alone, for whoever checks, explains, varies or solves it."""

from pitboss.lab.genome.parts import CardEffect, Genome, LaySets, WinCondition


def deck_size(genome: Genome) -> int:
    """How many cards there are."""
    return len(genome.setup.deck.ranks) * len(genome.setup.deck.suits)


def dealt(genome: Genome) -> int:
    """How many cards are dealt before the first phase."""
    setup = genome.setup
    each = genome.player_count * setup.cards_per_player
    return each + setup.initial_discard_count + setup.initial_tableau_count


def undealt(genome: Genome) -> int:
    """The cards that are left in the deck when all is dealt; negative where it has too few."""
    return deck_size(genome) - dealt(genome)


def turned_up(genome: Genome) -> int:
    """The community cards that are turned up when all phases are gone through once."""
    return sum([phase.turned_up for phase in genome.turn_structure.phases])


def brings_cards(genome: Genome) -> bool:
    """Whether cards can come into hands that nobody held before."""
    left = undealt(genome)
    return any(phase.brings(genome, left) for phase in genome.turn_structure.phases)


def has_hands(genome: Genome) -> bool:
    """Whether anybody ever holds a card."""
    return genome.setup.cards_per_player > 0 or brings_cards(genome)


def has_tricks(genome: Genome) -> bool:
    """Whether tricks are played."""
    return any(phase.tricks for phase in genome.turn_structure.phases)


def cards_leave(genome: Genome) -> bool:
    """Whether a hand can become smaller."""
    if any(isinstance(effect, LaySets) for effect in genome.effects):
        return True
    return any(phase.releases for phase in genome.turn_structure.phases)


def cards_come_or_go(genome: Genome) -> bool:
    """Whether hands can differ in size, beside by the cards that are played to tricks."""
    if any(isinstance(effect, LaySets) for effect in genome.effects):
        return True
    phases = genome.turn_structure.phases
    return any(phase.grows or phase.draws or (phase.releases and not phase.tricks) for phase in phases)


def most_held(genome: Genome) -> int:
    """The most cards that a hand can have: as many as were dealt, or all there are where hands can grow."""
    grows = any(phase.grows or phase.takes_known for phase in genome.turn_structure.phases)
    made = any(isinstance(effect, CardEffect) and effect.effect == "draw_two" for effect in genome.effects)
    return deck_size(genome) if grows or made else genome.setup.cards_per_player


def hands_differ(genome: Genome) -> bool:
    """Whether hands can differ in size when a deal is over, or nothing shows that they cannot."""
    turns = genome.turn_structure
    laid = any(isinstance(effect, LaySets) for effect in genome.effects)
    if laid or turns.rounds == 0 or any(win.ends(genome) for win in genome.win_conditions):
        return True
    taken = genome.player_count * turns.rounds * sum([phase.taken + phase.turned_up for phase in turns.phases])
    return taken > undealt(genome) or any(phase.uneven for phase in turns.phases)


def deciding_wins(genome: Genome) -> tuple[WinCondition, ...]:
    """The win conditions that can decide a deal: the first, and those that can end one."""
    first, *others = genome.win_conditions
    return (first, *[win for win in others if win.ends(genome)])


def next_play(genome: Genome, after: int) -> int | None:
    """The place of the first play phase that follows, if any does."""
    phases = genome.turn_structure.phases
    return next((at for at in range(after + 1, len(phases)) if phases[at].plays), None)


def settled_from(genome: Genome) -> int:
    """The phase from which on a last round has only bets, where what wins lies open; else how many phases there are."""
    phases = genome.turn_structure.phases
    moving = [at + 1 for at, phase in enumerate(phases) if not phase.bets]
    return moving[-1] if moving and genome.win_conditions[0].lies_open(genome) else len(phases)


def only_blind(genome: Genome) -> bool:
    """Whether cards are only ever turned up from a pile, so that nobody looks at his own."""
    looks = [phase.looks for phase in genome.turn_structure.phases if phase.looks is not None]
    return bool(looks) and not any(looks)
