"""One hand, from the forced bets to the paid pots, as a frozen value.

Places are counted from the button's left, so the last place has the button. Given a deck, the hand deals by itself and
shows all live cards at showdown; without one, dealing, showing and mucking are actions too, as recorded hands need it.
`python -m pitboss.hand.hand` plays one.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.actions import BettingAction
from pitboss.betting.pots import Pot, share
from pitboss.betting.refusals import Refused, SetupError
from pitboss.betting.round import NO_OFFER, Offer, Round
from pitboss.cards import Card, check_distinct, is_known, write_cards
from pitboss.game import ChancesTurn, Over, PlayersTurn, Turn
from pitboss.hand.actions import Action, DealBoard, DealHole, Muck, Show
from pitboss.hand.events import BoardDealt, Event, HoleDealt, Mucked, Raked, Shown, Won
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.showdown import rank_name, strengths, winnings
from pitboss.hand.structure import Stakes, Structure, blinds
from pitboss.hand.view import view

Phase = Literal["deal", "bet", "show", "over"]
Step = tuple["Hand", tuple[Event, ...]]


class Hand(Struct, frozen=True, kw_only=True):
    """A hand at one moment.

    >>> stakes = Stakes(min_bet=20, posts=blinds(2, 10, 20))
    >>> hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(1000, 1000), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    >>> hand.turn, hand.offer.call
    (PlayersTurn(place=1), 10)
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

    @classmethod
    def start(
        cls, structure: Structure, *, stacks: Sequence[int], stakes: Stakes, deck: Sequence[Card] | None = None
    ) -> Step:
        """Take the forced money and, where there is a deck, deal."""
        _check_setup(structure, stacks, stakes, deck)
        round, posted = Round.start(
            structure.betting,
            stacks=stacks,
            step=stakes.step(structure.streets[0]),
            opener=stakes.opener,
            price=stakes.price,
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
        )
        return _go_on(hand, posted)

    @property
    def turn(self) -> Turn:
        """Whose turn it is: a player's, chance's, or nobody's any more."""
        if self.phase == "bet":
            return PlayersTurn(self.round.turn)
        if self.phase == "deal":
            return ChancesTurn()
        if self.phase == "show":
            return PlayersTurn(_hidden(self)[0])
        return Over()

    @property
    def offer(self) -> Offer:
        """Everything that whoever's turn it is may do; nothing where it is no player's."""
        if self.phase == "bet":
            return self.round.offer
        return _showdown_offer(self) if self.phase == "show" else NO_OFFER

    def legal(self) -> tuple[Action, ...]:
        """The actions on offer, each complete; of a range of sizes, the least and the most. The offer has the bounds.

        >>> stakes = Stakes(min_bet=20, posts=blinds(2, 10, 20))
        >>> hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(1000, 1000), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
        >>> hand.legal()
        (Fold(), Call(), Raise(to=40), Raise(to=1000))
        """
        if self.phase == "bet":
            return self.round.legal()
        return _showdown_actions(self) if self.phase == "show" else ()

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
    def betting_is_over(self) -> bool:
        """Whether nobody will be asked to bet again in this hand."""
        if self.phase != "deal":
            return self.phase != "bet"
        return self.street > 0 and not self.round.contested

    def act(self, action: Action, place: int | None = None) -> Step:
        """The hand after this action, and what happened; raises `Refused` where it is not on offer."""
        if isinstance(action, BettingAction):
            return _bet(self, action, place)
        if isinstance(action, Show | Muck):
            return _show_or_muck(self, action, place)
        if isinstance(action, DealHole):
            return _deal_hole(self, action.place, action.cards)
        if isinstance(action, DealBoard):
            return _deal_board(self, action.cards)
        raise Refused("unknown_action", f"{action!r} is no action of a hand")

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
    round, events = hand.round.act(action)
    hand = replace(hand, round=round)
    return (hand, events) if round.turn >= 0 else _go_on(hand, events)


def _waiting_for(hand: Hand) -> str:
    return {"deal": "cards have to be dealt", "show": "it is the showdown", "over": "the hand is over"}[hand.phase]


# --- from one question to the next


