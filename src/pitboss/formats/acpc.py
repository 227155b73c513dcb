"""Read and write the logs of the Annual Computer Poker Competition (ACPC), which have one line per hand."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from os import PathLike
from pathlib import Path, PurePath
from typing import Any

from msgspec import Struct, field

from pitboss.betting.events import Called, Checked, Folded, Posted, Raised
from pitboss.cards import Card, CardError, check_distinct, is_known, read_cards, write_cards
from pitboss.formats.scan import HandFound, Note, ReadError, records_of
from pitboss.hand.events import BoardDealt, HoleDealt, Mucked
from pitboss.records.lenient import replay_leniently, roundtrip_difference
from pitboss.records.money import Amount
from pitboss.records.record import Record
from pitboss.records.replay import Replay, ReplayError
from pitboss.records.table_fields import OPENER, LineupError, Toml

_UNLIMITED = Decimal("Infinity")
_FIELD = re.compile(r"([A-Za-z]+)[\s=]+(.*)")
_NUMBERS = re.compile(r"\d{1,18}(?:\s+\d{1,18})*")
_BOARD_CARDS = (0, 3, 1, 1)
_MOST_PLAYERS = 23
FIELD = "_acpc"
"""The field of a record for the data of a log that PHH has no field for."""
_HEADER = re.compile(r"#\s*name/game/hands/seed\s+(?P<match>\S+)\s+(?P<game>\S+)\s+(?P<hands>\d+)\s+(?P<seed>\d+)\s*")
_ANYWHERE = re.compile(r"^(?:STATE:\d+:[fcr0-9/]*:|#\s*name/game/hands/seed\s|SCORE:)", re.MULTILINE)
_MOVE = re.compile(r"f|c|r\d*")
_SCORE = "SCORE:"
_SENT = re.compile(r"(?:(?:TO|FROM) \d+ at [0-9.]+ )?MATCHSTATE:")
_HOLE = ("??", "??")
_GIVE_DEFINITION = "give the game's definition, with --game-def FILE or read(path, game_def=FILE)"

_VARIANTS = {"NT": False, "FT": True}


class AcpcError(ReadError):
    """Text that is not a valid log or game definition, or a record that cannot be written as one.

    >>> from pitboss.formats import AcpcError, ReadError
    >>> issubclass(AcpcError, ReadError)
    True
    """


class GameDefinition(Struct, frozen=True, kw_only=True):
    """A hold'em game of the competition. Positions are counted from 0, in the order of a log."""

    limit: bool
    stacks: tuple[Amount, ...]  #: by position
    blinds: tuple[int, ...]  #: by position
    first: tuple[int, ...]  #: the position that acts first on each street
    raises: tuple[int, ...] = ()  #: in a limit game, the size of a bet on each street

    @property
    def variant(self) -> str:
        """The game's code in a record."""
        return "FT" if self.limit else "NT"

    @property
    def places(self) -> tuple[int, ...]:
        """The position at each place. Place 0 acts first after the flop."""
        n, first = len(self.blinds), self.first[1]
        return tuple((first + place) % n for place in range(n))

    def __str__(self) -> str:
        fields: list[tuple[str, Iterable[object]]] = [
            ("numPlayers", (len(self.blinds),)),
            ("numRounds", (len(_BOARD_CARDS),)),
            ("stack", () if _UNLIMITED in self.stacks else self.stacks),
            ("blind", self.blinds),
            ("raiseSize", self.raises),
            ("firstPlayer", [position + 1 for position in self.first]),
            ("numSuits", (4,)),
            ("numRanks", (13,)),
            ("numHoleCards", (2,)),
            ("numBoardCards", _BOARD_CARDS),
        ]
        lines = [f"{name} = {' '.join(map(str, values))}" for name, values in fields if values]
        return "\n".join(["GAMEDEF", "limit" if self.limit else "nolimit", *lines, "END GAMEDEF"])


