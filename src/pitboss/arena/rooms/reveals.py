"""The secrets of a finished match as frames: each made once, when somebody first gets so far, and then kept.

A long match has hundreds of them, and making a deck anew takes time, so nobody waits for all of them at once.
"""

from collections.abc import Callable, Iterator, Sequence

from pitboss.arena.v1.messages import Reveal, RevealedHand, write

AT_ONCE = 30
"""Hands in one `reveal`, which keeps it near 8 KiB."""


class Reveals:
    """The frames that open every deck of a match, for any number of readers."""

    def __init__(self, secrets: Sequence[tuple[str, bytes]], reveal: Callable[[str, bytes], RevealedHand]) -> None:
        self._secrets = secrets
        self._reveal = reveal
        self._frames: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for number, first in enumerate(range(0, len(self._secrets), AT_ONCE)):
            if number == len(self._frames):
                hands = [self._reveal(*secret) for secret in self._secrets[first : first + AT_ONCE]]
                self._frames.append(write(Reveal(hands=tuple(hands))))
            yield self._frames[number]
