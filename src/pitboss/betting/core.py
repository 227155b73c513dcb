"""The arithmetic of betting: the legal actions, their amounts, and their effects.

Every function takes the numbers of a round (`s`), and most take the settings (`rules`). Numba compiles the functions
for arrays; Python runs them on objects with lists. A player is a place, `p` or `q`.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from pitboss.betting.rules import Answers, Ceiling, Opposition, Reopening, Rules


class Numbers(Struct, gc=False):
    """The numbers of a round, which actions change. Lists have one entry per place."""

    n: int
    stacks: list[int]  # chips behind
    bets: list[int]  # street totals
    paid: list[int]  # antes, and bets of earlier streets
    folded: list[bool]
    acted: list[bool]  # whether the place has acted since it could last raise
    price: int  # the street total that a player needs to stay in
    level: int  # the total from which the next raise is measured: the price, or in limit games the last full bet
    step: int  # the minimum size of the next raise
    raises: int  # the number of raises that count toward the cap
    pot: int  # chips in the pot from earlier streets
    opener: int  # the place that acts first
    holder: int  # the place that holds the initiative, or -1
    turn: int  # the place to act, or -1


class Seen(Protocol):
    """The numbers of a round for reading: an object with lists or tuples, or packed arrays."""

    @property
    def n(self) -> int: ...
    @property
    def stacks(self) -> Sequence[int]: ...
    @property
    def bets(self) -> Sequence[int]: ...
    @property
    def paid(self) -> Sequence[int]: ...
    @property
    def folded(self) -> Sequence[bool]: ...
    @property
    def acted(self) -> Sequence[bool]: ...
    @property
    def price(self) -> int: ...
    @property
    def level(self) -> int: ...
    @property
    def step(self) -> int: ...
    @property
    def raises(self) -> int: ...
    @property
    def pot(self) -> int: ...
    @property
    def opener(self) -> int: ...
    @property
    def holder(self) -> int: ...
    @property
    def turn(self) -> int: ...


# Verbs. Their amounts are always street totals ("to").
FOLD, CHECK, CALL, BET, RAISE, ALL_IN = range(6)

# Settings as integers, because Numba does not compile enumerations.
NO_CEILING = int(Ceiling.NONE)
CUMULATIVE, ALWAYS = int(Reopening.CUMULATIVE), int(Reopening.ALWAYS)
FOLLOWING = int(Answers.FOLLOWING)
NO_OPPONENT, ANY_OPPONENT, ABLE = int(Opposition.NONE), int(Opposition.ANY), int(Opposition.ABLE)

# Codes for the reason why an action is refused.
(
    OK,
    OVER,
    FREE_FOLD,
    MUST_PAY,
    NOTHING_OWED,
    SHORT_CALL,
    ALREADY_BET,
    NO_BET_YET,
    RAISES_ONLY,
    CAPPED,
    NOT_REOPENED,
    COVERED,
    UNANSWERABLE,
    SHORT_RAISE,
    BELOW_LEAST,
    ABOVE_MOST,
    NOT_SHORT,
    BRING_IN,
    BETWEEN,
) = range(19)


# --- what is legal


def owed(s: Seen, p: int) -> int:
    """Return the chips that p must add to stay in. p may have fewer chips."""
    debt = s.price - s.bets[p]
    return debt if debt > 0 else 0


def sizes(rules: Rules, s: Seen, p: int) -> tuple[int, int, int]:
    """Return the values of `target`, `least` and `most`."""
    bet = s.bets[p]
    total = bet + s.stacks[p]
    full = s.step + (s.level if rules.matching else bet)
    low = full if full < total else total  # a player with fewer chips may go all-in
    if rules.exact:
        high = full + rules.second_step - s.step if rules.second_step > s.step else full
        return full, low, high if high < total else total
    if rules.ceiling == NO_CEILING and not rules.most_bet:
        return full, low, total
    to = s.level + rules.most_bet if rules.most_bet else pot_raise(s, p)
    if to < low:
        return full, low, low
    return full, low, to if to < total else total


def target(rules: Rules, s: Seen, p: int) -> int:
    """Return the street total of the smallest full bet or raise. p may have fewer chips."""
    return sizes(rules, s, p)[0]


def least(rules: Rules, s: Seen, p: int) -> int:
    """Return the smallest street total to which p may bet or raise: the target, or all-in for less."""
    return sizes(rules, s, p)[1]


def most(rules: Rules, s: Seen, p: int) -> int:
    """Return the largest street total to which p may bet or raise."""
    return sizes(rules, s, p)[2]


def pot_raise(s: Seen, p: int) -> int:
    """Return the street total of a raise by the size of the pot after calling. p may have fewer chips."""
    middle = s.pot
    for q in range(s.n):
        middle += s.bets[q]
    return raise_by(s, p, middle)


def raise_by(s: Seen, p: int, middle: int) -> int:
    """Return the street total of a pot-sized raise. `middle` is the number of chips in the pot and in all bets."""
    return s.price + owed(s, p) + middle


def raise_refusal(rules: Rules, s: Seen, p: int) -> int:
    """Return the code of the reason why p must not raise, or OK."""
    total = s.bets[p] + s.stacks[p]
    if rules.matching and total <= s.price:
        return COVERED
    if s.acted[p] and rules.reopening != ALWAYS:
        return NOT_REOPENED
    if rules.cap >= 0 and s.raises >= rules.cap and (s.price > 0 or rules.opening_counts):
        return CAPPED
    if not rules.short_raises and s.bets[p] < s.price and total < target(rules, s, p):
        return SHORT_RAISE
    if not answerable(s, p) and rules.opposition == ABLE:
        return UNANSWERABLE
    return OK


def answerable(s: Seen, p: int) -> bool:
    """Return whether an opponent has enough chips to answer a raise by p."""
    for q in range(s.n):
        if not s.folded[q] and q != p and s.stacks[q] + s.bets[q] > s.price:
            return True
    return False


def refusal(rules: Rules, s: Seen, verb: int, to: int) -> int:
    """Return the code of the reason why the player to act must not do this, or OK. Only BET and RAISE use `to`."""
    p = s.turn
    if p < 0:
        return OVER
    debt = s.price - s.bets[p]  # negative if p has bet more than the price, which is possible without `matching`
    if verb == FOLD:
        return fold_refusal(rules, s, debt)
    if verb == CHECK:
        return OK if debt <= 0 else MUST_PAY
    if verb == CALL:
        return call_refusal(rules, s, p, debt)
    code = raise_refusal(rules, s, p)
    if verb == ALL_IN:
        return all_in_refusal(rules, s, p, debt, code, most(rules, s, p))
    if verb == BET and (not rules.matching or s.price > 0):
        return ALREADY_BET if rules.matching else RAISES_ONLY
    if verb == RAISE and rules.matching and s.price == 0:
        return NO_BET_YET
    if code != OK:
        return code
    full, low, high = sizes(rules, s, p)
    if to < low:
        return BELOW_LEAST
    if to > high:
        return ABOVE_MOST
    if rules.second_step and low < to < high:
        return BETWEEN
    return SHORT_RAISE if rules.only_short_all_in and to < full else OK


def brings_in(rules: Rules, s: Seen) -> bool:
    """Return whether the player to act must pay the bring-in, because no player has paid it yet."""
    if not rules.bring_in or s.price == 0:
        return False
    for q in range(s.n):
        if s.bets[q] > 0:
            return False
    return True


def fold_refusal(rules: Rules, s: Seen, debt: int) -> int:
    """Return the code of the reason why the player to act must not fold, or OK. `debt` is what they owe."""
    if rules.bring_in and brings_in(rules, s):
        return BRING_IN
    return OK if debt > 0 or rules.free_fold else FREE_FOLD


def call_refusal(rules: Rules, s: Seen, p: int, debt: int) -> int:
    """Return the code of the reason why p must not call, or OK. `debt` is what p owes."""
    if debt <= 0:
        return NOTHING_OWED
    return SHORT_CALL if rules.only_short_all_in and s.stacks[p] < debt else OK


def all_in_refusal(rules: Rules, s: Seen, p: int, debt: int, raising: int, high: int) -> int:
    """Return the code of the reason why p must not go all-in, or OK.

    `debt` is what p owes, `raising` the result of `raise_refusal`, and `high` that of `most`.
    """
    stack = s.stacks[p]
    if stack < debt or (stack == debt and not rules.only_short_all_in):
        return OK
    total = s.bets[p] + stack
    if rules.only_short_all_in and (debt > 0 or total >= target(rules, s, p)):
        return NOT_SHORT
    if raising != OK:
        return raising
    return ABOVE_MOST if total > high else OK


# --- what actions change


def pay(s: Numbers, p: int, amount: int) -> int:
    """Move up to `amount` chips from p's stack to p's street bet. Return the number of chips moved."""
    stack = s.stacks[p]
    moved = amount if amount < stack else stack
    s.stacks[p] = stack - moved
    s.bets[p] += moved
    return moved


def ask_price(s: Numbers, amount: int) -> None:
    """Set the price to `amount` if it is lower.

    An amount below the step, such as a small blind alone, does not change `level`. The next bet completes it.
    """
    if amount > s.price:
        s.price = amount
        if amount >= s.step:
            s.level = amount


def post(s: Numbers, p: int, amount: int) -> int:
    """Take a live forced bet, for a street total of `amount`. The price is `amount` even if p's stack is short."""
    ask_price(s, amount)
    return pay(s, p, amount - s.bets[p]) if amount > s.bets[p] else 0


