"""What a bot may answer to an `act`, a word or RAISE_TO with an amount, and how an answer is held against the offer.

House bots and a bot author's own function speak these same few words.
"""

from operator import index
from typing import Literal, TypeAlias

from pitboss.arena.v1.messages import Act, Action, Word
from pitboss.errors import PitbossError

Answer: TypeAlias = Literal["FOLD", "CHECK", "CALL"] | tuple[Literal["RAISE_TO"], int]
"""`"FOLD"`, `"CHECK"`, `"CALL"` or `("RAISE_TO", total)`, the total being the seat's whole bet on this street."""


class AnswerError(PitbossError, ValueError):
    """An answer that the question does not allow."""


def fold() -> Answer:
    """Give the hand up.

    >>> fold()
    'FOLD'
    """
    return "FOLD"


def check() -> Answer:
    """Stay for nothing.

    >>> check()
    'CHECK'
    """
    return "CHECK"


def call() -> Answer:
    """Pay what is owed, or all that is left.

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


def safe_answer(act: Act) -> Answer:
    """What costs nothing: a check where that is free, else a fold."""
    return "CHECK" if "CHECK" in act.legal else "FOLD"


def safe_action(act: Act) -> Action:
    """The message that gives the safe answer."""
    word: Literal["CHECK", "FOLD"] = "CHECK" if "CHECK" in act.legal else "FOLD"
    return Action(v=1, hand_id=act.hand_id, action=word, turn=act.turn)


def read_answer(answer: object, act: Act) -> Action:
    """The message that gives this answer to this question; an `AnswerError` says, in one sentence, what is wrong."""
    word, amount = _parts(answer)
    if word not in act.legal:
        raise AnswerError(f"{word} is not on offer: answer one of {', '.join(act.legal)}")
    if word == "RAISE_TO":
        amount = _within(amount, act)
    return Action(v=1, hand_id=act.hand_id, action=word, amount=amount, turn=act.turn)


def _parts(answer: object) -> tuple[Word, int | None]:
    """The word and the amount of something that a bot has answered."""
    match answer:
        case ("FOLD" | "CHECK" | "CALL") as word:
            return word, None
        case "RAISE_TO":
            raise AnswerError('RAISE_TO needs an amount: answer ("RAISE_TO", total) or raise_to(total)')
        case ("RAISE_TO", amount):
            return "RAISE_TO", _whole(amount)
    raise AnswerError(f'{_short(answer)} is no answer: answer "FOLD", "CHECK", "CALL" or ("RAISE_TO", total)')


def _whole(amount: object) -> int:
    """An amount as a plain whole number; also NumPy's, but neither `True` nor 3.0."""
    if not isinstance(amount, bool) and hasattr(amount, "__index__"):
        return index(amount)
    raise AnswerError(f"RAISE_TO needs a whole number of chips, and {_short(amount)} is none")


def _within(amount: int | None, act: Act) -> int:
    low, high = act.min_raise_to, act.max_raise_to
    if amount is None or low is None or high is None or not low <= amount <= high:
        raise AnswerError(f"RAISE_TO {amount} is out of bounds: raise to {low} at least and {high} at most")
    return amount


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
