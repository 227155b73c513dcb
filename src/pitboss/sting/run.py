"""A run: several hands with a shop between them. Heat and cash are carried over until the run ends.

The opponents act automatically, so a run always waits for the Player. All prices are part of its difficulty.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import events as betting
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Round
from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.game import Over, PlayersTurn, Turn
from pitboss.sting.cards import HIDDEN, ROLES, CardSet, Difficulty, Role, default_cards
from pitboss.sting.events import (
    Banked,
    Bought,
    Buy,
    Continue,
    Continued,
    Drawn,
    Ending,
    Flipped,
    FoldPaid,
    Grown,
    HandBegun,
    IdlePaid,
    Insured,
    NextHand,
    Outcome,
    Pressed,
    PutAway,
    Reshuffled,
    Resolved,
    RunAction,
    RunEnded,
    RunEvent,
    RunOnlyEvent,
    Seized,
    ShopOpened,
    StingCheck,
    StingChecked,
    StingFold,
    StingFolded,
    StingRaise,
    StingRaised,
    StingState,
)
from pitboss.sting.hand import (
    CUSTOMER,
    MOST_DRAWN,
    NARC,
    OUTCOMES,
    PLAYER,
    StingHand,
    Variation,
    begin_betting,
    put_down,
    view_event,
)
from pitboss.sting.opponents import act_customer, act_narc

Pile = tuple[str, ...]
Step = tuple["Run", tuple[RunEvent, ...]]
_SHOP = 1 << 32
"""The label of the random numbers of the shop. It is larger than the number of any hand."""
ENDED: dict[Outcome, StingState] = {outcome: state for state, outcome in OUTCOMES.items()}


class RunOffer(Struct, frozen=True):
    """The Player's possible actions now. `raise_` and `buy` have the cards."""

    check: bool = False
    raise_: tuple[str, ...] = ()
    fold: bool = False
    continue_: bool = False
    buy: tuple[str, ...] = ()  #: cards for sale that the Player can pay for
    next: bool = False


class Run(Struct, frozen=True, kw_only=True):
    """A run at one moment, between two decisions of the Player.

    >>> run, events = Run.start(seed=7)
    >>> run.hand.to_act == PLAYER, run.heat, run.difficulty.name
    (True, 0, 'normal')
    """

    cards: CardSet
    seed: int
    decks: Mapping[Role, str]  #: the deck that each role started with
    answers: Answers
    difficulty: Difficulty
    chance: int  #: the random state for the opponents
    number: int = 0  #: the number of the hand
    hand: StingHand
    listed: tuple[Pile, ...]  #: the cards of each deck now; they are public
    discards: tuple[Pile, ...] = ((), (), ())  #: cards turned up in earlier hands
    shop: Pile = ()  #: cards still for sale
    bought: Pile = ()  #: cards that go on top of the Player's deck in the next hand
    heat: int  #: the Heat before this hand or, if the hand is over, after it
    cash: int
    ending: Ending | None = None
    actions: tuple[RunAction, ...] = ()  #: all actions of the Player; with the seed they determine the run

    @classmethod
    def start(
        cls,
        *,
        seed: int,
        cards: CardSet | None = None,
        decks: Mapping[Role, str] | None = None,
        answers: Answers = Answers.FOLLOWING,
        difficulty: str | None = None,
        variation: Variation | None = None,
    ) -> Step:
        """Shuffle the decks and deal the first hand. The default decks are the first of each role."""
        cards = cards or default_cards()
        named = {role: (decks or {}).get(role) or next(iter(cards.decks[role])) for role in ROLES}
        listed = tuple([cards.deck(role, named[role]) for role in ROLES])
        piles: dict[str, Pile] = {
            role: Chance(seed).fork(-1 - place).shuffled(listed[place]) for place, role in enumerate(ROLES)
        }
        stakes = cards.difficulty(difficulty)
        changed = replace(variation or Variation(), lawyer=stakes.lawyer)
        return _deal(
            cls(
                cards=cards,
                seed=seed,
                decks=named,
                answers=Answers.of(answers),
                difficulty=stakes,
                chance=0,
                hand=StingHand.start(piles, cards=cards, listed=listed, variation=changed, dealt=False)[0],
                listed=listed,
                heat=0,
                cash=stakes.cash,
            )
        )

    # --- state

    @property
    def over(self) -> bool:
        """Whether the run is over."""
        return self.ending is not None

    @property
    def won(self) -> bool:
        """Whether the run ended with the target reached."""
        return self.ending == "target"

    @property
    def between(self) -> bool:
        """Whether a hand is over and the next hand can begin. If there is a shop, it is open."""
        return self.hand.over and not self.over

    @property
    def turn(self) -> Turn:
        """The player who must act: the Player, until the run is over."""
        return Over() if self.over else PlayersTurn(PLAYER)

    @property
    def least_heat(self) -> int:
        """The minimum Heat now."""
        return self.difficulty.least_heat(self.number)

    @property
    def current_heat(self) -> int:
        """The Heat including the face-up cards. It would be the Heat of the run if the hand ended now."""
        return self.heat if self.hand.over else max(self.least_heat, self.hand.heat)

    @property
    def convicted(self) -> bool:
        """Whether a Conviction is face up whose threshold the Heat has reached."""
        table = [card for _, card in self.hand.table]
        return any(self.current_heat >= card.threshold for card in self.cards.of_kind(table, "conviction"))

    @property
    def fold_price(self) -> tuple[int, int]:
        """The cash and the Heat that a fold costs now."""
        return self.difficulty.fold_price(self.hand.number, self.hand.state == "DecisionPoint")

    @property
    def offer(self) -> RunOffer:
        """The Player's possible actions."""
        if self.over:
            return RunOffer()
        if self.hand.over:
            return RunOffer(buy=tuple([card for card in self.shop if self.cards.shop[card] <= self.cash]), next=True)
        offer = self.hand.offer
        return RunOffer(offer.check, offer.raise_, offer.fold, offer.continue_)

    def legal(self) -> tuple[RunAction, ...]:
        """Return every possible action."""
        if self.between:
            return (*(Buy(card) for card in self.offer.buy), NextHand())
        return () if self.over else self.hand.legal()

    def view(self) -> "Run":
        """Return the run as the Player sees it, without hidden cards, the order of decks, and future random numbers."""
        return replace(self, hand=self.hand.view(PLAYER), seed=0, chance=0)

    # --- actions

    def act(self, action: RunAction) -> Step:
        """Return the run at the Player's next decision, and the events until then.

        Raise `Refused` if the action is not possible.
        """
        if self.over:
            raise Refused("run_over", "the run is over; start a new one")
        run, events = _between(self, action) if self.hand.over else _in_hand(self, action)
        return replace(run, actions=(*self.actions, action)), events


