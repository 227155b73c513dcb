"""The betting arithmetic compiles as it is, from outside, and compiled play gives the very numbers of plain play.

One loop plays a scripted hand and writes all it sees into a log: after every action the refusal of every verb
at every total worth trying, the least, the most, and all numbers of the round. The same loop runs on plain objects with
lists and, compiled, on packed records.
"""

import ast
import importlib.util
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import pytest

from pitboss.betting import core as betting
from pitboss.betting.core import Numbers
from pitboss.betting.rules import (
    PRESETS,
    Answers,
    Ceiling,
    Opposition,
    Reopening,
    Rules,
    RulesError,
    initiative,
    no_limit,
)

pytestmark = pytest.mark.check

Loop = Callable[..., int]

SOURCE = Path(str(betting.__file__))
PLACES = 10
SCALARS = ("n", "price", "level", "step", "raises", "pot", "opener", "holder", "turn")
NUMBERS, FLAGS = ("stacks", "bets", "paid"), ("folded", "acted")
VERBS = (0, 1, 1, 2, 2, 2, 3, 4, 4, 4, 5, 5)  # by how often they are tried: folds end the fun
TOTALS = 10
HEAD = 13  # what a script says before its actions, see `script`
ACTIONS = 40
ROOM = 12_000
SCENARIOS = 3000


# --- the loop ---------------------------------------------------------------------------------------------------------


def load(name: str, source: str | None = None) -> ModuleType:
    """A copy of core.py of one's own, so that registering its functions reaches no other test."""
    spec = importlib.util.spec_from_file_location(name, SOURCE)
    assert spec
    module = importlib.util.module_from_spec(spec)
    exec(compile(source or SOURCE.read_text(encoding="utf-8"), SOURCE, "exec"), module.__dict__)
    return module


def functions(module: ModuleType) -> list[FunctionType]:
    """Every function a module defines itself."""
    return [f for f in vars(module).values() if isinstance(f, FunctionType) and f.__module__ == module.__name__]


