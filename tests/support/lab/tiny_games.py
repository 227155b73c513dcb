"""Games so small that everything about them can be counted, and the counting.

All orders of the whole deck are played through the interface that people use, and what a seat sees is its view:
none of the solver's code is used.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import permutations

from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.files import load
from pitboss.lab.game import LabGame
from pitboss.lab.genome import CardEffect, CardPoints, Deck, Genome, LaySets, Phase, Setup, TurnStructure
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.variation.mutations import random_genome
from pitboss.lab.variation.repair import repair
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.least_deadwood import LeastDeadwood
from pitboss.lab.wins.low_score import LowScore
from pitboss.lab.wins.most_tricks import MostTricks

SEATS = range(2)


def chips(ranks: str, suits: str, cards: int, *, behind: int = 1, tableau: int = 0) -> Setup:
    """Return a deck, an ante of one chip, and this many chips more."""
    deck = Deck(ranks=ranks, suits=suits)
    return Setup(
        cards_per_player=cards, initial_deck=deck, ante=1, starting_chips=1 + behind, initial_tableau_count=tableau
    )


def in_rounds(*phases: Phase, rounds: int = 1) -> TurnStructure:
    """The phases in which all players take part."""
    return TurnStructure(phases=phases, order="rounds", rounds=rounds)


BET = BettingPhase(min_bet=1, max_raises=0)

TINY = {
    "kuhn": load("kuhn"),
    "pairs": Genome(
        setup=chips("JK", "hs", 1, behind=3),
        turn_structure=in_rounds(BettingPhase(min_bet=1, max_raises=1), CommunityPhase(), BET),
        win_conditions=(BestHand(),),
    ),
    "pairs of three suits": Genome(
        setup=chips("JK", "chs", 1, behind=2),
        turn_structure=in_rounds(CommunityPhase(), BET),
        win_conditions=(BestHand(),),
    ),
    "pairs of five": Genome(
        setup=chips("JQKA2", "s", 1, behind=2),
        turn_structure=in_rounds(CommunityPhase(count=2), BET),
        win_conditions=(HighCard(),),
    ),
    "exchange": Genome(
        setup=chips("JQKA", "s", 1),
        turn_structure=in_rounds(DiscardPhase(optional=True, replace=True), BET),
        win_conditions=(HighCard(),),
    ),
    "one of three": Genome(
        setup=chips("23", "hs", 1),
        turn_structure=in_rounds(DrawPhase(count=2), DiscardPhase(optional=True), BET),
        win_conditions=(HighCard(),),
    ),
    "seven and more": Genome(
        setup=chips("3456", "s", 1),
        turn_structure=in_rounds(DrawPhase(optional=True), BET),
        win_conditions=(BestHand(ranking="points", bust=9),),
    ),
    "tricks": Genome(
        setup=Setup(cards_per_player=2, initial_deck=Deck(ranks="23", suits="hs")),
        turn_structure=in_rounds(TrickPhase(), rounds=2),
        win_conditions=(MostTricks(),),
    ),
    "tricks with bets": Genome(
        setup=chips("234", "h", 1, behind=2),
        turn_structure=in_rounds(BET, TrickPhase(), BET),
        win_conditions=(LowScore(),),
        scoring=(CardPoints(cards="3*", points=2),),
    ),
    "tricks with a trump": Genome(
        setup=Setup(cards_per_player=2, initial_deck=Deck(ranks="23", suits="hs"), trump_suit="random"),
        turn_structure=in_rounds(TrickPhase(follow=False), rounds=2),
        win_conditions=(MostTricks(),),
    ),
    "tricks with a trump in the deck": Genome(
        setup=Setup(cards_per_player=2, initial_deck=Deck(ranks="23456", suits="s"), trump_suit="random"),
        turn_structure=in_rounds(TrickPhase(to="hand"), TrickPhase()),
        win_conditions=(HighScore(),),
        scoring=(CardPoints(cards="6*"), CardPoints(cards="5*")),
    ),
    "turned up": Genome(
        setup=chips("2345", "s", 2, behind=2),
        turn_structure=in_rounds(BET, TrickPhase(blind=True), rounds=2),
        win_conditions=(MostTricks(),),
    ),
    "turned up and discarded": Genome(
        setup=chips("23", "hs", 2),
        turn_structure=in_rounds(DiscardPhase(), TrickPhase(blind=True, ties="stay"), BET),
        win_conditions=(MostTricks(),),
    ),
    "cheat": Genome(
        setup=Setup(cards_per_player=1, initial_deck=Deck(ranks="23", suits="hs")),
        turn_structure=TurnStructure(phases=(DrawPhase(), ClaimPhase(most=2))),
        win_conditions=(EmptyHand(),),
        max_turns=6,
    ),
    "stuck": Genome(
        setup=Setup(cards_per_player=1, initial_deck=Deck(ranks="23458", suits="s"), initial_discard_count=1),
        turn_structure=TurnStructure(
            phases=(DrawPhase(only_if_stuck=True), PlayPhase(match=("higher",), wild="2", optional=True))
        ),
        win_conditions=(EmptyHand(),),
        effects=(CardEffect(rank="4", effect="again"), CardEffect(rank="3", effect="skip")),
        max_turns=3,
    ),
    "higher or pass": Genome(
        setup=Setup(cards_per_player=2, initial_deck=Deck(ranks="2345", suits="s")),
        turn_structure=TurnStructure(phases=(PlayPhase(match=("higher",), optional=True, clear_after_passes=True),)),
        win_conditions=(EmptyHand(),),
        max_turns=6,
    ),
    "two of a rank": Genome(
        setup=Setup(cards_per_player=2, initial_deck=Deck(ranks="23", suits="hs")),
        turn_structure=TurnStructure(phases=(PlayPhase(match=("suit",), most=2, optional=True),)),
        win_conditions=(EmptyHand(),),
        max_turns=5,
    ),
    "sums": Genome(
        setup=chips("A23", "s", 1, behind=2, tableau=1),
        turn_structure=in_rounds(BET, PlayPhase(target="tableau", capture="sum", match=("any",))),
        win_conditions=(HighScore(),),
        scoring=(CardPoints(cards="**"),),
    ),
    "ask": Genome(
        setup=Setup(cards_per_player=1, initial_deck=Deck(ranks="23", suits="hs")),
        turn_structure=TurnStructure(phases=(DrawPhase(source="ask", optional=True), DrawPhase(optional=True))),
        win_conditions=(HighScore(),),
        effects=(LaySets(size=2, points=1),),
        max_turns=5,
    ),
    "pick up": Genome(
        setup=Setup(cards_per_player=1, initial_deck=Deck(ranks="2345", suits="s"), initial_discard_count=1),
        turn_structure=in_rounds(DrawPhase(source="either", optional=True), DiscardPhase()),
        win_conditions=(LeastDeadwood(),),
        max_turns=6,
    ),
}
SHOWN = (
    *("player", "moves", "phase", "deal", "starter", "discards", "tableau", "trick", "community", "deck_left", "due"),
    *("claim", "trump", "chips", "bets", "pot", "folded", "score", "tricks"),
)
"""Return what a seat sees of a game besides its own cards, by the names of its properties."""
IN_ORDER = (TINY["turned up and discarded"], TINY["two of a rank"])
"""Games in which the order of a seat's own cards matters, so that a seat keeps them in this order."""