def view_events(events: tuple[RunEvent, ...]) -> tuple[RunEvent, ...]:
    """Return the events as the Player sees them."""
    return tuple([view_run_event(event) for event in events])


def view_run_event(event: RunEvent) -> RunEvent:
    """Return an event as the Player sees it. Events between two hands are public."""
    return event if isinstance(event, RunOnlyEvent) else view_event(event, PLAYER)


# --- the Player's actions


def _between(run: Run, action: RunAction) -> Step:
    match action:
        case NextHand():
            return _deal(run)
        case Buy(card=card):
            return _buy(run, card)
        case StingCheck() | StingRaise() | StingFold() | Continue():
            raise Refused("hand_over", "the hand is over; start the next one")
        case _:
            assert_never(action)


def _in_hand(run: Run, action: RunAction) -> Step:
    match action:
        case NextHand() | Buy():
            raise Refused("hand_not_over", "this hand is not over; play it to the end first")
        case _:
            hand, happened = run.hand.act(action, PLAYER)
            acted = replace(run, hand=hand)
            return _bank(acted, happened, run.fold_price) if hand.outcome == "fold" else _play_on(acted, happened)


def _buy(run: Run, card: str) -> Step:
    if card not in run.shop:
        there = f"expected one of {', '.join(run.shop)}" if run.shop else "nothing is for sale"
        raise Refused("not_on_offer", f"{card!r} is not for sale: {there}")
    price = run.cards.shop[card]
    if price > run.cash:
        raise Refused("too_dear", f"{card} costs {price}, and you have {run.cash}")
    narc, customer, own = run.listed
    run = replace(
        run,
        bought=(card, *run.bought),
        listed=(narc, customer, (*own, card)),
        shop=tuple([other for other in run.shop if other != card]),
        cash=run.cash - price,
    )
    return run, (Bought(card, price, run.cash),)


# --- from one hand to the next


