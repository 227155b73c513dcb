"""Tells what happens in a game, sentence by sentence: to one seat, which is "you", or to readers who see all cards."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

from pitboss.cards import UNKNOWN
from pitboss.lab.english import GLUE, RANK_NAMES, SUIT_NAMES, a, capital, listed, plural
from pitboss.lab.events import (
    CardsMoved,
    CardsShown,
    ChipsPut,
    ClaimMade,
    DealBegun,
    DealEnded,
    DealJudged,
    DeckMade,
    GameEnded,
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
from pitboss.lab.genome import Deck, Genome

PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")
SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
MOST_CARDS_NAMED = 13
"""To readers who see all cards, more than this are counted and not named."""
Item: TypeAlias = LabEvent | Remark


def merged(events: Sequence[LabEvent], remarks: Sequence[tuple[int, Remark]]) -> list[Item]:
    """Events and remarks in one order; each remark comes after so many of the events."""
    items: list[Item] = []
    waiting = list(remarks)
    for at, event in enumerate(events):
        while waiting and waiting[0][0] <= at:
            items.append(waiting.pop(0)[1])
        items.append(event)
    return [*items, *[remark for _, remark in waiting]]


class Voice:
    """How seats and cards are called, and what has to be remembered of all that was told.

    Without a seat of its own it speaks to readers who see all cards; then players have names and cards have symbols.
    """

    def __init__(self, genome: Genome, seat: int | None = None) -> None:
        self.genome, self.seat = genome, seat
        self.bets = [0] * genome.player_count  #: what everybody has bet in this round of betting
        self.played = dict[str, int]()  #: who has played which card to a trick

    def name(self, seat: int) -> str:
        """Whose seat it is."""
        return PEOPLE[seat] if self.seat is None else "you" if seat == self.seat else f"seat {seat}"

    def names(self, seats: Iterable[int]) -> str:
        """Several seats: "you and seat 2"."""
        return listed([self.name(seat) for seat in seats])

    def verb(self, seats: Sequence[int], plain: str) -> str:
        """Somebody does something: "you win", "seat 1 wins", "you and seat 2 win"."""
        others = len(seats) == 1 and seats[0] != self.seat
        return capital(f"{self.names(seats)} {third_person(plain) if others else plain}")

    def trick(self, cards: Iterable[str]) -> str:
        """The cards of a trick and, of more than two players, whose they are: "Tc (you) Kc (seat 1)"."""
        if self.genome.player_count == 2:
            return self.cards(cards)
        words = [
            f"{self.card(card)} ({self.name(self.played[card])})" if card in self.played else self.card(card)
            for card in cards
        ]
        return " ".join([word.replace(" ", GLUE) for word in words])

    def card(self, card: str) -> str:
        """A card in two letters or, for readers, as one sees it: "10♥"."""
        return card if self.seat is not None else f"{'10' if card[0] == 'T' else card[0]}{SYMBOLS[card[1]]}"

    def cards(self, cards: Iterable[str]) -> str:
        """Cards, one after another."""
        return " ".join(map(self.card, cards))

    def move(self, move: str) -> str:
        """A move in words."""
        deck = self.genome.setup.deck
        cards = [len(word) == 2 and word[0] in deck.ranks and word[1] in deck.suits for word in move.split()]
        words = [self.card(word) if card else word for word, card in zip(move.split(), cards, strict=True)]
        return " ".join(words) if self.seat is not None else " ".join(words).replace("_", "-")

    def in_order(self, cards: Iterable[str]) -> list[str]:
        """Cards in the deck's order."""
        return sorted(cards, key=lambda card: place(self.genome.setup.deck, card))


def third_person(plain: str) -> str:
    """What somebody else does.

    >>> third_person("win"), third_person("miss"), third_person("have"), third_person("cannot play")
    ('wins', 'misses', 'has', 'cannot play')
    """
    if plain.startswith("can"):
        return plain
    return {"have": "has", "are": "is", "miss": "misses"}.get(plain, f"{plain}s")


def place(deck: Deck, card: str) -> tuple[int, int]:
    """Where a card stands in its deck's order."""
    return deck.ranks.index(card[0]), deck.suits.index(card[1])


def count(number: int, what: str) -> str:
    """So many of something, in digits.

    >>> count(1, "card"), count(3, "card")
    ('1 card', '3 cards')
    """
    return f"{number} {what}{'' if abs(number) == 1 else 's'}"


