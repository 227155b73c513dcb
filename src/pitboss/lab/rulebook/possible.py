"""What can happen in a game, so that its rulebook speaks of nothing else."""

from pitboss.lab.genome.facts import has_hands, has_tricks, turned_up, undealt
from pitboss.lab.genome.parts import CardEffect, CardPoints, Genome, LaySets, Scoring


def runs_short(genome: Genome) -> bool:
    """Whether somebody can have too few chips for a bet or a call: not in a deal that all begin with enough."""
    setup, bets = genome.setup, genome.betting_phases
    most = setup.ante + sum([bet.min_bet * (1 + bet.max_raises) for bet in bets])
    return setup.deals > 1 or genome.turn_structure.rounds != 1 or most > setup.starting_chips


def points_matter(genome: Genome) -> bool:
    """Whether anything is decided by points."""
    first, *others = genome.win_conditions
    wins = [first, *[win for win in others if win.ends(genome) or win.final_score]]
    return any(win.point or win.final_score for win in wins)


def can_score(rule: Scoring, genome: Genome) -> bool:
    """Whether there is ever anything for which this rule gives points."""
    if not isinstance(rule, CardPoints):
        return has_tricks(genome)
    deck = genome.setup.deck
    if rule.cards[0] not in f"*{deck.ranks}" or rule.cards[1] not in f"*{deck.suits}":
        return False
    return has_hands(genome) if rule.where == "hand" else takes_cards(genome)


def takes_cards(genome: Genome) -> bool:
    """Whether cards can come to lie before somebody."""
    laid = any(isinstance(effect, LaySets) for effect in genome.effects)
    return laid or any(phase.captures for phase in genome.turn_structure.phases)


def scoring_rules(genome: Genome) -> tuple[Scoring, ...]:
    """The rules of scoring that can matter."""
    return tuple([rule for rule in genome.scoring if can_score(rule, genome)]) if points_matter(genome) else ()


def speaks_of(genome: Genome, pile: str) -> bool:
    """Whether any step speaks of these cards: "discards" or "table"."""
    return any(pile in phase.step(genome, at) for at, phase in enumerate(genome.turn_structure.phases))


def always_moves(genome: Genome) -> bool:
    """Whether a card surely moves in every round there is: everybody has one for each trick of the deal."""
    turns = genome.turn_structure
    tricks = len([phase for phase in turns.phases if phase.tricks])
    only = all(phase.tricks or phase.bets or phase.turned_up for phase in turns.phases)
    laid = any(isinstance(effect, LaySets) for effect in genome.effects)
    return only and not laid and 0 < turns.rounds * tricks <= genome.setup.cards_per_player


def runs_out(genome: Genome) -> bool:
    """Whether the deck can be used up by the cards that are turned up."""
    turns = genome.turn_structure
    times = turns.rounds * (genome.player_count if turns.order == "turns" else 1)
    draws = any(phase.draws or (phase.releases and phase.uses_deck) for phase in turns.phases)
    return turned_up(genome) > 0 and (times == 0 or draws or times * turned_up(genome) > undealt(genome))


def uses_deck(genome: Genome) -> bool:
    """Whether cards ever come from the deck once all is dealt."""
    return draws_cards(genome) or any(phase.uses_deck for phase in genome.turn_structure.phases)


def draws_cards(genome: Genome) -> bool:
    """Whether anybody takes cards from the deck into the hand, other than in exchange."""
    phases = genome.turn_structure.phases
    if any(phase.draws for phase in phases):
        return True
    two = any(isinstance(effect, CardEffect) and effect.effect == "draw_two" for effect in genome.effects)
    return two and any(phase.plays for phase in phases)


def lies_open(genome: Genome) -> bool:
    """Whether cards come to lie face up where they could be forgotten: in piles, or in front of somebody."""
    return takes_cards(genome) or any(phase.discards or phase.plays for phase in genome.turn_structure.phases)
