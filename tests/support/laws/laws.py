"""How laws are stated, and the laws that hold for any betting round, whatever its rules."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec.msgpack import encode

from pitboss.betting.events import AllIn, Bet, BettingAction, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.pots import Pot
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Bounds, Offer, Round
from pitboss.betting.rules import Opposition


class LawBroken(AssertionError):
    """A law that is broken, with the facts that show it."""


def holds(law: str, true: bool, *facts: object) -> None:
    """Raise if the law is broken."""
    if not true:
        raise LawBroken("; ".join([law, *map(repr, facts)]))


# --- one round at one moment


def check_round(round: Round, chips: int) -> None:
    """Chips are conserved, nothing is negative, and the player to act has a legal answer."""
    holds("chips are conserved", sum(round.stacks) + sum(round.bets) + round.pot == chips, round)
    holds("no negative number", min(*round.stacks, *round.bets, *round.paid, round.pot, round.price) >= 0, round)
    if round.rules.matching:  # cards that are played only for their effect have no claimants
        check_pots(round)
    p = round.turn
    if p < 0:
        check_end(round)
        return
    holds("the turn is a live player's", not round.folded[p], round)
    holds("the turn is of somebody with chips", round.stacks[p] > 0, round)
    if round.rules.opposition == Opposition.ABLE:
        others = [q for q in round.live if q != p]
        alone = not any(round.stacks[q] for q in others)
        holds("N4: nobody is asked whom nobody can answer", not alone or round.bets[p] < round.price, round)
    holds("nobody is asked who has won", round.rules.opposition == Opposition.NONE or len(round.live) > 1, round)


def check_end(round: Round) -> None:
    """Every player with chips pays the price, unless no other player could claim it."""
    if len(round.live) < 2 or not round.rules.matching:
        return
    for p in round.live:
        if not round.stacks[p] or round.bets[p] == round.price:
            continue
        others = [q for q in round.live if q != p]
        unopposed = not any(round.stacks[q] or round.bets[q] > round.bets[p] for q in others)
        holds("nobody gets by without paying", unopposed and round.rules.opposition == Opposition.ABLE, round)


def check_pots(round: Round) -> None:
    """The pots are the chips in the middle, and each can be won by a player who is in the hand."""
    found = round.pots
    holds("the pots are the chips in the middle", sum(pot.amount for pot in found) == round.chips_in_middle, round)
    check_claims(found, round.live, round)


def check_claims(found: tuple[Pot, ...], live: Iterable[int], *facts: object) -> None:
    """Every pot has chips and claimants, all live, and each has fewer claimants than the one before."""
    living = set(live)
    for pot in found:
        holds("no empty pot", pot.amount > 0, *facts)
        holds("somebody can win every pot", pot.places != (), *facts)
        holds("claimants are live", set(pot.places) <= living, *facts)
    for wide, narrow in pairwise(found):
        holds("side pots have fewer claimants", set(narrow.places) < set(wide.places), *facts)


# --- what is on offer


def on_offer(offer: Offer, action: BettingAction, round: Round) -> bool:
    """Whether the offer, read without any knowledge of the rules, contains this action."""
    match action:
        case Fold():
            return offer.fold
        case Check():
            return offer.check
        case Call():
            return offer.call is not None
        case AllIn():
            return offer.all_in is not None
        case Bet(to):
            return _within(offer.bet, to, round)
        case Raise(to):
            return _within(offer.raise_, to, round)
        case RaiseBy(by):
            return _within(offer.raise_, by + round.bets[round.turn], round)


def _within(bounds: Bounds | None, to: int | None, round: Round) -> bool:
    if bounds is None:
        return False
    if to is None or not round.rules.exact:
        return round.rules.exact if to is None else bounds.min_to <= to <= bounds.max_to
    return to in (bounds.min_to, bounds.max_to)


def wishes(round: Round) -> Iterator[BettingAction]:
    """Every plain action, and bets and raises at both ends of all possible bounds and next to them."""
    yield from (Fold(), Check(), Call(), AllIn(), Bet(), Raise())
    p, offer = round.turn, round.offer
    bet, total = round.bets[p], round.bets[p] + round.stacks[p]
    totals = {0, bet, round.price, round.price + 1, round.level + round.step, total, total + 1}
    for bounds in (offer.bet, offer.raise_):
        if bounds is not None:
            low, high = bounds.min_to, bounds.max_to
            totals |= {low - 1, low, low + 1, (low + high) // 2, high - 1, high, high + 1}
    for to in sorted(totals):
        yield Bet(to)
        yield Raise(to)
        if to >= bet:
            yield RaiseBy(to - bet)


def check_offer_is_sound(round: Round) -> None:
    """The offer is consistent in itself."""
    p, offer, rules = round.turn, round.offer, round.rules
    bet, stack = round.bets[p], round.stacks[p]
    debt = max(0, round.price - bet)
    first = rules.bring_in and round.price > 0 and not any(round.bets)
    holds(
        "one can fold what one owes, but the bring-in",
        offer.fold == ((debt > 0 or rules.free_fold) and not first),
        round,
    )
    holds("checking is for who owes nothing", offer.check == (debt == 0), round)
    holds("there is a way to stay", offer.check or offer.call is not None or offer.all_in is not None, round)
    holds("a call is what is owed, or everything", offer.call in (None, min(debt, stack)), round)
    holds("all-in is everything", offer.all_in in (None, stack), round)
    holds("bet or raise, not both", offer.bet is None or offer.raise_ is None, round)
    bounds = offer.bet or offer.raise_
    if bounds is None:
        return
    above = bounds.min_to > (round.price if rules.matching else bet)
    holds("a raise is above the price", above, round)
    holds("the least is not above the most", bounds.min_to <= bounds.max_to <= bet + stack, round)
    one_size = rules.exact and not rules.second_step
    holds("an exact raise has one size", bounds.min_to == bounds.max_to or not one_size, round)
    by = (bounds.min_by + bet, bounds.max_by + bet)
    holds("by and to are the same chips", by == (bounds.min_to, bounds.max_to), round)


def check_list(round: Round) -> None:
    """Every listed action is on offer; every effect of the offer's words and bounds is in the list, once."""
    offer, legal = round.offer, round.legal()
    for action in legal:
        holds("what is legal is on offer", on_offer(offer, action, round), action, round)
    after = [round.act(action)[0] for action in legal]
    holds("every effect is listed once", all(after.count(one) == 1 for one in after), legal, round)
    ends: list[BettingAction] = [Fold(), Check(), Call(), AllIn()]
    ends += [Bet(to) for bounds in (offer.bet,) if bounds for to in (bounds.min_to, bounds.max_to)]
    ends += [Raise(to) for bounds in (offer.raise_,) if bounds for to in (bounds.min_to, bounds.max_to)]
    for action in ends:
        if on_offer(offer, action, round):
            holds("every effect is listed", round.act(action)[0] in after, action, legal, round)


