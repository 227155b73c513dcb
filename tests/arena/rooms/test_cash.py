"""Cash tables: sitting down, sitting out, returning, topping up and leaving, in a room without a network."""

import json

import pytest

from pitboss.arena.archive.archive import Archive, HandList, HandQuery, HandSummary, ShownSoFar, SortOrder
from pitboss.arena.archive.figures import LiveFigures
from pitboss.arena.archive.reader import record_of
from pitboss.arena.journal.history import hands_of
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire import messages as wire
from pitboss.chance import Chance
from pitboss.hand.events import Discarded
from pitboss.records.replay import play_record
from tests.support.arena.rooms import TABLE, Guest, Parlour

BIG = 100


def settings(**more: object) -> Settings:
    base: dict[str, object] = {"cash": True, "stack": 10_000, "min_buy_in": 2_000, "timeout_policy": "check_fold"}
    return Settings(**{**base, **more})  # type: ignore[arg-type]  # the values are those of the fields


def parlour(count: int = 3, **more: object) -> Parlour:
    table = Parlour(settings(start_at=count, **more), limits=Limits(burst=1e9, takeovers=10**6))
    table.seat(count)
    return table


def player(guest: Guest) -> wire.LobbyPlayer:
    """A guest's own entry in the last lobby."""
    (own,) = [each for each in guest.last(wire.Lobby).players if each.team == guest.team]
    return own


def sums(table: Parlour) -> tuple[int, int, int, int]:
    chips = table.room.sums
    assert chips is not None
    assert chips.brought == chips.in_play + chips.taken + chips.rake
    return chips.brought, chips.taken, chips.rake, chips.in_play


def say(guest: Guest, kind: str, **more: object) -> None:
    guest.say({"type": kind, "v": 1, **more})


# --- sitting down


def test_a_buy_in_is_the_largest_unless_hello_names_one() -> None:
    table = parlour(2)
    third = table.join("C", buy_in=2_500, seat=5)
    assert third.seat == 5
    assert third.last(wire.Welcome).config.cash
    assert {each.team: each.stack for each in third.last(wire.Lobby).players} == {"A": 10_000, "B": 10_000, "C": 2_500}
    assert sums(table) == (22_500, 0, 0, 22_500)


@pytest.mark.parametrize("buy_in", [0, 1_999, 10_001, 2**53 - 1])
def test_a_buy_in_out_of_range_is_refused(buy_in: int) -> None:
    table = parlour(2)
    third = table.join("C", buy_in=buy_in)
    assert third.error() == "BUY_IN_OUT_OF_RANGE"
    assert sums(table)[0] == 20_000
    third.hello(buy_in=2_000)
    assert third.seat == 2


def test_a_full_table_refuses_a_newcomer() -> None:
    table = parlour(2, seats=2)
    assert table.join("C").error() == "TABLE_FULL"


def test_ruling_T3_team_that_joins_in_mid_hand_plays_the_next_one() -> None:
    table = parlour(2)
    third = table.join("C")
    assert third.seat == 2
    assert len(table.to_act.last(wire.Act).players) == 2
    table.play_hand()
    assert [stack.seat for stack in third.last(wire.StartHand).stacks] == [0, 1, 2]
    assert not third.got(wire.SatIn), "a newcomer does not return"


# --- sitting out and returning


def test_ruling_T3_team_that_sits_out_in_a_hand_folds_and_is_not_dealt_in() -> None:
    table = parlour(3)
    asked = table.to_act
    say(asked, "sit_out")
    assert asked.last(wire.SatOutMessage).until is None
    (fold,) = asked.got(wire.FoldMessage)
    assert (fold.seat, fold.auto) == (asked.seat, True)
    assert player(asked).intent == 2
    table.play_hand()
    assert asked.seat not in [stack.seat for stack in asked.last(wire.StartHand).stacks]


