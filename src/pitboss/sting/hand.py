"""One hand of Sting as a frozen value, and its views. Three rounds have a draw, betting, a flip and a decision.

The betting uses the betting kernel. A stack is the number of cards in hand, and a raise puts one card face down. Only
`view` and `view_event` remove hidden cards.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import events as betting
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Round
from pitboss.betting.rules import Answers, Rules, initiative
from pitboss.game import Over, PlayersTurn, Turn
from pitboss.sting.cards import HIDDEN, ROLES, CardSet, StingCard, Totals, default_cards
from pitboss.sting.events import (
    Continue,
    Continued,
    Drawn,
    Flipped,
    Insured,
    Outcome,
    Resolved,
    StingAction,
    StingCheck,
    StingChecked,
    StingEvent,
    StingFold,
    StingFolded,
    StingRaise,
    StingRaised,
    StingState,
)

BACK = (HIDDEN,)
NARC, CUSTOMER, PLAYER = range(3)
ROUNDS, HAND_SIZE = 3, 3
"""The printed numbers. A variation can have fewer rounds."""
MOST_DRAWN = ROUNDS * HAND_SIZE
"""The maximum number of cards of a deck that a hand needs."""
OUTCOMES: Mapping[StingState, Outcome] = {"Bust": "bust", "Success": "success", "Folded": "fold"}
RULES: Mapping[tuple[Answers, bool], Rules] = {
    (answers, last_word): initiative(answers=answers, last_word=last_word)
    for answers in Answers
    for last_word in (True, False)
}


def view(hand: "StingHand", place: int | None) -> "StingHand":
    """Return the hand without what a place does not see: other hands, decks, others' face-down cards, and the seed."""
    if place is not None and not 0 <= place < len(ROLES):
        raise Refused("no_such_place", f"place: expected 0 to {len(ROLES) - 1}, got {place}")
    hands = [BACK * len(held) for held in hand.hands]
    if place is not None:
        hands[place] = hand.hands[place]
    return replace(
        hand,
        hands=tuple(hands),
        decks=tuple([BACK * len(deck) for deck in hand.decks]),
        down=tuple([(p, card if p == place else HIDDEN) for p, card in hand.down]) if hand.down else (),
        seed=None,
    )


def view_event(event: StingEvent, place: int | None) -> StingEvent:
    """Return the event as one place sees it. None is a spectator."""
    match event:
        case Drawn():
            return event if event.place == place else Drawn(event.place, BACK * len(event.cards))
        case StingRaised():
            return event if event.place == place else replace(event, card=HIDDEN)
        case StingChecked() | StingFolded() | Flipped() | Continued() | Insured() | Resolved():
            return event
        case _:
            assert_never(event)


Played = tuple[tuple[int, str], ...]
"""Cards as (place, card), in the order in which they were played."""
Step = tuple["StingHand", tuple[StingEvent, ...]]


class Variation(Struct, frozen=True, kw_only=True):
    """The rules of a hand that experiments and runs can change."""

    rounds: int = ROUNDS
    opener: int = NARC  #: the place that acts first; the other places follow in order
    last_word: bool = True  #: whether the first raiser acts again after the others have answered
    lawyer: int = 0  #: if above 0, the maximum cost of an insurance, in per cent of the cash


AS_PRINTED = Variation()


class StingOffer(Struct, frozen=True):
    """The possible actions now. `raise_` has the cards that can be played."""

    check: bool = False
    raise_: tuple[str, ...] = ()
    fold: bool = False
    continue_: bool = False


