"""The data of a competition: what each match produced, and the two files that are made from it.

`MatchResult` is the unit. A match has a list of *blocks*; a block is one deal, played once, or with duplicate deals
once for each rotation of the seats. Blocks are independent of each other, so every interval is an interval over blocks.
All tuples by entrant have the order of `MatchResult.seats`.

A block's chips are summed over its hands. A rate over blocks is therefore the sum of chips by the sum of hands:

>>> blocks = (DealBlock(0, 2, (300, -300)), DealBlock(1, 2, (-100, 100)))
>>> 100 * sum(block.net[0] for block in blocks) / 100 / sum(block.hands for block in blocks)  # big blinds of 100 chips
50.0

At tables with more than two seats, the result between two entrants is half of the difference of their chips, which
heads-up is the chips of the first: `(net[a] - net[b]) / 2`.

A competition's folder has `results.json` (`CompetitionResult`), `results.csv`, `competition.json`
(`CompetitionRecord`: the settings, the matches, and what the report needs), and for each match the folder `matches/ID`
with `match.json` (`MatchResult`) and `hands.phhs`, the journal: every hand with all cards, for `pitboss replay`. In the
journal `_deal` is the number of the block, `_rotation` the rotation, `_move_s` the seat (from 1) and the seconds of
every answer, and `_refused` the seats and reasons of the answers that were replaced.
"""

import csv
import io
import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from pitboss.errors import PitbossError

Form: TypeAlias = Literal["round_robin", "table_round_robin", "knock_out", "swiss"]
"""How the entrants meet."""
Kind: TypeAlias = Literal["path", "command", "house", "llm"]
"""What an entrant is: Python code, a command in any language, a house bot or a language model."""

RESULTS, TABLE, RECORD = "results.json", "results.csv", "competition.json"
MATCHES, MATCH, JOURNAL = "matches", "match.json", "hands.phhs"
"""The names in a competition's folder, and in a match's folder."""
DIGITS = 3
"""The digits after the point of every rate in a file."""

AnyStruct = TypeVar("AnyStruct", bound=Struct)


class ResultsError(PitbossError, ValueError):
    """A file of a competition's folder is missing or not valid; the message names it."""


class DealBlock(Struct, frozen=True, array_like=True):
    """One deal with all its rotations: its number, its hands, and the chips that each seat won in them.

    `adjusted` are the chips with all-ins valued by equity, where they are known. `refined` are the chips with luck
    removed further (a control variate, AIVAT).
    """

    deal: int
    hands: int
    net: tuple[int, ...]
    adjusted: tuple[float, ...] | None = None
    refined: tuple[float, ...] | None = None


class EntrantSeat(Struct, frozen=True, kw_only=True):
    """One entrant in one match: chips won, and what went wrong.

    `illegal` are answers that the rules refuse, `timeouts` are late answers, and `crashes` are exceptions and lost
    processes. Each of them was replaced by a check or a fold.
    """

    name: str
    net: int = 0
    answers: int = 0
    illegal: int = 0
    timeouts: int = 0
    crashes: int = 0
    complaint: str | None = None  #: the first of these faults
    out: str | None = None  #: why the entrant lost the match by the rules
    time_s: float = 0.0  #: all its answers together
    slowest_s: float = 0.0
    tokens: int = 0  #: of a language model
    cost: float | None = None  #: of a language model, in the currency of its prices


