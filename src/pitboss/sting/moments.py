"""The Player's view of a hand after each event, so that a table can show the turns one by one."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import events as betting
from pitboss.betting.round import Round
from pitboss.sting.cards import HIDDEN
from pitboss.sting.events import (
    Continued,
    Drawn,
    Flipped,
    HandBegun,
    Insured,
    Outcome,
    PutAway,
    Resolved,
    RunEvent,
    StingChecked,
    StingFolded,
    StingRaised,
    StingState,
)
from pitboss.sting.hand import OUTCOMES, PLAYER, StingHand, begin_betting, put_down
from pitboss.sting.run import Run

ENDED: dict[Outcome, StingState] = {outcome: state for state, outcome in OUTCOMES.items()}


class Moment(Struct, frozen=True):
    """An event, and the hand just after it as the Player sees it."""

    event: RunEvent
    hand: StingHand


def playback(before: StingHand | None, events: Iterable[RunEvent], after: Run) -> tuple[Moment, ...]:
    """Pair every event with the hand after it; `before` is the hand at the Player's last decision, if there is one."""
    last = after.hand.view(PLAYER)
    hand = last if before is None else before.view(PLAYER)
    moments = []
    for event in events:
        hand = _cleared(hand, last, fresh=before is None) if isinstance(event, HandBegun) else follow(hand, event)
        moments.append(Moment(event, hand))
    return tuple(moments)


def follow(hand: StingHand, event: RunEvent) -> StingHand:
    """Return the Player's view of a hand after one more event; events between two hands do not change it."""
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
    """Add drawn cards; after the Player's draw, which is the last, the betting begins."""
    hands, decks = list(hand.hands), list(hand.decks)
    hands[place] += cards
    decks[place] = decks[place][len(cards) :]
    if place != PLAYER:
        return replace(hand, hands=tuple(hands), decks=tuple(decks))
    return begin_betting(hand, tuple(hands), tuple(decks))


def _cleared(hand: StingHand, last: StingHand, *, fresh: bool) -> StingHand:
    """Return the next hand's table before the draw; `last` is that hand a little later."""
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
