"""Poker as a type of game that can be played, hosted and recorded: one hand with given stacks and stakes."""

from msgspec import Struct

from pitboss.betting.events import Call, Check, Fold
from pitboss.betting.refusals import Refused, SetupError
from pitboss.chance import Chance
from pitboss.game import ChancesTurn, Over, PlayersTurn
from pitboss.hand import events as codec
from pitboss.hand.events import Action, Discard, Event, Muck
from pitboss.hand.hand import Hand, Step
from pitboss.hand.structure import Stakes, Structure
from pitboss.hand.view import view_event


class PokerType(Struct, frozen=True):
    """One hand of poker as a `GameType` of `game.py`. Stacks are in order of places, from the button's left.

    >>> from pitboss.hand.games import NO_LIMIT_HOLDEM
    >>> from pitboss.hand.structure import blinds
    >>> poker = PokerType(NO_LIMIT_HOLDEM, stacks=(1000, 1000), stakes=Stakes(min_bet=20, posts=blinds(2, 10, 20)))
    >>> hand, events = poker.start(2, Chance(7))
    >>> poker.name, poker.write_action(hand.legal()[1])
    ('no_limit_holdem', b'{"type":"call"}')
    """

    structure: Structure
    stacks: tuple[int, ...]
    stakes: Stakes

    @property
    def name(self) -> str:
        """The key of the structure."""
        return self.structure.key

    @property
    def places(self) -> range:
        """The number of stacks."""
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
        """Return the action that `write_action` wrote; raise `ActionError` if it is not valid."""
        return codec.read_action(written)

    def write_event(self, event: Event) -> bytes:
        """Return an event as a JSON object."""
        return codec.write_event(event)

    def read_event(self, written: bytes | str) -> Event:
        """Return the event that `write_event` wrote; raise `EventError` if it is not valid."""
        return codec.read_event(written)

    def view_event(self, event: Event, place: int | None) -> Event:
        """Return what one player, or a spectator (None), learns from an event."""
        return view_event(event, place)

    def default_action(self, game: Hand) -> Action:
        """Return the action for a player who does not act: check, else bring in, else fold; stand pat; muck."""
        match game.turn:
            case PlayersTurn():
                if game.phase == "show":
                    return Muck()
                if game.phase == "draw":
                    return Discard()
                offer = game.offer
                return Check() if offer.check else Fold() if offer.fold else Call()
            case ChancesTurn() | Over():
                raise Refused("betting_over", "no player has to act, so there is no default action")

    def result(self, game: Hand) -> tuple[int, ...]:
        """Return what each place has won or lost, in chips."""
        if not game.over:
            raise Refused("not_over", "the hand is not over, so it has no result yet")
        return tuple([now - before for now, before in zip(game.stacks, self.stacks, strict=True)])
