"""Laws of every game of the lab, known or drawn at random: it ends, keeps cards and chips, and hides what is hidden."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from types import ModuleType

import pytest
from hypothesis import given
from msgspec.structs import replace

from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.lab import piles
from pitboss.lab.engine import steps
from pitboss.lab.engine.state import GameState
from pitboss.lab.files import known_games, load
from pitboss.lab.game import LabGame
from pitboss.lab.genome import Genome, only_blind
from pitboss.lab.phases import claim, play, trick
from pitboss.lab.solver.information import SEATS, Event, Memory, Sight
from pitboss.lab.variation.repair import repair
from tests.lab import million
from tests.support.for_each import for_each
from tests.support.lab import audit
from tests.support.lab.any_genome import any_genome
from tests.support.lab.genomes import some_genome
from tests.support.lab.mistakes import make_mistake
from tests.support.laws.lab_games import hidden_places
from tests.support.laws.laws import LawBroken, holds

KNOWN = sorted(known_games())


def random_games(seed: int, numbers: range, games: int) -> Counter[str]:
    """Games of the genomes of these numbers, played plainly and held to the laws."""
    counts = Counter[str]()
    for number in numbers:
        genome = some_genome(seed, number)
        counts += million.judged(genome, million.play_plain(genome, seed, range(games)))
    return counts


def test_random_genomes_keep_every_law() -> None:
    counts = random_games(1, range(250), 2)
    assert counts["games"] == 500
    assert counts["decisions"] > 10_000
    assert counts["moves tried on a copy"] > 2000
    assert counts["games in which stacks were unequal"] > 100
    assert counts["decisions about bets, less than a step behind"] > 200
    assert counts["games decided at the turn limit"] > 5
    assert counts["games of several deals"] > 100


@given(any_genome)
def test_whatever_is_valid_keeps_every_law(drawn: Genome) -> None:
    """Also the largest numbers and the oddest letters that a valid file may hold."""
    genome = repair(drawn)
    genome = replace(genome, max_turns=min(genome.max_turns, 200))
    million.judged(genome, million.play_plain(genome, 1, range(1)))


@for_each("name", KNOWN)
def test_known_games_keep_every_law(name: str) -> None:
    genome = load(name)
    counts = million.judged(genome, million.play_plain(genome, 2, range(10)))
    assert counts["games"] == 10
    assert counts["turns"] > 0


def test_genomes_are_of_every_kind() -> None:
    """Every phase, aim, order and number of players is among those the laws are tried on, betting in every place."""
    kinds, places = Counter[str](), Counter[str]()
    for number in range(250):
        genome = some_genome(1, number)
        bets = [type(phase).__name__ == "BettingPhase" for phase in genome.turn_structure.phases]
        places["first"] += bets[0]
        places["last"] += bets[-1] and len(bets) > 1
        places["amid"] += any(bets[1:-1])
        places["twice running"] += any(a and b for a, b in pairwise(bets))
        kinds.update({type(part).__name__ for part in (*genome.turn_structure.phases, *genome.win_conditions)})
        kinds.update({type(part).__name__ for part in (*genome.effects, *genome.scoring)})
        kinds.update({genome.turn_structure.order, genome.setup.pots, f"{genome.player_count} players"})
        kinds["ante"] += genome.setup.ante > 0
        kinds["several deals"] += genome.setup.deals > 1
    assert len(kinds) == 7 + 9 + 4 + 2 + 2 + 5 + 2
    assert min(kinds.values()) > 5
    assert min(places.values()) > 20


# --- one action at a time


def decisions(genome: Genome, seed: int, most: int) -> list[LabGame]:
    """Return copies of a random game at some of its decisions, drawn from all."""
    chance, found = Chance(seed), list[LabGame]()
    game = LabGame.dealt(genome, seed)
    while not game.over:
        if len(found) < most or chance.below(game.state.turns + 1) < most:
            found = [*found[-most + 1 :], game]
        game = game.after(chance.choice(game.moves))
    return found


def genomes(count: int) -> list[Genome]:
    return [*[load(name) for name in KNOWN], *[some_genome(3, number) for number in range(count)]]


VERBS = ("play", "discard", "claim", "ask", "take")
BETS = ["fold", "check", "call", "bet", "raise", "all_in"]
WORDS = [*BETS, "draw", "doubt", "believe", "pass", "stop", "keep", "discard"]


def cards(genome: Genome) -> list[str]:
    """Every card of the deck, and one that is not in it."""
    return [rank + suit for rank in genome.setup.deck.ranks for suit in genome.setup.deck.suits] + ["1x"]


def test_every_offered_move_is_accepted_and_every_other_refused() -> None:
    offered = refused = 0
    for at, genome in enumerate(genomes(30)):
        for game in decisions(genome, at, 3):
            assert len(game.moves) == len(set(game.moves)) == len(game.numbers)
            before = game.state.copy()
            for word in (*WORDS, *[f"{verb} {card}" for verb in VERBS for card in cards(genome)]):
                if word not in game.moves:
                    refused += 1
                    with pytest.raises(Refused, match="not_on_offer: expected "):
                        game.after(word)
            for word in game.moves:
                offered += 1
                assert game.after(word).state.turns > before.turns
            assert all(getattr(game.state, name) == getattr(before, name) for name in GameState.__slots__)
    assert offered > 300
    assert refused > 10_000


def test_finished_game_accepts_no_move() -> None:
    game = LabGame.dealt(load("kuhn"), 1)
    game = game.after("check")
    game = game.after("check")
    assert game.over
    assert (game.player, game.moves, game.numbers) == (None, (), ())
    with pytest.raises(Refused, match="the game is over"):
        game.after("check")


# --- where the chips go


def ends_of_deals(genome: Genome, seed: int) -> Iterator[tuple[tuple[int, ...], LabGame]]:
    """Return the chips before each deal of a random game, and the game at the deal's end."""
    game, chance, moves = LabGame.dealt(genome, seed), Chance(seed), list[str]()
    while not game.over:
        moves.append(chance.choice(game.moves))
        game = game.after(moves[-1])
    chips = (genome.setup.starting_chips,) * genome.player_count
    for deals in range(1, game.state.deal + 1):
        ended = LabGame.dealt(replace(genome, setup=replace(genome.setup, deals=deals)), seed)
        for move in moves:
            if not ended.over:
                ended = ended.after(move)
        yield chips, ended
        chips = ended.chips


