"""Matches of random players, as spectators are sent them and as the engine knows them."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pitboss.arena.hosts.series import Series
from pitboss.arena.journal.records import Settings
from pitboss.arena.v1.events import Teller
from pitboss.arena.v1.host import config
from pitboss.arena.v1.messages import Lobby, LobbyPlayer, ServerMessage, Table, Turn
from pitboss.betting.actions import AllIn, Bet, BettingAction, Call, Check, Fold, Raise
from pitboss.betting.pots import Pot
from pitboss.betting.round import Offer
from pitboss.chance import Chance
from pitboss.hand.events import Won

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


class Moment(Struct, frozen=True, kw_only=True):
    """Messages, and what must be shown after them; None where the engine keeps no state of it."""

    messages: list[ServerMessage]
    facts: Facts | None
    stacks: dict[int, int]  #: everybody's chips behind, also once the hand is over
    paid: dict[int, int] | None = None  #: once it is over, what each pot paid


def play(chance: Chance, settings: Settings, teams: Sequence[str], hands: int) -> Iterator[Moment]:
    """Play until the match is decided, or this many hands."""
    series, teller = Series("T-1"), Teller(settings)
    series.make_table("test", settings)
    for team in teams:
        series.make_seated(team, None)
    yield Moment(
        messages=[Table(table_id="T-1", config=config(settings)), lobby(series)], facts=None, stacks=stacks(series)
    )
    while series.can_start and series.hands < hands:
        yield from play_hand(chance, series, teller)
    if series.decided:
        messages = teller.end_match(series.make_end(), series)
        yield Moment(messages=messages, facts=None, stacks=stacks(series))


def play_hand(chance: Chance, series: Series, teller: Teller, *, wild: bool = True) -> Iterator[Moment]:
    """Play one hand to its end; where not `wild` everybody checks or calls, so that nobody is out."""
    secret = b"".join(chance.bits().to_bytes(8) for _ in range(4))
    started = series.make_hand(secret, "2025-10-17", teller.seq + 1)
    yield _moment(series, teller, teller.start(started), [event for event in started.events if isinstance(event, Won)])
    while series.open is not None:
        seat, offer = series.to_act, series.open.given.hand.offer
        assert seat is not None
        late = wild and chance.below(20) == 0
        action = choose(chance, offer) if wild and not late else stay(offer)
        acted = series.make_act(seat, action, "timeout" if late else "client")
        yield _moment(series, teller, teller.act(acted), [event for event in acted.events if isinstance(event, Won)])


def choose(chance: Chance, offer: Offer) -> BettingAction:
    """Something on offer: mostly small, sometimes everything, so that there are side pots and long matches."""
    mood = chance.below(20)
    bounds = offer.bet or offer.raise_
    if mood == 0 and offer.all_in is not None:
        return AllIn()
    if mood < 5 and bounds is not None:
        to = bounds.min_to + chance.below(max(1, min(bounds.max_to - bounds.min_to, bounds.min_to)))
        return Bet(to) if offer.bet else Raise(to)
    return Fold() if mood < 12 and offer.call is not None else stay(offer)


def stay(offer: Offer) -> BettingAction:
    """Check or call."""
    return Check() if offer.check else Call()


def stacks(series: Series) -> dict[int, int]:
    """Everybody's chips behind."""
    return {seat: series.stack(seat) for seat in sorted(series.chairs)}


def lobby(series: Series) -> Lobby:
    """Who is at the table; everybody is connected."""
    return Lobby(
        players=tuple(
            LobbyPlayer(seat=seat, team=chair.team, connected=True, stack=series.stack(seat))
            for seat, chair in sorted(series.chairs.items())
        )
    )


def _moment(series: Series, teller: Teller, messages: list[ServerMessage], won: list[Won]) -> Moment:
    if series.open is None:
        paid: dict[int, int] = {}
        for event in won:
            paid[event.pot] = paid.get(event.pot, 0) + event.amount
        return Moment(messages=[*messages, *teller.end_hand(CHAIN)], facts=None, stacks=stacks(series), paid=paid)
    facts = _facts(series)
    if facts.turn is not None:
        messages = [*messages, Turn(hand_id=teller.hand_id, seat=facts.turn, time_ms=series.settings.move_time_ms)]
    return Moment(messages=messages, facts=facts, stacks=stacks(series))


def _facts(series: Series) -> Facts:
    assert series.open is not None
    hand, order = series.open.given.hand, series.open.order
    round = hand.round
    return Facts(
        stacks=dict(zip(order, round.stacks, strict=True)),
        bets=dict(zip(order, round.bets, strict=True)),
        folded=sorted(seat for seat, folded in zip(order, round.folded, strict=True) if folded),
        board=list(hand.board),
        button=order[-1],
        turn=series.to_act,
        middle=round.chips_in_middle,
        pots=[_claimed(pot, order) for pot in hand.pots],
    )


def _claimed(pot: Pot, order: Sequence[int]) -> tuple[int, list[int]]:
    return pot.amount, sorted(order[place] for place in pot.places)
