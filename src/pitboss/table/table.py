"""A table between and during hands: its seats and chips, and the setup of each hand."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from pitboss.betting.events import Call, Fold
from pitboss.betting.round import Post
from pitboss.cards import Card
from pitboss.game import PlayersTurn
from pitboss.hand.events import Action, Event, Muck, Show
from pitboss.hand.games import NO_LIMIT_HOLDEM, USUAL_GAME, AnyGame, given_game
from pitboss.hand.hand import Hand
from pitboss.hand.setup import cards_to_deal, settle_stakes
from pitboss.hand.state import idle_choice
from pitboss.hand.structure import Stakes, Structure
from pitboss.signatures import BriefStruct, brief
from pitboss.table.changes import Change, changes_of
from pitboss.table.mixed import Mixed, find_games, games_of
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
from pitboss.table.stakes import TableStakes, apply_kill

Phase = Literal["between", "waiting", "ready", "dealt"]
"""The phases: before or after a hand; waiting for players; a hand is set up but not dealt; a hand is in progress."""
Moving = Literal["big_blind", "button", "dead_button"]
"""How positions move. The big blind moves so that no player misses or repeats it; in a match, the button moves. With a
dead button, the big blind moves in a match.
"""


class HandSetup(Struct, frozen=True):
    """The arguments for a hand. Entry p of `order` is the seat of place p.

    >>> from pitboss.table import Table, TableStakes
    >>> table = Table.open(TableStakes(small_blind=1, big_blind=2), seat_count=6).sit("ann", 100).sit("bob", 100)
    >>> setup = table.next().setup()
    >>> setup.order, setup.stacks
    ((1, 0), (100, 100))
    """

    structure: Structure
    order: tuple[int, ...]
    stacks: tuple[int, ...]
    stakes: Stakes

    def start(self, deck: Sequence[Card] | None = None) -> tuple[Hand, tuple[Event, ...]]:
        """Start the hand. Without a deck, its cards are dealt by actions."""
        return Hand.start(self.structure, stacks=self.stacks, stakes=self.stakes, deck=deck)


def set_up(table: "Table") -> HandSetup:
    """Return the setup of the hand at a table whose `order` is known."""
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
    """Return the minimum bet and, in limit games, the bet of later streets. A kill raises both."""
    least, big_bet = stakes.least, stakes.big_bet
    if big_bet is None:
        big_bet = table.structure.usual_big_bet(least)
    if stakes.kill is not None and table.killer in table.order:
        return apply_kill(least, stakes.kill), None if big_bet is None else apply_kill(big_bet, stakes.kill)
    return least, big_bet


def _runs(structure: Structure, players: int, runs: int) -> int:
    """Return the number of runs of the board that the deck is large enough for, at most `runs`."""
    return structure.runs_for(players, runs if structure.boards == 1 else 1)


def _price_and_opener(table: "Table", players: Sequence[Chair], stakes: TableStakes) -> tuple[int, int | None]:
    """Return the price and the first place to act, if the posts do not determine them.

    They do not if the player with the big blind left before the deal. Heads-up, the button acts first even if both
    blinds are equal. A kill does not change who acts first.
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
    """Return the index of the next game: the chosen one, the current one if it has hands left, or the next one."""
    if table.chosen is not None:
        return table.chosen
    return (table.game + 1) % len(table.games.games) if table.left == 1 else table.game


def hands_left(table: "Table", game: int, dealt: int) -> int:
    """Return the number of hands of a game that are left, including the next hand; 0 if the table has only one game.

    `dealt` is the number of players in the next hand.
    """
    if len(table.games.games) == 1:
        return 0
    if table.chosen is None and table.left > 1 and game == table.game:
        return table.left - 1
    return table.games.hands or dealt


def _next_bomb(table: "Table", stakes: TableStakes) -> int:
    """Return the ante of the next hand if it is a bomb pot, otherwise 0."""
    every = stakes.bomb_every
    if table.bomb_pot or not every or (table.hand + 1) % every:
        return table.bomb_pot
    return bomb_ante(stakes)


def bomb_ante(stakes: TableStakes) -> int:
    """Return the ante of a bomb pot that was requested without an ante."""
    return 2 * stakes.big_blind if stakes.bomb_ante is None else stakes.bomb_ante


