"""The first bytes of each target, from what the project itself writes: `python -m tests.fuzz.first` adds them."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from pitboss.arena.protocol.page import EXAMPLES
from pitboss.arena.wire.messages import ClientMessage, write
from pitboss.competitions.settings import EXAMPLE
from pitboss.documents import join, next_hand, open_document, write_document
from pitboss.formats.ohh.writer import write_ohh
from pitboss.formats.phh import read_phhs, write_phh
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.hand.game_file import write_game
from pitboss.hand.games import STRUCTURES, file_games
from pitboss.lab.evolution.archive import ARCHIVE, Cell, GameArchive, Recipe, write_archive
from pitboss.lab.files import known_games, known_text, load
from pitboss.lab.measures.figures import Measure
from pitboss.solver.engine import STORAGES, Engine
from pitboss.solver.files import NEW_SPOT, SavedFigures, read_spot, save_engine
from pitboss.store import Entry, open_store
from tests.fuzz.corpus import read_corpus, write_corpus
from tests.fuzz.targets import TARGETS, try_target

ROOT = Path(__file__).resolve().parents[2]
JOURNALS = ROOT / "tests" / "golden" / "journals"


MODELS = b"""
[models.big]
base_url = "https://models.example/v1/"
model = "big-1"
key_env = "KEY"
temperature = 0.5
max_tokens = 400
timeout_s = 20
budget_usd = 1.5
price_in = 3
price_out = 15
"""
COMPETITIONS = (
    b"""
form = "table_round_robin"
game = "horse"
seats = 3
hands = 60
match_time_s = 30
entrants = [
    { name = "a", house = "calling" },
    { name = "b", house = "folding" },
    { name = "c", llm = "local" },
]
""",
    b"""
form = "swiss"
rounds = 1
stop_when_decided = true
rank_by = "wins"
[[entrants]]
name = "a"
house = "random"
[[entrants]]
name = "b"
command = "true --quick"
""",
)
SPOTS = (
    b"""
oop = "AA,QQ"
ip = { KK = 0.5, "AhJh" = 1 }
board = "2c2d7h8s9c"
pot = 100
stack = 200
rake = [5, 3]
sizes = { river = { oop = "50%, a", ip = "94c/2.5x" }, max_raises = 2, all_in_threshold = 0.8 }
""",
    b"""
