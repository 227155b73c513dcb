"""`pitboss lab play`: any game in plain text, against the players, showing only what the seat may see."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss.chance import Chance
from pitboss.cli.lab.play import TerminalGame
from pitboss.cli.output import ask_user
from pitboss.lab.events import LabEvent
from pitboss.lab.files import known_games, load, write_genome
from pitboss.lab.game import LabGame, view_event
from pitboss.lab.genome import Genome
from pitboss.lab.ratings import read_ratings
from pitboss.lab.text import GameText, matching
from pitboss.lab.wins.capture_all import CaptureAll
from tests.support.cli.runs import run, run_apart
from tests.support.for_each import for_each
from tests.support.lab.genomes import some_genome

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
OPENLY = re.compile(
    r" *((you|seat \d): (play|discard)|it was|turned up:|You (draw|take)|Seat \d takes|community cards:) "
)


def play(*arguments: str, given: str = "") -> str:
    """What is printed, for this input."""
    result = run("lab", "play", *arguments, given=given)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_a_game_is_played_to_its_end() -> None:
    output = play("kuhn", "--seed", "3", "--against", "random", given="check\ncall\n")
    assert output.startswith("Kuhn, 2 players, seed 3. You have seat 0.")
    assert "Pot 2." in output
    assert re.search(r"Your hand: [JQK]s \((jack|queen|king)\)\n", output)
    assert "1 check   2 bet" in output
    assert re.search(r"(You win|Seat 1 wins) the game: the most chips decide\.\nChips: you \d, seat 1 \d\n$", output)


@for_each("name", sorted(known_games()))
def test_every_known_game_can_be_played(name: str) -> None:
    output = play(name, "--seed", "1", "--against", "random", given="1\n" * 2000)
    assert " the game" in output


def test_a_game_without_decisions_plays_itself() -> None:
    output = play("war", "--seed", "1")
    assert "you had nothing to decide" in output
    assert " wins the game" in output or "You win the game" in output


def test_moves_are_typed_as_words_numbers_or_cards() -> None:
    words = play("crazy_eights", "--seed", "4", "--against", "random", given="play 7h\nquit\n")
    moves = re.findall(r"\d+ (play \S+)", words)
    assert moves
    card = moves[0].removeprefix("play ")
    for answer in (moves[0], "1", card, card.upper(), f"  {moves[0]} "):
        output = play("crazy_eights", "--seed", "4", "--against", "random", given=f"{answer}\nquit\n")
        assert f"you: {moves[0]}" in output


@for_each(
    "answer, move",
    [("2", "call"), ("CALL", "call"), ("f", "fold"), ("c", None), ("0", None), ("7", None), ("", None), ("٢", None)],
)
def test_answer_is_accepted_only_if_it_means_one_move(answer: str, move: str | None) -> None:
    found = matching(answer, ("fold", "call", "check"))
    assert found == ((move,) if move else ("call", "check") if answer == "c" else ())


@for_each(
    "answer, found",
    [
        ("4s", ("play 1 4",)),
        ("play 4h", ("play 1 4",)),
        ("10♦", ("play 1 T", "play 2 T")),
        ("2 t", ("play 2 T",)),
        ("play", ("play 1 4", "play 1 T", "play 2 T")),
        ("9s", ()),
        ("4x", ()),
    ],
)
def test_card_stands_for_the_moves_that_play_it(answer: str, found: tuple[str, ...]) -> None:
    assert matching(answer, ("play 1 4", "play 1 T", "play 2 T", "pass")) == found


def test_an_answer_that_could_mean_several_moves_lists_them() -> None:
    output = play("gin", "--seed", "3", given="d\nquit\n")
    assert "'d' could be draw or draw discard.\n" in output


def test_invalid_answer_repeats_the_prompt_and_changes_nothing() -> None:
    output = play("kuhn", "--seed", "3", given="nonsense\n99\n\nhelp\ncheck\nquit\n")
    assert "'nonsense' is not a move: type a move, " in output
    assert "'99' is not a move: type a move, " in output
    assert output.count("1 check   2 bet") == 5
    assert output.count("you: check") == 1


def test_rules_are_shown_on_request() -> None:
    output = play("leduc", "--seed", "3", given="rules\nquit\n")
    assert "# Leduc" in output
    assert "Your hand" in output.partition("# Leduc")[2], "and then where the game stands"


@for_each("given", ["", "quit\n", "q\n", "check\n", "che"])
def test_leaving_is_polite(given: str) -> None:
    output = play("leduc", "--seed", "3", "--against", "random", given=given)
    assert output.endswith("You have left the game.\n")


def test_an_interrupt_leaves_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Keyboard:
        def readline(self) -> str:
            raise KeyboardInterrupt

        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("pitboss.cli.lab.play.sys.stdin", Keyboard())
    said = list[str]()
    TerminalGame(load("leduc"), 0, ["you", "random"], 1, 80).play(ask_user, said.append)
    assert said[-1] == "You have left the game."


def test_play_works_in_a_pipe_with_any_input() -> None:
    done = run_apart("lab", "play", "leduc", "--seed", "1", "--against", "random", given=b"\xff\xfe\ncheck\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"is not a move" in done.stdout
    assert done.stdout.endswith(b"You have left the game.\n")


def test_several_deals_are_narrated_one_by_one(tmp_path: Path) -> None:
    text = write_genome(load("leduc")).replace('"deals": 1', '"deals": 3')
    path = tmp_path / "three.json"
    path.write_text(text, encoding="utf-8")
    output = play(str(path), "--seed", "2", "--against", "random", given="1\n" * 100)
    assert [f"Deal {number} of 3" in output for number in (1, 2, 3)] == [True] * 3
    assert len(re.findall(r"(?:You win|Seat 1 wins|You and seat 1 share) deal \d\n", output)) == 3
    assert re.search(r" the game: the most chips decide\.\nChips: you \d+, seat 1 \d+\n$", output)


@for_each(
    "arguments, code, sentence",
    [
        (("nosuch",), 1, "president, scopa; got 'nosuch'"),
        (("-",), 1, "got standard input, which is for your moves"),
        (("kuhn", "--seat", "2"), 1, "--seat: expected 0 to 1 for kuhn, got 2"),
        (("kuhn", "--against", "bob"), 1, "expected policies from random, greedy, search; got 'bob'"),
        (("kuhn", "--against", "random,greedy"), 1, "expected at most 1 policy, one per seat; got 2"),
        (("kuhn", "--seat", "-1"), 2, "-1 is not in the range"),
    ],
)
def test_invalid_arguments_are_refused_in_one_sentence(arguments: tuple[str, ...], code: int, sentence: str) -> None:
    result = run("lab", "play", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert sentence in result.stderr


def test_the_seed_repeats_a_game_and_a_random_seed_is_printed() -> None:
    drawn = play("leduc", "--against", "random", given="1\n" * 50)
    seed = re.search(r"seed (\d+)\.", drawn)
    assert seed
    assert play("leduc", "--against", "random", "--seed", seed[1], given="1\n" * 50) == drawn


# --- what is shown


class Sitting:
    """A user who plays at random in a seat, and keeps the text and every card that the seat has seen."""

    def __init__(self, genome: Genome, seat: int, seed: int, width: int = 80) -> None:
        players = ["you" if p == seat else "random" for p in range(genome.player_count)]
        self.playing, self.seat, self.chance = TerminalGame(genome, seat, players, seed, width), seat, Chance(seed)
        self.said, self.seen, self.unseen = list[str](), set[str](), list[str]()
        self.playing.play(self.ask, self.say)

    def ask(self, prompt: str) -> str:
        return str(1 + self.chance.below(len(self.playing.game.view(self.seat).moves)))

    def say(self, text: str) -> None:
        """Note the text, and the cards in it that the seat could not have seen, showdowns aside."""
        self.said.append(text)
        if hasattr(self.playing, "game"):
            now = self.playing.game.view(self.seat)
            self.seen.update(now.hands[self.seat], now.discards, now.tableau, now.trick, now.community, *now.captured)
        if OPENLY.match(text):
            self.seen.update(CARD.findall(text))  # openly, even if the deal is over with it
        if not re.match(r" *(You show|Seat \d shows) ", text):
            self.unseen += [f"{card} in {text}" for card in CARD.findall(text) if card not in self.seen]


@pytest.mark.check
@for_each("name", sorted(known_games()))
def test_only_cards_that_the_seat_has_seen_are_printed(name: str) -> None:
    genome = load(name)
    for seed in range(2):
        sitting = Sitting(genome, seed % genome.player_count, seed)
        assert sitting.playing.game.over
        assert sitting.unseen == []


def happening(formatter: GameText, game: LabGame, *moves: str) -> tuple[LabGame, list[str]]:
    """Return the game after these moves, and what its first seat reads about the last one."""
    events: tuple[LabEvent, ...] = ()
    for move in moves:
        game, events = game.act(move)
    return game, [line.strip() for line in formatter.happened([view_event(event, 0) for event in events])]


def test_the_text_does_not_depend_on_hidden_cards() -> None:
    """Two games that differ only in what a seat never sees read alike: Kuhn's third card, and a folded hand."""
    said = []
    for deck in (("Qs", "Js", "Ks"), ("Qs", "Ks", "Js")):
        formatter = GameText(load("kuhn"), 0, ["you", "random"], 80)
        lines = list[str]()
        game = LabGame.dealt(load("kuhn"), deck=deck)
        for move in ("check", "bet", "fold"):
            lines += formatter.table(game.view(0))
            game, happened = happening(formatter, game, move)
            lines += happened
        said.append(lines + formatter.result(game))
    assert said[0] == said[1]


