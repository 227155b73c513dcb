"""The policies of the lab: legal on any genome, reproducible, blind to hidden cards, and increasingly strong."""

import pytest
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.lab import codes
from pitboss.lab.codes import CERTAIN, WIDTH
from pitboss.lab.engine import steps
from pitboss.lab.english import card_number
from pitboss.lab.files import known_games, load
from pitboss.lab.game import LabGame
from pitboss.lab.genome import Deck, Genome
from pitboss.lab.phases import betting
from pitboss.lab.phases import kinds as phases
from pitboss.lab.phases.betting import WORDS, BettingPhase
from pitboss.lab.phases.claim import SELDOM
from pitboss.lab.policies import choice as policies
from pitboss.lab.policies import knowledge
from pitboss.lab.policies.knowledge import plain_work
from pitboss.lab.policies.simulate import SeatedGame, seat_players, simulate
from pitboss.lab.variation.edits import with_phases
from pitboss.lab.variation.mutations import random_genome
from pitboss.stats import proportion
from tests.support.for_each import for_each
from tests.support.laws.lab_games import hidden_places

THINKING = ("greedy", "search")
POKER = ("kuhn", "leduc", "simple_poker", "highest_card")


def chosen(game: LabGame, kind: str, stream: int, iterations: int = 25) -> int:
    """What a player does here, in plain Python."""
    moves = [0] * codes.MOST_MOVES
    g, rules = game.program.games[0], game.program.rules
    count = steps.legal(g, rules, game.state, moves)
    number = policies.NAMES.index(kind)
    move, _ = policies.decide(number, g, rules, game.state.copy(), moves, count, plain_work(iterations), stream)
    return move


@pytest.mark.parametrize("decisions", [3, pytest.param(12, marks=pytest.mark.slow)])
@for_each("name", sorted(known_games()))
def test_ruling_F8_permuting_hidden_cards_changes_no_choice(name: str, decisions: int) -> None:
    chance = Chance(len(name)).fork(sum(map(ord, name)))
    game = LabGame.dealt(load(name), seed=chance.below(1000))
    for _ in range(decisions):
        if game.over:
            break
        seat, stream = game.state.to_act, chance.bits()
        before = {kind: chosen(game, kind, stream) for kind in THINKING}
        places = hidden_places(game, seat)
        others = chance.shuffled([row[at] for row, at in places])
        for (row, at), card in zip(places, others, strict=True):
            row[at] = card
        game.state.chance = chance.bits()
        assert {kind: chosen(game, kind, stream) for kind in THINKING} == before
        game = game.after(chance.choice(game.moves))


@pytest.mark.parametrize("bet", [1, 7, 50])
def test_the_greedy_policy_takes_the_size_of_a_bet_for_no_number_of_cards(bet: int) -> None:
    """Opposing holdings are as large as one's own, whatever a bet is."""
    genome = load("highest_card")
    phases = (BettingPhase(min_bet=bet),)
    game = LabGame.dealt(with_phases(replace(genome, setup=replace(genome.setup, starting_chips=100)), phases), seed=1)
    work = plain_work()
    g, rules, moves = game.program.games[0], game.program.rules, [0] * codes.MOST_MOVES
    count = steps.legal(g, rules, game.state, moves)
    policies.decide(policies.GREEDY, g, rules, game.state, moves, count, work, 1)
    assert work.facts[WIDTH] == genome.setup.cards_per_player


def both(genome: Genome, seated: tuple[str, ...], games: int) -> tuple[list[list[int]], list[list[int]]]:
    """What is written of the same games, played plain and compiled."""
    plain, compiled = (SeatedGame(genome, seated, 3, compiled=compiled) for compiled in (False, True))
    return plain.play(range(games)).tolist(), compiled.play(range(games)).tolist()


@for_each("name", sorted(known_games()))
def test_greedy_decides_alike_plain_and_compiled(name: str) -> None:
    genome = replace(load(name), max_turns=60)
    plain, compiled = both(genome, seat_players("greedy,random", genome.player_count), 4)
    assert plain == compiled


@pytest.mark.check
@pytest.mark.parametrize("name", ["kuhn", "leduc", "highest_card"])
def test_search_decides_alike_plain_and_compiled(name: str) -> None:
    plain, compiled = both(load(name), ("search", "greedy"), 2)
    assert plain == compiled


