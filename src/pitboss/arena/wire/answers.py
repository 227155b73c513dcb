"""The answers that a bot can give to an `act`, whether an answer is legal, and how long a bot may think.

House bots and the functions of bot authors use the same answers.
"""

from collections.abc import Iterable
from operator import index
from typing import Literal, TypeAlias

from pitboss.arena.wire.messages import Act, Action, Word
from pitboss.errors import PitbossError

Answer: TypeAlias = (
    Literal["FOLD", "CHECK", "CALL", "DRAW"] | tuple[Literal["RAISE_TO"], int] | tuple[Literal["DRAW"], tuple[str, ...]]
)
"""`"FOLD"`, `"CHECK"`, `"CALL"` or `("RAISE_TO", total)`, where the total is the seat's whole bet on this street.

In draw games, `("DRAW", cards)` names the cards to change, and `"DRAW"` alone stands pat.
"""

MARGIN_MS = 500


class AnswerError(PitbossError, ValueError):
    """An answer that the question does not allow."""


def thinking_ms(time_ms: int) -> float:
    """Return how long a bot may think, in milliseconds: the seat's time less a margin for the way back.

    The margin is half a second or a fifth of the time, whichever is smaller.

    >>> thinking_ms(15_000), thinking_ms(1_000)
    (14500, 800.0)
    """
    return time_ms - min(MARGIN_MS, time_ms / 5)


def fold() -> Answer:
    """Give up the hand.

    >>> fold()
    'FOLD'
    """
    return "FOLD"


def check() -> Answer:
    """Stay without paying.

    >>> check()
    'CHECK'
    """
    return "CHECK"


def call() -> Answer:
    """Pay what is owed, or all chips if that is less.

    >>> call()
    'CALL'
    """
    return "CALL"


def raise_to(total: int) -> Answer:
    """Bet or raise, so that the seat's bet on this street is `total`.

    >>> raise_to(1200)
    ('RAISE_TO', 1200)
    """
    return "RAISE_TO", total


def draw(cards: Iterable[str] = ()) -> Answer:
    """Change these cards, or stand pat without any.

    >>> draw(["Ks", "Qd"]), draw()
    (('DRAW', ('Ks', 'Qd')), 'DRAW')
    """
    given = tuple(cards)
    return ("DRAW", given) if given else "DRAW"


def safe_answer(act: Act) -> Answer:
    """Return the cheapest answer: check if it is free, else fold; a forced bring-in; stand pat in a draw."""
    return _safe_word(act)


def safe_action(act: Act) -> Action:
    """Return the message with the safe answer."""
    return Action(v=1, hand_id=act.hand_id, action=_safe_word(act), turn=act.turn)


def _safe_word(act: Act) -> Literal["CHECK", "FOLD", "CALL", "DRAW"]:
    for word in ("DRAW", "CHECK", "FOLD"):
        if word in act.legal:
            return word
    return "CALL"


def read_answer(answer: object, act: Act) -> Action:
    """Return the message with an answer to a question; raise `AnswerError` if the answer is not legal."""
    word, amount, discard = _parts(answer)
    if word not in act.legal:
        raise AnswerError(f"{word} is not on offer: answer one of {', '.join(act.legal)}")
    if word == "RAISE_TO":
        amount = _within(amount, act)
    if discard is not None:
        _check_held(discard, act)
    return Action(v=1, hand_id=act.hand_id, action=word, amount=amount, discard=discard, turn=act.turn)


def _parts(answer: object) -> tuple[Word, int | None, tuple[str, ...] | None]:
    """Return the word, the amount and the cards of a bot's answer."""
    match answer:
        case ("FOLD" | "CHECK" | "CALL" | "DRAW") as word:
            return word, None, None
        case "RAISE_TO":
            raise AnswerError('RAISE_TO needs an amount: answer ("RAISE_TO", total) or raise_to(total)')
        case ("RAISE_TO", amount):
            return "RAISE_TO", _whole(amount), None
        case ("DRAW", cards):
            return "DRAW", None, _cards(cards)
    raise AnswerError(
        f'{_short(answer)} is not an answer: give FOLD, CHECK, CALL, ("RAISE_TO", total) or ("DRAW", cards)'
    )


def _cards(cards: object) -> tuple[str, ...] | None:
    """Return the cards of a draw; empty to stand pat."""
    if isinstance(cards, list | tuple | set | frozenset) and all(isinstance(card, str) for card in cards):
        return tuple(map(str, cards)) or None
    raise AnswerError(f"DRAW: expected a list of cards, got {_short(cards)}")


def _check_held(cards: tuple[str, ...], act: Act) -> None:
    for number, card in enumerate(cards):
        if card not in act.you.hole:
            raise AnswerError(f"DRAW: expected cards of {' '.join(act.you.hole)}, got {_short(card)}")
        if card in cards[:number]:
            raise AnswerError(f"DRAW: {card} appears twice")


def _whole(amount: object) -> int:
    """Return an amount as a whole number; NumPy's are accepted, `True` and 3.0 are not."""
    if not isinstance(amount, bool) and hasattr(amount, "__index__"):
        return index(amount)
    raise AnswerError(f"RAISE_TO: expected a whole number of chips, got {_short(amount)}")


def _within(amount: int | None, act: Act) -> int:
    low, high = act.min_raise_to, act.max_raise_to
    if amount is None or low is None or high is None or not low <= amount <= high:
        raise AnswerError(f"RAISE_TO {amount} is out of bounds: raise to {low} at least and {high} at most")
    return amount


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
