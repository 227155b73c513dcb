"""A position as one line of text: the game and its stakes, the moment, a part for each player and, if known, the deck.

`docs/position.md` has the grammar; whatever is as usual is not written. `position_read.py` reads the line again.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import core
from pitboss.betting.numbers import Numbers
from pitboss.betting.round import Post
from pitboss.betting.rules import Rules, Setting
from pitboss.cards import write_cards
from pitboss.errors import PitbossError
from pitboss.game import PlayersTurn
from pitboss.hand.games import STRUCTURES
from pitboss.hand.look.words import name
from pitboss.hand.opening import find_opener
from pitboss.hand.structure import Stakes, Structure, blind_order, blinds

if TYPE_CHECKING:
    from pitboss.hand.hand import Hand
    from pitboss.hand.rake import Rake

FLAGS = ("bomb", "may_muck")


class PositionError(PitbossError, ValueError):
    """A text that is no position, or one that cannot be reached."""


def write_position(hand: "Hand", *, deck: bool = True) -> str:
    """A hand at one moment as a line of text; `read_position` gives the same hand.

    What the hand holds is in it, hidden or not: a view holds no more than its viewer may know. Without the deck the
    position reads back as a hand whose further cards are dealt by actions.

    >>> from pitboss.hand.hand import Hand
    >>> hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 30), blinds=(10, 20), seed=7)
    >>> hand, _ = hand.act("raise 30")
    >>> write_position(hand, deck=False)
    'NT 10/20 | PRE_FLOP bet p1 | p1 990+10 7c9s | p2 980+20 2d8d | p3 0+30 Ks6c acted'
    """
    parts = [_game(hand.structure, hand.stakes, len(hand.stacks)), _moment(hand)]
    parts += [_player(hand, place) for place in range(len(hand.stacks))]
    if deck and hand.deck is not None:
        parts.append(_deck(hand))
    return " | ".join(parts)


# --- the game and its stakes


def _game(structure: Structure, stakes: Stakes, players: int) -> str:
    return " ".join([structure.code, *_stakes(structure, stakes, players), *_settings(structure)])


def _settings(structure: Structure) -> Iterator[str]:
    """How a game is played otherwise than the one of its code."""
    usual = STRUCTURES.get(structure.code)
    if usual is None:
        raise PositionError(f"{structure.name} has no code of docs/games.md to be written by")
    for setting in Rules.__struct_fields__:
        value = getattr(structure.betting, setting)
        if value != getattr(usual.betting, setting):
            yield f"{setting}={_setting(value)}"
    if structure.open_pair != usual.open_pair:
        yield "open_pair"
    if with_settings(usual, structure.betting, structure.open_pair) != structure:
        raise PositionError(f"{structure.name} is another game than {usual.code} of docs/games.md")


def with_settings(structure: Structure, betting: Rules, open_pair: bool) -> Structure:
    """A game under another betting system; one that is as usual stays the same object."""
    if structure.betting == betting and structure.open_pair == open_pair:
        return structure
    fields = {field: getattr(structure, field) for field in structure.__struct_fields__}
    return Structure(**{**fields, "betting": betting, "open_pair": open_pair})


def _setting(value: object) -> str:
    if isinstance(value, Setting):
        return value.name.lower()
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _stakes(structure: Structure, stakes: Stakes, players: int) -> Iterator[str]:
    amounts = blind_amounts(stakes.posts, players)
    if amounts:
        yield "/".join(map(str, amounts))
    elif stakes.posts:
        yield f"posts={','.join(map(_post, stakes.posts))}"
    if stakes.antes and len(set(stakes.antes)) == 1:
        yield f"ante={stakes.antes[0]}"
    elif stakes.antes:
        yield f"antes={'/'.join(map(str, stakes.antes))}"
    if not stakes.equal_antes:
        yield "antes_dead"
    if stakes.min_bet != usual_bet(amounts):
        yield f"min_bet={stakes.min_bet}"
    if stakes.big_bet != structure.usual_big_bet(stakes.min_bet):
        yield f"big_bet={stakes.big_bet}"
    for field, unless in (("bring_in", 0), ("dead", 0), ("price", 0), ("runs", 1)):
        if getattr(stakes, field) != unless:
            yield f"{field}={getattr(stakes, field)}"
    if stakes.opener is not None:
        yield f"opener={name(stakes.opener)}"
    if stakes.rake is not None:
        yield f"rake={_rake(stakes.rake)}"
    yield from [flag for flag in FLAGS if getattr(stakes, flag)]


def blind_amounts(posts: tuple[Post, ...], players: int) -> tuple[int, ...]:
    """The amounts that `blinds` makes these posts of, or none where it makes others."""
    by_place = {post.place: post.amount for post in posts}
    amounts = [by_place.get(place, 0) for place in blind_order(players)]
    while amounts and not amounts[-1]:
        amounts.pop()
    return tuple(amounts) if posts and blinds(players, *amounts) == posts else ()


def usual_bet(amounts: Iterable[int]) -> int:
    """The least bet that goes with blinds; 0 where there are none to go by."""
    return max([*amounts][:2], default=0)


def _post(post: Post) -> str:
    kind = (
        f"{':blind' if post.option else ''}{'' if post.live else ':dead'}{f':of{post.players}' if post.players else ''}"
    )
    return f"{name(post.place)}:{post.amount}{kind}"


def _rake(rake: "Rake") -> str:
    cap = "-" if rake.cap is None else rake.cap
    always = "" if rake.no_flop_no_drop else "/always"
    return f"{rake.thousandths}" if cap == "-" and not always else f"{rake.thousandths}/{cap}{always}"


# --- the moment


class Usual(Struct, frozen=True):
    """What the numbers of a round are unless something else is written."""

    price: int
    level: int
    raises: int
    step: int


def usual_numbers(structure: Structure, stakes: Stakes, *, street: int, at_first: bool, bets: tuple[int, ...]) -> Usual:
    """The price and what goes with it: as forced bets make it or, where somebody has bet more, as one full bet does.

    `at_first` says that the first street's forced bets still stand before the players.
    """
    n, zeros = len(bets), [0] * len(bets)
    step = stakes.step(structure.streets[0])
    s = Numbers(n, zeros, zeros, zeros, [False] * n, [False] * n, 0, 0, step, 0, 0, 0, -1, -1)
    if at_first:
        for amount in (stakes.price or stakes.bring_in, *[post.amount for post in stakes.posts if post.live]):
            core.ask_price(s, amount)
    core.open_round(structure.betting, s, 0)
    highest, step = max(bets), stakes.step(structure.streets[street])
    if highest > s.price:
        return Usual(highest, highest, 1, step)
    return Usual(s.price, s.level, s.raises, step)


def stands_at_first(street: int, phase: str) -> bool:
    """Whether forced bets still stand before the players."""
    return street == 0 and phase in ("deal", "bet")


def _moment(hand: "Hand") -> str:
    words = [hand.structure.streets[hand.street].name, hand.phase]
    if hand.phase == "draw" and hand.draw is not None:
        words += map(name, hand.draw.waiting)
    elif isinstance(hand.turn, PlayersTurn):
        words.append(name(hand.turn.place))
    return " ".join([*words, *_middle(hand), *_numbers(hand)])


def _middle(hand: "Hand") -> Iterator[str]:
    boards = [*([] if hand.runs is None else hand.runs.boards), hand.board]
    if any(boards):
        yield f"board={'/'.join(map(write_cards, boards))}"
    if hand.runs is not None:
        yield f"runs_from={hand.structure.streets[hand.runs.street].name}"
    if hand.draw is not None and hand.draw.discards:
        yield f"discards={write_cards(hand.draw.discards)}"
    if hand.shown:
        yield f"shown={','.join(map(name, hand.shown))}"


def _numbers(hand: "Hand") -> Iterator[str]:
    round = hand.round
    usual = usual_numbers(
        hand.structure,
        hand.stakes,
        street=hand.street,
        at_first=stands_at_first(hand.street, hand.phase),
        bets=round.bets,
    )
    dead = dead_chips(hand)
    if dead:
        yield f"dead={dead}"
    for field in ("level", "step", "raises"):
        if getattr(round, field) != getattr(usual, field):
            yield f"{field}={getattr(round, field)}"
    if round.opener != usual_opener(hand):
        yield f"opener={name(round.opener)}"
    if hand.aggressor >= 0:
        yield f"aggressor={name(hand.aggressor)}"


def usual_opener(hand: "Hand") -> int:
    """Who speaks first on this street, as far as that is known yet."""
    if not hand.street and hand.structure.streets[0].opens == "left":
        return first_to_speak(hand.stakes, len(hand.stacks))
    return find_opener(as_opened(hand)) if hand.phase == "bet" else 0


def as_opened(hand: "Hand") -> "Hand":
    """The hand with those back in it who have folded since the street's first word."""
    round = hand.round
    folded = tuple([out and not acted for out, acted in zip(round.folded, round.acted, strict=True)])
    return replace(hand, round=replace(round, folded=folded))


