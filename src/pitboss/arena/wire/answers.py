"""The answers to an `act`, the check whether an answer is legal, and the time that a bot has for it.

House bots and the functions of bot authors use the same answers.
"""

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, Literal, TypeAlias, overload

from pitboss.arena.wire.messages import Act, Action, Ask, MoveMessage, WeightedAction, WeightedMove, Word
from pitboss.arena.wire.strategies import entries, weights_fault
from pitboss.errors import PitbossError
from pitboss.game import TableMove

Question: TypeAlias = Act | Ask
"""What a bot has to answer: an `act` in poker, an `ask` in other games."""

SingleAnswer: TypeAlias = (
    Literal["FOLD", "CHECK", "CALL", "DRAW"]
    | tuple[Literal["RAISE_TO", "RUNS"], int]
    | tuple[Literal["DRAW"], tuple[str, ...]]
)
"""One action."""
Answer: TypeAlias = SingleAnswer | tuple[Literal["MIXED"], tuple[tuple[SingleAnswer, float], ...]]
"""`"FOLD"`, `"CHECK"`, `"CALL"` or `("RAISE_TO", total)`, where the total is the seat's whole bet on this street.

In draw games, `("DRAW", cards)` names the cards to change, and `"DRAW"` alone stands pat. If the question has
`must_discard`, `cards` has that number of cards. `("RUNS", number)` answers how often the rest of the board is dealt.
`("MIXED", entries)` has several of these with probabilities; see `mixed`.
"""

SingleGameAnswer: TypeAlias = TableMove | int | str | dict[str, Any]
GameAnswer: TypeAlias = SingleGameAnswer | tuple[Literal["MIXED"], tuple[tuple[SingleGameAnswer, float], ...]]
"""The answer to an `ask`: one of `ask.moves`, its number in `ask.legal`, or one of `ask.legal` itself.

`("MIXED", entries)` has several of these with probabilities.
"""

MARGIN_MS = 500


class AnswerError(PitbossError, ValueError):
    """The answer is not legal."""


def thinking_ms(time_ms: int) -> float:
    """Return the time for an answer in milliseconds: the seat's time minus a margin for sending the answer.

    The margin is half a second or a fifth of the time, whichever is smaller.

    >>> thinking_ms(15_000), thinking_ms(1_000)
    (14500, 800.0)
    """
    return time_ms - min(MARGIN_MS, time_ms / 5)


def fold() -> SingleAnswer:
    """Give up the hand.

    >>> fold()
    'FOLD'
    """
    return "FOLD"


def check() -> SingleAnswer:
    """Stay without paying.

    >>> check()
    'CHECK'
    """
    return "CHECK"


def call() -> SingleAnswer:
    """Pay what is owed, or all chips if that is less.

    >>> call()
    'CALL'
    """
    return "CALL"


def raise_to(total: int) -> SingleAnswer:
    """Bet or raise, so that the seat's bet on this street is `total`.

    >>> raise_to(1200)
    ('RAISE_TO', 1200)
    """
    return "RAISE_TO", total


def draw(cards: Iterable[str] = ()) -> SingleAnswer:
    """Change these cards. Without cards, stand pat.

    >>> draw(["Ks", "Qd"]), draw()
    (('DRAW', ('Ks', 'Qd')), 'DRAW')
    """
    given = tuple(cards)
    return ("DRAW", given) if given else "DRAW"


def runs(number: int) -> SingleAnswer:
    """Deal the rest of the board this number of times, or fewer if another player wants fewer.

    >>> runs(2)
    ('RUNS', 2)
    """
    return "RUNS", number


def mixed(strategy: Mapping[SingleAnswer, float]) -> Answer:
    """Answer with a mixed strategy: legal actions with probabilities that add up to 1. The server draws one.

    >>> mixed({raise_to(300): 0.2, fold(): 0.8})
    ('MIXED', ((('RAISE_TO', 300), 0.2), ('FOLD', 0.8)))
    """
    return "MIXED", tuple(strategy.items())


def safe_answer(act: Act) -> SingleAnswer:
    """Return the safe answer: check if that is legal, otherwise fold. Post a forced bring-in. Stand pat in a draw.

    In a discard, discard the cards that were dealt last. Deal the rest of the board once.
    """
    if "RUNS" in act.legal:
        return runs(1)
    if act.must_discard:
        return draw(act.you.hole[-act.must_discard :])
    return _safe_word(act)


@overload
def safe_action(question: Act) -> Action: ...


@overload
def safe_action(question: Question) -> Action | MoveMessage: ...


def safe_action(question: Question) -> Action | MoveMessage:
    """Return the message with the safe answer. In games other than poker, the server names it in the question."""
    if isinstance(question, Ask):
        return _move(question, question.default or 0)
    return read_answer(safe_answer(question), question)


def spell_reply(reply: Action | MoveMessage, question: Question) -> str:
    """Return an answer in the words of the game."""
    if reply.strategy is not None:
        return "a strategy"
    if isinstance(reply, Action):
        return reply.action or ""
    return question.moves[reply.index or 0].text if isinstance(question, Ask) else ""


def _safe_word(act: Act) -> Literal["CHECK", "FOLD", "CALL", "DRAW"]:
    for word in ("DRAW", "CHECK", "FOLD"):
        if word in act.legal:
            return word
    return "CALL"


@overload
def read_answer(answer: object, question: Act) -> Action: ...


@overload
def read_answer(answer: object, question: Question) -> Action | MoveMessage: ...


def read_answer(answer: object, question: Question) -> Action | MoveMessage:
    """Return the message with an answer to a question; raise `AnswerError` if the answer is not legal."""
    match answer:
        case ("MIXED", tuple() | list() as strategy):
            return _read_mixed(strategy, question)
    return _read_single(answer, question)


