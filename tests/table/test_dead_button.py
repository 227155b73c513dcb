"""The dead button (N9): in a match the big blind moves from seat to seat; small blind and button follow it."""

import pytest

from pitboss.chance import Chance
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.table import Table, TableError, TableStakes
from tests.support.for_each import for_each

STAKES = TableStakes(small_blind=1, big_blind=2)


def match_of(players: int) -> Table:
    """A match with this many seats taken, before its first hand."""
    table = Table.open(STAKES, moving="dead_button", seat_count=players)
    for seat in range(players):
        table = table.sit(str(seat), 100)
    return table


def played(table: Table, out: set[int]) -> Table:
    """The next hand, after which some of its seats have nothing left; another has their chips."""
    table = table.next()
    assert table.button is not None
    assert table.big is not None
    assert table.small_at is not None
    stacks = {seat: table.chair(seat).chips for seat in table.order}
    heir = next(seat for seat in table.order if seat not in out)
    stacks[heir] += sum(stacks[seat] for seat in out)
    after = stacks | dict.fromkeys(out, 0)
    return table.after(after, hand=table.hand, button=table.button, blinds=(table.small_at, table.big))


def blinds(table: Table) -> tuple[int | None, int | None, int | None]:
    """The last place, the place of the small blind (None: no one has it), and that of the big one."""
    return table.order[-1], table.small, table.big


def test_button_moves_normally_while_all_players_remain() -> None:
    dead, moving = match_of(4), Table.open(STAKES, moving="button", seat_count=4)
    for seat in range(4):
        moving = moving.sit(str(seat), 100)
    for _ in range(9):
        dead, moving = dead.next(), moving.next()
        assert blinds(dead) == blinds(moving)
        dead = played_as_it_is(dead)
        moving = played_as_it_is(moving)


def played_as_it_is(table: Table) -> Table:
    """A hand that was set up, in which no player wins or loses a chip."""
    assert table.button is not None
    assert table.big is not None
    assert table.small_at is not None
    stacks = {seat: table.chair(seat).chips for seat in table.order}
    return table.after(stacks, hand=table.hand, button=table.button, blinds=(table.small_at, table.big))


def test_eliminated_big_blind_leaves_a_dead_small_blind() -> None:
    table = played(match_of(4), out={2})  # button 0, blinds 1 and 2
    table = table.next()
    assert (table.small, table.small_at, table.big) == (None, 2, 3)
    assert table.order == (3, 0, 1), "the last before the small blind's place has the button"
    hand = table.deal(NO_LIMIT_HOLDEM.deck).hand
    assert hand.stacks == (98, 100, 200), "nobody posts a small blind"
    assert hand.round.turn == 1, "seat 0 speaks first, left of the big blind"


def test_eliminated_small_blind_leaves_a_dead_button() -> None:
    table = played(match_of(4), out={1}).next()
    assert (table.small, table.big) == (2, 3)
    assert table.order == (2, 3, 0), "the button's place is empty, and whoever sits before it speaks last, once more"


def test_each_player_has_the_big_blind_once_per_orbit() -> None:
    """By the moving button seat 3 would miss it here."""
    table = played(match_of(5), out={1})
    bigs = []
    for _ in range(8):
        table = table.next()
        bigs.append(table.big)
        table = played_as_it_is(table)
    assert bigs == [3, 4, 0, 2, 3, 4, 0, 2]


@pytest.mark.parametrize(("out", "small", "big"), [({0}, 2, 1), ({1}, 2, 0), ({2}, 1, 0)])
def test_button_has_the_small_blind_when_three_become_two(out: set[int], small: int, big: int) -> None:
    table = played(match_of(3), out=out).next()  # button 0, blinds 1 and 2
    assert (table.small, table.big) == (small, big)
    assert table.order == (big, small)
    hand = table.deal(NO_LIMIT_HOLDEM.deck).hand
    assert hand.round.turn == 1
    again = played_as_it_is(table).next()
    assert (again.small, again.big) == (big, small)


def test_recorded_hand_states_its_blinds() -> None:
    table = match_of(3)
    with pytest.raises(TableError, match="blinds: required with a dead button"):
        table.after(dict.fromkeys(range(3), 100), hand=1, button=0)


@for_each("seed", range(40))
def test_big_blind_moves_on_whichever_player_is_eliminated(seed: int) -> None:
    """From hand to hand it is the next seat with chips; the small blind is where the big one was, or no one's."""
    chance = Chance(seed)
    table, last = match_of(2 + chance.below(8)), None
    while len([chair for chair in table.chairs if chair.chips]) > 1:
        table = table.next()
        seats = sorted(table.order)
        if last is not None:
            assert table.big == next((seat for seat in seats if seat > last), seats[0])
            assert table.small == (
                (seats[0] if seats[1] == table.big else seats[1])
                if len(seats) == 2
                else (last if last in seats else None)
            )
        assert len(set(table.order)) == len(seats)
        last = table.big
        dealt = table.deal(NO_LIMIT_HOLDEM.deck)
        assert sum(dealt.hand.stacks) + dealt.hand.round.chips_in_middle == dealt.table.came_in
        loser = chance.choice(seats)
        winner = chance.choice([seat for seat in seats if seat != loser])
        stacks = {seat: table.chair(seat).chips for seat in seats}
        if chance.below(2):
            stacks[winner] += stacks[loser]
            stacks[loser] = 0
        assert table.button is not None
        assert table.small_at is not None
        assert table.big is not None
        table = table.after(stacks, hand=table.hand, button=table.button, blinds=(table.small_at, table.big))
