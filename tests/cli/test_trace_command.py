"""`pitboss trace`: the lines it prints, for hands and for single rounds."""

from typing import Any

import pytest

from tests.support.cli.runs import dumped, lines, run
from tests.support.for_each import for_each

BLINDS = {"system": "no_limit", "small_blind": 10, "big_blind": 20}
# Dealt one at a time from the button's left, twice round: places 0, 1, 2 get aces, kings, queens, and a plain board.
DECK = "AsKsQs" + "AdKdQd" + "2c3c4d" + "9h" + "8h"
STATE = ["street", "turn", "price", "last_raise_size", "pot", "players", "offer", "pots", "done"]
NOTHING = {"fold": False, "check": False, "call": None, "bet": None, "raise": None, "all_in": None}


def trace(*actions: str, betting: dict[str, Any] | None = None, **fields: Any) -> list[dict[str, Any]]:
    """Every line of a trace that is to succeed."""
    given = {"betting": betting or BLINDS, "stacks": [1000, 1000, 1000], "actions": list(actions), **fields}
    result = run("trace", given=dumped(given))
    assert result.exit_code == 0
    assert result.stderr == ""
    found = lines(result.stdout)
    assert len(found) == 1 + len(given["actions"])
    return found


def player(stack: int, bet: int = 0, *, acted: bool = False, folded: bool = False, all_in: bool = False) -> object:
    return {"stack": stack, "bet": bet, "acted": acted, "folded": folded, "all_in": all_in}


# --- the shape of a line


def test_the_first_line_is_the_start() -> None:
    start = trace(deck=DECK)[0]
    assert list(start) == ["action", "place", "ok", "error", "events", "state"]
    assert {name: start[name] for name in ("action", "place", "ok", "error")} == {
        "action": None,
        "place": None,
        "ok": True,
        "error": None,
    }
    assert start["events"] == [
        {"type": "posted", "place": 1, "amount": 10, "live": True, "all_in": False},
        {"type": "posted", "place": 2, "amount": 20, "live": True, "all_in": False},
        {"type": "hole_dealt", "place": 1, "cards": ["As", "Ad"]},
        {"type": "hole_dealt", "place": 2, "cards": ["Ks", "Kd"]},
        {"type": "hole_dealt", "place": 0, "cards": ["Qs", "Qd"]},
    ]


def test_the_state_has_these_fields() -> None:
    state = trace(deck=DECK)[0]["state"]
    assert [name for name in STATE if name not in state] == []
    assert {name: state[name] for name in STATE} == {
        "street": "PRE_FLOP",
        "turn": 0,
        "price": 20,
        "last_raise_size": 20,
        "pot": 30,
        "players": [player(1000), player(990, 10), player(980, 20)],
        "offer": {
            "fold": True,
            "check": False,
            "call": 20,
            "bet": None,
            "raise": {"min_to": 40, "max_to": 1000, "min_by": 40, "max_by": 1000},
            "all_in": 1000,
        },
        "pots": [{"amount": 30, "places": [0, 1, 2]}],
        "done": False,
    }


def test_a_line_for_each_action() -> None:
    found = trace("call", "raise_to 60", "fold", "call", "bet 50", deck=DECK)
    assert [(line["action"], line["place"], line["ok"], line["error"]) for line in found] == [
        (None, None, True, None),
        ("call", 0, True, None),
        ("raise_to 60", 1, True, None),
        ("fold", 2, True, None),
        ("call", 0, True, None),
        ("bet 50", 1, True, None),
    ]
    assert [line["state"]["turn"] for line in found] == [0, 1, 2, 0, 1, 0]
    assert [line["state"]["street"] for line in found] == ["PRE_FLOP"] * 4 + ["FLOP"] * 2
    assert [line["state"]["price"] for line in found] == [20, 20, 60, 60, 0, 50]
    assert [line["state"]["pot"] for line in found] == [30, 50, 100, 100, 140, 190]


def test_the_readme_example_of_the_help() -> None:
    found = trace("call", "raise_to 60", "fold", stacks=[1000, 1000, 30], button=0)
    assert [line["ok"] for line in found] == [True, True, True, True]
    assert found[1]["state"]["offer"]["call"] == 10


# --- amounts


def test_bet_and_raise_to_are_street_totals_and_raise_by_is_chips_added() -> None:
    by = trace("fold", "raise_by 40", deck=DECK)[-1]
    to = trace("fold", "raise_to 50", deck=DECK)[-1]
    assert (
        by["events"]
        == to["events"]
        == [{"type": "raised", "place": 1, "amount": 40, "to": 50, "opening": False, "all_in": False}]
    )
    assert by["state"] == to["state"]


