"""Makes a playable game one that makes sense: parts that serve its aim, sensible steps, a deck, hands and stakes of
a usual size.
"""

from collections.abc import Sequence
from math import ceil, gcd
from typing import Any

from msgspec.structs import replace

from pitboss.lab.genome.parts import (
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
    dealt,
    deck_size,
    turned_up,
)
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.variation.edits import with_phases, with_setup, with_structure
from pitboss.lab.variation.repair import repair
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.capture_all import CaptureAll
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.first_to_score import FirstToScore
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.least_deadwood import LeastDeadwood
from pitboss.lab.wins.low_score import LowScore
from pitboss.lab.wins.most_tricks import MostTricks

Kinds = tuple[type[Any], ...]

HELD: Kinds = (BestHand, HighCard, LeastDeadwood)
"""Aims that compare what is held at the end: no card is played away from such a hand."""
POINTS: Kinds = (HighScore, LowScore, FirstToScore)
PLAYED: Kinds = (TrickPhase, ClaimPhase, PlayPhase)
"""Steps in which a hand is played away, the one that decides what a game is first."""
SERVES: dict[type[WinCondition], Kinds] = {
    BestHand: (CommunityPhase, DrawPhase, DiscardPhase),
    HighCard: (DiscardPhase,),
    LeastDeadwood: (DrawPhase, DiscardPhase),
    MostTricks: (TrickPhase, DrawPhase, DiscardPhase),
    EmptyHand: (PlayPhase, ClaimPhase, DrawPhase),
    CaptureAll: (PlayPhase, DrawPhase, DiscardPhase),
    HighScore: (PlayPhase, TrickPhase, DrawPhase, DiscardPhase),
    LowScore: (TrickPhase, DrawPhase, DiscardPhase),
    FirstToScore: (PlayPhase, TrickPhase, DrawPhase, DiscardPhase),
}
"""By aim, the phases with cards that can serve it."""
FROM_OTHERS = ("opponent", "ask")


def mechanic(genome: Genome) -> str:
    """What players mainly do with their cards.

    >>> from pitboss.lab.files import load
    >>> [mechanic(load(name)) for name in ("whist", "scopa", "president", "mau_mau", "cheat")]
    ['tricks', 'captures', 'climbing', 'fitting', 'claims']
    >>> [mechanic(load(name)) for name in ("go_fish", "gin", "blackjack", "leduc", "kuhn")]
    ['asking', 'melds', 'limit', 'poker', 'high card']
    """
    phases, aim = genome.turn_structure.phases, genome.win_conditions[0]
    main = next((phase for kind in PLAYED for phase in phases if isinstance(phase, kind)), None)
    if isinstance(main, PlayPhase):
        return "captures" if main.capture != "none" else "climbing" if main.clear_after_passes else "fitting"
    if main is not None:
        return "tricks" if isinstance(main, TrickPhase) else "claims"
    if any(isinstance(phase, DrawPhase) and phase.source in FROM_OTHERS for phase in phases):
        return "asking"
    if aim.limit:
        return "limit"
    if isinstance(aim, (BestHand, HighCard)):
        return "poker" if isinstance(aim, BestHand) else "high card"
    return "melds"


def lays_sets(genome: Genome) -> bool:
    """Whether sets are laid from the hand."""
    return any(isinstance(effect, LaySets) for effect in genome.effects)


def has(phases: Sequence[Phase], *kinds: type[Phase]) -> bool:
    """Whether there is a phase of one of these kinds."""
    return any(isinstance(phase, kinds) for phase in phases)


def default(aim: WinCondition) -> tuple[Phase, ...]:
    """The plainest phases with which an aim is played for."""
    match aim:
        case LeastDeadwood():
            return (DrawPhase(source="either"), DiscardPhase())
        case MostTricks() | LowScore():
            return (TrickPhase(),)
        case EmptyHand():
            return (DrawPhase(only_if_stuck=True), PlayPhase(match=("suit", "rank")))
        case BestHand() if aim.limit:
            return (BettingPhase(), DrawPhase(count=3, optional=True))
        case BestHand() | HighCard():
            return (DiscardPhase(count=2, optional=True, replace=True),)
        case _:
            return (PlayPhase(target="tableau", capture="rank"), DrawPhase())


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


MOST_STEPS, MOST_BETS = 5, 3
MOST_TAKEN = 2
"""So many cards come from the deck in a step, where there is no limit to what they may count."""
LIMIT_DRAWS = 3
"""Where there is, so many may be taken at least."""


