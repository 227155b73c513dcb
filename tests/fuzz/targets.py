"""Everything that reads bytes from outside: a target may refuse its input, but only with our own errors."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from io import BufferedReader, BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from pitboss.arena.agents.endpoint import read_reply
from pitboss.arena.agents.models import parse_models
from pitboss.arena.agents.prompts import read_move, split_thought
from pitboss.arena.agents.thoughts import read_thoughts, sum_up
from pitboss.arena.connections.ratings import read_posted_rating
from pitboss.arena.equities import spots_of
from pitboss.arena.hosts.games import make_host
from pitboss.arena.journal.history import History
from pitboss.arena.journal.records import Lock, Settings, TableOpened, read_record, write_record
from pitboss.arena.rooms.cash import CashTable, open_match
from pitboss.arena.rooms.cash_document import read_posted
from pitboss.arena.rooms.recovery import recover
from pitboss.arena.verify.hands import read_hands
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire.answers import answer_of, read_answer
from pitboss.arena.wire.messages import Act, Action, Ask, write
from pitboss.arena.wire.messages import read as read_frame
from pitboss.arena.wire.poker import TableFrame, question
from pitboss.chance import Chance
from pitboss.cli.replay_page import read_page_hands
from pitboss.client.conversation import Conversation
from pitboss.client.turns import read_move as read_move_of_agent
from pitboss.competitions.settings import parse_settings
from pitboss.documents import join, merge, open_document, read_document, write_document
from pitboss.errors import PitbossError
from pitboss.formats.phh import read_phh, scan, write_phh
from pitboss.hand.game_file import parse_game, write_game
from pitboss.hand.hand import Hand
from pitboss.hand.rulebook import explain_game
from pitboss.histories import scan_stream
from pitboss.lab.evolution.archive import game_file, parse_archive
from pitboss.lab.files import read_genome, write_genome
from pitboss.lab.genome import problems
from pitboss.lab.ratings import add_rating, read_ratings
from pitboss.records.replay import replay
from pitboss.solver.files import read_spot, spot_fields, spot_from
from pitboss.solver.solution import read_solution
from pitboss.store import open_store
from pitboss.store.chain import Chain, read_chain, start_hash
from tests.support.formats.pokerstars import decode_pokerstars, scan_pokerstars

TABLE = "T-1"


def frame(data: bytes) -> None:
    """What a player sends; what is read is written again and read as the same."""
    message = read_frame(data)
    assert read_frame(write(message)) == message


def server_frame(data: bytes) -> None:
    """What a server sends to our client, which must survive any of it."""
    talk = Conversation("team", "code")
    talk.begin()
    for line in data.split(b"\n"):
        talk.receive(line)


def rating(data: bytes) -> None:
    """What a player posts about a game; what is accepted can be stored and is read again."""
    found = read_posted_rating(data).of("leduc")
    with TemporaryDirectory() as folder:
        add_rating(Path(folder), found)
        assert read_ratings(Path(folder)).given == (found,)


def record(data: bytes) -> None:
    """One record of a journal; what is read is written again and read as the same."""
    found = read_record(data)
    assert read_record(write_record(found)) == found


def journal(data: bytes) -> None:
    """A journal whose chain is in order and whose records say anything: it is refused or reported, never a crash."""
    chain = Chain(TABLE, start_hash(TABLE))
    lines = [line for line in data.split(b"\n") if line]
    entries = [chain.append(line[1:], seals=line[:1] == b"+") for line in lines]
    reading = read_chain(TABLE, entries, chain.head)
    verify_table(TABLE, reading)
    recover(TABLE, reading)


def journal_file(data: bytes) -> None:
    """The bytes of a journal's file: read by every command that reads one."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "pitboss.db")
        path.write_bytes(data)
        with open_store(str(path), read_only=True) as store:
            for table in store.tables():
                verify_table(table, store.read(table))
        read_page_hands(str(path), hand=None, play=replay, lenient=True)


def journal_hands(data: bytes) -> None:
    """The hands of a journal whose chain is in order: refused with one sentence, or written as PHH and as a page."""
    chain = Chain(TABLE, start_hash(TABLE))
    lines = [line for line in data.split(b"\n") if line]
    entries = [chain.append(line[1:], seals=line[:1] == b"+") for line in lines]
    for hand in read_hands(TABLE, read_chain(TABLE, entries, chain.head)):
        again = msgspec.json.decode(msgspec.json.encode(hand.replay()))
        spots_of(again)
        if (found := hand.phh()) is not None:
            write_phh(found)


