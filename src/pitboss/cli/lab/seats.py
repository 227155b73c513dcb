"""How one seat of a game is spoken to in a terminal: who is who, and lines no wider than it."""

from collections.abc import Iterable, Sequence
from textwrap import fill

from pitboss.lab.base.english import capital, listed
from pitboss.lab.genome.parts import Deck, Genome

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
