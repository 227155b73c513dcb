"""The game of an ACPC log: its definition as a `.game` file has it, those that are known by name, and which we play.

Positions are the log's: the first acts first after the flop, which heads-up is the big blind.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import PurePath

from msgspec import Struct

from pitboss.notation.chips import Amount
from pitboss.notation.found import ReadError

UNLIMITED = Decimal("Infinity")
_FIELD = re.compile(r"([A-Za-z]+)[\s=]+(.*)")
_NUMBERS = re.compile(r"\d{1,18}(?:\s+\d{1,18})*")
_BOARD = (0, 3, 1, 1)
_MOST_PLAYERS = 23


class AcpcError(ReadError):
    """A text that is no log or game definition of ours, or a record that cannot be written as one."""


class GameDefinition(Struct, frozen=True, kw_only=True):
    """A game of hold'em: forced bets and stacks by position."""

    limit: bool
    stacks: tuple[Amount, ...]
    blinds: tuple[int, ...]
    first: tuple[int, ...]  #: who acts first on each street, from 0
    raises: tuple[int, ...] = ()  #: limit's bet on each street

    @property
    def variant(self) -> str:
        """Its code in a record."""
        return "FT" if self.limit else "NT"

    @property
    def places(self) -> tuple[int, ...]:
        """The positions in the order of places: from whoever acts first after the flop."""
        n, first = len(self.blinds), self.first[1]
        return tuple((first + place) % n for place in range(n))

    def __str__(self) -> str:
        fields: list[tuple[str, Iterable[object]]] = [
            ("numPlayers", (len(self.blinds),)),
            ("numRounds", (len(_BOARD),)),
            ("stack", () if UNLIMITED in self.stacks else self.stacks),
            ("blind", self.blinds),
            ("raiseSize", self.raises),
            ("firstPlayer", [position + 1 for position in self.first]),
            ("numSuits", (4,)),
            ("numRanks", (13,)),
            ("numHoleCards", (2,)),
            ("numBoardCards", _BOARD),
        ]
        lines = [f"{name} = {' '.join(map(str, values))}" for name, values in fields if values]
        return "\n".join(["GAMEDEF", "limit" if self.limit else "nolimit", *lines, "END GAMEDEF"])


def read_game_definition(text: str, name: str = "") -> GameDefinition:
    """Read a `.game` file; a game that is not hold'em is refused by its name.

    >>> text = '''GAMEDEF
    ... nolimit
    ... numPlayers = 2
    ... numRounds = 4
    ... stack = 20000 20000
    ... blind = 100 50
    ... firstPlayer = 2 1 1 1
    ... numSuits = 4
    ... numRanks = 13
    ... numHoleCards = 2
    ... numBoardCards = 0 3 1 1
    ... END GAMEDEF'''
    >>> read_game_definition(text).stacks
    (20000, 20000)
    >>> str(read_game_definition(text)) == text
    True
    """
    return _Fields(enumerate(text.splitlines(), 1), name).definition()


