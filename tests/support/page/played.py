"""Matches of random players, as spectators see them and as the engine knows them."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pitboss.arena.hosts.host import Step
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.wire.messages import Lobby, LobbyPlayer, ServerMessage
from pitboss.arena.wire.poker import PlayersAction, place_to_act
from pitboss.betting.events import AllIn, Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.betting.pots import Pot
from pitboss.betting.round import Offer
from pitboss.chance import Chance
from pitboss.hand.events import Discard, Won
from tests.support.arena.poker import act, hand_of, host_of, messages_of, open_match, stacks_of

CHAIN = bytes(32)


class Facts(Struct, frozen=True, kw_only=True):
    """What the engine knows at one moment, by seat; the pots with the seats that claim them."""

    stacks: dict[int, int]
    bets: dict[int, int]
    folded: list[int]
    board: list[str]
    button: int
    turn: int | None
    middle: int
    pots: list[tuple[int, list[int]]]
    drawing: bool  #: cards are being changed; spectators learn this when the first seat has done so


class Moment(Struct, frozen=True, kw_only=True):
    """Messages, and what must be shown after them; None if the engine keeps no state of it."""

    messages: list[ServerMessage]
    facts: Facts | None
    stacks: dict[int, int]  #: all stacks, even after the hand
    paid: dict[int, int] | None = None  #: once it is over, what each pot paid


def play(chance: Chance, settings: Settings, teams: Sequence[str], hands: int) -> Iterator[Moment]:
    """Play until the match is decided, or this many hands."""
    match = open_match(settings)
    for team in teams:
        match.sit(team, None)
    yield Moment(messages=[TableMessages(match).table(), lobby(match)], facts=None, stacks=stacks_of(match))
    while match.can_start and match.history.hands < hands:
        yield from play_hand(chance, match)
    if match.decided:
        messages = messages_of(match, match.end(), CHAIN)
        yield Moment(messages=messages, facts=None, stacks=stacks_of(match))


def play_hand(chance: Chance, match: Match, *, wild: bool = True) -> Iterator[Moment]:
    """Play one hand to its end; unless `wild`, all players check or call, so that no player is out."""
    secret = b"".join(chance.bits().to_bytes(8) for _ in range(4))
    yield _moment(match, match.start(secret, "2025-10-17"))
    while (hand := hand_of(match)) is not None:
        offer = hand.offer
        late = wild and chance.below(20) == 0
        if offer.draw is not None:
            place = place_to_act(hand)
            assert place is not None
            drawn = () if late else tuple(card for card in hand.holes[place] if chance.below(2))
            action: PlayersAction = Discard(drawn)
        else:
            action = choose(chance, offer) if wild and not late else stay(offer)
        yield _moment(match, act(match, action, "timeout" if late else "client"))


def choose(chance: Chance, offer: Offer) -> BettingAction:
    """Something on offer: mostly small, sometimes everything, so that there are side pots and long matches."""
    mood = chance.below(20)
    bounds = offer.bet or offer.raise_
    if mood == 0 and offer.all_in is not None:
        return AllIn()
    if mood < 5 and bounds is not None:
        to = bounds.min_to + chance.below(max(1, min(bounds.max_to - bounds.min_to, bounds.min_to)))
        return Bet(to) if offer.bet else Raise(to)
    return Fold() if mood < 12 and offer.call is not None and offer.fold else stay(offer)


def stay(offer: Offer) -> BettingAction:
    """Check or call."""
    return Check() if offer.check else Call()


def lobby(match: Match) -> Lobby:
    """Return the players at the table; all are connected."""
    stacks, seats = stacks_of(match), match.history.seats
    return Lobby(
        players=tuple(
            LobbyPlayer(seat=seat, team=seats[seat].team, connected=True, stack=stack) for seat, stack in stacks.items()
        )
    )


def _moment(match: Match, step: Step) -> Moment:
    messages = messages_of(match, step, CHAIN)
    if not match.underway:
        paid: dict[int, int] = {}
        for event in step.record.events:
            if isinstance(event, Won):
                paid[event.pot] = paid.get(event.pot, 0) + event.amount
        return Moment(messages=messages, facts=None, stacks=stacks_of(match), paid=paid)
    facts = _facts(match)
    if facts.turn is not None:
        messages = [*messages, TableMessages(match).turn(facts.turn, match.move_time_ms, None)]
    return Moment(messages=messages, facts=facts, stacks=stacks_of(match))


def _facts(match: Match) -> Facts:
    open = host_of(match).open
    assert open is not None
    hand, order = open.hand, open.order
    round = hand.round
    return Facts(
        stacks=dict(zip(order, round.stacks, strict=True)),
        bets=dict(zip(order, round.bets, strict=True)),
        folded=sorted(seat for seat, folded in zip(order, round.folded, strict=True) if folded),
        board=list(hand.board),
        button=order[-1],
        turn=match.to_act,
        middle=round.chips_in_middle,
        pots=[_claimed(pot, order) for pot in hand.pots],
        drawing=hand.phase == "draw",
    )


def _claimed(pot: Pot, order: Sequence[int]) -> tuple[int, list[int]]:
    return pot.amount, sorted(order[place] for place in pot.places)