def post_dead(s: Numbers, p: int, amount: int) -> int:
    """Take forced money that is not part of a bet. It goes to the main pot."""
    moved = amount if amount < s.stacks[p] else s.stacks[p]
    s.stacks[p] -= moved
    s.pot += moved
    return moved


def post_ante(s: Numbers, p: int, amount: int) -> int:
    """Take an ante. It is not part of a bet, but a player who pays less can win less."""
    moved = post_dead(s, p, amount)
    s.paid[p] += moved
    return moved


def ante_matched(s: Seen, antes: Sequence[int]) -> int:
    """Return the largest ante that at least two players can pay. The rest of a larger ante could not be won."""
    top, second = 0, 0
    for p in range(s.n):
        ante = antes[p] if antes[p] < s.stacks[p] else s.stacks[p]
        if ante > top:
            top, second = ante, top
        elif ante > second:
            second = ante
    return second


def open_round(rules: Rules, s: Numbers, opener: int) -> None:
    """Give the turn to the first player. Forced bets are already posted. A blind counts as the opening bet."""
    s.opener = opener
    if rules.opening_counts and s.level > 0:
        s.raises = 1
    s.turn = next_to_act(rules, s, opener - 1)


def act(rules: Rules, s: Numbers, verb: int, to: int) -> None:
    """Play an action for which `refusal` returns OK, and pass the turn."""
    p = s.turn
    s.acted[p] = True
    if verb == FOLD:
        s.folded[p] = True
        if s.holder == p:
            s.holder = -1
    else:
        if verb == ALL_IN:
            to = s.bets[p] + s.stacks[p]
        if verb >= BET and (to > s.price or not rules.matching):
            raise_to(rules, s, p, to)
        elif s.bets[p] < s.price:
            pay(s, p, s.price - s.bets[p])
    if rules.cap_closes and 0 <= rules.cap <= s.raises:
        s.turn = -1
        return
    s.turn = next_to_act(rules, s, p)
    if s.turn < 0 and s.holder >= 0 and s.stacks[s.holder] > 0 and (s.holder != p or verb >= BET):
        s.turn = s.holder  # the holder of the initiative acts last, unless the holder acted just now without raising