def test_last_raise_size_is_the_step_a_raise_must_reach() -> None:
    found = trace("raise_to 60", "raise_to 160", "fold", "call", "bet 70", "raise_to 200", deck=DECK)
    assert [line["state"]["last_raise_size"] for line in found] == [20, 40, 100, 100, 20, 70, 130]


def test_call_on_offer_is_at_most_the_stack() -> None:
    state = trace("raise_to 500", "fold", stacks=[1000, 1000, 100])[-1]["state"]
    assert state["turn"] == 2
    assert (state["offer"]["call"], state["offer"]["all_in"]) == (80, 80)
    assert state["offer"]["raise"] is None


def test_a_bet_has_totals_only() -> None:
    state = trace("call", "call", "check", deck=DECK)[-1]["state"]
    assert state["offer"] == {
        "fold": True,
        "check": True,
        "call": None,
        "bet": {"min_to": 20, "max_to": 980},
        "raise": None,
        "all_in": 980,
    }


@for_each(
    "action, rule",
    [
        ("raise_to 39", "below_minimum: expected at least 40, got 39"),
        ("raise_by 39", "below_minimum: expected at least 40, got 39"),
        ("raise_to 1001", "above_maximum: expected at most 1000, got 1001"),
        ("raise_to 999999999999999999", "above_maximum: expected at most 1000, got 999999999999999999"),
        ("check", "must_pay: cannot check, because 20 is owed; call, raise or fold"),
        ("bet 40", "already_bet: there is already a bet of 20; raise instead"),
        ("raise", "amount_missing: expected an amount: the size is not fixed in this system"),
    ],
)
def test_refused_action_names_the_rule_and_changes_nothing(action: str, rule: str) -> None:
    start, refused, after = trace(action, "call", deck=DECK)
    assert refused == {
        "action": action,
        "place": 0,
        "ok": False,
        "error": rule,
        "events": [],
        "state": start["state"],
    }
    assert after["ok"] is True
    assert after["place"] == 0


@for_each(
    "action",
    [
        *("", "Call", "call 20", "fold 1", "all in", "bet -5", "bet 1.5", "bet", "raise_to", "raise_by", "raise_to x"),
        *("raise_to 1 2", "raise_to 1e3", "raise_to ٣", "bet " + "9" * 5000, "\x00", "raise_to\n60", "rise 60", "é"),
    ],
)
def test_invalid_action_text_is_refused_like_any_other(action: str) -> None:
    start, refused, after = trace(action, "call", deck=DECK)
    assert refused["ok"] is False
    assert refused["error"]
    assert refused["state"] == start["state"]
    assert after["ok"] is True


def test_spaces_around_an_action_do_not_matter() -> None:
    assert [line["ok"] for line in trace(" call ", "raise_to  60", deck=DECK)] == [True, True, True]


# --- to the end


def test_a_hand_to_its_showdown() -> None:
    found = trace("call", "call", "check", *["check"] * 9, deck=DECK)
    assert [line["state"]["street"] for line in found] == (
        ["PRE_FLOP"] * 3 + ["FLOP"] * 3 + ["TURN"] * 3 + ["RIVER"] * 3 + ["SHOWDOWN"]
    )
    assert [event["type"] for event in found[-1]["events"]] == ["checked", "shown", "shown", "shown", "won"]
    assert found[-1]["events"][-1] == {"type": "won", "place": 1, "amount": 60, "pot": 0, "order": "high"}
    last = found[-1]["state"]
    assert [one["stack"] for one in last["players"]] == [980, 1040, 980]
    assert (last["pot"], last["turn"], last["done"], last["offer"]) == (0, None, True, NOTHING)
    assert [line["state"]["done"] for line in found[:-1]] == [False] * 12


def test_a_hand_that_is_folded_out() -> None:
    last = trace("fold", "fold", deck=DECK)[-1]["state"]
    assert (last["street"], last["pot"], last["done"]) == ("PRE_FLOP", 0, True)
    assert [one["stack"] for one in last["players"]] == [1000, 990, 1010]
    assert [one["folded"] for one in last["players"]] == [True, True, False]


def test_finished_hand_accepts_no_action() -> None:
    found = trace("fold", "fold", "check", "fold", deck=DECK)
    assert [(line["ok"], line["place"]) for line in found[-2:]] == [(False, None)] * 2
    assert found[-1]["error"].startswith("betting_over: ")
    assert found[-1]["state"] == found[-3]["state"]


def test_side_pots() -> None:
    found = trace("all_in", "all_in", "call", stacks=[200, 30, 100], deck=DECK)
    last = found[-1]["state"]
    assert last["pots"] == [{"amount": 90, "places": [0, 1, 2]}, {"amount": 140, "places": [0, 2]}]
    assert [one["stack"] for one in last["players"]] == [100, 90, 140]
    assert [event for event in found[-1]["events"] if event["type"] == "refunded"] == [
        {"type": "refunded", "place": 0, "amount": 100}
    ]


