"""Mutations by name, crossover, and random games. Every result is a valid game."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pitboss.cards import RANKS, SUITS
from pitboss.chance import Chance
from pitboss.lab.genome import (
    MOST_CHIPS,
    MOST_PHASES,
    MOST_PLAYERS,
    MOST_WINS,
    CardEffect,
    CardPoints,
    Deck,
    Genome,
    LaySets,
    Phase,
    Setup,
    TrickPoints,
    TurnStructure,
    has_tricks,
    problems,
    turned_up,
    undealt,
)
from pitboss.lab.phases.betting import AMOUNTS
from pitboss.lab.phases.kinds import BETTING
from pitboss.lab.variation.edits import (
    CARD_PHASES,
    DEALS,
    NO_OTHER,
    ROUNDS,
    STACKS,
    TURN_LIMITS,
    WINS,
    Change,
    DoesNotApply,
    change,
    draw_another,
    random_part,
    splice,
    with_phases,
    with_setup,
    with_structure,
)
from pitboss.lab.variation.repair import repair
from pitboss.lab.wins.kinds import PLAINEST

MOST_CARD_PHASES, MOST_BETTING_PHASES, MOST_RULES, MOST_AIMS = 4, 3, 2, 3
MOST_DEALT, MOST_SHOWN = 13, 6
MOST_EFFECTS = MOST_SCORING = 4
SCORINGS: tuple[type[Struct], ...] = (CardPoints, TrickPoints)
_NAMES = {"effects": "card effect", "scoring": "scoring rule", "win_conditions": "win condition"}
TRIES = 8
"""The maximum number of tries of an operator whose change is undone by repair."""


def crossover(a: Genome, b: Genome, chance: Chance) -> Genome:
    """Return a valid child of two games. It has the name of the first.

    Each of these groups of fields comes from one parent: players and cards; chips, ante and pots; order and rounds;
    effects; scoring and win conditions; the limits. The phases are the first phases of one parent and the last phases
    of the other.

    >>> from pitboss.lab import load
    >>> from pitboss.lab.genome import problems
    >>> problems(crossover(load("war"), load("kuhn"), Chance(3)))
    ()
    """

    def one() -> Genome:
        return a if chance.below(2) else b

    table, money, turns, ends, limits = (one() for _ in range(5))
    setup = replace(
        table.setup,
        starting_chips=money.setup.starting_chips,
        ante=money.setup.ante,
        pots=money.setup.pots,
        deals=limits.setup.deals,
    )
    order, rounds = turns.turn_structure.order, turns.turn_structure.rounds
    child = Genome(
        name=a.name,
        player_count=table.player_count,
        setup=setup,
        turn_structure=TurnStructure(phases=_spliced(a, b, chance), order=order, rounds=rounds),
        effects=one().effects,
        scoring=ends.scoring,
        win_conditions=ends.win_conditions,
        max_turns=limits.max_turns,
    )
    return repair(child)


def _spliced(a: Genome, b: Genome, chance: Chance) -> tuple[Phase, ...]:
    """Return the first phases of one parent and the last of the other. There is at least one phase."""
    first, last = (a, b) if chance.below(2) else (b, a)
    head, tail = first.turn_structure.phases, last.turn_structure.phases
    spliced = head[: chance.below(len(head) + 1)] + tail[chance.below(len(tail) + 1) :]
    return spliced[:MOST_PHASES] or head


P = TypeVar("P", bound=Struct)


def random_genome(chance: Chance) -> Genome:
    """Return a valid random game with one to three betting phases.

    >>> game = random_genome(Chance(1))
    >>> 1 <= len(game.betting_phases) <= 3
    True
    """
    frame = Genome(
        name="random",
        player_count=2 + chance.below(MOST_PLAYERS - 1),
        setup=_setup(chance),
        turn_structure=TurnStructure(phases=()),
        win_conditions=(PLAINEST,),
    )
    phases = _some(chance, MOST_CARD_PHASES, CARD_PHASES, frame)
    for _ in range(1 + chance.below(MOST_BETTING_PHASES)):
        phases = splice(phases, chance.below(len(phases) + 1), random_part(BETTING, frame, chance))
    aims = chance.shuffled(WINS, 1 + chance.below(MOST_AIMS))
    drawn = Genome(
        name=frame.name,
        player_count=frame.player_count,
        setup=frame.setup,
        turn_structure=TurnStructure(
            phases=phases, order=chance.choice(("turns", "rounds")), rounds=chance.choice(ROUNDS)
        ),
        effects=_some(chance, MOST_RULES, (CardEffect, LaySets), frame),
        scoring=_some(chance, MOST_RULES, (CardPoints, TrickPoints), frame),
        win_conditions=tuple([random_part(aim, frame, chance) for aim in aims]),
        max_turns=chance.choice(TURN_LIMITS),
    )
    return repair(drawn)


def _setup(chance: Chance) -> Setup:
    """Return a random setup. A third of the decks are standard decks."""
    deck = Deck(ranks=RANKS[chance.below(len(RANKS) - 1) :], suits=SUITS[chance.below(len(SUITS)) :])
    stack = chance.choice(STACKS)
    return Setup(
        cards_per_player=chance.below(8),
        initial_deck=deck if chance.below(3) else "standard_52",
        initial_discard_count=chance.below(3),
        initial_tableau_count=chance.below(5),
        trump_suit=chance.choice((None, "random", *deck.suits)),
        starting_chips=stack,
        ante=chance.choice([0, *[amount for amount in AMOUNTS if amount <= stack]]),
        pots=chance.choice(("single", "side")),
        deals=1 + chance.below(4),
    )


def _some(chance: Chance, most: int, kinds: tuple[type[P], ...], frame: Genome) -> tuple[P, ...]:
    """Return up to `most` random parts of these kinds."""
    return tuple([random_part(chance.choice(kinds), frame, chance) for _ in range(chance.below(most + 1))])


def starting_chips(genome: Genome, chance: Chance) -> Genome:
    """Half, twice or another number of chips, at least the ante and the largest bet."""
    _bets(genome)
    chips = genome.setup.starting_chips
    least = max(1, genome.setup.ante, *[phase.min_bet for phase in genome.betting_phases])
    return _with_other(genome, chance, "starting_chips", _between(least, (chips // 2, 2 * chips, *STACKS), MOST_CHIPS))


def ante(genome: Genome, chance: Chance) -> Genome:
    """Another ante, or none."""
    _bets(genome)
    return _with_other(genome, chance, "ante", _between(0, (0, *AMOUNTS), genome.setup.starting_chips))


def pots(genome: Genome, chance: Chance) -> Genome:
    """One pot instead of side pots, or side pots instead of one pot."""
    _bets(genome)
    return _with_other(genome, chance, "pots", ("single", "side"))


def deals(genome: Genome, chance: Chance) -> Genome:
    """More or fewer deals."""
    return _with_other(genome, chance, "deals", DEALS)


def player_count(genome: Genome, chance: Chance) -> Genome:
    """More or fewer players."""
    return replace(genome, player_count=draw_another(chance, range(2, MOST_PLAYERS + 1), genome.player_count))


def cards_per_player(genome: Genome, chance: Chance) -> Genome:
    """A few cards more or fewer for each player, within the deck's size."""
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
    """Another trump suit, a random suit, or no trumps, in a game with tricks."""
    if not has_tricks(genome):
        raise DoesNotApply("no tricks are played")
    return _with_other(genome, chance, "trump_suit", (None, "random", *genome.setup.deck.suits))


