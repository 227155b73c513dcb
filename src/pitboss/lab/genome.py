"""A game as data: setup, phases, effects, scoring and win conditions; facts derived from them; and checks."""

import reprlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, Self, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from pitboss.cards import RANKS, SUITS
from pitboss.errors import PitbossError

MOST_PLAYERS, MOST_CARDS, MOST_PHASES, MOST_WINS = 6, 52, 12, 4
MOST_CHIPS = 1_000_000_000
MOST_RAISES = 1_000
MOST_DEALS = 100
MOST_TURNS = 100_000
MOST_POINTS = 1_000_000  #: a rule's points, positive or negative, and every limit in points
MOST_AT_ONCE = 4  #: cards of one rank that can be played or claimed together
MOST_RULES = 52  #: effects, and scoring rules
LONGEST_NAME = 60

Problems: TypeAlias = Iterator[str]
Values: TypeAlias = Mapping[str, Sequence[object]]
"""The values worth trying, by field."""


class GenomeError(PitbossError, ValueError):
    """A genome that cannot be read or played; the message names the field."""


class Deck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ranks, lowest first, in each of the suits."""

    ranks: str = RANKS
    suits: str = SUITS


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cards and chips before the first turn."""

    cards_per_player: int
    initial_deck: Literal["standard_52"] | Deck = "standard_52"
    initial_discard_count: int = 0
    initial_tableau_count: int = 0
    trump_suit: str | None = None
    starting_chips: int = 0  #: 0: no betting
    ante: int = 0  #: paid by each player at the start of a deal
    pots: Literal["single", "side"] = "single"  #: one pot, or side pots for players who are all-in
    deals: int = 1  #: number of deals; chips and scores are kept, and the starting player rotates

    @property
    def deck(self) -> Deck:
        return Deck() if isinstance(self.initial_deck, str) else self.initial_deck


Between: TypeAlias = tuple[int, int]


class Mechanic(NamedTuple):
    """What players mainly do with their cards, and the usual size of such a game, without and with betting."""

    name: str
    hands: tuple[Between, Between]  #: cards dealt to each player
    rounds: tuple[Between, Between] | None = None  #: usual number of rounds, if nothing else ends a deal
    each_round: bool = False  #: one card is played per round, so there are as many rounds as cards dealt
    starts_pile: bool = False  #: the discards begin with a card from the deck
    whole: int = 0  #: cards in a hand at the end, including those drawn later


MELDS = Mechanic("melds", ((6, 10), (5, 7)), ((6, 20), (2, 4)))


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The common base of phases and win conditions: numbers with bounds, and columns in the engine's program."""

    bounds: ClassVar[Mapping[str, tuple[int, int]]] = {}  #: minimum and maximum, by field
    columns: ClassVar[tuple[str, ...]] = ()  #: the program's columns; each begins with the kind's name
    usual_values: ClassVar[Values] = {}  #: values worth trying, by field

    def numbers(self, genome: "Genome", at: int) -> tuple[int, ...]:
        """One number per column, if this is the part at this index of its list."""
        return ()

    @classmethod
    def values(cls, genome: "Genome") -> Values:
        """The values worth trying for each field in this genome."""
        return cls.usual_values

    def problems(self, field: str, genome: "Genome") -> Iterator[str]:
        """Errors in its own fields, other than bounds; `field` is its path in the genome."""
        yield from ()

    def contradictions(self, field: str, genome: "Genome", at: int) -> Iterator[str]:
        """Errors in combination with the rest of the genome."""
        yield from ()

    def mends(self, name: str, genome: "Genome") -> Iterator["Part"]:
        """Parts to try instead if this field is wrong, other than moving a number into its bounds."""
        yield from ()

    def clamped(self, name: str) -> Self:
        """The part with this number moved into its bounds."""
        least, most = self.bounds[name]
        return replace(self, **{name: max(least, min(most, getattr(self, name)))})


# --- phases


