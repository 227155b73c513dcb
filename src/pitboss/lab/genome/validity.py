"""Checks whether a genome can be played, and names each field that is wrong."""

import reprlib
from collections.abc import Iterator

from pitboss.cards import RANKS, SUITS
from pitboss.lab.genome.parts import (
    MOST_CARDS,
    MOST_PHASES,
    MOST_PLAYERS,
    MOST_WINS,
    CardPoints,
    Deck,
    Genome,
    GenomeError,
    LaySets,
    Part,
    TrickPoints,
    brings_cards,
    dealt,
    has_hands,
    has_tricks,
    turned_up,
    undealt,
)

Problems = Iterator[str]

MOST_CHIPS = 1_000_000_000
MOST_RAISES = 1_000
MOST_DEALS = 100
MOST_TURNS = 100_000
MOST_POINTS = 1_000_000  #: a rule's points, either way, and every limit that is counted in points
MOST_AT_ONCE = 4  #: cards of one rank that are played or claimed together
MOST_RULES = 52  #: effects, and rules of scoring
LONGEST_NAME = 60


def named(name: str) -> Problems:
    """A game's name that is none."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        yield f"name: {reprlib.repr(name)} is no name; write up to {LONGEST_NAME} characters on one line"


def between(field: str, number: int, least: int, most: int) -> Problems:
    """A number out of bounds."""
    if not least <= number <= most:
        yield f"{field}: {reprlib.repr(number)} is not between {least:,} and {most:,}"


def some(field: str, what: str, count: int, most: int) -> Problems:
    """None of a thing, or too many."""
    if count == 0:
        yield f"{field}: there is no {what}"
    elif count > most:
        yield f"{field}: {count} are too many, there may be {most}"


def letters(field: str, given: str, among: str, what: str) -> Problems:
    """Letters that stand there twice, or are not among those."""
    for letter in dict.fromkeys(given):
        if letter not in among:
            yield f"{field}: {letter!r} is no {what} {among!r} has"
        elif given.count(letter) > 1:
            yield f"{field}: {letter!r} stands there twice"


def check(genome: Genome) -> Genome:
    """Return the genome, or raise `GenomeError` with the first reason why it cannot be played."""
    for problem in problems(genome):
        raise GenomeError(problem)
    return genome


def problems(genome: Genome) -> tuple[str, ...]:
    """Every reason why a genome cannot be played.

    >>> from msgspec.structs import replace
    >>> from pitboss.lab.files import load
    >>> kuhn = load("kuhn")
    >>> problems(kuhn)
    ()
    >>> problems(replace(kuhn, setup=replace(kuhn.setup, starting_chips=0)))[0]
    'setup.starting_chips: 0 chips, but there is a betting phase'
    """
    shape = tuple(_shape(genome))
    return shape or tuple(_sense(genome))  # what a game means can be asked only where its numbers are numbers of a game


def warnings(genome: Genome) -> tuple[str, ...]:
    """What makes a genome that can be played a poor game; nothing is refused for it.

    >>> from msgspec.structs import replace
    >>> from pitboss.lab.files import load
    >>> kuhn = load("kuhn")
    >>> warnings(kuhn), warnings(replace(kuhn, setup=replace(kuhn.setup, ante=0)))[0][:40]
    ((), 'setup.ante: there is betting, but no ant')
    """
    return tuple(_weaknesses(genome))


def _weaknesses(genome: Genome) -> Problems:
    if genome.betting_phases and genome.setup.starting_chips and genome.setup.ante == 0:
        yield (
            "setup.ante: there is betting, but no ante, so that to check for ever and to fold to every bet costs "
            "nothing and is best; give it an ante"
        )


def _shape(genome: Genome) -> Problems:
    """Numbers out of bounds, and letters that are no ranks and suits."""
    yield from named(genome.name)
    yield from between("player_count", genome.player_count, 2, MOST_PLAYERS)
    yield from between("max_turns", genome.max_turns, 1, MOST_TURNS)
    yield from _setup(genome)
    turns = genome.turn_structure
    yield from between("turn_structure.rounds", turns.rounds, 0, MOST_TURNS)
    yield from some("turn_structure.phases", "phase", len(turns.phases), MOST_PHASES)
    for at, phase in enumerate(turns.phases):
        yield from _part(f"turn_structure.phases[{at}]", phase, genome)
    yield from _rules(genome)
    yield from some("win_conditions", "win condition", len(genome.win_conditions), MOST_WINS)
    for at, win in enumerate(genome.win_conditions):
        yield from _part(f"win_conditions[{at}]", win, genome)


def _sense(genome: Genome) -> Problems:
    """What contradicts itself, or leads nowhere."""
    yield from _enough_cards(genome)
    yield from _chips(genome)
    for at, phase in enumerate(genome.turn_structure.phases):
        yield from phase.contradictions(f"turn_structure.phases[{at}]", genome, at)
    yield from _something_happens(genome)
    for at, win in enumerate(genome.win_conditions):
        yield from win.contradictions(f"win_conditions[{at}]", genome, at)


# --- numbers and letters


def _part(field: str, part: Part, genome: Genome) -> Problems:
    for name, (least, most) in part.bounds.items():
        yield from between(f"{field}.{name}", getattr(part, name), least, most)
    yield from part.problems(field, genome)


def _setup(genome: Genome) -> Problems:
    setup, deck = genome.setup, genome.setup.deck
    if not isinstance(setup.initial_deck, str):
        yield from _deck(setup.initial_deck)
    yield from between("setup.cards_per_player", setup.cards_per_player, 0, MOST_CARDS)
    yield from between("setup.initial_discard_count", setup.initial_discard_count, 0, MOST_CARDS)
    yield from between("setup.initial_tableau_count", setup.initial_tableau_count, 0, MOST_CARDS)
    yield from between("setup.starting_chips", setup.starting_chips, 0, MOST_CHIPS)
    yield from between("setup.ante", setup.ante, 0, MOST_CHIPS)
    yield from between("setup.deals", setup.deals, 1, MOST_DEALS)
    trump = setup.trump_suit
    if trump not in (None, "random", *deck.suits):
        allowed = f'the deck has the suits {deck.suits!r}, and there is "random"'
        yield f"setup.trump_suit: {reprlib.repr(trump)} is no suit here; {allowed}"


def _deck(deck: Deck) -> Problems:
    for field, given, among, what in (("ranks", deck.ranks, RANKS, "rank"), ("suits", deck.suits, SUITS, "suit")):
        if not given:
            yield f"setup.initial_deck.{field}: there is no {what}"
        yield from letters(f"setup.initial_deck.{field}", given, among, what)


def _rules(genome: Genome) -> Problems:
    """Effects and scoring."""
    deck = genome.setup.deck
    for what, rules in (("effects", genome.effects), ("scoring", genome.scoring)):
        if len(rules) > MOST_RULES:
            yield f"{what}: {len(rules)} are too many, there may be {MOST_RULES}"
    ranks_seen: set[str] = set()
    sets_seen = False
    for at, effect in enumerate(genome.effects):
        field = f"effects[{at}]"
        if isinstance(effect, LaySets):
            if sets_seen:
                yield f"{field}: sets are laid by another effect already"
            sets_seen = True
            if not 2 <= effect.size <= len(deck.suits):
                yield f"{field}.size: {effect.size} make no set: at least 2 of a rank, which has {len(deck.suits)}"
            yield from between(f"{field}.points", effect.points, -MOST_POINTS, MOST_POINTS)
        elif len(effect.rank) != 1 or effect.rank not in deck.ranks:
            yield f"{field}.rank: {reprlib.repr(effect.rank)} is no rank of the deck, which has {deck.ranks!r}"
        elif effect.rank in ranks_seen:
            yield f"{field}.rank: {effect.rank!r} has another effect already"
        else:
            ranks_seen.add(effect.rank)
    for at, rule in enumerate(genome.scoring):
        yield from between(f"scoring[{at}].points", rule.points, -MOST_POINTS, MOST_POINTS)
        if isinstance(rule, CardPoints) and not _are_cards(rule.cards, deck):
            yield (
                f"scoring[{at}].cards: {reprlib.repr(rule.cards)} are no cards of the deck; "
                'write a rank and a suit such as "Qs", "*" for any'
            )


def _are_cards(cards: str, deck: Deck) -> bool:
    return len(cards) == 2 and cards[0] in f"*{deck.ranks}" and cards[1] in f"*{deck.suits}"


# --- cards and chips


def _enough_cards(genome: Genome) -> Problems:
    left = undealt(genome)
    if left < 0:
        yield f"setup.cards_per_player: {dealt(genome)} cards are dealt, but the deck has only {dealt(genome) + left}"
        return
    turned = turned_up(genome)
    if turned > left:
        cards = "1 community card" if turned == 1 else f"{turned} community cards"
        yield f"turn_structure.phases: {cards}, but after the deal the deck has only {left}"


def _chips(genome: Genome) -> Problems:
    chips, ante, bets = genome.setup.starting_chips, genome.setup.ante, genome.betting_phases
    if chips and not bets:
        yield f"setup.starting_chips: {chips} chips, but there is no betting phase"
    if bets and not chips:
        yield "setup.starting_chips: 0 chips, but there is a betting phase"
    if ante > chips:
        yield f"setup.ante: {ante} is more than the {chips} chips a player starts with"


def _something_happens(genome: Genome) -> Problems:
    phases = genome.turn_structure.phases
    if genome.betting_phases or turned_up(genome):
        return
    brings = brings_cards(genome)
    if not has_hands(genome):
        yield "setup.cards_per_player: nobody ever holds a card, and nothing can happen"
    elif all(phase.idle(brings) for phase in phases):
        yield "turn_structure.phases: there is never a card to draw, and nothing else can happen"


def reachable_points(genome: Genome) -> Iterator[int]:
    """The points of every rule under which some can be made."""
    hands = has_hands(genome)
    tricks = hands and has_tricks(genome)
    sets = hands and any(isinstance(effect, LaySets) for effect in genome.effects)
    captures = sets or (hands and any(phase.traits.captures for phase in genome.turn_structure.phases))
    for effect in genome.effects:
        if isinstance(effect, LaySets) and sets:
            yield effect.points
    for rule in genome.scoring:
        match rule:
            case TrickPoints() if tricks:
                yield rule.points
            case CardPoints(where="captured") if captures:
                yield rule.points
            case CardPoints(where="hand") if hands:
                yield rule.points
            case _:
                pass


__all__ = ["check", "problems", "reachable_points", "warnings"]
