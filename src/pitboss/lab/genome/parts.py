"""A card game as data: setup, phases, effects, scoring and how it is won; JSON both ways.

Absent fields take defaults, so older files load; an unknown field or type is refused by name. What the parts mean in
play is said where they stand here; `validity.py` says what makes a genome unplayable, `engine.py` plays it.
"""

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from pitboss.cards import RANKS, SUITS
from pitboss.errors import PitbossError

MOST_PLAYERS, MOST_CARDS, MOST_PHASES, MOST_WINS = 6, 52, 12, 4


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


# --- phases


class Phase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the turn structure; `type` in JSON names it."""


class DrawPhase(Phase, frozen=True, tag=True):
    """Take cards into the hand.

    From the deck, the discards' top, either as one likes, a card of the next player unseen ("opponent"), or by naming a
    rank one holds: the next player gives all of it, or one card comes from the deck ("ask").
    """

    source: Literal["deck", "discard", "either", "opponent", "ask"] = "deck"
    count: int = 1
    optional: bool = False  #: one may stop before each card
    only_if_stuck: bool = False  #: only for who cannot play in the play phase that follows


class PlayPhase(Phase, frozen=True, tag=True):
    """Play a card, or up to `most` of one rank, on the discards or the tableau.

    `match` lists what a card may have in common with the top card, any of it; an empty pile takes everything, and so
    does every card of a `wild` rank. Who cannot play passes; with `optional` one may pass anyway.
    """

    target: Literal["discard", "tableau"] = "discard"
    match: tuple[Literal["any", "suit", "rank", "higher", "higher_or_equal"], ...] = ("any",)
    wild: str = ""
    most: int = 1  #: while a pile stands, all plays on it are of as many cards as the first
    optional: bool = False
    clear_after_passes: bool = False  #: when all others have passed, the pile goes, and the last to play leads
    capture: Literal["none", "rank", "sum"] = "none"  #: a card takes one of its rank, or else two that add up to it


class DiscardPhase(Phase, frozen=True, tag=True):
    """Put cards from the hand on the discards, one at a time."""

    count: int = 1
    optional: bool = False  #: one may stop before each card
    replace: bool = False  #: as many come from the deck


class TrickPhase(Phase, frozen=True, tag=True):
    """Everybody plays a card; the highest of the suit led, or the highest trump, takes all and leads the next."""

    follow: bool = True  #: who has the suit led must play it
    blind: bool = False  #: the top card is turned up, there is no choice; suits do not count
    to: Literal["captured", "hand"] = "captured"  #: where a taken trick goes; into the hand it goes to the bottom
    ties: Literal["first", "stay"] = "first"  #: equal highest cards: the first takes it, or it stays for the next trick


class ClaimPhase(Phase, frozen=True, tag=True):
    """Put cards face down and claim that they are of the rank that is due; others may doubt it.

    Of the liar and the one who doubted wrongly, the one in the wrong takes the pile. The rank due climbs each time.
    """

    most: int = 1


class CommunityPhase(Phase, frozen=True, tag=True):
    """Turn up cards that belong to every hand."""

    count: int = 1


class BettingPhase(Phase, frozen=True, tag=True):
    """A betting round: bets and raises of `min_bet`, so many raises a round."""

    min_bet: int = 10
    max_raises: int = 3


AnyPhase: TypeAlias = DrawPhase | PlayPhase | DiscardPhase | TrickPhase | ClaimPhase | CommunityPhase | BettingPhase


class TurnStructure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The phases and who goes through them.

    In "turns" a player goes through all phases, then the next. In "rounds" everybody goes through a phase before the
    next begins. Betting, tricks and community cards are everybody's in both. A deal ends after `rounds` times round or,
    with 0, when a win condition ends it or nothing can happen any more.
    """

    phases: tuple[AnyPhase, ...]
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


class WinCondition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whom the deal's pot or the game goes to: the greatest value among those who have not folded; equal ones share."""


class BestHand(WinCondition, frozen=True, tag="best_hand"):
    """The best poker pattern in hand and community cards, or the most points without going over the bust limit."""

    ranking: Literal["poker", "points"] = "poker"
    bust: int = 0  #: 0: no limit. Ten and pictures count 10, an ace 11, or 1 where 11 would go over


class HighCard(WinCondition, frozen=True, tag="high_card"):
    """The highest rank held."""


class HighScore(WinCondition, frozen=True, tag="high_score"):
    """The most points."""


class LowScore(WinCondition, frozen=True, tag="low_score"):
    """The fewest points."""


class FirstToScore(WinCondition, frozen=True, tag="first_to_score"):
    """Ends the game when somebody has so many points."""

    target: int = 100


class EmptyHand(WinCondition, frozen=True, tag="empty_hand"):
    """Ends the deal when somebody has no cards left; if it ends otherwise, the fewest cards."""


class CaptureAll(WinCondition, frozen=True, tag="capture_all"):
    """Ends the deal when somebody has all cards; if it ends otherwise, the most cards."""


class MostTricks(WinCondition, frozen=True, tag="most_tricks"):
    """The most tricks taken."""


class LeastDeadwood(WinCondition, frozen=True, tag="least_deadwood"):
    """The least points in cards outside sets and runs of three or more; with so few or fewer the deal ends."""

    knock: int = 0


AnyWin: TypeAlias = (
    BestHand | HighCard | HighScore | LowScore | FirstToScore | EmptyHand | CaptureAll | MostTricks | LeastDeadwood
)


class Genome(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole game.

    >>> game = read_genome('''{"name": "kuhn", "setup": {"cards_per_player": 1, "starting_chips": 2, "ante": 1,
    ...   "initial_deck": {"ranks": "JQK", "suits": "s"}}, "win_conditions": [{"type": "high_card"}],
    ...   "turn_structure": {"phases": [{"type": "BettingPhase", "min_bet": 1, "max_raises": 0}],
    ...   "order": "rounds", "rounds": 1}}''')
    >>> game.turn_structure.phases
    (BettingPhase(min_bet=1, max_raises=0),)
    """

    name: str = "unnamed"
    player_count: int = 2
    setup: Setup
    turn_structure: TurnStructure
    effects: tuple[Effect, ...] = ()
    scoring: tuple[Scoring, ...] = ()
    win_conditions: tuple[AnyWin, ...]
    max_turns: int = 1000  #: actions, and phases that passed without one; then the game is decided as it stands

    @property
    def betting_phases(self) -> tuple[BettingPhase, ...]:
        """The betting phases in their order."""
        return tuple([phase for phase in self.turn_structure.phases if isinstance(phase, BettingPhase)])


def read_genome(text: str | bytes) -> Genome:
    """Read a genome from JSON; `GenomeError` names the field that is wrong."""
    try:
        return msgspec.json.decode(text, type=Genome)
    except msgspec.ValidationError as error:
        raise GenomeError(_sentence(str(error))) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise GenomeError(f"this is no JSON: {error}") from None


def write_genome(genome: Genome) -> str:
    """Write a genome as JSON, indented, every field said."""
    return msgspec.json.format(msgspec.json.encode(genome), indent=2).decode() + "\n"


def _sentence(message: str) -> str:
    """msgspec's message with the field's name first: "setup.ante: expected `int`, got `str`"."""
    what, _, where = message.partition(" - at `$")
    field = where.rstrip("`").lstrip(".")
    what = what.replace("Object contains unknown field", "unknown field").replace("Object missing required", "missing")
    what = what[:1].lower() + what[1:]
    return f"{field}: {what}" if field else what
