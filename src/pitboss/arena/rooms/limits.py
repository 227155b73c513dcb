"""What a room puts up with, and how long it waits for whom."""

from msgspec import Struct


class Limits(Struct, frozen=True, kw_only=True):
    """What a room puts up with; times in seconds."""

    hello: float = 10.0
    grace: float = 30.0  #: after a restart, how long a seat's clock waits for the seat
    frames_a_second: float = 25.0
    burst: float = 50.0
    strikes: int = 200  #: frames over the limit until the connection is closed
    wrong_hellos: int = 5
    takeovers: int = 8  #: of one seat within `takeover_window`
    takeover_window: float = 10.0
    watchers: int = 1000
    delay: float = 0.0  #: how long spectators lag behind
    mixing: float = 2.0  #: how long numbers are waited for; a quarter of a turn where that is less
