"""Finished hands from the journal: sent again as they were sent live, listed, sorted, and not before they are shown."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from pitboss.arena.archive import archive
from pitboss.arena.archive.archive import MOST_POINTS, Archive, HandQuery, NoSuchHand, NotIndexed, ShownSoFar
from pitboss.arena.journal.records import HandStarted, Settings, poker_events, read_record
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.wire import messages as wire
from pitboss.formats.phh import read_phh, read_phhs
from pitboss.hand.events import HoleDealt
from pitboss.records.replay import replay
from tests.support.arena.rooms import Parlour

TABLE = "T-1"


def parlour(seats: int = 3, **settings: Any) -> Parlour:
    """A table with all players connected."""
    opened = Parlour(Settings(seats=seats, start_at=seats, **settings))
    opened.seat(seats)
    return opened


def archive_of(parlour: Parlour, rest: Callable[[float], None] = lambda seconds: None, **more: Any) -> Archive:
    """The archive of its journal."""
    return Archive(parlour.disk.open_reader, rest=rest, **more)


def shown_of(parlour: Parlour, over: bool | None = None) -> ShownSoFar:
    """What spectators who do not lag behind may know."""
    return ShownSoFar(parlour.match.finished, parlour.match.over if over is None else over)


def play(table: Parlour, move: str, *, thrown: int = 2) -> list[str]:
    """Play a hand in which every player does the same and changes `thrown` cards; return those cards."""
    number, discards = table.history.hands, list[str]()
    while table.history.hands == number and table.match.to_act is not None:
        asked = table.to_act.question()
        legal = asked.legal or ()
        if "DRAW" in legal:
            assert isinstance(asked, wire.Act)
            discards += asked.you.hole[:thrown]
            table.to_act.answer("DRAW", discard=list(asked.you.hole[:thrown]))
        else:
            table.play(move if move in legal else "CHECK" if "CHECK" in legal else "CALL")
    return discards


def sent_live(parlour: Parlour, number: int) -> list[wire.ServerMessage]:
    """The public messages of a hand, from its start to its end."""
    log = parlour.log
    starts = [k for k, message in enumerate(log) if isinstance(message, wire.StartHand)]
    ends = [k for k, message in enumerate(log) if isinstance(message, wire.EndHand)]
    return log[starts[number - 1] : ends[number - 1] + 1]


@pytest.mark.parametrize("game", ["no_limit_holdem", "razz", "deuce_to_seven_triple_draw", "horse"])
def test_finished_hand_is_repeated_word_for_word(game: str) -> None:
    table = parlour(game=game)
    for move in ("CALL", "FOLD", "CALL"):
        play(table, move)
    found = archive_of(table)
    for number in (1, 2, 3):
        hand = found.hand(TABLE, shown_of(table), number)
        assert [msgspec.to_builtins(m) for m in hand.messages] == [
            msgspec.to_builtins(m) for m in sent_live(table, number)
        ]
        assert hand.cards is None, "before the match's end nobody's cards are told"


def test_hands_are_listed_with_their_results() -> None:
    table = parlour(stack=1_000)
    table.play_hand("FOLD")
    table.play(("RAISE_TO", 950))
    table.play_hand("CALL")
    listed = archive_of(table).listed(TABLE, ShownSoFar(2, over=False), HandQuery())
    assert [hand.number for hand in listed.hands] == [2, 1]
    assert listed.teams == {0: "A", 1: "B", 2: "C"}
    assert listed.finished == 2
    assert not listed.more
    walk, all_in = listed.hands[1], listed.hands[0]
    assert (walk.pot, walk.showdown, walk.all_in, sum(walk.delta.values())) == (100, False, False, 0)
    assert all_in.showdown
    assert all_in.all_in
    assert sum(all_in.delta.values()) == 0
    assert all_in.winners == tuple(seat for seat, delta in sorted(all_in.delta.items()) if delta > 0)
    for hand in listed.hands:
        (end,) = [message for message in sent_live(table, hand.number) if isinstance(message, wire.EndHand)]
        (start,) = [message for message in sent_live(table, hand.number) if isinstance(message, wire.StartHand)]
        before = {stack.seat: stack.stack for stack in start.stacks}
        assert {stack.seat: stack.stack - before[stack.seat] for stack in end.stacks} == hand.delta


def test_lists_are_sorted_filtered_and_paged() -> None:
    table = parlour(stack=100_000)
    for number in range(12):
        if number % 3 == 0:
            table.play(("RAISE_TO", 300 + 100 * number))
        table.play_hand("CALL" if number % 3 == 0 else "FOLD")
    found, shown = archive_of(table), shown_of(table)

    def numbers(team: str | None = None, **wanted: Any) -> list[int]:
        return [hand.number for hand in found.listed(TABLE, shown, HandQuery(**wanted), team).hands]

    every = {hand.number: hand for hand in found.listed(TABLE, shown, HandQuery()).hands}
    assert numbers() == list(range(12, 0, -1))
    assert numbers(limit=5) == [12, 11, 10, 9, 8]
    assert numbers(limit=5, before=8) == [7, 6, 5, 4, 3]
    assert numbers(showdown=True) == [10, 7, 4, 1]
    assert numbers(all_in=True) == []
    assert numbers(sort="pots") == sorted(every, key=lambda n: (-every[n].pot, -n))
    lost = [n for n in every if every[n].delta[1] < 0]
    assert numbers("B", sort="losses") == sorted(lost, key=lambda n: (every[n].delta[1], -n))
    won = [n for n in every if every[n].delta[1] > 0]
    assert numbers("B", sort="wins") == sorted(won, key=lambda n: (-every[n].delta[1], -n))
    worst = {n: min(every[n].delta.values()) for n in every}
    assert numbers(sort="losses") == sorted(worst, key=lambda n: (worst[n], -n))
    with pytest.raises(NoSuchHand, match="no team with this name"):
        numbers("Z")


def test_hands_without_showdown_stay_hidden() -> None:
    table = parlour()
    for _ in range(3):
        table.play_hand("CALL")
    found, shown = archive_of(table), ShownSoFar(1, over=False)
    assert [hand.number for hand in found.listed(TABLE, shown, HandQuery()).hands] == [1]
    assert found.history(TABLE, shown).hands == (0, 1)
    for number in (0, 2, 3, 4, 10**15):
        with pytest.raises(NoSuchHand, match=f"no finished hand {number}; the last one is 1"):
            found.hand(TABLE, shown, number)
        with pytest.raises(NoSuchHand):
            found.phh(TABLE, shown, number)
    assert len(list(read_phhs(found.phhs(TABLE, shown)))) == 1
    assert [hand.number for hand in found.listed(TABLE, ShownSoFar(3, over=False), HandQuery()).hands] == [3, 2, 1]


def test_a_gallery_that_lags_behind_counts_the_hands_it_was_shown() -> None:
    table = Parlour(Settings(seats=2, start_at=2), limits=Limits(delay=5.0))
    table.seat(2)
    table.play_hand()
    assert (table.match.finished, table.room.spectators.finished) == (1, 0)
    table.pass_time(4.9)
    assert table.room.spectators.finished == 0
    table.pass_time(0.2)
    assert table.room.spectators.finished == 1
    table.restart()
    assert table.room.spectators.finished == 0, "nobody knows what had been shown"
    table.pass_time(5.0)
    assert table.room.spectators.finished == 1


@pytest.mark.parametrize("game", ["no_limit_holdem", "seven_card_stud", "five_card_draw"])
def test_no_answer_contains_a_hidden_card_before_the_end(game: str) -> None:
    table = parlour(game=game)
    play(table, "CALL")
    play(table, "FOLD")
    found, shown = archive_of(table), shown_of(table)
    for number, showdown in ((1, True), (2, False)):
        started = [r for row in table.disk.rows[TABLE] if isinstance(r := read_record(row.body), HandStarted)][
            number - 1
        ]
        hidden = {
            card for event in poker_events(started.events) if isinstance(event, HoleDealt) for card in event.cards
        }
        public = wire.write  # shown cards are not secret
        said = "".join(public(message) for message in sent_live(table, number))
        secret = {card for card in hidden if card not in said}
        assert bool(secret) != (showdown and game != "five_card_draw")
        text = msgspec.json.encode(found.hand(TABLE, shown, number)).decode() + found.phh(TABLE, shown, number)
        for card in secret:
            assert f'"{card}"' not in text
            assert card not in "".join(read_phh(found.phh(TABLE, shown, number)).actions), number
        assert replay(read_phh(found.phh(TABLE, shown, number))).finishing_stacks
        assert started.secret not in text


def test_after_the_match_hole_cards_are_public_but_discards_are_not() -> None:
    for game in ("no_limit_holdem", "five_card_draw"):
        table = parlour(game=game, max_hands=1)
        table.play_hand("FOLD")
        assert table.match.over
        found, shown = archive_of(table), shown_of(table)
        hand = found.hand(TABLE, shown, 1)
        assert hand.cards is not None
        assert {seat: len(cards) for seat, cards in hand.cards.items()} == dict.fromkeys(
            range(3), 2 if game == "no_limit_holdem" else 5
        )
        assert archive_of(table).hand(TABLE, shown_of(table, over=False), 1).cards is None
    drawing = parlour(game="five_card_draw", max_hands=1)
    thrown = play(drawing, "CALL")
    found, shown = archive_of(drawing), shown_of(drawing)
    moves = "".join(read_phh(found.phh(TABLE, shown, 1)).actions)
    assert "sd ????" in moves
    assert not [card for card in thrown if card in moves]


def test_the_history_has_few_points(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_POINTS == 200
    monkeypatch.setattr(archive, "MOST_POINTS", 20)
    table = parlour(seats=2, stack=100_000)
    for _ in range(31):
        table.play_hand("FOLD")
    history = archive_of(table).history(TABLE, shown_of(table))
    assert len(history.hands) == 20
    assert history.hands[0] == 0
    assert history.hands[-1] == 31
    assert history.stacks[0][0] == 100_000
    assert all(sum(point) == 200_000 for point in zip(*history.stacks.values(), strict=True))
    assert [history.stacks[seat][-1] for seat in (0, 1)] == [table.history.seats[seat].stack for seat in (0, 1)]


def test_early_request_for_a_long_table_gets_the_reading_progress() -> None:
    table = parlour(seats=2, stack=100_000)
    for _ in range(15):
        table.play_hand("FOLD")
    found, shown = archive_of(table, patience=-1.0), shown_of(table)
    with pytest.raises(NotIndexed, match="0 of the 15 hands of T-1 are read so far"):
        found.hand(TABLE, shown, 15)
    assert found.listed(TABLE, shown, HandQuery()).read == 0
    assert archive_of(table).listed(TABLE, shown, HandQuery()).read is msgspec.UNSET


def test_a_file_has_a_bounded_number_of_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_FILED", 5)
    table = parlour(seats=2, stack=1_000_000)
    for _ in range(8):
        table.play_hand("FOLD")
    found, shown = archive_of(table), shown_of(table)
    assert len(list(read_phhs(found.phhs(TABLE, shown)))) == 5
    assert [record.hand for _, record in read_phhs(found.phhs(TABLE, shown, 6))] == [6, 7, 8]


def test_reading_rests_as_long_as_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    table = parlour(seats=2, stack=1_000_000)
    monkeypatch.setattr(archive, "ENTRIES_AT_ONCE", 10)
    for _ in range(10):
        table.play_hand("FOLD")
    archive_of(table, rest=rests.append).listed(TABLE, shown_of(table), HandQuery())
    assert len(rests) > 1
    assert min(rests) > 0


def test_a_hand_that_was_taken_back_is_listed_as_void() -> None:
    table = parlour()
    table.play_hand("FOLD")
    table.play("CALL")
    table.disk.alter(table.disk.rows[TABLE][-1].seq, body=b"nonsense")
    table.restart_torn()
    table.seat(3)
    table.play_hand("FOLD")
    found, shown = archive_of(table), shown_of(table)
    listed = found.listed(TABLE, shown, HandQuery()).hands
    assert [(hand.number, hand.voided) for hand in listed] == [(3, False), (2, True), (1, False)]
    events = [
        getattr(message, "ev", message.type if hasattr(message, "type") else "")
        for message in found.hand(TABLE, shown, 2).messages
    ]
    assert any(isinstance(message, wire.VoidMessage) for message in found.hand(TABLE, shown, 2).messages), events
    with pytest.raises(NoSuchHand, match="cannot be written as PHH"):
        found.phh(TABLE, shown, 2)
