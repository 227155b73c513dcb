"""A process that will have a seat, whoever else has it: `python -m tests.support.arena.fighter URL TEAM CODE`.

It answers whatever it is asked, comes back at once when it is replaced, and prints a word about each such thing.
"""

import asyncio
import json
import sys

import aiohttp
from aiohttp import WSMsgType


async def fight(url: str, team: str, code: str) -> None:
    """Take the seat again and again, until the process is ended."""
    async with aiohttp.ClientSession() as session:
        while True:
            async with session.ws_connect(url) as ws:
                hello = json.dumps({"type": "hello", "v": 1, "team": team, "join_code": code})
                await ws.send_str(hello)
                while (message := await ws.receive()).type is WSMsgType.TEXT:
                    frame = json.loads(message.data)
                    if frame["type"] == "error":
                        say(frame["code"])
                        if frame["code"] == "RATE_LIMITED":
                            await ws.send_str(hello)
                    elif frame.get("legal"):
                        await ws.send_str(json.dumps(answer(frame)))
                say(f"{message.data} {message.extra}")


def answer(question: dict[str, object]) -> dict[str, object]:
    """Check or call, without naming the turn where an `act` asks."""
    legal = question["legal"]
    assert isinstance(legal, list)
    word = "CHECK" if "CHECK" in legal else "CALL"
    if question["type"] == "act":
        return {"type": "action", "v": 1, "hand_id": question["hand_id"], "action": word}
    return {"type": "action", "v": 1, "hand_id": question["at_hand_id"], "action": word, "turn": question["turn"]}


def say(word: str) -> None:
    """Tell the test."""
    print(word, flush=True)


if __name__ == "__main__":
    asyncio.run(fight(*sys.argv[1:]))