def read_game_definition(text: str, name: str = "") -> GameDefinition:
    """Read the text of a `.game` file. Raise `AcpcError` if the game is not hold'em.

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
    """The fields of a game definition, with their line numbers for error messages."""

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
        reason = "the definition ends before END GAMEDEF" if began else "expected a game definition, found no GAMEDEF"
        raise AcpcError(reason, name=self.name)

    def _take(self, line: int, text: str) -> None:
        if text.lower() in ("limit", "nolimit"):
            self.betting = text.lower()
            return
        found = _FIELD.fullmatch(text)
        if not found or not _NUMBERS.fullmatch(found[2].strip()):
            raise AcpcError("expected NAME = NUMBERS", name=self.name, line=line, text=text)
        key = found[1].lower()
        self.numbers[key] = tuple(map(int, found[2].split()))
        self.lines[key] = line

    def fail(self, reason: str, key: str = "") -> AcpcError:
        return AcpcError(reason, name=self.name, line=self.lines.get(key, 0))

    def one(self, key: str, default: int | None = None) -> int:
        values = self.numbers.get(key.lower(), () if default is None else (default,))
        if len(values) != 1:
            raise self.fail(f"{key}: expected one number", key.lower())
        return values[0]

    def several(self, key: str, count: int, default: Iterable[int] = ()) -> tuple[int, ...]:
        values = self.numbers.get(key.lower(), tuple(default))
        if len(values) < count:
            raise self.fail(f"{key}: expected {count} numbers, got {len(values)}", key.lower())
        return values[:count]

    def definition(self) -> GameDefinition:
        """Return the game with these fields. Raise `AcpcError` if it is not hold'em."""
        players, rounds = self.one("numPlayers"), self.one("numRounds")
        kind = (rounds, self.one("numSuits"), self.one("numRanks"), self.one("numHoleCards"))
        boards = self.several("numBoardCards", rounds, (0,))
        if kind != (4, 4, 13, 2) or boards != _BOARD_CARDS:
            raise self.fail(f"{_describe_game(self.name)} is not supported: expected hold'em")
        if not 2 <= players <= _MOST_PLAYERS:
            raise self.fail(f"numPlayers: expected 2 to {_MOST_PLAYERS}, got {players}", "numplayers")
        limit = self._betting()
        first = tuple(number - 1 for number in self.several("firstPlayer", rounds, (1,) * rounds))
        if not all(0 <= position < players for position in first):
            raise self.fail(f"firstPlayer: expected 1 to {players}", "firstplayer")
        if len(set(first[1:])) > 1:
            raise self.fail("firstPlayer: expected the same number for all streets after the first", "firstplayer")
        blinds = self.several("blind", players)
        if not any(blinds):
            raise self.fail("blind: expected at least one above 0", "blind")
        return GameDefinition(
            limit=limit,
            stacks=self._stacks(players, limit),
            blinds=blinds,
            first=first,
            raises=self._raises() if limit else (),
        )

    def _betting(self) -> bool:
        if not self.betting:
            raise self.fail("expected a line with limit or nolimit")
        return self.betting == "limit"

    def _stacks(self, players: int, limit: bool) -> tuple[Amount, ...]:
        if "stack" not in self.numbers:
            if not limit:
                raise self.fail("stack: required for every player in a no-limit game")
            return (_UNLIMITED,) * players
        stacks = self.several("stack", players)
        if not all(stacks):
            raise self.fail("stack: expected at least 1 for each player", "stack")
        return stacks

    def _raises(self) -> tuple[int, ...]:
        sizes = self.several("raiseSize", len(_BOARD_CARDS))
        small, big = sizes[0], sizes[2]
        if sizes != (small, small, big, big) or not 0 < small <= big:
            raise self.fail("raiseSize: expected a small bet twice and then a big bet twice", "raisesize")
        return sizes


def _known(limit: bool, blinds: tuple[int, ...], first: int) -> GameDefinition:
    n = len(blinds)
    return GameDefinition(
        limit=limit,
        stacks=(_UNLIMITED,) * n if limit else (20000,) * n,
        blinds=blinds,
        first=(first, 0, 0, 0),
        raises=(10, 10, 20, 20) if limit else (),
    )


KNOWN_GAMES = {
    "holdem.limit.2p.reverse_blinds.game": _known(True, (10, 5), 1),
    "holdem.nolimit.2p.reverse_blinds.game": _known(False, (100, 50), 1),
    "holdem.limit.3p.game": _known(True, (5, 10, 0), 2),
    "holdem.nolimit.3p.game": _known(False, (50, 100, 0), 2),
}
"""The games of the competition, by file name."""


