"""Discarding cards from the hand. A game can replace them from the deck."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pitboss.lab import codes, piles
from pitboss.lab.codes import DRAWN_HOLDINGS, MOST_CARDS, SPARE
from pitboss.lab.english import a_few, card_word, more_to_go, some
from pitboss.lab.genome import Deck, Genome, Phase, Traits, WinCondition, most_held
from pitboss.lab.wins import estimate

BOTH = (False, True)
STATE = {"swapped": "the number of replacement cards that must still be drawn"}


class DiscardPhase(Phase, frozen=True, tag=True):
    """Discard cards from the hand, one at a time."""

    thought: ClassVar[int] = DRAWN_HOLDINGS
    transforms: ClassVar[bool] = True
    bounds: ClassVar = {"count": (1, MOST_CARDS)}
    unable: ClassVar[str] = "cannot discard"
    columns: ClassVar = ("discard_count", "discard_optional", "discard_replace")
    usual_values: ClassVar = {"count": (1, 2, 3), "optional": BOTH, "replace": BOTH}

    count: int = 1
    optional: bool = False  #: the player can stop before each card
    replace: bool = False  #: the player then draws the same number of cards from the deck

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        return self.count, self.optional, self.replace

    @property
    def traits(self) -> Traits:
        return Traits(
            unfinished="an exchange" if self.replace else "",
            uses_deck=self.replace,
            taken=self.count if self.replace else 0,
            discards=True,
            throws=True,
            releases=not self.replace,
            shed=0 if self.optional or self.replace else self.count,
            thrown=0 if self.optional else self.count,
            put_away=0 if self.replace else self.count,
            looks=True,
            uneven=self.optional and not self.replace,
        )

    @property
    def label(self) -> str:
        return "Exchange" if self.replace else "Discard"

    def serves(self, aim: WinCondition) -> bool:
        return not aim.sheds

    def sensible(self, genome: Genome, phases: Sequence[Phase]) -> Phase:
        """Return a phase in which no player must give up a good card."""
        exchange = self.replace or any(phase.main for phase in phases) or genome.win_conditions[0].limit > 0
        many = min(self.count, genome.setup.cards_per_player)
        return DiscardPhase(count=many, replace=exchange, optional=exchange)

    def balanced(self, aim: WinCondition, drawn: int) -> tuple[Phase, int]:
        if self.replace:
            return self, drawn
        if not drawn:
            return DiscardPhase(count=self.count, replace=True, optional=True), 0
        many = min(drawn, self.count)
        return DiscardPhase(count=many), drawn - many

    def step(self, genome: Genome, at: int) -> str:
        count = self._most(genome)
        if self.optional:
            what = "a card" if count == 1 else f"up to {some(count, 'card')}"
            text = f"You may put {what} from your hand on the discards"
        else:
            what = "a card" if count == 1 else f"{some(count, 'card')}, or all if you have fewer,"
            text = f"Put {what} from your hand on the discards"
        if self.replace:
            return f"**Exchange.** {text}, face up. Then take the same number of cards from the deck."
        return f"**Discard.** {text}, face up."

    def brief(self, genome: Genome) -> str:
        return f"{self._few(genome)}{', or none' if self.optional else ''}"

    def prompt(self, genome: Genome, s: Any) -> str:
        more = more_to_go(s.left, self._most(genome), optional=self.optional, end="keep the rest")
        return f"{self._few(genome)}{more}"

    def _few(self, genome: Genome) -> str:
        return f"{'exchange' if self.replace else 'discard'} {a_few(self._most(genome), optional=self.optional)}"

    def _most(self, genome: Genome) -> int:
        """Return the number of cards to discard. It is at most the size that a hand can have."""
        return max(1, min(self.count, most_held(genome)))

    @classmethod
    def word(cls, deck: Deck, move: int) -> str:
        return "keep" if move == codes.PASS else f"discard {card_word(deck, move)}"


def deal(g: Any, s: Any) -> None:
    s.swapped = 0


def begin(g: Any, rules: Any, s: Any) -> None:
    """Make the player discard `count` cards, or the whole hand if it has fewer."""
    if not s.folded[s.player]:
        s.left = min(g.discard_count[s.phase], s.held[s.player])


def waiting(g: Any, s: Any) -> bool:
    """Prompt for a card while one must be discarded. Then draw the replacements."""
    if s.left > 0 and s.held[s.player] > 0:
        return True
    s.left = 0
    while s.swapped > 0 and piles.can_draw(s):
        piles.give(s, s.player, piles.draw(s))
        s.swapped -= 1
    s.swapped = 0
    piles.lay_sets(g, s, s.player)
    return False


def under_way(g: Any, s: Any) -> bool:
    """Return whether replacements must still be drawn."""
    return bool(s.swapped > 0)


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    count = piles.list_hand(s, s.to_act, moves)
    if g.discard_optional[s.phase]:
        moves[count] = codes.PASS
        count += 1
    return count


def act(g: Any, rules: Any, s: Any, move: int) -> None:
    if move == codes.PASS:
        s.left = 0
        return
    piles.take_card(s, s.player, move)
    piles.discard(s, move)
    s.left -= 1
    if g.discard_replace[s.phase]:
        s.swapped += 1


def coming(g: Any, s: Any) -> int:
    """Return the maximum number of cards that the player can discard and replace."""
    return int(g.discard_count[s.phase])


def rate(g: Any, rules: Any, s: Any, move: int, rows: int, work: Any) -> int:
    """Return the value of a discard together with its replacement cards."""
    work.states[SPARE] = s
    after = work.states[SPARE]
    act(g, rules, after, move)
    return estimate.rate(g, s, after, min(after.swapped, piles.left_to_draw(after)), 0, rows, work)
