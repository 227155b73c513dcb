"""A position from its line of text: every word has its place, and a position that cannot be reached is refused."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.round import Post, Round
from pitboss.betting.rules import Rules
from pitboss.cards import Card, CardError, read_written_cards
from pitboss.errors import PitbossError
from pitboss.game import PlayersTurn
from pitboss.hand.drawing import Draw
from pitboss.hand.games import STRUCTURES, NoSuchStructure, find_structure
from pitboss.hand.hand import Hand, Phase
from pitboss.hand.look.position import (
    FLAGS,
    PositionError,
    first_to_speak,
    stands_at_first,
    usual_bet,
    usual_numbers,
    usual_opener,
    with_settings,
)
from pitboss.hand.look.position_check import check_position, paid_out
from pitboss.hand.look.words import name
from pitboss.hand.rake import Rake
from pitboss.hand.showing import Runs
from pitboss.hand.structure import Stakes, Structure, blinds

T = TypeVar("T")

LONGEST = 4000
PHASES: dict[str, Phase] = {"deal": "deal", "draw": "draw", "bet": "bet", "show": "show", "over": "over"}
_CHIPS = re.compile(r"(\d{1,18})(?:\+(\d{1,18}))?(?:/(\d{1,18}))?")
_STAKES = {"ante", "antes", "posts", "min_bet", "big_bet", "bring_in", "dead", "price", "runs", "opener", "rake"}
_MOMENT = {"board", "runs_from", "discards", "shown", "dead", "level", "step", "raises", "opener", "aggressor"}


class _Player(Struct, frozen=True):
    """One player's part of the line."""

    stack: int
    bet: int
    paid: int
    cards: tuple[Card, ...]
    folded: bool
    acted: bool


def read_position(text: str) -> Hand:
    """The hand that a line of text stands for, as `write_position` writes it; raises `PositionError`.

    >>> hand = read_position("NT 10/20 | FLOP bet p1 board=8s7d5d | p1 970/30 7c9s | p2 970/30 ???? | p3 0/30 Ks6c")
    >>> hand.pot, hand.legal()
    (90, (Fold(), Check(), Bet(to=20), Bet(to=970)))
    """
    if not isinstance(text, str):
        raise PositionError(f"a position is a line of text, not {text!r:.40}")
    if len(text) > LONGEST:
        raise PositionError(f"a position is a line of at most {LONGEST} characters, not {len(text)}")
    parts = [part.split() for part in text.split("|")]
    if len(parts) < 4 or not all(parts):
        raise PositionError("a position has parts with | between: the game, the moment, and one for each player")
    deck = parts.pop()[1:] if parts[-1][0] == "deck" else None
    game, moment, players = parts[0], parts[1], [_player(number, part) for number, part in enumerate(parts[2:], 1)]
    try:
        structure, stakes = _game(game, len(players))
        hand = _hand(structure, stakes, players, moment, deck)
        check_position(hand)
    except PositionError:
        raise
    except (CardError, NoSuchStructure) as error:
        raise PositionError(str(error)) from None
    except PitbossError as error:
        raise PositionError(f"no hand has such stakes: {error}") from None
    return hand


# --- words


def _named(words: Sequence[str], known: set[str], flags: Sequence[str] = ()) -> dict[str, str]:
    """Words such as `ante=5`, each once, and flags."""
    found: dict[str, str] = {}
    for word in words:
        key, is_given, value = word.partition("=")
        if key in found:
            raise PositionError(f"{key} stands twice")
        if not ((key in known and is_given) or (key in flags and not is_given)):
            raise PositionError(f"{word[:40]!r} means nothing there")
        found[key] = value
    return found


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r"\d{1,18}", text):
        raise PositionError(f"{what} is a whole number of chips, not {text[:40]!r}")
    return int(text)


def _place(text: str, players: int) -> int:
    if not re.fullmatch(r"p[1-9]\d?", text) or int(text[1:]) > players:
        raise PositionError(f"players are p1 to p{players}, not {text[:40]!r}")
    return int(text[1:]) - 1


def _cards(text: str) -> tuple[Card, ...]:
    return () if text == "-" else read_written_cards(text)


def _either(value: str | None, read: Callable[[str], T], otherwise: T) -> T:
    return otherwise if value is None else read(value)


# --- the game and its stakes


