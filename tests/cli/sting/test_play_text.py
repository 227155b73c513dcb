"""`pitboss sting play` in plain text: playable line by line, saved after every action, and left cleanly."""

import json
import re
import shlex
from pathlib import Path

import pytest

from pitboss.cli.sting.playthrough import load_scores, scores_beside
from pitboss.sting.saves import read_hints, read_save
from tests.support.sting.tables import run

LOST = "Busted. The run is over. Your cash: 0."
PRINTED = ("--deck", "corner", "--difficulty", "printed")


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "mine.json"


def played(save: Path, *answers: str, options: tuple[str, ...] = ("--seed", "3", *PRINTED)) -> str:
    """Play with these answers; return what was printed."""
    result = run("play", "--save", str(save), *options, given="".join(f"{answer}\n" for answer in answers))
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\x1b" not in result.stdout
    return result.stdout


def test_the_state_is_printed_before_every_decision(save: Path) -> None:
    printed = played(save)
    assert printed.startswith("Hand 1.\nYou draw 2 Weed, Alibi.\nNarc plays a card face down.\nCustomer checks.\n")
    for line in (
        "Hand 1, round 1 of 3. Heat 0 of 100, cash 0.",
        "Evidence 0 against Cover 0: just safe. Profit 0, Heat 0.",
        "Chance to raise now: Narc 40 %, Customer 0 %.",
        "A fold: costs nothing. A bust: the run is over.",
        "Initiative: Narc. Raises left: 2. Face down: Narc 1.",
        "  3  Alibi: cover: Cover +30, Heat −5 (margin 0 → +30)",
    ):
        assert f"\n{line}\n" in printed
    assert "1-3 to raise, check, fold, hint, help, quit > " in printed


def test_cards_are_raised_by_number_name_or_beginning(save: Path) -> None:
    for answer in ("3", "alibi", "raise Alibi", "al", "raise 3"):
        assert "You play Alibi, face down." in played(save, answer, options=("--seed", "3", *PRINTED, "--new"))


def test_a_run_to_its_end_by_answers_alone(save: Path) -> None:
    printed = played(save, "1", "", "1", "continue", "c", "check", "n")
    assert LOST in printed
    assert "Flip: Narc: 2 Donut Break; You: Weed." in printed
    assert "Another run? [y/n]" in printed
    assert read_save(save.read_bytes()).ending == "busted"


def test_new_run_asks_for_the_deck_and_has_other_cards(save: Path) -> None:
    printed = played(save, "1", "", "1", "", "c", "c", "maybe", "y", "", "9", "2")
    assert "Please answer y or n: " in printed
    assert "2  ghost: Long and cold: cheap goods and the least Heat" in printed
    after = printed.split(LOST)[1]
    assert (after.count("Which difficulty? [normal]"), after.count("Which deck?")) == (1, 2)
    assert "Hand 1.\nYou draw" in after
    assert read_save(save.read_bytes()).decks["player"] == "ghost"
    assert read_save(save.read_bytes()).seed == 4
    assert read_save(save.read_bytes()).difficulty.name == "normal"


def test_invalid_answers_are_refused_and_prompted_again(save: Path) -> None:
    printed = played(save, "dance", "", "go", "next", "9", "c")
    assert "Unknown answer 'dance': expected one of 1-3 to raise, check, fold, hint, help, quit." in printed
    assert "You must check, raise with a card or fold." in printed
    assert "This hand is not over; play it to the end first." in printed
    assert "Unknown answer '9'" in printed
    assert printed.count("Hand 1, round 1 of 3.") == 7
    assert [*read_save(save.read_bytes()).actions] != []


@pytest.mark.parametrize("answer", ["h", "hint"])
def test_hint_recommends_an_action_and_values_every_action(save: Path, answer: str) -> None:
    printed = played(save, answer)
    [said] = re.findall(r"^Hint: (.*?)\.", printed, re.MULTILINE)
    assert said in ("raise Weed", "raise Alibi", "check", "fold")
    [reckoned] = [line for line in printed.splitlines() if line.startswith("Expected cash at the end: ")]
    assert all(f"{action} " in reckoned for action in ("raise Weed", "raise Alibi", "check", "fold"))
    assert read_save(save.read_bytes()).actions == ()


def test_hints_are_counted_across_leaving_and_going_on(save: Path) -> None:
    played(save, "h", "h")
    played(save, "y", "h")
    assert read_hints(save.read_bytes()) == 3
    played(save, "y", "1", "", "1", "continue", "c", "check", "n")
    [score] = load_scores(scores_beside(save))
    assert score.hints == 3


