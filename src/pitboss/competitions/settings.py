"""The settings of a competition, from FILE.toml.

A file is read completely before anything starts. What is wrong is reported in one sentence with the line and the key.
"""

import shlex
import shutil
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn, get_args

from msgspec import Struct

from pitboss.arena.agents.models import PREFIX
from pitboss.arena.bots import HOUSE, why_not
from pitboss.arena.wire.poker import unsent
from pitboss.arena.wire.team_names import are_alike
from pitboss.client.bots import bot_names
from pitboss.competitions.intervals import AnytimeInterval
from pitboss.competitions.ranking import RankBy
from pitboss.competitions.results import EntrantInfo, Form, Kind
from pitboss.errors import PitbossError
from pitboss.hand.game_file import GameFileError, Lines, read_toml, spell
from pitboss.hand.games import NoSuchStructure, is_path
from pitboss.table.mixed import Mixed, find_games

MOST_ENTRANTS, MOST_SEATS = 256, 10
MOST_HANDS, MOST_CHIPS = 10_000_000, 10**12
MOST_MS = 1_500_000
LONGEST_NAME = 40
LONGEST_TEXT = 4096
KINDS: tuple[Kind, ...] = get_args(Kind)
FORMS: tuple[Form, ...] = get_args(Form)
RANKINGS: tuple[RankBy, ...] = get_args(RankBy)

EXAMPLE = """\
# A competition of pitboss. Run it with: pitboss arena compete FILE.toml --out DIR

form = "round_robin"       # round_robin, table_round_robin, knock_out or swiss
game = "no_limit_holdem"   # a game (docs/games.md), a mixed game (horse) or a game file (mine.toml)
seats = 2                  # players at a table; more than two only with table_round_robin
hands = 200                # hands per pair or table
seed = 7                   # decides all cards; keep it secret until the end, or leave it out for a random one
duplicate = true           # the same cards for every seat, which removes most of the luck of the deal
stop_when_decided = false  # end a pair's match as soon as it is clear who is better
move_time_ms = 1000        # time for an answer
# match_time_s = 600       # time of each bot for all its answers in a match
rank_by = "bb_per_100"     # bb_per_100, wins or runoff (instant run-off)
# rounds = 5               # only with swiss
stack = 10_000             # chips at the start of every hand
small_blind = 50
big_blind = 100

# Each entrant has a name and one of:
#   path = "bots/alice.py"      a Python file, file.py:Name, or module:name
#   command = "node bert.mjs"   a program in any language
#   house = "tight"             a house bot
#   llm = "local"               a language model from models.toml

[[entrants]]
name = "sharp"
house = "sharp"

[[entrants]]
name = "tight"
house = "tight"

[[entrants]]
name = "calling"
house = "calling"

[[entrants]]
name = "random"
house = "random"
"""
"""What `pitboss arena compete --new` writes."""


class CompetitionFileError(PitbossError, ValueError):
    """A file of settings that cannot be used. `line` and `key` are the place of the error."""

    def __init__(self, sentence: str, *, name: str = "", line: int = 0, key: str = "") -> None:
        where = ", ".join([place for place in (name, f"line {line}" if line else "", key) if place])
        super().__init__(f"{where}: {sentence}" if where else sentence)
        self.sentence, self.line, self.key = sentence, line, key


