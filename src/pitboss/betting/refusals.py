"""The name and the sentence of every rule an action can break."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from pitboss.betting import core
from pitboss.betting.core import Seen
from pitboss.betting.rules import Rules
from pitboss.errors import PitbossError

_RULES = {
    core.OVER: ("betting_over", "nobody is asked, the betting is over"),
    core.FREE_FOLD: ("free_fold", "checking is free, and this system has no free folds"),
    core.MUST_PAY: ("must_pay", "no check while {owed} is owed; call, raise or fold"),
    core.NOTHING_OWED: ("nothing_owed", "nothing to call; check instead"),
    core.SHORT_CALL: ("short_call", "{stack} does not cover the {owed} owed; go all-in or fold"),
    core.ALREADY_BET: ("already_bet", "there is a bet of {price}; raise instead"),
    core.NO_BET_YET: ("no_bet_yet", "nothing has been bet on this street; bet instead"),
    core.RAISES_ONLY: ("raises_only", "this system has raises, not bets"),
    core.CAPPED: ("raise_cap", "no more raises: this round's {cap} are made"),
    core.NOT_REOPENED: ("not_reopened", "no full raise since this player acted, so only a call or a fold"),
    core.COVERED: ("covered", "all {total} is no more than the price of {price}; call instead"),
    core.UNANSWERABLE: ("unanswerable", "no opponent has chips to answer a raise"),
    core.SHORT_RAISE: ("short_raise", "{total} in all does not reach the {target} that a full raise takes"),
    core.BELOW_LEAST: ("below_minimum", "to {to} is below the least, {least}"),
    core.ABOVE_MOST: ("above_maximum", "to {to} is above the most, {most}"),
    core.BRING_IN: ("bring_in", "the first to speak pays the bring-in of {price} or completes it to {target}"),
    core.NOT_SHORT: ("not_short", "all-in is for stacks too short to call or bet in full"),
}


class SetupError(PitbossError, ValueError):
    """A round or a hand that cannot start as described."""


class Refused(PitbossError, ValueError):
    """An action that is not on offer. Nothing has changed; `rule` names what it broke.

    The sentence counts chips and places as the rules do; `format` says it in somebody else's money and names.
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
        """The rule and the sentence, with chips and places put in these words."""
        if not self.chips and not self.places:
            return f"{self.rule}: {self.sentence}"
        chips = {field: money(amount) for field, amount in self.chips.items()}
        names = {field: name(place) for field, place in self.places.items()}
        return f"{self.rule}: {self.sentence.format(**chips, **names)}"


def refused(code: int, rules: Rules, s: Seen, to: int) -> Refused:
    """The refusal that a code of the arithmetic stands for, with the numbers that matter."""
    if code == core.MUST_PAY and core.brings_in(rules, s):
        code = core.BRING_IN  # a fold is not on offer there
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
