"""A table from hand to hand: who sits where with what, what the next hand is, and what it needs to start."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.round import Post
from pitboss.cards import Card
from pitboss.hand.events import Event
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.hand.hand import Hand
from pitboss.hand.setup import settle_stakes
from pitboss.hand.structure import Stakes, Structure
from pitboss.table.mixed import Mixed, games_of
from pitboss.table.rotation import (
    Chair,
    Moved,
    State,
    TableError,
    button_of,
    forced_bets,
    move_big_blind,
    move_button,
    seats_from,
    speaks_first,
)
from pitboss.table.stakes import TableStakes, killed

Phase = Literal["between", "waiting", "ready", "dealt"]
"""Before the first hand or after a hand; too few want to play; a hand is set up but not dealt; a hand is under way."""
Moving = Literal["big_blind", "button", "dead_button"]
"""What moves from hand to hand: the big blind, so that nobody misses or repeats one; or, in a match, the button, which
may be dead: then it is the big blind there too."""


class HandSetup(Struct, frozen=True):
    """What a hand needs to start; entry p of `order` is the seat of place p."""

    structure: Structure
    order: tuple[int, ...]
    stacks: tuple[int, ...]
    stakes: Stakes

    def start(self, deck: Sequence[Card] | None = None) -> tuple[Hand, tuple[Event, ...]]:
        """The hand; without a deck its cards are dealt by actions."""
        return Hand.start(self.structure, stacks=self.stacks, stakes=self.stakes, deck=deck)


def set_up(table: "Table") -> HandSetup:
    """The hand of a table whose order is known."""
    chairs = {chair.seat: chair for chair in table.chairs}
    players = [chairs[seat] for seat in table.order]
    stakes, structure, blinds = table.now, table.structure, table.has_blinds
    big_blind_ante = stakes.big_blind_ante if blinds else 0
    antes = tuple([chair.ante + big_blind_ante * (chair.seat == table.big) for chair in players])
    least, big_bet = _limits(table, stakes)
    price, opener = _price_and_opener(table, players, stakes) if blinds else (0, None)
    return HandSetup(
        structure,
        table.order,
        tuple([chair.chips for chair in players]),
        Stakes(
            min_bet=least,
            big_bet=big_bet,
            posts=tuple(
                [
                    Post(place, abs(chair.blind), option=chair.blind > 0)
                    for place, chair in enumerate(players)
                    if chair.blind
                ]
            ),
            antes=antes if any(antes) else (),
            dead=table.pot,
            equal_antes=not big_blind_ante,
            price=price,
            opener=opener,
            rake=stakes.rake,
            bring_in=(stakes.bring_in or 0) if structure.betting.bring_in else 0,
            runs=_runs(structure, len(players), stakes.runs),
            bomb=table.bomb_pot > 0,
            may_muck=stakes.may_muck,
        ),
    )


def _limits(table: "Table", stakes: TableStakes) -> tuple[int, int | None]:
    """The least bet and, of limit games, the bet of later streets; a kill raises both."""
    least, big_bet = stakes.least, stakes.big_bet
    if big_bet is None:
        big_bet = table.structure.usual_big_bet(least)
    if stakes.kill is not None and table.killer in table.order:
        return killed(least, stakes.kill), None if big_bet is None else killed(big_bet, stakes.kill)
    return least, big_bet


def _runs(structure: Structure, players: int, runs: int) -> int:
    """How often the board can be dealt, as far as there is one and the deck has cards for it."""
    common = structure.board_by_street[-1]
    if runs == 1 or not common:
        return 1
    return max(1, min(runs, (len(structure.deck) - players * structure.hole_by_street[-1]) // common))


def _price_and_opener(table: "Table", players: Sequence[Chair], stakes: TableStakes) -> tuple[int, int | None]:
    """The price and who speaks first, where whoever has the big blind went before the deal; else what posts say.

    Heads-up the button speaks first, also where both blinds are of one size. A kill changes nothing about who does.
    """
    order, big = table.order, table.big
    if big is None or big in order:
        if big is not None and len(players) == 2:
            return 0, 1
        return 0, (order.index(big) + 1) % len(order) if big is not None and table.killer in order else None
    if len(players) > 2 and any(chair.blind >= stakes.big_blind for chair in players):
        return stakes.big_blind, None
    return stakes.big_blind, speaks_first(order, big)


def _next_game(table: "Table") -> int:
    """Which of the games comes: the chosen one, the same until its hands are played, or the one after it."""
    if table.chosen is not None:
        return table.chosen
    return (table.game + 1) % len(table.games.games) if table.left == 1 else table.game


def hands_left(table: "Table", game: int, dealt: int) -> int:
    """How many hands of a game there are with the next one, to which so many are dealt in."""
    if len(table.games.games) == 1:
        return 0
    if table.chosen is None and table.left > 1 and game == table.game:
        return table.left - 1
    return table.games.hands or dealt


def _next_bomb(table: "Table", stakes: TableStakes) -> int:
    """The ante of the next hand where it is a bomb pot, asked for or due, else 0."""
    every = stakes.bomb_every
    if table.bomb_pot or not every or (table.hand + 1) % every:
        return table.bomb_pot
    return bomb_ante(stakes)


def bomb_ante(stakes: TableStakes) -> int:
    """Everybody's ante in a bomb pot, unless it is asked for with another."""
    return 2 * stakes.big_blind if stakes.bomb_ante is None else stakes.bomb_ante


