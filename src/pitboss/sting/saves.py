"""Saved runs and scores.

A saved run contains the seed, the decks, the cards and the Player's actions. Reading it replays the run.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.betting.rules import Answers
from pitboss.errors import PitbossError
from pitboss.sting.cards import CardsError, Role, default_cards, read_cards_file
from pitboss.sting.events import (
    Banked,
    Bought,
    Ending,
    HandBegun,
    Insured,
    Outcome,
    Resolved,
    RunEvent,
    format_action,
    parse_run_action,
)
from pitboss.sting.run import Run
from pitboss.sting.text import amount

VERSION = 2
OUTCOME: dict[Outcome | None, str] = {"success": "got away", "bust": "busted", "fold": "folded", None: "playing"}
SCORES_VERSION = 1
MOST_SCORES = 10
"""The maximum number of scores for each deck and difficulty."""


class SaveError(PitbossError, ValueError):
    """A file is not a saved run."""


class Save(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of a run. Hand, Heat and cash are compared with the replayed run."""

    game: Literal["sting"] = "sting"
    version: int
    seed: int
    decks: dict[Role, str]
    answers: Literal["following", "everyone"]
    difficulty: str
    cards: str
    actions: list[str] = field(name="deeds")
    hand: int
    heat: int
    cash: int
    hints: int = 0  #: number of hints that were shown


def write_save(run: Run, hints: int = 0) -> bytes:
    """Return a run as one JSON object."""
    save = Save(
        version=VERSION,
        seed=run.seed,
        decks=dict(run.decks),
        answers="following" if run.answers == Answers.FOLLOWING else "everyone",
        difficulty=run.difficulty.name,
        cards=run.cards.text,
        actions=[format_action(action) for action in run.actions],
        hand=run.number,
        heat=run.heat,
        cash=run.cash,
        hints=hints,
    )
    return msgspec.json.format(msgspec.json.encode(save), indent=1) + b"\n"


def read_save(text: bytes) -> Run:
    """Return the run in a file, after its last action. Raise `SaveError` if the file is not a saved run."""
    *_, (run, _) = replay_save(text)
    return run


def read_hints(text: bytes) -> int:
    """Return the number of hints shown in a run that `read_save` accepts."""
    return msgspec.json.decode(text, type=Save).hints


def replay_save(text: bytes) -> list[tuple[Run, tuple[RunEvent, ...]]]:
    """Return every state of a saved run, from the first deal on, with the events before it.

    Raise `SaveError` if the file is not a saved run.
    """
    try:
        version = msgspec.json.decode(text, type=_Version).version
        if version != VERSION:
            raise SaveError(f"unsupported version: expected {VERSION}, got {version}")
        save = msgspec.json.decode(text, type=Save)
        steps = [
            Run.start(
                seed=save.seed,
                cards=read_cards_file(save.cards),
                decks=save.decks,
                answers=Answers[save.answers.upper()],
                difficulty=save.difficulty,
            )
        ]
        for action in save.actions:
            steps.append(steps[-1][0].act(parse_run_action(action)))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SaveError(f"not a saved run: {error}") from None
    except (Refused, CardsError) as error:
        raise SaveError(f"cannot be replayed: {error}") from None
    run = steps[-1][0]
    if (run.number, run.heat, run.cash) != (save.hand, save.heat, save.cash):
        raise SaveError("the replayed run differs from the file in hand, Heat or cash")
    return steps


class _Version(Struct):
    version: int


class HandResult(Struct, frozen=True, kw_only=True):
    """The result of a hand, and the run after it."""

    number: int
    outcome: Outcome | None = None  #: None until the hand is over
    saved_by: str | None = None  #: the insurance that prevented a bust
    profit: int = 0
    heat: int
    cash: int
    bought: tuple[str, ...] = ()  #: the cards bought in the shop after the hand


def history(run: Run) -> tuple[RunEvent, ...]:
    """Return all events of a run so far. The run is replayed."""
    return tuple([event for _, events in replay_save(write_save(run)) for event in events])


