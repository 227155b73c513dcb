"""How PokerKit 0.7.7 pays a finished hand where we pay differently: each difference can be switched on separately."""

from collections.abc import Collection

from pitboss.betting.pots import pots
from pitboss.hand.hand import Hand
from tests.support.laws.naive_ranks import Strength, strength
from tests.support.laws.payouts import one_by_one

HABITS = ("odd_chips_to_the_first", "pots_merged_for_winners", "low_of_another_pot", "folded_bet_returned")


def payout(hand: Hand, habits: Collection[str]) -> list[int]:
    """What every place is paid out of the middle of a finished hand, by our rules changed by these habits."""
    won, live, paid = [0] * hand.round.n, hand.round.live, list(hand.round.paid)
    dead = sum(pot.amount for pot in hand.paid_pots) - sum(paid)
    if "folded_bet_returned" in habits:
        second, top = sorted(paid)[-2:]
        owner = paid.index(top)
        if owner not in live:
            won[owner] = top - second
            paid[owner] = second
    if len(live) == 1:
        won[live[0]] = sum(paid) + dead
        return won
    made = {p: [strength(ranking, hand.holes[p], hand.board) for ranking in hand.structure.showdown] for p in live}
    claimants = winners_of_anything(hand, made) if "pots_merged_for_winners" in habits else live
    for pot in pots(paid, [p not in claimants for p in range(hand.round.n)], dead):
        judges = claimants if "low_of_another_pot" in habits else pot.places
        ways = [way for way in range(len(hand.structure.showdown)) if any(made[p][way] for p in judges)]
        for part, way in zip(one_by_one(pot.amount, len(ways)), ways, strict=True):
            best = max(made[p][way] for p in pot.places)
            winners = [p for p in pot.places if made[p][way] == best]
            shares = list(one_by_one(part, len(winners)))
            if "odd_chips_to_the_first" in habits:
                each, odd = divmod(part, len(winners))
                shares = [each + odd] + [each] * (len(winners) - 1)
            for p, amount in zip(winners, shares, strict=True):
                won[p] += amount
    return won


def winners_of_anything(hand: Hand, made: dict[int, list[Strength]]) -> list[int]:
    """The places that get a part of some pot; PokerKit takes the others' cards away before it makes pots."""
    return [
        p
        for p in hand.round.live
        if any(
            made[p][way] and made[p][way] == max(made[q][way] for q in pot.places)
            for pot in hand.paid_pots
            if p in pot.places
            for way in range(len(hand.structure.showdown))
        )
    ]


def habits_that_matter(hand: Hand) -> list[str]:
    """The habits that, alone or with others, change a payment."""
    plain, all_of_them = payout(hand, ()), payout(hand, HABITS)
    if plain == all_of_them:
        return []
    alone = [habit for habit in HABITS if payout(hand, (habit,)) != plain]
    return alone or [habit for habit in HABITS if payout(hand, set(HABITS) - {habit}) != all_of_them]
