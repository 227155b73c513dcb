"""A finished hand as spectators were told it: the same messages, made again from the journal's records.

Once the match is over its hole cards come beside them. What was discarded in a draw is never told, see decision 036.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss.arena.archive.following import Occupant
from pitboss.arena.hosts.games import games_of, make_host
from pitboss.arena.hosts.stakes import frame_of, game_of
from pitboss.arena.journal.fold import HandHistory, History, TakenSeat, order_of
from pitboss.arena.journal.hands import phh_of
from pitboss.arena.journal.records import Acted, HandStarted, HandVoided, Settings, poker_events, read_record
from pitboss.arena.rooms.match import Match
from pitboss.arena.v1.messages import Lobby, LobbyPlayer, ServerMessage
from pitboss.hand.events import Discarded, HoleDealt
from pitboss.hand.view import view_event
from pitboss.notation.record import Record as PhhRecord
from pitboss.store.chain import Entry


class HandAgain(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hand to be shown again: the table before it, its messages, and by seat the cards that were dealt face down."""

    table_id: str
    number: int
    hand_id: str
    before: tuple[ServerMessage, ...]
    messages: tuple[ServerMessage, ...]
    cards: dict[int, tuple[str, ...]] | None = None  #: in a draw those of before the first one


def tell(
    table: str,
    settings: Settings,
    chairs: Mapping[int, Occupant],
    entries: Sequence[Entry],
    *,
    cards: bool,
    after: int = 0,
) -> HandAgain:
    """Tell a hand again by its entries; `cards` says whether everybody's may be seen.

    The hand before it was over with entry `after`.
    """
    chairs = {seat: chair for seat, chair in chairs.items() if chair.since < entries[0].seq}
    seats = {seat: TakenSeat(chair.team, chair.stack, None) for seat, chair in sorted(chairs.items())}
    history = History(table, settings=settings, seats=seats)
    match = Match(history, make_host(settings))
    messages: list[ServerMessage] = []
    started: HandStarted | None = None
    dealt: list[Any] = []
    for entry in entries:
        record = read_record(entry.body)
        if isinstance(record, HandStarted):
            started = record
            dealt += record.events
            _give_stacks(seats, chairs, record, after)
            before = (match.table_message(), _lobby(seats))
        elif isinstance(record, Acted):
            dealt += record.events
        elif not isinstance(record, HandVoided):
            continue
        history.take(record, over=entry.seals, chain=entry.hash)
        messages += match.messages(record, entry.hash, over=entry.seals)
    assert started is not None, "a hand begins with its start"
    down = _hole_cards(settings, started, dealt) if cards else None
    return HandAgain(
        table_id=table,
        number=started.number,
        hand_id=started.hand_id,
        before=before,
        messages=tuple(messages),
        cards=down,
    )


def record_of(hand: HandHistory, table: str, *, cards: bool) -> PhhRecord | None:
    """A hand as PHH, as spectators may see it; None where it has no such form or was voided.

    Where everybody's cards may be seen they are in it, but not in a game in which cards are changed.
    """
    games = games_of(hand.settings)
    if games is None or hand.void:
        return None
    structure = game_of(games, hand.started.variant).structure
    frame = frame_of(games, hand.settings, hand.started.variant)
    draws = any(isinstance(event, Discarded) for event in poker_events(hand.events))
    return phh_of(hand if cards and not draws else _as_seen(hand), table, structure, frame)


def _as_seen(hand: HandHistory) -> HandHistory:
    """The hand with nothing in it that spectators were not told."""
    started = replace(hand.started, events=_viewed(hand.started.events))
    acts = [replace(act, events=_viewed(act.events)) for act in hand.acts]
    return HandHistory(
        started=started, settings=hand.settings, teams=hand.teams, acts=acts, stacks=hand.stacks, chain=hand.chain
    )


def _viewed(events: Sequence[Any]) -> tuple[Any, ...]:
    return tuple([view_event(event, None) for event in poker_events(events)])


def _give_stacks(
    seats: Mapping[int, TakenSeat], chairs: Mapping[int, Occupant], started: HandStarted, after: int
) -> None:
    """Give everybody the chips that the hand began with; who was not dealt in has none left, unless he just came."""
    for seat, taken in seats.items():
        came = chairs[seat].since > after  # while the numbers of this hand were mixed
        taken.stack = started.stacks.get(seat, chairs[seat].stack if came else 0)


def _lobby(seats: Mapping[int, TakenSeat]) -> Lobby:
    players = [
        LobbyPlayer(seat=seat, team=taken.team, connected=True, stack=taken.stack) for seat, taken in seats.items()
    ]
    return Lobby(players=tuple(players))


def _hole_cards(settings: Settings, started: HandStarted, events: Sequence[Any]) -> dict[int, tuple[str, ...]] | None:
    """By seat the cards that were dealt face down, up to the first draw; None where it is no poker."""
    if games_of(settings) is None:
        return None
    down: dict[int, tuple[str, ...]] = {}
    order = order_of(started)
    for event in poker_events(events):
        if isinstance(event, Discarded):
            break
        if isinstance(event, HoleDealt):
            seat = order[event.place]
            down[seat] = down.get(seat, ()) + event.cards
    return down