def test_ruling_T6_missed_blinds_are_charged_and_paid_into_the_pot_on_return() -> None:
    table = parlour(4)
    guest = table.at[3]
    say(guest, "sit_out")
    for _ in range(5):
        table.play_hand()
    assert player(guest).owes == 150
    chips = player(guest).stack
    say(guest, "sit_in")
    assert player(guest).intent == 0
    table.play_hand()
    assert guest.last(wire.PostDead).amount == 150
    assert guest.last(wire.SatIn).seat == 3
    assert player(guest).owes == 0
    act = table.to_act.last(wire.Act)
    assert next(each for each in act.players if each.seat == 3).stack <= chips - 150
    assert act.pot >= 150 + 150, "the debt is in the pot"
    sums(table)


def test_ruling_T7_big_blind_returns_a_waiting_player_without_debt() -> None:
    table = parlour(4)
    guest = table.at[3]
    say(guest, "sit_out", until="big_blind")
    assert guest.last(wire.SatOutMessage).until == "big_blind"
    assert player(guest).intent == 1
    for _ in range(6):
        table.play_hand()
        if guest.got(wire.SatIn):
            break
    assert guest.last(wire.PostBlinds).bb_seat == 3
    assert not guest.got(wire.PostDead)
    assert player(guest).intent == player(guest).owes == 0


def test_immediate_return_misses_nothing() -> None:
    table = parlour(3)
    guest = table.at[0]
    say(guest, "sit_out")
    say(guest, "sit_in")
    table.play_hand()
    assert 0 in [stack.seat for stack in guest.last(wire.StartHand).stacks]


def test_repeated_request_changes_nothing() -> None:
    table = parlour(3)
    guest = table.at[0]
    say(guest, "sit_out")
    rows = len(table.disk.rows["T-1"])
    say(guest, "sit_out")
    say(table.at[1], "sit_in")
    assert len(table.disk.rows["T-1"]) == rows
    say(guest, "sit_out", until="big_blind")
    assert player(guest).intent == 1


def test_table_of_one_waits_without_charging_blinds() -> None:
    table = parlour(2)
    say(table.at[0], "sit_out")
    table.play_hand()
    assert not table.match.underway
    table.pass_time(1000)
    assert not table.match.underway
    assert player(table.at[1]).owes == player(table.at[0]).owes == 0
    say(table.at[0], "sit_in")
    assert table.match.to_act is not None


# --- being away


def test_ruling_A9d_seat_away_at_the_end_of_a_hand_sits_out_until_its_hello() -> None:
    table = parlour(3)
    guest = table.at[0]
    guest.leave()
    table.pass_time(16)
    table.play_hand()
    table.play_hand()
    (own,) = [each for each in table.at[1].last(wire.Lobby).players if each.seat == 0]
    assert (own.intent, own.away) == (2, True)
    assert [message.seat for message in table.at[1].got(wire.SatOutMessage)] == [0]
    again = table.join("A")
    assert player(again).intent == 0


def test_action_returns_timed_out_seats_but_not_those_that_sit_out_by_choice() -> None:
    table = parlour(3)
    silent = table.at[0]
    for _ in range(40):
        if silent.got(wire.SatOutMessage):
            break
        if table.to_act is silent:
            table.pass_time(15)
        else:
            table.play_hand("CALL") if table.match.to_act is None else table.to_act.answer("FOLD")
    assert player(silent).intent == 2
    silent.answer("FOLD")
    assert player(silent).intent == 0
    say(silent, "sit_out")
    silent.answer("FOLD")
    assert player(silent).intent == 2


def let_turns_pass(table: Parlour, guest: Guest) -> None:
    """Let a connected guest miss turns until it sits out."""
    said = len(guest.got(wire.SatOutMessage))
    for _ in range(80):
        if len(guest.got(wire.SatOutMessage)) > said:
            return
        if table.to_act is guest:
            table.pass_time(15)
        else:
            table.to_act.answer("FOLD")
    raise AssertionError("the guest is never away")


