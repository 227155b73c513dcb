"""A naive account of the payouts at the end of a hand: best cards, equal parts, odd chips one by one."""

from collections.abc import Mapping, Sequence

from pitboss.betting.pots import Pot
from pitboss.cards import Card
from pitboss.hand.structure import Structure
from tests.support.laws.laws import holds
from tests.support.laws.naive_ranks import Strength, strength
from tests.support.laws.referee import Referee

Made = Mapping[int, Sequence[Strength]]


def made_on(structure: Structure, holes: Mapping[int, Sequence[Card]], board: Sequence[Card]) -> Made:
    """Each player's strength on a board under each of the game's rankings."""
    return {
        p: [strength(ranking, hole, board, structure.wild) for ranking in structure.showdown]
        for p, hole in holes.items()
    }


def one_by_one(amount: int, parts: int) -> Sequence[int]:
    """An amount dealt out chip by chip."""
    return [len(range(k, amount, parts)) for k in range(parts)]


def fair_shares(amount: int, places: Sequence[int], made: Made, rankings: int) -> dict[int, int]:
    """The shares of a pot: equal parts for the rankings that a player makes, odd chips one by one clockwise."""
    won = dict.fromkeys(places, 0)
    if len(places) == 1:
        return {places[0]: amount}
    ways: list[list[int]] = []
    for way in range(rankings):
        best = max(made[p][way] for p in places)
        if best:
            ways.append([p for p in sorted(places) if made[p][way] == best])
    for part, winners in zip(one_by_one(amount, len(ways)), ways, strict=True):
        for place, chips in zip(winners, one_by_one(part, len(winners)), strict=True):
            won[place] += chips
    return won


def check_pots_paid(referee: Referee, pots: Sequence[Pot]) -> None:
    """Check that every pot is paid in full, run by run, to the best of its claimants, and the house its part."""
    referee.middle += referee.paid + referee.house  # the amount before the pots were paid
    holds("the pots are what was won", sum(pot.amount for pot in pots) == referee.paid, pots)
    for p in referee.live:
        claimed = sum(pot.amount + referee.raked.get(number, 0) for number, pot in enumerate(pots) if p in pot.places)
        holds("everybody claims what he has paid for", claimed == referee.can_win(p), p, referee.can_win(p), pots)
    boards, holes = referee.cards.boards, {p: referee.cards.holes[p] for p in referee.live}
    compared = len(referee.live) > 1
    boards = boards if compared else boards[:1]
    for run, board in enumerate(boards):
        made = made_on(referee.structure, holes, board) if compared else {}
        for number, pot in enumerate(pots):
            won = dict.fromkeys(pot.places, 0)
            for of_run, event in referee.won:
                if of_run == run and event.pot == number:
                    holds("only claimants win a pot", event.place in won, event, pots)
                    won[event.place] += event.amount
            part = one_by_one(pot.amount, len(boards))[run]
            fair = fair_shares(part, pot.places, made, len(referee.structure.showdown))
            holds("the best hands share a pot", won == fair, run, number, won, fair, pots, boards, holes)
    check_rake(referee, pots)


def check_rake(referee: Referee, pots: Sequence[Pot]) -> None:
    """Check that the house takes its thousandths of each pot up to its cap, and nothing if there is no rake."""
    rake, whole = referee.stakes.rake, referee.middle
    if rake is None or (rake.no_flop_no_drop and referee.street == 0):
        holds("the house takes nothing", not referee.raked, referee.raked)
        return
    due = min(whole * rake.thousandths // 1000, whole if rake.cap is None else rake.cap)
    holds("the house takes what was agreed", referee.house == due, referee.raked, due)
    for number, pot in enumerate(pots):
        part = referee.raked.get(number, 0)
        exact = due * (pot.amount + part)
        holds("every pot pays its part", (part - 1) * whole < exact < (part + 1) * whole, number, part, pots)
