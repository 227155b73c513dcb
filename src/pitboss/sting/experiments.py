"""Experiments for docs/sting.md: what each round adds, when folding is right, and the worth of each card."""

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
from pitboss.sting.policies import PLAYERS, RUN_PLAYERS, RunPolicy
from pitboss.sting.run import Run
from pitboss.sting.sharp import BEST, run_value, sample, sharp, weigh
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
"""A card without an effect."""
MARGINS = (-1000, -40, -20, -5, 5, 20, 40, 1000)
"""The bounds of the margin by which decisions are grouped."""
Asked = Literal["decision", "last"]
"""The kind of decision: a decision point, or the Player's first action in the betting of the last round."""
TRIES = 4
"""The number of times that each decision is continued, in both ways."""
PART = re.compile(r"<!-- begin (\w+)[^>]*-->\n.*?<!-- end \1 -->", re.DOTALL)
BEFORE_AND_AFTER = ("printed", "easy", "normal", "hard")
SHOWN = ("sharp", "leaver", "counter", "early_folder", "eager", "random", "cooler")
"""The policies in the table of runs."""


class RoundFigures(Struct, frozen=True, kw_only=True):
    """What a round adds to a hand, on average."""

    round: int
    evidence: Average
    cover: Average
    opponents: Average  #: number of cards that the opponents play
    own: Average


class BailFigures(Struct, frozen=True, kw_only=True):
    """Decisions with `low` <= margin < `high`, and the worth of continuing compared with folding."""

    low: int
    high: int
    stayed: Average | None  #: where `sharp` continues; None if there are fewer than two decisions
    left: Average | None  #: where `sharp` folds
    stays: int  #: number of decisions in which `sharp` continues
    leaves: int  #: number of decisions in which `sharp` folds


def mean_of(mean: Mean) -> Average:
    """Return the mean with its interval."""
    return Average(mean.mean, *mean.interval())


def round_figures(game: RunExperiment, player: str, numbers: range) -> list[RoundFigures]:
    """Return the Evidence, Cover and cards that each round adds, as averages over all hands that reach the round."""
    policy, count = RUN_PLAYERS[player], game.variation.rounds
    means = [[Mean() for _ in range(4)] for _ in range(count)]
    for number in numbers:
        _count_flips(game, policy, number, means)
    return [
        RoundFigures(
            round=at + 1,
            evidence=mean_of(e),
            cover=mean_of(c),
            opponents=mean_of(theirs),
            own=mean_of(own),
        )
        for at, (e, c, theirs, own) in enumerate(means)
    ]


def _count_flips(game: RunExperiment, policy: RunPolicy, number: int, means: list[list[Mean]]) -> None:
    """Add the changes in each round of one run to the means of that round."""
    run, own_chance = start_number(game, number)
    while not run.over and run.number <= 20:
        before, at = run.hand.totals, run.hand.number
        run, events = run.act(policy(run.view(), own_chance))
        for event in events:
            if isinstance(event, Flipped):
                evidence, cover, theirs, own = means[at - 1]
                mine = sum(place == PLAYER for place, _ in event.cards)
                evidence.add(event.totals.evidence - before.evidence)
                cover.add(event.totals.cover - before.cover)
                own.add(mine)
                theirs.add(len(event.cards) - mine)


# --- when folding is right


def bail_figures(game: RunExperiment, numbers: range, moment: Asked) -> list[BailFigures]:
    """Return the decisions of one kind in `sharp`'s runs, by margin.

    Each decision is continued in both ways, with the same sampled cards.
    """
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
    return mean_of(mean) if mean.count > 1 else None


def _decisions(game: RunExperiment, number: int, moment: Asked) -> Iterator[tuple[int, float, bool]]:
    run, chance = start_number(game, number)
    while not run.over:
        view = run.view()
        action = sharp(view, chance)
        if _is(run, moment):
            low = max(bound for bound in MARGINS if bound <= run.hand.totals.margin)
            stays = max(weigh(view, BEST)[:-1], key=lambda each: each[1])[0]  # the last action is the fold
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
    return run_value(run) - run_value(left)


# --- what a card is worth


def card_gain(game: RunExperiment, role: Role, card: str, numbers: range, player: str = "sharp") -> Average:
    """Return the gain in cash if all copies of a card in a deck are the card and not blanks."""
    policy, games = RUN_PLAYERS[player], [_extended(game, role, card, by) for by in (card, BLANK)]
    cash = [[play_number(each, policy, number).cash for each in games] for number in numbers]
    return mean_of(Mean(with_card - without for with_card, without in cash))


def _extended(game: RunExperiment, role: Role, card: str, by: str) -> RunExperiment:
    """Return the game with every copy of a card replaced, also later copies. The deck has at least two copies."""
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
    """Yield every card, with a game in which a deck of that role has it. Cards that opponents get later count, too."""
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


class ExperimentSizes(Struct, frozen=True, kw_only=True):
    """The number of hands and runs that are played to compute the tables."""

    hands: int = 20_000
    runs: int = 400
    seed: int = 1
    jobs: int | None = None


def write_tables(page: str, cards: CardSet, sizes: ExperimentSizes, advance: Callable[[], None] = lambda: None) -> str:
    """Return the page with its marked parts replaced by new tables."""

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
    """Return the names of the tables in a page."""
    return [part[1] for part in PART.finditer(page) if part[1] in TABLES]


# --- the tables


