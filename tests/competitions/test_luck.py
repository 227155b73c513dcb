"""Less luck, the same expectation: proved by counting all cards or draws that were possible, and by bots whose
difference is known."""

import math
from collections.abc import Iterable
from statistics import fmean

import pytest

from pitboss import DECK, Call, Fold, Raise, Record
from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.offline import KeyedDecks, OfflineMatch, OfflineStakes
from pitboss.arena.wire.answers import Answer, call, check, raise_to
from pitboss.arena.wire.answers import mixed as strategy
from pitboss.arena.wire.messages import Act
from pitboss.chance import Chance
from pitboss.competitions.aivat import HOUSE_PLAYERS, KnownPlayer, Mix, MixError, recorded_mixes, refine
from pitboss.competitions.luck import HandLuck, equities, remove_luck, replay_hand
from pitboss.stats import Mean

HOLES = ("AsAh", "KdQd")
LIMPED = ("p2 cc", "p1 cc")
CHECKED = ("p1 cc", "p2 cc")


def hand(*actions: str, holes: Iterable[str] = HOLES, stacks: tuple[int, ...] | None = None) -> Record:
    """Return a heads-up hand of no-limit hold'em with blinds of 50 and 100 (p2 has the button)."""
    deals = [f"d dh p{place} {cards}" for place, cards in enumerate(holes, 1)]
    count = len(deals)
    return Record(
        variant="NT",
        antes=(0,) * count,
        blinds_or_straddles=(50, 100, 0)[:count],
        min_bet=100,
        starting_stacks=stacks or (10_000,) * count,
        actions=(*deals, *actions),
    )


def left(*known: str) -> list[str]:
    cards = "".join(known)
    gone = {cards[at : at + 2] for at in range(0, len(cards), 2)}
    return [card for card in DECK if card not in gone]


def shown(*holes: str) -> tuple[str, ...]:
    return tuple(f"p{place} sm {cards}" for place, cards in enumerate(holes, 1))


def totals(lucks: Iterable[HandLuck]) -> tuple[list[float], list[float], list[float]]:
    """Return the averages of the three results by place."""
    rows = [*lucks]

    def averages(results: list[tuple[float, ...]]) -> list[float]:
        return [fmean(column) for column in zip(*results, strict=True)]

    return (
        averages([luck.net for luck in rows]),
        averages([luck.adjusted for luck in rows]),
        averages([luck.refined for luck in rows]),
    )


FLOP, TURN = "Kh7c2s", "Td"


def rivers(*betting: str) -> list[HandLuck]:
    """Return the results of a hand with every possible river card."""
    before = (*LIMPED, f"d db {FLOP}", *CHECKED, f"d db {TURN}")
    return [remove_luck(hand(*before, *betting, f"d db {card}", *shown(*HOLES))) for card in left(*HOLES, FLOP, TURN)]


def test_over_all_rivers_the_refined_result_has_the_mean_of_the_chips_but_less_spread() -> None:
    luck = [
        remove_luck(
            hand(
                *LIMPED,
                f"d db {FLOP}",
                *CHECKED,
                f"d db {TURN}",
                *CHECKED,
                f"d db {card}",
                "p1 cbr 300",
                "p2 cc",
                *shown(*HOLES),
            )
        )
        for card in left(*HOLES, FLOP, TURN)
    ]
    net, adjusted, refined = totals(luck)
    offset = refined[0] - net[0]
    assert net == pytest.approx(adjusted)
    constant = luck[0].refined[0] - luck[0].net[0]
    assert any(each.refined[0] - each.net[0] != pytest.approx(constant) for each in luck)
    # What is left is the luck of the flop and the turn, which is the same with every river.
    earlier = remove_luck(hand(*LIMPED, f"d db {FLOP}", *CHECKED, f"d db {TURN}", "p1 cbr 300", "p2 f"))
    assert offset == pytest.approx(earlier.refined[0] - earlier.net[0])
    assert Mean([each.refined[0] for each in luck]).variance < Mean([each.net[0] for each in luck]).variance / 2


def test_over_all_rivers_an_all_in_has_the_mean_of_the_chips_and_no_spread() -> None:
    net, adjusted, _ = totals(luck := rivers("p1 cbr 9900", "p2 cc"))
    assert adjusted == pytest.approx(net)
    assert Mean([each.adjusted[0] for each in luck]).variance == pytest.approx(0, abs=1e-6)
    assert Mean([each.net[0] for each in luck]).variance > 1e6


