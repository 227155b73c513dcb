"""The solver gives the published answers, obeys the laws of every solution, and refuses games it cannot solve."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from pitboss.lab.files import known_games, load
from pitboss.lab.genome import Deck, Genome, GenomeError, Setup, TurnStructure
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.phases.community import CommunityPhase
from pitboss.lab.phases.draw import DrawPhase
from pitboss.lab.phases.trick import TrickPhase
from pitboss.lab.solver import solver, tree
from pitboss.lab.solver.shuffles import all_shuffles
from pitboss.lab.solver.solver import Solution, TreeSolver, solve, uniform_value
from pitboss.lab.solver.tree import SolverError, Unfolding, build_tree, estimate
from pitboss.lab.wins.empty_hand import EmptyHand
from pitboss.lab.wins.high_card import HighCard
from pitboss.lab.wins.most_tricks import MostTricks
from tests.support.for_each import for_each
from tests.support.lab.tiny_games import TINY

KUHN, LEDUC = load("kuhn"), load("leduc")


@pytest.fixture(scope="module")
def kuhn() -> Solution:
    return solve(KUHN)


@pytest.fixture(scope="module")
def leduc() -> Solution:
    return solve(LEDUC)


def dealt(game: Genome, **changes: object) -> Genome:
    """The game with another setup."""
    return replace(game, setup=replace(game.setup, **changes))


def betting(game: Genome, *phases: BettingPhase | CommunityPhase) -> Genome:
    """The game with other phases."""
    return replace(game, turn_structure=replace(game.turn_structure, phases=phases))


# --- published answers


def test_kuhn_uniform_value_is_one_eighth(kuhn: Solution) -> None:
    assert kuhn.uniform_value == Fraction(1, 8)


def test_kuhn_value_is_minus_one_eighteenth(kuhn: Solution) -> None:
    assert kuhn.value == pytest.approx(-1 / 18, abs=1e-5)
    assert kuhn.bounds[0] <= -1 / 18 <= kuhn.bounds[1]


def test_kuhn_exploitability(kuhn: Solution) -> None:
    assert kuhn.uniform_exploitability == pytest.approx(11 / 24, abs=1e-12)
    assert solve(KUHN, 100).exploitability == pytest.approx(0.00119, abs=1e-5)
    assert kuhn.exploitability == pytest.approx(0.000087, abs=2e-6)


def test_kuhn_has_twelve_information_sets(kuhn: Solution) -> None:
    assert kuhn.information_sets == len(kuhn.strategy) == 12
    assert kuhn.deals == 6
    assert kuhn.nodes == 1 + 6 * 9


def test_kuhn_strategies_are_of_the_known_family(kuhn: Solution) -> None:
    """The first bets a jack with a probability up to a third, a king three times as often; the second has no choice."""
    bluff = kuhn.strategy["seat 0, J"]["bet"]
    assert 0 <= bluff <= 1 / 3 + 0.01
    assert kuhn.strategy["seat 0, K"]["bet"] == pytest.approx(3 * bluff, abs=0.01)
    assert kuhn.strategy["seat 0, Q: check, bet"]["call"] == pytest.approx(bluff + 1 / 3, abs=0.01)
    for words, move, share in (
        ("seat 0, Q", "bet", 0),
        ("seat 1, J: check", "bet", 1 / 3),
        ("seat 1, Q: check", "bet", 0),
        ("seat 1, K: check", "bet", 1),
        ("seat 1, J: bet", "call", 0),
        ("seat 1, Q: bet", "call", 1 / 3),
        ("seat 1, K: bet", "call", 1),
    ):
        assert kuhn.strategy[words][move] == pytest.approx(share, abs=0.01)


@pytest.mark.check
def test_leduc_uniform_value_is_minus_five_sixty_fourths(leduc: Solution) -> None:
    assert leduc.uniform_value == Fraction(-5, 64)


def test_leduc_value(leduc: Solution) -> None:
    assert leduc.value == pytest.approx(-0.0856064, abs=1e-3)
    assert leduc.bounds[0] <= -0.0856064 <= leduc.bounds[1]


def test_leduc_exploitability(leduc: Solution) -> None:
    assert leduc.uniform_exploitability == pytest.approx(2.373611, abs=1e-6)
    assert solve(LEDUC, 100).exploitability == pytest.approx(0.0134, abs=1e-4)
    assert leduc.exploitability == pytest.approx(0.000257, abs=2e-5)


def test_leduc_has_288_information_sets_by_rank(leduc: Solution) -> None:
    assert leduc.information_sets == len(leduc.strategy) == 288
    assert not leduc.suits


def test_leduc_has_936_information_sets_with_suits() -> None:
    distinguished = solve(LEDUC, 1, suits=True)
    assert distinguished.information_sets == 936
    assert distinguished.uniform_value == Fraction(-5, 64)
    assert distinguished.uniform_exploitability == pytest.approx(2.373611, abs=1e-6)


# --- games solved by hand


def test_two_card_game_has_value_zero() -> None:
    """Both players know who has the king: the jack folds or checks, and the ante goes to the king in either seat.

    Evenly played, the first wins 9/8 with the king (3/4 after a check, 3/2 after a bet) and loses 7/8 with the jack
    (5/4 after a check, 1/2 after a bet).
    """
    solved = solve(dealt(KUHN, initial_deck=Deck(ranks="JK", suits="s")))
    assert solved.value == pytest.approx(0, abs=1e-3)
    assert solved.exploitability < 1e-3
    assert solved.uniform_value == (Fraction(9, 8) - Fraction(7, 8)) / 2


def test_single_trick_is_won_by_the_higher_card_of_the_led_suit() -> None:
    """Of the 12 deals of 2h 3h 2s 3s the leader loses only two: a two against the three of its suit."""
    game = replace(
        TINY["tricks"],
        setup=Setup(cards_per_player=1, initial_deck=Deck(ranks="23", suits="hs")),
        turn_structure=TurnStructure(phases=(TrickPhase(),), order="rounds", rounds=1),
    )
    solved = solve(game)
    assert solved.unit == "wins"
    assert solved.information_sets == 0
    assert solved.value == pytest.approx(float(solved.uniform_value))
    assert solved.uniform_value == Fraction(10 - 2, 12)
    assert solved.exploitability == pytest.approx(0, abs=1e-12)


# --- laws


def test_shares_of_every_information_set_add_up_to_one(leduc: Solution) -> None:
    for shares in leduc.strategy.values():
        assert sum(shares.values()) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in shares.values())


@pytest.mark.check
@pytest.mark.parametrize("name", TINY)
def test_exploitability_falls_and_the_bounds_hold_the_value(name: str) -> None:
    few, many = solve(TINY[name], 20), solve(TINY[name], 200)
    assert few.exploitability >= many.exploitability - 1e-12
    assert -1e-12 <= many.exploitability <= 0.05 * max(many.uniform_exploitability, 1e-9)
    for solved in (few, many):
        low, high = solved.bounds
        assert low - 1e-12 <= solved.value <= high + 1e-12
        assert high - low == pytest.approx(2 * solved.exploitability)
    assert max(few.bounds[0], many.bounds[0]) <= min(few.bounds[1], many.bounds[1]) + 1e-12
    assert len(many.strategy) == many.information_sets


@for_each("name", TINY)
def test_seat_remembers_its_own_moves_and_observations(name: str) -> None:
    """All nodes of an information set are under the same earlier sets of their seat, by the same moves."""
    found = build_tree(TINY[name], suits=True)
    nodes, before = found.nodes, dict[int, tuple[int, ...]]()
    for node in range(len(found)):
        if nodes.seat[node] < 0:
            continue
        path, at = [], node
        while at:
            if nodes.seat[nodes.up[at]] == nodes.seat[node]:
                path.append(nodes.edge[at])
            at = nodes.up[at]
        assert before.setdefault(nodes.set[node], tuple(path)) == tuple(path)
        assert nodes.owner[nodes.set[node]] == nodes.seat[node]


def test_a_tree_is_whole() -> None:
    """Odds below chance and shares below a decision add up to 1, and parents come before their children."""
    found = build_tree(LEDUC, suits=True)
    nodes, weights = found.nodes, [Fraction(0)] * len(found)
    for node in range(1, len(found)):
        assert nodes.up[node] < node
        share = Fraction(1, nodes.count[nodes.set[nodes.up[node]]]) if nodes.edge[node] >= 0 else None
        weights[nodes.up[node]] += found.chances[node] if share is None else share
    assert all(weights[node] == (nodes.seat[node] != tree.OVER) for node in range(len(found)))
    assert nodes.size[0] == len(found)


@for_each(
    "changed",
    [
        dealt(KUHN, ante=2, starting_chips=3),
        dealt(KUHN, initial_deck=Deck(ranks="TJQK", suits="s")),
        dealt(KUHN, initial_deck=Deck(ranks="JQK", suits="hs")),
        dealt(betting(KUHN, BettingPhase(min_bet=2, max_raises=0)), starting_chips=3),
        betting(KUHN, CommunityPhase(), BettingPhase(min_bet=1, max_raises=0)),
    ],
    ids=["ante", "another rank", "another suit", "bet", "public card"],
)
def test_a_changed_rule_changes_the_value(changed: Genome) -> None:
    low, high = solve(changed).bounds
    assert high - low < 0.004
    assert not low <= -1 / 18 <= high


@pytest.mark.parametrize("times", [2, 10])
def test_value_scales_with_the_value_of_chips(times: int, kuhn: Solution) -> None:
    more = dealt(betting(KUHN, BettingPhase(min_bet=times, max_raises=0)), ante=times, starting_chips=2 * times)
    solved = solve(more)
    assert solved.uniform_value == times * kuhn.uniform_value
    assert solved.value == pytest.approx(times * kuhn.value, abs=times * 1e-4)
    assert solved.uniform_exploitability == pytest.approx(times * kuhn.uniform_exploitability)


def test_chips_that_cannot_be_bet_do_not_matter(kuhn: Solution) -> None:
    assert solve(dealt(KUHN, starting_chips=1000)).value == kuhn.value


def test_names_of_ranks_and_suits_do_not_matter(kuhn: Solution) -> None:
    for deck in (Deck(ranks="234", suits="c"), Deck(ranks="5TA", suits="d")):
        solved = solve(dealt(KUHN, initial_deck=deck))
        assert (solved.value, solved.exploitability) == (kuhn.value, kuhn.exploitability)


def test_seats_in_the_other_order_turn_a_game_without_turns_round() -> None:
    """If cards are only turned up, no player has an advantage: the value is its own opposite."""
    game = replace(
        TINY["turned up"],
        setup=Setup(cards_per_player=2, initial_deck=Deck(ranks="2345", suits="s")),
        turn_structure=TurnStructure(phases=(TrickPhase(blind=True),), order="rounds", rounds=2),
    )
    assert solve(game).uniform_value == 0


def test_the_same_game_gives_the_same_solution() -> None:
    first, second = solve(KUHN, 50), solve(KUHN, 50)
    assert replace(first, seconds=0) == replace(second, seconds=0)


def test_compiled_loops_give_the_plain_answer() -> None:
    found = build_tree(LEDUC)
    plain, packed = TreeSolver(found, compiled=False), TreeSolver(found, compiled=True)
    for here, there in ((plain.average(20), packed.average(20)), (plain.uniform(), packed.uniform())):
        assert list(there) == pytest.approx(here, abs=1e-12)
        assert packed.value(there) == pytest.approx(plain.value(here), abs=1e-12)
        for seat in range(2):
            assert packed.best_response(there, seat) == pytest.approx(plain.best_response(here, seat), abs=1e-12)


def test_iterations_in_pieces_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[tuple[str, int, int]] = []
    whole = solve(KUHN, 30)
    monkeypatch.setattr(solver, "PIECE", 7 * whole.nodes)
    pieces = solve(KUHN, 30, progress=lambda what, now, total: reported.append((what, now, total)))
    assert pieces.strategy == whole.strategy
    assert reported == [("solving", done, 30) for done in (7, 14, 21, 28, 30)]


def test_exact_value_is_that_of_the_strategy() -> None:
    for game in (LEDUC, TINY["exchange"], TINY["cheat"]):
        found = build_tree(game)
        solver = TreeSolver(found, compiled=False)
        assert solver.value(solver.uniform()) == pytest.approx(float(uniform_value(found)), abs=1e-12)


def test_long_betting_is_solved_in_reasonable_time() -> None:
    """A tree a hundred raises deep."""
    deep = dealt(betting(KUHN, BettingPhase(min_bet=1, max_raises=100)), starting_chips=103)
    solved = solve(replace(deep, max_turns=500), 5)
    assert solved.information_sets == 3 * 2 * (1 + 101)  # three cards; with or without a check first; nothing, or a bet
    longest = max(solved.strategy, key=len)
    assert longest.count("raise") == 100


# --- what is refused


def refusal(game: Genome, most: int = tree.MOST_NODES) -> str:
    with pytest.raises(SolverError) as refused:
        solve(game, most=most)
    return str(refused.value)


def test_every_known_game_is_solved_or_refused_in_a_sentence() -> None:
    refused = {}
    for name in known_games():
        try:
            solve(load(name), 1)
        except SolverError as error:
            refused[name] = str(error)
    assert {"kuhn", "leduc"} == known_games().keys() - refused.keys()
    assert all("the solver can only solve" in sentence and "\n" not in sentence for sentence in refused.values())


def test_too_many_deals_are_refused_with_their_number() -> None:
    sentence = refusal(dealt(load("simple_poker"), deals=1))  # 52 over 5, times 47 over 5
    assert "expected at most 200,000 ways to deal the cards, got 3,986,646,103,440;" in sentence


def test_too_large_a_tree_is_refused_with_its_size() -> None:
    assert refusal(LEDUC, most=50).startswith("expected at most 50 nodes in the game tree, got more than 1,0")
    assert refusal(LEDUC, most=100).startswith("expected at most 100 nodes in the game tree, got about 1,")
    assert refusal(LEDUC, most=1930).startswith("expected at most 1,930 nodes in the game tree, got about 1,9")
    endless = replace(
        TINY["higher or pass"],
        setup=Setup(cards_per_player=5, initial_deck=Deck(ranks="23456", suits="hs")),
        turn_structure=TurnStructure(phases=(DrawPhase(source="either"), TrickPhase(to="hand"))),
        max_turns=1000,
    )
    assert "expected at most 2,000,000 nodes in the game tree, got more than 1" in refusal(endless)


def test_a_tree_that_is_a_little_too_large_is_refused_before_it_is_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Growing a tree up to the default limit takes more than a minute."""
    monkeypatch.setattr(tree, "_grown", None)
    game = dealt(replace(load("blackjack"), player_count=2), deals=1, initial_deck=Deck(ranks="TJQKA", suits="sh"))
    assert refusal(game, most=100_000).startswith("expected at most 100,000 nodes in the game tree, got about 1")


