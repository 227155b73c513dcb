"""What a table plays for, out of its settings: blinds, or in stud an ante and a bring-in; and limit's small bet."""

from pitboss.arena.journal.records import Settings, SettingsError
from pitboss.arena.v1.poker import TableFrame, variant_of
from pitboss.table.levels import StakesError, TableStakes
from pitboss.table.mixed import GameAtStakes, Mixed


def stakes_of(games: Mixed, settings: Settings) -> TableStakes:
    """The stakes of a table of these games; raises `SettingsError` where one of them cannot be played for them."""
    bring_in = any(game.structure.betting.bring_in for game in games.games)
    if settings.bring_in is not None and not bring_in:
        raise SettingsError(f"{games.name} has blinds, no bring-in")
    try:
        stakes = TableStakes(
            small_blind=settings.small_blind,
            big_blind=settings.big_blind,
            ante=settings.ante,
            bring_in=settings.bring_in,
        )
        for game in games.games:
            game.at(stakes, 1)
    except StakesError as error:
        raise SettingsError(str(error)) from None
    return stakes


def frame_of(games: Mixed, settings: Settings, variant: str | None = None) -> TableFrame:
    """What a hand is played for, in mixed games one of this variant.

    >>> from pitboss.table.mixed import games_of
    >>> frame = frame_of(games_of("razz"), Settings(big_blind=100))
    >>> frame.small_blind, frame.big_blind, frame.ante, frame.bring_in
    (0, 100, 25, 50)
    """
    game = game_of(games, variant)
    return TableFrame.of(game.structure, game.at(stakes_of(games, settings), 1), variant)


def game_of(games: Mixed, variant: str | None) -> GameAtStakes:
    """The game of a list that goes by this name; where none is named, its first."""
    if variant is None:
        return games.games[0]
    for game in games.games:
        if variant_of(game.structure) == variant:
            return game
    raise SettingsError(f"{games.name} has no game that is called {variant[:60]!r}")
