"""Games other than poker in words, and moves by their number in `legal`."""

from typing import Any

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.wire import messages as wire
from tests.support.arena.any_game import SPECTATOR, AnyTable

GAMES = [("hearts", 4), ("cheat", 4), ("leduc", 2), ("sting", 3)]


def heard(table: AnyTable, session: int, kind: type[Any]) -> list[Any]:
    """Return the messages of a type that a session was sent."""
    read = [wire.read_server(frame) for frame in table.frames.get(session, [])]
    return [message for message in read if isinstance(message, kind)]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_question_has_words_and_the_first_of_a_connection_the_rules(game: str, seats: int) -> None:
    table = AnyTable(Settings(game=game, seats=seats, max_hands=2), seed=3)
    for _ in range(30):
        if table.last is None:
            table.move()
    for seat in range(seats):
        asks = heard(table, seat, wire.Ask)
        assert all(ask.text for ask in asks)
        assert [ask.rules is not None for ask in asks] == [at == 0 for at in range(len(asks))]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_public_events_are_described_in_words_with_the_numbers_of_seats(game: str, seats: int) -> None:
    table = AnyTable(Settings(game=game, seats=seats, max_hands=1), seed=3)
    while table.last is None:
        table.move()
    text = " ".join([event.text or "" for event in heard(table, SPECTATOR, wire.Happened)])
    assert all(f"eat {seat}" in text for seat in range(seats))
    assert "??" not in text


def test_a_move_can_be_given_by_its_number() -> None:
    table = AnyTable(Settings(game="leduc", seats=2, max_hands=1), seed=3)
    seat, ask = table.open_question
    assert isinstance(ask, wire.Ask)
    table.say(seat, wire.MoveMessage(v=1, hand_id=ask.hand_id, index=0, turn=ask.turn))
    assert table.errors == []
    made = [event.event for event in heard(table, SPECTATOR, wire.Happened) if event.event["type"] == "move_made"]
    assert [event["move"] for event in made] == [ask.legal[0]]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"index": 2}, "index: expected 0 to 1, got 2"),
        ({"index": 0, "amount": 4}, "amount: leduc has no moves with an amount"),
        ({"move": "check", "amount": 4}, "amount: expected it with an `index`; a `move` has its own amount"),
        ({"move": "check", "index": 0}, "expected either a `move` or an `index`, got both"),
        ({"move": "fold"}, "not_on_offer: expected check, bet; got 'fold'"),
        ({}, "expected a move as a JSON string"),
    ],
)
def test_a_wrong_number_is_refused_in_one_sentence_and_the_table_plays_on(fields: Any, sentence: str) -> None:
    table = AnyTable(Settings(game="leduc", seats=2, max_hands=1), seed=3)
    seat, ask = table.open_question
    assert isinstance(ask, wire.Ask)
    table.say(seat, wire.MoveMessage(v=1, hand_id=ask.hand_id, turn=ask.turn, **fields))
    assert [error.code for error in table.errors] == ["INVALID_ACTION"]
    assert sentence in table.errors[0].msg
    while table.last is None:
        table.move()
    assert table.last.reason == "max_hands"
