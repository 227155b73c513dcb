"""A first bot for any poker game: it deals the unknown cards many times and counts what it wins."""

import random
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from pitboss import Structure, evaluate, find_game, find_structure
from pitboss.client import Act, Answer, call, check, draw, fold, raise_to, runs

GAME = find_game("omaha")
DEALS = 100  # more are more exact and slower; this many take some milliseconds


def decide(act: Act) -> Answer:
    """Answer one question: bet strong hands, call if the pot pays for it, give up the rest."""
    game = find_structure(act.table.variant) if act.table.variant else GAME  # mixed games name the game each time
    if "RUNS" in act.legal:
        return runs(2)  # at an all-in, deal the rest of the board twice
    if act.must_discard:
        choices = [*combinations(act.you.hole, act.must_discard)]
        worst = max(choices, key=lambda gone: part_won(act, game, gone))
        return draw(worst)
    if "DRAW" in act.legal:
        return draw(best_discard(act, game))
    rivals = sum(not player.has_folded for player in act.players) - 1
    win = part_won(act, game)
    if win > 1.4 / (rivals + 1) and act.min_raise_to and act.max_raise_to:
        pot_sized = act.pot + 2 * act.you.to_call
        return raise_to(min(max(pot_sized, act.min_raise_to), act.max_raise_to))
    if "CHECK" in act.legal:
        return check()
    price = act.you.to_call / (act.pot + act.you.to_call)  # the part of the pot that a call costs
    return call() if win > price + 0.05 or "FOLD" not in act.legal else fold()  # a bring-in must be paid


def part_won(act: Act, game: Structure, gone: Sequence[str] = ()) -> float:
    """Return the part of the pot that these cards win on average against random hands, without the cards in `gone`."""
    hole = [card for card in act.you.hole if card not in gone]
    hidden, common = unseen(act, game), game.board_by_street[-1]
    own = game.hole_by_street[-1] - (0 if common else len(act.community))  # the last card in stud can be shared
    others = [player.up for player in act.players if player.seat != act.seat and not player.has_folded]
    won = 0.0
    for _ in range(DEALS):
        cards = iter(random.sample(hidden, len(hidden)))
        board = filled(act.community, common, cards)
        mine = max(strengths(chosen, board, game) for chosen in combinations(filled(hole, own, cards), own))
        theirs = [strengths(filled(up, own, cards), board, game) for up in others[: len(hidden) // own - 1]]
        won += share(mine, theirs)
    return won / DEALS


def best_discard(act: Act, game: Structure) -> tuple[str, ...]:
    """Return the cards to change: each choice is tried some times against random hands."""
    hole, hidden = act.you.hole, unseen(act, game)
    choices = [gone for size in range(len(hole) + 1) for gone in combinations(hole, size)]
    rivals = sorted(max(strengths(random.sample(hidden, len(hole)), (), game) for _ in range(3)) for _ in range(DEALS))

    def beaten(gone: tuple[str, ...]) -> int:
        rest = tuple(card for card in hole if card not in gone)
        drawn = (random.sample(hidden, len(gone)) for _ in range(DEALS // 2))
        return sum(bisect(rivals, strengths((*rest, *cards), (), game)) for cards in drawn)

    return max(choices, key=beaten)


def unseen(act: Act, game: Structure) -> list[str]:
    """Return the cards that may still come, or that others hold."""
    seen = {*act.you.hole, *act.community}.union(*(player.up for player in act.players))
    return [card for card in game.deck if card not in seen]


def filled(known: Sequence[str], size: int, cards: Iterator[str]) -> tuple[str, ...]:
    """Return these cards and as many more as are missing."""
    return (*known, *islice(cards, max(0, size - len(known))))


def strengths(hand: Sequence[str], board: Sequence[str], game: Structure) -> tuple[int, ...]:
    """Return the strengths of a hand, greater is better; in split games one for high and one for low."""
    found = evaluate(hand, game=game, board=board) if game.board_by_street[-1] else evaluate((*hand, *board), game=game)
    return found if isinstance(found, tuple) else (found,)


def share(mine: tuple[int, ...], theirs: list[tuple[int, ...]]) -> float:
    """Return what the first of these hands wins; a strength of 0 wins nothing."""
    parts: list[tuple[int, ...]] = [part for part in zip(mine, *theirs, strict=True) if max(part) > 0]
    return sum((part[0] == max(part)) / part.count(max(part)) for part in parts) / len(parts)
