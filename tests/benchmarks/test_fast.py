"""The benchmark of compiled play runs, compares equal work and reports it; no test depends on speed."""

import datetime as dt
import doctest
import json
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from benchmarks import __main__ as command
from benchmarks import fast, fast_evaluators, fast_peers, fast_processes, reference
from benchmarks import pictures as pictures_module
from benchmarks.fast import QUICK, Entrant, agree, race, times
from benchmarks.fast_evaluators import EVAL7, EVALUATORS, hands
from benchmarks.fast_page import pictures, rows, section
from benchmarks.fast_peers import BOTS, PEERS, POKERKIT, Peer, installed
from benchmarks.fast_processes import busy_seconds
from benchmarks.fast_report import (
    ALL_CORES,
    COMPILED,
    ONE_CALL,
    ONE_CORE,
    PLAIN,
    REFERENCE,
    CoresFigures,
    EquityFigures,
    FastReport,
    Growth,
    Line,
    ProcessFigures,
)
from benchmarks.page import with_section
from benchmarks.reference import NoCompiler, NoReference, Reference
from benchmarks.rules import Spread
from pitboss.cards import DECK
from pitboss.fast.play import backend
from pitboss.fast.play.setup import setup
from pitboss.fast.play.simulate import simulate
from pitboss.ranks import high
from tests.support.fast.twins import play_hands
from tests.support.for_each import for_each


def flat(figure: float) -> Spread:
    return Spread(figure, figure, figure)


def line(name: str, per_second: float, against: float | None = None, version: str | None = "1") -> Line:
    return Line(name, f"call {name}", version, None, 10, flat(per_second), flat(against) if against else None, 8.5)


GOOD = FastReport(
    load=0.5,
    compiler="c++ 1",
    no_reference=None,
    compared=1000,
    same=True,
    rounds=7,
    play=(
        line(COMPILED, 2e6),
        line(PLAIN, 9e3, 222),
        line(REFERENCE, 2.5e6, 0.9, version=None),
        line(BOTS, 5e4, 30),
        line(POKERKIT, 250, 5000),
    ),
    evaluate=(line(ALL_CORES, 3e8), line(ONE_CORE, 2e8, 1.5), line(EVAL7, 3e6, 100), line("pkrbot", 1.2e7, 25)),
    single=(line(ONE_CALL, 3e6), line(EVAL7, 3e6, 1)),
    equity=EquityFigures(0.8125549, 1_712_304, flat(12), flat(6), flat(4), flat(2), flat(3)),
    cores=CoresFigures(1000, 0.05, (1, 2), (flat(2e6), flat(3.4e6)), (flat(1), flat(1.7))),
    processes=ProcessFigures(10, 80, 8.0, 100, flat(10), flat(1.5)),
    growth=Growth((10, 100), (0.1, 1.0), (2, 10), (4e6, 1e6), (5e6, 2e6)),
)


def run(monkeypatch: pytest.MonkeyPatch, report: FastReport, *arguments: str) -> Result:
    """The command with these figures."""
    monkeypatch.setattr(command, "measure_fast", lambda *_: report)
    return CliRunner().invoke(command.main, ["fast", *arguments])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Reference:
    try:
        return Reference.build(tmp_path_factory.mktemp("reference"))
    except NoCompiler as error:
        pytest.skip(str(error))


# --- a run


