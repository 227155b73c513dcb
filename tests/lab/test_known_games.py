"""The known games: their files, and of each the situation that makes it what it is, played through the engine."""

from importlib.resources import files

import pytest

from pitboss.cards import DECK
from pitboss.lab.files import known_games, load, read_genome, write_genome
from pitboss.lab.game import LabGame
from pitboss.lab.genome import problems
from pitboss.lab.policies.simulate import simulate
from tests.support.for_each import for_each
from tests.support.lab.positions import dealt, do, whole

NAMES = sorted(known_games())
ASKED_FOR = (
    *("war", "betting_war", "crazy_eights", "hearts", "whist", "gin", "cheat", "old_maid", "go_fish", "president"),
    *("scopa", "draw_poker", "simple_poker", "blackjack", "kuhn", "leduc"),
)
LUCK_ALONE = {"war", "old_maid"}


# --- the files


def test_every_required_game_is_known() -> None:
    assert set(ASKED_FOR) <= set(NAMES)


def test_every_file_is_listed_and_every_listed_game_has_a_file() -> None:
    folder = files("pitboss.lab") / "games"
    assert sorted(path.name for path in folder.iterdir()) == [f"{name}.json" for name in NAMES]


@for_each("name", NAMES)
def test_a_file_is_the_valid_genome_of_its_name(name: str) -> None:
    genome = load(name)
    assert genome.name == name
    assert problems(genome) == ()
    assert read_genome(write_genome(genome)) == genome


@for_each("name", NAMES)
def test_descriptions_are_one_short_line(name: str) -> None:
    description = known_games()[name]
    assert 20 <= len(description) <= 100
    assert "\n" not in description
    assert not description.endswith(".")


@for_each("name", [name for name in NAMES if load(name).setup.starting_chips])
def test_betting_games_have_an_ante_and_equal_starts_for_each_player(name: str) -> None:
    genome = load(name)
    assert genome.setup.ante > 0
    if name in ("kuhn", "leduc"):
        assert genome.setup.deals == 1, "it is the game of the literature"
    else:
        assert genome.setup.deals >= 2 * genome.player_count
        assert genome.setup.deals % genome.player_count == 0


@for_each("name", NAMES)
def test_a_game_is_finished_by_its_own_rules_and_keeps_its_chips(name: str) -> None:
    played = simulate(load(name), games=60, seed=7)
    assert played.finished == 60
    assert played.illegal == 0
    assert played.chips_start == played.chips_end == 60 * load(name).player_count * load(name).setup.starting_chips
    assert played.stopped <= 60 / 3
    assert sum(played.wins) + played.draws == 60


@for_each("name", sorted({*NAMES} - LUCK_ALONE))
def test_there_is_something_to_decide(name: str) -> None:
    game = LabGame.dealt(load(name), seed=3)
    chosen = 0
    while not game.over:
        chosen += len(game.moves) > 1
        game = game.after(game.moves[0])
    assert chosen > 0


@pytest.mark.parametrize("name", sorted(LUCK_ALONE))
def test_luck_alone_decides(name: str) -> None:
    assert LabGame.dealt(load(name), seed=3).over


# --- war and its kin


def pairs() -> tuple[list[str], list[str]]:
    """Two hands of 26: twos against each other, then the first has the higher card every time."""
    rest = [card for card in DECK if card not in ("2c", "2d")]
    return ["2c", *rest[25:]], ["2d", *rest[:25]]


def test_war_equal_cards_stay_and_the_next_trick_takes_them_too() -> None:
    higher, lower = pairs()
    game = dealt("war", " ".join(higher), " ".join(lower))
    assert game.over
    assert game.tricks == (25, 0)
    assert sorted(game.hands[0]) == sorted(DECK)
    assert game.winners == (0,)


def test_betting_war_most_tricks_take_the_pot() -> None:
    game = dealt("betting_war", "Ac Ad Ah As Kc Kd 2c 2d 2h 2s", "Qc Qd Qh Qs Jc Jd Tc Td Th Ts", deals=1)
    assert game.moves == ("check", "bet")
    game = do(game, "bet, raise, call")
    assert (game.tricks, game.pot, game.chips) == ((1, 0), 60, (170, 170))
    for _ in range(9):
        game = do(game, "check, check")
    assert game.over
    assert (game.tricks, game.chips, game.winners) == ((6, 4), (230, 170), (0,))


