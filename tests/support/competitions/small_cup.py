"""A small competition of house bots with hostile names, and its folder."""

from itertools import combinations
from pathlib import Path

from msgspec.structs import replace

from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.offline import KeyedDecks, OfflineMatch
from pitboss.chance import Chance
from pitboss.competitions.outcome import results_of
from pitboss.competitions.report import write_report
from pitboss.competitions.results import (
    RECORD,
    RESULTS,
    CompetitionRecord,
    DealBlock,
    EntrantInfo,
    EntrantSeat,
    MatchResult,
    write_json,
)
from pitboss.formats.phh import write_phhs
from pitboss.records.record import Record

HOSTILE = '<b>bold</b> & "quoted"'
BOTS = {"sharp one": "sharp", HOSTILE: "tight", "caller": "calling", "monkey": "random"}
DEALS = 12


def play(folder: Path, number: int, names: tuple[str, str]) -> MatchResult:
    """Play a match, write its journal and return its result."""
    records: list[Record] = []
    seats = [(name, HOUSE[BOTS[name]](Chance(at))) for at, name in enumerate(names)]
    match = OfflineMatch(seats, chance=KeyedDecks(number), on_hand=records.append)
    blocks, before = [], [0, 0]
    for deal in range(DEALS):
        match.play_hand()
        net = [player.net for player in match.players]
        chips = tuple([new - old for new, old in zip(net, before, strict=True)])
        blocks.append(DealBlock(deal, 1, chips, tuple(map(float, chips)), tuple(map(float, chips))))
        before = net
    at = folder / "matches" / f"r01-t{number:03d}"
    at.mkdir(parents=True)
    hands = [(str(deal + 1), replace(record, user={"_deal": deal})) for deal, record in enumerate(records)]
    (at / "hands.phhs").write_text(write_phhs(hands), encoding="utf-8")
    return MatchResult(
        id=at.name,
        round=1,
        table=number,
        seats=tuple([EntrantSeat(name=player.name, net=player.net, answers=9, time_s=0.5) for player in match.players]),
        big_blind=100,
        hands=DEALS,
        planned=DEALS,
        blocks=tuple(blocks),
        journal=f"matches/{at.name}/hands.phhs",
        commit="c" * 64,
        key="k" * 64,
    )


def write_competition(made: Path) -> None:
    """Write the folder of a finished competition with its report."""
    matches = tuple([play(made, number, pair) for number, pair in enumerate(combinations(BOTS, 2), 1)])
    record = CompetitionRecord(
        form="round_robin",
        game="no_limit_holdem",
        settings={
            "rank_by": "bb_per_100",
            "duplicate": False,
            "stop_when_decided": False,
            "hands": DEALS,
            "seed": None,
            "big_blind": 100,
            "stack": 10_000,
        },
        entrants=tuple([EntrantInfo(name=name, kind="house", spec=bot) for name, bot in BOTS.items()]),
        matches=matches,
        byes=((1, "caller"),),
        notices=("the sandbox does not limit memory here",),
        version="0.1.0",
    )
    write_json(made / RECORD, record)
    write_json(made / RESULTS, results_of(record))
    (made / "logs").mkdir()
    for number, _ in enumerate(BOTS, 1):
        (made / "logs" / f"{number:02d}-bot.log").write_text("hello\n" if number == 2 else "")
    write_report(made)