def play_until_turn_of(table: Parlour, guest: Guest) -> None:
    """Let the others fold until this guest has a turn, and check that it has its whole time."""
    for _ in range(30):
        if table.to_act is guest:
            assert guest.last(wire.Act).you.time_ms == table.settings.move_time_ms
            return
        table.to_act.answer("FOLD")
    raise AssertionError("the guest is never asked")


@pytest.mark.parametrize("wish", [{"type": "sit_in"}, {"type": "sit_out", "until": "big_blind"}])
def test_connected_seat_that_timed_out_returns_on_request(wish: dict[str, str]) -> None:
    table = parlour(3)
    silent = table.at[0]
    let_turns_pass(table, silent)
    assert (player(silent).intent, player(silent).away) == (2, True)
    say(silent, wish["type"], **{name: value for name, value in wish.items() if name != "type"})
    assert not player(silent).away
    for _ in range(3):
        play_until_turn_of(table, silent)
        assert player(silent).intent == 0
        silent.answer("FOLD")
    assert len(silent.got(wire.SatOutMessage)) == (1 if wish["type"] == "sit_in" else 2)
    sums(table)


def test_turns_missed_before_a_return_do_not_count() -> None:
    table = parlour(3)
    silent = table.at[0]
    let_turns_pass(table, silent)
    say(silent, "sit_in")
    for _ in range(2):
        play_until_turn_of(table, silent)
        table.pass_time(15)
        assert not player(silent).away
    play_until_turn_of(table, silent)
    table.pass_time(15)
    assert player(silent).away


@pytest.mark.parametrize("kind", ["sit_in", "top_up"])
def test_a_request_in_a_hand_ends_the_count_of_missed_turns(kind: str) -> None:
    table = parlour(3)
    guest = table.at[0]
    for _ in range(2):
        play_until_turn_of(table, guest)
        table.pass_time(15)
    say(guest, kind, **({"amount": 1} if kind == "top_up" else {}))
    play_until_turn_of(table, guest)
    table.pass_time(15)
    assert not player(guest).away


def test_ruling_A9d_time_that_runs_out_checks_else_folds() -> None:
    table = parlour(3)
    asked = table.to_act
    table.pass_time(15)
    assert asked.last(wire.FoldMessage).seat == asked.seat


# --- topping up and leaving


def test_top_up_counts_at_once_between_hands_and_after_the_hand_otherwise() -> None:
    table = parlour(2, seats=3)
    guest = table.join("C", buy_in=2_000)
    say(guest, "top_up", amount=500)
    assert not guest.got(wire.ToppedUpMessage)
    assert sums(table)[0] == 22_000
    table.play_hand()
    assert guest.last(wire.ToppedUpMessage).amount == 500
    assert sums(table)[0] == 22_500
    for seat in (0, 1):
        say(table.at[seat], "sit_out")
    table.play_hand()
    assert not table.match.underway
    say(guest, "top_up", amount=100)
    assert guest.last(wire.ToppedUpMessage).amount == 100


@pytest.mark.parametrize("amount", [0, 7_601, 2**53 - 1])
def test_a_top_up_out_of_range_is_refused(amount: int) -> None:
    table = parlour(2, seats=3)
    guest = table.join("C", buy_in=2_400)
    guest.news()
    say(guest, "top_up", amount=amount)
    assert guest.error() == "TOP_UP_OUT_OF_RANGE"
    table.play_hand()
    assert sums(table)[0] == 22_400


def test_leave_cashes_out_after_the_hand_and_the_connection_watches() -> None:
    table = parlour(3)
    guest = table.at[2]
    say(guest, "leave")
    table.play_hand()
    left = guest.last(wire.LeftMessage)
    assert left.seat == 2
    assert sums(table) == (30_000, left.stack, 0, 30_000 - left.stack)
    assert len(guest.got(wire.TableMessage)) == 1
    hands = len(guest.got(wire.StartHand))
    table.play_hand()
    assert len(guest.got(wire.StartHand)) == hands + 1, "it still watches"
    guest.news()
    say(guest, "top_up", amount=5)
    assert guest.error() == "NOT_SEATED"
    guest.hello(buy_in=3_000)
    assert guest.seat is not None
    table.play_hand()
    table.play_hand()
    assert guest.last(wire.Act).hand_id == table.match.hand_id or guest.got(wire.FoldMessage)


