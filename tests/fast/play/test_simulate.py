"""`simulate`: the same result in every form, conserved chips, and refused arguments."""

import functools
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.betting.refusals import SetupError
from pitboss.betting.round import Post
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.fast.compiled import Function
from pitboss.fast.play import policies
from pitboss.fast.play import simulate as simulate_module
from pitboss.fast.play.backend import PLAIN
from pitboss.fast.play.packed import PACKED, run_switch
from pitboss.fast.play.policies import HOLDEM_ONLY, NAMES, stay
from pitboss.fast.play.setup import PolicyError, Team, setup
from pitboss.fast.play.simulate import BLOCK, Simulation, simulate
from pitboss.fast.switch import Switch
from pitboss.hand.games import (
    BADUGI,
    LIMIT_HOLDEM,
    NO_LIMIT_HOLDEM,
    OMAHA,
    OMAHA_HI_LO,
    POT_LIMIT_HOLDEM,
    RAZZ,
    SHORT_DECK_HOLDEM,
    SIX_CARD_OMAHA,
)
from pitboss.hand.structure import Rake, Ranking, Stakes, Structure, blinds
from pitboss.stats import Mean
from tests.support.fast.players import aces, cheat, moody, paired
from tests.support.fast.settings import FLOP_GAMES, HOLDEM, some_setting
from tests.support.fast.twins import play_hands
from tests.support.for_each import for_each

numba = pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")

Played = Callable[..., Simulation]


class CompiledLater:
    """A loop that is quick to load."""

    ready, price = False, 0.0


FEW = BLOCK + 500  # more than one piece of work
STAKES = Stakes(min_bet=100, posts=blinds(6, 50, 100))


@pytest.fixture
def plainly() -> Played:
    """`simulate` on lists, even if compiled code is loaded."""

    def played(hands: int, **settings: Any) -> Simulation:
        result = simulate(hands, compiled=False, **settings)
        assert not result.compiled
        return result

    return played


@pytest.fixture
def compiled() -> Played:
    """`simulate` with compiled loops, even for few hands."""

    def played(hands: int, **settings: Any) -> Simulation:
        result = simulate(hands, compiled=True, **settings)
        assert result.compiled
        return result

    return played


def outcome(played: Simulation) -> tuple[Any, ...]:
    """Return everything that the settings and the seed determine."""
    return played.hands, played.actions, played.chips_in, played.chips_out, played.seats


# --- one result


def test_results_do_not_depend_on_cores(compiled: Played) -> None:
    alone = compiled(5 * BLOCK + 7, seed=3, cores=1, policies=("tight", "random"))
    assert alone.cores == 1
    for cores in (2, 3):
        together = compiled(5 * BLOCK + 7, seed=3, cores=cores, policies=("tight", "random"))
        assert together.cores == cores
        assert outcome(together) == outcome(alone)


def test_results_do_not_depend_on_compiling(plainly: Played, compiled: Played) -> None:
    settings: dict[str, Any] = {"seats": 4, "policies": ("random", "tight", "calling"), "seed": 8}
    assert outcome(plainly(FEW, **settings)) == outcome(compiled(FEW, **settings))


@pytest.mark.check
@pytest.mark.parametrize("game", [OMAHA, OMAHA_HI_LO, SHORT_DECK_HOLDEM, SIX_CARD_OMAHA], ids=lambda game: game.code)
def test_compiled_and_plain_agree_in_every_flop_game(game: Structure, plainly: Played, compiled: Played) -> None:
    settings: dict[str, Any] = {"seats": 4, "policies": ("random", "calling"), "seed": 8, "structure": game}
    assert outcome(plainly(1000, **settings)) == outcome(compiled(1000, **settings))


def test_another_seed_is_another_run_and_any_whole_number_is_a_seed(compiled: Played) -> None:
    seeds = (0, 1, -1, 2**64, 2**70 + 1)
    results = [outcome(compiled(2000, seed=seed)) for seed in seeds]
    assert results[3] == results[0]  # seeds are taken modulo 2**64
    assert results[4] == results[1]
    assert len(set(map(str, results))) == 3


