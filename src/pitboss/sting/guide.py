"""What a player may look up: the game in a minute, decks, difficulties, opponents, cards and Convictions.

All of it is made from the cards of the game that is played, so that another data file explains itself, too.
"""

from collections import Counter
from statistics import fmean

from msgspec import Struct

from pitboss.sting.cards import CardSet, Difficulty, StingCard
from pitboss.sting.events import NextHand, RunAction, format_run_action
from pitboss.sting.hand import PLAYER
from pitboss.sting.hint import Hint, Tried
from pitboss.sting.opponents import describe_customer, describe_narc
from pitboss.sting.run import Run
from pitboss.sting.words import (
    NAMES,
    at_stake,
    conviction_lines,
    deck_lines,
    describe,
    explain,
    fold_prices,
    listed,
    rules,
    signed,
    stakes,
)

SELLING = (
    "A hand has three rounds. In each you play cards face down: a Product makes the profit, Cover hides the deal. Narc "
    "and Customer play theirs. Then all are turned up, and you go on or fold."
)
CONVICTIONS = (
    "They bring no Evidence. But while one lies face up and your Heat, that of this hand included, has reached its "
    "number, no insurance saves you from a bust. In a night, such a hand does not cool afterwards either."
)
SIGNS = (
    "E is Evidence, C Cover, H Heat and $ a price: E+20 H+5 is Evidence +20 and Heat +5. A card that saves H+40+ saves "
    "a bust for Heat 40 and what Cover lacks, with $50% also for half of the cash. ▶ marks whose turn it is, ★ who has "
    "the initiative; ▒▒ is a card face down, and a struck-out card no longer counts. After an arrow stands what "
    "becomes of a number with your own face-down cards."
)


class Section(Struct, frozen=True):
    """A heading and the paragraphs under it."""

    title: str
    paragraphs: tuple[str, ...]


# --- before the first hand


def primer(cards: CardSet, difficulty: Difficulty) -> tuple[Section, ...]:
    """The game in a minute: what one does, what ends it, what the whole is for."""
    return (
        Section(
            "You sell",
            (SELLING,),
        ),
        Section("What ends you", (_dangers(cards, difficulty),)),
        Section("The night", (aim(difficulty),)),
    )


def _dangers(cards: CardSet, difficulty: Difficulty) -> str:
    lost = f" and takes {difficulty.lost} % of your cash" if difficulty.lost else ""
    return (
        f"More Evidence than Cover at the end of a hand is a bust: it ends the run{lost}. So does Heat "
        f"{cards.caught_at}, which your cards and theirs bring and which stays from hand to hand."
    )


def aim(difficulty: Difficulty) -> str:
    """What a run of this difficulty is for."""
    if not difficulty.hands:
        return "It goes on until you are busted or caught; the cash you have then is your score."
    start = f"You begin with {difficulty.cash}. " if difficulty.cash else ""
    shop = " Between hands you can buy cards." if difficulty.offer else ""
    return f"{start}Have {difficulty.target} cash after {difficulty.hands} hands, and you win.{shop}"


def difficulty_note(difficulty: Difficulty) -> str:
    """What a difficulty changes, in two or three lines."""
    d = difficulty
    if not d.hands:
        return f"As printed: folds are free, nothing is sold, the Narc plays {_by_round(d.narc.raises)}. {aim(d)}"
    more = sum(growth.role == "narc" for growth in d.grows)
    return (
        f"{d.target} cash in {d.hands} hands. {fold_prices(d)}. A hand without a sale costs "
        f"{d.idle}, a bust {d.lost} % of all. Heat falls by {d.cools} after a hand, its least rises by {d.press}. "
        f"The Narc plays {_by_round(d.narc.raises)} by round and gets {more} more cards."
    )


def _by_round(raises: tuple[int, int, int]) -> str:
    return f"{', '.join(map(str, raises))} %"


