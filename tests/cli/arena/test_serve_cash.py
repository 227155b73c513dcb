"""The options of `pitboss arena serve --cash`."""

import pytest
from click.testing import CliRunner

from pitboss.cli.arena.serve import read_rake, serve
from tests.support.for_each import for_each


@for_each(
    "options, sentence",
    [
        (["--rake", "5"], "add --cash"),
        (["--bots-rebuy"], "add --cash"),
        (["--cash", "--stack", "500"], "--max-buy-in"),
        (["--cash", "--max-hands", "5"], "leave it out"),
        (["--cash", "--rake", "x"], "such as 5:300"),
        (["--cash", "--rake", "101"], "expected at most 100 percent"),
        (["--cash", "--min-buy-in", "50"], "expected 100"),
        (["--cash", "--min-buy-in", "500", "--max-buy-in", "400"], "to 400"),
        (["--cash", "--straddle", "100"], "expected more than the big blind"),
        (["--cash", "--bb", "25"], "expected an even number"),
        (["--cash", "--reveal-after", "nan"], "expected a number of hours"),
        (["--cash", "--reveal-after", "inf"], "expected a number of hours"),
        (["--cash", "--game", "leduc", "--seats", "2"], "not poker"),
    ],
)
def test_contradictory_options_are_refused(options: list[str], sentence: str) -> None:
    result = CliRunner().invoke(serve, [*options, "--port", "0"])
    assert result.exit_code == 2
    assert sentence in " ".join(result.output.split()), result.output


@pytest.mark.parametrize(("text", "rake"), [("5:300", (50, 300)), ("2.5", (25, None)), ("0", (0, None))])
def test_a_rake_is_typed_in_percent_with_a_cap(text: str, rake: tuple[int, int | None]) -> None:
    assert read_rake(text) == rake
