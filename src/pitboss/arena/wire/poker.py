"""A hand of poker in protocol v1: a client's answer as an action, and the hand as one seat sees it."""

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from pitboss.arena.wire import fields
from pitboss.arena.wire import messages as wire
from pitboss.betting import core
from pitboss.betting.events import Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.betting.round import Offer
from pitboss.game import PlayersTurn
from pitboss.hand.events import ChooseRuns, Discard
from pitboss.hand.game_file import OWN_CODE, GameFileError, own_game
from pitboss.hand.games import NO_LIMIT_HOLDEM, STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.state import idle_choice
from pitboss.hand.structure import Structure
from pitboss.records.moves import Move
from pitboss.table.mixed import MIXED
from pitboss.table.stakes import TableStakes

HUNL = "HUNL"
"""The protocol's name for no-limit hold'em; other games have their PHH code."""

_PHASES: dict[str, wire.Phase] = {phase: phase for phase in get_args(wire.Phase)}


def variant_of(structure: Structure) -> str:
    """Return the name of a game in `config.variant`.

    >>> variant_of(NO_LIMIT_HOLDEM)
    'HUNL'
    """
    return HUNL if structure.code == NO_LIMIT_HOLDEM.code else structure.code


def find_variant(variant: str) -> tuple[Structure, ...]:
    """Return the structures that `config.variant` names, usually one; empty if the game is not poker.

    >>> [structure.key for structure in find_variant("PO")], len(find_variant("horse")), find_variant("leduc")
    (['omaha'], 5, ())
    """
    if variant in MIXED:
        return tuple([game.structure for game in MIXED[variant].games])
    found = NO_LIMIT_HOLDEM if variant == HUNL else STRUCTURES.get(variant)
    return () if found is None else (found,)


def find_games(variant: str, game: object) -> tuple[Structure, ...]:
    """Return the structures of `config.variant`.

    With the variant `X` this is the game in `config.game`, or nothing if that game cannot be played.
    With other variants, a game in `config.game` is a game of the lab.
    """
    if variant != OWN_CODE:
        return find_variant(variant) if game is None else ()
    try:
        return (own_game(game),)
    except GameFileError:
        return ()


def unsent(structure: Structure) -> str | None:
    """Return why the messages of the protocol cannot describe a game; None if they can.

    A message can only have a known street, one up-card and, except on the flop, one board card.

    >>> unsent(NO_LIMIT_HOLDEM)
    """
    for street in structure.streets:
        if street.name not in _PHASES:
            return f"the protocol has no street called {street.name}; expected one of {', '.join(_PHASES)}"
        if street.up > 1:
            return f"{street.name} deals {street.up} up-cards; expected at most one per street"
        if street.board > (3 if street.name == "FLOP" else 1):
            return f"{street.name} deals {street.board} board cards; expected one, or up to three on the FLOP"
        if street.hole and street is not structure.streets[0] and not structure.faces:
            return f"{street.name} deals cards face down, which the protocol only has in stud games"
    return None


def layout_of(structure: Structure) -> fields.GameLayout:
    """Return a game as clients draw it.

    >>> layout_of(NO_LIMIT_HOLDEM).title, layout_of(NO_LIMIT_HOLDEM).streets[1]
    ("No-limit hold'em", StreetLayout(name='FLOP', hole=0, up=0, board=3, draw=False, discard=0))
    """
    streets = tuple(
        fields.StreetLayout(
            name=each.name, hole=each.hole, up=each.up, board=each.board, draw=each.draw, discard=each.discard
        )
        for each in structure.streets
    )
    title = structure.name[:1].upper() + structure.name[1:]
    return fields.GameLayout(variant=variant_of(structure), title=title, streets=streets, boards=structure.boards)


PlayersAction: TypeAlias = BettingAction | Discard | ChooseRuns
"""The part of a hand's offer that is a question to a seat. Dealing and the showdown are automatic."""


