"""Mixed strategies as answers: the server draws one action, bound before the hand, and shows the strategy to nobody."""

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.arena.journal.commitment import strategy_number
from pitboss.arena.journal.history import hands_of
from pitboss.arena.journal.records import Acted, HandStarted, Settings, read_record, write_record
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.strategies import drawn_entry
from pitboss.store import Chain, Reading, read_chain, start_hash
from tests.support.arena.any_game import AnyTable
from tests.support.arena.rooms import TABLE, Guest, Parlour
from tests.support.for_each import for_each

SETTINGS = Settings(seats=3, start_at=3, max_hands=3)
MIXED = [{"action": "RAISE_TO", "amount": 300, "p": 0.25}, {"action": "FOLD", "p": 0.25}, {"action": "CALL", "p": 0.5}]
HEAD = re.compile(r'"chain":"[0-9a-f]*"')
"""The head of the journal, which hashes everything in it, secrets too."""


def table(seed: int = 1, settings: Settings = SETTINGS) -> Parlour:
    parlour = Parlour(settings, seed=seed)
    parlour.seat(3)
    parlour.watch()
    return parlour


def mix(guest: Guest, strategy: Any = MIXED, **more: Any) -> None:
    asked = guest.question()
    assert isinstance(asked, wire.Act)
    guest.say({"type": "action", "v": 1, "hand_id": asked.hand_id, "turn": asked.turn, "strategy": strategy, **more})


def acts(parlour: Parlour) -> list[Acted]:
    records = [read_record(entry.body) for entry in parlour.disk.rows[TABLE]]
    return [record for record in records if isinstance(record, Acted)]


def test_both_the_strategy_and_the_drawn_action_are_journaled() -> None:
    parlour = table()
    mix(parlour.to_act)
    (acted,) = acts(parlour)
    assert [(entry.action, entry.p) for entry in acted.strategy] == [
        ({"type": "raise", "to": 300}, 0.25),
        ({"type": "fold"}, 0.25),
        ({"type": "call"}, 0.5),
    ]
    assert acted.action in [entry.action for entry in acted.strategy]


def test_the_draw_follows_from_the_secret_that_was_bound_before_the_hand() -> None:
    for seed in range(12):
        parlour = table(seed)
        mix(parlour.to_act)
        (acted,) = acts(parlour)
        hand = parlour.history.hand
        assert hand is not None
        number = strategy_number(bytes.fromhex(hand.started.secret), 0)
        assert acted.action == acted.strategy[drawn_entry([0.25, 0.25, 0.5], number)].action


def test_each_answer_of_a_hand_has_its_own_draw_and_shares_follow_the_probabilities() -> None:
    numbers = [strategy_number(bytes([hand]) * 32, at) for hand in range(200) for at in range(20)]
    assert len(set(numbers)) == len(numbers)
    drawn = [drawn_entry([0.2, 0.0, 0.8], number) for number in numbers]
    assert drawn.count(1) == 0
    assert 700 < drawn.count(0) < 900  # the numbers are the same in every run


def test_a_strategy_looks_to_all_others_like_the_action_that_was_drawn() -> None:
    for seed in range(8):
        mixing, plain = table(seed), table(seed)
        who = mixing.to_act
        mix(who)
        (acted,) = acts(mixing)
        word = {"raise": "RAISE_TO", "fold": "FOLD", "call": "CALL"}[acted.action["type"]]
        plain.to_act.answer(word, acted.action.get("to"))
        for parlour in (mixing, plain):
            parlour.play_hand("CALL")
        assert "strategy" not in json.dumps([guest.frames for guest in mixing.guests.values()])
        for session, guest in mixing.guests.items():
            frames = [HEAD.sub("", frame) for frame in guest.frames]
            assert frames == [HEAD.sub("", frame) for frame in plain.guests[session].frames]


BAD: list[tuple[Any, str]] = [
    ([{"action": "CALL", "p": 0.5}, {"action": "FOLD", "p": 0.4}], "add up to 1, got 0.9"),
    ([{"action": "CALL", "p": 1.5}, {"action": "FOLD", "p": -0.5}], "a list of 1 to 64 legal answers"),
    ([{"action": "CALL", "p": "half"}], "a list of 1 to 64 legal answers"),
    ([{"action": "CALL"}], "a list of 1 to 64 legal answers"),
    ([], "a list of 1 to 64 legal answers"),
    ([{"action": "CALL", "p": 1 / 65}] * 65, "a list of 1 to 64 legal answers"),
    ([{"action": "CHECK", "p": 0.0}, {"action": "FOLD", "p": 1.0}], "strategy, entry 1: "),
    ([{"action": "FOLD", "p": 0.5}, {"action": "RAISE_TO", "amount": 101, "p": 0.5}], "strategy, entry 2: "),
    ([{"action": "RAISE_TO", "p": 1.0}], "RAISE_TO needs a whole number"),
    ([{"action": "JUMP", "p": 1.0}], "a list of 1 to 64 legal answers"),
    ("often", "a list of 1 to 64 legal answers"),
]  # fmt: skip


