"""A game of the lab in plain text: where it stands, what somebody did, what came of it; only what one seat may see."""

from collections.abc import Iterable, Sequence
from textwrap import fill

from pitboss.cards import UNKNOWN
from pitboss.lab.base.english import SUIT_NAMES, title
from pitboss.lab.game import LabGame
from pitboss.lab.genome.parts import Deck, Genome
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.least_deadwood import LeastDeadwood

GLUE = "\N{NO-BREAK SPACE}"
SHOWN = (BestHand, HighCard, LeastDeadwood)
"""Win conditions under which hands are compared, and so must be shown."""
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
        sentence = "you" if seat == self.seat else f"seat{GLUE}{seat} ({self.players[seat]})"
        return f"{sentence}: {', '.join([part.replace(' ', GLUE) for part in parts])}"

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

    # --- what happened

    def did(self, seat: int, move: str, before: LabGame) -> str:
        """What somebody did, without what is hidden in it."""
        if before.phase == "ClaimPhase" and move.startswith("claim ") and seat != self.seat:
            move = "put a card face down"
        return self.wrapped(f"{self.name(seat)}: {move}", INDENT)

    def changes(self, before: LabGame, after: LabGame, mover: int, move: str, claimed: Sequence[str] = ()) -> list[str]:
        """What a move led to within a deal, beyond what it says itself; a doubt shows the cards that were claimed."""
        lines = []
        if move == "doubt" and before.claim is not None:
            wrong = mover if all(card[0] == before.due for card in claimed) else before.claim[0]
            lines.append(f"it was {' '.join(claimed)}. {self.verb((wrong,), 'take')} the pile of {len(before.pile)}")
        if new := after.community[len(before.community) :]:
            lines.append(f"turned up: {' '.join(new)}")
        for seat, (was, now) in enumerate(zip(before.tricks, after.tricks, strict=True)):
            if now > was:
                taken = after.captured[seat][len(before.captured[seat]) :]
                count = "the trick" if now == was + 1 else f"{now - was} tricks"
                lines.append(f"{self.verb((seat,), 'take')} {count}{': ' if taken else ''}{' '.join(taken)}")
        if move.startswith("ask "):
            lines.append(self._handed_over(before, after, mover))
        if got := [card for card in self._hand(after) if card not in self._hand(before)]:
            lines.append(f"you get {' '.join(got)}")
        return [self.wrapped(line, INDENT) for line in lines]

    def _handed_over(self, before: LabGame, after: LabGame, mover: int) -> str:
        for seat, (had, has) in enumerate(zip(before.held, after.held, strict=True)):
            if seat != mover and has < had:
                return f"{self.verb((seat,), 'hand')} over {_count(had - has, 'card')}"
        return "nothing is handed over"

    # --- what came of it

    def deal_ended(self, game: LabGame, before: Sequence[int]) -> list[str]:
        """Who won a deal; `before` is how many everybody had won until then. Hands that were compared are shown."""
        live = [seat for seat, folded in enumerate(game.folded) if not folded]
        compared = len(live) > 1 and any(isinstance(win, SHOWN) for win in self.genome.win_conditions)
        shown = [(seat, self._in_order(game.hands[seat])) for seat in live] if compared else []
        lines = [f"{self.verb((seat,), 'show')} {' '.join(hand)}" for seat, hand in shown if hand]
        if self.genome.setup.deals > 1:
            won = game.state.deals_won
            winners = [seat for seat, count in enumerate(before) if won[seat] > count]
            lines.append(f"{self.verb(winners, 'win' if len(winners) == 1 else 'share')} deal {game.state.deal}")
        return [self.wrapped(line, INDENT) for line in lines]

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


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if abs(number) == 1 else 's'}"