def summaries(events: Iterable[RunEvent]) -> tuple[HandResult, ...]:
    """Return the result of every hand of a run."""
    hands: list[HandResult] = []
    for event in events:
        match event:
            case HandBegun(number=number, heat=heat, cash=cash):
                hands.append(HandResult(number=number, heat=heat, cash=cash))
            case Insured(card=card):
                hands[-1] = replace(hands[-1], saved_by=card)
            case Resolved(outcome=outcome, profit=profit):
                hands[-1] = replace(hands[-1], outcome=outcome, profit=profit)
            case Banked(heat=heat, cash=cash):
                hands[-1] = replace(hands[-1], heat=heat, cash=cash)
            case Bought(card=card, cash=cash):
                hands[-1] = replace(hands[-1], cash=cash, bought=(*hands[-1].bought, card))
    return tuple(hands)


def summary_line(hand: HandResult) -> str:
    """Return one line that describes a hand.

    >>> summary_line(HandResult(number=2, outcome="success", profit=45, heat=17, cash=95, bought=("Alibi",)))
    'Hand 2: got away, profit 45; cash 95, Heat 17; bought Alibi'
    """
    how = f"saved by {hand.saved_by}" if hand.saved_by else OUTCOME[hand.outcome]
    profit = f", profit {amount(hand.profit)}" if hand.outcome == "success" else ""
    bought = f"; bought {', '.join(hand.bought)}" if hand.bought else ""
    return f"Hand {hand.number}: {how}{profit}; cash {amount(hand.cash)}, Heat {hand.heat}{bought}"


class ScoresError(PitbossError, ValueError):
    """A file is not a list of scores."""


class Score(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The score of a finished run."""

    deck: str
    narc: str
    difficulty: str
    cash: int
    hands: int
    ending: Ending
    seed: int
    hints: int = 0  #: number of hints that were shown


class ScoreFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of scores."""

    game: Literal["sting scores"] = "sting scores"
    version: int = SCORES_VERSION
    scores: tuple[Score, ...] = ()


def score_of(run: Run, hints: int = 0) -> Score | None:
    """Return the score of a finished run, or None if it is not over or was played with other cards."""
    if run.ending is None or run.cards.text != default_cards().text:
        return None
    return Score(
        deck=run.decks["player"],
        narc=run.decks["narc"],
        difficulty=run.difficulty.name,
        cash=run.cash,
        hands=run.number,
        ending=run.ending,
        seed=run.seed,
        hints=hints,
    )


def add_score(scores: Iterable[Score], score: Score) -> tuple[Score, ...]:
    """Add a score and sort. The best score is first, and the older of two equal scores. A list keeps `MOST_SCORES`."""
    listed: dict[tuple[str, str], list[Score]] = {}
    for each in sorted([*scores, score], key=lambda each: -each.cash):
        best = listed.setdefault((each.deck, each.difficulty), [])
        if len(best) < MOST_SCORES:
            best.append(each)
    return tuple([each for best in listed.values() for each in best])


def place_of(scores: Iterable[Score], score: Score) -> int | None:
    """Return a score's place, from 1, among those of its deck and difficulty. None if it is not on the list."""
    better = [s.cash >= score.cash for s in scores if (s.deck, s.difficulty) == (score.deck, score.difficulty)]
    place = sum(better) + 1
    return place if place <= MOST_SCORES else None


def best_scores(scores: Iterable[Score]) -> dict[tuple[str, str], list[Score]]:
    """Return the lists of scores by deck and difficulty, in the order of the names. The best score is first."""
    listed: dict[tuple[str, str], list[Score]] = {}
    for score in sorted(scores, key=lambda score: (score.deck, score.difficulty, -score.cash)):
        listed.setdefault((score.deck, score.difficulty), []).append(score)
    return listed


def write_scores(scores: Iterable[Score]) -> bytes:
    """Return the scores as one JSON object."""
    return msgspec.json.format(msgspec.json.encode(ScoreFile(scores=tuple(scores))), indent=1) + b"\n"


def read_scores(text: bytes) -> tuple[Score, ...]:
    """Read a file of scores. Raise `ScoresError` if it is not valid."""
    try:
        file = msgspec.json.decode(text, type=ScoreFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ScoresError(f"not a list of scores: {error}") from None
    if file.version != SCORES_VERSION:
        raise ScoresError(f"unsupported version: expected {SCORES_VERSION}, got {file.version}")
    return file.scores
