"""`pitboss arena serve`: host tables on a port until it is stopped; what was decided is in the journal."""

import asyncio
import errno
import logging
import re
import shlex
import socket
import ssl
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cache, partial
from math import isfinite
from pathlib import Path
from typing import Any, get_args

import click
from msgspec import Struct

from pitboss.arena.agents.models import FILE, ModelError, is_model
from pitboss.arena.agents.player import ModelBot, Thought
from pitboss.arena.agents.thoughts import append_thought, thoughts_file
from pitboss.arena.bots import GAME_BOTS, HOUSE, why_not
from pitboss.arena.bots.house import House, SeatRunner, bot_of_team
from pitboss.arena.bots.namespaces import Sandbox
from pitboss.arena.bots.runner import BotNotReady
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
from pitboss.arena.hosts.games import chosen_game, games_of, is_genome, make_host, places_of
from pitboss.arena.journal.records import Button, Reopens, Settings, SettingsError
from pitboss.arena.rooms.logins import Limits
from pitboss.arena.rooms.match import Match
from pitboss.arena.rooms.output import missing_teams
from pitboss.arena.rooms.room import Room
from pitboss.arena.rooms.tables import OpeningError, OpenTables, RoomSetup, open_tables, spread
from pitboss.cli.arena.options import model_player, models_option, sandbox_for_bots, trust_option
from pitboss.cli.arena.teams import TeamList, read_teams
from pitboss.cli.output import NAME, LogFormatter, echo, fail, program
from pitboss.client.bot_process import start_bot
from pitboss.extras import install_command
from pitboss.hand.games import NO_LIMIT_HOLDEM
from pitboss.lab.ratings import RATINGS, run_of
from pitboss.store import Store, StoreError, open_store, public_name
from pitboss.store.store import PATIENCE
from pitboss.table.mixed import Mixed

PLAIN = (
    "INSECURE: connections are not encrypted, so others on the network can read codes and cards. "
    "--tls-cert and --tls-key encrypt them"
)
BEHIND_PROXY = "INSECURE: the proxy at {} connects without encryption: accept connections only from the proxy"

OPTIONS = {"sb": "small_blind", "bb": "big_blind"}
"""The settings whose option has another name."""
MATCH_ONLY = {"stack": "--max-buy-in", "max_hands": None, "freeze_out": None, "timeout_policy": None, "button": None}
"""Settings that a cash table does not have, and the option to use instead."""
CASH_ONLY = ("min_buy_in", "max_buy_in", "rake", "straddle", "bots_rebuy", "reveal_after")
RAKE = re.compile(r"([0-9]{1,3}(?:[.][0-9])?)(?::([0-9]{1,15}))?")
LISTED_TEAM_OPTIONS = " --team NAME --code CODE"
"""The options that a listed team adds to the command that takes a seat."""
MOST_TABLES_ANNOUNCED = 20
"""The maximum number of tables whose missing teams are printed at the start."""
HOUSE_ONLY = (
    "the house bots begin this freeze-out at once, so no other team gets a seat; a higher --start-at waits for teams"
)
KNOWN = (*HOUSE, *GAME_BOTS)
"""All house bots."""
STOPPED = "stopped; the same command continues from here"
STOPPED_AT_THE_END = "stopped. The match is over: the same command shows its result, and --new begins another match"


def _check_hours(hours: float) -> float:
    if not isfinite(hours):
        raise click.BadParameter(f"expected a number of hours, 0 or more, got {hours}")
    return hours


