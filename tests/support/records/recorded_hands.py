"""Replay the recorded hands of ../shared/data and compare the results; as a module, write the page of docs/reference.

A difference without a predicate that explains it is `unexplained`. The page has only counts, no hands.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pokerkit import HandHistory

from pitboss.betting.events import Folded, Refunded
from pitboss.cards import is_known
from pitboss.formats.phh import read_phhs, write_phh
from pitboss.hand.events import Won
from pitboss.hand.games import PHH_CODES
from pitboss.records.lenient import replay_leniently
from pitboss.records.money import Amount
from pitboss.records.record import Record
from pitboss.records.replay import Replay, ReplayError, find_unit, read_moves
from pitboss.records.replay import replay as replay_strictly
from tests.support.records.refused_hands import REFUSALS, refusal
from tests.support.twin.pokerkit_pots import HABITS, habits_that_matter, payout
from tests.twin.against_pokerkit import REASONS as PLAYED_OTHERWISE

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data"
PAGE = ROOT / "docs" / "reference" / "recorded-hands.md"

ONLINE = (
    "handhq-abs-1000-0",
    "handhq-abs-400-3",
    "handhq-ftp-1000-6",
    "handhq-ipn-1000-9",
    "handhq-ipn-400-12",
    "handhq-ong-400-15",
    "handhq-ps-200-18",
    "handhq-ps-50-21",
    "handhq-pty-25-24",
)
RANDOM = "variants-random"
RANDOM_GAMES = tuple(f"{RANDOM} {code}" for code in PHH_CODES)
"""The random hands of each variant; all are in one file."""
FILES = ("pluribus", "wsop-2023-43", "historic", *RANDOM_GAMES, *ONLINE)
BOTTOMLESS = ("handhq-ipn-1000-9", "handhq-ipn-400-12")
"""The files in which all stacks are unknown, so that finishing stacks always agree."""
DEEP = 1_000_000
"""The size of unknown stacks in a second comparison."""

MENDS: Mapping[str, tuple[str, str]] = {
    "missing move": (
        r"the record has no action of (p\d+) here, so \1 (checks|folds|pays the bring-in|stands pat)",
        "The record leaves out a move; a stand pat, bring-in, free check or fold is added.",
    ),
    "stops": (
        r"the record stops early, so p\d+ (checks|folds|pays the bring-in|stands pat)",
        "The record stops before the end; the same moves are added.",
    ),
    "late show": (
        r"p\d+ shows after the end of the hand; the move is ignored",
        "The winner shows after all others folded or mucked. The move is ignored.",
    ),
    "second show": (
        r"p\d+ shows or mucks a second time; the move is ignored",
        "A player shows or mucks twice, or after a fold. The move is ignored.",
    ),
    "unrecorded show": (
        r"p\d+ shows cards that are not recorded; the move is ignored",
        "A player shows unknown cards (`sm ????`). The move is ignored.",
    ),
    "added muck": (
        r"the cards of p\d+ are not known, so p\d+ mucks",
        "The record has no showdown for a player with unknown cards, while other cards are known.",
    ),
    "added show": (
        r"the record has no showdown for p\d+, so p\d+ shows",
        "The record has no showdown for a player with known cards.",
    ),
    "split": (
        r"the cards at the showdown are not known, so the pots are split evenly",
        "All hands or a part of the board are unknown at the showdown; pots are split.",
    ),
    "other outcome": (
        r"p\d+ ends with [0-9.]+ by the rules, but the record has [0-9.]+",
        "The recorded finishing stacks differ from those by the rules. Strict replay refuses such a hand.",
    ),
}
"""Each kind of repair: a pattern of its message, and its meaning."""

REASONS: Mapping[str, str] = {
    "odd unit": (
        "PokerKit splits a pot below the smallest unit of the record; pitboss gives the odd unit to the first winner "
        "left of the button."
    ),
    "unpaid pot": "The record stops early; PokerKit does not pay the pot, pitboss plays the hand to its end.",
    "unknown cards split": (
        "A player shows unknown cards (`sm ????`); PokerKit splits the pot among the remaining players, pitboss gives "
        "it to the known cards."
    ),
    **{habit: PLAYED_OTHERWISE[habit] for habit in HABITS},
    "unexplained": "No known reason; a test fails for such a hand.",
}


class Oracle(Struct):
    """The finishing stacks of a hand from another source."""

    stacks: tuple[Amount, ...] | None
    paid: bool = True  #: False if chips are left in the middle


class Tally(Struct):
    """The counts of one file."""

    hands: int = 0
    refused: Counter[str] = Counter()
    strict: int = 0
    lenient: int = 0
    agree: int = 0
    mended: int = 0
    differences: Counter[str] = Counter()
    mends: Counter[str] = Counter()


# --- what is compared


def records(data: Path, name: str) -> list[tuple[str, Record]]:
    """Return the hands of a file, or of one variant in it, with the names of their tables."""
    return [hand for hand, _ in _both(data, name)]


def oracles(data: Path, name: str, *, recorded: bool) -> list[Oracle]:
    """Return the finishing stacks of PokerKit, or those of the records if `recorded` and present."""
    found = []
    for _, expected in _both(data, name):
        stacks = (expected["file_finishing_stacks"] if recorded else None) or expected["finishing_stacks"]
        found.append(Oracle(None if stacks is None else tuple(amount(stack) for stack in stacks)))
    return found


def _both(data: Path, name: str) -> list[tuple[tuple[str, Record], dict[str, Any]]]:
    """Return every hand with the result of PokerKit."""
    file, _, variant = name.partition(" ")
    hands = read_phhs((data / "phh" / f"{file}.phhs").read_text(encoding="utf-8"), file)
    results = (data / "phh" / f"{file}.oracle.jsonl").read_text(encoding="utf-8").splitlines()
    both = zip(hands, map(json.loads, results), strict=True)
    return [(hand, expected) for hand, expected in both if variant in ("", hand[1].variant)]


def amount(written: int | str) -> Amount:
    """Read a number of the oracle, in which decimals are strings."""
    return written if isinstance(written, int) else Decimal(written)


def pokerkit(record: Record) -> Oracle:
    """Play a record with PokerKit."""
    *_, state = HandHistory.loads(write_phh(record), parse_value=_exact)
    return Oracle(tuple(state.stacks), not state.status)


def _exact(text: str) -> Any:
    """Read a number for PokerKit; its types ask for integers, but it accepts any number."""
    return Decimal(text) if "." in text else int(text)


def deepened(record: Record) -> Record:
    """Return the same hand with `DEEP` for every unknown stack."""
    depths = tuple(DEEP if isinstance(s, Decimal) and s.is_infinite() else s for s in record.starting_stacks)
    return replace(record, starting_stacks=depths)


def smallest_unit(record: Record) -> Fraction:
    """Return the smallest unit of the record's money."""
    return Fraction(1, find_unit(record, read_moves(record)).scale)


