"""A game as data: its setup, phases, effects, scoring and win conditions; simple facts that follow, and problems."""

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
MOST_POINTS = 1_000_000  #: a rule's points, either way, and every limit that is counted in points
MOST_AT_ONCE = 4  #: cards of one rank that are played or claimed together
MOST_RULES = 52  #: effects, and rules of scoring
LONGEST_NAME = 60

Problems: TypeAlias = Iterator[str]
Values: TypeAlias = Mapping[str, Sequence[object]]
"""By field, what is worth trying."""


class GenomeError(PitbossError, ValueError):
    """A genome that cannot be read or played; the message names the field."""


class Deck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Any ranks, lowest first, in each of any suits."""

    ranks: str = RANKS
    suits: str = SUITS


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lies where before the first turn."""

    cards_per_player: int
    initial_deck: Literal["standard_52"] | Deck = "standard_52"
    initial_discard_count: int = 0
    initial_tableau_count: int = 0
    trump_suit: str | None = None
    starting_chips: int = 0  #: 0 means that there is no betting
    ante: int = 0  #: what everybody pays at the start of a deal
    pots: Literal["single", "side"] = "single"  #: one pot for the winners, or side pots for those who were all-in
    deals: int = 1  #: how often cards are dealt anew; chips and scores stay, and the starting player rotates

    @property
    def deck(self) -> Deck:
        """The deck, whichever way it is written."""
        return Deck() if isinstance(self.initial_deck, str) else self.initial_deck


Between: TypeAlias = tuple[int, int]


class Mechanic(NamedTuple):
    """What players mainly do with their cards, and the usual size of such a game, without bets and with them."""

    name: str
    hands: tuple[Between, Between]  #: how many cards everybody is dealt
    rounds: tuple[Between, Between] | None = None  #: how often all steps are gone through, where nothing else ends it
    each_round: bool = False  #: everybody plays a card a round: as many rounds as cards, unless some are drawn
    starts_pile: bool = False  #: the discards begin with a card
    whole: int = 0  #: how many cards a hand has in the end, those that come later included


MELDS = Mechanic("melds", ((6, 10), (5, 7)), ((6, 20), (2, 4)))


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a phase and a win condition have in common: numbers with bounds, and columns in the engine's program."""

    bounds: ClassVar[Mapping[str, tuple[int, int]]] = {}  #: by field, the least and the greatest it may be
    columns: ClassVar[tuple[str, ...]] = ()  #: the program's columns; each begins with the kind's own name

    def numbers(self, genome: "Genome", at: int) -> tuple[int, ...]:
        """What stands in the columns, where this is the part at this place of its list."""
        return ()

    @classmethod
    def values(cls, genome: "Genome") -> Values:
        """The values worth trying for each field, in this genome."""
        return {}

    def problems(self, field: str, genome: "Genome") -> Iterator[str]:
        """What is wrong with its own fields, beside their bounds; `field` is where it stands."""
        yield from ()

    def contradictions(self, field: str, genome: "Genome", at: int) -> Iterator[str]:
        """What does not go together with the rest of the genome."""
        yield from ()

    def mends(self, name: str, genome: "Genome") -> Iterator["Part"]:
        """What to try instead where the field of this name is wrong, beside moving it into its bounds."""
        yield from ()

    def clamped(self, name: str) -> Self:
        """The part with this number moved to the nearest it may be."""
        least, most = self.bounds[name]
        return replace(self, **{name: max(least, min(most, getattr(self, name)))})


# --- phases


class Traits(Struct, frozen=True, kw_only=True):
    """What a phase does, for all who reckon with it without knowing its kind."""

    unfinished: str = ""  #: what is finished first where a deal ends in its midst, in English
    turned_up: int = 0  #: how many community cards it turns up
    uses_deck: bool = False  #: cards come from the deck
    taken: int = 0  #: how many cards a player takes from the deck into the hand, at most
    draws: bool = False  #: cards come from the deck into a hand, other than in exchange
    discards: bool = False  #: cards go on the discards
    releases: bool = False  #: a hand can become smaller
    captures: bool = False  #: cards are captured
    looks: bool | None = None  #: one has to look at one's own cards; None where they play no part
    asks_suit: bool = False  #: it can matter of which suit a card is
    takes_known: bool = False  #: cards that others know come into a hand; they would know them again by suit
    grows: bool = False  #: a hand can become larger than it was dealt
    uneven: bool = False  #: it can leave some with more cards than others, where the deck lasts
    shed: int = 0  #: how many cards surely leave a hand that has enough; none in a trick
    thrown: int = 0  #: how many cards everybody who has enough must put on the discards in it
    put_away: int = 0  #: how many cards can leave a hand in it for good
    must_take: int = 0  #: how many cards everybody must take from the deck into the hand
    takes_discards: bool = False  #: a card can be taken from the discards
    from_others: bool = False  #: cards are taken out of other hands
    throws: bool = False  #: cards go from the hand on the discards without being played
    ordered: bool = False  #: it can matter which of one's cards came first, also where suits do not
    clears: bool = False  #: a pile is done with when nobody plays on it
    several: bool = False  #: several cards of one rank can be played together
    mechanic: Mechanic | None = None  #: what players mainly do with their cards, where it is this phase that says so
    unsolvable: str = ""  #: why the solver does not take it; empty where it does


