"""A played hand as a record: its forced money in the fields of PHH, its events as PHH's moves."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, assert_never

from msgspec.structs import replace

from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.betting.round import Post
from pitboss.cards import write_cards
from pitboss.errors import PitbossError
from pitboss.hand.events import BoardDealt, Discarded, Event, HoleDealt, Mucked, Raked, RunBegun, Shown, UpDealt, Won
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, Structure
from pitboss.records.record import Record, Toml
from pitboss.records.replay import DEAD_MONEY, DEAD_POSTS, REOPENING, play_out
from pitboss.records.table_fields import OPENER, house_fields


class RecordingError(PitbossError, ValueError):
    """A hand that PHH and our fields beside it have no words for."""


def record_hand(stacks: Sequence[int], hand: Hand, events: Iterable[Event], **fields: Any) -> Record:
    """The record of a hand, given the stacks before it, how it stands and all that happened; `fields` are the record's.

    Players are places: from the button's left. Whatever comes out can be replayed.

    >>> from pitboss import NO_LIMIT_HOLDEM, Fold, Stakes, blinds
    >>> stakes = Stakes(min_bet=2, posts=blinds(2, 1, 2))
    >>> hand, events = Hand.start(NO_LIMIT_HOLDEM, stacks=(9, 9), stakes=stakes, deck=NO_LIMIT_HOLDEM.deck)
    >>> hand, folded = hand.act(Fold())
    >>> record = record_hand((9, 9), hand, events + folded, event="a walk")
    >>> record.blinds_or_straddles, record.actions, record.finishing_stacks
    ((1, 2), ('d dh p1 2c2h', 'd dh p2 2d2s', 'p2 f'), (10, 8))
    """
    stakes, structure, n = hand.stakes, hand.structure, len(stacks)
    _check_game(structure)
    blinds, dead = _posts(stakes, n)
    exact, in_order = structure.betting.exact, -1 if n == 2 else 1  # heads-up the button, who is last, is listed first
    own = house_fields(structure, stakes) | _table_fields(stakes, dead)
    opener = _left_of_highest(stakes.posts, n) if stakes.opener is None else stakes.opener
    if opener != _opener_said(blinds) and not stakes.bomb:
        own[OPENER] = opener
    if structure.betting.reopening != STRUCTURES[structure.code].betting.reopening:
        own[REOPENING] = structure.betting.reopening.name.lower()
    return Record(
        **{
            "variant": structure.code,
            "ante_trimming_status": stakes.equal_antes if any(stakes.antes) else None,
            "antes": (stakes.antes or (0,) * n)[::in_order],
            "blinds_or_straddles": None if structure.betting.bring_in else tuple(blinds[::in_order]),
            "bring_in": stakes.bring_in or None,
            "small_bet": stakes.min_bet if exact else None,
            "big_bet": stakes.big_bet if exact else None,
            "min_bet": None if exact else stakes.min_bet,
            "starting_stacks": tuple(stacks),
            "actions": spell_moves(events),
            "finishing_stacks": hand.stacks if hand.over else None,
            **fields,
            "user": own | dict(fields.get("user", {})),
        }
    )


def record_whole_hand(hand: Hand, events: Iterable[Event], **fields: Any) -> Record:
    """The record of a hand by its events alone; raises `RecordingError` unless they lead to how it stands."""
    events = tuple(events)
    for event in events:
        if not isinstance(event, Event):
            raise RecordingError(f"{event!r:.40} is no event of a hand")
    stacks = starting_stacks(hand, events)
    try:
        again = play_out(record_hand(stacks, hand, events)).hand
    except RecordingError:
        raise
    except PitbossError:
        again = None
    if again is None or _standing(again) != _standing(hand):
        raise RecordingError("these are not all events of this hand: a record needs every one since its start")
    return record_hand(stacks, hand, events, **fields)


def _standing(hand: Hand) -> tuple[object, ...]:
    """What chips and cards of a hand its moves lead to."""
    round, draws = hand.round, () if hand.draw is None else hand.draw.waiting
    return hand.stacks, round.bets, round.paid, round.folded, round.acted, draws, hand.board, hand.holes, hand.over


def starting_stacks(hand: Hand, events: Sequence[Event]) -> tuple[int, ...]:
    """The stacks before a hand, given how it stands and all that happened."""
    given = [(e.place, e.amount) for e in events if isinstance(e, Posted | Called | BroughtIn | Raised)]
    got = [(e.place, e.amount) for e in events if isinstance(e, Refunded | Won)]
    return tuple([left + _sum_for(place, given) - _sum_for(place, got) for place, left in enumerate(hand.stacks)])


def _sum_for(place: int, amounts: Iterable[tuple[int, int]]) -> int:
    return sum([amount for whose, amount in amounts if whose == place])


def _check_game(structure: Structure) -> None:
    """Refuse a game whose code says something else."""
    known = STRUCTURES.get(structure.code)
    if known is None or replace(structure, betting=known.betting, open_pair=known.open_pair) != known:
        raise RecordingError(f"{structure.name} is a game of one's own, which no code of a record names")
    settings = {"cap": known.betting.cap, "reopening": known.betting.reopening}
    if replace(structure.betting, **settings) != known.betting:
        raise RecordingError(f"{structure.name} is played with betting rules that no record can name")


def _posts(stakes: Stakes, n: int) -> tuple[list[int], list[int]]:
    """What each place posts live, negative where it does not speak last, and dead."""
    live, dead = [0] * n, [0] * n
    for post in stakes.posts:
        if (live if post.live else dead)[post.place]:
            raise RecordingError(f"place {post.place} posts twice, and a record has one entry a player")
        if post.live:
            _check_before_dead(post, dead)
            live[post.place] = post.amount if post.option else -post.amount
        else:
            dead[post.place] = post.amount
    if stakes.price:
        raise RecordingError("the blinds do not say what staying costs, and a record says no more")
    return live, dead


def _opener_said(live: Sequence[int]) -> int:
    """Who speaks first by a record's blinds: left of the highest, heads-up the button also where they are alike."""
    if len(live) == 2 and live[0] == live[1] != 0:
        return 1
    return _left_of_highest([Post(place, amount, option=amount > 0) for place, amount in enumerate(live)], len(live))


