"""What players who are all-in could expect when the last decision was made: their shares by exact equity."""

import datetime as dt
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from pitboss.betting import core
from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Raised
from pitboss.betting.pots import Pot
from pitboss.cards import Card, is_known
from pitboss.fast.compiled import NotInstalled
from pitboss.fast.equity.equity import equity
from pitboss.fast.equity.forms import form
from pitboss.hand.events import Won
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.records.lenient import begin_leniently
from pitboss.records.money import Amount, Unit
from pitboss.records.record import Record
from pitboss.records.replay import ActionTaken, Playback

_PARTS = 10**12
SAMPLES = 20_000
"""Where counting would take too long: a share is then off by 0.0035 of the pot in one standard deviation at most."""
_PATIENCE = 5
"""After so many matches have been counted by plain code it is worth loading what is compiled."""


def expected_chips(hand: Hand, holes: Sequence[Sequence[Card]], paid_out: int) -> Mapping[int, Fraction] | None:
    """What each player left could expect of the chips that were paid out, at the moment when betting was over.

    None where that cannot be said: a live hand was never shown, or the game's equity is not counted here. Folded cards
    count as unknown, whether or not the record has them, and the house's part is taken of every pot alike.
    """
    live = hand.round.live
    if not is_counted(hand) or not all(map(is_known, [card for place in live for card in holes[place]])):
        return None
    whole = sum([pot.amount for pot in hand.pots])
    if not whole:
        return None
    expected = dict.fromkeys(live, Fraction(0))
    for pot in hand.pots:
        for place, share in _shares(hand, pot, holes).items():
            expected[place] += share * Fraction(pot.amount * paid_out, whole)
    return expected


def is_counted(hand: Hand) -> bool:
    """Whether only the board is to come in this game: not in stud, where each has cards to come, nor in draw."""
    structure = hand.structure
    return structure.hole_by_street[0] == structure.hole_by_street[-1] and not structure.draws


def _shares(hand: Hand, pot: Pot, holes: Sequence[Sequence[Card]]) -> Mapping[int, Fraction]:
    """Each claimant's part of a pot."""
    if len(pot.places) == 1:
        return {pot.places[0]: Fraction(1)}
    hands = [tuple(holes[place]) for place in pot.places]
    dead = tuple([card for place in hand.round.live if place not in pot.places for card in holes[place]])
    order = sorted(range(len(hands)), key=lambda at: _by_rank(hands[at]))
    relabelled = _relabel([*[hands[at] for at in order], hand.board, dead])
    parts = count_parts(hand.structure.code, tuple(relabelled[:-2]), relabelled[-2], relabelled[-1])
    return {pot.places[at]: Fraction(part, _PARTS) for at, part in zip(order, parts, strict=True)}


def _by_rank(cards: Sequence[Card]) -> list[str]:
    return sorted([card[0] for card in cards])


def _relabel(groups: Sequence[Sequence[Card]]) -> list[str]:
    """Groups of cards with their suits renamed in the order they come, so that like matches are counted once."""
    suits: dict[str, str] = {}
    names = iter("cdhs")
    texts = []
    for cards in groups:
        ordered = sorted(cards, key=lambda card: card[0])
        for card in ordered:
            if card[1] not in suits:
                suits[card[1]] = next(names)
        texts.append("".join(sorted([card[0] + suits[card[1]] for card in ordered])))
    return texts


@lru_cache(maxsize=1 << 16)
def count_parts(game: str, hands: tuple[str, ...], board: str, dead: str) -> tuple[int, ...]:
    """The share of each hand in a game, by its code, in parts of 10**12 that add up to a whole pot.

    All boards are counted, but for three and more hands of other games than hold'em before the flop: they are sampled.

    >>> count_parts("NT", ("AhAd", "KsKc"), "", "")
    (812554896794, 187445103206)
    """
    structure = STRUCTURES[game]
    two = structure.hole_by_street[0] == 2
    if two and not board and count_parts.cache_info().misses > _PATIENCE:
        _load_compiled()
    exact = two or bool(board) or len(hands) == 2
    given: dict[str, Any] = {"exact": True} if exact else {"samples": SAMPLES}
    shares = equity(*hands, structure=structure, board=board, dead=dead, cores=1, **given).equity
    parts = [round(share * _PARTS) for share in shares]
    parts[-1] = _PARTS - sum(parts[:-1])
    return tuple(parts)


@cache
def _load_compiled() -> None:
    """Have the compiled loops at hand, where they are installed; they count the same, a hundred times as fast."""
    with suppress(NotInstalled):
        form(compiled=True)


