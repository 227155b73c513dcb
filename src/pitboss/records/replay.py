"""Replay a recorded hand by the rules, move by move.

Replay is strict: the first impossible action is an error. `lenient` continues where a record is incomplete or odd.
"""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.events import Call, Fold
from pitboss.betting.pots import Pot
from pitboss.betting.refusals import Refused, SetupError
from pitboss.betting.round import Post
from pitboss.betting.rules import Reopening
from pitboss.cards import is_known
from pitboss.errors import PitbossError
from pitboss.hand.events import Action, Discard, Event, Muck, Raked, Show
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Rake, Stakes, Structure
from pitboss.records.money import Amount, Unit, events_in_money
from pitboss.records.moves import Move, MoveError, action_of, read_move, shows_again
from pitboss.records.record import NO_SUCH_GAME, Record
from pitboss.records.table_fields import (
    BUTTON,
    DEAD_MONEY,
    DEAD_POSTS,
    RAKE,
    SITS_OUT,
    Lineup,
    LineupError,
    rake_taken,
    read_house_rules,
    read_reopening,
)
from pitboss.table.rotation import speaks_first

Ending = tuple[Hand, tuple[Event, ...]]
_FEW_PARTS = 8  # so few parts are tried one by one


class RakeByPot(Rake, frozen=True, kw_only=True):
    """So much of each pot, the main one first."""

    parts: tuple[int, ...]

    def taken(self, pots: Sequence[Pot], *, first_street: bool) -> tuple[int, ...]:
        """The parts as they were given."""
        return self.parts


def end_as_recorded(before: Hand, action: Action, place: int | None, ended: Ending, stacks: Sequence[int]) -> Ending:
    """The end of a hand with its rake taken otherwise from the pots, where that gives these stacks; else as it is."""
    taken = [0] * len(ended[0].paid_pots)
    for event in ended[1]:
        if isinstance(event, Raked):
            taken[event.pot] = event.amount
    whole = [pot.amount + part for pot, part in zip(ended[0].paid_pots, taken, strict=True)]

    def end(parts: Sequence[int]) -> Ending:
        rake = RakeByPot(thousandths=0, parts=tuple(parts))
        hand, events = replace(before, stakes=replace(before.stakes, rake=rake)).act(action, place)
        return replace(hand, stakes=before.stakes), events

    def distance(parts: Sequence[int]) -> int:
        return sum([abs(here - there) for here, there in zip(end(parts)[0].stacks, stacks, strict=True)])

    for side in range(1, len(whole)):
        taken = _best_between_two(distance, taken, whole, side)
    return end(taken) if distance(taken) == 0 else ended


def _best_between_two(
    distance: Callable[[Sequence[int]], int], taken: Sequence[int], whole: Sequence[int], side: int
) -> list[int]:
    """The parts with the least distance of those in which the main pot and one other give together what they gave."""
    both = taken[0] + taken[side]

    def parts(part: int) -> list[int]:
        return [both - part, *taken[1:side], part, *taken[side + 1 :]]

    return parts(_least(lambda part: distance(parts(part)), max(0, both - whole[0]), min(both, whole[side])))


def _least(function: Callable[[int], int], low: int, high: int) -> int:
    """Where a function that falls and then rises is least, between these two."""
    while high - low > _FEW_PARTS:
        third = (high - low) // 3
        if function(low + third) <= function(high - third):
            high -= third
        else:
            low += third
    return min(range(low, high + 1), key=function)


class ReplayError(PitbossError, ValueError):
    """A record that cannot be played; `action` counts from 1, 0 is the setup."""

    def __init__(self, sentence: str, action: int = 0) -> None:
        super().__init__(f"action {action}: {sentence}" if action else sentence)
        self.action = action


class ActionTaken(NamedTuple):
    """One action that a hand took: how it stood before, what happened, how it stands after."""

    before: Hand
    action: Action
    place: int | None
    events: tuple[Event, ...]
    hand: Hand


