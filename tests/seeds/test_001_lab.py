"""Seed 001 through the lab: its listed tests under their names, and its printed code held against games of the lab.

`test_001_betting.py` asks the same of the betting kernel alone; here whole games are played from genomes.
"""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.lab.files import known_games, load, read_genome, write_genome
from pitboss.lab.game import LabGame
from pitboss.lab.genome import problems
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.variation import mutations
from pitboss.lab.variation.mutations import random_genome
from tests.support.for_each import for_each
from tests.support.seeds.lab_tables import finish, offered, places_to_act, play, table, won_the_deal
from tests.support.seeds.printed_001 import Printed, Spins

# --- move generation


def test_betting_moves_no_current_bet() -> None:
    """TestBettingMoves_NoCurrentBet: CHECK, BET available."""
    assert offered(table(100, 100)) == {"check", "bet"}


def test_betting_moves_with_current_bet() -> None:
    """TestBettingMoves_WithCurrentBet: CALL, RAISE, FOLD available."""
    assert offered(play(table(100, 100), "bet")) == {"call", "raise", "fold"}


def test_betting_moves_cant_afford_call() -> None:
    """TestBettingMoves_CantAffordCall: ALL_IN, FOLD only."""
    assert offered(play(table(100, 9), "bet")) == {"all_in", "fold"}


def test_betting_moves_cant_afford_min_bet() -> None:
    """TestBettingMoves_CantAffordMinBet: ALL_IN only (no bet)."""
    assert offered(table(9, 100)) == {"check", "all_in"}


def test_betting_moves_folded_player() -> None:
    """TestBettingMoves_FoldedPlayer: Empty moves."""
    game = play(table(100, 100, 100), "bet", "fold")
    assert game.folded == (False, True, False)
    assert places_to_act(game, "raise", "raise", "call") == [2, 0, 2, None]


def test_betting_moves_all_in_player() -> None:
    """TestBettingMoves_AllInPlayer: Empty moves."""
    game = play(table(100, 5, 100), "bet", "all_in")
    assert game.chips == (90, 0, 100)
    assert places_to_act(game, "raise", "raise", "call") == [2, 0, 2, None]


def test_betting_moves_max_raises_reached() -> None:
    """TestBettingMoves_MaxRaisesReached: No RAISE option."""
    game = play(table(100, 100), "bet", "raise", "raise", "raise")
    assert offered(game) == {"call", "fold"}
    with pytest.raises(Refused, match="not_on_offer: expected fold, call; got 'raise'"):
        game.after("raise")


@for_each("chips", range(1, 31))
@for_each("before", [(), ("check",), ("bet",), ("check", "bet"), ("bet", "raise"), ("bet", "raise", "raise")])
def test_betting_moves_are_exactly_the_printed_table(chips: int, before: tuple[str, ...]) -> None:
    seat = len(before) % 3
    stacks = [60, 60, 60]
    stacks[seat] += chips - 60
    for max_raises in range(4):
        printed = Printed(stacks, 10, max_raises)
        game = table(*stacks, max_raises=max_raises)
        for place, move in enumerate(before):
            if move not in printed.moves(place):
                break  # so few chips or raises do not lead there
            printed.apply(place, move)
            game = game.after(move)
        else:
            assert offered(game) == set(printed.moves(game.player or 0))
            assert game.player == seat or printed.moves(seat) == []


# --- action application


def test_apply_check() -> None:
    """CHECK moves nothing."""
    game = play(table(100, 100), "check")
    assert (game.chips, game.bets, game.pot, game.state.price) == ((100, 100), (0, 0), 0, 0)


def test_apply_bet() -> None:
    """TestApplyBet: Chips decrease, pot increases, CurrentBet set."""
    game = play(table(100, 100), "bet")
    assert (game.chips, game.bets, game.pot) == ((90, 100), (10, 0), 10)
    assert (game.state.price, game.state.raises) == (10, 0)


def test_apply_call() -> None:
    """TestApplyCall: Chips decrease by toCall amount."""
    game = play(table(100, 100, 100), "bet", "raise", "call")
    assert (game.chips, game.bets, game.pot) == ((90, 80, 80), (10, 20, 20), 50)
    assert (game.state.price, game.state.raises) == (20, 1)


