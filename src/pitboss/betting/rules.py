"""A betting system as a record of settings, and the five that have names.

Two halves. Sizing: how much a raise may be, and how many. Order: who answers a raise, and what reopens raising.
The arithmetic in `core.py` asks for settings, never for a system's name.
"""

from enum import IntEnum
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import force_setattr

from pitboss.errors import PitbossError


class RulesError(PitbossError, ValueError):
    """Settings that there are not, or that make no sense together."""


class Setting(IntEnum):
    """A setting that is a choice: given as itself or by its name, and as nothing else."""

    @classmethod
    def of(cls, given: object) -> Self:
        """The choice that is given; a bare number says nothing to whoever reads it and is none.

        >>> Reopening.of("cumulative").name
        'CUMULATIVE'
        """
        if isinstance(given, cls):
            return given
        for choice in cls:
            if isinstance(given, str) and given.lower() == choice.name.lower():
                return choice
        names = " or ".join(repr(choice.name.lower()) for choice in cls)
        raise RulesError(f"{cls.__name__.lower()} is {names}, not {given!r}")


class Ceiling(Setting):
    """The most a raise may be."""

    NONE = 0
    POT = 1


class Reopening(Setting):
    """What gives a player who has acted the right to raise again."""

    SINGLE = 0  #: one full raise
    CUMULATIVE = 1  #: short all-ins that have piled up to a full raise since he acted
    ALWAYS = 2  #: any increase of the price


class Answers(Setting):
    """Who is asked again after a raise."""

    EVERYONE = 0
    FOLLOWING = 1  #: only those who come after the raiser in the round's order


class Opposition(Setting):
    """Who must be there for a player to be asked at all."""

    NOBODY = 0
    SOMEBODY = 1  #: another player who has not folded
    ABLE = 2  #: one who could still answer, or who has put in more


class Rules(Struct, frozen=True, kw_only=True):
    """One betting system. The defaults are no-limit poker.

    A setting that is a choice is one of its enumeration or that one's name as text.

    >>> Rules(reopening="cumulative").reopening.name
    'CUMULATIVE'
    """

    # Sizing.
    matching: bool = True  #: staying costs the price; otherwise it is free and a raise asks nothing of others
    exact: bool = False  #: a bet or raise is exactly one step
    ceiling: Ceiling = Ceiling.NONE
    cap: int = -1  #: raises a round; -1 means any number
    opening_counts: bool = True  #: whether the round's first bet counts toward the cap
    free_fold: bool = True  #: folding is on offer also when staying costs nothing
    short_raises: bool = True  #: all-in for less than a full raise is allowed (an opening bet may always be short)
    only_short_all_in: bool = False  #: "all-in" is a word of its own, for stacks too short to call or bet in full
    completes: bool = False  #: limit's half-bet rule: all-in for half a step or more is full, for less is completed
    bring_in: bool = False  #: a price that nobody has paid yet must be paid by whoever speaks first
    # Order.
    reopening: Reopening = Reopening.SINGLE
    answers: Answers = Answers.EVERYONE
    last_word: bool = False  #: the first raiser holds the initiative and speaks again when all have answered
    cap_closes: bool = False  #: the last raise of the cap ends the round at once
    opposition: Opposition = Opposition.ABLE

    def __post_init__(self) -> None:
        for setting in self.__struct_fields__:
            given, choices = getattr(self, setting), _CHOICES.get(setting)
            if choices is None:
                _check_plain(setting, given)
            elif type(given) is not choices:
                force_setattr(self, setting, choices.of(given))
        for wrong, sentence in (
            (self.exact and self.ceiling, "an exact raise has no ceiling"),
            (self.cap < -1, f"a cap is -1 (none) or a number of raises, not {self.cap}"),
            (self.cap_closes and self.cap < 1, "only a cap of one raise or more can close the round"),
            (self.cap_closes and self.matching, "a raise that others must match cannot close the round"),
            (self.completes and not self.exact, "only an exact raise can be completed"),
            (self.bring_in and not self.matching, "a bring-in is a price, and where nobody matches there is none"),
            (self.only_short_all_in and not self.exact, "all-in as a word of its own goes with exact raises"),
            (not self.matching and not self.exact, "a raise that nobody matches is exact"),
            (
                not self.matching and self.opposition != Opposition.NOBODY,
                "where nobody matches, nobody need oppose",
            ),
            (self.last_word and self.cap < 0, "the last word needs a cap, or the round might never end"),
            (self.last_word and self.reopening != Reopening.ALWAYS, "the last word needs raising to be open always"),
            (self.last_word and self.opposition != Opposition.NOBODY, "the last word is asked for of one player alone"),
            (
                self.last_word and not self.opening_counts,
                "the first raise must count, or the second takes the last word",
            ),
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
    """Refuse what is no number of raises, or neither on nor off."""
    if setting == "cap" and type(given) is not int:
        raise RulesError(f"cap is a whole number, not {given!r}")
    if setting != "cap" and type(given) is not bool:
        raise RulesError(f"{setting} is True or False, not {given!r}")


def no_limit(**settings: Any) -> Rules:
    """No-limit poker: a raise is at least the last full one and at most everything.

    >>> no_limit(reopening="cumulative") == no_limit(reopening=Reopening.CUMULATIVE)
    True
    """
    return Rules(**settings)


def pot_limit(**settings: Any) -> Rules:
    """Pot-limit poker: a raise is at most the pot after calling."""
    return Rules(**{"ceiling": Ceiling.POT, **settings})


def fixed_limit(**settings: Any) -> Rules:
    """Limit poker: every bet and raise is the street's step, four a round, the opening bet or big blind among them."""
    return Rules(**{"exact": True, "cap": 4, "completes": True, **settings})


def fixed_step(**settings: Any) -> Rules:
    """Betting for invented games: one step a raise, three raises beyond the first bet, no folding for free."""
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
    """Raises that commit cards: staying is free, the first raiser has the last word, the third raise ends the round."""
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
