"""A deck is bound before it is dealt: single cards open against the commitment, and nothing else does."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss.arena.journal.commitment import deck_of, matches_commitment, public_number, shuffle
from pitboss.cards import DECK

secrets = st.binary(min_size=32, max_size=32)


@given(secrets)
def test_a_deck_has_every_card_once_and_every_card_opens(secret: bytes) -> None:
    deal = shuffle(secret)
    assert sorted(deal.deck) == sorted(DECK)
    assert deal.deck == deck_of(secret)
    assert all(matches_commitment(deal.open(at), deal.commit) for at in range(52))


@given(secrets, st.integers(0, 51), st.data())
def test_no_other_card_place_salt_or_path_opens(secret: bytes, at: int, data: st.DataObject) -> None:
    deal = shuffle(secret)
    opened = deal.open(at)
    other_card = data.draw(st.sampled_from([card for card in DECK if card != opened.card]))
    other_place = data.draw(st.sampled_from([place for place in range(52) if place != at]))
    for lie in (
        replace(opened, card=other_card),
        replace(opened, at=other_place),
        replace(opened, salt=bytes(16)),
        replace(opened, path=opened.path[1:]),
        replace(opened, path=(*opened.path, bytes(32))),
        replace(opened, path=opened.path[::-1]),
    ):
        assert not matches_commitment(lie, deal.commit)


def test_a_secret_decides_the_deck_and_the_commitment() -> None:
    """Golden values: another program must come to the same."""
    deal = shuffle(bytes(range(32)))
    assert "".join(deal.deck[:10]) == "5s5d6c9h8dJhKh2dTcAh"
    assert deal.commit == "309964da6234c3c38a26e5419ce3c7af10ab41bc8199bd3d62996bc0d57e1332"
    assert deal.open(0).salt.hex() == "f960454af2cf7ae3390fc558bec51a7a"


def test_the_public_number_is_read_exactly_by_every_language() -> None:
    assert public_number("f" * 64) == 2**52 - 1


@pytest.mark.parametrize("place", [0, 25, 51])
def test_shuffles_favour_no_card_at_any_place(place: int) -> None:
    """The chance that a fair shuffle fails this is below one in a million."""
    hands = 5200
    counts = Counter(deck_of(number.to_bytes(32, "big"))[place] for number in range(hands))
    spread = sum((counts[card] - hands / 52) ** 2 / (hands / 52) for card in DECK)
    assert spread < 112  # chi-squared with 51 degrees of freedom
