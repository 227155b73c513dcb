"""Runs a command as an ordinary account would, also where root tests: `python -m tests.support.arena.plain COMMAND`.

The user stays the same and loses all that root is allowed beyond an account's own, for good.
"""

import os
import sys

from pitboss.arena.bots.sandbox import drop_capabilities, forbid_new_privileges

PLAIN = (sys.executable, "-m", "tests.support.arena.plain")

if __name__ == "__main__":
    assert forbid_new_privileges()
    assert drop_capabilities()
    os.execv(sys.argv[1], sys.argv[1:])
