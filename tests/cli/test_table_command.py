"""`pitboss table`: what its commands print for good input, and the one sentence they print for bad."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli.runs import run, run_apart
from tests.support.for_each import for_each

SERVER: dict[str, Any] = {
    "hand": 1,
    "players": ["Player1", "Player2"],
    "startingStacks": [50, 100],
    "blindsOrStraddles": [1, 2],
    "antes": [0, 0],
    "seatCount": [6],
    "actions": ["d dh p1 2h2d", "d dh p2 3s3d"],
    "_inactive": [0, 0],
    "_intents": [0, 0],
}
CLIENT: dict[str, Any] = SERVER | {
    "author": "Player3",
    "players": ["Player1", "Player2", "Player3"],
    "startingStacks": [50, 100, 100],
    "blindsOrStraddles": [1, 2, 0],
    "actions": ["d dh p1 ????", "d dh p2 ????"],
    "_intents": [0, 0, 0],
}
OVER: dict[str, Any] = SERVER | {"actions": [*SERVER["actions"], "p1 f"]}
HAND_6: dict[str, Any] = {
    "hand": 6,
    "players": ["Player1", "Player2", "Player3"],
    "startingStacks": [50, 100, 75.25],
    "blindsOrStraddles": [0, 1, 2],
    "finishingStacks": [50, 100, 75.25],
    "_inactive": [0, 1, 0],
    "_intents": [0, 0, 0],
    "_deadBlinds": [0, 3, 0],
}


def file(folder: Path, fields: object, name: str = "server.json") -> str:
    path = folder / name
    path.write_text(fields if isinstance(fields, str) else json.dumps(fields), encoding="utf-8")
    return str(path)


def printed(*arguments: str, given: str = "") -> dict[str, Any]:
    """What a command prints: one line of JSON and nothing else; its status must be 0."""
    result = run("table", *arguments, given=given)
    assert result.stderr == ""
    assert result.exit_code == 0
    assert result.stdout.count("\n") == 1
    found = json.loads(result.stdout, parse_float=Decimal)
    assert isinstance(found, dict)
    return found


def refused(*arguments: str, given: str = "") -> str:
    """The sentence of a refusal: on standard error, alone, and 2."""
    result = run("table", *arguments, given=given)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("pitboss table: ")
    return result.stderr.removeprefix("pitboss table: ").removesuffix("\n")


# --- merge


def test_merge_grants_75_25_exactly(tmp_path: Path) -> None:
    found = printed(
        *("merge", "--author", "Player3", "--grant", "75.25", file(tmp_path, SERVER), file(tmp_path, CLIENT, "c.json"))
    )
    assert list(found) == ["document", "ignored"]
    assert found["document"]["startingStacks"] == [50, 100, Decimal("75.25")]
    assert found["document"]["_inactive"] == [0, 0, 1]
    assert found["document"]["actions"] == SERVER["actions"]
    assert found["ignored"] == ["startingStacks: asked for 100, got 75.25"]


def test_amounts_are_json_numbers_with_all_their_digits(tmp_path: Path) -> None:
    result = run(
        "table",
        "merge",
        "--author",
        "Player3",
        "--grant",
        "75.25",
        file(tmp_path, SERVER),
        file(tmp_path, CLIENT, "c.json"),
    )
    assert '"startingStacks":[50,100,75.25]' in result.stdout


def test_merge_without_a_grant_keeps_the_request(tmp_path: Path) -> None:
    found = printed("merge", "--author", "Player3", file(tmp_path, SERVER), file(tmp_path, CLIENT, "c.json"))
    assert found["document"]["startingStacks"] == [50, 100, 100]


def test_merge_of_a_pause_reports_no_problem(tmp_path: Path) -> None:
    wish = SERVER | {"_intents": [0, 2]}
    found = printed("merge", "--author", "Player2", file(tmp_path, SERVER), file(tmp_path, wish, "c.json"))
    assert found["ignored"] == []
    assert found["document"]["_intents"] == [0, 2]
    assert found["document"]["_inactive"] == [0, 1]


def test_merge_of_an_invalid_request_ignores_it_without_an_error(tmp_path: Path) -> None:
    """Of a client's document only the intent is read: an error in it is reported, and the old document is kept."""
    wish = SERVER | {"_intents": [0, 7]}
    found = printed("merge", "--author", "Player2", file(tmp_path, SERVER), file(tmp_path, wish, "c.json"))
    assert found["ignored"] == ["_intents: expected 0, 1, 2 or 3, got 7"]
    assert found["document"]["_intents"] == [0, 0]