def test_face_down_cards_are_not_printed() -> None:
    formatter = GameText(load("cheat"), 0, ["you", "random", "random", "random"], 80)
    game = LabGame.dealt(load("cheat"), 1)
    game, said = happening(formatter, game, move := game.moves[0])
    assert move.startswith("claim ")
    assert said == [f"you: {move}"]
    game, _ = happening(formatter, game, "stop", "believe", "believe", "believe")
    _, said = happening(formatter, game, game.moves[0])
    assert said == ["seat 1: put a card face down"]


def test_a_doubt_shows_the_cards_that_were_claimed() -> None:
    formatter = GameText(load("cheat"), 0, ["you", "random", "random", "random"], 80)
    for card, taker in (("Kc", "Seat 1 takes"), ("3c", "You take")):  # twos were due, now threes are
        game = LabGame.dealt(load("cheat"), deck=("2d", card))
        moves = ("claim 2d", "stop", *["believe"] * 3, f"claim {card}", "stop", "believe", "believe")
        game, _ = happening(formatter, game, *moves)
        assert game.view(0).claim == (1, 1)
        _, said = happening(formatter, game, "doubt")
        assert said[:2] == ["you: doubt", f"it was {card}"]
        assert said[2].startswith(f"{taker} the pile of 2")


def test_hands_are_shown_only_where_they_were_compared() -> None:
    formatter = GameText(load("leduc"), 0, ["you", "random"], 80)
    dealt = LabGame.dealt(load("leduc"), 5)
    shown, lines = happening(formatter, dealt, "check", "check", "check", "check")
    assert shown.over
    assert [line.split()[:2] for line in lines] == [["seat", "1:"], ["You", "show"], ["Seat", "1"]]
    folded, lines = happening(formatter, dealt, "bet", "fold")
    assert folded.over
    assert lines == ["seat 1: fold"]


