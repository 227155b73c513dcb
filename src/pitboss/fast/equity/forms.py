"""The loops for equities, plain and compiled, each with functions that make its lists, arrays and tables."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from pitboss import chance
from pitboss.cards import DECK, Card
from pitboss.fast import arrays, lookup
from pitboss.fast.compiled import Function, compile_function, record, with_part_everywhere
from pitboss.fast.equity import any_game_loops, holdem_loops
from pitboss.fast.equity.any_game_loops import (
    ANY_FIVE,
    BADUGI,
    FROM_TWO,
    LOW,
    LOW_FROM_TWO,
    MOST_PAIRS,
    NOTHING,
    BoardSpace,
    CompletingSpace,
    Judge,
    Missing,
)
from pitboss.fast.equity.holdem_loops import (
    BOARD,
    MOST_PLAYERS,
    MOST_SPREADS,
    MOST_SUBSETS,
    RANKS,
    SUITS,
    CountingSpace,
    DealingSpace,
    KnownCards,
    Spreads,
    Subsets,
)
from pitboss.fast.lookup import Ranks, packed_ranks, plain_ranks
from pitboss.fast.switch import Switch
from pitboss.hand import showdown
from pitboss.hand.structure import Ranking, Structure
from pitboss.ranks import layout, lows
from pitboss.ranks.orders import ORDERS, HandOrder


def judges(structure: Structure, compiled: bool) -> Any:
    """Return a game's two judges, in a list or, compiled, an array of records."""
    first, *others = structure.showdown
    return _judges(first, others[0] if others else None, compiled)


@cache
def _judges(first: Ranking, second: Ranking | None, compiled: bool) -> Any:
    both = [_judge(first), _judge(second)]
    if not compiled:
        return both
    import numpy as np

    wide = dict.fromkeys(Judge._fields, np.int64) | dict.fromkeys(("blocks", "places", "flushes", "hands"), np.uint32)
    fields: list[tuple[Any, ...]] = [("kind", np.int64), ("suited", np.int64)]
    fields += [(name, wide[name], len(getattr(both[0], name))) for name in Judge._fields[2:]]
    packed = np.zeros(len(both), record(fields))
    for row, judge in zip(packed, both, strict=True):
        for name in Judge._fields:
            row[name] = getattr(judge, name)
    return packed


@cache
def _judge(ranking: Ranking | None) -> Judge:
    """Return a judge. Its lists have the same lengths for every ranking, so that one compiled loop can read all."""
    kind, order = NOTHING, None if ranking is None else ORDERS[ranking.order]
    if ranking is not None and order is not None:
        match order.loop:
            case "low":
                kind = LOW_FROM_TWO if ranking.from_two else LOW
            case "badugi":
                kind = BADUGI
            case _:
                kind = FROM_TWO if ranking.from_two else ANY_FIVE
    return Judge(
        kind,
        int(order is not None and order.tables is not None),
        *_ranks(order),
        low_ranks=[lows.BITS[card] for card in DECK],
        lows=lows.LOWS,
        badugis=[lows.BADUGI_BITS[card] for card in DECK],
    )


def _ranks(order: HandOrder | None) -> Ranks:
    if order is None or order.loop != "tables":
        return plain_ranks()
    return plain_ranks()._replace(**arrays.low_lists(order)) if order.tables is None else plain_ranks(order.name)


def has_loops(structure: Structure) -> bool:
    """Return whether the compiled loops support all orders of a game."""
    return not structure.wild and all(ORDERS[ranking.order].loop is not None for ranking in structure.showdown)


def plain_judges(structure: Structure) -> list[Callable[[Sequence[Card], Sequence[Card]], int] | None]:
    """Return a game's two judges for `asking_form`, in plain Python; without split pots the second is None."""
    first, *others = [partial(_plain_strength, replace(structure, showdown=(one,))) for one in structure.showdown]
    return [first, others[0] if others else None]


def _plain_strength(structure: Structure, hole: Sequence[Card], board: Sequence[Card]) -> int:
    return showdown.strengths(structure, hole, board)[0]


def _ask(judge: Any, hole: int, row: Any) -> int:
    """Replace `any_game_loops.strength` by a plain judge."""
    if judge is None:
        return 0
    cards = [DECK[card] for card in row]
    return int(judge(cards[:hole], cards[hole:]))


SOURCES = (chance, layout, lookup, holdem_loops)
"""The modules that all compiled loops call."""
WIDE = (any_game_loops,)
"""The module for all other games. Its functions are not inlined."""


