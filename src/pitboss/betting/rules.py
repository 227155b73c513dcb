"""The settings of a betting system, and five presets.

Some settings limit the size and number of raises; others decide who acts after a raise, and who may raise again. The
functions of `core.py` depend only on the settings.
"""

from enum import IntEnum
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import force_setattr

from pitboss.errors import PitbossError

NUMBERS = ("cap", "second_step", "least_bet", "most_bet")
"""The names of settings that are numbers."""


class RulesError(PitbossError, ValueError):
    """An invalid setting, or settings that exclude each other.

    >>> from pitboss import no_limit
    >>> no_limit(cap=-5)
    Traceback (most recent call last):
    pitboss.RulesError: cap: expected -1 for no limit, or a number of raises from 0, got -5
    """


class Setting(IntEnum):
    """A setting with a fixed set of values."""

    @classmethod
    def of(cls, given: object) -> Self:
        """Return the value for a member or its name. A number is an error, because its meaning is not obvious.

        >>> Reopening.of("cumulative").name
        'CUMULATIVE'
        """
        if isinstance(given, cls):
            return given
        found = cls.__members__.get(given.upper()) if isinstance(given, str) else None
        if found is not None:
            return found
        names = " or ".join(repr(choice.name.lower()) for choice in cls)
        raise RulesError(f"{cls.__name__.lower()}: expected {names}, got {given!r}")


class Ceiling(Setting):
    """The largest raise.

    >>> from pitboss import Ceiling, pot_limit
    >>> pot_limit().ceiling is Ceiling.POT
    True
    """

    NONE = 0
    POT = 1


class Reopening(Setting):
    """When a player who has acted may raise again.

    >>> from pitboss import NO_LIMIT_HOLDEM, Reopening
    >>> NO_LIMIT_HOLDEM.with_betting(reopening=Reopening.ALWAYS).betting.reopening.name
    'ALWAYS'
    """

    SINGLE = 0  #: after a full raise
    CUMULATIVE = 1  #: also after short all-ins that add up to a full raise
    ALWAYS = 2  #: after any increase of the price


class Answers(Setting):
    """Which players act again after a raise.

    >>> from pitboss import Answers, no_limit
    >>> no_limit().answers is Answers.EVERYONE
    True
    """

    EVERYONE = 0
    FOLLOWING = 1  #: only players after the raiser, in the order of the round


class Opposition(Setting):
    """The kind of opponent that a player needs in order to get a turn.

    >>> from pitboss import Opposition, no_limit
    >>> no_limit().opposition is Opposition.ABLE
    True
    """

    NONE = 0
    ANY = 1  #: an opponent who has not folded
    ABLE = 2  #: an opponent who has not folded, and has chips or a larger bet

    NOBODY = NONE  #: the old name of NONE
    SOMEBODY = ANY  #: the old name of ANY


class Rules(Struct, frozen=True, kw_only=True):
    """A betting system. The defaults are those of no-limit poker.

    A setting with several values accepts the enumeration member or its name.

    >>> Rules(reopening="cumulative").reopening.name
    'CUMULATIVE'
    """

    # Sizing.
    matching: bool = True  #: a player must match the price to stay in; otherwise staying is free
    exact: bool = False  #: a bet or raise has a fixed size, the step
    second_step: int = 0  #: a larger fixed size in chips, allowed next to the step if `exact` is set; 0: none
    ceiling: Ceiling = Ceiling.NONE
    least_bet: int = (
        0  #: with the ceiling `spread`: the smallest minimum bet in chips; the stakes can have a larger one
    )
    most_bet: int = 0  #: with the ceiling `spread`: the largest bet or raise in chips
    cap: int = -1  #: the maximum number of raises per round, or -1 for no limit
    opening_counts: bool = True  #: the first bet of a round counts as a raise for the cap
    free_fold: bool = True  #: a player may fold when nothing is owed
    short_raises: bool = True  #: an all-in raise may be smaller than a full raise; a bet always may
    only_short_all_in: bool = False  #: all-in is allowed only if the stack does not cover a call or a full bet
    completes: bool = False  #: an all-in of half a step or more counts as a full raise; a smaller one is completed
    bring_in: bool = False  #: the first player must pay a bring-in
    # Order.
    reopening: Reopening = Reopening.SINGLE
    answers: Answers = Answers.EVERYONE
    last_word: bool = False  #: the first raiser has the initiative: this player acts again after all others
    cap_closes: bool = False  #: a round ends with the last raise that the cap allows
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
            (self.exact and self.ceiling, "exact: requires ceiling='none', because raises have a fixed size"),
            (
                bool(self.least_bet or self.most_bet) and not 0 < self.least_bet <= self.most_bet,
                f"most_bet: expected 0 < least_bet <= most_bet, got {self.least_bet} and {self.most_bet}",
            ),
            (
                self.most_bet and (self.exact or self.ceiling),
                "most_bet: requires exact=False and ceiling='none', because the largest bet is the ceiling",
            ),
            (self.cap < -1, f"cap: expected -1 for no limit, or a number of raises from 0, got {self.cap}"),
            (self.cap_closes and self.cap < 1, "cap_closes: requires a cap of 1 or more"),
            (
                self.cap_closes and self.matching,
                "cap_closes: requires matching=False, because other players must still match a raise",
            ),
            (self.completes and not self.exact, "completes: requires exact=True"),
            (self.bring_in and not self.matching, "bring_in: requires matching=True"),
            (self.only_short_all_in and not self.exact, "only_short_all_in: requires exact=True"),
            (not self.matching and not self.exact, "matching: matching=False requires exact=True"),
            (
                not self.matching and self.opposition != Opposition.NONE,
                "matching: matching=False requires opposition='none'",
            ),
            (self.last_word and self.cap < 0, "last_word: requires a cap, because the round might never end"),
            (self.last_word and self.reopening != Reopening.ALWAYS, "last_word: requires reopening='always'"),
            (self.last_word and self.opposition != Opposition.NONE, "last_word: requires opposition='none'"),
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
    """Check the type of a setting that is a number or a boolean."""
    if setting in NUMBERS:
        if type(given) is not int:
            raise RulesError(f"{setting}: expected a whole number, got {given!r}")
    elif type(given) is not bool:
        raise RulesError(f"{setting}: expected True or False, got {given!r}")


