"""A sample game from a fixed seed is complete, and its notes are true."""

import re

import pytest

from pitboss.lab.files import known_games, load
from pitboss.lab.game import LabGame
from pitboss.lab.narrator import PEOPLE, Voice, merged, tell
from pitboss.lab.report.sample import MOST_LINES, sample_game
from tests.support.for_each import for_each


def test_the_seed_determines_the_sample_game() -> None:
    sample = sample_game(load("leduc"))
    assert sample == sample_game(load("leduc"))
    words = " ".join([line.words for line in sample.lines])
    verbs = re.findall(r"\b(?:Ann|Ben): (?:check|bet|call|raise|fold|all-in)\b", words)
    assert len(verbs) == sample.moves
    assert f"{PEOPLE[sample.winners[0]]} wins the game" in words
    for chances in sample.chances:
        assert sum(chances) == pytest.approx(1)


def test_decisive_move_is_marked_at_most_once_and_helped_the_winner() -> None:
    sample = sample_game(load("leduc"))
    deciding = [line for line in sample.lines if line.deciding]
    assert len(deciding) == 1
    assert not deciding[0].note or deciding[0].note.startswith(PEOPLE[sample.winners[0]])


@for_each("name", ["war", "mau_mau", "scopa", "blackjack", "three_card_poker"])
def test_every_kind_of_game_is_narrated_in_readable_lines(name: str) -> None:
    sample = sample_game(load(name), tried=1)
    assert 0 < len(sample.lines) <= 2 * MOST_LINES
    assert all((line.words and line.words[0] in "…0123456789") or line.words[0].isupper() for line in sample.lines)
    assert max(len(line.words) for line in sample.lines) < 1500


@for_each("name", known_games())
def test_every_event_of_a_known_game_has_words(name: str) -> None:
    genome = load(name)
    voice, (game, events, remarks) = Voice(genome), LabGame.start_with_remarks(genome, 5)
    words = tell(voice, merged(events, remarks))
    moves = 0
    while game.player is not None and moves < 60:
        game, events, remarks = game.act_with_remarks(game.moves[moves % len(game.moves)])
        sentences = tell(voice, merged(events, remarks))
        assert sentences
        assert all(sentence[0].isupper() or not sentence[0].isalpha() for sentence in sentences)
        assert all(sentence.endswith(".") and "?" not in sentence for sentence in sentences)
        words += sentences
        moves += 1
    assert words


def test_chips_and_cards_are_described() -> None:
    genome = load("kuhn")
    voice, (game, events, remarks) = Voice(genome), LabGame.start_with_remarks(genome, deck=("Qs", "Ks", "Js"))
    dealt = ["Ann starts.", "Every player pays an ante of 1.", "Ann is dealt Q♠.", "Ben is dealt K♠."]
    assert tell(voice, merged(events, remarks)) == dealt
    game, events, remarks = game.act_with_remarks("bet")
    assert tell(voice, merged(events, remarks)) == ["Ann: bet (1 chip)."]
    game, events, remarks = game.act_with_remarks("call")
    assert tell(voice, merged(events, remarks)) == [
        "Ben: call (1 chip).",
        "The deal is over: the round is over.",
        "Ann shows Q♠: queen.",
        "Ben shows K♠: king.",
        "Ben wins the pot of 4 with king.",
        "Ben wins the game.",
    ]
