"""A run as a saved file: the seed, the decks, the cards and the Player's actions, from which all is played again.

A summary says hand by hand how a run went.
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
    format_run_action,
    parse_run_action,
)
from pitboss.sting.run import Run
from pitboss.sting.words import amount

VERSION = 2
OUTCOME: dict[Outcome | None, str] = {"success": "got away", "bust": "busted", "fold": "folded", None: "playing"}
SCORES_VERSION = 1
MOST_SCORES = 10
"""So many runs stand in the list of a deck and a difficulty."""


class SaveError(PitbossError, ValueError):
    """A file that is no saved run; the sentence says why."""


class Save(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is written. Hand, Heat and cash are what the rest must come to."""

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
    hints: int = 0  #: how often one was asked for so far


def write_save(run: Run, hints: int = 0) -> bytes:
    """A run as one JSON object."""
    save = Save(
        version=VERSION,
        seed=run.seed,
        decks=dict(run.decks),
        answers="following" if run.answers == Answers.FOLLOWING else "everyone",
        difficulty=run.difficulty.name,
        cards=run.cards.text,
        actions=[format_run_action(action) for action in run.actions],
        hand=run.number,
        heat=run.heat,
        cash=run.cash,
        hints=hints,
    )
    return msgspec.json.format(msgspec.json.encode(save), indent=1) + b"\n"


def read_save(text: bytes) -> Run:
    """The run a file tells of, where it stood; raises `SaveError` with one sentence."""
    *_, (run, _) = replay_save(text)
    return run


def saved_hints(text: bytes) -> int:
    """How many hints were asked for in the run that a file tells of; it is one that `read_save` takes."""
    return msgspec.json.decode(text, type=Save).hints


def replay_save(text: bytes) -> list[tuple[Run, tuple[RunEvent, ...]]]:
    """Every state of a saved run with what led to it, from the first deal on; raises `SaveError`."""
    try:
        version = msgspec.json.decode(text, type=_Version).version
        if version != VERSION:
            raise SaveError(f"it is of version {version}, and this pitboss reads version {VERSION}")
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
        raise SaveError(f"it is no saved run: {error}") from None
    except (Refused, CardsError) as error:
        raise SaveError(f"it does not play: {error}") from None
    run = steps[-1][0]
    if (run.number, run.heat, run.cash) != (save.hand, save.heat, save.cash):
        raise SaveError("it does not come to the hand, Heat and cash that it names")
    return steps


class _Version(Struct):
    version: int


class HandResult(Struct, frozen=True, kw_only=True):
    """What a hand came to, and how the run stood after it."""

    number: int
    outcome: Outcome | None = None  #: None while it is played
    saved_by: str | None = None  #: the insurance that turned a bust
    profit: int = 0
    heat: int
    cash: int
    bought: tuple[str, ...] = ()  #: in the shop after it


def history(run: Run) -> tuple[RunEvent, ...]:
    """All that has happened in a run so far, played again from its seed and the Player's actions."""
    return tuple([event for _, events in replay_save(write_save(run)) for event in events])


def summaries(events: Iterable[RunEvent]) -> tuple[HandResult, ...]:
    """Every hand of a run in a line."""
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
    """A hand in one line.

    >>> summary_line(HandResult(number=2, outcome="success", profit=45, heat=17, cash=95, bought=("Alibi",)))
    'Hand 2: got away, profit 45; cash 95, Heat 17; bought Alibi'
    """
    how = f"saved by {hand.saved_by}" if hand.saved_by else OUTCOME[hand.outcome]
    profit = f", profit {amount(hand.profit)}" if hand.outcome == "success" else ""
    bought = f"; bought {', '.join(hand.bought)}" if hand.bought else ""
    return f"Hand {hand.number}: {how}{profit}; cash {amount(hand.cash)}, Heat {hand.heat}{bought}"


class ScoresError(PitbossError, ValueError):
    """A file that is no list of scores; the sentence says why."""


class Score(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run that is over."""

    deck: str
    narc: str
    difficulty: str
    cash: int
    hands: int
    ending: Ending
    seed: int
    hints: int = 0  #: how often a hint was asked for


class ScoreFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is written."""

    game: Literal["sting scores"] = "sting scores"
    version: int = SCORES_VERSION
    scores: tuple[Score, ...] = ()


def score_of(run: Run, hints: int = 0) -> Score | None:
    """What a finished run goes into the list with; None while it goes on, or where it has other cards than ours."""
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
    """The scores with one more, best first, the first of equals before later ones, at most `MOST_SCORES` in a list."""
    listed: dict[tuple[str, str], list[Score]] = {}
    for each in sorted([*scores, score], key=lambda each: -each.cash):
        best = listed.setdefault((each.deck, each.difficulty), [])
        if len(best) < MOST_SCORES:
            best.append(each)
    return tuple([each for best in listed.values() for each in best])


def place_of(scores: Iterable[Score], score: Score) -> int | None:
    """Where a run would stand among those of its deck and difficulty, from 1; None where the list is full of better."""
    better = [s.cash >= score.cash for s in scores if (s.deck, s.difficulty) == (score.deck, score.difficulty)]
    place = sum(better) + 1
    return place if place <= MOST_SCORES else None


def best_scores(scores: Iterable[Score]) -> dict[tuple[str, str], list[Score]]:
    """The lists, each the best first, by deck and difficulty in order of names."""
    listed: dict[tuple[str, str], list[Score]] = {}
    for score in sorted(scores, key=lambda score: (score.deck, score.difficulty, -score.cash)):
        listed.setdefault((score.deck, score.difficulty), []).append(score)
    return listed


def write_scores(scores: Iterable[Score]) -> bytes:
    """The list as one JSON object."""
    return msgspec.json.format(msgspec.json.encode(ScoreFile(scores=tuple(scores))), indent=1) + b"\n"


def read_scores(text: bytes) -> tuple[Score, ...]:
    """The list out of a file; raises `ScoresError` with one sentence."""
    try:
        file = msgspec.json.decode(text, type=ScoreFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ScoresError(f"it is no list of scores: {error}") from None
    if file.version != SCORES_VERSION:
        raise ScoresError(f"it is of version {file.version}, and this pitboss reads version {SCORES_VERSION}")
    return file.scores