def loop(core: Any, jit: Callable[[Loop], Loop]) -> Loop:
    """The function that plays scenario i and returns how much it wrote into the log; `jit` compiles or does nothing."""

    @jit
    def total(rules: Any, s: Any, k: int, other: int) -> int:
        """The k-th total worth trying, of which the first is any other."""
        p = s.turn
        if k == 0:
            return other
        if k < 4:
            return int(core.least(rules, s, p)) + k - 2
        if k < 7:
            return int(core.most(rules, s, p)) + k - 5
        if k == 7:
            return int(core.target(rules, s, p))
        return int(s.price if k == 8 else s.bets[p] + s.stacks[p])

    @jit
    def note(rules: Any, s: Any, log: Any, at: int, other: int) -> int:
        """Write down all numbers and all verdicts."""
        for number in (s.n, s.price, s.level, s.step, s.raises, s.pot, s.opener, s.holder, s.turn):
            log[at] = number
            at += 1
        for p in range(s.n):
            log[at], log[at + 1], log[at + 2], log[at + 3] = s.stacks[p], s.bets[p], s.paid[p], core.owed(s, p)
            log[at + 4], log[at + 5] = s.folded[p], s.acted[p]
            at += 6
        if s.turn < 0:
            log[at], log[at + 1] = core.refusal(rules, s, core.FOLD, 0), core.contested(s)
            return at + 2
        for verb in range(core.FOLD, core.ALL_IN + 1):
            for k in range(TOTALS if verb in (core.BET, core.RAISE) else 1):
                log[at] = core.refusal(rules, s, verb, total(rules, s, k, other))
                at += 1
        log[at], log[at + 1] = core.least(rules, s, s.turn), core.most(rules, s, s.turn)
        log[at + 2] = core.raise_refusal(rules, s, s.turn)
        return at + 3

    @jit
    def play(table: Any, states: Any, i: int, script: Any, log: Any) -> int:
        rules, s = table[i], states[i]
        step, opener, ante, equal = script[0], script[1], script[2], script[3]
        matched = core.ante_matched(s, [ante] * s.n)
        for p in range(s.n):
            if equal:
                core.post_ante(s, p, min(ante, matched))
            else:
                core.post_dead(s, p, ante)
        core.post_dead(s, script[4], script[5])
        core.ask_price(s, script[HEAD - 1])
        for k in range(6, HEAD - 1, 2):  # blinds and straddle
            if script[k + 1] > 0:
                log[k] = core.post(s, script[k], script[k + 1])
        core.open_round(rules, s, opener)
        at = note(rules, s, log, HEAD, 0)
        for k in range(HEAD, len(script), 2):
            verb, draw = VERBS[script[k] % len(VERBS)], script[k + 1]
            if s.turn < 0:
                owner, amount = core.uncalled(rules, s)
                log[at], log[at + 1] = owner, amount
                at += 2
                if owner >= 0:
                    core.give_back(s, owner, amount)
                core.collect(s, step)
                core.open_round(rules, s, draw % s.n)
                at = note(rules, s, log, at, draw // TOTALS)
                if s.turn < 0:
                    core.win(s, draw % s.n, s.pot)
                    return note(rules, s, log, at, 0)
            to = total(rules, s, draw % TOTALS, draw // TOTALS)
            if core.refusal(rules, s, verb, to) == core.OK:
                core.act(rules, s, verb, to)
                at = note(rules, s, log, at, draw // TOTALS)
        return at

    return play


def plain(function: Loop) -> Loop:
    """Leave it as it is."""
    return function


# --- what is played ---------------------------------------------------------------------------------------------------


def some_rules(random: Random, i: int) -> Rules:
    """A preset as it is, a preset with other ways of order, or any settings that go together."""
    preset = list(PRESETS.values())[i % len(PRESETS)]
    if i % 3 == 0:
        return preset()
    settings: dict[str, Any] = {kind.__name__.lower(): random.choice(list(kind)) for kind in (Reopening, Answers)}
    if i % 3 == 1:
        return preset(**settings if preset is not initiative else {"answers": settings["answers"]})
    flags = [name for name, kind in Rules.__annotations__.items() if kind is bool]
    while True:
        settings |= {kind.__name__.lower(): random.choice(list(kind)) for kind in (Ceiling, Opposition)}
        settings |= {name: random.random() < 0.5 for name in flags}
        try:
            larger = random.choice([0, 4, 40]) if settings["exact"] else 0
            return Rules(**settings, cap=random.randint(-1, 4), second_step=larger)
        except RulesError:
            continue


def script(random: Random, n: int, step: int, deep: int) -> list[int]:
    """Step, opener, ante, whether all owe it, places and amounts of dead post, blinds, straddle; bring-in; draws."""
    opener, forced = random.randrange(n), random.randrange(4)
    ante = random.choice([0, 1, step]) if forced % 2 else 0
    head = [step, opener, ante, random.randrange(2), random.randrange(n), random.choice([0, 0, 0, step])]
    for amount in (step // 2, step, 2 * step * random.randrange(2)):
        head += [opener, amount if forced >= 2 else 0]
        opener = (opener + 1) % n
    head[1] = opener if forced >= 2 else head[1]
    return [*head, 0] + [random.randrange(3 * TOTALS * deep) for _ in range(2 * ACTIONS)]


def scenarios() -> Iterator[tuple[Rules, list[int], list[int]]]:
    """Rules, stacks and script, all from one seed."""
    random = Random(20)
    for i in range(SCENARIOS):
        n = random.randint(2, PLACES)
        step = random.choice([1, 2, 2, 7, 20])
        deep = step * random.choice([1, 3, 12, 200]) + 1
        half = max(1, step // 2)
        stacks = [random.choice([random.randint(1, deep), half * random.randint(1, 7)]) for _ in range(n)]
        rules, written = some_rules(random, i), script(random, n, step, deep)
        if rules.bring_in and not any(written[7:12:2]):
            written[HEAD - 1] = max(1, step // 2)
        yield rules, stacks, written


def piled_up() -> tuple[Rules, list[int], list[int]]:
    """A rare case: two short all-ins that together make a full raise, before a player who has acted."""
    verbs = (betting.BET, betting.ALL_IN, betting.ALL_IN, betting.CALL, betting.RAISE, betting.CALL)
    draws = [number for verb in verbs for number in (VERBS.index(verb), 2)]
    return no_limit(reopening=Reopening.CUMULATIVE), [100, 3, 4, 100], [2] + [0] * (HEAD - 1) + draws


ALL = [*scenarios(), piled_up()]


def numbers(stacks: list[int], step: int) -> Numbers:
    """A plain state before anything is posted."""
    n = len(stacks)
    return Numbers(
        n=n,
        stacks=list(stacks),
        bets=[0] * n,
        paid=[0] * n,
        folded=[False] * n,
        acted=[False] * n,
        price=0,
        level=0,
        step=step,
        raises=0,
        pot=0,
        opener=0,
        holder=-1,
        turn=-1,
    )


def play_plain(play: Loop, rules: Rules, stacks: list[int], script: list[int]) -> list[int]:
    """The log of one scenario on plain objects with lists."""
    log = [0] * ROOM
    return log[: play([rules], [numbers(stacks, script[0])], 0, script, log)]


@cache
def plain_logs() -> list[list[int]]:
    """What plain play writes."""
    play = loop(betting, plain)
    return [play_plain(play, *scenario) for scenario in ALL]


# --- compiled ---------------------------------------------------------------------------------------------------------


class Compiled:
    """The loop compiled, with records for the rules and the states of all scenarios."""

    def __init__(self, boundscheck: bool) -> None:
        self.np = np = pytest.importorskip("numpy", reason="NumPy is not installed: nothing to compile for")
        extending = pytest.importorskip("numba.extending", reason="Numba is not installed: nothing to compile with")
        numba = pytest.importorskip("numba")
        core = load(f"core_compiled_{boundscheck}")
        for function in functions(core):
            extending.register_jitable(boundscheck=boundscheck)(function)
        self.loop: Loop = loop(core, numba.njit(boundscheck=boundscheck))
        fields = [(name, "i8") for name in SCALARS] + [(name, "i8", PLACES) for name in NUMBERS]
        fields += [(name, "u1", PLACES) for name in FLAGS]
        self.states = np.zeros(len(ALL), np.dtype((np.record, np.dtype(fields, align=True))))
        settings = [(name, "i8" if name == "cap" else "u1") for name in Rules.__struct_fields__]
        self.table = np.zeros(len(ALL), np.dtype((np.record, np.dtype(settings, align=True))))
        for i, (rules, stacks, script) in enumerate(ALL):
            for name in Rules.__struct_fields__:
                self.table[i][name] = int(getattr(rules, name))
            s, record = numbers(stacks, script[0]), self.states[i]
            for name in (*SCALARS, *NUMBERS, *FLAGS):
                value = getattr(s, name)
                if name in SCALARS:
                    record[name] = value
                else:
                    record[name][: s.n] = value

    def play(self, i: int) -> list[int]:
        """The log of scenario i."""
        log = self.np.zeros(ROOM, self.np.int64)
        return list(log[: self.loop(self.table, self.states, i, self.np.array(ALL[i][2]), log)].tolist())


@cache
def compiled(boundscheck: bool) -> Compiled:
    """Each way is compiled once."""
    return Compiled(boundscheck)


@pytest.mark.parametrize("boundscheck", [False, True], ids=["as_shipped", "bounds_checked"])
def test_compiled_play_is_plain_play(boundscheck: bool) -> None:
    player = compiled(boundscheck)
    for i, log in enumerate(plain_logs()):
        assert player.play(i) == log, f"scenario {i}: {ALL[i]}"


# --- that this proves something ---------------------------------------------------------------------------------------


def test_bounds_are_checked_inside_the_arithmetic() -> None:
    player = compiled(True)
    script = player.np.array(ALL[0][2])
    script[4] = PLACES  # a dead post from beyond the last place
    with pytest.raises(IndexError):
        player.loop(player.table, player.states.copy(), 0, script, player.np.zeros(ROOM, player.np.int64))


def test_play_reaches_every_function_and_every_verdict() -> None:
    core, results = load("core_watched"), dict[str, set[Any]]()

    def watched(function: FunctionType) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            result = function(*arguments)
            results.setdefault(function.__name__, set()).add(result)
            return result

        return call

    names = {function.__name__ for function in functions(core)}
    vars(core).update({function.__name__: watched(function) for function in functions(core)})
    play = loop(core, plain)
    for scenario in ALL:
        play_plain(play, *scenario)
    assert results.keys() == names
    assert results["refusal"] == set(range(betting.OK, betting.BETWEEN + 1))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("full = size >= s.step", "full = size > s.step"),
        ("elif size >= rules.second_step > s.step", "elif size > rules.second_step > s.step"),
        ("full + rules.second_step - s.step", "full + rules.second_step"),
        ("2 * size >= s.step", "2 * size > s.step"),
        ("s.price - s.bets[q] >= s.step", "s.price - s.bets[q] > s.step"),
        ("(q - s.opener) % s.n < (p - s.opener) % s.n", "q < p"),
        ("s.price + owed(s, p) + middle", "s.price + middle"),
        ("if full or not rules.completes:", "if full:"),
        ("if rules.opening_counts or not opening:", "if not opening:"),
        ("s.stacks[q] + s.bets[q] > s.price", "s.stacks[q] > s.price"),
        ("s.paid[p] += moved", "pass"),
        ("if s.bets[q] > 0:\n            return False", "if s.bets[q] < 0:\n            return False"),
    ],
)
def test_a_slip_in_the_arithmetic_would_be_noticed(right: str, wrong: str) -> None:
    source = SOURCE.read_text(encoding="utf-8")
    assert source.count(right) == 1
    slipped = loop(load("core_slipped", source.replace(right, wrong)), plain)
    logs = plain_logs()
    assert any(play_plain(slipped, *scenario) != log for scenario, log in zip(ALL, logs, strict=True))


def test_core_imports_no_compiler() -> None:
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    modules = {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules == {"collections.abc", "typing", "msgspec", "pitboss.betting.rules"}
    assert not [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list]
