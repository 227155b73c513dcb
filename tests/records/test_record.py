"""The record of a played hand replays to the same stacks, in every game and under all house rules."""

from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.betting.events import Call, Check, Fold, Folded
from pitboss.betting.round import Post
from pitboss.betting.rules import Reopening
from pitboss.chance import Chance
from pitboss.formats.phh import foreign_words, read_phh, write_phh
from pitboss.hand.events import BoardDealt, Event, HoleDealt, UpDealt
from pitboss.hand.games import NO_LIMIT_HOLDEM, PHH_CODES, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Rake, Stakes, Street, Structure, blinds
from pitboss.records.moves import spell_moves
from pitboss.records.record import Record, RecordingError, record_hand
from pitboss.records.replay import ReplayError, replay
from pitboss.table import Table as TypedTable
from pitboss.table import TableStakes
from pitboss.table.stakes import Kill
from tests.support.for_each import for_each
from tests.support.laws.tables import TEMPERS, Table, some_answer, some_table, with_house_rules

HANDS = 40
"""Random hands of each game."""


def played(table: Table, chance: Chance) -> tuple[Hand, tuple[Event, ...]]:
    """Play a hand to its end at random."""
    temper = chance.choice(TEMPERS)
    hand, events = table.deal()
    while not hand.over:
        hand, happened = hand.act(some_answer(hand, chance, temper))
        events += happened
    return hand, events


def live_first(table: Table) -> Table:
    """Return the table with dead posts after live posts, as records have them."""
    posts = table.stakes.posts
    posts = (*[post for post in posts if post.live], *[post for post in posts if not post.live])
    return replace(table, stakes=replace(table.stakes, posts=posts))


@pytest.mark.check
@for_each("code", STRUCTURES)
def test_written_record_replays_to_the_same_stacks(code: str) -> None:
    for number in range(HANDS):
        chance = Chance(14).fork(number)
        table = live_first(with_house_rules(some_table(chance, STRUCTURES[code]), chance))
        hand, events = played(table, chance)
        record = record_hand(table.stacks, hand, events)
        again = read_phh(write_phh(record))
        assert again == record
        outcome = replay(again)
        assert outcome.finishing_stacks == record.finishing_stacks == hand.stacks, (code, number)
        assert outcome.hand.house == hand.house
        assert outcome.hand.board == hand.board


def test_random_hands_use_all_fields_and_moves() -> None:
    named: set[str] = set()
    moves: set[str] = set()
    for number in range(400):
        chance = Chance(15).fork(number)
        table = live_first(with_house_rules(some_table(chance), chance))
        record = record_hand(table.stacks, *played(table, chance))
        named |= record.user.keys()
        moves |= {text.split()[1] for text in record.actions}
    assert named == {"_runs", "_bomb", "_openPair", "_rakeRule", "_deadMoney", "_deadPosts", "_reopening"}
    assert moves == {"dh", "db", "f", "cc", "cbr", "pb", "sd", "sm"}


def test_cards_of_one_street_are_one_move() -> None:
    third = (HoleDealt(0, ("2c", "3c")), HoleDealt(1, ("4c", "5c")), UpDealt(0, ("6c",)), UpDealt(1, ("7c",)))
    later = (UpDealt(0, ("8c",)), UpDealt(1, ("9c",)), HoleDealt(0, ("Tc",)), HoleDealt(1, ("Jc",)))
    assert spell_moves((*third, *later, BoardDealt("SEVENTH_STREET", ("Qc",)))) == (
        *("d dh p1 2c3c6c", "d dh p2 4c5c7c", "d dh p1 8c", "d dh p2 9c", "d dh p1 Tc", "d dh p2 Jc", "d db Qc"),
    )


def test_given_fields_are_added_and_do_not_replace_house_rules() -> None:
    stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2), runs=2)
    hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(9, 9), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    record = record_hand((9, 9), hand, events, event="x", players=("ann", "bob"), user={"_mine": 1})
    assert record.finishing_stacks is None
    assert (record.event, record.players, record.user) == ("x", ("ann", "bob"), {"_runs": 2, "_mine": 1})


START = Stakes(min_bet=2, posts=blinds(3, 1, 2))