def test_apply_raise() -> None:
    """TestApplyRaise: RaiseCount incremented, CurrentBet updated."""
    game = play(table(100, 100), "bet", "raise")
    assert (game.chips, game.bets, game.pot) == ((90, 80), (10, 20), 30)
    assert (game.state.price, game.state.raises) == (20, 1)


def test_apply_all_in() -> None:
    """TestApplyAllIn: Chips = 0, IsAllIn = true."""
    game = play(table(100, 7, 100), "bet", "all_in")
    assert (game.chips, game.bets, game.pot) == ((90, 0, 100), (10, 7, 0), 17)
    assert game.state.price == 10
    game = play(table(7, 100, 100), "all_in")
    assert (game.chips, game.bets, game.pot, game.state.price) == ((0, 100, 100), (7, 0, 0), 7, 7)


def test_apply_fold() -> None:
    """TestApplyFold: HasFolded = true."""
    game = play(table(100, 100, 100), "bet", "fold")
    assert game.folded == (False, True, False)
    assert (game.chips, game.pot) == ((90, 100, 100), 10)


# --- round termination


def test_round_ends_all_matched() -> None:
    """TestRoundEnds_AllMatched: Everyone called."""
    assert places_to_act(table(100, 100, 100), "bet", "call", "call") == [0, 1, 2, None]


def test_round_ends_all_folded_but_one() -> None:
    """TestRoundEnds_AllFoldedButOne: Single player remains."""
    game = table(100, 100, 100)
    assert places_to_act(game, "bet", "fold", "fold") == [0, 1, 2, None]
    assert won_the_deal(play(game, "bet", "fold", "fold")) == (0,)


def test_round_ends_all_all_in() -> None:
    """TestRoundEnds_AllAllIn: No one can act."""
    game = table(10, 10, 10)
    assert places_to_act(game, "bet", "call", "call") == [0, 1, 2, None]
    assert play(game, "bet", "call", "call").chips == (30, 0, 0)


def test_round_continues_unmatched_bet() -> None:
    """TestRoundContinues_UnmatchedBet: Someone hasn't matched."""
    assert places_to_act(table(100, 100, 100), "check", "bet", "call") == [0, 1, 2, 0]


def test_round_continues_raise_reopens() -> None:
    """TestRoundContinues_RaiseReopens: Raise resets needsToAct."""
    assert places_to_act(table(100, 100, 100), "bet", "call", "raise", "call", "call") == [0, 1, 2, 0, 1, None]


STACKS = st.lists(st.integers(1, 60), min_size=2, max_size=6)


@given(stacks=STACKS, max_raises=st.integers(0, 4), seed=st.integers(0, 2**32))
def test_a_round_is_the_printed_one_with_the_first_ruling(stacks: list[int], max_raises: int, seed: int) -> None:
    """The same players have the same moves, to the same chips, whatever the stacks are."""
    game, chance = table(*stacks, max_raises=max_raises), Chance(seed)
    printed = Printed(stacks, 10, max_raises)

    def select(at: int, moves: list[str]) -> str:
        nonlocal game
        assert game.player == at
        assert offered(game) == set(moves)
        assert game.chips == tuple([player.chips for player in printed.players])
        assert game.bets == tuple([player.current_bet for player in printed.players])
        assert game.pot == printed.pot
        move = chance.choice(moves)
        game = game.after(move)
        return move

    printed.run(select)
    assert game.over
    live = [at for at, player in enumerate(printed.players) if not player.folded]
    printed.award([min(live)])  # the cards fall from seat to seat
    assert game.chips == tuple([player.chips for player in printed.players])


def test_the_printed_loop_spins_where_a_game_of_the_lab_ends() -> None:
    """F1's example: stacks 10 and 30, BET, RAISE."""
    moves = iter(["bet", "raise"])
    with pytest.raises(Spins):
        Printed([10, 30], 10, 3, first_ruling=False).run(lambda at, legal: next(moves))
    game = table(10, 30)
    assert places_to_act(game, "bet", "raise") == [0, 1, None]
    assert play(game, "bet", "raise").chips == (30, 10)


