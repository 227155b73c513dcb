"""A game of the lab as plain text: its state, what a player can do, how it ended; only what one seat can see; and
what a person is asked for.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import fill

from pitboss.cards import UNKNOWN
from pitboss.lab.base.english import RANK_NAMES, SUIT_NAMES, a, capital, listed, plural, title
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
from pitboss.lab.game import LabGame
from pitboss.lab.genome.parts import Deck, Genome
from pitboss.lab.rulebook import points_matter, speaks_of, uses_deck
from pitboss.lab.wins import kinds as wins

GLUE = "\N{NO-BREAK SPACE}"
INDENT = 2


class SeatWords:
    """The words for one seat, in a terminal of this width, and what has to be remembered of all that was told."""

    def __init__(self, genome: Genome, seat: int, width: int) -> None:
        self.genome, self.seat, self.width = genome, seat, width
        self.bets = [0] * genome.player_count  #: what everybody has bet in this round of betting
        self.played = dict[str, int]()  #: who has played which card to a trick

    def name(self, seat: int) -> str:
        """Whose seat it is."""
        return "you" if seat == self.seat else f"seat {seat}"

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
            return " ".join(cards)
        names = [f"{card} ({self.name(self.played[card])})" if card in self.played else card for card in cards]
        return " ".join([name.replace(" ", GLUE) for name in names])

    def in_order(self, cards: Iterable[str]) -> list[str]:
        """Cards in the deck's order."""
        return sorted(cards, key=lambda card: place(self.genome.setup.deck, card))

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


SYMBOLS = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s"})


def step_line(view: LabGame) -> str:
    """The step of the turn that one is asked in, and how much more of it."""
    phases, at = view.genome.turn_structure.phases, view.state.phase
    text = phases[at].asked(view.genome, view.state)
    return f"Step {at + 1} of {len(phases)}: {text}." if len(phases) > 1 else f"{capital(text)}."


# --- answers


def matching(answer: str, moves: Sequence[str]) -> tuple[str, ...]:
    """The moves that an answer may mean: by number, by words, by their end or beginning, or by a card they play.

    >>> moves = ("play 8h", "play Ts", "pass")
    >>> [matching(answer, moves) for answer in ("2", "PLAY 10s", "8♥", "pa", "8")]
    [('play Ts',), ('play Ts',), ('play 8h',), ('pass',), ()]
    >>> matching("p", moves), matching("Kh", ("play 1 K", "play 2 K"))
    (('play 8h', 'play Ts', 'pass'), ('play 1 K', 'play 2 K'))
    """
    if answer.isascii() and answer.isdigit():
        return (moves[int(answer) - 1],) if 0 < int(answer) <= len(moves) else ()
    wanted = " ".join(answer.translate(SYMBOLS).lower().replace("10", "t").split())
    for fits in (str.__eq__, _ends, str.startswith, _plays):
        found = tuple([move for move in moves if wanted and fits(move.lower(), wanted)])
        if found:
            return found
    return ()


def _ends(move: str, wanted: str) -> bool:
    """Whether a move ends with these words."""
    return move.endswith(f" {wanted}")


def _plays(move: str, wanted: str) -> bool:
    """Whether a move of so many cards of a rank can play the card that the answer ends with."""
    verb, *details = move.split()
    card = wanted.removeprefix(verb).strip()
    return len(details) == 2 and len(card) == 2 and card[0] == details[1] and card[1] in SUIT_NAMES


BY_DEALS = "the most deals won"
MOST_LINES = 60
"""Of more lines than this that a single move leads to, the middle is left out."""