def test_end_lists_every_hand_and_saves_the_score(save: Path) -> None:
    printed = played(save, "f", "f", "n", "1", "c", "f", "f")
    assert "Hand 1: folded" not in printed
    again = played(save, "1", "", "1", "continue", "c", "check", "n", options=("--seed", "3", *PRINTED, "--new"))
    assert "\nHand 1: busted; cash 0, Heat " in again
    assert "\nYour score: 0 (seed 3).\nYour best run with corner on printed so far!\n" in again
    worse = played(save, "1", "", "1", "continue", "c", "check", "n", options=("--seed", "3", *PRINTED, "--new"))
    assert "\nNumber 2 of your best runs with corner on printed.\n" in worse


def test_an_unreadable_list_of_scores_is_reported_and_kept(save: Path) -> None:
    save.parent.mkdir()
    broken = save.with_name("sting-scores.json")
    broken.write_bytes(b"{")
    given = "1\n\n1\ncontinue\nc\ncheck\nn\n"
    result = run("play", "--save", str(save), "--seed", "3", *PRINTED, given=given)
    assert (result.exit_code, broken.read_bytes()) == (1, b"{")
    assert f"The score was not kept: {broken}: not a list of scores" in result.stdout
    assert result.stderr.startswith(f"pitboss sting play: the score was not kept: {broken}: not a list of scores")
    assert result.stderr.count("\n") == 1


def test_a_debt_has_the_minus_that_all_numbers_have(save: Path) -> None:
    options = ("--seed", "4", "--deck", "corner", "--difficulty", "hard")
    printed = played(save, *["f", "f", "n"] * 10, options=options)
    assert "Hand 3, with Heat 8 and −50 cash." in printed
    assert "cash −50 of 500." in printed
    assert re.search(r"^Hand 10: folded; cash −450, ", printed, re.MULTILINE)
    assert "Your score: −450 (seed 4)." in printed
    assert not re.search(r"\s-\d", printed)


def test_help_prints_the_rules(save: Path) -> None:
    printed = played(save, "?")
    assert "If Evidence is higher than Cover at the end of the hand, you bust. Equal is safe." in " ".join(
        printed.split()
    )
    assert "so does Heat 100." in " ".join(printed.split())
    for heading in ("The rules", "How they play", "The decks", "The cards", "Signs"):
        assert f"\n{heading}\n" in printed
    assert "Regular Order: deal: Evidence +10, Heat +10." in printed
    assert max(map(len, printed.split("\nThe rules\n")[1].split("\nSigns\n")[0].splitlines())) <= 80


def test_run_is_saved_after_every_action_and_resumed(save: Path) -> None:
    first = played(save, "1")
    assert f"Saved in {save}. Continue with: pitboss sting play --save {shlex.quote(str(save))}\n" in first
    assert json.loads(save.read_bytes())["deeds"] == ["raise Weed"]
    second = played(save, "y", "continue", options=())
    assert second.startswith("There is a saved run: hand 1, Heat 5, cash 0. Continue it? [y/n]")
    assert json.loads(save.read_bytes())["deeds"] == ["raise Weed", "continue"]


def test_a_saved_run_can_be_given_up(save: Path) -> None:
    played(save, "1")
    assert "Hand 1." in played(save, "n", "easy", "2", options=("--seed", "8"))
    assert read_save(save.read_bytes()).seed == 8
    played(save, "1", options=("--seed", "9", *PRINTED, "--new"))
    assert read_save(save.read_bytes()).seed == 9


def test_options_that_a_saved_run_ignores_are_listed_in_one_line(save: Path) -> None:
    played(save, "1")
    wished = ("--deck", "ghost", "--difficulty", "hard", "--narc", "detective", "--answers", "everyone", "--seed", "4")
    printed = played(save, "y", options=wished)
    assert printed.startswith(
        "The saved run ignores --deck, --difficulty, --narc, --answers, --seed, because it keeps its own options. "
        "--new starts a new run.\nThere is a saved run:"
    )
    same = (*PRINTED, "--narc", "patrolman", "--answers", "following", "--seed", "3")
    for options in ((), same):
        assert played(save, "y", options=options).startswith("There is a saved run:")
    assert "ignores" not in played(save, options=(*wished, "--new"))