class Playback(Struct):
    """A replay under way: the hand so far, and who of the record has which place in it."""

    record: Record
    moves: list[Move]
    unit: Unit
    lineup: Lineup
    hand: Hand
    events: list[Event]
    taken: list[ActionTaken] | None = None  #: where it is asked for, every action since it was last emptied

    def take(self, action: Action, place: int | None = None) -> None:
        """Let the hand take an action."""
        before = self.hand
        self.hand, happened = before.act(action, place)
        if self.hand.phase == "over" and self.hand.house and len(self.hand.paid_pots) > 1:
            self.hand, happened = self._end_as_recorded(before, action, place, happened)
        self.events += happened
        if self.taken is not None:
            self.taken.append(ActionTaken(before, action, place, happened, self.hand))

    def _end_as_recorded(
        self, before: Hand, action: Action, place: int | None, happened: tuple[Event, ...]
    ) -> tuple[Hand, tuple[Event, ...]]:
        """The end of a hand where a rake is taken of several pots, and the record says only how much altogether."""
        recorded = self.record.finishing_stacks
        if recorded is None or RAKE in self.record.user:
            return self.hand, happened
        stacks = [self.unit.chips(recorded[player]) for player in self.lineup.players]
        if stacks == list(self.hand.stacks):
            return self.hand, happened
        return end_as_recorded(before, action, place, (self.hand, happened), stacks)

    def play(self, move: Move) -> None:
        """Play one recorded move; raises `Refused` where the rules do."""
        if move.verb == "note":
            return
        if self.lineup.away:
            self.fold_absent(move)
        try:
            place = None if move.place is None else self.lineup.place(move.place)
        except LineupError as error:
            raise Refused("not_dealt_in", str(error)) from None
        if move.verb == "sm" and place is not None and shows_again(self.hand, self.events, move, place):
            return
        self.take(action_of(self.hand, move, place, self.unit), place)

    def play_all(self) -> None:
        """Play all that the record has, whether or not that ends the hand."""
        for number in range(1, len(self.moves) + 1):
            self.play_recorded(number)
        self.finish()

    def finish(self) -> None:
        """Act for players who went away, once nothing more is recorded."""
        self.fold_absent(None)

    def play_recorded(self, number: int) -> None:
        """Play one recorded move, counted from 1; raises `ReplayError` where the rules refuse it."""
        try:
            self.play(self.moves[number - 1])
        except Refused as refusal:
            text = self.record.actions[number - 1]
            raise ReplayError(f"{text!r}: {self.format_refusal(refusal)}", number) from None

    @property
    def to_act(self) -> int | None:
        """The place that has to bet or to change cards now."""
        if self.hand.phase == "bet":
            return self.hand.round.turn
        waiting = self.hand.draw.waiting if self.hand.phase == "draw" and self.hand.draw is not None else ()
        return waiting[0] if waiting else None

    def is_answer(self, move: Move, asked: int) -> bool:
        """Whether a move is what the place that is asked may say now, allowed or not."""
        words = ("sd",) if self.hand.phase == "draw" else ("f", "cc", "cbr", "pb")
        return move.place == self.lineup.players[asked] and move.verb in words

    def fold_absent(self, upcoming: Move | None) -> None:
        """Fold, bring in or stand pat for whoever is asked but has gone away, unless the next move is still his own."""
        while self.lineup.away and (asked := self.to_act) is not None and asked in self.lineup.away:
            if upcoming is not None and self.is_answer(upcoming, asked):
                return
            self.take(default_action(self.hand))
        if upcoming is None and self.hand.phase == "show":
            self.show_absent()

    def show_absent(self) -> None:
        """At the showdown, show for whoever went away all-in, who keeps his claim, and muck for the others who went.

        A claim that an unknown board would have to decide stays open.
        """
        for place in sorted(self.lineup.away):
            if self.hand.phase == "show" and place in self.hand.round.live and place not in self.hand.shown:
                claims = self.hand.round.stacks[place] == 0 and all(map(is_known, self.hand.holes[place]))
                if claims and not self.hand.offer.show:
                    return
                self.take(Show() if claims else Muck(), place)

    def name(self, place: int) -> str:
        """The player at a place as the record calls him."""
        return f"p{self.lineup.players[place] + 1}"

    def format_refusal(self, refusal: Refused) -> str:
        """A refusal in the record's own money and names."""
        return refusal.format(self.unit.amount, self.name)

    def outcome(self, mended: Sequence[str] = ()) -> "Replay":
        """How the hand has ended."""
        stacks = self.finishing_stacks()
        return Replay(self.hand, self.unit, tuple(self.events), stacks, self.lineup, tuple(mended))

    def differences(self) -> Iterator[str]:
        """What the record says of the outcome and the rules do not."""
        recorded = self.record.finishing_stacks
        outcome = zip(self.finishing_stacks(), recorded, strict=True) if recorded else ()
        for player, (here, there) in enumerate(outcome):
            if here != there and here < Decimal("Infinity"):
                yield f"p{player + 1} ends with {here} by the rules, but the record says {there}"
        taken = rake_taken(self.record.user)
        if taken is not None and taken != (here := self.unit.amount(self.hand.house)):
            yield f"the house takes {here} by the rules, but the record says {taken}"

    def finishing_stacks(self) -> tuple[Amount, ...]:
        """Everybody's stack in the record's own money; one of unknown depth stays unknown."""
        stacks = list(self.record.starting_stacks)
        for place, player in enumerate(self.lineup.players):
            before = stacks[player]
            if not (isinstance(before, Decimal) and before.is_infinite()):
                stacks[player] = self.unit.amount(self.hand.stacks[place])
        return tuple(stacks)


