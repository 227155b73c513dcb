"""Open Hand History: invented hands read and written, exactly and both ways."""

import copy
import datetime as dt
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.formats.ohh import OhhError, read_ohh, recognise_ohh, scan_ohh, write_ohh
from pitboss.formats.ohh.values import GAMES
from pitboss.formats.scan import HandFound, Note
from pitboss.hand.games import STRUCTURES
from pitboss.records.lenient import replay_leniently
from pitboss.records.record import Record, record_hand
from pitboss.records.replay import replay
from tests.records.test_record import live_first, played
from tests.support.for_each import for_each
from tests.support.laws.tables import some_table, with_house_rules

Json = dict[str, Any]


def act(player: int | None, action: str, amount: str = "", cards: str = "") -> Json:
    entry: Json = {} if player is None else {"player_id": player}
    entry["action"] = action
    if amount:
        entry["amount"] = Decimal(amount)
    if cards:
        entry["cards"] = [cards[at : at + 2] for at in range(0, len(cards), 2)]
    return entry


def street(name: str, cards: str, *actions: Json) -> Json:
    numbered = [{"action_number": number} | action for number, action in enumerate(actions, 1)]
    return {"street": name, "cards": [cards[at : at + 2] for at in range(0, len(cards), 2)], "actions": numbered}


def hand(*rounds: Json, pots: list[Json], stacks: str = "20 15.5 30", **fields: Any) -> Json:
    """A hand at a table of 0.50/1, its button in the last seat."""
    players = [
        {"id": number, "seat": 2 * number + 1, "name": name, "starting_stack": Decimal(stack)}
        for number, (name, stack) in enumerate(zip(("Ann", "Bo", "Cy", "Di"), stacks.split(), strict=False))
    ]
    written = {
        "spec_version": "1.4.7",
        "site_name": "Invented",
        "network_name": "Invented",
        "internal_version": "1.4.7",
        "tournament": False,
        "game_number": "77",
        "start_date_utc": "2025-03-01T20:15:30Z",
        "table_name": "Larch",
        "game_type": "Holdem",
        "bet_limit": {"bet_type": "NL", "bet_cap": 0},
        "table_size": 6,
        "currency": "USD",
        "dealer_seat": players[-1]["seat"],
        "small_blind_amount": Decimal("0.50"),
        "big_blind_amount": 1,
        "ante_amount": 0,
        "players": players,
        "rounds": [{"id": number} | round for number, round in enumerate(rounds)],
        "pots": pots,
    }
    return {"ohh": written | fields}


def pot(amount: str, wins: dict[int, str], rake: str = "0", **fields: Any) -> Json:
    paid = [{"player_id": player, "win_amount": Decimal(won)} for player, won in wins.items()]
    return {"number": 0, "amount": Decimal(amount), "rake": Decimal(rake), "player_wins": paid} | fields


class _Exact(json.JSONEncoder):
    def default(self, o: object) -> object:
        return float(o) if isinstance(o, Decimal) else super().default(o)


def spell(*hands: Json, **settings: Any) -> str:
    return "\n\n".join(json.dumps(one, cls=_Exact, **settings) for one in hands)


BLINDS = (act(0, "Post SB", "0.5"), act(1, "Post BB", "1"))
CASH = hand(
    street(
        "Preflop", "", *BLINDS, act(2, "Dealt Cards", "", "AsKd"), act(2, "Raise", "3"), act(0, "Fold"),
        act(1, "Call", "2"),
    ),
    street("Flop", "Ah7c2d", act(1, "Check"), act(2, "Bet", "4.2"), act(1, "Call", "4.2")),
    street("Turn", "9s", act(1, "Check"), act(2, "Check")),
    street("River", "3h", act(1, "Bet", "8.3"), act(2, "Call", "8.3")),
    street("Showdown", "", act(1, "Shows Cards", "", "7h7d"), act(2, "Mucks Cards")),
    pots=[pot("31.5", {1: "30"}, "1.5")],
    hero_player_id=2,
)  # fmt: skip
WALK = hand(
    street("Preflop", "", *BLINDS, act(2, "Fold"), act(0, "Fold")),
    pots=[pot("1", {1: "1"})],
)