def test_more_hands_begin_with_the_same_hands(compiled: Played) -> None:
    actions = [compiled(hands, seed=2).actions for hands in (BLOCK, BLOCK + 1, BLOCK + 2)]
    assert actions == sorted(set(actions))
    assert actions[-1] < actions[0] + 60


def test_winnings_equal_the_payments_of_the_hands(compiled: Played) -> None:
    """The means and intervals are those of the payments of the single hands."""
    stakes = Stakes(min_bet=10, posts=(*blinds(3, 5, 10), Post(2, 5, live=False)), dead=7)
    played = compiled(FEW, seats=3, stacks=(150, 900, 400), stakes=stakes, seed=6, structure=POT_LIMIT_HOLDEM)
    setting = setup(3, (150, 900, 400), stakes, POT_LIMIT_HOLDEM)
    rows, actions, _ = play_hands(PLAIN, setting, "random", 6, range(FEW))
    assert played.actions == actions
    for seat, before in enumerate(setting.stacks):
        mean = Mean([row[seat] - before for row in rows])
        assert played.seats[seat].mean == pytest.approx(mean.mean)
        assert played.seats[seat].interval == pytest.approx(mean.interval())


def test_few_hands_do_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Function:
        raise AssertionError("compiled for a few hands")

    monkeypatch.setattr(simulate_module, "PACKED", PACKED._replace(run=refuse))
    monkeypatch.setattr(simulate_module, "run_switch", lambda *_: Switch(CompiledLater))
    assert not simulate(100).compiled
    assert not simulate(100, policies=("random", aces)).compiled
    with pytest.raises(AssertionError, match="compiled for"):
        simulate(1_000_000)


def test_a_function_that_does_not_compile_is_played_in_plain_python() -> None:
    """As long as the caller does not ask for compiled code."""

    def words(_rules: Any, s: Any, _view: Any, _ranks: Any, state: int) -> tuple[int, int, int]:
        return stay(s), len(frozenset()), state

    class Caller:
        def __call__(self, *seen: Any) -> tuple[int, int, int]:
            return words(*seen)

    expected = outcome(simulate(50, policies="calling", compiled=False))[:4]
    for policy in (words, Caller()):
        for _ in range(2):
            assert outcome(simulate(50, policies=policy, compiled=False))[:4] == expected
        with pytest.raises(PolicyError):
            simulate(50, policies=policy, compiled=True)
        run_switch(Team.of(policy, 6), setup(6))._spent = 60.0  # more than compiling takes
        for _ in range(2):
            played = simulate(50, policies=policy)
            assert not played.compiled
            assert outcome(played)[:4] == expected


# --- chips


@pytest.mark.parametrize(
    ("games", "team"), [(HOLDEM, ("random", "tight")), (FLOP_GAMES, ("random", "calling"))], ids=["hold'em", "any game"]
)
def test_chips_are_conserved(games: Sequence[Structure], team: tuple[str, ...], compiled: Played) -> None:
    for number in range(40):
        chance = Chance(5).fork(number)
        setting = some_setting(chance, games)
        played = compiled(
            50,
            seats=setting.seats,
            policies=team,
            seed=chance.bits(),
            stacks=setting.stacks,
            stakes=setting.stakes,
            structure=setting.structure,
            button=setting.button,
        )
        assert played.chips_in == played.chips_out == 50 * (sum(setting.stacks) + setting.stakes.dead)


