"""After `kill -9` a journal loses its end, by one flipped bit or all of it: the server reports that, and what was lost.

A real server plays with three bots and is killed; then its files are damaged in every way, and a server is started on
each copy. It may refuse, or void the open hand, and must say what is gone; only if everything that a bot has received
is still there may it say that chips are audited.
"""

import asyncio
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import aiohttp
import pytest
from msgspec import Struct

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.tables import OpeningError, RoomSetup, open_tables
from pitboss.store import StoreError, open_store
from tests.arena.kills import FrameCount, Hasty, Shape
from tests.support.arena.servers import THREE, Process, refused, within

pytestmark = pytest.mark.check

SHAPE = Shape(tables=2, seats=3)
HEAD, FRAME, PAGE = 32, 24, 4096
"""How the write-ahead file is made up: its head, then frames of a head and a page."""
ENOUGH = 200
"""Frames of the write-ahead file that several hands leave there."""


class Killed(Struct):
    """The remains of a killed server: its files, and the frames that the bots of each table had received."""

    folder: Path
    heard: dict[str, int]

    def copy(self, to: Path) -> Path:
        """Put all of it elsewhere, to be damaged."""
        shutil.copytree(self.folder, to)
        return to / "arena.db"


def play_and_kill(folder: Path, frames: int, *, seed: int, db_copy_at: int | None = None) -> Killed:
    """Serve two tables in another process, let bots receive this many frames, and kill it."""
    chance, heard = Random(seed), FrameCount()
    bots = [
        Hasty(f"{table} {k}", Random(chance.random()), SHAPE, heard, table=table)
        for table in ("T-1", "T-2")
        for k in range(3)
    ]

    async def scene() -> None:
        process = await asyncio.to_thread(Process, folder, *SHAPE.options)
        async with aiohttp.ClientSession() as session:
            playing = [asyncio.create_task(bot.play(session, process)) for bot in bots]
            try:
                if db_copy_at is not None:
                    await heard.reach(db_copy_at)
                    await asyncio.to_thread(back_up, folder / "arena.db", folder / "old.db")
                heard.victim, heard.last = process, frames
                await heard.reach(frames)
            finally:
                process.kill()
            await asyncio.gather(*playing)

    within(scene(), bound=120)
    last = {table: max(seq for bot in bots if bot.table == table for seq in bot.frames) for table in ("T-1", "T-2")}
    return Killed(folder, last)


def back_up(db: Path, copy: Path) -> None:
    """Copy a journal in use, as the docs say, without its witness."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(db)) as there, closing(sqlite3.connect(copy)) as here:
        there.backup(here)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """A server killed after some hands; nothing was moved out of the write-ahead file yet."""
    return play_and_kill(tmp_path_factory.mktemp("killed") / "", 900, seed=1)


@pytest.fixture(scope="module")
def killed_late(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """A server killed after a thousand pages were moved into the journal, with a copy from before that next to it.

    The number of pages per hand depends on how busy the machine is. If they were moved just before the kill, the
    write-ahead file contains very little of the journal, and another server is killed a little later.
    """
    for more in range(5):
        killed = play_and_kill(tmp_path_factory.mktemp("late") / "", 6000 + 500 * more, seed=2, db_copy_at=2000)
        if frames_of(killed.folder / "arena.db-wal") >= ENOUGH:
            return killed
    raise AssertionError("five times next to nothing was left in the write-ahead file")


def start(db: Path, killed: Killed) -> str:
    """Start a server's tables on a journal and return its reports, after checking that they are true."""
    setup = RoomSetup(day=lambda: "2026-11-15")
    try:
        with open_store(str(db)) as store:
            opened = open_tables(store, setup, Settings(seats=3), named=())
            said = "\n".join(opened.report)
            for table, room in opened.rooms.items():
                assert room.match.seq >= killed.heard[table], f"{table} is rewound without a word: {said}"
            whole = {table for table in opened.rooms if f"{table}: LOST" not in said}
    except (StoreError, OpeningError) as refusal:
        return f"refused: {refusal}"
    assert len(re.findall("chips audited", said)) == len(whole), said
    for table in killed.heard.keys() - whole:
        assert re.search(rf"{table}: .*LOST: .* players received everything up to entry \d+ \(\d+ lost\)", said), said
    return said


def frames_of(wal: Path) -> int:
    """The number of valid frames in a write-ahead file; the old ones after them have another salt in their headers."""
    written = wal.read_bytes()
    salt, starts = written[16:24], range(HEAD, len(written) - FRAME - PAGE + 1, FRAME + PAGE)
    return next((count for count, at in enumerate(starts) if written[at + 8 : at + 16] != salt), len(starts))