def read_one(text: str) -> Record:
    (record,) = read_ohh(text)
    return record


def again(record: Record) -> Record:
    return read_one(write_ohh(record))


def test_a_cash_hand_is_read_in_full() -> None:
    record = read_one(spell(CASH))
    assert record.variant == "NT"
    assert (record.blinds_or_straddles, record.min_bet) == ((Decimal("0.5"), 1, 0), 1)
    assert record.players == ("Ann", "Bo", "Cy")
    assert record.seats == (1, 3, 5)
    assert record.starting_stacks == (20, Decimal("15.5"), 30)
    assert record.actions == (
        *("d dh p1 ????", "d dh p2 7h7d", "d dh p3 AsKd", "p3 cbr 3", "p1 f", "p2 cc", "d db Ah7c2d", "p2 cc"),
        *("p3 cbr 4.2", "p2 cc", "d db 9s", "p2 cc", "p3 cc", "d db 3h", "p2 cbr 8.3", "p3 cc"),
        *("p2 sm 7h7d", "p3 sm"),
    )
    assert record.finishing_stacks == (Decimal("19.5"), 30, Decimal("14.5"))
    assert record.winnings == (0, 30, 0)
    assert record.user == {"_rake": Decimal("1.5"), "_ohh": {"hero": "p3"}}
    assert (record.venue, record.table, record.hand, record.seat_count) == ("Invented", "Larch", 77, 6)
    assert (record.currency, record.currency_symbol, record.time_zone) == ("USD", "$", "UTC")
    assert (record.year, record.month, record.day, record.time) == (2025, 3, 1, dt.time(20, 15, 30))
    outcome = replay(record)
    assert outcome.finishing_stacks == record.finishing_stacks
    assert outcome.unit.amount(outcome.hand.house) == Decimal("1.5")


def test_a_hand_that_was_read_and_written_is_read_the_same() -> None:
    for fields in (CASH, WALK, EVERYTHING, TOURNAMENT, TWICE, BOMB, STUD, HEADS_UP):
        record = read_one(spell(fields))
        assert again(record) == record
        assert replay(record).finishing_stacks == record.finishing_stacks


def test_written_words_are_those_of_the_standard() -> None:
    written = json.loads(write_ohh(read_one(spell(CASH))))["ohh"]
    assert written["spec_version"] == "1.4.7"
    assert [round["street"] for round in written["rounds"]] == ["Preflop", "Flop", "Turn", "River", "Showdown"]
    first = [(entry["player_id"], entry["action"], entry.get("amount")) for entry in written["rounds"][0]["actions"]]
    assert first[:2] == [(0, "Post SB", 0.5), (1, "Post BB", 1)]
    assert first[-3:] == [(2, "Raise", 3), (0, "Fold", None), (1, "Call", 2)]
    assert written["rounds"][1]["cards"] == ["Ah", "7c", "2d"]
    assert written["pots"] == [
        {"number": 0, "amount": 31.5, "rake": 1.5, "player_wins": [{"player_id": 1, "win_amount": 30}]}
    ]
    assert written["dealer_seat"] == 5
    assert written["hero_player_id"] == 2
    assert written["start_date_utc"] == "2025-03-01T20:15:30Z"


