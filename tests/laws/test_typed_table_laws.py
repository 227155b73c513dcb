"""Laws of the typed table: with any actions, stakes, arrivals and departures, no chip is lost or made.

Tables play every game, one or several in turn, by house rules of every kind.
"""

from collections import Counter

import pytest

from pitboss.chance import Chance
from pitboss.hand.games import STRUCTURES
from pitboss.hand.hand import Hand
from pitboss.hand.structure import Rake
from pitboss.table.mixed import GameAtStakes, Mixed
from pitboss.table.rotation import State, TableError
from pitboss.table.stakes import Level, TableStakes
from pitboss.table.table import Moving, Table
from tests.support.for_each import for_each

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
        bring_in=chance.choice((None, None, 1, big)),
        runs=chance.choice((1, 1, 2, 4)),
        may_muck=chance.below(3) == 0,
        kill=chance.choice((None, "half", "full")),
        bomb_every=chance.choice((0, 0, 0, 4)),
        bomb_ante=chance.choice((None, 3 * big)),
    )


def some_games(chance: Chance) -> Mixed:
    """One game, or several in turn, each at the table's stakes, at twice or four times as much, or at its own."""
    everything, games = tuple(STRUCTURES.values()), []
    for _ in range(chance.choice((1, 1, 2, 3, 5))):
        own = some_stakes(chance) if chance.below(4) == 0 else None
        games.append(GameAtStakes(chance.choice(everything), own, chance.choice((100, 100, 200, 400))))
    return Mixed("some", tuple(games), chance.choice((None, None, 1, 3)), chance.below(2) == 0)


def bold_or_meek(hand: Hand, chance: Chance) -> Hand:
    """The hand after some legal action."""
    hand, _ = hand.act(chance.choice(hand.legal()))
    return hand


