"""`sharp`, the best known policy. It compares expected results to decide when to fold, to bluff and to buy.

It uses only the Player's view. It estimates the opponents' next cards from the cards of their decks that were not
turned up, and from the probabilities that they raise. Its weights were found by search.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from math import erf, sqrt

from msgspec import Struct, structs
from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.stats import Mean
from pitboss.sting.cards import (
    HIDDEN,
    ROLES,
    CardSet,
    CustomerBehaviour,
    DeckSums,
    NarcBehaviour,
    StingCard,
    Totals,
    default_cards,
)
from pitboss.sting.events import Buy, Continue, NextHand, RunAction, StingCheck, StingFold, StingRaise
from pitboss.sting.hand import CUSTOMER, NARC, PLAYER, ROUNDS, StingHand, insurance_cost
from pitboss.sting.run import Run

OPPONENTS = (NARC, CUSTOMER)
ENDLESS = 5
"""The number of later hands that are counted in a run without end."""
ROOT_2 = sqrt(2)
MOST_HANDS = 10
"""The maximum number of later hands that a try plays in a run without end."""
Goal = Callable[["Found"], float]
PARENTS = 6
"""The number of weights of a generation that have children."""
GOALS: dict[str, Goal] = {
    "cash": lambda found: found.cash,
    "wins": lambda found: found.wins,
    "hands": lambda found: found.hands,
}
"""The results that a search can maximise."""


class Outlook(Struct, frozen=True):
    """What opponents can still add."""

    evidence: float  #: the mean
    variance: float
    heat: float


class DeckMeans(Struct, frozen=True):
    """The mean of a card of a deck."""

    evidence: float
    variance: float
    heat: float


def deck_means(run: Run, place: int) -> DeckMeans:
    """Estimate an opponent's next card from its deck, without the cards that were turned up."""
    cards = run.cards
    whole, seen = cards.sums(run.listed[place]), cards.sums(run.discards[place])
    up = DeckSums.of([cards.cards[name] for owner, name in run.hand.table if owner == place])
    count = whole.cards - seen.cards - up.cards
    if count > 0:
        evidence = whole.evidence - seen.evidence - up.evidence
        squares = whole.squares - seen.squares - up.squares
        heat = whole.heat - seen.heat - up.heat
    else:
        count, evidence, squares, heat = whole.cards, whole.evidence, whole.squares, whole.heat
    if not count:
        return DeckMeans(0.0, 0.0, 0.0)
    mean = evidence / count
    return DeckMeans(mean, max(0.0, squares / count - mean * mean), heat / count)


def outlook(run: Run, means: tuple[DeckMeans, ...], totals: Totals, product: int | None, plays: bool) -> Outlook:
    """Estimate what opponents add to a table with these totals. `plays` is whether the Player plays one more card."""
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
    """Estimate the number of the Narc's cards. `mine` is the number of the Player's face-down cards.

    `mine` is negative if the Narc does not act again in this round.
    """
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
        count += share + share * share  # the first player to raise can raise again
    return count


def _customer(way: CustomerBehaviour, hand: StingHand, product: int | None, speaks: bool) -> float:
    """Estimate the number of the Customer's cards."""
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
    """Estimate the Player's next card: its Cover above its Evidence, and the price of a usual Product."""
    sums = run.cards.sums(run.listed[PLAYER])
    return sums.cover / sums.cards if sums.cards else 0.0, sums.prices / sums.products if sums.products else 0.0


class Weights(Struct, frozen=True, kw_only=True):
    """What the policy expects and values, in addition to the cards."""

    cover_drawn: float = 2.6  #: expected Cover of each later draw, in units of an average card
    cover_held: float = 0.45  #: share of the Cover in hand that will still be played
    price_drawn: float = 0.215  #: probability, per later round, of selling a Product if none is played
    price_held: float = 0.15  #: probability of selling a Product in hand
    doubt: float = 2.84  #: standard deviation of everything except the opponents' cards
    foresight: float = 0.63  #: share of later busts that a fold avoids
    hand_worth: float = 48.3  #: value of every later hand of the run
    heat_usual: float = 5.04  #: Heat that every later hand adds, after cooling
    heat_price: float = 3.35  #: cost of each Heat above the Heat that the later hands allow
    heat_small: float = 0.44  #: cost of each Heat
    heat_doubt: float = 7.06  #: standard deviation of a hand's Heat
    buys_product: float = 0.024  #: value per later hand of a Product's price above the usual price
    buys_scarce: float = (
        0.123  #: value of the usual price, times the share of Products that is missing to a third of the deck
    )
    buys_cover: float = 0.153  #: value of Cover above the usual Cover, times the usual price in hundreds
    buys_insurance: float = 0.053  #: value per later hand of an insurance, in per cent of the cash at risk
    keeps: float = 30.0  #: cash that is not spent on cards


