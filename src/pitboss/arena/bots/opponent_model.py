"""A model of a bot's opponents: their actions in this hand, how they usually play, and the hands that fit both.

Starting hands are ordered by the share that they win, averaged over one and three random opponents. All information
comes from the questions that one seat receives.
"""

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, combinations
from typing import Literal, NamedTuple, TypeAlias

from pitboss.arena.bots.toolkit import betting_order, opponents, raise_total, seats_from_button
from pitboss.arena.wire.answers import Answer
from pitboss.arena.wire.messages import Act, Phase
from pitboss.cards import DECK, RANKS, SUITS, Card
from pitboss.chance import Chance
from pitboss.ranks import high

ORDINARY = 0.55
"""The probability that an ordinary player does not fold to a bet."""
NARROWER = (1, 1, 3, 6)
"""The factor of the range for a raise, for a re-raise, and for a raise after that."""

Pair: TypeAlias = tuple[Card, Card]

_ORDER = """
AA KK QQ JJ TT 99 AKs AQs 88 AKo AJs KQs ATs AQo 77 KJs KTs AJo QJs A9s KQo ATo A8s KJo 66 QTs K9s JTs KTo A5s A7s A9o
QJo A6s A4s A8o A3s QTo Q9s 55 K8s JTo K7s K6s J9s K9o A7o A2s Q8s T9s A5o A6o K8o A4o K5s J8s 44 Q7s Q9o A3o T8s K4s
J9o K3s Q6s K7o Q8o A2o T9o 98s J7s Q5s K6o K2s T7s 33 Q4s K5o Q3s J8o J6s 97s K4o Q7o 87s T8o T6s J5s Q2s 98o Q6o 96s
K3o J4s J7o J3s K2o Q5o 86s 22 J2s 76s T7o T5s Q4o T4s 97o Q3o 87o 95s 75s J6o 85s 65s T6o T3s J5o Q2o J4o 86o T2s 54s
J3o 76o 96o 84s 74s 64s 94s 93s 92s 53s T5o J2o 63s 73s 75o 95o 83s T4o 65o T3o 85o 43s 82s 52s T2o 62s 64o 94o 54o 84o
74o 42s 93o 72s 32s 53o 92o 83o 73o 63o 43o 82o 52o 72o 62o 42o 32o
"""

BEST_AGAINST_ONE_AND_THREE = tuple(_ORDER.split())
"""The 169 kinds of hand, the best first, by the sum of their shares against one and against three random hands."""


def hand_kind(hand: Pair) -> str:
    """Return the name that players use for two cards.

    >>> hand_kind(("5d", "Ad")), hand_kind(("Ks", "Ah")), hand_kind(("7c", "7d"))
    ('A5s', 'AKo', '77')
    """
    low, high = sorted(hand, key=lambda card: RANKS.index(card[0]))
    if low[0] == high[0]:
        return high[0] + low[0]
    return high[0] + low[0] + ("s" if low[1] == high[1] else "o")


PAIRS: tuple[Pair, ...] = tuple(combinations(DECK, 2))
"""All hands of two cards."""


def _shares_better() -> tuple[float, ...]:
    kinds = [hand_kind(pair) for pair in PAIRS]
    better, standings = 0, dict[str, float]()
    for name in BEST_AGAINST_ONE_AND_THREE:
        standings[name] = better / len(PAIRS)
        better += kinds.count(name)
    return tuple(standings[name] for name in kinds)


SHARE_BETTER = _shares_better()
"""For every hand, the share of all hands that are better: 0 for aces, almost 1 for three-deuce."""

BEST_FIRST = tuple(sorted(range(len(PAIRS)), key=SHARE_BETTER.__getitem__))
"""The numbers of all hands, the best first."""

_AT = {pair: at for at, pair in enumerate(PAIRS)}


def share_better(hand: Pair) -> float:
    """Return the share of all hands that are better than this one.

    >>> share_better(("As", "Ah")) < 0.005 < 0.9 < share_better(("2s", "3h"))
    True
    """
    first, second = hand
    return SHARE_BETTER[_AT[hand] if hand in _AT else _AT[second, first]]


ActionKind = Literal["raise", "call", "check", "fold"]


class SeenAction(NamedTuple):
    """One action of a player, the board, and the number of raises on this street before it."""

    seat: int
    what: ActionKind
    phase: Phase
    board: tuple[str, ...]
    raised: int


