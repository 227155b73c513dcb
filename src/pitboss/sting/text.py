"""The English text of Sting: cards, events, rules, decks, hints, and the cost of a fold or a bust.

The help text is made from the cards of the game, so it also fits other data files.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Literal

from msgspec import Struct

from pitboss.betting.refusals import Refused
from pitboss.sting import events
from pitboss.sting.cards import HIDDEN, CardSet, Difficulty, StingCard, Totals
from pitboss.sting.events import Ending, NextHand, Outcome, RunAction, RunEvent, format_action
from pitboss.sting.hand import PLAYER, StingHand, insurance_cost, payable_insurance
from pitboss.sting.opponents import describe_customer, describe_narc
from pitboss.sting.run import Run
from pitboss.sting.sharp import Hint, Tried

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
SELLING = (
    "A hand has three rounds. In each you play cards face down: a Product makes the profit, and Cover hides the deal. "
    "The Narc and the Customer play theirs. Then all cards are turned up, and you go on or fold."
)
CONVICTIONS = (
    "A Conviction that is face up takes effect when your Heat, including that of this hand, reaches its number. Then "
    "no insurance saves you from a bust, and your Heat does not fall after the hand."
)
SIGNS = (
    "E is Evidence, C Cover, H Heat and $ a price: E+20 H+5 is Evidence +20 and Heat +5. "
    "“Saves $50% H+40+” prevents a bust for half of the cash, Heat 40 and 1 Heat for every missing Cover. ▶ marks "
    "whose turn it is, ★ who has the initiative. ▒▒ is a card face down, and a struck-out card no longer counts. "
    "The number after an arrow includes your own face-down cards."
)


class AtStake(Struct, frozen=True, kw_only=True):
    """What would happen to Heat and cash if the hand ended now."""

    profit: int  #: the profit of the face-up cards
    fold_cash: int  #: the cash that a fold costs
    fold_heat: int  #: the Heat after a fold
    fold_next: int | None  #: the cash that a fold costs at the next opportunity in this hand; None if there is none
    bust_cash: int  #: the cash that a bust costs
    saved_by: str | None  #: the face-up insurance that would prevent a bust
    saved_cash: int  #: the cash that this insurance costs
    caught_at: int


def at_stake(run: Run) -> AtStake:
    """Return what a fold or a bust would cost, judged by the face-up cards."""
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
    """One effect of a card: in words, in short words, and what it affects. The display has a colour for each."""

    words: str
    brief: str
    touches: Literal["price", "evidence", "cover", "heat", "insurance", "conviction"]


def effects(card: StingCard, lawyer: int = 0) -> tuple[Effect, ...]:
    """Return all effects of a card. With a lawyer, an insurance takes at most a share of the cash.

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


def describe_card(card: StingCard, lawyer: int = 0) -> str:
    """Return what a card does, in a few words.

    >>> describe_card(StingCard(name="Safe House", kind="location", evidence=10, cover=30, heat=-5))
    'location: Evidence +10, Cover +30, Heat −5'
    """
    return f"{card.kind}: {', '.join(effect.words for effect in effects(card, lawyer)) or 'nothing'}"


