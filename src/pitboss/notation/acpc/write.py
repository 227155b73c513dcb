"""Records into an ACPC log: one game a log, its definition in the header, one line a hand, and the score."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pitboss.betting.events import Called, Checked, Folded, Posted, Raised
from pitboss.cards import is_known, write_cards
from pitboss.hand.events import BoardDealt, HoleDealt, Mucked
from pitboss.notation.acpc.game import KNOWN, UNLIMITED, AcpcError, GameDefinition
from pitboss.notation.acpc.read import FIELD, read_acpc, speaks_first
from pitboss.notation.again import difference_again
from pitboss.notation.chips import Amount
from pitboss.notation.lineup import LineupError
from pitboss.notation.mending import replay_leniently
from pitboss.notation.record import Record
from pitboss.notation.replay import Replay, ReplayError, begin

_VARIANTS = {"NT": False, "FT": True}


class AcpcLog:
    """A log being written: its game is that of its first hand."""

    def __init__(self) -> None:
        self.game: GameDefinition | None = None
        self.hands = 0
        self.score: dict[str, Amount] = {}

    def add(self, record: Record) -> str:
        """The text of a hand, before it the header where it is the first; raises `AcpcError` where there is none."""
        played, game = _play(record)
        if self.game is not None and game != self.game:
            raise AcpcError("an ACPC log has one game, and this hand has other stakes or stacks than the first")
        line, net = _state(record, played, self.hands, game)
        _check(line, played, game, begin(record).lineup.players)
        text = line if self.game else "\n".join([*_header(record, game), line])
        self.game = game
        self.hands += 1
        for name, won in net:
            self.score[name] = self.score.get(name, 0) + won
        return text + "\n"

    def end(self) -> str:
        """The last line: what everybody won in all."""
        if not self.score:
            return ""
        return f"SCORE:{'|'.join(map(str, self.score.values()))}:{'|'.join(self.score)}\n"


def write_acpc(records: Iterable[Record]) -> Iterator[str]:
    """A log of these hands, piece by piece; raises `AcpcError` at the first that none can hold."""
    log = AcpcLog()
    for record in records:
        yield log.add(record)
    yield log.end()


def _play(record: Record) -> tuple[Replay, GameDefinition]:
    if record.variant not in _VARIANTS:
        raise AcpcError(f"an ACPC log is of no-limit or limit hold'em, NT or FT, not {record.variant}")
    try:
        line = begin(record).lineup
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
            raise AcpcError(f"an ACPC log has no words for {what}")
    n, unit = len(line.players), played.unit
    blinds = [0] * n
    for post in stakes.posts:
        blinds[post.place] = _whole(unit.amount(post.amount))
    opener = speaks_first(blinds) if stakes.opener is None else stakes.opener
    stacks = tuple(record.starting_stacks[player] for player in line.players)
    if not limit and UNLIMITED in stacks:
        raise AcpcError("a stack is not known, and no-limit needs one for everybody")
    bets = tuple(_whole(unit.amount(bet)) for bet in (stakes.min_bet, stakes.big_bet or stakes.min_bet))
    if not limit and bets[0] != max(blinds):
        raise AcpcError("the least bet is not the highest blind, and an ACPC log has no words for that")
    return played, GameDefinition(
        limit=limit,
        stacks=tuple(stack if stack == UNLIMITED else _whole(stack) for stack in stacks),
        blinds=tuple(blinds),
        first=(opener, 0, 0, 0),
        raises=(bets[0], bets[0], bets[1], bets[1]) if limit else (),
    )


def _whole(amount: Amount) -> int:
    if amount != int(amount):
        raise AcpcError(f"{amount} is no whole number of chips, which an ACPC log counts")
    return int(amount)


def _header(record: Record, game: GameDefinition) -> list[str]:
    own = record.user.get(FIELD)
    said: Mapping[str, Any] = own if isinstance(own, Mapping) else {}
    named = next((name for name, known in KNOWN.items() if known == game), "")
    match = "".join("_" if letter.isspace() else letter for letter in record.event or "") or "hands"
    hands, seed = (value if type(value := said.get(name)) is int else 0 for name in ("hands", "seed"))
    kind = f"holdem.{'limit' if game.limit else 'nolimit'}.{len(game.blinds)}p.game"
    lines = [f"# name/game/hands/seed {match} {named or kind} {hands} {seed}"]
    return lines if named else [*lines, *[f"# {line}" for line in str(game).split("\n")]]


def _state(record: Record, played: Replay, number: int, game: GameDefinition) -> tuple[str, list[tuple[str, Amount]]]:
    """The line of a hand, and what everybody won."""
    unit, line = played.unit, begin(record).lineup
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
    for place, held in enumerate(played.hand.holes):  # those shown at the end
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
            raise AcpcError(f"{name!r} is no name for an ACPC log")
    return names


def _check(line: str, played: Replay, game: GameDefinition, players: tuple[int, ...]) -> None:
    """Refuse what would be read as a hand that is played otherwise."""
    try:
        (again,) = read_acpc(line, game_def=game)
        difference = difference_again(played, again)
    except AcpcError as error:
        difference = f"read again, {error.reason}"
    if difference and (mucked := [event.place for event in played.events if isinstance(event, Mucked)]):
        raise AcpcError(f"p{players[mucked[0]] + 1} mucked what would have won, and an ACPC log has no word for that")
    if difference:
        raise AcpcError(f"an ACPC log has no words for this hand: {difference}")
