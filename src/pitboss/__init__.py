"""Betting card games: one exact betting kernel, played, hosted, studied and invented.

**If you write poker software.** A hand starts in one line, is spoken to in words or with values such as `Raise(to=60)`,
and every step gives the next hand and what happened. What is not on offer is refused, with the rule's name.

>>> from pitboss import Hand, Raise
>>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 30), blinds=(10, 20), seed=7)
>>> print(hand)
no-limit hold'em, blinds 10/20, PRE_FLOP, pot 30, price 20
board  -
      stack  bet  cards
  p1    990   10  7c 9s
  p2    980   20  2d 8d
> p3     30       Ks 6c  button
p3 may fold, call 20 or raise to 30
>>> hand, events = hand.act("all in")
>>> hand, events = hand.act(Raise(to=90))
>>> events, hand.pot
((Raised(place=0, amount=80, to=90, opening=False, all_in=False),), 140)
>>> hand.act("raise 100")
Traceback (most recent call last):
...
pitboss.Refused: below_minimum: to 100 is below the least, 150

Forty-two games are there by name (`STRUCTURES`), and one's own is a record. `hand.view(place)` is what one may see.

**If you study hands.** Files of recorded hands are read, replayed and written; equities are counted.

>>> from pitboss import read_phh, replay
>>> record = read_phh('''
... variant = "NT"
... antes = [0, 0]
... blinds_or_straddles = [1, 2]
... min_bet = 2
... starting_stacks = [50, 50]
... actions = ["d dh p1 AsAh", "d dh p2 ????", "p2 cbr 6", "p1 cbr 20", "p2 f"]
... ''')
>>> replay(record).finishing_stacks
(56, 44)

`read(path)` finds the format of a file and gives its hands one by one, `replay_steps(record)` every step of one.
`equity("AhAd", "QQ+,AKs", board="Ks7d2c")` says who wins how often; `simulate(1_000_000, seats=6, seed=1)` plays so
many hands on every core, and `Batch` steps many at once for whoever trains agents (`pip install 'pitboss[fast]'`).

**If you write a bot**, `pitboss.client` is all it imports: a function from what it is asked to its answer.
`pitboss arena play bot.py sharp` lets it meet a house bot here and now, `pitboss arena serve` hosts tables.

**If you invent games**, a card game with betting is a small JSON file: `pitboss lab games` lists twenty-two to begin
from; `pitboss lab play`, `simulate`, `solve` and `evolve` do what they say.

The names, by what they are for:

    one hand        Hand, Stakes, blinds, Rake, PokerType, view, view_event
    looking         write_position, read_position, draw_svg, read_cards, write_cards, DECK, SHORT_DECK, UNKNOWN
    actions         Fold, Check, Call, Bet, Raise, RaiseBy, AllIn, Discard, Show, Muck, DealHole, DealBoard
    events          Posted, Folded, Checked, Called, BroughtIn, Raised, Refunded, HoleDealt, UpDealt, BoardDealt,
                    Discarded, RunBegun, Shown, Mucked, Raked, Won
    written         write_action, read_action, write_event, read_event
    whose turn      PlayersTurn, ChancesTurn, Over; what is on offer: Offer, Bounds
    games           NO_LIMIT_HOLDEM, OMAHA, RAZZ, BADUGI … all in STRUCTURES, found by find_structure
    games as data   Structure, Street, Ranking, Rules, no_limit, pot_limit, fixed_limit, fixed_step, initiative
    betting alone   Round, Post, Pot, pots, share
    tables          Table, TableStakes, Mixed, HORSE, EIGHT_GAME
    recorded hands  read, scan_file, Record, replay, replay_steps, ReplayStep, replay_leniently, read_phh, write_phh
    numbers         equity, Equity, evaluate, simulate, Simulation, Batch
    chance          Chance, the one generator
    errors          PitbossError and its kinds: each says in one sentence what is wrong

Every name is loaded when it is first asked for. The pages are in `docs/`, the commands are `pitboss --help`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pitboss.aliases import keep_old_modules
from pitboss.errors import show_later_by_public_name

if TYPE_CHECKING:
    from pitboss.batch import Batch, BatchError
    from pitboss.betting.actions import AllIn, Bet, BettingAction, Call, Check, Fold, Raise, RaiseBy
    from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised, Refunded
    from pitboss.betting.pots import Pot, PotError, pots, share
    from pitboss.betting.refusals import Refused, SetupError
    from pitboss.betting.round import Bounds, Offer, Post, Round
    from pitboss.betting.rules import (
        Answers,
        Ceiling,
        Opposition,
        Reopening,
        Rules,
        RulesError,
        fixed_limit,
        fixed_step,
        initiative,
        no_limit,
        pot_limit,
    )
    from pitboss.cards import DECK, SHORT_DECK, UNKNOWN, Card, CardError, read_cards, write_cards
    from pitboss.chance import Chance, ChanceError
    from pitboss.errors import PitbossError
    from pitboss.fast.compiled import NotInstalled
    from pitboss.fast.equity.answers import ComboEquity, Equity, EquityError
    from pitboss.fast.equity.equity import equity, equity_of
    from pitboss.fast.equity.icm import Icm, IcmError, icm
    from pitboss.fast.equity.ranges import RangeError
    from pitboss.fast.evaluate import evaluate
    from pitboss.fast.play.setup import PolicyError
    from pitboss.fast.play.simulate import Simulation, simulate
    from pitboss.formats.phh import PhhError, read_phh, read_phhs, scan, write_phh, write_phhs
    from pitboss.formats.scan import HandFound, Note, ReadError
    from pitboss.game import ChancesTurn, Game, GameType, NoSuchPlace, Over, PlayersTurn, Turn
    from pitboss.hand.actions import Action, DealBoard, DealHole, Discard, Muck, Show
    from pitboss.hand.codec import ActionError, EventError, read_action, read_event, write_action, write_event
    from pitboss.hand.events import (
        BoardDealt,
        Discarded,
        Event,
        HoleDealt,
        Mucked,
        Raked,
        RunBegun,
        Shown,
        UpDealt,
        Won,
    )
    from pitboss.hand.games import (
        BADUGI,
        DEUCE_TO_SEVEN_SINGLE_DRAW,
        DEUCE_TO_SEVEN_TRIPLE_DRAW,
        FIVE_CARD_DRAW,
        FIVE_CARD_OMAHA,
        FIVE_CARD_OMAHA_HI_LO,
        LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW,
        LIMIT_FIVE_CARD_OMAHA,
        LIMIT_FIVE_CARD_OMAHA_HI_LO,
        LIMIT_HOLDEM,
        LIMIT_OMAHA,
        LIMIT_SHORT_DECK_HOLDEM,
        LIMIT_SIX_CARD_OMAHA,
        NO_LIMIT_BADUGI,
        NO_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW,
        NO_LIMIT_FIVE_CARD_DRAW,
        NO_LIMIT_FIVE_CARD_OMAHA,
        NO_LIMIT_FIVE_CARD_OMAHA_HI_LO,
        NO_LIMIT_HOLDEM,
        NO_LIMIT_OMAHA,
        NO_LIMIT_OMAHA_HI_LO,
        NO_LIMIT_RAZZ,
        NO_LIMIT_SEVEN_CARD_STUD,
        NO_LIMIT_SEVEN_CARD_STUD_HI_LO,
        NO_LIMIT_SIX_CARD_OMAHA,
        OMAHA,
        OMAHA_HI_LO,
        PHH_CODES,
        POT_LIMIT_BADUGI,
        POT_LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW,
        POT_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW,
        POT_LIMIT_FIVE_CARD_DRAW,
        POT_LIMIT_HOLDEM,
        POT_LIMIT_OMAHA_HI_LO,
        POT_LIMIT_RAZZ,
        POT_LIMIT_SEVEN_CARD_STUD,
        POT_LIMIT_SEVEN_CARD_STUD_HI_LO,
        POT_LIMIT_SHORT_DECK_HOLDEM,
        RAZZ,
        SEVEN_CARD_STUD,
        SEVEN_CARD_STUD_HI_LO,
        SHORT_DECK_HOLDEM,
        SIX_CARD_OMAHA,
        STRUCTURES,
        NoSuchStructure,
        find_structure,
    )
    from pitboss.hand.hand import Hand
    from pitboss.hand.poker import PokerType
    from pitboss.hand.position import PositionError, read_position, write_position
    from pitboss.hand.structure import Rake, Ranking, Stakes, Street, Structure, blinds
    from pitboss.hand.svg import draw_svg
    from pitboss.hand.view import view, view_event
    from pitboss.histories import read, scan_file
    from pitboss.ranks.layout import RankError
    from pitboss.records.lenient import replay_leniently
    from pitboss.records.record import Record
    from pitboss.records.replay import Replay, ReplayError, replay
    from pitboss.records.steps import ReplayStep, replay_steps
    from pitboss.study.rows import PlayerStatistics, SkippedHand, Statistics
    from pitboss.study.statistics import StudyError, statistics
    from pitboss.table.mixed import EIGHT_GAME, HORSE, GameAtStakes, Mixed, find_mixed
    from pitboss.table.stakes import TableStakes
    from pitboss.table.table import Table

__version__ = "0.1.0"

RULES_VERSION = "16-5d184cd9"
"""Which rules these are: docs/rules.md lists the versions and what changed."""

_HOMES = {
    "batch": "Batch BatchError",
    "betting.actions": "AllIn Bet BettingAction Call Check Fold Raise RaiseBy",
    "betting.events": "BroughtIn Called Checked Folded Posted Raised Refunded",
    "betting.pots": "Pot PotError pots share",
    "betting.refusals": "Refused SetupError",
    "betting.round": "Bounds Offer Post Round",
    "betting.rules": (
        "Answers Ceiling Opposition Reopening Rules RulesError fixed_limit fixed_step initiative no_limit pot_limit"
    ),
    "cards": "DECK SHORT_DECK UNKNOWN Card CardError read_cards write_cards",
    "chance": "Chance ChanceError",
    "errors": "PitbossError",
    "fast.compiled": "NotInstalled",
    "fast.equity.answers": "ComboEquity Equity EquityError",
    "fast.equity.equity": "equity equity_of",
    "fast.equity.icm": "Icm IcmError icm",
    "fast.equity.ranges": "RangeError",
    "fast.evaluate": "evaluate",
    "fast.play.setup": "PolicyError",
    "fast.play.simulate": "Simulation simulate",
    "formats.phh": "PhhError read_phh read_phhs scan write_phh write_phhs",
    "formats.scan": "HandFound Note ReadError",
    "game": "ChancesTurn Game GameType NoSuchPlace Over PlayersTurn Turn",
    "hand.actions": "Action DealBoard DealHole Discard Muck Show",
    "hand.codec": "ActionError EventError read_action read_event write_action write_event",
    "hand.events": "BoardDealt Discarded Event HoleDealt Mucked Raked RunBegun Shown UpDealt Won",
    "hand.games": (
        "BADUGI DEUCE_TO_SEVEN_SINGLE_DRAW DEUCE_TO_SEVEN_TRIPLE_DRAW FIVE_CARD_DRAW FIVE_CARD_OMAHA "
        "FIVE_CARD_OMAHA_HI_LO LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW LIMIT_FIVE_CARD_OMAHA LIMIT_FIVE_CARD_OMAHA_HI_LO "
        "LIMIT_HOLDEM LIMIT_OMAHA LIMIT_SHORT_DECK_HOLDEM LIMIT_SIX_CARD_OMAHA NO_LIMIT_BADUGI "
        "NO_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW NO_LIMIT_FIVE_CARD_DRAW NO_LIMIT_FIVE_CARD_OMAHA "
        "NO_LIMIT_FIVE_CARD_OMAHA_HI_LO NO_LIMIT_HOLDEM NO_LIMIT_OMAHA NO_LIMIT_OMAHA_HI_LO NO_LIMIT_RAZZ "
        "NO_LIMIT_SEVEN_CARD_STUD NO_LIMIT_SEVEN_CARD_STUD_HI_LO NO_LIMIT_SIX_CARD_OMAHA OMAHA OMAHA_HI_LO "
        "PHH_CODES POT_LIMIT_BADUGI POT_LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW POT_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW "
        "POT_LIMIT_FIVE_CARD_DRAW POT_LIMIT_HOLDEM POT_LIMIT_OMAHA_HI_LO POT_LIMIT_RAZZ POT_LIMIT_SEVEN_CARD_STUD "
        "POT_LIMIT_SEVEN_CARD_STUD_HI_LO POT_LIMIT_SHORT_DECK_HOLDEM RAZZ SEVEN_CARD_STUD SEVEN_CARD_STUD_HI_LO "
        "SHORT_DECK_HOLDEM SIX_CARD_OMAHA STRUCTURES NoSuchStructure find_structure"
    ),
    "hand.hand": "Hand",
    "hand.poker": "PokerType",
    "hand.position": "PositionError read_position write_position",
    "hand.structure": "Rake Ranking Stakes Street Structure blinds",
    "hand.svg": "draw_svg",
    "hand.view": "view view_event",
    "histories": "read scan_file",
    "ranks.layout": "RankError",
    "records.lenient": "replay_leniently",
    "records.record": "Record",
    "records.replay": "Replay ReplayError replay",
    "records.steps": "ReplayStep replay_steps",
    "study.rows": "PlayerStatistics SkippedHand Statistics",
    "study.statistics": "StudyError statistics",
    "table.mixed": "EIGHT_GAME HORSE GameAtStakes Mixed find_mixed",
    "table.stakes": "TableStakes",
    "table.table": "Table",
}
"""The public names by the module that each comes from, which is imported when one of its names is first asked for."""

_HOME = {name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "BADUGI",
    "DECK",
    "DEUCE_TO_SEVEN_SINGLE_DRAW",
    "DEUCE_TO_SEVEN_TRIPLE_DRAW",
    "EIGHT_GAME",
    "FIVE_CARD_DRAW",
    "FIVE_CARD_OMAHA",
    "FIVE_CARD_OMAHA_HI_LO",
    "HORSE",
    "LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW",
    "LIMIT_FIVE_CARD_OMAHA",
    "LIMIT_FIVE_CARD_OMAHA_HI_LO",
    "LIMIT_HOLDEM",
    "LIMIT_OMAHA",
    "LIMIT_SHORT_DECK_HOLDEM",
    "LIMIT_SIX_CARD_OMAHA",
    "NO_LIMIT_BADUGI",
    "NO_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW",
    "NO_LIMIT_FIVE_CARD_DRAW",
    "NO_LIMIT_FIVE_CARD_OMAHA",
    "NO_LIMIT_FIVE_CARD_OMAHA_HI_LO",
    "NO_LIMIT_HOLDEM",
    "NO_LIMIT_OMAHA",
    "NO_LIMIT_OMAHA_HI_LO",
    "NO_LIMIT_RAZZ",
    "NO_LIMIT_SEVEN_CARD_STUD",
    "NO_LIMIT_SEVEN_CARD_STUD_HI_LO",
    "NO_LIMIT_SIX_CARD_OMAHA",
    "OMAHA",
    "OMAHA_HI_LO",
    "PHH_CODES",
    "POT_LIMIT_BADUGI",
    "POT_LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW",
    "POT_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW",
    "POT_LIMIT_FIVE_CARD_DRAW",
    "POT_LIMIT_HOLDEM",
    "POT_LIMIT_OMAHA_HI_LO",
    "POT_LIMIT_RAZZ",
    "POT_LIMIT_SEVEN_CARD_STUD",
    "POT_LIMIT_SEVEN_CARD_STUD_HI_LO",
    "POT_LIMIT_SHORT_DECK_HOLDEM",
    "RAZZ",
    "RULES_VERSION",
    "SEVEN_CARD_STUD",
    "SEVEN_CARD_STUD_HI_LO",
    "SHORT_DECK",
    "SHORT_DECK_HOLDEM",
    "SIX_CARD_OMAHA",
    "STRUCTURES",
    "UNKNOWN",
    "Action",
    "ActionError",
    "AllIn",
    "Answers",
    "Batch",
    "BatchError",
    "Bet",
    "BettingAction",
    "BoardDealt",
    "Bounds",
    "BroughtIn",
    "Call",
    "Called",
    "Card",
    "CardError",
    "Ceiling",
    "Chance",
    "ChanceError",
    "ChancesTurn",
    "Check",
    "Checked",
    "ComboEquity",
    "DealBoard",
    "DealHole",
    "Discard",
    "Discarded",
    "Equity",
    "EquityError",
    "Event",
    "EventError",
    "Fold",
    "Folded",
    "Game",
    "GameAtStakes",
    "GameType",
    "Hand",
    "HandFound",
    "HoleDealt",
    "Icm",
    "IcmError",
    "Mixed",
    "Muck",
    "Mucked",
    "NoSuchPlace",
    "NoSuchStructure",
    "NotInstalled",
    "Note",
    "Offer",
    "Opposition",
    "Over",
    "PhhError",
    "PitbossError",
    "PlayerStatistics",
    "PlayersTurn",
    "PokerType",
    "PolicyError",
    "PositionError",
    "Post",
    "Posted",
    "Pot",
    "PotError",
    "Raise",
    "RaiseBy",
    "Raised",
    "Rake",
    "Raked",
    "RangeError",
    "RankError",
    "Ranking",
    "ReadError",
    "Record",
    "Refunded",
    "Refused",
    "Reopening",
    "Replay",
    "ReplayError",
    "ReplayStep",
    "Round",
    "Rules",
    "RulesError",
    "RunBegun",
    "SetupError",
    "Show",
    "Shown",
    "Simulation",
    "SkippedHand",
    "Stakes",
    "Statistics",
    "Street",
    "Structure",
    "StudyError",
    "Table",
    "TableStakes",
    "Turn",
    "UpDealt",
    "Won",
    "blinds",
    "draw_svg",
    "equity",
    "equity_of",
    "evaluate",
    "find_mixed",
    "find_structure",
    "fixed_limit",
    "fixed_step",
    "icm",
    "initiative",
    "no_limit",
    "pot_limit",
    "pots",
    "read",
    "read_action",
    "read_cards",
    "read_event",
    "read_phh",
    "read_phhs",
    "read_position",
    "replay",
    "replay_leniently",
    "replay_steps",
    "scan",
    "scan_file",
    "share",
    "simulate",
    "statistics",
    "view",
    "view_event",
    "write_action",
    "write_cards",
    "write_event",
    "write_phh",
    "write_phhs",
    "write_position",
]

show_later_by_public_name(__name__, _HOME)
keep_old_modules()

if not TYPE_CHECKING:  # a type checker sees the imports above, and refuses names that are not among them

    def __getattr__(name: str) -> Any:
        """Fetch a public name from its module, once."""
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