def test_amounts_are_exact() -> None:
    tenths = hand(
        street(
            "Preflop", "", act(0, "Post SB", "0.1"), act(1, "Post BB", "0.2"), act(2, "Raise", "0.7"), act(0, "Fold"),
            act(1, "Raise", "1.1"), act(2, "Fold"),
        ),
        pots=[pot("1.5", {1: "1.5"})],
        small_blind_amount=Decimal("0.1"),
        big_blind_amount=Decimal("0.2"),
    )  # fmt: skip
    record = read_one(spell(tenths))
    assert record.actions[-2:] == ("p2 cbr 1.3", "p3 f")
    assert record.finishing_stacks == (Decimal("19.9"), Decimal("16.3"), Decimal("29.3"))
    assert '"amount":1.1' in write_ohh(record)


EVERYTHING = hand(
    street(
        "Preflop", "", act(3, "Sits Down"), act(0, "Added Chips", "5"), act(1, "Player Adjustment", "-0.05"),
        act(None, "Add to Pot", "0.4"), *BLINDS, act(2, "Straddle", "2"), act(3, "Post Dead", "0.5"),
        act(3, "Post Extra Blind", "1"), act(3, "Call", "1"), act(0, "Fold"), act(1, "Fold"), act(2, "Check"),
    ),
    street("Flop", "2c3c4d", act(2, "Check"), act(3, "Bet", "3.5"), act(2, "Fold")),
    street("Showdown", "", act(3, "Shows Cards", "", "Td")),
    pots=[pot("6.4", {3: "6.04"}, "0.3", jackpot=Decimal("0.06"))],
    stacks="20 20 20 20",
    dealer_seat=7,
    flags=["Observed", "Fast"],
    table_skin="felt",
)  # fmt: skip


def test_every_action_of_the_standard_is_read() -> None:
    record = read_one(spell(EVERYTHING))
    assert record.blinds_or_straddles == (Decimal("0.5"), 1, 2, -1)
    assert record.user["_deadPosts"] == (0, 0, 0, Decimal("0.5"))
    assert record.user["_deadMoney"] == Decimal("0.4")
    assert record.user["_rake"] == Decimal("0.36")
    assert record.actions[3] == "d dh p4 Td??"
    own = record.user["_ohh"]
    assert isinstance(own, dict)
    assert [entry["action"] for entry in own["aside"]] == ["Sits Down", "Added Chips", "Player Adjustment"]
    assert (own["flags"], own["jackpot"], own["shows"]) == (("Observed", "Fast"), Decimal("0.06"), ("p4",))
    written = json.loads(write_ohh(record))["ohh"]
    names = {entry["action"] for round in written["rounds"] for entry in round["actions"]}
    assert {"Sits Down", "Added Chips", "Player Adjustment", "Add to Pot", "Straddle"} <= names
    assert {"Post Dead", "Post Extra Blind", "Shows Cards"} <= names
    assert written["pots"][0]["jackpot"] == 0.06
    assert written["pots"][0]["rake"] == 0.3


TOURNAMENT = hand(
    street(
        "Preflop", "", act(0, "Post Ante", "10"), act(1, "Post Ante", "10"), act(2, "Post Ante", "4"),
        act(0, "Post SB", "50"), act(1, "Post BB", "90"), act(0, "Fold"),
    ),
    street("Flop", "5h6h7h"), street("Turn", "8c"), street("River", "Kc"),
    street("Showdown", "", act(1, "Shows Cards", "", "QdQc"), act(2, "Shows Cards", "", "JsJc")),
    pots=[pot("12", {1: "12"}), pot("112", {1: "112"})],
    stacks="1500 100 4 800",
    tournament=True,
    tournament_info={
        "tournament_number": "4711", "name": "Nightly 5", "start_date_utc": "2025-03-01T19:00:00Z", "currency": "EUR",
        "buyin_amount": 5, "fee_amount": 0.5, "bounty_fee_amount": 1.25, "initial_stack": 1500, "type": "MTT",
        "flags": ["Bounty"], "speed": {"type": "Turbo", "round_time": 300},
    },
    tournament_bounties=[{"player_id": 1, "bounty_won": 1.25, "defeated_player_id": 2}],
    small_blind_amount=50, big_blind_amount=100, ante_amount=10, currency="Chips", dealer_seat=5,
)  # fmt: skip
TOURNAMENT["ohh"]["players"][3]["is_sitting_out"] = True
TOURNAMENT["ohh"]["players"][1] |= {"display": "Bo B.", "player_bounty": Decimal("2.5")}


