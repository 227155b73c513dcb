"""What has happened in a game of the lab, line by line in its order, as one seat has learnt it."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from pitboss.cards import UNKNOWN
from pitboss.cli.lab.seats import SeatWords, count
from pitboss.lab.base.english import RANK_NAMES, a, capital, plural
from pitboss.lab.events import (
    CardsMoved,
    CardsShown,
    ChipsPut,
    ClaimMade,
    DealBegun,
    DealEnded,
    DealJudged,
    DeckMade,
    HandShown,
    LabEvent,
    MoveMade,
    PhaseBegun,
    Pile,
    PileCleared,
    PotPaid,
    Remark,
    StepSkipped,
    TrickSatOut,
    TrickTied,
    TurnAgain,
    TurnMissed,
    TurnsReversed,
    WentOver,
)

Remarks = Sequence[tuple[int, Remark]]
"""Each after so many of the events."""


class Happenings:
    """Tells events, and what is remarkable besides, to one seat."""

    def __init__(self, words: SeatWords, events: Sequence[LabEvent], remarks: Remarks = ()) -> None:
        self.words, self.genome = words, words.genome
        self.items: list[LabEvent | Remark] = []
        waiting = list(remarks)
        for at, event in enumerate(events):
            while waiting and waiting[0][0] <= at:
                self.items.append(waiting.pop(0)[1])
            self.items.append(event)
        self.items += [remark for _, remark in waiting]
        self.judged = DealJudged("")
        self.dealing = False  #: cards are handed out, which the table shows

    def lines(self) -> list[str]:
        """All of it, a sentence each."""
        lines = list[str]()
        for _, group in groupby(range(len(self.items)), key=self._group):
            places = list(group)
            lines += self._sentences(places[0], [self.items[at] for at in places])
        return lines

    def _group(self, at: int) -> tuple[object, ...]:
        """What is told in one line: cards that several turn up, antes, steps that several skip for the same reason."""
        match self.items[at]:
            case CardsMoved(source=Pile(name="hand"), target=Pile(name="trick")):
                return "trick", self._is_moves(at)
            case CardsMoved(source=Pile(name=source), target=Pile(name="captured", place=seat)):
                return "captured", seat, source == "trick"
            case StepSkipped(phase=phase, why=why):
                return "skipped", phase, why
            case ChipsPut():
                return ("chips",)
        return (at,)

    def _is_moves(self, at: int) -> bool:
        """Whether this is what the move before it does."""
        return at > 0 and isinstance(self.items[at - 1], MoveMade)

    def _sentences(self, at: int, items: Sequence[LabEvent | Remark]) -> Iterator[str]:
        first = items[0]
        if isinstance(first, DealBegun | PhaseBegun | MoveMade | DealJudged):
            self.dealing = isinstance(first, DealBegun)
        self._remember(items)
        match first:
            case MoveMade():
                yield from self._move(first, self.items[at + 1 :])
            case CardsMoved():
                yield from self._moved([item for item in items if isinstance(item, CardsMoved)], self._is_moves(at))
            case ChipsPut() if self.dealing:
                yield self._antes([item for item in items if isinstance(item, ChipsPut)])
            case CardsShown():
                yield f"it was {' '.join(first.cards)}"
            case DeckMade():
                yield f"the deck is made anew from {count(first.cards, 'discard')}"
            case HandShown(place=seat, cards=cards):
                yield self._shown(seat, cards)
            case DealBegun(deal=deal, starter=starter) if deal > 1:
                yield f"deal {deal}: {self.words.verb((starter,), 'start')}"
            case StepSkipped():
                yield self._skipped([item for item in items if isinstance(item, StepSkipped)])
            case DealJudged():
                yield from self._judged(first, shown=isinstance(self.items[at + 1], HandShown))
            case DealEnded(deal=deal, winners=winners) if self.genome.setup.deals > 1:
                yield f"{self.words.verb(winners, 'win' if len(winners) == 1 else 'share')} deal {deal}"
            case _:
                yield from self._remark(first)

    def _remember(self, items: Sequence[LabEvent | Remark]) -> None:
        """Note what later lines speak of: how high everybody has bet, and whose the cards of a trick are."""
        for item in items:
            match item:
                case DealBegun() | PhaseBegun():
                    self.words.bets = [0] * self.genome.player_count
                case ChipsPut(place=place, amount=amount) if not self.dealing:
                    self.words.bets[place] += amount
                case CardsMoved(source=Pile(name="hand", place=int(place)), target=Pile(name="trick"), cards=cards):
                    self.words.played |= dict.fromkeys(cards, place)

    # --- moves

    def _move(self, made: MoveMade, after: Sequence[LabEvent | Remark]) -> Iterator[str]:
        name, (verb, *details) = self.words.name(made.place), made.move.split()
        if made.face_down and made.place != self.words.seat:
            yield f"{name}: put a card face down"
        elif after and isinstance(after[0], ChipsPut) and after[0].place == made.place:
            paid, height = after[0].amount, self.words.bets[made.place] + after[0].amount
            text = f"raise to {height}, paying {paid}" if verb == "raise" else f"{verb} ({count(paid, 'chip')})"
            yield f"{name}: {text}"
        elif verb == "play" and len(details) == 2:
            moves = [item for item in after if isinstance(item, CardsMoved) and item.source.name == "hand"]
            cards = [card for move in moves for card in move.cards][: int(details[0])]
            yield f"{name}: {made.move} ({' '.join(cards)})"
        else:
            yield f"{name}: {made.move}"
        if verb == "ask" and not (after and isinstance(after[0], CardsMoved) and after[0].source.name == "hand"):
            yield "nothing is handed over"

    def _antes(self, paid: Sequence[ChipsPut]) -> str:
        if len(paid) == self.genome.player_count and len({put.amount for put in paid}) == 1:
            return f"everybody pays an ante of {paid[0].amount}"
        return f"antes: {', '.join([f'{self.words.name(put.place)} {put.amount}' for put in paid])}"

    # --- cards

    def _moved(self, moves: Sequence[CardsMoved], moved: bool) -> Iterator[str]:
        """Cards that went somewhere; those that a move has put there are told with it."""
        source, target, cards = moves[0].source, moves[0].target, [card for move in moves for card in move.cards]
        named = count(len(cards), "card") if UNKNOWN in cards else " ".join(self.words.in_order(cards))
        whose = () if target.place is None else (target.place,)
        match source.name, target.name:
            case "hand", "trick" if not moved:
                turned = [f"{self.words.name(move.source.place or 0)} {' '.join(move.cards)}" for move in moves]
                yield f"turned up: {', '.join(turned)}"
            case "deck", "community":
                yield f"turned up: {' '.join(cards)}"
            case "trick", "captured" | "hand":
                yield f"{self.words.verb(whose, 'take')} the trick: {self.words.trick(cards)}"
            case _, "captured" if any(move.source.name == "tableau" for move in moves):
                yield f"{self.words.verb(whose, 'capture')} {' '.join(cards)}"
            case "hand", "captured":
                yield f"{self.words.verb(whose, 'lay')} down {named}"
            case "pile", "hand":
                own = f": {named}" if target.place == self.words.seat else ""
                yield f"{self.words.verb(whose, 'take')} the pile of {len(cards)}{own}"
            case "discards", "hand":
                yield f"{self.words.verb(whose, 'take')} {named} from the discards"
            case "deck", "hand" if not self.dealing:
                yield f"{self.words.verb(whose, 'draw')} {named}"
            case "hand", "hand" if source.place is not None:
                yield f"{self.words.verb(whose, 'take')} {named} from {self.words.name(source.place)}"

    # --- what is remarkable

    def _skipped(self, steps: Sequence[StepSkipped]) -> str:
        text = self.genome.turn_structure.phases[steps[0].phase].unable
        seats = tuple(dict.fromkeys(step.place for step in steps if step.place is not None))
        return f"{self.words.verb(seats, text) if seats else capital(text)}: {steps[0].why}"

    def _remark(self, item: LabEvent | Remark) -> Iterator[str]:
        match item:
            case ClaimMade(place=seat, count=number, rank=rank):
                name = RANK_NAMES[rank]
                what = a(name) if number == 1 else f"{number} {plural(name)}"
                yield f"{self.words.verb((seat,), 'claim')} {what}"
            case WentOver(place=seat):
                yield f"{self.words.verb((seat,), 'are')} over {self.genome.win_conditions[0].limit}: no more cards"
            case TrickSatOut(place=seat):
                yield f"{self.words.verb((seat,), 'have')} no card for the trick"
            case TrickTied():
                yield "the highest are equal: the cards stay for whoever takes the next trick"
            case TurnMissed(place=seat):
                yield f"{self.words.verb((seat,), 'miss')} a turn"
            case TurnAgain(place=seat):
                yield f"{self.words.verb((seat,), 'have')} another turn"
            case TurnsReversed():
                yield "from now on the turn passes in the other direction"
            case PileCleared():
                yield "all others have passed: the pile is cleared"
            case PotPaid():
                yield self._paid(item)

    # --- the end of a deal

    def _judged(self, judged: DealJudged, *, shown: bool) -> Iterator[str]:
        """Why it is over, and what decides it, unless hands are shown."""
        self.judged = judged
        yield f"the deal is over: {judged.why}"
        if judged.community:
            yield f"community cards: {' '.join(judged.community)}"
        if judged.values and not shown:
            values = [(seat, value) for seat, value in enumerate(judged.values) if value is not None]
            yield ", ".join([f"{self.words.name(seat)}: {value}" for seat, value in values])

    def _shown(self, seat: int, cards: Sequence[str]) -> str:
        worth = self.judged.values[seat] if self.judged.values else None
        shown = " ".join(self.words.in_order(cards)) or "an empty hand"
        return f"{self.words.verb((seat,), 'show')} {shown}{f': {worth}' if worth else ''}"

    def _paid(self, paid: PotPaid) -> str:
        """Who gets how much of which pot, and with what."""
        shares = [(seat, share) for seat, share in enumerate(paid.shares) if share]
        seats, total = [seat for seat, _ in shares], sum(paid.shares)
        if not paid.name:
            return f"{self.words.verb(seats, 'get')} {total} back, which nobody called"
        text = f"{self.words.verb(seats, 'win' if len(seats) == 1 else 'share')} the {paid.name} of {total}"
        if self.judged.values:
            text += f" with {self.judged.values[seats[0]]}"
        if len(seats) > 1:
            text += f": {', '.join([f'{self.words.name(seat)} {share}' for seat, share in shares])}"
        return text