def sharp(run: Run, chance: Chance) -> RunAction:
    """Estimates what the opponents will play and what a fold, a bust and Heat cost; folds, bluffs and shops."""
    return decide(run, BEST)


def decide(run: Run, weights: Weights) -> RunAction:
    """Return the action that is best with these weights."""
    if run.hand.over:
        return shop(run, weights)
    weighed = weigh(run, weights)
    best, most = weighed[0]
    for action, value in weighed:
        if value > most:
            best, most = action, value
    return best


def run_value(run: Run, weights: Weights | None = None) -> float:
    """Return the value of a run after a hand: its cash, and the expected gain of later hands at this Heat."""
    if run.over:
        return float(run.cash)
    weights, left = weights or BEST, hands_left(run)
    return run.cash + weights.hand_worth * left - _heat_cost(run, weights, run.heat, left)


def hands_left(run: Run) -> int:
    """Return the number of later hands. In a run without end, it is a fixed number."""
    return max(0, run.difficulty.hands - run.number) if run.difficulty.hands else ENDLESS


# --- in a hand


def weigh(run: Run, weights: Weights) -> list[tuple[RunAction, float]]:
    """Return every possible action of a hand with its value in cash."""
    table, hand = _Table(run, weights), run.hand
    weighed: list[tuple[RunAction, float]] = []
    if hand.state == "DecisionPoint":
        weighed.append((Continue(), table.worth(None)))
    else:
        weighed += [(StingRaise(card), table.worth(card)) for card in hand.offer.raise_]
        weighed.append((StingCheck(), table.worth(None)))
    if table.rounds == 0 or hand.state == "DecisionPoint" or run.difficulty.leaves == 100:
        weighed.append((StingFold(), table.folded))  # if not, waiting for the decision point makes the fold cheaper
    return weighed


class _Table:
    """The numbers that all actions of one decision have in common."""

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
        """Return the value of a fold at this price, with the present Heat of the face-up cards."""
        run, (cash, added) = self.run, price
        heat = (self.heat if run.difficulty.fold_cools else max(0, self.heat)) + added + self.hand.heat_before
        if heat >= run.cards.caught_at:
            return self.busted - cash
        return self.now - self.heat_cost(heat) - cash

    def worth(self, card: str | None) -> float:
        """Return the value of playing a card, or of playing none."""
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
        """Return whether the Player acts again in this round."""
        hand = self.hand
        raises = hand.raises + (card is not None)
        if hand.state != "Betting" or raises >= hand.round.rules.cap:
            return False
        return card is not None and hand.holder in (None, PLAYER) and hand.round.rules.last_word

    def cover_in(self, held: list[StingCard], played: list[str]) -> int:
        """Return the Cover that cards in hand would add. Of several locations, the best one counts."""
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
        """Return the expected profit, minus the cost of a hand without a sale."""
        if products:
            return float(totals.profit)
        w = self.weights
        price = max([card.price for card in held if card.kind == "product"], default=0)
        chance = (w.price_held if again else 0.0) if price else min(0.95, w.price_drawn * self.rounds)
        return chance * (price or self.usual_price) - (1 - chance) * self.run.difficulty.idle

    def after(self, heat: float) -> float:
        """Return the value of the Heat after a hand compared with now, including the risk of being caught."""
        run, w = self.run, self.weights
        near = (heat - run.cards.caught_at + 0.5) / (w.heat_doubt * (1 + self.rounds) ** 0.5 * ROOT_2)
        caught = 0.5 + 0.5 * erf(near) if near > -3 else 0.0
        return caught * self.busted + (1 - caught) * (self.now - self.heat_cost(heat))

    def heat_cost(self, heat: float) -> float:
        """Return the cost of this Heat after the hand. A Conviction can keep it from falling."""
        stakes = self.run.difficulty
        if self.awake is not None and heat >= self.awake and not stakes.conviction_cools:
            heat += stakes.cools
        return _heat_cost(self.run, self.weights, heat, self.left)

    def lost(self, played: list[str], totals: Totals, evidence: float, heat: float) -> float:
        """Return the value of a bust. An insurance can prevent it."""
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
    """Buy the card whose value for later hands exceeds its price most, if there is enough cash."""
    best: RunAction = NextHand()
    most, left = 0.0, hands_left(run)
    for name in run.offer.buy:
        price = run.cards.shop[name]
        worth = card_worth(run, weights, name) * left - price
        if worth > most and run.cash - price >= weights.keeps:
            best, most = Buy(name), worth
    return best


