"""A language model in a seat: it asks the endpoint, reads the answer, and notes what the model thought."""

import asyncio
import logging
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import overload

from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.agents.endpoint import Endpoint, EndpointError, Reply
from pitboss.arena.agents.models import Model
from pitboss.arena.agents.opponents import Opponents
from pitboss.arena.agents.prompts import (
    NoMove,
    again_prompt,
    count_tokens,
    game_prompt,
    game_system_prompt,
    question_prompt,
    read_move,
    split_thought,
    system_prompt,
)
from pitboss.arena.bots.toolkit import opponents
from pitboss.arena.wire.answers import Answer, GameAnswer, Question, answer_of, safe_action, thinking_ms
from pitboss.arena.wire.messages import Act, Ask, Happened, ServerMessage, StartHand, Welcome
from pitboss.arena.wire.poker import find_games, find_variant
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.structure import Structure

log = logging.getLogger("pitboss.client")

LONGEST_REASONING = 2_000
"""The number of characters of a model's reasoning that are kept."""
MOST_WARNINGS = 20
MOST_EVENTS = 100
"""The number of events of a game other than poker that are kept for the next question."""
LEAST_SECONDS = 0.05
"""A question with less time left is not sent."""


class Thought(Struct, frozen=True, omit_defaults=True):
    """What led to one answer."""

    name: str  #: of the model's team
    hand_id: str
    turn: int
    move: str  #: the answer that was given
    reasoning: str  #: the model's own words, shortened
    ms: int  #: the time from the question to the answer
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    asked: int = 1  #: the number of requests
    illegal: int = 0  #: the number of replies without a legal move
    fallback: str | None = None  #: why the answer is a check, a fold or a default move of the seat itself, if it is


class Costs(Struct):
    """The sums over all answers of a model."""

    answers: int = 0
    retried: int = 0  #: answers for which the model was asked again
    fallbacks: int = 0  #: answers that were checks, folds or default moves of the seat itself
    ms: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    hands: int = 0

    def add(self, thought: Thought) -> None:
        """Add one answer."""
        self.answers += 1
        self.retried += thought.asked > 1
        self.fallbacks += thought.fallback is not None
        self.ms += thought.ms
        self.tokens_in += thought.tokens_in
        self.tokens_out += thought.tokens_out
        self.usd += thought.usd

    def line(self) -> str:
        """Return the sums as one line."""
        each = self.ms / self.answers / 1000 if self.answers else 0.0
        words = [f"answers: {self.answers:,}, {each:.1f} s each", f"asked again: {self.retried:,}"]
        words += [f"fallbacks: {self.fallbacks:,}", f"tokens: {self.tokens_in:,} + {self.tokens_out:,}"]
        if self.usd:
            words.append(f"cost: {self.usd:.4f} USD, {self.usd / max(1, self.hands):.4f} per hand")
        return "; ".join(words)