@pytest.mark.parametrize(("server", "client"), [("-", "c.json"), ("s.json", "-")])
def test_merge_reads_either_document_from_standard_input(tmp_path: Path, server: str, client: str) -> None:
    wish = SERVER | {"_intents": [0, 2]}
    names = [file(tmp_path, SERVER, "s.json"), file(tmp_path, wish, "c.json")]
    arguments = [name if given != "-" else "-" for given, name in zip((server, client), names, strict=True)]
    given = json.dumps(SERVER if server == "-" else wish)
    assert printed("merge", "--author", "Player2", *arguments, given=given)["document"]["_intents"] == [0, 2]


def test_merge_of_both_from_standard_input_is_refused() -> None:
    sentence = refused("merge", "--author", "Player2", "-", "-", given="{}")
    assert sentence == "only one of the two documents can be read from standard input"


@for_each(
    "changes, author, sentence",
    [
        ({}, "Nobody", "players: expected 'Nobody' among the players of the client's document"),
        (
            {"startingStacks": [50, 100, "many"]},
            "Player3",
            "startingStacks: expected the chips that 'Player3' brings, above 0, got 'many'",
        ),
        ({"_intents": [0, 0, 9]}, "Player3", "_intents: expected 0, 1 or 2 for a new player, got 9"),
        ({"seats": [1, 2, 2]}, "Player3", "seat 2 is taken"),
        ({"seats": [1, 2, 9]}, "Player3", "seat: expected 1 to 6, got 9"),
    ],
)
def test_merge_refuses_a_newcomer(tmp_path: Path, changes: dict[str, Any], author: str, sentence: str) -> None:
    server = file(tmp_path, SERVER | {"seats": [1, 2]})
    assert refused("merge", "--author", author, server, file(tmp_path, CLIENT | changes, "c.json")) == sentence


@for_each("grant", ["much", "-1", "nan", "inf", "", "1e"])
def test_merge_refuses_an_invalid_grant(tmp_path: Path, grant: str) -> None:
    arguments = ("--grant", grant, file(tmp_path, SERVER), file(tmp_path, CLIENT, "c.json"))
    sentence = refused("merge", "--author", "Player3", *arguments)
    assert sentence == f"--grant: expected a number of chips from 0, got {grant!r}"


def test_merge_needs_an_author(tmp_path: Path) -> None:
    result = run("table", "merge", file(tmp_path, SERVER), file(tmp_path, CLIENT, "c.json"))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "--author" in result.stderr


# --- documents that we do not keep, whatever the command

COMMANDS: list[tuple[str, ...]] = [
    ("next",),
    ("auto",),
    ("act", "--author", "Player1", "cc"),
    ("view", "--player", "Player1"),
]
BAD: list[tuple[dict[str, Any] | str, str]] = [
    (SERVER | {"_intents": [0]}, "_intents: expected 2 entries, one per player, got 1"),
    (SERVER | {"antes": [0, 0, 0]}, "antes: expected 2 entries, one per player, got 3"),
    (SERVER | {"_intents": [0, 4]}, "_intents[1]: expected 0, 1, 2 or 3, got 4"),
    (SERVER | {"_intents": [-1, 0]}, "_intents[0]: expected 0, 1, 2 or 3, got -1"),
    (
        SERVER | {"startingStacks": [50, "lots"]},
        "startingStacks[1]: expected a number of chips, at least 0, got 'lots'",
    ),
    (SERVER | {"seats": [3, 3]}, "seats: expected different seats, got [3, 3]"),
    (SERVER | {"_deadBlinds": [0, 1]}, "_deadBlinds[1]: expected 0 for an active player, got 1"),
    (SERVER | {"players": ["Player1", "Player1"]}, "players: expected different names, got 'Player1' twice"),
    ([SERVER], "the document: expected one JSON object, got a list"),  # type: ignore[list-item]  # a list is what is wrong here
]