def start(record: Record, moves: list[Move], lineup: Lineup, cap: int | None = None) -> Playback:
    """The hand of a record after its forced bets, nothing dealt yet; `cap` is the most raises a round, None any."""
    try:
        unit = _finest_unit(record, moves, lineup)
        hand, events = _start(record, unit, lineup, cap)
    except (SetupError, LineupError) as error:
        raise ReplayError(str(error)) from None
    return Playback(record, moves, unit, lineup, hand, list(events))


def default_action(hand: Hand) -> Action:
    """What is done for somebody who does not speak: standing pat, the bring-in where it is his, or else a fold."""
    if hand.phase == "draw":
        return Discard()
    return Fold() if hand.offer.fold else Call()


def read_moves(record: Record) -> list[Move]:
    """Every action of a record as a move."""
    moves = []
    for number, text in enumerate(record.actions, 1):
        try:
            moves.append(read_move(text, len(record.starting_stacks)))
        except MoveError as error:
            raise ReplayError(str(error), number) from None
    return moves


def _finest_unit(record: Record, moves: Sequence[Move], lineup: Lineup) -> Unit:
    """The finest unit the record uses anywhere, so that a recorded split of an odd chip comes out as recorded."""
    amounts = [move.amount for move in moves if move.amount is not None]
    for several in (
        record.antes,
        record.starting_stacks,
        record.blinds_or_straddles,
        record.finishing_stacks,
        record.winnings,
        lineup.dead_posts,
    ):
        amounts += several or ()
    amounts += (
        record.bring_in or 0,
        record.min_bet or 0,
        record.small_bet or 0,
        record.big_bet or 0,
        lineup.dead_money,
        rake_taken(record.user) or 0,
    )
    return Unit.finest(amounts)


@lru_cache(maxsize=256)
def find_game(variant: str, cap: int | None, reopening: Reopening | None, open_pair: bool) -> Structure:
    """The game of a record, which carries no cap on raises: there is one only where it is given."""
    if variant not in STRUCTURES:
        raise ReplayError(f"variant {variant:.40} {NO_SUCH_GAME}")
    game = STRUCTURES[variant]
    most = -1 if cap is None else cap
    game = game.with_betting(cap=most, reopening=game.betting.reopening if reopening is None else reopening)
    return replace(game, open_pair=open_pair)


