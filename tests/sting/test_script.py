"""`pitboss sting script`: the contract of its lines, what is refused and what is broken."""

import json
from pathlib import Path
from typing import Any

from tests.support.cli.runs import lines
from tests.support.for_each import for_each
from tests.support.sting.tables import run

DEAL = {"narc": ["Patrol"] * 9, "customer": ["Fair Deal"] * 9, "player": ["Weed", "Alibi"] * 5}
FIELDS = ["step", "state", "round", "turn", "initiative", "raises", "totals", "outcome", "ok", "error"]


def script(*actions: str, **fields: Any) -> str:
    return json.dumps({"deal": DEAL, "actions": list(actions), **fields})


def printed(given: str, *options: str) -> list[dict[str, Any]]:
    result = run("script", *options, given=given)
    assert (result.exit_code, result.stderr) == (0, "")
    return lines(result.stdout)


def test_a_line_for_the_deal_then_one_for_each_action() -> None:
    lines = printed(script("narc check", "customer check", "player raise Weed", "player check", "continue"))
    assert [line["step"] for line in lines] == [0, 1, 2, 3, 4, 5]
    assert all(list(line) == FIELDS for line in lines)
    assert lines[0] == {
        "step": 0,
        "state": "Betting",
        "round": 1,
        "turn": "narc",
        "initiative": None,
        "raises": 0,
        "totals": {"evidence": 0, "cover": 0, "heat": 0, "profit": 0},
        "outcome": None,
        "ok": True,
        "error": None,
    }
    assert [line["turn"] for line in lines] == ["narc", "customer", "player", "player", "player", "narc"]
    assert [line["round"] for line in lines] == [1, 1, 1, 1, 1, 2]
    assert lines[4]["state"] == "DecisionPoint"
    assert lines[4]["totals"] == {"evidence": 0, "cover": 0, "heat": 5, "profit": 30}


def test_raises_and_initiative_keep_their_values_until_the_next_draw() -> None:
    lines = printed(script("narc raise Patrol", "customer check", "player check", "narc check", "continue"))
    assert [(line["initiative"], line["raises"]) for line in lines[-2:]] == [("narc", 1), (None, 0)]


def test_decks_are_listed_from_their_top() -> None:
    lines = printed(script("narc check", "customer check", "player raise Alibi", "player raise Weed", "player check"))
    assert all(line["ok"] for line in lines)
    assert lines[-1]["totals"]["cover"] == 30


def test_refused_action_changes_nothing_and_the_script_continues() -> None:
    lines = printed(script("narc check", "player check", "customer raise Meth", "customer check"))
    assert [line["ok"] for line in lines] == [True, True, False, False, True]
    assert lines[2]["error"] == "out_of_turn: it is the turn of customer, not of player"
    assert lines[3]["error"] == "card_not_held: customer does not hold 'Meth', only Fair Deal"
    for line in lines[2:4]:
        assert {**line, "step": 1, "ok": True, "error": None} == lines[1]
    assert lines[4]["turn"] == "player"


def test_a_whole_hand_ends_with_its_outcome() -> None:
    round = ["narc check", "customer check", "player raise Weed", "player check"]
    lines = printed(script(*round, "continue", *round, "continue", *round))
    assert (lines[-1]["state"], lines[-1]["outcome"], lines[-1]["turn"]) == ("Success", "success", None)
    assert lines[-1]["totals"]["profit"] == 30
    assert {line["outcome"] for line in lines[:-1]} == {None}


def test_fold_works_with_or_without_the_players_name() -> None:
    for words in ("fold", "player fold"):
        at_decision = printed(script("narc check", "customer check", "player check", words))
        in_betting = printed(script("narc check", "customer check", words))
        assert at_decision[-1]["outcome"] == in_betting[-1]["outcome"] == "fold"


def test_answers_may_be_set_by_option_or_in_the_script() -> None:
    steps = ("narc check", "customer raise Fair Deal", "player check")
    assert printed(script(*steps))[-1]["turn"] == "customer"
    assert printed(script(*steps), "--answers", "following")[-1]["turn"] == "customer"
    assert printed(script(*steps), "--answers", "everyone")[-1]["turn"] == "narc"
    assert printed(script(*steps, answers="everyone"))[-1]["turn"] == "narc"
    assert printed(script(*steps, answers="everyone"), "--answers", "everyone")[-1]["turn"] == "narc"


def test_answers_that_differ_are_refused_in_one_sentence() -> None:
    result = run("script", "--answers", "everyone", given=script(answers="following"))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "pitboss sting script: answers: the script has 'following' and --answers has 'everyone'; "
        "leave one of them out\n"
    )


def test_heat_and_cash_may_be_brought_to_the_hand() -> None:
    deal = {"narc": ["Surveillance", "Patrol"], "customer": [], "player": ["Plea Bargain"]}
    steps = ["narc raise Surveillance", "player raise Plea Bargain", "narc raise Patrol", "continue", "continue"]
    given = {"deal": deal, "actions": steps}
    assert printed(json.dumps(given))[-1]["outcome"] == "bust"
    rich = printed(json.dumps({**given, "cash": 1000, "heat": 20}))[-1]
    assert (rich["outcome"], rich["totals"]["heat"]) == ("success", 7 + 5 + 20)


def test_cards_of_another_file(tmp_path: Path) -> None:
    cards = tmp_path / "cards.toml"
    decks = "".join(f'[decks.{role}]\nd = {{ "X" = 3 }}\n' for role in DEAL)
    cards.write_text('[cards]\n"X" = { kind = "product", price = 7 }\n' + decks, encoding="utf-8")
    given = json.dumps({"deal": {"narc": ["X"], "customer": [], "player": []}, "actions": ["narc raise X"]})
    assert printed(given, "--cards", str(cards))[-1]["totals"]["profit"] == 7
    assert run("script", given=given).exit_code == 1


def test_a_script_may_be_a_file(tmp_path: Path) -> None:
    file = tmp_path / "script.json"
    file.write_text(script("narc check"), encoding="utf-8")
    assert run("script", str(file)).stdout == run("script", "-", given=script("narc check")).stdout


@for_each(
    "given, sentence",
    [
        (b"", "not a valid script: Input data was truncated"),
        (b"[]", "not a valid script: Expected `object`, got `array`"),
        (b"{}", "not a valid script: Object missing required field `deal`"),
        (b"\xff", "not a valid script: "),
        (b"[" * 100_000, "not a valid script: "),
        (b'{"deal": {"narc": [], "customer": []}}', "deal: expected a deck for player"),
        (script(speed=3).encode(), "object contains unknown field `speed`"),
        (script(answers="nobody").encode(), "Invalid enum value 'nobody'"),
        (json.dumps({"deal": {**DEAL, "cop": []}}).encode(), "deal: expected only narc, customer, player, got 'cop'"),
        (
            json.dumps({"deal": {**DEAL, "narc": ["Jackpot"]}}).encode(),
            "deal: unknown card 'Jackpot' in the deck of narc",
        ),
        (json.dumps({"deal": DEAL, "actions": [3]}).encode(), "Expected `str`, got `int`"),
    ],
)
def test_a_broken_script_is_one_sentence_and_exit_1(given: bytes, sentence: str) -> None:
    result = run("script", given=given)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("pitboss sting script: ")
    assert sentence.lower() in result.stderr.lower()
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_not_there_is_one_sentence_and_exit_1(tmp_path: Path) -> None:
    for options in ([str(tmp_path / "none.json")], ["--cards", str(tmp_path / "none.toml")]):
        result = run("script", *options, given=script())
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
        assert "cannot be read: No such file or directory" in result.stderr
