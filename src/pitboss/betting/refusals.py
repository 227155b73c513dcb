"""The name and the error message of every rule that an action can break."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from pitboss.betting import core
from pitboss.betting.core import Seen
from pitboss.betting.rules import Rules
from pitboss.errors import PitbossError

_RULES = {
    core.OVER: ("betting_over", "the betting is over, and no action is expected"),
    core.FREE_FOLD: ("free_fold", "this system does not allow a fold where checking is free"),
    core.MUST_PAY: ("must_pay", "cannot check, because {owed} is owed; call, raise or fold"),
    core.NOTHING_OWED: ("nothing_owed", "there is nothing to call; check instead"),
    core.SHORT_CALL: ("short_call", "a stack of {stack} does not cover the {owed} owed; go all-in or fold"),
    core.ALREADY_BET: ("already_bet", "there is already a bet of {price}; raise instead"),
    core.NO_BET_YET: ("no_bet_yet", "there is no bet on this street yet; bet instead"),
    core.RAISES_ONLY: ("raises_only", "this system has raises but no bets; raise instead"),
    core.CAPPED: ("raise_cap", "this round already has all {cap} raises"),
    core.NOT_REOPENED: ("not_reopened", "there was no full raise since this player acted; call or fold"),
    core.COVERED: ("covered", "all-in to {total} does not exceed the price of {price}; call instead"),
    core.UNANSWERABLE: ("unanswerable", "no opponent has chips to answer a raise; call or fold instead"),
    core.SHORT_RAISE: ("short_raise", "expected at least {target} for a full raise, got {total}"),
    core.BELOW_LEAST: ("below_minimum", "expected at least {least}, got {to}"),
    core.ABOVE_MOST: ("above_maximum", "expected at most {most}, got {to}"),
    core.BETWEEN: ("two_sizes", "expected {least} or {most}, got {to}"),
    core.BRING_IN: ("bring_in", "the first player must pay the bring-in of {price} or complete it to {target}"),
    core.NOT_SHORT: ("not_short", "all-in is only for stacks too short to call or bet in full"),
}


class SetupError(PitbossError, ValueError):
    """Settings with which a round or a hand cannot start.

    >>> from pitboss import Stakes
    >>> Stakes(min_bet=0)
    Traceback (most recent call last):
    pitboss.SetupError: min_bet: expected at least one chip, got 0
    """


class Refused(PitbossError, ValueError):
    """An action that is not legal now. It changed nothing. `rule` is the name of the broken rule.

    The message has amounts in chips, and places as numbers. `format` writes it with other amounts and names.

    >>> from pitboss import Hand
    >>> hand, events = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    >>> hand.act("raise 25")
    Traceback (most recent call last):
    pitboss.Refused: below_minimum: expected at least 40, got 25
    """

    def __init__(
        self,
        rule: str,
        sentence: str,
        *,
        chips: Mapping[str, int] = MappingProxyType({}),
        places: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.rule, self.sentence, self.chips, self.places = rule, sentence, dict(chips), dict(places)
        super().__init__(self.format())

    def format(
        self, money: Callable[[int], object] = int, name: Callable[[int], str] = lambda place: f"place {place}"
    ) -> str:
        """Return the name of the rule and the message. `money` formats chips, and `name` formats places."""
        if not self.chips and not self.places:
            return f"{self.rule}: {self.sentence}"
        chips = {field: money(amount) for field, amount in self.chips.items()}
        names = {field: name(place) for field, place in self.places.items()}
        return f"{self.rule}: {self.sentence.format(**chips, **names)}"


def refused(code: int, rules: Rules, s: Seen, to: int) -> Refused:
    """Return the error for a code of `core`, with the numbers for its message."""
    if code == core.MUST_PAY and core.brings_in(rules, s):
        code = core.BRING_IN  # the message of MUST_PAY suggests a fold, which is not legal here
    name, sentence = _RULES[code]
    p = s.turn
    if p < 0:
        return Refused(name, sentence)
    chips = {
        "owed": core.owed(s, p),
        "stack": s.stacks[p],
        "total": s.stacks[p] + s.bets[p],
        "price": s.price,
        "target": core.target(rules, s, p),
        "least": core.least(rules, s, p),
        "most": core.most(rules, s, p),
        "to": to,
    }
    return Refused(name, sentence.replace("{cap}", str(rules.cap)), chips=chips)