def _describe_game(name: str) -> str:
    """Return the name of a game from its file name, such as `leduc` for `games/leduc.limit.2p.game`."""
    return PurePath(name).name.split(".")[0] or "this"


def find_definition(name: str) -> GameDefinition | None:
    """Return the competition's game with a file name, or None if there is none."""
    known = KNOWN_GAMES.get(PurePath(name.replace("\\", "/")).name)
    if known is None and _describe_game(name).lower() in ("kuhn", "leduc"):
        raise AcpcError(f"{_describe_game(name)} is not supported: expected hold'em")
    return known


Definition = str | PathLike[str] | GameDefinition


def recognise_acpc(head: str) -> bool:
    """Return whether a file that begins with `head` is a log of the competition.

    >>> recognise_acpc("# name/game/hands/seed m holdem.limit.3p.game 10 0"), recognise_acpc("PokerStars Hand #1")
    (True, False)
    """
    return _ANYWHERE.search(head) is not None


def read_acpc(text: str, name: str = "", game_def: Definition | None = None) -> list[Record]:
    """Return the hands of a log. Raise `AcpcError` if one cannot be read.

    >>> from pitboss import Hand, Record, Stakes, blinds
    >>> from pitboss.formats import read_acpc, write_acpc
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(20000, 20000), blinds=(50, 100), seed=7)
    >>> hand, more = hand.act("fold")
    >>> record = Record.from_hand(hand, events + more, players=("Ann", "Bo"))
    >>> [hand.starting_stacks for hand in read_acpc("".join(write_acpc([record])))]
    [(20000, 20000)]
    """
    return records_of(scan_acpc(enumerate(text.splitlines(), 1), name, game_def=game_def))


def scan_acpc(
    lines: Iterable[tuple[int, str]], name: str = "", lenient: bool = False, *, game_def: Definition | None = None
) -> Iterator[HandFound]:
    """Yield every hand in the numbered lines of a log.

    Stacks and blinds are those of `game_def`, which is a game or the path of its file. Without it, they are those of
    the game in the log's header.
    """
    log = _Log(name, None if game_def is None else _load_definition(game_def))
    for number, text in lines:
        line = text.strip()
        if line.startswith("#"):
            log.comment(line)
        elif line.startswith("STATE:"):
            try:
                game = log.find_definition()
            except AcpcError as error:  # it applies to all hands that follow
                yield HandFound(number, error=AcpcError(error.reason, name=name, line=number))
                return
            yield _find(line, number, log, game)
        elif line and not line.startswith(_SCORE):
            sent = "expected the dealer's log, in which lines begin with STATE, got a message to a player"
            reason = sent if _SENT.match(line) else "expected a line that begins with STATE, SCORE or #"
            if lenient:
                log.notes.append(Note(number, reason))
            else:
                yield HandFound(number, error=AcpcError(reason, name=name, line=number, text=line))
    if log.notes:
        yield HandFound(log.notes[0].line, notes=tuple(log.notes))


def _load_definition(given: Definition) -> GameDefinition:
    """Return the given game, or read it from the given file."""
    if isinstance(given, GameDefinition):
        return given
    try:
        return read_game_definition(Path(given).read_text(encoding="utf-8"), str(given))
    except OSError as error:
        raise AcpcError(f"cannot be read: {error.strerror or error}", name=str(given)) from None
    except UnicodeDecodeError:
        raise AcpcError("expected text in UTF-8", name=str(given)) from None


