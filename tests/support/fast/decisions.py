"""Every decision of a hand: the betting, the visible cards, and the player to act."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pitboss.betting import core
from pitboss.chance import Chance
from pitboss.fast.compiled import PlainRecords
from pitboss.fast.lookup import plain_ranks
from pitboss.fast.play import flop
from pitboss.fast.play.backend import Dealer, HandState, SeenCards, plain_table
from pitboss.fast.play.policies import Choice
from pitboss.fast.play.setup import RunSetup

Numbers = tuple[Any, ...]


class Decision(NamedTuple):
    """What one policy chose, and from which choices."""

    policy: Any
    rules: Any
    s: Any
    game: Any
    dealer: Any
    state: int
    choice: Choice

    @property
    def numbers(self) -> Numbers:
        """All numbers of the betting, as a value."""
        values = [getattr(self.s, name) for name in HandState.__slots__]
        return tuple([value if isinstance(value, int) else tuple(value) for value in values])

    def again(self) -> Choice:
        """The policy's choice with the cards as they are now."""
        return choose(self.policy, self.rules, self.s, self.game, self.dealer, self.state)

    def with_other_cards(self, chance: Chance) -> Choice:
        """Return the policy's choice after shuffling all cards that the player to act does not see."""
        n, p, deck = self.s.n, self.s.turn, list(self.dealer.deck)
        own, up = len(self.game.hole) * n, self.game.board[self.s.street]
        seen = {*range(p, own, n), *range(own, own + up)}
        hidden = iter(chance.shuffled([card for at, card in enumerate(deck) if at not in seen]))
        self.dealer.deck[:] = [card if at in seen else next(hidden) for at, card in enumerate(deck)]
        choice = self.again()
        self.dealer.deck[:] = deck
        return choice


def choose(policy: Any, rules: Any, s: Any, game: Any, dealer: Any, state: int) -> Choice:
    """A policy's choice, given only what its place sees."""
    view = SeenCards(len(game.hole))
    flop.show(s, game, dealer, s.turn, view.cards)
    choice: Choice = policy(rules, s, view, plain_ranks(), state)
    return choice


def decisions(setting: RunSetup, policy: Any, seed: int, hands: range) -> Iterator[Decision]:
    """Play these hands with one policy at all seats, on lists, and stop at every decision."""
    table, rules, game = plain_table(setting), setting.structure.betting, setting.game
    for number in hands:
        states, dealer = PlainRecords([HandState()]), Dealer()
        states[0] = table.templates[number % len(table.templates)]
        s: Any = states[0]
        state = flop.shuffle(Chance(seed).fork(number).state, game, dealer, setting.seats)
        while s.turn >= 0 or flop.go_on(rules, s, game):
            choice = choose(policy, rules, s, game, dealer, state)
            yield Decision(policy, rules, s, game, dealer, state, choice)
            verb, to, state = choice
            core.act(rules, s, verb, to)
