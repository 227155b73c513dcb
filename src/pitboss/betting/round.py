"""A betting round as an immutable value: its legal actions, and the next round and the events after an action."""

from collections.abc import Iterable, Sequence
from operator import add
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import core
from pitboss.betting.core import Numbers
from pitboss.betting.events import (
    AllIn,
    Bet,
    BettingAction,
    BettingEvent,
    BroughtIn,
    Call,
    Called,
    Check,
    Checked,
    Fold,
    Folded,
    Posted,
    Raise,
    RaiseBy,
    Raised,
    Refunded,
)
from pitboss.betting.pots import Pot, pots
from pitboss.betting.refusals import Refused, SetupError, refused
from pitboss.betting.rules import Rules

_SIZED = (Bet, Raise)
_VERBS: dict[type, int] = {
    Fold: core.FOLD,
    Check: core.CHECK,
    Call: core.CALL,
    Bet: core.BET,
    Raise: core.RAISE,
    RaiseBy: core.RAISE,
    AllIn: core.ALL_IN,
}


class Post(Struct, frozen=True):
    """A forced bet. A live one is part of the street bet. With `option`, the player may raise when others only call.

    >>> from pitboss import Post, Stakes
    >>> stakes = Stakes(min_bet=20, posts=(Post(0, 10), Post(1, 20)))
    >>> stakes.posts[1].amount
    20
    """

    place: int
    amount: int
    live: bool = True
    option: bool = False
    players: int = 0  #: the number of players for whom `blinds` made the post, or 0 for any number


class Bounds(Struct, frozen=True, gc=False):
    """The smallest and largest bet or raise, as street totals (`to`) and as chips added (`by`).

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand.offer.raise_
    Bounds(min_to=40, max_to=1000, min_by=30, max_by=990)
    """

    min_to: int
    max_to: int
    min_by: int
    max_by: int


class Offer(Struct, frozen=True, gc=False, rename={"raise_": "raise"}):
    """The legal actions. `call` and `all_in` are the chips to add; `bet` and `raise_` have the allowed sizes.

    If `call` is set and `fold` is not, the call is a bring-in. `show` and `muck` are actions of the showdown. In a
    draw, `draw` is the maximum number of cards to change. In a discard, `discard` is the number of cards to discard.
    `runs` is how often the rest of the board can be dealt, if players choose it.

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand.offer.fold, hand.offer.call, hand.offer.check
    (True, 10, False)
    """

    fold: bool = False
    check: bool = False
    call: int | None = None
    bet: Bounds | None = None
    raise_: Bounds | None = None
    all_in: int | None = None
    show: bool = False
    muck: bool = False
    draw: int | None = None
    discard: int | None = None
    runs: int | None = None

    def __repr__(self) -> str:
        """Return the offer as text. The choices outside betting are only written if they are on offer."""
        fields = [(name, getattr(self, name)) for name in self.__struct_fields__]
        shown = [f"{name}={value!r}" for name, value in fields if value is not None or name not in ("discard", "runs")]
        return f"Offer({', '.join(shown)})"


NO_OFFER = Offer()


