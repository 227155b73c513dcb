"""The typed table: players dealt in and their posts, chips out to a hand and back, stakes of every kind."""

from collections.abc import Callable
from typing import cast

import pytest
from msgspec.structs import replace

from pitboss.betting.events import Bet, Call, Check, Fold, Posted, Raise
from pitboss.betting.refusals import SetupError
from pitboss.chance import Chance
from pitboss.hand.events import Action, Discard, Raked, Show, Won
from pitboss.hand.games import LIMIT_HOLDEM, NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Rake, Structure
from pitboss.table.rotation import Chair, State, TableError, _is_between
from pitboss.table.stakes import Level, StakesError, TableStakes
from pitboss.table.table import DealtHand, Moving, Table
from tests.support.for_each import for_each

ONE_TWO = TableStakes(small_blind=1, big_blind=2)
MOVING: tuple[Moving, ...] = ("big_blind", "button")


def seated(
    n: int,
    stakes: TableStakes = ONE_TWO,
    *,
    chips: int = 100,
    moving: Moving = "big_blind",
    structure: Structure | None = None,
) -> Table:
    """A table of this many players a, b, c at seats 0, 1, 2."""
    structure = structure or NO_LIMIT_HOLDEM
    table = Table.open(stakes, game=structure, moving=moving, seat_count=min(10, structure.most_players))
    for name in "abcdefghij"[:n]:
        table = table.sit(name, chips)
    return table


def dealt(table: Table, seed: int = 1) -> DealtHand:
    return table.deal(Chance(seed).shuffled(table.structure.deck))


def check_down(hand: Hand) -> Hand:
    while not hand.over:
        hand, _ = hand.act(stay(hand))
    return hand


def stay(hand: Hand) -> Action:
    """Check or call, bring in, stand pat, show."""
    if hand.phase == "show":
        return Show()
    if hand.phase == "draw":
        return Discard()
    return Check() if hand.offer.check else Call()


def fold_round(hand: Hand) -> Hand:
    while not hand.over:
        hand, _ = hand.act(Fold() if hand.offer.fold else stay(hand))
    return hand


def played(table: Table, play: Callable[[Hand], Hand] = fold_round) -> Table:
    """The table after the next hand."""
    under_way = dealt(table.next())
    under_way.table.audit(under_way.hand)
    after = under_way.table.finish(play(under_way.hand))
    after.audit()
    return after


def chips(table: Table) -> dict[str, int]:
    return {chair.who: chair.chips for chair in table.chairs}


def blinds(table: Table) -> dict[str, int]:
    return {chair.who: chair.blind for chair in table.chairs}


# --- chips go out to a hand and come back


@pytest.mark.parametrize("moving", MOVING)
def test_three_of_100_with_ante_1_and_blinds_1_2(moving: Moving) -> None:
    table = seated(3, TableStakes(small_blind=1, big_blind=2, ante=1), moving=moving).next()
    under_way = dealt(table)
    assert sum(under_way.hand.stacks) == 294
    assert under_way.hand.round.chips_in_middle == 6
    under_way.table.audit(under_way.hand)
    after = under_way.table.finish(check_down(under_way.hand))
    assert sum(chips(after).values()) == 300
    after.audit()


@for_each("structure", STRUCTURES.values(), ids=STRUCTURES)
@for_each("n", [2, 3, 6])
def test_every_structure_is_played_until_one_has_all(structure: Structure, n: int) -> None:
    stakes = TableStakes(small_blind=10, big_blind=20, ante=2)
    table = seated(n, stakes, moving="button", structure=structure)
    for number in range(3000):
        table = table.next()
        if table.phase == "waiting":
            break
        under_way = dealt(table, number)
        hand = under_way.hand
        while not hand.over:
            bounds = hand.offer.bet or hand.offer.raise_
            if bounds is not None and (bounds.max_to == bounds.min_to or number % 2):
                hand, _ = hand.act((Bet if hand.offer.bet else Raise)(bounds.max_to))
            else:
                hand, _ = hand.act(stay(hand))
        table = under_way.table.finish(hand)
        table.audit()
    assert max(chips(table).values()) == 100 * n


