"""A game as data: its setup, phases, effects, scoring and win conditions. Functions derive facts and check the data."""

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
MOST_POINTS = 1_000_000  #: the maximum of points in a rule or a limit, positive or negative
MOST_AT_ONCE = 4  #: the maximum number of cards of one rank that can be played or claimed together
MOST_RULES = 52  #: the maximum number of effects, and of scoring rules
LONGEST_NAME = 60

Problems: TypeAlias = Iterator[str]
Values: TypeAlias = Mapping[str, Sequence[object]]
"""For each field, the values that variation tries."""


class GenomeError(PitbossError, ValueError):
    """A genome cannot be read or played. The message begins with the field.

    >>> from pitboss.lab import read_genome
    >>> try:
    ...     read_genome("")
    ... except ValueError as error:
    ...     print(str(error)[:41])
    expected a game as JSON, got an empty tex
    """


class Deck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cards of the game: one card of each rank in each suit. The lowest rank is first."""

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
    """What players mainly do with their cards, with usual numbers: (minimum, maximum) without betting, then with it."""

    name: str
    hands: tuple[Between, Between]  #: usual number of cards dealt to each player
    rounds: tuple[Between, Between] | None = None  #: usual number of rounds if nothing else ends a deal
    each_round: bool = False  #: number of rounds = number of cards dealt, because one card is played per round
    starts_pile: bool = False  #: the discards begin with a card from the deck
    whole: int = 0  #: number of cards in a complete hand at the end of a deal


MELDS = Mechanic("melds", ((6, 10), (5, 7)), ((6, 20), (2, 4)))


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The common base of phases and win conditions: numbers with bounds, and columns in the engine's program."""

    bounds: ClassVar[Mapping[str, tuple[int, int]]] = {}  #: minimum and maximum, by field
    columns: ClassVar[tuple[str, ...]] = ()  #: the program's columns; each begins with the kind's name
    usual_values: ClassVar[Values] = {}  #: values that variation tries, by field

    def numbers(self, genome: "Genome", at: int) -> tuple[int, ...]:
        """Return one number per column. `at` is the index of this part in its list."""
        return ()

    @classmethod
    def values(cls, genome: "Genome") -> Values:
        """Return the values that variation tries for each field in this genome."""
        return cls.usual_values

    def problems(self, field: str, genome: "Genome") -> Iterator[str]:
        """Yield errors in this part's own fields, except numbers out of bounds. `field` is its path in the genome."""
        yield from ()

    def contradictions(self, field: str, genome: "Genome", at: int) -> Iterator[str]:
        """Yield errors of this part in combination with the rest of the genome."""
        yield from ()

    def mends(self, name: str, genome: "Genome") -> Iterator["Part"]:
        """Yield replacements to try if this field is wrong. A number out of bounds needs none: see `clamped`."""
        yield from ()

    def clamped(self, name: str) -> Self:
        """Return the part with this number moved into its bounds."""
        least, most = self.bounds[name]
        return replace(self, **{name: max(least, min(most, getattr(self, name)))})


# --- phases


class Traits(Struct, frozen=True, kw_only=True):
    """What a phase does. Code that is the same for all kinds of phases uses the traits."""

    unfinished: str = ""  #: in English, what must be finished before a deal can end
    turned_up: int = 0  #: number of community cards that the phase turns up
    uses_deck: bool = False  #: cards come from the deck
    taken: int = 0  #: maximum number of cards that a player takes from the deck into the hand
    draws: bool = False  #: cards come from the deck into a hand, other than replacements
    discards: bool = False  #: cards go to the discards
    releases: bool = False  #: a hand can become smaller
    captures: bool = False  #: cards are captured
    looks: bool | None = None  #: players see their own cards; None if the phase uses no hands
    asks_suit: bool = False  #: a card's suit can matter
    takes_known: bool = False  #: cards that others have seen come into a hand
    grows: bool = False  #: a hand can become larger than dealt
    uneven: bool = False  #: hands can differ in size afterwards, even if the deck has enough cards
    shed: int = 0  #: number of cards that always leave a hand that has enough; 0 for tricks
    thrown: int = 0  #: number of cards that each player who has enough must discard
    put_away: int = 0  #: number of cards that can leave a hand permanently
    must_take: int = 0  #: number of cards that each player must take from the deck
    takes_discards: bool = False  #: a card can be taken from the discards
    from_others: bool = False  #: cards are taken from other hands
    throws: bool = False  #: cards go from the hand to the discards without being played
    ordered: bool = False  #: the order of a hand can matter, even if suits do not
    clears: bool = False  #: a pile is cleared when all others pass
    several: bool = False  #: several cards of one rank can be played together
    mechanic: Mechanic | None = None  #: the mechanic of a game with this phase; None if others decide
    unsolvable: str = ""  #: why the solver cannot solve games with it; empty if it can


