"""Pings that say for which turn they go out, and the pongs that answer them; aiohttp's own pings say nothing."""

PING, PONG = 9, 10
MARK = b"turn"
"""What the payload of such a ping begins with."""


def ping(turn: int) -> bytes:
    """A ping as a WebSocket server writes it.

    >>> ping(258)
    b'\\x89\\x0cturn\\x00\\x00\\x00\\x00\\x00\\x00\\x01\\x02'
    """
    payload = MARK + turn.to_bytes(8, "big")
    return bytes((0x80 | PING, len(payload))) + payload


def turn_of(payload: bytes) -> int | None:
    """The turn that a pong with this payload is about; None: it answers none of these pings.

    >>> turn_of(ping(258)[2:]), turn_of(b"")
    (258, None)
    """
    if len(payload) != len(MARK) + 8 or not payload.startswith(MARK):
        return None
    return int.from_bytes(payload[len(MARK) :], "big")