class Round(Struct, frozen=True, gc=False):
    """A betting round. The fields are explained at `Numbers` in `core.py`.

    >>> from pitboss import no_limit
    >>> round, events = Round.start(no_limit(), stacks=(980, 960, 1000), step=20, opener=2)
    >>> round.turn, round.offer.bet
    (2, Bounds(min_to=20, max_to=1000, min_by=20, max_by=1000))
    >>> round, events = round.act(Bet(to=60))
    >>> events, round.offer.call
    ((Raised(place=2, amount=60, to=60, opening=True, all_in=False),), 60)
    """

    rules: Rules
    n: int
    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    paid: tuple[int, ...]
    folded: tuple[bool, ...]
    acted: tuple[bool, ...]
    price: int
    level: int
    step: int
    raises: int
    pot: int
    opener: int
    holder: int
    turn: int

    @classmethod
    def start(
        cls,
        rules: Rules,
        *,
        stacks: Sequence[int],
        step: int,
        opener: int | None = None,
        posts: Sequence[Post] = (),
        antes: Sequence[int] = (),
        equal_antes: bool = True,
        dead: int = 0,
        price: int = 0,
    ) -> tuple["Round", tuple[BettingEvent, ...]]:
        """Take antes and posts. Give the turn to `opener`, by default the player left of the last blind or straddle.

        With `equal_antes`, a player with a short ante can win only the same amount of each other ante. Without it, all
        antes are dead money in the main pot, as when one player pays the ante for the table. `dead` is other dead money
        in the pot. `price` is the minimum cost of staying, even if no player posts it.
        """
        n = len(stacks)
        if opener is not None and not 0 <= opener < n:
            raise SetupError(f"opener: expected a place from 0 to {n - 1}, got {opener}")
        zeros, nobody = [0] * n, [False] * n
        s = Numbers(n, [*stacks], zeros, [*zeros], nobody, [*nobody], 0, 0, step, 0, dead, 0, -1, -1)
        _check_posts(posts, n)
        core.ask_price(s, price)
        events = _take(s, posts, antes, equal_antes)
        core.open_round(rules, s, first_opener(posts, n) if opener is None else opener)
        return _freeze(rules, s), tuple(events)

    @property
    def offer(self) -> Offer:
        """The legal actions of the player to act."""
        rules, p = self.rules, self.turn
        if p < 0:
            return NO_OFFER
        bet, stack = self.bets[p], self.stacks[p]
        debt, raising = core.owed(self, p), core.raise_refusal(rules, self, p)
        bounds, high = None, 0
        if not raising:
            full, low, high = core.sizes(rules, self, p)
            if low >= full or not rules.only_short_all_in:
                bounds = Bounds(low, high, low - bet, high - bet)
        opening = rules.matching and self.price == 0
        return Offer(
            (debt > 0 or rules.free_fold) and not (rules.bring_in and core.brings_in(rules, self)),
            debt == 0,
            None if debt == 0 else debt if stack >= debt else None if rules.only_short_all_in else stack,
            bounds if opening else None,
            None if opening else bounds,
            None if core.all_in_refusal(rules, self, p, debt, raising, high) else stack,
        )

    def legal(self) -> tuple[BettingAction, ...]:
        """The legal actions as values. Bets and raises have the smallest and the largest size.

        All-in is not listed if a call, bet or raise in the list has the same effect.

        >>> from pitboss import no_limit
        >>> round, _ = Round.start(no_limit(), stacks=(80, 100), step=20, opener=0)
        >>> round.legal()
        (Fold(), Check(), Bet(to=20), Bet(to=80))
        """
        return _legal(self.offer)

    @property
    def live(self) -> tuple[int, ...]:
        """The places that have not folded."""
        return tuple([p for p, folded in enumerate(self.folded) if not folded])

    @property
    def contested(self) -> bool:
        """Whether at least two players who have not folded have chips, so that betting can continue."""
        return core.contested(self)

    @property
    def chips_in_middle(self) -> int:
        """The chips in the pot and in the bets of this round."""
        return self.pot + sum(self.bets)

    @property
    def pot_raise(self) -> int:
        """The street total of a pot-sized raise, which may not be legal."""
        return core.raise_by(self, self.turn, self.pot + sum(self.bets))

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The main pot and side pots, including bets. During betting, every player with chips can win all of them."""
        dead = self.pot - sum(self.paid)
        if self.turn < 0 and not any(self.bets):
            return pots(self.paid, self.folded, dead)
        totals = list(map(add, self.paid, self.bets))
        able = [p for p, stack in enumerate(self.stacks) if stack] if self.turn >= 0 else ()
        return pots(totals, self.folded, dead, able)

    def act(self, action: BettingAction) -> tuple["Round", tuple[BettingEvent, ...]]:
        """Return the round after an action, and its events. Raise `Refused` if the action is not legal."""
        rules, p = self.rules, self.turn
        verb = _VERBS.get(type(action))
        if verb is None:
            raise Refused("unknown_action", f"expected a betting action, got {action!r}")
        to = _total(self, action) if verb >= core.BET else 0
        code = core.refusal(rules, self, verb, to)
        if code:
            raise refused(code, rules, self, to)
        s = _thaw_for(verb, self)
        core.act(rules, s, verb, to)
        if verb == core.FOLD:
            return _freeze(rules, s), (Folded(p),)
        return _freeze(rules, s), (_event(self, s, p),)

    def close(self, *, step: int) -> tuple["Round", tuple[BettingEvent, ...]]:
        """Return the round for a street with this step. Uncalled chips are returned, and bets go to the pot."""
        s = _thaw(self)
        owner, amount = core.uncalled(self.rules, s)
        if owner >= 0:
            core.give_back(s, owner, amount)
        core.collect(s, step)
        return _freeze(self.rules, s), (Refunded(owner, amount),) if owner >= 0 else ()

    def open(self, opener: int, step: int | None = None) -> "Round":
        """Return the round of the next street. The turn goes to the first player from `opener` on who can act."""
        s = _thaw(self)
        if step is not None:
            s.step = step
        core.open_round(self.rules, s, opener)
        return _freeze(self.rules, s)

    def pay_out(self, shares: Iterable[tuple[int, int]], house: int = 0) -> "Round":
        """Return the round after paying the pot. `shares` are places and their chips; `house` is the rake."""
        s = _thaw(self)
        s.pot -= house
        for place, amount in shares:
            core.win(s, place, amount)
        return replace(self, stacks=tuple(s.stacks), pot=s.pot)

    def leave(self, place: int) -> "Round":
        """Return the finished round with this place folded, because its player has mucked."""
        s = _thaw(self)
        s.folded[place] = True
        return _freeze(self.rules, s)


def _check_posts(posts: Sequence[Post], n: int) -> None:
    """Raise `SetupError` for a post of a place that does not exist, or for another number of players."""
    for post in posts:
        if not 0 <= post.place < n:
            raise SetupError(f"posts: expected places from 0 to {n - 1}, got {post.place}")
        if post.players and post.players != n:
            raise SetupError(
                f"posts: expected posts for {n} players, got {post.amount} of place {post.place} for {post.players}"
            )


def _take(s: Numbers, posts: Sequence[Post], antes: Sequence[int], equal_antes: bool) -> list[BettingEvent]:
    """Take antes, then posts in their order. Return the events."""
    events: list[BettingEvent] = []
    if equal_antes and antes:
        matched = core.ante_matched(s, antes)
        antes = [min(ante, matched) for ante in antes]
    post_ante = core.post_ante if equal_antes else core.post_dead
    for p, ante in enumerate(antes):
        if ante:
            events.append(Posted(p, post_ante(s, p, ante), False, s.stacks[p] == 0))
    for post in posts:
        if post.amount and s.stacks[post.place]:
            p = post.place
            moved = (core.post if post.live else core.post_dead)(s, p, post.amount)
            if moved:
                events.append(Posted(p, moved, post.live, s.stacks[p] == 0))
        elif post.live:
            core.post(s, post.place, post.amount)  # the player has no chips, but the post still sets the price
    return events


def first_opener(posts: Sequence[Post], n: int) -> int:
    """Return the place left of the highest blind or straddle. Without blinds, return place 0."""
    highest, opener = 0, 0
    for post in posts:
        if post.option and post.amount >= highest:
            highest, opener = post.amount, (post.place + 1) % n
    return opener


def _thaw(round: Round) -> Numbers:
    return Numbers(
        round.n,
        [*round.stacks],
        [*round.bets],
        [*round.paid],
        [*round.folded],
        [*round.acted],
        round.price,
        round.level,
        round.step,
        round.raises,
        round.pot,
        round.opener,
        round.holder,
        round.turn,
    )


def _thaw_for(verb: int, round: Any) -> Numbers:
    """Return numbers that an action can change. Fields that the action does not change are not copied."""
    folds = verb == core.FOLD
    return Numbers(
        round.n,
        round.stacks if folds else [*round.stacks],
        round.bets if folds else [*round.bets],
        round.paid,
        [*round.folded] if folds else round.folded,
        [*round.acted],
        round.price,
        round.level,
        round.step,
        round.raises,
        round.pot,
        round.opener,
        round.holder,
        round.turn,
    )


def _freeze(rules: Rules, s: Numbers) -> Round:
    return Round(
        rules,
        s.n,
        tuple(s.stacks),
        tuple(s.bets),
        tuple(s.paid),
        tuple(s.folded),
        tuple(s.acted),
        s.price,
        s.level,
        s.step,
        s.raises,
        s.pot,
        s.opener,
        s.holder,
        s.turn,
    )


def _legal(offer: Offer) -> tuple[BettingAction, ...]:
    """Return the actions of an offer, without repeating an effect."""
    actions: list[BettingAction] = []
    if offer.fold:
        actions.append(Fold())
    if offer.check:
        actions.append(Check())
    if offer.call is not None:
        actions.append(Call())
    bounds = offer.bet or offer.raise_
    if bounds is not None:
        kind = Raise if offer.bet is None else Bet
        actions.append(kind(bounds.min_to))
        if bounds.max_to > bounds.min_to:
            actions.append(kind(bounds.max_to))
    if offer.all_in is not None and offer.all_in not in (offer.call, bounds and bounds.max_by):
        actions.append(AllIn())
    return tuple(actions)


def _total(s: Round, action: BettingAction) -> int:
    """Return the street total of a bet, a raise or an all-in."""
    if isinstance(action, _SIZED):
        if action.to is not None:
            return _whole(action.to)
    elif isinstance(action, RaiseBy):
        return s.bets[s.turn] + _whole(action.by)
    else:
        return s.bets[s.turn] + s.stacks[s.turn]
    if not s.rules.exact:
        raise Refused("amount_missing", "expected an amount: the size is not fixed in this system")
    return core.least(s.rules, s, s.turn)


def _whole(amount: Any) -> int:
    if type(amount) is not int or amount < 0:
        raise Refused("whole_chips", f"expected a whole number of chips, got {amount!r}")
    return amount


def _event(before: Round, s: Numbers, p: int) -> BettingEvent:
    """Return the event of an action, from the chips before and after it."""
    if s.folded[p]:
        return Folded(p)
    bet = s.bets[p]
    moved = bet - before.bets[p]
    if moved == 0:
        return Checked(p)
    all_in = s.stacks[p] == 0
    if bet > before.price or not before.rules.matching:
        return Raised(p, moved, bet, before.rules.matching and before.price == 0, all_in)
    if before.rules.bring_in and core.brings_in(before.rules, before):
        return BroughtIn(p, moved, all_in)
    return Called(p, moved, all_in)
