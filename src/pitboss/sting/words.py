"""Sting in plain words: what a card does, what happened, what a fold or a bust costs, rules, decks and opponents."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from pitboss.betting.refusals import Refused
from pitboss.sting import events
from pitboss.sting.cards import HIDDEN, CardSet, Difficulty, Kind, StingCard, Totals
from pitboss.sting.events import Ending, Outcome, RunEvent
from pitboss.sting.hand import PLAYER, StingHand, insurance_cost
from pitboss.sting.opponents import describe_customer, describe_narc
from pitboss.sting.run import Run

NAMES = ("Narc", "Customer", "You")
OUTCOMES: dict[Outcome, str] = {
    "success": "You got away with it.",
    "bust": "Busted: more Evidence than Cover.",
    "fold": "You folded: the profit is lost, your cards are kept.",
}
RULES = """\
You sell: play a product, and what the Customer's cards make of its price is your profit. The Narc and the Customer
bring Evidence, you bring Cover. More Evidence than Cover at the end is a bust; a tie is safe.

A hand has three rounds. In each, all draw to three cards; then Narc, Customer and you, in this order, check, raise
(play a card face down) or fold. The third raise ends the betting at once. Who raises first has the initiative: when
the others have answered he speaks again, until he checks. Then the cards are turned up. After rounds 1 and 2 you go on
or fold, after round 3 comes the reckoning.

Of products and of locations the last one played counts; all else adds up, and every card brings its Heat. Folding
keeps your other cards and loses the profit. An insurance that you played saves a bust, if you can pay for it.

A bust ends the run, and so does Heat {heat}. Until then, bank what you can.
"""
ENDINGS: dict[Ending, str] = {
    "target": "The night is over, and you have made your target. You win.",
    "night_over": "The night is over, and you are short of your target.",
    "busted": "Busted. The run is over.",
    "caught": "Too much Heat: you are caught. The run is over.",
}


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


class Effect(Struct, frozen=True):
    """One thing a card does: in words, in as few signs as will do, and what it touches, which may give it a colour."""

    words: str
    brief: str
    touches: Literal["price", "evidence", "cover", "heat", "insurance", "conviction"]


def effects(card: StingCard, lawyer: int = 0) -> tuple[Effect, ...]:
    """All that a card does, one thing after the other; with a lawyer an insurance takes a share of the cash at most.

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
        saves = f"saves a bust for {cash}Heat {card.penalty} + what Cover lacks"
        found.append(Effect(saves, f"saves {brief}H{signed(card.penalty)}+", "insurance"))
    if card.kind == "conviction":
        forbids = f"from Heat {card.threshold} on no insurance helps"
        found.append(Effect(forbids, f"no saving from H{card.threshold}", "conviction"))
    return tuple(found)


def describe(card: StingCard, lawyer: int = 0) -> str:
    """What a card does, in a few words.

    >>> describe(StingCard(name="Safe House", kind="location", evidence=10, cover=30, heat=-5))
    'location: Evidence +10, Cover +30, Heat −5'
    """
    return f"{card.kind}: {', '.join(effect.words for effect in effects(card, lawyer)) or 'nothing'}"


def signed(number: int) -> str:
    """A number with its sign, and a true minus."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def amount(number: int) -> str:
    """A number without a plus, and with the same minus as all others: cash and profit may be below 0."""
    return signed(number) if number < 0 else str(number)


def listed(cards: Iterable[str]) -> str:
    """Cards with how often each occurs.

    >>> listed(["Weed", "Alibi", "Weed"])
    '2 Weed, Alibi'
    """
    return ", ".join(f"{count} {card}" if count > 1 else card for card, count in Counter(cards).items())


def safety(margin: int) -> str:
    """What a margin means.

    >>> safety(5), safety(0), safety(-20)
    ('safe by 5', 'just safe', 'bust by 20')
    """
    return f"safe by {margin}" if margin > 0 else "just safe" if margin == 0 else f"bust by {-margin}"


def raises_left(hand: StingHand) -> int:
    """How many raises the round still has."""
    return sum(made >= hand.raises for made in range(hand.round.rules.cap))


def preview(hand: StingHand, card: str) -> tuple[Totals, Totals]:
    """What the cards that the Player knows come to, without and with one more."""
    known = [played for _, played in hand.table + hand.down if played != HIDDEN]
    return hand.cards.totals(known), hand.cards.totals([*known, card])


def previewed(hand: StingHand, card: str) -> str:
    """What a card would change, as far as the Player knows.

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
    """Why a wish was refused, said to the Player himself.

    >>> to_player(Refused("no_decision", "player is asked to check"))
    'You are asked to check'
    """
    said = refusal.sentence.replace("player is asked", "you are asked")
    return said[:1].upper() + said[1:]


def numbers_to(count: int) -> str:
    """The numbers by which so many things are chosen: "1", or "1-3"."""
    return "1" if count == 1 else f"1-{count}"


def chosen(answer: str, items: Sequence[str]) -> str | None:
    """One of the items by its number, its name or the beginning of it; None where that is not clear.

    >>> chosen("2", ["Weed", "Alibi"]), chosen("al", ["Weed", "Alibi"]), chosen("", ["Weed"])
    ('Alibi', 'Alibi', None)
    """
    if answer.isdecimal():
        return items[int(answer) - 1] if 1 <= int(answer) <= len(items) else None
    meant = {item for item in items if answer and item.lower().startswith(answer.lower())}
    exact = {item for item in meant if item.lower() == answer.lower()}
    return next(iter(exact or meant)) if len(exact or meant) == 1 else None


