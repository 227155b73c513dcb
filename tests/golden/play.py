"""Play every game from fixed seeds and write down what happened: `python -m tests.golden.play [NAME ...]`, or all.

Every line is one game or table: its name, and a mark of six letters for each hand. A mark represents all that was
on offer, everything that happened and the result. `transcripts.txt` has a few hands in full, as JSON.
A changed mark is a change of play: say in the commit which rule changed, and add a version to docs/rules.md.
"""

import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.formats.phh import write_phh
from pitboss.game import Over
from pitboss.hand.events import write_event
from pitboss.hand.game_type import PokerType
from pitboss.hand.games import SEVEN_CARD_STUD
from pitboss.hand.structure import Rake
from pitboss.records.lenient import replay_leniently
from pitboss.records.record import record_hand
from pitboss.records.replay import replay
from pitboss.table.stakes import Level, TableStakes
from pitboss.table.table import Table
from tests.support.laws.games import GAMES, GameOnTrial
from tests.support.laws.poker_games import POKERS

FOLDER = Path(__file__).resolve().parent / "play"
HANDS = 10
TABLE_HANDS = 60
FULL = ("no_limit_holdem-antes", "omaha-heads_up", "razz-no_antes", "badugi-heads_up", "sting-following", "lab-leduc")
"""The games of which one hand is written in full."""


def mark(*parts: bytes) -> str:
    """Return six letters that identify all this."""
    return sha256(b"\n".join(parts)).hexdigest()[:6]


def play(trial: GameOnTrial, seed: int) -> Iterator[bytes]:
    """One game played at random: the offers, the actions, the events, and the result."""
    chance = Chance(seed)
    game, events = trial.start(chance)
    yield from map(trial.type.write_event, events)
    while not isinstance(game.turn, Over):
        legal = game.legal()
        yield b" or ".join(map(trial.type.write_action, legal))
        game, events = game.act(chance.choice(legal))
        yield from map(trial.type.write_event, events)
    yield msgspec.json.encode(trial.type.result(game))


def games(prefix: str | None) -> str:
    """The marks of the games whose name has this prefix; without one, of poker."""
    lines = []
    for name, trial in GAMES.items():
        if name.startswith(prefix) if prefix else not name.startswith(("sting", "lab-")):
            marks = [mark(*play(trial, seed)) for seed in range(HANDS)]
            lines.append(f"{name} {' '.join(marks)}\n")
    return "".join(lines)


# --- tables from hand to hand

TABLES: dict[str, Callable[[], Table]] = {
    "big_blind": lambda: Table.open(TableStakes(small_blind=5, big_blind=10), seat_count=6),
    "button": lambda: Table.open(
        TableStakes(small_blind=5, big_blind=10, levels=(Level(from_hand=20, small_blind=10, big_blind=20, ante=2),)),
        moving="button",
    ),
    "dead_button": lambda: Table.open(TableStakes(small_blind=5, big_blind=10, runs=2), moving="dead_button"),
    "straddles_and_rake": lambda: Table.open(
        TableStakes(small_blind=5, big_blind=10, straddles=(20,), rake=Rake(thousandths=50, cap=7)), seat_count=8
    ),
    "big_blind_ante_and_bombs": lambda: Table.open(
        TableStakes(small_blind=5, big_blind=10, big_blind_ante=10, bomb_every=4), structure="omaha", seat_count=6
    ),
    "kill": lambda: Table.open(
        TableStakes(small_blind=5, big_blind=10, kill="half"), structure="limit_holdem", seat_count=6
    ),
    "stud_open_pair": lambda: Table.open(
        TableStakes(small_blind=5, big_blind=10), structure=replace(SEVEN_CARD_STUD, open_pair=True), seat_count=6
    ),
    "horse": lambda: Table.open(TableStakes(small_blind=4, big_blind=8, may_muck=True), structure="horse"),
    "eight_game": lambda: Table.open(TableStakes(small_blind=4, big_blind=8), structure="eight_game", seat_count=6),
}


