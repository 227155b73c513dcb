"""Opens by position, reads its opponents' bets, weighs every bet against the hands they leave, and bluffs a little.

It remembers how each seat has played, in the hand and over all hands (`opponent_model`), and pushes or folds with a
short stack.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from pitboss.arena.bots.opponent_model import ORDINARY, PAIRS, Belief, Habits, Observed, Story, Urn, standing
from pitboss.arena.bots.toolkit import Bot, is_last, lift, me, opponents, order, part_of_pot, raised, stay
from pitboss.arena.wire.answers import Answer, call, safe_answer
from pitboss.arena.wire.messages import Act, Phase
from pitboss.cards import DECK, Card
from pitboss.chance import Chance
from pitboss.ranks import high


def unseen(hole: Sequence[Card], board: Sequence[Card]) -> list[Card]:
    """The cards that may lie in other hands or still come."""
    seen = {*hole, *board}
    return [card for card in DECK if card not in seen]


def part(mine: int, others: Sequence[int]) -> float:
    """What a strength wins of a pot against others: all, nothing, or an equal part of a tie."""
    best = max(others, default=0)
    return 1.0 if mine > best else 0.0 if mine < best else 1 / (1 + others.count(mine))


class Deal(NamedTuple):
    """One way the cards may lie: the own strength, and of every rival the share of better hands and his strength."""

    mine: int
    theirs: tuple[tuple[float, int], ...]


class Rival(NamedTuple):
    """An opponent who faces a bet: what it costs him to stay, and with which share of all hands he does."""

    to_pay: int
    stays: float


def deal_out(
    hole: Sequence[Card], board: Sequence[Card], urns: Sequence[Urn], *, deals: int, chance: Chance
) -> list[Deal]:
    """So many deals: for each rival a hand out of his urn, and the cards still to come."""
    stub = unseen(hole, board)
    dealt = []
    for _ in range(deals):
        hands = _hands(urns, chance)
        used = {card for at, _ in hands for card in PAIRS[at]}
        whole = list(board)
        while len(whole) < 5:
            card = stub[chance.below(len(stub))]
            if card not in used:
                used.add(card)
                whole.append(card)
        theirs = tuple([(better, high((*PAIRS[at], *whole))) for at, better in hands])
        dealt.append(Deal(high((*hole, *whole)), theirs))
    return dealt


def _hands(urns: Sequence[Urn], chance: Chance) -> list[tuple[int, float]]:
    """A hand for everybody, no card twice; after many clashes two may share a card, which hardly matters."""
    hands: list[tuple[int, float]] = []
    used: set[Card] = set()
    for urn in urns:
        for _ in range(8):
            at, better = urn.draw(chance)
            if used.isdisjoint(PAIRS[at]):
                break
        used.update(PAIRS[at])
        hands.append((at, better))
    return hands


def share(deals: Sequence[Deal]) -> float:
    """The part of the pot won if everybody stays to the end."""
    return sum([part(deal.mine, [strength for _, strength in deal.theirs]) for deal in deals]) / len(deals)


def bet(deals: Sequence[Deal], rivals: Sequence[Rival], *, pot: int, cost: int) -> tuple[float, float]:
    """What a bet of `cost` wins on average, if it is the last one, and the part of the pot it wins where it is called.

    >>> ahead, behind = Deal(9, ((0.5, 5),)), Deal(1, ((0.2, 7),))
    >>> bet([ahead, behind], [Rival(to_pay=100, stays=0.4)], pot=100, cost=100)
    (0.0, 0.0)
    """
    won, called, times = 0.0, 0.0, 0
    for deal in deals:
        stay = [
            (strength, rival.to_pay)
            for (better, strength), rival in zip(deal.theirs, rivals, strict=True)
            if better < rival.stays
        ]
        if not stay:
            won += pot
            continue
        risked = min(cost, max(paid for _, paid in stay))
        mine = part(deal.mine, [strength for strength, _ in stay])
        won += mine * (pot + risked + sum(paid for _, paid in stay)) - risked
        called += mine
        times += 1
    return won / len(deals), called / times if times else 1.0


OPEN = (0.80, 0.80, 0.46, 0.30, 0.23, 0.18, 0.15, 0.13, 0.11, 0.10)
"""The share of hands, the best ones, that open a pot nobody has entered, by how many are still to speak."""
OPEN_SMALL_BLIND = 0.50
"""The same against the big blind alone, who will speak last."""
SHORT = 12
"""With no more big blinds than this it pushes or folds."""
PUSH = (0.60, 0.60, 0.40, 0.30, 0.24, 0.20, 0.17, 0.15, 0.13, 0.12)
"""The share of hands that push ten big blinds; more do with fewer."""
STEAL = 0.65
"""Where all behind it fold more often than this, any hand is worth a raise."""
STICKY = 0.15
"""Who folds less often than this is raised with the better half of hands only, and to more."""
LIMPED = 0.45
"""No more hands than these, and of them the better part, raise where others have called the big blind."""


class PreflopSpot(NamedTuple):
    """Where the asked seat stands before the flop."""

    better: float  #: the share of all hands that are better
    deep: float  #: the chips that can be lost, in big blinds
    behind: tuple[int, ...]  #: the seats that have not spoken
    entered: int  #: how many others have put in chips of their own accord
    last: bool  #: whether it speaks last after the flop


def spot(act: Act, story: Story) -> PreflopSpot:
    """What an `act` and the hand's story say about it."""
    others, mine, seats = opponents(act), me(act), order(act)
    after = seats[seats.index(act.seat) + 1 :]
    first, second = act.you.hole
    return PreflopSpot(
        better=standing((first, second)),
        deep=min(act.you.stack + mine.committed, max(p.stack + p.committed for p in others)) / act.table.bb,
        behind=tuple(p.seat for p in others if p.seat in after and p.seat not in story.spoken),
        entered=sum(p.seat in story.spoken and p.committed >= act.table.bb for p in others),
        last=is_last(act),
    )


