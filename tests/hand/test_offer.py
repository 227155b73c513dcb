"""Offers are complete: in every player's turn, the offer and the list of legal actions agree with what is accepted."""

import pytest

from pitboss.betting.events import AllIn, Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.betting.refusals import Refused
from pitboss.betting.round import NO_OFFER, Offer, Post, Round
from pitboss.betting.rules import fixed_limit, fixed_step, initiative, no_limit, pot_limit
from pitboss.game import ChancesTurn, PlayersTurn
from pitboss.hand.events import Action, DealBoard, DealHole, Muck, Show
from pitboss.hand.games import LIMIT_HOLDEM, NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, blinds
from tests.support.for_each import for_each

STAKES = Stakes(min_bet=20, posts=blinds(2, 10, 20))
KNOWN = (("As", "Ad"), ("Ks", "Kd"), ("Qs", "Qd"))
BOARD = ("2c", "3c", "4d", "9h", "Th")
UNKNOWN = ("??",) * 5


def at_showdown(holes: tuple[tuple[str, ...], ...] = KNOWN, board: tuple[str, ...] = BOARD) -> Hand:
    """Three players, all-in from the start, whose cards are dealt by actions."""
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(20, 20, 20), stakes=Stakes(min_bet=20, posts=blinds(3, 10, 20)))
    actions: list[Action] = [DealHole(place, cards) for place, cards in enumerate(holes)]
    actions += [Call(), Call(), DealBoard(board[:3]), DealBoard(board[3:4]), DealBoard(board[4:])]
    for action in actions:
        hand, _ = hand.act(action)
    return hand


def check_listed(hand: Hand) -> None:
    """What is listed is accepted; showing and mucking are on offer exactly when they are accepted."""
    for action in hand.legal():
        hand.act(action)
    for action, offered in ((Show(), hand.offer.show), (Muck(), hand.offer.muck)):
        try:
            hand.act(action)
        except Refused:
            assert action not in hand.legal()
            assert not offered or "??" in hand.holes[0]
        else:
            assert offered
            assert action in hand.legal()


def test_at_showdown_showing_and_mucking_are_on_offer_until_the_pot_is_paid() -> None:
    hand = at_showdown()
    for place in range(3):
        assert hand.turn == PlayersTurn(place)
        assert hand.offer == Offer(show=True, muck=True)
        assert hand.legal() == (Show(), Muck())
        check_listed(hand)
        hand, _ = hand.act(Show())
    assert hand.over
    assert (hand.offer, hand.legal()) == (NO_OFFER, ())


def test_player_who_mucks_leaves_the_pot_to_the_others() -> None:
    hand, _ = at_showdown().act(Muck())
    assert hand.turn == PlayersTurn(1)
    check_listed(hand)
    hand, _ = hand.act(Muck())
    assert hand.over


def test_unknown_cards_may_be_shown_by_naming_them() -> None:
    hand = at_showdown(holes=(("??", "??"), *KNOWN[1:]))
    assert hand.offer == Offer(show=True, muck=True)
    assert hand.legal() == (Muck(),)
    check_listed(hand)
    hand.act(Show(("7s", "7d")))


def test_offer_is_empty_if_an_unknown_board_decides() -> None:
    hand = at_showdown(board=UNKNOWN)
    check_listed(hand)
    hand, _ = hand.act(Show())
    for _ in range(2):
        assert hand.offer == Offer(muck=True)
        assert hand.legal() == (Muck(),)
        check_listed(hand)
        with pytest.raises(Refused, match="two hands are shown and the board is not known"):
            hand.act(Show())
        hand, _ = hand.act(Muck())
    assert hand.over


def test_cards_shown_early_keep_the_board_from_being_unknown() -> None:
    """Else the last to show could neither show nor muck."""
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(20, 20, 20), stakes=Stakes(min_bet=20, posts=blinds(3, 10, 20)))
    actions: list[Action] = [DealHole(place, cards) for place, cards in enumerate(KNOWN)]
    for action in (*actions, Call(), Call(), Show(), Show()):
        hand, _ = hand.act(action)
    assert hand.turn == ChancesTurn()
    with pytest.raises(Refused, match="two hands are shown and the board is not known"):
        hand.act(DealBoard(UNKNOWN[:3]))
    hand, _ = hand.act(DealBoard(BOARD[:3]))


