"""Variations of a genome's setup: players, deck, what is dealt, trumps, chips, ante, pots and deals.

Each is a plain change, not yet a valid game: `mutations.py` has every child repaired.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pitboss.cards import RANKS, SUITS
from pitboss.chance import Chance
from pitboss.lab.genome.checks import MOST_CHIPS
from pitboss.lab.genome.facts import has_tricks, turned_up, undealt
from pitboss.lab.genome.parts import MOST_PLAYERS, Deck, Genome
from pitboss.lab.phases.betting import AMOUNTS
from pitboss.lab.variation.edits import DoesNotApply, with_setup
from pitboss.lab.variation.values import DEALS, STACKS, another

MOST_DEALT, MOST_SHOWN = 13, 6


def starting_chips(genome: Genome, chance: Chance) -> Genome:
    """Half or twice the chips, or another usual number, never less than the greatest bet and the ante."""
    _bets(genome)
    chips = genome.setup.starting_chips
    least = max(1, genome.setup.ante, *[phase.min_bet for phase in genome.betting_phases])
    return _with_other(genome, chance, "starting_chips", _between(least, (chips // 2, 2 * chips, *STACKS), MOST_CHIPS))


def ante(genome: Genome, chance: Chance) -> Genome:
    """Another ante, or none."""
    _bets(genome)
    return _with_other(genome, chance, "ante", _between(0, (0, *AMOUNTS), genome.setup.starting_chips))


def pots(genome: Genome, chance: Chance) -> Genome:
    """One pot instead of side pots, or the other way round."""
    _bets(genome)
    return _with_other(genome, chance, "pots", ("single", "side"))


def deals(genome: Genome, chance: Chance) -> Genome:
    """More or fewer deals."""
    return _with_other(genome, chance, "deals", DEALS)


def player_count(genome: Genome, chance: Chance) -> Genome:
    """More or fewer players."""
    return replace(genome, player_count=another(chance, range(2, MOST_PLAYERS + 1), genome.player_count))


def cards_per_player(genome: Genome, chance: Chance) -> Genome:
    """A few cards more or fewer for everybody, as far as the deck reaches."""
    now = genome.setup.cards_per_player
    most = min(MOST_DEALT, now + _spare(genome) // genome.player_count)
    return _with_other(genome, chance, "cards_per_player", _around(now, 1, most, 3))


def discard_count(genome: Genome, chance: Chance) -> Genome:
    """More or fewer cards on the discards at the start."""
    now = genome.setup.initial_discard_count
    return _with_other(
        genome, chance, "initial_discard_count", _around(now, 0, min(MOST_SHOWN, now + _spare(genome)), 2)
    )


def tableau_count(genome: Genome, chance: Chance) -> Genome:
    """More or fewer cards on the tableau at the start."""
    now = genome.setup.initial_tableau_count
    return _with_other(
        genome, chance, "initial_tableau_count", _around(now, 0, min(MOST_SHOWN, now + _spare(genome)), 2)
    )


def trump(genome: Genome, chance: Chance) -> Genome:
    """Another trump suit, one by chance, or none, where tricks are played."""
    if not has_tricks(genome):
        raise DoesNotApply("no tricks are played")
    return _with_other(genome, chance, "trump_suit", (None, "random", *genome.setup.deck.suits))


def deck(genome: Genome, chance: Chance) -> Genome:
    """A rank or a suit more or less, the lowest rank put on top, the low ranks left out, or the standard deck."""
    now = genome.setup.deck
    changed = another(chance, _decks(now, chance), now)
    return with_setup(genome, initial_deck="standard_52" if changed == Deck() else changed)


def _decks(now: Deck, chance: Chance) -> list[Deck]:
    """Decks near this one, the plain ones among them."""
    near = [Deck(), replace(now, ranks=now.ranks[1:] + now.ranks[:1])]
    near += [replace(now, ranks=RANKS[-count:]) for count in (3, 5, 8, 9)]
    if len(now.ranks) > 2:
        near.append(replace(now, ranks=now.ranks.replace(chance.choice(now.ranks), "")))
    if len(now.suits) > 1:
        near.append(replace(now, suits=now.suits.replace(chance.choice(now.suits), "")))
    if absent := [rank for rank in RANKS if rank not in now.ranks]:
        new = chance.choice(absent)
        below = len([rank for rank in now.ranks if RANKS.index(rank) < RANKS.index(new)])
        near.append(replace(now, ranks=now.ranks[:below] + new + now.ranks[below:]))
    if absent := [suit for suit in SUITS if suit not in now.suits]:
        near.append(replace(now, suits=now.suits + chance.choice(absent)))
    return near


def _with_other(genome: Genome, chance: Chance, field: str, among: Sequence[object]) -> Genome:
    """The genome with another value in a field of its setup."""
    return with_setup(genome, **{field: another(chance, among, getattr(genome.setup, field))})


def _bets(genome: Genome) -> None:
    if not genome.betting_phases:
        raise DoesNotApply("there is no betting phase")


def _spare(genome: Genome) -> int:
    """The cards that nobody is dealt or shown."""
    return undealt(genome) - turned_up(genome)


def _around(now: int, least: int, most: int, reach: int) -> list[int]:
    """The numbers near this one, within bounds."""
    return [number for number in range(now - reach, now + reach + 1) if least <= number <= most]


def _between(least: int, numbers: Sequence[int], most: int) -> list[int]:
    """The numbers within bounds, and the least itself."""
    return sorted({least, *[number for number in numbers if least <= number <= most]})
