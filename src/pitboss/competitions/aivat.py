"""Results of hands with the luck removed that is left when it is known how a player decides (AIVAT).

Two kinds of knowledge are used. What a house bot does with every holding is known: the result of a hand at hold'em
between two players is then replaced by its average over all holdings with which the bot would have played the same
(its imaginary observations). And of a player whose answer was drawn from known probabilities, a house bot that draws or
a bot that answers with a `strategy`, the luck of the draw is subtracted: the value of what was drawn, less the average
value of what could have been drawn.

Both leave the expectation as it is, whatever the values are that the corrections use. The first is an average over what
the opponent's cards, the board and the actions leave open (the opponent cannot see the holding). The second
is zero on average (Burch, Schmid, Moravcik, Morrill and Bowling 2018).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from pitboss.arena.bots.dealers import MIXED_FIELD
from pitboss.betting import core
from pitboss.betting.events import Bet, Call, Check, Fold, Raise, Raised
from pitboss.cards import DECK, Card
from pitboss.competitions.luck import (
    MOST_LIVE,
    BoardDeal,
    HandLuck,
    ReplayedHand,
    board_deals,
    equities,
    is_countable,
    is_counted,
    luck_of,
    replay_hand,
    stake_of,
)
from pitboss.errors import PitbossError
from pitboss.fast.evaluate import evaluate
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import decisions
from pitboss.fast.play.flop import UNSEEN
from pitboss.hand.events import Action
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure
from pitboss.records.record import Record
from pitboss.records.replay import ActionTaken

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Mix: TypeAlias = Sequence[tuple[Action, float]]
"""Actions with their probabilities, which add up to 1."""
LARGE_POT = 20
"""The big blinds in the pot from which the turn card is a control variate for every holding, which takes some 70 ms."""
CALLED = 0.5
"""The probability with which the values of raises assume a call. Any number is without bias."""
_NUMBERS = {card: number for number, card in enumerate(DECK)}
_BOARD, _FEWEST = 5, 3


class MixError(PitbossError, ValueError):
    """The probabilities of a mixed answer do not add up to 1, or the action that was played is not among them."""


class KnownPlayer(Struct, frozen=True):
    """What is known about how a player decides.

    `plays` returns whether the player takes this action with these two hole cards; None if it is not known for other
    holdings than its own. `mix` returns the probabilities from which an action was drawn; None if it was not drawn.
    """

    plays: Callable[[ActionTaken, tuple[Card, Card]], bool] | None = None
    mix: Callable[[Hand], Mix] | None = None


def refine(record: Record, known: Mapping[int, KnownPlayer], mixes: Mapping[int, Mix] | None = None) -> HandLuck:
    """Return the results of a hand by place; `refined` uses what is known about the players at these places.

    `mixes` are the mixed answers of the hand, by the number of the decision from 0; by default those of its record.

    >>> from pitboss import read_phh
    >>> record = read_phh("variant = 'NT'\\nantes = [0, 0]\\nblinds_or_straddles = [1, 2]\\nmin_bet = 2\\n"
    ...     "starting_stacks = [100, 100]\\nactions = ['d dh p1 AsAh', 'd dh p2 KdKc', 'p2 cc', 'p1 cc',"
    ...     "'d db 2c7d9h', 'p1 cc', 'p2 cc', 'd db Ks', 'p1 cc', 'p2 cc', 'd db 3d', 'p1 cc', 'p2 cc']")
    >>> result = refine(record, {1: HOUSE_PLAYERS["calling"]})
    >>> result.net, [round(chips, 1) for chips in result.refined]
    ((-2, 2), [1.4, -1.4])
    """
    hand = replay_hand(record)
    place = _known_place(hand, known)
    luck = luck_of(hand, None if place is None else _stake)
    refined = list(luck.refined) if place is None else _over_holdings(hand, place, known[place]) or list(luck.refined)
    drawn = _drawn(hand, known, recorded_mixes(record) if mixes is None else mixes)
    for place, swing in drawn.items():
        refined[place] -= swing
        others = [other for other in hand.opening.round.live if other != place]
        for other in others:
            refined[other] += swing / len(others)
    return HandLuck(luck.net, luck.adjusted, tuple(refined))


def recorded_mixes(record: Record) -> dict[int, Mix]:
    """Return the mixed strategies that the arena wrote into a record, by the number of the decision.

    >>> from pitboss import Record
    >>> strategy = ({"action": "FOLD", "p": 0.8}, {"action": "RAISE_TO", "amount": 300, "p": 0.2})
    >>> given = {"variant": "NT", "antes": (0, 0), "blinds_or_straddles": (1, 2), "min_bet": 2, "actions": ()}
    >>> user = {MIXED_FIELD: ({"at": 2, "player": 1, "strategy": strategy},)}
    >>> recorded_mixes(Record(**given, starting_stacks=(50, 50), user=user))
    {2: [(Fold(), 0.8), (Raise(to=300), 0.2)]}
    """
    found: dict[int, Mix] = {}
    mixed: Any = record.user.get(MIXED_FIELD, ())
    for answer in mixed:
        entries = [(_VERBS[each["action"]](each), float(each["p"])) for each in answer["strategy"]]
        whole = sum(p for _, p in entries)
        found[answer["at"]] = [(action, p / whole) for action, p in entries]
    return found


_VERBS: dict[str, Callable[[Mapping[str, Any]], Action]] = {
    "FOLD": lambda entry: Fold(),
    "CHECK": lambda entry: Check(),
    "CALL": lambda entry: Call(),
    "RAISE_TO": lambda entry: Raise(entry["amount"]),
}


def _of_hand(action: Action, hand: Hand) -> Action:
    """Return an action as the hand calls it: a raise that opens the betting is a bet."""
    return Bet(action.to) if isinstance(action, Raise) and hand.offer.bet is not None else action


# --- all holdings with which a player would have done the same


def _known_place(hand: ReplayedHand, known: Mapping[int, KnownPlayer]) -> int | None:
    """Return the first place whose decisions are known for every holding, if the game is heads-up hold'em."""
    if not is_counted(hand) or len(hand.opening.holes) != 2 or not _is_holdem(hand.opening.structure):
        return None
    return next((place for place in sorted(known) if known[place].plays is not None), None)