def _deal(run: Run) -> Step:
    """Start the next hand with the unplayed cards. If a deck is short, the discards are shuffled and put under it."""
    number, held = run.number + 1, list(run.hand.hands)
    chance = Chance(run.seed).fork(number)
    heat = max(run.heat - _cools(run), run.difficulty.least_heat(number), 0)
    events: list[RunEvent] = [HandBegun(number, heat, run.cash)]
    if run.difficulty.press and number > 1:
        events.append(Pressed(run.difficulty.least_heat(number), heat))
    decks, discards, listed = list(run.hand.decks), list(run.discards), list(run.listed)
    if run.difficulty.clears and held[PLAYER] and run.hand.outcome not in (None, "fold"):
        events.append(PutAway(held[PLAYER]))
        discards[PLAYER] += held[PLAYER]
        held[PLAYER] = ()
    decks[PLAYER] = run.bought + decks[PLAYER]
    for place in (NARC, CUSTOMER):
        decks[place] += tuple([card for owner, card in run.hand.down if owner == place])
    events += _grow(run.difficulty, number, chance, decks, listed)
    events += _reshuffle(held, chance, decks, discards)
    hand, drawn = StingHand.start(
        dict(zip(ROLES, decks, strict=True)),
        held=dict(zip(ROLES, held, strict=True)),
        cards=run.cards,
        answers=run.answers,
        heat=heat,
        cash=run.cash,
        listed=tuple(listed),
        variation=run.hand.variation,
    )
    run = replace(
        run,
        number=number,
        hand=hand,
        discards=tuple(discards),
        listed=tuple(listed),
        shop=(),
        bought=(),
        heat=heat,
        chance=chance.state,
    )
    return _play_on(run, (*events, *drawn))


def _grow(
    difficulty: Difficulty, number: int, chance: Chance, decks: list[Pile], listed: list[Pile]
) -> Iterator[RunEvent]:
    """Shuffle the cards that opponents get before this hand into their decks. `listed` has all cards of each deck."""
    for growth in difficulty.grows:
        if growth.hand == number:
            place = NARC if growth.role == "narc" else CUSTOMER
            decks[place] = chance.shuffled((*decks[place], growth.card))
            listed[place] += (growth.card,)
            yield Grown(place, growth.card)


def _reshuffle(held: Sequence[Pile], chance: Chance, decks: list[Pile], discards: list[Pile]) -> Iterator[RunEvent]:
    """Shuffle the discards and put them under each deck that is too short for a draw."""
    for place, discarded in enumerate(discards):
        if discarded and len(decks[place]) + len(held[place]) < MOST_DRAWN:
            decks[place] += chance.shuffled(discarded)
            discards[place] = ()
            yield Reshuffled(place, len(discarded))


def _cools(run: Run) -> int:
    """Return how much the Heat falls after this hand. A Conviction can keep it from falling."""
    if not run.number or (run.convicted and not run.difficulty.conviction_cools):
        return 0
    return run.difficulty.cools


def _play_on(run: Run, events: tuple[RunEvent, ...]) -> Step:
    """Play the opponents' turns until the Player must act or the hand is over."""
    hand, chance, ways = run.hand, Chance(run.chance), run.difficulty
    while not hand.over and hand.to_act != PLAYER:
        seen = hand.view(hand.to_act)
        narcs = hand.to_act == NARC
        action = act_narc(ways.narc, seen, chance) if narcs else act_customer(ways.customer, seen, chance)
        hand, happened = hand.act(action)
        events += happened
    run = replace(run, hand=hand, chance=chance.state)
    return _bank(run, events) if hand.over else (run, events)


def _bank(run: Run, events: tuple[RunEvent, ...], fold_price: tuple[int, int] = (0, 0)) -> Step:
    """Settle a finished hand, and end the run if it is over."""
    run, paid = _pay(_clear(run), *fold_price)
    busted, caught = run.hand.outcome == "bust", run.heat >= run.cards.caught_at
    ending: Ending | None = "busted" if busted else "caught" if caught else None
    if ending:
        lost = max(0, run.cash) * run.difficulty.lost // 100
        paid += [Seized(lost)] if lost else []
        run = replace(run, cash=run.cash - lost)
    elif run.number == run.difficulty.hands:
        ending = "target" if run.cash >= run.difficulty.target else "night_over"
    run = replace(run, ending=ending)
    events = (*events, *paid, Banked(run.heat, run.cash))
    if ending:
        return run, (*events, RunEnded(ending, run.cash))
    shop = _offered(run)
    run = replace(run, shop=shop)
    return run, (*events, ShopOpened(tuple([(card, run.cards.shop[card]) for card in shop]))) if shop else events


def _clear(run: Run) -> Run:
    """Discard the cards that were played. Opponents' face-down cards stay hidden and return to their decks."""
    hand, burnt = run.hand, Counter(run.hand.burnt)
    discards, own = [*run.discards], list(run.listed[PLAYER])
    for place, card in (*hand.table, *((place, card) for place, card in hand.down if place == PLAYER)):
        if place == PLAYER and burnt[card]:
            burnt[card] -= 1
            own.remove(card)
        else:
            discards[place] += (card,)
    return replace(run, discards=tuple(discards), listed=(*run.listed[:PLAYER], tuple(own)))


