"""The document of a cash table: made from any moment of it, seen by each viewer, and posted with wishes and actions."""

import json
from contextlib import suppress
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.arena.rooms.cash import CashTable
from pitboss.arena.rooms.cash_document import (
    DocumentRequest,
    document_for,
    document_of,
    empty_document,
    read_posted,
)
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.room import Room
from pitboss.arena.wire import messages as wire
from pitboss.chance import Chance
from pitboss.documents import Document, DocumentError, read_document, write_document
from pitboss.documents.play import play_actions
from pitboss.hand.hand import Hand
from tests.arena.rooms.test_cash import parlour, settings, wander
from tests.support.arena.rooms import CODE, Parlour
from tests.support.for_each import for_each


def cash(table: Parlour) -> CashTable:
    match = table.match
    assert isinstance(match, CashTable)
    return match


def document(table: Parlour) -> Document:
    return document_of(cash(table))


def copy(table: Parlour, team: str) -> dict[str, Any]:
    """The document as a team gets it."""
    got: dict[str, Any] = json.loads(table.room.document(team).body)
    return got


def joining(table: Parlour, team: str, stack: Any = 5_000, **more: Any) -> dict[str, Any]:
    """The spectators' document with a newcomer appended."""
    fields = copy(table, "")
    own = {"players": team, "startingStacks": stack, "_intents": 0, **more}
    return {**fields, **{name: [*fields[name], value] for name, value in own.items()}}


def post(table: Parlour, team: str, fields: Any) -> Any:
    """Post a document; gives what it asked for, and whether it was refused."""
    body = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
    given: list[Any] = []

    def do(room: Room, now: float) -> Any:
        lock = room.match.lock_of(team) or next(iter(room.match.history.seats.values())).lock
        assert lock is not None
        rejected, out = room.post(team, lock, asked, now)
        given.append(asked if rejected is None else replace(asked, rejected=rejected))
        return out

    try:
        asked = read_posted(table.match, team, body)
    except wire.Rejected as rejected:
        return DocumentRequest(rejected=rejected)
    table.step(do)
    return given[0]


def greet(table: Parlour, team: str) -> None:
    """Let a team read its document."""
    table.step(lambda room, now: room.greet(team, now))


def essence(hand: Hand) -> object:
    return hand.stacks, hand.phase, hand.offer, hand.turn, hand.board, hand.holes, hand.round.chips_in_middle


def holds(table: Parlour) -> None:
    """The document reads back, plays to the same hand, and hides all cards that its viewer may not see."""
    found, match = document(table), cash(table)
    assert read_document(write_document(found)) == found
    for team in (None, *found.players):
        read_document(document_for(match, team) if team is None else table.room.document(team).body)
    read_document(empty_document(match))
    if match.host.open is not None:
        assert essence(play_actions(found).hand) == essence(match.host.open.hand)


STAKES: tuple[dict[str, object], ...] = (
    {"rake": 50, "rake_cap": 300, "straddle": 200},
    {"game": "horse"},
    {"game": "deuce_to_seven_triple_draw"},
    {"game": "double_board_omaha"},
    {"game": "crazy_pineapple"},
    {"ante": 10, "small_blind": 0},
    {"small_blind": 100, "reopening": "always"},
)


