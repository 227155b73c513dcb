"""A program: a genome as numbers, which the engine reads while it plays. It is made once per genome.

Each kind of phase and of win condition has its own columns, with one number per phase or win condition. A column always
has the same meaning.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from pitboss.betting.rules import Rules, fixed_step
from pitboss.cards import RANKS as RANK_LETTERS
from pitboss.fast.compiled import record
from pitboss.lab import codes
from pitboss.lab.codes import MOST_CARDS, MOST_PHASES, MOST_WINS, RANKS
from pitboss.lab.genome import Genome, LaySets, Part, Setup, TrickPoints, only_blind, settled_from
from pitboss.lab.phases import kinds as phases
from pitboss.lab.wins import kinds as wins

NUMBERS = {
    "n": "number of players",
    "cards": "number of cards in the deck",
    "ranks": "number of ranks in the deck; the number of a card is its rank times `suits`, plus its suit",
    "suits": "number of suits in the deck",
    "per_player": "number of cards dealt to each player",
    "discards": "number of cards laid on the discards before the first turn",
    "tableau": "number of cards laid on the tableau before the first turn",
    "trump": "the trump suit, NO_TRUMP or RANDOM_TRUMP",
    "blind": "whether players do not know their own cards, because cards are only turned up blindly",
    "only_bets": "whether all phases are betting, so that only chips move",
    "settled": "the first phase that cannot change the winner in the last round of a deal",
    "chips": "number of chips of each player at the start",
    "ante": "number of chips that each player pays at the start of a deal",
    "side": "whether there are side pots",
    "deals": "number of deals",
    "order": "TURNS or ROUNDS",
    "rounds": "number of rounds in a deal; 0 for no limit",
    "phases": "number of phases",
    "wins": "number of win conditions",
    "limit": "the turn limit",
    "set_size": "number of cards of a rank that form a set; 0 if no sets are laid",
    "set_points": "points for a set",
    "trick_points": "points for a trick at the end of a deal",
    "soft": "the rank of the ace, or -1",
}
OF_PHASES = {
    "bets": "whether players bet chips in it",
    "everybodys": "whether all players take part together",
    "closes": "whether the phase is played to its end even if the deal ends during it",
    "thought": "what the greedy policy must compute to rate its moves",
    "by_strength": "whether the search policy separates positions by strength",
    "habitual": "whether the search policy expects the greedy policy's move",
}
BY_PHASE = {"kind": "the number of its kind"} | OF_PHASES
BY_WIN = {
    "win": "the number of its kind",
    "win_point": "1 if the most points win, -1 if the fewest win, 0 if points do not matter",
    "win_of_holding": "whether only hands are compared",
    "win_sheds": "whether players must get rid of cards",
    "win_likes_tricks": "whether taking tricks is always good",
}
BY_RANK = {
    "effect": "the effect of playing a card of this rank",
    "pips": "points of a card of this rank in hand; 11 for an ace",
}
BY_CARD = {"captured_points": "points of the card when captured", "hand_points": "points of the card in hand"}


def _sizes() -> Iterable[tuple[str, int]]:
    yield from [(name, MOST_PHASES) for name in BY_PHASE]
    yield from [(name, MOST_WINS) for name in BY_WIN]
    yield from [(name, MOST_PHASES) for kind in phases.TYPES for name in kind.columns]
    yield from [(name, MOST_WINS) for kind in wins.TYPES for name in kind.columns]
    yield from [(name, RANKS) for name in BY_RANK]
    yield from [(name, MOST_CARDS) for name in BY_CARD]


TABLES = dict(_sizes())


class PlainProgram:
    """The numbers of a genome in plain Python."""

    __slots__ = (*NUMBERS, *TABLES)

    def __init__(self) -> None:
        for name in NUMBERS:
            setattr(self, name, 0)
        for name, size in TABLES.items():
            setattr(self, name, [0] * size)


class Program(NamedTuple):
    """The input of the engine: a table of one game, and the betting rules of each phase."""

    games: Any
    rules: Any


def plain_program(game: Genome) -> Program:
    """Return the program of a genome as plain objects."""
    g = PlainProgram()
    _fill(g, game)
    return Program([g], [fixed_step(cap=cap) for cap in _caps(game)])


def packed_program(game: Genome) -> Program:
    """Return the program of a genome as arrays of records."""
    import numpy as np

    columns: list[tuple[Any, ...]] = [(name, np.int64) for name in NUMBERS]
    games = np.zeros(1, record(columns + [(name, np.int64, size) for name, size in TABLES.items()]))
    _fill(games[0], game)
    rules = np.zeros(MOST_PHASES, record([(name, np.int64) for name in Rules.__struct_fields__]))
    for row, cap in zip(rules, _caps(game), strict=True):
        betting = fixed_step(cap=cap)
        for name in Rules.__struct_fields__:
            row[name] = int(getattr(betting, name))
    return Program(games, rules)


def _caps(game: Genome) -> list[int]:
    """Return the cap on raises by phase. It is 0 for phases without betting."""
    caps = [getattr(phase, "max_raises", 0) if phase.bets else 0 for phase in game.turn_structure.phases]
    return caps + [0] * (MOST_PHASES - len(caps))


def _fill(g: Any, game: Genome) -> None:
    setup, turns, deck = game.setup, game.turn_structure, game.setup.deck
    g.n, g.ranks, g.suits = game.player_count, len(deck.ranks), len(deck.suits)
    g.cards = g.ranks * g.suits
    g.per_player, g.discards = setup.cards_per_player, setup.initial_discard_count
    g.tableau = setup.initial_tableau_count
    g.chips, g.ante, g.side, g.deals = setup.starting_chips, setup.ante, setup.pots == "side", setup.deals
    g.trump, g.blind, g.only_bets = _trump(setup), only_blind(game), all(phase.bets for phase in turns.phases)
    g.settled = settled_from(game)
    g.order = codes.ROUNDS if turns.order == "rounds" else codes.TURNS
    g.rounds, g.phases, g.wins, g.limit = turns.rounds, len(turns.phases), len(game.win_conditions), game.max_turns
    for at, phase in enumerate(turns.phases):
        g.kind[at] = phases.number(type(phase))
        for name in OF_PHASES:
            getattr(g, name)[at] = getattr(phase, name)
        _fill_columns(g, phase, game, at)
    for at, win in enumerate(game.win_conditions):
        g.win[at], g.win_point[at] = wins.TYPES.index(type(win)), win.point
        g.win_of_holding[at], g.win_sheds[at], g.win_likes_tricks[at] = win.of_holding, win.sheds, win.likes_tricks
        _fill_columns(g, win, game, at)
    for rank, letter in enumerate(deck.ranks):
        g.pips[rank] = 11 if letter == "A" else min(10, RANK_LETTERS.index(letter) + 2)
    g.soft = deck.ranks.find("A")
    _fill_effects(g, game)


def _fill_columns(g: Any, part: Part, game: Genome, at: int) -> None:
    for name, number in zip(part.columns, part.numbers(game, at), strict=True):
        getattr(g, name)[at] = number


def _fill_effects(g: Any, game: Genome) -> None:
    deck = game.setup.deck
    for effect in game.effects:
        if isinstance(effect, LaySets):
            g.set_size, g.set_points = effect.size, effect.points
        else:
            g.effect[deck.ranks.index(effect.rank)] = codes.EFFECTS.index(effect.effect)
    for rule in game.scoring:
        if isinstance(rule, TrickPoints):
            g.trick_points += rule.points
            continue
        points = g.captured_points if rule.where == "captured" else g.hand_points
        for card in range(g.cards):
            letters = deck.ranks[card // g.suits], deck.suits[card % g.suits]
            if all(wanted in ("*", letter) for wanted, letter in zip(rule.cards, letters, strict=True)):
                points[card] += rule.points


def _trump(setup: Setup) -> int:
    if setup.trump_suit is None:
        return codes.NO_TRUMP
    return codes.RANDOM_TRUMP if setup.trump_suit == "random" else setup.deck.suits.index(setup.trump_suit)