@pytest.mark.parametrize("actions", [[], ["call"], ["all_in", "fold"], ["call", "call", "check", "bet 100", "fold"]])
def test_chips_are_conserved_on_every_line(actions: list[str]) -> None:
    for line in trace(*actions, antes=[5, 5, 5], posts=[{"place": 0, "amount": 20, "live": False}]):
        assert line["state"]["pot"] + sum(one["stack"] for one in line["state"]["players"]) == 3000


# --- who sits where


def test_heads_up_button_posts_the_small_blind_and_acts_first() -> None:
    found = trace("call", "check", "check", stacks=[500, 500], button=1)
    assert [line["place"] for line in found] == [None, 1, 0, 0]
    assert [one["bet"] for one in found[0]["state"]["players"]] == [20, 10]


@pytest.mark.parametrize("button", [0, 1, 2])
def test_seats_are_those_of_the_input(button: int) -> None:
    start = trace(button=button, deck=DECK)[0]
    small, big = (button + 1) % 3, (button + 2) % 3
    assert [(event["place"], event["amount"]) for event in start["events"][:2]] == [(small, 10), (big, 20)]
    assert start["state"]["turn"] == button
    assert start["events"][2]["place"] == small


def test_button_and_antes_may_be_absent() -> None:
    assert trace(deck=DECK) == trace(deck=DECK, button=0, antes=[0, 0, 0])


@pytest.mark.parametrize("empty", [0, None])
def test_an_empty_seat_is_skipped(empty: int | None) -> None:
    start = trace(stacks=[1000, empty, 1000, 1000], button=0)[0]
    assert [(event["place"], event["amount"]) for event in start["events"][:2]] == [(2, 10), (3, 20)]
    assert start["state"]["players"][1]["stack"] == 0
    assert start["state"]["turn"] == 0


def test_a_deck_just_long_enough() -> None:
    last = trace("all_in", "call", "call", deck=DECK)[-1]["state"]
    assert (last["done"], last["board"]) == (True, ["2c", "3c", "4d", "9h", "8h"])


def test_unspecified_cards_of_a_deck_follow_from_the_seed() -> None:
    def dealt(**fields: Any) -> list[str]:
        found = trace("all_in", "call", "call", **fields)
        holes = [event["cards"] for event in found[0]["events"] if event["type"] == "hole_dealt"]
        return [*(hole[0] for hole in holes), *(hole[1] for hole in holes), *found[-1]["state"]["board"]]

    assert dealt(deck=DECK[:-2])[:-1] == dealt(deck=DECK)[:-1]
    assert dealt(deck="AsKs", seed=5)[:2] == ["As", "Ks"]
    assert dealt(deck="AsKs", seed=5) == dealt(deck="AsKs", seed=5)
    assert dealt(deck="AsKs", seed=5) != dealt(deck="AsKs", seed=6)
    assert len({*dealt(deck="AsKs", seed=5)}) == 11
    assert dealt(deck="") == dealt()


def test_a_deck_may_have_spaces() -> None:
    assert trace(deck=DECK) == trace(deck="AsKs Qs AdKdQd 2c3c4d 9h 8h")


def test_without_a_deck_the_seed_decides_and_is_0_by_default() -> None:
    assert trace() == trace(seed=0)
    assert trace(seed=1) == trace(seed=1)
    assert trace(seed=1) != trace(seed=2)


# --- forced money


def test_antes_are_dead_and_in_the_pot() -> None:
    state = trace(antes=[5, 5, 5], deck=DECK)[0]["state"]
    assert (state["pot"], state["price"]) == (45, 20)
    assert [one["stack"] for one in state["players"]] == [995, 985, 975]


def test_straddler_acts_last() -> None:
    found = trace("call", "call", "check", stacks=[1000] * 4, straddles=[40])
    assert [line["place"] for line in found] == [None, 0, 1, 2]
    assert found[0]["state"]["price"] == 40
    found = trace("call", "call", "call", stacks=[1000] * 4, straddles=[40])
    assert found[-1]["state"]["turn"] == 3
    assert found[-1]["state"]["offer"]["check"] is True


def test_straddles_may_be_given_for_every_seat() -> None:
    assert trace(stacks=[1000] * 4, straddles=[40]) == trace(stacks=[1000] * 4, straddles=[0, 0, 0, 40])


def test_live_and_dead_posts() -> None:
    posts = [{"place": 3, "amount": 20, "live": True}, {"place": 3, "amount": 10, "live": False}]
    state = trace(stacks=[1000] * 4, posts=posts)[0]["state"]
    assert state["players"][3] == player(970, 20)
    assert (state["pot"], state["price"], state["turn"]) == (60, 20, 3)
    assert state["offer"]["check"] is True


# --- settings