# --- reasons for differences


def is_odd_unit(record: Record, played: Replay, oracle: Oracle) -> bool:
    """Whether the oracle has the same total, but splits chips below the record's unit."""
    theirs, ours = _fractions(oracle.stacks), _fractions(played.finishing_stacks)
    unit = smallest_unit(record)
    return (
        sum(theirs) == sum(ours)
        and all(abs(a - b) < unit for a, b in zip(ours, theirs, strict=True))
        and any((stack / unit).denominator > 1 for stack in theirs)
    )


def is_pot_unpaid(record: Record, played: Replay, oracle: Oracle) -> bool:
    """Whether the oracle has not paid the pot, and the replay added moves at the end."""
    won = _fractions(_received(played, Won, Refunded))
    ours, theirs = _fractions(played.finishing_stacks), _fractions(oracle.stacks)
    return (
        not oracle.paid
        and "stops" in kinds(played.mended)
        and theirs == [stack - gain for stack, gain in zip(ours, won, strict=True)]
    )


def is_unknown_cards_split(record: Record, played: Replay, oracle: Oracle) -> bool:
    """Whether the oracle splits the pot evenly, and a player shows unknown cards."""
    won = _fractions(_received(played, Won))
    ours, theirs = _fractions(played.finishing_stacks), _fractions(oracle.stacks)
    folded = {event.place for event in played.events if isinstance(event, Folded)}
    claimants = len(ours) - len(folded)
    due = [Fraction(0) if p in folded else sum(won, Fraction(0)) / claimants for p in range(len(ours))]
    # PokerKit divides by whole units of money and gives the rest to the first, so each stack differs by less.
    off = [abs(a - b + c - d) for a, b, c, d in zip(ours, won, due, theirs, strict=True)]
    return oracle.paid and "unrecorded show" in kinds(played.mended) and max(off) < claimants


