"""Play one hand of poker, from the forced bets to the payment of the pots.

A hand is an immutable value. Each action returns a new hand. Place 0 is left of the button, and the last place has the
button. A hand with a deck deals cards and shows hands automatically. In a hand without a deck, dealing, showing and
mucking are actions, because recorded hands contain them. `python -m pitboss.hand.hand` plays an example.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from typing import Any, get_args

from msgspec.structs import replace

from pitboss.betting import core
from pitboss.betting.events import BettingAction, Raised
from pitboss.betting.pots import Pot, share
from pitboss.betting.refusals import Refused
from pitboss.cards import RANKS, SUITS, UNKNOWN, Card, check_distinct, is_known, write_cards
from pitboss.hand.events import (
    Action,
    BoardDealt,
    ChooseRuns,
    DealBoard,
    DealHole,
    Discard,
    Discarded,
    Event,
    HoleDealt,
    Muck,
    Mucked,
    Raked,
    RunBegun,
    RunsChosen,
    Show,
    Shown,
    UpDealt,
    Won,
)
from pitboss.hand.games import AnyGame, find_game
from pitboss.hand.setup import cards_to_deal, check_setup, count_stacks, first_round, settle_stakes, usual_stakes
from pitboss.hand.showdown import made_on, namer, rank_name, strengths, winnings
from pitboss.hand.state import Draw, Runs, State, all_dealt, boards, hidden, most_runs, own_due
from pitboss.hand.structure import Stakes
from pitboss.hand.view import view
from pitboss.ranks import showing_high, showing_low
from pitboss.signatures import brief

Step = tuple["Hand", tuple[Event, ...]]
_BURNS = 4
"""The maximum number of burnt cards that a record can leave out."""

_BY_RANK = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
_ACE_LOW = {card: place - 52 if card[0] == "A" else place for card, place in _BY_RANK.items()}


class Hand(State, frozen=True, gc=False, kw_only=True):
    """One hand of poker at one point in time.

    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 30), blinds=(10, 20), seed=7)
    >>> print(hand)
    no-limit hold'em, blinds 10/20, PRE_FLOP, pot 30, price 20
    board  -
          stack  bet  cards
      p1    990   10  7c 9s
      p2    980   20  2d 8d
    > p3     30       Ks 6c  button
    p3 may fold, call 20 or raise to 30
    >>> hand, events = hand.act("raise 30")
    >>> events, hand.pot
    ((Raised(place=2, amount=30, to=30, opening=False, all_in=True),), 60)
    """

    @classmethod
    @brief("cls", "game", "stacks", "blinds", "seed")
    def deal(
        cls,
        game: AnyGame,
        *,
        stacks: Sequence[int],
        blinds: Sequence[int] = (),
        ante: int = 0,
        antes: Sequence[int] = (),
        bring_in: int = 0,
        min_bet: int | None = None,
        big_bet: int | None = None,
        seed: int | None = None,
        deck: Sequence[Card] | str | None = None,
    ) -> Step:
        """Start a hand and deal its first cards.

        `game` is a game as `find_game` takes it. `blinds` has the blinds and straddles,
        beginning left of the button. With two players, it begins with the button. `min_bet` is the big blind by
        default. In limit games, `min_bet` is the small bet, and `big_bet` is twice the small bet by default. Stud games
        need a `bring_in`, a `min_bet`, and an `ante` or, by place, `antes`. Give either `seed`, which shuffles the
        deck, or `deck`, the cards in order. `start` has more options.

        >>> hand, events = Hand.deal("razz", stacks=(500, 500), ante=2, bring_in=5, min_bet=20, seed=1)
        >>> hand.legal()
        (Call(), Raise(to=20))
        """
        structure = find_game(game)
        stakes = usual_stakes(
            structure,
            count_stacks(stacks),
            blinds=blinds,
            ante=ante,
            antes=antes,
            bring_in=bring_in,
            min_bet=min_bet,
            big_bet=big_bet,
        )
        return cls.start(structure, stacks=stacks, stakes=stakes, deck=cards_to_deal(structure, seed, deck))

    @classmethod
    def start(cls, game: AnyGame, *, stacks: Sequence[int], stakes: Stakes, deck: Sequence[Card] | None = None) -> Step:
        """Post the forced bets and deal the first cards. Without a deck, cards are dealt by actions.

        >>> from pitboss import NO_LIMIT_HOLDEM
        >>> stakes = Stakes(min_bet=20, antes=(0, 20), equal_antes=False, may_muck=True)
        >>> hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(1000, 1000), stakes=stakes)
        >>> hand, events = hand.act(DealHole(0, ("As", "Kd")))
        >>> hand.turn
        ChancesTurn()
        """
        structure = find_game(game)
        check_setup(structure, stacks, stakes, deck)
        stakes = stakes.in_game(structure)
        round, posted = first_round(structure.betting, tuple(stacks), stakes, stakes.step(structure.streets[0]))
        hand = cls(
            structure=structure,
            stakes=settle_stakes(stakes, len(stacks)),
            round=round,
            street=0,
            phase="deal",
            holes=((),) * len(stacks),
            board=(),
            deck=None if deck is None else tuple(deck),
            shown=(),
            paid_pots=(),
            house=0,
            draw=start_draws(deck) if structure.draws else Draw() if structure.discards else None,
            runs=None,
            aggressor=-1,
            more_boards=((),) * (structure.boards - 1),
        )
        return _go_on(hand, posted)

    def act(self, action: Action | str, place: int | None = None) -> Step:
        """Carry out an action. Return the new hand and the events.

        `place` is the player who acts. By default it is the player to act. Raise `Refused` if the action is not
        allowed.

        The action can be text. `bet 60` and `raise 60` mean a total of 60 on this street. `raise by 40` adds 40 chips,
        including the call. Other actions are `fold`, `check`, `call`, `all in`, `pot`, `half pot`, `bring in`,
        `complete`, `discard 2c 3d`, `stand pat`, `run it twice`, `show` and `muck`. A hand without a deck also accepts
        `deal p1 As Kd` and `deal board 2h 7c 9d`.
        """
        carry_out = _ACTS.get(type(action))
        if carry_out is None:
            if isinstance(action, str):
                from pitboss.hand.text import read_spoken  # imported only when it is needed

                return self.act(read_spoken(self, action), place)
            raise Refused("unknown_action", f"expected an action of a hand, got {action!r}")
        return carry_out(self, action, place)

    def __str__(self) -> str:
        """Return the hand as a text table of cards and chips."""
        from pitboss.hand.text import format_table

        return format_table(self)

    def __repr__(self) -> str:
        from pitboss.hand.text import describe

        return f"<Hand: {describe(self)}>"

    __rich_repr__ = None  # type: ignore[assignment]  # rich would show every field, including the deck

    def _repr_svg_(self) -> str:
        """Return a picture of the hand for notebooks."""
        from pitboss.hand.text import draw_svg

        return draw_svg(self)

    def view(self, place: int | None) -> "Hand":
        """Return the hand as one player may see it, or as a spectator may see it if `place` is None."""
        return view(self, place)


# --- from one turn to the next


def _go_on(hand: Hand, events: Sequence[Event]) -> Step:
    """Carry out every step that needs no decision.

    Stop when a player must act, or when cards must be dealt by an action.
    """
    happened = list(events)
    while True:
        if hand.phase == "deal":
            if hand.deck is not None:
                hand, dealt = deal_street(hand)
                happened += dealt
            elif not all_dealt(hand):
                break
            hand, turned = _after_deal(hand)
            happened += turned
        elif hand.phase == "draw":
            if hand.draw is not None and hand.draw.waiting:
                break
            if hand.structure.streets[hand.street].discard:
                hand = _start_dealing(hand, hand.street)
                continue
            if not all_dealt(hand):
                break
            hand, turned = _after_deal(hand)
            happened += turned
        elif hand.phase == "bet" and hand.round.turn < 0:
            hand, closed = _close_street(hand)
            happened += closed
        elif hand.phase == "show" and not _has_choice_to_show(hand):
            hand, shown = _go_on_showing(hand)
            happened += shown
        else:
            break
    return hand, tuple(happened)


def _after_deal(hand: Hand) -> Step:
    """Open the betting round of this street. Skip the round if no betting is possible."""
    if hand.street > 0 and not core.contested(hand.round):
        return _next_street(hand)
    if hand.stakes.bomb and hand.street == 0:
        return _close_street(hand)
    return _open_street(hand), ()


def _open_street(hand: Hand) -> Hand:
    """Open the betting round and give the turn to the first player.

    On a first street without up-cards, the blinds have already decided who acts first.
    """
    street, round = hand.structure.streets[hand.street], hand.round
    if hand.street == 0 and street.opens == "left":
        return replace(hand, phase="bet")
    opener = find_opener(hand)
    if hand.structure.open_pair and hand.street and not street.big and hand.stakes.big_bet and shows_pair(hand):
        round = replace(round, rules=replace(round.rules, second_step=hand.stakes.big_bet))
    return replace(hand, phase="bet", round=round.open(opener), aggressor=opener if hand.stakes.may_muck else -1)


def _close_street(hand: Hand) -> Step:
    """End the betting round of this street.

    Return an uncalled bet and collect the other bets. If one player is left, pay them. Otherwise go to the next street
    or to the showdown.
    """
    last = hand.street == len(hand.structure.streets) - 1
    following = hand.structure.streets[hand.street if last else hand.street + 1]
    round, refunds = hand.round.close(step=hand.stakes.step(following))
    if round.rules is not hand.structure.betting:
        round = replace(round, rules=hand.structure.betting)
    hand = replace(hand, round=round)
    if round.folded.count(False) == 1:
        hand, events = pay_last(hand)
    elif last or not _runs_out(hand):
        hand, events = _next_street(hand)
    else:
        hand, dealt = _deal_rest(hand)
        hand, events = _to_showdown(hand)
        events = (*dealt, *events)
    return hand, (*refunds, *events)


def _runs_out(hand: Hand) -> bool:
    """Return whether the board can be completed at once.

    This is possible if no player can bet, no player needs cards, and the deck deals the board once.
    """
    game = hand.structure
    once = hand.stakes.runs == 1 == game.most_runs == game.boards
    return hand.deck is not None and once and hand.street >= game.board_alone and not core.contested(hand.round)


def _next_street(hand: Hand) -> Step:
    """Go to the next street. After the last street, go to the showdown or to the next run."""
    if hand.street == len(hand.structure.streets) - 1:
        return _run_again(hand) if hand.runs is not None else _to_showdown(hand)
    street = hand.street + 1
    here = hand.structure.streets[street]
    if (here.draw or here.discard) and hand.draw is not None:
        draw = replace(hand.draw, waiting=hand.round.live)
        return replace(hand, phase="draw", street=street, draw=draw), ()
    return _start_dealing(hand, street), ()


def _start_dealing(hand: Hand, street: int) -> Hand:
    """Begin the deal of a street.

    If only board cards are dealt from here on, the board can be run more than once, and players may choose how often.
    """
    runs, here = hand.runs, hand.structure.streets[street]
    to_players = hand.structure.board_alone
    only_board = street > to_players or (street == to_players and not here.own)
    if runs is None and only_board and not hand.round.contested:
        most = most_runs(hand)
        if hand.stakes.runs > 1:
            runs = Runs(street, len(hand.board))
        elif most > 1 and hand.structure.board_by_street[-1] > len(hand.board):
            runs = Runs(street, len(hand.board), chosen=most, waiting=hand.round.live)
            return replace(hand, phase="runs", street=street, runs=runs)
    return replace(hand, phase="deal", street=street, runs=runs)


def _run_again(hand: Hand) -> Step:
    """Deal the rest of the board again. After the last run, go to the showdown."""
    runs = hand.runs
    if runs is None or len(runs.boards) + 1 == (runs.chosen or hand.stakes.runs):
        return _to_showdown(hand)
    runs = replace(runs, boards=(*runs.boards, hand.board))
    hand = replace(hand, phase="deal", street=runs.street, board=hand.board[: runs.common], runs=runs)
    return hand, (RunBegun(len(runs.boards) + 1),)


def _to_showdown(hand: Hand) -> Step:
    """Begin the showdown.

    With a deck, all players show at once. If `may_muck` is set and the last street had betting, they choose one after
    another.
    """
    choosing = hand.deck is None or (hand.stakes.may_muck and hand.phase == "bet")
    return (replace(hand, phase="show"), ()) if choosing else _show_down(hand)


# --- dealing


def deal_street(hand: Hand) -> Step:
    """Deal the cards of one street from the deck.

    Each player receives one card at a time, beginning left of the button. Then the board is dealt. No cards are burnt.
    If the deck is too short for the last card of each player, one shared card is dealt to the board.
    """
    street, deck = hand.structure.streets[hand.street], hand.deck or ()
    own = street.hole + street.up
    if not own:
        return _deal_common(hand, street.board)
    places, held = hand.round.live, list(hand.holes)
    n = len(places)
    if own * n > len(deck):
        return _deal_common(hand, street.board + own)
    events: list[Event] = []
    at = 0
    for kind, each in ((HoleDealt, street.hole), (UpDealt, street.up)):
        if each:
            end = at + each * n
            for p in places:
                cards = deck[at:end:n]
                at += 1
                held[p] += cards
                events.append(kind(p, cards))
            at = end
    deck = deck[at:]
    hand = replace(hand, holes=tuple(held), deck=deck)
    if not street.board:
        return hand, tuple(events)
    hand, common = _deal_common(hand, street.board)
    return hand, (*events, *common)


def _deal_rest(hand: Hand) -> tuple[Hand, list[Event]]:
    """Deal the rest of the board, with one event per street."""
    deck, streets = hand.deck or (), hand.structure.streets
    events: list[Event] = []
    dealt = 0
    for street in streets[hand.street + 1 :]:
        if street.board:
            before, dealt = dealt, dealt + street.board
            events.append(BoardDealt(street.name, deck[before:dealt]))
    board = hand.board + deck[:dealt]
    return replace(hand, phase="deal", street=len(streets) - 1, board=board, deck=deck[dealt:]), events


def _deal_common(hand: Hand, count: int) -> Step:
    """Deal `count` cards from the deck to the board."""
    if not count:
        return hand, ()
    deck = hand.deck or ()
    cards = deck[:count]
    dealt = BoardDealt(hand.structure.streets[hand.street].name, cards)
    hand = replace(hand, board=hand.board + cards, deck=deck[count:])
    return _deal_more_boards(hand, dealt) if hand.more_boards else (hand, (dealt,))


def _deal_more_boards(hand: Hand, first: BoardDealt) -> Step:
    """Deal as many cards to the other boards as the first board received."""
    deck, count, events, more = hand.deck or (), len(first.cards), [first], []
    for number, board in enumerate(hand.more_boards, 2):
        more.append(board + deck[:count])
        events.append(BoardDealt(first.street, deck[:count], number))
        deck = deck[count:]
    return replace(hand, more_boards=tuple(more), deck=deck), tuple(events)


def deal_own(hand: Hand, place: int, cards: tuple[Card, ...]) -> Step:
    """Carry out a `DealHole` action.

    The street decides which cards are face up. If the player has shown their hand, all cards are face up.
    """
    _check_deal(hand, cards)
    if place not in hand.round.live:
        raise Refused("no_such_place", "{place} is not in the hand", places={"place": place})
    due = own_due(hand, place)
    if len(cards) > due:
        sentence = f"expected at most {due} cards for {{place}}, got {len(cards)}"
        raise Refused("too_many_cards", sentence, places={"place": place})
    held = hand.holes[place]
    faces = hand.structure.faces[len(held) :] or (False,) * len(cards)
    ups = [up or place in hand.shown for up in faces]
    down = tuple([card for card, up in zip(cards, ups, strict=False) if not up])
    up = tuple([card for card, up in zip(cards, ups, strict=False) if up])
    events: list[Event] = [HoleDealt(place, down)] if down else []
    if up:
        events.append(UpDealt(place, up))
    return replace(hand, holes=_with_hole(hand, place, held + cards)), tuple(events)


def deal_board(hand: Hand, cards: tuple[Card, ...]) -> Step:
    """Carry out a `DealBoard` action. In a game with several boards, the first that is not complete gets the cards."""
    _check_deal(hand, cards)
    street, full = hand.structure.streets[hand.street], hand.structure.board_by_street[hand.street]
    due = full - len(hand.board)
    if not due and hand.more_boards:
        return _deal_later_board(hand, cards, full)
    if not due and _deck_is_short(hand):
        due = street.own
    if len(cards) > due:
        raise Refused("too_many_cards", f"expected at most {due} cards for the board, got {len(cards)}")
    if len(hand.shown) > 1:
        _check_board_known(cards)
    return replace(hand, board=hand.board + cards), (BoardDealt(street.name, cards),)


def _deal_later_board(hand: Hand, cards: tuple[Card, ...], full: int) -> Step:
    """Deal cards to the first of the other boards with fewer than `full` cards."""
    at = next((at for at, board in enumerate(hand.more_boards) if len(board) < full), 0)
    board = hand.more_boards[at]
    if len(cards) > full - len(board):
        raise Refused("too_many_cards", f"expected at most {full - len(board)} cards for the board, got {len(cards)}")
    if len(hand.shown) > 1:
        _check_board_known(cards)
    more = (*hand.more_boards[:at], board + cards, *hand.more_boards[at + 1 :])
    dealt = BoardDealt(hand.structure.streets[hand.street].name, cards, at + 2)
    return replace(hand, more_boards=more), (dealt,)


def _deck_is_short(hand: Hand) -> bool:
    """Return whether one shared card can replace the last card of each player.

    This requires that no player has a last card yet, and that the deck may be too short for all players.
    """
    street = hand.structure.streets[hand.street]
    if not street.own or hand.street < len(hand.structure.streets) - 1:
        return False
    dealt = sum(map(len, hand.holes)) + len(hand.board)
    left = len(hand.structure.deck) - dealt - _BURNS
    return all(own_due(hand, p) == street.own for p in hand.round.live) and left < street.own * len(hand.round.live)


def _with_hole(hand: Hand, place: int, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    """Return the cards of all places, with new cards at one place."""
    return (*hand.holes[:place], cards, *hand.holes[place + 1 :])


def _check_deal(hand: Hand, cards: tuple[Card, ...]) -> None:
    discarding = hand.phase == "draw" and hand.structure.streets[hand.street].discard
    if hand.phase not in ("deal", "draw") or hand.deck is not None or discarding:
        raise Refused("not_dealing", "no cards can be dealt now")
    if not cards:
        raise Refused("no_cards", "expected at least one card, got none")
    _check_new_cards(hand, cards)


def _check_board_known(cards: tuple[Card, ...]) -> None:
    """Raise `Refused` if a board card is unknown."""
    if not all(map(is_known, cards)):
        raise Refused("cards_unknown", "the pot cannot be decided: two hands are shown and the board is not known")


def _check_new_cards(hand: Hand, cards: tuple[Card, ...], *, instead_of: int = -1) -> None:
    """Raise `Refused` if a card is already dealt or is not in the deck.

    In draw games, discarded cards and cards of folded players can be dealt again.
    """
    gone = hand.round.folded if hand.structure.draws else (False,) * hand.round.n
    others = [card for p, hole in enumerate(hand.holes) if p != instead_of and not gone[p] for card in hole]
    boards = [card for board in hand.more_boards for card in board]
    if hand.runs is not None:
        boards += [card for board in hand.runs.boards for card in hand.runs.own_part(board)]
    away = () if hand.draw is None or hand.structure.draws else (*hand.draw.discards, *hand.draw.open)
    try:
        check_distinct((*others, *hand.board, *boards, *away, *cards))
    except ValueError as error:
        raise Refused("card_twice", str(error)) from None
    for card in cards:
        if is_known(card) and card not in hand.structure.deck:
            raise Refused("no_such_card", f"{card} is not in the deck of {hand.structure.name}")


# --- who opens a street


def _low_card(cards: Sequence[Card]) -> int:
    return -min([_BY_RANK[card] for card in cards])


def _high_card(cards: Sequence[Card]) -> int:
    return max([_ACE_LOW[card] for card in cards])


_BEST: dict[str, Callable[[Sequence[Card]], int]] = {
    "low_card": _low_card,
    "high_card": _high_card,
    "high_hand": showing_high,
    "low_hand": showing_low,
}


def find_opener(hand: Hand) -> int:
    """Return the place that acts first on this street.

    If up-cards are equal or unknown, it is the first such place left of the button.
    """
    opens = hand.structure.streets[hand.street].opens
    if opens == "left":
        return 0
    order, best, first = _BEST[opens], None, hand.round.live[0]
    for place in hand.round.live:
        cards = [card for card in hand.up_cards(place) if is_known(card)]
        if cards and (best is None or order(cards) > best):
            best, first = order(cards), place
    return first


def shows_pair(hand: Hand) -> bool:
    """Return whether the up-cards of a player contain a pair."""
    for place in hand.round.live:
        ranks = [card[0] for card in hand.up_cards(place)]
        if len(set(ranks) - {"?"}) < len(ranks) - ranks.count("?"):
            return True
    return False


# --- betting


def _bet(hand: Hand, action: BettingAction, place: int | None) -> Step:
    if hand.phase != "bet":
        raise Refused("betting_over", f"no betting now: {_waiting_for(hand)}")
    if place is not None and place != hand.round.turn:
        raise _out_of_turn(place, hand.round.turn)
    events: tuple[Event, ...]
    round, events = hand.round.act(action)
    if hand.stakes.may_muck and isinstance(events[0], Raised):
        hand = replace(hand, round=round, aggressor=hand.round.turn)
    else:
        hand = replace(hand, round=round)
    if round.turn >= 0:
        return hand, events
    hand, closed = _close_street(hand)
    events = (*events, *closed)
    return (hand, events) if hand.phase == "over" else _go_on(hand, events)


def _out_of_turn(place: int, turn: int) -> Refused:
    return Refused("out_of_turn", "it is the turn of {turn}, not of {place}", places={"place": place, "turn": turn})


def _waiting_for(hand: Hand) -> str:
    return {
        "deal": "cards have to be dealt",
        "draw": "cards are being changed",
        "runs": "players choose how often the board is dealt",
        "show": "it is the showdown",
        "over": "the hand is over",
    }[hand.phase]


# --- changing cards


def start_draws(deck: Sequence[Card] | None) -> Draw:
    """Return the draw state of a new hand. The order of the deck decides how discards are shuffled."""
    if deck is None:
        return Draw()
    return Draw(order=_hash("".join(deck)))


def discard(hand: Hand, action: Discard, place: int | None) -> Step:
    """Discard cards. In a draw with a deck, deal the same number of new cards."""
    if hand.phase != "draw" or hand.draw is None or not hand.draw.waiting:
        raise Refused("no_draw", "no cards can be changed now")
    draw, to_act = hand.draw, hand.draw.waiting[0]
    if place is not None and place != to_act:
        raise _out_of_turn(place, to_act)
    if not isinstance(action.cards, tuple | list):
        raise Refused("not_held", f"expected a list of cards to change, got {action.cards!r:.40}")
    cards = tuple(action.cards)
    staying = _without(hand.holes[to_act], cards, to_act)
    street = hand.structure.streets[hand.street]
    if street.discard:
        return _discard_only(hand, draw, to_act, cards, staying)
    hand = replace(hand, draw=Draw(draw.waiting[1:], draw.discards + cards, draw.order))
    events: tuple[Event, ...] = (Discarded(to_act, cards),)
    if hand.deck is None or not cards:
        return replace(hand, holes=_with_hole(hand, to_act, staying)), events
    given, deck, left = replacements(hand.deck, draw, len(cards))
    return replace(
        hand,
        holes=_with_hole(hand, to_act, staying + given),
        deck=deck,
        draw=Draw(draw.waiting[1:], left.discards + cards, left.order),
    ), (*events, HoleDealt(to_act, given))


def _discard_only(hand: Hand, draw: Draw, place: int, cards: tuple[Card, ...], staying: tuple[Card, ...]) -> Step:
    """Carry out a discard without new cards. The street decides how many cards, and whether others see them."""
    street = hand.structure.streets[hand.street]
    if len(cards) != street.discard:
        sentence = f"{{place}} must discard {street.discard} of {write_cards(hand.holes[place])}, got {len(cards)}"
        raise Refused("wrong_discard", sentence, places={"place": place})
    down, up = ((), cards) if street.discard_up else (cards, ())
    draw = Draw(draw.waiting[1:], draw.discards + down, draw.order, draw.open + up)
    hand = replace(hand, holes=_with_hole(hand, place, staying), draw=draw)
    return hand, (Discarded(place, cards, street.discard_up),)


def replacements(deck: tuple[Card, ...], draw: Draw, count: int) -> tuple[tuple[Card, ...], tuple[Card, ...], Draw]:
    """Take cards from the deck. Return these cards, the rest of the deck and the new draw state.

    If the deck is too short, the shuffled discards are added to it.
    """
    if len(deck) < count:
        assert draw.order is not None, "expected a key that shuffles the discards"
        deck += _shuffled_back(draw.discards, draw.order)
        draw = Draw(draw.waiting, (), _hash("", draw.order))
    return deck[:count], deck[count:], draw


def _shuffled_back(discards: Iterable[Card], order: bytes) -> tuple[Card, ...]:
    """Return the discards, shuffled with the key `order`."""
    return tuple(sorted(discards, key=lambda card: _hash(card, order)))


def _hash(text: str, order: bytes = b"") -> bytes:
    return blake2b(text.encode(), key=order, digest_size=32).digest()


def _without(held: tuple[Card, ...], cards: tuple[Card, ...], place: int) -> tuple[Card, ...]:
    """Return the cards that a player keeps after a discard.

    If the player has unknown cards, each of them can be any discarded card.
    """
    at = {"place": place}
    if len(cards) > len(held):
        raise Refused("too_many_cards", f"{{place}} holds {len(held)} cards and cannot change {len(cards)}", places=at)
    left = list(held)
    for number, card in enumerate(cards):
        if is_known(card) and card in cards[:number]:
            raise Refused("card_twice", f"card {card} appears twice")
        if card in left:
            left.remove(card)
        elif UNKNOWN in left:
            left.remove(UNKNOWN)
        else:
            sentence = f"{{place}} holds {write_cards(held)}, not {card!s:.20}"
            raise Refused("not_held", sentence, places=at)
    return tuple(left)


# --- choosing how often the board is dealt


def _choose_runs(hand: Hand, action: ChooseRuns, place: int | None) -> Step:
    """Carry out a choice of the number of runs. After the last choice, the rest of the board is dealt."""
    runs = hand.runs
    if hand.phase != "runs" or runs is None:
        raise Refused("no_choice_of_runs", "no player chooses how often the board is dealt now")
    to_act, most = runs.waiting[0], most_runs(hand)
    if place is not None and place != to_act:
        raise _out_of_turn(place, to_act)
    if type(action.runs) is not int or not 1 <= action.runs <= most:
        raise Refused("wrong_runs", f"expected 1 to {most} runs, got {action.runs!r:.40}")
    runs = replace(runs, chosen=min(runs.chosen, action.runs), waiting=runs.waiting[1:])
    return replace(hand, phase="runs" if runs.waiting else "deal", runs=runs), (RunsChosen(to_act, action.runs),)


# --- showing and mucking


def _has_choice_to_show(hand: Hand) -> bool:
    """Return whether a player must choose to show or muck.

    With a deck, a player who is all-in shows automatically.
    """
    down = hidden(hand)
    return bool(down) and (hand.deck is None or hand.stacks[down[0]] > 0)


def _go_on_showing(hand: Hand) -> Step:
    """Show the cards of the next player who is all-in. After the last, compare hands and pay the pots."""
    down = hidden(hand)
    return _show(hand, down[0], ()) if down else _show_down(hand)


def _show_or_muck(hand: Hand, action: Show | Muck, place: int | None) -> Step:
    """Carry out a `Show` or `Muck` action."""
    too_early = hand.phase == "runs" or (hand.deck is not None and hand.phase != "show")
    if not hand.betting_is_over or hand.over or too_early:
        why = (
            "the hand is over"
            if hand.over
            else "cards are being changed"
            if hand.phase == "draw"
            else "betting goes on"
            if hand.phase == "bet"
            else _waiting_for(hand)
        )
        raise Refused("no_showdown", f"no cards can be shown now: {why}")
    down = hidden(hand)
    if place is None and down:
        place = down[0]
    if place is None:
        raise Refused("no_showdown", "all players have shown their cards already")
    if place not in down:
        raise Refused("out_of_turn", "{place} has folded, mucked or shown already", places={"place": place})
    if hand.deck is not None and place != down[0]:
        raise _out_of_turn(place, down[0])
    if isinstance(action, Show):
        return _show(hand, place, action.cards)
    hand, events = replace(hand, round=hand.round.leave(place)), (Mucked(place),)
    if len(hand.round.live) > 1:
        return hand, events
    hand, paid = pay_last(hand)
    return hand, (*events, *paid)


def _show(hand: Hand, place: int, cards: tuple[Card, ...]) -> Step:
    held = hand.holes[place]
    cards = cards or held
    if hand.shown:
        _check_board_known((*hand.board, *chain(*hand.more_boards)))
    if not all(map(is_known, cards)):
        raise Refused("cards_unknown", "{place} cannot show cards that are not known", places={"place": place})
    if len(cards) != len(held) or not _could_be(held, cards):
        sentence = f"{{place}} was dealt {write_cards(held)} and cannot show {write_cards(cards)}"
        raise Refused("other_cards", sentence, places={"place": place})
    _check_new_cards(hand, cards, instead_of=place)
    hand = replace(hand, holes=_with_hole(hand, place, cards), shown=(*hand.shown, place))
    first = boards(hand)[0]
    complete = hand.phase == "show" and all(map(is_known, first))
    rank = rank_name(hand.structure, strengths(hand.structure, cards, first)) if complete else None
    return hand, (Shown(place, cards, rank),)


def _could_be(held: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Return whether a player can hold these cards. Each known card of the player must be among them."""
    known = [card for card in held if is_known(card)]
    return all(card in cards for card in known)


