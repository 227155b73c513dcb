"""The server's commitment to a deck before the first card is dealt, and the numbers that determine the deck.

One random secret decides the deck of a hand and a salt for each card. The root of a hash tree over the salted cards is
published when the hand starts. A card that is shown later comes with its salt and the sibling hashes on its path to the
root. These hashes reveal nothing about the other cards. Clients can contribute numbers to the secret. First all clients
send hashes of their numbers, then the numbers; the secret is a hash over all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct

from pitboss.cards import DECK, Card

SALT_BYTES = 16
_FAIR = tuple(256 - 256 % max(choices, 1) for choices in range(len(DECK) + 1))
"""By number of cards to choose from: bytes from this value on would make the draw unfair, so they are drawn again."""
_PLACES = tuple(bytes((at,)) for at in range(len(DECK)))


class ShuffledDeck(Struct, frozen=True):
    """A deck with its salts and the hash tree over both, from the leaves up to the root."""

    secret: bytes
    deck: tuple[Card, ...]
    tree: tuple[tuple[bytes, ...], ...]

    @property
    def commit(self) -> str:
        """The root of the tree, which is the commitment."""
        return self.tree[-1][0].hex()

    def open(self, at: int) -> "OpenedCard":
        """Return the proof of which card is at a place of the deck."""
        path, here = [], at
        for level in self.tree[:-1]:
            sibling = here ^ 1
            if sibling < len(level):
                path.append(level[sibling])
            here //= 2
        return OpenedCard(self.deck[at], at, salt(self.secret, at), tuple(path))


class OpenedCard(Struct, frozen=True):
    """One card, its place, its salt, and the sibling hashes on its path to the root."""

    card: Card
    at: int
    salt: bytes
    path: tuple[bytes, ...]


def shuffle(secret: bytes, cards: Sequence[Card] = DECK) -> ShuffledDeck:
    """Shuffle these cards by a secret.

    >>> from msgspec.structs import replace
    >>> hand = shuffle(bytes(32))
    >>> hand.deck[:3], hand.commit[:8]
    (('8h', '7s', 'Tc'), '99cd0f50')
    >>> shown = hand.open(2)
    >>> matches_commitment(shown, hand.commit), matches_commitment(replace(shown, card="As"), hand.commit)
    (True, False)
    """
    deck = deck_of(secret, cards)
    salted = secret + b"salt"
    tree = [
        tuple(
            [
                sha256(b"\x00" + sha256(salted + at).digest()[:SALT_BYTES] + at + card.encode()).digest()
                for at, card in zip(_PLACES, deck, strict=False)
            ]
        )
    ]
    while len(tree[-1]) > 1:
        tree.append(_level_above(tree[-1]))
    return ShuffledDeck(secret, deck, tuple(tree))


def deck_of(secret: bytes, cards: Sequence[Card] = DECK) -> tuple[Card, ...]:
    """Return only the deck, in dealing order. All orders are equally likely."""
    deck = list(cards)
    numbers = _stream(secret)
    for here, choices in enumerate(range(len(deck), 1, -1)):
        number, fair = next(numbers), _FAIR[choices]
        while number >= fair:
            number = next(numbers)
        there = here + number % choices
        deck[here], deck[there] = deck[there], deck[here]
    return tuple(deck)


def salt(secret: bytes, at: int) -> bytes:
    """Return the salt of the card at a place."""
    return sha256(secret + b"salt" + bytes((at,))).digest()[:SALT_BYTES]


def leaf(salt: bytes, at: int, card: Card) -> bytes:
    """Return the hash of a card, which is a leaf of the tree."""
    return sha256(b"\x00" + salt + bytes((at,)) + card.encode()).digest()


def matches_commitment(opened: OpenedCard, commit: str, *, cards: int = len(DECK)) -> bool:
    """Whether an opened card matches the commitment."""
    node, here, size = leaf(opened.salt, opened.at, opened.card), opened.at, cards
    path = iter(opened.path)
    while size > 1:
        if here ^ 1 < size:
            sibling = next(path, b"")
            node = _node(sibling, node) if here % 2 else _node(node, sibling)
        here, size = here // 2, (size + 1) // 2
    return node.hex() == commit and next(path, None) is None


def public_number(commit: str) -> int:
    """Return the commitment's first 52 bits, a public number that every language reads exactly."""
    return int(commit[:13], 16)


def _level_above(level: Sequence[bytes]) -> tuple[bytes, ...]:
    pairs = [sha256(b"\x01" + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=False)]
    return (*pairs, level[-1]) if len(level) % 2 else tuple(pairs)


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def _stream(secret: bytes) -> Iterator[int]:
    """Yield bytes that look random without the secret."""
    counter = 0
    while True:
        yield from sha256(secret + b"deck" + counter.to_bytes(4, "big")).digest()
        counter += 1


def strategy_number(secret: bytes, at: int) -> float:
    """Return the number from 0 to 1 that draws from a mixed strategy; `at` counts the actions of the hand before it.

    It depends only on the secret, which the commitment to the deck binds too, so it is bound before the hand.

    >>> round(strategy_number(bytes(32), 3), 6)
    0.355111
    """
    return public_number(sha256(secret + b"strategy" + at.to_bytes(4, "big")).hexdigest()) / 2**52


def bind_number(number: bytes) -> str:
    """Return a commitment to a number of 32 bytes, which does not reveal it.

    >>> bind_number(bytes(32))[:16]
    '940bc17a271643e8'
    """
    return sha256(b"number" + number).hexdigest()


def mix_numbers(hand_id: str, server_number: bytes, numbers: Mapping[int, bytes]) -> bytes:
    """Return the secret of a hand, mixed from the server's number and the numbers of some seats.

    >>> mix_numbers("H-2025-10-17-00100", bytes(32), {3: bytes(32)}).hex()[:16]
    'fd8403572a8e2205'
    """
    of_seats = b"".join(bytes((seat,)) + numbers[seat] for seat in sorted(numbers))
    return sha256(b"mixed" + server_number + of_seats + hand_id.encode()).digest()
