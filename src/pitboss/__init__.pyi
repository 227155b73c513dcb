"""The public names of pitboss and the modules they come from: the only list of them.

Type checkers read this file. `pitboss` reads it too when it is imported, and imports a name's module when the name is
first used. To export a name, import it here as itself.
"""

from pitboss.batch import Batch as Batch, BatchError as BatchError
from pitboss.betting.events import (
    AllIn as AllIn,
    Bet as Bet,
    BettingAction as BettingAction,
    Call as Call,
    Check as Check,
    Fold as Fold,
    Raise as Raise,
    RaiseBy as RaiseBy,
)
from pitboss.betting.events import (
    BroughtIn as BroughtIn,
    Called as Called,
    Checked as Checked,
    Folded as Folded,
    Posted as Posted,
    Raised as Raised,
    Refunded as Refunded,
)
from pitboss.betting.pots import Pot as Pot, PotError as PotError, pots as pots, share as share
from pitboss.betting.refusals import Refused as Refused, SetupError as SetupError
from pitboss.betting.round import Bounds as Bounds, Offer as Offer, Post as Post, Round as Round
from pitboss.betting.rules import (
    Answers as Answers,
    Ceiling as Ceiling,
    Opposition as Opposition,
    Reopening as Reopening,
    Rules as Rules,
    RulesError as RulesError,
    fixed_limit as fixed_limit,
    fixed_step as fixed_step,
    initiative as initiative,
    no_limit as no_limit,
    pot_limit as pot_limit,
)
from pitboss.cards import (
    DECK as DECK,
    SHORT_DECK as SHORT_DECK,
    UNKNOWN as UNKNOWN,
    Card as Card,
    CardError as CardError,
    read_cards as read_cards,
    write_cards as write_cards,
)
from pitboss.chance import Chance as Chance, ChanceError as ChanceError
from pitboss.compilation import warmup as warmup
from pitboss.decks import secure_deck as secure_deck
from pitboss.errors import PitbossError as PitbossError
from pitboss.fast.compiled import NotInstalled as NotInstalled
from pitboss.fast.equity.answers import ComboEquity as ComboEquity, Equity as Equity, EquityError as EquityError
from pitboss.fast.equity.equity import equity as equity, equity_of as equity_of
from pitboss.fast.equity.icm import Icm as Icm, IcmError as IcmError, icm as icm
from pitboss.fast.equity.ranges import RangeError as RangeError, read_range as read_range, write_range as write_range
from pitboss.fast.evaluate import evaluate as evaluate
from pitboss.fast.play.setup import PolicyError as PolicyError
from pitboss.fast.play.simulate import Simulation as Simulation, simulate as simulate
from pitboss.formats.phh import (
    PhhError as PhhError,
    read_phh as read_phh,
    read_phhs as read_phhs,
    scan as scan,
    write_phh as write_phh,
    write_phhs as write_phhs,
)
from pitboss.formats.scan import HandFound as HandFound, Note as Note, ReadError as ReadError
from pitboss.game import (
    ChancesTurn as ChancesTurn,
    Game as Game,
    GameType as GameType,
    action_mask as action_mask,
    NoSuchPlace as NoSuchPlace,
    Over as Over,
    PlayersTurn as PlayersTurn,
    Turn as Turn,
)
from pitboss.hand.events import (
    Action as Action,
    DealBoard as DealBoard,
    DealHole as DealHole,
    Discard as Discard,
    Muck as Muck,
    Show as Show,
)
from pitboss.hand.events import (
    ActionError as ActionError,
    EventError as EventError,
    read_action as read_action,
    read_event as read_event,
    write_action as write_action,
    write_event as write_event,
)
from pitboss.hand.events import (
    BoardDealt as BoardDealt,
    Discarded as Discarded,
    Event as Event,
    HoleDealt as HoleDealt,
    Mucked as Mucked,
    Raked as Raked,
    RunBegun as RunBegun,
    Shown as Shown,
    UpDealt as UpDealt,
    Won as Won,
)
from pitboss.hand.games import (
    BADUGI as BADUGI,
    DEUCE_TO_SEVEN_SINGLE_DRAW as DEUCE_TO_SEVEN_SINGLE_DRAW,
    DEUCE_TO_SEVEN_TRIPLE_DRAW as DEUCE_TO_SEVEN_TRIPLE_DRAW,
    FIVE_CARD_DRAW as FIVE_CARD_DRAW,
    FIVE_CARD_OMAHA as FIVE_CARD_OMAHA,
    FIVE_CARD_OMAHA_HI_LO as FIVE_CARD_OMAHA_HI_LO,
    LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW as LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW,
    LIMIT_FIVE_CARD_OMAHA as LIMIT_FIVE_CARD_OMAHA,
    LIMIT_FIVE_CARD_OMAHA_HI_LO as LIMIT_FIVE_CARD_OMAHA_HI_LO,
    LIMIT_HOLDEM as LIMIT_HOLDEM,
    LIMIT_OMAHA as LIMIT_OMAHA,
    LIMIT_SHORT_DECK_HOLDEM as LIMIT_SHORT_DECK_HOLDEM,
    LIMIT_SIX_CARD_OMAHA as LIMIT_SIX_CARD_OMAHA,
    NO_LIMIT_BADUGI as NO_LIMIT_BADUGI,
    NO_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW as NO_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW,
    NO_LIMIT_FIVE_CARD_DRAW as NO_LIMIT_FIVE_CARD_DRAW,
    NO_LIMIT_FIVE_CARD_OMAHA as NO_LIMIT_FIVE_CARD_OMAHA,
    NO_LIMIT_FIVE_CARD_OMAHA_HI_LO as NO_LIMIT_FIVE_CARD_OMAHA_HI_LO,
    NO_LIMIT_HOLDEM as NO_LIMIT_HOLDEM,
    NO_LIMIT_OMAHA as NO_LIMIT_OMAHA,
    NO_LIMIT_OMAHA_HI_LO as NO_LIMIT_OMAHA_HI_LO,
    NO_LIMIT_RAZZ as NO_LIMIT_RAZZ,
    NO_LIMIT_SEVEN_CARD_STUD as NO_LIMIT_SEVEN_CARD_STUD,
    NO_LIMIT_SEVEN_CARD_STUD_HI_LO as NO_LIMIT_SEVEN_CARD_STUD_HI_LO,
    NO_LIMIT_SIX_CARD_OMAHA as NO_LIMIT_SIX_CARD_OMAHA,
    OMAHA as OMAHA,
    OMAHA_HI_LO as OMAHA_HI_LO,
    PHH_CODES as PHH_CODES,
    POT_LIMIT_BADUGI as POT_LIMIT_BADUGI,
    POT_LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW as POT_LIMIT_DEUCE_TO_SEVEN_SINGLE_DRAW,
    POT_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW as POT_LIMIT_DEUCE_TO_SEVEN_TRIPLE_DRAW,
    POT_LIMIT_FIVE_CARD_DRAW as POT_LIMIT_FIVE_CARD_DRAW,
    POT_LIMIT_HOLDEM as POT_LIMIT_HOLDEM,
    POT_LIMIT_OMAHA_HI_LO as POT_LIMIT_OMAHA_HI_LO,
    POT_LIMIT_RAZZ as POT_LIMIT_RAZZ,
    POT_LIMIT_SEVEN_CARD_STUD as POT_LIMIT_SEVEN_CARD_STUD,
    POT_LIMIT_SEVEN_CARD_STUD_HI_LO as POT_LIMIT_SEVEN_CARD_STUD_HI_LO,
    POT_LIMIT_SHORT_DECK_HOLDEM as POT_LIMIT_SHORT_DECK_HOLDEM,
    RAZZ as RAZZ,
    SEVEN_CARD_STUD as SEVEN_CARD_STUD,
    SEVEN_CARD_STUD_HI_LO as SEVEN_CARD_STUD_HI_LO,
    SHORT_DECK_HOLDEM as SHORT_DECK_HOLDEM,
    SIX_CARD_OMAHA as SIX_CARD_OMAHA,
    STRUCTURES as STRUCTURES,
    NoSuchStructure as NoSuchStructure,
    find_game as find_game,
    find_structure as find_structure,
    read_game as read_game,
    write_game as write_game,
)
from pitboss.hand.game_file import GameFileError as GameFileError
from pitboss.hand.hand import Hand as Hand
from pitboss.hand.game_type import PokerType as PokerType
from pitboss.hand.position import (
    PositionError as PositionError,
    read_position as read_position,
    write_position as write_position,
)
from pitboss.hand.structure import (
    Rake as Rake,
    Ranking as Ranking,
    Stakes as Stakes,
    Street as Street,
    Structure as Structure,
    blinds as blinds,
)
from pitboss.hand.text import draw_svg as draw_svg
from pitboss.hand.view import view as view, view_event as view_event
from pitboss.histories import (
    WriteError as WriteError,
    parse as parse,
    read as read,
    scan_file as scan_file,
    to_text as to_text,
    write as write,
)
from pitboss.ranks import high_name as high_name
from pitboss.ranks.layout import RankError as RankError
from pitboss.records.lenient import replay_leniently as replay_leniently
from pitboss.records.record import Record as Record
from pitboss.records.replay import Replay as Replay, ReplayError as ReplayError, replay as replay
from pitboss.records.steps import ReplayStep as ReplayStep, replay_steps as replay_steps
from pitboss.solver.push_fold import PushFold as PushFold, PushFoldNode as PushFoldNode, push_fold as push_fold
from pitboss.solver.sizes import Sizes as Sizes, SpotError as SpotError
from pitboss.solver.solution import (
    SpotSolution as SpotSolution,
    load_solution as load_solution,
    solve as solve,
)
from pitboss.solver.spot import Prizes as Prizes, Spot as Spot
from pitboss.study.rows import (
    PlayerStatistics as PlayerStatistics,
    SkippedHand as SkippedHand,
    Statistics as Statistics,
)
from pitboss.study.statistics import StudyError as StudyError, statistics as statistics
from pitboss.table.mixed import (
    EIGHT_GAME as EIGHT_GAME,
    HORSE as HORSE,
    GameAtStakes as GameAtStakes,
    Mixed as Mixed,
    find_mixed as find_mixed,
)
from pitboss.table.stakes import TableStakes as TableStakes
from pitboss.table.table import Table as Table

__version__: str
RULES_VERSION: str
__all__: list[str]
_HOME: dict[str, str]
