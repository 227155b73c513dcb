"""The state of a hand: its cards and chips, the next turn and the actions on offer."""

from itertools import chain, combinations
from typing import Literal

from msgspec import Struct

from pitboss.betting.pots import Pot
from pitboss.betting.round import NO_OFFER, Offer, Round
from pitboss.cards import UNKNOWN, Card, is_known
from pitboss.game import ChancesTurn, Over, PlayersTurn, Turn
from pitboss.hand.events import Action, ChooseRuns, Discard, Muck, Show
from pitboss.hand.structure import Stakes, Structure

Phase = Literal["deal", "draw", "bet", "runs", "show", "over"]
BOTTOMLESS = 10**15
"""The stack of a player whose stack is unknown, in whole units of money. No recorded bet is this large."""
BOTTOMLESS_FROM = 9 * BOTTOMLESS // 10
"""A stack of at least this size is written as `inf`."""


class Draw(Struct, frozen=True):
    """The state of a draw or a discard, in games in which players exchange or discard cards."""

    waiting: tuple[int, ...] = ()  #: the places that must still act in this draw, in order
    discards: tuple[Card, ...] = ()  #: cards discarded face down that are not dealt again
    order: bytes | None = None  #: the key that shuffles the discards; None if they are not dealt again, or in a view
    open: tuple[Card, ...] = ()  #: cards discarded face up

    def hidden(self) -> "Draw":
        """Return the state without its hidden cards and key."""
        return Draw(self.waiting, (UNKNOWN,) * len(self.discards), None, self.open)


class Runs(Struct, frozen=True):
    """The boards of a hand whose board is dealt more than once, or whose players choose how often it is dealt."""

    street: int  #: the first street that is dealt again
    common: int  #: the number of board cards that all runs share
    boards: tuple[tuple[Card, ...], ...] = ()  #: the boards of the runs before the current one
    chosen: int = 0  #: the smallest number of runs that players have chosen so far; 0 if the stakes decide it
    waiting: tuple[int, ...] = ()  #: the places that must still choose, in order

    def own_part(self, board: tuple[Card, ...]) -> tuple[Card, ...]:
        """Return the cards of a board that the other boards do not share."""
        return board[self.common :]


