"""Every structure of poker at a table of the arena: served, killed, taken up, verified, exported, in v1's words."""

import json
from itertools import groupby
from pathlib import Path

import aiohttp
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from pitboss.arena.bots import HOUSE, why_not
from pitboss.arena.hosts.games import find_places, full_name, make_host
from pitboss.arena.hosts.poker import PokerHost, frame_of, game_of, phh_of
from pitboss.arena.journal.commitment import shuffle
from pitboss.arena.journal.history import HistoryError, hands_of
from pitboss.arena.journal.records import Acted, HandStarted, Settings, SettingsError, read_record
from pitboss.arena.rooms.messages import TableMessages
from pitboss.arena.rooms.recovery import recover
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.poker import snapshot_between
from pitboss.betting.events import Call, Check
from pitboss.cli.main import cli
from pitboss.formats.phh import read_phhs, write_phhs
from pitboss.hand.games import NO_LIMIT_HOLDEM, PHH_CODES, STRUCTURES
from pitboss.hand.structure import Structure
from pitboss.records.replay import replay
from pitboss.store import open_store
from pitboss.table.mixed import MIXED, games_of
from tests.support.arena.matches import played
from tests.support.arena.poker import act, hand_of, host_of, open_match, structure_of
from tests.support.arena.servers import Place, refused, served, tables_of, visit, within
from tests.support.for_each import for_each
from tests.support.laws.kinds import a_game_of_each_kind
from tests.support.records.recorded_hands import pokerkit
from tests.support.twin.pokerkit_pots import habits_that_matter

ALL = list(STRUCTURES.values())
STANDARD = [STRUCTURES[code] for code in PHH_CODES]
HANDS = 8


def name_of(structure: Structure) -> str:
    return structure.key


@pytest.mark.check
@pytest.mark.parametrize("structure", ALL, ids=name_of)
@pytest.mark.parametrize("seats", [2, 4])
def test_match_verifies_from_journal_and_transcript(structure: Structure, seats: int) -> None:
    match = played(3, seats=seats, game=structure.key, hands=12)
    report = verify_table("T-1", match.reading)
    assert (report.ok, report.hands) == (True, match.match.history.hands), report.problems
    sent = verify_transcript("me", match.frames)
    assert (sent.ok, sent.decks_checked) == (True, report.hands), sent.problems
    assert sent.cards_opened > 0
    kinds = {type(wire.read_server(frame)) for frame in match.frames}
    assert {wire.Act, wire.Showdown, wire.BetMessage} | own_kinds(structure) <= kinds


def own_kinds(structure: Structure) -> set[type[wire.ServerMessage]]:
    """The events that games of this kind have, and others not."""
    if structure.betting.bring_in:
        return {wire.PostAntes, wire.UpCard, wire.BringIn}
    if structure.draws:
        return {wire.PostBlinds, wire.DrawMessage}
    return {wire.PostBlinds, wire.Flop, wire.TurnCard, wire.RiverCard}


@for_each("structure", ALL, ids=name_of)
def test_forged_card_is_detected(structure: Structure) -> None:
    match = played(3, seats=3, game=structure.key, hands=12)
    at, frame = next((k, frame) for k, frame in enumerate(match.frames) if '"opened":[{' in frame)
    card = json.loads(frame)["opened"][0]["card"]
    other = next(card_ for card_ in structure.deck if card_ != card)
    lie = [*match.frames[:at], frame.replace(f'"{card}"', f'"{other}"'), *match.frames[at + 1 :]]
    assert not verify_transcript("me", lie).ok


@for_each("structure", ALL, ids=name_of)
def test_an_exported_hand_replays_to_the_stacks_the_journal_has(structure: Structure) -> None:
    hands = list(hands_of("T-1", played(5, seats=4, game=structure.key, hands=12).entries))
    text = write_phhs([phh_of(hand, "T-1", structure, frame_of(games_of(structure), hand.settings)) for hand in hands])
    again = [replay(record) for _, record in read_phhs(text)]
    stacks = [tuple(hand.stacks[seat] for seat in hand.order) for hand in hands]
    assert [one.finishing_stacks for one in again] == stacks
    assert again


