"""The organiser's pages give the limits and defaults of the code: change both together."""

from pathlib import Path

from pitboss.arena import code_checker, server
from pitboss.arena.archive import archive
from pitboss.arena.bots import runner
from pitboss.arena.bots.dealers import OfflineStakes
from pitboss.arena.bots.sandbox import BotLimits
from pitboss.arena.connections import admission, outbox, web
from pitboss.arena.connections.admission import Capacity, capacity_for
from pitboss.arena.connections.budget import RateLimits
from pitboss.arena.journal.records import Settings
from pitboss.arena.rooms import logins, output
from pitboss.arena.rooms.logins import Limits
from pitboss.cli import replay_page
from pitboss.cli.arena.serve import serve
from pitboss.store import postgres, sql, store
from tests.support.for_each import for_each

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = "\n".join((DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("arena", "limits", "durability"))
MIB = 1 << 20


def words(sentence: str) -> str:
    """A sentence on one line."""
    return " ".join(sentence.split())


def test_page_states_connection_limits() -> None:
    assert f"| a frame | {server.FRAME_BYTES // 1024} KiB | closed with 1009 |" in PAGE
    assert f"| the body of a request | {web.BODY_BYTES // 1024} KiB, not compressed; only with POST |" in PAGE
    assert f"| lobbies to a spectator | one every {output.LOBBY_EVERY:g} seconds, and one for each new team |" in PAGE
    budgets = RateLimits()
    player, stranger = budgets.player, budgets.stranger
    assert (
        f"| {player.a_second} a second with a seat, {stranger.a_second} without; "
        f"a burst of {player.at_once}, or {stranger.at_once} |"
    ) in PAGE
    assert f"nothing but {budgets.spectator.a_second} pings a second" in PAGE
    assert budgets.spectator.at_once == 10 * budgets.spectator.a_second
    asking, at_once = stranger.a_second // server.REQUEST_COST, stranger.at_once // server.REQUEST_COST
    assert (asking, at_once) == (3, 26)
    assert server.REQUEST_COST == 3 * server.PAGE_COST
    of_the_page = "of the page's files three times as many"
    assert f"| requests on a connection | {asking} a second, a burst of {at_once - 1}; {of_the_page} |" in PAGE
    assert f"| questions about finished hands that wait | {web.MOST_REPLAYS_WAITING} | 503 |" in PAGE
    assert f"`limit` (at most {archive.MOST_LISTED})" in PAGE
    assert f"a file at most {archive.MOST_FILED} hands" in PAGE
    assert f"at most {archive.MOST_POINTS} points" in PAGE
    assert f"It holds the first {replay_page.MOST_HANDS} hands" in PAGE
    one, everybody = budgets.address, budgets.everybody
    assert (
        f"| {one.at_once:,} of one address and {one.a_second} a second more; "
        f"{everybody.at_once:,} and {everybody.a_second} of all together |"
    ) in PAGE
    assert (
        f"| {outbox.OUTBOX_BYTES // MIB} MiB; {outbox.SPECTATORS_BYTES // MIB} MiB for all spectators together "
        f"| closed with {outbox.TOO_SLOW} |"
    ) in PAGE


def test_page_states_admission_limits() -> None:
    capacity = Capacity()
    assert f"| time until the first request | {capacity.first_request:g} seconds | cut off |" in PAGE
    assert f"| time for requests on one connection | {capacity.requests:g} seconds | cut off |" in PAGE
    assert (
        f"| such connections in all | {capacity.strangers:,}, or a quarter of the handles; and one for each seat |"
        in PAGE
    )
    assert f"| {capacity.connections:,}, or {admission.RESERVE} fewer than the handles the system grants |" in PAGE
    assert capacity.spectators == capacity.connections
    assert capacity.connections + admission.RESERVE < server.MOST_OPEN_FILES, "raised far enough for all of them"
    ample = capacity_for(server.MOST_OPEN_FILES, seats=60)
    assert (ample.connections, ample.strangers) == (capacity.connections, capacity.strangers + 60)
    of_address = next(option.default for option in serve.params if option.name == "per_address")
    assert of_address == ample.strangers_of_address - 60 == ample.spectators_of_address
    assert of_address == capacity.strangers_of_address == capacity.spectators_of_address


def test_page_states_delays_after_wrong_codes() -> None:
    assert f"| {logins.FREE_WRONG_CODES}, then one after 1, 2, 4 … {logins.LONGEST_WAIT:g} seconds |" in PAGE
    assert f"| codes that wait to be checked | {code_checker.MOST_WAITING:,} |" in PAGE


def test_page_states_limits_of_bot_processes() -> None:
    limits = BotLimits()
    sentence = f"It may use {limits.memory // MIB // 1024} GiB and write files of {limits.file // MIB} MiB."
    assert sentence in words(PAGE)
    assert runner.LIVES == 3
    assert "after its third process hangs or crashes it has lost its match" in words(PAGE)


def test_page_states_postgresql_waits() -> None:
    again = f"logs it, and again every {sql.WARNING_EVERY:g} seconds"
    assert f"| no answer for {sql.FIRST_WARNING_AFTER:g} seconds | {again} |" in PAGE
    assert f"no answer for {postgres.SILENCE:g} seconds, or the connection is lost" in PAGE
    assert f"another session holds a lock for {postgres.LOCKED:g} seconds" in PAGE
    assert f"`--db-patience` seconds ({store.PATIENCE:g})" in PAGE


@for_each(
    "option, value",
    [
        ("--seats", f"{Settings().seats}, or fewer if the game has fewer"),
        ("--stack", f"{Settings().stack}"),
        ("--sb`, `--bb", f"{Settings().small_blind}, {Settings().big_blind}"),
        ("--move-time-ms", f"{Settings().move_time_ms}"),
        ("--start-at N", f"{Settings().start_at}, or more if the game needs more"),
        ("--timeout-policy", f"`{Settings().timeout_policy}`"),
        ("--game NAME", f"`{Settings().game}`"),
        ("--delay-ms", f"{Limits().delay * 1000:g}"),
    ],
)
def test_page_states_table_defaults(option: str, value: str) -> None:
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{option}` |")]
    assert row.endswith(f" | {value} |")


def test_offline_and_at_a_table_bots_begin_with_the_same() -> None:
    offline, table = OfflineStakes(), Settings()
    assert (offline.stack, offline.small_blind, offline.big_blind) == (
        table.stack,
        table.small_blind,
        table.big_blind,
    )