class ServerAddress(Struct, frozen=True):
    """The address on which a server listens, and the addresses under which others find it."""

    host: str
    public_urls: tuple[str, ...] = ()
    tls: ssl.SSLContext | None = None
    warning: str | None = None  #: printed at the start

    @property
    def command(self) -> str:
        """Return the program in printed commands: its path for readers at this machine, otherwise `pitboss`."""
        return program() if not self.public_urls and is_loopback(self.host) else NAME

    def addresses(self, port: int) -> Addresses:
        """Return the addresses for a port. A server that listens on all interfaces gets a name that others can use."""
        public = next(iter(self.public_urls), None)
        host = reachable_name(self.host) if public is None and self.host in EVERYWHERE else self.host
        return Addresses(host=host, port=port, tls=self.tls is not None, public_url=public)

    def announce(self, port: int, journal: str, seating: str | None = "", game: str = NO_LIMIT_HOLDEM.key) -> None:
        """Print one line with the addresses, which programs can read, then the commands to type.

        `seating` has the options of the command that takes a seat. It is None if no seat can be taken. `game` is a name
        or the path of a game file.
        """
        at = self.addresses(port)
        if not self.public_urls and self.host in EVERYWHERE:
            echo(f"if others cannot find this machine as {at.host}, give its address with --public-url", err=True)
        bots = at.bots()
        if self.warning is not None:
            echo(self.warning, err=True)
        here = f"   listens on {self.host}:{port}" if self.public_urls else ""
        echo(f"bots: {bots}   page: {at.page()}   journal: {journal}{here}")
        option = "" if game == NO_LIMIT_HOLDEM.key else f" --game {shlex.quote(game)}"
        echo(f"begin a bot: {self.command} arena new my_bot.py{option}")
        if seating is not None:
            echo(f"take a seat: {self.command} arena join my_bot.py {bots}{seating}")
        sys.stdout.flush()


def read_server_address(
    host: str, public_urls: tuple[str, ...], certificate: Path | None, key: Path | None, *, insecure: bool
) -> ServerAddress:
    """Return the address that the options give.

    Raises `click.UsageError` for a server that other machines can reach without TLS and without --insecure.
    """
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
                f"--host {host} accepts connections from other machines: give --tls-cert and --tls-key, or --insecure "
                "if others on the network may read codes and cards (behind a proxy, or among friends)"
            )
        proxies = [url for url in public_urls if url.startswith(("https:", "wss:"))]
        return ServerAddress(host, public_urls, warning=BEHIND_PROXY.format(proxies[0]) if proxies else PLAIN)
    return ServerAddress(host, public_urls)


