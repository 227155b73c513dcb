"""Tables that change games: when a game is due, for how long, at which stakes, and when a player may choose."""

from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.betting.events import Call, Check
from pitboss.chance import Chance
from pitboss.hand.events import Discard
from pitboss.hand.games import BADUGI, LIMIT_HOLDEM, NO_LIMIT_HOLDEM, OMAHA, RAZZ, SEVEN_CARD_STUD, NoSuchStructure
from pitboss.hand.hand import Hand
from pitboss.table import EIGHT_GAME, HORSE, GameAtStakes, Level, Mixed, StakesError, Table, TableStakes, find_mixed
from pitboss.table.rotation import TableError
from pitboss.table.table import Moving
from tests.support.for_each import for_each

TEN_TWENTY = TableStakes(small_blind=10, big_blind=20)
MOVING: tuple[Moving, ...] = ("big_blind", "button")


def seated(games: Mixed | str, n: int = 3, stakes: TableStakes = TEN_TWENTY, moving: Moving = "big_blind") -> Table:
    table = Table.open(stakes, game=games, moving=moving, seat_count=6)
    for name in "abcdef"[:n]:
        table = table.sit(name, 2000)
    return table


def checked_down(hand: Hand) -> Hand:
    while not hand.over:
        stay = Discard() if hand.phase == "draw" else Check() if hand.offer.check else Call()
        hand, _ = hand.act(stay)
    return hand


def played(table: Table) -> Table:
    """The table after the next hand, its chips counted all the while."""
    dealt = (ready := table.next()).deal(Chance(ready.hand).shuffled(ready.structure.deck))
    dealt.table.audit(dealt.hand)
    after = dealt.table.finish(checked_down(dealt.hand))
    after.audit()
    return after


def codes(table: Table, hands: int) -> list[str]:
    """The codes of the games of this many hands."""
    seen = []
    for _ in range(hands):
        table = played(table)
        seen.append(table.structure.code)
    return seen


@for_each("moving", MOVING)
@for_each("n", [2, 3, 5])
def test_horse_changes_after_an_orbit_and_each_player_has_the_button_once(moving: Moving, n: int) -> None:
    table, seen, buttons = seated(HORSE, n, moving=moving), [], []
    for _ in range(6 * n):
        table = played(table)
        seen.append(table.structure.code)
        buttons.append(table.button)
    assert seen == [code for code in ("FT", "FO/8", "FR", "F7S", "F7S/8", "FT") for _ in range(n)]
    for orbit in range(6):
        assert sorted(buttons[n * orbit : n * orbit + n]) == list(range(n))  # type: ignore[type-var]  # none is None


def test_eight_game_plays_its_blinds_at_half_the_limits() -> None:
    table, seen = seated("eight-game"), {}
    for _ in range(24):
        table = played(table)
        stakes = table.now
        seen[table.structure.code] = (stakes.small_blind, stakes.big_blind)
    assert list(seen) == ["F2L3D", "FT", "FO/8", "FR", "F7S", "F7S/8", "NT", "PO"]
    assert seen["FT"] == (10, 20)
    assert seen["NT"] == seen["PO"] == (5, 10)


@for_each(
    "games, said",
    [
        ((RAZZ, LIMIT_HOLDEM), "a tuple of the structure razz, the structure limit_holdem"),
        ([GameAtStakes(RAZZ)], "a list of GameAtStakes of razz"),
        ((), "a tuple of nothing"),
        (RAZZ, "the structure razz"),
        ("razz", "'razz'"),
    ],
)
def test_invalid_list_of_games_is_named_in_a_short_sentence(games: Any, said: str) -> None:
    with pytest.raises(StakesError) as refusal:
        Mixed("x", games)
    assert str(refusal.value) == f"games: expected a tuple of GameAtStakes, at least one, got {said}"


def test_number_of_hands_per_game_can_be_set() -> None:
    games = Mixed("two", (GameAtStakes(RAZZ), GameAtStakes(NO_LIMIT_HOLDEM)), hands=2)
    assert codes(seated(games), 6) == ["FR", "FR", "NT", "NT", "FR", "FR"]


