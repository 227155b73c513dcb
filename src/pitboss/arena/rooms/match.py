"""One table's match: teams and seats, hand after hand until the match is decided, and the result.

Every change is a record. Records are made here, kept in the journal, and read back from it after a restart.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from msgspec.structs import replace

from pitboss.arena.hosts.host import Host
from pitboss.arena.journal.commitment import bind_number, public_number
from pitboss.arena.journal.history import History, HistoryError
from pitboss.arena.journal.records import (
    Acted,
    HandStarted,
    HandVoided,
    Lock,
    MatchEnded,
    NumbersBound,
    Record,
    Seated,
    Settings,
    TableOpened,
    TimeoutPolicy,
)
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.messages import Rejected, Reveal, RevealedHand, write
from pitboss.arena.wire.team_names import are_alike, fault_of


def summarise(
    history: History,
    config: wire.Config,
    players: Sequence[wire.LobbyPlayer],
    *,
    over: bool,
    closed: bool,
    hand_id: str | None = None,
    phase: wire.Phase | None = None,
) -> wire.Summary:
    """The summary of a table with these players; where it is closed nobody new may come, whatever seats are empty."""
    teams = history.teams
    here = {player.team for player in players}
    missing = () if closed else tuple([team for team in teams or () if team not in here])
    empty = 0 if closed else history.settings.seats - len(players)
    return wire.Summary(
        table_id=history.table_id,
        config=config,
        players=tuple(players),
        hand_id=hand_id,
        phase=phase,
        over=over,
        open=empty > 0 and teams is None,
        free=empty if teams is None else min(empty, len(missing)),
        missing=missing,
    )


AT_ONCE = 30
"""Hands in one `reveal`, which keeps it near 8 KiB."""


class Reveals:
    """The frames that open every deck of a match, for any number of readers."""

    def __init__(self, secrets: Sequence[tuple[str, bytes]], reveal: Callable[[str, bytes], RevealedHand]) -> None:
        self._secrets = secrets
        self._reveal = reveal
        self._frames: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for number, first in enumerate(range(0, len(self._secrets), AT_ONCE)):
            if number == len(self._frames):
                hands = [self._reveal(*secret) for secret in self._secrets[first : first + AT_ONCE]]
                self._frames.append(write(Reveal(hands=tuple(hands))))
            yield self._frames[number]


TIMEOUTS_TO_BE_AWAY = 3
"""Turns in a row that a seat lets pass until only what costs nothing is played for it, and at once."""

FROZEN = "this is a freeze-out, and its first hand has begun: no team is given a seat any more"


class Match:
    """A match in progress: the journal's history of it, and the game that is hosted."""

    def __init__(self, history: History, host: Host) -> None:
        self.history = history
        self.host = host
        self.seq = 0  #: the number of the last message
        self.hand_id = ""  #: the hand being played, or the last one
        self._end: wire.MatchEnd | None = None
        self._waiting: list[Seated] = []  # who came while the numbers of a hand were bound: he is not in it
        self._reveals: Iterable[str] = ()
        history.least = host.places.start

    # --- what stands

    @property
    def table_id(self) -> str:
        """The table's name."""
        return self.history.table_id

    @property
    def settings(self) -> Settings:
        """How the table plays."""
        return self.history.settings

    @property
    def asked(self) -> int | None:
        """The seat whose answer is awaited."""
        return self.host.asked

    @property
    def underway(self) -> bool:
        """Whether a hand is being played."""
        return self.history.hand is not None

    @property
    def can_start(self) -> bool:
        """Whether a hand can be dealt now."""
        history = self.history
        if history.hand is not None or history.ended is not None or history.decided:
            return False
        least = self.host.places.start
        return len(history.with_chips) >= (least if history.hands else max(least, history.settings.start_at))

    @property
    def decided(self) -> bool:
        """Whether the match is decided and has yet to be ended."""
        return self.history.ended is None and self.history.decided is not None

    @property
    def over(self) -> bool:
        """Whether the match has been ended."""
        return self.history.ended is not None

    @property
    def finished(self) -> int:
        """The number of the last hand that is over."""
        return self.history.hands - self.underway

    @property
    def move_time_ms(self) -> int:
        """How long a seat may think."""
        return self.history.settings.move_time_ms

    @property
    def playing(self) -> list[int]:
        """The seats that would be dealt in."""
        return self.history.with_chips

    @property
    def house_teams(self) -> list[str]:
        """The house bots at this table."""
        return [taken.team for taken in self.history.seats.values() if taken.lock is None]

    def audit(self) -> None:
        """Count the chips: all that were brought must be there."""
        self.host.audit(self.history.settings.stack * (len(self.history.seats) - len(self._waiting)))

    # --- who may sit

    def seat_of(self, team: str) -> int | None:
        """The seat a team has."""
        return next((seat for seat, taken in self.history.seats.items() if taken.team == team), None)

    @property
    def takes_teams(self) -> bool:
        """Whether a new team may still come, if a seat is free."""
        return not (self.over or self.decided or self.history.is_closed)

    def check_new(self, team: str) -> None:
        """Raise `Rejected` where there is no seat for a new team, or none for one of this name.

        The names on an organiser's list are his: they were looked at when he gave it.
        """
        fault = fault_of(team) if self.history.teams is None else None
        if fault is not None:
            raise Rejected("BAD_SCHEMA", f"{team!r} {fault} - at `$.team`")
        if not self.takes_teams or self.history.free_seat() is None:
            why = "the match is over" if self.over or self.decided else f"all {self.settings.seats} seats are taken"
            raise Rejected("TABLE_FULL", FROZEN if self.history.is_closed and not self.over else why)
        if self.history.teams is None:
            for taken in self.history.seats.values():
                if are_alike(team, taken.team):
                    raise Rejected("TEAM_TAKEN", f"{team!r} looks like {taken.team!r}, who plays here")

    def admit(self, team: str, lock: Lock) -> Seated:
        """Give a new team a seat."""
        self.check_new(team)
        return self.sit(team, lock)

    def admit_house(self, team: str) -> tuple[int, Seated | None]:
        """A house bot: the seat it has, or a new one, which no code opens."""
        for seat, taken in self.history.seats.items():
            if taken.team == team and taken.lock is None:
                return seat, None
        seated = self.sit(team, None)
        return seated.seat, seated

    def sit(self, team: str, lock: Lock | None) -> Seated:
        """Give a team the first free seat."""
        seat = self.history.free_seat()
        if seat is None or self.over or self.decided or self.history.is_closed:
            why = "the match is over" if self.over or self.decided else FROZEN
            raise HistoryError("no seat is free" if seat is None else why)
        seated = Seated(seat=seat, team=team, stack=self.settings.stack, lock=lock)
        self.take(seated)
        return seated

    # --- what is done

    def bind(
        self, server_number: bytes, commits: Mapping[int, str], day: str, withheld: tuple[int, ...] = ()
    ) -> NumbersBound:
        """Bind the server and some seats to the numbers that decide the next hand, and fix who is dealt in."""
        before = self.history.bound
        bound = NumbersBound(
            hand_id=self._next_hand_id(day),
            attempt=before.attempt + 1 if before is not None else 1,
            server_number=server_number.hex(),
            commits=dict(commits),
            seats=before.seats if before is not None else tuple(self.playing),
            seq=self.seq + 1,
            withheld=withheld,
        )
        self.history.take(bound, over=True)
        return bound

    def _next_hand_id(self, day: str) -> str:
        bound = self.history.bound
        return bound.hand_id if bound is not None else f"H-{day}-{self.history.hands + 1:05d}"

    def start(
        self,
        secret: bytes,
        day: str,
        seq: int | None = None,
        *,
        numbers: Mapping[int, str] | None = None,
        withheld: tuple[int, ...] = (),
    ) -> HandStarted:
        """Begin the next hand; `seq` numbers the first message about it."""
        deal = self.host.start(secret)
        started = HandStarted(
            number=self.history.hands + 1,
            hand_id=self._next_hand_id(day),
            secret=secret.hex(),
            deck=deal.deck,
            button=deal.button,
            stacks=deal.stacks,
            seq=self.seq + 1 if seq is None else seq,
            events=deal.events,
            result=deal.result,
            numbers=dict(numbers or {}),
            withheld=withheld,
            variant=deal.variant,
            blinds=deal.blinds,
        )
        self.note(started)
        self.seat_waiting()
        return started

    def answer(self, seat: int, message: wire.Action | wire.MoveMessage, *, bank_ms: int = 0) -> Acted:
        """Take a seat's answer, for which it has used so much of its bank; raises `Rejected`, and nothing has changed,
        where it is none."""
        return self._noted(self.host.answer(seat, message), bank_ms)

    def answer_in_absence(self, seat: int, *, away: bool = False, bank_ms: int = 0) -> Acted:
        """What is played for a seat whose time is up; for one that is away, or is too late again and again, unpaid."""
        return self._noted(self.host.answer_in_absence(seat, self.policies_in_absence(seat)[away]), bank_ms)

    def _noted(self, acted: Acted, bank_ms: int) -> Acted:
        """Take in what was done, and what it took of the seat's bank."""
        acted = replace(acted, bank_ms=bank_ms) if bank_ms else acted
        self.note(acted)
        return acted

    def policies_in_absence(self, seat: int) -> tuple[TimeoutPolicy, TimeoutPolicy]:
        """By what a seat is played whose time is up now, and by what if it is away."""
        late = self.history.seats[seat].timeouts >= TIMEOUTS_TO_BE_AWAY
        return "check_fold" if late else self.settings.timeout_policy, "check_fold"

    def void(self, torn_at: int, reason: str, seq: int) -> HandVoided:
        """Take the open hand back: chips and button are as before it. One whose very start is lost was the next."""
        hand = self.history.hand
        number = self.history.hands if hand is not None else self.history.hands + 1
        hand_id = hand.started.hand_id if hand is not None else ""
        voided = HandVoided(number=number, hand_id=hand_id, torn_at=torn_at, reason=reason, seq=seq)
        self.host.void()
        self.history.take(voided, over=True)
        self.seat_waiting()
        return voided

    def end(self) -> MatchEnded:
        """End the match."""
        reason = self.history.decided
        if reason is None:
            raise HistoryError("the match is not decided")
        ended = MatchEnded(reason=reason, stacks=self.history.ranking())
        self.history.take(ended, over=True)
        return ended

    def note(self, record: HandStarted | Acted) -> None:
        """Take in what the host has just done."""
        result = self.host.result
        self.history.take(record, over=result is not None, stacks=result)

    # --- out of the journal

    def take(self, seated: Seated) -> None:
        """Take in that somebody has a seat."""
        self.history.take(seated, over=not self.underway)
        self.give_chair(seated)

    def give_chair(self, seated: Seated) -> None:
        """Let the game know who has a seat; where the numbers of the next hand are bound, once it is dealt."""
        self._waiting.append(seated)
        self.seat_waiting()

    def seat_waiting(self) -> None:
        """Let the game know who came meanwhile."""
        while self._waiting and self.history.bound is None:
            seated = self._waiting.pop(0)
            self.host.sit(seated.seat, seated.stack)

    def play_again(self, record: Record) -> Record:
        """Do again what a record of a hand says, and give it back read; raises `HistoryError` where it differs."""
        self.history.check(record)
        made: Record
        match record:
            case Seated():
                self.take(record)
                return record
            case NumbersBound():
                self.history.take(record, over=True)
                return record
            case HandStarted():
                record = self.host.read_started(record)
                secret, day, mixed = bytes.fromhex(record.secret), record.hand_id[2:12], record.numbers
                made = self.start(secret, day, record.seq, numbers=mixed, withheld=record.withheld)
            case Acted():
                record = self.host.read_acted(record)
                made = self._noted(self.host.play_again(record), record.bank_ms)
            case TableOpened() | HandVoided() | MatchEnded():
                raise HistoryError(f"{type(record).__name__} stands within a hand")
            case _:
                assert_never(record)
        if made != record:
            other = ", ".join(name for name in made.__struct_fields__ if getattr(made, name) != getattr(record, name))
            raise HistoryError(
                f"done again, {type(record).__name__} comes out otherwise than it was recorded ({other})"
            )
        return made

    # --- what is sent to everybody

    def messages(self, record: Record, chain: bytes, *, over: bool) -> list[wire.ServerMessage]:
        """What everybody is sent of a record, numbered; `over`: the hand is, and `chain` is the journal's head."""
        messages: list[wire.ServerMessage]
        match record:
            case TableOpened() | Seated():
                return []
            case NumbersBound():
                self.seq = record.seq - 1
                return [self.mix_message(record, self._number())]
            case HandStarted():
                messages = [self._start_message(record), *self.host.messages(record, self._number)]
            case Acted():
                messages = self.host.messages(record, self._number)
            case HandVoided():
                self.hand_id, self.seq = record.hand_id, record.seq - 1
                voided = wire.VoidMessage(hand_id=record.hand_id, seq=self._number(), reason=record.reason)
                return [voided, self._end_message(chain)]
            case MatchEnded():
                self._end = self._match_end(record)
                self._reveals = Reveals(self.history.secrets, self._reveal)
                return [self._end]
            case _:
                assert_never(record)
        return [*messages, *self._eliminated(), self._end_message(chain)] if over else messages

    def farewell(self) -> Iterator[str]:
        """Once the match is over, the frames that end it, also for whoever comes later: all decks, then the result."""
        if self._end is not None:
            yield from self._reveals
            yield wire.write(self._end)

    def _number(self) -> int:
        self.seq += 1
        return self.seq

    def _start_message(self, started: HandStarted) -> wire.StartHand:
        self.hand_id, self.seq = started.hand_id, started.seq - 1
        commit = self.host.commit(started)
        return wire.StartHand(
            hand_id=self.hand_id,
            seed=public_number(commit),
            button=started.button,
            stacks=_stacks(started.stacks),
            commit=commit,
            numbers=tuple([wire.OpenedNumber(seat=seat, number=text) for seat, text in started.numbers.items()]),
            withheld=started.withheld,
            variant=started.variant,
            sb_seat=None if started.blinds is None else started.blinds[0],
            bb_seat=None if started.blinds is None else started.blinds[1],
            seq=self._number(),
        )

    def mix_message(self, bound: NumbersBound, seq: int) -> wire.Mix:
        """To everybody: who is bound to a number, and asked to open it."""
        return wire.Mix(
            hand_id=bound.hand_id,
            attempt=bound.attempt,
            seats=bound.seats,
            commit=bind_number(bytes.fromhex(bound.server_number)),
            numbers=tuple(wire.BoundNumber(seat=seat, commit=commit) for seat, commit in bound.commits.items()),
            withheld=bound.withheld,
            seq=seq,
        )

    def _eliminated(self) -> list[wire.ServerMessage]:
        hand = self.history.last
        assert hand is not None
        out = [seat for seat, stack in hand.stacks.items() if stack <= 0]
        return [wire.Eliminated(hand_id=self.hand_id, seq=self._number(), seat=seat) for seat in sorted(out)]

    def _end_message(self, chain: bytes) -> wire.EndHand:
        stacks = self.history.last.stacks if self.history.last is not None else {}
        return wire.EndHand(hand_id=self.hand_id, stacks=_stacks(stacks), chain=chain.hex(), seq=self._number())

    def _match_end(self, ended: MatchEnded) -> wire.MatchEnd:
        seats, places = self.history.seats, self.history.places()
        final = tuple(
            wire.FinalStack(seat=seat, team=seats[seat].team, stack=stack, place=places[seat])
            for seat, stack in ended.stacks.items()
        )
        winners = tuple([wire.Winner(seat=seat, team=seats[seat].team) for seat in self.history.winners()])
        alone = len(winners) == 1
        return wire.MatchEnd(
            winner=winners[0] if alone else None,
            winners=None if alone else winners,
            final_stacks=final,
            reason=ended.reason,
            seq=self._number(),
        )

    def _reveal(self, hand_id: str, secret: bytes) -> wire.RevealedHand:
        return wire.RevealedHand(
            hand_id=hand_id,
            secret=secret.hex(),
            deck=self.host.revealed(secret),
            server_number=self.history.server_numbers.get(hand_id),
        )

    # --- what is sent to some

    @property
    def config(self) -> wire.Config:
        """The table's settings as clients know them."""
        settings, (small, big) = self.settings, self.host.blinds
        return wire.Config(
            variant=self.host.variant,
            seats=settings.seats,
            starting_stack=settings.stack,
            sb=small,
            bb=big,
            move_time_ms=settings.move_time_ms,
            timeout_policy=settings.timeout_policy,
            max_hands=settings.max_hands,
            reopening=None if settings.reopening == "single" else settings.reopening,
            ante=self.host.antes[0],
            bring_in=self.host.antes[1],
            time_bank_ms=settings.time_bank_ms,
            button=None if settings.button == "moving" else settings.button,
            freeze_out=settings.freeze_out,
        )

    def welcome(self, seat: int) -> wire.Welcome:
        """To whoever has taken a seat."""
        return wire.Welcome(table_id=self.table_id, seat=seat, config=self.config)

    def lobby(self, connected: Iterable[int], away: Collection[int] = ()) -> wire.Lobby:
        """Who is at the table, with the chips of between the hands: a lobby says nothing of a hand under way."""
        here = set(connected)
        return wire.Lobby(
            players=tuple(
                wire.LobbyPlayer(
                    seat=seat, team=taken.team, connected=seat in here, stack=taken.stack, away=seat in away
                )
                for seat, taken in sorted(self.history.seats.items())
            )
        )

    def bank_ms(self, seat: int | None) -> int | None:
        """What a seat has left of its bank; None where seats have none."""
        return None if seat is None or not self.settings.time_bank_ms else self.history.bank_ms(seat)

    def question(self, turn: int, time_ms: int, bank_ms: int | None = None) -> wire.ServerMessage:
        """The open question; its seat has what is left of its bank, or less where it uses it already."""
        bank_ms = self.bank_ms(self.asked) if bank_ms is None else bank_ms
        return self.host.question(self.hand_id, turn, time_ms, bank_ms)

    def snapshot(self, seat: int, turn: int, time_ms: int | None, bank_ms: int | None = None) -> wire.ServerMessage:
        """The table as one seat may see it; the bank, if it is given, is that of the seat that is asked."""
        stacks = {at: taken.stack for at, taken in sorted(self.history.seats.items())}
        seq = self.seq - self.over  # the match's end is sent after it, also again
        bank_ms = self.bank_ms(seat) if bank_ms is None or seat != self.asked else bank_ms
        return self.host.snapshot(
            seat, stacks, hand_id=self.hand_id, turn=turn, time_ms=time_ms, seq=seq, bank_ms=bank_ms
        )

    def table_message(self) -> wire.TableMessage:
        """To a spectator: which table this is."""
        return wire.TableMessage(table_id=self.table_id, config=self.config)

    def summary(self, connected: Iterable[int], away: Collection[int] = ()) -> wire.Summary:
        """The table in a list of tables."""
        return summarise(
            self.history,
            self.config,
            self.lobby(connected, away).players,
            over=self.over,
            closed=not self.takes_teams,
            hand_id=self.hand_id or None,
            phase=self.host.phase,
        )

    def turn_message(self, time_ms: int, bank_ms: int | None = None) -> wire.Turn:
        """To a spectator: whose turn it is; the bank as in a question."""
        seat = self.asked
        assert seat is not None
        bank_ms = self.bank_ms(seat) if bank_ms is None else bank_ms
        return wire.Turn(hand_id=self.hand_id, seat=seat, time_ms=time_ms, bank_ms=bank_ms)


def _stacks(stacks: dict[int, int]) -> tuple[wire.SeatStack, ...]:
    return tuple([wire.SeatStack(seat=seat, stack=stack) for seat, stack in stacks.items()])