def is_paid_by_habit(record: Record, played: Replay, oracle: Oracle, habit: str) -> bool:
    """Whether PokerKit's habits of paying a finished hand explain its stacks, and this habit matters here."""
    hand, unit = played.hand, find_unit(record, read_moves(record))
    if not all(is_known(card) for place in hand.round.live for card in (*hand.holes[place], *hand.board)):
        return False
    before = [stack - won for stack, won in zip(hand.stacks, payout(hand, ()), strict=True)]
    theirs = tuple(unit.amount(stack + won) for stack, won in zip(before, payout(hand, HABITS), strict=True))
    return theirs == oracle.stacks and habit in habits_that_matter(hand)


Predicate = Callable[[Record, Replay, Oracle], bool]
PREDICATES: Mapping[str, Predicate] = {
    "odd unit": is_odd_unit,
    "unpaid pot": is_pot_unpaid,
    "unknown cards split": is_unknown_cards_split,
    **{habit: partial(is_paid_by_habit, habit=habit) for habit in HABITS},
}


def reason(record: Record, played: Replay, oracle: Oracle) -> str:
    """Return the reason for a different result of the oracle."""
    return next((name for name, holds in PREDICATES.items() if holds(record, played, oracle)), "unexplained")


def _fractions(amounts: Sequence[Amount] | None) -> list[Fraction]:
    return [Fraction(amount) if Decimal(amount).is_finite() else Fraction(0) for amount in amounts or ()]


def _received(played: Replay, *events: type[Won] | type[Refunded]) -> list[Amount]:
    """Return what each player received by these events."""
    received: list[Amount] = [0] * len(played.finishing_stacks)
    for event in played.events:
        if isinstance(event, Won | Refunded) and isinstance(event, events):
            received[event.place] += event.amount
    return received


# --- counting


def kinds(mended: Sequence[str]) -> set[str]:
    """Return the kinds of these repairs."""
    return {_kind(sentence) for sentence in mended}


def _kind(sentence: str) -> str:
    plain = re.sub(r"^action \d+: ", "", sentence)
    return next(kind for kind, (pattern, _) in MENDS.items() if re.fullmatch(pattern, plain))


@cache
def tally(data: Path, name: str) -> Tally:
    """Replay a file and compare: online hands with PokerKit, the others with their recorded stacks."""
    return _count(records(data, name), oracles(data, name, recorded=name not in ONLINE))


@cache
def tally_deepened(data: Path, name: str) -> Tally:
    """Replay a file with `DEEP` for every unknown stack, and compare with PokerKit."""
    hands = [(table, deepened(record)) for table, record in records(data, name)]
    return _count(hands, [pokerkit(record) for _, record in hands])


