"""Logs of the Annual Computer Poker Competition: invented hands read and written, and what is refused."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.formats.acpc import (
    KNOWN_GAMES,
    AcpcError,
    read_acpc,
    read_game_definition,
    recognise_acpc,
    scan_acpc,
    write_acpc,
)
from pitboss.formats.scan import HandFound, Note
from pitboss.hand.games import STRUCTURES
from pitboss.hand.structure import blinds
from pitboss.records.record import Record, record_hand
from pitboss.records.replay import replay
from tests.records.test_record import live_first, played
from tests.support.for_each import for_each
from tests.support.laws.tables import some_table

NO_LIMIT = """\
# name/game/hands/seed autumn holdem.nolimit.2p.reverse_blinds.game 4 99
#--t_response 10000
#--t_hand 600000
STATE:0:r300c/cr900f:AhKd|7c2s/Qs4h9d:-300|300:ann|bob
STATE:1:f:5c5d|9h2h:50|-50:bob|ann
STATE:2:r20000c///:AsAc|KsKc/2d3d4d/7h/9s:20000|-20000:ann|bob
STATE:3:cc/cr300c/cc/r1000c:Th9h|Td9d/8s7s6s/Ac/2c:0|0:bob|ann
SCORE:19650|-19650:ann|bob
"""
THREE = """\
# name/game/hands/seed spring games/holdem.limit.3p.game 2 7
STATE:10:rfc/crrc/cc/rf:AhKd|7c2s|QdQc/Qs4h9d/2h/3h:-5|45|-40:ann|bob|cy
"""
NAMED = "holdem.nolimit.2p.reverse_blinds.game"
INF = Decimal("Infinity")
NOT_OURS = "is not supported: expected hold'em"


def read_one(text: str) -> Record:
    (record,) = read_acpc(text)
    return record


def test_no_limit_is_read_in_totals_of_the_hand_and_recorded_in_totals_of_the_street() -> None:
    first, fold, shove, tie = read_acpc(NO_LIMIT)
    assert first.variant == "NT"
    assert (first.blinds_or_straddles, first.min_bet, first.starting_stacks) == ((50, 100), 100, (20000, 20000))
    assert first.actions == (
        *("d dh p1 AhKd", "d dh p2 7c2s", "p2 cbr 300", "p1 cc", "d db Qs4h9d", "p1 cc", "p2 cbr 600", "p1 f"),
    )
    assert (first.players, first.hand, first.event) == (("ann", "bob"), 0, "autumn")
    assert (first.finishing_stacks, first.winnings) == ((19700, 20300), (0, 600))
    assert first.user == {"_acpc": {"game": "holdem.nolimit.2p.reverse_blinds.game", "hands": 4, "seed": 99}}
    assert (fold.players, fold.actions[-1]) == (("bob", "ann"), "p2 f")
    assert shove.actions[4:] == ("d db 2d3d4d", "d db 7h", "d db 9s", "p1 sm AsAc", "p2 sm KsKc")
    for record in (first, fold, shove, tie):
        assert replay(record).finishing_stacks == record.finishing_stacks


def test_limit_has_no_sizes_and_its_stacks_no_end() -> None:
    record = read_one(THREE)
    assert record.variant == "FT"
    assert (record.small_bet, record.big_bet, record.blinds_or_straddles) == (10, 20, (5, 10, 0))
    assert record.starting_stacks == (Decimal("Infinity"),) * 3
    assert record.finishing_stacks is None
    assert record.winnings == (0, 85, 0)
    assert record.actions[3:] == (
        *("p3 cbr 20", "p1 f", "p2 cc", "d db Qs4h9d", "p2 cc", "p3 cbr 10", "p2 cbr 20", "p3 cc"),
        *("d db 2h", "p2 cc", "p3 cc", "d db 3h", "p2 cbr 20", "p3 f"),
    )


GAME = """\
# by hand
GAMEDEF
nolimit
numPlayers = 3
numRounds = 4
stack = 900 800 700
blind = 0 5 10
firstPlayer 1 2 2 2
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def test_game_definition_states_stacks_blinds_and_first_player(tmp_path: Path) -> None:
    path = tmp_path / "mine.game"
    path.write_text(GAME)
    text = "STATE:4:r30fc/cr90f:AhKd|7c2s|QdQc/Qs4h9d:35|-5|-30:ann|bob|cy"
    (record,) = read_acpc(text, "a.log", game_def=path)
    assert record.players == ("bob", "cy", "ann")
    assert record.blinds_or_straddles == (5, 10, 0)
    assert record.starting_stacks == (800, 700, 900)
    assert record.actions[3:] == ("p3 cbr 30", "p1 f", "p2 cc", "d db Qs4h9d", "p2 cc", "p3 cbr 60", "p2 f")
    assert replay(record).finishing_stacks == (795, 670, 935)


