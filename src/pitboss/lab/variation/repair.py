"""Repairs a genome that cannot be played. Each problem is removed by the smallest change that removes it.

`genome.py` reports the problems by field. This module contains the changes to try for each field.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from msgspec.structs import replace

from pitboss.lab.genome import (
    LONGEST_NAME,
    MOST_CARDS,
    MOST_CHIPS,
    MOST_DEALS,
    MOST_PHASES,
    MOST_PLAYERS,
    MOST_POINTS,
    MOST_RULES,
    MOST_TURNS,
    MOST_WINS,
    CardPoints,
    Deck,
    Genome,
    GenomeError,
    LaySets,
    Part,
    TrickPoints,
    problems,
    turned_up,
    undealt,
)
from pitboss.lab.phases.kinds import plainest
from pitboss.lab.variation.edits import splice, with_setup, with_structure
from pitboss.lab.wins.kinds import PLAINEST

Mends = Iterator[Genome]

MOST_MENDS = 1000
"""The maximum number of repairs. No genome needs more."""
STACK_OF_BETS = 20
"""The number of chips of each player, in units of the largest bet, for a game that had none."""

_PART = re.compile(r"(turn_structure\.phases|effects|scoring|win_conditions)\[(\d+)\](?:\.(\w+))?")
_BOUNDS = {
    "points": (-MOST_POINTS, MOST_POINTS),
    "cards_per_player": (0, MOST_CARDS),
    "initial_discard_count": (0, MOST_CARDS),
    "initial_tableau_count": (0, MOST_CARDS),
    "deals": (1, MOST_DEALS),
    "player_count": (2, MOST_PLAYERS),
    "max_turns": (1, MOST_TURNS),
}


def repair(genome: Genome) -> Genome:
    """Return the most similar valid genome. A valid genome is returned unchanged.

    >>> from pitboss.lab import load
    >>> kuhn = load("kuhn")
    >>> repair(kuhn) is kuhn
    True
    >>> poor = replace(kuhn, setup=replace(kuhn.setup, ante=9))
    >>> repair(poor).setup.ante
    2
    """
    for _ in range(MOST_MENDS):
        found = problems(genome)
        if not found:
            return genome
        genome = _mended(genome, found)
    raise GenomeError(f"this genome cannot be repaired: {problems(genome)[0]}")


def _mended(genome: Genome, found: tuple[str, ...]) -> Genome:
    """Return the first change that removes all problems of the first field or, if none does, its first problem."""
    field = found[0].partition(": ")[0]
    further = None
    for mend in _mends(genome, field):
        left = problems(mend)
        if len(left) < len(found) or not any(problem.startswith(f"{field}: ") for problem in left):
            return mend
        if further is None and found[0] not in left:
            further = mend
    if further is not None:
        return further
    raise GenomeError(f"this genome cannot be repaired: {found[0]}")


def _mends(genome: Genome, field: str) -> Mends:
    """Yield the changes to try if this field is wrong, the smallest first."""
    if part := _PART.fullmatch(field):
        place, name = int(part[2]), part[3] or ""
        if part[1] == "turn_structure.phases":
            yield from _phase(genome, place, name)
        elif part[1] == "win_conditions":
            yield from _win(genome, place, name)
        else:
            yield from _rule(genome, part[1], place, name)
    elif field.startswith("setup."):
        yield from _setup(genome, field.removeprefix("setup."))
    elif field == "turn_structure.phases":
        yield from _phases(genome)
    elif field == "turn_structure.rounds":
        yield with_structure(genome, rounds=_within(genome.turn_structure.rounds, 0, MOST_TURNS))
    elif field == "win_conditions":
        yield replace(genome, win_conditions=genome.win_conditions[:MOST_WINS] or (PLAINEST,))
    elif field in ("effects", "scoring"):
        yield replace(genome, **{field: getattr(genome, field)[:MOST_RULES]})
    elif field == "name":
        printable = "".join([letter for letter in genome.name if letter.isprintable()]).strip()
        yield replace(genome, name=printable[:LONGEST_NAME].strip() or "unnamed")
    elif field in ("player_count", "max_turns"):
        yield _clamped(genome, field)


# --- setup


def _setup(genome: Genome, field: str) -> Mends:
    setup, bets = genome.setup, [phase.min_bet for phase in genome.betting_phases]
    if field in _BOUNDS:
        yield replace(genome, setup=_clamped(setup, field))
    match field:
        case "initial_deck.ranks" | "initial_deck.suits":
            yield with_setup(genome, initial_deck=_mended_deck(setup.deck))
        case "trump_suit":
            yield with_setup(genome, trump_suit=None)
        case "starting_chips" if bets:
            least = max(setup.ante, STACK_OF_BETS * max(bets))
            chips = setup.starting_chips if setup.starting_chips > 0 else least
            yield with_setup(genome, starting_chips=_within(chips, 1, MOST_CHIPS))
        case "starting_chips":
            yield with_setup(genome, starting_chips=0, ante=0)
        case "ante":
            yield with_setup(genome, ante=_within(setup.ante, 0, _within(setup.starting_chips, 0, MOST_CHIPS)))
        case "cards_per_player":
            yield from _with_cards(genome)
            yield from _with_room(genome)
        case _:
            pass


def _mended_deck(deck: Deck) -> Deck:
    """Return a deck with only valid ranks and suits, each once. If no rank or suit is left, use all of them."""
    ranks, suits = (
        "".join([letter for letter in dict.fromkeys(letters) if letter in known])
        for letters, known in ((deck.ranks, Deck().ranks), (deck.suits, Deck().suits))
    )
    return Deck(ranks=ranks or Deck().ranks, suits=suits or Deck().suits)


def _with_cards(genome: Genome) -> Mends:
    """Deal a card to each player if no cards were dealt."""
    if genome.setup.cards_per_player == 0:
        yield with_setup(genome, cards_per_player=1)


def _with_room(genome: Genome, spare: int = 0) -> Mends:
    """Deal fewer cards, so that the deck has enough cards and `spare` more.

    These are tried in order: fewer cards per player, then no cards on the table, then fewer players. A deck that is too
    small for two players is replaced by the standard deck.
    """
    setup, least = genome.setup, min(1, genome.setup.cards_per_player)
    spare += sum([phase.least_shared for phase in genome.turn_structure.phases])
    tables = [(setup.initial_discard_count, setup.initial_tableau_count), (setup.initial_discard_count, 0), (0, 0)]
    counts = range(genome.player_count, 1, -1)
    for deck, players, (discards, tableau) in product((setup.initial_deck, "standard_52"), counts, tables):
        cards = Deck() if isinstance(deck, str) else deck
        each = (len(cards.ranks) * len(cards.suits) - discards - tableau - spare) // players
        if each >= least:
            smaller = replace(
                setup,
                initial_deck=deck,
                cards_per_player=min(setup.cards_per_player, each),
                initial_discard_count=discards,
                initial_tableau_count=tableau,
            )
            yield _with_fewer_shared(replace(genome, player_count=players, setup=smaller))


def _with_fewer_shared(genome: Genome) -> Genome:
    """Reduce the community cards to those that the deck has. Reduce later phases first, and keep one card in each."""
    over, phases = turned_up(genome) - undealt(genome), list(genome.turn_structure.phases)
    for place in reversed(range(len(phases))):
        if over > 0:
            before, phases[place] = phases[place], phases[place].with_fewer_shared(over)
            over -= before.traits.turned_up - phases[place].traits.turned_up
    return with_structure(genome, phases=tuple(phases)) if tuple(phases) != genome.turn_structure.phases else genome


# --- phases


def _phases(genome: Genome) -> Mends:
    phases, chips = genome.turn_structure.phases, genome.setup.starting_chips
    if not phases:
        yield with_structure(genome, phases=(plainest(chips),))
    elif len(phases) > MOST_PHASES:
        yield with_structure(genome, phases=phases[:MOST_PHASES])
    else:
        yield _with_fewer_shared(genome)
        with_deck = tuple([phase.with_deck() for phase in phases])
        for changed in (genome, with_structure(genome, phases=with_deck)):
            yield changed
            yield from _with_room(changed, spare=1)


def _phase(genome: Genome, place: int, name: str) -> Mends:
    phases = genome.turn_structure.phases
    for mended in _mended_parts(phases[place], name, genome):
        yield with_structure(genome, phases=splice(phases, place, mended, instead_of=1))


def _mended_parts(part: Part, name: str, genome: Genome) -> Iterator[Any]:
    """Yield the part with its field `name` moved into the bounds, then the changes that the part itself suggests."""
    if name in part.bounds:
        yield part.clamped(name)
    yield from part.mends(name, genome)


# --- effects, scoring, wins


def _rule(genome: Genome, field: str, place: int, name: str) -> Mends:
    """Move points and set sizes into their bounds. Then try without the rule."""
    rules = getattr(genome, field)
    rule = rules[place]
    if name == "points":
        yield replace(genome, **{field: splice(rules, place, _clamped(rule, name), instead_of=1)})
    if isinstance(rule, LaySets) and name == "size":
        suits = len(genome.setup.deck.suits)
        yield replace(
            genome,
            **{field: splice(rules, place, replace(rule, size=_within(rule.size, 2, suits)), instead_of=1)},
        )
    yield replace(genome, **{field: splice(rules, place, instead_of=1)})


def _win(genome: Genome, place: int, name: str) -> Mends:
    """Try a number within bounds, a card for each player, or a scoring rule. Then remove or replace the condition."""
    wins = genome.win_conditions
    win = wins[place]
    for mended in _mended_parts(win, name, genome):
        yield replace(genome, win_conditions=splice(wins, place, mended, instead_of=1))
    yield from _with_cards(genome)
    if win.point:
        for rule in (TrickPoints(), CardPoints(), CardPoints(where="hand")):
            yield replace(genome, scoring=(*genome.scoring[: MOST_RULES - 1], rule))
    if len(wins) > 1:
        yield replace(genome, win_conditions=splice(wins, place, instead_of=1))
    yield replace(genome, win_conditions=splice(wins, place, PLAINEST, instead_of=1))


# --- small changes


def _within(number: int, least: int, most: int) -> int:
    return max(least, min(most, number))


def _clamped(part: Any, field: str) -> Any:
    """Return the part with this number moved into its bounds."""
    return replace(part, **{field: _within(getattr(part, field), *_BOUNDS[field])})
