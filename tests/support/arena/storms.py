"""Matches in which everything possible goes wrong: their journals, and the record of every team and spectator.

Teams disconnect and return, with or without `resume_from`; turns run out; the server crashes and starts
again; the open hand is damaged and void. A team's record has the frames of all its connections, one after the other.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, field

from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms.logins import Limits
from pitboss.chance import Chance
from pitboss.store.chain import Reading
from tests.support.arena.rooms import TABLE, Guest, Parlour


class Storm(Struct):
    """A match, what went wrong in it, and the public messages."""

    parlour: Parlour
    chance: Chance
    connections: dict[str, list[Guest]] = field(default_factory=dict)
    happened: dict[str, int] = field(default_factory=dict)

    @property
    def records(self) -> dict[str, list[str]]:
        """Every team's record, and the spectator's."""
        return {
            team: [frame for guest in guests for frame in guest.frames] for team, guests in self.connections.items()
        }

    @property
    def reading(self) -> Reading:
        """The journal as it is read."""
        return self.parlour.disk.read(TABLE)

    def count(self, what: str) -> None:
        """Count an event."""
        self.happened[what] = self.happened.get(what, 0) + 1

    def come(self, team: str, **hello: Any) -> None:
        """A team joins or returns."""
        self.connections.setdefault(team, []).append(self.parlour.join(team, **hello))

    def watch(self) -> None:
        """A spectator joins or returns."""
        self.connections.setdefault("spectator", []).append(self.parlour.watch())

    def come_back(self, team: str) -> None:
        """A team returns, sometimes with a request for what it missed."""
        last = max((seq for guest in self.connections[team] for seq in _numbers(guest)), default=0)
        if self.chance.below(2):
            self.come(team, resume_from=last)
        else:
            self.come(team)
        self.count("came back")

    def play(self) -> None:
        """Let the seat to act give a random answer."""
        guest = self.parlour.to_act
        legal = guest.question().legal or ()
        pick = self.chance.below(10)
        if pick == 0 and "RAISE_TO" in legal:
            most = guest.question().max_raise_to
            least = guest.question().min_raise_to
            guest.answer("RAISE_TO", most if self.chance.below(4) == 0 else least)
        elif pick < 4 and "CALL" in legal:
            guest.answer("FOLD")
        else:
            guest.answer("CHECK" if "CHECK" in legal else "CALL")


def _numbers(guest: Guest) -> Sequence[int]:
    return [seq for message in guest.inbox if (seq := getattr(message, "seq", None)) is not None]


def storm(seed: int, *, hands: int = 12, steps: int = 400, damage: bool = True, game: str = "no_limit_holdem") -> Storm:
    """Play a match through a storm, to its end or for this many steps."""
    chance = Chance(seed)
    settings = Settings(seats=4, stack=3000, start_at=3, max_hands=hands, game=game)
    limits = Limits(takeovers=1000, delay=0.0)
    made = Storm(Parlour(settings, seed=seed, limits=limits), chance)
    for team in ("A", "B", "C"):
        made.come(team)
    made.watch()
    for step in range(steps):
        parlour = made.parlour
        if parlour.match.over:
            break
        away = [team for team, guests in made.connections.items() if team != "spectator" and _is_gone(guests[-1])]
        what = chance.below(40)
        if step == 60:
            made.come("D")
        elif what == 0 and not away:
            team = chance.choice([team for team in made.connections if team != "spectator"])
            made.connections[team][-1].leave()
            made.count("left")
        elif away and what < 12:
            made.come_back(away[0])
        elif what == 12:
            _crash(made, damage=damage and chance.below(2) == 0)
        elif what == 13:
            made.connections["spectator"][-1].leave()
            made.watch()
            made.count("spectator came back")
        elif parlour.match.to_act is None or parlour.match.to_act not in parlour.at:
            parlour.pass_time(settings.move_time_ms / 1000)
            made.count("time passed")
        else:
            made.play()
    return made


def _is_gone(guest: Guest) -> bool:
    return guest.gone or guest.closed is not None


def _crash(made: Storm, *, damage: bool) -> None:
    """Crash and restart the server, sometimes with the open hand damaged; then all clients return."""
    parlour = made.parlour
    rows = parlour.disk.rows[TABLE]
    if damage and not rows[-1].seals:
        parlour.disk.alter(rows[-1].seq, body=rows[-1].body[:-1] + b" }")
        parlour.restart_torn()
        made.count("hand void")
    else:
        parlour.restart()
        made.count("crash")
    for team in made.connections:
        if team == "spectator":
            made.watch()
        else:
            made.come_back(team)
