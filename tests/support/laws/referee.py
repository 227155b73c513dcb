"""A second, naive account of a poker hand, from the settings, the deck and the events alone.

It shares no code with the kernel: it works out the player to act, the offer, every stack, and who can win
how much, by the rules of the house (N1 to N7); `dealer.py` has the account of the cards.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from pitboss.betting.events import BroughtIn, Called, Checked, Folded, Posted, Raised, Refunded
from pitboss.betting.round import Bounds, Offer
from pitboss.betting.rules import Ceiling, Reopening
from pitboss.hand.events import (
    BoardDealt,
    Discarded,
    Event,
    HoleDealt,
    Mucked,
    Raked,
    RunBegun,
    RunsChosen,
    Shown,
    UpDealt,
    Won,
)
from tests.support.laws.dealer import Dealer
from tests.support.laws.laws import holds
from tests.support.laws.tables import Table


class Referee:
    """Everything that follows from the settings, the deck and the events."""

    def __init__(self, table: Table) -> None:
        n = len(table.stacks)
        self.structure, self.rules, self.stakes = table.structure, table.structure.betting, table.stakes
        if self.rules.exact and self.stakes.big_bet is None:
            self.stakes = replace(self.stakes, big_bet=2 * self.stakes.min_bet)
        self.streets, self.cards = table.structure.streets, Dealer(table)
        self.n, self.brought = n, sum(table.stacks) + self.stakes.dead
        self.stacks, self.bets = list(table.stacks), [0] * n
        self.claims = [0] * n  # the part of a player's chips that gives a claim: bets of all streets and equal antes
        self.middle = self.stakes.dead  # everything in the middle, also the bets of the street
        self.live = set(range(n))
        self.acted: set[int] = set()  # players who have acted since raising was last reopened to them
        self.antes_to_come = sum(ante > 0 for ante in self.stakes.antes)
        self.posts_taken = False
        self.street = 0
        self.full = self.stakes.step(self.streets[0])  # the least full raise
        self.other = self.full
        forced = [post.amount for post in self.stakes.posts if post.live]
        self.price = max([*forced, self.stakes.bring_in])
        self.level = self.price if self.price >= self.full else 0  # the last full bet; a short one does not count
        self.raises = 1 if self.level else 0
        self.steps: list[int] = []  # by how much each raise of this street went above the highest bet
        self.raises_made = 0  # in the whole hand
        self.next_place = self._opener()
        self.shows_first = 0
        self.may_muck = False  # if two had chips to bet with on the last street, and the house allows it
        self.shown: set[int] = set()
        self.run = 0  # the board that is being paid for
        self.runs = self.stakes.runs  # how often the board is dealt
        self.choosing: list[int] = []  # the players who must still choose it
        self.choices: list[int] = []
        self.won: list[tuple[int, Won]] = []  # with the run it is for
        self.raked: dict[int, int] = {}

    def _opener(self) -> int:
        options = [post for post in self.stakes.posts if post.option]
        if not options:
            return 0
        highest = max(post.amount for post in options)
        return ([post.place for post in options if post.amount == highest][-1] + 1) % self.n

    # --- past events

    def receive(self, events: Iterable[Event]) -> None:
        """Take in the events; chips and cards are counted after each of them."""
        for event in events:
            self._receive(event)
            chips = sum(self.stacks) + self.middle + self.house
            holds("chips are conserved", chips == self.brought, event)
            holds("nobody has less than nothing", min(*self.stacks, self.middle) >= 0, event)
        if self._draw_follows():
            self._next_deal(None)
        if self._choice_follows():
            self.choosing = sorted(self.live)

    def _draw_follows(self) -> bool:
        """Whether players change cards next, which begins without an event."""
        if self.won or self.cards.due or len(self.live) < 2 or self.turn() is not None:
            return False
        return any(street.draw or street.discard for street in self.streets[self.street + 1 : self.street + 2])

    def _choice_follows(self) -> bool:
        """Whether the players choose next how often the board is dealt: nothing but the board is open."""
        asked = self.choosing or self.choices or self.most_runs() == 1 or self.stakes.runs > 1
        if asked or self.won or len(self.live) < 2 or self.turn() is not None:
            return False
        coming = self.street if self.cards.due else self.street + 1
        streets, later = self.streets[coming:], self.streets[self.street + 1 :]
        deals = any(street.board for street in streets) and not any(street.own for street in streets)
        able = [p for p in self.live if self.stacks[p]]
        return deals and not any(street.discard for street in later) and len(able) < 2

    def most_runs(self) -> int:
        """How often the board can be dealt at most: the rule of the game, or what the deck has cards for."""
        board, own = sum(street.board for street in self.streets), sum(street.own for street in self.streets)
        cards = len(self.structure.deck) - self.n * own
        return max(1, min(self.structure.most_runs, cards // board if board else 1))

    def _chosen(self, place: int, runs: int) -> None:
        holds("everybody chooses in turn", place == self.choosing.pop(0), place)
        self.choices.append(runs)
        self.runs = min(self.choices)
        if not self.choosing and self.runs > 1:
            self.cards.run_from = self.street if self.cards.due else self.street + 1
            self.cards.shared = len(self.cards.boards[0])
            self.cards.counts["runs chosen"] += self.runs

    @property
    def house(self) -> int:
        """What the house has taken."""
        return sum(self.raked.values())

    @property
    def paid(self) -> int:
        """What has been won."""
        return sum(won.amount for _, won in self.won)

    def _receive(self, event: Event) -> None:
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
            case Called(place, amount, all_in) | BroughtIn(place, amount, all_in):
                holds("the bring-in goes by its name", isinstance(event, BroughtIn) == self.brings_in(), event)
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
            case HoleDealt() | UpDealt() | BoardDealt() | Discarded() | RunBegun():
                self._dealt(event)
            case RunsChosen(place, runs):
                self._chosen(place, runs)
            case Shown(place, cards):
                self._check_shows(event, place)
                holds("one shows what one was dealt", sorted(cards) == sorted(self.cards.holes[place]), event)
                self.shown.add(place)
            case Mucked(place):
                self._check_shows(event, place)
                holds("who is all-in shows", self.stacks[place] > 0 and self.may_muck, event)
                self.live.discard(place)
            case Raked(amount, pot):
                holds("a pot is raked once, before it is paid", pot not in self.raked and not self.won, event)
                self.middle -= amount
                self.raked[pot] = amount
            case Won(place, amount):
                if not self.won:
                    self._check_street_is_over(event)
                    holds("everything is dealt before it is paid for", not self.cards.due, event)
                holds("a folded player never wins", place in self.live, event)
                holds("nobody wins nothing", amount > 0, event)
                self.stacks[place] += amount
                self.middle -= amount
                self.won.append((self.run, event))

    def _dealt(self, event: HoleDealt | UpDealt | BoardDealt | Discarded | RunBegun) -> None:
        """Cards: of the street that is being dealt, otherwise of the next one, otherwise of the next run."""
        if isinstance(event, RunBegun) and self._all_runs_dealt():
            holds("runs are paid in order", event.number == self.run + 2, event)
            self.run += 1
            return
        if not self.posts_taken:
            self.posts_taken = True
            self.cards.begin(0, tuple(self.live))
        elif not self.cards.due:
            self._next_deal(event)
        self.cards.receive(event)
        if not self.cards.due:
            self._open()

    def _all_runs_dealt(self) -> bool:
        last = self.street == len(self.streets) - 1
        return last and not self.cards.due and (not self.running() or len(self.cards.boards) == self.runs)

    def running(self) -> bool:
        """Whether the board is dealt more than once."""
        return self.cards.run_from > 0

    def _next_deal(self, event: Event | None) -> None:
        """The next street or, after the last, the next run from where betting ended."""
        self._check_street_is_over(event)
        if self.street == len(self.streets) - 1:
            holds("the board is run as often as was settled", self.running() and not self._all_runs_dealt(), event)
            self.cards.run_again()
            self.street = self.cards.run_from - 1
            return
        self.street += 1
        holds("cards are dealt to two or more", len(self.live) > 1, event)
        able = [p for p in self.live if self.stacks[p]]
        decided = not any(street.own for street in self.streets[self.street :])
        decided &= not any(street.discard for street in self.streets[self.street + 1 :])
        if self.stakes.runs > 1 and len(able) < 2 and decided and not self.running():
            self.cards.run_from, self.cards.shared = self.street, len(self.cards.boards[0])
        self.cards.begin(self.street, tuple(self.live))

    def _open(self) -> None:
        """Start the betting of the street whose cards are there."""
        street = self.streets[self.street]
        can_bet = sum(self.stacks[p] > 0 for p in self.live) > 1
        self.may_muck = self.stakes.may_muck and street is self.streets[-1] and can_bet
        if self.street or street.opens != "left":
            self.next_place = self.shows_first = self.cards.opener(self.street, tuple(self.live))
        if self.street == 0:
            return
        self.bets = [0] * self.n
        self.acted.clear()
        self.full = self.stakes.step(street)
        pair = self.structure.open_pair and not street.big and self.cards.shows_pair(tuple(self.live))
        self.other = self.full  # the larger of two sizes, if there are two
        if pair and self.stakes.big_bet:
            self.other = self.stakes.big_bet
            self.cards.counts["open pairs"] += 1
        self.price = self.level = self.raises = 0
        self.steps.clear()

    def _check_shows(self, event: Event, place: int) -> None:
        self._check_street_is_over(event)
        holds("cards are shown when all are dealt", not self.cards.due and self._all_runs_dealt(), event)
        holds("only the living show", place in self.live and place not in self.shown, event)
        if self.may_muck:
            holds("one shows or mucks in turn", place == self._next_to_show(), event)

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
        self.cards.counts["bring-ins completed"] += self.brings_in()
        self.steps.append(to - max(self.bets))
        self.raises_made += 1
        self.shows_first = place
        self._pay(place, amount)
        holds("a raise ends where it says", self.bets[place] == to, to)
        size = to - self.level
        full = size >= self.full or (self.rules.completes and 2 * size >= self.full)
        self.price = to
        if full or not self.rules.completes:
            self.level = to
        if full:
            self.acted.clear()
            self.raises += 1
            if not self.rules.exact:
                self.full = size
            elif size >= self.other:
                self.full = self.other
        elif self.rules.reopening == Reopening.CUMULATIVE:
            self.acted = {q for q in self.acted if to - self.bets[q] < self.full}
        self._spoke(place)

    def _refunded(self, place: int, amount: int) -> None:
        rest = [claim for q, claim in enumerate(self.claims) if q != place]
        holds("what nobody matched goes back", amount == self.claims[place] - max(rest), amount)
        holds("nothing goes back to the folded", place in self.live, place)
        self._pay(place, -amount)

    def _check_street_is_over(self, event: Event | None) -> None:
        holds("nobody is passed over", len(self.live) == 1 or self.turn() is None, event)
        second, top = sorted(self.claims)[-2:]
        uncalled = top > second and self.claims.index(top) in self.live
        holds("what nobody called has gone back", not uncalled, self.claims, event)

    # --- what must follow

    def turn(self) -> int | None:
        """The player to act: the next one clockwise with chips who owes an answer and whom an opponent could answer."""
        if self.choosing:
            return self.choosing[0]
        if self.cards.changing() is not None:
            return self.cards.changing()
        if self.stakes.bomb and self.street == 0:
            return None
        for k in range(self.n):
            p = (self.next_place + k) % self.n
            if p in self.live and self.stacks[p] and (self.bets[p] < self.price or p not in self.acted):
                others = self.live - {p}
                if any(self.stacks[q] or self.bets[q] > self.bets[p] for q in others):
                    return p
        return None

    def showing(self) -> int | None:
        """The player to show or muck: the next at the showdown, except all-in players, whose cards are shown anyway."""
        place = self._next_to_show() if self.may_muck else None
        return place if place is not None and self.stacks[place] else None

    def _next_to_show(self) -> int | None:
        """The next player at the showdown: the last bettor first, then clockwise."""
        order = [(self.shows_first + k) % self.n for k in range(self.n)]
        return next((p for p in order if p in self.live and p not in self.shown), None)

    def brings_in(self) -> bool:
        """Whether the next action must be the bring-in or its completion."""
        return self.stakes.bring_in > 0 and self.street == 0 and not any(self.bets)

    def may_raise(self, p: int) -> bool:
        """Whether more than the price is allowed at all."""
        answerable = any(self.stacks[q] and self.stacks[q] + self.bets[q] > self.price for q in self.live - {p})
        capped = 0 <= self.rules.cap <= self.raises
        return self.stacks[p] + self.bets[p] > self.price and p not in self.acted and not capped and answerable

    def offer(self, p: int) -> Offer:
        """What must be on offer to this player."""
        if self.choosing:
            return Offer(runs=self.most_runs())
        if self.cards.changing() is not None:
            thrown = self.cards.now.discard
            return Offer(discard=thrown) if thrown else Offer(draw=len(self.cards.holes[p]))
        bet, stack = self.bets[p], self.stacks[p]
        debt, total = max(0, self.price - bet), bet + stack
        bounds = None
        if self.may_raise(p):
            low = min(total, self.level + self.full)
            high = total
            if self.rules.ceiling == Ceiling.POT:
                high = min(total, max(low, self.price + debt + self.middle))
            if self.rules.most_bet:
                high = min(total, max(low, self.level + self.rules.most_bet))
            if self.rules.exact:
                high = min(total, self.level + max(self.full, self.other))
            bounds = Bounds(low, high, low - bet, high - bet)
        everything = stack <= debt or (bounds is not None and bounds.max_to == total)
        return Offer(
            fold=not self.brings_in(),
            check=debt == 0,
            call=min(stack, debt) if debt else None,
            bet=bounds if self.price == 0 else None,
            raise_=bounds if self.price else None,
            all_in=stack if everything else None,
        )

    def paid_for(self, p: int) -> int:
        """How many chips a player can claim from what they paid: as much from every player, and dead money."""
        return self.middle - sum(self.claims) + sum(min(claim, self.claims[p]) for claim in self.claims)

    def can_win(self, p: int) -> int:
        """How many chips a live player can win; the one who paid most also wins what folded players paid beyond."""
        top = self.claims[p] == max(self.claims[q] for q in self.live)
        return self.middle if top else self.paid_for(p)

    def most_steps(self) -> int:
        """The most decisions a hand can have had: each player once per street, draw, showdown and raise."""
        return self.n * (2 * len(self.streets) + 1 + self.raises_made)
