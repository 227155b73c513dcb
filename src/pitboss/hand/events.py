"""The actions and events of a hand, and their JSON form. Betting has its own module, `betting.events`."""

from typing import TypeAlias

import msgspec
from msgspec import Struct

from pitboss.betting.events import BettingAction, BettingEvent
from pitboss.cards import Card
from pitboss.errors import PitbossError

FORMAT = 1
"""The version of the JSON form. It is stored with the data. Readers refuse unknown versions."""

_encoder = msgspec.json.Encoder()

_UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)


class DealHole(Struct, frozen=True, forbid_unknown_fields=True, tag="deal_hole"):
    """Deal cards to a player. An unknown card is `??`.

    >>> from pitboss import DealHole, Hand, Stakes, blinds
    >>> stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2))
    >>> hand, events = Hand.start("no_limit_holdem", stacks=(50, 50), stakes=stakes)
    >>> hand, events = hand.act(DealHole(0, ("As", "Kd")))
    >>> events
    (HoleDealt(place=0, cards=('As', 'Kd')),)
    """

    place: int
    cards: tuple[Card, ...]


class DealBoard(Struct, frozen=True, forbid_unknown_fields=True, tag="deal_board"):
    """Deal cards to the board.

    >>> from pitboss import DealBoard
    >>> DealBoard(("As", "Kd", "7c")).cards
    ('As', 'Kd', '7c')
    """

    cards: tuple[Card, ...]


class Discard(Struct, frozen=True, forbid_unknown_fields=True, tag="discard"):
    """Exchange these cards for new ones, or discard them on a street with a discard. To stand pat, give no cards.

    >>> from pitboss import Discard
    >>> Discard(("7c", "2d")).cards, Discard().cards
    (('7c', '2d'), ())
    """

    cards: tuple[Card, ...] = ()


class ChooseRuns(Struct, frozen=True, forbid_unknown_fields=True, tag="choose_runs"):
    """Choose how often the rest of the board is dealt. The smallest choice of all players counts."""

    runs: int


class Show(Struct, frozen=True, forbid_unknown_fields=True, tag="show"):
    """Show the player's cards. `cards` is needed only if the cards are not known yet.

    >>> from pitboss import read_action
    >>> read_action('{"type": "show"}')
    Show(cards=())
    """

    cards: tuple[Card, ...] = ()


class Muck(Struct, frozen=True, forbid_unknown_fields=True, tag="muck"):
    """Give up the pot at showdown and keep the cards hidden.

    >>> from pitboss import read_action
    >>> read_action('{"type": "muck"}')
    Muck()
    """


Action: TypeAlias = BettingAction | Discard | ChooseRuns | DealHole | DealBoard | Show | Muck


class HoleDealt(Struct, frozen=True, gc=False, tag="hole_dealt"):
    """A player received cards that only this player may see.

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> events[2]
    HoleDealt(place=0, cards=('7c', 'Ks'))
    """

    place: int
    cards: tuple[Card, ...]


class UpDealt(Struct, frozen=True, gc=False, tag="up_dealt"):
    """A player received face-up cards.

    >>> from pitboss import UpDealt
    >>> UpDealt(place=0, cards=("7c",)).cards
    ('7c',)
    """

    place: int
    cards: tuple[Card, ...]


class Discarded(Struct, frozen=True, gc=False, omit_defaults=True, repr_omit_defaults=True, tag="discarded"):
    """A player discarded cards. If not `up`, other players see only the number of cards, which can be 0.

    >>> from pitboss import Discarded
    >>> Discarded(place=0, cards=("7c",)).cards
    ('7c',)
    """

    place: int
    cards: tuple[Card, ...]
    up: bool = False


class RunsChosen(Struct, frozen=True, gc=False, tag="runs_chosen"):
    """A player chose how often the rest of the board is dealt."""

    place: int
    runs: int


