"""A hand as text: a small table with cards, bets, pots and whose turn it is. The deck is never in it."""

from itertools import groupby
from typing import TYPE_CHECKING

from pitboss.game import PlayersTurn
from pitboss.hand.look.words import name, waits_for
from pitboss.hand.showing import boards

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitboss.cards import Card
    from pitboss.hand.hand import Hand


def format_table(hand: "Hand") -> str:
    """The whole table: the game, the board or boards, a line for each player, the pots, and whose turn it is."""
    lines = [", ".join(headline(hand)), *_boards(hand), *_players(hand)]
    if len(hand.pots) > 1:
        pots = [f"{pot.amount} for {' '.join(map(name, pot.places))}" for pot in hand.pots]
        lines.append(f"pots   {', '.join(pots)}")
    return "\n".join([*lines, waits_for(hand)])


def describe(hand: "Hand") -> str:
    """A hand in a few words: its game, street, pot, and whose turn it is."""
    match hand.turn:
        case PlayersTurn(place):
            turn = f"{name(place)}'s turn"
        case _:
            turn = "over" if hand.over else "cards to be dealt"
    players = len(hand.stacks)
    return f"{hand.structure.key}, {players} players, {hand.street_name}, pot {hand.pot}, {turn}"


def headline(hand: "Hand") -> list[str]:
    """The game, its stakes, the street and what is in the middle."""
    words = [hand.structure.name, *stakes_in_words(hand), hand.street_name]
    if hand.over:
        words.append("over")
    else:
        words.append(f"pot {hand.pot}")
    if hand.phase == "bet" and hand.round.price:
        words.append(f"price {hand.round.price}")
    return words


def stakes_in_words(hand: "Hand") -> list[str]:
    """The forced money and, where there are no blinds or bets are fixed, the sizes."""
    stakes, words = hand.stakes, []
    posts = [str(post.amount) for post in stakes.posts if post.option]
    if posts:
        words.append(f"blinds {'/'.join(posts)}")
    if any(stakes.antes):
        words.append(f"ante {max(stakes.antes)}")
    if stakes.bring_in:
        words.append(f"bring-in {stakes.bring_in}")
    if hand.structure.betting.exact and stakes.big_bet is not None:
        words.append(f"bets {stakes.min_bet}/{stakes.big_bet}")
    elif not posts:
        words.append(f"least bet {stakes.min_bet}")
    return words


def _boards(hand: "Hand") -> list[str]:
    dealt = boards(hand)
    if not hand.structure.common_by[-1] and not hand.board:
        return []
    heads = ["board"] if len(dealt) == 1 else [f"board {number}" for number in range(1, len(dealt) + 1)]
    return [f"{head}  {' '.join(board) or '-'}" for head, board in zip(heads, dealt, strict=True)]


def _players(hand: "Hand") -> list[str]:
    """A line for each player, in columns."""
    asked = hand.turn.place if isinstance(hand.turn, PlayersTurn) else -1
    rows = [("", "", "stack", "bet", "cards", "")]
    for place, stack in enumerate(hand.stacks):
        mark, bet = ">" if place == asked else "", hand.round.bets[place]
        rows.append((mark, name(place), str(stack), str(bet or ""), held(hand, place), state(hand, place)))
    if not any(hand.round.bets):
        rows = [(*row[:3], "", *row[4:]) for row in rows]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_line(row, wide) for row in rows]


def _line(row: "Sequence[str]", wide: "Sequence[int]") -> str:
    mark, who, stack, bet, cards, state = row
    bets = f"  {bet:>{wide[3]}}" if wide[3] else ""
    return f"{mark:1} {who:{wide[1]}}  {stack:>{wide[2]}}{bets}  {cards:{wide[4]}}  {state}".rstrip()


def held(hand: "Hand", place: int) -> str:
    """A player's cards, those face down in brackets where others lie face up."""
    cards, faces = hand.holes[place], hand.structure.faces
    if not faces:
        return _spaced(cards)
    down = [not up for up in faces] + [False] * len(cards)
    groups = groupby(zip(cards, down, strict=False), key=lambda dealt: dealt[1])
    return " ".join(
        f"({_spaced(c for c, _ in group)})" if lies_down else _spaced(c for c, _ in group)
        for lies_down, group in groups
    )


def _spaced(cards: "Iterable[Card]") -> str:
    return " ".join(cards)


def state(hand: "Hand", place: int) -> str:
    """What is to be said of a player beside chips and cards."""
    words = ["button"] if place == len(hand.stacks) - 1 else []
    if hand.round.folded[place]:
        words.append("folded")
    elif not hand.stacks[place] and not hand.over:
        words.append("all-in")
    if place in hand.shown and not hand.round.folded[place]:
        words.append("shown")
    return ", ".join(words)
