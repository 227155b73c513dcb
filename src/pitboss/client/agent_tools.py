"""What an agent can do at an arena, as ten functions: find a table, sit down, wait, act, and look things up.

`mcp_server.py` offers them to models. An error is one sentence that says what is legal.
"""

import asyncio
import os
import secrets
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import aiohttp
import msgspec

from pitboss.arena.agents.prompts import choices, numbered, question_prompt
from pitboss.arena.hosts.games import find_game as find_other_game
from pitboss.arena.hosts.games import games_of
from pitboss.arena.journal.records import Settings
from pitboss.arena.wire.answers import AnswerError, Question, read_answer
from pitboss.arena.wire.messages import Act, Action, MatchEnd, MoveMessage
from pitboss.arena.wire.poker import find_games
from pitboss.cards import check_distinct, read_cards
from pitboss.client.held_seat import HeldSeat
from pitboss.client.turns import NotPlayed, OpenTurn, read_move
from pitboss.errors import PitbossError
from pitboss.hand.games import find_game
from pitboss.hand.rulebook import explain_game
from pitboss.hand.showdown import rank_name, strengths
from pitboss.printing import printable
from pitboss.table_words import table_text

JOINS_WITHIN = 20.0
"""Seconds in which a server gives a seat."""
LONGEST_WAIT = 600.0
"""The longest time in seconds of one `wait_for_turn`."""
LARGEST_REPLY = 4 * 2**20
"""The largest answer of a server that is read, in bytes."""
CODES = "codes.json"
"""The file with the codes of the teams that this user has made up."""

Reply = dict[str, Any]


class ToolFault(PitbossError, ValueError):
    """A call of a tool that cannot be carried out; the message says why, and what is possible."""


