"""One hand, from the forced bets to the paid pots, as a frozen value.

Places are counted from the button's left, so the last place has the button. Given a deck, the hand deals by itself and
shows all live cards at showdown; without one, dealing, showing and mucking are actions too, as recorded hands need it.
How it is printed, drawn and spoken to stands in `look/`. `python -m pitboss.hand.hand` plays one.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import core
from pitboss.betting.actions import BettingAction
from pitboss.betting.events import Raised
from pitboss.betting.pots import Pot
from pitboss.betting.refusals import Refused
from pitboss.betting.round import NO_OFFER, Offer, Round
from pitboss.cards import Card, is_known
from pitboss.game import ChancesTurn, Over, PlayersTurn, Turn
from pitboss.hand.actions import Action, DealBoard, DealHole, Discard, Muck, Show
from pitboss.hand.dealing import all_dealt, deal_board, deal_own, deal_rest, deal_street
from pitboss.hand.drawing import Draw, discard, start_draws
from pitboss.hand.events import Event, RunBegun
from pitboss.hand.opening import find_opener, shows_pair
from pitboss.hand.setup import check_setup
from pitboss.hand.showing import (
    Runs,
    go_on_showing,
    hidden,
    is_asked,
    pay_last,
    show_down,
    show_or_muck,
    showdown_actions,
    showdown_offer,
)
from pitboss.hand.starting import cards_to_deal, count_stacks, find_game, usual_stakes
from pitboss.hand.structure import Stakes, Structure
from pitboss.hand.view import view

Phase = Literal["deal", "draw", "bet", "show", "over"]
Step = tuple["Hand", tuple[Event, ...]]


class Hand(Struct, frozen=True, gc=False, kw_only=True):
    """A hand at one moment.

    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 30), blinds=(10, 20), seed=7)
    >>> print(hand)
    no-limit hold'em, blinds 10/20, PRE_FLOP, pot 30, price 20
    board  -
          stack  bet  cards
      p1    990   10  7c 9s
      p2    980   20  2d 8d
    > p3     30       Ks 6c  button
    p3 may fold, call 20 or raise to 30
    >>> hand, events = hand.act("raise 30")
    >>> events, hand.pot
    ((Raised(place=2, amount=30, to=30, opening=False, all_in=True),), 60)
    """

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

    @classmethod
    def deal(
        cls,
        game: Structure | str,
        *,
        stacks: Sequence[int],
        blinds: Sequence[int] = (),
        ante: int = 0,
        antes: Sequence[int] = (),
        bring_in: int = 0,
        min_bet: int | None = None,
        big_bet: int | None = None,
        seed: int | None = None,
        deck: Sequence[Card] | str | None = None,
    ) -> Step:
        """Deal the usual hand of a game, which is a structure or its name or code; `start` has all there is to settle.

        Blinds and straddles stand in order from the button's left (heads-up the button's is first). The least bet is
        the big blind, or `min_bet`; where bets are fixed it is the small one, and `big_bet` is twice that unless said.
        Stud has an ante, a `bring_in` and a `min_bet`. The seed decides the cards, or the deck has them in order.

        >>> hand, events = Hand.deal("razz", stacks=(500, 500), ante=2, bring_in=5, min_bet=20, seed=1)
        >>> hand.legal()
        (Call(), Raise(to=20))
        """
        structure = find_game(game)
        stakes = usual_stakes(
            structure,
            count_stacks(stacks),
            blinds=blinds,
            ante=ante,
            antes=antes,
            bring_in=bring_in,
            min_bet=min_bet,
            big_bet=big_bet,
        )
        return cls.start(structure, stacks=stacks, stakes=stakes, deck=cards_to_deal(structure, seed, deck))

    @classmethod
    def start(
        cls, structure: Structure, *, stacks: Sequence[int], stakes: Stakes, deck: Sequence[Card] | None = None
    ) -> Step:
        """Take the forced money and, where there is a deck, deal; without one, dealing is an action.

        >>> from pitboss.hand.games import NO_LIMIT_HOLDEM
        >>> stakes = Stakes(min_bet=20, antes=(0, 20), equal_antes=False, may_muck=True)
        >>> hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(1000, 1000), stakes=stakes)
        >>> hand, events = hand.act(DealHole(0, ("As", "Kd")))
        >>> hand.turn
        ChancesTurn()
        """
        check_setup(structure, stacks, stakes, deck)
        stakes = stakes.in_game(structure)
        round, posted = Round.start(
            structure.betting,
            stacks=stacks,
            step=stakes.step(structure.streets[0]),
            opener=stakes.opener,
            price=stakes.price or stakes.bring_in,
            posts=stakes.posts,
            antes=stakes.antes,
            equal_antes=stakes.equal_antes,
            dead=stakes.dead,
        )
        hand = cls(
            structure=structure,
            stakes=stakes,
            round=round,
            street=0,
            phase="deal",
            holes=((),) * len(stacks),
            board=(),
            deck=None if deck is None else tuple(deck),
            shown=(),
            paid_pots=(),
            house=0,
            draw=start_draws(deck) if structure.draws else None,
            runs=None,
            aggressor=-1,
        )
        return _go_on(hand, posted)

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

    def act(self, action: Action | str, place: int | None = None) -> Step:
        """The hand after this action, and what happened; raises `Refused` where it is not on offer.

        A text will do: `raise 60` and `bet 60` are to 60, a bet or a raise as the moment has it, `raise by 40` adds 40
        chips, the call among them; `fold`, `check`, `call`, `all in`, `pot`, `half pot`, `bring in`, `complete`,
        `discard 2c 3d`, `stand pat`, `show` and `muck`; without a deck `deal p1 As Kd` and `deal board 2h 7c 9d`.
        """
        carry_out = _ACTS.get(type(action))
        if carry_out is None:
            if isinstance(action, str):
                from pitboss.hand.look.spoken import read_spoken  # loaded for those who speak

                return self.act(read_spoken(self, action), place)
            raise Refused("unknown_action", f"{action!r} is no action of a hand")
        return carry_out(self, action, place)

    def __str__(self) -> str:
        """A small table: cards, bets, pots and whose turn it is."""
        from pitboss.hand.look.table import format_table

        return format_table(self)

    def __repr__(self) -> str:
        from pitboss.hand.look.table import describe

        return f"<Hand: {describe(self)}>"

    __rich_repr__ = None  # type: ignore[assignment]  # rich would show every field, the deck among them

    def _repr_svg_(self) -> str:
        """A picture, as notebooks show it."""
        from pitboss.hand.look.svg import draw_svg

        return draw_svg(self)

    def up_cards(self, place: int) -> tuple[Card, ...]:
        """The cards of a place that lie face up for everybody."""
        return tuple([card for card, up in zip(self.holes[place], self.structure.faces, strict=False) if up])

    def view(self, place: int | None) -> "Hand":
        """What one place may see; None is a spectator."""
        return view(self, place)


# --- betting


def _bet(hand: Hand, action: BettingAction, place: int | None) -> Step:
    if hand.phase != "bet":
        raise Refused("betting_over", f"no betting now: {_waiting_for(hand)}")
    if place is not None and place != hand.round.turn:
        raise Refused(
            "out_of_turn", "{place} is not asked, {turn} is", places={"place": place, "turn": hand.round.turn}
        )
    events: tuple[Event, ...]
    round, events = hand.round.act(action)
    if hand.stakes.may_muck and isinstance(events[0], Raised):
        hand = replace(hand, round=round, aggressor=hand.round.turn)
    else:
        hand = replace(hand, round=round)
    if round.turn >= 0:
        return hand, events
    hand, closed = _close_street(hand)
    events = (*events, *closed)
    return (hand, events) if hand.phase == "over" else _go_on(hand, events)


def _waiting_for(hand: Hand) -> str:
    return {
        "deal": "cards have to be dealt",
        "draw": "cards are being changed",
        "show": "it is the showdown",
        "over": "the hand is over",
    }[hand.phase]


# --- from one question to the next


def _go_on(hand: Hand, events: Sequence[Event]) -> Step:
    """Do everything that needs nobody's decision, until somebody or chance has to be asked."""
    happened = list(events)
    while True:
        if hand.phase == "deal":
            if hand.deck is not None:
                hand, dealt = deal_street(hand)
                happened += dealt
            elif not all_dealt(hand):
                break
            hand, turned = _after_deal(hand)
            happened += turned
        elif hand.phase == "draw":
            if (hand.draw is not None and hand.draw.waiting) or not all_dealt(hand):
                break
            hand, turned = _after_deal(hand)
            happened += turned
        elif hand.phase == "bet" and hand.round.turn < 0:
            hand, closed = _close_street(hand)
            happened += closed
        elif hand.phase == "show" and not is_asked(hand):
            hand, shown = go_on_showing(hand)
            happened += shown
        else:
            break
    return hand, tuple(happened)


