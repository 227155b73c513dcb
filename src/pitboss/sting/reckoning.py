"""What a person may reckon with: what a fold or a bust would cost now, and what every card on the table does."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from pitboss.sting.cards import HIDDEN, CardSet, Kind, StingCard
from pitboss.sting.hand import PLAYER, insurance_cost
from pitboss.sting.run import Run


class AtStake(Struct, frozen=True, kw_only=True):
    """What would happen to Heat and cash if the hand ended now, one way or another."""

    profit: int  #: what the cards face up would bring
    keeps_heat: int  #: the Heat after getting away with it
    fold_cash: int  #: what a fold costs
    fold_heat: int  #: the Heat after a fold
    fold_next: int | None  #: what a fold costs at the next chance: a decision point, or the next betting; None after it
    bust_cash: int  #: what a bust costs
    saved_by: str | None  #: the insurance, face up, that would save from a bust
    saved_cash: int  #: and what that would cost
    caught_at: int


def at_stake(run: Run) -> AtStake:
    """What a fold or a bust would cost, as far as the cards face up tell."""
    hand, stakes, totals = run.hand, run.difficulty, run.hand.totals
    folded = totals.heat if stakes.fold_cools else max(0, totals.heat)
    price, heat = run.fold_price
    saved = _saves(run)
    return AtStake(
        profit=totals.profit,
        keeps_heat=max(run.least_heat, hand.heat_before + totals.heat),
        fold_cash=price,
        fold_heat=max(run.least_heat, hand.heat_before + folded + heat),
        fold_next=_fold_next(run),
        bust_cash=max(0, run.cash) * stakes.lost // 100,
        saved_by=saved.name if saved else None,
        saved_cash=insurance_cost(hand, saved) if saved else 0,
        caught_at=run.cards.caught_at,
    )


def _fold_next(run: Run) -> int | None:
    hand, deciding = run.hand, run.hand.state == "DecisionPoint"
    if hand.number == hand.variation.rounds:
        return None
    return run.difficulty.fold_price(hand.number + deciding, not deciding)[0]


def _saves(run: Run) -> StingCard | None:
    """The first insurance of the Player's, face up, that can be paid and that no Conviction forbids."""
    hand = run.hand
    played = [card for _, card in hand.table]
    if any(hand.heat >= card.threshold for card in hand.cards.of_kind(played, "conviction")):
        return None
    own = hand.cards.of_kind([card for place, card in hand.table if place == PLAYER], "insurance")
    return next((card for card in own if insurance_cost(hand, card) <= max(hand.cash, 0)), None)


def explain(cards: CardSet, name: str) -> str:
    """What a card does, whoever plays it, in a sentence; for a card face down that nobody knows it."""
    if name == HIDDEN:
        return "A card face down: nobody but its owner knows it before the flip."
    card = cards.cards[name]
    return f"{name}: {EXPLAINED[card.kind](card)}"


def _adds(card: StingCard) -> str:
    parts = [("Evidence", card.evidence), ("Cover", card.cover), ("Heat", card.heat)]
    said = [f"{number:+d} {what}".replace("-", "−") for what, number in parts if number]
    return ", ".join(said) or "changes nothing"


def _deal(card: StingCard) -> str:
    parts = []
    if card.price:
        parts.append(f"{'lowers' if card.price < 0 else 'raises'} the price by {abs(card.price)}")
    if card.multiplier != 1:
        parts.append(f"multiplies the price by {float(card.multiplier):g}")
    if card.evidence or card.heat:
        parts.append(f"brings {_adds(card)}")
    return f"a deal that {', '.join(parts)}." if parts else "a deal that changes nothing."


def _insurance(card: StingCard) -> str:
    cost = f"{card.cost} cash" if card.cost else "no cash"
    return (
        f"an insurance, {_adds(card)}. If Evidence ends ahead of Cover, it saves you for {cost} and Heat"
        f" {card.penalty} plus 1 for every Evidence too much, and is burnt."
    )


EXPLAINED: Mapping[Kind, Callable[[StingCard], str]] = {
    "product": lambda card: f"a product for {card.price}, {_adds(card)}. Of products the last one played counts.",
    "location": lambda card: f"a location, {_adds(card)}. Of locations the last one played counts.",
    "evidence": lambda card: f"evidence, {_adds(card)}.",
    "cover": lambda card: f"cover, {_adds(card)}.",
    "deal": _deal,
    "insurance": _insurance,
    "conviction": lambda card: (
        f"a conviction, {_adds(card)}. If your Heat reaches {card.threshold}, no insurance saves you in this hand."
    ),
}
