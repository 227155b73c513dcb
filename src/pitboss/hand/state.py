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
    """What a game in which cards are changed has beside the others."""

    waiting: tuple[int, ...] = ()  #: who has not spoken in the present draw, in order
    discards: tuple[Card, ...] = ()  #: cards given away and not dealt again
    order: bytes | None = None  #: what decides how discards are shuffled; None: nothing is, or it is not ours to know

    def hidden(self) -> "Draw":
        """What everybody may see of it."""
        return Draw(self.waiting, (UNKNOWN,) * len(self.discards))


class Runs(Struct, frozen=True):
    """A board that is dealt more than once."""

    street: int  #: the first that is dealt anew
    common: int  #: how many of the board's cards all runs share
    boards: tuple[tuple[Card, ...], ...] = ()  #: those that are complete, but for the last

    def own_part(self, board: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards of a run that the others have not."""
        return board[self.common :]


class State(Struct, frozen=True, gc=False, kw_only=True):
    """Everything that a hand consists of, with what can be read from it; `Hand` adds what changes it."""

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
    house: int  #: once over, what the house has taken of them
    draw: Draw | None  #: where cards are changed, who is to speak and what has been given away
    runs: Runs | None  #: where the board is dealt more than once, the boards so far
    aggressor: int  #: who shows first where one may muck: whoever bet last, or opened; -1: the first

    @property
    def turn(self) -> Turn:
        """Whose turn it is: a player's, chance's, or nobody's any more."""
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
        """Everything that whoever's turn it is may do; nothing where it is no player's."""
        if self.phase == "bet":
            return self.round.offer
        if self.phase == "draw" and self.draw is not None and self.draw.waiting:
            return Offer(draw=len(self.holes[self.draw.waiting[0]]))
        return showdown_offer(self) if self.phase == "show" else NO_OFFER

    def legal(self) -> tuple[Action, ...]:
        """The actions on offer, each complete; of a range of sizes, the least and the most. The offer has the bounds.

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
        """Whether everything is paid."""
        return self.phase == "over"

    @property
    def street_name(self) -> str:
        """The street's name, SHOWDOWN once cards are compared."""
        compared = self.phase == "show" or (self.phase == "over" and len(self.round.live) > 1)
        return "SHOWDOWN" if compared else self.structure.streets[self.street].name

    @property
    def stacks(self) -> tuple[int, ...]:
        """Everybody's chips; final once the hand is over."""
        return self.round.stacks

    @property
    def pots(self) -> tuple[Pot, ...]:
        """The pots in the middle or, once over, as they were paid."""
        return self.paid_pots if self.phase == "over" else self.round.pots

    @property
    def pot(self) -> int:
        """All chips in the middle, this street's bets among them; none once they are paid."""
        return self.round.chips_in_middle

    @property
    def betting_is_over(self) -> bool:
        """Whether nobody will be asked to bet again in this hand."""
        if self.phase in ("deal", "draw"):
            return self.street > 0 and not self.round.contested
        return self.phase != "bet"

    def up_cards(self, place: int) -> tuple[Card, ...]:
        """The cards of a place that lie face up for everybody."""
        return tuple([card for card, up in zip(self.holes[place], self.structure.faces, strict=False) if up])


def all_dealt(hand: State) -> bool:
    """Whether the present street's cards are on the table."""
    common, own = hand.structure.board_by_street[hand.street], hand.structure.hole_by_street[hand.street]
    if len(hand.board) != common:
        return len(hand.board) > common  # one for all was dealt instead of the last of everybody
    holes = hand.holes
    return all(len(holes[place]) == own for place in hand.round.live)


def own_due(hand: State, place: int) -> int:
    """How many cards a place is still to get on this street; none where one for all was dealt instead."""
    if len(hand.board) > hand.structure.board_by_street[hand.street]:
        return 0
    return hand.structure.hole_by_street[hand.street] - len(hand.holes[place])


def boards(hand: State) -> tuple[tuple[Card, ...], ...]:
    """Every board that hands are compared on."""
    return (hand.board,) if hand.runs is None else (*hand.runs.boards, hand.board)


def hidden(hand: State) -> list[int]:
    """The places still in the hand whose cards are down; who comes first is asked first."""
    down = [p for p in hand.round.live if p not in hand.shown or not all(map(is_known, hand.holes[p]))]
    first = hand.aggressor
    return down if first < 0 else [p for p in down if p >= first] + [p for p in down if p < first]


def showdown_offer(hand: State) -> Offer:
    """Mucking, and showing unless an unknown board would then have to decide."""
    return Offer(show=not hand.shown or all(map(is_known, hand.board)), muck=True)


def showdown_actions(hand: State) -> tuple[Action, ...]:
    """Showing, where the cards need not be named, and mucking."""
    offer, held = hand.offer, hand.holes[hidden(hand)[0]]
    actions: list[Action] = [Show()] if offer.show and all(map(is_known, held)) else []
    return (*actions, Muck()) if offer.muck else tuple(actions)
