"""The usual hand in one line: every game by its name, the stakes that people say, and one sentence for the rest."""

from typing import Any

import pytest

from pitboss.betting.refusals import SetupError
from pitboss.cards import write_cards
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import PlayersTurn
from pitboss.hand.games import LIMIT_HOLDEM, NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, Structure, blinds
from tests.support.for_each import for_each

STACKS = (1000, 1000, 30)


def usual(structure: Structure) -> dict[str, Any]:
    """What one says to start a game of each kind."""
    stud = {"ante": 2, "bring_in": 5, "min_bet": 20}
    return stud if structure.betting.bring_in else {"blinds": (10, 20)}


def test_a_hand_in_one_line_is_the_hand_that_start_gives() -> None:
    stakes = Stakes(min_bet=20, posts=blinds(3, 10, 20))
    whole = Hand.start(NO_LIMIT_HOLDEM, stacks=STACKS, stakes=stakes, deck=Chance(7).shuffled(NO_LIMIT_HOLDEM.deck))
    for game in ("no_limit_holdem", "No-Limit Holdem", "NT", NO_LIMIT_HOLDEM):
        assert Hand.deal(game, stacks=STACKS, blinds=(10, 20), seed=7) == whole


@for_each("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_every_game_is_dealt_by_its_name_and_played_by_word(structure: Structure) -> None:
    hand, events = Hand.deal(structure.key, stacks=(500, 500, 60), **usual(structure), seed=3)
    assert hand.structure is structure
    assert events
    while not hand.over:
        assert isinstance(hand.turn, PlayersTurn)
        offer = hand.offer
        hand, _ = hand.act("stand pat" if offer.draw else "check" if offer.check else "call")
        assert sum(hand.stacks) + hand.pot == 1060
    assert hand.pot == 0


@pytest.mark.parametrize(("name", "code"), [("holdem", "NT"), ("PLO", "PO"), ("stud", "F7S"), ("short deck", "NS")])
def test_a_game_is_dealt_by_the_short_name_that_equities_know_too(name: str, code: str) -> None:
    stakes = usual(STRUCTURES[code])
    assert Hand.deal(name, stacks=STACKS, seed=7, **stakes) == Hand.deal(code, stacks=STACKS, seed=7, **stakes)


def test_bets_default_to_the_blinds_or_are_given() -> None:
    hand, _ = Hand.deal(LIMIT_HOLDEM, stacks=STACKS, blinds=(10, 20), seed=1)
    assert (hand.stakes.min_bet, hand.stakes.big_bet) == (20, 40)
    hand, _ = Hand.deal(LIMIT_HOLDEM, stacks=STACKS, blinds=(10, 20), big_bet=60, seed=1)
    assert (hand.stakes.min_bet, hand.stakes.big_bet) == (20, 60)
    hand, _ = Hand.deal("NT", stacks=STACKS, blinds=(10, 20, 40), seed=1)
    assert (hand.stakes.min_bet, hand.round.price, hand.turn) == (20, 40, PlayersTurn(0))
    hand, _ = Hand.deal("NS", stacks=STACKS, blinds=(0, 0, 20), ante=5, min_bet=20, seed=1)
    assert (hand.round.bets, hand.stakes.antes) == ((0, 0, 20), (5, 5, 5))
    assert hand == Hand.deal("short_deck", stacks=STACKS, blinds=(0, 0, 20), ante=5, seed=1)[0]
    hand, _ = Hand.deal("NT", stacks=STACKS, blinds=(10, 20), antes=(0, 20, 0), seed=1)
    assert hand.stakes.antes == (0, 20, 0)
    hand, _ = Hand.deal("NT", stacks=(100, 100), min_bet=2, ante=1, seed=1)
    assert (hand.pot, hand.offer.check) == (2, True)


def test_the_seed_decides_the_cards_and_a_deck_has_them_in_order() -> None:
    first, again, other = [Hand.deal("NT", stacks=STACKS, blinds=(1, 2), seed=seed)[0] for seed in (7, 7, 8)]
    assert first == again != other
    cards = "As Kd Qh Ad Kc Qs 2h 7c 9d 3s 4d"
    given, _ = Hand.deal("NT", stacks=STACKS, blinds=(1, 2), deck=cards)
    assert given.holes == (("As", "Ad"), ("Kd", "Kc"), ("Qh", "Qs"))
    assert Hand.deal("NT", stacks=STACKS, blinds=(1, 2), deck=cards.split())[0] == given
    assert write_cards(given.deck or ()) == "2h7c9d3s4d"


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("NT", {}, "no-limit hold'em needs blinds=, such as (10, 20), or min_bet= if there are no blinds"),
    ("NT", {"blinds": 20}, "blinds: expected amounts such as (10, 20), got 20"),
    ("NT", {"blinds": "10"}, "blinds: expected amounts such as (10, 20), got '10'"),
    ("NT", {"blinds": (10, 20), "stacks": 1000}, "stacks: expected amounts such as (1000, 1000), got 1000"),
    (
        "NT",
        {"blinds": (10, 20), "seed": None},
        "give seed=, a number that shuffles the deck, or deck=, ",
    ),
    (
        "NT",
        {"blinds": (10, 20), "deck": "AsKd"},
        "give seed=, a number that shuffles the deck, or deck=, ",
    ),
    ("NT", {"blinds": (10, 20), "seed": "x"}, "seed: expected a whole number, got 'x'"),
    ("NT", {"blinds": (10, 20), "seed": None, "deck": "AsKd"}, "deck: expected at least 11 cards for 3 players, got 2"),
    ("NT", {"blinds": (10, 20), "seed": None, "deck": "AsKx"}, "unknown card 'Kx': "),
    ("NT", {"blinds": (10, -20)}, "blind: expected a whole number of chips from 0, got -20"),
    ("NT", {"blinds": (1, 2, 4, 8)}, "blinds: expected at most 3, one per player, got 4"),
    (
        "NT",
        {"blinds": (10, 20), "ante": 1, "antes": (1, 1, 1)},
        "give ante=, which every player pays, or antes=, ",
    ),
    ("NT", {"blinds": (10, 20), "antes": (1, 1)}, "antes: expected 3, one per player, got 2"),
    ("NT", {"blinds": (10, 20), "ante": -1}, "ante: expected a whole number of chips from 0, got -1"),
    ("NT", {"blinds": (10, 20), "bring_in": 5}, "bring_in: no-limit hold'em has blinds instead"),
    ("NT", {"blinds": (20,), "stacks": (5,)}, "players: expected at least two, got 1"),
    ("NT", {"blinds": (0, 0)}, "min_bet: expected at least one chip, got 0"),
    ("razz", {"blinds": (10, 20)}, "limit razz has no blinds: give ante=, bring_in= and min_bet=, the small bet"),
    ("razz", {"ante": 2, "bring_in": 5}, "limit razz needs bring_in= and min_bet=, the small bet, such as 5 and 20"),
    ("razz", {"ante": 2, "min_bet": 20}, "limit razz needs bring_in= and min_bet=, the small bet, such as 5 and 20"),
    ("razz", {"bring_in": 25, "min_bet": 20}, "bring_in: expected 1 to 20 in limit razz, got 25"),
    ("poker", {"blinds": (10, 20)}, "no game is called 'poker': there are "),
]


@for_each("game, given, sentence", REFUSED)
def test_impossible_deal_is_refused_with_advice(game: str, given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PitbossError) as refusal:
        Hand.deal(game, **{"stacks": STACKS, "seed": 1, **given})
    assert str(refusal.value).startswith(sentence)
    assert "\n" not in str(refusal.value)


def test_dealing_without_a_seed_is_refused() -> None:
    with pytest.raises(SetupError, match=r"^give seed="):
        Hand.deal("NT", stacks=STACKS, blinds=(10, 20))