def test_blind_cards_are_not_shown_to_their_owner() -> None:
    said = Sitting(load("betting_war"), 0, 2).said
    assert not any("Your hand" in line for line in said)
    assert any(re.search(r"take[s]? the trick: \S\S \S\S", line) for line in said)


@pytest.mark.parametrize("width", [20, 40, 60])
def test_lines_fit_a_small_terminal(width: int) -> None:
    for name in ("hearts", "community_poker", "gin"):
        said = Sitting(load(name), 0, 3, width).said
        assert max(len(line) for text in said for line in text.splitlines()) <= width


def test_random_genomes_can_be_played() -> None:
    for number in range(40):
        genome = some_genome(7, number)
        sitting = Sitting(genome, number % genome.player_count, number)
        assert sitting.playing.game.over
        assert any(" the game" in line for line in sitting.said)


# --- betting, passes, what was compared


def table_of(name: str, seat: int, game: LabGame) -> str:
    formatter = GameText(load(name), seat, ["random"] * game.genome.player_count, 200)
    return "\n".join(formatter.table(game.view(seat)))


def test_betting_shows_price_raise_raises_left_and_all_in_players() -> None:
    game = LabGame.dealt(load("leduc"), deck=("Ks", "Kh", "Qs"))
    assert "Step 1 of 3: bet: nothing to pay; a bet is 2, with 1 raise after it." in table_of("leduc", 0, game)
    game = game.after("bet")
    assert "2 chips to stay; a raise is 2 more, 1 raise left." in table_of("leduc", 1, game)
    game = game.after("raise")
    assert "2 chips to stay; no raise left." in table_of("leduc", 0, game)
    kuhn = LabGame.dealt(load("kuhn"), deck=("Ks", "Qs")).after("bet")
    assert re.search(r"seat.0 \(random\): 1.card, all-in, bet.1", table_of("kuhn", 1, kuhn))
    assert "1 chip to stay; there are no raises." in table_of("kuhn", 1, kuhn)