def _go_on(hand: Hand, events: Sequence[Event]) -> Step:
    """Do everything that needs nobody's decision, until somebody or chance has to be asked."""
    happened = list(events)
    while True:
        if hand.phase == "deal":
            if hand.deck is not None:
                hand, dealt = _deal_from_deck(hand)
                happened += dealt
            elif not _dealt(hand):
                break
            hand = _next_street(hand) if hand.betting_is_over else _open_street(hand)
        elif hand.phase == "bet" and hand.round.turn < 0:
            hand, closed = _close_street(hand)
            happened += closed
        elif hand.phase == "show" and (hand.deck is not None or set(hand.round.live) <= set(hand.shown)):
            hand, paid = _show_down(hand)
            happened += paid
        else:
            break
    return hand, tuple(happened)


def _dealt(hand: Hand) -> bool:
    """Whether the present street's cards are on the table."""
    streets = hand.structure.streets[: hand.street + 1]
    return len(hand.board) >= sum(s.board for s in streets) and all(
        len(hand.holes[p]) >= sum(s.hole for s in streets) for p in hand.round.live
    )


def _open_street(hand: Hand) -> Hand:
    """Ask for the street's first word; the first street's round is open since the blinds were posted."""
    return replace(hand, phase="bet", round=hand.round if hand.street == 0 else hand.round.open(0))


def _close_street(hand: Hand) -> Step:
    """Give back what nobody called, sweep the bets, and pay, turn to the next street or to the showdown."""
    last = hand.street == len(hand.structure.streets) - 1
    following = hand.structure.streets[hand.street if last else hand.street + 1]
    round, refunds = hand.round.close(step=hand.stakes.step(following))
    hand = replace(hand, round=round)
    if len(round.live) == 1:
        hand, paid = _pay(hand, {})
        return hand, (*refunds, *paid)
    return _next_street(hand), refunds


def _next_street(hand: Hand) -> Hand:
    """Turn to the next deal or, after the last, to the showdown."""
    if hand.street == len(hand.structure.streets) - 1:
        return replace(hand, phase="show")
    return replace(hand, phase="deal", street=hand.street + 1)


def _show_down(hand: Hand) -> Step:
    """Turn up the live cards that are not up yet, and pay."""
    live = hand.round.live
    if hand.deck is None and not all(map(is_known, (*hand.board, *[card for p in live for card in hand.holes[p]]))):
        raise Refused("cards_unknown", "the pot cannot be decided: some cards are not known")
    made = {p: strengths(hand.structure, hand.holes[p], hand.board) for p in live}
    shown = [Shown(p, hand.holes[p], rank_name(hand.structure, made[p])) for p in live if p not in hand.shown]
    hand, paid = _pay(replace(hand, shown=live), made)
    return hand, (*shown, *paid)


def split_pots(hand: Hand) -> Step:
    """End a hand at its showdown by paying every pot to its claimants in equal parts, whatever their cards."""
    if hand.phase != "show":
        raise Refused("no_showdown", "pots are split at the showdown only")
    pots, raked = _rake(hand)
    won = [
        Won(place, amount, number)
        for number, pot in enumerate(pots)
        for place, amount in zip(pot.places, share(pot.amount, pot.places), strict=True)
    ]
    return _pay_out(hand, pots, raked, tuple(won))


def _pay(hand: Hand, made: Mapping[int, Sequence[int]]) -> Step:
    """Pay every pot to the best of what its claimants have made."""
    pots, raked = _rake(hand)
    return _pay_out(hand, pots, raked, winnings(hand.structure, pots, made))


def _rake(hand: Hand) -> tuple[tuple[Pot, ...], tuple[Raked, ...]]:
    """The pots without the house's part, and what that is of each."""
    pots, rake = hand.round.pots, hand.stakes.rake
    if rake is None:
        return pots, ()
    taken = rake.taken(pots, board_dealt=bool(hand.board))
    left = tuple([Pot(pot.amount - part, pot.places) for pot, part in zip(pots, taken, strict=True)])
    return left, tuple([Raked(part, number) for number, part in enumerate(taken) if part])


