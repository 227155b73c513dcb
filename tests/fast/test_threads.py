"""Work in pieces on several threads: results in order, few pieces at a time, and no work after the end."""

import threading
from collections.abc import Iterator

import pytest

from pitboss.fast.threads import available_cores, in_order


def counted(pieces: int, taken: list[int]) -> Iterator[int]:
    """Yield pieces and note when they are taken."""
    for piece in range(pieces):
        taken.append(piece)
        yield piece


@pytest.mark.parametrize("cores", [1, 2, 5])
def test_results_are_in_the_order_of_the_pieces(cores: int) -> None:
    """Even if the first piece finishes last."""
    others = threading.Semaphore(0)

    def work(piece: int) -> int:
        if piece == 0 and cores > 1:
            assert others.acquire(timeout=60)
        others.release()
        return -piece

    assert list(in_order(work, range(20), cores)) == [-piece for piece in range(20)]


@pytest.mark.parametrize("cores", [1, 3])
def test_pieces_are_taken_only_when_needed(cores: int) -> None:
    taken: list[int] = []
    results = in_order(lambda piece: piece, counted(1000, taken), cores)
    for expected in range(50):
        assert next(results) == expected
        assert len(taken) <= expected + 1 + 2 * cores
    results.close()  # type: ignore[attr-defined]  # a generator, as its users may rely on


@pytest.mark.parametrize("cores", [1, 3])
def test_no_work_continues_after_the_last_requested_result(cores: int) -> None:
    taken: list[int] = []
    done: list[int] = []
    before = threading.active_count()
    results = in_order(done.append, counted(1000, taken), cores)
    next(results)
    results.close()  # type: ignore[attr-defined]  # as above
    assert threading.active_count() == before
    assert len(done) <= len(taken) <= 1 + 2 * cores


@pytest.mark.parametrize("cores", [1, 3])
def test_an_error_is_raised_in_order_and_ends_the_work(cores: int) -> None:
    taken: list[int] = []

    def work(piece: int) -> int:
        if piece in (4, 5):
            raise ValueError(f"piece {piece}")
        return piece

    results = in_order(work, counted(1000, taken), cores)
    assert [next(results) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="piece 4"):
        next(results)
    assert list(results) == []
    assert len(taken) <= 5 + 2 * cores


def test_no_pieces_give_no_results() -> None:
    assert list(in_order(abs, [], 1)) == list(in_order(abs, [], 2)) == []


def test_there_is_at_least_one_core() -> None:
    assert available_cores() >= 1
