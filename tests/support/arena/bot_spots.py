"""Spots to put a bot into: hands with given cards after given actions, or random ones at any table."""

from collections.abc import Iterator, Sequence

from pitboss.arena.bots import HOUSE
from pitboss.arena.wire import poker
from pitboss.arena.wire.answers import Answer, read_answer
from pitboss.arena.wire.messages import Act
from pitboss.cards import read_cards
from pitboss.chance import Chance
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds
from tests.support.laws.tables import TEMPERS, some_action, some_table


def ask(hand: Hand, order: Sequence[int], hand_id: str = "H-1", turn: int = 1) -> Act:
    """The question to the seat to act; `order` is the seat of each place."""
    step = hand.stakes.min_bet
    return poker.question(
        hand, order, hand_id=hand_id, turn=turn, time_ms=1000, frame=poker.TableFrame(step // 2, step)
    )


def deal(*holes: str, board: str = "", stacks: Sequence[int] | int = 10_000) -> Hand:
    """A hand with blinds of 50 and 100 in which the places, from the button's left, hold these cards."""
    cards, common = [read_cards(hole) for hole in holes], read_cards(board)
    known = {*common, *(card for hole in cards for card in hole)}
    rest = [card for card in NO_LIMIT_HOLDEM.deck if card not in known]
    n = len(holes)
    hand, _ = Hand.start(
        NO_LIMIT_HOLDEM,
        stacks=[stacks] * n if isinstance(stacks, int) else stacks,
        stakes=Stakes(min_bet=100, posts=blinds(n, 50, 100)),
        deck=[*(hole[0] for hole in cards), *(hole[1] for hole in cards), *common, *rest],
    )
    return hand


def played(hand: Hand, *words: str) -> Hand:
    """The hand after these actions; a number is a raise to it."""
    for word in words:
        act = ask(hand, range(hand.round.n))
        said: object = ("RAISE_TO", int(word)) if word.isdigit() else word
        hand, _ = hand.act(poker.requested_action(read_answer(said, act), hand))
    return hand


def answer(name: str, hand: Hand, *, seed: int = 1) -> Answer:
    """The answer of a new house bot in this spot."""
    return HOUSE[name](Chance(seed))(ask(hand, range(hand.round.n)))


def spots(seed: int) -> Iterator[tuple[Hand, Act]]:
    """Every decision of a random hand at any table of no-limit hold'em, however odd, in random seats."""
    chance = Chance(seed)
    table = some_table(chance, NO_LIMIT_HOLDEM)
    n = len(table.stacks)
    around, button = sorted(chance.shuffled(range(10), n)), chance.below(n)
    seats = around[button:] + around[:button]
    hand, _ = table.deal()
    temper, turn = chance.choice(TEMPERS), 0
    while not hand.over:
        turn += 1
        yield hand, ask(hand, seats, f"H-{seed}", turn)
        hand, _ = hand.act(some_action(hand.offer, chance, temper, exact=hand.round.rules.second_step > 0))
