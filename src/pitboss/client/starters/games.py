"""A first bot for THE_GAME: it plays its lowest card if it may play any, and bets nothing."""

from pitboss.client import Ask, GameAnswer, TableMove

RANKS = "23456789TJQKA"  # the lowest first; a card is its rank and its suit, such as Td


def decide(ask: Ask) -> GameAnswer:
    """Answer one question with one of `ask.moves`."""
    # print(ask.text)  # shows what your bot sees, in words; `ask.table` is the same as data
    cards = [move for move in ask.moves if move.cards and move.zone == "hand"]
    if cards:
        return min(cards, key=height)
    return ask.moves[ask.default or 0]  # what the server would play: check, pass or fold


def height(move: TableMove) -> int:
    """Return how high the cards of a move are."""
    return sum(RANKS.find(card[0]) for card in move.cards)
