"""A betting round. All bets and raises have the same size, and the shared betting core plays the round."""

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec.structs import replace

from pitboss.betting import core
from pitboss.lab import codes
from pitboss.lab.codes import MOST_CARDS, STRENGTH
from pitboss.lab.english import chips, some
from pitboss.lab.genome import MOST_CHIPS, MOST_RAISES, Deck, Genome, Phase, Traits, Values

VERBS = MOST_CARDS + 8  # a move's number is this number plus the number of a verb in the betting core
WORDS = {
    core.FOLD: "fold",
    core.CHECK: "check",
    core.CALL: "call",
    core.BET: "bet",
    core.RAISE: "raise",
    core.ALL_IN: "all_in",
}
AMOUNTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  #: sizes of bets and antes that variation tries
RAISES = (0, 1, 2, 3, 4, 5)
BETS = (1, 2)
"""The usual size of a bet, in antes. A larger first bet would often win the pot at once."""
USUAL_RAISES = (1, 3)
STRONG, MEDIUM = 0.7, 0.3  # a hand is strong, or medium, if it beats at least this share of opposing hands
STATE: dict[str, str] = {}  # a betting round stores nothing of its own in the state


class BettingPhase(Phase, frozen=True, tag=True):
    """A betting round with bets and raises of `min_bet` chips, and at most `max_raises` raises."""

    everybodys: ClassVar[bool] = True
    bets: ClassVar[bool] = True
    thought: ClassVar[int] = STRENGTH
    by_strength: ClassVar[bool] = True
    bounds: ClassVar = {"min_bet": (1, MOST_CHIPS), "max_raises": (0, MOST_RAISES)}
    unable: ClassVar[str] = "there is no betting"
    columns: ClassVar = ("betting_step",)

    min_bet: int = 10
    max_raises: int = 3

    def numbers(self, genome: Genome, at: int) -> tuple[int, ...]:
        return (self.min_bet,)

    @classmethod
    def values(cls, genome: Genome) -> Values:
        stack = genome.setup.starting_chips
        return {"min_bet": [bet for bet in AMOUNTS if bet <= stack] or [stack], "max_raises": RAISES}

    @property
    def traits(self) -> Traits:
        return Traits(unfinished="a round of betting")

    def contradictions(self, field: str, genome: Genome, at: int) -> Iterator[str]:
        chips = genome.setup.starting_chips
        if self.min_bet > chips > 0:
            yield f"{field}.min_bet: expected at most the {chips} starting chips, got {self.min_bet}"

    def mends(self, name: str, genome: Genome) -> Iterator[Phase]:
        chips = genome.setup.starting_chips
        if name == "min_bet" and 0 < chips < self.min_bet:
            yield replace(self, min_bet=chips)

    def staked(self, ante: int, last: int) -> tuple[Phase, int]:
        bet = max(last, max([n * ante for n in BETS if n * ante <= self.min_bet], default=ante))
        least, most = USUAL_RAISES
        return replace(self, min_bet=bet, max_raises=max(least, min(most, self.max_raises))), bet

    def step(self, genome: Genome, at: int) -> str:
        sizes = f"a bet is {chips(self.min_bet)}, and there are no raises"
        if self.max_raises:
            sizes = f"bets and raises are {chips(self.min_bet)}, with at most {some(self.max_raises, 'raise')}"
        return f"**Bet.** A round of betting, as described below: {sizes}."

    def brief(self, genome: Genome) -> str:
        return "bet"

    def prompt(self, genome: Genome, s: Any) -> str:
        owed = min(core.owed(s, s.turn), s.stacks[s.turn])
        stay = f"{chips(owed)} to stay" if owed else "nothing to pay"
        alone = not any(s.stacks[other] and not s.folded[other] for other in range(s.n) if other != s.turn)
        if alone and (not s.price or s.raises < self.max_raises):
            verb = "raise" if s.price else "bet"
            return f"bet: {stay}; all others are all-in, so no player can answer a {verb}"
        return f"bet: {stay}; {self._on_top(s)}"

    def _on_top(self, s: Any) -> str:
        """Describe the size of a bet or raise, or why none is possible."""
        target, total = s.level + self.min_bet, s.bets[s.turn] + s.stacks[s.turn]
        if not s.price:
            bet = f"a bet is {self.min_bet}" if total >= target else f"too few chips for a bet of {self.min_bet}"
            return f"{bet}, with {_raises(self.max_raises)} after it"
        if s.raises >= self.max_raises:
            return "no raise left" if self.max_raises else "there are no raises"
        if total < target:
            return "too few chips for a raise"
        return f"a raise is {self.min_bet} more, {_raises(self.max_raises, s.raises)} left"

    @classmethod
    def word(cls, deck: Deck, move: int) -> str:
        return WORDS[move - VERBS]


def _raises(most: int, made: int = 0) -> str:
    """Return the number of raises that are left, such as "2 raises"."""
    number = most - made
    return f"{number} raise{'' if number == 1 else 's'}" if number > 0 else "no raise"


def begin(g: Any, rules: Any, s: Any) -> None:
    """The deal's starting player opens the betting."""
    core.collect(s, g.betting_step[s.phase])
    core.open_round(rules[s.phase], s, s.starter)


def waiting(g: Any, s: Any) -> bool:
    s.to_act = s.turn
    return bool(s.turn >= 0)


def under_way(g: Any, s: Any) -> bool:
    return bool(s.turn >= 0)


def legal(g: Any, rules: Any, s: Any, moves: Any) -> int:
    """List the verbs that the betting core accepts. All sizes are fixed."""
    own, count = rules[s.phase], 0
    to = core.least(own, s, s.turn)
    for verb in range(core.FOLD, core.ALL_IN + 1):
        if core.refusal(own, s, verb, to) == core.OK:
            moves[count] = VERBS + verb
            count += 1
    return count


def act(g: Any, rules: Any, s: Any, move: int) -> None:
    own, verb, p, price = rules[s.phase], move - VERBS, s.turn, s.price
    if g.only_bets and verb not in (core.CHECK, core.FOLD):
        s.moved = 1
    core.act(own, s, verb, core.least(own, s, p))
    if s.counts[codes.COUNTING]:
        count(s, verb, p, price)


def count(s: Any, verb: int, p: int, price: int) -> None:
    if verb == core.FOLD:
        s.counts[codes.FOLDS] += 1
    elif s.price > price:
        s.counts[codes.RAISES if price > 0 else codes.BETS] += 1
    elif verb != core.CHECK:
        s.counts[codes.CALLS] += 1
    if verb not in (core.FOLD, core.CHECK) and s.stacks[p] == 0:
        s.counts[codes.ALL_INS] += 1


def end(g: Any, s: Any) -> None:
    core.collect(s, 0)


def rate(g: Any, rules: Any, s: Any, move: int, rows: int, work: Any) -> int:
    """Return a move's value.

    Strong hands raise, bet or go all-in, and otherwise call or check. Medium hands call or check. Weak hands check or
    fold.
    """
    verb, strength = move - VERBS, work.strength[0]
    if verb == core.FOLD:
        return 1
    if verb == core.CHECK:
        return 2
    if verb == core.CALL:
        return 3 if strength > MEDIUM else 0
    if strength > STRONG:
        return 6 if verb == core.RAISE else 5 if verb == core.BET else 4
    return 0