def places(wal: Path, chance: Random) -> Iterator[int]:
    """A byte in every region: the file's head, and each frame's head and the begin, middle and end of its page."""
    yield from (0, 5, 12, 17, 22, 30)
    for frame in range(HEAD, HEAD + frames_of(wal) * (FRAME + PAGE), FRAME + PAGE):
        yield frame + chance.randrange(FRAME)
        for region in range(4):
            yield frame + FRAME + region * (PAGE // 4) + chance.randrange(PAGE // 4)


def flip(file: Path, at: int, bit: int) -> None:
    """Change one bit."""
    with file.open("r+b") as opened:
        opened.seek(at)
        (byte,) = opened.read(1)
        opened.seek(at)
        opened.write(bytes((byte ^ 1 << bit,)))


@pytest.mark.check
def test_undamaged_journal_is_complete(tmp_path: Path, killed: Killed, killed_late: Killed) -> None:
    for number, world in enumerate((killed, killed_late)):
        said = start(world.copy(tmp_path / str(number)), world)
        assert "LOST" not in said
        assert "WITNESS" not in said
        assert said.count("chips audited") == 2


@pytest.mark.check
@pytest.mark.parametrize("which", ["killed", "killed_late"])
def test_one_flipped_bit_in_the_write_ahead_file_never_rewinds_a_match_unnoticed(
    tmp_path: Path, which: str, request: pytest.FixtureRequest
) -> None:
    world: Killed = request.getfixturevalue(which)
    chance = Random(5)
    everywhere = list(places(world.folder / "arena.db-wal", chance))
    outcomes = {"refused": 0, "lost": 0, "whole": 0}
    for number, at in enumerate(sorted(chance.sample(everywhere, min(len(everywhere), 120)))):
        db = world.copy(tmp_path / str(number))
        flip(db.with_name("arena.db-wal"), at, chance.randrange(8))
        said = start(db, world)
        outcomes["refused" if said.startswith("refused") else "lost" if "LOST" in said else "whole"] += 1
        shutil.rmtree(db.parent)
    assert outcomes["refused"] + outcomes["lost"] > 50, outcomes


def cut(db: Path) -> None:
    """Lose the second half of the write-ahead file."""
    wal = db.with_name("arena.db-wal")
    os.truncate(wal, HEAD + frames_of(wal) // 2 * (FRAME + PAGE))


def lose_a_frame(db: Path) -> None:
    """Lose the last commit."""
    wal = db.with_name("arena.db-wal")
    os.truncate(wal, HEAD + (frames_of(wal) - 1) * (FRAME + PAGE))


def delete(db: Path) -> None:
    """Lose the write-ahead file."""
    db.with_name("arena.db-wal").unlink()


def go_back(db: Path) -> None:
    """Put an old copy of the journal in its place."""
    delete(db)
    db.with_name("arena.db-shm").unlink(missing_ok=True)
    os.replace(db.with_name("old.db"), db)
    db.chmod(0o600)


@pytest.mark.parametrize("damage", [cut, delete, go_back], ids=lambda damage: damage.__name__)
def test_lost_end_refuses_the_tables_and_names_the_loss(
    tmp_path: Path, killed_late: Killed, damage: Callable[[Path], None]
) -> None:
    db = killed_late.copy(tmp_path / "copy")
    damage(db)
    said = start(db, killed_late)
    assert re.match(
        r"refused: T-\d: its finished part is LOST: the journal ends with entry \d+, but players received "
        r"everything up to entry \d+ \(\d+ lost\); the rest ends in hand \d+\. Restore ",
        said,
    ), said
    status, printed = refused(db.parent, *THREE)  # and the real command
    assert status == 1
    assert "its finished part is LOST" in printed
    assert "chips audited" not in printed
    db.with_name("arena.db-witness").unlink()  # as it says: to go on as if the rest had never been
    with open_store(str(db)) as store:
        assert "THE WITNESS IS MISSING" in store.notices[0]
        assert all(store.read(table).torn_at is None for table in store.tables())


def test_empty_journal_with_witness_is_not_restarted(tmp_path: Path, killed: Killed) -> None:
    db = killed.copy(tmp_path / "copy")
    delete(db)
    said = start(db, killed)
    assert re.match(r"refused: .* is empty, but players received T-1 up to entry \d+.* according to its witness", said)
    db.unlink()
    assert "is empty, but players received" in start(db, killed)
    status, printed = refused(db.parent, *THREE)
    assert (status, "is empty, but players received" in printed) == (1, True)


@pytest.mark.parametrize("size", [0, 1, 100, 1000, -1])
def test_truncated_witness_is_reported(tmp_path: Path, killed: Killed, size: int) -> None:
    db = killed.copy(tmp_path / "copy")
    witness = db.with_name("arena.db-witness")
    os.truncate(witness, size % witness.stat().st_size)
    said = start(db, killed)
    assert "THE WITNESS IS DAMAGED" in said
    assert db.with_name("arena.db-witness-aside").exists()
    assert "WITNESS" not in start(db, killed), "once is enough: a new one was begun"


def test_missing_or_foreign_witness_is_reported(tmp_path: Path, killed: Killed, killed_late: Killed) -> None:
    db = killed.copy(tmp_path / "copy")
    shutil.copy(killed_late.folder / "arena.db-witness", db.with_name("arena.db-witness"))
    assert "THE WITNESS BELONGS TO ANOTHER JOURNAL" in start(db, killed)
    assert "WITNESS" not in start(db, killed)
    db.with_name("arena.db-witness").unlink()
    assert "THE WITNESS IS MISSING" in start(db, killed)
    assert "WITNESS" not in start(db, killed)


def test_last_commit_lost_in_an_open_hand_voids_the_hand_and_reports_it(tmp_path: Path, killed: Killed) -> None:
    """Cut off commit after commit: sooner or later an open hand loses only its own."""
    voided = 0
    for number in range(12):
        db = killed.copy(tmp_path / str(number))
        for _ in range(1 + number):
            lose_a_frame(db)
        said = start(db, killed)
        for table in re.findall(r"(T-\d): LOST: the journal ends with entry \d+, .* lost\); hand \d+ is void", said):
            voided += 1
            assert re.search(rf"^{table}: resumed between hands, .* chips audited$", start(db, killed), re.MULTILINE)
    assert voided
