"""The certificate of a competition's folder, and its check.

`certificate.json` has the hash of every file. The check also derives the folder's content again: commitments and cards
from keys, chips from the journals, and the results from the chips. A folder with an altered result and a new
certificate is therefore refused too.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any

from msgspec import Struct

from pitboss.arena.bots.offline import KeyedDecks
from pitboss.cards import Card
from pitboss.competitions.matches import DEAL, REFUSED, commit_to, decks_of, key_of
from pitboss.competitions.outcome import results_of
from pitboss.competitions.plan import COMMITMENTS, PLAN, Commitments, CompetitionPlan, settings_fields
from pitboss.competitions.results import (
    MATCH,
    MATCHES,
    RECORD,
    RESULTS,
    CompetitionRecord,
    CompetitionResult,
    MatchResult,
    ResultsError,
    read_json,
    write_json,
)
from pitboss.errors import PitbossError
from pitboss.formats.phh import read_phhs
from pitboss.hand.events import BoardDealt, Event, HoleDealt, UpDealt
from pitboss.hand.structure import Structure
from pitboss.records.record import Record
from pitboss.records.replay import replay
from pitboss.table.mixed import Mixed

CERTIFICATE = "certificate.json"


class Certificate(Struct, frozen=True, kw_only=True):
    """The hashes of all files of a competition's folder, by path."""

    files: dict[str, str]
    certified_at: str


def certify(folder: Path) -> None:
    """Write the certificate of a finished competition."""
    files = {name: _hash(folder / name) for name in _files(folder)}
    write_json(
        folder / CERTIFICATE, Certificate(files=files, certified_at=datetime.now(UTC).isoformat(timespec="seconds"))
    )


def _files(folder: Path) -> list[str]:
    found = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    return sorted([str(path) for path in found if not path.name.startswith(".") and str(path) != CERTIFICATE])


def _hash(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


# --- the check


def verify_folder(folder: Path, advance: Callable[[], object] = lambda: None) -> list[str]:
    """Return what was altered in a competition's folder, one sentence each; call `advance` after each match."""
    return [*_altered_files(folder)] or [*_wrong_content(folder, advance)]


def _altered_files(folder: Path) -> Iterator[str]:
    try:
        certificate = read_json(folder / CERTIFICATE, Certificate)
    except ResultsError as error:
        yield f"{error}; a competition has a certificate when it is finished"
        return
    there = {*_files(folder)}
    for name, digest in certificate.files.items():
        if name not in there:
            yield f"{name}: is missing"
        elif _hash(folder / name) != digest:
            yield f"{name}: was altered: its hash differs from the certificate"
    for name in sorted(there - {*certificate.files}):
        yield f"{name}: is not in the certificate"


def _wrong_content(folder: Path, advance: Callable[[], object]) -> Iterator[str]:
    try:
        record = read_json(folder / RECORD, CompetitionRecord)
        results = read_json(folder / RESULTS, CompetitionResult)
        plan = read_json(folder / PLAN, CompetitionPlan)
        commitments = read_json(folder / COMMITMENTS, Commitments).decks
        matches = [read_json(folder / MATCHES / match.id / MATCH, MatchResult) for match in record.matches]
    except ResultsError as error:
        yield str(error)
        return
    if record.entrants != plan.settings.entrants or record.settings != settings_fields(plan.settings):
        yield f"{RECORD}: the settings differ from {PLAN}"
    for match in matches:
        name = f"{MATCHES}/{match.id}"
        if match not in record.matches:
            yield f"{RECORD}: match {match.id} differs from {name}/{MATCH}"
        if match.key != key_of(plan.seed, match.id) or match.commit != commitments.get(match.id):
            yield f"{name}/{MATCH}: its decks are not those of {COMMITMENTS}"
        elif match.commit != commit_to(match.key):
            yield f"{COMMITMENTS}: the commitment of {match.id} does not fit its key"
        for problem in _journal_problems(folder / match.journal, match, plan.settings.games):
            yield f"{match.journal}: {problem}"
        advance()
    if results_of(record) != results:
        yield f"{RESULTS}: differs from the results of the matches"


def _journal_problems(file: Path, match: MatchResult, games: Mixed) -> Iterator[str]:
    """Yield the first problem of a journal: a hand that breaks the rules, other cards, or other chips."""
    try:
        hands = read_phhs(file.read_text(encoding="utf-8"))
        won: defaultdict[int, list[int]] = defaultdict(lambda: [0] * len(match.seats))
        times: Counter[int] = Counter()
        faults = 0
        decks = decks_of(match.key)
        structures = [game.structure for game in games.games]
        for name, record in hands:
            deal = _number(record)
            if (problem := _cards_differ(record, decks, structures)) is not None:
                yield f"hand {name}: {problem}"
                return
            times[deal] += 1
            refused: Any = record.user.get(REFUSED, ())
            faults += len(refused)
            after = record.finishing_stacks or ()
            for player, left, before in zip(record.players or (), after, record.starting_stacks, strict=True):
                won[deal][match.names.index(player)] += int(left - before)
    except (PitbossError, OSError, UnicodeError, KeyError, TypeError, ValueError) as error:
        yield f"cannot be replayed: {error}"
        return
    if {block.deal: (block.hands, [*block.net]) for block in match.blocks} != {
        deal: (times[deal], chips) for deal, chips in won.items()
    }:
        yield f"its hands give other chips than {MATCH}"
    elif any(seat.net != sum(chips[at] for chips in won.values()) for at, seat in enumerate(match.seats)):
        yield f"its hands give other totals than {MATCH}"
    elif faults != sum(seat.illegal + seat.timeouts + seat.crashes for seat in match.seats):
        yield f"it has {faults} refused answers, {MATCH} has another number"


def _cards_differ(record: Record, decks: KeyedDecks, structures: Sequence[Structure]) -> str | None:
    """Return what is wrong with a hand's cards; None if they come from its deck and the hand follows the rules."""
    played = replay(record)
    structure = played.hand.structure
    if structure.code not in [each.code for each in structures]:
        return f"{structure.name} is not a game of this competition"
    dealt = dealt_cards(played.chip_events)
    deal = _number(record)
    deck = decks.deck(deal, structure.deck)
    return None if dealt == list(deck[: len(dealt)]) else f"its cards are not those of deck {deal}"


def _number(record: Record) -> int:
    number: Any = record.user[DEAL]
    return int(number)


def dealt_cards(events: Sequence[Event]) -> list[Card]:
    """Return the cards of a hand in the order in which they came from the deck: one card per player in turn."""
    cards: list[Card] = []
    round: defaultdict[int, list[Card]] = defaultdict(list)
    for event in (*events, None):
        if isinstance(event, HoleDealt | UpDealt):
            round[event.place] += event.cards
            continue
        if round:
            cards += [card for turn in zip_longest(*round.values()) for card in turn if card is not None]
            round.clear()
        if isinstance(event, BoardDealt):
            cards += event.cards
    return cards
