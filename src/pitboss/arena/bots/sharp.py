"""The strongest house bot."""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from pitboss.arena.bots.opponent_model import (
    ORDINARY,
    PAIRS,
    BettingHistory,
    HandSampler,
    HandWeights,
    SeenAction,
    Tendencies,
    share_better,
)
from pitboss.arena.bots.toolkit import (
    Bot,
    acts_last,
    betting_order,
    check_or_call,
    opponents,
    own_player,
    pot_raise_total,
    raise_about,
    raise_total,
)
from pitboss.arena.wire.answers import Answer, call, safe_answer
from pitboss.arena.wire.messages import Act, Phase
from pitboss.cards import DECK, Card
from pitboss.chance import Chance
from pitboss.ranks import high

OPEN_SHARES = (0.80, 0.80, 0.46, 0.30, 0.23, 0.18, 0.15, 0.13, 0.11, 0.10)
"""The share of best hands that open an unopened pot, by the number of players still to act."""
OPEN_SMALL_BLIND = 0.50
"""The same if only the big blind is left to act, which acts last on every street."""
SHORT_STACK = 12
"""With at most this number of big blinds the bot goes all-in or folds."""
PUSH_SHARES = (0.60, 0.60, 0.40, 0.30, 0.24, 0.20, 0.17, 0.15, 0.13, 0.12)
"""The share of hands with which the bot goes all-in with ten big blinds. With fewer big blinds the share is larger."""
STEAL_FOLD_RATE = 0.65
"""If every later player folds more often than this, any hand is worth a raise."""
STICKY_FOLD_RATE = 0.15
"""Against a player who folds less often than this, the bot raises only the better half of its hands, by more chips."""
LIMPED_SHARE = 0.45
"""If others have called the big blind, the bot raises only with this share of best hands."""
DEALS = 160
BET_SIZES = (0.5, 0.9)
"""The sizes of bets that the bot considers, as parts of the pot."""
NOISE = 0.03
"""If the values of two choices differ by less than this part of the pot, the bot plays both sometimes."""
RAISE_SHARE, SHARE_PER_RAISE = 0.52, 0.06
"""The bot raises if it would win this share of the pot when called.

For every earlier raise the share grows by the second number.
"""
LEAST_STAY_RATES = (0.0, 0.75, 0.95)
"""The minimum share of hands with which a player who has bet or re-raised stays."""


def unseen_cards(hole: Sequence[Card], board: Sequence[Card]) -> list[Card]:
    """Return the cards that may be in other hands or still to come."""
    seen = {*hole, *board}
    return [card for card in DECK if card not in seen]


def pot_share(mine: int, others: Sequence[int]) -> float:
    """Return the part of a pot that a strength wins against others: all, nothing, or an equal part of a tie."""
    best = max(others, default=0)
    return 1.0 if mine > best else 0.0 if mine < best else 1 / (1 + others.count(mine))


class SampledDeal(NamedTuple):
    """One possible deal: the bot's strength, and for each rival the share of better hands and the rival's strength."""

    mine: int
    theirs: tuple[tuple[float, int], ...]


class FacingBet(NamedTuple):
    """An opponent who faces a bet: the cost of staying, and the share of all hands that stay."""

    to_pay: int
    stays: float


def sample_deals(
    hole: Sequence[Card], board: Sequence[Card], samplers: Sequence[HandSampler], *, deals: int, chance: Chance
) -> list[SampledDeal]:
    """Return this many deals: for each rival a hand from their sampler, and the cards still to come."""
    stub = unseen_cards(hole, board)
    dealt = []
    for _ in range(deals):
        hands = _hands(samplers, chance)
        used = {card for at, _ in hands for card in PAIRS[at]}
        whole = list(board)
        while len(whole) < 5:
            card = stub[chance.below(len(stub))]
            if card not in used:
                used.add(card)
                whole.append(card)
        theirs = tuple([(better, high((*PAIRS[at], *whole))) for at, better in hands])
        dealt.append(SampledDeal(high((*hole, *whole)), theirs))
    return dealt


