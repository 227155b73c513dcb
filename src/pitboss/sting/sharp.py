"""The best policy known: it weighs what may come against what it holds, folds when that is right, bluffs and shops.

It sees the Player's view alone. What opponents may yet bring is reckoned from the decks that all may know, less what
was turned up, and from how often each of them raises at a table like this.
"""

from math import erf, sqrt

from msgspec import Struct

from pitboss.chance import Chance
from pitboss.sting.actions import Continue, StingCheck, StingFold, StingRaise
from pitboss.sting.cards import HIDDEN, CardSet, Totals
from pitboss.sting.difficulty import CustomerWay, NarcWay
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER, ROUNDS
from pitboss.sting.run import Run
from pitboss.sting.run_events import Buy, NextHand, RunAction

ENDLESS = 5
"""So many hands are reckoned with where a run has no end."""


class Weights(Struct, frozen=True, kw_only=True):
    """What the policy reckons with; found by search (`pitboss sting search`)."""

    cover_drawn: float = 33.0  #: Cover to be expected of each later round's draw
    cover_held: float = 0.36  #: share of the Cover in hand that will still be played
    price_drawn: float = 0.2  #: share of a usual price to be expected, in each later round, where no Product is played
    price_held: float = 0.18  #: share of the price in hand that will still be had
    doubt: float = 5.0  #: what is not known beside the opponents' cards, as a deviation
    foresight: float = 0.43  #: share of the busts to come that a later fold avoids
    hand_worth: float = 95.0  #: what every hand of the rest of a night is worth
    heat_usual: float = 10.0  #: Heat that every later hand will bring
    heat_price: float = 2.5  #: what a Heat costs that later hands cannot carry
    heat_small: float = 0.36  #: and what every Heat costs
    narrow: float = 10.4  #: Heat that may still come in this hand, where being caught is near
    buys_product: float = 0.1  #: what a product's price is worth for every hand left
    buys_cover: float = 0.22  #: what a point of Cover is worth for every hand left
    buys_insurance: float = 1.4  #: what an insurance is worth for every hand left
    keeps: float = 0.0  #: cash that is not spent on cards


def sharp(run: Run, chance: Chance) -> RunAction:
    """Reckons with the decks it faces and with what a fold, a bust and Heat cost; folds, bluffs and shops."""
    return decide(run, BEST)


def decide(run: Run, weights: Weights) -> RunAction:
    """What these weights do."""
    if run.hand.over:
        return shop(run, weights)
    best, most = None, 0.0
    for action, value in weigh(run, weights):
        if best is None or value > most:
            best, most = action, value
    assert best is not None
    return best


def standing(run: Run, weights: Weights | None = None) -> float:
    """What a run is worth after a hand: its cash, and what the hands to come are reckoned to bring at this Heat."""
    if run.over:
        return float(run.cash)
    weights, left = weights or BEST, _left(run)
    return run.cash + weights.hand_worth * left - _heat_cost(run, weights, run.heat, left)


# --- in a hand


def weigh(run: Run, weights: Weights) -> list[tuple[RunAction, float]]:
    """Every action on offer in a hand with its worth."""
    table = _Table(run, weights)
    hand = run.hand
    weighed: list[tuple[RunAction, float]] = []
    if hand.state == "DecisionPoint":
        weighed.append((Continue(), table.worth(None, later=1)))
    else:
        offer = hand.offer
        weighed += [(StingRaise(card), table.worth(card)) for card in offer.raise_]
        weighed.append((StingCheck(), table.worth(None)))
    weighed.append((StingFold(), table.folded))
    return weighed


