"""A recorded hand step by step: after every action how the hand stands, who did what, and what happened."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, Event
from pitboss.hand.hand import Hand
from pitboss.records.lenient import begin_leniently
from pitboss.records.money import Amount, Unit, events_in_money
from pitboss.records.record import Record
from pitboss.records.replay import Playback, begin, check_end


class ReplayStep(Struct, frozen=True, kw_only=True):
    """One action of a recorded hand; amounts are in the record's own money, those inside the two hands in chips.

    `names` are by place, as `stacks`, `bets` and the hand's cards are: from the button's left.
    """

    number: int  #: of the recorded action, from 1; 0 for the forced bets; those put in share that of the next
    text: str  #: as recorded; empty where nothing is recorded: the forced bets, what was put in
    before: Hand | None  #: how the hand stood; None before the forced bets
    hand: Hand
    action: Action | None
    place: int | None  #: who acts or is dealt to; None: the dealer, for all
    player: int | None  #: the same as an index into the record's own arrays
    names: tuple[str, ...]
    unit: Unit
    chip_events: tuple[Event, ...]

    @property
    def name(self) -> str | None:
        """Who acts or is dealt to."""
        return None if self.place is None else self.names[self.place]

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened; an amount with a fraction is a Decimal."""
        return events_in_money(self.chip_events, self.unit)

    @property
    def stacks(self) -> tuple[Amount, ...]:
        """Everybody's money behind."""
        return self._money(self.hand.stacks)

    @property
    def bets(self) -> tuple[Amount, ...]:
        """What everybody has bet on this street."""
        return self._money(self.hand.round.bets)

    @property
    def pot(self) -> Amount:
        """All that is in the middle, bets among it; 0 once it is paid."""
        return self.unit.amount(self.hand.round.chips_in_middle)

    def _money(self, chips: Sequence[int]) -> tuple[Amount, ...]:
        return tuple(map(self.unit.amount, chips))


def replay_steps(record: Record, *, lenient: bool = False, cap: int | None = None) -> Iterator[ReplayStep]:
    """Play a record action by action; strict and lenient are as for `replay` and `replay_leniently`.

    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> for step in replay_steps(record):
    ...     print(step.number, step.name, step.text, step.pot, step.stacks)
    0 None  3 (48, 49)
    1 Ann d dh p1 ???? 3 (48, 49)
    2 Bo d dh p2 ???? 3 (48, 49)
    3 Bo p2 cbr 6 8 (48, 44)
    4 Ann p1 f 0 (48, 52)
    """
    playback = begin_leniently(record, cap) if lenient else begin(record, cap)
    playback.taken = []
    names = tuple([_name(record, player) for player in playback.lineup.players])
    yield ReplayStep(
        number=0,
        text="",
        before=None,
        hand=playback.hand,
        action=None,
        place=None,
        player=None,
        names=names,
        unit=playback.unit,
        chip_events=tuple(playback.events),
    )
    for number, text in enumerate(record.actions, 1):
        playback.play_recorded(number)
        yield from _steps(playback, number, text, names)
    playback.finish()
    yield from _steps(playback, len(record.actions) + 1, "", names)
    if not lenient:
        check_end(playback)


def _steps(playback: Playback, number: int, text: str, names: tuple[str, ...]) -> Iterator[ReplayStep]:
    """The actions taken since the last time, the last of which is the one recorded."""
    taken, playback.taken = playback.taken or [], []
    for at, (before, action, place, events, hand) in enumerate(taken, 1):
        if place is None and isinstance(turn := before.turn, PlayersTurn):
            place = turn.place
        yield ReplayStep(
            number=number,
            text=text if at == len(taken) else "",
            before=before,
            hand=hand,
            action=action,
            place=place,
            player=None if place is None else playback.lineup.players[place],
            names=names,
            unit=playback.unit,
            chip_events=events,
        )


def _name(record: Record, player: int) -> str:
    return record.players[player] if record.players else f"p{player + 1}"
