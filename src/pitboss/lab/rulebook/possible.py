"""What can happen in a game, so that its rulebook speaks of nothing else."""

from pitboss.lab.genome.facts import cards_leave, has_hands, has_tricks, settled_from, turned_up, undealt
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
    """Whether a card surely moves in every round there is: all have as many, and play one to each trick."""
    phases = genome.turn_structure.phases
    only = all((phase.tricks and phase.captures) or phase.bets or phase.turned_up for phase in phases)
    laid = any(isinstance(effect, LaySets) for effect in genome.effects)
    return only and not laid and has_tricks(genome) and genome.setup.cards_per_player > 0


def plays_out(genome: Genome) -> bool:
    """Whether all can come to be without a card before anything else ends the deal."""
    if any(win.needs_cards for win in genome.win_conditions) or not cards_leave(genome):
        return False
    if not always_moves(genome):
        return True
    turns, cards = genome.turn_structure, genome.setup.cards_per_player
    tricks = [phase.tricks for phase in turns.phases]
    times = turns.rounds * (genome.player_count if turns.order == "turns" else 1) * sum(tricks)
    return times == 0 or times > cards or (times == cards and not tricks[-1] and settled_from(genome) == len(tricks))


def cards_come(genome: Genome) -> bool:
    """Whether anybody takes a card into the hand after the deal."""
    return takes_from_deck(genome) or any(phase.grows or phase.takes_known for phase in genome.turn_structure.phases)


def sheds(genome: Genome) -> int:
    """How many cards surely leave each hand in a round, where no hand ever grows; else 0."""
    turns = genome.turn_structure
    grows = _makes_draw(genome) or any(phase.grows or phase.takes_known for phase in turns.phases)
    missed = any(isinstance(effect, CardEffect) for effect in genome.effects) or genome.betting_phases
    if grows or (turns.order == "turns" and missed):  # where a turn may be missed, or folding makes a round shorter
        return 0
    return sum([phase.shed for phase in turns.phases])


def rounds_end_it(genome: Genome) -> bool:
    """Whether a deal can be over since all its rounds were played, not before since hands run out."""
    runs_out = any(win.needs_cards and win.at_once for win in genome.win_conditions)
    rounds = genome.turn_structure.rounds
    return rounds > 0 and not (runs_out and sheds(genome) * rounds >= genome.setup.cards_per_player)


def uses_deck(genome: Genome) -> bool:
    """Whether cards ever come from the deck once all is dealt."""
    return takes_from_deck(genome) or turned_up(genome) > 0


def lies_open(genome: Genome) -> bool:
    """Whether cards come to lie face up where they could be forgotten: in piles, or in front of somebody."""
    return takes_cards(genome) or any(phase.discards or phase.plays for phase in genome.turn_structure.phases)


def takes_from_deck(genome: Genome) -> bool:
    """Whether anybody takes cards from the deck into the hand."""
    return any(phase.taken for phase in genome.turn_structure.phases) or _makes_draw(genome)


def _makes_draw(genome: Genome) -> bool:
    """Whether a card is played that lets another player draw."""
    makes = any(isinstance(effect, CardEffect) and effect.effect == "draw_two" for effect in genome.effects)
    return makes and any(phase.plays for phase in genome.turn_structure.phases)


def deck_runs_out(genome: Genome) -> bool:
    """Whether more cards can be taken and turned up than the deck has."""
    turns, n = genome.turn_structure, genome.player_count
    taken = n * sum([phase.taken for phase in turns.phases])
    a_round = taken + turned_up(genome) * (n if turns.order == "turns" else 1)
    return a_round > 0 and (turns.rounds == 0 or _makes_draw(genome) or turns.rounds * a_round > undealt(genome))
