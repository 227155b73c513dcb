"""A game of the lab in plain text: where it stands, what somebody did, what came of it; only what one seat may see."""

from collections.abc import Iterable, Sequence
from textwrap import fill

from pitboss.betting import core
from pitboss.cards import UNKNOWN
from pitboss.lab.base.english import SUIT_NAMES, title
from pitboss.lab.events import (
    CardsMoved,
    CardsShown,
    DealBegun,
    DealEnded,
    DealJudged,
    DeckMade,
    HandShown,
    LabEvent,
    MoveMade,
    Pile,
    PileCleared,
    Remark,
    TurnPassed,
)
from pitboss.lab.game import LabGame
from pitboss.lab.genome.parts import Deck, Genome
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.wins import kinds as wins

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
        if view.phase == "BettingPhase":
            lines.append(self.wrapped(self._betting(view)))
        if view.claim is not None:
            who, count = view.claim
            lines.append(self.wrapped(f"{self.verb((who,), 'claim')} {count} of rank {view.due}."))
        if hand := self._hand(view):
            lines.append(self.wrapped(f"Your hand: {' '.join(hand)}{self._worth(view)}"))
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

    def _betting(self, view: LabGame) -> str:
        """What staying costs, and what may be put on top."""
        s = view.state
        phase = view.genome.turn_structure.phases[s.phase]
        assert isinstance(phase, BettingPhase), "the view says so"
        owed = min(core.owed(s, self.seat), s.stacks[self.seat])
        stay = f"{_count(owed, 'chip')} to stay" if owed else "nothing to pay"
        left = len(range(s.raises, phase.max_raises))
        if not s.price:
            sizes = f"a bet is {phase.min_bet}, with {_some(phase.max_raises, 'raise')} after it"
        else:
            sizes = f"a raise is {phase.min_bet} more, {_some(left, 'raise')} left"
        return f"{stay[:1].upper()}{stay[1:]}; {sizes}."

    def _player(self, view: LabGame, seat: int) -> str:
        parts = ["out of the deal"] if view.folded[seat] else [_count(view.held[seat], "card")]
        if self.genome.setup.starting_chips:
            all_in = view.chips[seat] == 0 and not view.folded[seat]
            parts.append("all-in" if all_in else _count(view.chips[seat], "chip"))
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

    def _worth(self, view: LabGame) -> str:
        """What one's own hand is worth as it stands, where hands are compared and one can see it."""
        win = self.genome.win_conditions[0]
        if not win.of_holding or UNKNOWN in view.hands[self.seat]:
            return ""
        value = wins.worth(view.program.games[0], view.state, 0, self.seat)
        return f" ({win.words(value, self.genome)})"

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

    def happened(self, events: Sequence[LabEvent], remarks: Sequence[tuple[int, Remark]] = ()) -> list[str]:
        """What a move led to, and the ends of all deals that ended with it."""
        ends = [at for at, event in enumerate(events) if isinstance(event, DealEnded)]
        within = ends[0] if ends else len(events)
        lines = self._changes(events[: within + 1])
        lines += [self._remark(remark) for at, remark in remarks if at <= within and not isinstance(remark, DealJudged)]
        return [self.wrapped(line, INDENT) for line in lines] + self.deals_ended(events, remarks)

    def _remark(self, remark: Remark) -> str:
        match remark:
            case TurnPassed(place=seat):
                return f"{self.name(seat)}: cannot play, and {'pass' if seat == self.seat else 'passes'}"
            case PileCleared():
                return "all others have passed: the pile is cleared"
            case DealJudged():
                return ""

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
        asked = made.move.startswith("ask ")
        lines += [self._handed_over(moves, made.place)] if asked else []
        lines += self._taken([move for move in moves if not asked or move.source.name != "hand" or _is_laid(move)])
        for event in events:
            if isinstance(event, DeckMade):
                lines.append(f"the deck is made anew from {_count(event.cards, 'discard')}")
        if got := self._got(moves):
            lines.append(f"you get {' '.join(got)}")
        return lines

    def _taken(self, moves: Sequence[CardsMoved]) -> list[str]:
        """Cards that went to somebody from the table, the discards, the deck or another hand."""
        lines = []
        for seat in range(self.genome.player_count):
            captured = [move for move in moves if move.target == Pile("captured", seat) and move.source.name != "trick"]
            if any(move.source.name == "tableau" for move in captured):
                lines.append(f"{self.verb((seat,), 'capture')} {' '.join(_cards(captured))}")
            elif captured:
                lines.append(f"{self.verb((seat,), 'lay')} down {' '.join(_cards(captured))}")
            lines += [self._drawn(move, seat) for move in moves if move.target == Pile("hand", seat)]
        return [line for line in lines if line]

    def _drawn(self, move: CardsMoved, seat: int) -> str:
        """Cards that came into a hand; one's own are said by name, with the rest."""
        count = _count(len(move.cards), "card")
        match move.source:
            case Pile(name="discards") if seat != self.seat:
                return f"{self.verb((seat,), 'take')} {' '.join(move.cards)} from the discards"
            case Pile(name="hand", place=int(owner)):
                return f"{self.verb((seat,), 'take')} {count} from {self.name(owner)}"
            case Pile(name="deck") if seat != self.seat:
                return f"{self.verb((seat,), 'draw')} {count}"
        return ""

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

    def deals_ended(self, events: Sequence[LabEvent], remarks: Sequence[tuple[int, Remark]] = ()) -> list[str]:
        """Who won each deal that has ended and what was compared, and who starts the next."""
        values = {at: remark.values for at, remark in remarks if isinstance(remark, DealJudged)}
        ends = [at for at, event in enumerate(events) if isinstance(event, DealEnded)]
        lines = []
        for at, event in enumerate(events):
            compared = next((values[end] for end in ends if end >= at and end in values), ())
            match event:
                case HandShown(place=seat, cards=cards) if cards:
                    worth = f": {compared[seat]}" if compared else ""
                    lines.append(f"{self.verb((seat,), 'show')} {' '.join(self._in_order(cards))}{worth}")
                case DealEnded(deal=deal, winners=winners):
                    if at in values and not isinstance(events[at - 1], HandShown):
                        lines.append(self._compared(values[at]))
                    if self.genome.setup.deals > 1:
                        lines.append(f"{self.verb(winners, 'win' if len(winners) == 1 else 'share')} deal {deal}")
                case DealBegun(deal=deal, starter=starter) if deal > 1:
                    ante = f"; the ante is {self.genome.setup.ante}" if self.genome.setup.ante else ""
                    lines.append(f"deal {deal}: {self.verb((starter,), 'start')}{ante}")
        return [self.wrapped(line, INDENT) for line in lines]

    def _compared(self, values: Sequence[str | None]) -> str:
        """What decided a deal in which no hand was shown."""
        return ", ".join([f"{self.name(seat)}: {value}" for seat, value in enumerate(values) if value is not None])

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


def _some(number: int, what: str) -> str:
    return _count(number, what) if number > 0 else f"no {what}"


def _is_laid(move: CardsMoved) -> bool:
    return move.target.name == "captured"
