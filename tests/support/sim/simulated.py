"""One match, decided by one number: bots that play, cheat, vanish and come back, and a server that crashes.

`python -m tests.support.sim.simulated SEED` plays one and says what happened.
"""

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.limits import Limits
from pitboss.arena.v1 import messages as wire
from pitboss.betting.actions import Bet, Call, Check, Fold, Raise
from pitboss.chance import Chance
from tests.support.arena.bad_frames import BAD
from tests.support.arena.rooms import CODE, Guest, Parlour

STEPS = 160
WORDS: dict[type[Any], str] = {Fold: "FOLD", Check: "CHECK", Call: "CALL", Bet: "RAISE_TO", Raise: "RAISE_TO"}


class Sent:
    """An action that went out, and whether it has been done."""

    def __init__(self, team: str, action: dict[str, Any]) -> None:
        self.team = team
        self.action = action
        self.done = False


class Bot:
    """A team: its connection, if it has one, and the last number it was told."""

    def __init__(self, team: str) -> None:
        self.team = team
        self.guest: Guest | None = None
        self.seen = 0
        self.read = 0
        self.resumed: int | None = None  #: the number it asked to be told from, until its snapshot comes
        self.missed: list[wire.ServerMessage] = []

    def sit(self, guest: Guest, resumed: int | None) -> None:
        """Take a new connection."""
        self.guest, self.read, self.resumed, self.missed = guest, 0, resumed, []

    def look(self) -> None:
        """Read what came; after `resume_from`, nothing may be missing before the snapshot."""
        if self.guest is None:
            return
        new, self.read = self.guest.inbox[self.read :], len(self.guest.inbox)
        for message in new:
            if isinstance(message, wire.Snapshot):
                if self.resumed is not None:
                    self._check_resumed(message)
                self.resumed = None
                self.seen = message.seq
            elif (seq := getattr(message, "seq", None)) is not None:
                self.missed.append(message)
                self.seen = seq
        if self.guest.closed is not None:
            self.guest = None

    def _check_resumed(self, snapshot: wire.Snapshot) -> None:
        assert self.resumed is not None
        numbers = [getattr(message, "seq", 0) for message in self.missed]
        if self.resumed >= snapshot.seq:
            assert numbers == [], "told again what was seen"
            return
        assert numbers == list(range(numbers[0], snapshot.seq + 1)), "a gap before the snapshot"
        assert numbers[0] == self.resumed + 1 or isinstance(self.missed[0], wire.StartHand), "missed frames are missing"


