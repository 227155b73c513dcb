"""`pitboss arena serve`: host tables on a port until it is stopped; what was decided is in the journal."""

import asyncio
import errno
import logging
import re
import socket
import ssl
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args

import click
from msgspec import Struct

from pitboss.arena.bots import HOUSE, why_not
from pitboss.arena.bots.house import House, bot_of_team
from pitboss.arena.bots.namespaces import Sandbox
from pitboss.arena.bots.runner import BotNotReady, BotRunner
from pitboss.arena.bots.sandbox import hide_arguments, hide_memory
from pitboss.arena.connections.addresses import (
    EVERYWHERE,
    Addresses,
    OriginError,
    is_loopback,
    listen,
    parse_origin,
    reachable_name,
)
from pitboss.arena.hosts.games import find_places, full_name, games_of, make_host
from pitboss.arena.journal.records import Button, Reopens, Settings, SettingsError
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.output import missing_teams
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import OpeningError, OpenTables, RoomSetup, open_tables, spread
from pitboss.cli.arena.options import sandbox_for_bots, trust_option
from pitboss.cli.arena.teams import TeamList, read_teams
from pitboss.cli.output import NAME, LogFormatter, echo, fail, program
from pitboss.client.bot_process import start_bot
from pitboss.extras import install_command
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.store import Store, StoreError, open_store, public_name
from pitboss.store.store import PATIENCE
from pitboss.table.mixed import Mixed
from pitboss.table.mixed import games_of as table_games

PLAIN = (
    "INSECURE: nothing is encrypted: others on the network can read codes and cards; --tls-cert and --tls-key "
    "encrypt it"
)
BEHIND_PROXY = "INSECURE: nothing is encrypted between the proxy at {} and this server: let only the proxy reach it"

OPTIONS = {"sb": "small_blind", "bb": "big_blind"}
"""Options that a setting of the table has another name for."""
MATCH_ONLY = {"stack": "--max-buy-in", "max_hands": None, "freeze_out": None, "timeout_policy": None, "button": None}
"""Settings of a match that a cash table does not have, and what it has instead."""
CASH_ONLY = ("min_buy_in", "max_buy_in", "rake", "straddle", "bots_rebuy", "reveal_after")
RAKE = re.compile(r"([0-9]{1,3}(?:[.][0-9])?)(?::([0-9]{1,15}))?")
LISTED_TEAM_OPTIONS = " --team NAME --code CODE"
"""The options that a team adds to the address if the organiser has a list of teams."""
MOST_TABLES_ANNOUNCED = 20
"""For how many tables the missing teams are printed at the start."""
HOUSE_ONLY = (
    "a freeze-out that the house begins at once: no other team gets a seat; a higher --start-at waits for others"
)
HOLDEM = table_games("no_limit_holdem")
NOT_POKER = (
    "this game is not poker: arena new and arena join do not play it. Write a bot with the messages ask and move "
    "(docs/protocol.md, Other games), or seat random players with --house random"
)
STOPPED = "stopped; the same command goes on from here"
STOPPED_AT_THE_END = "stopped; the match is over: the same command only shows its result, with --new it begins another"


class ServerAddress(Struct, frozen=True):
    """How a server is to be reached."""

    host: str
    public_urls: tuple[str, ...] = ()
    tls: ssl.SSLContext | None = None
    warning: str | None = None  #: what is to be said aloud

    @property
    def command(self) -> str:
        """How pitboss is called by those who read it: in this folder, or where they have it themselves."""
        return program() if not self.public_urls and is_loopback(self.host) else NAME

    def addresses(self, port: int) -> Addresses:
        """Its addresses, once the port is known; where it listens on all of the machine's, one that others can use."""
        public = next(iter(self.public_urls), None)
        host = reachable_name(self.host) if public is None and self.host in EVERYWHERE else self.host
        return Addresses(host=host, port=port, tls=self.tls is not None, public_url=public)

    def announce(self, port: int, journal: str, seating: str | None = "", games: Mixed | None = HOLDEM) -> None:
        """Print the addresses, first in a line for programs, then the commands to type.

        `seating` is what to type after the address to take a seat; None: no seat can be taken. `games` is None if the
        tables do not play poker: then pitboss has no bots to offer.
        """
        at = self.addresses(port)
        if not self.public_urls and self.host in EVERYWHERE:
            echo(f"others find this machine as {at.host}; if not, give its address with --public-url", err=True)
        bots = at.bots()
        if self.warning is not None:
            echo(self.warning, err=True)
        here = f"   listens on {self.host}:{port}" if self.public_urls else ""
        echo(f"bots: {bots}   page: {at.page()}   journal: {journal}{here}")
        if games is None:
            echo(NOT_POKER)
        else:
            option = "" if games.key == NO_LIMIT_HOLDEM.key else f" --game {games.key}"
            echo(f"begin a bot: {self.command} arena new my_bot.py{option}")
            if seating is not None:
                echo(f"take a seat: {self.command} arena join my_bot.py {bots}{seating}")
        sys.stdout.flush()


