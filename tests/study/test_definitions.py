"""Every definition of docs/reference/statistics.md has a hand that counts and one that does not, and they are right."""

import re
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.formats.phh import read_phh
from pitboss.records.record import Record
from pitboss.study.rows import PlayerStatistics
from pitboss.study.statistics import statistics
from tests.support.for_each import for_each

PAGE = Path(__file__).parent.parent.parent / "docs" / "reference" / "statistics.md"
CLAIM = re.compile(
    r"^(?P<kind>Counts|Does not count)[^:]*: `(?P<field>\w+)` of (?P<player>\w+) is "
    r"(?P<value>-?[\d.]+?)(?: of (?P<chances>\d+))?\.\n\n```toml\n(?P<hand>.*?)```",
    re.MULTILINE | re.DOTALL,
)
CHANCES = {
    "vpip": "vpip_hands",
    "pfr": "vpip_hands",
    "three_bet": "three_bet_hands",
    "c_bet": "c_bet_hands",
    "aggression": "aggression_actions",
    "wtsd": "wtsd_hands",
    "wsd": "wsd_hands",
}
CONTRACT = [
    "player",
    "hands",
    "won",
    "bb_per_100",
    "all_in_adjusted",
    "vpip",
    "pfr",
    "three_bet",
    "c_bet",
    "aggression",
    "wtsd",
    "wsd",
]
"""The names that programs rely on."""


class Claim(NamedTuple):
    """A claim of the page about one hand."""

    kind: str
    field: str
    player: str
    value: str
    chances: str | None
    hand: str


def claims() -> list[Claim]:
    """All claims, in the page's order."""
    return [Claim(*found.group(*Claim._fields)) for found in CLAIM.finditer(PAGE.read_text(encoding="utf-8"))]


def make_record(hand: str) -> Record:
    """Return the hand of a claim: its own fields, and the page's defaults for all hands."""
    usual = re.search(r"```toml\n(variant = .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert usual is not None
    fields: dict[str, Any] = tomllib.loads(usual[1]) | tomllib.loads(hand)
    fields = {name: value for name, value in fields.items() if value is not False}
    if not fields["actions"][0].startswith("d dh"):
        fields["actions"] = [*[f"d dh p{place} ????" for place in (1, 2, 3)], *fields["actions"]]
    return read_phh("".join(f"{name} = {spell(value)}\n" for name, value in fields.items()))


def spell(value: object) -> str:
    """Return a value in TOML, as far as these hands need it."""
    if isinstance(value, list):
        return f"[{', '.join(map(spell, value))}]"
    return f"'{value}'" if isinstance(value, str) else str(value)


@for_each("claim", claims(), ids=lambda claim: f"{claim.field}-{claim.kind}-{claim.value}")
def test_example_hand_of_the_page_counts_as_stated(claim: Claim) -> None:
    counted = statistics(make_record(claim.hand))
    assert counted.skipped == ()
    row = next((row for row in counted if row.player == claim.player), None)
    if claim.field == "hands":
        assert (0 if row is None else row.hands) == int(claim.value)
        return
    assert row is not None
    value = getattr(row, claim.field)
    if claim.chances is None:
        assert round(Decimal(value), 6) == Decimal(claim.value)
    else:
        chances = getattr(row, CHANCES[claim.field])
        assert chances == int(claim.chances)
        assert value == (int(claim.value) / chances if chances else None)


def test_every_field_of_the_contract_has_a_hand_on_each_side() -> None:
    sides = {(claim.field, claim.kind) for claim in claims()}
    wanted = {(field, kind) for field in CONTRACT if field != "player" for kind in ("Counts", "Does not count")}
    assert wanted <= sides
    assert len(claims()) == PAGE.read_text(encoding="utf-8").count("```toml") - 1


def test_the_page_lists_every_field_of_the_contract() -> None:
    page = (PAGE.parents[1] / "statistics.md").read_text(encoding="utf-8")
    fields = [field for field in PlayerStatistics.__struct_fields__ if field != "group"]
    assert [field for field in fields if f"`{field}`" not in page] == []
    assert [field for field in fields if field in CONTRACT] == CONTRACT