def card_worth(run: Run, weights: Weights, name: str) -> float:
    """Return the value of one more card per hand."""
    card, listed = run.cards.cards[name], run.listed
    usual_cover, usual_price = draw_means(run)
    if card.kind == "product":
        scarce = 1 / 3 - run.cards.sums(listed[PLAYER]).products / len(listed[PLAYER])
        return weights.buys_product * (card.price - usual_price) + weights.buys_scarce * scarce * usual_price
    worth = weights.buys_cover * (card.cover - card.evidence - usual_cover) * usual_price / 100
    if card.kind == "insurance":
        worth += weights.buys_insurance * max(0, run.cash) * run.difficulty.lost / 10_000
    return worth


BEST = Weights()


class Tried(Struct, frozen=True):
    """An action, and its results over all tries."""

    action: RunAction
    cash: float  #: the expected cash at the end of the run
    bust: float  #: the share of tries that ended in a bust
    won: float  #: the share of tries that won the run


class Hint(Struct, frozen=True):
    """The action of the best policy, and a comparison of all actions."""

    action: RunAction
    hardly_differs: bool  #: whether the tries do not show clearly that the next action is worse
    tried: tuple[Tried, ...]  #: the best action is first


def hint(run: Run, seed: int, trials: int = 100) -> Hint:
    """Try every action `trials` times. The same seed gives the same hint."""
    view, legal = run.view(), run.legal()
    if not legal:
        raise Refused("run_over", "the run is over, so there is no action to suggest")
    chances = [Chance(seed).fork(trial) for trial in range(trials if len(legal) > 1 else 1)]
    results = {action: [_play_out(sample(view, chance), action) for chance in chances] for action in legal}
    tried = sorted((_tried(action, result) for action, result in results.items()), key=lambda each: -each.cash)
    best = tried[0]
    differs = len(tried) == 1 or _clearly(results[best.action], results[tried[1].action])
    return Hint(best.action, not differs, tuple(tried))


def _tried(action: RunAction, ends: list[Run]) -> Tried:
    count = len(ends)
    bust = sum([run.hand.outcome == "bust" for run in ends])
    won = sum([run.won for run in ends])
    return Tried(action, sum(map(run_value, ends)) / count, bust / count, won / count)


def _clearly(best: list[Run], next_best: list[Run]) -> bool:
    low, _ = Mean(run_value(one) - run_value(other) for one, other in zip(best, next_best, strict=True)).interval()
    return low > 0


# --- one try


def sample(view: Run, chance: Chance) -> Run:
    """Return a run that the Player cannot distinguish from the real one. Hidden cards are drawn from unseen cards."""
    hand = view.hand
    hands, decks, down = list(hand.hands), list(hand.decks), list(hand.down)
    for place in range(len(ROLES)):
        unseen = chance.shuffled(_unseen(view, place))
        if place != PLAYER:
            hands[place], unseen = unseen[: len(hands[place])], unseen[len(hands[place]) :]
            for at, (owner, card) in enumerate(down):
                if owner == place and card == HIDDEN:
                    down[at], unseen = (place, unseen[0]), unseen[1:]
        decks[place] = unseen
    sampled = replace(hand, hands=tuple(hands), decks=tuple(decks), down=tuple(down))
    return replace(view, hand=sampled, seed=chance.bits(), chance=chance.bits())