def test_raise_names_its_total_and_the_payment() -> None:
    assert said_of("betting_war", "", "bet", "raise")[0] == "seat 1: raise to 20, paying 20"
    assert said_of("betting_war", "", "bet", "raise", "raise")[0] == "you: raise to 30, paying 20"


def test_the_price_of_an_unaffordable_raise_is_not_printed() -> None:
    game = LabGame.dealt(load("betting_war"), 1)
    game.state.stacks[1] = 15
    assert "10 chips to stay; too few chips for a raise." in table_of("betting_war", 1, game.after("bet"))
    game.state.stacks[0] = 5
    assert "too few chips for a bet of 10, with 3 raises after it." in table_of("betting_war", 0, game)


def test_trick_of_many_cards_names_their_players() -> None:
    said = Sitting(load("hearts"), 0, 3, 200).said
    whose = r"(\S\S \((you|seat \d)\) ?){4}"
    assert any(re.search(f"takes? the trick: {whose}$", line) for line in said)
    assert any(re.search(r"^Trick: \S\S \(seat \d\)", line, re.MULTILINE) for line in said)


def test_players_without_chips_are_broke_and_an_empty_table_is_printed() -> None:
    game = LabGame.dealt(load("blackjack"), 1)
    game.state.stacks[1], game.state.folded[1], game.state.folded[2] = 0, 1, 1
    table = table_of("blackjack", 0, game)
    assert re.search(r"seat.1 \(random\): broke$", table, re.MULTILINE)
    assert re.search(r"seat.2 \(random\): folded, \d+.chips$", table, re.MULTILINE)
    scopa = LabGame.dealt(load("scopa"), 1)
    scopa.state.tabled = 0
    assert "On the table: nothing\n" in table_of("scopa", 0, scopa)
    assert "On the table" not in table


def test_betting_without_possible_answers_is_announced() -> None:
    """A player with chips acts, as printed in 001 (F3), even if all others are all-in."""
    game = LabGame.dealt(load("leduc"), deck=("Ks", "Kh", "Qs"))
    game.state.stacks[:2] = [2, 9]
    game = game.after("bet")
    said = "2 chips to stay; all others are all-in, so no player can answer a raise."
    assert said in table_of("leduc", 1, game)
    game = game.after("call")
    said = "Step 3 of 3: bet: nothing to pay; all others are all-in, so no player can answer a bet."
    assert said in table_of("leduc", 1, game)
    assert game.moves == ("check", "bet")


def said_of(name: str, deck: str, *moves: str) -> list[str]:
    """Return what seat 0 reads about the last of these moves."""
    game, said = LabGame.dealt(load(name), deck=deck.split()), list[str]()
    formatter = GameText(load(name), 0, ["you", *["random"] * (game.genome.player_count - 1)], 200)
    for move in moves:
        game, events, remarks = game.act_with_remarks(move)
        said = [line.strip() for line in formatter.happened([view_event(event, 0) for event in events], remarks)]
    return said


def test_a_showdown_describes_the_hands_and_the_next_deal() -> None:
    hands = "2h 2s 2d 7c Ks Kd 3c Jh 9s 8d"  # dealt one at a time: seat 0 has twos and a three, seat 1 two twos
    said = said_of("simple_poker", hands, "check", "check")
    assert said == [
        "seat 1: check",
        "the deal is over: the round is over",
        "You show 2d 2h 3c 9s Ks: a pair of twos",
        "Seat 1 shows 2s 7c 8d Jh Kd: king high",
        "You win the pot of 10 with a pair of twos",
        "You win deal 1",
        "deal 2: Seat 1 starts",
        "every player pays an ante of 5",
    ]
    assert "(a pair of twos)" in table_of("simple_poker", 0, LabGame.dealt(load("simple_poker"), deck=hands.split()))


