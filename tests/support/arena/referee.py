"""A referee of matches of no-limit hold'em that knows only the protocol's text and reads frames as a client does.

It was written from the specification and the rulings. It imports none of the rules, so it is a second opinion on order,
turns, amounts, pots, winners, the deck and the places.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any, TypeAlias

from tests.support.laws.naive_ranks import USUAL, Strength, high

Frame: TypeAlias = dict[str, Any]
Award: TypeAlias = tuple[int, int, int]
"""Pot, seat and amount."""

PHASES = {0: "PRE_FLOP", 3: "FLOP", 4: "TURN", 5: "RIVER"}
STREETS = {"FLOP": (0, 3), "TURN": (3, 1), "RIVER": (4, 1)}
"""How many cards are on the board before, and how many come."""
ACTIONS = ("BET", "CALL", "CHECK", "FOLD")
NAMES = {
    "none": "high_card",
    "pairs": "two_pair",
    "three": "three_of_a_kind",
    "full": "full_house",
    "four": "four_of_a_kind",
    "straight flush": "straight_flush",
}
DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


def kind_of(frame: Frame) -> str:
    """The kind of a frame: its event, or its type."""
    return str(frame.get("ev") or frame["type"])


class Referee:
    """One table, followed through the public frames; a frame that does not fit fails an assertion.

    Without a `config`, which is in `welcome`, the checks that need it are left out.
    """

    def __init__(self, config: Frame | None = None) -> None:
        self.config = config or {}
        self.seq = 0
        self.hands = 0
        self.over = False
        self.seen = Counter[str]()  #: what came up, for tests that must have seen it
        self.hand: Hand | None = None  #: the open one
        self.stacks: dict[int, int] = {}  #: of every seat dealt in so far, after the last hand
        self._last = ""  # the kind of the last frame
        self._button: int | None = None
        self._big: int | None = None  # with a dead button, the seat of the last big blind
        self._before: tuple[int | None, int | None] = (None, None)  # the two before the open hand
        self._dealt = Counter[int]()  # hands that each seat was dealt in
        self._out: dict[int, tuple[int, int]] = {}  # seat → the hand in which it went out, and its stack before
        self._played: dict[str, Hand] = {}  # until their decks are revealed

    def see(self, frame: Frame) -> None:
        """Take in the next public frame."""
        kind = kind_of(frame)
        if kind == "reveal":
            self._reveal(frame)
            return
        may_skip = kind == "HAND_VOIDED"
        assert frame["seq"] == self.seq + 1 or (may_skip and frame["seq"] > self.seq), (self.seq, frame)
        assert not self.over, f"sent after the match: {frame}"
        self.seq = frame["seq"]
        match kind:
            case "mix":
                assert self.hand is None, f"{frame} within a hand"
            case "start_hand":
                self._begin(frame)
            case "end_hand":
                self._end(frame)
            case "match_end":
                self._end_match(frame)
            case "HAND_VOIDED":
                self._void(frame)
            case _:
                assert self.hand is not None, f"{frame} outside a hand"
                assert frame["hand_id"] == self.hand.id, frame
                self.hand.take(kind, frame)
        self._last = kind
        self.seen[kind] += 1

    def skip(self, frame: Frame) -> None:
        """Take in the next frame of a game whose rules it does not know: count it and check its number."""
        if "seq" in frame:
            kind = kind_of(frame)
            assert frame["seq"] == self.seq + 1 or kind == "HAND_VOIDED", (self.seq, frame)
            self.seq = frame["seq"]
            self.over = kind == "match_end"
            self.hands += kind == "start_hand"
            self.seen[kind] += 1

    def ask(self, frame: Frame) -> None:
        """Check a seat's `act`, or its `snapshot`, against the current state."""
        if frame["type"] == "act":
            assert self.hand is not None, f"{frame} outside a hand"
            assert frame["hand_id"] == self.hand.id, frame
            self.hand.check_question(frame, frame["seat"])
            self.hand.check_table(frame, frame["seat"])
            return
        seat = frame["you"]["seat"]
        assert frame["at_hand_id"] == (self.hand.id if self.hand else None), frame
        assert frame["next_actor"] == (self.hand.to_act if self.hand else None), frame
        assert (frame["time_ms_remaining"] is None) == (frame["next_actor"] is None), frame
        if self.hand is None:
            assert (frame["phase"], frame["community"], frame["you"]["hole"]) == ("WAITING", [], []), frame
            assert frame["you"]["stack"] == self.stacks.get(seat, frame["you"]["stack"]), frame
        else:
            self.hand.check_table(frame, seat)
        if frame["next_actor"] == seat and self.hand is not None:
            self.hand.check_question(frame, seat)
        else:
            assert not {"legal", "call_amount", "min_raise_to", "max_raise_to"} & frame.keys(), frame

    # --- from hand to hand

    def _begin(self, frame: Frame) -> None:
        assert self.hand is None, "a hand begins within a hand"
        assert frame["seed"] == int(frame["commit"][:13], 16)
        stacks = {each["seat"]: each["stack"] for each in frame["stacks"]}
        assert list(stacks) == sorted(stacks), "the seats are not in order"
        assert all(stack > 0 for stack in stacks.values()), "a busted seat is dealt in"
        for seat, stack in self.stacks.items():
            assert stacks.get(seat, 0) == stack, f"seat {seat} ended the last hand with {stack}: {frame}"
        start = self.config.get("starting_stack")
        new = stacks.keys() - self.stacks.keys()
        assert start is None or all(stacks[seat] == start for seat in new), frame
        assert len(stacks) > 1, "a hand for one seat"
        assert self.hands < (self.config.get("max_hands") or self.hands + 1), "more hands than max_hands"
        self._before = self._button, self._big
        small_big = self._dead_button(frame, stacks) if "bb_seat" in frame else None
        if small_big is None and self._button is not None:
            after = [seat for seat in stacks if seat > self._button]
            assert frame["button"] == (after or list(stacks))[0], f"the button was at {self._button}: {frame}"
        assert frame["button"] in stacks
        self._button = frame["button"]
        self.hands += 1
        self._dealt.update(list(stacks))
        self.hand = Hand(frame, stacks, small_big, self.config, self.seen)

    def _dead_button(self, frame: Frame, stacks: dict[int, int]) -> tuple[int, int]:
        """The seats of the blinds: the big one at the next seat clockwise, the small one where the big one was."""
        before, seats = self._big, list(stacks)
        self._big = frame["bb_seat"]
        if before is None:
            return frame["sb_seat"], frame["bb_seat"]
        big = next((seat for seat in seats if seat > before), seats[0])
        small = next(seat for seat in seats if seat != big) if len(seats) == 2 else before
        assert (frame["sb_seat"], frame["bb_seat"]) == (small, big), f"the big blind was at {before}: {frame}"
        return small, big

    def _end(self, frame: Frame) -> None:
        stacks = {each["seat"]: each["stack"] for each in frame["stacks"]}
        hand = self.hand
        if self._last == "HAND_VOIDED":
            assert frame["hand_id"] == (hand.id if hand else ""), frame
            assert hand is None or stacks == hand.began, frame
        else:
            assert hand is not None, f"{frame} outside a hand"
            assert frame["hand_id"] == hand.id, frame
            hand.check_end(stacks)
            self._out |= {seat: (self.hands, hand.began[seat]) for seat in hand.out}
            self._played[hand.id] = hand
        self.stacks |= stacks
        self.hand = None

    def _void(self, frame: Frame) -> None:
        assert frame["reason"]
        if self.hand is not None and frame["hand_id"]:
            assert frame["hand_id"] == self.hand.id
            self._button, self._big = self._before
            self._dealt.subtract(list(self.hand.began))
            self.hands -= 1

    def _end_match(self, frame: Frame) -> None:
        assert self._last in ("end_hand", ""), "the match ends after a hand's end"
        rows = [(row["stack"], row["seat"]) for row in frame["final_stacks"]]
        alive = [seat for stack, seat in rows if stack]
        limit = self.config.get("max_hands")
        reason = "last_standing" if len(alive) == 1 else "max_hands"
        assert frame["reason"] == reason, frame
        assert len(alive) == 1 or limit is None or self.hands == limit, f"ended after {self.hands} hands: {frame}"
        assert all(self.stacks.get(seat, stack) == stack for stack, seat in rows), (self.stacks, frame)
        assert {seat for _, seat in rows} >= self.stacks.keys()
        worth = {seat: (stack, *self._survived(seat)) for stack, seat in rows}
        for row in frame["final_stacks"]:
            place = 1 + sum(other > worth[row["seat"]] for other in worth.values())
            assert row["place"] == place, f"seat {row['seat']} has place {place}: {worth}, {frame}"
        assert [row["place"] for row in frame["final_stacks"]] == sorted(row["place"] for row in frame["final_stacks"])
        first = [{"seat": row["seat"], "team": row["team"]} for row in frame["final_stacks"] if row["place"] == 1]
        assert frame["winner"] == (first[0] if len(first) == 1 else None), frame
        assert frame.get("winners") == (first if len(first) > 1 else None), frame
        self.over = True

    def _survived(self, seat: int) -> tuple[int, int, int]:
        """What ranks seats without chips: hands survived, when they were out, and their stack before."""
        return (self._dealt[seat], *self._out[seat]) if seat in self._out else (0, 0, 0)

    def _reveal(self, frame: Frame) -> None:
        for row in frame["hands"]:
            if (hand := self._played.pop(row["hand_id"], None)) is not None:
                hand.check_deck(row)