class State(Struct, frozen=True, gc=False, kw_only=True):
    """The fields of a hand, and properties that follow from them. `Hand` adds the actions."""

    structure: Structure
    stakes: Stakes
    round: Round
    street: int
    phase: Phase
    holes: tuple[tuple[Card, ...], ...]
    board: tuple[Card, ...]
    deck: tuple[Card, ...] | None  #: the cards that are not dealt yet; None if cards are dealt by actions
    shown: tuple[int, ...]  #: the places that have shown their cards
    paid_pots: tuple[Pot, ...]  #: the pots that were paid when the hand ended
    house: int  #: the rake that the house took when the hand ended
    draw: Draw | None  #: the state of the draw; None in games without a draw
    runs: Runs | None  #: the earlier boards, if the board is dealt more than once
    aggressor: int  #: the place that shows first if players can muck; -1 for the first place
    more_boards: tuple[tuple[Card, ...], ...]  #: the boards after the first, in a game with several boards

    @property
    def turn(self) -> Turn:
        """The next turn. It belongs to a player, to chance, or to no one if the hand is over."""
        if self.phase == "bet":
            return PlayersTurn(self.round.turn)
        if self.phase == "show":
            return PlayersTurn(hidden(self)[0])
        if self.phase == "draw" and self.draw is not None and self.draw.waiting:
            return PlayersTurn(self.draw.waiting[0])
        if self.phase == "runs" and self.runs is not None:
            return PlayersTurn(self.runs.waiting[0])
        if self.phase in ("deal", "draw"):
            return ChancesTurn()
        return Over()

    @property
    def offer(self) -> Offer:
        """All actions that the player to act can take. The offer is empty if no player must act."""
        if self.phase == "bet":
            return self.round.offer
        if self.phase == "draw" and self.draw is not None and self.draw.waiting:
            count = self.structure.streets[self.street].discard
            return Offer(discard=count) if count else Offer(draw=len(self.holes[self.draw.waiting[0]]))
        if self.phase == "runs":
            return Offer(runs=most_runs(self))
        return showdown_offer(self) if self.phase == "show" else NO_OFFER

    def legal(self) -> tuple[Action, ...]:
        """Return the actions on offer. Bets and raises appear with their minimum and maximum size.

        >>> from pitboss import Hand
        >>> hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
        >>> hand.legal()
        (Fold(), Call(), Raise(to=40), Raise(to=1000))
        """
        if self.phase == "bet":
            return self.round.legal()
        if self.phase == "draw" and self.draw is not None and self.draw.waiting:
            held, count = self.holes[self.draw.waiting[0]], self.structure.streets[self.street].discard
            if count:
                return tuple([Discard(cards) for cards in dict.fromkeys(combinations(held, count))])
            return (Discard(), Discard(held)) if all(map(is_known, held)) else (Discard(),)
        if self.phase == "runs":
            return tuple([ChooseRuns(runs) for runs in range(1, most_runs(self) + 1)])
        return showdown_actions(self) if self.phase == "show" else ()

    @property
    def over(self) -> bool:
        """Whether the hand is over and the pots are paid."""
        return self.phase == "over"

    @property
    def street_name(self) -> str:
        """The name of the street. It is SHOWDOWN if hands are compared."""
        compared = self.phase == "show" or (self.phase == "over" and len(self.round.live) > 1)
        return "SHOWDOWN" if compared else self.structure.streets[self.street].name

    @property
    def stacks(self) -> tuple[int, ...]:
        """The stack of each place. At the end of a hand, it includes the chips won."""
        return self.round.stacks

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The pots of the hand. At the end of a hand, these are the pots that were paid."""
        return self.paid_pots if self.phase == "over" else self.round.pots

    @property
    def pot(self) -> int:
        """All chips in the middle, including the bets of this street. It is 0 after the pots are paid."""
        return self.round.chips_in_middle

    @property
    def betting_is_over(self) -> bool:
        """Whether no more betting is possible in this hand."""
        if self.phase in ("deal", "draw"):
            return self.street > 0 and not self.round.contested
        return self.phase != "bet"

    def up_cards(self, place: int) -> tuple[Card, ...]:
        """Return the face-up cards of a place."""
        return tuple([card for card, up in zip(self.holes[place], self.structure.faces, strict=False) if up])


def all_dealt(hand: State) -> bool:
    """Return whether all cards of this street are dealt."""
    common, own = hand.structure.board_by_street[hand.street], hand.structure.hole_by_street[hand.street]
    if hand.more_boards and min(map(len, hand.more_boards)) < common:
        return False
    if len(hand.board) != common:
        return len(hand.board) > common  # one shared card was dealt instead of the last card of each player
    holes = hand.holes
    return all(len(holes[place]) == own for place in hand.round.live)


def own_due(hand: State, place: int) -> int:
    """Return the number of cards that a place must still receive on this street."""
    if len(hand.board) > hand.structure.board_by_street[hand.street]:
        return 0
    return hand.structure.hole_by_street[hand.street] - len(hand.holes[place])


def most_runs(hand: State) -> int:
    """Return how often the players may choose to deal the rest of the board."""
    return hand.structure.runs_for(hand.round.n, hand.structure.most_runs)


def idle_choice(hand: State) -> Discard | ChooseRuns | None:
    """Return the choice outside betting of a player who does not act, or None if there is no such choice now.

    The player stands pat in a draw. In a discard, the player discards the cards that were dealt last. If players choose
    how often the board is dealt, the player chooses once.
    """
    if hand.phase == "runs":
        return ChooseRuns(1)
    if hand.phase != "draw":
        return None
    count = hand.structure.streets[hand.street].discard
    if not count or hand.draw is None:
        return Discard()
    return Discard(hand.holes[hand.draw.waiting[0]][-count:])


def boards(hand: State) -> tuple[tuple[Card, ...], ...]:
    """Return all boards of the hand. There is more than one if the game has several, or if the board was run again."""
    return (hand.board, *hand.more_boards) if hand.runs is None else (*hand.runs.boards, hand.board)


def hidden(hand: State) -> list[int]:
    """Return the live places with hidden cards, in the order in which they show."""
    down = [p for p in hand.round.live if p not in hand.shown or not all(map(is_known, hand.holes[p]))]
    first = hand.aggressor
    return down if first < 0 else [p for p in down if p >= first] + [p for p in down if p < first]


def showdown_offer(hand: State) -> Offer:
    """Return the offer at showdown. With an unknown board, only one player can show."""
    return Offer(show=not hand.shown or all(map(is_known, (*hand.board, *chain(*hand.more_boards)))), muck=True)


def showdown_actions(hand: State) -> tuple[Action, ...]:
    """Return the actions on offer at showdown. Unknown cards cannot be shown without naming them."""
    offer, held = hand.offer, hand.holes[hidden(hand)[0]]
    actions: list[Action] = [Show()] if offer.show and all(map(is_known, held)) else []
    return (*actions, Muck()) if offer.muck else tuple(actions)
