"""Replay a recorded hand strictly: an action that breaks the rules is an error."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.events import Call, Fold, Refunded
from pitboss.betting.pots import Pot
from pitboss.betting.refusals import Refused, SetupError
from pitboss.betting.round import Post
from pitboss.betting.rules import Reopening
from pitboss.cards import is_known
from pitboss.errors import PitbossError
from pitboss.hand.events import Action, Event, Muck, Raked, Show, Won
from pitboss.hand.game_file import OWN_CODE, GameFileError, own_game
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.state import idle_choice
from pitboss.hand.structure import Rake, Stakes, Structure
from pitboss.records.money import Amount, Unit, events_in_money
from pitboss.records.moves import Move, MoveError, action_of, read_move, shows_again
from pitboss.records.record import EXPECTED_VARIANT, Record
from pitboss.records.table_fields import (
    BUTTON,
    DEAD_MONEY,
    DEAD_POSTS,
    GAME,
    RAKE,
    SITS_OUT,
    Lineup,
    LineupError,
    rake_taken,
    read_house_rules,
    read_reopening,
)
from pitboss.table.rotation import speaks_first

_Ending = tuple[Hand, tuple[Event, ...]]
_FEW_PARTS = 8  # `_least` tries every argument in a range of at most this length


class _RakeByPot(Rake, frozen=True, kw_only=True):
    """A rake with a fixed amount for each pot, starting with the main pot."""

    parts: tuple[int, ...]

    def taken(self, pots: Sequence[Pot], *, first_street: bool) -> tuple[int, ...]:
        return self.parts


def _end_as_recorded(before: Hand, action: Action, place: int | None, ended: _Ending, stacks: Sequence[int]) -> _Ending:
    """Return the end of the hand with the rake split over the pots so that the stacks are `stacks`.

    If no split leads to these stacks, `ended` is returned.
    """
    taken = [0] * len(ended[0].paid_pots)
    for event in ended[1]:
        if isinstance(event, Raked):
            taken[event.pot] = event.amount
    whole = [pot.amount + part for pot, part in zip(ended[0].paid_pots, taken, strict=True)]

    def end(parts: Sequence[int]) -> _Ending:
        rake = _RakeByPot(thousandths=0, parts=tuple(parts))
        hand, events = replace(before, stakes=replace(before.stakes, rake=rake)).act(action, place)
        return replace(hand, stakes=before.stakes), events

    def distance(parts: Sequence[int]) -> int:
        return sum([abs(ours - recorded) for ours, recorded in zip(end(parts)[0].stacks, stacks, strict=True)])

    for side in range(1, len(whole)):
        taken = _best_between_two(distance, taken, whole, side)
    return end(taken) if distance(taken) == 0 else ended


def _best_between_two(
    distance: Callable[[Sequence[int]], int], taken: Sequence[int], whole: Sequence[int], side: int
) -> list[int]:
    """Move rake between the main pot and a side pot to minimise `distance`. Return the rake of each pot."""
    both = taken[0] + taken[side]

    def parts(part: int) -> list[int]:
        return [both - part, *taken[1:side], part, *taken[side + 1 :]]

    return parts(_least(lambda part: distance(parts(part)), max(0, both - whole[0]), min(both, whole[side])))


def _least(function: Callable[[int], int], low: int, high: int) -> int:
    """Return the number from `low` to `high` for which a function that first falls and then rises is smallest."""
    while high - low > _FEW_PARTS:
        third = (high - low) // 3
        if function(low + third) <= function(high - third):
            high -= third
        else:
            low += third
    return min(range(low, high + 1), key=function)


class ReplayError(PitbossError, ValueError):
    """A record that cannot be played. `action` is the number of the action, from 1, or 0 for an error elsewhere.

    >>> from pitboss import Record, replay
    >>> record = Record(variant="NT", antes=(0, 0), starting_stacks=(9, 9), actions=())
    >>> replay(record)
    Traceback (most recent call last):
    pitboss.ReplayError: min_bet: missing; expected min_bet or small_bet
    """

    def __init__(self, sentence: str, action: int = 0) -> None:
        super().__init__(f"action {action}: {sentence}" if action else sentence)
        self.action = action


class ActionTaken(NamedTuple):
    """An action that was played, its events, and the hand before and after it."""

    before: Hand
    action: Action
    place: int | None
    events: tuple[Event, ...]
    hand: Hand


class Playback(Struct):
    """A replay in progress."""

    record: Record
    moves: list[Move]
    unit: Unit
    lineup: Lineup
    hand: Hand
    events: list[Event]
    taken: list[ActionTaken] | None = None  #: the actions played so far, or None if the caller does not need them

    def take(self, action: Action, place: int | None = None) -> None:
        """Play an action."""
        before = self.hand
        self.hand, happened = before.act(action, place)
        if self.hand.phase == "over" and self.hand.house and len(self.hand.paid_pots) > 1:
            self.hand, happened = self._end_as_recorded(before, action, place, happened)
        self.events += happened
        if self.taken is not None:
            self.taken.append(ActionTaken(before, action, place, happened, self.hand))

    def _end_as_recorded(self, before: Hand, action: Action, place: int | None, happened: tuple[Event, ...]) -> _Ending:
        """Return the hand and its last events, with the rake of each pot chosen to fit the recorded stacks.

        A record has only the total rake, not the rake of each pot.
        """
        recorded = self.record.finishing_stacks
        if recorded is None or RAKE in self.record.user:
            return self.hand, happened
        stacks = [self.unit.chips(recorded[player]) for player in self.lineup.players]
        if stacks == list(self.hand.stacks):
            return self.hand, happened
        return _end_as_recorded(before, action, place, (self.hand, happened), stacks)

    def play(self, move: Move) -> None:
        """Play a move. Raises `Refused` if it breaks the rules."""
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
        """Play all moves of the record. The hand may not be over afterwards."""
        for number in range(1, len(self.moves) + 1):
            self.play_recorded(number)
        self.finish()

    def finish(self) -> None:
        """Act for absent players after the last recorded move."""
        self.fold_absent(None)

    def play_recorded(self, number: int) -> None:
        """Play a recorded move. The first has number 1. Raises `ReplayError` if the move breaks the rules."""
        try:
            self.play(self.moves[number - 1])
        except Refused as refusal:
            text = self.record.actions[number - 1]
            raise ReplayError(f"{text!r}: {self.format_refusal(refusal)}", number) from None

    @property
    def to_act(self) -> int | None:
        """The place that must bet or draw now, if any."""
        if self.hand.phase == "bet":
            return self.hand.round.turn
        if self.hand.phase == "runs" and self.hand.runs is not None:
            return self.hand.runs.waiting[0]
        waiting = self.hand.draw.waiting if self.hand.phase == "draw" and self.hand.draw is not None else ()
        return waiting[0] if waiting else None

    def is_answer(self, move: Move, place: int) -> bool:
        """Return whether a move is a decision of this place in the current phase. The move may be illegal."""
        verbs = {"draw": ("sd",), "runs": ("runs",)}.get(self.hand.phase, ("f", "cc", "cbr", "pb"))
        return move.place == self.lineup.players[place] and move.verb in verbs

    def fold_absent(self, upcoming: Move | None) -> None:
        """Act for absent players until the turn of a present player, or of one whose move is `upcoming`."""
        while self.lineup.away and (place := self.to_act) is not None and place in self.lineup.away:
            if upcoming is not None and self.is_answer(upcoming, place):
                return
            self.take(default_action(self.hand))
        if upcoming is None and self.hand.phase == "show":
            self._show_absent()

    def _show_absent(self) -> None:
        """Show the cards of absent players who are all-in, and muck those of other absent players.

        If the board is not known, stop at the first player who must show.
        """
        for place in sorted(self.lineup.away):
            if self.hand.phase == "show" and place in self.hand.round.live and place not in self.hand.shown:
                claims = self.hand.round.stacks[place] == 0 and all(map(is_known, self.hand.holes[place]))
                if claims and not self.hand.offer.show:
                    return
                self.take(Show() if claims else Muck(), place)

    def name(self, place: int) -> str:
        """Return the name, such as p3, that the record's actions use for the player at a place."""
        return f"p{self.lineup.players[place] + 1}"

    def format_refusal(self, refusal: Refused) -> str:
        """Return the text of a refusal, with the record's money and names."""
        return refusal.format(self.unit.amount, self.name)

    def outcome(self, mended: Sequence[str] = ()) -> "Replay":
        """Return the result of the replay."""
        stacks = self.finishing_stacks()
        return Replay(self.hand, self.unit, tuple(self.events), stacks, self.lineup, tuple(mended))

    def differences(self) -> Iterator[str]:
        """Yield a sentence for each difference between the recorded outcome and the outcome by the rules."""
        recorded = self.record.finishing_stacks
        outcome = zip(self.finishing_stacks(), recorded, strict=True) if recorded else ()
        for player, (ours, stack) in enumerate(outcome):
            if ours != stack and ours < Decimal("Infinity"):
                yield f"p{player + 1} ends with {ours} by the rules, but the record has {stack}"
        taken = rake_taken(self.record.user)
        if taken is not None and taken != (ours := self.unit.amount(self.hand.house)):
            yield f"the rake is {ours} by the rules, but the record has {taken}"

    def finishing_stacks(self) -> tuple[Amount, ...]:
        """Return each player's stack in the record's money. A stack with an unknown start stays infinite."""
        stacks = list(self.record.starting_stacks)
        for place, player in enumerate(self.lineup.players):
            before = stacks[player]
            if not (isinstance(before, Decimal) and before.is_infinite()):
                stacks[player] = self.unit.amount(self.hand.stacks[place])
        return tuple(stacks)


