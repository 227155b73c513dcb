"""Poker as a `GameType`, which can be played, hosted and recorded."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import force_setattr

from pitboss.betting.events import AllIn, Bet, Call, Check, Fold, Raise
from pitboss.betting.refusals import Refused, SetupError
from pitboss.chance import Chance
from pitboss.game import ChancesTurn, Over, PlayersTurn, TableView
from pitboss.hand import events as codec
from pitboss.hand.display import PokerNarrator, describe, table_view
from pitboss.hand.events import Action, ChooseRuns, Discard, Event, Muck, Show
from pitboss.hand.games import AnyGame, find_game
from pitboss.hand.hand import Hand, Step
from pitboss.hand.rulebook import explain_game
from pitboss.hand.state import idle_choice
from pitboss.hand.structure import MOST_RUNS, Stakes, Structure
from pitboss.hand.view import view_event
from pitboss.observations import ObservationLayout, observe

MENU = (Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(3, 2), Fraction(2))
"""The sizes of numbered bets and raises, as parts of the pot after a call."""
FOLD, CHECK, CALL, LEAST = range(4)
MOST = LEAST + len(MENU) + 1
SHOW, MUCK = MOST + 1, MOST + 2
FIRST_CHANGE = MUCK + MOST_RUNS + 1
"""The numbers of actions: the runs come after `MUCK`, the sets of cards to change from `FIRST_CHANGE` on."""
PLAIN: dict[type, int] = {Fold: FOLD, Check: CHECK, Call: CALL, AllIn: MOST, Show: SHOW, Muck: MUCK}


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

    @property
    def action_count(self) -> int:
        """The number of actions: fold, check, call, sizes, show, muck, runs, and the sets of cards to change."""
        return FIRST_CHANGE + (1 << max(self.structure.hole_by_street) if self._changes else 0)

    @property
    def _changes(self) -> bool:
        """Whether players change or discard cards."""
        return bool(self.structure.draws) or any(street.discard for street in self.structure.streets)

    def numbered(self, game: Hand) -> dict[int, Action]:
        """Return the legal actions by their numbers; bets and raises in the sizes of the menu.

        The numbers are 0 to fold, 1 to check, 2 to call, then the smallest bet, the parts of the pot in `MENU` and the
        largest bet, then to show and to muck, the numbers of runs, and each set of held cards to change, by its bits.

        >>> from pitboss import Stakes, blinds
        >>> stakes = Stakes(min_bet=20, posts=blinds(2, 10, 20))
        >>> poker = PokerType("no_limit_holdem", stacks=(1000, 1000), stakes=stakes)
        >>> hand, events = poker.start(2, Chance(7))
        >>> {number: getattr(action, "to", None) for number, action in poker.numbered(hand).items()}
        {0: None, 2: None, 3: 40, 6: 50, 7: 60, 8: 80, 9: 100, 10: 1000}
        """
        return dict(_numbered(game))

    @property
    def _observed(self) -> ObservationLayout:
        structure = self.structure
        streets = tuple([street.name.replace("_", " ").capitalize() for street in structure.streets])
        return ObservationLayout(
            places=len(self.stacks),
            cards=structure.deck,
            own=("hand",),
            common=("board",) * max(structure.boards, structure.most_runs),
            facts=(("Street", streets),),
        )

    @property
    def observation_size(self) -> int:
        """The number of numbers in an observation."""
        return self._observed.size

    def observe(self, game: Hand, place: int | None) -> tuple[float, ...]:
        """Return what a place, or a spectator if it is None, sees, as numbers."""
        return observe(table_view(game, place), place, self._observed)

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


def _numbered(hand: Hand) -> Iterator[tuple[int, Action]]:
    """Yield the legal actions with their numbers."""
    if not isinstance(hand.turn, PlayersTurn):
        return
    if hand.phase == "draw":
        yield from _changes(hand, hand.turn.place)
        return
    for action in hand.legal():
        if isinstance(action, ChooseRuns):
            yield MUCK + action.runs, action
        elif type(action) in PLAIN:
            yield PLAIN[type(action)], action
    yield from _sizes(hand, hand.turn.place)


def _sizes(hand: Hand, place: int) -> Iterator[tuple[int, Action]]:
    """Yield the bets and raises of the menu; a size that has a lower number already is left out."""
    offer = hand.offer
    bounds, kind = (offer.bet, Bet) if offer.bet is not None else (offer.raise_, Raise)
    if bounds is None:
        return
    pot, owed = sum(pot.amount for pot in hand.pots), offer.call or 0
    sizes = [bounds.min_to, *[hand.round.bets[place] + owed + int(part * (pot + owed)) for part in MENU], bounds.max_to]
    seen = set()
    for number, size in enumerate(sizes, LEAST):
        fits = size in (bounds.min_to, bounds.max_to) if hand.round.rules.exact else size >= bounds.min_to
        if fits and size <= bounds.max_to and size not in seen:
            seen.add(size)
            yield number, kind(size)


def _changes(hand: Hand, place: int) -> Iterator[tuple[int, Action]]:
    """Yield the sets of held cards that a player can change or has to discard."""
    held, offer = hand.holes[place], hand.offer
    for bits in range(1 << len(held)):
        cards = tuple([card for at, card in enumerate(held) if bits >> at & 1])
        if len(cards) == offer.discard if offer.discard is not None else len(cards) <= (offer.draw or 0):
            yield FIRST_CHANGE + bits, Discard(cards)