def frames_page(data: bytes) -> None:
    """A record of frames, as `replay --html` shows it."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "match.jsonl")
        path.write_bytes(data)
        read_page_hands(str(path), hand=None, play=replay, lenient=True)


def archive(data: bytes) -> None:
    """The archive of a run of the lab; its files stay in their folder, whatever its games are called."""
    found = parse_archive(data, "archive.json")
    for cell in found.cells:
        name = game_file(cell)
        assert name == Path(name).name
        assert set(name) <= set("cel_-0123456789"), name


def ohh(data: bytes) -> None:
    """Hands in the format of Open Hand History."""
    list(scan_stream(BufferedReader(BytesIO(data)), "x.ohh", lenient=True, format="ohh"))


def transcript(data: bytes) -> None:
    """A transcript, as a participant could send it."""
    verify_transcript("somebody", data.decode(errors="replace").splitlines())


def phh(data: bytes) -> None:
    """A recorded hand; what is read is written, read and written as the same, and replayed or refused."""
    text = data.decode()
    list(scan(text))
    found = read_phh(text)
    text = write_phh(found)
    assert write_phh(read_phh(text)) == text
    with suppress(PitbossError):
        replay(found)


def pokerstars(data: bytes) -> None:
    """Hand histories as a site prints them."""
    for _, found in scan_pokerstars(decode_pokerstars(data)):
        if not isinstance(found, PitbossError):
            with suppress(PitbossError):
                replay(found)


def genome(data: bytes) -> None:
    """A game of the lab; what is read is written again and read as the same, and judged in sentences."""
    found = read_genome(data)
    assert read_genome(write_genome(found)) == found
    problems(found)


def poker_game(data: bytes) -> None:
    """A poker game as a file; what is read is written again, read as the same, explained and dealt."""
    found = parse_game(data.decode())
    assert parse_game(write_game(found)) == found
    explain_game(found)
    chance, stacks, bring_in = Chance(len(data)), (9,) * min(3, found.most_players), int(found.betting.bring_in)
    hand, _ = Hand.deal(found, stacks=stacks, ante=1, min_bet=2, bring_in=bring_in, seed=len(data))
    while not hand.over:
        hand, _ = hand.act(chance.choice(hand.legal()))


def models(data: bytes) -> None:
    """The settings of language models, in a file."""
    parse_models(data, "models.toml")


def completion(data: bytes) -> None:
    """What a language model's endpoint sends; any text in it is a legal move or refused."""
    act = _question()
    read_answer(read_move(split_thought(read_reply(data).text)[0], act), act)


def game_answer(data: bytes) -> None:
    """A language model's text in a game other than poker: it is a legal move or refused."""
    moves = ("play Ks", "play Kh", 3, {"type": "call"})
    ask = Ask(v=1, hand_id="H-1", seat=0, place=0, learned=(), legal=moves, time_ms=1, turn=1)
    read_answer(read_move(split_thought(data.decode(errors="replace"))[0], ask), ask)


def thoughts(data: bytes) -> None:
    """A file of what language models thought; what is read can be summed up."""
    sum_up(read_thoughts(data.splitlines()))


def shell_move(data: bytes) -> None:
    """A move as an agent writes it: it is legal, or refused with one sentence."""
    act = _question()
    message = read_move_of_agent(act, data.decode(errors="replace"), None)
    assert isinstance(message, Action)
    read_answer(answer_of(message), act)


@cache
def _question() -> Act:
    """A question of a hand of hold'em."""
    hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=1)
    return question(hand, (0, 1), hand_id="H-1", turn=1, time_ms=1000, frame=TableFrame(10, 20))


def merged(data: bytes) -> None:
    """A client's document put to a server's, in any name; the server's own stays one that can be read."""
    server = join(open_document(small_blind=1, big_blind=2, seat_count=6), "ann", 100)
    server = join(server, "bob", 200)
    author, _, text = data.decode(errors="replace").partition("\n")
    try:
        client: object = json.loads(text)
    except (ValueError, RecursionError):
        client = text
    result = merge(server, client, author, grant=50)
    assert read_document(write_document(result.document)) == result.document


@cache
def _cash_table() -> CashTable:
    """A cash table in the middle of a hand; it is only read."""
    settings = Settings(cash=True, min_buy_in=2_000, timeout_policy="check_fold")
    history = History(TABLE)
    history.take(TableOpened(rules="", settings=settings), over=True)
    table = open_match(history, make_host(settings))
    assert isinstance(table, CashTable)
    for team in ("ann", "bob"):
        table.sit(team, Lock.on("sesame", bytes(16)))
    table.start(bytes(32), "2026-11-15")
    return table


def posted(data: bytes) -> None:
    """A document posted to a cash table, in any name."""
    team, _, body = data.partition(b"\n")
    read_posted(_cash_table(), team.decode(errors="replace"), body)


def document(data: bytes) -> None:
    """A table's document out of a file."""
    found = read_document(data)
    assert read_document(write_document(found)) == found


def competition(data: bytes) -> None:
    """The settings of a competition; what is read has a game, and at least two deals."""
    settings = parse_settings(data, "cup.toml").settings
    assert settings.games.games
    assert settings.deals > 1


def spot(data: bytes) -> None:
    """A spot to solve, as SPOT.toml; what is read is written again and read as the same."""
    found = read_spot(data)
    again = spot_from(json.loads(json.dumps(spot_fields(found))))
    assert again.ranges == found.ranges
    assert spot_fields(again) == spot_fields(found)


def solution(data: bytes) -> None:
    """A saved solution; its strategies can be shown, and each hand's shares add up to one."""
    found = read_solution(BytesIO(data))
    for shares in found.root.strategy.values():
        assert abs(sum(shares.values()) - 1) < 1e-6, shares


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target
    for target in (
        *(frame, server_frame, record, journal, journal_file, journal_hands, transcript, frames_page),
        *(phh, ohh, pokerstars, genome, poker_game, archive, merged, posted, document, models, completion),
        *(competition, thoughts, shell_move, game_answer, spot, solution, rating),
    )
}


def try_target(name: str, data: bytes) -> None:
    """Give bytes to a target; only what is wrong with the target is raised."""
    with suppress(PitbossError, UnicodeDecodeError):
        TARGETS[name](data)