class Narrator:
    """Tells events, and what is remarkable besides."""

    def __init__(self, words: Voice, items: Sequence[Item]) -> None:
        self.words, self.genome, self.items = words, words.genome, items
        self.to_readers = words.seat is None
        self.judged = DealJudged("")
        self.dealing = False  #: cards are handed out, which a player sees on the table

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

    def _sentences(self, at: int, items: Sequence[Item]) -> Iterator[str]:
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
                yield f"it was {self.words.cards(first.cards)}"
            case DeckMade():
                yield f"the deck is made anew from {count(first.cards, 'discard')}"
            case HandShown(place=seat, cards=cards):
                yield self._shown(seat, cards)
            case DealBegun() if self.to_readers or first.deal > 1:
                yield from self._begun(first)
            case StepSkipped():
                yield self._skipped([item for item in items if isinstance(item, StepSkipped)])
            case DealJudged():
                yield from self._judged(first, shown=isinstance(self.items[at + 1], HandShown))
            case DealEnded(deal=deal, winners=winners) if self.genome.setup.deals > 1:
                yield f"{self.words.verb(winners, 'win' if len(winners) == 1 else 'share')} deal {deal}"
            case GameEnded(winners=winners, stopped=stopped) if self.to_readers:
                text = self.words.verb(winners, "win" if len(winners) == 1 else "share") if winners else "nobody wins"
                yield f"{text} the game{', decided at the limit of moves' if stopped else ''}"
            case _:
                yield from self._remark(first)

    def _remember(self, items: Sequence[Item]) -> None:
        """Note what later lines speak of: how high everybody has bet, and whose the cards of a trick are."""
        for item in items:
            match item:
                case DealBegun() | PhaseBegun():
                    self.words.bets = [0] * self.genome.player_count
                case ChipsPut(place=place, amount=amount) if not self.dealing:
                    self.words.bets[place] += amount
                case CardsMoved(source=Pile(name="hand", place=int(place)), target=Pile(name="trick"), cards=cards):
                    self.words.played |= dict.fromkeys(cards, place)

    def _begun(self, begun: DealBegun) -> Iterator[str]:
        which = f"deal {begun.deal}: " if self.genome.setup.deals > 1 else ""
        yield f"{which}{self.words.verb((begun.starter,), 'start')}"
        if begun.trump and self.to_readers:
            yield f"{SUIT_NAMES[begun.trump]} are trumps"

    # --- moves

    def _move(self, made: MoveMade, after: Sequence[Item]) -> Iterator[str]:
        name, (verb, *details) = self.words.name(made.place), made.move.split()
        if made.face_down and made.place != self.words.seat and not self.to_readers:
            yield f"{name}: put a card face down"
        elif after and isinstance(after[0], ChipsPut) and after[0].place == made.place:
            paid, height = after[0].amount, self.words.bets[made.place] + after[0].amount
            said = self.words.move(verb)
            text = f"raise to {height}, paying {paid}" if verb == "raise" else f"{said} ({count(paid, 'chip')})"
            yield f"{name}: {text}"
        elif verb == "play" and len(details) == 2:
            moves = [item for item in after if isinstance(item, CardsMoved) and item.source.name == "hand"]
            cards = [card for move in moves for card in move.cards][: int(details[0])]
            yield f"{name}: {made.move} ({self.words.cards(cards)})"
        else:
            yield f"{name}: {self.words.move(made.move)}"
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
        many = UNKNOWN in cards or (self.to_readers and len(cards) > MOST_CARDS_NAMED)
        named = count(len(cards), "card") if many else self.words.cards(self.words.in_order(cards))
        whose = () if target.place is None else (target.place,)
        match source.name, target.name:
            case "hand", "trick" if not moved:
                turned = [f"{self.words.name(move.source.place or 0)} {self.words.cards(move.cards)}" for move in moves]
                yield f"turned up: {', '.join(turned)}"
            case "deck", "community":
                yield f"turned up: {self.words.cards(cards)}"
            case "trick", "captured" | "hand":
                yield f"{self.words.verb(whose, 'take')} the trick: {self.words.trick(cards)}"
            case _, "captured" if any(move.source.name == "tableau" for move in moves):
                yield f"{self.words.verb(whose, 'capture')} {self.words.cards(cards)}"
            case "hand", "captured":
                yield f"{self.words.verb(whose, 'lay')} down {named}"
            case "pile", "hand":
                own = f": {named}" if target.place == self.words.seat else ""
                yield f"{self.words.verb(whose, 'take')} the pile of {len(cards)}{own}"
            case "discards", "hand":
                yield f"{self.words.verb(whose, 'take')} {named} from the discards"
            case "deck", "hand" if self.dealing and self.to_readers:
                yield f"{self.words.names(whose)} is dealt {named}"
            case "deck", "discards" | "tableau" if self.dealing and self.to_readers:
                yield f"face up on the {'discards' if target.name == 'discards' else 'table'}: {named}"
            case "deck", "hand" if not self.dealing:
                yield f"{self.words.verb(whose, 'draw')} {named}"
            case "hand", "hand" if source.place is not None:
                yield f"{self.words.verb(whose, 'take')} {named} from {self.words.name(source.place)}"

    # --- what is remarkable

    def _skipped(self, steps: Sequence[StepSkipped]) -> str:
        text = self.genome.turn_structure.phases[steps[0].phase].unable
        seats = tuple(dict.fromkeys(step.place for step in steps if step.place is not None))
        return f"{self.words.verb(seats, text) if seats else capital(text)}: {steps[0].why}"

    def _remark(self, item: Item) -> Iterator[str]:
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
            yield f"community cards: {self.words.cards(judged.community)}"
        if judged.values and not shown:
            values = [(seat, value) for seat, value in enumerate(judged.values) if value is not None]
            yield ", ".join([f"{self.words.name(seat)}: {value}" for seat, value in values])

    def _shown(self, seat: int, cards: Sequence[str]) -> str:
        worth = self.judged.values[seat] if self.judged.values else None
        shown = self.words.cards(self.words.in_order(cards)) or "an empty hand"
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


def tell(voice: Voice, items: Sequence[Item]) -> list[str]:
    """What one move, or the deal, led to, a whole sentence each, for readers."""
    return [f"{capital(line)}.".replace(GLUE, " ") for line in Narrator(voice, items).lines()]
