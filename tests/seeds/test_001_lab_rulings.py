"""Seed 001 through the lab: its edge cases row by row, its printed set-up, its criteria for success, and F1 to F6."""

from collections import Counter

import pytest
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab.files import known_games, load, read_genome, write_genome
from pitboss.lab.game import LabGame
from pitboss.lab.genome import GenomeError, Setup, problems
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.play import PlayPhase
from pitboss.lab.policies.simulate import simulate
from pitboss.lab.variation import mutations
from tests.support.for_each import for_each
from tests.support.seeds.lab_tables import finish, offered, one_card, places_to_act, play, table, won_the_deal

# --- the table of edge cases, row by row


def test_edge_player_starts_with_fewer_chips_than_min_bet() -> None:
    """Can only ALL_IN or CHECK. Reached by play: the first deal leaves seat 1 with 5 of 15."""
    game = LabGame.dealt(one_card(chips=15, deals=2), deck=("Ac", "2c"))
    game = play(game, "bet", "call")
    assert game.chips == (25, 5)
    assert game.player == 1
    assert offered(game) == {"check", "all_in"}


def test_edge_all_players_are_all_in_immediately() -> None:
    """Round ends, showdown determines winner."""
    game = table(7, 7, 7, cards="QKA")
    assert places_to_act(game, "all_in", "call", "call") == [0, 1, 2, None]
    game = play(game, "all_in", "call", "call")
    assert (game.winners, game.chips) == ((2,), (0, 0, 21))


@for_each("max_raises", range(5))
def test_edge_player_raises_to_exactly_max_raises(max_raises: int) -> None:
    """RAISE no longer available."""
    game = play(table(200, 200, max_raises=max_raises), "bet")
    for _ in range(max_raises):
        assert "raise" in game.moves
        game = game.after("raise")
    assert offered(game) == {"call", "fold"}


def test_edge_two_players_tie_with_odd_pot() -> None:
    """First winner gets 51, second gets 50: a pot of 101."""
    game = LabGame.dealt(one_card(3, chips=100, min_bet=50, max_raises=0), deck=("Kc", "Kd", "2c"))
    game.state.stacks[2] = 1
    game = play(game, "bet", "call", "all_in")
    assert game.chips == (50 + 51, 50 + 50, 0)


def test_edge_all_but_one_player_folds_before_showdown() -> None:
    """The last player wins without showing: the cards do not count, and nothing more is played."""
    for cards in ("2A", "A2"):
        phases = (BettingPhase(), DrawPhase(), BettingPhase())
        game = LabGame.dealt(one_card(phases=phases), deck=[cards[0] + "c", cards[1] + "d"])
        game = play(game, "bet", "fold")
        assert game.over
        assert (won_the_deal(game), game.chips) == ((0,), (100, 100))
        assert [len(hand) for hand in game.hands] == [1, 1]


# --- the printed set-up


def test_initialize_chips() -> None:
    """`InitializeChips`: chips for every player, no bets, all players in, the pot empty, seat 0 starts."""
    game = LabGame.dealt(one_card(4, chips=70), 5)
    assert (game.chips, game.bets, game.pot, game.player) == ((70,) * 4, (0,) * 4, 0, 0)
    assert game.folded == (False,) * 4
    assert (game.state.price, game.state.raises) == (0, 0)


def test_reset_hand() -> None:
    """`ResetHand`: bets, folds, pot, price and raises are gone, chips stay, and the next player starts."""
    game = LabGame.dealt(one_card(3, deals=3), deck=("Ac", "Kc", "Qc"))
    game = play(game, "bet", "raise", "fold", "call")
    assert (game.chips, game.bets, game.pot) == ((120, 80, 100), (0, 0, 0), 0)
    assert game.folded == (False, False, False)
    assert (game.state.price, game.state.raises, game.player) == (0, 0, 1)
    assert offered(game) == {"check", "bet"}


def test_starting_player_rotates_each_deal() -> None:
    """`BettingStartPlayer` = (`BettingStartPlayer` + 1) % players."""
    game = LabGame.dealt(one_card(3, deals=7), 1)
    starts = []
    while not game.over:
        starts.append(game.player)
        game = play(game, "check", "check", "check")
    assert starts == [0, 1, 2, 0, 1, 2, 0]