def deck(genome: Genome, chance: Chance) -> Genome:
    """One rank or suit more or fewer, the lowest rank as the highest, fewer low ranks, or the standard deck."""
    now = genome.setup.deck
    changed = draw_another(chance, _decks(now, chance), now)
    return with_setup(genome, initial_deck="standard_52" if changed == Deck() else changed)


def _decks(now: Deck, chance: Chance) -> list[Deck]:
    """Return decks similar to this one, and usual decks."""
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
    """Return the genome with another value in a field of its setup."""
    return with_setup(genome, **{field: draw_another(chance, among, getattr(genome.setup, field))})


def _bets(genome: Genome) -> None:
    if not genome.betting_phases:
        raise DoesNotApply("the game has no betting phase")


def _spare(genome: Genome) -> int:
    """Return the number of cards that are neither dealt nor turned up."""
    return undealt(genome) - turned_up(genome)


def _around(now: int, least: int, most: int, reach: int) -> list[int]:
    """Return the numbers near `now` that are within bounds."""
    return [number for number in range(now - reach, now + reach + 1) if least <= number <= most]


def _between(least: int, numbers: Sequence[int], most: int) -> list[int]:
    """Return the numbers that are within bounds, and `least`."""
    return sorted({least, *[number for number in numbers if least <= number <= most]})


