"""What language models thought, kept in a file beside a journal or recorded hands, one line per answer.

Only the user who started the models can read the file, so opponents do not see it before the match is over.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct, field

from pitboss.arena.agents.player import Thought
from pitboss.errors import PitbossError
from pitboss.store.files import open_private

FILE = "thoughts.jsonl"
"""The name of the file in a folder of saved hands; beside another file it is the end of the name."""
LONGEST_LINE = 1 << 16


class ThoughtsError(PitbossError, ValueError):
    """A file of thoughts that cannot be read; the message names the line."""


class ModelReport(Struct):
    """The sums over the answers of one model."""

    name: str
    answers: int = 0
    illegal: int = 0  #: answers without a legal move
    fallbacks: int = 0  #: checks and folds of the seat itself
    ms: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0
    hands: set[str] = field(default_factory=set)  #: the hands with an answer

    def add(self, thought: Thought) -> None:
        """Add one answer."""
        self.answers += 1
        self.illegal += thought.illegal
        self.fallbacks += thought.fallback is not None
        self.ms += thought.ms
        self.tokens_in += thought.tokens_in
        self.tokens_out += thought.tokens_out
        self.usd += thought.usd
        self.hands.add(thought.hand_id)


def thoughts_file(recorded: Path) -> Path:
    """Return the file with the thoughts that belongs to a journal, a file of hands or a folder of them.

    >>> thoughts_file(Path("games/hands.phhs")).as_posix(), thoughts_file(Path("pitboss.db")).as_posix()
    ('games/thoughts.jsonl', 'pitboss.db.thoughts.jsonl')
    """
    if recorded.is_dir():
        return recorded / FILE
    return recorded.with_name(FILE if recorded.name == "hands.phhs" else f"{recorded.name}.{FILE}")


def append_thought(path: Path, thought: Thought) -> None:
    """Append one answer of a model. The match continues if the file cannot be written."""
    with suppress(OSError), open_private(path, "a") as file:
        file.write(msgspec.json.encode(thought).decode() + "\n")


def read_thoughts(lines: Iterable[bytes]) -> Iterator[Thought]:
    """Yield the thoughts of a file. Raise `ThoughtsError` at a line that is not one."""
    decoder = msgspec.json.Decoder(Thought)
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise ThoughtsError(f"line {number}: expected at most {LONGEST_LINE:,} bytes, got {len(line):,}")
        try:
            yield decoder.decode(line)
        except (ValueError, RecursionError) as error:
            raise ThoughtsError(f"line {number}: expected what a model thought: {error}") from None


def load_thoughts(recorded: Path) -> list[Thought]:
    """Return the thoughts that belong to recorded hands; an empty list if there are none."""
    path = thoughts_file(recorded)
    try:
        with path.open("rb") as lines:
            return [*read_thoughts(lines)]
    except FileNotFoundError:
        return []
    except ThoughtsError as error:
        raise ThoughtsError(f"{path}, {error}") from None


def sum_up(thoughts: Iterable[Thought]) -> list[ModelReport]:
    """Return the sums of each model, by name."""
    reports: dict[str, ModelReport] = {}
    for thought in thoughts:
        reports.setdefault(thought.name, ModelReport(thought.name)).add(thought)
    return [reports[name] for name in sorted(reports)]
