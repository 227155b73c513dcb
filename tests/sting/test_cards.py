"""Cards as data: another file makes another game, and a broken one is refused naming card and field."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.sting.cards import CardsError, Totals, default_cards, load_cards, read_cards_file
from tests.support.for_each import for_each
from tests.support.sting.tables import NAMES, played_out, start

SMALL = """
[cards]
"Tip" = { kind = "evidence", evidence = 7 }
"Tea" = { kind = "product", price = 9, heat = 1 }
"Thirds" = { kind = "deal", multiplier = 0.1 }
"Fog" = { kind = "cover", cover = 4 }
[decks.narc]
only = { "Tip" = 3 }
[decks.customer]
only = { "Thirds" = 3 }
[decks.player]
only = { "Tea" = 2, "Fog" = 1 }
other = { "Tea" = 3 }
"""


def test_another_file_makes_another_game(tmp_path: Path) -> None:
    file = tmp_path / "cards.toml"
    file.write_text(SMALL + "[run]\ncaught_at = 30\ncash = 5\n", encoding="utf-8")
    cards = load_cards(file)
    assert (cards.caught_at, cards.cash) == (30, 5)
    assert cards.deck("player") == ("Tea", "Tea", "Fog")
    assert cards.deck("player", "other") == ("Tea",) * 3
    hand = start(cards=cards, narc=["Tip"], customer=["Thirds"], player=["Tea"])
    assert played_out(hand).outcome == "success"
    assert cards.totals(["Tea", "Thirds", "Tip"]) == Totals(evidence=7, heat=1, profit=0)
    assert cards.cards["Thirds"].multiplier == Fraction(1, 10)  # as written, not as a float stores it


def test_defaults_of_a_run() -> None:
    cards = read_cards_file(SMALL)
    assert (cards.caught_at, cards.cash) == (100, 0)


def test_the_file_is_kept_with_the_cards() -> None:
    assert read_cards_file(default_cards().text) == default_cards()


def test_an_unknown_deck_is_refused_naming_those_there_are() -> None:
    with pytest.raises(CardsError, match="unknown player deck 'x': expected one of corner, ghost, kingpin"):
        default_cards().deck("player", "x")


@for_each(
    "change, sentence",
    [
        (
            ("price = 9", 'price = "9"'),
            "card 'Tea', field 'price': expected a whole number from -1000000 to 1000000, got '9'",
        ),
        (
            ("price = 9", "price = 9.5"),
            "card 'Tea', field 'price': expected a whole number from -1000000 to 1000000, got 9.5",
        ),
        (
            ("price = 9", "price = true"),
            "card 'Tea', field 'price': expected a whole number from -1000000 to 1000000, got True",
        ),
        (
            ("price = 9", "price = 1000001"),
            "card 'Tea', field 'price': expected a whole number from -1000000 to 1000000, got 1000001",
        ),
        (("price = 9", "cover = 9"), "card 'Tea' (product) has no field 'cover': expected one of kind, price, heat"),
        (
            ('"product"', '"magic"'),
            (
                "card 'Tea', field 'kind': expected one of product, location, evidence, "
                "cover, deal, insurance, conviction, got 'magic'"
            ),
        ),
        (('kind = "product", ', ""), "card 'Tea' needs a field 'kind'"),
        (
            ('"product"', "[]"),
            (
                "card 'Tea', field 'kind': expected one of product, location, evidence, "
                "cover, deal, insurance, conviction, got []"
            ),
        ),
        (('"evidence", evidence = 7', '"insurance", penalty = 7'), "card 'Tip' (insurance) needs a field 'cost'"),
        (('"evidence", evidence = 7', '"insurance", cost = 7'), "card 'Tip' (insurance) needs a field 'penalty'"),
        (('"evidence", evidence', '"conviction", evidence'), "card 'Tip' (conviction) needs a field 'threshold'"),
        (('{ kind = "product", price = 9, heat = 1 }', "3"), "card 'Tea': expected a table with a kind, got 3"),
        (("= 0.1", '= "x"'), "card 'Thirds', field 'multiplier': expected a number from 0 to 1000, got 'x'"),
        (("= 0.1", "= -1"), "card 'Thirds', field 'multiplier': expected a number from 0 to 1000, got -1"),
        (("= 0.1", "= nan"), "card 'Thirds', field 'multiplier': expected a number from 0 to 1000, got nan"),
        (('"Tip" = { kind', '"??" = { kind'), "card '??': expected a printable name"),
        (('"Tip" = { kind', '"Tip " = { kind'), "card 'Tip ': expected a printable name"),
        (('"Fog" = 1', '"Tip" = 1'), "deck player.only: 'Tip' is evidence, which only opponents can play"),
        (('"Tip" = 3', '"Top" = 3'), "deck narc.only: unknown card 'Top'"),
        (('"Tip" = 3', '"Tip" = 0'), "deck narc.only, field 'Tip': expected a whole number from 1 to 1000, got 0"),
        (('{ "Tip" = 3 }', "{}"), "deck narc.only: expected a table of cards and their numbers, got {}"),
        (('{ "Tip" = 3 }', "3"), "deck narc.only: expected a table of cards and their numbers, got 3"),
        (("[decks.narc]", "[decks.cop]"), "decks has no field 'cop': expected one of narc, customer, player"),
        (('only = { "Tip" = 3 }', ""), "decks.narc: expected at least one deck"),
        (("[cards]", "[tricks]"), "the file has no field 'tricks'"),
        (("[cards]", "[run]\nspeed = 3\n[cards]"), "run has no field 'speed': expected one of caught_at, cash"),
        (("[cards]", "run = 3\n[cards]"), "run: expected a table, got 3"),
        (
            ("[cards]", "[run]\ncaught_at = 0\n[cards]"),
            "run, field 'caught_at': expected a whole number from 1 to 1000000, got 0",
        ),
        (("[cards]", "[cards"), "not valid TOML: "),
    ],
)
def test_a_broken_file_is_refused_naming_card_and_field(change: tuple[str, str], sentence: str) -> None:
    assert change[0] in SMALL
    with pytest.raises(CardsError) as caught:
        read_cards_file(SMALL.replace(*change, 1))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[cards]\n", "cards = 3", "[cards]\n[decks]\n"])
def test_a_file_without_cards_or_decks_is_refused(text: str) -> None:
    with pytest.raises(CardsError):
        read_cards_file(text)


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(CardsError, match=r"none\.toml cannot be read: No such file"):
        load_cards(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"\xff")
    with pytest.raises(CardsError, match=r"latin\.toml is not UTF-8 text"):
        load_cards(tmp_path / "latin.toml")
    (tmp_path / "wrong.toml").write_text("[cards]\n", encoding="utf-8")
    with pytest.raises(CardsError, match=r"wrong\.toml: cards: expected at least one card"):
        load_cards(tmp_path / "wrong.toml")


@given(st.lists(st.sampled_from(NAMES), max_size=9))
def test_the_order_of_cards_matters_only_for_products_and_locations(played: list[str]) -> None:
    cards = default_cards()
    last = ("product", "location")
    mixed = sorted(played, key=lambda card: cards.cards[card].kind in last)
    assert cards.totals(played) == cards.totals(mixed)