class Line:
    """A game under way, and everything each seat has seen of it."""

    def __init__(self, game: LabGame, seen: tuple[tuple[object, ...], ...] = ((), ()), event: object = None) -> None:
        self.game, self.to_act, self.moves = game, game.player, game.moves
        self.seen = tuple([(*seen[seat], shown(game, seat, event)) for seat in SEATS])
        self._below: dict[str, Line] = {}

    def after(self, word: str) -> "Line":
        """The game after a move, in words."""
        if word not in self._below:
            game = self.game.after(word)
            self._below[word] = Line(game, self.seen, (self.to_act, self.game.phase, word, self._doubted(word)))
        return self._below[word]

    def _doubted(self, word: str) -> tuple[str, ...]:
        """The cards that a doubt shows."""
        claim = self.game.claim
        return self.game.pile[-claim[1] :] if word == "doubt" and claim else ()

    @property
    def payoff(self) -> int:
        """Seat 0's payoff, in chips or wins."""
        if self.game.genome.setup.starting_chips:
            return self.game.chips[0] - self.game.genome.setup.starting_chips
        return (self.game.winners == (0,)) - (self.game.winners == (1,))


def shown(game: LabGame, seat: int, event: object) -> object:
    """The view after an event, with cards sorted if their order does not matter; a claim hides another's card."""
    match event:
        case (mover, "ClaimPhase", str(word), _) if mover != seat and word.startswith("claim"):
            event = mover, "claims"
    seen = game.view(seat)
    fields = {name: getattr(seen, name) for name in SHOWN}
    fields["hand"], fields["held"] = seen.hands[seat], seen.held
    for name in ("community",) if game.genome in IN_ORDER else ("community", "hand", "moves"):
        fields[name] = tuple(sorted(fields[name]))
    fields["captured"] = tuple([tuple(sorted(cards)) for cards in seen.captured])
    return event, *fields.values()