class ModelPlayer:
    """A bot for any game that asks a language model. It never raises and is never late.

    If the model fails, it checks or folds, or makes the default move of the question.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        *,
        explain: Callable[[Structure], Sequence[str]],
        costs: Costs | None = None,
        on_thought: Callable[[Thought], object] | None = None,
    ) -> None:
        self.name, self.model = name, model
        self.costs = Costs() if costs is None else costs
        self._explain, self._on_thought = explain, on_thought
        self._endpoint = Endpoint(model)
        self._opponents = Opponents()
        self._structures: tuple[Structure, ...] = (NO_LIMIT_HOLDEM,)
        self._structure = NO_LIMIT_HOLDEM
        self._rules: dict[str, str] = {}  # the first message, by game
        self._variant = ""  # the game of the table, if it is not poker
        self._game_rules = ""  # its rules
        self._events: dict[int, str] = {}  # what happened in it, by number
        self._warned: set[str] = set()

    def on_message(self, message: ServerMessage) -> None:
        """Note what happens at the table."""
        if isinstance(message, Welcome):
            config = message.config
            games = find_games(config.variant, config.game)
            self._variant = "" if games else config.variant
            self._structures = games or self._structures
            self._structure = self._structures[0]
        elif isinstance(message, Happened) and message.text:
            self._events[message.seq] = message.text
            if len(self._events) > MOST_EVENTS:
                del self._events[next(iter(self._events))]
        elif isinstance(message, StartHand):
            self.costs.hands += 1
            self._events.clear()
            if message.variant is not None:
                self._structure = (*find_variant(message.variant), self._structure)[0]
        self._opponents.receive(message, None if self._variant else self._structure)

    @overload
    async def act(self, question: Act, /) -> Answer: ...

    @overload
    async def act(self, question: Ask, /) -> GameAnswer: ...

    @overload
    async def act(self, question: Question, /) -> Answer | GameAnswer: ...

    async def act(self, question: Question, /) -> Answer | GameAnswer:
        """Return the model's answer to a question."""
        whole_ms = question.whole_ms if isinstance(question, Ask) else question.you.whole_ms
        seconds = min(self.model.timeout_s, thinking_ms(whole_ms) / 1000)
        answer, noted = await self._think(question, time.monotonic() + seconds)
        self.costs.add(noted)
        kind = re.sub(r"[\d.]+", "", noted.fallback or "")
        if noted.fallback is not None and kind not in self._warned and len(self._warned) < MOST_WARNINGS:
            self._warned.add(kind)
            instead = "makes the default move" if isinstance(question, Ask) else "checks or folds"
            log.warning("%s %s; the seat %s", self.name, noted.fallback, instead)
        if self._on_thought is not None:
            self._on_thought(noted)
        return answer

    async def close(self) -> None:
        """Close the connection to the endpoint."""
        await self._endpoint.close()

    async def _think(self, question: Question, end: float) -> tuple[Answer | GameAnswer, Thought]:
        begun = time.monotonic()
        chat = [
            {"role": "system", "content": self._first_message(question)},
            {"role": "user", "content": self._question(question)},
        ]
        replies: list[Reply] = []
        illegal = 0
        answer: Answer | GameAnswer | None = None
        fallback: str | None = None
        while answer is None and fallback is None:
            left = end - time.monotonic()
            if self._is_spent(replies):
                fallback = f"has spent its budget of {self.model.budget_usd:g} USD"
            elif left < LEAST_SECONDS:
                fallback = "has no time left"
            else:
                try:
                    reply = await self._endpoint.ask(chat, left)
                except EndpointError as error:
                    fallback = f"has an endpoint that {error}"
                    break
                replies.append(_counted(reply, chat))
                text, _ = split_thought(reply.text)
                try:
                    answer = read_move(text, question)
                except NoMove as error:
                    illegal += 1
                    if len(replies) > 1:
                        fallback = "gave no legal move twice"
                    chat += [
                        {"role": "assistant", "content": text[:LONGEST_REASONING] or "(no text)"},
                        {"role": "user", "content": again_prompt(question, str(error))},
                    ]
        given = answer_of(safe_action(question)) if answer is None else answer
        tokens_in, tokens_out = sum(each.tokens_in for each in replies), sum(each.tokens_out for each in replies)
        return given, Thought(
            name=self._opponents.names.get(question.seat, self.name),
            hand_id=question.hand_id,
            turn=question.turn,
            move=spell_answer(given, question),
            reasoning=_reasoning(replies),
            ms=round(1000 * (time.monotonic() - begun)),
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            usd=self.model.cost(tokens_in, tokens_out),
            asked=max(1, len(replies)),
            illegal=illegal,
            fallback=fallback if answer is None else None,
        )

    def _first_message(self, question: Question) -> str:
        if isinstance(question, Ask):
            self._game_rules = question.rules or self._game_rules
            return game_system_prompt(self._game_rules or f"The game is called {self._variant}.")
        structure = self._structure
        if structure.key not in self._rules:
            self._rules[structure.key] = system_prompt(self._explain(structure))
        return self._rules[structure.key]

    def _question(self, act: Question) -> str:
        if isinstance(act, Ask):
            return game_prompt(act, self._variant, [*self._events.values()])
        others = [player.seat for player in opponents(act)]
        return question_prompt(act, self._structure, self._opponents.names, self._opponents.lines(others))

    def _is_spent(self, replies: Sequence[Reply]) -> bool:
        budget = self.model.budget_usd
        now = sum(self.model.cost(reply.tokens_in, reply.tokens_out) for reply in replies)
        return budget is not None and self.costs.usd + now >= budget


class ModelBot:
    """A model's player for callers without an event loop; it has a loop of its own."""

    pid = None  #: it needs no process
    out = None  #: it is never disqualified

    def __init__(self, player: ModelPlayer) -> None:
        self.player = player
        self.on_message = player.on_message
        self._runner = asyncio.Runner()
        self._using = threading.Lock()
        self._task: asyncio.Task[Answer | GameAnswer] | None = None
        self._closed = False

    def __call__(self, question: Question) -> Answer | GameAnswer:
        """Return the answer to a question; the safe answer if the bot is closed meanwhile."""
        with self._using:
            if not self._closed:
                with suppress(asyncio.CancelledError):
                    return self._runner.run(self._ask(question))
            return answer_of(safe_action(question))

    async def _ask(self, question: Question) -> Answer | GameAnswer:
        self._task = asyncio.current_task()
        return await self.player.act(question)

    def close(self) -> None:
        """Close the connection to the endpoint. Any thread may call this; an open question gets the safe answer."""
        if self._closed:
            return
        self._closed = True
        if self._task is not None:
            self._runner.get_loop().call_soon_threadsafe(self._task.cancel)
        with self._using:
            self._runner.run(self.player.close())
            self._runner.close()


def spell_answer(answer: Answer | GameAnswer, question: Question | None = None) -> str:
    """Return an answer in words; a number is a move of `question`.

    >>> spell_answer(("RAISE_TO", 300)), spell_answer("DRAW")
    ('raise to 300', 'stand pat')
    """
    match answer:
        case int() if isinstance(question, Ask):
            return question.moves[answer].text[:LONGEST_REASONING]
        case ("RAISE_TO", amount):
            return f"raise to {amount}"
        case ("DRAW", cards):
            return f"change {' '.join(map(str, cards))}"
        case "DRAW":
            return "stand pat"
        case ("MIXED", strategy):
            return ", ".join([f"{100 * p:.3g}% {spell_answer(each, question)}" for each, p in strategy])
    return str(answer).lower()


def _counted(reply: Reply, chat: Sequence[Mapping[str, str]]) -> Reply:
    """Return a reply with its tokens. They are estimated if the endpoint sends none, so that a budget holds."""
    if reply.tokens_in or reply.tokens_out:
        return reply
    tokens_in = sum([count_tokens(message["content"]) for message in chat])
    return replace(reply, tokens_in=tokens_in, tokens_out=count_tokens(reply.text + reply.reasoning))


def _reasoning(replies: Sequence[Reply]) -> str:
    """Return what the model wrote, its separate reasoning first, shortened."""
    parts = []
    for reply in replies:
        text, thought = split_thought(reply.text)
        parts += [part for part in (reply.reasoning.strip(), thought, text) if part]
    return "\n".join(parts)[:LONGEST_REASONING]
