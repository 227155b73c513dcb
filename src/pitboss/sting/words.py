"""Sting in words: what a card does, what happened, what a fold or a bust costs, rules and decks."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from pitboss.betting.refusals import Refused
from pitboss.sting import events
from pitboss.sting.cards import HIDDEN, CardSet, Difficulty, StingCard, Totals
from pitboss.sting.events import Ending, Outcome, RunEvent
from pitboss.sting.hand import PLAYER, StingHand, insurance_cost, payable_insurance
from pitboss.sting.run import Run

NAMES = ("Narc", "Customer", "You")
OUTCOMES: dict[Outcome, str] = {
    "success": "You got away with it.",
    "bust": "Busted: more Evidence than Cover.",
    "fold": "You folded: you lose the profit and keep your cards.",
}
RULES = """\
You sell. A Product makes your profit, and the Customer's cards change its price. The Narc and the Customer bring
Evidence, and you bring Cover. If Evidence is higher than Cover at the end of the hand, you bust. Equal is safe.

A hand has three rounds. In each round everyone draws to three cards. Then the Narc, the Customer and you, in this
order, check, raise (play a card face down) or fold. The first to raise has the initiative: after the others have
answered, they may raise again, until they check. The third raise ends the betting. Then the cards are turned up. After
rounds 1 and 2 you go on or fold. After round 3 the hand is scored.

Only the last Product and the last Location played count. All other cards add up, and every card adds its Heat. If you
fold, you lose the profit and keep the cards you have not played. An insurance that you have played prevents a bust if
you can pay for it.

A bust ends the run, and so does Heat {heat}.
"""
ENDINGS: dict[Ending, str] = {
    "target": "The run is over, and you reached the target. You win.",
    "night_over": "The run is over, and you are short of the target.",
    "busted": "Busted. The run is over.",
    "caught": "Too much Heat: you are caught. The run is over.",
}


class AtStake(Struct, frozen=True, kw_only=True):
    """What would happen to Heat and cash if the hand ended now."""

    profit: int  #: what the cards face up would bring
    fold_cash: int  #: what a fold costs
    fold_heat: int  #: the Heat after a fold
    fold_next: int | None  #: what a fold costs at the next opportunity of the hand, if there is one
    bust_cash: int  #: what a bust costs
    saved_by: str | None  #: the insurance, face up, that would prevent a bust
    saved_cash: int  #: what this insurance costs
    caught_at: int


def at_stake(run: Run) -> AtStake:
    """Return what a fold or a bust would cost, judged by the cards face up."""
    hand, stakes, totals = run.hand, run.difficulty, run.hand.totals
    folded = totals.heat if stakes.fold_cools else max(0, totals.heat)
    price, heat = run.fold_price
    saved = payable_insurance(hand)
    return AtStake(
        profit=totals.profit,
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


class Effect(Struct, frozen=True):
    """One thing a card does: in words, as briefly as possible, and what it affects, which gives it a colour."""

    words: str
    brief: str
    touches: Literal["price", "evidence", "cover", "heat", "insurance", "conviction"]


def effects(card: StingCard, lawyer: int = 0) -> tuple[Effect, ...]:
    """Return everything a card does; with a lawyer an insurance takes at most a share of the cash.

    >>> [effect.brief for effect in effects(StingCard(name="Patrol", kind="evidence", evidence=5, heat=2))]
    ['E+5', 'H+2']
    """
    found = []
    if card.kind == "product":
        found.append(Effect(f"sells for {card.price}", f"${card.price}", "price"))
    elif card.price:
        found.append(Effect(f"price {signed(card.price)}", f"${signed(card.price)}", "price"))
    if card.multiplier != 1:
        found.append(Effect(f"price ×{float(card.multiplier):g}", f"$×{float(card.multiplier):g}", "price"))
    if card.evidence:
        found.append(Effect(f"Evidence {signed(card.evidence)}", f"E{signed(card.evidence)}", "evidence"))
    if card.cover:
        found.append(Effect(f"Cover {signed(card.cover)}", f"C{signed(card.cover)}", "cover"))
    if card.heat:
        found.append(Effect(f"Heat {signed(card.heat)}", f"H{signed(card.heat)}", "heat"))
    if card.kind == "insurance":
        most = f" (at most {lawyer} % of yours)" if lawyer else ""
        cash, brief = (f"{card.cost} cash{most} and ", f"${card.cost} ") if card.cost else ("", "")
        if card.cost and lawyer:
            brief = f"${lawyer}% "
        saves = f"prevents a bust for {cash}Heat {card.penalty} + missing Cover"
        found.append(Effect(saves, f"saves {brief}H{signed(card.penalty)}+", "insurance"))
    if card.kind == "conviction":
        forbids = f"no insurance works from Heat {card.threshold}"
        found.append(Effect(forbids, f"no insurance from H{card.threshold}", "conviction"))
    return tuple(found)


def describe(card: StingCard, lawyer: int = 0) -> str:
    """Return what a card does, in a few words.

    >>> describe(StingCard(name="Safe House", kind="location", evidence=10, cover=30, heat=-5))
    'location: Evidence +10, Cover +30, Heat −5'
    """
    return f"{card.kind}: {', '.join(effect.words for effect in effects(card, lawyer)) or 'nothing'}"


def signed(number: int) -> str:
    """Format a number with its sign, using a true minus."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def amount(number: int) -> str:
    """Format a number without a plus; cash and profit can be negative."""
    return signed(number) if number < 0 else str(number)


