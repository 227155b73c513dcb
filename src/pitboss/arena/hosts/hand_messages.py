"""What everybody is sent of a hand of poker, in the words of v1: its events as `event` messages.

It needs nothing but the journal's records, so that a hand is told again after a restart as it was told before.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, assert_never

from pitboss.arena.hosts.host import NextNumber
from pitboss.arena.journal.commitment import Shuffled
from pitboss.arena.journal.fold import order_of
from pitboss.arena.journal.records import Acted, HandStarted, poker_events
from pitboss.arena.v1 import messages as wire
from pitboss.arena.v1.poker import TableFrame
from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, Mucked, Raked, RunBegun, Shown, UpDealt, Won
from pitboss.hand.structure import Structure
from pitboss.hand.view import view_event

_HALVES: dict[str | None, Literal["high", "low"]] = {"high": "high", "low": "low"}
"""Which half of a pot goes by which order."""
_SINGLE_CARDS: dict[str, type[wire.TurnCard | wire.RiverCard]] = {"TURN": wire.TurnCard, "RIVER": wire.RiverCard}


class HandMessages:
    """The events of one hand after the other as messages, each numbered by whoever asks for them."""

    def __init__(self) -> None:
        self._frame = TableFrame(0, 0)
        self._split = self._up = False  # whether pots are split by two orders, and whether cards lie face up
        self._begun = False  # whether the first street's cards are dealt
        self._hand_id = ""
        self._order: tuple[int, ...] = ()
        self._blind_seats: tuple[int, int] | None = None  # with a dead button
        self._board: tuple[str, ...] = ()
        self._discarded: set[str] = set()  # whoever first held such a card is nobody's business
        self._deal: Shuffled | None = None

    def begin(self, started: HandStarted, deal: Shuffled, structure: Structure, frame: TableFrame) -> None:
        """Turn to a hand of a structure, dealt from this deck."""
        self._hand_id, self._order, self._board, self._deal = started.hand_id, order_of(started), (), deal
        self._frame, self._split, self._up = frame, len(structure.showdown) > 1, bool(structure.faces)
        self._blind_seats = started.blinds
        self._begun = False
        self._discarded = set()

    def messages(self, record: HandStarted | Acted, number: NextNumber) -> list[wire.ServerMessage]:
        """Antes and blinds where the hand has just begun, then every event that everybody learns."""
        events = poker_events(record.events)
        messages: list[wire.ServerMessage] = []
        auto = False
        if isinstance(record, HandStarted):
            messages += self._forced([event for event in events if isinstance(event, Posted)], number)
        else:
            auto = record.cause == "timeout"
        for event in events:
            if isinstance(event, Discarded):
                self._discarded.update(event.cards)
            message = self._event(view_event(event, None), auto, number)
            if message is not None:
                messages.append(message)
            self._begun = self._begun or isinstance(event, UpDealt)
        return messages

    def _forced(self, posted: Sequence[Posted], number: NextNumber) -> list[wire.ServerMessage]:
        """Antes where there are any, then blinds where the game has them."""
        forced: list[wire.ServerMessage] = []
        if self._frame.ante:
            antes = [event for event in posted if not event.live]
            paid = tuple([wire.PaidAnte(seat=self._order[event.place], amount=event.amount) for event in antes])
            forced.append(wire.PostAntes(hand_id=self._hand_id, seq=number(), ante=self._frame.ante, posted=paid))
        if not self._frame.bring_in:
            forced.append(self._blinds([event for event in posted if event.live], number))
        return forced

    def _blinds(self, posted: Sequence[Posted], number: NextNumber) -> wire.PostBlinds:
        paid = {self._order[event.place]: event.amount for event in posted}
        # From the button's left; heads-up the button has the small blind.
        sb_seat, bb_seat = self._blind_seats or (self._order[::-1] if len(self._order) == 2 else self._order[:2])
        return wire.PostBlinds(
            hand_id=self._hand_id,
            seq=number(),
            sb_seat=sb_seat,
            bb_seat=bb_seat,
            sb=self._frame.small_blind,
            bb=self._frame.big_blind,
            sb_posted=paid.get(sb_seat, 0),
            bb_posted=paid.get(bb_seat, 0),
        )

    def _event(self, event: Event, auto: bool, number: NextNumber) -> wire.HandEvent | None:
        seat, hand_id = self._order, self._hand_id
        match event:
            case Checked():
                return wire.CheckMessage(hand_id=hand_id, seq=number(), seat=seat[event.place], auto=auto)
            case Folded():
                return wire.FoldMessage(hand_id=hand_id, seq=number(), seat=seat[event.place], auto=auto)
            case Called():
                at, amount = seat[event.place], event.amount
                return wire.CallMessage(hand_id=hand_id, seq=number(), seat=at, amount=amount, auto=auto)
            case Raised():
                at, amount = seat[event.place], event.amount
                return wire.BetMessage(hand_id=hand_id, seq=number(), seat=at, amount=amount, to=event.to)
            case BroughtIn():
                at, amount = seat[event.place], event.amount
                return wire.BringIn(hand_id=hand_id, seq=number(), seat=at, amount=amount, auto=auto)
            case Discarded():
                at, count = seat[event.place], len(event.cards)
                return wire.DrawMessage(hand_id=hand_id, seq=number(), seat=at, count=count, auto=auto)
            case UpDealt():
                at, (card,) = seat[event.place], event.cards
                return wire.UpCard(hand_id=hand_id, seq=number(), seat=at, card=card, opened=self._opened((card,)))
            case BoardDealt():
                return self._dealt(event.street, event.cards, number)
            case Shown():
                return wire.Showdown(
                    hand_id=hand_id,
                    seq=number(),
                    seat=seat[event.place],
                    hand=event.cards,
                    board=self._board,
                    rank=event.rank or "",
                    opened=self._opened(event.cards),
                )
            case Refunded():
                return wire.Refund(hand_id=hand_id, seq=number(), seat=seat[event.place], amount=event.amount)
            case Won():
                at, amount, half = seat[event.place], event.amount, _HALVES.get(event.order) if self._split else None
                return wire.PotAward(hand_id=hand_id, seq=number(), seat=at, amount=amount, pot=event.pot, half=half)
            case HoleDealt() if self._begun and self._up:
                return wire.DownCard(hand_id=hand_id, seq=number(), seat=seat[event.place])
            case Posted() | HoleDealt() | Mucked() | Raked() | RunBegun():
                return None  # blinds are sent together, hole cards with the questions; all show, and nobody pays rake
            case _:
                assert_never(event)

    def _dealt(self, street: str, cards: tuple[str, ...], number: NextNumber) -> wire.HandEvent:
        self._board += cards
        opened = self._opened(cards)
        if street == "FLOP":
            return wire.Flop(hand_id=self._hand_id, seq=number(), cards=cards, opened=opened)
        kind = _SINGLE_CARDS.get(street, wire.CommunityCard)
        return kind(hand_id=self._hand_id, seq=number(), card=cards[0], opened=opened)

    def _opened(self, cards: Iterable[str]) -> tuple[wire.Opening, ...]:
        """The proof of each card but those that came back from the discards: their places tell who threw them away."""
        assert self._deal is not None
        return tuple([_opening(self._deal, card) for card in cards if card not in self._discarded])


def _opening(deal: Shuffled, card: str) -> wire.Opening:
    opened = deal.open(deal.deck.index(card))
    return wire.Opening(
        card=card, at=opened.at, salt=opened.salt.hex(), path=tuple([node.hex() for node in opened.path])
    )