@for_each(
    "structure, stakes, sentence",
    [
        (replace(NO_LIMIT_HOLDEM, code="mine"), START, "no-limit hold'em is a custom game"),
        (replace(NO_LIMIT_HOLDEM, streets=(Street("ONE", hole=5),)), START, "no-limit hold'em is a custom game"),
        (NO_LIMIT_HOLDEM.with_betting(free_fold=False), START, "no-limit hold'em has betting rules that"),
        (NO_LIMIT_HOLDEM, replace(START, price=4), "price: expected the amount of the highest blind"),
        (
            NO_LIMIT_HOLDEM,
            replace(START, posts=(Post(2, 1, live=False), *START.posts, Post(2, 2))),
            "place 2 posts dead before live",
        ),
        (NO_LIMIT_HOLDEM, replace(START, posts=(*START.posts, Post(0, 3))), "place 0 has two posts of one kind"),
    ],
)
def test_hands_without_a_record_are_refused(structure: Structure, stakes: Stakes, sentence: str) -> None:
    hand, events = Hand.start(structure, stacks=(99, 99, 99), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    with pytest.raises(RecordingError, match=f"^{sentence}"):
        record_hand((99, 99, 99), hand, events)


@pytest.mark.parametrize("opener", [None, 0, 1, 2])
def test_opener_is_recorded_if_it_differs_from_the_blinds(opener: int | None) -> None:
    stakes = replace(START, opener=opener)
    hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(99, 99, 99), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    for _ in range(2):
        hand, folded = hand.act(Fold())
        events += folded
    record = record_hand((99, 99, 99), hand, events)
    assert record.user == ({"_opener": opener} if opener in (0, 1) else {})
    assert replay(read_phh(write_phh(record))).finishing_stacks == hand.stacks
    assert len(foreign_words(record)) == len(record.user)


@pytest.mark.parametrize("small", [5, 10], ids=["half", "alike"])
def test_heads_up_hand_of_a_larger_table_is_plain_phh(small: int) -> None:
    table = TypedTable.open(TableStakes(small_blind=small, big_blind=10), seat_count=6)
    dealt = table.sit("ann", 100).sit("bob", 100).next().deal(NO_LIMIT_HOLDEM.deck)
    hand, folded = dealt.hand.act(Fold())
    record = record_hand((100, 100), hand, dealt.events + folded)
    assert record.user == {}
    assert replay(record).finishing_stacks == hand.stacks


@for_each("opener", [None, 0, 1])
@for_each("posts", [(), (Post(0, 2, option=True), Post(1, 2, option=True)), (Post(1, 2),)])
def test_heads_up_opener_with_unusual_blinds(posts: tuple[Post, ...], opener: int | None) -> None:
    stakes = Stakes(min_bet=2, posts=posts, antes=(1, 1), opener=opener)
    hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(99, 99), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    first = hand.round.turn
    hand, folded = hand.act(Fold())
    again = replay(record_hand((99, 99), hand, events + folded))
    assert again.finishing_stacks == hand.stacks
    assert next(event.place for event in again.events if isinstance(event, Folded)) == first


@pytest.mark.parametrize("kill", ["half", "full"])
def test_a_killed_hand_is_recorded_and_replays(kill: Kill) -> None:
    table = TypedTable.open(TableStakes(small_blind=10, big_blind=20, kill=kill), structure="FT", seat_count=6)
    for name in "abcd":
        table = table.sit(name, 1000)
    seen = set()
    for number in range(12):
        table = table.next()
        stacks = [table.chair(seat).chips for seat in table.order]
        dealt = table.deal(Chance(number).shuffled(table.structure.deck))
        hand, events = dealt.hand, dealt.events
        while not hand.over:
            wins = table.order[hand.round.turn] == 2
            hand, happened = hand.act((Check() if hand.offer.check else Call()) if wins else Fold())
            events += happened
        record = record_hand(stacks, hand, events)
        assert replay(read_phh(write_phh(record))).finishing_stacks == hand.stacks
        seen.add((table.killer, "_opener" in record.user))
        table = dealt.table.finish(hand)
    assert (2, True) in seen
    assert (None, False) in seen
    assert (None, True) not in seen


def test_reopening_is_recorded_and_cap_is_not() -> None:
    structure = NO_LIMIT_HOLDEM.with_betting(cap=2, reopening=Reopening.CUMULATIVE)
    hand, events = Hand.start(structure, stacks=(99, 99, 99), stakes=START, deck=NO_LIMIT_HOLDEM.deck)
    assert record_hand((99, 99, 99), hand, events).user == {"_reopening": "cumulative"}


# --- house rules

TWICE = Record(
    variant="NT",
    antes=(0, 0),
    blinds_or_straddles=(1, 2),
    min_bet=2,
    starting_stacks=(50, 50),
    actions=(
        *("d dh p1 AsAd", "d dh p2 KsKd", "p2 cbr 50", "p1 cc", "d db 2c3c4d", "d db 9h", "d db 8h"),
        *("d db 2s3s4h", "d db 9s", "d db Kh", "p1 sm AsAd", "p2 sm KsKd"),
    ),
    user={"_runs": 2},
)


def test_board_run_twice() -> None:
    outcome = replay(TWICE)
    assert outcome.finishing_stacks == (50, 50)
    assert outcome.hand.board == ("2s", "3s", "4h", "9s", "Kh")
    with pytest.raises(ReplayError, match="card_twice"):
        replay(replace(TWICE, actions=tuple(text.replace("9s", "9h") for text in TWICE.actions)))
    with pytest.raises(ReplayError, match=r"^action 8: 'd db 2s3s4h': not_dealing"):
        replay(replace(TWICE, user={}))


def test_a_bomb_pot_and_a_rake() -> None:
    deal = ("d dh p1 AsAd", "d dh p2 KsKd", "d db 2c3c4d", "p1 cbr 10", "p2 f")
    bomb = replace(TWICE, antes=(20, 20), blinds_or_straddles=(0, 0), actions=deal, user={"_bomb": True})
    assert replay(bomb).finishing_stacks == (70, 30)
    raked = replay(replace(bomb, user={"_bomb": True, "_rakeRule": {"thousandths": 100, "cap": 3}}))
    assert raked.finishing_stacks == (67, 30)
    assert raked.hand.house == 3
    assert raked.hand.stakes.rake == Rake(thousandths=100, cap=3)


@for_each(
    "fields, sentence",
    [
        ({"_runs": 5}, "_runs: expected a whole number from 1 to 4, got 5"),
        ({"_runs": True}, "_runs: expected a whole number from 1 to 4, got True"),
        ({"_bomb": 1}, "_bomb: expected true or false, got 1"),
        ({"_bomb": True}, "blinds: a bomb pot has antes only"),
        ({"_openPair": "yes"}, "_openPair: expected true or false, got 'yes'"),
        ({"_rakeRule": 5}, "_rakeRule: expected a table such as {thousandths = 50, cap = 6}, got 5"),
        ({"_rakeRule": {"thousandths": 50, "cap": -1}}, "_rakeRule, cap: expected an amount from 0, got -1"),
        ({"_opener": -1}, "_opener: expected the index of a player, from 0, got -1"),
        ({"_opener": True}, "_opener: expected the index of a player, from 0, got True"),
        ({"_opener": 2}, "p3 is not dealt in"),
        ({"_rakeRule": {"thousandths": 5000}}, "thousandths: expected 0 to 1000 of the pot, got 5000"),
    ],
)
def test_invalid_house_rules_are_refused(fields: dict[str, object], sentence: str) -> None:
    with pytest.raises(ReplayError) as caught:
        replay(replace(TWICE, user=fields))
    assert str(caught.value) == sentence


def test_foreign_words_names_fields_unknown_to_other_programs() -> None:
    assert foreign_words(replace(TWICE, user={"_mine": 1})) == ()
    assert foreign_words(TWICE) == ("_runs: only pitboss has this field; other programs cannot replay the hand",)
    own = set(STRUCTURES) - set(PHH_CODES)
    assert len(own) == 31
    for code in own:
        (sentence,) = foreign_words(replace(TWICE, variant=code, user={}))
        assert sentence == f"variant {code}: only pitboss uses this code"


@pytest.mark.check
@for_each("code", STRUCTURES)
def test_record_needs_all_events_of_the_hand(code: str) -> None:
    for number in range(4):
        chance = Chance(31).fork(number)
        table = live_first(with_house_rules(some_table(chance, STRUCTURES[code]), chance))
        temper = chance.choice(TEMPERS)
        hand, events = table.deal()
        happened: tuple[Event, ...] = ()
        while True:
            assert Record.from_hand(hand, events).starting_stacks == table.stacks
            if happened:
                for some in (happened, (), events[: -len(happened)]):
                    with pytest.raises(RecordingError, match=r"^expected all events of this hand"):
                        Record.from_hand(hand, some)
            if hand.over:
                break
            hand, happened = hand.act(some_answer(hand, chance, temper))
            events += happened


def test_record_is_made_from_events_only() -> None:
    stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2))
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(9, 9), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    letters: Any = "abc"
    with pytest.raises(RecordingError, match=r"^expected an event of a hand, got 'a'$"):
        Record.from_hand(hand, letters)


def test_record_refuses_events_of_a_hand_with_more_players() -> None:
    stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2))
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(9, 9), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    straddled = Stakes(min_bet=2, posts=blinds(3, 1, 2, 4))
    _, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(9, 9, 9), stakes=straddled, deck=NO_LIMIT_HOLDEM.deck)
    with pytest.raises(RecordingError, match=r"^expected all events of this hand"):
        Record.from_hand(hand, events)
