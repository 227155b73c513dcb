"""Who plays six-handed no-limit besides compiled pitboss, each through its fastest public function, imported late.

Every peer chooses evenly among what `players.choose` can choose, or among the nearest its library lets one say.
"""

import random
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from msgspec import Struct

from benchmarks.players import BIG_BLIND, PLAYERS, SMALL_BLIND, STACK

Hands = Callable[[int, int], int | None]
"""Given a seed and a number of hands, plays them; returns the actions, or None where counting them would cost time."""


class Peer(Struct, frozen=True):
    """A library, and one way to let it play or rank."""

    name: str
    package: str  #: as it is installed
    called: str  #: what is called, and what differs from the policy
    load: Callable[..., Any]  #: imports the library and returns what does the work
    hands: int = 0  #: a round
    counted: Callable[[], Hands] | None = None  #: the same, slower, telling the actions

    @property
    def version(self) -> str | None:
        """What is installed, or None."""
        return installed(self.package)


def installed(package: str) -> str | None:
    """The version of a package, or None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def imported(name: str) -> Any:
    """A module of a peer, whose warnings about itself are not ours to heed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module(name)


# --- OpenSpiel


def open_spiel_game() -> Any:
    """Hold'em with five choices: fold to a bet, check or call, half the pot, the pot, all-in."""
    stacks = " ".join([str(STACK)] * PLAYERS)
    settings = {
        "betting": "nolimit",
        "bettingAbstraction": "fchpa",
        "numPlayers": PLAYERS,
        "numRounds": 4,
        "blind": " ".join(map(str, [SMALL_BLIND, BIG_BLIND, *[0] * (PLAYERS - 2)])),
        "firstPlayer": "3 1 1 1",
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "stack": stacks,
    }
    return imported("pyspiel").load_game("universal_poker", settings)


def open_spiel_stepped() -> Hands:
    """Deal without asking what could be dealt, which is half as fast again as drawing from `chance_outcomes`."""
    game, spiel = open_spiel_game(), imported("pyspiel")
    chance, over = int(spiel.PlayerId.CHANCE), int(spiel.PlayerId.TERMINAL)
    deck, hole = range(52), 2 * PLAYERS

    def play(seed: int, hands: int) -> int:
        source = random.Random(seed)
        draw, actions = source.random, 0
        for _ in range(hands):
            state = game.new_initial_state()
            cards = iter(source.sample(deck, hole + 5))
            while (player := state.current_player()) != over:
                if player == chance:
                    state.apply_action(next(cards))
                else:
                    choices = state.legal_actions()
                    state.apply_action(choices[int(draw() * len(choices))])
                    actions += 1
            state.returns()
        return actions

    return play


def open_spiel_bots() -> Hands:
    """A call a hand: the game, the chance and the bots are all C++."""
    game, spiel = open_spiel_game(), imported("pyspiel")

    def play(seed: int, hands: int) -> None:
        bots = [spiel.make_uniform_random_bot(player, seed + player) for player in range(PLAYERS)]
        start, run = game.new_initial_state, spiel.evaluate_bots
        for number in range(hands):
            run(start(), bots, seed * hands + number)

    return play


def open_spiel_counted() -> Hands:
    """Do the same, and count afterwards how often players, not chance, acted."""
    game, spiel = open_spiel_game(), imported("pyspiel")

    def play(seed: int, hands: int) -> int:
        bots = [spiel.make_uniform_random_bot(player, seed + player) for player in range(PLAYERS)]
        actions = 0
        for number in range(hands):
            state = game.new_initial_state()
            spiel.evaluate_bots(state, bots, seed * hands + number)
            actions += sum(each.player >= 0 for each in state.full_history())
        return actions

    return play


# --- RLCard


