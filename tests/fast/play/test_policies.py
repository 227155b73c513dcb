"""The house policies: their choices are legal, depend only on seen cards, and change nothing."""

from collections import Counter
from functools import partial
from typing import Any

import pytest

from pitboss.betting import core
from pitboss.cards import DECK, read_cards
from pitboss.chance import Chance
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import flop, policies
from pitboss.fast.play.backend import HandState, SeenCards
from pitboss.fast.play.packed import PACKED
from pitboss.fast.play.policies import HOLDEM_ONLY, NAMES
from pitboss.fast.play.setup import RunSetup, setup
from tests.support.fast.decisions import decisions
from tests.support.fast.mistakes import mistaken
from tests.support.fast.settings import FLOP_GAMES, HOLDEM, some_setting
from tests.support.fast.twins import play_hands
from tests.support.for_each import for_each
from tests.support.laws.laws import LawBroken, holds


def policy(name: str) -> Any:
    return getattr(policies, name)


def a_setting(chance: Chance, name: str) -> RunSetup:
    """Draw a game that a policy knows."""
    return some_setting(chance, HOLDEM if name in HOLDEM_ONLY else FLOP_GAMES)


# --- laws


def watch(name: str, settings: int, hands: int) -> Counter[str]:
    """Check every decision of a policy against the laws, and count them."""
    counts: Counter[str] = Counter()
    for number in range(settings):
        chance = Chance(7).fork(number)
        setting = a_setting(chance, name)
        for decision in decisions(setting, policy(name), chance.bits(), range(hands)):
            verb, to, _ = decision.choice
            code = core.refusal(decision.rules, decision.s, verb, to)
            holds("a choice is legal", code == core.OK, decision.choice, code, decision.numbers)
            before = decision.numbers
            again = decision.with_other_cards(chance)
            holds("a choice does not follow cards that nobody sees", again == decision.choice, decision.choice, again)
            holds("choosing changes nothing", before == decision.numbers, before, decision.numbers)
            counts[f"verb {verb}"] += 1
            counts[f"street {decision.s.street}"] += 1
    return counts


@pytest.mark.parametrize("name", NAMES)
def test_choices_are_legal_and_depend_only_on_seen_cards(name: str) -> None:
    counts = watch(name, *((15, 2) if name == "equity" else (60, 5)))
    assert {f"street {street}" for street in range(4)} <= set(counts)
    expected = {"calling": {1, 2}, "random": {0, 1, 2, 3, 4}, "tight": {0, 1, 2, 3, 4}, "equity": {0, 1, 2, 3, 4}}[name]
    assert {f"verb {verb}" for verb in expected} == {count for count in counts if count.startswith("verb")}


def test_a_peeping_policy_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a policy sees the board too early or another place's cards."""
    for right, wrong in (
        ("if k < up else UNSEEN", "if k <= up else UNSEEN"),
        ("view[k] = dealer.deck[k * s.n + p]", "view[k] = dealer.deck[k * s.n + p - k]"),
    ):
        monkeypatch.setattr(flop, "show", mistaken(flop, right, wrong).show)
        with pytest.raises(LawBroken, match="cards that nobody sees"):
            watch("tight", 30, 5)


@pytest.mark.parametrize("name", NAMES)
def test_compiled_choices_are_legal(name: str) -> None:
    """Many more hands than on lists: the loop checks every action and names the first illegal one."""
    pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")
    for number in range(150):
        chance = Chance(8).fork(number)
        setting, hands = a_setting(chance, name), 10 if name == "equity" else 100
        played = play_hands(PACKED, setting, name, chance.bits(), range(hands), checked=True)
        assert played.trouble == [0] * 5, f"setting {number}: {setting}"
        assert sum(map(sum, played.stacks)) == hands * setting.chips


# --- each for itself


def choose(name: str, cards: str, *, owing: int, others: int = 1, pot: int = 300) -> str:
    """Return a policy's choice with these cards, two of its own and the board, in the middle of a street."""
    s: Any = HandState()
    view = SeenCards()
    s.n, s.pot, s.step, s.turn, s.street = 1 + others, pot, 100, 0, 0
    s.price = s.level = owing
    for p in range(s.n):
        s.stacks[p], s.paid[p], s.bets[p] = 5000, 100, owing if p == 1 else 0
    for k, card in enumerate(read_cards(cards)):
        view.cards[k] = DECK.index(card)
    verb, to, _ = policy(name)(setup(2).structure.betting, s, view, plain_ranks(), 12345)
    return ("fold", "check", "call", "bet", "raise", "all-in")[verb] + (f" {to}" if to else "")


@for_each(
    "cards, owing, expected",
    [
        ("AhAd", 100, "raise 600"),
        ("JcJd", 0, "bet 300"),
        ("TcTd", 0, "bet 300"),
        ("9c9d", 0, "check"),
        ("AhKh", 100, "raise 600"),
        ("AhKd", 100, "raise 600"),
        ("AhQd", 100, "call"),
        ("5c5d", 100, "call"),
        ("5c5d", 300, "call"),
        ("5c5d", 301, "fold"),
        ("7h2d", 100, "fold"),
        ("7h2d", 0, "check"),
        ("AhKd As7c2d", 100, "call"),
        ("AhKd AsKc2d", 100, "raise 600"),
        ("AhKd 9s9c2d", 100, "fold"),
        ("AhKd AsKcQd2d3c", 0, "bet 300"),
        ("AhKh 9h8h2h", 100, "raise 600"),
        ("6h5h 9h8h7h", 100, "raise 600"),
        ("AhKd 9s9c9d2c2d", 100, "fold"),
    ],
)
def test_tight_plays_good_cards_only(cards: str, owing: int, expected: str) -> None:
    assert choose("tight", cards, owing=owing) == expected


@for_each(
    "cards, owing, others, expected",
    [
        ("AhAd", 100, 1, "raise 600"),
        ("7h2d", 100, 8, "call"),
        ("7h2d", 1000, 8, "fold"),
        ("7h2d", 0, 8, "check"),
        ("AhAd AsAcKd2c3d", 5000, 5, "call"),
        ("AhAd AsAcKd2c3d", 100, 5, "raise 600"),
        ("7h2d AsAcKdKc3d", 1000, 3, "fold"),
    ],
)
def test_equity_stays_if_the_pot_odds_suffice(cards: str, owing: int, others: int, expected: str) -> None:
    assert choose("equity", cards, owing=owing, others=others) == expected


def test_calling_never_folds_and_never_raises() -> None:
    assert choose("calling", "7h2d", owing=0) == "check"
    assert choose("calling", "7h2d", owing=5000) == "call"
    assert choose("calling", "AhAd", owing=100) == "call"


def test_policies_are_known_by_number() -> None:
    for number, name in enumerate(NAMES):
        assert policy(name).__name__ == name
        for decision in decisions(setup(3), policy(name), 3, range(2)):
            by_number = decision._replace(policy=partial(policies.decide, number))
            assert by_number.again() == decision.choice
