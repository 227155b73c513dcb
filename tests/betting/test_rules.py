"""Settings of a betting system: choices can be given as text; an invalid choice is refused and never stored."""

from collections.abc import Callable
from enum import IntEnum

import pytest

from pitboss.betting.rules import (
    NUMBERS,
    PRESETS,
    Answers,
    Ceiling,
    Opposition,
    Reopening,
    Rules,
    RulesError,
    fixed_limit,
    no_limit,
    pot_limit,
)
from pitboss.hand.games import NO_LIMIT_HOLDEM
from tests.support.for_each import for_each

CHOICES: dict[str, type[IntEnum]] = {
    "ceiling": Ceiling,
    "reopening": Reopening,
    "answers": Answers,
    "opposition": Opposition,
}


@pytest.mark.parametrize("setting", CHOICES)
def test_every_choice_can_be_given_as_text(setting: str) -> None:
    for choice in CHOICES[setting]:
        for text in (choice.name, choice.name.lower(), choice.name.title()):
            rules = no_limit(**{setting: text})
            assert rules == no_limit(**{setting: choice})
            assert type(getattr(rules, setting)) is CHOICES[setting]


@for_each("setting", CHOICES)
@for_each("given", ["", "sometimes", "cumulative ", 0, 1, True, None, 1.0, Reopening, ["single"]], ids=repr)
def test_invalid_choice_is_refused_with_the_choices(setting: str, given: object) -> None:
    with pytest.raises(RulesError, match=rf"^{setting}: expected '") as refusal:
        no_limit(**{setting: given})
    assert all(repr(choice.name.lower()) in str(refusal.value) for choice in CHOICES[setting])
    assert repr(given) in str(refusal.value)


def test_a_choice_of_another_setting_is_refused() -> None:
    with pytest.raises(RulesError, match="reopening: expected 'single' or 'cumulative' or 'always', got <Ceiling"):
        no_limit(reopening=Ceiling.POT)


def test_a_structure_takes_text_too() -> None:
    cumulative = NO_LIMIT_HOLDEM.with_betting(reopening="cumulative")
    assert cumulative.betting == no_limit(reopening=Reopening.CUMULATIVE)
    with pytest.raises(RulesError, match="reopening: expected"):
        NO_LIMIT_HOLDEM.with_betting(reopening="comulative")


def test_combinations_are_judged_after_the_text_is_read() -> None:
    with pytest.raises(RulesError, match="exact: requires ceiling='none'"):
        no_limit(exact=True, ceiling="pot")
    assert no_limit(ceiling="pot") == pot_limit()


@for_each("setting", [name for name in Rules.__struct_fields__ if name not in {*CHOICES, *NUMBERS}])
@for_each("given", ["yes", "", 0, 1, None], ids=repr)
def test_switches_accept_only_true_and_false(setting: str, given: object) -> None:
    with pytest.raises(RulesError, match=f"^{setting}: expected True or False, got "):
        no_limit(**{setting: given})


@for_each("setting", NUMBERS)
@for_each("given", ["4", 4.0, True, None], ids=repr)
def test_a_setting_that_is_a_number_takes_whole_numbers_only(setting: str, given: object) -> None:
    with pytest.raises(RulesError, match=rf"^{setting}: expected a whole number, got "):
        no_limit(**{setting: given})


@for_each("preset, step", [(no_limit, 40), (fixed_limit, -1)])
def test_a_second_step_needs_fixed_sizes(preset: Callable[..., Rules], step: int) -> None:
    with pytest.raises(RulesError, match=r"^second_step: expected 0, or with exact=True a number of chips, got "):
        preset(second_step=step)


@for_each("preset", PRESETS)
def test_every_preset_is_made_of_choices(preset: str) -> None:
    rules = PRESETS[preset]()
    assert {setting: type(getattr(rules, setting)) for setting in CHOICES} == CHOICES
