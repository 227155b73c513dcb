"""The cash table of `make run`: its house bots stay for as long as it is open, and play for about one buy-in each."""

import re
from pathlib import Path

import pytest

from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.house import bot_of_team
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.wire import messages as wire
from pitboss.chance import Chance
from tests.support.arena.rooms import TABLE, Parlour

MAKEFILE = Path(__file__).parents[3] / "Makefile"
BUY_IN = 10_000
TEN_MINUTES = 600.0


def option(name: str) -> str:
    """The value of an option that `make run` passes to the server; empty if it is a flag."""
    found = re.search(rf"^run:.*\n.*--cash.* --{name}(?: ([^-$ ]\S*))?[ \n]", MAKEFILE.read_text(), re.MULTILINE)
    assert found, f"make run does not pass --{name}"
    return found[1] or ""


def settings(seats: int = 6) -> Settings:
    return Settings(
        cash=True, stack=BUY_IN, min_buy_in=2_000, timeout_policy="check_fold", bots_rebuy=True, seats=seats
    )


def table_of_make_run(seed: int) -> Parlour:
    assert option("bots-rebuy") == ""
    table = Parlour(settings(), limits=Limits(burst=1e9), house=option("house").split(","), seed=seed)
    table.watch()
    return table


def play(table: Parlour, seconds: float) -> None:
    """Let the house bots play for a time, each as soon as it may answer."""
    think, until = int(option("house-think-ms")) / 1000, table.now + seconds
    bots = {team: HOUSE[bot_of_team(team)](Chance(k)) for k, team in enumerate(table.match.house_teams)}
    for team in bots:
        table.attach(team)
    while table.now < until:
        guest = table.to_act
        question = guest.question()
        assert isinstance(question, wire.Act)
        answer = bots[guest.team](question)
        table.pass_time(think)
        word, amount = answer if isinstance(answer, tuple) else (answer, None)
        assert amount is None or isinstance(amount, int)
        guest.answer(word, amount)


@pytest.fixture(scope="module")
def played() -> Parlour:
    """Return the table after ten minutes."""
    table = table_of_make_run(seed=1)
    play(table, TEN_MINUTES)
    return table


def test_left_alone_for_ten_minutes_at_least_four_seats_are_in_play(played: Parlour) -> None:
    seen = next(guest for guest in played.guests.values() if guest.team == "spectator")
    hands = seen.got(wire.StartHand)
    assert len(hands) > 100
    assert min(len(hand.stacks) for hand in hands) >= 4
    lobbies = [lobby.players for lobby in seen.got(wire.Lobby) if len(lobby.players) >= 4]
    assert len(lobbies) >= len(hands)
    assert min(sum(player.intent == 0 for player in players) for players in lobbies) >= 4


def test_the_house_bots_play_for_about_one_buy_in_and_leave_with_more_than_two(played: Parlour) -> None:
    stacks = [seat.stack for start in played.log if isinstance(start, wire.StartHand) for seat in start.stacks]
    assert min(stacks) >= BUY_IN / 2
    assert max(stacks) <= 2 * BUY_IN
    left = [message.stack for message in played.log if isinstance(message, wire.LeftMessage)]
    assert left, "no bot has won a second buy-in: take another seed"
    assert min(left) > 2 * BUY_IN
    assert len(played.match.house_teams) == len(option("house").split(","))
    sums = played.room.sums
    assert sums is not None
    assert sums.brought == sums.in_play + sums.taken + sums.rake
    assert verify_table(TABLE, played.disk.read(TABLE)).problems == []


def test_few_hands_have_three_players_all_in_and_the_first_one_does_not(played: Parlour) -> None:
    all_in: list[set[int]] = []
    stacks: dict[int, int] = {}
    for message in played.log:
        match message:
            case wire.StartHand(stacks=begun):
                stacks = {seat.seat: seat.stack for seat in begun}
                all_in.append(set())
            case wire.PostBlinds(sb_seat=small, bb_seat=big):
                stacks[big] -= message.bb_posted
                if small in stacks:  # else it is a dead small blind
                    stacks[small] -= message.sb_posted
            case wire.PostDead() | wire.BetMessage() | wire.CallMessage():
                stacks[message.seat] -= message.amount
                if stacks[message.seat] == 0:
                    all_in[-1].add(message.seat)
            case _:
                pass
    counts = [len(seats) for seats in all_in]
    assert counts[0] < 3
    assert sum(count >= 3 for count in counts) <= len(counts) / 50
    assert sum(count > 0 for count in counts) <= len(counts) / 5


def test_after_a_restart_the_same_house_bots_sit_at_the_same_seats() -> None:
    table = table_of_make_run(seed=1)
    play(table, TEN_MINUTES)
    before = {seat: taken.team for seat, taken in table.history.seats.items()}
    table.restart()
    assert {seat: taken.team for seat, taken in table.history.seats.items()} == before


def test_a_house_bot_stays_with_its_chips_while_all_seats_are_taken() -> None:
    table = Parlour(settings(seats=2), house=("calling", "random"))
    for team in table.match.house_teams:
        table.attach(team)
    for _ in range(300):
        if max(taken.stack for taken in table.history.seats.values()) > 2 * BUY_IN:
            break
        table.play_hand(("RAISE_TO", table.to_act.question().max_raise_to or 0))
    assert max(taken.stack for taken in table.history.seats.values()) > 2 * BUY_IN
    assert not any(isinstance(message, wire.LeftMessage) for message in table.log)