@pytest.mark.check
@pytest.mark.parametrize("structure", STANDARD, ids=name_of)
def test_pokerkit_replays_an_exported_hand_to_the_same_stacks(structure: Structure) -> None:
    """All that it has a code for, but for pots that it shares in another way."""
    hands = hands_of("T-1", played(5, seats=4, game=structure.key, hands=12).entries)
    records = [phh_of(hand, "T-1", structure, frame_of(games_of(structure), hand.settings)) for hand in hands]
    compared = [record for record in records if not habits_that_matter(replay(record).hand)]
    assert [pokerkit(record).stacks for record in compared] == [record.finishing_stacks for record in compared]
    assert len(compared) > 2


@for_each("structure", ALL, ids=name_of)
def test_a_hand_that_was_broken_off_is_taken_up_where_it_was(structure: Structure) -> None:
    match = played(7, seats=4, game=structure.key, hands=5, ended=False)
    hand = hand_of(match.match)
    assert hand is not None
    match.append(act(match.match, Call() if hand.offer.call is not None else Check()))
    recovered = recover("T-1", match.reading)
    assert recovered.tear is None
    assert recovered.match.underway
    assert hand_of(recovered.match) == hand_of(match.match)
    assert recovered.turn == match.entries[-1].seq
    question = recovered.messages.question(recovered.turn, 1000)
    assert question == TableMessages(match.match).question(recovered.turn, 1000)


@for_each("structure", ALL, ids=name_of)
def test_ruling_A9c_other_games_carry_their_phh_code(structure: Structure) -> None:
    match = open_match(Settings(game=structure.key))
    expected = "HUNL" if structure is NO_LIMIT_HOLDEM else structure.code
    assert TableMessages(match).welcome(0).config.variant == expected
    assert full_name(structure.code) == full_name(structure.code.lower()) == structure.key


def test_omaha_deals_four_cards_and_pot_limit_bounds_a_raise() -> None:
    match = open_match(Settings(game="pot_limit_omaha", seats=2))
    match.sit("A", None)
    match.sit("B", None)
    match.start(bytes(32), "2026-11-15")
    question = TableMessages(match).question(1, 1000)
    assert isinstance(question, wire.Act)
    assert len(question.you.hole) == 4
    assert (question.min_raise_to, question.max_raise_to) == (200, 300)


def test_limit_bets_are_the_big_blind_and_from_the_turn_on_twice_that() -> None:
    match = open_match(Settings(game="FT", seats=2))
    match.sit("A", None)
    match.sit("B", None)
    match.start(bytes(32), "2026-11-15")
    bets: dict[str, int | None] = {}
    while match.underway:
        question = TableMessages(match).question(1, 1000)
        assert isinstance(question, wire.Act)
        assert question.min_raise_to == question.max_raise_to
        bets.setdefault(question.phase, question.min_raise_to)
        hand = hand_of(match)
        assert hand is not None
        act(match, Check() if hand.offer.check else Call())
    assert bets == {"PRE_FLOP": 200, "FLOP": 100, "TURN": 200, "RIVER": 200}


def test_reopening_is_a_setting_of_the_table_and_is_sent() -> None:
    match = open_match(Settings(reopening="cumulative"))
    assert TableMessages(match).welcome(0).config.reopening == "cumulative"
    assert TableMessages(open_match(Settings())).welcome(0).config.reopening is None
    assert isinstance(match.host, PokerHost)
    structure = structure_of(match.settings)
    assert structure is not None
    assert structure.betting.reopening.name == "CUMULATIVE"
    assert structure == match.host.table.structure


