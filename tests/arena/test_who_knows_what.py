"""Who knows what in the arena: rooms know no game, sockets are in one file, and the protocol's words have one home."""

import re
from pathlib import Path

import pytest

import pitboss.arena
from tests.support.for_each import for_each

ARENA = Path(pitboss.arena.__file__).parent
POKER = (
    "fold check call raise bet blind blinds hole holes board pot pots chip chips deck flop river showdown button stack"
)
WORDS = ("FOLD", "CHECK", "CALL", "RAISE_TO", "POST_BLINDS", "POT_AWARD", "SHOWDOWN", "PRE_FLOP")


def words_of(file: str) -> set[str]:
    """Every word of a file but Python's own `raise`, also within names: `pot_award` is two."""
    text = re.sub(r"^\s*raise\b", "", (ARENA / file).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return set(re.findall(r"[a-z]+", text.lower()))


@pytest.mark.parametrize("file", ["rooms/room.py", "rooms/output.py"])
def test_a_room_names_no_poker_action(file: str) -> None:
    assert words_of(file) & set(POKER.split()) == set()


def test_the_server_its_connections_and_endpoints_are_all_that_waits() -> None:
    waiting = [
        path.relative_to(ARENA).as_posix()
        for path in ARENA.rglob("*.py")
        if "async def" in path.read_text(encoding="utf-8")
    ]
    others = [file for file in sorted(waiting) if not file.startswith("connections/")]
    assert others == ["agents/endpoint.py", "agents/player.py", "doctor/endpoint.py", "server.py"]


def test_hosts_are_not_tested_for_their_type() -> None:
    """No branch depends on it; code for poker alone, or for other games alone, may tell the type checker so."""
    asking = [
        f"{path.relative_to(ARENA)}: {line.strip()}"
        for path in sorted(ARENA.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"isinstance\([^)]*(\bhost\b|Host\b)", line)
        and not re.fullmatch(r"\s*assert isinstance\(host, (PokerHost|MovesHost)\)(  # .+)?", line)
    ]
    assert asking == []


def test_record_types_are_known_only_to_three_modules() -> None:
    """All other readers of a journal use `read_entries`: a new kind of record changes only these files."""
    matching = [
        path.relative_to(ARENA).as_posix()
        for path in sorted(ARENA.rglob("*.py"))
        if re.search(r"case .*\bMatchEnded\(\)", path.read_text(encoding="utf-8"))
    ]
    assert matching == ["journal/history.py", "rooms/match.py", "rooms/messages.py", "verify/journal.py"]


@for_each("word", WORDS)
def test_hosts_leave_wire_messages_to_v1(word: str) -> None:
    hosts = [ARENA / "server.py", ARENA / "bots" / "house.py"]
    hosts += [path for room in ("hosts", "journal", "rooms") for path in sorted((ARENA / room).glob("*.py"))]
    found = [path.name for path in hosts if re.search(rf"\b{word}\b", path.read_text(encoding="utf-8"))]
    assert found == []