def test_limit_bets_are_the_big_blind_and_twice_that() -> None:
    stakes = seated(3, structure=LIMIT_HOLDEM).next().setup().stakes
    assert (stakes.min_bet, stakes.big_bet) == (2, 4)
    assert seated(3).next().setup().stakes.big_bet is None


def test_a_hand_that_is_not_this_tables_is_refused() -> None:
    under_way = dealt(seated(3).next())
    other = dealt(seated(2).next())
    rich = dealt(seated(3, chips=200).next())
    for hand in (under_way.hand, fold_round(other.hand), fold_round(rich.hand)):
        with pytest.raises(TableError):
            under_way.table.finish(hand)
    over = fold_round(under_way.hand)
    with pytest.raises(TableError, match="expected the hand of this table"):
        under_way.table.finish(over).finish(over)


def test_phases_follow_each_other() -> None:
    table = seated(3)
    with pytest.raises(TableError, match="no hand is set up"):
        table.deal()
    ready = table.next()
    with pytest.raises(TableError, match="the hand is not finished"):
        ready.next()
    with pytest.raises(TableError, match="the hand is not finished"):
        dealt(ready).table.next()
    assert [t.phase for t in (table, ready, dealt(ready).table)] == ["between", "ready", "dealt"]


def test_the_audit_notices_a_chip() -> None:
    table = seated(3).next()
    with pytest.raises(TableError, match="chips: expected 300 in total, found 301"):
        replace(table, pot=1).audit()
    under_way = dealt(table)
    with pytest.raises(TableError):
        replace(under_way.table, came_in=299).audit(under_way.hand)


# --- how button and blinds move


@for_each("moving", MOVING)
@for_each("n", [2, 3, 4, 6])
def test_all_players_have_every_blind_once_per_orbit(moving: Moving, n: int) -> None:
    table, smalls, bigs, buttons = seated(n, moving=moving), [], [], []
    for _ in range(2 * n):
        table = played(table)
        smalls.append(table.small)
        bigs.append(table.big)
        buttons.append(table.button)
    assert sorted(bigs) == sorted(smalls) == sorted(buttons) == sorted([*range(n)] * 2)  # type: ignore[type-var]  # none is None
    assert bigs[:-1] == smalls[1:]
    if n == 2:
        assert buttons == smalls


def test_heads_up_button_has_the_small_blind_and_acts_first() -> None:
    table = seated(2, moving="button").next()
    assert (table.button, table.small, table.big, table.order) == (0, 0, 1, (1, 0))
    assert dealt(table).hand.round.turn == 1
    assert [post.amount for post in table.setup().stakes.posts] == [2, 1]


@pytest.mark.parametrize("moving", MOVING)
def test_heads_up_button_acts_first_with_equal_blinds(moving: Moving) -> None:
    table = seated(2, TableStakes(small_blind=2, big_blind=2), moving=moving).next()
    assert dealt(table).hand.round.turn == 1


def test_player_without_chips_is_out_and_the_button_skips_them() -> None:
    under_way = dealt(seated(3, moving="button").next())
    lost = replace(under_way.hand.round, stacks=(0, 150, 150), bets=(0, 0, 0), paid=(100,) * 3, pot=0)
    over = replace(under_way.hand, round=lost, phase="over")
    following = under_way.table.finish(over).next()
    busted = under_way.table.order[0]
    assert busted == 1
    assert (following.button, following.order) == (2, (0, 2))
    assert (following.chair(busted).state, following.chair(busted).out) == ("leaves", True)
    under_way = dealt(following)
    assert [chair.seat for chair in under_way.table.finish(fold_round(under_way.hand)).next().chairs] == [0, 2]


@pytest.mark.parametrize("moving", MOVING)
def test_a_table_of_one_waits(moving: Moving) -> None:
    table = seated(1, moving=moving).next()
    assert (table.phase, table.hand, table.order) == ("waiting", 0, ())
    assert table.next() == table
    assert table.sit("b", 100).next().order == (1, 0)


@pytest.mark.parametrize(("moving", "button"), [("big_blind", None), ("button", 0)])
def test_a_table_that_waits_remembers_the_button_where_the_button_moves(moving: Moving, button: int | None) -> None:
    table = played(seated(2, moving=moving))
    table = table.wish("a", "pauses").next()
    assert (table.phase, table.button) == ("waiting", button)