def open_sockets(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen; if that fails, print why and exit."""
    try:
        return listen(host, port)
    except (socket.gaierror, UnicodeError):
        fail("arena serve", f"--host: expected an address of this machine, got {host!r}")
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            fail("arena serve", f"port {port} of {host} is in use: give another --port, or 0 for any free port")
        if error.errno == errno.EADDRNOTAVAIL:
            fail("arena serve", f"--host: expected an address of this machine, got {host}")
        if error.errno in (errno.EACCES, errno.EPERM):
            fail("arena serve", f"port {port} needs a privilege that you do not have: give a --port above 1023")
        fail("arena serve", error)


class HouseBots(Struct, frozen=True):
    """The names of the house bots in order, and for files and models the functions that start them."""

    names: list[str]
    files: dict[str, Callable[[], SeatRunner]]
    models: frozenset[str] = frozenset()  #: those of them that are language models


def read_house(
    text: str,
    games: Mixed | None,
    sandbox: Callable[[], Sandbox],
    hidden: Sequence[Path],
    models: Path = FILE,
    game: str = "",
    journal: str = "",
) -> HouseBots:
    """Return the bots of `--house`. Every file is loaded once, so that a bot that cannot play is refused now.

    What language models think is written to a file beside the journal, if the journal is a file.
    """
    noting = None if not journal or "://" in journal else partial(append_thought, thoughts_file(Path(journal)))
    names: list[str] = []
    files: dict[str, Callable[[], SeatRunner]] = {}
    places: dict[str, Path] = {}
    for bot in filter(None, map(str.strip, text.split(","))):
        if bot not in KNOWN and not is_model(bot) and not bot.endswith(".py"):
            raise click.UsageError(
                f"--house: expected one of {', '.join(KNOWN)}, a file such as bot.py, or llm:NAME; got {bot!r}"
            )
        name = bot if bot in KNOWN or is_model(bot) else Path(bot).stem
        reason = None
        if is_model(bot):
            files[name] = partial(_start_model, bot, models, noting)
        elif bot not in KNOWN:
            place = Path(bot).resolve()
            if name in KNOWN or not name.isidentifier() or places.setdefault(name, place) != place:
                raise click.UsageError(
                    f"--house {bot}: expected a file name of letters and digits that no other bot has: rename the file"
                )
        else:
            reason = why_not(bot, [game.structure for game in games.games] if games is not None else [], game)
        if reason is not None:
            raise click.UsageError(reason)
        names.append(name)
    private = [*hidden, *places.values()]
    for name, place in places.items():
        files[name] = partial(start_bot, str(place), folder=place.parent, sandbox=sandbox(), hidden=private)
    for name, start in files.items():
        try:
            start().close()
        except (BotNotReady, ModelError) as error:
            raise click.UsageError(f"--house {name}: {error}" if is_model(name) else str(error)) from None
    return HouseBots(names, files, frozenset(filter(is_model, files)))


def _start_model(spec: str, models: Path, noting: Callable[[Thought], object] | None) -> ModelBot:
    return ModelBot(model_player(spec, models, on_thought=noting))


def _private_files(given: dict[str, Any]) -> list[Path]:
    """Return the server's files that bots must not see."""
    names = ("db", "witness", "teams_file", "team_file", "tls_cert", "tls_key")
    files = [Path(given[name]) for name in names if given[name] is not None and "://" not in str(given[name])]
    return [*files, thoughts_file(files[0])] if given["db"] is not None and "://" not in str(given["db"]) else files


def ratings_folder(given: dict[str, Any], settings: Settings) -> Path | None:
    """Return the run whose game is rated; None if players are not asked.

    Raise `click.UsageError` if --rate is given for a game that is not part of a run.
    """
    run = run_of(Path(given["game"])) if is_genome(settings.own_game) else None
    if given["rate"] and run is None:
        raise click.UsageError(f"--rate: expected --game DIR/games/cell_R_C.json of a run, got {given['game']}")
    asks = given["rate"]
    return run if asks or (asks is None and is_loopback(given["host"]) and not given["public_urls"]) else None


def check_house(rooms: Iterable[Room], house: HouseBots) -> None:
    """Raise `OpeningError` if a bot of an unfinished match is a file that the command did not give again."""
    for room in rooms:
        for team in room.match.house_teams:
            name = bot_of_team(team)
            if not room.match.over and name not in KNOWN and name not in house.files:
                what, given = ("a language model", name) if is_model(name) else ("a bot in a file", f"{name}.py")
                raise OpeningError(f"{team} at {room.match.table_id} is {what}: give it again with --house {given}")


@click.command(short_help="host tables on a port")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8765,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 selects a free port.",
)
@click.option("--tables", default=1, show_default=True, type=click.IntRange(1, 10_000), help="Number of tables.")
@click.option(
    "--game",
    default="no_limit_holdem",
    show_default=True,
    metavar="NAME|FILE",
    help="Game to play: poker (omaha, razz), mixed games (horse, eight_game), sting, a game of the lab (leduc), or a "
    "game file (mine.toml; in JSON for the lab); docs/games.md lists them.",
)
@click.option(
    "--seats",
    default=None,
    type=click.IntRange(2, 10),
    help="Seats per table (default: 6, or fewer if the game has fewer).",
)
@click.option("--stack", default=10_000, show_default=True, help="Chips of each seat at the start.")
@click.option("--sb", default=None, type=int, help="Small blind (default: half of --bb).")
@click.option("--bb", default=100, show_default=True, help="Big blind; in limit games and stud the small bet.")
@click.option("--ante", default=None, type=int, help="Ante of each seat (default: 0; in stud a quarter of --bb).")
@click.option("--bring-in", default=None, type=int, help="Forced first bet in stud (default: half of --bb).")
@click.option("--move-time-ms", default=15_000, show_default=True, help="Time for a turn, in milliseconds.")
@click.option("--time-bank-ms", default=0, show_default=True, help="Extra time of each seat for the whole match.")
@click.option(
    "--away-pace-ms", default=1000, show_default=True, help="Minimum time of a hand with a disconnected seat."
)
@click.option(
    "--start-at", default=None, type=int, help="Teams that the first hand waits for (default: the game's minimum)."
)
@click.option("--max-hands", default=None, type=int, help="End the match after this many hands.")
@click.option("--team", "teams", multiple=True, metavar="NAME:CODE", help="Only admit listed teams. Repeatable.")
@click.option(
    "--teams",
    "teams_file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Only admit the teams in a file: TOML with [[team]] entries, whose missing codes are generated, or one "
    "NAME:CODE per line (- is standard input). Other users cannot read these codes, unlike those of --team.",
)
@click.option("--team-file", type=click.Path(path_type=Path, dir_okay=False), hidden=True, help="Old name of --teams.")
@click.option(
    "--house", default="", metavar="BOT,BOT…", help=f"Bots to seat: {', '.join(KNOWN)}, files (bot.py), or llm:NAME."
)
@models_option
@trust_option
@click.option(
    "--house-think-ms",
    default=400,
    show_default=True,
    type=click.IntRange(0),
    help="Time that a house bot waits before it answers.",
)
@click.option(
    "--db", default="pitboss.db", show_default=True, help="Journal: a SQLite file, or postgresql://user@host/name."
)
@click.option(
    "--db-patience",
    default=PATIENCE,
    show_default=True,
    type=click.FloatRange(1),
    metavar="SECONDS",
    help="Time that play waits for a journal that does not respond; then the server stops.",
)
@click.option(
    "--witness",
    default=None,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Note the end of each table in this file too, to detect records that PostgreSQL has lost.",
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
    help="Raise that reopens the betting: a full raise, short all-ins that add up to one, or any raise.",
)
@click.option(
    "--button",
    default="moving",
    show_default=True,
    type=click.Choice(get_args(Button)),
    help="What moves by one seat per hand: the button, or the big blind (the button can then be dead).",
)
@click.option(
    "--cash", is_flag=True, help="Host a cash table, which has no end: teams join and leave with their chips."
)
@click.option("--min-buy-in", default=None, type=int, help="Smallest buy-in of a cash table (default: 20 big blinds).")
@click.option("--max-buy-in", default=None, type=int, help="Largest buy-in of a cash table (default: 100 big blinds).")
@click.option(
    "--rake", default=None, metavar="PERCENT[:CAP]", help="Share of each pot that a cash table keeps, such as 5:300."
)
@click.option("--straddle", default=None, type=int, help="Third blind at a cash table with four or more players.")
@click.option("--bots-rebuy", is_flag=True, help="Let house bots keep about one buy-in at a cash table.")
@click.option(
    "--reveal-after",
    default=24.0,
    show_default=True,
    type=click.FloatRange(0),
    callback=lambda _context, _option, hours: _check_hours(hours),
    metavar="HOURS",
    help="Time until the deck of a cash hand becomes public.",
)
@click.option("--freeze-out", is_flag=True, help="Give no team a seat after the first hand has begun.")
@click.option(
    "--delay-ms", default=0, show_default=True, type=click.IntRange(0), help="Delay for spectators, in milliseconds."
)
@click.option(
    "--tls-cert",
    default=None,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Serve https:// and wss:// with this certificate, a PEM file with the issuers last.",
)
@click.option(
    "--tls-key",
    default=None,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Private key of the certificate, a PEM file.",
)
@click.option("--insecure", is_flag=True, help="Accept connections from other machines without TLS.")
@click.option(
    "--public-url",
    "public_urls",
    multiple=True,
    metavar="URL",
    help="Address of the server for others, behind a proxy or in a container. It is printed, and pages from it may "
    "play. Repeatable.",
)
@click.option(
    "--per-address",
    default=1000,
    show_default=True,
    type=click.IntRange(1),
    help="Maximum number of connections without a seat from one address, such as spectators.",
)
@click.option("--new", is_flag=True, help="Open a new table if all matches in the journal are over.")
@click.option(
    "--keep-open",
    is_flag=True,
    help="Open another table whenever all tables are full or over. Implies --new.",
)
@click.option(
    "--rate/--no-rate",
    default=None,
    help="Ask players on the page how a game of a run was, and store it in the run (default: if only this machine can "
    "reach the server).",
)
@click.option("--verbose", is_flag=True, help="Also log lost and closed connections.")
@click.pass_context
def serve(ctx: click.Context, /, **given: Any) -> None:
    """Host tables for bots over WebSocket, and a page that shows them.

    Every event is in the journal before it is sent. If the server stops or is killed, the same command continues with
    the same cards. The settings of a table can be changed until its first hand.

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
    hide_arguments("pitboss arena serve")  # they contain codes, which a bot's file must not see
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
    private = _private_files(given)
    ratings = ratings_folder(given, settings)
    private += [] if ratings is None else [ratings / RATINGS]
    games, models = games_of(settings), given["models"]
    house = read_house(given["house"], games, cache(sandbox), private, models, settings.game, journal=given["db"] or "")
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
            sockets = open_sockets(given["host"], given["port"])  # first, so that a taken port creates no journal
            for each in sockets:
                stack.enter_context(each)
            store = stack.enter_context(
                open_store(given["db"], patience=given["db_patience"], witness=given["witness"])
            )
            game = given["game"] if settings.own_game is not None else settings.game
            opened = partial(opening.open, store)
            _run(run, opened, sockets, given, house, entrance, opening.join_options, game, ratings)
        at_the_end = (opening.tables is None or _all_over(opening.tables)) and not given["keep_open"]
        echo(STOPPED_AT_THE_END if at_the_end else STOPPED, err=True)
    except (StoreError, OpeningError, OSError) as error:
        fail("arena serve", error)


class _Opening:
    """Opens the tables of a journal by the options, and prints a report about each."""

    def __init__(
        self,
        given: dict[str, Any],
        named: set[str],
        setup: RoomSetup,
        settings: Settings,
        listed: TeamList | None,
        house: HouseBots,
    ) -> None:
        self._given, self._named, self._setup, self._settings = given, named, setup, settings
        self._listed, self._house = listed, house
        self.tables: OpenTables | None = None  #: set by `open`

    @property
    def teams(self) -> dict[str, str] | None:
        """The organiser's teams and their codes; None without a list."""
        return None if self._listed is None else self._listed.teams

    def open(self, store: Store, now: float) -> OpenTables:
        """Open the tables, or raise an `OpeningError`."""
        if self._listed is not None and (sentence := self._listed.write()) is not None:
            echo(sentence, err=True)  # new codes are saved before the journal refers to them
        self.tables = tables = open_tables(
            store,
            self._setup,
            self._settings,
            tables=self._given["tables"],
            teams=self.teams,
            house=self._house.names,
            new=self._given["new"],
            keep_open=self._given["keep_open"],
            named=self._named,
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
        """Return the options of the command that takes a seat; None if no seat can be taken."""
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
    game: str,
    ratings: Path | None,
) -> None:
    from pitboss.arena.server import serve as serve_tables

    run(
        serve_tables(
            opened,
            entrance.host,
            sockets,
            think=given["house_think_ms"] / 1000,
            ready=lambda port: entrance.announce(port, public_name(given["db"]), seating(), game),
            house=partial(House, files=house.files, listeners=house.models),
            public_urls=entrance.public_urls,
            of_address=given["per_address"],
            command=entrance.command,
            tls=entrance.tls,
            ratings=ratings,
        )
    )


