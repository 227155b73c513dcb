"""What a person at a game of the lab is asked for: the step of the turn, and what an answer means."""

from collections.abc import Sequence

from pitboss.lab.base.english import SUIT_NAMES, capital
from pitboss.lab.game import LabGame

SYMBOLS = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s"})


def step_line(view: LabGame) -> str:
    """The step of the turn that one is asked in, and how much more of it."""
    phases, at = view.genome.turn_structure.phases, view.state.phase
    text = phases[at].asked(view.genome, view.state)
    return f"Step {at + 1} of {len(phases)}: {text}." if len(phases) > 1 else f"{capital(text)}."


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
