"""The fields of our own in a record: who is dealt in, what is dead or owed, and house rules that PHH does not have."""

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from msgspec import Struct

from pitboss.betting.rules import Reopening
from pitboss.errors import PitbossError
from pitboss.hand.structure import MOST_RUNS, Rake, Stakes, Structure
from pitboss.records.money import Amount, Unit

# A dt.datetime is a dt.date.
Toml: TypeAlias = "str | int | Decimal | bool | dt.date | dt.time | tuple[Toml, ...] | Mapping[str, Toml]"
"""The value of a field."""

SITS_OUT, BUTTON, REOPENING = "_inactive", "_button", "_reopening"
DEAD_MONEY, DEAD_PAID, DEAD_POSTS, BROUGHT = "_deadMoney", "_deadPaid", "_deadPosts", "_brought"
TABLE_FIELDS = (SITS_OUT, BUTTON, DEAD_MONEY, DEAD_PAID, DEAD_POSTS)
"""Fields of ours that say who plays and what lies in the pot, beside what plain PHH says."""
RUNS, BOMB, OPEN_PAIR, RAKE, OPENER = "_runs", "_bomb", "_openPair", "_rakeRule", "_opener"
RAKE_TAKEN = "_rake"
"""What the house took of the hand altogether, in the record's money."""
HOUSE_FIELDS = (RUNS, BOMB, OPEN_PAIR, RAKE, OPENER)
_RULE_FIELDS = (*HOUSE_FIELDS, RAKE_TAKEN)
_RAKE_FIELDS = ("thousandths", "cap", "no_flop_no_drop")


class LineupError(PitbossError, ValueError):
    """A record that contradicts itself about who plays."""


class Lineup(Struct, frozen=True, kw_only=True):
    """The players dealt in, in the order of places: entry p is the player's index in the record's arrays."""

    players: tuple[int, ...]
    away: frozenset[int] = frozenset()  #: the places of those who have left in the middle of the hand
    by_player: bool = False  #: whether each entry of an array is that player's own, in whatever order they post
    dead_posts: tuple[Amount, ...]  #: by player, what he posts dead beside his blind, as a returning player does
    dead_money: Amount = 0  #: chips that are in the pot before anybody posts
    price: Amount = 0  #: what staying costs although nobody posts it
    opener: int | None = None  #: the place that speaks first where posts do not say it
    reopening: Reopening | None = None  #: what gives the right to raise again, where it is not the game's own

    def place(self, player: int) -> int:
        """The place of a player in the hand."""
        if player not in self.players:
            raise LineupError(f"p{player + 1} is not dealt in")
        return self.players.index(player)

    def by_place(self, amounts: Sequence[Amount], players: int, what: str) -> list[Amount]:
        """Forced bets of all the record's players in the order of places.

        Plain PHH lists them in the order they are posted, and heads-up the button, who is p2, posts first.
        """
        if len(amounts) != players:
            raise LineupError(f"{len(amounts)} {what} for {players} players")
        if not self.by_player and len(amounts) == 2:
            amounts = amounts[::-1]
        return [amounts[player] for player in self.players]


class HouseRules(Struct, frozen=True):
    """How a table plays beside what PHH says of it."""

    runs: int = 1  #: how often the rest of the board is dealt where betting ends before it is complete
    bomb: bool = False  #: nobody bets on the first street
    open_pair: bool = False  #: where somebody shows a pair, a later street of the small bet is played at the big one
    rake: Rake | None = None
    opener: int | None = None  #: the player who speaks first where the blinds say another, as in a killed pot


_USUAL = HouseRules()


def read_house_rules(fields: Mapping[str, Any], unit: Unit) -> HouseRules:
    """The rules that a record's own fields name; raises `LineupError` with a sentence where they say nonsense."""
    if not any(name in fields for name in _RULE_FIELDS):
        return _USUAL
    runs = fields.get(RUNS, 1)
    if type(runs) is not int or not 1 <= runs <= MOST_RUNS:
        raise LineupError(f"{RUNS} must be a whole number from 1 to {MOST_RUNS}, not {runs!r:.40}")
    opener = fields.get(OPENER)
    if opener is not None and (type(opener) is not int or opener < 0):
        raise LineupError(f"{OPENER} must be a player's number, from 0 on, not {opener!r:.40}")
    return HouseRules(runs, _flag(fields, BOMB), _flag(fields, OPEN_PAIR), _rake(fields, unit), opener)


def house_fields(structure: Structure, stakes: Stakes) -> dict[str, Toml]:
    """The fields that name what a hand has of these rules; none where it has none."""
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
        raise LineupError(f"{name} must be true or false, not {given!r:.40}")
    return given


def rake_taken(fields: Mapping[str, Any]) -> Amount | None:
    """What a record says the house took; None where it does not say."""
    given = fields.get(RAKE_TAKEN)
    if given is None:
        return None
    if type(given) not in (int, Decimal) or not 0 <= given < Decimal("Infinity"):
        raise LineupError(f"{RAKE_TAKEN}: {given!r:.40} is no amount")
    amount: Amount = given
    return amount


def _rake(fields: Mapping[str, Any], unit: Unit) -> Rake | None:
    """The rule by which the house takes its part, or else what it took, whatever the rule was."""
    given = fields.get(RAKE)
    if given is None:
        taken = unit.chips(rake_taken(fields) or 0)
        return Rake(thousandths=1000, cap=taken, no_flop_no_drop=False) if taken else None
    if not isinstance(given, Mapping) or "thousandths" not in given or not set(given) <= set(_RAKE_FIELDS):
        raise LineupError(f"{RAKE} must be a table such as {{thousandths = 50, cap = 6}}, not {given!r:.40}")
    settings = dict(given)
    cap = settings.get("cap")
    if cap is not None:
        if type(cap) not in (int, Decimal) or not 0 <= cap < Decimal("Infinity"):
            raise LineupError(f"{RAKE}: {cap!r:.40} is no amount")
        settings["cap"] = unit.chips(cap)
    return Rake(**settings)


# --- who sits out, what is dead


def table_fields(sitting_out: Sequence[bool], dead: Sequence[Amount]) -> dict[str, Toml]:
    """The fields that say who of a record's players sits out and who posts how much dead; those that say nothing are
    left out."""
    fields: dict[str, Toml] = {}
    if any(sitting_out):
        fields[SITS_OUT] = tuple(map(int, sitting_out))
    if any(dead):
        fields[DEAD_POSTS] = tuple(dead)
    return fields


def read_reopening(fields: Mapping[str, Any]) -> Reopening | None:
    """What reopens raising, said as a word; None where the game's own rule stands."""
    given = fields.get(REOPENING)
    if given is None:
        return None
    if not isinstance(given, str) or given.upper() not in Reopening.__members__:
        words = ", ".join(f'"{name.lower()}"' for name in Reopening.__members__)
        raise LineupError(f"{REOPENING} must be one of {words}, not {given!r}")
    return Reopening[given.upper()]
