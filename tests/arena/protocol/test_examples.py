"""What the protocol page shows is true: its hand can be played, its verifier verifies, its bot plays."""

import asyncio
import json
import shutil
import subprocess
from typing import Any, get_args

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from msgspec import Struct
from msgspec.structs import replace

from pitboss import NO_LIMIT_HOLDEM, Bet, Call, Check, Fold, Hand, Raise, Stakes, blinds
from pitboss.arena.hosts.poker import PokerHost
from pitboss.arena.journal.history import History, TakenSeat
from pitboss.arena.journal.records import Acted, HandStarted, Settings
from pitboss.arena.protocol.page import (
    DECK,
    EXAMPLES,
    HAND,
    MIXED,
    NUMBERS,
    RAZZ,
    SECRET,
    SERVER_NUMBER,
    TRIPLE_DRAW,
    worked,
)
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire import poker
from pitboss.arena.wire.messages import read
from pitboss.betting.events import BettingAction
from pitboss.cards import write_cards
from tests.support.arena.docs import PAGE, blocks
from tests.support.for_each import for_each

STUD_AND_DRAW = (wire.PostAntes, wire.BringIn, wire.UpCard, wire.DownCard, wire.CommunityCard, wire.DrawMessage)
NOT_IN_THE_HAND = (
    wire.RunsMessage,
    wire.RunMessage,
    wire.VoidMessage,
    wire.Happened,
    *STUD_AND_DRAW,
    *get_args(wire.CashEvent),
)
STACKS = {0: 4000, 1: 12000, 3: 14000}
ORDER = (3, 0, 1)  # seats from the button's left
LINE: tuple[BettingAction, ...] = (
    Fold(),
    Raise(to=300),
    Call(),
    Check(),
    Check(),
    Bet(to=400),
    Call(),
    Bet(to=13300),
    Call(),
)


def played() -> tuple[list[wire.ServerMessage], list[wire.Act]]:
    """The hand of the examples, dealt and played: the public messages, and every question."""
    hand, events = Hand.start(
        NO_LIMIT_HOLDEM,
        stacks=(14000, 4000, 12000),
        stakes=Stakes(min_bet=100, posts=blinds(3, 50, 100)),
        deck=DECK.deck,
    )
    history = History("T-1", seats={seat: TakenSeat("", stack, None) for seat, stack in STACKS.items()})
    match = Match(history, PokerHost(NO_LIMIT_HOLDEM, Settings()))
    end = EXAMPLES[wire.EndHand]
    assert isinstance(end, wire.EndHand)

    def send(record: HandStarted | Acted) -> list[wire.ServerMessage]:
        history.take(record, over=hand.over)
        return [*TableMessages(match).of(record, bytes.fromhex(end.chain), over=hand.over)]

    started = HandStarted(
        number=100,
        hand_id=HAND,
        secret=SECRET.hex(),
        deck=write_cards(DECK.deck),
        button=1,
        stacks=STACKS,
        seq=1291,
        events=events,
    )
    messages, asked = send(started), []
    for action in LINE:
        asked.append(poker.question(hand, ORDER, hand_id=HAND, turn=0, time_ms=15000, frame=poker.TableFrame(50, 100)))
        seat = asked[-1].seat
        hand, events = hand.act(action)
        messages += send(Acted(seat=seat, action=action, cause="client", events=events))
    return messages, asked


def test_public_examples_of_the_hand_are_sent_when_it_is_played() -> None:
    messages, _ = played()
    public = [
        example
        for kind, example in EXAMPLES.items()
        if kind is wire.StartHand
        or kind is wire.EndHand
        or (issubclass(kind, wire.EventMessage) and kind not in NOT_IN_THE_HAND)
    ]
    assert len(public) == 14
    assert [example for example in public if example not in messages] == []


def test_example_of_act_is_sent_when_the_hand_is_played() -> None:
    _, asked = played()
    example = EXAMPLES[wire.Act]
    assert isinstance(example, wire.Act)
    assert replace(asked[1], turn=example.turn) == example


def test_example_snapshot_repeats_the_question() -> None:
    _, asked = played()
    example = json.loads(wire.write(EXAMPLES[wire.Snapshot]))
    question = json.loads(wire.write(asked[6]))
    same = ["phase", "table", "players", "community", "legal", "call_amount", "min_raise_to", "max_raise_to", "pot"]
    assert [example[name] for name in same] == [question[name] for name in same]
    assert example["next_actor"] == question["seat"] == example["you"]["seat"]
    assert [example["you"][name] for name in ("hole", "stack", "to_call")] == [
        question["you"][name] for name in ("hole", "stack", "to_call")
    ]


def test_the_examples_of_stud_and_draw_are_sent_in_the_hands_on_the_page() -> None:
    lines = [*worked("razz", 3, 2, RAZZ), *worked("deuce_to_seven_triple_draw", 2, 1, TRIPLE_DRAW)]
    assert all(line in PAGE for line in lines)
    for kind in STUD_AND_DRAW:
        example = json.loads(wire.write(EXAMPLES[kind]))
        sent = [json.loads(line[2:]) for line in lines if f'"ev":"{example["ev"]}"' in line]
        if kind not in (wire.DownCard, wire.CommunityCard):  # they come later, and the second takes eight seats
            assert example | {"opened": "…"} in [{"opened": "…", **message} for message in sent]