class GameFormatter(SeatWords):
    """Puts a game into words for one seat, in lines no wider than the terminal."""

    def __init__(self, genome: Genome, seat: int, players: Sequence[str], width: int) -> None:
        super().__init__(genome, seat, width)
        self.players, self.scored = players, points_matter(genome)

    # --- where it stands

    def table(self, view: LabGame) -> list[str]:
        """Everything this seat can see, and what it is asked for."""
        lines = ["", self.wrapped(self._headline(view))]
        lines += [self.wrapped(self._player(view, seat), INDENT) for seat in range(len(view.held))]
        nothing = "nothing" if speaks_of(self.genome, "table") else ""
        for what, cards in (
            ("Community cards", " ".join(view.community)),
            ("On the table", " ".join(view.tableau) or nothing),
            ("Trick", self.trick(view.trick)),
        ):
            if cards:
                lines.append(self.wrapped(f"{what}: {cards}"))
        if piles := self._piles(view):
            lines.append(self.wrapped(capital("; ".join(piles))))
        if hand := self.in_order([card for card in view.hands[self.seat] if card != UNKNOWN]):
            lines.append(self.wrapped(f"Your hand: {' '.join(hand)}{self._worth(view)}"))
        return [*lines, self.wrapped(step_line(view))]

    def _piles(self, view: LabGame) -> list[str]:
        """What lies in piles, and how many cards each has."""
        piles = [f"discards {len(view.discards)}, {view.discards[-1]} on top"] if view.discards else []
        if uses_deck(self.genome):
            piles.append(f"deck {view.deck_left or 'empty'}")
        elif view.deck_left:
            piles.append(f"{count(view.deck_left, 'card')} put aside unseen")
        if view.due is not None:
            piles.append(f"claimed cards {len(view.pile)}, face down; rank due {view.due}")
        return piles

    def _headline(self, view: LabGame) -> str:
        deals = self.genome.setup.deals
        parts = [f"Deal {view.deal} of {deals}"] if deals > 1 else []
        if self.genome.turn_structure.rounds > 1:
            parts.append(f"round {view.state.round + 1} of {self.genome.turn_structure.rounds}")
        if self.genome.setup.starting_chips:
            parts.append(f"pot {view.pot}")
        if view.trump is not None:
            parts.append(f"trumps are {SUIT_NAMES[view.trump]}")
        sentence = ", ".join(parts) or title(self.genome.name)
        return f"{capital(sentence)}."

    def _player(self, view: LabGame, seat: int) -> str:
        broke = view.folded[seat] and not view.chips[seat]
        parts = ["broke"] if broke else ["folded"] if view.folded[seat] else [count(view.held[seat], "card")]
        if self.genome.setup.starting_chips and not broke:
            all_in = view.chips[seat] == 0 and not view.folded[seat]
            parts.append("all-in" if all_in else count(view.chips[seat], "chip"))
        if view.bets[seat]:
            parts.append(f"bet {view.bets[seat]}")
        if view.tricks[seat]:
            parts.append(count(view.tricks[seat], "trick"))
        if view.captured[seat]:
            parts.append(f"{count(len(view.captured[seat]), 'card')} in front")
        if self.scored and any(view.score):
            parts.append(count(view.score[seat], "point"))
        name = "you" if seat == self.seat else f"seat{GLUE}{seat} ({self.players[seat]})"
        return f"{name}: {', '.join([part.replace(' ', GLUE) for part in parts])}"

    def _worth(self, view: LabGame) -> str:
        """What one's own hand is worth as it stands, where hands are compared and one can see it."""
        win = self.genome.win_conditions[0]
        if not win.of_holding or UNKNOWN in view.hands[self.seat]:
            return ""
        value = wins.worth(view.program.games[0], view.state, 0, self.seat)
        return f" ({win.words(value, self.genome)})"

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

    def happened(self, events: Sequence[LabEvent], remarks: Remarks = ()) -> list[str]:
        """What the start or a move led to, in its order; of what goes on long without a decision not all."""
        lines = Happenings(self, events, remarks).lines()
        if len(lines) > MOST_LINES:
            left_out = len(lines) - 2 * MOST_LINES // 3
            lines[MOST_LINES // 3 : -MOST_LINES // 3] = [f"… {left_out} lines in which nobody decides anything …"]
        return [self.wrapped(line, INDENT) for line in lines]

    # --- what came of it

    def result(self, game: LabGame, deals: Sequence[Sequence[int]] = ()) -> list[str]:
        """How the game ended, and what decided it; `deals` are the winners of each deal."""
        sentence = f"{self.verb(game.winners, 'win' if len(game.winners) == 1 else 'share')} the game"
        by, stopped = self._decides(), " at the turn limit" if game.state.stopped else ""
        lines = ["", f"{sentence}{stopped}{f': {by} decide' if by else ''}."]
        if self.genome.setup.starting_chips:
            lines.append("Chips: " + self._by_seat(game.chips))
        if self.scored and any(game.score):
            lines.append("Points: " + self._by_seat(game.score))
        if by == BY_DEALS:
            lines.append("Deals won: " + self._by_seat([self._won(deals, seat) for seat in range(len(game.chips))]))
        return [self.wrapped(line) for line in lines]

    def _decides(self) -> str:
        """What decides the whole game, where it is not its only deal."""
        setup, point = self.genome.setup, self.genome.win_conditions[0].point
        if setup.starting_chips:
            return "the most chips"
        if setup.deals == 1:
            return ""
        return f"the {'most' if point > 0 else 'fewest'} points" if point else BY_DEALS

    @staticmethod
    def _won(deals: Sequence[Sequence[int]], seat: int) -> str:
        """How many deals a seat has won, and how many of them with others: those count as well."""
        won = [winners for winners in deals if seat in winners]
        shared = sum(len(winners) > 1 for winners in won)
        return f"{len(won)} ({shared} of them shared)" if shared else f"{len(won)}"

    def _by_seat(self, figures: Iterable[int | str]) -> str:
        return ", ".join([f"{self.name(seat)} {figure}" for seat, figure in enumerate(figures)])