class Phase(Part, frozen=True):
    """A step of the turn structure. In JSON, `type` contains the kind."""

    everybodys: ClassVar[bool] = False  #: all players take part together
    bets: ClassVar[bool] = False  #: chips are bet
    tricks: ClassVar[bool] = False  #: tricks are taken
    plays: ClassVar[bool] = False  #: cards are played on a pile
    claims: ClassVar[bool] = False  #: players claim that cards are of a rank; the rank rises with each claim
    main: ClassVar[int] = 0  #: above 0 if it plays hands out; the phase with the greatest number determines the game
    transforms: ClassVar[bool] = False  #: changing one of its fields makes another kind of game
    least_shared: ClassVar[int] = 0  #: minimum number of community cards that it turns up
    closes: ClassVar[bool] = False  #: the phase is finished even if the deal ends in it
    thought: ClassVar[int] = 0  #: what the greedy policy must compute to rate its moves (`codes.py`)
    by_strength: ClassVar[bool] = False  #: the search policy distinguishes positions by hand strength
    habitual: ClassVar[bool] = True  #: the search policy expects the greedy policy's move
    unable: ClassVar[str] = "can do nothing"  #: why nothing happens, after a player's name; a sentence if it is for all

    def brings(self, genome: "Genome", left: int) -> bool:
        """Return whether new cards can come into hands if the deck has `left` cards."""
        return False

    def idle(self, brings: bool) -> bool:
        """Return whether nothing can ever happen in the phase. `brings` is whether any phase brings cards."""
        return False

    @property
    def traits(self) -> Traits:
        return Traits()

    # --- variation, evolution and the solver

    @property
    def label(self) -> str:
        """Return the kind of phase in a word or two."""
        return type(self).__name__.removesuffix("Phase")

    def serves(self, aim: "WinCondition") -> bool:
        """Return whether the phase helps a player to reach this aim, or to stop others from reaching it."""
        return True

    def sensible(self, genome: "Genome", phases: Sequence["Phase"]) -> "Phase":
        """Return the phase without pointless choices or dead ends. `phases` are the phases of the game."""
        return self

    def balanced(self, aim: "WinCondition", drawn: int) -> tuple["Phase", int]:
        """Return the phase with compared hands as large as dealt, and the number of cards still to be put away.

        `drawn` is the number of cards that the phases before this one draw and do not put away.
        """
        return self, drawn

    def staked(self, ante: int, last: int) -> tuple["Phase", int]:
        """Return the phase with bets of a usual size, and that size. It is at least `last`."""
        return self, last

    def collecting(self) -> tuple["Phase", ...]:
        """Return the phases of a turn in which sets are collected with this draw."""
        return (self,)

    def with_fewer_shared(self, over: int) -> "Phase":
        """Return the phase with `over` fewer community cards, but at least one."""
        return self

    def with_deck(self) -> "Phase":
        """Return the phase changed so that cards can come from the deck if the discard pile is empty."""
        return self

    def why_not(self, g: Any, s: Any, at: int, place: int) -> str:
        """Return why nothing happened in the phase for a player; empty if there was nothing to do."""
        return "no card fits" if self.plays and s.held[place] else "no card left"

    def claim(self, s: Any) -> tuple[int, int] | None:
        """Return the seat whose claim others may doubt now and the number of claimed cards; None if there is none."""
        return None

    # --- sentences

    def step(self, genome: "Genome", at: int) -> str:
        """Return the rulebook's text for this phase: a bold word, then an explanation."""
        raise NotImplementedError(f"{type(self).__name__} has no rulebook text: define `step`")

    def brief(self, genome: "Genome") -> str:
        """Return what a player does, in a few words: "draw a card"."""
        raise NotImplementedError(f"{type(self).__name__} has no short text: define `brief`")

    def prompt(self, genome: "Genome", s: Any) -> str:
        """Return the prompt in this state: "discard two cards, one more to go"."""
        return self.brief(genome)

    @classmethod
    def word(cls, deck: Deck, move: int) -> str:
        """Return a move in words."""
        raise NotImplementedError(f"{cls.__name__} has no words for its moves: define `word`")