def default_action(hand: Hand) -> Action:
    """Return the action of a player who does not act: the idle choice, a bring-in that is due, or a fold."""
    if (choice := idle_choice(hand)) is not None:
        return choice
    return Fold() if hand.offer.fold else Call()


def read_moves(record: Record) -> list[Move]:
    """Read the actions of a record. Raises `ReplayError` if one is invalid."""
    moves = []
    for number, text in enumerate(record.actions, 1):
        try:
            moves.append(read_move(text, len(record.starting_stacks)))
        except MoveError as error:
            raise ReplayError(str(error), number) from None
    return moves


def _finest_unit(record: Record, moves: Sequence[Move], lineup: Lineup) -> Unit:
    """Return the unit that makes all amounts of a record whole. The smallest one is needed to split odd chips."""
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
def game_of_code(variant: str, cap: int | None, reopening: Reopening | None, open_pair: bool) -> Structure:
    """Return the game with a PHH code, with these settings. `cap` replaces the game's own cap on raises."""
    if variant not in STRUCTURES:
        raise ReplayError(f"variant: {EXPECTED_VARIANT}, got {variant:.40}")
    game = STRUCTURES[variant]
    most = -1 if cap is None else cap
    game = game.with_betting(cap=most, reopening=game.betting.reopening if reopening is None else reopening)
    return replace(game, open_pair=open_pair)