def test_betting_war_tie_stays_and_a_fold_loses_all() -> None:
    game = dealt("betting_war", "Ac 3d 2h 2s 4c 4d 5c 5d 5h 5s", "Ad Qd Qh Qs Jc Jd Tc Td Th Ts", deals=1)
    game = do(game, "bet, call")
    assert (game.tricks, game.trick) == ((0, 0), ("Ac", "Ad"))
    game = do(game, "check, check")
    assert (game.tricks, game.captured[1]) == ((0, 1), ("Ac", "Ad", "3d", "Qd"))
    game = do(game, "bet, fold")
    assert (game.chips, game.winners) == ((220, 180), (0,))


# --- poker and its kin


@for_each(
    "moves, chips",
    [
        ("check, check", (1, 3)),
        ("bet, fold", (3, 1)),
        ("bet, call", (0, 4)),
        ("check, bet, fold", (1, 3)),
        ("check, bet, call", (0, 4)),
    ],
)
def test_kuhn_every_line_of_play(moves: str, chips: tuple[int, int]) -> None:
    game = do(dealt("kuhn", "Qs", "Ks"), moves)
    assert game.over
    assert game.chips == chips
    assert game.winners == ((0,) if chips[0] > chips[1] else (1,))


def test_kuhn_knows_no_raise() -> None:
    game = do(dealt("kuhn", "Qs", "Ks"), "bet")
    assert sorted(game.moves) == ["call", "fold"]


def test_leduc_a_pair_beats_a_king() -> None:
    game = dealt("leduc", "Jh", "Kh", then="Js")
    game = do(game, "bet, raise, call")
    assert (game.community, game.pot, game.chips) == (("Js",), 10, (8, 8))
    game = do(game, "check, bet, raise, call")
    assert (game.chips, game.winners) == ((26, 0), (0,))


def test_leduc_one_raise_a_round_and_equal_ranks_share() -> None:
    game = do(dealt("leduc", "Jh", "Js", then="Kh"), "bet, raise")
    assert sorted(game.moves) == ["call", "fold"]
    game = do(game, "call, check, check")
    assert (game.chips, game.winners) == ((13, 13), (0, 1))


def test_highest_card_takes_the_pot() -> None:
    game = do(dealt("highest_card", "Th", "Jh", deals=1), "bet, raise, raise")
    assert sorted(game.moves) == ["call", "fold"]
    assert do(game, "call").chips == (60, 140)


def test_simple_poker_a_flush_beats_a_straight() -> None:
    game = do(dealt("simple_poker", "2h 4h 6h 8h Th", "9c Tc Jc Qc Kd", deals=1), "check, bet, call")
    assert (game.chips, game.winners) == ((215, 185), (0,))


def test_three_card_poker_three_of_a_kind_beats_a_pair() -> None:
    game = do(dealt("three_card_poker", "Ac Ad Kc", "2c 2d 2h", "Kd Qc Jc", deals=1), "bet, call")
    assert sorted(game.moves) == ["call", "fold"]
    assert do(game, "fold").chips == (80, 130, 90)


def test_draw_poker_discards_are_replaced_from_the_deck() -> None:
    hands = ("2c 2d 3h 9s Jh", "Ac Kd Qh 8s 4c", "5c 5d 7h Ts Qs")
    game = do(dealt("draw_poker", *hands, then="2h 2s 6c Ad", deals=1), "check, check, check")
    assert "keep" in game.moves
    game = do(game, "discard 3h, discard 9s, discard Jh")
    assert game.hands[0] == ("2c", "2d", "2h", "2s", "6c")
    assert game.player == 1
    game = do(game, "discard 4c, keep")
    assert game.hands[1] == ("Ac", "Kd", "Qh", "8s", "Ad")
    game = do(game, "keep")
    assert game.hands[2] == tuple(hands[2].split())
    game = do(game, "bet, call, fold")
    assert (game.chips, game.winners) == ((530, 475, 495), (0,))


