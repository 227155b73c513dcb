"""The entries of tables in `/api/tables`, and the chips of a cash table."""

from msgspec import Struct

from pitboss.arena.wire.fields import Chips, Id, Name
from pitboss.arena.wire.messages import Config, LobbyPlayer, Phase


class CashSums(Struct, frozen=True, kw_only=True):
    """The chips of a cash table: what was brought is in play, was taken away or is rake."""

    brought: Chips
    taken: Chips
    rake: Chips
    in_play: Chips


class Summary(Struct, frozen=True, kw_only=True):
    """One table in `/api/tables`."""

    table_id: Id
    config: Config
    players: tuple[LobbyPlayer, ...]
    hand_id: Id | None
    phase: Phase | None  #: null, like `hand_id`, if spectators are delayed
    over: bool  #: whether spectators have seen its end
    open: bool  #: whether any new team may take a seat
    free: int  #: the number of seats that can still be taken, by listed teams only if the organiser has a list
    missing: tuple[Name, ...]  #: teams on the organiser's list that have no seat yet


class TableState(Summary, frozen=True, kw_only=True, omit_defaults=True):
    """One table in `/api/tables/NAME`, with the chips of a cash table and the rules of a game that is not poker."""

    brought: Chips | None = None
    taken: Chips | None = None
    rake: Chips | None = None
    in_play: Chips | None = None
    rules: str | None = None  #: in English
