"""A bot behind a real socket, as when the doctor waits for a bot that a user starts."""

import asyncio
from typing import Any

import aiohttp

from tests.support.client.bad_bots import Healthy, Words


async def wired(bot: Healthy, url: str) -> None:
    """Connect the bot, again and again, until it stays away."""
    async with aiohttp.ClientSession() as http:
        while (words := bot.connect()) is not None:
            async with http.ws_connect(url, autoclose=True) as ws:
                say(ws, words)
                await listen(ws, bot)


async def listen(ws: aiohttp.ClientWebSocketResponse, bot: Healthy) -> None:
    """Pass messages to the bot until either side closes."""
    async for frame in ws:
        say(ws, bot.receive(frame.data))
        if not bot.here:
            return
    bot.cut(ws.close_code)


def say(ws: aiohttp.ClientWebSocketResponse, words: Words) -> None:
    """Send each item when it is due."""
    loop = asyncio.get_running_loop()
    for after_ms, frame in words:
        loop.call_later(after_ms / 1000, send, ws, frame)


def send(ws: aiohttp.ClientWebSocketResponse, frame: Any) -> None:
    """SendFrame, unless the connection has gone."""
    if not ws.closed:
        task = asyncio.ensure_future(ws.send_str(frame) if isinstance(frame, str) else ws.send_bytes(frame))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