def signed(number: int) -> str:
    """Return a number with its sign and a typographic minus."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def amount(number: int) -> str:
    """Return a number without a plus sign. Cash and profit can be negative."""
    return signed(number) if number < 0 else str(number)


def list_cards(cards: Iterable[str]) -> str:
    """Return a list of cards with the number of each.

    >>> list_cards(["Weed", "Alibi", "Weed"])
    '2 Weed, Alibi'
    """
    return ", ".join(f"{count} {card}" if count > 1 else card for card, count in Counter(cards).items())


def margin_words(margin: int) -> str:
    """Return what a margin means, in words.

    >>> margin_words(5), margin_words(0), margin_words(-20)
    ('safe by 5', 'just safe', 'bust by 20')
    """
    return f"safe by {margin}" if margin > 0 else "just safe" if margin == 0 else f"bust by {-margin}"


def raises_left(hand: StingHand) -> int:
    """Return the number of raises that are left in the round."""
    return sum(made >= hand.raises for made in range(hand.round.rules.cap))


def preview(hand: StingHand, card: str) -> tuple[Totals, Totals]:
    """Return the totals of the cards that the Player knows, without and with one more card."""
    known = [played for _, played in hand.table + hand.down if played != HIDDEN]
    return hand.cards.totals(known), hand.cards.totals([*known, card])


def preview_changes(hand: StingHand, card: str) -> str:
    """Return the known changes if a card is played.

    >>> hand, _ = StingHand.start({"narc": [], "customer": [], "player": ["Alibi"]})
    >>> preview_changes(hand, "Alibi")
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


def explain_refusal(refusal: Refused) -> str:
    """Return why an action was refused, in words for the Player.

    >>> explain_refusal(Refused("no_decision", "player must check, raise with a card or fold"))
    'You must check, raise with a card or fold'
    """
    said = refusal.sentence.replace("player must", "you must")
    return said[:1].upper() + said[1:]


def numbers_to(count: int) -> str:
    """Return the numbers that select one of several items: "1" or "1-3"."""
    return "1" if count == 1 else f"1-{count}"


def find_item(answer: str, items: Sequence[str]) -> str | None:
    """Return the item with this number, name or beginning of a name. Return None if no or several items match.

    >>> find_item("2", ["Weed", "Alibi"]), find_item("al", ["Weed", "Alibi"]), find_item("", ["Weed"])
    ('Alibi', 'Alibi', None)
    """
    if answer.isdecimal():
        return items[int(answer) - 1] if 1 <= int(answer) <= len(items) else None
    meant = {item for item in items if answer and item.lower().startswith(answer.lower())}
    exact = {item for item in meant if item.lower() == answer.lower()}
    return next(iter(exact or meant)) if len(exact or meant) == 1 else None


def rules_text(cards: CardSet) -> list[str]:
    """Return the rules of a hand in a few paragraphs."""
    return [" ".join(paragraph.split()) for paragraph in RULES.format(heat=cards.caught_at).split("\n\n")]


def stakes_text(difficulty: Difficulty) -> list[str]:
    """Return the goal and all costs of a run of this difficulty, one sentence per rule."""
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
    """Return the cost of a fold in each round, in the betting and at the decision point after it."""
    d = difficulty
    cash, heat = ", ".join(map(str, d.fold_cash)), ", ".join(map(str, d.fold_heat))
    leaving = f", and {d.leaves} % of that at the decision point after the round" if d.leaves < 100 else ""
    return f"In rounds 1, 2 and 3, a fold costs {cash} cash and adds {heat} Heat{leaving}"


def _growth(difficulty: Difficulty) -> list[str]:
    """Return one sentence per opponent: the cards that the opponent gets, and the hands before which they come."""
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
    """Return the cards of each deck, one line per deck."""
    names = ("Narc's deck", "Customer's deck", "Your deck")
    return [f"{name}: {list_cards(cards)}." for name, cards in zip(names, run.listed, strict=True)]


def format_event(event: RunEvent) -> str:
    """Return one line that describes an event. The line is empty if the event needs no description."""
    match event:
        case events.Drawn(place=place, cards=cards) if place == PLAYER and cards:
            return f"You draw {list_cards(cards)}."
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
            return f"You discard {list_cards(cards)}."
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
    played = "; ".join(f"{NAMES[place]}: {list_cards(by_place[place])}" for place in sorted(by_place))
    return f"Flip: {played or 'no cards were played'}."


class Section(Struct, frozen=True):
    """A heading and the paragraphs under it."""

    title: str
    paragraphs: tuple[str, ...]


# --- before the first hand