def test_leaving_is_final_and_returning_requires_the_same_code() -> None:
    table = parlour(3)
    guest = table.at[2]
    say(guest, "leave")
    guest.news()
    say(guest, "sit_in")
    assert guest.error() == "NOT_SEATED"
    table.play_hand()
    assert table.join("C", "another code").error() == "TEAM_TAKEN"
    assert table.join("C").seat is not None


def test_a_seat_without_chips_leaves_and_may_buy_in_again() -> None:
    table = parlour(2)
    hands = 0
    while not any(guest.got(wire.LeftMessage) for guest in table.guests.values()):
        hands += 1
        assert hands < 200
        table.play_hand(("RAISE_TO", 10_000))
        for guest in list(table.at.values()):
            if guest.got(wire.LeftMessage):
                break
    (busted,) = [guest for guest in table.guests.values() if guest.seat is None]
    assert busted.last(wire.LeftMessage).stack == 0
    assert not busted.got(wire.Eliminated)
    assert not table.match.underway
    busted.hello(buy_in=5_000)
    assert table.match.to_act is not None
    assert sums(table)[0] == 25_000


def test_a_house_bot_without_chips_buys_in_again() -> None:
    table = Parlour(settings(start_at=2, bots_rebuy=True), house=("calling", "random"))
    for team in table.match.house_teams:
        table.attach(team)
    for _ in range(300):
        if any(guest.got(wire.ToppedUpMessage) for guest in table.guests.values()):
            break
        table.play_hand(("RAISE_TO", table.to_act.question().max_raise_to or 0))
    assert len(table.history.seats) == 2
    brought, taken, _, _ = sums(table)
    assert (brought > 20_000, taken) == (True, 0)


# --- rake and straddle


def test_the_house_takes_its_rake_and_no_more_than_its_cap() -> None:
    table = parlour(2, rake=50, rake_cap=7)
    table.play_hand("CALL")
    assert table.at[0].last(wire.RakeMessage).amount == 7
    assert sums(table) == (20_000, 0, 7, 19_993)
    end = table.at[0].last(wire.EndHand)
    assert sum(stack.stack for stack in end.stacks) == 19_993


@pytest.mark.parametrize(("count", "straddles"), [(3, 0), (4, 1), (6, 1)])
def test_a_straddle_is_posted_in_hands_of_four_or_more(count: int, straddles: int) -> None:
    table = parlour(count, straddle=200)
    guest = table.at[0]
    assert len(guest.got(wire.StraddleMessage)) == straddles
    assert table.to_act.last(wire.Act).pot == 150 + 200 * straddles


# --- reveals


def test_decks_become_public_a_set_time_after_their_hand() -> None:
    table = Parlour(settings(start_at=2), limits=Limits(burst=1e9, reveal_after=3600))
    table.seat(2)
    table.play_hand()
    table.play_hand()
    for seat in (0, 1):
        say(table.at[seat], "sit_out")
    guest = table.at[0]
    table.pass_time(3599)
    assert not guest.got(wire.Reveal)
    table.pass_time(60)
    revealed = [hand.hand_id[-5:] for reveal in guest.got(wire.Reveal) for hand in reveal.hands]
    assert revealed == ["00001", "00002", "00003"]


def test_decks_become_public_when_the_server_stops() -> None:
    table = parlour(2)
    table.play_hand()
    table.step(lambda room, now: room.reveal_all(now))
    assert len(table.at[0].last(wire.Reveal).hands) == 1
    table.step(lambda room, now: room.reveal_all(now))
    assert len(table.at[0].got(wire.Reveal)) == 1, "each deck is revealed once"
    table.restart()
    assert table.history.revealed == 1


