"""The same random player through both libraries' public names, six-handed no-limit, one hand at a time."""

import random
import warnings
from collections.abc import Callable
from typing import TypeAlias

from pokerkit import Automation, Mode, NoLimitTexasHoldem

from pitboss.betting.events import Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds

PLAYERS, SMALL_BLIND, BIG_BLIND, STACK = 6, 50, 100, 10_000

Play: TypeAlias = Callable[[int, int], list[int]]
"""Given a seed and a number of hands, plays them and says how many actions each took."""

DIFFERENCES = (
    "pitboss returns a new hand and its events for each action; PokerKit changes one state.",
    "pitboss gets the 17 cards that a hand can need; PokerKit shuffles 52 and burns some.",
    "pitboss builds the whole offer at once; PokerKit has a property for each bound.",
    "At the showdown pitboss shows every remaining hand; PokerKit shows or mucks in order.",
    "Both use Python's generator with the same seeds and choices.",
)


FOLD, CHECK, CALL = Fold(), Check(), Call()


def choose(hand: Hand, draw: Callable[[], float]) -> BettingAction:
    """Choose with equal chances: fold to a bet, check or call, the least raise, the pot, everything; each once."""
    offer = hand.offer
    choices = (CHECK,) if offer.check else (FOLD, CALL)
    bounds = offer.bet or offer.raise_
    sizes: list[int] = []
    if bounds:
        pot_sized = min(max(hand.round.pot_raise, bounds.min_to), bounds.max_to)
        sizes += dict.fromkeys((bounds.min_to, pot_sized, bounds.max_to))
    chosen = int(draw() * (len(choices) + len(sizes)))
    if chosen < len(choices):
        return choices[chosen]
    return (Bet if offer.bet else Raise)(sizes[chosen - len(choices)])


def pitboss(seed: int, hands: int) -> list[int]:
    """Play through `Hand.start`, `offer` and `act`."""
    draw, sample = random.Random(seed).random, random.Random(seed).sample
    stacks = (STACK,) * PLAYERS
    stakes = Stakes(min_bet=BIG_BLIND, posts=blinds(PLAYERS, SMALL_BLIND, BIG_BLIND))
    cards = 2 * PLAYERS + 5
    lengths = []
    for _ in range(hands):
        deck = sample(NO_LIMIT_HOLDEM.deck, cards)
        hand, _events = Hand.start(NO_LIMIT_HOLDEM, stacks=stacks, stakes=stakes, deck=deck)
        length = 0
        while not hand.over:
            hand, _events = hand.act(choose(hand, draw))
            length += 1
        lengths.append(length)
    return lengths


AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def pokerkit(seed: int, hands: int) -> list[int]:
    """Play through PokerKit's state, with everything automated that is not a decision."""
    draw = random.Random(seed).random
    random.seed(seed)  # PokerKit shuffles with the module's generator
    lengths = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(hands):
            state = NoLimitTexasHoldem.create_state(
                AUTOMATIONS, True, 0, (SMALL_BLIND, BIG_BLIND), BIG_BLIND, STACK, PLAYERS, mode=Mode.TOURNAMENT
            )
            length = 0
            while state.status:
                choices = ["fold", "call"] if state.checking_or_calling_amount else ["check"]
                least = state.min_completion_betting_or_raising_to_amount
                sizes: list[int] = []
                if least is not None:
                    most = state.max_completion_betting_or_raising_to_amount
                    pot_sized = state.pot_completion_betting_or_raising_to_amount
                    assert most is not None
                    assert pot_sized is not None
                    sizes += dict.fromkeys((least, pot_sized, most))
                chosen = int(draw() * (len(choices) + len(sizes)))
                if chosen >= len(choices):
                    state.complete_bet_or_raise_to(sizes[chosen - len(choices)])
                elif choices[chosen] == "fold":
                    state.fold()
                else:
                    state.check_or_call()
                length += 1
            lengths.append(length)
    return lengths
