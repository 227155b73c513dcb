"""Answers without a turn that were meant for an earlier question, and questions that are sent again."""

from pathlib import Path
from typing import Any

import aiohttp
from msgspec.structs import replace

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.room import REPEATED_WITHIN
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import Guest, Parlour
from tests.support.arena.servers import Peer, arena, visit, within

TWO = Settings(seats=2, move_time_ms=10_000)


def table(settings: Settings = TWO, **more: Any) -> Parlour:
    """Heads-up, before the flop; seat 0 is to act."""
    parlour = Parlour(settings, seed=3, **more)
    parlour.seat(settings.seats)
    return parlour


def at_the_big_blind(parlour: Parlour) -> Guest:
    """Seat 0 calls; return seat 1, which may check, and which acts first on the flop."""
    parlour.play("CALL")
    assert parlour.to_act.seat == 1
    parlour.to_act.news()
    return parlour.to_act


def news(guest: Guest) -> list[str]:
    """The errors and questions that came since the last look."""
    found = guest.news()
    return [
        each.code if isinstance(each, wire.Error) else "act"
        for each in found
        if isinstance(each, wire.Error | wire.Act)
    ]


def errors(parlour: Parlour, seat: int) -> int:
    """How many errors the statistics of a team have."""
    parlour.room.team_stats.end_hand()
    waiting = [sums for _, sums in parlour.room.team_stats._waiting]
    return sum(sums[seat].errors for sums in waiting if seat in sums)


# --- late


def test_ruling_A5_a_late_raise_is_not_a_bet_on_the_flop() -> None:
    parlour = table()
    guest = at_the_big_blind(parlour)
    parlour.pass_time(10.0)
    assert (parlour.match.to_act, news(guest)) == (1, ["act"]), "the server checked, and the flop's question is open"
    stack = parlour.stacks[1]
    guest.answer("RAISE_TO", 300, turn=None)
    assert (parlour.match.to_act, parlour.stacks[1], news(guest)) == (1, stack, ["ACTION_TOO_LATE", "act"])
    guest.answer("CHECK", turn=None)
    assert (parlour.match.to_act, news(guest)) == (0, [])


def test_ruling_A5_the_repeated_question_is_the_open_one_with_the_time_that_is_left() -> None:
    parlour = table()
    guest = at_the_big_blind(parlour)
    parlour.pass_time(10.0)
    first = guest.last(wire.Act)
    parlour.pass_time(4.0)
    guest.answer("CHECK", turn=None)
    assert guest.last(wire.Act) == replace(first, you=replace(first.you, time_ms=6000))
    parlour.pass_time(6.0)
    assert parlour.match.to_act == 0, "the clock was not started again"


def test_ruling_A5_late_answer_in_the_turn_of_another_is_too_late_not_out_of_turn() -> None:
    parlour = table()
    parlour.pass_time(10.0)
    guest = parlour.at[0]
    guest.news()
    guest.answer("CALL", turn=None)
    assert (parlour.match.to_act, news(guest)) == (1, ["ACTION_TOO_LATE"]), "it has no open question"
    parlour.play("CHECK", "CHECK")
    guest.news()
    guest.answer("CHECK", turn=None)
    assert news(guest) == [], "only the first answer is refused"


def test_ruling_A5_only_answers_of_the_same_hand_are_late() -> None:
    parlour = table()
    parlour.pass_time(10.0)
    parlour.play("CHECK")
    parlour.play("FOLD")
    assert parlour.to_act.seat == 1
    parlour.play("CALL")
    guest = parlour.at[0]
    guest.news()
    guest.answer("CHECK", turn=None)
    assert "ACTION_TOO_LATE" not in news(guest)


def test_ruling_A5_an_answer_with_its_turn_counts_after_a_question_ran_out() -> None:
    parlour = table()
    guest = at_the_big_blind(parlour)
    parlour.pass_time(10.0)
    guest.answer("RAISE_TO", 300)
    assert parlour.match.to_act == 0
    assert guest.last(wire.BetMessage).to == 300