def test_cards_that_were_folded_cannot_come() -> None:
    """Three players; the third folds the king that would have helped the second."""
    holes, stacks = ("AsAh", "KdQd", "KsJc"), (1000, 1000, 1000)
    before = ("p3 f", "p1 cc", "p2 cc", f"d db {FLOP}", *CHECKED, f"d db {TURN}", "p1 cbr 900", "p2 cc")
    lucks = [
        remove_luck(hand(*before, f"d db {card}", *shown(*holes[:2]), holes=holes, stacks=stacks))
        for card in left(*holes, FLOP, TURN)
    ]
    net, adjusted, refined = totals(lucks)
    assert adjusted == pytest.approx(net)
    assert len({round(luck.adjusted[0], 6) for luck in lucks}) == 1
    assert all(sum(luck.adjusted) == pytest.approx(0) and sum(luck.refined) == pytest.approx(0) for luck in lucks)
    assert refined[2] == net[2] == 0


def test_a_hand_without_board_cards_has_only_the_luck_of_its_hole_cards() -> None:
    luck = remove_luck(hand("p2 f"))
    assert luck.net == (50, -50)
    assert luck.adjusted == (50.0, -50.0)
    swapped = remove_luck(hand("p2 f", holes=HOLES[::-1]))
    assert fmean([luck.refined[0], swapped.refined[0]]) == pytest.approx(50)


def test_hidden_cards_and_other_games_keep_their_chips() -> None:
    luck = remove_luck(hand(*LIMPED, f"d db {FLOP}", "p1 cbr 100", "p2 f", holes=("????", "????")))
    assert luck.refined == luck.adjusted == luck.net == (100, -100)


def test_results_by_seat_follow_the_record() -> None:
    record = hand("p2 f")
    moved = Record(
        **{name: getattr(record, name) for name in record.__struct_fields__} | {"seats": (3, 1), "seat_count": 3}
    )
    assert remove_luck(record).by_seat(moved).net == (-50, 0, 50)


# --- holdings


def test_over_all_holdings_of_a_known_bot_the_average_is_that_of_the_refined_results() -> None:
    """The bot calls with everything, so all its holdings are possible and give the same result."""
    river = "9c"
    actions = (*LIMPED, f"d db {FLOP}", *CHECKED, f"d db {TURN}", "p1 cbr 200", "p2 cc", f"d db {river}", *CHECKED)
    known = {1: HOUSE_PLAYERS["calling"]}
    own = left(HOLES[0], FLOP, TURN, river)
    holdings = [(a, b) for at, a in enumerate(own) for b in own[:at]]
    records = [hand(*actions, *shown(HOLES[0], a + b), holes=(HOLES[0], a + b)) for a, b in holdings[::97]]
    refined = [refine(record, known) for record in records]
    assert len({round(luck.refined[0], 6) for luck in refined}) == 1
    assert sum(refined[0].refined) == pytest.approx(0)
    expected = [
        remove_luck(hand(*actions, *shown(HOLES[0], a + b), holes=(HOLES[0], a + b))) for a, b in holdings[::40]
    ]
    without_flop = []
    for (a, b), luck in zip(holdings[::40], expected, strict=True):
        replayed = replay_hand(hand(*LIMPED, f"d db {FLOP}", "p1 cbr 200", "p2 f", holes=(HOLES[0], a + b)))
        early = remove_luck(hand(*LIMPED, f"d db {FLOP}", "p1 cbr 200", "p2 f", holes=(HOLES[0], a + b)))
        assert replayed.net == early.net
        without_flop.append(luck.refined[0] - (early.refined[0] - early.net[0]))
    mean = Mean(without_flop)
    assert abs(refined[0].refined[0] - mean.mean) < 5 * math.sqrt(mean.variance / mean.count)


def test_only_holdings_with_which_the_bot_would_have_done_the_same_are_averaged() -> None:
    """`tight` folds nearly everything to a bet on this board, so it has a good hand when it calls."""
    actions = (*LIMPED, f"d db {FLOP}", *CHECKED, f"d db {TURN}", "p1 cbr 100", "p2 cc", "d db 9c", *CHECKED)
    record = hand(*actions, *shown("AsAh", "KcQd"), holes=("AsAh", "KcQd"))
    of_tight, of_calling = (refine(record, {1: HOUSE_PLAYERS[name]}).refined[0] for name in ("tight", "calling"))
    assert of_tight < of_calling


# --- draws


def mixed(action: str, mix: Mix) -> HandLuck:
    """Return the results of a hand whose last answer, by p2 on the river, was drawn from a mix."""
    before = (*LIMPED, f"d db {FLOP}", *CHECKED, f"d db {TURN}", *CHECKED, "d db 2d", "p1 cbr 300")
    after = {"p2 cc": shown(*HOLES), "p2 cbr 1500": ("p1 f",)}.get(action, ())
    return refine(hand(*before, action, *after), {}, {7: mix})