def _hands(samplers: Sequence[HandSampler], chance: Chance) -> list[tuple[int, float]]:
    """Return a hand for each sampler, without repeated cards. After many clashes two hands may share a card."""
    hands: list[tuple[int, float]] = []
    used: set[Card] = set()
    for sampler in samplers:
        for _ in range(8):
            at, better = sampler.draw(chance)
            if used.isdisjoint(PAIRS[at]):
                break
        used.update(PAIRS[at])
        hands.append((at, better))
    return hands


def win_share(deals: Sequence[SampledDeal]) -> float:
    """The part of the pot that this strength wins if no player folds."""
    return sum([pot_share(deal.mine, [strength for _, strength in deal.theirs]) for deal in deals]) / len(deals)


def bet_value(deals: Sequence[SampledDeal], rivals: Sequence[FacingBet], *, pot: int, cost: int) -> tuple[float, float]:
    """Return the average gain of a bet of `cost` if no raise follows, and the part of the pot that it wins when called.

    >>> ahead, behind = SampledDeal(9, ((0.5, 5),)), SampledDeal(1, ((0.2, 7),))
    >>> bet_value([ahead, behind], [FacingBet(to_pay=100, stays=0.4)], pot=100, cost=100)
    (0.0, 0.0)
    """
    won, called, times = 0.0, 0.0, 0
    for deal in deals:
        check_or_call = [
            (strength, rival.to_pay)
            for (better, strength), rival in zip(deal.theirs, rivals, strict=True)
            if better < rival.stays
        ]
        if not check_or_call:
            won += pot
            continue
        risked = min(cost, max(paid for _, paid in check_or_call))
        mine = pot_share(deal.mine, [strength for strength, _ in check_or_call])
        won += mine * (pot + risked + sum(paid for _, paid in check_or_call)) - risked
        called += mine
        times += 1
    return won / len(deals), called / times if times else 1.0


class PreflopSpot(NamedTuple):
    """The situation of the seat to act before the flop."""

    better: float  #: the share of all hands that are better
    deep: float  #: the chips that can be lost, in big blinds
    behind: tuple[int, ...]  #: the seats that have not acted
    entered: int  #: the number of others who have called or raised
    last: bool  #: whether it acts last after the flop


def preflop_spot(act: Act, history: BettingHistory) -> PreflopSpot:
    """Return the situation in which an `act` asks its seat."""
    others, mine, seats = opponents(act), own_player(act), betting_order(act)
    after = seats[seats.index(act.seat) + 1 :]
    first, second = act.you.hole
    return PreflopSpot(
        better=share_better((first, second)),
        deep=min(act.you.stack + mine.committed, max(p.stack + p.committed for p in others)) / act.table.bb,
        behind=tuple(p.seat for p in others if p.seat in after and p.seat not in history.spoken),
        entered=sum(p.seat in history.spoken and p.committed >= act.table.bb for p in others),
        last=acts_last(act),
    )


def open_pot(act: Act, at: PreflopSpot, yielding: Sequence[float]) -> Answer:
    """Act before the first raise of a hand. `yielding` is the probability that later players fold to a raise."""
    behind = min(max(1, len(at.behind)), len(OPEN_SHARES) - 1)
    if at.deep <= SHORT_STACK:
        wide = PUSH_SHARES[behind] * (10 / max(at.deep, 3)) ** 0.5
        return raise_about(act, at.deep * act.table.bb) if at.better < wide else safe_answer(act)
    sticky = max(yielding, default=1.0) < STICKY_FOLD_RATE
    wide = OPEN_SMALL_BLIND if behind == 1 and not at.last else OPEN_SHARES[behind]
    if at.entered:
        wide = 0.7 * min(wide, LIMPED_SHARE)
    elif yielding and prod(yielding) > STEAL_FOLD_RATE:
        wide = 1.0
    if at.better < (min(wide, 0.5) if sticky else wide):
        return raise_about(act, (2.5 + at.entered + sticky) * act.table.bb)
    cheap = act.you.to_call < act.table.bb and at.better < 0.8
    return call() if act.you.to_call and (cheap or (at.entered and at.better < 0.5)) else safe_answer(act)


