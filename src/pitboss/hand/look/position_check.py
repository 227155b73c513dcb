"""Whether a position can be reached: what must hold of chips, cards and turn after any play of the game."""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from pitboss.betting.reachable import betting_faults, earlier_faults, forced_faults, paid_faults
from pitboss.betting.refusals import Refused
from pitboss.cards import Card, check_distinct, is_known
from pitboss.hand.dealing import all_dealt
from pitboss.hand.events import Won
from pitboss.hand.hand import Hand
from pitboss.hand.look.position import (
    PositionError,
    as_opened,
    dead_chips,
    stands_at_first,
    usual_numbers,
    usual_opener,
)
from pitboss.hand.look.words import name
from pitboss.hand.opening import shows_pair
from pitboss.hand.setup import cards_needed, check_setup
from pitboss.hand.showing import pay_last, raked_pots, show_down


def check_position(hand: Hand) -> None:
    """Refuse a position that no play of its game leads to."""
    n = len(hand.stacks)
    check_setup(hand.structure, [*map(_brought, range(n), [hand] * n)], hand.stakes, None)
    for fault in _faults(hand):
        names = [name(place) for place in range(n)]
        raise PositionError(f"no hand comes to this: {fault.format(*names)}")


def paid_out(hand: Hand) -> Hand:
    """A hand that is over, with the pots as they were paid and the house's part of them."""
    pots, raked = raked_pots(hand)
    house = sum(part.amount for part in raked)
    return replace(hand, paid_pots=pots, house=house, round=replace(hand.round, pot=0))


def _before_paying(hand: Hand) -> Hand:
    """A hand that is over as it was before its pots were paid, as far as cards tell who won them."""
    pot = sum(pot.amount for pot in hand.paid_pots) + hand.house
    unpaid = replace(hand, phase="show", round=replace(hand.round, pot=pot))
    try:
        _, events = pay_last(unpaid) if len(hand.round.live) < 2 else show_down(unpaid)
    except Refused:
        return hand
    won = Counter[int]()
    for event in events:
        if isinstance(event, Won):
            won[event.place] += event.amount
    stacks = tuple([stack - won[place] for place, stack in enumerate(hand.stacks)])
    return replace(hand, round=replace(hand.round, stacks=stacks))


def _brought(place: int, hand: Hand) -> int:
    """What a place can have begun with, at the least; of a hand that is over, with what it won."""
    round = hand.round
    return max(1, sum((round.stacks[place], round.bets[place], round.paid[place])))


def _faults(hand: Hand) -> Iterator[str]:
    yield from _card_faults(hand)
    yield from _deal_faults(hand)
    yield from _phase_faults(hand)
    yield from _chip_faults(hand)


# --- cards


def _card_faults(hand: Hand) -> Iterator[str]:
    """A card twice, a card that the game has not, or more cards than there are."""
    boards = [*([] if hand.runs is None else map(hand.runs.own_part, hand.runs.boards)), hand.board]
    redealt = hand.structure.draws and hand.deck is None
    held = [hole for p, hole in enumerate(hand.holes) if not (redealt and hand.round.folded[p])]
    discards = () if hand.draw is None or redealt else hand.draw.discards
    cards: list[Card] = [card for some in (*held, *boards, hand.deck or (), discards) for card in some]
    try:
        check_distinct(cards)
    except ValueError as error:
        yield f"{error}"
    for card in cards:
        if is_known(card) and card not in hand.structure.all_cards:
            yield f"{card} is not in the deck of {hand.structure.name}"
    if len(cards) > len(hand.structure.deck) and not redealt:
        yield f"there are {len(cards)} cards and {len(hand.structure.deck)} in the deck"
    if hand.deck is not None and not all(map(is_known, cards)):
        yield "some cards are not known, but the deck is"
    needed = cards_needed(hand.structure, hand.round.n, hand.stakes.runs)
    if hand.deck is not None and len(cards) < needed:
        yield f"the deck is too short: there are {len(cards)} cards in all, and {hand.round.n} players need {needed}"


def _deal_faults(hand: Hand) -> Iterator[str]:
    """How many cards everybody has, and how many lie in the middle."""
    structure, street = hand.structure, hand.street
    where, last = structure.streets[street], street == len(structure.streets) - 1
    common, own = structure.common_by[street], structure.own_by[street]
    if last and where.own and len(hand.board) == common + where.own:  # the last card of each is one for all
        common, own = common + where.own, own - where.own
    unfinished = hand.phase == "deal" or (hand.over and hand.deck is None and len(hand.round.live) == 1)
    fewest_common = common - where.board if unfinished else common
    if not fewest_common <= len(hand.board) <= common:
        yield f"there are {len(hand.board)} cards on the board, not {common}"
    if hand.runs is not None:
        first, shared = hand.board[: hand.runs.common], hand.runs.common
        for board in hand.runs.boards:
            if len(board) != structure.common_by[-1] or board[:shared] != first:
                yield "an earlier board is not complete, or does not begin as the last one"
    for place, hole in enumerate(hand.holes):
        changing = where.draw and hand.deck is None and not _is_waiting(hand, place) and hand.phase != "bet"
        fewest = 0 if hand.round.folded[place] or changing else own - where.own if unfinished else own
        if not fewest <= len(hole) <= own:
            yield f"{{{place}}} holds {len(hole)} cards, not {own}"
    if hand.phase == "deal" and all_dealt(hand):
        yield "no cards are to be dealt"


def _is_waiting(hand: Hand, place: int) -> bool:
    return hand.draw is not None and place in hand.draw.waiting