def house_cap(variant: str) -> int | None:
    """How many raises a round live play of a game allows; None: any number."""
    cap = STRUCTURES[variant].betting.cap if variant in STRUCTURES else -1
    return None if cap < 0 else cap


def _start(record: Record, unit: Unit, lineup: Lineup, cap: int | None) -> tuple[Hand, tuple[Event, ...]]:
    house = read_house_rules(record.user, unit)
    structure = find_game(record.variant, cap, lineup.reopening, house.open_pair)
    least = record.min_bet if record.min_bet is not None else record.small_bet
    if least is None:
        raise ReplayError("the record says neither min_bet nor small_bet")
    stakes = Stakes(
        min_bet=unit.chips(least),
        big_bet=None if record.big_bet is None else unit.chips(record.big_bet),
        posts=_posts(record, unit, lineup),
        antes=tuple(unit.chips(ante) for ante in lineup.by_place(record.antes, len(record.starting_stacks), "antes")),
        equal_antes=bool(record.ante_trimming_status),
        dead=unit.chips(lineup.dead_money),
        price=unit.chips(lineup.price),
        opener=lineup.opener if house.opener is None else lineup.place(house.opener),
        rake=house.rake,
        bring_in=0 if record.bring_in is None else unit.chips(record.bring_in),
        runs=house.runs,
        bomb=house.bomb,
    )
    stacks = [unit.chips(record.starting_stacks[player]) for player in lineup.players]
    if 0 in stacks:
        raise ReplayError(f"p{lineup.players[stacks.index(0)] + 1} has no chips and cannot be dealt in")
    return Hand.start(structure, stacks=stacks, stakes=stakes)


def _posts(record: Record, unit: Unit, lineup: Lineup) -> tuple[Post, ...]:
    """Blinds, straddles and posts; a negative one is a live post of somebody who came late, and does not speak last."""
    n = len(record.starting_stacks)
    amounts = lineup.by_place(record.blinds_or_straddles or (0,) * n, n, "blinds or straddles")
    posts = [Post(place, abs(unit.chips(amount)), option=amount > 0) for place, amount in enumerate(amounts) if amount]
    dead = lineup.dead_posts
    posts += [
        Post(place, unit.chips(dead[player]), live=False) for place, player in enumerate(lineup.players) if dead[player]
    ]
    return tuple(posts)


def play_out(record: Record, cap: int | None = None) -> Playback:
    """Play all that a record has, whether or not that ends the hand; `cap` is the most raises a round, None any."""
    playback = begin(record, cap)
    playback.play_all()
    return playback


def begin(record: Record, cap: int | None = None) -> Playback:
    """The hand of a record after its forced bets, nothing dealt yet."""
    moves = read_moves(record)
    try:
        line = lineup(record, moves)
    except LineupError as error:
        raise ReplayError(str(error)) from None
    return start(record, moves, line, cap)


def find_unit(record: Record, moves: list[Move]) -> Unit:
    """The finest unit the record uses anywhere."""
    everybody = tuple(range(len(record.starting_stacks)))
    dead = Lineup(players=everybody, dead_posts=dead_posts(record), dead_money=dead_money(record))
    return _finest_unit(record, moves, dead)


def lineup(record: Record, moves: Sequence[Move]) -> Lineup:
    """Who plays: all but those who sit out and have been dealt no cards."""
    n = len(record.starting_stacks)
    inactive = _flags(record, n)
    dealt = {move.place for move in moves if move.verb == "dh"}
    playing = [player for player in range(n) if not inactive[player] or player in dealt]
    if len(playing) < 2:
        raise LineupError(f"a hand needs at least two players, not {len(playing)}")
    clockwise = list(range(n))
    if record.seats is not None and len(record.seats) == n:
        clockwise.sort(key=record.seats.__getitem__)
    button = record.user.get(BUTTON)
    if button is not None:
        if type(button) is not int or button not in playing:
            raise LineupError(f"{BUTTON} is {button!r}, which is nobody who plays")
        if record.seats is not None:
            playing.sort(key=record.seats.__getitem__)
        first = playing.index(button) + 1
        playing = playing[first:] + playing[:first]
    price, opener = _unposted(record, clockwise, playing)
    return Lineup(
        players=tuple(playing),
        away=frozenset(place for place, player in enumerate(playing) if inactive[player]),
        by_player=button is not None,
        dead_posts=dead_posts(record),
        dead_money=dead_money(record),
        price=price,
        opener=opener,
        reopening=read_reopening(record.user),
    )


