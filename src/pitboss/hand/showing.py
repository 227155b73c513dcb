"""The end of a hand: who shows or mucks, what the cards are worth on each board, and how the pots are paid."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.pots import Pot, share
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Offer
from pitboss.cards import Card, is_known, write_cards
from pitboss.hand.actions import Action, Muck, Show
from pitboss.hand.dealing import check_board_known, check_new_cards, with_hole
from pitboss.hand.events import Mucked, Raked, RunBegun, Shown, Won
from pitboss.hand.showdown import made_on, namer, rank_name, strengths, winnings

if TYPE_CHECKING:
    from pitboss.hand.hand import Hand, Step


class Runs(Struct, frozen=True):
    """A board that is dealt more than once."""

    street: int  #: the first that is dealt anew
    common: int  #: how many of the board's cards all runs share
    boards: tuple[tuple[Card, ...], ...] = ()  #: those that are complete, but for the last

    def own_part(self, board: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards of a run that the others have not."""
        return board[self.common :]


def boards(hand: "Hand") -> tuple[tuple[Card, ...], ...]:
    """Every board that hands are compared on."""
    return (hand.board,) if hand.runs is None else (*hand.runs.boards, hand.board)


# --- showing and mucking


def hidden(hand: "Hand") -> list[int]:
    """The places still in the hand whose cards are down; who comes first is asked first."""
    down = [p for p in hand.round.live if p not in hand.shown or not all(map(is_known, hand.holes[p]))]
    first = hand.aggressor
    return down if first < 0 else [p for p in down if p >= first] + [p for p in down if p < first]


def is_asked(hand: "Hand") -> bool:
    """Whether the showdown waits for somebody to show or muck; given a deck, who is all-in is not asked."""
    down = hidden(hand)
    return bool(down) and (hand.deck is None or hand.stacks[down[0]] > 0)


def go_on_showing(hand: "Hand") -> "Step":
    """Turn up the cards of whoever is all-in and has his turn to show or, where nobody has, compare and pay."""
    down = hidden(hand)
    return _show(hand, down[0], ()) if down else show_down(hand)


def showdown_offer(hand: "Hand") -> Offer:
    """Mucking, and showing unless an unknown board would then have to decide."""
    return Offer(show=not hand.shown or all(map(is_known, hand.board)), muck=True)


def showdown_actions(hand: "Hand") -> tuple[Action, ...]:
    """Showing, where the cards need not be named, and mucking."""
    offer, held = hand.offer, hand.holes[hidden(hand)[0]]
    actions: list[Action] = [Show()] if offer.show and all(map(is_known, held)) else []
    return (*actions, Muck()) if offer.muck else tuple(actions)


def show_or_muck(hand: "Hand", action: Show | Muck, place: int | None) -> "Step":
    """Turn somebody's cards up, or let him give up without."""
    if not hand.betting_is_over or hand.over or (hand.deck is not None and hand.phase != "show"):
        why = (
            "the hand is over"
            if hand.over
            else "cards are being changed"
            if hand.phase == "draw"
            else "betting goes on"
        )
        raise Refused("no_showdown", f"nothing to show now: {why}")
    down = hidden(hand)
    if place is None and down:
        place = down[0]
    if place is None:
        raise Refused("no_showdown", "everybody has shown already")
    if place not in down:
        raise Refused("out_of_turn", "{place} has folded, mucked or shown already", places={"place": place})
    if hand.deck is not None and place != down[0]:
        raise Refused("out_of_turn", "{place} is not asked, {turn} is", places={"place": place, "turn": down[0]})
    if isinstance(action, Show):
        return _show(hand, place, action.cards)
    hand, events = replace(hand, round=hand.round.leave(place)), (Mucked(place),)
    if len(hand.round.live) > 1:
        return hand, events
    hand, paid = pay_last(hand)
    return hand, (*events, *paid)