def test_ruling_A5_late_answer_is_neither_an_error_nor_a_frame() -> None:
    parlour = table(limits=Limits(burst=4, frames_a_second=0.001))
    guest = at_the_big_blind(parlour)
    before = parlour.room._sessions[guest.session].tokens
    parlour.pass_time(10.0)
    guest.answer("RAISE_TO", 300, turn=None)
    assert errors(parlour, 1) == 0
    assert parlour.room._sessions[guest.session].tokens >= before
    guest.answer("CALL")
    assert errors(parlour, 1) == 1, "CALL is not legal"


# --- repeated


def test_ruling_A5_a_repeated_check_is_not_the_flops_check() -> None:
    parlour = table()
    guest = at_the_big_blind(parlour)
    guest.answer("CHECK", turn=None)
    assert (parlour.match.to_act, news(guest)) == (1, ["act"])
    parlour.pass_time(0.01)
    guest.answer("CHECK", turn=None)
    assert (parlour.match.to_act, news(guest)) == (1, ["act"]), "ignored without an error, and asked again"
    assert errors(parlour, 1) == 0
    guest.answer("CHECK", turn=None)
    assert (parlour.match.to_act, news(guest)) == (0, []), "the next answer counts"


def test_ruling_A5_after_half_a_second_the_same_answer_counts() -> None:
    for seconds, to_act in ((REPEATED_WITHIN, 1), (REPEATED_WITHIN + 0.01, 0)):
        parlour = table()
        guest = at_the_big_blind(parlour)
        guest.answer("CHECK", turn=None)
        parlour.pass_time(seconds)
        guest.answer("CHECK", turn=None)
        assert parlour.match.to_act == to_act


def test_ruling_A5_second_answer_to_a_repeated_question_answers_no_other() -> None:
    """Its answer came too late, so the flop's question came twice; it takes 3 s for each copy."""
    parlour = table()
    guest = at_the_big_blind(parlour)
    parlour.pass_time(10.0)
    guest.answer("RAISE_TO", 300, turn=None)
    assert news(guest) == ["act", "ACTION_TOO_LATE", "act"]
    parlour.pass_time(3.0)
    guest.answer("RAISE_TO", 200, turn=None)
    parlour.play("CALL")
    assert (parlour.match.to_act, news(guest)) == (1, ["act"]), "the turn's question is open"
    parlour.pass_time(3.0)
    guest.answer("RAISE_TO", 200, turn=None)
    assert (parlour.match.to_act, news(guest)) == (1, ["act"]), "the second copy's answer bets nothing"
    guest.answer("CHECK", turn=None)
    parlour.play("CHECK")
    parlour.pass_time(3.0)
    guest.answer("CHECK", turn=None)
    assert (parlour.match.to_act, news(guest)) == (1, ["act", "act"]), "nor on the next street"
    guest.answer("CHECK", turn=None)
    assert parlour.match.to_act == 0


def test_ruling_A5_different_answer_or_one_with_its_turn_is_not_a_repetition() -> None:
    for answer in (("RAISE_TO", 300, None), ("CHECK", None, -1)):
        parlour = table()
        guest = at_the_big_blind(parlour)
        guest.answer("CHECK", turn=None)
        word, amount, turn = answer
        guest.answer(word, amount, turn=turn)
        assert parlour.match.to_act == 0


def test_ruling_A5_an_answer_with_its_turn_can_be_repeated_without_it() -> None:
    parlour = table()
    guest = at_the_big_blind(parlour)
    guest.answer("CHECK")
    guest.news()
    guest.answer("CHECK", turn=None)
    assert (parlour.match.to_act, news(guest)) == (1, ["act"])


def test_ruling_A5_repetition_is_ignored_in_another_turn_and_after_the_hand() -> None:
    parlour = table()
    guest = parlour.at[0]
    guest.answer("CALL", turn=None)
    guest.news()
    guest.answer("CALL", turn=None)
    assert (parlour.match.to_act, news(guest)) == (1, [])
    parlour.play("CHECK", "CHECK")
    hand, guest = parlour.match.hand_id, parlour.at[0]
    guest.answer("FOLD", turn=None)
    assert parlour.match.hand_id != hand
    guest.news()
    guest.answer("FOLD", turn=None, hand_id=hand)
    assert news(guest) == []
    assert parlour.history.hands == 2


# --- asked again