def rlcard() -> Hands:
    """The game itself, without the environment that encodes an observation around it."""
    game_module = imported("rlcard.games.nolimitholdem.game")
    state_of = imported("numpy").random.RandomState

    def play(seed: int, hands: int) -> int:
        draw, actions = random.Random(seed).random, 0
        game = game_module.NolimitholdemGame(num_players=PLAYERS)
        game.configure({"game_num_players": PLAYERS, "chips_for_each": STACK, "dealer_id": 0})
        game.small_blind, game.big_blind, game.np_random = SMALL_BLIND, BIG_BLIND, state_of(seed)
        for _ in range(hands):
            state, _ = game.init_game()
            while not game.is_over():
                choices, paid = state["legal_actions"], game.round.raised
                if paid[game.game_pointer] == max(paid):
                    choices = choices[1:]  # folding comes first, and is on offer for nothing too
                state, _ = game.step(choices[int(draw() * len(choices))])
                actions += 1
            game.get_payoffs()
        return actions

    return play


# --- PyPokerEngine


def pypokerengine() -> Hands:
    """The emulator, stepped: its own loop would build a message for every question besides."""
    emulator_module = imported("pypokerengine.api.emulator")
    over = imported("pypokerengine.engine.poker_constants").PokerConstants.Street.FINISHED

    def choices(emulator: Any, state: Any) -> list[tuple[str, int]]:
        players = state["table"].seats.players
        mine = players[state["next_player"]]
        _, call, more = emulator.generate_possible_actions(state)
        price, paid = call["amount"], mine.paid_sum()
        total = mine.stack + paid
        found = [("fold", 0), ("call", price)] if price > paid else [("call", price)]
        if total > price:
            least = more["amount"]["min"] if more["amount"]["min"] >= 0 else total  # -1: only all-in is left
            pot = 2 * price - paid + sum([player.pay_info.amount for player in players])
            found += [("raise", to) for to in dict.fromkeys((least, min(max(pot, least), total), total))]
        return found

    def play(seed: int, hands: int) -> int:
        draw, actions = random.Random(seed).random, 0
        random.seed(seed)  # it shuffles with the module's generator
        emulator = emulator_module.Emulator()
        emulator.set_game_rule(PLAYERS, 1, SMALL_BLIND, 0)
        players = {str(number): {"name": str(number), "stack": STACK} for number in range(PLAYERS)}
        for _ in range(hands):
            state, _ = emulator.start_new_round(emulator.generate_initial_game_state(players))
            while state["street"] != over:
                menu = choices(emulator, state)
                state, _ = emulator.apply_action(state, *menu[int(draw() * len(menu))])
                actions += 1
        return actions

    return play


# --- those of the rules' benchmark


def pokerkit() -> Hands:
    """As the rules' benchmark plays it."""
    play = imported("benchmarks.players").pokerkit
    return lambda seed, hands: sum(play(seed, hands))


BOTS, STEPPED, POKERKIT = "OpenSpiel, bots in C++", "OpenSpiel, stepped", "PokerKit"

PEERS = (
    Peer(
        BOTS,
        "open_spiel",
        "`evaluate_bots` with six uniform random bots, one call per hand; they raise half the pot and not the minimum,"
        " because listing every legal size (`fullgame`) makes it seven times slower",
        open_spiel_bots,
        20_000,
        open_spiel_counted,
    ),
    Peer(
        STEPPED,
        "open_spiel",
        "`legal_actions` and `apply_action`, cards drawn outside; the same five choices as its bots have",
        open_spiel_stepped,
        20_000,
    ),
    Peer(
        "RLCard",
        "rlcard",
        "`NolimitholdemGame.step`, without the environment around it; half the pot in place of the least raise, and"
        " both sizes are by the pot before calling",
        rlcard,
        1500,
    ),
    Peer(
        "PyPokerEngine",
        "PyPokerEngine",
        "`Emulator.generate_possible_actions` and `apply_action`; the same policy, with that library's minimum raise",
        pypokerengine,
        200,
    ),
    Peer(POKERKIT, "pokerkit", "its state, all automations on; the same policy", pokerkit, 120),
)
