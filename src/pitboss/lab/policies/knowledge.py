"""What a policy knows of its place's game, and how good a holding looks from there, written to be compiled.

What a place may see, `engine/sight.py` says. Nothing here depends on the rest: the cards that it cannot see are listed
by number, and what could lie where is drawn from that list.
"""

from typing import Any

from pitboss import chance
from pitboss.lab.base import piles
from pitboss.lab.base.codes import MOST_CARDS
from pitboss.lab.base.notes import (
    BLIND,
    EXACT,
    HOLDINGS,
    LIKING,
    MEASURED,
    ROOT,
    ROWS,
    SHARED,
    SPARE,
    UNSEEN,
    VIEWER,
    WIDTH,
)
from pitboss.lab.engine.sight import mark_seen
from pitboss.lab.policies.work import MOST_HOLDINGS
from pitboss.lab.wins import kinds as wins
from pitboss.lab.wins.promise import liking, promise

FEWER = 16  # holdings that are measured again when the community cards change
NOT_YET = -1
SAMPLES = 48


# --- what is unseen


def look(g: Any, s: Any, p: int, work: Any) -> None:
    """List the cards that p cannot see, lowest first, and the facts that follow from the genome."""
    facts, unseen, seen = work.facts, work.unseen, work.seen
    mark_seen(g, s, p, seen)
    facts[BLIND] = g.blind
    count = 0
    for card in range(g.cards):
        if not seen[card]:
            unseen[count] = card
            count += 1
    facts[UNSEEN], facts[HOLDINGS], facts[LIKING] = count, 0, liking(g)


def redeal(g: Any, t: Any, work: Any, stream: int) -> int:
    """Deal all that is unseen anew, chance to come too, and return the stream; `look` has been called."""
    unseen, seen = work.unseen, work.seen
    stream = piles.mixed(stream, unseen, 0, work.facts[UNSEEN])
    at = 0
    for q in range(g.n):
        at = replaced(seen, t.hands, q * MOST_CARDS, t.held[q], unseen, at)
    at = replaced(seen, t.deck, t.drawn, t.undrawn - t.drawn, unseen, at)
    at = replaced(seen, t.pile, 0, t.piled, unseen, at)
    t.chance = chance.fork(stream, stream)
    return stream


def replaced(seen: Any, cards: Any, first: int, count: int, unseen: Any, at: int) -> int:
    """Put the next of the unseen cards where one lies that is not seen; return where that list stands then."""
    for k in range(first, first + count):
        if not seen[cards[k]]:
            cards[k] = unseen[at]
            at += 1
    return at


# --- how strong a holding is


def draw_holdings(s: Any, p: int, least: int, work: Any, stream: int) -> int:
    """Draw holdings of p's size, or at least so many cards, from those unseen: all of them where they are few."""
    facts, unseen, holdings = work.facts, work.unseen, work.holdings
    count = facts[UNSEEN]
    width = min(max(s.held[p], least), count)
    facts[WIDTH], facts[MEASURED], facts[ROOT] = width, NOT_YET, s.shared
    facts[EXACT], facts[VIEWER] = 0, p
    if combinations(count, width) <= MOST_HOLDINGS:
        facts[HOLDINGS] = list_all(work, count, width)
        facts[EXACT] = 1
        return stream
    for row in range(SAMPLES):
        for here in range(width):
            stream, offset = chance.draw(stream, count - here)
            there = here + offset
            unseen[here], unseen[there] = unseen[there], unseen[here]
            holdings[row * MOST_CARDS + here] = unseen[here]
    facts[HOLDINGS] = SAMPLES
    return stream


def combinations(count: int, width: int) -> int:
    """How many holdings of this width there are, or some number above MOST_HOLDINGS."""
    number = 1
    for k in range(width):
        number = number * (count - k) // (k + 1)
        if number > MOST_HOLDINGS * MOST_CARDS:
            return number
    return number


def list_all(work: Any, count: int, width: int) -> int:
    """Write every choice of so many of the unseen cards, and return how many there are."""
    holdings, at, row = work.holdings, work.chosen, 0
    for k in range(width):
        at[k] = k
    while True:
        for k in range(width):
            holdings[row * MOST_CARDS + k] = work.unseen[at[k]]
        row += 1
        last = width - 1
        while last >= 0 and at[last] == count - width + last:
            last -= 1
        if last < 0:
            return row
        at[last] += 1
        for k in range(last + 1, width):
            at[k] = at[k - 1] + 1


def measure(g: Any, s: Any, size: int, work: Any) -> None:
    """Write what each drawn holding, as far as this size, promises with the community cards there are now."""
    spare, facts = work.states[SPARE], work.facts
    spare.shared, spare.trump = s.shared, s.trump
    for k in range(s.shared):
        spare.community[k] = s.community[k]
    spare.held[0] = min(size, facts[WIDTH])
    rows = facts[HOLDINGS]
    if s.shared != facts[ROOT]:
        rows = min(rows, FEWER)
    facts[ROWS] = rows
    for row in range(rows):
        for k in range(spare.held[0]):
            spare.hands[k] = work.holdings[row * MOST_CARDS + k]
        work.promises[row] = promise(g, spare, 0, work)
    facts[MEASURED], facts[SHARED] = size, s.shared


def strength(g: Any, s: Any, p: int, work: Any) -> float:
    """The share of opposing holdings that p's beats under the first win condition, ties half: 0 to 1.

    Opposing holdings are the drawn ones. Where tricks, points or cards have been won already, they count for both: for
    the other one as much as the best of the opponents has. Who cannot see his own cards has any holding.
    """
    facts = work.facts
    if facts[MEASURED] != s.held[p] or facts[SHARED] != s.shared:
        measure(g, s, s.held[p], work)
    rows = facts[ROWS]
    lead, best = wins.standing(g, s, 0, p), 0
    first = True
    for q in range(g.n):
        if q != p and not s.folded[q]:
            value = wins.standing(g, s, 0, q)
            if first or value > best:
                first, best = False, value
    lead -= best
    mine = 0 if facts[BLIND] else promise(g, s, p, work)
    halves, compared = 0, 0
    others = facts[EXACT] and facts[VIEWER] != p and not facts[BLIND]
    for row in range(rows):
        if facts[BLIND]:
            mine = work.promises[row + 1 if row + 1 < rows else 0]
        if others and holds_any(s, p, row, work):
            continue
        other = work.promises[row]
        halves += 2 if mine + lead > other else 1 if mine + lead == other else 0
        compared += 1
    if others:
        other = promise(g, s, facts[VIEWER], work)
        halves += 2 if mine + lead > other else 1 if mine + lead == other else 0
        compared += 1
    return float(halves / (2 * compared))


def holds_any(s: Any, p: int, row: int, work: Any) -> bool:
    """Whether p has a card of a drawn holding."""
    for k in range(work.facts[WIDTH]):
        if piles.holds(s, p, work.holdings[row * MOST_CARDS + k]):
            return True
    return False