LATE = ("BTN", "CO", "HJ", "LJ")
"""From the button backwards."""
POSITIONS = ("UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5", "UTG+6", "LJ", "HJ", "CO", "BTN", "SB", "BB")
"""In the order in which they speak before the flop."""


def name_positions(hand: Hand) -> tuple[str | None, ...]:
    """The names of all places; None where there is no button, as in stud.

    The last place is called the button also where the button lies before an empty seat.

    >>> from pitboss import NO_LIMIT_HOLDEM, Stakes, blinds
    >>> stakes = Stakes(min_bet=2, posts=blinds(6, 1, 2))
    >>> name_positions(Hand.start(NO_LIMIT_HOLDEM, stacks=(99,) * 6, stakes=stakes)[0])
    ('SB', 'BB', 'UTG', 'HJ', 'CO', 'BTN')
    """
    n = len(hand.stacks)
    if hand.structure.betting.bring_in:
        return (None,) * n
    if n == 2:
        return "BB", "BTN"
    small = big = None
    for post in hand.stakes.posts:
        if post.live and post.option and post.place != n - 1:
            if post.amount < hand.stakes.min_bet:
                small = post.place if small is None else small
            elif big is None:
                big = post.place
    others = [place for place in range(n) if place not in (small, big)]
    names = dict(zip(others, _names(len(others)), strict=True))
    return tuple(["SB" if place == small else "BB" if place == big else names[place] for place in range(n)])


def _names(count: int) -> list[str]:
    """The names of so many places without a blind, the first to speak first."""
    late = list(LATE[: count if count < len(LATE) else min(count - 1, len(LATE))][::-1])
    early = [f"UTG+{number}" if number else "UTG" for number in range(count - len(late))]
    return early + late


CHIPS = "chips"
"""What is won where a record names no currency, as in tournaments."""
_CODES = {"$": "USD", "€": "EUR", "£": "GBP"}
"""The currency that a sign means where a record names none, as in GGPoker's text."""
_DECISIONS = (Folded, Checked, Called, Raised, BroughtIn)
FINE = 10**6
"""An expected result is rounded to so many parts of the least unit that the record's money has."""


class PlayerMarks(Struct):
    """What one player did in one hand."""

    name: str = ""
    position: str | None = None
    won: Amount = 0  #: in the record's money; below zero: lost
    adjusted: Amount = 0  #: the same, with the expected result where all-in players waited for cards
    all_in: bool = False  #: whether that is another number than `won` for a reason
    asked: bool = False  #: on the first street
    vpip: bool = False
    pfr: bool = False
    three_bet_chance: bool = False
    three_bet: bool = False
    c_bet_chance: bool = False
    c_bet: bool = False
    aggressive: int = 0  #: bets and raises after the first street
    passive: int = 0  #: calls and folds there
    saw_second: bool = False  #: was in the hand when the second street came
    showdown: bool = False
    won_showdown: bool = False


class MarkedHand(Struct, frozen=True):
    """One hand: its money, its day, and the marks of everybody dealt in."""

    currency: str
    big: Amount  #: the big blind, or limit's small bet
    stake: str
    day: dt.date | None
    players: tuple[PlayerMarks, ...]


def mark_hand(record: Record, *, expected: bool = True) -> MarkedHand:
    """The marks of a hand, replayed leniently; raises `ReplayError` where that cannot be done.

    Without `expected` nobody's expected result is counted, which takes long: `adjusted` is what was won.
    """
    playback = begin_leniently(record)
    taken: list[ActionTaken] = []
    playback.taken = taken
    opening = playback.hand
    playback.play_all()
    names = record.players or tuple([f"p{number}" for number in range(1, len(record.starting_stacks) + 1)])
    positions = name_positions(opening)
    marks = [PlayerMarks(names[player], positions[place]) for place, player in enumerate(playback.lineup.players)]
    _mark_betting(marks, opening, taken)
    _mark_results(marks, playback, taken if expected else ())
    big = record.min_bet if record.min_bet is not None else record.small_bet or 0
    symbol = record.currency_symbol or CHIPS
    currency = record.currency or _CODES.get(symbol, symbol)
    return MarkedHand(currency, big, _stake(record, big, currency), _day(record), tuple(marks))


# --- what was done


