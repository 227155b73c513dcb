"""A game played from a fixed seed and told in words, with what mattered in it.

After every move the deal is played out many times, with all hands as they are, the deck shuffled anew and nearly
everybody staying in: how often each seat wins is its chance. What moved the chances most is pointed out.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pitboss import chance
from pitboss.chance import Chance
from pitboss.lab import piles
from pitboss.lab.codes import MOST_MOVES
from pitboss.lab.english import some
from pitboss.lab.events import DealBegun, PhaseBegun
from pitboss.lab.game import LabGame
from pitboss.lab.genome import Genome
from pitboss.lab.measures import moments
from pitboss.lab.measures.moments import STAYING, play_out
from pitboss.lab.narrator import PEOPLE, Item, Voice, merged, tell
from pitboss.lab.policies.games import GREEDY, decide
from pitboss.lab.policies.knowledge import plain_work

SEED = 1
SEEDS_TRIED = 6
"""Games from so many seeds are looked at; the one in which most kinds of things happen is told."""
MOST_LOOKS = 30
"""So often at most are the chances of a game looked at; in a longer one they are after every few moves."""
LEAST_RACES, MOST_RACES, ALL_STEPS = 8, 40, 60_000
"""How often the deal is played out at each look, and how many moves may be spent on that in a whole game."""
LEAST_SWING, SWING_ERROR = 0.25, 1.4
"""A change of chances is told if it is at least this, and this over the root of the races: twice its own error."""
LEAST_DECIDING = 0.1
BLUFF, WEAK, HURTS = 0.3, 0.5, 0.6
"""A bluff is a bet with at most this part of a fair chance on a hand that beats at most this share of hands."""
LONGEST_LINE, ENDLESS, MOST_LINES = 220, 1200, 40
"""Characters after which a line ends, the most that it has, and lines that are told of a game."""


class SampleMoment(Struct, frozen=True):
    """A move, what came of it, and everybody's chances afterwards."""

    words: str
    ends: bool  #: whether a line of the story ends with it
    deal: int = -1
    chances: tuple[float, ...] = ()  #: as far as they were looked at
    gains: tuple[float, ...] = ()  #: how much more they are than at the look before
    note: str = ""  #: what mattered about it
    deciding: bool = False


class SampleLine(Struct, frozen=True):
    """A line of the story; `note` stands out."""

    words: str
    note: str = ""
    deciding: bool = False


class SampleGame(Struct, frozen=True):
    """A whole game in words."""

    seed: int
    players: tuple[str, ...]  #: what everybody is called, by seat
    lines: tuple[SampleLine, ...]
    moves: int
    winners: tuple[int, ...]
    chances: tuple[tuple[float, ...], ...]  #: after each move that was looked at, by seat


def sample_game(genome: Genome, seed: int = SEED, tried: int = SEEDS_TRIED) -> SampleGame:
    """Of a few games between greedy players, the one with the most movement; it follows from genome and seed."""
    played = max([_Play(genome, first) for first in range(seed, seed + tried)], key=lambda game: game.interest)
    moments = _annotated(genome, played)
    return SampleGame(
        seed=played.seed,
        players=PEOPLE[: genome.player_count],
        lines=tuple(_shortened(_lines(moments))),
        moves=len(played.steps),
        winners=played.game.winners,
        chances=tuple([moment.chances for moment in moments if moment.chances]),
    )


class _Step(Struct):
    before: LabGame
    move: str
    strength: float | None  #: where chips are bet: the share of hands that the mover's beats, as far as he can see
    items: Sequence[Item]  #: what came of it