def _pay_out(hand: Hand, pots: tuple[Pot, ...], raked: tuple[Raked, ...], won: tuple[Won, ...]) -> Step:
    house = sum([part.amount for part in raked])
    round = hand.round.pay_out([(w.place, w.amount) for w in won], house)
    return replace(hand, round=round, phase="over", paid_pots=pots, house=house), (*raked, *won)


# --- cards


def _deal_from_deck(hand: Hand) -> Step:
    """Deal one street: hole cards one at a time from the button's left, then the board; nothing is burnt."""
    street, n, deck, holes, board = (
        hand.structure.streets[hand.street],
        hand.round.n,
        hand.deck or (),
        hand.holes,
        hand.board,
    )
    events: list[Event] = []
    if street.hole:
        dealt, deck = deck[: street.hole * n], deck[street.hole * n :]
        events += [HoleDealt(p, dealt[p::n]) for p in range(n)]
        holes = tuple([hole + dealt[p::n] for p, hole in enumerate(holes)])
    if street.board:
        dealt, deck = deck[: street.board], deck[street.board :]
        events.append(BoardDealt(street.name, dealt))
        board += dealt
    return replace(hand, holes=holes, board=board, deck=deck), tuple(events)


def _deal_hole(hand: Hand, place: int, cards: tuple[Card, ...]) -> Step:
    _check_deal(hand, cards)
    if place not in hand.round.live:
        raise Refused("no_such_place", "{place} is not in the hand", places={"place": place})
    due = sum(s.hole for s in hand.structure.streets[: hand.street + 1]) - len(hand.holes[place])
    if len(cards) > due:
        sentence = f"{{place}} gets {due} more hole cards now, not {len(cards)}"
        raise Refused("too_many_cards", sentence, places={"place": place})
    holes = (*hand.holes[:place], hand.holes[place] + cards, *hand.holes[place + 1 :])
    return _go_on(replace(hand, holes=holes), (HoleDealt(place, cards),))


def _deal_board(hand: Hand, cards: tuple[Card, ...]) -> Step:
    _check_deal(hand, cards)
    due = sum(s.board for s in hand.structure.streets[: hand.street + 1]) - len(hand.board)
    if len(cards) > due:
        raise Refused("too_many_cards", f"the board gets {due} more cards now, not {len(cards)}")
    if len(hand.shown) > 1:
        _check_board(cards)
    street = hand.structure.streets[hand.street].name
    return _go_on(replace(hand, board=hand.board + cards), (BoardDealt(street, cards),))


def _check_deal(hand: Hand, cards: tuple[Card, ...]) -> None:
    if hand.phase != "deal" or hand.deck is not None:
        raise Refused("not_dealing", "no cards are dealt now")
    if not cards:
        raise Refused("no_cards", "a deal without cards")
    _check_new_cards(hand, cards)


def _check_board(cards: tuple[Card, ...]) -> None:
    """Refuse what would leave two shown hands to a board that nobody knows."""
    if not all(map(is_known, cards)):
        raise Refused("cards_unknown", "the pot cannot be decided: two hands are shown and the board is not known")


def _check_new_cards(hand: Hand, cards: tuple[Card, ...], *, instead_of: int = -1) -> None:
    others = [card for p, hole in enumerate(hand.holes) if p != instead_of for card in hole]
    try:
        check_distinct((*others, *hand.board, *cards))
    except ValueError as error:
        raise Refused("card_twice", str(error)) from None
    for card in cards:
        if is_known(card) and card not in hand.structure.deck:
            raise Refused("no_such_card", f"{card} is not in the deck of {hand.structure.name}")


# --- showdown, where it is asked for


def _hidden(hand: Hand) -> list[int]:
    """The places still in the hand whose cards are down; who comes first is asked first."""
    return [p for p in hand.round.live if p not in hand.shown]


def _showdown_offer(hand: Hand) -> Offer:
    """Mucking, and showing unless an unknown board would then have to decide."""
    return Offer(show=not hand.shown or all(map(is_known, hand.board)), muck=True)


def _showdown_actions(hand: Hand) -> tuple[Action, ...]:
    """Showing, where the cards need not be named, and mucking."""
    offer, held = hand.offer, hand.holes[_hidden(hand)[0]]
    actions: list[Action] = [Show()] if offer.show and all(map(is_known, held)) else []
    return (*actions, Muck()) if offer.muck else tuple(actions)


