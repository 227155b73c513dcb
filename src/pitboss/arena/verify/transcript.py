"""Verify a match from the frames that one participant received.

A hand of poker is replayed from the cards that were seen or, if it is revealed, from its deck. The replay must produce
the frames that were sent. Missing frames are noted and not counted as problems. Checks that need missing frames are
left out. In games other than poker, hidden moves can only be checked with the journal.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from pitboss.arena.hosts.games import games_of, make_host
from pitboss.arena.hosts.moves import commit_to
from pitboss.arena.hosts.poker import game_of
from pitboss.arena.journal.commitment import public_number
from pitboss.arena.journal.records import AWAY_PACE_MS, Settings, SettingsError
from pitboss.arena.verify.frames import (
    RecordLine,
    TableRecord,
    changed_fields,
    describe_frame,
    hand_of,
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

CASH_PLAY = "a record of a cash table: decks, cards and chips were checked; only the journal proves the order of play"
LEAST_TO_STRADDLE = 4
NO_RECORD = "expected a database or a record of frames (made with arena join --record), got no line that is a frame"


class Transcript(Struct):
    """A record of frames grouped by table, with its problems."""

    report: Report
    sittings: list[TableRecord] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)  #: problems that belong to no table


def verify_transcript(name: str, lines: Iterable[str]) -> Report:
    """Check a record of frames, one per line."""
    return read_transcript(name, lines).report


def read_transcript(name: str, lines: Iterable[str], only: str | None = None) -> Transcript:
    """Read a record and check its frames; with `only`, those of one table."""
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
            report.notes.append(f"line {sitting.first}: another match at a table called {sitting.table} begins")
        before.add(sitting.table)
        sitting.faults = list(_TranscriptCheck(sitting, report).faults())
        report.notes += [f"{at}{note}" for note in sitting.notes]
        report.problems += [f"{at}{problem}" for problem in (*sitting.problems, *sitting.faults)]
    report.problems = in_order([*loose, *report.problems])
    if only is not None and only not in before:
        there = ", ".join(sorted({sitting.table for sitting in found})) or "none"
        report.problems.append(f"expected frames of table {only}, got frames of: {there}")
    elif not report.hands:
        report.problems.append("the record has no hand, so no play was checked")
    return Transcript(report, found, loose)


class _CashChips:
    """The chips of each seat and of the pot at a cash table, as far as they are known from the frames."""

    def __init__(self, config: wire.Config) -> None:
        self._config = config
        self._chips: dict[int, int] = {}
        self._dealt = 0  # the number of seats in the open hand; 0 if its first frame is missing
        self._pot = 0

    def lose(self) -> None:
        """Frames are missing: start again with the next hand."""
        self._chips.clear()
        self._dealt = 0

    def take(self, message: wire.ServerMessage) -> Iterator[str]:
        """Update the chips with a frame, and yield a sentence for each contradiction."""
        match message:
            case wire.StartHand(stacks=stacks):
                yield from self._compare(stacks, "start")
                self._chips |= {stack.seat: stack.stack for stack in stacks}
                self._dealt, self._pot = len(stacks), 0
            case wire.ToppedUpMessage(seat=seat, amount=amount) if seat in self._chips:
                self._chips[seat] += amount
            case wire.LeftMessage(seat=seat, stack=stack):
                if self._chips.pop(seat, stack) != stack:
                    yield f"the chips that seat {seat} took away differ from those that it had"
            case wire.VoidMessage():
                self.lose()
            case _ if self._dealt:
                yield from self._play(message)
            case _:
                pass

    def _play(self, message: wire.ServerMessage) -> Iterator[str]:
        config = self._config
        match message:
            case wire.PostBlinds(sb_seat=small, bb_seat=big):
                yield from self._post(big, message.bb_posted, message.bb)
                if message.sb_posted or small in self._chips:
                    yield from self._post(small, message.sb_posted, message.sb if message.sb_posted else 0)
            case wire.PostAntes(ante=ante, posted=posted):
                for paid in posted:
                    yield from self._post(paid.seat, paid.amount, ante)
            case wire.StraddleMessage(seat=seat, amount=amount):
                if self._dealt < LEAST_TO_STRADDLE:
                    yield f"a straddle in a hand of {self._dealt} players"
                yield from self._post(seat, amount, config.straddle)
            case wire.PostDead(seat=seat, amount=amount):
                if amount > 3 * config.bb // 2:
                    yield f"expected a debt of at most {3 * config.bb // 2} chips, got {amount}"
                yield from self._pay(seat, amount)
            case wire.BetMessage(seat=seat, amount=amount) | wire.CallMessage(seat=seat, amount=amount):
                yield from self._pay(seat, amount)
            case wire.BringIn(seat=seat, amount=amount):
                yield from self._pay(seat, amount)
            case wire.Refund(seat=seat, amount=amount) | wire.PotAward(seat=seat, amount=amount):
                yield from self._pay(seat, -amount)
            case wire.RakeMessage(amount=amount):
                most = self._pot * config.rake // 1000
                most = most if config.rake_cap is None else min(most, config.rake_cap)
                if amount > most:
                    yield f"expected a rake of at most {most} chips, got {amount}"
                self._pot -= amount
            case wire.EndHand(stacks=stacks):
                if self._pot:
                    yield f"the hand ends with {self._pot} chips in the middle"
                yield from self._compare(stacks, "end")
                self._chips |= {stack.seat: stack.stack for stack in stacks}
                self._dealt = 0

    def _post(self, seat: int, amount: int, wanted: int) -> Iterator[str]:
        """Check a forced bet: the expected amount, or all chips of a seat that has fewer."""
        expected = min(wanted, self._chips.get(seat, 0))
        if amount != expected:
            yield f"seat {seat}: expected it to post {expected} chips, got {amount}"
        yield from self._pay(seat, amount)

    def _pay(self, seat: int, amount: int) -> Iterator[str]:
        """Move chips from a seat into the pot, or back if the amount is negative."""
        left = self._chips.get(seat, 0) - amount
        if left < 0 or self._pot + amount < 0:
            yield f"seat {seat} or the pot has fewer than the {abs(amount)} chips that this frame moves"
        self._chips[seat], self._pot = left, self._pot + amount

    def _compare(self, stacks: Iterable[wire.SeatStack], when: str) -> Iterator[str]:
        """Compare the stacks of a frame with the known ones."""
        for stack in stacks:
            expected = self._chips.get(stack.seat, stack.stack)
            if stack.stack != expected:
                yield f"seat {stack.seat}: expected {expected} chips at the {when} of the hand, got {stack.stack}"


class _TranscriptCheck:
    """The check of the frames of one table, in order."""

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
        self.rebuilt: ReconstructedMatch | None = None  # None: not a poker game
        self.chips = _CashChips(self.config) if self.config.cash else None
        self.cards: dict[str, ObservedCards] = {}
        self.stacks: dict[int, int] | None = None  # the stacks after the last hand, if no frame is missing since
        self.teams: dict[
            int, str
        ] = {}  # the teams in the lobby, if no frame is missing since; only for games other than poker
        self.finished = {m.hand_id for m in messages if isinstance(m, wire.EndHand)}
        self.hand: str | None = None  # the open hand, or the last one
        self.lost: set[str] = set()  # the hands of which the server has lost the start
        self.last = 0

    def faults(self) -> Iterator[str]:
        """Yield one sentence per problem."""
        try:
            settings = settings_of(self.config)
            self.games = games_of(settings)
            layouts = make_host(settings).layouts
        except SettingsError as error:
            yield f"line {self.sitting.first}: {error}"
            return
        if self.config.games not in ((), layouts):
            fault = changed_fields(self.config, replace(self.config, games=layouts))
            yield f"line {self.sitting.first}: the layout differs from the game {self.config.variant} ({fault})"
        if self.config.cash:
            self.report.notes.append(CASH_PLAY)
        elif self.games is not None:
            self.rebuilt = ReconstructedMatch(self.sitting.table, settings, self.seat)
        if self.games is not None:
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
            voids_open_hand = isinstance(message, wire.VoidMessage) and message.hand_id in ("", self.hand)
            if self.rebuilt is not None and not voids_open_hand:
                self.rebuilt.lose()
            if self.chips is not None:
                self.chips.lose()
            self.stacks = self.hand = None
            self.teams.clear()
        again = 0 < seq <= self.last and not isinstance(message, wire.Snapshot | wire.GameView)
        self.last = max(self.last, seq)
        if again:
            return  # this frame was checked when it was first sent
        if isinstance(message, wire.StartHand | wire.VoidMessage):
            self.hand = message.hand_id
        elif self.hand is not None and getattr(message, "hand_id", self.hand) != self.hand and not _precedes(message):
            yield f"expected a frame of {self.hand or 'a new hand, after the void one'}, got one of {hand_of(message)}"
        yield from self._openings(message)
        if self.chips is not None:
            yield from self.chips.take(message)
        try:
            yield from self._take(message)
        except NONSENSE as error:
            yield str(error) or f"the replay fails with {type(error).__name__}"
            if self.rebuilt is not None:
                self.rebuilt.lose()

    def _openings(self, message: wire.ServerMessage) -> Iterator[str]:
        """Check every opened card against the deck's commitment."""
        started = self.started.get(getattr(message, "hand_id", ""))
        if started is None or self.games is None:
            return
        for opening, fits in check_openings(message, started.commit, len(self.games.games[0].structure.deck)):
            self.report.cards_opened += 1
            if not fits:
                yield f"{opening.card} at place {opening.at} of the deck does not match the commitment"

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
            case wire.Turn() | wire.Reveal() | wire.Error() | wire.Ask() | wire.GameView() | wire.Equities():
                pass
            case wire.TableViewMessage():
                pass  # decks are checked at the end; questions of other games cannot be checked here
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
            yield f"the settings differ from before ({changed_fields(message.config, self.config)})"
        if isinstance(message, wire.Welcome) and message.seat != self.seat and not self.config.cash:
            yield f"expected seat {self.seat} as before, got seat {message.seat}"
        if self.rebuilt is not None:
            self.rebuilt.come_back()

    def _start(self, message: wire.StartHand) -> Iterator[str]:
        self.started[message.hand_id] = message
        self.report.hands += 1
        if message.seed != (seed := public_number(message.commit)):
            yield f"seed: expected {seed}, which the commitment gives, got {message.seed}"
        if not self.config.cash:  # chips come and go between hands
            yield from self._other_stacks(message.stacks)
        if self.rebuilt is None or self.games is None:
            return
        seen = self.cards.get(message.hand_id, ObservedCards())
        revealed = self.revealed.get(message.hand_id)
        structure = game_of(self.games, message.variant).structure
        yield from self.rebuilt.start(message, reconstruct_deal(structure, message, seen, revealed), seen, revealed)

    def _other_stacks(self, stacks: Iterable[wire.SeatStack | wire.FinalStack]) -> Iterator[str]:
        """Compare stacks with those after the last hand."""
        before = self.stacks or {}
        wrong = [row for row in stacks if before.get(row.seat, row.stack) != row.stack]
        if wrong:
            each = [f"seat {row.seat}: expected {before[row.seat]}, got {row.stack}" for row in wrong]
            yield f"the chips differ from those after the previous hand ({'; '.join(each)})"

    def _end(self, message: wire.MatchEnd) -> Iterator[str]:
        if self.rebuilt is not None:
            yield from self.rebuilt.end(message)
        final = message.final_stacks
        left = self.stacks or {}
        yield from self._other_stacks(final)
        teams = self.rebuilt.teams if self.rebuilt is not None else self.teams
        if wrong := [row for row in final if teams.get(row.seat, row.team) != row.team]:
            each = [f"seat {row.seat}: expected {teams[row.seat]!r}, got {row.team!r}" for row in wrong]
            yield f"the teams differ from those in the lobby ({'; '.join(each)})"
        seats = [stack.seat for stack in final]
        if len(set(seats)) != len(seats) or not {*left, *teams} <= set(seats):
            yield f"expected one place for each of the seats {sorted({*left, *teams})}, got the seats {sorted(seats)}"
        standing = sum(stack.stack > 0 for stack in final)
        reason = "last_standing" if standing == 1 else "max_hands"
        if self.rebuilt is not None and message.reason != reason:
            yield f"reason: expected {reason} (teams with chips: {standing}), got {message.reason}"
        chips = [max(stack.stack, 0) for stack in final]  # points below 0 count as 0
        if chips != sorted(chips, reverse=True):
            yield f"expected the final stacks from the most chips to the fewest, got {[row.stack for row in final]}"
        if not _are_places([row.place for row in final], chips):
            places = [row.place for row in final]
            yield f"the places {places} do not follow from the chips {[row.stack for row in final]}"
        first = [(stack.seat, stack.team) for stack, left in zip(final, chips, strict=True) if left == max(chips)]
        won = [message.winner] if message.winner is not None else message.winners or ()
        winners = [(winner.seat, winner.team) for winner in won]
        tied = message.winner is None
        if not winners or winners != first[: len(winners)] or (tied and len(winners) == 1):
            yield f"winner: expected {_named(first)}, with the most chips, got {_named(winners)}"
        if max(chips) and len(winners) != len(first):
            tie = ", because teams are tied" if len(first) > 1 else ""
            yield f"number of winners: expected {len(first)}{tie}, got {len(winners)}"

    def _decks(self) -> Iterator[str]:
        """Check each revealed deck against its commitment."""
        hidden = 0
        for hand_id, started in self.started.items():
            revealed = self.revealed.get(hand_id)
            if revealed is not None:
                self.report.decks_checked += 1
                yield from [f"{hand_id}: {fault}" for fault in self._deck_faults(started, revealed)]
            elif self.config.cash:
                hidden += 1
            elif hand_id in self.lost or (self.ended and self.sitting.gaps and hand_id not in self.finished):
                self.report.notes.append(f"{hand_id}: void or its end is missing, and its deck was not revealed")
            elif self.ended is not None:
                yield f"{hand_id}: the match is over, but the deck was not revealed"
            else:
                hidden += 1
        if hidden:
            end = "record" if self.config.cash else "match"
            self.report.notes.append(f"decks not revealed before the end of the {end}: {hidden}")

    def _deck_faults(self, started: wire.StartHand, revealed: wire.RevealedHand) -> Iterator[str]:
        secret = bytes.fromhex(revealed.secret)
        if self.games is None:
            if commit_to(secret) != started.commit:
                yield "the revealed secret does not match the commitment"
            if revealed.deck:
                yield "a deck is revealed, but this game has no deck"
            return
        try:
            deal = reconstruct_deal(self.games.games[0].structure, started, ObservedCards(), revealed)
        except DealError as error:
            yield str(error)
            return
        if write_cards(deal.deck) != revealed.deck:
            yield "the revealed deck does not follow from its secret"


