"""Every position of a small game, each with one of its fields another: refused, or one that play does come to.

Which positions can be reached is known here by playing all there is to play from the same chips. Fields of which no sum
tells all (how much was bet when, by whom, and who had spoken) may come out as a position that plays on with its chips.
"""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from pitboss.betting.actions import Bet, Raise
from pitboss.hand.actions import Action
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.position import PositionError, read_position, write_position
from pitboss.hand.structure import Stakes, blinds

GAMES = [("NT", (5, 4, 3)), ("PO", (5, 4)), ("FT", (5, 4))]
EXACT = {"street", "turn", "dead", "board"}
"""The fields of which everything that is wrong is refused."""
MOST = 7  # no number that is tried is greater


@cache
def reached(code: str, stacks: tuple[int, ...]) -> dict[str, Hand]:
    """All that play can come to from these stacks at blinds of 1 and 2, each as its line, with one deck."""
    structure = STRUCTURES[code]
    stakes = Stakes(min_bet=2, posts=blinds(len(stacks), 1, 2))
    todo, seen = [Hand.start(structure, stacks=stacks, stakes=stakes, deck=structure.deck)[0]], {}
    while todo:
        hand = todo.pop()
        line = write_position(hand, deck=False)
        if line not in seen:
            seen[line] = hand
            todo += [] if hand.over else [hand.act(action)[0] for action in every_action(hand)]
    return seen


def every_action(hand: Hand) -> Iterator[Action]:
    """All that may be done now, with every size of a bet."""
    legal = hand.legal()
    sized = [action for action in legal if isinstance(action, Bet | Raise)]
    sizes = [action.to for action in sized if action.to is not None]
    yield from [action for action in legal if not isinstance(action, Bet | Raise)]
    if sizes:
        for to in range(sizes[0], sizes[-1] + 1):
            yield type(sized[0])(to)


def changes(code: str, line: str) -> Iterator[tuple[str, str]]:
    """The line with one field another, and which field that is."""
    game, moment, *players = line.split(" | ")
    street, phase, turn, *words = moment.split()
    board = next((word for word in words if word.startswith("board=")), "")

    def again(*moment_words: str, these: list[str] = players) -> str:
        return " | ".join([game, " ".join(filter(None, moment_words)), *these])

    for other in STRUCTURES[code].streets:
        yield "street", again(other.name, phase, turn, *words)
    for number in range(1, len(players) + 1):
        yield "turn", again(street, phase, f"p{number}", *words)
    for other_board in ("", "board=2c2d2h", f"{board}Ah", f"{board}Ks", board[:-2], board.replace("3h", "2c")):
        yield "board", again(street, phase, turn, other_board, *[word for word in words if word != board])
    for field in ("dead", "level", "step", "raises"):
        others = [word for word in words if not word.startswith(f"{field}=")]
        for number in range(MOST):
            yield field, again(street, phase, turn, *others, f"{field}={number}")
    for at, player in enumerate(players):
        for field, other_player in player_changes(player):
            yield field, again(street, phase, turn, *words, these=[*players[:at], other_player, *players[at + 1 :]])


def player_changes(player: str) -> Iterator[tuple[str, str]]:
    """A player's part with other chips, or with or without one of its flags."""
    name, chips, cards, *flags = player.split()
    amounts = [int(amount or 0) for amount in read_chips(chips)]
    for at, field in enumerate(("stack", "bet", "paid")):
        for number in range(MOST):
            changed = [*amounts[:at], number, *amounts[at + 1 :]]
            yield field, " ".join([name, "{}+{}/{}".format(*changed), cards, *flags])
    for flag in ("folded", "acted"):
        other = [word for word in flags if word != flag] if flag in flags else [*flags, flag]
        yield flag, " ".join([name, chips, cards, *other])


def read_chips(text: str) -> tuple[str | None, ...]:
    found = re.fullmatch(r"(\d+)(?:\+(\d+))?(?:/(\d+))?", text)
    assert found
    return found.groups()


@pytest.mark.parametrize(("code", "stacks"), GAMES)
def test_a_position_with_one_field_another_is_refused_or_can_be_reached(code: str, stacks: tuple[int, ...]) -> None:
    refused = unreached = accepted = 0
    lines = [line for line, hand in reached(code, stacks).items() if hand.phase == "bet"]
    for line in lines[:: max(1, len(lines) // 12)]:
        for field, changed in changes(code, line):
            try:
                hand = read_position(changed)
            except PositionError as error:
                refused += "\n" not in str(error)
                continue
            again = write_position(hand)
            assert read_position(again) == hand
            brought = [sum(amounts) for amounts in zip(hand.stacks, hand.round.bets, hand.round.paid, strict=True)]
            accepted += 1
            if again not in reached(code, tuple(brought)):
                assert field not in EXACT, (line, changed)
                unreached += 1
                chips = sum(brought)
                while hand.phase == "bet":
                    hand, _ = hand.act(hand.legal()[-1])
                    assert sum(hand.stacks) + hand.pot + hand.house == chips
                    assert min(hand.stacks) >= 0
    assert refused > 3 * unreached
    assert accepted > unreached