def _show_or_muck(hand: Hand, action: Show | Muck, place: int | None) -> Step:
    if not hand.betting_is_over or hand.over:
        raise Refused("no_showdown", f"nothing to show now: {_waiting_for(hand) if hand.over else 'betting goes on'}")
    hidden = _hidden(hand)
    if place is None and hidden:
        place = hidden[0]
    if place is None:
        raise Refused("no_showdown", "everybody has shown already")
    if place not in hidden:
        raise Refused("out_of_turn", "{place} has folded, mucked or shown already", places={"place": place})
    if isinstance(action, Show):
        return _show(hand, place, action.cards)
    round = hand.round.leave(place)
    hand, events = replace(hand, round=round), (Mucked(place),)
    if len(round.live) == 1:
        hand, paid = _pay(hand, {})
        return hand, (*events, *paid)
    return _go_on(hand, events)


def _show(hand: Hand, place: int, cards: tuple[Card, ...]) -> Step:
    held = hand.holes[place]
    cards = cards or held
    if hand.shown:
        _check_board(hand.board)
    if not all(map(is_known, cards)):
        raise Refused("cards_unknown", "{place} cannot show cards that are not known", places={"place": place})
    if len(cards) != len(held) or not _could_be(held, cards):
        sentence = f"{{place}} was dealt {write_cards(held)} and cannot show {write_cards(cards)}"
        raise Refused("other_cards", sentence, places={"place": place})
    _check_new_cards(hand, cards, instead_of=place)
    holes = (*hand.holes[:place], cards, *hand.holes[place + 1 :])
    complete = len(hand.board) == sum(s.board for s in hand.structure.streets) and all(map(is_known, hand.board))
    rank = rank_name(hand.structure, strengths(hand.structure, cards, hand.board)) if complete else None
    return _go_on(replace(hand, holes=holes, shown=(*hand.shown, place)), (Shown(place, cards, rank),))


def _could_be(held: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Whether these cards, in any order, may be the ones dealt, some of which nobody recorded."""
    known = [card for card in held if is_known(card)]
    return all(card in cards for card in known)


# --- starting


def _check_setup(structure: Structure, stacks: Sequence[int], stakes: Stakes, deck: Sequence[Card] | None) -> None:
    n = len(stacks)
    if n < 2:
        raise SetupError(f"a hand needs at least two players, not {n}")
    for what, amounts in (
        ("stack", stacks),
        ("ante", stakes.antes),
        ("post", [*[post.amount for post in stakes.posts], stakes.dead, stakes.price]),
    ):
        for amount in amounts:
            if type(amount) is not int or amount < 0:
                raise SetupError(f"{amount!r} is no {what}: chips are whole numbers from 0 on")
    if not all(stacks):
        raise SetupError(f"place {list(stacks).index(0)} has no chips and cannot be dealt in")
    if stakes.antes and len(stakes.antes) != n:
        raise SetupError(f"{len(stakes.antes)} antes for {n} players")
    if deck is not None:
        _check_deck(structure, n, deck)


def _check_deck(structure: Structure, n: int, deck: Sequence[Card]) -> None:
    needed = sum(street.hole * n + street.board for street in structure.streets)
    if len(deck) < needed:
        raise SetupError(f"the deck has {len(deck)} cards, {n} players need {needed}")
    if len(set(deck)) < len(deck) or not set(deck) <= set(structure.deck):
        for card in deck:
            if card not in structure.deck:
                raise SetupError(f"card {card!r} is not in the deck of {structure.name}")
        check_distinct(deck)


def _demo() -> None:
    from pitboss.betting.actions import Call, Check

    hand, events = Hand.start(
        NO_LIMIT_HOLDEM,
        stacks=(1000, 1000, 1000),
        stakes=Stakes(min_bet=20, posts=blinds(3, 10, 20)),
        deck=NO_LIMIT_HOLDEM.deck,
    )
    while not hand.over:
        hand, happened = hand.act(Check() if hand.offer.check else Call())
        events += happened
    for event in events:
        print(event)


if __name__ == "__main__":
    _demo()
