"""A model of no-limit hold'em, written from specification 000 and rulings N1 to N8 on plain lists and numbers.

It imports nothing of pitboss. From the stacks, the forced money and the deck it works out the player to act, what they
may do, and every event of the hand. Events are tuples that begin with a verb. Places count from the button's left.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

Event = tuple[Any, ...]

RANKS = "23456789TJQKA"
BOARD = (0, 3, 4, 5)  #: the board's cards on each street
STREETS = ("PRE_FLOP", "FLOP", "TURN", "RIVER")


class Forced(NamedTuple):
    """Money that a player must put in before the cards: a blind or straddle, or a live or dead post."""

    place: int
    amount: int
    kind: str  #: "blind", "live" or "dead"


class Setting(NamedTuple):
    """What is known before the first decision."""

    stacks: tuple[int, ...]
    big_blind: int
    forced: tuple[Forced, ...]
    antes: tuple[int, ...]
    equal_antes: bool
    dead: int
    cumulative: bool
    deck: tuple[str, ...]


class Choice(NamedTuple):
    """What a player may do: the chips of a call and of an all-in, and the street totals of a bet or a raise."""

    check: bool
    call: int | None
    bet: tuple[int, int] | None
    raise_to: tuple[int, int] | None
    all_in: int | None


class NoLimitHand:
    """One hand, from the forced money to the payout."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.n = setting, len(setting.stacks)
        self.stacks = list(setting.stacks)
        self.current_bet = [0] * self.n  # player.current_bet
        self.claim = [0] * self.n  # what a player has paid toward the pots, over all streets
        self.dead = setting.dead
        self.folded = [False] * self.n
        self.acted = [False] * self.n  # player.acted_this_street
        self.table_bet = 0  # table.current_bet
        self.last_raise_size = setting.big_blind
        self.street = 0
        self.deck = list(setting.deck)
        self.board: list[str] = []
        self.events: list[Event] = []
        self.over = False
        self.to_act = -1
        self._ante()
        opener = self._post()
        self.holes: list[tuple[str, ...]] = [
            tuple(self.deck[place :: self.n][:2])
            for place in range(self.n)  # one card at a time
        ]
        self.deck = self.deck[2 * self.n :]
        self.events += [("dealt", place, self.holes[place]) for place in range(self.n)]
        self._ask_from(opener)

    # --- forced money

    def _ante(self) -> None:
        """N6: antes are dead money. Equal ones form layers (N7), and what only one player could pay is not taken."""
        antes = [min(ante, stack) for ante, stack in zip(self.setting.antes, self.stacks, strict=True)]
        if self.setting.equal_antes and any(antes):
            second = sorted(antes)[-2]
            antes = [min(ante, second) for ante in antes]
        for place, ante in enumerate(antes):
            if ante:
                self.stacks[place] -= ante
                if self.setting.equal_antes:
                    self.claim[place] += ante
                else:
                    self.dead += ante
                self.events.append(("posted", place, ante, False))

    def _post(self) -> int:
        """Take blinds, straddles and posts; return the place left of the highest blind or straddle."""
        opener, highest = 0, 0
        for place, amount, kind in self.setting.forced:
            paid = min(amount, self.stacks[place])
            self.stacks[place] -= paid
            if kind == "dead":
                self.dead += paid
            else:
                self.current_bet[place] += paid
                self.claim[place] += paid
                self.table_bet = max(self.table_bet, amount)  # N1: the price of a short blind is the whole blind
            if kind == "blind" and amount >= highest:
                highest, opener = amount, (place + 1) % self.n
            if paid:
                self.events.append(("posted", place, paid, kind != "dead"))
        return opener

    # --- the player to act

    def _in_hand(self) -> list[int]:
        return [place for place in range(self.n) if not self.folded[place]]

    def _is_eligible(self, place: int) -> bool:
        """§5: an active player who has not acted, or faces a call; N4: only if an opponent could answer."""
        if self.folded[place] or not self.stacks[place]:
            return False
        if self.acted[place] and self.current_bet[place] >= self.table_bet:
            return False
        others = [other for other in self._in_hand() if other != place]
        return any(self.stacks[other] or self.current_bet[other] > self.current_bet[place] for other in others)

    def _ask_from(self, first: int) -> None:
        """§6: the round goes on while an eligible player is left; otherwise the street ends."""
        turns = [(first + step) % self.n for step in range(self.n)]
        if len(self._in_hand()) > 1:
            for place in turns:
                if self._is_eligible(place):
                    self.to_act = place
                    return
        self._end_street()

    def _end_street(self) -> None:
        self.to_act = -1
        self._refund()
        if len(self._in_hand()) == 1:
            self._pay()
            return
        if self.street == len(STREETS) - 1:
            self._show()
            self._pay()
            return
        self.street += 1
        count = BOARD[self.street] - BOARD[self.street - 1]
        cards, self.deck = self.deck[:count], self.deck[count:]
        self.board += cards
        self.events.append(("board", STREETS[self.street], tuple(cards)))
        self.current_bet, self.acted = [0] * self.n, [False] * self.n
        self.table_bet, self.last_raise_size = 0, self.setting.big_blind
        self._ask_from(0)  # the button is last, so the first left of it; heads-up the big blind (§1)

    def _refund(self) -> None:
        """N7: the uncalled part of a bet goes back."""
        second, top = sorted(self.claim)[-2:]
        owner = self.claim.index(top)
        if top > second and not self.folded[owner]:
            self.claim[owner] -= top - second
            self.current_bet[owner] -= top - second
            self.stacks[owner] += top - second
            self.events.append(("refunded", owner, top - second))

    # --- what is allowed

    def _may_raise(self, place: int) -> bool:
        """§4: a player who has acted needs a full raise since then. N4: an opponent must be able to answer."""
        if self.acted[place]:
            grown = self.table_bet - self.current_bet[place]
            if not (self.setting.cumulative and grown >= self.last_raise_size):
                return False
        others = [other for other in self._in_hand() if other != place]
        return any(
            self.stacks[other] and self.stacks[other] + self.current_bet[other] > self.table_bet for other in others
        )

    def choice(self) -> Choice:
        """What the player to act may do; a fold is always allowed (N5)."""
        place = self.to_act
        stack, bet = self.stacks[place], self.current_bet[place]
        owed, everything = max(0, self.table_bet - bet), stack + bet
        sizes = None
        if everything > self.table_bet and self._may_raise(place):
            sizes = (min(self.table_bet + self.last_raise_size, everything), everything)
        opening = self.table_bet == 0
        return Choice(
            check=not owed,
            call=min(owed, stack) if owed else None,
            bet=sizes if opening else None,
            raise_to=None if opening else sizes,
            all_in=stack if sizes is not None or stack <= owed else None,
        )

    # --- actions

    def act(self, verb: str, to: int = 0) -> None:
        """Fold, check, call, or raise to a street total; a bet is the first raise of a street."""
        place = self.to_act
        if verb == "fold":
            self.folded[place] = True
            self.events.append(("folded", place))
        elif verb == "check":
            self.events.append(("checked", place))
        elif verb == "call":
            chips = min(self.table_bet - self.current_bet[place], self.stacks[place])
            self._put_in(place, chips)
            self.events.append(("called", place, chips, not self.stacks[place]))
        else:
            self._raise(place, to)
        self.acted[place] = True
        self._ask_from((place + 1) % self.n)

    def _raise(self, place: int, to: int) -> None:
        chips, opening, size = to - self.current_bet[place], self.table_bet == 0, to - self.table_bet
        self._put_in(place, chips)
        self.table_bet = to
        if size >= self.last_raise_size:  # a full raise (§3), which reopens (§4)
            self.last_raise_size = size
            self.acted = [False] * self.n
        self.events.append(("raised", place, chips, to, opening, not self.stacks[place]))

    def _put_in(self, place: int, chips: int) -> None:
        self.stacks[place] -= chips
        self.current_bet[place] += chips
        self.claim[place] += chips

    # --- the end

    def _show(self) -> None:
        self.events += [("shown", place, self.holes[place]) for place in self._in_hand()]

    def _pots(self) -> list[tuple[int, list[int]]]:
        """N7: layers of equal payment; one that no live player paid joins the layer below.

        Dead money is the lowest layer, which all live players can win.
        """
        live = self._in_hand()
        found = [(self.dead, live)]
        below = 0
        for level in sorted({claim for claim in self.claim if claim}):
            amount = sum(min(claim, level) - min(claim, below) for claim in self.claim)
            claimants = [place for place in live if self.claim[place] >= level]
            if claimants and (claimants != found[-1][1]):
                found.append((amount, claimants))
            else:
                found[-1] = (found[-1][0] + amount, found[-1][1])
            below = level
        return [(amount, claimants) for amount, claimants in found if amount]

    def _pay(self) -> None:
        for number, (amount, claimants) in enumerate(self._pots()):
            strengths = {place: strength((*self.holes[place], *self.board)) for place in claimants}
            best = max(strengths.values())
            winners = [place for place in claimants if strengths[place] == best]
            share, odd = divmod(amount, len(winners))
            for order, place in enumerate(winners):  # odd chips go one at a time from the button's left
                won = share + (order < odd)
                if won:
                    self.stacks[place] += won
                    self.events.append(("won", place, won, number))
        self.over = True


