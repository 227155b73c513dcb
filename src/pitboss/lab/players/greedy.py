"""The greedy player, written to be compiled: bets by the strength of its holding, plays cards by one rule a phase.

It looks one move ahead and at nothing that its seat cannot see (`knowledge.py`).
"""

from typing import Any

from pitboss import chance
from pitboss.betting import core
from pitboss.lab.engine import codes, piles
from pitboss.lab.engine.codes import MOST_CARDS
from pitboss.lab.phases import phases
from pitboss.lab.players import knowledge
from pitboss.lab.players.knowledge import HOLDINGS, TASTE, UNSEEN
from pitboss.lab.players.work import SPARE

STRONG, MEDIUM = 0.7, 0.3
DOUBTS = 8  # one claim in so many is doubted although it could be true
SURE = 1000  # of taking a trick, per mille


def choose(g: Any, rules: Any, s: Any, moves: Any, count: int, work: Any, stream: int) -> tuple[int, int]:
    """The move, and the stream as it is then."""
    kind = g.kind[s.phase]
    if count == 1:
        return moves[0], stream
    if kind == codes.CLAIM and s.sub == codes.DOUBTING:
        stream, draw = chance.draw(stream, DOUBTS)
        return codes.DOUBT if draw == 0 or doubtful(g, s) else codes.BELIEVE, stream
    if kind != codes.CLAIM:
        knowledge.look(g, s, s.asked, work)
    if kind not in (codes.CLAIM, codes.TRICK):
        stream = knowledge.draw_holdings(s, s.asked, phases.argument(g, s, codes.DISCARD_COUNT), work, stream)
    if kind == codes.BETTING:
        return bet(knowledge.strength(g, s, s.asked, work), moves, count), stream
    return moves[best(g, rules, s, moves, count, work.facts[HOLDINGS], work)], stream


def best(g: Any, rules: Any, s: Any, moves: Any, count: int, rows: int, work: Any) -> int:
    """Where the best move with cards is listed, the first of equals; so many drawn holdings say what may come."""
    kind = g.kind[s.phase]
    highest, at = 0, 0
    for k in range(count):
        if kind == codes.TRICK:
            value = rate_trick(g, s, moves[k], work)
        elif kind == codes.CLAIM:
            value = rate_claim(g, s, moves[k])
        else:
            value = rate_change(g, rules, s, moves[k], rows, work)
        if k == 0 or value > highest:
            highest, at = value, k
    return at


# --- betting


def bet(strength: float, moves: Any, count: int) -> int:
    """Strong: raise, bet, all-in, or else stay. Medium: call or check. Weak: check. Else fold."""
    on_offer = 0
    for k in range(count):
        on_offer |= 1 << (moves[k] - codes.VERBS)
    verb = core.FOLD
    if strength > STRONG:
        verb = first_of(on_offer, core.RAISE, core.BET, core.ALL_IN)
    if verb == core.FOLD and strength > MEDIUM:
        verb = first_of(on_offer, core.CALL, core.CHECK, core.FOLD)
    if verb == core.FOLD and (on_offer >> core.CHECK) & 1:
        verb = core.CHECK
    return codes.VERBS + verb


def first_of(on_offer: int, first: int, second: int, third: int) -> int:
    """The first of three verbs that is on offer, or to fold."""
    if (on_offer >> first) & 1:
        return first
    if (on_offer >> second) & 1:
        return second
    return third if (on_offer >> third) & 1 else core.FOLD


# --- tricks


def rate_trick(g: Any, s: Any, card: int, work: Any) -> int:
    """What playing a card is likely to bring: the trick if it is good, the others' if it is not, and cheaply."""
    likely, points = chance_to_take(g, s, card, work), knowledge.sign(g)
    own = points * g.captured_points[card]
    if phases.argument(g, s, codes.TRICK_TO_HAND):
        taking = -1 if g.win[0] == codes.EMPTY_HAND else 1
    elif points == 0:
        taking = work.facts[TASTE]
    else:
        taking = own + points * g.trick_points
        for k in range(s.tricked):
            taking += points * g.captured_points[s.trick[k]]
    power = knowledge.power(g, s, card)
    return likely * taking - (SURE - likely) * own + (power if work.facts[TASTE] < 0 else -power)  # type: ignore[no-any-return]  # a record's numbers


