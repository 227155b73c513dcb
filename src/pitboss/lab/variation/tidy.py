"""Makes a playable game sensible: every part serves its aim, and the deck, hands and stakes have usual sizes."""

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
"""The usual orders of ranks. The lowest rank is first."""
GAPS = ("A234567JQK",)
"""Usual decks with a gap between two ranks."""
LEAST_RANKS, LEAST_CARDS = 8, 32

MOST_SHOWN = 7
"""The maximum size of a hand, including cards that are turned up or drawn later."""
TABLE = (4, 6)
STACKS = (10, 40)
"""The bounds of a player's chips, in units of the largest bet."""
BETTING_DEALS, PLAIN_DEALS, SHORT_DEALS, DRAWN_DEALS, RACE = (5, 12), (1, 5), (3, 5), (1, 3), (5, 20)
SHORT_HAND = 6
"""The maximum number of cards per player in a short deal."""
ANTES = (1, 2, 5, 10)
LEAST_TURNS, MOST_TURNS, A_TURN = 200, 2000, 40
MOST_STEPS, MOST_BETS = 5, 3
PASSES = 8
"""The maximum number of passes. A change can require others in the next pass."""
MOST_EFFECTS, MOST_LINES = 3, 4
"""The maximum number of special cards, and of scoring rules. Players cannot remember more."""


def clamp(number: int, between: Between) -> int:
    """Return the nearest number within bounds."""
    return max(between[0], min(between[1], number))