class Traits(Struct, frozen=True, kw_only=True):
    """What a phase does, for code that does not know its kind."""

    unfinished: str = ""  #: what must be finished before a deal can end, in English
    turned_up: int = 0  #: community cards it turns up
    uses_deck: bool = False  #: cards come from the deck
    taken: int = 0  #: most cards a player takes from the deck into the hand
    draws: bool = False  #: cards come from the deck into a hand, not in exchange
    discards: bool = False  #: cards go to the discards
    releases: bool = False  #: a hand can become smaller
    captures: bool = False  #: cards are captured
    looks: bool | None = None  #: players look at their own cards; None if hands play no part
    asks_suit: bool = False  #: a card's suit can matter
    takes_known: bool = False  #: cards known to others come into a hand, so their suits identify them
    grows: bool = False  #: a hand can become larger than dealt
    uneven: bool = False  #: hands can differ in size afterwards, even if the deck has enough cards
    shed: int = 0  #: cards that always leave a hand that has enough; 0 for tricks
    thrown: int = 0  #: cards that each player who has enough must discard
    put_away: int = 0  #: cards that can leave a hand permanently
    must_take: int = 0  #: cards that each player must take from the deck
    takes_discards: bool = False  #: a card can be taken from the discards
    from_others: bool = False  #: cards are taken from other hands
    throws: bool = False  #: cards go from the hand to the discards without being played
    ordered: bool = False  #: the order of a hand can matter, even if suits do not
    clears: bool = False  #: a pile is cleared when all others pass
    several: bool = False  #: several cards of one rank can be played together
    mechanic: Mechanic | None = None  #: the game's mechanic, if this phase determines it
    unsolvable: str = ""  #: why the solver cannot solve it; empty if it can


class Phase(Part, frozen=True):
    """A step of the turn structure; `type` in JSON names its kind."""

    everybodys: ClassVar[bool] = False  #: all players take part together
    bets: ClassVar[bool] = False  #: chips are bet
    tricks: ClassVar[bool] = False  #: tricks are taken
    plays: ClassVar[bool] = False  #: cards are played on a pile
    claims: ClassVar[bool] = False  #: cards are claimed to be of a rank, which rises with each claim
    main: ClassVar[int] = 0  #: above 0 if hands are played out; the phase with the greatest number determines the game
    transforms: ClassVar[bool] = False  #: changing one of its fields makes another kind of game
    least_shared: ClassVar[int] = 0  #: fewest community cards it turns up
    closes: ClassVar[bool] = False  #: it is finished even if the deal ends with it
    thought: ClassVar[int] = 0  #: what the greedy policy must compute to rate its moves (`codes.py`)
    by_strength: ClassVar[bool] = False  #: the search policy distinguishes positions by hand strength
    habitual: ClassVar[bool] = True  #: the search policy expects the greedy policy's move
    unable: ClassVar[str] = "can do nothing"  #: the verb for a player who cannot do it, or a sentence if it is for all

    def brings(self, genome: "Genome", left: int) -> bool:
        """Whether new cards can come into hands, if this many are left in the deck."""
        return False

    def idle(self, brings: bool) -> bool:
        """Whether nothing can ever happen in it; `brings` is whether any phase brings cards."""
        return False

    @property
    def traits(self) -> Traits:
        return Traits()

    # --- variation, evolution and the solver

    @property
    def label(self) -> str:
        """The kind of step in a word or two."""
        return type(self).__name__.removesuffix("Phase")

    def serves(self, aim: "WinCondition") -> bool:
        """Whether it helps to reach this aim, or to stop others from reaching it."""
        return True

    def sensible(self, genome: "Genome", phases: Sequence["Phase"]) -> "Phase":
        """The phase without pointless choices or dead ends, in a game with these phases."""
        return self

    def balanced(self, aim: "WinCondition", drawn: int) -> tuple["Phase", int]:
        """The phase changed so that compared hands stay as large as dealt, and the cards drawn but not yet put away."""
        return self, drawn

    def staked(self, ante: int, last: int) -> tuple["Phase", int]:
        """The phase with bets of a usual size, at least `last`, and that size."""
        return self, last

    def collecting(self) -> tuple["Phase", ...]:
        """The phases of a turn with this draw in which sets are collected."""
        return (self,)

    def with_fewer_shared(self, over: int) -> "Phase":
        """The phase with up to this many fewer community cards, but at least one."""
        return self

    def with_deck(self) -> "Phase":
        """The phase changed so that cards can come from the deck if there are no discards."""
        return self

    def why_not(self, g: Any, s: Any, at: int, place: int) -> str:
        """Why nothing happened in it for a player; empty if there was nothing to do."""
        return "no card fits" if self.plays and s.held[place] else "no card left"

    def claim(self, s: Any) -> tuple[int, int] | None:
        """The seat whose claim others may doubt now, and the number of claimed cards."""
        return None

    # --- sentences

    def step(self, genome: "Genome", at: int) -> str:
        """The rulebook's text for this step: a bold word, then an explanation."""
        raise NotImplementedError(f"{type(self).__name__} has no sentence for the rulebook")

    def brief(self, genome: "Genome") -> str:
        """What a player does, in a few words: "draw a card"."""
        raise NotImplementedError(f"{type(self).__name__} has no few words for the rulebook")

    def asked(self, genome: "Genome", s: Any) -> str:
        """The prompt in this state: "discard two cards, one more to go"."""
        return self.brief(genome)

    @classmethod
    def word(cls, deck: Deck, move: int) -> str:
        """A move in words, for the screen."""
        raise NotImplementedError(f"{cls.__name__} has no words for its moves")


