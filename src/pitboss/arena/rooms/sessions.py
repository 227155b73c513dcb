"""A player's connection as its room knows it: whose seat it has, and how much it has said."""

from msgspec import Struct

from pitboss.arena.rooms.limits import Limits


class Session(Struct):
    """A player's connection."""

    seat: int | None = None
    tokens: float = 0.0
    heard: float = 0.0
    strikes: int = 0
    wrong_hellos: int = 0
    asked: int = 0  #: the last turn this connection was asked about
    address: str = ""
    hello: int = 0  #: the number of the hello that seated it
    pings: bool = False  #: whether it can be pinged

    def may_speak(self, now: float, limits: Limits) -> bool:
        """Whether it has kept to its number of frames; each one over it is a strike."""
        tokens = self.tokens + (now - self.heard) * limits.frames_a_second
        self.heard = now
        if tokens >= limits.burst:
            tokens, self.strikes = limits.burst, 0
        if tokens < 1:
            self.tokens = tokens
            self.strikes += 1
            return False
        self.tokens = tokens - 1
        return True
