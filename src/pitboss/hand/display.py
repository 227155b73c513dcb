"""A hand of poker as one place sees it, as data: cards, chips, pots and moves.

Everything is made from `Hand.view`, which has no hidden information.
"""

from collections.abc import Iterator, Sequence

import msgspec

from pitboss.betting.events import (
    Bet,
    BroughtIn,
    Called,
    Checked,
    Folded,
    Posted,
    Raise,
    Raised,
    Refunded,
)
from pitboss.cards import Card, is_known
from pitboss.game import (
    PlayersTurn,
    SeatStatus,
    TableFact,
    TableMove,
    TablePot,
    TableSeat,
    TableView,
    TableZone,
    ZoneCard,
)
from pitboss.hand.events import (
    Action,
    BoardDealt,
    ChooseRuns,
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
    write_action,
)
from pitboss.hand.hand import Hand
from pitboss.hand.rulebook import count
from pitboss.hand.showdown import rank_name, strengths
from pitboss.hand.state import State, boards
from pitboss.hand.text import allowed, brings_in, completes, name, stakes_in_words
from pitboss.ranks.orders import ORDERS
from pitboss.table_words import table_text


def table_view(hand: Hand, viewer: int | None) -> TableView:
    """Return what a player, or a spectator if it is None, sees of the hand."""
    seen = hand.view(viewer)
    turn = seen.turn.place if isinstance(seen.turn, PlayersTurn) else None
    acts = turn is not None and turn == viewer
    return TableView(
        game=seen.structure.key,
        title=seen.structure.name[:1].upper() + seen.structure.name[1:],
        turn=turn,
        seats=tuple([_seat(seen, place) for place in range(seen.round.n)]),
        zones=tuple(_zones(seen)),
        pots=tuple([TablePot(pot.amount, pot.places) for pot in seen.pots]),
        facts=tuple(_facts(seen)),
        prompt=f"{allowed(seen).capitalize()}." if acts else None,
        moves=tuple(_moves(seen)) if acts else None,
    )


def _seat(hand: State, place: int) -> TableSeat:
    status: SeatStatus = "folded" if hand.round.folded[place] else "in"
    if status == "in" and not hand.stacks[place] and not hand.over:
        status = "all_in"
    return TableSeat(
        seat=place,
        role="dealer" if place == hand.round.n - 1 else None,
        status=status,
        stack=hand.stacks[place],
        bet=hand.round.bets[place],
        score=None,
        facts=("shown",) if place in hand.shown else (),
    )


def _zones(hand: State) -> Iterator[TableZone]:
    for place, hole in enumerate(hand.holes):
        folded = hand.round.folded[place] and not any(map(is_known, hole))
        cards = () if folded else _faces(hole)
        yield TableZone(name="hand", title="Hand", seat=place, layout="fan", cards=cards, count=len(cards))
    if hand.structure.board_by_street[-1] or hand.board:
        dealt = boards(hand)
        for number, board in enumerate(dealt, 1):
            heading = "Board" if len(dealt) == 1 else f"Board {number}"
            yield TableZone(name="board", title=heading, seat=None, layout="row", cards=_faces(board), count=len(board))


def _faces(cards: tuple[Card, ...]) -> tuple[str | ZoneCard | None, ...]:
    return tuple([card if is_known(card) else None for card in cards])


def _facts(hand: State) -> Iterator[TableFact]:
    yield TableFact("Stakes", ", ".join(stakes_in_words(hand)))
    yield TableFact("Street", hand.street_name.replace("_", " ").capitalize())


def _moves(hand: State) -> Iterator[TableMove]:
    """Yield the legal moves. A bet or raise between two sizes is one move."""
    actions, exact = hand.legal(), hand.round.rules.exact
    for index, action in enumerate(actions):
        least = most = None
        if isinstance(action, Bet | Raise) and not exact:
            sizes = [other.to or 0 for other in actions if isinstance(other, Bet | Raise)]
            if action.to != sizes[0]:
                continue
            least, most = sizes[0], sizes[-1]
        yield TableMove(
            index=index,
            text=_text(hand, action, most),
            cards=_cards(action),
            zone="hand" if _cards(action) else None,
            move=msgspec.json.decode(write_action(action)),
            least=least,
            most=most,
        )


def _text(hand: State, action: Action, most: int | None) -> str:
    match action:
        case Bet(to) | Raise(to):
            verb = "bet" if isinstance(action, Bet) else "complete to" if completes(hand) else "raise to"
            return f"{verb} {to}" if most in (None, to) else f"{verb} {to}–{most}"
        case Discard(cards):
            return f"discard {' '.join(cards)}" if cards else "stand pat"
        case ChooseRuns(runs):
            return "run it once" if runs == 1 else f"run it {runs} times"
        case Show():
            return "show"
        case Muck():
            return "muck"
    kind = type(action).__name__.lower()
    if kind == "call":
        return f"{'bring in' if brings_in(hand) else 'call'} {hand.offer.call}"
    return kind