def test_in_every_players_turn_something_is_legal_whatever_is_known() -> None:
    """Every way to show early, deal known or unknown boards, show and muck ends the hand or leaves a choice."""
    start, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(20, 20, 20), stakes=Stakes(min_bet=20, posts=blinds(3, 10, 20)))
    actions: list[Action] = [DealHole(place, cards) for place, cards in enumerate(KNOWN)]
    for action in (*actions, Call(), Call()):
        start, _ = start.act(action)
    waiting, seen, ended = [start], set(), 0
    while waiting:
        hand = waiting.pop()
        key = (hand.board, hand.shown, hand.round.folded)
        if hand.over or key in seen:
            ended += hand.over
            continue
        seen.add(key)
        if isinstance(hand.turn, PlayersTurn):
            assert hand.legal()
            check_listed(hand)
        cards = len(hand.board)
        size = 3 if cards == 0 else 1
        tried: tuple[Action, ...] = (Show(), Muck(), DealBoard(BOARD[cards : cards + size]), DealBoard(UNKNOWN[:size]))
        for wish in tried:
            try:
                waiting.append(hand.act(wish)[0])
            except Refused:
                continue
    assert ended


def test_offer_is_empty_while_cards_are_dealt() -> None:
    hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(100, 100), stakes=STAKES)
    assert hand.turn == ChancesTurn()
    assert (hand.offer, hand.legal()) == (NO_OFFER, ())


def test_where_sizes_are_few_all_are_listed() -> None:
    stakes = Stakes(min_bet=20, big_bet=40, posts=blinds(2, 10, 20))
    hand, _ = Hand.start(LIMIT_HOLDEM, stacks=(500, 500), stakes=stakes, deck=LIMIT_HOLDEM.deck)
    assert hand.legal() == (Fold(), Call(), Raise(to=40))
    hand, _ = hand.act(Call())
    assert hand.legal() == (Fold(), Check(), Raise(to=40))


@for_each(
    "round, listed",
    [
        (Round.start(no_limit(), stacks=(90, 90), step=20), (Fold(), Check(), Bet(to=20), Bet(to=90))),
        (Round.start(no_limit(), stacks=(15, 90), step=20), (Fold(), Check(), Bet(to=15))),
        (Round.start(pot_limit(), stacks=(90, 90), step=20, dead=50), (Fold(), Check(), Bet(to=20), Bet(to=50))),
        (Round.start(fixed_limit(), stacks=(90, 90), step=20), (Fold(), Check(), Bet(to=20))),
        (Round.start(no_limit(free_fold=False), stacks=(90, 90), step=20), (Check(), Bet(to=20), Bet(to=90))),
        (Round.start(no_limit(), stacks=(15, 90), step=20, posts=(Post(1, 20, option=True),)), (Fold(), Call())),
        (Round.start(fixed_step(), stacks=(15, 90), step=20, opener=0), (Check(), AllIn())),
        (Round.start(fixed_step(), stacks=(15, 90), step=20, posts=(Post(1, 20, option=True),)), (Fold(), AllIn())),
        (Round.start(initiative(), stacks=(3, 3), step=1, opener=0), (Fold(), Check(), Raise(to=1))),
        (Round.start(no_limit(), stacks=(0, 0), step=20), ()),
    ],
    ids=lambda value: "" if isinstance(value, tuple) and value and isinstance(value[0], Round) else str(value),
)
def test_every_effect_is_listed_once(
    round: tuple[Round, tuple[object, ...]], listed: tuple[BettingAction, ...]
) -> None:
    assert round[0].legal() == listed
    after = [round[0].act(action)[0] for action in listed]
    assert all(after.count(one) == 1 for one in after)