def _unposted(record: Record, clockwise: Sequence[int], playing: Sequence[int]) -> tuple[Amount, int | None]:
    """The price and who speaks first where whoever has the big blind is not dealt in; else nothing."""
    blinds = record.blinds_or_straddles or ()
    size = record.min_bet if record.min_bet is not None else record.small_bet
    absent = [at for at, player in enumerate(clockwise) if player not in playing and blinds[player:] and size]
    absent = [at for at in absent if blinds[clockwise[at]] == size]
    if not absent or size is None:
        alike = len(playing) == 2 and len(blinds) >= 2 and blinds[playing[0]] == blinds[playing[1]] != 0
        return 0, 1 if alike else None  # heads-up the button speaks first, also with a blind of the same size
    if len(playing) > 2 and any(blinds[player] >= size for player in playing):
        return size, None
    return size, speaks_first([clockwise.index(player) for player in playing], absent[-1])


def dead_posts(record: Record) -> tuple[Amount, ...]:
    """What each player posts dead beside his blind, as a returning player does."""
    given, n = record.user.get(DEAD_POSTS), len(record.starting_stacks)
    if given is None:
        return (0,) * n
    if not isinstance(given, tuple) or len(given) != n:
        raise LineupError(f"{DEAD_POSTS} must be {n} amounts, one a player")
    return tuple(_amount(amount, DEAD_POSTS) for amount in given)


def dead_money(record: Record) -> Amount:
    """Chips that are in the pot before anybody posts."""
    return _amount(record.user.get(DEAD_MONEY, 0), DEAD_MONEY)


def _amount(value: object, field: str) -> Amount:
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not Decimal(value).is_finite() or value < 0:
        raise LineupError(f"{field}: {value!r} is no amount")
    return value


def _flags(record: Record, n: int) -> tuple[bool, ...]:
    given = record.user.get(SITS_OUT)
    if given is None:
        return (False,) * n
    if not isinstance(given, tuple) or len(given) != n or not all(type(flag) is int for flag in given):
        raise LineupError(f"{SITS_OUT} must be {n} whole numbers, one a player")
    return tuple(flag != 0 for flag in given)


class Replay(Struct, frozen=True):
    """How a recorded hand ended when played again; amounts are in the record's own money, those of `hand` in chips."""

    hand: Hand
    unit: Unit  #: how many chips make one unit of that money
    chip_events: tuple[Event, ...]  #: what happened, in chips
    finishing_stacks: tuple[Amount, ...]
    lineup: Lineup  #: who has which place in it
    mended: tuple[str, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened; an amount with a fraction is a Decimal."""
        return events_in_money(self.chip_events, self.unit)


def replay(record: Record, cap: int | None = None) -> Replay:
    """Play a record to its end by the rules; what it says of finishing stacks and rake must come out.

    A record carries no cap on raises, and so there is none unless one is given: the most bets and raises a round, a big
    blind among them.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 f"))
    >>> replay(record).finishing_stacks
    (51, 49)
    """
    playback = play_out(record, cap)
    check_end(playback)
    return playback.outcome()


def check_end(playback: Playback) -> None:
    """Raise `ReplayError` unless a hand is over, with the outcome that its record has."""
    if not playback.hand.over:
        raise ReplayError(f"the record stops before the hand is over, with {len(playback.record.actions)} actions")
    for difference in playback.differences():
        raise ReplayError(difference)