class Phase(Part, frozen=True):
    """A part of the turn structure; `type` in JSON names it."""

    everybodys: ClassVar[bool] = False  #: all take part in it together, whosever turn it is
    bets: ClassVar[bool] = False  #: chips are bet in it
    tricks: ClassVar[bool] = False  #: tricks are taken in it
    plays: ClassVar[bool] = False  #: cards are played on a pile in it
    claims: ClassVar[bool] = False  #: cards are claimed to be of a rank that climbs from claim to claim
    main: ClassVar[int] = 0  #: hands are played away in it; the phase with the greatest number decides what a game is
    transforms: ClassVar[bool] = False  #: another value in one of its fields makes another kind of game
    least_shared: ClassVar[int] = 0  #: how many community cards it turns up at the least
    closes: ClassVar[bool] = False  #: it is brought to its end also where the deal ends with it
    thought: ClassVar[int] = 0  #: what the greedy policy has to know to rate its moves, of `codes.py`
    by_strength: ClassVar[bool] = False  #: the searching policy tells situations apart by how strong a holding is
    habitual: ClassVar[bool] = True  #: the searching policy takes the greedy one's move for the usual one
    unable: ClassVar[str] = "can do nothing"  #: what is said of who cannot do it; of all, where it is everybody's

    def brings(self, genome: "Genome", left: int) -> bool:
        """Whether cards can come into hands that nobody held before, where so many are left in the deck."""
        return False

    def idle(self, brings: bool) -> bool:
        """Whether nothing can ever happen in it; `brings` says if any phase brings cards."""
        return False

    @property
    def traits(self) -> Traits:
        """What it does."""
        return Traits()

    # --- what variation, evolution and the solver ask

    @property
    def label(self) -> str:
        """What a player would call this kind of step, in a word or two."""
        return type(self).__name__.removesuffix("Phase")

    def serves(self, aim: "WinCondition") -> bool:
        """Whether it helps to reach this aim, or to keep others from it."""
        return True

    def sensible(self, genome: "Genome", phases: Sequence["Phase"]) -> "Phase":
        """The phase, among these, without choices that nobody would make, and without dead ends."""
        return self

    def balanced(self, aim: "WinCondition", drawn: int) -> tuple["Phase", int]:
        """The phase such that a compared hand stays as large as it was dealt, after so many cards were drawn.

        With it comes how many cards are drawn and not put away then.
        """
        return self, drawn

    def staked(self, ante: int, last: int) -> tuple["Phase", int]:
        """The phase with bets of a usual size, at least `last`, and how large they are."""
        return self, last

    def collecting(self) -> tuple["Phase", ...]:
        """The phase, and what makes a turn of it in which sets are collected."""
        return (self,)

    def with_fewer_shared(self, over: int) -> "Phase":
        """The phase with up to so many fewer community cards, one at least."""
        return self

    def with_deck(self) -> "Phase":
        """The phase such that cards can come from the deck where there are no discards."""
        return self

    def why_not(self, g: Any, s: Any, at: int, place: int) -> str:
        """Why nothing has happened in it, here in the list, for a player; empty where there was nothing to do."""
        return "no card fits" if self.plays and s.held[place] else "no card left"

    def claim(self, s: Any) -> tuple[int, int] | None:
        """Who has claimed cards to be of the rank that is due, and how many, while others may doubt it."""
        return None

    # --- sentences

    def step(self, genome: "Genome", at: int) -> str:
        """What a player does in it, for the rulebook: a bold word, and then what it means."""
        raise NotImplementedError(f"{type(self).__name__} has no sentence for the rulebook")

    def brief(self, genome: "Genome") -> str:
        """What a player does in it, in a few words: "draw a card"."""
        raise NotImplementedError(f"{type(self).__name__} has no few words for the rulebook")

    def asked(self, genome: "Genome", s: Any) -> str:
        """What is asked for in this state, and how much more of it: "discard two cards, one more to go"."""
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
    """The phases and who goes through them.

    In "turns" a player goes through all phases, then the next. In "rounds" everybody goes through a phase before the
    next begins. Betting, tricks and community cards are everybody's in both. A deal ends after `rounds` times round or,
    with 0, when a win condition ends it or nothing can happen any more.
    """

    phases: tuple[Phase, ...]
    order: Literal["turns", "rounds"] = "turns"
    rounds: int = 0