def _stake(deal: BoardDeal) -> float:
    """Return the chips with which a change of equity is multiplied when holdings are averaged.

    It is the same whether the holdings of the hand are averaged or not. Otherwise the part of the luck that stays would
    depend on the play, and its mean would not be zero.
    """
    before = deal.before
    small = before.pot < LARGE_POT * before.stakes.min_bet
    if before.betting_is_over:
        return float(before.pot)
    return 0.0 if not before.board or (small and len(before.board) == _FEWEST) else stake_of(deal)


def _over_holdings(hand: ReplayedHand, place: int, player: KnownPlayer) -> list[float] | None:
    """Return the results averaged over the holdings of a known player; None if the hand keeps its own.

    Whether it does depends only on the actions and the number of cards.
    """
    deals = [*board_deals(hand)]
    shown = len(hand.final.round.live) == 2
    if not deals or deals[0].before.betting_is_over or (not shown and not any(map(_stake, deals))):
        return None  # all-in before the flop: the exact equity of the actual hands is used
    plays = player.plays
    assert plays is not None
    other = hand.holes[1 - place]
    own_steps = [step for step in hand.taken if step.before.phase == "bet" and step.before.round.turn == place]
    holdings = [
        holding
        for holding in _holdings(frozenset((*other, *hand.final.board)))
        if all(plays(step, holding) for step in own_steps)
    ]
    if not holdings:
        return None
    chips = _average(hand, place, holdings, [deal for deal in deals if _stake(deal)], shown=shown)
    return [chips, -chips] if place == 0 else [-chips, chips]


def _average(
    hand: ReplayedHand, place: int, holdings: Sequence[tuple[Card, Card]], deals: Sequence[BoardDeal], *, shown: bool
) -> float:
    """Return the average result of a place over its holdings, with a control variate on the turn and the river."""
    other, board = hand.holes[1 - place], hand.final.board
    total: NDArray[np.float64] | float = float(hand.net[place])
    if shown:
        pot = sum(each.amount for each in hand.final.paid_pots)
        paid = pot * equities(hand.final, (0, 1), hand.holes)[place] - hand.net[place]
        total = pot * _shares(holdings, other, board) - paid
    for deal in deals:
        before = _shares(holdings, other, deal.before.board)
        after = _shares(holdings, other, deal.after.board)
        total = total - _stake(deal) * (after - before)
    return float(total if isinstance(total, float) else total.mean())


def _is_holdem(structure: Structure) -> bool:
    return structure.deck == DECK and structure.hole_by_street[-1] == 2 and not structure.special_rules


@cache
def _all_holdings() -> tuple[tuple[Card, Card], ...]:
    return tuple([(DECK[k], DECK[j]) for k in range(len(DECK)) for j in range(k)])


def _holdings(dead: frozenset[Card]) -> list[tuple[Card, Card]]:
    return [holding for holding in _all_holdings() if not dead & {*holding}]


def _shares(
    holdings: Sequence[tuple[Card, Card]], other: Sequence[Card], board: Sequence[Card]
) -> "NDArray[np.float64]":
    """Return the share of the pot that each holding wins against the other hand on average over all boards to come."""
    import numpy as np

    left = [_NUMBERS[card] for card in DECK if card not in other and card not in board]
    missing = _BOARD - len(board)
    ends = np.array([*combinations(left, missing)], np.uint8)  # one row without columns on the river
    known = np.array([_NUMBERS[card] for card in board], np.uint8)
    boards = np.hstack([np.broadcast_to(known, (len(ends), len(known))), ends])
    own = np.array([[_NUMBERS[card] for card in holding] for holding in holdings], np.uint8)
    against = np.array([_NUMBERS[card] for card in other], np.uint8)
    theirs = evaluate(np.hstack([np.broadcast_to(against, (len(boards), 2)), boards])).astype(np.int64)
    at, end = np.nonzero(~(ends[None, :, :, None] == own[:, None, None]).any((2, 3)))
    mine = evaluate(np.hstack([own[at], boards[end]])).astype(np.int64)
    won = (mine > theirs[end]) + 0.5 * (mine == theirs[end])
    shares: NDArray[np.float64] = np.bincount(at, won, len(own)) / np.bincount(at, minlength=len(own))
    return shares


