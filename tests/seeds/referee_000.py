"""Plays random hands of no-limit hold'em and compares every event with the model that was written from 000.

`python -m tests.seeds.referee_000 --hands 50000 --seed 1` plays many and writes its row of docs/promises.md; a hand is
named by seed and number.
"""

import sys
from collections import Counter

from pitboss.betting.events import (
    AllIn,
    Bet,
    Call,
    Called,
    Check,
    Checked,
    Fold,
    Folded,
    Posted,
    Raise,
    RaiseBy,
    Raised,
    Refunded,
)
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Post
from pitboss.cards import DECK
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, BoardDealt, Event, HoleDealt, Shown, Won
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes
from tests.support.figures import write_row
from tests.support.laws.laws import holds
from tests.support.laws.many import run, table
from tests.support.seeds import nolimit_model as model

MOST_PLAYERS = 10
BLINDS = ((1, 2), (5, 10), (10, 20), (1, 1), (1, 3), (3, 7), (19, 20), (0, 20))
TEMPERS = ((1, 8, 4, 0), (1, 6, 6, 1), (4, 6, 2, 0), (1, 4, 10, 1), (2, 4, 3, 4), (0, 8, 3, 1))
"""How often a player folds, stays, names a size, puts in everything."""


def some_setting(chance: Chance) -> model.Setting:
    """Any table: odd and short stacks, antes, straddles, posts, money left over, both reopening settings."""
    n = 2 + chance.below(MOST_PLAYERS - 1)
    small, big = chance.choice(BLINDS)
    deep = big * chance.choice((2, 5, 20, 100))
    stacks = tuple([1 + chance.below(chance.choice((2 * big, deep, deep))) for _ in range(n)])
    amounts = [small, big]
    if n > 2 and chance.below(4) == 0:
        amounts += [amounts[-1] * 2 + chance.below(big) for _ in range(min(n - 2, 1 + chance.below(2)))]
    places = (1, 0) if n == 2 else range(n)  # heads-up the button, which is the last place, has the small blind
    forced = [model.Forced(place, amount, "blind") for place, amount in zip(places, amounts, strict=False) if amount]
    if n > len(amounts) and chance.below(4) == 0:
        place = len(amounts) + chance.below(n - len(amounts))
        forced += [model.Forced(place, small, "dead")] * bool(small and chance.below(2))
        forced += [model.Forced(place, big, "live")] * bool(chance.below(3))
    antes, equal = (0,) * n, True
    if chance.below(3) == 0:
        antes = (chance.choice((1, max(1, big // 5), big)),) * n
    elif chance.below(4) == 0:
        equal, payer = False, chance.below(n)
        antes = tuple([big if place == payer else 0 for place in range(n)])
    return model.Setting(
        stacks=stacks,
        big_blind=big,
        forced=tuple(forced),
        antes=antes,
        equal_antes=equal,
        dead=chance.choice((0, 0, 0, 1 + chance.below(2 * big))),
        cumulative=bool(chance.below(2)),
        deck=chance.shuffled(DECK),
    )


def start(setting: model.Setting) -> tuple[Hand, tuple[Event, ...]]:
    """Start the same hand in pitboss."""
    posts = [Post(place, amount, kind != "dead", kind == "blind") for place, amount, kind in setting.forced]
    return Hand.start(
        NO_LIMIT_HOLDEM.with_betting(reopening="cumulative" if setting.cumulative else "single"),
        stacks=setting.stacks,
        stakes=Stakes(
            min_bet=setting.big_blind,
            posts=tuple(posts),
            antes=setting.antes,
            equal_antes=setting.equal_antes,
            dead=setting.dead,
        ),
        deck=setting.deck,
    )


def as_tuple(event: Event) -> model.Event:
    """An event of pitboss as the model writes it."""
    match event:
        case Posted(place, amount, live):
            return ("posted", place, amount, live)
        case HoleDealt(place, cards):
            return ("dealt", place, cards)
        case BoardDealt(street, cards):
            return ("board", street, cards)
        case Folded(place):
            return ("folded", place)
        case Checked(place):
            return ("checked", place)
        case Called(place, amount, all_in):
            return ("called", place, amount, all_in)
        case Raised(place, amount, to, opening, all_in):
            return ("raised", place, amount, to, opening, all_in)
        case Refunded(place, amount):
            return ("refunded", place, amount)
        case Shown(place, cards):
            return ("shown", place, cards)
        case Won(place, amount, pot):
            return ("won", place, amount, pot)
        case _:
            return ("unexpected", event)


def play(seed: int, number: int) -> Counter[str]:
    """Play one hand of a run in pitboss and in the model, and count the events."""
    chance = Chance(seed).fork(number)
    setting = some_setting(chance)
    temper = chance.choice(TEMPERS)
    referee = model.NoLimitHand(setting)
    hand, events = start(setting)
    counts = Counter(hands=1)
    seen = 0
    while True:
        expected, seen = referee.events[seen:], len(referee.events)
        found = list(map(as_tuple, events))
        holds("the events are those of the model", found == expected, setting, expected, found)
        holds("the stacks are those of the model", list(hand.stacks) == referee.stacks, setting, referee.stacks, hand)
        holds("the hand is over when the model says so", hand.over == referee.over, setting, hand)
        if referee.over:
            break
        holds("the model's player is asked", hand.turn == PlayersTurn(referee.to_act), setting, referee.to_act, hand)
        choice = referee.choice()
        holds("the offer is the model's", offered(hand) == choice, setting, choice, hand.offer)
        if chance.below(8) == 0:
            check_refusals(hand, choice)
            counts["decisions with refusals tried"] += 1
        verb, to = some_choice(choice, referee.table_bet, chance, temper)
        action = spelt(verb, to, choice, referee, chance)
        hand, events = hand.act(action)
        referee.act(verb, to)
        counts["decisions"] += 1
    count_rare(setting, referee, counts)
    return counts


def offered(hand: Hand) -> model.Choice:
    """The offer of pitboss as a choice of the model."""
    offer = hand.offer
    holds("a fold is always on offer", offer.fold, hand)
    for bounds in (offer.bet, offer.raise_):
        if bounds is not None:
            bet = hand.round.bets[hand.round.turn]
            holds("by is to less the own bet", bounds.min_by == bounds.min_to - bet, hand)
            holds("by is to less the own bet", bounds.max_by == bounds.max_to - bet, hand)
    return model.Choice(
        check=offer.check,
        call=offer.call,
        bet=None if offer.bet is None else (offer.bet.min_to, offer.bet.max_to),
        raise_to=None if offer.raise_ is None else (offer.raise_.min_to, offer.raise_.max_to),
        all_in=offer.all_in,
    )


def some_choice(choice: model.Choice, price: int, chance: Chance, temper: tuple[int, ...]) -> tuple[str, int]:
    """What a player does."""
    sizes = choice.bet or choice.raise_to
    fold, stay, size, shove = temper
    ticket = chance.below(fold + stay + (size + shove if sizes else 0))
    if ticket < fold:
        return "fold", 0
    if ticket < fold + stay or sizes is None:
        return ("check" if choice.check else "call"), 0
    least, most = sizes
    if ticket >= fold + stay + size:
        return "raise", most
    return "raise", chance.choice((least, least, min(most, least + chance.below(least + 1)), most))


def spelt(verb: str, to: int, choice: model.Choice, referee: model.NoLimitHand, chance: Chance) -> Action:
    """An action of pitboss that means this, in one of its forms."""
    if verb in ("fold", "check"):
        return Fold() if verb == "fold" else Check()
    place = referee.to_act
    stack, bet = referee.stacks[place], referee.current_bet[place]
    chips = choice.call if verb == "call" else to - bet
    if chips == stack and chance.below(2):
        return AllIn()
    if verb == "call":
        return Call()
    if choice.bet:
        return Bet(to)
    return RaiseBy(to - bet) if chance.below(2) else Raise(to)


def check_refusals(hand: Hand, choice: model.Choice) -> None:
    """What the model does not allow is refused."""
    wrong: list[Action] = [Call() if choice.check else Check()]
    sizes = choice.bet or choice.raise_to
    least, most = sizes or (1, 1)
    wrong += [Bet(to) for to in ((least - 1, most + 1) if choice.bet else (least, most))]
    wrong += [Raise(to) for to in ((least - 1, most + 1) if choice.raise_to else (least, most))]
    if choice.all_in is None:
        wrong.append(AllIn())
    for action in wrong:
        try:
            hand.act(action)
        except Refused:
            continue
        holds("what is not allowed is refused", False, action, choice, hand)


def count_rare(setting: model.Setting, referee: model.NoLimitHand, counts: Counter[str]) -> None:
    """Count the hands that reach rare cases."""
    verbs = Counter(event[0] for event in referee.events)
    won = {event[3] for event in referee.events if event[0] == "won"}
    counts["hands with side pots"] += len(won) > 1
    counts["showdowns"] += verbs["shown"] > 1
    counts["refunds"] += verbs["refunded"]
    counts["cumulative reopening"] += setting.cumulative
    counts["heads-up"] += referee.n == 2
    counts["split pots"] += verbs["won"] > len(won)
    counts["straddles"] += sum(post.kind == "blind" for post in setting.forced) > 2
    counts["short blinds"] += any(setting.stacks[post.place] < post.amount for post in setting.forced)


def main() -> None:
    """Play hands, print the counts, and write the row of figures."""
    counts, failures, seconds = run(play, __doc__ or "")
    print("\n".join(table(counts, failures, seconds)))
    write_row(
        "referee-000",
        hands=counts["hands"],
        decisions=counts["decisions"],
        side_pots=counts["hands with side pots"],
        differences=len(failures),
        seconds=round(seconds),
    )
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