# --- betting


def add_betting(genome: Genome, chance: Chance) -> Genome:
    """One more betting phase, with chips and an ante if there are none."""
    phases = _with_room(genome)
    if not genome.setup.starting_chips:
        genome = with_setup(genome, starting_chips=chance.choice(STACKS))
    phase = random_part(BETTING, genome, chance)
    if not genome.setup.ante:  # without an ante, always checking would cost nothing
        genome = with_setup(genome, ante=chance.choice([amount for amount in AMOUNTS if amount <= phase.min_bet]))
    return with_phases(genome, splice(phases, chance.below(len(phases) + 1), phase))


def remove_betting(genome: Genome, chance: Chance) -> Genome:
    """One betting phase fewer, without chips and ante if none is left."""
    child = _without_one(genome, chance, (BETTING,))
    if child.betting_phases:
        return child
    return with_setup(child, starting_chips=0, ante=0, pots="single")


# --- all others


def add(genome: Genome, chance: Chance) -> Genome:
    """One more card phase at any place."""
    phases = _with_room(genome)
    phase = random_part(chance.choice(CARD_PHASES), genome, chance)
    return with_phases(genome, splice(phases, chance.below(len(phases) + 1), phase))


def remove(genome: Genome, chance: Chance) -> Genome:
    """One card phase fewer."""
    return _without_one(genome, chance, CARD_PHASES)


def exchange(genome: Genome, chance: Chance) -> Genome:
    """A card phase of another kind in place of one phase."""
    place = _place(genome, chance, CARD_PHASES)
    phases = genome.turn_structure.phases
    kinds = [kind for kind in CARD_PHASES if kind is not type(phases[place])]
    return with_phases(genome, splice(phases, place, random_part(chance.choice(kinds), genome, chance), instead_of=1))


def swap(genome: Genome, chance: Chance) -> Genome:
    """Two different phases in exchanged places."""
    phases = genome.turn_structure.phases
    pairs = [(i, j) for j in range(len(phases)) for i in range(j) if phases[i] != phases[j]]
    if not pairs:
        raise DoesNotApply("no two phases differ")
    i, j = chance.choice(pairs)
    return with_phases(genome, splice(splice(phases, i, phases[j], instead_of=1), j, phases[i], instead_of=1))


def double(genome: Genome, chance: Chance) -> Genome:
    """One of the phases a second time, at any place."""
    phases = _with_room(genome)
    return with_phases(genome, splice(phases, chance.below(len(phases) + 1), chance.choice(phases)))


def changing_phase(kind: type[Phase]) -> Change:
    """Return a change of a field of a phase of this kind."""

    def vary(genome: Genome, chance: Chance) -> Genome:
        return _changed(genome, chance, kind)

    vary.__doc__ = f"Another value in a field of a {_name((kind,))}."
    return vary


def order(genome: Genome, chance: Chance) -> Genome:
    """Turns instead of rounds, or rounds instead of turns."""
    flipped = "rounds" if genome.turn_structure.order == "turns" else "turns"
    return with_structure(genome, order=flipped)


def rounds(genome: Genome, chance: Chance) -> Genome:
    """Another number of rounds per deal."""
    return with_structure(genome, rounds=draw_another(chance, ROUNDS, genome.turn_structure.rounds))


def _with_room(genome: Genome) -> tuple[Phase, ...]:
    """Return the phases. Raise `DoesNotApply` if one more is not allowed."""
    phases = genome.turn_structure.phases
    if len(phases) >= MOST_PHASES:
        raise DoesNotApply(f"the game already has {len(phases)} phases, the maximum")
    return phases


