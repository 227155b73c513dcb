"""A sample game from a fixed seed, in words, with notes about its important moments.

After each move the deal is continued to its end many times, with the same hands, a newly shuffled deck and hardly any
folds. A seat's chance is the share of these deals that it wins. The notes are about the largest changes of the chances.
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
from pitboss.lab.policies.choice import GREEDY, decide
from pitboss.lab.policies.knowledge import plain_work

SEED = 1
SEEDS_TRIED = 6
"""The number of seeds that are tried. The game with the most kinds of moves is used."""
MOST_LOOKS = 30
"""The maximum number of times that chances are computed. In a longer game they are not computed after every move."""
LEAST_RACES, MOST_RACES, ALL_STEPS = 8, 40, 60_000
"""The minimum and maximum number of continuations each time, and the maximum number of their moves in a game."""
LEAST_SWING, SWING_ERROR = 0.25, 1.4
"""The smallest change of a chance that is reported, and a factor: times 1/sqrt(races), it is two standard errors."""
LEAST_DECIDING = 0.1
BLUFF, WEAK, HURTS = 0.3, 0.5, 0.6
"""A bet is a bluff if the chance is at most 2 * BLUFF of a fair chance and the hand beats at most WEAK of other hands.

A fold is reported if the chance was at least HURTS.
"""
LONGEST_LINE, ENDLESS, MOST_LINES = 220, 1200, 40
"""The number of characters after which a line ends, the maximum length of a line, and the maximum number of lines."""


class SampleMoment(Struct, frozen=True):
    """A move, its consequences, and each seat's chance after it."""

    words: str
    ends: bool  #: whether the line ends after the move
    deal: int = -1
    chances: tuple[float, ...] = ()  #: empty if they were not computed
    gains: tuple[float, ...] = ()  #: the change of the chances since they were last computed
    note: str = ""  #: why the move was important
    deciding: bool = False


class SampleLine(Struct, frozen=True):
    """A line of the text. `note` is highlighted."""

    words: str
    note: str = ""
    deciding: bool = False


class SampleGame(Struct, frozen=True):
    """A whole game in words."""

    seed: int
    players: tuple[str, ...]  #: names, by seat
    lines: tuple[SampleLine, ...]
    moves: int
    winners: tuple[int, ...]
    chances: tuple[tuple[float, ...], ...]  #: the chances of the seats, each time they were computed


def sample_game(genome: Genome, seed: int = SEED, tried: int = SEEDS_TRIED) -> SampleGame:
    """Return the most interesting of a few games between greedy players.

    The same genome and seed give the same game.
    """
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
    strength: float | None  #: in betting: the share of hands that the player's hand beats
    items: Sequence[Item]  #: the consequences of the move


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
        """The sort key: a single winner before the turn limit, not too many moves, and the number of kinds of moves."""
        alone = len(self.game.winners) == 1 and not self.game.state.stopped
        kinds = {step.move.split()[0] for step in self.steps}
        return alone, len(self.steps) <= 4 * MOST_LINES, len(kinds)


# --- chances


def _annotated(genome: Genome, played: _Play) -> list[SampleMoment]:
    """Return all moments of a game. The first moment is the deal. A later deal is a separate moment."""
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
    """Return a text for a move and its consequences, and a text for each deal that begins after it."""
    deals = [at for at, item in enumerate(step.items) if isinstance(item, DealBegun)]
    pieces = [step.items[first:end] for first, end in pairwise([0, *deals, len(step.items)])]
    return [" ".join(tell(voice, piece)) for piece in pieces]