def test_rotation_skips_players_without_chips() -> None:
    game = LabGame.dealt(one_card(3, chips=10, deals=4), deck=("Ac", "2c", "Kc"))
    game = play(game, "bet", "call", "fold")
    assert game.chips == (20, 0, 10)
    assert game.folded == (False, True, False)
    assert game.player == 2
    assert [len(hand) for hand in game.hands] == [1, 0, 1]
    game = play(game, "check", "check")
    assert game.player == 0


def test_a_game_of_several_deals_ends_when_one_has_all_chips() -> None:
    game = LabGame.dealt(one_card(chips=10, deals=50), deck=("Ac", "2c"))
    game = play(game, "bet", "call")
    assert game.over
    assert (game.winners, game.chips, game.state.deal) == ((0,), (20, 0), 1)


# --- success criteria


def test_criterion_1_betting_can_be_added_to_any_genome() -> None:
    """At any place of the turn structure, once or several times."""
    for name in known_games():
        parent = load(name)
        chips = parent.setup.starting_chips or 50
        for at in range(len(parent.turn_structure.phases) + 1):
            for count in (1, 2):
                phases = list(parent.turn_structure.phases)
                phases[at:at] = [BettingPhase(min_bet=1, max_raises=1)] * count
                if len(phases) > 12:
                    continue
                child = replace(
                    parent,
                    setup=replace(parent.setup, starting_chips=chips),
                    turn_structure=replace(parent.turn_structure, phases=tuple(phases)),
                )
                assert problems(child) == ()
                game, chance, bets = LabGame.dealt(child, at), Chance(at), 0
                while not game.over:
                    bets += game.phase == "BettingPhase"
                    game = game.after(chance.choice(game.moves))
                assert bets > 0, (name, at)
                assert sum(game.chips) == child.player_count * chips


def test_criterion_2_evolution_can_mutate_betting_parameters() -> None:
    chance, seen = Chance(6), set()
    for _ in range(100):
        child = mutations.OPERATORS["MutateBettingPhase"](load("betting_war"), chance)
        assert child is not None
        (phase,) = child.betting_phases
        seen |= {("min_bet", phase.min_bet), ("max_raises", phase.max_raises)}
    assert len({value for name, value in seen if name == "min_bet"}) > 1
    assert len({value for name, value in seen if name == "max_raises"}) > 1


@pytest.mark.parametrize("players", ["random", "greedy"])
def test_criterion_3_players_make_legal_betting_decisions(players: str) -> None:
    for name in ("betting_war", "simple_poker", "leduc", "community_poker"):
        assert simulate(load(name), games=20, players=players, seed=7).illegal == 0


def test_criterion_4_short_stacks_can_be_all_in_instead_of_a_forced_fold() -> None:
    game = play(table(100, 3, cards="KA"), "bet")
    assert "all_in" in game.moves
    game = play(game, "all_in")
    assert (won_the_deal(game), game.chips) == ((1,), (90, 13))


def test_criterion_5_betting_rounds_terminate() -> None:
    """The longest round there is: every player raises while it is possible."""
    game = table(*[1000] * 6, max_raises=3)
    moves = 0
    while not game.over:
        game = game.after("raise" if "raise" in game.moves else "bet" if "bet" in game.moves else "call")
        moves += 1
    assert moves == 4 + 5  # a bet, three raises, and all others call


def test_criterion_6_tied_hands_split_the_pot_fairly() -> None:
    game = play(table(100, 100, 100, 100, cards="AAAA"), "bet", "call", "call", "call")
    assert (game.chips, game.winners) == ((100,) * 4, (0, 1, 2, 3))


def test_criterion_7_position_rotates_each_hand() -> None:
    """In as many deals as there are players, every player starts equally often."""
    chance, starts = Chance(8), Counter[int]()
    for number in range(20):
        game, deal = LabGame.dealt(one_card(4, chips=1000, deals=8), number), -1
        while not game.over:
            if game.state.deal != deal:
                deal = game.state.deal
                starts[game.state.starter] += 1
            game = game.after(chance.choice(game.moves))
    assert starts == {0: 40, 1: 40, 2: 40, 3: 40}


