"""Who shows, who has a choice and how the cards are described at the end of a hand."""

from collections.abc import Sequence

from pitboss.betting.events import AllIn, Bet, Call, Check
from pitboss.cards import read_cards
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, DealBoard, DealHole, Event, Muck, Mucked, Show, Shown, Won
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds

CALL, CHECK = Call(), Check()
IN_FOR_20 = (CALL, CALL, CHECK)


def played(stacks: tuple[int, ...], actions: Sequence[Action]) -> tuple[Hand, tuple[Event, ...]]:
    """A hand of three in which one may muck, after these actions, with what the last of them led to."""
    stakes = Stakes(min_bet=20, posts=blinds(len(stacks), 10, 20), may_muck=True)
    deck = Chance(1).shuffled(NO_LIMIT_HOLDEM.deck)
    hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=stacks, stakes=stakes, deck=deck)
    for action in actions:
        hand, events = hand.act(action)
    return hand, events


def shown_or_mucked(events: Sequence[Event]) -> list[tuple[type, int]]:
    return [(type(event), event.place) for event in events if isinstance(event, Shown | Mucked)]


def test_all_in_player_shows_and_others_choose_in_turn() -> None:
    hand, events = played((500, 100, 500), [*IN_FOR_20, *[CHECK] * 6, CHECK, AllIn(), CALL, CALL])
    assert shown_or_mucked(events) == [(Shown, 1)], "the bettor is all-in and shows by himself"
    assert hand.turn == PlayersTurn(2)
    hand, events = hand.act(Muck())
    assert shown_or_mucked(events) == [(Mucked, 2)]
    assert hand.turn == PlayersTurn(0), "who has chips is asked though he alone is left with any"
    hand, events = hand.act(Muck())
    assert shown_or_mucked(events) == [(Mucked, 0)]
    assert [event.place for event in events if isinstance(event, Won)] == [1]


def test_bettor_mucks_and_all_in_player_shows_and_the_next_chooses() -> None:
    flop = (CHECK, AllIn(), CALL, CALL)
    hand, _ = played((500, 60, 500), [*IN_FOR_20, *flop, CHECK, CHECK, CHECK, Bet(20), CALL])
    assert hand.turn == PlayersTurn(2)
    hand, events = hand.act(Muck())
    assert (shown_or_mucked(events), hand.turn) == ([(Mucked, 2)], PlayersTurn(0))
    hand, events = hand.act(Show())
    assert shown_or_mucked(events) == [(Shown, 0), (Shown, 1)]
    assert hand.over


def test_the_last_one_left_wins_without_showing_all_in_or_not() -> None:
    flop = (CHECK, AllIn(), CALL, CALL)
    hand, _ = played((500, 60, 500), [*IN_FOR_20, *flop, CHECK, CHECK, CHECK, Bet(20), CALL, Muck()])
    hand, events = hand.act(Muck())
    assert shown_or_mucked(events) == [(Mucked, 0)]
    assert [event.place for event in events if isinstance(event, Won)] == [1]


def test_where_betting_ended_early_all_show() -> None:
    hand, events = played((500, 100, 500), [*IN_FOR_20, AllIn(), AllIn(), CALL])
    assert (shown_or_mucked(events), hand.over) == ([(Shown, 0), (Shown, 1), (Shown, 2)], True)
    hand, events = played((500, 100), [AllIn(), CALL])
    assert (shown_or_mucked(events), hand.over) == ([(Shown, 0), (Shown, 1)], True)


def test_the_rank_is_that_of_the_first_run_with_and_without_a_deck() -> None:
    stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2), runs=2)
    deck = read_cards("AsKdAdKc 2h7c9d 3s 4d KsTc3h 5s 6d")
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(100, 100), stakes=stakes, deck=deck)
    hand, _ = hand.act(AllIn())
    hand, events = hand.act(CALL)
    dealt = [event for event in events if isinstance(event, Shown)]
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(100, 100), stakes=stakes)
    runs = [DealBoard(read_cards(cards)) for cards in ("2h7c9d", "3s", "4d", "KsTc3h", "5s", "6d")]
    holes = (DealHole(0, ("As", "Ad")), DealHole(1, ("Kd", "Kc")))
    actions: list[Action] = [*holes, AllIn(), CALL, *runs, Show(), Show()]
    said: list[Event] = []
    for action in actions:
        hand, events = hand.act(action)
        said += [event for event in events if isinstance(event, Shown)]
    assert said == dealt
    assert [event.rank for event in dealt] == ["pair", "pair"], "on the second board kings are three of a kind"
