"""Remarks besides events: the winners of each pot, missed turns, tied tricks."""

from typing import Any

from msgspec.structs import replace

from pitboss.lab.engine.program import plain_program
from pitboss.lab.engine.state import GameState
from pitboss.lab.events import PotPaid, Remark, StepSkipped, TrickSatOut, TrickTied, TurnAgain, TurnMissed
from pitboss.lab.files import load
from pitboss.lab.game import LabGame
from pitboss.lab.genome import CardEffect, Deck, Genome, Setup, TurnStructure
from pitboss.lab.observer import payments
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.most_tricks import MostTricks
from tests.support.for_each import for_each


def settled(paid: tuple[int, ...], places: tuple[int, ...]) -> tuple[Any, GameState]:
    """A deal with side pots and these payments; the best hand has the highest place, and 0 has folded."""
    draw_poker = load("draw_poker")
    genome = replace(draw_poker, setup=replace(draw_poker.setup, pots="side"))
    state = GameState()
    state.n, state.starter = 3, 0
    state.paid[:3], state.tally[:3], state.folded[:3] = paid, places, [place == 0 for place in places]
    return plain_program(genome).games[0], state


@for_each(
    "paid, places, taken, pots",
    [
        ((10, 30, 30), (3, 2, 1), (30, 40, 0), (("main pot", (30, 0, 0)), ("side pot", (0, 40, 0)))),
        ((10, 30, 30), (1, 3, 2), (0, 90, 0), (("", (0, 20, 0)), ("main pot", (0, 30, 0)), ("side pot", (0, 40, 0)))),
        ((10, 10, 10), (2, 2, 1), (15, 15, 0), (("pot", (15, 15, 0)),)),
        ((10, 10, 5), (2, 2, 0), (13, 12, 0), (("pot", (13, 12, 0)),)),
        (
            (5, 10, 20),
            (3, 2, 1),
            (15, 10, 10),
            (("main pot", (15, 0, 0)), ("side pot 1", (0, 10, 0)), ("side pot 2", (0, 0, 10))),
        ),
    ],
)
def test_every_pot_is_reported_with_its_shares(
    paid: tuple[int, ...],
    places: tuple[int, ...],
    taken: tuple[int, ...],
    pots: tuple[tuple[str, tuple[int, ...]], ...],
) -> None:
    g, state = settled(paid, places)
    assert payments(g, state, taken) == tuple([PotPaid(name, shares) for name, shares in pots])


# --- turns and tricks


def remarks_of(game: LabGame, *moves: str) -> list[Remark]:
    """What is remarkable about the last of these moves."""
    remarks: tuple[tuple[int, Remark], ...] = ()
    for move in moves:
        game, _, remarks = game.act_with_remarks(move)
    return [remark for _, remark in remarks]


def of(*phases: Any, players: int = 3, cards: int = 2, **fields: Any) -> Genome:
    turns = TurnStructure(phases=phases, order="turns")
    deck = Deck(ranks="789TJQK", suits="hs")
    setup = Setup(cards_per_player=cards, initial_deck=deck)
    fields = {"win_conditions": (EmptyHand(),), **fields}
    return Genome(player_count=players, setup=setup, turn_structure=turns, **fields)


DEAL = ("7h", "8h", "9h", "7s", "8s", "9s")  # one at a time: seat 0 has sevens, seat 1 eights, seat 2 nines


def test_missed_and_extra_turns_are_reported_when_they_occur() -> None:
    skips = of(PlayPhase(), effects=(CardEffect(rank="7", effect="skip"),))
    assert remarks_of(LabGame.dealt(skips, deck=DEAL), "play 7h") == [TurnMissed(1)]
    again = of(PlayPhase(), effects=(CardEffect(rank="7", effect="again"),))
    assert remarks_of(LabGame.dealt(again, deck=DEAL), "play 7h") == [TurnAgain(0)]
    later = of(PlayPhase(), PlayPhase(optional=True), effects=(CardEffect(rank="7", effect="skip"),))
    game = LabGame.dealt(later, deck=DEAL)
    assert remarks_of(game, "play 7h") == []
    assert remarks_of(game, "play 7h", "pass") == [TurnMissed(1)]


def test_a_skipped_step_is_reported_with_its_reason() -> None:
    fits = of(PlayPhase(match=("rank",)))
    said = remarks_of(LabGame.dealt(fits, deck=DEAL), "play 7h")
    assert said == [StepSkipped(0, place, "no card fits") for place in (1, 2)]
    takes = of(PlayPhase(), DrawPhase(source="discard", count=2), cards=3)
    said = remarks_of(LabGame.dealt(takes), LabGame.dealt(takes).moves[0])
    assert said == [], "what has happened is no step that was skipped"
    stuck = of(DrawPhase(only_if_stuck=True), PlayPhase())
    assert remarks_of(LabGame.dealt(stuck, deck=DEAL), "play 7h") == [], "nobody was stuck"


def test_tied_tricks_and_players_without_cards_are_reported() -> None:
    tied = of(TrickPhase(blind=True, ties="stay"), PlayPhase(), players=2, win_conditions=(MostTricks(),))
    game, _, remarks = LabGame.start_with_remarks(tied, deck=("7h", "7s", "8h", "9s"))
    assert [remark for _, remark in remarks] == [TrickTied()]
    uneven = of(PlayPhase(), TrickPhase(), TrickPhase(), win_conditions=(MostTricks(),))
    game = LabGame.dealt(uneven, deck=DEAL)
    said = list[Remark]()
    while game.player is not None and not said:
        game, _, remarks = game.act_with_remarks(game.moves[0])
        said = [remark for _, remark in remarks if isinstance(remark, TrickSatOut)]
    assert said == [TrickSatOut(0)]
