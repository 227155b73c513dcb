"""The fields that pitboss adds to PHH: players who sit out, the button, debts, dead money, and house rules."""

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from msgspec import Struct

from pitboss.betting.rules import Reopening
from pitboss.errors import PitbossError
from pitboss.hand.structure import MOST_RUNS, Rake, Stakes, Structure
from pitboss.records.money import Amount, Unit

# dt.date includes dt.datetime.
Toml: TypeAlias = "str | int | Decimal | bool | dt.date | dt.time | tuple[Toml, ...] | Mapping[str, Toml]"
"""The type of a field's value."""

SITS_OUT, BUTTON, REOPENING = "_inactive", "_button", "_reopening"
DEAD_MONEY, DEAD_PAID, DEAD_POSTS, BROUGHT = "_deadMoney", "_deadPaid", "_deadPosts", "_brought"
TABLE_FIELDS = (SITS_OUT, BUTTON, DEAD_MONEY, DEAD_PAID, DEAD_POSTS)
"""The fields with the players of the hand and the dead money."""
RUNS, BOMB, OPEN_PAIR, RAKE, OPENER = "_runs", "_bomb", "_openPair", "_rakeRule", "_opener"
RAKE_TAKEN = "_rake"
"""The field with the total rake of the hand, in the record's money."""
GAME = "_game"
"""The field with the game of a record whose variant is `X`, as a table with the keys of a game file."""
HOUSE_FIELDS = (RUNS, BOMB, OPEN_PAIR, RAKE, OPENER)
_RULE_FIELDS = (*HOUSE_FIELDS, RAKE_TAKEN)
_RAKE_FIELDS = ("thousandths", "cap", "no_flop_no_drop")


class LineupError(PitbossError, ValueError):
    """An invalid value in a field that pitboss adds to PHH, or fields that disagree about the players of the hand."""


class Lineup(Struct, frozen=True, kw_only=True):
    """The players of a hand, and what they paid before its first deal."""

    players: tuple[int, ...]  #: the player at each place, as an index into the record's arrays
    away: frozenset[int] = frozenset()  #: the places of players who left during the hand
    by_player: bool = False  #: whether antes and blinds are in the order of players, instead of the order of posting
    dead_posts: tuple[Amount, ...]  #: the dead post of each player of the record
    dead_money: Amount = 0  #: chips in the pot before the forced bets
    price: Amount = 0  #: the big blind, if the player who should post it is not in the hand
    opener: int | None = None  #: the first place to act, if the posts do not determine it
    reopening: Reopening | None = None  #: when a player may raise again, if this differs from the game's own rule

    def place(self, player: int) -> int:
        """Return the place of a player."""
        if player not in self.players:
            raise LineupError(f"p{player + 1} is not dealt in")
        return self.players.index(player)

    def by_place(self, amounts: Sequence[Amount], players: int, what: str) -> list[Amount]:
        """Return antes or blinds in the order of places.

        PHH has them in the order of posting. Heads-up, the button is p2 but posts first.
        """
        if len(amounts) != players:
            raise LineupError(f"{what}: expected {players} amounts, one per player, got {len(amounts)}")
        if not self.by_player and len(amounts) == 2:
            amounts = amounts[::-1]
        return [amounts[player] for player in self.players]


class HouseRules(Struct, frozen=True):
    """Rules of a table for which PHH has no field."""

    runs: int = 1  #: the number of times that the rest of the board is dealt after an early all-in
    bomb: bool = False  #: whether the first street has no betting
    open_pair: bool = False  #: whether an open pair allows the big bet on a street of the small bet
    rake: Rake | None = None
    opener: int | None = None  #: the first player to act, if it is not the player left of the blinds


_USUAL = HouseRules()


def read_house_rules(fields: Mapping[str, Any], unit: Unit) -> HouseRules:
    """Return the house rules in a record's fields. Raises `LineupError` if a value is invalid."""
    if not any(name in fields for name in _RULE_FIELDS):
        return _USUAL
    runs = fields.get(RUNS, 1)
    if type(runs) is not int or not 1 <= runs <= MOST_RUNS:
        raise LineupError(f"{RUNS}: expected a whole number from 1 to {MOST_RUNS}, got {runs!r:.40}")
    opener = fields.get(OPENER)
    if opener is not None and (type(opener) is not int or opener < 0):
        raise LineupError(f"{OPENER}: expected the index of a player, from 0, got {opener!r:.40}")
    return HouseRules(runs, _flag(fields, BOMB), _flag(fields, OPEN_PAIR), _rake(fields, unit), opener)


def house_fields(structure: Structure, stakes: Stakes) -> dict[str, Toml]:
    """Return the fields for the house rules of a hand."""
    fields: dict[str, Toml] = {}
    if stakes.runs > 1:
        fields[RUNS] = stakes.runs
    if stakes.bomb:
        fields[BOMB] = True
    if structure.open_pair:
        fields[OPEN_PAIR] = True
    if stakes.rake is not None:
        named = {name: getattr(stakes.rake, name) for name in _RAKE_FIELDS}
        fields[RAKE] = {name: value for name, value in named.items() if value is not None}
    return fields


def _flag(fields: Mapping[str, Any], name: str) -> bool:
    given = fields.get(name, False)
    if type(given) is not bool:
        raise LineupError(f"{name}: expected true or false, got {given!r:.40}")
    return given


def rake_taken(fields: Mapping[str, Any]) -> Amount | None:
    """Return the recorded total rake, or None if it was not recorded."""
    return _read_amount(fields.get(RAKE_TAKEN), RAKE_TAKEN)


def _read_amount(given: Any, name: str) -> Amount | None:
    if given is None:
        return None
    if type(given) not in (int, Decimal) or not 0 <= given < Decimal("Infinity"):
        raise LineupError(f"{name}: expected an amount from 0, got {given!r:.40}")
    amount: Amount = given
    return amount


def _rake(fields: Mapping[str, Any], unit: Unit) -> Rake | None:
    """Return the recorded rake rule. If there is none, return a rule that takes the recorded total rake."""
    given = fields.get(RAKE)
    if given is None:
        taken = unit.chips(rake_taken(fields) or 0)
        return Rake(thousandths=1000, cap=taken, no_flop_no_drop=False) if taken else None
    if not isinstance(given, Mapping) or "thousandths" not in given or not set(given) <= set(_RAKE_FIELDS):
        raise LineupError(f"{RAKE}: expected a table such as {{thousandths = 50, cap = 6}}, got {given!r:.40}")
    settings = dict(given)
    if (cap := _read_amount(settings.get("cap"), f"{RAKE}, cap")) is not None:
        settings["cap"] = unit.chips(cap)
    return Rake(**settings)


def table_fields(sitting_out: Sequence[bool], dead: Sequence[Amount]) -> dict[str, Toml]:
    """Return the fields for players who sit out and for dead posts. A field without a player is not included."""
    fields: dict[str, Toml] = {}
    if any(sitting_out):
        fields[SITS_OUT] = tuple(map(int, sitting_out))
    if any(dead):
        fields[DEAD_POSTS] = tuple(dead)
    return fields


def read_reopening(fields: Mapping[str, Any]) -> Reopening | None:
    """Return the recorded reopening rule, or None if it is the game's own."""
    given = fields.get(REOPENING)
    if given is None:
        return None
    if not isinstance(given, str) or given.upper() not in Reopening.__members__:
        words = ", ".join(f'"{name.lower()}"' for name in Reopening.__members__)
        raise LineupError(f"{REOPENING}: expected one of {words}, got {given!r}")
    return Reopening[given.upper()]
