"""Questions about Sting as experiments: what a round adds, when bailing is right, what a card is worth."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from msgspec import Struct, structs

from pitboss.chance import Chance
from pitboss.stats import Mean
from pitboss.sting.actions import StingFold
from pitboss.sting.cards import ROLES, CardSet, Role
from pitboss.sting.events import Flipped
from pitboss.sting.hand import PLAYER
from pitboss.sting.hint import sample
from pitboss.sting.run import Run
from pitboss.sting.run_events import RunAction
from pitboss.sting.run_policies import RUN_PLAYERS, RunPolicy
from pitboss.sting.sharp import BEST, sharp, standing, weigh
from pitboss.sting.simulate import Average
from pitboss.sting.simulate_runs import RunExperiment, play_number, start_number

BLANK = "Fair Deal"
"""A card that does nothing."""
MARGINS = (-1000, -40, -20, -5, 5, 20, 40, 1000)
"""Bounds of the margins by which decisions are sorted."""
Asked = Literal["decision", "last"]
"""A decision point, or the Player's first word in the betting of the last round."""
TRIES = 4
"""So often each decision is played on, both ways."""


class RoundFigures(Struct, frozen=True, kw_only=True):
    """What a round adds to a hand, on average."""

    round: int
    evidence: Average
    cover: Average
    opponents: Average  #: cards of theirs
    own: Average


class BailFigures(Struct, frozen=True, kw_only=True):
    """Decisions with a margin from `low` up to, but not including, `high`: what going on is worth above leaving."""

    low: int
    high: int
    stayed: Average | None  #: where `sharp` goes on, as far as there are two such decisions
    left: Average | None  #: where it leaves
    stays: int  #: how often it goes on
    leaves: int


class CardFigures(Struct, frozen=True, kw_only=True):
    """What a card is worth to somebody: the run's cash with it, less that with a blank in its place."""

    card: str
    role: Role
    setting: str
    gain: Average


def average(mean: Mean) -> Average:
    """A mean with its interval."""
    return Average(mean.mean, *mean.interval())


def round_figures(game: RunExperiment, player: str, numbers: range) -> list[RoundFigures]:
    """What each round adds, over all hands that reach it."""
    policy, count = RUN_PLAYERS[player], game.variation.rounds
    means = [[Mean() for _ in range(4)] for _ in range(count)]
    for number in numbers:
        for flip in _flips(game, policy, number):
            _count_round(flip, means)
    return [
        RoundFigures(round=at + 1, evidence=average(e), cover=average(c), opponents=average(theirs), own=average(own))
        for at, (e, c, theirs, own) in enumerate(means)
    ]


class _Flip(Struct, frozen=True):
    """A round that was turned up: its number, and the totals before and after."""

    round: int
    before: tuple[int, int]
    event: Flipped


def _flips(game: RunExperiment, policy: RunPolicy, number: int) -> Iterator[_Flip]:
    run, own = start_number(game, number)
    while not run.over and run.number <= 20:
        before, at = run.hand.totals, run.hand.number
        run, events = run.act(policy(run.view(), own))
        for event in events:
            if isinstance(event, Flipped):
                yield _Flip(at, (before.evidence, before.cover), event)


def _count_round(flip: _Flip, means: list[list[Mean]]) -> None:
    evidence, cover, theirs, own = means[flip.round - 1]
    evidence.add(flip.event.totals.evidence - flip.before[0])
    cover.add(flip.event.totals.cover - flip.before[1])
    mine = sum(place == PLAYER for place, _ in flip.event.cards)
    own.add(mine)
    theirs.add(len(flip.event.cards) - mine)


# --- when bailing is right


def bail_figures(game: RunExperiment, numbers: range, moment: Asked) -> list[BailFigures]:
    """All decisions of one kind in `sharp`'s runs, left and gone on from on the same sampled cards, by margin."""
    bounds = list(pairwise(MARGINS))
    gains = {(low, leaves): Mean() for low, _ in bounds for leaves in (True, False)}
    for number in numbers:
        for low, gain, leaves in _decisions(game, number, moment):
            gains[low, leaves].add(gain)
    return [
        BailFigures(
            low=low,
            high=high,
            stayed=_some(gains[low, False]),
            left=_some(gains[low, True]),
            stays=gains[low, False].count,
            leaves=gains[low, True].count,
        )
        for low, high in bounds
    ]


