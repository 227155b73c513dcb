"""The public events of a hand of poker as messages of protocol v1."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, assert_never

from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.poker import TableFrame
from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.betting.pots import pots as cut_pots
from pitboss.hand.events import (
    BoardDealt,
    Discarded,
    Event,
    HoleDealt,
    Mucked,
    Raked,
    RunBegun,
    RunsChosen,
    Shown,
    UpDealt,
    Won,
)
from pitboss.hand.structure import Structure
from pitboss.hand.view import view_event

RUN_OUT = 3
"""A record with more events than this is a run-out.

The last card, two hands, their winnings and the cause are fewer events.
"""
_HALVES: dict[str | None, Literal["high", "low"]] = {"high": "high", "low": "low"}
"""The name of the half of a pot that each order of hands wins."""
_SINGLE_CARDS: dict[str, type[wire.TurnCard | wire.RiverCard]] = {"TURN": wire.TurnCard, "RIVER": wire.RiverCard}


class PotTracker:
    """The pots of one hand, updated with the payments of each place.

    Methods return the pots only if they must be sent.
    """

    def __init__(self, seats: Sequence[int], stacks: Sequence[int], dead: int = 0) -> None:
        self._seats, self._stacks, self._dead = seats, [*stacks], dead
        self._paid, self._folded = [0] * len(seats), [False] * len(seats)
        self._all_in = False  # whether a stack was empty; before that, all chips are in one pot
        self._sent: tuple[wire.ContestedPot, ...] = ()

    def pay(self, place: int, amount: int) -> tuple[wire.ContestedPot, ...]:
        """Add chips of a place to the pots. A negative amount is returned to the place."""
        self._paid[place] += amount
        self._stacks[place] -= amount
        if not self._stacks[place]:
            self._all_in = True
        return self._news() if self._all_in else ()

    def pay_forced(self, posted: Iterable[Posted]) -> tuple[wire.ContestedPot, ...]:
        """Add antes or blinds, all at once."""
        pots: tuple[wire.ContestedPot, ...] = ()
        for event in posted:
            pots = self.pay(event.place, event.amount) or pots
        return pots

    def fold(self, place: int) -> tuple[wire.ContestedPot, ...]:
        """Fold a place."""
        self._folded[place] = True
        return self._news() if self._all_in else ()

    def _news(self) -> tuple[wire.ContestedPot, ...]:
        """Return the pots if they have changed since they were sent and there is, or was, more than one."""
        betting = [place for place, stack in enumerate(self._stacks) if stack]
        made = cut_pots(self._paid, self._folded, self._dead, betting)
        if len(made) < 2 and not self._sent:
            return ()
        seats = self._seats
        now = tuple(
            [wire.ContestedPot(amount=pot.amount, seats=tuple(sorted([seats[p] for p in pot.places]))) for pot in made]
        )
        if now == self._sent:
            return ()
        self._sent = now
        return now


def _with_one_rake(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events with the rake of all pots added up in the first rake event."""
    parts = [event for event in events if isinstance(event, Raked)]
    if len(parts) < 2:
        return events
    whole = Raked(sum([part.amount for part in parts]), parts[0].pot)
    return [whole if event is parts[0] else event for event in events if event not in parts[1:]]