class _Log(Struct):
    """The comments of a log so far, and notes for its next hand."""

    name: str
    given: GameDefinition | None
    match: str = ""
    game: str = ""
    hands: int = 0
    seed: int = 0
    written: list[str] = field(default_factory=list)  #: the lines of a game definition, as `write_acpc` writes it
    found: GameDefinition | None = None
    notes: list[Note] = field(default_factory=list)

    def comment(self, line: str) -> None:
        if header := _HEADER.fullmatch(line):
            self.match, self.game = header["match"], header["game"]
            self.hands, self.seed = int(header["hands"][:18]), int(header["seed"][:18])
            self.written, self.found = [], None
        text = line[1:].strip()
        if text == "GAMEDEF" or (self.written and self.written[-1] != "END GAMEDEF"):
            self.written.append(text)

    def find_definition(self) -> GameDefinition:
        if self.found is None:
            self.found = self.given or self._named()
        return self.found

    def _named(self) -> GameDefinition:
        if self.written:
            return read_game_definition("\n".join(self.written))
        known = find_definition(self.game) if self.game else None
        if known is None:
            why = f"{self.game} is not a game of the competition" if self.game else "the log has no header"
            raise AcpcError(f"stacks and blinds are unknown, because {why}: {_GIVE_DEFINITION}")
        return known


def _find(line: str, number: int, log: _Log, game: GameDefinition) -> HandFound:
    notes, log.notes = tuple(log.notes), []
    try:
        return HandFound(number, _read(line, log, game), notes=notes)
    except AcpcError as error:
        return HandFound(number, error=AcpcError(error.reason, name=log.name, line=number, text=line), notes=notes)


# --- one hand


def _read(line: str, log: _Log, game: GameDefinition) -> Record:
    fields = line.split(":", 5)
    if len(fields) != 6 or not re.fullmatch(r"\d{1,18}", fields[1]):
        raise AcpcError("expected STATE:number:betting:cards:values:names; the line may be cut off")
    _, number, betting, cards, values, names = fields
    hand = _Betting(game, betting)
    holes, boards = _cards(cards, game)
    actions = _actions(hand, holes, boards)
    net = _values(values, hand)
    start = [game.stacks[position] for position in game.places]
    forced = [game.blinds[position] for position in game.places]
    exact = sum(net) == 0 and _UNLIMITED not in start
    return Record(
        variant=game.variant,
        antes=(0,) * len(start),
        blinds_or_straddles=tuple(forced[::-1] if len(forced) == 2 else forced),
        small_bet=game.raises[0] if game.limit else None,
        big_bet=game.raises[2] if game.limit else None,
        min_bet=None if game.limit else max(forced),
        starting_stacks=tuple(start),
        actions=actions,
        event=log.match or None,
        hand=int(number),
        players=_by_place(names, game),
        finishing_stacks=tuple(stack + won for stack, won in zip(start, net, strict=True)) if exact else None,
        winnings=_winnings(hand, net) if sum(net) == 0 else None,
        user=_user(log, game, forced),
    )


class _Betting:
    """The betting of a hand, read from its letters. A letter has no player, so the player to act is computed."""

    def __init__(self, game: GameDefinition, text: str) -> None:
        self.game, self.n = game, len(game.blinds)
        self.place = {position: place for place, position in enumerate(game.places)}
        self.spent: list[Amount] = [min(b, s) for b, s in zip(game.blinds, game.stacks, strict=True)]
        #: The total that a caller must have paid. A blind that takes a whole stack can be less than this.
        self.price: Amount = max(game.blinds)
        self.folded = [False] * self.n
        self.streets: list[list[str]] = []
        rounds = text.split("/")
        if len(rounds) > len(game.first):
            raise AcpcError(f"betting: expected at most {len(game.first)} streets, got {len(rounds)}")
        for street, moves in enumerate(rounds):
            self.streets.append(self._street(street, moves))

    @property
    def live(self) -> list[int]:
        """The positions that have not folded."""
        return [position for position in range(self.n) if not self.folded[position]]

    def _street(self, street: int, text: str) -> list[str]:
        before = list(self.spent) if street else [0] * self.n
        spelled, turn = [], self.game.first[street]
        found = _MOVE.findall(text)
        if "".join(found) != text:
            raise AcpcError(f"betting: expected f, c or r, got {text[:40]!r}")
        for move in found:
            position = self._next(turn)
            spelled.append(f"p{self.place[position] + 1} {self._move(position, street, move, before[position])}")
            turn = position + 1
        return spelled

    def _next(self, turn: int) -> int:
        for step in range(self.n):
            position = (turn + step) % self.n
            if not self.folded[position] and self.spent[position] < self.game.stacks[position]:
                return position
        raise AcpcError("betting: no player has chips left to act")

    def _move(self, position: int, street: int, move: str, before: Amount) -> str:
        most, stack = self.price, self.game.stacks[position]
        if move == "f":
            self.folded[position] = True
            return "f"
        if move == "c":
            self.spent[position] = min(most, stack)
            return "cc"
        if self.game.limit == bool(move[1:]):
            raise AcpcError(f"betting: expected {'r without' if self.game.limit else 'r with'} an amount, got {move!r}")
        total = most + self.game.raises[street] if self.game.limit else int(move[1:19])
        if total <= most or (total > stack and not self.game.limit):
            raise AcpcError(f"betting: expected a raise to more than {most} and at most {stack}, got {total}")
        self.spent[position] = min(total, stack)
        self.price = max(self.price, self.spent[position])
        return f"cbr {self.spent[position] - before}"


