"""Questions about Sting as experiments: what a round adds, when bailing is right, what a card is worth.

Their results are the tables of docs/sting.md, each with its seed, its size and its intervals.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct, structs

from pitboss.betting.rules import Answers
from pitboss.chance import Chance
from pitboss.stats import Mean
from pitboss.sting.cards import ROLES, CardSet, Role
from pitboss.sting.events import Flipped, RunAction, StingFold
from pitboss.sting.hand import PLAYER, Variation
from pitboss.sting.hint import sample
from pitboss.sting.policies import PLAYERS, RUN_PLAYERS, RunPolicy
from pitboss.sting.run import Run
from pitboss.sting.sharp import BEST, sharp, standing, weigh
from pitboss.sting.simulate import (
    Average,
    Experiment,
    RunExperiment,
    Share,
    play_number,
    simulate,
    simulate_runs,
    start_number,
)

BLANK = "Fair Deal"
"""A card that does nothing."""
MARGINS = (-1000, -40, -20, -5, 5, 20, 40, 1000)
"""Bounds of the margins by which decisions are sorted."""
Asked = Literal["decision", "last"]
"""A decision point, or the Player's first word in the betting of the last round."""
TRIES = 4
"""So often each decision is played on, both ways."""
PART = re.compile(r"<!-- begin (\w+)[^>]*-->\n.*?<!-- end \1 -->", re.DOTALL)
BEFORE_AND_AFTER = ("printed", "easy", "normal", "hard")


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


class Sizes(Struct, frozen=True, kw_only=True):
    """How much is played for the tables."""

    hands: int = 20_000
    runs: int = 400
    seed: int = 1
    jobs: int | None = None


def write_tables(page: str, cards: CardSet, sizes: Sizes, advance: Callable[[], None] = lambda: None) -> str:
    """A page with its marked parts made anew; what is not marked stays as it is."""

    def made(part: re.Match[str]) -> str:
        name = part[1]
        if name not in TABLES:
            return part[0]
        text = "\n".join(TABLES[name](cards, sizes))
        advance()
        note = f"seed {sizes.seed}, {sizes.hands} hands or {sizes.runs} runs a row"
        return f"<!-- begin {name}: pitboss sting tables, {note} -->\n\n{text}\n\n<!-- end {name} -->"

    return PART.sub(made, page)


def parts_of(page: str) -> list[str]:
    """Which tables a page has."""
    return [part[1] for part in PART.finditer(page) if part[1] in TABLES]


# --- the tables


def hands_table(cards: CardSet, sizes: Sizes) -> list[str]:
    """Every policy in single hands of the printed game."""
    game = Experiment.of(cards, answers=Answers.FOLLOWING, seed=sizes.seed)
    results = simulate(game, list(PLAYERS), sizes.hands, jobs=sizes.jobs)
    rows = [
        [
            f"`{result.player}`: {_about(PLAYERS[result.player])}",
            *(_share(share) for share in (result.win, result.bust, result.fold, result.paid)),
            *(_average(mean) for mean in (result.profit, result.heat, result.cards)),
        ]
        for result in sorted(results, key=lambda result: -result.profit.mean)
    ]
    return _table(["policy", "win %", "bust %", "fold %", "paid %", "profit", "Heat", "cards"], rows)


def runs_table(cards: CardSet, sizes: Sizes) -> list[str]:
    """Every policy in whole runs: before the rulings, and after them by difficulty."""
    lines = []
    for difficulty in BEFORE_AND_AFTER:
        results = simulate_runs(_game(cards, sizes, difficulty), list(RUN_PLAYERS), sizes.runs, jobs=sizes.jobs)
        rows = [
            [
                result.player,
                *(_average(mean) for mean in (result.cash, result.hands)),
                *(_share(s) for s in (result.win, result.bust, result.caught, result.alive, result.fold)),
            ]
            for result in sorted(results, key=lambda result: -result.cash.mean)
        ]
        lines += [f"**{difficulty}**", ""]
        lines += _table(["policy", "cash", "hands", "win %", "bust %", "caught %", "alive %", "fold %"], rows)
        lines.append("")
    return lines[:-1]


def decks_table(cards: CardSet, sizes: Sizes) -> list[str]:
    """`sharp` with every deck of the Player's."""
    rows = []
    for deck in cards.decks["player"]:
        for difficulty in BEFORE_AND_AFTER[1:]:
            game = _game(cards, sizes, difficulty, {"player": deck})
            [result] = simulate_runs(game, ["sharp"], sizes.runs, jobs=sizes.jobs)
            figures = [_average(result.cash), _share(result.win), _share(result.fold), _average(result.bought)]
            rows.append([deck, difficulty, *figures])
    return _table(["deck", "difficulty", "cash", "win %", "fold %", "bought"], rows)