def python_on_the_page(has: str) -> dict[str, Any]:
    """The names that a piece of Python on the page defines."""
    (source,) = [text for text in blocks("python") if has in text]
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(source, "protocol.md", "exec"), names)
    return names


def openings() -> list[dict[str, Any]]:
    """Every card that is opened on the page."""
    return [one for text in blocks("json") for one in json.loads(text).get("opened", [])]


def commit_and_reveal() -> tuple[str, dict[str, Any]]:
    """The commitment and the revealed hand on the page."""
    printed = [json.loads(text) for text in blocks("json")]
    (commit,) = [one["commit"] for one in printed if one["type"] == "start_hand"]
    (revealed,) = [one["hands"][0] for one in printed if one["type"] == "reveal"]
    return commit, revealed


def test_ruling_A1_verifier_of_the_page_accepts_revealed_decks() -> None:
    verifier = python_on_the_page("def root_from")
    commit, revealed = commit_and_reveal()
    assert len(openings()) == 9
    assert {verifier["root_from"](one) for one in openings()} == {commit}
    deck, root = verifier["deck_from"](bytes.fromhex(revealed["secret"]))
    assert ("".join(deck), root) == (revealed["deck"], commit)
    assert all(deck[one["at"]] == one["card"] for one in openings())


@for_each("at", range(52))
def test_ruling_A1_the_pages_verifier_refuses_another_card_place_or_salt(at: int) -> None:
    verifier = python_on_the_page("def root_from")
    opened = DECK.open(at)
    path = [node.hex() for node in opened.path]
    good = {"card": opened.card, "at": at, "salt": opened.salt.hex(), "path": path}
    assert verifier["root_from"](good) == DECK.commit
    other = "As" if opened.card != "As" else "Ks"
    assert verifier["root_from"](good | {"card": other}) != DECK.commit
    assert verifier["root_from"](good | {"at": at ^ 1}) != DECK.commit
    assert verifier["root_from"](good | {"salt": "0" * 32}) != DECK.commit


async def send(socket: web.WebSocketResponse, *kinds: type[Struct]) -> None:
    """Send the examples of some messages."""
    for kind in kinds:
        await socket.send_str(wire.write(EXAMPLES[kind]))


def test_bot_of_the_page_sends_hello_answers_and_leaves_after_the_match() -> None:
    bot = python_on_the_page('"DRAW" in act["legal"]')
    heard: list[wire.ClientMessage] = []

    async def one_match(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        heard.append(read(await socket.receive_str()))
        await send(socket, wire.Welcome, wire.Lobby, wire.StartHand, wire.Act)
        heard.append(read(await socket.receive_str()))
        await send(socket, wire.EndHand, wire.Reveal, wire.MatchEnd)
        await socket.receive()
        return socket

    async def both() -> Any:
        app = web.Application()
        app.router.add_get("/ws", one_match)
        async with TestServer(app, host="127.0.0.1") as server:
            return await asyncio.wait_for(bot["play"](str(server.make_url("/ws")), "Snake", "secret"), 30)

    assert asyncio.run(both())["winner"] == {"seat": 3, "team": "Gamma"}
    assert heard == [
        wire.Hello(v=1, team="Snake", join_code="secret"),
        wire.Action(v=1, hand_id=HAND, action="FOLD", turn=2041),
    ]


def test_javascript_of_the_page_distinguishes_mixed_secrets() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed, which runs the page's JavaScript")
    [code] = [block for block in blocks("js") if "isMixed" in block]
    mix = EXAMPLES[wire.Mix]
    assert isinstance(mix, wire.Mix)
    numbers = [{"seat": seat, "number": number.hex()} for seat, number in NUMBERS.items()]
    start = {"hand_id": mix.hand_id, "numbers": numbers}
    revealed = {"secret": MIXED.hex(), "server_number": SERVER_NUMBER.hex()}
    listed = json.loads(wire.write(mix))
    cases = [
        (listed, start, revealed),
        (listed, start | {"numbers": numbers[::-1]}, revealed),  # in whatever order
        (listed, start, revealed | {"secret": "0" * 64}),
        (listed, start, revealed | {"server_number": "0" * 64}),
        (listed, start | {"numbers": numbers[:1]}, revealed),
        (listed, start | {"numbers": [numbers[0], numbers[1] | {"number": "0" * 64}]}, revealed),
        (listed, start | {"hand_id": "H-2025-10-17-00102"}, revealed),
        (listed | {"commit": "0" * 64}, start, revealed),
    ]
    each = f"Promise.all({json.dumps(cases)}.map((one) => isMixed(...one)))"
    asked = f"{code}\n{each}.then((all) => console.log(JSON.stringify(all)));"
    said = subprocess.run([node, "-e", asked], capture_output=True, text=True, check=True, timeout=60).stdout
    assert json.loads(said) == [True, True] + [False] * 6