def _own_game(record: Record, reopening: Reopening | None, open_pair: bool) -> Structure:
    """Return the game that a record contains, with its own cap."""
    try:
        game = own_game(record.user.get(GAME))
    except GameFileError as error:
        raise ReplayError(f"{GAME}: {error}") from None
    game = replace(game, open_pair=open_pair)
    return game if reopening is None else game.with_betting(reopening=reopening)


def house_cap(variant: str) -> int | None:
    """Return the game's own maximum number of raises in a round, or None if it has no maximum."""
    cap = STRUCTURES[variant].betting.cap if variant in STRUCTURES else -1
    return None if cap < 0 else cap


def _start(record: Record, unit: Unit, lineup: Lineup, cap: int | None) -> tuple[Hand, tuple[Event, ...]]:
    house = read_house_rules(record.user, unit)
    structure = (
        _own_game(record, lineup.reopening, house.open_pair)
        if record.variant == OWN_CODE
        else game_of_code(record.variant, cap, lineup.reopening, house.open_pair)
    )
    least = record.min_bet if record.min_bet is not None else record.small_bet
    if least is None:
        raise ReplayError("min_bet: missing; expected min_bet or small_bet")
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
        raise ReplayError(f"p{lineup.players[stacks.index(0)] + 1} is in the hand: expected a stack above 0")
    return Hand.start(structure, stacks=stacks, stakes=stakes)