def _after_deal(hand: Hand) -> Step:
    """Open the street's betting, or go on where there is none."""
    if hand.street > 0 and not core.contested(hand.round):
        return _next_street(hand)
    if hand.stakes.bomb and hand.street == 0:
        return _close_street(hand)
    return _open_street(hand), ()


def _open_street(hand: Hand) -> Hand:
    """Ask for the street's first word; where up-cards do not decide, the first street's is asked since the blinds."""
    street, round = hand.structure.streets[hand.street], hand.round
    if hand.street == 0 and street.opens == "left":
        return replace(hand, phase="bet")
    opener, step = find_opener(hand), round.step
    if hand.structure.open_pair and hand.street and not street.big and hand.stakes.big_bet and shows_pair(hand):
        step = hand.stakes.big_bet
    return replace(hand, phase="bet", round=round.open(opener, step), aggressor=opener if hand.stakes.may_muck else -1)


def _close_street(hand: Hand) -> Step:
    """Give back what nobody called, sweep the bets, and pay, turn to the next street or to the showdown."""
    last = hand.street == len(hand.structure.streets) - 1
    following = hand.structure.streets[hand.street if last else hand.street + 1]
    round, refunds = hand.round.close(step=hand.stakes.step(following))
    hand = replace(hand, round=round)
    if round.folded.count(False) == 1:
        hand, events = pay_last(hand)
    elif last or not _runs_out(hand):
        hand, events = _next_street(hand)
    else:
        hand, dealt = deal_rest(hand)
        hand, events = _to_showdown(hand)
        events = (*dealt, *events)
    return hand, (*refunds, *events)