def steps(genome: Genome) -> Genome:
    """Only phases that serve the aim, and at least one that does."""
    aim = genome.win_conditions[0]
    serving: Kinds = (*SERVES[type(aim)], BettingPhase)
    phases = [phase for phase in genome.turn_structure.phases if isinstance(phase, serving)]
    phases = [_sensible(phase, phases, genome) for phase in phases]
    left = _held(phases, genome) if isinstance(aim, HELD) else _played(phases, genome)
    return with_phases(genome, tuple(left) or default(aim))


# --- each step


def _sensible(phase: Phase, phases: Sequence[Phase], genome: Genome) -> Phase:
    """The phase without choices that nobody would make, and without dead ends."""
    aim = genome.win_conditions[0]
    if isinstance(phase, DrawPhase):
        return _draw(phase, phases, aim)
    if isinstance(phase, TrickPhase):  # no two cards of a deck are equal, so that nothing is ever tied
        return TrickPhase(follow=phase.follow)
    if isinstance(phase, DiscardPhase):
        exchange = phase.replace or has(phases, *PLAYED) or aim.limit > 0
        many = min(phase.count, genome.setup.cards_per_player)
        return replace(phase, count=many, replace=exchange, optional=exchange)  # nobody has to give up a good card
    return _pile(phase, aim) if isinstance(phase, PlayPhase) else phase


def _draw(phase: DrawPhase, phases: Sequence[Phase], aim: WinCondition) -> DrawPhase:
    if aim.limit:
        return DrawPhase(optional=True, count=max(LIMIT_DRAWS, phase.count))
    source = phase.source
    if source in ("discard", "either") and not any(one.discards for one in phases):
        source = "deck"
    if source in FROM_OTHERS and (isinstance(aim, HELD) or has(phases, TrickPhase)):
        source = "deck"
    shedding = isinstance(aim, EmptyHand)
    return DrawPhase(
        source=source,
        count=min(phase.count, MOST_TAKEN) if isinstance(aim, HELD) and source == "deck" else 1,
        optional=phase.optional and isinstance(aim, LowScore) and not has(phases, TrickPhase),
        only_if_stuck=shedding and has(phases, PlayPhase) and source not in FROM_OTHERS,
    )


def _pile(phase: PlayPhase, aim: WinCondition) -> PlayPhase:
    """A play that is a choice: something has to fit, or something is taken."""
    if not isinstance(aim, EmptyHand):
        taking = phase.capture if phase.capture != "none" else "rank"
        return PlayPhase(target="tableau", match=("any",), capture=taking)
    match = phase.match if "any" not in phase.match else ("suit", "rank")
    climbing = any(name.startswith("higher") for name in match)
    return replace(
        phase,
        target="discard",
        match=match,
        capture="none",
        clear_after_passes=climbing,
        optional=phase.optional and climbing,
    )


# --- hands that are played away


def _played(phases: Sequence[Phase], genome: Genome) -> list[Phase]:
    """The bet, what there is to take or exchange, and the play; what comes from the deck comes after it."""
    aim = genome.win_conditions[0]
    main = next((phase for kind in PLAYED for phase in phases if isinstance(phase, kind)), None)
    bets = [phase for phase in phases if phase.bets][:1]
    draw = next((phase for phase in phases if isinstance(phase, DrawPhase)), None)
    if main is None:
        if draw is None or not (lays_sets(genome) or isinstance(aim, LowScore)):
            return [*bets, *default(aim)]
        if draw.source in FROM_OTHERS and lays_sets(genome):
            return [draw]
        return [replace(draw, source="either"), DiscardPhase()]
    exchange = next((phase for phase in phases if isinstance(phase, DiscardPhase)), None)
    if isinstance(aim, EmptyHand):
        fitting = isinstance(main, PlayPhase) and not main.clear_after_passes
        drawn = draw and (fitting or draw.source in FROM_OTHERS)  # else who has played most is nearest to the end
        return [*bets, *([draw] if draw and drawn else []), main]
    if exchange:
        return [*bets, exchange, main]
    if draw and not bets:  # with bets a deal is as long as the hand that was dealt
        return [main, draw]
    return [*bets, main]


# --- hands that are compared