def read_server_address(
    host: str, public_urls: tuple[str, ...], certificate: Path | None, key: Path | None, *, insecure: bool
) -> ServerAddress:
    """What the options say; beyond this machine it is TLS or said to be insecure, else a `click.UsageError`."""
    from pitboss.arena.connections.listeners import CertificateError, server_context

    for url in public_urls:
        try:
            parse_origin(url)
        except OriginError as error:
            raise click.UsageError(f"--public-url: {error}") from None
    if (certificate is None) != (key is None):
        raise click.UsageError("--tls-cert and --tls-key go together: give both, or neither")
    if certificate is not None and key is not None:
        if insecure:
            raise click.UsageError("--insecure is for a server without TLS: leave it out, or --tls-cert and --tls-key")
        try:
            return ServerAddress(host, public_urls, server_context(certificate, key))
        except CertificateError as error:
            raise click.UsageError(f"--tls-cert, --tls-key: {error}") from None
    if not is_loopback(host):
        if not insecure:
            raise click.UsageError(
                f"--host {host} lets others in: give --tls-cert and --tls-key, or --insecure if codes and cards may be "
                "read on the way (behind a proxy, in a room of friends)"
            )
        proxies = [url for url in public_urls if url.startswith(("https:", "wss:"))]
        return ServerAddress(host, public_urls, warning=BEHIND_PROXY.format(proxies[0]) if proxies else PLAIN)
    return ServerAddress(host, public_urls)