def test_fold_shows_and_compares_no_hands() -> None:
    said = said_of("simple_poker", "2h 2s 2d 7c Ks Kd 3c Jh 9s 8d", "bet", "fold")
    over = ["seat 1: fold", "the deal is over: all others have folded", "You win the pot of 20", "You win deal 1"]
    assert said == [*over, "deal 2: Seat 1 starts", "every player pays an ante of 5"]


def test_skipped_plays_and_cleared_piles_are_narrated() -> None:
    said = [line.strip() for line in Sitting(load("president"), 0, 3).said]
    assert any(re.fullmatch(r"Seat \d( and seat \d)? cannot play: no card fits", line) for line in said)
    assert "You cannot play: no card fits" in said
    assert "all others have passed: the pile is cleared" in said


@for_each(
    "name, line",
    [
        ("scopa", r"(You capture|Seat 1 captures) \S\S \S\S.*"),
        ("gin", r"Seat 1 takes \S\S from the discards"),
        ("go_fish", r"Seat \d lays down( \S\S){4}|You lay down( \S\S){4}"),
        ("mau_mau", r"Seat \d draws 2 cards"),
        ("whist", r"you: \w+ tricks?(, seat \d: \w+ tricks?){3}"),
        ("crazy_eights", r"you: \w+ cards?(, seat \d: \w+ cards?)+"),
    ],
)
def test_moved_cards_and_the_deciding_rule_are_narrated(name: str, line: str) -> None:
    said = [text.strip() for seed in range(4) for text in Sitting(load(name), 0, seed, 200).said]
    assert any(re.fullmatch(line, text) for text in said)


def test_shared_deals_are_counted_separately() -> None:
    genome = replace(load("scopa"), setup=replace(load("scopa").setup, deals=4), win_conditions=(CaptureAll(),))
    formatter = GameText(genome, 0, ["you", "random"], 200)
    game = LabGame.dealt(genome, 1)
    game.state.winners = 1
    assert formatter.result(game, [(0,), (0, 1), (1,), (0,)])[-2:] == [
        "You win the game: the most deals won decide.",
        "Deals won: you 3 (1 of them shared), seat 1 2 (1 of them shared)",
    ]
    assert formatter.result(game, [(0,), (1,), (0,)])[-1] == "Deals won: you 2, seat 1 1"


@pytest.mark.parametrize(
    ("name", "piles"),
    [
        ("kuhn", "1 card put aside unseen"),
        ("crazy_eights", "Discards 1, \\S\\S on top; deck 37"),
        ("draw_poker", "Deck 37"),
    ],
)
def test_piles_are_named_by_their_use(name: str, piles: str) -> None:
    game = LabGame.dealt(load(name), 3)
    assert re.search(f"^{piles}$", table_of(name, 0, game), re.MULTILINE)


# --- ratings


def a_run(folder: Path) -> Path:
    """A run with one game."""
    (folder / "games").mkdir()
    (folder / "archive.json").write_text('{"cells": []}', encoding="utf-8")
    file = folder / "games" / "kuhn.json"
    file.write_text(write_genome(load("kuhn")), encoding="utf-8")
    return file


def test_game_of_a_run_is_rated_on_request(tmp_path: Path) -> None:
    file = a_run(tmp_path)
    moves = "check\ncall\n"
    assert "How was it" not in play(str(file), "--seed", "3", "--against", "random", given=moves), "in a pipe"
    output = play(str(file), "--seed", "3", "--against", "random", "--rate", given=f"{moves}6\n4\n bold bluffs \n")
    assert "Expected a number from 1 to 5, got '6'." in output
    assert output.endswith("Thank you.\n")
    (rating,) = read_ratings(tmp_path).given
    assert (rating.game, rating.stars, rating.word) == ("kuhn", 4, "bold bluffs")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", rating.when)


@pytest.mark.parametrize("given", ["check\ncall\n\n", "check\ncall\n", "quit\n"])
def test_skipped_or_aborted_rating_is_not_saved(tmp_path: Path, given: str) -> None:
    play(str(a_run(tmp_path)), "--seed", "3", "--against", "random", "--rate", given=given)
    assert read_ratings(tmp_path).given == ()


def test_a_game_of_no_run_cannot_be_rated() -> None:
    result = run("lab", "play", "kuhn", "--rate")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "expected a game of a run, DIR/games/cell_R_C.json, got kuhn" in result.stderr