def test_criterion_8_genomes_with_betting_save_and_load() -> None:
    genome = one_card(3, chips=80, min_bet=20, max_raises=2, ante=5)
    text = write_genome(genome)
    assert read_genome(text) == genome
    played = [finish(LabGame.dealt(each, 4), Chance(4)).chips for each in (genome, read_genome(text))]
    assert played[0] == played[1]


# --- rulings


def test_ruling_F1_player_without_chips_is_all_in_however_they_were_lost() -> None:
    assert places_to_act(table(10, 100, 100), "bet", "raise", "raise", "call") == [0, 1, 2, 1, None]
    assert places_to_act(table(100, 10, 100), "bet", "call", "raise", "call") == [0, 1, 2, 0, None]
    assert places_to_act(table(100, 20, 100), "bet", "raise", "raise", "call") == [0, 1, 2, 0, None]


def test_ruling_F1_with_an_ante_that_takes_the_last_chip() -> None:
    game = LabGame.dealt(one_card(3, chips=10, ante=10), deck=("2c", "Ac", "Kc"))
    assert game.over
    assert (game.chips, game.winners) == ((0, 30, 0), (1,))


def test_ruling_F2_every_betting_phase_starts_fresh_and_the_pot_stays() -> None:
    phases = (BettingPhase(min_bet=10, max_raises=1), BettingPhase(min_bet=25, max_raises=1))
    game = play(LabGame.dealt(one_card(phases=phases), deck=("Ac", "Kc")), "bet", "raise", "call")
    assert (game.pot, game.bets, game.player) == (40, (0, 0), 0)
    assert (game.state.price, game.state.raises) == (0, 0)
    assert offered(game) == {"check", "bet"}
    game = play(game, "bet")
    assert game.bets == (25, 0)
    game = play(game, "raise")
    assert (game.bets, offered(game)) == ((25, 50), {"call", "fold"})
    assert play(game, "call").chips == (170, 30)


def test_ruling_F2_starting_player_acts_first_in_every_phase() -> None:
    phases = (BettingPhase(), PlayPhase(optional=True), BettingPhase())
    game = LabGame.dealt(one_card(3, phases=phases, deals=2), 3)
    first = ["check"] * 3 + ["pass"] * 3 + ["check"] * 3
    assert places_to_act(game, *first)[:9] == [0, 1, 2] * 3
    assert places_to_act(play(game, *first), *first)[:9] == [1, 2, 0] * 3


@pytest.mark.parametrize(
    ("chips", "words"),
    [(9, {"all_in", "fold"}), (10, {"call", "fold"}), (19, {"call", "fold"}), (20, {"call", "raise", "fold"})],
)
def test_ruling_F3_the_gap_between_call_and_raise(chips: int, words: set[str]) -> None:
    assert offered(play(table(100, chips), "bet")) == words


def test_ruling_F3_all_in_above_the_price_reopens_for_all_and_is_not_a_raise() -> None:
    game = table(100, 100, 7, max_raises=1)
    assert places_to_act(game, "check", "check", "all_in") == [0, 1, 2, 0]
    game = play(game, "check", "check", "all_in")
    assert (game.state.price, game.state.raises) == (7, 0)
    assert offered(game) == {"call", "raise", "fold"}
    assert places_to_act(game, "raise", "call") == [0, 1, None]


def test_ruling_F3_max_raises_does_not_stop_all_in() -> None:
    game = table(7, 100, max_raises=0)
    assert offered(game) == {"check", "all_in"}
    assert offered(play(game, "all_in")) == {"call", "fold"}


def test_ruling_F4_one_pot_by_default_the_winner_takes_all_of_it() -> None:
    game = play(table(30, 7, cards="KA"), "bet", "all_in")
    assert (won_the_deal(game), game.chips) == ((1,), (20, 17))


