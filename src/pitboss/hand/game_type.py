"""Poker as a type of game that can be played, hosted and recorded: one hand of a structure, at stacks and stakes."""

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
    """A hand of poker as `game.py` has it: everybody's stack by place, from the button's left.

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
        """What people call the structure by."""
        return self.structure.key

    @property
    def places(self) -> range:
        """As many as have stacks."""
        return range(len(self.stacks), len(self.stacks) + 1)

    def start(self, places: int, chance: Chance) -> Step:
        """Shuffle the deck, take the forced money and deal."""
        if places not in self.places:
            raise SetupError(f"there are {len(self.stacks)} stacks for {places} players")
        deck = chance.shuffled(self.structure.deck)
        return Hand.start(self.structure, stacks=self.stacks, stakes=self.stakes, deck=deck)

    def write_action(self, action: Action) -> bytes:
        """An action as one JSON object."""
        return codec.write_action(action)

    def read_action(self, written: bytes | str) -> Action:
        """An action from its written form; raises `ActionError`."""
        return codec.read_action(written)

    def write_event(self, event: Event) -> bytes:
        """An event as one JSON object."""
        return codec.write_event(event)

    def read_event(self, written: bytes | str) -> Event:
        """An event from its written form; raises `EventError`."""
        return codec.read_event(written)

    def view_event(self, event: Event, place: int | None) -> Event:
        """What one place, or for None a spectator, learns from an event."""
        return view_event(event, place)

    def default_action(self, game: Hand) -> Action:
        """A check where that is free, else a fold or the bring-in; one stands pat, and mucks at the showdown."""
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
        """What every place has won or lost in chips."""
        if not game.over:
            raise Refused("not_over", "the hand is not over, so it has no result yet")
        return tuple([now - before for now, before in zip(game.stacks, self.stacks, strict=True)])
