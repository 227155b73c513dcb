"""The simulator: the same whatever the number of processes, its figures right, and what ruling I7 asks for."""

import json
from collections import Counter

import pytest

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.sting.cards import default_cards
from pitboss.sting.events import StingAction
from pitboss.sting.hand import StingHand
from pitboss.sting.policies import PLAYERS
from pitboss.sting.simulate import Experiment, PolicyResult, UnknownPolicy, blocks, play_block, play_hand, simulate
from tests.support.cli.runs import lines
from tests.support.for_each import for_each
from tests.support.sting.tables import run


def game(seed: int = 1, deck: str | None = None, answers: Answers = Answers.FOLLOWING) -> Experiment:
    return Experiment.of(default_cards(), deck=deck, answers=answers, seed=seed)


def results(hands: int, *players: str, deck: str | None = None) -> dict[str, PolicyResult]:
    return {result.player: result for result in simulate(game(deck=deck), players, hands, jobs=1)}


# --- the simulator


def test_same_seed_same_hand_another_seed_another_one() -> None:
    hand = play_hand(game(seed=5), PLAYERS["counter"], 17)
    assert play_hand(game(seed=5), PLAYERS["counter"], 17) == hand
    assert play_hand(game(seed=6), PLAYERS["counter"], 17).table != hand.table


def test_policies_meet_the_same_cards() -> None:
    def dealt(player: str, place: int) -> list[str]:
        hand = play_hand(game(), PLAYERS[player], 3)
        return sorted([*hand.hands[place], *hand.decks[place], *(card for p, card in hand.table if p == place)])

    for place in range(3):
        assert dealt("passive", place) == dealt("counter", place) != sorted(game().decks["player"][:9])


def test_blocks_cover_every_hand_once() -> None:
    work = blocks(["a", "b"], 2500)
    assert [(player, len(numbers)) for player, numbers in work] == [(p, n) for p in "ab" for n in (1000, 1000, 500)]
    assert sorted(number for player, numbers in work if player == "a" for number in numbers) == list(range(2500))


@pytest.mark.check
def test_the_result_does_not_depend_on_how_many_processes_work() -> None:
    alone = simulate(game(), ["dumper"], 10_000, jobs=1)
    assert simulate(game(), ["dumper"], 10_000, jobs=2) == alone


def test_the_figures_are_those_of_the_hands() -> None:
    hands = [play_hand(game(), PLAYERS["coin"], number) for number in range(200)]
    result = results(200, "coin")["coin"]
    assert result.hands == 200
    assert result.win.rate == sum(hand.outcome == "success" for hand in hands) / 200
    assert result.bust.rate == sum(hand.outcome == "bust" for hand in hands) / 200
    assert result.fold.rate == 0
    assert result.win.rate + result.bust.rate == 1
    assert result.profit.mean == pytest.approx(sum(hand.totals.profit for hand in hands) / 200)
    assert result.heat.mean == pytest.approx(sum(hand.totals.heat for hand in hands) / 200)
    assert result.paid.rate == sum(hand.totals.profit > 0 for hand in hands) / 200
    for share in (result.win, result.bust, result.fold):
        assert share.low <= share.rate <= share.high
    for mean in (result.profit, result.heat, result.cards):
        assert mean.low < mean.mean < mean.high


def test_progress_is_reported_after_every_block() -> None:
    calls: list[None] = []
    simulate(game(), ["passive"], 2100, jobs=1, advance=lambda: calls.append(None))
    assert len(calls) == len(blocks(["passive"], 2100)) == 3


def test_an_unknown_policy_is_refused_naming_those_there_are() -> None:
    with pytest.raises(UnknownPolicy, match="unknown policy 'hero': expected one of passive, random, coin"):
        simulate(game(), ["hero"], 1)


def test_random_chooses_evenly_among_legal_actions_like_the_house_bot() -> None:
    drawn = Counter[str]()

    def noting(hand: StingHand, chance: Chance) -> StingAction:
        assert PLAYERS["random"](hand, Chance(hand.number)) == Chance(hand.number).choice(hand.legal())
        action = PLAYERS["random"](hand, chance)
        drawn[type(action).__name__] += len(hand.legal()) == 5
        return action

    for number in range(1000):
        play_hand(game(), noting, number)
    share = drawn.total() / 5
    assert share > 100
    assert all(abs(drawn[name] - share) < 5 * share**0.5 for name in ("StingCheck", "StingFold"))
    assert abs(drawn["StingRaise"] - 3 * share) < 5 * (3 * share) ** 0.5


def test_late_policies_play_no_card_before_round_3() -> None:
    for number in range(100):
        for player in ("dumper", "late_counter"):
            hand = play_hand(game(), PLAYERS[player], number)
            assert sum(place == 2 for place, _ in hand.table + hand.down) <= 3
            assert hand.number == 3
    assert play_block(game(), "passive", range(50))[1].cards == {0: 50}