class SimulatedMatch:
    """The table, the bots, and what is counted."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = Chance(seed)
        big = chance.choice((2, 10, 100))
        self.settings = Settings(
            seats=2 + chance.below(5),
            stack=1 + chance.below(12 * big),
            small_blind=big // 2,
            big_blind=big,
            move_time_ms=1000 + chance.below(15_000),
            max_hands=1 + chance.below(6),
            timeout_policy=chance.choice(("check_call", "check_fold")),
        )
        limits = Limits(delay=chance.choice((0.0, 0.0, 4.0)), grace=float(chance.below(20)))
        self.parlour = Parlour(self.settings, limits=limits, seed=chance.bits())
        self.parlour.holding = True
        self.bots = [Bot(f"bot{k}") for k in range(self.settings.seats)]
        self.sent: list[Sent] = []
        self.audited = 0  # how many acts the auditor has taken in
        self.counts = Counter[str]()

    def play(self) -> Counter[str]:
        """Play it to its end."""
        acts: list[tuple[int, Callable[[], None]]] = [
            (40, self.act),
            (25, self.commit),
            (12, self.misbehave),
            (10, self.come),
            (4, self.drop),
            (3, self.take_over),
            (6, self.wait),
            (2, self.crash),
            (2, self.watch),
        ]
        wheel = [act for weight, act in acts for _ in range(weight)]
        for _ in range(STEPS):
            act = self.chance.choice(wheel)
            act()
            self.counts[act.__name__] += 1
            self.audit()
            if self.parlour.witness.over:
                break
        self.finish()
        self.counts += self.parlour.witness.ledger.seen
        return self.counts

    # --- what bots do

    def act(self) -> None:
        """Whoever is asked, and knows it, answers as he may; now and then without the turn, or twice."""
        bot = self.asked()
        if bot is None or bot.guest is None:
            return
        action = self.good_action(bot.guest.question())
        if self.chance.below(4) == 0:
            del action["turn"]
        self.send(bot, action)
        if self.chance.below(8) == 0:
            self.counts["twice"] += 1
            self.send(bot, action)

    def asked(self) -> Bot | None:
        """Whose turn it is, if he was asked on the connection he has."""
        for bot in self.bots:
            if bot.guest is not None and bot.guest.seat == self.parlour.match.asked is not None:
                try:
                    turn = bot.guest.question().turn
                except AssertionError:
                    return None
                return bot if turn == max(self.parlour.witness.questions, default=None) else None
        return None

    def good_action(self, asked: wire.Act | wire.Snapshot) -> dict[str, Any]:
        """Something on offer."""
        hand_id = asked.hand_id if isinstance(asked, wire.Act) else asked.at_hand_id
        word = self.chance.choice([*(asked.legal or ()), "CALL", "CHECK"])
        if word not in (asked.legal or ()):
            word = "CALL" if "CALL" in (asked.legal or ()) else "CHECK"
        action = {"type": "action", "v": 1, "hand_id": hand_id, "action": word, "turn": asked.turn}
        if word == "RAISE_TO" and asked.min_raise_to is not None and asked.max_raise_to is not None:
            spread = asked.max_raise_to - asked.min_raise_to
            amounts = (asked.min_raise_to, asked.max_raise_to, asked.min_raise_to + self.chance.below(spread + 1))
            action["amount"] = self.chance.choice(amounts)
        return action

    def send(self, bot: Bot, action: dict[str, Any]) -> None:
        """Send an action and remember it."""
        if bot.guest is not None and bot.guest.closed is None:
            self.sent.append(Sent(bot.team, action))
            bot.guest.say(action)

    def misbehave(self) -> None:
        """Somebody sends what he should not."""
        here = [bot for bot in self.bots if bot.guest is not None]
        if not here:
            return
        bot = self.chance.choice(here)
        guest = bot.guest
        assert guest is not None
        match = self.parlour.match
        action = {"type": "action", "v": 1, "hand_id": self.parlour.match.hand_id, "action": "CALL"}
        match self.chance.below(7):
            case 0:
                guest.say(self.chance.choice(BAD)[1])
            case 1:
                guest.hello()
            case 2:  # garbage amounts
                self.send(bot, action | {"action": "RAISE_TO", "amount": self.chance.choice((0, 1, 10**12))})
            case 3:  # another turn, another hand
                self.send(bot, action | {"turn": self.chance.below(self.parlour.witness.seq + 5)})
                self.send(bot, action | {"hand_id": f"H-2026-11-15-{match.history.hands - 1:05d}"})
            case 4:  # whatever the turn: what was sent before
                mine = [sent for sent in self.sent if sent.team == bot.team]
                if mine:
                    self.send(bot, self.chance.choice(mine[-4:]).action)
            case 5:  # perhaps out of turn
                if guest.seat != match.asked:
                    guest.news()
                    self.send(bot, action | {"action": "FOLD"})
            case _:  # a flood
                for _ in range(self.chance.below(70)):
                    if guest.closed is None:
                        guest.say("[]")

    def come(self) -> None:
        """Somebody who is away comes, perhaps asking for what he missed."""
        away = [bot for bot in self.bots if bot.guest is None]
        if away:
            self.say_hello(self.chance.choice(away))

    def say_hello(self, bot: Bot) -> None:
        """A new connection for a bot."""
        resumed = self.chance.choice((None, bot.seen)) if bot.seen else None
        guest = self.parlour.connect(bot.team)
        bot.sit(guest, resumed)
        guest.hello(CODE + bot.team, **({} if resumed is None else {"resume_from": resumed}))

    def take_over(self) -> None:
        """A second process for a seat that has one."""
        here = [bot for bot in self.bots if bot.guest is not None]
        if here:
            self.say_hello(self.chance.choice(here))

    def drop(self) -> None:
        """Somebody loses his connection."""
        here = [bot for bot in self.bots if bot.guest is not None]
        if here:
            bot = self.chance.choice(here)
            assert bot.guest is not None
            bot.guest.leave()
            bot.guest = None

    def watch(self) -> None:
        """A spectator comes."""
        self.parlour.watch()

    # --- what the world does

    def commit(self) -> None:
        """The disk keeps up a little, or wholly."""
        waiting = len(self.parlour.waiting)
        self.parlour.commit(self.chance.below(waiting) + 1 if waiting and self.chance.below(2) else None)
        self.parlour.settle()

    def wait(self) -> None:
        """Time passes; perhaps so much that a turn is over."""
        most = self.settings.move_time_ms * self.chance.choice((1, 1, 2)) // 1000
        self.parlour.pass_time(self.chance.below(1000 * most + 1000) / 1000)

    def crash(self) -> None:
        """The server dies; some of what was not known to be on disk may be there."""
        waiting = len(self.parlour.waiting)
        self.parlour.restart(survived=self.chance.below(waiting + 1))
        for bot in self.bots:
            bot.guest = None

    # --- what must hold

    def audit(self) -> None:
        """Every action of a client that was done was sent, for that very turn, and is done once."""
        for bot in self.bots:
            bot.look()
        acts = self.parlour.witness.acts
        for question, acted in acts[self.audited :]:
            self.counts[acted.cause] += 1
            if acted.cause == "timeout":
                continue
            team = self.parlour.witness.teams[acted.seat]
            fits = [sent for sent in self.sent if not sent.done and sent.team == team and _fits(sent, question, acted)]
            assert fits, f"done, but not sent: {question} {acted}"
            fits[0].done = True
        self.audited = len(acts)
        turns = [question.turn for question, _ in acts]
        assert len(turns) == len(set(turns)), "a turn was answered twice"

    def finish(self) -> None:
        """Everybody comes back and plays fair: the match must come to its end."""
        parlour = self.parlour
        parlour.holding = False
        parlour.settle()
        for _ in range(3000):
            self.audit()
            if parlour.witness.over:
                break
            away = [bot for bot in self.bots if bot.guest is None or bot.guest.seat is None]
            if away:
                parlour.pass_time(2.0)  # who changes hands too often has to wait
                self.say_hello(away[0])
                self.audit()
                continue
            bot = self.asked()
            if bot is None:
                parlour.pass_time(1.0)
            else:
                assert bot.guest is not None
                self.send(bot, self.good_action(bot.guest.question()))
        assert parlour.witness.over, "the match does not end"
        parlour.pass_time(parlour.limits.delay)
        parlour.restart()
        parlour.pass_time(3600.0)
        guest = parlour.join(parlour.witness.teams[0])
        assert guest.got(wire.MatchEnd), "who comes after the match is told how it ended"
        assert len(guest.got(wire.Reveal)) == -(-parlour.history.hands // 30), "and what was dealt"


def _fits(sent: Sent, question: Any, acted: Any) -> bool:
    """Whether an action, as it was sent, can be what was done."""
    action = sent.action
    amount = getattr(acted.action, "to", None)
    return (
        (action["hand_id"], action["action"]) == (question.hand_id, WORDS[type(acted.action)])
        and action.get("turn", question.turn) == question.turn
        and (amount is None or action.get("amount") == amount)
    )


if __name__ == "__main__":
    print(SimulatedMatch(int(sys.argv[1])).play())