@pytest.mark.check
@pytest.mark.parametrize("name", sorted(known_games()))
def test_greedy_and_random_play_every_known_game_legally(name: str) -> None:
    result = simulate(load(name), games=300, players="greedy,random", seed=3, cores=1)
    assert result.illegal == 0
    assert result.chips_start == result.chips_end


def test_results_do_not_depend_on_cores() -> None:
    results = [simulate(load("leduc"), games=60, players="search,greedy", seed=9, cores=cores) for cores in (1, 2, 3)]
    assert len({replace(result, seconds=0.0, cores=0) for result in results}) == 1


@for_each("number", range(12))
def test_all_players_are_legal_on_any_genome(number: int) -> None:
    genome: Genome = replace(random_genome(Chance(31).fork(number)), max_turns=40)
    result = simulate(genome, games=3, players=("search", "greedy"), seed=number)
    assert (result.illegal, result.finished) == (0, 3)


@pytest.mark.check
@pytest.mark.parametrize("name", POKER)
@pytest.mark.parametrize(("better", "worse", "deals"), [("greedy", "random", 20_000), ("search", "greedy", 1_500)])
def test_in_both_seat_orders_search_beats_greedy_beats_random(name: str, better: str, worse: str, deals: int) -> None:
    games = deals // load(name).setup.deals
    first = simulate(load(name), games=games, players=(better, worse), seed=11).chips_won[0]
    second = simulate(load(name), games=games, players=(worse, better), seed=12).chips_won[1]
    reach = ((first.mean - first.interval[0]) ** 2 + (second.mean - second.interval[0]) ** 2) ** 0.5
    assert first.mean + second.mean > reach


@pytest.mark.slow
def test_search_beats_greedy_at_cheat() -> None:
    """Two of each at a table, in both orders: the searching ones win clearly more than half of the games."""
    won = games = 0
    for players, count, seed in (("search,greedy", 40, 11), ("greedy,search", 24, 12)):
        played = simulate(load("cheat"), games=count, players=players, seed=seed)
        won += sum([wins for name, wins in zip(played.players, played.wins, strict=True) if name == "search"])
        games += played.games
    low, _ = proportion(won, games)
    assert low > 0.5


@pytest.mark.parametrize(
    ("hand", "put", "likely"),
    [
        ("9c Tc", "Kc", CERTAIN),  # a lie with a single card, by a player without a card of the rank
        ("2d Tc", "2d", CERTAIN),  # players put a card of the rank if they have one; a random one would be a lie
        ("2d 2h", "2d", SELDOM),  # players with two put both
    ],
)
def test_others_are_supposed_to_claim_as_the_greedy_policy_does(hand: str, put: str, likely: int) -> None:
    """Seat 0 has claimed a card as a two, and seat 1 supposes that it was the king of clubs and the hand is this."""
    game = LabGame.dealt(load("cheat"), seed=1)
    game = game.after(game.moves[0]).after("stop")
    g, s, deck = game.program.games[0], game.state, load("cheat").setup.deck
    s.hands[:2], s.held[0] = [card_number(deck, card) for card in hand.split()], 2
    s.pile[0] = card_number(deck, "Kc")
    assert phases.likely(g, s, 1) == likely
    assert s.pile[0] == card_number(deck, put)
    assert phases.likely(g, s, 0) == CERTAIN, "one's own claim is no guess"


def test_a_single_move_is_taken_at_once() -> None:
    game = LabGame.dealt(load("whist"), seed=1)
    while len(game.numbers) > 1:
        game = game.after(game.moves[0])
    assert chosen(game, "search", 1, iterations=10**6) == game.numbers[0]


# --- how strong a holding is, and what the greedy policy makes of it


def strength(game: LabGame) -> float:
    """Return how strong the player to act considers their hand."""
    g, s, work = game.program.games[0], game.state, plain_work()
    knowledge.look(g, s, s.to_act, work)
    knowledge.draw_holdings(s, s.to_act, 1, work, 5)
    return knowledge.strength(g, s, s.to_act, work)


