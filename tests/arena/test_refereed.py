"""Some of the matches that `python -m tests.arena.refereed` plays, and what its referee must not let pass."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.arena.refereed import play_tables
from tests.support.arena.matches import played
from tests.support.arena.referee import Frame, Referee, kind_of
from tests.support.for_each import for_each

FORGERIES: dict[str, tuple[str, Callable[[Frame], Any]]] = {
    "a chip more is called": ("CALL", lambda frame: frame.update(amount=frame["amount"] + 1)),
    "a bet is below the least raise": ("BET", lambda frame: frame.update(amount=1, to=1)),
    "a check is sent twice": ("CHECK", lambda frame: frame),
    "another seat folds": ("FOLD", lambda frame: frame.update(seat=(frame["seat"] + 1) % 4)),
    "the button does not move": ("start_hand", lambda frame: frame.update(button=3 - frame["button"])),
    "a stack grows": ("start_hand", lambda frame: frame["stacks"][0].update(stack=frame["stacks"][0]["stack"] + 1)),
    "the big blind is short": ("POST_BLINDS", lambda frame: frame.update(bb_posted=frame["bb_posted"] - 1)),
    "another card comes": ("TURN", lambda frame: frame.update(card="2c" if frame["card"] != "2c" else "2d")),
    "a proof is wrong": ("RIVER", lambda frame: frame["opened"][0].update(salt="00" * 16)),
    "a holding has another name": ("SHOWDOWN", lambda frame: frame.update(rank=frame["rank"] + "s")),
    "a pot is short": ("POT_AWARD", lambda frame: frame.update(amount=frame["amount"] - 1)),
    "a refund is short": ("REFUND", lambda frame: frame.update(amount=frame["amount"] - 1)),
    "the wrong seat is out": ("ELIMINATED", lambda frame: frame.update(seat=(frame["seat"] + 1) % 4)),
    "the last stacks differ": ("end_hand", lambda frame: frame["stacks"][-1].update(stack=7)),
    "the places are turned round": ("match_end", lambda frame: frame["final_stacks"].reverse()),
    "another deck is revealed": ("reveal", lambda frame: frame["hands"][0].update(secret="00" * 32)),
    "FOLD is missing": ("act", lambda frame: frame["legal"].remove("FOLD")),
    "the least raise is lower": ("act", lambda frame: frame.update(min_raise_to=1)),
    "a call costs more": ("act", lambda frame: frame.update(call_amount=(frame.get("call_amount") or 0) + 1)),
    "the wrong seat is asked": ("act", lambda frame: frame.update(seat=1)),
    "the pot is wrong": ("act", lambda frame: frame.update(pot=frame["pot"] + 1)),
    "the cards change": ("act", lambda frame: frame["you"].update(hole=["2c", "2c"])),
}
"""What is wrong → the kind of frame that it is done to, and how."""


def story(seed: int) -> list[Frame]:
    """The public messages of a match, and those to seat 0."""
    return [json.loads(frame) for frame in played(seed, hands=20).frames]


def judge(frames: list[Frame]) -> None:
    """Let a referee follow a match."""
    referee = Referee(frames[0]["config"])
    for frame in frames[1:]:
        if frame["type"] == "act":
            referee.ask(frame)
        elif frame["type"] != "lobby":
            referee.see(frame)
    assert referee.over


STORIES = [story(seed) for seed in range(3)]


def test_matches_are_in_order() -> None:
    for frames in STORIES:
        judge(frames)


@for_each("what", FORGERIES)
def test_the_referee_finds_every_forgery(what: str) -> None:
    kind, forge = FORGERIES[what]
    tried = 0
    for frames in STORIES:
        for number in [at for at, frame in enumerate(frames) if kind_of(frame) == kind][-1:]:
            forged = deepcopy(frames)
            forge(forged[number])
            if what == "a check is sent twice":
                forged.insert(number, forged[number])
            tried += 1
            with pytest.raises((AssertionError, LookupError)):
                judge(forged)
    assert tried


@pytest.mark.check
def test_a_referee_agrees_with_matches_at_a_real_server(tmp_path: Path) -> None:
    found = play_tables(tmp_path, seats=5, tables=3, seed=1, max_hands=8)
    assert found.differences == []
    assert found.counts["matches"] == 3
    assert found.counts["hands"] > 10
    assert found.counts["answers"] > 50
