"""A second, naive account of a poker hand's betting, kept from the settings and the events alone.

It shares no code with the kernel's arithmetic: it says who must be asked, what must be on offer, what everybody has,
and who can win how much, as the rules of the house (N1 to N7) put it.
"""

from collections.abc import Iterable

from pitboss.betting.events import Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.betting.round import Bounds, Offer
from pitboss.betting.rules import Ceiling, Reopening
from pitboss.hand.events import BoardDealt, Event, HoleDealt, Mucked, Shown, Won
from tests.support.laws.laws import holds
from tests.support.laws.tables import Table


class Referee:
    """What one can know who has read the settings and heard every event."""

    def __init__(self, table: Table) -> None:
        n = len(table.stacks)
        self.rules, self.stakes, self.streets = table.structure.betting, table.stakes, table.structure.streets
        self.n, self.brought = n, sum(table.stacks) + self.stakes.dead
        self.stacks, self.bets = list(table.stacks), [0] * n
        self.claims = [0] * n  # what counts toward a player's claim: bets of all streets and equal antes
        self.middle = self.stakes.dead  # everything in the middle, street bets among it
        self.live = set(range(n))
        self.acted: set[int] = set()  # since raising was last reopened to them
        self.antes_to_come = sum(ante > 0 for ante in self.stakes.antes)
        self.posts_taken = False
        self.street = 0
        self.full = self.stakes.step(self.streets[0])  # the least full raise
        self.price = max([post.amount for post in self.stakes.posts if post.live], default=0)
        self.level = self.price  # the last full bet; only limit's half-bet rule keeps it below the price
        self.raises = 1 if self.price else 0
        self.steps: list[int] = []  # by how much each raise of this street went above the highest bet
        self.raises_made = 0  # in the whole hand
        self.next_place = self._opener()
        self.won = 0

    def _opener(self) -> int:
        options = [post for post in self.stakes.posts if post.option]
        if not options:
            return 0
        highest = max(post.amount for post in options)
        return ([post.place for post in options if post.amount == highest][-1] + 1) % self.n

    # --- what has happened

    def hear(self, events: Iterable[Event]) -> None:
        """Write the events down; chips are counted after each of them."""
        for event in events:
            self._hear(event)
            holds("chips are conserved", sum(self.stacks) + self.middle == self.brought, event)
            holds("nobody has less than nothing", min(*self.stacks, self.middle) >= 0, event)

    def _hear(self, event: Event) -> None:
        match event:
            case Posted(place, amount, live):
                self._pay(place, amount, bet=live, claim=live or self._is_equal_ante())
                self.antes_to_come -= 0 if self.posts_taken or live else 1
            case Folded(place):
                self.live.discard(place)
                self._spoke(place)
            case Checked(place):
                holds("only who owes nothing checks", self.bets[place] >= self.price, event)
                self._spoke(place)
            case Called(place, amount, all_in):
                self._pay(place, amount)
                holds("a call reaches the price or is all-in", all_in or self.bets[place] == self.price, event)
                holds("all-in is nothing left", all_in == (self.stacks[place] == 0), event)
                self._spoke(place)
            case Raised(place, amount, to, opening, all_in):
                holds("the first bet opens", opening == (self.price == 0), event)
                self._raised(place, amount, to)
                holds("all-in is nothing left", all_in == (self.stacks[place] == 0), event)
            case Refunded(place, amount):
                self._refunded(place, amount)
            case HoleDealt():
                self.posts_taken = True
            case BoardDealt():
                self._check_street_is_over(event)
                self._new_street()
            case Shown(place) | Mucked(place):
                self._check_street_is_over(event)
                holds("only the living show", place in self.live, event)
            case Won(place, amount):
                if not self.won:
                    self._check_street_is_over(event)
                holds("a folded player never wins", place in self.live, event)
                holds("nobody wins nothing", amount > 0, event)
                self.stacks[place] += amount
                self.middle -= amount
                self.won += amount

    def _is_equal_ante(self) -> bool:
        return self.antes_to_come > 0 and self.stakes.equal_antes

    def _pay(self, place: int, amount: int, *, bet: bool = True, claim: bool = True) -> None:
        self.stacks[place] -= amount
        self.middle += amount
        self.bets[place] += amount if bet else 0
        self.claims[place] += amount if claim else 0

    def _spoke(self, place: int) -> None:
        self.acted.add(place)
        self.next_place = (place + 1) % self.n

    def _raised(self, place: int, amount: int, to: int) -> None:
        self.steps.append(to - max(self.bets))
        self.raises_made += 1
        self._pay(place, amount)
        holds("a raise ends where it says", self.bets[place] == to, to)
        size = to - (self.level if self.rules.completes else self.price)
        full = size >= self.full or (self.rules.completes and 2 * size >= self.full)
        self.price = to
        if full:
            self.acted.clear()
            self.level = to
            self.raises += 1
            if not self.rules.exact:
                self.full = size
        elif self.rules.reopening == Reopening.CUMULATIVE:
            self.acted = {q for q in self.acted if to - self.bets[q] < self.full}
        self._spoke(place)

    def _refunded(self, place: int, amount: int) -> None:
        rest = [claim for q, claim in enumerate(self.claims) if q != place]
        holds("what nobody matched goes back", amount == self.claims[place] - max(rest), amount)
        holds("nothing goes back to the folded", place in self.live, place)
        self._pay(place, -amount)

    def _check_street_is_over(self, event: Event) -> None:
        holds("nobody is passed over", len(self.live) == 1 or self.turn() is None, event)
        second, top = sorted(self.claims)[-2:]
        uncalled = top > second and self.claims.index(top) in self.live
        holds("what nobody called has gone back", not uncalled, self.claims, event)

    def _new_street(self) -> None:
        self.street += 1
        self.bets = [0] * self.n
        self.acted.clear()
        self.full = self.stakes.step(self.streets[self.street])
        self.price = self.level = self.raises = self.next_place = 0
        self.steps.clear()

    # --- what must follow

    def turn(self) -> int | None:
        """Who must be asked: the next one clockwise with chips who owes an answer and whom somebody could answer."""
        for k in range(self.n):
            p = (self.next_place + k) % self.n
            if p in self.live and self.stacks[p] and (self.bets[p] < self.price or p not in self.acted):
                others = self.live - {p}
                if any(self.stacks[q] or self.bets[q] > self.bets[p] for q in others):
                    return p
        return None

    def may_raise(self, p: int) -> bool:
        """Whether more than the price is allowed at all."""
        answerable = any(self.stacks[q] and self.stacks[q] + self.bets[q] > self.price for q in self.live - {p})
        capped = 0 <= self.rules.cap <= self.raises
        return self.stacks[p] + self.bets[p] > self.price and p not in self.acted and not capped and answerable

    def offer(self, p: int) -> Offer:
        """What must be on offer to this player."""
        bet, stack = self.bets[p], self.stacks[p]
        debt, total = max(0, self.price - bet), bet + stack
        bounds = None
        if self.may_raise(p):
            low = min(total, (self.level if self.rules.completes else self.price) + self.full)
            high = total
            if self.rules.ceiling == Ceiling.POT:
                high = min(total, max(low, self.price + debt + self.middle))
            if self.rules.exact:
                high = low
            bounds = Bounds(low, high, low - bet, high - bet)
        everything = stack <= debt or (bounds is not None and bounds.max_to == total)
        return Offer(
            fold=True,
            check=debt == 0,
            call=min(stack, debt) if debt else None,
            bet=bounds if self.price == 0 else None,
            raise_=bounds if self.price else None,
            all_in=stack if everything else None,
        )

    def paid_for(self, p: int) -> int:
        """How many chips a player claims by what he has put in: as much of everybody's, and dead money."""
        return self.middle - sum(self.claims) + sum(min(claim, self.claims[p]) for claim in self.claims)

    def can_win(self, p: int) -> int:
        """How many chips a live player can win at the end: who has put in most also what the folded put in beyond."""
        top = self.claims[p] == max(self.claims[q] for q in self.live)
        return self.middle if top else self.paid_for(p)

    def most_steps(self) -> int:
        """How many decisions the hand can have had by now: everybody once a street, and once more after every raise."""
        return self.n * (len(self.streets) + self.raises_made)