def test_the_early_folder_folds_before_round_3_and_the_counter_only_there() -> None:
    folded = {"early_folder": set[int](), "counter": set[int]()}
    for number in range(300):
        for player, rounds in folded.items():
            hand = play_hand(game(), PLAYERS[player], number)
            if hand.outcome == "fold":
                rounds.add(hand.number)
    assert folded == {"early_folder": {1, 2}, "counter": {3}}


# --- I7: the margins are wide, so that only another game breaks them


@pytest.mark.check
@pytest.mark.parametrize("deck", ["corner", "ghost", "kingpin"])
def test_ruling_I7_raises_matter_and_dumping_is_not_best(deck: str) -> None:
    printed = results(600, "passive", "eager", "dumper", "counter", "late_counter", deck=deck)
    assert printed["passive"].bust.low > 0.8
    assert printed["counter"].bust.high < 0.1
    for late, early in (("dumper", "eager"), ("late_counter", "counter")):
        assert printed[late].profit.high < printed[early].profit.low
        assert printed[late].win.high < printed[early].win.low


# --- the command


def test_json_is_one_object_a_policy() -> None:
    result = run("simulate", "--hands", "20", "--seed", "3", "--deck", "ghost", "--narc", "detective", "--json")
    printed = lines(result.stdout)
    assert [line["player"] for line in printed] == list(PLAYERS)
    assert result.stderr == ""
    assert printed[0].keys() >= {"hands", "win", "bust", "fold", "paid", "profit", "heat", "cards"}
    assert {(line["seed"], line["deck"], line["narc"], line["answers"]) for line in printed} == {
        (3, "ghost", "detective", "following")
    }
    for line in printed:
        assert line["win"]["rate"] + line["bust"]["rate"] + line["fold"]["rate"] == pytest.approx(1)
        assert line["win"]["low"] <= line["win"]["rate"] <= line["win"]["high"]


def test_one_policy_and_the_settings_matter() -> None:
    def printed(*options: str) -> object:
        result = run("simulate", "--hands", "50", "--player", "counter", "--json", *options)
        [line] = lines(result.stdout)
        return {name: line[name] for name in ("win", "profit", "heat")}

    plain = printed("--seed", "3")
    assert printed("--seed", "3") == plain
    for options in (("--seed", "4"), ("--deck", "kingpin"), ("--narc", "detective"), ("--answers", "everyone")):
        assert printed("--seed", "3", *options) != plain


def test_the_table_names_every_policy_and_its_intervals() -> None:
    result = run("simulate", "--hands", "20", "--seed", "1")
    assert ["policy", "win"] in [line.split()[:2] for line in result.stdout.splitlines()]
    for player in PLAYERS:
        assert f" {player} " in result.stdout
    assert "below each figure: its 95 % interval" in result.stdout
    assert "\x1b" not in result.stdout
    assert "seed 1, deck corner, narc patrolman, answers following" in result.stdout


def test_a_single_hand_has_no_interval_of_its_mean() -> None:
    result = run("simulate", "--hands", "1", "--player", "counter", "--json")
    assert json.loads(result.stdout)["profit"]["low"] is None
    shown = run("simulate", "--hands", "1", "--player", "counter").stdout
    assert shown.lstrip().startswith("1 hand of sting")
    assert "20.7 – 100.0" in shown  # Wilson's, of one success in one


def test_the_table_prints_the_intervals_of_the_json() -> None:
    options = ("simulate", "--hands", "4", "--player", "passive")
    [printed] = lines(run(*options, "--json").stdout)
    shown = " ".join(run(*options).stdout.split())
    for share in (printed["win"], printed["bust"], printed["fold"]):
        assert f"{100 * share['low']:.1f} – {100 * share['high']:.1f}" in shown
    assert f"{printed['heat']['low']:.1f} – {printed['heat']['high']:.1f}" in shown


@for_each(
    "options, sentence",
    [
        (["--player", "hero"], "unknown policy 'hero': expected one of passive, "),
        (
            ["--player", "sharp"],
            f"unknown policy 'sharp': expected one of {', '.join(PLAYERS)}; sharp plays only runs: ",
        ),
        (["--deck", "hero"], "unknown player deck 'hero': expected one of corner, ghost, kingpin"),
        (["--narc", "hero"], "unknown narc deck 'hero': expected one of patrolman, detective"),
        (["--cards", "none.toml"], "none.toml cannot be read: No such file or directory"),
    ],
)
def test_missing_file_is_one_sentence_and_exit_1(options: list[str], sentence: str) -> None:
    result = run("simulate", "--hands", "5", *options)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith(f"pitboss sting simulate: {sentence}")


@pytest.mark.parametrize("options", [[], ["--hands", "0"], ["--hands", "x"], ["--hands", "5", "--answers", "none"]])
def test_wrong_options_exit_with_2(options: list[str]) -> None:
    assert run("simulate", *options).exit_code == 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--run", "--runs", "2", "--hands", "5"], "--hands is for single hands: with --run, give the number of runs"),
        (["--hands", "5", "--runs", "2"], "--runs needs --run"),
    ],
)
def test_a_count_that_would_not_be_heeded_is_refused(options: list[str], sentence: str) -> None:
    result = run("simulate", "--player", "passive", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
