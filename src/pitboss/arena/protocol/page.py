"""The protocol page: its text, tables of every message, one example of each, and a few hands line by line.

The examples are the last hand of a match as its three seats and a spectator saw it: the button is seat 1; seat 3 has
two aces and wins all chips of seat 0. The secret is public, so that every reader can test a verifier with it. The hands
line by line are dealt from the same deck and played by the arena's own hosts.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from importlib.resources import files
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from pitboss.arena.hosts.games import make_host
from pitboss.arena.hosts.host import AskParts, HandPlan, Host, seat_stacks
from pitboss.arena.journal.commitment import bind_number, mix_numbers, public_number, shuffle
from pitboss.arena.journal.records import Settings
from pitboss.arena.protocol import schema
from pitboss.arena.wire import fields
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.answers import Answer, call, check, draw, raise_to, read_answer
from pitboss.arena.wire.poker import layout_of
from pitboss.cards import write_cards
from pitboss.chance import Chance
from pitboss.game import TableView
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.lab.game_type import lab_game

Example: TypeAlias = wire.ClientMessage | wire.ServerMessage

WIDTH = 110
NOTICE = "<!-- Made by `python -m pitboss.arena.protocol docs/`: change the types or page.md, not this file. -->\n\n"
_PLACE = re.compile(r"^\{\{(\w+)\}\}$", re.MULTILINE)

SECRET = (777832).to_bytes(32, "big")
DECK = shuffle(SECRET)
HAND = "H-2025-10-17-00100"
CONFIG = wire.Config(
    variant="HUNL",
    seats=6,
    starting_stack=10000,
    sb=50,
    bb=100,
    move_time_ms=15000,
    timeout_policy="check_call",
    max_hands=100,
    games=(layout_of(NO_LIMIT_HOLDEM),),
)
BOARD = DECK.deck[6:11]


def opened(*places: int) -> tuple[wire.Opening, ...]:
    """Return the proofs of the cards at these places of the deck."""
    return tuple(
        wire.Opening(card=one.card, at=one.at, salt=one.salt.hex(), path=tuple(node.hex() for node in one.path))
        for one in map(DECK.open, places)
    )


def stacks(**by_seat: int) -> tuple[wire.SeatStack, ...]:
    """Return the chips of some seats, written `s0=4000`."""
    return tuple(wire.SeatStack(seat=int(seat[1:]), stack=stack) for seat, stack in by_seat.items())


def facts(seat: int, stack: int, committed: int, *, has_folded: bool = False) -> wire.PlayerFacts:
    """Return the public part of a seat."""
    return wire.PlayerFacts(seat=seat, stack=stack, has_folded=has_folded, committed=committed)


FRAME = wire.TableFacts(sb=50, bb=100, seats=3, button=1)

BEFORE: tuple[Example, ...] = (
    wire.Hello(v=1, team="Gamma", join_code="KF7Q9C", resume_from=1290),
    wire.Welcome(table_id="T-1", seat=3, config=CONFIG),
    wire.Lobby(
        players=(
            wire.LobbyPlayer(seat=0, team="Alpha", connected=True, stack=4000),
            wire.LobbyPlayer(seat=1, team="Beta", connected=False, stack=12000, away=True),
            wire.LobbyPlayer(seat=3, team="Gamma", connected=True, stack=14000),
        )
    ),
    wire.TableMessage(table_id="T-1", config=CONFIG),
)

THE_HAND: tuple[Example, ...] = (
    wire.StartHand(
        hand_id=HAND,
        seed=public_number(DECK.commit),
        button=1,
        stacks=stacks(s0=4000, s1=12000, s3=14000),
        commit=DECK.commit,
        seq=1291,
    ),
    wire.PostBlinds(hand_id=HAND, seq=1292, sb_seat=3, bb_seat=0, sb=50, bb=100, sb_posted=50, bb_posted=100),
    wire.Turn(hand_id=HAND, seat=1, time_ms=15000),
    wire.Equities(
        hand_id="H-2025-10-17-00057",
        steps=(
            fields.EquityStep(
                seq=722, shares=(fields.SeatShare(seat=0, share=0.8126), fields.SeatShare(seat=3, share=0.1874))
            ),
            fields.EquityStep(
                seq=723, shares=(fields.SeatShare(seat=0, share=0.8687), fields.SeatShare(seat=3, share=0.1313))
            ),
        ),
    ),
    wire.FoldMessage(hand_id=HAND, seq=1293, seat=1),
    wire.Act(
        hand_id=HAND,
        seat=3,
        phase="PRE_FLOP",
        you=wire.You(hole=("Ah", "Ad"), stack=13950, to_call=50, time_ms=15000),
        table=FRAME,
        players=(facts(0, 3900, 100), facts(1, 12000, 0, has_folded=True), facts(3, 13950, 50)),
        community=(),
        legal=("FOLD", "CALL", "RAISE_TO"),
        call_amount=50,
        min_raise_to=200,
        max_raise_to=14000,
        pot=150,
        turn=2041,
    ),
    wire.Action(v=1, hand_id=HAND, action="RAISE_TO", amount=300, turn=2041),
    wire.BetMessage(hand_id=HAND, seq=1294, seat=3, amount=250, to=300),
    wire.CallMessage(hand_id=HAND, seq=1295, seat=0, amount=200),
    wire.Flop(hand_id=HAND, seq=1296, cards=BOARD[:3], opened=opened(6, 7, 8)),
    wire.CheckMessage(hand_id=HAND, seq=1297, seat=3),
    # seat 0 checks as well (1298)
    wire.TurnCard(hand_id=HAND, seq=1299, card=BOARD[3], opened=opened(9)),
    # seat 3 bets 400 (1300)
    wire.Snapshot(
        at_hand_id=HAND,
        phase="TURN",
        you=wire.SnapshotYou(seat=0, hole=("Qc", "Kh"), stack=3700, to_call=400),
        table=FRAME,
        players=(facts(0, 3700, 0), facts(1, 12000, 0, has_folded=True), facts(3, 13300, 400)),
        community=BOARD[:4],
        next_actor=0,
        time_ms_remaining=3200,
        legal=("FOLD", "CALL", "RAISE_TO"),
        call_amount=400,
        min_raise_to=800,
        max_raise_to=3700,
        pot=1000,
        turn=2049,
        seq=1300,
    ),
    # seat 0 calls 400 (1301)
    wire.RiverCard(hand_id=HAND, seq=1302, card=BOARD[4], opened=opened(10)),
    # seat 3 bets its last 13300 (1303), seat 0 calls with its last 3300 (1304)
    wire.Refund(hand_id=HAND, seq=1305, seat=3, amount=10000, pots=(wire.ContestedPot(amount=8000, seats=(0, 3)),)),
    wire.Showdown(hand_id=HAND, seq=1306, seat=3, hand=("Ah", "Ad"), board=BOARD, rank="two_pair", opened=opened(0, 3)),
    # seat 0 shows Qc Kh, two pair (1307)
    wire.PotAward(hand_id=HAND, seq=1308, seat=3, amount=8000, pot=0),
    wire.Eliminated(hand_id=HAND, seq=1309, seat=0),
    wire.EndHand(
        hand_id=HAND,
        stacks=stacks(s0=0, s1=12000, s3=18000),
        chain="5f2a7c0e9b1d4836a7f05c2e8d9143b6f1e0a2c4d6b8097531fedcba98765432",
        seq=1310,
    ),
)

AFTER: tuple[Example, ...] = (
    wire.Reveal(hands=(wire.RevealedHand(hand_id=HAND, secret=SECRET.hex(), deck=write_cards(DECK.deck)),)),
    wire.MatchEnd(
        winner=wire.Winner(seat=3, team="Gamma"),
        final_stacks=(
            wire.FinalStack(seat=3, team="Gamma", stack=18000, place=1),
            wire.FinalStack(seat=1, team="Beta", stack=12000, place=2),
            wire.FinalStack(seat=0, team="Alpha", stack=0, place=3),
        ),
        reason="max_hands",
        seq=1311,
    ),
    wire.Error(code="INVALID_ACTION", msg="below_minimum: expected at least 200, got 150"),
    wire.Leave(v=1),
    wire.VoidMessage(hand_id="H-2025-10-17-00057", seq=731, reason="the hand's record was damaged; it is taken back"),
)

CASH_TABLE: tuple[Example, ...] = (
    wire.SitOut(v=1, until="big_blind"),
    wire.SitIn(v=1),
    wire.TopUp(v=1, amount=500),
    wire.SatOutMessage(hand_id=HAND, seq=2803, seat=1, until=None),
    wire.SatIn(hand_id=HAND, seq=2803, seat=1),
    wire.PostDead(hand_id=HAND, seq=2804, seat=1, amount=150),
    wire.StraddleMessage(hand_id=HAND, seq=2806, seat=4, amount=200),
    wire.RakeMessage(hand_id=HAND, seq=2826, amount=55),
    wire.ToppedUpMessage(hand_id=HAND, seq=2829, seat=3, amount=500),
    wire.LeftMessage(hand_id=HAND, seq=2830, seat=0, stack=11450),
)

GAME = "H-2025-10-17-00012"
DRAWN = {"type": "drawn", "place": 0, "cards": ["??", "??", "??"]}
OWN = {"type": "drawn", "place": 2, "cards": ["Alibi", "Weed", "Safe House"]}
RAISED = {"type": "raised", "place": 0, "card": "??"}
CHOICES = ({"type": "raise", "card": "Alibi"}, {"type": "check"}, {"type": "fold"})

_LEDUC = lab_game("leduc")
_LEDUC_GAME = _LEDUC.start(2, Chance(7))[0].act("check")[0]

OTHER_GAMES: tuple[Example, ...] = (
    wire.Happened(hand_id=GAME, seq=210, event=RAISED),
    wire.Ask(hand_id=GAME, seat=0, place=2, learned=(DRAWN, OWN, RAISED), legal=CHOICES, time_ms=15000, turn=388),
    wire.GameView(
        at_hand_id=GAME,
        seat=0,
        place=2,
        learned=(DRAWN, OWN, RAISED),
        stacks=stacks(s0=9950, s1=10050, s2=10000),
        next_actor=0,
        time_ms_remaining=9100,
        legal=CHOICES,
        turn=388,
        seq=210,
    ),
    wire.MoveMessage(v=1, hand_id=GAME, move={"type": "check"}, turn=388),
    wire.ViewRequest(v=1),
    wire.TableViewMessage(hand_id=GAME, table=_LEDUC.table_view(_LEDUC_GAME, 1), seq=211),
)

STUD = "H-2025-10-17-00001"

STUD_AND_DRAW: tuple[Example, ...] = (
    wire.PostAntes(
        hand_id=STUD, seq=2, ante=25, posted=tuple(wire.PaidAnte(seat=seat, amount=25) for seat in (1, 2, 0))
    ),
    wire.UpCard(hand_id=STUD, seq=4, seat=2, card=DECK.deck[7], opened=opened(7)),
    wire.BringIn(hand_id=STUD, seq=6, seat=2, amount=50),
    wire.DownCard(hand_id=STUD, seq=31, seat=1),
    wire.CommunityCard(hand_id="H-2025-10-17-00031", seq=702, card=DECK.deck[51], opened=opened(51)),
    wire.DrawMessage(hand_id=STUD, seq=5, seat=1, count=2),
)

OWN_GAMES: tuple[Example, ...] = (
    wire.RunsMessage(hand_id=STUD, seq=18, seat=2, amount=2),
    wire.RunMessage(hand_id=STUD, seq=22, number=2, board=tuple(DECK.deck[10:13])),
)

NEXT = "H-2025-10-17-00101"
SERVER_NUMBER, NUMBERS = bytes(range(32)), {0: bytes(range(32, 64)), 3: bytes(range(64, 96))}
MIXED = mix_numbers(NEXT, SERVER_NUMBER, NUMBERS)
"""Return the secret of a hand that includes the numbers of seats 0 and 3."""

MIXING: tuple[Example, ...] = (
    wire.Mix(
        hand_id=NEXT,
        attempt=1,
        seats=(0, 1, 3),
        commit=bind_number(SERVER_NUMBER),
        numbers=tuple(wire.BoundNumber(seat=seat, commit=bind_number(number)) for seat, number in NUMBERS.items()),
        seq=1311,
    ),
    wire.Number(v=1, hand_id=NEXT, number=NUMBERS[3].hex(), next=bind_number(bytes(range(96, 128)))),
)

EXAMPLES: dict[type[Struct], Example] = {
    type(example): example
    for example in (*BEFORE, *THE_HAND, *AFTER, *CASH_TABLE, *STUD_AND_DRAW, *OWN_GAMES, *OTHER_GAMES, *MIXING)
}
"""Return the example of each type."""


def example_of(kind: type[Struct]) -> Struct | None:
    """Return the example of a message, or of a part that a message has, such as `Config`. None: no message has it."""
    waiting: list[object] = [EXAMPLES.get(kind), *EXAMPLES.values()]
    while waiting:
        value = waiting.pop(0)
        if type(value) is kind:
            return value
        if isinstance(value, Struct):
            waiting += [getattr(value, name) for name in value.__struct_fields__]
        elif isinstance(value, tuple):
            waiting += value
    return None


TIME_MS = 15_000
HAND_ID = "H-2025-10-17-00001"

RAZZ: tuple[Answer, ...] = (call(), raise_to(100), call(), call(), raise_to(100), call())
"""Seat 2 shows the highest card and brings it in; seat 0 completes, both others call, and it bets on."""
TRIPLE_DRAW: tuple[Answer, ...] = (call(), check(), draw(["Ah", "Kh"]), draw(["Qc", "Qs", "Ad"]))
"""Seat 1 keeps 7 6 2 and changes two cards, seat 0 changes three."""


LEDUC: tuple[str, ...] = ("check", "bet", "call", "check", "bet", "call")
"""Seat 1 has the first place; it checks and calls, and both show a queen."""


def worked(game: str, seats: int, you: int, line: Sequence[Answer]) -> list[str]:
    """Return what one seat receives (`<`) and sends (`>`) in a hand with these answers, up to its next question."""
    host = make_host(Settings(game=game, seats=seats))
    sent = _begun(host, seats, 10_000)
    lines = [_line("<", message) for message in sent]
    for turn, answer in enumerate(line, 1):
        act = host.question(HAND_ID, turn, TIME_MS)
        assert isinstance(act, wire.Act)
        action = read_answer(answer, act)
        if act.seat == you:
            lines += [_line("<", act), _line(">", action)]
        more = host.act(act.seat, action, len(sent) + 1).messages
        sent = [*sent, *more]
        lines += [_line("<", message) for message in more]
    return [*lines, _line("<", host.question(HAND_ID, len(line) + 1, TIME_MS))]


def worked_moves(game: str, seats: int, you: int, line: Sequence[Any] | None = None) -> list[str]:
    """Return the same for a whole game other than poker; a later question has the events before it as learned.

    Without a line, each seat makes the first of its legal moves.
    """
    host = make_host(Settings(game=game, seats=seats))
    sent, asked = _begun(host, seats, 100), 0
    lines = [_line("<", message) for message in sent]
    result: dict[int, int] | None = None
    turn = 0
    while (seat := host.to_act) is not None:
        ask = host.question(HAND_ID, turn + 1, TIME_MS, parts=AskParts(rules=line is None and not asked))
        assert isinstance(ask, wire.Ask)
        move = msgspec.json.decode(ask.legal[0]) if line is None else line[turn]
        turn += 1
        message = wire.MoveMessage(v=1, hand_id=HAND_ID, move=move, turn=turn)
        if seat == you:
            lines += [_line("<", ask, "rules", *["learned"][: asked > 0]), _line(">", message)]
            asked += 1
        step = host.act(seat, message, len(sent) + 1)
        sent, result = [*sent, *step.messages], step.result
        lines += [_line("<", each) for each in step.messages]
    assert result is not None, "the game is over"
    end = wire.EndHand(
        hand_id=HAND_ID, stacks=seat_stacks(dict(sorted(result.items()))), chain="0" * 64, seq=len(sent) + 1
    )
    return [*lines, _line("<", end, "chain")]


def _begun(host: Host, seats: int, stack: int) -> list[wire.PublicMessage]:
    """Return the public messages of a hand's beginning."""
    for seat in range(seats):
        host.sit(seat, stack)
    return host.start(SECRET, HandPlan(number=1, hand_id=HAND_ID, seq=1)).messages


