"""Hands to try the rules on: decks from a few names, played with words such as "customer raise Fair Deal"."""

from collections import Counter
from collections.abc import Sequence

import pytest
from click.testing import CliRunner, Result
from hypothesis import strategies as st

from pitboss.betting.refusals import Refused
from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.cli.main import cli
from pitboss.sting.cards import CardSet, default_cards
from pitboss.sting.events import Continue, StingAction, StingCheck, StingEvent, StingFold, StingRaise
from pitboss.sting.hand import StingHand
from pitboss.sting.script import read_step

NARC, CUSTOMER, PLAYER = range(3)
BOTH = pytest.mark.parametrize("answers", [Answers.FOLLOWING, Answers.EVERYONE])
SEEDS = st.integers(0, 2**64 - 1)
NAMES = sorted(default_cards().cards)


# --- building and playing


def start(
    *,
    narc: Sequence[str] = ("Donut Break",) * 9,
    customer: Sequence[str] = ("Fair Deal",) * 9,
    player: Sequence[str] = ("Weed",) * 9,
    answers: Answers = Answers.FOLLOWING,
    cards: CardSet | None = None,
    heat: int = 0,
    cash: int = 0,
) -> StingHand:
    """Start a hand with these decks; by default their cards do as little as cards can."""
    decks = {"narc": narc, "customer": customer, "player": player}
    return StingHand.start(decks, answers=answers, cards=cards, heat=heat, cash=cash)[0]


def follow(hand: StingHand, *steps: str) -> tuple[StingHand, tuple[StingEvent, ...]]:
    """Play the steps one after the other; return where that leads and everything that happened."""
    events: tuple[StingEvent, ...] = ()
    for step in steps:
        place, action = read_step(step)
        hand, happened = hand.act(action, place)
        events += happened
    return hand, events


def play(hand: StingHand, *steps: str) -> StingHand:
    """Play the steps one after the other; return where that leads."""
    return follow(hand, *steps)[0]


def check_round(hand: StingHand) -> StingHand:
    """Let all players check until the round is over."""
    number = hand.number
    while hand.state == "Betting" and hand.number == number:
        hand, _ = hand.act(StingCheck())
    return hand


def played_out(hand: StingHand) -> StingHand:
    """Let all players check to the end."""
    while not hand.over:
        hand, _ = hand.act(Continue() if hand.state == "DecisionPoint" else StingCheck())
    return hand


def with_cards(*cards: str, heat: int = 0, cash: int = 0, narc: Sequence[str] = ()) -> StingHand:
    """The end of a hand in which the Player played these cards, in this order, and the Narc those before them."""
    hand = start(narc=narc, customer=(), player=cards, heat=heat, cash=cash)
    mine, his = list(cards), list(narc)
    while not hand.over:
        deck = his if hand.to_act == NARC else mine
        if hand.state == "DecisionPoint":
            hand, _ = hand.act(Continue())
        elif deck and deck[0] in hand.hands[hand.to_act]:
            hand, _ = hand.act(StingRaise(deck.pop(0)))
        else:
            hand, _ = hand.act(StingCheck())
    assert (mine, his) == ([], []), "not all cards could be played"
    return hand


def refusal(hand: StingHand, step: str) -> str:
    """Return the name of the rule that refuses a step, and see that nothing changed."""
    before = hand
    with pytest.raises(Refused) as caught:
        follow(hand, step)
    assert hand == before
    return caught.value.rule


# --- chance


def actions_on_offer(hand: StingHand) -> list[StingAction]:
    """Everything that may be done now."""
    offer = hand.offer
    words: list[StingAction] = [StingRaise(card) for card in offer.raise_]
    words += [StingCheck()] if offer.check else []
    words += [StingFold()] if offer.fold else []
    words += [Continue()] if offer.continue_ else []
    return words


@st.composite
def some_hands(draw: st.DrawFn) -> StingHand:
    """Hands with any cards, also too few of them."""
    deck = st.lists(st.sampled_from(NAMES), max_size=12)
    return start(
        narc=draw(deck),
        customer=draw(deck),
        player=draw(deck),
        answers=draw(st.sampled_from(Answers)),
        heat=draw(st.integers(0, 120)),
        cash=draw(st.sampled_from([-30, 0, 1000])),
    )


def random_play(hand: StingHand, chance: Chance, steps: int = 1000) -> list[StingHand]:
    """Play at random, sometimes folding; return every state on the way."""
    states = [hand]
    while not hand.over and len(states) <= steps:
        actions = [
            action for action in actions_on_offer(hand) if not isinstance(action, StingFold) or chance.below(5) == 0
        ]
        hand, _ = hand.act(chance.choice(actions or actions_on_offer(hand)))
        states.append(hand)
    return states


def all_cards(hand: StingHand) -> Counter[str]:
    """Return every card, wherever it is."""
    held = [card for pile in hand.hands + hand.decks for card in pile]
    return Counter(held + [card for _, card in hand.table + hand.down])


# --- the command


def run(*arguments: str, given: str | bytes = "") -> Result:
    """Run `pitboss sting` here; anything but an exit is shown as the error it is."""
    result = CliRunner().invoke(cli, ["sting", *arguments], input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
