"""`pitboss lab mutate`: a child's JSON, by a named operator or one that is drawn; the same for the same seed."""

from pathlib import Path

from pitboss.chance import Chance
from pitboss.lab.files import known_games, load, read_genome, write_genome
from pitboss.lab.genome import problems
from pitboss.lab.variation.mutations import OPERATORS, mutate
from tests.support.cli.runs import run
from tests.support.for_each import for_each

MUTATE = ("lab", "mutate")


@for_each("name", known_games())
def test_a_child_by_a_named_operator_is_printed(name: str) -> None:
    result = run(*MUTATE, name, "--op", "AddBettingPhase", "--seed", "3")
    assert (result.exit_code, result.stderr) == (0, "")
    child = read_genome(result.stdout)
    assert problems(child) == ()
    assert len(child.betting_phases) == len(load(name).betting_phases) + 1
    assert child == OPERATORS["AddBettingPhase"](load(name), Chance(3))


def test_without_op_a_random_operator_is_printed_on_standard_error() -> None:
    for seed in range(8):
        result = run(*MUTATE, "scopa", "--seed", str(seed))
        child, operator = mutate(load("scopa"), Chance(seed))
        assert (result.exit_code, result.stdout, result.stderr) == (0, write_genome(child), f"{operator}\n")


def test_the_same_seed_gives_the_same_child() -> None:
    outputs = {run(*MUTATE, "gin", "--op", "MutateTurnLimit", "--seed", "-5").stdout for _ in range(2)}
    assert len(outputs) == 1
    assert len({run(*MUTATE, "gin", "--op", "AddPhase", "--seed", str(seed)).stdout for seed in range(10)}) > 3


def test_a_file_and_standard_input_will_do(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(write_genome(load("leduc")), encoding="utf-8")
    wanted = run(*MUTATE, "leduc", "--seed", "1").stdout
    assert run(*MUTATE, str(file), "--seed", "1").stdout == wanted
    assert run(*MUTATE, "-", "--seed", "1", given=file.read_text(encoding="utf-8")).stdout == wanted


def test_an_unknown_operator_is_refused_with_all_names() -> None:
    result = run(*MUTATE, "war", "--op", "AddJoker")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"pitboss lab mutate: --op: expected one of {', '.join(OPERATORS)}; got 'AddJoker'\n"


@for_each(
    "operator, why",
    [
        ("RemoveBettingPhase", "the game has no betting phase"),
        ("MutateStartingChips", "the game has no betting phase"),
        ("MutateClaimPhase", "the game has no claim phase"),
        ("RemoveScoring", "the game has no scoring rule"),
        ("RemovePhase", "it is the only phase"),
        ("SwapPhases", "no two phases differ"),
        ("SwapWinConditions", "there is only one win condition"),
        ("RemoveWinCondition", "the game needs it"),
        ("MutateWinCondition", "no other value is possible"),
    ],
)
def test_inapplicable_operator_gives_the_reason(operator: str, why: str) -> None:
    result = run(*MUTATE, "war", "--op", operator)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"pitboss lab mutate: {operator} does not apply to war: {why}\n"


def test_an_unknown_game_is_refused_in_one_sentence(tmp_path: Path) -> None:
    result = run(*MUTATE, str(tmp_path / "none.json"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("pitboss lab mutate: ")
    assert result.stderr.count("\n") == 1


def test_help_describes_every_operator() -> None:
    printed = run(*MUTATE, "--help").stdout
    assert "pitboss lab mutate" in printed.split("Examples:")[1]
    listed = [line.split(maxsplit=1) for line in printed.split("Operators:")[1].strip().splitlines()]
    assert [name for name, _ in listed] == list(OPERATORS)
    assert all(about[0].isupper() and about.endswith(".") for _, about in listed)
