"""A process that owns a journal: it writes without end and prints the number of every entry on disk.

Run as ``python holder.py URL``; it says ``refused`` and ends where the journal is another's. A line on its input, or
the end of it, ends it in an orderly way.
"""

import sys
import threading
from collections.abc import Sequence

from pitboss.store import Chain, Entry, InUse, Writer, open_store

TABLE = "T-1"


def main(url: str) -> None:
    """Own the journal until told to stop."""
    try:
        store = open_store(url)
        store.claim(TABLE)
    except InUse as error:
        print("refused", error, flush=True)
        return
    with store:
        chain = Chain(TABLE, store.read(TABLE).head)
        committed = threading.Semaphore(0)

        def on_commit(entries: Sequence[Entry]) -> None:
            print(entries[-1].seq, flush=True)
            committed.release()

        def on_failure(error: BaseException) -> None:
            print("failed", error, flush=True)
            committed.release()

        stop = threading.Event()

        def listen() -> None:
            sys.stdin.readline()
            stop.set()

        threading.Thread(target=listen, daemon=True).start()
        writer = Writer(store, on_commit, on_failure)
        writer.start()
        while not stop.is_set():
            writer.put([chain.append(b"entry %d" % (chain.head.seq + 1), seals=chain.head.seq % 7 == 0)])
            writer.put([chain.append(b"entry %d" % (chain.head.seq + 1))])
            committed.acquire()
        writer.close()


if __name__ == "__main__":
    main(sys.argv[1])