def _runs_out(hand: Hand) -> bool:
    """Whether nothing is left but to deal the board from the deck, once, and to compare."""
    to_deal = hand.deck is not None and hand.stakes.runs == 1 and hand.street >= hand.structure.board_alone
    return to_deal and not core.contested(hand.round)


def _next_street(hand: Hand) -> Step:
    """Turn to the next deal or draw or, after the last, to the showdown, unless the board is run once more."""
    if hand.street == len(hand.structure.streets) - 1:
        return _run_again(hand) if hand.runs is not None else _to_showdown(hand)
    street = hand.street + 1
    if hand.structure.streets[street].draw and hand.draw is not None:
        draw = replace(hand.draw, waiting=hand.round.live)
        return replace(hand, phase="draw", street=street, draw=draw), ()
    runs = hand.runs
    if runs is None and hand.stakes.runs > 1 and not hand.round.contested:
        runs = Runs(street, len(hand.board))
    return replace(hand, phase="deal", street=street, runs=runs), ()


def _run_again(hand: Hand) -> Step:
    """Deal the rest of the board once more, or compare hands where that was the last time."""
    runs = hand.runs
    if runs is None or len(runs.boards) + 1 == hand.stakes.runs:
        return _to_showdown(hand)
    runs = replace(runs, boards=(*runs.boards, hand.board))
    hand = replace(hand, phase="deal", street=runs.street, board=hand.board[: runs.common], runs=runs)
    return hand, (RunBegun(len(runs.boards) + 1),)


def _to_showdown(hand: Hand) -> Step:
    """Turn to the showdown; given a deck, all show at once unless they may muck and the last street had its betting."""
    asked = hand.deck is None or (hand.stakes.may_muck and hand.phase == "bet")
    return (replace(hand, phase="show"), ()) if asked else show_down(hand)


_ACTS: dict[type, Callable[[Hand, Any, int | None], Step]] = {
    **dict.fromkeys(get_args(BettingAction), _bet),
    Discard: lambda hand, action, place: _go_on(*discard(hand, action, place)),
    Show: lambda hand, action, place: _go_on(*show_or_muck(hand, action, place)),
    Muck: lambda hand, action, place: _go_on(*show_or_muck(hand, action, place)),
    DealHole: lambda hand, action, _: _go_on(*deal_own(hand, action.place, action.cards)),
    DealBoard: lambda hand, action, _: _go_on(*deal_board(hand, action.cards)),
}
"""How each kind of action is carried out."""


def _demo() -> None:
    hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 1000), blinds=(10, 20), seed=7)
    print(hand)
    while not hand.over:
        hand, happened = hand.act("check" if hand.offer.check else "call")
        events += happened
    for event in events:
        print(event)
    print(hand)


if __name__ == "__main__":
    _demo()