class Betting(Protocol):
    """A phase in which chips are bet."""

    @property
    def min_bet(self) -> int: ...
    @property
    def max_raises(self) -> int: ...


class TurnStructure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The phases and their order.

    With the order "turns", a player does all phases, and then the next player does. With "rounds", all players do a
    phase before the next phase begins. With both orders, all players take part together in betting, tricks and
    community cards.

    A deal ends after `rounds` rounds. If `rounds` is 0, a deal ends when a win condition ends it or when nothing can
    happen any more.
    """

    phases: tuple[Phase, ...]
    order: Literal["turns", "rounds"] = "turns"
    rounds: int = 0


# --- effects and scoring


class CardEffect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """The effect of playing a card of a rank.

    "draw_two": the next player draws two cards. "skip": the next player is skipped. "reverse": the direction changes.
    "again": the player plays again. With the order "rounds", only "draw_two" has an effect.
    """

    rank: str
    effect: Literal["skip", "reverse", "draw_two", "again"]


class LaySets(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """A player who holds `size` cards of one rank lays them as a set at once. Cards of a set count as captured."""

    size: int = 4
    points: int = 0


class CardPoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """Points at the end of a deal for cards captured or still in hand.

    `cards` is a rank and a suit. `*` in place of a rank or a suit means any.
    """

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
    """Decides who wins a deal.

    The player with the greatest value among those who have not folded wins. Players with equal values share.
    """

    point: ClassVar[int] = 0  #: 1 if the most points win, -1 if the fewest win, 0 if points do not matter
    of_holding: ClassVar[bool] = False  #: only hands are compared, so they are shown
    sheds: ClassVar[bool] = False  #: players want to get rid of cards
    likes_tricks: ClassVar[bool] = False  #: taking tricks is always good
    needs_cards: ClassVar[bool] = False  #: it ends a deal before all hands are empty
    collects: ClassVar[bool] = False  #: players want to take all cards
    melds: ClassVar[bool] = False  #: cards are collected in sets and runs, also from the discards
    one_card: ClassVar[bool] = False  #: a single card decides who wins
    at_once: ClassVar[bool] = False  #: it ends a deal at once when a hand is empty, even within a round

    @property
    def counts_community(self) -> bool:
        """Whether community cards are part of every hand."""
        return False

    @property
    def shortest_suited(self) -> int:
        """The minimum number of ranks of a pattern in which suits count; 0 if suits never count."""
        return 0

    @property
    def final_score(self) -> int:
        """The points that end the whole game; 0 if points do not end the game."""
        return 0

    @property
    def plain_steps(self) -> tuple[Mapping[str, Any], ...]:
        """The simplest phases for this aim, as written in a file."""
        return {"type": "PlayPhase", "target": "tableau", "capture": "rank"}, {"type": "DrawPhase"}

    @property
    def limit(self) -> int:
        """The maximum of points in hand with which a player may take another card; 0 means no limit."""
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
        """Return the type of an aim that makes more sense in this game; empty if this aim makes sense."""
        return ""

    def sensible(self, genome: "Genome") -> "WinCondition":
        """Return the aim with numbers that make sense in this game."""
        return self

    def lies_open(self, genome: "Genome") -> bool:
        """Return whether all players can see what is compared: neither hands nor points for cards in hand."""
        held = any(isinstance(rule, CardPoints) and rule.where == "hand" and rule.points for rule in genome.scoring)
        return not self.of_holding and not (self.point and held)

    def aim(self, genome: "Genome") -> str:
        """Return the aim of the game, as a sentence."""
        raise NotImplementedError(f"{type(self).__name__} has no rulebook text: define `aim`")

    def best(self) -> str:
        """Return words for the winner: "the player with the most points"."""
        raise NotImplementedError(f"{type(self).__name__} has no rulebook text: define `best`")

    def words(self, value: int, genome: "Genome") -> str:
        """Return the value of a position in words: "three tricks"."""
        return f"{value}"

    def ends(self, genome: "Genome") -> str:
        """Return when this condition ends a deal early; empty if it never does."""
        return ""

    def explained(self, genome: "Genome") -> str:
        """Return the rules that a player needs to see who wins; empty if none are needed."""
        return ""


class Genome(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole game.

    >>> from pitboss.lab import load
    >>> kuhn = load("kuhn")
    >>> kuhn.name, kuhn.setup.cards_per_player
    ('kuhn', 1)
    """

    name: str = "unnamed"
    player_count: int = 2
    setup: Setup
    turn_structure: TurnStructure
    effects: tuple[Effect, ...] = ()
    scoring: tuple[Scoring, ...] = ()
    win_conditions: tuple[WinCondition, ...]
    max_turns: int = 1000  #: limit of actions; phases without an action count as one. At the limit the position decides

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
    """Return the number of cards dealt before the first phase."""
    setup = genome.setup
    each = genome.player_count * setup.cards_per_player
    return each + setup.initial_discard_count + setup.initial_tableau_count