class StingHand(Struct, frozen=True, kw_only=True):
    """A hand at one moment. The places are 0 for the Narc, 1 for the Customer and 2 for the Player.

    >>> hand, events = StingHand.start({"narc": ["Patrol"] * 9, "customer": ["Fair Deal"] * 9, "player": ["Weed"] * 9})
    >>> hand, events = hand.act(StingCheck())
    >>> hand, events = hand.act(StingRaise("Fair Deal"))
    >>> hand.turn, hand.holder, events
    (PlayersTurn(place=2), 1, (StingRaised(place=1, card='Fair Deal', all_in=False),))
    """

    cards: CardSet
    round: Round
    number: int = 1  #: the number of the round
    state: StingState = "Betting"
    hands: tuple[tuple[str, ...], ...]
    decks: tuple[tuple[str, ...], ...]  #: the top card is first
    table: Played = ()  #: the cards that are face up
    down: Played = ()  #: the cards of this round that are face down
    out: frozenset[int] = frozenset()  #: places that have folded
    burnt: tuple[str, ...] = ()  #: cards on the table that are removed from their deck
    heat_before: int = 0  #: the Heat before the hand
    cash: int = 0  #: the cash that can pay for insurances
    cost: int = 0  #: the cash that was paid for an insurance
    banked: int | None = None  #: the profit, if the hand is over
    gained: int | None = None  #: the Heat of this hand, if the hand is over
    seed: int | None = None  #: the seed of the opponents' actions on a timeout; None if it is hidden
    listed: tuple[tuple[str, ...], ...] = ((), (), ())  #: the cards of each deck; they are public
    variation: Variation = AS_PRINTED

    @classmethod
    def start(
        cls,
        decks: Mapping[str, Sequence[str]],
        *,
        cards: CardSet | None = None,
        held: Mapping[str, Sequence[str]] | None = None,
        answers: Answers = Answers.FOLLOWING,
        heat: int = 0,
        cash: int = 0,
        seed: int | None = None,
        listed: tuple[tuple[str, ...], ...] | None = None,
        variation: Variation = AS_PRINTED,
        dealt: bool = True,
    ) -> Step:
        """Start a hand, and draw the first round unless `dealt` is false. `held` are cards kept from earlier hands.

        The top card of each deck is first. `listed` are the cards of each place's deck. The default is the cards
        given here, sorted by name.
        """
        hands = tuple([tuple((held or {}).get(role, ())) for role in ROLES])
        piles = tuple([tuple(decks[role]) for role in ROLES])
        if listed is None:
            listed = tuple([tuple(sorted(pile + own)) for pile, own in zip(piles, hands, strict=True)])
        hand = cls(
            cards=cards or default_cards(),
            round=_round(RULES[Answers.of(answers), variation.last_word], variation.opener, 0, 0, 0),
            hands=hands,
            decks=piles,
            listed=listed,
            variation=variation,
            heat_before=heat,
            cash=cash,
            seed=seed,
        )
        return _draw(hand) if dealt else (hand, ())

    # --- state

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return self.state in OUTCOMES

    @property
    def turn(self) -> Turn:
        """The player who must act. At a decision point it is the Player."""
        place = self.to_act
        return PlayersTurn(place) if place >= 0 else Over()

    @property
    def to_act(self) -> int:
        """The place that must act, or -1."""
        return self.round.turn if self.state == "Betting" else PLAYER if self.state == "DecisionPoint" else -1

    @property
    def holder(self) -> int | None:
        """The place that has the initiative, or had it when the betting ended."""
        return self.round.holder if self.round.holder >= 0 else None

    @property
    def raises(self) -> int:
        """The number of raises in this round."""
        return self.round.raises

    @property
    def totals(self) -> Totals:
        """The totals of the face-up cards. If the hand is over, they contain its Heat and profit."""
        totals = self.cards.totals([card for _, card in self.table])
        if self.gained is None or self.banked is None:
            return totals
        return Totals(totals.evidence, totals.cover, self.gained, self.banked)

    @property
    def heat(self) -> int:
        """The Heat before the hand plus the Heat of this hand."""
        return self.heat_before + self.totals.heat

    @property
    def outcome(self) -> Outcome | None:
        """How the hand ended, or None."""
        return OUTCOMES.get(self.state)

    @property
    def offer(self) -> StingOffer:
        """The possible actions of the player who must act."""
        if self.state == "Betting":
            check, raise_, fold = _offered(self.round)
            return StingOffer(check, tuple(dict.fromkeys(self.hands[self.round.turn])) if raise_ else (), fold)
        return StingOffer(fold=True, continue_=True) if self.state == "DecisionPoint" else StingOffer()

    def legal(self) -> tuple[StingAction, ...]:
        """Return every possible action."""
        offer = self.offer
        actions: list[StingAction] = [StingRaise(card) for card in offer.raise_]
        actions += [StingCheck()] if offer.check else []
        actions += [Continue()] if offer.continue_ else []
        actions += [StingFold()] if offer.fold else []
        return tuple(actions)

    # --- actions

    def act(self, action: StingAction, place: int | None = None) -> Step:
        """Return the hand after an action, and its events. Raise `Refused` if the action is not possible."""
        if place not in (None, self.to_act) or self.over:
            raise _wrong_turn(self, place)
        return _bet(self, action) if self.state == "Betting" else _decide(self, action)

    def view(self, place: int | None) -> "StingHand":
        """Return the hand as one place sees it. None is a spectator."""
        return view(self, place)


