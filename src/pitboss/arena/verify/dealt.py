"""The deck of a hand out of what one participant was sent of it.

Once its secret is revealed that decides the deck. Before, the cards that were seen lie where they must lie in it and
the others anywhere: cards that nobody has shown have decided nothing. Which cards somebody has changed only he knows:
those that were not seen later.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from pitboss.arena.journal.commitment import Opened, Shuffled, fits, shuffled
from pitboss.arena.v1 import messages as wire
from pitboss.arena.v1.poker import PlayersAction
from pitboss.arena.verify.differences import hand_of
from pitboss.arena.verify.frames import RecordLine
from pitboss.cards import Card
from pitboss.errors import PitbossError
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure


class OwnCards(Struct, frozen=True):
    """A participant's own cards, as they stood in one frame."""

    line: int
    seat: int
    cards: tuple[Card, ...]
    drawn: int  #: how many cards all together had changed when the seat last did


class CardsSeen(Struct):
    """The cards of one hand that a participant has seen."""

    own: list[OwnCards] = field(default_factory=list)
    shown: dict[int, tuple[Card, ...]] = field(default_factory=dict)  #: by seat, at the showdown
    opened: dict[int, Card] = field(default_factory=dict)  #: by place in the deck
    drawn: int = 0  #: how many cards were changed in all
    drawn_at: dict[int, int] = field(default_factory=dict)  #: by seat, how many when it last changed some
    revealed: bool = False  #: whether all are known by now

    def coming(self, seat: int, line: int) -> tuple[Card, ...] | None:
        """The cards that a seat is next seen to have, after this line."""
        later = (sight.cards for sight in self.own if sight.line > line and sight.seat == seat)
        return next(later, self.shown.get(seat))


class DealError(PitbossError, ValueError):
    """Cards that no deck can have dealt, or a deck that is not the one that was promised."""


def seen_cards(lines: Iterable[RecordLine]) -> tuple[dict[str, CardsSeen], list[str]]:
    """The cards seen by hand, and where they contradict each other."""
    hands: dict[str, CardsSeen] = {}
    problems = []
    numbers: set[int] = set()
    for line in lines:
        message = line.message
        hand_id = hand_of(message)
        seen = hands.setdefault(hand_id, CardsSeen())
        seen.opened |= {opening.at: opening.card for opening in getattr(message, "opened", ())}
        match message:
            case (
                wire.Act(seat=seat, you=wire.You(hole=hole)) | wire.Snapshot(you=wire.SnapshotYou(seat=seat, hole=hole))
            ):
                if hole and not seen.drawn and not _goes_on(seen.coming(seat, 0), hole):
                    problems.append(f"line {line.number}, {hand_id}: seat {seat} was sent other cards than before")
                if hole:
                    seen.own.append(OwnCards(line.number, seat, hole, seen.drawn_at.get(seat, 0)))
            case wire.Showdown(seat=seat, hand=hole):
                if not seen.drawn and not _goes_on(seen.coming(seat, 0), hole):
                    problems.append(f"line {line.number}, {hand_id}: seat {seat} showed other cards than it was sent")
                seen.shown.setdefault(seat, hole)
            case wire.DrawMessage(seat=seat, count=count, seq=seq) if seq not in numbers:
                seen.drawn += count
                seen.drawn_at[seat] = seen.drawn
                numbers.add(seq)
            case _:
                pass
    return hands, problems


def _goes_on(before: tuple[Card, ...] | None, now: tuple[Card, ...]) -> bool:
    """Whether these cards are those of before and perhaps more; after a reconnect, perhaps fewer."""
    return before is None or all(one == other for one, other in zip(before, now, strict=False))


def deal_of(
    structure: Structure, started: wire.StartHand, seen: CardsSeen, revealed: wire.RevealedHand | None
) -> Shuffled:
    """The deck that a hand was dealt from, as far as it is known; raises `DealError`."""
    seen.revealed = revealed is not None
    if revealed is not None:
        deal = shuffled(bytes.fromhex(revealed.secret), structure.deck)
        if deal.commit != started.commit:
            raise DealError("the deck revealed is not the one the server bound itself to")
        return deal
    return Shuffled(bytes(32), _deck(structure, started, seen), ((bytes.fromhex(started.commit),),))


def _deck(structure: Structure, started: wire.StartHand, seen: CardsSeen) -> tuple[Card, ...]:
    seats = sorted(stack.seat for stack in started.stacks)
    if started.button not in seats:
        raise DealError(f"seat {started.button} has the button and is not in the hand")
    first = seats.index(started.button) + 1
    order = (*seats[first:], *seats[:first])
    places = dict(seen.opened)
    for sight in seen.own[:1]:
        if sight.seat not in order:
            raise DealError(f"seat {sight.seat} has cards and is not in the hand")
        for k, card in enumerate(sight.cards[: structure.streets[0].hole]):
            if places.setdefault(order.index(sight.seat) + k * len(order), card) != card:
                raise DealError("two cards lie at one place of the deck")
    known = set(places.values())
    if len(known) != len(places) or not known <= set(structure.deck) or max(places, default=0) >= len(structure.deck):
        raise DealError("a card was dealt twice, or is not in the deck")
    # Own cards come once it is known when: they lie last, in their order, so that nobody else is dealt one before.
    # What came after the deck ran out had been dealt before, to whomever.
    spare = len(structure.deck) - len(order) * structure.own_by[-1]
    own = [card for sight in seen.own if sight.drawn <= spare or not structure.draws for card in sight.cards]
    later = {card: number for number, card in enumerate(dict.fromkeys(own), 1)}
    others = iter(sorted([card for card in structure.deck if card not in known], key=lambda card: later.get(card, 0)))
    return tuple([places[at] if at in places else next(others) for at in range(len(structure.deck))])


def let_come(hand: Hand, action: PlayersAction, place: int, cards: tuple[Card, ...], seen: CardsSeen) -> Hand:
    """A hand in which this action leads to a place getting these cards, of those that nobody has opened."""
    after, _ = hand.act(action)
    before = hand.deck or ()
    deck = list(before)
    fixed = set(seen.opened.values())
    for dealt, wanted in zip(after.holes[place], cards, strict=False):
        here = before.index(dealt) if dealt in before else None
        there = deck.index(wanted) if wanted in deck else None
        if (dealt if here is None else deck[here]) == wanted:
            continue
        if here is None or there is None or {deck[here], wanted} & fixed:
            raise DealError(f"{wanted} cannot have been dealt there")
        deck[here], deck[there] = wanted, deck[here]
    return replace(hand, deck=tuple(deck))


def choose_discards(held: tuple[Card, ...], count: int, coming: tuple[Card, ...] | None) -> tuple[Card, ...] | None:
    """So many cards that may have been changed, none of which is among those to come; None where there are not enough.

    Of cards that nobody was ever shown any will do.
    """
    gone = [card for card in held if coming is None or card not in coming]
    return tuple(gone[:count]) if len(gone) >= count else None


def openings(message: wire.ServerMessage, commit: str, cards: int) -> Iterator[tuple[wire.Opening, bool]]:
    """Each card that a frame opens, and whether it fits what the server bound itself to."""
    for opening in getattr(message, "opened", ()):
        path = tuple(bytes.fromhex(node) for node in opening.path)
        opened = Opened(opening.card, opening.at, bytes.fromhex(opening.salt), path)
        yield opening, fits(opened, commit, cards=cards)
