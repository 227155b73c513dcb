"""Whatever is played comes back from PokerStars text; whatever a text says, reading it fails only as it should."""

from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.betting.events import Bet, Call, Check, Fold, Raise
from pitboss.cards import DECK
from pitboss.formats.phh import read_phh, write_phh
from pitboss.formats.sites.pokerstars import PokerStarsError
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.hand.events import Action, DealBoard, DealHole, Muck, Show, Won
from pitboss.hand.hand import Hand
from pitboss.records.lenient import replay_leniently
from pitboss.records.money import Amount
from pitboss.records.record import Record
from pitboss.records.replay import ReplayError, replay, start_playback
from tests.formats.sites.test_pokerstars import CASH, LATE, TOURNAMENT
from tests.support.formats.pokerstars import read_pokerstars, scan_pokerstars

# --- records as they may be played

LETTERS = "abAB09 .:,;!?'\"()[]{}#$%&*-_=+/\\|<>~^éß中😀"
NAMES = st.text(LETTERS, min_size=1, max_size=8).filter(lambda name: name == name.strip() and not name.endswith("[ME]"))
Draw = Callable[[st.SearchStrategy[Any]], Any]


def setting(draw: Draw) -> Record:
    """A table with its forced bets, nothing dealt yet; all amounts are in units of `unit`."""
    n = draw(st.integers(2, 6))
    inactive = (0, *[draw(st.sampled_from([0, 0, 0, 1])) for _ in range(n - 1)])
    if inactive.count(0) < 2:
        inactive = (0,) * n
    playing = [player for player in range(n) if not inactive[player]]
    blinds, dead, stacks = [0] * n, [0] * n, [draw(st.integers(1, 60)) for _ in range(n)]
    small, big = (playing[1], playing[0]) if len(playing) == 2 else (playing[0], playing[1])
    blinds[small], blinds[big] = draw(st.sampled_from([0, 1, 1, 1])), 2
    ante = draw(st.sampled_from([0, 0, 1, 3]))
    for player in playing[2:] if not ante else ():  # games with antes have no late posts
        blinds[player], dead[player] = draw(st.sampled_from([(0, 0), (0, 0), (-2, 0), (-2, 1), (0, 1)]))
    for player in playing:  # a debt that is paid on coming back
        dead[player] = dead[player] or draw(st.sampled_from([0, 0, 0, 1, 2, 3]))
        stacks[player] += 10 if dead[player] else 0
    antes = [0 if inactive[player] else ante for player in range(n)]
    if n == 2:
        blinds.reverse()
    unit: Amount = draw(st.sampled_from([1, 50, Decimal("0.25"), Decimal("0.05")]))
    seats = sorted(draw(st.permutations(range(1, 10)))[:n])
    first = draw(st.integers(0, n - 1))

    def amounts(chips: list[int]) -> tuple[Amount, ...]:
        return tuple(one * unit for one in chips)

    user = {"_inactive": inactive} if any(inactive) else {}
    return Record(
        variant="NT",
        ante_trimming_status=True if ante else None,
        antes=amounts(antes),
        blinds_or_straddles=amounts(blinds),
        min_bet=2 * unit,
        starting_stacks=amounts(stacks),
        actions=(),
        hand=draw(st.integers(0, 10**12)),
        seats=tuple(seats[first:] + seats[:first]),
        seat_count=draw(st.sampled_from([9, 10])),
        table=draw(NAMES),
        players=tuple(draw(st.lists(NAMES, min_size=n, max_size=n, unique=True))),
        currency_symbol=draw(st.sampled_from([None, "$", "€"])),
        user=user | ({"_deadPosts": amounts(dead)} if any(dead) else {}),
    )


def choose(draw: Draw, hand: Hand, deck: list[str]) -> tuple[Action, int | None]:
    """Something that may be done now."""
    if hand.phase == "deal":
        for place in hand.round.live:
            if not hand.holes[place]:
                return DealHole(place, (deck.pop(), deck.pop())), place
        return DealBoard(tuple(deck.pop() for _ in range(3 if not hand.board else 1))), None
    if hand.phase == "show":
        place = next(p for p in hand.round.live if p not in hand.shown)
        alone = len(hand.round.live) - len(hand.shown) == 1 and not hand.shown
        return (Show() if alone or not draw(st.sampled_from([0, 0, 1])) else Muck()), place
    offer, place = hand.offer, hand.round.turn
    options: list[Action] = [Check()] * 4 if offer.check else [Fold()] * 2
    options += [Call()] * 4 if offer.call is not None else []
    for bounds, action in ((offer.bet, Bet), (offer.raise_, Raise)):
        if bounds:
            options += [action(draw(st.integers(bounds.min_to, bounds.max_to))), action(bounds.max_to)]
    return draw(st.sampled_from(options)), place