@dataclass
class BettingHistory:
    """One hand as one seat has seen it."""

    hand_id: str
    phase: Phase = "WAITING"
    board: tuple[str, ...] = ()
    top: int = 0  #: the highest bet on this street at the seat's last answer
    seen: dict[int, int] = field(default_factory=dict)  #: each player's bet on this street, as last seen
    spoken: set[int] = field(default_factory=set)  #: the seats that have acted on this street
    silent: set[int] = field(default_factory=set)  #: the seats that cannot act any more: folded or all-in
    raised: int = 0  #: the number of raises on this street
    leader: int | None = None  #: the seat that raised last in the hand

    def follow(self, act: Act) -> list[SeenAction]:
        """Yield the actions since the seat's last answer."""
        observed: list[SeenAction] = []
        if act.phase != self.phase:
            observed += self._close(act)
            self._open(act)
        return observed + list(self._walk(act))

    def answered(self, act: Act, answer: Answer) -> None:
        """Record the seat's own answer."""
        self.spoken.add(act.seat)
        if (total := raise_total(answer)) is not None:
            self._raise(act.seat, total)

    def _close(self, act: Act) -> Iterator[SeenAction]:
        """Yield the actions that ended the last street.

        Players still in the hand have called the last bet, or checked if there was none. If a player has folded since,
        the street of the fold is unknown.
        """
        self.silent |= {player.seat for player in act.players if player.has_folded and self.seen}
        for player in opponents(act):
            seat = player.seat
            if seat in self.silent or seat not in self.seen:
                continue
            if self.seen[seat] < self.top:
                yield self._observed(seat, "call")
            elif seat not in self.spoken:
                yield self._observed(seat, "check")

    def _open(self, act: Act) -> None:
        """Begin a street; before the flop the blinds are there already."""
        self.phase, self.board, self.spoken, self.raised, self.top = act.phase, act.community, set(), 0, 0
        self.seen = {player.seat: 0 for player in act.players}
        if act.phase == "PRE_FLOP":
            seats = seats_from_button(act)
            small, big = seats[:2] if len(seats) > 2 else seats[::-1]
            self.seen |= {small: act.table.sb, big: act.table.bb}
            self.top = act.table.bb
        spent = [player for player in act.players if player.stack == 0]
        self.silent |= {player.seat for player in spent if player.committed <= self.seen[player.seat]}

    def _walk(self, act: Act) -> Iterator[SeenAction]:
        """Yield in order the actions since this seat's last turn, or since the street began."""
        players = {player.seat: player for player in act.players}
        for seat in self._between(act):
            player, before = players[seat], self.seen[seat]
            if seat in self.silent:
                continue
            self.seen[seat] = player.committed
            self.spoken.add(seat)
            if player.has_folded or player.stack == 0:
                self.silent.add(seat)
            if player.has_folded:
                yield self._observed(seat, "fold")
            elif player.committed > self.top:
                self._raise(seat, player.committed)
                yield self._observed(seat, "raise")
            else:
                yield self._observed(seat, "call" if player.committed > before else "check")

    def _between(self, act: Act) -> Sequence[int]:
        """Return the seats that have acted since this seat's last turn, or since the street began."""
        seats = betting_order(act)
        here = seats.index(act.seat)
        return seats[here + 1 :] + seats[:here] if act.seat in self.spoken else seats[:here]

    def _raise(self, seat: int, total: int) -> None:
        self.top, self.leader = total, seat
        self.raised += 1

    def _observed(self, seat: int, what: ActionKind) -> SeenAction:
        return SeenAction(seat, what, self.phase, self.board, self.raised)


@dataclass
class Rate:
    """The rate of an action: the number of times it was done, divided by the number of chances for it.

    The count starts with a number of `imagined` chances at the `usual` rate.

    >>> rate = Rate(usual=0.5, imagined=2)
    >>> rate.count(True)
    >>> rate.count(True)
    >>> rate.value
    0.75
    """

    usual: float
    imagined: int = 8
    done: int = 0
    times: int = 0

    def count(self, done: bool) -> None:
        """Count one more chance, and whether the action was done."""
        self.done += done
        self.times += 1

    @property
    def value(self) -> float:
        """The rate so far."""
        return (self.done + self.usual * self.imagined) / (self.times + self.imagined)


def _fold_rates() -> dict[Phase, Rate]:
    late = Rate(0.42)  # one rate for both, because the answer to a bet on the river is seldom visible
    return {"PRE_FLOP": Rate(0.5), "FLOP": Rate(1 - ORDINARY), "TURN": late, "RIVER": late}


@dataclass
class Tendencies:
    """The rates of one seat."""

    raises: Rate = field(default_factory=lambda: Rate(0.2))  #: before the flop, first word
    enters: Rate = field(default_factory=lambda: Rate(0.35))  #: the same, including calls
    bets: Rate = field(default_factory=lambda: Rate(0.35))  #: after the flop: bets and raises
    gives_way: dict[Phase, Rate] = field(default_factory=_fold_rates)  #: folds to a bet