def test_tournament_keeps_its_fields_and_players_who_sit_out() -> None:
    record = read_one(spell(TOURNAMENT))
    assert record.event == "Nightly 5"
    assert record.players == ("Ann", "Bo", "Cy", "Di")
    assert record.user["_inactive"] == (0, 0, 0, 1)
    assert (record.antes, record.blinds_or_straddles) == ((10, 10, 10, 0), (50, 100, 0, 0))
    assert record.finishing_stacks == (1440, 164, 0, 800)
    written = json.loads(write_ohh(record))["ohh"]
    assert written["tournament_info"] == TOURNAMENT["ohh"]["tournament_info"] | {
        "fee_amount": 0.5,
        "bounty_fee_amount": 1.25,
    }
    assert written["tournament_bounties"] == TOURNAMENT["ohh"]["tournament_bounties"]
    assert written["players"][1]["display"] == "Bo B."
    assert written["players"][1]["player_bounty"] == 2.5
    assert written["players"][3]["is_sitting_out"] is True


TWICE = hand(
    street("Preflop", "", *BLINDS, act(2, "Raise", "30"), act(0, "Fold"), act(1, "Call", "14.5")),
    street("Flop", "2c3c4d"), street("Flop", "2d3d4c"), street("Turn", "9s"), street("Turn", "9c"),
    street("River", "Kd"), street("River", "Qd"),
    street("Showdown", "", act(2, "Shows Cards", "", "AsKs"), act(1, "Shows Cards", "", "JcJs")),
    pots=[pot("31.5", {1: "15.75", 2: "15.75"})],
    flags=["Run_It_Twice"],
)  # fmt: skip


def test_a_board_that_is_run_twice_street_by_street() -> None:
    record = read_one(spell(TWICE))
    assert record.user["_runs"] == 2
    assert record.actions[6:] == (
        *("d db 2c3c4d", "d db 9s", "d db Kd", "d db 2d3d4c", "d db 9c", "d db Qd"),
        *("p3 sm AsKs", "p2 sm JcJs"),
    )
    assert json.loads(write_ohh(record))["ohh"]["flags"] == ["Run_It_Twice"]


BOMB = hand(
    street("Preflop", "", *[act(player, "Post Ante", "2") for player in range(3)]),
    street("Flop", "2c3c4d", act(0, "Bet", "3"), act(1, "Fold"), act(2, "Fold")),
    pots=[pot("6", {0: "6"})],
    flags=["Bomb_Pot"],
    ante_amount=2,
)
STUD = hand(
    street(
        "Third Street", "", *[act(player, "Post Ante", "0.1") for player in range(2)],
        act(0, "Dealt Cards", "", "2h3c4d"), act(1, "Dealt Cards", "", "Ks"), act(0, "Post Extra Blind", "0.25"),
        act(1, "Raise", "1"), act(0, "Call", "0.75"),
    ),
    street(
        "Fourth Street", "", act(0, "Dealt Cards", "", "9c"), act(1, "Dealt Cards", "", "Qs"), act(1, "Bet", "1"),
        act(0, "Fold"),
    ),
    pots=[pot("2.2", {1: "2.2"})],
    stacks="20 20", game_type="Stud", bet_limit={"bet_type": "FL"}, small_blind_amount=1, big_blind_amount=2,
    ante_amount=Decimal("0.1"), dealer_seat=3,
)  # fmt: skip
HEADS_UP = hand(
    street("Preflop", "", act(1, "Post SB", "0.5"), act(0, "Post BB", "1"), act(1, "Call", "0.5"), act(0, "Check")),
    street("Flop", "2c3c4d", act(0, "Bet", "1"), act(1, "Fold")),
    pots=[pot("3", {0: "3"})],
    stacks="20 20",
    dealer_seat=3,
)


