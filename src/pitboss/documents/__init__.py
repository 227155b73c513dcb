"""The table document that servers and clients share. It is JSON with the state of a table between and during hands.

The functions do not change their arguments. They accept a `Document`, a dict from `json.loads`, or JSON as text or
bytes, and return a new `Document`. `write_document` converts it to JSON.
"""

from pitboss.documents.fields import Document, DocumentError, Source, read_document, read_fields, write_document
from pitboss.documents.hands import finishing_stacks, next_hand, open_document, top_up
from pitboss.documents.intents import Merged, join, leave, merge, pause, resume, wait_for_big_blind
from pitboss.documents.play import act, auto, deal
from pitboss.documents.record import from_record, read_back, to_record, written_out
from pitboss.documents.views import cash_out, events_since, offer, personalize, turn
from pitboss.errors import show_by_public_name

__all__ = [
    "Document",
    "DocumentError",
    "Merged",
    "Source",
    "act",
    "auto",
    "cash_out",
    "deal",
    "events_since",
    "finishing_stacks",
    "from_record",
    "join",
    "leave",
    "merge",
    "next_hand",
    "offer",
    "open_document",
    "pause",
    "personalize",
    "read_back",
    "read_document",
    "read_fields",
    "resume",
    "to_record",
    "top_up",
    "turn",
    "wait_for_big_blind",
    "write_document",
    "written_out",
]

show_by_public_name(__name__, globals(), __all__)