def _named(winners: list[tuple[int, str]]) -> str:
    return " and ".join(f"seat {seat} {team!r}" for seat, team in winners) or "none"


def _are_places(places: list[int | None], chips: list[int]) -> bool:
    """Return whether teams in this order can have these places. Records of older versions have no places.

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
    """Whether a frame belongs to a hand that has not begun yet."""
    return isinstance(message, wire.Mix)


def settings_of(config: wire.Config) -> Settings:
    """Return the settings in the `config` of a table. Raise `SettingsError` if they are not valid."""
    return Settings(
        seats=config.seats,
        stack=config.starting_stack,
        small_blind=config.sb,
        big_blind=config.bb or 1,
        move_time_ms=config.move_time_ms,
        max_hands=config.max_hands,
        timeout_policy=config.timeout_policy or "check_call",
        game=config.variant,
        own_game=config.game,
        reopening=config.reopening or "single",
        ante=config.ante,
        bring_in=config.bring_in,
        time_bank_ms=config.time_bank_ms,
        button=config.button or "moving",
        freeze_out=config.freeze_out,
        away_pace_ms=AWAY_PACE_MS if config.away_pace_ms is None else config.away_pace_ms,
        cash=config.cash,
        min_buy_in=config.min_buy_in,
        rake=config.rake,
        rake_cap=config.rake_cap,
        straddle=config.straddle,
    )