def _line(direction: str, message: wire.ClientMessage | wire.ServerMessage, *more: str) -> str:
    """Return a message on one line; long values are cut."""
    fields = msgspec.json.decode(wire.write(message))
    head = {name: fields[name] for name in ("type", "v", "ev") if name in fields}
    cut = {name: "…" for name in ("commit", "opened", *more) if name in fields}
    return f"{direction} {msgspec.json.encode(head | fields | cut).decode()}"


def page() -> str:
    """Return the whole page as Markdown."""
    prose = files("pitboss.arena.protocol").joinpath("page.md").read_text(encoding="utf-8")
    seen: dict[schema.StructClass, str] = {TableView: "table_view"}  # the long table is described there
    sections: dict[str, Callable[[], str]] = {
        "event_fields": _event_fields,
        "events": _events,
        "errors": _errors,
        "opening": _opening,
        "razz": lambda: _worked(worked("razz", 3, 2, RAZZ)),
        "hearts": lambda: _worked(worked_moves("hearts", 4, 1)),
        "leduc": lambda: _worked(worked_moves("leduc", 2, 1, LEDUC)),
        "triple_draw": lambda: _worked(worked("deuce_to_seven_triple_draw", 2, 1, TRIPLE_DRAW)),
    }
    named = {schema.wire_name(kind): kind for kind in schema.ALL if kind not in schema.EVENTS}
    named["view_request"] = wire.ViewRequest  # its type is `view`, as that of the answer

    def fill(place: re.Match[str]) -> str:
        name = place[1]
        return sections[name]() if name in sections else _section(named[name], seen)

    return NOTICE + _PLACE.sub(fill, prose)