def answer_raise(act: Act, at: PreflopSpot, win_share: float, yielding: float, raises: int, chance: Chance) -> Answer:
    """Raise again, call or fold with a hand that wins this share against the raiser's hands."""
    owed, rivals, big = act.you.to_call, max(1, at.entered), act.table.bb
    if act.max_raise_to is not None:
        total = (3 if at.last else 3.8) * (own_player(act).committed + owed) + big * (rivals - 1)
        commits = total > 0.4 * at.deep * big
        good = win_share > (0.52 + 0.04 * raises if rivals == 1 else 1 / (rivals + 1) + 0.22)
        bluff = raises == 1 and not commits and 0.3 < at.better < 0.45 and chance.uniform() < 0.15 * yielding
        if good or bluff:
            return raise_about(act, act.max_raise_to if commits else total)
    return check_or_call(act) if win_share * realised_share(act, at) > owed / (act.pot + owed) else safe_answer(act)


def realised_share(act: Act, at: PreflopSpot) -> float:
    """Return the part of its share that a hand keeps in later betting.

    The part is smaller out of position and against several opponents.
    """
    others = opponents(act)
    if act.you.to_call >= act.you.stack or all(player.stack == 0 for player in others):
        return 1.0
    return (0.95 if at.last else 0.8) - 0.05 * (len(others) - 1)


def make(chance: Chance) -> Bot:
    """Plays by position, estimates hands from bets, compares the value of each possible bet, and bluffs a little.

    It remembers how each seat has played (`opponent_model`). With a short stack it goes all-in or folds.
    """
    return SharpBot(chance).decide