def _some(mean: Mean) -> Average | None:
    return average(mean) if mean.count > 1 else None


def _decisions(game: RunExperiment, number: int, moment: Asked) -> Iterator[tuple[int, float, bool]]:
    run, chance = start_number(game, number)
    while not run.over:
        view = run.view()
        action = sharp(view, chance)
        if _is(run, moment):
            low = max(bound for bound in MARGINS if bound <= run.hand.totals.margin)
            stays = max(weigh(view, BEST)[:-1], key=lambda each: each[1])[0]  # the last is the fold
            tries = [_go_on_or_leave(view, stays, chance.fork(1000 * run.number + 10 * k)) for k in range(TRIES)]
            yield low, sum(tries) / TRIES, isinstance(action, StingFold)
        run, _ = run.act(action)


def _is(run: Run, moment: Asked) -> bool:
    if moment == "decision":
        return run.hand.state == "DecisionPoint"
    own = [place for place, _ in run.hand.down if place == PLAYER]
    return run.hand.state == "Betting" and run.hand.number == run.hand.variation.rounds and not own


def _go_on_or_leave(view: Run, stays: RunAction, chance: Chance) -> float:
    sampled = sample(view, chance)
    left, _ = sampled.act(StingFold())
    run, _ = sampled.act(stays)
    while not (run.over or run.hand.over):
        run, _ = run.act(sharp(run.view(), chance))
    return standing(run) - standing(left)


# --- what a card is worth


def card_figures(game: RunExperiment, role: Role, card: str, numbers: range, player: str = "sharp") -> CardFigures:
    """All copies of a card in somebody's deck against as many blanks, by a policy, the same runs both ways."""
    with_card = _extended(game, role, card, card)
    without = _extended(game, role, card, BLANK)
    policy = RUN_PLAYERS[player]
    gain = Mean(
        play_number(with_card, policy, number).cash - play_number(without, policy, number).cash for number in numbers
    )
    setting = f"{game.decks[role]}, {game.difficulty}"
    return CardFigures(card=card, role=role, setting=setting, gain=average(gain))


def _extended(game: RunExperiment, role: Role, card: str, by: str) -> RunExperiment:
    """The game with every copy of a card, at least two of them, replaced; also those that come later."""
    name, difficulty = game.decks[role], game.cards.difficulty(game.difficulty)
    deck = game.cards.deck(role, name)
    copies = (*deck, card, card) if deck.count(card) < 2 else deck
    changed = tuple([by if each == card else each for each in copies])
    grows = [
        structs.replace(each, card=by) if (each.role, each.card) == (role, card) else each for each in difficulty.grows
    ]
    cards = structs.replace(
        game.cards,
        decks={**game.cards.decks, role: {**game.cards.decks[role], name: changed}},
        difficulties={**game.cards.difficulties, game.difficulty: structs.replace(difficulty, grows=tuple(grows))},
    )
    return structs.replace(game, cards=cards)


def card_games(cards: CardSet, seed: int, difficulty: str) -> Iterator[tuple[RunExperiment, Role, str]]:
    """Every card with a game in whose deck of that role it is: where several have it, the last.

    A card that an opponent gets later in a run is tried with him, too.
    """
    found: dict[tuple[Role, str], dict[Role, str]] = {}
    first: dict[Role, str] = {role: next(iter(cards.decks[role])) for role in ROLES}
    for role in ROLES:
        for name, deck in cards.decks[role].items():
            found |= {(role, card): {**first, role: name} for card in deck}
    for growth in cards.difficulty(difficulty).grows:
        found.setdefault(("narc" if growth.role == "narc" else "customer", growth.card), first)
    for (role, card), decks in found.items():
        if card != BLANK:
            yield RunExperiment(cards=cards, decks=decks, difficulty=difficulty, seed=seed), role, card
