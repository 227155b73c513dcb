"""A game of the lab in plain text: where it stands, what one may do, how it ended; only what one seat may see."""

from collections.abc import Iterable, Sequence

from pitboss.cards import UNKNOWN
from pitboss.cli.lab.happenings import Happenings, Remarks
from pitboss.cli.lab.prompts import step_line
from pitboss.cli.lab.seats import GLUE, INDENT, SeatWords, count, place
from pitboss.lab.base.english import SUIT_NAMES, capital, title
from pitboss.lab.events import LabEvent
from pitboss.lab.game import LabGame
from pitboss.lab.genome.parts import Genome
from pitboss.lab.rulebook.possible import points_matter, speaks_of, uses_deck
from pitboss.lab.wins import kinds as wins

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