@for_each("command", COMMANDS, ids=lambda command: command[0])
@for_each("fields, sentence", BAD)
def test_documents_we_do_not_keep(
    tmp_path: Path, command: tuple[str, ...], fields: dict[str, Any], sentence: str
) -> None:
    assert refused(*command, file(tmp_path, fields)) == sentence
    assert refused(*command, "-", given=json.dumps(fields)) == sentence
    if command == ("next",):
        assert (
            refused("merge", "--author", "Player1", file(tmp_path, fields), file(tmp_path, CLIENT, "c.json"))
            == sentence
        )


@for_each("command", COMMANDS, ids=lambda command: command[0])
@for_each("text", ["", "{", '{"players": [', "nonsense", '{"a": NaN}', "\ufeff{}"])
def test_broken_json(tmp_path: Path, command: tuple[str, ...], text: str) -> None:
    assert refused(*command, file(tmp_path, text)).startswith("the document is not JSON: ")
    assert refused(*command, "-", given=text).startswith("the document is not JSON: ")


def test_broken_json_of_the_client(tmp_path: Path) -> None:
    arguments = (file(tmp_path, SERVER), file(tmp_path, "{", "c.json"))
    assert refused("merge", "--author", "Player1", *arguments).startswith("the document is not JSON: ")


@pytest.mark.parametrize("text", ['{"x": 1e99999999999999999999}', '{"x": -1E-99999999999999999999}'])
def test_numbers_beyond_all_bounds(tmp_path: Path, text: str) -> None:
    refused("next", file(tmp_path, text))
    refused("merge", "--author", "Player1", file(tmp_path, SERVER), file(tmp_path, text, "c.json"))


def test_half_a_letter_in_a_clients_document(tmp_path: Path) -> None:
    """Legal JSON, but no text that could be printed: reported as ignored or refused, never a crash."""
    text = json.dumps(SERVER | {"\ud800": 1, "_intents": [0, "\ud800"]})
    result = run("table", "merge", "--author", "Player2", file(tmp_path, SERVER), file(tmp_path, text, "c.json"))
    assert result.exit_code in (0, 2)


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    path.write_bytes(b'{"players": ["\xff", "b"], "startingStacks": [5, 5], "blindsOrStraddles": [1, 2]}')
    assert "utf-8" in refused("next", str(path))


def test_bytes_that_are_not_text_on_standard_input() -> None:
    given = b'{"players": ["\xff", "b"], "startingStacks": [5, 5], "blindsOrStraddles": [1, 2]}'
    result = run_apart("table", "view", "--player", "b", "-", given=given)
    assert result.stdout == b""
    assert result.returncode == 2
    assert result.stderr.startswith(b"pitboss table: ")
    assert result.stderr.count(b"\n") == 1


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_missing_file(tmp_path: Path, command: tuple[str, ...]) -> None:
    name = str(tmp_path / "nowhere.json")
    sentence = refused(*command, name)
    assert "No such file" in sentence
    assert name in sentence


def test_folder_is_not_a_document(tmp_path: Path) -> None:
    assert str(tmp_path) in refused("next", str(tmp_path))


def test_missing_file_of_the_client(tmp_path: Path) -> None:
    name = str(tmp_path / "nowhere.json")
    assert name in refused("merge", "--author", "Player1", file(tmp_path, SERVER), name)


