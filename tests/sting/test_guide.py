"""A player can look up everything, for every game, and what it says is true of the run."""

import pytest
from msgspec.structs import replace

from pitboss.sting.cards import default_cards
from pitboss.sting.events import NextHand, StingFold, StingRaise
from pitboss.sting.run import Run
from pitboss.sting.text import (
    bust_words,
    deck_note,
    difficulty_note,
    fold_words,
    guide,
    on_table,
    primer,
    unsold_words,
)
from tests.support.sting.tables import with_cards

CARDS = default_cards()


def test_the_guide_has_every_card_and_behaviour() -> None:
    run, _ = Run.start(seed=3)
    for sections in (guide(CARDS, run.difficulty), guide(CARDS, run.difficulty, run)):
        text = "\n".join(paragraph for section in sections for paragraph in section.paragraphs)
        assert all(f"{name}: " in text for name in CARDS.cards)
        assert "The Narc raises with" in text
        assert "The Customer raises with" in text
        assert "no insurance saves you" in text
        assert all(section.paragraphs for section in sections)


def test_guide_explains_the_cards_on_the_table_first() -> None:
    run, _ = Run.start(seed=3, decks={"player": "corner"}, difficulty="printed")
    assert guide(CARDS, run.difficulty, run)[0].title == "The rules"
    run, _ = run.act(StingRaise("Weed"))
    assert guide(CARDS, run.difficulty, run)[0].title == "On the table"
    assert on_table(run) == (
        "Narc · Donut Break ×2 · evidence: nothing",
        "You · Weed · product: sells for 30, Heat +5",
    )


@pytest.mark.parametrize("name", CARDS.difficulties)
def test_a_fold_costs_the_printed_price(name: str) -> None:
    run, _ = Run.start(seed=3, decks={"player": "corner"}, difficulty=name)
    run, _ = run.act(StingRaise("Weed"))
    after, _ = run.act(StingFold())
    said = fold_words(run)
    assert "profit 30 lost" in said
    assert (f"cash −{run.cash - after.cash}" in said) == (after.cash != run.cash)
    assert f"Heat +{after.heat - run.heat}" in said
    assert bust_words(run).startswith("the run is over")


def test_the_primer_and_the_notes_name_the_numbers_of_a_difficulty() -> None:
    for difficulty in CARDS.difficulties.values():
        text = " ".join(paragraph for section in primer(CARDS, difficulty) for paragraph in section.paragraphs)
        assert "Heat 100" in text
        assert (f"Have {difficulty.target} cash after {difficulty.hands} hands" in text) == bool(difficulty.hands)
        assert str(difficulty.target or "until you bust") in difficulty_note(difficulty)


def test_deck_notes_differ() -> None:
    notes = [deck_note(CARDS, name).split(".")[0] for name in CARDS.decks["player"]]
    assert len(set(notes)) == len(notes)


@pytest.mark.parametrize(("heat", "caught"), [(0, False), (60, True)])
def test_insurance_that_leads_to_being_caught_is_explained(heat: int, caught: bool) -> None:
    run, _ = Run.start(seed=3, difficulty="printed")
    saved = with_cards("Fake ID", heat=heat)
    run = replace(run, hand=replace(saved, state="DecisionPoint", gained=None, banked=None))
    said = bust_words(run)
    assert said.startswith("Fake ID saves you: Heat +40 + missing Cover")
    assert said.endswith("and you are caught") == caught


def test_a_hand_without_a_sale_costs_until_a_product_is_played() -> None:
    run, _ = Run.start(seed=3, decks={"player": "corner"}, difficulty="hard")
    assert unsold_words(run) == f"cash −{run.difficulty.idle}"
    assert unsold_words(run.act(StingRaise("Weed"))[0]) == ""
    printed, _ = Run.start(seed=3, difficulty="printed")
    assert unsold_words(printed) == ""


def test_the_guide_is_right_about_heat_after_a_fold() -> None:
    """Cards that lower the Heat do not in a folded hand; what cools between two hands still does."""
    text = " ".join(
        paragraph for section in guide(CARDS, CARDS.difficulty("normal")) for paragraph in section.paragraphs
    )
    assert "In a folded hand, cards never lower the Heat." in text
    run, _ = Run.start(seed=3, decks={"player": "corner"})
    run = replace(run, hand=replace(run.hand, heat_before=50), heat=50)
    folded, _ = run.act(StingFold())
    after, _ = folded.act(NextHand())
    assert (folded.heat, after.heat) == (50 + run.difficulty.fold_heat[0], folded.heat - run.difficulty.cools)