# --- coming and going


def test_player_who_joins_before_the_deal_is_dealt_in() -> None:
    table = seated(2).next().sit("c", 100)
    assert table.order == (0, 1, 2)
    assert not table.find("c").out
    assert sum(dealt(table).hand.stacks) == 297
    assert replace(seated(2).next(), least_buy_in=1).sit("c", 1).order == (1, 0)
    waits = seated(2).next().sit("c", 100, state="waits")
    assert waits.find("c").out


@pytest.mark.parametrize(("seat", "order"), [(1, (0, 1, 4)), (2, (0, 2, 4)), (5, (0, 4, 5))])
def test_small_blind_precedes_the_big_blind_wherever_a_newcomer_sits(seat: int, order: tuple[int, ...]) -> None:
    table = Table.open(ONE_TWO, seat_count=6).sit("a", 100, seat=0).sit("b", 100, seat=4).next()
    assert (table.small, table.big) == (0, 4)
    table = table.sit("c", 100, seat=seat)
    assert table.order == order
    assert dealt(table).hand.round.chips_in_middle == 3


def test_player_who_joins_in_a_hand_waits_for_the_next() -> None:
    under_way = dealt(seated(2).next())
    table = under_way.table.sit("c", 100)
    assert table.order == (1, 0)
    assert table.find("c").out
    following = table.finish(fold_round(under_way.hand)).next()
    assert following.find("c").blind == 2
    assert not following.find("c").out


@pytest.mark.parametrize("state", ["pauses", "waits", "leaves"])
def test_big_blind_can_leave_before_the_deal_and_the_price_remains(state: State) -> None:
    table = seated(4).next()
    assert blinds(table) == {"a": 1, "b": 2, "c": 0, "d": 0}
    table = table.wish("b", state)
    assert table.find("b").owes == (0 if state == "leaves" else 2)
    hand = dealt(table).hand
    assert table.order == (0, 2, 3)
    assert table.order[hand.round.turn] == 2
    assert hand.offer.call == 2
    assert hand.round.chips_in_middle == 1
    assert hand.offer.raise_ is not None
    assert hand.offer.raise_.min_to == 4
    hand, _ = hand.act(Call())
    hand, _ = hand.act(Call())
    assert hand.offer.call == 1


@pytest.mark.parametrize("state", ["pauses", "leaves"])
def test_both_blinds_can_leave_before_the_deal_and_the_price_remains(state: State) -> None:
    table = seated(4).next().wish("b", state).wish("a", state)
    assert [table.find(who).owes for who in "ab"] == ([0, 0] if state == "leaves" else [1, 2])
    hand = dealt(table).hand
    assert hand.round.chips_in_middle == 0
    assert (table.button, table.order) == (3, (2, 3))
    assert table.order[hand.round.turn] == 3
    assert hand.offer.call == 2
    assert not hand.offer.check
    hand, _ = hand.act(Call())
    assert hand.offer.call == 2


def test_heads_up_button_acts_first_after_the_big_blind_left() -> None:
    table = seated(3).next().wish("b", "pauses")
    assert (table.button, table.order) == (0, (2, 0))
    hand = dealt(table).hand
    assert table.order[hand.round.turn] == 0
    assert hand.offer.call == 1


def test_pause_before_the_deal_owes_the_blind_and_in_the_hand_does_not() -> None:
    table = seated(3).next()
    early = dealt(table.wish("b", "pauses"))
    assert early.table.order == (2, 0)
    after = early.table.finish(fold_round(early.hand)).next()
    assert [chair.owes for chair in after.chairs] == [0, 3, 0]
    late = dealt(table)
    after = late.table.wish("b", "pauses").finish(fold_round(late.hand)).next()
    assert [chair.owes for chair in after.chairs] == [0, 1, 0]
    after.audit()