def _name(kinds: tuple[type[Phase], ...]) -> str:
    """Return the name of phases of these kinds: "draw phase"."""
    return f"{kinds[0].__name__.removesuffix('Phase').lower()} phase" if len(kinds) == 1 else "card phase"


def _place(genome: Genome, chance: Chance, kinds: tuple[type[Phase], ...]) -> int:
    """Return the index of a random phase of one of these kinds."""
    places = [place for place, phase in enumerate(genome.turn_structure.phases) if type(phase) in kinds]
    if not places:
        raise DoesNotApply(f"the game has no {_name(kinds)}")
    return chance.choice(places)


def _changed(genome: Genome, chance: Chance, kind: type[Phase]) -> Genome:
    place, phases = _place(genome, chance, (kind,)), genome.turn_structure.phases
    changed = change(phases[place], genome, chance)
    if changed is None:
        raise DoesNotApply(NO_OTHER)
    return with_phases(genome, splice(phases, place, changed, instead_of=1))


def _without_one(genome: Genome, chance: Chance, kinds: tuple[type[Phase], ...]) -> Genome:
    place, phases = _place(genome, chance, kinds), genome.turn_structure.phases
    if len(phases) == 1:
        raise DoesNotApply("it is the only phase")
    return with_phases(genome, splice(phases, place, instead_of=1))


def adding_part(field: str, kinds: tuple[type[Struct], ...], most: int) -> Change:
    """Return a change that adds a part of one of these kinds, if there are fewer than `most`."""

    def add(genome: Genome, chance: Chance) -> Genome:
        parts: tuple[Struct, ...] = getattr(genome, field)
        if len(parts) >= most:
            raise DoesNotApply(f"the game already has {len(parts)}, the maximum")
        new = random_part(chance.choice(kinds), genome, chance)
        return _with(genome, field, splice(parts, chance.below(len(parts) + 1), new))

    add.__doc__ = f"One {_NAMES[field]} more."
    return add


def removing_part(field: str) -> Change:
    """Return a change that removes one of the parts, if the rest is still valid."""

    def remove(genome: Genome, chance: Chance) -> Genome:
        parts: tuple[Struct, ...] = getattr(genome, field)
        for place in chance.shuffled(range(len(parts))):
            child = _with(genome, field, splice(parts, place, instead_of=1))
            if not problems(child):
                return child
        raise DoesNotApply("the game needs it" if parts else f"the game has no {_NAMES[field]}")

    remove.__doc__ = f"One {_NAMES[field]} fewer, if the game does not need it."
    return remove


def changing_part(field: str) -> Change:
    """Return a change of a field of one of the parts."""

    def vary(genome: Genome, chance: Chance) -> Genome:
        parts: tuple[Struct, ...] = getattr(genome, field)
        for place in chance.shuffled(range(len(parts))):
            changed = change(parts[place], genome, chance)
            if changed is not None:
                return _with(genome, field, splice(parts, place, changed, instead_of=1))
        raise DoesNotApply(NO_OTHER if parts else f"the game has no {_NAMES[field]}")

    vary.__doc__ = f"Another value in a field of a {_NAMES[field]}."
    return vary


def add_effect(genome: Genome, chance: Chance) -> Genome:
    """One more effect, for a rank without one or for laying sets."""
    taken = [effect.rank for effect in genome.effects if isinstance(effect, CardEffect)]
    free = [rank for rank in genome.setup.deck.ranks if rank not in taken]
    kinds = [kind for kind, open_ in ((CardEffect, free), (LaySets, len(taken) == len(genome.effects))) if open_]
    if not kinds or len(genome.effects) >= MOST_EFFECTS:
        raise DoesNotApply(
            f"expected a rank without an effect and at most {MOST_EFFECTS} effects, got {len(genome.effects)}"
        )
    new = random_part(chance.choice(kinds), genome, chance)
    if isinstance(new, CardEffect):
        new = replace(new, rank=chance.choice(free))
    return _with(genome, "effects", (*genome.effects, new))


