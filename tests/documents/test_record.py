"""The document as a recorded hand and back: players who sit out, and amounts finer than a cent."""

from decimal import Decimal

from msgspec.structs import replace

from pitboss.documents import from_record, next_hand, read_back, written_out
from pitboss.formats.sites.pokerstars_writer import write_pokerstars
from pitboss.records.record import Record
from tests.support.formats.pokerstars import read_pokerstars
from tests.support.seeds.table_documents import some


def test_ruling_T10_player_who_sits_out_in_pokerstars_text_is_on_a_pause() -> None:
    """The text says nothing of a wish to come back, so the next hand must not deal the player in."""
    table = some(3, blinds=[1, 2, 0], _inactive=[0, 0, 1], _intents=[0, 0, 2], seats=[1, 2, 3], _button=0)
    table = replace(table, actions=("d dh p1 2c2d", "d dh p2 3c3d", "p1 f"))
    text = write_pokerstars(written_out(table))
    assert "is sitting out" in text
    (record,) = read_pokerstars(text)
    back = read_back(record)
    who = back.index("c")
    assert (back.inactive[who], back.intents[who]) == (1, 2)
    assert next_hand(back).inactive[who] == 1


def test_newcomer_who_waits_is_not_on_a_pause_in_the_record() -> None:
    table = some(3, blinds=[1, 2, 0], _inactive=[0, 0, 1], seats=[1, 2, 3], _button=0)
    assert read_back(written_out(table)).intents == (0, 0, 0)


def test_record_with_amounts_below_a_cent_becomes_a_document_with_a_finer_unit() -> None:
    record = Record(
        variant="NT",
        antes=(0, 0),
        blinds_or_straddles=(1, 2),
        min_bet=2,
        starting_stacks=(9, Decimal("8.125")),
        actions=("d dh p1 2c2d", "d dh p2 3c3d", "p2 cbr 4.5"),
    )
    assert from_record(record).unit == Decimal("0.001")
