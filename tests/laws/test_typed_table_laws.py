"""Laws of the typed table: whatever is played, for whatever stakes, whoever comes and goes, no chip is lost or made."""

from collections import Counter

import pytest

from pitboss.chance import Chance
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.rake import Rake
from pitboss.table.chairs import State, TableError
from pitboss.table.levels import Level, TableStakes
from pitboss.table.table import Moving, Table

WISHES: tuple[State, ...] = ("plays", "plays", "waits", "pauses", "leaves")
HANDS = 40


def some_stakes(chance: Chance) -> TableStakes:
    """Any stakes."""
    big = 2 * (chance.below(10) + 1)
    ante, big_blind_ante = chance.choice(((0, 0), (0, 0), (1, 0), (0, big), (1, 3)))
    return TableStakes(
        small_blind=chance.choice((0, 1, big // 2, big)),
        big_blind=big,
        ante=ante,
        big_blind_ante=big_blind_ante,
        straddles=chance.choice(((), (), (2 * big,), (2 * big, 4 * big, 8 * big))),
        levels=chance.choice(
            (
                (),
                (
                    Level(from_hand=5, small_blind=big, big_blind=2 * big, ante=1),
                    Level(from_hand=11, small_blind=big, big_blind=4 * big, big_blind_ante=4 * big),
                ),
            )
        ),
        rake=chance.choice(
            (None, Rake(thousandths=50, cap=big), Rake(thousandths=100, no_flop_no_drop=False), Rake(thousandths=1000))
        ),
    )


def bold_or_meek(hand: Hand, chance: Chance) -> Hand:
    """The hand after some legal action."""
    hand, _ = hand.act(chance.choice(hand.legal()))
    return hand


class Game:
    """A table under way, held to its laws at every moment."""

    def __init__(self, chance: Chance, moving: Moving) -> None:
        self.chance, self.counts, self.newcomers = chance, Counter[str](), 0
        self.table = Table.open(
            some_stakes(chance),
            structure=chance.choice(tuple(STRUCTURES.values())),
            moving=moving,
            seat_count=6,
            least_buy_in=1,
        )

    def play(self) -> None:
        """Play some hands."""
        for _ in range(HANDS):
            self.come_and_go()
            before = self.table
            self.table = before.next()
            self.check(None)
            if self.table.phase == "waiting":
                assert (self.table.hand, self.table.order) == (before.hand, ())
                self.counts["waits"] += 1
                continue
            assert self.table.hand == before.hand + 1
            self.check_order()
            if self.chance.below(3) == 0:
                self.come_and_go()
            if self.table.phase == "ready":
                self.check_order()
                self.play_hand()

    def play_hand(self) -> None:
        """Play the hand that is set up; somebody may come or go meanwhile."""
        deck = self.chance.shuffled(self.table.structure.deck)
        dealt = self.table.deal(deck)
        self.table, hand = dealt.table, dealt.hand
        order = self.table.order
        stacks = {chair.seat: chair.chips for chair in self.table.chairs if chair.seat in order}
        while not hand.over:
            self.check(hand)
            if self.chance.below(6) == 0:
                self.come_and_go()
            hand = bold_or_meek(hand, self.chance)
        assert self.table.order == order
        self.table = self.table.finish(hand)
        self.check(None)
        assert sum(stacks.values()) + dealt.table.pot == sum(hand.stacks) + hand.house
        self.counts["hands"] += 1
        self.counts["rake"] += hand.house

    def come_and_go(self) -> None:
        """Somebody sits down, wishes something, or brings chips."""
        for _ in range(self.chance.below(4)):
            if self.table.free_seats and self.chance.below(3) == 0:
                self.newcomers += 1
                seat = self.chance.choice((None, self.chance.choice(self.table.free_seats)))
                chips = self.chance.below(400) + 1
                self.table = self.table.sit(
                    f"n{self.newcomers}", chips, seat=seat, state=self.chance.choice(WISHES[:4])
                )
            elif self.table.chairs:
                chair = self.chance.choice(self.table.chairs)
                if chair.state == "leaves":
                    with pytest.raises(TableError):
                        self.table.wish(chair.who, "plays")
                elif self.table.phase != "dealt" and self.chance.below(4) == 0:
                    self.table = self.table.top_up(chair.who, self.chance.below(200) + 1)
                else:
                    self.table = self.table.wish(chair.who, self.chance.choice(WISHES))
            self.counts["comings and goings"] += 1

    def check(self, hand: Hand | None) -> None:
        """No chip is lost or made, nobody owes too much, seats are taken once."""
        table = self.table
        table.audit(hand)
        most = 3 * max(table.now.big_blind, table.stakes.at(table.hand + 1).big_blind) // 2
        assert all(0 <= chair.owes <= most and chair.chips >= 0 for chair in table.chairs)
        assert len({chair.seat for chair in table.chairs}) == len(table.chairs)
        assert all(chair.out or chair.owes == 0 for chair in table.chairs)
        if table.moving == "button":
            assert all(chair.owes == 0 for chair in table.chairs)

    def check_order(self) -> None:
        """Everybody who is in the hand has a place, clockwise, and the button has the last."""
        table = self.table
        assert set(table.order) == {chair.seat for chair in table.chairs if not chair.out}
        assert table.order[-1] == table.button
        lowest = table.order.index(min(table.order))
        assert list(table.order[lowest:] + table.order[:lowest]) == sorted(table.order)
        hand, _ = table.setup().start()
        if table.structure.betting.bring_in:
            assert hand.round.price == table.now.bring_in
        else:
            assert hand.round.price >= table.now.big_blind
        assert hand.round.chips_in_middle + sum(hand.stacks) == sum(table.setup().stacks) + table.pot


@pytest.mark.parametrize("moving", ["big_blind", "button"])
@pytest.mark.parametrize("seed", range(12))
def test_no_chip_is_lost_or_made(moving: Moving, seed: int) -> None:
    game = Game(Chance(seed), moving)
    game.play()
    assert game.counts["hands"] + game.counts["waits"] > HANDS // 2


def test_the_house_has_earned_something_somewhere() -> None:
    games = [Game(Chance(seed), "button") for seed in range(6)]
    for game in games:
        game.play()
    assert sum(game.counts["rake"] for game in games) > 0
    assert sum(game.counts["hands"] for game in games) > 50


@pytest.mark.parametrize("seed", range(4))
def test_a_seed_replays_everything(seed: int) -> None:
    first, second = Game(Chance(seed), "big_blind"), Game(Chance(seed), "big_blind")
    first.play()
    second.play()
    assert first.table == second.table
