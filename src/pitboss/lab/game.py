"""A game of any genome as a frozen value, and its views.

An action is a move in words, such as "play 8h", "draw" or "raise".
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.cards import UNKNOWN, CardError
from pitboss.chance import Chance
from pitboss.game import NoSuchPlace, Over, PlayersTurn, Turn
from pitboss.lab import codes, events
from pitboss.lab.engine import steps as engine
from pitboss.lab.engine.program import Program, plain_program
from pitboss.lab.engine.sight import mark_seen
from pitboss.lab.engine.state import FLAGS, NUMBERS, PILES, PLAYERS_PILES, ROWS, GameState
from pitboss.lab.english import card_number, card_word
from pitboss.lab.genome import Deck, Genome
from pitboss.lab.observer import Observer
from pitboss.lab.phases.kinds import move_word

WithRemarks: TypeAlias = tuple["LabGame", tuple[events.LabEvent, ...], tuple[tuple[int, events.Remark], ...]]
ALL_SEEING = -2
"""The viewer of a game in which nothing is hidden."""
HIDDEN = 255
"""The number of a hidden card."""


def view_state(g: Any, s: GameState, place: int | None) -> GameState:
    """Return the state without the random state. Every card that this place does not see is hidden."""
    seen = [0] * (HIDDEN + 1)
    mark_seen(g, s, codes.NO_PLAYER if place is None else place, seen)
    shown = GameState()
    for name in NUMBERS:
        setattr(shown, name, getattr(s, name))
    for name in (*FLAGS, *ROWS):
        getattr(shown, name)[: g.n] = getattr(s, name)[: g.n]

    def look(name: str, first: int, end: int) -> None:
        row = getattr(s, name)
        getattr(shown, name)[first:end] = [card if seen[card] else HIDDEN for card in row[first:end]]

    look("deck", s.drawn, s.undrawn)
    look("discards", 0, s.discarded)
    look("tableau", 0, s.tabled)
    look("pile", 0, s.piled)
    look("trick", 0, s.tricked)
    look("community", 0, s.shared)
    for p, first in enumerate(range(0, g.n * codes.MOST_CARDS, codes.MOST_CARDS)):
        look("hands", first, first + s.held[p])
        look("captured", first, first + s.won[p])
    return shown


def view_event(event: events.LabEvent, place: int | None) -> events.LabEvent:
    """Return the event as one place sees it; None is a spectator. Only these two events can have hidden cards."""
    if isinstance(event, events.CardsMoved) and event.seen_by is not None and place not in event.seen_by:
        return replace(event, cards=(UNKNOWN,) * len(event.cards))
    if isinstance(event, events.MoveMade) and event.face_down and event.place != place:
        return replace(event, move=f"{event.move.split()[0]} {UNKNOWN}")
    return event


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
    ) -> tuple["LabGame", tuple[events.LabEvent, ...]]:
        """Deal. The cards are shuffled with the seed, or the deck begins with the cards of `deck`."""
        game, recorder = cls._started(genome, seed, deck)
        return game, tuple(recorder.events)

    @classmethod
    def start_with_remarks(cls, genome: Genome, seed: int = 0, *, deck: Sequence[str] | None = None) -> WithRemarks:
        """Deal as `start` does. Also return remarks for people, each with the number of events before it."""
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
        """Deal as `start` does, but faster and without events."""
        program, state = plain_program(genome), _undealt(genome, seed, deck)
        engine.start(program.games[0], program.rules, state)
        return cls(genome, program, state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabGame) and self._key() == other._key()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.genome, self.state, self.viewer)

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<LabGame of {self.genome.name}: {self._key()[1:]}>"

    def _key(self) -> tuple[object, ...]:
        """Return all values that define the game, without the unused ends of lists."""
        s = self.state
        numbers = [getattr(s, name) for name in NUMBERS]
        rows = [tuple(getattr(s, name)[: self._g.n]) for name in (*FLAGS, *ROWS)]
        return self.genome, self.viewer, s.chance, *numbers, *rows, *[tuple(row) for row in self._rows()]

    # --- the turn and its moves

    @property
    def turn(self) -> Turn:
        """The place that must act, or `Over`."""
        return Over() if self.over else PlayersTurn(self.state.to_act)

    @property
    def over(self) -> bool:
        return bool(self.state.over)

    @property
    def player(self) -> int | None:
        """The place that must act, or None if the game is over."""
        return None if self.over else self.state.to_act

    @property
    def numbers(self) -> tuple[int, ...]:
        """The legal moves as the engine's numbers. In a view they are empty unless its place must act."""
        if self.over or self.viewer not in (ALL_SEEING, self.state.to_act):
            return ()
        moves = [0] * codes.MOST_MOVES
        count = engine.legal(self._g, self.program.rules, self.state, moves)
        return tuple(moves[:count])

    @property
    def moves(self) -> tuple[str, ...]:
        kind = self._g.kind[self.state.phase]
        return tuple([move_word(self.deck, kind, move) for move in self.numbers])

    @property
    def offer(self) -> tuple[str, ...]:
        """The legal moves of the place that must act."""
        return self.moves

    def legal(self) -> tuple[str, ...]:
        return self.moves

    def act(self, action: str, place: int | None = None) -> tuple["LabGame", tuple[events.LabEvent, ...]]:
        """Return the game after this move, and its events. Raise `Refused` if the move is not legal."""
        game, recorder = self._acted(action, place)
        return game, tuple(recorder.events)

    def act_with_remarks(self, action: str) -> WithRemarks:
        """Move as `act` does. Also return remarks for people, each with the number of events before it."""
        game, recorder = self._acted(action, None)
        return game, tuple(recorder.events), tuple(recorder.remarks)

    def _acted(self, action: str, place: int | None) -> tuple["LabGame", Observer]:
        move, s = self._move(action, place), self.state
        recorder = Observer(self.genome, self._g, s, begun=True)
        recorder.move_made(s.to_act, move, action)
        engine.do(self._g, self.program.rules, recorder.state, move)
        recorder.settle()
        engine.go_on(self._g, self.program.rules, recorder.state)
        recorder.end()
        return LabGame(self.genome, self.program, recorder.state.copy()), recorder

    def after(self, action: str) -> "LabGame":
        """Move as `act` does, but faster and without events."""
        move, state = self._move(action, None), self.state.copy()
        engine.apply(self._g, self.program.rules, state, move)
        return LabGame(self.genome, self.program, state)

    def _move(self, action: str, place: int | None) -> int:
        """Return the engine's number of a legal move."""
        if self.viewer != ALL_SEEING:
            raise Refused("only_a_view", "expected the game, got one place's view of it")
        if self.over:
            raise Refused("game_over", f"expected no more moves, got {action!r}: the game is over")
        if place not in (None, self.state.to_act):
            raise Refused("out_of_turn", "it is the turn of {turn}, not of {place}", places=self._places(place))
        words = self.moves
        if action not in words:
            raise Refused("not_on_offer", f"expected {', '.join(words)}; got {action!r}")
        return self.numbers[words.index(action)]

    def _places(self, place: int | None) -> dict[str, int]:
        return {"place": -1 if place is None else place, "turn": self.state.to_act}

    def view(self, place: int | None) -> "LabGame":
        """Return the game as one place may see it. None is a spectator."""
        if place is not None and not 0 <= place < self._g.n:
            raise NoSuchPlace(f"place: expected 0 to {self._g.n - 1}, or None for a spectator, got {place}")
        return LabGame(self.genome, self.program, view_state(self._g, self.state, place), place)

    # --- the table

    @property
    def _g(self) -> Any:
        return self.program.games[0]

    @property
    def deck(self) -> Deck:
        return self.genome.setup.deck

    @property
    def phase(self) -> str:
        return type(self.genome.turn_structure.phases[self.state.phase]).__name__

    @property
    def deal(self) -> int:
        """The number of the deal, counted from 1."""
        return int(self.state.deal) if self.over else int(self.state.deal) + 1

    @property
    def starter(self) -> int:
        """The place that started this deal."""
        return int(self.state.starter)

    @property
    def chips(self) -> tuple[int, ...]:
        """Each place's chips, without bets."""
        return tuple(self.state.stacks[: self._g.n])

    @property
    def bets(self) -> tuple[int, ...]:
        """Each place's bet in this betting phase."""
        return tuple(self.state.bets[: self._g.n])

    @property
    def pot(self) -> int:
        """All chips in the middle."""
        return int(self.state.pot) + sum(self.bets)

    @property
    def folded(self) -> tuple[bool, ...]:
        return tuple([bool(folded) for folded in self.state.folded[: self._g.n]])

    @property
    def score(self) -> tuple[int, ...]:
        return tuple(self.state.score[: self._g.n])

    @property
    def tricks(self) -> tuple[int, ...]:
        """Tricks taken in this deal, by place."""
        return tuple(self.state.tricks[: self._g.n])

    @property
    def winners(self) -> tuple[int, ...]:
        """The places that won the last deal or, if the game is over, the game."""
        return tuple([p for p in range(self._g.n) if (self.state.winners >> p) & 1])

    @property
    def trump(self) -> str | None:
        return None if self.state.trump == codes.NO_TRUMP else self.deck.suits[self.state.trump]

    @property
    def due(self) -> str | None:
        """The rank that must be claimed next. None in games without claims."""
        claims = any(phase.claims for phase in self.genome.turn_structure.phases)
        return self.deck.ranks[self.state.due] if claims else None

    @property
    def claim(self) -> tuple[int, int] | None:
        """The place whose claim others may doubt now, and the number of claimed cards; None without such a claim."""
        return self.genome.turn_structure.phases[int(self.state.phase)].claim(self.state)

    # --- cards

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        return self._of_players(self.state.hands, self.state.held)

    @property
    def held(self) -> tuple[int, ...]:
        return tuple(self.state.held[: self._g.n])

    @property
    def captured(self) -> tuple[tuple[str, ...], ...]:
        """The captured cards of each place."""
        return self._of_players(self.state.captured, self.state.won)

    @property
    def discards(self) -> tuple[str, ...]:
        """The discards. The top card is last."""
        return self._words(self.state.discards[: self.state.discarded])

    @property
    def tableau(self) -> tuple[str, ...]:
        return self._words(self.state.tableau[: self.state.tabled])

    @property
    def trick(self) -> tuple[str, ...]:
        """The cards of the trick, including the cards of tied tricks before it."""
        return self._words(self.state.trick[: self.state.tricked])

    @property
    def community(self) -> tuple[str, ...]:
        return self._words(self.state.community[: self.state.shared])

    @property
    def pile(self) -> tuple[str, ...]:
        """The claimed cards, face down. The top card is last."""
        return self._words(self.state.pile[: self.state.piled])

    @property
    def deck_left(self) -> int:
        return int(self.state.undrawn - self.state.drawn)

    def _rows(self) -> list[Sequence[int]]:
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


def _again(genome: Genome, state: GameState, viewer: int | None) -> LabGame:
    """Return a game that was pickled."""
    return LabGame(genome, plain_program(genome), state, viewer)


def _undealt(genome: Genome, seed: int, deck: Sequence[str] | None) -> GameState:
    """Return a state before the first deal. Cards that are not in `deck` follow in the order of their numbers."""
    state = GameState()
    state.chance = Chance(seed).fork(0).state
    if deck is None:
        return state
    named = [card_number(genome.setup.deck, word) for word in deck]
    if len(set(named)) < len(named):
        raise CardError("deck: expected each card once, got the same card twice")
    everything = range(len(genome.setup.deck.ranks) * len(genome.setup.deck.suits))
    for at, card in enumerate((*named, *[card for card in everything if card not in named])):
        state.deck[at] = card
    state.arranged = 1
    return state