@pytest.mark.check
@pytest.mark.parametrize("stakes", STAKES)
def test_the_document_of_any_moment_reads_back_and_plays_to_the_same_hand(
    stakes: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.arena.rooms.test_cash.sums", holds)
    table = Parlour(settings(**stakes), seed=5, limits=Limits(burst=1e9, grace=1, takeovers=10**9))
    table.seat(3)
    wander(table, Chance(5), 150)
    assert table.history.played


def test_documents_of_two_worlds_with_other_hidden_cards_are_equal() -> None:
    secrets = [[bytes([number]) * 32] for number in (1, 2)]
    worlds = [Parlour(settings(start_at=3), secrets=secret, limits=Limits(burst=1e9)) for secret in secrets]
    for table in worlds:
        table.seat(3)
    one, other = map(document, worlds)
    assert one.actions != other.actions
    assert worlds[0].room.document().body == worlds[1].room.document().body
    for table in worlds:
        assert "????" in table.room.document("A").body.decode()
    own = [copy(table, "A") for table in worlds]
    for fields, table in zip(own, worlds, strict=True):
        place = document(table).index("A")
        fields["actions"] = [text for text in fields["actions"] if not text.startswith(f"d dh p{place + 1} ")]
    assert own[0] == own[1], "other players' cards do not show"


def test_a_newcomer_joins_with_its_own_document_and_plays_the_next_hand() -> None:
    table = parlour(2)
    posted = post(table, "C", joining(table, "C", 2_500))
    assert posted.rejected is None
    fields = copy(table, "C")
    assert (fields["players"][2], fields["startingStacks"][2], fields["_inactive"][2]) == ("C", 2_500, 1)
    assert 2 in table.room.connected
    table.play_hand()
    assert copy(table, "C")["_inactive"][2] == 0


def test_an_action_is_played_only_on_the_current_document() -> None:
    table = parlour(2)
    team, seat = table.to_act.team, table.to_act.seat
    fields = copy(table, team)
    own = fields["players"].index(team) + 1
    posted = post(table, team, {**fields, "actions": [*fields["actions"], f"p{own} cc"]})
    assert (posted.rejected, posted.ignored) == (None, ())
    assert table.match.to_act != seat
    stale = post(table, team, {**fields, "actions": [*fields["actions"], f"p{own} f"], "_intents": [2, 2]})
    assert [sentence for sentence in stale.ignored if sentence.startswith("actions")]
    assert isinstance(stale.request, wire.SitOut), "the wish of an old document is taken"
    assert document(table).intents[own - 1] == 2
    assert document(table).intents[2 - own] == 0, "the other player's wish is not"


@for_each("action", ["cbr 1", "cbr 99999999999", "cbr 250.5", "cbr 1e300", "sd", "sm", "pb"])
def test_unplayable_action_changes_nothing(action: str) -> None:
    table = parlour(2)
    team, before = table.to_act.team, document(table)
    fields = copy(table, team)
    text = f"p{fields['players'].index(team) + 1} {action}"
    posted = post(table, team, {**fields, "actions": [*fields["actions"], text]})
    if action == "pb":  # other programs write a call so
        return
    assert posted.rejected is not None
    assert document(table) == before


@for_each(
    "added, reason",
    [
        (["{own} cc", "{own} f"], "one new action, got 2"),
        (["{own} cbr -5"], "chips from 0, got '-5'"),
        (["{other} f"], "got one of {other}"),
        (["d db AsKsQs"], "expected {own} and one of f, cc"),
        ([None], "expected an action as text"),
        (["\ud800"], "expected a move"),
        (["x" * 9_000], "expected a move"),
        ([5], "text, got 5"),
    ],
)
def test_each_ignored_action_gets_its_own_reason(added: list[Any], reason: str) -> None:
    table = parlour(2)
    team, before = table.to_act.team, document(table)
    place = before.index(team)
    names = {"own": f"p{place + 1}", "other": f"p{2 - place}"}
    texts = [text.format(**names) if isinstance(text, str) else text for text in added]
    fields = copy(table, team)
    (sentence,) = post(table, team, {**fields, "actions": [*fields["actions"], *texts]}).ignored
    assert sentence.startswith("actions: ")
    assert reason.format(**names) in sentence
    assert len(sentence.encode()) < 300
    assert document(table) == before


def test_actions_that_are_not_the_current_ones_are_ignored_with_a_reason() -> None:
    table = parlour(2)
    team = table.to_act.team
    fields = copy(table, team)
    for change, reason in (
        ({"actions": fields["actions"][:-1]}, "not the current ones"),
        ({"actions": "p1 cc"}, "expected a list"),
        ({"actions": [*fields["actions"], "p1 cc"], "hand": 7}, "hand 1, got those of hand 7"),
    ):
        sentences = post(table, team, {**fields, **change}).ignored
        (sentence,) = [sentence for sentence in sentences if sentence.startswith("actions: ")]
        assert reason in sentence
    assert copy(table, team) == fields


def test_an_action_out_of_turn_is_refused_with_the_names_of_the_teams() -> None:
    table = parlour(2)
    team = "A" if table.to_act.team == "B" else "B"
    fields = copy(table, team)
    own = fields["players"].index(team) + 1
    rejected = post(table, team, {**fields, "actions": [*fields["actions"], f"p{own} f"]}).rejected
    assert rejected.code == "OUT_OF_TURN"
    assert str(rejected) == f"it is the turn of {table.to_act.team!r}, not of {team!r}"


def test_a_wish_is_taken_by_document_and_shown_to_all() -> None:
    table = parlour(3)
    for wish, state in ((1, "waits"), (2, "pauses"), (0, "plays"), (3, "leaves")):
        fields = copy(table, "A")
        fields["_intents"][fields["players"].index("A")] = wish
        assert post(table, "A", fields).rejected is None
        assert cash(table).host.chair(0).state == state
    assert table.room.document("A") == table.room.document(), "a team that leaves sees what spectators see"
    table.play_hand()
    assert "A" not in copy(table, "A")["players"]
    assert post(table, "A", joining(table, "A")).rejected is None
    assert "A" in copy(table, "B")["players"]


def test_hostile_documents_change_nothing_else() -> None:
    table = parlour(2)
    before = document(table)
    for body in (
        b"",
        b"[]",
        b'{"players": NaN}',
        b"[" * 60_000,
        b"\xff\xfe",
        b'{"startingStacks": 1e999999}',
    ):
        with suppress(DocumentError):
            post(table, "A", body)
        assert document(table) == before, body
    fields = copy(table, "A")
    for change in (
        {"players": ["B", "A"], "_intents": [0, 0]},
        {"startingStacks": [10**30, 10**30]},
        {"_deadBlinds": [5]},
        {"_inactive": [1, 1, 1, 1]},
        {"_intents": [0, 3]},
        {"author": "B", "hand": 10**20},
        {"actions": ["d dh p1 AsAh"] * 500},
        {"actions": [*fields["actions"], f"p{3 - fields['players'].index(table.to_act.team) - 1} f"]},
    ):
        posted = post(table, "A", {**fields, **change})
        assert posted.ignored or posted.request is None
        assert document(table) == before, change


@for_each("stack", [1_999, 0, -5, 10.5, "many", None, 10**40])
def test_a_buy_in_by_document_is_at_most_the_largest(stack: Any) -> None:
    table = parlour(2)
    try:
        posted = post(table, "C", joining(table, "C", stack))
    except DocumentError:
        posted = None
    if stack == 10**40:
        assert table.history.seats[2].stack == 10_000
        return
    assert posted is None or posted.rejected is not None
    assert 2 not in table.history.seats


@pytest.mark.parametrize(
    ("body", "found"), [(b"null", "null"), (b"5", "an integer"), (b"true", "true or false"), (b'"x"', "text")]
)
def test_value_that_is_not_an_object_is_named_as_in_json(body: bytes, found: str) -> None:
    table = parlour(2)
    with pytest.raises(DocumentError, match=f"got {found}$"):
        read_posted(table.match, "A", body)


def test_names_that_look_alike_and_a_full_table_are_refused() -> None:
    table = parlour(2, seats=3)
    assert post(table, "а", joining(table, "а")).rejected.code == "TEAM_TAKEN", "a Cyrillic letter"
    joined = [post(table, team, joining(table, team)) for team in [f"team {number}" for number in range(10)]]
    assert [posted.rejected and posted.rejected.code for posted in joined] == [None] + ["TABLE_FULL"] * 9


def test_a_connection_takes_over_from_a_document_and_the_other_way_round() -> None:
    table = parlour(2)
    post(table, "C", joining(table, "C"))
    table.room.match.history.seats[2].lock = table.history.seats[0].lock
    guest = table.join("C", code=CODE + "A")
    assert guest.seat == 2
    guest.leave()
    assert 2 not in table.room.connected
    greet(table, "C")
    assert 2 in table.room.connected


def test_a_team_that_uses_a_document_plays_on_after_a_restart() -> None:
    table = parlour(2)
    before = document(table)
    table.restart()
    assert document(table) == before
    team = "A" if table.match.to_act == 0 else "B"
    greet(table, team)
    fields = copy(table, team)
    own = fields["players"].index(team) + 1
    assert post(table, team, {**fields, "actions": [*fields["actions"], f"p{own} cc"]}).rejected is None
    assert document(table).actions == (*before.actions, f"p{own} cc")


def test_time_runs_out_for_a_document_as_for_a_connection() -> None:
    table = parlour(2)
    for guest in [*table.at.values()]:
        guest.leave()
        greet(table, guest.team)
    actions = len(document(table).actions)
    table.pass_time(15)
    assert len(document(table).actions) != actions or table.history.hands > 1


def test_chips_are_brought_in_addition_to_a_document() -> None:
    table = parlour(2)
    post(table, "C", joining(table, "C", 2_000))
    given: list[Any] = []

    def bring(amount: int) -> Any:
        def do(room: Room, now: float) -> Any:
            lock = room.match.lock_of("C")
            assert lock is not None
            asked = DocumentRequest(request=wire.TopUp(v=1, amount=amount))
            rejected, out = room.post("C", lock, asked, now)
            given.append(rejected and rejected.code)
            return out

        table.step(do)
        return given[-1]

    assert bring(500) is None
    assert bring(500_000) == "TOP_UP_OUT_OF_RANGE"
    table.play_hand()
    assert table.history.brought == 22_500


def test_spectators_see_the_document_after_their_delay() -> None:
    table = Parlour(settings(start_at=2), limits=Limits(burst=1e9, delay=5.0))
    table.seat(2)
    number = table.room.document("A").number
    assert json.loads(table.room.document().body)["players"] == []
    assert table.room.public_number == 0
    table.pass_time(5)
    assert (table.room.public_number, table.room.document().number) == (number, number)
    assert json.loads(table.room.document().body)["players"] == ["A", "B"]
    table.at[0].leave()
    assert post(table, "A", {**copy(table, "A"), "_intents": [3, 0]}).rejected is None
    assert table.room.document("A").number == number, "a team that leaves is delayed too"


def test_seat_with_too_many_requests_is_refused() -> None:
    table = Parlour(settings(start_at=2), limits=Limits(burst=60, frames_a_second=1))
    table.seat(2)
    fields = copy(table, "A")
    codes = [post(table, "A", fields).rejected for _ in range(61)]
    assert codes[0] is None
    assert codes[-1].code == "RATE_LIMITED"