def example_text(kind: schema.StructClass) -> str:
    """Return the example of a type as readable JSON: short objects on one line, long ones on several."""
    value = msgspec.json.decode(wire.write(EXAMPLES[kind]))
    head = {name: value[name] for name in ("type", "v", "ev") if name in value}
    return _laid_out(head | value, "")


def _section(kind: schema.StructClass, seen: dict[schema.StructClass, str]) -> str:
    """Return the section of one message: its purpose, its fields and an example."""
    name = schema.wire_name(kind)
    if kind is wire.TableViewMessage:
        del seen[TableView]
    heading = f"### {_marked(name, added=schema.is_added(name))} ({schema.direction(kind)})"
    return f"{heading}\n\n{schema.sentence(kind)}\n\n" + _table(kind, seen) + _example(kind)


def _event_fields() -> str:
    """Return one table of the fields of all events, with the events that have each."""
    found: dict[tuple[str, str, str], list[tuple[str, bool]]] = {}
    for kind in schema.EVENTS:
        name = schema.wire_name(kind)
        for row in schema.rows(kind, seen={}):
            found.setdefault((row.name, row.kind, row.meaning), []).append((name, row.added))
    rows = []
    for (field, type_, meaning), events in found.items():
        added = all(added for name, added in events if name in schema.FIRST_TEXT)
        rows.append((_marked(field, added=added), type_, meaning, ", ".join(f"`{name}`" for name, _ in events)))
    return _as_table(("field", "type", "meaning", "events"), rows).rstrip()


