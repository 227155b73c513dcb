"""ACPC logs into records: `STATE:0:r200c/cr400f:AhKd|7c2s/Qs4h9d:-200|200:ann|bob`, one line a hand.

A raise of no-limit names all that its player has put in the whole hand; one of limit has no size.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from os import PathLike
from pathlib import Path

from msgspec import Struct, field

from pitboss.cards import Card, CardError, check_distinct, is_known, read_cards, write_cards
from pitboss.notation.acpc.game import UNLIMITED, AcpcError, GameDefinition, find_game, read_game_definition
from pitboss.notation.chips import Amount
from pitboss.notation.found import HandFound, Note
from pitboss.notation.house import OPENER
from pitboss.notation.record import Record, Toml

FIELD = "_acpc"
"""The field of a record that holds what only a log says."""
_HEADER = re.compile(r"#\s*name/game/hands/seed\s+(?P<match>\S+)\s+(?P<game>\S+)\s+(?P<hands>\d+)\s+(?P<seed>\d+)\s*")
_ANYWHERE = re.compile(r"^(?:STATE:\d+:[fcr0-9/]*:|#\s*name/game/hands/seed\s|SCORE:)", re.MULTILINE)
_MOVE = re.compile(r"f|c|r\d*")
_SCORE = "SCORE:"
_SENT = re.compile(r"(?:(?:TO|FROM) \d+ at [0-9.]+ )?MATCHSTATE:")
_HOLE = ("??", "??")
_ASK = "give the game's definition, with --game-def FILE or read(path, game_def=FILE)"
Definition = str | PathLike[str] | GameDefinition


def recognise_acpc(head: str) -> bool:
    """Whether a file that begins so is a log of the competition.

    >>> recognise_acpc("# name/game/hands/seed m holdem.limit.3p.game 10 0"), recognise_acpc("PokerStars Hand #1")
    (True, False)
    """
    return _ANYWHERE.search(head) is not None


def read_acpc(text: str, name: str = "", game_def: Definition | None = None) -> list[Record]:
    """Every hand of a log; raises `AcpcError` for the first that cannot be read."""
    records = []
    for found in scan_acpc(enumerate(text.splitlines(), 1), name, game_def=game_def):
        if found.error is not None:
            raise found.error
        if found.record is not None:
            records.append(found.record)
    return records


def scan_acpc(
    lines: Iterable[tuple[int, str]], name: str = "", lenient: bool = False, *, game_def: Definition | None = None
) -> Iterator[HandFound]:
    """Every hand of a log's numbered lines: its record, or what is wrong with it.

    Stacks and blinds are those of `game_def`, a file or what it says; else of the game that the header names.
    """
    log = _Log(name, None if game_def is None else load_definition(game_def))
    for number, text in lines:
        line = text.strip()
        if line.startswith("#"):
            log.comment(line)
        elif line.startswith("STATE:"):
            try:
                game = log.find_game()
            except AcpcError as error:  # which holds for all that follows
                yield HandFound(number, error=AcpcError(error.reason, name=name, line=number))
                return
            yield _find(line, number, log, game)
        elif line and not line.startswith(_SCORE):
            sent = "this was sent to a player; the dealer's log has lines of STATE"
            reason = sent if _SENT.match(line) else "this is no line of an ACPC log"
            if lenient:
                log.notes.append(Note(number, reason))
            else:
                yield HandFound(number, error=AcpcError(reason, name=name, line=number, text=line))
    if log.notes:
        yield HandFound(log.notes[0].line, notes=tuple(log.notes))


def load_definition(given: Definition) -> GameDefinition:
    """A game definition out of its file."""
    if isinstance(given, GameDefinition):
        return given
    try:
        return read_game_definition(Path(given).read_text(encoding="utf-8"), str(given))
    except OSError as error:
        raise AcpcError(f"cannot be read: {error.strerror or error}", name=str(given)) from None
    except UnicodeDecodeError:
        raise AcpcError("this is no text", name=str(given)) from None


class _Log(Struct):
    """What the comments of a log have said so far."""

    name: str
    given: GameDefinition | None
    match: str = ""
    game: str = ""
    hands: int = 0
    seed: int = 0
    written: list[str] = field(default_factory=list)  #: a definition among the comments, as our logs have it
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

    def find_game(self) -> GameDefinition:
        if self.found is None:
            self.found = self.given or self._named()
        return self.found

    def _named(self) -> GameDefinition:
        if self.written:
            return read_game_definition("\n".join(self.written))
        known = find_game(self.game) if self.game else None
        if known is None:
            why = f"the header's {self.game} is none of the competition's" if self.game else "there is no header"
            raise AcpcError(f"stacks and blinds are not known, {why}: {_ASK}")
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
        raise AcpcError("a hand has six parts, STATE:number:betting:cards:values:names, and this one may be cut off")
    _, number, betting, cards, values, names = fields
    hand = _Betting(game, betting)
    holes, boards = _cards(cards, game)
    actions = _actions(hand, holes, boards)
    net = _values(values, hand)
    start = [game.stacks[position] for position in game.places]
    forced = [game.blinds[position] for position in game.places]
    exact = sum(net) == 0 and UNLIMITED not in start
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
    """The betting of a hand, move by move: who acts is found by going round."""

    def __init__(self, game: GameDefinition, text: str) -> None:
        self.game, self.n = game, len(game.blinds)
        self.place = {position: place for place, position in enumerate(game.places)}
        self.spent: list[Amount] = [min(b, s) for b, s in zip(game.blinds, game.stacks, strict=True)]
        self.price: Amount = max(game.blinds)  #: what staying costs, also where nobody could pay it
        self.folded = [False] * self.n
        self.streets: list[list[str]] = []
        rounds = text.split("/")
        if len(rounds) > len(game.first):
            raise AcpcError(f"{len(rounds)} streets are bet where hold'em has {len(game.first)}")
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
            raise AcpcError(f"the betting {text[:40]!r} has other letters than f, c and r")
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
        raise AcpcError("nobody has chips left to act with")

    def _move(self, position: int, street: int, move: str, before: Amount) -> str:
        most, stack = self.price, self.game.stacks[position]
        if move == "f":
            self.folded[position] = True
            return "f"
        if move == "c":
            self.spent[position] = min(most, stack)
            return "cc"
        if self.game.limit == bool(move[1:]):
            raise AcpcError("a raise of limit has no size" if self.game.limit else "a raise of no-limit has a size")
        total = most + self.game.raises[street] if self.game.limit else int(move[1:19])
        if total <= most or (total > stack and not self.game.limit):
            raise AcpcError(f"a raise to {total} where {most} are put in of {stack}")
        self.spent[position] = min(total, stack)
        self.price = max(self.price, self.spent[position])
        return f"cbr {self.spent[position] - before}"


def _by_place(text: str, game: GameDefinition) -> tuple[str, ...]:
    parts = text.split("|")
    if len(parts) != len(game.blinds):
        raise AcpcError(f"{len(parts)} names for {len(game.blinds)} players")
    return tuple(parts[position] for position in game.places)


def _cards(text: str, game: GameDefinition) -> tuple[list[tuple[Card, ...]], list[tuple[Card, ...]]]:
    """Hole cards by place, unknown where none are named, and the cards of each later street."""
    holes, *boards = text.split("/")
    try:
        held = [read_cards(part) or _HOLE for part in holes.split("|")]
        dealt = [read_cards(part) for part in boards]
        check_distinct([card for cards in (*held, *dealt) for card in cards])
    except CardError as error:
        raise AcpcError(str(error)) from None
    if len(held) != len(game.blinds) or any(len(hole) != len(_HOLE) for hole in held):
        raise AcpcError(f"hold'em deals {len(_HOLE)} cards to each of {len(game.blinds)} players")
    if [len(board) for board in dealt] != [3, 1, 1][: len(dealt)]:
        raise AcpcError("hold'em puts three cards, one and one in the middle")
    return [held[position] for position in game.places], dealt


def _actions(hand: _Betting, holes: Sequence[tuple[Card, ...]], boards: Sequence[tuple[Card, ...]]) -> tuple[str, ...]:
    if len(boards) != len(hand.streets) - 1:
        raise AcpcError(f"{len(hand.streets)} streets are bet and {len(boards)} dealt after the first")
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
    """What everybody won or lost, by place."""
    try:
        values = [Decimal(part) for part in text.split("|")]
    except InvalidOperation:
        values = []
    if len(values) != hand.n or not all(value.is_finite() and abs(value.adjusted()) < 40 for value in values):
        raise AcpcError(f"{text[:40]!r} does not say what each of {hand.n} players won")
    for position, value in enumerate(values):
        alone = hand.live == [position]
        if (
            -value > hand.spent[position]
            or (hand.folded[position] and value != -hand.spent[position])
            or (alone and value != sum(hand.spent) - hand.spent[position])
        ):
            raise AcpcError(f"player {position + 1} put in {hand.spent[position]}, which does not make {value}")
    whole: list[Amount] = [int(value) if value == int(value) else value.normalize() for value in values]
    return [whole[position] for position in hand.game.places]


def _winnings(hand: _Betting, net: Sequence[Amount]) -> tuple[Amount, ...]:
    """What everybody was paid, the uncalled part of a bet left out."""
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
    """The place that speaks first by the blinds of a record: left of the highest, the last of those that are alike."""
    if len(blinds) == 2 and blinds[0] == blinds[1]:
        return 1
    highest = max(range(len(blinds)), key=lambda place: (blinds[place], place))
    return (highest + 1) % len(blinds)
