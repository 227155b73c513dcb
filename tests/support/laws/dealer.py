"""A second, naive account of a hand's cards: the cards due to each player, and where every card is.

It knows the deck and follows every event; it does not know the order of discards that were shuffled back.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from pitboss.cards import Card
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, RunBegun, UpDealt
from tests.support.laws.laws import holds
from tests.support.laws.naive_ranks import opener
from tests.support.laws.tables import Table


class Due(Struct, frozen=True):
    """What must happen next: a deal of this many cards, or a player's choice of cards to change."""

    kind: type[Event]
    place: int = -1
    count: int = 0
    cards: tuple[Card | None, ...] = ()  #: the cards that must come; None: one of those that were shuffled back


class Dealer:
    """Where every card is, worked out with knowledge of the deck."""

    def __init__(self, table: Table) -> None:
        n = len(table.stacks)
        self.streets, self.all = table.structure.streets, Counter(table.deck)
        self.deck: list[Card | None] = list(table.deck)
        self.back: set[Card] = set()  # in the deck, at an unknown place
        self.discards: set[Card] = set()
        self.gone: list[Card] = []  # discarded without new cards, face down or up
        self.gone_up: list[Card] = []
        self.thrown: set[Card] = set()  # by the player who is changing cards
        self.holes: list[list[Card]] = [[] for _ in range(n)]
        self.ups: list[list[Card]] = [[] for _ in range(n)]
        self.dealt: list[list[Card]] = [[] for _ in range(n)]  # to each player, in order, even if discarded since
        self.several = table.structure.boards
        self.boards: list[list[Card]] = [[] for _ in range(self.several)]
        self.to_boards: list[Card] = []  # in the order dealt
        self.run_from = 0  # the first street of every further run
        self.shared = 0  # how many cards of the board the runs share
        self.due: list[Due] = []
        self.now = self.streets[0]  # the street that is being dealt
        self._throwers: list[int] = []  # the players who throw cards away on this street
        self.counts: Counter[str] = Counter()

    def begin(self, street: int, live: Sequence[int]) -> None:
        """Plan the deals of a street: one card at a time from the button's left, down, then up, then the board."""
        deals, places = self.streets[street], sorted(live)
        self.now = deals
        if deals.discard and len(self.boards) == self.several:
            self.due, self._throwers = [Due(Discarded, p, deals.discard) for p in places], places
            return
        self._deal_street(places)

    def _deal_street(self, places: Sequence[int]) -> None:
        deals = self.now
        if deals.draw:
            self.due = [Due(Discarded, p) for p in places]
            return
        if deals.own * len(places) > len(self.deck):
            self.counts["last cards for all"] += 1
            self.due = [self._deal(BoardDealt, -1, deals.own)]
            return
        self.due = self._deal_round(HoleDealt, places, deals.hole) + self._deal_round(UpDealt, places, deals.up)
        if deals.board:
            self.due += [self._deal(BoardDealt, number, deals.board) for number in range(self.several)]

    def run_again(self) -> None:
        """Put the board back to where the runs part."""
        self.boards.append(self.boards[0][: self.shared])
        self.due = [Due(RunBegun, -1, len(self.boards))]
        self.counts["further runs"] += 1

    def _deal_round(self, kind: type[Event], places: Sequence[int], each: int) -> list[Due]:
        if not each:
            return []
        given: dict[int, list[Card | None]] = {p: [] for p in places}
        for _ in range(each):
            for p in places:
                given[p].append(self.deck.pop(0))
        return [Due(kind, p, each, tuple(cards)) for p, cards in given.items()]

    def _deal(self, kind: type[Event], place: int, count: int) -> Due:
        if len(self.deck) < count:
            self.counts["decks that ran out"] += 1
            self.deck += [None] * len(self.discards)
            self.back |= self.discards
            self.discards = set()
        given, self.deck = self.deck[:count], self.deck[count:]
        holds("there are cards for everybody", len(given) == count, place, count)
        return Due(kind, place, count, tuple(given))

    # --- past events

    def receive(self, event: HoleDealt | UpDealt | BoardDealt | Discarded | RunBegun) -> None:
        """Check an event against what is due."""
        holds("cards are dealt when they are due", bool(self.due), event)
        due = self.due.pop(0)
        holds("this is what is due", type(event) is due.kind, due, event)
        match event:
            case RunBegun(number):
                holds("runs are counted", number == due.count, due, event)
            case Discarded(place, cards):
                holds("everybody changes cards in turn", place == due.place, due, event)
                if self.now.discard:
                    self._throw_away(event, due)
                else:
                    self._throw(place, cards)
            case BoardDealt(_, cards, number):
                self._check_cards(due, cards)
                holds("the boards are dealt in order", number == max(due.place, 0) + 1, due, event)
                self.boards[due.place if self.several > 1 else -1] += cards
                self.to_boards += cards
            case HoleDealt(place, cards) | UpDealt(place, cards):
                holds("everybody gets his cards", place == due.place, due, event)
                self._check_cards(due, cards)
                self.holes[place] += cards
                self.dealt[place] += cards
                self.ups[place] += cards if isinstance(event, UpDealt) else ()
                self.discards |= self.thrown
                self.thrown = set()

    def _throw(self, place: int, cards: tuple[Card, ...]) -> None:
        holds("one throws each of one's cards once", len(set(cards)) == len(cards), place, cards)
        holds("one throws only what one holds", set(cards) <= set(self.holes[place]), place, cards)
        for card in cards:
            self.holes[place].remove(card)
        if cards:
            self.counts["cards changed"] += len(cards)
            self.due.insert(0, self._deal(HoleDealt, place, len(cards)))
            self.thrown = set(cards)

    def _throw_away(self, event: Discarded, due: Due) -> None:
        """Take cards that are not replaced; after the last player's, the street is dealt."""
        holds("everybody throws as many as they must", len(set(event.cards)) == len(event.cards) == due.count, event)
        holds("one throws only what one holds", set(event.cards) <= set(self.holes[event.place]), event)
        holds("all see the cards if the street says so", event.up == self.now.discard_up, event)
        for card in event.cards:
            self.holes[event.place].remove(card)
        (self.gone_up if event.up else self.gone).extend(event.cards)
        self.counts["cards thrown away"] += due.count
        if not self.due:
            self._deal_street(self._throwers)

    def _check_cards(self, due: Due, cards: tuple[Card, ...]) -> None:
        holds("as many cards as are due", len(cards) == due.count, due, cards)
        for card, wanted in zip(cards, due.cards, strict=True):
            holds("no thrown card comes back in its draw", card not in self.thrown, due, cards)
            if wanted is None:
                holds("what comes back was thrown before", card in self.back, due, cards)
                self.back.discard(card)
            else:
                holds("the deck is dealt from the top", card == wanted, due, cards)

    # --- what must follow

    def changing(self) -> int | None:
        """The player who must choose cards to change."""
        return self.due[0].place if self.due and self.due[0].kind is Discarded else None

    def opener(self, street: int, live: Sequence[int]) -> int:
        """The place from which the street's betting starts."""
        opens = self.streets[street].opens
        return 0 if opens == "left" else opener(opens, {p: self.ups[p] for p in sorted(live)})

    def shows_pair(self, live: Sequence[int]) -> bool:
        """Whether a player in the hand shows two cards of a rank."""
        return any(len({card[0] for card in self.ups[p]}) < len(self.ups[p]) for p in live)

    def undealt(self) -> list[Card]:
        """The known cards of the deck, also those that are due next."""
        return [card for card in (*[card for due in self.due for card in due.cards], *self.deck) if card is not None]

    def board_cards(self) -> list[Card]:
        """The cards of all boards, in the order dealt."""
        return [card for number, board in enumerate(self.boards) for card in board[self.shared if number else 0 :]]

    def check_every_card(self) -> None:
        """Check that every card is in exactly one place."""
        there = Counter([card for hole in self.holes for card in hole] + self.board_cards())
        there += Counter(self.undealt())
        there += Counter(self.back) + Counter(self.discards) + Counter(self.gone) + Counter(self.gone_up)
        holds("every card is in one place", there == self.all, there, self.all)
