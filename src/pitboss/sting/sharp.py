"""The best policy known: it weighs what may come against what it holds, folds when that is right, bluffs and shops.

It sees the Player's view alone: what may come is estimated from the decks' cards less those turned up, and from
how often each opponent raises. Its weights were found by search.
"""

from math import erf, sqrt

from msgspec import Struct

from pitboss.chance import Chance
from pitboss.sting.cards import HIDDEN, CustomerBehaviour, NarcBehaviour, StingCard, Totals
from pitboss.sting.events import Buy, Continue, NextHand, RunAction, StingCheck, StingFold, StingRaise
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER, ROUNDS, StingHand, insurance_cost
from pitboss.sting.run import Run

OPPONENTS = (NARC, CUSTOMER)
ENDLESS = 5
"""So many hands are reckoned with where a run has no end."""
ROOT_2 = sqrt(2)


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


def _narc(way: NarcBehaviour, hand: StingHand, margin: int, product: int | None, mine: int) -> float:
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


def _customer(way: CustomerBehaviour, hand: StingHand, product: int | None, speaks: bool) -> float:
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


class Weights(Struct, frozen=True, kw_only=True):
    """What the policy reckons with, apart from the cards."""

    cover_drawn: float = 2.6  #: cards' worth of Cover to be expected of each later round's draw
    cover_held: float = 0.45  #: share of the Cover in hand that will still be played
    price_drawn: float = 0.215  #: share of a usual price to be expected, in each later round, where no Product lies
    price_held: float = 0.15  #: share of the price in hand that will still be had
    doubt: float = 2.84  #: what is not known beside the opponents' cards, as a deviation
    foresight: float = 0.63  #: share of the busts to come that a later fold avoids
    hand_worth: float = 48.3  #: what every hand of the rest of a run is worth
    heat_usual: float = 5.04  #: Heat that every later hand will add, above what cools
    heat_price: float = 3.35  #: what a Heat costs that later hands cannot carry
    heat_small: float = 0.44  #: and what every Heat costs
    heat_doubt: float = 7.06  #: how far the Heat of a hand may be from what is reckoned, as a deviation
    buys_product: float = 0.024  #: what a product's price above the usual is worth for every hand left
    buys_scarce: float = 0.123  #: what the usual price is worth, by how far products are short of a third of the deck
    buys_cover: float = 0.153  #: what a point of Cover above the usual is worth, by the usual price in hundreds
    buys_insurance: float = 0.053  #: what an insurance is worth for every hand left, in per cent of the cash at stake
    keeps: float = 30.0  #: cash that is not spent on cards


def sharp(run: Run, chance: Chance) -> RunAction:
    """Reckons with the decks it faces and with what a fold, a bust and Heat cost; folds, bluffs and shops."""
    return decide(run, BEST)


def decide(run: Run, weights: Weights) -> RunAction:
    """What these weights do."""
    if run.hand.over:
        return shop(run, weights)
    weighed = weigh(run, weights)
    best, most = weighed[0]
    for action, value in weighed:
        if value > most:
            best, most = action, value
    return best


def standing(run: Run, weights: Weights | None = None) -> float:
    """What a run is worth after a hand: its cash, and what the hands to come are reckoned to bring at this Heat."""
    if run.over:
        return float(run.cash)
    weights, left = weights or BEST, hands_left(run)
    return run.cash + weights.hand_worth * left - _heat_cost(run, weights, run.heat, left)


def hands_left(run: Run) -> int:
    """The hands still to come; a run without end is taken to have a few."""
    return max(0, run.difficulty.hands - run.number) if run.difficulty.hands else ENDLESS


# --- in a hand


def weigh(run: Run, weights: Weights) -> list[tuple[RunAction, float]]:
    """Every action on offer in a hand with its worth, in cash."""
    table, hand = _Table(run, weights), run.hand
    weighed: list[tuple[RunAction, float]] = []
    if hand.state == "DecisionPoint":
        weighed.append((Continue(), table.worth(None)))
    else:
        weighed += [(StingRaise(card), table.worth(card)) for card in hand.offer.raise_]
        weighed.append((StingCheck(), table.worth(None)))
    if table.rounds == 0 or hand.state == "DecisionPoint" or run.difficulty.leaves == 100:
        weighed.append((StingFold(), table.folded))  # else whoever waits for the decision point leaves for less
    return weighed