def test_a_bomb_pot_and_stud_and_two_alone() -> None:
    assert read_one(spell(BOMB)).user["_bomb"] is True
    stud = read_one(spell(STUD))
    assert stud.variant == "F7S"
    assert (stud.bring_in, stud.small_bet, stud.big_bet) == (Decimal("0.25"), 1, 2)
    assert stud.actions[:5] == ("d dh p1 2h3c4d", "d dh p2 ????Ks", "p1 pb", "p2 cbr 1", "p1 cc")
    two = read_one(spell(HEADS_UP))
    assert (two.players, two.blinds_or_straddles) == (("Ann", "Bo"), (Decimal("0.5"), 1))
    # The uncalled bet is in this pot, and is given back anyway.
    assert (two.winnings, two.finishing_stacks) == ((2, 0), (21, 19))


def test_omaha_of_five_cards_is_known_by_its_cards() -> None:
    deal = street("Preflop", "", *BLINDS, act(2, "Dealt Cards", "", "AsKdQc9h2s"), act(2, "Fold"), act(0, "Fold"))
    omaha = hand(deal, pots=[pot("1", {1: "1"})], game_type="Omaha", bet_limit={"bet_type": "PL"})
    record = read_one(spell(omaha))
    assert record.variant == "PO5"
    with pytest.raises(OhhError, match=r"^Open Hand History has no name for pot-limit five-card Omaha$"):
        write_ohh(record)


@for_each("indent", [None, 2])
@for_each("joint", ["\n\n", "\n", "\n\n\n"])
def test_hands_are_separated_in_any_layout(indent: int | None, joint: str) -> None:
    text = joint.join(spell(one, indent=indent) for one in (CASH, WALK, CASH))
    assert len(read_ohh(text)) == 3


def test_a_list_of_hands_is_read_too() -> None:
    assert len(read_ohh(json.dumps([json.loads(spell(one)) for one in (CASH, WALK)], indent=2))) == 2


def find(text: str, *, lenient: bool = False) -> list[HandFound]:
    return list(scan_ohh(enumerate(text.split("\n"), 1), "x.ohh", lenient))


def test_one_broken_hand_costs_that_hand_only() -> None:
    whole = spell(CASH, indent=1)
    broken = "\n".join(whole.split("\n")[:40])
    found = find(f"{whole}\n\n{broken}\n\n{whole}\n\nthis is nothing\n\n{spell(WALK)}")
    assert [one.record is not None for one in found] == [True, False, True, False, True]
    lines = len(whole.split("\n"))
    assert [one.line for one in found][:3] == [1, lines + 2, lines + 2 + 40 + 1]
    assert str(found[1].error).startswith(f"x.ohh, line {lines + 2 + 40}: expected JSON: ")
    assert "expected JSON" in str(found[3].error)


def changed(**fields: Any) -> Json:
    return {"ohh": CASH["ohh"] | fields}


def acted(round: int, at: int, **fields: Any) -> Json:
    changed = copy.deepcopy(CASH)
    changed["ohh"]["rounds"][round]["actions"][at] |= fields
    return changed