def test_written_logs_read_back_and_competition_games_have_names() -> None:
    records = read_acpc(NO_LIMIT)
    text = "".join(write_acpc(records))
    assert text.startswith("# name/game/hands/seed autumn holdem.nolimit.2p.reverse_blinds.game 4 99\nSTATE:0:r300c/")
    assert text.split("\n", 1)[1] == NO_LIMIT.split("\n", 3)[3]
    assert read_acpc(text) == records
    limit = [read_one(THREE)]
    assert "".join(write_acpc(limit)).endswith(THREE.split("\n")[1] + "\nSCORE:-5|45|-40:ann|bob|cy\n")


def test_another_game_is_written_with_its_definition_among_the_comments() -> None:
    record = replace(read_acpc(NO_LIMIT)[0], starting_stacks=(1000, 2000), finishing_stacks=None)
    text = "".join(write_acpc([record]))
    assert "# GAMEDEF\n# nolimit\n# numPlayers = 2\n" in text
    assert read_one(text).starting_stacks == (1000, 2000)


def test_an_odd_chip_is_split_in_halves_as_the_log_has_it() -> None:
    text = THREE.split("\n")[0] + "\nSTATE:0:cfc/cc/cc/cc:AhKd|7c2s|7d2h/Qs4h9d/9s/9h:-5|2.5|2.5:ann|bob|cy"
    record = read_one(text.replace("limit", "nolimit").replace("-5|2.5|2.5", "-50|25|25"))
    assert replay(record).finishing_stacks == (19950, 20025, 20025)
    odd = GAME.replace("0 5 10", "5 10 0").replace("1 2 2 2", "3 1 1 1")
    line = "STATE:0:cfc/cc/cc/cc:AhKd|7c2s|7d2h/Qs4h9d/9s/9h:-5|2.5|2.5:ann|bob|cy"
    (record,) = read_acpc(line, game_def=read_game_definition(odd))
    assert replay(record).finishing_stacks == (895, Decimal("802.5"), Decimal("702.5"))
    assert "".join(write_acpc([record])).split("\n")[-3] == line


def test_hidden_cards_stay_hidden() -> None:
    text = NO_LIMIT.replace("AhKd|7c2s", "|7c2s")
    assert read_acpc(text)[0].actions[:2] == ("d dh p1 ????", "d dh p2 7c2s")
    assert "".join(write_acpc(read_acpc(text))).split("\n")[1].split(":")[3] == "|7c2s/Qs4h9d"


def find(text: str, *, lenient: bool = False) -> list[HandFound]:
    return list(scan_acpc(enumerate(text.split("\n"), 1), "x.log", lenient))


def test_one_broken_hand_costs_that_hand_only() -> None:
    lines = NO_LIMIT.split("\n")
    lines[4] = lines[4].replace("50|-50", "70|-70")
    found = find("\n".join(lines))
    assert [one.record is not None for one in found] == [True, False, True, True]
    assert str(found[1].error) == (
        "x.log, line 5: values: 70 is not possible for player 1, who put in 100: 'STATE:1:f:5c5d|9h2h:70|-70:bob|ann'"
    )


