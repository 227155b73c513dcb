"""What staying and betting are worth against the hands that opponents may hold, counted over many deals."""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.arena.bots.odds import part, unseen
from pitboss.arena.bots.sharp.beliefs import Urn
from pitboss.arena.bots.sharp.ranges import PAIRS
from pitboss.cards import Card
from pitboss.chance import Chance
from pitboss.ranks import high


class Deal(NamedTuple):
    """One way the cards may lie: the own strength, and of every rival the share of better hands and his strength."""

    mine: int
    theirs: tuple[tuple[float, int], ...]


class Rival(NamedTuple):
    """An opponent who faces a bet: what it costs him to stay, and with which share of all hands he does."""

    to_pay: int
    stays: float


def deal_out(
    hole: Sequence[Card], board: Sequence[Card], urns: Sequence[Urn], *, deals: int, chance: Chance
) -> list[Deal]:
    """So many deals: for each rival a hand out of his urn, and the cards still to come."""
    stub = unseen(hole, board)
    dealt = []
    for _ in range(deals):
        hands = _hands(urns, chance)
        used = {card for at, _ in hands for card in PAIRS[at]}
        whole = list(board)
        while len(whole) < 5:
            card = stub[chance.below(len(stub))]
            if card not in used:
                used.add(card)
                whole.append(card)
        theirs = tuple([(better, high((*PAIRS[at], *whole))) for at, better in hands])
        dealt.append(Deal(high((*hole, *whole)), theirs))
    return dealt


def _hands(urns: Sequence[Urn], chance: Chance) -> list[tuple[int, float]]:
    """A hand for everybody, no card twice; after many clashes two may share a card, which hardly matters."""
    hands: list[tuple[int, float]] = []
    used: set[Card] = set()
    for urn in urns:
        for _ in range(8):
            at, better = urn.draw(chance)
            if used.isdisjoint(PAIRS[at]):
                break
        used.update(PAIRS[at])
        hands.append((at, better))
    return hands


def share(deals: Sequence[Deal]) -> float:
    """The part of the pot won if everybody stays to the end."""
    return sum([part(deal.mine, [strength for _, strength in deal.theirs]) for deal in deals]) / len(deals)


def bet(deals: Sequence[Deal], rivals: Sequence[Rival], *, pot: int, cost: int) -> tuple[float, float]:
    """What a bet of `cost` wins on average, if it is the last one, and the part of the pot it wins where it is called.

    >>> ahead, behind = Deal(9, ((0.5, 5),)), Deal(1, ((0.2, 7),))
    >>> bet([ahead, behind], [Rival(to_pay=100, stays=0.4)], pot=100, cost=100)
    (0.0, 0.0)
    """
    won, called, times = 0.0, 0.0, 0
    for deal in deals:
        stay = [
            (strength, rival.to_pay)
            for (better, strength), rival in zip(deal.theirs, rivals, strict=True)
            if better < rival.stays
        ]
        if not stay:
            won += pot
            continue
        risked = min(cost, max(paid for _, paid in stay))
        mine = part(deal.mine, [strength for strength, _ in stay])
        won += mine * (pot + risked + sum(paid for _, paid in stay)) - risked
        called += mine
        times += 1
    return won / len(deals), called / times if times else 1.0