def play_table(table: Table, chance: Chance) -> Iterator[str]:
    """The marks of a table's hands, at which players come, pause, wait, come back, add chips and leave."""
    for number in range(TABLE_HANDS):
        for _ in range(4 if number == 0 else chance.below(3)):
            try:
                table = come_or_go(table, chance)
            except PitbossError:
                chance.below(2)  # refused: nothing has changed
        try:
            table = table.next()
            if table.phase != "ready":
                yield mark(repr(facts(table)).encode())
                continue
            dealt = table.deal(chance.shuffled(table.structure.deck))
        except PitbossError as error:
            yield mark(str(type(error)).encode())
            return
        hand, happened = dealt.hand, list(dealt.events)
        while not hand.over:
            hand, events = hand.act(chance.choice(hand.legal()))
            happened += events
        table = dealt.table.finish(hand)
        yield mark(*map(write_event, happened), repr(facts(table)).encode())


def come_or_go(table: Table, chance: Chance) -> Table:
    """Something that one player does between two hands."""
    who = f"player {chance.below(8)}"
    if all(chair.who != who for chair in table.chairs):
        return table.sit(who, 50 + chance.below(500))
    if chance.below(3) == 0:
        return table.top_up(who, 1 + chance.below(200))
    wishes = ("plays", "waits", "pauses", "leaves")
    return table.wish(who, wishes[chance.below(4)])  # type: ignore[arg-type]  # one of the four


def facts(table: Table) -> tuple[Any, ...]:
    """Where everything is at a table."""
    chairs = [(chair.seat, chair.who, chair.chips, chair.state, chair.owes) for chair in table.chairs]
    return table.button, table.small, table.big, table.order, table.house, table.structure.key, chairs


def tables() -> str:
    """The marks of every table."""
    return "".join(f"{name} {' '.join(play_table(make(), Chance(7)))}\n" for name, make in TABLES.items())


# --- recorded hands


def play_record(poker: PokerType, chance: Chance) -> str:
    """The mark of a hand as PHH, and of what strict and lenient replay make of it, whole and cut short."""
    hand, happened = poker.start(len(poker.stacks), chance)
    while not hand.over:
        hand, events = hand.act(chance.choice(hand.legal()))
        happened += events
    record = record_hand(poker.stacks, hand, happened)
    cut = replace(record, actions=record.actions[:-2], finishing_stacks=None)
    ends = [replay(record).finishing_stacks, replay_leniently(record).finishing_stacks]
    try:
        ends.append(replay_leniently(cut).finishing_stacks)
    except PitbossError as error:
        return mark(write_phh(record).encode(), repr(ends).encode(), type(error).__name__.encode())
    return mark(write_phh(record).encode(), repr(ends).encode())


def records() -> str:
    """The marks of recorded hands of every poker game."""
    lines = []
    for setting, poker in POKERS:
        marks = [play_record(poker, Chance(seed)) for seed in range(HANDS)]
        lines.append(f"{poker.name}-{setting} {' '.join(marks)}\n")
    return "".join(lines)


# --- hands in full


def transcripts() -> str:
    """One hand of a few games, line for line."""
    parts = []
    for name in FULL:
        lines = [line.decode() for line in play(GAMES[name], 1)]
        parts.append(f"--- {name}\n" + "".join(f"{line}\n" for line in lines))
    return "".join(parts)


FILES: dict[str, Callable[[], str]] = {
    "poker": lambda: games(None),
    "sting": lambda: games("sting"),
    "lab": lambda: games("lab-"),
    "tables": tables,
    "records": records,
    "transcripts": transcripts,
}


def main(wanted: list[str]) -> None:
    """Write these files, or all."""
    for name in wanted or FILES:
        (FOLDER / f"{name}.txt").write_text(FILES[name](), encoding="utf-8", newline="\n")
        print(f"wrote {name}.txt")


if __name__ == "__main__":
    main(sys.argv[1:])
