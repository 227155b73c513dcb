"""The end of a match in a record: the winners, their order and names, and that no deck stays hidden."""

from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.arena.hosts.moves import commit_to
from pitboss.arena.journal.commitment import public_number
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire import messages as wire
from tests.support.for_each import for_each

SECRET = bytes(range(32))
COMMIT = commit_to(SECRET)
CONFIG = wire.Config(variant="sting", seats=3, starting_stack=10, sb=0, bb=0, move_time_ms=1000)
TEAMS = ("A", "B", "C")
REVEALED = wire.RevealedHand(hand_id="H-1", secret=SECRET.hex(), deck="")


def record(
    left: tuple[int, ...],
    final: list[tuple[int, str, int]],
    *,
    winner: int | None = None,
    winners: tuple[int, ...] | None = None,
    reason: Any = "max_hands",
) -> list[wire.ServerMessage]:
    """The messages to a spectator of a game other than poker: a hand that left these stacks, and the end."""
    team = {seat: name for seat, name, _ in final}
    players = [wire.LobbyPlayer(seat=seat, team=TEAMS[seat], connected=True, stack=10) for seat in range(len(left))]
    stacks = [wire.SeatStack(seat=seat, stack=10) for seat in range(len(left))]
    after = [wire.SeatStack(seat=seat, stack=chips) for seat, chips in enumerate(left)]
    named = {
        seat: wire.Winner(seat=seat, team=team.get(seat, "?"))
        for seat in (winner, *(winners or ()))
        if seat is not None
    }
    return [
        wire.TableMessage(table_id="T-1", config=CONFIG),
        wire.Lobby(players=tuple(players)),
        wire.StartHand(hand_id="H-1", seed=public_number(COMMIT), button=0, stacks=tuple(stacks), commit=COMMIT, seq=1),
        wire.EndHand(hand_id="H-1", stacks=tuple(after), chain="00" * 32, seq=2),
        wire.Reveal(hands=(REVEALED,)),
        wire.MatchEnd(
            winner=named[winner] if winner is not None else None,
            winners=tuple([named[seat] for seat in winners]) if winners is not None else None,
            final_stacks=tuple([wire.FinalStack(seat=seat, team=name, stack=chips) for seat, name, chips in final]),
            reason=reason,
            seq=3,
        ),
    ]


def problems(messages: list[wire.ServerMessage]) -> list[str]:
    """What is wrong with a record, without the place where all of it is."""
    report = verify_transcript("record", [wire.write(message) for message in messages])
    return [problem.removeprefix("line 6, match_end: ") for problem in report.problems]


LEFT = "the chips differ from those after the previous hand (seat 2: expected 4, got 3)"
NAME = "the teams differ from those in the lobby (seat 2: expected 'C', got 'D')"
PLACE = "expected one place for each of the seats [0, 1, 2], got the seats "
ORDER = "expected the final stacks from the most chips to the fewest, got "
WINNER = "winner: expected seat "
SHARED = "number of winners: expected "
A, B, C = (0, "A", 20), (1, "B", 6), (2, "C", 4)