@pytest.mark.check
def test_a_quick_run_measures_every_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "PAGE", tmp_path / "docs" / "benchmarks.md")
    result = CliRunner().invoke(command.main, ["fast", "--quick", "--json", "--write"])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.exit_code in (0, 1)  # so little says nothing about speed
    found = json.loads(result.stdout)["fast"]
    assert result.stdout.count("\n") == 1
    assert [each["name"] for each in found["play"]] == [COMPILED, PLAIN, REFERENCE, *[peer.name for peer in PEERS]]
    for each in (*found["play"], *found["evaluate"], *found["single"]):
        assert (each["per_second"] is None) == bool(each["absent"])
    assert found["same"]
    assert f"{found['equity']['equity']:.6f}" == "0.812555"
    assert found["equity"]["boards"] == 1_712_304
    page = (tmp_path / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert page.startswith("# Benchmarks\n\n## Compiled play\n")
    for name in ("fast-hands.svg", "fast-seats.svg", "fast-cores.svg"):
        assert f"(pictures/{name})" in page
        assert ET.parse(tmp_path / "docs" / "pictures" / name).getroot().tag.endswith("svg")


def test_entrants_work_in_turn_and_ratios_are_per_round() -> None:
    done: list[tuple[str, int]] = []
    ticks = iter(range(100))

    def entrant(name: str) -> Entrant:
        return Entrant(name, 6, lambda number: done.append((name, number)))

    entrants = [entrant("a"), entrant("b")]
    assert race(entrants, 2, lambda: float(next(ticks))) == [[6, 6], [6, 6]]
    assert done == [("b", 1), ("a", 1), ("a", 2), ("b", 2)]
    assert times([10, 30], [5, 10]) == Spread(2.5, 2, 3)


# --- the reference


@pytest.mark.check
@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_the_reference_plays_the_very_same_hands(built: Reference, seats: int) -> None:
    count, seed = 150, 7
    ours = play_hands(backend.PLAIN, setup(seats), "random", seed, range(count))
    theirs = built.simulate(count, seats, seed, keep=True)
    assert theirs.stacks == tuple(map(tuple, ours.stacks))
    assert theirs.actions == ours.actions
    assert agree(built, count, seats, seed)


def test_a_reference_that_plays_other_hands_is_found_out(built: Reference, monkeypatch: pytest.MonkeyPatch) -> None:
    other = simulate(100, seats=6, seed=2)
    monkeypatch.setattr(fast, "simulate", lambda *_, **__: other)
    assert agree(built, 100, seed=2)
    assert not agree(built, 100, seed=1)


@pytest.mark.parametrize("cards", ["Ah Ad Ks Kc", "9s 8s Ts Js", "2c 7d 2d 7c"])
def test_the_reference_counts_boards_as_if_it_dealt_every_one(built: Reference, cards: str) -> None:
    deal = [DECK.index(card) for card in cards.split()]
    counts = built.counted(deal)
    assert counts == built.dealt(deal)
    assert counts[0] + counts[1] + counts[2] == 1_712_304
    assert counts[1] == counts[3]


def test_without_a_compiler_the_reason_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(NoCompiler, match="no C\\+\\+ compiler"):
        Reference.build(tmp_path)


def test_a_failed_compilation_is_reported(built: Reference, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "wrong.cpp").write_text("nonsense", encoding="utf-8")
    monkeypatch.setattr(reference, "SOURCES", [tmp_path / "wrong.cpp"])
    with pytest.raises(NoReference, match="did not compile"):
        Reference.build(tmp_path)


# --- the peers


@pytest.mark.check
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_peer_that_is_installed_plays_hands_of_about_the_same_length(peer: Peer) -> None:
    if not peer.version:
        pytest.skip(f"{peer.package} is not installed")
    count = 60
    actions = (peer.counted or peer.load)()(3, count)
    assert actions is not None
    assert 6 < actions / count < 12
    assert peer.load()(3, count) in (None, actions)


@for_each("peer", EVALUATORS, ids=lambda peer: peer.name)
def test_a_peer_that_is_installed_ranks_hands_in_the_same_order(peer: Peer) -> None:
    if not peer.version:
        pytest.skip(f"{peer.package} is not installed")
    given = hands(300)
    theirs, ours = peer.load(given)(), [high(hand) for hand in given]
    order = sorted(range(len(given)), key=ours.__getitem__)
    found = [theirs[at] for at in order]
    assert found in (sorted(found), sorted(found, reverse=True))  # with some, the least number is the best hand
    assert len(set(theirs)) == len(set(ours))


def test_a_peer_that_is_not_installed_is_named_and_its_goal_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(package: str) -> None:
        return None

    assert installed("no-such-package") is None
    monkeypatch.setattr(fast_peers, "installed", none)
    play = fast.measure_play(QUICK, None, "no compiler here")
    array, single = fast.measure_evaluate(QUICK)
    alone = replace(GOOD, no_reference="no compiler here", equity=EquityFigures(0.8125549, 1_712_304, flat(12)))
    absent = replace(alone, play=play, evaluate=array, single=single)
    unjudged = absent.unjudged()
    assert "times PokerKit: not judged, pokerkit is not installed" in unjudged
    assert "of the C++ reference: not judged, no compiler here" in unjudged
    assert any("fastest peer: not judged, no peer is installed" in sentence for sentence in unjudged)
    lines = {row[0]: row for row in rows(absent)}
    for peer in PEERS:
        assert lines[peer.name][1::2] == ("–", f"{peer.package} is not installed")
    assert lines["C++ reference, every board dealt"][1::2] == ("–", "no compiler here")
    assert "There is no C++ reference: no compiler here." in section(absent, dt.date(2026, 1, 2))
    assert absent.missed() == []


def test_all_requested_peers_are_present() -> None:
    named = {peer.package for peer in (*PEERS, *EVALUATORS)}
    assert named == {"pokerkit", "open_spiel", "rlcard", "PyPokerEngine", "treys", "eval7", "phevaluator", "pkrbot"}
    assert fast_evaluators.hands(2) == fast_evaluators.hands(2)


# --- its report


def changed(lines: tuple[Line, ...], name: str, against: float) -> tuple[Line, ...]:
    return tuple([replace(each, times=flat(against)) if each.name == name else each for each in lines])


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        (replace(GOOD, play=changed(GOOD.play, BOTS, 29.9)), "OpenSpiel's bots in C++: 29.9; the goal is at least 30"),
        (replace(GOOD, play=changed(GOOD.play, POKERKIT, 4999)), "PokerKit: 4,999; the goal is at least 5,000"),
        (replace(GOOD, play=changed(GOOD.play, REFERENCE, 0.89)), "0.89; the goal is at least 0.9"),
        (replace(GOOD, evaluate=changed(GOOD.evaluate, "pkrbot", 24.9)), "fastest peer (pkrbot): 24.9"),
        (replace(GOOD, single=changed(GOOD.single, EVAL7, 0.99)), "times eval7: 0.99; the goal is at least 1"),
        (replace(GOOD, equity=replace(GOOD.equity, times_dealt=flat(2.01))), "2.01; the goal is at most 2"),
        (replace(GOOD, equity=replace(GOOD.equity, equity=0.8125)), "not 0.812555"),
        (replace(GOOD, cores=replace(GOOD.cores, times=(flat(1), flat(1.69)))), "1.69; the goal is at least 1.7"),
        (replace(GOOD, processes=replace(GOOD.processes, grown_mib=8.1)), "8.1 MiB; the goal is at most 8 MiB"),
        (replace(GOOD, processes=replace(GOOD.processes, first=flat(10.01))), "10.01 s; the goal is at most 10 s"),
        (replace(GOOD, processes=replace(GOOD.processes, later=flat(1.51))), "1.51 s; the goal is at most 1.5 s"),
        (replace(GOOD, same=False), "do not play the same hands"),
    ],
)
def test_a_missed_goal_is_reported_and_fails(
    monkeypatch: pytest.MonkeyPatch, report: FastReport, sentence: str
) -> None:
    assert GOOD.missed() == GOOD.unjudged() == []
    assert len(report.missed()) == 1
    result = run(monkeypatch, report)
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert sentence in section(report, dt.date(2026, 1, 2))


