"""The help of the game: a first page, then decks, difficulties, opponents and cards.

The texts are made from the cards of the game that is played, so they also fit other data files.
"""

from collections import Counter
from statistics import fmean

from msgspec import Struct

from pitboss.sting.cards import CardSet, Difficulty, StingCard
from pitboss.sting.events import NextHand, RunAction, format_action
from pitboss.sting.hand import PLAYER
from pitboss.sting.hint import Hint, Tried
from pitboss.sting.opponents import describe_customer, describe_narc
from pitboss.sting.run import Run
from pitboss.sting.words import NAMES, at_stake, deck_lines, describe, fold_prices, listed, rules, signed, stakes

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


class Section(Struct, frozen=True):
    """A heading and the paragraphs under it."""

    title: str
    paragraphs: tuple[str, ...]


# --- before the first hand


def primer(cards: CardSet, difficulty: Difficulty) -> tuple[Section, ...]:
    """Return the first page: what you do, what ends the run, and how to win."""
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
    """Return what a deck of the Player is good for, compared with the others, and its cards."""
    deck = cards.deck("player", name)
    others = [cards.deck("player", other) for other in cards.decks["player"] if other != name]
    if others and all(_mean_price(cards, deck) > _mean_price(cards, other) for other in others):
        good = "Big money: the most expensive goods and the most Heat, for a few bold sales."
    elif others and all(_mean_heat(cards, deck) < _mean_heat(cards, other) for other in others):
        good = "Long and cold: cheap goods and the least Heat, for many small sales."
    else:
        good = "Balanced: some of everything, good for a first run."
    return f"{good} {listed(deck)}."


def _mean_price(cards: CardSet, deck: tuple[str, ...]) -> float:
    return fmean([card.price for card in cards.of_kind(deck, "product")] or [0])


def _mean_heat(cards: CardSet, deck: tuple[str, ...]) -> float:
    return fmean([cards.cards[name].heat for name in deck])


# --- at any time


def guide(cards: CardSet, difficulty: Difficulty, run: Run | None = None) -> tuple[Section, ...]:
    """Return all help texts; the cards on the table come first."""
    convictions = any(card.kind == "conviction" for card in cards.cards.values())
    explained = [f"{name}: {describe(card, difficulty.lawyer)}." for name, card in cards.cards.items()]
    sections = (
        Section("On the table", () if run is None else on_table(run)),
        Section("The rules", tuple(rules(cards))),
        Section(f"This run ({difficulty.name})", (aim(difficulty), *stakes(difficulty)[1:])),
        Section("How they play", (describe_narc(difficulty.narc), describe_customer(difficulty.customer))),
        Section("The decks", tuple(_decks(cards) if run is None else deck_lines(run))),
        Section("The cards", (*explained, CONVICTIONS) if convictions else tuple(explained)),
        Section("Signs", (SIGNS,)),
    )
    return tuple([section for section in sections if section.paragraphs])


def on_table(run: Run) -> tuple[str, ...]:
    """List every card face up, with what it does, newest first."""
    lines = []
    for (place, name), count in Counter(reversed(run.hand.table)).items():
        many = f" ×{count}" if count > 1 else ""
        lines.append(f"{NAMES[place]} · {name}{many} · {describe(run.cards.cards[name], run.difficulty.lawyer)}")
    return tuple(lines)


def _decks(cards: CardSet) -> list[str]:
    return [
        f"{role.capitalize()}, {name}: {listed(deck)}."
        for role, decks in cards.decks.items()
        for name, deck in decks.items()
    ]


# --- what is at stake now


def fold_words(run: Run, *, brief: bool = False) -> str:
    """Return what a fold would cost now; `brief` for narrow screens."""
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
    """Return what the hand would cost without a sale; empty if a Product is played or it costs nothing."""
    own = [card for place, card in run.hand.table + run.hand.down if place == PLAYER]
    if not run.difficulty.idle or run.cards.of_kind(own, "product"):
        return ""
    return f"cash {signed(-run.difficulty.idle)}"


def hint_lines(hint: Hint) -> tuple[str, ...]:
    """Return the suggested action, and what every action is expected to lead to."""
    said = _advice(hint.action)
    if len(hint.tried) == 1:
        return (f"Hint: {said}. It is the only action.",)
    hardly = f" About as good: {_advice(hint.tried[1].action)}." if hint.hardly_differs else ""
    expected = ", ".join(f"{_advice(each.action)} {each.cash:.0f}{_chances(each)}" for each in hint.tried)
    return f"Hint: {said}.{hardly}", f"Expected cash at the end: {expected}."


def _advice(action: RunAction) -> str:
    return "go on" if isinstance(action, NextHand) else format_action(action)


def _chances(tried: Tried) -> str:
    """Return how often an action led to a win and to a bust, if it did."""
    shares = [f"{what} {100 * share:.0f} %" for what, share in (("win", tried.won), ("bust", tried.bust)) if share]
    return f" ({', '.join(shares)})" if shares else ""


def bust_words(run: Run, *, brief: bool = False) -> str:
    """Return what a bust would cost now; `brief` for narrow screens."""
    now = at_stake(run)
    if now.saved_by is not None:
        card = run.cards.cards[now.saved_by]
        caught = run.hand.heat + card.penalty >= now.caught_at  # even without the missing Cover
        if brief:
            return f"{card.name} saves: {_price(card, now.saved_cash, '+')}{', caught' if caught else ''}"
        end = ", and you are caught" if caught else ""
        return f"{card.name} saves you: {_price(card, now.saved_cash, ' + missing Cover')}{end}"
    lost = f", {now.bust_cash} of your {run.cash} cash gone" if now.bust_cash else ""
    return f"the run is over{lost}"


def _price(card: StingCard, cash: int, more: str) -> str:
    paid = f"{cash} cash, " if cash else ""
    return f"{paid}Heat +{card.penalty}{more}"