# --- rounds of the betting kernel

# Few of them are different, so caching halves the time of a hand.


@lru_cache(maxsize=1024)
def _round(rules: Rules, opener: int, *cards: int) -> Round:
    """Start a round of betting. `cards` is the number of cards that each place can play."""
    return Round.start(rules, stacks=cards, step=1, opener=opener)[0]


@lru_cache(maxsize=16384)
def _after(round: Round, action: betting.BettingAction) -> Round:
    return round.act(action)[0]


@lru_cache(maxsize=16384)
def _offered(round: Round) -> tuple[bool, bool, bool]:
    offer = round.offer
    return offer.check, offer.raise_ is not None, offer.fold


# --- betting


def _bet(hand: StingHand, action: StingAction) -> Step:
    place = hand.round.turn
    event: StingEvent
    match action:
        case StingCheck():
            hand, event = replace(hand, round=_after(hand.round, betting.Check())), StingChecked(place)
        case StingRaise(card=card):
            hand, event = _raise(hand, place, card)
        case StingFold():
            round = _after(hand.round, betting.Fold())
            hand, event = replace(hand, round=round, out=hand.out | {place}), StingFolded(place)
            if place == PLAYER:
                return _fold(hand, event)
        case _:
            raise Refused("no_decision", f"{ROLES[place]} must check, raise with a card or fold")
    return (hand, (event,)) if hand.round.turn >= 0 else _flip(hand, (event,))


def _raise(hand: StingHand, place: int, card: str) -> tuple[StingHand, StingRaised]:
    held = hand.hands[place]
    if card not in hand.cards.cards:
        raise Refused("unknown_card", f"unknown card {card!r}")
    if card not in held:
        raise Refused("card_not_held", f"{ROLES[place]} does not hold {card!r}, only {', '.join(dict.fromkeys(held))}")
    hand = put_down(hand, place, card)
    return hand, StingRaised(place, card, not hand.hands[place])


def put_down(hand: StingHand, place: int, card: str) -> StingHand:
    """Return the hand after a raise with a card that the place holds."""
    held = hand.hands[place]
    at = held.index(card)
    left = held[:at] + held[at + 1 :]
    return replace(
        hand,
        round=_after(hand.round, betting.Raise()),
        hands=(*hand.hands[:place], left, *hand.hands[place + 1 :]),
        down=(*hand.down, (place, card)),
    )


def _decide(hand: StingHand, action: StingAction) -> Step:
    match action:
        case Continue():
            hand, drawn = _draw(replace(hand, number=hand.number + 1))
            return hand, (Continued(), *drawn)
        case StingFold():
            return _fold(replace(hand, out=hand.out | {PLAYER}), StingFolded(PLAYER))
    raise Refused("decision", f"round {hand.number} is over: player must continue or fold")


