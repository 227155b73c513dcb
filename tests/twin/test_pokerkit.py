"""PokerKit, written by others and in another way, plays the same hands to the same stacks, or we know why not."""

from collections import Counter

import pytest

from pitboss.betting import core
from pitboss.betting.core import Seen
from pitboss.betting.events import Call
from pitboss.betting.round import Post
from pitboss.betting.rules import Rules
from pitboss.cards import DECK, read_cards
from pitboss.chance import Chance
from pitboss.hand.games import NO_LIMIT_HOLDEM, PHH_CODES, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds
from tests.support.for_each import for_each
from tests.support.laws.laws import LawBroken
from tests.support.laws.many import play_all
from tests.support.laws.tables import REOPENINGS, some_table
from tests.support.twin.pokerkit_pots import HABITS, habits_that_matter, payout
from tests.twin.against_pokerkit import REASONS, Pair, expressible, play, play_table

COUNTED = {"hands", "hands to the end", "decisions", "draws", "numbers compared", "paid otherwise"}

SIZES = core.sizes

# For every reason a game, and a hand of seed 1 that needs it.
EXAMPLES = {
    "free_fold": ("FT", 1),
    "short_blind_keeps_price": ("PO", 2),
    "pots_merged_for_winners": ("FO/8", 3),
    "bring_in_is_no_price_yet": ("F7S/8", 6),
    "cap_counts_the_blind": ("F2L3D", 9),
    "short_bet_is_completed": ("FB", 21),
    "last_player_asked": ("F7S/8", 28),
    "heads_up_equal_blinds": ("PO", 57),
    "cap_counts_short_all_ins": ("F7S/8", 105),
    "first_raise_counts_as_full": ("NT", 121),
    "odd_chips_to_the_first": ("NS", 367),
    "half_bet_reopens": ("F2L3D", 438),
    "mucked_cards_dealt_again": ("F7S", 478),
    "low_of_another_pot": ("F7S/8", 842),
    "nobody_can_pay_more": ("F2L3D", 1791),
    "short_blind_still_opens": ("FO/8", 2357),
    "completion_measured_from_the_bring_in": ("N7S", 28),
    "single_raise_reopens": ("NT", 691),
    "folded_bet_returned": ("NT", 114927),
}


def example(code: str, number: int) -> Counter[str]:
    """A hand of some game."""
    chance = Chance(1).fork(number)
    return play_table(some_table(chance, STRUCTURES[code]), chance)


@pytest.mark.check
@pytest.mark.parametrize("code", STRUCTURES)
def test_hands_agree(code: str) -> None:
    counts: Counter[str] = Counter()
    for number in range(16):
        chance = Chance(11).fork(number)
        counts += play_table(some_table(chance, STRUCTURES[code], REOPENINGS[number % len(REOPENINGS)]), chance)
    dropped = {f"dropped: {reason}" for reason in REASONS} | {f"dropped of {code}", f"hands of {code}"}
    assert counts["hands"] == counts[f"hands of {code}"] == 16
    assert counts["hands to the end"] >= 8
    assert set(counts) <= COUNTED | set(REASONS) | dropped
    assert ("draws" in counts) == STRUCTURES[code].draws


def test_a_run_plays_as_many_of_each_game_of_the_standard() -> None:
    counts = play_all(play, 1, range(2 * len(PHH_CODES)))
    assert {code: counts[f"hands of {code}"] for code in PHH_CODES} == dict.fromkeys(PHH_CODES, 2)


@for_each("reason", REASONS)
def test_every_reason_has_its_hand(reason: str) -> None:
    assert example(*EXAMPLES[reason])[reason] > 0


def test_reasons_are_sentences() -> None:
    assert REASONS.keys() == EXAMPLES.keys()
    assert [reason for reason, why in REASONS.items() if not why[0].isupper() or not why.endswith(".")] == []
    assert set(HABITS) <= REASONS.keys()


def play_on(hands: int) -> None:
    """Play until something differs without a reason."""
    for number in range(hands):
        play(1, number)


def any_raise(rules: Rules, s: Seen, p: int) -> tuple[int, int, int]:
    """Sizes for which a chip more than the price is enough."""
    full, _, high = SIZES(rules, s, p)
    return full, min(s.price + 1, s.bets[p] + s.stacks[p]), high


def no_ceiling(rules: Rules, s: Seen, p: int) -> tuple[int, int, int]:
    """Sizes in games in which a player can bet their whole stack."""
    full, low, _ = SIZES(rules, s, p)
    return full, low, s.bets[p] + s.stacks[p]


@pytest.mark.check
@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("sizes", any_raise),
        ("sizes", no_ceiling),
        ("answerable", lambda s, p: True),
        ("brings_in", lambda rules, s: False),
    ],
)
def test_a_difference_without_a_reason_fails(name: str, wrong: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, name, wrong)
    with pytest.raises(LawBroken, match="PokerKit agrees"):
        play_on(88)


@for_each("code", PHH_CODES)
def test_both_sides_hold_the_same_cards(code: str) -> None:
    pair = Pair(expressible(some_table(Chance(12), STRUCTURES[code])), Chance(12))
    pair.deal_there()
    dealt = [tuple(map(repr, cards)) for cards in pair.state.hole_cards]
    assert dealt == list(pair.hand.holes)
    showing = [tuple(map(repr, pair.state.get_up_cards(p))) for p in pair.state.player_indices]
    assert showing == [pair.hand.up_cards(p) for p in pair.state.player_indices]


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
