"""What a seat has seen. This is the key of an information set. Also: whether suits or the order of cards matter."""

from collections import Counter
from collections.abc import Hashable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from pitboss.lab import codes
from pitboss.lab.engine.program import plain_program
from pitboss.lab.engine.sight import sees_hand
from pitboss.lab.engine.state import GameState
from pitboss.lab.english import card_word
from pitboss.lab.genome import Genome, LaySets, deck_size, hands_grow, turned_up
from pitboss.lab.phases.kinds import move_word

Cards = tuple[int, ...]
T = TypeVar("T", bound=Hashable)

HIDDEN = -1  #: a card that is put face down
SEATS = 2
NUMBERS = attrgetter("to_act", "phase", "sub", "left", "piled", "put", "due", "pot", "price", "drawn")
ROWS = attrgetter("held", "stacks", "bets", "tricks", "score", "folded")  # one number per seat


class Event(NamedTuple):
    """A move as a seat sees it. The default is the start of the deal, before the first move."""

    mover: int = codes.NO_PLAYER
    kind: int = 0
    move: int = 0
    secret: bool = False  #: whether only the mover sees the card
    shown: Cards = ()  #: face-down cards that the move shows to all players


class Public(NamedTuple):
    """What all players can see."""

    community: Cards
    discards: Cards
    tableau: Cards
    trick: Cards
    captured: tuple[Cards, ...]
    trump: int
    numbers: tuple[int, ...]
    rows: tuple[int, ...]

    def open_cards(self) -> Cards:
        """Return all face-up cards except the community cards."""
        return sum(self.captured, self.discards + self.tableau + self.trick)


NOTHING = Public((), (), (), (), ((),) * SEATS, codes.NO_TRUMP, (), ())


class Sight:
    """What the two seats of a game see. With `suits`, suits are distinguished even if no rule uses them."""

    def __init__(self, game: Genome, *, suits: bool = False) -> None:
        self.deck = game.setup.deck
        self.suits = suits or suits_matter(game)
        self.ordered = order_matters(game, self.suits)
        self.g: Any = plain_program(game).games[0]
        self.trump_varies = game.setup.trump_suit == "random"

    def label(self, card: int) -> int:
        """Return the card, or the first card of its rank if suits do not matter."""
        return card if self.suits else card - card % len(self.deck.suits)

    def row(self, cards: Sequence[int]) -> Cards:
        """Return the labels of cards in their order."""
        return tuple([self.label(card) for card in cards])

    def hand(self, s: GameState, seat: int) -> Cards:
        """Return the labels of a seat's hand. They are sorted if their order does not matter."""
        first = seat * codes.MOST_CARDS
        row = self.row(s.hands[first : first + s.held[seat]])
        return row if self.ordered else tuple(sorted(row))

    def public(self, s: GameState) -> Public:
        """Return what all players see."""
        won = [s.captured[p * codes.MOST_CARDS : p * codes.MOST_CARDS + s.won[p]] for p in range(SEATS)]
        return Public(
            community=tuple(sorted(self.row(s.community[: s.shared]))),
            discards=self.row(s.discards[: s.discarded]),
            tableau=self.row(s.tableau[: s.tabled]),
            trick=self.row(s.trick[: s.tricked]),
            captured=tuple([tuple(sorted(self.row(cards))) for cards in won]),
            trump=s.trump if self.suits else codes.NO_TRUMP,
            numbers=NUMBERS(s),
            rows=tuple([number for row in ROWS(s) for number in row[:SEATS]]),
        )

    def choices(self, moves: Sequence[int]) -> dict[int, list[int]]:
        """Return the different moves in a fixed order. Each has a list of the equal moves of the engine."""
        found: dict[int, list[int]] = {}
        for move in sorted(moves):
            found.setdefault(self.label(move) if move < codes.MOST_CARDS else move, []).append(move)
        return found

    def card_word(self, label: int) -> str:
        """Return a card in letters, without its suit if suits do not matter."""
        word = card_word(self.deck, label)
        return word if self.suits else word[:1]

    def move_word(self, kind: int, move: int) -> str:
        """Return a move in words."""
        if move == HIDDEN:
            return move_word(self.deck, kind, 0).split()[0]
        word = move_word(self.deck, kind, move)
        return word if self.suits or move >= codes.MOST_CARDS else word[:-1]