class _Table:
    """What stands at one decision, reckoned once for all its actions."""

    def __init__(self, run: Run, weights: Weights) -> None:
        hand, stakes = run.hand, run.difficulty
        self.run, self.weights, self.hand = run, weights, hand
        self.known = [card for _, card in hand.table] + [card for _, card in hand.down if card != HIDDEN]
        self.heat = hand.totals.heat
        self.rounds = hand.variation.rounds - hand.number
        self.left = hands_left(run)
        self.now = _heat_cost(run, weights, run.heat, self.left)
        self.busted = -max(0, run.cash) * stakes.lost / 100 - weights.hand_worth * self.left
        convictions = hand.cards.of_kind(self.known, "conviction")
        self.awake = min([card.threshold for card in convictions]) if convictions else None
        self.folded = self.fold_at(run.fold_price)
        if self.rounds:
            self.folded_later = self.fold_at(stakes.fold_price(hand.variation.rounds, deciding=False))
        self.means = deck_means(run, NARC), deck_means(run, CUSTOMER)
        self.cover_drawn, self.usual_price = draw_means(run)

    def fold_at(self, price: tuple[int, int]) -> float:
        """What a fold at this price is worth, with the Heat that lies face up now."""
        run, (cash, added) = self.run, price
        heat = (self.heat if run.difficulty.fold_cools else max(0, self.heat)) + added + self.hand.heat_before
        if heat >= run.cards.caught_at:
            return self.busted - cash
        return self.now - self.heat_cost(heat) - cash

    def worth(self, card: str | None) -> float:
        """What playing a card, or none, is worth."""
        hand, w, rounds = self.hand, self.weights, self.rounds
        played = self.known if card is None else [*self.known, card]
        totals = hand.cards.totals(played)
        products = hand.cards.of_kind(played, "product")
        held = self.held(card)
        again = rounds > 0 or self.speaks_again(card)
        coming = outlook(self.run, self.means, totals, products[-1].price if products else None, card is not None)
        spread = sqrt(coming.variance + w.doubt * w.doubt * (rounds + 0.25))
        ahead = totals.margin + w.cover_drawn * self.cover_drawn * rounds - coming.evidence
        if again:
            ahead += w.cover_held * self.cover_in(held, played)
        safe = 0.5 + 0.5 * erf((ahead + 0.5) / (spread * ROOT_2))
        heat = hand.heat_before + totals.heat + coming.heat
        gain = self.gain(totals, products, held, again) + self.after(heat)
        lost = self.lost(played, totals, coming.evidence, heat)
        if rounds:
            lost += w.foresight * max(0.0, self.folded_later - lost)
        return safe * gain + (1 - safe) * lost

    def held(self, card: str | None) -> list[StingCard]:
        names = self.hand.hands[PLAYER]
        if card is not None:
            at = names.index(card)
            names = names[:at] + names[at + 1 :]
        return [self.hand.cards.cards[name] for name in names]

    def speaks_again(self, card: str | None) -> bool:
        """Whether the Player will be asked again in this round."""
        hand = self.hand
        raises = hand.raises + (card is not None)
        if hand.state != "Betting" or raises >= hand.round.rules.cap:
            return False
        return card is not None and hand.holder in (None, PLAYER) and hand.round.rules.last_word

    def cover_in(self, held: list[StingCard], played: list[str]) -> int:
        """The Cover that cards in hand would add; of locations the better one counts."""
        there = self.hand.cards.of_kind(played, "location")
        standing = there[-1].cover - there[-1].evidence if there else 0
        cover = 0
        for card in held:
            if card.kind == "location":
                cover += max(0, card.cover - card.evidence - standing)
            elif card.kind != "product":
                cover += card.cover
        return cover

    def gain(self, totals: Totals, products: list[StingCard], held: list[StingCard], again: bool) -> float:
        """The profit to be expected, less what a hand without a sale costs."""
        if products:
            return float(totals.profit)
        w = self.weights
        price = max([card.price for card in held if card.kind == "product"], default=0)
        chance = (w.price_held if again else 0.0) if price else min(0.95, w.price_drawn * self.rounds)
        return chance * (price or self.usual_price) - (1 - chance) * self.run.difficulty.idle

    def after(self, heat: float) -> float:
        """What the Heat is worth that a hand leaves behind, compared with now; being caught is among it."""
        run, w = self.run, self.weights
        near = (heat - run.cards.caught_at + 0.5) / (w.heat_doubt * (1 + self.rounds) ** 0.5 * ROOT_2)
        caught = 0.5 + 0.5 * erf(near) if near > -3 else 0.0
        return caught * self.busted + (1 - caught) * (self.now - self.heat_cost(heat))

    def heat_cost(self, heat: float) -> float:
        """What this Heat costs after the hand; where a Conviction keeps it awake, also what will not cool."""
        stakes = self.run.difficulty
        if self.awake is not None and heat >= self.awake and not stakes.conviction_cools:
            heat += stakes.cools
        return _heat_cost(self.run, self.weights, heat, self.left)

    def lost(self, played: list[str], totals: Totals, evidence: float, heat: float) -> float:
        """What a bust is worth, also where an insurance of the Player's would save from it."""
        hand = self.hand
        if self.awake is not None and heat >= self.awake:
            return self.busted
        for card in hand.cards.of_kind(played, "insurance"):
            cost = insurance_cost(hand, card)
            if cost <= max(0, hand.cash):
                short = max(5.0, evidence - totals.margin)
                return max(self.busted, totals.profit - cost + self.after(heat + card.penalty + short))
        return self.busted


def _heat_cost(run: Run, weights: Weights, heat: float, left: int) -> float:
    if not left:
        return 0.0
    heat = max(heat, run.least_heat)
    over = heat + weights.heat_usual * left - run.cards.caught_at
    return weights.heat_small * heat + (weights.heat_price * over if over > 0 else 0.0)


# --- in the shop


def shop(run: Run, weights: Weights) -> RunAction:
    """Buy what is worth most above its price for the hands that are left, while there is cash to spare."""
    best: RunAction = NextHand()
    most, left = 0.0, hands_left(run)
    for name in run.offer.buy:
        price = run.cards.shop[name]
        worth = card_worth(run, weights, name) * left - price
        if worth > most and run.cash - price >= weights.keeps:
            best, most = Buy(name), worth
    return best


def card_worth(run: Run, weights: Weights, name: str) -> float:
    """What one more card is worth in a hand: Cover by the prices it guards, an insurance by the cash it may save."""
    card, listed = run.cards.cards[name], run.listed
    usual_cover, usual_price = draw_means(run)
    if card.kind == "product":
        *_, products = run.cards.own_sums(listed[PLAYER])
        scarce = 1 / 3 - products / len(listed[PLAYER])
        return weights.buys_product * (card.price - usual_price) + weights.buys_scarce * scarce * usual_price
    worth = weights.buys_cover * (card.cover - card.evidence - usual_cover) * usual_price / 100
    if card.kind == "insurance":
        worth += weights.buys_insurance * max(0, run.cash) * run.difficulty.lost / 10_000
    return worth


BEST = Weights()
