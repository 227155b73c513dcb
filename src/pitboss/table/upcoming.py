"""What a table's next hand is: which game of the list, for how long, a bomb pot or not, who kills or straddles it."""

from typing import TYPE_CHECKING

from pitboss.hand.structure import Structure
from pitboss.table.chairs import Chair, TableError
from pitboss.table.levels import TableStakes
from pitboss.table.mixed import Mixed
from pitboss.table.moving import Moved

if TYPE_CHECKING:
    from pitboss.table.table import Moving, Table


def next_game(table: "Table") -> int:
    """Which of the games comes: the chosen one, the same until its hands are played, or the one after it."""
    if table.chosen is not None:
        return table.chosen
    return (table.game + 1) % len(table.games.games) if table.left == 1 else table.game


def hands_left(table: "Table", game: int, dealt: int) -> int:
    """How many hands of a game there are with the next one, to which so many are dealt in."""
    if len(table.games.games) == 1:
        return 0
    if table.chosen is None and table.left > 1 and game == table.game:
        return table.left - 1
    return table.games.hands or dealt


def next_bomb(table: "Table", stakes: TableStakes) -> int:
    """The ante of the next hand where it is a bomb pot, asked for or due, else 0."""
    every = stakes.bomb_every
    if table.bomb_pot or not every or (table.hand + 1) % every:
        return table.bomb_pot
    return bomb_ante(stakes)


def bomb_ante(stakes: TableStakes) -> int:
    """Everybody's ante in a bomb pot, unless it is asked for with another."""
    return 2 * stakes.big_blind if stakes.bomb_ante is None else stakes.bomb_ante


def next_killer(table: "Table", stakes: TableStakes, structure: Structure, moved: Moved) -> int | None:
    """Who has won twice running and is dealt in, where limit games have a kill."""
    if stakes.kill is None or table.wins < 2 or not structure.betting.exact:
        return None
    seats = [chair.seat for chair in table.chairs if chair.who == table.winner]
    return seats[0] if seats and seats[0] in moved.dealt else None


# --- what may be asked for


def check_choice(table: "Table", game: Structure | str) -> int:
    """Which of the list a game is, where one may be chosen now."""
    _check_between(table, "the game is chosen")
    if not table.games.choice:
        raise TableError(f"nobody chooses at a table of {table.games.name}: the games follow each other")
    if table.left > 1:
        raise TableError(f"{table.structure.name} is played for {table.left - 1} more hands")
    return table.games.index(game)


def check_bomb(table: "Table", ante: int | None) -> int:
    """The ante of a bomb pot, where the next hand can be one."""
    _check_between(table, "a bomb pot is asked for")
    game = table.games.games[next_game(table)]
    if game.structure.betting.bring_in:
        raise TableError(f"{game.structure.name} has no bomb pots: its first street is the bring-in's")
    if ante is None:
        return bomb_ante(game.at(table.stakes, table.hand + 1))
    if type(ante) is not int or ante < 1:
        raise TableError(f"a bomb pot's ante is one chip or more, not {ante!r}")
    return ante


def check_straddle(table: "Table", seat: int, amount: int) -> Chair:
    """Whose straddle it is, where the hand that is set up can have one of this size."""
    if table.phase != "ready" or seat not in table.order:
        raise TableError(f"seat {seat} is in no hand that waits for its cards")
    if not table.has_blinds:
        raise TableError("nobody posts a blind in this hand, so nobody straddles")
    if table.killer in table.order or len(table.order) == 2:
        raise TableError("nobody straddles where the pot is killed or two are alone")
    chair = table.chair(seat)
    highest = max([table.now.big_blind, *[abs(other.blind) for other in table.chairs if not other.out]])
    if type(amount) is not int or not highest < amount <= chair.chips - chair.ante:
        raise TableError(f"a straddle is more than the {highest} before it and at most what one has, not {amount!r}")
    return chair


def check_games(games: Mixed, stakes: TableStakes, moving: "Moving") -> None:
    """Refuse stakes that one of the games cannot be played for at some level."""
    for game in games.games:
        own = stakes if game.stakes is None else game.stakes
        for hand in (1, *[level.from_hand for level in own.levels]):
            big = game.at(stakes, hand).big_blind
            if moving == "big_blind" and big % 2 and not game.structure.betting.bring_in:
                raise TableError(f"a missed small blind costs half a big one: of {big} that is no whole chip")


def _check_between(table: "Table", what: str) -> None:
    if table.phase in ("ready", "dealt"):
        raise TableError(f"{what} before a hand is set up")