@for_each(
    "left, final, won, expected",
    [
        ((20, 6, 4), [A, B, C], {"winner": 0}, []),
        ((20, 6, 4), [A, B, C], {"winner": 1}, [WINNER]),
        ((20, 6, 4), [A, B, C], {}, [WINNER, SHARED]),
        ((20, 6, 4), [A, B, C], {"winners": ()}, [WINNER, SHARED]),
        ((20, 6, 4), [A, B, C], {"winners": (0,)}, [WINNER]),
        ((20, 6, 4), [A, B, C], {"winners": (0, 1)}, [WINNER, SHARED]),
        ((20, 6, 4), [A, C, B], {"winner": 0}, [ORDER]),
        ((20, 6, 4), [B, A, C], {"winner": 0}, [ORDER]),
        ((20, 6, 4), [A, B], {"winner": 0}, [PLACE]),
        ((20, 6, 4), [A, B, C, C], {"winner": 0}, [PLACE]),
        ((20, 6, 4), [A, B, (2, "D", 4)], {"winner": 0}, [NAME]),
        ((20, 6, 4), [A, B, (2, "C", 3)], {"winner": 0}, [LEFT]),
        ((15, 15, 0), [(0, "A", 15), (1, "B", 15), (2, "C", 0)], {"winners": (0, 1)}, []),
        ((15, 15, 0), [(0, "A", 15), (1, "B", 15), (2, "C", 0)], {"winner": 0}, [SHARED]),
        ((15, 15, 0), [(0, "A", 15), (1, "B", 15), (2, "C", 0)], {"winner": 1}, [WINNER, SHARED]),
        ((15, 15, 0), [(0, "A", 15), (1, "B", 15), (2, "C", 0)], {"winners": (1, 0)}, [WINNER]),
        ((31, 1, -2), [(0, "A", 31), (1, "B", 1), (2, "C", -2)], {"winner": 0}, []),
        ((-1, 0, -2), [(0, "A", -1), (1, "B", 0), (2, "C", -2)], {"winner": 0}, []),
        ((-1, 0, -2), [(0, "A", -1), (1, "B", 0), (2, "C", -2)], {"winners": (0, 1, 2)}, []),
        ((10, 10, 10), [(0, "A", 10), (1, "B", 10), (2, "C", 10)], {"winners": (0, 1, 2)}, []),
        ((10, 10, 10), [(0, "A", 10), (1, "B", 10), (2, "C", 10)], {"winners": (0, 1)}, [SHARED]),
    ],
)
def test_match_end_names_the_winner(
    left: tuple[int, ...], final: list[tuple[int, str, int]], won: dict[str, Any], expected: list[str]
) -> None:
    found = problems(record(left, final, **won))
    assert len(found) == len(expected)
    assert all(sentence.startswith(start) for sentence, start in zip(found, expected, strict=True)), found


def test_a_wrong_winner_is_named_next_to_the_right_one() -> None:
    tied = [(0, "A", 15), (1, "B", 15), (2, "C", 0)]
    assert problems(record((20, 6, 4), [A, B, C], winner=1)) == [
        "winner: expected seat 0 'A', with the most chips, got seat 1 'B'"
    ]
    assert problems(record((20, 6, 4), [A, B, C])) == [
        "winner: expected seat 0 'A', with the most chips, got none",
        "number of winners: expected 1, got 0",
    ]
    assert problems(record((15, 15, 0), tied, winner=0)) == [
        "number of winners: expected 2, because teams are tied, got 1"
    ]


@for_each(
    "left, places, right",
    [
        ((20, 6, 4), (1, 2, 3), True),
        ((20, 6, 4), (1, 3, 2), False),
        ((20, 6, 4), (2, 3, 4), False),
        ((20, 6, 4), (1, 1, 3), False),
        ((20, 6, 4), (1, None, 3), False),
        ((15, 15, 0), (1, 1, 3), True),
        ((15, 15, 0), (1, 1, 2), False),
        ((15, 15, 0), (1, 2, 3), False),
        ((30, 0, 0), (1, 2, 3), True),  # out in different hands, or with other chips
        ((30, 0, 0), (1, 2, 2), True),
        ((30, 0, 0), (1, 1, 1), False),
    ],
)
def test_the_places_are_those_of_the_chips(left: tuple[int, ...], places: tuple[int | None, ...], right: bool) -> None:
    tied = left[0] == left[1]
    won: dict[str, Any] = {"winners": (0, 1)} if tied else {"winner": 0}
    messages = record(left, [(seat, "ABC"[seat], chips) for seat, chips in enumerate(left)], **won)
    end = messages[-1]
    assert isinstance(end, wire.MatchEnd)
    rows = [replace(row, place=place) for row, place in zip(end.final_stacks, places, strict=True)]
    messages[-1] = replace(end, final_stacks=tuple(rows))
    assert problems(messages) == ([] if right else [f"the places {[*places]} do not follow from the chips {[*left]}"])


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        ((REVEALED,), []),
        ((), ["H-1: the match is over, but the deck was not revealed"]),
        (
            (wire.RevealedHand(hand_id="H-1", secret="11" * 32, deck=""),),
            ["H-1: the revealed secret does not match the commitment"],
        ),
        (
            (wire.RevealedHand(hand_id="H-1", secret=SECRET.hex(), deck="AsKs"),),
            ["H-1: a deck is revealed, but this game has no deck"],
        ),
    ],
)
def test_at_the_end_every_secret_is_revealed_and_is_the_one_it_was(
    hands: tuple[wire.RevealedHand, ...], expected: list[str]
) -> None:
    messages = record((20, 6, 4), [A, B, C], winner=0)
    messages[4] = wire.Reveal(hands=hands)
    assert problems(messages) == expected