def test_an_orbit_is_as_long_as_it_was_when_the_game_began() -> None:
    games = Mixed("two", (GameAtStakes(LIMIT_HOLDEM), GameAtStakes(BADUGI)))
    table = played(seated(games))
    table = table.sit("d", 500).sit("e", 500)
    assert codes(table, 7) == ["FT", "FT", "FB", "FB", "FB", "FB", "FB"]


def test_every_game_has_its_stakes() -> None:
    own = TableStakes(small_blind=1, big_blind=2, levels=(Level(from_hand=3, small_blind=2, big_blind=4),))
    games = Mixed("two", (GameAtStakes(SEVEN_CARD_STUD), GameAtStakes(NO_LIMIT_HOLDEM, own)), hands=1)
    table, seen = seated(games), []
    for _ in range(4):
        table = played(table)
        now = table.now
        seen.append((now.big_blind, now.ante, now.bring_in))
    assert seen == [(20, 5, 10), (2, None, None), (20, 5, 10), (4, None, None)]


def test_bring_in_games_have_no_blinds_and_use_limits_as_bets() -> None:
    setup = seated("razz").next().setup()
    assert setup.stakes.posts == ()
    assert setup.stakes.antes == (5, 5, 5)
    assert (setup.stakes.bring_in, setup.stakes.min_bet, setup.stakes.big_bet) == (10, 20, 40)
    assert (setup.stakes.price, setup.stakes.opener) == (0, None)
    said = TableStakes(big_blind=20, ante=3, bring_in=7)
    assert seated("razz", stakes=said).next().setup().stakes.bring_in == 7
    tiny = seated("razz", stakes=TableStakes(big_blind=1), moving="button").next().setup().stakes
    assert (tiny.antes, tiny.bring_in) == ((1, 1, 1), 1)


def test_missing_a_hand_without_blinds_owes_nothing() -> None:
    games = Mixed("two", (GameAtStakes(RAZZ), GameAtStakes(LIMIT_HOLDEM)), hands=4)
    table = played(seated(games, 4)).wish("c", "pauses")
    for _ in range(3):
        table = played(table)
    assert (table.structure, table.find("c").owes) == (RAZZ, 0)
    before = table.next()
    assert before.structure == LIMIT_HOLDEM
    table = played(played(table))
    assert table.find("c").owes > 0
    ready = seated("razz", 4).next()
    assert [ready.wish(who, "pauses").find(who).owes for who in "abcd"] == [0, 0, 0, 0]


def test_earlier_debt_is_paid_in_the_hand_of_the_return() -> None:
    games = Mixed("two", (GameAtStakes(LIMIT_HOLDEM), GameAtStakes(RAZZ)), hands=4)
    table = played(seated(games, 4)).wish("c", "pauses")
    for _ in range(3):
        table = played(table)
    owed = table.find("c").owes
    assert owed == 30
    ready = table.wish("c", "plays").next()
    assert (ready.structure, ready.pot, ready.find("c").owes) == (RAZZ, 30, 0)
    dealt = ready.deal(Chance(1).shuffled(ready.structure.deck))
    dealt.table.finish(checked_down(dealt.hand)).audit()


# --- choosing


CHOICE = Mixed("choice", tuple(map(GameAtStakes, (NO_LIMIT_HOLDEM, OMAHA, RAZZ))), hands=1, choice=True)


def test_the_button_chooses_from_the_list() -> None:
    table = played(seated(CHOICE).choose("razz"))
    assert table.structure == RAZZ
    assert table.next().structure == NO_LIMIT_HOLDEM
    table = played(table.choose(OMAHA))
    assert (table.structure, table.next().structure) == (OMAHA, RAZZ)


