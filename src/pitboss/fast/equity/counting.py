"""The loops behind equities in their two forms, plain and compiled, with the lists or arrays that each takes."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from pitboss import chance
from pitboss.fast import ranking
from pitboss.fast.compiled import Function, compile_function
from pitboss.fast.equity import boards, completing, dealing, enumeration, judging, rows
from pitboss.fast.equity.boards import MOST_PAIRS, BoardSpace
from pitboss.fast.equity.completing import CompletingSpace, Missing
from pitboss.fast.equity.dealing import DealingSpace
from pitboss.fast.equity.enumeration import (
    BOARD,
    MOST_PLAYERS,
    MOST_SPREADS,
    MOST_SUBSETS,
    RANKS,
    SUITS,
    CountingSpace,
    KnownCards,
    Spreads,
    Subsets,
)
from pitboss.fast.lookup import packed_ranks, plain_ranks
from pitboss.ranks import layout

SOURCES = (chance, layout, ranking, enumeration, dealing)
GAME_SOURCES, WIDE = (*SOURCES, rows), (judging, boards, completing)
"""The same for the games that are not hold'em, of which the last are not compiled into each other."""
"""All that the compiled loops are made of."""


class Form(NamedTuple):
    """The loops in one form, and how the things are made that they take."""

    compiled: bool
    ranks_of: Callable[[str], ranking.Ranks]
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
    def ranks(self) -> ranking.Ranks:
        """The tables of the high order, in whose places all others stand."""
        return self.ranks_of("high")

    def known(self, board: Sequence[int], dead: Sequence[int]) -> KnownCards:
        """What lies open and what is left of the deck."""
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
        """Space for counting; every thread has its own."""
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
        """Space for dealing; every thread has its own."""
        sizes = (MOST_PLAYERS, 2 * MOST_PLAYERS, BOARD, SUITS, SUITS, MOST_PLAYERS)
        space = DealingSpace(*map(self.zeros, sizes))
        for place, card in enumerate(board):
            space.board[place] = card
        return space

    def board_space(self, players: int) -> BoardSpace:
        """Space for counting boards of any game; every thread has its own."""
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
        """Space for completing deals of any game; every thread has its own."""
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


def form(compiled: bool) -> Form:
    """The loops, compiled if that is wanted or was done before in this process."""
    if (compiled or _compiled_form.cache_info().currsize) and can_compile():
        return _compiled_form()
    return plain_form()


@cache
def can_compile() -> bool:
    """Whether Numba and NumPy are installed; without them everything runs plain, and less of it is counted."""
    return find_spec("numba") is not None and find_spec("numpy") is not None


@cache
def plain_form() -> Form:
    """The loops as they are written, on lists."""
    return Form(
        compiled=False,
        ranks_of=plain_ranks,
        list_deals=dealing.list_deals,
        count_deals=enumeration.count_deals,
        sample=dealing.sample,
        count_boards=boards.count_boards,
        count_completions=completing.count_deals,
        sample_completions=completing.sample_deals,
        row=list,
        rows=lambda given: [list(row) for row in given],
        zeros=lambda count: [0] * count,
        state=int,
    )


@cache
def _compiled_form() -> Form:
    import numpy as np

    return Form(
        compiled=True,
        ranks_of=packed_ranks,
        list_deals=compile_function(dealing.list_deals, *SOURCES),
        count_deals=compile_function(enumeration.count_deals, *SOURCES),
        sample=compile_function(dealing.sample, *SOURCES),
        count_boards=compile_function(boards.count_boards, *GAME_SOURCES, wide=WIDE),
        count_completions=compile_function(completing.count_deals, *GAME_SOURCES, wide=WIDE),
        sample_completions=compile_function(completing.sample_deals, *GAME_SOURCES, wide=WIDE),
        row=lambda given: np.array(list(given), np.int64),
        rows=lambda given: np.array(given, np.int64),
        zeros=lambda count: np.zeros(count, np.int64),
        state=np.uint64,
    )
