"""One match: the same deals for every seat, chips that add up, and faults that are counted and noted."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.competitions.matches import (
    DEAL,
    MOVES,
    REFUSED,
    ROTATION,
    MatchTask,
    PlayedMatch,
    commit_to,
    decks_of,
    key_of,
    play_match,
)
from pitboss.competitions.results import EntrantInfo, Kind, MatchResult
from pitboss.competitions.settings import CompetitionSettings
from pitboss.formats.phh import read_phhs


def settings(**fields: Any) -> CompetitionSettings:
    return CompetitionSettings(**{"hands": 40, "entrants": (), **fields})


def task(*specs: str, kind: Kind = "house", seed: int = 7, **fields: Any) -> MatchTask:
    players = [EntrantInfo(name=f"{at} {Path(spec).stem}", kind=kind, spec=spec) for at, spec in enumerate(specs)]
    return MatchTask(
        id="r01-t001",
        round=1,
        table=1,
        players=tuple(players),
        key=key_of(seed, "r01-t001"),
        settings=settings(seats=len(specs), **fields),
    )


def without_times(result: MatchResult) -> MatchResult:
    """Return a result without the fields that differ between two runs."""
    seats = tuple([replace(seat, time_s=0.0, slowest_s=0.0) for seat in result.seats])
    return replace(result, seats=seats, begun_at="", seconds_s=0.0)


def bots(folder: Path, **bodies: str) -> list[str]:
    """Write bots whose answer is the given Python code, and return their files."""
    for name, body in bodies.items():
        (folder / f"{name}.py").write_text(f"import os\n\ndef decide(act):\n    {body}\n")
    return [str(folder / f"{name}.py") for name in bodies]


def test_every_seat_gets_every_deal_and_chips_are_conserved() -> None:
    played = play_match(task("random", "calling", "random", hands=36))
    result = played.result
    assert (result.hands, len(result.blocks)) == (36, 12)
    assert all((block.hands, sum(block.net)) == (3, 0) for block in result.blocks)
    holes = defaultdict[str, dict[tuple[Any, Any], str]](dict)
    for _, record in read_phhs(played.journal):
        deals = [action.split() for action in record.actions if action.startswith("d dh ")]
        assert record.players is not None
        for (_, _, place, cards), player in zip(deals, record.players, strict=True):
            assert player == record.players[int(place[1:]) - 1]
            holes[player][record.user[DEAL], record.user[ROTATION]] = cards
    for deal in range(12):
        dealt = [{own[deal, rotation] for rotation in range(3)} for own in holes.values()]
        assert len(dealt) == 3
        assert dealt[0] == dealt[1] == dealt[2]


def test_bots_that_play_alike_win_nothing_with_duplicate_deals() -> None:
    result = play_match(task("calling", "calling")).result
    assert all(block.net == (0, 0) for block in result.blocks)


def test_without_duplicate_deals_every_hand_is_a_block() -> None:
    result = play_match(task("calling", "calling", duplicate=False)).result
    assert len(result.blocks) == result.hands == 40
    assert any(block.net != (0, 0) for block in result.blocks)


def test_blocks_have_results_with_less_luck() -> None:
    result = play_match(task("random", "calling", hands=60)).result
    for block in result.blocks:
        assert block.adjusted is not None
        assert block.refined is not None
        assert abs(sum(block.adjusted)) < 0.01
    assert any(block.adjusted != block.net for block in result.blocks)


def test_later_replicas_deal_in_another_order() -> None:
    played = play_match(task("calling", "calling"))
    deals = [int(str(record.user[DEAL])) for _, record in read_phhs(played.journal)]
    assert deals[:20] == [*range(20)]
    assert deals[20:] != [*range(20)]
    assert sorted(deals[20:]) == [*range(20)]


def test_the_same_task_gives_the_same_match() -> None:
    one, other = play_match(task("random", "tight")), play_match(task("random", "tight"))
    assert without_times(one.result) == without_times(other.result)
    assert play_match(task("random", "tight", seed=8)).result.blocks != one.result.blocks


def test_decks_are_bound_by_the_commitment() -> None:
    assert key_of(7, "r01-t001") != key_of(7, "r01-t002") != key_of(8, "r01-t002")
    result = play_match(task("calling", "folding")).result
    assert result.commit == commit_to(result.key)
    assert decks_of(result.key).deck(0, ("a", "b", "c")) == decks_of(result.key).deck(0, ("a", "b", "c"))


@pytest.mark.parametrize("game", ["horse", "razz", "deuce_to_seven_triple_draw", "omaha"])
def test_other_games_are_played(game: str) -> None:
    result = play_match(task("random", "calling", hands=20, game=game)).result
    assert result.hands == 20
    assert sum(seat.net for seat in result.seats) == 0


def test_a_clear_match_stops_early() -> None:
    result = play_match(task("folding", "calling", hands=4000, stack=300, stop_when_decided=True)).result
    assert result.decided
    assert 50 <= result.hands < result.planned == 4000
    assert result.hands == 2 * len(result.blocks)


def test_alike_bots_are_not_decided() -> None:
    result = play_match(task("calling", "calling", hands=200, stop_when_decided=True)).result
    assert (result.decided, result.hands) == (False, 200)


def faulty(folder: Path, hands: int = 8, **bodies: str) -> PlayedMatch:
    """Return a match of these bots, in processes of their own."""
    return play_match(task(*bots(folder, **bodies), kind="path", hands=hands, move_time_ms=300))


@pytest.mark.check
def test_faults_are_counted_by_kind_and_noted_in_the_journal(tmp_path: Path) -> None:
    played = faulty(tmp_path, illegal='return "BANANA"', crashing="raise ValueError('oops')")
    one, other = played.result.seats
    assert (one.illegal, one.timeouts, one.crashes) == (one.answers, 0, 0)
    assert (other.illegal, other.timeouts, other.crashes) == (0, 0, other.answers)
    assert one.answers > 0 < other.answers
    assert other.complaint is not None
    assert "oops" in other.complaint
    assert played.logs[1].count("the first refused answer: ") == 1
    assert other.complaint in played.logs[1]
    refused: list[Any] = []
    moves: list[Any] = []
    for _, record in read_phhs(played.journal):
        refused += record.user[REFUSED]  # type: ignore[arg-type]  # a tuple
        moves += record.user[MOVES]  # type: ignore[arg-type]  # a tuple
    assert len(refused) == len(moves) == one.answers + other.answers


@pytest.mark.check
def test_a_bot_that_hangs_or_ends_loses_by_the_rules_and_the_match_goes_on(tmp_path: Path) -> None:
    played = faulty(tmp_path, hands=16, hanging="while True: pass", ending="os._exit(3)")
    hanging, ending = played.result.seats
    assert played.result.hands == 16
    assert hanging.timeouts == 3
    assert ending.crashes == 3
    assert hanging.out is not None
    assert "no answer in 0.3 s" in hanging.out
    assert ending.out is not None
    assert "status 3" in ending.out
    assert hanging.net + ending.net == 0


@pytest.mark.check
def test_what_a_bot_prints_is_in_its_log(tmp_path: Path) -> None:
    played = faulty(tmp_path, loud='print("hello"); return "FOLD"', quiet='return "FOLD"')
    assert "hello" in played.logs[0]
    assert played.logs[1] == ""


@pytest.mark.check
def test_a_bot_that_cannot_start_loses_its_match(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def decide(act) return 1\n")
    played = play_match(
        task(str(broken), *bots(tmp_path, other='return "CALL" if "CALL" in act.legal else "CHECK"'), kind="path")
    )
    seat = played.result.seats[0]
    assert seat.out is not None
    assert "could not be started" in seat.out
    assert played.result.hands == 40
