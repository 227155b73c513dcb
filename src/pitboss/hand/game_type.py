"""Poker as a `GameType`, which can be played, hosted and recorded."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import force_setattr

from pitboss.betting.events import Call, Check, Fold
from pitboss.betting.refusals import Refused, SetupError
from pitboss.chance import Chance
from pitboss.game import ChancesTurn, Over, PlayersTurn, TableView
from pitboss.hand import events as codec
from pitboss.hand.display import PokerNarrator, describe, table_view
from pitboss.hand.events import Action, Event, Muck
from pitboss.hand.games import AnyGame, find_game
from pitboss.hand.hand import Hand, Step
from pitboss.hand.rulebook import explain_game
from pitboss.hand.state import idle_choice
from pitboss.hand.structure import Stakes, Structure
from pitboss.hand.view import view_event


class PokerType(Struct, frozen=True):
    """One hand of poker with these stacks and stakes. The first stack is left of the button.

    The game is given as `find_game` takes it.

    >>> from pitboss import Stakes, blinds
    >>> poker = PokerType("no_limit_holdem", stacks=(1000, 1000), stakes=Stakes(min_bet=20, posts=blinds(2, 10, 20)))
    >>> hand, events = poker.start(2, Chance(7))
    >>> poker.name, poker.write_action(hand.legal()[1])
    ('no_limit_holdem', b'{"type":"call"}')
    """

    structure: Structure
    stacks: tuple[int, ...]
    stakes: Stakes

    if TYPE_CHECKING:

        def __init__(self, structure: AnyGame, stacks: tuple[int, ...], stakes: Stakes) -> None:
            """Convert the game to a structure."""

    def __post_init__(self) -> None:
        given: Any = self.structure
        if not isinstance(given, Structure):
            force_setattr(self, "structure", find_game(given))

    @property
    def name(self) -> str:
        """The name of the game as one word."""
        return self.structure.key

    @property
    def places(self) -> range:
        """The possible numbers of players. There is only one, the number of stacks."""
        return range(len(self.stacks), len(self.stacks) + 1)

    def start(self, places: int, chance: Chance) -> Step:
        """Shuffle the deck, post the forced bets and deal."""
        if places not in self.places:
            raise SetupError(f"stacks: expected {places}, one per player, got {len(self.stacks)}")
        deck = chance.shuffled(self.structure.deck)
        return Hand.start(self.structure, stacks=self.stacks, stakes=self.stakes, deck=deck)

    def write_action(self, action: Action) -> bytes:
        """Return an action as a JSON object."""
        return codec.write_action(action)

    def read_action(self, written: bytes | str) -> Action:
        """Read an action that `write_action` wrote. Raise `ActionError` if it is not valid."""
        return codec.read_action(written)

    def write_event(self, event: Event) -> bytes:
        """Return an event as a JSON object."""
        return codec.write_event(event)

    def read_event(self, written: bytes | str) -> Event:
        """Read an event that `write_event` wrote. Raise `EventError` if it is not valid."""
        return codec.read_event(written)

    def view_event(self, event: Event, place: int | None) -> Event:
        """Return an event without what a player, or a spectator (None), may not see."""
        return view_event(event, place)

    def table_view(self, game: Hand, place: int | None) -> TableView:
        """Return what a place, or a spectator if it is None, sees of the hand."""
        return table_view(game, place)

    def describe(self, game: Hand, place: int | None, names: Sequence[str] = ()) -> str:
        """Return in words what a player, or a spectator if it is None, sees, with the made hand and draws."""
        return describe(game, place, names)

    def narrator(self, place: int | None, names: Sequence[str] = ()) -> PokerNarrator:
        """Return what tells one hand to a player, or to spectators, in sentences."""
        return PokerNarrator(place, names)

    def rules(self) -> str:
        """Return the rules in English."""
        return "\n".join(explain_game(self.structure))

    def default_action(self, game: Hand) -> Action:
        """Return the action for a player who does not answer.

        The player checks if possible. Otherwise the player folds, or pays the bring-in if folding is not possible. In a
        draw the player stands pat, in a discard the last cards go, and at showdown the player mucks.
        """
        match game.turn:
            case PlayersTurn():
                if game.phase == "show":
                    return Muck()
                if (choice := idle_choice(game)) is not None:
                    return choice
                offer = game.offer
                return Check() if offer.check else Fold() if offer.fold else Call()
            case ChancesTurn() | Over():
                raise Refused("betting_over", "no player has to act, so there is no default action")

    def result(self, game: Hand) -> tuple[int, ...]:
        """Return the chips that each place has won or lost."""
        if not game.over:
            raise Refused("not_over", "the hand is not over, so it has no result yet")
        return tuple([now - before for now, before in zip(game.stacks, self.stacks, strict=True)])
