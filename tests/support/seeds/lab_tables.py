"""Games of the lab to test the clauses of seed 001 with: one card each, bets, and the highest card."""

from collections.abc import Sequence

from pitboss.chance import Chance
from pitboss.lab.game import LabGame
from pitboss.lab.genome import Deck, Genome, Phase, Setup, TurnStructure
from pitboss.lab.phases.betting import BettingPhase
from pitboss.lab.wins.high_card import HighCard

HIGH = "23456789TJQKA"


def one_card(
    players: int = 2,
    *,
    chips: int = 100,
    min_bet: int = 10,
    max_raises: int = 3,
    ante: int = 0,
    pots: str = "single",
    deals: int = 1,
    phases: Sequence[Phase] = (),
) -> Genome:
    """One card each, one round of bets unless other phases are given, and the highest card."""
    return Genome(
        name="one_card",
        player_count=players,
        setup=Setup(
            cards_per_player=1,
            initial_deck=Deck(ranks=HIGH, suits="cdhs"),
            starting_chips=chips,
            ante=ante,
            pots="side" if pots == "side" else "single",
            deals=deals,
        ),
        turn_structure=TurnStructure(
            phases=tuple(phases) or (BettingPhase(min_bet=min_bet, max_raises=max_raises),), order="rounds", rounds=1
        ),
        win_conditions=(HighCard(),),
    )


def table(*stacks: int, cards: str = "AKQJT9", min_bet: int = 10, max_raises: int = 3, pots: str = "single") -> LabGame:
    """A round of bets about to begin with these stacks; seat p holds `cards[p]`, by default the best in seat 0."""
    genome = one_card(len(stacks), chips=max(100, *stacks), min_bet=min_bet, max_raises=max_raises, pots=pots)
    suits = [("c", "d", "h", "s")[cards[:place].count(rank)] for place, rank in enumerate(cards)]
    game = LabGame.dealt(genome, deck=[rank + suit for rank, suit in zip(cards[: len(stacks)], suits, strict=False)])
    game.state.stacks[: len(stacks)] = stacks  # before the first decision
    return game


def play(game: LabGame, *moves: str) -> LabGame:
    """Do these moves, whichever player is to act."""
    for move in moves:
        game = game.after(move)
    return game


def offered(game: LabGame) -> set[str]:
    return set(game.moves)


def places_to_act(game: LabGame, *moves: str) -> list[int | None]:
    """The player to act before each of these moves, and after the last."""
    found = [game.player]
    for move in moves:
        game = game.after(move)
        found.append(game.player)
    return found


def won_the_deal(game: LabGame) -> tuple[int, ...]:
    """The winners of the only deal; with chips, the players with the most chips win the game."""
    assert game.state.deal == 1
    return tuple([seat for seat, deals in enumerate(game.state.deals_won) if deals])


def finish(game: LabGame, chance: Chance) -> LabGame:
    """Play to the end at random."""
    while not game.over:
        game = game.after(chance.choice(game.moves))
    return game
