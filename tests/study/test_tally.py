"""A line of winnings has few points of similar length, for any number of hands in any pieces."""

from pitboss.study.tally import MOST_POINTS, LinePoint, PlayerTally, join_neighbours
from tests.support.for_each import for_each


@for_each("hands", [1, 255, 513, 4_267, 100_003])
@for_each("piece", [100, 1_000])
def test_a_line_is_even_from_its_first_hand_to_its_last(hands: int, piece: int) -> None:
    total = PlayerTally()
    for start in range(0, hands, piece):
        part: list[LinePoint] = []
        for _ in range(min(piece, hands - start)):
            part.append(LinePoint(1, 0.5, 0.25, 1.0))
            if len(part) > 2 * MOST_POINTS:
                part = join_neighbours(part)
        total.add(PlayerTally(line=part))
    assert sum(point.hands for point in total.line) == hands
    assert sum(point.won for point in total.line) == hands / 2
    assert len(total.line) <= 2 * MOST_POINTS
    assert max(point.hands for point in total.line) <= max(1, 4 * hands / MOST_POINTS)
