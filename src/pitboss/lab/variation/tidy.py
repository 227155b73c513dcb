"""Makes a playable game one that makes sense: parts that serve its aim, sensible steps, a deck, hands and stakes of
a usual size.
"""

from collections.abc import Sequence
from math import gcd

from msgspec.structs import replace

from pitboss.lab.genome import (
    Between,
    CardEffect,
    CardPoints,
    Deck,
    Effect,
    Genome,
    LaySets,
    Phase,
    Scoring,
    TrickPoints,
    WinCondition,
    counts_all,
    dealt,
    deck_size,
    has_tricks,
    lays_sets,
    main_phase,
    mechanic,
    turned_up,
)
from pitboss.lab.phases.kinds import plain_phases
from pitboss.lab.variation.edits import with_phases, with_setup, with_structure
from pitboss.lab.variation.repair import repair
from pitboss.lab.wins import kinds as wins

ORDERS = ("23456789TJQKA", "A23456789TJQK", "3456789TJQKA2")
"""Ranks from the lowest to the highest, as people know them."""
GAPS = ("A234567JQK",)
"""Decks in which people do not mind a gap."""
LEAST_RANKS, LEAST_CARDS = 8, 32

MOST_SHOWN = 7
"""Where cards are turned up or come later, a hand and they are so many at the most."""
TABLE = (4, 6)
STACKS = (10, 40)
"""A stack is so many of the greatest bet."""
BETTING_DEALS, PLAIN_DEALS, SHORT_DEALS, DRAWN_DEALS, RACE = (5, 12), (1, 5), (3, 5), (1, 3), (5, 20)
SHORT_HAND = 6
"""A deal of so many cards each or fewer is over soon."""
ANTES = (1, 2, 5, 10)
LEAST_TURNS, MOST_TURNS, A_TURN = 200, 2000, 40
MOST_STEPS, MOST_BETS = 5, 3
PASSES = 8
"""A change makes others needful; after so many times through there are none left."""
MOST_EFFECTS, MOST_LINES = 3, 4
"""A player remembers so many special cards, and so many lines of points."""


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
    main = main_phase(genome)
    if main and main.claims and len(found.ranks) % genome.player_count == 0:
        found = Deck()  # else everybody would claim the same few ranks again and again
    return with_setup(genome, initial_deck="standard_52" if found == Deck() else found)


def net_draws(genome: Genome) -> int:
    """By how many cards a hand grows when all steps are gone through once."""
    phases = genome.turn_structure.phases
    return sum([phase.traits.must_take - (0 if phase.main else phase.traits.put_away) for phase in phases])


def deck_needed(genome: Genome) -> int:
    """How many cards have to come from the deck: in all rounds or, where hands are played until it is empty, in one."""
    phases = genome.turn_structure.phases
    times = 1 if main_phase(genome) else genome.turn_structure.rounds or 1
    taken = sum([phase.traits.must_take for phase in phases])
    exchanged = sum([phase.traits.taken for phase in phases if phase.traits.throws])
    growing = max(0, net_draws(genome))
    once = exchanged + max(0, taken - growing)  # what is put away is shuffled again
    return genome.player_count * (times * growing + once) + times * turned_up(genome)


def table(genome: Genome) -> Genome:
    """Cards lie open only where something is done with them, and there is a trump only where it takes tricks."""
    setup, phases = genome.setup, genome.turn_structure.phases
    captures = any(phase.traits.captures and phase.plays for phase in phases)
    piled = mechanic(genome).starts_pile
    taken = any(phase.traits.takes_discards for phase in phases)
    genome = with_setup(
        genome,
        initial_tableau_count=within(setup.initial_tableau_count, TABLE) if captures else 0,
        initial_discard_count=1 if piled or taken else 0,
        trump_suit=setup.trump_suit if has_tricks(genome) else None,
    )
    return with_setup(genome, cards_per_player=_dealt(genome))