class AgentTools:
    """The tools of one agent, which plays one seat at a time.

    >>> AgentTools("http://127.0.0.1:8765").evaluate("AhAd7c7d2s")["name"]
    'two_pair'
    """

    def __init__(self, arena: str, *, codes: Path | None = None) -> None:
        self._arena = arena.rstrip("/")
        self._codes = CodeFile(codes)
        self._seat: HeldSeat | None = None
        self._table = ""

    async def close(self) -> None:
        """Close the seat's connection. The team keeps its seat."""
        if self._seat is not None:
            await self._seat.close()

    # --- play

    async def list_tables(self) -> Reply:
        """List the tables of the arena: the game, the teams and the free seats of each."""
        listed = await self._get("/api/tables")
        return {"tables": [_listed(table) for table in listed["tables"]]}

    async def join_table(self, table: str, team: str) -> Reply:
        """Take a free seat at a table, or return to the seat of this team. The code of the team is kept."""
        if self._seat is not None and self._seat.end is None and (table, team) != (self._table, self._seat.team):
            raise ToolFault(f"this agent plays as {self._seat.team} at {self._table}: finish that match first")
        if self._seat is None or self._seat.end is not None:
            code = self._codes.code(f"{self._arena} {table} {team}")
            seat = HeldSeat(self._address(table), team, code)
            await seat.start(JOINS_WITHIN)
            if self._seat is not None:
                await self._seat.close()
            self._seat, self._table = seat, table
        welcome = self._seat.welcome
        assert welcome is not None
        config = welcome.config
        facts: Reply = {"table": welcome.table_id, "seat": welcome.seat, "game": config.variant, "seats": config.seats}
        if config.bb:
            facts["blinds"] = [config.sb, config.bb]
        return facts | {"chips": config.starting_stack, "move_time_ms": config.move_time_ms}

    async def wait_for_turn(self, timeout_s: float = 50.0) -> Reply:
        """Wait until it is your turn, or the match is over, or the time has passed; then call it again.

        Returns the table in words and the legal moves with their numbers.
        """
        if not 0 < timeout_s <= LONGEST_WAIT:
            raise ToolFault(f"timeout_s: expected more than 0 and at most {LONGEST_WAIT:g}, got {timeout_s:g}")
        found = await self._seated().wait(timeout_s)
        if found is None:
            return {"status": "waiting", "text": f"it was not your turn for {timeout_s:g} s: call wait_for_turn again"}
        if isinstance(found, MatchEnd):
            return {"status": "match_over", "text": _result(found), "result": msgspec.to_builtins(found)}
        return {"status": "your_turn"} | self._asked(found)

    async def act(self, move: str, amount: int | None = None) -> Reply:
        """Answer your open question.

        `move` is a legal move, or its number in the list of wait_for_turn. RAISE_TO needs an `amount`: the total of
        your bets in this betting round. A mixed strategy is a JSON list: [{"action": "FOLD", "p": 0.8}, …]; the server
        draws one of its actions.
        """
        seat = self._seated()
        try:
            await seat.play(partial(_read, move=move, amount=amount))
        except NotPlayed as fault:
            legal = await seat.wait(0.01)
            listed = f"; legal: {', '.join(_moves(legal.question))}" if isinstance(legal, OpenTurn) else ""
            raise ToolFault(f"{fault}{listed}") from None
        return {"status": "played", "text": "played: call wait_for_turn"}

    async def table_view(self) -> Reply:
        """Show the table as you see it now, in words."""
        seat = self._seated()
        if seat.table is None:
            raise ToolFault("no hand has been dealt yet: call wait_for_turn")
        view = seat.table.table
        size = max((each.seat for each in view.seats), default=-1) + 1
        names = [printable(seat.opponents.names.get(number, f"seat {number}")) for number in range(size)]
        own = None if seat.welcome is None else seat.welcome.seat
        return {"hand_id": seat.table.hand_id, "text": table_text(view, own, names)}

    # --- look up

    def rules(self, game: str) -> Reply:
        """Explain the rules of a game, such as no_limit_holdem, razz or leduc."""
        welcome = None if self._seat is None else self._seat.welcome
        if welcome is not None and game == welcome.config.variant:
            structures = find_games(game, welcome.config.game)
        else:
            played = games_of(Settings(game=game))
            structures = () if played is None else tuple([each.structure for each in played.games])
        if structures:
            return {"game": game, "text": "\n\n".join(["\n".join(explain_game(each)) for each in structures])}
        return {"game": game, "text": find_other_game(game).rules()}

    async def equity(self, hands: list[str], board: str = "", game: str = "no_limit_holdem") -> Reply:
        """Compute the share of the pot that hands or ranges win, such as ["AhAd", "QQ+,AKs"] on a board "Ks7d2c"."""
        from pitboss.fast.equity.equity import equity  # needs an extra of its own

        found = await asyncio.to_thread(partial(equity, *hands, board=board, structure=game))
        shares = [round(share, 4) for share in found.equity]
        return {"equity": dict(zip(hands, shares, strict=True)) if len(set(hands)) == len(hands) else shares} | {
            "shares": shares,
            "exact": found.exact,
        }

    def evaluate(self, cards: str, game: str = "no_limit_holdem") -> Reply:
        """Name the hand that cards make, such as "AhAd7c7d2s"; a greater strength wins."""
        structure = find_game(game)
        given = read_cards(cards.replace(",", " "))
        check_distinct(given)
        made = strengths(structure, given, ())
        return {"name": rank_name(structure, made), "strength": made[0]}

    async def stats(self, team: str) -> Reply:
        """Show the statistics of a team at your table, from the finished hands."""
        found = await self._get(f"/api/tables/{quote(self._at_table(), safe='')}/teams")
        rows = found.get("teams", [])
        for row in rows:
            if row.get("team") == team:
                return dict(row)
        known = ", ".join([str(row.get("team")) for row in rows]) or "none before the first finished hand"
        raise ToolFault(f"no team is called {team!r:.80} in the statistics; there are: {known}")

    async def replay_hand(self, number: int) -> Reply:
        """Show a finished hand of your table by its number, event by event. Cards that were not shown are hidden."""
        if number < 1:
            raise ToolFault(f"number: expected a hand from 1 on, got {number}")
        found = await self._get(f"/api/tables/{quote(self._at_table(), safe='')}/hands/{number}")
        return {"hand_id": found.get("hand_id"), "events": [_event(each) for each in found.get("messages", ())]}

    # --- within

    def _seated(self) -> HeldSeat:
        if self._seat is None:
            raise ToolFault("you have no seat: call list_tables, then join_table")
        return self._seat

    def _at_table(self) -> str:
        self._seated()
        return self._table

    def _asked(self, turn: OpenTurn) -> Reply:
        """Return a question in words, with its legal moves."""
        question, config = turn.question, turn.config
        if isinstance(question, Act):
            structure, *_ = find_games(question.table.variant or config.variant, config.game)
            seat = self._seated()
            others = [player.seat for player in question.players if player.seat != question.seat]
            text = question_prompt(question, structure, seat.opponents.names, seat.opponents.lines(others))
            time_ms = question.you.whole_ms
        else:
            time_ms = question.whole_ms
            text = "\n".join([question.text or "", "", "Your moves:", *_moves(question)])
        return {"text": text, "legal": _moves(question), "time_ms": time_ms}

    def _address(self, table: str) -> str:
        """Return the address of a table for players."""
        parts = urlsplit(self._arena)
        scheme = {"http": "ws", "https": "wss"}.get(parts.scheme, parts.scheme)
        return urlunsplit((scheme, parts.netloc, "/ws", f"table={quote(table, safe='')}", ""))

    async def _get(self, path: str) -> Reply:
        """Read an answer of the arena's web interface."""
        parts = urlsplit(self._arena)
        scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
        url = urlunsplit((scheme, parts.netloc, path, "", ""))
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=JOINS_WITHIN)) as http,
                http.get(url) as response,
            ):
                body = await response.content.read(LARGEST_REPLY + 1)
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            raise ToolFault(f"{self._arena} cannot be reached: {str(error) or type(error).__name__}") from None
        if response.status != 200:
            raise ToolFault(f"{self._arena}{path}: {printable(body.decode(errors='replace'))[:300]}")
        try:
            found = msgspec.json.decode(body) if len(body) <= LARGEST_REPLY else None
        except (msgspec.DecodeError, RecursionError):
            found = None
        if isinstance(found, dict):
            return found
        if isinstance(found, list):
            return {"tables": found}
        raise ToolFault(f"{self._arena}{path}: expected JSON of at most {LARGEST_REPLY >> 20} MiB")


