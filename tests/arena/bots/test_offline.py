"""Bots against each other without a server: chips, buttons and decks, and what becomes of bots that answer nonsense."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.dealers import OfflineStakes
from pitboss.arena.bots.offline import (
    AskedBot,
    BotResult,
    DuplicateMatch,
    KeyedDecks,
    OfflineMatch,
    play,
)
from pitboss.arena.bots.runner import BotDisqualified, BotFailure
from pitboss.arena.wire.messages import (
    Act,
    BetMessage,
    EndHand,
    EventMessage,
    Lobby,
    MatchEnd,
    PostAntes,
    PostBlinds,
    ServerMessage,
    Showdown,
    StartHand,
    Welcome,
    read_server,
    write,
)
from pitboss.cards import Card
from pitboss.chance import Chance
from pitboss.hand.games import NO_LIMIT_HOLDEM, RAZZ
from pitboss.hand.structure import Structure
from pitboss.stats import Mean
from pitboss.table import GameAtStakes, Mixed
from tests.support.arena import remembering_bot
from tests.support.for_each import for_each

NAMES = ("tight", "calling", "random", "folding")


def house(names: Sequence[str] = NAMES, seed: int = 1) -> list[tuple[str, AskedBot]]:
    """House bots, seat by seat."""
    return [(name, HOUSE[name](Chance(seed).fork(seat))) for seat, name in enumerate(names)]


def score(results: Sequence[BotResult]) -> list[tuple[Any, ...]]:
    """Everything but the time."""
    return [result[:-1] for result in results]


class Watching:
    """A bot that remembers every question and answers as another would."""

    def __init__(self, bot: AskedBot) -> None:
        self.bot = bot
        self.acts: list[Act] = []

    def __call__(self, act: Act) -> object:
        self.acts.append(act)
        return self.bot(act)


class Listening(Watching):
    """A bot that also remembers every message."""

    def __init__(self, bot: AskedBot) -> None:
        super().__init__(bot)
        self.messages: list[ServerMessage] = []

    def on_message(self, message: ServerMessage) -> None:
        self.messages.append(message)


def watched(names: Sequence[str], hands: int, **settings: Any) -> list[Watching]:
    """The bots of a match, with every question they received."""
    bots = [Watching(bot) for _, bot in house(names)]
    play([(str(seat), bot) for seat, bot in enumerate(bots)], hands=hands, chance=Chance(3), **settings)
    return bots


# --- the same and not the same


def test_the_same_seed_gives_the_same_result_and_another_another() -> None:
    once, again = (play(house(), hands=60, chance=Chance(7)) for _ in range(2))
    other = play(house(), hands=60, chance=Chance(8))
    assert score(once) == score(again) != score(other)


def test_a_bot_that_remembers_does_not_change_the_cards() -> None:
    """Decks come from their own chance: it does not matter which bots play."""
    one, two = (watched(names, 30) for names in (("calling",) * 2, ("calling", "folding")))
    holes = [{act.hand_id: act.you.hole for act in bots[0].acts} for bots in (one, two)]
    both = holes[0].keys() & holes[1].keys()
    assert len(both) > 10
    assert all(holes[0][hand] == holes[1][hand] for hand in both)


# --- chips


@for_each("duplicate", [False, True])
@for_each("n", [2, 3, 6, 10])
def test_winnings_sum_to_zero(n: int, duplicate: bool) -> None:
    results = play(house((NAMES * 3)[:n]), hands=60, chance=Chance(n), duplicate=duplicate)
    assert sum(result.net for result in results) == 0
    assert any(result.net for result in results)
    assert [result.seat for result in results] == list(range(n))


@pytest.mark.parametrize("stakes", [OfflineStakes(), OfflineStakes(stack=700, small_blind=25, big_blind=60)])
def test_every_hand_starts_with_the_same_chips(stakes: OfflineStakes) -> None:
    for bot in watched(NAMES, 40, stakes=stakes):
        first = {act.hand_id: act for act in reversed(bot.acts)}
        assert len(first) > 10
        for act in first.values():
            assert act.you.stack + next(p.committed for p in act.players if p.seat == act.seat) == stakes.stack
            assert sum(p.stack for p in act.players) + act.pot == stakes.stack * len(NAMES)
            assert (act.table.sb, act.table.bb) == (stakes.small_blind, stakes.big_blind)


def test_button_moves_around_the_table() -> None:
    acts = [act for bot in watched(("calling",) * 3, 7) for act in bot.acts]
    buttons = {int(act.hand_id.removeprefix("H-")): act.table.button for act in acts}
    assert [buttons[number] for number in range(1, 8)] == [0, 1, 2, 0, 1, 2, 0]


def test_the_rate_and_its_interval_are_those_of_the_hands() -> None:
    """Recounted from the chips that a seat has at the start of hands of two, where all goes in blindly."""
    won: list[int] = []
    match = OfflineMatch(house(("random", "calling")), chance=Chance(5))
    for _ in range(50):
        before = match.players[0].net
        match.play_hand()
        won.append(match.players[0].net - before)
    mean = Mean([chips / 100 * 100 for chips in won])
    result = match.results()[0]
    assert result.net == sum(won)
    assert result.rate == pytest.approx(mean.mean)
    assert (result.low, result.high) == pytest.approx(mean.interval())


# --- duplicate


def duplicate(names: Sequence[str], hands: int, **settings: Any) -> tuple[DuplicateMatch, list[list[Listening]]]:
    """A finished match, and the bots of each replica."""
    started: list[list[Listening]] = []

    def start(replica: int) -> list[Listening]:
        started.append([Listening(bot) for _, bot in house(names, replica)])
        return started[-1]

    match = DuplicateMatch(names, start, decks=KeyedDecks(3), hands=hands, **settings)
    while match.hands < match.total:
        match.play_hand()
    match.end()
    return match, started


@for_each("games", [NO_LIMIT_HOLDEM, RAZZ, Mixed("both", (GameAtStakes(RAZZ), GameAtStakes(NO_LIMIT_HOLDEM)))])
def test_each_deck_is_dealt_once_for_every_place_of_the_button_to_new_bots(games: Mixed | Structure) -> None:
    match, replicas = duplicate(("calling",) * 3, 58, games=games)
    assert match.hands == match.total == 60
    assert len({id(bot) for bots in replicas for bot in bots}) == 9
    dealt: dict[tuple[object, ...], list[tuple[int, int, int]]] = {}
    for replica, bots in enumerate(replicas):
        hands: dict[int, dict[int, tuple[object, ...]]] = {}
        for seat, bot in enumerate(bots):
            assert sum(isinstance(message, StartHand) for message in bot.messages) == 20
            assert isinstance(bot.messages[-1], MatchEnd)
            for act in reversed(bot.acts):
                hands.setdefault(int(act.hand_id[2:]), {})[(seat - act.table.button - 1) % 3] = act.you.hole[:2]
                hands[int(act.hand_id[2:])][3] = (act.table.button,)
        for number, by_place in hands.items():
            (button,) = by_place.pop(3)
            cards = tuple(by_place[place] for place in sorted(by_place))
            dealt.setdefault(cards, []).append((replica, number, int(str(button))))
    assert len(dealt) == 20
    for times in dealt.values():
        assert sorted(replica for replica, _, _ in times) == [0, 1, 2]
        assert len({button for _, _, button in times}) == 3
    orders = [[number for times in dealt.values() for at, number, _ in times if at == replica] for replica in range(3)]
    assert orders[0] != orders[1] != orders[2] != orders[0]


@pytest.mark.parametrize("name", ["calling", "tight", "folding"])
def test_same_bot_in_every_seat_wins_nothing_at_duplicate(name: str) -> None:
    results = play(house((name,) * 4), hands=40, chance=Chance(2), duplicate=True)
    assert [(result.net, result.low, result.high) for result in results] == [(0, 0, 0)] * 4


def test_a_last_deck_is_played_to_its_end() -> None:
    match, _ = duplicate(("calling",) * 3, 10)
    assert match.hands == 12


def test_an_interrupted_match_counts_every_hand_it_played() -> None:
    match = DuplicateMatch(NAMES[:2], lambda _: [bot for _, bot in house(NAMES[:2])], decks=KeyedDecks(3), hands=40)
    for _ in range(25):
        match.play_hand()
    first, second = match.results()
    assert first.net == -second.net != 0
    assert first.rate == pytest.approx(-second.rate) != 0
    whole = OfflineMatch(house(NAMES[:2]), chance=KeyedDecks(3))
    for _ in range(20):
        whole.play_hand()
    once = DuplicateMatch(NAMES[:2], lambda _: [bot for _, bot in house(NAMES[:2])], decks=KeyedDecks(3), hands=40)
    for _ in range(20):
        once.play_hand()
    assert score(once.results()) == score(whole.results())


def test_decks_of_a_key_are_fair_in_their_first_card_and_differ_by_seed_and_number() -> None:
    decks = [KeyedDecks(seed).deck(number, NO_LIMIT_HOLDEM.deck) for seed in range(5) for number in range(520)]
    assert len({deck[:9] for deck in decks}) == 2600
    assert all(len(set(deck)) == 52 for deck in decks)
    counts = Counter(deck[0] for deck in decks)
    assert sum((counts[card] - 50) ** 2 / 50 for card in NO_LIMIT_HOLDEM.deck) < 100  # chi-square, 51 degrees


# --- bad bots


def raising(act: Act) -> object:
    raise RuntimeError("out of order")


def leaving(act: Act) -> object:
    raise SystemExit(3)


NONSENSE: dict[str, tuple[Callable[[Act], object], str]] = {
    "raises": (raising, "raised RuntimeError: out of order"),
    "exits": (leaving, "raised SystemExit: 3"),
    "nothing": (lambda act: None, "None is not an answer"),
    "a number": (lambda act: 7, "7 is not an answer"),
    "lower case": (lambda act: "fold", "'fold' is not an answer"),
    "no amount": (lambda act: "RAISE_TO", "RAISE_TO needs an amount"),
    "true": (lambda act: ("RAISE_TO", True), "RAISE_TO: expected a whole number"),
    "too little": (lambda act: ("RAISE_TO", 1), "RAISE_TO 1 is out of bounds"),
    "too much": (lambda act: ("RAISE_TO", 10**15), "is out of bounds"),
    "half a chip": (lambda act: ("RAISE_TO", 250.5), "RAISE_TO: expected a whole number"),
    "wrong word": (lambda act: "CALL" if "CHECK" in act.legal else "CHECK", "is not on offer"),
}


@for_each("bot, complaint", NONSENSE.values(), ids=NONSENSE)
def test_nonsense_is_a_check_or_a_fold_and_is_counted(bot: AskedBot, complaint: str) -> None:
    sane = play([*house(("tight",)), ("folding", HOUSE["folding"](Chance(1)))], hands=50, chance=Chance(4))
    mad = play([*house(("tight",)), ("mad", bot)], hands=50, chance=Chance(4))
    assert [result.net for result in mad] == [result.net for result in sane]
    assert mad[1].illegal == mad[1].answers == sane[1].answers > 20
    assert complaint in (mad[1].complaint or "")
    assert (mad[0].illegal, mad[0].complaint) == (0, None)


def test_interrupt_is_not_an_answer() -> None:
    def interrupted(act: Act) -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play([("a", interrupted), *house(("tight",))], hands=5, chance=Chance(1))


# --- questions to bots


def test_questions_are_those_of_the_protocol() -> None:
    acts = [act for bot in watched(NAMES, 40) for act in bot.acts]
    assert len(acts) > 100
    assert all(read_server(write(act)) == act for act in acts)
    assert len({act.turn for act in acts}) == len(acts)


def test_players_never_see_cards_of_others() -> None:
    for bot in watched(NAMES, 40):
        for act in bot.acts:
            assert len(act.you.hole) == 2
            assert len({*act.you.hole, *act.community}) == 2 + len(act.community)


def test_thinking_is_timed() -> None:
    result = play(house(("random", "calling")), hands=30, chance=Chance(1))[0]
    assert result.answers > 20
    assert result.seconds > 0


def test_bot_without_match_time_gets_no_more_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    asked: list[float] = []

    def thinking(_: Act) -> object:
        nonlocal now
        asked.append(now)
        now += 2.0
        return "CALL"

    monkeypatch.setattr(time, "perf_counter", lambda: now)
    match = OfflineMatch([("slow", thinking), ("calling", HOUSE["calling"](Chance(1)))], chance=Chance(1))
    match.players[0].clock = 5.0
    for _ in range(10):
        match.play_hand()
    slow, other = match.results()
    assert (asked, slow.seconds) == ([0.0, 2.0, 4.0], 6.0), "it may finish the answer in which its time runs out"
    assert slow.out == "lost its match: its answers took more than 5 s in total"
    assert (slow.failed, other.out, match.hands, slow.net + other.net) == (True, None, 10, 0)


@for_each(
    "answers, illegal, out, failed",
    [(0, 0, None, False), (1, 1, None, True), (5, 5, None, True), (5, 4, None, False), (5, 0, "was late", True)],
)
def test_bot_has_failed_if_disqualified_or_without_a_playable_answer(
    answers: int, illegal: int, out: str | None, failed: bool
) -> None:
    (result,) = play([("calling", HOUSE["calling"](Chance(1)))] * 2, hands=1, chance=Chance(1))[:1]
    assert result._replace(answers=answers, illegal=illegal, out=out).failed is failed


def test_failing_bot_loses_the_turn_and_a_disqualified_one_gets_no_questions() -> None:
    def failing(error: BotFailure) -> Watching:
        def fail(act: Act) -> object:
            raise error

        return Watching(fail)

    for error, out in ((BotFailure("was late"), None), (BotDisqualified("lost its match"), "lost its match")):
        bot = failing(error)
        first, _ = play([("failing", bot), ("calling", HOUSE["calling"](Chance(1)))], hands=3, chance=Chance(1))
        assert first.out == out
        assert first.complaint == str(error)
        assert (len(bot.acts) == 1) == (out is not None)
        assert first.illegal == first.answers == len(bot.acts)
        assert first.failed


@pytest.mark.parametrize(("names", "variants"), [(("razz",), {None}), (("razz", "holdem"), {"FR", "HUNL"})])
def test_of_two_games_and_more_each_question_names_its_own(names: tuple[str, ...], variants: set[str | None]) -> None:
    games = {"razz": RAZZ, "holdem": NO_LIMIT_HOLDEM}
    mixed = Mixed("these", tuple([GameAtStakes(games[name]) for name in names]), hands=1)
    bots = watched(("calling", "calling"), 4, games=mixed)
    assert {act.table.variant for bot in bots for act in bot.acts} == variants


# --- messages and history


def listened(names: Sequence[str], hands: int, **settings: Any) -> list[Listening]:
    """The bots of a match, with every question and every message."""
    bots = [Listening(bot) for _, bot in house(names)]
    play([(name, bot) for name, bot in zip(names, bots, strict=True)], hands=hands, chance=Chance(3), **settings)
    return bots


@for_each("game", [NO_LIMIT_HOLDEM, RAZZ])
def test_bots_receive_the_messages_of_a_match(game: Structure) -> None:
    bots = listened(("calling", "random", "folding"), 20, games=game)
    for seat, bot in enumerate(bots):
        welcome, lobby, *played, end = bot.messages
        assert isinstance(welcome, Welcome)
        assert isinstance(lobby, Lobby)
        assert isinstance(end, MatchEnd)
        assert welcome.seat == seat
        assert [player.team for player in lobby.players] == ["calling", "random", "folding"]
        assert sum(final.stack for final in end.final_stacks) == 0
        assert [getattr(message, "seq", None) for message in [*played, end]] == list(range(1, len(played) + 2))
        assert all(read_server(write(message)) == message for message in bot.messages)
        assert sum(isinstance(message, StartHand) for message in played) == 20
        assert sum(isinstance(message, EndHand) for message in played) == 20
        assert any(isinstance(message, Showdown) for message in played)
    assert bots[0].messages[1:] == bots[1].messages[1:]


def test_messages_show_no_hidden_card() -> None:
    """Cards that are not shown in a hand are in no message."""
    bots = listened(("folding", "folding"), 10)
    assert len(bots[0].acts) > 3
    held = {card for act in bots[0].acts for card in act.you.hole}
    shown = re.findall(r'"([2-9TJQKA][cdhs])"', "".join(map(write, bots[1].messages)))
    assert not held & set(shown)


@for_each("game", [NO_LIMIT_HOLDEM, RAZZ])
def test_history_contains_the_events_of_the_hand(game: Structure) -> None:
    for bot in listened(("calling", "random", "calling"), 20, games=game):
        events = [message for message in bot.messages if isinstance(message, EventMessage)]
        for act in bot.acts:
            of_hand = [event for event in events if event.hand_id == act.hand_id]
            assert act.history == tuple(of_hand[: len(act.history)])
            assert isinstance(act.history[0], PostBlinds | PostAntes)
            chips = {player.seat: player.committed for player in act.players}
            last = next((event for event in reversed(act.history) if isinstance(event, BetMessage)), None)
            assert last is None or act.phase not in ("PRE_FLOP", "THIRD_STREET") or chips[last.seat] == last.to


def test_an_error_in_on_message_does_not_stop_the_match() -> None:
    class Broken(Listening):
        def on_message(self, message: ServerMessage) -> None:
            raise RuntimeError("broken")

    calling = HOUSE["calling"](Chance(1))
    broken, _ = play([("broken", Broken(lambda act: "FOLD")), ("calling", calling)], hands=5, chance=Chance(3))
    assert (broken.complaint, broken.illegal) == ("on_message raised RuntimeError: broken", 0)


def test_duplicate_gives_no_advantage_for_remembering_the_deck() -> None:
    """When each deck was dealt twice in a row, this bot won 20 big blinds per hand."""

    def start(replica: int) -> list[AskedBot]:
        bot = remembering_bot.Bot()
        remembering = Watching(bot.act)
        remembering.on_message = bot.on_message  # type: ignore[attr-defined]  # as a bot's process has it
        return [remembering, HOUSE["calling"](Chance(1))]

    match = DuplicateMatch(("remembering", "calling"), start, decks=KeyedDecks(7), hands=400)
    while match.hands < match.total:
        match.play_hand()
    assert match.results()[0].low < 0

    twice = _DealtTwiceInARow(7)
    old = OfflineMatch([("remembering", start(0)[0]), ("calling", start(0)[1])], chance=twice)
    for _ in range(400):
        old.play_hand()
    assert old.results()[0].low > 1000


class _DealtTwiceInARow(KeyedDecks):
    """Deals each deck twice in a row."""

    def shuffled(self, items: Iterable[Card], count: int | None = None) -> tuple[Card, ...]:
        self._next += 1
        return self.deck((self._next - 1) // 2, tuple(items), count)
