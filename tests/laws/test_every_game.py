"""The laws of every game that can be hosted: `tests/support/laws/games.py` says which those are, and how to add one.

What is on offer is accepted and its neighbours are refused; no view, event, table or sentence tells what is hidden;
everything reads back as written; chips or cards are conserved; it ends.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

import pitboss.hand.display
import pitboss.hand.game_type
from pitboss.betting import core
from pitboss.betting.core import Numbers
from pitboss.betting.events import Bet, BettingAction, Raise
from pitboss.betting.round import Round
from pitboss.chance import Chance
from pitboss.errors import PitbossError
from pitboss.game import Game, Over, PlayersTurn
from pitboss.hand.hand import Hand
from pitboss.lab.game import LabGame
from pitboss.lab.game_type import LabGameType, lab_game
from tests.support.for_each import for_each
from tests.support.laws.games import GAMES, GameOnTrial, lab_on_trial
from tests.support.laws.lab_games import NOT_ASKING
from tests.support.laws.laws import LawBroken, holds

SEEDS = [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)]
MANY, FEW = 30, 8
"""All of a game's first states are tried out, and of later ones one in a few."""
NO_ACTIONS = ("nonsense", None, 7, object())
NOT_WRITTEN = ("", "{", "nonsense", "[]", '{"type":"nothing"}', b"\xff")

ALL_GAMES = {**GAMES, **{f"lab-{name}": lab_on_trial(lab_game(name)) for name in NOT_ASKING}}
UNDECIDED = tuple([f"lab-{name}" for name in NOT_ASKING])
BLIND = (*UNDECIDED, "lab-betting_war")
"""Games in which no player sees any hidden card when they have to act."""

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


def place_to_act(game: Game) -> int:
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
def test_legal_actions_are_accepted_and_their_neighbours_refused(game: GameOnTrial, seeds: range) -> None:
    for seed in seeds:
        check_offers(game, seed)


def check_offers(game: GameOnTrial, seed: int) -> None:
    """Try actions on offer and others, in one game played at random."""
    used: list[Any] = []
    for number, (state, _) in enumerate(played(game, seed)):
        if number > MANY and number % FEW and place_to_act(state) >= 0:
            continue
        before, legal, place = repr(state), state.legal(), place_to_act(state)
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
def test_default_actions_lead_to_the_end(game: GameOnTrial, seeds: range) -> None:
    for seed in seeds:
        state, _ = game.start(Chance(seed))
        for _ in range(game.longest):
            if place_to_act(state) < 0:
                break
            state, _ = state.act(game.type.default_action(state), place_to_act(state))
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
    narrator, other_narrator = game.type.narrator(eyes), game.type.narrator(eyes)
    for moment in range(game.longest):
        if one.view(eyes) != two.view(eyes) or any(isinstance(event, game.shows) for event in events):
            return moment
        seen, other_seen = learnt(game, events, eyes), learnt(game, other, eyes)
        holds("no event tells what is hidden", seen == other_seen, eyes, events)
        holds("no sentence tells what is hidden", narrator.tell(seen) == other_narrator.tell(other_seen), eyes, events)
        place = place_to_act(one)
        if place < 0:
            return moment + 1
        if place == eyes:
            holds("no offer tells what is hidden", (one.offer, one.legal()) == (two.offer, two.legal()), one, two)
        action = chance.choice(one.legal())
        same = game.elsewhere(action, one, two)
        one, events = one.act(action)
        try:
            two, other = two.act(same)
        except PitbossError:  # another player's action that shows what they hold
            holds("one's own actions depend on nothing hidden", place != eyes, action, one, two)
            return moment + 1
    raise LawBroken("every game ends")


LOOKS = 6
"""The number of moments of a game that are compared with another world."""


@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 5), marks=pytest.mark.slow)], ids=("few", "more"))
def test_data_and_words_do_not_depend_on_hidden_cards(seeds: range) -> None:
    """Of all games: other cards in other hands and in the deck change no table, no sentence and no list of moves."""
    for name, game in ALL_GAMES.items():
        compared: Counter[str] = sum([compare_worlds(game, seed) for seed in seeds], Counter())
        holds("another world looks different to others", bool(compared["different"]) != (name in BLIND), name)
        holds("tables are compared", compared["tables"] > game.places, name)
        holds("sentences are compared", bool(compared["sentences"]) or name in UNDECIDED, name)