def _unseen(view: Run, place: int) -> list[str]:
    """Return the cards of a place that the Player cannot see."""
    hand = view.hand
    left = Counter(view.listed[place])
    left.subtract(view.discards[place])
    if not hand.over:  # after the hand, these cards are among the discards
        left.subtract(card for owner, card in hand.table if owner == place)
    if place == PLAYER:
        left.subtract(hand.hands[PLAYER])
        left.subtract(view.bought)
        left.subtract(_own_down(view))
    return list(left.elements())


def _own_down(view: Run) -> Iterable[str]:
    return () if view.hand.over else [card for owner, card in view.hand.down if owner == PLAYER]


def _play_out(run: Run, action: RunAction) -> Run:
    """Continue to the end of this hand or, between two hands, to the end of the run."""
    chance, between = Chance(run.chance), run.hand.over
    run, _ = run.act(action)
    until = run.number + MOST_HANDS
    while not (run.over or run.number > until or (run.hand.over and not between)):
        run, _ = run.act(sharp(run.view(), chance))
    return run


class RunSetting(Struct, frozen=True):
    """What is played: the Player's deck and the difficulty."""

    deck: str
    difficulty: str


class Found(Struct, frozen=True, kw_only=True):
    """Weights and their results."""

    weights: Weights
    cash: float  #: the mean over all runs
    wins: float  #: the share of runs that were won
    folds: float
    hands: float  #: the mean number of hands per run


def try_weights(weights: Weights, settings: Sequence[RunSetting], seeds: range, cards: CardSet | None = None) -> Found:
    """Play every setting with every seed, and return the results."""
    runs = [play_weights(weights, setting, seed, cards or default_cards()) for setting in settings for seed in seeds]
    hands = sum(run.number for run, _ in runs)
    return Found(
        weights=weights,
        cash=sum(run.cash for run, _ in runs) / len(runs),
        wins=sum(run.won for run, _ in runs) / len(runs),
        folds=sum(folds for _, folds in runs) / hands,
        hands=hands / len(runs),
    )


def play_weights(weights: Weights, setting: RunSetting, seed: int, cards: CardSet, most: int = 300) -> tuple[Run, int]:
    """Play a run to its end, or up to `most` hands. Return the run and the number of folded hands."""
    run, _ = Run.start(seed=seed, cards=cards, decks={"player": setting.deck}, difficulty=setting.difficulty)
    folds = 0
    while not run.over and run.number < most:
        was_over = run.hand.over
        run, _ = run.act(decide(run.view(), weights))
        folds += run.hand.outcome == "fold" and not was_over
    return run, folds


def vary(weights: Weights, chance: Chance, reach: float) -> Weights:
    """Return similar weights. About half of them are multiplied by up to 1 + reach, or divided by it."""
    changed = {}
    for name in weights.__struct_fields__:
        value = getattr(weights, name)
        if chance.below(2):
            value *= (1 + reach) ** (2 * chance.uniform() - 1)
            value += reach * (chance.uniform() - 0.5) * 0.1
        changed[name] = value
    return structs.replace(weights, **changed)


def search(
    settings: Sequence[RunSetting],
    *,
    generations: int,
    children: int,
    runs: int,
    seed: int,
    goal: Goal,
    pool: Executor,
    start: Weights = BEST,
) -> Iterator[list[Found]]:
    """Yield the best weights of each generation, the best first.

    Every generation plays other seeds, so that luck is not inherited. The last generation is judged again on four
    times the number of runs.
    """
    chance, parents = Chance(seed), [start]
    for generation in range(generations + 1):
        last = generation == generations
        reach = 0.8 * (1 - generation / generations) + 0.1
        brood = parents + ([] if last else [vary(chance.choice(parents), chance, reach) for _ in range(children)])
        first = seed + generation * runs
        numbers = range(first, first + (4 * runs if last else runs))
        tries = [pool.submit(try_weights, weights, settings, numbers) for weights in brood]
        found = sorted([each.result() for each in tries], key=goal, reverse=True)[:PARENTS]
        parents = [each.weights for each in found]
        yield found
