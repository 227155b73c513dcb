"""Matches of random play as a journal would keep them, for tests that read journals."""

from msgspec import Struct

from pitboss import __version__
from pitboss.arena.hosts.series import Series
from pitboss.arena.journal.records import Record, Settings
from pitboss.arena.v1.host import V1
from pitboss.arena.v1.messages import ServerMessage, write
from pitboss.betting.actions import AllIn, BettingAction, Call, Check, Fold
from pitboss.chance import Chance
from pitboss.store import Chain, Entry, Reading, read_chain, start

DAY = "2026-02-28"


class KeptMatch(Struct):
    """A match, its entries, and what everybody and seat 0 were told."""

    series: Series
    entries: list[Entry]
    told: list[str]
    chain: Chain

    @property
    def reading(self) -> Reading:
        """The journal as it is read back."""
        return read_chain(self.series.table_id, self.entries, self.chain.head)


def played(seed: int, *, seats: int = 4, hands: int = 6, ended: bool = True) -> KeptMatch:
    """A match of random play; with `ended`, to its end after so many hands, else stopped in mid-hand."""
    chance = Chance(seed)
    settings = Settings(seats=seats, stack=2000, max_hands=hands if ended else None)
    series = Series("T-1")
    match = KeptMatch(series, [], [], Chain("T-1", start("T-1")))
    opened = series.make_table(__version__, settings)
    host = V1(series)

    def keep(record: Record) -> None:
        entry = match.chain.append(host.write(record), seals=series.open is None)
        match.entries.append(entry)
        messages: list[ServerMessage] = list(host.tell(record, entry.hash))
        if series.to_act == 0:
            messages.append(host.question(entry.seq, 1000))
        match.told += map(write, messages)

    keep(opened)
    for number in range(seats):
        keep(series.make_seated(f"team {number}", None))
    while series.can_start and (ended or series.hands < hands):
        keep(host.start(bytes(chance.below(256) for _ in range(32)), DAY))
        while series.to_act is not None and (ended or series.hands < hands):
            keep(series.make_act(series.to_act, _some_action(series, chance), "client"))
    if ended:
        keep(host.end())
    return match


def _some_action(series: Series, chance: Chance) -> BettingAction:
    assert series.hand is not None
    offer = series.hand.offer
    if chance.below(9) == 0 and offer.all_in is not None:
        return AllIn()
    if offer.check:
        return Check()
    return Call() if chance.below(3) else Fold()
