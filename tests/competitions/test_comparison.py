"""Two bots are compared with the same cards both ways, and the verdict is right."""

from collections.abc import Callable, Sequence

import pytest

from pitboss.arena.bots import HOUSE
from pitboss.arena.bots.offline import AskedBot, KeyedDecks, OfflineStakes
from pitboss.arena.wire.answers import Answer
from pitboss.arena.wire.messages import Act
from pitboss.chance import Chance
from pitboss.competitions.comparison import BATCH, BotComparison
from pitboss.table.mixed import find_games

STAKES = OfflineStakes(stack=2000, small_blind=50, big_blind=100)


def house(*names: str) -> Callable[[int], Sequence[AskedBot]]:
    return lambda direction: [HOUSE[name](Chance(10 * direction + at)) for at, name in enumerate(names)]


def compare(*names: str, deals: int, game: str = "no_limit_holdem", seed: int = 1) -> BotComparison:
    match = BotComparison(
        ("old", "new"),
        house(*names),
        decks=KeyedDecks(seed),
        deals=deals,
        stakes=STAKES,
        games=find_games(game),
    )
    for _ in match.play():
        pass
    return match


def test_a_better_bot_is_better_and_the_match_stops_early() -> None:
    match = compare("folding", "tight", deals=2000)
    assert match.verdict == "better"
    assert match.hands < 4000
    assert match.estimate().low >= 0
    assert match.further_hands() == 0


def test_a_worse_bot_is_worse() -> None:
    match = compare("tight", "folding", deals=2000)
    assert match.verdict == "worse"
    assert match.estimate().high <= 0


@pytest.mark.parametrize("game", ["no_limit_holdem", "razz", "horse"])
def test_equal_bots_are_exactly_even_on_the_same_cards(game: str) -> None:
    """Two bots that look at nothing but their turn win the same chips with the same cards."""
    match = compare("calling", "calling", deals=130, game=game)
    assert (match.verdict, match.hands, match.estimate().mean) == ("undecided", 260, 0.0)
    assert match.further_hands() is None


def test_each_direction_has_its_own_bots_the_same_cards_and_another_order() -> None:
    seen: list[list[tuple[int, str]]] = []

    def start(direction: int) -> Sequence[AskedBot]:
        made = []
        for _ in range(2):
            hands: list[tuple[int, str]] = []
            seen.append(hands)

            def decide(act: Act, hands: list[tuple[int, str]] = hands) -> Answer:
                hole = "".join(card for card in act.you.hole if card)
                if not hands or hands[-1][1] != hole:
                    hands.append((act.you.to_call, hole))
                return "CHECK" if "CHECK" in act.legal else "CALL"

            made.append(decide)
        return made

    match = BotComparison(("old", "new"), start, decks=KeyedDecks(3), deals=2 * BATCH, stakes=STAKES)
    for _ in match.play():
        pass
    old, new, old_again, new_again = seen
    assert sorted(old) == sorted(new_again)
    assert sorted(new) == sorted(old_again)
    assert old != new_again
    assert sorted(old[:BATCH]) == sorted(new_again[:BATCH])


def test_the_same_seed_gives_the_same_result() -> None:
    first, second = (compare("random", "tight", deals=60, seed=5) for _ in range(2))
    assert first.estimate() == second.estimate()