def undealt(genome: Genome) -> int:
    """Return the number of cards left in the deck after the deal. It is negative if the deck has too few."""
    return deck_size(genome) - dealt(genome)


def turned_up(genome: Genome) -> int:
    """Return the number of community cards turned up in one round."""
    return sum([traits.turned_up for traits in genome.traits])


def brings_cards(genome: Genome) -> bool:
    """Return whether new cards can come into hands."""
    left = undealt(genome)
    return any(phase.brings(genome, left) for phase in genome.turn_structure.phases)


def has_hands(genome: Genome) -> bool:
    """Return whether a player ever holds a card."""
    return genome.setup.cards_per_player > 0 or brings_cards(genome)


def has_tricks(genome: Genome) -> bool:
    return any(phase.tricks for phase in genome.turn_structure.phases)


def a_player(genome: Genome) -> str:
    """Return words for a player who can end the deal. A player who has folded cannot end it."""
    return "a player who is still in" if genome.betting_phases else "a player"


def lays_sets(genome: Genome) -> bool:
    return any(isinstance(effect, LaySets) for effect in genome.effects)


def collects_cards(genome: Genome) -> bool:
    """Return whether cards are captured, in tricks or in other ways."""
    return lays_sets(genome) or any(phase.traits.captures or phase.tricks for phase in genome.turn_structure.phases)


def counts_all(rule: Scoring) -> bool:
    """Return whether the rule counts all captured cards alike."""
    return isinstance(rule, CardPoints) and rule.cards == "**" and rule.where == "captured"


def main_phase(genome: Genome) -> Phase | None:
    """Return the phase in which hands are played out. If there are several, return the one that determines the game."""
    found = max(genome.turn_structure.phases, key=lambda phase: phase.main, default=None)
    return found if found and found.main else None


def mechanic(genome: Genome) -> Mechanic:
    """Return what players mainly do with their cards.

    >>> from pitboss.lab import load
    >>> [mechanic(load(name)).name for name in ("whist", "scopa", "president", "mau_mau", "cheat")]
    ['tricks', 'captures', 'climbing', 'fitting', 'claims']
    >>> [mechanic(load(name)).name for name in ("go_fish", "gin", "blackjack", "leduc", "kuhn")]
    ['asking', 'melds', 'limit', 'poker', 'high card']
    """
    main = main_phase(genome)
    asked = [phase.traits.mechanic for phase in ([main] if main else genome.turn_structure.phases)]
    return next((found for found in asked if found), genome.win_conditions[0].mechanic)