def _left_of_highest(posts: Sequence[Post], n: int) -> int:
    """The place left of the highest blind or straddle, the last of those that are alike, or the first."""
    found = [(post.amount, number, post.place) for number, post in enumerate(posts) if post.option]
    return (max(found)[2] + 1) % n if found else 0


def _check_before_dead(post: Post, dead: Sequence[int]) -> None:
    if dead[post.place]:
        raise RecordingError(f"place {post.place} posts dead before live; in a record what is live comes first")


def _table_fields(stakes: Stakes, dead: Sequence[int]) -> dict[str, Toml]:
    fields: dict[str, Toml] = {}
    if stakes.dead:
        fields[DEAD_MONEY] = stakes.dead
    if any(dead):
        fields[DEAD_POSTS] = tuple(dead)
    return fields


def spell_moves(events: Iterable[Event]) -> tuple[str, ...]:
    """Everything that happened in PHH's moves; what follows from the others, such as a payment, is left out.

    A player's cards of one street are one move, those face down before those face up, and cards are changed before any
    are dealt, as other programs expect it.

    >>> spell_moves((HoleDealt(0, ("2c", "3d")), HoleDealt(1, ("4c", "5d")), UpDealt(0, ("6h",)), UpDealt(1, ("7h",))))
    ('d dh p1 2c3d6h', 'd dh p2 4c5d7h')
    """
    return tuple([move for event in _joined(events) if (move := _move(event))])


def _joined(events: Iterable[Event]) -> Iterator[Event]:
    """The events with every player's cards of one street in one deal, those of a draw after all have spoken."""
    dealt: dict[int, HoleDealt | UpDealt] = {}
    drawn: set[int] = set()  # who has spoken in the present draw
    for event in events:
        if isinstance(event, Discarded):
            if not drawn or event.place in drawn:
                yield from dealt.values()
                dealt.clear()
                drawn.clear()
            drawn.add(event.place)
            yield event
        elif isinstance(event, HoleDealt | UpDealt):
            before = dealt.get(event.place)
            if isinstance(before, HoleDealt) and isinstance(event, UpDealt):
                dealt[event.place] = UpDealt(event.place, before.cards + event.cards)
                continue
            if before is not None:  # another street
                yield from dealt.values()
                dealt.clear()
            dealt[event.place] = event
        else:
            yield from dealt.values()
            dealt.clear()
            drawn.clear()
            yield event
    yield from dealt.values()


def _move(event: Event) -> str | None:
    match event:
        case HoleDealt(place=place, cards=cards) | UpDealt(place=place, cards=cards):
            return f"d dh p{place + 1} {write_cards(cards)}"
        case BoardDealt(cards=cards):
            return f"d db {write_cards(cards)}"
        case Discarded(place=place, cards=cards):
            return f"p{place + 1} sd {write_cards(cards)}".rstrip()
        case BroughtIn(place=place):
            return f"p{place + 1} pb"
        case Folded(place=place):
            return f"p{place + 1} f"
        case Checked(place=place) | Called(place=place):
            return f"p{place + 1} cc"
        case Raised(place=place, to=to):
            return f"p{place + 1} cbr {to}"
        case Shown(place=place, cards=cards):
            return f"p{place + 1} sm {write_cards(cards)}"
        case Mucked(place=place):
            return f"p{place + 1} sm"
        case Posted() | Refunded() | Raked() | RunBegun() | Won():
            return None
        case _:
            assert_never(event)