def rules(cards: CardSet, difficulty: Difficulty | None = None) -> list[str]:
    """The rules in a few paragraphs, as the help tells them; with a difficulty also those of its night."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in RULES.format(heat=cards.caught_at).split("\n\n")]
    return paragraphs if difficulty is None else [*paragraphs, *stakes(difficulty), *ways(difficulty)]


def stakes(difficulty: Difficulty) -> list[str]:
    """What a run of this difficulty is played for, and what everything costs."""
    d = difficulty
    said = [f"The night has {d.hands} hands; {d.target} cash at its end wins."] if d.hands else []
    if any(d.fold_cash + d.fold_heat):
        cooling = "" if d.fold_cools else " The cards of a folded hand bring Heat, but never take any away."
        said.append(f"{fold_prices(d)}.{cooling}")
    if d.idle:
        said.append(f"A hand played to its end that sells nothing costs {d.idle}.")
    if d.clears:
        said.append("What you did not play is put away after a hand; a fold keeps it.")
    if d.cools:
        awake = "" if d.conviction_cools else ", but not after a hand with a Conviction whose Heat is reached"
        said.append(f"Between two hands Heat falls by {d.cools}{awake}.")
    if d.press:
        said.append(f"With every hand the least Heat rises by {d.press}: nothing cools below it.")
    if d.lost:
        said.append(f"A bust, or being caught, takes {d.lost} % of your cash.")
    if d.lawyer:
        said.append(f"An insurance costs what it says, but never more than {d.lawyer} % of your cash.")
    if d.offer:
        said.append(f"Between two hands {d.offer} cards are for sale; what you buy lies on top of your deck.")
    return said + _growth(d)


def fold_prices(difficulty: Difficulty) -> str:
    """What a fold costs in each round, in the betting and at the decision point after it."""
    d = difficulty
    cash, heat = ", ".join(map(str, d.fold_cash)), ", ".join(map(str, d.fold_heat))
    leaving = f"; leaving at a decision point, {d.leaves} % of that" if d.leaves < 100 else ""
    return f"A fold costs {cash} cash and {heat} Heat by round{leaving}"


def _growth(difficulty: Difficulty) -> list[str]:
    """What each opponent gets and before which hands, a line each."""
    said = []
    for role in dict.fromkeys(growth.role for growth in difficulty.grows):
        hands: dict[str, list[str]] = {}
        for growth in difficulty.grows:
            if growth.role == role:
                hands.setdefault(growth.card, []).append(str(growth.hand))
        cards = "; ".join(f"{card} before hand {', '.join(numbers)}" for card, numbers in hands.items())
        said.append(f"The {role.capitalize()}'s deck grows: {cards}.")
    return said


def ways(difficulty: Difficulty) -> list[str]:
    """How Narc and Customer behave, a sentence or two each."""
    return [describe_narc(difficulty.narc), describe_customer(difficulty.customer)]


def deck_lines(run: Run) -> list[str]:
    """What everybody's deck is made of, a line each."""
    names = ("Narc's deck", "Customer's deck", "Your deck")
    return [f"{name}: {listed(cards)}." for name, cards in zip(names, run.listed, strict=True)]


def conviction_lines(cards: CardSet) -> list[str]:
    """What each Conviction does, a line each."""
    return [explain(cards, name) for name, card in cards.cards.items() if card.kind == "conviction"]


def format_event(event: RunEvent) -> str:
    """What happened, in one line; an empty one for what needs no words."""
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
            return f"{card} saves you for {f'{cost} cash and ' if cost else ''}Heat {signed(heat)}; it is burnt."
        case events.Resolved(outcome=outcome, profit=profit, heat=heat):
            banked = f" Profit {signed(profit)}," if outcome == "success" else ""
            return f"{OUTCOMES[outcome]}{banked} Heat {signed(heat)}."
        case events.HandBegun(number=number, heat=heat, cash=cash):
            return f"Hand {number}." if number == 1 else f"Hand {number}, with Heat {heat} and {amount(cash)} cash."
        case events.PutAway(cards=cards):
            return f"You put away {listed(cards)}."
        case events.Pressed(least=least):
            return f"The street remembers: Heat falls no lower than {least} now."
        case events.Grown(place=place, card=card):
            return f"{NAMES[place]} has one more {card} in his deck."
        case events.FoldPaid(cash=cash, heat=heat):
            return f"The fold costs {cash} cash and Heat {signed(heat)}."
        case events.IdlePaid(cash=cash):
            return f"Nothing sold: that costs {cash} cash."
        case events.Seized(cash=cash):
            return f"They take {cash} of your cash."
        case events.ShopOpened(cards=cards):
            return f"For sale: {', '.join(f'{card} for {price}' for card, price in cards)}."
        case events.Bought(card=card, price=price):
            return f"You buy {card} for {price}; it lies on top of your deck."
        case events.Reshuffled(place=place):
            return _did(place, "shuffle your discards", "shuffles his discards")
        case events.RunEnded(ending=ending, cash=cash):
            return f"{ENDINGS[ending]} You banked {amount(cash)}."
    return ""


def _did(place: int, you: str, he: str, more: str = "") -> str:
    return f"{NAMES[place]} {you if place == PLAYER else he}{more}."


def _flipped(cards: Iterable[tuple[int, str]]) -> str:
    by_place: dict[int, list[str]] = {}
    for place, card in cards:
        by_place.setdefault(place, []).append(card)
    played = "; ".join(f"{NAMES[place]}: {listed(by_place[place])}" for place in sorted(by_place))
    return f"Flip: {played or 'nobody played a card'}."