def hands_table(cards: CardSet, sizes: ExperimentSizes) -> list[str]:
    """Every policy in single hands of the printed game."""
    game = Experiment.of(cards, answers=Answers.FOLLOWING, seed=sizes.seed)
    results = simulate(game, list(PLAYERS), sizes.hands, jobs=sizes.jobs)
    rows = [
        [
            f"`{result.player}`: {_about(PLAYERS[result.player])}",
            *(_share(share) for share in (result.win, result.bust, result.fold)),
            *(_average(mean) for mean in (result.profit, result.cards)),
        ]
        for result in sorted(results, key=lambda result: -result.profit.mean)
    ]
    return _table(["policy", "win %", "bust %", "fold %", "profit", "cards"], rows)


def runs_table(cards: CardSet, sizes: ExperimentSizes) -> list[str]:
    """Some policies in runs of every difficulty: the cash, and the share of runs won (without an end: not over)."""
    headings, rows = ["policy"], {name: [name] for name in SHOWN}
    for difficulty in BEFORE_AND_AFTER:
        endless = not cards.difficulty(difficulty).hands
        headings += [f"{difficulty}: cash", "alive %" if endless else "win %"]
        for result in simulate_runs(_game(cards, sizes, difficulty), list(SHOWN), sizes.runs, jobs=sizes.jobs):
            rows[result.player] += [_average(result.cash), _share(result.alive if endless else result.win)]
    return _table(headings, list(rows.values()))


def decks_table(cards: CardSet, sizes: ExperimentSizes) -> list[str]:
    """`sharp` with every deck of the Player."""
    rows = []
    for deck in cards.decks["player"]:
        for difficulty in BEFORE_AND_AFTER[1:]:
            game = _game(cards, sizes, difficulty, {"player": deck})
            [result] = simulate_runs(game, ["sharp"], sizes.runs, jobs=sizes.jobs)
            figures = [_average(result.cash), _share(result.win), _share(result.fold)]
            rows.append([deck, difficulty, *figures])
    return _table(["deck", "difficulty", "cash", "win %", "fold %"], rows)


def questions_table(cards: CardSet, sizes: ExperimentSizes) -> list[str]:
    """Printed hands by `counter` and normal runs by `sharp`, unchanged and with one rule changed."""
    changes = {
        "unchanged": Variation(),
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
    return _table(["", "`counter`: profit", "win %", "`sharp`: cash", "win %"], rows)


def rounds_table(cards: CardSet, sizes: ExperimentSizes) -> list[str]:
    """What each round adds, in normal runs by `sharp`."""
    rows = [
        [str(each.round), *map(_average, (each.evidence, each.cover, each.opponents, each.own))]
        for each in round_figures(_game(cards, sizes, "normal"), "sharp", range(sizes.runs))
    ]
    return _table(["round", "Evidence", "Cover", "opponents' cards", "own cards"], rows)


def bail_table(cards: CardSet, sizes: ExperimentSizes) -> list[str]:
    """Return a table that compares continuing with folding in normal runs by `sharp`.

    It covers decision points and the last round.
    """
    rows = []
    moments: dict[str, Asked] = {"decision point": "decision", "round 3": "last"}
    for name, moment in moments.items():
        for each in bail_figures(_game(cards, sizes, "normal"), range(sizes.runs), moment):
            margin = f"{each.low} to {each.high - 1}"
            margin = f"below {each.high}" if each.low < -500 else f"{each.low} and more" if each.high > 500 else margin
            gains = [_average(gain) if gain else "–" for gain in (each.stayed, each.left)]
            rows.append([name, margin.replace("-", "−"), str(each.stays), gains[0], str(each.leaves), gains[1]])
    return _table(["", "margin", "continues", "worth", "folds", "worth of continuing"], rows)


def cards_table(cards: CardSet, sizes: ExperimentSizes) -> list[str]:
    """The worth of each card in normal runs by `sharp`. Convictions use `careful`, which ignores them."""
    rows = []
    for game, role, card in card_games(cards, sizes.seed, "normal"):
        player = "careful" if cards.cards[card].kind == "conviction" else "sharp"
        gain = card_gain(game, role, card, range(sizes.runs), player)
        rows.append([card, role, game.decks[role], player, _average(gain)])
    return _table(["card", "role", "deck", "policy", "cash"], rows)


TABLES: dict[str, Callable[[CardSet, ExperimentSizes], list[str]]] = {
    "hands": hands_table,
    "runs": runs_table,
    "decks": decks_table,
    "questions": questions_table,
    "rounds": rounds_table,
    "bail": bail_table,
    "cards": cards_table,
}


# --- formatting


def _game(
    cards: CardSet,
    sizes: ExperimentSizes,
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
    ruler = f"|{'|'.join(['---', *['---:'] * (len(headings) - 1)])}|"
    lines = [f"| {' | '.join(cells)} |" for cells in (headings, *rows)]
    return [lines[0], ruler, *lines[1:]]


def _share(share: Share) -> str:
    return _figure(100 * share.rate, 100 * share.low, 100 * share.high, 1)


def _average(mean: Average) -> str:
    return _figure(mean.mean, mean.low, mean.high, 0 if max(abs(mean.low), abs(mean.high)) >= 200 else 1)


def _figure(value: float, low: float, high: float, digits: int) -> str:
    def said(number: float) -> str:
        text = f"{number:.{digits}f}"
        return text[1:] if text.startswith("-") and not text.strip("-0.") else text.replace("-", "−")

    least, most = said(low), said(high)
    return f"{said(value)}<br>{f'{least} to {most}' if '−' in least + most else f'{least}–{most}'}"
