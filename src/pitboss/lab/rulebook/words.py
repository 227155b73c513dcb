"""Cards and moves in words, for people: what a number of the engine is called in a genome's deck."""

from pitboss.betting import core
from pitboss.cards import CardError
from pitboss.lab.engine import codes
from pitboss.lab.genome.parts import Deck

BETTING = {
    core.FOLD: "fold",
    core.CHECK: "check",
    core.CALL: "call",
    core.BET: "bet",
    core.RAISE: "raise",
    core.ALL_IN: "all_in",
}
PLAIN = {codes.TAKE_DISCARD: "draw discard", codes.DOUBT: "doubt", codes.BELIEVE: "believe"}
CARD_VERBS = {codes.PLAY: "play", codes.TRICK: "play", codes.DISCARD: "discard", codes.CLAIM: "claim"}


def card_word(deck: Deck, card: int) -> str:
    """A card's two letters.

    >>> card_word(Deck(ranks="JQK", suits="sh"), 3)
    'Qh'
    """
    return deck.ranks[card // len(deck.suits)] + deck.suits[card % len(deck.suits)]


def card_number(deck: Deck, word: str) -> int:
    """The number of a card's two letters; the opposite of `card_word`."""
    if len(word) != 2 or word[0] not in deck.ranks or word[1] not in deck.suits:
        raise CardError(f"card {word!r} is not in this deck")
    return deck.ranks.index(word[0]) * len(deck.suits) + deck.suits.index(word[1])


def move_word(deck: Deck, kind: int, move: int) -> str:
    """A move in a phase of this kind.

    >>> move_word(Deck(), codes.PLAY, codes.SETS + 4 * 11 + 1)
    'play 2 K'
    >>> move_word(Deck(), codes.BETTING, codes.VERBS + core.CALL)
    'call'
    """
    if move < codes.MOST_CARDS:
        return f"{CARD_VERBS[kind]} {card_word(deck, move)}"
    if move >= codes.SETS:
        rank, more = divmod(move - codes.SETS, 4)
        return f"play {more + 1} {deck.ranks[rank]}"
    if move >= codes.ASKS:
        return f"ask {deck.ranks[move - codes.ASKS]}"
    if move >= codes.VERBS:
        return BETTING[move - codes.VERBS]
    if move == codes.PASS:
        return "pass" if kind == codes.PLAY else "stop"
    return PLAIN.get(move, "draw")
