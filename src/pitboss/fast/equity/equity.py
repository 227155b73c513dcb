"""Equities of hands and ranges in any game: exact by counting if that is quick, else sampled."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any, Protocol

from msgspec.structs import replace

from pitboss.cards import SUITS, Card, CardError
from pitboss.fast.equity.answers import ComboEquity, Equity, EquityError, EquitySettings, check_settings
from pitboss.fast.equity.engine import SAMPLES, answer
from pitboss.fast.equity.ranges import RangeError, RangeLike
from pitboss.fast.equity.spot import CardsInPlay, EquityCase, read_hand, read_known, read_spot
from pitboss.fast.threads import Progress
from pitboss.hand.games import USUAL_GAME, AnyGame, find_game, given_game
from pitboss.hand.hand import Hand
from pitboss.hand.position import read_position
from pitboss.signatures import brief

__all__ = ["ComboEquity", "Equity", "EquityError", "equity", "equity_of"]

MOST_COMBOS, FEWEST_SAMPLES = 20_000, 1_000
"""With `each`, the maximum number of hands, and the minimum number of samples per hand."""


class HasHand(Protocol):
    """An object with a hand in progress, such as a step of a replay."""

    @property
    def hand(self) -> Hand:
        """The hand in progress."""


@brief("players", "game", "board", "dead")
def equity(
    *players: RangeLike | Hand | HasHand,
    game: AnyGame = USUAL_GAME,
    board: str | Iterable[Card] = "",
    dead: str | Iterable[Card] = "",
    each: bool = False,
    exact: bool | None = None,
    samples: int | None = None,
    seed: int = 0,
    cores: int | None = None,
    compiled: bool | None = None,
    progress: Progress | None = None,
    structure: AnyGame | None = None,
) -> Equity:
    """Return the share of the pot that each of two to ten players wins, given their ranges, the board and dead cards.

    A player is a hand ("AhAd"), a range ("QQ+, AKs, 76s+", see docs/equity.md), or a list of them. All deals that the
    ranges allow are equally likely, unless the hands have weights.

    >>> answer = equity("AhAd", "KsKc")
    >>> [round(share, 6) for share in answer.equity], answer.exact, answer.boards
    ([0.812555, 0.187445], True, 1712304)
    >>> [round(share, 3) for share in equity("QQ+, AKs", "76s", board="8h5c2c").equity]
    [0.593, 0.407]

    In another game, given as `find_game` takes it, a hand is the cards that are known; the others are dealt. In a
    draw game a hand is the cards that are kept, and each player draws once.

    >>> equity("AhAdKh", "7c7d8c", game="seven_card_stud", samples=2000).exact
    False
    >>> equity("2c3d4h7s", "8c6d5h3s2h", game="single_draw").boards
    43

    By default all deals are counted if that takes at most about a second, and otherwise sampled; `exact` forces one or
    the other, and `samples` sets the number of samples. Samples depend on the seed, not on the number of cores. With
    `each` the result also has `combos`, the equity of every single hand of each player. The only argument may also be a
    hand in progress, a step of a replay or a position as a line of text, which are computed as by `equity_of`.
    `progress` is called while a long answer is computed. `structure` is an older name of `game`.

    Compiled code is loaded when plain Python has taken as long as loading takes; `compiled` forces compiled code (True)
    or plain Python (False), with the same result.
    """
    settings = check_settings(EquitySettings(exact, samples, seed, cores, progress, compiled))
    alone = _in_progress(players[0]) if len(players) == 1 else None
    if isinstance(alone, Hand):
        if each or board or structure is not None or game != USUAL_GAME:
            raise EquityError("each, board and game do not apply to a hand in progress: leave them out")
        return _answer_hand(alone, read_hand(alone), read_known(dead), settings)
    given: list[Any] = [*players]
    if alone is not None and not isinstance(alone, str) and isinstance(alone, Iterable):
        given = list(alone)
    spot = read_spot(given, board, dead, find_game(given_game(game, structure)))
    found = answer(spot, settings)
    return replace(found, combos=_by_hand(spot, settings, found.exact)) if each else found


def _in_progress(given: Any) -> Any:
    """Return the hand of a position's line or of an object with a hand, such as a step; else the argument itself."""
    if isinstance(given, str) and "|" in given:
        return read_position(given)
    hand = getattr(given, "hand", None)
    return hand if isinstance(hand, Hand) else given


@brief("hand", "ranges", "dead")
def equity_of(
    hand: Hand,
    *,
    places: Iterable[int] | None = None,
    ranges: Mapping[int, RangeLike] | None = None,
    discards: Mapping[int, str | Iterable[Card]] | None = None,
    dead: str | Iterable[Card] = "",
    exact: bool | None = None,
    samples: int | None = None,
    seed: int = 0,
    cores: int | None = None,
    compiled: bool | None = None,
    progress: Progress | None = None,
) -> Equity:
    """Return the share of the pot that each place of a hand in progress wins if no player folds from now on.

    Known cards are used, and the cards of players who folded are dead. A place with unknown cards may hold any cards,
    or those of its entry in `ranges`. `places` limits the calculation to some places, such as those that play for one
    pot. In a draw game each place throws away its `discards` in one last draw, or stands pat. If the board is run
    several times, the result is the mean of the runs. `exact`, `samples`, `seed`, `cores`, `compiled` and
    `progress` are as in `equity`.

    >>> from pitboss import NO_LIMIT_HOLDEM, Stakes, blinds
    >>> stakes = Stakes(min_bet=20, posts=blinds(2, 10, 20))
    >>> deck = ("Ah", "Ks", "Ad", "Kc", *[card for card in NO_LIMIT_HOLDEM.deck if card not in "AhKsAdKc"])
    >>> hand, _ = Hand.start(NO_LIMIT_HOLDEM, stacks=(500, 500), stakes=stakes, deck=deck)
    >>> [round(share, 4) for share in equity_of(hand).equity]
    [0.8126, 0.1874]
    """
    settings = check_settings(EquitySettings(exact, samples, seed, cores, progress, compiled))
    return _answer_hand(hand, read_hand(hand, places, ranges, discards), read_known(dead), settings)


