"""Convert between the two ways to record a returning player's debt: paid before the hand, or posted during it.

A pitboss table moves the debt from the stack to the pot before the hand. `_deadMoney` has the total and `_deadPaid`
the payers. In other formats the starting stack still includes the debt, and the player posts it dead.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from msgspec.structs import replace

from pitboss.records.money import Amount
from pitboss.records.record import Record
from pitboss.records.replay import dead_money, dead_posts, find_lineup, read_moves
from pitboss.records.table_fields import DEAD_MONEY, DEAD_PAID, DEAD_POSTS, LineupError


def debts_as_posts(record: Record) -> Record:
    """Return the record with dead money replaced by dead posts of the players who paid it.

    `_deadPaid` may name no payer for a part of the dead money. That part is posted by the last player
    whose stack covers their forced bets.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 97),
    ...                 actions=(), players=("ann", "bob"), user={"_deadMoney": 3, "_deadPaid": {"bob": 3}})
    >>> posted = debts_as_posts(record)
    >>> posted.starting_stacks, posted.user
    ((50, 100), {'_deadPosts': (0, 3)})
    >>> posts_as_debts(posted) == record
    True
    """
    rest = dead_money(record)
    if not rest:
        return record
    covering = _covering(record, record.starting_stacks)
    if not covering:
        raise LineupError(f"{DEAD_MONEY}: expected a player whose stack covers the forced bets, to post the dead money")
    paid: list[Amount] = [0] * len(record.starting_stacks)
    for player, amount in _paid(record):
        if player in covering and amount <= rest:
            paid[player] = amount
            rest -= amount
    paid[covering[-1]] += rest
    user = {name: value for name, value in record.user.items() if name not in (DEAD_MONEY, DEAD_PAID)}
    user[DEAD_POSTS] = _sums(dead_posts(record), paid)
    return replace(record, starting_stacks=_sums(record.starting_stacks, paid), user=user)


def posts_as_debts(record: Record) -> Record:
    """Return the record with dead posts replaced by dead money.

    The record is unchanged if a player could not pay the ante and the blind after paying the dead post.
    """
    dead, names = dead_posts(record), record.players
    if names is None or not any(dead):
        return record
    left = _sums(record.starting_stacks, [-amount for amount in dead])
    covering = _covering(record, left)
    if any(post and player not in covering for player, post in enumerate(dead)):
        return record
    user = {name: value for name, value in record.user.items() if name != DEAD_POSTS}
    user[DEAD_MONEY] = dead_money(record) + sum(dead)
    user[DEAD_PAID] = {name: amount for name, amount in zip(names, dead, strict=True) if amount}
    return replace(record, starting_stacks=left, user=user)


def _covering(record: Record, stacks: Sequence[Amount]) -> list[int]:
    """Return the players in the hand whose stacks cover their forced bets, in order of place.

    A player without chips is not included. A player is an index into the record's arrays.
    """
    line, n = find_lineup(record, read_moves(record)), len(stacks)
    antes = line.by_place(record.antes, n, "antes")
    blinds = line.by_place(record.blinds_or_straddles or (0,) * n, n, "blinds or straddles")
    return [
        player
        for place, player in enumerate(line.players)
        if stacks[player] > 0 and stacks[player] >= antes[place] + max(blinds[place], -blinds[place])
    ]


def _paid(record: Record) -> Iterator[tuple[int, Amount]]:
    """Yield the index and the payment of each player named in `_deadPaid`."""
    paid, names = record.user.get(DEAD_PAID), record.players or ()
    for name, amount in paid.items() if isinstance(paid, Mapping) else ():
        if name in names and isinstance(amount, int | Decimal) and Decimal(amount).is_finite() and amount > 0:
            yield names.index(name), amount


def _sums(amounts: Sequence[Amount], more: Sequence[Amount]) -> tuple[Amount, ...]:
    return tuple(amount + other for amount, other in zip(amounts, more, strict=True))