def _next_killer(table: "Table", stakes: TableStakes, structure: Structure, moved: Moved) -> int | None:
    """Return the seat of the player who posts a kill, if any. This player has won twice in a row and is in the hand."""
    if stakes.kill is None or table.wins < 2 or not structure.betting.exact:
        return None
    seats = [chair.seat for chair in table.chairs if chair.who == table.winner]
    return seats[0] if seats and seats[0] in moved.dealt else None


def _next_chairs(
    chairs: Sequence[Chair], moved: Moved, posts: Mapping[int, int], ante: int, most_owed: int | None
) -> tuple[tuple[Chair, ...], int]:
    """Return the chairs in the next hand, and the debts that players pay into its pot.

    `most_owed` is the limit of a debt for missed blinds. It is None if the hand has no blinds.
    """
    seated: list[Chair] = []
    paid = 0
    for chair in chairs:
        seat, owes = chair.seat, chair.owes
        if chair.state == "leaves":
            continue
        blind = posts.get(seat, 0)
        if seat in moved.dealt:
            if seat == moved.excused:
                owes = 0
            paid += owes
            seated.append(Chair(seat, chair.who, chair.chips - owes, "plays", 0, False, blind, ante))
        else:
            state: State = "leaves" if not chair.chips or chair.state == "plays" else chair.state
            if most_owed is not None:
                owes = min(owes + moved.missed.get(seat, 0), most_owed)
            charged = owes - chair.owes
            seated.append(Chair(seat, chair.who, chair.chips, state, owes, True, blind, ante, charged=charged))
    return tuple(seated), paid


# --- requests


def check_choice(table: "Table", game: AnyGame) -> int:
    """Return the index of a game. Raise `TableError` if it cannot be chosen now."""
    _check_between(table, "a game can only be chosen")
    if not table.games.choice:
        raise TableError(f"{table.games.name} has a fixed order of games, so no game can be chosen")
    if table.left > 1:
        raise TableError(f"a game can only be chosen after {table.left - 1} more hands of {table.structure.name}")
    return table.games.index(game)


def _check_bomb(table: "Table", ante: int | None) -> int:
    """Return the ante of a bomb pot. Raise `TableError` if the next hand cannot be one."""
    _check_between(table, "a bomb pot can only be requested")
    game = table.games.games[_next_game(table)]
    if game.structure.betting.bring_in:
        raise TableError(f"{game.structure.name} has no bomb pots, because its first street begins with a bring-in")
    if ante is None:
        return bomb_ante(game.at(table.stakes, table.hand + 1))
    if type(ante) is not int or ante < 1:
        raise TableError(f"ante: expected a whole number of chips from 1, got {ante!r}")
    return ante


def _check_straddle(table: "Table", seat: int, amount: int) -> Chair:
    """Return the chair of a straddle. Raise `TableError` if the hand cannot have it."""
    if table.phase != "ready" or seat not in table.order:
        raise TableError(f"seat: expected a player of a hand that is set up but not dealt, got {seat}")
    if not table.has_blinds:
        raise TableError("a straddle needs a hand with blinds")
    if table.killer in table.order or len(table.order) == 2:
        raise TableError("a straddle is not possible heads-up or with a kill")
    chair = table.chair(seat)
    highest = max([table.now.big_blind, *[abs(other.blind) for other in table.chairs if not other.out]])
    if type(amount) is not int or not highest < amount <= chair.chips - chair.ante:
        raise TableError(f"straddle: expected more than {highest} and at most the stack, got {amount!r}")
    return chair


def _check_games(games: Mixed, stakes: TableStakes, moving: "Moving") -> None:
    """Raise `TableError` if a game cannot be played with its stakes at one of its blind levels."""
    for game in games.games:
        own = stakes if game.stakes is None else game.stakes
        for hand in (1, *[level.from_hand for level in own.levels]):
            big = game.at(stakes, hand).big_blind
            if moving == "big_blind" and big % 2 and not game.structure.betting.bring_in:
                raise TableError(f"big_blind: expected an even number, to charge half for a small blind, got {big}")


def _check_between(table: "Table", what: str) -> None:
    if table.phase in ("ready", "dealt"):
        raise TableError(f"{what} before a hand is set up")


