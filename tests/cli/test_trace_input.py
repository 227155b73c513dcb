"""`pitboss trace` and bad input: one sentence on standard error, exit code 2, nothing on standard output."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.cli.runs import lines, run
from tests.support.for_each import for_each

BLINDS = {"system": "no_limit", "small_blind": 10, "big_blind": 20}
GOOD: dict[str, Any] = {
    "betting": BLINDS,
    "stacks": [1000, 1000, 30],
    "button": 0,
    "antes": [1, 1, 1],
    "deck": "AsKsQsAdKdQd2c3c4d9h8h",
    "straddles": [40],
    "posts": [{"place": 0, "amount": 20, "live": False}],
    "actions": ["call", "raise_to 60", "raise_by 40", "bet 50", "check", "fold", "all_in"],
}
STEP: dict[str, Any] = {
    "betting": {"system": "fixed_step", "min_bet": 10, "max_raises": 3, "start": 0},
    "stacks": [100, 100, 5],
    "antes": [1, 1, 1],
    "actions": ["bet", "raise", "all_in", "fold"],
}
INITIATIVE: dict[str, Any] = {
    "betting": {"system": "initiative", "cap": 3, "answers": "following"},
    "stacks": [3, 3, 3],
    "actions": ["check", "raise", "check"],
}
LIMIT: dict[str, Any] = {
    "betting": {"system": "fixed_limit", "small_blind": 10, "big_blind": 20, "small_bet": 20, "big_bet": 40, "cap": 4},
    "stacks": [100, 100],
    "seed": 3,
    "actions": ["raise", "call", "bet"],
}


def refusal(text: str | bytes) -> str:
    """The one sentence on standard error, without the command's name."""
    result = run("trace", given=text)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.endswith("\n")
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("pitboss trace: ")
    return result.stderr.removeprefix("pitboss trace: ").rstrip("\n")


def without(*fields: str) -> dict[str, Any]:
    return {name: value for name, value in GOOD.items() if name not in fields}


@pytest.mark.parametrize("good", [GOOD, STEP, INITIATIVE, LIMIT], ids=lambda given: given["betting"]["system"])
def test_the_good_ones_are_good(good: dict[str, Any]) -> None:
    result = run("trace", given=json.dumps(good))
    assert (result.exit_code, result.stderr) == (0, "")