def listed(cards: Iterable[str]) -> str:
    """List cards with how often each occurs.

    >>> listed(["Weed", "Alibi", "Weed"])
    '2 Weed, Alibi'
    """
    return ", ".join(f"{count} {card}" if count > 1 else card for card, count in Counter(cards).items())


def safety(margin: int) -> str:
    """Return what a margin means.

    >>> safety(5), safety(0), safety(-20)
    ('safe by 5', 'just safe', 'bust by 20')
    """
    return f"safe by {margin}" if margin > 0 else "just safe" if margin == 0 else f"bust by {-margin}"


def raises_left(hand: StingHand) -> int:
    """Return how many raises the round still has."""
    return sum(made >= hand.raises for made in range(hand.round.rules.cap))


def preview(hand: StingHand, card: str) -> tuple[Totals, Totals]:
    """Return the totals of the cards that the Player knows, without and with one more card."""
    known = [played for _, played in hand.table + hand.down if played != HIDDEN]
    return hand.cards.totals(known), hand.cards.totals([*known, card])


def previewed(hand: StingHand, card: str) -> str:
    """Return what a card would change, as far as the Player knows.

    >>> hand, _ = StingHand.start({"narc": [], "customer": [], "player": ["Alibi"]})
    >>> previewed(hand, "Alibi")
    'margin 0 → +30'
    """
    now, then = preview(hand, card)
    changes = [
        f"{name} {signed(before)} → {signed(after)}"
        for name, before, after in (("margin", now.margin, then.margin), ("profit", now.profit, then.profit))
        if before != after
    ]
    only = "only the Heat changes" if now.heat != then.heat else "changes nothing"
    return ", ".join(changes) or only


def to_player(refusal: Refused) -> str:
    """Return why an action was refused, addressed to the Player.

    >>> to_player(Refused("no_decision", "player must check, raise with a card or fold"))
    'You must check, raise with a card or fold'
    """
    said = refusal.sentence.replace("player must", "you must")
    return said[:1].upper() + said[1:]


def numbers_to(count: int) -> str:
    """Return the numbers that choose one of several things: "1" or "1-3"."""
    return "1" if count == 1 else f"1-{count}"


def chosen(answer: str, items: Sequence[str]) -> str | None:
    """Return the item meant by a number, a name or the beginning of a name; None if that is not clear.

    >>> chosen("2", ["Weed", "Alibi"]), chosen("al", ["Weed", "Alibi"]), chosen("", ["Weed"])
    ('Alibi', 'Alibi', None)
    """
    if answer.isdecimal():
        return items[int(answer) - 1] if 1 <= int(answer) <= len(items) else None
    meant = {item for item in items if answer and item.lower().startswith(answer.lower())}
    exact = {item for item in meant if item.lower() == answer.lower()}
    return next(iter(exact or meant)) if len(exact or meant) == 1 else None


def rules(cards: CardSet) -> list[str]:
    """Return the rules of a hand in a few paragraphs."""
    return [" ".join(paragraph.split()) for paragraph in RULES.format(heat=cards.caught_at).split("\n\n")]


def stakes(difficulty: Difficulty) -> list[str]:
    """Return what a run of this difficulty is played for, and all costs, one sentence per rule."""
    d = difficulty
    said = [f"A run has {d.hands} hands; you win with {d.target} cash at the end."] if d.hands else []
    if any(d.fold_cash + d.fold_heat):
        cooling = "" if d.fold_cools else " In a folded hand, cards never lower the Heat."
        said.append(f"{fold_prices(d)}.{cooling}")
    if d.idle:
        said.append(f"A hand played to the end without a Product costs {d.idle} cash.")
    if d.clears:
        said.append("After a hand, cards you did not play are discarded. After a fold you keep them.")
    if d.cools:
        awake = "" if d.conviction_cools else ", but not after a hand with a Conviction whose Heat is reached"
        said.append(f"Between hands, Heat falls by {d.cools}{awake}.")
    if d.press:
        said.append(f"The minimum Heat rises by {d.press} with every hand.")
    if d.lost:
        said.append(f"A bust, or being caught, takes {d.lost} % of your cash.")
    if d.lawyer:
        said.append(f"An insurance never costs more than {d.lawyer} % of your cash.")
    if d.offer:
        said.append(f"Between hands, {d.offer} cards are for sale. A card you buy goes on top of your deck.")
    return said + _growth(d)


