"""A hand at one moment: what is on the table, whose turn it is, and what they may do."""

from typing import Literal

from msgspec import Struct

from pitboss.betting.pots import Pot
from pitboss.betting.round import NO_OFFER, Offer, Round
from pitboss.cards import UNKNOWN, Card, is_known
from pitboss.game import ChancesTurn, Over, PlayersTurn, Turn
from pitboss.hand.events import Action, Discard, Muck, Show
from pitboss.hand.structure import Stakes, Structure

Phase = Literal["deal", "draw", "bet", "show", "over"]
BOTTOMLESS = 10**15
"""The size of a stack of unknown depth, in whole units of money: more than any record bets."""
BOTTOMLESS_FROM = 9 * BOTTOMLESS // 10
"""A stack of at least this size is written as `inf`."""


class Draw(Struct, frozen=True):
    """The state of a game in which players change cards."""

    waiting: tuple[int, ...] = ()  #: the places still to act in this draw, in order
    discards: tuple[Card, ...] = ()  #: cards given away and not dealt again
    order: bytes | None = None  #: decides how discards are shuffled; None: there is no deck, or it is hidden

    def hidden(self) -> "Draw":
        """Return it without what is hidden from everyone."""
        return Draw(self.waiting, (UNKNOWN,) * len(self.discards))


class Runs(Struct, frozen=True):
    """The boards of a hand whose board is run more than once."""

    street: int  #: the first street that is dealt again
    common: int  #: how many cards of the board all runs share
    boards: tuple[tuple[Card, ...], ...] = ()  #: the complete boards, without the last one

    def own_part(self, board: tuple[Card, ...]) -> tuple[Card, ...]:
        """Return the cards of a run that the other runs do not share."""
        return board[self.common :]


class State(Struct, frozen=True, gc=False, kw_only=True):
    """All fields of a hand, with what can be read from them. `Hand` adds the actions."""

    structure: Structure
    stakes: Stakes
    round: Round
    street: int
    phase: Phase
    holes: tuple[tuple[Card, ...], ...]
    board: tuple[Card, ...]
    deck: tuple[Card, ...] | None  #: the cards to come; None: they are dealt by actions
    shown: tuple[int, ...]  #: the places whose cards are up
    paid_pots: tuple[Pot, ...]  #: once over, the pots as they were paid
    house: int  #: once over, the rake
    draw: Draw | None  #: in games that change cards: who has to act, and the discards
    runs: Runs | None  #: if the board is run more than once: the boards so far
    aggressor: int  #: the place that shows first if players may muck: the last to bet, or the opener; -1: the first

    @property
    def turn(self) -> Turn:
        """Whose turn it is: a player's, chance's, or no one's once the hand is over."""
        if self.phase == "bet":
            return PlayersTurn(self.round.turn)
        if self.phase == "show":
            return PlayersTurn(hidden(self)[0])
        if self.phase == "draw" and self.draw is not None and self.draw.waiting:
            return PlayersTurn(self.draw.waiting[0])
        if self.phase in ("deal", "draw"):
            return ChancesTurn()
        return Over()

    @property
    def offer(self) -> Offer:
        """Everything that the player to act may do; empty if no player has to act."""
        if self.phase == "bet":
            return self.round.offer
        if self.phase == "draw" and self.draw is not None and self.draw.waiting:
            return Offer(draw=len(self.holes[self.draw.waiting[0]]))
        return showdown_offer(self) if self.phase == "show" else NO_OFFER

    def legal(self) -> tuple[Action, ...]:
        """The actions on offer; of a range of sizes, the minimum and the maximum. `offer` has the bounds.

        >>> from pitboss.hand.hand import Hand
        >>> hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
        >>> hand.legal()
        (Fold(), Call(), Raise(to=40), Raise(to=1000))
        """
        if self.phase == "bet":
            return self.round.legal()
        if self.phase == "draw" and self.draw is not None and self.draw.waiting:
            held = self.holes[self.draw.waiting[0]]
            return (Discard(), Discard(held)) if all(map(is_known, held)) else (Discard(),)
        return showdown_actions(self) if self.phase == "show" else ()

    @property
    def over(self) -> bool:
        """Whether the hand is paid out."""
        return self.phase == "over"

    @property
    def street_name(self) -> str:
        """The name of the street; SHOWDOWN once hands are compared."""
        compared = self.phase == "show" or (self.phase == "over" and len(self.round.live) > 1)
        return "SHOWDOWN" if compared else self.structure.streets[self.street].name

    @property
    def stacks(self) -> tuple[int, ...]:
        """The chips of each place; final once the hand is over."""
        return self.round.stacks

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The pots in the middle; once the hand is over, the pots as they were paid."""
        return self.paid_pots if self.phase == "over" else self.round.pots

    @property
    def pot(self) -> int:
        """All chips in the middle, including the bets of this street; 0 once they are paid."""
        return self.round.chips_in_middle

    @property
    def betting_is_over(self) -> bool:
        """Whether no more betting is possible in this hand."""
        if self.phase in ("deal", "draw"):
            return self.street > 0 and not self.round.contested
        return self.phase != "bet"

    def up_cards(self, place: int) -> tuple[Card, ...]:
        """Return the cards of a place that are face up."""
        return tuple([card for card, up in zip(self.holes[place], self.structure.faces, strict=False) if up])


def all_dealt(hand: State) -> bool:
    """Whether the cards of this street are dealt."""
    common, own = hand.structure.board_by_street[hand.street], hand.structure.hole_by_street[hand.street]
    if len(hand.board) != common:
        return len(hand.board) > common  # one card for all was dealt instead of a last card for each player
    holes = hand.holes
    return all(len(holes[place]) == own for place in hand.round.live)


def own_due(hand: State, place: int) -> int:
    """Return how many cards a place still gets on this street; 0 if one card for all was dealt instead."""
    if len(hand.board) > hand.structure.board_by_street[hand.street]:
        return 0
    return hand.structure.hole_by_street[hand.street] - len(hand.holes[place])


def boards(hand: State) -> tuple[tuple[Card, ...], ...]:
    """All boards that hands are compared on."""
    return (hand.board,) if hand.runs is None else (*hand.runs.boards, hand.board)


def hidden(hand: State) -> list[int]:
    """The places still in the hand whose cards are down, in the order in which they act."""
    down = [p for p in hand.round.live if p not in hand.shown or not all(map(is_known, hand.holes[p]))]
    first = hand.aggressor
    return down if first < 0 else [p for p in down if p >= first] + [p for p in down if p < first]


def showdown_offer(hand: State) -> Offer:
    """Return the showdown actions: muck, and show unless an unknown board would then decide the pot."""
    return Offer(show=not hand.shown or all(map(is_known, hand.board)), muck=True)


def showdown_actions(hand: State) -> tuple[Action, ...]:
    """Return the showdown actions if the cards need not be named: show and muck."""
    offer, held = hand.offer, hand.holes[hidden(hand)[0]]
    actions: list[Action] = [Show()] if offer.show and all(map(is_known, held)) else []
    return (*actions, Muck()) if offer.muck else tuple(actions)
