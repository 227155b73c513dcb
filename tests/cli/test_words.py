"""What is on screen says one word for one thing: policy, house bot, journal."""

from tests.support.cli.runs import run
from tests.support.environments import ROOT
from tests.support.for_each import for_each


@for_each(
    "command, said, not_said",
    [
        ("arena play", "House bots:", "strategy"),
        ("arena serve", "Every event is in the journal before it is sent", "database"),
        ("arena verify", "server's journal", "database"),
        ("arena export", "The server may be running", "database"),
        ("lab simulate", "between policies", "names of players"),
        ("lab", "against the policies of the lab", "players of the lab"),
        ("sting simulate", "coin          Raises half of the time", "random        Raises"),
    ],
)
def test_help_has_one_word_for_one_thing(command: str, said: str, not_said: str) -> None:
    result = run(*command.split(), "--help")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert " ".join(said.split()) in text
    assert " ".join(not_said.split()) not in text


def test_make_help_mentions_house_bots() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "start a cash table with house bots" in makefile
    assert "players of the house" not in makefile
