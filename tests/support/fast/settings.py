"""Settings to play compiled hands at: games, stakes and stacks of every kind, drawn from one chance.

One number decides a setting, so that whatever fails is named by it.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pitboss.betting.rules import Answers, Reopening
from pitboss.cards import SHORT_DECK
from pitboss.chance import Chance
from pitboss.fast.play.setup import MOST_SEATS, RunSetup, setup
from pitboss.hand.games import (
    LIMIT_HOLDEM,
    NO_LIMIT_HOLDEM,
    OMAHA,
    POT_LIMIT_HOLDEM,
    SIX_CARD_OMAHA,
    STRUCTURES,
)
from pitboss.hand.structure import Ranking, Stakes, Street, Structure
from tests.support.laws.tables import BLINDS, some_stacks, some_stakes

HOLDEM = (NO_LIMIT_HOLDEM, NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, LIMIT_HOLDEM)

HOUSE_GAMES = (
    replace(LIMIT_HOLDEM, code="low", name="hold'em with a low", showdown=(Ranking("high"), Ranking("low")), keys=()),
    replace(
        OMAHA,
        code="short",
        name="short-deck Omaha",
        deck=SHORT_DECK,
        showdown=(Ranking("short", from_two=True),),
        keys=(),
    ),
    replace(
        SIX_CARD_OMAHA,
        code="early",
        name="Omaha of three streets, its first card of the board early",
        streets=(Street("ONE", hole=5, board=1), Street("THREE", board=2), Street("FIVE", board=2, big=True)),
        showdown=(Ranking("high", from_two=True), Ranking("low", from_two=True)),
        keys=(),
    ),
)
"""Draw unnamed games: rankings, deck and streets are newly combined."""

FLOP_GAMES = (*[game for game in STRUCTURES.values() if game.board_by_street[-1] and not game.faces], *HOUSE_GAMES)


def some_setting(chance: Chance, games: Sequence[Structure] = (*HOLDEM, *FLOP_GAMES)) -> RunSetup:
    """Two to ten seats, any of the games, any forced money, deep and tiny stacks; the button moves or stays."""
    structure = some_game(chance, games)
    seats = 2 + chance.below(min(MOST_SEATS, structure.most_players) - 1)
    small, big = chance.choice(BLINDS)
    stakes = some_stakes(chance, seats, small, big, limit=structure.betting.exact)
    return setup(
        seats,
        some_stacks(chance, seats, big),
        _with_a_price(chance, seats, stakes),
        structure,
        chance.below(seats) if chance.below(3) == 0 else None,
    )


def _with_a_price(chance: Chance, seats: int, stakes: Stakes) -> Stakes:
    """Sometimes the price is not posted, or another place than usual acts first."""
    kind = chance.below(12)
    if kind == 0:
        return replace(stakes, price=1 + chance.below(3 * stakes.min_bet))
    return replace(stakes, opener=chance.below(seats)) if kind == 1 else stakes


def some_game(chance: Chance, games: Sequence[Structure]) -> Structure:
    """One of the games with either reopening; one in four has house rules."""
    settings: dict[str, Any] = {"reopening": chance.choice((Reopening.SINGLE, Reopening.CUMULATIVE))}
    if chance.below(4) == 0:
        settings |= chance.choice(
            (
                {"reopening": Reopening.ALWAYS},
                {"answers": Answers.FOLLOWING},
                {"free_fold": False},
                {"short_raises": False},
                {"cap": chance.below(4)},
                {"cap": 2, "opening_counts": False},
            )
        )
    return chance.choice(games).with_betting(**settings)
