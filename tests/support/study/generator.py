"""PokerStars text by the thousand: hands of six between players of no skill, in dollars, with rake.

`python -m tests.support.study.generator 100000 > hands.txt` writes some.
"""

import sys
from collections.abc import Iterator
from decimal import Decimal

from msgspec.structs import replace

from pitboss import NO_LIMIT_HOLDEM, Chance, Hand, Rake, Record, Stakes, blinds
from pitboss.betting.events import Bet, Call, Check, Fold, Raise
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.hand.events import Action
from pitboss.records.record import record_hand

SEATS, PLAYERS = 6, 40
SMALL, BIG, STACK = 5, 10, 1000  # in cents
DAY = {"year": 2024, "month": 3}


def write_hands(hands: int, seed: int = 1, first: int = 1) -> Iterator[str]:
    """Yield some hands as text, each with the blank lines after it."""
    for number in range(first, first + hands):
        yield write_pokerstars(in_dollars(play_hand(Chance(seed * 1_000_003 + number), number))) + "\n\n\n"


def play_hand(chance: Chance, number: int) -> Record:
    """Return one hand between six of the players; chance determines the deck and the actions."""
    stacks = tuple([STACK // 5 + chance.below(2 * STACK) for _ in range(SEATS)])
    stakes = Stakes(min_bet=BIG, posts=blinds(SEATS, SMALL, BIG), rake=Rake(thousandths=50, cap=50))
    hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=stacks, stakes=stakes, deck=chance.shuffled(NO_LIMIT_HOLDEM.deck))
    while not hand.over:
        hand, happened = hand.act(choose(hand, chance))
        events += happened
    first = chance.below(PLAYERS)
    names = tuple([f"Player {(first + 7 * place) % PLAYERS}" for place in range(SEATS)])
    house = {"_rake": hand.house}
    record = record_hand(
        stacks,
        hand,
        events,
        players=names,
        seats=tuple(range(1, SEATS + 1)),
        seat_count=SEATS,
        table="Generated",
        day=1 + number % 28,
        currency="USD",
        currency_symbol="$",
        user=house,
        **DAY,
    )
    return replace(record, hand=number, user=house)


def choose(hand: Hand, chance: Chance) -> Action:
    """A random choice: mostly fold or check, sometimes a bet, rarely everything."""
    offer, whim = hand.offer, chance.below(100)
    bounds = offer.bet or offer.raise_
    if bounds is not None and whim < 14:
        kind = Bet if offer.bet else Raise
        return kind(bounds.max_to if whim == 0 else min(bounds.max_to, bounds.min_to + chance.below(3) * BIG))
    if offer.check:
        return Check()
    return Call() if whim < 38 and offer.call is not None else Fold()


def in_dollars(record: Record) -> Record:
    """A record in cents as one in dollars."""
    return replace(
        record,
        antes=_dollars(record.antes),
        blinds_or_straddles=_dollars(record.blinds_or_straddles or ()),
        min_bet=_dollar(record.min_bet or 0),
        starting_stacks=_dollars(record.starting_stacks),
        finishing_stacks=_dollars(record.finishing_stacks or ()),
        actions=tuple([_dollar_move(move) for move in record.actions]),
        user={"_rake": _dollar(record.user["_rake"])},
    )


def _dollar(cents: object) -> Decimal:
    assert isinstance(cents, int)
    return Decimal(cents) / 100


def _dollars(cents: tuple[object, ...]) -> tuple[Decimal, ...]:
    return tuple(map(_dollar, cents))


def _dollar_move(move: str) -> str:
    player, verb, *rest = move.split()
    return f"{player} cbr {_dollar(int(rest[0]))}" if verb == "cbr" else move


if __name__ == "__main__":
    for text in write_hands(int(sys.argv[1])):
        sys.stdout.write(text)
