"""A single hand of Sting without a run as a type of game that can be hosted.

A player can take any of the three places. On a timeout, policies act for the Narc and the Customer, and the Player
takes no risk.
"""

from collections.abc import Sequence
from functools import cached_property

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import TableView
from pitboss.observations import ObservationLayout, observe
from pitboss.sting.cards import ROLES, CardSet, Role, default_cards
from pitboss.sting.display import ROLE_NAMES, StingNarrator, table_view
from pitboss.sting.events import Continue, StingAction, StingCheck, StingEvent, StingFold, StingRaise
from pitboss.sting.hand import MOST_DRAWN, Step, StingHand, view_event
from pitboss.sting.policies import OPPONENTS
from pitboss.sting.text import rules_text
from pitboss.table_words import table_text

_actions = msgspec.json.Decoder(StingAction)
_events = msgspec.json.Decoder(StingEvent)


class StingError(PitbossError, ValueError):
    """A game cannot start, or a text is not an action or an event of Sting."""


class Sting(Struct, frozen=True, kw_only=True, dict=True):
    """A single hand with these cards and decks, without Heat or cash from earlier hands.

    >>> hand, events = STING.start(3, Chance(7))
    >>> STING.write_action(hand.legal()[0])
    b'{"type":"raise","card":"Donut Break"}'
    """

    cards: CardSet | None = None  #: None: the cards that come with the game
    deck: str | None = None  #: the Player's deck; None: the first deck
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
        """The possible numbers of places. Only three is possible."""
        return range(len(ROLES), len(ROLES) + 1)

    @cached_property
    def decks(self) -> dict[Role, tuple[str, ...]]:
        """The deck of each role before it is shuffled."""
        cards = self.cards or default_cards()
        names: dict[Role, str | None] = {"narc": self.narc, "customer": None, "player": self.deck}
        return {role: cards.deck(role, names[role]) for role in ROLES}

    def start(self, places: int, chance: Chance) -> Step:
        """Shuffle and draw. The other random numbers decide for the Narc and the Customer on a timeout."""
        if places not in self.places:
            raise StingError(f"places: expected {len(ROLES)}, got {places}")
        decks: dict[str, tuple[str, ...]] = {
            role: chance.shuffled(deck, min(MOST_DRAWN, len(deck))) for role, deck in self.decks.items()
        }
        listed = tuple([self.decks[role] for role in ROLES])
        return StingHand.start(decks, cards=self.cards, answers=self.answers, seed=chance.bits(), listed=listed)

    def write_action(self, action: StingAction) -> bytes:
        """Return an action as one JSON object."""
        return msgspec.json.encode(action)

    def read_action(self, written: bytes | str) -> StingAction:
        """Read an action. Raise `StingError` if it is not valid."""
        try:
            action: StingAction = _actions.decode(written)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise StingError(f"not an action of Sting: {error}") from None
        return action

    def write_event(self, event: StingEvent) -> bytes:
        """Return an event as one JSON object."""
        return msgspec.json.encode(event)

    def read_event(self, written: bytes | str) -> StingEvent:
        """Read an event. Raise `StingError` if it is not valid."""
        try:
            event: StingEvent = _events.decode(written)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise StingError(f"not an event of Sting: {error}") from None
        return event

    def view_event(self, event: StingEvent, place: int | None) -> StingEvent | None:
        """Return the event as one place sees it. None is a spectator."""
        return view_event(event, place)

    def table_view(self, game: StingHand, place: int | None) -> TableView:
        """Return what a place, or a spectator if it is None, sees of the hand."""
        return table_view(game, place)

    def describe(self, game: StingHand, place: int | None, names: Sequence[str] = ()) -> str:
        """Return in words what a place, or a spectator if it is None, sees of the hand."""
        return table_text(table_view(game, place), place, names or ROLE_NAMES)

    def narrator(self, place: int | None, names: Sequence[str] = ()) -> StingNarrator:
        """Return what tells one hand to a place, or a spectator, in sentences."""
        return StingNarrator(place, names)

    def rules(self) -> str:
        """Return the rules of a hand in English, from the view of the Player."""
        return "\n\n".join(rules_text(self.cards or default_cards()))

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """All cards of the decks, each once."""
        return tuple(sorted({card for deck in self.decks.values() for card in deck}))

    @property
    def action_count(self) -> int:
        """The number of actions: check, continue, fold, and a raise with each card."""
        return 3 + len(self._names)

    def numbered(self, game: StingHand) -> dict[int, StingAction]:
        """Return the possible actions by their numbers."""
        if game.to_act < 0:
            return {}
        plain = {StingCheck: 0, Continue: 1, StingFold: 2}
        return {
            3 + self._names.index(action.card) if isinstance(action, StingRaise) else plain[type(action)]: action
            for action in game.legal()
        }

    @property
    def _observed(self) -> ObservationLayout:
        titles = ("Round", "Raises left", "Evidence", "Cover", "Heat", "Profit")
        return ObservationLayout(
            places=len(ROLES),
            cards=self._names,
            own=("hand", "table", "deck"),
            common=("trick",),
            facts=tuple([(title, ()) for title in titles]),
        )

    @property
    def observation_size(self) -> int:
        """The number of numbers in an observation."""
        return self._observed.size

    def observe(self, game: StingHand, place: int | None) -> tuple[float, ...]:
        """Return what a place, or a spectator if it is None, sees, as numbers."""
        return observe(self.table_view(game, place), place, self._observed)

    def default_action(self, game: StingHand) -> StingAction:
        """Return the action of a place on a timeout. Opponents follow policies, and the Player checks or folds."""
        place = game.to_act
        if place in OPPONENTS:
            chance = Chance(game.seed or 0).fork(game.number).fork(game.raises).fork(place)
            return OPPONENTS[place](game.view(place), chance)
        return StingFold() if game.offer.continue_ else StingCheck()

    def result(self, game: StingHand) -> tuple[int, ...]:
        """Return the Player's profit and the Narc's loss. They are equal, and the Customer has no result."""
        if game.banked is None:
            raise StingError("the hand is not over, so it has no result yet")
        made = game.banked - game.cost
        return -made, 0, made


STING = Sting()