# --- the moment


def _phase_faults(hand: Hand) -> Iterator[str]:
    live, last = hand.round.live, len(hand.structure.streets) - 1
    if not live:
        yield "everybody has folded"
    if len(live) == 1 and not hand.over:
        yield f"only {{{live[0]}}} is left, so the hand is over"
    if hand.deck is not None and (hand.phase == "deal" or (hand.phase == "draw" and not _waiting(hand))):
        yield "cards are to be dealt, and there is a deck to deal them from"
    if hand.phase == "draw" and not hand.structure.streets[hand.street].draw:
        yield "no cards are changed on this street"
    if hand.phase == "deal" and hand.structure.streets[hand.street].draw:
        yield "cards are changed on this street, not dealt"
    waiting = _waiting(hand)
    if [*waiting] != sorted({*waiting}) or (waiting and [p for p in live if p > waiting[0] and p not in waiting]):
        yield "those who are still to change cards are the last in order"
    if hand.phase == "draw" and not waiting and all_dealt(hand):
        yield "everybody has changed cards"
    if hand.phase == "show" and hand.street != last:
        yield "hands are shown after the last street"
    if hand.over and len(live) > 1 and (hand.street != last or {*live} - {*hand.shown}):
        yield "the hand is over, but several are left who have not shown"
    if len({*hand.shown}) < len(hand.shown) or (hand.shown and not hand.betting_is_over):
        yield "cards are shown once, when the betting is over"
    if hand.runs is not None and (hand.stakes.runs == 1 or len(hand.runs.boards) >= hand.stakes.runs):
        yield f"the board is run {hand.stakes.runs} times"
    if hand.aggressor >= 0 and not hand.stakes.may_muck:
        yield "nobody may muck, so nobody is asked first to show"


def _waiting(hand: Hand) -> tuple[int, ...]:
    return () if hand.draw is None else hand.draw.waiting


# --- chips


def _chip_faults(hand: Hand) -> Iterator[str]:
    round, stakes, structure = hand.round, hand.stakes, hand.structure
    at_first = stands_at_first(hand.street, hand.phase)
    antes = stakes.antes if stakes.equal_antes else ()
    if hand.phase != "bet" and any(round.acted):
        yield "nobody has acted where nobody bets"
    if not at_first and hand.phase != "bet" and any(round.bets):
        yield "there are bets where nobody bets"
    posts: dict[int, int] = {}
    for post in stakes.posts:
        if post.live:
            posts[post.place] = max(post.amount, posts.get(post.place, 0))
    if at_first and not stakes.bomb:
        yield from forced_faults(round, antes, posts)
    if hand.over:
        hand = _before_paying(hand)
        round = hand.round
        for place in round.live:
            if round.stacks[place] + hand.house < 0:  # how the house took its part of several pots is its own affair
                yield f"{{{place}}} has fewer chips than the pots that are his"
    if not at_first:
        yield from paid_faults(round, antes)
    yield from _dead_faults(hand)
    if hand.phase != "bet":
        yield from _number_faults(hand)
        return
    if hand.street:
        yield from earlier_faults(round, antes, {} if stakes.bomb else posts)
    if round.opener != usual_opener(hand):
        yield f"{{{usual_opener(hand)}}} speaks first, not {{{round.opener}}}"
    usual = usual_numbers(structure, stakes, street=hand.street, at_first=at_first, bets=round.bets)
    forced = usual_numbers(structure, stakes, street=hand.street, at_first=at_first, bets=(0,) * round.n)
    yield from betting_faults(
        round.rules, round, step=_least_bet(hand), forced=forced.price, level=usual.level, counted=forced.raises
    )


def _dead_faults(hand: Hand) -> Iterator[str]:
    """Chips in the pot that are nobody's: those of forced bets, or fewer where somebody could not pay all his."""
    round, stakes, dead = hand.round, hand.stakes, dead_chips(hand)
    due = [0] * round.n if stakes.equal_antes or not stakes.antes else list(stakes.antes)
    for post in stakes.posts:
        due[post.place] += 0 if post.live else post.amount
    least = stakes.dead + sum(due[p] for p in range(round.n) if round.stacks[p])
    if not least <= dead <= stakes.dead + sum(due):
        yield f"there are {dead} dead chips in the pot, where forced bets leave {stakes.dead + sum(due)}"
    for p in range(round.n):
        if not (round.stacks[p] or round.bets[p] or round.paid[p] or due[p]):
            yield f"{{{p}}} has no chips and has paid none"


def _number_faults(hand: Hand) -> Iterator[str]:
    """Where nobody bets there are no raises, and the step is that of some street."""
    stakes, street = hand.stakes, hand.street
    first = stands_at_first(street, hand.phase)
    usual = usual_numbers(hand.structure, stakes, street=street, at_first=first, bets=hand.round.bets)
    steps = (stakes.min_bet, stakes.big_bet)
    for field, known in (("level", (usual.level,)), ("step", steps), ("raises", (usual.raises,))):
        if getattr(hand.round, field) not in known:
            yield f"{field}={getattr(hand.round, field)} is said where nobody bets"


def _least_bet(hand: Hand) -> int:
    """The least bet of a street, which is the big one where a pair lies open and that counts."""
    street, stakes = hand.structure.streets[hand.street], hand.stakes
    open_pair = hand.structure.open_pair and hand.street > 0 and shows_pair(as_opened(hand))
    return stakes.big_bet if open_pair and stakes.big_bet else stakes.step(street)
