"""Whether a journal's records of mixed numbers hang together: each says what is wrong with one, or nothing."""

from collections.abc import Collection

from pitboss.arena.journal.numbers import bind_number, mix_numbers
from pitboss.arena.journal.records import HandStarted, NumbersBound


def bound_fault(
    record: NumbersBound, before: NumbersBound | None, due: tuple[int, ...], left_out: Collection[int]
) -> str | None:
    """What is wrong with an attempt in which numbers are bound; `due` are the seats that have a hand to come.

    The first attempt of a hand follows nothing. Another follows one that somebody spoilt, who has no part in it; who is
    dealt in stays as it was.
    """
    withheld = set(record.withheld)
    if before is None:
        follows = record.attempt == 1 and not withheld and record.seats == due
    else:
        again = (record.hand_id, record.attempt, record.seats) == (before.hand_id, before.attempt + 1, before.seats)
        follows = again and bool(withheld) and withheld <= set(before.commits)
    if not follows:
        return f"attempt {record.attempt} of its numbers does not follow what was before"
    if not record.commits or not set(record.commits) <= set(record.seats) - withheld - set(left_out):
        return "a seat is bound to a number that has no part in it"
    return None


def mixed_fault(started: HandStarted, bound: NumbersBound | None) -> str | None:
    """What is wrong with the numbers of a hand that was dealt: what was bound must have been opened and mixed.

    A hand without numbers may follow an attempt only where somebody spoilt it.
    """
    withheld = set(started.withheld)
    if bound is None:
        return "it is dealt from numbers that nobody was bound to" if started.numbers or withheld else None
    if started.hand_id != bound.hand_id or tuple(started.stacks) != bound.seats:
        return "it is not the hand that numbers were bound for"
    if not started.numbers:
        spoilt = bool(withheld) and withheld <= set(bound.commits)
        return None if spoilt else "it is dealt without the numbers that were bound for it"
    numbers = {seat: bytes.fromhex(number) for seat, number in started.numbers.items()}
    if withheld or {seat: bind_number(number) for seat, number in numbers.items()} != bound.commits:
        return "it is dealt from other numbers than those that were bound"
    if mix_numbers(started.hand_id, bytes.fromhex(bound.server_number), numbers).hex() != started.secret:
        return "its secret is not what its numbers make it"
    return None