def dealt(genome: Genome) -> list[Line]:
    """The game after every order of the deck."""
    deck = genome.setup.deck
    cards = [rank + suit for rank in deck.ranks for suit in deck.suits]
    return [Line(LabGame.dealt(genome, deck=order)) for order in permutations(cards)]


def random_game(number: int) -> Genome:
    """A random game with four or five cards, with any phases, effects and aims; each number gives another game."""
    chance = Chance(number)
    drawn = random_genome(chance)
    deck = chance.choice(
        [Deck(ranks=ranks, suits=suits) for ranks, suits in (("23", "hs"), ("JQKA", "s"), ("A2345", "s"))]
    )
    setup = replace(drawn.setup, initial_deck=deck, cards_per_player=1 + chance.below(2), deals=1, trump_suit=None)
    turns = replace(drawn.turn_structure, phases=drawn.turn_structure.phases[:3], rounds=1 + chance.below(2))
    small = replace(setup, initial_discard_count=chance.below(2), initial_tableau_count=0)
    mended = repair(replace(drawn, player_count=2, setup=small, turn_structure=turns))
    return replace(mended, player_count=2, setup=replace(mended.setup, deals=1), max_turns=4 + chance.below(5))


def uniform(lines: list[Line]) -> Fraction:
    """Seat 0's average payoff if every legal move is equally likely."""
    return sum([_uniform(line) for line in lines], Fraction(0)) / len(lines)


def _uniform(line: Line) -> Fraction:
    if line.to_act is None:
        return Fraction(line.payoff)
    moves = line.moves
    return sum([_uniform(line.after(move)) for move in moves], Fraction(0)) / len(moves)


def best_answer(lines: list[Line], seat: int) -> Fraction:
    """A seat's best average payoff if the other seat chooses evenly."""
    sign = 1 if seat == 0 else -1
    return _best([(Fraction(sign, len(lines)), line) for line in lines], seat)


def _best(lines: Iterable[tuple[Fraction, Line]], seat: int) -> Fraction:
    """The sum over finished lines; where the seat decides, the best move for all lines that look the same to it."""
    total, alike = Fraction(0), defaultdict[object, list[tuple[Fraction, Line]]](list)
    for weight, line in _until(lines, seat):
        if line.to_act is None:
            total += weight * line.payoff
        else:
            alike[line.seen[seat]].append((weight, line))
    for same in alike.values():
        moves = same[0][1].moves
        assert all(set(line.moves) == set(moves) for _, line in same)
        total += max([_best([(weight, line.after(move)) for weight, line in same], seat) for move in moves])
    return total


def _until(lines: Iterable[tuple[Fraction, Line]], seat: int) -> Iterator[tuple[Fraction, Line]]:
    """Let the other seat play evenly until this one has to decide or the game is over."""
    for weight, line in lines:
        if line.to_act in (None, seat):
            yield weight, line
        else:
            moves = line.moves
            yield from _until([(weight / len(moves), line.after(move)) for move in moves], seat)


def information_sets(lines: Iterable[Line]) -> set[object]:
    """Everything that a seat with a choice can have seen."""
    found = set[object]()
    for line in lines:
        if line.to_act is not None:
            moves = line.moves
            if len(moves) > 1:
                found.add((line.to_act, line.seen[line.to_act]))
            found |= information_sets([line.after(move) for move in moves])
    return found