def check_offer(round: Round, chips: int) -> int:
    """Every action on offer is accepted and every other one refused; returns how many were tried."""
    check_offer_is_sound(round)
    check_list(round)
    before, offer, tried = encode(round), round.offer, 0
    for action in wishes(round):
        tried += 1
        try:
            after, _ = round.act(action)
        except Refused as refusal:
            holds("what is on offer is accepted", not on_offer(offer, action, round), action, refusal, round)
            continue
        holds("what is not on offer is refused", on_offer(offer, action, round), action, round)
        _check_step(round, after, action)
        check_round(after, chips)
    holds("trying changes nothing", encode(round) == before, round)
    return tried


def _check_step(before: Round, after: Round, action: BettingAction) -> None:
    """An action moves only its player's chips, and as many as it says."""
    p = before.turn
    others = [q for q in range(before.n) if q != p]
    moved = before.stacks[p] - after.stacks[p]
    unmoved = all(before.stacks[q] == after.stacks[q] and before.bets[q] == after.bets[q] for q in others)
    holds("nobody else's chips move", unmoved, action, before)
    holds("chips go from the stack to the bet", after.bets[p] - before.bets[p] == moved, action, before)
    holds("only a fold folds", after.folded[p] == isinstance(action, Fold), action, before)
    match action:
        case Fold() | Check():
            right = moved == 0
        case Call():
            right = moved == before.offer.call
        case AllIn():
            right = after.stacks[p] == 0
        case Bet(to) | Raise(to):
            right = to is None or after.bets[p] == to
        case RaiseBy(by):
            right = moved == by
    holds("an action moves what it says", right, action, before)