class DealtHand(Struct, frozen=True):
    """A hand dealt at a table, its events so far, and the state of the table during the hand.

    Players who pause or leave are folded when it is their turn.

    >>> table = Table.open(TableStakes(small_blind=1, big_blind=2)).sit("ann", 100).sit("bob", 100).sit("cleo", 100)
    >>> dealt = table.next().deal(seed=7).wish("ann", "pauses").act("call")
    >>> dealt.events[-1], dealt.hand.turn
    (Folded(place=0), PlayersTurn(place=1))
    """

    table: "Table"
    hand: Hand
    events: tuple[Event, ...]

    def act(self, action: Action | str, place: int | None = None) -> "DealtHand":
        """Play an action, then act for players who pause or have left, while it is their turn."""
        hand, events = self.hand.act(action, place)
        return replace(self, hand=hand, events=self.events + events)._without_absent()

    def wish(self, who: str, state: State) -> "DealtHand":
        """Change the wish of a player, like `Table.wish`. A player who stops at their turn is folded now."""
        return replace(self, table=self.table.wish(who, state))._without_absent()

    def finish(self) -> "Table":
        """Return the table after the hand, like `Table.finish`."""
        return self.table.finish(self.hand)

    def _without_absent(self) -> "DealtHand":
        hand, events = self.hand, self.events
        while isinstance(hand.turn, PlayersTurn) and self.table.chair(self.table.order[hand.turn.place]).out:
            hand, happened = hand.act(_default_action(hand))
            events += happened
        return replace(self, hand=hand, events=events)


def _default_action(hand: Hand) -> Action:
    """Return the action for a player who does not play: fold or muck, or what is required if that is not possible."""
    if (choice := idle_choice(hand)) is not None:
        return choice
    if hand.phase == "show":
        return Muck() if hand.offer.muck else Show()
    return Fold() if hand.offer.fold else Call()