def _game(words: Sequence[str], players: int) -> tuple[Structure, Stakes]:
    code, *rest = words
    structure = STRUCTURES.get(code) or find_structure(code)
    amounts: tuple[int, ...] = ()
    if rest and re.fullmatch(r"\d{1,18}(/\d{1,18})*", rest[0]):
        amounts = tuple(map(int, rest.pop(0).split("/")))
    settings = {*Rules.__struct_fields__} - {"bring_in"}
    found = _named(rest, _STAKES | settings, ("open_pair", "antes_dead", *FLAGS))
    betting = {key: _setting(key, value) for key, value in found.items() if key in settings}
    structure = with_settings(structure, replace(structure.betting, **betting), "open_pair" in found)
    if amounts and "posts" in found:
        raise PositionError("blinds and posts stand side by side: write all of them as posts")
    return structure, _stakes(structure, found, amounts, players)


def _setting(key: str, value: str) -> object:
    if key == "cap" and re.fullmatch(r"-?\d{1,9}", value):
        return int(value)
    return {"yes": True, "no": False}.get(value, value)


def _stakes(structure: Structure, found: dict[str, str], amounts: tuple[int, ...], players: int) -> Stakes:
    def amount(key: str, otherwise: int) -> int:
        return _number(found[key], key) if key in found else otherwise

    min_bet = amount("min_bet", usual_bet(amounts))
    if not min_bet:
        raise PositionError("without blinds a position has a min_bet=, the least bet")
    antes = tuple(_number(ante, "an ante") for ante in found["antes"].split("/")) if "antes" in found else ()
    posts = tuple(_posts(found["posts"], players)) if "posts" in found else blinds(players, *amounts)
    return Stakes(
        min_bet=min_bet,
        big_bet=_number(found["big_bet"], "big_bet") if "big_bet" in found else structure.usual_big_bet(min_bet),
        posts=posts,
        antes=(amount("ante", 0),) * players if "ante" in found else antes,
        dead=amount("dead", 0),
        equal_antes="antes_dead" not in found,
        price=amount("price", 0),
        opener=_place(found["opener"], players) if "opener" in found else None,
        rake=_rake(found["rake"]) if "rake" in found else None,
        bring_in=amount("bring_in", 0),
        runs=amount("runs", 1),
        bomb="bomb" in found,
        may_muck="may_muck" in found,
    )


def _posts(text: str, players: int) -> Iterator[Post]:
    for post in text.split(","):
        found = re.fullmatch(r"(p\d{1,2}):(\d{1,18})(:blind)?(:dead)?(?::of(\d{1,2}))?", post)
        if not found:
            raise PositionError(f"a post is a place and an amount, such as p3:20 or p4:10:dead, not {post[:40]!r}")
        place, amount, blind, dead, made_for = found.groups()
        yield Post(_place(place, players), int(amount), dead is None, blind is not None, int(made_for or 0))


def _rake(text: str) -> Rake:
    found = re.fullmatch(r"(\d{1,4})(?:/(-|\d{1,18})(/always)?)?", text)
    if not found:
        raise PositionError(f"a rake is thousandths of the pot and its cap, such as 50/6, not {text[:40]!r}")
    thousandths, cap, always = found.groups()
    cap = None if cap in (None, "-") else int(cap)
    return Rake(thousandths=int(thousandths), cap=cap, no_flop_no_drop=always is None)


# --- the players


def _player(number: int, words: Sequence[str]) -> _Player:
    who, *rest = words
    if who != f"p{number}":
        raise PositionError(f"the parts of players stand in order: p{number} where {who[:40]!r} is")
    chips = _CHIPS.fullmatch(rest[0]) if rest else None
    if chips is None:
        raise PositionError(
            f"{who} has a stack and, with + and /, a bet and what was paid before, such as 970+20/10,"
            f" in whole chips, not {' '.join(rest)[:40]!r}"
        )
    said = rest[2:]
    if len(rest) < 2 or not {*said} <= {"folded", "acted"} or len({*said}) < len(said):
        raise PositionError(f"{who} has chips, cards or -, folded, acted, and not {' '.join(rest)[:80]!r}")
    stack, bet, paid = [int(amount or 0) for amount in chips.groups()]
    try:
        cards = _cards(rest[1])
    except CardError as error:
        raise PositionError(f"{who}: {error}") from None
    return _Player(stack, bet, paid, cards, "folded" in said, "acted" in said)


# --- the moment


