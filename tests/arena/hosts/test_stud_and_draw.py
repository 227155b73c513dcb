"""Stud and draw on the wire: the offers to a seat, the public messages, and the actions of a clock."""

import hashlib
import json
import re

import pytest

from pitboss.arena.hosts.games import make_host
from pitboss.arena.journal.records import Acted, HandStarted, Settings, SettingsError, poker_events, read_record
from pitboss.arena.verify.journal import verify_table
from pitboss.arena.verify.transcript import verify_transcript
from pitboss.arena.wire import messages as wire
from pitboss.hand.events import Discarded, Shown
from tests.support.arena.matches import played
from tests.support.arena.rooms import TABLE, Guest, Parlour
from tests.support.for_each import for_each

RAZZ = Settings(game="razz", seats=3, start_at=3, move_time_ms=1000)
TRIPLE_DRAW = Settings(game="deuce_to_seven_triple_draw", seats=3, start_at=3, move_time_ms=1000)


def question(guest: Guest) -> wire.Act:
    """A guest's last question."""
    asked = guest.question()
    assert isinstance(asked, wire.Act)
    return asked


def parlour_of(settings: Settings, *, seed: int = 1) -> Parlour:
    parlour = Parlour(settings, seed=seed)
    parlour.seat(settings.seats)
    return parlour


def events(parlour: Parlour) -> list[str]:
    """The names of the public events, in order."""
    return [str(message.__struct_config__.tag) for message in parlour.log]


def to_the_draw(parlour: Parlour) -> None:
    """Call until cards are changed."""
    while "DRAW" not in (parlour.to_act.question().legal or ()):
        legal = parlour.to_act.question().legal or ()
        parlour.to_act.answer("CHECK" if "CHECK" in legal else "CALL")


# --- stud


def test_stud_begins_with_antes_up_cards_and_a_bring_in_without_fold() -> None:
    parlour = parlour_of(RAZZ)
    assert events(parlour) == ["start_hand", "POST_ANTES", "UP_CARD", "UP_CARD", "UP_CARD"]
    antes = next(message for message in parlour.log if isinstance(message, wire.PostAntes))
    assert (antes.ante, [paid.amount for paid in antes.posted]) == (25, [25, 25, 25])
    act = question(parlour.to_act)
    assert (act.legal, act.call_amount, act.min_raise_to, act.max_raise_to) == (("CALL", "RAISE_TO"), 50, 100, 100)
    assert (act.phase, act.table.sb, act.table.bb, act.table.ante, act.table.bring_in) == (
        "THIRD_STREET", 0, 100, 25, 50,
    )  # fmt: skip
    ups = {message.seat: message.card for message in parlour.log if isinstance(message, wire.UpCard)}
    assert {player.seat: player.up for player in act.players} == {seat: (card,) for seat, card in ups.items()}
    assert (len(act.you.hole), act.you.hole[2]) == (3, ups[act.seat])
    config = parlour.to_act.last(wire.Welcome).config
    assert (config.sb, config.bb, config.ante, config.bring_in) == (0, 100, 25, 50)


@pytest.mark.parametrize("policy", ["check_call", "check_fold"])
def test_a_timeout_brings_in(policy: str) -> None:
    parlour = parlour_of(Settings(game="FR", seats=3, start_at=3, move_time_ms=1000, timeout_policy=policy))  # type: ignore[arg-type]  # one of the two
    first = parlour.to_act
    parlour.pass_time(1.0)
    brought = next(message for message in parlour.log if isinstance(message, wire.BringIn))
    assert (brought.seat, brought.amount, brought.auto) == (first.seat, 50, True)


def test_a_fold_or_a_wrong_completion_of_the_bring_in_is_refused_and_keeps_the_turn() -> None:
    parlour = parlour_of(RAZZ)
    asked = parlour.to_act
    for word, amount in (("FOLD", None), ("CHECK", None), ("RAISE_TO", 150), ("RAISE_TO", 60), ("DRAW", None)):
        asked.answer(word, amount)
        assert asked.error() == "INVALID_ACTION"
        assert parlour.to_act is asked
    asked.answer("RAISE_TO", 100)
    assert parlour.to_act is not asked


