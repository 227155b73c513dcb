"""Every decision of a hand, held still: the betting, the cards that lie, and who is asked."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pitboss.betting import core
from pitboss.chance import Chance
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import holdem
from pitboss.fast.play.plain import Dealer, HandState, SeenCards, plain_table
from pitboss.fast.play.policies import Choice
from pitboss.fast.play.setup import RunSetup
from pitboss.fast.records import PlainRecords

Numbers = tuple[Any, ...]
BOARD = (0, 3, 4, 5)


class Decision(NamedTuple):
    """What one policy chose, from what."""

    policy: Any
    rules: Any
    s: Any
    dealer: Any
    state: int
    choice: Choice

    @property
    def numbers(self) -> Numbers:
        """All numbers of the betting, as a value."""
        values = [getattr(self.s, name) for name in HandState.__slots__]
        return tuple([value if isinstance(value, int) else tuple(value) for value in values])

    def again(self) -> Choice:
        """What the policy chooses with the cards that lie now."""
        return asked(self.policy, self.rules, self.s, self.dealer, self.state)

    def with_other_cards(self, chance: Chance) -> Choice:
        """What the policy chooses after all cards have been shuffled that whoever is asked does not see."""
        n, p, deck = self.s.n, self.s.turn, list(self.dealer.deck)
        seen = {p, n + p, *range(2 * n, 2 * n + BOARD[self.s.street])}
        hidden = iter(chance.shuffled([card for at, card in enumerate(deck) if at not in seen]))
        self.dealer.deck[:] = [card if at in seen else next(hidden) for at, card in enumerate(deck)]
        choice = self.again()
        self.dealer.deck[:] = deck
        return choice


def asked(policy: Any, rules: Any, s: Any, dealer: Any, state: int) -> Choice:
    """What a policy chooses, shown what its place may see."""
    view = SeenCards()
    holdem.show(s, dealer, s.turn, view.cards)
    choice: Choice = policy(rules, s, view, plain_ranks(), state)
    return choice


def decisions(setting: RunSetup, policy: Any, seed: int, hands: range) -> Iterator[Decision]:
    """Play these hands with one policy at all seats, on lists, and stop at every decision."""
    table, rules = plain_table(setting), setting.structure.betting
    for number in hands:
        states, dealer = PlainRecords([HandState()]), Dealer(setting)
        states[0] = table.templates[number % len(table.templates)]
        s: Any = states[0]
        state = holdem.shuffle(Chance(seed).fork(number).state, dealer, 2 * setting.seats + 5)
        while s.turn >= 0 or holdem.go_on(rules, s, dealer):
            choice = asked(policy, rules, s, dealer, state)
            yield Decision(policy, rules, s, dealer, state, choice)
            verb, to, state = choice
            core.act(rules, s, verb, to)
