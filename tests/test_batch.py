"""`Batch`: chips and cards at every step, refusals that change nothing, and the hands of `simulate`."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pitboss.batch import ALL_IN, BET, CALL, CHECK, FOLD, RAISE, Batch, Observation
from pitboss.betting.refusals import Refused, SetupError
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import policies
from pitboss.fast.play.backend import PLAIN, SeenCards
from pitboss.fast.play.setup import setup
from pitboss.hand.games import NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, SEVEN_CARD_STUD
from pitboss.hand.structure import Stakes, blinds
from tests.support.fast.settings import some_setting
from tests.support.fast.twins import play_hands
from tests.support.for_each import for_each

pytest.importorskip("numba", reason="Numba is not installed: nothing to compile with")


def some_actions(seen: Observation, random: np.random.Generator) -> tuple[Any, Any]:
    """Draw a legal verb and a legal size for every table."""
    weights = random.random(seen.legal.shape) * seen.legal
    weights[:, FOLD] *= 0.5
    sizes = np.stack([seen.least, seen.pot_sized, seen.most])
    return weights.argmax(axis=1), sizes[random.integers(3, size=len(seen.hand)), np.arange(len(seen.hand))]


def some_batches(count: int) -> Iterator[tuple[Batch, np.random.Generator]]:
    """Draw batches of every kind of setting in which a place has to act."""
    for number in range(count):
        chance = Chance(12).fork(number)
        setting = some_setting(chance)
        try:
            batch = Batch(
                1 + chance.below(50),
                seats=setting.seats,
                seed=chance.bits(),
                stacks=setting.stacks,
                stakes=setting.stakes,
                structure=setting.structure,
                button=setting.button,
            )
        except SetupError:
            continue
        yield batch, np.random.default_rng(number)


# --- laws


@pytest.mark.check
def test_chips_are_conserved_and_finished_hands_are_paid() -> None:
    hands = 0
    for batch, random in some_batches(40):
        setting = batch.setup
        for _ in range(40):
            seen = batch.step(*some_actions(batch.observe(), random))
            assert ((seen.stacks.sum(axis=1) + seen.pot) == setting.chips).all()
            assert (seen.winnings.sum(axis=1) == setting.stakes.dead * seen.done).all()
            assert (seen.winnings[seen.done == 0] == 0).all()
            assert (seen.winnings >= -np.array(setting.stacks) * seen.done[:, None]).all()
            assert (seen.stacks >= 0).all()
            hands += int(seen.done.sum())
    assert hands > 5000


def test_the_place_to_act_has_legal_verbs_and_sees_the_board() -> None:
    for batch, random in some_batches(25):
        for _ in range(25):
            seen = batch.observe()
            tables = np.arange(len(seen.hand))
            assert (seen.legal[:, CHECK] ^ seen.legal[:, CALL]).all()
            assert ((seen.call > 0) == (seen.legal[:, CALL] == 1)).all()
            assert (seen.stacks[tables, seen.place] > 0).all()
            assert not seen.folded[tables, seen.place].any()
            sized = (seen.legal[:, BET] | seen.legal[:, RAISE]) == 1
            assert ((seen.least <= seen.pot_sized) & (seen.pot_sized <= seen.most))[sized].all()
            assert not np.stack([seen.least, seen.most, seen.pot_sized])[:, ~sized].any()
            for cards, street in zip(seen.cards.tolist(), seen.street.tolist(), strict=True):
                structure = batch.setup.structure
                own, lying = (
                    structure.hole_by_street[-1],
                    structure.hole_by_street[-1] + structure.board_by_street[street],
                )
                assert cards[lying:] == [52] * (own + 5 - lying)
                assert len(set(cards[:lying])) == lying
                assert {DECK[card] for card in cards[:lying]} <= set(structure.deck)
            batch.step(*some_actions(seen, random))


def test_the_same_seed_is_the_same_run() -> None:
    def run(seed: int) -> list[Any]:
        batch, random = Batch(30, seats=4, seed=seed), np.random.default_rng(1)
        return [[array.tolist() for array in batch.step(*some_actions(batch.observe(), random))] for _ in range(30)]

    assert run(5) == run(5) == run(5 + 2**64)
    assert run(5)[0] != run(6)[0]


def test_tables_are_independent() -> None:
    """The first hand of a table is the same for any number of tables."""
    few, many = Batch(2, seed=9).observe(), Batch(500, seed=9).observe()
    for name in Observation._fields:
        assert getattr(few, name).tolist() == getattr(many, name)[:2].tolist()


@for_each("tables, seats", [(6, 6), (4, 2), (10, 5), (9, 6), (1, 10)])
def test_the_button_visits_every_seat_at_every_table(tables: int, seats: int) -> None:
    batch = Batch(tables, seats=seats)
    buttons: list[set[int]] = [set() for _ in range(tables)]
    hands: list[int] = []
    for _ in range(3 * seats):
        for at, hand in enumerate(batch.observe().hand.tolist()):
            buttons[at].add(hand % seats)
            hands.append(hand)
        while not batch.step(np.zeros(tables, int)).done.all():  # all players fold, so hands end at all tables together
            pass
    assert all(seen == set(range(seats)) for seen in buttons)
    assert len(set(hands)) == len(hands)


def test_a_batch_plays_the_hands_of_simulate() -> None:
    """Both use policies that draw nothing from chance."""
    names, stacks = ("calling", "tight", "tight", "calling", "tight"), (3000, 500, 90, 2000, 1500)
    kinds, table = [policies.NAMES.index(name) for name in names], setup(5, stacks)
    batch = Batch(7, seats=5, seed=21, stacks=stacks)
    paid: dict[int, list[int]] = {}
    for _ in range(400):
        hands, chosen = batch.observe().hand.tolist(), [_chosen(batch, kinds, at) for at in range(7)]
        seen = batch.step([verb for verb, _ in chosen], [to for _, to in chosen])
        for at in np.flatnonzero(seen.done):
            assert seen.done[at] == 1
            paid[hands[at]] = seen.winnings[at].tolist()
    assert len(paid) > 100
    for hand, winnings in paid.items():
        [last] = play_hands(PLAIN, table, names, 21, range(hand, hand + 1)).stacks
        assert [after - before for after, before in zip(last, stacks, strict=True)] == winnings


def _chosen(batch: Batch, kinds: list[int], at: int) -> tuple[int, int]:
    """Return what a house policy does with what the batch shows."""
    seen, view = batch.observe(), SeenCards()
    view.cards[:] = seen.cards[at].tolist()
    rules, s = batch.setup.structure.betting, batch._hidden.states[at]
    verb, to, _ = policies.decide(kinds[seen.seat[at]], rules, s, view, plain_ranks(), 0)
    return int(verb), int(to)


# --- hands without a decision

# With the button at seat 1 the ante takes the last chips of seat 0; with the button at seat 0 there is a decision.
HALF_FORCED: dict[str, Any] = {
    "seats": 2,
    "stacks": (51, 1000),
    "stakes": Stakes(min_bet=100, posts=blinds(2, 50, 100), antes=(51, 0), equal_antes=False),
}


@pytest.mark.parametrize("tables", [1, 2, 5, 6])
def test_hands_without_decisions_are_paid_in_the_same_step(tables: int) -> None:
    batch = Batch(tables, seed=3, **HALF_FORCED)
    table = setup(**HALF_FORCED)
    first = batch.observe()
    assert (first.hand % 2 == 0).all()
    assert first.done.tolist() == [at % 2 for at in range(tables)]
    paid = first.winnings.sum(axis=0)
    for step in range(20):
        seen = batch.step(np.where(batch.observe().legal[:, CALL], CALL, CHECK))
        assert (seen.done == 2).all(), f"one that was asked for and one that was not, in step {step}"
        paid = paid + seen.winnings.sum(axis=0)
    ended = sorted(set(range(int(batch.observe().hand.max()))) - set(batch.observe().hand.tolist()))
    if tables == 1:  # together, the tables play all hands of the run
        rows = play_hands(PLAIN, table, "calling", 3, range(len(ended))).stacks
        assert paid.tolist() == [sum(row[seat] for row in rows) - len(rows) * table.stacks[seat] for seat in (0, 1)]


@pytest.mark.parametrize("tables", [1, 2, 3, 4])
def test_a_table_without_any_decision_is_refused(tables: int) -> None:
    with pytest.raises(SetupError, match="no player would ever act"):
        Batch(tables, seats=2, stacks=100, stakes=Stakes(min_bet=100, posts=blinds(2, 50, 100), antes=(100, 100)))
    with pytest.raises(SetupError, match="no player would ever act"):
        Batch(tables, **HALF_FORCED, button=1)
    assert Batch(tables, **HALF_FORCED, button=0).observe().done.tolist() == [0] * tables


# --- refusals


def everything(batch: Batch) -> list[bytes]:
    """Return everything that a batch contains, as bytes."""
    return [array.tobytes() for array in (*batch._hidden, *batch._table, *batch.observe(), batch._totals)]


@for_each(
    "verb, to, sentence",
    [
        (CHECK, 0, "must_pay: at table 2: cannot check, because 100 is owed; call, raise or fold"),
        (BET, 300, "already_bet: at table 2: there is already a bet of 100; raise instead"),
        (RAISE, 199, "below_minimum: at table 2: expected at least 200, got 199"),
        (RAISE, 351, "above_maximum: at table 2: expected at most 350, got 351"),
        (RAISE, -(2**63), "below_minimum: at table 2: expected at least 200, got -9223372036854775808"),
        (ALL_IN, 0, "above_maximum: at table 2: expected at most 350, got 10000"),
        (6, 0, "unknown_action: at table 2: expected a verb of pitboss.betting.core, got 6"),
        (-1, 0, "unknown_action: at table 2: expected a verb of pitboss.betting.core, got -1"),
    ],
)
def test_one_refused_action_changes_no_table(verb: int, to: int, sentence: str) -> None:
    batch = Batch(5, seats=4, structure=POT_LIMIT_HOLDEM)
    before = everything(batch)
    verbs, totals = [CALL, RAISE, verb, FOLD, CALL], [0, 300, to, 0, 0]
    with pytest.raises(Refused) as refusal:
        batch.step(verbs, totals)
    assert str(refusal.value) == sentence
    assert refusal.value.rule == sentence.partition(":")[0]
    assert everything(batch) == before
    verbs[2] = CALL
    assert batch.step(verbs, totals).bets[:, 2].tolist() == [100, 300, 100, 0, 100]


def test_the_first_table_with_an_illegal_action_is_named() -> None:
    with pytest.raises(Refused, match="at table 1: cannot check"):
        Batch(4, seats=4).step([CALL, CHECK, CHECK, 9])


@for_each(
    "verbs, totals, sentence",
    [
        ([CALL] * 3, None, r"verbs: expected one number per table, 4 in total, got an array of shape \(3,\)"),
        ([CALL] * 5, None, r"verbs: expected one number per table, 4 in total, got an array of shape \(5,\)"),
        (CALL, None, r"verbs: expected one number per table, 4 in total, got an array of shape \(\)"),
        ([[CALL] * 4], None, r"verbs: expected one number per table, 4 in total, got an array of shape \(1, 4\)"),
        ([CALL] * 4, [300] * 3, r"totals: expected one number per table, 4 in total, got an array of shape \(3,\)"),
        ([CALL] * 4, 300, r"totals: expected one number per table"),
        ([2.0] * 4, None, "verbs: expected whole numbers, got float64"),
        ([RAISE] * 4, [250.5] * 4, "totals: expected whole numbers, got float64"),
        (["call"] * 4, None, "verbs: expected whole numbers, got <U4"),
        ([None] * 4, None, "verbs: expected whole numbers, got object"),
        ([RAISE] * 4, [10**30] * 4, "totals: expected whole numbers, got object"),
    ],
)
def test_actions_are_one_whole_number_per_table(verbs: Any, totals: Any, sentence: str) -> None:
    batch = Batch(4, seats=4)
    before = everything(batch)
    with pytest.raises(ValueError, match=sentence):
        batch.step(verbs, totals)
    assert everything(batch) == before


@for_each("kind", ["int8", "uint8", "int32", "int64", "uint64"])
def test_whole_numbers_of_any_size_and_stride_are_accepted(kind: str) -> None:
    batch = Batch(4, seats=4)
    verbs = np.full(8, RAISE, kind)[::2]
    assert batch.step(verbs, np.full(8, 250, "int64")[::2]).bets[:, 2].tolist() == [250] * 4


def test_the_arrays_of_an_observation_can_be_totals() -> None:
    """Although the step overwrites them."""
    batch, other = Batch(50, seats=3, seed=2), Batch(50, seats=3, seed=2)
    for _ in range(6):
        seen = batch.observe()
        raising = seen.legal[:, RAISE] == 1
        verbs = np.where(raising, RAISE, np.where(seen.legal[:, BET] == 1, BET, np.where(seen.call > 0, CALL, CHECK)))
        copied = other.step(verbs.copy(), seen.least.copy())
        mine = batch.step(verbs, seen.least)
        assert [array.tolist() for array in mine] == [array.tolist() for array in copied]


def test_writing_to_an_observation_does_not_change_the_tables() -> None:
    batch, other = Batch(6, seats=3, seed=2), Batch(6, seats=3, seed=2)
    for array in batch.observe():
        array[:] = 1
    assert [a.tolist() for a in batch.step([CALL] * 6)] == [a.tolist() for a in other.step([CALL] * 6)]


@for_each(
    "tables, settings, sentence",
    [
        (0, {}, "tables: expected 1 or more, got 0"),
        (True, {}, "tables: expected a whole number, got True"),
        (2.5, {}, "tables: expected a whole number, got 2.5"),
        (1, {"seats": 11}, "seats: expected 2 to 10, got 11"),
        (1, {"structure": SEVEN_CARD_STUD}, "compiled hands: expected a flop game"),
        (1, {"seed": 0.5}, "seed: expected a whole number, got 0.5"),
        (1, {"stacks": 10**19}, "compiled hands: expected at most "),
    ],
)
def test_invalid_batches_are_refused(tables: Any, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SetupError) as refusal:
        Batch(tables, **settings)
    assert str(refusal.value).startswith(sentence)


def test_free_folds_are_offered_if_the_rules_allow_them() -> None:
    for free in (True, False):
        batch = Batch(1, seats=2, structure=NO_LIMIT_HOLDEM.with_betting(free_fold=free))
        seen = batch.step([CALL])
        assert seen.legal[0].tolist() == [int(free), 1, 0, 0, 1, 1]
