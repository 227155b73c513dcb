"""The public names of `pitboss.formats` and the modules they come from: the only list of them."""

from pitboss.formats.acpc import AcpcError as AcpcError, read_acpc as read_acpc, write_acpc as write_acpc
from pitboss.formats.ohh import OhhError as OhhError, read_ohh as read_ohh, write_ohh as write_ohh
from pitboss.formats.phh import (
    PhhError as PhhError,
    foreign_words as foreign_words,
    read_phh as read_phh,
    read_phhs as read_phhs,
    scan as scan,
    write_phh as write_phh,
    write_phhs as write_phhs,
)
from pitboss.formats.scan import HandFound as HandFound, Note as Note, ReadError as ReadError
from pitboss.formats.sites.pokerstars_writer import write_pokerstars as write_pokerstars

__all__: list[str]
_HOME: dict[str, str]