def _dealt(genome: Genome) -> int:
    """Enough cards for a choice, not so many that bets go on for ever, and no more than the deck lasts for."""
    setup, what = genome.setup, mechanic(genome)
    least, most = what.hands[bool(genome.betting_phases)]
    if what.whole and (later := _later(genome)):
        least, most = max(2, what.whole - later), max(2, min(what.whole, MOST_SHOWN - later))
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
    drawn = any(phase.traits.grows for phase in turns.phases)
    if what.each_round and not drawn:
        rounds = genome.setup.cards_per_player
    elif what.rounds:
        least, most = what.rounds[bets]
        if aim.of_holding and not aim.melds:
            still = not any(phase.traits.grows or phase.traits.throws or phase.least_shared for phase in turns.phases)
            grown = turned_up(genome) + max(0, net_draws(genome))
            most = 1 if still else max(1, min(most, (MOST_SHOWN - 2) // grown)) if grown else most
        rounds = within(turns.rounds or most, (least, most))
    short = what.each_round and genome.setup.cards_per_player <= SHORT_HAND
    plain = DRAWN_DEALS if drawn else SHORT_DEALS if short else PLAIN_DEALS
    limits = RACE if aim.final_score else BETTING_DEALS if bets else plain
    deals = max(within(genome.setup.deals, limits), genome.player_count if bets else 1)
    if not (bets or aim.point) and deals % 2 == 0:
        deals += 1  # deals won decide, and of an even number both may win half
    together = bets or any(phase.tricks or phase.least_shared for phase in turns.phases)
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
        phase, last = phase.staked(ante, last)
        phases.append(phase)
    chips = within(genome.setup.starting_chips, (STACKS[0] * last, STACKS[1] * last))
    return with_setup(with_phases(genome, tuple(phases)), ante=ante, starting_chips=chips, pots="side")


def steps(genome: Genome) -> Genome:
    """Only phases that serve the aim, and at least one that does."""
    aim = genome.win_conditions[0]
    phases = [phase for phase in genome.turn_structure.phases if phase.bets or phase.serves(aim)]
    phases = [phase.sensible(genome, phases) for phase in phases]
    left = _held(phases, genome) if aim.of_holding else _played(phases, genome)
    return with_phases(genome, tuple(left) or plain_phases(aim))


# --- hands that are played away


def _played(phases: Sequence[Phase], genome: Genome) -> list[Phase]:
    """The bet, what there is to take or exchange, and the play; what comes from the deck comes after it."""
    aim, lays = genome.win_conditions[0], lays_sets(genome)
    main = max([phase for phase in phases if phase.main], key=lambda phase: phase.main, default=None)
    first = [phase for phase in phases if phase.bets][:1]
    first += [phase for phase in phases if not (phase.bets or phase.main or phase.traits.grows or phase.traits.throws)][
        :1
    ]
    draw = next((phase for phase in phases if phase.traits.grows), None)
    if main is None:
        if draw is None or not (lays or aim.point < 0):
            return [*first, *plain_phases(aim)]
        alone = draw.traits.from_others and lays
        return [*[phase for phase in first if not phase.bets], *((draw,) if alone else draw.collecting())]
    exchange = next((phase for phase in phases if phase.traits.throws), None)
    if aim.sheds:
        fitting = main.plays and not main.traits.clears
        drawn = draw and (fitting or draw.traits.from_others)  # else who has played most is nearest to the end
        return [*first, *([draw] if draw and drawn else []), main]
    if exchange:
        return [*first, exchange, main]
    if draw and not any(phase.bets for phase in first):  # with bets a deal is as long as the hand that was dealt
        return [*first, main, draw]
    return [*first, main]


# --- hands that are compared


def _held(phases: Sequence[Phase], genome: Genome) -> list[Phase]:
    """Bets with something between them, the last of them at the end, and hands as large as they were dealt."""
    aim = genome.win_conditions[0]
    left: list[Phase] = []
    for phase in phases:  # two steps of a kind, one after the other, are one
        if not left or type(phase) is not type(left[-1]):
            left.append(phase)
    bets = [phase for phase in left if phase.bets]
    alone = any(phase.traits.grows for phase in left) or not bets or not any(phase.traits.throws for phase in left)
    if aim.melds and alone:
        return [*plain_phases(aim), *bets[:1]]  # what one throws away another can take: else everybody plays alone
    return _balanced(_bets_last(left, genome) if bets else left[:MOST_STEPS], aim)


def _bets_last(phases: list[Phase], genome: Genome) -> list[Phase]:
    """A few bets, the last of them after all that changes a hand; only where cards may be too many they come later."""
    again, aim = genome.turn_structure.rounds != 1, genome.win_conditions[0]
    bet = next(phase for phase in reversed(phases) if phase.bets)
    left = phases[: MOST_STEPS - 1]
    if aim.limit and not any(phase.traits.grows for phase in left):
        left = [bet, *[phase for phase in plain_phases(aim) if not phase.bets]]
    risky = aim.limit and left[-1].traits.grows and any(phase.bets for phase in left)
    if not left[-1].bets and not risky:
        left = [*left, bet]
    bets = [at for at, phase in enumerate(left) if phase.bets]
    spare = bets[: max(0, len(bets) - MOST_BETS)]
    if again and left[0].bets and left[-1].bets and len(left) > 1:
        spare = sorted({0, *spare})
    return [phase for at, phase in enumerate(left) if at not in spare]


def _balanced(phases: list[Phase], aim: WinCondition) -> list[Phase]:
    """A compared hand stays as large as it was dealt: what is put away comes back, unless a draw came before."""
    drawn = 0
    changed: list[Phase] = []
    for phase in phases:
        phase, drawn = phase.balanced(aim, drawn)
        changed.append(phase)
    return changed


def tidy(genome: Genome) -> Genome:
    """The nearest game in which every part serves its aim; one that makes sense already comes back as it is.

    >>> from pitboss.lab.files import load
    >>> tidy(load("kuhn")).setup.deals
    5
    """
    for _ in range(PASSES):
        before = genome
        for mend in (_aim, steps, _rules, deck, span, table, stakes):
            genome = mend(genome)
        genome = repair(genome)
        if genome == before:
            break
    return genome


def only_compares(genome: Genome) -> bool:
    """Whether hands are shown and nothing is at stake: without bets, to keep one's best cards is no game.

    >>> from pitboss.lab.files import load
    >>> only_compares(load("war")), only_compares(load("kuhn")), only_compares(load("gin"))
    (False, False, False)
    """
    aim = genome.win_conditions[0]
    return aim.of_holding and not aim.melds and not genome.betting_phases


# --- the aim


def _aim(genome: Genome) -> Genome:
    """One aim; beside points, running out of cards may end a deal. Pots never go by points of earlier deals."""
    first, *others = genome.win_conditions
    aim = wins.sensible(first, genome)
    ends = [win for win in others if win.sheds and aim.point and not main_phase(genome)]
    return replace(genome, win_conditions=(aim, *ends[:1]))


# --- effects and points


def _rules(genome: Genome) -> Genome:
    """Effects of cards that are played one after another, and points where points decide, each line once."""
    aim, phases = genome.win_conditions[0], genome.turn_structure.phases
    plays = aim.sheds and any(phase.plays for phase in phases)
    turns = genome.turn_structure.order == "turns" and not genome.betting_phases
    effects: list[Effect] = []
    for effect in genome.effects:
        if isinstance(effect, CardEffect):
            if plays and (turns or effect.effect == "draw_two"):
                effects.append(effect)
        elif _lays(effect, genome):
            effects.append(replace(effect, points=max(0, effect.points) if aim.point else 0))
    scoring = [rule for rule in genome.scoring if aim.point and _scores(rule, aim, phases)]
    if has_tricks(genome):  # all cards of all tricks: the tricks
        scoring = [TrickPoints(points=rule.points) if counts_all(rule) else rule for rule in scoring]
    lines = joined([_seen(rule, genome) for rule in scoring])[:MOST_LINES]
    if not (effects or aim.final_score):
        lines = smallest(lines)
    return replace(genome, effects=tuple(effects[:MOST_EFFECTS]), scoring=lines)


def _seen(rule: Scoring, genome: Genome) -> Scoring:
    """The line; or the same of a whole suit where a single card would mostly be neither held nor taken by anybody."""
    if not isinstance(rule, CardPoints) or "*" in rule.cards:
        return rule
    grows = any(traits.grows for traits in genome.traits)
    dealt_out = grows or 2 * dealt(genome) >= deck_size(genome)
    return rule if dealt_out and len(genome.scoring) > 1 else replace(rule, cards=f"*{rule.cards[1]}")


def smallest(rules: Sequence[Scoring]) -> tuple[Scoring, ...]:
    """The same lines in the smallest whole points.

    >>> smallest((CardPoints(cards="*h", points=4), TrickPoints(points=-6)))
    (CardPoints(cards='*h', points=2, where='captured'), TrickPoints(points=-3))
    """
    common = gcd(*[rule.points for rule in rules]) or 1
    return tuple([replace(rule, points=rule.points // common) for rule in rules])


def joined(rules: Sequence[Scoring]) -> tuple[Scoring, ...]:
    """Lines of the same cards, or of tricks, made one; a line that comes to nothing goes.

    >>> joined((TrickPoints(points=3), CardPoints(cards="*h"), TrickPoints(), CardPoints(cards="*h", points=-1)))
    (TrickPoints(points=4),)
    """
    lines: dict[Scoring, int] = {}
    for rule in rules:
        same = replace(rule, points=1)
        lines[same] = lines.get(same, 0) + rule.points
    return tuple([replace(rule, points=points) for rule, points in lines.items() if points])


def _lays(effect: LaySets, genome: Genome) -> bool:
    """Whether sets that are laid do somebody good: they go out of the hand by themselves, so nothing else may."""
    aim, grows = genome.win_conditions[0], any(traits.grows for traits in genome.traits)
    if main_phase(genome) or not grows:
        return False
    if aim.point < 0:
        return effect.points == 0
    return aim.at_once or (aim.point > 0 and effect.points > 0)


def _scores(rule: Scoring, aim: WinCondition, phases: Sequence[Phase]) -> bool:
    tricks = any(phase.tricks for phase in phases)
    if isinstance(rule, TrickPoints):
        return tricks
    if rule.where == "hand":
        return aim.point < 0 and not tricks and rule.points > 0 and any(phase.traits.throws for phase in phases)
    return tricks or any(phase.traits.captures for phase in phases)