def test_over_all_answers_of_a_strategy_the_correction_is_zero() -> None:
    mix: Mix = [(Fold(), 0.5), (Call(), 0.3), (Raise(1500), 0.2)]
    corrections: list[tuple[float, float]] = []
    for (_, p), action in zip(mix, ("p2 f", "p2 cc", "p2 cbr 1500"), strict=True):
        with_mix, without = mixed(action, mix), mixed(action, [(mix[len(corrections)][0], 1.0)])
        corrections.append((p, with_mix.refined[1] - without.refined[1]))
        assert sum(with_mix.refined) == pytest.approx(0)
    assert sum(p * change for p, change in corrections) == pytest.approx(0, abs=1e-6)
    assert any(abs(change) > 10 for _, change in corrections)


def test_a_strategy_that_does_not_add_up_or_lacks_what_was_played_is_refused() -> None:
    with pytest.raises(MixError, match=r"add up to 1, got 0\.9"):
        mixed("p2 cc", [(Call(), 0.9)])
    with pytest.raises(MixError, match="expected an entry for Call"):
        mixed("p2 cc", [(Fold(), 1.0)])


def test_the_draws_of_the_house_bot_random_are_those_that_it_makes() -> None:
    """Every action that it plays in 300 hands is among the actions that are said to be possible."""
    records: list[Record] = []
    seats = [("random", HOUSE["random"](Chance(1))), ("calling", HOUSE["calling"](Chance(2)))]
    match = OfflineMatch(seats, chance=KeyedDecks(1), on_hand=records.append)
    for _ in range(300):
        match.play_hand()
    mix = HOUSE_PLAYERS["random"].mix
    assert mix is not None
    seen = 0
    for record in records:
        place = (record.players or ()).index("random")
        for step in replay_hand(record).taken:
            if step.before.phase == "bet" and step.before.round.turn == place:
                seen += 1
                assert step.action in [action for action, _ in mix(step.before)]
    assert seen > 300


def test_strategies_in_a_record_are_used_and_their_luck_has_no_mean() -> None:
    """A bot that calls or raises all-in with equal chances against one that calls, over 200 hands."""
    records: list[Record] = []

    def shoving(act: Act) -> Answer:
        stay = check() if "CHECK" in act.legal else call()
        return stay if act.max_raise_to is None else strategy({stay: 0.5, raise_to(act.max_raise_to): 0.5})

    seats = [("shoving", shoving), ("calling", HOUSE["calling"](Chance(2)))]
    stakes = OfflineStakes(stack=1000)
    match = OfflineMatch(seats, chance=KeyedDecks(6), stakes=stakes, on_hand=records.append)
    for _ in range(200):
        match.play_hand()
    assert all(recorded_mixes(record) for record in records)
    luck = [refine(record, {}).refined[0] - remove_luck(record).refined[0] for record in records]
    mean = Mean(luck)
    assert mean.variance > 0
    assert abs(mean.mean) < 5 * math.sqrt(mean.variance / mean.count)
    assert all(refine(record, {}, {}) == remove_luck(record) for record in records[:5])


# --- matches of bots whose difference is known


@pytest.mark.check
@pytest.mark.parametrize(
    ("first", "second", "truth"),
    [
        ("calling", "folding", 0.25),  # half a blind when `folding` has the small blind, nothing when it may check
        ("calling", "calling", 0.0),
        ("tight", "tight", 0.0),
    ],
)
def test_bots_of_known_difference_have_it_in_all_three_results(first: str, second: str, truth: float) -> None:
    records: list[Record] = []
    seats = [(f"{at}", HOUSE[name](Chance(at))) for at, name in enumerate((first, second))]
    stakes = OfflineStakes(stack=2000)
    match = OfflineMatch(seats, chance=KeyedDecks(4), stakes=stakes, on_hand=records.append)
    for _ in range(60):
        match.play_hand()
    results: dict[str, list[float]] = {"net": [], "adjusted": [], "refined": [], "aivat": []}
    for record in records:
        names = [(first, second)[seat - 1] for seat in record.seats or ()]
        plain = remove_luck(record).by_seat(record)
        known = {place: HOUSE_PLAYERS[name] for place, name in enumerate(names)}
        results["net"].append(plain.net[0] / 100)
        results["adjusted"].append(plain.adjusted[0] / 100)
        results["refined"].append(plain.refined[0] / 100)
        results["aivat"].append(refine(record, known).by_seat(record).refined[0] / 100)
    for name, values in results.items():
        mean = Mean(values)
        assert abs(mean.mean - truth) <= 5 * math.sqrt(mean.variance / mean.count) + 1e-9, name


def test_known_players_need_no_knowledge() -> None:
    record = hand(*LIMPED, f"d db {FLOP}", *CHECKED, f"d db {TURN}", *CHECKED, "d db 2d", *CHECKED, *shown(*HOLES))
    assert refine(record, {1: KnownPlayer()}) == remove_luck(record)
    assert equities(replay_hand(record).final, (0, 1), [("As", "Ah"), ("Kd", "Qd")]) == (1.0, 0.0)
