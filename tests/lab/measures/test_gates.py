"""Each reason to reject a game, shown by a game that has it, and the known games that pass."""

from msgspec.structs import replace

from pitboss.lab.files import known_games, load
from pitboss.lab.genome import Genome
from pitboss.lab.measures.measure import gate
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.discard import DiscardPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.variation.edits import with_phases
from pitboss.lab.wins.best_hand import BestHand
from pitboss.lab.wins.capture_all import CaptureAll
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.high_score import HighScore
from pitboss.lab.wins.low_score import LowScore
from tests.support.for_each import for_each

POKER, WAR, BET = load("simple_poker"), load("betting_war"), BettingPhase(min_bet=10, max_raises=1)


def stakes(chips: int, bet: int, deals: int) -> Genome:
    return with_phases(
        replace(POKER, setup=replace(POKER.setup, starting_chips=chips, deals=deals)), (BettingPhase(min_bet=bet),)
    )


BAD = {
    "no card is moved between": with_phases(POKER, (BET, BET)),
    "they hardly matter": stakes(chips=2000, bet=1, deals=1),
    "players are all-in at once": stakes(chips=20, bet=15, deals=5),
    "checking forever": replace(POKER, setup=replace(POKER.setup, ante=0)),
    "many points and another rewards few": replace(load("scopa"), win_conditions=(HighScore(), LowScore())),
    "holding good ones": replace(load("gin"), win_conditions=(EmptyHand(), BestHand())),
    "taking all of them": replace(load("cheat"), win_conditions=(EmptyHand(), CaptureAll())),
    "earlier deals decide": replace(
        with_phases(load("scopa"), (BET, *load("scopa").turn_structure.phases)),
        setup=replace(load("scopa").setup, starting_chips=200, ante=10, deals=5),
    ),
    "discard their whole hand": with_phases(
        replace(POKER, setup=replace(POKER.setup, cards_per_player=2)), (DiscardPhase(count=2, replace=True), BET)
    ),
    "the players need to draw": with_phases(
        replace(POKER, setup=replace(POKER.setup, cards_per_player=20)), (DiscardPhase(count=7, replace=True), BET)
    ),
    "as many as it removes": with_phases(load("crazy_eights"), (PlayPhase(match=("suit", "rank")), DrawPhase(count=1))),
    "hardly anything to choose": load("war"),
    "all players can see who will win": replace(  # the only trick is shown first, and then there are bets on it
        WAR,
        setup=replace(WAR.setup, cards_per_player=2),
        turn_structure=replace(
            WAR.turn_structure, rounds=1, phases=(*WAR.turn_structure.phases[::-1], DiscardPhase(optional=True))
        ),
    ),
}


@for_each("why", BAD)
def test_a_bad_game_is_rejected_with_the_reason(why: str) -> None:
    assert why in str(gate(BAD[why]))


def test_all_but_three_known_games_pass() -> None:
    rejected = {name for name in known_games() if gate(load(name))}
    assert rejected == {"war", "old_maid", "cheat"}
