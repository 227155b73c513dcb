"""What may still come in a hand: the Evidence and Heat of opponents' cards, and the Cover that the Player may draw.

Reckoned from what the Player may know: the decks' cards less those turned up, and how often each opponent raises.
"""

from msgspec import Struct

from pitboss.sting.cards import HIDDEN, Totals
from pitboss.sting.difficulty import CustomerWay, NarcWay
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER, ROUNDS, StingHand
from pitboss.sting.run import Run

OPPONENTS = (NARC, CUSTOMER)


class Outlook(Struct, frozen=True):
    """What opponents may still bring."""

    evidence: float  #: on average
    variance: float
    heat: float


class DeckMeans(Struct, frozen=True):
    """An average card of a deck that was not turned up lately."""

    evidence: float
    variance: float
    heat: float


def deck_means(run: Run, place: int) -> DeckMeans:
    """What to expect of an opponent's next card."""
    cards = run.cards
    sums = cards.sums(run.listed[place])
    seen = cards.sums(run.discards[place])
    up = [cards.cards[name] for owner, name in run.hand.table if owner == place]
    count = sums[0] - seen[0] - len(up)
    if count <= 0:
        count, total, squares, heat = sums
        if not count:
            return DeckMeans(0.0, 0.0, 0.0)
    else:
        total = sums[1] - seen[1] - sum([card.evidence for card in up])
        squares = sums[2] - seen[2] - sum([card.evidence * card.evidence for card in up])
        heat = sums[3] - seen[3] - sum([card.heat for card in up])
    mean = total / count
    return DeckMeans(mean, max(0.0, squares / count - mean * mean), heat / count)


def outlook(run: Run, means: tuple[DeckMeans, ...], totals: Totals, product: int | None, plays: bool) -> Outlook:
    """What opponents may bring to a table that comes to these totals; `plays` is whether one more card goes down."""
    hand, ways = run.hand, run.difficulty
    mine = plays + sum([place == PLAYER for place, _ in hand.down])
    evidence = variance = heat = 0.0
    for place, mean in zip(OPPONENTS, means, strict=True):
        count = float(sum([owner == place and name == HIDDEN for owner, name in hand.down]))
        if place not in hand.out:
            speaks = hand.holder == place and hand.state == "Betting" and hand.raises + plays < hand.round.rules.cap
            if place == NARC:
                count += _narc(ways.narc, hand, totals.margin, product, mine if speaks else -1)
            else:
                count += _customer(ways.customer, hand, product, speaks)
        evidence += count * mean.evidence
        variance += count * (mean.variance + 0.3 * mean.evidence * mean.evidence)
        heat += count * mean.heat
    return Outlook(evidence, variance, heat)


def _narc(way: NarcWay, hand: StingHand, margin: int, product: int | None, mine: int) -> float:
    """How many cards the Narc will play; `mine` are the Player's face down where he speaks again, else below 0."""
    more = way.heat * (max(0, hand.heat_before) // 10)
    if margin < 0:
        more += way.thin
    if margin >= way.thick_from:
        more -= way.thick
    if product is not None and product >= way.dear_from:
        more += way.dear
    count = _share(way.raises[_stage(hand, hand.number)] + more - way.wary * mine) if mine >= 0 else 0.0
    for number in range(hand.number + 1, hand.variation.rounds + 1):
        share = _share(way.raises[_stage(hand, number)] + more)
        count += share + share * share  # who raises first speaks again
    return count


def _customer(way: CustomerWay, hand: StingHand, product: int | None, speaks: bool) -> float:
    """How many cards the Customer will play."""
    more = way.restless if product is None else -way.content if product < way.dear_from else 0
    count = _share(way.raises[_stage(hand, hand.number)] + (more if hand.number > 1 or more < 0 else 0)) * speaks
    for number in range(hand.number + 1, hand.variation.rounds + 1):
        share = _share(way.raises[_stage(hand, number)] + more)
        count += share + 0.5 * share
    return count


def _stage(hand: StingHand, number: int) -> int:
    return ROUNDS - 1 if number >= hand.variation.rounds else number - 1


def _share(per_cent: int) -> float:
    return 0.0 if per_cent <= 0 else 1.0 if per_cent >= 100 else per_cent / 100


def draw_means(run: Run) -> tuple[float, float]:
    """What to expect of the Player's next card: Cover above its Evidence, and the price of a usual Product."""
    cards = run.cards
    cover, count, price, products = cards.own_sums(run.listed[PLAYER])
    return cover / count if count else 0.0, price / products if products else 0.0