class HandEvents:
    """Makes the messages about the public events of one hand.

    `order` is the seat of each place, `stacks` are the chips of each place, `blinds` the seats of the blinds if the
    button does not determine them, `dead` the missed blinds that seats pay into the pot, and `open_card` makes the
    proof of a card; without it, messages have no proofs.
    """

    def __init__(
        self,
        hand_id: str,
        order: Sequence[int],
        stacks: Sequence[int],
        structure: Structure,
        frame: TableFrame,
        *,
        blinds: tuple[int, int] | None = None,
        dead: Mapping[int, int] = {},
        open_card: Callable[[str], wire.Opening] | None = None,
    ) -> None:
        self._hand_id, self._order, self._open_card = hand_id, order, open_card
        self._frame, self._split, self._up = frame, len(structure.showdown) > 1, bool(structure.faces)
        self._blind_seats = blinds
        self._begun = False  # whether the first street's cards are dealt
        self._boards: list[tuple[str, ...]] = [()] * structure.boards
        self._common: tuple[str, ...] = ()  # the board when the seats choose the number of runs
        self._several = structure.boards > 1
        self._discarded: set[str] = set()  # the players who discarded these cards stay secret
        self._seq = 0  # of the next message
        self._dead = dead
        left = [chips - dead.get(seat, 0) for seat, chips in zip(order, stacks, strict=True)] if dead else stacks
        self._pots = PotTracker(order, left, sum(dead.values()))
        self._hands: tuple[wire.OpenHand, ...] = ()  # the hands to show with the next card

    def begin(self, events: Sequence[Event], seq: int) -> list[wire.HandEvent]:
        """Return the antes, the blinds and the public events of the first deal, numbered from `seq`."""
        self._seq = seq
        dead = [
            wire.PostDead(hand_id=self._hand_id, seq=self._number(), seat=seat, amount=amount)
            for seat, amount in self._dead.items()
        ]
        forced = self._forced([event for event in events if isinstance(event, Posted)])
        return [*dead, *forced, *self.public(events, self._seq)]

    def public(self, events: Sequence[Event], seq: int, *, auto: bool = False) -> list[wire.HandEvent]:
        """Return the public events as messages, numbered from `seq`; `auto`: the server acted for the seat."""
        self._seq = seq
        messages: list[wire.HandEvent] = []
        if len(events) > RUN_OUT and isinstance(events[-1], Won):
            shown = [event for event in events if isinstance(event, Shown)]
            self._hands = tuple([wire.OpenHand(seat=self._order[each.place], cards=each.cards) for each in shown])
        for event in _with_one_rake(events) if len(events) > 2 else events:  # one rake for all pots
            if isinstance(event, Discarded) and not event.up:
                self._discarded.update(event.cards)
            message = self._event(view_event(event, None), auto)
            if message is not None:
                messages.append(message)
            self._begun = self._begun or isinstance(event, UpDealt)
        return messages

    def _number(self) -> int:
        self._seq += 1
        return self._seq - 1

    def _forced(self, posted: Sequence[Posted]) -> list[wire.HandEvent]:
        """Return the antes, if there are any, then the blinds, if the game has them."""
        forced: list[wire.HandEvent] = []
        if self._frame.ante:
            antes = [event for event in posted if not event.live]
            paid = tuple([wire.PaidAnte(seat=self._order[event.place], amount=event.amount) for event in antes])
            ante, pots = self._frame.ante, self._pots.pay_forced(antes)
            forced.append(wire.PostAntes(hand_id=self._hand_id, seq=self._number(), ante=ante, posted=paid, pots=pots))
        if not self._frame.bring_in:
            blinds = self._blinds([event for event in posted if event.live])
            forced.append(blinds)
            forced += [
                wire.StraddleMessage(hand_id=self._hand_id, seq=self._number(), seat=seat, amount=event.amount)
                for event in posted
                if event.live and (seat := self._order[event.place]) not in (blinds.sb_seat, blinds.bb_seat)
            ]
        return forced

    def _blinds(self, posted: Sequence[Posted]) -> wire.PostBlinds:
        paid = {self._order[event.place]: event.amount for event in posted}
        # Return the blinds in order from the button's left. Heads-up the button has the small blind.
        sb_seat, bb_seat = self._blind_seats or (self._order[::-1] if len(self._order) == 2 else self._order[:2])
        return wire.PostBlinds(
            hand_id=self._hand_id,
            seq=self._number(),
            sb_seat=sb_seat,
            bb_seat=bb_seat,
            sb=self._frame.small_blind,
            bb=self._frame.big_blind,
            sb_posted=paid.get(sb_seat, 0),
            bb_posted=paid.get(bb_seat, 0),
            pots=self._pots.pay_forced(posted),
        )

    def _event(self, event: Event, auto: bool) -> wire.HandEvent | None:
        seat, hand_id = self._order, self._hand_id
        match event:
            case Checked():
                return wire.CheckMessage(hand_id=hand_id, seq=self._number(), seat=seat[event.place], auto=auto)
            case Folded():
                at, pots = seat[event.place], self._pots.fold(event.place)
                return wire.FoldMessage(hand_id=hand_id, seq=self._number(), seat=at, auto=auto, pots=pots)
            case Called():
                at, amount, pots = seat[event.place], event.amount, self._pots.pay(event.place, event.amount)
                return wire.CallMessage(
                    hand_id=hand_id, seq=self._number(), seat=at, amount=amount, auto=auto, pots=pots
                )
            case Raised():
                at, amount, pots = seat[event.place], event.amount, self._pots.pay(event.place, event.amount)
                return wire.BetMessage(
                    hand_id=hand_id, seq=self._number(), seat=at, amount=amount, to=event.to, pots=pots
                )
            case BroughtIn():
                at, amount, pots = seat[event.place], event.amount, self._pots.pay(event.place, event.amount)
                return wire.BringIn(hand_id=hand_id, seq=self._number(), seat=at, amount=amount, auto=auto, pots=pots)
            case Discarded():
                at, cards = seat[event.place], event.cards if event.up else ()
                return wire.DrawMessage(
                    hand_id=hand_id,
                    seq=self._number(),
                    seat=at,
                    count=len(event.cards),
                    auto=auto,
                    cards=cards,
                    opened=self._opened(cards),
                )
            case UpDealt():
                at, (card,) = seat[event.place], event.cards
                return wire.UpCard(
                    hand_id=hand_id, seq=self._number(), seat=at, card=card, opened=self._opened((card,))
                )
            case BoardDealt():
                return self._dealt(event)
            case Shown():
                return wire.Showdown(
                    hand_id=hand_id,
                    seq=self._number(),
                    seat=seat[event.place],
                    hand=event.cards,
                    board=self._boards[0],
                    rank=event.rank or "",
                    opened=self._opened(event.cards),
                    boards=tuple(self._boards) if len(self._boards) > 1 else (),
                )
            case RunsChosen():
                at, self._common = seat[event.place], self._boards[0]
                return wire.RunsMessage(hand_id=hand_id, seq=self._number(), seat=at, amount=event.runs, auto=auto)
            case RunBegun():
                if event.number > len(self._boards):
                    self._boards.append(self._common)
                board = self._boards[event.number - 1]
                return wire.RunMessage(hand_id=hand_id, seq=self._number(), number=event.number, board=board)
            case Refunded():
                at, pots = seat[event.place], self._pots.pay(event.place, -event.amount)
                return wire.Refund(hand_id=hand_id, seq=self._number(), seat=at, amount=event.amount, pots=pots)
            case Won():
                at, amount, half = seat[event.place], event.amount, _HALVES.get(event.order) if self._split else None
                return wire.PotAward(
                    hand_id=hand_id, seq=self._number(), seat=at, amount=amount, pot=event.pot, half=half
                )
            case HoleDealt() if self._begun and self._up:
                return wire.DownCard(hand_id=hand_id, seq=self._number(), seat=seat[event.place])
            case Raked():
                return wire.RakeMessage(hand_id=self._hand_id, seq=self._number(), amount=event.amount)
            case Posted() | HoleDealt() | Mucked():
                return None  # blinds are sent together, hole cards with the questions, and all hands are shown
            case _:
                assert_never(event)

    def _dealt(self, event: BoardDealt) -> wire.HandEvent:
        street, cards = event.street, event.cards
        self._boards[event.board - 1 if self._several else -1] += cards
        hand_id, seq, opened, hands = self._hand_id, self._number(), self._opened(cards), self._hands
        self._hands = ()
        board = event.board if event.board > 1 else None
        if street == "FLOP":
            return wire.Flop(hand_id=hand_id, seq=seq, cards=cards, opened=opened, hands=hands, board=board)
        kind = _SINGLE_CARDS.get(street)
        if kind is None:
            return wire.CommunityCard(hand_id=hand_id, seq=seq, card=cards[0], opened=opened)
        return kind(hand_id=hand_id, seq=seq, card=cards[0], opened=opened, hands=hands, board=board)

    def _opened(self, cards: Iterable[str]) -> tuple[wire.Opening, ...]:
        """Return the proofs of these cards.

        A discard that is dealt again has none, because its place would show who discarded it.
        """
        if self._open_card is None:
            return ()
        return tuple([self._open_card(card) for card in cards if card not in self._discarded])