def first_in(act: Act, at: PreflopSpot, yielding: Sequence[float]) -> Answer:
    """Open, complete or let it be, where nobody has raised; `yielding` is how often those behind fold to a raise."""
    behind = min(max(1, len(at.behind)), len(OPEN) - 1)
    if at.deep <= SHORT:
        wide = PUSH[behind] * (10 / max(at.deep, 3)) ** 0.5
        return lift(act, at.deep * act.table.bb) if at.better < wide else safe_answer(act)
    sticky = max(yielding, default=1.0) < STICKY
    wide = OPEN_SMALL_BLIND if behind == 1 and not at.last else OPEN[behind]
    if at.entered:
        wide = 0.7 * min(wide, LIMPED)
    elif yielding and prod(yielding) > STEAL:
        wide = 1.0
    if at.better < (min(wide, 0.5) if sticky else wide):
        return lift(act, (2.5 + at.entered + sticky) * act.table.bb)
    cheap = act.you.to_call < act.table.bb and at.better < 0.8
    return call() if act.you.to_call and (cheap or (at.entered and at.better < 0.5)) else safe_answer(act)


def answer_raise(act: Act, at: PreflopSpot, share: float, yielding: float, raised: int, chance: Chance) -> Answer:
    """Raise again, call or fold with a hand that wins this share against the raiser's hands."""
    owed, rivals, big = act.you.to_call, max(1, at.entered), act.table.bb
    if act.max_raise_to is not None:
        total = (3 if at.last else 3.8) * (me(act).committed + owed) + big * (rivals - 1)
        commits = total > 0.4 * at.deep * big
        good = share > (0.52 + 0.04 * raised if rivals == 1 else 1 / (rivals + 1) + 0.22)
        bluff = raised == 1 and not commits and 0.3 < at.better < 0.45 and chance.uniform() < 0.15 * yielding
        if good or bluff:
            return lift(act, act.max_raise_to if commits else total)
    return stay(act) if share * keeps(act, at) > owed / (act.pot + owed) else safe_answer(act)


def keeps(act: Act, at: PreflopSpot) -> float:
    """How much of its share a hand keeps when the betting goes on: less out of position and against many."""
    others = opponents(act)
    if act.you.to_call >= act.you.stack or all(player.stack == 0 for player in others):
        return 1.0
    return (0.95 if at.last else 0.8) - 0.05 * (len(others) - 1)


DEALS = 160
SIZES = (0.5, 0.9)
"""Bets it considers, as parts of the pot."""
NOISE = 0.03
"""How much of the pot two choices may differ in worth and still both be made."""
AHEAD, FARTHER = 0.52, 0.06
"""A raise must win so much of the pot where it is called, and so much more for every raise before it."""
CAUGHT = (0.0, 0.75, 0.95)
"""With how many of his hands one who has bet, or raised again, stays at least."""


def make(chance: Chance) -> Bot:
    """A bot that is hard for a beginner to beat."""
    return Sharp(chance).decide