# --- effects and scoring


class CardEffect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """What playing a card of a rank does: the next player draws two; in "turns" also skips, reversals, another turn."""

    rank: str
    effect: Literal["skip", "reverse", "draw_two", "again"]


class LaySets(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """Cards of one rank, so many of them, are laid from the hand at once and are captured."""

    size: int = 4
    points: int = 0


class CardPoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """Points at the deal's end for cards captured or still held: `cards` is a rank and a suit, `*` for any."""

    cards: str = "**"
    points: int = 1
    where: Literal["captured", "hand"] = "captured"


class TrickPoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag=True):
    """Points for every trick taken."""

    points: int = 1


Effect: TypeAlias = CardEffect | LaySets
Scoring: TypeAlias = CardPoints | TrickPoints


# --- how it is won


class WinCondition(Part, frozen=True):
    """Whom the deal's pot or the game goes to: the greatest value among those who have not folded; equal ones share."""

    point: ClassVar[int] = 0  #: what a point is worth: 1, -1 where the fewest win, 0 where points do not matter
    of_holding: ClassVar[bool] = False  #: compares what is held and nothing else, so that hands are shown
    sheds: ClassVar[bool] = False  #: cards are to be got rid of
    likes_tricks: ClassVar[bool] = False  #: taking tricks is good, whatever they bring
    needs_cards: ClassVar[bool] = False  #: ends a deal before all are without cards
    collects: ClassVar[bool] = False  #: all cards are to be taken
    melds: ClassVar[bool] = False  #: cards are collected in sets and runs, from what others throw away too
    one_card: ClassVar[bool] = False  #: a single card decides it
    at_once: ClassVar[bool] = False  #: ends it as soon as a hand is empty, also in the middle of a round

    @property
    def counts_community(self) -> bool:
        """Whether community cards are part of everybody's hand."""
        return False

    @property
    def shortest_suited(self) -> int:
        """Of how many ranks the shortest pattern is in which suits count; 0 where they never do."""
        return 0

    @property
    def final_score(self) -> int:
        """The points with which somebody ends the whole game; 0 where no points do."""
        return 0

    @property
    def plain_steps(self) -> tuple[Mapping[str, Any], ...]:
        """The plainest phases with which it is played for, as a file has them."""
        return {"type": "PlayPhase", "target": "tableau", "capture": "rank"}, {"type": "DrawPhase"}

    @property
    def limit(self) -> int:
        """The points in hand above which one takes no more cards; 0 where there is no limit."""
        return 0

    @property
    def mechanic(self) -> Mechanic:
        """What players mainly do with their cards, where no phase says so."""
        return MELDS

    @property
    def label(self) -> str:
        """What a player would call this kind of aim, in a word or two."""
        return type(self).__name__

    def instead(self, genome: "Genome") -> str:
        """The type, as a file has it, of an aim that makes more sense in this game; empty where there is none."""
        return ""

    def sensible(self, genome: "Genome") -> "WinCondition":
        """The aim with numbers that make sense in this game."""
        return self

    def lies_open(self, genome: "Genome") -> bool:
        """Whether it compares only what everybody can see: neither hands nor points for cards in hand."""
        held = any(isinstance(rule, CardPoints) and rule.where == "hand" and rule.points for rule in genome.scoring)
        return not self.of_holding and not (self.point and held)

    def aim(self, genome: "Genome") -> str:
        """What one plays for, as a sentence."""
        raise NotImplementedError(f"{type(self).__name__} has no sentence for the rulebook")

    def best(self) -> str:
        """Whom it favours: "the player with the most points"."""
        raise NotImplementedError(f"{type(self).__name__} has no sentence for the rulebook")

    def words(self, value: int, genome: "Genome") -> str:
        """What somebody's position is worth under it, in words: "three tricks"."""
        return f"{value}"

    def ends(self, genome: "Genome") -> str:
        """When it ends a deal before its time, if it ever does."""
        return ""

    def explained(self, genome: "Genome") -> str:
        """What has to be known to see who wins, if anything has."""
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
    max_turns: int = 1000  #: actions, and phases that passed without one; then the game is decided as it stands

    @property
    def betting_phases(self) -> tuple[Betting, ...]:
        """The betting phases in their order."""
        return tuple([cast(Betting, phase) for phase in self.turn_structure.phases if phase.bets])


