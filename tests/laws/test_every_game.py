"""The laws of every game that can be hosted: `tests/support/laws/games.py` says which those are, and how to add one.

What is on offer is accepted and its neighbours are refused; no view and no event tells what is hidden; everything reads
back as written; chips or cards are conserved; it ends.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import pitboss.hand.game_type
from pitboss.betting import core
from pitboss.betting.core import Numbers
from pitboss.betting.events import Bet, BettingAction, Raise
from pitboss.betting.round import Round
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import Game, Over, PlayersTurn
from pitboss.hand.hand import Hand
from tests.support.for_each import for_each
from tests.support.laws.games import GAMES, GameOnTrial
from tests.support.laws.laws import LawBroken, holds

SEEDS = [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)]
MANY, FEW = 30, 8
"""All of a game's first states are tried out, and of later ones one in a few."""
NO_ACTIONS = ("nonsense", None, 7, object())
NOT_WRITTEN = ("", "{", "nonsense", "[]", '{"type":"nothing"}', b"\xff")

every_game = for_each("game", GAMES.values(), ids=GAMES)
some_seeds = pytest.mark.parametrize("seeds", SEEDS, ids=("few", "more"))


def played(trial: GameOnTrial, seed: int) -> Iterator[tuple[Game, tuple[Any, ...]]]:
    """The states of a game played at random from what is legal, each with the events that led to it."""
    chance = Chance(seed)
    game, events = trial.start(chance)
    yield game, events
    for _ in range(trial.longest):
        if isinstance(game.turn, Over):
            return
        game, events = game.act(chance.choice(game.legal()))
        yield game, events
    raise LawBroken("every game ends")


def asked(game: Game) -> int:
    """Whose turn it is; -1 once it is over."""
    match game.turn:
        case PlayersTurn(place):
            return place
        case Over():
            return -1
    raise LawBroken("all that chance decides is decided at the start")


# --- what is on offer is accepted, its neighbours are refused


@pytest.mark.check
@every_game
@some_seeds
def test_what_is_legal_is_accepted_and_its_neighbours_are_refused(game: GameOnTrial, seeds: range) -> None:
    for seed in seeds:
        check_offers(game, seed)


def check_offers(game: GameOnTrial, seed: int) -> None:
    """Try actions on offer and others, in one game played at random."""
    used: list[Any] = []
    for number, (state, _) in enumerate(played(game, seed)):
        if number > MANY and number % FEW and asked(state) >= 0:
            continue
        before, legal, place = repr(state), state.legal(), asked(state)
        holds("who is asked has a choice, and nobody else", bool(legal) == (place >= 0), state)
        holds("every action is listed once", all(legal.count(action) == 1 for action in legal), legal)
        for action in legal:
            holds("with or without his place", state.act(action) == state.act(action, place), action, state)
            for other in (*range(game.places), -1, game.places, 10**9):
                if other != place:
                    check_refused(state, action, other)
        if place < 0:
            for action in used:
                check_refused(state, action, None)
        else:
            for action in game.neighbours(state):
                check_refused(state, action, None)
                check_refused(state, action, place)
        for wrong in NO_ACTIONS:
            if wrong not in legal:
                check_refused(state, wrong, None)
        holds("what is tried changes nothing, least of all what is refused", repr(state) == before, state)
        used = [*legal, *used][:50]


def check_refused(state: Game, action: Any, place: int | None) -> None:
    """State that an action is refused by an error of the family, in words."""
    try:
        state.act(action, place)
    except PitbossError as error:
        holds("a refusal says why", str(error) != "", action, place)
    else:
        holds("what is not on offer is refused", False, action, place, state)


@pytest.mark.check
@every_game
@some_seeds
def test_by_default_the_game_goes_on_to_its_end(game: GameOnTrial, seeds: range) -> None:
    for seed in seeds:
        state, _ = game.start(Chance(seed))
        for _ in range(game.longest):
            if asked(state) < 0:
                break
            state, _ = state.act(game.type.default_action(state), asked(state))
        else:
            raise LawBroken("every game ends")


# --- secrets


@pytest.mark.check
@every_game
@some_seeds
def test_a_view_does_not_change_when_a_hidden_card_does(game: GameOnTrial, seeds: range) -> None:
    for seed in seeds:
        compared = 0
        for eyes in (*range(game.places), None):
            compared += compare_twins(game, Chance(seed).fork(eyes or -1), eyes)
        assert compared > game.places


def compare_twins(game: GameOnTrial, chance: Chance, eyes: int | None) -> int:
    """Play two games alike until they look different; returns how many moments looked the same."""
    (one, events), (two, other) = game.twins(chance, eyes)
    holds("twins look alike at the start", one.view(eyes) == two.view(eyes), eyes, one, two)
    holds("twins are no copies", one != two, eyes, one)
    for moment in range(game.longest):
        if one.view(eyes) != two.view(eyes) or any(isinstance(event, game.shows) for event in events):
            return moment
        holds("no event tells what is hidden", learnt(game, events, eyes) == learnt(game, other, eyes), eyes, events)
        place = asked(one)
        if place < 0:
            return moment + 1
        if place == eyes:
            holds("no offer tells what is hidden", (one.offer, one.legal()) == (two.offer, two.legal()), one, two)
        action = chance.choice(one.legal())
        one, events = one.act(action)
        try:
            two, other = two.act(action)
        except PitbossError:  # another player's action that shows what they hold
            holds("one's own actions depend on nothing hidden", place != eyes, action, one, two)
            return moment + 1
    raise LawBroken("every game ends")