def _count(hands: Sequence[tuple[str, Record]], expected: Sequence[Oracle]) -> Tally:
    counted = Tally(refused=Counter(), differences=Counter(), mends=Counter())
    for (_, record), oracle in zip(hands, expected, strict=True):
        counted.hands += 1
        counted.strict += _is_playable(record)
        try:
            played = replay_leniently(record)
        except ReplayError:
            counted.refused[refusal(record)] += 1
            continue
        counted.lenient += 1
        counted.mended += bool(played.mended)
        counted.mends.update(kinds(played.mended))
        if played.finishing_stacks == oracle.stacks:
            counted.agree += 1
        else:
            counted.differences[reason(record, played, oracle)] += 1
    return counted


def _is_playable(record: Record) -> bool:
    try:
        replay_strictly(record)
    except ReplayError:
        return False
    return True


# --- the page

HEAD = """\
# Recorded hands

Results of replaying real hands. The hands are in `../shared/data`, not in this repository; `SOURCES.md` there names
their sources. `python -m tests.support.records.recorded_hands` writes this page, and a test checks it.

- **strict**: hands that strict replay accepts. It refuses impossible actions and wrong finishing stacks.
- **lenient**: hands that lenient replay accepts. It repairs what it can, without a cap on raises.
- **agree**: hands with the same finishing stacks in lenient replay and in PokerKit 0.7.7 (`handhq`) or the record
  (other files). PokerKit played the random hands, a hundred of each variant, in tournament mode.
"""
BOTTOMLESS_HEAD = f"""\
## Unknown stacks

Every stack in these files is `inf`. This table compares the hands with stacks of {DEEP:,} instead.
"""
MENDS_HEAD = """\
## Repairs

The number of hands with each kind of repair, for files with repaired hands.
"""


def rows(name: str, counted: Tally, deep: Tally | None) -> list[str]:
    """Return the rows of a file, at most one for each table of the page."""
    found = [
        row(
            name,
            counted.hands,
            counted.strict,
            counted.lenient,
            described(counted.refused),
            counted.agree,
            described(counted.differences),
        )
    ]
    if deep is not None:
        found.append(row(name, deep.hands, deep.agree, described(deep.differences)))
    return [*found, row(name, counted.mended, described(counted.mends))] if counted.mended else found


def described(counts: Counter[str]) -> str:
    """Format counts with their names."""
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "0"


def row(*cells: object) -> str:
    """Return a row of a table."""
    return f"|{'|'.join(map(str, cells))}|"


def headings(*names: str) -> list[str]:
    """Return the first two lines of a table."""
    return [row(*names), row("---", *("--:" for _ in names[1:]))]


def page(found: Mapping[str, list[str]]) -> str:
    """Return the whole page, given the rows of every file."""
    lines = [HEAD, *headings("file", "hands", "strict", "lenient", "refused", "agree", "differ")]
    lines += [several[0] for several in found.values()]
    for heading, meant in (
        ("Refusals (*it* is PokerKit):", REFUSALS),
        ("Differences (*it* is PokerKit):", REASONS),
    ):
        lines += ["", heading, "", *(f"- **{why}**: {sentence}" for why, sentence in meant.items())]
    lines.append("")
    lines += [BOTTOMLESS_HEAD, *headings("file", "hands", "agree", "differ")]
    lines += [several[1] for name, several in found.items() if name in BOTTOMLESS]
    lines += ["", MENDS_HEAD, *headings("file", "repaired", "kinds")]
    lines += [several[-1] for name, several in found.items() if len(several) > 1 + (name in BOTTOMLESS)]
    lines += ["", *(f"- **{kind}**: {sentence}" for kind, (_, sentence) in MENDS.items())]
    return "\n".join(lines) + "\n"


def file_rows(data: Path, name: str) -> list[str]:
    """Compute the rows of a file."""
    return rows(name, tally(data, name), tally_deepened(data, name) if name in BOTTOMLESS else None)


def main() -> None:
    """Write the page."""
    if not DATA.is_dir():
        sys.exit(f"no recorded hands: {DATA} does not exist")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page({name: file_rows(DATA, name) for name in FILES}), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