def _events() -> str:
    """Return the section of every `ev`."""
    sections = []
    for kind in schema.EVENTS:
        name = schema.wire_name(kind)
        heading = f"#### {_marked(name, added=schema.is_added(name))}"
        sections.append(f"{heading}\n\n{schema.sentence(kind)}\n\n" + _example(kind))
    return "\n\n".join(sections)


def _example(kind: schema.StructClass) -> str:
    return f"```json\n{example_text(kind)}\n```"


def _table(kind: schema.StructClass, seen: dict[schema.StructClass, str], name: str = "") -> str:
    rows = [
        (_marked(row.name, added=row.added), row.kind, row.meaning) for row in schema.rows(kind, seen=seen, of=name)
    ]
    return _as_table(("field", "type", "meaning"), rows) if rows else ""


def _marked(name: str, *, added: bool) -> str:
    """Return a name as code, with the mark of what was added after the first text of version 1."""
    return f"`{name}`{'⁺' if added else ''}"


def _worked(lines: Iterable[str]) -> str:
    return "```text\n" + "\n".join(lines) + "\n```"


def _opening() -> str:
    return _table(wire.Opening, {}, "opening").rstrip()


def _errors() -> str:
    first = schema.FIRST_ERRORS.split()
    rows = ((_marked(code, added=code not in first), when, remedy) for code, (when, remedy) in schema.ERRORS.items())
    return _as_table(("code", "when", "what to do"), rows).rstrip()


def _as_table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n".replace("|  |", "| |") for cells in lines) + "\n"


def _laid_out(value: Any, indent: str) -> str:
    """Return JSON in lines of at most `WIDTH` if possible; a proof stays on one line."""
    flat = _json(value)
    if len(indent) + len(flat) <= WIDTH or not isinstance(value, dict | list) or "path" in value:
        return flat
    deeper = indent + "  "
    if isinstance(value, list):
        inner = [deeper + _laid_out(one, deeper) for one in value]
        return "[\n" + ",\n".join(inner) + f"\n{indent}]"
    lines = [""]
    for name, one in value.items():
        pair = f"{_json(name)}:{_laid_out(one, deeper)}"
        if lines[-1] and ("\n" in lines[-1] + pair or len(f"{deeper}{lines[-1]},{pair}") > WIDTH):
            lines.append("")
        lines[-1] += f",{pair}" if lines[-1] else pair
    return "{\n" + ",\n".join(deeper + line for line in lines) + f"\n{indent}}}"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