def test_community_poker_five_cards_belong_to_all() -> None:
    game = dealt("community_poker", "Ah Kh", "2c 2d", "7c 8d", "9c Js", then="Qh Jh Th 2h 2s")
    game = do(game, "check, check, check, check")
    assert " ".join(game.community) == "Qh Jh Th"
    game = do(game, "check, check, check, check")
    assert " ".join(game.community) == "Qh Jh Th 2h"
    game = do(game, "check, check, check, check")
    game = do(game, "check, bet, fold, fold, call")
    assert game.winners == (0,)
    assert game.state.deal == 1
    assert game.player == 1, "the start passes on"
    assert sum(game.chips) + game.pot == 800


def test_blackjack_too_much_loses_and_stops() -> None:
    game = do(dealt("blackjack", "Kc 6d", "Ah 5s", "Kd 8c", then="Qc Kh 6h", deals=1), "check, check, check")
    game = do(game, "draw")
    assert game.player == 1, "over 21 one draws no more"
    game = do(game, "draw, draw")
    assert game.hands[1] == ("Ah", "5s", "Kh", "6h"), "the ace counts 1: 22 is over"
    assert game.player == 2
    game = do(game, "stop")
    assert (game.chips, game.winners) == ((90, 90, 120), (2,))


def test_blackjack_an_ace_counts_eleven_where_that_fits() -> None:
    game = do(dealt("blackjack", "Kc 9d", "Ah 9s", "Kd 8c", deals=1), "check, check, check, stop, stop, stop")
    assert game.winners == (1,)


# --- shedding cards


def test_crazy_eights_an_eight_fits_on_anything() -> None:
    game = dealt("crazy_eights", "8c 5s Kh 2c 3d 4s 9c", "2d 2s 3c 3s 4c 4d 6c", then="5h")
    assert game.discards == ("5h",)
    assert set(game.moves) == {"play 8c", "play 5s", "play Kh"}
    game = do(game, "play 8c")
    assert set(game.moves) == {"play 3c", "play 4c", "play 6c"}, "an eight of clubs asks for clubs or an eight"


def test_crazy_eights_stuck_player_draws_one_card() -> None:
    game = dealt("crazy_eights", "2c 3c 4c 6c 7c 9c Tc", "2d 2s 3d 3s 4d 4s 6d", then="5h Ah")
    assert game.hands[0][-1] == "Ah"
    assert game.moves == ("play Ah",)


def test_crazy_eights_stuck_player_then_passes() -> None:
    game = dealt("crazy_eights", "2c 3c 4c 6c 7c 9c Tc", "2d 2s 3d 3s 4d 4s 5d", then="5h As")
    assert (game.player, len(game.hands[0])) == (1, 8)
    assert game.moves == ("play 5d",)


def test_mau_mau_sevens_eights_nines_and_jacks() -> None:
    hands = ("7h 8h 9h Jc Ah", "Kh 8s 9s Ts As", "Qh 8d 9d Td Ad")
    game = dealt("mau_mau", *hands, then="Th Kc Kd Ks")
    assert set(game.moves) == {"play 7h", "play 8h", "play 9h", "play Jc", "play Ah"}
    seven = do(dealt("mau_mau", *hands, then="Th Kc Kd Ks"), "play 7h")
    assert (seven.player, seven.hands[1][-2:]) == (1, ("Kc", "Kd"))
    eight = do(dealt("mau_mau", *hands, then="Th Kc Kd Ks"), "play 8h")
    assert eight.player == 2
    nine = do(dealt("mau_mau", *hands, then="Th Kc Kd Ks"), "play 9h")
    assert nine.player == 2
    assert do(nine, "play Qh").player == 1


def test_president_higher_or_pass_and_the_pile_is_cleared() -> None:
    hands = [
        "3c 3d 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac",
        "3h 3s 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad",
        "4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2c 2d",
        "4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2h 2s",
    ]
    game = dealt("president", *hands)
    assert {"play 1 3", "play 2 3", "play 1 A", "pass"} <= set(game.moves)
    game = do(game, "play 2 3")
    assert game.discards == ("3c", "3d")
    assert game.player == 2, "only a pair goes on a pair: who has no higher one passes"
    assert game.moves == ("play 2 2", "pass")
    game = do(game, "play 2 2")
    assert game.player == 2, "all others passed: the pile is cleared and the last to play leads"
    assert {"play 1 4", "play 1 A", "pass"} <= set(game.moves)


