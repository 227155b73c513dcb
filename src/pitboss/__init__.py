"""Betting card games: one exact betting kernel, played, hosted, studied and invented."""

from pitboss.betting.actions import AllIn, Bet, BettingAction, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.events import Called, Checked, Folded, Posted, Raised, Refunded
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
from pitboss.errors import PitbossError, show_by_public_name
from pitboss.fast.compiled import NotInstalled
from pitboss.fast.equity.equity import Equity, equity
from pitboss.fast.equity.evaluate import evaluate
from pitboss.fast.equity.holdings import EquityError
from pitboss.fast.equity.ranges import RangeError
from pitboss.fast.play.batch import Batch, BatchError
from pitboss.fast.play.simulate import Simulation, simulate
from pitboss.fast.play.team import PolicyError
from pitboss.game import ChancesTurn, Game, GameType, NoSuchPlace, Over, PlayersTurn, Turn
from pitboss.hand.actions import Action, DealBoard, DealHole, Muck, Show
from pitboss.hand.codec import ActionError, EventError, read_action, read_event, write_action, write_event
from pitboss.hand.events import BoardDealt, Event, HoleDealt, Mucked, Raked, Shown, Won
from pitboss.hand.games import (
    LIMIT_HOLDEM,
    NO_LIMIT_HOLDEM,
    OMAHA,
    OMAHA_HI_LO,
    POT_LIMIT_HOLDEM,
    SHORT_DECK_HOLDEM,
    STRUCTURES,
    NoSuchStructure,
    find_structure,
)
from pitboss.hand.hand import Hand
from pitboss.hand.poker import PokerType
from pitboss.hand.rake import Rake
from pitboss.hand.structure import Ranking, Stakes, Street, Structure, blinds
from pitboss.hand.view import view, view_event
from pitboss.notation.mending import replay_leniently
from pitboss.notation.phh import PhhError, read_phh, read_phhs, scan, write_phh, write_phhs
from pitboss.notation.record import Record
from pitboss.notation.replay import Replay, ReplayError, replay
from pitboss.ranks.errors import RankError
from pitboss.table.levels import TableStakes
from pitboss.table.table import Table

__version__ = "0.1.0"

RULES_VERSION = "4-5697f0c7"
"""Which rules these are: docs/rules.md lists the versions and what changed."""

__all__ = [
    "DECK",
    "LIMIT_HOLDEM",
    "NO_LIMIT_HOLDEM",
    "OMAHA",
    "OMAHA_HI_LO",
    "POT_LIMIT_HOLDEM",
    "RULES_VERSION",
    "SHORT_DECK",
    "SHORT_DECK_HOLDEM",
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
    "DealBoard",
    "DealHole",
    "Equity",
    "EquityError",
    "Event",
    "EventError",
    "Fold",
    "Folded",
    "Game",
    "GameType",
    "Hand",
    "HoleDealt",
    "Muck",
    "Mucked",
    "NoSuchPlace",
    "NoSuchStructure",
    "NotInstalled",
    "Offer",
    "Opposition",
    "Over",
    "PhhError",
    "PitbossError",
    "PlayersTurn",
    "PokerType",
    "PolicyError",
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
    "Record",
    "Refunded",
    "Refused",
    "Reopening",
    "Replay",
    "ReplayError",
    "Round",
    "Rules",
    "RulesError",
    "SetupError",
    "Show",
    "Shown",
    "Simulation",
    "Stakes",
    "Street",
    "Structure",
    "Table",
    "TableStakes",
    "Turn",
    "Won",
    "blinds",
    "equity",
    "evaluate",
    "find_structure",
    "fixed_limit",
    "fixed_step",
    "initiative",
    "no_limit",
    "pot_limit",
    "pots",
    "read_action",
    "read_cards",
    "read_event",
    "read_phh",
    "read_phhs",
    "replay",
    "replay_leniently",
    "scan",
    "share",
    "simulate",
    "view",
    "view_event",
    "write_action",
    "write_cards",
    "write_event",
    "write_phh",
    "write_phhs",
]

show_by_public_name(__name__, globals(), __all__)