def test_before_the_end_a_secret_is_not_there_yet_and_that_is_noted() -> None:
    messages = record((20, 6, 4), [A, B, C], winner=0)[:4]
    report = verify_transcript("record", [wire.write(message) for message in messages])
    assert report.problems == []
    assert report.notes == ["decks not revealed before the end of the match: 1"]
    assert (report.hands, report.decks_checked) == (1, 0)


def test_hand_begins_with_the_previous_result_and_ends_under_its_own_id() -> None:
    messages = record((20, 6, 4), [A, B, C], winner=0)[:4]
    stacks = tuple([wire.SeatStack(seat=seat, stack=chips) for seat, chips in enumerate((20, 6, 5))])
    again = wire.StartHand(hand_id="H-2", seed=7, button=1, stacks=stacks, commit=COMMIT, seq=3)
    other = wire.EndHand(hand_id="H-3", stacks=stacks, chain="00" * 32, seq=4)
    assert problems([*messages, again, other]) == [
        f"line 5, start_hand of H-2: seed: expected {public_number(COMMIT)}, which the commitment gives, got 7",
        "line 5, start_hand of H-2: the chips differ from those after the previous hand (seat 2: expected 4, got 5)",
        "line 6, end_hand of H-3: expected a frame of H-2, got one of H-3",
    ]


@for_each(
    "stacks, reason, expected",
    [
        ((19, 1, 0), "max_hands", []),
        ((19, 1, 0), "last_standing", ["reason: expected max_hands (teams with chips: 2), got last_standing"]),
        ((20, 0, 0), "last_standing", []),
        ((20, 0, 0), "max_hands", ["reason: expected last_standing (teams with chips: 1), got max_hands"]),
        ((20, 0, 0), "too_few", ["reason: expected last_standing (teams with chips: 1), got too_few"]),
    ],
)
def test_poker_end_reason_follows_from_the_chips(stacks: tuple[int, ...], reason: Any, expected: list[str]) -> None:
    final = [(seat, TEAMS[seat], chips) for seat, chips in enumerate(stacks)]
    *_, end = record(stacks, final, winner=0, reason=reason)
    config = wire.Config(variant="HUNL", seats=3, starting_stack=10, sb=1, bb=2, move_time_ms=1000)
    found = problems([wire.TableMessage(table_id="T-1", config=config), end])
    assert [problem.partition(": ")[2] for problem in found if "reason: " in problem] == expected


@pytest.mark.parametrize(("missed", "expected"), [(False, [NAME]), (True, [])])
def test_where_something_was_missed_since_the_lobby_a_team_may_be_another(missed: bool, expected: list[str]) -> None:
    messages = record((20, 6, 4), [A, B, (2, "D", 4)], winner=0)
    for at in (2, 3, 5):
        message: Any = messages[at]
        messages[at] = replace(message, seq=message.seq + missed)
    assert [problem for problem in problems(messages) if problem == NAME] == expected
