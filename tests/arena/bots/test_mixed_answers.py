"""Bots that answer with a mixed strategy: what `mixed` returns, and how a match without a server draws from it."""

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from pitboss.arena.bots.offline import KeyedDecks, OfflineMatch
from pitboss.arena.wire.answers import AnswerError, answer_of, read_answer
from pitboss.client import Act, Answer, call, check, fold, mixed, raise_to
from pitboss.formats.phh import read_phh, write_phh
from pitboss.records.record import Record
from tests.support.arena.bot_spots import ask, deal
from tests.support.for_each import for_each


def sometimes(act: Act) -> Answer:
    stay = check() if "CHECK" in act.legal else call()
    return mixed({stay: 0.75, fold(): 0.25})


def match(seed: int, records: list[Record]) -> OfflineMatch:
    return OfflineMatch([("a", sometimes), ("b", sometimes)], chance=KeyedDecks(seed), on_hand=records.append)


def test_an_answer_is_read_and_written_again() -> None:
    act = ask(deal("AsAd", "KsKd"), range(2))
    given = mixed({raise_to(300): 0.2, call(): 0.3, fold(): 0.5})
    assert answer_of(read_answer(given, act)) == given


BAD: list[tuple[Any, str]] = [
    (("MIXED", (("CALL", 0.5), ("FOLD", 0.4))), "strategy: expected probabilities that add up to 1, got 0.9"),
    (("MIXED", (("CALL", 2.0), ("FOLD", -1.0))), "strategy: expected probabilities from 0 to 1, got 2"),
    (("MIXED", (("CALL", float("nan")), ("FOLD", 1.0))), "strategy: expected probabilities from 0 to 1, got nan"),
    (("MIXED", (("CHECK", 1.0),)), "strategy, entry 1: CHECK is not on offer: answer one of FOLD, CALL, RAISE_TO"),
    (("MIXED", (("RAISE_TO", 0.5), ("FOLD", 0.5))), "strategy, entry 1: RAISE_TO needs an amount"),
    (("MIXED", ()), "strategy: expected 1 to 64 entries, got 0"),
    (("MIXED", (("FOLD", 1 / 65),) * 65), "strategy: expected 1 to 64 entries, got 65"),
    (("MIXED", ("FOLD",)), "strategy, entry 1: expected an answer and its probability"),
    (("MIXED", (("MIXED", 1.0),)), "strategy, entry 1: 'MIXED' is not an answer"),
]  # fmt: skip


@for_each("answer, sentence", BAD)
def test_a_bad_strategy_is_not_an_answer(answer: Any, sentence: str) -> None:
    with pytest.raises(AnswerError) as refused:
        read_answer(answer, ask(deal("AsAd", "KsKd"), range(2)))
    assert str(refused.value).startswith(sentence)


def test_draws_come_from_the_seed_and_follow_the_probabilities() -> None:
    records: list[Record] = []
    first = match(7, records)
    for _ in range(400):
        first.play_hand()
    assert not any(player.illegal for player in first.players)
    first_answers = [record.actions for record in records]
    drawn = Counter(
        next(a for a in actions if a[:2] in ("p1", "p2") and a.split()[1] in ("f", "cc", "cbr")).split()[1]
        for actions in first_answers
    )
    assert 60 < drawn["f"] < 140  # of 400; the seed is fixed
    again: list[Record] = []
    second = match(7, again)
    for _ in range(400):
        second.play_hand()
    assert [record.actions for record in again] == first_answers


def test_a_recorded_hand_has_its_strategies_and_is_read_again() -> None:
    records: list[Record] = []
    played = match(1, records)
    played.play_hand()
    strategies: Any = records[0].user["_strategies"]
    assert strategies[0] == {
        "at": 0,
        "player": 1 if records[0].actions[2].startswith("p1") else 2,
        "strategy": (
            {"action": "CALL", "p": Decimal("0.75")},
            {"action": "FOLD", "p": Decimal("0.25")},
        ),
    }
    assert [entry["at"] for entry in strategies] == [*range(len(strategies))]
    assert read_phh(write_phh(records[0])).user["_strategies"] == strategies
