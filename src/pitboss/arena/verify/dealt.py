"""The deck of a hand out of what one participant was sent of it.

Once its secret is revealed that decides the deck. Before, the cards that were seen lie where they must lie in it and
the others anywhere: cards that nobody has shown have decided nothing.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from pitboss.arena.journal.commitment import Opened, Shuffled, fits, shuffled
from pitboss.arena.v1 import messages as wire
from pitboss.arena.verify.differences import hand_of
from pitboss.arena.verify.frames import RecordLine
from pitboss.cards import Card
from pitboss.errors import PitbossError
from pitboss.hand.structure import Structure


class CardsSeen(Struct):
    """The cards of one hand that a participant has seen."""

    holes: dict[int, tuple[Card, ...]] = field(default_factory=dict)  #: by seat
    board: tuple[Card, ...] = ()


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
        match message:
            case (
                wire.Act(seat=seat, you=wire.You(hole=hole)) | wire.Snapshot(you=wire.SnapshotYou(seat=seat, hole=hole))
            ):
                if hole and seen.holes.setdefault(seat, hole) != hole:
                    problems.append(f"line {line.number}, {hand_id}: seat {seat} was sent other cards than before")
            case wire.Showdown(seat=seat, hand=hole):
                if seen.holes.setdefault(seat, hole) != hole:
                    problems.append(f"line {line.number}, {hand_id}: seat {seat} showed other cards than it was sent")
            case wire.Flop(cards=cards, seq=seq) if seq not in numbers:
                seen.board += cards
                numbers.add(seq)
            case wire.TurnCard(card=card, seq=seq) | wire.RiverCard(card=card, seq=seq) if seq not in numbers:
                seen.board += (card,)
                numbers.add(seq)
            case _:
                pass
    return hands, problems


def deal_of(
    structure: Structure, started: wire.StartHand, seen: CardsSeen, revealed: wire.RevealedHand | None
) -> Shuffled:
    """The deck that a hand was dealt from, as far as it is known; raises `DealError`."""
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
    places: dict[int, Card] = {}
    for seat, hole in seen.holes.items():
        if seat not in order:
            raise DealError(f"seat {seat} has cards and is not in the hand")
        places |= {order.index(seat) + k * len(order): card for k, card in enumerate(hole)}
    streets = sum(street.hole for street in structure.streets) * len(order)
    places |= {streets + k: card for k, card in enumerate(seen.board)}
    known = set(places.values())
    if len(known) != len(places) or not known <= set(structure.deck):
        raise DealError("a card was dealt twice, or is not in the deck")
    others = (card for card in structure.deck if card not in known)
    return tuple([places[at] if at in places else next(others) for at in range(len(structure.deck))])


def openings(message: wire.ServerMessage, commit: str, cards: int) -> Iterator[tuple[wire.Opening, bool]]:
    """Each card that a frame opens, and whether it fits what the server bound itself to."""
    for opening in getattr(message, "opened", ()):
        path = tuple(bytes.fromhex(node) for node in opening.path)
        opened = Opened(opening.card, opening.at, bytes.fromhex(opening.salt), path)
        yield opening, fits(opened, commit, cards=cards)