def answer_of(reply: Action | MoveMessage) -> Answer | GameAnswer:
    """Return the answer that a message contains.

    >>> answer_of(Action(v=1, hand_id="H-1", action="RAISE_TO", amount=300))
    ('RAISE_TO', 300)
    """
    if reply.strategy is not None:
        mixed: Any = tuple([(_single(each), p) for each, p in entries(reply)])
        return "MIXED", mixed
    return _single(reply)


def _single(reply: Action | MoveMessage) -> SingleAnswer | SingleGameAnswer:
    if isinstance(reply, MoveMessage):
        move: SingleGameAnswer = reply.move if reply.index is None else reply.index
        return move
    match reply.action:
        case "RAISE_TO" | "RUNS" as word:
            return word, reply.amount or 0
        case "DRAW":
            return draw(reply.discard or ())
        case "FOLD" | "CHECK" | "CALL" as word:
            return word
    raise AnswerError("expected an action or a strategy, got neither")


def _read_mixed(strategy: Sequence[object], question: Question) -> Action | MoveMessage:
    """Return the message with a mixed strategy."""
    read: list[tuple[Action | MoveMessage, float]] = []
    for number, entry in enumerate(strategy, 1):
        match entry:
            case (answer, int() | float() as p):
                try:
                    read.append((_read_single(answer, question), p))
                except AnswerError as error:
                    raise AnswerError(f"strategy, entry {number}: {error}") from None
            case _:
                raise AnswerError(f"strategy, entry {number}: expected an answer and its probability")
    if fault := weights_fault([p for _, p in read]):
        raise AnswerError(f"strategy: {fault}")
    if isinstance(question, Ask):
        moves = tuple([WeightedMove(index=move.index, p=p) for move, p in read if isinstance(move, MoveMessage)])
        return MoveMessage(v=1, hand_id=question.hand_id, turn=question.turn, strategy=moves)
    actions = tuple(
        [
            WeightedAction(action=action.action, p=p, amount=action.amount, discard=action.discard)
            for action, p in read
            if isinstance(action, Action) and action.action is not None
        ]
    )
    return Action(v=1, hand_id=question.hand_id, turn=question.turn, strategy=actions)


def _read_single(answer: object, question: Question) -> Action | MoveMessage:
    return _choice(answer, question) if isinstance(question, Ask) else _poker_answer(answer, question)


def _choice(answer: object, ask: Ask) -> MoveMessage:
    """Return the message with the chosen move of a game other than poker."""
    most = len(ask.legal) - 1
    if isinstance(answer, TableMove):
        answer = answer.index
    if not isinstance(answer, bool) and hasattr(answer, "__index__"):
        number = index(answer)
        if not 0 <= number <= most:
            raise AnswerError(f"move {number}: expected a number from 0 to {most}")
        return _move(ask, number)
    if answer not in ask.legal:
        raise AnswerError(f"{_short(answer)} is not on offer: answer one of ask.moves, or its number from 0 to {most}")
    return _move(ask, ask.legal.index(answer))


def _move(ask: Ask, number: int) -> MoveMessage:
    return MoveMessage(v=1, hand_id=ask.hand_id, index=number, turn=ask.turn)


def _poker_answer(answer: object, act: Act) -> Action:
    """Return the message with an answer to an `act`."""
    word, amount, discard = _parts(answer)
    if word not in act.legal:
        raise AnswerError(f"{word} is not on offer: answer one of {', '.join(act.legal)}")
    if word == "RAISE_TO":
        amount = _within(amount, act)
    if word == "RUNS" and not 1 <= (amount or 0) <= (act.most_runs or 1):
        raise AnswerError(f"RUNS {amount} is out of bounds: answer 1 to {act.most_runs}")
    if discard is not None:
        _check_held(discard, act)
    if act.must_discard and word == "DRAW" and len(discard or ()) != act.must_discard:
        raise AnswerError(f"DRAW: expected {act.must_discard} cards to discard, got {len(discard or ())}")
    return Action(v=1, hand_id=act.hand_id, action=word, amount=amount, discard=discard, turn=act.turn)


def _parts(answer: object) -> tuple[Word, int | None, tuple[str, ...] | None]:
    """Return the word, the amount and the cards of a bot's answer."""
    match answer:
        case ("FOLD" | "CHECK" | "CALL" | "DRAW") as word:
            return word, None, None
        case "RAISE_TO":
            raise AnswerError('RAISE_TO needs an amount: answer ("RAISE_TO", total) or raise_to(total)')
        case (("RAISE_TO" | "RUNS") as word, amount):
            return word, _whole(amount, word), None
        case "RUNS":
            raise AnswerError('RUNS needs an amount: answer ("RUNS", number) or runs(number)')
        case ("DRAW", cards):
            return "DRAW", None, _cards(cards)
    raise AnswerError(
        f"{_short(answer)} is not an answer: give FOLD, CHECK, CALL, "
        '("RAISE_TO", total), ("DRAW", cards), ("RUNS", number) or mixed(strategy)'
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


def _whole(amount: object, word: Word) -> int:
    """Return an amount as a whole number. Whole numbers of NumPy are accepted; `True` and 3.0 are not."""
    if not isinstance(amount, bool) and hasattr(amount, "__index__"):
        return index(amount)
    what = "a whole number of chips" if word == "RAISE_TO" else "a whole number"
    raise AnswerError(f"{word}: expected {what}, got {_short(amount)}")


def _within(amount: int | None, act: Act) -> int:
    low, high = act.min_raise_to, act.max_raise_to
    if amount is None or low is None or high is None or not low <= amount <= high:
        raise AnswerError(f"RAISE_TO {amount} is out of bounds: raise to {low} at least and {high} at most")
    return amount


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