class SharpBot:
    """Prepare the memory of the bot."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.tendencies: dict[int, Tendencies] = {}
        self.history = BettingHistory("")
        self.weights: dict[int, HandWeights] = {}
        self.button: int | None = None  #: its place in the last hand in which it was asked
        self.to_answer: dict[int, Phase] = {}  #: the seats that have not answered the bot's last bet yet

    def decide(self, act: Act) -> Answer:
        """Process the actions since the last question. Return the answer, and remember it."""
        self.learn(act)
        answer = self.after_flop(act) if act.community else self.before_flop(act)
        self.history.answered(act, answer)
        if (total := raise_total(answer)) is not None and act.phase != "RIVER":
            able = [p.seat for p in opponents(act) if p.committed + p.stack > total]
            self.to_answer = dict.fromkeys(able, act.phase) if total != act.max_raise_to else {}
        return answer

    # --- the opponents' actions

    def learn(self, act: Act) -> None:
        """Process the actions since the last answer."""
        new = act.hand_id != self.history.hand_id
        stayed = set() if new else {player.seat for player in opponents(act)}
        for (
            seat,
            phase,
        ) in self.to_answer.items():  # if the hand ended with the bot's bet, all players who could call it have folded
            self.of(seat).gives_way[phase].count(seat not in stayed)
        self.to_answer = {}
        if new:
            self.history = BettingHistory(act.hand_id)
            self.weights = {player.seat: HandWeights() for player in act.players}
            self.notice_walk(act)
        first = new and not act.community
        for observed in self.history.follow(act):
            self.take_in(observed, first)

    def notice_walk(self, act: Act) -> None:
        """Count a hand that the opponent folded at once.

        Heads-up, the button moves after every hand. If the bot had the button in the last two hands in which it was
        asked, the opponent has folded the small blind in the hand between them.
        """
        if len(act.players) == 2 and act.seat == act.table.button == self.button:
            for player in opponents(act):
                self.of(player.seat).raises.count(False)
                self.of(player.seat).enters.count(False)
        self.button = act.table.button

    def take_in(self, observed: SeenAction, first: bool) -> None:
        """Record an opponent's action, for the estimate of their cards and of their tendencies.

        Whether players enter a pot is counted only before the bot's first action, because later only those who have
        entered are left.
        """
        tendencies = self.of(observed.seat)
        if first:
            tendencies.raises.count(observed.what == "raise")
            tendencies.enters.count(observed.what in ("raise", "call"))
        if observed.what != "fold":
            self.weights[observed.seat].narrow(observed, tendencies)
            if observed.board:
                tendencies.bets.count(observed.what == "raise")

    def of(self, seat: int) -> Tendencies:
        """Return the tendencies of a seat."""
        return self.tendencies.setdefault(seat, Tendencies())

    # --- the bot's actions

    def before_flop(self, act: Act) -> Answer:
        """Choose the answer before the flop."""
        at = preflop_spot(act, self.history)
        if not self.history.raised:
            return open_pot(act, at, [self.of(seat).gives_way["PRE_FLOP"].value for seat in at.behind])
        leader = act.seat if self.history.leader is None else self.history.leader
        yielding = self.of(leader).gives_way["PRE_FLOP"].value
        return answer_raise(act, at, win_share(self.deals(act)), yielding, self.history.raised, self.chance)

    def after_flop(self, act: Act) -> Answer:
        """Choose the answer with the highest value."""
        deals, owed = self.deals(act), act.you.to_call
        staying = win_share(deals) * self.keeps(act) * (act.pot + owed) - owed
        options: list[tuple[float, Answer]] = (
            [(staying, call()), (0.0, safe_answer(act))] if owed else [(staying, safe_answer(act))]
        )
        if act.max_raise_to is not None:
            for size in BET_SIZES:
                answer = raise_about(act, pot_raise_total(act, size))
                total = raise_total(answer)
                assert total is not None
                worth, called = bet_value(
                    deals, self.rivals(act, total), pot=act.pot, cost=total - own_player(act).committed
                )
                if not owed or called > RAISE_SHARE + SHARE_PER_RAISE * self.history.raised:
                    options.append((worth, answer))
        return max(options, key=lambda option: option[0] + NOISE * act.pot * self.chance.uniform())[1]

    def deals(self, act: Act) -> list[SampledDeal]:
        """Return possible deals of the unknown cards."""
        samplers = []
        for player in opponents(act):
            self.weights[player.seat].forget((*act.you.hole, *act.community))
            samplers.append(HandSampler(self.weights[player.seat], act.community))
        return sample_deals(act.you.hole, act.community, samplers, deals=DEALS, chance=self.chance)

    def keeps(self, act: Act) -> float:
        """Return the part of its share of the pot that a hand keeps in later betting."""
        rest = act.you.stack > act.you.to_call and any(player.stack for player in opponents(act))
        if act.phase == "RIVER" or not rest:
            return 1.0
        return 0.97 if acts_last(act) else 0.87

    def rivals(self, act: Act, total: int) -> list[FacingBet]:
        """How the others would answer a bet to this total."""
        cost = total - own_player(act).committed
        fair = act.pot / (act.pot + cost)  # otherwise the bot would bluff with every hand
        rivals = []
        for player in opponents(act):
            to_pay = min(total, player.committed + player.stack) - player.committed
            stays = fair * (1 - self.of(player.seat).gives_way[act.phase].value) / ORDINARY
            if self.history.leader == player.seat:
                stays = max(stays, LEAST_STAY_RATES[min(self.history.raised, 2)])
            rivals.append(FacingBet(to_pay, min(stays, 0.97) if to_pay > 0 else 1.0))
        return rivals