def compare_worlds(game: GameOnTrial, seed: int) -> Counter[str]:
    """Look at some moments of a random game in two worlds; returns what was compared."""
    chance, compared = Chance(seed).fork(1), Counter[str]()
    steps = list(played(game, seed))
    for at in chance.shuffled(range(len(steps)), min(LOOKS, len(steps))):
        state, place = steps[at][0], place_to_act(steps[at][0])
        for eyes in (*range(game.places), None):
            other = game.other_world(state, eyes, chance)
            one, two = displayed(game, state, eyes), displayed(game, other, eyes)
            holds("no table tells what is hidden", one == two, eyes, one, two)
            compared["tables"] += 1
            if place < 0:
                continue
            if place != eyes:
                compared["different"] += displayed(game, state, place) != displayed(game, other, place)
            before = [event for _, events in steps[: at + 1] for event in learnt(game, events, eyes)]
            compared["sentences"] += compare_next(game, before, (state, other), eyes, chance)
    return compared


def compare_next(
    game: GameOnTrial, before: list[Any], worlds: tuple[Game, Game], eyes: int | None, chance: Chance
) -> int:
    """Make the same random move in two worlds; returns how many sentences are the same if the views still are."""
    one, two = worlds
    action = chance.choice(one.legal())
    try:
        (one, events), (two, other) = one.act(action), two.act(game.elsewhere(action, one, two))
    except PitbossError:  # a move that shows what another player holds
        return 0
    if one.view(eyes) != two.view(eyes) or any(isinstance(event, game.shows) for event in events):
        return 0
    tells = []
    for happened in (events, other):
        narrator = game.type.narrator(eyes)
        narrator.tell(before)
        tells.append(narrator.tell(learnt(game, happened, eyes)))
    holds("no sentence tells what is hidden", tells[0] == tells[1], eyes, *tells)
    return len(tells[0])


def displayed(game: GameOnTrial, state: Game, eyes: int | None) -> tuple[bytes, str, tuple[Any, ...]]:
    """What these eyes see of a game: the table as data, in words, and the legal actions."""
    table, words = game.type.table_view(state, eyes), game.type.describe(state, eyes)
    return msgspec.json.encode(table), words, state.view(eyes).legal()


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
            if eyes == place_to_act(state):
                holds("who is asked sees what he may do", seen.offer == state.offer, eyes, state)
                holds("who is asked sees all his actions", set(seen.legal()) == set(state.legal()), eyes, state)
        for nobody in (-1, game.places):
            with pytest.raises(PitbossError):
                state.view(nobody)


# --- everything reads back as written


@pytest.mark.check
@every_game
@some_seeds
def test_written_games_read_back(game: GameOnTrial, seeds: range) -> None:
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
def test_altered_text_is_refused(game: GameOnTrial) -> None:
    for read in (game.type.read_action, game.type.read_event):
        for text in NOT_WRITTEN:
            with pytest.raises(PitbossError):
                read(text)


# --- chips and cards are conserved, and it comes to something


@every_game
@some_seeds
def test_game_conserves_its_total(game: GameOnTrial, seeds: range) -> None:
    for seed in seeds:
        counts = {game.counts(state) for state, _ in played(game, seed)}
        assert len(counts) == 1
        assert min(*next(iter(counts)), 1) > 0


@every_game
@some_seeds
def test_there_is_a_result_when_it_is_over_and_not_before(game: GameOnTrial, seeds: range) -> None:
    for seed in seeds:
        for state, _ in played(game, seed):
            if place_to_act(state) >= 0:
                with pytest.raises(PitbossError):
                    game.type.result(state)
            else:
                assert len(game.type.result(state)) == game.places


@every_game
def test_seed_replays_a_game(game: GameOnTrial) -> None:
    assert list(played(game, 5)) == list(played(game, 5))


@every_game
def test_type_has_a_name_and_a_number_of_players(game: GameOnTrial) -> None:
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


def test_a_table_that_leaks_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pitboss.hand.game_type, "table_view", lambda hand, _: pitboss.hand.display.table_view(hand, 0))
    with pytest.raises(LawBroken, match="no table tells"):
        compare_worlds(POKER, 0)


def test_words_that_leak_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LabGame, "view", lambda game, _: game)
    monkeypatch.setattr(LabGameType, "table_view", lambda *_: None)
    with pytest.raises(LawBroken, match="no table tells"):
        compare_worlds(GAMES["lab-hearts"], 0)


def test_a_sentence_that_leaks_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LabGameType, "view_event", lambda _, event, place: event)
    with pytest.raises(LawBroken, match="no sentence tells"):
        compare_worlds(GAMES["lab-cheat"], 0)


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
        test_game_conserves_its_total(POKER, range(1, 2))


def test_a_game_without_an_end_would_be_noticed() -> None:
    with pytest.raises(LawBroken, match="every game ends"):
        test_default_actions_lead_to_the_end(POKER._replace(longest=1), range(1, 2))