class TableFrame(Struct, frozen=True):
    """The stakes of a table in the form of an `act`."""

    small_blind: int
    big_blind: int  #: in limit games the small bet
    ante: int = 0
    bring_in: int = 0
    variant: str | None = None  #: in mixed games, the hand's game

    @classmethod
    def of(cls, structure: Structure, stakes: TableStakes, variant: str | None = None) -> "TableFrame":
        """Return the frame of a game with its own stakes; a game with a bring-in has no blinds."""
        if structure.betting.bring_in:
            return cls(0, stakes.least, stakes.ante or 0, stakes.bring_in or 0, variant)
        return cls(stakes.small_blind, stakes.big_blind, stakes.ante or 0, 0, variant)

    def facts(self, order: Sequence[int]) -> wire.TableFacts:
        """Return the hand's stakes and button; `order[place]` is the seat at that place."""
        return wire.TableFacts(
            sb=self.small_blind,
            bb=self.big_blind,
            seats=len(order),
            button=order[-1],
            ante=self.ante,
            bring_in=self.bring_in,
            variant=self.variant,
        )


def requested_action(action: wire.Action, hand: Hand) -> PlayersAction:
    """Return the action of a client's message."""
    match action.action:
        case "FOLD":
            return Fold()
        case "CHECK":
            return Check()
        case "CALL":
            return Call()
        case "RAISE_TO":
            return raised_to(action.amount, hand)
        case "DRAW":
            return Discard(action.discard or ())
        case "RUNS":
            return ChooseRuns(action.amount or 0)
        case None:
            raise wire.Rejected("INVALID_ACTION", "expected a single action, got a strategy")


def action_message(move: Move, hand: Hand, hand_id: str) -> wire.Action:
    """Return a recorded move as a client's message; raise `Rejected` for a move that is never asked for."""
    match move.verb:
        case "f":
            return wire.Action(v=1, hand_id=hand_id, action="FOLD")
        case "cc" | "pb":
            return wire.Action(v=1, hand_id=hand_id, action="CHECK" if hand.offer.check else "CALL")
        case "cbr":
            amount = move.amount or 0
            if amount != int(amount):
                raise wire.Rejected("INVALID_ACTION", f"cbr: expected whole chips, got {amount}")
            return wire.Action(v=1, hand_id=hand_id, action="RAISE_TO", amount=int(amount))
        case "sd":
            return wire.Action(v=1, hand_id=hand_id, action="DRAW", discard=move.cards)
        case "runs":
            return wire.Action(v=1, hand_id=hand_id, action="RUNS", amount=move.runs)
        case _:
            raise wire.Rejected("INVALID_ACTION", f"{move.verb}: expected f, cc, cbr, pb, sd or runs")


def raised_to(amount: int | None, hand: Hand) -> BettingAction:
    """Return a RAISE_TO as a raise or, before the first bet, as a bet."""
    return Raise(amount) if hand.round.price else Bet(amount)


def default_action(hand: Hand, policy: Literal["check_call", "check_fold", "fold"]) -> PlayersAction:
    """Return the default action: CHECK if legal, otherwise CALL unless the policy is `check_fold`, otherwise FOLD.

    A seat that has sat out or left folds. With every policy, a seat stands pat in a draw, discards the cards that were
    dealt last in a discard, runs the board once, and posts a bring-in.
    """
    if (choice := idle_choice(hand)) is not None:
        return choice
    offer = hand.offer
    if policy == "fold" and offer.fold:
        return Fold()
    if offer.check:
        return Check()
    return Call() if offer.call is not None and (policy == "check_call" or not offer.fold) else Fold()


def place_to_act(hand: Hand) -> int | None:
    """The place that acts next."""
    turn = hand.turn
    return turn.place if isinstance(turn, PlayersTurn) else None


# --- to one seat


def legal_words(offer: Offer) -> tuple[wire.Word, ...]:
    """Return the legal words. FOLD is first if chips are owed, and last if checking is free. A bring-in has no FOLD.

    >>> legal_words(Offer(fold=True, check=True)), legal_words(Offer(call=50)), legal_words(Offer(draw=5))
    (('CHECK', 'FOLD'), ('CALL',), ('DRAW',))
    """
    if offer.draw is not None or offer.discard is not None:
        return ("DRAW",)
    if offer.runs is not None:
        return ("RUNS",)
    raising: tuple[wire.Word, ...] = ("RAISE_TO",) if offer.bet or offer.raise_ else ()
    if offer.check:
        return ("CHECK", *raising, "FOLD")
    return ("FOLD", "CALL", *raising) if offer.fold else ("CALL", *raising)