# --- a participant's record


def test_the_record_of_a_participant_proves_the_chips() -> None:
    table = Parlour(settings(rake=50, rake_cap=300, straddle=200), seed=3, limits=Limits(burst=1e9, takeovers=10**9))
    guest = table.seat(4)[0]
    say(table.at[1], "sit_out")
    for _ in range(5):
        table.play_hand("CALL")
    say(table.at[1], "sit_in")
    say(table.at[1], "top_up", amount=1)
    table.play_hand("FOLD")
    table.play_hand("CALL")
    lines = guest.frames
    assert guest.got(wire.PostDead)
    assert verify_transcript("A", lines).problems == []
    changed = 0
    for number, line in enumerate(lines):
        for amount in ("stack", "bb_posted", "amount"):
            frame = json.loads(line)
            where = frame["stacks"][0] if amount == "stack" and "stacks" in frame else frame
            if amount not in where or frame["type"] in ("act", "lobby", "snapshot", "welcome"):
                continue
            where[amount] += 1
            found = verify_transcript("A", [*lines[:number], json.dumps(frame), *lines[number + 1 :]])
            assert found.problems, f"another {amount} in {line}"
            changed += 1
    assert changed > 20


# --- finished hands


def test_a_team_is_listed_with_the_hands_that_it_played_whichever_seat_it_had() -> None:
    table = parlour(3)
    guest = table.at[2]
    say(guest, "leave")
    table.play_hand()
    table.join("D", seat=2)
    guest.hello(seat=4)
    for _ in range(3):
        table.play_hand("CALL")
    archive = Archive(lambda: table.disk, patience=60.0, rest=lambda seconds: None)
    shown = ShownSoFar(table.match.finished, over=False)
    played = {team: set[int]() for team in "ABCD"}
    for hand in hands_of(TABLE, table.disk.read(TABLE).entries):
        for seat in hand.stacks:
            played[hand.teams[seat]].add(hand.started.number)
    assert (played["C"], played["D"]) == ({1, 3, 4}, {3, 4})
    whole = {hand.number: hand for hand in archive.listed(TABLE, shown, HandQuery()).hands}
    signs: dict[SortOrder, int] = {"wins": 1, "losses": -1}
    for team, numbers in played.items():
        listed = archive.listed(TABLE, shown, HandQuery(), team)
        assert {hand.number for hand in listed.hands} == numbers
        won = {hand.number: _won(listed, hand, team) for hand in listed.hands}
        for sort, sign in signs.items():
            found = archive.listed(TABLE, shown, HandQuery(sort=sort), team).hands
            assert {hand.number for hand in found} == {number for number, chips in won.items() if chips * sign > 0}
            sizes = [won[hand.number] * sign for hand in found]
            assert sizes == sorted(sizes, reverse=True)
    assert archive.listed(TABLE, shown, HandQuery()).teams == {0: "A", 1: "B", 2: "D", 4: "C"}
    assert whole[1].teams == {0: "A", 1: "B", 2: "C"}, "the seat has another team now"
    assert whole[4].teams == {}
    archive.close()


def _won(listed: HandList, hand: HandSummary, team: str) -> int:
    """The chips that a team won in a listed hand."""
    (seat,) = [seat for seat, name in (hand.teams or listed.teams).items() if name == team]
    return hand.delta[seat]


# --- any order of comings and goings


