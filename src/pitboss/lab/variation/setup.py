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
from pitboss.lab.variation.edits import with_setup
from pitboss.lab.variation.values import DEALS, STACKS, other

MOST_DEALT, MOST_SHOWN = 13, 6


def starting_chips(genome: Genome, chance: Chance) -> Genome | None:
    """Half or twice the chips, or another usual number, never less than the greatest bet and the ante."""
    chips = genome.setup.starting_chips
    if not genome.betting_phases:
        return None
    least = max(1, genome.setup.ante, *[phase.min_bet for phase in genome.betting_phases])
    return _with_other(genome, chance, "starting_chips", _between(least, (chips // 2, 2 * chips, *STACKS), MOST_CHIPS))


def ante(genome: Genome, chance: Chance) -> Genome | None:
    """Another ante, or none."""
    if not genome.betting_phases:
        return None
    return _with_other(genome, chance, "ante", _between(0, (0, *AMOUNTS), genome.setup.starting_chips))


def pots(genome: Genome, chance: Chance) -> Genome | None:
    """One pot instead of side pots, or the other way round."""
    return _with_other(genome, chance, "pots", ("single", "side")) if genome.betting_phases else None


def deals(genome: Genome, chance: Chance) -> Genome | None:
    """More or fewer deals."""
    return _with_other(genome, chance, "deals", DEALS)


def player_count(genome: Genome, chance: Chance) -> Genome | None:
    """More or fewer players."""
    count = other(chance, range(2, MOST_PLAYERS + 1), genome.player_count)
    return None if count is None else replace(genome, player_count=count)


def cards_per_player(genome: Genome, chance: Chance) -> Genome | None:
    """A few cards more or fewer for everybody, as far as the deck reaches."""
    now = genome.setup.cards_per_player
    most = min(MOST_DEALT, now + _spare(genome) // genome.player_count)
    return _with_other(genome, chance, "cards_per_player", _around(now, 1, most, 3))


def discard_count(genome: Genome, chance: Chance) -> Genome | None:
    """More or fewer cards on the discards at the start."""
    now = genome.setup.initial_discard_count
    return _with_other(
        genome, chance, "initial_discard_count", _around(now, 0, min(MOST_SHOWN, now + _spare(genome)), 2)
    )


def tableau_count(genome: Genome, chance: Chance) -> Genome | None:
    """More or fewer cards on the tableau at the start."""
    now = genome.setup.initial_tableau_count
    return _with_other(
        genome, chance, "initial_tableau_count", _around(now, 0, min(MOST_SHOWN, now + _spare(genome)), 2)
    )


def trump(genome: Genome, chance: Chance) -> Genome | None:
    """Another trump suit, one by chance, or none, where tricks are played."""
    if not has_tricks(genome):
        return None
    return _with_other(genome, chance, "trump_suit", (None, "random", *genome.setup.deck.suits))


def deck(genome: Genome, chance: Chance) -> Genome | None:
    """A rank or a suit more or less, the lowest rank put on top, the low ranks left out, or the standard deck."""
    now = genome.setup.deck
    changed = other(chance, _decks(now, chance), now)
    if changed is None:
        return None
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


def _with_other(genome: Genome, chance: Chance, field: str, among: Sequence[object]) -> Genome | None:
    """The genome with another value in a field of its setup, if there is any."""
    left = [value for value in among if value != getattr(genome.setup, field)]
    return with_setup(genome, **{field: chance.choice(left)}) if left else None


def _spare(genome: Genome) -> int:
    """The cards that nobody is dealt or shown."""
    return undealt(genome) - turned_up(genome)


def _around(now: int, least: int, most: int, reach: int) -> list[int]:
    """The numbers near this one, within bounds."""
    return [number for number in range(now - reach, now + reach + 1) if least <= number <= most]


def _between(least: int, numbers: Sequence[int], most: int) -> list[int]:
    """The numbers within bounds, and the least itself."""
    return sorted({least, *[number for number in numbers if least <= number <= most]})
