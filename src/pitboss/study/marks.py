"""The marks of one recorded hand: the actions, chances and winnings of each player.

Expected winnings are computed for players who are all-in, from their exact equity at the last decision.

docs/reference/statistics.md has examples of every mark: hands in which it counts and hands in which it does not.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from msgspec import Struct

from pitboss.betting import core
from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Raised
from pitboss.betting.pots import Pot
from pitboss.cards import Card, is_known
from pitboss.fast.equity.equity import equity
from pitboss.hand.events import Won
from pitboss.hand.game_file import OWN_CODE
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Structure
from pitboss.records.lenient import start_lenient_playback
from pitboss.records.money import CURRENCIES, Amount, Unit
from pitboss.records.record import Record
from pitboss.records.replay import ActionTaken, Playback

_LATE_POSITIONS = ("BTN", "CO", "HJ", "LJ")
"""The positions from the button backwards."""
POSITIONS = ("UTG", "UTG+1", "UTG+2", "UTG+3", "UTG+4", "UTG+5", "UTG+6", "LJ", "HJ", "CO", "BTN", "SB", "BB")
"""The positions in their order before the flop."""
CHIPS = "chips"
"""The currency of records without a currency, such as tournaments."""
_DECISIONS = (Folded, Checked, Called, Raised, BroughtIn)
_UNIT_PARTS = 10**6
"""Expected results are rounded to this fraction of the smallest unit of the record's money."""
_SHARE_PARTS = 10**12
SAMPLES = 20_000
"""The number of samples if counting takes too long. The standard error of a share is then at most 0.0035 of the pot."""


def name_positions(hand: Hand) -> tuple[str | None, ...]:
    """Return the position names of all places; None in games without a button, such as stud.

    The last place is called the button even if the button is at an empty seat.

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
    """Return the names of the places without a blind, in the order of action."""
    late = list(
        _LATE_POSITIONS[: count if count < len(_LATE_POSITIONS) else min(count - 1, len(_LATE_POSITIONS))][::-1]
    )
    early = [f"UTG+{number}" if number else "UTG" for number in range(count - len(late))]
    return early + late


class PlayerMarks(Struct):
    """The actions, chances and winnings of one player in one hand."""

    name: str = ""
    position: str | None = None
    won: Amount = 0  #: the winnings in the record's money, negative for a loss
    adjusted: Amount = 0  #: the expected winnings if players were all-in before the last card, otherwise the winnings
    all_in: bool = False  #: whether `adjusted` is an expected result
    asked: bool = False  #: made a decision on the first street
    vpip: bool = False
    pfr: bool = False
    three_bet_chance: bool = False
    three_bet: bool = False
    c_bet_chance: bool = False
    c_bet: bool = False
    aggressive: int = 0  #: bets and raises after the first street
    passive: int = 0  #: calls and folds after the first street
    saw_second: bool = False  #: was in the hand when the second street began
    showdown: bool = False
    won_showdown: bool = False


class MarkedHand(Struct, frozen=True):
    """One hand: its money, its day, and the marks of all players dealt in."""

    currency: str
    big: Amount  #: the big blind, or limit's small bet
    stake: str
    day: dt.date | None
    players: tuple[PlayerMarks, ...]


def mark_hand(record: Record, *, expected: bool = True) -> MarkedHand:
    """Return the marks of a hand, replayed leniently; raise `ReplayError` if it cannot be replayed.

    Expected results take long. Without `expected` they are not computed, and `adjusted` equals the winnings.
    """
    playback = start_lenient_playback(record)
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
    currency = record.currency or CURRENCIES.get(symbol, symbol)
    return MarkedHand(currency, big, _stake(record, big, currency), _day(record), tuple(marks))


# --- decisions


def _mark_betting(marks: list[PlayerMarks], opening: Hand, taken: Sequence[ActionTaken]) -> None:
    """Mark all decisions."""
    bets = 1 if opening.round.price else 0  # bets on the first street, including a blind or bring-in
    aggressor = -1  # the last raiser on the first street
    open_betting = True  # whether the second street has no bet yet
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
    """Mark a decision on the first street after `bets` bets."""
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


# --- results


def _mark_results(marks: list[PlayerMarks], playback: Playback, taken: Sequence[ActionTaken]) -> None:
    """Mark the showdown and the winnings."""
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
        marks[place].adjusted, marks[place].all_in = (chips / _UNIT_PARTS - paid) / unit.scale, True


def _net(record: Record, player: int, paid: int, replayed: int, unit: Unit) -> int:
    """Return a player's result in chips, from the record or, if it has none, by the rules."""
    start = record.starting_stacks[player]
    if record.finishing_stacks is not None and Decimal(start).is_finite():
        return unit.chips(record.finishing_stacks[player]) - unit.chips(start)
    if record.winnings is not None:
        return unit.chips(record.winnings[player]) - paid
    return replayed - paid