class Game:
    """A table under way, held to its laws at every moment."""

    def __init__(self, chance: Chance, moving: Moving) -> None:
        self.chance, self.counts, self.newcomers = chance, Counter[str](), 0
        self.winners: list[str | None] = []
        self.table = Table.open(
            some_stakes(chance),
            structure=some_games(chance),
            moving=moving,
            seat_count=6,
            least_buy_in=1,
        )

    def play(self) -> None:
        """Play some hands."""
        for _ in range(HANDS):
            self.come_and_go()
            self.ask_for_something()
            before = self.table
            self.table = before.next()
            self.check(None)
            if self.table.phase == "waiting":
                assert (self.table.hand, self.table.order) == (before.hand, ())
                self.counts["waits"] += 1
                continue
            assert self.table.hand == before.hand + 1
            self.check_game(before)
            self.check_order()
            self.check_kill()
            if self.chance.below(3) == 0:
                self.come_and_go()
            if self.table.phase == "ready":
                self.straddle()
                self.check_order()
                self.play_hand()

    def ask_for_something(self) -> None:
        """A player requests a bomb pot or chooses the game; what is not allowed is refused."""
        table, chance = self.table, self.chance
        if table.phase == "ready":
            return
        if chance.below(6) == 0:
            try:
                self.table = table.bomb(chance.choice((None, 1, 7, 50)))
            except TableError:
                assert table.games.games[upcoming(table)].structure.betting.bring_in
        if chance.below(3) == 0:
            game = chance.choice(table.games.games).structure
            if table.games.choice and table.left <= 1:
                self.table = self.table.choose(game)
            else:
                with pytest.raises(TableError):
                    self.table.choose(game)

    def straddle(self) -> None:
        """Try a straddle from any seat, allowed or not."""
        table, chance = self.table, self.chance
        if chance.below(3):
            return
        seat, amount = chance.choice(table.order), 1 + chance.below(6 * table.now.big_blind)
        try:
            self.table = table.straddle(seat, amount)
        except TableError:
            self.counts["no straddles"] += 1
            return
        assert table.has_blinds
        assert table.setup().start()[0].round.price < self.table.setup().start()[0].round.price == amount
        self.counts["straddles"] += 1

    def check_game(self, before: Table) -> None:
        """A game is played for its hands, and then comes the one after it or the one that was chosen."""
        table, games = self.table, self.table.games
        if len(games.games) == 1:
            assert (table.game, table.left) == (0, 0)
            return
        assert table.game == upcoming(before)
        if before.hand == 0 or before.left == 1 or before.chosen is not None:
            assert table.left == (games.hands or len(table.order))
            self.counts["games"] += 1
        else:
            assert (table.game, table.left) == (before.game, before.left - 1)

    def check_kill(self) -> None:
        """In limit games with blinds, only a player who alone gained in each of the last two hands posts the kill."""
        table, last = self.table, self.winners[-2:]
        seats = [chair.seat for chair in table.chairs if not chair.out and last == [chair.who, chair.who]]
        due = table.now.kill is not None and table.structure.betting.exact and table.has_blinds
        assert table.killer == (seats[0] if seats and due else None)
        self.counts["kills"] += table.killer is not None

    def play_hand(self) -> None:
        """Play the hand that is set up; meanwhile players may come or go."""
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
        after = dict(zip(order, hand.stacks, strict=True))
        gained = [chair.who for chair in self.table.chairs if after.get(chair.seat, 0) > stacks.get(chair.seat, 0)]
        self.winners.append(gained[0] if len(gained) == 1 else None)
        self.counts["bombs"] += hand.stakes.bomb
        self.counts["runs"] += hand.runs is not None
        self.counts["bring-ins"] += hand.stakes.bring_in > 0
        self.check(None)
        assert sum(stacks.values()) + dealt.table.pot == sum(hand.stacks) + hand.house
        self.counts["hands"] += 1
        self.counts["rake"] += hand.house

    def come_and_go(self) -> None:
        """A player sits down, changes an intent, or brings chips."""
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
        """No chip is lost or made, no debt is too large, seats are taken once."""
        table = self.table
        table.audit(hand)
        most = 3 * max([game.at(table.stakes, hand).big_blind for game in table.games.games for hand in (1, 11)]) // 2
        assert all(0 <= chair.owes <= most and chair.chips >= 0 for chair in table.chairs)
        assert len({chair.seat for chair in table.chairs}) == len(table.chairs)
        assert all(chair.out or chair.owes == 0 for chair in table.chairs)
        if table.moving == "button":
            assert all(chair.owes == 0 for chair in table.chairs)

    def check_order(self) -> None:
        """Every player in the hand has a place, clockwise, and the button has the last."""
        table = self.table
        assert set(table.order) == {chair.seat for chair in table.chairs if not chair.out}
        assert table.order[-1] == table.button
        lowest = table.order.index(min(table.order))
        assert list(table.order[lowest:] + table.order[:lowest]) == sorted(table.order)
        hand, _ = table.setup().start()
        if table.structure.betting.bring_in:
            assert hand.round.price == table.now.bring_in
        else:
            assert hand.round.price >= (table.now.big_blind if table.has_blinds else 0)
        if not table.has_blinds:
            assert not any(chair.blind for chair in table.chairs)
        assert hand.round.chips_in_middle + sum(hand.stacks) == sum(table.setup().stacks) + table.pot


def upcoming(table: Table) -> int:
    """Which of the games the next hand should be of."""
    if table.chosen is not None:
        return table.chosen
    ended = table.left == 1
    return (table.game + ended) % len(table.games.games)


@for_each("moving", ["big_blind", "button"])
@for_each("seed", range(24))
def test_no_chip_is_lost_or_made(moving: Moving, seed: int) -> None:
    game = Game(Chance(seed), moving)
    game.play()
    assert game.counts["hands"] + game.counts["waits"] > HANDS // 2


def test_the_house_has_earned_something_and_every_rule_was_played_by() -> None:
    total = Counter[str]()
    for seed in range(24):
        game = Game(Chance(seed), "button")
        game.play()
        total += game.counts
    assert total["rake"] > 0
    assert total["hands"] > 300
    for what in ("games", "bombs", "kills", "runs", "bring-ins", "straddles"):
        assert total[what] > 5, what


@pytest.mark.parametrize("seed", range(4))
def test_seed_replays_a_table(seed: int) -> None:
    first, second = Game(Chance(seed), "big_blind"), Game(Chance(seed), "big_blind")
    first.play()
    second.play()
    assert first.table == second.table
