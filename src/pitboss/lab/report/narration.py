"""Events of a game as sentences."""

from collections.abc import Iterable, Sequence

from pitboss.lab.base.english import RANK_NAMES, SUIT_NAMES, a, capital, chips, listed, number, plural, some
from pitboss.lab.events import (
    CardsMoved,
    CardsShown,
    ChipsPut,
    ChipsTaken,
    DealBegun,
    DealEnded,
    DeckMade,
    GameEnded,
    HandShown,
    LabEvent,
    MoveMade,
)
from pitboss.lab.genome.parts import Deck, Genome

PEOPLE = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")
SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
FEW = 13
"""More cards than this are counted and not named."""
_PAYING = {"bet": "bets", "call": "calls, paying", "raise": "raises, paying", "all_in": "goes all-in with"}
_SAYING = {
    "check": "checks",
    "fold": "folds",
    "pass": "passes",
    "stop": "takes no more",
    "keep": "keeps the rest",
    "doubt": "doubts it",
    "believe": "believes it",
}


def cards_words(cards: Sequence[str], deck: Deck) -> str:
    """Cards as one sees them, in the deck's order.

    >>> cards_words(("Kh", "9s"), Deck())
    '9♠ K♥'
    """
    if len(cards) > FEW:
        return some(len(cards), "card")
    ordered = sorted(cards, key=lambda card: (deck.ranks.find(card[0]), deck.suits.find(card[1])))
    return " ".join([f"{'10' if card[0] == 'T' else card[0]}{SYMBOLS.get(card[1], '?')}" for card in ordered])


def tell(genome: Genome, events: Sequence[LabEvent], due: str | None = None) -> list[str]:
    """What one move, or the deal, led to, a sentence each; `due` is the rank to be claimed before it."""
    return [capital(sentence) for sentence in _Wording(genome, events, due or "").sentences()]