def test_ruling_F4_side_pots_are_a_setting() -> None:
    """Seat 1 was all-in with 7 and wins 7 from each player; the rest goes to the best of the others."""
    game = play(table(100, 7, 100, cards="QAK", pots="side"), "bet", "all_in", "call")
    assert game.chips == (90, 21, 96)
    game = play(table(30, 7, cards="KA", pots="side"), "bet", "all_in")
    assert game.chips == (23, 14)  # the three that no opponent could call go back


def test_ruling_N7_odd_chips_of_side_pots_go_clockwise_from_the_starting_player() -> None:
    """Seats 0 and 1 share 15; the one pot's odd chip is the first winner's, whichever seat started (F4)."""
    for starter, side, single in ((0, (8, 7), (8, 7)), (1, (7, 8), (8, 7)), (2, (8, 7), (8, 7))):
        for pots, shares in (("side", side), ("single", single)):
            game = table(100, 100, 100, cards="AAK", min_bet=5, pots=pots)
            game.state.starter = starter
            assert play(game, "bet", "call", "call").chips == (95 + shares[0], 95 + shares[1], 95)


def test_ruling_F4_finished_hand_leaves_no_chips_behind() -> None:
    """The pot is paid before anything is reset: also when a fold ends the deal in the middle of a round."""
    game = play(LabGame.dealt(one_card(3, deals=2), deck=("Ac", "Kc", "Qc")), "bet", "raise", "raise", "fold", "fold")
    assert (game.pot, sum(game.chips), game.state.paid[:3]) == (0, 300, [0, 0, 0])
    assert game.chips == (90, 80, 130)


def test_ruling_F4_at_the_turn_limit_the_pot_is_paid_too() -> None:
    game = LabGame.dealt(replace(one_card(3), max_turns=2), deck=("2c", "Ac", "3c"))
    game = play(game, "bet", "raise")
    assert game.over
    assert (game.state.stopped, game.winners, game.chips) == (1, (1,), (90, 110, 100))


def test_ruling_F5_ante_is_paid_by_all_and_never_owed() -> None:
    game = LabGame.dealt(one_card(3, ante=2), deck=("Ac", "Kc", "Qc"))
    assert (game.chips, game.pot, game.bets) == ((98, 98, 98), 6, (0, 0, 0))
    assert offered(game) == {"check", "bet"}
    assert play(game, "check", "check", "check").chips == (104, 98, 98)


def test_ruling_F5_checking_without_an_ante_loses_no_chips() -> None:
    assert Setup(cards_per_player=1).ante == 0
    assert play(LabGame.dealt(one_card()), "check", "check").chips == (100, 100)


def test_ruling_F5_player_with_less_than_the_ante_pays_all_chips() -> None:
    game = LabGame.dealt(one_card(chips=25, ante=10, deals=3), deck=("Ac", "2c"))
    game = play(game, "bet", "call")
    assert game.chips == (35, 0)
    assert game.pot == 15
    assert play(game, "check").state.deal >= 2


def test_ruling_F6_json_is_the_printed_form() -> None:
    text = '{"type": "BettingPhase", "min_bet": 10, "max_raises": 3}'
    whole = (
        '{"setup": {"cards_per_player": 5, "starting_chips": 100}, "turn_structure": {"phases": [%s]},'
        ' "win_conditions": [{"type": "best_hand"}]}'
    )
    assert read_genome(whole % text).betting_phases == (BettingPhase(min_bet=10, max_raises=3),)
    assert read_genome(whole % '{"type": "BettingPhase"}').betting_phases == (BettingPhase(),)
    with pytest.raises(GenomeError, match=r"^turn_structure\.phases.*: unknown field `max_bet`"):
        read_genome(whole % '{"type": "BettingPhase", "max_bet": 10}')


def test_ruling_F6_genomes_without_betting_load_with_defaults() -> None:
    older = read_genome(
        '{"setup": {"cards_per_player": 5}, "turn_structure": {"phases": [{"type": "PlayPhase"}]},'
        ' "win_conditions": [{"type": "empty_hand"}]}'
    )
    assert (older.setup.starting_chips, older.setup.ante, older.setup.pots) == (0, 0, "single")
    assert older.betting_phases == ()
    assert problems(older) == ()