def _show(hand: "Hand", place: int, cards: tuple[Card, ...]) -> "Step":
    held = hand.holes[place]
    cards = cards or held
    if hand.shown:
        check_board_known(hand.board)
    if not all(map(is_known, cards)):
        raise Refused("cards_unknown", "{place} cannot show cards that are not known", places={"place": place})
    if len(cards) != len(held) or not _could_be(held, cards):
        sentence = f"{{place}} was dealt {write_cards(held)} and cannot show {write_cards(cards)}"
        raise Refused("other_cards", sentence, places={"place": place})
    check_new_cards(hand, cards, instead_of=place)
    hand = replace(hand, holes=with_hole(hand, place, cards), shown=(*hand.shown, place))
    first = boards(hand)[0]
    complete = hand.phase == "show" and all(map(is_known, first))
    rank = rank_name(hand.structure, strengths(hand.structure, cards, first)) if complete else None
    return hand, (Shown(place, cards, rank),)


def _could_be(held: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Whether these cards, in any order, may be the ones dealt, some of which nobody recorded."""
    known = [card for card in held if is_known(card)]
    return all(card in cards for card in known)


# --- paying


def show_down(hand: "Hand") -> "Step":
    """Turn up the live cards that are not up yet, and pay."""
    game, holes, live = hand.structure, hand.holes, hand.round.live
    if hand.deck is None and not _all_known(hand, live):
        raise Refused("cards_unknown", "the pot cannot be decided: some cards are not known")
    made = [made_on(game, board, holes, live) for board in boards(hand)]
    first, words = made[0], namer(game)
    shown = [Shown(p, holes[p], words(first[p][0])) for p in live if p not in hand.shown]
    hand, paid = _pay(hand, live, made)
    return hand, (*shown, *paid)


def _all_known(hand: "Hand", places: Sequence[int]) -> bool:
    """Whether the board and the cards of these places are known."""
    return all(map(is_known, (*hand.board, *[card for p in places for card in hand.holes[p]])))


def pay_last(hand: "Hand") -> "Step":
    """Pay everything to the only one who is left."""
    return _pay(hand, hand.shown, [{}])


def split_pots(hand: "Hand") -> "Step":
    """End a hand at its showdown by paying every pot to its claimants in equal parts, whatever their cards."""
    if hand.phase != "show":
        raise Refused("no_showdown", "pots are split at the showdown only")
    pots, raked = raked_pots(hand)
    won = [
        Won(place, amount, number)
        for number, pot in enumerate(pots)
        for place, amount in zip(pot.places, share(pot.amount, pot.places), strict=True)
    ]
    return _pay_out(hand, hand.shown, pots, raked, tuple(won))


def _pay(hand: "Hand", shown: tuple[int, ...], made: Sequence[Mapping[int, Sequence[int]]]) -> "Step":
    """Pay every pot to the best of what its claimants have made; of several runs, each has its part of each pot."""
    pots, raked = raked_pots(hand)
    if len(made) == 1:
        return _pay_out(hand, shown, pots, raked, winnings(hand.structure, pots, made[0]))
    parts = [share(pot.amount, range(len(made))) for pot in pots]
    won: list[Won | RunBegun] = []
    for run, made_here in enumerate(made):
        if run:
            won.append(RunBegun(run + 1))
        here = [Pot(part[run], pot.places) for part, pot in zip(parts, pots, strict=True)]
        won += [paid for paid in winnings(hand.structure, here, made_here) if paid.amount]
    return _pay_out(hand, shown, pots, raked, tuple(won))


def raked_pots(hand: "Hand") -> tuple[tuple[Pot, ...], tuple[Raked, ...]]:
    """The pots without the house's part, and what that is of each."""
    pots, rake = hand.round.pots, hand.stakes.rake
    if rake is None:
        return pots, ()
    taken = rake.taken(pots, first_street=hand.street == 0)
    left = tuple([Pot(pot.amount - part, pot.places) for pot, part in zip(pots, taken, strict=True)])
    return left, tuple([Raked(part, number) for number, part in enumerate(taken) if part])


def _pay_out(
    hand: "Hand",
    shown: tuple[int, ...],
    pots: tuple[Pot, ...],
    raked: tuple[Raked, ...],
    won: Sequence[Won | RunBegun],
) -> "Step":
    """The hand once these cards are up and these pots paid."""
    house = sum([part.amount for part in raked]) if raked else 0
    round = hand.round.pay_out([(paid.place, paid.amount) for paid in won if isinstance(paid, Won)], house)
    return replace(hand, round=round, phase="over", shown=shown, paid_pots=pots, house=house), (*raked, *won)
