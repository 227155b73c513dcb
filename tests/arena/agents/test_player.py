"""A model in a seat: one retry, then a check or a fold; failing endpoints never stop a table; costs add up."""

import asyncio
import json
import logging
from collections.abc import Sequence
from typing import Any

import pytest

from pitboss.arena.agents import endpoint
from pitboss.arena.agents.player import Costs, ModelBot, ModelPlayer, Thought
from pitboss.arena.agents.prompts import count_tokens
from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.offline import AskedBot, OfflineMatch
from pitboss.arena.wire.answers import safe_answer
from pitboss.chance import Chance
from pitboss.hand.structure import Structure
from pitboss.records.record import Record
from pitboss.study.marks import mark_hand
from pitboss.study.rows import make_row
from pitboss.study.tally import PlayerTally
from tests.arena.agents.test_prompts import free
from tests.support.arena.chat import Answer, Chat, chatting

ROOM = 60
"""Tokens by which the longest prompts of ten hands differ, because some hands have more events than others."""


def explain(structure: Structure) -> Sequence[str]:
    return [f"The rules of {structure.name}."]


def ask(chat: Chat, **settings: Any) -> tuple[object, Thought]:
    """Ask a model once; return its answer and what was noted."""
    thoughts: list[Thought] = []

    async def once() -> object:
        player = ModelPlayer("llm:m", chat.model(**settings), explain=explain, on_thought=thoughts.append)
        try:
            return await player.act(free())
        finally:
            await player.close()

    answer = asyncio.run(once())
    [thought] = thoughts
    return answer, thought


def test_the_first_message_is_always_the_same_and_has_the_rules() -> None:
    with chatting("Final answer: check") as chat:
        for _ in range(2):
            answer, thought = ask(chat)
    assert answer == "CHECK"
    first, second = (request["messages"][0] for request in chat.requests)
    assert first == second
    assert "The rules of no-limit hold'em." in first["content"]
    assert thought.fallback is None
    assert (thought.tokens_in, thought.tokens_out) == (100, 10)


def test_settings_reach_the_endpoint_and_the_key_only_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_TEST_KEY", "sk-secret")
    with chatting("check") as chat:
        ask(chat, key_env="PITBOSS_TEST_KEY", temperature=0.5, max_tokens=7)
    [request], [headers] = chat.requests, chat.headers
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("stand-in", 0.5, 7)
    assert headers["Authorization"] == "Bearer sk-secret"
    assert "sk-secret" not in json.dumps(request)


def test_an_unclear_answer_is_asked_again_with_the_legal_moves() -> None:
    with chatting(lambda request: Answer("hm" if len(request["messages"]) == 2 else "Final answer: 1")) as chat:
        answer, thought = ask(chat)
    assert answer == "CHECK"
    assert thought.asked == 2
    assert (thought.tokens_in, thought.tokens_out) == (200, 20)
    assert "The legal moves are:\n1. check" in chat.prompts()[1]


def test_after_two_unclear_answers_the_seat_checks() -> None:
    with chatting("hm") as chat:
        answer, thought = ask(chat)
    assert answer == safe_answer(free())
    assert thought.fallback == "gave no legal move twice"
    assert len(chat.requests) == 2


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (Answer(status=401, body=b"wrong key sk-secret"), "status 401: wrong key ***"),
        (Answer(status=500, headers={"Retry-After": "0"}), "status 500"),
        (Answer(status=429, headers={"Retry-After": "3600"}), "status 429"),
        (Answer(body=b"<html>"), "not a chat completion"),
        (Answer(body=b'{"choices": []}'), "without an answer"),
        (Answer(body=b"[" * 100_000), "not a chat completion"),
        (Answer(body=b'{"x":"' + b"y" * (1 << 20) + b'"}'), "more than 1,048,576 bytes"),
        (Answer(status=302, headers={"Location": "http://127.0.0.1:0/"}), "status 302"),
        (Answer(hangs=True), "did not answer within"),
    ],
)
def test_a_failing_endpoint_costs_a_check_and_never_shows_the_key(
    wrong: Answer, reason: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PITBOSS_TEST_KEY", "sk-secret")
    with chatting(wrong) as chat, caplog.at_level(logging.WARNING):
        answer, thought = ask(chat, key_env="PITBOSS_TEST_KEY", timeout_s=0.5 if wrong.hangs else 30)
    assert answer == "CHECK"
    assert reason in (thought.fallback or "")
    assert "sk-secret" not in caplog.text + (thought.fallback or "")
    assert "the seat checks or folds" in caplog.text


def test_an_endpoint_that_is_down_costs_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "PAUSE", 0.0)
    with chatting("check") as chat:
        pass
    answer, thought = ask(chat)
    assert answer == "CHECK"
    assert "cannot be reached" in (thought.fallback or "")


def test_a_limited_endpoint_is_asked_again_after_the_time_it_gives() -> None:
    answers = iter([Answer(status=429, headers={"Retry-After": "0"}), Answer("Final answer: check")])
    with chatting(lambda _: next(answers)) as chat:
        answer, thought = ask(chat)
    assert (answer, thought.fallback) == ("CHECK", None)


def test_a_stream_and_separate_reasoning_are_read() -> None:
    with chatting(Answer("<think>Aces!</think>Final answer: check", streams=True, tokens=(7, 3))) as chat:
        answer, thought = ask(chat)
    assert (answer, thought.tokens_in, thought.tokens_out) == ("CHECK", 7, 3)
    assert thought.reasoning.startswith("Aces!")
    with chatting(Answer("Final answer: check", reasoning="x" * 10_000)) as chat:
        _, thought = ask(chat)
    assert len(thought.reasoning) == 2_000