@for_each("half", [1, 4, 50])
@for_each(
    "who, before, owes",
    [
        ("b", 0, 2),
        ("b", 1, 3),
        ("b", 2, 3),
        ("b", 3, 3),
        ("a", 0, 1),
        ("a", 1, 2),
        ("a", 2, 3),
        ("a", 3, 3),
        ("c", 0, 0),
    ],
)
def test_a_blind_that_is_missed_is_owed_and_never_more_than_one_and_a_half(
    who: str, before: int, owes: int, half: int
) -> None:
    table = seated(4, TableStakes(small_blind=half, big_blind=2 * half), chips=1000).next()
    chairs = [replace(chair, owes=before * half) if chair.who == who else chair for chair in table.chairs]
    assert replace(table, chairs=tuple(chairs)).wish(who, "pauses").find(who).owes == owes * half


@for_each(
    "start, end, between",
    [(1, 4, {2, 3}), (4, 1, {0, 5}), (2, 3, set()), (3, 2, {0, 1, 4, 5}), (2, 2, set()), (5, 0, set())],
)
def test_seats_between_two_follow_clockwise(start: int, end: int, between: set[int]) -> None:
    assert {seat for seat in range(6) if _is_between(start, seat, end)} == between


def test_match_has_no_owed_blinds() -> None:
    table = seated(3, moving="button").next()
    assert table.wish("c", "pauses").find("c").owes == 0
    after = table.wish("c", "pauses")
    assert dealt(after).hand.round.price == 2


def test_missed_blinds_are_owed_and_paid_into_the_pot() -> None:
    table = played(seated(4))  # b has had the big blind
    table = played(table.wish("c", "pauses"))
    assert (table.big, table.find("c").owes) == (3, 2)
    table = played(table)
    assert table.find("c").owes == 3
    before = table.find("c").chips
    back = table.wish("c", "plays").next()
    assert (back.find("c").chips, back.pot, back.find("c").owes) == (before - 3, 3, 0)
    assert dealt(back).hand.round.chips_in_middle == 6
    back.audit()


def test_waiting_player_returns_free_with_the_big_blind() -> None:
    table = played(seated(4)).wish("c", "waits")
    back = table.next()
    assert (back.big, back.find("c").owes, back.find("c").state, back.pot) == (2, 0, "plays", 0)


def test_player_who_leaves_takes_their_chips() -> None:
    table = played(seated(3)).wish("a", "leaves").next()
    assert [chair.who for chair in table.chairs] == ["b", "c"]
    assert table.came_in == sum(chips(table).values()) == 201
    table.audit()
    with pytest.raises(TableError, match="player 'a' is not at this table"):
        table.wish("a", "plays")


def test_leaving_is_final() -> None:
    table = seated(3).next().wish("a", "leaves")
    assert table.wish("a", "leaves") == table
    with pytest.raises(TableError, match="player 'a' has left the table"):
        table.wish("a", "plays")


def test_chips_are_brought_between_hands() -> None:
    table = seated(2).next()
    more = table.top_up("a", 50)
    assert (chips(more)["a"], more.came_in) == (150, 250)
    more.audit()
    with pytest.raises(TableError, match="only be added between hands"):
        dealt(table).table.top_up("a", 50)
    for amount in (0, -1, True, 1.5):
        with pytest.raises(TableError):
            table.top_up("a", amount)  # type: ignore[arg-type]  # wrong on purpose
        with pytest.raises(TableError):
            table.sit("z", amount)  # type: ignore[arg-type]  # wrong on purpose


def test_buy_ins_have_their_limits() -> None:
    table = Table.open(ONE_TWO, seat_count=6, least_buy_in=40, most_buy_in=200).sit("a", 40).sit("b", 200)
    with pytest.raises(TableError, match="chips: expected at least the minimum buy-in of 40, got 39"):
        table.sit("c", 39)
    with pytest.raises(TableError, match="chips: expected at most the maximum buy-in of 200, got 201"):
        table.sit("c", 201)
    assert chips(table.top_up("a", 160))["a"] == 200
    with pytest.raises(TableError, match=r"maximum buy-in of .*, got 201"):
        table.top_up("a", 161)


def test_newcomers_without_a_seat_number_sit_last() -> None:
    table = Table.open(ONE_TWO)
    assert table.free_seats == (0,)
    table = table.sit("a", 100).sit("b", 100)
    assert [chair.seat for chair in table.chairs] == [0, 1]
    assert table.sit("c", 100, seat=5).free_seats == (6,)