def _by_place(text: str, game: GameDefinition) -> tuple[str, ...]:
    parts = text.split("|")
    if len(parts) != len(game.blinds):
        raise AcpcError(f"names: expected {len(game.blinds)}, one per player, got {len(parts)}")
    return tuple(parts[position] for position in game.places)


def _cards(text: str, game: GameDefinition) -> tuple[list[tuple[Card, ...]], list[tuple[Card, ...]]]:
    """Return the hole cards of each place, and the board cards of each street. Cards that are not given are unknown."""
    holes, *boards = text.split("/")
    try:
        held = [read_cards(part) or _HOLE for part in holes.split("|")]
        dealt = [read_cards(part) for part in boards]
        check_distinct([card for cards in (*held, *dealt) for card in cards])
    except CardError as error:
        raise AcpcError(str(error)) from None
    if len(held) != len(game.blinds) or any(len(hole) != len(_HOLE) for hole in held):
        raise AcpcError(f"cards: expected {len(_HOLE)} hole cards for each of {len(game.blinds)} players")
    if [len(board) for board in dealt] != [3, 1, 1][: len(dealt)]:
        raise AcpcError("cards: expected three board cards for the flop, one for the turn and one for the river")
    return [held[position] for position in game.places], dealt


def _actions(hand: _Betting, holes: Sequence[tuple[Card, ...]], boards: Sequence[tuple[Card, ...]]) -> tuple[str, ...]:
    if len(boards) != len(hand.streets) - 1:
        raise AcpcError(f"cards: expected board cards of {len(hand.streets) - 1} streets, got {len(boards)}")
    actions = [f"d dh p{place} {write_cards(hole)}" for place, hole in enumerate(holes, 1)]
    for street, moves in enumerate(hand.streets):
        if street:
            actions.append(f"d db {write_cards(boards[street - 1])}")
        actions += moves
    if len(hand.live) > 1:
        shown = sorted(hand.place[position] for position in hand.live)
        actions += [f"p{place + 1} sm {write_cards(holes[place])}" for place in shown if is_known(holes[place][0])]
    return tuple(actions)


def _values(text: str, hand: _Betting) -> list[Amount]:
    """Return the chips that each place won or lost."""
    try:
        values = [Decimal(part) for part in text.split("|")]
    except InvalidOperation:
        values = []
    if len(values) != hand.n or not all(value.is_finite() and abs(value.adjusted()) < 40 for value in values):
        raise AcpcError(f"values: expected {hand.n} numbers, one per player, got {text[:40]!r}")
    for position, value in enumerate(values):
        alone = hand.live == [position]
        if (
            -value > hand.spent[position]
            or (hand.folded[position] and value != -hand.spent[position])
            or (alone and value != sum(hand.spent) - hand.spent[position])
        ):
            raise AcpcError(
                f"values: {value} is not possible for player {position + 1}, who put in {hand.spent[position]}"
            )
    whole: list[Amount] = [int(value) if value == int(value) else value.normalize() for value in values]
    return [whole[position] for position in hand.game.places]


def _winnings(hand: _Betting, net: Sequence[Amount]) -> tuple[Amount, ...]:
    """Return the chips that each place won from the pots. A returned uncalled bet is not included."""
    spent = [hand.spent[position] for position in hand.game.places]
    highest = sorted(spent)[-2]
    return tuple(won + min(put, highest) for won, put in zip(net, spent, strict=True))