class Betting(Protocol):
    """A phase in which chips are bet."""

    @property
    def min_bet(self) -> int: ...
    @property
    def max_raises(self) -> int: ...


class TurnStructure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The phases and their order.

    In "turns" a player does all phases, then the next player does. In "rounds" all players do a phase before the
    next phase begins. All players take part together in betting, tricks and community cards in both orders. A deal ends
    after `rounds` rounds. With 0 it ends when a win condition ends it or nothing can happen any more.
    """

    phases: tuple[Phase, ...]
    order: Literal["turns", "rounds"] = "turns"
    rounds: int = 0


# --- effects and scoring


class CardEffect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """The effect of playing a card of a rank: the next player draws two; in "turns" also skip, reverse and again."""

    rank: str
    effect: Literal["skip", "reverse", "draw_two", "again"]


class LaySets(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """Cards of one rank are laid from the hand as a set as soon as there are `size` of them; they count as captured."""

    size: int = 4
    points: int = 0


class CardPoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """Points at the end of a deal for cards captured or still held; `cards` is a rank and a suit, `*` for any."""

    cards: str = "**"
    points: int = 1
    where: Literal["captured", "hand"] = "captured"


class TrickPoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """Points for each trick."""

    points: int = 1


Effect: TypeAlias = CardEffect | LaySets
Scoring: TypeAlias = CardPoints | TrickPoints


# --- win conditions


class WinCondition(Part, frozen=True):
    """Decides who wins a deal: the greatest value among players who have not folded; equal players share."""

    point: ClassVar[int] = 0  #: the value of a point: 1, -1 if the fewest win, 0 if points do not matter
    of_holding: ClassVar[bool] = False  #: compares only hands, so hands are shown
    sheds: ClassVar[bool] = False  #: players want to get rid of cards
    likes_tricks: ClassVar[bool] = False  #: taking tricks is good, whatever they contain
    needs_cards: ClassVar[bool] = False  #: ends a deal before all hands are empty
    collects: ClassVar[bool] = False  #: players want to take all cards
    melds: ClassVar[bool] = False  #: cards are collected in sets and runs, also from the discards
    one_card: ClassVar[bool] = False  #: a single card decides
    at_once: ClassVar[bool] = False  #: ends it as soon as a hand is empty, even within a round

    @property
    def counts_community(self) -> bool:
        """Whether community cards are part of every hand."""
        return False

    @property
    def shortest_suited(self) -> int:
        """The fewest ranks of a pattern in which suits count; 0 if suits never count."""
        return 0

    @property
    def final_score(self) -> int:
        """The points that end the whole game; 0 if points do not end it."""
        return 0

    @property
    def plain_steps(self) -> tuple[Mapping[str, Any], ...]:
        """The simplest phases for this aim, as in a file."""
        return {"type": "PlayPhase", "target": "tableau", "capture": "rank"}, {"type": "DrawPhase"}

    @property
    def limit(self) -> int:
        """The points in hand above which a player takes no more cards; 0 if there is no limit."""
        return 0

    @property
    def mechanic(self) -> Mechanic:
        """What players mainly do with their cards, if no phase determines it."""
        return MELDS

    @property
    def label(self) -> str:
        """The kind of aim in a word or two."""
        return type(self).__name__

    def instead(self, genome: "Genome") -> str:
        """The type of an aim that makes more sense in this game; empty if there is none."""
        return ""

    def sensible(self, genome: "Genome") -> "WinCondition":
        """The aim with numbers that make sense in this game."""
        return self

    def lies_open(self, genome: "Genome") -> bool:
        """Whether all players can see what it compares: neither hands nor points for cards in hand."""
        held = any(isinstance(rule, CardPoints) and rule.where == "hand" and rule.points for rule in genome.scoring)
        return not self.of_holding and not (self.point and held)

    def aim(self, genome: "Genome") -> str:
        """The aim of the game, as a sentence."""
        raise NotImplementedError(f"{type(self).__name__} has no sentence for the rulebook")

    def best(self) -> str:
        """The winner: "the player with the most points"."""
        raise NotImplementedError(f"{type(self).__name__} has no sentence for the rulebook")

    def words(self, value: int, genome: "Genome") -> str:
        """The value of a position in words: "three tricks"."""
        return f"{value}"

    def ends(self, genome: "Genome") -> str:
        """When it ends a deal early; empty if it never does."""
        return ""

    def explained(self, genome: "Genome") -> str:
        """Rules that are needed to see who wins; empty if there are none."""
        return ""


class Genome(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole game."""

    name: str = "unnamed"
    player_count: int = 2
    setup: Setup
    turn_structure: TurnStructure
    effects: tuple[Effect, ...] = ()
    scoring: tuple[Scoring, ...] = ()
    win_conditions: tuple[WinCondition, ...]
    max_turns: int = 1000  #: limit of actions, counting phases without one; then the current position decides

    @property
    def betting_phases(self) -> tuple[Betting, ...]:
        return tuple([cast(Betting, phase) for phase in self.turn_structure.phases if phase.bets])

    @property
    def traits(self) -> tuple[Traits, ...]:
        """The traits of each phase."""
        return tuple([phase.traits for phase in self.turn_structure.phases])


