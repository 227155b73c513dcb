"""What everybody is told, in the words of v1: the journal's records as `start_hand`, `event`, `end_hand` and so on."""

from collections.abc import Iterable, Iterator, Sequence

from pitboss.arena.hosts.series import Series, dealt_in, order_of
from pitboss.arena.journal.commitment import Shuffled, deck_of, public_number, shuffled
from pitboss.arena.journal.records import Acted, HandStarted, HandVoided, MatchEnded, Settings, move_chips
from pitboss.arena.v1 import messages as wire
from pitboss.betting.events import Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.hand.events import BoardDealt, Event, Raked, Shown, Won
from pitboss.table.rotation import blinds_left_of

REVEALED_AT_ONCE = 30
"""Hands told in one `reveal`, which keeps it near 8 KiB."""


class Teller:
    """Tells everybody what a record means, in order and numbered; it needs nothing but the records."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.seq = 0  #: the number of the last thing told
        self.hand_id = ""
        self._stacks: dict[int, int] = {}
        self._start: dict[int, int] = {}
        self._order: tuple[int, ...] = ()
        self._board: tuple[str, ...] = ()
        self._deal: Shuffled | None = None
        self._end: wire.MatchEnd | None = None

    def start(self, record: HandStarted, deal: Shuffled | None = None) -> list[wire.ServerMessage]:
        """`start_hand`, `POST_BLINDS`, and where the blinds put everybody all-in the rest of the hand."""
        self.hand_id, self.seq = record.hand_id, record.seq - 1
        self._order, self._board = order_of(record), ()
        self._deal = deal or shuffled(bytes.fromhex(record.secret))
        self._start = self._stacks = record.stacks
        commit = self._deal.commit
        told: list[wire.ServerMessage] = [
            wire.StartHand(
                hand_id=self.hand_id,
                seed=public_number(commit),
                button=record.button,
                stacks=_stacks(record.stacks),
                commit=commit,
                seq=self._number(),
            )
        ]
        posted = [event for event in record.events if isinstance(event, Posted)]
        told.append(self._blinds(posted))
        return told + self._events(record.events, auto=False)

    def act(self, record: Acted) -> list[wire.ServerMessage]:
        """An action and all that followed from it."""
        return self._events(record.events, auto=record.cause == "timeout")

    def void(self, record: HandVoided) -> list[wire.ServerMessage]:
        """The hand is taken back."""
        self.hand_id, self.seq = record.hand_id, record.seq - 1
        if record.hand_id:
            self._stacks = self._start
        else:  # the hand's very start was lost, and the chips are those of the hand before
            self._start = self._stacks
        return [wire.HandVoided(hand_id=record.hand_id, seq=self._number(), reason=record.reason)]

    def end_hand(self, chain: bytes) -> list[wire.ServerMessage]:
        """Who is out, and the stacks."""
        out = [seat for seat, stack in self._stacks.items() if stack == 0 and self._start[seat]]
        told: list[wire.ServerMessage] = [
            wire.Eliminated(hand_id=self.hand_id, seq=self._number(), seat=seat) for seat in sorted(out)
        ]
        told.append(
            wire.EndHand(hand_id=self.hand_id, stacks=_stacks(self._stacks), chain=chain.hex(), seq=self._number())
        )
        return told

    def end_match(self, record: MatchEnded, series: Series) -> list[wire.ServerMessage]:
        """The decks of the match, and who won."""
        teams = {seat: chair.team for seat, chair in series.chairs.items()}
        final = tuple(
            wire.FinalStack(seat=seat, team=teams[seat], stack=stack) for seat, stack in record.stacks.items()
        )
        winner = wire.Winner(seat=final[0].seat, team=final[0].team)
        self._end = wire.MatchEnd(winner=winner, final_stacks=final, reason=record.reason, seq=self._number())
        return self.farewell(series)

    def farewell(self, series: Series) -> list[wire.ServerMessage]:
        """What ends a match, also for whoever comes later."""
        return [*_reveals(series.secrets), self._end] if self._end else []

    def _number(self) -> int:
        self.seq += 1
        return self.seq

    def _blinds(self, posted: Sequence[Posted]) -> wire.PostBlinds:
        chairs = dealt_in(self._order)
        blinds = blinds_left_of(range(len(chairs)), chairs, self._order[-1])
        paid = {self._order[event.place]: event.amount for event in posted}
        assert blinds.small is not None  # with a moving button both are posted
        sb_seat, bb_seat = blinds.small, blinds.big
        return wire.PostBlinds(
            hand_id=self.hand_id,
            seq=self._number(),
            sb_seat=sb_seat,
            bb_seat=bb_seat,
            sb=self.settings.small_blind,
            bb=self.settings.big_blind,
            sb_posted=paid.get(sb_seat, 0),
            bb_posted=paid.get(bb_seat, 0),
        )

    def _events(self, events: Iterable[Event], *, auto: bool) -> list[wire.ServerMessage]:
        told: list[wire.ServerMessage] = []
        for event in events:
            message = self._event(event, auto)
            if message is not None:
                told.append(message)
        self._stacks = move_chips(self._stacks, events, self._order)
        return told

    def _event(self, event: Event, auto: bool) -> wire.HandEvent | None:
        seat = -1 if isinstance(event, BoardDealt | Raked) else self._order[event.place]
        match event:
            case Raised(amount=amount, to=to):
                return wire.Bet(hand_id=self.hand_id, seq=self._number(), seat=seat, amount=amount, to=to)
            case Called(amount=amount):
                return wire.Call(hand_id=self.hand_id, seq=self._number(), seat=seat, amount=amount, auto=auto)
            case Checked():
                return wire.Check(hand_id=self.hand_id, seq=self._number(), seat=seat, auto=auto)
            case Folded():
                return wire.Fold(hand_id=self.hand_id, seq=self._number(), seat=seat, auto=auto)
            case BoardDealt(street=street, cards=cards):
                return self._dealt(street, cards)
            case Shown(cards=cards, rank=rank):
                return wire.Showdown(
                    hand_id=self.hand_id,
                    seq=self._number(),
                    seat=seat,
                    hand=cards,
                    board=self._board,
                    rank=rank or "",
                    opened=self._opened(cards),
                )
            case Refunded(amount=amount):
                return wire.Refund(hand_id=self.hand_id, seq=self._number(), seat=seat, amount=amount)
            case Won(amount=amount, pot=pot):
                return wire.PotAward(hand_id=self.hand_id, seq=self._number(), seat=seat, amount=amount, pot=pot)
        return None  # blinds are told together, hole cards privately

    def _dealt(self, street: str, cards: tuple[str, ...]) -> wire.HandEvent:
        self._board += cards
        opened = self._opened(cards)
        if street == "FLOP":
            return wire.Flop(hand_id=self.hand_id, seq=self._number(), cards=cards, opened=opened)
        kind = wire.TurnCard if street == "TURN" else wire.RiverCard
        return kind(hand_id=self.hand_id, seq=self._number(), card=cards[0], opened=opened)

    def _opened(self, cards: Iterable[str]) -> tuple[wire.Opening, ...]:
        assert self._deal is not None
        return tuple([_opening(self._deal, card) for card in cards])


def _opening(deal: Shuffled, card: str) -> wire.Opening:
    opened = deal.open(deal.deck.index(card))
    return wire.Opening(
        card=card, at=opened.at, salt=opened.salt.hex(), path=tuple([node.hex() for node in opened.path])
    )


def _stacks(stacks: dict[int, int]) -> tuple[wire.SeatStack, ...]:
    return tuple([wire.SeatStack(seat=seat, stack=stack) for seat, stack in stacks.items()])


def _reveals(secrets: Sequence[tuple[str, bytes]]) -> Iterator[wire.Reveal]:
    for first in range(0, len(secrets), REVEALED_AT_ONCE):
        yield wire.Reveal(
            hands=tuple(
                wire.RevealedHand(hand_id=hand_id, secret=secret.hex(), deck="".join(deck_of(secret)))
                for hand_id, secret in secrets[first : first + REVEALED_AT_ONCE]
            )
        )
