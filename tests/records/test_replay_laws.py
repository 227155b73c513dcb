"""For any record, replay either ends the hand with all chips or raises `ReplayError`."""

from collections.abc import Callable
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from pitboss.hand.games import STRUCTURES
from pitboss.records.lenient import replay_leniently
from pitboss.records.money import Amount
from pitboss.records.record import Record
from pitboss.records.replay import Replay, ReplayError, find_unit, read_moves, replay

PLAYED = (
    *("d dh p1 AsAd", "d dh p2 KsKd", "d dh p3 ????"),
    *("p3 cbr 6", "p1 cc", "p2 cc"),
    *("d db 2c3c4d", "p1 cc", "p2 cc", "p3 cbr 10", "p1 cc", "p2 f"),
    *("d db 9h", "p1 cc", "p3 cc", "d db 8h", "p1 cc", "p3 cc", "p1 sm AsAd", "p3 sm QsQd"),
)
WORDS = (
    *PLAYED,
    *("p1 f", "p2 f", "p3 f", "p3 cc", "p1 cbr 100", "p2 cbr 99.5", "p3 cbr 20", "p1 sm", "p2 sm ????", "p3 sm -"),
    *("d db ??", "d db ??????", "d dh p1 ????", "d dh p2 2s", "d dh p4 2s2h", "# hm", "p9 f", "p1 pb", "p1 sd", "x"),
)
DEPTHS: tuple[Amount, ...] = (1, 2, 5, 40, 100, Decimal("0.5"), Decimal("Infinity"))
ANTES: tuple[Amount, ...] = (0, 1, 40, Decimal("0.125"))
FORCED: tuple[Amount, ...] = (0, 0, 1, 2, -2, 40, Decimal("0.5"), Decimal("0.125"))


def several(amounts: tuple[Amount, ...], least: int, most: int) -> st.SearchStrategy[tuple[Amount, ...]]:
    return st.lists(st.sampled_from(amounts), min_size=least, max_size=most).map(tuple)


def usually(
    value: tuple[Amount, ...], other: st.SearchStrategy[tuple[Amount, ...]]
) -> st.SearchStrategy[tuple[Amount, ...]]:
    return st.just(value) | other


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, ...]:
    actions = list(PLAYED)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(actions)))
        actions[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from(WORDS), max_size=2))
    return tuple(actions)


@st.composite
def records(draw: st.DrawFn) -> Record:
    depths = draw(usually((100, 100, 100), several(DEPTHS, 1, 4)))
    n = len(depths)
    each = several(FORCED, n, n)
    return Record(
        variant=draw(st.just("NT") | st.sampled_from([*STRUCTURES, "FB"])),
        antes=draw(usually((0,) * n, several(ANTES, n, n))),
        blinds_or_straddles=draw(usually((1, 2, 0, 0)[:n], each)),
        ante_trimming_status=draw(st.booleans() | st.none()),
        min_bet=draw(st.sampled_from([2, 2, 2, None, Decimal("0.25")])),
        small_bet=draw(st.sampled_from([None, 2])),
        big_bet=draw(st.sampled_from([None, 4])),
        starting_stacks=depths,
        actions=draw(mutated() | st.lists(st.sampled_from(WORDS), max_size=12).map(tuple)),
    )


def check_end(record: Record, played: Replay) -> None:
    unit = find_unit(record, read_moves(record))
    assert played.hand.over
    assert sum(played.hand.stacks) == sum(map(unit.chips, record.starting_stacks))
    assert min(played.hand.stacks) >= 0
    assert all(stack >= 0 for stack in played.finishing_stacks)


def test_original_hand_is_played() -> None:
    record = Record(
        variant="NT",
        antes=(0, 0, 0),
        blinds_or_straddles=(1, 2, 0),
        min_bet=2,
        starting_stacks=(100, 100, 100),
        actions=PLAYED,
    )
    assert replay(record).finishing_stacks == (122, 94, 84)


def attempt(play: Callable[[Record], Replay], record: Record) -> Replay | ReplayError:
    try:
        return play(record)
    except ReplayError as error:
        return error


@given(records())
def test_strict_replay_ends_the_hand_or_fails(record: Record) -> None:
    outcome = attempt(replay, record)
    if isinstance(outcome, Replay):
        check_end(record, outcome)
        assert outcome.mended == ()
        assert replay_leniently(record) == outcome
    else:
        assert 0 <= outcome.action <= len(record.actions)
        assert "\n" not in str(outcome)


@given(records())
def test_lenient_replay_ends_the_hand_or_fails(record: Record) -> None:
    outcome = attempt(replay_leniently, record)
    if isinstance(outcome, Replay):
        check_end(record, outcome)
        assert [sentence for sentence in outcome.mended if sentence.strip() != sentence] == []
        assert bool(outcome.mended) == isinstance(attempt(replay, record), ReplayError)
    else:
        assert 0 <= outcome.action <= len(record.actions)
        assert "\n" not in str(outcome)