def test_when_the_budget_is_spent_the_seat_checks_and_says_so() -> None:
    with chatting(Answer("Final answer: check", tokens=(1_000, 0))) as chat:
        thoughts: list[Thought] = []

        async def thrice() -> None:
            model = chat.model(price_in=1_000, budget_usd=1.5)
            player = ModelPlayer("llm:m", model, explain=explain, on_thought=thoughts.append)
            for _ in range(3):
                await player.act(free())
            await player.close()

        asyncio.run(thrice())
    assert [thought.usd for thought in thoughts] == [1.0, 1.0, 0.0]
    assert [thought.fallback for thought in thoughts] == [None, None, "has spent its budget of 1.5 USD"]
    assert len(chat.requests) == 2


def test_without_usage_tokens_are_estimated_and_the_budget_holds() -> None:
    with chatting(Answer("Final answer: check", tokens=None)) as chat:
        answer, thought = ask(chat, price_in=1, price_out=1)
        [request] = chat.requests
        assert answer == "CHECK"
        assert thought.tokens_in == sum(count_tokens(message["content"]) for message in request["messages"]) > 100
        assert thought.tokens_out == count_tokens("Final answer: check")
        costs = Costs(usd=thought.usd)

        async def once_more() -> None:
            model = chat.model(price_in=1, price_out=1, budget_usd=thought.usd)
            player = ModelPlayer("llm:m", model, explain=explain, costs=costs)
            await player.act(free())
            await player.close()

        asyncio.run(once_more())
        assert (costs.fallbacks, len(chat.requests)) == (1, 1)


def test_a_model_answers_with_percentages() -> None:
    with chatting("Final answer: check 80%, fold 20%") as chat:
        answer, thought = ask(chat)
    assert answer == ("MIXED", (("CHECK", 0.8), ("FOLD", 0.2)))
    assert thought.move == "80% check, 20% fold"


def flat(longest: dict[int, int]) -> bool:
    """Whether prompts are no longer in the last ten hands than in the ten hands from the tenth on."""
    early = max(tokens for hand, tokens in longest.items() if 10 <= hand < 20)
    return max(tokens for hand, tokens in longest.items() if hand > max(longest) - 10) <= early + ROOM


@pytest.mark.slow
def test_six_models_play_five_hundred_hands_with_faults() -> None:
    play_with_faults(500)


def test_six_models_with_faults_lose_no_turn_and_costs_add_up() -> None:
    play_with_faults(25)


def play_with_faults(hands: int) -> None:
    """Each model answers a share of its questions with garbage, errors or unclear text."""
    faults = [
        Answer("hm"),
        Answer(status=500, headers={"Retry-After": "0"}),
        Answer(body=b"{"),
        Answer("Final answer: raise to 1"),
    ]
    chance = Chance(5)

    def script(request: dict[str, Any]) -> Answer:
        if chance.below(5) == 0:
            return chance.choice(faults)
        return Answer(f"Final answer: {1 + chance.below(3)}", tokens=(count_tokens(str(request)), 5))

    thoughts: dict[str, list[Thought]] = {}
    with chatting(script) as chat:
        bots = []
        for number in range(6):
            name = f"llm:m{number}"
            model = chat.model(price_in=1, price_out=2)
            player = ModelPlayer(name, model, explain=explain, on_thought=thoughts.setdefault(name, []).append)
            bots.append((name, ModelBot(player)))
        match = OfflineMatch(bots, chance=Chance(2))
        try:
            for _ in range(hands):
                match.play_hand()
        finally:
            for _, bot in bots:
                bot.close()
    results = match.results()
    assert sum(result.net for result in results) == 0
    assert [result.illegal for result in results] == [0] * 6
    for name, bot in bots:
        costs = bot.player.costs
        assert costs.hands == hands
        assert costs.answers == len(thoughts[name])
        assert costs.fallbacks == sum(thought.fallback is not None for thought in thoughts[name]) > 0
        assert costs.usd == pytest.approx(sum(thought.usd for thought in thoughts[name]))
    after_rules: dict[int, int] = {}  # by hand: the tokens of its longest first prompt
    for request, prompt in zip(chat.requests, chat.prompts(), strict=True):
        if len(request["messages"]) == 2:
            hand = int(prompt.partition(",")[0].rpartition("-")[2])
            after_rules[hand] = max(after_rules.get(hand, 0), count_tokens(prompt))
    assert max(after_rules.values()) <= 700
    assert flat(after_rules)
    assert max(len(request["messages"][0]["content"]) for request in chat.requests) == min(
        len(request["messages"][0]["content"]) for request in chat.requests
    )


def test_statistics_of_opponents_are_those_of_the_recorded_hands() -> None:
    records: list[Record] = []
    with chatting("Final answer: call") as chat:
        player = ModelPlayer("llm:m", chat.model(), explain=explain)
        bot = ModelBot(player)
        names = ["llm:m", "sharp", "tight", "random"]
        seated: list[tuple[str, AskedBot]] = [("llm:m", bot)]
        seated += [(name, HOUSE[name](Chance(7))) for name in names[1:]]
        match = OfflineMatch(seated, chance=Chance(11), on_hand=records.append)
        for _ in range(40):
            match.play_hand()
        bot.close()
    for seat, name in enumerate(names):
        tally = PlayerTally()
        for record in records:
            marked = mark_hand(record, expected=False)
            for marks in marked.players:
                if marks.name == name:
                    tally.count(marks, marked.currency, marked.big)
        wanted, seen = make_row(name, None, tally), player._opponents.row(seat)
        assert seen is not None
        for figure in ("hands", "won", "vpip", "pfr", "three_bet", "aggression", "wtsd"):
            assert getattr(seen, figure) == getattr(wanted, figure), (name, figure)
    last = chat.prompts()[-1]
    assert "Opponents so far:" in last
    assert "VPIP" in last