def test_seats_are_taken_once() -> None:
    table = Table.open(ONE_TWO, seat_count=2).sit("a", 100, seat=1)
    assert table.free_seats == (0,)
    for seat in (1, 2, -1, True):
        with pytest.raises(TableError):
            table.sit("b", 100, seat=seat)
    with pytest.raises(TableError, match="all 2 seats are taken"):
        table.sit("b", 100).sit("c", 100)
    with pytest.raises(TableError, match="is already at this table"):
        table.sit("a", 100)


def test_a_hand_recorded_elsewhere_is_taken_over() -> None:
    table = seated(3, moving="button").after({0: 90, 2: 110}, hand=7, button=2)
    assert chips(table) == {"a": 90, "b": 100, "c": 110}
    following = table.next()
    assert (following.hand, following.button) == (8, 0)
    following.audit()


# --- stakes


def test_big_blind_pays_the_ante_for_the_table() -> None:
    table = seated(4, TableStakes(small_blind=1, big_blind=2, big_blind_ante=2)).next()
    under_way = dealt(table)
    posted = [event for event in under_way.events if isinstance(event, Posted)]
    assert [(table.order[event.place], event.amount, event.live) for event in posted] == [
        (1, 2, False),
        (0, 1, True),
        (1, 2, True),
    ]
    assert under_way.hand.round.chips_in_middle == 5
    under_way.table.finish(check_down(under_way.hand)).audit()


def test_straddles_are_posted_left_of_the_big_blind_and_speak_last() -> None:
    table = seated(5, TableStakes(small_blind=1, big_blind=2, straddles=(4, 8))).next()
    assert blinds(table) == {"a": 1, "b": 2, "c": 4, "d": 8, "e": 0}
    hand = dealt(table).hand
    assert table.order[hand.round.turn] == 4
    assert hand.offer.call == 8
    assert blinds(seated(3, TableStakes(small_blind=1, big_blind=2, straddles=(4, 8))).next()) == {
        "a": 1,
        "b": 2,
        "c": 4,
    }
    assert blinds(seated(2, TableStakes(small_blind=1, big_blind=2, straddles=(4,))).next()) == {"a": 1, "b": 2}


def test_two_alone_play_without_straddles() -> None:
    table = seated(3, TableStakes(small_blind=1, big_blind=2, straddles=(4,))).next().wish("a", "pauses")
    assert blinds(table) == {"a": 1, "b": 2, "c": 0}
    assert dealt(table).hand.offer.call == 2


def test_levels_rise_by_hands() -> None:
    stakes = TableStakes(
        small_blind=1,
        big_blind=2,
        levels=(
            Level(from_hand=3, small_blind=2, big_blind=4, ante=1),
            Level(from_hand=4, small_blind=5, big_blind=10, big_blind_ante=10),
        ),
    )
    table, seen = seated(3, stakes), []
    for _ in range(4):
        table = table.next()
        under_way = dealt(table)
        seen.append((table.now.big_blind, under_way.hand.round.chips_in_middle))
        table = under_way.table.finish(fold_round(under_way.hand))
        table.audit()
    assert seen == [(2, 3), (2, 3), (4, 9), (10, 25)]


@pytest.mark.parametrize(
    ("rake", "house"),
    [
        (Rake(thousandths=50), 1),
        (Rake(thousandths=50, cap=3), 1),
        (Rake(thousandths=250, cap=3), 3),
        (Rake(thousandths=0), 0),
    ],
)
def test_the_house_takes_its_rake(rake: Rake, house: int) -> None:
    table = seated(3, TableStakes(small_blind=5, big_blind=10, rake=rake)).next()
    under_way = dealt(table)
    hand, events = under_way.hand, list(under_way.events)
    while not hand.over:
        hand, happened = hand.act(Check() if hand.offer.check else Call())
        events += happened
    after = under_way.table.finish(hand)
    assert (after.house, hand.house) == (house, house)
    assert sum(chips(after).values()) == 300 - house
    assert sum(event.amount for event in events if isinstance(event, Raked)) == house
    assert sum(event.amount for event in events if isinstance(event, Won)) == 30 - house
    after.audit()


