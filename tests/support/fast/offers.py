"""Follows a `Batch` table by table with the plain rules: every offer, card seen, refusal and payment."""

from collections import Counter
from itertools import count
from math import gcd
from typing import Any

from pitboss.batch import Batch, Observation
from pitboss.betting import core
from pitboss.betting.events import AllIn, Bet, BettingAction, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.refusals import Refused, SetupError
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.fast.play.setup import RunSetup
from pitboss.hand.hand import Hand
from tests.support.fast.plain_hands import by_seat, deal, pot_sized
from tests.support.fast.settings import some_setting
from tests.support.laws.laws import holds, wishes
from tests.support.laws.tables import TEMPERS, some_action

UNSEEN, BOARD = 52, 5
MOST_TABLES, STEPS = 20, 12
ANY = 123_456_789  # a total that goes with a verb that has none


class Follower:
    """One table of a batch, played by the plain rules: the hand in progress, and the hands that ended before it."""

    def __init__(self, setting: RunSetup, seed: int, number: int, stride: int) -> None:
        self.setting, self.seed, self.number, self.stride = setting, seed, number, stride
        self.done, self.winnings = 0, [0] * setting.seats
        self._deal()

    def _deal(self) -> None:
        self.dealt = deal(self.setting, self.seed, self.number)
        self.hand = self.dealt.hand
        self._pass_what_is_over()

    def _pass_what_is_over(self) -> None:
        if not self.hand.over:
            return
        after = by_seat(self.dealt, self.hand)
        self.winnings = [w + a - b for w, a, b in zip(self.winnings, after, self.setting.stacks, strict=True)]
        self.done += 1
        self.number += self.stride
        self._deal()

    def act(self, action: BettingAction) -> None:
        """Carry out an action; if it ends the hand, go on to the next hand with a decision."""
        self.done, self.winnings = 0, [0] * self.setting.seats
        self.hand, _ = self.hand.act(action, self.hand.round.turn)
        self._pass_what_is_over()

    def expected(self) -> dict[str, Any]:
        """The expected observation of this table."""
        hand, round, offer = self.hand, self.hand.round, self.hand.offer
        bounds = offer.bet or offer.raise_
        cards = [DECK.index(card) for card in (*hand.holes[round.turn], *hand.board)]
        least, most = (bounds.min_to, bounds.max_to) if bounds else (0, 0)
        return {
            "hand": self.number,
            "place": round.turn,
            "seat": self.dealt.order[round.turn],
            "street": hand.street,
            "cards": cards + [UNSEEN] * (BOARD - len(hand.board)),
            "stacks": list(round.stacks),
            "bets": list(round.bets),
            "folded": [int(folded) for folded in round.folded],
            "pot": round.chips_in_middle,
            "legal": legal(hand),
            "call": offer.call or 0,
            "least": least,
            "most": most,
            "pot_sized": sorted((least, pot_sized(hand), most))[1],
            "done": self.done,
            "winnings": self.winnings,
        }


def legal(hand: Hand) -> list[int]:
    """What is on offer, by the core's verbs."""
    offer = hand.offer
    staying = [offer.fold, offer.check, offer.call is not None]
    return [int(on) for on in (*staying, bool(offer.bet), bool(offer.raise_), offer.all_in is not None)]


def row(seen: Observation, at: int) -> dict[str, Any]:
    """The observation of one table."""
    return {name: getattr(seen, name)[at].tolist() for name in Observation._fields}


def coded(hand: Hand, action: BettingAction) -> tuple[int, int]:
    """An action as the core's verb and a street total."""
    match action:
        case Fold():
            return core.FOLD, ANY
        case Check():
            return core.CHECK, ANY
        case Call():
            return core.CALL, ANY
        case AllIn():
            return core.ALL_IN, ANY
        case Bet(int(to)):
            return core.BET, to
        case Raise(int(to)):
            return core.RAISE, to
        case RaiseBy(by):
            return core.RAISE, hand.round.bets[hand.round.turn] + by
    raise AssertionError(action)


def play(seed: int, number: int) -> Counter[str]:
    """Compare the first steps at the setting with this number, unless it has no decision."""
    chance = Chance(seed).fork(number)
    setting = some_setting(chance)
    try:
        return compare_offers(setting, chance.bits(), 1 + chance.below(MOST_TABLES), STEPS, chance)
    except SetupError:
        asked = [not deal(setting, seed, hand).hand.over for hand in range(setting.seats)]
        holds("refused only where nobody is ever asked", not any(asked), setting)
        return Counter({"settings in which nobody is asked": 1})


def compare_offers(setting: RunSetup, seed: int, tables: int, steps: int, chance: Chance) -> Counter[str]:
    """Play some steps at some tables; before each, one table tries all that the rules forbid."""
    batch = Batch(
        tables,
        seats=setting.seats,
        seed=seed,
        stacks=setting.stacks,
        stakes=setting.stakes,
        structure=setting.structure,
        button=setting.button,
    )
    stride = next(n for n in count(tables) if gcd(n, len(setting.buttons)) == 1)  # the button goes round at every table
    followers = [Follower(setting, seed, at, stride) for at in range(tables)]
    temper, counts = chance.choice(TEMPERS), Counter[str](settings=1)
    for _ in range(steps):
        seen = batch.observe()
        for at, follower in enumerate(followers):
            expected, found = follower.expected(), row(seen, at)
            differing = {name: (found[name], expected[name]) for name in expected if found[name] != expected[name]}
            holds("the same offer", not differing, differing, follower.hand, setting)
            counts["hands"] += follower.done
        counts["offers"] += tables
        actions = [some_action(follower.hand.offer, chance, temper) for follower in followers]
        sent = [coded(follower.hand, action) for follower, action in zip(followers, actions, strict=True)]
        counts += _compare_refusals(batch, followers, sent, chance.below(tables))
        batch.step([verb for verb, _ in sent], [to for _, to in sent])
        for follower, action in zip(followers, actions, strict=True):
            follower.act(action)
    return counts


def _compare_refusals(batch: Batch, followers: list[Follower], sent: list[tuple[int, int]], at: int) -> Counter[str]:
    """Whatever the plain rules refuse at this table, the batch refuses under the same rule's name."""
    hand, counts = followers[at].hand, Counter[str]()
    for action in wishes(hand.round):
        if isinstance(action, Bet | Raise) and action.to is None:
            continue
        try:
            hand.round.act(action)
        except Refused as refusal:
            tried = [coded(hand, action) if i == at else pair for i, pair in enumerate(sent)]
            answer = _refusal(batch, tried)
            expected = f"{refusal.rule}: at table {at}: {str(refusal).partition(': ')[2]}"
            holds("the same refusal", answer == expected, answer, expected, hand)
            counts["refusals"] += 1
    return counts


def _refusal(batch: Batch, tried: list[tuple[int, int]]) -> str:
    try:
        batch.step([verb for verb, _ in tried], [to for _, to in tried])
    except Refused as refusal:
        return str(refusal)
    return "nothing refused"
