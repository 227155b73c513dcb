"""Makes the messages of a table to its players and spectators.

Its game makes the questions and snapshots. Messages are made from the steps and records of a match, so that after a
restart the same messages can be made again from the journal.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, assert_never

from msgspec.structs import replace

from pitboss.arena.hosts.host import ALL_EVENTS, AskParts, Step, seat_stacks
from pitboss.arena.journal.commitment import bind_number
from pitboss.arena.journal.history import History
from pitboss.arena.journal.records import (
    AWAY_PACE_MS,
    Acted,
    DecksRevealed,
    HandStarted,
    HandVoided,
    MatchEnded,
    NumbersBound,
    Seated,
    TableOpened,
    TeamLeft,
    ToppedUp,
    TopUpAsked,
    Wished,
)
from pitboss.arena.rooms.match import Change, Match
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.summaries import Summary

REVEALS_AT_ONCE = 30
"""The number of hands in one `reveal`, whose frame then has about 8 KiB."""


def summarise(
    history: History,
    config: wire.Config,
    players: Sequence[wire.LobbyPlayer],
    *,
    over: bool,
    closed: bool,
    hand_id: str | None = None,
    phase: wire.Phase | None = None,
) -> Summary:
    """Return the summary of a table.

    A closed table has no free seats. Players without chips are last, in the order of their places.
    """
    teams, places = history.teams, history.places()
    here = {player.team for player in players}
    missing = () if closed else tuple([team for team in teams or () if team not in here])
    empty = 0 if closed else history.settings.seats - len(players)
    return Summary(
        table_id=history.table_id,
        config=config,
        players=tuple(sorted(players, key=lambda player: places[player.seat] if player.stack <= 0 else 0)),
        hand_id=hand_id,
        phase=phase,
        over=over,
        open=empty > 0 and teams is None,
        free=empty if teams is None else min(empty, len(missing)),
        missing=missing,
    )


class Reveals:
    """The frames that reveal all decks of a match. Each frame is made once and shared by all its readers."""

    def __init__(self, secrets: Sequence[tuple[str, bytes]], reveal: Callable[[str, bytes], wire.RevealedHand]) -> None:
        self._secrets = secrets
        self._reveal = reveal
        self._frames: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for number, first in enumerate(range(0, len(self._secrets), REVEALS_AT_ONCE)):
            if number == len(self._frames):
                hands = [self._reveal(*secret) for secret in self._secrets[first : first + REVEALS_AT_ONCE]]
                self._frames.append(wire.write(wire.Reveal(hands=tuple(hands))))
            yield self._frames[number]


class TableMessages:
    """The messages of one match. Public messages are numbered with the match's `seq`."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._end: wire.MatchEnd | None = None
        self._reveals: Iterable[str] = ()

    # --- public

    def of(self, change: Change, chain: bytes, *, over: bool = False) -> list[wire.PublicMessage]:
        """Return the messages about a change.

        `chain` is the head of the journal after the change. `over` says whether a replayed record ends its hand; a step
        contains this itself.
        """
        match change:
            case Step(messages=messages, result=result):
                return messages if result is None else [*messages, *self.end_of_hand(chain)]
            case HandStarted() | Acted():
                messages = self._played_before(change)
                return [*messages, *self.end_of_hand(chain)] if over else messages
            case Wished(seat=seat, state="waits" | "pauses" as state):
                until: Literal["big_blind"] | None = "big_blind" if state == "waits" else None
                return [wire.SatOutMessage(hand_id=self.match.hand_id, seq=self._number(), seat=seat, until=until)]
            case ToppedUp(seat=seat, amount=amount) if amount:
                at = self.match.hand_id
                return [wire.ToppedUpMessage(hand_id=at, seq=self._number(), seat=seat, amount=amount)]
            case TeamLeft(seat=seat, stack=stack):
                return [wire.LeftMessage(hand_id=self.match.hand_id, seq=self._number(), seat=seat, stack=stack)]
            case TableOpened() | Seated() | Wished() | TopUpAsked() | ToppedUp() | DecksRevealed():
                return []
            case NumbersBound():
                self.match.seq = change.seq - 1
                return [self.mix(change, self._number())]
            case HandVoided():
                self.match.hand_id, self.match.seq = change.hand_id, change.seq - 1
                voided = wire.VoidMessage(hand_id=change.hand_id, seq=self._number(), reason=change.reason)
                return [voided, self._end_hand(chain)]
            case MatchEnded():
                self._end = self._match_end(change)
                history = self.match.history
                self._reveals = Reveals(history.secrets, partial(self._reveal, history.server_numbers))
                return [self._end]
            case _:
                assert_never(change)

    def end_of_hand(self, chain: bytes) -> list[wire.PublicMessage]:
        """Return the messages about the seats that are eliminated, and about the end of the hand."""
        hand = self.match.history.last
        assert hand is not None
        goes = not self.match.settings.cash  # at a cash table a seat without chips leaves or adds chips
        out = sorted([seat for seat, stack in hand.stacks.items() if goes and stack <= 0])
        eliminated = [wire.Eliminated(hand_id=self.match.hand_id, seq=self._number(), seat=seat) for seat in out]
        return [*eliminated, self._end_hand(chain)]

    def farewell(self) -> Iterator[str]:
        """Yield the last frames of a match that is over: all decks, then the result."""
        if self._end is not None:
            yield from self._reveals
            yield wire.write(self._end)

    def reveal(self, number: int) -> Reveals:
        """Return the frames that reveal the decks of the hands up to this one that are still secret."""
        history = self.match.history
        secrets = history.secrets[: history.hidden_from(number)]
        return Reveals(secrets, partial(self._reveal, dict(history.server_numbers)))

    def _number(self) -> int:
        self.match.seq += 1
        return self.match.seq

    def _played_before(self, record: HandStarted | Acted) -> list[wire.PublicMessage]:
        match = self.match
        if isinstance(record, HandStarted):
            match.hand_id, match.seq = record.hand_id, record.seq - 1
        messages = match.host.messages(record, match.seq + 1)
        match.seq += len(messages)
        return messages

    def _end_hand(self, chain: bytes) -> wire.EndHand:
        last = self.match.history.last
        stacks = seat_stacks(last.stacks if last is not None else {})
        return wire.EndHand(hand_id=self.match.hand_id, stacks=stacks, chain=chain.hex(), seq=self._number())

    def mix(self, bound: NumbersBound, seq: int) -> wire.Mix:
        """Return the message that asks seats to open their committed numbers."""
        return wire.Mix(
            hand_id=bound.hand_id,
            attempt=bound.attempt,
            seats=bound.seats,
            commit=bind_number(bytes.fromhex(bound.server_number)),
            numbers=tuple(wire.BoundNumber(seat=seat, commit=commit) for seat, commit in bound.commits.items()),
            withheld=bound.withheld,
            seq=seq,
        )

    def _match_end(self, ended: MatchEnded) -> wire.MatchEnd:
        history = self.match.history
        seats, places = history.seats, history.places()
        final = tuple(
            wire.FinalStack(seat=seat, team=seats[seat].team, stack=stack, place=places[seat])
            for seat, stack in ended.stacks.items()
        )
        winners = tuple([wire.Winner(seat=seat, team=seats[seat].team) for seat in history.winners()])
        alone = len(winners) == 1
        return wire.MatchEnd(
            winner=winners[0] if alone else None,
            winners=None if alone else winners,
            final_stacks=final,
            reason=ended.reason,
            seq=self._number(),
        )

    def _reveal(self, numbers: Mapping[str, str | None], hand_id: str, secret: bytes) -> wire.RevealedHand:
        return wire.RevealedHand(
            hand_id=hand_id,
            secret=secret.hex(),
            deck=self.match.host.revealed(secret),
            server_number=numbers.get(hand_id),
        )

    # --- to one client or all spectators

    @property
    def config(self) -> wire.Config:
        """The table's settings, as clients see them."""
        match = self.match
        settings, (small, big) = match.settings, match.host.blinds
        return wire.Config(
            variant=match.host.variant,
            seats=settings.seats,
            starting_stack=settings.stack,
            sb=small,
            bb=big,
            move_time_ms=settings.move_time_ms,
            timeout_policy=settings.timeout_policy,
            max_hands=settings.max_hands,
            reopening=None if settings.reopening == "single" else settings.reopening,
            ante=match.host.antes[0],
            bring_in=match.host.antes[1],
            time_bank_ms=settings.time_bank_ms,
            button=None if settings.button == "moving" else settings.button,
            freeze_out=settings.freeze_out,
            away_pace_ms=None if settings.away_pace_ms == AWAY_PACE_MS else settings.away_pace_ms,
            cash=settings.cash,
            min_buy_in=settings.min_buy_in,
            rake=settings.rake,
            rake_cap=settings.rake_cap,
            straddle=settings.straddle,
            game=match.host.own_game,
        )

    @property
    def _full_config(self) -> wire.Config:
        """The table's settings, with the layouts of its games."""
        return replace(self.config, games=self.match.host.layouts)

    def welcome(self, seat: int) -> wire.Welcome:
        """Return the message to a client that has got a seat."""
        return wire.Welcome(table_id=self.match.table_id, seat=seat, config=self._full_config)

    def lobby(self, connected: Iterable[int], away: Collection[int] = ()) -> wire.Lobby:
        """Return the lobby; chips are those before the current hand, because a lobby must not reveal that hand."""
        here, players = set(connected), []
        for seat, taken in sorted(self.match.history.seats.items()):
            intent, owes = self.match.standing(seat)
            players.append(
                wire.LobbyPlayer(
                    seat=seat,
                    team=taken.team,
                    connected=seat in here,
                    stack=taken.stack,
                    away=seat in away,
                    intent=intent,
                    owes=owes,
                    brought=None if intent is None else taken.brought,
                )
            )
        return wire.Lobby(players=tuple(players))

    def question(
        self, turn: int, time_ms: int, bank_ms: int | None = None, parts: AskParts = ALL_EVENTS
    ) -> wire.ServerMessage:
        """Return the open question. Without `bank_ms` it shows the seat's whole time bank."""
        bank_ms = self.match.bank_ms(self.match.to_act) if bank_ms is None else bank_ms
        return self.match.host.question(self.match.hand_id, turn, time_ms, bank_ms, parts)

    def snapshot(
        self, seat: int, turn: int, time_ms: int | None, bank_ms: int | None = None, *, table: bool = False
    ) -> wire.ServerMessage:
        """Return the snapshot for one seat; `bank_ms` is the time bank of the seat to act."""
        stacks = {at: taken.stack for at, taken in sorted(self.match.history.seats.items())}
        seq = self.match.seq - self.match.over  # the end of the match is sent after the snapshot
        bank_ms = self.match.bank_ms(seat) if bank_ms is None or seat != self.match.to_act else bank_ms
        return self.match.host.snapshot(
            seat, stacks, hand_id=self.match.hand_id, turn=turn, time_ms=time_ms, seq=seq, bank_ms=bank_ms, table=table
        )

    def table_view(self, seat: int | None) -> wire.TableViewMessage | None:
        """Return the table as a seat, or a spectator, sees it; None before the first hand."""
        look = self.match.host.sight()
        if look is None:
            return None
        return wire.TableViewMessage(hand_id=self.match.hand_id, table=look(seat), seq=self.match.seq)

    def late_table(self) -> Callable[[], str] | None:
        """Return what writes the table as spectators see it now, however late it is called."""
        look, hand_id, seq = self.match.host.sight(), self.match.hand_id, self.match.seq
        if look is None:
            return None
        return lambda: wire.write(wire.TableViewMessage(hand_id=hand_id, table=look(None), seq=seq))

    def table(self) -> wire.TableMessage:
        """Return the first message to a spectator."""
        return wire.TableMessage(table_id=self.match.table_id, config=self._full_config)

    def summary(self, connected: Iterable[int], away: Collection[int] = ()) -> Summary:
        """Return the entry of this table in a list of tables."""
        return summarise(
            self.match.history,
            self.config,
            self.lobby(connected, away).players,
            over=self.match.over,
            closed=not self.match.takes_teams,
            hand_id=self.match.hand_id or None,
            phase=self.match.host.phase,
        )

    def turn(self, seat: int, time_ms: int, bank_ms: int | None) -> wire.Turn:
        """Return the message to spectators about whose turn it is."""
        return wire.Turn(hand_id=self.match.hand_id, seat=seat, time_ms=time_ms, bank_ms=bank_ms)
