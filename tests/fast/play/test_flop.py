"""Compiled hands equal hands by the plain rules: the same offers, refusals and payments."""

import json
import os
import subprocess
import sys
from collections import Counter
from functools import partial
from types import ModuleType

import numpy as np
import pytest

from pitboss import batch
from pitboss.betting.rules import Answers, Reopening
from pitboss.chance import Chance
from pitboss.fast import payout
from pitboss.fast.play import flop, loops
from pitboss.fast.play.backend import PLAIN
from pitboss.fast.play.packed import PACKED
from pitboss.fast.play.policies import HOLDEM_ONLY, NAMES
from pitboss.fast.play.setup import RunSetup
from tests.support.fast import offers, twins
from tests.support.fast.mistakes import backend_with, lockstep_of, mistaken
from tests.support.fast.settings import FLOP_GAMES, HOLDEM, some_setting
from tests.support.laws.many import play_all

pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")


@pytest.mark.check
def test_payments_equal_those_of_the_plain_rules() -> None:
    counts = play_all(partial(twins.play, hands=20), 4, range(160))
    assert counts["hands"] == 3200
    assert counts["actions"] > 15_000
    assert {f"hands of {game.code}" for game in FLOP_GAMES} <= set(counts)
    assert {f"settings of {seats} seats" for seats in range(2, 11)} <= set(counts)


@pytest.mark.check
def test_offers_and_refusals_equal_those_of_the_plain_rules() -> None:
    counts = play_all(offers.play, 4, range(60))
    assert counts["offers"] > 6000
    assert counts["refusals"] > 10_000
    assert counts["hands"] > 600


def test_the_loop_gives_the_same_results_on_lists() -> None:
    assert play_all(partial(twins.play, hands=10, backend=PLAIN), 5, range(30))["hands"] == 300


@pytest.mark.parametrize("policy", NAMES)
def test_every_policy_plays_the_same_compiled(policy: str) -> None:
    """On lists and compiled; the other tests compare the policies' input with the plain rules."""
    hands = 3 if policy == "equity" else 20
    for number in range(20):
        chance = Chance(6).fork(number)
        setting, seed = some_setting(chance, HOLDEM if policy in HOLDEM_ONLY else FLOP_GAMES), chance.bits()
        on_lists, compiled = [
            twins.play_hands(backend, setting, policy, seed, range(hands)) for backend in (PLAIN, PACKED)
        ]
        assert on_lists == compiled, setting


