"""Whether a match was honest, from the frames that one participant received.

A hand of poker is played again from the cards that were seen, and once its deck is revealed from that: it must come out
as it was sent. Frames that were missed are no lie: they are noted, and what cannot be checked without them is not. What
happens unseen in a game that is no poker only its journal can tell.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from pitboss.arena.hosts.games import games_of, make_host
from pitboss.arena.hosts.moves import commit_to
from pitboss.arena.hosts.poker import game_of
from pitboss.arena.journal.commitment import public_number
from pitboss.arena.journal.records import AWAY_PACE_MS, Settings, SettingsError
from pitboss.arena.verify.frames import (
    RecordLine,
    TableRecord,
    describe_frame,
    read_frames,
    same_settings,
    split_by_table,
)
from pitboss.arena.verify.reconstruction import (
    DealError,
    ObservedCards,
    ReconstructedMatch,
    check_openings,
    collect_seen_cards,
    reconstruct_deal,
)
from pitboss.arena.verify.report import NONSENSE, Report, in_order
from pitboss.arena.wire import messages as wire
from pitboss.cards import write_cards
from pitboss.table.mixed import Mixed

NO_RECORD = "none of its lines is a frame: it is neither a database nor a record of frames (see arena join --record)"


class Transcript(Struct):
    """What somebody received, told apart by table, and what is wrong with it."""

    report: Report
    sittings: list[TableRecord] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)  #: what is wrong with it and belongs to no table


def verify_transcript(name: str, lines: Iterable[str]) -> Report:
    """Check the frames that somebody received, one a line."""
    return read_transcript(name, lines).report


def read_transcript(name: str, lines: Iterable[str], only: str | None = None) -> Transcript:
    """Follow the frames and check them; with `only`, those of this table."""
    report = Report(name)
    frames, loose, report.notes = read_frames(lines)
    if not frames:
        report.problems.append(NO_RECORD)
        return Transcript(report, loose=[NO_RECORD])
    found, homeless = split_by_table(frames)
    loose = in_order([*loose, *homeless])
    before: set[str] = set()
    for sitting in found if only is None else [sitting for sitting in found if sitting.table == only]:
        at = f"{sitting.table}, " if len(found) > 1 else ""
        if sitting.table in before:
            report.notes.append(f"line {sitting.first}: another sitting at a table called {sitting.table} begins")
        before.add(sitting.table)
        sitting.faults = list(_TranscriptCheck(sitting, report).faults())
        report.notes += [f"{at}{note}" for note in sitting.notes]
        report.problems += [f"{at}{problem}" for problem in (*sitting.problems, *sitting.faults)]
    report.problems = in_order([*loose, *report.problems])
    if only is not None and only not in before:
        there = ", ".join(sorted({sitting.table for sitting in found})) or "none"
        report.problems.append(f"it is of no table {only}; there are {there}")
    elif not report.hands:
        report.problems.append("there is no hand in it: nothing of the play was checked")
    return Transcript(report, found, loose)


class _TranscriptCheck:
    """One sitting, followed frame by frame."""

    def __init__(self, sitting: TableRecord, report: Report) -> None:
        messages = [line.message for line in sitting.lines]
        to_the_end = messages + sitting.later
        self.sitting, self.report = sitting, report
        self.revealed = {hand.hand_id: hand for m in to_the_end if isinstance(m, wire.Reveal) for hand in m.hands}
        self.started: dict[str, wire.StartHand] = {}
        self.ended = next((m for m in to_the_end if isinstance(m, wire.MatchEnd)), None)
        self.config = next(m.config for m in messages if isinstance(m, wire.Welcome | wire.TableMessage))
        self.seat = next((m.seat for m in messages if isinstance(m, wire.Welcome)), None)
        self.games: Mixed | None = None
        self.rebuilt: ReconstructedMatch | None = None  # None: a game that is no poker
        self.cards: dict[str, ObservedCards] = {}
        self.stacks: dict[int, int] | None = None  # as the last hand left them, where nothing was missed since
        self.teams: dict[int, str] = {}  # as lobbies said, where nothing was missed since; only if it is no poker
        self.finished = {m.hand_id for m in messages if isinstance(m, wire.EndHand)}
        self.hand: str | None = None  # the one under way, or the last one
        self.lost: set[str] = set()  # hands whose very start the server has lost
        self.last = 0

    def faults(self) -> Iterator[str]:
        """Everything that is wrong."""
        try:
            settings = settings_of(self.config)
            self.games = games_of(settings)
            layouts = make_host(settings).layouts
        except SettingsError as error:
            yield f"line {self.sitting.first}: {error}"
            return
        if self.config.games not in ((), layouts):
            yield f"line {self.sitting.first}: the games are laid out differently"
        if self.games is not None:
            self.rebuilt = ReconstructedMatch(self.sitting.table, settings, self.seat)
            self.cards, problems = collect_seen_cards(self.sitting.lines)
            yield from problems
        for line in self.sitting.lines:
            if self.rebuilt is not None:
                self.rebuilt.line = line.number
            for fault in self._follow(line):
                yield f"line {line.number}, {describe_frame(line.message)}: {fault}"
        if self.rebuilt is not None:
            self.report.notes += self.rebuilt.notes
        yield from self._decks()

    def _follow(self, line: RecordLine) -> Iterator[str]:
        message = line.message
        seq: int = getattr(message, "seq", 0)
        if seq > self.last + 1 or (seq > self.last and isinstance(message, wire.Snapshot | wire.GameView)):
            self.stacks = self.hand = None
            self.teams.clear()
            if self.rebuilt is not None and not isinstance(message, wire.VoidMessage):
                self.rebuilt.lose()
        again = 0 < seq <= self.last and not isinstance(message, wire.Snapshot | wire.GameView)
        self.last = max(self.last, seq)
        if again:
            return  # it was looked at when it was first sent
        if isinstance(message, wire.StartHand | wire.VoidMessage):
            self.hand = message.hand_id
        elif self.hand is not None and getattr(message, "hand_id", self.hand) != self.hand and not _precedes(message):
            yield f"it is of another hand than {self.hand or 'the one that is void'}"
        yield from self._openings(message)
        try:
            yield from self._take(message)
        except NONSENSE as error:
            yield str(error) or "it makes no sense"
            if self.rebuilt is not None:
                self.rebuilt.lose()

    def _openings(self, message: wire.ServerMessage) -> Iterator[str]:
        """Every card shown must open against what the server bound itself to."""
        started = self.started.get(getattr(message, "hand_id", ""))
        if started is None or self.games is None:
            return
        for opening, fits in check_openings(message, started.commit, len(self.games.games[0].structure.deck)):
            self.report.cards_opened += 1
            if not fits:
                yield f"{opening.card} does not open against the commitment"

    def _take(self, message: wire.ServerMessage) -> Iterator[str]:
        rebuilt = self.rebuilt
        match message:
            case wire.Welcome() | wire.TableMessage():
                yield from self._welcome(message)
            case wire.StartHand():
                yield from self._start(message)
            case wire.EndHand(stacks=stacks):
                if rebuilt is not None:
                    yield from rebuilt.take(message)
                self.stacks = {**(self.stacks or {}), **{stack.seat: stack.stack for stack in stacks}}
            case wire.MatchEnd():
                yield from self._end(message)
            case wire.VoidMessage():
                self.report.voided += 1
                if not message.hand_id and self.started:
                    self.lost.add([*self.started][-1])
                if rebuilt is not None:
                    yield from rebuilt.take(message)
            case wire.Lobby() if rebuilt is not None:
                yield from rebuilt.lobby(message)
            case wire.Act() if rebuilt is not None:
                yield from rebuilt.question(message)
            case wire.Snapshot() if rebuilt is not None:
                yield from rebuilt.view(message)
            case wire.Turn() | wire.Reveal() | wire.Error() | wire.AskMessage() | wire.GameView() | wire.Equities():
                pass  # decks are looked at once all are there; questions of a game that is no poker are its own
            case wire.Mix() if rebuilt is not None:
                yield from rebuilt.mix(message)
            case wire.Lobby(players=players):
                self.teams |= {player.seat: player.team for player in players}
            case wire.Act() | wire.Snapshot() | wire.Mix():
                pass
            case _ if rebuilt is not None:
                yield from rebuilt.take(message)

    def _welcome(self, message: wire.Welcome | wire.TableMessage) -> Iterator[str]:
        if not same_settings(message.config, self.config):
            yield "the table's settings are others than before"
        if isinstance(message, wire.Welcome) and message.seat != self.seat:
            yield f"the participant has seat {message.seat}, and had seat {self.seat}"
        if self.rebuilt is not None:
            self.rebuilt.come_back()

    def _start(self, message: wire.StartHand) -> Iterator[str]:
        self.started[message.hand_id] = message
        self.report.hands += 1
        if message.seed != public_number(message.commit):
            yield "its seed is not taken from the commitment"
        before = self.stacks or {}
        if any(before.get(stack.seat, stack.stack) != stack.stack for stack in message.stacks):
            yield "it begins with other chips than the hand before left"
        if self.rebuilt is None or self.games is None:
            return
        seen = self.cards.get(message.hand_id, ObservedCards())
        revealed = self.revealed.get(message.hand_id)
        structure = game_of(self.games, message.variant).structure
        yield from self.rebuilt.start(message, reconstruct_deal(structure, message, seen, revealed), seen, revealed)

    def _end(self, message: wire.MatchEnd) -> Iterator[str]:
        if self.rebuilt is not None:
            yield from self.rebuilt.end(message)
        final = message.final_stacks
        left = self.stacks or {}
        if any(left.get(stack.seat, stack.stack) != stack.stack for stack in final):
            yield "the final stacks are not what the last hand left"
        teams = self.rebuilt.teams if self.rebuilt is not None else self.teams
        if any(teams.get(stack.seat, stack.team) != stack.team for stack in final):
            yield "a team is called otherwise than in the lobby"
        seats = [stack.seat for stack in final]
        if len(set(seats)) != len(seats) or not {*left, *teams} <= set(seats):
            yield "not everybody at the table has one place in it"
        standing = sum(stack.stack > 0 for stack in final)
        if self.rebuilt is not None and message.reason != ("last_standing" if standing == 1 else "max_hands"):
            yield f"{standing} have chips, which is not its reason"
        chips = [max(stack.stack, 0) for stack in final]  # points below 0 are as little as none
        if chips != sorted(chips, reverse=True):
            yield "the teams do not stand in the order of their chips"
        if not _are_places([row.place for row in final], chips):
            yield "the places are not what the chips make them"
        first = [(stack.seat, stack.team) for stack, left in zip(final, chips, strict=True) if left == max(chips)]
        won = [message.winner] if message.winner is not None else message.winners or ()
        winners = [(winner.seat, winner.team) for winner in won]
        tied = message.winner is None
        if not winners or winners != first[: len(winners)] or (tied and len(winners) == 1):
            yield "the winner is not who has most chips"
        if max(chips) and len(winners) != len(first):
            yield "who has as many chips has won as well"

    def _decks(self) -> Iterator[str]:
        """Once decks are revealed each must be the one that the server bound itself to."""
        hidden = 0
        for hand_id, started in self.started.items():
            revealed = self.revealed.get(hand_id)
            if revealed is not None:
                self.report.decks_checked += 1
                yield from [f"{hand_id}: {fault}" for fault in self._lies(started, revealed)]
            elif hand_id in self.lost or (self.ended and self.sitting.gaps and hand_id not in self.finished):
                self.report.notes.append(f"{hand_id}: its end was missed or it is void, and its deck was not revealed")
            elif self.ended is not None:
                yield f"{hand_id}: the match is over and its deck was not revealed"
            else:
                hidden += 1
        if hidden:
            self.report.notes.append(
                f"the decks of {hidden} hands are not revealed yet; they are at the end of the match"
            )

    def _lies(self, started: wire.StartHand, revealed: wire.RevealedHand) -> Iterator[str]:
        secret = bytes.fromhex(revealed.secret)
        if self.games is None:
            if commit_to(secret) != started.commit:
                yield "the secret revealed is not the one the server bound itself to"
            if revealed.deck:
                yield "a deck is revealed of a game that has none"
            return
        try:
            deal = reconstruct_deal(self.games.games[0].structure, started, ObservedCards(), revealed)
        except DealError as error:
            yield str(error)
            return
        if write_cards(deal.deck) != revealed.deck:
            yield "the deck revealed is not the one its secret decides"


def _are_places(places: list[int | None], chips: list[int]) -> bool:
    """Whether teams in this order can have these places; records of before have none.

    >>> _are_places([1, 1, 3], [20, 20, 5]), _are_places([1, 2, 3], [20, 20, 5]), _are_places([None], [20])
    (True, False, True)
    """
    if not any(place is not None for place in places):
        return True
    for at, place in enumerate(places):
        tied = at > 0 and place == places[at - 1]
        if not tied and place != at + 1:
            return False
        if at > 0 and tied != (chips[at] == chips[at - 1]) and max(chips[at - 1 : at + 1]) > 0:
            return False
    return True


def _precedes(message: wire.ServerMessage) -> bool:
    """Whether a frame is of a hand that is still to begin."""
    return isinstance(message, wire.Mix)


def settings_of(config: wire.Config) -> Settings:
    """The settings that a table's `config` tells of; raises `SettingsError` where no table can play by them."""
    return Settings(
        seats=config.seats,
        stack=config.starting_stack,
        small_blind=config.sb,
        big_blind=config.bb or 1,
        move_time_ms=config.move_time_ms,
        max_hands=config.max_hands,
        timeout_policy=config.timeout_policy or "check_call",
        game=config.variant,
        reopening=config.reopening or "single",
        ante=config.ante,
        bring_in=config.bring_in,
        time_bank_ms=config.time_bank_ms,
        button=config.button or "moving",
        freeze_out=config.freeze_out,
        away_pace_ms=AWAY_PACE_MS if config.away_pace_ms is None else config.away_pace_ms,
    )