class RunBegun(Struct, frozen=True, gc=False, tag="run_begun"):
    """A new run of the board began. The next board cards and payments belong to this run.

    In a game with several boards, it comes only before payments: they belong to the board with this number.

    >>> from pitboss import RunBegun
    >>> RunBegun(number=1).number
    1
    """

    number: int


class BoardDealt(Struct, frozen=True, gc=False, omit_defaults=True, repr_omit_defaults=True, tag="board_dealt"):
    """The board received cards. In a game with several boards, `board` is the number of the board.

    >>> from pitboss import BoardDealt
    >>> BoardDealt("FLOP", ("As", "Kd", "7c")).cards
    ('As', 'Kd', '7c')
    """

    street: str
    cards: tuple[Card, ...]
    board: int = 1


class Shown(Struct, frozen=True, gc=False, tag="shown"):
    """A player showed their cards. `rank` is the name of the hand, or None while the first board is not complete.

    >>> from pitboss import Shown
    >>> Shown(place=0, cards=("As", "Kd")).cards
    ('As', 'Kd')
    """

    place: int
    cards: tuple[Card, ...]
    rank: str | None = None


class Mucked(Struct, frozen=True, gc=False, tag="mucked"):
    """A player gave up the pot at showdown without showing cards.

    >>> from pitboss import Mucked
    >>> Mucked(place=1).place
    1
    """

    place: int


class Won(Struct, frozen=True, gc=False, tag="won"):
    """A player won chips from a pot. `order` is the ranking that decided, or None if only one player was left.

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand, events = hand.act("fold")
    >>> events[-1].place, events[-1].amount
    (0, 20)
    """

    place: int
    amount: int
    pot: int
    order: str | None = None


class Raked(Struct, frozen=True, gc=False, tag="raked"):
    """The house took its rake from a pot before the winners were paid.

    >>> from pitboss import Raked
    >>> Raked(amount=3, pot=0).amount
    3
    """

    amount: int
    pot: int


Event: TypeAlias = (
    BettingEvent | HoleDealt | UpDealt | Discarded | RunsChosen | BoardDealt | RunBegun | Shown | Mucked | Raked | Won
)


_actions = msgspec.json.Decoder(Action)
_events = msgspec.json.Decoder(Event)


class ActionError(PitbossError, ValueError):
    """The text is not a valid action.

    >>> from pitboss import read_action
    >>> read_action('{"type": "jump"}')
    Traceback (most recent call last):
    pitboss.ActionError: not a valid action: Invalid value 'jump' - at `$.type`
    """


class EventError(PitbossError, ValueError):
    """The text is not a valid event.

    >>> from pitboss import read_event
    >>> read_event('{}')
    Traceback (most recent call last):
    pitboss.EventError: not a valid event: Object missing required field `type`
    """


def write_action(action: Action) -> bytes:
    """Return an action as JSON.

    >>> from pitboss import Raise
    >>> write_action(Raise(to=60))
    b'{"type":"raise","to":60}'
    """
    return _encoder.encode(action)


def read_action(text: bytes | str) -> Action:
    """Read an action that `write_action` wrote.

    >>> from pitboss import read_action
    >>> read_action('{"type": "raise", "to": 60}')
    Raise(to=60)
    """
    try:
        action: Action = _actions.decode(text)
    except _UNREADABLE as error:
        raise ActionError(f"not a valid action: {error}") from None
    return action


def write_event(event: Event) -> bytes:
    """Return an event as JSON.

    >>> from pitboss import Called
    >>> write_event(Called(place=2, amount=20))
    b'{"type":"called","place":2,"amount":20,"all_in":false}'
    """
    return _encoder.encode(event)


def read_event(text: bytes | str) -> Event:
    """Read an event that `write_event` wrote.

    >>> from pitboss import read_event
    >>> read_event('{"type": "folded", "place": 1}')
    Folded(place=1)
    """
    try:
        event: Event = _events.decode(text)
    except _UNREADABLE as error:
        raise EventError(f"not a valid event: {error}") from None
    return event