def test_ruling_A5_after_ACTION_TOO_LATE_the_open_question_is_sent_again_once() -> None:
    parlour = table()
    guest = at_the_big_blind(parlour)
    for _ in range(3):
        guest.answer("CHECK", turn=1)
    assert news(guest) == ["ACTION_TOO_LATE", "act", "ACTION_TOO_LATE", "ACTION_TOO_LATE"]
    guest.answer("CHECK")
    assert news(guest) == ["act"]
    guest.answer("CHECK", turn=1)
    assert news(guest) == ["ACTION_TOO_LATE", "act"], "once for each question"


def test_a_question_is_sent_again_only_to_the_seat_that_has_it_and_only_on_disk() -> None:
    parlour = table()
    other = parlour.at[1]
    other.news()
    other.answer("CHECK", turn=1, hand_id=parlour.match.hand_id)
    assert news(other) == ["ACTION_TOO_LATE"]
    with parlour.held():
        parlour.play("CALL")
        other.answer("CHECK", turn=1, hand_id=parlour.match.hand_id)
    assert news(other) == ["act", "ACTION_TOO_LATE"], "the question itself was still to come"


def test_two_answers_to_a_question_that_was_sent_twice_start_no_chain() -> None:
    """A bot that answers every `act` answers twice; its second answer has the old turn."""
    parlour = table()
    guest = at_the_big_blind(parlour)
    guest.answer("CHECK", turn=1)
    errors_before = errors(parlour, 1)
    turn = guest.last(wire.Act).turn
    for _ in range(2):
        guest.answer("CHECK", turn=turn)
    assert news(guest) == ["ACTION_TOO_LATE", "act", "act", "ACTION_TOO_LATE"], "the flop's question came only once"
    assert errors(parlour, 1) == errors_before


def test_after_a_takeover_the_snapshot_is_the_question_that_can_be_sent_again() -> None:
    parlour = table()
    guest = parlour.join("A")
    guest.answer("CALL", turn=1)
    assert [type(each).__name__ for each in guest.inbox][-2:] == ["Error", "Act"]
    guest.answer("CALL", turn=None)
    assert parlour.match.to_act == 1


# --- over sockets


def answer(question: dict[str, Any], word: str, **more: Any) -> dict[str, Any]:
    """An answer without a turn."""
    return {"type": "action", "v": 1, "hand_id": question["hand_id"], "action": word, **more}


async def turn_of_seat(watcher: Peer, seat: int) -> None:
    """Wait until a seat's question has been sent."""
    while (await watcher.receive("turn"))["seat"] != seat:
        pass


def test_over_a_socket_a_late_raise_is_not_a_bet_on_the_flop(tmp_path: Path) -> None:
    async def script() -> None:
        async with (
            arena(tmp_path, seats=2, move_time_ms=500) as place,
            visit(place.ws()) as small,
            visit(place.ws()) as big,
            visit(place.watch()) as watcher,
        ):
            for peer, team in ((small, "Alpha"), (big, "Beta")):
                await peer.hello(team)
                await peer.receive("welcome")
            await small.say(answer(await small.receive("act"), "CALL"))
            question = await big.receive("act")
            await turn_of_seat(watcher, 1)
            await turn_of_seat(watcher, 1)  # the time is up, and the flop's question is open
            await big.say(answer(question, "RAISE_TO", amount=300))
            assert await big.error() == "ACTION_TOO_LATE"
            assert not [frame for frame in big.heard if frame.get("ev") == "BET"]

    within(script())


def test_over_a_socket_a_client_that_answers_no_pings_plays_like_any_other(tmp_path: Path) -> None:
    async def script() -> None:
        async with (
            arena(tmp_path, seats=2, move_time_ms=60_000) as place,
            aiohttp.ClientSession() as http,
            http.ws_connect(place.ws(), autoping=False) as ws,
            visit(place.ws()) as other,
        ):
            deaf = Peer(ws)
            await deaf.hello("Deaf")
            await deaf.receive("welcome")
            await other.hello("Beta")
            for _ in range(3):
                await deaf.say(answer(await deaf.receive("act"), "FOLD"))
                await deaf.receive("end_hand")
                await other.say(answer(await other.receive("act"), "FOLD"))
                await deaf.receive("end_hand")
            assert not [frame for frame in deaf.heard if frame["type"] == "error"]

    within(script())