def test_no_flop_no_drop() -> None:
    stakes = TableStakes(small_blind=5, big_blind=10, rake=Rake(thousandths=100))
    assert played(seated(3, stakes)).house == 0
    always = replace(stakes, rake=Rake(thousandths=100, no_flop_no_drop=False))
    assert played(seated(3, always)).house == 1


def test_the_rake_is_taken_of_every_pot_by_its_part_and_before_it_is_split() -> None:
    rake = Rake(thousandths=100, cap=20)
    table = (
        Table.open(TableStakes(small_blind=5, big_blind=10, rake=rake)).sit("a", 20).sit("b", 100).sit("c", 100).next()
    )
    under_way = dealt(table)
    hand, events = under_way.hand, list(under_way.events)
    while not hand.over:
        bounds = hand.offer.bet or hand.offer.raise_
        action = Raise(bounds.max_to) if bounds and hand.offer.raise_ else Check() if hand.offer.check else Call()
        hand, happened = hand.act(action)
        events += happened
    assert [(event.amount, event.pot) for event in events if isinstance(event, Raked)] == [(5, 0), (15, 1)]
    assert sum(hand.stacks) == 220 - 20
    under_way.table.finish(hand).audit()


@for_each(
    "settings",
    [
        {"small_blind": 3},
        {"small_blind": -1},
        {"ante": 0.5},
        {"straddles": (2,)},
        {"straddles": (4, 4)},
        {"levels": (Level(from_hand=3, small_blind=1, big_blind=2), Level(from_hand=3, small_blind=1, big_blind=2))},
    ],
)
def test_stakes_that_make_no_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(StakesError):
        TableStakes(**({"small_blind": 1, "big_blind": 2} | settings))  # type: ignore[arg-type]  # wrong on purpose


def test_levels_are_a_tuple_of_levels() -> None:
    level = Level(from_hand=3, small_blind=1, big_blind=2)
    for levels in ([level], (level, 4), None):
        with pytest.raises(StakesError, match="levels: expected a tuple of Level"):
            TableStakes(small_blind=1, big_blind=2, levels=levels)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("percent", "big_blind", "straddles"), [(100, 10, (20, 40)), (50, 5, (10, 20)), (15, 1, (3, 6)), (5, 1, (2, 3))]
)
def test_straddles_are_scaled_and_each_stays_above_the_one_before(
    percent: int, big_blind: int, straddles: tuple[int, ...]
) -> None:
    scaled = TableStakes(small_blind=5, big_blind=10, straddles=(20, 40)).scaled(percent)
    assert (scaled.big_blind, scaled.straddles) == (big_blind, straddles)


def test_every_level_has_a_whole_half_big_blind() -> None:
    later = Level(from_hand=2, small_blind=2, big_blind=4)
    with pytest.raises(TableError, match=r"big_blind: expected an even number, .* got 3"):
        Table.open(TableStakes(small_blind=1, big_blind=3, levels=(later,)))
    with pytest.raises(TableError, match=r"big_blind: expected an even number, .* got 5"):
        Table.open(TableStakes(small_blind=1, big_blind=2, levels=(later, replace(later, from_hand=3, big_blind=5))))


def test_more_stakes_that_make_no_sense() -> None:
    with pytest.raises(StakesError):
        Level(from_hand=0, small_blind=1, big_blind=2)
    for thousandths, cap in ((-1, None), (1001, None), (50, -1)):
        with pytest.raises(SetupError):
            Rake(thousandths=thousandths, cap=cap)
    with pytest.raises(TableError, match="big_blind: expected an even number"):
        Table.open(TableStakes(small_blind=1, big_blind=3))
    assert Table.open(TableStakes(small_blind=1, big_blind=3), moving="button").chairs == ()


def test_a_chair_is_found_by_seat_and_by_name() -> None:
    table = seated(2)
    assert table.chair(1) == table.find("b") == Chair(1, "b", 100)
    with pytest.raises(TableError, match="seat 5 is empty"):
        table.chair(5)


def test_player_who_leaves_without_playing_does_not_hold_the_blinds() -> None:
    table, blinds = seated(2), []
    for number in range(4):
        under_way = dealt(table.next())
        blinds.append((under_way.table.small, under_way.table.big))
        friend = f"friend {number}"
        table = under_way.table.sit(friend, 50, state="pauses").finish(fold_round(under_way.hand))
        table = table.wish(friend, "leaves")
    assert blinds == [(0, 1), (1, 0), (0, 1), (1, 0)]


