"""Tables to test the clauses with: hands and rounds from a few numbers, played with words such as "raise_to 60".

Places count from the button's left: with three or more, 0 posts the small blind, 1 the big blind, the last has the
button; heads-up, 1 has the button and the small blind.
"""

from collections.abc import Sequence
from typing import TypeVar

import pytest

from pitboss.betting.events import AllIn, Bet, BettingAction, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Offer, Post, Round
from pitboss.betting.rules import Reopening, fixed_step, initiative
from pitboss.cards import DECK, Card, read_cards
from pitboss.hand.events import Event, Won
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds
from pitboss.table.rotation import order_of_play

State = TypeVar("State", Hand, Round)

ACES_KINGS_QUEENS = ("AsAd", "KsKd", "QsQd")
DRY_BOARD = "2c7d9hJs3c"  # improves no pair above
ROYAL_BOARD = "AhKhQhJhTh"  # all players play the board


# --- building


def deck(*holes: str, board: str = DRY_BOARD) -> tuple[Card, ...]:
    """Put cards in dealing order so that place p gets `holes[p]`: one card each, then the second, then the board."""
    hands = [read_cards(hole) for hole in holes]
    return (*(hand[k] for k in range(2) for hand in hands), *read_cards(board))


def start(
    *stacks: int,
    small: int = 10,
    big: int = 20,
    straddles: Sequence[int] = (),
    posts: Sequence[Post] = (),
    antes: Sequence[int] = (),
    equal_antes: bool = True,
    cards: Sequence[Card] = DECK,
    reopening: Reopening = Reopening.SINGLE,
) -> tuple[Hand, tuple[Event, ...]]:
    """Start a hand of no-limit hold'em and return it with its events."""
    stakes = Stakes(
        min_bet=big,
        posts=(*blinds(len(stacks), small, big, *straddles), *posts),
        antes=tuple(antes),
        equal_antes=equal_antes,
    )
    structure = NO_LIMIT_HOLDEM.with_betting(reopening=reopening)
    return Hand.start(structure, stacks=stacks, stakes=stakes, deck=cards)


def hold_em(
    *stacks: int,
    small: int = 10,
    big: int = 20,
    straddles: Sequence[int] = (),
    posts: Sequence[Post] = (),
    antes: Sequence[int] = (),
    equal_antes: bool = True,
    cards: Sequence[Card] = DECK,
    reopening: Reopening = Reopening.SINGLE,
) -> Hand:
    """Start a hand of no-limit hold'em, blinds posted and cards dealt."""
    hand, _ = start(
        *stacks,
        small=small,
        big=big,
        straddles=straddles,
        posts=posts,
        antes=antes,
        equal_antes=equal_antes,
        cards=cards,
        reopening=reopening,
    )
    return hand


def at_seats(stacks: Sequence[int], button: int) -> tuple[Hand, tuple[int, ...]]:
    """Start a hand at a table of seats, where 0 chips mean an empty seat, and return the seat of each place."""
    seats = order_of_play([stack > 0 for stack in stacks], button)
    return hold_em(*(stacks[seat] for seat in seats)), seats


def stepped(*stacks: int, min_bet: int = 10, max_raises: int = 3, opener: int = 0, ante: int = 0) -> Round:
    """Start a betting phase of an evolved game."""
    antes = (ante,) * len(stacks) if ante else ()
    return Round.start(fixed_step(cap=max_raises), stacks=stacks, step=min_bet, opener=opener, antes=antes)[0]


def cards_round(*hands: int, **settings: object) -> Round:
    """Start a round of initiative betting; the stacks are numbers of cards in hand."""
    return Round.start(initiative(**settings), stacks=hands, step=1, opener=0)[0]


# --- playing

_PLAIN: dict[str, BettingAction] = {"fold": Fold(), "check": Check(), "call": Call(), "all_in": AllIn()}


def read_word(text: str) -> BettingAction:
    """Read "fold", "check", "call", "all_in", "bet [N]", "raise", "raise_to N" or "raise_by N"."""
    word, _, number = text.partition(" ")
    amount = int(number) if number else None
    match word, amount:
        case "bet", _:
            return Bet(amount)
        case (("raise" | "raise_to"), _):
            return Raise(amount)
        case "raise_by", int(by):
            return RaiseBy(by)
    return _PLAIN[text]


def follow(state: State, *words: str) -> tuple[State, tuple[Event, ...]]:
    """Play the words one after the other; return the state after them and all events."""
    events: tuple[Event, ...] = ()
    for word in words:
        state, happened = state.act(read_word(word))
        events += happened
    return state, events


def play(state: State, *words: str) -> State:
    """Play the words one after the other; return the state after them."""
    return follow(state, *words)[0]


def places_to_act(state: Round | Hand, *words: str) -> list[int]:
    """Return the place to act at the start and after each word, -1 for none."""
    places = [turn(state)]
    for word in words:
        state = state.act(read_word(word))[0]
        places.append(turn(state))
    return places


def turn(state: Round | Hand) -> int:
    """Return the place to act, -1 for none."""
    return state.round.turn if isinstance(state, Hand) else state.turn


def refusal(state: Round | Hand, word: str) -> str:
    """Return the name of the rule that refuses a word."""
    with pytest.raises(Refused) as caught:
        state.act(read_word(word))
    return caught.value.rule


def words_on_offer(offer: Offer) -> list[str]:
    """List what is legal, in the order of seed 001's table."""
    return [
        word
        for word, there in (
            ("check", offer.check),
            ("bet", offer.bet is not None),
            ("call", offer.call is not None),
            ("raise", offer.raise_ is not None),
            ("all_in", offer.all_in is not None),
            ("fold", offer.fold),
        )
        if there
    ]


def won(events: Sequence[Event]) -> list[tuple[int, int, int]]:
    """List place, pot and amount of everything won."""
    return [(event.place, event.amount, event.pot) for event in events if isinstance(event, Won)]