class _Play:
    """A game between greedy players, who now and then follow a whim."""

    def __init__(self, genome: Genome, seed: int) -> None:
        self.seed, self.steps = seed, list[_Step]()
        self.game, events, remarks = LabGame.start_with_remarks(genome, seed)
        self.opening = merged(events, remarks)
        work, stream = plain_work(), Chance(seed).fork(1).state
        while self.game.player is not None:
            numbers, program = self.game.numbers, self.game.program
            moves = [*numbers, *[0] * (len(work.moves[0]) - len(numbers))]
            work.states[0] = self.game.state
            state = work.states[0]
            move, stream = decide(GREEDY, program.games[0], program.rules, state, moves, len(numbers), work, stream)
            words = self.game.moves[numbers.index(move)]
            before, bets = self.game, program.games[0].by_strength[state.phase]
            self.game, events, remarks = before.act_with_remarks(words)
            strength = work.strength[0] if bets and len(numbers) > 1 else None
            self.steps.append(_Step(before, words, strength, merged(events, remarks)))

    @property
    def interest(self) -> tuple[bool, bool, int]:
        """A winner alone, by the game's own rules, and moves of several kinds, not too many of them."""
        alone = len(self.game.winners) == 1 and not self.game.state.stopped
        kinds = {step.move.split()[0] for step in self.steps}
        return alone, len(self.steps) <= 4 * MOST_LINES, len(kinds)


# --- everybody's chances


