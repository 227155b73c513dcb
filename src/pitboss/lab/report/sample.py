"""A sample game from a fixed seed, in words, with its important moments.

After each move the deal is played to its end many times, with the same hands, a newly shuffled deck and hardly any
folds: how often each seat wins is its chance. The largest changes of the chances are pointed out.
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
"""The number of seeds tried; the game with the most kinds of moves is used."""
MOST_LOOKS = 30
"""The maximum number of times that chances are computed; in longer games not after every move."""
LEAST_RACES, MOST_RACES, ALL_STEPS = 8, 40, 60_000
"""How often the deal is played out each time, and the maximum number of moves spent on that in a game."""
LEAST_SWING, SWING_ERROR = 0.25, 1.4
"""The smallest change of a chance to report, and the factor of 1/sqrt(races) that is twice its standard error."""
LEAST_DECIDING = 0.1
BLUFF, WEAK, HURTS = 0.3, 0.5, 0.6
"""A bluff is a bet with at most twice BLUFF of a fair chance, on a hand that beats at most WEAK of hands. A fold is
reported if its chance was at least HURTS."""
LONGEST_LINE, ENDLESS, MOST_LINES = 220, 1200, 40
"""The characters after which a line ends, the maximum length of a line, and the maximum number of lines."""


class SampleMoment(Struct, frozen=True):
    """A move, its consequences, and each seat's chance afterwards."""

    words: str
    ends: bool  #: whether it ends a line
    deal: int = -1
    chances: tuple[float, ...] = ()  #: empty if they were not computed
    gains: tuple[float, ...] = ()  #: the change of the chances since they were last computed
    note: str = ""  #: why it was important
    deciding: bool = False


class SampleLine(Struct, frozen=True):
    """A line of the text; `note` is highlighted."""

    words: str
    note: str = ""
    deciding: bool = False


class SampleGame(Struct, frozen=True):
    """A whole game in words."""

    seed: int
    players: tuple[str, ...]  #: names by seat
    lines: tuple[SampleLine, ...]
    moves: int
    winners: tuple[int, ...]
    chances: tuple[tuple[float, ...], ...]  #: by seat, each time they were computed


def sample_game(genome: Genome, seed: int = SEED, tried: int = SEEDS_TRIED) -> SampleGame:
    """The most interesting of a few games between greedy players; the same genome and seed give the same game."""
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
    strength: float | None  #: in betting, the share of hands that the player's hand beats, given what the player sees
    items: Sequence[Item]  #: its consequences


class _Play:
    """A game between greedy players, who sometimes choose at random."""

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
        """The sort key: a single winner without the turn limit, not too many moves, and many kinds of moves."""
        alone = len(self.game.winners) == 1 and not self.game.state.stopped
        kinds = {step.move.split()[0] for step in self.steps}
        return alone, len(self.steps) <= 4 * MOST_LINES, len(kinds)


# --- chances


def _annotated(genome: Genome, played: _Play) -> list[SampleMoment]:
    """All moments, beginning with the deal; a deal that begins after a move is its own moment."""
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
    """A move and its consequences, and then each deal that begins after it."""
    deals = [at for at, item in enumerate(step.items) if isinstance(item, DealBegun)]
    pieces = [step.items[first:end] for first, end in pairwise([0, *deals, len(step.items)])]
    return [" ".join(tell(voice, piece)) for piece in pieces]


def _races(played: _Play, every: int) -> int:
    """How often the deal is played out each time, within the limit for the whole game."""
    length = max(1, len(played.steps) // max(1, int(played.game.state.deal)))
    looks = max(1, len(played.steps) // every)
    return max(LEAST_RACES, min(MOST_RACES, 2 * ALL_STEPS // (looks * length)))  # half of a deal is left on average


def _chances(game: LabGame, races: int, stream: int) -> tuple[int, tuple[float, ...]]:
    """How often each seat wins the deal from here, and the new state of the stream."""
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


# --- important moments


def _said(step: _Step, before: Sequence[float]) -> str:
    """A note about the move itself: a bluff, or a fold of the best hand."""
    place, verb = step.before.state.asked, step.move.split()[0]
    who, bets = PEOPLE[place], verb in ("bet", "raise", "all_in")
    if bets and step.strength is not None and step.strength <= WEAK and before[place] <= 2 * BLUFF / len(before):
        return f"A bluff: without folds, {who} would win this deal {_often(before[place])}."
    if verb == "fold" and before[place] >= HURTS:
        return f"{who} folds a hand that would have won {_often(before[place])}."
    return ""


def _swing(before: Sequence[float], after: Sequence[float], sure: float) -> str:
    """The largest gain of a chance, if it is significant."""
    gains = [new - old for old, new in zip(before, after, strict=True)]
    best = max(range(len(gains)), key=lambda seat: gains[seat])
    if gains[best] < max(LEAST_SWING, sure):
        return ""
    return f"{PEOPLE[best]}'s chance to win this deal rises from {_percent(before[best])} to {_percent(after[best])}."


def _often(share: float) -> str:
    return "never" if share < 0.005 else "always" if share > 0.995 else f"{_percent(share)} of the time"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _with_deciding(moments: list[SampleMoment], played: _Play) -> list[SampleMoment]:
    """Mark the largest gain of the winner's chance in the most valuable deal; of several winners, take the first."""
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
    behind = dict[int, int]()  # including bets and antes
    for step in played.steps:
        state = step.before.state
        behind.setdefault(int(state.deal), state.stacks[winner] + state.paid[winner] + state.bets[winner])
    ends = [*list(behind.values())[1:], played.game.chips[winner]]
    gains = {deal: end - start for (deal, start), end in zip(behind.items(), ends, strict=True)}
    return max(gains, key=lambda deal: gains[deal])


# --- lines


def _lines(moments: Iterable[SampleMoment]) -> list[SampleLine]:
    """Join the moves of a step into one line; an important moment ends the line."""
    lines, words = list[SampleLine](), ""
    for moment in moments:
        words = f"{words} {moment.words}".strip()
        if moment.ends or len(words) > LONGEST_LINE:
            lines.append(SampleLine(words, moment.note, moment.deciding))
            words = ""
    lines += [SampleLine(words)] if words else []
    return [replace(line, words=_cut(line.words)) for line in lines]


def _cut(words: str) -> str:
    """Shorten a very long line, such as a long stretch without decisions."""
    return words if len(words) <= ENDLESS else f"{words[:ENDLESS].rpartition('. ')[0]}. … and so on."


def _shortened(lines: list[SampleLine]) -> list[SampleLine]:
    """Keep the beginning, the end and the important lines; count the others."""
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