def strength(cards: Sequence[str]) -> tuple[int, ...]:
    """The strength of the best five of these cards: a category from 8 (straight flush) to 0, then ranks that decide."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    suits = Counter(card[1] for card in cards)
    flush = [RANKS.index(card[0]) for card in cards if suits[card[1]] >= 5]
    if top := _straight(flush):
        return (8, top)
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    (most, first), *others = groups
    if most == 4:
        return (7, first, max(rank for _, rank in others))
    pairs = [rank for count, rank in others if count >= 2]
    if most == 3 and pairs:
        return (6, first, max(pairs))
    if flush:
        return (5, *sorted(flush, reverse=True)[:5])
    if top := _straight(ranks):
        return (4, top)
    kickers = [rank for rank in ranks if rank != first]
    if most == 3:
        return (3, first, *kickers[:2])
    if most == 2 and pairs:
        return (2, first, pairs[0], *[rank for rank in kickers if rank != pairs[0]][:1])
    return (1, first, *kickers[:3]) if most == 2 else (0, *ranks[:5])


def _straight(ranks: Sequence[int]) -> int:
    """The highest rank of five in a row, with the ace also low; 0 if there is none."""
    have = {rank + 1 for rank in ranks}
    if 13 in have:
        have.add(0)
    return max((top for top in range(4, 14) if all(top - step in have for step in range(5))), default=0)
