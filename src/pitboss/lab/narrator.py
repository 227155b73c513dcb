"""Describes a game in sentences, for one seat ("you") or for readers who see all cards."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TypeAlias

from pitboss.cards import UNKNOWN
from pitboss.lab import events
from pitboss.lab.english import GLUE, RANK_NAMES, SUIT_NAMES, a, capital, listed, plural
from pitboss.lab.events import CardsMoved, Pile
from pitboss.lab.genome import Deck, Genome

PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")
SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
MOST_CARDS_NAMED = 13
"""The maximum number of cards that are named for readers who see all cards. Of more cards, the number is given."""
Item: TypeAlias = events.LabEvent | events.Remark


def merged(happened: Sequence[events.LabEvent], remarks: Sequence[tuple[int, events.Remark]]) -> list[Item]:
    """Return events and remarks in one order."""
    items: list[Item] = []
    waiting = list(remarks)
    for at, event in enumerate(happened):
        while waiting and waiting[0][0] <= at:
            items.append(waiting.pop(0)[1])
        items.append(event)
    return [*items, *[remark for _, remark in waiting]]


class Voice:
    """The names of seats and cards, and what must be remembered from earlier events.

    If `seat` is None, the text is for readers who see all cards: players have names, and cards have symbols.
    """

    def __init__(self, genome: Genome, seat: int | None = None, names: Sequence[str] = ()) -> None:
        self.genome, self.seat, self.called = genome, seat, names
        self.bets = [0] * genome.player_count  #: each seat's bet in this round of betting
        self.played = dict[str, int]()  #: the seat that played each card to a trick

    def name(self, seat: int) -> str:
        """Return the name of a seat."""
        if seat == self.seat:
            return "you"
        return self.called[seat] if self.called else PEOPLE[seat] if self.seat is None else f"seat {seat}"

    def names(self, seats: Iterable[int]) -> str:
        """Return the names of several seats, such as "you and seat 2"."""
        return listed([self.name(seat) for seat in seats])

    def verb(self, seats: Sequence[int], plain: str) -> str:
        """Return a clause such as "you win", "seat 1 wins" or "you and seat 2 win"."""
        others = len(seats) == 1 and seats[0] != self.seat
        return capital(f"{self.names(seats)} {third_person(plain) if others else plain}")

    def trick(self, cards: Iterable[str]) -> str:
        """Return the cards of a trick. With three or more players, add their seats: "Tc (you) Kc (seat 1)"."""
        if self.genome.player_count == 2:
            return self.cards(cards)
        words = [
            f"{self.card(card)} ({self.name(self.played[card])})" if card in self.played else self.card(card)
            for card in cards
        ]
        return " ".join([word.replace(" ", GLUE) for word in words])

    def card(self, card: str) -> str:
        """Return a card as two letters. For readers who see all cards, return it as "10♥"."""
        return (
            card
            if self.seat is not None or card == UNKNOWN
            else f"{'10' if card[0] == 'T' else card[0]}{SYMBOLS[card[1]]}"
        )

    def cards(self, cards: Iterable[str]) -> str:
        return " ".join(map(self.card, cards))

    def move(self, move: str) -> str:
        deck = self.genome.setup.deck
        cards = [len(word) == 2 and word[0] in deck.ranks and word[1] in deck.suits for word in move.split()]
        words = [self.card(word) if card else word for word, card in zip(move.split(), cards, strict=True)]
        return " ".join(words) if self.seat is not None else " ".join(words).replace("_", "-")

    def in_order(self, cards: Iterable[str]) -> list[str]:
        return sorted(cards, key=lambda card: place(self.genome.setup.deck, card))


def third_person(plain: str) -> str:
    """Return the third person of a verb.

    >>> third_person("win"), third_person("miss"), third_person("have"), third_person("cannot play")
    ('wins', 'misses', 'has', 'cannot play')
    """
    if plain.startswith("can"):
        return plain
    return {"have": "has", "are": "is", "miss": "misses"}.get(plain, f"{plain}s")


def place(deck: Deck, card: str) -> tuple[int, int]:
    """Return a card's position in the order of its deck."""
    return deck.ranks.index(card[0]), deck.suits.index(card[1])


