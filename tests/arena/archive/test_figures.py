"""How teams have done: the study's own numbers, out of the journal, and nothing that was not shown."""

import pytest

from pitboss.arena.archive.archive import Archive, ShownSoFar
from pitboss.arena.archive.figures import LiveFigures, TableFigures, TimeUsed
from pitboss.arena.journal.records import Settings
from pitboss.formats.phh import read_phhs
from pitboss.study.statistics import statistics
from tests.support.arena.rooms import Parlour

TABLE = "T-1"


def played(hands: int, **settings: object) -> Parlour:
    """A table of three with varied hands: calls to the end, a fold, sometimes an all-in."""
    table = Parlour(Settings(seats=3, start_at=3, **settings))  # type: ignore[arg-type]  # what a test gives
    table.seat(3)
    step = 0
    while table.match.finished < hands and table.match.to_act is not None:
        legal = table.to_act.question().legal or ()
        step += 1
        if "DRAW" in legal:
            table.to_act.answer("DRAW")
        elif "RAISE_TO" in legal and step % 5 == 0:
            table.play(("RAISE_TO", table.to_act.question().min_raise_to or 0))
        elif "FOLD" in legal and step % 7 == 0:
            table.play("FOLD")
        else:
            table.play("CHECK" if "CHECK" in legal else "CALL")
    return table


def figures(table: Parlour, shown: int | None = None, live: LiveFigures | None = None) -> TableFigures:
    """What the archive counts."""
    archive = Archive(table.disk.open_reader, rest=lambda seconds: None)
    so_far = ShownSoFar(table.match.finished if shown is None else shown, False)
    return archive.teams(TABLE, so_far, live or LiveFigures())


def test_the_figures_are_those_of_the_study() -> None:
    table = played(30)
    counted = figures(table)
    archive = Archive(table.disk.open_reader, rest=lambda seconds: None)
    answer = read_phhs(archive.phhs(TABLE, ShownSoFar(table.match.finished, False)))
    assert counted.hands == counted.finished == 30
    assert counted.unit == "bb"
    for row in statistics([record for _, record in answer]):
        (team,) = [each for each in counted.teams if each.team == row.player]
        assert (team.hands, team.won) == (row.hands, row.won)
        rates = team.per_100, team.per_100_low, team.per_100_high
        assert rates == (row.bb_per_100, row.bb_per_100_low, row.bb_per_100_high)
        assert (team.vpip, team.pfr, team.aggression) == (row.vpip, row.pfr, row.aggression)
        assert (team.wtsd, team.wsd) == (row.wtsd, row.wsd)
        assert team.line[-1][0] == row.hands
        assert team.line[-1][1] == pytest.approx(team.won / 100)
        assert team.line[-1][2] == pytest.approx((team.won_at_showdown or 0) / 100)


def test_chips_are_conserved_between_teams_and_kinds_of_winning() -> None:
    counted = figures(played(20))
    assert sum(team.won for team in counted.teams) == 0
    for team in counted.teams:
        assert (team.won_at_showdown or 0) + (team.won_without_showdown or 0) == team.won
        assert [pot.pot for pot in team.pots] == sorted([pot.pot for pot in team.pots], reverse=True)
        assert len(team.pots) <= 5


def test_a_hand_that_was_not_shown_is_not_counted() -> None:
    table = played(10)
    assert figures(table, shown=4).hands == 4
    assert figures(table, shown=4) == figures(table, shown=4)
    assert figures(table, shown=0).teams == ()


def test_turns_that_ran_out_are_counted() -> None:
    table = Parlour(Settings(seats=2, max_hands=1))
    table.seat(2)
    slow = table.to_act.seat
    table.pass_time(16.0)
    while table.match.to_act is not None and not table.match.over:
        table.play("CHECK" if "CHECK" in (table.to_act.question().legal or ()) else "CALL")
    by_seat = {team.seat: team for team in figures(table).teams}
    assert slow is not None
    assert by_seat[slow].timeouts == 1
    assert by_seat[1 - slow].timeouts == 0


def test_knowledge_outside_the_journal_is_kept_separate() -> None:
    live = LiveFigures(3, {1: (TimeUsed(4, 2000, 900), 7)})
    counted = figures(played(5), live=live)
    assert counted.since == 3
    assert (counted.teams[1].time, counted.teams[1].errors) == (TimeUsed(4, 2000, 900), 7)
    assert (counted.teams[0].time, counted.teams[0].errors) == (None, 0)


@pytest.mark.parametrize("game", ["razz", "triple_draw", "omaha"])
def test_every_poker_game_is_counted(game: str) -> None:
    counted = figures(played(6, game=game))
    assert counted.hands == 6
    assert counted.unit == "bb"
    assert sum(team.won for team in counted.teams) == 0
    assert all(team.vpip is not None for team in counted.teams)
