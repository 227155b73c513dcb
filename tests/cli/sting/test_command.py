"""`pitboss sting` as a group, and its page: help with examples, quick to start, and docs that say what it does."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.sting.cards import default_cards, read_cards_file
from pitboss.sting.policies import PLAYERS
from pitboss.sting.text import effects
from tests.support.cli.runs import clean, lines
from tests.support.sting.tables import run

PAGE = (Path(__file__).parents[3] / "docs" / "sting.md").read_text(encoding="utf-8")


def test_help_lists_every_command() -> None:
    printed = run("--help").stdout
    assert all(
        f"  {command} " in printed for command in ("play", "replay", "scores", "script", "search", "simulate", "tables")
    )


@pytest.mark.parametrize("command", ["play", "replay", "scores", "script", "search", "simulate", "tables"])
def test_every_command_has_help_with_examples(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"pitboss sting {command}" in result.stdout.split("Examples:")[1]


def test_simulate_explains_every_policy() -> None:
    printed = run("simulate", "--help").stdout
    assert all(re.search(rf"^ +{player} +[A-Z].*\.$", printed, re.MULTILINE) for player in PLAYERS)


def test_only_playing_at_the_table_loads_textual() -> None:
    code = "import sys; from pitboss.cli.sting import play, study"
    code += "; print('textual' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60, env=clean())
    assert done.stdout.strip() == b"False"


# --- the page


def test_the_page_names_every_policy_once_in_its_table() -> None:
    assert sorted(re.findall(r"^\| `(\w+)`:", PAGE, re.MULTILINE)) == sorted(PLAYERS)


def test_script_of_the_page_prints_the_output_shown_there() -> None:
    script, shown = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    printed = lines(run("script", given=script).stdout)
    assert json.loads(shown) in printed
    assert [line["ok"] for line in printed] == [True, True, False, True, True]


def test_the_pages_cards_are_those_of_the_data_file() -> None:
    [shown] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert [line for line in shown.splitlines() if line not in default_cards().text.splitlines()] == []
    assert read_cards_file(default_cards().text).caught_at == 100
    assert "so does Heat 100." in PAGE
    for name, card in default_cards().cards.items():
        does = ", ".join(effect.words for effect in effects(card)) or "nothing"
        assert f"\n| {name} | {card.kind} | {does} |\n" in PAGE


def test_the_pages_costs_and_chances_are_those_of_the_data_file() -> None:
    by_name = [default_cards().difficulties[name] for name in ("easy", "normal", "hard")]

    def row(title: str, *cells: object) -> str:
        return f"\n| {title} | {' | '.join(str(cell).replace('-', '−') for cell in cells)} |\n"

    def joined(numbers: tuple[int, ...]) -> str:
        return ", ".join(map(str, numbers))

    for title, cells in (
        ("Target", [d.target for d in by_name]),
        ("Fold in round 1, 2, 3: cash", [joined(d.fold_cash) for d in by_name]),
        ("Fold in round 1, 2, 3: Heat", [joined(d.fold_heat) for d in by_name]),
        ("Hand played to the end without a Product", [d.idle for d in by_name]),
        ("Heat falls after a hand by", [d.cools for d in by_name]),
        ("Minimum Heat rises each hand by", [d.press for d in by_name]),
        ("A bust, or Heat 100, takes", [f"{d.lost} %" for d in by_name]),
        ("An Insurance takes at most, of your cash", [f"{d.lawyer} %" for d in by_name]),
        ("Cards for sale", [d.offer for d in by_name]),
        ("**Narc**, round 1, 2, 3", [joined(d.narc.raises) for d in by_name]),
        ("Evidence is ahead of Cover", [f"+{d.narc.thin}" for d in by_name]),
        ("a Product of 100 or more is face up", [f"+{d.narc.dear}" for d in by_name]),
        ("for every 10 Heat you brought", [f"+{d.narc.heat}" for d in by_name]),
        ("Cover is ahead by 30 or more", [-d.narc.thick for d in by_name]),
        ("for each card you have face down", [-d.narc.wary for d in by_name]),
        ("**Customer**, round 1, 2, 3", [joined(d.customer.raises) for d in by_name]),
        ("no Product is face up after round 1", [f"+{d.customer.restless}" for d in by_name]),
        ("the Product is below 100", [-d.customer.content for d in by_name]),
    ):
        assert row(title, *cells) in PAGE