def _held(phases: Sequence[Phase], genome: Genome) -> list[Phase]:
    """Bets with something between them, the last of them at the end, and hands as large as they were dealt."""
    aim = genome.win_conditions[0]
    left: list[Phase] = []
    for phase in phases:  # two steps of a kind, one after the other, are one
        if not left or type(phase) is not type(left[-1]):
            left.append(phase)
    draw = next((phase for phase in left if isinstance(phase, DrawPhase)), None)
    bets = [phase for phase in left if isinstance(phase, BettingPhase)]
    if isinstance(aim, LeastDeadwood) and (draw or not bets or not has(left, DiscardPhase)):
        return [*default(aim), *bets[:1]]  # what one throws away another can take: else everybody plays alone
    if not has(left, BettingPhase):
        return _balanced(left[:MOST_STEPS], aim)
    return _balanced(_bets_last(left, genome), aim)


def _bets_last(phases: list[Phase], genome: Genome) -> list[Phase]:
    """A few bets, the last of them after all that changes a hand; only where cards may be too many they come later."""
    again, aim = genome.turn_structure.rounds != 1, genome.win_conditions[0]
    bet = next(phase for phase in reversed(phases) if isinstance(phase, BettingPhase))
    left = phases[: MOST_STEPS - 1]
    if aim.limit and not has(left, DrawPhase):
        left = [bet, DrawPhase(optional=True, count=LIMIT_DRAWS)]
    risky = aim.limit and isinstance(left[-1], DrawPhase) and has(left, BettingPhase)
    if not isinstance(left[-1], BettingPhase) and not risky:
        left = [*left, bet]
    bets = [at for at, phase in enumerate(left) if isinstance(phase, BettingPhase)]
    spare = bets[: max(0, len(bets) - MOST_BETS)]
    if again and isinstance(left[0], BettingPhase) and isinstance(left[-1], BettingPhase) and len(left) > 1:
        spare = sorted({0, *spare})
    return [phase for at, phase in enumerate(left) if at not in spare]


def _balanced(phases: list[Phase], aim: WinCondition) -> list[Phase]:
    """A compared hand stays as large as it was dealt: what is put away comes back, unless a draw came before."""
    drawn = 0
    changed: list[Phase] = []
    for phase in phases:
        if isinstance(phase, DrawPhase) and not aim.limit:
            drawn += phase.count
        elif isinstance(phase, DiscardPhase) and not phase.replace:
            if drawn:
                phase = replace(phase, optional=False, count=min(drawn, phase.count))
                drawn -= phase.count
            else:
                phase = replace(phase, replace=True, optional=True)
        changed.append(phase)
    return changed


PASSES = 8
"""A change makes others needful; after so many times through there are none left."""
LEAST_DEALS = 2
"""A race to a number of points takes so many deals at the least."""
MOST_EFFECTS, MOST_LINES = 3, 4
"""A player remembers so many special cards, and so many lines of points."""


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
    return isinstance(genome.win_conditions[0], (BestHand, HighCard)) and not genome.betting_phases


# --- the aim


def _aim(genome: Genome) -> Genome:
    """One aim; beside points, running out of cards may end a deal. Pots never go by points of earlier deals."""
    first = genome.win_conditions[0]
    phases = genome.turn_structure.phases
    if isinstance(first, FirstToScore) and genome.scoring:
        first = _race(first, genome)
    if isinstance(first, POINTS) and genome.betting_phases:
        first = MostTricks() if has(phases, TrickPhase) else CaptureAll() if _captures(genome) else BestHand()
    if isinstance(first, HighScore) and len(genome.scoring) == 1 and not genome.effects:
        first = _plainer(first, genome.scoring[0])
    if isinstance(first, MostTricks) and not has(phases, TrickPhase):
        first = CaptureAll() if _captures(genome) else HighCard()
    if isinstance(first, CaptureAll) and has(phases, TrickPhase):
        first = MostTricks()  # all tricks have as many cards
    if isinstance(first, CaptureAll) and not _captures(genome):
        first = EmptyHand() if has(phases, PlayPhase, ClaimPhase) else HighCard()
    if isinstance(first, EmptyHand) and not (has(phases, PlayPhase, ClaimPhase) or lays_sets(genome)):
        first = MostTricks() if has(phases, TrickPhase) else BestHand()
    if isinstance(first, BestHand):
        by_points = first.ranking == "points"
        first = replace(first, bust=(first.bust or 21) if by_points else 0)
    others = [win for win in genome.win_conditions[1:] if isinstance(win, EmptyHand)]
    ends = isinstance(first, POINTS) and others and not has(phases, *PLAYED)
    return replace(genome, win_conditions=(first, others[0]) if ends else (first,))