@st.composite
def played(draw: st.DrawFn) -> Record:
    """A hand played to its end at random, sometimes raked."""
    record = setting(draw)
    hand_so_far = start_playback(record)
    deck = list(DECK)
    Random(draw(st.integers(0, 2**32))).shuffle(deck)
    actions: list[str] = []
    while not hand_so_far.hand.over:
        action, place = choose(draw, hand_so_far.hand, deck)
        who = f"p{hand_so_far.lineup.players[place] + 1}" if place is not None else ""
        match action:
            case DealHole(cards=cards):
                actions.append(f"d dh {who} {''.join(cards)}")
            case DealBoard(cards=cards):
                actions.append(f"d db {''.join(cards)}")
            case Bet(to=int(to)) | Raise(to=int(to)):
                actions.append(f"{who} cbr {hand_so_far.unit.amount(to)}")
            case Fold():
                actions.append(f"{who} f")
            case Show() if place is not None:
                actions.append(f"{who} sm {''.join(hand_so_far.hand.holes[place])}")
            case Muck():
                actions.append(f"{who} sm")
            case _:
                actions.append(f"{who} cc")
        hand_so_far.take(action, None if isinstance(action, DealHole | DealBoard) else place)
    return raked(draw, replace(record, actions=tuple(actions)))


def raked(draw: Draw, record: Record) -> Record:
    """The same hand with its end recorded, a little of the pots kept by the house, which leaves winners some."""
    rake = (record.min_bet or 0) if draw(st.booleans()) else 0
    played = replay_leniently(replace(record, user=dict(record.user) | {"_rake": rake}))
    if not all(event.amount for event in played.chip_events if isinstance(event, Won)):
        played = replay_leniently(replace(record, user=dict(record.user) | {"_rake": 0}))
    taken = played.unit.amount(played.hand.house)
    return replace(record, finishing_stacks=played.finishing_stacks, user=dict(record.user) | {"_rake": taken})


def one(text: str) -> Record:
    (record,) = read_pokerstars(text)
    return record


def numbers(actions: tuple[str, ...]) -> list[list[Any]]:
    """Actions with their amounts as numbers: 2.50 is 2.5."""
    return [
        [Decimal(word) if word[0].isdigit() and "cbr" in text else word for word in text.split()] for text in actions
    ]


@given(played())
def test_played_hands_survive_a_round_trip(record: Record) -> None:
    back = one(write_pokerstars(record))
    written = (
        "blinds_or_straddles",
        "starting_stacks",
        "finishing_stacks",
        "seats",
        "players",
        "hand",
        "table",
        "min_bet",
    )
    for field in (*written, "seat_count", "currency_symbol"):
        assert getattr(back, field) == getattr(record, field), field
    for field in ("_rake", "_inactive", "_deadPosts"):
        assert back.user.get(field) == record.user.get(field), field
    assert numbers(back.actions) == numbers(record.actions)


@given(played())
def test_read_hands_survive_a_round_trip_and_replay(record: Record) -> None:
    back = one(write_pokerstars(record))
    assert one(write_pokerstars(back)) == back
    assert read_phh(write_phh(back)) == back
    assert replay(back).finishing_stacks == replay(record).finishing_stacks


# --- texts as they may be broken

PARTS = [*CASH.splitlines(keepends=True), *LATE.splitlines(keepends=True), *TOURNAMENT.splitlines(keepends=True)]
PARTS += [
    *"\n\r []():#'/0$*",
    "\ufeff",
    "\0",
    "\u2028",
    "²",
    "9" * 5000,
    "0.000000001",
    "Seat 0: ",
    "*** ",
    "-1",
    "1e9",
]
PARTS += [
    " and is all-in",
    "posts the ante 1",
    ": shows [",
    "[As Ad]",
    "Infinity",
    "NaN",
    "Ann",
    "Level ",
    " - ",
    "(((",
]


@st.composite
def broken(draw: st.DrawFn) -> str:
    text: str = draw(st.sampled_from([CASH, LATE, TOURNAMENT, CASH + "\n\n" + TOURNAMENT]))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        put = draw(st.sampled_from(PARTS) | st.text(max_size=3))
        text = text[:at] + put + text[at + draw(st.sampled_from([0, 0, 1, 2, 10, 60])) :]
    return text


@given(broken() | st.text())
def test_reading_fails_only_as_it_should(text: str) -> None:
    lines = 1 + text.count("\n") + text.count("\r")
    for number, found in scan_pokerstars(text, "x"):
        assert 1 <= number <= lines
        if isinstance(found, PokerStarsError):
            assert number <= found.line <= lines
            assert found.text
        else:
            assert read_phh(write_phh(found)) == found


def agrees_with_the_rules(record: Record) -> bool:
    """Whether a record can be played to its end, and only winners end with less than they then have."""
    try:
        finish = replay(record).finishing_stacks
    except ReplayError:
        return False
    ends = zip(finish, record.finishing_stacks or (), record.winnings or (), strict=True)
    return all(after == printed or won for after, printed, won in ends)


@given(broken())
def test_readable_and_playable_hands_survive_a_round_trip(text: str) -> None:
    for _, found in scan_pokerstars(text):
        if isinstance(found, Record) and agrees_with_the_rules(found):
            back = one(write_pokerstars(found))
            assert replace(back, user={}, actions=()) == replace(found, user={}, actions=())


@given(broken())
def test_a_broken_hand_spoils_no_other(text: str) -> None:
    after = [found for _, found in scan_pokerstars(text + "\n\n" + CASH)]
    assert after[-1] == one(CASH)