def test_stud_hand_goes_through_all_streets_and_shows_seven_cards() -> None:
    parlour = parlour_of(RAZZ)
    phases = []
    while parlour.history.hands == 1:
        asked = parlour.to_act
        act = question(asked)
        phases.append(act.phase)
        assert len(act.you.hole) == {"THIRD": 3, "FOURTH": 4, "FIFTH": 5, "SIXTH": 6, "SEVENTH": 7}[act.phase[:-7]]
        asked.answer("CHECK" if "CHECK" in act.legal else "CALL")
    assert list(dict.fromkeys(phases)) == [
        f"{name}_STREET" for name in ("THIRD", "FOURTH", "FIFTH", "SIXTH", "SEVENTH")
    ]
    hand_id = parlour.log[0].hand_id  # type: ignore[union-attr]  # the first is a start_hand
    heard = [message for message in parlour.log if getattr(message, "hand_id", "") == hand_id]
    names = [str(message.__struct_config__.tag) for message in heard]
    assert (names.count("UP_CARD"), names.count("DOWN_CARD"), names.count("SHOWDOWN")) == (12, 3, 3)
    shown = [message for message in heard if isinstance(message, wire.Showdown)]
    assert all(len(message.hand) == 7 and len(message.opened) == 7 and message.rank for message in shown)
    assert "POST_BLINDS" not in names


def test_where_the_deck_is_short_the_last_card_is_everybodys() -> None:
    parlour = parlour_of(Settings(game="seven_card_stud", seats=8, start_at=8, max_hands=1))
    while not parlour.match.over:
        legal = parlour.to_act.question().legal or ()
        parlour.to_act.answer("CHECK" if "CHECK" in legal else "CALL")
    (common,) = [message for message in parlour.log if isinstance(message, wire.CommunityCard)]
    shown = [message for message in parlour.log if isinstance(message, wire.Showdown)]
    assert [(message.board, len(message.hand)) for message in shown] == [((common.card,), 6)] * 8
    assert "DOWN_CARD" not in events(parlour)
    assert verify_table(TABLE, parlour.disk.read(TABLE)).ok
    for seat in range(8):
        assert verify_transcript("me", parlour.at[seat].frames).ok


def test_split_pot_names_its_half() -> None:
    halves = {
        message.half
        for game in ("seven_card_stud_hi_lo", "omaha_hi_lo")
        for frame in played(3, seats=4, game=game, hands=12).frames
        if isinstance(message := wire.read_server(frame), wire.PotAward)
    }
    assert halves == {"high", "low", None}
    assert '"half"' not in "".join(played(3, seats=4, game="razz", hands=6).frames)


# --- draw


def test_draw_event_shows_only_the_number_of_cards() -> None:
    parlour = parlour_of(TRIPLE_DRAW)
    watching = parlour.watch()
    to_the_draw(parlour)
    asked = parlour.to_act
    act = question(asked)
    assert (act.legal, act.phase, act.call_amount, act.min_raise_to) == (("DRAW",), "DRAW_1", None, None)
    before = act.you.hole
    asked.answer("DRAW", discard=before[:2])
    drawn = next(message for message in parlour.log if isinstance(message, wire.DrawMessage))
    assert (drawn.seat, drawn.count, drawn.auto) == (asked.seat, 2, False)
    heard = "".join(frame for guest in (*parlour.guests.values(), watching) for frame in guest.frames[-1:])
    assert not any(f'"{card}"' in heard for card in before[:2])
    parlour.to_act.answer("DRAW")
    parlour.to_act.answer("DRAW", discard=[])
    counts = [message.count for message in parlour.log if isinstance(message, wire.DrawMessage)]
    assert counts == [2, 0, 0]
    again = question(parlour.to_act)
    assert parlour.to_act is asked
    assert (again.phase, again.legal) == ("DRAW_1", ("CHECK", "RAISE_TO", "FOLD"))
    assert again.you.hole[:3] == before[2:]
    assert not set(again.you.hole[3:]) & set(before)