def _plainer(aim: WinCondition, rule: Scoring) -> WinCondition:
    """The same aim without points, where every trick or every card taken counts alike."""
    if isinstance(rule, TrickPoints):
        return MostTricks() if rule.points > 0 else aim
    return CaptureAll() if _counts_all(rule) and rule.points > 0 else aim


def _race(aim: FirstToScore, genome: Genome) -> WinCondition:
    """A race over several deals, but not over more than there are."""
    share = _fair_share(genome)
    if share * genome.setup.deals < aim.target:
        return HighScore()
    return replace(aim, target=max(aim.target, ceil(LEAST_DEALS * share)))


def _fair_share(genome: Genome) -> float:
    """The points that an average player can have of a deal, at the most."""
    deck, points = genome.setup.deck, 0
    for rule in genome.scoring:
        if isinstance(rule, TrickPoints):
            points += max(0, rule.points) * genome.setup.cards_per_player
        else:
            ranks, suits = [
                len(kinds) if one == "*" else 1 for one, kinds in zip(rule.cards, (deck.ranks, deck.suits), strict=True)
            ]
            points += max(0, rule.points) * ranks * suits
    for effect in genome.effects:
        if isinstance(effect, LaySets):
            points += max(0, effect.points) * (len(deck.ranks) * len(deck.suits) // effect.size)
    return points / genome.player_count


def _captures(genome: Genome) -> bool:
    return lays_sets(genome) or any(phase.captures or phase.tricks for phase in genome.turn_structure.phases)


# --- effects and points


def _rules(genome: Genome) -> Genome:
    """Effects of cards that are played one after another, and points where points decide, each line once."""
    aim, phases = genome.win_conditions[0], genome.turn_structure.phases
    plays = has(phases, PlayPhase) and isinstance(aim, EmptyHand)
    turns = genome.turn_structure.order == "turns" and not genome.betting_phases
    effects: list[Effect] = []
    for effect in genome.effects:
        if isinstance(effect, CardEffect):
            if plays and (turns or effect.effect == "draw_two"):
                effects.append(effect)
        elif _lays(effect, aim, phases):
            effects.append(replace(effect, points=max(0, effect.points) if isinstance(aim, POINTS) else 0))
    scoring = [rule for rule in genome.scoring if isinstance(aim, POINTS) and _scores(rule, aim, phases)]
    if has(phases, TrickPhase):  # all cards of all tricks: the tricks
        scoring = [TrickPoints(points=rule.points) if _counts_all(rule) else rule for rule in scoring]
    lines = joined([_seen(rule, genome) for rule in scoring])[:MOST_LINES]
    if not (effects or aim.final_score):
        lines = smallest(lines)
    return replace(genome, effects=tuple(effects[:MOST_EFFECTS]), scoring=lines)


def _seen(rule: Scoring, genome: Genome) -> Scoring:
    """The line; or the same of a whole suit where a single card would mostly be neither held nor taken by anybody."""
    if not isinstance(rule, CardPoints) or "*" in rule.cards:
        return rule
    dealt_out = has(genome.turn_structure.phases, DrawPhase) or 2 * dealt(genome) >= deck_size(genome)
    return rule if dealt_out and len(genome.scoring) > 1 else replace(rule, cards=f"*{rule.cards[1]}")


def _counts_all(rule: Scoring) -> bool:
    return isinstance(rule, CardPoints) and rule.cards == "**" and rule.where == "captured"


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


def _lays(effect: LaySets, aim: WinCondition, phases: Sequence[Phase]) -> bool:
    """Whether sets that are laid do somebody good: they go out of the hand by themselves, so nothing else may."""
    if has(phases, *PLAYED) or not has(phases, DrawPhase):
        return False
    if isinstance(aim, LowScore):
        return effect.points == 0
    return isinstance(aim, (EmptyHand, CaptureAll)) or (isinstance(aim, POINTS) and effect.points > 0)


def _scores(rule: Scoring, aim: WinCondition, phases: Sequence[Phase]) -> bool:
    tricks = has(phases, TrickPhase)
    if isinstance(rule, TrickPoints):
        return tricks
    if rule.where == "hand":
        return isinstance(aim, LowScore) and not tricks and rule.points > 0 and has(phases, DiscardPhase)
    return tricks or any(phase.captures for phase in phases)