def _answer_hand(hand: Hand, cards: CardsInPlay, dead: tuple[Card, ...], settings: EquitySettings) -> Equity:
    """Return the mean over all boards of a hand in progress."""
    answers = [
        answer(read_spot(cards.players, board, (*gone, *dead), hand.structure), settings)
        if len(cards.places) > 1
        else _ALONE
        for board, gone in zip(cards.boards, cards.dead, strict=True)
    ]
    return _by_place(answers, cards.places, len(hand.holes))


_ALONE = Equity(equity=(1.0,), win=(1.0,), tie=(0.0,), exact=True, boards=1, interval=None, seconds=0.0)


def _by_place(answers: Sequence[Equity], places: Sequence[int], count: int) -> Equity:
    """Return the mean of the boards' equities, with 0 for the places that take no part."""

    def mean(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
        found = dict(zip(places, [sum(column) / len(rows) for column in zip(*rows, strict=True)], strict=True))
        return tuple([found.get(place, 0.0) for place in range(count)])

    ends = None
    if any(answer.interval is not None for answer in answers):
        bounds = [answer.interval or [(share, share) for share in answer.equity] for answer in answers]
        lows, highs = [mean([[pair[end] for pair in row] for row in bounds]) for end in (0, 1)]
        ends = tuple(zip(lows, highs, strict=True))
    parts = None
    if (first := answers[0].parts) is not None:
        parts = {order: mean([answer.parts[order] for answer in answers if answer.parts]) for order in first}
    return Equity(
        equity=mean([answer.equity for answer in answers]),
        win=mean([answer.win for answer in answers]),
        tie=mean([answer.tie for answer in answers]),
        exact=all(answer.exact for answer in answers),
        boards=sum([answer.boards for answer in answers]),
        interval=ends,
        seconds=sum([answer.seconds for answer in answers]),
        parts=parts,
    )


# --- hand by hand


def _by_hand(spot: EquityCase, settings: EquitySettings, exact: bool) -> tuple[tuple[ComboEquity, ...], ...]:
    """Return the equities of the single hands by player.

    If hands differ only by suits, only one of them is computed.
    """
    hands = list(spot.hands)
    count = sum([len(held) for held in hands])
    if count > MOST_COMBOS:
        raise EquityError(f"each: expected at most {MOST_COMBOS:,} hands in all ranges, got {count:,}")
    samples = None if exact else max(FEWEST_SAMPLES, (settings.samples or SAMPLES) // count)
    one = settings._replace(exact=exact, samples=samples, progress=None)
    by_player: list[tuple[ComboEquity, ...]] = []
    for player, held in enumerate(hands):
        others = [*hands[:player], *hands[player + 1 :]]
        renamings = _renamings([dict.fromkeys(spot.board, 1), dict.fromkeys(spot.dead, 1), *others])
        known: dict[str, Equity | None] = {}
        rows = []
        for hand, weight in held.items():
            sign = min([_renamed(hand, renaming) for renaming in renamings])
            if sign not in known:
                known[sign] = _ask(spot, [*hands[:player], {hand: weight}, *hands[player + 1 :]], one)
            found = known[sign]
            if found is not None:
                rows.append(
                    ComboEquity(
                        hand=hand,
                        weight=float(weight),
                        equity=found.equity[player],
                        win=found.win[player],
                        tie=found.tie[player],
                        exact=found.exact,
                        interval=None if found.interval is None else found.interval[player],
                    )
                )
        by_player.append(tuple(rows))
    return tuple(by_player)


def _ask(spot: EquityCase, hands: list[dict[str, Any]], settings: EquitySettings) -> Equity | None:
    """Return the equities with a single hand in place of a player's range; None if no deal contains the hand."""
    try:
        return answer(read_spot(hands, spot.board, spot.dead, spot.structure), settings)
    except (RangeError, CardError):  # another player certainly has one of its cards
        return None


def _renamings(known: list[dict[str, Any]]) -> list[dict[int, int]]:
    """Return the ways to rename suits that leave all known cards and ranges as they are."""
    found = []
    for order in permutations(SUITS):
        renaming = str.maketrans(SUITS, "".join(order))
        if all({_renamed(hand, renaming): share for hand, share in held.items()} == _signed(held) for held in known):
            found.append(renaming)
    return found


def _renamed(hand: str, renaming: dict[int, int]) -> str:
    """Return a hand with renamed suits, its cards sorted."""
    renamed = hand.translate(renaming)
    return "".join(sorted([renamed[i : i + 2] for i in range(0, len(renamed), 2)]))


def _signed(held: dict[str, Any]) -> dict[str, Any]:
    return {_renamed(hand, {}): share for hand, share in held.items()}
