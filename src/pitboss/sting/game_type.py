"""Sting as a type of game that can be hosted: how a hand starts, how it is written, how it came out.

All three places are open: whoever sits as Narc, Customer or Player decides for it. Where nobody answers, the Narc and
the Customer play as their policies say, and the Player takes no risk in his absence.
"""

from functools import cached_property

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.sting.cards import ROLES, CardSet, Role, default_cards
from pitboss.sting.events import StingAction, StingCheck, StingEvent, StingFold
from pitboss.sting.hand import MOST_DRAWN, Step, StingHand, view_event
from pitboss.sting.policies import OPPONENTS

_actions = msgspec.json.Decoder(StingAction)
_events = msgspec.json.Decoder(StingEvent)


class StingError(PitbossError, ValueError):
    """A game that cannot start, or a text that is no action and no event of sting."""


class Sting(Struct, frozen=True, kw_only=True, dict=True):
    """A type of game: these cards and decks; a single hand without Heat or cash from before.

    >>> hand, events = STING.start(3, Chance(7))
    >>> STING.write_action(hand.legal()[0])
    b'{"type":"raise","card":"Donut Break"}'
    """

    cards: CardSet | None = None  #: None are those that come with the game
    deck: str | None = None  #: the Player's; None is the first
    narc: str | None = None
    answers: Answers = Answers.FOLLOWING

    def __post_init__(self) -> None:
        force_setattr(self, "answers", Answers.of(self.answers))

    @property
    def name(self) -> str:
        """What people call it by."""
        return "sting"

    @property
    def places(self) -> range:
        """Narc, Customer and Player."""
        return range(len(ROLES), len(ROLES) + 1)

    @cached_property
    def decks(self) -> dict[Role, tuple[str, ...]]:
        """Everybody's deck, before it is shuffled."""
        cards = self.cards or default_cards()
        names: dict[Role, str | None] = {"narc": self.narc, "customer": None, "player": self.deck}
        return {role: cards.deck(role, names[role]) for role in ROLES}

    def start(self, places: int, chance: Chance) -> Step:
        """Shuffle and draw; the rest of the chance decides for Narc and Customer where they do not."""
        if places not in self.places:
            raise StingError(f"sting is played by {len(ROLES)}, not by {places}")
        decks: dict[str, tuple[str, ...]] = {
            role: chance.shuffled(deck, min(MOST_DRAWN, len(deck))) for role, deck in self.decks.items()
        }
        listed = tuple([self.decks[role] for role in ROLES])
        return StingHand.start(decks, cards=self.cards, answers=self.answers, seed=chance.bits(), listed=listed)

    def write_action(self, action: StingAction) -> bytes:
        """An action as one JSON object."""
        return msgspec.json.encode(action)

    def read_action(self, written: bytes | str) -> StingAction:
        """An action from its written form; raises `StingError`."""
        try:
            action: StingAction = _actions.decode(written)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise StingError(f"no action of sting: {error}") from None
        return action

    def write_event(self, event: StingEvent) -> bytes:
        """An event as one JSON object."""
        return msgspec.json.encode(event)

    def read_event(self, written: bytes | str) -> StingEvent:
        """An event from its written form; raises `StingError`."""
        try:
            event: StingEvent = _events.decode(written)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise StingError(f"no event of sting: {error}") from None
        return event

    def view_event(self, event: StingEvent, place: int | None) -> StingEvent | None:
        """What one place, or for None a spectator, learns from an event."""
        return view_event(event, place)

    def default_action(self, game: StingHand) -> StingAction:
        """Narc and Customer as their policies say; the Player checks, and does not continue."""
        place = game.asked
        if place in OPPONENTS:
            chance = Chance(game.seed or 0).fork(game.number).fork(game.raises).fork(place)
            return OPPONENTS[place](game.view(place), chance)
        return StingFold() if game.offer.continue_ else StingCheck()

    def result(self, game: StingHand) -> tuple[int, ...]:
        """What the Player has made, the Narc has failed to prevent; the Customer plays for nothing of his own."""
        if game.banked is None:
            raise StingError("the hand is not over: nobody has won or lost yet")
        made = game.banked - game.cost
        return -made, 0, made


STING = Sting()