@pytest.mark.slow
def test_compiled_code_keeps_array_bounds() -> None:
    """In its own process, because the setting is read when Numba is imported. The code is saved as usual."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.fast.checked"],
        capture_output=True,
        check=False,
        timeout=1200,  # it compiles everything again, on a busy machine
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1"},
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    report = json.loads(done.stdout)
    assert report["checked"]
    assert report["counts"]["hands"] > 500
    assert report["counts"]["offers"] > 1500
    assert report["noticed"] == ["index is out of bounds"] * 3


# --- that this proves something


def features(setting: RunSetup) -> set[str]:
    """Return the special features of a setting."""
    stakes, betting = setting.stakes, setting.structure.betting
    big = stakes.min_bet
    found = {
        "button stays": setting.button is not None,
        "button moves": setting.button is None,
        "straddle": any(post.option and post.amount > big and post.place < setting.seats - 1 for post in stakes.posts),
        "button straddle": any(
            post.option and post.amount > big and post.place == setting.seats - 1 > 2 for post in stakes.posts
        ),
        "live post": any(post.live and not post.option for post in stakes.posts),
        "dead post": any(not post.live for post in stakes.posts),
        "no blinds": not stakes.posts,
        "dead money": stakes.dead > 0,
        "equal antes": bool(stakes.antes) and stakes.equal_antes,
        "one ante for all": bool(stakes.antes) and not stakes.equal_antes,
        "equal stacks": len(set(setting.stacks)) == 1,
        "unequal stacks": len(set(setting.stacks)) > 1,
        "a stack below the big blind": min(setting.stacks) < big,
        "deep stacks": max(setting.stacks) > 100 * big,
        "capped": betting.cap >= 0 and not betting.exact,
        "no free folds": not betting.free_fold,
        "no short raises": not betting.short_raises,
        "those who follow answer": betting.answers == Answers.FOLLOWING,
        "a price that nobody posts": stakes.price > 0,
        "an opener": stakes.opener is not None,
        f"reopening {Reopening(betting.reopening).name}": True,
        f"{len(setting.game.hole)} hole cards": True,
        "two of one's own": setting.structure.showdown[0].from_two,
        "a low": len(setting.structure.showdown) == 2,
        "a short deck": len(setting.structure.deck) == 36,
    }
    return {name for name, there in found.items() if there}


def test_settings_are_of_every_kind() -> None:
    counts: Counter[str] = Counter()
    for number in range(160):
        counts.update(features(some_setting(Chance(4).fork(number))))
    assert {name for name, count in counts.items() if count < 2} == set()
    assert len(counts) == 30


@pytest.mark.check
@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        (payout, "counted = -s.pot", "counted = 0"),
        (payout, "each + 1 if odd > 0 else each)\n            odd -= 1", "each + 1 if odd > 0 else each)"),
        (payout, "core.win(s, p, each + 1 if odd > 0 else each)", "core.win(s, p, each + 1 if odd >= 0 else each)"),
        (payout, "if strengths[p] > best:", "if strengths[p] >= best:"),
        (payout, "below += min(s.paid[p], ceiling)", "below += ceiling"),
        (payout, "s.paid[p] > floor", "s.paid[p] > floor + 1"),
        (payout, "return ceiling, ceiling == most", "return ceiling, True"),
        (payout, "and strengths[p] > 0:", "and strengths[p] >= 0:"),
        (payout, "odd = amount - each * parts", "odd = amount - each * parts + 1"),
        (flop, "steps[street if street < end else end - 1]", "steps[0]"),
        (flop, "core.open_round(rules, s, 0)", "core.open_round(rules, s, 1)"),
        (flop, "return live == 1", "return live <= 2"),
        (flop, "a, b = dealer.deck[p], dealer.deck[n + p]", "a, b = dealer.deck[2 * p], dealer.deck[2 * p + 1]"),
        (flop, "bits |= ranks.bits[dealer.deck[k]]", "pass"),
        (flop, "UNSEEN - cards + k", "k"),
        (flop, "board |= game.low_bits[dealer.deck[k]]", "pass"),
        (flop, "notes.strengths[LOW][p] = best", "notes.strengths[LOW][p] = 0"),
        (flop, "notes.bits[t] | ranks.bits[a] | ranks.bits[b]", "notes.bits[t] | ranks.bits[a]"),
        (flop, "best = max(best, made)", "best = made"),
    ],
)
def test_a_mistake_in_a_loop_would_be_noticed(
    module: ModuleType, right: str, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = mistaken(module, right, wrong)
    if module is payout:
        monkeypatch.setattr(flop, "payout", played)
        played = flop
    with pytest.raises(AssertionError, match="LawBroken"):
        play_all(partial(twins.play, hands=20, backend=backend_with(played)), 3, range(150))


def play_uncompiled(played: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Compare offers with a batch whose loops run as plain Python on plain objects."""
    monkeypatch.setattr(batch, "PACKED", PLAIN._replace(lockstep=lambda _: lockstep_of(played)))
    with np.errstate(over="ignore"):  # 64-bit numbers overflow as they do compiled
        return play_all(offers.play, 4, range(12))


def test_the_loops_of_a_batch_are_the_same_uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the test below would notice mistakes that do not exist."""
    assert play_uncompiled(loops, monkeypatch)["offers"] > 500


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        (loops, "legal[core.CHECK] = debt == 0", "legal[core.CHECK] = 1"),
        (loops, "seen.call[i] = min(debt, s.stacks[p])", "seen.call[i] = debt"),
        (loops, "pot += s.bets[q]", "pass"),
        (loops, "max(least, min(to, most))", "to"),
        (loops, "seen.done[i] = 0", "pass"),
        (loops, "batch.hands[i] += batch.stride[0]", "batch.hands[i] += 1"),
        (loops, "seen.winnings[i][seat] -= table.stacks[seat]", "pass"),
        (loops, "batch.dealers[i], p, seen.cards[i]", "batch.dealers[i], 0, seen.cards[i]"),
        (flop, "view[k] = dealer.deck[k * s.n + p]", "view[k] = dealer.deck[p]"),
        (flop, "game.board[s.street]", "game.board[1]"),
        (flop, "dealer.deck[hole * s.n + k] if", "dealer.deck[s.n + k] if"),
    ],
)
def test_a_mistake_in_a_batch_would_be_noticed(
    module: ModuleType, right: str, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = mistaken(module, right, wrong)
    if module is flop:
        monkeypatch.setattr(loops, "flop", played)
        played = loops
    with pytest.raises(AssertionError, match="LawBroken: the same offer"):
        play_uncompiled(played, monkeypatch)