def _cards(action: Action) -> tuple[Card, ...]:
    return action.cards if isinstance(action, Discard) else ()


# --- in words


def describe(hand: Hand, viewer: int | None, names: Sequence[str] = ()) -> str:
    """Return in words what a player, or a spectator if it is None, sees, with the player's made hand and draws."""
    seen = hand.view(viewer)
    worth = "" if viewer is None or seen.round.folded[viewer] else made_hand(seen, viewer)
    places = names or [name(place) for place in range(seen.round.n)]
    return table_text(table_view(hand, viewer), viewer, places, worth)


def made_hand(hand: State, place: int) -> str:
    """Return what a player holds now, such as `Your hand: pair. 9 cards make a flush.`; empty if it is too early.

    With several boards, it is the hand on the first one. It is empty too with more cards than a hand can have, which
    are still to be discarded.
    """
    own, structure = hand.holes[place], hand.structure
    first = structure.showdown[0]
    early = len(own) + len(hand.board) < ORDERS[first.order].fewest or (first.from_two and len(hand.board) < 3)
    known_now, most = len(own) + len(hand.board), ORDERS[first.order].most
    if early or known_now > most or not all(map(is_known, own)):
        return ""
    now = rank_name(structure, strengths(structure, own, hand.board))
    board = " on the first board" if hand.more_boards else ""
    text = f"Your hand{board}: {now.replace('_', ' ')}." if now else ""
    if len(hand.board) < structure.board_by_street[-1] and first.order in ("high", "short") and known_now < most:
        known = {*own, *hand.board}
        better = [
            rank_name(structure, strengths(structure, own, (*hand.board, card)))
            for card in structure.deck
            if card not in known
        ]
        for kind in ("straight", "flush"):
            if (outs := better.count(kind)) and kind != now:
                text += f" {count(outs, 'card')} {'makes' if outs == 1 else 'make'} a {kind}."
    return text


class PokerNarrator:
    """Tells a hand to one player, or to spectators."""

    def __init__(self, viewer: int | None, names: Sequence[str]) -> None:
        self._viewer, self._names = viewer, names

    def tell(self, happened: Sequence[Event]) -> list[tuple[int, str]]:
        """Return sentences about new events, each with the index of its event."""
        return [(at, self._sentence(event)) for at, event in enumerate(happened)]

    def _sentence(self, event: Event) -> str:
        match event:
            case Posted(place=place, amount=amount):
                return f"{self._did(place, 'post')} {amount}."
            case Folded(place=place):
                return f"{self._did(place, 'fold')}."
            case Checked(place=place):
                return f"{self._did(place, 'check')}."
            case Called(place=place, amount=amount):
                return f"{self._did(place, 'call')} {amount}."
            case BroughtIn(place=place, amount=amount):
                return f"{self._did(place, 'bring')} in for {amount}."
            case Raised(place=place, to=to, opening=opening):
                return f"{self._did(place, 'bet')} {to}." if opening else f"{self._did(place, 'raise')} to {to}."
            case Refunded(place=place, amount=amount):
                return f"{self._did(place, 'get')} {amount} back, which was not called."
            case HoleDealt(place, cards) | UpDealt(place, cards):
                return f"{self._did(place, 'get')} {_spelled(cards)}."
            case Discarded(place, cards):
                thrown = f"{self._did(place, 'discard')} {_spelled(cards)}."
                return thrown if cards else f"{self._did(place, 'stand')} pat."
            case BoardDealt(street, cards, board):
                where = f" on board {board}" if board > 1 else ""
                return f"{street.replace('_', ' ').capitalize()}{where}: {' '.join(cards)}."
            case RunsChosen(place, runs):
                return f"{self._did(place, 'choose')} {runs} run{'s' if runs > 1 else ''}."
            case RunBegun(number):
                return f"Board {number} follows."
            case Shown(place, cards, rank):
                named = ": " + rank.replace("_", " ") if rank else ""
                return f"{self._did(place, 'show')} {' '.join(cards)}{named}."
            case Mucked(place):
                return f"{self._did(place, 'muck')}."
            case Raked(amount):
                return f"The house takes {amount}."
            case Won(place, amount):
                return f"{self._did(place, 'win')} {amount}."

    def _did(self, place: int, verb: str) -> str:
        if place == self._viewer:
            return f"You {verb}"
        who = self._names[place] if self._names else name(place)
        return f"{who[:1].upper()}{who[1:]} {verb}s"


def _spelled(cards: tuple[Card, ...]) -> str:
    return " ".join(cards) if all(map(is_known, cards)) else count(len(cards), "card")