def test_too_many_cards_at_once_are_refused() -> None:
    game = replace(dealt(load("highest_card"), deals=1), win_conditions=(HighCard(),))
    seen = betting(game, BettingPhase(min_bet=10, max_raises=2), CommunityPhase(count=6))
    assert "ways to draw 6 cards at once" in refusal(seen)


@for_each(
    "game, sentence",
    [
        (replace(KUHN, player_count=3), "player_count: expected 2, got 3;"),
        (dealt(KUHN, deals=2), "setup.deals: expected 1, got 2;"),
        (load("war"), "turn_structure.phases[0]: cards that are turned up blindly go into a hand"),
        (
            replace(
                TINY["cheat"],
                turn_structure=TurnStructure(phases=(DrawPhase(source="opponent"),)),
                win_conditions=(EmptyHand(),),
            ),
            "taken unseen",
        ),
        (replace(TINY["stuck"], max_turns=12), "got a second shuffle"),
    ],
    ids=["players", "deals", "hand", "unseen", "reshuffled"],
)
def test_other_chance_and_other_games_are_refused(game: Genome, sentence: str) -> None:
    assert sentence in refusal(game)


def test_a_genome_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(GenomeError, match=r"setup\.starting_chips"):
        solve(dealt(KUHN, starting_chips=0))


@pytest.mark.parametrize("iterations", [0, -1, 1.5])
def test_iterations_are_counted_from_one(iterations: int) -> None:
    with pytest.raises(SolverError, match="whole number"):
        solve(KUHN, iterations)


def test_the_guess_is_near_the_size() -> None:
    for game in (KUHN, LEDUC, dealt(load("highest_card"), deals=1), TINY["exchange"]):
        found = build_tree(game)
        shuffles = list(all_shuffles(game, found.unfolding.sight))
        assert estimate(Unfolding(game), shuffles, probes=300) == pytest.approx(len(found), rel=0.3)


def test_most_tricks_without_a_trick_phase_is_refused() -> None:
    with pytest.raises(GenomeError):
        solve(replace(KUHN, win_conditions=(MostTricks(),)))
