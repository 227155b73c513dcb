"""Facts about a game for the policies, in rows that are reused for each decision. The functions can be compiled."""

from math import log
from typing import Any, NamedTuple

from pitboss import chance
from pitboss.fast.compiled import record
from pitboss.lab import piles
from pitboss.lab.codes import (
    BLIND,
    BUDGET,
    EXACT,
    FACTS,
    HOLDINGS,
    LIKING,
    MEASURED,
    MOST_CARDS,
    MOST_MOVES,
    ROOT,
    ROWS,
    SHARED,
    SPARE,
    UNSEEN,
    VIEWER,
    WIDTH,
)
from pitboss.lab.engine.sight import mark_seen
from pitboss.lab.engine.state import PlainStates, packed_states
from pitboss.lab.wins import kinds as wins
from pitboss.lab.wins.estimate import liking, promise

STATES, MOVES = 3, 2
"""The numbers of states and of lists of moves. The first of each belongs to the game, and the others are for trials."""
MOST_HOLDINGS = 64
ITERATIONS, MOST_ITERATIONS = 400, 4096
"""The usual and the maximum number of iterations of the search policy for one decision."""

NUMBERS = {
    "facts": FACTS,
    "promises": MOST_HOLDINGS,
    "chosen": MOST_CARDS,
    "found": MOST_MOVES,
    "label": MOST_ITERATIONS + 1,  # for each node: the move that leads to it
    "child": MOST_ITERATIONS + 1,  # its first child
    "next": MOST_ITERATIONS + 1,  # its parent's next child
    "visits": MOST_ITERATIONS + 1,
    "offers": MOST_ITERATIONS + 1,  # number of times that the move was legal
    "total": MOST_ITERATIONS + 1,  # the gain of the player who moved
    "path": MOST_MOVES,
    "movers": MOST_MOVES,
}
SHARES = {
    "strength": 1,  # the strength of the hand of the player to act
    "squares": MOST_ITERATIONS + 1,  # for each node: the sum of squared gains
}
LOGS = MOST_ITERATIONS + 2
CARDS = {"unseen": MOST_CARDS, "seen": MOST_CARDS, "holdings": MOST_HOLDINGS * MOST_CARDS}
HOLDINGS_REMEASURED = 16  # number of holdings that are measured again when the community cards change
NOT_YET = -1
SAMPLES = 48


class Work(NamedTuple):
    """Rows for intermediate results."""

    states: Any
    moves: Any
    facts: Any
    promises: Any
    chosen: Any
    found: Any
    label: Any
    child: Any
    next: Any
    visits: Any
    offers: Any
    total: Any
    path: Any
    movers: Any
    strength: Any
    squares: Any
    logs: Any
    unseen: Any
    seen: Any
    holdings: Any


def logarithms() -> list[float]:
    """Return a table of logarithms. It is the same in plain and compiled code on every machine."""
    return [0.0, *[log(number) for number in range(1, LOGS)]]


def plain_work(iterations: int = ITERATIONS) -> Work:
    """Return rows as lists, for plain Python."""
    rows: dict[str, list[Any]] = {name: [0] * size for name, size in (NUMBERS | CARDS).items()}
    rows |= {name: [0.0] * size for name, size in SHARES.items()}
    rows["facts"][BUDGET] = min(iterations, MOST_ITERATIONS)
    return Work(PlainStates(STATES), [[0] * MOST_MOVES for _ in range(MOVES)], logs=logarithms(), **rows)


def packed_work(iterations: int = ITERATIONS) -> Any:
    """Return the working memory as one NumPy record, for compiled code."""
    import numpy as np

    kinds = [(NUMBERS, np.int64), (SHARES, np.float64), (CARDS, np.uint8)]
    columns: list[tuple[Any, ...]] = [(name, kind, size) for sizes, kind in kinds for name, size in sizes.items()]
    columns += [("states", packed_states(0).dtype, STATES), ("moves", np.int64, (MOVES, MOST_MOVES))]
    work = np.zeros(1, record([*columns, ("logs", np.float64, LOGS)]))[0]
    work.facts[BUDGET] = min(iterations, MOST_ITERATIONS)
    work.logs[:] = logarithms()
    return work


# --- what is unseen


def look(g: Any, s: Any, p: int, work: Any) -> None:
    """List the cards that p cannot see, the lowest first, and the facts that follow from the genome."""
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
    """Deal all unseen cards again, with new random numbers for later. Return the random state. Call `look` first."""
    unseen, seen = work.unseen, work.seen
    stream = piles.shuffle_part(stream, unseen, 0, work.facts[UNSEEN])
    at = 0
    for q in range(g.n):
        at = replace_unseen(seen, t.hands, q * MOST_CARDS, t.held[q], unseen, at)
    at = replace_unseen(seen, t.deck, t.drawn, t.undrawn - t.drawn, unseen, at)
    at = replace_unseen(seen, t.pile, 0, t.piled, unseen, at)
    t.chance = chance.fork(stream, stream)
    return stream


def replace_unseen(seen: Any, cards: Any, first: int, count: int, unseen: Any, at: int) -> int:
    """Replace the unseen cards in a part of a row. Return the next index in the list of unseen cards."""
    for k in range(first, first + count):
        if not seen[cards[k]]:
            cards[k] = unseen[at]
            at += 1
    return at


# --- how strong a holding is


def draw_holdings(s: Any, p: int, least: int, work: Any, stream: int) -> int:
    """Sample holdings of p's size, or of `least` cards, from the unseen cards. If there are few, list all of them."""
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
    """Return the number of possible holdings of this width. Above MOST_HOLDINGS, the number may be too small."""
    number = 1
    for k in range(width):
        number = number * (count - k) // (k + 1)
        if number > MOST_HOLDINGS * MOST_CARDS:
            return number
    return number


def list_all(work: Any, count: int, width: int) -> int:
    """Write every choice of `width` unseen cards. Return the number of choices."""
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


def measure_holdings(g: Any, s: Any, size: int, work: Any) -> None:
    """Write what each sampled holding promises with the current community cards. Use at most `size` of its cards."""
    spare, facts = work.states[SPARE], work.facts
    spare.shared, spare.trump = s.shared, s.trump
    for k in range(s.shared):
        spare.community[k] = s.community[k]
    spare.held[0] = min(size, facts[WIDTH])
    rows = facts[HOLDINGS]
    if s.shared != facts[ROOT]:
        rows = min(rows, HOLDINGS_REMEASURED)
    facts[ROWS] = rows
    for row in range(rows):
        for k in range(spare.held[0]):
            spare.hands[k] = work.holdings[row * MOST_CARDS + k]
        work.promises[row] = promise(g, spare, 0, work)
    facts[MEASURED], facts[SHARED] = size, s.shared


def strength(g: Any, s: Any, p: int, work: Any) -> float:
    """Return the share of opposing holdings, from 0 to 1, that p's holding beats under the first win condition.

    A tie counts half. The opposing holdings are the sampled ones. Tricks, points and cards that players have won also
    count; the opponent is assumed to have the best of them. If players cannot see their own cards, a sampled holding
    replaces p's.
    """
    facts = work.facts
    if facts[MEASURED] != s.held[p] or facts[SHARED] != s.shared:
        measure_holdings(g, s, s.held[p], work)
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
    """Return whether p has a card of a sampled holding."""
    for k in range(work.facts[WIDTH]):
        if piles.holds(s, p, work.holdings[row * MOST_CARDS + k]):
            return True
    return False