def deck_size(genome: Genome) -> int:
    return len(genome.setup.deck.ranks) * len(genome.setup.deck.suits)


def dealt(genome: Genome) -> int:
    """The number of cards dealt before the first phase."""
    setup = genome.setup
    each = genome.player_count * setup.cards_per_player
    return each + setup.initial_discard_count + setup.initial_tableau_count


def undealt(genome: Genome) -> int:
    """The number of cards left in the deck after the deal; negative if it has too few."""
    return deck_size(genome) - dealt(genome)


def turned_up(genome: Genome) -> int:
    """The number of community cards turned up in one round."""
    return sum([traits.turned_up for traits in genome.traits])


def brings_cards(genome: Genome) -> bool:
    """Whether new cards can come into hands."""
    left = undealt(genome)
    return any(phase.brings(genome, left) for phase in genome.turn_structure.phases)


def has_hands(genome: Genome) -> bool:
    """Whether a player ever holds a card."""
    return genome.setup.cards_per_player > 0 or brings_cards(genome)


def has_tricks(genome: Genome) -> bool:
    return any(phase.tricks for phase in genome.turn_structure.phases)


def a_player(genome: Genome) -> str:
    """A player who can end the deal, in words; players who folded cannot."""
    return "a player who is still in" if genome.betting_phases else "a player"


def lays_sets(genome: Genome) -> bool:
    return any(isinstance(effect, LaySets) for effect in genome.effects)


def collects_cards(genome: Genome) -> bool:
    """Whether cards are captured, in tricks or otherwise."""
    return lays_sets(genome) or any(phase.traits.captures or phase.tricks for phase in genome.turn_structure.phases)


def counts_all(rule: Scoring) -> bool:
    """Whether the rule counts all captured cards alike."""
    return isinstance(rule, CardPoints) and rule.cards == "**" and rule.where == "captured"


def main_phase(genome: Genome) -> Phase | None:
    """The phase in which hands are played out; if there are several, the one that determines the game."""
    found = max(genome.turn_structure.phases, key=lambda phase: phase.main, default=None)
    return found if found and found.main else None


def mechanic(genome: Genome) -> Mechanic:
    """What players mainly do with their cards.

    >>> from pitboss.lab.files import load
    >>> [mechanic(load(name)).name for name in ("whist", "scopa", "president", "mau_mau", "cheat")]
    ['tricks', 'captures', 'climbing', 'fitting', 'claims']
    >>> [mechanic(load(name)).name for name in ("go_fish", "gin", "blackjack", "leduc", "kuhn")]
    ['asking', 'melds', 'limit', 'poker', 'high card']
    """
    main = main_phase(genome)
    asked = [phase.traits.mechanic for phase in ([main] if main else genome.turn_structure.phases)]
    return next((found for found in asked if found), genome.win_conditions[0].mechanic)


def cards_leave(genome: Genome) -> bool:
    """Whether a hand can become smaller."""
    return lays_sets(genome) or any(traits.releases for traits in genome.traits)


def cards_come_or_go(genome: Genome) -> bool:
    """Whether hands can differ in size for reasons other than cards played to tricks."""
    phases = genome.turn_structure.phases
    released = any(phase.traits.releases and not phase.tricks for phase in phases)
    return lays_sets(genome) or released or any(traits.grows or traits.draws for traits in genome.traits)