def primer(cards: CardSet, difficulty: Difficulty) -> tuple[Section, ...]:
    """Return the first page: what the Player does, what ends the run, and how to win."""
    return (
        Section("You sell", (SELLING,)),
        Section("What ends the run", (_dangers(cards, difficulty),)),
        Section("How to win", (aim(difficulty),)),
    )


def _dangers(cards: CardSet, difficulty: Difficulty) -> str:
    lost = f" and takes {difficulty.lost} % of your cash" if difficulty.lost else ""
    return (
        f"More Evidence than Cover at the end of a hand is a bust: it ends the run{lost}. So does Heat "
        f"{cards.caught_at}. Your cards and theirs add Heat, and it carries over from hand to hand."
    )


def aim(difficulty: Difficulty) -> str:
    """Return the goal of a run of this difficulty."""
    if not difficulty.hands:
        return "The run goes on until you bust or are caught. Your cash at the end is your score."
    start = f"You start with {difficulty.cash} cash. " if difficulty.cash else ""
    shop = " Between hands you can buy cards." if difficulty.offer else ""
    return f"{start}Have {difficulty.target} cash after {difficulty.hands} hands to win.{shop}"


def difficulty_note(difficulty: Difficulty) -> str:
    """Return what a difficulty changes, in two or three lines."""
    d = difficulty
    if not d.hands:
        raises = _by_round(d.narc.raises)
        return f"As printed: folds are free, nothing is for sale, the Narc raises with {raises}. {aim(d)}"
    more = sum(growth.role == "narc" for growth in d.grows)
    return (
        f"{d.target} cash in {d.hands} hands. {fold_prices(d)}. A hand without a sale costs {d.idle} cash, a bust "
        f"{d.lost} % of it all. Heat falls by {d.cools} after a hand, and the minimum Heat rises by {d.press}. "
        f"The Narc raises with {_by_round(d.narc.raises)} by round and gets {more} more cards."
    )


def _by_round(raises: tuple[int, int, int]) -> str:
    return f"{', '.join(map(str, raises))} %"


def deck_note(cards: CardSet, name: str) -> str:
    """Return the advantage of a deck of the Player over the others, and its cards."""
    deck = cards.deck("player", name)
    others = [cards.deck("player", other) for other in cards.decks["player"] if other != name]
    if others and all(_mean_price(cards, deck) > _mean_price(cards, other) for other in others):
        good = "Big money: the most expensive goods and the most Heat, for a few bold sales."
    elif others and all(_mean_heat(cards, deck) < _mean_heat(cards, other) for other in others):
        good = "Long and cold: cheap goods and the least Heat, for many small sales."
    else:
        good = "Balanced: some of everything, good for a first run."
    return f"{good} {list_cards(deck)}."


def _mean_price(cards: CardSet, deck: tuple[str, ...]) -> float:
    return fmean([card.price for card in cards.of_kind(deck, "product")] or [0])


def _mean_heat(cards: CardSet, deck: tuple[str, ...]) -> float:
    return fmean([cards.cards[name].heat for name in deck])


# --- at any time


def guide(cards: CardSet, difficulty: Difficulty, run: Run | None = None) -> tuple[Section, ...]:
    """Return all help texts. The cards on the table are first."""
    convictions = any(card.kind == "conviction" for card in cards.cards.values())
    explained = [f"{name}: {describe_card(card, difficulty.lawyer)}." for name, card in cards.cards.items()]
    sections = (
        Section("On the table", () if run is None else on_table(run)),
        Section("The rules", tuple(rules_text(cards))),
        Section(f"This run ({difficulty.name})", (aim(difficulty), *stakes_text(difficulty)[1:])),
        Section("How they play", (describe_narc(difficulty.narc), describe_customer(difficulty.customer))),
        Section("The decks", tuple(_decks(cards) if run is None else deck_lines(run))),
        Section("The cards", (*explained, CONVICTIONS) if convictions else tuple(explained)),
        Section("Signs", (SIGNS,)),
    )
    return tuple([section for section in sections if section.paragraphs])


