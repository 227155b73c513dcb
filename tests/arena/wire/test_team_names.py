"""Names of teams: any script is welcome, and no two at a table look alike."""

from itertools import combinations

import pytest

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.tables import OpeningError
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.team_names import are_alike, fault_of
from tests.support.arena.rooms import Parlour
from tests.support.for_each import for_each

SIX = Settings(seats=6, start_at=6)
WELCOME = (
    *("Alpha", "Αθήνα", "Команда", "Отряд-7", "日本チーム", "한국팀", "فريق", "टीम", "தமிழ்", "ทีมไทย", "বাংলা", "שָׁלוֹם"),
    *("Équipe", "Jörg & Söhne", "Ελλάδα", "😀", "O'Brien", "Việt", "E\u0301quipe", "Ω-Team"),
    *("Alpha7", "7Zwerge", "Отряд7", "Alpha" + "\u0336" * 3),
)
HIDDEN = {
    "zero-width space": "Al\u200bpha",
    "zero-width joiner": "Al\u200dpha",
    "no-break": "Al\ufeffpha",
    "soft hyphen": "Al\u00adpha",
    "left-to-right mark": "Alpha\u200e",
    "tag": "Alpha\U000e0041",
    "no-break space": "Al\u00a0pha",
    "wide space": "Alpha\u3000",
    "filler": "Alpha\u3164",
    "grapheme joiner": "Al\u034fpha",
    "variation selector": "Alpha\ufe01",
    "private": "Alpha\ue000",
    "unassigned": "Alpha\u0378",
    "blank braille": "\u2800",
    "spaces": "   ",
    "a heap of marks": "Alpha" + "\u0336" * 4,
    "a mark first": "\u0301Alpha",
}
MIXED = ("\u0410lpha", "Alph\u03b1", "\u0391lpha", "A1ph\u0430", "\u0440\u0430ypal")
ALIKE = (
    ("Alpha", "alpha"),
    ("Alpha", "ALPHA"),
    ("Alpha", " Alpha"),
    ("Team A", "TeamA"),
    ("Équipe", "E\u0301quipe"),
    ("Alpha", "\uff21lpha"),
    ("Alpha", "\U0001d400lpha"),
    ("ABC", "\u0410\u0412\u0421"),
    ("ABE", "\u0391\u0392\u0395"),
    ("Alpha", "A1pha"),
    ("Bill", "BiII"),
    ("Team 0", "Team O"),
    ("a-b", "a\u2010b"),
    ("Straße", "STRASSE"),
)


@for_each("team", WELCOME)
def test_names_of_any_script_are_welcome(team: str) -> None:
    assert fault_of(team) is None
    assert Parlour(SIX).join(team, "code").seat == 0


def test_no_two_of_them_look_alike() -> None:
    alike = [pair for pair in combinations(WELCOME, 2) if are_alike(*pair)]
    assert alike == [("Équipe", "E\u0301quipe")]


@for_each("team", [*HIDDEN.values(), *MIXED], ids=[*HIDDEN, *map(ascii, MIXED)])
def test_a_name_that_hides_something_is_refused_with_a_sentence(team: str) -> None:
    parlour = Parlour(SIX)
    guest = parlour.join(team, "code")
    error = guest.last(wire.Error)
    assert error.code == "BAD_SCHEMA"
    assert "`$.team`" in error.msg
    assert not parlour.history.seats


@for_each("pair", ALIKE, ids=ascii)
def test_a_name_that_looks_like_anothers_is_taken(pair: tuple[str, str]) -> None:
    for first, second in (pair, pair[::-1]):
        parlour = Parlour(SIX)
        assert parlour.join(first, "one").seat == 0
        guest = parlour.join(second, "two")
        assert guest.error() == "TEAM_TAKEN"
        assert "looks like" in guest.last(wire.Error).msg
        assert len(parlour.history.seats) == 1


def test_of_two_simultaneous_lookalikes_only_one_is_seated() -> None:
    parlour = Parlour(SIX)
    with parlour.slow_checks():
        one, other = parlour.join("Alpha", "one"), parlour.join("alpha", "two")
    assert one.seat == 0
    assert other.error() == "TEAM_TAKEN"


@for_each("house", [("tight",), ()], ids=["who sits there", "who does not"])
@for_each("team", ["Tight (house)", "calling (house)", "Alpha(HOUSE) ", "(house)", "x \uff08house\uff09", "x (h0use)"])
def test_team_names_cannot_look_like_a_house_bot(team: str, house: tuple[str, ...]) -> None:
    parlour = Parlour(SIX, house=house)
    guest = parlour.join(team, "code")
    assert guest.error() == "BAD_SCHEMA"
    assert "ends with (house), which is reserved for house bots" in guest.last(wire.Error).msg
    assert parlour.join("Alpha (house of cards)", "code").seat == len(house)


def test_a_journal_of_before_keeps_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    parlour = Parlour(SIX)
    with monkeypatch.context() as before:
        before.setattr("pitboss.arena.rooms.match.fault_of", lambda team: None)
        before.setattr("pitboss.arena.rooms.match.are_alike", lambda one, other: False)
        for team in ("Alpha", "Al\u200bpha", "alpha", "x (house)"):
            parlour.join(team)
    parlour.restart()
    assert [parlour.join(team).seat for team in ("Alpha", "Al\u200bpha", "alpha", "x (house)")] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("teams", "sentence"),
    [
        (("Alpha", "Al\u200bpha"), "invisible character: U[+]200B"),
        (("Alpha", "alpha"), "'Alpha' and 'alpha' look alike"),
        (("Alpha", "\u0410lpha"), "two scripts"),
        (("Calling (House)", "Alpha"), "reserved for house bots"),
    ],
)
def test_an_organisers_list_keeps_to_the_same_rule(teams: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(OpeningError, match=sentence):
        Parlour(SIX, teams=dict.fromkeys(teams, "code"), house=("tight",))


def test_a_list_of_before_is_taken_up_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    teams = {"Alpha": "one", "alpha": "two", "Al\u200bpha": "three"}
    with monkeypatch.context() as before:
        before.setattr("pitboss.arena.rooms.tables._check_names", lambda teams, house: None)
        parlour = Parlour(SIX, teams=teams)
    parlour.restart()
    assert [parlour.join(team, code).seat for team, code in teams.items()] == [0, 1, 2]
