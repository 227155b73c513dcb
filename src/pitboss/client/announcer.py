"""A report of one bot's match, line by line: its seat, the result of each hand, and the final result.

Messages in, lines out. Each line is a text for people and has the same content as fields for programs.
"""

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from pitboss.arena.wire.messages import (
    EndHand,
    Flop,
    FoldMessage,
    Lobby,
    MatchEnd,
    RiverCard,
    SeatStack,
    ServerMessage,
    Showdown,
    StartHand,
    TurnCard,
    VoidMessage,
    Welcome,
)
from pitboss.arena.wire.poker import find_games
from pitboss.printing import printable

Kind: TypeAlias = Literal["seat", "waiting", "hand", "match_end"]

STREETS = {Flop: "flop", TurnCard: "turn", RiverCard: "river"}


class Announcement(Struct, frozen=True):
    """One line of the report."""

    kind: Kind
    text: str
    fields: dict[str, Any]


class Announcer:
    """Follows the match of one team."""

    def __init__(self, team: str) -> None:
        self.team = team
        self.welcome: Welcome | None = None  #: the answer to `hello`, once the bot has a seat
        self.over = False
        self._before: int | None = None
        self._alone = True  #: whether "waiting" may still be reported
        self._street, self._outcome = "", ""
        self._unit = "chips"  # or points, in games other than poker

    def announce(self, message: ServerMessage) -> Iterator[Announcement]:
        """Yield the lines that a message leads to."""
        match message:
            case Welcome() if self.welcome is None:
                self.welcome = message
                yield self._seated(message)
            case Lobby() if self._alone:
                self._alone = False
                if sum(player.connected for player in message.players) < 2:
                    yield Announcement("waiting", "waiting for other players", {"type": "waiting"})
            case StartHand():
                self._before, self._street, self._outcome = self._mine(message.stacks), "", ""
            case Flop() | TurnCard() | RiverCard():
                self._street = STREETS[type(message)]
            case FoldMessage(seat=seat) if seat == self._seat:
                self._outcome = f"folded, {self._street}" if self._street else "folded"
            case Showdown(seat=seat, rank=rank) if seat == self._seat:
                self._outcome = rank.replace("_", " ")
            case VoidMessage():
                self._outcome = "taken back"
            case EndHand():
                yield from self._hand(message)
            case MatchEnd():
                self.over = True
                yield self._ended(message)

    def leave_line(self) -> str:
        """Return the line for a bot that stops before the match is over."""
        if self.welcome is None:
            return f"{self.team} stopped before it got a seat"
        if self.welcome.config.cash:
            return f"{self.team} sits out: seat {self._seat} at {self.welcome.table_id} keeps its {self._unit}"
        return f"{self.team} has left: seat {self._seat} at {self.welcome.table_id} keeps its {self._unit}"

    @property
    def _seat(self) -> int:
        return -1 if self.welcome is None else self.welcome.seat

    def _mine(self, stacks: tuple[SeatStack, ...]) -> int | None:
        return next((each.stack for each in stacks if each.seat == self._seat), None)

    def _seated(self, welcome: Welcome) -> Announcement:
        config = welcome.config
        structures = find_games(config.variant, config.game)
        game = structures[0].name if len(structures) == 1 else config.variant
        seat, chips = f"{welcome.seat} at {welcome.table_id}", config.starting_stack
        self._unit = "chips" if structures else "points"
        text = f"{self.team} has seat {seat}: {game}, {chips:,} {self._unit}"
        fields = {"type": "seat", "team": self.team, "table_id": welcome.table_id, "seat": welcome.seat}
        return Announcement("seat", printable(text), fields)

    def _hand(self, hand: EndHand) -> Iterator[Announcement]:
        after, before = self._mine(hand.stacks), self._before
        self._before = None
        if after is None or before is None:  # out of the match, or it joined during the hand
            return
        won, voided = after - before, self._outcome == "taken back"
        how = self._outcome or ("the others folded" if won > 0 and self._unit == "chips" else "")
        text = f"{hand.hand_id}  {f'{won:+,}' if won else '0':>9}  {after:>10,}  {how}".rstrip()
        fields = {"hand_id": hand.hand_id, "won": won, "stack": after, "voided": voided, "how": how}
        yield Announcement("hand", printable(text), {"type": "hand", **fields})

    def _ended(self, end: MatchEnd) -> Announcement:
        finals = end.final_stacks
        places = [final.place or 1 + sum(other.stack > final.stack for other in finals) for final in finals]
        ranks = [
            f"{place:>4}  {final.stack:>12,}  {final.team}{'  (this bot)' if final.seat == self._seat else ''}"
            for place, final in zip(places, finals, strict=True)
        ]
        mine = next((at for at, final in enumerate(finals) if final.seat == self._seat), None)
        lines = [self._result_line(end), *ranks] if mine is None else [self._placed(end, places, mine), *ranks]
        return Announcement("match_end", "\n".join(map(printable, lines)), msgspec.to_builtins(end))

    def _placed(self, end: MatchEnd, places: list[int], mine: int) -> str:
        """Return the bot's result as a sentence."""
        place, stack = places[mine], end.final_stacks[mine].stack
        others = [final.team for at, final in enumerate(end.final_stacks) if places[at] == place and at != mine]
        where = f"place {place} of {len(places)}, {stack:,} {self._unit}"
        if others:
            return f"{self.team} ties with {' and '.join(others)}: {where}"
        return f"{self.team} wins: {where}" if place == 1 else f"{self.team}: {where}; {self._result_line(end)}"

    def _result_line(self, end: MatchEnd) -> str:
        if end.winner is not None:
            return f"{end.winner.team} wins"
        return f"{' and '.join(winner.team for winner in end.winners or ())} tie"
