"""PokerKit, written by others and in another way, plays the same hands to the same stacks, or we know why not."""

from collections import Counter

import pytest

from pitboss.betting import core
from pitboss.betting.actions import Call
from pitboss.betting.round import Post
from pitboss.betting.rules import Reopening
from pitboss.cards import DECK, read_cards
from pitboss.chance import Chance
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds
from tests.support.laws.many import play_all
from tests.support.laws.tables import REOPENINGS, some_table
from tests.support.twin.pokerkit_pots import HABITS, habits_that_matter, payout
from tests.twin.against_pokerkit import REASONS, open_state, play, play_table

COUNTED = {"hands", "hands to the end", "decisions", "numbers compared", "paid otherwise"}

# For every reason a hand of seed 1 that needs it.
EXAMPLES = {
    "free_fold": 0,
    "cap_counts_the_blind": 3,
    "pots_merged_for_winners": 6,
    "short_blind_keeps_price": 9,
    "heads_up_equal_blinds": 12,
    "last_player_asked": 36,
    "odd_chips_to_the_first": 36,
    "short_bet_is_completed": 43,
    "first_raise_counts_as_full": 44,
    "low_of_another_pot": 186,
    "half_bet_reopens": 1897,
    "short_blind_still_opens": 2426,
    "nobody_can_pay_more": 2583,
    "cap_counts_short_all_ins": 2661,
    "single_raise_reopens": 6271,
    "folded_bet_returned": 10956,
}


@pytest.mark.parametrize("reopening", REOPENINGS, ids=lambda reopening: reopening.name.lower())
@pytest.mark.parametrize("code", STRUCTURES)
def test_hands_agree(code: str, reopening: Reopening) -> None:
    counts: Counter[str] = Counter()
    for number in range(25):
        chance = Chance(11).fork(number)
        counts += play_table(some_table(chance, STRUCTURES[code], reopening), chance)
    dropped = {f"dropped: {reason}" for reason in REASONS}
    assert counts["hands"] == 25
    assert counts["hands to the end"] >= 12
    assert set(counts) <= COUNTED | set(REASONS) | dropped


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_has_its_hand(reason: str) -> None:
    assert play(1, EXAMPLES[reason])[reason] > 0


def test_reasons_are_sentences() -> None:
    assert REASONS.keys() == EXAMPLES.keys()
    assert [reason for reason, why in REASONS.items() if not why[0].isupper() or not why.endswith(".")] == []
    assert set(HABITS) <= REASONS.keys()


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("least", lambda rules, s, p: min(s.price + 1, s.bets[p] + s.stacks[p])),
        ("most", lambda rules, s, p: s.bets[p] + s.stacks[p]),
        ("answerable", lambda s, p: True),
    ],
)
def test_a_difference_without_a_reason_fails(name: str, wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, name, wrong)
    with pytest.raises(AssertionError, match="LawBroken: PokerKit agrees"):
        play_all(play, 1, range(60))


def test_both_sides_hold_the_same_cards() -> None:
    table = some_table(Chance(12), NO_LIMIT_HOLDEM)
    hand, _ = table.deal()
    dealt = [tuple(map(repr, cards)) for cards in open_state(table).hole_cards]
    assert dealt == list(hand.holes)


def test_odd_chips_by_example() -> None:
    """Three players split 8 chips: ours 3, 3 and 2, PokerKit's 4, 2 and 2."""
    board = read_cards("AsKsQsJsTs")
    holes = [card for card in DECK if card not in board][:6]
    stakes = Stakes(min_bet=2, posts=(*blinds(3, 1, 2), Post(2, 2, live=False)))
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(2, 2, 4), stakes=stakes, deck=(*holes, *board))
    for _ in range(2):
        hand, _ = hand.act(Call())
    assert hand.over
    assert payout(hand, ()) == list(hand.stacks) == [3, 3, 2]
    assert payout(hand, HABITS) == [4, 2, 2]
    assert habits_that_matter(hand) == ["odd_chips_to_the_first"]
