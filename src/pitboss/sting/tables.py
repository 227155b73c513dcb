"""The tables of docs/sting.md: each made by an experiment, with its seed, its size and its intervals beside it."""

import inspect
import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from pitboss.betting.rules import Answers
from pitboss.sting.cards import CardSet, Role
from pitboss.sting.experiments import Asked, bail_figures, card_figures, card_games, round_figures
from pitboss.sting.hand import PLAYER, Variation
from pitboss.sting.policies import PLAYERS
from pitboss.sting.run_policies import RUN_PLAYERS
from pitboss.sting.simulate import Average, Experiment, Share, simulate
from pitboss.sting.simulate_runs import RunExperiment, simulate_runs

PART = re.compile(r"<!-- begin (\w+)[^>]*-->\n.*?<!-- end \1 -->", re.DOTALL)
BEFORE_AND_AFTER = ("printed", "easy", "normal", "hard")


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
