"""Write a hand as one line of text, and read it.

The line contains the game, its stakes, the state of the street, the players and, if it is known, the deck. Default
values are left out. The grammar is in `docs/position.md`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting import core
from pitboss.betting.core import Numbers
from pitboss.betting.round import Post, Round, first_opener
from pitboss.betting.rules import NUMBERS, Rules, Setting
from pitboss.cards import Card, CardError, check_distinct, is_known, read_written_cards, write_cards
from pitboss.errors import PitbossError
from pitboss.game import PlayersTurn
from pitboss.hand.game_file import OWN_CODE, GameFileError, game_fields, own_game
from pitboss.hand.games import STRUCTURES, NoSuchStructure, find_structure
from pitboss.hand.hand import Hand, find_opener, raked_pots
from pitboss.hand.setup import check_setup, settle_stakes
from pitboss.hand.state import BOTTOMLESS, BOTTOMLESS_FROM, Draw, Phase, Runs
from pitboss.hand.structure import MOST_BOARDS, Rake, Stakes, Structure, blind_order, blinds
from pitboss.hand.text import name

_STAKES_FLAGS = ("bomb", "may_muck")
Value = TypeVar("Value")

_MOST_LETTERS = 12_000
_PHASES: dict[str, Phase] = {phase: phase for phase in get_args(Phase)}
_CHIPS = re.compile(r"(\d{1,18}|inf(?:\*10{1,9})?(?:\([+-]\d{1,18}\))?)(?:\+(\d{1,18}))?(?:/(\d{1,18}))?")
_INF = re.compile(r"inf(?:\*(\d+))?(?:\(([+-]\d+)\))?")
_STAKES_WORDS = {"ante", "antes", "posts", "min_bet", "big_bet", "bring_in", "dead", "price", "runs", "opener", "rake"}
_BOARD_WORDS = tuple([f"board{number}" for number in range(2, MOST_BOARDS + 1)])
_MOMENT_WORDS = {
    "board",
    "runs_from",
    "runs_chosen",
    *_BOARD_WORDS,
    "discards",
    "open_discards",
    "shown",
    "dead",
    "level",
    "step",
    "raises",
    "opener",
    "aggressor",
    "second_step",
}


class PositionError(PitbossError, ValueError):
    """The text is not a valid position.

    >>> from pitboss import read_position
    >>> try:
    ...     read_position("NT")
    ... except ValueError as error:
    ...     print(type(error).__name__)
    PositionError
    """


def write_position(hand: Hand, *, deck: bool = True) -> str:
    """Return a hand as one line of text. `read_position` returns the same hand.

    The line contains hidden cards too. To leave them out, write `hand.view(place)`. If `deck` is false, the deck is
    left out. The next cards of such a hand are dealt by actions.

    >>> from pitboss import Hand
    >>> hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000, 30), blinds=(10, 20), seed=7)
    >>> hand, _ = hand.act("raise 30")
    >>> write_position(hand, deck=False)
    'no_limit_holdem 10/20 | PRE_FLOP bet p1 | p1 990+10 7c9s | p2 980+20 2d8d | p3 0+30 Ks6c acted'
    """
    if not isinstance(hand, Hand):
        raise PositionError(f"expected a Hand, got {hand!r:.40}")
    parts = [_game(hand.structure, hand.stakes, len(hand.stacks)), _moment(hand)]
    parts += [_player(hand, place) for place in range(len(hand.stacks))]
    if deck and hand.deck is not None:
        parts.append(_deck(hand))
    return " | ".join(parts)


# --- writing: the game and its stakes


def _game(structure: Structure, stakes: Stakes, players: int) -> str:
    if structure.code == OWN_CODE:
        return " ".join([f"{OWN_CODE}={_own_game(structure)}", *_stakes(structure, stakes, players)])
    return " ".join([structure.key, *_stakes(structure, stakes, players), *_settings(structure)])


def _own_game(structure: Structure) -> str:
    """Return the game of a file as JSON without spaces and without `|`."""
    try:
        written = msgspec.json.encode(game_fields(structure)).decode()
    except GameFileError as error:
        raise PositionError(f"game: {error}") from None
    return written.replace(" ", "\\u0020").replace("|", "\\u007c")


def _settings(structure: Structure) -> Iterator[str]:
    """Yield the settings that differ from the game of this code."""
    usual = STRUCTURES.get(structure.code)
    if usual is None:
        raise PositionError(f"game: expected one of docs/games.md, got {structure.name}")
    for setting in Rules.__struct_fields__:
        value = getattr(structure.betting, setting)
        if value != getattr(usual.betting, setting):
            yield f"{setting}={_setting(value)}"
    if structure.open_pair != usual.open_pair:
        yield "open_pair"
    if _with_settings(usual, structure.betting, structure.open_pair) != structure:
        raise PositionError(f"game: {structure.name} differs from {usual.key} in more than its betting settings")


def _with_settings(structure: Structure, betting: Rules, open_pair: bool) -> Structure:
    """Return the game with other betting settings. If all settings are equal, return the same object."""
    if structure.betting == betting and structure.open_pair == open_pair:
        return structure
    fields = {field: getattr(structure, field) for field in structure.__struct_fields__}
    return Structure(**{**fields, "betting": betting, "open_pair": open_pair})


def _setting(value: object) -> str:
    if isinstance(value, Setting):
        return value.name.lower()
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _stakes(structure: Structure, stakes: Stakes, players: int) -> Iterator[str]:
    amounts = _blind_amounts(stakes.posts, players)
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
    if stakes.min_bet != _usual_bet(amounts):
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
    yield from [flag for flag in _STAKES_FLAGS if getattr(stakes, flag)]


def _blind_amounts(posts: tuple[Post, ...], players: int) -> tuple[int, ...]:
    """Return the blinds that give exactly these posts. Return an empty tuple if there are none."""
    by_place = {post.place: post.amount for post in posts}
    amounts = [by_place.get(place, 0) for place in blind_order(players)]
    while amounts and not amounts[-1]:
        amounts.pop()
    usual = [(post.place, post.amount, post.live, post.option) for post in blinds(players, *amounts)]
    return (
        tuple(amounts)
        if posts and usual == [(post.place, post.amount, post.live, post.option) for post in posts]
        else ()
    )


def _usual_bet(amounts: Iterable[int]) -> int:
    """Return the minimum bet for these blinds, or 0 if there are none."""
    return max([*amounts][:2], default=0)


def _post(post: Post) -> str:
    return f"{name(post.place)}:{post.amount}{':blind' if post.option else ''}{'' if post.live else ':dead'}"


def _rake(rake: Rake) -> str:
    cap = "-" if rake.cap is None else rake.cap
    always = "" if rake.no_flop_no_drop else "/always"
    return f"{rake.thousandths}" if cap == "-" and not always else f"{rake.thousandths}/{cap}{always}"


# --- writing: the state of the street


class _Usual(Struct, frozen=True):
    """The numbers of a betting round as computed from the forced bets and the other bets. They are not written."""

    price: int
    level: int
    raises: int
    step: int


def _usual_numbers(
    structure: Structure, stakes: Stakes, *, street: int, at_first: bool, bets: tuple[int, ...]
) -> _Usual:
    """Return the numbers of a betting round as computed from the forced bets and the other bets.

    If a player has bet more than the forced bets, this is counted as one full bet of that size. `at_first` means that
    the forced bets of the first street are not collected yet.
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
        return _Usual(highest, highest, 1, step)
    return _Usual(s.price, s.level, s.raises, step)