def on_table(run: Run) -> tuple[str, ...]:
    """Return every face-up card with its effects. The newest card is first."""
    lines = []
    for (place, name), count in Counter(reversed(run.hand.table)).items():
        many = f" ×{count}" if count > 1 else ""
        lines.append(f"{NAMES[place]} · {name}{many} · {describe_card(run.cards.cards[name], run.difficulty.lawyer)}")
    return tuple(lines)


def _decks(cards: CardSet) -> list[str]:
    return [
        f"{role.capitalize()}, {name}: {list_cards(deck)}."
        for role, decks in cards.decks.items()
        for name, deck in decks.items()
    ]


# --- what is at stake now


def fold_words(run: Run, *, brief: bool = False) -> str:
    """Return what a fold would cost now. `brief` is for narrow screens."""
    now = at_stake(run)
    parts = [f"profit {now.profit}{'' if brief else ' lost'}"] if now.profit > 0 else []
    at_once = "" if brief else " now"
    later = f"{at_once}, {signed(-now.fold_next)} next" if now.fold_next not in (None, now.fold_cash) else ""
    parts += [f"cash {signed(-now.fold_cash)}{later}"] if now.fold_cash else []
    gained = now.fold_heat - run.hand.heat_before
    parts += [f"Heat {signed(gained)}"] if gained else []
    if now.fold_heat >= now.caught_at:
        parts.append("caught" if brief else "and you are caught")
    return ", ".join(parts) or "costs nothing"


def unsold_words(run: Run) -> str:
    """Return what the hand would cost without a sale. It is empty if a Product is played or nothing has to be paid."""
    own = [card for place, card in run.hand.table + run.hand.down if place == PLAYER]
    if not run.difficulty.idle or run.cards.of_kind(own, "product"):
        return ""
    return f"cash {signed(-run.difficulty.idle)}"


def hint_lines(hint: Hint) -> tuple[str, ...]:
    """Return the suggested action, and the expected result of every action."""
    said = _advice(hint.action)
    if len(hint.tried) == 1:
        return (f"Hint: {said}. It is the only action.",)
    hardly = f" About as good: {_advice(hint.tried[1].action)}." if hint.hardly_differs else ""
    expected = ", ".join(f"{_advice(each.action)} {each.cash:.0f}{_chances(each)}" for each in hint.tried)
    return f"Hint: {said}.{hardly}", f"Expected cash at the end: {expected}."


def _advice(action: RunAction) -> str:
    return "go on" if isinstance(action, NextHand) else format_action(action)


def _chances(tried: Tried) -> str:
    """Return the shares of tries that led to a win and to a bust, or an empty text if both shares are 0."""
    shares = [f"{what} {100 * share:.0f} %" for what, share in (("win", tried.won), ("bust", tried.bust)) if share]
    return f" ({', '.join(shares)})" if shares else ""


def bust_words(run: Run, *, brief: bool = False) -> str:
    """Return what a bust would cost now. `brief` is for narrow screens."""
    now = at_stake(run)
    if now.saved_by is not None:
        card = run.cards.cards[now.saved_by]
        caught = run.hand.heat + card.penalty >= now.caught_at  # the missing Cover adds more Heat
        if brief:
            return f"{card.name} saves: {_price(card, now.saved_cash, '+')}{', caught' if caught else ''}"
        end = ", and you are caught" if caught else ""
        return f"{card.name} saves you: {_price(card, now.saved_cash, ' + missing Cover')}{end}"
    lost = f", {now.bust_cash} of your {run.cash} cash gone" if now.bust_cash else ""
    return f"the run is over{lost}"


def _price(card: StingCard, cash: int, more: str) -> str:
    paid = f"{cash} cash, " if cash else ""
    return f"{paid}Heat +{card.penalty}{more}"
