"""An organiser's process with a secret in its memory, in a variable and in an open file, and a bot that looks for it.

`python -m tests.support.arena.organiser guarded|open FOLDER`: guarded starts the bot as the arena does; open starts it
as a plain child. The secret comes on standard input, so that no argument holds it.
"""

import os
import subprocess
import sys
from pathlib import Path

from msgspec.structs import replace

from pitboss.client.bot_process import start_bot
from tests.support.arena.bot_spots import ask, deal

PRYING = Path(__file__).with_name("prying_bot.py")


def main(how: str, folder: Path) -> None:
    """Hold a secret and let a bot look for it."""
    secret = sys.stdin.readline().strip()
    os.environ["PGPASSWORD"] = os.environ["PITBOSS_DB"] = secret
    journal = os.open(folder / f"{secret}.db", os.O_RDWR | os.O_CREAT, 0o600)
    os.write(journal, secret.encode())
    os.set_inheritable(journal, True)
    os.chdir(folder)
    if how == "open":
        subprocess.run([sys.executable, str(PRYING)], check=True, close_fds=False)
        return
    quiet = folder / "quiet.py"
    quiet.write_text("held = []\n\ndef decide(act):\n    held.append(act)\n    return 'FOLD'\n", encoding="utf-8")
    brother, prying = start_bot(str(quiet)), start_bot(str(PRYING))
    act = ask(deal("AsAd", "KsKd"), range(2))
    brother(replace(act, hand_id=secret))
    prying(replace(act, you=replace(act.you, time_ms=60_000)))
    prying.close()
    brother.close()
    print("lacking", prying.lacking)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