# --- answers that were drawn


def _drawn(hand: ReplayedHand, known: Mapping[int, KnownPlayer], mixes: Mapping[int, Mix]) -> dict[int, float]:
    """Return by place the luck of the answers that were drawn from known probabilities, in chips."""
    luck: dict[int, float] = {}
    if not is_counted(hand):
        return luck
    steps = [step for step in hand.taken if step.before.phase == "bet"]
    for number, step in enumerate(steps):
        place = step.before.round.turn
        player = known.get(place)
        mix = mixes.get(number)
        if mix is None and player is not None and player.mix is not None:
            mix = player.mix(step.before)
        if mix is not None:
            luck[place] = luck.get(place, 0.0) + _luck_of_draw(step, place, mix, hand.holes)
    return luck


def _luck_of_draw(step: ActionTaken, place: int, mix: Mix, holes: Sequence[Sequence[Card]]) -> float:
    if abs(sum(p for _, p in mix) - 1) > 1e-6:
        raise MixError(f"mix: expected probabilities that add up to 1, got {sum(p for _, p in mix):g}")
    mix = [(_of_hand(action, step.before), p) for action, p in mix]
    if not any(action == step.action for action, _ in mix):
        raise MixError(f"mix: expected an entry for {step.action}, which was played")
    share = _share(step.before, place, holes)
    mean = sum(p * _value(step.before, place, action, share) for action, p in mix)
    return _value(step.before, place, step.action, share) - mean


def _share(hand: Hand, place: int, holes: Sequence[Sequence[Card]]) -> float:
    """Return the equity of a place; an equal share if that would take too long to count."""
    live = hand.round.live
    quick = is_countable(hand, 2) and len(live) <= MOST_LIVE
    return equities(hand, live, holes)[live.index(place)] if quick else 1 / len(live)


def _value(hand: Hand, place: int, action: Action, share: float) -> float:
    """Return an estimate of what a place wins after an action, with its equity and what it has paid already."""
    paid = hand.round.paid[place] + hand.round.bets[place]
    if isinstance(action, Fold):
        return -float(paid)
    after, events = hand.act(action)
    added = hand.stacks[place] - after.stacks[place]
    if after.over:
        return float(after.stacks[place] - hand.stacks[place] - paid)
    value = share * (hand.pot + added) - paid - added
    if not any(isinstance(event, Raised) for event in events):
        return value
    rivals = [other for other in hand.round.live if other != place]
    owed = max([min(core.owed(after.round, other), after.stacks[other]) for other in rivals])
    called = share * (hand.pot + added + owed) - paid - added
    return CALLED * called + (1 - CALLED) * (hand.pot - paid)


# --- the house bots


def _by_cards(step: ActionTaken, holding: tuple[Card, Card]) -> bool:
    """Return whether the house bot tight takes this action with this holding."""
    hand = step.before
    cards = [_NUMBERS[card] for card in (*holding, *hand.board)]
    owed = hand.offer.call or 0
    wish = decisions.tight(cards + [UNSEEN] * (decisions.SEEN - len(cards)), plain_ranks(), owed, hand.pot)
    can_raise = hand.offer.bet is not None or hand.offer.raise_ is not None
    match step.action:
        case Fold():
            return wish == decisions.GIVE_UP
        case Check():
            return wish in (decisions.GIVE_UP, decisions.STAY) or not can_raise
        case Call():
            return wish == decisions.STAY or (wish == decisions.POT and not can_raise)
    return wish == decisions.POT and can_raise


def _blindly(step: ActionTaken, holding: tuple[Card, Card]) -> bool:
    """Return True: the bot does not look at its cards."""
    return True


def _random_mix(hand: Hand) -> Mix:
    """Return the actions of the house bot random, each with the same probability."""
    offer, round_ = hand.offer, hand.round
    actions: list[Action] = [Fold(), Call()] if offer.call is not None else [Check()]
    bounds = offer.bet if offer.bet is not None else offer.raise_
    if bounds is not None:
        owed = offer.call or 0
        by_pot = round_.bets[round_.turn] + owed + hand.pot + owed
        sizes = {bounds.min_to, min(max(by_pot, bounds.min_to), bounds.max_to), bounds.max_to}
        actions += [Raise(to) for to in sorted(sizes)]
    return [(_of_hand(action, hand), 1 / len(actions)) for action in actions]


HOUSE_PLAYERS: dict[str, KnownPlayer] = {
    "tight": KnownPlayer(plays=_by_cards),
    "calling": KnownPlayer(plays=_blindly),
    "folding": KnownPlayer(plays=_blindly),
    "random": KnownPlayer(plays=_blindly, mix=_random_mix),
}
"""The house bots whose decisions are known for every holding. `equity` and `sharp` sample, so theirs are not."""