def _hand(
    structure: Structure, stakes: Stakes, players: Sequence[_Player], words: Sequence[str], deck: Sequence[str] | None
) -> Hand:
    n = len(players)
    street = _street(structure, words[0])
    phase = PHASES.get(words[1]) if len(words) > 1 else None
    if phase is None:
        raise PositionError(f"after the street stands one of {', '.join(PHASES)}, not {' '.join(words[1:2])[:40]!r}")
    asked = tuple(_place(word, n) for word in words[2:] if "=" not in word)
    found = _named([word for word in words[2:] if "=" in word], _MOMENT)
    boards = tuple(_cards(board) for board in found.get("board", "-").split("/"))
    runs = _runs(structure, found, boards)
    at_first, bets = stands_at_first(street, phase), tuple(player.bet for player in players)
    usual = usual_numbers(structure, stakes, street=street, at_first=at_first, bets=bets)
    paid = tuple(player.paid for player in players)
    if phase != "draw" and len(asked) != (phase in ("bet", "show")):
        raise PositionError("one player is asked in a bet or a show, in a draw all who are to speak, and else nobody")
    round = Round(
        rules=structure.betting,
        n=n,
        stacks=tuple(player.stack for player in players),
        bets=bets,
        paid=paid,
        folded=tuple(player.folded for player in players),
        acted=tuple(player.acted for player in players),
        price=usual.price,
        level=_either(found.get("level"), lambda text: _number(text, "level"), usual.level),
        step=_either(found.get("step"), lambda text: _number(text, "step"), usual.step),
        raises=_either(found.get("raises"), lambda text: _number(text, "raises"), usual.raises),
        pot=sum(paid) + _either(found.get("dead"), lambda text: _number(text, "dead"), 0),
        opener=0,
        holder=-1,
        turn=asked[0] if phase == "bet" else -1,
    )
    hand = Hand(
        structure=structure,
        stakes=stakes,
        round=round,
        street=street,
        phase=phase,
        holes=tuple(player.cards for player in players),
        board=boards[-1],
        deck=_deck_cards(deck),
        shown=tuple(_place(text, n) for text in found["shown"].split(",")) if "shown" in found else (),
        paid_pots=(),
        house=0,
        draw=_draw(structure, found, asked if phase == "draw" else (), deck),
        runs=runs,
        aggressor=_either(found.get("aggressor"), lambda text: _place(text, n), -1),
    )
    return _finish(hand, found, asked)


def _finish(hand: Hand, found: dict[str, str], asked: tuple[int, ...]) -> Hand:
    """The hand with what follows from the rest of it: who spoke first, who will, and the pots that were paid."""
    n = len(hand.stacks)
    opener = _either(found.get("opener"), lambda text: _place(text, n), usual_opener(hand))
    round = replace(hand.round, opener=opener)
    if hand.phase == "deal" and hand.street == 0:
        round = round.open(first_to_speak(hand.stakes, n))
    hand = replace(hand, round=round)
    if hand.phase == "show" and hand.turn != PlayersTurn(asked[0]):
        raise PositionError(f"it is not {name(asked[0])}'s turn to show")
    return paid_out(hand) if hand.phase == "over" else hand


def _street(structure: Structure, text: str) -> int:
    names = [street.name for street in structure.streets]
    if text not in names:
        raise PositionError(f"{structure.name} has the streets {', '.join(names)}, not {text[:40]!r}")
    return names.index(text)


def _runs(structure: Structure, found: dict[str, str], boards: Sequence[tuple[Card, ...]]) -> Runs | None:
    if "runs_from" not in found:
        if len(boards) > 1:
            raise PositionError("several boards need runs_from=, the first street that was dealt anew")
        return None
    street = _street(structure, found["runs_from"])
    if not street:
        raise PositionError("a board is run again from its second street at the earliest")
    return Runs(street, structure.common_by[street - 1], tuple(boards[:-1]))


def _deck_cards(words: Sequence[str] | None) -> tuple[Card, ...] | None:
    if words is None:
        return None
    if not words:
        raise PositionError("a deck has cards, or - where none are left")
    return _cards(words[0])


def _draw(
    structure: Structure, found: dict[str, str], asked: tuple[int, ...], deck: Sequence[str] | None
) -> Draw | None:
    order = None
    if deck is not None and len(deck) > 1:
        match = re.fullmatch(r"order=([0-9a-f]{64})", deck[1])
        if len(deck) > 2 or match is None or not structure.draws:
            raise PositionError(f"{' '.join(deck[1:])[:40]!r} means nothing after the deck")
        order = bytes.fromhex(match[1])
    if not structure.draws:
        if "discards" in found:
            raise PositionError(f"no cards are changed in {structure.name}, so there are no discards")
        return None
    if deck is not None and order is None:
        raise PositionError("where cards are changed a deck has its order=, which decides how discards are shuffled")
    return Draw(asked, _cards(found.get("discards", "-")), order)