def chance_to_take(g: Any, s: Any, card: int, work: Any) -> int:
    """How likely a card takes the trick, if those still to play had any card each: per mille."""
    led = card % g.suits if s.played == 0 else s.trick[s.tricked - s.played] % g.suits
    height, higher, unseen = trick_height(g, s, card, led), 0, work.facts[UNSEEN]
    if s.played > 0 and height <= s.best:
        return 0
    for k in range(unseen):
        if trick_height(g, s, work.unseen[k], led) > height:
            higher += 1
    likely = SURE
    for _ in range(s.played + 1, s.awaited):
        likely = likely * (unseen - higher) // unseen
    return likely


def trick_height(g: Any, s: Any, card: int, led: int) -> int:
    """A card's value in a trick, as `tricks.lay` counts it."""
    rank = card // g.suits
    suit = card - rank * g.suits
    return rank + 2 * codes.RANKS if suit == s.trump else rank + codes.RANKS if suit == led else -1


# --- claims


def rate_claim(g: Any, s: Any, move: int) -> int:
    """True cards first, then none, then a lie with a card that will not be due for long."""
    if move == codes.PASS:
        return g.ranks  # type: ignore[no-any-return]  # a number
    away = (move // g.suits - s.due) % g.ranks
    return 2 * g.ranks if away == 0 else away  # type: ignore[no-any-return]  # a number


def doubtful(g: Any, s: Any) -> bool:
    """Whether a claim cannot be true given one's own cards, or is the claimer's last."""
    return bool(phases.of_rank(g, s, s.asked, s.due) + s.put > g.suits or s.held[s.claimer] == 0)


# --- drawing, playing, discarding


def rate_change(g: Any, rules: Any, s: Any, move: int, rows: int, work: Any) -> int:
    """What a move makes of one's position, added up over what unseen cards may come, against leaving it as it is."""
    p, kind = s.asked, g.kind[s.phase]
    if move >= codes.ASKS and kind == codes.DRAW:
        return 1 + phases.of_rank(g, s, p, move - codes.ASKS)
    work.states[SPARE] = s
    after = work.states[SPARE]
    coming, extra = 0, 0
    if kind != codes.DRAW:
        phases.carry_out(g, rules, after, move)
        coming = min(after.swapped, s.undrawn - s.drawn)
        if kind == codes.PLAY and move < codes.MOST_CARDS:
            wild = (phases.argument(g, s, codes.PLAY_WILD) >> (move // g.suits)) & 1
            extra = -g.ranks * wild  # what goes on anything is kept for later
    elif move == codes.TAKE_DISCARD or (move == codes.TAKE and is_from_discards(g, s)):
        piles.give(after, p, s.discards[s.discarded - 1])
    elif move == codes.TAKE:
        coming = 1
    total = 0
    before = value(g, s, p, work)
    for row in range(rows):
        added = min(coming, work.facts[knowledge.WIDTH])
        for k in range(added):
            piles.give(after, p, work.holdings[row * MOST_CARDS + k])
        change = value(g, after, p, work) - before + extra
        if g.win[0] == codes.BEST_POINTS:
            change = 1 if change > 0 else -1 if change < 0 else 0  # too many points are worth nothing: count the cards
        total += change
        after.held[p] -= added
        if coming == 0:
            return total * rows
    return total


def is_from_discards(g: Any, s: Any) -> bool:
    """Whether cards are drawn from the discards only."""
    return phases.argument(g, s, codes.DRAW_SOURCE) == codes.FROM_DISCARD


def value(g: Any, s: Any, p: int, work: Any) -> int:
    """What p has and what p's cards promise."""
    return knowledge.standing(g, s, p) + knowledge.promise(g, s, p, work)