def _next_killer(table: "Table", stakes: TableStakes, structure: Structure, moved: Moved) -> int | None:
    """Who has won twice running and is dealt in, where limit games have a kill."""
    if stakes.kill is None or table.wins < 2 or not structure.betting.exact:
        return None
    seats = [chair.seat for chair in table.chairs if chair.who == table.winner]
    return seats[0] if seats and seats[0] in moved.dealt else None


# --- what may be asked for


def check_choice(table: "Table", game: Structure | str) -> int:
    """Which of the list a game is, where one may be chosen now."""
    _check_between(table, "the game is chosen")
    if not table.games.choice:
        raise TableError(f"nobody chooses at a table of {table.games.name}: the games follow each other")
    if table.left > 1:
        raise TableError(f"{table.structure.name} is played for {table.left - 1} more hands")
    return table.games.index(game)


def _check_bomb(table: "Table", ante: int | None) -> int:
    """The ante of a bomb pot, where the next hand can be one."""
    _check_between(table, "a bomb pot is asked for")
    game = table.games.games[_next_game(table)]
    if game.structure.betting.bring_in:
        raise TableError(f"{game.structure.name} has no bomb pots: its first street is the bring-in's")
    if ante is None:
        return bomb_ante(game.at(table.stakes, table.hand + 1))
    if type(ante) is not int or ante < 1:
        raise TableError(f"a bomb pot's ante is one chip or more, not {ante!r}")
    return ante


def _check_straddle(table: "Table", seat: int, amount: int) -> Chair:
    """Whose straddle it is, where the hand that is set up can have one of this size."""
    if table.phase != "ready" or seat not in table.order:
        raise TableError(f"seat {seat} is in no hand that waits for its cards")
    if not table.has_blinds:
        raise TableError("nobody posts a blind in this hand, so nobody straddles")
    if table.killer in table.order or len(table.order) == 2:
        raise TableError("nobody straddles where the pot is killed or two are alone")
    chair = table.chair(seat)
    highest = max([table.now.big_blind, *[abs(other.blind) for other in table.chairs if not other.out]])
    if type(amount) is not int or not highest < amount <= chair.chips - chair.ante:
        raise TableError(f"a straddle is more than the {highest} before it and at most what one has, not {amount!r}")
    return chair


def _check_games(games: Mixed, stakes: TableStakes, moving: "Moving") -> None:
    """Refuse stakes that one of the games cannot be played for at some level."""
    for game in games.games:
        own = stakes if game.stakes is None else game.stakes
        for hand in (1, *[level.from_hand for level in own.levels]):
            big = game.at(stakes, hand).big_blind
            if moving == "big_blind" and big % 2 and not game.structure.betting.bring_in:
                raise TableError(f"a missed small blind costs half a big one: of {big} that is no whole chip")


def _check_between(table: "Table", what: str) -> None:
    if table.phase in ("ready", "dealt"):
        raise TableError(f"{what} before a hand is set up")