class _Table:
    """What stands at one decision, reckoned once for all its actions."""

    def __init__(self, run: Run, weights: Weights) -> None:
        hand, stakes = run.hand, run.difficulty
        self.run, self.hand, self.weights, self.stakes = run, hand, weights, stakes
        self.known = [card for _, card in hand.table] + [card for _, card in hand.down if card != HIDDEN]
        prices = [card.price for card in hand.cards.of_kind(self.known, "product")]
        self.product = prices[-1] if prices else None
        self.left = _left(run)
        self.now = self.heat_cost(run.heat)
        lost = max(0, run.cash) * stakes.lost / 100
        self.busted = -lost - weights.hand_worth * self.left
        totals = hand.totals
        fold_heat = (totals.heat if stakes.fold_cools else max(0, totals.heat)) + stakes.fold_heat
        self.folded = -stakes.fold_cash - self.heat_cost(hand.heat_before + fold_heat) + self.now
        self.decks = [_deck(run, place) for place in (NARC, CUSTOMER)]

    def heat_cost(self, heat: float) -> float:
        """What it costs to have this Heat after the hand."""
        return _heat_cost(self.run, self.weights, heat, self.left)

    def worth(self, card: str | None, later: int = 0) -> float:
        """What playing a card, or none, is worth; `later` rounds have begun since."""
        hand, w = self.hand, self.weights
        played = self.known if card is None else [*self.known, card]
        totals = hand.cards.totals(played)
        rounds = hand.variation.rounds - hand.number
        held = list(hand.hands[PLAYER])
        if card is not None:
            held.remove(card)
        cards = hand.cards.cards
        cover = sum([cards[name].cover - cards[name].evidence for name in held if cards[name].kind != "product"])
        share = w.cover_held if rounds or self.can_speak(card) else 0.0
        mean, variance = self.coming(totals, card)
        spread = sqrt(variance + w.doubt * w.doubt * (rounds + 0.25))
        ahead = totals.margin + share * max(0, cover) + w.cover_drawn * rounds - mean
        safe = 0.5 * (1 + erf((ahead + 0.5) / (spread * 1.4142135)))
        gain = self.gain(totals, played, held, rounds, share > 0)
        heat = hand.heat_before + totals.heat
        cost = self.heat_cost(heat + (w.narrow if rounds else w.narrow / 3 if hand.number < ROUNDS else 0)) - self.now
        lost = self.lost(played, totals, mean, heat)
        if rounds:
            lost = w.foresight * max(self.folded, lost) + (1 - w.foresight) * lost
        return safe * (gain - cost) + (1 - safe) * lost

    def can_speak(self, card: str | None) -> bool:
        """Whether the Player will be asked again in this round after this."""
        hand = self.hand
        if card is None:
            return False
        return hand.holder in (None, PLAYER) and hand.raises + 1 < hand.round.rules.cap and hand.round.rules.last_word

    def gain(self, totals: Totals, played: list[str], held: list[str], rounds: int, again: bool) -> float:
        """The profit to be expected, and what a hand without a sale costs."""
        cards, w = self.hand.cards.cards, self.weights
        if any(cards[name].kind == "product" for name in played):
            return float(totals.profit)
        in_hand = max([cards[name].price for name in held if cards[name].kind == "product"], default=0)
        chance = min(0.95, (w.price_held if again or rounds else 0.0) if in_hand else w.price_drawn * rounds)
        price = in_hand or _usual_price(self.run)
        return chance * price - (1 - chance) * self.stakes.idle

    def lost(self, played: list[str], totals: Totals, mean: float, heat: int) -> float:
        """What a bust is worth, also where an insurance of the Player's would save from it."""
        cards, run = self.hand.cards, self.run
        for card in cards.of_kind(played, "insurance"):
            share = self.hand.variation.lawyer
            cost = min(card.cost, max(0, run.cash) * share // 100) if share else card.cost
            if cost <= max(0, run.cash):
                short = max(5.0, mean - totals.margin)
                return max(self.busted, totals.profit - cost - self.heat_cost(heat + card.penalty + short) + self.now)
        return self.busted

    def coming(self, totals: Totals, card: str | None) -> tuple[float, float]:
        """Mean and variance of the Evidence that opponents may still bring."""
        hand = self.hand
        product = max(
            [hand.cards.cards[name].price for name in self.known if hand.cards.cards[name].kind == "product"],
            default=None,
        )
        mine = sum([place == PLAYER for place, _ in hand.down]) + (card is not None)
        rounds = range(hand.number + 1, hand.variation.rounds + 1)
        mean = variance = 0.0
        for place, (average, spread) in zip((NARC, CUSTOMER), self.decks, strict=True):
            count = float(sum([owner == place and name == HIDDEN for owner, name in hand.down]))
            if place not in hand.out:
                if (
                    hand.state == "Betting"
                    and hand.holder == place
                    and hand.raises < hand.round.rules.cap - (card is not None)
                ):
                    count += self.share(place, totals, product, mine, hand.number)
                for number in rounds:
                    share = self.share(place, totals, product, 0, number)
                    count += share + (share * share if place == NARC else share * 0.5)
            mean += count * average
            variance += count * (spread + average * average * 0.3)
        return mean, variance

    def share(self, place: int, totals: Totals, product: int | None, mine: int, number: int) -> float:
        """How often an opponent raises at such a table, from 0 to 1."""
        stage = ROUNDS if number >= self.hand.variation.rounds else number
        if place == NARC:
            return _narc_share(self.stakes.narc, totals.margin, product, mine, stage, self.hand.heat_before)
        return _customer_share(self.stakes.customer, product, stage, number)


def _left(run: Run) -> int:
    """The hands still to come; a run without end is taken to have a few."""
    return max(0, run.difficulty.hands - run.number) if run.difficulty.hands else ENDLESS


def _heat_cost(run: Run, weights: Weights, heat: float, left: int) -> float:
    heat, limit = max(heat, run.least_heat), run.cards.caught_at
    if heat >= limit:
        return max(0, run.cash) * run.difficulty.lost / 100 + weights.hand_worth * left
    over = heat + weights.heat_usual * left - limit
    return (weights.heat_small * heat if left else 0.0) + (weights.heat_price * over if over > 0 else 0.0)


def _narc_share(way: NarcWay, margin: int, product: int | None, mine: int, stage: int, heat: int) -> float:
    chance = way.raises[stage - 1] - way.wary * mine + way.heat * (max(0, heat) // 10)
    if margin < 0:
        chance += way.thin
    if margin >= way.thick_from:
        chance -= way.thick
    if product is not None and product >= way.dear_from:
        chance += way.dear
    return min(100, max(0, chance)) / 100


def _customer_share(way: CustomerWay, product: int | None, stage: int, number: int) -> float:
    chance = way.raises[stage - 1]
    if product is None:
        chance += way.restless if number > 1 else 0
    elif product < way.dear_from:
        chance -= way.content
    return min(100, max(0, chance)) / 100


def _deck(run: Run, place: int) -> tuple[float, float]:
    """Mean and variance of the Evidence of an opponent's card that was not turned up lately."""
    cards = run.cards.cards
    count, total, squares = _sums(run.cards, run.listed[place])
    seen = [cards[name].evidence for name in run.discards[place]]
    seen += [cards[name].evidence for owner, name in run.hand.table if owner == place]
    count -= len(seen)
    if count <= 0:
        count, total, squares = _sums(run.cards, run.listed[place])
        seen = []
    mean = (total - sum(seen)) / count if count else 0.0
    return mean, max(0.0, (squares - sum([x * x for x in seen])) / count - mean * mean) if count else 0.0


def _sums(cards: CardSet, deck: tuple[str, ...]) -> tuple[int, int, int]:
    evidence = [cards.cards[name].evidence for name in deck]
    return len(deck), sum(evidence), sum([x * x for x in evidence])


def _usual_price(run: Run) -> float:
    prices = [run.cards.cards[name].price for name in run.listed[PLAYER] if run.cards.cards[name].kind == "product"]
    return sum(prices) / len(prices) if prices else 0.0


# --- in the shop


def shop(run: Run, weights: Weights) -> RunAction:
    """Buy what is worth most above its price for the hands that are left, while there is cash to spare."""
    left = _left(run)
    best: RunAction = NextHand()
    most = 0.0
    for name in run.offer.buy:
        price = run.cards.shop[name]
        worth = card_worth(run, weights, name) * left - price
        if worth > most and run.cash - price >= weights.keeps:
            best, most = Buy(name), worth
    return best


def card_worth(run: Run, weights: Weights, name: str) -> float:
    """What one more card is worth in a hand."""
    card = run.cards.cards[name]
    match card.kind:
        case "product":
            return weights.buys_product * (card.price - _usual_price(run))
        case "insurance":
            return weights.buys_insurance + weights.buys_cover * card.cover / 4
        case "cover" | "location":
            return weights.buys_cover * (card.cover - card.evidence) / 4
        case _:
            return 0.0


BEST = Weights()
