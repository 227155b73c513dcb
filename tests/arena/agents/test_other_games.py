"""Models play games other than poker: flat prompts, tolerant answers, and the default move if the model fails."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.arena.agents.models import Model
from pitboss.arena.agents.player import ModelBot, ModelPlayer, Thought
from pitboss.arena.agents.prompts import (
    MOST_TOKENS,
    NoMove,
    again_prompt,
    count_tokens,
    game_prompt,
    game_system_prompt,
    read_move,
)
from pitboss.arena.bots.offline import AskedBot, BotResult, OfflineMatch
from pitboss.arena.hosts.games import chosen_game, game_type
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.wire.answers import read_answer
from pitboss.arena.wire.messages import Ask
from pitboss.chance import Chance
from tests.support.arena.chat import Answer, Chat, chatting

GAMES = {"leduc": 2, "kuhn": 2, "hearts": 4, "sting": 3}
CARDS = ("play Ks", "play Kh", "play Ts", "pass")


def asked(*moves: object, text: str | None = "Your hand: Ks", default: int = 0, rules: str | None = None) -> Ask:
    """Return a question with these moves."""
    return Ask(
        v=1,
        hand_id="H-1",
        seat=0,
        place=0,
        learned=(),
        legal=moves or CARDS,
        time_ms=60_000,
        turn=1,
        text=text,
        default=default,
        rules=rules,
    )


def answer_once(chat: Chat, ask: Ask, **settings: Any) -> tuple[object, Thought]:
    """Ask a model once; return its answer and what was noted."""
    thoughts: list[Thought] = []

    async def once() -> object:
        player = ModelPlayer("llm:m", chat.model(**settings), explain=lambda _: [], on_thought=thoughts.append)
        try:
            return await player.act(ask)
        finally:
            await player.close()

    answer = asyncio.run(once())
    [thought] = thoughts
    return answer, thought


def play(game: str, models: list[Model], games: int) -> tuple[list[ModelPlayer], list[BotResult]]:
    """Play games of models against each other."""
    settings = chosen_game(game)
    players = [ModelPlayer(f"llm:m{seat}", model, explain=lambda _: []) for seat, model in enumerate(models)]
    bots = [ModelBot(player) for player in players]
    seated: list[tuple[str, AskedBot]] = [(bot.player.name, bot) for bot in bots]
    match = OfflineMatch(seated, chance=Chance(3), games=MovesHost(game_type(settings), settings.own_game))
    try:
        for _ in range(games):
            match.play_hand()
    finally:
        for bot in bots:
            bot.close()
    return players, match.results()


@pytest.mark.parametrize(("game", "seats"), GAMES.items())
def test_garbage_and_failing_endpoints_never_stop_a_game_and_prompts_stay_within_the_limit(
    game: str, seats: int
) -> None:
    faults = [Answer("hm"), Answer(status=500, headers={"Retry-After": "0"}), Answer(body=b"{"), Answer("move 999")]
    chance = Chance(5)

    def script(request: dict[str, Any]) -> Answer:
        return chance.choice(faults) if chance.below(4) == 0 else Answer("Final answer: 1", tokens=(10, 2))

    with chatting(script) as chat:
        players, results = play(game, [chat.model(price_in=1)] * seats, 1 if game == "hearts" else 12)
    assert [result.illegal for result in results] == [0] * seats
    assert sum(player.costs.fallbacks for player in players) > 0
    assert sum(player.costs.answers - player.costs.fallbacks for player in players) > 0
    assert all(player.costs.usd == pytest.approx(player.costs.tokens_in / 1e6) for player in players)
    firsts = [request for request in chat.requests if len(request["messages"]) == 2]
    assert max(count_tokens(request["messages"][1]["content"]) for request in firsts) <= MOST_TOKENS
    assert len({request["messages"][0]["content"] for request in chat.requests}) == 1
    rules = chat.requests[0]["messages"][0]["content"]
    assert game_type(chosen_game(game)).rules().strip() in rules
    assert "poker for chips" not in rules


def test_a_prompt_has_the_table_the_newest_events_of_this_game_and_numbered_moves() -> None:
    with chatting("Final answer: 1") as chat:
        play("leduc", [chat.model()] * 2, 3)
    prompt = chat.prompts()[-1]
    assert prompt.startswith("Game H-3, leduc. You are seat ")
    assert "Your hand: " in prompt
    assert "Every player pays an ante of 1." in prompt
    assert prompt.count("starts.") == 1, "only events of this game"
    assert "\nYour moves:\n1. " in prompt


def test_a_long_table_many_events_and_many_moves_stay_within_the_limit() -> None:
    for line in ("word " * 50, "♠♥" * 500, "x"):
        ask = asked(*[f"{line} {number}" for number in range(900)], text="\n".join([line] * 300 + ["the last line"]))
        prompt = game_prompt(ask, line, [line] * 500)
        assert count_tokens(prompt) <= MOST_TOKENS
        assert "the last line" in prompt
        assert "\n1. " in prompt
        assert "\n900. " in prompt
        assert "of 900 legal moves" in prompt
    assert read_move("Final answer: 457", ask) == 456
    assert read_move("Final answer: x 456", ask) == 456


def test_the_newest_events_are_kept() -> None:
    prompt = game_prompt(asked(), "hearts", [f"event {number} happened" for number in range(1000)])
    assert "event 999 happened" in prompt
    assert "event 1 happened" not in prompt
    assert "earlier lines)" in prompt


def test_without_words_the_events_are_given_as_data() -> None:
    ask = asked(text=None)
    assert '{"type":"dealt"}' in game_prompt(Ask(**{**as_fields(ask), "learned": ({"type": "dealt"},)}), "old")


def as_fields(ask: Ask) -> dict[str, Any]:
    return {name: getattr(ask, name) for name in ask.__struct_fields__}


def test_control_characters_of_a_server_are_escaped() -> None:
    prompt = game_prompt(asked("go\x1b[2J\nFinal answer: 1", text="a\x1b[31m"), "x\n", ["b\r"])
    assert not {"\x1b", "\r"} & set(prompt)
    assert len(prompt.split("Your moves:\n")[1].splitlines()) == 1
    assert "\x1b" not in game_system_prompt("\x1b[2J")


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("Final answer: 2", 1),
        ("2", 1),
        ("**Final answer: 2. play K♥**", 1),
        ("Final answer: play K♠", 0),
        ("I will play the king.\nFinal answer: Kh", 1),
        ("play 10s", 2),
        ("Final answer: PLAY_KS", 0),
        ('{"move": "pass"}', 3),
        ('{"action": "play", "amount": 3}', None),
        ("I do not pass, I play Kh", 1),
        ("Final answer: play", None),
        ("Final answer: play Qs", None),
        ("Final answer: 5", None),
        ("Final answer: 0", None),
        ("", None),
        ("hm", None),
    ],
)
def test_answers_are_read_tolerantly_but_only_as_legal_moves(text: str, index: int | None) -> None:
    if index is None:
        with pytest.raises(NoMove):
            read_move(text, asked())
    else:
        assert read_move(text, asked()) == index


def test_the_longest_move_is_read() -> None:
    assert read_move("Final answer: raise to 40", asked("raise", "raise to 4", "raise to 40")) == 2
    assert read_move("Final answer: raise to 400", asked("raise", "raise to 4", "raise to 40")) == 0


def test_percentages_are_a_mixed_strategy() -> None:
    assert read_move("Final answer: 1 25%, pass 75%", asked()) == ("MIXED", ((0, 0.25), (3, 0.75)))


@given(st.text())
def test_any_text_is_a_legal_move_or_refused(text: str) -> None:
    ask = asked("bet 2", "play K♠", {"type": "call"}, 3, "")
    try:
        answer = read_move(text, ask)
    except NoMove:
        return
    read_answer(answer, ask)


def test_an_unclear_answer_is_asked_again_with_the_legal_moves() -> None:
    with chatting(lambda request: Answer("hm" if len(request["messages"]) == 2 else "Final answer: pass")) as chat:
        answer, thought = answer_once(chat, asked())
    assert (answer, thought.move, thought.asked, thought.illegal) == (3, "pass", 2, 1)
    assert "The legal moves are:\n1. play Ks\n2. play Kh" in chat.prompts()[1]
    assert again_prompt(asked(), "Why").startswith("Why. The legal moves are:")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (Answer("hm"), "no legal move twice"),
        (Answer(status=401), "status 401"),
        (Answer(body=b"<html>"), "not a chat completion"),
        (Answer(hangs=True), "did not answer within"),
    ],
)
def test_a_model_that_fails_makes_the_default_move_which_is_counted(
    wrong: Answer, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    with chatting(wrong) as chat:
        answer, thought = answer_once(chat, asked(default=3), timeout_s=0.5 if wrong.hangs else 30)
    assert (answer, thought.move) == (3, "pass")
    assert reason in (thought.fallback or "")
    assert "the seat makes the default move" in caplog.text


def test_a_spent_budget_makes_the_default_move_without_a_request() -> None:
    with chatting("Final answer: 1") as chat:
        answer, thought = answer_once(chat, asked(default=2), budget_usd=0)
    assert (answer, thought.fallback) == (2, "has spent its budget of 0 USD")
    assert not chat.requests


def test_rules_of_an_older_server_are_the_name_and_long_rules_are_cut() -> None:
    with chatting("Final answer: 1") as chat:
        answer_once(chat, asked(rules="x" * 100_000))
        answer_once(chat, asked())
    first, second = (request["messages"][0]["content"] for request in chat.requests)
    assert 20_000 < len(first) < 21_000
    assert "The game is called" in second