def _posts(record: Record, unit: Unit, lineup: Lineup) -> tuple[Post, ...]:
    """Return all posts by place. A negative amount in the record is a live post without the option to act last."""
    n = len(record.starting_stacks)
    amounts = lineup.by_place(record.blinds_or_straddles or (0,) * n, n, "blinds or straddles")
    posts = [Post(place, abs(unit.chips(amount)), option=amount > 0) for place, amount in enumerate(amounts) if amount]
    dead = lineup.dead_posts
    posts += [
        Post(place, unit.chips(dead[player]), live=False) for place, player in enumerate(lineup.players) if dead[player]
    ]
    return tuple(posts)


def play_record(record: Record, cap: int | None = None) -> Playback:
    """Play all moves of a record. The hand may not be over afterwards. `cap` limits the raises in a round."""
    playback = start_playback(record, cap)
    playback.play_all()
    return playback


def start_playback(record: Record, cap: int | None = None) -> Playback:
    """Start the hand of a record, and post its forced bets. `cap` limits the raises in a round."""
    if not isinstance(record, Record):
        raise ReplayError(f"expected a Record, got {record!r:.40}; read_phh reads one from text")
    moves = read_moves(record)
    try:
        line = find_lineup(record, moves)
        unit = _finest_unit(record, moves, line)
        hand, events = _start(record, unit, line, cap)
    except (SetupError, LineupError) as error:
        raise ReplayError(str(error)) from None
    return Playback(record, moves, unit, line, hand, list(events))


def find_unit(record: Record, moves: list[Move]) -> Unit:
    """Return the unit that makes all amounts of a record whole."""
    everyone = tuple(range(len(record.starting_stacks)))
    dead = Lineup(players=everyone, dead_posts=dead_posts(record), dead_money=dead_money(record))
    return _finest_unit(record, moves, dead)


def find_lineup(record: Record, moves: Sequence[Move]) -> Lineup:
    """Return the players in the hand. A player who sits out is in the hand if they received cards."""
    n = len(record.starting_stacks)
    inactive = _flags(record, n)
    dealt = {move.place for move in moves if move.verb == "dh"}
    playing = [player for player in range(n) if not inactive[player] or player in dealt]
    if len(playing) < 2:
        raise LineupError(f"expected at least 2 players in the hand, got {len(playing)}")
    clockwise = list(range(n))
    if record.seats is not None and len(record.seats) == n:
        clockwise.sort(key=record.seats.__getitem__)
    button = record.user.get(BUTTON)
    if button is not None:
        if type(button) is not int or button not in playing:
            raise LineupError(f"{BUTTON}: expected the index of a player in the hand, got {button!r}")
        if record.seats is not None:
            playing.sort(key=record.seats.__getitem__)
        first = playing.index(button) + 1
        playing = playing[first:] + playing[:first]
    price, opener = _price_and_opener(record, clockwise, playing)
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


def _price_and_opener(record: Record, clockwise: Sequence[int], playing: Sequence[int]) -> tuple[Amount, int | None]:
    """Return the price and the first place to act if the player with the big blind is not in the hand.

    If the big blind is posted, the price is 0, and None means that the posts determine the first place to act.
    """
    blinds = record.blinds_or_straddles or ()
    size = record.min_bet if record.min_bet is not None else record.small_bet
    absent = [at for at, player in enumerate(clockwise) if player not in playing and blinds[player:] and size]
    absent = [at for at in absent if blinds[clockwise[at]] == size]
    if not absent or size is None:
        alike = len(playing) == 2 and len(blinds) >= 2 and blinds[playing[0]] == blinds[playing[1]] != 0
        return 0, 1 if alike else None  # heads-up with equal blinds, the button acts first
    if len(playing) > 2 and any(blinds[player] >= size for player in playing):
        return size, None
    return size, speaks_first([clockwise.index(player) for player in playing], absent[-1])


def dead_posts(record: Record) -> tuple[Amount, ...]:
    """Return the dead post of each player."""
    given, n = record.user.get(DEAD_POSTS), len(record.starting_stacks)
    if given is None:
        return (0,) * n
    if not isinstance(given, tuple) or len(given) != n:
        raise LineupError(f"{DEAD_POSTS}: expected {n} amounts, one per player")
    return tuple(_amount(amount, DEAD_POSTS) for amount in given)