# --- paying


def _show_down(hand: Hand) -> Step:
    """Show all cards that are not shown yet, and pay the pots."""
    game, holes, live = hand.structure, hand.holes, hand.round.live
    if hand.deck is None and not _all_known(hand, live):
        raise Refused("cards_unknown", "the pot cannot be decided: some cards are not known")
    made = [made_on(game, board, holes, live) for board in boards(hand)]
    first, words = made[0], namer(game)
    shown = [Shown(p, holes[p], words(first[p][0])) for p in live if p not in hand.shown]
    hand, paid = _pay(hand, live, made)
    return hand, (*shown, *paid)


def _all_known(hand: Hand, places: Sequence[int]) -> bool:
    """Return whether the board and the cards of these places are known."""
    cards = [card for p in places for card in hand.holes[p]]
    return all(map(is_known, (*hand.board, *chain(*hand.more_boards), *cards)))


def pay_last(hand: Hand) -> Step:
    """Pay all pots to the only player who is left."""
    return _pay(hand, hand.shown, [{}])


def split_pots(hand: Hand) -> Step:
    """End a hand at showdown by splitting each pot equally among its players.

    The cards are not compared.
    """
    if hand.phase != "show":
        raise Refused("no_showdown", "pots can be split at the showdown only")
    pots, raked = raked_pots(hand)
    won = [
        Won(place, amount, number)
        for number, pot in enumerate(pots)
        for place, amount in zip(pot.places, share(pot.amount, pot.places), strict=True)
    ]
    return _pay_out(hand, hand.shown, pots, raked, tuple(won))