def questions_table(cards: CardSet, sizes: Sizes) -> list[str]:
    """The printed hand by `counter` and a normal run by `sharp`, as they are and with something changed."""
    changes = {
        "as it is": Variation(),
        "no last word (`--no-last-word`)": Variation(last_word=False),
        "two rounds (`--rounds 2`)": Variation(rounds=2),
        "Narc last (`--order customer,player,narc`)": Variation(opener=1),
        "Player first (`--order player,narc,customer`)": Variation(opener=PLAYER),
    }
    rows = []
    for name, variation in changes.items():
        hands = Experiment.of(cards, answers=Answers.FOLLOWING, variation=variation, seed=sizes.seed)
        [hand] = simulate(hands, ["counter"], sizes.hands, jobs=sizes.jobs)
        runs = _game(cards, sizes, "normal", variation=variation)
        [run] = simulate_runs(runs, ["sharp"], sizes.runs, jobs=sizes.jobs)
        rows.append([name, _average(hand.profit), _share(hand.win), _average(run.cash), _share(run.win)])
    return _table(["", "`counter`: profit a hand", "win %", "`sharp`: cash a run", "win %"], rows)


def rounds_table(cards: CardSet, sizes: Sizes) -> list[str]:
    """What each round adds, in normal runs by `sharp`."""
    rows = [
        [str(each.round), *map(_average, (each.evidence, each.cover, each.opponents, each.own))]
        for each in round_figures(_game(cards, sizes, "normal"), "sharp", range(sizes.runs))
    ]
    return _table(["round", "Evidence", "Cover", "opponents' cards", "own cards"], rows)


def bail_table(cards: CardSet, sizes: Sizes) -> list[str]:
    """Going on against leaving, in normal runs by `sharp`: at decision points, and in the betting of the last round."""
    rows = []
    moments: dict[str, Asked] = {"decision point": "decision", "round 3": "last"}
    for name, moment in moments.items():
        for each in bail_figures(_game(cards, sizes, "normal"), range(sizes.runs), moment):
            margin = f"{each.low} to {each.high - 1}"
            margin = f"below {each.high}" if each.low < -500 else f"{each.low} and more" if each.high > 500 else margin
            gains = [_average(gain) if gain else "–" for gain in (each.stayed, each.left)]
            rows.append([name, margin.replace("-", "−"), str(each.stays), gains[0], str(each.leaves), gains[1]])
    return _table(["", "margin", "goes on", "worth of it", "leaves", "worth of going on"], rows)


def cards_table(cards: CardSet, sizes: Sizes) -> list[str]:
    """What each card is worth against a blank: what `sharp` makes of a normal run, or for Convictions, `careful`."""
    rows = []
    for game, role, card in card_games(cards, sizes.seed, "normal"):
        player = "careful" if cards.cards[card].kind == "conviction" else "sharp"
        figures = card_figures(game, role, card, range(sizes.runs), player)
        rows.append([card, role, game.decks[role], player, _average(figures.gain)])
    return _table(["card", "whose", "deck", "played by", "cash of the run"], rows)


TABLES: dict[str, Callable[[CardSet, Sizes], list[str]]] = {
    "hands": hands_table,
    "runs": runs_table,
    "decks": decks_table,
    "questions": questions_table,
    "rounds": rounds_table,
    "bail": bail_table,
    "cards": cards_table,
}


# --- how they are written


def _game(
    cards: CardSet,
    sizes: Sizes,
    difficulty: str,
    decks: dict[Role, str] | None = None,
    variation: Variation | None = None,
) -> RunExperiment:
    return RunExperiment(
        cards=cards, decks=decks or {}, difficulty=difficulty, variation=variation or Variation(), seed=sizes.seed
    )


def _about(policy: Callable[..., object]) -> str:
    said = (inspect.getdoc(policy) or "").split("\n")[0].rstrip(".")
    return said[:1].lower() + said[1:]


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    ruler = ["---", *["---:"] * (len(headings) - 1)]
    return [f"| {' | '.join(cells)} |" for cells in (headings, ruler, *rows)]


def _share(share: Share) -> str:
    return _figure(100 * share.rate, 100 * share.low, 100 * share.high, 1)


def _average(mean: Average) -> str:
    return _figure(mean.mean, mean.low, mean.high, 0 if max(abs(mean.low), abs(mean.high)) >= 200 else 1)


def _figure(value: float, low: float, high: float, digits: int) -> str:
    def said(number: float) -> str:
        text = f"{number:.{digits}f}"
        return text[1:] if text.startswith("-") and not text.strip("-0.") else text.replace("-", "−")

    return f"{said(value)}<br>{said(low)} – {said(high)}"