class _Wording:
    def __init__(self, genome: Genome, events: Sequence[LabEvent], due: str) -> None:
        self.genome, self.deck, self.events, self.due = genome, genome.setup.deck, events, due
        self.moves = [event for event in events if isinstance(event, CardsMoved)]
        self.used: set[int] = set()

    def sentences(self) -> list[str]:
        lines = list[str]()
        for at, event in enumerate(self.events):
            match event:
                case MoveMade():
                    lines.append(self._move(event, at))
                case DealBegun():
                    lines += self._deal(event, at)
                case CardsMoved() if at not in self.used:
                    lines += self._moved(event)
                case CardsShown():
                    lines.append(f"it was {self._cards(event.cards)}.")
                case HandShown() if event.cards:
                    lines.append(f"{PEOPLE[event.place]} shows {self._cards(event.cards)}.")
                case DeckMade():
                    lines.append("the discards are shuffled and become the new deck.")
                case DealEnded() if self.genome.setup.deals > 1 or not self._last(at):
                    lines.append(f"{_who(event.winners, 'wins', 'share')} the deal{self._paid(at)}.")
                case GameEnded():
                    paid = self._paid(len(self.events)) if self.genome.setup.deals == 1 else ""
                    stopped = ", decided at the limit of moves" if event.stopped else ""
                    lines.append(f"{_who(event.winners, 'wins', 'share')} the game{paid}{stopped}.")
                case _:
                    pass
        return lines

    def _last(self, at: int) -> bool:
        return any(isinstance(event, GameEnded) for event in self.events[at:])

    def _cards(self, cards: Sequence[str]) -> str:
        return cards_words(cards, self.deck)

    # --- the deal

    def _deal(self, event: DealBegun, at: int) -> list[str]:
        which = f"deal {event.deal}: {PEOPLE[event.starter]} starts" if self.genome.setup.deals > 1 else ""
        lines = [f"{which or f'{PEOPLE[event.starter]} starts'}."]
        if event.trump:
            lines.append(f"{SUIT_NAMES[event.trump]} are trumps.")
        lines += self._antes(at)
        dealt, others = dict[int, list[str]](), list[str]()
        for place, move in enumerate(self.events):
            if place > at and isinstance(move, MoveMade | DealBegun):
                break
            if place <= at or not isinstance(move, CardsMoved) or move.source.name != "deck":
                continue
            if move.target.name == "hand" and move.target.place is not None:
                dealt.setdefault(move.target.place, []).extend(move.cards)
                self.used.add(place)
            elif move.target.name in ("discards", "tableau"):
                where = "on the discards" if move.target.name == "discards" else "on the table"
                others.append(f"{self._cards(move.cards)} face up {where}")
                self.used.add(place)
        hands = [f"{PEOPLE[place]} is dealt {self._cards(cards)}" for place, cards in sorted(dealt.items())]
        return [*lines, *([f"{listed([*hands, *others])}."] if hands or others else [])]

    def _antes(self, at: int) -> list[str]:
        paid = list[ChipsPut]()
        for event in self.events[at + 1 :]:
            if isinstance(event, MoveMade | DealBegun):
                break
            paid += [event] if isinstance(event, ChipsPut) else []
        if not paid:
            return []
        if len({put.amount for put in paid}) == 1:
            return [f"everybody pays {chips(paid[0].amount)}."]
        return [f"{listed([f'{PEOPLE[put.place]} pays {chips(put.amount)}' for put in paid])}."]

    # --- a move

    def _move(self, event: MoveMade, at: int) -> str:
        who, (verb, *words) = PEOPLE[event.place], event.move.split()
        if verb in _PAYING:
            amount = sum(
                [put.amount for put in self.events if isinstance(put, ChipsPut) and put.place == event.place][:1]
            )
            return f"{who} {_PAYING[verb]} {chips(amount)}."
        if verb in _SAYING:
            return f"{who} {_SAYING[verb]}."
        if verb == "draw":
            return f"{who} {self._drawn(event.place, 'discards' if words else 'deck')}."
        if verb == "ask":
            return f"{who} asks for {plural(RANK_NAMES[words[0]])}{self._given(event.place)}."
        if verb == "play" and len(words) == 2:
            self._use(at, "hand", event.place)
            rank, count = RANK_NAMES[words[1]], int(words[0])
            return f"{who} plays {a(rank) if count == 1 else f'{number(count)} {plural(rank)}'}."
        self._use(at, "hand", event.place)
        if verb == "claim":
            return f"{who} puts {self._cards(words)} face down as {a(RANK_NAMES[self.due])}."
        return f"{who} {'discards' if verb == 'discard' else 'plays'} {self._cards(words)}."

    def _use(self, at: int, source: str, place: int) -> None:
        """The card that a move speaks of is not told again."""
        for there, event in enumerate(self.events[at:], at):
            if isinstance(event, CardsMoved) and event.source.name == source and event.source.place == place:
                self.used.add(there)
                return

    def _drawn(self, place: int, source: str) -> str:
        for there, event in enumerate(self.events):
            if isinstance(event, CardsMoved) and event.target.name == "hand" and event.target.place == place:
                self.used.add(there)
                if event.source.name == "hand" and event.source.place is not None:
                    return f"takes {self._cards(event.cards)} from {PEOPLE[event.source.place]}"
                where = " from the discards" if event.source.name == "discards" else ""
                return f"draws {self._cards(event.cards)}{where}"
        return f"draws from the {source}"

    def _given(self, place: int) -> str:
        for there, event in enumerate(self.events):
            if isinstance(event, CardsMoved) and event.target.name == "hand" and event.target.place == place:
                self.used.add(there)
                if event.source.name == "hand" and event.source.place is not None:
                    return f" and gets {self._cards(event.cards)} from {PEOPLE[event.source.place]}"
                return f" in vain, and draws {self._cards(event.cards)}"
        return " in vain"

    # --- what came of it

    def _moved(self, event: CardsMoved) -> list[str]:
        source, target, cards = event.source, event.target, self._cards(event.cards)
        who = PEOPLE[target.place] if target.place is not None else ""
        owner = PEOPLE[source.place] if source.place is not None else ""
        match source.name, target.name:
            case "deck", "community":
                return [f"turned up: {cards}."]
            case "trick", "captured" | "hand":
                return [f"{who} takes the trick: {cards}."]
            case "tableau", "captured":
                return [f"{who} captures {cards}."]
            case "pile", "hand":
                return [f"{who} takes the pile of {some(len(event.cards), 'card')}."]
            case "deck", "hand":
                return [f"{who} draws {cards}."]
            case "hand", "hand":
                return [f"{who} takes {cards} from {owner}."]
            case "hand", "captured":
                return [f"{owner} lays down {cards}."]
            case "hand", "discards" | "trick" | "tableau" if owner:
                return [f"{owner} plays {cards}."]
            case "discards", "hand":
                return [f"{who} takes {cards} from the discards."]
            case _:
                return []

    def _paid(self, at: int) -> str:
        """What the winners of the deal that ended here were paid."""
        taken = dict[int, int]()
        for event in reversed(self.events[:at]):
            if isinstance(event, DealEnded | MoveMade) and taken:
                break
            if isinstance(event, ChipsTaken):
                taken[event.place] = taken.get(event.place, 0) + event.amount
        if not taken:
            return ""
        return f": {listed([f'{PEOPLE[place]} takes {chips(amount)}' for place, amount in sorted(taken.items())])}"


def _who(places: Iterable[int], one: str, several: str) -> str:
    names = [PEOPLE[place] for place in places]
    return f"{listed(names)} {one if len(names) == 1 else several}" if names else "nobody wins"
