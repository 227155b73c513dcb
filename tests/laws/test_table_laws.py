"""Laws of the table document: chips, blinds, debts, states, secrets and merges, at ring games drawn at random."""

import copy
import json
from contextlib import suppress
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.documents.fields import Document, DocumentError, read_document, read_fields, to_fields, write_document
from pitboss.documents.hands import next_hand
from pitboss.documents.intents import merge, pause, resume, wait_for_big_blind
from pitboss.documents.record import from_record, to_record
from pitboss.records.money import Amount
from tests.laws.ring import (
    BLINDS,
    Ring,
    Setting,
    check_secrets,
    check_states,
    play,
    play_game,
    play_ring,
    with_other_holes,
)
from tests.support.for_each import for_each
from tests.support.laws.laws import LawBroken
from tests.support.laws.many import play_all
from tests.support.seeds.document_table import open_table

SEEDS = st.integers(0, 2**64 - 1)


# --- the ring game


@pytest.mark.parametrize(
    ("small", "big"),
    [pytest.param(*blinds, marks=() if k % 3 == 0 else pytest.mark.slow) for k, blinds in enumerate(BLINDS)],
    ids=str,
)
def test_chips_blinds_and_debts_whatever_the_blinds(small: Amount, big: Amount) -> None:
    setting = Setting(small=small, big=big, before_the_deal=False)
    counts = play_game(setting, Chance(11), 40)
    assert counts["hands"] + counts["waits"] == 40
    assert counts["hands"] > 20
    assert counts["newcomers"] > 5


@pytest.mark.check
@pytest.mark.parametrize("seats", [2, 3, 4, 6, 9])
def test_chips_blinds_and_debts_whatever_the_table(seats: int) -> None:
    counts = play_game(Setting(seats=seats, before_the_deal=False), Chance(12), 30)
    assert counts["hands"] + counts["waits"] == 30


@pytest.mark.check
@pytest.mark.parametrize("ante", [1, Decimal("0.2"), Decimal("2.5")])
def test_chips_blinds_and_debts_with_antes(ante: Amount) -> None:
    counts = play_game(Setting(ante=ante, before_the_deal=False), Chance(13), 30)
    assert counts["hands"] > 10


@pytest.mark.check
def test_chips_with_comings_and_goings_between_next_and_the_deal() -> None:
    counts = play_game(Setting(restless=2), Chance(14), 60)
    assert counts["hands"] + counts["waits"] == 60


@pytest.mark.check
def test_chips_where_the_button_moves() -> None:
    counts = play_game(Setting(moving="button", before_the_deal=False), Chance(15), 40)
    assert counts["hands"] > 20


def test_a_quiet_table() -> None:
    """No player joins or leaves."""
    counts = play_game(Setting(restless=0, seats=4), Chance(16), 40)
    assert counts["wishes to leave"] == 0
    assert counts["hands"] > 10


@pytest.mark.check
def test_games_of_any_kind() -> None:
    counts = play_all(play, 17, range(4))
    assert counts["games"] == 4


def test_seed_replays_a_table() -> None:
    quiet = Setting(before_the_deal=False)
    assert play_ring(quiet, Chance(4), 5).trail == play_ring(quiet, Chance(4), 5).trail


# --- the laws notice what they are for

ACTIVE = open_table(small_blind=1, big_blind=2, seat_count=3).sit("a", 50).sit("b", 50).sit("c", 50).next().document


@for_each(
    "broken",
    [
        replace(ACTIVE, dead_blinds=(1, 0, 0)),
        replace(ACTIVE, inactive=(1, 0, 0), intents=(2, 0, 0), dead_blinds=(4, 0, 0)),
        replace(ACTIVE, intents=(4, 0, 0)),
        replace(ACTIVE, stacks=(50, 50)),
        replace(ACTIVE, stacks=(-1, 50, 50)),
    ],
)
def test_the_law_of_states_can_be_broken(broken: Document) -> None:
    check_states(ACTIVE)
    with pytest.raises(LawBroken):
        check_states(broken)


def test_the_law_of_secrets_looks_at_other_cards() -> None:
    dealt = replace(ACTIVE, actions=("d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 QsQd"))
    check_secrets(dealt, Chance(1))
    other = with_other_holes(dealt, 1, set(), Chance(1))
    assert other.actions[1] == "d dh p2 KsKd"
    assert other.actions[0] != dealt.actions[0]


