"""One game of any genome, an action at a time, for people, search and tests."""

from collections.abc import Sequence
from typing import Any

from pitboss.cards import CardError
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.lab.base import codes
from pitboss.lab.base.words import card_number, card_word
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.program import Program, plain_program
from pitboss.lab.engine.state import GameState
from pitboss.lab.genome.parts import Genome
from pitboss.lab.phases.kinds import move_word


class IllegalMove(PitbossError, ValueError):
    """A move that is not on offer; nothing has changed."""


class Game:
    """A game under way. The cards are shuffled from the seed, or lie as `deck` says, first card first.

    >>> from pitboss.lab.phases.betting import BettingPhase
    >>> from pitboss.lab.genome.parts import Deck, Setup, TurnStructure
    >>> from pitboss.lab.wins.high_card import HighCard
    >>> kuhn = Genome(
    ...     setup=Setup(cards_per_player=1, starting_chips=2, ante=1, initial_deck=Deck(ranks="JQK", suits="s")),
    ...     turn_structure=TurnStructure(phases=(BettingPhase(min_bet=1, max_raises=0),), order="rounds", rounds=1),
    ...     win_conditions=(HighCard(),),
    ... )
    >>> game = Game(kuhn, deck=("Qs", "Ks", "Js"))
    >>> game.player, game.moves
    (0, ('check', 'bet'))
    >>> game.do("bet")
    >>> game.do("call")
    >>> game.chips, game.winners
    ((0, 4), (1,))
    """

    def __init__(self, genome: Genome, seed: int = 0, *, deck: Sequence[str] | None = None) -> None:
        self.genome, self.deck = genome, genome.setup.deck
        self.program: Program = plain_program(genome)
        self.state = GameState()
        self.state.chance = Chance(seed).fork(0).state
        if deck is not None:
            self._arrange(deck)
        engine.start(self._g, self.program.rules, self.state)

    def _arrange(self, deck: Sequence[str]) -> None:
        """Put the cards in this order; those not named follow in the deck's own order."""
        named = [card_number(self.deck, word) for word in deck]
        if len(set(named)) < len(named):
            raise CardError("a card stands twice in the deck")
        rest = [card for card in range(self._g.cards) if card not in named]
        for at, card in enumerate((*named, *rest)):
            self.state.deck[at] = card
        self.state.arranged = 1

    @property
    def _g(self) -> Any:
        return self.program.games[0]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.state.over)

    @property
    def player(self) -> int | None:
        """The seat that is asked, or None once the game is over."""
        return None if self.over else self.state.asked

    @property
    def numbers(self) -> tuple[int, ...]:
        """The legal moves as the engine's numbers."""
        if self.over:
            return ()
        moves = [0] * codes.MOST_MOVES
        count = engine.legal(self._g, self.program.rules, self.state, moves)
        return tuple(moves[:count])

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves in words, such as "play 8h", "draw", "raise"."""
        kind = self._g.kind[self.state.phase]
        return tuple([move_word(self.deck, kind, move) for move in self.numbers])

    def do(self, move: str | int) -> None:
        """Do a legal move, in words or as a number."""
        words, numbers = self.moves, self.numbers
        if move not in (*words, *numbers):
            raise IllegalMove(f"{move!r} is not on offer: {', '.join(words) or 'the game is over'}")
        number = numbers[words.index(move)] if isinstance(move, str) else move
        engine.apply(self._g, self.program.rules, self.state, number)

    @property
    def phase(self) -> str:
        """The present phase's type."""
        return type(self.genome.turn_structure.phases[self.state.phase]).__name__

    @property
    def chips(self) -> tuple[int, ...]:
        """Chips behind, by seat."""
        return tuple(self.state.stacks[: self._g.n])

    @property
    def bets(self) -> tuple[int, ...]:
        """What everybody has bet in this betting phase."""
        return tuple(self.state.bets[: self._g.n])

    @property
    def pot(self) -> int:
        """All chips in the middle."""
        return int(self.state.pot) + sum(self.bets)

    @property
    def folded(self) -> tuple[bool, ...]:
        """Who is out of the deal, by seat."""
        return tuple([bool(folded) for folded in self.state.folded[: self._g.n]])

    @property
    def score(self) -> tuple[int, ...]:
        """Points, by seat."""
        return tuple(self.state.score[: self._g.n])

    @property
    def tricks(self) -> tuple[int, ...]:
        """Tricks taken in this deal, by seat."""
        return tuple(self.state.tricks[: self._g.n])

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won the last deal or, once it is over, the game."""
        return tuple([p for p in range(self._g.n) if (self.state.winners >> p) & 1])

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """Everybody's cards, by seat."""
        return self._of_players(self.state.hands, self.state.held)

    @property
    def captured(self) -> tuple[tuple[str, ...], ...]:
        """What lies before everybody, by seat."""
        return self._of_players(self.state.captured, self.state.won)

    @property
    def discards(self) -> tuple[str, ...]:
        """The discards, the top card last."""
        return self._words(self.state.discards[: self.state.discarded])

    @property
    def tableau(self) -> tuple[str, ...]:
        """The cards on the tableau."""
        return self._words(self.state.tableau[: self.state.tabled])

    @property
    def trick(self) -> tuple[str, ...]:
        """The cards of the trick, also those left from tied ones."""
        return self._words(self.state.trick[: self.state.tricked])

    @property
    def community(self) -> tuple[str, ...]:
        """The community cards."""
        return self._words(self.state.community[: self.state.shared])

    @property
    def deck_left(self) -> int:
        """How many cards the deck has."""
        return int(self.state.undrawn - self.state.drawn)

    def _words(self, cards: Sequence[int]) -> tuple[str, ...]:
        return tuple([card_word(self.deck, card) for card in cards])

    def _of_players(self, cards: Sequence[int], counts: Sequence[int]) -> tuple[tuple[str, ...], ...]:
        starts = range(0, self._g.n * codes.MOST_CARDS, codes.MOST_CARDS)
        return tuple([self._words(cards[first : first + counts[p]]) for p, first in enumerate(starts)])
