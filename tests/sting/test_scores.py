"""The list of best runs: what goes in, in which order, and that a broken file is one sentence."""

import json

import pytest
from msgspec.structs import replace

from pitboss.sting.cards import default_cards, read_cards_file
from pitboss.sting.events import NextHand, StingFold
from pitboss.sting.run import Run
from pitboss.sting.saves import (
    MOST_SCORES,
    Score,
    ScoresError,
    add_score,
    best_scores,
    place_of,
    read_scores,
    score_of,
    write_scores,
)


def score(cash: int, deck: str = "corner", difficulty: str = "normal", seed: int = 1) -> Score:
    return Score(
        deck=deck, narc="patrolman", difficulty=difficulty, cash=cash, hands=10, ending="night_over", seed=seed
    )


def finished(cards_text: str | None = None) -> Run:
    cards = None if cards_text is None else read_cards_file(cards_text)
    run, _ = Run.start(seed=3, difficulty="hard", cards=cards)
    while not run.over:
        run, _ = run.act(NextHand() if run.hand.over else StingFold())
    return run


def test_finished_run_has_a_score_and_a_running_one_does_not() -> None:
    run = finished()
    found = score_of(run, hints=2)
    assert found is not None
    assert (found.deck, found.difficulty, found.seed, found.hints) == ("corner", "hard", 3, 2)
    assert (found.cash, found.ending, found.hands) == (run.cash, run.ending, run.number)
    assert score_of(Run.start(seed=3)[0]) is None
    assert score_of(finished(default_cards().text + "\n# mine\n")) is None  # another game's scores do not match


def test_best_scores_are_first_and_the_list_is_limited() -> None:
    scores: tuple[Score, ...] = ()
    for cash in range(MOST_SCORES + 5):
        scores = add_score(scores, score(cash, seed=cash))
    scores = add_score(scores, score(1, deck="ghost"))
    lists = best_scores(scores)
    assert list(lists) == [("corner", "normal"), ("ghost", "normal")]
    assert [each.cash for each in lists["corner", "normal"]] == list(range(MOST_SCORES + 4, 4, -1))
    assert place_of(scores, score(1000)) == 1
    assert place_of(scores, score(0)) is None
    assert place_of(scores, score(0, difficulty="hard")) == 1


def test_equal_scores_keep_their_order() -> None:
    scores = add_score(add_score((), score(5, seed=1)), score(5, seed=2))
    assert [each.seed for each in scores] == [1, 2]
    assert place_of(scores[:1], scores[1]) == 2


def test_scores_are_read_as_written() -> None:
    scores = add_score((score(3),), replace(score(4), hints=1))
    assert read_scores(write_scores(scores)) == scores


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "not a list of scores: "),
        (write_scores((score(1),))[:-20], "not a list of scores: "),
        (json.dumps({"game": "sting scores", "version": 9}).encode(), "unsupported version: expected 1, got 9"),
        (b'{"game": "chess"}', "not a list of scores: Invalid enum value 'chess'"),
    ],
)
def test_a_broken_list_is_refused_in_one_sentence(text: bytes, sentence: str) -> None:
    with pytest.raises(ScoresError) as caught:
        read_scores(text)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
