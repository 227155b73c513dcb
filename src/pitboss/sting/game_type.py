"""Sting as a game type that can be hosted: how a hand starts, how it is written, and its result.

All three places can be taken. On a timeout the Narc and the Customer follow their policies, and the Player takes no
risk.
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
    """A game that cannot start, or a text that is not an action or event of Sting."""


class Sting(Struct, frozen=True, kw_only=True, dict=True):
    """A single hand with these cards and decks, without Heat or cash from earlier hands.

    >>> hand, events = STING.start(3, Chance(7))
    >>> STING.write_action(hand.legal()[0])
    b'{"type":"raise","card":"Donut Break"}'
    """

    cards: CardSet | None = None  #: None: those that come with the game
    deck: str | None = None  #: the Player's; None: the first
    narc: str | None = None
    answers: Answers = Answers.FOLLOWING

    def __post_init__(self) -> None:
        force_setattr(self, "answers", Answers.of(self.answers))

    @property
    def name(self) -> str:
        """The game's name."""
        return "sting"

    @property
    def places(self) -> range:
        """The possible numbers of places: exactly three."""
        return range(len(ROLES), len(ROLES) + 1)

    @cached_property
    def decks(self) -> dict[Role, tuple[str, ...]]:
        """Each role's deck before it is shuffled."""
        cards = self.cards or default_cards()
        names: dict[Role, str | None] = {"narc": self.narc, "customer": None, "player": self.deck}
        return {role: cards.deck(role, names[role]) for role in ROLES}

    def start(self, places: int, chance: Chance) -> Step:
        """Shuffle and draw. The rest of the chance decides for the Narc and the Customer on a timeout."""
        if places not in self.places:
            raise StingError(f"places: expected {len(ROLES)}, got {places}")
        decks: dict[str, tuple[str, ...]] = {
            role: chance.shuffled(deck, min(MOST_DRAWN, len(deck))) for role, deck in self.decks.items()
        }
        listed = tuple([self.decks[role] for role in ROLES])
        return StingHand.start(decks, cards=self.cards, answers=self.answers, seed=chance.bits(), listed=listed)

    def write_action(self, action: StingAction) -> bytes:
        """Write an action as one JSON object."""
        return msgspec.json.encode(action)

    def read_action(self, written: bytes | str) -> StingAction:
        """Read an action; raises `StingError`."""
        try:
            action: StingAction = _actions.decode(written)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise StingError(f"not an action of Sting: {error}") from None
        return action

    def write_event(self, event: StingEvent) -> bytes:
        """Write an event as one JSON object."""
        return msgspec.json.encode(event)

    def read_event(self, written: bytes | str) -> StingEvent:
        """Read an event; raises `StingError`."""
        try:
            event: StingEvent = _events.decode(written)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise StingError(f"not an event of Sting: {error}") from None
        return event

    def view_event(self, event: StingEvent, place: int | None) -> StingEvent | None:
        """Return the event as one place, or a spectator (None), sees it."""
        return view_event(event, place)

    def default_action(self, game: StingHand) -> StingAction:
        """Return what a place does on a timeout: the opponents follow their policies, the Player checks or folds."""
        place = game.asked
        if place in OPPONENTS:
            chance = Chance(game.seed or 0).fork(game.number).fork(game.raises).fork(place)
            return OPPONENTS[place](game.view(place), chance)
        return StingFold() if game.offer.continue_ else StingCheck()

    def result(self, game: StingHand) -> tuple[int, ...]:
        """Return the Player's profit as the Narc's loss; the Customer has no result."""
        if game.banked is None:
            raise StingError("the hand is not over, so it has no result yet")
        made = game.banked - game.cost
        return -made, 0, made


STING = Sting()
