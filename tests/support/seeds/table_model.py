"""A model of the table document, written from specification 004 and rulings T1 to T8 on plain lists and numbers.

It imports nothing of pitboss. Amounts are whole cents. Places are numbers that go clockwise: seats, or the order of
arrival for a document without seats. Cards and betting are not part of it: it receives the result of each hand.
"""

from dataclasses import dataclass, field

PLAYS, WAITS, PAUSES, LEAVES = range(4)  # _intents


@dataclass
class Player:
    """One entry of the arrays."""

    name: str
    place: int
    stack: int
    intent: int = PLAYS
    inactive: bool = True
    debt: int = 0  # _deadBlinds
    blind: int = 0
    ante: int = 0
    charged: int = 0  # the part of the debt that is due to the coming hand
    played: bool = False  # whether they were dealt into the hand that has just ended


@dataclass
class TableModel:
    """A table from hand to hand."""

    small: int
    big: int
    ante: int
    players: list[Player] = field(default_factory=list)
    hand: int = 0
    stage: str = "between"  # between, ready (set up, not dealt), dealt, waiting
    big_place: int | None = None
    small_place: int | None = None  # even if the player has left
    small_owner: str = ""  # the player with the small blind; not a newcomer at that place
    button: int | None = None
    dead_money: int = 0
    given_up: bool = False  # whether the hand that was set up was never dealt

    def find(self, name: str) -> Player:
        """Return a player by name."""
        [player] = [player for player in self.players if player.name == name]
        return player

    def in_hand(self) -> list[int]:
        """The places that are dealt in, from the lowest on."""
        return sorted(player.place for player in self.players if not player.inactive)

    # --- wishes

    def join(self, name: str, place: int, stack: int) -> None:
        """A newcomer is appended; before the deal they are dealt in (T7b), later they wait for the next hand."""
        player = Player(name, place, stack, ante=self.ante)
        player.inactive = not (self.stage == "ready" and stack >= self.big + self.ante)
        self.players.append(player)
        if not player.inactive:
            self._place_button()

    def wish(self, name: str, intent: int) -> None:
        """T3: a pause or leave takes effect at once; T7b: before the deal, a player's own blind becomes a debt."""
        player = self.find(name)
        if player.intent == LEAVES:
            return  # final
        player.intent = intent
        if intent == PLAYS or player.inactive:
            return
        player.inactive = True
        if self.stage != "ready":
            return
        if intent in (WAITS, PAUSES):
            missed = self.big // 2 if player.name == self.small_owner else 0
            self._charge(player, self.big if player.place == self.big_place else missed)
        if len(self.in_hand()) >= 2:
            self._place_button()
            return
        for other in self.players:  # a table that waits charges no player
            other.debt -= other.charged
            other.charged = 0
        self.stage, self.button, self.given_up = "waiting", None, True

    def may_top_up(self, player: Player) -> bool:
        """Leaving is final; a player who lost all chips has not left."""
        return player.intent != LEAVES or not (player.stack or player.played)

    def top_up(self, name: str, amount: int) -> None:
        """Chips come between hands; a player without chips plays again."""
        player = self.find(name)
        player.stack += amount
        if player.intent == LEAVES:
            player.intent = PLAYS

    # --- a hand

    def deal(self) -> None:
        """The cards are dealt: from now on no player joins this hand."""
        self.stage = "dealt"
        for player in self.players:
            player.played = not player.inactive
            player.charged = 0

    def finish(self, stacks: dict[str, int]) -> None:
        """The hand is over and leaves these stacks, which include debts that were paid."""
        for player in self.players:
            player.stack = stacks[player.name]
        self.dead_money = 0
        self.stage = "between"

    # --- next (T4)

    def next(self) -> None:
        """Players who left are dropped, the others dealt in or not, blinds move and missed ones are charged."""
        leavers = [player for player in self.players if player.intent == LEAVES]
        self.players = [player for player in self.players if player.intent != LEAVES]
        waited = self.stage == "waiting"
        left_the_game = any(player.played or waited for player in leavers)
        dealt = [player for player in self.players if self._is_dealt_in(player)]
        places = self._move_blinds(dealt, left_the_game)
        if places is None:
            self._wait(leavers)
            return
        old_big, old_small = (self.small_place, None) if self.given_up else (self.big_place, self.small_place)
        small_place, big_place = places
        for player in self.players:
            player.blind = self.big if player.place == big_place else self.small if player.place == small_place else 0
            player.ante, player.charged = self.ante, 0
            comes_back = player.intent == WAITS and player.place == big_place
            if player in dealt or comes_back:
                if comes_back:
                    player.debt = 0  # case A: free with the big blind
                player.stack -= player.debt  # case B: the debt is paid, into the pot
                self.dead_money += player.debt
                player.inactive, player.intent, player.debt = False, PLAYS, 0
                continue
            player.inactive = True
            if not player.stack or player.intent == PLAYS:  # no chips, or not enough to come back
                player.intent = LEAVES
                continue
            if old_big is not None and not self._starts_anew:
                missed = self.big * _is_between(old_big, player.place, big_place)
                if old_small is not None:
                    missed += self.big // 2 * _is_between(old_small, player.place, small_place)
                missed += self.big // 2 * (player.place == small_place)
                self._charge(player, missed)
        self.small_place, self.big_place = small_place, big_place
        owners = [player.name for player in self.players if player.place == small_place != big_place]
        self.small_owner = owners[0] if owners else ""
        self.hand, self.stage, self.given_up = self.hand + 1, "ready", False
        for player in self.players:
            player.played = False
        self._place_button()

    def _is_dealt_in(self, player: Player) -> bool:
        """T5: active players, and those who come back with intent 0 and can pay debt, big blind and ante (T7)."""
        if player.intent != PLAYS or not player.stack:
            return False
        return not player.inactive or player.stack >= player.debt + self.big + self.ante

    def _move_blinds(self, dealt: list[Player], left_the_game: bool) -> tuple[int, int] | None:
        """T5: return the places of the small and the big blind, or None if the table has to wait."""
        last = self.small_place if self.given_up else self.big_place
        places = sorted(player.place for player in dealt)
        self._starts_anew = last is None
        if last is None:
            return (places[0], places[1]) if len(places) >= 2 else None
        if left_the_game and len(self.players) == 2 and len(dealt) == 2:  # hand 9
            self._starts_anew = True
            return (self.players[0].place, self.players[1].place)
        waiting = [player.place for player in self.players if player.intent == WAITS and player.stack]
        reached = [*places, *waiting]
        if not places:
            return None
        big = min(reached, key=lambda place: (place <= last, place))
        if len({*places, big}) < 2:
            return None
        return last, big

    def _wait(self, leavers: list[Player]) -> None:
        """Nothing moves and no player is charged; a big blind whose player has left is forgotten."""
        for player in self.players:
            player.charged = 0
            player.played = False
            if not player.stack:
                player.inactive, player.intent = True, LEAVES
        if self.big_place not in [player.place for player in self.players]:
            self.big_place = self.small_place = None
            self.given_up = False
        self.stage, self.button = "waiting", None

    # --- parts

    def _charge(self, player: Player, missed: int) -> None:
        """T6: at most 1.5 big blinds."""
        before = player.debt
        player.debt = min(before + missed, 3 * self.big // 2)
        player.charged = player.debt - before

    def _place_button(self) -> None:
        """T1: heads-up the small blind, otherwise the last place dealt in before the small blind's."""
        places = self.in_hand()
        owned = [player.place for player in self.players if player.name == self.small_owner and not player.inactive]
        if len(places) == 2 and owned:
            [self.button] = owned
        elif len(places) == 2 and self.big_place in places:
            self.button = next(place for place in places if place != self.big_place)
        else:
            at = self.small_place
            assert at is not None
            others = [place for place in places if place != at]
            self.button = max(others, key=lambda place: (place < at, place))


def _is_between(start: int, place: int, end: int) -> bool:
    """Whether a place is strictly between two others, clockwise."""
    if start == end:
        return False
    return start < place < end if start < end else place > start or place < end