def test_played_at_random_with_unequal_stacks_the_printed_loop_often_spins() -> None:
    chance, spun, hands = Chance(1), 0, 500
    for _ in range(hands):
        stacks = [10 * (1 + chance.below(6)) for _ in range(2 + chance.below(3))]
        try:
            Printed(stacks, 10, 3, first_ruling=False).run(lambda at, moves: chance.choice(moves))
        except Spins:
            spun += 1
    assert spun > hands / 10


# --- showdown


def test_showdown_single_winner() -> None:
    """TestShowdown_SingleWinner: Full pot to winner."""
    game = play(table(100, 100, cards="KA"), "bet", "call")
    assert (game.winners, game.chips) == ((1,), (90, 110))


def test_showdown_tied_hands() -> None:
    """TestShowdown_TiedHands: Split pot evenly."""
    game = play(table(100, 100, 100, cards="AKA"), "bet", "call", "call")
    assert game.chips == (105, 90, 105)
    assert game.winners == (0, 2)


def test_showdown_everyone_folded() -> None:
    """TestShowdown_EveryoneFolded: Last player wins."""
    game = play(table(100, 100, 100, cards="AKQ"), "bet", "fold", "raise", "fold")
    assert (game.winners, game.chips) == ((2,), (90, 100, 110))


def test_showdown_odd_chip_remainder() -> None:
    """TestShowdown_OddChipRemainder: First winner gets extra."""
    game = play(table(100, 100, 7, cards="AAK"), "bet", "call", "all_in")
    assert game.chips == (104, 103, 0)
    game = play(table(7, 100, 100, cards="KAA"), "all_in", "call", "call")
    assert game.chips == (0, 104, 103)  # 21 for two


# --- integration


def test_betting_genome_roundtrip() -> None:
    """BettingPhase serializes and deserializes correctly."""
    for name in known_games():
        genome = load(name)
        assert read_genome(write_genome(genome)) == genome
    chance = Chance(1)
    for _ in range(50):
        genome = random_genome(chance)
        assert genome.betting_phases
        assert read_genome(write_genome(genome)) == genome


def test_betting_simulation_completes() -> None:
    """Game with BettingPhase runs without infinite loop."""
    chance = Chance(2)
    for number in range(60):
        genome = random_genome(chance)
        game = finish(LabGame.dealt(genome, number), chance)
        assert game.winners
        assert game.state.turns <= genome.max_turns


def test_betting_chips_conserved() -> None:
    """Total chips in system equals starting_chips * player_count."""
    chance = Chance(3)
    for number in range(60):
        genome = random_genome(chance)
        total = genome.player_count * genome.setup.starting_chips
        game = LabGame.dealt(genome, number)
        while not game.over:
            assert sum(game.chips) + game.pot == total
            assert min(game.chips) >= 0
            game = game.after(chance.choice(game.moves))
        assert (sum(game.chips), game.pot) == (total, 0)


def test_betting_mutations() -> None:
    """AddBettingPhaseMutation adds valid BettingPhase."""
    chance, places = Chance(4), Counter[tuple[str, int]]()
    for name in known_games():
        parent = load(name)
        for _ in range(20):
            child = mutations.OPERATORS["AddBettingPhase"](parent, chance)
            assert child is not None
            assert problems(child) == ()
            assert len(child.betting_phases) == len(parent.betting_phases) + 1
            added = [isinstance(phase, BettingPhase) for phase in child.turn_structure.phases].index(True)
            places[name, added] += 1
    assert len(places) > len(known_games())  # at random places


@pytest.mark.parametrize(
    "operator", ["AddBettingPhase", "RemoveBettingPhase", "MutateBettingPhase", "MutateStartingChips"]
)
def test_betting_parameter_validation(operator: str) -> None:
    """Mutations don't produce invalid configs (min_bet > chips)."""
    chance, changed = Chance(5), 0
    for name in known_games():
        genome = load(name)
        for _ in range(20):
            child = mutations.OPERATORS[operator](genome, chance)
            if child is None:
                continue
            assert problems(child) == ()
            for phase in child.betting_phases:
                assert 0 < phase.min_bet <= child.setup.starting_chips
                assert phase.max_raises >= 0
            changed += 1
            genome = child
    assert changed > 5
