"""The recorded hands of ../shared/data, replayed and compared; run as a module it writes a page.

A difference counts as explained only where a predicate says why; everything else is named `unexplained`. Nothing of a
hand itself goes into the page, only counts.
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
PAGE = ROOT / "docs" / "recorded-hands.md"

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
"""The random hands of each variant, which stand in one file."""
FILES = ("pluribus", "wsop-2023-43", "historic", *RANDOM_GAMES, *ONLINE)
BOTTOMLESS = ("handhq-ipn-1000-9", "handhq-ipn-400-12")
"""The files in which no stack is known, so that finishing stacks agree whatever was won."""
DEEP = 1_000_000
"""What every unknown stack is taken to be when they are compared all the same."""

MENDS: Mapping[str, tuple[str, str]] = {
    "missing move": (
        r"the record goes on: (check|fold|bring-in|standing pat) of p\d+ put in",
        "The record goes on as if somebody had acted: standing pat, a bring-in, a free check or a fold is put in.",
    ),
    "stops": (
        r"the record stops: (check|fold|bring-in|standing pat) of p\d+ put in",
        "The record stops while somebody is asked: the same is put in.",
    ),
    "late show": (
        r"p\d+ shows when the hand is over already; left out",
        "The winner shows his cards when everybody else has folded or mucked: it changes nothing and is left out.",
    ),
    "second show": (
        r"p\d+ shows or mucks a second time; left out",
        "Somebody shows or mucks who has done so already, or has folded: it changes nothing and is left out.",
    ),
    "unrecorded show": (
        r"p\d+ shows cards that nobody recorded; left out",
        "Somebody shows cards that the record does not name (`sm ????`): it says nothing and is left out.",
    ),
    "taken as mucked": (
        r"the cards of p\d+ are not known: taken as mucked",
        "At the end of the record somebody has neither shown nor mucked; his cards are unknown, another's are known.",
    ),
    "taken as shown": (
        r"no showdown recorded for p\d+: cards taken as shown",
        "At the end of the record somebody has neither shown nor mucked and his cards are known.",
    ),
    "nothing to compare": (
        r"no cards to compare at the showdown: pots split evenly",
        "No holding, or not the whole board, is known at the showdown: every pot is split among its claimants.",
    ),
    "other outcome": (
        r"p\d+ ends with [0-9.]+ by the rules, but the record says [0-9.]+",
        "The record has finishing stacks that the rules do not give; ours stand. Strict replay refuses such a hand.",
    ),
}
"""Every kind of mend: how its sentence reads, and what it means."""

REASONS: Mapping[str, str] = {
    "odd unit": (
        "PokerKit splits a pot below the smallest unit of the record; we give the odd unit to the first winner "
        "clockwise from the button's left."
    ),
    "pot left lying": (
        "The record stops before the hand is over; PokerKit leaves the pot in the middle, we play the hand to its end."
    ),
    "unknown cards split": (
        "Somebody shows unknown cards (`sm ????`); PokerKit splits the pot among all who are left, whatever is known "
        "of their cards, we give it to the cards that are known."
    ),
    **{habit: PLAYED_OTHERWISE[habit] for habit in HABITS},
    "unexplained": "No predicate says why; a test fails while there is one.",
}


class Oracle(Struct):
    """What somebody else says of a hand: the stacks at its end, or why there are none."""

    stacks: tuple[Amount, ...] | None
    paid: bool = True  #: False: chips were left in the middle


class Tally(Struct):
    """What came of one file."""

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
    """The hands of a file with the names of their tables, or of one variant of a file of many."""
    return [hand for hand, _ in _both(data, name)]


def oracles(data: Path, name: str, *, recorded: bool) -> list[Oracle]:
    """What PokerKit, or where it says so the record itself, has as finishing stacks."""
    found = []
    for _, expected in _both(data, name):
        stacks = (expected["file_finishing_stacks"] if recorded else None) or expected["finishing_stacks"]
        found.append(Oracle(None if stacks is None else tuple(amount(stack) for stack in stacks)))
    return found


def _both(data: Path, name: str) -> list[tuple[tuple[str, Record], dict[str, Any]]]:
    """Every hand, and what PokerKit says of it."""
    file, _, variant = name.partition(" ")
    hands = read_phhs((data / "phh" / f"{file}.phhs").read_text(encoding="utf-8"), file)
    said = (data / "phh" / f"{file}.oracle.jsonl").read_text(encoding="utf-8").splitlines()
    both = zip(hands, map(json.loads, said), strict=True)
    return [(hand, expected) for hand, expected in both if variant in ("", hand[1].variant)]


def amount(written: int | str) -> Amount:
    """A number of the oracle: decimals are strings there."""
    return written if isinstance(written, int) else Decimal(written)


def pokerkit(record: Record) -> Oracle:
    """What PokerKit makes of a record here and now."""
    *_, state = HandHistory.loads(write_phh(record), parse_value=_exact)
    return Oracle(tuple(state.stacks), not state.status)


def _exact(text: str) -> Any:
    """A number as PokerKit is to take it; it says that it wants integers, and takes any number."""
    return Decimal(text) if "." in text else int(text)


def deepened(record: Record) -> Record:
    """The same hand with a depth for every stack that has none."""
    depths = tuple(DEEP if isinstance(s, Decimal) and s.is_infinite() else s for s in record.starting_stacks)
    return replace(record, starting_stacks=depths)


def smallest_unit(record: Record) -> Fraction:
    """The smallest unit of the record's money."""
    return Fraction(1, find_unit(record, read_moves(record)).scale)


