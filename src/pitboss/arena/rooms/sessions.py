"""A player's connection as its room knows it: whose seat it has, and how much it has said."""

from msgspec import Struct


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

    def may_speak(self, now: float, frames_a_second: float, burst: float) -> bool:
        """Whether it has kept to its number of frames; each one over it is a strike."""
        self.tokens = min(burst, self.tokens + (now - self.heard) * frames_a_second)
        self.heard = now
        if self.tokens < 1:
            self.strikes += 1
            return False
        if self.tokens == burst:
            self.strikes = 0
        self.tokens -= 1
        return True