def most_held(genome: Genome) -> int:
    """The most cards that a hand can have: as many as dealt, or the whole deck if hands can grow."""
    return deck_size(genome) if hands_grow(genome) else genome.setup.cards_per_player


def hands_grow(genome: Genome) -> bool:
    """Whether a hand can become larger than dealt."""
    grows = any(traits.grows or traits.takes_known for traits in genome.traits)
    return grows or any(isinstance(effect, CardEffect) and effect.effect == "draw_two" for effect in genome.effects)


def hands_differ(genome: Genome) -> bool:
    """Whether hands may differ in size at the end of a deal; True if unsure."""
    rounds = genome.turn_structure.rounds
    if lays_sets(genome) or rounds == 0 or any(win.ends(genome) for win in genome.win_conditions):
        return True
    taken = genome.player_count * rounds * sum([traits.taken + traits.turned_up for traits in genome.traits])
    return taken > undealt(genome) or any(traits.uneven for traits in genome.traits)


def deciding_wins(genome: Genome) -> tuple[WinCondition, ...]:
    """The win conditions that can decide a deal: the first, and those that can end one."""
    first, *others = genome.win_conditions
    return (first, *[win for win in others if win.ends(genome)])


def next_play(genome: Genome, after: int) -> int | None:
    """The index of the next play phase, if there is one."""
    phases = genome.turn_structure.phases
    return next((at for at in range(after + 1, len(phases)) if phases[at].plays), None)


def settled_from(genome: Genome) -> int:
    """The first of the last bets in a deal if the winner is already visible then; else the number of phases."""
    phases = genome.turn_structure.phases
    moving = [at + 1 for at, phase in enumerate(phases) if not phase.bets]
    return moving[-1] if moving and genome.win_conditions[0].lies_open(genome) else len(phases)


def only_blind(genome: Genome) -> bool:
    """Whether cards are only turned up from a pile, so that players never see their own cards."""
    looks = [phase.traits.looks for phase in genome.turn_structure.phases if phase.traits.looks is not None]
    return bool(looks) and not any(looks)


