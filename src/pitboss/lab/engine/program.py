"""A genome as numbers: what the engine reads while it plays, once a genome and not once a game."""

from typing import Any, NamedTuple

from pitboss.betting.rules import Rules, fixed_step
from pitboss.cards import RANKS as RANK_LETTERS
from pitboss.fast.records import record
from pitboss.lab.engine import codes
from pitboss.lab.engine.codes import ARGUMENTS, MOST_CARDS, MOST_PHASES, MOST_WINS, NOBODY, RANKS
from pitboss.lab.genome import parts as genome
from pitboss.lab.genome.parts import Genome

NUMBERS = (
    *("n", "cards", "ranks", "suits", "per_player", "discards", "tableau", "trump", "chips", "ante", "side", "deals"),
    *("order", "rounds", "phases", "wins", "limit", "set_size", "set_points", "trick_points", "soft"),
)
TABLES = {
    "kind": MOST_PHASES,
    "arguments": MOST_PHASES * ARGUMENTS,
    "win": MOST_WINS,
    "win_argument": MOST_WINS,
    "effect": RANKS,
    "pips": RANKS,
    "captured_points": MOST_CARDS,
    "hand_points": MOST_CARDS,
}

PHASES = (
    genome.DrawPhase,
    genome.PlayPhase,
    genome.DiscardPhase,
    genome.TrickPhase,
    genome.ClaimPhase,
    genome.CommunityPhase,
    genome.BettingPhase,
)
SOURCES = ("deck", "discard", "either", "opponent", "ask")
MATCHES = ("any", "suit", "rank", "higher", "higher_or_equal")
CAPTURES = ("none", "rank", "sum")
EFFECTS = ("none", "skip", "reverse", "draw_two", "again")
WINS: dict[type, int] = {
    genome.BestHand: codes.BEST_HAND,
    genome.HighCard: codes.HIGH_CARD,
    genome.HighScore: codes.HIGH_SCORE,
    genome.LowScore: codes.LOW_SCORE,
    genome.FirstToScore: codes.FIRST_TO_SCORE,
    genome.EmptyHand: codes.EMPTY_HAND,
    genome.CaptureAll: codes.CAPTURE_ALL,
    genome.MostTricks: codes.MOST_TRICKS,
    genome.LeastDeadwood: codes.LEAST_DEADWOOD,
}


class Plain:
    """A genome's numbers in plain Python."""

    __slots__ = (*NUMBERS, *TABLES)

    def __init__(self) -> None:
        for name in NUMBERS:
            setattr(self, name, 0)
        for name, size in TABLES.items():
            setattr(self, name, [0] * size)


class Program(NamedTuple):
    """What the engine takes: a table of one game, and the betting rules of each phase."""

    games: Any
    rules: Any


def plain_program(game: Genome) -> Program:
    """Plain objects."""
    g = Plain()
    _fill(g, game)
    return Program([g], [fixed_step(cap=cap) for cap in _caps(game)])


def packed_program(game: Genome) -> Program:
    """Arrays of records."""
    import numpy as np

    fields: list[tuple[Any, ...]] = [(name, np.int64) for name in NUMBERS]
    games = np.zeros(1, record(fields + [(name, np.int64, size) for name, size in TABLES.items()]))
    _fill(games[0], game)
    rules = np.zeros(MOST_PHASES, record([(name, np.int64) for name in Rules.__struct_fields__]))
    for row, cap in zip(rules, _caps(game), strict=True):
        for name in Rules.__struct_fields__:
            row[name] = int(getattr(fixed_step(cap=cap), name))
    return Program(games, rules)


def _caps(game: Genome) -> list[int]:
    """The cap on raises by phase; what is no betting phase has none to ask for."""
    caps = [phase.max_raises if isinstance(phase, genome.BettingPhase) else 0 for phase in game.turn_structure.phases]
    return caps + [0] * (MOST_PHASES - len(caps))


