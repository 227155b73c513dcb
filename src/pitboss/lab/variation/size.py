"""How large a game that makes sense is: its deck, hands, table, rounds, deals and stakes, by tables of limits."""

from msgspec.structs import replace

from pitboss.lab.genome.facts import deck_size, turned_up
from pitboss.lab.genome.parts import Deck, Genome, Phase
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.variation.edits import with_phases, with_setup, with_structure
from pitboss.lab.variation.mechanics import HELD, PLAYED, has, mechanic
from pitboss.lab.wins.first_to_score import FirstToScore

ORDERS = ("23456789TJQKA", "A23456789TJQK", "3456789TJQKA2")
"""Ranks from the lowest to the highest, as people know them."""
GAPS = ("A234567JQK",)
"""Decks in which people do not mind a gap."""
LEAST_RANKS, LEAST_CARDS = 8, 32

Between = tuple[int, int]
HANDS: dict[str, tuple[Between, Between]] = {
    "tricks": ((6, 13), (3, 5)),
    "claims": ((6, 13), (4, 6)),
    "captures": ((3, 6), (3, 5)),
    "climbing": ((7, 13), (5, 7)),
    "fitting": ((5, 8), (4, 5)),
    "asking": ((5, 10), (5, 7)),
    "melds": ((6, 10), (5, 7)),
    "limit": ((2, 2), (2, 2)),
    "poker": ((3, 5), (3, 5)),
    "high card": ((1, 1), (1, 1)),  # of two cards the lower one is always exchanged
}
"""By what is done with the cards: how many everybody is dealt without bets, and with them."""
POKER_HAND, MOST_SHOWN = 5, 7
"""Where cards are turned up or come later, a hand and they are so many in the end."""
TABLE = (4, 6)
ROUNDS: dict[str, tuple[Between, Between]] = {
    "poker": ((1, 3), (1, 3)),
    "high card": ((1, 2), (1, 2)),
    "limit": ((1, 1), (1, 1)),
    "melds": ((6, 20), (2, 4)),
}
"""The same for how often all steps are gone through; other games end when the cards have been played."""
PLAYED_OUT = ("tricks", "captures")
"""Everybody plays a card a round: unless cards come from the deck, there are as many rounds as cards."""

STACKS = (10, 40)
"""A stack is so many of the greatest bet."""
BETTING_DEALS, PLAIN_DEALS, SHORT_DEALS, DRAWN_DEALS, RACE = (5, 12), (1, 5), (3, 5), (1, 3), (5, 20)
SHORT = 6
"""A deal of so many cards each or fewer is over soon."""
ANTES = (1, 2, 5, 10)
BETS = (1, 2)
"""A bet is so many antes: where it is more, the first one takes the pot."""
LEAST_TURNS, MOST_TURNS, A_TURN = 200, 2000, 40


def within(number: int, between: Between) -> int:
    """The nearest number that is within bounds."""
    return max(between[0], min(between[1], number))


def natural(deck: Deck) -> Deck:
    """A deck that people know: ranks in their order and without gaps, and enough of them.

    >>> natural(Deck(ranks="QKA", suits="cdhs")).ranks, natural(Deck(ranks="89TJQKA7")).ranks
    ('23456789TJQKA', '789TJQKA')
    >>> natural(Deck(ranks="A234567JQK")).ranks, natural(Deck(ranks="6789TQKA", suits="ch")).suits
    ('A234567JQK', 'cdhs')
    """
    ranks, suits = deck.ranks, deck.suits
    if ranks not in GAPS:
        order = next((order for order in ORDERS if list(ranks) == sorted(ranks, key=order.index)), ORDERS[0])
        places = [order.index(rank) for rank in ranks]
        ranks = order[min(places) : max(places) + 1]
        ranks = order if len(ranks) < LEAST_RANKS else ranks
    if len(ranks) * len(suits) < LEAST_CARDS:
        suits = Deck().suits
    return Deck(ranks=ranks, suits=suits)


def deck(genome: Genome) -> Genome:
    """With a deck that people know."""
    found = natural(genome.setup.deck)
    if mechanic(genome) == "claims" and len(found.ranks) % genome.player_count == 0:
        found = Deck()  # else everybody would claim the same few ranks again and again
    return with_setup(genome, initial_deck="standard_52" if found == Deck() else found)


def must_draw(phase: DrawPhase) -> bool:
    """Whether everybody has to take cards from the deck."""
    return not (phase.optional or phase.only_if_stuck) and phase.source in ("deck", "either")


def net_draws(genome: Genome) -> int:
    """By how many cards a hand grows when all steps are gone through once."""
    grown = 0
    for phase in genome.turn_structure.phases:
        if isinstance(phase, DrawPhase) and must_draw(phase):
            grown += phase.count
        if isinstance(phase, DiscardPhase) and not phase.replace:
            grown -= phase.count
    return grown