# --- next


def test_next(tmp_path: Path) -> None:
    assert printed("next", file(tmp_path, OVER)) == {
        "players": ["Player1", "Player2"],
        "startingStacks": [49, 101],
        "blindsOrStraddles": [2, 1],
        "antes": [0, 0],
        "_inactive": [0, 0],
        "_intents": [0, 0],
        "_deadBlinds": [0, 0],
        "actions": [],
        "hand": 2,
        "seatCount": [6],
        "_button": 1,
        "minBet": 2,
        "variant": "NT",
    }


def test_next_puts_the_debt_into_dead_money(tmp_path: Path) -> None:
    found = printed("next", file(tmp_path, HAND_6))
    assert found["startingStacks"] == [50, 97, Decimal("75.25")]
    assert found["_deadMoney"] == 3


def test_next_of_standard_input() -> None:
    assert printed("next", "-", given=json.dumps(OVER))["hand"] == 2


@pytest.mark.parametrize("actions", [[], SERVER["actions"]])
def test_next_of_an_unfinished_hand(tmp_path: Path, actions: list[str]) -> None:
    name = file(tmp_path, SERVER | {"actions": actions})
    assert refused("next", name) == "the hand is not finished: play it to its end or give finishingStacks"
    assert json.loads(Path(name).read_text(encoding="utf-8"))["actions"] == actions


def test_next_of_a_hand_that_cannot_be_played(tmp_path: Path) -> None:
    assert "action 3: 'p2 f'" in refused("next", file(tmp_path, SERVER | {"actions": [*SERVER["actions"], "p2 f"]}))


def test_next_hand_of_a_table_with_one_waiting_player(tmp_path: Path) -> None:
    alone = {"players": ["a"], "startingStacks": [50], "blindsOrStraddles": [0], "minBet": 2, "hand": 3}
    assert printed("next", file(tmp_path, alone))["hand"] == 3


def test_next_of_an_empty_table(tmp_path: Path) -> None:
    empty = {"players": [], "startingStacks": [], "blindsOrStraddles": [], "minBet": 2}
    assert printed("next", file(tmp_path, empty))["players"] == []


# --- auto


def test_auto_folds(tmp_path: Path) -> None:
    assert printed("auto", file(tmp_path, SERVER))["actions"] == [*SERVER["actions"], "p1 f"]


def test_auto_may_check(tmp_path: Path) -> None:
    called = SERVER | {"actions": [*SERVER["actions"], "p1 cc"]}
    assert printed("auto", file(tmp_path, called))["actions"][-1] == "p2 f"
    assert printed("auto", "--check", file(tmp_path, called))["actions"][-1] == "p2 cc"


def test_auto_without_a_player_to_act(tmp_path: Path) -> None:
    assert refused("auto", file(tmp_path, OVER)) == "the hand is over"
    undealt = SERVER | {"actions": []}
    assert refused("auto", file(tmp_path, undealt)) == "no player is to act: deal cards first"


# --- act


@for_each("action", ["cc", "f", "cbr 4", "cbr 4.5", "cbr 50"])
def test_act(tmp_path: Path, action: str) -> None:
    found = printed("act", "--author", "Player1", action, file(tmp_path, SERVER))
    assert found["actions"] == [*SERVER["actions"], f"p1 {action}"]


def test_act_of_standard_input() -> None:
    assert printed("act", "--author", "Player1", "cc", "-", given=json.dumps(SERVER))["actions"][-1] == "p1 cc"


@for_each(
    "author, action, sentence",
    [
        ("Nobody", "cc", "players: expected one of Player1, Player2, got 'Nobody'"),
        ("Player2", "cc", "it is the turn of p1, not of p2"),
        ("Player1", "jump", "expected a move such as 'p1 cc', got "),
        ("Player1", "cbr 51", "'p1 cbr 51': "),
        ("Player1", "cbr 3", "'p1 cbr 3': "),
        ("Player1", "cbr much", "expected a number of chips from 0, got 'much'"),
        ("Player1", "", "expected a move such as 'p1 cc', got "),
    ],
)
def test_act_refused(tmp_path: Path, author: str, action: str, sentence: str) -> None:
    assert sentence in refused("act", "--author", author, action, file(tmp_path, SERVER))