def _pay(run: Run, fold_cash: int, fold_heat: int) -> tuple[Run, list[RunEvent]]:
    """Return the run with the profit, the Heat and the costs of the hand, and the events of the costs."""
    hand, stakes, events = run.hand, run.difficulty, list[RunEvent]()
    totals = hand.totals
    cash, gained = run.cash + totals.profit - hand.cost, totals.heat
    if hand.outcome == "fold":
        gained = gained if stakes.fold_cools else max(0, gained)
        if fold_cash or fold_heat:
            cash, gained = cash - fold_cash, gained + fold_heat
            events.append(FoldPaid(fold_cash, fold_heat))
    elif stakes.idle and hand.outcome == "success" and not sells(run):
        cash -= stakes.idle
        events.append(IdlePaid(stakes.idle))
    return replace(run, cash=cash, heat=max(run.least_heat, hand.heat_before + gained)), events


def sells(run: Run) -> bool:
    """Return whether a Product is face up."""
    return any(run.cards.cards[card].kind == "product" for _, card in run.hand.table if card != HIDDEN)


def _offered(run: Run) -> Pile:
    """Return the cards for sale. They depend only on the seed and the number of the hand."""
    for_sale = tuple(run.cards.shop)
    count = min(run.difficulty.offer, len(for_sale))
    return Chance(run.seed).fork(_SHOP + run.number).shuffled(for_sale, count)


class Moment(Struct, frozen=True):
    """An event, and the hand just after it as the Player sees it."""

    event: RunEvent
    hand: StingHand


def list_moments(before: StingHand | None, events: Iterable[RunEvent], after: Run) -> tuple[Moment, ...]:
    """Pair every event with the hand after it. `before` is the hand at the Player's last decision, if there is one."""
    last = after.hand.view(PLAYER)
    hand = last if before is None else before.view(PLAYER)
    moments = []
    for event in events:
        hand = _cleared(hand, last, fresh=before is None) if isinstance(event, HandBegun) else show_event(hand, event)
        moments.append(Moment(event, hand))
    return tuple(moments)


def show_event(hand: StingHand, event: RunEvent) -> StingHand:
    """Return the Player's view of a hand after one more event. Events between two hands do not change it."""
    match event:
        case Drawn(place=place, cards=cards):
            return _drawn(hand, place, cards)
        case PutAway(cards=cards):
            decks = hand.decks[PLAYER] + (HIDDEN,) * len(cards)
            return replace(hand, hands=(*hand.hands[:PLAYER], ()), decks=(*hand.decks[:PLAYER], decks))
        case StingChecked():
            return replace(hand, round=hand.round.act(betting.Check())[0])
        case StingRaised(place=place, card=card):
            return put_down(hand, place, card)
        case StingFolded(place=place):
            round = hand.round.act(betting.Fold())[0] if hand.state == "Betting" else hand.round
            return replace(hand, round=round, out=hand.out | {place})
        case Flipped(cards=cards):
            return replace(hand, table=hand.table + cards, down=(), state="DecisionPoint")
        case Continued():
            return replace(hand, number=hand.number + 1)
        case Insured(card=card, cost=cost):
            return replace(hand, burnt=(*hand.burnt, card), cost=cost)
        case Resolved(outcome=outcome, profit=profit, heat=heat):
            return replace(hand, state=ENDED[outcome], banked=profit, gained=heat)
    return hand


def _drawn(hand: StingHand, place: int, cards: tuple[str, ...]) -> StingHand:
    """Add drawn cards. The Player draws last, so the betting begins after the Player's draw."""
    hands, decks = list(hand.hands), list(hand.decks)
    hands[place] += cards
    decks[place] = decks[place][len(cards) :]
    if place != PLAYER:
        return replace(hand, hands=tuple(hands), decks=tuple(decks))
    return begin_betting(hand, tuple(hands), tuple(decks))


def _cleared(hand: StingHand, last: StingHand, *, fresh: bool) -> StingHand:
    """Return the table of the next hand before the draw. `last` is that hand a little later."""
    held = ((), (), ()) if fresh else hand.hands
    drawn = [
        sum(len(pile[place]) for pile in (last.hands, last.decks)) + sum(p == place for p, _ in last.table + last.down)
        for place in range(len(held))
    ]
    idle, _ = Round.start(last.round.rules, stacks=[0] * len(held), step=1, opener=last.variation.opener)
    return replace(
        last,
        round=idle,
        number=1,
        state="Betting",
        hands=held,
        decks=tuple((HIDDEN,) * (count - len(own)) for count, own in zip(drawn, held, strict=True)),
        table=(),
        down=(),
        out=frozenset(),
        burnt=(),
        cost=0,
        banked=None,
        gained=None,
    )
