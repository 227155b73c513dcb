"""Laws of betting rounds outside poker: fixed steps for invented games, and raises with the initiative."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.betting import core
from pitboss.betting.events import Check, Fold, Raise
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Round
from pitboss.betting.rules import Answers, initiative
from pitboss.chance import Chance
from tests.support.laws.laws import LawBroken, check_offer, check_round, holds
from tests.support.laws.tables import TEMPERS, Seats, some_action, some_seats

PRESETS = ("fixed_step", "initiative")
PHASES = 3
SEEDS = st.integers(0, 2**64 - 1)


def play_rounds(seats: Seats, chance: Chance) -> Counter[str]:
    """Play three phases under the laws, and count the events."""
    counts, chips, temper = Counter[str](), sum(seats.stacks), chance.choice(TEMPERS)
    round, _ = Round.start(seats.rules, stacks=seats.stacks, step=seats.step, opener=seats.opener, antes=seats.antes)
    for _ in range(PHASES):
        round = play_round(seats, round, chips, chance, temper, counts)
        check_refused_after_the_end(round)
        round, _ = round.close(step=seats.step)
        check_round(round, chips)
        if len(round.live) < 2:
            break
        round = round.open(seats.opener)
    if seats.rules.matching:
        check_payment(round, chips, chance)
    return counts


def play_round(
    seats: Seats, round: Round, chips: int, chance: Chance, temper: tuple[int, ...], counts: Counter[str]
) -> Round:
    """Play one round to its end."""
    steps, raises, owing = 0, 0, {p for p in round.live if round.stacks[p]}
    holds("the right player is asked", round.turn == expected_turn(round, owing, seats.opener - 1), round)
    while round.turn >= 0:
        check_round(round, chips)
        counts["offers tried"] += check_offer(round, chips)
        before, action = round, some_action(round.offer, chance, temper)
        round, _ = round.act(action)
        holds("the same action gives the same round", before.act(action)[0] == round, action, before)
        p = before.turn
        raised = round.bets[p] > (before.price if seats.rules.matching else before.bets[p])
        steps, raises = steps + 1, raises + raised
        asked = {q for q in range(round.n) if raised and answers(round, p, q)}
        owing = {q for q in (owing | asked) - {p} if round.stacks[q] and not round.folded[q]}
        right = expected_turn(round, owing, p, declined=p == round.holder and not raised)
        holds("the right player is asked", round.turn == right, right, action, before)
        holds("rounds end", steps <= round.n + (round.n + seats.rules.last_word) * raises, round)
    counts.update(actions=steps, raises=raises)
    holds("the cap holds", round.raises <= seats.rules.cap, round)
    return round


def answers(round: Round, raiser: int, place: int) -> bool:
    """Whether this place must answer a raise: every place must, or only those after the raiser in the round's order."""
    order = [(round.opener + k) % round.n for k in range(round.n)]
    return round.rules.answers == Answers.EVERYONE or order.index(place) > order.index(raiser)


def expected_turn(round: Round, owing: set[int], last: int, *, declined: bool = False) -> int:
    """The place to act: the next that owes an answer, then once more the holder of the initiative, until declined."""
    closed = round.rules.cap_closes and round.raises == round.rules.cap
    if closed or (round.rules.matching and len(round.live) < 2):
        return -1
    for k in range(1, round.n + 1):
        if (last + k) % round.n in owing:
            return (last + k) % round.n
    return round.holder if round.holder >= 0 and round.stacks[round.holder] and not declined else -1


def check_refused_after_the_end(round: Round) -> None:
    """No player can act in a round that is over."""
    for action in (Fold(), Check()):
        with pytest.raises(Refused) as refusal:
            round.act(action)
        assert refusal.value.rule == "betting_over"


def check_payment(round: Round, chips: int, chance: Chance) -> None:
    """Whoever wins, all chips are paid out and none are created."""
    won = [(chance.choice(pot.places), pot.amount) for pot in round.pots]
    paid = round.pay_out(won)
    assert paid.chips_in_middle == 0
    assert sum(paid.stacks) == chips
    assert all(not round.folded[place] for place, _ in won)


def play_many_rounds(preset: str, games: int) -> Counter[str]:
    """Play many games, all from one seed."""
    counts: Counter[str] = Counter()
    for number in range(games):
        chance = Chance(5).fork(number)
        counts += play_rounds(some_seats(chance, preset), chance)
    return counts


@pytest.mark.check
@pytest.mark.parametrize("preset", PRESETS)
def test_rounds_keep_the_laws(preset: str) -> None:
    counts = play_many_rounds(preset, 150)
    assert counts["actions"] > 1000
    assert counts["raises"] > 200
    assert counts["offers tried"] > 10_000


@pytest.mark.parametrize("preset", PRESETS)
@given(seed=SEEDS)
def test_any_round_keeps_the_laws(preset: str, seed: int) -> None:
    chance = Chance(seed)
    play_rounds(some_seats(chance, preset), chance)


@pytest.mark.parametrize(
    ("preset", "name"),
    [("fixed_step", "next_to_act"), ("fixed_step", "owed"), ("initiative", "reopens"), ("initiative", "least")],
)
def test_a_wrong_round_would_be_noticed(preset: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"next_to_act": lambda *_: -1, "owed": lambda *_: 0, "reopens": lambda *_: False, "least": lambda *_: 0}
    monkeypatch.setattr(core, name, wrong[name])
    with pytest.raises(LawBroken):
        play_many_rounds(preset, 50)


def test_unmatched_cards_are_not_returned_without_matching() -> None:
    round, _ = Round.start(initiative(), stacks=(3, 3), step=1, opener=0)
    for action in (Raise(), Check(), Check()):
        round, _ = round.act(action)
    round, events = round.close(step=1)
    assert events == ()
    assert round.stacks == (2, 3)