oop = "[50]JJ[/50]"
ip = "87s"
board = "Ts 9s 6h 7d Ac"
pot = 10
stack = 50
game = "short_deck_holdem"
icm = { stacks = [50, 80, 20], payouts = [50, 30] }
sizes = "e"
""",
)


def first_inputs() -> dict[str, list[bytes]]:
    """What a well-meaning other side sends."""
    bodies: list[bytes] = []
    journals: list[bytes] = []
    for path in sorted(JOURNALS.glob("*.db")):
        with open_store(str(path), read_only=True) as store:
            for table in store.tables():
                entries = store.read(table).entries
                bodies += [entry.body for entry in entries[:40]]
                lines = [b"+-"[not entry.seals :][:1] + entry.body for entry in entries]
                journals += [b"\n".join(lines[:size]) for size in (2, 4, 8, 16)]
    sent = [path.read_bytes() for path in sorted(JOURNALS.glob("*.alpha.jsonl"))]
    frames = [line for text in sent for line in text.splitlines()]
    seated = join(join(open_document(small_blind=1, big_blind=2, seat_count=6), "ann", 100), "bob", 100)
    opened = open_document(small_blind=1, big_blind=2, seat_count=6, game="crazy_pineapple")
    documents = [write_document(table) for table in (seated, next_hand(seated), opened)]
    wishes = [{"players": ["ann"], "_intents": [2]}, {"_apiIntent": 1, "players": ["cat"], "seats": [3]}, {}, []]
    hands = [hand for _, hand in read_phhs((JOURNALS / "finished.phhs").read_text(encoding="utf-8"))][:10]
    return {
        "frame": [
            write(example).encode() for example in EXAMPLES.values() if isinstance(example, get_args(ClientMessage))
        ],
        "server_frame": [*frames[:60], b"\n".join(frames[:30])],
        "record": bodies,
        "journal": journals,
        "journal_file": small_journals(entries),
        "journal_hands": journals,
        "frames_page": [b"\n".join(frames[:size]) for size in (3, 6, 10)],
        "archive": small_archives(),
        "ohh": [write_ohh(hand).encode() for hand in hands],
        "transcript": [b"\n".join(frames[:size]) for size in (3, 10, 30)],
        "phh": [write_phh(hand).encode() for hand in hands],
        "pokerstars": [write_pokerstars(hand).encode() for hand in hands],
        "genome": [known_text(game).encode() for game in known_games()],
        "poker_game": [write_game(game).encode() for game in (*STRUCTURES.values(), *file_games())],
        "merged": [f"ann\n{json.dumps(wish)}".encode() for wish in wishes] + [b"bob\n" + text for text in documents],
        "posted": [f"ann\n{json.dumps(wish)}".encode() for wish in wishes[:3]]
        + [b"bob\n" + text for text in documents],
        "document": documents,
        "models": [MODELS, b"[models.a]\nbase_url = 'http://[::1]/v1'\nmodel = 'm'\n", b"[models]\n"],
        "completion": [
            json.dumps({"choices": [{"message": {"content": text}}], "usage": {"prompt_tokens": 1}}).encode()
            for text in ("Final answer: 2", "raise to 120", '{"action": "CALL"}')
        ]
        + [b'data: {"choices": [{"delta": {"content": "call"}}]}\n\ndata: [DONE]\n'],
        "competition": [EXAMPLE.encode(), *COMPETITIONS],
        "thoughts": [
            b'{"name":"m","hand_id":"H-1","turn":1,"move":"check","reasoning":"why not","ms":5,"tokens_in":9}\n',
            b'{"name":"m","hand_id":"","turn":1,"move":"","reasoning":"","ms":0,"usd":1e300}\n' * 2,
            b"",
        ],
        "shell_move": [b"CALL", b"fold", b'[{"action":"CALL","p":0.25},{"action":"FOLD","p":0.75}]'],
        "game_answer": [b"Final answer: 2", b"Kh", "play K♠ 60%, 3 40%".encode(), b'{"move": "play Ks"}'],
        "spot": [NEW_SPOT.encode(), *SPOTS],
        "solution": small_solutions(),
        "rating": [
            b'{"team":"Gamma","code":"KF7Q9C","stars":4,"word":"quick"}',
            b'{"team":"a","code":"b","stars":1}',
            b'{"team":"G\\u00e4mma","code":"x","stars":5,"word":" \\ud83c\\udccf fun "}',
        ],
    }


def small_journals(entries: Sequence[Entry]) -> list[bytes]:
    """The files of journals that hold the first entries of a table."""
    found = []
    with TemporaryDirectory() as folder:
        for size in (1, 2, 3):
            path = Path(folder, f"{size}.db")
            with open_store(str(path)) as store:
                store.claim(entries[0].table)
                store.append(entries[:size])
            with closing(sqlite3.connect(path)) as connection:
                for pragma in ("journal_mode = DELETE", "page_size = 512"):
                    connection.execute(f"PRAGMA {pragma}")
                connection.execute("VACUUM")
            found.append(path.read_bytes())
    return found


def small_solutions() -> list[bytes]:
    """Solutions of small spots before the first iteration, in each form of storage."""
    found = []
    with TemporaryDirectory() as folder:
        for number, (text, storage) in enumerate(product(SPOTS, STORAGES)):
            path = Path(folder, f"{number}.npz")
            save_engine(Engine(read_spot(text), storage).allocate(), SavedFigures(0, 0.0, 1.0, number % 2 == 0), path)
            found.append(path.read_bytes())
        locks = [("", {"*": {"check": 1.0}})]
        save_engine(Engine(read_spot(SPOTS[0])).allocate(), SavedFigures(1, 0.0, 1.0, True, locks), path)
        found.append(path.read_bytes())
    return found


def small_archives() -> list[bytes]:
    """Archives of a run with one game each."""
    found = []
    with TemporaryDirectory() as folder:
        for name in ("kuhn", "war", "highest_card"):
            cell = Cell(cell=(1, 2), genome=load(name), measures={"skill": Measure(0.5, 0.4, 0.6)})
            write_archive(Path(folder), GameArchive(recipe=Recipe(founders=(load(name),)), cells=(cell,)))
            found.append(Path(folder, ARCHIVE).read_bytes())
    return found


def main() -> None:
    """Add them to the kept inputs."""
    for target, inputs in first_inputs().items():
        assert target in TARGETS
        for data in inputs:
            try_target(target, data)
        write_corpus(target, {*read_corpus(target), *inputs})
        print(target, len(read_corpus(target)))


if __name__ == "__main__":
    main()