def _wrong_turn(hand: StingHand, place: int | None) -> Refused:
    """Return the reason why this place cannot act."""
    if hand.over:
        return Refused("hand_over", "the hand is over")
    if place is None or place not in range(len(ROLES)):
        return Refused("no_such_place", f"place: expected 0 to {len(ROLES) - 1}, got {place}")
    who, actor = ROLES[place], ROLES[hand.to_act]
    if place in hand.out:
        return Refused("folded", f"{who} has folded; it is the turn of {actor}")
    if hand.state == "DecisionPoint":
        return Refused("betting_over", f"the betting of round {hand.number} is over: {actor} must continue or fold")
    if not hand.hands[place]:
        return Refused("no_cards", f"{who} has no cards left in this round; it is the turn of {actor}")
    return Refused("out_of_turn", f"it is the turn of {actor}, not of {who}")


# --- between two actions


def _draw(hand: StingHand) -> Step:
    """All players who have not folded draw to three cards, and the betting begins."""
    hands, decks, events = list(hand.hands), list(hand.decks), list[StingEvent]()
    for place in range(len(ROLES)):
        due = 0 if place in hand.out else HAND_SIZE - len(hands[place])
        drawn = decks[place][:due] if due > 0 else ()
        hands[place] += drawn
        decks[place] = decks[place][len(drawn) :]
        events.append(Drawn(place, drawn))
    hand = begin_betting(hand, tuple(hands), tuple(decks))
    return (hand, tuple(events)) if hand.round.turn >= 0 else _flip(hand, tuple(events))


def begin_betting(hand: StingHand, hands: tuple[tuple[str, ...], ...], decks: tuple[tuple[str, ...], ...]) -> StingHand:
    """Return the hand with these cards after the draw, and with a new round of betting."""
    able = [0 if place in hand.out else len(held) for place, held in enumerate(hands)]
    round = _round(hand.round.rules, hand.variation.opener, *able)
    return replace(hand, hands=hands, decks=decks, round=round, state="Betting")


def _flip(hand: StingHand, events: tuple[StingEvent, ...]) -> Step:
    """Turn the cards of the round up. After the last round, end the hand."""
    down = hand.down
    hand = replace(hand, table=hand.table + down, down=(), state="DecisionPoint")
    events = (*events, Flipped(down, hand.totals))
    return (hand, events) if hand.number < hand.variation.rounds else _resolve(hand, events)


def _resolve(hand: StingHand, events: tuple[StingEvent, ...]) -> Step:
    """End the hand. If Evidence is above Cover, it is a bust unless an insurance prevents it."""
    totals = hand.totals
    if totals.margin >= 0:
        return _end(hand, events, "Success", totals.profit, totals.heat)
    card = payable_insurance(hand)
    if card is None:
        return _end(hand, events, "Bust", 0, totals.heat)
    cost, heat = insurance_cost(hand, card), -totals.margin + card.penalty
    hand = replace(hand, burnt=(*hand.burnt, card.name), cost=cost)
    return _end(hand, (*events, Insured(card.name, cost, heat)), "Success", totals.profit, totals.heat + heat)


def payable_insurance(hand: StingHand) -> StingCard | None:
    """Return the first face-up insurance of the Player that the cash can pay and that no Conviction forbids."""
    played = [card for _, card in hand.table]
    if any(hand.heat >= card.threshold for card in hand.cards.of_kind(played, "conviction")):
        return None
    own = hand.cards.of_kind([card for place, card in hand.table if place == PLAYER], "insurance")
    # An insurance without a cost works even if the cash is negative.
    return next((card for card in own if insurance_cost(hand, card) <= max(hand.cash, 0)), None)


def insurance_cost(hand: StingHand, card: StingCard) -> int:
    """Return the cost of an insurance in this hand. With a lawyer, it is at most a share of the cash."""
    share = hand.variation.lawyer
    return min(card.cost, max(hand.cash, 0) * share // 100) if share else card.cost


def _fold(hand: StingHand, event: StingFolded) -> Step:
    """End the hand without profit. The Player keeps the unplayed cards and the Heat."""
    return _end(hand, (event,), "Folded", 0, hand.totals.heat)


def _end(hand: StingHand, events: tuple[StingEvent, ...], state: StingState, profit: int, heat: int) -> Step:
    hand = replace(hand, state=state, banked=profit, gained=heat)
    return hand, (*events, Resolved(OUTCOMES[state], profit, heat))