def deck_note(cards: CardSet, name: str) -> str:
    """What a deck of the Player is good for, beside his other ones, and what it is made of."""
    deck = cards.deck("player", name)
    others = [cards.deck("player", other) for other in cards.decks["player"] if other != name]
    if others and all(_mean_price(cards, deck) > _mean_price(cards, other) for other in others):
        good = "Big money: the dearest goods and the most Heat, for few and bold sales."
    elif others and all(_mean_heat(cards, deck) < _mean_heat(cards, other) for other in others):
        good = "Long and cold: cheap goods and the least Heat, for many small sales."
    else:
        good = "In between: some of everything, for a first run."
    return f"{good} {listed(deck)}."


def _mean_price(cards: CardSet, deck: tuple[str, ...]) -> float:
    return fmean([card.price for card in cards.of_kind(deck, "product")] or [0])


def _mean_heat(cards: CardSet, deck: tuple[str, ...]) -> float:
    return fmean([cards.cards[name].heat for name in deck])


# --- at any time


def guide(cards: CardSet, difficulty: Difficulty, run: Run | None = None) -> tuple[Section, ...]:
    """All there is to look up, what lies on the table first."""
    convictions = conviction_lines(cards)
    sections = (
        Section("On the table", () if run is None else on_table(run)),
        Section("The rules", tuple(rules(cards))),
        Section(f"This night ({difficulty.name})", (aim(difficulty), *stakes(difficulty)[1:])),
        Section("How they play", (describe_narc(difficulty.narc), describe_customer(difficulty.customer))),
        Section("The decks", tuple(_decks(cards) if run is None else deck_lines(run))),
        Section("The cards", tuple(explain(cards, name) for name in cards.cards)),
        Section("Convictions", (CONVICTIONS, *convictions) if convictions else ()),
        Section("Signs", (SIGNS,)),
    )
    return tuple([section for section in sections if section.paragraphs])


def on_table(run: Run) -> tuple[str, ...]:
    """Every card face up, with what it does, newest first."""
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


# --- what presses now


def fold_words(run: Run, *, brief: bool = False) -> str:
    """What a fold would cost now, in a few words or, in brief, fewer."""
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
    """What the hand would cost if it ended without a sale; empty where a Product is played, or where that is free."""
    own = [card for place, card in run.hand.table + run.hand.down if place == PLAYER]
    if not run.difficulty.idle or run.cards.of_kind(own, "product"):
        return ""
    return f"cash {signed(-run.difficulty.idle)}"


def hint_lines(hint: Hint) -> tuple[str, ...]:
    """What to do, and what every action on offer is reckoned to lead to."""
    said = _advice(hint.action)
    if len(hint.tried) == 1:
        return (f"Hint: {said}. There is nothing else to do.",)
    hardly = f" It hardly differs from {_advice(hint.tried[1].action)}." if hint.hardly_differs else ""
    reckoned = ", ".join(f"{_advice(each.action)} {each.cash:.0f}{_chances(each)}" for each in hint.tried)
    return f"Hint: {said}.{hardly}", f"Reckoned cash at the end: {reckoned}."


def _advice(action: RunAction) -> str:
    return "go on" if isinstance(action, NextHand) else format_run_action(action)


def _chances(tried: Tried) -> str:
    """How often an action led to a win and to a bust, as far as there were any."""
    shares = [f"{what} {100 * share:.0f} %" for what, share in (("win", tried.won), ("bust", tried.bust)) if share]
    return f" ({', '.join(shares)})" if shares else ""


def bust_words(run: Run, *, brief: bool = False) -> str:
    """What a bust would cost now, in a few words or, in brief, fewer."""
    now = at_stake(run)
    if now.saved_by is not None:
        card = run.cards.cards[now.saved_by]
        caught = run.hand.heat + card.penalty >= now.caught_at  # without what Cover lacks
        if brief:
            return f"{card.name} saves: {_price(card, now.saved_cash, '+')}{', caught' if caught else ''}"
        end = ", and you are caught" if caught else ""
        return f"{card.name} saves you: {_price(card, now.saved_cash, ' + what Cover lacks')}{end}"
    lost = f", {now.bust_cash} of your {run.cash} cash gone" if now.bust_cash else ""
    return f"the run is over{lost}"


def _price(card: StingCard, cash: int, more: str) -> str:
    paid = f"{cash} cash, " if cash else ""
    return f"{paid}Heat +{card.penalty}{more}"
