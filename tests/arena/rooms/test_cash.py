"""Cash tables: sitting down, sitting out, returning, topping up and leaving, in a room without a network."""

import pytest

from pitboss.arena.archive.archive import Archive, ShownSoFar
from pitboss.arena.archive.figures import LiveFigures
from pitboss.arena.archive.reader import record_of
from pitboss.arena.journal.history import hands_of
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.wire import messages as wire
from pitboss.chance import Chance
from pitboss.hand.events import Discarded
from pitboss.records.replay import play_out
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


def test_ruling_T3_who_comes_in_the_middle_of_a_hand_plays_the_next_one() -> None:
    table = parlour(2)
    third = table.join("C")
    assert third.seat == 2
    assert len(table.asked.last(wire.Act).players) == 2
    table.play_hand()
    assert [stack.seat for stack in third.last(wire.StartHand).stacks] == [0, 1, 2]
    assert not third.got(wire.SatIn), "a newcomer does not return"


# --- sitting out and returning


def test_ruling_T3_who_sits_out_in_a_hand_folds_when_asked_and_is_not_dealt_in() -> None:
    table = parlour(3)
    asked = table.asked
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
    act = table.asked.last(wire.Act)
    assert next(each for each in act.players if each.seat == 3).stack <= chips - 150
    assert act.pot >= 150 + 150, "the debt is in the pot"
    sums(table)


def test_ruling_T7_the_big_blind_brings_back_who_waits_for_it_without_a_debt() -> None:
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


def test_a_player_who_returns_at_once_misses_nothing() -> None:
    table = parlour(3)
    guest = table.at[0]
    say(guest, "sit_out")
    say(guest, "sit_in")
    table.play_hand()
    assert 0 in [stack.seat for stack in guest.last(wire.StartHand).stacks]


def test_a_repeated_wish_changes_nothing() -> None:
    table = parlour(3)
    guest = table.at[0]
    say(guest, "sit_out")
    rows = len(table.disk.rows["T-1"])
    say(guest, "sit_out")
    say(table.at[1], "sit_in")
    assert len(table.disk.rows["T-1"]) == rows
    say(guest, "sit_out", until="big_blind")
    assert player(guest).intent == 1


def test_a_table_of_one_waits_and_charges_nobody() -> None:
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


def test_ruling_A9d_who_is_away_when_a_hand_ends_sits_out_until_the_next_hello() -> None:
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


def test_an_action_brings_back_who_let_turns_pass_but_not_who_asked_to_sit_out() -> None:
    table = parlour(3)
    silent = table.at[0]
    for _ in range(40):
        if silent.got(wire.SatOutMessage):
            break
        if table.asked is silent:
            table.pass_time(15)
        else:
            table.play_hand("CALL") if table.match.to_act is None else table.asked.answer("FOLD")
    assert player(silent).intent == 2
    silent.answer("FOLD")
    assert player(silent).intent == 0
    say(silent, "sit_out")
    silent.answer("FOLD")
    assert player(silent).intent == 2


def test_ruling_A9d_time_that_runs_out_checks_else_folds() -> None:
    table = parlour(3)
    asked = table.asked
    table.pass_time(15)
    assert asked.last(wire.FoldMessage).seat == asked.seat


# --- topping up and leaving


def test_chips_brought_between_hands_come_at_once_and_in_a_hand_after_it() -> None:
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


def test_who_leaves_may_not_change_the_mind_and_comes_back_only_with_the_same_code() -> None:
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
        table.play_hand(("RAISE_TO", table.asked.question().max_raise_to or 0))
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
    assert table.asked.last(wire.Act).pot == 150 + 200 * straddles


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
            question = table.asked.question()
            word = chance.choice(question.legal or ())
            low, high = question.min_raise_to or 0, question.max_raise_to or 0
            table.asked.answer(word, low + chance.below(high - low + 1) if word == "RAISE_TO" else None)
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
            assert play_out(record).finishing_stacks() == tuple(hand.stacks[seat] for seat in hand.order)
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
def test_rulings_T5_to_T7_hold_however_players_come_and_go() -> None:
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