@pytest.mark.parametrize("name", ["reopening", "timeout_policy"])
def test_invalid_setting_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name}: expected .* or .*, got 'sometimes'"):
        Settings(**{name: "sometimes"})  # type: ignore[arg-type]  # what a careless caller gives


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (Settings(game="chess"), "no game is called 'chess'"),
        (Settings(game="sting"), "seats: expected 3 for sting, got 6"),
        (Settings(game="sting", seats=3, reopening="always"), "reopening: sting does not have this setting"),
    ],
)
def test_a_table_that_cannot_be_played_is_refused_in_a_sentence(settings: Settings, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        make_host(settings)


@for_each("structure", ALL, ids=name_of)
def test_house_bot_plays_a_structure_or_gives_the_reason(structure: Structure) -> None:
    able = [bot for bot in HOUSE if why_not(bot, [structure]) is None]
    assert {"calling", "random", "folding"} <= set(able)
    assert (set(able) == set(HOUSE)) == (structure.code in ("NT", "PT", "FT"))


# --- mixed games


@pytest.mark.parametrize("name", MIXED)
def test_mixed_games_change_by_orbit_and_every_hand_names_its_game(name: str) -> None:
    match = played(4, seats=3, game=name, hands=3 * len(MIXED[name].games) + 2)
    assert TableMessages(match.match).welcome(0).config.variant == name
    starts = [json.loads(frame) for frame in match.frames if '"type":"start_hand"' in frame]
    order = ["HUNL" if game.structure.code == "NT" else game.structure.code for game in MIXED[name].games]
    variants = [start["variant"] for start in starts]
    assert [one for one, _ in groupby(variants)] == (order * 2)[: len([*groupby(variants)])]
    assert len(set(variants)) > 3
    acts = [json.loads(frame) for frame in match.frames if '"type":"act"' in frame]
    by_hand = {start["hand_id"]: start["variant"] for start in starts}
    assert acts
    assert all(act["table"]["variant"] == by_hand[act["hand_id"]] for act in acts)
    assert all(("bring_in" in act["table"]) == (act["table"]["variant"] in ("FR", "F7S", "F7S/8")) for act in acts)


@pytest.mark.parametrize("name", MIXED)
def test_mixed_games_verify_export_and_are_taken_up_where_they_were(name: str) -> None:
    match = played(4, seats=3, game=name, hands=20)
    report = verify_table("T-1", match.reading)
    assert report.ok, report.problems
    assert verify_transcript("me", match.frames).ok
    starts = [at for at, frame in enumerate(match.frames) if '"type":"start_hand"' in frame]
    came_later = verify_transcript("me", [match.frames[0], *match.frames[starts[4] :]])
    assert (came_later.problems, came_later.hands) == ([], len(starts) - 4)
    games = games_of(name)
    for hand in hands_of("T-1", match.entries):
        structure = game_of(games, hand.started.variant).structure
        record = phh_of(hand, "T-1", structure, frame_of(games, hand.settings, hand.started.variant))
        assert replay(record).finishing_stacks == record.finishing_stacks
    broken_off = played(4, seats=3, game=name, hands=11, ended=False)
    recovered = recover("T-1", broken_off.reading)
    assert recovered.tear is None
    assert hand_of(recovered.match) == hand_of(broken_off.match)


# --- the command


@pytest.mark.check
@pytest.mark.parametrize("structure", a_game_of_each_kind(STANDARD))
def test_a_table_is_served_killed_taken_up_verified_and_exported(structure: Structure, tmp_path: Path) -> None:
    table = f"--game {structure.code} --seats 3 --start-at 3 --stack 1000000"
    options = f"{table} --house calling,folding,calling --house-think-ms 0".split()
    with served(tmp_path, *options) as first:
        within(watch(first, HANDS))
        first.kill()
    before = hands_in(first.db)
    with served(tmp_path, *options) as again:
        assert "T-1: resumed " in again.said
        assert "keeps its settings" not in again.said
        tables = within(listed(again))
        assert tables == [structure.code if structure is not NO_LIMIT_HOLDEM else "HUNL"]
        within(watch(again, HANDS))
        assert again.end() == 0
    run = CliRunner()
    checked = run.invoke(cli, ["arena", "verify", str(again.db), "--json"])
    report = json.loads(checked.stdout)
    assert (report["ok"], report["voided"]) == (True, 0), report
    exported = run.invoke(cli, ["arena", "export", str(again.db), str(tmp_path / "hands")])
    assert exported.exit_code == 0, exported.output
    records = [record for _, record in read_phhs((tmp_path / "hands" / "T-1.phhs").read_text(encoding="utf-8"))]
    assert len(records) == report["hands"] >= before + HANDS
    assert {record.variant for record in records} == {structure.code}
    assert all(replay(record).finishing_stacks == record.finishing_stacks for record in records)


async def listed(place: Place) -> list[str]:
    """The variants of a server's tables."""
    async with aiohttp.ClientSession() as session:
        return [table["config"]["variant"] for table in await tables_of(session, place)]


def hands_in(db: Path) -> int:
    with open_store(str(db), read_only=True) as store:
        return sum(1 for _ in hands_of("T-1", store.read("T-1").entries))


async def watch(place: Place, hands: int) -> None:
    """Watch until this many more hands are over."""
    async with visit(place.watch()) as spectator:
        for _ in range(hands):
            await spectator.receive("end_hand")


@for_each(
    "options, sentence",
    [
        (("--game", "bridge"), "no game is called 'bridge': there are no_limit_holdem, limit_holdem, "),
        (("--game", "omaha", "--house", "sharp"), "the house bot sharp plays hold'em with the full deck only"),
        (("--game", "sting", "--house", "tight"), "the house bot tight does not play sting: take random or opponent"),
        (("--game", "sting", "--seats", "4"), "seats: expected 3 for sting, got 4"),
        (("--reopening", "never"), "'never' is not one of 'single', 'cumulative', 'always'"),
    ],
)
def test_unservable_games_are_refused(options: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    status, said = refused(tmp_path, *options)
    assert status == 2
    assert sentence in " ".join(said.split())


def test_eliminated_player_has_lost_no_chip_of_the_table() -> None:
    match = played(3, seats=4, hands=40)
    host = host_of(match.match)
    hands = [*hands_of("T-1", match.reading.entries)]
    assert any(0 in hand.stacks.values() for hand in hands)
    assert [fault for hand in hands for fault in host.faults(hand)] == []
    last = hands[-1]
    one, other, *_ = last.stacks
    both = last.stacks[one] + last.stacks[other]
    for stacks in ({**last.stacks, one: last.stacks[one] + 1}, {**last.stacks, one: -1, other: both + 1}):
        assert [*host.faults(replace(last, stacks=stacks))] == ["chips were lost or created"]


@for_each(
    "game, ante, antes",
    [
        ("no_limit_holdem", None, (None, None)),
        ("no_limit_holdem", 0, (None, None)),
        ("no_limit_holdem", 5, (5, None)),
        ("seven_card_stud", None, (25, 50)),
        ("seven_card_stud", 7, (7, 50)),
    ],
)
def test_table_states_its_antes(game: str, ante: int | None, antes: tuple[int | None, int | None]) -> None:
    host = make_host(Settings(game=game, ante=ante))
    assert isinstance(host, PokerHost)
    assert host.antes == antes


@for_each("structure", ALL, ids=name_of)
def test_as_many_may_play_as_the_game_has_cards_for_and_ten_at_most(structure: Structure) -> None:
    assert make_host(Settings(game=structure.key, seats=2)).places == range(2, min(10, structure.most_players) + 1)


def test_every_hand_is_bound_by_its_own_deck_whichever_was_dealt_last() -> None:
    match = played(3, seats=2, hands=3)
    host = host_of(match.match)
    started = [record for entry in match.entries if isinstance(record := read_record(entry.body), HandStarted)]
    assert len(started) == 3
    for record in (*started, started[0], started[0]):
        start, *_ = host.messages(record, record.seq)
        assert isinstance(start, wire.StartHand)
        assert start.commit == shuffle(bytes.fromhex(record.secret)).commit


def test_between_hands_a_table_shows_stacks_and_an_empty_pot() -> None:
    shown = snapshot_between(1, {0: 90, 1: 110}, 7)
    assert (shown.pot, shown.you, shown.seq, shown.phase) == (
        0,
        wire.SnapshotYou(seat=1, hole=(), stack=110, to_call=0),
        7,
        "WAITING",
    )
    assert shown.players == tuple(
        wire.PlayerFacts(seat=seat, stack=stack, has_folded=False, committed=0) for seat, stack in ((0, 90), (1, 110))
    )


def test_player_outside_the_hand_has_not_acted() -> None:
    match = played(3, seats=2, hands=3, ended=False)
    host = host_of(match.match)
    asked = match.match.to_act
    assert asked is not None
    acted = Acted(seat=asked, action=host.default_action("check_fold"), cause="timeout", events=())
    with pytest.raises(HistoryError, match="seat 5 is not in a hand"):
        host.replay(replace(acted, seat=5), 1)
    host.open = None
    with pytest.raises(HistoryError, match=f"seat {asked} is not in a hand"):
        host.replay(acted, 1)


@pytest.mark.parametrize("game", ["no_limit_holdem", "deuce_to_seven_triple_draw", "horse"])
def test_how_many_may_play_is_known_before_there_is_a_table(game: str) -> None:
    assert find_places(game) == make_host(Settings(game=game, seats=2)).places
