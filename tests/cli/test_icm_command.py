"""`pitboss icm`: its JSON and its table, and one sentence for what cannot be."""

import pytest

from tests.support.cli.runs import lines, run
from tests.support.for_each import for_each


def test_json_of_an_exact_answer() -> None:
    result = run("icm", "--stacks", "5000,3000,2000", "--payouts", "50,30,20", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == '{"equity":[38.392857,32.75,28.857143],"exact":true}\n'


def test_json_of_a_drawn_answer_has_an_interval() -> None:
    result = run("icm", "--stacks", "5000, 3000", "--payouts", "50", "--samples", "500", "--json")
    [line] = lines(result.stdout)
    assert (line["exact"], line["samples"]) == (False, 500)
    for worth, (low, high) in zip(line["equity"], line["interval"], strict=True):
        assert low < worth < high


def test_the_table_has_a_row_a_stack() -> None:
    result = run("icm", "--stacks", "5000,3000,2000", "--payouts", "50,30,20")
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["5000", "38.3929"] in rows
    assert "exact: every finishing order counted" in result.stdout
    drawn = run("icm", "--stacks", "5000,3000", "--payouts", "50", "--samples", "500")
    assert "500 finishing orders drawn" in drawn.stdout


def test_stacks_may_be_arguments() -> None:
    expected = run("icm", "--stacks", "5000,3000,2000", "--payouts", "50,30,20", "--json").stdout
    for stacks in (("5000", "3000", "2000"), ("5000 3000", "2000"), ("5000,3000,2000",)):
        result = run("icm", *stacks, "--payouts", "50 30 20", "--json")
        assert (result.exit_code, result.stdout, result.stderr) == (0, expected, "")
    assert run("icm", "5", "--stacks", "5", "--payouts", "1").exit_code == 2


@pytest.mark.parametrize("payouts", [("50", "30", "20"), ("50,", "30,", "20")])
def test_prizes_with_spaces_are_not_taken_for_stacks(payouts: tuple[str, ...]) -> None:
    result = run("icm", "5000", "3000", "2000", "--payouts", *payouts)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith("write prizes with commas and without spaces, as in --payouts 50,30,20\n")


@pytest.mark.parametrize("before", [(), ("--samples", "5"), ("--exact",)])
def test_stacks_can_follow_the_prizes(before: tuple[str, ...]) -> None:
    for payouts in ("50,30,20", "50"):
        assert run("icm", *before, "--payouts", payouts, "5000", "3000", "2000").exit_code == 0


def test_payouts_that_rise_are_noticed() -> None:
    result = run("icm", "--stacks", "5,5", "--payouts", "0.5,9.5", "--json")
    assert (result.exit_code, result.stdout) == (0, '{"equity":[5.0,5.0],"exact":true}\n')
    assert result.stderr == (
        "pitboss icm: warning: --payouts: a later place gets more than an earlier one; give the first place first\n"
    )


@for_each(
    "stacks, payouts, sentence",
    [
        ("5,x", "1", "stacks: expected numbers, got 'x'"),
        ("5,0", "1", "stacks: expected numbers above 0, got 0"),
        ("5,5", "2,-1", "payouts: expected numbers from 0, got '-1'"),
        ("5,000 3,000", "1", "'5,000 3,000' has numbers between commas and between spaces: write 5000,3000"),
        ("5", "2,1", "payouts: expected one per paid place, 1 to 1 of them, got 2"),
        ("", "1", "stacks: expected 1 to 100000, got 0"),
    ],
)
def test_invalid_questions(stacks: str, payouts: str, sentence: str) -> None:
    result = run("icm", "--stacks", stacks, "--payouts", payouts)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"pitboss icm: {sentence}")
    assert result.stderr.count("\n") == 1