def test_act_of_a_player_who_sits_out(tmp_path: Path) -> None:
    paused = SERVER | {"_inactive": [1, 0], "_intents": [2, 0]}
    assert refused("act", "--author", "Player1", "cc", file(tmp_path, paused)) == "'Player1' sits out and cannot act"


# --- view


def test_view_hides_the_others(tmp_path: Path) -> None:
    found = printed("view", "--player", "Player1", file(tmp_path, SERVER))
    assert found["actions"] == ["d dh p1 2h2d", "d dh p2 ????"]
    assert found["author"] == "Player1"


def test_view_of_a_stranger_is_a_spectators(tmp_path: Path) -> None:
    found = printed("view", "--player", "Nobody", file(tmp_path, SERVER))
    assert found["actions"] == ["d dh p1 ????", "d dh p2 ????"]


def test_view_of_standard_input() -> None:
    assert printed("view", "--player", "Player2", "-", given=json.dumps(SERVER))["actions"][0] == "d dh p1 ????"


def test_view_of_a_player_who_left(tmp_path: Path) -> None:
    left = SERVER | {"_inactive": [1, 0], "_intents": [3, 0]}
    sentence = refused("view", "--player", "Player1", file(tmp_path, left))
    assert sentence == "'Player1' has left the table and receives nothing more"


# --- together


def test_a_hand_through_pipes(tmp_path: Path) -> None:
    """The printed document of one command is the document of the next."""
    text = json.dumps(SERVER)
    for arguments in (("act", "--author", "Player1", "cbr 6.5"), ("auto",), ("next",)):
        text = run("table", *arguments, "-", given=text).stdout
    found = json.loads(text, parse_float=Decimal)
    assert found["startingStacks"] == [52, 98]
    assert found["hand"] == 2


def test_as_a_process_of_its_own() -> None:
    result = run_apart("table", "next", "-", given=json.dumps(OVER).encode())
    assert (result.returncode, result.stderr) == (0, b"")
    assert json.loads(result.stdout)["startingStacks"] == [49, 101]


def test_names_beyond_ascii(tmp_path: Path) -> None:
    found = printed("next", file(tmp_path, OVER | {"players": ["Анна", "鈴木"]}))
    assert found["players"] == ["Анна", "鈴木"]


def test_chips_beyond_64_bits(tmp_path: Path) -> None:
    found = printed("next", file(tmp_path, OVER | {"startingStacks": [10**25, 10**25]}))
    assert found["startingStacks"] == [10**25 - 1, 10**25 + 1]


def test_help_names_every_command() -> None:
    result = run("table", "--help")
    assert result.exit_code == 0
    for command in ("merge", "next", "auto", "act", "view"):
        assert command in result.stdout


@pytest.mark.parametrize(
    ("command", "words"),
    [("auto", ("pay the bring-in", "stand pat")), ("deal", ("up-cards", "new cards after a draw"))],
)
def test_help_covers_stud_and_draw_games(command: str, words: tuple[str, ...]) -> None:
    said = " ".join(run("table", command, "--help").stdout.split())
    assert all(word in said for word in words), said


# --- deal


FRESH: dict[str, Any] = SERVER | {"actions": []}


def test_deal_from_a_deck_deals_one_card_at_a_time(tmp_path: Path) -> None:
    found = printed("deal", "--deck", "3s2h 3d2d", file(tmp_path, FRESH))
    assert found["actions"] == ["d dh p1 2h2d", "d dh p2 3s3d"]


