"""Cards as people type them, and exactly as they are written; invalid cards are refused in one sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import DECK, RANKS, CardError, CardTwiceError, read_cards, read_written_cards, write_cards
from tests.support.for_each import for_each

TYPED = {
    "as, Kd": ("As", "Kd"),
    "AS KD": ("As", "Kd"),
    "asKD": ("As", "Kd"),
    "aS,kD;tC": ("As", "Kd", "Tc"),
    "10h 10s": ("Th", "Ts"),
    "10h9H": ("Th", "9h"),
    "A♠ K♦ q♥ 10♣": ("As", "Kd", "Qh", "Tc"),
    "A♠\ufe0fK♤ Q♡2♢3♧": ("As", "Ks", "Qh", "2d", "3c"),
    " a s\tk d\n": ("As", "Kd"),
    "": (),
    " , ": (),
    "??": ("??",),
    "a? ?S": ("A?", "?s"),
}


@for_each("text, cards", TYPED.items())
def test_cards_are_read_as_people_type_them(text: str, cards: tuple[str, ...]) -> None:
    assert read_cards(text) == cards


@for_each(
    "text, card",
    [
        ("Kx", "Kx"),
        ("AsK", "K"),
        ("1h", "1h"),
        ("sA", "sA"),
        ("A-s", "A-"),
        ("XX", "XX"),
        ("as ♠k", "♠k"),
        ("0h", "0h"),
        ("100h", "T0"),
        ("ſs", "ſs"),
        ("as kß", "kß"),
    ],
)
def test_invalid_cards_are_refused_in_one_sentence(text: str, card: str) -> None:
    with pytest.raises(CardError) as refusal:
        read_cards(text)
    assert str(refusal.value) == f"unknown card {card!r}: write a rank of {RANKS} and a suit of cdhs, such as As"


@for_each("given", ["AsAs", "As,As", "as, A♠", ["As", "Kd", "As"], "?? As ?? As"])
def test_duplicate_cards_are_refused(given: str | list[str]) -> None:
    with pytest.raises(CardTwiceError, match=r"^card As appears twice$"):
        read_cards(given)


@for_each("given", [None, 7, ("As", 7), b"As", {"As"}])
def test_cards_are_read_from_text(given: object) -> None:
    with pytest.raises(CardError, match=r"^expected cards as text such as 'As Kd', got "):
        read_cards(given)  # type: ignore[arg-type]  # values that are not text are refused too


@for_each("text", ["as", "AS", "A♠", "10h", "As,Kd"])
def test_files_contain_cards_exactly_as_written(text: str) -> None:
    with pytest.raises(CardError, match=r"^unknown card "):
        read_written_cards(text)


@given(cards=st.lists(st.sampled_from(DECK), unique=True), data=st.data())
def test_case_signs_and_separators_make_no_difference(cards: list[str], data: st.DataObject) -> None:
    def typed(card: str) -> str:
        rank, suit = card[0], card[1]
        ranks = [rank, rank.lower()] + (["10"] if rank == "T" else [])
        suits = [suit, suit.upper(), "♣♦♥♠"["cdhs".index(suit)]]
        ways = [r + s + between for r in ranks for s in suits for between in ("", " ", ",", ", ")]
        return data.draw(st.sampled_from(ways))

    assert read_cards("".join(map(typed, cards))) == tuple(cards)
    assert read_written_cards(write_cards(cards)) == tuple(cards)


def test_cards_in_a_list_are_read_one_after_the_other() -> None:
    assert read_cards(["As", "kd, 10h"]) == read_cards(("as", "Kd", "T♥")) == ("As", "Kd", "Th")
    with pytest.raises(CardError, match=r"^unknown card 'Kx'"):
        read_cards(["As", "Kx"])
    with pytest.raises(CardError, match=r"^expected cards as text such as 'As Kd', got \['As', 5\]"):
        read_cards(["As", 5])  # type: ignore[list-item]  # values that are not text are refused too