def _stands_at_first(street: int, phase: str) -> bool:
    """Return whether the forced bets are still in front of the players."""
    return street == 0 and phase in ("deal", "bet")


def _moment(hand: Hand) -> str:
    words = [hand.structure.streets[hand.street].name, hand.phase]
    if hand.phase == "draw" and hand.draw is not None:
        words += map(name, hand.draw.waiting)
    elif hand.phase == "runs" and hand.runs is not None:
        words += map(name, hand.runs.waiting)
    elif isinstance(hand.turn, PlayersTurn):
        words.append(name(hand.turn.place))
    return " ".join([*words, *_middle(hand), *_numbers(hand)])


def _middle(hand: Hand) -> Iterator[str]:
    boards = [*([] if hand.runs is None else hand.runs.boards), hand.board]
    if any(boards):
        yield f"board={'/'.join(map(write_cards, boards))}"
    if hand.runs is not None:
        yield f"runs_from={hand.structure.streets[hand.runs.street].name}"
        if hand.runs.chosen:
            yield f"runs_chosen={hand.runs.chosen}"
    for word, board in zip(_BOARD_WORDS, hand.more_boards, strict=False):
        if board:
            yield f"{word}={write_cards(board)}"
    if hand.draw is not None and hand.draw.discards:
        yield f"discards={write_cards(hand.draw.discards)}"
    if hand.draw is not None and hand.draw.open:
        yield f"open_discards={write_cards(hand.draw.open)}"
    if hand.shown:
        yield f"shown={','.join(map(name, hand.shown))}"