def wander(table: Parlour, chance: Chance, steps: int) -> None:
    """Let teams come, go, sit out, return and play at random; the witness holds all of it against a second count."""
    moves = ["play"] * 25 + ["come", "sit_out", "wait", "sit_in", "sit_in", "top_up", "leave", "drop", "crash"]
    for step in range(steps):
        guests = [*table.at.values()]
        guest = chance.choice(guests) if guests else None
        move = chance.choice(moves)
        if move == "come" or guest is None:
            table.join(f"team {step}", buy_in=2_000 + chance.below(8_001), seat=chance.below(6))
        elif move == "play" and table.match.to_act in table.at:
            question = table.to_act.question()
            word = chance.choice(question.legal or ())
            low, high = question.min_raise_to or 0, question.max_raise_to or 0
            table.to_act.answer(word, low + chance.below(high - low + 1) if word == "RAISE_TO" else None)
        elif move == "play":
            table.pass_time(16)
        elif move == "drop":
            guest.leave()
            table.pass_time(16.0 * chance.below(2))
            table.join(guest.team)
        elif move == "crash":
            table.restart()
            for other in guests:
                if chance.below(5):
                    table.join(other.team)
        elif move == "wait":
            say(guest, "sit_out", until="big_blind")
        elif move == "top_up":
            say(guest, "top_up", amount=1 + chance.below(3_000))
        else:
            say(guest, move)
        sums(table)
        ledger = table.witness.cash
        assert ledger is None or (ledger.taken, ledger.rake) == (table.history.taken, table.history.rake)


def holds_afterwards(table: Parlour) -> None:
    """The journal can be verified, each hand replays from its PHH record, and the archive knows every hand."""
    reading = table.disk.read(TABLE)
    assert verify_table(TABLE, reading).problems == []
    hands = [hand for hand in hands_of(TABLE, reading.entries) if not hand.void]
    for hand in hands:
        record = record_of(hand, TABLE, cards=True)
        assert record is not None
        if not any(isinstance(event, Discarded) for event in hand.events):
            assert play_record(record).finishing_stacks() == tuple(hand.stacks[seat] for seat in hand.order)
    archive = Archive(lambda: table.disk, patience=60.0, rest=lambda seconds: None)
    shown = ShownSoFar(table.match.finished, over=False, revealed=1)
    for hand in hands[:5]:
        replay = archive.hand(TABLE, shown, hand.started.number)
        assert (replay.cards is not None) == (hand.started.number == 1)
        assert [message for message in replay.messages if isinstance(message, wire.EndHand)]
    figures = archive.teams(TABLE, shown, LiveFigures())
    won = sum(team.won for team in figures.teams)
    assert won + table.history.rake == 0
    archive.close()


SEEN = {"PostDead", "SatOutMessage", "SatIn", "LeftMessage", "ToppedUpMessage", "RakeMessage", "StraddleMessage"}


@pytest.mark.check
def test_rulings_T5_to_T7_hold_for_random_arrivals_and_departures() -> None:
    seen = set[str]()
    for seed in range(3):
        table = Parlour(
            settings(rake=50, rake_cap=300, straddle=200), seed=seed, limits=Limits(burst=1e9, grace=1, takeovers=10**9)
        )
        table.seat(4)
        wander(table, Chance(seed), 250)
        holds_afterwards(table)
        assert table.witness.cash is not None
        seen |= table.witness.cash.seen.keys()
    assert seen >= SEEN, SEEN - seen


@pytest.mark.check
@pytest.mark.parametrize("seed", range(4))
def test_rulings_T5_to_T7_hold_for_a_long_time(seed: int) -> None:
    table = Parlour(settings(rake=30), seed=seed, limits=Limits(burst=1e9, grace=1, takeovers=10**9))
    table.seat(2)
    wander(table, Chance(1000 + seed), 1500)
    holds_afterwards(table)
    assert table.history.played > 20


@pytest.mark.parametrize("game", ["razz", "horse", "omaha", "deuce_to_seven_triple_draw"])
def test_other_games_are_played_for_cash_too(game: str) -> None:
    table = Parlour(settings(game=game), seed=5, limits=Limits(burst=1e9, grace=1, takeovers=10**9))
    table.seat(3)
    wander(table, Chance(5), 120)
    holds_afterwards(table)
    assert table.history.played
