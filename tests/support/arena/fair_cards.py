"""Whether decks are fair: counts over many decks, and how likely fair decks are to look as bad.

Seven tests share one declared chance of a false alarm equally. Where single counts are judged, each is binomial and
the bounds are Chernoff's with all cells added up, so the declared chance is never exceeded; the others are chi-squared.
`python -m tests.support.arena.fair_cards --decks 1000000 --seed 7` judges the arena's own decks.
"""

import argparse
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from pitboss.arena.journal.commitment import deck_of, mix_numbers

CARDS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""One letter per card, in the order of the deck before it is shuffled."""
N = len(CARDS)
ALARM = 1e-6
"""How often fair decks fail, all tests together."""
BLOCK, PATTERNS = 5, 120
CHUNK = 20_000

Decks = NDArray[np.int64]
Counts = NDArray[np.int64]
Shuffle = Callable[[bytes], Sequence[str]]
_NUMBER = np.zeros(256, np.int64)
_NUMBER[np.frombuffer(CARDS.encode(), np.uint8)] = np.arange(N)


class Verdict(Struct, frozen=True):
    """One test, with an upper bound of the chance that fair decks look as bad."""

    name: str
    chance: float


class Tally:
    """Everything that is counted, deck after deck."""

    def __init__(self) -> None:
        self.decks = 0
        self.at = np.zeros((N, N), np.int64)  #: place, card
        self.beside = np.zeros((N - 1, N, N), np.int64)  #: place, card there, card after it
        self.rises = np.zeros(N, np.int64)  #: decks by how often a card is above the one before it
        self.patterns = np.zeros(PATTERNS, np.int64)  #: the order of five neighbours
        self.again = np.zeros((N, N), np.int64)  #: a card, and the card in its place in the next deck

    def add(self, decks: Decks) -> None:
        """Count more decks; their number must be even."""
        self.decks += len(decks)
        places = np.arange(N)
        self.at += _count(places * N + decks, N * N).reshape(N, N)
        pairs = decks[:, :-1] * N + decks[:, 1:]
        self.beside += _count(places[:-1] * N * N + pairs, (N - 1) * N * N).reshape(N - 1, N, N)
        self.rises += _count((decks[:, 1:] > decks[:, :-1]).sum(axis=1), N)
        blocks = decks[:, : N - N % BLOCK].reshape(-1, BLOCK)
        code = np.zeros(len(blocks), np.int64)
        for here in range(BLOCK):
            below = (blocks[:, here + 1 :] < blocks[:, here : here + 1]).sum(axis=1)
            code += below * math.factorial(BLOCK - 1 - here)
        self.patterns += _count(code, PATTERNS)
        self.again += _count(decks[::2] * N + decks[1::2], N * N).reshape(N, N)

    def verdicts(self) -> list[Verdict]:
        """Every test."""
        decks, cards = self.decks, ~np.eye(N, dtype=bool)
        even = self.at - decks / N
        spread = (N - 1) / decks * float((even**2).sum())  # a random permutation's covariance is known exactly
        pooled = self.beside.sum(axis=0)[cards]
        rises = [decks * share for share in rise_shares(N)]
        blocks = int(self.patterns.sum())
        return [
            Verdict("places, all together", chi_squared_tail(spread, (N - 1) ** 2)),
            Verdict("places, each card at each", worst_cell(self.at, decks, 1 / N)),
            Verdict("neighbours, each pair", worst_cell(pooled, decks, 1 / N)),
            Verdict("neighbours, each pair at each place", worst_cell(self.beside[:, cards], decks, 1 / N / (N - 1))),
            Verdict("runs: how often cards rise", chi_squared(self.rises, rises)),
            Verdict("orders of five neighbours", chi_squared(self.patterns, [blocks / PATTERNS] * PATTERNS)),
            Verdict("the same place in the next deck", worst_cell(self.again, decks // 2, 1 / N)),
        ]


def unfair(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The tests that fair decks fail with a chance of at most `ALARM`."""
    return [verdict for verdict in verdicts if verdict.chance < ALARM / len(verdicts)]


def judge(shuffle: Shuffle, secrets: Iterator[bytes], decks: int) -> list[Verdict]:
    """Count this many decks and judge them."""
    tally = Tally()
    while tally.decks < decks:
        count = min(CHUNK, decks - tally.decks)
        text = "".join(["".join(shuffle(secret)) for secret, _ in zip(secrets, range(count), strict=False)])
        tally.add(_NUMBER[np.frombuffer(text.encode(), np.uint8)].reshape(count, N))
    return tally.verdicts()