def test_president_out_first_wins() -> None:
    game = LabGame.dealt(load("president"), seed=5)
    while not game.over:
        game = game.after(game.moves[0])
    assert [seat for seat, hand in enumerate(game.hands) if not hand] == list(game.winners)


# --- tricks


def test_hearts_suit_is_followed_and_hearts_and_the_queen_count() -> None:
    suits = [" ".join(rank + suit for rank in "23456789TJQKA") for suit in "chds"]
    hands = [hand.split() for hand in suits]
    hands[0][0], hands[3][0] = "2s", "2c"
    game = dealt("hearts", *[" ".join(hand) for hand in hands])
    game = do(game, "play 2s")
    assert set(game.moves) == {f"play {rank}h" for rank in "23456789TJQKA"}, "no spades: anything goes"
    game = do(game, "play Ah, play 2d")
    assert set(game.moves) == {f"play {rank}s" for rank in "3456789TJQKA"}, "who has spades must play one"
    game = do(game, "play Qs")
    assert (game.tricks, game.player) == ((0, 0, 0, 1), 3)
    while not game.over:
        game = game.after(game.moves[0])
    assert sum(game.score) == 26
    assert game.score[3] >= 14
    assert set(game.winners) == {seat for seat in range(4) if game.score[seat] == min(game.score)}


def test_whist_a_trump_beats_the_suit_led() -> None:
    clubs, diamonds, hearts, spades = [[rank + suit for rank in "23456789TJQKA"] for suit in "cdhs"]
    game = dealt("whist", *[" ".join(hand) for hand in (clubs, diamonds, spades, hearts)])
    assert game.hands[3][-1] == "Ah", "the last card dealt says what is trumps"
    game = do(game, "play Ac, play 2d, play As, play 2h")
    assert (game.tricks, game.player) == ((0, 0, 0, 1), 3)
    while not game.over:
        game = game.after(game.moves[0])
    assert (game.tricks, game.winners) == ((0, 0, 0, 13), (3,))


def test_knaves_cost_points() -> None:
    deck = [card for card in DECK if card != "2s"]
    hands = [" ".join(deck[seat::3]) for seat in range(3)]
    game = dealt("knaves", *hands, then="2s")
    while game.state.deal == 0:
        game = game.after(game.moves[0])
    assert sum(game.score) == 17 - (4 + 3 + 2 + 1)
    while not game.over:
        game = game.after(game.moves[0])
    assert max(game.score) >= 20
    assert set(game.winners) == {seat for seat in range(3) if game.score[seat] == max(game.score)}


# --- drawing, sets, and the rest


def test_gin_the_deal_is_over_with_ten_points_or_fewer_left() -> None:
    game = dealt("gin", "2c 3c 4c 7d 7h 7s 9c 9d Kh Qs", "Ac Ad 5d 6h 8s Tc Jd Qh Kd 2h", then="Th 9h Ts")
    assert set(game.moves) == {"draw", "draw discard"}
    game = do(game, "draw")
    assert game.hands[0][-1] == "9h"
    game = do(game, "discard Kh")
    assert game.over, "a queen is all that is left outside sets and runs"
    assert game.winners == (0,)


def test_gin_the_discard_may_be_taken_instead() -> None:
    game = dealt("gin", "2c 3c 5c 7d 7h 8s 9c Jd Kh Qs", "Ac Ad 5d 6h Tc Td Jh Qh Kd 2h", then="Th 9h Ts")
    game = do(game, "draw discard")
    assert (game.hands[0][-1], game.discards) == ("Th", ())


def test_rummy_threes_of_a_kind_are_laid_and_the_rest_counts() -> None:
    game = dealt("rummy", "7c 7d 8c 8d 9h Kh", "2c 3c 4c 5c 6c 9c", "2d 3d 4d 5d 6d 9d", then="7h 8h 9s")
    game = do(game, "draw discard")
    assert (game.captured[0], game.hands[0]) == (("7c", "7d", "7h"), ("8c", "8d", "9h", "Kh"))
    game = do(game, "discard 9h")
    assert (game.player, game.discards) == (1, ("9h",))
    while not game.over:
        game = game.after(game.moves[0])
    if all(game.hands):
        left = [sum(10 if card[0] in "JQKA" else 5 for card in hand) for hand in game.hands]
        assert list(game.score) == left