@for_each(
    "text, sentence",
    [
        ("", "the input is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("hello", "the input is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ('{"a": 1', "the input is not JSON: Expecting ',' delimiter: line 1 column 8 (char 7)"),
        ("[]", "input: expected one JSON object, got []"),
        ("null", "input: expected one JSON object, got None"),
        (
            "{}",
            'betting: expected an object such as {"system": "no_limit", "small_blind": 10, "big_blind": 20}, got None',
        ),
        ("{} {}", "the input is not JSON: Extra data: line 1 column 4 (char 3)"),
    ],
)
def test_texts_that_are_not_objects(text: str, sentence: str) -> None:
    assert refusal(text) == sentence


def test_bytes_that_are_not_text() -> None:
    refusal(b"\xff\xfe{}")


def test_arrays_that_nest_without_end() -> None:
    refusal("[" * 100_000)


KNOWN = "bomb, button, deck, game, posts, runs, seed, stacks, straddles"
CHANGES: list[tuple[dict[str, Any], str]] = [
    # cards
    ({"deck": "AsXx"}, "unknown card 'Xx': write a rank of 23456789TJQKA and a suit of cdhs, such as As"),
    ({"deck": "AsK"}, "unknown card 'K': write a rank of 23456789TJQKA and a suit of cdhs, such as As"),
    ({"deck": "AsKsQsAsKdQd2c3c4d9h8h"}, "card As appears twice"),
    ({"deck": "AsKs??AdKdQd2c3c4d9h8h"}, "deck: card '??' is not in the deck of no-limit hold'em"),
    ({"deck": ["As"]}, "deck: expected a text such as \"AsKd…\", in dealing order, got ['As']"),
    ({"deck": None}, 'deck: expected a text such as "AsKd…", in dealing order, got None'),
    # chips
    ({"stacks": [1000, -1, 30]}, "stacks[1]: expected a whole number of at least 0, got -1"),
    ({"stacks": [1000, 0.5, 30]}, "stacks[1]: expected a whole number of at least 0, got 0.5"),
    ({"stacks": [1000, 1000.0, 30]}, "stacks[1]: expected a whole number of at least 0, got 1000.0"),
    ({"stacks": [1000, "30", 30]}, "stacks[1]: expected a whole number of at least 0, got '30'"),
    ({"stacks": [1000, True, 30]}, "stacks[1]: expected a whole number of at least 0, got True"),
    ({"antes": [1, 1, -1]}, "antes[2]: expected a whole number of at least 0, got -1"),
    ({"antes": [1, 1]}, "antes: expected 3 numbers, one per seat, got 2"),
    ({"antes": 5}, "antes: expected a list of chips, got 5"),
    ({"betting": {**BLINDS, "small_blind": -1}}, "betting.small_blind: expected a whole number of at least 0, got -1"),
    ({"betting": {**BLINDS, "big_blind": 0.5}}, "betting.big_blind: expected a whole number of at least 0, got 0.5"),
    (
        {"betting": {**BLINDS, "small_blind": 30}},
        "blinds: expected a big blind of at least 1, and a small one up to it, got 30 and 20",
    ),
    (
        {"betting": {**BLINDS, "small_blind": 0, "big_blind": 0}},
        "blinds: expected a big blind of at least 1, and a small one up to it, got 0 and 0",
    ),
    # players
    ({"stacks": []}, "stacks: expected at least 2 numbers, got 0"),
    ({"stacks": [1000]}, "stacks: expected at least 2 numbers, got 1"),
    ({"stacks": [1000, 0, None]}, "dealt_in: expected at least two players, got 1"),
    ({"stacks": 1000}, "stacks: expected a list of chips, one number per seat, got 1000"),
    ({"stacks": {"0": 5}}, "stacks: expected a list of chips, one number per seat, got {'0': 5}"),
    # the button
    ({"button": 3}, "button: expected a seat from 0 to 2, got 3"),
    ({"button": -1}, "button: expected a whole number of at least 0, got -1"),
    ({"button": "0"}, "button: expected a whole number of at least 0, got '0'"),
    ({"button": None}, "button: expected a whole number of at least 0, got None"),
    # the system
    ({"betting": {"system": "no_limit"}}, "betting.small_blind is missing"),
    ({"betting": {"system": "no_limit", "small_blind": 5}}, "betting.big_blind is missing"),
    (
        {"betting": {**BLINDS, "system": "nolimit"}},
        "betting.system: expected one of no_limit, pot_limit, fixed_limit, fixed_step, initiative; got 'nolimit'",
    ),
    (
        {"betting": {"small_blind": 10, "big_blind": 20}},
        "betting.system: expected one of no_limit, pot_limit, fixed_limit, fixed_step, initiative; got None",
    ),
    (
        {"betting": {**BLINDS, "reopening": "double"}},
        "betting.reopening: expected one of single, cumulative, always; got 'double'",
    ),
    ({"betting": {**BLINDS, "reopening": 1}}, "betting.reopening: expected one of single, cumulative, always; got 1"),
    (
        {"betting": {**BLINDS, "min_bet": 20}},
        "unknown field betting.min_bet; expected one of big_blind, reopening, small_blind, system",
    ),
    # everything else
    (
        {"blinds": [10, 20]},
        f"unknown field blinds; expected one of actions, antes, betting, {KNOWN}",
    ),
    ({"straddles": [40, 80]}, "straddles: expected at most 1, because only players after the blinds straddle, got 2"),
    ({"straddles": [-40]}, "straddles[0]: expected a whole number of at least 0, got -40"),
    ({"posts": [{"place": 3, "amount": 20}]}, "posts[0].place: expected a seat with a player who is dealt in, got 3"),
    ({"posts": [{"place": 0}]}, "posts[0].amount is missing"),
    ({"posts": [{"place": 0, "amount": 2.5}]}, "posts[0].amount: expected a whole number of at least 0, got 2.5"),
    ({"posts": [{"place": 0, "amount": 5, "live": 1}]}, "posts[0].live: expected true or false, got 1"),
    (
        {"posts": [{"place": 0, "amount": 5, "dead": 1}]},
        "unknown field posts[0].dead; expected one of amount, live, place",
    ),
    ({"posts": [5]}, 'posts: expected a list of objects such as {"place": 3, "amount": 20, "live": true}, got [5]'),
    ({"actions": "call"}, 'actions: expected a list of texts such as ["call", "raise_to 60"], got \'call\''),
    (
        {"actions": ["call", 60]},
        'actions: expected a list of texts such as ["call", "raise_to 60"], got [\'call\', 60]',
    ),
]


@for_each("change, sentence", CHANGES, ids=[str(number) for number in range(len(CHANGES))])
def test_bad_hands(change: dict[str, Any], sentence: str) -> None:
    assert refusal(json.dumps({**GOOD, **change})) == sentence


def test_a_bad_seed() -> None:
    assert refusal(json.dumps({**without("deck"), "seed": "7"})) == "seed: expected a whole number, got '7'"


def test_more_players_than_cards() -> None:
    given = {"betting": BLINDS, "stacks": [100] * 24}
    assert refusal(json.dumps(given)) == "players: expected at most 23 in no-limit hold'em, got 24"


ROUNDS: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (STEP, {"betting": {"system": "fixed_step", "start": 3}}, "betting.start: expected a seat from 0 to 2, got 3"),
    (STEP, {"betting": {"system": "fixed_step", "min_bet": 0}}, "betting.min_bet: expected at least 1, got 0"),
    (STEP, {"deck": "AsKd"}, "deck: not used in a single round of fixed_step: leave it out"),
    (STEP, {"button": 0}, "button: not used in a single round of fixed_step: leave it out"),
    (
        STEP,
        {"betting": {"system": "fixed_step", "max_raises": -1}},
        "betting.max_raises: expected a whole number of at least 0, got -1",
    ),
    (
        INITIATIVE,
        {"betting": {"system": "initiative", "cap": 0}},
        "cap_closes: requires a cap of 1 or more",
    ),
    (
        INITIATIVE,
        {"betting": {"system": "initiative", "answers": "nobody"}},
        "betting.answers: expected one of everyone, following; got 'nobody'",
    ),
    (INITIATIVE, {"seed": 1}, "seed: not used in a single round of initiative: leave it out"),
    (
        LIMIT,
        {"betting": {"system": "fixed_limit", "small_blind": 10, "big_blind": 20, "small_bet": 0}},
        "betting.small_bet: expected at least 1, got 0",
    ),
]