def _begins_without_others(match: Match) -> bool:
    """Return whether house bots begin this freeze-out at once, so that no team gets a seat."""
    house = len(match.house_teams)
    return match.settings.freeze_out and not match.over and house > 0 and house >= match.settings.start_at


def _all_over(tables: OpenTables) -> bool:
    """Return whether every match is over."""
    return all(room.match.over for room in tables.rooms.values())


def _runner() -> Any:
    """Return the function that runs the event loop; if aiohttp is missing, print how to install it and exit."""
    try:
        import aiohttp  # noqa: F401  # only to check that it is installed
    except ImportError:
        fail("arena serve", f"the arena needs aiohttp: {install_command('arena')}")
    try:
        import uvloop
    except ImportError:
        return asyncio.run
    return uvloop.run


def _named_settings(ctx: click.Context) -> set[str]:
    """Return the settings that the command line names."""
    default = click.core.ParameterSource.DEFAULT
    names = {"teams_file": "teams", "team_file": "teams", **OPTIONS}
    return {names.get(name, name) for name in ctx.params if ctx.get_parameter_source(name) is not default}


def read_rake(text: str | None) -> tuple[int, int | None]:
    """Return the rake in thousandths and its cap, from the text of the option.

    >>> read_rake("5:300"), read_rake("2.5"), read_rake(None)
    ((50, 300), (25, None), (0, None))
    """
    if text is None:
        return 0, None
    found = RAKE.fullmatch(text)
    if found is None:
        raise SettingsError(f"--rake: expected PERCENT or PERCENT:CAP, such as 5:300 or 2.5, got {text!r:.40}")
    return round(float(found[1]) * 10), None if found[2] is None else int(found[2])


