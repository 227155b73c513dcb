"""A table in the list of tables: who is at it, who is missing, and whether one can still take a seat."""

from collections.abc import Sequence

from pitboss.arena.journal.fold import History
from pitboss.arena.v1 import messages as wire


def summarise(
    history: History,
    config: wire.Config,
    players: Sequence[wire.LobbyPlayer],
    *,
    over: bool,
    closed: bool,
    hand_id: str | None = None,
    phase: wire.Phase | None = None,
) -> wire.Summary:
    """The summary of a table with these players; where it is closed nobody new may come, whatever seats are empty."""
    teams = history.teams
    here = {player.team for player in players}
    missing = () if closed else tuple([team for team in teams or () if team not in here])
    empty = 0 if closed else history.settings.seats - len(players)
    return wire.Summary(
        table_id=history.table_id,
        config=config,
        players=tuple(players),
        hand_id=hand_id,
        phase=phase,
        over=over,
        open=empty > 0 and teams is None,
        free=empty if teams is None else min(empty, len(missing)),
        missing=missing,
    )