@for_each("good, change, sentence", ROUNDS, ids=[str(number) for number in range(len(ROUNDS))])
def test_bad_rounds(good: dict[str, Any], change: dict[str, Any], sentence: str) -> None:
    assert refusal(json.dumps({**good, **change})) == sentence


def test_big_bet_of_zero() -> None:
    """Otherwise one may bet no chips, and it prints as a check."""
    refusal(json.dumps({**LIMIT, "betting": {**LIMIT["betting"], "big_bet": 0}}))


@for_each("name", ["a\nb", "a\u2028b", "\ud800", "x" * 10_000, ""], ids=range(5))
def test_unknown_field_is_reported_on_one_line_whatever_its_name(name: str) -> None:
    assert refusal(json.dumps({**GOOD, name: 1})).startswith("unknown field ")


@pytest.mark.parametrize("value", ["x" * 10_000, [[1] * 10_000], {"a": "\n"}], ids=range(3))
def test_value_of_any_size_is_reported_in_a_readable_sentence(value: object) -> None:
    assert len(refusal(json.dumps({**GOOD, "button": value}))) < 1000


# --- anything at all

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)
NUMBERS = (0, 1, 2, 3, 5, 10, 20, 1000, -1, 0.5, 10**18, 10**30, True, None, float("nan"), float("inf"))
TEXTS = (
    "call",
    "check",
    "fold",
    "raise",
    "bet",
    "all_in",
    "bet 0",
    "raise_to 0",
    "raise_by 0",
    "raise_to 60",
    "x",
    "\ud800",
)
SYSTEMS = ("no_limit", "pot_limit", "fixed_limit", "fixed_step", "initiative", "x")
pieces = (
    st.sampled_from(NUMBERS)
    | st.sampled_from(TEXTS)
    | st.sampled_from(SYSTEMS)
    | st.lists(st.sampled_from(NUMBERS), max_size=6)
    | st.lists(st.sampled_from(TEXTS), max_size=20)
    | values
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A good input with some of its values exchanged, taken out or put in, at any depth."""
    good = draw(st.sampled_from((GOOD, STEP, INITIATIVE, LIMIT)))
    changed: dict[str, Any] = json.loads(json.dumps(good))
    for _ in range(draw(st.integers(1, 4))):
        inside: Any = changed
        while isinstance(inside, dict | list) and inside:
            key = draw(st.sampled_from(sorted(inside) if isinstance(inside, dict) else range(len(inside))))
            if not isinstance(inside[key], dict | list) or not inside[key] or draw(st.booleans()):
                if draw(st.integers(0, 4)) == 0:
                    del inside[key]
                else:
                    inside[key] = draw(pieces)
                break
            inside = inside[key]
    if draw(st.integers(0, 9)) == 0:
        changed[draw(st.text(max_size=8))] = draw(values)
    return json.dumps(changed)


def check(text: str | bytes) -> None:
    """Whatever the input, it is followed or told in one line."""
    result = run("trace", given=text)
    assert result.exit_code in (0, 2)
    if result.exit_code == 2:
        refusal(text)
        return
    assert result.stderr == ""
    total = None
    for line in lines(result.stdout):
        chips = line["state"]["pot"] + sum(player["stack"] for player in line["state"]["players"])
        assert total in (None, chips)
        total = chips
        assert min(player["stack"] for player in line["state"]["players"]) >= 0
        assert line["ok"] == (line["error"] is None)
        assert line["state"]["done"] == (line["state"]["turn"] is None)


@given(mutated())
@example(json.dumps({**GOOD, "stacks": [10**30, 10**30, 10**30]}))
@example(json.dumps({**GOOD, "stacks": [1, 1, 1]}))
def test_changed_inputs_are_followed_or_refused(text: str) -> None:
    check(text)


@given(st.text() | values.map(json.dumps) | values.map(lambda value: json.dumps({**GOOD, "betting": value})))
def test_any_text_is_followed_or_refused(text: str) -> None:
    check(text.encode(errors="surrogatepass"))


@given(st.binary())
def test_any_bytes_are_followed_or_refused(given: bytes) -> None:
    check(given)


@given(st.lists(st.sampled_from(TEXTS) | st.text(max_size=10), max_size=30))
def test_any_actions_are_followed_or_refused_one_by_one(actions: list[str]) -> None:
    result = run("trace", given=json.dumps({**GOOD, "actions": actions}))
    assert result.exit_code == 0
    assert len(lines(result.stdout)) == 1 + len(actions)


# --- games by name

RAZZ = {"betting": {"bring_in": 5, "small_bet": 10}, "stacks": [100, 100, 100]}


@for_each(
    "given, sentence",
    [
        ({**RAZZ, "game": "chess"}, "no game is called 'chess': there are "),
        ({**RAZZ, "game": 7}, "game: expected a name such as razz, got 7"),
        ({**RAZZ, "game": None}, "game: expected a name such as razz, got None"),
        (
            {**RAZZ, "game": "NT"},
            "unknown field betting.bring_in; expected one of big_blind, reopening, small_blind, system",
        ),
        (
            {**RAZZ, "game": "razz", "betting": BLINDS},
            "betting.system: expected fixed_limit, the system of limit razz, got no_limit",
        ),
        ({**RAZZ, "game": "razz", "betting": {"bring_in": 5}}, "betting.small_bet is missing"),
        (
            {**RAZZ, "game": "razz", "betting": {"bring_in": 11, "small_bet": 10}},
            "bring_in: expected 1 to 10 in limit razz, got 11",
        ),
        ({**RAZZ, "game": "razz", "straddles": [40]}, "straddles: not used in a game with a bring-in: leave it out"),
        ({**RAZZ, "game": "razz", "runs": 2}, "runs: expected 1, got 2: limit razz has no board"),
        ({**RAZZ, "game": "razz", "stacks": [100] * 9}, "players: expected at most 8 in limit razz, got 9"),
        ({"betting": BLINDS, "stacks": [100, 100], "bomb": 1}, "bomb: expected true or false, got 1"),
        ({"betting": BLINDS, "stacks": [100, 100], "bomb": True}, "blinds: a bomb pot has antes only"),
        ({"betting": BLINDS, "stacks": [100, 100], "runs": 9}, "runs: expected 1 to 4, got 9"),
    ],
)
def test_impossible_games(given: dict[str, object], sentence: str) -> None:
    assert refusal(json.dumps(given)).startswith(sentence)


def test_the_game_by_an_option_and_by_the_input() -> None:
    named = run("trace", "--game", "FR", given=json.dumps(RAZZ))
    assert named.exit_code == 0
    assert named.stdout == run("trace", given=json.dumps({**RAZZ, "game": "razz"})).stdout
    assert run("trace", "--game", "razz", given=json.dumps({**RAZZ, "game": "FR"})).stdout == named.stdout
    both = run("trace", "--game", "badugi", given=json.dumps({**RAZZ, "game": "FR"}))
    assert both.exit_code == 2
    assert both.stderr == "pitboss trace: game: --game names 'badugi', but the input names 'FR'\n"


def test_discard_is_a_word_of_draw_games_alone_and_names_seats() -> None:
    blinds = {"small_blind": 1, "big_blind": 2}
    given = {"betting": blinds, "stacks": [9, 9, 9], "button": 0, "actions": ["call", "call", "check", "discard Xx"]}
    *_, unread = lines(run("trace", "--game", "FB", given=json.dumps(given)).stdout)
    assert unread["error"].startswith("no_such_card: unknown card ")
    cards = {**given, "deck": "2c", "actions": ["call", "call", "check", "discard 2c2d2h2s3c"]}
    *_, many = lines(run("trace", "--game", "FB", given=json.dumps(cards)).stdout)
    assert many["error"] == "too_many_cards: place 1 holds 4 cards and cannot change 5"
    holdem = {**given, "betting": {**blinds, "system": "no_limit"}, "actions": ["discard"]}
    *_, unknown = lines(run("trace", given=json.dumps(holdem)).stdout)
    assert unknown["error"].endswith("bet, raise, raise_to, raise_by; got 'discard'")
