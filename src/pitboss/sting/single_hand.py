"""A single hand of Sting without a run: as a game that the arena hosts, and as a script.

In the arena a player can take any of the three places. On a timeout, policies act for the Narc and the Customer, and
the Player takes no risk. A script contains the decks and the actions of one hand.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from pitboss.betting.refusals import Refused
from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import TableView
from pitboss.sting.cards import ROLES, CardSet, Role, Totals, default_cards
from pitboss.sting.display import ROLE_NAMES, StingNarrator, table_view
from pitboss.sting.events import Outcome, StingAction, StingCheck, StingEvent, StingFold, StingState, parse_action
from pitboss.sting.hand import MOST_DRAWN, PLAYER, Step, StingHand, view_event
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


class ScriptError(PitbossError, ValueError):
    """A script is not valid."""


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """The input: the decks, with the top card first, and the actions."""

    deal: dict[str, list[str]]
    actions: list[str] = []
    answers: Literal["following", "everyone"] | None = None
    heat: int = 0
    cash: int = 0


class ScriptLine(Struct, frozen=True, kw_only=True):
    """The output for one step."""

    step: int
    state: StingState
    round: int
    turn: Role | None
    initiative: Role | None
    raises: int
    totals: Totals
    outcome: Outcome | None
    ok: bool
    error: str | None


def read_script(text: bytes, cards: CardSet) -> Script:
    """Read a script from JSON. Raise `ScriptError` if it is not valid."""
    try:
        script = msgspec.json.decode(text, type=Script)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ScriptError(f"not a valid script: {error}") from None
    for role in ROLES:
        if role not in script.deal:
            raise ScriptError(f"deal: expected a deck for {role}")
    for name, deck in script.deal.items():
        if name not in ROLES:
            raise ScriptError(f"deal: expected only {', '.join(ROLES)}, got {name!r}")
        for card in deck:
            if card not in cards.cards:
                raise ScriptError(f"deal: unknown card {card!r} in the deck of {name}")
    return script


def play_script(script: Script, cards: CardSet, answers: Answers) -> Iterator[ScriptLine]:
    """Yield a line for the deal and one for every action. A refused action changes nothing."""
    if script.answers is not None:
        answers = Answers[script.answers.upper()]
    hand, _ = StingHand.start(script.deal, cards=cards, answers=answers, heat=script.heat, cash=script.cash)
    yield _line(0, hand, None)
    for step, text in enumerate(script.actions, 1):
        error = None
        try:
            place, action = read_step(text)
            hand, _ = hand.act(action, place)
        except Refused as refusal:
            error = str(refusal)
        yield _line(step, hand, error)


def read_step(text: str) -> tuple[int, StingAction]:
    """Read "narc check" or "customer raise Bulk Order". Without a role, the action is a decision of the Player.

    >>> read_step("customer raise Bulk Order"), read_step("continue")
    ((1, StingRaise(card='Bulk Order')), (2, Continue()))
    """
    who, _, what = text.strip().partition(" ")
    if who in ROLES:
        return ROLES.index(who), parse_action(what)
    if text.strip() in ("continue", "fold"):
        return PLAYER, parse_action(text)
    raise Refused("unknown_action", f"expected continue, fold, or an action of {', '.join(ROLES)}, got {text!r}")


def _line(step: int, hand: StingHand, error: str | None) -> ScriptLine:
    return ScriptLine(
        step=step,
        state=hand.state,
        round=hand.number,
        turn=ROLES[hand.to_act] if hand.to_act >= 0 else None,
        initiative=ROLES[hand.holder] if hand.holder is not None else None,
        raises=hand.raises,
        totals=hand.totals,
        outcome=hand.outcome,
        ok=error is None,
        error=error,
    )
