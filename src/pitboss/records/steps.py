"""Replay a recorded hand step by step. A step has an action, its player, its events and the hand after it."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, Event
from pitboss.hand.hand import Hand
from pitboss.records.lenient import start_lenient_playback
from pitboss.records.money import Amount, Unit, events_in_money
from pitboss.records.record import Record
from pitboss.records.replay import Playback, check_end, start_playback


class ReplayStep(Struct, frozen=True, kw_only=True):
    """One action of a recorded hand, or its forced bets.

    Amounts are in the record's money; inside `before` and `hand` they are in chips. `names`, `stacks` and `bets` are in
    the order of places, starting left of the button.

    >>> from pitboss import Record, replay_steps
    >>> record = Record(variant="NT", antes=(0, 0), blinds_or_straddles=(1, 2), min_bet=2, starting_stacks=(50, 50),
    ...                 actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"), players=("Ann", "Bo"))
    >>> [step.text for step in replay_steps(record)][-2:]
    ['p2 cbr 6', 'p1 f']
    """

    number: int  #: 0 for the forced bets, then the number of the recorded action or of the next recorded one
    text: str  #: the recorded action; empty for the forced bets, and for actions that the replay added
    before: Hand | None  #: the hand before the action; None for the forced bets
    hand: Hand  #: the hand after the action
    action: Action | None
    place: int | None  #: the place that acts or receives cards; None for board cards
    player: int | None  #: the index in the record's arrays of the player at `place`
    names: tuple[str, ...]
    unit: Unit
    chip_events: tuple[Event, ...]

    @property
    def name(self) -> str | None:
        """The name of the player who acts or receives cards."""
        return None if self.place is None else self.names[self.place]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of this step, in the record's money. An amount with a fraction is a Decimal."""
        return events_in_money(self.chip_events, self.unit)

    @property
    def stacks(self) -> tuple[Amount, ...]:
        """The remaining stack of each place."""
        return self._money(self.hand.stacks)

    @property
    def bets(self) -> tuple[Amount, ...]:
        """The bet of each place on this street."""
        return self._money(self.hand.round.bets)

    @property
    def pot(self) -> Amount:
        """All chips in the pots and bets. It is 0 after the pots are paid."""
        return self.unit.amount(self.hand.round.chips_in_middle)

    def _money(self, chips: Sequence[int]) -> tuple[Amount, ...]:
        return tuple(map(self.unit.amount, chips))


def replay_steps(record: Record, *, lenient: bool = False, cap: int | None = None) -> Iterator[ReplayStep]:
    """Play a record like `replay`, or like `replay_leniently` if `lenient` is set, and yield each action.

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
    playback = start_lenient_playback(record, cap) if lenient else start_playback(record, cap)
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
    """Yield the actions since the last call. The last one is the recorded action; the replay added the others."""
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