def raise_to(rules: Rules, s: Numbers, p: int, to: int) -> None:
    """Set p's street total to `to`, which is above the price. Let other players raise again if the rules allow it."""
    opening = rules.matching and s.price == 0
    size = to - (s.level if rules.matching else s.bets[p])
    full = size >= s.step or (rules.completes and 2 * size >= s.step)
    pay(s, p, to - s.bets[p])
    if rules.matching:
        s.price = to
        if full or not rules.completes:
            s.level = to
    if full:
        if not rules.exact:
            s.step = size
        elif size >= rules.second_step > s.step:
            s.step = rules.second_step  # later raises have the larger size
        if rules.last_word and s.raises == 0:
            s.holder = p
        if rules.opening_counts or not opening:
            s.raises += 1
    for q in range(s.n):
        if s.acted[q] and q != p and s.stacks[q] > 0 and not s.folded[q] and reopens(rules, s, p, q, full):
            s.acted[q] = False


def reopens(rules: Rules, s: Seen, p: int, q: int, full: bool) -> bool:
    """Return whether a raise by p lets q raise again. `full` tells whether it was a full raise."""
    if rules.answers == FOLLOWING and (q - s.opener) % s.n < (p - s.opener) % s.n:
        return False
    if full or rules.reopening == ALWAYS:
        return True
    return rules.reopening == CUMULATIVE and s.price - s.bets[q] >= s.step


