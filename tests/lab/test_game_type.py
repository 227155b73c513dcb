"""Games of the lab as types of game: moves and events written and read, what a place learns, how a game came out."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from pitboss.betting.refusals import Refused
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import Game, GameType, NoSuchPlace, Over, PlayersTurn
from pitboss.lab.events import (
    CardsMoved,
    CardsShown,
    ChipsPut,
    ChipsTaken,
    DealBegun,
    DealEnded,
    DeckMade,
    GameEnded,
    HandShown,
    LabEvent,
    MoveMade,
    PhaseBegun,
    Pile,
)
from pitboss.lab.files import known_games, load
from pitboss.lab.game import LabGame
from pitboss.lab.game_type import LabGameType, lab_game
from pitboss.lab.genome import Genome
from tests.support.for_each import for_each
from tests.support.lab.genomes import some_genome

LEDUC: GameType[LabGame, str, LabEvent] = lab_game("leduc")
"""The type checker holds games of the lab to the protocol here."""
DECK = Pile("deck")
Step = tuple[LabGame, tuple[LabEvent, ...]]


def played(genome: Genome, seed: int, most: int = 120) -> Iterator[Step]:
    """Return every state of a random game, up to some moves, with what led to it."""
    chance = Chance(seed)
    game, events = LabGame.start(genome, seed)
    yield game, events
    for _ in range(most):
        if game.over:
            return
        game, events = game.act(chance.choice(game.legal()), game.player)
        yield game, events


def some_games() -> Iterator[tuple[Genome, int]]:
    """Known games, and genomes drawn at random."""
    yield from [(load(name), 5) for name in known_games()]
    yield from [(some_genome(6, number), number) for number in range(40)]


def piles(game: LabGame) -> dict[Pile, tuple[str, ...]]:
    """Every pile but the deck, with its cards."""
    found = {Pile("hand", place): cards for place, cards in enumerate(game.hands)}
    found |= {Pile("captured", place): cards for place, cards in enumerate(game.captured)}
    found |= {Pile("discards"): game.discards, Pile("tableau"): game.tableau, Pile("pile"): game.pile}
    return found | {Pile("trick"): game.trick, Pile("community"): game.community}


def test_leduc_in_events() -> None:
    game, events = LabGame.start(load("leduc"), deck=("Js", "Kh", "Jh"))
    hosted: Game = game
    assert hosted.turn == PlayersTurn(0)
    assert events == (
        DealBegun(1, 0, None),
        ChipsPut(0, 1),
        ChipsPut(1, 1),
        CardsMoved(DECK, Pile("hand", 0), ("Js",), (0,)),
        CardsMoved(DECK, Pile("hand", 1), ("Kh",), (1,)),
        PhaseBegun(0, "BettingPhase", None),
    )
    game, events = game.act("bet", 0)
    assert events == (MoveMade(0, "bet"), ChipsPut(0, 2))
    game, events = game.act("call", 1)
    board = CardsMoved(DECK, Pile("community"), ("Jh",), None)
    assert events == (
        *(MoveMade(1, "call"), ChipsPut(1, 2)),
        *(PhaseBegun(1, "CommunityPhase", None), board, PhaseBegun(2, "BettingPhase", None)),
    )
    game, _ = game.act("check", 0)
    game, events = game.act("check", 1)
    assert events == (
        *(MoveMade(1, "check"), ChipsTaken(0, 6), HandShown(0, ("Js",)), HandShown(1, ("Kh",))),
        *(DealEnded(1, (0,), (0, 0)), GameEnded((0,), False)),
    )
    assert (game.turn, LEDUC.result(game)) == (Over(), (3, -3))
    with pytest.raises(Refused, match="game_over"):
        game.act("check")


def test_events_lead_from_state_to_state() -> None:
    """Cards and chips are where the events say, every move is said, and the quick way comes to the same."""
    seen = Counter[str]()
    for genome, seed in some_games():
        before, chips = dict[Pile, Counter[str]](), [genome.setup.starting_chips] * genome.player_count
        game, chance = LabGame.dealt(genome, seed), Chance(seed)
        for at, (state, events) in enumerate(played(genome, seed)):
            if at:
                move = chance.choice(game.legal())
                assert MoveMade(game.state.to_act, move, move.startswith("claim ")) == events[0]
                game = game.after(move)
            assert game == state
            for event in events:
                seen[type(event).__name__] += 1
                match event:
                    case DealBegun():
                        before = {}
                    case CardsMoved(source=source, target=target, cards=cards):
                        if source != DECK:
                            assert not Counter(cards) - before[source]
                            before[source] -= Counter(cards)
                        before.setdefault(target, Counter()).update(cards)
                    case DeckMade(cards=count):
                        top = state.discards[0]
                        assert before[Pile("discards")].total() == count + 1
                        before[Pile("discards")] = Counter([top])
                    case ChipsPut(place=place, amount=amount):
                        chips[place] -= amount
                    case ChipsTaken(place=place, amount=amount):
                        chips[place] += amount
                    case _:
                        pass
            assert {pile: Counter(cards) for pile, cards in piles(state).items() if cards} == {
                pile: +cards for pile, cards in before.items() if +cards
            }
            assert state.chips == tuple(chips)
            in_play = 0 if state.over else state.pot
            assert sum(chips) + in_play == genome.setup.starting_chips * genome.player_count
    assert len(seen) == 11
    assert min(seen.values()) > 2


def test_reshuffled_deck_hides_formerly_open_cards() -> None:
    """Who draws from the shuffled discards is the only one to see what."""
    drawn = 0
    for seed in range(40):
        for _, events in played(load("mau_mau"), seed, 300):
            for made, moved in pairwise(events):
                if isinstance(made, DeckMade) and isinstance(moved, CardsMoved):
                    drawn += 1
                    assert moved.source == DECK
                    assert moved.seen_by == (moved.target.place,)
    assert drawn > 5


def test_moves_and_events_read_back_as_written() -> None:
    for genome, seed in some_games():
        kind = LabGameType(genome)
        for game, events in played(genome, seed, 20):
            assert all(kind.read_action(kind.write_action(move)) == move for move in game.legal())
            for place in (*range(genome.player_count), None):
                seen = [kind.view_event(event, place) for event in events]
                assert [kind.read_event(kind.write_event(event)) for event in seen if event] == seen


@for_each("written", ["", "check", b"\xff", "null", "[]", "{}", '{"type":"dance"}', "[" * 10_000])
def test_invalid_moves_and_events_are_refused(written: bytes | str) -> None:
    with pytest.raises(PitbossError, match="expected a move as a JSON string"):
        LEDUC.read_action(written)
    with pytest.raises(PitbossError, match="expected an event as a JSON object"):
        LEDUC.read_event(written)


def test_a_claimed_card_is_its_owners_secret_until_it_is_doubted() -> None:
    kind = lab_game("cheat")
    game, _ = LabGame.start(kind.genome, deck=("2d", "Kc"))
    game, events = game.act("claim 2d")
    assert [kind.view_event(event, 0) for event in events] == list(events)
    for other in (1, 2, 3, None):
        made, moved = [kind.view_event(event, other) for event in events]
        assert made == MoveMade(0, "claim ??", True)
        assert moved == CardsMoved(Pile("hand", 0), Pile("pile"), ("??",), (0,))
    for move in ("stop", "believe", "believe"):
        game = game.after(move)
    game, events = game.act("doubt")
    assert events[:2] == (MoveMade(3, "doubt"), CardsShown(0, ("2d",)))
    assert events[2] == CardsMoved(Pile("pile"), Pile("hand", 3), ("2d",), (3,))


@pytest.mark.check
def test_default_actions_and_to_the_end() -> None:
    for genome, seed in some_games():
        kind = LabGameType(genome)
        game, _ = kind.start(genome.player_count, Chance(seed))
        while game.turn != Over():
            game, _ = game.act(kind.default_action(game))
        assert sum(kind.result(game)) == 0
        assert len(kind.result(game)) == genome.player_count
    assert LEDUC.default_action(LabGame.dealt(load("leduc")).after("bet")) == "fold"


def test_hosting_errors_name_the_reason() -> None:
    with pytest.raises(PitbossError, match="places: expected 2 for leduc, got 3"):
        LEDUC.start(3, Chance(1))
    game, _ = LEDUC.start(2, Chance(1))
    with pytest.raises(PitbossError, match="expected a finished game, got one that is not over"):
        LEDUC.result(game)
    with pytest.raises(Refused, match="out_of_turn: it is the turn of place 0, not of place 1"):
        game.act("check", 1)
    with pytest.raises(Refused, match="only_a_view"):
        game.view(0).act("check")
    with pytest.raises(NoSuchPlace, match="place: expected 0 to 1, or None for a spectator, got 2"):
        game.view(2)
    with pytest.raises(PitbossError, match="deck: expected each card once"):
        LabGame.start(load("leduc"), deck=("Js", "Js"))