def cards_leave(genome: Genome) -> bool:
    """Return whether a hand can become smaller."""
    return lays_sets(genome) or any(traits.releases for traits in genome.traits)


def cards_come_or_go(genome: Genome) -> bool:
    """Return whether hands can differ in size for another reason than cards played to tricks."""
    phases = genome.turn_structure.phases
    released = any(phase.traits.releases and not phase.tricks for phase in phases)
    return lays_sets(genome) or released or any(traits.grows or traits.draws for traits in genome.traits)


def most_held(genome: Genome) -> int:
    """Return the maximum size of a hand: the number of cards dealt, or the whole deck if hands can grow."""
    return deck_size(genome) if hands_grow(genome) else genome.setup.cards_per_player


def hands_grow(genome: Genome) -> bool:
    """Return whether a hand can become larger than dealt."""
    grows = any(traits.grows or traits.takes_known for traits in genome.traits)
    return grows or any(isinstance(effect, CardEffect) and effect.effect == "draw_two" for effect in genome.effects)


def hands_differ(genome: Genome) -> bool:
    """Return whether hands may differ in size at the end of a deal. If this is not certain, return True."""
    rounds = genome.turn_structure.rounds
    if lays_sets(genome) or rounds == 0 or any(win.ends(genome) for win in genome.win_conditions):
        return True
    taken = genome.player_count * rounds * sum([traits.taken + traits.turned_up for traits in genome.traits])
    return taken > undealt(genome) or any(traits.uneven for traits in genome.traits)


def deciding_wins(genome: Genome) -> tuple[WinCondition, ...]:
    """Return the win conditions that can decide a deal: the first one, and those that can end a deal."""
    first, *others = genome.win_conditions
    return (first, *[win for win in others if win.ends(genome)])


def next_play(genome: Genome, after: int) -> int | None:
    """Return the index of the next play phase, if there is one."""
    phases = genome.turn_structure.phases
    return next((at for at in range(after + 1, len(phases)) if phases[at].plays), None)


def settled_from(genome: Genome) -> int:
    """Return the index after the last phase other than betting, if all players can see the winner then.

    If they cannot, return the number of phases.
    """
    phases = genome.turn_structure.phases
    moving = [at + 1 for at, phase in enumerate(phases) if not phase.bets]
    return moving[-1] if moving and genome.win_conditions[0].lies_open(genome) else len(phases)


def only_blind(genome: Genome) -> bool:
    """Return whether players never see their own cards, because cards are only turned up from piles."""
    looks = [phase.traits.looks for phase in genome.turn_structure.phases if phase.traits.looks is not None]
    return bool(looks) and not any(looks)


