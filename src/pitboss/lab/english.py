"""Numbers, chips and cards in plain English, and cards as two letters."""

from collections.abc import Sequence

from pitboss.cards import RANKS, CardError
from pitboss.lab.genome import Deck

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh")
RANK_NAMES = dict(
    zip(
        RANKS,
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
        strict=True,
    )
)
GLUE = "\N{NO-BREAK SPACE}"
"""A space at which lines are not broken."""
SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def number(n: int) -> str:
    """Return a number for a sentence: a word up to twelve, and digits above.

    >>> number(3), number(1500)
    ('three', '1,500')
    """
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else f"{n:,}"


def ordinal(n: int) -> str:
    """Return a position in words, counted from 1: "first"."""
    return _ORDINALS[n - 1] if 1 <= n <= len(_ORDINALS) else f"{n}th"


def times(n: int) -> str:
    """Return a number of times: "once", "twice", "three times"."""
    return ("once", "twice")[n - 1] if n in (1, 2) else f"{number(n)} times"


def some(n: int, noun: str) -> str:
    """Return a number and a noun.

    >>> some(1, "card"), some(4, "card"), some(26, "card")
    ('one card', 'four cards', '26 cards')
    """
    return f"{number(n)} {noun if n == 1 else plural(noun)}"


def a_few(n: int, *, optional: bool = False) -> str:
    """Return a number of cards, with "up to" if they are optional.

    >>> a_few(1), a_few(2), a_few(3, optional=True)
    ('a card', 'two cards', 'up to three cards')
    """
    return "a card" if n == 1 else f"{'up to ' if optional else ''}{some(n, 'card')}"


def one_to(n: int) -> str:
    """Return a range from one to a number, in words.

    >>> one_to(2), one_to(4)
    ('one or two', 'one to four')
    """
    return f"one {'or' if n == 2 else 'to'} {number(n)}"


def more_to_go(left: int, of: int, *, optional: bool, end: str = "stop") -> str:
    """Return the rest of a prompt: the number of cards that are still needed, or that the player can stop.

    >>> more_to_go(2, 2, optional=False), more_to_go(1, 2, optional=False), more_to_go(1, 2, optional=True)
    ('', ', one more to go', ', or stop; at most one more')
    """
    if left >= of:
        return f", or {end}" if optional else ""
    return f", or {end}; at most {number(left)} more" if optional else f", {number(left)} more to go"


def plural(noun: str) -> str:
    return f"{noun}es" if noun.endswith("x") else f"{noun}s"


def chips(n: int) -> str:
    """Return an amount of chips, in digits."""
    return "1 chip" if n == 1 else f"{n:,} chips"


def points(n: int) -> str:
    """Return an amount of points, in digits, with a typographic minus sign."""
    sign = "\N{MINUS SIGN}" if n < 0 else ""
    return f"{sign}{abs(n):,} point{'' if abs(n) == 1 else 's'}"


def listed(items: Sequence[str], word: str = "and") -> str:
    """Return items as a list in a sentence.

    >>> listed(["a", "b", "c"], "or")
    'a, b or c'
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def a(noun: str) -> str:
    """Return a noun with "a" or "an".

    >>> a("king"), a("ace")
    ('a king', 'an ace')
    """
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def capital(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def title(name: str) -> str:
    """Return a game's name as a heading.

    >>> title("crazy_eights")
    'Crazy Eights'
    """
    return " ".join(capital(word) for word in name.replace("_", " ").split())


def ranks_of(deck: Deck) -> str:
    """Return a deck's ranks, the lowest first. Three or more consecutive number ranks are shortened to a range.

    >>> ranks_of(Deck(ranks="A234567JQK"))
    'ace, two to seven, jack, queen, king'
    """
    stretches: list[list[str]] = []
    for rank in deck.ranks:
        last = stretches[-1][-1] if stretches else ""
        if last and rank not in "JQKA" and RANKS.index(rank) == RANKS.index(last) + 1:
            stretches[-1].append(rank)
        else:
            stretches.append([rank])
    parts = []
    for stretch in stretches:
        names = [RANK_NAMES[rank] for rank in stretch]
        parts += [f"{names[0]} to {names[-1]}"] if len(names) > 2 else names
    return ", ".join(parts)


def cards(pattern: str) -> str:
    """Return words for the cards that match a pattern of rank and suit.

    >>> cards("Qs"), cards("*h"), cards("J*"), cards("**")
    ('the queen of spades', 'each heart', 'each jack', 'each card')
    """
    rank, suit = pattern[0], pattern[1]
    if rank == "*":
        return "each card" if suit == "*" else f"each {SUIT_NAMES[suit][:-1]}"
    return f"each {RANK_NAMES[rank]}" if suit == "*" else f"the {RANK_NAMES[rank]} of {SUIT_NAMES[suit]}"


def card_values(deck: Deck, ace: str) -> str:
    """Return the number of points that each card of the deck counts, in words."""
    pictures = [plural(RANK_NAMES[rank]) for rank in "JQK" if rank in deck.ranks]
    parts = ["number cards count their number"] if any(rank not in "JQKA" for rank in deck.ranks) else []
    parts += [f"{listed(pictures)} count 10"] if pictures else []
    parts += [f"aces count {ace}"] if "A" in deck.ranks else []
    return listed(parts)


def card_word(deck: Deck, card: int) -> str:
    """Return a card as two letters.

    >>> card_word(Deck(ranks="JQK", suits="sh"), 3)
    'Qh'
    """
    return deck.ranks[card // len(deck.suits)] + deck.suits[card % len(deck.suits)]


def card_number(deck: Deck, word: str) -> int:
    """Return the number of a card that is given as two letters."""
    if len(word) != 2 or word[0] not in deck.ranks or word[1] not in deck.suits:
        raise CardError(f"expected a rank and a suit of this deck, such as {card_word(deck, 0)!r}, got {word!r}")
    return deck.ranks.index(word[0]) * len(deck.suits) + deck.suits.index(word[1])
