"""The play before the flop: which hands to open from where, how to answer a raise, when to push or fold."""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from pitboss.arena.bots.reading import is_last, lift, me, opponents, order, stay
from pitboss.arena.bots.sharp.ranges import standing
from pitboss.arena.bots.sharp.story import Story
from pitboss.arena.v1.answers import Answer, call, safe_answer
from pitboss.arena.v1.messages import Act
from pitboss.chance import Chance

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
