"""Statistics of the other teams at a table, from the messages that one seat receives.

A finished hand becomes a record without the cards that were not shown, and `pitboss.study` counts it. This covers games
with blinds and a board; in other games only the number of hands and the winnings are known.
"""

from collections.abc import Iterable, Mapping

from pitboss.arena.agents.prompts import quoted
from pitboss.arena.wire.messages import (
    BetMessage,
    CallMessage,
    CheckMessage,
    EndHand,
    EventMessage,
    Flop,
    FoldMessage,
    LeftMessage,
    Lobby,
    PostAntes,
    PostBlinds,
    RiverCard,
    ServerMessage,
    Showdown,
    StartHand,
    TurnCard,
    VoidMessage,
)
from pitboss.errors import PitbossError
from pitboss.hand.structure import Structure
from pitboss.records.record import Record
from pitboss.study.marks import mark_hand
from pitboss.study.rows import PlayerStatistics, make_row
from pitboss.study.tally import PlayerTally

FEWEST = 5
"""The number of hands after which the statistics of a team are given."""
UNKNOWN = "??"
"""A card that was not shown, in PHH."""


class Opponents:
    """What one seat has seen of the teams at its table."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}  #: the team in each seat
        self.hands = 0  #: the number of hands that were counted
        self._tallies: dict[str, PlayerTally] = {}
        self._start: StartHand | None = None
        self._events: list[EventMessage] = []

    def receive(self, message: ServerMessage, structure: Structure | None) -> None:
        """Note a message of a table where this game is played."""
        match message:
            case Lobby(players=players):
                self.names = {player.seat: player.team for player in players}
            case StartHand():
                self._start, self._events = message, []
            case VoidMessage() | LeftMessage():
                self._start = None
            case EndHand() if self._start is not None:
                if structure is not None:
                    self._count(self._start, message, structure)
                self._start = None
            case EventMessage() if self._start is not None:
                self._events.append(message)

    def row(self, seat: int) -> PlayerStatistics | None:
        """Return the statistics of the team in a seat; None before its first hand."""
        name = self.names.get(seat, "")
        tally = self._tallies.get(name)
        return None if tally is None else make_row(name, None, tally)

    def lines(self, seats: Iterable[int]) -> list[str]:
        """Return one line for each of these seats that was seen often enough."""
        found = ((seat, self.row(seat)) for seat in seats)
        return [
            f"seat {seat} {quoted(row.player)}: {_words(row)}" for seat, row in found if row and row.hands >= FEWEST
        ]

    def _count(self, start: StartHand, end: EndHand, structure: Structure) -> None:
        record = record_of(start, end, self._events, structure)
        if record is None:
            return
        try:
            marked = mark_hand(record, expected=False)
        except PitbossError:
            return  # a statistic is not worth more
        self.hands += 1
        for seat, marks in zip(record.seats or (), marked.players, strict=True):
            name = self.names.get(seat)
            if name is not None:
                self._tallies.setdefault(name, PlayerTally()).count(marks, marked.currency, marked.big)


def record_of(start: StartHand, end: EndHand, events: Iterable[EventMessage], structure: Structure) -> Record | None:
    """Return the record of a hand as one seat saw it, with its seats in order; None if the game needs more.

    Seats are numbers of the protocol, so the first seat can be 0.
    """
    if structure.faces or structure.draws or structure.betting.bring_in:
        return None
    order = _places(start)
    place = {seat: number for number, seat in enumerate(order, 1)}
    posts, antes = dict.fromkeys(order, 0), dict.fromkeys(order, 0)
    blind = 0
    hole = structure.hole_by_street[-1]
    actions = [f"d dh p{number} {UNKNOWN * hole}" for number in place.values()]
    for event in events:
        match event:
            case PostBlinds(sb_seat=small, bb_seat=big, sb=least, bb=blind):
                posts |= {seat: amount for seat, amount in ((small, least), (big, blind)) if seat in place}
            case PostAntes(ante=ante):
                antes = dict.fromkeys(order, ante)
            case BetMessage(seat=seat, to=to):
                actions.append(f"p{place[seat]} cbr {to}")
            case CallMessage(seat=seat) | CheckMessage(seat=seat):
                actions.append(f"p{place[seat]} cc")
            case FoldMessage(seat=seat):
                actions.append(f"p{place[seat]} f")
            case Flop(cards=cards):
                actions.append(f"d db {''.join(cards)}")
            case TurnCard(card=card) | RiverCard(card=card):
                actions.append(f"d db {card}")
            case Showdown(seat=seat, hand=hand):
                actions.append(f"p{place[seat]} sm {''.join(hand)}")
    if not blind:
        return None
    stacks: Mapping[int, int] = {each.seat: each.stack for each in start.stacks}
    after: Mapping[int, int] = {each.seat: each.stack for each in end.stacks}
    exact = structure.betting.exact
    return Record(
        variant=structure.code,
        antes=tuple(antes.values()),
        blinds_or_straddles=tuple(posts.values()),
        starting_stacks=tuple([stacks[seat] for seat in order]),
        finishing_stacks=tuple([after.get(seat, 0) for seat in order]),
        actions=tuple(actions),
        seats=tuple(order),
        small_bet=blind if exact else None,
        big_bet=2 * blind if exact else None,
        min_bet=None if exact else blind,
    )


def _places(start: StartHand) -> list[int]:
    """Return the seats of a hand from the button's left."""
    seats = sorted(each.seat for each in start.stacks if each.stack)
    after = [seat for seat in seats if seat > start.button]
    return after + [seat for seat in seats if seat <= start.button]


def _words(row: PlayerStatistics) -> str:
    """Return the figures of a player in a few words."""
    shares = (("VPIP", row.vpip), ("PFR", row.pfr), ("aggression", row.aggression), ("went to showdown", row.wtsd))
    words = [f"{row.hands} hands", *(f"{name} {share:.0%}" for name, share in shares if share is not None)]
    if row.bb_per_100 is not None:
        words.append(f"{row.bb_per_100:+.0f} bb/100")
    return ", ".join(words)