def test_rummy_out_first_wins() -> None:
    game = dealt("rummy", "7c 7d 8c 8d 8s Kh", "2c 3c 4c 5c 6c 9c", "2d 3d 4d 5d 6d 9d", then="7h Ah")
    assert whole(game.hands)[0] == "7c 7d Kh"
    game = do(game, "draw discard, discard Kh")
    assert (game.over, whole(game.hands)[0], game.winners) == (True, "", (0,))


def cheats() -> list[str]:
    """Four hands of 13: each has all ranks, the first in clubs."""
    return [" ".join(rank + suit for rank in "23456789TJQKA") for suit in "cdhs"]


def test_cheat_the_liar_takes_the_pile() -> None:
    game = dealt("cheat", *cheats())
    game = do(game, "claim 2c, stop, believe, believe, believe")
    assert game.player == 1
    game = do(game, "claim Ad, stop, believe, doubt")
    assert len(game.hands[1]) == 14, "an ace is no three"
    assert {"2c", "Ad"} <= set(game.hands[1])
    assert game.player == 2


def test_cheat_wrong_doubter_takes_the_pile() -> None:
    game = do(dealt("cheat", *cheats()), "claim 2c, stop, doubt")
    assert (len(game.hands[0]), len(game.hands[1])) == (12, 14)
    assert game.player == 1


def test_old_maid_pairs_are_laid_and_a_card_is_taken_unseen() -> None:
    deck = [card for card in DECK if card != "Qs"]
    first, second, third = deck[:17], deck[17:34], deck[34:]
    game = dealt("old_maid", " ".join(first), " ".join(second), " ".join(third), then="Qs")
    assert game.over
    laid = sum(map(len, game.captured))
    assert laid + sum(map(len, game.hands)) == 51
    for pile in game.captured:
        assert all(one[0] == other[0] for one, other in zip(pile[::2], pile[1::2], strict=True))
    for hand in game.hands:
        assert len({card[0] for card in hand}) == len(hand), "no pair is kept"
    assert [seat for seat, hand in enumerate(game.hands) if not hand] == list(game.winners) != []


def test_go_fish_rank_is_handed_over_or_fished_for() -> None:
    game = dealt("go_fish", "7c 7d 7h 2c 3c", "7s 2d 4c 4d 5c", "3d 3h 6c 6d 8c", then="Kc Qc")
    assert set(game.moves) == {"ask 7", "ask 2", "ask 3"}
    game = do(game, "ask 7")
    assert game.hands[:2] == (("2c", "3c"), ("2d", "4c", "4d", "5c"))
    assert (game.captured[0], game.score) == (("7c", "7d", "7h", "7s"), (1, 0, 0))
    game = do(game, "ask 5")
    assert game.hands[1][-1] == "Kc", "the next player has no five: a card comes from the deck"
    assert game.player == 2


def test_scopa_captures_by_rank_before_sum() -> None:
    game = dealt("scopa", "7c 5c Kc", "2c 3c 4c", then="7d 2d 5h 3h As")
    game = do(game, "play 7c")
    assert (game.captured[0], game.tableau) == (("7d", "7c"), ("2d", "5h", "3h"))
    assert game.hands[0] == ("5c", "Kc", "As")


def test_scopa_captures_two_that_add_up() -> None:
    game = dealt("scopa", "7c Jc Kc", "2c 3c 4c", then="Kd 2d 5h 6h As")
    game = do(game, "play 7c")
    assert set(game.captured[0]) == {"7c", "2d", "5h"}
    assert game.tableau == ("Kd", "6h")


def test_scopa_card_that_captures_nothing_stays() -> None:
    game = dealt("scopa", "Ac Jc Kc", "2c 3c 4c", then="Kd 2d 5h 6h As")
    game = do(game, "play Ac")
    assert (game.captured[0], game.tableau) == ((), ("Kd", "2d", "5h", "6h", "Ac"))
    while not game.over:
        game = game.after(game.moves[0])
    taken = [set(cards) for cards in game.captured]
    assert game.score == tuple(len(t) + sum(card[1] == "d" for card in t) + 5 * ("7d" in t) for t in taken)
    assert whole(game.hands) == ("", "")