# --- why it may differ


def is_odd_unit(record: Record, played: Replay, oracle: Oracle) -> bool:
    """Whether the oracle has the same chips, but some of them in pieces smaller than the record's unit."""
    theirs, ours = _fractions(oracle.stacks), _fractions(played.finishing_stacks)
    unit = smallest_unit(record)
    return (
        sum(theirs) == sum(ours)
        and all(abs(a - b) < unit for a, b in zip(ours, theirs, strict=True))
        and any((stack / unit).denominator > 1 for stack in theirs)
    )


def is_pot_left_lying(record: Record, played: Replay, oracle: Oracle) -> bool:
    """Whether the oracle has everybody's payments and gives nothing back, and we had to end the hand."""
    won = _fractions(_received(played, Won, Refunded))
    ours, theirs = _fractions(played.finishing_stacks), _fractions(oracle.stacks)
    return (
        not oracle.paid
        and "stops" in kinds(played.mended)
        and theirs == [stack - gain for stack, gain in zip(ours, won, strict=True)]
    )


def is_unknown_cards_split(record: Record, played: Replay, oracle: Oracle) -> bool:
    """Whether the oracle pays all who have not folded alike, and somebody shows cards that nobody recorded."""
    won = _fractions(_received(played, Won))
    ours, theirs = _fractions(played.finishing_stacks), _fractions(oracle.stacks)
    folded = {event.place for event in played.events if isinstance(event, Folded)}
    claimants = len(ours) - len(folded)
    due = [Fraction(0) if p in folded else sum(won, Fraction(0)) / claimants for p in range(len(ours))]
    # PokerKit divides by whole units of money and gives the rest to the first, so nobody is off by more than that.
    off = [abs(a - b + c - d) for a, b, c, d in zip(ours, won, due, theirs, strict=True)]
    return oracle.paid and "unrecorded show" in kinds(played.mended) and max(off) < claimants


def is_paid_by_habit(record: Record, played: Replay, oracle: Oracle, habit: str) -> bool:
    """Whether the oracle's ways to pay a finished hand give what it says, and this one matters in it."""
    hand, unit = played.hand, find_unit(record, read_moves(record))
    if not all(is_known(card) for place in hand.round.live for card in (*hand.holes[place], *hand.board)):
        return False
    before = [stack - won for stack, won in zip(hand.stacks, payout(hand, ()), strict=True)]
    theirs = tuple(unit.amount(stack + won) for stack, won in zip(before, payout(hand, HABITS), strict=True))
    return theirs == oracle.stacks and habit in habits_that_matter(hand)


Predicate = Callable[[Record, Replay, Oracle], bool]
PREDICATES: Mapping[str, Predicate] = {
    "odd unit": is_odd_unit,
    "pot left lying": is_pot_left_lying,
    "unknown cards split": is_unknown_cards_split,
    **{habit: partial(is_paid_by_habit, habit=habit) for habit in HABITS},
}


def reason(record: Record, played: Replay, oracle: Oracle) -> str:
    """Why the oracle says something else."""
    return next((name for name, holds in PREDICATES.items() if holds(record, played, oracle)), "unexplained")


def _fractions(amounts: Sequence[Amount] | None) -> list[Fraction]:
    return [Fraction(amount) if Decimal(amount).is_finite() else Fraction(0) for amount in amounts or ()]