def _user(log: _Log, game: GameDefinition, forced: Sequence[int]) -> dict[str, Toml]:
    own: dict[str, Toml] = {"game": log.game, "hands": log.hands, "seed": log.seed}
    user: dict[str, Toml] = {FIELD: {name: value for name, value in own.items() if value}}
    opener = game.places.index(game.first[0])
    if opener != speaks_first(forced):
        user[OPENER] = opener
    return user


def speaks_first(blinds: Sequence[Amount]) -> int:
    """Return the place that acts first, which is left of the highest blind. Of equal blinds, the last one counts."""
    if len(blinds) == 2 and blinds[0] == blinds[1]:
        return 1
    highest = max(range(len(blinds)), key=lambda place: (blinds[place], place))
    return (highest + 1) % len(blinds)


class AcpcLog:
    """A log in progress. All of its hands have the same game."""

    def __init__(self) -> None:
        self.game: GameDefinition | None = None
        self.hands = 0
        self.score: dict[str, Amount] = {}

    def add(self, record: Record) -> str:
        """Return the text of a hand; before the first hand, it includes the header.

        Raise `AcpcError` if a log cannot express the hand.
        """
        played, game = _play(record)
        if self.game is not None and game != self.game:
            raise AcpcError("expected the stakes and stacks of the first hand, because an ACPC log has only one game")
        line, net = _state(record, played, self.hands, game)
        _check(line, played, game, played.lineup.players)
        text = line if self.game else "\n".join([*_header(record, game), line])
        self.game = game
        self.hands += 1
        for name, won in net:
            self.score[name] = self.score.get(name, 0) + won
        return text + "\n"

    def end(self) -> str:
        """Return the last line of the log, with the total that each player won."""
        if not self.score:
            return ""
        return f"SCORE:{'|'.join(map(str, self.score.values()))}:{'|'.join(self.score)}\n"


def write_acpc(records: Iterable[Record]) -> Iterator[str]:
    """Yield the text of a log with these hands in pieces. Raise `AcpcError` if a hand cannot be written.

    >>> from pitboss import Hand, Record, Stakes, blinds
    >>> from pitboss.formats import write_acpc
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(20000, 20000), blinds=(50, 100), seed=7)
    >>> hand, more = hand.act("fold")
    >>> record = Record.from_hand(hand, events + more, players=("Ann", "Bo"))
    >>> [line[:9] for line in "".join(write_acpc([record])).splitlines() if line.startswith("STATE")]
    ['STATE:0:f']
    """
    log = AcpcLog()
    for record in records:
        yield log.add(record)
    yield log.end()


def _play(record: Record) -> tuple[Replay, GameDefinition]:
    if record.variant not in _VARIANTS:
        raise AcpcError(f"variant: expected no-limit or limit hold'em (NT or FT), got {record.variant}")
    try:
        played = replay_leniently(record)
    except (ReplayError, LineupError) as error:
        raise AcpcError(f"the record cannot be played: {error}") from None
    stakes, limit = played.hand.stakes, _VARIANTS[record.variant]
    for what, there in (
        ("antes", any(stakes.antes)),
        ("dead money", stakes.dead or any(not post.live or not post.option for post in stakes.posts)),
        ("boards that are run twice", stakes.runs > 1),
        ("a bomb pot", stakes.bomb),
        ("a rake", played.hand.house),
        ("a hand without blinds", not stakes.posts),
    ):
        if there:
            raise AcpcError(f"an ACPC log cannot express {what}")
    line, unit = played.lineup, played.unit
    n = len(line.players)
    blinds = [0] * n
    for post in stakes.posts:
        blinds[post.place] = _whole(unit.amount(post.amount))
    opener = speaks_first(blinds) if stakes.opener is None else stakes.opener
    stacks = tuple(record.starting_stacks[player] for player in line.players)
    if not limit and _UNLIMITED in stacks:
        raise AcpcError("starting_stacks: expected the stack of each player, got an unknown stack")
    bets = tuple(_whole(unit.amount(bet)) for bet in (stakes.min_bet, stakes.big_bet or stakes.min_bet))
    if not limit and bets[0] != max(blinds):
        raise AcpcError(f"min_bet: expected the highest blind, {max(blinds)}, got {bets[0]}")
    return played, GameDefinition(
        limit=limit,
        stacks=tuple(stack if stack == _UNLIMITED else _whole(stack) for stack in stacks),
        blinds=tuple(blinds),
        first=(opener, 0, 0, 0),
        raises=(bets[0], bets[0], bets[1], bets[1]) if limit else (),
    )