def test_reopening_is_a_setting() -> None:
    """A raises to 100, two short all-ins make it 180: a full raise only when they are added up."""
    given: dict[str, Any] = {"stacks": [1000, 140, 180], "button": 0}
    actions = ["raise_to 100", "all_in", "all_in"]
    single = trace(*actions, betting={**BLINDS, "reopening": "single"}, **given)[-1]["state"]
    added = trace(*actions, betting={**BLINDS, "reopening": "cumulative"}, **given)[-1]["state"]
    assert single["offer"]["raise"] is None
    assert single["turn"] == added["turn"] == 0
    assert trace(*actions, **given)[-1]["state"] == single


def test_pot_limit() -> None:
    state = trace(betting={**BLINDS, "system": "pot_limit"})[0]["state"]
    assert state["offer"]["raise"] == {"min_to": 40, "max_to": 70, "min_by": 40, "max_by": 70}
    assert state["offer"]["all_in"] is None


def test_fixed_limit_needs_no_numbers() -> None:
    betting = {"system": "fixed_limit", "small_blind": 10, "big_blind": 20, "small_bet": 20, "big_bet": 40, "cap": 4}
    found = trace("raise", "raise", "raise", "raise", betting=betting)
    assert [line["state"]["price"] for line in found] == [20, 40, 60, 80, 80]
    assert found[-1]["error"] == "raise_cap: this round already has all 4 raises"


# --- single rounds


def test_fixed_step() -> None:
    betting = {"system": "fixed_step", "min_bet": 10, "max_raises": 3, "start": 0}
    found = trace("bet", "raise", "raise", "raise", "raise", "call", betting=betting, stacks=[100, 100])
    assert [line["place"] for line in found] == [None, 0, 1, 0, 1, 0, 0]
    assert [line["state"]["price"] for line in found] == [0, 10, 20, 30, 40, 40, 40]
    assert found[5]["error"] == "raise_cap: this round already has all 3 raises"
    last = found[-1]["state"]
    assert (last["done"], last["turn"], last["pot"], last["offer"]) == (True, None, 80, NOTHING)
    assert [one["stack"] for one in last["players"]] == [60, 60]


def test_fixed_step_takes_its_own_size_in_numbers_too() -> None:
    betting = {"system": "fixed_step", "min_bet": 10}
    found = trace("bet 10", "raise_to 20", "raise_by 20", "bet 11", betting=betting, stacks=[100, 100])
    assert [line["ok"] for line in found] == [True, True, True, True, False]


def test_fixed_step_starts_with_the_given_player() -> None:
    betting = {"system": "fixed_step", "min_bet": 10, "start": 2}
    found = trace("check", "check", "check", betting=betting)
    assert [line["place"] for line in found] == [None, 2, 0, 1]
    assert found[-1]["state"]["done"] is True


def test_fixed_step_has_no_free_folds() -> None:
    refused = trace("fold", betting={"system": "fixed_step"}, stacks=[100, 100])[-1]
    assert refused["error"] == "free_fold: this system does not allow a fold where checking is free"


def test_initiative_following_skips_players_before_the_raiser() -> None:
    betting = {"system": "initiative", "cap": 3, "answers": "following"}
    found = trace("check", "raise", "check", "raise", "check", "check", betting=betting, stacks=[5, 5, 5])
    assert [line["place"] for line in found] == [None, 0, 1, 2, 1, 2, 1]
    assert found[-1]["state"]["done"] is True
    assert [one["stack"] for one in found[-1]["state"]["players"]] == [5, 3, 5]


def test_initiative_may_ask_everyone() -> None:
    betting = {"system": "initiative", "cap": 3, "answers": "everyone"}
    found = trace("check", "raise", "check", betting=betting, stacks=[5, 5, 5])
    assert found[-1]["state"]["turn"] == 0


def test_initiative_the_last_raise_of_the_cap_ends_the_round() -> None:
    found = trace("raise", "raise", "raise", betting={"system": "initiative", "cap": 3}, stacks=[5, 5, 5])
    assert [line["state"]["done"] for line in found] == [False, False, False, True]


def test_no_actions_print_the_start_alone() -> None:
    assert len(trace()) == 1
    result = run("trace", given=dumped({"betting": BLINDS, "stacks": [100, 100]}))
    assert len(lines(result.stdout)) == 1


def test_chips_beyond_64_bits() -> None:
    given = f'{{"betting": {{"system": "no_limit", "small_blind": 1, "big_blind": 2}}, "stacks": [{10**30}, 5]}}'
    result = run("trace", given=given)
    assert result.exit_code == 0
    assert f'"stack":{10**30 - 1}' in result.stdout


def test_help_shows_examples() -> None:
    result = run("trace", "--help")
    assert result.exit_code == 0
    assert "Examples:\n" in result.stdout
    assert "| pitboss trace" in result.stdout
    assert "raise_by N           N is the number of chips added" in result.stdout