def test_small_blind_falls_to_the_first_of_two_remaining_players() -> None:
    table = played(played(seated(3)))
    assert (table.small, table.big) == (1, 2)
    table = table.wish("c", "leaves").next()
    assert (table.small, table.big) == (0, 1)


@pytest.mark.parametrize("stacks", [(150, 50), (100, 100)])
def test_a_hand_of_another_table_is_not_taken_back(stacks: tuple[int, int]) -> None:
    under_way = dealt(seated(2).next())
    stakes = under_way.hand.stakes if stacks == (150, 50) else replace(under_way.hand.stakes, min_bet=4)
    other, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=stacks, stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    with pytest.raises(TableError, match="expected the game, stakes and stacks that were dealt at this table"):
        under_way.table.finish(fold_round(other))
    with pytest.raises(TableError, match="expected the game, stakes and stacks that were dealt at this table"):
        under_way.table.finish(replace(fold_round(under_way.hand), structure=LIMIT_HOLDEM))


@pytest.mark.parametrize("stacks", [{0: 101, 1: 100}, {0: -1, 1: 201}])
def test_a_recorded_hand_does_not_leave_more_than_it_began_with(stacks: dict[int, int]) -> None:
    with pytest.raises(TableError, match="stacks: expected at most 200 chips"):
        seated(2).next().after(stacks, hand=1, button=0)
    assert seated(2).next().after({0: 97, 1: 100}, hand=1, button=0).house == 3


def test_player_who_cannot_pay_big_blind_and_ante_is_refused() -> None:
    stakes = TableStakes(small_blind=1, big_blind=2, ante=1)
    with pytest.raises(TableError, match="chips: expected at least the minimum buy-in of 3, got 2"):
        Table.open(stakes).sit("a", 2)
    assert Table.open(stakes).sit("a", 3).find("a").chips == 3
    assert Table.open(stakes, moving="button").sit("a", 1).find("a").chips == 1


@for_each(
    "wrong, words",
    [
        (lambda: Table.open(ONE_TWO, moving=cast(Moving, "sideways")), "moving: expected .* got 'sideways'"),
        (lambda: Table.open(cast(TableStakes, 100)), "stakes: expected TableStakes, got 100"),
        (lambda: Table.open(ONE_TWO, seat_count=0), "seat_count: expected a whole number from 1, got 0"),
        (
            lambda: Table.open(ONE_TWO, least_buy_in=cast(int, 1.5)),
            "least_buy_in: expected a whole number from 1, got 1.5",
        ),
        (
            lambda: Table.open(ONE_TWO, least_buy_in=10, most_buy_in=9),
            "most_buy_in: expected at least the minimum buy-in of 10, got 9",
        ),
        (lambda: seated(2).sit("z", 100, state=cast(State, "sleeps")), "state: expected .* got 'sleeps'"),
        (lambda: seated(2).wish("a", cast(State, "sleeps")), "state: expected .* got 'sleeps'"),
        (lambda: seated(2).sit("a", 100), "player 'a' is already at this table"),
        (lambda: seated(2).sit("z", 0), "chips: expected a whole number from 1 for 'z', got 0"),
        (lambda: seated(2).sit("z", cast(int, True)), "chips: expected a whole number from 1 for 'z', got True"),
        (lambda: seated(2).wish("a", "leaves").wish("a", "plays"), "player 'a' has left the table"),
        (lambda: seated(2).top_up("a", 0), "chips: expected a whole number from 1, got 0"),
        (lambda: dealt(seated(2).next()).table.top_up("a", 5), "chips can only be added between hands"),
    ],
)
def test_impossible_table_is_refused_in_a_sentence(wrong: Callable[[], object], words: str) -> None:
    with pytest.raises(TableError, match=words):
        wrong()


def test_the_bounds_of_a_table_are_allowed() -> None:
    table = Table.open(ONE_TWO, seat_count=1, least_buy_in=9, most_buy_in=9)
    assert table.sit("a", 9).find("a").chips == 9