class CompetitionSettings(Struct, frozen=True, kw_only=True):
    """The settings of a competition, checked."""

    form: Form = "round_robin"
    game: str = "no_limit_holdem"
    seats: int = 2
    hands: int = 1000  #: per pair or table
    seed: int | None = None
    duplicate: bool = True
    stop_when_decided: bool = False
    move_time_ms: int = 1000
    match_time_s: float | None = None
    rank_by: RankBy = "bb_per_100"
    rounds: int | None = None
    stack: int = 10_000
    small_blind: int = 50
    big_blind: int = 100
    entrants: tuple[EntrantInfo, ...]

    @property
    def games(self) -> Mixed:
        """The game or the games to play."""
        return find_games(self.game)

    @property
    def rotations(self) -> int:
        """How often each deal is played."""
        return self.seats if self.duplicate else 1

    @property
    def deals(self) -> int:
        """The deals of a match; with duplicate deals, the last one is complete."""
        return -(-self.hands // self.rotations)


KEYS = CompetitionSettings.__struct_fields__
_PLAIN: dict[str, tuple[int, int]] = {
    "seats": (2, MOST_SEATS),
    "hands": (1, MOST_HANDS),
    "seed": (0, 2**64 - 1),
    "move_time_ms": (1, MOST_MS),
    "rounds": (1, MOST_ENTRANTS - 1),
    "stack": (1, MOST_CHIPS),
    "small_blind": (0, MOST_CHIPS),
    "big_blind": (1, MOST_CHIPS),
}
"""The keys with whole numbers, and their bounds."""
_WORDS: dict[str, tuple[str, ...]] = {"form": FORMS, "rank_by": RANKINGS}


class CompetitionFile(Struct, frozen=True):
    """The settings of a file, and the place of each entrant in it, for errors that are found later."""

    settings: CompetitionSettings
    places: tuple[str, ...]


def read_settings(path: Path) -> CompetitionFile:
    """Return the settings of a file. Paths of bots and games in it are relative to the folder of the file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CompetitionFileError(f"cannot be read: {error.strerror or error}", name=str(path)) from None
    return parse_settings(data, str(path), path.parent)


def parse_settings(data: bytes | str, name: str = "", folder: Path | None = None) -> CompetitionFile:
    """Return the settings of a TOML text. `name` is the file's name, for errors.

    >>> parse_settings(EXAMPLE).settings.deals
    100
    >>> parse_settings("form = 'league'", "cup.toml")
    Traceback (most recent call last):
    pitboss.competitions.settings.CompetitionFileError: cup.toml, line 1, form: expected round_robin, \
table_round_robin, knock_out or swiss, got 'league'
    """
    try:
        text = data.decode() if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise CompetitionFileError("the file is not text in UTF-8", name=name, line=line) from None
    try:
        fields, lines = read_toml(text, name)
    except GameFileError as error:
        raise CompetitionFileError(error.sentence, name=name, line=error.line, key=error.key) from None
    return _Reader(name, lines, folder or Path()).read(fields)


def folder_settings(folder: Path) -> CompetitionFile:
    """Return the settings of a duplicate round robin over the Python bots of a folder.

    Each file `NAME.py` is a bot, and each folder with a file `bot.py` or `main.py`.
    """
    found = sorted(file for file in folder.glob("*.py") if not file.name.startswith(("_", ".")))
    for name in ("bot.py", "main.py"):
        found += [file for file in sorted(folder.glob(f"*/{name}")) if file.parent not in {one.parent for one in found}]
    specs = [str(file) for file in found]
    entrants = [
        {"name": name, "path": str(Path(spec).relative_to(folder))}
        for name, spec in zip(bot_names(specs), specs, strict=True)
    ]
    if len(entrants) < 2:
        raise CompetitionFileError(
            f"expected at least two bots: files NAME.py, or folders with a file bot.py; got {len(entrants)}",
            name=str(folder),
        )
    return _Reader(str(folder), {}, folder).read({"entrants": entrants})


class _Reader:
    """Checks the fields of one file."""

    def __init__(self, name: str, lines: Lines, folder: Path) -> None:
        self._name, self._lines, self._folder = name, lines, folder

    def read(self, fields: Mapping[str, Any]) -> CompetitionFile:
        """Return the settings and the places of the entrants, or raise `CompetitionFileError`."""
        settings = self._settings(fields)
        places = [self._place(("entrants", at)) for at in range(len(settings.entrants))]
        return CompetitionFile(settings, tuple(places))

    def _settings(self, fields: Mapping[str, Any]) -> CompetitionSettings:
        given: dict[str, Any] = {}
        for key, value in fields.items():
            self._known(key, KEYS, (key,))
            if key != "entrants":
                given[key] = self._value(key, value)
        if "entrants" not in fields:
            self._refuse(("entrants",), "expected [[entrants]] tables, each with a name and a bot")
        settings = CompetitionSettings(**given, entrants=self._entrants(fields["entrants"]))
        games = self._games(settings)
        self._seating(settings, games, fields)
        self._chips(settings, games)
        self._reachable(settings)
        self._bots(settings, games)
        return settings

    def _line(self, path: tuple[str | int, ...]) -> int:
        return next((self._lines[path[:size]] for size in range(len(path), 0, -1) if path[:size] in self._lines), 0)

    def _place(self, path: tuple[str | int, ...]) -> str:
        line = self._line(path)
        return f"{self._name}, line {line}, {spell(path)}" if line else self._name

    def _refuse(self, path: tuple[str | int, ...], sentence: str) -> NoReturn:
        raise CompetitionFileError(sentence, name=self._name, line=self._line(path), key=spell(path))

    def _known(self, key: str, keys: tuple[str, ...], path: tuple[str | int, ...]) -> None:
        if key not in keys:
            near = get_close_matches(key, keys, 1)
            advice = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(keys)}"
            self._refuse((*path[:-1], key[:60]), f"unknown key; {advice}")

    def _value(self, key: str, value: Any) -> Any:
        if key in _WORDS:
            words = _WORDS[key]
            if value not in words:
                self._refuse((key,), f"expected {', '.join(words[:-1])} or {words[-1]}, got {value!r:.60}")
        elif key in _PLAIN:
            least, most = _PLAIN[key]
            if type(value) is not int or not least <= value <= most:
                self._refuse((key,), f"expected a whole number from {least} to {most}, got {value!r:.60}")
        elif key == "match_time_s":
            if type(value) not in (int, float) or not 0 < value < float("inf"):
                self._refuse((key,), f"expected seconds, more than 0, got {value!r:.60}")
            value = float(value)
        elif key == "game":
            if not isinstance(value, str) or not value.isprintable() or len(value) > LONGEST_TEXT:
                self._refuse((key,), f"expected the name of a game, got {value!r:.60}")
        elif type(value) is not bool:
            self._refuse((key,), f"expected true or false, got {value!r:.60}")
        return value

    def _entrants(self, tables: Any) -> tuple[EntrantInfo, ...]:
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self._refuse(("entrants",), "expected [[entrants]] tables, each with a name and a bot")
        if not 2 <= len(tables) <= MOST_ENTRANTS:
            self._refuse(("entrants",), f"expected 2 to {MOST_ENTRANTS} entrants, got {len(tables)}")
        entrants: list[EntrantInfo] = []
        for at, table in enumerate(tables):
            entrant = self._entrant(table, ("entrants", at))
            for other in entrants:
                if are_alike(other.name, entrant.name):
                    same = "is given twice" if other.name == entrant.name else f"looks like {other.name!r}"
                    self._refuse(("entrants", at, "name"), f"the name {entrant.name!r} {same}")
            entrants.append(entrant)
        return tuple(entrants)

    def _entrant(self, table: Mapping[str, Any], at: tuple[str | int, ...]) -> EntrantInfo:
        for key, value in table.items():
            self._known(key, ("name", *KINDS), (*at, key))
            if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > LONGEST_TEXT:
                self._refuse((*at, key), f"expected printable text, got {value!r:.60}")
        if "name" not in table:
            self._refuse(at, "the key name is missing")
        name = table["name"]
        if len(name) > LONGEST_NAME or name != name.strip():
            self._refuse(
                (*at, "name"), f"expected 1 to {LONGEST_NAME} characters without spaces around them, got {name!r:.60}"
            )
        kinds = [kind for kind in KINDS if kind in table]
        if len(kinds) != 1:
            found = " and ".join(kinds) or "none"
            self._refuse(at, f"{name}: expected one of {', '.join(KINDS)}, got {found}")
        kind, spec = kinds[0], table[kinds[0]]
        return EntrantInfo(name=name, kind=kind, spec=self._spec(kind, spec, (*at, kind)))

    def _spec(self, kind: Kind, spec: str, at: tuple[str | int, ...]) -> str:
        if kind == "house" and spec not in HOUSE:
            self._refuse(at, f"expected one of {', '.join(HOUSE)}, got {spec!r:.60}")
        if kind == "command":
            return self._command(spec, at)
        if kind == "path" and (place := spec.partition(".py")[0] + ".py") and ".py" in spec:
            file = self._folder / place
            if not file.is_file():
                self._refuse(at, f"the file {file} was not found")
            return f"{file.absolute()}{spec[len(place) :]}"
        return spec.removeprefix(PREFIX) if kind == "llm" else spec

    def _command(self, spec: str, at: tuple[str | int, ...]) -> str:
        """Return a command whose words are found from any folder."""
        try:
            words = shlex.split(spec)
        except ValueError as error:
            self._refuse(at, f"the command cannot be split into words: {error}")
        program = self._folder / words[0]
        found = str(program.absolute()) if program.is_file() else shutil.which(words[0])
        if found is None:
            self._refuse(at, f"the program {words[0]} was not found")
        first = next((word for word in words[1:] if not word.startswith("-")), "")
        if Path(first).suffix and not (self._folder / first).exists():
            self._refuse(at, f"the file {self._folder / first} was not found")
        files = [
            str((self._folder / word).absolute()) if (self._folder / word).is_file() else word for word in words[1:]
        ]
        return shlex.join([found, *files])

    # --- rules between keys

    def _games(self, settings: CompetitionSettings) -> Mixed:
        try:
            game = settings.game
            games = find_games(str(self._folder / game) if is_path(game) else game)
        except (NoSuchStructure, GameFileError) as error:
            self._refuse(("game",), str(error))
        if (reason := next(filter(None, [unsent(game.structure) for game in games.games]), None)) is not None:
            self._refuse(("game",), reason)
        return games

    def _seating(self, settings: CompetitionSettings, games: Mixed, fields: Mapping[str, Any]) -> None:
        seats, entrants = settings.seats, len(settings.entrants)
        if settings.form == "table_round_robin":
            most = min(MOST_SEATS, games.most_players)
            if seats > most:
                self._refuse(("seats",), f"{games.name} has at most {most} seats, got {seats}")
            if seats > entrants:
                self._refuse(("seats",), f"{entrants} entrants cannot fill a table of {seats} seats")
        elif seats != 2:
            self._refuse(
                ("seats",), f"{settings.form} is heads-up: expected 2 seats, or table_round_robin, got {seats}"
            )
        if settings.form == "swiss":
            if settings.rounds is None:
                self._refuse(("form",), "swiss needs the key rounds")
            if settings.rounds > entrants - 1 + entrants % 2:
                most = entrants - 1 + entrants % 2
                self._refuse(
                    ("rounds",),
                    f"expected at most {most} for {entrants} entrants, who meet once, got {settings.rounds}",
                )
        elif settings.rounds is not None:
            self._refuse(("rounds",), f"only swiss has rounds; {settings.form} decides them by the entrants")
        if settings.form == "knock_out" and fields.get("rank_by", "wins") != "wins":
            self._refuse(("rank_by",), "a knock_out ranks by wins: leave the key out")

    def _chips(self, settings: CompetitionSettings, games: Mixed) -> None:
        if not settings.small_blind <= settings.big_blind:
            self._refuse(("small_blind",), f"expected at most the big blind, {settings.big_blind}")
        if settings.big_blind > settings.stack:
            self._refuse(("stack",), f"expected at least the big blind, {settings.big_blind}, got {settings.stack}")

    def _reachable(self, settings: CompetitionSettings) -> None:
        """Refuse bounds that can never be reached."""
        if settings.hands < 2 * settings.rotations:
            needed = "two deals, each played from every seat" if settings.duplicate else "two deals"
            self._refuse(("hands",), f"expected at least {2 * settings.rotations}, which are {needed}")
        if settings.match_time_s is not None and settings.match_time_s * 1000 < settings.move_time_ms:
            self._refuse(("match_time_s",), f"is shorter than one move, {settings.move_time_ms} ms")
        if settings.stop_when_decided:
            if settings.seats != 2:
                self._refuse(("stop_when_decided",), "only heads-up matches can stop early")
            fewest = least_deals()
            if settings.deals < fewest:
                self._refuse(
                    ("stop_when_decided",),
                    f"no result can decide a match before {fewest} deals, and {settings.hands} hands "
                    f"are {settings.deals}",
                )

    def _bots(self, settings: CompetitionSettings, games: Mixed) -> None:
        structures = [game.structure for game in games.games]
        for at, entrant in enumerate(settings.entrants):
            reason = why_not(entrant.spec, structures) if entrant.kind == "house" else None
            if reason is not None:
                self._refuse(("entrants", at, "house"), reason)


def least_deals() -> int:
    """Return the number of deals after which even the clearest result decides a match.

    >>> least_deals() > 2
    True
    """
    interval = AnytimeInterval(-1.0, 1.0)
    while not interval.sign:
        interval.add(1.0)
    return interval.blocks