def test_folding_needs_confirmation_and_any_other_answer_cancels(save: Path) -> None:
    printed = played(save, "f", "", "f", "1", "f", "g", "fold", "f")
    assert printed.count("Fold (costs nothing)? f again to fold > ") == 2
    assert printed.count("Fold (profit 30 lost, Heat +5)? f again to fold > ") == 2
    assert json.loads(save.read_bytes())["deeds"] == ["raise Weed", "continue", "fold"]


def test_heat_is_never_printed_below_0(save: Path) -> None:
    printed = played(save, "3", "c")
    assert "Heat 0 of 100" in printed
    assert "Heat -" not in printed
    assert read_save(save.read_bytes()).hand.heat < 0
    assert played(save, options=()).startswith("There is a saved run: hand 1, Heat 0, cash 0.")


@pytest.mark.parametrize("answer", ["?", "help"])
def test_help_explains_which_deck(save: Path, answer: str) -> None:
    printed = played(save, "normal", answer, options=("--seed", "3"))
    assert "You sell. A Product makes your profit" in printed
    assert "Enter the number or name of a deck, help or quit. You keep the deck for the whole run." in printed
    assert printed.count("Which deck?") == 2


def test_leaving_at_a_question_keeps_the_saved_run(save: Path) -> None:
    played(save, "1")
    before = save.read_bytes()
    assert "Saved in" not in played(save, "q", options=())
    assert save.read_bytes() == before


def test_finished_run_is_not_resumed(save: Path) -> None:
    played(save, "1", "", "1", "", "c", "c")
    assert "Continue it" not in played(save)


def test_without_a_seed_runs_differ(save: Path) -> None:
    seeds = set()
    for _ in range(3):
        played(save, options=("--deck", "ghost", "--difficulty", "easy", "--new"))
        seeds.add(read_save(save.read_bytes()).seed)
    assert len(seeds) == 3


def test_it_is_kept_in_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / name))
    result = run("play", "--seed", "3", *PRINTED, given="1\n")
    assert result.exit_code == 0
    assert "sting.json. Continue with: pitboss sting play\n" in result.stdout
    assert read_save((tmp_path / "pitboss" / "sting.json").read_bytes()).seed == 3


def test_another_game(tmp_path: Path, save: Path) -> None:
    cards = tmp_path / "cards.toml"
    decks = "".join(f'[decks.{role}]\nd = {{ "Tea" = 5 }}\n' for role in ("narc", "customer", "player"))
    cards.write_text('[cards]\n"Tea" = { kind = "product", price = 7 }\n' + decks, encoding="utf-8")
    assert "You draw 3 Tea." in played(save, "1", options=("--cards", str(cards)))
    assert "Tea: product: sells for 7" in played(save, "y", options=())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--deck", "x"), "unknown player deck 'x': expected one of corner, ghost, kingpin"),
        (("--difficulty", "x"), "unknown difficulty 'x': expected one of easy, normal, hard, printed"),
        (("--narc", "x"), "unknown narc deck 'x': expected one of patrolman, detective"),
        (("--cards", "none.toml"), "none.toml cannot be read: No such file or directory"),
    ],
)
def test_missing_file_is_one_sentence_and_exit_1(save: Path, options: tuple[str, ...], sentence: str) -> None:
    result = run("play", "--save", str(save), *options)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"pitboss sting play: {sentence}\n"


def test_a_broken_save_is_one_sentence_and_left_alone(save: Path) -> None:
    save.parent.mkdir()
    save.write_bytes(b"{")
    result = run("play", "--save", str(save))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert f"{save} cannot be continued: not a saved run" in result.stderr
    assert "--new" in result.stderr
    assert save.read_bytes() == b"{"
    played(save, "1", options=("--seed", "3", *PRINTED, "--new"))
    assert read_save(save.read_bytes()).seed == 3


def test_an_unwritable_save_is_reported_and_the_game_continues(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    path = tmp_path / "file" / "save.json"
    result = run("play", "--save", str(path), "--seed", "3", *PRINTED, "--new", given="1\n")
    assert result.exit_code == 1
    assert "You play Weed, face down." in result.stdout
    assert f"Not saved: {path} cannot be written: " in result.stdout
    assert result.stderr.startswith(f"pitboss sting play: {path} cannot be written: ")
    assert result.stderr.count("\n") == 1


def test_a_folder_as_save_is_refused(tmp_path: Path) -> None:
    result = run("play", "--save", str(tmp_path))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)


def test_invalid_utf8_is_prompted_again(save: Path) -> None:
    result = run("play", "--save", str(save), "--seed", "3", *PRINTED, given=b"\xff\n1\n")
    assert result.exit_code == 0
    assert "You play Weed" in result.stdout
