"""Numbers that server and clients mix into a hand's secret, so that nobody alone decides a deck.

Everybody is bound to his number by its hash before anybody opens one. The hand's secret is a hash over all of them: who
knows all but one of the numbers knows nothing of it.
"""

from collections.abc import Mapping
from hashlib import sha256


def bind_number(number: bytes) -> str:
    """What binds somebody to a number of 32 bytes without showing it.

    >>> bind_number(bytes(32))[:16]
    '940bc17a271643e8'
    """
    return sha256(b"number" + number).hexdigest()


def mix_numbers(hand_id: str, server_number: bytes, numbers: Mapping[int, bytes]) -> bytes:
    """The secret of a hand that the server's number and those of some seats decide.

    >>> mix_numbers("H-2025-10-17-00100", bytes(32), {3: bytes(32)}).hex()[:16]
    'fd8403572a8e2205'
    """
    of_seats = b"".join(bytes((seat,)) + numbers[seat] for seat in sorted(numbers))
    return sha256(b"mixed" + server_number + of_seats + hand_id.encode()).digest()
