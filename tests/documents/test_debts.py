"""A debt paid on coming back: dead money at the table, a dead post in PokerStars text, an ante in PHH, and back."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.cards import DECK, write_cards
from pitboss.documents.fields import Document, DocumentError, read_document
from pitboss.documents.hands import finishing_stacks, next_hand
from pitboss.documents.play import act, deal, play_actions
from pitboss.documents.record import read_back, written_out
from pitboss.formats.phh import PhhError, read_phh
from pitboss.formats.phh.standard import to_standard
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.records.debts import debts_as_posts, posts_as_debts
from pitboss.records.record import Record
from pitboss.records.replay import replay
from pitboss.records.table_fields import LineupError
from tests.support.cli.runs import run
from tests.support.for_each import for_each
from tests.support.formats.pokerstars import read_pokerstars
from tests.support.records.recorded_hands import pokerkit

PLAYERS = ["Player1", "Player2", "Player3"]
HAND_6: dict[str, Any] = {
    "hand": 6,
    "players": PLAYERS,
    "startingStacks": [50, 100, 75.25],
    "blindsOrStraddles": [0, 1, 2],
    "antes": [0, 0, 0],
    "seatCount": [6],
    "actions": ["d dh p1 ????", "d dh p3 ????"],
    "finishingStacks": [50, 100, 75.25],
    "_inactive": [0, 1, 0],
    "_intents": [0, 0, 0],
    "_deadBlinds": [0, 3, 0],
}
HAND_7: dict[str, Any] = {
    "hand": 7,
    "players": PLAYERS,
    "startingStacks": [50, 97, 75.25],
    "blindsOrStraddles": [0, 1, 2],
    "antes": [0, 0, 0],
    "seatCount": [6],
    "actions": [],
    "_inactive": [0, 0, 0],
    "_intents": [0, 0, 0],
    "_deadBlinds": [0, 0, 0],
    "_deadMoney": 3,
    "_deadPaid": {"Player2": 3},
}


def read(fields: dict[str, Any]) -> Document:
    """A document from its fields."""
    return read_document(json.dumps(fields))


def played(document: Document) -> Document:
    """The hand dealt from a fixed deck and called down to the showdown."""
    while not (playback := play_actions(document)).hand.over:
        hand = playback.hand
        if hand.phase == "deal":
            document = deal(document, DECK[::7] + DECK[1::7] + DECK[2::7])
            continue
        place = hand.round.turn if hand.phase == "bet" else next(p for p in hand.round.live if p not in hand.shown)
        action = "cc" if hand.phase == "bet" else f"sm {write_cards(hand.holes[place])}"
        document = act(document, document.players[playback.lineup.players[place]], action)
    return document


def by_name(document: Document) -> dict[str, Any]:
    """How a hand ended, whatever the order of its players."""
    return dict(zip(document.players, finishing_stacks(document), strict=True))


def test_004_next_names_the_player_whose_debt_is_in_the_pot() -> None:
    seventh = next_hand(read(HAND_6))
    assert (seventh.stacks, seventh.dead_money) == (read(HAND_7).stacks, 3)
    assert seventh.rest["_deadPaid"] == {"Player2": 3}
    assert "_deadPaid" not in next_hand(played(seventh)).rest


def test_004_hand_7_survives_a_round_trip_through_pokerstars_text() -> None:
    seventh = played(read(HAND_7))
    text = write_pokerstars(written_out(seventh))
    assert "Seat 2: Player2 (100 in chips)" in text.splitlines()
    assert "Player2: posts small blind 1\nPlayer3: posts big blind 2\nPlayer2: posts small blind 3\n" in text
    assert "Total pot 9 | Rake 0" in text
    (record,) = read_pokerstars(text)
    back = read_back(posts_as_debts(record))
    assert dict(zip(back.players, back.stacks, strict=True)) == dict(zip(PLAYERS, seventh.stacks, strict=True))
    assert (back.dead_money, back.rest["_deadPaid"]) == (3, {"Player2": 3})
    assert by_name(back) == by_name(seventh)


@pytest.mark.parametrize("paid", [{"nobody": 3}, {"Player1": "x"}, {"Player1": -1}, 7])
def test_dead_money_is_paid_by_a_player_at_the_table(paid: object) -> None:
    with pytest.raises(DocumentError, match=r"^_deadPaid"):
        read(HAND_7 | {"_deadPaid": paid})


@pytest.mark.parametrize("paid", [None, {}, {"Player2": 2}, {"Player2": 4}])
def test_dead_money_without_a_payer_survives_a_round_trip(paid: object) -> None:
    seventh = played(read(HAND_7 | {"_deadPaid": paid}))
    (record,) = read_pokerstars(write_pokerstars(written_out(seventh)))
    back = read_back(posts_as_debts(record))
    assert dict(zip(back.players, back.stacks, strict=True)) == dict(zip(PLAYERS, seventh.stacks, strict=True))
    assert back.dead_money == 3
    assert by_name(back) == by_name(seventh)


@for_each("blinds", [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
@for_each("antes", [[0, 0, 0], [1, 1, 1]])
@for_each("away", [None, 0, 2])
def test_pokerkit_ends_a_hand_with_a_debt_paid_as_we_do(blinds: list[int], antes: list[int], away: int | None) -> None:
    out = [int(player == away) for player in range(3)]
    fields = HAND_7 | {"blindsOrStraddles": blinds, "antes": antes, "_inactive": out, "_intents": [2 * o for o in out]}
    ended = played(read(fields))
    if away is not None and blinds[away] == 2:
        with pytest.raises(PhhError, match="no player posts the big blind, and PHH cannot express"):
            to_standard(written_out(ended))
        return
    standard = to_standard(written_out(ended))
    expected = tuple(by_name(ended)[name] for name in standard.players or ())
    assert pokerkit(standard).stacks == replay(standard).finishing_stacks == expected


def test_the_command_takes_hand_7_through_text_and_phh(tmp_path: Path) -> None:
    seventh = played(read(HAND_7))
    (tmp_path / "7.json").write_text(json.dumps(HAND_7 | {"actions": seventh.actions}), encoding="utf-8")
    for between in ("7.txt", "7.phh", "7.phhs"):
        for source, target in (("7.json", between), (between, "back.json")):
            result = run("convert", str(tmp_path / source), str(tmp_path / target))
            assert result.exit_code == 0, result.stderr
        back = read_document((tmp_path / "back.json").read_bytes())
        assert by_name(back) == by_name(seventh)
        assert back.dead_money == 3
    assert pokerkit(read_phh((tmp_path / "7.phh").read_text(encoding="utf-8"))).paid


def test_a_player_too_short_for_the_blind_gets_no_dead_money() -> None:
    """The button has one chip less than ante and small blind; it would be one chip of the dead money that is live."""
    short = HAND_7 | {
        "startingStacks": [50, 97, 2],
        "antes": [2, 2, 2],
        "blindsOrStraddles": [2, 0, 1],
        "_deadPaid": {},
    }
    ended = played(read(short | {"_inactive": [0, 1, 0], "_intents": [0, 2, 0]}))
    text = write_pokerstars(replace(written_out(ended), ante_trimming_status=True))
    assert "Player1: posts small blind 3" in text.splitlines()
    record = replace(RECORD, starting_stacks=(1, 1, 70), blinds_or_straddles=(2, 2, 80), user={"_deadMoney": 3})
    with pytest.raises(
        LineupError, match=r"^_deadMoney: expected a player whose stack covers the forced bets, to post the dead money$"
    ):
        debts_as_posts(record)


# --- records


RECORD = Record(
    variant="NT",
    antes=(0, 0, 0),
    blinds_or_straddles=(1, 2, 0),
    min_bet=2,
    starting_stacks=(50, 60, 70),
    actions=(),
    players=("a", "b", "c"),
)


def test_a_record_without_debts_or_posts_stays_as_it_is() -> None:
    assert debts_as_posts(RECORD) is RECORD
    assert posts_as_debts(RECORD) is RECORD


@pytest.mark.parametrize("change", [{"players": None}, {"starting_stacks": (50, 60, 2)}])
def test_posts_that_a_stack_could_not_have_paid_before_stay_posts(change: dict[str, Any]) -> None:
    record = replace(RECORD, user={"_deadPosts": (0, 0, 2)}, **change)
    assert posts_as_debts(record) is record
