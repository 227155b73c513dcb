"""A table with a dead button (N9): its messages and records, its state after a restart, and verify."""

import pytest
from msgspec.structs import replace

from pitboss.arena.hosts.games import make_host
from pitboss.arena.journal.records import Settings, SettingsError
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire import messages as wire
from tests.support.arena.rooms import TABLE, Parlour, deal_where, ranked

FOUR = Settings(seats=4, start_at=4, button="dead", max_hands=6)
BIG_BLIND_LOSES = deal_where(4, ranked(3, 1, 0, 2))
"""Places are from the button's left: the button wins against the big blind, who acts second to last."""


def table(settings: Settings = FOUR) -> Parlour:
    """Four seats; in the first hand the button, seat 0, takes all chips of seat 2, the big blind."""
    parlour = Parlour(settings, seed=3, secrets=[BIG_BLIND_LOSES])
    parlour.seat(4)
    parlour.play("FOLD", ("RAISE_TO", 10_000), "FOLD", "CALL")
    assert parlour.stacks[2] == 0
    return parlour


def test_config_names_the_dead_button_and_omits_the_moving_one() -> None:
    assert table().at[0].last(wire.Welcome).config.button == "dead"
    other = Parlour(Settings(seats=2))
    other.seat(2)
    assert other.at[0].last(wire.Welcome).config.button is None
    assert not any("bb_seat" in frame for frame in other.at[0].frames if '"start_hand"' in frame)


def test_small_blind_is_dead_after_the_big_blind_is_eliminated() -> None:
    parlour = table()
    guest = parlour.at[0]
    start, posted = guest.last(wire.StartHand), guest.last(wire.PostBlinds)
    assert (start.button, start.sb_seat, start.bb_seat) == (1, 2, 3)
    assert (posted.sb_seat, posted.sb_posted, posted.bb_seat, posted.bb_posted) == (2, 0, 3, 100)
    assert parlour.match.to_act == 0, "left of the big blind"


@pytest.mark.parametrize("restarts", [False, True])
def test_big_blind_moves_the_same_after_a_restart(restarts: bool) -> None:
    parlour, bigs = table(), []
    while not parlour.match.over:
        if restarts:
            parlour.restart()
            for team in "ABCD":
                parlour.join(team)
        hand = parlour.history.hand
        assert hand is not None
        assert hand.started.blinds is not None
        bigs.append(hand.started.blinds)
        parlour.play_hand()
    assert bigs == [(2, 3), (3, 0), (0, 1), (1, 3), (3, 0)]


def test_dead_button_match_verifies_from_journal_and_transcript() -> None:
    parlour = table()
    guest = parlour.at[1]
    while not parlour.match.over:
        parlour.play_hand()
    assert not verify_table(TABLE, parlour.disk.read(TABLE)).problems
    report = verify_transcript("record", guest.frames)
    assert (report.problems, report.hands) == ([], 6)


def test_a_record_with_a_gap_is_taken_up_at_the_next_hand_dead_small_blind_or_not() -> None:
    parlour = table()
    watchers = [parlour.watch()]  # in the hand with the dead small blind, shown to it from its start
    while not parlour.match.over:
        parlour.play_hand()
        watchers.append(parlour.watch())
    for number, watcher in enumerate(watchers[:-1]):
        report = verify_transcript("record", watcher.frames)
        assert (report.problems, report.hands) == ([], 5 - number)


def test_a_record_in_which_the_big_blind_is_elsewhere_does_not_verify() -> None:
    parlour = table()
    frames = [frame.replace('"bb_seat":3', '"bb_seat":0') for frame in parlour.at[1].frames]
    assert verify_transcript("record", frames).problems


def test_a_hand_that_is_taken_back_leaves_the_blinds_where_they_were() -> None:
    parlour = table()
    parlour.play("CALL")
    parlour.disk.alter(parlour.disk.rows[TABLE][-1].seq, body=b"{}")
    parlour.restart_torn()
    for team in "AB":
        parlour.join(team)
    hand = parlour.history.hand
    assert hand is not None
    assert (hand.started.number, hand.started.blinds) == (3, (2, 3))


def test_mixed_games_move_blinds_through_hands_without_them() -> None:
    parlour = Parlour(replace(FOUR, game="horse", max_hands=None), seed=3)
    parlour.seat(4)
    bigs = []
    for _ in range(14):
        hand = parlour.history.hand
        assert hand is not None
        assert hand.started.blinds is not None
        bigs.append(hand.started.blinds[1])
        number = parlour.history.hands
        while parlour.history.hands == number:
            legal = parlour.to_act.question().legal or ()
            parlour.play("CHECK" if "CHECK" in legal else "FOLD" if "FOLD" in legal else "CALL")
    assert bigs == [2, 3, 0, 1] * 3 + [2, 3]


def test_a_game_of_the_lab_has_no_button_to_be_dead() -> None:
    with pytest.raises(SettingsError, match="button: leduc does not have this setting"):
        make_host(Settings(game="leduc", seats=2, button="dead"))


def test_a_button_is_moving_or_dead() -> None:
    with pytest.raises(SettingsError, match="button: expected moving or dead, got 'still'"):
        Settings(button="still")  # type: ignore[arg-type]  # as it may be given
