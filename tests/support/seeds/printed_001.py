"""The code that seed 001 prints, in Python word for word, to compare the lab's games with it.

`first_ruling` adds F1: a player without chips is all-in, however the last one left. Without it the loop may never end.
"""

from collections.abc import Callable

CHECK, BET, CALL, RAISE, ALL_IN, FOLD = "check", "bet", "call", "raise", "all_in", "fold"


class Spins(Exception):
    """The printed loop finds no player to act and does not end."""


class Player:
    """`PlayerState`, as far as betting needs it."""

    def __init__(self, chips: int) -> None:
        self.chips, self.current_bet, self.folded, self.all_in = chips, 0, False, False


class Printed:
    """`GameState`, as far as betting needs it, with `BettingPhaseData`."""

    def __init__(self, stacks: list[int], min_bet: int, max_raises: int, *, first_ruling: bool = True) -> None:
        self.players = [Player(chips) for chips in stacks]
        self.min_bet, self.max_raises, self.first_ruling = min_bet, max_raises, first_ruling
        self.pot = self.current_bet = self.raise_count = self.start_player = 0
        self._settle()

    def _settle(self) -> None:
        for player in self.players:
            if self.first_ruling and player.chips == 0:
                player.all_in = True

    def moves(self, at: int) -> list[str]:
        """`GenerateBettingMoves`."""
        player = self.players[at]
        if player.folded or player.all_in or player.chips <= 0:
            return []
        to_call, found = self.current_bet - player.current_bet, []
        if to_call == 0:
            found.append(CHECK)
            if player.chips >= self.min_bet:
                found.append(BET)
            elif player.chips > 0:
                found.append(ALL_IN)
            return found
        if player.chips >= to_call:
            found.append(CALL)
            if player.chips >= to_call + self.min_bet and self.raise_count < self.max_raises:
                found.append(RAISE)
        if 0 < player.chips < to_call:
            found.append(ALL_IN)
        return [*found, FOLD]

    def apply(self, at: int, action: str) -> None:
        """The table of action effects."""
        player = self.players[at]
        to_call = self.current_bet - player.current_bet
        if action == BET:
            self._pay(player, self.min_bet)
            self.current_bet = self.min_bet
        elif action == CALL:
            self._pay(player, to_call)
        elif action == RAISE:
            self._pay(player, to_call + self.min_bet)
            self.current_bet = player.current_bet
            self.raise_count += 1
        elif action == ALL_IN:
            self._pay(player, player.chips)
            player.all_in = True
            self.current_bet = max(self.current_bet, player.current_bet)
        elif action == FOLD:
            player.folded = True
        self._settle()

    def _pay(self, player: Player, amount: int) -> None:
        player.chips -= amount
        player.current_bet += amount
        self.pot += amount

    def run(self, select: Callable[[int, list[str]], str]) -> None:
        """`RunBettingRound`; `Spins` if the printed loop would search for a player forever."""
        players = self.players
        needs = [not p.folded and not p.all_in and p.chips > 0 for p in players]
        current = self.start_player
        while True:
            if sum([not p.folded for p in players]) <= 1:
                return
            if not any(not p.folded and not p.all_in and p.chips > 0 for p in players):
                return
            if not any(needs) and self._all_bets_matched():
                return
            if not any(needs):
                raise Spins
            while not needs[current]:
                current = (current + 1) % len(players)
            moves = self.moves(current)
            if not moves:
                needs[current] = False
                current = (current + 1) % len(players)
                continue
            old = self.current_bet
            self.apply(current, select(current, moves))
            if self.current_bet > old:
                for at, p in enumerate(players):
                    if not p.folded and not p.all_in and p.chips > 0:
                        needs[at] = True
            needs[current] = False
            current = (current + 1) % len(players)

    def _all_bets_matched(self) -> bool:
        return all(p.folded or p.all_in or p.current_bet == self.current_bet for p in self.players)

    def award(self, winners: list[int]) -> None:
        """`AwardPot`."""
        share, remainder = divmod(self.pot, len(winners))
        for place, winner in enumerate(winners):
            self.players[winner].chips += share + (remainder if place == 0 else 0)
        self.pot = 0