def _fill(g: Any, game: Genome) -> None:
    setup, turns, deck = game.setup, game.turn_structure, game.setup.deck
    g.n, g.ranks, g.suits, g.cards = (
        game.player_count,
        len(deck.ranks),
        len(deck.suits),
        len(deck.ranks) * len(deck.suits),
    )
    g.per_player, g.discards, g.tableau = (
        setup.cards_per_player,
        setup.initial_discard_count,
        setup.initial_tableau_count,
    )
    g.chips, g.ante, g.side, g.deals = setup.starting_chips, setup.ante, setup.pots == "side", setup.deals
    g.trump = _trump(setup)
    g.order = codes.ROUNDS if turns.order == "rounds" else codes.TURNS
    g.rounds, g.phases, g.wins, g.limit = turns.rounds, len(turns.phases), len(game.win_conditions), game.max_turns
    for at, phase in enumerate(turns.phases):
        g.kind[at] = PHASES.index(type(phase))
        for column, number in enumerate(_arguments(phase, at, game)):
            g.arguments[at * ARGUMENTS + column] = number
    for at, win in enumerate(game.win_conditions):
        g.win[at] = WINS[type(win)]
        if isinstance(win, genome.BestHand):
            g.win[at] = codes.BEST_HAND if win.ranking == "poker" else codes.BEST_POINTS
            g.win_argument[at] = win.bust
        elif isinstance(win, genome.FirstToScore):
            g.win_argument[at] = win.target
        elif isinstance(win, genome.LeastDeadwood):
            g.win_argument[at] = win.knock
    for rank, letter in enumerate(deck.ranks):
        g.pips[rank] = 11 if letter == "A" else min(10, RANK_LETTERS.index(letter) + 2)
    g.soft = deck.ranks.find("A")
    _fill_effects(g, game)


def _fill_effects(g: Any, game: Genome) -> None:
    deck = game.setup.deck
    for effect in game.effects:
        if isinstance(effect, genome.LaySets):
            g.set_size, g.set_points = effect.size, effect.points
        else:
            g.effect[deck.ranks.index(effect.rank)] = EFFECTS.index(effect.effect)
    for rule in game.scoring:
        if isinstance(rule, genome.TrickPoints):
            g.trick_points += rule.points
            continue
        points = g.captured_points if rule.where == "captured" else g.hand_points
        for card in range(g.cards):
            letters = deck.ranks[card // g.suits], deck.suits[card % g.suits]
            if all(wanted in ("*", letter) for wanted, letter in zip(rule.cards, letters, strict=True)):
                points[card] += rule.points


def _trump(setup: genome.Setup) -> int:
    if setup.trump_suit is None:
        return codes.NO_TRUMP
    return codes.RANDOM_TRUMP if setup.trump_suit == "random" else setup.deck.suits.index(setup.trump_suit)


def _arguments(phase: genome.AnyPhase, at: int, game: Genome) -> list[int]:
    """A phase's columns, in the order of `codes.py`."""
    match phase:
        case genome.DrawPhase():
            stuck = _next_play(game, at) if phase.only_if_stuck else NOBODY
            return [SOURCES.index(phase.source), phase.count, phase.optional, stuck]
        case genome.PlayPhase():
            match_bits = sum(1 << MATCHES.index(name) for name in set(phase.match))
            wild = sum(1 << game.setup.deck.ranks.index(rank) for rank in set(phase.wild))
            target = codes.ON_TABLEAU if phase.target == "tableau" else codes.ON_DISCARD
            capture = CAPTURES.index(phase.capture)
            return [target, match_bits, wild, phase.most, phase.optional, phase.clear_after_passes, capture]
        case genome.DiscardPhase():
            return [phase.count, phase.optional, phase.replace]
        case genome.TrickPhase():
            return [phase.follow, phase.blind, phase.to == "hand", phase.ties == "stay"]
        case genome.ClaimPhase():
            return [phase.most]
        case genome.CommunityPhase():
            return [phase.count]
        case genome.BettingPhase():
            return [phase.min_bet]


def _next_play(game: Genome, after: int) -> int:
    """The first play phase that follows."""
    phases = game.turn_structure.phases
    return next(at for at in range(after + 1, len(phases)) if isinstance(phases[at], genome.PlayPhase))