def _pay(hand: Hand, shown: tuple[int, ...], made: Sequence[Mapping[int, Sequence[int]]]) -> Step:
    """Pay each pot to its best hands.

    If there are several boards, or the board was run more than once, each board decides an equal part of each pot.
    """
    pots, raked = raked_pots(hand)
    if len(made) == 1:
        return _pay_out(hand, shown, pots, raked, winnings(hand.structure, pots, made[0]))
    parts = [share(pot.amount, range(len(made))) for pot in pots]
    won: list[Won | RunBegun] = []
    for run, made_here in enumerate(made):
        if run:
            won.append(RunBegun(run + 1))
        here = [Pot(part[run], pot.places) for part, pot in zip(parts, pots, strict=True)]
        won += [paid for paid in winnings(hand.structure, here, made_here) if paid.amount]
    return _pay_out(hand, shown, pots, raked, tuple(won))


def raked_pots(hand: Hand) -> tuple[tuple[Pot, ...], tuple[Raked, ...]]:
    """Return the pots after the rake, and the events of the rake."""
    pots, rake = hand.round.pots, hand.stakes.rake
    if rake is None:
        return pots, ()
    taken = rake.taken(pots, first_street=hand.street == 0)
    left = tuple([Pot(pot.amount - part, pot.places) for pot, part in zip(pots, taken, strict=True)])
    return left, tuple([Raked(part, number) for number, part in enumerate(taken) if part])


