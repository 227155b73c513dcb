"""All ways in which a deal of any game can go on, dealt one by one or drawn, written to be compiled.

What is missing comes in groups: the board's cards, then each player's. Within a group the order does not matter, so its
cards are dealt in rising order. A player's strength is worked out when his group and the board are complete.
"""

from typing import Any, NamedTuple

from pitboss import chance
from pitboss.fast.equity import dealing, judging

CARDS = 52


class Missing(NamedTuple):
    """What is to come, a slot a card, the board's slots first."""

    owners: Any  #: by slot, the player who gets it, or -1 for the board
    places: Any  #: by slot, its place in the owner's row, or on the board
    lasts: Any  #: by slot, 1 if it is the last of its group
    needs: Any  #: by player, how many cards of his own are to come
    hole: int  #: how many cards of his own everybody has in the end
    board: int  #: how many cards lie in the middle in the end
    lying: int  #: how many lie there already


class Holdings(NamedTuple):
    """What everybody may hold."""

    starts: Any  #: by player, where his holdings begin; one more says where the last one's end
    cards: Any  #: a row a holding
    masks: Any  #: by holding, its cards as bits
    bounds: Any  #: by holding, its weight and those before it of the same player
    sizes: Any  #: by player, how many cards of a row count


class CompletingSpace(NamedTuple):
    """What completing a deal is worked out on."""

    rows: Any  #: by player, his cards and then the board's
    board: Any
    picked: Any  #: by slot, the card there
    at: Any  #: by player, his holding
    firsts: Any  #: by player, strengths
    seconds: Any


# --- all of them


def count_deals(judges: Any, missing: Any, gone: int, deals: Any, times: Any, space: Any, counts: Any) -> None:
    """Go through all ways in which each deal goes on.

    A deal is everybody's cards in turn, -1 where one is to come. `gone` has what is dead or lies on the board as bits.
    """
    first, second, n = judges[0], judges[1], len(space.rows)
    for i in range(len(deals)):
        used = gone
        for p in range(n):
            for k in range(missing.hole):
                card = deals[i][missing.hole * p + k]
                space.rows[p][k] = card
                if card >= 0:
                    used |= 1 << card
        lay_board(n, missing, space)
        complete(first, second, n, missing, used, times[i], space, counts)


def lay_board(n: int, missing: Any, space: Any) -> None:
    """Put the cards of the board that lie already behind everybody's."""
    for p in range(n):
        for k in range(missing.lying):
            space.rows[p][missing.hole + k] = space.board[k]


def complete(first: Any, second: Any, n: int, missing: Any, used: int, times: int, space: Any, counts: Any) -> None:
    """Count every way in which one deal goes on."""
    slots = len(missing.owners)
    if missing.lying == missing.board:
        judge_complete(first, second, n, missing, space)
    if slots == 0:
        judging.score(n, space.firsts, space.seconds, times, 0, counts)
        return
    picked, slot, card = space.picked, 0, 0
    while slot >= 0:
        while card < CARDS and used >> card & 1:
            card += 1
        if card == CARDS:
            slot -= 1
            if slot >= 0:
                card = picked[slot]
                used ^= 1 << card
                card += 1
            continue
        put(n, missing, slot, card, space)
        if missing.lasts[slot]:
            owner = missing.owners[slot]
            if owner < 0:
                judge_complete(first, second, n, missing, space)
            else:
                judge(first, second, missing, owner, space)
        if slot == slots - 1:
            judging.score(n, space.firsts, space.seconds, times, 0, counts)
            card += 1
        else:
            picked[slot] = card
            used |= 1 << card
            card = 0 if missing.lasts[slot] else card + 1
            slot += 1


def put(n: int, missing: Any, slot: int, card: int, space: Any) -> None:
    """Give a card to whom it belongs; one on the board is everybody's."""
    owner, place = missing.owners[slot], missing.places[slot]
    if owner >= 0:
        space.rows[owner][place] = card
    else:
        for p in range(n):
            space.rows[p][missing.hole + place] = card


def judge_complete(first: Any, second: Any, n: int, missing: Any, space: Any) -> None:
    """Write the strengths of everybody who gets no more cards."""
    for p in range(n):
        if missing.needs[p] == 0:
            judge(first, second, missing, p, space)


def judge(first: Any, second: Any, missing: Any, p: int, space: Any) -> None:
    """Write a player's strengths."""
    space.firsts[p] = judging.strength(first, missing.hole, space.rows[p])
    space.seconds[p] = judging.strength(second, missing.hole, space.rows[p])


# --- some of them


def sample_deals(
    judges: Any,
    missing: Any,
    holdings: Any,
    listed: Any,
    gone: int,
    state: int,
    count: int,
    space: Any,
    counts: Any,
) -> None:
    """Draw so many deals, from the list of them where there is one, with all that is missing, and count who wins."""
    first, second, n = judges[0], judges[1], len(space.rows)
    lay_board(n, missing, space)
    for _ in range(count):
        if len(listed.bounds):
            state, i = dealing.draw_weighted(listed.bounds, 0, len(listed.bounds) - 1, state)
            for p in range(n):
                space.at[p] = listed.deals[i][p]
        else:
            state = draw_holdings(holdings, n, gone, state, space)
        used = gone
        for p in range(n):
            used |= holdings.masks[space.at[p]]
            for k in range(holdings.sizes[p]):
                space.rows[p][k] = holdings.cards[space.at[p]][k]
        for slot in range(len(missing.owners)):
            state, card = draw_card(state, used)
            used |= 1 << card
            put(n, missing, slot, card, space)
        for p in range(n):
            judge(first, second, missing, p, space)
        judging.score(n, space.firsts, space.seconds, 1, 1, counts)


def draw_holdings(holdings: Any, n: int, gone: int, state: int, space: Any) -> int:
    """Draw everybody's holding by its weight; where a card stands twice, all are drawn again."""
    while True:
        used, p = gone, 0
        while p < n:
            state, i = dealing.draw_weighted(holdings.bounds, holdings.starts[p], holdings.starts[p + 1] - 1, state)
            if used & holdings.masks[i]:
                break
            used |= holdings.masks[i]
            space.at[p] = i
            p += 1
        if p == n:
            return state


def draw_card(state: int, used: int) -> tuple[int, int]:
    """Draw one of the cards that are not used."""
    while True:
        state, drawn = chance.draw(state, CARDS)
        card = int(drawn)
        if not used >> card & 1:
            return state, card