def count(number: int, what: str) -> str:
    """Return a number in digits and a noun.

    >>> count(1, "card"), count(3, "card")
    ('1 card', '3 cards')
    """
    return f"{number} {what}{'' if abs(number) == 1 else 's'}"


class Narrator:
    """Describes events and remarks."""

    def __init__(self, words: Voice, items: Sequence[Item]) -> None:
        self.words, self.genome, self.items = words, words.genome, items
        self.to_readers = words.seat is None
        self.judged = events.DealJudged("")
        self.dealing = False  #: whether cards are being dealt

    def lines(self) -> list[str]:
        """Return one sentence for each event or group of events."""
        return [line for _, line in self.numbered()]

    def numbered(self) -> list[tuple[int, str]]:
        """Return the same sentences, each with the index of the first item that it describes."""
        lines = list[tuple[int, str]]()
        for _, group in groupby(range(len(self.items)), key=self._group):
            places = list(group)
            sentences = self._sentences(places[0], [self.items[at] for at in places])
            lines += [(places[0], line) for line in sentences]
        return lines

    def _group(self, at: int) -> tuple[object, ...]:
        """Return the key of items that are described together: cards turned up by several players, antes, skips."""
        match self.items[at]:
            case CardsMoved(source=Pile(name="hand"), target=Pile(name="trick")):
                return "trick", self._is_moves(at)
            case CardsMoved(source=Pile(name=source), target=Pile(name="captured", place=seat)):
                return "captured", seat, source == "trick"
            case events.StepSkipped(phase=phase, why=why):
                return "skipped", phase, why
            case events.ChipsPut():
                return ("chips",)
        return (at,)

    def _is_moves(self, at: int) -> bool:
        """Return whether this event results from the move just before it."""
        return at > 0 and isinstance(self.items[at - 1], events.MoveMade)

    def _sentences(self, at: int, items: Sequence[Item]) -> Iterator[str]:
        first = items[0]
        if isinstance(first, events.DealBegun | events.PhaseBegun | events.MoveMade | events.DealJudged):
            self.dealing = isinstance(first, events.DealBegun)
        self._remember(items)
        match first:
            case events.MoveMade():
                yield from self._move(first, self.items[at + 1 :])
            case CardsMoved():
                yield from self._moved([item for item in items if isinstance(item, CardsMoved)], self._is_moves(at))
            case events.ChipsPut() if self.dealing:
                yield self._antes([item for item in items if isinstance(item, events.ChipsPut)])
            case events.CardsShown():
                yield f"it was {self.words.cards(first.cards)}"
            case events.DeckMade():
                yield f"the deck is empty: a new one is shuffled from {count(first.cards, 'discard')}"
            case events.HandShown(place=seat, cards=cards):
                yield self._shown(seat, cards)
            case events.DealBegun() if self.to_readers or first.deal > 1:
                yield from self._begun(first)
            case events.StepSkipped():
                yield self._skipped([item for item in items if isinstance(item, events.StepSkipped)])
            case events.DealJudged():
                yield from self._judged(first, shown=isinstance(self.items[at + 1], events.HandShown))
            case events.DealEnded(deal=deal, winners=winners) if self.genome.setup.deals > 1:
                yield f"{self.words.verb(winners, 'win' if len(winners) == 1 else 'share')} deal {deal}"
            case events.GameEnded(winners=winners, stopped=stopped) if self.to_readers:
                verb = "win" if len(winners) == 1 else "share"
                text = self.words.verb(winners, verb) if winners else "no player wins"
                yield f"{text} the game{', decided at the limit of moves' if stopped else ''}"
            case _:
                yield from self._remark(first)

    def _remember(self, items: Sequence[Item]) -> None:
        """Remember the bets, and the players of the cards in a trick."""
        for item in items:
            match item:
                case events.DealBegun() | events.PhaseBegun():
                    self.words.bets = [0] * self.genome.player_count
                case events.ChipsPut(place=place, amount=amount) if not self.dealing:
                    self.words.bets[place] += amount
                case CardsMoved(source=Pile(name="hand", place=int(place)), target=Pile(name="trick"), cards=cards):
                    self.words.played |= dict.fromkeys(cards, place)

    def _begun(self, begun: events.DealBegun) -> Iterator[str]:
        which = f"deal {begun.deal}: " if self.genome.setup.deals > 1 else ""
        yield f"{which}{self.words.verb((begun.starter,), 'start')}"
        if begun.trump and self.to_readers:
            yield f"{SUIT_NAMES[begun.trump]} are trumps"

    # --- moves

    def _move(self, made: events.MoveMade, after: Sequence[Item]) -> Iterator[str]:
        name, (verb, *details) = self.words.name(made.place), made.move.split()
        if UNKNOWN in made.move.split():
            yield f"{name}: put a card face down"
        elif after and isinstance(after[0], events.ChipsPut) and after[0].place == made.place:
            paid, height = after[0].amount, self.words.bets[made.place] + after[0].amount
            text = f"{self.words.move(verb)} ({count(paid, 'chip')})"
            text = f"raise to {height}, paying {paid}" if verb == "raise" else text
            yield f"{name}: {text}"
        elif verb == "play" and len(details) == 2:
            moves = [item for item in after if isinstance(item, CardsMoved) and item.source.name == "hand"]
            cards = [card for move in moves for card in move.cards][: int(details[0])]
            yield f"{name}: {made.move} ({self.words.cards(cards)})"
        else:
            yield f"{name}: {self.words.move(made.move)}"
        if verb == "ask" and not (after and isinstance(after[0], CardsMoved) and after[0].source.name == "hand"):
            yield "nothing is handed over"

    def _antes(self, paid: Sequence[events.ChipsPut]) -> str:
        if len(paid) == self.genome.player_count and len({put.amount for put in paid}) == 1:
            return f"every player pays an ante of {paid[0].amount}"
        return f"antes: {', '.join([f'{self.words.name(put.place)} {put.amount}' for put in paid])}"

    # --- cards

    def _moved(self, moves: Sequence[CardsMoved], moved: bool) -> Iterator[str]:
        """Describe cards that changed piles. If a move moved them, the move's sentence describes them."""
        source, target, cards = moves[0].source, moves[0].target, [card for move in moves for card in move.cards]
        many = UNKNOWN in cards or (self.to_readers and len(cards) > MOST_CARDS_NAMED)
        named = count(len(cards), "card") if many else self.words.cards(self.words.in_order(cards))
        taker = () if target.place is None else (target.place,)
        match source.name, target.name:
            case "hand", "trick" if not moved:
                turned = [f"{self.words.name(move.source.place or 0)} {self.words.cards(move.cards)}" for move in moves]
                yield f"turned up: {', '.join(turned)}"
            case "deck", "community":
                yield f"turned up: {self.words.cards(cards)}"
            case "trick", "captured" | "hand":
                yield f"{self.words.verb(taker, 'take')} the trick: {self.words.trick(cards)}"
            case _, "captured" if any(move.source.name == "tableau" for move in moves):
                yield f"{self.words.verb(taker, 'capture')} {self.words.cards(cards)}"
            case "hand", "captured":
                yield f"{self.words.verb(taker, 'lay')} down {named}"
            case "pile", "hand":
                own = f": {named}" if target.place == self.words.seat else ""
                yield f"{self.words.verb(taker, 'take')} the pile of {len(cards)}{own}"
            case "discards", "hand":
                yield f"{self.words.verb(taker, 'take')} {named} from the discards"
            case "deck", "hand" if self.dealing and self.to_readers:
                yield f"{self.words.names(taker)} is dealt {named}"
            case "deck", "discards" | "tableau" if self.dealing and self.to_readers:
                yield f"face up on the {'discards' if target.name == 'discards' else 'table'}: {named}"
            case "deck", "hand" if not self.dealing:
                yield f"{self.words.verb(taker, 'draw')} {named}"
            case "hand", "hand" if source.place is not None:
                yield f"{self.words.verb(taker, 'take')} {named} from {self.words.name(source.place)}"

    # --- remarks

    def _skipped(self, steps: Sequence[events.StepSkipped]) -> str:
        text = self.genome.turn_structure.phases[steps[0].phase].unable
        seats = tuple(dict.fromkeys(step.place for step in steps if step.place is not None))
        return f"{self.words.verb(seats, text) if seats else capital(text)}: {steps[0].why}"

    def _remark(self, item: Item) -> Iterator[str]:
        match item:
            case events.ClaimMade(place=seat, count=number, rank=rank):
                name = RANK_NAMES[rank]
                what = a(name) if number == 1 else f"{number} {plural(name)}"
                yield f"{self.words.verb((seat,), 'claim')} {what}"
            case events.WentOver(place=seat):
                yield f"{self.words.verb((seat,), 'are')} over {self.genome.win_conditions[0].limit}: no more cards"
            case events.TrickSatOut(place=seat):
                yield f"{self.words.verb((seat,), 'have')} no card for the trick"
            case events.TrickTied():
                yield "the highest cards are equal: the cards stay for the winner of the next trick"
            case events.TurnMissed(place=seat):
                yield f"{self.words.verb((seat,), 'miss')} a turn"
            case events.TurnAgain(place=seat):
                yield f"{self.words.verb((seat,), 'have')} another turn"
            case events.TurnsReversed():
                yield "the direction of play is reversed"
            case events.PileCleared():
                yield "all others have passed: the pile is cleared"
            case events.PotPaid():
                yield self._paid(item)

    # --- the end of a deal

    def _judged(self, judged: events.DealJudged, *, shown: bool) -> Iterator[str]:
        """Describe why the deal is over and, unless hands are shown, the value of each hand."""
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

    def _paid(self, paid: events.PotPaid) -> str:
        """Describe the chips that each seat received from a pot, and the winning hand."""
        shares = [(seat, share) for seat, share in enumerate(paid.shares) if share]
        seats, total = [seat for seat, _ in shares], sum(paid.shares)
        if not paid.name:
            return f"{self.words.verb(seats, 'get')} {total} back, which was not called"
        text = f"{self.words.verb(seats, 'win' if len(seats) == 1 else 'share')} the {paid.name} of {total}"
        if self.judged.values:
            text += f" with {self.judged.values[seats[0]]}"
        if len(seats) > 1:
            text += f": {', '.join([f'{self.words.name(seat)} {share}' for seat, share in shares])}"
        return text