class Hand:
    """One hand: the seat to act, what is legal, the pots, and who wins them."""

    def __init__(
        self,
        start: Frame,
        stacks: dict[int, int],
        blinds: tuple[int, int] | None,
        config: Frame,
        seen: Counter[str],
    ) -> None:
        self.id: str = start["hand_id"]
        self.began = dict(stacks)
        self.stacks = stacks
        self.button: int = start["button"]
        self.order = sorted(stacks, key=lambda seat: (seat <= self.button, seat))  # from the button's left
        self.holes: dict[int, list[str]] = {}  #: the own cards that seats received
        self.out: list[int] = []
        self._commit: str = start["commit"]
        self._config, self._seen = config, seen
        if blinds is None:
            blinds = (self.order[1], self.order[0]) if len(stacks) == 2 else (self.order[0], self.order[1])
        self._blinds = blinds
        self._small = self._big = 0
        self._stage = "blinds"
        self._bets = dict.fromkeys(stacks, 0)
        self._paid = dict.fromkeys(stacks, 0)
        self._folded: set[int] = set()
        self._price = 0
        self._step = 0  # the last full raise, at least the big blind
        self._acted: dict[int, int] = {}  # seats that acted since the last full raise → the price that they left
        self._spoken: set[int] = set()  # seats that acted on this street
        self._turns: list[int] = []  # the seats in the order in which they act next
        self._board: list[str] = []
        self._shown: dict[int, list[str]] = {}
        self._awards: list[Award] = []
        self._pots: list[Frame] | None = None  # as sent last
        self._places: dict[int, str] = {}  # the places of the deck that were opened

    # --- what happens

    def take(self, kind: str, frame: Frame) -> None:
        """Take in the next event."""
        seat, amount = frame.get("seat", -1), frame.get("amount", 0)
        if self._stage == "blinds":
            assert kind in ("POST_ANTES", "POST_BLINDS"), f"{frame} before the blinds"
        if kind in ACTIONS:
            assert seat == self.to_act, f"seat {self.to_act} is to act: {frame}"
            owed, raising = self._owed(seat), self._may_raise(seat)
            match kind:
                case "BET":
                    assert raising, f"a raise is not allowed: {frame}"
                    assert 0 < amount <= self.stacks[seat], frame
                    assert frame["to"] == self._bets[seat] + amount >= self._least(seat), frame
                    self._raise(seat, amount)
                case "CALL":
                    assert amount == owed > 0, frame
                    self._pay(seat, amount)
                case "CHECK":
                    assert not owed, frame
                case "FOLD":
                    self._folded.add(seat)
            self._acted[seat] = self._price
            self._spoken.add(seat)
            after = self._turns.index(seat) + 1
            self._turns = self._turns[after:] + self._turns[:after]
        elif kind in STREETS:
            self._street(kind, frame)
        elif kind == "POST_ANTES":
            self._antes(frame)
        elif kind == "POST_BLINDS":
            self._post(frame)
        elif kind == "REFUND":
            self._refund(seat, amount)
        elif kind == "SHOWDOWN":
            self._show(seat, frame)
        elif kind == "POT_AWARD":
            self._award(seat, amount, frame)
        else:
            assert kind == "ELIMINATED", frame
            assert self._awards, "eliminated before the pots are awarded"
            assert self.stacks[seat] == 0 < self.began[seat], frame
            assert seat not in self.out, "eliminated twice"
            self._stage = "out"
            self.out.append(seat)
        if "pots" in frame:
            self._pots = frame["pots"]
            assert sum(pot["amount"] for pot in self._pots) == sum(self._paid.values()), frame

    def _antes(self, frame: Frame) -> None:
        ante = self._config.get("ante", frame["ante"])
        assert frame["ante"] == ante
        expected = [{"seat": seat, "amount": min(ante, self.stacks[seat])} for seat in self.order]
        assert frame["posted"] == expected, frame
        for row in expected:
            self._pay(row["seat"], row["amount"])
        self._bets = dict.fromkeys(self._bets, 0)

    def _post(self, frame: Frame) -> None:
        assert self._stage == "blinds", "the blinds are posted twice"
        small, big = self._blinds
        self._small, self._big = frame["sb"], frame["bb"]
        assert (self._small, self._big) == (self._config.get("sb", frame["sb"]), self._config.get("bb", frame["bb"]))
        assert (frame["sb_seat"], frame["bb_seat"]) == (small, big), frame
        assert frame["sb_posted"] == min(self._small, self.stacks.get(small, 0)), frame
        assert frame["bb_posted"] == min(self._big, self.stacks[big]), frame
        if small in self.stacks:
            self._pay(small, frame["sb_posted"])
        self._pay(big, frame["bb_posted"])
        self._price = self._step = self._big
        after = self.order.index(big) + 1
        self._turns = self.order[after:] + self.order[:after]
        self._stage = "betting"
        self._seen["short blind"] += any(self.stacks.get(seat) == 0 for seat in (small, big))
        self._seen["all blinds all-in"] += all(self.stacks.get(seat) == 0 for seat in (small, big))
        self._seen["dead small blind"] += small not in self.stacks

    def _street(self, kind: str, frame: Frame) -> None:
        before, count = STREETS[kind]
        cards = frame["cards"] if kind == "FLOP" else [frame["card"]]
        assert (len(self._board), len(cards)) == (before, count), f"{frame} with {self._board} on the table"
        assert self._stage == "betting", frame
        assert len(self.live) > 1, "a street although all but one have folded"
        assert self.to_act is None, f"a street, but seat {self.to_act} is to act"
        assert not self._is_run_out or self._uncalled is None, f"a run-out before a refund of {self._uncalled}"
        self._check_new(cards, frame["opened"])
        for row in frame.get("hands", ()):  # a run-out
            self._own(row["seat"], row["cards"])
            assert row["seat"] in self.live
        self._seen["run-out"] += self._is_run_out
        self._board += cards
        self._bets = dict.fromkeys(self._bets, 0)
        self._price, self._step = 0, self._big
        self._acted, self._spoken, self._turns = {}, set(), list(self.order)

    def _refund(self, seat: int, amount: int) -> None:
        assert self._stage == "betting", "a refund after a showdown or an award"
        assert self._uncalled == (seat, amount), f"uncalled: {self._uncalled}, refunded: {(seat, amount)}"
        assert self._is_run_out or len(self._board) == 5, f"a refund of {amount}, and betting may go on"
        assert self.to_act is None, f"a refund of {amount}, but seat {self.to_act} is to act"
        self.stacks[seat] += amount
        self._paid[seat] -= amount

    def _show(self, seat: int, frame: Frame) -> None:
        assert self._stage in ("betting", "showdown"), frame
        self._check_betting_over()
        assert self._uncalled is None, f"shown before a refund of {self._uncalled}"
        self._stage = "showdown"
        assert frame["board"] == self._board
        assert seat == self.live[len(self._shown)], f"shown in order from the button's left: {self.live}, {frame}"
        self._own(seat, frame["hand"])
        self._check_new(frame["hand"], frame["opened"])
        assert frame["rank"] == rank_name(best((*frame["hand"], *self._board))), frame
        self._shown[seat] = frame["hand"]

    def _award(self, seat: int, amount: int, frame: Frame) -> None:
        if not self._awards:
            self._check_betting_over()
            assert self._uncalled is None, f"an award before a refund of {self._uncalled}"
            assert len(self.live) == 1 or list(self._shown) == self.live, "an award before all have shown"
        assert self._stage != "out", "an award after an elimination"
        self._stage = "awards"
        assert amount > 0
        self._awards.append((frame["pot"], seat, amount))
        self.stacks[seat] += amount

    def check_end(self, stacks: dict[int, int]) -> None:
        """Check the end of the hand."""
        assert stacks == self.stacks, (stacks, self.stacks)
        assert sum(stacks.values()) == sum(self.began.values()), "chips were lost or created"
        pots = self._cut()
        self._seen["side pots"] += len(pots) > 1
        expected = [award for number, pot in enumerate(pots) for award in self._share(number, *pot)]
        assert self._awards == expected, (self._awards, expected)
        assert sorted(self.out) == [seat for seat, stack in sorted(stacks.items()) if stack == 0], self.out
        if self._pots is not None:
            assert self._pots == [{"amount": amount, "seats": sorted(claim)} for amount, claim in pots]

    # --- the seat to act and its choices

    @property
    def live(self) -> list[int]:
        """The seats that have not folded, from the button's left."""
        return [seat for seat in self.order if seat not in self._folded]

    @property
    def to_act(self) -> int | None:
        """The seat that must act next."""
        if self._stage != "betting" or len(self.live) == 1:
            return None
        for seat in self._turns:
            if seat in self._folded or not self.stacks[seat]:
                continue
            owes = any(self._bets[other] > self._bets[seat] for other in self.live)
            if owes or (self._can_be_answered(seat) and (self._owed(seat) or seat not in self._spoken)):
                return seat  # no seat has to pay the rest of a short blind that no opponent could win
        return None

    def _owed(self, seat: int) -> int:
        return min(self._price - self._bets[seat], self.stacks[seat])

    def _least(self, seat: int) -> int:
        return min(self._price + self._step, self._bets[seat] + self.stacks[seat])

    def _can_be_answered(self, seat: int) -> bool:
        """Whether an opponent has chips for more than the price; only then can a raise be answered."""
        return any(self._bets[other] + self.stacks[other] > self._price for other in self.live if other != seat)

    def _may_raise(self, seat: int) -> bool:
        if self._bets[seat] + self.stacks[seat] <= self._price or not self._can_be_answered(seat):
            return False
        if seat not in self._acted:
            return True
        raised, rule = self._price - self._acted[seat], self._config.get("reopening")
        return raised > 0 if rule == "always" else rule == "cumulative" and raised >= self._step

    def legal(self, seat: int) -> list[str]:
        """What a seat may do, as `act` lists it."""
        raising = ["RAISE_TO"] if self._may_raise(seat) else []
        return ["FOLD", "CALL", *raising] if self._owed(seat) else ["CHECK", *raising, "FOLD"]

    def check_question(self, frame: Frame, seat: int) -> None:
        """Check the seat, the choices and their amounts."""
        assert seat == self.to_act, f"seat {self.to_act} is to act: {frame}"
        assert frame["legal"] == self.legal(seat), f"{self.legal(seat)} is legal: {frame}"
        raising = "RAISE_TO" in frame["legal"]
        assert frame.get("call_amount") == (self._owed(seat) or None), frame
        assert frame.get("min_raise_to") == (self._least(seat) if raising else None), frame
        assert frame.get("max_raise_to") == (self._bets[seat] + self.stacks[seat] if raising else None), frame

    def check_table(self, frame: Frame, seat: int) -> None:
        """Check what a seat receives about the table."""
        assert (frame["phase"], frame["community"]) == (PHASES[len(self._board)], self._board), frame
        rows = [(each, self.stacks[each], each in self._folded, self._bets[each]) for each in sorted(self.order)]
        sent = [(row["seat"], row["stack"], row["has_folded"], row["committed"]) for row in frame["players"]]
        assert sent == rows, (frame, rows)
        assert frame["pot"] == sum(self._paid.values()), frame
        table = {"sb": self._small, "bb": self._big, "seats": len(self.order), "button": self.button}
        assert frame["table"].items() >= table.items(), (frame, table)
        if seat in self.stacks:
            owed = self._owed(seat) if seat not in self._folded else frame["you"]["to_call"]
            assert (frame["you"]["stack"], frame["you"]["to_call"]) == (self.stacks[seat], owed), frame
            self._own(seat, frame["you"]["hole"])
        else:
            assert frame["you"]["hole"] == [], frame

    def _own(self, seat: int, cards: list[str]) -> None:
        """Check two cards: always the same ones, and not those of another seat."""
        assert len(set(cards)) == 2, cards
        assert self.holes.setdefault(seat, cards) == cards, f"the cards of seat {seat} were {self.holes[seat]}: {cards}"
        assert not set(cards) & set(self._board), f"{cards} are on the board"
        others = {card for other, hole in self.holes.items() if other != seat for card in hole}
        assert not others & set(cards), f"{cards} are somebody else's too"

    # --- chips

    def _pay(self, seat: int, amount: int) -> None:
        self.stacks[seat] -= amount
        self._bets[seat] += amount
        self._paid[seat] += amount
        self._seen["all-in"] += self.stacks[seat] == 0

    def _raise(self, seat: int, amount: int) -> None:
        before = self._price
        self._pay(seat, amount)
        self._price = self._bets[seat]
        if self._price - before >= self._step:
            self._step, self._acted = self._price - before, {}
        else:
            self._seen["short raise"] += 1

    def _check_betting_over(self) -> None:
        if len(self.live) > 1:
            assert len(self._board) == 5, f"the hand is over with {self._board} on the table"
            assert self.to_act is None, f"the hand is over, but seat {self.to_act} is to act"

    @property
    def _is_run_out(self) -> bool:
        """Whether no seat can bet any more."""
        return sum(self.stacks[seat] > 0 for seat in self.live) < 2 or len(self.live) == 1

    @property
    def _uncalled(self) -> tuple[int, int] | None:
        """The seat that paid more than every other one, and by how much."""
        seat = max(self._paid, key=lambda each: self._paid[each])
        amount = self._paid[seat] - max(paid for other, paid in self._paid.items() if other != seat)
        return (seat, amount) if amount else None

    def _cut(self) -> list[tuple[int, list[int]]]:
        """The pots with the seats that can win them: layers of equal payment."""
        pots: list[tuple[int, list[int]]] = []
        level = 0
        for top in sorted({paid for paid in self._paid.values() if paid}):
            amount = sum(min(paid, top) - min(paid, level) for paid in self._paid.values())
            claim = [seat for seat in self.live if self._paid[seat] >= top]
            level = top
            if pots and (not claim or claim == pots[-1][1]):  # with one other seat or none, it is part of the pot below
                pots[-1] = (pots[-1][0] + amount, pots[-1][1])
            else:
                pots.append((amount, claim))
        return pots

    def _share(self, number: int, amount: int, claim: Sequence[int]) -> list[Award]:
        """The winners of a pot; odd chips go one at a time from the button's left."""
        if len(claim) > 1:
            made = {seat: best((*self._shown[seat], *self._board)) for seat in claim}
            claim = [seat for seat in claim if made[seat] == max(made.values())]
        each, odd = divmod(amount, len(claim))
        self._seen["split"] += len(claim) > 1
        self._seen["odd chips"] += bool(odd)
        return [(number, seat, each + (k < odd)) for k, seat in enumerate(claim) if each + (k < odd)]

    # --- the deck

    def _check_new(self, cards: list[str], opened: list[Frame]) -> None:
        """Check new cards: none appears twice, and each is proved to be at its place in the deck."""
        assert [one["card"] for one in opened] == cards, opened
        for one in opened:
            assert one["at"] not in self._places, "a place of the deck opened twice"
            assert one["card"] not in self._places.values(), "a card turned up twice"
            self._places[one["at"]] = one["card"]
            assert root_of(one) == self._commit, f"the proof of {one['card']} does not lead to the commitment"

    def check_deck(self, row: Frame) -> None:
        """Check the revealed deck: it fits the secret and the commitment, and was dealt in order."""
        deck = [row["deck"][at : at + 2] for at in range(0, len(row["deck"]), 2)]
        secret = bytes.fromhex(row["secret"])
        assert deck == shuffled(secret)
        nodes = [leaf(at, card, digest(secret, b"salt", bytes([at]))[:16]) for at, card in enumerate(deck)]
        while len(nodes) > 1:
            pairs = [digest(b"\1", *nodes[at : at + 2]) for at in range(0, len(nodes) - 1, 2)]
            nodes = pairs + nodes[len(pairs) * 2 :]
        assert nodes[0].hex() == self._commit, "the deck is not the one that was committed to"
        count = len(self.order)
        for at, seat in enumerate(self.order):
            hole = self.holes.get(seat, [deck[at], deck[count + at]])
            assert hole == [deck[at], deck[count + at]], f"seat {seat} had {hole}"
        assert self._board == deck[2 * count : 2 * count + len(self._board)]
        assert all(deck[at] == card for at, card in self._places.items())