class CodeFile:
    """The codes of teams, kept in a file that only this user can read; without a file they are only remembered."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._codes: dict[str, str] = {}

    def code(self, seat: str) -> str:
        """Return the code for a seat; make one up for a new seat, and keep it."""
        self._codes |= self._read()
        if seat not in self._codes:
            self._codes[seat] = secrets.token_urlsafe(12)
            self._write()
        return self._codes[seat]

    def _read(self) -> dict[str, str]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, str]) if self._path else {}
        except (OSError, msgspec.DecodeError, UnicodeError):
            return {}

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with os.fdopen(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(msgspec.json.encode(self._codes))
        except OSError:
            return  # the code is remembered until the program ends


def codes_file() -> Path:
    """Return the file with this user's codes."""
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "pitboss" / CODES


def _listed(table: Reply) -> Reply:
    config = table.get("config", {})
    players = [{"team": each.get("team"), "chips": each.get("stack")} for each in table.get("players", ())]
    facts = {"table": table.get("table_id"), "game": config.get("variant"), "seats": config.get("seats")}
    return facts | {"free": table.get("free", 0), "over": table.get("over", False), "players": players}


def _event(message: Reply) -> Reply:
    """Return a message of a hand without the fields that only programs need."""
    return {name: value for name, value in message.items() if name not in ("v", "ts", "hand_id", "opened", "commit")}


def _moves(question: Question) -> list[str]:
    """Return the legal moves with the numbers that `act` understands."""
    if isinstance(question, Act):
        return numbered(choices(question))
    return [f"{move.index}. {printable(move.text)}" for move in question.moves]


def _read(question: Question, *, move: str, amount: int | None) -> Action | MoveMessage:
    """Return the answer with a move: a word, JSON, or a number of the list."""
    if isinstance(question, Act) and move.strip().isdecimal():
        listed, number = choices(question), int(move)
        if not 1 <= number <= len(listed):
            raise NotPlayed(f"move {number}: expected a number from 1 to {len(listed)}")
        try:
            return read_answer(listed[number - 1].answer, question)
        except AnswerError as error:
            raise NotPlayed(str(error)) from None
    return read_move(question, move.strip(), amount)


def _result(end: MatchEnd) -> str:
    places = [f"{each.place or '?'}. {each.team}: {each.stack:,}" for each in end.final_stacks]
    return "the match is over: " + ", ".join(map(printable, places))