def _whole(amount: Amount) -> int:
    if amount != int(amount):
        raise AcpcError(f"expected a whole number of chips, got {amount}")
    return int(amount)


def _header(record: Record, game: GameDefinition) -> list[str]:
    own = record.user.get(FIELD)
    said: Mapping[str, Any] = own if isinstance(own, Mapping) else {}
    named = next((name for name, known in KNOWN_GAMES.items() if known == game), "")
    match = "".join("_" if letter.isspace() else letter for letter in record.event or "") or "hands"
    hands, seed = (value if type(value := said.get(name)) is int else 0 for name in ("hands", "seed"))
    kind = f"holdem.{'limit' if game.limit else 'nolimit'}.{len(game.blinds)}p.game"
    lines = [f"# name/game/hands/seed {match} {named or kind} {hands} {seed}"]
    return lines if named else [*lines, *[f"# {line}" for line in str(game).split("\n")]]


def _state(record: Record, played: Replay, number: int, game: GameDefinition) -> tuple[str, list[tuple[str, Amount]]]:
    """Return the line of a hand, and the name and net result of each player."""
    unit, line = played.unit, played.lineup
    betting, boards = "", ""
    spent: dict[int, int] = {}
    holes = [""] * len(line.players)
    for event in played.chip_events:
        match event:
            case Posted(place=place, amount=amount):
                spent[place] = spent.get(place, 0) + amount
            case Folded():
                betting += "f"
            case Checked():
                betting += "c"
            case Called(place=place, amount=amount):
                spent[place] = spent.get(place, 0) + amount
                betting += "c"
            case Raised(place=place, amount=amount):
                spent[place] = spent.get(place, 0) + amount
                betting += "r" if game.limit else f"r{_whole(unit.amount(spent[place]))}"
            case BoardDealt(cards=cards):
                betting += "/"
                boards += f"/{write_cards(cards)}"
            case HoleDealt(place=place, cards=cards) if all(map(is_known, cards)):
                holes[place] = write_cards(cards)
            case _:
                pass
    for place, held in enumerate(played.hand.holes):  # includes cards that were unknown until the showdown
        holes[place] = write_cards(held) if all(map(is_known, held)) else ""
    names = _names(record, line.players)
    before = [unit.chips(record.starting_stacks[player]) for player in line.players]
    net = [unit.amount(after - had) for after, had in zip(played.hand.stacks, before, strict=True)]
    id = record.hand if type(record.hand) is int and 0 <= record.hand < 10**18 else number
    text = f"STATE:{id}:{betting}:{'|'.join(holes)}{boards}:{'|'.join(map(str, net))}:{'|'.join(names)}"
    return text, list(zip(names, net, strict=True))


def _names(record: Record, players: tuple[int, ...]) -> list[str]:
    if record.players is None:
        return [f"p{player + 1}" for player in players]
    names = [record.players[player] for player in players]
    for name in names:
        if not name or "|" in name or "\n" in name or "\r" in name or name != name.strip():
            raise AcpcError(f"players: expected names without |, line breaks and outer spaces, got {name!r}")
    return names


def _check(line: str, played: Replay, game: GameDefinition, players: tuple[int, ...]) -> None:
    """Raise `AcpcError` if the line is not read as the same hand."""
    try:
        (again,) = read_acpc(line, game_def=game)
        difference = roundtrip_difference(played, again)
    except AcpcError as error:
        difference = f"read again, {error.reason}"
    if difference and (mucked := [event.place for event in played.events if isinstance(event, Mucked)]):
        raise AcpcError(f"p{players[mucked[0]] + 1} mucked a winning hand, which an ACPC log cannot express")
    if difference:
        raise AcpcError(f"an ACPC log cannot express this hand: {difference}")
