"""A bot's owner reads one line per event: its seat, the result of each hand, and the final result."""

from collections.abc import Sequence

from pitboss.arena.wire import messages as wire
from pitboss.client.announcer import Announcer
from tests.support.client.scripted import HASH, WELCOME, table_of
from tests.support.for_each import for_each

FIGURES = 40
"""Columns that figures may fill: a hand's come first, so that a narrow window breaks only words."""


def stacks(**by_seat: int) -> tuple[wire.SeatStack, ...]:
    return tuple(wire.SeatStack(seat=int(seat[1:]), stack=stack) for seat, stack in by_seat.items())


def lines_of(*messages: wire.ServerMessage, team: str = "Gamma") -> list[str]:
    """The lines of a team in seat 3."""
    announcer = Announcer(team)
    return [line.text for message in (WELCOME, *messages) for line in announcer.announce(message)][1:]


def hand(*events: wire.ServerMessage, after: int) -> str:
    """The line of a hand that began with 10,000 chips for seat 3."""
    start = wire.StartHand(hand_id="H-1", seed=1, button=0, stacks=stacks(s0=10_000, s3=10_000), commit=HASH, seq=1)
    end = wire.EndHand(hand_id="H-1", stacks=stacks(s0=20_000 - after, s3=after), chain=HASH, seq=9)
    (line,) = lines_of(start, *events, end)
    return " ".join(line.split())


FLOP = wire.Flop(hand_id="H-1", seq=3, cards=("2c", "3c", "4c"), opened=())


def shows(seat: int, rank: str) -> wire.Showdown:
    board = ("2c", "3c", "4c", "5d", "9s")
    return wire.Showdown(hand_id="H-1", seq=5, seat=seat, hand=("As", "Ad"), board=board, rank=rank, opened=())


@for_each(
    "events, after, line",
    [
        ([wire.FoldMessage(hand_id="H-1", seq=2, seat=3)], 9_900, "H-1 -100 9,900 folded"),
        ([FLOP, wire.FoldMessage(hand_id="H-1", seq=4, seat=3)], 9_800, "H-1 -200 9,800 folded, flop"),
        ([wire.FoldMessage(hand_id="H-1", seq=2, seat=0)], 10_050, "H-1 +50 10,050 the others folded"),
        ([FLOP, shows(0, "pair"), shows(3, "two_pair")], 12_000, "H-1 +2,000 12,000 two pair"),
        ([FLOP, shows(3, "pair"), shows(0, "two_pair")], 0, "H-1 -10,000 0 pair"),
        ([FLOP, shows(3, "straight"), shows(0, "straight")], 10_000, "H-1 0 10,000 straight"),
        ([wire.VoidMessage(hand_id="H-1", seq=2, reason="damaged")], 10_000, "H-1 0 10,000 taken back"),
    ],
)
def test_a_hands_result_is_one_line(events: Sequence[wire.ServerMessage], after: int, line: str) -> None:
    assert hand(*events, after=after) == line


def test_seat_is_announced_once_despite_reconnections() -> None:
    announcer = Announcer("Gamma")
    lines = [line.text for message in (WELCOME, WELCOME) for line in announcer.announce(message)]
    assert lines == ["Gamma has seat 3 at T-1: no-limit hold'em, 10,000 chips"]
    (mixed,) = Announcer("Gamma").announce(table_of("horse"))
    assert ": horse, 10,000" in mixed.text


def test_hand_joined_midway_or_missed_has_no_line() -> None:
    assert lines_of(wire.EndHand(hand_id="H-1", stacks=stacks(s0=9_000, s3=11_000), chain=HASH, seq=2)) == []
    start = wire.StartHand(hand_id="H-2", seed=1, button=0, stacks=stacks(s0=9, s1=9), commit=HASH, seq=3)
    assert lines_of(start, wire.EndHand(hand_id="H-2", stacks=stacks(s0=9, s1=9), chain=HASH, seq=4)) == []


def end(*finals: tuple[int, str, int, int | None], winners: Sequence[int] = (0,)) -> wire.MatchEnd:
    stacks_ = tuple(
        wire.FinalStack(seat=seat, team=team, stack=chips, place=place) for seat, team, chips, place in finals
    )
    first = [wire.Winner(seat=finals[at][0], team=finals[at][1]) for at in winners]
    tie = tuple(first) if len(first) > 1 else None
    return wire.MatchEnd(
        winner=None if tie else first[0], winners=tie, final_stacks=stacks_, reason="last_standing", seq=9
    )


@for_each(
    "finals, winners, line",
    [
        ([(3, "Gamma", 20_000, 1), (0, "Alpha", 0, 2)], (0,), "Gamma wins: place 1 of 2, 20,000 chips"),
        ([(0, "Alpha", 12_000, 1), (3, "Gamma", 8_000, 2)], (0,), "Gamma: place 2 of 2, 8,000 chips; Alpha wins"),
        (
            [(0, "Alpha", 9_000, 1), (3, "Gamma", 9_000, 1), (1, "Beta", 0, 3)],
            (0, 1),
            "Gamma ties with Alpha: place 1 of 3, 9,000 chips",
        ),
        (
            [(0, "Alpha", 9_000, 1), (1, "Beta", 9_000, 1), (3, "Gamma", 0, 3)],
            (0, 1),
            "Gamma: place 3 of 3, 0 chips; Alpha and Beta tie",
        ),
        ([(0, "Alpha", 12_000, None), (3, "Gamma", 8_000, None)], (0,), "Gamma: place 2 of 2, 8,000 chips; Alpha wins"),
    ],
)
def test_result_is_announced(finals: list[tuple[int, str, int, int | None]], winners: Sequence[int], line: str) -> None:
    (text,) = lines_of(end(*finals, winners=winners))
    first, *ranks = text.splitlines()
    assert first == line
    assert [rank.split()[2] for rank in ranks] == [team for _, team, _, _ in finals]
    assert sum("(this bot)" in rank for rank in ranks) == 1


def test_numbers_come_first_in_a_narrow_window() -> None:
    start = wire.StartHand(hand_id="H-2026-11-16-00001", seed=1, button=0, stacks=stacks(s3=1), commit=HASH, seq=1)
    (line,) = lines_of(start, wire.EndHand(hand_id="H-2026-11-16-00001", stacks=stacks(s3=10_000), chain=HASH, seq=2))
    assert line.index("10,000") + len("10,000") <= FIGURES + 1


def test_terminal_control_characters_are_never_printed() -> None:
    announcer = Announcer("Gamma")
    evil = wire.Welcome(table_id="\x1b[2J\nT-1", seat=3, config=WELCOME.config)
    (line,) = announcer.announce(evil)
    assert "\x1b" not in line.text
    assert "\n" not in line.text
    (last,) = announcer.announce(end((0, "Al\npha\x1b", 9, 1), (3, "Gamma", 0, 2)))
    assert len(last.text.splitlines()) == 3
    assert "\x1b" not in last.text