@for_each("strategy, sentence", BAD)
def test_a_bad_strategy_is_refused_in_one_sentence_and_keeps_the_turn(strategy: Any, sentence: str) -> None:
    parlour = table()
    guest, rows = parlour.to_act, len(parlour.disk.rows[TABLE])
    mix(guest, strategy)
    error = guest.last(wire.Error)
    assert sentence in error.msg
    assert "\n" not in error.msg
    assert error.code in ("BAD_SCHEMA", "INVALID_ACTION")
    assert (parlour.to_act, len(parlour.disk.rows[TABLE])) == (guest, rows)
    guest.answer("CALL")
    assert acts(parlour)[-1].seat == guest.seat


@pytest.mark.parametrize("p", ["NaN", "Infinity", "1e999", "-0.1"])
def test_a_number_that_is_no_probability_is_refused(p: str) -> None:
    parlour = table()
    guest = parlour.to_act
    asked = guest.question()
    assert isinstance(asked, wire.Act)
    entries = f'[{{"action":"CALL","p":{p}}}]'
    guest.say(f'{{"type":"action","v":1,"hand_id":"{asked.hand_id}","strategy":{entries}}}')
    assert guest.last(wire.Error).code == "BAD_SCHEMA"
    assert parlour.to_act is guest


def test_an_answer_with_an_action_and_a_strategy_is_refused() -> None:
    parlour = table()
    guest = parlour.to_act
    mix(guest, action="FOLD")
    assert "got both" in guest.last(wire.Error).msg


def test_after_a_crash_the_same_strategy_gives_the_same_action() -> None:
    for seed in range(6):
        first, second = table(seed), table(seed)
        mix(first.to_act)
        second.restart()
        for team in "ABC":
            second.join(team)
        guest = second.to_act
        asked = guest.question()
        assert isinstance(asked, wire.Snapshot)
        guest.say({"type": "action", "v": 1, "hand_id": asked.at_hand_id, "turn": asked.turn, "strategy": MIXED})
        assert acts(second)[0].action == acts(first)[0].action
        first.restart()  # the replay of the open hand draws again, and compares
        assert first.history.hand is not None
        assert first.history.hand.acts[0].strategy


def whole_match(seed: int = 3) -> Reading:
    parlour = table(seed)
    while not parlour.match.over:
        guest = parlour.to_act
        asked = guest.question()
        word = "CALL" if "CALL" in (asked.legal or ()) else "CHECK"
        mix(guest, [{"action": word, "p": 0.9}, {"action": "FOLD", "p": 0.1}])
    return parlour.disk.read(TABLE)


def forged(reading: Reading, change: Any) -> Reading:
    """The same journal with one changed record, and a right hash chain."""
    chain, entries, done = Chain(TABLE, start_hash(TABLE)), [], False
    for entry in reading.entries:
        record = read_record(entry.body)
        if isinstance(record, Acted) and not done and (other := change(record)) is not None:
            record, done = other, True
        entries.append(chain.append(write_record(record), seals=entry.seals))
    assert done
    return read_chain(TABLE, entries, chain.head)


def test_verify_checks_every_draw() -> None:
    reading = whole_match()
    assert verify_table(TABLE, reading).problems == []

    def swap(acted: Acted) -> Acted:
        """Let the strategy say that the other action was certain."""
        entries = [replace(entry, p=float(entry.action != acted.action)) for entry in acted.strategy]
        return replace(acted, strategy=tuple(entries))

    problems = verify_table(TABLE, forged(reading, swap)).problems
    assert any("expected the action that is drawn from it" in problem for problem in problems)


def test_verify_finds_a_strategy_with_wrong_probabilities() -> None:
    def halve(acted: Acted) -> Acted:
        return replace(acted, strategy=tuple([replace(entry, p=entry.p / 2) for entry in acted.strategy]))

    problems = verify_table(TABLE, forged(whole_match(), halve)).problems
    assert any("expected probabilities that add up to 1, got 0.5" in problem for problem in problems)


def test_finished_hands_carry_their_strategies() -> None:
    hands = [*hands_of(TABLE, whole_match().entries)]
    assert len(hands) == 3
    assert all(act.strategy for hand in hands for act in hand.acts)


def test_other_games_take_a_strategy_of_moves() -> None:
    table = AnyTable(Settings(game="leduc", seats=2, stack=100, max_hands=2), seed=4)
    seat, asked = table.open_question
    assert isinstance(asked, wire.Ask)
    wrong = (wire.WeightedMove(index=0, p=0.5), wire.WeightedMove(index=99, p=0.5))
    table.say(seat, wire.MoveMessage(v=1, hand_id=asked.hand_id, turn=asked.turn, strategy=wrong))
    assert "index: expected 0 to" in table.errors[-1].msg
    assert table.open_question == (seat, asked)
    right = (wire.WeightedMove(index=0, p=0.5), wire.WeightedMove(move=asked.legal[1], p=0.5))
    table.say(seat, wire.MoveMessage(v=1, hand_id=asked.hand_id, turn=asked.turn, strategy=right))
    records = [read_record(entry.body) for entry in table.disk.rows[TABLE]]
    (acted,) = [record for record in records if isinstance(record, Acted)]
    (started,) = [record for record in records if isinstance(record, HandStarted)]
    assert [entry.action for entry in acted.strategy] == [*asked.legal[:2]]
    number = strategy_number(bytes.fromhex(started.secret), 0)
    assert acted.action == asked.legal[drawn_entry([0.5, 0.5], number)]
    table.start()  # a crash: the replay of the open game draws again
    while not table.last:
        table.move()
    assert verify_table(TABLE, table.disk.read(TABLE)).problems == []