def check_name(name: str) -> Problems:
    """Yield an error if the name is not valid."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        yield f"name: expected 1 to {LONGEST_NAME} printable characters, got {reprlib.repr(name)}"


def check_bounds(field: str, number: int, least: int, most: int) -> Problems:
    """Yield an error if the number is out of bounds."""
    if not least <= number <= most:
        yield f"{field}: expected {least:,} to {most:,}, got {reprlib.repr(number)}"


def check_length(field: str, what: str, count: int, most: int) -> Problems:
    """Yield an error if a list is empty or too long."""
    if count == 0:
        yield f"{field}: expected at least one {what}, got none"
    elif count > most:
        yield f"{field}: expected at most {most}, got {count}"


def check_letters(field: str, given: str, among: str, what: str) -> Problems:
    """Yield an error for each letter that is repeated or not allowed."""
    for letter in dict.fromkeys(given):
        if letter not in among:
            yield f"{field}: expected only {what} ({among}), got {letter!r}"
        elif given.count(letter) > 1:
            yield f"{field}: expected each letter once, got {letter!r} twice"


def check(genome: Genome) -> Genome:
    """Return the genome. Raise `GenomeError` with the first problem if it cannot be played."""
    for problem in problems(genome):
        raise GenomeError(problem)
    return genome


def problems(genome: Genome) -> tuple[str, ...]:
    """Return all reasons why a genome cannot be played.

    >>> from msgspec.structs import replace
    >>> from pitboss.lab import load
    >>> kuhn = load("kuhn")
    >>> problems(kuhn)
    ()
    >>> problems(replace(kuhn, setup=replace(kuhn.setup, starting_chips=0)))[0]
    'setup.starting_chips: expected at least 1, since there is a betting phase, got 0'
    """
    shape = tuple(_shape(genome))
    return shape or tuple(_sense(genome))  # the second check needs valid numbers


def warnings(genome: Genome) -> tuple[str, ...]:
    """Return reasons why a playable genome is a poor game. A genome with warnings is accepted.

    >>> from msgspec.structs import replace
    >>> from pitboss.lab import load
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
    """Yield errors for numbers out of bounds and for letters that are not valid ranks or suits."""
    yield from check_name(genome.name)
    yield from check_bounds("player_count", genome.player_count, 2, MOST_PLAYERS)
    yield from check_bounds("max_turns", genome.max_turns, 1, MOST_TURNS)
    yield from _setup(genome)
    turns = genome.turn_structure
    yield from check_bounds("turn_structure.rounds", turns.rounds, 0, MOST_TURNS)
    yield from check_length("turn_structure.phases", "phase", len(turns.phases), MOST_PHASES)
    for at, phase in enumerate(turns.phases):
        yield from _part(f"turn_structure.phases[{at}]", phase, genome)
    yield from _rules(genome)
    yield from check_length("win_conditions", "win condition", len(genome.win_conditions), MOST_WINS)
    for at, win in enumerate(genome.win_conditions):
        yield from _part(f"win_conditions[{at}]", win, genome)


def _sense(genome: Genome) -> Problems:
    """Yield errors for contradictions and for games in which nothing can happen."""
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
        yield from check_bounds(f"{field}.{name}", getattr(part, name), least, most)
    yield from part.problems(field, genome)


def _setup(genome: Genome) -> Problems:
    setup, deck = genome.setup, genome.setup.deck
    if not isinstance(setup.initial_deck, str):
        yield from _deck(setup.initial_deck)
    yield from check_bounds("setup.cards_per_player", setup.cards_per_player, 0, MOST_CARDS)
    yield from check_bounds("setup.initial_discard_count", setup.initial_discard_count, 0, MOST_CARDS)
    yield from check_bounds("setup.initial_tableau_count", setup.initial_tableau_count, 0, MOST_CARDS)
    yield from check_bounds("setup.starting_chips", setup.starting_chips, 0, MOST_CHIPS)
    yield from check_bounds("setup.ante", setup.ante, 0, MOST_CHIPS)
    yield from check_bounds("setup.deals", setup.deals, 1, MOST_DEALS)
    trump = setup.trump_suit
    if trump not in (None, "random", *deck.suits):
        yield f'setup.trump_suit: expected null, "random" or one of {deck.suits!r}, got {reprlib.repr(trump)}'


def _deck(deck: Deck) -> Problems:
    for field, given, among, what in (("ranks", deck.ranks, RANKS, "rank"), ("suits", deck.suits, SUITS, "suit")):
        if not given:
            yield f"setup.initial_deck.{field}: expected at least one {what}, got none"
        yield from check_letters(f"setup.initial_deck.{field}", given, among, field)


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
            yield from check_bounds(f"{field}.points", effect.points, -MOST_POINTS, MOST_POINTS)
        elif len(effect.rank) != 1 or effect.rank not in deck.ranks:
            yield f"{field}.rank: expected one of {deck.ranks!r}, got {reprlib.repr(effect.rank)}"
        elif effect.rank in ranks_seen:
            yield f"{field}.rank: expected one effect per rank, got a second one for {effect.rank!r}"
        else:
            ranks_seen.add(effect.rank)
    for at, rule in enumerate(genome.scoring):
        yield from check_bounds(f"scoring[{at}].points", rule.points, -MOST_POINTS, MOST_POINTS)
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
        yield f"setup.starting_chips: expected 0, since the game has no betting phase, got {chips}"
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
    """Yield the points of every rule that can give points in this game."""
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