def question(
    hand: Hand,
    order: Sequence[int],
    *,
    hand_id: str,
    turn: int,
    time_ms: int,
    frame: TableFrame,
    bank_ms: int | None = None,
) -> wire.Act:
    """Return the `act` for the seat whose turn it is; `order[place]` is the seat at that place."""
    place = place_to_act(hand)
    assert place is not None, "a player has to act"
    seen = hand.view(place)
    offer = seen.offer
    bounds = offer.bet or offer.raise_
    own = seen.holes[place], seen.round.stacks[place]
    return wire.Act(
        hand_id=hand_id,
        seat=order[place],
        phase=phase_of(seen),
        you=wire.You(hole=own[0], stack=own[1], to_call=offer.call or 0, time_ms=time_ms, bank_ms=bank_ms),
        table=frame.facts(order),
        players=_players(seen, order),
        community=seen.board,
        legal=legal_words(offer),
        call_amount=offer.call,
        min_raise_to=bounds.min_to if bounds else None,
        max_raise_to=bounds.max_to if bounds else None,
        must_discard=offer.discard,
        most_runs=offer.runs,
        boards=_several(seen),
        pot=seen.round.chips_in_middle,
        turn=turn,
    )


def snapshot(
    hand: Hand,
    order: Sequence[int],
    *,
    seat: int,
    stack: int,
    hand_id: str,
    turn: int,
    time_ms: int | None,
    seq: int,
    frame: TableFrame,
    bank_ms: int | None = None,
) -> wire.Snapshot:
    """Return the table as one seat with `stack` chips may see it. The seat need not be in the hand."""
    place = order.index(seat) if seat in order else None
    seen = hand.view(place)
    to_act = place_to_act(hand)
    next_actor = order[to_act] if to_act is not None else None
    offer = seen.offer if next_actor == seat else Offer()
    bounds = offer.bet or offer.raise_
    return wire.Snapshot(
        at_hand_id=hand_id,
        phase=phase_of(seen),
        you=wire.SnapshotYou(
            seat=seat,
            hole=() if place is None else seen.holes[place],
            stack=stack,
            to_call=_to_call(seen, place),
            bank_ms=bank_ms,
        ),
        table=frame.facts(order),
        players=_players(seen, order),
        community=seen.board,
        next_actor=next_actor,
        time_ms_remaining=time_ms,
        legal=legal_words(offer) if next_actor == seat else None,
        call_amount=offer.call,
        min_raise_to=bounds.min_to if bounds else None,
        max_raise_to=bounds.max_to if bounds else None,
        must_discard=offer.discard,
        most_runs=offer.runs,
        boards=_several(seen),
        pot=seen.round.chips_in_middle,
        turn=turn if next_actor == seat else None,
        seq=seq,
    )


def snapshot_between(seat: int, stacks: dict[int, int], seq: int, bank_ms: int | None = None) -> wire.Snapshot:
    """Return the table between hands, with the stacks by seat."""
    return wire.Snapshot(
        at_hand_id=None,
        phase="WAITING",
        you=wire.SnapshotYou(seat=seat, hole=(), stack=stacks[seat], to_call=0, bank_ms=bank_ms),
        players=tuple(
            wire.PlayerFacts(seat=at, stack=stack, has_folded=False, committed=0) for at, stack in stacks.items()
        ),
        community=(),
        next_actor=None,
        time_ms_remaining=None,
        pot=0,
        seq=seq,
    )


def phase_of(hand: Hand) -> wire.Phase:
    """Return the name of the street in the protocol."""
    return _PHASES[hand.street_name]


def _several(hand: Hand) -> tuple[tuple[str, ...], ...]:
    """Return all boards if there are several."""
    return (hand.board, *hand.more_boards) if hand.more_boards else ()


def _to_call(hand: Hand, place: int | None) -> int:
    if place is None or hand.round.folded[place]:
        return 0
    return min(core.owed(hand.round, place), hand.round.stacks[place])


def _players(hand: Hand, order: Sequence[int]) -> tuple[wire.PlayerFacts, ...]:
    round, faces = hand.round, hand.structure.faces
    return tuple(
        [
            wire.PlayerFacts(
                seat=order[place],
                stack=round.stacks[place],
                has_folded=round.folded[place],
                committed=round.bets[place],
                up=hand.up_cards(place) if faces else (),
            )
            for place in sorted(range(round.n), key=order.__getitem__)
        ]
    )