def dead_money(record: Record) -> Amount:
    """Return the chips in the pot before the forced bets."""
    return _amount(record.user.get(DEAD_MONEY, 0), DEAD_MONEY)


def _amount(value: object, field: str) -> Amount:
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not Decimal(value).is_finite() or value < 0:
        raise LineupError(f"{field}: expected an amount from 0, got {value!r}")
    return value


def _flags(record: Record, n: int) -> tuple[bool, ...]:
    given = record.user.get(SITS_OUT)
    if given is None:
        return (False,) * n
    if not isinstance(given, tuple) or len(given) != n or not all(type(flag) is int for flag in given):
        raise LineupError(f"{SITS_OUT}: expected {n} whole numbers, one per player")
    return tuple(flag != 0 for flag in given)


class Replay(Struct, frozen=True):
    """The result of a replay. Amounts are in the record's money; inside `hand` they are in chips.

    >>> from pitboss import Record, replay
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> played = replay(record)
    >>> played.finishing_stacks, len(played.events)
    ((48, 52), 8)
    """

    hand: Hand
    unit: Unit  #: the conversion between the record's money and chips
    chip_events: tuple[Event, ...]  #: all events, with amounts in chips
    finishing_stacks: tuple[Amount, ...]
    lineup: Lineup  #: the place of each player
    mended: tuple[str, ...] = ()  #: the repairs of lenient replay, one sentence each

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, with amounts in the record's money. An amount with a fraction is a Decimal."""
        return events_in_money(self.chip_events, self.unit)


def replay(record: Record, cap: int | None = None) -> Replay:
    """Play a record to its end by the rules, and check its finishing stacks and rake.

    `cap` limits the number of bets and raises in a round, including the big blind. Without it this number is unlimited,
    because a record has no field for it.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 f"))
    >>> replay(record).finishing_stacks
    (51, 49)
    """
    playback = play_record(record, cap)
    check_end(playback)
    return playback.outcome()


def check_end(playback: Playback) -> None:
    """Raise `ReplayError` if the hand is not over, or its outcome differs from the record."""
    if not playback.hand.over:
        raise ReplayError(f"the record stops before the hand is over, after {len(playback.record.actions)} actions")
    for difference in playback.differences():
        raise ReplayError(difference)


def find_collected(record: Record, played: Replay) -> dict[int, int]:
    """Return the chips that each place collected."""
    hand, unit, players = played.hand, played.unit, played.lineup.players
    won = won_by_rules(played)
    recorded = []
    if record.winnings:
        winnings = _by_place(record.winnings, players, unit)
        returned = {event.place: event.amount for event in played.chip_events if isinstance(event, Refunded)}
        # Some records count an uncalled bet as winnings.
        recorded += [winnings, {place: chips - returned.get(place, 0) for place, chips in winnings.items()}]
    if record.finishing_stacks:
        after = _by_place(record.finishing_stacks, players, unit)
        recorded.append({place: after[place] - hand.stacks[place] + chips for place, chips in won.items()})
    whole, rake = whole_pot(played), rake_taken(record.user)
    for chips in recorded:
        if min(chips.values()) < 0:
            continue
        if unit.amount(whole - sum(chips.values())) == rake if rake is not None else _gets_no_more(chips, won):
            return chips
    return won


def won_by_rules(played: Replay) -> dict[int, int]:
    """Return the chips that each place won in the replay."""
    won = dict.fromkeys(range(len(played.hand.stacks)), 0)
    for event in played.chip_events:
        if isinstance(event, Won):
            won[event.place] += event.amount
    return won


def whole_pot(played: Replay) -> int:
    """Return the total of all pots, including the rake."""
    return sum(pot.amount for pot in played.hand.pots) + played.hand.house


def _gets_no_more(recorded: dict[int, int], won: dict[int, int]) -> bool:
    """Return whether the recorded winners are those by the rules, and none of them wins more.

    A winner can win less, because the rake was not recorded.
    """
    return all(bool(recorded[place]) == bool(chips) and recorded[place] <= chips for place, chips in won.items())


def _by_place(amounts: Sequence[Amount], players: Sequence[int], unit: Unit) -> dict[int, int]:
    return {place: unit.chips(amounts[player]) for place, player in enumerate(players)}