class Form(NamedTuple):
    """The plain or the compiled loops, and the functions that make their arguments."""

    compiled: bool
    ranks_of: Callable[[str], lookup.Ranks]
    list_deals: Function
    count_deals: Function
    sample: Function
    count_boards: Function
    count_completions: Function
    sample_completions: Function
    row: Callable[[Iterable[int]], Any]
    rows: Callable[[Sequence[Sequence[int]]], Any]
    zeros: Callable[[int], Any]
    state: Callable[[int], Any]

    @property
    def ranks(self) -> lookup.Ranks:
        """The tables of the high order; all other orders use the same places."""
        return self.ranks_of("high")

    def known(self, board: Sequence[int], dead: Sequence[int]) -> KnownCards:
        """Return the cards on the board and the cards left in the deck, in the form for the loops."""
        masks, left, suits = [0] * SUITS, [(1 << RANKS) - 1] * SUITS, [SUITS] * RANKS
        for card in board:
            masks[card % SUITS] |= 1 << card // SUITS
        for card in (*board, *dead):
            left[card % SUITS] -= 1 << card // SUITS
            suits[card // SUITS] -= 1
        total = sum([int(self.ranks.keys[card]) for card in board])
        held = [mask.bit_count() for mask in masks]
        return KnownCards(BOARD - len(board), total, *map(self.row, (masks, held, left, suits)))

    def counting_space(self) -> CountingSpace:
        """Return working memory for counting; every thread has its own."""
        return CountingSpace(
            totals=self.zeros(MOST_PLAYERS),
            masks=self.rows([[0] * SUITS] * MOST_PLAYERS),
            left=self.zeros(SUITS),
            suits=self.zeros(RANKS),
            most=self.zeros(SUITS),
            strengths=self.zeros(MOST_PLAYERS),
            flushes=self.zeros(MOST_PLAYERS),
            spreads=Spreads(*[self.zeros(MOST_SPREADS) for _ in Spreads._fields]),
            subsets=Subsets(*[self.zeros(MOST_SUBSETS) for _ in Subsets._fields]),
        )

    def dealing_space(self, board: Sequence[int]) -> DealingSpace:
        """Return working memory for dealing; every thread has its own."""
        sizes = (MOST_PLAYERS, 2 * MOST_PLAYERS, BOARD, SUITS, SUITS, MOST_PLAYERS)
        space = DealingSpace(*map(self.zeros, sizes))
        for place, card in enumerate(board):
            space.board[place] = card
        return space

    def board_space(self, players: int) -> BoardSpace:
        """Return working memory for counting boards of any game; every thread has its own."""
        places = players * len(self.ranks.hands)
        return BoardSpace(
            left=self.zeros(SUITS),
            suits=self.zeros(RANKS),
            board=self.zeros(BOARD),
            first_written=self.zeros(places),
            second_written=self.zeros(places),
            masks=self.rows([[0] * SUITS] * players),
            pairs=self.rows([[0] * MOST_PAIRS] * players),
            low_pairs=self.rows([[0] * MOST_PAIRS] * players),
            pair_counts=self.zeros(players),
            firsts=self.zeros(players),
            seconds=self.zeros(players),
            first_flushes=self.zeros(players),
            second_flushes=self.zeros(players),
            spreads=Spreads(*[self.zeros(MOST_SPREADS) for _ in Spreads._fields]),
            subsets=Subsets(*[self.zeros(MOST_SUBSETS) for _ in Subsets._fields]),
        )

    def completing_space(self, players: int, missing: Missing, board: Sequence[int]) -> CompletingSpace:
        """Return working memory for completing deals of any game; every thread has its own."""
        space = CompletingSpace(
            rows=self.rows([[0] * (missing.hole + missing.board)] * players),
            board=self.zeros(max(1, missing.board)),
            picked=self.zeros(len(missing.owners) + 1),
            at=self.zeros(players),
            firsts=self.zeros(players),
            seconds=self.zeros(players),
        )
        for place, card in enumerate(board):
            space.board[place] = card
        return space


@cache
def plain_form() -> Form:
    """Return the loops as plain Python, on lists."""
    return Form(
        compiled=False,
        ranks_of=plain_ranks,
        list_deals=holdem_loops.list_deals,
        count_deals=holdem_loops.count_deals,
        sample=holdem_loops.sample,
        count_boards=any_game_loops.count_boards,
        count_completions=any_game_loops.count_deals,
        sample_completions=any_game_loops.sample_deals,
        row=list,
        rows=lambda given: [list(row) for row in given],
        zeros=lambda count: [0] * count,
        state=int,
    )


@cache
def asking_form() -> Form:
    """Return the plain loops with `plain_judges`, for games in which an order has no compiled loop."""
    loops = with_part_everywhere(any_game_loops, strength=_ask)
    return plain_form()._replace(
        count_completions=loops[any_game_loops.count_deals.__name__],
        sample_completions=loops[any_game_loops.sample_deals.__name__],
    )


@cache
def switch(loop: str) -> Switch:
    """Return the switch from plain to compiled code for a loop, given the name of its field in `Form`."""
    return Switch(lambda: getattr(compiled_form(), loop))


def _holdem(loop: Function, purpose: str, seconds: int) -> Function:
    return compile_function(loop, *SOURCES, purpose=purpose, seconds=seconds)


def _any_game(loop: Function, purpose: str, seconds: int) -> Function:
    return compile_function(loop, *SOURCES, wide=WIDE, purpose=purpose, seconds=seconds)


@cache
def compiled_form() -> Form:
    """Return the loops compiled, on arrays; each loop is loaded or compiled on its first call."""
    import numpy as np

    return Form(
        compiled=True,
        ranks_of=packed_ranks,
        list_deals=_holdem(holdem_loops.list_deals, "the deals of hold'em ranges", 1),
        count_deals=_holdem(holdem_loops.count_deals, "exact hold'em equities", 5),
        sample=_holdem(holdem_loops.sample, "sampled hold'em equities", 1),
        count_boards=_any_game(any_game_loops.count_boards, "exact equities of all boards", 6),
        count_completions=_any_game(any_game_loops.count_deals, "exact equities of any game", 2),
        sample_completions=_any_game(any_game_loops.sample_deals, "sampled equities of any game", 3),
        row=lambda given: np.array(list(given), np.int64),
        rows=lambda given: np.array(given, np.int64),
        zeros=lambda count: np.zeros(count, np.int64),
        state=np.uint64,
    )