def test_deal_by_one_seed_deals_the_whole_hand(tmp_path: Path) -> None:
    document: dict[str, Any] = printed("deal", "--seed", "7", file(tmp_path, FRESH))
    for author, due in (("Player1", False), ("Player2", True), ("Player2", False), ("Player1", True)):
        document = printed("act", "--author", author, "cc", "-", given=json.dumps(document))
        if due:
            document = printed("deal", "--seed", "7", "-", given=json.dumps(document))
    cards = [text.split()[-1] for text in document["actions"] if text.startswith("d db")]
    assert [len(shown) for shown in cards] == [6, 2]
    again = printed("deal", "--seed", "7", file(tmp_path, FRESH))
    assert again["actions"] == document["actions"][:2]
    other = printed("deal", "--seed", "8", file(tmp_path, FRESH))
    assert other["actions"] != again["actions"]


def test_deal_by_chance(tmp_path: Path) -> None:
    dealt = {tuple(printed("deal", file(tmp_path, FRESH))["actions"]) for _ in range(4)}
    assert len(dealt) == 4


def test_deal_errors(tmp_path: Path) -> None:
    fresh, server = file(tmp_path, FRESH), file(tmp_path, SERVER, "s.json")
    assert refused("deal", "--deck", "3s2h", fresh) == "deck: expected at least 4 more cards, got 2"
    assert "card 3s appears twice" in refused("deal", "--deck", "3s2h3s2d", fresh)
    assert refused("deal", "--seed", "1", "--deck", "3s", fresh) == "give --seed or --deck, not both"
    assert (
        refused("deal", "--seed", "1", server)
        == "expected a hand in which cards are due; now a player must act, or the hand is over"
    )
    assert "unknown card" in refused("deal", "--deck", "xx", fresh)
    unknown = refused("deal", file(tmp_path, FRESH | {"variant": "XB"}, "b.json"))
    assert unknown.startswith("variant: expected a code of PHH (NT, ")
    assert unknown.endswith(" or another code from docs/games.md, got XB")


# --- players come and go


def test_join_at_once_between_hands(tmp_path: Path) -> None:
    found = printed("join", "--author", "Player3", "--stack", "75.25", file(tmp_path, FRESH))
    assert found["players"] == ["Player1", "Player2", "Player3"]
    assert found["startingStacks"] == [50, 100, Decimal("75.25")]
    assert found["_inactive"] == [0, 0, 0]
    assert "seats" not in found
    later = printed("join", "--author", "Player3", "--stack", "75.25", "-", given=json.dumps(SERVER))
    assert later["_inactive"] == [0, 0, 1]


def test_join_at_a_chosen_seat(tmp_path: Path) -> None:
    fresh = file(tmp_path, FRESH)
    assert printed("join", "--author", "Player3", "--stack", "100", "--seat", "5", fresh)["seats"] == [1, 2, 5]
    assert refused("join", "--author", "Player3", "--stack", "100", "--seat", "2", fresh) == "seat 2 is taken"
    assert "seat: expected 1 to 6, got 7" in refused(
        "join", "--author", "Player3", "--stack", "100", "--seat", "7", fresh
    )
    assert "already sits at this table" in refused("join", "--author", "Player1", "--stack", "100", fresh)
    assert refused("join", "--author", "x", "--stack", "much", fresh) == (
        "--stack: expected a number of chips from 0, got 'much'"
    )


@pytest.mark.parametrize(("wish", "intent"), [("pause", 2), ("wait", 1), ("leave", 3)])
def test_going_is_merged_at_once(tmp_path: Path, wish: str, intent: int) -> None:
    found = printed(wish, "--author", "Player2", file(tmp_path, SERVER))
    assert (found["_intents"], found["_inactive"]) == ([0, intent], [0, 1])
    assert (
        refused(wish, "--author", "nobody", file(tmp_path, SERVER))
        == "players: expected one of Player1, Player2, got 'nobody'"
    )


