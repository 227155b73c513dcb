"""The bot: takes in what has happened, chooses what is worth most, and remembers what it has answered."""

from pitboss.arena.bots.reading import Bot, is_last, lift, me, opponents, part_of_pot, raised
from pitboss.arena.bots.sharp.beliefs import Belief, Urn
from pitboss.arena.bots.sharp.habits import ORDINARY, Habits
from pitboss.arena.bots.sharp.opening import answer_raise, first_in, spot
from pitboss.arena.bots.sharp.story import Observed, Story
from pitboss.arena.bots.sharp.worth import Deal, Rival, bet, deal_out, share
from pitboss.arena.v1.answers import Answer, call, safe_answer
from pitboss.arena.v1.messages import Act, Phase
from pitboss.chance import Chance

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