def test_a_wrong_discard_is_refused_with_the_rules_sentence_and_keeps_turn_and_clock() -> None:
    parlour = parlour_of(TRIPLE_DRAW)
    to_the_draw(parlour)
    asked = parlour.to_act
    hole = question(asked).you.hole
    other = next(card for card in ("2c", "2d", "2h", "2s", "3c", "3d") if card not in hole)
    for discard, sentence in (
        ([other], f"holds {''.join(hole)}, not {other}"),
        ([*hole, other], "holds 5 cards and cannot change 6"),
        ([hole[0], hole[0]], f"card {hole[0]} appears twice"),
    ):
        asked.answer("DRAW", discard=discard)
        error = asked.last(wire.Error)
        assert (error.code, sentence in error.msg) == ("INVALID_ACTION", True), error
    asked.answer("DRAW", discard=["Xx"])
    assert (asked.last(wire.Error).code, "`$.discard`" in asked.last(wire.Error).msg) == ("BAD_SCHEMA", True)
    asked.answer("FOLD")
    assert asked.last(wire.Error).code == "INVALID_ACTION"
    parlour.pass_time(0.9)
    assert parlour.to_act is asked
    parlour.pass_time(0.1)
    drawn = next(message for message in parlour.log if isinstance(message, wire.DrawMessage))
    assert (drawn.seat, drawn.count, drawn.auto) == (asked.seat, 0, True)


def test_returning_player_in_a_draw_sees_their_cards_and_the_question() -> None:
    parlour = parlour_of(TRIPLE_DRAW)
    to_the_draw(parlour)
    first = parlour.to_act
    first.answer("DRAW", discard=question(first).you.hole)
    second = parlour.to_act
    hole = question(second).you.hole
    again = parlour.join(second.team)
    snapshot = again.last(wire.Snapshot)
    assert (snapshot.legal, snapshot.phase, snapshot.you.hole) == (("DRAW",), "DRAW_1", hole)
    other = parlour.join(first.team)
    assert not set(other.last(wire.Snapshot).you.hole) & set(question(first).you.hole)
    again.answer("DRAW", discard=hole[:1])
    assert parlour.to_act is not again


# --- records


