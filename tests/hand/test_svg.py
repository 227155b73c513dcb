"""A hand as a picture: well-formed, with what may be seen and nothing else, and names that cannot break out of it."""

import re
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from pitboss.betting.refusals import SetupError
from pitboss.cards import UNKNOWN
from pitboss.chance import Chance
from pitboss.game import PlayersTurn
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.state import boards
from pitboss.hand.structure import Structure
from pitboss.hand.text import draw_svg
from pitboss.records.record import Record
from pitboss.records.replay import play_record
from tests.support.for_each import for_each
from tests.support.laws.tables import TEMPERS, some_answer, some_table

SUIT = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    """Every text of a picture, in order."""
    return [node.text or "" for node in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def drawn_cards(picture: str) -> list[str]:
    """The cards of a picture: a rank with its sign after it, or a back."""
    found, all_texts = [], texts(picture)
    for text, following in zip(all_texts, [*all_texts[1:], ""], strict=True):
        if text == "?":
            found.append(UNKNOWN)
        elif following in SUIT:
            found.append(text + SUIT[following])
    return found


@pytest.mark.check
@for_each("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_a_picture_has_the_cards_on_the_table_and_no_others(structure: Structure) -> None:
    for seed in range(2):
        chance = Chance(seed)
        hand, _ = some_table(chance, structure, house=True).deal()
        while True:
            for seen in (hand, hand.view(None)):
                picture = draw_svg(seen)
                cards = [card for some in (*boards(seen), *seen.holes) for card in some]
                assert sorted(drawn_cards(picture)) == sorted(cards)
                bets = [f"{bet:,}" for bet in seen.round.bets if bet]
                assert not bets or set(bets) <= set(texts(picture))
                assert picture.count("#fbbf24") == len(bets) + isinstance(seen.turn, PlayersTurn)
            if hand.over:
                break
            hand, _ = hand.act(some_answer(hand, chance, TEMPERS[seed]))


def test_a_picture_has_a_size_for_programs_that_know_no_style_sheets() -> None:
    hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    picture = ElementTree.fromstring(draw_svg(hand))
    assert (picture.get("width"), picture.get("height")) == ("920", "600")
    assert "auto" not in picture.get("style", "")


def test_a_picture_has_the_amounts_of_a_record_and_unknown_stacks_as_inf() -> None:
    record = Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(Decimal("0.25"), Decimal("0.50")),
        min_bet=Decimal("0.50"),
        starting_stacks=(Decimal("Infinity"), Decimal("1234.5")),
        actions=("d dh p1 ????", "d dh p2 ????", "p2 cbr 3.75"),
    )
    playback = play_record(record)
    found = texts(draw_svg(playback.hand, money=playback.unit.amount))
    assert "no-limit hold'em, blinds 0.25/0.5" in found
    assert {"1,230.75", "3.75", "0.5", "inf", "pot 4.25"} <= set(found)
    assert "p1 may fold, call 3.25 or raise to 7-inf" in found


def test_a_notebook_shows_the_picture() -> None:
    hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    assert hand._repr_svg_() == draw_svg(hand)
    assert re.match(r'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 600" ', draw_svg(hand))


def test_names_are_text_and_never_markup() -> None:
    hand, _ = Hand.deal("no_limit_holdem", stacks=(1000, 1000), blinds=(10, 20), seed=7)
    picture = draw_svg(hand, names=("<script>", "a\"&'b"))
    assert "<script" not in picture
    assert {"<script>", "a\"&'b", "a\"&'b may fold, call 10 or raise to 40-1,000"} <= set(texts(picture))
    assert "A very long…" in texts(draw_svg(hand, names=("A very long name", "b")))
    with pytest.raises(SetupError, match=r"^names: expected 2, one per player, got 1$"):
        draw_svg(hand, names=("Ada",))


@for_each("players", [2, 6, 9, 10, 23])
def test_seats_do_not_overlap_and_are_in_the_picture(players: int) -> None:
    hand, _ = Hand.deal("no_limit_holdem", stacks=(1000,) * players, blinds=(10, 20), seed=1)
    root = ElementTree.fromstring(draw_svg(hand))
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    boxes = [node.attrib for node in root.iter(f"{SVG}rect") if node.attrib["width"] == "164.0"]
    spots = [(float(box["x"]), float(box["y"])) for box in boxes]
    assert len(spots) == players
    assert all(0 < x < wide - 164 and 0 < y < high - 92 for x, y in spots)
    for number, (x, y) in enumerate(spots):
        assert all(abs(x - other) >= 164 or abs(y - below) >= 92 for other, below in spots[:number])


@pytest.mark.parametrize("given", [None, 5, "NT 10/20"])
def test_a_picture_of_something_else_is_refused(given: object) -> None:
    with pytest.raises(SetupError, match=rf"^hand: expected a Hand, got {given!r}$"):
        draw_svg(given)  # type: ignore[arg-type]  # values that are not hands are refused too


def test_a_wide_name_ends_before_the_stack() -> None:
    """In DejaVu Sans Bold, wider than most, a W is 1.1 of its size, a figure 0.7, a dot or comma at most 1."""
    hand, _ = Hand.deal("holdem", stacks=(1_000_000, 100), blinds=(10, 20), seed=7)
    for name, widest in (("W" * 20, 1.103), ("\u738b" * 20, 1.0)):
        [shown, *_] = [text for text in texts(draw_svg(hand, names=(name, "b"))) if text.startswith(name[0])]
        assert shown.endswith("…")
        assert 14 * (widest * (len(shown) - 1) + 1 + 0.696 * 6 + 0.38 * 2) < 140  # 999,980 next to it


@for_each("players", range(3, 11))
def test_bets_do_not_overlap_pots(players: int) -> None:
    """With long names and every player all-in for another amount, each line ends before the bets at its height."""
    stacks = [30 + 20 * ((place - 2) % players) for place in range(players)]
    hand, _ = Hand.deal("holdem", stacks=stacks, blinds=(10, 20), seed=7)
    for _ in range(players - 1):
        hand, _ = hand.act("all in")
    picture = ElementTree.fromstring(draw_svg(hand, names=["Bartholomew the Elder"] * players))
    lines = [node for node in picture.iter(f"{SVG}text") if " for " in (node.text or "")]
    chips = [node for node in picture.iter(f"{SVG}rect") if node.get("height") == "24.0"]
    assert len(lines) > 1
    assert len(chips) >= players - 1
    for line in lines:
        middle, bottom, half = float(line.get("x", 0)), float(line.get("y", 0)), 12 * 0.55 * len(line.text or "") / 2
        for chip in chips:
            left, top, wide = [float(chip.get(key, 0)) for key in ("x", "y", "width")]
            beside = left + wide < middle - half or left > middle + half
            assert beside or top + 24 < bottom - 10 or top > bottom + 3