@for_each(
    "fields, sentence",
    [
        (
            changed(game_type="Draw"),
            "game_type: Draw can be any draw game, and the format has no action for a discard",
        ),
        (changed(game_type="Bridge"), "game_type: 'Bridge' with bet_type 'NL' is not a game of the format"),
        (changed(bet_limit=None), "bet_limit: missing; expected an object with bet_type"),
        (changed(players=[]), "player_id: 0 is not the id of a player"),
        (changed(dealer_seat="west"), "dealer_seat: expected a whole number, got 'west'"),
        (changed(rounds=[]), "players: expected at least 2 who take part, got 0"),
        (changed(rounds=7), "rounds: expected a list of objects, got 7"),
        (changed(pots=[]), "pots: missing, so the winners are unknown"),
        (
            changed(pots=[pot("31.5", {1: "31"}, "1.5")]),
            "pots: expected winnings and rake of 31.5, got 31 and 1.5",
        ),
        (changed(pots=[pot("40", {1: "40"})]), "pots: expected a total of 31.5, the chips put in, got 40"),
        (changed(start_date_utc="today"), "start_date_utc: expected a date, got 'today'"),
        (changed(small_blind_amount=-1), "small_blind_amount: expected 0 or more, got -1"),
        (changed(small_blind_amount="half"), "small_blind_amount: expected an amount, got 'half'"),
        (changed(flags="Fast"), "flags: expected a list of strings"),
        (acted(0, 3, amount=40), "round 1, action 4 (Raise): amount: expected at most 30, the stack of 'Cy', got 40"),
        (acted(0, 5, amount=1), "round 1, action 6 (Call): amount: expected 3 in total, got 2"),
        (acted(0, 3, amount=1), "round 1, action 4 (Raise): amount: expected a raise above 1, got 1"),
        (acted(0, 2, cards=["As", "As"]), "round 1, card As appears twice"),
        (acted(0, 2, cards=["As", "Kd", "Qd"]), "round 1, cards: expected at most 2 for 'Cy', got 3"),
        (acted(0, 3, action="Dances"), "round 1, action 4 (Dances): action: 'Dances' is not an action of the format"),
        (
            acted(4, 1, cards=["2c", "3c"]),
            "round 5, action 2 (Mucks Cards): cards: expected the cards that 'Cy' had before",
        ),
    ],
)  # fmt: skip
def test_nonsense_is_one_sentence_with_file_and_line(fields: Json, sentence: str) -> None:
    (found,) = find(spell(fields))
    assert str(found.error) == f"x.ohh, line 1: {sentence}"


def test_lenient_reading_continues_and_reports_errors() -> None:
    (found,) = find("\n\n" + spell(acted(1, 0, action="Yawns"), indent=1), lenient=True)
    assert found.notes == (Note(3, "action: 'Yawns' is not an action of the format"),)
    assert found.record is not None
    assert replay_leniently(found.record).mended == ("action 8: the record has no action of p2 here, so p2 checks",)


def test_a_file_is_known_by_its_beginning() -> None:
    assert recognise_ohh(spell(CASH, indent=4)[:200])
    assert not recognise_ohh('{"variant": "NT"}')


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (replace(read_one(spell(CASH)), variant="FB"), "Open Hand History has no name for limit badugi"),
        (
            replace(read_one(spell(WALK)), starting_stacks=(Decimal("Infinity"), 1, 2)),
            "starting_stacks: expected the stack of each player, got an unknown stack",
        ),
        (replace(read_one(spell(WALK)), actions=("p2 cc",)), "the record cannot be played: action 1: 'p2 cc'"),
    ],
)
def test_inexpressible_hand_is_refused(record: Record, sentence: str) -> None:
    with pytest.raises(OhhError) as caught:
        write_ohh(record)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("zone", "written"),
    [
        ({"time_zone": "Europe/Berlin"}, "2025-03-01T19:15:30Z"),
        ({"time_zone": None, "time_zone_abbreviation": "ET"}, "2025-03-02T01:15:30Z"),
        ({"time_zone": None, "time_zone_abbreviation": "Moon time"}, None),
    ],
)
def test_the_start_is_written_in_universal_time(zone: dict[str, Any], written: str | None) -> None:
    record = replace(read_one(spell(CASH)), **zone)
    assert json.loads(write_ohh(record))["ohh"].get("start_date_utc") == written


HANDS = 25
"""Random hands of each game."""


def attempt(record: Record) -> Record | OhhError:
    try:
        return again(record)
    except OhhError as error:
        return error


