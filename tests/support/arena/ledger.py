"""A scorekeeper that reads only what everybody is told, and holds it against the rules of a hand: order, chips, cards.

It shares no arithmetic with the arena: bets, pots and winners are worked out here a second time.
"""

from collections import Counter

from pitboss.arena.journal.commitment import OpenedCard, matches_commitment
from pitboss.arena.wire import messages as wire
from pitboss.ranks import high, high_name

STREETS: tuple[type[wire.HandEvent], ...] = (wire.Flop, wire.TurnCard, wire.RiverCard)


class Ledger:
    """One table's public story, told message by message to `see`; a message that does not fit fails an assertion."""

    def __init__(self) -> None:
        self.seq = 0
        self.hands = 0
        self.seen = Counter[str]()  #: what came up, for tests that must have seen it
        self.stacks: dict[int, int] = {}
        self.over = False
        self._last: type[wire.ServerMessage] = wire.EndHand
        self._start: wire.StartHand | None = None
        self._big: int | None = None  # with a dead button, who had the big blind last
        self._big_before: int | None = None

    def see(self, message: wire.ServerMessage) -> None:
        """Take in the next message that everybody gets."""
        if isinstance(message, wire.Reveal):
            return
        number = getattr(message, "seq", None)
        assert number is not None, message
        gap_allowed = isinstance(message, wire.VoidMessage)
        assert number == self.seq + 1 or (gap_allowed and number > self.seq), (self.seq, message)
        self.seq = number
        assert not self.over, f"told after the match: {message}"
        match message:
            case wire.Mix():
                assert self._start is None, f"{message} within a hand"
            case wire.StartHand():
                self._begin(message)
            case wire.MatchEnd():
                self._end_match(message)
            case wire.EndHand():
                self._end_hand(message)
            case wire.VoidMessage():
                self._void(message)
            case _:
                assert self._start is not None, f"{message} outside a hand"
                assert getattr(message, "hand_id", None) == self._start.hand_id, message
                self._event(message)
        self._last = type(message)
        self.seen[type(message).__name__] += 1

    def pass_over(self, message: wire.ServerMessage) -> None:
        """Take in the next message of a game whose rules it does not know: its number, and that it came."""
        number = getattr(message, "seq", None)
        if number is not None:
            assert number == self.seq + 1 or isinstance(message, wire.VoidMessage), (self.seq, message)
            self.seq = number
            self.over = isinstance(message, wire.MatchEnd)
            self.hands += isinstance(message, wire.StartHand)
            self.seen[type(message).__name__] += 1

    # --- a hand's frame

    def _begin(self, start: wire.StartHand) -> None:
        assert self._start is None, "a hand begins within a hand"
        assert start.seed == int(start.commit[:13], 16)
        seats = [seat.seat for seat in start.stacks]
        assert seats == sorted(set(seats))
        assert start.button in seats
        assert all(seat.stack > 0 for seat in start.stacks), "a busted seat is dealt in"
        self._start = start
        self.hands += 1
        self.stacks = {seat.seat: seat.stack for seat in start.stacks}
        left = [seat for seat in seats if seat > start.button] + [seat for seat in seats if seat <= start.button]
        self.order = left  # from the button's left to the button
        self.folded: set[int] = set()
        self.bets = dict.fromkeys(seats, 0)
        self.paid = dict.fromkeys(seats, 0)
        self.price = 0
        self.step = 0  # the last full raise, at least the big blind
        self.acted: set[int] = set()  # who has acted since then
        self.spoken: set[int] = set()  # who has acted on this street
        self.turns: list[int] = []  # the seats in the order in which they are asked next
        self.board: tuple[str, ...] = ()
        self.shown: dict[int, tuple[str, ...]] = {}
        self.awards: list[tuple[int, int, int]] = []
        self.out: list[int] = []
        self._opened: dict[int, str] = {}

    @property
    def live(self) -> list[int]:
        """Who has not folded, from the button's left."""
        return [seat for seat in self.order if seat not in self.folded]

    def _end_hand(self, end: wire.EndHand) -> None:
        sent = {seat.seat: seat.stack for seat in end.stacks}
        assert sent == self.stacks, (sent, self.stacks)
        if self._last is wire.VoidMessage:
            assert end.hand_id == (self._start.hand_id if self._start else "")
        else:
            assert self._start is not None
            assert end.hand_id == self._start.hand_id
            assert sum(sent.values()) == sum(seat.stack for seat in self._start.stacks), "chips were lost or made"
            assert self.awards == self._expected(), (self.awards, self._expected())
            assert self.out == sorted(seat for seat, stack in sent.items() if stack == 0)
            if len(self.live) > 1:
                assert list(self.shown) == self.live, "everybody live shows, from the button's left"
        self._start = None

    def _void(self, void: wire.VoidMessage) -> None:
        if void.hand_id:
            assert self._start is not None
            assert void.hand_id == self._start.hand_id
            self.stacks = {seat.seat: seat.stack for seat in self._start.stacks}
            self._big = self._big_before
        assert void.reason

    def _end_match(self, end: wire.MatchEnd) -> None:
        assert self._last is wire.EndHand, "the match ends after a hand's end"
        most = end.final_stacks[0].stack
        first = tuple(wire.Winner(seat=row.seat, team=row.team) for row in end.final_stacks if row.stack == most)
        assert (end.winner, end.winners) == ((first[0], None) if len(first) == 1 else (None, first))
        stacks = [row.stack for row in end.final_stacks]
        assert stacks == sorted(stacks, reverse=True)
        places = [row.place for row in end.final_stacks]
        assert places == sorted(places, key=lambda place: place or 0)
        assert [place for place, stack in zip(places, stacks, strict=True) if stack == most] == [1] * len(first)
        self.over = True

    # --- what happens in it

    def _event(self, event: wire.ServerMessage) -> None:
        if self._last is wire.StartHand:
            assert isinstance(event, wire.PostBlinds), f"{event} before the blinds"
        match event:
            case wire.PostBlinds():
                self._blinds(event)
                self.step = self.big_blind = event.bb
                self.small_blind = event.sb
            case wire.BetMessage(seat=seat, amount=amount, to=to):
                assert to == self.bets[seat] + amount > self.price, event
                assert self.may_raise(seat), event
                assert to >= self.price + self.step or amount == self.stacks[seat], event
                self._pay(seat, amount)
                if to - self.price >= self.step:
                    self.step, self.acted = to - self.price, set()
                self.price = to
            case wire.CallMessage(seat=seat, amount=amount):
                assert amount == min(self.price - self.bets[seat], self.stacks[seat]) > 0, event
                self._pay(seat, amount)
            case wire.CheckMessage(seat=seat):
                assert self.bets[seat] == self.price or self.stacks[seat] == 0, event
                self._asked(seat)
            case wire.FoldMessage(seat=seat):
                self._asked(seat)
                self.folded.add(seat)
            case wire.Flop() | wire.TurnCard() | wire.RiverCard():
                self._street(event)
            case wire.Refund(seat=seat, amount=amount):
                self._refund(seat, amount)
            case wire.Showdown():
                self._show(event)
            case wire.PotAward(seat=seat, amount=amount, pot=pot):
                assert not self.out, "an award after an elimination"
                assert amount > 0
                self.awards.append((pot, seat, amount))
                self.stacks[seat] += amount
            case wire.Eliminated(seat=seat):
                self.out.append(seat)
            case _:
                raise AssertionError(f"{event} within a hand")
        if isinstance(event, wire.BetMessage | wire.CallMessage | wire.CheckMessage | wire.FoldMessage):
            self.acted.add(event.seat)
            self.spoken.add(event.seat)
            after = self.turns.index(event.seat) + 1
            self.turns = self.turns[after:] + self.turns[:after]

    def _blinds(self, event: wire.PostBlinds) -> None:
        assert self._last is wire.StartHand
        heads_up = len(self.order) == 2
        small, big = (self.order[1], self.order[0]) if heads_up else (self.order[0], self.order[1])
        assert self._start is not None
        if self._start.bb_seat is not None:  # the button is dead, or may be
            small, big = self._dead_button(self._start)
        assert (event.sb_seat, event.bb_seat) == (small, big), event
        assert event.sb_posted == min(event.sb, self.stacks.get(small, 0))
        assert event.bb_posted == min(event.bb, self.stacks[big])
        for seat, amount in ((small, event.sb_posted), (big, event.bb_posted)):
            if seat in self.stacks:
                self.stacks[seat] -= amount
                self.bets[seat] += amount
                self.paid[seat] += amount
                self.seen["short blind"] += self.stacks[seat] == 0
        self.seen["dead small blind"] += small not in self.stacks
        self.price = event.bb
        after = self.order.index(big) + 1
        self.turns = self.order[after:] + self.order[:after]
        self.seen["all blinds all-in"] += all(self.stacks.get(seat) == 0 for seat in (small, big))

    def _dead_button(self, start: wire.StartHand) -> tuple[int, int]:
        """Where the blinds must be: the big one at the next seat after it, the small one where it was."""
        seats, before = sorted(self.order), self._big
        small, big = start.sb_seat, start.bb_seat
        assert small is not None
        assert big is not None
        self._big, self._big_before = big, before
        if before is None:  # the first hand that is looked at
            return small, big
        due = next((seat for seat in seats if seat > before), seats[0])
        return next(seat for seat in seats if seat != due) if len(seats) == 2 else before, due

    def _asked(self, seat: int) -> None:
        """Somebody acts: he is in the hand, and neither cards nor chips were shown or paid yet."""
        assert seat in self.live
        assert self.stacks[seat] > 0, f"seat {seat} is all-in and acts"
        assert seat == self._next(), f"seat {seat} acts, and it is the turn of seat {self._next()}"
        assert not self.shown
        assert not self.awards

    def _next(self) -> int | None:
        """Whose turn it is: the next one round the table who is in, has chips, and has not spoken or owes something."""
        for seat in self.turns:
            waits = seat not in self.spoken or self.bets[seat] < self.price
            if waits and seat not in self.folded and self.stacks[seat]:
                return seat
        return None

    def may_raise(self, seat: int) -> bool:
        """Whether a seat that is asked may raise: not where nobody could answer, nor after short raises alone."""
        answer = any(self.stacks[other] for other in self.live if other != seat)
        return seat not in self.acted and self.bets[seat] + self.stacks[seat] > self.price and answer

    def _pay(self, seat: int, amount: int) -> None:
        self._asked(seat)
        assert 0 < amount <= self.stacks[seat], f"{amount} is more than seat {seat} has"
        self.stacks[seat] -= amount
        self.bets[seat] += amount
        self.paid[seat] += amount
        self.seen["all-in"] += self.stacks[seat] == 0

    def _refund(self, seat: int, amount: int) -> None:
        others = max(paid for other, paid in self.paid.items() if other != seat)
        assert amount == self.paid[seat] - others > 0, "only what nobody called goes back"
        assert not self.shown
        assert not self.awards
        self.stacks[seat] += amount
        self.paid[seat] -= amount

    def _street(self, event: wire.Flop | wire.TurnCard | wire.RiverCard) -> None:
        number = {0: 0, 3: 1, 4: 2}[len(self.board)]
        assert type(event) is STREETS[number], f"{event} with {self.board} on the table"
        cards = event.cards if isinstance(event, wire.Flop) else (event.card,)
        assert len(cards) == (3 if number == 0 else 1)
        assert len(self.live) > 1, "a street although all but one have folded"
        assert all(self.stacks[seat] == 0 or self.bets[seat] == self._owed_by_all() for seat in self.live)
        self._check_opened(event.opened, cards)
        if self._last in STREETS:
            self.seen["run-out"] += 1
        self.board += cards
        self.bets = dict.fromkeys(self.bets, 0)
        self.price, self.step, self.acted = 0, self.big_blind, set()
        self.spoken, self.turns = set(), list(self.order)

    def _owed_by_all(self) -> int:
        """What every seat with chips has in on this street when it ends: the most that was called."""
        return max([self.bets[seat] for seat in self.live if self.stacks[seat]], default=0)

    def _show(self, event: wire.Showdown) -> None:
        assert not self.awards
        assert event.board == self.board
        assert len(event.board) == 5
        assert len(event.hand) == 2
        assert event.rank == high_name(high((*event.hand, *event.board)))
        assert event.seat == self.live[len(self.shown)], "shown in order from the button's left"
        self._check_opened(event.opened, event.hand)
        self.shown[event.seat] = event.hand

    def _check_opened(self, opened: tuple[wire.Opening, ...], cards: tuple[str, ...]) -> None:
        assert self._start is not None
        assert tuple(one.card for one in opened) == cards
        for one in opened:
            proof = OpenedCard(one.card, one.at, bytes.fromhex(one.salt), tuple(map(bytes.fromhex, one.path)))
            assert matches_commitment(proof, self._start.commit), (
                f"{one.card} is not the card that the server was bound to"
            )
            assert one.at not in self._opened, "a place of the deck opened twice"
            assert one.card not in self._opened.values(), "a card twice"
            self._opened[one.at] = one.card

    # --- what is asked

    def check_question(self, asked: wire.Act | wire.Snapshot) -> None:
        """Whether a question, or a snapshot with one, says what the story so far says."""
        assert self._start is not None
        seat = asked.you.seat if isinstance(asked, wire.Snapshot) else asked.seat
        stack, bet = self.stacks[seat], self.bets[seat]
        owed = min(self.price - bet, stack)
        self._asked(seat)
        assert owed or any(self.stacks[other] for other in self.live if other != seat), "asked, but nobody could answer"
        raising = ("RAISE_TO",) if self.may_raise(seat) else ()
        assert asked.legal == (("FOLD", "CALL", *raising) if owed else ("CHECK", *raising, "FOLD")), asked
        assert asked.call_amount == (owed or None)
        assert asked.min_raise_to == (min(self.price + self.step, stack + bet) if raising else None)
        assert asked.max_raise_to == (stack + bet if raising else None)
        assert (asked.you.stack, asked.you.to_call, len(asked.you.hole)) == (stack, owed, 2)
        self.check_table(asked)

    def check_table(self, seen: wire.Act | wire.Snapshot) -> None:
        """Whether what is public in a question or a snapshot is what was told."""
        assert self._start is not None
        assert seen.phase == {0: "PRE_FLOP", 3: "FLOP", 4: "TURN", 5: "RIVER"}[len(self.board)]
        assert seen.community == self.board
        assert seen.pot == sum(self.paid.values())
        facts = (self.small_blind, self.big_blind, len(self.order), self._start.button)
        assert seen.table is not None
        assert (seen.table.sb, seen.table.bb, seen.table.seats, seen.table.button) == facts
        assert [(one.seat, one.stack, one.has_folded, one.committed) for one in seen.players] == [
            (seat, self.stacks[seat], seat in self.folded, self.bets[seat]) for seat in sorted(self.order)
        ]

    # --- who wins what

    def _expected(self) -> list[tuple[int, int, int]]:
        """The awards as (pot, seat, amount), worked out by peeling what everybody paid."""
        live, left = self.live, dict(self.paid)
        pots: list[tuple[int, list[int]]] = []
        while any(left[seat] for seat in live):
            layer = min(left[seat] for seat in live if left[seat])
            claim = [seat for seat in live if left[seat]]
            amount = sum(min(layer, chips) for chips in left.values())
            left = {seat: max(0, chips - layer) for seat, chips in left.items()}
            if pots and pots[-1][1] == claim:
                amount += pots.pop()[0]
            pots.append((amount, claim))
        if rest := sum(left.values()):  # of seats that have folded: it joins the last pot
            pots[-1] = (pots[-1][0] + rest, pots[-1][1])
        self.seen["side pots"] += len(pots) > 1
        return [award for number, pot in enumerate(pots) for award in self._share(number, *pot)]

    def _share(self, number: int, amount: int, claim: list[int]) -> list[tuple[int, int, int]]:
        if len(claim) > 1:
            made = {seat: high((*self.shown[seat], *self.board)) for seat in claim}
            claim = [seat for seat in claim if made[seat] == max(made.values())]
        each, odd = divmod(amount, len(claim))
        self.seen["split"] += len(claim) > 1
        self.seen["odd chips"] += bool(odd)
        return [(number, seat, each + (k < odd)) for k, seat in enumerate(claim) if each + (k < odd)]