@pytest.mark.parametrize(
    ("cores", "why"),
    [
        (replace(GOOD.cores, others=0.3, times=(flat(1), flat(1.1))), "others took 30% of the machine"),
        (CoresFigures(1000, 0.0, (1,), (flat(2e6),), (flat(1),)), "there is one core"),
    ],
)
def test_two_cores_are_judged_only_on_an_idle_machine_that_has_them(
    monkeypatch: pytest.MonkeyPatch, cores: CoresFigures, why: str
) -> None:
    report = replace(GOOD, cores=cores)
    result = run(monkeypatch, report)
    assert result.exit_code == 0
    assert why in result.stderr
    assert why in section(report, dt.date(2026, 1, 2))


def test_the_figures_are_printed_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text(with_section("", "## The rules\n\nfast\n"), encoding="utf-8")
    monkeypatch.setattr(command, "PAGE", page)
    monkeypatch.setenv("COLUMNS", "200")
    result = run(monkeypatch, GOOD, "--write")
    assert result.exit_code == 0
    for text in ("2,000,000", "PokerKit 1", "at least 5,000", "8.50 actions a hand"):
        assert text in result.stdout
    text = page.read_text(encoding="utf-8")
    assert "## The rules\n\nfast\n\n## Compiled play\n" in text
    assert "| of the C++ reference | 0.90 | at least 0.9 |  |" in text
    assert "All goals are met" in text
    assert "- PokerKit 1: call PokerKit." in text
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == set(pictures(GOOD))


@pytest.mark.parametrize(("by_reference", "points"), [((5e6, 2e6), 4), ((), 2)])
def test_pictures_show_every_point(by_reference: tuple[float, ...], points: int) -> None:
    drawn = pictures(replace(GOOD, growth=replace(GOOD.growth, reference=by_reference)))
    assert drawn["fast-hands.svg"].count("<circle") == 2
    assert drawn["fast-seats.svg"].count("<circle") == points
    assert drawn["fast-cores.svg"].count("<circle") == 4


@pytest.mark.parametrize("module", [fast_processes, pictures_module])
def test_the_examples_run(module: ModuleType) -> None:
    failures, examples = doctest.testmod(module)
    assert failures == 0
    assert examples > 0


def test_machine_counters_are_used_where_available() -> None:
    before = busy_seconds()
    if before is None:
        pytest.skip("this system does not tell what its processors did")
    assert 0 < before <= (busy_seconds() or 0)