# --- orbits

STEPS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from([pause, wait_for_big_blind, resume, resume])), max_size=40
)


@given(players=st.integers(2, 5), steps=STEPS)
def test_players_pay_each_blind_once_per_orbit(players: int, steps: list[Any]) -> None:
    """From one big blind of a player to the next, if they play every hand, all who do so pay one of each."""
    table = open_table(small_blind=1, big_blind=2, seat_count=players)
    for name in "abcde"[:players]:
        table = table.sit(name, 1000)
    document = table.next().document
    hands: list[tuple[set[str], str, str | None]] = []
    for player, wish in [*steps, *[(0, resume)] * 12]:
        name = document.players[player % players]
        if sum(document.dealt_in) >= 2:
            dealt = [f"d dh p{seat + 1} ????" for seat, plays in enumerate(document.dealt_in) if plays]
            document = replace(document, actions=tuple(dealt), finishing_stacks=document.stacks)
        document = next_hand(merge(document, wish(document, name), name).document)
        if sum(document.dealt_in) >= 2:
            hands.append(_posted(document))
    for start, (_, big, _) in enumerate(hands):
        end = next((later for later in range(start + 1, len(hands)) if hands[later][1] == big), None)
        if end is None:
            continue
        throughout = set.intersection(*[plays for plays, _, _ in hands[start : end + 1]])
        for name in throughout if big in throughout else ():
            bigs = [hand_big for _, hand_big, _ in hands[start + 1 : end + 1]].count(name)
            smalls = [hand_small for _, _, hand_small in hands[start + 1 : end + 1]].count(name)
            assert (name, bigs, smalls) == (name, 1, 1)


def _posted(document: Document) -> tuple[set[str], str, str | None]:
    """Who plays, who posts the big blind, and who the small one."""
    plays = {name for name, dealt in zip(document.players, document.dealt_in, strict=True) if dealt}
    posts = {blind: name for name, blind in zip(document.players, document.blinds, strict=True) if name in plays}
    return plays, posts[2], posts.get(1)


# --- documents


@cache
def documents() -> tuple[Document, ...]:
    """Documents of all kinds, from a few games; that they keep the laws is other tests' business."""
    found: list[Document] = []
    for seed in range(12):
        ring = Ring(Setting(before_the_deal=False, restless=2), Chance(seed))
        with suppress(LawBroken):
            ring.play(3)
        found += ring.trail
    return tuple(found)


def test_old_to_new_and_back() -> None:
    for document in documents():
        assert read_document(write_document(document)) == document
        if document.button is not None:
            assert from_record(to_record(document)) == document


def test_written_documents_have_no_floats() -> None:
    for document in documents():
        fields = json.loads(write_document(document), parse_float=Decimal)
        assert [Decimal(stack) for stack in fields["startingStacks"]] == list(map(Decimal, document.stacks))


def refusal(text: str) -> str | None:
    """Why a text is not one of our documents; None if it is one."""
    try:
        read_document(text)
    except DocumentError as error:
        return str(error)
    return None


@given(text=st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_any_text_is_a_document_or_one_clear_sentence(text: str) -> None:
    assert refusal(text) != ""


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**30, -(10**30), 2**63, 2**64, 0, 1, 2, 3, 4])
    | st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=2)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["n1", "n2", "n3", "", "p1 f", "d dh p1 AsKs", "__proto__"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    [
        *("players", "startingStacks", "blindsOrStraddles", "antes", "_inactive", "_intents", "_deadBlinds", "actions"),
        *("hand", "seats", "seatCount", "_deadMoney", "_button", "finishingStacks", "minBet", "variant", "author"),
        *("_smallBlind", "_ante", "_x", "toString", "__class__", "winnings", ""),
    ]
)


def plain(value: Any) -> Any:
    """Fields as JSON gives them."""
    return [plain(entry) for entry in value] if isinstance(value, tuple) else value