def open_sockets(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen, or one sentence where they cannot."""
    try:
        return listen(host, port)
    except (socket.gaierror, UnicodeError):
        fail("arena serve", f"--host: expected an address of this machine, got {host!r}")
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            fail("arena serve", f"port {port} of {host} is in use: give another --port, or 0 for any that is free")
        if error.errno == errno.EADDRNOTAVAIL:
            fail("arena serve", f"--host: expected an address of this machine, got {host}")
        if error.errno in (errno.EACCES, errno.EPERM):
            fail("arena serve", f"port {port} is not for you to open: give a --port above 1023")
        fail("arena serve", error)


class HouseBots(Struct, frozen=True):
    """The house's bots by name, in order, and how those that are files are started."""

    names: list[str]
    files: dict[str, Callable[[], BotRunner]]


def read_house(text: str, games: Mixed | None, sandbox: Callable[[], Sandbox], hidden: Sequence[Path]) -> HouseBots:
    """Return the bots of `--house`; every file is loaded once, so that one that cannot play is refused at once."""
    names: list[str] = []
    files: dict[str, Callable[[], BotRunner]] = {}
    places: dict[str, Path] = {}
    for bot in filter(None, map(str.strip, text.split(","))):
        if bot not in HOUSE and not bot.endswith(".py"):
            raise click.UsageError(
                f"no house bot is called {bot!r}: there are {', '.join(HOUSE)}, or give a file bot.py"
            )
        name = bot if bot in HOUSE else Path(bot).stem
        if bot not in HOUSE:
            place = Path(bot).resolve()
            if name in HOUSE or not name.isidentifier() or places.setdefault(name, place) != place:
                raise click.UsageError(f"{bot}: a bot's file needs a name of its own, of letters and digits")
            reason = None if games is not None else f"{bot}: a bot's file plays poker only"
        else:
            reason = why_not(bot, [game.structure for game in games.games] if games is not None else [])
        if reason is not None:
            raise click.UsageError(reason)
        names.append(name)
    private = [*hidden, *places.values()]
    for name, place in places.items():
        files[name] = partial(start_bot, str(place), folder=place.parent, sandbox=sandbox(), hidden=private)
        try:
            files[name]().close()
        except BotNotReady as error:
            raise click.UsageError(str(error)) from None
    return HouseBots(names, files)


def _private_files(given: dict[str, Any]) -> list[Path]:
    """The files of the server's that no bot must see."""
    names = ("db", "witness", "teams_file", "team_file", "tls_cert", "tls_key")
    return [Path(given[name]) for name in names if given[name] is not None and "://" not in str(given[name])]


def check_house(rooms: Iterable[Room], house: HouseBots) -> None:
    """Refuse to take up a match at which a bot's file plays that was not given again."""
    for room in rooms:
        for team in room.match.house_teams:
            name = bot_of_team(team)
            if not room.match.over and name not in HOUSE and name not in house.files:
                raise OpeningError(f"{team} at {room.match.table_id} is a bot's file: give it again, --house {name}.py")


@click.command(short_help="host tables on a port")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="Port to listen on; 0: any free one."
)
@click.option("--tables", default=1, show_default=True, type=click.IntRange(1, 10_000), help="Number of tables.")
@click.option(
    "--game",
    default="no_limit_holdem",
    show_default=True,
    metavar="NAME",
    help="What is played: poker by its name or PHH code (omaha, PO, razz, FR), mixed games (horse, eight_game), sting, "
    "or a game of the lab (leduc); docs/games.md lists them.",
)
@click.option("--seats", default=None, type=click.IntRange(2, 10), help="6, or as many as the game has.")
@click.option("--stack", default=10_000, show_default=True, help="Chips of each seat at the start.")
@click.option("--sb", default=None, type=int, help="Small blind: half of --bb.")
@click.option("--bb", default=100, show_default=True, help="Big blind; in limit games and stud the small bet.")
@click.option("--ante", default=None, type=int, help="Ante of each seat: 0, in stud a quarter of --bb.")
@click.option("--bring-in", default=None, type=int, help="Stud's forced first bet: half of --bb.")
@click.option("--move-time-ms", default=15_000, show_default=True, help="Time for a turn, in milliseconds.")
@click.option("--time-bank-ms", default=0, show_default=True, help="Extra time of each seat for the whole match.")
@click.option(
    "--away-pace-ms", default=1000, show_default=True, help="Least time of a hand with a seat that is disconnected."
)
@click.option("--start-at", default=None, type=int, help="Seats taken before the first hand: 2, or the game's least.")
@click.option("--max-hands", default=None, type=int, help="End the match after this many hands.")
@click.option("--team", "teams", multiple=True, metavar="NAME:CODE", help="Only admit listed teams. Repeatable.")
@click.option(
    "--teams",
    "teams_file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Only admit the teams of a file: FILE.toml with [[team]] entries, where missing codes are made up once and "
    "kept for your eyes only, or any other file with one NAME:CODE per line (- is standard input). Unlike --team, it "
    "shows no code on the command line.",
)
@click.option("--team-file", type=click.Path(path_type=Path, dir_okay=False), hidden=True, help="Old name of --teams.")
@click.option("--house", default="", metavar="BOT,BOT…", help=f"House bots: {', '.join(HOUSE)}, or files: bot.py.")
@trust_option
@click.option(
    "--house-think-ms",
    default=400,
    show_default=True,
    type=click.IntRange(0),
    help="Time before a house bot answers.",
)
@click.option(
    "--db", default="pitboss.db", show_default=True, help="The journal: SQLite file, or postgresql://user@host/name."
)
@click.option(
    "--db-patience",
    default=PATIENCE,
    show_default=True,
    type=click.FloatRange(1),
    metavar="SECONDS",
    help="How long play waits for a journal that is locked, gone or silent before the server stops.",
)
@click.option(
    "--witness",
    default=None,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Remember here, beside a PostgreSQL, where tables ended: it is noticed where PostgreSQL has lost that.",
)
@click.option(
    "--timeout-policy",
    default="check_call",
    show_default=True,
    type=click.Choice(["check_call", "check_fold"]),
    help="Action of a seat whose time is up.",
)
@click.option(
    "--reopening",
    default="single",
    show_default=True,
    type=click.Choice(get_args(Reopens)),
    help="What lets a seat that has acted raise again: one full raise, short all-ins that pile up to one, or any.",
)
@click.option(
    "--button",
    default="moving",
    show_default=True,
    type=click.Choice(get_args(Button)),
    help="What moves on from hand to hand: the button, or the big blind (then button and small blind may be dead).",
)
@click.option("--cash", is_flag=True, help="Host a cash table: teams come and go with their chips, without an end.")
@click.option("--min-buy-in", default=None, type=int, help="Smallest buy-in of a cash table: 20 big blinds.")
@click.option("--max-buy-in", default=None, type=int, help="Largest buy-in of a cash table: 100 big blinds.")
@click.option(
    "--rake", default=None, metavar="PERCENT[:CAP]", help="What the house takes of a cash table's pots, such as 5:300."
)
@click.option("--straddle", default=None, type=int, help="Third blind at a cash table, in hands of four or more.")
@click.option("--bots-rebuy", is_flag=True, help="House bots without chips buy in again at a cash table.")
@click.option(
    "--reveal-after",
    default=24.0,
    show_default=True,
    type=click.FloatRange(0),
    metavar="HOURS",
    help="When the decks of a cash table become public after their hands.",
)
@click.option("--freeze-out", is_flag=True, help="Give no team a seat after the first hand has begun.")
@click.option(
    "--delay-ms", default=0, show_default=True, type=click.IntRange(0), help="Delay of spectators, in milliseconds."
)
@click.option(
    "--tls-cert",
    default=None,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Speak TLS (https://, wss://) with this certificate, in PEM, its issuers after it.",
)
@click.option(
    "--tls-key",
    default=None,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The key of that certificate, in PEM.",
)
@click.option("--insecure", is_flag=True, help="Accept connections from other machines without TLS.")
@click.option(
    "--public-url",
    "public_urls",
    multiple=True,
    metavar="URL",
    help="Where others find the server, behind a proxy or in a container: what is printed says so, and its pages may "
    "play. Repeat for more names.",
)
@click.option(
    "--per-address",
    default=1000,
    show_default=True,
    type=click.IntRange(1),
    help="Spectators of one address, and connections that have not taken a seat; players are not counted.",
)
@click.option("--new", is_flag=True, help="Open a new table if all matches in the journal are over.")
@click.option(
    "--keep-open",
    is_flag=True,
    help="Open another table whenever none can be joined: all are full, or their matches are over. Implies --new.",
)
@click.option("--verbose", is_flag=True, help="Also log lost and closed connections.")
@click.pass_context
def serve(ctx: click.Context, /, **given: Any) -> None:
    """Host tables for bots over WebSocket, and a page that shows them.

    Everything that is decided is in the journal before anybody hears of it: stopped or killed, the same command goes
    on with the same cards. Until its first hand a table takes the settings that a new command names, then no more.

    \b
    Examples:
      pitboss arena serve --house tight,equity,sharp
      pitboss arena serve --team Alpha:KF7Q9C --team Beta:9PLM2Q --max-hands 1000
      pitboss arena serve --teams teams.toml --start-at 10
      pitboss arena serve --cash --house tight,equity,sharp --bots-rebuy
      pitboss arena serve --game omaha --house random,calling
      pitboss arena serve --game razz --bb 200 --ante 25 --house random,calling
      pitboss arena serve --seats 2 --db postgresql://arena@localhost/matches
    """
    hide_memory()
    hide_arguments("pitboss arena serve")  # codes and the journal's place, before a bot's file runs for the first time
    logging.basicConfig(level=logging.INFO)
    if given["verbose"]:
        logging.getLogger("pitboss.arena").setLevel(logging.DEBUG)
    for handler in logging.getLogger().handlers:
        handler.setFormatter(LogFormatter("%(message)s"))
    settings = _settings(given, _named_settings(ctx))
    if given["teams_file"] and given["team_file"]:
        raise click.UsageError("--team-file is the old name of --teams: give one of them")
    listed = read_teams(given["teams"], given["teams_file"] or given["team_file"], toml=given["team_file"] is not None)
    teams = None if listed is None else listed.teams
    sandbox = partial(sandbox_for_bots, "pitboss arena serve", trusted=given["trust_bots"], required=True)
    house = read_house(given["house"], games_of(settings), cache(sandbox), _private_files(given))
    _check_seats(settings, teams, house.names, given["tables"])
    limits = Limits(delay=given["delay_ms"] / 1000, reveal_after=given["reveal_after"] * 3600)
    setup = RoomSetup(limits=limits, day=lambda: datetime.now(UTC).date().isoformat())
    run = _runner()
    entrance = read_server_address(
        given["host"], given["public_urls"], given["tls_cert"], given["tls_key"], insecure=given["insecure"]
    )

    opening = _Opening(given, _named_settings(ctx), setup, settings, listed, house)
    try:
        with ExitStack() as stack:
            sockets = open_sockets(given["host"], given["port"])  # before there is a journal: a taken port begins none
            for each in sockets:
                stack.enter_context(each)
            store = stack.enter_context(
                open_store(given["db"], patience=given["db_patience"], witness=given["witness"])
            )
            opened, games = partial(opening.open, store), games_of(settings)
            _run(run, opened, sockets, given, house, entrance, opening.join_options, games)
        at_the_end = (opening.tables is None or _all_over(opening.tables)) and not given["keep_open"]
        echo(STOPPED_AT_THE_END if at_the_end else STOPPED, err=True)
    except (StoreError, OpeningError, OSError) as error:
        fail("arena serve", error)


class _Opening:
    """Opens the tables of a journal as the options say, prints what there is to know about them, and keeps them."""

    def __init__(
        self,
        given: dict[str, Any],
        asked: set[str],
        setup: RoomSetup,
        settings: Settings,
        listed: TeamList | None,
        house: HouseBots,
    ) -> None:
        self._given, self._asked, self._setup, self._settings = given, asked, setup, settings
        self._listed, self._house = listed, house
        self.tables: OpenTables | None = None  #: once they are opened

    @property
    def teams(self) -> dict[str, str] | None:
        """The organiser's teams and their codes; None without a list."""
        return None if self._listed is None else self._listed.teams

    def open(self, store: Store, now: float) -> OpenTables:
        """Open the tables, or raise an `OpeningError`."""
        if self._listed is not None and (sentence := self._listed.write()) is not None:
            echo(sentence, err=True)  # new codes are written before their locks are in the journal
        self.tables = tables = open_tables(
            store,
            self._setup,
            self._settings,
            tables=self._given["tables"],
            teams=self.teams,
            house=self._house.names,
            new=self._given["new"],
            keep_open=self._given["keep_open"],
            asked=self._asked,
            now=now,
        )
        for line in tables.report:
            echo(line, err=True)
        waiting = [room.match for room in tables.rooms.values() if room.match.history.teams and room.match.takes_teams]
        for match in waiting[:MOST_TABLES_ANNOUNCED]:
            echo(f"{match.table_id}: {missing_teams(match.history)}", err=True)
        check_house(tables.rooms.values(), self._house)
        for room in tables.rooms.values():
            if _begins_without_others(room.match):
                echo(f"{room.match.table_id}: {HOUSE_ONLY}", err=True)
        if _all_over(tables):
            echo("all matches in this journal are over: --new opens another table", err=True)
        return tables

    def join_options(self) -> str | None:
        """Return what to type after the address to take a seat; None where no seat can be taken."""
        rooms = self.tables.rooms.values() if self.tables is not None else ()
        lists = [
            room.match.history.teams is not None
            for room in rooms
            if room.match.takes_teams
            and room.match.history.free_seat() is not None
            and not _begins_without_others(room.match)
        ]
        if not lists and not self._given["keep_open"]:
            return None
        return LISTED_TEAM_OPTIONS if all(lists or [self.teams is not None]) else ""


def _run(
    run: Any,
    opened: Callable[[float], OpenTables],
    sockets: Sequence[socket.socket],
    given: dict[str, Any],
    house: HouseBots,
    entrance: ServerAddress,
    seating: Callable[[], str | None],
    games: Mixed | None,
) -> None:
    from pitboss.arena.server import serve as serve_tables

    run(
        serve_tables(
            opened,
            entrance.host,
            sockets,
            think=given["house_think_ms"] / 1000,
            ready=lambda port: entrance.announce(port, public_name(given["db"]), seating(), games),
            house=partial(House, files=house.files),
            public_urls=entrance.public_urls,
            of_address=given["per_address"],
            command=entrance.command,
            tls=entrance.tls,
        )
    )


def _begins_without_others(match: Match) -> bool:
    """Return whether its first hand begins at once with house bots, after which no team gets a seat."""
    house = len(match.house_teams)
    return match.settings.freeze_out and not match.over and house > 0 and house >= match.settings.start_at


def _all_over(tables: OpenTables) -> bool:
    """Whether no table has anything left to play."""
    return all(room.match.over for room in tables.rooms.values())


def _runner() -> Any:
    """What runs the event loop, or one sentence where the arena's packages are missing."""
    try:
        import aiohttp  # noqa: F401  # only whether it is there
    except ImportError:
        fail("arena serve", f"the arena needs aiohttp: {install_command('arena')}")
    try:
        import uvloop
    except ImportError:
        return asyncio.run
    return uvloop.run


def _named_settings(ctx: click.Context) -> set[str]:
    """The settings that were named on the command line."""
    default = click.core.ParameterSource.DEFAULT
    names = {"teams_file": "teams", "team_file": "teams", **OPTIONS}
    return {names.get(name, name) for name in ctx.params if ctx.get_parameter_source(name) is not default}


def read_rake(text: str | None) -> tuple[int, int | None]:
    """Return thousandths and cap of a rake as it is typed.

    >>> read_rake("5:300"), read_rake("2.5"), read_rake(None)
    ((50, 300), (25, None), (0, None))
    """
    if text is None:
        return 0, None
    found = RAKE.fullmatch(text)
    if found is None:
        raise SettingsError(f"--rake: expected PERCENT or PERCENT:CAP, such as 5:300 or 2.5, got {text!r:.40}")
    return round(float(found[1]) * 10), None if found[2] is None else int(found[2])


def _cash_settings(given: dict[str, Any], asked: set[str]) -> dict[str, Any]:
    """Return the settings of a cash table; none for a match. Raises `SettingsError` if options do not go together."""
    if not given["cash"]:
        wrong = next((name for name in CASH_ONLY if name in asked), None)
        if wrong is not None:
            raise SettingsError(f"--{wrong.replace('_', '-')} is for cash tables: add --cash")
        return {}
    for name, other in MATCH_ONLY.items():
        if name in asked:
            hint = f"use {other}" if other else "leave it out"
            raise SettingsError(f"--{name.replace('_', '-')} is for matches, and --cash has none: {hint}")
    rake, cap = read_rake(given["rake"])
    low, high = given["min_buy_in"], given["max_buy_in"]
    return {
        "cash": True,
        "stack": 100 * given["bb"] if high is None else high,
        "min_buy_in": min(20 * given["bb"], high or 20 * given["bb"]) if low is None else low,
        "timeout_policy": "check_fold",
        "rake": rake,
        "rake_cap": cap,
        "straddle": given["straddle"] or 0,
        "bots_rebuy": given["bots_rebuy"],
    }


def _settings(given: dict[str, Any], asked: set[str]) -> Settings:
    try:
        cash = _cash_settings(given, asked)
        game = full_name(given["game"])
        places = find_places(game)
        chosen = {
            "game": game,
            "reopening": given["reopening"],
            "seats": given["seats"] or min(6, places.stop - 1),
            "stack": given["stack"],
            "small_blind": given["bb"] // 2 if given["sb"] is None else given["sb"],
            "big_blind": given["bb"],
            "move_time_ms": given["move_time_ms"],
            "start_at": places.start if given["start_at"] is None else given["start_at"],
            "max_hands": given["max_hands"],
            "timeout_policy": given["timeout_policy"],
            "ante": given["ante"],
            "bring_in": given["bring_in"],
            "time_bank_ms": given["time_bank_ms"],
            "button": given["button"],
            "freeze_out": given["freeze_out"],
            "away_pace_ms": given["away_pace_ms"],
        }
        settings = Settings(**{**chosen, **cash})
        games = games_of(settings)
        if games is not None and settings.stack < settings.big_blind:
            big = settings.big_blind
            raise SettingsError(f"--stack {settings.stack} is below the big blind, {big}: give everybody {big} or more")
        if games is None and asked & {"small_blind", "big_blind", "ante", "bring_in"}:
            raise SettingsError(f"{game} has no blinds and no antes: leave --sb, --bb, --ante and --bring-in out")
        stud = games is not None and all(game.structure.betting.bring_in for game in games.games)
        if stud and "small_blind" in asked:
            raise SettingsError(f"{game} has a bring-in and no small blind: leave --sb out")
        make_host(settings)
        return settings
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_seats(settings: Settings, teams: dict[str, str] | None, house: list[str], tables: int) -> None:
    """Raise `click.UsageError` if the listed teams and house bots of a table do not fit, or are too few to start."""
    if len(house) > settings.seats:
        raise click.UsageError(f"{len(house)} house bots do not fit on {settings.seats} seats")
    if teams is None:
        return
    shares = [len(share) + len(house) for share in spread(list(teams), tables, len(house), settings.start_at)]
    if max(shares) > settings.seats:
        each = "" if tables == 1 else f" of each of {tables} tables"
        raise click.UsageError(f"{max(shares)} teams and house bots do not fit on the {settings.seats} seats{each}")
    if min(shares) < settings.start_at:
        raise click.UsageError(f"the first hand needs {settings.start_at} seats, and only {min(shares)} can be taken")