def _annotated(genome: Genome, played: _Play) -> list[SampleMoment]:
    """All moments, the deal first; a line each where a new deal begins in the midst of one."""
    every = max(1, -(-len(played.steps) // MOST_LOOKS))
    races, stream = _races(played, every), Chance(played.seed).fork(2).state
    voice = Voice(genome)
    moments = [SampleMoment(" ".join(tell(voice, played.opening)), True)]
    before: tuple[float, ...] = ()
    for at, step in enumerate(played.steps):
        if not before:
            stream, before = _chances(step.before, races, stream)
        last = at + 1 == len(played.steps)
        after = played.game if last else played.steps[at + 1].before
        ended, chances = last or after.state.deal != step.before.state.deal, tuple[float, ...]()
        if ended:
            chances = _result(step.before, after)
        elif (at + 1) % every == 0:
            stream, chances = _chances(after, races, stream)
        note = _said(step, before) or (
            _swing(before, chances, 0 if ended else SWING_ERROR / sqrt(races)) if chances else ""
        )
        gains = tuple([new - old for old, new in zip(before, chances, strict=False)])
        first, *deals = _sentences(voice, step)
        ends = bool(deals or note) or any(isinstance(item, PhaseBegun) for item in step.items)
        moments.append(SampleMoment(first, ends, int(step.before.state.deal), chances, gains, note))
        moments += [SampleMoment(words, True) for words in deals]
        before = () if ended else chances or before
    return _with_deciding(moments, played)


def _sentences(voice: Voice, step: _Step) -> list[str]:
    """A move and what came of it, and then each deal that begins with it."""
    deals = [at for at, item in enumerate(step.items) if isinstance(item, DealBegun)]
    pieces = [step.items[first:end] for first, end in pairwise([0, *deals, len(step.items)])]
    return [" ".join(tell(voice, piece)) for piece in pieces]


def _races(played: _Play, every: int) -> int:
    """How often the deal can be played out at each look, within what all of it may cost."""
    length = max(1, len(played.steps) // max(1, int(played.game.state.deal)))
    looks = max(1, len(played.steps) // every)
    return max(LEAST_RACES, min(MOST_RACES, 2 * ALL_STEPS // (looks * length)))  # half of a deal is left on average


def _chances(game: LabGame, races: int, stream: int) -> tuple[int, tuple[float, ...]]:
    """How often each seat wins the deal from here, and the stream as it is then."""
    g, rules, s = game.program.games[0], game.program.rules, game.state
    won, moves = [0.0] * g.n, [0] * MOST_MOVES
    for _ in range(races):
        t: Any = s.copy()
        stream = piles.mixed(stream, t.deck, t.drawn, t.undrawn)
        t.chance = chance.fork(stream, stream)
        stream, _ = play_out(g, rules, t, moves, STAYING, stream)
        for place in range(g.n):
            won[place] += moments.share(g, s, t, place) / races
    return stream, tuple(won)


def _result(before: LabGame, after: LabGame) -> tuple[float, ...]:
    """Who won the deal that ended between two moments."""
    g = before.program.games[0]
    return tuple([moments.share(g, before.state, after.state, place) for place in range(g.n)])


# --- what mattered


def _said(step: _Step, before: Sequence[float]) -> str:
    """What there is to say of the move itself: a bluff, or a fold of the best hand."""
    place, verb = step.before.state.asked, step.move.split()[0]
    who, bets = PEOPLE[place], verb in ("bet", "raise", "all_in")
    if bets and step.strength is not None and step.strength <= WEAK and before[place] <= 2 * BLUFF / len(before):
        return f"A bluff: if nobody folded, {who} would win this deal {_often(before[place])}."
    if verb == "fold" and before[place] >= HURTS:
        return f"{who} folds what would have won {_often(before[place])}."
    return ""


def _swing(before: Sequence[float], after: Sequence[float], sure: float) -> str:
    """Whose chance has risen most, if it has clearly."""
    gains = [new - old for old, new in zip(before, after, strict=True)]
    best = max(range(len(gains)), key=lambda seat: gains[seat])
    if gains[best] < max(LEAST_SWING, sure):
        return ""
    return f"{PEOPLE[best]}'s chance of this deal goes from {_percent(before[best])} to {_percent(after[best])}."


def _often(share: float) -> str:
    return "never" if share < 0.005 else "always" if share > 0.995 else f"{_percent(share)} of the time"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _with_deciding(moments: list[SampleMoment], played: _Play) -> list[SampleMoment]:
    """Mark where whoever won the game, or the first of them, gained most of a chance in the deal that won most."""
    if not played.game.winners or not played.steps:
        return moments
    winner = played.game.winners[0]
    deal, found, most = _dearest(played, winner), -1, LEAST_DECIDING
    for at, moment in enumerate(moments):
        if moment.deal == deal and moment.gains and moment.gains[winner] > most:
            found, most = at, moment.gains[winner]
    return [replace(moment, deciding=at == found, ends=moment.ends or at == found) for at, moment in enumerate(moments)]


def _dearest(played: _Play, winner: int) -> int:
    """The deal in which the winner won most chips; without chips the last one."""
    if not played.game.genome.setup.starting_chips:
        return int(played.steps[-1].before.state.deal)
    behind = dict[int, int]()  # with what is in the middle, so that antes do not count
    for step in played.steps:
        state = step.before.state
        behind.setdefault(int(state.deal), state.stacks[winner] + state.paid[winner] + state.bets[winner])
    ends = [*list(behind.values())[1:], played.game.chips[winner]]
    gains = {deal: end - start for (deal, start), end in zip(behind.items(), ends, strict=True)}
    return max(gains, key=lambda deal: gains[deal])


# --- lines


def _lines(moments: Iterable[SampleMoment]) -> list[SampleLine]:
    """Moves that follow each other within a step stand in one line; what mattered ends it."""
    lines, words = list[SampleLine](), ""
    for moment in moments:
        words = f"{words} {moment.words}".strip()
        if moment.ends or len(words) > LONGEST_LINE:
            lines.append(SampleLine(words, moment.note, moment.deciding))
            words = ""
    lines += [SampleLine(words)] if words else []
    return [replace(line, words=_cut(line.words)) for line in lines]


def _cut(words: str) -> str:
    """A line that can still be read: what goes on without anybody deciding may be endless."""
    return words if len(words) <= ENDLESS else f"{words[:ENDLESS].rpartition('. ')[0]}. … and so on."


def _shortened(lines: list[SampleLine]) -> list[SampleLine]:
    """The beginning, the end, and what mattered; of the rest only how much it was."""
    if len(lines) <= MOST_LINES:
        return lines
    chosen = {*range(MOST_LINES // 3), *range(len(lines) - MOST_LINES // 6, len(lines))}
    chosen |= {at for at, line in enumerate(lines) if line.deciding}
    for at, line in enumerate(lines):
        if line.note and len(chosen) < MOST_LINES:
            chosen |= {at - 1, at}
    short, missing = list[SampleLine](), 0
    for at, line in enumerate(lines):
        if at not in chosen:
            missing += 1
            continue
        short += [SampleLine(f"… {some(missing, 'line')} later …")] if missing else []
        short.append(line)
        missing = 0
    return short
