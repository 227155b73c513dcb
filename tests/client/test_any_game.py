"""`pitboss.client` in games other than poker: what a bot is asked, what it may answer, and a match of each kind."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.arena.bots import HOUSE, of_any_game
from pitboss.arena.bots.offline import OfflineMatch
from pitboss.arena.hosts.games import find_game
from pitboss.arena.hosts.moves import MovesHost
from pitboss.arena.journal.records import Settings
from pitboss.arena.wire import messages as wire
from pitboss.arena.wire.answers import AnswerError, read_answer, safe_action
from pitboss.chance import Chance
from pitboss.client import Ask, GameAnswer
from pitboss.client.conversation import AskBot, Conversation, DropQuestion, Effect
from tests.support.arena.any_game import AnyTable
from tests.support.for_each import for_each

GAMES = ("hearts", "leduc", "sting", "gin", "scopa", "crazy_eights", "community_poker")


def random_bot(seed: int) -> Callable[[Any], object]:
    chance = Chance(seed)
    return of_any_game(HOUSE["random"](chance), chance)


def asked_in(game: str, answer: Callable[[Ask], GameAnswer], hands: int = 1) -> tuple[OfflineMatch, list[Ask]]:
    """Play a game offline; return the match, and what its first bot was asked."""
    asks: list[Ask] = []

    def noting(ask: Ask) -> GameAnswer:
        asks.append(ask)
        return answer(ask)

    others = [(f"random {seat}", random_bot(seat)) for seat in range(1, find_game(game).places.start)]
    match = OfflineMatch([("noting", noting), *others], chance=Chance(5), games=MovesHost(find_game(game)))
    for _ in range(hands):
        match.play_hand()
    match.end()
    return match, asks


@for_each("game", GAMES)
def test_a_bot_gets_the_view_the_words_and_the_moves(game: str) -> None:
    match, asks = asked_in(game, lambda ask: ask.moves[-1])
    assert match.results()[0].illegal == 0
    for ask in asks:
        assert ask.text
        assert ask.rules
        assert ask.table is not None
        assert ask.table.turn == ask.seat == 0
        assert [move.move for move in ask.moves] == list(ask.legal)
        assert all(move.text for move in ask.moves)


@for_each("form", ["move", "number", "legal"])
def test_a_bot_may_answer_a_move_its_number_or_what_is_legal(form: str) -> None:
    answers: dict[str, Callable[[Ask], GameAnswer]] = {
        "move": lambda ask: ask.moves[-1],
        "number": lambda ask: len(ask.moves) - 1,
        "legal": lambda ask: ask.moves[-1].move,
    }
    match, asks = asked_in("leduc", answers[form], hands=4)
    assert (match.results()[0].illegal, len(asks) > 3) == (0, True)


ASK = Ask(
    hand_id="H-1",
    seat=0,
    place=0,
    learned=(),
    legal=("check", "bet"),
    time_ms=15_000,
    turn=3,
    default=0,
    text="You act.",
)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (2, "move 2: expected a number from 0 to 1"),
        (-1, "move -1: expected a number from 0 to 1"),
        (True, "True is not on offer: answer one of ask.moves, or its number from 0 to 1"),
        ("fold", "'fold' is not on offer: answer one of ask.moves, or its number from 0 to 1"),
        (None, "None is not on offer: answer one of ask.moves, or its number from 0 to 1"),
    ],
)
def test_an_answer_that_is_not_on_offer_is_named_in_one_sentence(answer: object, sentence: str) -> None:
    with pytest.raises(AnswerError) as refusal:
        read_answer(answer, ASK)
    assert str(refusal.value) == sentence


def test_without_an_answer_the_move_of_the_server_is_made() -> None:
    assert safe_action(replace(ASK, default=1)) == wire.MoveMessage(v=1, hand_id="H-1", index=1, turn=3)
    match, _ = asked_in("leduc", lambda ask: 99)
    assert match.results()[0].illegal > 0
    assert "expected a number from 0 to" in (match.results()[0].complaint or "")


def test_a_server_without_tables_still_gives_moves() -> None:
    assert [(move.index, move.text, move.move) for move in ASK.moves] == [(0, "check", "check"), (1, "bet", "bet")]


# --- the conversation


class Seat:
    """One seat's conversation with a table in memory; the other seats play at random."""

    def __init__(self, game: str, seats: int) -> None:
        self.talk = Conversation("team 0", "code")
        self.asked: list[Ask] = []
        self.effects: list[Effect] = []
        self.table = AnyTable(Settings(game=game, seats=seats, max_hands=2), seed=3, wants_new=[0], ask_table=[0])
        self._read = 0

    def hear(self) -> None:
        """Pass the new frames to the conversation."""
        frames = self.table.frames[0]
        for frame in frames[self._read :]:
            effects = self.talk.receive(frame)
            self.effects += effects
            self.asked += [
                act for effect in effects if isinstance(effect, AskBot) and isinstance(act := effect.act, Ask)
            ]
        self._read = len(frames)


@for_each("game", ["hearts", "leduc", "sting"])
def test_each_question_has_all_events_that_the_seat_has_learned(game: str) -> None:
    seat = Seat(game, find_game(game).places.start)
    seat.talk.begin()
    while seat.table.last is None:
        seat.hear()
        seat.table.move()
    whole = [frame for frame in map(wire.read_server, seat.table.frames[0]) if isinstance(frame, Ask)]
    assert [ask.turn for ask in seat.asked] == [ask.turn for ask in whole]
    for ask, sent in zip(seat.asked, whole, strict=True):
        assert ask.learned_from is None
        assert len(ask.learned) == (sent.learned_from or 0) + len(sent.learned)
        assert ask.learned[(sent.learned_from or 0) :] == sent.learned
        assert ask.rules


def test_after_a_restart_the_view_asks_the_bot_again() -> None:
    seat = Seat("leduc", 2)
    seat.talk.begin()
    while not seat.asked:
        seat.hear()
        if seat.table.open_question[0] != 0:
            seat.table.move()
    before = seat.asked[-1]
    seat.table.start()
    seat.talk.begin()
    seat.hear()
    assert (seat.asked[-1].turn, seat.asked[-1].learned) == (before.turn, before.learned)
    assert [move.text for move in seat.asked[-1].moves] == [move.text for move in before.moves]


def test_an_event_after_the_question_closes_it() -> None:
    talk = Conversation("team 0", "code")
    talk.begin()
    talk.receive(wire.write(ASK))
    late = wire.Happened(hand_id="H-1", seq=9, event={"type": "move_made", "place": 0, "move": "check"})
    assert any(isinstance(effect, DropQuestion) for effect in talk.receive(wire.write(late)))
