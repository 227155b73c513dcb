"""Rewrite the expected rounds of the betting kernel: `python -m tests.golden.rounds [NAME ...]`, or all.

Each is played from a seed under one set of rules, and a mark after every action represents all that can be seen then:
what was on offer, which rule refused everything else, the numbers and the pots. Read the difference before committing
it, and say in the commit which rule changed.
"""

import sys
from hashlib import sha256
from pathlib import Path

from msgspec.structs import astuple

from pitboss.betting.events import AllIn, Bet, BettingAction, Call, Check, Fold, Raise, RaiseBy
from pitboss.betting.refusals import Refused
from pitboss.betting.round import Post, Round
from pitboss.betting.rules import PRESETS, Answers, Ceiling, Opposition, Reopening, Rules, RulesError, fixed_limit
from pitboss.chance import Chance

FOLDER = Path(__file__).resolve().parent / "rounds"
GAMES = dict.fromkeys(PRESETS, 60) | {"any_rules": 400, "two_sizes": 60}
STREETS = 3
WORDS: dict[type, str] = {Fold: "f", Check: "k", Call: "c", Bet: "b", Raise: "r", AllIn: "a", RaiseBy: "+"}


def some_rules(chance: Chance) -> Rules:
    """Any rules that make sense together."""
    while True:
        try:
            return Rules(
                ceiling=chance.choice(tuple(Ceiling)),
                cap=chance.below(5) - 1,
                reopening=chance.choice(tuple(Reopening)),
                answers=chance.choice(tuple(Answers)),
                opposition=chance.choice(tuple(Opposition)),
                **{
                    name: chance.below(2) == 1
                    for name, kind in Rules.__annotations__.items()
                    if kind is bool and name != "bring_in"
                },
                bring_in=chance.below(4) == 0,
            )
        except RulesError:
            pass


def some_round(rules: Rules, chance: Chance) -> Round:
    """A round with stacks from one chip to forty steps, and with blinds, a price, antes and dead chips or without."""
    n, step = 2 + chance.below(4), chance.choice((1, 2, 10))
    stacks = [1 + chance.below(step * chance.choice((1, 3, 8, 40))) for _ in range(n)]
    antes = [chance.below(step + 1) for _ in range(n)] if chance.below(3) == 0 else []
    posts = []
    if rules.matching and not rules.bring_in and chance.below(3):
        small, big = chance.choice(((0, step), (step // 2, step), (step, step), (step, 2 * step), (step, step // 2)))
        posts = [Post(0, small, option=True), Post(1, big, option=True)]
        if chance.below(3) == 0:
            posts.append(Post(n - 1, step, live=chance.below(2) == 0))
    round, _ = Round.start(
        rules,
        stacks=stacks,
        step=step,
        opener=None if posts else chance.below(n),
        posts=posts,
        antes=antes,
        equal_antes=chance.below(2) == 0,
        dead=chance.below(2) * step,
        price=1 + chance.below(step) if rules.bring_in else 0,
    )
    return round


def tries(round: Round) -> list[BettingAction]:
    """Actions on both sides of every bound there is."""
    p = round.turn
    total = round.bets[p] + round.stacks[p]
    sizes = {round.price, round.level + round.step, round.pot_raise, round.bets[p] + round.step, total}
    sizes |= {size + by for size in sizes for by in (-1, 1)}
    sized = [kind(size) for size in sorted(sizes) if size >= 0 for kind in (Bet, Raise)]
    return [Fold(), Check(), Call(), AllIn(), RaiseBy(round.step), *sized]


def seen(round: Round) -> tuple[object, ...]:
    """All of a round that can be seen, but for its rules."""
    return *astuple(round)[1:], round.pots, round.contested, round.live, round.chips_in_middle


def mark(*things: object) -> str:
    """Return three letters that identify all this."""
    return sha256(repr(things).encode()).hexdigest()[:3]


def play(rules: Rules, chance: Chance) -> str:
    """One game of three streets in a line."""
    round = some_round(rules, chance)
    said = [f"{round.stacks}", mark(seen(round))]
    for street in range(STREETS):
        while round.turn >= 0:
            answers: list[str] = []
            possible: list[BettingAction] = []
            for action in tries(round):
                try:
                    round.act(action)
                except Refused as refused:
                    answers.append(str(refused))
                else:
                    possible.append(action)
            place, action = round.turn, chance.choice((*round.legal(), chance.choice(possible)))
            offered = round.offer, round.legal()
            round, events = round.act(action)
            word = f"{place}{WORDS[type(action)]}{getattr(action, 'to', '')}"
            said.append(f"{word}:{mark(answers, offered, events, seen(round))}")
        round, events = round.close(step=round.step)
        said.append(f"/{mark(events, seen(round))}")
        if street < STREETS - 1 and len(round.live) > 1:
            round = round.open(chance.below(round.n), step=round.step + chance.below(2))
    return " ".join(said)


def games(name: str) -> str:
    """The games of one set of rules, or of any, one a line."""
    lines = []
    for number in range(GAMES[name]):
        chance = Chance(7).fork(number)
        if name == "two_sizes":
            rules = fixed_limit(second_step=20)
        else:
            rules = PRESETS[name]() if name in PRESETS else some_rules(chance)
        lines.append(play(rules, chance))
    return "".join(f"{line}\n" for line in lines)


def main(wanted: list[str]) -> None:
    """Write these games, or all."""
    for name in wanted or GAMES:
        (FOLDER / f"{name}.txt").write_text(games(name), encoding="utf-8", newline="\n")
        print(f"wrote {name}.txt")


if __name__ == "__main__":
    main(sys.argv[1:])
