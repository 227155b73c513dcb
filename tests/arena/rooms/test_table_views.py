"""The table of a game as data: who gets it, when, and what it shows."""

import msgspec
import pytest

from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.journal.records import Settings
from pitboss.arena.wire import messages as wire
from pitboss.game import at_seats
from tests.support.arena.any_game import SPECTATOR, AnyTable

GAMES = [("hearts", 4), ("leduc", 2), ("sting", 3)]


def views(table: AnyTable, session: int) -> list[wire.TableViewMessage]:
    """Return the tables that a session was sent."""
    read = [wire.read_server(frame) for frame in table.frames.get(session, [])]
    return [message for message in read if isinstance(message, wire.TableViewMessage)]


def played(game: str, seats: int, moves: int) -> AnyTable:
    """Return a table at which the first seat asked for tables, after some moves."""
    table = AnyTable(Settings(game=game, seats=seats, max_hands=1), seed=11, tables=(0,))
    for _ in range(moves):
        if table.last is None:
            table.move()
    return table


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_a_player_who_asks_and_each_spectator_get_the_table_after_each_change(game: str, seats: int) -> None:
    table = played(game, seats, 200)
    assert table.last is not None, "the match is over"
    changes = len({view.seq for view in views(table, SPECTATOR)})
    assert changes > 2
    assert [view.seq for view in views(table, 0)] == [view.seq for view in views(table, SPECTATOR)]
    assert views(table, 1) == []


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_moves_are_those_of_the_question(game: str, seats: int) -> None:
    table = played(game, seats, 200)
    frames = [wire.read_server(frame) for frame in table.frames[0]]
    asked = 0
    shown: wire.TableViewMessage | None = None
    for message in frames:
        if isinstance(message, wire.TableViewMessage):
            shown = message
        elif isinstance(message, wire.Ask):
            assert shown is not None
            assert shown.table.turn == 0
            assert shown.table.moves is not None
            assert [move.move for move in shown.table.moves] == [*message.legal]
            assert [move.index for move in shown.table.moves] == [*range(len(message.legal))]
            asked += 1
    assert asked > 0
    assert all(view.table.moves is None for view in views(table, SPECTATOR))


def test_a_spectator_who_comes_later_sees_the_table_as_it_is() -> None:
    table = played("hearts", 4, 10)
    late = 98
    table.watch(late)
    assert views(table, late)[-1:] == views(table, SPECTATOR)[-1:]


def test_the_last_table_names_the_winners() -> None:
    table = played("leduc", 2, 200)
    assert views(table, SPECTATOR)[-1].table.winners is not None


@pytest.mark.parametrize(("game", "seats"), [*GAMES, ("cheat", 4)])
def test_tables_and_questions_are_made_from_views(game: str, seats: int) -> None:
    """Spectators get what the view of a spectator shows, and the seat to act what its own view shows."""
    table = AnyTable(Settings(game=game, seats=seats, max_hands=1), seed=5)
    host, questions = table.room.match.host, 0
    assert isinstance(host, MovesHost)
    while table.last is None and questions < 60:
        watched = host.game.table_view(host.state.view(None), None)
        assert views(table, SPECTATOR)[-1].table == at_seats(watched, host._order)
        _, asked = table.open_question
        assert isinstance(asked, wire.Ask)
        place = host._order.index(asked.seat)
        assert asked.text == host.game.describe(host.state.view(place), place, host._names)
        questions += 1
        table.move()
    assert questions > 2


@pytest.mark.parametrize(("game", "seats"), [*GAMES, ("cheat", 4)])
def test_the_words_of_an_event_are_made_from_what_spectators_see_of_it(game: str, seats: int) -> None:
    table, shown = AnyTable(Settings(game=game, seats=seats, max_hands=1), seed=5), 0
    host = table.room.match.host
    assert isinstance(host, MovesHost)
    narrator = host.game.narrator(None, host._names)
    while table.last is None and shown < 200:
        happened = [message for message in table.public.values() if isinstance(message, wire.Happened)][shown:]
        events = [host.game.read_event(msgspec.json.encode(message.event)) for message in happened]
        assert events == [host.game.view_event(event, None) for event in events]
        sentences = [sentence for _, sentence in narrator.tell(events)]
        assert " ".join([message.text for message in happened if message.text]) == " ".join(sentences)
        shown += len(events)
        table.move()
    assert shown > 5