def test_invalid_choice_is_refused() -> None:
    table = seated(CHOICE)
    with pytest.raises(NoSuchStructure, match=r"game: expected one of .*, got badugi"):
        table.choose("badugi")
    with pytest.raises(NoSuchStructure, match="no game is called 'poker'"):
        table.choose("poker")
    with pytest.raises(TableError, match="before a hand is set up"):
        table.next().choose("razz")
    with pytest.raises(TableError, match="has a fixed order of games"):
        seated(HORSE).choose("razz")
    orbit = played(seated(replace(CHOICE, hands=None)).choose("razz"))
    with pytest.raises(TableError, match="a game can only be chosen after 2 more hands of limit razz"):
        orbit.choose("omaha")


# --- recorded hands, names, refusals


def test_a_hand_recorded_elsewhere_turns_to_the_game_that_was_due_or_is_named() -> None:
    whole = taken = seated(HORSE, moving="button")
    for _ in range(7):
        whole = played(whole)
        stacks = {chair.seat: chair.chips for chair in whole.chairs}
        assert whole.button is not None
        taken = taken.after(stacks, hand=whole.hand, button=whole.button)
        assert (taken.structure, taken.left, taken.next().structure) == (
            whole.structure,
            whole.left,
            whole.next().structure,
        )
    named = seated(CHOICE, moving="button").after({0: 2000, 1: 2000, 2: 2000}, hand=1, button=0, game="omaha")
    assert (named.structure, named.next().structure) == (OMAHA, RAZZ)


def test_a_hand_of_another_game_of_the_list_is_not_taken_back() -> None:
    table = seated(Mixed("two", (GameAtStakes(LIMIT_HOLDEM), GameAtStakes(BADUGI)), hands=1))
    first = table.next().deal(LIMIT_HOLDEM.deck)
    second = played(table).next().deal(BADUGI.deck)
    with pytest.raises(TableError, match="expected the game, stakes and stacks that were dealt at this table"):
        second.table.finish(checked_down(first.hand))


def test_names() -> None:
    assert find_mixed("Horse") is HORSE
    assert find_mixed("eight-game") is find_mixed("EIGHT_GAME") is EIGHT_GAME
    with pytest.raises(NoSuchStructure, match="mixed game: expected one of horse, eight_game, got 'razz'"):
        find_mixed("razz")
    assert len(Table.open(TEN_TWENTY, game="horse").games.games) == 5
    assert len(Table.open(TEN_TWENTY, game="razz").games.games) == 1


@pytest.mark.parametrize(
    ("games", "settings"),
    [((), {}), ((RAZZ,), {}), ((GameAtStakes(RAZZ),), {"hands": 0}), ((GameAtStakes(RAZZ),), {"choice": 1})],
)
def test_lists_that_make_no_sense_are_refused(games: tuple[GameAtStakes, ...], settings: dict[str, int]) -> None:
    with pytest.raises(StakesError):
        Mixed("x", games, **settings)  # type: ignore[arg-type]  # wrong on purpose


def test_more_that_makes_no_sense() -> None:
    settings: tuple[dict[str, Any], ...] = ({"stakes": 5}, {"percent": 0})
    for wrong in settings:
        with pytest.raises(StakesError):
            GameAtStakes(RAZZ, **wrong)
    with pytest.raises(NoSuchStructure, match="no game is called 'poker'"):
        GameAtStakes(structure="poker")
    with pytest.raises(StakesError, match="bring_in: expected 1 to 20"):
        Table.open(TableStakes(big_blind=20, bring_in=21), game="razz")
    with pytest.raises(StakesError, match="bring_in: expected 1 to 20"):
        Table.open(TableStakes(small_blind=10, big_blind=20, bring_in=0), game=HORSE)
    with pytest.raises(TableError, match="big_blind: expected an even number"):
        Table.open(TableStakes(small_blind=1, big_blind=2), game=EIGHT_GAME)
    with pytest.raises(TableError, match="seat_count: expected at most 8 for HORSE, got 9"):
        Table.open(TEN_TWENTY, game=HORSE, seat_count=9)


def test_a_ninth_player_does_not_sit_down_to_stud() -> None:
    table = Table.open(TEN_TWENTY, game="razz")
    for name in "abcdefgh":
        table = table.sit(name, 100)
    with pytest.raises(TableError, match="razz has at most 8 players"):
        table.sit("i", 100)
    assert len(table.next().order) == 8
