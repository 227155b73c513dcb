"""A game of the lab as plain text for one seat: its state, the moves, the events and the result."""

from collections.abc import Iterable, Sequence
from textwrap import fill

from pitboss.cards import UNKNOWN
from pitboss.lab.display import step_line, trick_seats
from pitboss.lab.english import GLUE, SUIT_NAMES, capital, title
from pitboss.lab.events import LabEvent, Remark
from pitboss.lab.game import LabGame
from pitboss.lab.genome import Genome
from pitboss.lab.narrator import Narrator, Voice, count, merged, place
from pitboss.lab.rulebook import points_matter, speaks_of, uses_deck
from pitboss.lab.wins import kinds as wins

INDENT = 2
NO_WIDTH = 1_000_000
"""A width at which no line is broken."""
LETTERS = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s"})
BY_DEALS = "the most deals won"
MOST_LINES = 60
"""If one move leads to more lines than this, the middle is left out."""


# --- answers


def matching(answer: str, moves: Sequence[str]) -> tuple[str, ...]:
    """The moves that an answer can mean: by number, by words, by their end or beginning, or by a card they play.

    >>> moves = ("play 8h", "play Ts", "pass")
    >>> [matching(answer, moves) for answer in ("2", "PLAY 10s", "8♥", "pa", "8")]
    [('play Ts',), ('play Ts',), ('play 8h',), ('pass',), ()]
    >>> matching("p", moves), matching("Kh", ("play 1 K", "play 2 K"))
    (('play 8h', 'play Ts', 'pass'), ('play 1 K', 'play 2 K'))
    """
    if answer.isascii() and answer.isdigit():
        return (moves[int(answer) - 1],) if 0 < int(answer) <= len(moves) else ()
    wanted = " ".join(answer.translate(LETTERS).lower().replace("10", "t").split())
    for fits in (str.__eq__, _ends, str.startswith, _plays):
        found = tuple([move for move in moves if wanted and fits(move.lower(), wanted)])
        if found:
            return found
    return ()


def _ends(move: str, wanted: str) -> bool:
    """Whether a move ends with these words."""
    return move.endswith(f" {wanted}")


def _plays(move: str, wanted: str) -> bool:
    """Return whether a move of this many cards of a rank can play the card that the answer ends with."""
    verb, *details = move.split()
    card = wanted.removeprefix(verb).strip()
    return len(details) == 2 and len(card) == 2 and card[0] == details[1] and card[1] in SUIT_NAMES


class GameText(Voice):
    """Describes a game for one seat, in lines that fit the terminal."""

    def __init__(
        self, genome: Genome, seat: int | None, players: Sequence[str], width: int, names: Sequence[str] = ()
    ) -> None:
        super().__init__(genome, seat, names)
        self.width, self.players, self.scored = width, players, points_matter(genome)

    def wrapped(self, text: str, indent: int = 0) -> str:
        """Return a line wrapped if it is too wide; the rest is indented further."""
        broken = fill(
            text,
            max(20, self.width),
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + INDENT),
            break_on_hyphens=False,
        )
        return broken.replace(GLUE, " ")

    # --- the position

    def table(self, view: LabGame) -> list[str]:
        """Everything that this seat can see, and its prompt."""
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
        own = () if self.seat is None else view.hands[self.seat]
        if hand := self.in_order([card for card in own if card != UNKNOWN]):
            lines.append(self.wrapped(f"Your hand: {' '.join(hand)}{self._worth(view)}"))
        return (
            [*lines, self.wrapped(step_line(view))] if view.player is not None and view.player == self.seat else lines
        )

    def _piles(self, view: LabGame) -> list[str]:
        """Return the piles, with the number of cards in each."""
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
        if (rounds := self.genome.turn_structure.rounds) > 1:
            parts.append(f"round {min(view.state.round + 1, rounds)} of {rounds}")
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
        if won := view.state.won[seat]:  # `captured` has the cards of all players, which would be made for each of them
            parts.append(f"{count(won, 'card')} in front")
        if self.scored and any(view.score):
            parts.append(count(view.score[seat], "point"))
        name = self.name(seat) if self.called or seat == self.seat else f"seat{GLUE}{seat} ({self.players[seat]})"
        return f"{name}: {', '.join([part.replace(' ', GLUE) for part in parts])}"

    def _worth(self, view: LabGame) -> str:
        """Return the current strength of the player's own hand, if hands are compared and it is visible."""
        win = self.genome.win_conditions[0]
        if self.seat is None or not win.of_holding or UNKNOWN in view.hands[self.seat]:
            return ""
        value = wins.worth(view.program.games[0], view.state, 0, self.seat)
        return f" ({win.words(value, self.genome)})"

    def ordered(self, moves: Sequence[str]) -> tuple[str, ...]:
        """The moves with a card in the deck's order, then the other moves."""
        deck = self.genome.setup.deck
        cards = [move for move in moves if len(move.split()[-1]) == 2 and " " in move]
        cards.sort(key=lambda move: place(deck, move[-2:]))
        return (*cards, *[move for move in moves if move not in cards])

    def choices(self, moves: Sequence[str]) -> str:
        """The moves with their numbers."""
        entries = [f"{number} {move}".replace(" ", GLUE) for number, move in enumerate(moves, 1)]
        return self.wrapped("   ".join(entries), INDENT)

    # --- events

    def happened(self, events: Sequence[LabEvent], remarks: Sequence[tuple[int, Remark]] = ()) -> list[str]:
        """The consequences of the start or of a move; long stretches without decisions are shortened."""
        lines = Narrator(self, merged(events, remarks)).lines()
        if len(lines) > MOST_LINES:
            left_out = len(lines) - 2 * MOST_LINES // 3
            lines[MOST_LINES // 3 : -MOST_LINES // 3] = [f"… {left_out} lines without a decision …"]
        return [self.wrapped(line, INDENT) for line in lines]

    # --- the result

    def result(self, game: LabGame, deals: Sequence[Sequence[int]] = ()) -> list[str]:
        """The result of the game and what decided it; `deals` are the winners of each deal."""
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
        """What decides the whole game, if it has several deals."""
        setup, point = self.genome.setup, self.genome.win_conditions[0].point
        if setup.starting_chips:
            return "the most chips"
        if setup.deals == 1:
            return ""
        return f"the {'most' if point > 0 else 'fewest'} points" if point else BY_DEALS

    @staticmethod
    def _won(deals: Sequence[Sequence[int]], seat: int) -> str:
        """The number of deals that a seat has won, and how many of them it shared."""
        won = [winners for winners in deals if seat in winners]
        shared = sum(len(winners) > 1 for winners in won)
        return f"{len(won)} ({shared} of them shared)" if shared else f"{len(won)}"

    def _by_seat(self, figures: Iterable[int | str]) -> str:
        return ", ".join([f"{self.name(seat)} {figure}" for seat, figure in enumerate(figures)])


def describe(game: LabGame, viewer: int | None, names: Sequence[str]) -> str:
    """Return in words what a place, or a spectator if it is None, sees of the game."""
    seen = game.view(viewer)
    text = GameText(seen.genome, viewer, (), NO_WIDTH, names or [f"seat {seat}" for seat in range(len(seen.held))])
    text.played = {card: seat for card, seat in trick_seats(seen) if seat is not None}
    lines = text.table(seen)[1:]
    return "\n".join([*lines, *text.result(seen)[1:]] if seen.over else lines)