@for_each(
    "name, deck, expected",
    [
        ("kuhn", "Js Ks", 0.0),
        ("kuhn", "Qs Ks", 0.5),
        ("kuhn", "Ks Qs", 1.0),
        ("leduc", "Kh Qs", 0.9),  # of five cards it beats four, and is as good as the other king
        ("leduc", "Jh Qs", 0.1),
        ("highest_card", "Ah 2s", (48 + 3 / 2) / 51),
    ],
)
def test_ruling_F7_strength_is_the_share_of_opposing_holdings_that_are_beaten(
    name: str, deck: str, expected: float
) -> None:
    assert strength(LabGame.dealt(load(name), deck=deck.split())) == expected


@pytest.mark.parametrize(
    ("deck", "least", "most"),
    [("As Ah", 0.75, 1.0), ("7s 2h", 0.0, 0.45)],
)
def test_ruling_F7_two_aces_are_strong_before_the_flop(deck: str, least: float, most: float) -> None:
    """Rank-and-pair arithmetic makes them medium."""
    first, second = deck.split()
    order = [first, "3c", "4c", "5c", second]  # dealt one at a time round four seats
    assert least <= strength(LabGame.dealt(load("community_poker"), deck=order)) <= most


def test_ruling_F7_strength_counts_under_the_games_own_win_condition() -> None:
    """In blackjack 20 points are strong and 12 are weak; as poker hands both are a high card."""
    twenty, twelve = [
        strength(LabGame.dealt(load("blackjack"), deck=(one, "2c", "3c", other)))
        for one, other in (("Ks", "Qh"), ("Ts", "2h"))
    ]
    assert twenty > 0.8 > 0.4 > twelve


ELEVEN = Deck(ranks="23456789TJQ", suits="s")
"""One card each of these has the strength 0, 0.1, 0.2 and so on, exactly."""


def bets_with(rank: str, *before: str, chips: int = 100, max_raises: int = 3) -> str:
    """What the greedy policy does with a card of this rank after these moves."""
    genome = load("highest_card")
    setup = replace(genome.setup, initial_deck=ELEVEN, starting_chips=chips, deals=1)
    genome = with_phases(replace(genome, setup=setup), (BettingPhase(min_bet=10, max_raises=max_raises),))
    other = "2s" if rank != "2" else "3s"
    deck = (other, f"{rank}s") if len(before) % 2 else (f"{rank}s", other)
    game = LabGame.dealt(genome, deck=deck)
    for move in before:
        game = game.after(move)
    return game.moves[game.numbers.index(chosen(game, "greedy", 1))]


@for_each(
    "strength, likes",
    [
        (0.3, "check"),
        (0.301, "call"),
        (0.7, "call"),
        (0.701, "raise"),
    ],
)
def test_001_greedy_is_strong_just_above_0_7_and_medium_just_above_0_3(strength: float, likes: str) -> None:
    """Specification 001: "Strong hand (>0.7)" and "Medium hand (>0.3)"; the limits themselves are not included."""
    work = plain_work()
    work.strength[0] = strength
    ratings = {word: betting.rate(None, None, None, betting.VERBS + verb, 0, work) for verb, word in WORDS.items()}
    assert max(ratings, key=ratings.__getitem__) == likes


@pytest.mark.parametrize(
    ("ranks", "opening", "answer"),
    [("2345", "check", "fold"), ("6789", "check", "call"), ("TJQ", "bet", "raise")],
)
def test_greedy_bets_raises_calls_and_folds_by_strength(ranks: str, opening: str, answer: str) -> None:
    """A nine beats 0.7 of the others, which is not more; a five 0.3."""
    for rank in ranks:
        assert bets_with(rank) == opening
        assert bets_with(rank, "bet") == answer


@for_each(
    "rank, before, changes, move",
    [
        ("Q", (), {}, "bet"),  # of check and bet
        ("Q", ("bet",), {}, "raise"),  # of fold, call and raise
        ("Q", ("bet",), {"max_raises": 0}, "call"),  # of fold and call
        ("Q", (), {"chips": 15}, "all_in"),  # of check and all-in: five chips are left after the ante
        ("9", (), {"chips": 15}, "check"),
        ("9", ("bet",), {}, "call"),  # of fold, call and raise
        ("2", ("bet",), {}, "fold"),
        ("2", (), {}, "check"),
    ],
)
def test_greedy_prefers_raise_bet_all_in_call_check_and_fold_in_this_order(
    rank: str, before: tuple[str, ...], changes: dict[str, int], move: str
) -> None:
    assert bets_with(rank, *before, **changes) == move
