"""Structures are found by their public names, by synonyms and by PHH's codes."""

import pytest

import pitboss
from pitboss.hand.games import NO_LIMIT_HOLDEM, OMAHA, PHH_CODES, RAZZ, STRUCTURES, NoSuchStructure, find_structure
from pitboss.hand.structure import Structure
from tests.support.for_each import for_each


@for_each("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_the_first_key_is_the_public_constant_in_lower_case(structure: Structure) -> None:
    assert getattr(pitboss, structure.key.upper()) is structure
    assert structure.key.upper() in pitboss.__all__


@for_each("structure", STRUCTURES.values(), ids=STRUCTURES)
def test_a_structure_is_found_by_every_key_and_by_its_code(structure: Structure) -> None:
    for name in (structure.code, *structure.keys):
        for spelled in (name, name.lower(), name.upper(), name.replace("_", "-"), f" {name}\n"):
            assert find_structure(spelled) is structure


def test_no_two_structures_share_a_name() -> None:
    names = [name for code, structure in STRUCTURES.items() for name in (code.lower(), *structure.keys)]
    assert len(names) == len(set(names))


def test_omaha_has_two_names() -> None:
    assert find_structure("omaha") is find_structure("pot_limit_omaha") is OMAHA


@pytest.mark.parametrize("name", ["", "poker", "no limit hold them", "x" * 10_000])
def test_unknown_name_is_refused_with_the_choices(name: str) -> None:
    with pytest.raises(NoSuchStructure) as refusal:
        find_structure(name)
    assert all(STRUCTURES[code].key in str(refusal.value) for code in PHH_CODES)
    assert len(str(refusal.value)) < 500


def test_the_old_names_of_card_counts_warn() -> None:
    with pytest.warns(DeprecationWarning, match=r"^Structure.own_by is now hole_by_street$"):
        assert RAZZ.own_by == RAZZ.hole_by_street == (3, 4, 5, 6, 7)
    with pytest.warns(DeprecationWarning, match=r"^Structure.common_by is now board_by_street$"):
        assert NO_LIMIT_HOLDEM.common_by == NO_LIMIT_HOLDEM.board_by_street == (0, 3, 4, 5)