def _cash_settings(given: dict[str, Any], named: set[str]) -> dict[str, Any]:
    """Return the settings of a cash table, and {} for a match; raise `SettingsError` for options that do not fit."""
    if not given["cash"]:
        wrong = next((name for name in CASH_ONLY if name in named), None)
        if wrong is not None:
            raise SettingsError(f"--{wrong.replace('_', '-')} is for cash tables: add --cash")
        return {}
    for name, other in MATCH_ONLY.items():
        if name in named:
            hint = f"use {other}" if other else "leave it out"
            raise SettingsError(f"--{name.replace('_', '-')} cannot be used with --cash: {hint}")
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


def _settings(given: dict[str, Any], named: set[str]) -> Settings:
    try:
        cash = _cash_settings(given, named)
        chosen_one = chosen_game(given["game"])
        game, places = chosen_one.game, places_of(chosen_one)
        chosen = {
            "game": game,
            "own_game": chosen_one.own_game,
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
            raise SettingsError(f"--stack: expected at least {big}, the big blind, got {settings.stack}")
        if games is None and named & {"small_blind", "big_blind", "ante", "bring_in"}:
            raise SettingsError(f"{game} has no blinds and no antes: leave out --sb, --bb, --ante and --bring-in")
        stud = games is not None and all(game.structure.betting.bring_in for game in games.games)
        if stud and "small_blind" in named:
            raise SettingsError(f"{game} has a bring-in, but no small blind: leave out --sb")
        make_host(settings)
        return settings
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _check_seats(settings: Settings, teams: dict[str, str] | None, house: list[str], tables: int) -> None:
    """Raise `click.UsageError` if a table would get too many teams and house bots, or too few to begin."""
    if len(house) > settings.seats:
        raise click.UsageError(f"--house: expected at most {settings.seats} bots, one per seat, got {len(house)}")
    if teams is None:
        return
    shares = [len(share) + len(house) for share in spread(list(teams), tables, len(house), settings.start_at)]
    if max(shares) > settings.seats:
        each = "" if tables == 1 else f" of each of {tables} tables"
        raise click.UsageError(
            f"expected at most {settings.seats} teams and house bots for the seats{each}, got {max(shares)}"
        )
    if min(shares) < settings.start_at:
        raise click.UsageError(
            f"--start-at: expected at most {min(shares)}, the number of teams and house bots, got {settings.start_at}"
        )