def _numbers(hand: Hand) -> Iterator[str]:
    round = hand.round
    usual = _usual_numbers(
        hand.structure,
        hand.stakes,
        street=hand.street,
        at_first=_stands_at_first(hand.street, hand.phase),
        bets=round.bets,
    )
    dead = _dead_chips(hand)
    if dead:
        yield f"dead={dead}"
    for field in ("level", "step", "raises"):
        if getattr(round, field) != getattr(usual, field):
            yield f"{field}={getattr(round, field)}"
    if round.rules.second_step != hand.structure.betting.second_step:
        yield f"second_step={round.rules.second_step}"
    if round.opener != _usual_opener(hand):
        yield f"opener={name(round.opener)}"
    if hand.aggressor >= 0:
        yield f"aggressor={name(hand.aggressor)}"


def _usual_opener(hand: Hand) -> int:
    """Return the place that acts first on this street, or 0 if it is not known yet."""
    if not hand.street and hand.structure.streets[0].opens == "left":
        return _first_to_speak(hand.stakes, len(hand.stacks))
    return find_opener(_as_opened(hand)) if hand.phase == "bet" else 0


def _as_opened(hand: Hand) -> Hand:
    """Return the hand with the players who were in it when the street opened."""
    round = hand.round
    folded = tuple([out and not acted for out, acted in zip(round.folded, round.acted, strict=True)])
    return replace(hand, round=replace(round, folded=folded))


def _first_to_speak(stakes: Stakes, players: int) -> int:
    """Return the place that acts first after the forced bets. By default it is left of the highest blind."""
    return first_opener(stakes.posts, players) if stakes.opener is None else stakes.opener


def _dead_chips(hand: Hand) -> int:
    """Return the chips in the pot that no player has paid. At the end of a hand, count the paid pots."""
    middle = sum(pot.amount for pot in hand.paid_pots) + hand.house if hand.over else hand.round.pot
    return middle - sum(hand.round.paid)


# --- writing: the players and the deck


def _player(hand: Hand, place: int) -> str:
    round = hand.round
    bet, paid = round.bets[place], round.paid[place]
    chips = f"{_stack(round.stacks[place], bet + paid)}{f'+{bet}' if bet else ''}{f'/{paid}' if paid else ''}"
    words = [name(place), chips, write_cards(hand.holes[place]) or "-"]
    words += [word for word, said in (("folded", round.folded[place]), ("acted", round.acted[place])) if said]
    return " ".join(words)