def tell(voice: Voice, items: Sequence[Item]) -> list[str]:
    """Return sentences for readers about one move or one deal."""
    return [f"{capital(line)}.".replace(GLUE, " ") for line in Narrator(voice, items).lines()]


class EventNarrator:
    """Tells a game from its events alone, without remarks, to one place or to spectators."""

    def __init__(self, genome: Genome, place: int | None, names: Sequence[str]) -> None:
        self._voice = Voice(genome, place, names or [f"seat {seat}" for seat in range(genome.player_count)])

    def tell(self, happened: Sequence[events.LabEvent]) -> list[tuple[int, str]]:
        """Return sentences about new events, each with the index of its first event."""
        lines = Narrator(self._voice, happened).numbered()
        lines += [(at, line) for at, event in enumerate(happened) for line in self._unremarked(event)]
        return [(at, f"{capital(line)}.".replace(GLUE, " ")) for at, line in sorted(lines, key=lambda line: line[0])]

    def _unremarked(self, event: events.LabEvent) -> Iterator[str]:
        """Yield what remarks would tell, as far as the event alone shows it."""
        match event:
            case events.ChipsTaken(place=place, amount=amount):
                yield f"{self._voice.verb((place,), 'take')} {count(amount, 'chip')} from the pot"
            case events.DealEnded(winners=winners) if self._voice.genome.setup.deals == 1 and winners:
                yield f"{self._voice.verb(winners, 'win' if len(winners) == 1 else 'share')} the deal"
            case events.GameEnded(winners=winners) if self._voice.seat is not None and winners:
                yield f"{self._voice.verb(winners, 'win' if len(winners) == 1 else 'share')} the game"