def learnt(game: GameOnTrial, events: tuple[Any, ...], eyes: int | None) -> list[Any]:
    """What these eyes learn from events."""
    seen = [game.type.view_event(event, eyes) for event in events]
    return [event for event in seen if event is not None]


@pytest.mark.check
@every_game
def test_a_view_is_all_that_is_needed_to_answer(game: GameOnTrial) -> None:
    for state, _ in played(game, 11):
        for eyes in (*range(game.places), None):
            seen = state.view(eyes)
            holds("who looks again sees no more", seen.view(eyes) == seen, eyes, state)
            holds("everybody sees whose turn it is", seen.turn == state.turn, eyes, state)
            if eyes == asked(state):
                holds("who is asked sees what he may do", seen.offer == state.offer, eyes, state)
                holds("who is asked sees all his actions", set(seen.legal()) == set(state.legal()), eyes, state)
        for nobody in (-1, game.places):
            with pytest.raises(PitbossError):
                state.view(nobody)


# --- everything reads back as written


@pytest.mark.check
@every_game
@some_seeds
def test_everything_reads_back_as_written(game: GameOnTrial, seeds: range) -> None:
    for seed in seeds:
        for state, events in played(game, seed):
            for action in state.legal():
                check_reads_back(action, game.type.write_action, game.type.read_action)
            for event in events:
                for seen in (event, *[game.type.view_event(event, eyes) for eyes in (*range(game.places), None)]):
                    if seen is not None:
                        check_reads_back(seen, game.type.write_event, game.type.read_event)


def check_reads_back(what: Any, write: Callable[[Any], bytes], read: Callable[[str | bytes], Any]) -> None:
    """State that an action or an event is written as JSON and read again from bytes and from text."""
    written = write(what)
    json.loads(written)
    holds("actions and events read back", read(written) == what, what)
    holds("from text too", read(written.decode()) == what, what)


@every_game
def test_what_nobody_wrote_is_refused(game: GameOnTrial) -> None:
    for read in (game.type.read_action, game.type.read_event):
        for text in NOT_WRITTEN:
            with pytest.raises(PitbossError):
                read(text)


# --- chips and cards are conserved, and it comes to something


@every_game
@some_seeds
def test_nothing_is_lost_and_nothing_made(game: GameOnTrial, seeds: range) -> None:
    for seed in seeds:
        counts = {game.counts(state) for state, _ in played(game, seed)}
        assert len(counts) == 1
        assert min(*next(iter(counts)), 1) > 0


@every_game
@some_seeds
def test_there_is_a_result_when_it_is_over_and_not_before(game: GameOnTrial, seeds: range) -> None:
    for seed in seeds:
        for state, _ in played(game, seed):
            if asked(state) >= 0:
                with pytest.raises(PitbossError):
                    game.type.result(state)
            else:
                assert len(game.type.result(state)) == game.places


@every_game
def test_a_seed_replays_everything(game: GameOnTrial) -> None:
    assert list(played(game, 5)) == list(played(game, 5))


@every_game
def test_a_type_says_its_name_and_how_many_play(game: GameOnTrial) -> None:
    assert game.type.name == game.type.name.lower().replace(" ", "_") != ""
    assert game.places in game.type.places
    for places in (0, game.type.places.start - 1, game.type.places.stop):
        with pytest.raises(PitbossError):
            game.type.start(places, Chance(1))


# --- that this proves something


POKER = GAMES["no_limit_holdem-antes"]


def test_a_view_that_leaks_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hand, "view", lambda hand, _: hand)
    with pytest.raises(LawBroken, match="twins look alike"):
        compare_twins(POKER, Chance(1), 0)


def test_an_event_that_leaks_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pitboss.hand.game_type, "view_event", lambda event, _: event)
    with pytest.raises(LawBroken, match="no event tells"):
        compare_twins(POKER, Chance(1), 0)


def test_a_list_that_is_too_long_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    legal = Round.legal

    def too_much(round: Round) -> tuple[BettingAction, ...]:
        bounds = round.offer.bet or round.offer.raise_
        more = bounds.max_to + 1 if bounds else round.price + 1
        return (*legal(round), Raise(more) if round.price else Bet(more))

    monkeypatch.setattr(Round, "legal", too_much)
    with pytest.raises(PitbossError):
        check_offers(POKER, 1)


def test_a_neighbour_that_is_accepted_would_be_noticed() -> None:
    sloppy = POKER._replace(neighbours=lambda hand: hand.legal())
    with pytest.raises(LawBroken, match="what is not on offer is refused"):
        check_offers(sloppy, 1)


def test_a_lost_chip_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(s: Numbers, place: int, amount: int) -> None:
        s.pot -= amount
        s.stacks[place] += amount - 1

    monkeypatch.setattr(core, "win", short)
    with pytest.raises(AssertionError):
        test_nothing_is_lost_and_nothing_made(POKER, range(1, 2))


def test_a_game_without_an_end_would_be_noticed() -> None:
    with pytest.raises(LawBroken, match="every game ends"):
        test_by_default_the_game_goes_on_to_its_end(POKER._replace(longest=1), range(1, 2))
