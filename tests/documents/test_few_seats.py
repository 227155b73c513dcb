"""Tables with few seats and gaps between them: seats and table size survive every format, and the next hand."""

from pitboss.documents import from_record, next_hand, read_document, to_record, write_document
from pitboss.formats.ohh import read_ohh, write_ohh
from pitboss.formats.phh import read_phh, write_phh
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.records.record import Record
from pitboss.records.replay import replay
from tests.support.for_each import for_each
from tests.support.formats.pokerstars import read_pokerstars

TABLES = [
    (3, (1, 3), 1),
    (3, (1, 3), 3),
    (3, (1, 2, 3), 2),
    (3, (1, 3, 5), 5),  # as Run It Once numbers its tables for three
    (6, (8, 9, 4), 4),  # as a converted hand had them
    (2, (1, 2), 2),
]


def text(size: int, seats: tuple[int, ...], button: int) -> str:
    """A hand at such a table, in which all players fold to the big blind."""
    around = sorted(seats)
    first = around.index(button) + 1
    order = around[first:] + around[:first]
    if len(order) == 2:
        order.reverse()  # heads-up the button has the small blind
    small, big, *others = order
    places = {small: " (button) (small blind)" if small == button else " (small blind)", big: " (big blind)"}
    places.setdefault(button, " (button)")
    return "\n".join(
        [
            "PokerStars Hand #17:  Hold'em No Limit (10/20) - 2020/05/06 23:55:56 ET",
            f"Table 'Alpha' {size}-max Seat #{button} is the button",
            *[f"Seat {seat}: Player{seat} ({1000 + seat} in chips)" for seat in seats],
            f"Player{small}: posts small blind 10",
            f"Player{big}: posts big blind 20",
            "*** HOLE CARDS ***",
            *[f"Player{seat}: folds" for seat in (*others, small)],
            f"Uncalled bet (10) returned to Player{big}",
            f"Player{big} collected 20 from pot",
            f"Player{big}: doesn't show hand",
            "*** SUMMARY ***",
            "Total pot 20 | Rake 0",
            *[
                f"Seat {seat}: Player{seat}{places.get(seat, '')} "
                + ("collected (20)" if seat == big else "folded before Flop")
                + (" (didn't bet)" if seat in others else "")
                for seat in seats
            ],
            "",
        ]
    )


def of_table(record: Record) -> tuple[object, ...]:
    """The seats of a record, by player, so that the same table with another order of players is equal."""
    names, seats = record.players or (), record.seats or ()
    stacks = zip(names, record.starting_stacks, record.finishing_stacks or (), strict=True)
    return record.seat_count, dict(zip(names, seats, strict=True)), sorted(stacks)


@for_each("size, seats, button", TABLES)
def test_seats_and_the_size_of_the_table_survive_every_format(size: int, seats: tuple[int, ...], button: int) -> None:
    (record,) = read_pokerstars(text(size, seats, button))
    assert of_table(record)[:2] == (size, {f"Player{seat}": seat for seat in seats})
    stacks = replay(record).finishing_stacks
    assert stacks == record.finishing_stacks
    document = from_record(record)
    (from_ohh,) = read_ohh(write_ohh(record))
    (from_text,) = read_pokerstars(write_pokerstars(record))
    others = (read_phh(write_phh(record)), from_ohh, from_text, to_record(read_document(write_document(document))))
    for other in others:
        assert of_table(other) == of_table(record)
        assert replay(other).finishing_stacks == stacks


@for_each("size, seats, button", TABLES)
def test_the_next_hand_is_at_the_same_seats(size: int, seats: tuple[int, ...], button: int) -> None:
    (record,) = read_pokerstars(text(size, seats, button))
    document = next_hand(from_record(record))
    assert (document.seat_count, document.seats) == (size, record.seats)
    assert document.button is not None
    around = sorted(seats)
    assert (document.seats or ())[document.button] == around[(around.index(button) + 1) % len(around)]
