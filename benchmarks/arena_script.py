"""What one table of the arena sent after each action, so that a server without a game can send it again."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import msgspec
from msgspec import Struct

ACT = b'{"type":"act"'
"""How the one frame begins that is for one seat only, and that is answered."""

Step: TypeAlias = list[tuple[tuple[int, ...], str]]
"""What follows an action: frames in order, each with those who receive it; the last one asks for the next action."""


class _Numbered(Struct):
    turn: int


def script(heard: Sequence[Sequence[bytes]]) -> list[Step]:
    """The steps, out of what each player of a table heard.

    Whoever is asked has heard all that came before, so his place in the common stream is where the step ends.

    >>> act = b'{"type":"act","turn":%d}'
    >>> start, bet, call = b'{"type":"start_hand"}', b"bet", b"call"
    >>> script([[b"lobby", start, act % 1, bet, call, act % 3], [start, bet, act % 2, call]])
    [[((0, 1), 'bet'), ((1,), '{"type":"act","turn":2}')], [((0, 1), 'call'), ((0,), '{"type":"act","turn":3}')]]
    """
    streams = [_from_first_hand(frames) for frames in heard]
    everybody = tuple(range(len(streams)))
    common = [frame.decode() for frame in streams[0] if not frame.startswith(ACT)]
    asked = sorted(question for player, frames in enumerate(streams) for question in _questions(player, frames))
    return [
        [*((everybody, frame) for frame in common[before[1] : end]), ((player,), act.decode())]
        for before, (_, end, player, act) in pairwise(asked)
    ]


def _from_first_hand(frames: Sequence[bytes]) -> Sequence[bytes]:
    first = next(at for at, frame in enumerate(frames) if frame.startswith(b'{"type":"start_hand"'))
    return frames[first:]


def _questions(player: int, frames: Sequence[bytes]) -> list[tuple[int, int, int, bytes]]:
    """A question to a player: the turn, the number of common frames before it, the player, and the frame."""
    acts = [at for at, frame in enumerate(frames) if frame.startswith(ACT)]
    return [
        (msgspec.json.decode(frames[at], type=_Numbered).turn, at - nth, player, frames[at])
        for nth, at in enumerate(acts)
    ]
