"""A run: hand after hand against the same opponents, Heat carried over and cash banked, until busted or caught.

The opponents play by themselves: a run always waits for the Player.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.sting.actions import StingAction
from pitboss.sting.cards import ROLES, CardSet, Role, default_cards
from pitboss.sting.events import StingEvent
from pitboss.sting.hand import MOST_DRAWN, PLAYER, StingHand
from pitboss.sting.policies import OPPONENTS
from pitboss.sting.view import view_event

Ending = Literal["busted", "caught"]
Pile = tuple[str, ...]


class NextHand(Struct, frozen=True, tag="next"):
    """Have the next hand dealt."""


RunAction: TypeAlias = StingAction | NextHand


class HandBegun(Struct, frozen=True, tag="hand_begun"):
    """A hand begins, with the Heat and the cash brought to it."""

    number: int
    heat: int
    cash: int


class Reshuffled(Struct, frozen=True, tag="reshuffled"):
    """Somebody's deck was short, so what he had played was shuffled and put under it."""

    place: int
    cards: int


class Banked(Struct, frozen=True, tag="banked"):
    """What the run has after a hand."""

    heat: int
    cash: int


class RunEnded(Struct, frozen=True, tag="run_ended"):
    """The run is over."""

    ending: Ending
    cash: int


RunEvent: TypeAlias = StingEvent | HandBegun | Reshuffled | Banked | RunEnded
Step = tuple["Run", tuple[RunEvent, ...]]


class Run(Struct, frozen=True, kw_only=True):
    """A run at one moment, between two decisions of the Player.

    >>> run, events = Run.start(seed=7)
    >>> run.hand.asked == PLAYER, run.heat, run.cash
    (True, 0, 0)
    """

    cards: CardSet
    seed: int
    decks: Mapping[Role, str]  #: which deck everybody plays
    answers: Answers
    chance: int  #: where the opponents' chance stands
    number: int = 0  #: of the hand
    hand: StingHand
    discards: tuple[Pile, ...] = ((), (), ())  #: what was played in earlier hands
    heat: int  #: before this hand or, once that is over, after it
    cash: int
    ending: Ending | None = None
    actions: tuple[RunAction, ...] = ()  #: all that the Player did, which with the seed decides everything

    @classmethod
    def start(
        cls,
        *,
        seed: int,
        cards: CardSet | None = None,
        decks: Mapping[Role, str] | None = None,
        answers: Answers = Answers.FOLLOWING,
    ) -> Step:
        """Shuffle the decks and deal the first hand; where no deck is named it is the role's first."""
        cards = cards or default_cards()
        named = {role: (decks or {}).get(role) or next(iter(cards.decks[role])) for role in ROLES}
        piles: dict[str, Pile] = {
            role: Chance(seed).fork(-1 - place).shuffled(cards.deck(role, named[role]))
            for place, role in enumerate(ROLES)
        }
        return _deal(
            cls(
                cards=cards,
                seed=seed,
                decks=named,
                answers=Answers.of(answers),
                chance=0,
                hand=StingHand.undealt(piles, cards=cards),
                heat=0,
                cash=cards.cash,
            )
        )

    @property
    def over(self) -> bool:
        """Whether the run is over."""
        return self.ending is not None

    @property
    def current_heat(self) -> int:
        """The Heat with that of the cards now face up: what the run would have if the hand ended so, never below 0."""
        return self.heat if self.hand.over else max(0, self.hand.heat)

    def act(self, action: RunAction) -> Step:
        """The run at the Player's next decision, and what happened until then; raises `Refused`."""
        if self.over:
            raise Refused("run_over", "the run is over, begin another")
        if self.hand.over:
            if not isinstance(action, NextHand):
                raise Refused("hand_over", "this hand is over, ask for the next one")
            run, events = _deal(self)
        else:
            if isinstance(action, NextHand):
                raise Refused("hand_not_over", "play this hand to its end first")
            hand, happened = self.hand.act(action, PLAYER)
            run, events = _play_on(replace(self, hand=hand), happened)
        return replace(run, actions=(*self.actions, action)), events


def view_events(events: tuple[RunEvent, ...]) -> tuple[RunEvent, ...]:
    """The events as the Player may see them."""
    return tuple([view_run_event(event) for event in events])


def view_run_event(event: RunEvent) -> RunEvent:
    """What the Player learns from one: what happens between two hands is for all to see."""
    match event:
        case HandBegun() | Reshuffled() | Banked() | RunEnded():
            return event
        case _:
            return view_event(event, PLAYER)


# --- from one hand to the next


def _deal(run: Run) -> Step:
    """The next hand, with the cards nobody played: a short deck gets its discards, shuffled, put under it."""
    number, held = run.number + 1, run.hand.hands
    chance = Chance(run.seed).fork(number)
    events: list[RunEvent] = [HandBegun(number, run.heat, run.cash)]
    piles, discards = list(run.hand.decks), list(run.discards)
    for place, discarded in enumerate(discards):
        if discarded and len(piles[place]) + len(held[place]) < MOST_DRAWN:
            piles[place] += chance.shuffled(discarded)
            discards[place] = ()
            events.append(Reshuffled(place, len(discarded)))
    hand, drawn = StingHand.start(
        dict(zip(ROLES, piles, strict=True)),
        held=dict(zip(ROLES, held, strict=True)),
        cards=run.cards,
        answers=run.answers,
        heat=run.heat,
        cash=run.cash,
    )
    run = replace(run, number=number, hand=hand, discards=tuple(discards), chance=chance.state)
    return _play_on(run, (*events, *drawn))


def _play_on(run: Run, events: tuple[RunEvent, ...]) -> Step:
    """Let the opponents act until the Player is asked or the hand is over."""
    hand, chance = run.hand, Chance(run.chance)
    while not hand.over and hand.asked != PLAYER:
        hand, happened = hand.act(OPPONENTS[hand.asked](hand.view(hand.asked), chance))
        events += happened
    run = replace(run, hand=hand, chance=chance.state)
    return _bank(run, events) if hand.over else (run, events)


def _bank(run: Run, events: tuple[RunEvent, ...]) -> Step:
    """Take in what a finished hand came to; nobody is colder than Heat 0."""
    hand, totals = run.hand, run.hand.totals
    burnt = Counter(hand.burnt)
    discards = [*run.discards]
    for place, card in hand.table + hand.down:
        if place == PLAYER and burnt[card]:
            burnt[card] -= 1
        else:
            discards[place] += (card,)
    heat, cash = max(0, hand.heat), run.cash + totals.profit - hand.cost
    busted, caught = hand.outcome == "bust", heat >= run.cards.caught_at
    ending: Ending | None = "busted" if busted else "caught" if caught else None
    run = replace(run, discards=tuple(discards), heat=heat, cash=cash, ending=ending)
    events = (*events, Banked(heat, cash))
    return run, (*events, RunEnded(ending, cash)) if ending else events