class Numbered(list[T]):
    """A list of different values. The number of a value is its index."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        """Return the number of a value. A new value is added to the list."""
        found = self._numbers.setdefault(value, len(self))
        if found == len(self):
            self.append(value)
        return found


class Key(NamedTuple):
    """What a seat has seen: the number of its previous key (or -1), and numbers for the last event and its results."""

    before: int
    seat: int
    event: int
    public: int
    hand: int


class Memory:
    """Gives each different `Key` a number."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self._keys: Numbered[Key] = Numbered()
        self._events: Numbered[Event] = Numbered()
        self._publics: Numbered[Public] = Numbered()
        self._hands: Numbered[Cards] = Numbered()
        self._words: dict[int, str] = {}

    def seen(self, before: Sequence[int] | None, event: Event, s: GameState) -> tuple[int, ...]:
        """Return the keys of both seats after an event. `before` is their keys before the event."""
        public = self._publics.number(self.sight.public(s))
        keys = []
        for seat in range(SEATS):
            hidden = event.secret and event.mover != seat
            seen = self._events.number(event._replace(move=HIDDEN) if hidden else event)
            hand = self._hands.number(self.sight.hand(s, seat) if sees_hand(self.sight.g, seat, seat) else ())
            keys.append(self._keys.number(Key(before[seat] if before else -1, seat, seen, public, hand)))
        return tuple(keys)

    def words(self, key: int) -> str:
        """Return a key in words: the seat, the cards dealt to it, and the events after that.

        Cards that the seat gets later, and cards that are turned up for all, follow the event that brings them.
        """
        unnamed = [key]
        while unnamed[-1] not in self._words and (before := self._keys[unnamed[-1]].before) >= 0:
            unnamed.append(before)
        for key in reversed(unnamed):
            if key not in self._words:
                self._words[key] = self._described(self._keys[key])
        return self._words[key]

    def _described(self, key: Key) -> str:
        before = self._keys[key.before] if key.before >= 0 else None
        event, public, hand = self._events[key.event], self._publics[key.public], Counter(self._hands[key.hand])
        shown = _turned_up(event, self._publics[before.public] if before else NOTHING, public)
        news = self._named("shown", Counter(event.shown))
        news += [text for what, cards in shown.items() for text in self._named(what, cards)]
        if before is None:
            seen = f"seat {key.seat}, {self._cards(hand)}" if hand else f"seat {key.seat}"
            if self.sight.trump_varies and public.trump >= 0:
                news.insert(0, f"trumps {self.sight.deck.suits[public.trump]}")
            return f"{seen}: {', '.join(news)}" if news else seen
        got = hand - Counter(self._hands[before.hand])
        move = self.sight.move_word(event.kind, event.move)
        seen = self._words[key.before]
        return seen + (", " if ":" in seen else ": ") + ", ".join([move, *self._named("gets", got), *news])

    def _named(self, what: str, cards: "Counter[int]") -> list[str]:
        return [f"{what} {self._cards(cards)}"] if cards else []

    def _cards(self, cards: "Counter[int]") -> str:
        return " ".join([self.sight.card_word(card) for card in sorted(cards.elements())])


def _turned_up(event: Event, before: Public, after: Public) -> dict[str, "Counter[int]"]:
    """Return the cards that are newly face up, by place, except the card just played."""
    others = Counter(after.open_cards()) - Counter(before.open_cards())
    if event.mover != codes.NO_PLAYER and event.move in others:
        others[event.move] -= 1
    found = {}
    for seat, cards in enumerate(after.captured):
        found[f"seat {seat} takes"] = others & (Counter(cards) - Counter(before.captured[seat]))
        others -= found[f"seat {seat} takes"]
    return {**found, "shown": +others, "board": Counter(after.community) - Counter(before.community)}


# --- where suits and order matter


def suits_matter(game: Genome) -> bool:
    """Return whether suits can matter: a rule uses or shows a suit, or a card that was seen can become hidden again.

    >>> from pitboss.lab import load
    >>> [name for name in ("kuhn", "leduc", "whist", "gin", "cheat") if suits_matter(load(name))]
    ['whist', 'gin', 'cheat']
    """
    if len(game.setup.deck.suits) == 1:
        return False
    if game.setup.trump_suit == "random":
        return True  # all players see the suit of the last card
    asked = any(traits.asks_suit or traits.takes_known for traits in game.traits)
    return _suits_score(game) or _suits_win(game) or asked


def order_matters(game: Genome, suits: bool) -> bool:
    """Return whether the order of the cards in a hand can matter."""
    if any(traits.ordered for traits in game.traits):
        return True
    all_of_rank = len(game.setup.deck.suits)
    sets = any(isinstance(effect, LaySets) and effect.size < all_of_rank for effect in game.effects)
    several = any(traits.several for traits in game.traits)
    return suits and (sets or several)  # the first cards of a rank leave the hand


def _suits_score(game: Genome) -> bool:
    g: Any = plain_program(game).games[0]
    for points in (g.captured_points, g.hand_points):
        for first in range(0, g.cards, g.suits):
            if len(set(points[first : first + g.suits])) > 1:
                return True
    return False


def _suits_win(game: Genome) -> bool:
    most = min(len(game.setup.deck.ranks), _most_held(game))
    return any(0 < win.shortest_suited <= most for win in game.win_conditions)


def _most_held(game: Genome) -> int:
    """Return the maximum number of cards in a hand together with the community cards."""
    everything, shared = deck_size(game), turned_up(game)
    if hands_grow(game) or (shared and (game.turn_structure.order == "turns" or not game.turn_structure.rounds)):
        return everything
    return min(everything, game.setup.cards_per_player + shared * game.turn_structure.rounds)