def next_to_act(rules: Rules, s: Seen, after: int) -> int:
    """Return the next place clockwise after `after` that must act, or -1."""
    for place in range(after + 1, after + 1 + s.n):
        p = place if place < s.n else place - s.n
        if not s.folded[p] and s.stacks[p] > 0 and (not s.acted[p] or s.bets[p] < s.price) and opposed(rules, s, p):
            return p
    return -1


def opposed(rules: Rules, s: Seen, p: int) -> bool:
    """Return whether p has an opponent of the kind that the rules require before p may act."""
    for q in range(s.n):
        if (
            not s.folded[q]
            and q != p
            and (s.stacks[q] > 0 or s.bets[q] > s.bets[p] or rules.opposition == ANY_OPPONENT)
        ):
            return True
    return rules.opposition == NO_OPPONENT


def contested(s: Seen) -> bool:
    """Return whether at least two players who have not folded have chips, so that betting can continue."""
    able = 0
    for p in range(s.n):
        if s.stacks[p] > 0 and not s.folded[p]:
            able += 1
            if able == 2:
                return True
    return False


def uncalled(rules: Rules, s: Seen) -> tuple[int, int]:
    """Return the place with an uncalled bet and its amount, or (-1, 0) if there is none."""
    if not rules.matching:
        return -1, 0
    top, owner, second = -1, -1, 0
    for p in range(s.n):
        total = s.paid[p] + s.bets[p]
        if total > top:
            second = top
            top, owner = total, p
        elif total > second:
            second = total
    if top > second and not s.folded[owner]:
        return owner, top - second
    return -1, 0


def give_back(s: Numbers, p: int, amount: int) -> None:
    """Return the uncalled part of a bet to p's stack."""
    s.bets[p] -= amount
    s.stacks[p] += amount


def collect(s: Numbers, step: int) -> None:
    """Move the bets into the pot, and prepare the round for the next street."""
    pot = s.pot
    for p in range(s.n):
        bet = s.bets[p]
        pot += bet
        s.paid[p] += bet
        s.bets[p] = 0
        s.acted[p] = False
    s.pot = pot
    s.price = 0
    s.level = 0
    s.step = step
    s.raises = 0
    s.holder = -1
    s.turn = -1


def win(s: Numbers, p: int, amount: int) -> None:
    """Pay chips from the pot to p."""
    s.pot -= amount
    s.stacks[p] += amount