def _races(played: _Play, every: int) -> int:
    """Return the number of continuations for each computation, within the limit for the whole game."""
    length = max(1, len(played.steps) // max(1, int(played.game.state.deal)))
    looks = max(1, len(played.steps) // every)
    return max(LEAST_RACES, min(MOST_RACES, 2 * ALL_STEPS // (looks * length)))  # on average half of a deal is left


def _chances(game: LabGame, races: int, stream: int) -> tuple[int, tuple[float, ...]]:
    """Return the random state, and the share of continuations that each seat wins."""
    g, rules, s = game.program.games[0], game.program.rules, game.state
    won, moves = [0.0] * g.n, [0] * MOST_MOVES
    for _ in range(races):
        t: Any = s.copy()
        stream = piles.shuffle_part(stream, t.deck, t.drawn, t.undrawn)
        t.chance = chance.fork(stream, stream)
        stream, _ = play_out(g, rules, t, moves, STAYING, stream)
        for place in range(g.n):
            won[place] += moments.share(g, s, t, place) / races
    return stream, tuple(won)


def _result(before: LabGame, after: LabGame) -> tuple[float, ...]:
    """Return each seat's share of the deal that ended between two moments."""
    g = before.program.games[0]
    return tuple([moments.share(g, before.state, after.state, place) for place in range(g.n)])


# --- important moments


def _said(step: _Step, before: Sequence[float]) -> str:
    """Return a note about the move itself: a bluff, or a fold of the best hand. It is empty for other moves."""
    place, verb = step.before.state.to_act, step.move.split()[0]
    who, bets = PEOPLE[place], verb in ("bet", "raise", "all_in")
    if bets and step.strength is not None and step.strength <= WEAK and before[place] <= 2 * BLUFF / len(before):
        return f"A bluff: without folds, {who} would win this deal {_often(before[place])}."
    if verb == "fold" and before[place] >= HURTS:
        return f"{who} folds a hand that would have won {_often(before[place])}."
    return ""


def _swing(before: Sequence[float], after: Sequence[float], sure: float) -> str:
    """Return a note about the largest gain of a chance, if it is significant."""
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
    """Mark the largest gain of the winner's chance in the most valuable deal. Of several winners, take the first."""
    if not played.game.winners or not played.steps:
        return moments
    winner = played.game.winners[0]
    deal, found, most = _dearest(played, winner), -1, LEAST_DECIDING
    for at, moment in enumerate(moments):
        if moment.deal == deal and moment.gains and moment.gains[winner] > most:
            found, most = at, moment.gains[winner]
    return [replace(moment, deciding=at == found, ends=moment.ends or at == found) for at, moment in enumerate(moments)]


def _dearest(played: _Play, winner: int) -> int:
    """Return the deal in which the winner won most chips. In a game without chips, return the last deal."""
    if not played.game.genome.setup.starting_chips:
        return int(played.steps[-1].before.state.deal)
    behind = dict[int, int]()  # chips before the deal, with bets and antes
    for step in played.steps:
        state = step.before.state
        behind.setdefault(int(state.deal), state.stacks[winner] + state.paid[winner] + state.bets[winner])
    ends = [*list(behind.values())[1:], played.game.chips[winner]]
    gains = {deal: end - start for (deal, start), end in zip(behind.items(), ends, strict=True)}
    return max(gains, key=lambda deal: gains[deal])


# --- lines


def _lines(moments: Iterable[SampleMoment]) -> list[SampleLine]:
    """Join the moves of a step into one line. An important move ends the line."""
    lines, words = list[SampleLine](), ""
    for moment in moments:
        words = f"{words} {moment.words}".strip()
        if moment.ends or len(words) > LONGEST_LINE:
            lines.append(SampleLine(words, moment.note, moment.deciding))
            words = ""
    lines += [SampleLine(words)] if words else []
    return [replace(line, words=_cut(line.words)) for line in lines]


def _cut(words: str) -> str:
    """Shorten a very long line, such as many events without decisions."""
    return words if len(words) <= ENDLESS else f"{words[:ENDLESS].rpartition('. ')[0]}. … and so on."


def _shortened(lines: list[SampleLine]) -> list[SampleLine]:
    """Keep the first, the last and the important lines. Replace the others by their number."""
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
