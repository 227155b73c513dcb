"""A process that always takes a seat over: `python -m tests.support.arena.fighter URL TEAM CODE`.

It answers every question, comes back at once when it is replaced, and prints a word for each such event.
If it had to wait for a processor, the server may have disconnected it: then a send fails, or the reason is lost.
It prints nothing then, and comes back as usual.
"""

import asyncio
import json
import sys
from contextlib import suppress

import aiohttp
from aiohttp import WSMsgType


async def fight(url: str, team: str, code: str) -> None:
    """Take the seat again and again, until the process is ended."""
    hello = json.dumps({"type": "hello", "v": 1, "team": team, "join_code": code})
    async with aiohttp.ClientSession() as session:
        while True:
            with suppress(ConnectionError, aiohttp.ClientError):
                async with session.ws_connect(url) as ws:
                    await hold(ws, hello)


async def hold(ws: aiohttp.ClientWebSocketResponse, hello: str) -> None:
    """Hold one connection until the server closes it."""
    await ws.send_str(hello)
    while (message := await ws.receive()).type is WSMsgType.TEXT:
        frame = json.loads(message.data)
        reply = None
        if frame["type"] == "error":
            say(frame["code"])
            reply = hello if frame["code"] == "RATE_LIMITED" else None
        elif frame.get("legal"):
            reply = json.dumps(answer(frame))
        if reply is not None:
            with suppress(ConnectionError):  # the reason for the close is still to be read
                await ws.send_str(reply)
    if message.type is WSMsgType.CLOSE:
        say(f"{message.data} {message.extra}")


def answer(question: dict[str, object]) -> dict[str, object]:
    """Check or call; an `act` is answered without its turn."""
    legal = question["legal"]
    assert isinstance(legal, list)
    word = "CHECK" if "CHECK" in legal else "CALL"
    if question["type"] == "act":
        return {"type": "action", "v": 1, "hand_id": question["hand_id"], "action": word}
    return {"type": "action", "v": 1, "hand_id": question["at_hand_id"], "action": word, "turn": question["turn"]}


def say(word: str) -> None:
    """Report to the test."""
    print(word, flush=True)


if __name__ == "__main__":
    asyncio.run(fight(*sys.argv[1:]))