class Table(Struct, frozen=True, kw_only=True, metaclass=BriefStruct):
    """A table at one moment. Chairs are in the order of arrival. Seat numbers increase clockwise.

    >>> table = Table.open(TableStakes(small_blind=1, big_blind=2, ante=1), seat_count=6)
    >>> table = table.sit("ann", 100).sit("bob", 100).sit("cleo", 100).next()
    >>> dealt = table.deal(NO_LIMIT_HOLDEM.deck)
    >>> dealt.table.order, dealt.hand.stacks, dealt.hand.round.chips_in_middle
    ((0, 1, 2), (98, 97, 99), 6)
    """

    stakes: TableStakes
    games: Mixed = games_of(NO_LIMIT_HOLDEM)
    moving: Moving = "big_blind"
    seat_count: int | None = None  #: the number of seats, counted from 0, or None for no limit
    least_buy_in: int = 1
    most_buy_in: int | None = None  #: the maximum stack of a player who brings chips
    chairs: tuple[Chair, ...] = ()
    hand: int = 0  #: the number of hands set up so far
    phase: Phase = "between"
    button: int | None = None
    small: int | None = None  #: the seat of the small blind
    small_at: int | None = None  #: the position of the small blind, which may be an empty seat
    big: int | None = None  #: the seat of the big blind
    order: tuple[int, ...] = ()  #: the seats in the hand; entry p is the seat of place p
    pot: int = 0  #: debts paid into the pot before the forced bets
    house: int = 0  #: the total rake so far
    came_in: int = 0  #: all chips brought to the table, without those taken away
    game: int = 0  #: the index of the current game
    left: int = 0  #: in a mixed game, the number of hands left of this game, including the current one
    chosen: int | None = None  #: the index of the game chosen for the next hand
    bomb_pot: int = 0  #: the ante of the bomb pot that is set up or requested, or 0
    winner: str | None = None  #: the only player who gained chips in the last hand
    wins: int = 0  #: the number of hands in a row that `winner` has won
    killer: int | None = None  #: the seat that posts a kill in this hand, after two wins in a row
    undealt: bool = False  #: whether the table waits because players left after a hand was set up
    changes: tuple[Change, ...] = ()  #: the changes of the last call of `next`

    def __repr__(self) -> str:
        chairs = ", ".join([f"{chair.seat} {chair.who} {chair.chips} {chair.state}" for chair in self.chairs])
        return f"<Table of {self.structure.key}, hand {self.hand} {self.phase}, button {self.button}: {chairs}>"

    @classmethod
    @brief("cls", "stakes", "game", "seat_count")
    def open(
        cls,
        stakes: TableStakes,
        *,
        game: Mixed | AnyGame = USUAL_GAME,
        moving: Moving = "big_blind",
        seat_count: int | None = None,
        least_buy_in: int | None = None,
        most_buy_in: int | None = None,
        structure: Mixed | AnyGame | None = None,
    ) -> "Table":
        """Return an empty table.

        `game` is a game as `find_game` takes it, or a list of games, given as a `Mixed` or by name; `structure` is an
        older name of it. `moving` is how the button and the blinds move. `least_buy_in` and `most_buy_in` limit the
        chips that a player brings.

        >>> Table.open(TableStakes(small_blind=5, big_blind=10), game="horse", seat_count=6)
        <Table of limit_holdem, hand 0 between, button None: >
        """
        games = find_games(given_game(game, structure))
        if not isinstance(stakes, TableStakes):
            raise TableError(f"stakes: expected TableStakes, got {stakes!r}")
        _check_choice("moving", moving, get_args(Moving))
        if least_buy_in is None:  # by default, enough for the forced bets; in a match, a single chip is enough
            first = [game.at(stakes, 1) for game in games.games]
            least_buy_in = 1 if moving != "big_blind" else max([1, *[now.big_blind + (now.ante or 0) for now in first]])
        for what, number in (("seat_count", seat_count), ("least_buy_in", least_buy_in), ("most_buy_in", most_buy_in)):
            if number is not None and (type(number) is not int or number < 1):
                raise TableError(f"{what}: expected a whole number from 1, got {number!r}")
        if most_buy_in is not None and most_buy_in < least_buy_in:
            raise TableError(f"most_buy_in: expected at least the minimum buy-in of {least_buy_in}, got {most_buy_in}")
        if seat_count is not None and seat_count > games.most_players:
            raise TableError(f"seat_count: expected at most {games.most_players} for {games.name}, got {seat_count}")
        _check_games(games, stakes, moving)
        return cls(
            stakes=stakes,
            games=games,
            moving=moving,
            seat_count=seat_count,
            least_buy_in=least_buy_in,
            most_buy_in=most_buy_in,
        )

    # --- reading

    def chair(self, seat: int) -> Chair:
        """Return the chair at a seat. Raise `TableError` if the seat is empty."""
        for chair in self.chairs:
            if chair.seat == seat:
                return chair
        raise TableError(f"seat {seat} is empty")

    def find(self, who: str) -> Chair:
        """Return the chair of a player. Raise `TableError` if there is none."""
        for chair in self.chairs:
            if chair.who == who:
                return chair
        raise TableError(f"player {who!r} is not at this table")

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The empty seats. Without a seat count, this is only the seat after the last."""
        taken = {chair.seat for chair in self.chairs}
        if self.seat_count is None:
            return (max(taken, default=-1) + 1,)
        return tuple([seat for seat in range(self.seat_count) if seat not in taken])

    @property
    def structure(self) -> Structure:
        """The game of the current hand."""
        return self.games.games[self.game].structure

    @property
    def now(self) -> TableStakes:
        """The stakes of the current game in this hand."""
        return self.games.games[self.game].at(self.stakes, self.hand)

    @property
    def in_match(self) -> bool:
        """Whether this is a match. In a match, missed blinds are free, and every player with chips is in the hand."""
        return self.moving != "big_blind"

    @property
    def has_blinds(self) -> bool:
        """Whether the current hand has blinds. A bomb pot and a game with a bring-in have none."""
        return not self.bomb_pot and not self.structure.betting.bring_in

    def audit(self, hand: Hand | None = None) -> None:
        """Raise `TableError` unless all chips add up to those brought to the table. Give the current `hand`, if any."""
        there = sum([chair.chips for chair in self.chairs]) + self.pot + self.house
        if hand is not None:
            there += sum(hand.stacks) + hand.round.chips_in_middle + hand.house - self._staked
        if there != self.came_in:
            raise TableError(f"chips: expected {self.came_in} in total, found {there}")

    @property
    def _staked(self) -> int:
        """All chips of the current hand at its start."""
        return sum([chair.chips for chair in self.chairs if chair.seat in self.order]) + self.pot

    # --- joining and leaving

    def sit(self, who: str, chips: int, *, seat: int | None = None, state: State = "plays") -> "Table":
        """Seat a player. They play in the hand that is set up. If no hand is set up, they play in the next one."""
        if type(who) is not str or not who:
            raise TableError(f"who: expected a name, got {who!r:.40}")
        if type(chips) is not int or chips < 1:
            raise TableError(f"chips: expected a whole number from 1 for {who!r}, got {chips!r}")
        _check_choice("state", state, get_args(State))
        if any(chair.who == who for chair in self.chairs):
            raise TableError(f"player {who!r} is already at this table")
        self._check_buy_in(chips)
        if len(self.chairs) >= self.games.most_players:
            raise TableError(f"{self.games.name} has at most {self.games.most_players} players")
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
            raise TableError(f"seat: expected a seat of this table, got {seat!r}")
        if any(chair.seat == seat for chair in self.chairs):
            raise TableError(f"seat {seat} is taken")
        return seat

    def wish(self, who: str, state: State) -> "Table":
        """Change the wish of a player: to play, to wait for the big blind, to pause or to leave. Leaving is final.

        During a hand, use `DealtHand.wish`: a player who stops is folded at their next turn, and the hand continues. A
        player who stops before the deal is not dealt in, and owes the blind if they stay at the table.
        """
        chair = self.find(who)
        _check_choice("state", state, get_args(State))
        if chair.state == "leaves":
            if state == "leaves":
                return self
            raise TableError(f"player {who!r} has left the table")
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
        """Add chips to a player's stack between hands. A player who had no chips left is dealt in again."""
        chair = self.find(who)
        if self.phase == "dealt":
            raise TableError("chips can only be added between hands")
        if type(chips) is not int or chips < 1:
            raise TableError(f"chips: expected a whole number from 1, got {chips!r}")
        state = chair.state
        if state == "leaves":
            if chair.chips or chair.played:
                raise TableError(f"player {who!r} has left the table")
            state = "plays"
        self._check_buy_in(chair.chips + chips)
        table = self._put(replace(chair, chips=chair.chips + chips, state=state))
        return replace(table, came_in=self.came_in + chips)

    def cash_out(self, who: str) -> "Table":
        """Remove the chips of a player who is not in the current hand. Their seat is free from the next hand on."""
        chair = self.find(who)
        if chair.seat in self.order:
            raise TableError(f"{who!r} is in the current hand: take chips away after it")
        table = self._put(replace(chair, chips=0, state="leaves"))
        return replace(table, came_in=self.came_in - chair.chips)

    def _check_buy_in(self, chips: int) -> None:
        if chips < self.least_buy_in:
            raise TableError(f"chips: expected at least the minimum buy-in of {self.least_buy_in}, got {chips}")
        if self.most_buy_in is not None and chips > self.most_buy_in:
            raise TableError(f"chips: expected at most the maximum buy-in of {self.most_buy_in}, got {chips}")

    def _put(self, chair: Chair) -> "Table":
        return replace(self, chairs=tuple([chair if old.seat == chair.seat else old for old in self.chairs]))

    def _with_order(self) -> "Table":
        """Return the table with the button and order for the players in the hand. With too few players, it waits.

        Straddles are not possible heads-up.
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
        """Set up the next hand: remove players who left, move positions, charge missed blinds, and collect debts.

        With fewer than two players, the table waits: positions do not move, and no blind is charged. `changes` has what
        happened.

        >>> table = Table.open(TableStakes(small_blind=1, big_blind=2)).sit("ann", 100).sit("bob", 100).next()
        >>> [type(change).__name__ for change in table.changes]
        ['Returned', 'Returned', 'ButtonMoved', 'Posted', 'Posted']
        """
        if self.phase in ("ready", "dealt"):
            raise TableError("the hand is not finished")
        table = self._next()
        return replace(table, changes=changes_of(self.chairs, table.chairs, (self.button, table.button), table.order))

    def _next(self) -> "Table":
        game = _next_game(self)
        stakes, structure = self.games.games[game].at(self.stakes, self.hand + 1), self.games.games[game].structure
        moved = self._move(stakes)
        if moved is None:
            return self._wait()
        bomb = 0 if structure.betting.bring_in else _next_bomb(self, stakes)
        blinds = not bomb and not structure.betting.bring_in
        killer = _next_killer(self, stakes, structure, moved) if blinds else None
        posts = forced_bets(moved, stakes, killer) if blinds else {}
        most_owed = 3 * stakes.big_blind // 2 if blinds else None
        chairs, paid = _next_chairs(self.chairs, moved, posts, bomb or stakes.ante or 0, most_owed)
        came_in = self.came_in - sum([chair.chips for chair in self.chairs if chair.state == "leaves"])
        return replace(
            self,
            chairs=chairs,
            hand=self.hand + 1,
            phase="ready",
            button=moved.button,
            small=moved.small,
            small_at=moved.small_at,
            big=moved.big,
            order=seats_from(moved.dealt, moved.button),
            pot=self.pot + paid,
            came_in=came_in,
            game=game,
            left=hands_left(self, game, len(moved.dealt)),
            chosen=None,
            bomb_pot=bomb,
            killer=killer,
            undealt=False,
        )

    def _move(self, stakes: TableStakes) -> Moved | None:
        """Move the button and the blinds. Return None if there are too few players."""
        dealt = sorted([chair.seat for chair in self.chairs if self._plays(chair, stakes)])
        if self.in_match:
            return move_button(self.chairs, dealt, self.button, self.big if self.moving == "dead_button" else None)
        last, last_small = (self.small_at, None) if self.undealt else (self.big, self.small_at)
        waited = self.phase == "waiting"
        return move_big_blind(self.chairs, dealt, last, last_small, stakes.big_blind, waited=waited)

    def _plays(self, chair: Chair, stakes: TableStakes) -> bool:
        """Return whether a player is in the hand independently of the blinds."""
        if chair.state != "plays" or not chair.chips:
            return False
        return not chair.out or self._can_play(chair, stakes)

    def _can_play(self, chair: Chair, stakes: TableStakes) -> bool:
        """Return whether a player can pay to return: the debt, and outside of a match the big blind and the ante."""
        if self.in_match:
            return chair.chips > chair.owes
        return chair.chips >= chair.owes + stakes.big_blind + max(chair.ante, stakes.ante or 0)

    def _wait(self) -> "Table":
        """Return the waiting table, without players who left. The blinds do not move."""
        chairs = tuple(
            [
                replace(chair, charged=0, played=False, **({} if chair.chips else {"out": True, "state": "leaves"}))
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
        """Return the arguments for the hand that is set up."""
        if len(self.order) < 2:
            raise TableError("no hand is set up: expected at least two players")
        return set_up(self)

    def choose(self, game: AnyGame) -> "Table":
        """Choose the game of the next hand. Raise `TableError` if the list does not allow a choice now."""
        return replace(self, chosen=check_choice(self, game))

    def bomb(self, ante: int | None = None) -> "Table":
        """Make the next hand a bomb pot: every player antes; blinds and the betting before the flop are left out."""
        return replace(self, bomb_pot=_check_bomb(self, ante))

    def straddle(self, seat: int, amount: int) -> "Table":
        """Post a straddle before the deal. Any player of the hand can do this."""
        return self._put(replace(_check_straddle(self, seat, amount), blind=amount))

    def deal(self, deck: Sequence[Card] | None = None, *, seed: int | None = None) -> DealtHand:
        """Start the hand that is set up. Cards are dealt from `deck`, or from a deck that is shuffled with `seed`.

        Decks from a seed can be repeated, so real games use `pitboss.secure_deck()`.
        """
        if self.phase != "ready":
            raise TableError("no hand is set up: call next() first")
        if seed is not None:
            if deck is not None:
                raise TableError("seed: expected either a deck or a seed, got both")
            deck = cards_to_deal(self.structure, seed, None)
        hand, events = self.setup().start(deck)
        return DealtHand(replace(self, phase="dealt"), hand, events)

    def finish(self, hand: Hand) -> "Table":
        """Return the table after the hand is over. Stacks are paid, and the rake goes to the house."""
        if self.phase != "dealt" or not hand.over or hand.round.n != len(self.order):
            raise TableError("hand: expected the hand of this table, played to its end")
        if sum(hand.stacks) + hand.house != self._staked:
            raise TableError(f"hand: expected {self._staked} chips at its end, got {sum(hand.stacks) + hand.house}")
        if not self._dealt(hand):
            raise TableError("hand: expected the game, stakes and stacks that were dealt at this table")
        return self._after(dict(zip(self.order, hand.stacks, strict=True)), self.house + hand.house)

    def _dealt(self, hand: Hand) -> bool:
        """Return whether a hand began at this table: its game, its stakes, and the chips of each player fit."""
        setup, betting = self.setup(), hand.round
        stakes = settle_stakes(setup.stakes.in_game(setup.structure), len(setup.stacks))
        antes = setup.stakes.antes or (0,) * len(setup.stacks)  # an ante that one player pays for all is not in `paid`
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
        game: AnyGame | None = None,
        blinds: tuple[int, int] | None = None,
    ) -> "Table":
        """Return the table after a hand that was recorded elsewhere. `stacks` are by seat.

        Without `game`, the hand had the next game. With a dead button, `blinds` has the seats of both blinds.
        """
        if self.moving == "dead_button" and blinds is None:
            raise TableError("blinds: required with a dead button; give the seats of both")
        began = sum([self.chair(seat).chips for seat in stacks]) + self.pot
        if min(stacks.values(), default=0) < 0 or sum(stacks.values()) > began:
            raise TableError(
                f"stacks: expected at most {began} chips, those at the start of the hand, got {sum(stacks.values())}"
            )
        table = replace(self, hand=hand, button=self.chair(button).seat)
        if blinds is not None:
            table = replace(table, small_at=blinds[0], big=blinds[1])
        if hand != self.hand:
            played = _next_game(self) if game is None else self.games.index(game)
            table = replace(table, game=played, left=hands_left(self, played, len(stacks)), chosen=None)
        return table._after(stacks, self.house + began - sum(stacks.values()))

    def dealt_as(
        self,
        players: Collection[int],
        *,
        hand: int,
        button: int,
        blinds: tuple[int, int],
        owes: Mapping[int, int],
        game: AnyGame | None = None,
    ) -> "Table":
        """Return the table during a hand that was recorded elsewhere, with these seats. `after_deal` ends the hand.

        `blinds` has the seats of both blinds. `owes` has the debts of players who are not in the hand.
        """
        played = _next_game(self) if game is None else self.games.index(game)
        chairs = []
        for chair in self.chairs:
            if chair.state == "leaves":
                continue
            if chair.seat in players:
                chairs.append(replace(chair, state="plays", owes=0, out=False, charged=0))
            else:
                state: State = "leaves" if not chair.chips or chair.state == "plays" else chair.state
                chairs.append(replace(chair, state=state, owes=owes.get(chair.seat, 0), out=True, charged=0))
        small_at, big = blinds
        here = small_at != big and any(chair.seat == small_at for chair in chairs)
        came_in = self.came_in - sum([chair.chips for chair in self.chairs if chair.state == "leaves"])
        ante = self.games.games[played].at(self.stakes, hand).ante or 0
        return replace(
            self,
            chairs=tuple([replace(chair, played=False, blind=0, ante=ante) for chair in chairs]),
            hand=hand,
            phase="dealt",
            button=button,
            small=small_at if here else None,
            small_at=small_at,
            big=big,
            order=seats_from(sorted(players), button),
            came_in=came_in,
            game=played,
            left=hands_left(self, played, len(players)),
            chosen=None,
            undealt=False,
        )

    def after_deal(self, stacks: Mapping[int, int]) -> "Table":
        """Return the table after the hand of `dealt_as`. The hand ended with these stacks; missing chips are rake."""
        began = sum([self.chair(seat).chips for seat in stacks])
        if min(stacks.values(), default=0) < 0 or sum(stacks.values()) > began or {*stacks} != {*self.order}:
            raise TableError(f"stacks: expected the seats of the hand and at most {began} chips, got {dict(stacks)}")
        return self._after(stacks, self.house + began - sum(stacks.values()))

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
    """Return the chairs without the debts for a hand that is not played."""
    return tuple([replace(chair, owes=chair.owes - chair.charged, charged=0) for chair in chairs])


def _check_choice(setting: str, given: object, choices: Sequence[str]) -> None:
    if given not in choices:
        raise TableError(f"{setting}: expected {' or '.join(map(repr, choices))}, got {given!r}")
