"""A game of the lab in plain text: where it stands, what somebody did, what came of it; only what one seat may see."""

from collections.abc import Iterable, Sequence
from textwrap import fill

from pitboss.cards import UNKNOWN
from pitboss.lab.base.english import SUIT_NAMES, title
from pitboss.lab.events import CardsMoved, CardsShown, DealEnded, HandShown, LabEvent, MoveMade, Pile
from pitboss.lab.game import LabGame
from pitboss.lab.genome.parts import Deck, Genome

GLUE = "\N{NO-BREAK SPACE}"
INDENT = 2


class GameFormatter:
    """Puts a game into words for one seat, in lines no wider than the terminal."""

    def __init__(self, genome: Genome, seat: int, players: Sequence[str], width: int) -> None:
        self.genome, self.seat, self.players, self.width = genome, seat, players, width

    def name(self, seat: int) -> str:
        """Whose seat it is."""
        return "you" if seat == self.seat else f"seat {seat}"

    def names(self, seats: Iterable[int]) -> str:
        """Several seats: "you and seat 2"."""
        *first, last = [self.name(seat) for seat in seats]
        return f"{', '.join(first)} and {last}" if first else last

    def verb(self, seats: Sequence[int], plain: str) -> str:
        """Somebody does something: "you win", "seat 1 wins", "you and seat 2 win"."""
        ending = "" if len(seats) > 1 or tuple(seats) == (self.seat,) else "s"
        sentence = f"{self.names(seats)} {plain}{ending}"
        return sentence[:1].upper() + sentence[1:]

    def wrapped(self, text: str, indent: int = 0) -> str:
        """A line broken where it is too wide; the rest stands further in."""
        broken = fill(
            text,
            max(20, self.width),
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + INDENT),
            break_on_hyphens=False,
        )
        return broken.replace(GLUE, " ")

    # --- where it stands

    def table(self, view: LabGame) -> list[str]:
        """Everything this seat can see, before it decides."""
        lines = ["", self.wrapped(self._headline(view))]
        lines += [self.wrapped(self._player(view, seat), INDENT) for seat in range(len(view.held))]
        for what, cards in (("Community", view.community), ("Tableau", view.tableau), ("Trick", view.trick)):
            if cards:
                lines.append(self.wrapped(f"{what}: {' '.join(cards)}"))
        piles = [f"discards {len(view.discards)}, {view.discards[-1]} on top"] if view.discards else []
        piles += [f"deck {view.deck_left}"] if view.deck_left else []
        if view.due is not None:
            piles += [f"pile {len(view.pile)} face down", f"rank due {view.due}"]
        if piles:
            sentence = "; ".join(piles)
            lines.append(self.wrapped(sentence[:1].upper() + sentence[1:]))
        if view.claim is not None:
            who, count = view.claim
            lines.append(self.wrapped(f"{self.verb((who,), 'claim')} {count} of rank {view.due}."))
        if hand := self._hand(view):
            lines.append(self.wrapped(f"Your hand: {' '.join(hand)}"))
        return lines

    def _headline(self, view: LabGame) -> str:
        deals = self.genome.setup.deals
        parts = [f"Deal {view.deal} of {deals}"] if deals > 1 else []
        if self.genome.setup.starting_chips:
            parts.append(f"pot {view.pot}")
        if view.trump is not None:
            parts.append(f"trumps are {SUIT_NAMES[view.trump]}")
        sentence = ", ".join(parts) or title(self.genome.name)
        return f"{sentence[:1].upper() + sentence[1:]}."

    def _player(self, view: LabGame, seat: int) -> str:
        parts = ["out of the deal"] if view.folded[seat] else [_count(view.held[seat], "card")]
        if self.genome.setup.starting_chips:
            parts.append(_count(view.chips[seat], "chip"))
        if view.bets[seat]:
            parts.append(f"bet {view.bets[seat]}")
        if view.tricks[seat]:
            parts.append(_count(view.tricks[seat], "trick"))
        if view.captured[seat]:
            parts.append(f"{len(view.captured[seat])} taken")
        if any(view.score):
            parts.append(_count(view.score[seat], "point"))
        name = "you" if seat == self.seat else f"seat{GLUE}{seat} ({self.players[seat]})"
        return f"{name}: {', '.join([part.replace(' ', GLUE) for part in parts])}"

    def _hand(self, view: LabGame) -> list[str]:
        """One's own cards, as far as one may look at them."""
        return self._in_order([card for card in view.hands[self.seat] if card != UNKNOWN])

    def _in_order(self, cards: Iterable[str]) -> list[str]:
        return sorted(cards, key=lambda card: place(self.genome.setup.deck, card))

    def ordered(self, moves: Sequence[str]) -> tuple[str, ...]:
        """Moves of cards in the deck's order, and those without a card after them."""
        deck = self.genome.setup.deck
        cards = [move for move in moves if len(move.split()[-1]) == 2 and " " in move]
        cards.sort(key=lambda move: place(deck, move[-2:]))
        return (*cards, *[move for move in moves if move not in cards])

    def choices(self, moves: Sequence[str]) -> str:
        """The moves with their numbers."""
        entries = [f"{number} {move}".replace(" ", GLUE) for number, move in enumerate(moves, 1)]
        return self.wrapped("   ".join(entries), INDENT)

    # --- what happened, as this seat has learnt it

    def happened(self, events: Sequence[LabEvent]) -> list[str]:
        """What a move led to, and the ends of all deals that ended with it."""
        ends = [at for at, event in enumerate(events) if isinstance(event, DealEnded)]
        lines = self._changes(events[: ends[0] + 1] if ends else events)
        return [self.wrapped(line, INDENT) for line in lines] + self.deals_ended(events)

    def _changes(self, events: Sequence[LabEvent]) -> list[str]:
        """The move itself, and what came of it within its deal."""
        made, moves = events[0], [event for event in events if isinstance(event, CardsMoved)]
        if not isinstance(made, MoveMade):
            return []
        hidden = made.face_down and made.place != self.seat
        lines = [f"{self.name(made.place)}: {'put a card face down' if hidden else made.move}"]
        lines += [self._doubted(event, moves) for event in events if isinstance(event, CardsShown)]
        if board := _cards([move for move in moves if move.target.name == "community"]):
            lines.append(f"turned up: {' '.join(board)}")
        lines += self._tricks(moves)
        if made.move.startswith("ask "):
            lines.append(self._handed_over(moves, made.place))
        if got := self._got(moves):
            lines.append(f"you get {' '.join(got)}")
        return lines

    def _doubted(self, shown: CardsShown, moves: Sequence[CardsMoved]) -> str:
        taken = [move for move in moves if move.source.name == "pile"]
        taker = taken[0].target.place
        assert taker is not None, "the pile goes into a hand"
        return f"it was {' '.join(shown.cards)}. {self.verb((taker,), 'take')} the pile of {len(_cards(taken))}"

    def _tricks(self, moves: Sequence[CardsMoved]) -> list[str]:
        lines = []
        for seat in range(self.genome.player_count):
            count = sum(move.source.name == "trick" and move.target.place == seat for move in moves)
            taken = _cards([move for move in moves if move.target == Pile("captured", seat)])
            if count:
                what = "the trick" if count == 1 else f"{count} tricks"
                lines.append(f"{self.verb((seat,), 'take')} {what}{': ' if taken else ''}{' '.join(taken)}")
        return lines

    def _handed_over(self, moves: Sequence[CardsMoved], mover: int) -> str:
        for move in moves:
            if move.source.name == "hand" and move.target == Pile("hand", mover) and move.source.place is not None:
                return f"{self.verb((move.source.place,), 'hand')} over {_count(len(move.cards), 'card')}"
        return "nothing is handed over"

    def _got(self, moves: Sequence[CardsMoved]) -> list[str]:
        """The cards that have come into one's own hand, and are still there."""
        own, got = Pile("hand", self.seat), list[str]()
        for move in moves:
            if move.target == own:
                got += [card for card in move.cards if card != UNKNOWN]
            elif move.source == own:
                got = [card for card in got if card not in move.cards]
        return self._in_order(got)

    def deals_ended(self, events: Iterable[LabEvent]) -> list[str]:
        """Who won each deal that has ended; hands that were compared are shown."""
        lines = []
        for event in events:
            match event:
                case HandShown(place=seat, cards=cards) if cards:
                    lines.append(f"{self.verb((seat,), 'show')} {' '.join(self._in_order(cards))}")
                case DealEnded(deal=deal, winners=winners) if self.genome.setup.deals > 1:
                    lines.append(f"{self.verb(winners, 'win' if len(winners) == 1 else 'share')} deal {deal}")
        return [self.wrapped(line, INDENT) for line in lines]

    # --- what came of it

    def result(self, game: LabGame) -> list[str]:
        """How the game ended."""
        sentence = f"{self.verb(game.winners, 'win' if len(game.winners) == 1 else 'share')} the game"
        lines = ["", f"{sentence}{', decided at the turn limit' if game.state.stopped else ''}."]
        if self.genome.setup.starting_chips:
            lines.append("Chips: " + self._by_seat(game.chips))
        if any(game.score):
            lines.append("Points: " + self._by_seat(game.score))
        if self.genome.setup.deals > 1:
            lines.append("Deals won: " + self._by_seat(game.state.deals_won[: len(game.chips)]))
        return [self.wrapped(line) for line in lines]

    def _by_seat(self, figures: Iterable[int]) -> str:
        return ", ".join([f"{self.name(seat)} {figure}" for seat, figure in enumerate(figures)])


def place(deck: Deck, card: str) -> tuple[int, int]:
    """Where a card stands in its deck's order."""
    return deck.ranks.index(card[0]), deck.suits.index(card[1])


def _cards(moves: Iterable[CardsMoved]) -> list[str]:
    return [card for move in moves for card in move.cards]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if abs(number) == 1 else 's'}"