def test_lenient_reading_notes_strange_lines() -> None:
    text = NO_LIMIT.replace("STATE:1", "well played\nSTATE:1")
    assert (
        str(find(text)[1].error) == "x.log, line 5: expected a line that begins with STATE, SCORE or #: 'well played'"
    )
    found = find(text, lenient=True)
    assert [one.error for one in found] == [None] * 4
    assert found[1].notes == (Note(5, "expected a line that begins with STATE, SCORE or #"),)
    sent = "TO 1 at 12.5 MATCHSTATE:0:0::AhKd|"
    assert "got a message to a player" in str(find(sent)[0].error)


@for_each(
    "old, new, sentence",
    [
        (NAMED, "mine.game", "stacks and blinds are unknown, because mine.game is not a game of the competition"),
        (NAMED, "leduc.game", f"leduc {NOT_OURS}"),
        (NAMED, "g/kuhn.limit.3p.game", f"kuhn {NOT_OURS}"),
        ("STATE:0:r300c", "STATE:0:rc", "betting: expected r with an amount, got 'r'"),
        ("STATE:0:r300c", "STATE:0:r30000c", "betting: expected a raise to more than 100 and at most 20000, got 30000"),
        ("STATE:0:r300c", "STATE:0:x300c", "betting: expected f, c or r, got 'x300c'"),
        ("AhKd|7c2s", "AhKd|7c2s|3d3c", "cards: expected 2 hole cards for each of 2 players"),
        ("AhKd|7c2s", "AhKd|7cAh", "card Ah appears twice"),
        ("/Qs4h9d:", "/Qs4h:", "cards: expected three board cards for the flop"),
        ("/Qs4h9d:", ":", "cards: expected board cards of 1 streets, got 0"),
        ("-300|300", "-300|x", "values: expected 2 numbers, one per player, got '-300|x'"),
        ("-300|300:ann|bob", "-300|300:ann", "names: expected 2, one per player, got 1"),
        ("-300|300:ann|bob", "-300|300", "expected STATE:number:betting:cards:values:names"),
    ],
)  # fmt: skip
def test_nonsense_is_one_sentence_with_file_and_line(old: str, new: str, sentence: str) -> None:
    assert old in NO_LIMIT
    error = str(find(NO_LIMIT.replace(old, new))[0].error)
    assert error.startswith(f"x.log, line 4: {sentence}")


def test_without_a_game_one_error_is_enough() -> None:
    (found,) = find("\n".join(NO_LIMIT.split("\n")[3:]))
    assert "the log has no header: give the game's definition" in str(found.error)


@for_each(
    "old, new, sentence",
    [
        ("GAMEDEF\nnolimit", "nolimit", "expected a game definition, found no GAMEDEF"),
        ("END GAMEDEF", "", "the definition ends before END GAMEDEF"),
        ("nolimit\n", "", "expected a line with limit or nolimit"),
        ("stack = 900 800 700\n", "", "stack: required for every player in a no-limit game"),
        ("stack = 900 800 700", "stack = 900 800", "line 6: stack: expected 3 numbers, got 2"),
        ("stack = 900 800 700", "stack = 9 x 7", "line 6: expected NAME = NUMBERS: 'stack = 9 x 7'"),
        ("numHoleCards = 2", "numHoleCards = 1", f"mine {NOT_OURS}"),
        ("numPlayers = 3", "numPlayers = 30", "line 4: numPlayers: expected 2 to 23, got 30"),
        ("1 2 2 2", "1 2 3 2", "line 8: firstPlayer: expected the same number for all streets after the first"),
        ("1 2 2 2", "1 4 4 4", "line 8: firstPlayer: expected 1 to 3"),
        ("0 5 10", "0 0 0", "line 7: blind: expected at least one above 0"),
        ("nolimit\n", "limit\nraiseSize = 5 5 10 20\n", "line 4: raiseSize: expected a small bet twice"),
    ],
)  # fmt: skip
def test_a_bad_definition_is_one_sentence(old: str, new: str, sentence: str) -> None:
    assert old in GAME
    with pytest.raises(AcpcError) as caught:
        read_game_definition(GAME.replace(old, new), "mine.game")
    assert str(caught.value).startswith("mine.game")
    assert sentence in str(caught.value)