# --- cards and hashes, as the protocol page describes them


def best(cards: Sequence[str]) -> Strength:
    """The strength of the best five of some cards."""
    return max(map(high, combinations(cards, 5)))


def rank_name(strength: Strength) -> str:
    """The name of a hand's category."""
    word = USUAL[strength[0][0]]
    return NAMES.get(word, word)


def digest(*parts: bytes) -> bytes:
    """The SHA-256 of joined parts."""
    return hashlib.sha256(b"".join(parts)).digest()


def leaf(at: int, card: str, salt: bytes) -> bytes:
    """The leaf of a card in the tree of hashes."""
    return digest(b"\0", salt, bytes([at]), card.encode())


def root_of(opened: Frame) -> str:
    """The root that the proof of a card leads to."""
    at, path = opened["at"], [bytes.fromhex(node) for node in opened["path"]]
    node, width = leaf(at, opened["card"], bytes.fromhex(opened["salt"])), len(DECK)
    while width > 1:
        if at ^ 1 < width:
            sibling = path.pop(0)
            node = digest(b"\1", sibling, node) if at % 2 else digest(b"\1", node, sibling)
        at, width = at // 2, (width + 1) // 2
    assert not path, "the proof is too long"
    return node.hex()


def shuffled(secret: bytes) -> list[str]:
    """The deck that a secret determines."""
    deck, counter, stream = list(DECK), 0, b""
    for at in range(len(deck) - 1):
        most = len(deck) - at
        while True:
            if not stream:
                stream, counter = digest(secret, b"deck", counter.to_bytes(4, "big")), counter + 1
            byte, stream = stream[0], stream[1:]
            if byte < 256 - 256 % most:
                break
        other = at + byte % most
        deck[at], deck[other] = deck[other], deck[at]
    return deck