@for_each("game", ["razz", "seven_card_stud_hi_lo", "deuce_to_seven_single_draw", "badugi", "horse"])
def test_record_is_verified_before_and_after_the_decks_are_revealed(game: str) -> None:
    match = played(6, seats=3, game=game, hands=14)
    end = next(at for at, frame in enumerate(match.frames) if '"type":"reveal"' in frame)
    for cut in (end, end // 2, end // 3):
        report = verify_transcript("me", match.frames[:cut])
        assert report.problems == [], cut
    acts = [at for at, frame in enumerate(match.frames) if '"type":"act"' in frame]
    at = acts[-1]
    act = json.loads(match.frames[at])
    act["you"]["hole"] = act["you"]["hole"][1:] + act["you"]["hole"][:1]
    lie = [*match.frames[:at], json.dumps(act), *match.frames[at + 1 :]]
    assert not verify_transcript("me", lie).ok


def test_reshuffled_discards_are_proved_by_the_journal_and_noted_in_the_record() -> None:
    match = played(2, seats=6, game="deuce_to_seven_triple_draw", hands=12)
    assert verify_table("T-1", match.reading).ok
    report = verify_transcript("me", match.frames)
    assert report.problems == []
    assert any("discards were shuffled back" in note for note in report.notes)


def test_card_from_the_discards_is_shown_without_its_place_in_the_deck() -> None:
    came_back = 0
    for seed in range(2, 5):
        match = played(seed, seats=6, game="deuce_to_seven_triple_draw", hands=12)
        thrown: set[str] = set()
        shown: list[tuple[set[str], wire.Showdown]] = []
        frames = (wire.read_server(frame) for frame in match.frames)
        showdowns = [frame for frame in frames if isinstance(frame, wire.Showdown)]
        for entry in match.entries:
            record = read_record(entry.body)
            if isinstance(record, HandStarted):
                thrown = set()
            if isinstance(record, HandStarted | Acted):
                for event in poker_events(record.events):
                    if isinstance(event, Discarded):
                        thrown.update(event.cards)
                    elif isinstance(event, Shown):
                        shown.append((set(thrown), showdowns[len(shown)]))
        assert len(shown) == len(showdowns)
        for before, showdown in shown:
            assert [opening.card for opening in showdown.opened] == [
                card for card in showdown.hand if card not in before
            ]
            came_back += len(before & set(showdown.hand))
        assert verify_table("T-1", match.reading).ok
        assert verify_transcript("me", match.frames).problems == []
        end = next(at for at, frame in enumerate(match.frames) if '"type":"reveal"' in frame)
        assert verify_transcript("me", match.frames[:end]).problems == []
    assert came_back > 3


@pytest.mark.parametrize("game", ["deuce_to_seven_triple_draw", "badugi"])
def test_honest_record_with_reshuffled_discards_is_clean_before_revealing(game: str) -> None:
    for seed in range(2, 12):
        frames = played(seed, seats=6, game=game, hands=12).frames
        end = next(at for at, frame in enumerate(frames) if '"type":"reveal"' in frame)
        assert verify_transcript("me", frames[:end]).problems == [], seed


# --- settings


@for_each(
    "settings, sentence",
    [
        (Settings(game="razz", bring_in=200), "bring_in: expected 1 to 100 in"),
        (Settings(game="omaha", bring_in=50), "has blinds instead"),
        (Settings(game="razz", seats=9), "seats: expected 2 to 8 for razz, got 9"),
        (Settings(game="N2L1D", seats=10), "seats: expected 2 to 9 for N2L1D, got 10"),
        (Settings(game="leduc", seats=2, ante=5), "ante: leduc does not have this setting"),
        (Settings(game="razzmatazz"), "no game is called 'razzmatazz'"),
    ],
)
def test_impossible_table_is_refused_in_a_sentence(settings: Settings, sentence: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(sentence)):
        make_host(settings)


@pytest.mark.parametrize("ante", [0, 10])
def test_requested_ante_is_sent_and_its_record_verifies(ante: int) -> None:
    parlour = parlour_of(Settings(game="razz", seats=3, start_at=3, ante=ante, bring_in=40, max_hands=2))
    config = parlour.to_act.last(wire.Welcome).config
    assert (config.ante, config.bring_in) == (ante, 40)
    assert ("POST_ANTES" in events(parlour)) == bool(ante)
    while not parlour.match.over:
        legal = parlour.to_act.question().legal or ()
        parlour.to_act.answer("CHECK" if "CHECK" in legal else "CALL")
    assert verify_transcript("me", parlour.at[0].frames).ok


def test_holdem_with_antes_posts_them_before_the_blinds() -> None:
    parlour = parlour_of(Settings(seats=3, start_at=3, ante=10, game="FT", max_hands=1))
    assert events(parlour)[:3] == ["start_hand", "POST_ANTES", "POST_BLINDS"]
    assert question(parlour.to_act).table.ante == 10


GOLDEN = {
    "no_limit_holdem": "1ed4bd275950f0bf66554f485d8c40d294ce657abbc593903db70a2d8d817ab8",
    "FT": "213dd530f7e85ed58981d43a474f10d1e63b8f32c4ef444b816c6915f5cfd508",
    "omaha": "b1f8d72ddbb097ac1f37f280c35ddf83f83b192d04274c2a9a65511370209ae0",
}
"""What was sent of twelve hands when hold'em and Omaha were all there was, but for the journal's chain and places."""
ADDED = re.compile(r',"place":\d+|,"games":\[.*\](?=\}\}$)|,"(?:pots|hands)":\[\{"(?:amount|seat)".*\](?=\}$)')
"""Fields that were added since: places, layouts of games, pots, and the hands of a run-out."""


@pytest.mark.parametrize("game", GOLDEN)
def test_a_bot_of_before_stud_and_draw_is_sent_the_same_bytes(game: str) -> None:
    frames = played(3, seats=4, hands=12, game=game).frames
    before = [ADDED.sub("", frame) for frame in frames]
    text = "\n".join(re.sub(r'"chain":"[0-9a-f]{64}"', '"chain":""', frame) for frame in before)
    assert hashlib.sha256(text.encode()).hexdigest() == GOLDEN[game]


def test_where_the_deck_has_cards_enough_no_discards_are_shuffled_back() -> None:
    match = played(2, seats=2, game="deuce_to_seven_triple_draw", hands=8)
    report = verify_transcript("me", match.frames)
    assert report.problems == []
    assert not any("discards were shuffled back" in note for note in report.notes)