def deck_needed(genome: Genome) -> int:
    """How many cards have to come from the deck: in all rounds or, where hands are played until it is empty, in one."""
    phases = genome.turn_structure.phases
    times = 1 if has(phases, *PLAYED) else genome.turn_structure.rounds or 1
    taken = sum([phase.count for phase in phases if isinstance(phase, DrawPhase) and must_draw(phase)])
    exchanged = sum([phase.count for phase in phases if isinstance(phase, DiscardPhase) and phase.replace])
    growing = max(0, net_draws(genome))
    once = exchanged + max(0, taken - growing)  # what is put away is shuffled again
    return genome.player_count * (times * growing + once) + times * turned_up(genome)


def table(genome: Genome) -> Genome:
    """Cards lie open only where something is done with them, and there is a trump only where it takes tricks."""
    setup, phases = genome.setup, genome.turn_structure.phases
    captures = any(phase.captures and phase.plays for phase in phases)
    piled = mechanic(genome) == "fitting"
    taken = any(isinstance(phase, DrawPhase) and phase.source in ("discard", "either") for phase in phases)
    genome = with_setup(
        genome,
        initial_tableau_count=within(setup.initial_tableau_count, TABLE) if captures else 0,
        initial_discard_count=1 if piled or taken else 0,
        trump_suit=setup.trump_suit if has(phases, TrickPhase) else None,
    )
    return with_setup(genome, cards_per_player=_dealt(genome))


def _dealt(genome: Genome) -> int:
    """Enough cards for a choice, not so many that bets go on for ever, and no more than the deck lasts for."""
    setup, what = genome.setup, mechanic(genome)
    least, most = HANDS[what][bool(genome.betting_phases)]
    if what == "poker" and (later := _later(genome)):
        least, most = max(2, POKER_HAND - later), max(2, min(POKER_HAND, MOST_SHOWN - later))
    lying = setup.initial_tableau_count + setup.initial_discard_count
    left = (deck_size(genome) - lying - deck_needed(genome)) // genome.player_count
    return max(1, min(within(setup.cards_per_player, (least, most)), left))


def _later(genome: Genome) -> int:
    """How many cards are added to a hand after the deal, by all rounds."""
    once = turned_up(genome) + max(0, net_draws(genome))
    return once * max(1, genome.turn_structure.rounds)


def span(genome: Genome) -> Genome:
    """An end that comes: rounds where nothing else ends a deal, deals enough for chips to matter."""
    bets, aim, turns = bool(genome.betting_phases), genome.win_conditions[0], genome.turn_structure
    what, rounds = mechanic(genome), 0
    if what in PLAYED_OUT and not has(turns.phases, DrawPhase):
        rounds = genome.setup.cards_per_player
    elif what in ROUNDS:
        least, most = ROUNDS[what][bets]
        if isinstance(aim, HELD) and what != "melds":
            still = not has(turns.phases, DrawPhase, DiscardPhase, CommunityPhase)
            grown = turned_up(genome) + max(0, net_draws(genome))
            most = 1 if still else max(1, min(most, (MOST_SHOWN - 2) // grown)) if grown else most
        rounds = within(turns.rounds or most, (least, most))
    short = what in PLAYED_OUT and genome.setup.cards_per_player <= SHORT
    plain = DRAWN_DEALS if has(turns.phases, DrawPhase) else SHORT_DEALS if short else PLAIN_DEALS
    limits = RACE if isinstance(aim, FirstToScore) else BETTING_DEALS if bets else plain
    deals = max(within(genome.setup.deals, limits), genome.player_count if bets else 1)
    if not (bets or aim.point) and deals % 2 == 0:
        deals += 1  # deals won decide, and of an even number both may win half
    together = bets or has(turns.phases, TrickPhase, CommunityPhase)
    turn_limit = A_TURN * deals * genome.player_count
    genome = replace(genome, max_turns=within(max(genome.max_turns, turn_limit), (LEAST_TURNS, MOST_TURNS)))
    order = "rounds" if together else turns.order
    return with_setup(with_structure(genome, rounds=rounds, order=order), deals=deals)


def stakes(genome: Genome) -> Genome:
    """An ante, bets of one or two antes that never fall, and stacks of some dozens of them."""
    if not genome.betting_phases:
        return with_setup(genome, starting_chips=0, ante=0, pots="single")
    wanted = genome.setup.ante or min([phase.min_bet for phase in genome.betting_phases])
    ante = max([amount for amount in ANTES if amount <= wanted], default=ANTES[0])
    phases: list[Phase] = []
    last = ante
    for phase in genome.turn_structure.phases:
        if isinstance(phase, BettingPhase):
            last = max(last, max([n * ante for n in BETS if n * ante <= phase.min_bet], default=ante))
            phase = replace(phase, min_bet=last, max_raises=within(phase.max_raises, (1, 3)))
        phases.append(phase)
    chips = within(genome.setup.starting_chips, (STACKS[0] * last, STACKS[1] * last))
    return with_setup(with_phases(genome, tuple(phases)), ante=ante, starting_chips=chips, pots="side")
