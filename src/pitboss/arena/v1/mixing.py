"""The messages by which server and clients mix numbers into a hand's secret."""

from typing import Literal

from msgspec import Struct

from pitboss.arena.v1.base import Count, Hash, Id, Message, Seat


class Number(Message, frozen=True, kw_only=True, tag="number"):
    """The answer to a `mix` that has your seat in its list: your number is opened."""

    v: Literal[1]
    hand_id: Id
    number: Hash  #: the 32 bytes that you are bound to, in hexadecimal
    next: Hash | None = None  #: binds you to the number that you will mix in after this one


class BoundNumber(Struct, frozen=True, kw_only=True):
    """What binds a seat to its number."""

    seat: Seat
    commit: Hash  #: binds the seat to its number


class Mix(Message, frozen=True, kw_only=True, tag="mix"):
    """Server and clients are bound to the numbers that decide the next hand: whoever is in the list opens his."""

    hand_id: Id
    attempt: Count  #: 1, and one more each time that somebody withheld his number
    seats: tuple[Seat, ...]  #: who will be dealt in
    commit: Hash  #: binds the server to its own number
    numbers: tuple[BoundNumber, ...]  #: the seats whose numbers will be mixed in
    withheld: tuple[Seat, ...] = ()  #: who did not open his number in the attempt before; he is not asked again
    seq: Count


class OpenedNumber(Struct, frozen=True, kw_only=True):
    """A number that a seat has opened."""

    seat: Seat
    number: Hash  #: its number
