"""Button, blinds and the order of hands: the table document, its way from hand to hand, and the match around it."""

from pitboss.errors import show_by_public_name
from pitboss.table.document import Document, DocumentError, read_document, write_document
from pitboss.table.hands import next_hand
from pitboss.table.levels import Level, StakesError, TableStakes
from pitboss.table.match import Match, open_table
from pitboss.table.play import act, auto, deal, personalize, read_back, written_out
from pitboss.table.seating import Merged, join, leave, merge, pause, resume, wait_for_big_blind
from pitboss.table.table import Chair, DealtHand, HandSetup, Table, TableError

__all__ = [
    "Chair",
    "DealtHand",
    "Document",
    "DocumentError",
    "HandSetup",
    "Level",
    "Match",
    "Merged",
    "StakesError",
    "Table",
    "TableError",
    "TableStakes",
    "act",
    "auto",
    "deal",
    "join",
    "leave",
    "merge",
    "next_hand",
    "open_table",
    "pause",
    "personalize",
    "read_back",
    "read_document",
    "resume",
    "wait_for_big_blind",
    "write_document",
    "written_out",
]

show_by_public_name(__name__, globals(), __all__)