@st.composite
def hostile(draw: st.DrawFn) -> tuple[Document, dict[str, Any], str]:
    """A server's document, a client's document in any condition, and the player that the connection belongs to."""
    server = draw(st.sampled_from(documents()))
    author = draw(st.sampled_from([*server.players, "n1", "n2", "stranger", "p1"]))
    client: dict[str, Any] = {name: plain(value) for name, value in to_fields(server).items()}
    if draw(st.booleans()) and author not in server.players:
        at = draw(st.integers(0, len(server.players)))
        own: dict[str, Any] = {"players": author, "startingStacks": 50, "_intents": 0, "seats": None}
        for name, value in own.items():
            client[name].insert(at, draw(st.just(value) | JSON) if name != "players" else value)
    for name in draw(st.lists(NAMES, max_size=4)):
        value = client.get(name)
        if isinstance(value, list) and value and draw(st.booleans()):
            value[draw(st.integers(0, len(value) - 1))] = draw(JSON)
        elif draw(st.booleans()):
            client[name] = draw(JSON)
        else:
            client.pop(name, None)
    return server, client, author


def only_the_wish(server: Document, client: dict[str, Any], author: str) -> dict[str, Any]:
    """The server's own document with nothing but this author's wish in it."""
    listed = client.get("players")
    at = listed.index(author) if isinstance(listed, list) and author in listed else None

    def entry(name: str) -> Any:
        values = client.get(name)
        return values[at] if at is not None and isinstance(values, list) and at < len(values) else None

    clean: dict[str, Any] = {name: plain(value) for name, value in to_fields(server).items()}
    if author in server.players:
        clean["_intents"][server.index(author)] = entry("_intents")
    elif at is not None:
        clean["players"].append(author)
        for name in ("startingStacks", "_intents", "seats"):
            clean[name].append(entry(name))
    return clean


def merged(server: Document, client: dict[str, Any], author: str, grant: Amount | None) -> Document | str:
    try:
        return merge(server, client, author, grant=grant).document
    except DocumentError as error:
        return str(error)


@given(case=hostile(), grant=st.sampled_from([None, 1, 60, Decimal("75.25")]))
def test_merge_takes_only_the_authors_wish(case: tuple[Document, dict[str, Any], str], grant: Amount | None) -> None:
    server, client, author = case
    before, sent = write_document(server), copy.deepcopy(client)
    found = merged(server, client, author, grant)
    assert found == merged(server, only_the_wish(server, client, author), author, grant)
    assert write_document(server) == before
    assert repr(client) == repr(sent)
    if isinstance(found, Document):
        check_states(found)
        assert read_document(write_document(found)) == found
        others = [player for player, name in enumerate(server.players) if name != author]
        for player in others:
            assert found.players[player] == server.players[player]
            assert found.stacks[player] == server.stacks[player]
            assert found.inactive[player] == server.inactive[player]
            assert found.intents[player] == server.intents[player]
            assert found.dead_blinds[player] == server.dead_blinds[player]
        assert found.actions == server.actions


@given(case=hostile())
def test_merge_of_the_wire_is_merge_of_its_fields(case: tuple[Document, dict[str, Any], str]) -> None:
    """Whatever of it survives as JSON is merged or refused with one sentence."""
    server, client, author = case
    text = json.dumps(client, default=str)
    try:
        fields = read_fields(text)
    except DocumentError:
        return
    found = merged(server, fields, author, None)
    assert found == merged(server, only_the_wish(server, fields, author), author, None)


@given(field=NAMES, value=JSON, at=st.integers(0, 10_000))
def test_a_mutated_document_of_ours_is_kept_or_refused_with_one_sentence(field: str, value: Any, at: int) -> None:
    document = documents()[at % len(documents())]
    text = json.dumps({name: plain(v) for name, v in to_fields(document).items()} | {field: value}, default=float)
    sentence = refusal(text)
    if sentence is not None:
        assert "\n" not in sentence
        return
    found = read_document(text)
    check_states(found)
    assert read_document(write_document(found)) == found


def test_merge_of_a_huge_and_of_a_deep_document() -> None:
    server = documents()[-1]
    name = server.players[0]
    huge = {"players": [name] * 100_000, "_intents": [2] * 100_000, "x": ["y" * 1_000_000]}
    clean = {"players": [name], "_intents": [2]}
    assert merge(server, huge, name).document == merge(server, clean, name).document
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert merge(server, clean | {"actions": deep}, name).document == merge(server, clean, name).document
