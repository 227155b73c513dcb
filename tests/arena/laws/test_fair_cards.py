"""The arena's decks are fair by counts over a million of them, and the counts would show it if they were not."""

import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count

import pytest

from tests.support.arena.fair_cards import (
    ALARM,
    CARDS,
    N,
    Shuffle,
    arena_shuffle,
    fresh_seed,
    judge,
    mixed_secrets,
    unfair,
)
from tests.support.figures import write_row

FEW, MANY = 20_000, 1_000_000


def numbers(secret: bytes) -> Iterator[int]:
    """Numbers below 2^32 that a secret decides."""
    return (
        int.from_bytes(block[at : at + 4], "big")
        for k in count()
        for block in [sha256(secret + k.to_bytes(4, "big")).digest()]
        for at in range(0, 32, 4)
    )


def by_swaps(there: Callable[[int, int], int]) -> Shuffle:
    """A shuffle that swaps each place with another, which `there` takes from the place and a number."""

    def shuffle(secret: bytes) -> Sequence[str]:
        deck, drawn = list(CARDS), numbers(secret)
        for here in range(N):
            other = there(here, next(drawn))
            deck[here], deck[other] = deck[other], deck[here]
        return deck

    return shuffle


def fair(here: int, number: int) -> int:
    """Any place from here on."""
    return here + number % (N - here)


def on_top(share: float) -> Shuffle:
    """A shuffle that has one card on top too often, by this share."""

    def shuffle(secret: bytes) -> Sequence[str]:
        deck = list(arena_shuffle(secret))
        if secret[0] < share * 256 and deck[1] == CARDS[0]:
            deck[:2] = deck[1::-1]
        return deck

    return shuffle


def sticking(secret: bytes) -> Sequence[str]:
    """One deck in ten leaves the first two neighbours together, wherever they go."""
    deck = list(arena_shuffle(secret))
    if secret[0] < 26:
        deck.remove(CARDS[1])
        deck.insert(deck.index(CARDS[0]) + 1, CARDS[1])
    return deck


def repeating() -> Iterator[bytes]:
    """Secrets of which one in ten comes twice."""
    for number, secret in enumerate(mixed_secrets(b"repeating")):
        yield secret
        if number % 10 == 0:
            yield secret


UNFAIR: dict[str, Shuffle] = {
    "any place with any other": by_swaps(lambda here, number: number % N),
    "never with itself": by_swaps(lambda here, number: here + 1 + number % (N - here - 1) if here < N - 1 else here),
    "a byte taken by its remainder": by_swaps(lambda here, number: here + number % 256 % (N - here)),
    "the last place left out": by_swaps(lambda here, number: here + number % max(1, N - here - 1)),
    "a card on top too often": on_top(0.5),
    "neighbours that stick": sticking,
}


@pytest.mark.parametrize("shuffle", [arena_shuffle, by_swaps(fair)], ids=["the arena's", "another fair one"])
def test_fair_decks_pass(shuffle: Shuffle) -> None:
    seed = fresh_seed()
    assert not unfair(judge(shuffle, mixed_secrets(seed), FEW)), f"seed {seed.decode()}"


@pytest.mark.check
@pytest.mark.parametrize("name", UNFAIR)
def test_a_planted_bias_is_found(name: str) -> None:
    assert unfair(judge(UNFAIR[name], mixed_secrets(b"planted"), FEW))


def test_repeated_deck_is_detected() -> None:
    assert unfair(judge(arena_shuffle, repeating(), FEW))


def test_fair_decks_fail_no_test_more_often_than_declared() -> None:
    """Of 60 small runs each test's chance is below a tenth about six times, and seldom more than fifteen."""
    runs = [judge(by_swaps(fair), mixed_secrets(f"calm {run}".encode()), 400) for run in range(60)]
    for verdicts in zip(*runs, strict=True):
        assert sum(verdict.chance < 0.1 for verdict in verdicts) <= 15, verdicts[0].name


@pytest.mark.slow
def test_a_million_decks_are_fair() -> None:
    seed, begun = fresh_seed(), time.perf_counter()
    verdicts = judge(arena_shuffle, mixed_secrets(seed), MANY)
    assert not unfair(verdicts), f"PITBOSS_SEED={seed.decode()} gives {unfair(verdicts)}"
    assert unfair(judge(on_top(0.06), mixed_secrets(seed), MANY)), f"PITBOSS_SEED={seed.decode()}: six in a hundred"
    write_row(
        "fair-cards",
        decks=MANY,
        tests=len(verdicts),
        chance_of_a_false_alarm=ALARM,
        least_chance_found=min(verdict.chance for verdict in verdicts),
        seed=seed.decode(),
        seconds=round(time.perf_counter() - begun),
    )