def exchange_win(genome: Genome, chance: Chance) -> Genome:
    """A win condition of another kind in place of one win condition."""
    wins = genome.win_conditions
    kinds = [kind for kind in WINS if kind not in map(type, wins)]
    new = random_part(chance.choice(kinds), genome, chance)
    return _with(genome, "win_conditions", splice(wins, chance.below(len(wins)), new, instead_of=1))


def add_win(genome: Genome, chance: Chance) -> Genome:
    """One more win condition, of a new kind."""
    kinds = tuple([kind for kind in WINS if kind not in map(type, genome.win_conditions)])
    return adding_part("win_conditions", kinds, MOST_WINS)(genome, chance)


def first_win(genome: Genome, chance: Chance) -> Genome:
    """Another win condition first, to decide deals that no condition ends."""
    wins = genome.win_conditions
    if len(wins) < 2:
        raise DoesNotApply("there is only one win condition")
    place = 1 + chance.below(len(wins) - 1)
    return _with(genome, "win_conditions", (wins[place], *wins[:place], *wins[place + 1 :]))


def turn_limit(genome: Genome, chance: Chance) -> Genome:
    """Another turn limit."""
    return replace(genome, max_turns=draw_another(chance, TURN_LIMITS, genome.max_turns))


def _with(genome: Genome, field: str, parts: tuple[Any, ...]) -> Genome:
    return replace(genome, **{field: parts})


Operator: TypeAlias = Callable[[Genome, Chance], Genome | None]


def child_of(name: str, genome: Genome, chance: Chance) -> Genome:
    """Return the repaired child of the operator with this name. Raise `DoesNotApply` if it equals its parent."""
    reason = ""
    for _ in range(TRIES):
        changed = _CHANGES[name](genome, chance)
        child = repair(changed)
        if child != genome:
            return child
        reason = "".join([f" ({problem})" for problem in problems(changed)[:1]])
    raise DoesNotApply(f"the changed game cannot be played{reason}")


def _operator(name: str) -> Operator:
    def vary(genome: Genome, chance: Chance) -> Genome | None:
        try:
            return child_of(name, genome, chance)
        except DoesNotApply:
            return None

    vary.__doc__ = _CHANGES[name].__doc__
    return vary


_CHANGES: dict[str, Change] = {
    "AddBettingPhase": add_betting,
    "RemoveBettingPhase": remove_betting,
    "MutateBettingPhase": changing_phase(BETTING),
    "MutateStartingChips": starting_chips,
    "MutateAnte": ante,
    "MutatePots": pots,
    "MutateDeals": deals,
    "MutatePlayerCount": player_count,
    "MutateDeck": deck,
    "MutateCardsPerPlayer": cards_per_player,
    "MutateDiscardCount": discard_count,
    "MutateTableauCount": tableau_count,
    "MutateTrump": trump,
    "AddPhase": add,
    "RemovePhase": remove,
    "ReplacePhase": exchange,
    "SwapPhases": swap,
    "DuplicatePhase": double,
    **{f"Mutate{kind.__name__}": changing_phase(kind) for kind in CARD_PHASES},
    "MutateOrder": order,
    "MutateRounds": rounds,
    "AddEffect": add_effect,
    "RemoveEffect": removing_part("effects"),
    "MutateEffect": changing_part("effects"),
    "AddScoring": adding_part("scoring", SCORINGS, MOST_SCORING),
    "RemoveScoring": removing_part("scoring"),
    "MutateScoring": changing_part("scoring"),
    "AddWinCondition": add_win,
    "RemoveWinCondition": removing_part("win_conditions"),
    "ReplaceWinCondition": exchange_win,
    "MutateWinCondition": changing_part("win_conditions"),
    "SwapWinConditions": first_win,
    "MutateTurnLimit": turn_limit,
}

OPERATORS: dict[str, Operator] = {name: _operator(name) for name in _CHANGES}
"""Every mutation by its name. A mutation that does not apply to a genome returns None."""


def mutate(genome: Genome, chance: Chance) -> tuple[Genome, str]:
    """Return a child of a random operator that applies, and the operator's name."""
    for name in chance.shuffled(OPERATORS):
        child = OPERATORS[name](genome, chance)
        if child is not None:
            return child, name
    raise AssertionError("the turn limit can always be changed")