class Sharp:
    """What it knows from turn to turn."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.habits: dict[int, Habits] = {}
        self.story = Story("")
        self.beliefs: dict[int, Belief] = {}
        self.button: int | None = None  #: where it was in the last hand with a question
        self.asked: dict[int, Phase] = {}  #: who has yet to answer its own last bet, which will be seen

    def decide(self, act: Act) -> Answer:
        """Take in what has happened, answer, and remember the answer."""
        self.learn(act)
        answer = self.after_flop(act) if act.community else self.before_flop(act)
        self.story.answered(act, answer)
        if (total := raised(answer)) is not None and act.phase != "RIVER":
            able = [p.seat for p in opponents(act) if p.committed + p.stack > total]
            self.asked = dict.fromkeys(able, act.phase) if total != act.max_raise_to else {}
        return answer

    # --- what the others do

    def learn(self, act: Act) -> None:
        """Take in what has happened since the last answer."""
        new = act.hand_id != self.story.hand_id
        stayed = set() if new else {player.seat for player in opponents(act)}
        for seat, phase in self.asked.items():  # a hand that ended with its bet was folded by all who could call
            self.of(seat).gives_way[phase].count(seat not in stayed)
        self.asked = {}
        if new:
            self.story = Story(act.hand_id)
            self.beliefs = {player.seat: Belief() for player in act.players}
            self.notice_walk(act)
        first = new and not act.community
        for observed in self.story.follow(act):
            self.take_in(observed, first)

    def notice_walk(self, act: Act) -> None:
        """Heads-up, who has the button twice running without a question between them was given a blind for nothing."""
        if len(act.players) == 2 and act.seat == act.table.button == self.button:
            for player in opponents(act):
                self.of(player.seat).raises.count(False)
                self.of(player.seat).enters.count(False)
        self.button = act.table.button

    def take_in(self, observed: Observed, first: bool) -> None:
        """See somebody do something: what he may hold, and what he is like.

        Only those who spoke before its own first word show how often they play: of the others it sees who plays.
        """
        habits = self.of(observed.seat)
        if first:
            habits.raises.count(observed.what == "raise")
            habits.enters.count(observed.what in ("raise", "call"))
        if observed.what != "fold":
            self.beliefs[observed.seat].narrow(observed, habits)
            if observed.board:
                habits.bets.count(observed.what == "raise")

    def of(self, seat: int) -> Habits:
        """What is known of a seat."""
        return self.habits.setdefault(seat, Habits())

    # --- what it does

    def before_flop(self, act: Act) -> Answer:
        """Open, or answer a raise."""
        at = spot(act, self.story)
        if not self.story.raised:
            return first_in(act, at, [self.of(seat).gives_way["PRE_FLOP"].value for seat in at.behind])
        leader = act.seat if self.story.leader is None else self.story.leader
        yielding = self.of(leader).gives_way["PRE_FLOP"].value
        return answer_raise(act, at, share(self.deals(act)), yielding, self.story.raised, self.chance)

    def after_flop(self, act: Act) -> Answer:
        """Choose what is worth most."""
        deals, owed = self.deals(act), act.you.to_call
        staying = share(deals) * self.keeps(act) * (act.pot + owed) - owed
        options: list[tuple[float, Answer]] = (
            [(staying, call()), (0.0, safe_answer(act))] if owed else [(staying, safe_answer(act))]
        )
        if act.max_raise_to is not None:
            for size in SIZES:
                answer = lift(act, part_of_pot(act, size))
                total = raised(answer)
                assert total is not None
                worth, called = bet(deals, self.rivals(act, total), pot=act.pot, cost=total - me(act).committed)
                if not owed or called > AHEAD + FARTHER * self.story.raised:
                    options.append((worth, answer))
        return max(options, key=lambda option: option[0] + NOISE * act.pot * self.chance.uniform())[1]

    def deals(self, act: Act) -> list[Deal]:
        """Ways the cards may lie, as far as it knows."""
        urns = []
        for player in opponents(act):
            self.beliefs[player.seat].forget((*act.you.hole, *act.community))
            urns.append(Urn(self.beliefs[player.seat], act.community))
        return deal_out(act.you.hole, act.community, urns, deals=DEALS, chance=self.chance)

    def keeps(self, act: Act) -> float:
        """How much of its share of the pot a hand keeps when the betting goes on behind it."""
        rest = act.you.stack > act.you.to_call and any(player.stack for player in opponents(act))
        if act.phase == "RIVER" or not rest:
            return 1.0
        return 0.97 if is_last(act) else 0.87

    def rivals(self, act: Act, total: int) -> list[Rival]:
        """How the others would answer a bet to this total."""
        cost = total - me(act).committed
        fair = act.pot / (act.pot + cost)  # who folded more could be bluffed with anything
        rivals = []
        for player in opponents(act):
            to_pay = min(total, player.committed + player.stack) - player.committed
            stays = fair * (1 - self.of(player.seat).gives_way[act.phase].value) / ORDINARY
            if self.story.leader == player.seat:
                stays = max(stays, CAUGHT[min(self.story.raised, 2)])
            rivals.append(Rival(to_pay, min(stays, 0.97) if to_pay > 0 else 1.0))
        return rivals