class DealtHand(Struct, frozen=True):
    """A hand dealt at a table, what happened so far, and the table with the hand under way."""

    table: "Table"
    hand: Hand
    events: tuple[Event, ...]


class Table(Struct, frozen=True, kw_only=True):
    """A table at one moment; chairs stand in the order their players came, seats go clockwise by number.

    >>> table = Table.open(TableStakes(small_blind=1, big_blind=2, ante=1), seat_count=6)
    >>> table = table.sit("ann", 100).sit("bob", 100).sit("cleo", 100).next()
    >>> dealt = table.deal(NO_LIMIT_HOLDEM.deck)
    >>> dealt.table.order, dealt.hand.stacks, dealt.hand.round.chips_in_middle
    ((0, 1, 2), (98, 97, 99), 6)
    """

    stakes: TableStakes
    games: Mixed = games_of(NO_LIMIT_HOLDEM)
    moving: Moving = "big_blind"
    seat_count: int | None = None  #: seats are 0 to one less; None: as many as come
    least_buy_in: int = 1
    most_buy_in: int | None = None  #: the most that somebody may have in front of him by bringing chips
    chairs: tuple[Chair, ...] = ()
    hand: int = 0  #: how many hands were set up
    phase: Phase = "between"
    button: int | None = None
    small: int | None = None  #: the seat of who has the small blind
    small_at: int | None = None  #: where the small blind's place is, also where nobody sits any more
    big: int | None = None  #: the seat of the big blind
    order: tuple[int, ...] = ()  #: the seats dealt in, by place
    pot: int = 0  #: debts paid: in the pot before anybody posts
    house: int = 0  #: what the house has taken
    came_in: int = 0  #: what was brought less what was taken away
    game: int = 0  #: which of the games is played
    left: int = 0  #: of several games, how many hands of this one there are yet, with the present one
    chosen: int | None = None  #: which of the games the next hand begins, where somebody has chosen
    bomb_pot: int = 0  #: the ante of the bomb pot that is set up or asked for; 0: none
    winner: str | None = None  #: who alone has gained in the last hand
    wins: int = 0  #: in how many hands running
    killer: int | None = None  #: the seat that has won twice and posts for it in the present hand
    undealt: bool = False  #: whether the table waits because players left a hand before the deal

    def __repr__(self) -> str:
        chairs = ", ".join([f"{chair.seat} {chair.who} {chair.chips} {chair.state}" for chair in self.chairs])
        return f"<Table of {self.structure.key}, hand {self.hand} {self.phase}, button {self.button}: {chairs}>"

    @classmethod
    def open(
        cls,
        stakes: TableStakes,
        *,
        structure: Mixed | Structure | str = NO_LIMIT_HOLDEM,
        moving: Moving = "big_blind",
        seat_count: int | None = None,
        least_buy_in: int | None = None,
        most_buy_in: int | None = None,
    ) -> "Table":
        """An empty table; what is played may be one game or a list of games, and given by name."""
        games = games_of(structure)
        if not isinstance(stakes, TableStakes):
            raise TableError(f"a table's stakes are TableStakes, not {stakes!r}")
        _check_choice("moving", moving, get_args(Moving))
        if least_buy_in is None:  # who could not be dealt in does not sit down; a match deals in whoever has a chip
            first = [game.at(stakes, 1) for game in games.games]
            least_buy_in = 1 if moving != "big_blind" else max([1, *[now.big_blind + (now.ante or 0) for now in first]])
        for what, number in (("seat_count", seat_count), ("least_buy_in", least_buy_in), ("most_buy_in", most_buy_in)):
            if number is not None and (type(number) is not int or number < 1):
                raise TableError(f"{what} is a whole number from 1 on, not {number!r}")
        if most_buy_in is not None and most_buy_in < least_buy_in:
            raise TableError(f"the least buy-in, {least_buy_in}, is above the most, {most_buy_in}")
        if seat_count is not None and seat_count > games.most_players:
            raise TableError(f"{games.name} is for at most {games.most_players} players, not for {seat_count} seats")
        _check_games(games, stakes, moving)
        return cls(
            stakes=stakes,
            games=games,
            moving=moving,
            seat_count=seat_count,
            least_buy_in=least_buy_in,
            most_buy_in=most_buy_in,
        )

    # --- what stands

    def chair(self, seat: int) -> Chair:
        """The chair at a seat."""
        for chair in self.chairs:
            if chair.seat == seat:
                return chair
        raise TableError(f"nobody sits at seat {seat}")

    def find(self, who: str) -> Chair:
        """The chair of a player."""
        for chair in self.chairs:
            if chair.who == who:
                return chair
        raise TableError(f"there is no {who!r} at this table")

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The seats nobody has; where seats are not counted, the one after the last."""
        taken = {chair.seat for chair in self.chairs}
        if self.seat_count is None:
            return (max(taken, default=-1) + 1,)
        return tuple([seat for seat in range(self.seat_count) if seat not in taken])

    @property
    def structure(self) -> Structure:
        """The game of the present hand."""
        return self.games.games[self.game].structure

    @property
    def now(self) -> TableStakes:
        """The stakes of the present hand, as its game has them."""
        return self.games.games[self.game].at(self.stakes, self.hand)

    @property
    def in_match(self) -> bool:
        """Whether this is a match: nobody is asked to make up for blinds, and whoever has a chip is dealt in."""
        return self.moving != "big_blind"

    @property
    def has_blinds(self) -> bool:
        """Whether blinds are posted in the present hand: not where there is a bring-in, nor in a bomb pot."""
        return not self.bomb_pot and not self.structure.betting.bring_in

    def audit(self, hand: Hand | None = None) -> None:
        """Count the chips, with those of the hand under way: stacks, pots and house are what came in."""
        there = sum([chair.chips for chair in self.chairs]) + self.pot + self.house
        if hand is not None:
            there += sum(hand.stacks) + hand.round.chips_in_middle + hand.house - self._staked
        if there != self.came_in:
            raise TableError(f"{self.came_in} chips came in and {there} are there")

    @property
    def _staked(self) -> int:
        """All chips of the present hand as it began."""
        return sum([chair.chips for chair in self.chairs if chair.seat in self.order]) + self.pot

    # --- coming and going

    def sit(self, who: str, chips: int, *, seat: int | None = None, state: State = "plays") -> "Table":
        """Give somebody a chair; he is dealt in at once where nothing is dealt yet, else from the next hand on."""
        if type(who) is not str or not who:
            raise TableError(f"who: expected a name, got {who!r:.40}")
        if type(chips) is not int or chips < 1:
            raise TableError(f"{who!r} cannot sit down with {chips!r}: it takes a whole number of chips")
        _check_choice("state", state, get_args(State))
        if any(chair.who == who for chair in self.chairs):
            raise TableError(f"{who!r} sits at this table already")
        self._check_buy_in(chips)
        if len(self.chairs) >= self.games.most_players:
            raise TableError(f"{self.games.name} is for at most {self.games.most_players} players")
        chair = Chair(self._seat_for(seat), who, chips, state, ante=self.bomb_pot or self.now.ante or 0)
        if self.phase == "ready" and state == "plays" and self._can_play(chair, self.now):
            chair = replace(chair, out=False)
        table = replace(self, chairs=(*self.chairs, chair), came_in=self.came_in + chips)
        return table if chair.out else table._with_order()

    def _seat_for(self, seat: int | None) -> int:
        free = self.free_seats
        if seat is None:
            if not free:
                raise TableError(f"all {self.seat_count} seats are taken")
            return free[0]
        if type(seat) is not int or seat < 0 or (self.seat_count is not None and seat >= self.seat_count):
            raise TableError(f"there is no seat {seat!r} at this table")
        if any(chair.seat == seat for chair in self.chairs):
            raise TableError(f"seat {seat} is taken")
        return seat

    def wish(self, who: str, state: State) -> "Table":
        """Let a player play again, wait for the big blind, pause or leave, at any moment; leaving is final.

        Who goes in the middle of a hand is folded when his turn comes. Who goes before the deal is not dealt in, and
        if he stays at the table he owes the blind he had.
        """
        chair = self.find(who)
        _check_choice("state", state, get_args(State))
        if chair.state == "leaves":
            if state == "leaves":
                return self
            raise TableError(f"{who!r} has left for good")
        if state == "plays" or chair.out:
            return self._put(replace(chair, state=state))
        charged = 0
        if self.phase == "ready" and state != "leaves" and self.moving == "big_blind" and self.has_blinds:
            half = self.now.big_blind // 2
            missed = 2 if chair.seat == self.big else 1 if chair.seat == self.small else 0
            charged = min(chair.owes + missed * half, 3 * half) - chair.owes
        table = self._put(replace(chair, state=state, owes=chair.owes + charged, out=True, charged=charged))
        if self.phase != "ready":
            return table
        table = table._with_order()
        return table if table.phase == "ready" else replace(table, chairs=_uncharged(table.chairs), undealt=True)

    def top_up(self, who: str, chips: int) -> "Table":
        """Bring more chips while no hand is under way; who had none left plays again."""
        chair = self.find(who)
        if self.phase == "dealt":
            raise TableError("chips are brought between hands only")
        if type(chips) is not int or chips < 1:
            raise TableError(f"{chips!r} is no number of chips to bring")
        state = chair.state
        if state == "leaves":
            if chair.chips:
                raise TableError(f"{who!r} has left the table")
            state = "plays"
        self._check_buy_in(chair.chips + chips)
        table = self._put(replace(chair, chips=chair.chips + chips, state=state))
        return replace(table, came_in=self.came_in + chips)

    def _check_buy_in(self, chips: int) -> None:
        if chips < self.least_buy_in:
            raise TableError(f"{chips} is below the least buy-in, {self.least_buy_in}")
        if self.most_buy_in is not None and chips > self.most_buy_in:
            raise TableError(f"{chips} is above the most that may be brought, {self.most_buy_in}")

    def _put(self, chair: Chair) -> "Table":
        return replace(self, chairs=tuple([chair if old.seat == chair.seat else old for old in self.chairs]))

    def _with_order(self) -> "Table":
        """The table with the button and the order that go with who is in the hand now; with too few it waits.

        Two alone play without straddles.
        """
        dealt = sorted([chair.seat for chair in self.chairs if not chair.out])
        if len(dealt) < 2:
            return replace(self, phase="waiting", order=(), button=self.button if self.in_match else None)
        button = button_of(dealt, self.small, self.small_at, self.big)
        if button is None:
            button = self.button if self.button in dealt else dealt[-1]
        chairs, now = self.chairs, self.now
        if len(dealt) == 2:
            own = {self.small: now.small_blind, self.big: now.big_blind}
            chairs = tuple(
                [
                    replace(chair, blind=own.get(chair.seat, 0))
                    if chair.blind > now.big_blind and chair.seat != self.killer
                    else chair
                    for chair in chairs
                ]
            )
        return replace(self, chairs=chairs, button=button, order=seats_from(dealt, button))

    # --- from hand to hand

    def next(self) -> "Table":
        """Set up the next hand: leavers go, button and blinds move, missed blinds are charged, debts are paid.

        Where fewer than two can be dealt in, the table waits: nothing moves and nobody is charged.
        """
        if self.phase in ("ready", "dealt"):
            raise TableError("the hand is not finished")
        game = _next_game(self)
        stakes, structure = self.games.games[game].at(self.stakes, self.hand + 1), self.games.games[game].structure
        dealt = sorted([chair.seat for chair in self.chairs if self._plays(chair, stakes)])
        if self.in_match:
            moved = move_button(self.chairs, dealt, self.button, self.big if self.moving == "dead_button" else None)
        else:
            last, last_small = (self.small_at, None) if self.undealt else (self.big, self.small_at)
            waited = self.phase == "waiting"
            moved = move_big_blind(self.chairs, dealt, last, last_small, stakes.big_blind, waited=waited)
        if moved is None:
            return self._wait()
        bomb = 0 if structure.betting.bring_in else _next_bomb(self, stakes)
        blinds = not bomb and not structure.betting.bring_in
        killer = _next_killer(self, stakes, structure, moved) if blinds else None
        ante = bomb or stakes.ante or 0
        posts = forced_bets(moved, stakes, killer) if blinds else {}
        pot, chairs = self.pot, []
        for chair in self.chairs:
            seat, owes = chair.seat, chair.owes
            if chair.state == "leaves":
                continue
            blind = posts.get(seat, 0)
            if seat in moved.dealt:
                if seat == moved.excused:
                    owes = 0
                pot += owes
                chairs.append(Chair(seat, chair.who, chair.chips - owes, "plays", 0, False, blind, ante))
            else:
                state: State = "leaves" if not chair.chips or chair.state == "plays" else chair.state
                if blinds:
                    owes = min(owes + moved.missed.get(seat, 0), 3 * stakes.big_blind // 2)
                charged = owes - chair.owes
                chairs.append(Chair(seat, chair.who, chair.chips, state, owes, True, blind, ante, charged=charged))
        came_in = self.came_in - sum([chair.chips for chair in self.chairs if chair.state == "leaves"])
        return replace(
            self,
            chairs=tuple(chairs),
            hand=self.hand + 1,
            phase="ready",
            button=moved.button,
            small=moved.small,
            small_at=moved.small_at,
            big=moved.big,
            order=seats_from(moved.dealt, moved.button),
            pot=pot,
            came_in=came_in,
            game=game,
            left=hands_left(self, game, len(moved.dealt)),
            chosen=None,
            bomb_pot=bomb,
            killer=killer,
            undealt=False,
        )

    def _plays(self, chair: Chair, stakes: TableStakes) -> bool:
        """Whether somebody is dealt in whatever the blinds do."""
        if chair.state != "plays" or not chair.chips:
            return False
        return not chair.out or self._can_play(chair, stakes)

    def _can_play(self, chair: Chair, stakes: TableStakes) -> bool:
        """Whether somebody who was out can pay for coming in: debt, one big blind and ante; in a match, his debt."""
        if self.in_match:
            return chair.chips > chair.owes
        return chair.chips >= chair.owes + stakes.big_blind + max(chair.ante, stakes.ante or 0)

    def _wait(self) -> "Table":
        """Return the waiting table: players who left are gone, and the blinds stay in their places."""
        chairs = tuple(
            [
                replace(chair, charged=0) if chair.chips else replace(chair, out=True, state="leaves", charged=0)
                for chair in self.chairs
                if chair.state != "leaves"
            ]
        )
        here = {chair.seat for chair in chairs}
        known = self.big in here or self.in_match
        return replace(
            self,
            chairs=chairs,
            phase="waiting",
            button=self.button if self.in_match else None,
            small=self.small if known and self.small in here else None,
            small_at=self.small_at if known else None,
            big=self.big if known else None,
            order=(),
            undealt=self.undealt and known,
            came_in=self.came_in - sum([chair.chips for chair in self.chairs if chair.state == "leaves"]),
        )

    # --- a hand

    def setup(self) -> HandSetup:
        """What the hand that is set up needs to start."""
        if len(self.order) < 2:
            raise TableError("no hand is set up: a hand needs two players")
        return set_up(self)

    def choose(self, game: Structure | str) -> "Table":
        """Begin the next hand with this game of the list, where whoever has the button may choose and one begins."""
        return replace(self, chosen=check_choice(self, game))

    def bomb(self, ante: int | None = None) -> "Table":
        """Make the next hand a bomb pot: everybody antes, nobody posts a blind, and nobody bets before the flop."""
        return replace(self, bomb_pot=_check_bomb(self, ante))

    def straddle(self, seat: int, amount: int) -> "Table":
        """Let somebody in the hand that is set up, wherever he sits, post more than the blinds before the deal."""
        return self._put(replace(_check_straddle(self, seat, amount), blind=amount))

    def deal(self, deck: Sequence[Card] | None = None) -> DealtHand:
        """Begin the hand that is set up: forced money and, where there is a deck, cards."""
        if self.phase != "ready":
            raise TableError("no hand is set up: go on to the next one first")
        hand, events = self.setup().start(deck)
        return DealtHand(replace(self, phase="dealt"), hand, events)

    def finish(self, hand: Hand) -> "Table":
        """Take back the chips of the hand that was dealt, played to its end; the house has its rake."""
        if self.phase != "dealt" or not hand.over or hand.round.n != len(self.order):
            raise TableError("only this table's own hand, played to its end, can be given back")
        if sum(hand.stacks) + hand.house != self._staked:
            raise TableError(f"the hand began with {self._staked} chips and ends with {sum(hand.stacks) + hand.house}")
        if not self._dealt(hand):
            raise TableError("this is another table's hand: its game, stakes or stacks are not those dealt here")
        return self._after(dict(zip(self.order, hand.stacks, strict=True)), self.house + hand.house)

    def _dealt(self, hand: Hand) -> bool:
        """Whether a finished hand can have begun here: nobody has less than he kept, and who folded has just that."""
        setup, betting = self.setup(), hand.round
        stakes = settle_stakes(setup.structure, setup.stakes, len(setup.stacks))
        antes = setup.stakes.antes or (0,) * len(setup.stacks)  # where one pays for all it is nobody's bet
        if (hand.structure is not setup.structure and hand.structure != setup.structure) or hand.stakes != stakes:
            return False
        for place, chips in enumerate(setup.stacks):
            more = betting.stacks[place] + betting.paid[place] - chips
            if more < -antes[place] or (more > 0 and betting.folded[place]):
                return False
        return True

    def after(
        self,
        stacks: Mapping[int, int],
        *,
        hand: int,
        button: int,
        game: Structure | str | None = None,
        blinds: tuple[int, int] | None = None,
    ) -> "Table":
        """The table as a hand recorded elsewhere left it: the chips of who was in it, by seat, the button, the game.

        Where the game is not named it is the one whose turn it was. A dead button follows the blinds: give their seats.
        """
        if self.moving == "dead_button" and blinds is None:
            raise TableError("with a dead button it must be known where the blinds were")
        began = sum([self.chair(seat).chips for seat in stacks]) + self.pot
        if min(stacks.values(), default=0) < 0 or sum(stacks.values()) > began:
            raise TableError(f"the hand began with {began} chips and cannot have left {sum(stacks.values())}")
        table = replace(self, hand=hand, button=self.chair(button).seat)
        if blinds is not None:
            table = replace(table, small_at=blinds[0], big=blinds[1])
        if hand != self.hand:
            played = _next_game(self) if game is None else self.games.index(game)
            table = replace(table, game=played, left=hands_left(self, played, len(stacks)), chosen=None)
        return table._after(stacks, self.house + began - sum(stacks.values()))

    def _after(self, stacks: Mapping[int, int], house: int) -> "Table":
        gained = [chair.who for chair in self.chairs if stacks.get(chair.seat, 0) > chair.chips]
        winner = gained[0] if len(gained) == 1 else None
        wins = 0 if winner is None else self.wins + 1 if winner == self.winner else 1
        chairs = [
            Chair(
                chair.seat,
                chair.who,
                stacks[chair.seat],
                chair.state,
                chair.owes,
                chair.out and self.phase == "dealt",
                chair.blind,
                chair.ante,
                True,
            )
            if chair.seat in stacks
            else chair
            for chair in self.chairs
        ]
        table = replace(self, chairs=tuple(chairs), phase="between", order=(), pot=0, house=house)
        return replace(table, bomb_pot=0, winner=winner, wins=wins, killer=None)


def _uncharged(chairs: Iterable[Chair]) -> tuple[Chair, ...]:
    """Return the chairs without the debts of a hand that is not played."""
    return tuple([replace(chair, owes=chair.owes - chair.charged, charged=0) for chair in chairs])


def _check_choice(setting: str, given: object, choices: Sequence[str]) -> None:
    if given not in choices:
        raise TableError(f"{setting} is {' or '.join(map(repr, choices))}, not {given!r}")


def _demo() -> None:
    from pitboss.betting.events import Call, Check

    table = Table.open(TableStakes(small_blind=1, big_blind=2), seat_count=6)
    table = table.sit("ann", 100).sit("bob", 100).sit("cleo", 100)
    for cut in (0, 13, 26):
        dealt = table.next().deal(table.structure.deck[cut:] + table.structure.deck[:cut])
        hand = dealt.hand
        while not hand.over:
            hand, _ = hand.act(Check() if hand.offer.check else Call())
        table = dealt.table.finish(hand)
        print(f"hand {table.hand}, button {table.button}:", {chair.who: chair.chips for chair in table.chairs})


if __name__ == "__main__":
    _demo()