def test_resume_is_merged_at_once(tmp_path: Path) -> None:
    paused = printed("pause", "--author", "Player2", file(tmp_path, SERVER))
    found = printed("resume", "--author", "Player2", "-", given=json.dumps(paused, default=float))
    assert (found["_intents"], found["_inactive"]) == ([0, 0], [0, 1])


def test_leaving_is_final(tmp_path: Path) -> None:
    left = printed("leave", "--author", "Player2", file(tmp_path, SERVER))
    sentence = refused("resume", "--author", "Player2", "-", given=json.dumps(left, default=float))
    assert sentence == "_intents: 'Player2' has left, and can join again in the next hand"


@pytest.mark.parametrize("amount", ["1e1000000", "1e4000", "1e-4000"])
def test_an_amount_with_too_many_digits_is_refused_in_one_short_line(tmp_path: Path, amount: str) -> None:
    fresh = file(tmp_path, FRESH)
    assert refused("join", "--author", "x", "--stack", amount, fresh) == (
        f"--stack: {amount} is too large or has too many digits"
    )
    wish = ("merge", "--author", "Player3", "--grant", amount, fresh, file(tmp_path, CLIENT, "c.json"))
    assert refused(*wish) == f"--grant: {amount} is too large or has too many digits"


def test_a_stack_below_the_big_blind_and_ante_is_refused(tmp_path: Path) -> None:
    assert refused("join", "--author", "x", "--stack", "1", file(tmp_path, FRESH)) == (
        "--stack: expected at least a big blind and the ante, 2, got 1"
    )


# --- open, top-up, turn


def test_open_prints_an_empty_table_with_exact_amounts() -> None:
    found = printed("open", "--small-blind", "0.25", "--big-blind", "1", "--seats", "6", "--ante", "0.1")
    assert (found["players"], found["seatCount"], found["minBet"]) == ([], 6, 1)
    assert (found["_smallBlind"], found["_ante"]) == (Decimal("0.25"), Decimal("0.1"))
    stud = printed("open", "--big-blind", "2", "--seats", "8", "--variant", "F7S", "--bring-in", "1", "--unit", "0.5")
    assert (stud["variant"], stud["bringIn"], stud["_unit"]) == ("F7S", 1, Decimal("0.5"))


@for_each(
    "arguments, sentence",
    [
        (("--big-blind", "2", "--seats", "-3"), "seat_count: expected 2 to 23 seats, got -3"),
        (("--big-blind", "0", "--seats", "6"), "big_blind: expected a number of chips, above 0, got 0"),
        (
            ("--big-blind", "2", "--small-blind", "3", "--seats", "6"),
            "small_blind: expected at most the big blind, 2, got 3",
        ),
        (("--big-blind", "much", "--seats", "6"), "--big-blind: expected a number of chips from 0, got 'much'"),
    ],
)
def test_open_names_the_argument_that_is_wrong(arguments: tuple[str, ...], sentence: str) -> None:
    assert refused("open", *arguments) == sentence


def test_top_up_adds_chips_between_hands(tmp_path: Path) -> None:
    over = file(tmp_path, OVER | {"finishingStacks": [49, 101]})
    assert printed("top-up", "--author", "Player1", "--amount", "25.5", over)["_brought"] == {
        "Player1": Decimal("25.5")
    }
    assert refused("top-up", "--author", "Player1", "--amount", "5", file(tmp_path, SERVER)).startswith(
        "the hand is not finished"
    )
    assert refused("top-up", "--author", "Player1", "--amount", "0", over).startswith("amount: expected ")


def test_turn_prints_the_player_to_act_and_their_offer(tmp_path: Path) -> None:
    found = printed("turn", file(tmp_path, SERVER))
    assert found["turn"] == "Player1"
    assert (found["offer"]["call"], found["offer"]["raise"]["min_to"]) == (1, 4)
    assert printed("turn", file(tmp_path, OVER)) == {"turn": None, "offer": None}