class _Fields:
    """The fields of a definition and the lines they stand at."""

    def __init__(self, lines: Iterable[tuple[int, str]], name: str) -> None:
        self.name = name
        self.betting = ""
        self.numbers: dict[str, tuple[int, ...]] = {}
        self.lines: dict[str, int] = {}
        for number, text in self._inside(lines):
            self._take(number, text)

    def _inside(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        began = False
        for number, line in lines:
            text = line.partition("#")[0].strip()
            if text.upper() == "GAMEDEF":
                began = True
            elif text.upper() == "END GAMEDEF" and began:
                return
            elif began and text:
                yield number, text
        reason = "the definition stops before END GAMEDEF" if began else "this is no game definition: it has no GAMEDEF"
        raise AcpcError(reason, name=self.name)

    def _take(self, line: int, text: str) -> None:
        if text.lower() in ("limit", "nolimit"):
            self.betting = text.lower()
            return
        found = _FIELD.fullmatch(text)
        if not found or not _NUMBERS.fullmatch(found[2].strip()):
            raise AcpcError("this is no line of a game definition", name=self.name, line=line, text=text)
        key = found[1].lower()
        self.numbers[key] = tuple(map(int, found[2].split()))
        self.lines[key] = line

    def fail(self, reason: str, key: str = "") -> AcpcError:
        return AcpcError(reason, name=self.name, line=self.lines.get(key, 0))

    def one(self, key: str, default: int | None = None) -> int:
        values = self.numbers.get(key.lower(), () if default is None else (default,))
        if len(values) != 1:
            raise self.fail(f"{key} is one number", key.lower())
        return values[0]

    def several(self, key: str, count: int, default: Iterable[int] = ()) -> tuple[int, ...]:
        values = self.numbers.get(key.lower(), tuple(default))
        if len(values) < count:
            raise self.fail(f"{key} has {len(values)} numbers where {count} belong", key.lower())
        return values[:count]

    def definition(self) -> GameDefinition:
        """The definition, once everything in it is found to be hold'em."""
        players, rounds = self.one("numPlayers"), self.one("numRounds")
        kind = (rounds, self.one("numSuits"), self.one("numRanks"), self.one("numHoleCards"))
        boards = self.several("numBoardCards", rounds, (0,))
        if kind != (4, 4, 13, 2) or boards != _BOARD:
            raise self.fail(f"{describe_game(self.name)} is no game of ours: an ACPC log is read where it is hold'em")
        if not 2 <= players <= _MOST_PLAYERS:
            raise self.fail(f"hold'em is for 2 to {_MOST_PLAYERS} players, not {players}", "numplayers")
        limit = self._betting()
        first = tuple(number - 1 for number in self.several("firstPlayer", rounds, (1,) * rounds))
        if not all(0 <= position < players for position in first):
            raise self.fail(f"firstPlayer is from 1 to {players}", "firstplayer")
        if len(set(first[1:])) > 1:
            raise self.fail("firstPlayer is not the same on every street after the first", "firstplayer")
        blinds = self.several("blind", players)
        if not any(blinds):
            raise self.fail("somebody has to post a blind", "blind")
        return GameDefinition(
            limit=limit,
            stacks=self._stacks(players, limit),
            blinds=blinds,
            first=first,
            raises=self._raises() if limit else (),
        )

    def _betting(self) -> bool:
        if not self.betting:
            raise self.fail("the definition says neither limit nor nolimit")
        return self.betting == "limit"

    def _stacks(self, players: int, limit: bool) -> tuple[Amount, ...]:
        if "stack" not in self.numbers:
            if not limit:
                raise self.fail("a no-limit game needs a stack for every player")
            return (UNLIMITED,) * players
        stacks = self.several("stack", players)
        if not all(stacks):
            raise self.fail("a stack is one chip or more", "stack")
        return stacks

    def _raises(self) -> tuple[int, ...]:
        sizes = self.several("raiseSize", len(_BOARD))
        small, big = sizes[0], sizes[2]
        if sizes != (small, small, big, big) or not 0 < small <= big:
            raise self.fail("raiseSize has a small bet for two streets and a big bet for two", "raisesize")
        return sizes


def _known(limit: bool, blinds: tuple[int, ...], first: int) -> GameDefinition:
    n = len(blinds)
    return GameDefinition(
        limit=limit,
        stacks=(UNLIMITED,) * n if limit else (20000,) * n,
        blinds=blinds,
        first=(first, 0, 0, 0),
        raises=(10, 10, 20, 20) if limit else (),
    )


KNOWN = {
    "holdem.limit.2p.reverse_blinds.game": _known(True, (10, 5), 1),
    "holdem.nolimit.2p.reverse_blinds.game": _known(False, (100, 50), 1),
    "holdem.limit.3p.game": _known(True, (5, 10, 0), 2),
    "holdem.nolimit.3p.game": _known(False, (50, 100, 0), 2),
}
"""The competition's own games by the names of their files."""


def describe_game(name: str) -> str:
    """A game as its file calls it: `leduc` for `games/leduc.limit.2p.game`."""
    return PurePath(name).name.split(".")[0] or "this"


def find_game(name: str) -> GameDefinition | None:
    """The definition that a log's header names, where it is one of the competition's."""
    known = KNOWN.get(PurePath(name.replace("\\", "/")).name)
    if known is None and describe_game(name).lower() in ("kuhn", "leduc"):
        raise AcpcError(f"{describe_game(name)} is no game of ours: an ACPC log is read where it is hold'em")
    return known
