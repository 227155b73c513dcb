"""Settings to play compiled hands at: games, stakes and stacks of every kind, drawn from one chance.

One number decides a setting, so that whatever fails is named by it.
"""

from typing import Any

from pitboss.betting.rules import Answers, Reopening
from pitboss.chance import Chance
from pitboss.fast.play.setup import MOST_SEATS, RunSetup, setup
from pitboss.hand.games import LIMIT_HOLDEM, NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM
from pitboss.hand.structure import Structure
from tests.support.laws.tables import BLINDS, some_stacks, some_stakes

GAMES = (NO_LIMIT_HOLDEM, NO_LIMIT_HOLDEM, POT_LIMIT_HOLDEM, LIMIT_HOLDEM)


def some_setting(chance: Chance) -> RunSetup:
    """Two to ten seats, any hold'em, any forced money, deep and tiny stacks; the button moves or stays."""
    seats = 2 + chance.below(MOST_SEATS - 1)
    structure = some_game(chance)
    small, big = chance.choice(BLINDS)
    return setup(
        seats,
        some_stacks(chance, seats, big),
        some_stakes(chance, seats, small, big, limit=structure.betting.exact),
        structure,
        chance.below(seats) if chance.below(3) == 0 else None,
    )


def some_game(chance: Chance) -> Structure:
    """No-limit, pot-limit or limit with either reopening; one in four has house rules of its own."""
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
    return chance.choice(GAMES).with_betting(**settings)
