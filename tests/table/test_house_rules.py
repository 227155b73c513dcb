"""Rules of real tables beyond the plain game: straddles from any seat, kills, bomb pots, boards run twice, mucking."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from pitboss.betting.events import AllIn, Call, Check, Fold, Posted
from pitboss.cards import read_cards
from pitboss.chance import Chance
from pitboss.hand.events import Discard, Muck, Mucked, RunBegun, Show, Shown, Won
from pitboss.hand.games import (
    LIMIT_HOLDEM,
    NO_LIMIT_HOLDEM,
    RAZZ,
    SEVEN_CARD_STUD,
    SIX_CARD_OMAHA,
    STRUCTURES,
)
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure
from pitboss.table import HORSE, StakesError, Table, TableStakes
from pitboss.table.rotation import TableError
from pitboss.table.stakes import Kill
from pitboss.table.table import Moving
from tests.support.for_each import for_each

ONE_TWO = TableStakes(small_blind=1, big_blind=2)
MOVING: tuple[Moving, ...] = ("big_blind", "button")


def seated(
    n: int, stakes: TableStakes = ONE_TWO, structure: Structure = NO_LIMIT_HOLDEM, moving: Moving = "big_blind"
) -> Table:
    table = Table.open(stakes, game=structure, moving=moving, seat_count=6)
    for name in "abcdef"[:n]:
        table = table.sit(name, 200)
    return table


def stayed(hand: Hand) -> Hand:
    """The hand checked and called to its end."""
    while not hand.over:
        if hand.phase in ("draw", "show"):
            hand, _ = hand.act(Discard() if hand.phase == "draw" else Show())
        else:
            hand, _ = hand.act(Check() if hand.offer.check else Call())
    return hand


def won_by(seat: int) -> Callable[[Table, Hand], Hand]:
    """All players fold to a seat."""

    def play(table: Table, hand: Hand) -> Hand:
        while not hand.over:
            mine = table.order[hand.round.turn] == seat
            hand, _ = hand.act((Check() if hand.offer.check else Call()) if mine else Fold())
        return hand

    return play


def played(table: Table, play: Callable[[Table, Hand], Hand] = lambda table, hand: stayed(hand)) -> Table:
    """The table after the hand that is set up, or the next one; its chips are counted."""
    ready = table if table.phase == "ready" else table.next()
    dealt = ready.deal(Chance(ready.hand).shuffled(ready.structure.deck))
    dealt.table.audit(dealt.hand)
    after = dealt.table.finish(play(dealt.table, dealt.hand))
    after.audit()
    return after


def places_of(table: Table) -> tuple[int | None, int | None, int | None]:
    return table.button, table.small, table.big


# --- straddles from any seat


@for_each("moving", MOVING)
@for_each("seat", range(5))
def test_any_seat_may_straddle_and_the_next_seat_acts_first(moving: Moving, seat: int) -> None:
    plain = seated(5, moving=moving).next()
    table = plain.straddle(seat, 4)
    hand, _ = table.setup().start(NO_LIMIT_HOLDEM.deck)
    assert hand.round.price == 4
    assert table.order[hand.round.turn] == (seat + 1) % 5
    assert hand.round.bets[table.order.index(seat)] == 4
    assert places_of(played(table).next()) == places_of(played(plain).next())
    for _ in range(4):
        hand, _ = hand.act(Call())
    assert table.order[hand.round.turn] == seat  # this seat acts last, and may raise
    assert hand.offer.check
    assert hand.offer.raise_ is not None


def test_straddles_can_be_repeated() -> None:
    table = seated(5).next().straddle(4, 4).straddle(3, 8)
    hand, _ = table.setup().start(NO_LIMIT_HOLDEM.deck)
    assert (hand.round.price, table.order[hand.round.turn]) == (8, 4)
    with pytest.raises(TableError, match="more than 8"):
        table.straddle(2, 8)
    assert [chair.blind for chair in played(table).next().chairs] == [0, 1, 2, 0, 0]


def test_invalid_straddle_is_refused() -> None:
    table = seated(4).next()
    for amount in (2, 201, 4.0, True):
        with pytest.raises(TableError, match="more than 2"):
            table.straddle(3, amount)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(TableError, match="seat: expected a player of a hand that is set up but not dealt, got 5"):
        table.straddle(5, 4)
    with pytest.raises(TableError, match="seat: expected a player of a hand that is set up but not dealt"):
        seated(4).straddle(3, 4)
    with pytest.raises(TableError, match="seat: expected a player of a hand that is set up but not dealt"):
        table.deal(NO_LIMIT_HOLDEM.deck).table.straddle(3, 4)
    with pytest.raises(TableError, match="not possible heads-up"):
        seated(2).next().straddle(0, 4)
    with pytest.raises(TableError, match="a straddle needs a hand with blinds"):
        seated(4, structure=RAZZ).next().straddle(3, 4)


def test_where_two_are_left_a_straddle_from_a_blind_is_the_blind_again() -> None:
    table = seated(3).next().straddle(0, 6).wish("c", "pauses")
    assert [chair.blind for chair in table.chairs] == [1, 2, 0]
    played(table)


# --- kills


@for_each("kill, bets", [("half", (30, 60)), ("full", (40, 80))])
@for_each("moving", MOVING)
@for_each("seat", range(4))
def test_winner_of_two_pots_posts_the_kill_and_the_limits_rise(
    kill: Kill, bets: tuple[int, int], moving: Moving, seat: int
) -> None:
    stakes = TableStakes(small_blind=10, big_blind=20, kill=kill)
    table = seated(4, stakes, LIMIT_HOLDEM, moving)
    once = played(table, won_by(seat))
    assert once.next().killer is None
    twice = played(once, won_by(seat)).next()
    assert twice.killer == seat
    setup = twice.setup()
    assert (setup.stakes.min_bet, setup.stakes.big_bet) == bets
    hand, _ = setup.start(LIMIT_HOLDEM.deck)
    assert hand.round.bets[twice.order.index(seat)] == bets[0] == hand.round.price
    assert twice.big is not None
    assert twice.order[hand.round.turn] == (twice.big + 1) % 4  # a kill changes nothing about who speaks first
    assert hand.offer.raise_ is not None
    assert hand.offer.raise_.min_to == 2 * bets[0]
    for _ in range(4):
        hand, _ = hand.act(Check() if hand.offer.check else Call())
    assert hand.street == 1
    with pytest.raises(TableError, match="not possible heads-up or with a kill"):
        twice.straddle(2, 100)
    again = played(twice, won_by(seat)).next()
    assert again.killer == seat
    lost = played(again, won_by((seat + 1) % 4)).next()
    assert (lost.killer, lost.setup().stakes.min_bet) == (None, 20)
    plain = seated(4, TableStakes(small_blind=10, big_blind=20), LIMIT_HOLDEM, moving)
    for _ in range(4):
        plain = played(plain)
    assert places_of(lost) == places_of(plain.next())


def test_heads_up_there_is_a_kill_too() -> None:
    table = seated(2, TableStakes(small_blind=10, big_blind=20, kill="full"), LIMIT_HOLDEM)
    table = played(played(table, won_by(0)), won_by(0)).next()
    assert table.killer == 0
    hand, _ = table.setup().start(LIMIT_HOLDEM.deck)
    assert (hand.round.turn, hand.round.price) == (1, 40)
    played(table)


def test_killer_who_leaves_before_the_deal_removes_the_kill() -> None:
    table = seated(4, TableStakes(small_blind=10, big_blind=20, kill="full"), LIMIT_HOLDEM)
    table = played(played(table, won_by(2)), won_by(2)).next().wish("c", "pauses")
    assert table.setup().stakes.min_bet == 20
    played(table)


def test_newcomer_in_a_winners_seat_has_not_won() -> None:
    table = seated(4, TableStakes(small_blind=10, big_blind=20, kill="full"), LIMIT_HOLDEM)
    table = played(played(table, won_by(2)), won_by(2)).wish("c", "leaves")
    for name in "ab":
        table = table.wish(name, "pauses")
    table = table.next()
    assert (table.phase, table.wins) == ("waiting", 2)
    table = table.sit("x", 200, seat=2).wish("a", "plays").wish("b", "plays").next()
    assert (2 in table.order, table.killer) == (True, None)


def test_a_pot_that_is_split_ends_the_run() -> None:
    table = seated(3, TableStakes(small_blind=10, big_blind=20, kill="full"), LIMIT_HOLDEM)
    table = played(table, won_by(1))
    assert (table.winner, table.wins) == ("b", 1)
    stacks = {chair.seat: chair.chips + more for chair, more in zip(table.chairs, (5, 5, -10), strict=True)}
    split = table.after(stacks, hand=2, button=0)
    assert (split.winner, split.wins) == (None, 0)
    stacks = {chair.seat: chair.chips + more for chair, more in zip(table.chairs, (-5, 15, -10), strict=True)}
    assert table.after(stacks, hand=2, button=0).wins == 2


def test_no_limit_and_blindless_games_have_no_kill() -> None:
    for structure in (NO_LIMIT_HOLDEM, RAZZ):
        table = seated(3, TableStakes(small_blind=10, big_blind=20, kill="full"), structure)
        for _ in range(2):
            table = table.after({0: table.chair(0).chips + 10, 1: table.chair(1).chips - 10}, hand=1, button=0)
        assert table.wins == 2
        assert table.next().killer is None


# --- bomb pots


@pytest.mark.parametrize("moving", MOVING)
def test_bomb_pot_has_antes_for_all_and_starts_on_the_flop(moving: Moving) -> None:
    plain = seated(4, moving=moving)
    table = plain.bomb(10).next()
    dealt = table.deal(NO_LIMIT_HOLDEM.deck)
    assert [event.amount for event in dealt.events if isinstance(event, Posted)] == [10, 10, 10, 10]
    assert (dealt.hand.street_name, dealt.hand.round.chips_in_middle, dealt.hand.round.turn) == ("FLOP", 40, 0)
    assert places_of(table) == places_of(plain.next())
    following = played(table).next()
    assert (following.bomb_pot, following.setup().stakes.antes) == (0, ())
    assert places_of(following) == places_of(played(plain).next())


def test_bomb_pots_repeat_after_a_number_of_hands() -> None:
    table = seated(3, replace(ONE_TWO, bomb_every=3, bomb_ante=5))
    bombs = []
    for _ in range(7):
        table = table.next()
        bombs.append(table.bomb_pot)
        table = played(table)
    assert bombs == [0, 0, 5, 0, 0, 5, 0]
    assert seated(3, replace(ONE_TWO, bomb_every=1)).next().bomb_pot == 4


def test_missing_a_bomb_pot_owes_nothing_and_joining_one_pays_the_ante() -> None:
    table = played(seated(4)).wish("c", "pauses").bomb(10)
    ready = table.next()
    assert ready.find("c").owes == 0
    assert ready.wish("d", "pauses").find("d").owes == 0
    joined = ready.sit("x", 100)
    assert joined.setup().stakes.antes == (10,) * 4
    played(joined)


def test_a_game_with_a_bring_in_has_no_bomb_pots() -> None:
    with pytest.raises(TableError, match="razz has no bomb pots"):
        seated(3, structure=RAZZ).bomb(10)
    table = Table.open(TableStakes(small_blind=10, big_blind=20, bomb_every=1), game=HORSE, seat_count=6)
    for name in "abc":
        table = table.sit(name, 2000)
    seen = []
    for _ in range(15):
        table = table.next()
        seen.append((table.structure.betting.bring_in, table.bomb_pot))
        table = played(table)
    assert seen == [(False, 40)] * 6 + [(True, 0)] * 9


def test_invalid_bomb_pot_is_refused() -> None:
    for ante in (0, -1, True, 1.5):
        with pytest.raises(TableError, match="a whole number of chips from 1"):
            seated(3).bomb(ante)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(TableError, match="before a hand is set up"):
        seated(3).next().bomb(10)


# --- boards run more than once, mucking, the open pair


def test_board_is_run_as_often_as_agreed() -> None:
    table = seated(3, replace(ONE_TWO, runs=2)).next()
    dealt = table.deal(Chance(5).shuffled(NO_LIMIT_HOLDEM.deck))
    hand, events = dealt.hand, list(dealt.events)
    for action in (Fold(), AllIn(), Call()):
        hand, happened = hand.act(action)
        events += happened
    assert hand.over
    assert sum(isinstance(event, RunBegun) for event in events) == 2  # once for the cards, once for the payments
    assert sum(event.amount for event in events if isinstance(event, Won)) == 400
    after = dealt.table.finish(hand)
    after.audit()
    following = after.next()
    assert set(following.order) == {chair.seat for chair in after.chairs if chair.chips}
    assert following.small == table.big


def test_a_deck_that_is_too_small_is_run_less_often_and_no_board_once() -> None:
    stakes = replace(ONE_TWO, runs=4)
    assert seated(6, stakes, SIX_CARD_OMAHA).next().setup().stakes.runs == 3
    assert seated(6, stakes, SEVEN_CARD_STUD).next().setup().stakes.runs == 1
    assert seated(6, stakes).next().setup().stakes.runs == 4


@for_each("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_optional_muck_gives_every_player_a_choice_at_the_showdown(structure: Structure) -> None:
    table = seated(3, replace(ONE_TWO, may_muck=True), structure).next()
    dealt = table.deal(Chance(3).shuffled(structure.deck))
    hand, asked, events = dealt.hand, 0, list(dealt.events)
    while not hand.over:
        if hand.phase == "show":
            asked += 1
            hand, happened = hand.act(Show() if asked == 1 else Muck())
        elif hand.phase == "draw":
            hand, happened = hand.act(Discard())
        else:
            hand, happened = hand.act(Check() if hand.offer.check else Call())
        events += happened
    assert asked == 3
    assert [type(event) for event in events if isinstance(event, Shown | Mucked)] == [Shown, Mucked, Mucked]
    dealt.table.finish(hand).audit()


def test_the_open_pair_is_a_setting_of_the_game() -> None:
    paired = replace(SEVEN_CARD_STUD, open_pair=True)
    deck = list(read_cards("2c7d3c8dKh9sKs9h"))  # a card each in turn: two down, one up, and a pair on fourth street
    deck += [card for card in SEVEN_CARD_STUD.deck if card not in deck]
    sizes = []
    for structure in (SEVEN_CARD_STUD, paired):
        dealt = seated(2, TableStakes(big_blind=20), structure).next().deal(deck)
        hand = dealt.hand
        hand, _ = hand.act(Call())
        hand, _ = hand.act(Call() if hand.offer.call is not None else Check())
        assert hand.street_name == "FOURTH_STREET"
        assert hand.offer.bet is not None
        sizes.append((hand.offer.bet.min_to, hand.offer.bet.max_to))
        dealt.table.finish(stayed(hand)).audit()
    assert sizes == [(20, 20), (20, 40)]


@for_each(
    "settings",
    [
        {"runs": 0},
        {"runs": 5},
        {"may_muck": 1},
        {"kill": "double"},
        {"bomb_every": -1},
        {"bomb_ante": 0},
        {"bring_in": -1},
        {"ante": True},
    ],
)
def test_house_rules_that_make_no_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(StakesError):
        TableStakes(**({"small_blind": 1, "big_blind": 2} | settings))  # type: ignore[arg-type]  # wrong on purpose
