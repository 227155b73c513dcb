"""What a table plays for, out of its settings: blinds, or in stud an ante and a bring-in; and limit's small bet."""

from pitboss.arena.journal.records import Settings, SettingsError
from pitboss.arena.v1.poker import TableFrame
from pitboss.hand.structure import Structure
from pitboss.table.levels import TableStakes


def frame_of(structure: Structure, settings: Settings) -> TableFrame:
    """What a hand of this structure is played for; raises `SettingsError` where the settings do not fit it.

    >>> from pitboss.hand.games import RAZZ
    >>> frame = frame_of(RAZZ, Settings(big_blind=100))
    >>> frame.small_blind, frame.big_blind, frame.ante, frame.bring_in
    (0, 100, 25, 50)
    """
    small, big, ante, bring_in = settings.small_blind, settings.big_blind, settings.ante, settings.bring_in
    if not structure.betting.bring_in:
        if bring_in is not None:
            raise SettingsError(f"{structure.name} has blinds, no bring-in")
        return TableFrame(small, big, ante or 0)
    ante = max(1, big // 4) if ante is None else ante
    bring_in = max(1, big // 2) if bring_in is None else bring_in
    if bring_in > big:
        raise SettingsError(f"the bring-in, {bring_in}, is above the small bet, {big}")
    return TableFrame(0, big, ante, bring_in)


def table_stakes(frame: TableFrame) -> TableStakes:
    """The same as the table knows it."""
    if frame.bring_in:
        return TableStakes(small_blind=0, big_blind=0, ante=frame.ante, least_bet=frame.big_blind)
    return TableStakes(small_blind=frame.small_blind, big_blind=frame.big_blind, ante=frame.ante)