@pytest.mark.check
def test_large_stacks_are_counted_exactly(plainly: Played, compiled: Played) -> None:
    """The sum of squared winnings over a block exceeds 64 bits."""
    big = 10**12
    stakes = Stakes(min_bet=big // 50, posts=blinds(6, big // 100, big // 50))
    played = compiled(FEW, stacks=big, stakes=stakes, seed=4)
    assert outcome(played) == outcome(plainly(FEW, stacks=big, stakes=stakes, seed=4))
    assert played.chips_in == played.chips_out == FEW * 6 * big
    assert all(low < seat.mean < high for seat in played.seats for low, high in [seat.interval])


@for_each(
    "settings",
    [
        {"stacks": 5 * 10**18},
        {"stacks": 10**25},
        {"stakes": Stakes(min_bet=10**20, posts=blinds(6, 50, 100))},
        {"stakes": Stakes(min_bet=100, posts=blinds(6, 50, 10**20))},
        {"stakes": Stakes(min_bet=100, posts=blinds(6, 50, 100), dead=10**20)},
        {"stakes": Stakes(min_bet=100, big_bet=10**20, posts=blinds(6, 50, 100)), "structure": LIMIT_HOLDEM},
    ],
    ids=str,
)
def test_more_chips_than_compiled_code_can_count_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(SetupError) as refusal:
        simulate(10, **settings)
    assert "\n" not in str(refusal.value)


@pytest.mark.check
def test_memory_does_not_grow_with_the_hands() -> None:
    resource = pytest.importorskip("resource", reason="this system does not tell how much memory was used")
    assert resource
    code = """
import resource, sys
from pitboss.fast.play.simulate import simulate
def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 1 << 20)
simulate(100_000, seats=10, cores=2)
before = most()
simulate(600_000, seats=10, cores=2)
print(most() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=120)
    assert float(done.stdout) < 12  # the stacks of all hands would take 40 more


# --- policies


@pytest.mark.parametrize(
    ("better", "worse"),
    [("equity", "calling"), ("equity", "random"), ("equity", "tight"), ("tight", "calling"), ("tight", "random")],
)
def test_the_better_policy_wins_heads_up(compiled: Played, better: str, worse: str) -> None:
    played = compiled(30_000, seats=2, policies=(better, worse), seed=1)
    assert [seat.policy for seat in played.seats] == [better, worse]
    assert played.seats[0].interval[0] > 0 > played.seats[1].interval[1]


def test_policies_fill_the_seats_in_turn() -> None:
    named = {name: simulate(60, seats=3, policies=name, seed=2) for name in NAMES}
    assert all({seat.policy for seat in played.seats} == {name} for name, played in named.items())
    assert len({played.actions for played in named.values()}) == len(NAMES)
    played = simulate(10, seats=5, policies=("tight", aces))
    assert [seat.policy for seat in played.seats] == ["tight", "aces", "tight", "aces", "tight"]


@pytest.mark.check
def test_own_policies_are_compiled_too(plainly: Played, compiled: Played) -> None:
    """A plain function, a function compiled by the caller, and two house policies: the same result on lists."""
    team = (aces, numba.njit(moody), "tight", "random", aces)
    on_lists = plainly(2000, seats=5, policies=team, seed=9)
    assert [seat.policy for seat in on_lists.seats] == ["aces", "moody", "tight", "random", "aces"]
    assert outcome(compiled(2000, seats=5, policies=team, seed=9)) == outcome(on_lists)
    assert outcome(compiled(FEW, seats=5, policies=team, seed=9, cores=1)) == outcome(
        compiled(FEW, seats=5, policies=team, seed=9, cores=2)
    )


@pytest.mark.check
def test_own_policies_see_all_cards_of_any_game(plainly: Played, compiled: Played) -> None:
    """A policy that folds all but pairs wins less often with two cards than with six, also compiled."""
    calls = []
    for game in (NO_LIMIT_HOLDEM, OMAHA, SIX_CARD_OMAHA):
        settings: dict[str, Any] = {"seats": 2, "policies": (paired, "calling"), "seed": 9, "structure": game}
        on_lists = plainly(500, **settings)
        assert outcome(compiled(500, **settings)) == outcome(on_lists)
        calls.append(on_lists.actions)
    assert calls == sorted(set(calls))


@pytest.mark.parametrize("name", HOLDEM_ONLY)
def test_holdem_policies_refuse_other_games(name: str) -> None:
    for policy in (name, getattr(policies, name)):
        for game in (OMAHA, SHORT_DECK_HOLDEM):
            with pytest.raises(PolicyError) as refusal:
                simulate(10, seats=2, policies=("random", policy), structure=game)
            sentence = f"policy {name!r} plays only hold'em, not {game.name}: use random and calling"
            assert str(refusal.value) == sentence
    assert simulate(10, policies=name, structure=LIMIT_HOLDEM).hands == 10


def test_a_name_and_its_function_are_one_policy() -> None:
    from pitboss.fast.play.policies import tight

    assert outcome(simulate(300, seats=2, policies=("tight", tight), seed=4)) == outcome(
        simulate(300, seats=2, policies="tight", seed=4)
    )


CHEATED = [
    (2, "seat 1 in hand 0 chose to call, which is refused: nothing_owed: there is nothing to call; check instead"),
    (3, "seat 1 in hand 0 chose to bet to 99, which is refused: below_minimum: expected at least 100, got 99"),
    (4, "seat 1 in hand 0 chose to raise to 100, which is refused: no_bet_yet: there is no bet on this"),
    (5, "seat 1 in hand 0 chose to bet to 9901, which is refused: above_maximum: expected at most 9900, got 9901"),
    (6, "seat 1 in hand 0: expected a verb of pitboss.betting.core, got 9"),
    (7, "seat 1 in hand 0: expected whole numbers as verb and total"),
    (8, "seat 1 in hand 0: expected whole numbers as verb and total"),
]


@pytest.mark.check
def test_illegal_choices_name_the_hand_the_seat_and_the_rule(plainly: Played, compiled: Played) -> None:
    for seats, sentence in CHEATED:
        for played in (plainly, compiled):
            with pytest.raises(PolicyError) as refusal:
                played(100, seats=seats, policies=cheat, seed=1)
            assert str(refusal.value).startswith(f"policy 'cheat' at {sentence}")
    # with any number of cores, an error in a later block waits for the earlier ones
    messages = set()
    for played, settings in ((plainly, {}), (compiled, {"cores": 1}), (compiled, {"cores": 3})):
        with pytest.raises(PolicyError, match=r"policy 'cheat' at seat \d in hand \d+ chose to check") as refusal:
            played(4 * BLOCK, seats=9, policies=cheat, seed=1, **settings)
        messages.add(str(refusal.value))
    assert len(messages) == 1


@pytest.mark.check
def test_a_policy_that_does_not_compile_still_plays_few_hands(compiled: Played) -> None:
    before = simulate(50, policies=(scribbling, "tight"))
    assert not before.compiled
    with pytest.raises(PolicyError, match="scribbling") as refusal:
        compiled(50, policies=(scribbling, "tight"))
    assert "\n" not in str(refusal.value)
    assert "Failed in nopython" not in str(refusal.value)
    after = simulate(50, policies=(scribbling, "tight"))  # a failed compilation does not count as loaded
    assert outcome(after) == outcome(before)


def scribbling(rules: Any, s: Any, view: Any, ranks: Any, state: int) -> Any:
    """Plain Python that Numba cannot compile."""
    notes: dict[Any, Any] = {"street": s.street, 1: "one"}
    return moody(rules, s, view, ranks, state) if notes else None


@pytest.mark.parametrize("returned", [None, (1, 0), (1, 0, 5, 5), 1], ids=str)
def test_a_policy_returns_three_numbers(returned: Any, plainly: Played) -> None:
    with pytest.raises(PolicyError, match="policy 'returning': expected ") as refusal:
        plainly(10, policies=returning(returned))
    assert "\n" not in str(refusal.value)


def returning(value: Any) -> Callable[..., Any]:
    def returning(*_: Any) -> Any:
        return value

    return returning


def test_any_callable_is_a_policy_of_few_hands() -> None:
    """Objects and partial functions have no name."""

    class Caller:
        def __call__(self, *seen: Any) -> Any:
            return moody(*seen)

    for policy in (Caller(), functools.partial(moody)):
        assert outcome(simulate(50, policies=policy))[:4] == outcome(simulate(50, policies=moody))[:4]


# --- calls that cannot be meant


@for_each(
    "settings, sentence",
    [
        ({"policies": "tihgt"}, "policies: expected random, calling, tight, equity or a function, got 'tihgt'"),
        ({"policies": ()}, "policies: expected 1 to 6, at most one per seat, got 0"),
        ({"seats": 2, "policies": ("tight",) * 3}, "policies: expected 1 to 2, "),
        ({"policies": 3}, ""),
        ({"policies": ("tight", None)}, "policies: expected random, "),
    ],
)
def test_unknown_policies_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PolicyError) as refusal:
        simulate(10, **settings)
    assert str(refusal.value).startswith(sentence)


@for_each(
    "settings, sentence",
    [
        ({"seats": 1}, "seats: expected 2 to 10, got 1"),
        ({"seats": 11}, "seats: expected 2 to 10, got 11"),
        ({"seats": True}, "seats: expected a whole number, got True"),
        ({"seats": 2.0}, "seats: expected a whole number, got 2.0"),
        ({"seats": 3, "stacks": (100, 100)}, "stacks: expected one per seat, 3 in total, got 2"),
        ({"seats": 2, "stacks": (100, 0)}, "stacks: place 1 has no chips and cannot be dealt in"),
        ({"stacks": 100.0}, "stacks: expected a whole number, got 100.0"),
        ({"seats": 2, "stacks": (100, "200")}, "stacks: expected a whole number, got '200'"),
        ({"stacks": -5}, "stack: expected a whole number of chips from 0, got -5"),
        ({"seats": 3, "button": 3}, "button: expected a seat from 0 to 2, got 3"),
        ({"seats": 3, "button": -1}, "button: expected a seat from 0 to 2, got -1"),
        ({"seats": 3, "button": 1.0}, "button: expected a whole number, got 1.0"),
        ({"seats": 3, "button": True}, "button: expected a whole number, got True"),
        ({"seed": 1.5}, "seed: expected a whole number, got 1.5"),
        ({"stakes": Stakes(min_bet=2, antes=(1, 1))}, "antes: expected 6, one per player, got 2"),
        (
            {"structure": RAZZ, "compiled": True},
            "compiled hands: expected a flop game (hold'em, short-deck hold'em or Omaha",
        ),
        (
            {"structure": BADUGI, "compiled": True},
            "compiled hands: expected a flop game (hold'em, short-deck hold'em or Omaha",
        ),
        ({"structure": SIX_CARD_OMAHA, "seats": 8}, "players: expected at most 7 in pot-limit six-card Omaha, got 8"),
        (
            {"game": replace(OMAHA, showdown=(Ranking("badugi"),)), "compiled": True},
            "compiled hands: expected a flop game",
        ),
        (
            {"game": replace(OMAHA, showdown=(Ranking("high"),)), "compiled": True},
            "compiled hands: expected a flop game",
        ),
        ({"game": replace(OMAHA, deck=DECK[::-1]), "compiled": True}, "compiled hands: expected a flop game"),
        ({"game": replace(OMAHA, streets=OMAHA.streets[:3]), "compiled": True}, "compiled hands: expected a flop game"),
        ({"game": "pineapple", "compiled": True}, "compiled hands do not have discards: play no-limit pineapple with "),
        ({"game": "double_board_omaha", "compiled": True}, "compiled hands do not have several boards: play "),
        ({"game": "pineapple", "stakes": replace(STAKES, may_muck=True)}, "simulated hands do not support mucking"),
        ({"stakes": replace(STAKES, rake=Rake(thousandths=50))}, "compiled hands do not support a rake"),
        ({"stakes": replace(STAKES, runs=2)}, "compiled hands do not support a second run of the board"),
        ({"stakes": replace(STAKES, may_muck=True)}, "compiled hands do not support mucking"),
        ({"stakes": Stakes(min_bet=2, antes=(1,) * 6, bomb=True)}, "compiled hands do not support bomb pots"),
    ],
    ids=str,
)
def test_invalid_tables_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SetupError) as refusal:
        simulate(10, **settings)
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize(
    "betting", [{"opposition": "none"}, {"matching": False, "exact": True, "opposition": "none"}], ids=str
)
def test_betting_with_rules_unlike_poker_is_refused(betting: dict[str, Any]) -> None:
    """With `opposition` "none", all players can fold, and no player would win the pot."""
    with pytest.raises(SetupError):
        simulate(10, structure=NO_LIMIT_HOLDEM.with_betting(**betting))


@pytest.mark.parametrize("hands", [True, 2.0, "5", None])
def test_hands_are_counted_in_whole_numbers(hands: Any) -> None:
    with pytest.raises(SetupError, match=f"hands: expected a whole number, got {hands!r}"):
        simulate(hands)
    with pytest.raises(SetupError, match="hands: expected 0 or more, got -1"):
        simulate(-1)


@pytest.mark.parametrize(
    ("cores", "sentence"),
    [
        (0, "cores: expected 1 or more, got 0"),
        (-1, "cores: expected 1 or more, got -1"),
        (True, "cores: expected a whole number, got True"),
        (1.5, "cores: expected a whole number, got 1.5"),
    ],
)
def test_cores_are_one_or_more(cores: Any, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        simulate(10, cores=cores)


def test_numpy_numbers_are_accepted() -> None:
    np = pytest.importorskip("numpy", reason="NumPy is not installed: no numbers of its own")
    stacks = np.array([900, 500, 700])
    given = simulate(np.int64(50), seats=np.int8(3), stacks=stacks, seed=np.uint64(4), button=np.int32(1))
    assert outcome(given) == outcome(simulate(50, seats=3, stacks=(900, 500, 700), seed=4, button=1))


# --- on the way


def test_zero_hands_have_no_chips(compiled: Played, plainly: Played) -> None:
    for played in (compiled(0), plainly(0)):
        assert (played.hands, played.actions, played.chips_in, played.chips_out) == (0, 0, 0, 0)
        assert played.hands_per_second == 0
        assert all(seat.mean == 0 for seat in played.seats)


@pytest.mark.check
@pytest.mark.parametrize("hands", [1, BLOCK, 3 * BLOCK + 1])
def test_progress_grows_to_the_number_of_hands(hands: int, compiled: Played, plainly: Played) -> None:
    calls: list[tuple[int, int]] = []
    for played in (compiled, plainly):
        calls.clear()
        played(hands, seats=2, policies="calling", cores=2, progress=lambda *call: calls.append(call))
        done = [now for now, _ in calls]
        assert done == sorted(set(done))
        assert done[-1] == hands
        assert {total for _, total in calls} == {hands}


def test_an_error_in_progress_ends_the_run(compiled: Played) -> None:
    calls: list[int] = []

    def stop(done: int, _: int) -> None:
        calls.append(done)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        compiled(10**12, cores=2, progress=stop)
    assert calls == [BLOCK]


@pytest.mark.check
@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent otherwise on Windows")
def test_an_interrupt_ends_the_run_at_once() -> None:
    """On one core and on two, in runs that would take weeks; a remaining thread would block the exit."""
    code = """
import threading
from pitboss.fast.play.simulate import simulate
for cores in (1, 2):
    printed = []
    def report(*_):
        if not printed:
            printed.append(print("playing", flush=True))
    try:
        simulate(10**12, cores=cores, progress=report)
    except KeyboardInterrupt:
        print("interrupted", threading.active_count(), flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert process.stdout is not None
        for _ in range(2):
            assert process.stdout.readline() == b"playing\n"
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == b"interrupted 1\n"
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (output, errors, process.returncode) == (b"", b"", 0)