def usual_deck(deck: Deck) -> Deck:
    """Return a usual deck: its ranks are in order without gaps, and it has enough cards.

    >>> usual_deck(Deck(ranks="QKA", suits="cdhs")).ranks, usual_deck(Deck(ranks="89TJQKA7")).ranks
    ('23456789TJQKA', '789TJQKA')
    >>> usual_deck(Deck(ranks="A234567JQK")).ranks, usual_deck(Deck(ranks="6789TQKA", suits="ch")).suits
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


def tidy_deck(genome: Genome) -> Genome:
    """Return the game with a usual deck."""
    found = usual_deck(genome.setup.deck)
    main = main_phase(genome)
    if main and main.claims and len(found.ranks) % genome.player_count == 0:
        found = Deck()  # with other decks each player would always claim the same few ranks
    return with_setup(genome, initial_deck="standard_52" if found == Deck() else found)


def net_draws(genome: Genome) -> int:
    """Return the number of cards by which a hand grows in one round."""
    phases = genome.turn_structure.phases
    return sum([phase.traits.must_take - (0 if phase.main else phase.traits.put_away) for phase in phases])


def deck_needed(genome: Genome) -> int:
    """Return the number of cards drawn from the deck in all rounds, or in one round if hands are played out."""
    phases = genome.turn_structure.phases
    times = 1 if main_phase(genome) else genome.turn_structure.rounds or 1
    taken = sum([phase.traits.must_take for phase in phases])
    exchanged = sum([phase.traits.taken for phase in phases if phase.traits.throws])
    growing = max(0, net_draws(genome))
    once = exchanged + max(0, taken - growing)  # discards can be shuffled and drawn again
    return genome.player_count * (times * growing + once) + times * turned_up(genome)


def tidy_table(genome: Genome) -> Genome:
    """Return the game with face-up cards only if they are used, and with trumps only if there are tricks."""
    setup, phases = genome.setup, genome.turn_structure.phases
    captures = any(phase.traits.captures and phase.plays for phase in phases)
    piled = mechanic(genome).starts_pile
    taken = any(phase.traits.takes_discards for phase in phases)
    genome = with_setup(
        genome,
        initial_tableau_count=clamp(setup.initial_tableau_count, TABLE) if captures else 0,
        initial_discard_count=1 if piled or taken else 0,
        trump_suit=setup.trump_suit if has_tricks(genome) else None,
    )
    return with_setup(genome, cards_per_player=_dealt(genome))


def _dealt(genome: Genome) -> int:
    """Return the cards per player: enough for choices, not too many for betting, and not more than the deck has."""
    setup, what = genome.setup, mechanic(genome)
    least, most = what.hands[bool(genome.betting_phases)]
    if what.whole and (later := _later(genome)):
        least, most = max(2, what.whole - later), max(2, min(what.whole, MOST_SHOWN - later))
    lying = setup.initial_tableau_count + setup.initial_discard_count
    left = (deck_size(genome) - lying - deck_needed(genome)) // genome.player_count
    return max(1, min(clamp(setup.cards_per_player, (least, most)), left))


def _later(genome: Genome) -> int:
    """Return the number of cards added to a hand after the deal, in all rounds."""
    once = turned_up(genome) + max(0, net_draws(genome))
    return once * max(1, genome.turn_structure.rounds)


def tidy_span(genome: Genome) -> Genome:
    """Return the game with rounds if nothing else ends a deal, and with enough deals for chips to matter."""
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
        rounds = clamp(turns.rounds or most, (least, most))
    short = what.each_round and genome.setup.cards_per_player <= SHORT_HAND
    plain = DRAWN_DEALS if drawn else SHORT_DEALS if short else PLAIN_DEALS
    limits = RACE if aim.final_score else BETTING_DEALS if bets else plain
    deals = max(clamp(genome.setup.deals, limits), genome.player_count if bets else 1)
    if not (bets or aim.point) and deals % 2 == 0:
        deals += 1  # with an even number, each of two players can win half
    together = bets or any(phase.tricks or phase.least_shared for phase in turns.phases)
    turn_limit = A_TURN * deals * genome.player_count
    genome = replace(genome, max_turns=clamp(max(genome.max_turns, turn_limit), (LEAST_TURNS, MOST_TURNS)))
    order = "rounds" if together else turns.order
    return with_setup(with_structure(genome, rounds=rounds, order=order), deals=deals)


def tidy_stakes(genome: Genome) -> Genome:
    """Return the game with an ante, bets of one or two antes that never decrease, and a usual number of chips."""
    if not genome.betting_phases:
        return with_setup(genome, starting_chips=0, ante=0, pots="single")
    wanted = genome.setup.ante or min([phase.min_bet for phase in genome.betting_phases])
    ante = max([amount for amount in ANTES if amount <= wanted], default=ANTES[0])
    phases: list[Phase] = []
    last = ante
    for phase in genome.turn_structure.phases:
        phase, last = phase.staked(ante, last)
        phases.append(phase)
    chips = clamp(genome.setup.starting_chips, (STACKS[0] * last, STACKS[1] * last))
    return with_setup(with_phases(genome, tuple(phases)), ante=ante, starting_chips=chips, pots="side")


def tidy_steps(genome: Genome) -> Genome:
    """Return the game with only the phases that serve the aim. There is at least one phase."""
    aim = genome.win_conditions[0]
    phases = [phase for phase in genome.turn_structure.phases if phase.bets or phase.serves(aim)]
    phases = [phase.sensible(genome, phases) for phase in phases]
    left = _held(phases, genome) if aim.of_holding else _played(phases, genome)
    return with_phases(genome, tuple(left) or plain_phases(aim))


# --- hands that are played out


def _played(phases: Sequence[Phase], genome: Genome) -> list[Phase]:
    """Return a bet, a phase that takes or exchanges cards, and the main phase. A draw can follow the main phase."""
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
        drawn = draw and (fitting or draw.traits.from_others)
        return [*first, *([draw] if draw and drawn else []), main]
    if exchange:
        return [*first, exchange, main]
    if draw and not any(phase.bets for phase in first):  # hands do not grow in games with bets
        return [*first, main, draw]
    return [*first, main]


# --- hands that are compared


def _held(phases: Sequence[Phase], genome: Genome) -> list[Phase]:
    """Return bets with other phases between them. The last bet is at the end, and hands keep their size."""
    aim = genome.win_conditions[0]
    left: list[Phase] = []
    for phase in phases:  # keep one of several consecutive phases of a kind
        if not left or type(phase) is not type(left[-1]):
            left.append(phase)
    bets = [phase for phase in left if phase.bets]
    alone = any(phase.traits.grows for phase in left) or not bets or not any(phase.traits.throws for phase in left)
    if aim.melds and alone:
        return [*plain_phases(aim), *bets[:1]]  # players can take others' discards
    return _balanced(_bets_last(left, genome) if bets else left[:MOST_STEPS], aim)


def _bets_last(phases: list[Phase], genome: Genome) -> list[Phase]:
    """Return the phases with a few bets. The last bet is after all changes of hands, except after a risky draw.

    A draw is risky if it can go over a limit of points.
    """
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
    """Return the phases changed so that compared hands keep their size. A discard after no draw becomes an exchange."""
    drawn = 0
    changed: list[Phase] = []
    for phase in phases:
        phase, drawn = phase.balanced(aim, drawn)
        changed.append(phase)
    return changed


def tidy(genome: Genome) -> Genome:
    """Return the most similar game in which every part serves its aim. A sensible game is returned unchanged.

    >>> from pitboss.lab import load
    >>> tidy(load("kuhn")).setup.deals
    5
    """
    for _ in range(PASSES):
        before = genome
        for mend in (_aim, tidy_steps, _rules, tidy_deck, tidy_span, tidy_table, tidy_stakes):
            genome = mend(genome)
        genome = repair(genome)
        if genome == before:
            break
    return genome


def only_compares(genome: Genome) -> bool:
    """Return whether hands are only compared, without bets or melds, so that players only keep their best cards.

    >>> from pitboss.lab import load
    >>> only_compares(load("war")), only_compares(load("kuhn")), only_compares(load("gin"))
    (False, False, False)
    """
    aim = genome.win_conditions[0]
    return aim.of_holding and not aim.melds and not genome.betting_phases


# --- the aim


def _aim(genome: Genome) -> Genome:
    """Return the game with one sensible aim. If the aim counts points, an empty hand may also end a deal."""
    first, *others = genome.win_conditions
    aim = wins.sensible(first, genome)
    ends = [win for win in others if win.sheds and aim.point and not main_phase(genome)]
    return replace(genome, win_conditions=(aim, *ends[:1]))


# --- effects and points


def _rules(genome: Genome) -> Genome:
    """Return the game with effects only if cards are played, and with scoring rules only if points decide."""
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
    if has_tricks(genome):  # points for all captured cards become points for tricks
        scoring = [TrickPoints(points=rule.points) if counts_all(rule) else rule for rule in scoring]
    lines = merge_rules([_seen(rule, genome) for rule in scoring])[:MOST_LINES]
    if not (effects or aim.final_score):
        lines = reduce_points(lines)
    return replace(genome, effects=tuple(effects[:MOST_EFFECTS]), scoring=lines)


def _seen(rule: Scoring, genome: Genome) -> Scoring:
    """Return the rule, or the same rule for a whole suit if its single card would rarely be in play."""
    if not isinstance(rule, CardPoints) or "*" in rule.cards:
        return rule
    grows = any(traits.grows for traits in genome.traits)
    dealt_out = grows or 2 * dealt(genome) >= deck_size(genome)
    return rule if dealt_out and len(genome.scoring) > 1 else replace(rule, cards=f"*{rule.cards[1]}")


def reduce_points(rules: Sequence[Scoring]) -> tuple[Scoring, ...]:
    """Return the same rules with the smallest whole numbers of points.

    >>> reduce_points((CardPoints(cards="*h", points=4), TrickPoints(points=-6)))
    (CardPoints(cards='*h', points=2, where='captured'), TrickPoints(points=-3))
    """
    common = gcd(*[rule.points for rule in rules]) or 1
    return tuple([replace(rule, points=rule.points // common) for rule in rules])


def merge_rules(rules: Sequence[Scoring]) -> tuple[Scoring, ...]:
    """Merge rules that count the same cards, or that count tricks, by adding their points. Drop rules without points.

    >>> merge_rules((TrickPoints(points=3), CardPoints(cards="*h"), TrickPoints(), CardPoints(cards="*h", points=-1)))
    (TrickPoints(points=4),)
    """
    lines: dict[Scoring, int] = {}
    for rule in rules:
        same = replace(rule, points=1)
        lines[same] = lines.get(same, 0) + rule.points
    return tuple([replace(rule, points=points) for rule, points in lines.items() if points])


def _lays(effect: LaySets, genome: Genome) -> bool:
    """Return whether laid sets help a player. They are laid automatically, so no other rule may remove cards."""
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