def first_to_speak(stakes: Stakes, players: int) -> int:
    """Who speaks first after the forced bets: who is named, or whoever sits left of the highest blind."""
    if stakes.opener is not None:
        return stakes.opener
    options = [post for post in stakes.posts if post.option]
    highest = max([post.amount for post in options], default=0)
    return next((post.place + 1 for post in reversed(options) if post.amount == highest), 0) % players


def dead_chips(hand: "Hand") -> int:
    """The chips in the pot that no place has paid for a claim on; once paid out, those that were there."""
    middle = sum(pot.amount for pot in hand.paid_pots) + hand.house if hand.over else hand.round.pot
    return middle - sum(hand.round.paid)


# --- the players and the deck


def _player(hand: "Hand", place: int) -> str:
    round = hand.round
    bet, paid = round.bets[place], round.paid[place]
    chips = f"{round.stacks[place]}{f'+{bet}' if bet else ''}{f'/{paid}' if paid else ''}"
    words = [name(place), chips, write_cards(hand.holes[place]) or "-"]
    words += [word for word, said in (("folded", round.folded[place]), ("acted", round.acted[place])) if said]
    return " ".join(words)


def _deck(hand: "Hand") -> str:
    order = "" if hand.draw is None or hand.draw.order is None else f" order={hand.draw.order.hex()}"
    return f"deck {write_cards(hand.deck or ()) or '-'}{order}"