def deck_size(genome: Genome) -> int:
    """How many cards there are."""
    return len(genome.setup.deck.ranks) * len(genome.setup.deck.suits)


def dealt(genome: Genome) -> int:
    """How many cards are dealt before the first phase."""
    setup = genome.setup
    each = genome.player_count * setup.cards_per_player
    return each + setup.initial_discard_count + setup.initial_tableau_count


def undealt(genome: Genome) -> int:
    """The cards that are left in the deck when all is dealt; negative where it has too few."""
    return deck_size(genome) - dealt(genome)


def turned_up(genome: Genome) -> int:
    """The community cards that are turned up when all phases are gone through once."""
    return sum([phase.traits.turned_up for phase in genome.turn_structure.phases])


def brings_cards(genome: Genome) -> bool:
    """Whether cards can come into hands that nobody held before."""
    left = undealt(genome)
    return any(phase.brings(genome, left) for phase in genome.turn_structure.phases)


def has_hands(genome: Genome) -> bool:
    """Whether anybody ever holds a card."""
    return genome.setup.cards_per_player > 0 or brings_cards(genome)


def has_tricks(genome: Genome) -> bool:
    """Whether tricks are played."""
    return any(phase.tricks for phase in genome.turn_structure.phases)


def lays_sets(genome: Genome) -> bool:
    """Whether sets are laid from the hand."""
    return any(isinstance(effect, LaySets) for effect in genome.effects)


def collects_cards(genome: Genome) -> bool:
    """Whether cards are captured, in tricks or otherwise."""
    return lays_sets(genome) or any(phase.traits.captures or phase.tricks for phase in genome.turn_structure.phases)


def counts_all(rule: Scoring) -> bool:
    """Whether it counts every card that was taken alike."""
    return isinstance(rule, CardPoints) and rule.cards == "**" and rule.where == "captured"


def main_phase(genome: Genome) -> Phase | None:
    """The phase in which hands are played away; of several, the one that decides what the game is."""
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
    return lays_sets(genome) or any(phase.traits.releases for phase in genome.turn_structure.phases)


def cards_come_or_go(genome: Genome) -> bool:
    """Whether hands can differ in size, beside by the cards that are played to tricks."""
    if lays_sets(genome):
        return True
    phases = genome.turn_structure.phases
    return any(
        phase.traits.grows or phase.traits.draws or (phase.traits.releases and not phase.tricks) for phase in phases
    )


def most_held(genome: Genome) -> int:
    """The most cards that a hand can have: as many as were dealt, or all there are where hands can grow."""
    return deck_size(genome) if hands_grow(genome) else genome.setup.cards_per_player


def hands_grow(genome: Genome) -> bool:
    """Whether a hand can become larger than it was dealt."""
    grows = any(phase.traits.grows or phase.traits.takes_known for phase in genome.turn_structure.phases)
    return grows or any(isinstance(effect, CardEffect) and effect.effect == "draw_two" for effect in genome.effects)


def hands_differ(genome: Genome) -> bool:
    """Whether hands can differ in size when a deal is over, or nothing shows that they cannot."""
    turns = genome.turn_structure
    if lays_sets(genome) or turns.rounds == 0 or any(win.ends(genome) for win in genome.win_conditions):
        return True
    taken = (
        genome.player_count
        * turns.rounds
        * sum([phase.traits.taken + phase.traits.turned_up for phase in turns.phases])
    )
    return taken > undealt(genome) or any(phase.traits.uneven for phase in turns.phases)


def deciding_wins(genome: Genome) -> tuple[WinCondition, ...]:
    """The win conditions that can decide a deal: the first, and those that can end one."""
    first, *others = genome.win_conditions
    return (first, *[win for win in others if win.ends(genome)])


def next_play(genome: Genome, after: int) -> int | None:
    """The place of the first play phase that follows, if any does."""
    phases = genome.turn_structure.phases
    return next((at for at in range(after + 1, len(phases)) if phases[at].plays), None)


def settled_from(genome: Genome) -> int:
    """The phase from which on a last round has only bets, where what wins lies open; else how many phases there are."""
    phases = genome.turn_structure.phases
    moving = [at + 1 for at, phase in enumerate(phases) if not phase.bets]
    return moving[-1] if moving and genome.win_conditions[0].lies_open(genome) else len(phases)


def only_blind(genome: Genome) -> bool:
    """Whether cards are only ever turned up from a pile, so that nobody looks at his own."""
    looks = [phase.traits.looks for phase in genome.turn_structure.phases if phase.traits.looks is not None]
    return bool(looks) and not any(looks)


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
