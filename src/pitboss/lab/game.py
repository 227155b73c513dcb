"""One game of any genome as a frozen value, an action at a time: for people, hosts and tests.

An action is a move in words, such as "play 8h", "draw" or "raise".
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from pitboss.betting.refusals import Refused
from pitboss.cards import UNKNOWN, CardError
from pitboss.chance import Chance
from pitboss.game import NoSuchPlace, Over, PlayersTurn, Turn
from pitboss.lab import codes
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.program import Program, plain_program
from pitboss.lab.engine.state import FLAGS, NUMBERS, PILES, PLAYERS_PILES, ROWS, GameState
from pitboss.lab.english import card_number, card_word
from pitboss.lab.events import LabEvent, Remark
from pitboss.lab.genome import Deck, Genome
from pitboss.lab.observer import Observer
from pitboss.lab.phases.kinds import move_word
from pitboss.lab.view import HIDDEN, view_state

WithRemarks: TypeAlias = tuple["LabGame", tuple[LabEvent, ...], tuple[tuple[int, Remark], ...]]
ALL_SEEING = -2
"""The viewer of a game that nothing is hidden in."""


class LabGame:
    """A game at one moment.

    >>> from pitboss.lab.phases.betting import BettingPhase
    >>> from pitboss.lab.genome import Deck, Setup, TurnStructure
    >>> from pitboss.lab.wins.high_card import HighCard
    >>> kuhn = Genome(
    ...     setup=Setup(cards_per_player=1, starting_chips=2, ante=1, initial_deck=Deck(ranks="JQK", suits="s")),
    ...     turn_structure=TurnStructure(phases=(BettingPhase(min_bet=1, max_raises=0),), order="rounds", rounds=1),
    ...     win_conditions=(HighCard(),),
    ... )
    >>> game, events = LabGame.start(kuhn, deck=("Qs", "Ks", "Js"))
    >>> game.turn, game.legal()
    (PlayersTurn(place=0), ('check', 'bet'))
    >>> game, events = game.act("bet")
    >>> game.view(1).hands
    (('??',), ('Ks',))
    >>> game, events = game.act("call")
    >>> game.chips, game.winners
    ((0, 4), (1,))
    """

    __slots__ = ("genome", "program", "state", "viewer")

    def __init__(self, genome: Genome, program: Program, state: GameState, viewer: int | None = ALL_SEEING) -> None:
        self.genome, self.program, self.state, self.viewer = genome, program, state, viewer

    @classmethod
    def start(
        cls, genome: Genome, seed: int = 0, *, deck: Sequence[str] | None = None
    ) -> tuple["LabGame", tuple[LabEvent, ...]]:
        """Deal. The cards are shuffled from the seed, or lie as `deck` says, first card first; the rest follows."""
        game, recorder = cls._started(genome, seed, deck)
        return game, tuple(recorder.events)

    @classmethod
    def start_with_remarks(cls, genome: Genome, seed: int = 0, *, deck: Sequence[str] | None = None) -> WithRemarks:
        """As `start`, with what people want to be told besides, each remark after so many of the events."""
        game, recorder = cls._started(genome, seed, deck)
        return game, tuple(recorder.events), tuple(recorder.remarks)

    @classmethod
    def _started(cls, genome: Genome, seed: int, deck: Sequence[str] | None) -> tuple["LabGame", Observer]:
        program, state = plain_program(genome), _undealt(genome, seed, deck)
        recorder = Observer(genome, program.games[0], state, begun=False)
        engine.start(program.games[0], program.rules, recorder.state)
        recorder.end()
        return cls(genome, program, recorder.state.copy()), recorder

    @classmethod
    def dealt(cls, genome: Genome, seed: int = 0, *, deck: Sequence[str] | None = None) -> "LabGame":
        """As `start`, sooner, since it does not say what happened."""
        program, state = plain_program(genome), _undealt(genome, seed, deck)
        engine.start(program.games[0], program.rules, state)
        return cls(genome, program, state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabGame) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<LabGame of {self.genome.name}: {self._key()[1:]}>"

    def _key(self) -> tuple[object, ...]:
        """All that the game is, without what lies about in rows beyond their ends."""
        s = self.state
        numbers = [getattr(s, name) for name in NUMBERS]
        rows = [tuple(getattr(s, name)[: self._g.n]) for name in (*FLAGS, *ROWS)]
        return self.genome, self.viewer, s.chance, *numbers, *rows, *[tuple(row) for row in self._rows()]

    # --- whose turn it is, and what he may do

    @property
    def turn(self) -> Turn:
        """Who has to act, or that the game is over."""
        return Over() if self.over else PlayersTurn(self.state.asked)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.state.over)

    @property
    def player(self) -> int | None:
        """The place that is asked, or None once the game is over."""
        return None if self.over else self.state.asked

    @property
    def numbers(self) -> tuple[int, ...]:
        """The legal moves as the engine's numbers; a view shows them to whoever is asked."""
        if self.over or self.viewer not in (ALL_SEEING, self.state.asked):
            return ()
        moves = [0] * codes.MOST_MOVES
        count = engine.legal(self._g, self.program.rules, self.state, moves)
        return tuple(moves[:count])

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves in words."""
        kind = self._g.kind[self.state.phase]
        return tuple([move_word(self.deck, kind, move) for move in self.numbers])

    @property
    def offer(self) -> tuple[str, ...]:
        """What whoever's turn it is may do."""
        return self.moves

    def legal(self) -> tuple[str, ...]:
        """Every action on offer."""
        return self.moves

    def act(self, action: str, place: int | None = None) -> tuple["LabGame", tuple[LabEvent, ...]]:
        """The game after this move, and what happened; raises `Refused` where it is not on offer."""
        game, recorder = self._acted(action, place)
        return game, tuple(recorder.events)

    def act_with_remarks(self, action: str) -> WithRemarks:
        """As `act`, with what people want to be told besides, each remark after so many of the events."""
        game, recorder = self._acted(action, None)
        return game, tuple(recorder.events), tuple(recorder.remarks)

    def _acted(self, action: str, place: int | None) -> tuple["LabGame", Observer]:
        move, s = self._move(action, place), self.state
        recorder = Observer(self.genome, self._g, s, begun=True)
        recorder.move_made(s.asked, move, action)
        engine.do(self._g, self.program.rules, recorder.state, move)
        recorder.settle()
        engine.go_on(self._g, self.program.rules, recorder.state)
        recorder.end()
        return LabGame(self.genome, self.program, recorder.state.copy()), recorder

    def after(self, action: str) -> "LabGame":
        """As `act`, sooner, since it does not say what happened."""
        move, state = self._move(action, None), self.state.copy()
        engine.apply(self._g, self.program.rules, state, move)
        return LabGame(self.genome, self.program, state)

    def _move(self, action: str, place: int | None) -> int:
        """The engine's number of a move that is on offer."""
        if self.viewer != ALL_SEEING:
            raise Refused("only_a_view", "this is what one place sees of a game, not the game")
        if self.over:
            raise Refused("game_over", f"{action!r} is not on offer: the game is over")
        if place not in (None, self.state.asked):
            raise Refused("out_of_turn", "{place} is not asked, {turn} is", places=self._places(place))
        words = self.moves
        if action not in words:
            raise Refused("not_on_offer", f"{action!r} is not on offer: {', '.join(words)}")
        return self.numbers[words.index(action)]

    def _places(self, place: int | None) -> dict[str, int]:
        return {"place": -1 if place is None else place, "turn": self.state.asked}

    def view(self, place: int | None) -> "LabGame":
        """What one place may see; None is a spectator."""
        if place is not None and not 0 <= place < self._g.n:
            raise NoSuchPlace(f"there is no place {place}: places are 0 to {self._g.n - 1}, None is a spectator")
        return LabGame(self.genome, self.program, view_state(self._g, self.state, place), place)

    # --- what stands

    @property
    def _g(self) -> Any:
        return self.program.games[0]

    @property
    def deck(self) -> Deck:
        """The genome's deck: its ranks and suits."""
        return self.genome.setup.deck

    @property
    def phase(self) -> str:
        """The present phase's type."""
        return type(self.genome.turn_structure.phases[self.state.phase]).__name__

    @property
    def deal(self) -> int:
        """The number of the deal, from 1."""
        return int(self.state.deal) if self.over else int(self.state.deal) + 1

    @property
    def starter(self) -> int:
        """Who started this deal."""
        return int(self.state.starter)

    @property
    def chips(self) -> tuple[int, ...]:
        """Chips behind, by place."""
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
        """Who is out of the deal, by place."""
        return tuple([bool(folded) for folded in self.state.folded[: self._g.n]])

    @property
    def score(self) -> tuple[int, ...]:
        """Points, by place."""
        return tuple(self.state.score[: self._g.n])

    @property
    def tricks(self) -> tuple[int, ...]:
        """Tricks taken in this deal, by place."""
        return tuple(self.state.tricks[: self._g.n])

    @property
    def winners(self) -> tuple[int, ...]:
        """The places that won the last deal or, once it is over, the game."""
        return tuple([p for p in range(self._g.n) if (self.state.winners >> p) & 1])

    @property
    def trump(self) -> str | None:
        """The suit that is trumps."""
        return None if self.state.trump == codes.NO_TRUMP else self.deck.suits[self.state.trump]

    @property
    def due(self) -> str | None:
        """The rank that is to be claimed, where cards are claimed."""
        claims = any(phase.claims for phase in self.genome.turn_structure.phases)
        return self.deck.ranks[self.state.due] if claims else None

    @property
    def claim(self) -> tuple[int, int] | None:
        """Who has claimed cards to be of that rank, and how many, while others may doubt it."""
        return self.genome.turn_structure.phases[int(self.state.phase)].claim(self.state)

    # --- where the cards are

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """Everybody's cards, by place."""
        return self._of_players(self.state.hands, self.state.held)

    @property
    def held(self) -> tuple[int, ...]:
        """How many cards everybody holds."""
        return tuple(self.state.held[: self._g.n])

    @property
    def captured(self) -> tuple[tuple[str, ...], ...]:
        """What lies before everybody, by place."""
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
    def pile(self) -> tuple[str, ...]:
        """The cards that were claimed and lie face down, the top card last."""
        return self._words(self.state.pile[: self.state.piled])

    @property
    def deck_left(self) -> int:
        """How many cards the deck has."""
        return int(self.state.undrawn - self.state.drawn)

    def _rows(self) -> list[Sequence[int]]:
        """The cards of every pile."""
        s, counts = self.state, ("undrawn", "discarded", "tabled", "piled", "tricked", "shared")
        rows = [getattr(s, name)[: getattr(s, count)] for name, count in zip(PILES, counts, strict=True)]
        rows[0] = rows[0][s.drawn :]
        for name, count in zip(PLAYERS_PILES, (s.held, s.won), strict=True):
            for p, first in enumerate(range(0, self._g.n * codes.MOST_CARDS, codes.MOST_CARDS)):
                rows.append(getattr(s, name)[first : first + count[p]])
        return rows

    def _words(self, cards: Sequence[int]) -> tuple[str, ...]:
        return tuple([UNKNOWN if card == HIDDEN else card_word(self.deck, card) for card in cards])

    def _of_players(self, cards: Sequence[int], counts: Sequence[int]) -> tuple[tuple[str, ...], ...]:
        starts = range(0, self._g.n * codes.MOST_CARDS, codes.MOST_CARDS)
        return tuple([self._words(cards[first : first + counts[p]]) for p, first in enumerate(starts)])


def _undealt(genome: Genome, seed: int, deck: Sequence[str] | None) -> GameState:
    """A state before the first deal; cards that `deck` does not name follow in the deck's own order."""
    state = GameState()
    state.chance = Chance(seed).fork(0).state
    if deck is None:
        return state
    named = [card_number(genome.setup.deck, word) for word in deck]
    if len(set(named)) < len(named):
        raise CardError("a card stands twice in the deck")
    everything = range(len(genome.setup.deck.ranks) * len(genome.setup.deck.suits))
    for at, card in enumerate((*named, *[card for card in everything if card not in named])):
        state.deck[at] = card
    state.arranged = 1
    return state
