"""Code checks for tests without a server: immediate, and each only once per run of tests, because a check is slow."""

import asyncio
from functools import cache

from pitboss.arena.code_checker import CodeChecker
from pitboss.arena.journal.records import Lock
from pitboss.arena.rooms.logins import CodeCheck
from pitboss.arena.rooms.output import Output
from pitboss.arena.rooms.room import Room


def run_check(check: CodeCheck) -> Lock | None:
    """The result of a check; cached, because the same locks and codes come up often."""
    return _result(check.code, check.lock, check.salt)


@cache
def _result(code: str, lock: Lock | None, salt: bytes) -> Lock | None:
    return CodeCheck("", 0, "", code, lock, salt).run()


def checked(room: Room, out: Output, now: float) -> Output:
    """What a room wants done, after all codes are checked."""
    whole = Output(list(out.entries), list(out.sends), list(out.closes), list(out.notes))
    for check in out.checks:
        after = checked(room, room.checked(check, run_check(check), now), now)
        whole.entries += after.entries
        whole.sends += after.sends
        whole.closes += after.closes
        whole.notes += after.notes
    return whole


class ImmediateChecker(CodeChecker):
    """Checks codes on the event loop, one after the other and each only once: for servers without threads."""

    def run(self, check: CodeCheck) -> asyncio.Future[Lock | None]:
        """Run a check now; its result is ready at the next turn of the loop."""
        result: asyncio.Future[Lock | None] = asyncio.get_running_loop().create_future()
        result.set_result(run_check(check))
        return result
