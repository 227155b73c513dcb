"""What a person at a game of the lab is asked for: the step, how much more of it, and what an answer means."""

from collections.abc import Sequence
from typing import Any

from pitboss.betting import core
from pitboss.cli.lab.seats import SeatWords, count
from pitboss.lab.base.english import RANK_NAMES, SUIT_NAMES, capital, plural
from pitboss.lab.game import LabGame
from pitboss.lab.genome.parts import Phase
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.claim import ClaimPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase

SYMBOLS = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s"})
_SOURCES = {
    "deck": "from the deck",
    "discard": "from the discards",
    "either": "from the deck or the discards",
    "opponent": "from the next player's hand, unseen",
}


def step_line(words: SeatWords, view: LabGame) -> str:
    """The step of the turn that one is asked in, and how much more of it."""
    phases, at = view.genome.turn_structure.phases, view.state.phase
    text = _asked(words, view, phases[at])
    return f"Step {at + 1} of {len(phases)}: {text}." if len(phases) > 1 else f"{capital(text)}."


def _asked(words: SeatWords, view: LabGame, phase: Phase) -> str:
    match phase:
        case DrawPhase():
            return _draw(phase, view.state.left)
        case PlayPhase():
            return _play(phase, view)
        case DiscardPhase():
            return _discard(phase, view.state.left)
        case TrickPhase():
            return _trick(phase, view)
        case ClaimPhase():
            return _claim(words, phase, view)
        case _:
            assert isinstance(phase, BettingPhase), "nobody is asked anything in the others"
            return f"bet: {_price(phase, view.state, words.seat)}"


def _more(left: int, of: int, *, optional: bool) -> str:
    """How many more are asked for, once there are fewer than at first."""
    if left >= of:
        return ", or stop" if optional else ""
    return f", or stop; at most {left} more" if optional else f", {left} more to go"


def _draw(phase: DrawPhase, left: int) -> str:
    up_to = "up to " if phase.optional and phase.count > 1 else ""
    more = _more(left, phase.count, optional=phase.optional)
    if phase.source == "ask":
        often = f", {up_to}{count(phase.count, 'time')}" if phase.count > 1 else ""
        return f"ask the next player for a rank that you hold{often}{more}"
    return f"draw {up_to}{count(phase.count, 'card')} {_SOURCES[phase.source]}{more}"


def _discard(phase: DiscardPhase, left: int) -> str:
    up_to = "up to " if phase.optional and phase.count > 1 else ""
    what = "exchange" if phase.replace else "discard"
    return f"{what} {up_to}{count(phase.count, 'card')}{_more(left, phase.count, optional=phase.optional)}"


def _play(phase: PlayPhase, view: LabGame) -> str:
    s = view.state
    bound = 0 if s.fresh or phase.most == 1 else s.top_count
    if bound:
        what = f"{count(bound, 'card')}{' of a rank' if bound > 1 else ''}, as many as were played last,"
    else:
        what = "a card" if phase.most == 1 else f"up to {phase.most} cards of a rank"
    top = ""
    if "any" not in phase.match and not s.fresh:
        pile = view.discards if phase.target == "discard" else view.tableau
        top = f" on {pile[-1]}" if pile else ""
    where = "on the discards" if phase.target == "discard" else "on the table"
    return f"play {what}{top or f' {where}'}{', or pass' if phase.optional else ''}"


def _trick(phase: TrickPhase, view: LabGame) -> str:
    s = view.state
    if not s.played:
        return "lead a card to the trick"
    led = view.trick[len(view.trick) - s.played][1]
    follow = ", to be followed" if phase.follow else ""
    return f"add a card to the trick; {SUIT_NAMES[led]} were led{follow}"


def _claim(words: SeatWords, phase: ClaimPhase, view: LabGame) -> str:
    rank = plural(RANK_NAMES[view.due or ""])
    if view.claim is not None:
        who, number = view.claim
        return f"believe or doubt that {words.name(who)} has put {count(number, 'card')} down as {rank}"
    if not view.state.put:
        return f"put {'a card' if phase.most == 1 else f'1 to {phase.most} cards'} face down as {rank}"
    return f"put cards face down as {rank}, or stop; at most {view.state.left} more"


def _price(phase: BettingPhase, s: Any, seat: int) -> str:
    """What staying costs, and what may be put on top."""
    owed = min(core.owed(s, seat), s.stacks[seat])
    stay = f"{count(owed, 'chip')} to stay" if owed else "nothing to pay"
    if not s.price:
        return f"{stay}; a bet is {phase.min_bet}, with {_raises(phase.max_raises)} after it"
    return f"{stay}; a raise is {phase.min_bet} more, {_raises(phase.max_raises - s.raises)} left"


def _raises(number: int) -> str:
    return count(number, "raise") if number > 0 else "no raise"


# --- answers


def matching(answer: str, moves: Sequence[str]) -> tuple[str, ...]:
    """The moves that an answer may mean: by number, by words, by their end or beginning, or by a card they play.

    >>> moves = ("play 8h", "play Ts", "pass")
    >>> [matching(answer, moves) for answer in ("2", "PLAY 10s", "8♥", "pa", "8")]
    [('play Ts',), ('play Ts',), ('play 8h',), ('pass',), ()]
    >>> matching("p", moves), matching("Kh", ("play 1 K", "play 2 K"))
    (('play 8h', 'play Ts', 'pass'), ('play 1 K', 'play 2 K'))
    """
    if answer.isascii() and answer.isdigit():
        return (moves[int(answer) - 1],) if 0 < int(answer) <= len(moves) else ()
    wanted = " ".join(answer.translate(SYMBOLS).lower().replace("10", "t").split())
    for fits in (str.__eq__, _ends, str.startswith, _plays):
        found = tuple([move for move in moves if wanted and fits(move.lower(), wanted)])
        if found:
            return found
    return ()


def _ends(move: str, wanted: str) -> bool:
    """Whether a move ends with these words."""
    return move.endswith(f" {wanted}")


def _plays(move: str, wanted: str) -> bool:
    """Whether a move of so many cards of a rank can play the card that the answer ends with."""
    verb, *details = move.split()
    card = wanted.removeprefix(verb).strip()
    return len(details) == 2 and len(card) == 2 and card[0] == details[1] and card[1] in SUIT_NAMES
