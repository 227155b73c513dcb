"""What `next` changed, players who go in the middle of a hand, and decks from a seed or from the operating system."""

import pytest

import pitboss
from pitboss.betting.events import Folded, Posted
from pitboss.hand.events import Shown
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.table import ButtonMoved, Left, Owes, Returned, SatOut, Table, TableError, TableStakes
from pitboss.table.rotation import State
from pitboss.table.table import DealtHand

ONE_TWO = TableStakes(small_blind=1, big_blind=2)


def seated(*names: str, stakes: TableStakes = ONE_TWO, chips: int = 100) -> Table:
    table = Table.open(stakes)
    for name in names:
        table = table.sit(name, chips)
    return table


def folded_round(table: Table) -> Table:
    dealt = table.next().deal(seed=1)
    while not dealt.hand.over:
        dealt = dealt.act("fold")
    return dealt.finish()


def test_the_first_hand_has_everyone_a_button_and_blinds() -> None:
    table = seated("ann", "bob", "cleo").next()
    assert table.changes == (
        Returned(0, "ann", 0),
        Returned(1, "bob", 0),
        Returned(2, "cleo", 0),
        ButtonMoved(2),
        Posted(0, 1, live=True),
        Posted(1, 2, live=True),
    )


def test_pause_is_reported_once_and_missed_blinds_until_they_are_paid() -> None:
    table = folded_round(seated("ann", "bob", "cleo", "dan")).wish("cleo", "pauses").next()
    assert table.changes[:2] == (SatOut(2, "cleo"), Owes(2, "cleo", missed=2, amount=2))
    table = folded_round_of(table).next()
    assert [change for change in table.changes if isinstance(change, SatOut | Owes)] == [Owes(2, "cleo", 1, 3)]
    table = folded_round_of(table).wish("cleo", "plays").next()
    assert Returned(2, "cleo", paid=3) in table.changes


def folded_round_of(table: Table) -> Table:
    dealt = table.deal(seed=1)
    while not dealt.hand.over:
        dealt = dealt.act("fold")
    return dealt.finish()


def test_player_who_left_takes_the_chips_even_if_the_table_then_waits() -> None:
    table = folded_round(seated("ann", "bob", "cleo"))
    chips = table.find("cleo").chips
    assert table.wish("cleo", "leaves").next().changes[0] == Left(2, "cleo", chips)
    waiting = table.wish("cleo", "leaves").wish("bob", "leaves").next()
    assert waiting.phase == "waiting"
    assert [change for change in waiting.changes if isinstance(change, Left)] == [
        Left(1, "bob", table.find("bob").chips),
        Left(2, "cleo", chips),
    ]


def test_short_blind_is_posted_with_all_remaining_chips() -> None:
    table = Table.open(TableStakes(small_blind=5, big_blind=10, ante=2), least_buy_in=1)
    table = table.sit("ann", 100).sit("bob", 100).next()
    short = table.deal(seed=1)
    while not short.hand.over:
        short = short.act("fold")
    stacks = {chair.seat: chair.chips for chair in short.table.chairs}
    assert table.button is not None
    after = short.table.after({0: 7, 1: sum(stacks.values()) - 7}, hand=1, button=table.button).next()
    assert (
        Posted(0, 5, live=True, all_in=True) in after.changes or Posted(1, 5, live=True, all_in=True) in after.changes
    )


@pytest.mark.parametrize("state", ["pauses", "waits", "leaves"])
def test_player_who_leaves_in_the_hand_is_folded_on_their_turn(state: State) -> None:
    dealt = seated("ann", "bob", "cleo").next().deal(seed=7)
    gone = dealt.wish("bob", state)
    assert not gone.hand.round.folded[1]
    gone = gone.act("call").act("call")
    assert (gone.events[-2], gone.hand.round.folded[1]) == (Folded(1), True)


def test_player_who_leaves_on_their_turn_is_folded_at_once() -> None:
    dealt = seated("ann", "bob").next().deal(seed=7)
    ended = dealt.wish("ann", "leaves")
    assert ended.hand.over
    assert {chair.who: chair.chips for chair in ended.finish().chairs} == {"ann": 99, "bob": 101}


def test_all_in_player_who_leaves_keeps_the_claim_on_the_pot() -> None:
    dealt = seated("ann", "bob", "cleo").next().deal(seed=7).act("all in").wish("cleo", "leaves")
    ended = dealt.act("call").act("fold")
    assert ended.hand.over
    assert {event.place for event in ended.events if isinstance(event, Shown)} == {0, 2}


def test_every_game_continues_without_players_who_leave() -> None:
    for code, structure in STRUCTURES.items():
        table = Table.open(TableStakes(small_blind=2, big_blind=4, ante=1), structure=structure)
        dealt: DealtHand = table.sit("ann", 100).sit("bob", 100).sit("cleo", 100).next().deal(seed=3)
        for name in ("bob", "cleo"):
            dealt = dealt.wish(name, "pauses")
        moves = 0
        while not dealt.hand.over and moves < 40:
            dealt, moves = dealt.act(dealt.hand.legal()[0 if dealt.hand.phase != "bet" else -1]), moves + 1
        assert dealt.hand.over, code
        dealt.finish().audit()


def test_a_seed_is_a_deck_and_not_both() -> None:
    table = seated("ann", "bob").next()
    assert table.deal(seed=7).hand == table.deal(seed=7).hand
    assert table.deal(seed=7).hand != table.deal(seed=8).hand
    with pytest.raises(TableError, match="expected either a deck or a seed, got both"):
        table.deal(NO_LIMIT_HOLDEM.deck, seed=7)


def test_a_secure_deck_has_every_card_of_the_game_once_in_an_order_of_its_own() -> None:
    for game in ("NT", "short_deck_holdem", NO_LIMIT_HOLDEM):
        deck, another = pitboss.secure_deck(game), pitboss.secure_deck(game)
        assert sorted(deck) == sorted(pitboss.find_structure(game).deck)
        assert deck != another
    assert seated("ann", "bob").next().deal(pitboss.secure_deck()).hand.deck is not None