def _received(played: Replay, *events: type[Won] | type[Refunded]) -> list[Amount]:
    """What everybody got out of the middle, by these events."""
    received: list[Amount] = [0] * len(played.finishing_stacks)
    for event in played.events:
        if isinstance(event, Won | Refunded) and isinstance(event, events):
            received[event.place] += event.amount
    return received


# --- counting


def kinds(mended: Sequence[str]) -> set[str]:
    """The kinds of these mends, each once."""
    return {_kind(sentence) for sentence in mended}


def _kind(sentence: str) -> str:
    plain = re.sub(r"^action \d+: ", "", sentence)
    return next(kind for kind, (pattern, _) in MENDS.items() if re.fullmatch(pattern, plain))


@cache
def tally(data: Path, name: str) -> Tally:
    """Replay a file and compare: online hands with PokerKit, the others with what they record."""
    return _count(records(data, name), oracles(data, name, recorded=name not in ONLINE))


@cache
def tally_deepened(data: Path, name: str) -> Tally:
    """Replay a file of unknown stacks with known ones, and compare with PokerKit doing the same."""
    hands = [(table, deepened(record)) for table, record in records(data, name)]
    return _count(hands, [pokerkit(record) for _, record in hands])


def _count(hands: Sequence[tuple[str, Record]], said: Sequence[Oracle]) -> Tally:
    counted = Tally(refused=Counter(), differences=Counter(), mends=Counter())
    for (_, record), oracle in zip(hands, said, strict=True):
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

Real hands, replayed by our rules. They are not part of this repository: `../shared/data` holds them, and its
`SOURCES.md` says where they come from. `python -m tests.support.records.recorded_hands` writes this page, and a
test checks that it is what the code does.

Strict replay refuses the first impossible action, and finishing stacks that do not come out; lenient replay goes on
where it can and lists what it mended.
*Agree* compares the finishing stacks of the lenient replay: of online hands (`handhq`) with PokerKit 0.7.7, of the
others with what the record says. The random hands, a hundred of each variant, were played by PokerKit in tournament
mode. No cap on raises is enforced, since a record carries none, and a recorded draw stands as recorded, whoever gave
the card away.
"""
BOTTOMLESS_HEAD = f"""\
## Unknown stacks

In these files every stack is `inf`, before and after, so that the agreement above says nothing. Here both replay
the same hands with {DEEP:,} for every unknown stack.
"""
MENDS_HEAD = """\
## What is mended

How many hands needed each kind of mend; a hand may need several.
"""


def rows(name: str, counted: Tally, deep: Tally | None) -> list[str]:
    """A file's rows, one for each table of the page."""
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
    return [*found, row(name, counted.mended, *(counted.mends[kind] for kind in MENDS))]


def described(differences: Counter[str]) -> str:
    """Differences with their reasons."""
    return ", ".join(f"{count} {why}" for why, count in sorted(differences.items())) or "0"


def row(*cells: object) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def headings(*names: str) -> list[str]:
    """The first two lines of a table, whose first column is a file."""
    return [row(*names), row("---", *("--:" for _ in names[1:]))]


def page(found: Mapping[str, list[str]]) -> str:
    """The whole page, given every file's rows."""
    lines = [HEAD, *headings("file", "hands", "strict", "lenient", "refused", "agree", "differ")]
    lines += [several[0] for several in found.values()]
    for heading, meant in (
        ("Why hands are refused (*it* is PokerKit):", REFUSALS),
        ("Why hands differ (*it* is PokerKit):", REASONS),
    ):
        lines += ["", heading, "", *(f"- **{why}**: {sentence}" for why, sentence in meant.items())]
    lines.append("")
    lines += [BOTTOMLESS_HEAD, *headings("file", "hands", "agree", "differ")]
    lines += [several[1] for name, several in found.items() if name in BOTTOMLESS]
    lines += ["", MENDS_HEAD, *headings("file", "mended hands", *MENDS), *(several[-1] for several in found.values())]
    lines += ["", *(f"- **{kind}**: {sentence}" for kind, (_, sentence) in MENDS.items())]
    return "\n".join(lines) + "\n"


def file_rows(data: Path, name: str) -> list[str]:
    """A file's rows, computed."""
    return rows(name, tally(data, name), tally_deepened(data, name) if name in BOTTOMLESS else None)


def main() -> None:
    """Write the page."""
    if not DATA.is_dir():
        sys.exit(f"recorded hands not here: {DATA} is absent")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page({name: file_rows(DATA, name) for name in FILES}), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