@pytest.mark.check
def test_pots_are_paid_as_configured() -> None:
    """One pot is shared equally; from side pots, no player gets more from another than they paid themselves."""
    counts, chances = Counter[str](), iter(range(10_000))
    while min(counts["single"], counts["side"], counts["short winner"]) < 100:
        number = next(chances)
        genome = some_genome(8, number)
        for before, game in ends_of_deals(genome, number):
            seats, state = range(genome.player_count), game.state
            paid, won = state.paid[: len(seats)], [game.chips[p] - before[p] + state.paid[p] for p in seats]
            assert sum(won) == sum(paid)
            live = [p for p in seats if not state.folded[p]]
            assert [p for p in seats if won[p] and p not in live] == []
            best = [p for p in live if state.strengths[p] == max(state.strengths[q] for q in live)]
            if genome.setup.pots == "single":
                share, odd = divmod(sum(paid), len(best))
                assert won == [share + (odd if p == best[0] else 0) if p in best else 0 for p in seats]
            for p in live if genome.setup.pots == "side" else ():
                assert won[p] <= sum(min(paid[p], other) for other in paid)
                counts["short winner"] += p in best and won[p] < sum(paid)
            counts[genome.setup.pots] += sum(paid) > 0


# --- what is hidden


def test_a_view_does_not_depend_on_hidden_cards() -> None:
    """Nor what it may do, nor its information set: no rule asks for a card that its seat cannot see."""
    chance, moved, keys = Chance(4), 0, 0
    for at, genome in enumerate(genomes(60)):
        memory = Memory(Sight(genome, suits=True)) if genome.player_count == SEATS else None
        for game in decisions(genome, at, 4):
            assert game.player is not None
            for seat in range(genome.player_count):
                before, state, key = game.view(seat), game.state.copy(), information(memory, game, seat)
                places = hidden_places(game, seat)
                cards = [row[place] for row, place in places]
                for (row, place), card in zip(places, chance.shuffled(cards), strict=True):
                    moved += row[place] != card
                    row[place] = card
                game.state.chance = chance.bits()
                after = game.view(seat)
                holds("a view does not change when a hidden card does", after == before, genome, before, after)
                holds("nor does an information set", information(memory, game, seat) == key, genome, before, after)
                keys += key is not None
                game.state = state
    assert moved > 5000
    assert keys > 100


def information(memory: Memory | None, game: LabGame, seat: int) -> int | None:
    """The key of what a seat sees now, in a game that the solver can look at."""
    return memory.seen(None, Event(), game.state)[seat] if memory else None


def test_seat_sees_its_own_cards_and_open_cards() -> None:
    for at, genome in enumerate(genomes(20)):
        for game in decisions(genome, at, 2):
            for seat in range(genome.player_count):
                seen = game.view(seat)
                assert seen.hands[seat] == (("??",) * seen.held[seat] if only_blind(genome) else game.hands[seat])
                assert seen.held == tuple(map(len, game.hands))
                assert (seen.discards, seen.tableau, seen.trick) == (game.discards, game.tableau, game.trick)
                assert (seen.community, seen.captured) == (game.community, game.captured)
                assert (seen.chips, seen.bets, seen.pot) == (game.chips, game.bets, game.pot)
                assert seen.moves == (game.moves if seat == game.player else ())
                known = {*seen.discards, *seen.tableau, *seen.trick, *seen.community, *seen.hands[seat]}
                assert not known & {card for p, hand in enumerate(game.hands) if p != seat for card in hand}


# --- that this proves something


@pytest.mark.parametrize(
    ("module", "right", "wrong", "law"),
    [
        (piles, "    s.held[p] -= 1", "    pass", audit.CARDS),
        (piles, "    s.won[p] += 1", "    pass", audit.CARDS),
        (piles, "    s.drawn += 1", "    pass", audit.CARDS),
        (piles, "s.discards[0], s.discarded = top, 1", "s.discarded = 0", audit.CARDS),
        (play, "        s.tableau[k] = s.tableau[k + 1]", "        pass", audit.CARDS),
        (claim, "s.pile[s.piled] = move", "pass", audit.CARDS),
        (trick, "    s.tricked = 0", "    pass", audit.CARDS),
        (steps, "(pot % count if first else 0)", "0", audit.WINNERS),
        (steps, "core.post_ante(s, p, g.ante)", "s.stacks[p] -= g.ante", audit.CHIPS),
        (steps, "        pay_layers(g, rules, s)", "        pass", audit.CHIPS),
    ],
)
def test_a_mistake_in_the_engine_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, right: str, wrong: str, law: int
) -> None:
    make_mistake(monkeypatch, module, right, wrong)
    with pytest.raises(LawBroken) as broken:
        random_games(1, range(400), 2)
    assert str(broken.value).startswith(audit.LAWS[law])