Bands: TypeAlias = tuple[tuple[float, float], ...]
"""The best hands up to this share of all hands, and the probability of each of them."""


class HandWeights:
    """The weights of one opponent's hands, in the order of `PAIRS`."""

    def __init__(self) -> None:
        self.values = [1.0] * len(PAIRS)

    def narrow(self, observed: SeenAction, tendencies: Tendencies) -> None:
        """Multiply the weight of each hand by the probability that such a player acts this way with it."""
        places, start = best_first(observed.board), 0
        for share, likely in (after_flop if observed.board else before_flop)(observed, tendencies):
            end = int(share * len(places))
            for at in places[start:end]:
                self.values[at] *= likely
            start = max(start, end)

    def forget(self, cards: Sequence[Card]) -> None:
        """Remove every hand with a card that is known to be elsewhere."""
        for card in cards:
            for at in _WITH[card]:
                self.values[at] = 0.0


def before_flop(observed: SeenAction, tendencies: Tendencies) -> Bands:
    """Weigh hands before the flop.

    A player who raises has one of the best hands; the rate of their raises says how many these are. A player who calls
    has one of the next best hands. A player who checks can have any hand.
    """
    wide = max(0.02, tendencies.raises.value / NARROWER[min(observed.raised, 3)])
    if observed.what == "raise":
        return (wide, 1.0), (1.5 * wide, 0.3), (1.0, 0.15 * wide)
    if observed.what == "call":
        return (wide / 2, 0.4), (max(tendencies.enters.value, wide + 0.1), 1.0), (1.0, 0.1)
    return ()


def after_flop(observed: SeenAction, tendencies: Tendencies) -> Bands:
    """Weigh hands on a board.

    A player who bets has one of the better hands. A player who calls seldom has one of the worst hands, and a player
    who checks seldom has one of the best.
    """
    if observed.what == "raise":
        bold = tendencies.bets.value / max(1, observed.raised)
        return (bold, 1.0), (1.5 * bold, 0.4), (1.0, 0.3 * bold)
    if observed.what == "call":
        return (0.1, 0.6), (1 - tendencies.gives_way[observed.phase].value, 1.0), (1.0, 0.15)
    return ((0.2, 0.5),)


_WITH: dict[Card, list[int]] = {card: [at for at, pair in enumerate(PAIRS) if card in pair] for card in DECK}


class HandSampler:
    """Draws an opponent's hands, with probabilities in proportion to their weights."""

    def __init__(self, weights: HandWeights, board: tuple[Card, ...]) -> None:
        self._places = best_first(board)
        self._sums = list(accumulate([weights.values[at] for at in self._places]))

    def draw(self, chance: Chance) -> tuple[int, float]:
        """The number of a hand in `PAIRS`, and the share of all hands that are better."""
        above = min(bisect(self._sums, chance.uniform() * self._sums[-1]), len(self._sums) - 1)
        return self._places[above], above / len(self._places)


@lru_cache(maxsize=64)
def best_first(board: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the hands that are possible with a board, the best first.

    Before the river a good draw counts as a fair pair.
    """
    if not board:
        return BEST_FIRST
    made = {at: high((*pair, *board)) for at, pair in enumerate(PAIRS) if not (pair[0] in board or pair[1] in board)}
    places = sorted(made, key=made.__getitem__, reverse=True)
    if len(board) < 5:
        fair = made[places[len(places) // 3]]
        made |= {at: max(made[at], fair) for at in _draws(board, places)}
        places.sort(key=made.__getitem__, reverse=True)
    return tuple(places)


def _draws(board: tuple[Card, ...], places: Sequence[int]) -> list[int]:
    """Return the hands that lack one card for a flush, or that make four in a row where the board does not."""
    ranks, suits = _mask(board), [card[1] for card in board]
    flush = {suit: 4 - suits.count(suit) for suit in SUITS if suits.count(suit) in (2, 3)}
    found = []
    for at in places:
        first, second = PAIRS[at][0][1], PAIRS[at][1][1]
        lacking = flush.get(first) or flush.get(second)
        if (lacking == 2 and first == second) or lacking == 1 or (_is_run(ranks | _MASKS[at]) and not _is_run(ranks)):
            found.append(at)
    return found


_BIT = {rank: 1 << number for number, rank in enumerate(RANKS)}


def _mask(cards: Sequence[Card]) -> int:
    """Return a number with a bit for each rank of these cards."""
    return sum({_BIT[card[0]] for card in cards})


def _is_run(ranks: int) -> int:
    """Return whether four of the ranks are consecutive."""
    return ranks & ranks >> 1 & ranks >> 2 & ranks >> 3


_MASKS = tuple(_mask(pair) for pair in PAIRS)