def _stack(stack: int, gone: int) -> str:
    """Return a stack as text.

    An unknown stack is `inf`. Its scale and the chips that it has won or lost can follow.

    >>> _stack(10**15 - 30, 30), _stack(10**17 + 25, 0)
    ('inf', 'inf*100(+25)')
    """
    if stack < BOTTOMLESS_FROM:
        return str(stack)
    scale = 10 ** (len(str(stack + gone + BOTTOMLESS // 10)) - len(str(BOTTOMLESS)))
    more = stack + gone - BOTTOMLESS * scale
    return f"inf{f'*{scale}' if scale > 1 else ''}{f'({more:+})' if more else ''}"


def _read_stack(text: str, gone: int) -> int:
    found = _INF.fullmatch(text)
    return int(text) if found is None else BOTTOMLESS * int(found[1] or 1) + int(found[2] or 0) - gone


def _deck(hand: Hand) -> str:
    order = "" if hand.draw is None or hand.draw.order is None else f" order={hand.draw.order.hex()}"
    return f"deck {write_cards(hand.deck or ()) or '-'}{order}"


# --- reading


class _Player(Struct, frozen=True):
    """The part of the line that describes one player."""

    stack: int
    bet: int
    paid: int
    cards: tuple[Card, ...]
    folded: bool
    acted: bool


def read_position(text: str) -> Hand:
    """Read a hand from a line that `write_position` wrote. Raise `PositionError` if it is not valid.

    >>> hand = read_position("NLHE 10/20 | FLOP bet p1 board=8s7d5d | p1 970/30 7c9s | p2 970/30 ???? | p3 0/30 Ks6c")
    >>> hand.pot, hand.legal()
    (90, (Fold(), Check(), Bet(to=20), Bet(to=970)))
    """
    if not isinstance(text, str):
        raise PositionError(f"position: expected a line of text, got {text!r:.40}")
    if len(text) > _MOST_LETTERS:
        raise PositionError(f"position: expected at most {_MOST_LETTERS} characters, got {len(text)}")
    parts = [part.split() for part in text.split("|")]
    if len(parts) < 4 or not all(parts):
        raise PositionError("position: expected a game, a moment and at least two players, separated by |")
    deck = parts.pop()[1:] if parts[-1][0] == "deck" else None
    game, moment, players = (
        parts[0],
        parts[1],
        [_read_player(number, part) for number, part in enumerate(parts[2:], 1)],
    )
    try:
        structure, stakes = _read_game(game, len(players))
        hand = _read_hand(structure, stakes, players, moment, deck)
        check_setup(structure, [1] * len(players), stakes, None)
        _check(hand)
    except PositionError:
        raise
    except (CardError, NoSuchStructure) as error:
        raise PositionError(str(error)) from None
    except PitbossError as error:
        raise PositionError(f"stakes: {error}") from None
    return hand


def _check(hand: Hand) -> None:
    """Raise an error if a card is not valid, or if the player to act cannot act."""
    structure, round = hand.structure, hand.round
    boards = [*([] if hand.runs is None else map(hand.runs.own_part, hand.runs.boards)), hand.board]
    redealt = structure.draws and hand.deck is None  # discards can be dealt again
    holes = [hole for hole, out in zip(hand.holes, round.folded, strict=True) if not (redealt and out)]
    discards = () if hand.draw is None or redealt else (*hand.draw.discards, *hand.draw.open)
    cards = [card for some in (*holes, *boards, *hand.more_boards, hand.deck or (), discards) for card in some]
    check_distinct(cards)
    for card in cards:
        if is_known(card) and card not in structure.all_cards:
            raise PositionError(f"{card} is not in the deck of {structure.name}")
    if isinstance(hand.turn, PlayersTurn):
        place = hand.turn.place
        if round.folded[place] or (hand.phase == "bet" and not round.stacks[place]):
            raise PositionError(f"{name(place)} has folded or has no chips, and cannot act")


# --- reading: words and numbers


def _read_words(words: Sequence[str], known: set[str], flags: Sequence[str] = ()) -> dict[str, str]:
    """Return the settings, such as `ante=5`, and the flags. Each can appear only once."""
    found: dict[str, str] = {}
    for word in words:
        key, is_given, value = word.partition("=")
        if key in found:
            raise PositionError(f"{key} appears twice")
        if not ((key in known and is_given) or (key in flags and not is_given)):
            raise PositionError(f"unknown word {word[:40]!r}")
        found[key] = value
    return found


def _read_number(text: str, what: str) -> int:
    if not re.fullmatch(r"\d{1,18}", text):
        raise PositionError(f"{what}: expected a whole number of chips, got {text[:40]!r}")
    return int(text)


def _read_place(text: str, players: int) -> int:
    if not re.fullmatch(r"p[1-9]\d?", text) or int(text[1:]) > players:
        raise PositionError(f"player: expected p1 to p{players}, got {text[:40]!r}")
    return int(text[1:]) - 1


def _read_cards(text: str) -> tuple[Card, ...]:
    return () if text == "-" else read_written_cards(text)


def _read_or(written: str | None, read: Callable[[str], Value], otherwise: Value) -> Value:
    return otherwise if written is None else read(written)


# --- reading: the game and its stakes


def _read_game(words: Sequence[str], players: int) -> tuple[Structure, Stakes]:
    code, *rest = words
    own = code.removeprefix(f"{OWN_CODE}=")
    structure = (STRUCTURES.get(code) or find_structure(code)) if own == code else _read_own_game(own)
    amounts: tuple[int, ...] = ()
    if rest and re.fullmatch(r"\d{1,18}(/\d{1,18})*", rest[0]):
        amounts = tuple(map(int, rest.pop(0).split("/")))
    settings = {*Rules.__struct_fields__} - {"bring_in"}
    found = _read_words(rest, _STAKES_WORDS | settings, ("open_pair", "antes_dead", *_STAKES_FLAGS))
    betting = {key: _read_setting(key, value) for key, value in found.items() if key in settings}
    structure = _with_settings(structure, replace(structure.betting, **betting), "open_pair" in found)
    if amounts and "posts" in found:
        raise PositionError("posts: cannot be combined with blinds; write the blinds as posts too")
    return structure, _read_stakes(structure, found, amounts, players)


def _read_own_game(written: str) -> Structure:
    try:
        return own_game(msgspec.json.decode(written))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise PositionError(f"game: expected the fields of a game as JSON: {error}") from None
    except GameFileError as error:
        raise PositionError(f"game: {error}") from None


def _read_setting(key: str, value: str) -> object:
    if key in NUMBERS and re.fullmatch(r"-?\d{1,9}", value):
        return int(value)
    return {"yes": True, "no": False}.get(value, value)


def _read_stakes(structure: Structure, found: dict[str, str], amounts: tuple[int, ...], players: int) -> Stakes:
    def amount(key: str, otherwise: int) -> int:
        return _read_number(found[key], key) if key in found else otherwise

    min_bet = amount("min_bet", _usual_bet(amounts))
    if not min_bet:
        raise PositionError("min_bet: required if there are no blinds")
    antes = tuple(_read_number(ante, "an ante") for ante in found["antes"].split("/")) if "antes" in found else ()
    posts = tuple(_read_posts(found["posts"], players)) if "posts" in found else blinds(players, *amounts)
    return Stakes(
        min_bet=min_bet,
        big_bet=_read_number(found["big_bet"], "big_bet") if "big_bet" in found else structure.usual_big_bet(min_bet),
        posts=posts,
        antes=(amount("ante", 0),) * players if "ante" in found else antes,
        dead=amount("dead", 0),
        equal_antes="antes_dead" not in found,
        price=amount("price", 0),
        opener=_read_place(found["opener"], players) if "opener" in found else None,
        rake=_read_rake(found["rake"]) if "rake" in found else None,
        bring_in=amount("bring_in", 0),
        runs=amount("runs", 1),
        bomb="bomb" in found,
        may_muck="may_muck" in found,
    )


def _read_posts(text: str, players: int) -> Iterator[Post]:
    for post in text.split(","):
        found = re.fullmatch(r"(p\d{1,2}):(\d{1,18})(:blind)?(:dead)?", post)
        if not found:
            raise PositionError(f"posts: expected PLACE:AMOUNT, such as p3:20 or p4:10:dead, got {post[:40]!r}")
        place, amount, blind, dead = found.groups()
        yield Post(_read_place(place, players), int(amount), dead is None, blind is not None)


def _read_rake(text: str) -> Rake:
    found = re.fullmatch(r"(\d{1,4})(?:/(-|\d{1,18})(/always)?)?", text)
    if not found:
        raise PositionError(f"rake: expected thousandths of the pot and a cap, such as 50/6, got {text[:40]!r}")
    thousandths, cap, always = found.groups()
    cap = None if cap in (None, "-") else int(cap)
    return Rake(thousandths=int(thousandths), cap=cap, no_flop_no_drop=always is None)


# --- reading: the players


def _read_player(number: int, words: Sequence[str]) -> _Player:
    who, *rest = words
    if who != f"p{number}":
        raise PositionError(f"players: expected p{number}, got {who[:40]!r}; list the players in order")
    chips = _CHIPS.fullmatch(rest[0]) if rest else None
    if chips is None:
        raise PositionError(
            f"{who}: expected whole chips as STACK+BET/PAID, such as 970, 970+20 or 970+20/10,"
            f" got {' '.join(rest)[:40]!r}"
        )
    said = rest[2:]
    if len(rest) < 2 or not {*said} <= {"folded", "acted"} or len({*said}) < len(said):
        raise PositionError(f"{who}: expected chips, cards or -, then folded, acted, got {' '.join(rest)[:80]!r}")
    bet, paid = int(chips[2] or 0), int(chips[3] or 0)
    stack = _read_stack(chips[1], bet + paid)
    try:
        cards = _read_cards(rest[1])
    except CardError as error:
        raise PositionError(f"{who}: {error}") from None
    return _Player(stack, bet, paid, cards, "folded" in said, "acted" in said)


# --- reading: the state of the street, and the deck


def _read_hand(
    structure: Structure, stakes: Stakes, players: Sequence[_Player], words: Sequence[str], deck: Sequence[str] | None
) -> Hand:
    n = len(players)
    street = _read_street(structure, words[0])
    phase = _PHASES.get(words[1]) if len(words) > 1 else None
    if phase is None:
        raise PositionError(f"phase: expected one of {', '.join(_PHASES)}, got {' '.join(words[1:2])[:40]!r}")
    asked = tuple(_read_place(word, n) for word in words[2:] if "=" not in word)
    found = _read_words([word for word in words[2:] if "=" in word], _MOMENT_WORDS)
    boards = tuple(_read_cards(board) for board in found.get("board", "-").split("/"))
    runs = _read_runs(structure, found, boards, asked if phase == "runs" else ())
    bets = tuple(player.bet for player in players)
    usual = _usual_numbers(structure, stakes, street=street, at_first=_stands_at_first(street, phase), bets=bets)
    if phase == "runs" and (not asked or runs is None):
        raise PositionError("turn: expected runs_from= and the players who must still choose the number of runs")
    if phase not in ("draw", "runs") and len(asked) != (phase in ("bet", "show")):
        raise PositionError(f"turn: expected one player in a bet or a show, any in a draw, else none, got {len(asked)}")
    hand = Hand(
        structure=structure,
        stakes=settle_stakes(stakes.in_game(structure), n),
        round=_read_round(structure.betting, players, usual, found, asked[0] if phase == "bet" else -1),
        street=street,
        phase=phase,
        holes=tuple(player.cards for player in players),
        board=boards[-1],
        deck=_read_deck(deck),
        shown=tuple(_read_place(text, n) for text in found["shown"].split(",")) if "shown" in found else (),
        paid_pots=(),
        house=0,
        draw=_read_draw(structure, found, asked if phase == "draw" else (), deck),
        runs=runs,
        aggressor=_read_or(found.get("aggressor"), lambda text: _read_place(text, n), -1),
        more_boards=tuple([_read_cards(found.get(word, "-")) for word in _BOARD_WORDS[: structure.boards - 1]]),
    )
    return _finish(hand, found, asked)


def _read_round(rules: Rules, players: Sequence[_Player], usual: _Usual, found: dict[str, str], turn: int) -> Round:
    """Return the betting round of the line, without its first player to act, which `_finish` adds."""

    def number(key: str, otherwise: int) -> int:
        return _read_or(found.get(key), lambda text: _read_number(text, key), otherwise)

    paid = tuple(player.paid for player in players)
    second_step = number("second_step", rules.second_step)
    return Round(
        rules=rules if second_step == rules.second_step else replace(rules, second_step=second_step),
        n=len(players),
        stacks=tuple(player.stack for player in players),
        bets=tuple(player.bet for player in players),
        paid=paid,
        folded=tuple(player.folded for player in players),
        acted=tuple(player.acted for player in players),
        price=usual.price,
        level=number("level", usual.level),
        step=number("step", usual.step),
        raises=number("raises", usual.raises),
        pot=sum(paid) + number("dead", 0),
        opener=0,
        holder=-1,
        turn=turn,
    )


def _finish(hand: Hand, found: dict[str, str], asked: tuple[int, ...]) -> Hand:
    """Return the hand with the values that the line leaves out: the opener, the turn and the paid pots."""
    n = len(hand.stacks)
    opener = _read_or(found.get("opener"), lambda text: _read_place(text, n), _usual_opener(hand))
    round = replace(hand.round, opener=opener)
    if hand.phase == "deal" and hand.street == 0:
        round = round.open(_first_to_speak(hand.stakes, n))
    hand = replace(hand, round=round)
    if hand.phase == "show" and hand.turn != PlayersTurn(asked[0]):
        raise PositionError(f"turn: {name(asked[0])} is not the next to show")
    if hand.phase != "over":
        return hand
    pots, raked = raked_pots(hand)
    return replace(hand, paid_pots=pots, house=sum(part.amount for part in raked), round=replace(round, pot=0))


def _read_street(structure: Structure, text: str) -> int:
    names = [street.name for street in structure.streets]
    if text not in names:
        raise PositionError(f"street: expected one of {', '.join(names)} in {structure.name}, got {text[:40]!r}")
    return names.index(text)


def _read_runs(
    structure: Structure, found: dict[str, str], boards: Sequence[tuple[Card, ...]], waiting: tuple[int, ...]
) -> Runs | None:
    if too_many := [word for word in _BOARD_WORDS[structure.boards - 1 :] if word in found]:
        raise PositionError(f"{too_many[0]}: {structure.name} has {structure.boards} of them")
    if "runs_from" not in found:
        if len(boards) > 1:
            raise PositionError("runs_from: required with several boards; give the first street that was dealt again")
        return None
    street = _read_street(structure, found["runs_from"])
    if not street:
        raise PositionError("runs_from: expected the second street or a later one")
    chosen = _read_or(found.get("runs_chosen"), lambda text: _read_number(text, "runs_chosen"), 0)
    return Runs(street, structure.board_by_street[street - 1], tuple(boards[:-1]), chosen, waiting)


def _read_deck(words: Sequence[str] | None) -> tuple[Card, ...] | None:
    if words is None:
        return None
    if not words:
        raise PositionError("deck: expected cards, or - if none are left")
    return _read_cards(words[0])


def _read_draw(
    structure: Structure, found: dict[str, str], asked: tuple[int, ...], deck: Sequence[str] | None
) -> Draw | None:
    order = None
    if deck is not None and len(deck) > 1:
        match = re.fullmatch(r"order=([0-9a-f]{64})", deck[1])
        if len(deck) > 2 or match is None or not structure.draws:
            raise PositionError(f"deck: unknown word {' '.join(deck[1:])[:40]!r}")
        order = bytes.fromhex(match[1])
    if not (structure.draws or structure.discards):
        if "discards" in found or "open_discards" in found:
            raise PositionError(f"discards: players do not change cards in {structure.name}")
        return None
    if deck is not None and order is None and structure.draws:
        raise PositionError("deck: order= is required in games that change cards; it decides how discards are shuffled")
    down, up = (_read_cards(found.get(word, "-")) for word in ("discards", "open_discards"))
    return Draw(asked, down, order, up)