def _mark_betting(marks: list[PlayerMarks], opening: Hand, taken: Sequence[ActionTaken]) -> None:
    """Marks of everything that was decided."""
    bets = 1 if opening.round.price else 0  # how many the first street has seen, a blind or bring-in the first
    aggressor, open_betting = -1, True  # who raised last on the first street; nobody has bet on the second yet
    seen_second = False
    for before, _, _, events, hand in taken:
        if not seen_second and hand.street:
            seen_second = True
            for place in hand.round.live:
                marks[place].saw_second = True
        if before.phase != "bet":
            continue
        event = events[0]
        if not isinstance(event, _DECISIONS):
            continue
        mark = marks[event.place]
        if before.street == 0:
            _mark_first(mark, before, event, bets)
            if isinstance(event, Raised):
                bets += 1
                aggressor = event.place
            continue
        if before.street == 1 and open_betting:
            if event.place == aggressor:
                mark.c_bet_chance, mark.c_bet = True, isinstance(event, Raised)
            open_betting = not isinstance(event, Raised)
        if isinstance(event, Raised):
            mark.aggressive += 1
        elif isinstance(event, Called | Folded):
            mark.passive += 1


def _mark_first(mark: PlayerMarks, before: Hand, event: object, bets: int) -> None:
    """Marks of a decision on the first street, before which so many bets were made."""
    if isinstance(event, BroughtIn):
        return
    mark.asked = True
    raised = isinstance(event, Raised)
    if bets == 2 and (raised or core.raise_refusal(before.structure.betting, before.round, before.round.turn) == 0):
        mark.three_bet_chance, mark.three_bet = True, raised
    if raised:
        mark.vpip = mark.pfr = True
    elif isinstance(event, Called):
        mark.vpip = True


# --- what was won


def _mark_results(marks: list[PlayerMarks], playback: Playback, taken: Sequence[ActionTaken]) -> None:
    """Marks of the showdown and the money."""
    record, last, unit = playback.record, playback.hand, playback.unit
    behind, folded = list(last.stacks), set()
    for event in playback.events:
        if isinstance(event, Won):
            behind[event.place] = behind[event.place] - event.amount
        elif isinstance(event, Folded):
            folded.add(event.place)
    players = playback.lineup.players
    won, collected = [], []
    for place, had in enumerate(behind):
        paid = unit.chips(record.starting_stacks[players[place]]) - had
        net = _net(record, players[place], paid, last.stacks[place] - had, unit)
        won.append(net)
        collected.append(net + paid)
    shown = len(marks) - len(folded) > 1
    for place, mark in enumerate(marks):
        mark.won = mark.adjusted = _money(won[place], unit)
        if shown and place not in folded:
            mark.showdown, mark.won_showdown = True, collected[place] > 0
    all_in = next((each.hand for each in taken if each.hand.phase == "deal" and each.hand.betting_is_over), None)
    expected = None if all_in is None else expected_chips(all_in, last.holes, sum(collected))
    for place, chips in _rounded(expected or {}).items():
        paid = collected[place] - won[place]
        marks[place].adjusted, marks[place].all_in = (chips / FINE - paid) / unit.scale, True


def _net(record: Record, player: int, paid: int, replayed: int, unit: Unit) -> int:
    """What a player has won, in chips: as recorded, else by the rules."""
    start = record.starting_stacks[player]
    if record.finishing_stacks is not None and Decimal(start).is_finite():
        return unit.chips(record.finishing_stacks[player]) - unit.chips(start)
    if record.winnings is not None:
        return unit.chips(record.winnings[player]) - paid
    return replayed - paid


def _money(chips: int, unit: Unit) -> Amount:
    """Chips in the record's money, also below zero."""
    return unit.amount(chips) if chips >= 0 else -unit.amount(-chips)


def _rounded(expected: Mapping[int, Fraction]) -> dict[int, Decimal]:
    """Expected chips in millionths, rounded so that they add up to what they did before."""
    rounded = {place: round(chips * FINE) for place, chips in expected.items()}
    if rounded:
        rounded[max(rounded)] += round(sum(expected.values()) * FINE) - sum(rounded.values())
    return {place: Decimal(chips) for place, chips in rounded.items()}


# --- what kind of hand it was


def _day(record: Record) -> dt.date | None:
    if record.year is None or record.month is None or record.day is None:
        return None
    try:
        return dt.date(record.year, record.month, record.day)
    except ValueError:
        return None


def _stake(record: Record, big: Amount, currency: str) -> str:
    """The stakes as players say them: `0.05/0.10 USD`."""
    if record.small_bet is not None and record.big_bet is not None:
        return f"{_spell(record.small_bet)}/{_spell(record.big_bet)} {currency}"
    blinds = [blind for blind in record.blinds_or_straddles or () if 0 < blind < big]
    return f"{_spell(min(blinds))}/{_spell(big)} {currency}" if blinds else f"{_spell(big)} {currency}"


def _spell(amount: Amount) -> str:
    """An amount without decimals, or with two at least, however the record spells it."""
    if amount == int(amount):
        return str(int(amount))
    return f"{amount:.2f}" if amount * 100 == int(amount * 100) else f"{Decimal(amount).normalize()}"
