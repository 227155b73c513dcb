"""What is not worth measuring, each reason by a game that has it, and the known games that pass."""

from msgspec.structs import replace

from pitboss.lab.files import known_games, load
from pitboss.lab.genome import Genome
from pitboss.lab.measures.gates import gate
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
    "there are bets again": with_phases(POKER, (BET, BET)),
    "they hardly matter": stakes(chips=2000, bet=1, deals=1),
    "who bets at all is all-in": stakes(chips=20, bet=15, deals=5),
    "checking for ever": replace(POKER, setup=replace(POKER.setup, ante=0)),
    "many points and another few": replace(load("scopa"), win_conditions=(HighScore(), LowScore())),
    "good ones held": replace(load("gin"), win_conditions=(EmptyHand(), BestHand())),
    "all of them": replace(load("cheat"), win_conditions=(EmptyHand(), CaptureAll())),
    "old deals decide": replace(
        with_phases(load("scopa"), (BET, *load("scopa").turn_structure.phases)),
        setup=replace(load("scopa").setup, starting_chips=200, ante=10, deals=5),
    ),
    "throws away the whole hand": with_phases(
        replace(POKER, setup=replace(POKER.setup, cards_per_player=2)), (DiscardPhase(count=2, replace=True), BET)
    ),
    "too few for everybody": with_phases(
        replace(POKER, setup=replace(POKER.setup, cards_per_player=20)), (DiscardPhase(count=7, replace=True), BET)
    ),
    "as many as it takes away": with_phases(
        load("crazy_eights"), (PlayPhase(match=("suit", "rank")), DrawPhase(count=1))
    ),
    "hardly anything to choose": load("war"),
    "everybody can see who will win": replace(  # the only trick is turned up first, and then there are bets on it
        WAR,
        setup=replace(WAR.setup, cards_per_player=2),
        turn_structure=replace(
            WAR.turn_structure, rounds=1, phases=(*WAR.turn_structure.phases[::-1], DiscardPhase(optional=True))
        ),
    ),
}


@for_each("why", BAD)
def test_a_gate_says_in_a_sentence_what_is_wrong(why: str) -> None:
    assert why in str(gate(BAD[why]))


def test_known_games_that_are_worth_measuring_pass() -> None:
    refused = {name for name in known_games() if gate(load(name))}
    assert refused == {"war", "old_maid", "cheat"}
