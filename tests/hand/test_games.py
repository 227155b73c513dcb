"""The games as data: their names and codes, and the page that lists them."""

import pytest

import pitboss
from pitboss.betting.events import Call, Check
from pitboss.betting.refusals import SetupError
from pitboss.hand.games import (
    LIMIT_HOLDEM,
    NO_LIMIT_HOLDEM,
    PHH_CODES,
    RAZZ,
    SEVEN_CARD_STUD,
    STRUCTURES,
    NoSuchStructure,
    find_structure,
)
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Stakes, Structure
from tests.support.for_each import for_each
from tests.support.games_page import PAGE, page

COUNTING = ("position.md", "tutorials/developers.md", "../README.md")


def test_the_page_lists_the_games_as_they_are() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_texts_that_count_the_games_count_right() -> None:
    assert len(STRUCTURES) == 42, "and the pages below say another number"
    texts = [pitboss.__doc__ or "", *[(PAGE.parent / name).read_text(encoding="utf-8") for name in COUNTING]]
    assert all("forty-two" in text.lower() for text in texts)


def test_every_variant_of_the_standard_is_there() -> None:
    assert [code for code in PHH_CODES if code not in STRUCTURES] == []


def test_every_game_has_a_public_constant_and_is_found_by_it_in_lower_case() -> None:
    constants = {name: value for name in pitboss.__all__ if isinstance(value := getattr(pitboss, name), Structure)}
    assert sorted(constants) == sorted(structure.key.upper() for structure in STRUCTURES.values())
    assert all(find_structure(name.lower()) is value for name, value in constants.items())


@for_each("code", STRUCTURES)
def test_every_game_is_found_by_its_code_in_capitals_or_not(code: str) -> None:
    assert find_structure(code) is find_structure(code.lower()) is STRUCTURES[code]


@pytest.mark.parametrize("name", ["fixed limit razz", "limit razz", "Limit-Razz", " fixed_limit  razz "])
def test_a_game_is_found_by_words_too(name: str) -> None:
    assert find_structure(name) is RAZZ


def test_short_forms_are_accepted_and_a_structure_is_itself() -> None:
    for name in ("nlhe", "NLH", "holdem", "HUNL", "no-limit", "NT", "No-Limit Holdem"):
        assert find_structure(name).key == "no_limit_holdem"
    assert find_structure("pot-limit").key == "pot_limit_holdem"
    assert find_structure("lhe") is find_structure("limit") is find_structure("FT")
    assert find_structure(RAZZ) is RAZZ


def test_no_two_games_share_a_name() -> None:
    names = [key for structure in STRUCTURES.values() for key in (structure.code.lower(), *structure.keys)]
    assert len(names) == len(set(names))


def test_unknown_game_lists_the_known_ones_in_one_sentence() -> None:
    with pytest.raises(NoSuchStructure, match=r"^no game is called 'chess': there are no_limit_holdem, .*razz"):
        find_structure("chess")


def test_stud_is_for_eight_and_nine_are_refused() -> None:
    stakes = Stakes(min_bet=20, big_bet=40, antes=(5,) * 9, bring_in=8)
    with pytest.raises(SetupError, match=r"^players: expected at most 8 in limit seven-card stud, got 9$"):
        Hand.start(SEVEN_CARD_STUD, stacks=(500,) * 9, stakes=stakes, deck=SEVEN_CARD_STUD.deck)


@pytest.mark.parametrize(("structure", "step"), [(LIMIT_HOLDEM, 40), (NO_LIMIT_HOLDEM, 20)], ids=["limit", "no-limit"])
def test_fixed_limit_big_bet_defaults_to_twice_the_small_bet(structure: Structure, step: int) -> None:
    stakes = Stakes(min_bet=20, posts=pitboss.blinds(2, 10, 20))
    hand, _ = Hand.start(structure, stacks=(500, 500), stakes=stakes, deck=structure.deck)
    hand, _ = hand.act(Call())
    for _ in range(3):
        hand, _ = hand.act(Check())
    assert (hand.street_name, hand.offer.bet.min_to if hand.offer.bet else None) == ("TURN", step)


@for_each(
    "stakes, sentence",
    [
        (Stakes(min_bet=20), "bring_in: expected 1 to 20 in .*, got 0"),
        (Stakes(min_bet=20, bring_in=21), "bring_in: expected 1 to 20 in .*, got 21"),
        (Stakes(min_bet=20, bring_in=8, posts=pitboss.blinds(2, 10, 20)), "has a bring-in instead"),
        (Stakes(min_bet=20, bring_in=8, runs=2), "runs: expected 1, got 2: .* has no board"),
        (Stakes(min_bet=20, bring_in=8, antes=(5, 5), bomb=True), "has no bomb pots"),
    ],
)
def test_forced_bets_that_a_game_has_not_are_refused(stakes: Stakes, sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        Hand.start(RAZZ, stacks=(500, 500), stakes=stakes)


def test_posts_and_antes_may_be_lists() -> None:
    posts = pitboss.blinds(3, 10, 20)
    listed = Stakes(min_bet=20, posts=list(posts), antes=[1, 1, 1])  # type: ignore[arg-type]  # lists are accepted at run time
    assert listed == Stakes(min_bet=20, posts=posts, antes=(1, 1, 1))
    assert Hand.start("no_limit_holdem", stacks=[500, 500, 500], stakes=listed)[0].pot == 33
