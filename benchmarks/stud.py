"""The same player through both libraries' public names, six-handed limit stud, one hand at a time.

A plain hand is brought in, called and checked to the showdown; at random some fold, and some bet and raise.
"""

import random
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from pokerkit import FixedLimitSevenCardStud, Mode

from benchmarks.players import AUTOMATIONS, CALL, CHECK, FOLD, PLAYERS, STACK, Play
from pitboss.betting.events import Bet, BettingAction, Raise
from pitboss.hand.games import SEVEN_CARD_STUD
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes

ANTE, BRING_IN, SMALL_BET, BIG_BET = 25, 50, 100, 200


def menu(hand: Hand, plain: bool) -> list[BettingAction]:
    """What it chooses from: fold to a bet, check or call, bet or raise; the first brings in or completes."""
    offer = hand.offer
    if plain:
        return [CHECK if offer.check else CALL]
    actions: list[BettingAction] = [CHECK] if offer.check else [FOLD, CALL] if offer.fold else [CALL]
    if offer.bet:
        actions.append(Bet(offer.bet.min_to))
    elif offer.raise_:
        actions.append(Raise(offer.raise_.min_to))
    return actions


def pitboss(seed: int, hands: int, *, plain: bool) -> list[int]:
    """Play through `Hand.start`, `offer` and `act`."""
    draw, sample = random.Random(seed).random, random.Random(seed).sample
    stacks = (STACK,) * PLAYERS
    stakes = Stakes(min_bet=SMALL_BET, big_bet=BIG_BET, antes=(ANTE,) * PLAYERS, bring_in=BRING_IN)
    cards = 7 * PLAYERS
    lengths = []
    for _ in range(hands):
        deck = sample(SEVEN_CARD_STUD.deck, cards)
        hand, _events = Hand.start(SEVEN_CARD_STUD, stacks=stacks, stakes=stakes, deck=deck)
        length = 0
        while not hand.over:
            choices = menu(hand, plain)
            hand, _events = hand.act(choices[int(draw() * len(choices))])
            length += 1
        lengths.append(length)
    return lengths


def pokerkit(seed: int, hands: int, *, plain: bool) -> list[int]:
    """Play through PokerKit's state, with everything automated that is not a decision."""
    draw = random.Random(seed).random
    random.seed(seed)  # PokerKit shuffles with the module's generator
    lengths = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(hands):
            state = FixedLimitSevenCardStud.create_state(
                AUTOMATIONS, True, ANTE, BRING_IN, SMALL_BET, BIG_BET, STACK, PLAYERS, mode=Mode.TOURNAMENT
            )
            length = 0
            while state.status:
                least = state.min_completion_betting_or_raising_to_amount
                stay: Callable[[], Any] = state.post_bring_in if state.can_post_bring_in() else state.check_or_call
                choices = [state.fold, stay] if state.checking_or_calling_amount and not plain else [stay]
                if least is not None and not plain:
                    choices.append(state.complete_bet_or_raise_to)
                choices[int(draw() * len(choices))]()
                length += 1
            lengths.append(length)
    return lengths


PLAIN: tuple[Play, Play] = (partial(pitboss, plain=True), partial(pokerkit, plain=True))
RANDOM: tuple[Play, Play] = (partial(pitboss, plain=False), partial(pokerkit, plain=False))