def named(name: str) -> Problems:
    """Errors in a game's name."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        yield f"name: expected 1 to {LONGEST_NAME} printable characters, got {reprlib.repr(name)}"


def between(field: str, number: int, least: int, most: int) -> Problems:
    """The error of a number out of bounds."""
    if not least <= number <= most:
        yield f"{field}: expected {least:,} to {most:,}, got {reprlib.repr(number)}"


def some(field: str, what: str, count: int, most: int) -> Problems:
    """The error of an empty or too long list."""
    if count == 0:
        yield f"{field}: expected at least one {what}, got none"
    elif count > most:
        yield f"{field}: expected at most {most}, got {count}"


def letters(field: str, given: str, among: str, what: str) -> Problems:
    """Errors of letters that are repeated or not allowed."""
    for letter in dict.fromkeys(given):
        if letter not in among:
            yield f"{field}: expected only {what} ({among}), got {letter!r}"
        elif given.count(letter) > 1:
            yield f"{field}: expected each letter once, got {letter!r} twice"


def check(genome: Genome) -> Genome:
    """Return the genome, or raise `GenomeError` with the first reason why it cannot be played."""
    for problem in problems(genome):
        raise GenomeError(problem)
    return genome


def problems(genome: Genome) -> tuple[str, ...]:
    """All reasons why a genome cannot be played.

    >>> from msgspec.structs import replace
    >>> from pitboss.lab.files import load
    >>> kuhn = load("kuhn")
    >>> problems(kuhn)
    ()
    >>> problems(replace(kuhn, setup=replace(kuhn.setup, starting_chips=0)))[0]
    'setup.starting_chips: expected at least 1, since there is a betting phase, got 0'
    """
    shape = tuple(_shape(genome))
    return shape or tuple(_sense(genome))  # the rules only make sense if all numbers are valid


def warnings(genome: Genome) -> tuple[str, ...]:
    """Reasons why a playable genome is a poor game; it is not refused for them.

    >>> from msgspec.structs import replace
    >>> from pitboss.lab.files import load
    >>> kuhn = load("kuhn")
    >>> warnings(kuhn), warnings(replace(kuhn, setup=replace(kuhn.setup, ante=0)))[0][:41]
    ((), 'setup.ante: there is betting but no ante.')
    """
    return tuple(_weaknesses(genome))


def _weaknesses(genome: Genome) -> Problems:
    if genome.betting_phases and genome.setup.starting_chips and genome.setup.ante == 0:
        yield (
            "setup.ante: there is betting but no ante. Checking always and folding to every bet costs nothing, "
            "so it is the best strategy. Set an ante"
        )


def _shape(genome: Genome) -> Problems:
    """Numbers out of bounds, and letters that are not valid ranks and suits."""
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
    """Contradictions, and games in which nothing can happen."""
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
        yield f'setup.trump_suit: expected null, "random" or one of {deck.suits!r}, got {reprlib.repr(trump)}'


def _deck(deck: Deck) -> Problems:
    for field, given, among, what in (("ranks", deck.ranks, RANKS, "rank"), ("suits", deck.suits, SUITS, "suit")):
        if not given:
            yield f"setup.initial_deck.{field}: expected at least one {what}, got none"
        yield from letters(f"setup.initial_deck.{field}", given, among, field)


def _rules(genome: Genome) -> Problems:
    deck = genome.setup.deck
    for what, rules in (("effects", genome.effects), ("scoring", genome.scoring)):
        if len(rules) > MOST_RULES:
            yield f"{what}: expected at most {MOST_RULES}, got {len(rules)}"
    ranks_seen: set[str] = set()
    sets_seen = False
    for at, effect in enumerate(genome.effects):
        field = f"effects[{at}]"
        if isinstance(effect, LaySets):
            if sets_seen:
                yield f"{field}: expected at most one effect that lays sets, got a second one"
            sets_seen = True
            if not 2 <= effect.size <= len(deck.suits):
                yield f"{field}.size: expected 2 up to the number of suits ({len(deck.suits)}), got {effect.size}"
            yield from between(f"{field}.points", effect.points, -MOST_POINTS, MOST_POINTS)
        elif len(effect.rank) != 1 or effect.rank not in deck.ranks:
            yield f"{field}.rank: expected one of {deck.ranks!r}, got {reprlib.repr(effect.rank)}"
        elif effect.rank in ranks_seen:
            yield f"{field}.rank: expected one effect per rank, got a second one for {effect.rank!r}"
        else:
            ranks_seen.add(effect.rank)
    for at, rule in enumerate(genome.scoring):
        yield from between(f"scoring[{at}].points", rule.points, -MOST_POINTS, MOST_POINTS)
        if isinstance(rule, CardPoints) and not _are_cards(rule.cards, deck):
            yield (
                f'scoring[{at}].cards: expected a rank and a suit of the deck such as "Qs", or "*" for any, '
                f"got {reprlib.repr(rule.cards)}"
            )


def _are_cards(cards: str, deck: Deck) -> bool:
    return len(cards) == 2 and cards[0] in f"*{deck.ranks}" and cards[1] in f"*{deck.suits}"


# --- cards and chips


def _enough_cards(genome: Genome) -> Problems:
    left = undealt(genome)
    if left < 0:
        yield f"setup.cards_per_player: {dealt(genome)} cards are dealt, but the deck has only {deck_size(genome)}"
        return
    turned = turned_up(genome)
    if turned > left:
        cards = "1 community card" if turned == 1 else f"{turned} community cards"
        yield f"turn_structure.phases: {cards}, but after the deal the deck has only {left}"


def _chips(genome: Genome) -> Problems:
    chips, ante, bets = genome.setup.starting_chips, genome.setup.ante, genome.betting_phases
    if chips and not bets:
        yield f"setup.starting_chips: expected 0, since there is no betting phase, got {chips}"
    if bets and not chips:
        yield "setup.starting_chips: expected at least 1, since there is a betting phase, got 0"
    if ante > chips:
        yield f"setup.ante: expected at most the {chips} starting chips, got {ante}"


def _something_happens(genome: Genome) -> Problems:
    phases = genome.turn_structure.phases
    if genome.betting_phases or turned_up(genome):
        return
    brings = brings_cards(genome)
    if not has_hands(genome):
        yield "setup.cards_per_player: no player ever holds a card, so nothing can happen"
    elif all(phase.idle(brings) for phase in phases):
        yield "turn_structure.phases: there is never a card to draw, so nothing can happen"


def reachable_points(genome: Genome) -> Iterator[int]:
    """The points of every rule that can give points in this game."""
    hands = has_hands(genome)
    tricks = hands and has_tricks(genome)
    sets = hands and any(isinstance(effect, LaySets) for effect in genome.effects)
    captures = sets or (hands and any(traits.captures for traits in genome.traits))
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