def no_limit(**settings: Any) -> Rules:
    """No-limit poker. A raise is at least as large as the last full raise.

    >>> no_limit(reopening="cumulative") == no_limit(reopening=Reopening.CUMULATIVE)
    True
    """
    return Rules(**settings)


def pot_limit(**settings: Any) -> Rules:
    """Pot-limit poker. A raise is at most the size of the pot after calling.

    >>> from pitboss import pot_limit
    >>> pot_limit().ceiling.name
    'POT'
    """
    return Rules(**{"ceiling": Ceiling.POT, **settings})


def spread_limit(*, least_bet: int = 0, most_bet: int = 0, **settings: Any) -> Rules:
    """Spread limit. A bet or raise is at least `least_bet` and the last raise, and at most `most_bet`.

    >>> spread_limit(least_bet=2, most_bet=10).most_bet
    10
    """
    if not 0 < least_bet <= most_bet:
        bounds = f"0 < least_bet <= most_bet, got {least_bet} and {most_bet}"
        raise RulesError(f"most_bet: a spread limit needs both bounds; expected {bounds}")
    return Rules(least_bet=least_bet, most_bet=most_bet, **settings)


def fixed_limit(**settings: Any) -> Rules:
    """Limit poker. Bets and raises have a fixed size, and a round has at most four of them, including the big blind.

    >>> from pitboss import fixed_limit
    >>> fixed_limit().exact, fixed_limit().cap
    (True, 4)
    """
    return Rules(**{"exact": True, "cap": 4, "completes": True, **settings})


def fixed_step(**settings: Any) -> Rules:
    """Betting for invented games. Raises have a fixed size, at most three follow a bet, and free folds are refused.

    >>> from pitboss import fixed_step
    >>> fixed_step().exact, fixed_step().bring_in
    (True, False)
    """
    preset = {
        "exact": True,
        "cap": 3,
        "opening_counts": False,
        "free_fold": False,
        "short_raises": False,
        "only_short_all_in": True,
        "reopening": Reopening.ALWAYS,
        "opposition": Opposition.ANY,
    }
    return Rules(**{**preset, **settings})


def initiative(**settings: Any) -> Rules:
    """Betting in which a raise plays a card. Staying is free, the first raiser acts last, and the cap ends a round.

    >>> from pitboss import initiative
    >>> initiative().matching
    False
    """
    preset = {
        "matching": False,
        "exact": True,
        "cap": 3,
        "reopening": Reopening.ALWAYS,
        "answers": Answers.FOLLOWING,
        "last_word": True,
        "cap_closes": True,
        "opposition": Opposition.NONE,
    }
    return Rules(**{**preset, **settings})


PRESETS = {
    "no_limit": no_limit,
    "pot_limit": pot_limit,
    "fixed_limit": fixed_limit,
    "fixed_step": fixed_step,
    "initiative": initiative,
}