def _pay_out(
    hand: Hand,
    shown: tuple[int, ...],
    pots: tuple[Pot, ...],
    raked: tuple[Raked, ...],
    won: Sequence[Won | RunBegun],
) -> Step:
    """Return the finished hand and the events of its payments."""
    house = sum([part.amount for part in raked]) if raked else 0
    round = hand.round.pay_out([(paid.place, paid.amount) for paid in won if isinstance(paid, Won)], house)
    return replace(hand, round=round, phase="over", shown=shown, paid_pots=pots, house=house), (*raked, *won)


_ACTS: dict[type, Callable[[Hand, Any, int | None], Step]] = {
    **dict.fromkeys(get_args(BettingAction), _bet),
    Discard: lambda hand, action, place: _go_on(*discard(hand, action, place)),
    ChooseRuns: lambda hand, action, place: _go_on(*_choose_runs(hand, action, place)),
    Show: lambda hand, action, place: _go_on(*_show_or_muck(hand, action, place)),
    Muck: lambda hand, action, place: _go_on(*_show_or_muck(hand, action, place)),
    DealHole: lambda hand, action, _: _go_on(*deal_own(hand, action.place, action.cards)),
    DealBoard: lambda hand, action, _: _go_on(*deal_board(hand, action.cards)),
}
"""The function that carries out each type of action."""


def _demo() -> None:
    hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 1000), blinds=(10, 20), seed=7)
    print(hand)
    while not hand.over:
        hand, happened = hand.act("check" if hand.offer.check else "call")
        events += happened
    for event in events:
        print(event)
    print(hand)


if __name__ == "__main__":
    _demo()