class MatchResult(Struct, frozen=True, kw_only=True):
    """A finished match."""

    id: str  #: the name of its folder, such as `r01-t003`
    round: int
    table: int
    seats: tuple[EntrantSeat, ...]
    big_blind: int
    hands: int  #: the hands that were played
    planned: int  #: the hands without an early stop
    blocks: tuple[DealBlock, ...]
    decided: bool = False  #: whether it stopped early, because an anytime-valid interval excluded zero
    journal: str  #: the path of the hands in the competition's folder
    commit: str  #: the commitment to all decks of the match, published before it
    key: str  #: the key of the decks, which the commitment binds
    begun_at: str = ""
    seconds_s: float = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants, by seat."""
        return tuple([seat.name for seat in self.seats])


class AdjustedRate(Struct, frozen=True):
    """A rate with less luck, and its 95 % interval: from `refined`, else from `adjusted` of the blocks, else null."""

    bb_per_100: float | None
    low: float | None
    high: float | None


class EntrantResult(Struct, frozen=True, kw_only=True):
    """The result of an entrant in `results.json`. `low` and `high` are null with fewer than two blocks."""

    name: str
    place: int
    tied_with: tuple[str, ...]
    bb_per_100: float
    low: float | None
    high: float | None
    adjusted: AdjustedRate
    hands: int
    matches: int
    illegal: int
    timeouts: int
    crashes: int


class PairResult(Struct, frozen=True, kw_only=True):
    """The result of two entrants against each other in `results.json`, in big blinds per hundred hands of `a`."""

    a: str
    b: str
    hands: int
    bb_per_100: float
    low: float | None
    high: float | None
    decided: bool


class CompetitionResult(Struct, frozen=True, kw_only=True):
    """The content of `results.json`. `hands` is the number of hands that were played."""

    form: Form
    game: str
    hands: int
    entrants: tuple[EntrantResult, ...]
    pairs: tuple[PairResult, ...]

    def places_of(self, result: EntrantResult) -> str:
        """Return the places that are possible for an entrant, such as 2 or 1–3."""
        at = {each.name: each.place for each in self.entrants}
        places = [result.place, *[at[name] for name in result.tied_with if name in at]]
        return str(result.place) if len(places) == 1 else f"{min(places)}–{max(places)}"


class EntrantInfo(Struct, frozen=True, kw_only=True):
    """An entrant as its file of settings describes it."""

    name: str
    kind: Kind
    spec: str  #: the path, the command, the house bot's name or the model's name


class CompetitionRecord(Struct, frozen=True, kw_only=True):
    """Everything that the report is made from."""

    form: Form
    game: str
    settings: dict[str, Any]  #: the settings of the file, with defaults filled in
    entrants: tuple[EntrantInfo, ...]
    matches: tuple[MatchResult, ...] = ()
    byes: tuple[tuple[int, str], ...] = ()  #: the round and the entrant
    notices: tuple[str, ...] = ()  #: what this system does not enforce, and switches such as --trust-bots
    version: str = ""


def rounded(number: float) -> float | None:
    """Return a rate as the files have it; None instead of a number that is not finite.

    >>> rounded(1.23456), rounded(float("inf")), rounded(-0.0001)
    (1.235, None, 0.0)
    """
    return round(number, DIGITS) + 0.0 if math.isfinite(number) else None


def write_json(path: Path, value: Struct) -> None:
    """Write a value to a file in one step, so that a crash leaves the old file or the new one."""
    write_bytes(path, msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")


def write_bytes(path: Path, content: bytes) -> None:
    """Write bytes to a file in one step."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def read_json(path: Path, kind: type[AnyStruct]) -> AnyStruct:
    """Return the value of a file. Raise `ResultsError` if it is missing or not valid."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise ResultsError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise ResultsError(f"{path}: {error}") from None


def csv_of(entrants: Sequence[EntrantResult]) -> str:
    """Return the standings as `results.csv` has them, one line per entrant."""
    names = [*EntrantResult.__struct_fields__]
    at = names.index("adjusted")
    names[at : at + 1] = ["adjusted_bb_per_100", "adjusted_low", "adjusted_high"]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    for entrant in entrants:
        row: list[Any] = []
        for value in (getattr(entrant, name) for name in EntrantResult.__struct_fields__):
            row += _cells(value)
        writer.writerow(row)
    return text.getvalue()


def _cells(value: Any) -> Iterable[Any]:
    if isinstance(value, AdjustedRate):
        return value.bb_per_100, value.low, value.high
    return ("; ".join(value),) if isinstance(value, tuple) else (value,)