def _money(chips: int, unit: Unit) -> Amount:
    """Return chips, positive or negative, in the record's money."""
    return unit.amount(chips) if chips >= 0 else -unit.amount(-chips)


def _rounded(expected: Mapping[int, Fraction]) -> dict[int, Decimal]:
    """Return expected chips, rounded to millionths in a way that keeps their sum."""
    rounded = {place: round(chips * _UNIT_PARTS) for place, chips in expected.items()}
    if rounded:
        rounded[max(rounded)] += round(sum(expected.values()) * _UNIT_PARTS) - sum(rounded.values())
    return {place: Decimal(chips) for place, chips in rounded.items()}


# --- day and stake


def _day(record: Record) -> dt.date | None:
    if record.year is None or record.month is None or record.day is None:
        return None
    try:
        return dt.date(record.year, record.month, record.day)
    except ValueError:
        return None


def _stake(record: Record, big: Amount, currency: str) -> str:
    """Return the stakes in the usual form: `0.05/0.10 USD`."""
    if record.small_bet is not None and record.big_bet is not None:
        return f"{_spell(record.small_bet)}/{_spell(record.big_bet)} {currency}"
    blinds = [blind for blind in record.blinds_or_straddles or () if 0 < blind < big]
    return f"{_spell(min(blinds))}/{_spell(big)} {currency}" if blinds else f"{_spell(big)} {currency}"


def _spell(amount: Amount) -> str:
    """Return an amount without decimals, or with at least two, independently of the record's form."""
    if amount == int(amount):
        return str(int(amount))
    return f"{amount:.2f}" if amount * 100 == int(amount * 100) else f"{Decimal(amount).normalize()}"


def expected_chips(hand: Hand, holes: Sequence[Sequence[Card]], paid_out: int) -> Mapping[int, Fraction] | None:
    """Return the mean winnings of each live player over all boards that were possible at the end of the betting.

    None if a live hand was never shown, or if other cards than the board are to come. Folded cards are treated as
    unknown, even if the record contains them. The rake is taken from all pots in proportion.
    """
    live = hand.round.live
    if not _is_counted(hand) or not all(map(is_known, [card for place in live for card in holes[place]])):
        return None
    whole = sum([pot.amount for pot in hand.pots])
    if not whole:
        return None
    expected = dict.fromkeys(live, Fraction(0))
    for pot in hand.pots:
        for place, share in _shares(hand, pot, holes).items():
            expected[place] += share * Fraction(pot.amount * paid_out, whole)
    return expected


def _is_counted(hand: Hand) -> bool:
    """Return whether only board cards are dealt after the first street, unlike in stud and draw games."""
    structure = hand.structure
    changing = structure.draws or structure.discards or structure.boards > 1
    return structure.hole_by_street[0] == structure.hole_by_street[-1] and not changing


def _shares(hand: Hand, pot: Pot, holes: Sequence[Sequence[Card]]) -> Mapping[int, Fraction]:
    """Return, for each player who can win this pot, the share of it that the player wins on average."""
    if len(pot.places) == 1:
        return {pot.places[0]: Fraction(1)}
    hands = [tuple(holes[place]) for place in pot.places]
    dead = tuple([card for place in hand.round.live if place not in pot.places for card in holes[place]])
    order = sorted(range(len(hands)), key=lambda at: _by_rank(hands[at]))
    relabelled = _relabel([*[hands[at] for at in order], hand.board, dead])
    own = hand.structure if hand.structure.code == OWN_CODE else None
    parts = count_parts(hand.structure.code, tuple(relabelled[:-2]), relabelled[-2], relabelled[-1], own)
    return {pot.places[at]: Fraction(part, _SHARE_PARTS) for at, part in zip(order, parts, strict=True)}


def _by_rank(cards: Sequence[Card]) -> list[str]:
    return sorted([card[0] for card in cards])


def _relabel(groups: Sequence[Sequence[Card]]) -> list[str]:
    """Return groups of cards with their suits renamed in order, so that equivalent matches are counted once."""
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
def count_parts(
    game: str, hands: tuple[str, ...], board: str, dead: str, own: Structure | None = None
) -> tuple[int, ...]:
    """Return the share of each hand, as whole numbers that add up to 10**12. The game is given by its code.

    `own` is the game of a file, which has no code of its own.

    All boards are counted, but before the flop three or more hands of games other than hold'em are sampled.

    >>> count_parts("NT", ("AhAd", "KsKc"), "", "")
    (812554896794, 187445103206)
    """
    structure = STRUCTURES[game] if own is None else own
    two = structure.hole_by_street[0] == 2
    exact = two or bool(board) or len(hands) == 2
    given: dict[str, Any] = {"exact": True} if exact else {"samples": SAMPLES}
    shares = equity(*hands, game=structure, board=board, dead=dead, cores=1, **given).equity
    parts = [round(share * _SHARE_PARTS) for share in shares]
    parts[-1] = _SHARE_PARTS - sum(parts[:-1])
    return tuple(parts)