@pytest.mark.check
@pytest.mark.parametrize("code", GAMES.values())
def test_whatever_is_played_is_written_and_read_to_the_same_end_or_refused(code: str) -> None:
    refused = 0
    for number in range(HANDS):
        chance = Chance(15).fork(number)
        table = live_first(with_house_rules(some_table(chance, STRUCTURES[code]), chance))
        end, events = played(table, chance)
        record = record_hand(table.stacks, end, events)
        read = attempt(record)
        if isinstance(read, OhhError):
            assert "cannot express this hand" in str(read)
            refused += 1
            continue
        outcome = replay(read)
        assert outcome.finishing_stacks == end.stacks, number
        assert outcome.hand.board == end.board
        assert outcome.hand.house == end.house
        assert again(read) == read
    # Limit's big bet, a bring-in not paid in full and a straddle with a player's last chips have no words.
    assert refused <= HANDS // 3


JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, "", "x", -1, 0, 7, 10**30, 1e99, True, [], {}, ["As"], [1], [{}], {"id": 1}, "AsAs"]
)


@given(st.data())
def test_reading_any_object_fails_only_with_the_documented_error(data: st.DataObject) -> None:
    fields = json.loads(spell(data.draw(st.sampled_from([CASH, EVERYTHING, STUD, TWICE]))))
    inner: Any = fields
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(inner[key], dict | list) and inner[key] and data.draw(st.booleans()):
            inner = inner[key]
            continue
        inner[key] = data.draw(JUNK)
        break
    for lenient in (False, True):
        for found in find(json.dumps(fields), lenient=lenient):
            assert (found.record is None) != (found.error is None)
            assert found.error is None or "\n" not in str(found.error)


RAKED = replace(read_one(spell(CASH)), user={})
"""A hand whose rake is only visible in its winnings and finishing stacks, as in the hands of HandHQ."""


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"winnings": None},
        {"finishing_stacks": None},
        {"winnings": (0, 0, 0)},
    ],
)
def test_rake_known_only_from_the_result_is_not_given_to_the_winner(fields: dict[str, Any]) -> None:
    written = json.loads(write_ohh(replace(RAKED, **fields)))["ohh"]
    assert written["pots"] == [
        {"number": 0, "amount": 31.5, "rake": 1.5, "player_wins": [{"player_id": 1, "win_amount": 30}]}
    ]


def test_winnings_that_include_returned_bets_leave_the_rake() -> None:
    record = replace(read_one(spell(HEADS_UP)), user={}, finishing_stacks=None, winnings=(Decimal("2.9"), 0))
    (pot,) = json.loads(write_ohh(record))["ohh"]["pots"]
    assert (pot["amount"], pot["rake"], pot["player_wins"][0]["win_amount"]) == (2, 0.1, 1.9)


def test_a_rake_of_the_main_pot_alone_is_written_as_it_was_taken() -> None:
    raked = copy.deepcopy(TOURNAMENT)
    raked["ohh"]["rounds"][-1]["actions"][1]["cards"] = ["Kh", "Ks"]
    raked["ohh"]["pots"] = [pot("12", {2: "7"}, "5"), pot("112", {1: "112"})]
    record = read_one(spell(raked))
    assert record.finishing_stacks == (1440, 152, 7, 800)
    written = json.loads(write_ohh(record))["ohh"]["pots"]
    assert [(pot["rake"], pot["player_wins"][0]["win_amount"]) for pot in written] == [(5, 7), (0, 112)]
    assert again(record) == record


def test_an_outcome_that_the_rules_do_not_reach_is_refused() -> None:
    record = replace(RAKED, winnings=None, finishing_stacks=(20, 30, Decimal("14.5")))
    with pytest.raises(OhhError, match=r"^p1 ends with 19\.5 by the rules, but the record has 20$"):
        write_ohh(record)
