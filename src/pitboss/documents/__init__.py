"""The table document of clients and servers: JSON in its own money, translated to a table in whole chips and back."""

from pitboss.documents.fields import Document, DocumentError, read_document, write_document
from pitboss.documents.hands import finishing_stacks, next_hand, open_document, top_up
from pitboss.documents.intents import Merged, join, leave, merge, pause, resume, wait_for_big_blind
from pitboss.documents.play import act, auto, deal, personalize
from pitboss.documents.record import from_record, read_back, to_record, written_out
from pitboss.errors import show_by_public_name

__all__ = [
    "Document",
    "DocumentError",
    "Merged",
    "act",
    "auto",
    "deal",
    "finishing_stacks",
    "from_record",
    "join",
    "leave",
    "merge",
    "next_hand",
    "open_document",
    "pause",
    "personalize",
    "read_back",
    "read_document",
    "resume",
    "to_record",
    "top_up",
    "wait_for_big_blind",
    "write_document",
    "written_out",
]

show_by_public_name(__name__, globals(), __all__)