def arena_shuffle(secret: bytes) -> Sequence[str]:
    """A deck as the arena deals it."""
    return deck_of(secret, CARDS)


def mixed_secrets(seed: bytes) -> Iterator[bytes]:
    """Secrets as the arena mixes them, from the server's number and one client's; both come from a seed."""
    number = 0
    while True:
        number += 1
        server, client = (sha256(seed + who + number.to_bytes(8, "big")).digest() for who in (b"server", b"client"))
        yield mix_numbers(f"H-2026-11-15-{number:05d}", server, {0: client})


def fresh_seed() -> bytes:
    """The seed that PITBOSS_SEED names, else a new one each time: the chance of a false alarm is declared."""
    given = os.environ.get("PITBOSS_SEED")
    return given.encode() if given else os.urandom(8).hex().encode()


# --- how likely


def worst_cell(counts: Counts, trials: int, chance: float) -> float:
    """An upper bound of the chance that one of these binomial counts is as far off as the farthest."""
    share = np.clip(counts / trials, 1e-300, 1 - 1e-12)
    far = share * np.log(share / chance) + (1 - share) * np.log((1 - share) / (1 - chance))
    return float(min(1.0, 2 * counts.size * math.exp(-trials * float(far.max()))))


def chi_squared(counts: Counts, expected: Sequence[float]) -> float:
    """The chance that counts are this far from what is expected; rare values are counted together."""
    pooled: list[list[float]] = []
    for count, wanted in zip(counts.tolist(), expected, strict=True):
        if pooled and pooled[-1][1] < 20:
            pooled[-1][0] += count
            pooled[-1][1] += wanted
        else:
            pooled.append([count, wanted])
    if pooled[-1][1] < 20:
        count, wanted = pooled.pop()
        pooled[-1][0] += count
        pooled[-1][1] += wanted
    return chi_squared_tail(sum((count - wanted) ** 2 / wanted for count, wanted in pooled), len(pooled) - 1)


def chi_squared_tail(value: float, freedom: int) -> float:
    """The chance of a value as large or larger, by the incomplete gamma function.

    >>> round(chi_squared_tail(3.841459, 1), 6), round(chi_squared_tail(124.342, 100), 4)
    (0.05, 0.05)
    """
    a, x = freedom / 2, value / 2
    if x < a + 1:  # the series of the lower part
        term = total = 1 / a
        k = a
        while term > total * 1e-17:
            k += 1
            term *= x / k
            total += term
        return 1 - total * math.exp(a * math.log(x) - x - math.lgamma(a)) if x > 0 else 1.0
    b = x + 1 - a  # the continued fraction of the upper part
    c, d = 1e300, 1 / b
    h = d
    for k in range(1, 100_000):
        step = -k * (k - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        h *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return h * math.exp(a * math.log(x) - x - math.lgamma(a))


def rise_shares(cards: int) -> list[float]:
    """The share of permutations with each number of rises: Euler's numbers.

    >>> [round(share * 24) for share in rise_shares(4)]
    [1, 11, 11, 1]
    """
    row = [1]
    for n in range(2, cards + 1):
        row = [(k + 1) * (row[k] if k < len(row) else 0) + (n - k) * (row[k - 1] if k else 0) for k in range(n)]
    return [count / math.factorial(cards) for count in row]


def _count(index: NDArray[np.int64], size: int) -> Counts:
    return np.bincount(index.ravel(), minlength=size)


def main() -> None:
    """Judge the arena's decks, and exit with 1 if they are not fair."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("--decks", type=int, default=1_000_000)
    arguments.add_argument("--seed", default=None)
    given = arguments.parse_args()
    seed = given.seed.encode() if given.seed is not None else fresh_seed()
    verdicts = judge(arena_shuffle, mixed_secrets(seed), given.decks)
    for verdict in verdicts:
        print(f"{verdict.chance:10.3g}  {verdict.name}")
    print(f"seed {seed.decode()}: {'unfair' if unfair(verdicts) else 'nothing against it'}")
    sys.exit(bool(unfair(verdicts)))


if __name__ == "__main__":
    main()