def fold_prices(difficulty: Difficulty) -> str:
    """Return what a fold costs in each round, in the betting and at the decision point after it."""
    d = difficulty
    cash, heat = ", ".join(map(str, d.fold_cash)), ", ".join(map(str, d.fold_heat))
    leaving = f", and {d.leaves} % of that at the decision point after the round" if d.leaves < 100 else ""
    return f"A fold costs {cash} cash and adds {heat} Heat by round{leaving}"


def _growth(difficulty: Difficulty) -> list[str]:
    """Return the cards that each opponent gets and before which hands, one sentence per opponent."""
    said = []
    for role in dict.fromkeys(growth.role for growth in difficulty.grows):
        hands: dict[str, list[str]] = {}
        for growth in difficulty.grows:
            if growth.role == role:
                hands.setdefault(growth.card, []).append(str(growth.hand))
        cards = "; ".join(f"{card} before hand {', '.join(numbers)}" for card, numbers in hands.items())
        said.append(f"The {role.capitalize()}'s deck grows: {cards}.")
    return said


def deck_lines(run: Run) -> list[str]:
    """List the cards of each deck, one line per deck."""
    names = ("Narc's deck", "Customer's deck", "Your deck")
    return [f"{name}: {listed(cards)}." for name, cards in zip(names, run.listed, strict=True)]


def format_event(event: RunEvent) -> str:
    """Describe an event in one line; the line is empty if the event needs no words."""
    match event:
        case events.Drawn(place=place, cards=cards) if place == PLAYER and cards:
            return f"You draw {listed(cards)}."
        case events.StingChecked(place=place):
            return _did(place, "check", "checks")
        case events.StingRaised(place=place, card=card, all_in=all_in):
            with_ = "a card face down" if card == HIDDEN else f"{card}, face down"
            return _did(place, f"play {with_}", f"plays {with_}", " – the last one" if all_in else "")
        case events.StingFolded(place=place):
            return _did(place, "fold", "folds")
        case events.Flipped(cards=cards):
            return _flipped(cards)
        case events.Insured(card=card, cost=cost, heat=heat):
            price = f"{cost} cash and Heat {signed(heat)}" if cost else f"Heat {signed(heat)}"
            return f"{card} saves you for {price}. It leaves your deck."
        case events.Resolved(outcome=outcome, profit=profit, heat=heat):
            banked = f" Profit {signed(profit)}," if outcome == "success" else ""
            return f"{OUTCOMES[outcome]}{banked} Heat {signed(heat)}."
        case events.HandBegun(number=number, heat=heat, cash=cash):
            return f"Hand {number}." if number == 1 else f"Hand {number}, with Heat {heat} and {amount(cash)} cash."
        case events.PutAway(cards=cards):
            return f"You discard {listed(cards)}."
        case events.Pressed(least=least):
            return f"Heat cannot fall below {least} any more."
        case events.Grown(place=place, card=card):
            return f"{NAMES[place]} adds a {card} to their deck."
        case events.FoldPaid(cash=cash, heat=heat):
            return f"The fold costs {cash} cash and Heat {signed(heat)}."
        case events.IdlePaid(cash=cash):
            return f"A hand without a sale costs {cash} cash."
        case events.Seized(cash=cash):
            return f"You lose {cash} cash."
        case events.ShopOpened(cards=cards):
            return f"For sale: {', '.join(f'{card} for {price}' for card, price in cards)}."
        case events.Bought(card=card, price=price):
            return f"You buy {card} for {price}. It goes on top of your deck."
        case events.Reshuffled(place=place):
            return _did(place, "shuffle your discards", "shuffles their discards")
        case events.RunEnded(ending=ending, cash=cash):
            return f"{ENDINGS[ending]} Your cash: {amount(cash)}."
    return ""


def _did(place: int, you: str, other: str, more: str = "") -> str:
    return f"{NAMES[place]} {you if place == PLAYER else other}{more}."


def _flipped(cards: Iterable[tuple[int, str]]) -> str:
    by_place: dict[int, list[str]] = {}
    for place, card in cards:
        by_place.setdefault(place, []).append(card)
    played = "; ".join(f"{NAMES[place]}: {listed(by_place[place])}" for place in sorted(by_place))
    return f"Flip: {played or 'no cards were played'}."