def test_every_known_definition_is_read_as_it_is_written() -> None:
    for definition in KNOWN_GAMES.values():
        assert read_game_definition(str(definition)) == definition


@for_each(
    "fields, sentence",
    [
        ({"variant": "PO"}, "variant: expected no-limit or limit hold'em (NT or FT), got PO"),
        ({"antes": (10, 10)}, "an ACPC log cannot express antes"),
        ({"user": {"_rake": 10}}, "an ACPC log cannot express a rake"),
        ({"starting_stacks": (INF, 5000)}, "starting_stacks: expected the stack of each player, got an unknown stack"),
        ({"starting_stacks": (Decimal("999.5"), 5000)}, "expected a whole number of chips, got 999.5"),
        ({"players": ("a|b", "c")}, "players: expected names without |, line breaks and outer spaces, got 'a|b'"),
        ({"min_bet": 200}, "min_bet: expected the highest blind, 100, got 200"),
    ],
)  # fmt: skip
def test_inexpressible_hand_is_refused(fields: dict[str, object], sentence: str) -> None:
    record = replace(read_acpc(NO_LIMIT)[0], finishing_stacks=None, **fields)
    with pytest.raises(AcpcError) as caught:
        list(write_acpc([record]))
    assert str(caught.value) == sentence


SHOVE = read_acpc(NO_LIMIT)[2]


def test_mucked_cards_of_a_loser_are_written() -> None:
    mucked = replace(SHOVE, actions=(*SHOVE.actions[:-1], "p2 sm"))
    log = "".join(write_acpc([mucked]))
    assert "STATE:2:r20000c///:AsAc|KsKc/2d3d4d/7h/9s:20000|-20000:ann|bob" in log
    assert read_one(log).finishing_stacks == SHOVE.finishing_stacks


def test_winner_who_mucks_is_not_expressible() -> None:
    record = replace(SHOVE, actions=(*SHOVE.actions[:-2], "p2 sm KsKc", "p1 sm"), finishing_stacks=None, winnings=None)
    with pytest.raises(AcpcError, match=r"^p1 mucked a winning hand, which an ACPC log cannot express$"):
        list(write_acpc([record]))


def test_a_log_has_one_game() -> None:
    first = read_acpc(NO_LIMIT)[0]
    with pytest.raises(AcpcError, match="expected the stakes and stacks of the first hand"):
        list(write_acpc([first, replace(first, starting_stacks=(9000, 9000), finishing_stacks=None)]))


@pytest.mark.parametrize("code", ["NT", "FT"])
def test_whatever_is_played_is_written_and_read_to_the_same_end(code: str) -> None:
    written = 0
    for number in range(120):
        chance = Chance(16).fork(number)
        table = live_first(some_table(chance, STRUCTURES[code]))
        n, big = len(table.stacks), table.stakes.min_bet
        table = replace(table, stakes=replace(table.stakes, posts=blinds(n, big // 2, big), antes=(), dead=0))
        end, events = played(table, chance)
        try:
            text = "".join(write_acpc([record_hand(table.stacks, end, events)]))
        except AcpcError:
            continue  # limit's bets of one's last chips are counted otherwise there
        read = read_one(text)
        assert replay(read).finishing_stacks == end.stacks, number
        assert read_one("".join(write_acpc([read]))) == read
        written += 1
    assert written >= 110


def test_a_log_is_known_by_its_beginning() -> None:
    assert recognise_acpc(NO_LIMIT)
    assert recognise_acpc("STATE:0:cc/:")
    assert not recognise_acpc("STATE OF PLAY: fine")


@given(st.lists(st.tuples(st.integers(0, 400), st.sampled_from("fcr0129/|:-.AhSTE\n#")), max_size=6))
def test_reading_any_log_fails_only_with_the_documented_error(changes: list[tuple[int, str]]) -> None:
    letters = list(NO_LIMIT)
    for at, letter in changes:
        letters[at % len(letters)] = letter
    for lenient in (False, True):
        for found in find("".join(letters), lenient=lenient):
            assert found.record is None or found.error is None
            assert found.error is None or "\n" not in str(found.error)
