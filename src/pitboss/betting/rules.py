"""A betting system as a record of settings, and five named presets.

Sizing settings limit the size and number of raises. Order settings decide who acts after a raise and what reopens
raising. The arithmetic in `core.py` reads settings, never the name of a preset.
"""

from enum import IntEnum
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import force_setattr

from pitboss.errors import PitbossError

NUMBERS = ("cap", "second_step")
"""The settings that are numbers."""


class RulesError(PitbossError, ValueError):
    """Invalid settings, or settings that contradict each other."""


class Setting(IntEnum):
    """A setting with a fixed set of choices, given as a member or by name."""

    @classmethod
    def of(cls, given: object) -> Self:
        """Return the choice for a member or a name. Numbers are refused, because a reader cannot tell what they mean.

        >>> Reopening.of("cumulative").name
        'CUMULATIVE'
        """
        if isinstance(given, cls):
            return given
        for choice in cls:
            if isinstance(given, str) and given.lower() == choice.name.lower():
                return choice
        names = " or ".join(repr(choice.name.lower()) for choice in cls)
        raise RulesError(f"{cls.__name__.lower()}: expected {names}, got {given!r}")


class Ceiling(Setting):
    """The largest raise."""

    NONE = 0
    POT = 1


class Reopening(Setting):
    """When a player who has acted may raise again."""

    SINGLE = 0  #: after one full raise
    CUMULATIVE = 1  #: after short all-ins that add up to a full raise
    ALWAYS = 2  #: after any increase of the price


class Answers(Setting):
    """Which players act again after a raise."""

    EVERYONE = 0
    FOLLOWING = 1  #: only those after the raiser in the order of the round


class Opposition(Setting):
    """The opposition that a player needs to get a turn."""

    NOBODY = 0
    SOMEBODY = 1  #: another player who has not folded
    ABLE = 2  #: another player who can still act or has put in more


class Rules(Struct, frozen=True, kw_only=True):
    """One betting system. The defaults are no-limit poker.

    Choices are given as enumeration members or by name.

    >>> Rules(reopening="cumulative").reopening.name
    'CUMULATIVE'
    """

    # Sizing.
    matching: bool = True  #: staying costs the price; otherwise it is free, and others need not match a raise
    exact: bool = False  #: a bet or raise is exactly one step
    second_step: int = 0  #: with exact: a larger step, in chips, that a bet or raise may have instead; 0: none
    ceiling: Ceiling = Ceiling.NONE
    cap: int = -1  #: maximum number of raises per round; -1: no limit
    opening_counts: bool = True  #: the first bet of the round counts toward the cap
    free_fold: bool = True  #: a player may fold when staying costs nothing
    short_raises: bool = True  #: an all-in raise may be less than a full raise (an opening bet always may)
    only_short_all_in: bool = False  #: all-in is allowed only for stacks too short to call or bet in full
    completes: bool = (
        False  #: limit's half-bet rule: an all-in of half a step or more is full, a smaller one is completed
    )
    bring_in: bool = False  #: the first player must pay the price
    # Order.
    reopening: Reopening = Reopening.SINGLE
    answers: Answers = Answers.EVERYONE
    last_word: bool = False  #: the first raiser holds the initiative and acts again after all others
    cap_closes: bool = False  #: the last raise of the cap ends the round immediately
    opposition: Opposition = Opposition.ABLE

    def __post_init__(self) -> None:
        for setting in self.__struct_fields__:
            given, choices = getattr(self, setting), _CHOICES.get(setting)
            if choices is None:
                _check_plain(setting, given)
            elif type(given) is not choices:
                force_setattr(self, setting, choices.of(given))
        for wrong, sentence in (
            (
                self.second_step < 0 or (self.second_step and not self.exact),
                f"second_step: expected 0, or with exact=True a number of chips, got {self.second_step}",
            ),
            (self.exact and self.ceiling, "exact: a fixed raise size excludes a ceiling"),
            (self.cap < -1, f"cap: expected -1 for no limit, or a number of raises from 0, got {self.cap}"),
            (self.cap_closes and self.cap < 1, "cap_closes: requires a cap of 1 or more"),
            (
                self.cap_closes and self.matching,
                "cap_closes: requires matching=False, because other players must still match a raise",
            ),
            (self.completes and not self.exact, "completes: requires exact=True"),
            (self.bring_in and not self.matching, "bring_in: requires matching=True"),
            (self.only_short_all_in and not self.exact, "only_short_all_in: requires exact=True"),
            (not self.matching and not self.exact, "matching: without matching, raises need exact=True"),
            (
                not self.matching and self.opposition != Opposition.NOBODY,
                "matching: without matching, opposition must be 'nobody'",
            ),
            (self.last_word and self.cap < 0, "last_word: requires a cap, because the round might never end"),
            (self.last_word and self.reopening != Reopening.ALWAYS, "last_word: requires reopening='always'"),
            (self.last_word and self.opposition != Opposition.NOBODY, "last_word: requires opposition='nobody'"),
            (self.last_word and not self.opening_counts, "last_word: requires opening_counts=True"),
        ):
            if wrong:
                raise RulesError(sentence)


_CHOICES: dict[str, type[Setting]] = {
    "ceiling": Ceiling,
    "reopening": Reopening,
    "answers": Answers,
    "opposition": Opposition,
}


def _check_plain(setting: str, given: object) -> None:
    """Check the type of a setting without choices."""
    if setting in NUMBERS:
        if type(given) is not int:
            raise RulesError(f"{setting}: expected a whole number, got {given!r}")
    elif type(given) is not bool:
        raise RulesError(f"{setting}: expected True or False, got {given!r}")


def no_limit(**settings: Any) -> Rules:
    """No-limit poker: a raise is at least the last full raise and at most the whole stack.

    >>> no_limit(reopening="cumulative") == no_limit(reopening=Reopening.CUMULATIVE)
    True
    """
    return Rules(**settings)


def pot_limit(**settings: Any) -> Rules:
    """Pot-limit poker: a raise is at most the pot after calling."""
    return Rules(**{"ceiling": Ceiling.POT, **settings})


def fixed_limit(**settings: Any) -> Rules:
    """Limit poker: bets and raises have a fixed size, four per round including the opening bet or big blind."""
    return Rules(**{"exact": True, "cap": 4, "completes": True, **settings})


def fixed_step(**settings: Any) -> Rules:
    """Betting for invented games: raises of one step, three raises after the first bet, no free folds."""
    preset = {
        "exact": True,
        "cap": 3,
        "opening_counts": False,
        "free_fold": False,
        "short_raises": False,
        "only_short_all_in": True,
        "reopening": Reopening.ALWAYS,
        "opposition": Opposition.SOMEBODY,
    }
    return Rules(**{**preset, **settings})


def initiative(**settings: Any) -> Rules:
    """Raises that commit cards: staying is free, the first raiser acts last, the third raise ends the round."""
    preset = {
        "matching": False,
        "exact": True,
        "cap": 3,
        "reopening": Reopening.ALWAYS,
        "answers": Answers.FOLLOWING,
        "last_word": True,
        "cap_closes": True,
        "opposition": Opposition.NOBODY,
    }
    return Rules(**{**preset, **settings})


PRESETS = {
    "no_limit": no_limit,
    "pot_limit": pot_limit,
    "fixed_limit": fixed_limit,
    "fixed_step": fixed_step,
    "initiative": initiative,
}
